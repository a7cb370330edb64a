-- Conditions of a search: the tree of a query (Sources/Search) becomes SQL. Texts of the query enter SQL only as
-- literals that format() quotes. All functions belong to lectern_search.
--
-- Every condition names the user, and every key of the index begins with the number of the user.

grant select on public.broken_links to lectern_search;
grant execute on function auth.uid(), auth.jwt() to lectern_search;

set local role lectern_search;

-- A word or phrase of a query, made ready: the condition on a part's keys; the folded text that a part must contain
-- where the keys do not suffice; where to look; the word whose stem is looked for; and, once private.with_patterns has
-- added them, the patterns for snippets.
do $$
begin
    if to_regtype('private.search_term') is null then
        create type private.search_term as (keys text, words text, is_rechecked boolean, field text, stemmed text,
            pattern text, wide_pattern text);
    end if;
end
$$;

-- The term of a node `word` or `phrase`; null if it has no letter or digit, and so asks for nothing.
create or replace function private.search_term(node jsonb, number integer) returns private.search_term
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        spelled constant text[] := array_remove(
            private.split_words(coalesce(node ->> 'word', node ->> 'phrase')), E'\x1f');
        n constant integer := coalesce(cardinality(spelled), 0);
        is_prefix constant boolean := coalesce((node -> 'prefix')::boolean, false);
        folded text[];
        key text;
        keys text[] := '{}';
        term private.search_term;
    begin
        if n = 0 then
            return null;
        end if;
        folded := string_to_array(private.fold_words(array_to_string(spelled, ' ')), ' ');
        for i in 1..n loop
            if private.is_run(folded[i]) then
                if length(folded[i]) = 1 then
                    keys := keys || format('''%s:%s'':*', number, folded[i]);
                else
                    for key in select distinct substr(folded[i], j, 2)
                            from generate_series(1, length(folded[i]) - 1) as j loop
                        keys := keys || format('''%s:%s''', number, key);
                    end loop;
                end if;
            elsif i = n and is_prefix then
                keys := keys || format('''%s:%s'':*', number, left(folded[i], 200));
            elsif n > 1 or node ? 'phrase' then
                keys := keys || format('''%s:%s''', number, left(folded[i], 200));
            else
                -- A single word is also found by its stem in the language of the article.
                term.stemmed := left(spelled[1], 200);
                keys := keys || ('(' || concat_ws(' | ', format('''%s:%s''', number, left(folded[1], 200)), (
                    select string_agg(format('''%s/%s:%s''', number, lang, private.fold_words(stem)), ' | ')
                    from unnest(private.stemmed_languages()) as lang, private.spelled_stem(lang, term.stemmed) as stem
                    where stem <> '')) || ')');
            end if;
        end loop;
        term.keys := array_to_string(keys, ' & ');
        term.words := case when private.is_run(folded[1]) then '' else ' ' end || array_to_string(folded, ' ')
            || case when is_prefix or private.is_run(folded[n]) then '' else ' ' end;
        term.is_rechecked := n > 1 or length(folded[1]) > case when private.is_run(folded[1]) then 2 else 200 end;
        term.field := node ->> 'field';
        return term;
    end
    $$;

-- The selects, joined by `union all`, of the rows `p` of parts that hold a term. `columns` may occur more than once for
-- a part. The keys name the owner, so the index alone restricts the rows to one user.
--
-- The key of a stem is left out where it is the same as that of the word. So a stem is also looked for as a word, in
-- the languages in which the word is its own stem.
create or replace function private.part_selects(term private.search_term, number integer, columns text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        remainder constant text := concat_ws(' and ', format('p.owner = %s', number),
            case term.field when 'title' then 'p.part = 0' when 'note' then 'p.part = 2' end,
            case when term.is_rechecked
                then format('private.holds_words(private.part_text(p.link_id, p.part), %L)', term.words)
            end);
        pattern constant text := 'select %s from private.search_parts p where '
            'private.part_keys(p.link_id, p.part, p.owner, p.lang, p.version) @@ %L::tsquery and %s';
        result text := format(pattern, columns, term.keys, remainder);
        same record;
    begin
        if term.stemmed is not null then
            for same in
                select private.fold_words(stem) as word, array_agg(lang) as langs
                from unnest(private.stemmed_languages()) as lang, private.spelled_stem(lang, term.stemmed) as stem
                where stem <> '' and private.fold_words(stem) <> btrim(term.words)
                    and private.spelled_stem(lang, stem) = stem
                group by private.fold_words(stem)
            loop
                result := result || ' union all ' || format(pattern, columns, format('''%s:%s''', number, same.word),
                    remainder || format(' and p.lang = any (%L)', same.langs));
            end loop;
        end if;
        return result;
    end
    $$;

-- The select of the links whose tags hold a term, with a row for each tag; null for a term that looks elsewhere.
create or replace function private.tag_select(term private.search_term, owner uuid) returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        select case when (term).field is null then format(
            'select lt.link_id from private.search_tags t join public.link_tags lt on lt.tag_id = t.tag_id '
            'where t.user_id = %L and strpos(t.words, %L) > 0', owner, (term).words) end
    $$;

-- The ids of the collections of this name or id, and of those nested in them.
create or replace function private.collections_named(owner uuid, name text) returns setof uuid
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        with recursive found as (
            select id from public.collections
            where user_id = owner and (lower(collections.name) = lower(collections_named.name)
                or id::text = lower(collections_named.name))
            union
            select c.id from public.collections c join found on c.parent_id = found.id where c.user_id = owner
        )
        select id from found
    $$;

-- The condition on a link `l` that a node of the tree stands for; null if it asks for nothing. `within` are the
-- collections whose queries contain the node, which it cannot contain again.
create or replace function private.search_condition(
    node jsonb, owner uuid, number integer, within uuid[] default '{}'
) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        value text;
        compared text;
        term private.search_term;
        parts text[];
    begin
        if node ?| '{and,or}' then
            select array_remove(array_agg(private.search_condition(part, owner, number, within)), null) into parts
                from jsonb_array_elements(coalesce(node -> 'and', node -> 'or')) as part;
            return '(' || nullif(array_to_string(parts, case when node ? 'and' then ' and ' else ' or ' end), '')
                || ')';
        elsif node ? 'not' then
            -- Also for an unknown value, so that x and -x find every link together.
            return '(' || private.search_condition(node -> 'not', owner, number, within) || ' is not true)';
        elsif node ?| '{word,phrase}' then
            term := private.search_term(node, number);
            if term is null or (term).keys is null then
                return null;
            end if;
            return 'l.id in (' || concat_ws(' union all ', private.part_selects(term, number, 'p.link_id'),
                private.tag_select(term, owner)) || ')';
        elsif node ? 'url' then
            value := lower(node ->> 'url');
            return format('(strpos(lower(l.raw_url), %1$L) > 0 or strpos(lower(l.resolved_url), %1$L) > 0)', value);
        elsif node ? 'is' and not node ?| '{age,minutes}' then
            return case node ->> 'is'
                when 'unread' then $c$l.status = 'unread'$c$
                when 'read' then $c$l.status = 'read'$c$
                when 'archived' then $c$l.list = 'archive'$c$
                when 'starred' then 'l.is_starred'
                when 'failed' then $c$l.state = 'failed'$c$
                when 'pending' then $c$l.state = 'pending'$c$
                when 'highlighted' then format(
                    'l.id in (select h.link_id from public.highlights h where h.user_id = %L)', owner)
                when 'noted' then format(
                    $c$l.id in (select n.link_id from public.notes n where n.user_id = %L and n.body <> '')$c$, owner)
                when 'untagged' then 'not exists (select from public.link_tags lt where lt.link_id = l.id)'
                when 'broken' then format(
                    'l.id in (select b.link_id from public.broken_links b where b.user_id = %L)', owner)
                end;
        elsif node ? 'tag' then
            return format(
                'l.id in (select lt.link_id from public.tags t join public.link_tags lt on lt.tag_id = t.id '
                'where t.user_id = %L and lower(t.name) = lower(%L))', owner, node ->> 'tag');
        elsif node ? 'in' then
            return private.collection_condition(node ->> 'in', owner, number, within);
        elsif node ? 'site' then
            value := coalesce(rest.canonical_host(node ->> 'site'), node ->> 'site');
            return format('(l.domain = %L or right(l.domain, %s) = %L)', value, length(value) + 1, '.' || value);
        elsif node ? 'before' then
            return format('l.created_at < %L::timestamptz', (node ->> 'before') || ' UTC');
        elsif node ? 'after' then
            return format('l.created_at >= %L::timestamptz', (node ->> 'after') || ' UTC');
        elsif node ? 'age' then
            -- An older link has an earlier time.
            compared := translate(node ->> 'is', '<>', '><');
            return format('l.created_at %s now() - %L::interval', compared, node ->> 'age');
        elsif node ? 'kind' then
            return private.kind_condition(node ->> 'kind');
        elsif node ? 'lang' then
            value := node ->> 'lang';
            return format($c$(lower(replace(l.lang, '_', '-')) || '-') ^@ %L$c$, value || '-');
        elsif node ? 'minutes' then
            return format('l.reading_time %s %s', node ->> 'is', (node ->> 'minutes')::integer);
        end if;
        raise exception 'The query holds an unknown term.' using errcode = 'LT400';
    end
    $$;

-- The condition for a collection and what is nested in it: links that were put there, and those that the query of a
-- collection finds.
create or replace function private.collection_condition(name text, owner uuid, number integer, within uuid[])
    returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        ids constant uuid[] := array(select private.collections_named(owner, name));
        result text := format(
            'l.id in (select cl.link_id from public.collection_links cl where cl.user_id = %L '
            'and cl.collection_id = any (%L))', owner, ids);
        smart record;
    begin
        for smart in
            select collection_id, nullif(tree -> 'where', 'null') as condition from private.collection_trees
            where user_id = owner and collection_id = any (ids) and collection_id <> all (within)
            order by collection_id
        loop
            result := result || ' or '
                || case when smart.condition is null then 'true'
                    else coalesce(
                        private.search_condition(smart.condition, owner, number, within || smart.collection_id),
                        'false') end;
            if length(result) > 200000 then
                raise exception 'The queries of the collections contain each other too often.' using errcode = 'LT400';
            end if;
        end loop;
        return '(' || result || ')';
    end
    $$;

revoke execute on function private.search_term(jsonb, integer),
    private.part_selects(private.search_term, integer, text),
    private.tag_select(private.search_term, uuid), private.collections_named(uuid, text),
    private.search_condition(jsonb, uuid, integer, uuid[]),
    private.collection_condition(text, uuid, integer, uuid[])
    from public;

set local role lectern_owner;
