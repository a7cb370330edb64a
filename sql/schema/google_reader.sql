-- Links as items of the Google Reader API; see Sources/Neighbours/GoogleReader.

-- The number of an item: the first 60 bits of the id of its link.
create or replace function rest.reader_number(link uuid) returns bigint
    language sql immutable
    as $$ select ('x' || substr(replace(link::text, '-', ''), 1, 15))::bit(60)::bigint $$;

-- The links of the caller with these numbers.
create or replace function rest.reader_links(numbers bigint[]) returns setof uuid
    language sql stable
    as $$
        select l.id
        from (select distinct lpad(to_hex(number), 15, '0') as start from unnest(numbers) as number
            where number between 0 and 1152921504606846975) as wanted
        join public.links l on l.id between (wanted.start || repeat('0', 17))::uuid
            and (wanted.start || repeat('f', 17))::uuid
        where l.user_id = (select auth.uid())
    $$;

-- The links of the caller whose pages were fetched since then, up to a month ago.
create or replace function rest.links_fetched_since(since timestamptz) returns setof uuid
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select link_id from private.done_jobs where user_id = (select auth.uid()) and kind = 'save' and done_at >= since
    $$;

-- Seconds since 1970. A client may give a link a time at infinity.
create or replace function rest.reader_seconds(at timestamptz) returns numeric
    language sql immutable
    as $$ select extract(epoch from case when isfinite(at) then at else timestamptz 'epoch' end) $$;

-- An item, with the HTML of its article or, where that is null, the beginning of its description. Thousands of items fit
-- into a response. Only addresses of the web are links.
create or replace function rest.reader_item(l public.links, content text, tags text[]) returns json
    language sql stable
    as $$
        select json_build_object(
            'id', 'tag:google.com,2005:reader/item/' || lpad(to_hex(rest.reader_number(l.id)), 16, '0'),
            'crawlTimeMsec', (rest.reader_seconds(l.created_at) * 1000)::bigint::text,
            'timestampUsec', (rest.reader_seconds(l.created_at) * 1000000)::bigint::text,
            'published', floor(rest.reader_seconds(coalesce(l.published_at, l.created_at)))::bigint,
            'updated', floor(rest.reader_seconds(l.created_at))::bigint,
            'title', left(coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''), l.raw_url), 1000),
            'author', coalesce(l.byline, ''),
            'canonical', case when page.address is null then '[]'
                else json_build_array(json_build_object('href', page.address)) end,
            'alternate', case when page.address is null then '[]'
                else json_build_array(json_build_object('href', page.address, 'type', 'text/html')) end,
            'categories', array_to_json(array['user/-/state/com.google/reading-list']
                || case when l.status = 'read' then array['user/-/state/com.google/read'] else '{}' end
                || case when l.is_starred then array['user/-/state/com.google/starred'] else '{}' end
                || array(select 'user/-/label/' || name from unnest(tags) as name)),
            'origin', json_build_object('streamId', 'feed/' || l.list,
                'title', case l.list when 'read' then 'To Read' else 'Archive' end, 'htmlUrl', ''),
            'enclosure', case when page.enclosure is null then '[]' else json_build_array(json_build_object(
                'href', page.enclosure, 'type', coalesce(l.enclosure_type, ''))) end,
            'summary', json_build_object('direction', 'ltr', 'content', coalesce(content,
                rest.escaped_html(left(rest.display_text(l.description, l.description_is_text), 2000)), '')))
        from (
            select rest.web_address(coalesce(l.resolved_url, l.raw_url)) as address,
                rest.web_address(l.enclosure_url) as enclosure) as page
    $$;

-- Text as it may stand in HTML.
create or replace function rest.escaped_html(value text) returns text
    language sql immutable
    as $$
        select replace(replace(replace(replace(value, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')
    $$;

-- Adds a tag to links of the caller, or takes it from them. A new tag is made.
create or replace function rest.reader_label(links uuid[], label text, is_added boolean) returns void
    language plpgsql
    as $$
    declare
        tag uuid := (select t.id from public.tags t
            where t.user_id = (select auth.uid()) and lower(t.name) = lower(label));
    begin
        if is_added then
            if tag is null then
                insert into public.tags (name) values (label) returning id into tag;
            end if;
            insert into public.link_tags (link_id, tag_id) select link, tag from unnest(links) as link
                on conflict do nothing;
        else
            delete from public.link_tags lt where lt.tag_id = tag and lt.link_id = any (links);
        end if;
    end
    $$;

revoke execute on function rest.reader_links(bigint[]), rest.links_fetched_since(timestamptz),
    rest.reader_item(public.links, text, text[]), rest.reader_label(uuid[], text, boolean) from public;
grant execute on function rest.reader_seconds(timestamptz), rest.reader_number(uuid), rest.reader_links(bigint[]),
    rest.links_fetched_since(timestamptz), rest.reader_item(public.links, text, text[]), rest.escaped_html(text),
    rest.reader_label(uuid[], text, boolean) to authenticated;
