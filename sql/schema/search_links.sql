-- Searching: rpc/search_links.
--
-- The worker parses the query (Sources/Search) and passes the tree beside it, in the setting `request.queries`: an
-- object that maps the text of each query of the request to its tree. All functions belong to lectern_search and name
-- their caller in every statement.

set local role lectern_search;

-- The tree of a query.
create or replace function private.parsed_query(query text) returns jsonb
    language plpgsql stable
    as $$
    declare
        parsed constant jsonb := nullif(current_setting('request.queries', true), '')::jsonb;
    begin
        if parsed ? coalesce(query, '') then
            return parsed -> coalesce(query, '');
        elsif coalesce(query, '') = '' then
            return '{"where": null, "sort": null}';
        end if;
        raise exception 'The query has not been parsed.' using errcode = 'LT400',
            hint = 'Call the function over /rest/v1/rpc/.';
    end
    $$;

-- The words and phrases of a tree that found links may have: those that are not negated.
create or replace function private.positive_terms(node jsonb) returns setof jsonb
    language plpgsql stable
    as $$
    begin
        if node ?| '{word,phrase}' then
            return next node;
        elsif node ?| '{and,or}' then
            for node in select part from jsonb_array_elements(coalesce(node -> 'and', node -> 'or')) as part loop
                return query select * from private.positive_terms(node);
            end loop;
        end if;
    end
    $$;

-- A cursor as text, and back. It holds the query's hash, so that it continues no other query.
create or replace function private.cursor_text(cursor jsonb) returns text
    language sql immutable
    as $$ select translate(encode(convert_to(cursor::text, 'UTF8'), 'base64'), E'+/=\n', '-_') $$;

create or replace function private.parsed_cursor(cursor text, query_hash text) returns jsonb
    language plpgsql immutable
    as $$
    declare
        parsed jsonb;
    begin
        if cursor is null then
            return null;
        end if;
        begin
            cursor := translate(cursor, '-_', '+/');
            parsed := convert_from(decode(cursor || repeat('=', -length(cursor) & 3), 'base64'), 'UTF8')::jsonb;
        exception when others then
            parsed := null;
        end;
        if parsed ->> 'q' is distinct from query_hash then
            raise exception 'The cursor belongs to another query.' using errcode = 'LT400',
                hint = 'Begin again with cursor = null.';
        end if;
        return parsed;
    end
    $$;

-- The page of links in an order that columns decide: ids in order, and the cursor of the next page.
create or replace function private.sorted_page(
    condition text, owner uuid, sort text, max_links integer, since jsonb, out ids uuid[], out next jsonb
)
    language plpgsql stable
    as $$
    declare
        seed constant text := coalesce(since ->> 'seed', md5(random()::text));
        key constant text := case sort
            when 'newest' then 'l.created_at' when 'oldest' then 'l.created_at'
            when 'title' then $c$(lower(coalesce(nullif(ltrim(l.title, '⭐ '), ''), l.raw_url)) collate "und-x-icu")$c$
            when 'longest' then 'coalesce(l.word_count, -1)' when 'shortest' then 'coalesce(l.word_count, 2147483647)'
            else format('md5(l.id::text || %L)', seed) end;
        kind constant text := case when sort in ('newest', 'oldest') then 'timestamptz'
            when sort in ('longest', 'shortest') then 'integer' else 'text' end;
        is_descending constant boolean := sort in ('newest', 'longest');
        keys text[];
    begin
        execute format(
            'select array_agg(page.id), array_agg(key) from (
                select l.id, %1$s::text as key from public.links l
                where l.user_id = %2$L%3$s%4$s
                order by %1$s%5$s, l.id%5$s limit %6$s
            ) as page',
            key, owner, ' and ' || condition,
            case when since ? 'key' then format(' and (%s, l.id) %s (%L::%s, %L::uuid)', key,
                case when is_descending then '<' else '>' end, since ->> 'key', kind, since ->> 'id') end,
            case when is_descending then ' desc' end, max_links + 1)
            into ids, keys;
        if cardinality(ids) > max_links then
            ids := trim_array(ids, 1);
            next := jsonb_build_object('key', keys[max_links], 'id', ids[max_links]);
            if sort = 'random' then
                next := next || jsonb_build_object('seed', seed);
            end if;
        end if;
    end
    $$;

-- The page of links with all terms of a search, newest first.
create or replace function private.newest_page(
    search private.word_search, max_links integer, since jsonb, out ids uuid[], out ranks double precision[],
    out next jsonb
)
    language plpgsql stable
    as $$
    declare
        times timestamptz[];
    begin
        select n.ids, n.times into ids, times from private.newest_hits(
            search, 'any', null, (since ->> 'key')::timestamptz, (since ->> 'id')::uuid, max_links + 1) as n;
        if cardinality(ids) > max_links then
            ids := trim_array(ids, 1);
            next := jsonb_build_object('key', times[max_links], 'id', ids[max_links]);
        end if;
    end
    $$;

-- The words and phrases of a tree, made ready.
create or replace function private.ready_terms(tree jsonb, owner uuid, number integer) returns private.search_term[]
    language plpgsql stable
    as $$
    declare
        node jsonb;
        term private.search_term;
        terms private.search_term[] := '{}';
    begin
        for node in select * from private.positive_terms(tree) loop
            term := private.search_term(node, owner, number);
            if term.keys is not null then
                terms := terms || term;
            end if;
        end loop;
        return terms;
    end
    $$;

-- A page of what a query finds: the ids of links in order with their ranks, the cursor of the next page, and the words
-- of the query. `beside` is a further condition on a link `l`, or null.
create or replace function private.search_page(
    query text, max_links integer, "cursor" text, beside text,
    out ids uuid[], out ranks double precision[], out next text, out terms private.search_term[]
)
    language plpgsql stable
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        parsed constant jsonb := private.parsed_query(search_page.query);
        tree constant jsonb := nullif(parsed -> 'where', 'null');
        query_hash constant text := md5(coalesce(search_page.query, ''));
        since constant jsonb := private.parsed_cursor(search_page."cursor", query_hash);
        has_all boolean;
        sort text;
        found private.word_search;
        page record;
    begin
        ids := '{}';
        ranks := '{}';
        terms := private.ready_terms(tree, owner, number);
        if owner is null or number is null then
            return;
        end if;
        has_all := private.has_all_terms(tree) and cardinality(terms) > 0;
        sort := coalesce(parsed ->> 'sort', case when cardinality(terms) > 0 then 'relevance' else 'newest' end);
        found := private.word_search(terms, owner, number,
            private.both_conditions(beside,
                case when has_all then private.condition_beside_terms(tree, owner, number)
                    else private.found_condition(tree, owner, number) end));
        begin
            if sort = 'relevance' and cardinality(terms) > 0 then
                select * into page from private.relevant_page(found, has_all, max_links, since);
            elsif sort = 'newest' and has_all then
                select * into page from private.newest_page(found, max_links, since);
            else
                select s.ids, null::double precision[] as ranks, s.next into page from private.sorted_page(
                    private.both_conditions(beside, private.found_condition(tree, owner, number)), owner,
                    replace(sort, 'relevance', 'newest'), max_links, since) as s;
            end if;
        exception when invalid_text_representation or datetime_field_overflow or invalid_datetime_format
            or numeric_value_out_of_range
        then
            raise exception 'The cursor is damaged.' using errcode = 'LT400', hint = 'Begin again with cursor = null.';
        end;
        ids := page.ids;
        ranks := page.ranks;
        next := private.cursor_text(page.next || jsonb_build_object('q', query_hash));
    end
    $$;

-- Two conditions, each of which may be null.
create or replace function private.both_conditions(one text, other text) returns text
    language sql immutable
    as $$ select nullif(concat_ws(' and ', one, other), '') $$;

create or replace function public.search_links(query text, "limit" integer default 50, "cursor" text default null)
    returns json
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        max_links constant integer := coalesce(search_links."limit", 50);
        page record;
        snippets text[];
        links json;
    begin
        if max_links not between 1 and 100 then
            raise exception 'limit is %, but must be from 1 to 100', max_links using errcode = 'LT400';
        end if;
        select * into page from private.search_page(search_links.query, max_links, search_links."cursor", null);
        snippets := private.snippets(page.ids, page.terms);
        select json_agg(shown) into links from (
            select l.*,
                coalesce((
                    select json_agg(t.name order by lower(t.name)) from public.link_tags lt
                    join public.tags t on t.id = lt.tag_id where lt.link_id = l.id), '[]') as tags,
                snippets[place] as snippet,
                coalesce(page.ranks[place], 0) as rank
            from unnest(page.ids) with ordinality as wanted (id, place)
            join public.links l on l.id = wanted.id and l.user_id = owner
            order by place
        ) as shown;
        return json_build_object('links', coalesce(links, '[]'), 'next', page.next);
    end
    $$;

-- The condition of a tree. A query that asks only for signs finds nothing.
create or replace function private.found_condition(tree jsonb, owner uuid, number integer, link uuid default null)
    returns text
    language plpgsql stable
    as $$
    begin
        return case when tree is not null
            then coalesce(private.search_condition(tree, owner, number, '{}', link), 'false') end;
    end
    $$;

-- Whether every link that a tree finds has all of its words and phrases: they stand side by side, not in alternatives.
create or replace function private.has_all_terms(tree jsonb) returns boolean
    language plpgsql immutable
    as $$
    begin
        return tree ?| '{word,phrase}'
            or tree ? 'and' and not exists (
                select from jsonb_array_elements(tree -> 'and') as part
                where part ? 'or' and exists (select from private.positive_terms(part)));
    end
    $$;

-- The condition of such a tree without its words and phrases.
create or replace function private.condition_beside_terms(tree jsonb, owner uuid, number integer) returns text
    language plpgsql stable
    as $$
    begin
        return (
            select string_agg(private.search_condition(part, owner, number), ' and ')
            from jsonb_array_elements(case when tree ? 'and' then tree -> 'and' else '[]' end) as part
            where not part ?| '{word,phrase}');
    end
    $$;

revoke execute on function private.parsed_query(text), private.positive_terms(jsonb), private.cursor_text(jsonb),
    private.parsed_cursor(text, text), private.sorted_page(text, uuid, text, integer, jsonb),
    private.ready_terms(jsonb, uuid, integer), private.found_condition(jsonb, uuid, integer, uuid),
    private.has_all_terms(jsonb),
    private.condition_beside_terms(jsonb, uuid, integer),
    private.newest_page(private.word_search, integer, jsonb), private.both_conditions(text, text),
    private.search_page(text, integer, text, text), public.search_links(text, integer, text)
    from public;
grant execute on function public.search_links(text, integer, text) to authenticated, service_role;

comment on function public.search_links(text, integer, text) is
    'Searches the links. Returns {"links": […], "next": …}: each link with its columns, its tags, a snippet and a '
    'rank. Pass next as cursor to get the next page.';

set local role lectern_owner;
