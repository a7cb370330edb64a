-- What kind of resource a link leads to, for `kind:` in a search. What a page is comes from its facts. Where they do
-- not say, for example because the page could not be read, sites that hold nothing else decide.

set local role lectern_search;

-- Sites of videos and of audio. A host stands for its subdomains, too; a path is the start of the path, or empty.
create or replace view private.kind_sites with (security_invoker = true) as
    select sites.kind, sites.host, sites.path
    from (values
        ('video', 'arte.tv', '/videos/'),
        ('video', 'bilibili.com', '/video/'),
        ('video', 'dailymotion.com', '/video/'),
        ('video', 'loom.com', '/share/'),
        ('video', 'nebula.tv', '/videos/'),
        ('video', 'nicovideo.jp', '/watch/'),
        ('video', 'odysee.com', '/@'),
        ('video', 'rumble.com', '/v'),
        ('video', 'ted.com', '/talks/'),
        ('video', 'tiktok.com', '/@'),
        ('video', 'twitch.tv', ''),
        ('video', 'vimeo.com', ''),
        ('video', 'youtube.com', '/live/'),
        ('video', 'youtube.com', '/shorts/'),
        ('video', 'youtube.com', '/watch'),
        ('video', 'youtu.be', ''),
        ('audio', 'audible.com', '/pd/'),
        ('audio', 'bandcamp.com', ''),
        ('audio', 'castbox.fm', ''),
        ('audio', 'deezer.com', ''),
        ('audio', 'mixcloud.com', ''),
        ('audio', 'music.apple.com', ''),
        ('audio', 'overcast.fm', ''),
        ('audio', 'pca.st', ''),
        ('audio', 'podbean.com', ''),
        ('audio', 'podcasts.apple.com', ''),
        ('audio', 'podcasts.google.com', ''),
        ('audio', 'soundcloud.com', ''),
        ('audio', 'spotify.com', ''),
        ('audio', 'tunein.com', '')
    ) as sites (kind, host, path);

-- The condition on a link `l` for a kind of resource.
create or replace function private.kind_condition(kind text) returns text
    language sql stable
    as $$
        select '(' || concat_ws(' or ', format('l.kind = %L', kind), (
            select 'coalesce(l.kind, ''other'') = ''other'' and (' || string_agg(
                format('right(''.'' || l.domain, %s) = %L', length(site.host) + 1, '.' || site.host)
                    || case when site.path <> '' then format(
                        ' and strpos(lower(coalesce(l.resolved_url, l.raw_url)), %L) > 0', site.host || site.path)
                        else '' end,
                ' or ') || ')'
            from private.kind_sites as site where site.kind = kind_condition.kind)) || ')'
    $$;

revoke execute on function private.kind_condition(text) from public;

set local role lectern_owner;
