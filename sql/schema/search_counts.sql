-- What a query finds in numbers, and completions: rpc/count_links, rpc/domains, rpc/suggest.

set local role lectern_search;

create or replace function public.count_links(query text) returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        tree constant jsonb := nullif(private.parsed_query(count_links.query) -> 'where', 'null');
        terms constant private.search_term[] := private.ready_terms(tree, owner, number);
        counted bigint := 0;
    begin
        if number is null then
            return '{"count": 0}';
        elsif private.has_all_terms(tree) and cardinality(terms) > 0
            and private.condition_beside_terms(tree, owner, number) is null
        then
            -- A query of words alone needs no look at the links.
            execute 'select count(*) from (' || private.hits_select(private.word_search(terms, owner, number, null))
                || ') as h' || coalesce(' where ' || private.text_condition(terms), '') into counted;
        else
            execute format('select count(*) from public.links l where l.user_id = %L', owner)
                || coalesce(' and ' || private.found_condition(tree, owner, number), '') into counted;
        end if;
        return jsonb_build_object('count', counted);
    end
    $$;

-- The links of the caller that a query finds, at most so many; for functions that run as their caller.
create or replace function rest.found_links(query text, max_links integer) returns uuid[]
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        condition constant text := private.found_condition(
            nullif(private.parsed_query(found_links.query) -> 'where', 'null'), owner, number);
        ids uuid[];
    begin
        if number is not null then
            execute format(
                'select array_agg(id) from (
                    select l.id from public.links l where l.user_id = %L%s limit %s
                ) as found',
                owner, ' and ' || condition, max_links) into ids;
        end if;
        return coalesce(ids, '{}');
    end
    $$;

create or replace function public.domains(query text default '') returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        condition constant text := private.found_condition(
            nullif(private.parsed_query(domains.query) -> 'where', 'null'), owner, number);
        counted jsonb;
    begin
        if number is not null then
            execute format(
                $c$select jsonb_agg(jsonb_build_object('domain', domain, 'count', n) order by n desc, domain) from (
                    select l.domain, count(*) as n from public.links l
                    where l.user_id = %L and l.domain is not null%s group by l.domain
                ) as counts$c$,
                owner, ' and ' || condition) into counted;
        end if;
        return coalesce(counted, '[]');
    end
    $$;

create or replace function public.suggest(prefix text, "limit" integer default 10) returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        max_names constant integer := coalesce(suggest."limit", 10);
        start constant text := private.fold_words(lower(normalize(coalesce(suggest.prefix, ''), nfkc)));
    begin
        if max_names not between 1 and 100 then
            raise exception 'limit is %, but must be from 1 to 100', max_names using errcode = 'LT400';
        end if;
        return jsonb_build_object(
            'tags', (
                select coalesce(jsonb_agg(name), '[]') from (
                    select t.name from public.tags t
                    where t.user_id = owner and private.fold_words(lower(normalize(t.name, nfkc))) ^@ start
                    order by lower(t.name), t.name limit max_names
                ) as found),
            'collections', (
                select coalesce(jsonb_agg(name), '[]') from (
                    select c.name from public.collections c
                    where c.user_id = owner and private.fold_words(lower(normalize(c.name, nfkc))) ^@ start
                    order by lower(c.name), c.name limit max_names
                ) as found),
            'domains', (
                select coalesce(jsonb_agg(domain), '[]') from (
                    select l.domain from public.links l
                    where l.user_id = owner
                        and l.domain ^@ case when start ^@ 'www.' then substr(start, 5) else start end
                    group by l.domain order by count(*) desc, l.domain limit max_names
                ) as found));
    end
    $$;

revoke execute on function public.count_links(text), rest.found_links(text, integer), public.domains(text),
    public.suggest(text, integer)
    from public;
grant execute on function public.count_links(text), rest.found_links(text, integer), public.domains(text),
    public.suggest(text, integer)
    to authenticated, service_role;

comment on function public.count_links(text) is 'Counts the links that a query finds: {"count": n}.';
comment on function public.domains(text) is
    'The hosts of the links that a query finds, most frequent first: [{"domain", "count"}].';
comment on function public.suggest(text, integer) is
    'Names of tags, collections and domains that begin with a text: {"tags": […], "collections": […], '
    '"domains": […]}.';

set local role lectern_owner;
