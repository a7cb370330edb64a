-- Conditions of a search: the tree of a query (Sources/Search) becomes SQL. Texts of the query enter SQL only as
-- literals that format() quotes. All functions belong to lectern_search.
--
-- Every condition names the user, and every key of the index begins with the number of the user.

grant select on public.broken_links to lectern_search;
grant execute on function auth.uid(), auth.jwt() to lectern_search;

set local role lectern_search;

-- The stems of a word in these languages, folded, and whether each is its own stem.
create or replace function private.stems_of_word(
    spelled text, langs text[], out lang text, out stem text, out is_own_stem boolean
) returns setof record
    language plpgsql stable
    as $$
    declare
        stemmer regdictionary;
    begin
        foreach lang in array coalesce(langs, '{}') loop
            stemmer := 'private.stem_' || lang;
            stem := (ts_lexize(stemmer, spelled))[1];
            continue when coalesce(stem, '') = '';
            is_own_stem := (ts_lexize(stemmer, stem))[1] = stem;
            stem := private.fold_words(stem);
            return next;
        end loop;
    end
    $$;

-- The condition on the keys of a part for these words and runs, which are folded and stand side by side. U+0001 stands
-- for the start of each key. A single word is also found by its stem in the language of the article; `stems` are its
-- stems, each with its language and a colon before it.
--
-- The key of a stem is left out where it is the same as that of the word. So a stem is also looked for as a word, in
-- the languages in which the word is its own stem.
create or replace function private.words_condition(
    folded text[], is_prefix boolean, stems text[], own_stems text[], number integer
) returns text
    language plpgsql stable
    as $$
    declare
        n constant integer := cardinality(folded);
        keys text[] := '{}';
    begin
        for i in 1..n loop
            if private.is_run(folded[i]) then
                keys := keys || case when length(folded[i]) = 1 then array[format(E'\'\x01:%s\':*', folded[i])]
                    else array(
                        select distinct format(E'\'\x01:%s\'', substr(folded[i], j, 2))
                        from generate_series(1, length(folded[i]) - 1) as j) end;
            elsif i = n and is_prefix then
                keys := keys || format(E'\'\x01:%s\':*', left(folded[i], 200));
            else
                keys := keys || ('(' || concat_ws(' | ', format(E'\'\x01:%s\'', left(folded[i], 200)),
                    (select string_agg(format(E'\'\x01/%s\'', stem), ' | ') from unnest(stems) as stem),
                    (select string_agg(
                            format(E'\'\x01:%s\' & \'%s$%s\'', split_part(stem, ':', 2), number,
                                split_part(stem, ':', 1)),
                            ' | ')
                        from unnest(own_stems) as stem where split_part(stem, ':', 2) <> folded[1])) || ')');
            end if;
        end loop;
        return array_to_string(keys, ' & ');
    end
    $$;

-- The term of a node `word` or `phrase`; null if it has no letter or digit, and so asks for nothing.
create or replace function private.search_term(node jsonb, owner uuid, number integer) returns private.search_term
    language plpgsql stable
    as $$
    declare
        spelled constant text[] := array_remove(
            private.split_words(coalesce(node ->> 'word', node ->> 'phrase')), E'\x1f');
        n constant integer := coalesce(cardinality(spelled), 0);
        is_prefix constant boolean := coalesce((node -> 'prefix')::boolean, false);
        folded text[];
        condition text;
        own_stems text[];
        term private.search_term;
    begin
        if n = 0 then
            return null;
        end if;
        folded := private.fold_all(spelled);
        if n = 1 and not node ? 'phrase' and not is_prefix and not private.is_run(folded[1]) then
            term.stemmed := left(folded[1], 200);
            select array_agg(lang || ':' || stem), array_agg(lang || ':' || stem) filter (where is_own_stem)
                into term.stems, own_stems from private.stems_of_word(
                    left(spelled[1], 200),
                    (select langs from private.search_owners where user_id = search_term.owner));
        end if;
        term.field := node ->> 'field';
        condition := '(' || private.words_condition(folded, is_prefix, term.stems, own_stems, number) || ')';
        term.field_keys := array(
            select replace(condition, E'\x01', number || field)
            from unnest(case term.field when 'title' then '{t}' when 'note' then '{n}' else '{t,n,q}' end::text[])
                as field);
        term.prominent_keys := array_to_string(term.field_keys, ' | ');
        term.keys := case when term.field is null then replace(condition, E'\x01', number::text)
            else term.prominent_keys end;
        term.words := case when private.is_run(folded[1]) then '' else ' ' end || array_to_string(folded, ' ')
            || case when is_prefix or private.is_run(folded[n]) then '' else ' ' end;
        term.is_rechecked := n > 1 or length(folded[1]) > case when private.is_run(folded[1]) then 2 else 200 end;
        if term.field is null then
            term.tags := (
                select array_agg(t.tag_id) from private.search_tags t
                where t.user_id = owner and strpos(t.words, term.words) > 0);
        end if;
        return term;
    end
    $$;

-- The parts that have these keys, as an item `p` of a FROM list: those in the index, and of the newest links those that
-- wait for it. The keys name the owner, so the index alone restricts the rows to one user. The owner is compared as an
-- expression, because an index of owners must not be read instead of the index of words: the keys of each of the
-- owner's parts would be computed. With a link, only parts of this link; it is compared as text for the same reason.
create or replace function private.parts_with_keys(keys text, number integer, link uuid default null) returns text
    language plpgsql stable
    as $$
    declare
        max_waiting constant integer := 100;
        condition constant text := format(
            'private.part_keys(p.link_id, p.part, p.owner, p.lang, p.saved_at, p.is_long) @@ %L::tsquery', keys)
            || case when link is not null then format(' and p.link_id::text = %L', link) else '' end;
        result text := format(
            'select p.* from private.search_parts p where p.is_indexed and p.owner + 0 = %s and %s', number, condition);
    begin
        if exists (
            select from private.search_parts p
            where p.owner = number and not p.is_indexed and p.index_error is null)
        then
            result := result || format(
                ' union all select p.* from (
                    select p.* from private.search_parts p
                    where p.owner = %s and not p.is_indexed and p.index_error is null and p.part = 0
                    order by p.saved_at desc limit %s
                ) as p where %s',
                number, max_waiting, condition);
        end if;
        return '(' || result || ') as p';
    end
    $$;

-- The condition that one of these texts of a link holds the words of a term: article, title, description (with the
-- addresses), note, quote. `id` is an expression.
--
-- Calling a function for each text would take longer than finding the words as they are spelled in the query, so the
-- condition contains the checks. The pattern that also finds unusual characters decides most other texts in one pass.
-- `concat` decompresses a text once, and so does `offset 0`, which keeps the check apart from the reading.
create or replace function private.texts_condition(id text, term private.search_term, places text[]) returns text
    language plpgsql stable
    as $$
    declare
        pattern constant text := private.phrase_pattern(term.words);
        selects constant text[] := array(
            select format(case place
                when 'article' then 'select concat(article.text_content) from public.articles article
                    where article.link_id = %s'
                when 'title' then 'select case when link.title_is_text or strpos(link.title, ''&'') = 0 then link.title
                        else rest.display_text(link.title, false) end
                    from public.links link where link.id = %s'
                when 'description' then 'select concat_ws(E''\x1f'',
                        rest.display_text(link.description, link.description_is_text), link.raw_url,
                        nullif(link.resolved_url, link.raw_url))
                    from public.links link where link.id = %s'
                when 'note' then 'select note.body from public.notes note where note.link_id = %1$s
                    union all select mark.note from public.highlights mark where mark.link_id = %1$s'
                when 'quote' then 'select mark.quote from public.highlights mark where mark.link_id = %s'
                end, id)
            from unnest(places) as place);
    begin
        return format(
                'exists (select from (%s offset 0) as texts (value) where ', array_to_string(selects, ' union all '))
            || format(
                case when pattern is not null then 'case when strpos(value, %1$L) > 0 then true
                    when value !~* %3$L then false else private.holds_words(value, %1$L, %2$L) end)'
                else 'private.holds_words(value, %1$L, %2$L))' end,
                term.words, pattern, pattern || '|' || private.unusual_pattern());
    end
    $$;

-- The condition that a link has one of the tags whose names hold the words of a term; null if there are none.
create or replace function private.tags_condition(id text, term private.search_term) returns text
    language sql stable
    as $$
        select format(
            'exists (select from public.link_tags tagged where tagged.link_id = %s and tagged.tag_id = any (%L))',
            id, term.tags)
        where term.tags <> '{}'
    $$;

-- The condition that a link holds the words of a term; with `is_prominent` only title, tags, notes and highlights
-- count.
create or replace function private.holds_condition(
    id text, term private.search_term, is_prominent boolean default false
) returns text
    language plpgsql stable
    as $$
    begin
        return '(' || concat_ws(' or ', private.texts_condition(id, term, case
                when term.field is not null then array[term.field]
                when is_prominent then '{title,note,quote}'
                else '{article,title,description,note,quote}' end::text[]),
            private.tags_condition(id, term)) || ')';
    end
    $$;

-- The ids of the collections of this name or id, and of those nested in them.
create or replace function private.collections_named(owner uuid, name text) returns setof uuid
    language sql stable
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
-- collections whose queries contain the node, which it cannot contain again. With `link`, the condition is only right
-- for this link, and only its words are read.
create or replace function private.search_condition(
    node jsonb, owner uuid, number integer, within uuid[] default '{}', link uuid default null
) returns text
    language plpgsql stable
    as $$
    declare
        value text;
        compared text;
        term private.search_term;
        parts text[];
    begin
        if node ?| '{and,or}' then
            select array_remove(array_agg(private.search_condition(part, owner, number, within, link)), null) into parts
                from jsonb_array_elements(coalesce(node -> 'and', node -> 'or')) as part;
            return '(' || nullif(array_to_string(parts, case when node ? 'and' then ' and ' else ' or ' end), '')
                || ')';
        elsif node ? 'not' then
            -- Also for an unknown value, so that x and -x find every link together.
            return '(' || private.search_condition(node -> 'not', owner, number, within, link) || ' is not true)';
        elsif node ?| '{word,phrase}' then
            term := private.search_term(node, owner, number);
            if term is null or (term).keys is null then
                return null;
            end if;
            -- `offset 0` keeps the search in the index of words apart from the rows of links.
            return 'l.id in (select p.link_id from (select p.link_id from '
                || private.parts_with_keys((term).keys, number, link)
                || case when (term).is_rechecked then ' where ' || private.holds_condition('p.link_id', term)
                    else '' end
                || coalesce(' union all select lt.link_id from public.link_tags lt where lt.tag_id = any ('
                    || quote_literal((term).tags) || ')'
                    || case when link is not null then format(' and lt.link_id = %L', link) else '' end, '')
                || ') as p offset 0)';
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
            return private.collection_condition(node ->> 'in', owner, number, within, link);
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
create or replace function private.collection_condition(
    name text, owner uuid, number integer, within uuid[], link uuid default null
) returns text
    language plpgsql stable
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
                        private.search_condition(smart.condition, owner, number, within || smart.collection_id, link),
                        'false') end;
            -- Some five hundred conditions.
            if length(result) > 100000 then
                raise exception 'The queries of collections that this query contains are too long together.'
                    using errcode = 'LT400';
            end if;
        end loop;
        return '(' || result || ')';
    end
    $$;

revoke execute on function private.stems_of_word(text, text[]),
    private.words_condition(text[], boolean, text[], text[], integer), private.search_term(jsonb, uuid, integer),
    private.parts_with_keys(text, integer, uuid), private.texts_condition(text, private.search_term, text[]),
    private.tags_condition(text, private.search_term),
    private.holds_condition(text, private.search_term, boolean),
    private.collections_named(uuid, text),
    private.search_condition(jsonb, uuid, integer, uuid[], uuid),
    private.collection_condition(text, uuid, integer, uuid[], uuid)
    from public;

set local role lectern_owner;
