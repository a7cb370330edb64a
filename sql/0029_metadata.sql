-- What a page is and says of itself, on the link: a list shows it without the article.

alter table public.links
    add column kind text check (kind in ('article', 'video', 'audio', 'pdf', 'image', 'other')),
    add column byline text check (length(byline) <= 1000),
    add column published_at timestamptz,
    add column reading_time integer check (reading_time > 0),
    add column icon text check (length(icon) <= 8192 and icon ~* '^https?://'),
    add column enclosure_url text check (length(enclosure_url) <= 8192 and enclosure_url ~* '^https?://'),
    add column enclosure_type text check (length(enclosure_type) <= 100),
    add column enclosure_duration integer check (enclosure_duration > 0),
    -- The three are one thing.
    add constraint links_enclosure_check check (enclosure_url is not null or enclosure_type is null and enclosure_duration is null);
alter table public.articles add column reading_time integer check (reading_time > 0);

comment on column public.links.kind is 'What the address leads to: article, video, audio, pdf, image or other; null until it was looked at.';
comment on column public.links.byline is 'Names of the authors, joined by commas.';
comment on column public.links.published_at is 'When the page was published, where it tells.';
comment on column public.links.reading_time is 'Minutes it takes to read the article, rounded up: 200 words, or 500 characters of Chinese or Japanese, a minute.';
comment on column public.links.icon is 'Address of the sign of the site, as the page names it.';
comment on column public.links.enclosure_url is 'The sound or film that belongs to the page: the address of a file.';
comment on column public.links.enclosure_type is 'Its media type, where that is known.';
comment on column public.links.enclosure_duration is 'Its length in seconds, where that is known.';
comment on column public.articles.reading_time is 'Minutes it takes to read, rounded up.';

grant update (kind, byline, published_at, reading_time, icon, enclosure_url, enclosure_type, enclosure_duration)
    on public.links to job_worker;

-- As in 0007, with the columns above.
create or replace function private.forget_old_page() returns trigger
    language plpgsql
    as $$
    begin
        new.state := 'pending';
        new.reason := null;
        new.reason_message := null;
        new.resolved_url := nullif(new.resolved_url, old.resolved_url);
        new.image := nullif(new.image, old.image);
        new.site_name := nullif(new.site_name, old.site_name);
        new.lang := nullif(new.lang, old.lang);
        new.word_count := nullif(new.word_count, old.word_count);
        new.kind := nullif(new.kind, old.kind);
        new.byline := nullif(new.byline, old.byline);
        new.published_at := nullif(new.published_at, old.published_at);
        new.reading_time := nullif(new.reading_time, old.reading_time);
        new.icon := nullif(new.icon, old.icon);
        if new.enclosure_url = old.enclosure_url then
            new.enclosure_url := null;
            new.enclosure_type := null;
            new.enclosure_duration := null;
        end if;
        return new;
    end
    $$;

-- As in 0024, with the columns above.
create or replace function rest.save_again(link uuid, given jsonb) returns setof public.links
    language plpgsql
    as $$
    declare
        is_import constant boolean := rest.is_import();
    begin
        if is_import then
            given := given - array['list', 'status', 'is_starred', 'state'];
            -- Triggers leave alone what is written as it was.
            perform set_config('rest.restoring', 'on', true);
        end if;
        return query
            update public.links as known
            set list = coalesce(new.list, known.list), status = coalesce(new.status, known.status),
                is_starred = known.is_starred or coalesce(new.is_starred, not is_import and rest.has_star(new.title)),
                -- A page that failed is tried again.
                state = coalesce(new.state, case when known.state = 'failed' and not is_import then 'pending' else known.state end),
                title = coalesce(known.title, new.title), description = coalesce(known.description, new.description),
                device_saved = coalesce(known.device_saved, new.device_saved),
                resolved_url = coalesce(known.resolved_url, new.resolved_url),
                image = coalesce(known.image, new.image), site_name = coalesce(known.site_name, new.site_name),
                lang = coalesce(known.lang, new.lang), word_count = coalesce(known.word_count, new.word_count),
                kind = coalesce(known.kind, new.kind), byline = coalesce(known.byline, new.byline),
                published_at = coalesce(known.published_at, new.published_at),
                reading_time = coalesce(known.reading_time, new.reading_time), icon = coalesce(known.icon, new.icon),
                enclosure_url = coalesce(known.enclosure_url, new.enclosure_url),
                enclosure_type = case when known.enclosure_url is null then new.enclosure_type else known.enclosure_type end,
                enclosure_duration = case
                    when known.enclosure_url is null then new.enclosure_duration else known.enclosure_duration
                end
            from jsonb_populate_record(null::public.links, given) as new
            where known.id = link
            returning known.*;
        if is_import then
            perform set_config('rest.restoring', '', true);
        end if;
    end
    $$;


-- Merges of two links into one. What follows belongs to the admin, as in 0025.

set local role lectern_admin;

create or replace function rest.merged_columns() returns text[]
    language sql immutable
    as $$
        select array['resolved_url', 'title', 'description', 'list', 'status', 'device_saved', 'is_starred', 'updated_at',
            'state', 'reason', 'reason_message', 'image', 'site_name', 'lang', 'word_count', 'canonical_key', 'acted_at',
            'acted_as', 'title_is_text', 'description_is_text', 'kind', 'byline', 'published_at', 'reading_time',
            'icon', 'enclosure_url', 'enclosure_type', 'enclosure_duration']
    $$;

-- The enclosure of a link, which is taken or left as a whole.
create function rest.enclosure_of(link jsonb) returns jsonb
    language sql immutable
    as $$
        select jsonb_build_array(link -> 'enclosure_url', link -> 'enclosure_type', link -> 'enclosure_duration')
    $$;

-- A merge is written down when all else is done: then the link that is left gets what it has not and the other had, and the
-- merge remembers that too.
create function private.complete_merge() returns trigger
    language plpgsql
    set timezone = 'UTC'
    as $$
    declare
        after public.links;
    begin
        update public.links as kept
            set kind = coalesce(kept.kind, gone.kind), byline = coalesce(kept.byline, gone.byline),
                published_at = coalesce(kept.published_at, gone.published_at),
                reading_time = coalesce(kept.reading_time, gone.reading_time), icon = coalesce(kept.icon, gone.icon),
                enclosure_url = coalesce(kept.enclosure_url, gone.enclosure_url),
                enclosure_type = case when kept.enclosure_url is null then gone.enclosure_type else kept.enclosure_type end,
                enclosure_duration = case
                    when kept.enclosure_url is null then gone.enclosure_duration else kept.enclosure_duration
                end
            from jsonb_populate_record(null::public.links, new.link) as gone
            where kept.id = new.survivor_id
                and (
                    coalesce(kept.kind, gone.kind), coalesce(kept.byline, gone.byline),
                    coalesce(kept.published_at, gone.published_at), coalesce(kept.reading_time, gone.reading_time),
                    coalesce(kept.icon, gone.icon), coalesce(kept.enclosure_url, gone.enclosure_url))
                    is distinct from (kept.kind, kept.byline, kept.published_at, kept.reading_time, kept.icon, kept.enclosure_url)
            returning kept.* into after;
        if found then
            new.survivor_after := to_jsonb(after);
        end if;
        return new;
    end
    $$;
create trigger complete_merge
    before insert on public.link_merges
    for each row
    -- What hung on nothing was never a link: a spelling that was saved again.
    when (new.parts <> '{}')
    execute function private.complete_merge();

-- As in 0025, but for the enclosure.
create or replace function rest.unmerged(link jsonb, merge public.link_merges) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, merge.survivor_before -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and link -> name is not distinct from merge.survivor_after -> name
            and (not starts_with(name, 'enclosure_')
                or rest.enclosure_of(link) = rest.enclosure_of(merge.survivor_after))
    $$;

create or replace function rest.still_merged(merge public.link_merges, patch jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, value), '{}')
        from (
            select distinct on (name) name, coalesce(standing.link -> name, 'null') as value
            from public.link_merges standing, (
                select jsonb_object_keys(patch)
                union
                select unnest(array['enclosure_type', 'enclosure_duration']) where patch ? 'enclosure_url'
            ) as names (name)
            where standing.survivor_id = merge.survivor_id and standing.undone_at is null and standing.id <> merge.id
                and (name = 'is_starred' and standing.link -> name = 'true'
                    or name in ('resolved_url', 'title', 'description', 'device_saved', 'image', 'site_name', 'lang', 'word_count',
                            'kind', 'byline', 'published_at', 'reading_time', 'icon')
                        and patch -> name = 'null' and coalesce(standing.link -> name, 'null') <> 'null'
                    or starts_with(name, 'enclosure_') and patch -> 'enclosure_url' = 'null'
                        and coalesce(standing.link -> 'enclosure_url', 'null') <> 'null')
            order by name, standing.merged_at, standing.id) as brought
    $$;

create or replace function rest.taken_back(state jsonb, merge public.link_merges, now jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, now -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and state ? name and state -> name is not distinct from merge.survivor_after -> name
            and (not starts_with(name, 'enclosure_')
                or rest.enclosure_of(state) = rest.enclosure_of(merge.survivor_after))
    $$;

revoke execute on function rest.enclosure_of(jsonb), private.complete_merge() from public;

set local role lectern_owner;
