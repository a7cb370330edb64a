-- The order of what a search finds by relevance. All functions belong to lectern_search.

set local role lectern_search;

-- Whether a search finds more links than can be ranked one by one, by the keys alone. Looks at the newest ones first,
-- because reading all hits of a frequent word takes long.
create or replace function private.is_frequent(search private.word_search) returns boolean
    language plpgsql stable
    as $$
    declare
        -- Checking a text takes ten times as long as finding a key.
        max_ranked constant integer := case when private.text_condition(search.terms) is null then 1000 else 100 end;
        sample constant integer := 500;
        newest constant timestamptz := private.newest_time(search.number);
        since constant timestamptz := private.range_start(search.number, newest, sample);
        restricted constant text := ') as h'
            || coalesce(' join public.links l on l.id = h.link_id and ' || search.condition, '');
        counted integer;
    begin
        if since is not null then
            execute 'select count(*) from (select from ('
                || private.hits_select(search, private.days_condition(search.number, since, newest)) || restricted
                || format(' limit %s) as hits', sample / 10) into counted;
            if counted = sample / 10 then
                return true;
            end if;
        end if;
        execute 'select count(*) from (select from (' || private.hits_select(search) || restricted
            || format(' limit %s) as hits', max_ranked + 1) into counted;
        return counted > max_ranked;
    end
    $$;

-- How much a term counts by where a link `h` has it, as an expression: in its title 8, in a tag 7, in a note or a
-- highlight 6, elsewhere 1. With `has_all`, the link has it.
create or replace function private.weight_of_term(term private.search_term, has_all boolean) returns text
    language plpgsql stable
    as $$
    begin
        return 'case'
            || case when term.field is distinct from 'note'
                then ' when ' || private.texts_condition('h.link_id', term, '{title}') || ' then 8' else '' end
            || coalesce(' when ' || private.tags_condition('h.link_id', term) || ' then 7', '')
            || case when term.field is distinct from 'title' then ' when ' || private.texts_condition('h.link_id', term,
                    case term.field when 'note' then '{note}' else '{note,quote}' end::text[]) || ' then 6' else '' end
            || case when not has_all then ' when not ' || private.holds_condition('h.link_id', term) || ' then 0'
                else '' end
            || ' else 1 end';
    end
    $$;

-- The select of hits with the mean weight of their terms: link_id, saved_at and weight. `hits` is a select of links;
-- with `has_all`, they have all of the terms.
create or replace function private.weighted_select(hits text, search private.word_search, has_all boolean) returns text
    language plpgsql stable
    as $$
    declare
        selects text;
        checked text;
        term private.search_term;
    begin
        for i in 1..cardinality(search.terms) loop
            term := search.terms[i];
            if term.is_rechecked then
                checked := concat_ws(' + ', checked, private.weight_of_term(term, has_all));
            else
                selects := concat_ws(' union all ', selects, (
                    select string_agg(
                        format('select %s as term, p.link_id, %s as weight from ', i, weight)
                            || private.parts_with_keys(keys, search.number),
                        ' union all ')
                    from unnest(term.field_keys, case term.field when 'note' then '{6}' else '{8,6,6}' end::integer[])
                        as fields (keys, weight)
                    where keys is not null),
                    'select ' || i || ', link_id, 7 from public.link_tags where tag_id = any ('
                        || quote_literal(term.tags) || ')');
            end if;
        end loop;
        return format(
            'select h.link_id, h.saved_at, (%s%s%s)::double precision / %s as weight from (%s) as h%s',
            case when has_all then (select count(*) from unnest(search.terms) as t where not t.is_rechecked) else 0 end,
            ' + ' || checked,
            case when selects is not null then ' + coalesce(w.weight, 0)' else '' end,
            cardinality(search.terms), hits,
            ' left join (select link_id, sum(weight - 1) as weight from (
                select link_id, term, max(weight) as weight from (' || selects || ') as found group by link_id, term
            ) as terms group by link_id) as w on w.link_id = h.link_id');
    end
    $$;

-- How close the terms of a query stand in a text: 0.9 side by side, and less if two of them stand within 60 or 200
-- characters.
create or replace function private.closeness(value text, patterns private.closeness_patterns) returns double precision
    language plpgsql immutable
    as $$
    declare
        distance integer;
    begin
        for i in 1..cardinality(patterns.words) - 1 loop
            distance := least(distance,
                private.distance_of_words(value, patterns.words[i], patterns.words[i + 1]));
            exit when distance <= 60;
        end loop;
        return case
            when distance >= 0 and value ~* patterns.adjacent then 0.9
            when distance <= 60 then 0.4
            when distance <= 200 then 0.2
            else 0
            end;
    end
    $$;

-- The number of characters between the closest matches of two patterns, or one that is at most 60; null if one does not
-- match. Each match is replaced by a sign first: a pattern that counts the characters takes several times as long.
create or replace function private.distance_of_words(value text, word text, other text) returns integer
    language plpgsql immutable
    as $$
    declare
        parts text[];
        result integer;
    begin
        value := regexp_replace(value, word, E'\x02', 'gi');
        if strpos(value, E'\x02') = 0 then
            return null;
        end if;
        value := regexp_replace(value, other, E'\x03', 'gi');
        if strpos(value, E'\x03') = 0 then
            return null;
        end if;
        parts := string_to_array(value, E'\x02');
        for i in 1..cardinality(parts) loop
            if i > 1 then
                result := least(result, nullif(strpos(parts[i], E'\x03'), 0) - 1);
            end if;
            if i < cardinality(parts) then
                result := least(result, nullif(strpos(reverse(parts[i]), E'\x03'), 0) - 1);
            end if;
            exit when result <= 60;
        end loop;
        return result;
    end
    $$;

-- The patterns of these terms; null for fewer than two that may stand anywhere.
create or replace function private.patterns_of_closeness(terms private.search_term[])
    returns private.closeness_patterns
    language plpgsql stable
    as $$
    declare
        term private.search_term;
        result private.closeness_patterns;
    begin
        foreach term in array terms loop
            if term.field is null then
                result.words := result.words || private.term_pattern(term, false);
            end if;
        end loop;
        result.adjacent := array_to_string(result.words, '[^[:alnum:]]*');
        return case when cardinality(result.words) > 1 then result end;
    end
    $$;

-- What a link's rank gains by its age: a tenth for each year by which it is newer. PostgreSQL puts the body in place of
-- the call because it is as stable as `extract`.
create or replace function private.rank_of_time(saved_at timestamptz) returns double precision
    language sql stable
    as $$ select extract(epoch from saved_at)::double precision / 315576000 $$;

-- The links of a search by words, ranked one by one: ids and ranks in order, between two places.
create or replace function private.ranked_hits(
    hits text, search private.word_search, has_all boolean, after jsonb, until jsonb, max_links integer,
    out ids uuid[], out ranks double precision[]
)
    language plpgsql stable
    as $$
    begin
        execute format(
            'select array_agg(link_id order by rank desc, link_id desc),
                array_agg(rank order by rank desc, link_id desc)
            from (
                select link_id, rank from (
                    select link_id, weight + private.rank_of_time(saved_at) as rank from (%s) as weighted
                ) as ranked
                where true%s%s order by rank desc, link_id desc limit %s
            ) as page',
            private.weighted_select(hits, search, has_all),
            case when after is not null
                then format(' and (rank, link_id) < (%L::double precision, %L::uuid)', after ->> 0, after ->> 1) end,
            case when until is not null
                then format(' and (rank, link_id) >= (%L::double precision, %L::uuid)', until ->> 0, until ->> 1) end,
            max_links)
            into ids, ranks;
    end
    $$;

-- A window of the order by relevance, before closeness: ids, ranks, and the keys by which the window goes on. It begins
-- after a key and ends with another, or after `max_links`. `prominent` are the links that have all terms in title, tags,
-- notes and highlights, if they are known.
create or replace function private.window_of_hits(
    search private.word_search, has_all boolean, mode text, place text, prominent uuid[], after jsonb, until jsonb,
    max_links integer, out ids uuid[], out ranks double precision[], out keys text[]
)
    language plpgsql stable
    as $$
    declare
        times timestamptz[];
    begin
        if mode = 'ranked' then
            select r.ids, r.ranks, r.ranks::text[] into ids, ranks, keys from private.ranked_hits(
                case when has_all then 'select h.* from (' || private.hits_select(search)
                    || ') as h'
                    || coalesce(' join public.links l on l.id = h.link_id and ' || search.condition, '')
                    || coalesce(' where ' || private.text_condition(search.terms), '')
                else format('select l.id as link_id, l.created_at as saved_at from public.links l
                    where l.user_id = %L and ', search.owner) || search.condition end,
                search, has_all, after, until, max_links) as r;
            return;
        end if;
        select n.ids, n.times into ids, times from private.newest_hits(
            search, place::private.search_field, prominent, (after ->> 0)::timestamptz, (after ->> 1)::uuid,
            max_links) as n;
        select array_agg(id), array_agg(
                case place when 'prominent' then 8 else 1 end + private.rank_of_time(saved_at)),
                array_agg(saved_at::text)
            into ids, ranks, keys
            from unnest(ids, times) as hits (id, saved_at)
            where until is null or (saved_at, id) >= ((until ->> 0)::timestamptz, (until ->> 1)::uuid);
    end
    $$;

-- The page of links by relevance. The rank is the mean weight of the terms by where they were found, a tenth for each
-- year by which a link is newer, and up to 0.9 for the closeness of several words.
--
-- Of a search that finds too many links to be ranked one by one, links with all terms in title, tags, notes and
-- highlights come first, and the newest ones first among them and among the others.
--
-- Closeness needs the text, so only links that follow each other by the rest of the rank are ordered by it: windows of
-- 50. A cursor names the window and the place in it.
create or replace function private.relevant_page(
    search private.word_search, has_all boolean, max_links integer, since jsonb, out ids uuid[],
    out ranks double precision[], out next jsonb
)
    language plpgsql stable
    as $$
    declare
        window_size constant integer := 50;
        patterns constant private.closeness_patterns := private.patterns_of_closeness(search.terms);
        mode constant text := coalesce(since ->> 'mode',
            case when not has_all or not private.is_frequent(search) then 'ranked' else 'newest' end);
        place text := coalesce(since ->> 'place', 'prominent');
        -- The key before the window, its last key, and the last link that was shown of it.
        start jsonb := nullif(since -> 'start', 'null');
        last_of_window jsonb := since -> 'end';
        shown jsonb := since -> 'shown';
        prominent uuid[];
        found record;
        link record;
        is_full boolean;
    begin
        ids := '{}';
        ranks := '{}';
        loop
            -- One link more tells whether another window follows. A window with an end had one behind it.
            select * into found from private.window_of_hits(
                search, has_all, mode, place, prominent, start, last_of_window,
                window_size * case when last_of_window is null then 1 else 5 end + 1);
            is_full := last_of_window is not null or cardinality(found.ids) > window_size;
            if last_of_window is null and is_full then
                found.ids := trim_array(found.ids, 1);
            end if;
            if last_of_window is null and found.ids <> '{}' then
                last_of_window := jsonb_build_array(found.keys[cardinality(found.ids)],
                    found.ids[cardinality(found.ids)]);
            end if;
            for link in
                select hits.id, hits.rank
                        + case when texts.value is null then 0 else private.closeness(texts.value, patterns) end as rank
                from unnest(found.ids, found.ranks) as hits (id, rank)
                    left join lateral (
                        -- The title, and the start of the article.
                        select concat_ws(E'\x1f', l.title, l.description, substr(a.text_content, 1, 2000)) as value
                        from public.links l left join public.articles a on a.link_id = l.id
                        where l.id = hits.id and patterns is not null
                    ) as texts on true
                where hits.id is not null
                order by 2 desc, id desc
            loop
                continue when shown is not null
                    and (link.rank, link.id) >= ((shown ->> 0)::double precision, (shown ->> 1)::uuid);
                if cardinality(ids) = max_links then
                    next := jsonb_build_object('mode', mode, 'place', place, 'start', start, 'end', last_of_window,
                        'shown', jsonb_build_array(ranks[max_links], ids[max_links]));
                    return;
                end if;
                ids := ids || link.id;
                ranks := ranks || link.rank;
            end loop;
            if is_full then
                start := last_of_window;
            elsif mode = 'newest' and place = 'prominent' then
                place := 'remaining';
                if start is null then
                    prominent := coalesce(found.ids, '{}');
                end if;
                start := null;
            else
                return;
            end if;
            last_of_window := null;
            shown := null;
            if cardinality(ids) = max_links then
                next := jsonb_build_object('mode', mode, 'place', place, 'start', start);
                return;
            end if;
        end loop;
    end
    $$;

revoke execute on function private.is_frequent(private.word_search),
    private.weight_of_term(private.search_term, boolean),
    private.weighted_select(text, private.word_search, boolean),
    private.closeness(text, private.closeness_patterns), private.distance_of_words(text, text, text),
    private.patterns_of_closeness(private.search_term[]),
    private.rank_of_time(timestamptz),
    private.ranked_hits(text, private.word_search, boolean, jsonb, jsonb, integer),
    private.window_of_hits(private.word_search, boolean, text, text, uuid[], jsonb, jsonb, integer),
    private.relevant_page(private.word_search, boolean, integer, jsonb)
    from public;

set local role lectern_owner;
