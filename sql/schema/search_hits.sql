-- Finding links by words. All functions belong to lectern_search.

set local role lectern_search;

-- A search of a user; see the type.
create or replace function private.word_search(
    terms private.search_term[], owner uuid, number integer, condition text
) returns private.word_search
    language plpgsql stable
    as $$
    begin
        return row(terms, owner, number,
            exists (select from private.search_parts p where p.owner = number and p.is_long), condition);
    end
    $$;

-- The select of the links that have all terms of a search by their keys: link_id and saved_at, each link once. `days`
-- is a condition on the keys of days, or null for all of them. With `is_prominent`, the terms must stand in title,
-- tags, notes or highlights.
create or replace function private.hits_select(
    search private.word_search, days text default null, is_prominent boolean default false
) returns text
    language plpgsql stable
    as $$
    declare
        number constant integer := search.number;
        keys constant text[] := array(
            select '(' || case when is_prominent then term.prominent_keys else term.keys end || ')'
            from unnest(search.terms) as term);
        tags constant text[] := array(select term.tags::text from unnest(search.terms) as term);
        has_tags constant boolean := array_remove(tags, null) <> '{}';
        -- What the parts of all terms have in common.
        common constant text[] := array_remove(
            array['(' || days || ')', case when search.has_long and not has_tags then format('''%s+''', number) end],
            null);
        parts constant text := 'select p.link_id, p.saved_at from '
            || private.parts_with_keys(
                array_to_string(array_remove(array['(' || days || ')'], null) || keys, ' & '), number);
        of_terms text;
    begin
        if not has_tags and is_prominent then
            -- All prominent texts of a link are in one part.
            return parts || ' where p.part = 0';
        elsif not has_tags and not search.has_long then
            return parts;
        end if;
        -- The terms may stand in different parts, and in tags.
        for i in 1..cardinality(keys) loop
            of_terms := concat_ws(' union all ', of_terms,
                format('select %s as term, p.link_id, p.saved_at from ', i)
                    || private.parts_with_keys(array_to_string(common || keys[i], ' & '), number),
                format('select %s, lt.link_id, l.created_at from public.link_tags lt
                    join public.links l on l.id = lt.link_id where lt.tag_id = any (', i)
                    || quote_literal(tags[i]) || ')');
        end loop;
        of_terms := format(
            'select link_id, saved_at from (%s) as found group by link_id, saved_at having count(distinct term) = %s',
            of_terms, cardinality(keys));
        return case when has_tags then of_terms else parts || ' where not p.is_long union all ' || of_terms end;
    end
    $$;

-- The condition that a link `h` holds the words of those terms for which the keys do not suffice; null if they do.
create or replace function private.text_condition(terms private.search_term[], is_prominent boolean default false)
    returns text
    language plpgsql stable
    as $$
    declare
        term private.search_term;
        result text;
    begin
        foreach term in array terms loop
            if term.is_rechecked then
                result := concat_ws(' and ', result, private.holds_condition('h.link_id', term, is_prominent));
            end if;
        end loop;
        return result;
    end
    $$;

-- The condition on the keys of the days between two times; null for an open start.
create or replace function private.days_condition(number integer, since timestamptz, before timestamptz) returns text
    language plpgsql stable
    as $$
    declare
        result text;
    begin
        if since is null then
            return null;
        end if;
        for day in private.day_of(since)..private.day_of(before) loop
            result := concat_ws(' | ', result, '''' || number || '@' || day || '''');
        end loop;
        return result;
    end
    $$;

-- The select of hits that were saved before a place, from a time on: link_id and saved_at, newest first. `known` are all
-- prominent hits, or null. Texts are checked last and in this order, so that a limit saves the reading of most texts.
create or replace function private.newest_select(
    search private.word_search, place private.search_field, known uuid[], before timestamptz, before_id uuid,
    since timestamptz
) returns text
    language plpgsql stable
    as $$
    declare
        days constant text := private.days_condition(search.number, since, before);
        prominent text;
    begin
        if place = 'remaining' and known is not null then
            prominent := format('h.link_id <> all (%L::uuid[])', known);
        elsif place = 'remaining' then
            prominent := private.hits_select(search, days, true);
            prominent := format('h.link_id not in (select h.link_id from (%s) as h%s)', prominent,
                coalesce(' where ' || private.text_condition(search.terms, true), ''));
        end if;
        -- Materialized, because PostgreSQL would otherwise compute the keys of one row after another in order of time.
        return 'select h.link_id, h.saved_at from (with h as materialized ('
            || private.hits_select(search, days, place = 'prominent')
            || ') select h.* from h'
            || coalesce(' join public.links l on l.id = h.link_id and ' || search.condition, '')
            || coalesce(' where ' || nullif(concat_ws(' and ',
                format('(h.saved_at, h.link_id) < (%L::timestamptz, %L::uuid)', before, before_id),
                case when since is not null then format('h.saved_at >= %L::timestamptz', since) end, prominent), ''),
                '')
            || ' order by h.saved_at desc, h.link_id desc offset 0) as h'
            || coalesce(' where ' || private.text_condition(search.terms, place = 'prominent'), '');
    end
    $$;

-- When the link was saved that has so many links of the user between itself and a time; null if there are fewer, or if
-- they were saved in too many days to look at.
create or replace function private.range_start(number integer, before timestamptz, max_links integer)
    returns timestamptz
    language plpgsql stable
    as $$
    declare
        start constant timestamptz := (
            select p.saved_at from private.search_parts p where p.owner = number and p.saved_at <= before
            order by p.saved_at desc offset max_links limit 1);
    begin
        return case when private.day_of(before) - private.day_of(start) <= 100 then start end;
    end
    $$;

-- When the newest link of a user was saved.
create or replace function private.newest_time(number integer) returns timestamptz
    language plpgsql stable
    as $$
    begin
        return (select p.saved_at from private.search_parts p where p.owner = number order by p.saved_at desc limit 1);
    end
    $$;

-- The newest hits before a place, in order. Of words that are frequent, only as many days are read as are needed.
create or replace function private.newest_hits(
    search private.word_search, place private.search_field, known uuid[], before timestamptz, before_id uuid,
    max_links integer, out ids uuid[], out times timestamptz[]
)
    language plpgsql stable
    as $$
    declare
        -- Words are frequent that one of so many links has.
        frequent constant integer := 20;
        all_links constant integer := 1000000000;
        size integer := 500;
        since timestamptz;
        counted integer := 0;
        found record;
    begin
        ids := '{}';
        times := '{}';
        before := coalesce(before, private.newest_time(search.number));
        -- After the newest link.
        before_id := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
        loop
            since := case when size < all_links then private.range_start(search.number, before, size) end;
            execute format(
                'select array_agg(link_id order by saved_at desc, link_id desc) as ids,
                    array_agg(saved_at order by saved_at desc, link_id desc) as times
                from (%s limit %s) as page',
                private.newest_select(search, place, known, before, before_id, since), max_links - counted) into found;
            ids := ids || found.ids;
            times := times || found.times;
            exit when since is null or cardinality(ids) >= max_links;
            before := since;
            before_id := '00000000-0000-0000-0000-000000000000';
            -- The remaining links are read at once if the words are rare.
            size := case when cardinality(ids) - counted < size / frequent then all_links else size * 2 end;
            counted := cardinality(ids);
        end loop;
    end
    $$;

revoke execute on function private.word_search(private.search_term[], uuid, integer, text),
    private.hits_select(private.word_search, text, boolean),
    private.text_condition(private.search_term[], boolean),
    private.newest_select(private.word_search, private.search_field, uuid[], timestamptz, uuid, timestamptz),
    private.days_condition(integer, timestamptz, timestamptz),
    private.range_start(integer, timestamptz, integer), private.newest_time(integer),
    private.newest_hits(private.word_search, private.search_field, uuid[], timestamptz, uuid, integer)
    from public;

set local role lectern_owner;
