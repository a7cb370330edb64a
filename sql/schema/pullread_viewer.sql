-- The caller's links as PullRead's viewer reads them; see Sources/Neighbours/PullRead. Each function returns JSON.

-- An address as it may stand in an attribute of HTML, since the viewer does not escape quotation marks. Empty for an
-- address that is not of the web.
create or replace function rest.viewer_address(value text) returns text
    language sql immutable
    as $$
        select case
            when value is null or value !~* '^https?://' then ''
            when value !~ '["''<>`\\\s]' then value
            else regexp_replace(replace(replace(replace(replace(replace(replace(
                value, '"', '%22'), '''', '%27'), '<', '%3C'), '>', '%3E'), '`', '%60'), '\', '%5C'), '\s', '%20', 'g')
            end
    $$;

-- A name that others may have chosen, as it may stand in a script in an attribute of HTML, where the viewer writes it
-- without escapes.
create or replace function rest.viewer_word(value text) returns text
    language sql immutable
    as $$
        select case when value ~ '["''&\\]'
            then regexp_replace(translate(value, '"''\', '”’＼'), '&(?=#|apos)', '＆', 'g') else value end
    $$;

-- A file of the caller as `rest.markdown_file` returns it, with its addresses as in the list.
create or replace function rest.viewer_file(file text) returns table (members text, markdown text, plain text)
    language sql stable
    as $$
        with found as materialized (
            select m.members::jsonb as members, m.markdown, m.plain
            from rest.markdown_file(rest.viewer_link(file)) as m
        )
        select (members || jsonb_build_object(
                'url', rest.viewer_address(members ->> 'url'), 'image', rest.viewer_address(members ->> 'image'),
                'enclosure_url', rest.viewer_address(members ->> 'enclosure_url')))::text,
            markdown, plain
        from found
    $$;

-- The names of the caller's files, and their pictures. Runs as the owner because callers do not reach the schema.
create or replace function rest.viewer_names() returns table (link_id uuid, name text, image text)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    rows 1000
    as $$
        select f.link_id, n.name, f.image
        from private.markdown_files f join private.file_names n on n.link_id = f.link_id
        where f.user_id = (select auth.uid())
    $$;

-- The link of the caller with this file; null if there is none.
create or replace function rest.viewer_link(file text) returns uuid
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select n.link_id from private.file_names n where n.user_id = (select auth.uid()) and n.name = file limit 1
    $$;

-- Every link with an article, the one saved last first. At most 50,000, which is more than the viewer can show.
create or replace function rest.viewer_files() returns text
    language sql stable
    as $$
        select coalesce(json_agg(json_build_object(
            'filename', named.name,
            'title', coalesce(nullif(rest.display_text(named.title, named.title_is_text), ''),
                nullif(rest.display_text(named.article_title, named.metadata_is_text), ''), named.url),
            'url', rest.viewer_address(named.url),
            'domain', coalesce(named.domain, ''),
            'bookmarked', rest.exported_time(named.created_at),
            'feed', coalesce(rest.viewer_word(named.feed), ''),
            'author', coalesce(rest.display_text(named.byline, named.metadata_is_text), ''),
            'mtime', rest.exported_time(named.changed_at),
            'hasSummary', false, 'summaryProvider', '', 'summaryModel', '',
            'excerpt', coalesce(nullif(rest.display_text(named.excerpt, named.metadata_is_text), ''),
                rest.display_text(named.description, named.description_is_text), ''),
            'image', rest.viewer_address(named.image),
            'enclosureUrl', rest.viewer_address(named.enclosure_url),
            'enclosureType', coalesce(named.enclosure_type, ''),
            'enclosureDuration', coalesce(named.enclosure_duration::text, ''))
            order by named.created_at desc, named.changed_at desc, named.id)::text, '[]')
        from (
            select files.name, coalesce(files.image, l.image, a.image) as image, l.id, l.title, l.title_is_text,
                a.title as article_title, a.metadata_is_text, coalesce(l.resolved_url, l.raw_url) as url, l.domain,
                l.created_at, greatest(l.updated_at, a.extracted_at) as changed_at, a.byline, a.excerpt,
                l.description, l.description_is_text, l.enclosure_url, l.enclosure_type, l.enclosure_duration,
                feeds.title as feed
            from rest.viewer_names() files
            join public.links l on l.id = files.link_id
            join public.articles a on a.link_id = l.id
            left join rest.viewer_feeds() feeds on feeds.link_id = l.id
            where l.user_id = (select auth.uid()) and a.user_id = (select auth.uid())
            order by l.created_at desc, changed_at desc, l.id
            limit 50000) as named
    $$;

-- When the viewer has to read the list again: milliseconds of the last change, and one more for every change that the
-- caller's counter has seen, because transactions do not end in the order of their changes.
create or replace function rest.viewer_changed_at() returns bigint
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select coalesce(
                (select max(floor(extract(epoch from changed_at) * 1000)) from private.change_log
                    where user_id = (select auth.uid())),
                (select max(floor(extract(epoch from changed_at) * 1000)) from private.last_changes
                    where user_id = (select auth.uid())),
                0)::bigint
            + coalesce((select sum(n) from rest.changes where user_id = (select auth.uid())), 0)::bigint
    $$;

-- The number of files and the time of the last change of one.
create or replace function rest.viewer_status() returns text
    language sql stable
    as $$
        select json_build_object('syncInterval', 'manual', 'intervalMinutes', null,
            'lastActivity', rest.exported_time(max(greatest(l.updated_at, a.extracted_at))),
            'articleCount', count(*))::text
        from public.links l join public.articles a on a.link_id = l.id
        where l.user_id = (select auth.uid()) and a.user_id = (select auth.uid())
    $$;

-- A highlight. The viewer has four of the six colours.
create or replace function rest.viewer_highlight(h public.highlights) returns json
    language sql stable
    as $$
        select json_build_object('id', h.id, 'text', h.quote, 'contextBefore', coalesce(h.prefix, ''),
            'contextAfter', coalesce(h.suffix, ''),
            'color', case h.color when 'purple' then 'pink' when 'orange' then 'yellow' else h.color end,
            'note', coalesce(h.note, ''), 'createdAt', rest.exported_time(h.created_at),
            'updatedAt', rest.exported_time(h.updated_at))
    $$;

-- The highlights of one file, a list; or of all files, by their names.
create or replace function rest.viewer_highlights(file text) returns text
    language plpgsql stable
    as $$
    begin
        if file is not null then
            return coalesce((
                select json_agg(rest.viewer_highlight(h) order by h.start_offset nulls last, h.created_at, h.id)
                from public.highlights h
                where h.link_id = rest.viewer_link(file) and h.user_id = (select auth.uid())), '[]')::text;
        end if;
        perform rest.fits_response((
            select sum(octet_length(quote) + coalesce(octet_length(note), 0) + coalesce(octet_length(prefix), 0)
                + coalesce(octet_length(suffix), 0))
            from public.highlights where user_id = (select auth.uid())));
        return coalesce((
            select json_object_agg(marked.name, marked.list)
            from (
                select files.name,
                    json_agg(rest.viewer_highlight(h) order by h.start_offset nulls last, h.created_at, h.id) as list
                from public.highlights h join rest.viewer_names() files on files.link_id = h.link_id
                where h.user_id = (select auth.uid())
                group by files.name) as marked), '{}')::text;
    end
    $$;

-- Note, mark and tags of one file; or of all files that have any, by their names. A starred link is marked, too.
create or replace function rest.viewer_notes(file text) returns text
    language plpgsql stable
    as $$
    declare
        link constant uuid := rest.viewer_link(file);
    begin
        if file is not null then
            return json_build_object(
                'articleNote', coalesce((select n.body from public.notes n
                    where n.link_id = link and n.user_id = (select auth.uid())), ''),
                'annotations', '[]'::json,
                'tags', coalesce((
                    select json_agg(rest.viewer_word(t.name) order by lower(t.name), t.name)
                    from public.link_tags lt join public.tags t on t.id = lt.tag_id
                    where lt.link_id = link and lt.user_id = (select auth.uid())), '[]'),
                'isFavorite',
                    exists (select from public.notes n
                        where n.link_id = link and n.user_id = (select auth.uid()) and n.is_favorite)
                    or exists (select from public.links l
                        where l.id = link and l.user_id = (select auth.uid()) and l.is_starred))::text;
        end if;
        perform rest.fits_response((
            select sum(octet_length(body)) from public.notes where user_id = (select auth.uid())));
        return coalesce((
            select json_object_agg(files.name, json_build_object(
                'articleNote', coalesce(n.body, ''), 'annotations', '[]'::json,
                'tags', coalesce(tagged.names, '[]'),
                'isFavorite', coalesce(n.is_favorite, false) or starred.id is not null))
            from rest.viewer_names() files
            left join public.notes n on n.link_id = files.link_id and n.user_id = (select auth.uid())
            left join (
                select lt.link_id, json_agg(rest.viewer_word(t.name) order by lower(t.name), t.name) as names
                from public.link_tags lt join public.tags t on t.id = lt.tag_id
                where lt.user_id = (select auth.uid())
                group by lt.link_id) as tagged on tagged.link_id = files.link_id
            left join public.links starred
                on starred.id = files.link_id and starred.user_id = (select auth.uid()) and starred.is_starred
            where n.link_id is not null or tagged.link_id is not null or starred.id is not null), '{}')::text;
    end
    $$;

-- The address of the icon that the caller's links of a domain have, below /pictures/; null if there is none.
create or replace function rest.viewer_icon(domain text) returns text
    language sql stable
    as $$
        select p.address
        from public.links l
        join public.link_pictures lp on lp.link_id = l.id and lp.kind = 'icon' and lp.hash is not null
        join public.pictures p on p.user_id = lp.user_id and p.hash = lp.hash
        where l.user_id = (select auth.uid()) and l.domain = viewer_icon.domain
        order by l.created_at desc
        limit 1
    $$;

revoke execute on function rest.viewer_word(text), rest.viewer_file(text), rest.viewer_names(), rest.viewer_link(text),
    rest.viewer_files(), rest.viewer_changed_at(), rest.viewer_status(), rest.viewer_highlight(public.highlights),
    rest.viewer_highlights(text), rest.viewer_notes(text), rest.viewer_icon(text) from public;
grant execute on function rest.viewer_address(text), rest.viewer_word(text), rest.viewer_file(text),
    rest.viewer_names(), rest.viewer_link(text), rest.viewer_files(), rest.viewer_changed_at(), rest.viewer_status(),
    rest.viewer_highlight(public.highlights), rest.viewer_highlights(text), rest.viewer_notes(text),
    rest.viewer_icon(text) to authenticated;
