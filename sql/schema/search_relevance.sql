-- The order of search results by relevance. All functions belong to lectern_search.

set local role lectern_search;

-- How much a part counts in the rank of a link.
create or replace function private.part_weight(part smallint) returns double precision
    language sql immutable
    as $$ select case part when 0 then 8 when 1 then 2 when 2 then 6 when 3 then 6 else 1 end::double precision $$;

-- A select of the links with any of these terms: link_id, the sum of the weights of the best part for each term, and
-- when the link was saved. With `has_all`, only links with all terms.
create or replace function private.hits_select(
    terms private.search_term[], owner uuid, number integer, has_all boolean
) returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        select case when cardinality(terms) = 1 then min(of_term)
            else 'select link_id, sum(weight) as weight, max(saved_at) as saved_at from ('
                || string_agg(of_term, ' union all ') || ') as terms group by link_id'
                || case when has_all then format(' having count(*) = %s', cardinality(terms)) else '' end
            end
        from (
            select 'select link_id, max(weight) as weight, max(saved_at) as saved_at from ('
                || private.part_selects(term, number,
                    'p.link_id, private.part_weight(p.part) as weight, p.saved_at')
                || coalesce(
                    ' union all select tagged.link_id, 7, p.saved_at from (' || private.tag_select(term, owner)
                        || ') as tagged join private.search_parts p on p.link_id = tagged.link_id and p.part = 1', '')
                || ') as parts group by link_id' as of_term
            from unnest(terms) as term
        ) as selects
    $$;

-- How close the terms of a query stand in the title or at the start of the article: 0.9 side by side, and less if two
-- of them stand within 60 or 200 characters.
create or replace function private.closeness(link uuid, patterns text[], plain_patterns text[])
    returns double precision
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_length constant integer := 2000;
        start constant text := (
            select concat_ws(E'\x1f', l.title, l.description, left(a.text_content, max_length))
            from public.links l left join public.articles a on a.link_id = l.id where l.id = link);
        pairs text;
    begin
        if private.is_plain(start) then
            patterns := plain_patterns;
        end if;
        -- The pattern of two neighbours with up to so many characters between them.
        pairs := (
            select string_agg(patterns[i] || '.{0,%1$s}' || patterns[i + 1] || '|'
                || patterns[i + 1] || '.{0,%1$s}' || patterns[i], '|')
            from generate_series(1, cardinality(patterns) - 1) as i);
        return case when start ~* array_to_string(patterns, '[^[:alnum:]]*') then 0.9
            when start ~* replace(pairs, '%1$s', '60') then 0.4
            when start ~* replace(pairs, '%1$s', '200') then 0.2
            else 0 end;
    end
    $$;

-- The select of the parts and tags that may hold the words of a term, without the check that they do: link_id, part
-- (null for a tag), weight, saved_at.
create or replace function private.candidates_select(term private.search_term, owner uuid, number integer) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        term.is_rechecked := false;
        return private.part_selects(term, number,
                'p.link_id, p.part, private.part_weight(p.part) as weight, p.saved_at')
            || coalesce(
                ' union all select tagged.link_id, null, 7, p.saved_at from (' || private.tag_select(term, owner)
                    || ') as tagged join private.search_parts p on p.link_id = tagged.link_id and p.part = 1', '');
    end
    $$;

-- The first links among ranked candidates that hold the words of a term. `ranked` is a select of id, part, weight and
-- rank in order. The texts of as few candidates as possible are read.
create or replace function private.first_holders(
    ranked text, term private.search_term, max_links integer, out ids uuid[], out ranks double precision[]
)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        hit record;
    begin
        for hit in execute ranked loop
            continue when hit.id = any (ids);
            if hit.part is null or private.holds_words(private.part_text(hit.id, hit.part), term.words) then
                -- A part that counts more has shown the link already.
                continue when term.field is null and (
                    exists (
                        select from private.search_parts better
                        where better.link_id = hit.id and private.part_weight(better.part) > hit.weight
                            and private.holds_words(private.part_text(better.link_id, better.part), term.words))
                    or hit.weight < 7 and exists (
                        select from public.link_tags lt join private.search_tags t on t.tag_id = lt.tag_id
                        where lt.link_id = hit.id and strpos(t.words, term.words) > 0));
                ids := ids || hit.id;
                ranks := ranks || hit.rank;
                exit when cardinality(ids) = max_links;
            end if;
        end loop;
    end
    $$;

-- The page of links by relevance. The rank is the weight of the parts in which the terms were found, a tenth for each
-- year by which a link is newer, and up to 0.9 for the closeness of several words.
--
-- Closeness needs the text, so only links that follow each other by the rest of the rank are ordered by it: windows of
-- 50. A cursor names the window and the place in it. `hits` is a select of id, weight and saved_at; with `is_checked`
-- false of candidates, whose text is still to be checked, with their part.
create or replace function private.relevant_page(
    hits text, is_checked boolean, terms private.search_term[], max_links integer, since jsonb, out ids uuid[],
    out ranks double precision[], out next jsonb
)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        window_size constant integer := 50;
        patterns constant text[] := array(select term.pattern from unnest(terms) as term where term.field is null);
        plain_patterns constant text[] := array(
            select private.term_pattern(term, false, true) from unnest(terms) as term where term.field is null);
        -- The key before the window, its last key, and the last link that was shown of it.
        start jsonb := nullif(since -> 'start', 'null');
        last_of_window jsonb := since -> 'end';
        shown jsonb := since -> 'shown';
        found_ids uuid[];
        found_ranks double precision[];
        final double precision[];
        link record;
        ranked text;
        max_found integer;
        is_full boolean;
    begin
        ids := '{}';
        ranks := '{}';
        loop
            ranked := format(
                'select * from (
                    select l.*, coalesce(l.weight, 0) / %1$s + extract(epoch from l.saved_at)::double precision
                        / 315576000 as rank
                    from (%2$s) as l
                ) as ranked
                where true%3$s%4$s
                order by rank desc, id desc',
                greatest(cardinality(terms), 1), hits,
                case when start is not null
                    then format(' and (rank, id) < (%L::double precision, %L::uuid)', start ->> 0, start ->> 1) end,
                case when last_of_window is not null then format(' and (rank, id) >= (%L::double precision, %L::uuid)',
                    last_of_window ->> 0, last_of_window ->> 1) end);
            max_found := case when last_of_window is null then window_size + 1 end;
            if is_checked then
                execute format(
                    'select array_agg(id order by rank desc, id desc), array_agg(rank order by rank desc, id desc)
                        from (%s limit %s) as page',
                    ranked, coalesce(max_found::text, 'all')) into found_ids, found_ranks;
            else
                select holders.ids, holders.ranks into found_ids, found_ranks
                    from private.first_holders(ranked, terms[1], max_found) as holders;
            end if;
            exit when found_ids is null and last_of_window is null;
            -- One link more tells whether another window follows. A window with an end had one behind it.
            is_full := last_of_window is not null or cardinality(found_ids) > window_size;
            if last_of_window is null and is_full then
                found_ids := trim_array(found_ids, 1);
                found_ranks := trim_array(found_ranks, 1);
            end if;
            final := case when cardinality(patterns) < 2 then found_ranks else array(
                select rank + private.closeness(id, patterns, plain_patterns)
                from unnest(found_ids, found_ranks) with ordinality as found (id, rank, place) order by place) end;
            if last_of_window is null then
                last_of_window := jsonb_build_array(found_ranks[cardinality(found_ids)],
                    found_ids[cardinality(found_ids)]);
            end if;
            for link in
                select id, rank from unnest(found_ids, final) as found (id, rank)
                where shown is null
                    or (rank, id) < ((shown ->> 0)::double precision, (shown ->> 1)::uuid)
                order by rank desc, id desc
            loop
                if cardinality(ids) = max_links then
                    next := jsonb_build_object('start', start, 'end', last_of_window, 'shown',
                        jsonb_build_array(ranks[max_links], ids[max_links]));
                    return;
                end if;
                ids := ids || link.id;
                ranks := ranks || link.rank;
            end loop;
            exit when not is_full;
            start := last_of_window;
            last_of_window := null;
            shown := null;
            if cardinality(ids) = max_links then
                next := jsonb_build_object('start', start);
                return;
            end if;
        end loop;
    end
    $$;

revoke execute on function private.part_weight(smallint),
    private.hits_select(private.search_term[], uuid, integer, boolean), private.closeness(uuid, text[], text[]),
    private.candidates_select(private.search_term, uuid, integer),
    private.first_holders(text, private.search_term, integer),
    private.relevant_page(text, boolean, private.search_term[], integer, jsonb)
    from public;

set local role lectern_owner;
