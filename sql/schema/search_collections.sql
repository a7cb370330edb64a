-- The members of smart collections. Reads of collection_links show the links that the query of a collection finds,
-- beside those that were put into it. Such a row is computed when it is read: its position is 0, and its created_at is
-- that of the link. Only the collection's own query counts; `in:` also shows what is nested in it.
--
-- /rest/v1/ reads the views below in place of public.collection_links; see Sources/REST/SQL/ComputedRows.swift.

set local role lectern_search;

-- The computed members of a collection of this user: the `from` and the `where` clause of a statement on links `l`.
-- Null for a collection without a query.
create or replace function private.members_clause(collection uuid, owner uuid) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        parsed constant jsonb := (
            select tree from private.collection_trees where collection_id = collection and user_id = owner);
        condition text := 'true';
    begin
        if number is null or parsed is null then
            return null;
        end if;
        if parsed -> 'where' <> 'null' then
            condition := coalesce(
                private.search_condition(parsed -> 'where', owner, number, array[collection]), 'false');
        end if;
        return format(
            'from public.links l where l.user_id = %L and (%s) and not exists ('
            'select from public.collection_links cl where cl.collection_id = %L and cl.link_id = l.id)',
            owner, condition, collection);
    exception when sqlstate 'LT400' then
        -- Collections that contain each other too often have only the links that were put there.
        return null;
    end
    $$;

-- The computed members of a collection of the caller.
create or replace function rest.collection_members(collection uuid)
    returns table (link_id uuid, created_at timestamptz)
    language plpgsql stable
    security definer
    rows 100
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        clause constant text := private.members_clause(collection, auth.uid());
    begin
        if clause is not null then
            return query execute 'select l.id, l.created_at ' || clause;
        end if;
    end
    $$;

-- The computed members of all collections of the caller: an object that maps the ids of links to those of the
-- collections, which commas separate.
create or replace function rest.collections_by_link() returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- A hundred megabytes.
        max_members constant integer := 1000000;
        owner constant uuid := auth.uid();
        collection uuid;
        clause text;
        found uuid[];
        links uuid[] := '{}';
        collections uuid[] := '{}';
    begin
        for collection in select collection_id from private.collection_trees where user_id = owner loop
            clause := private.members_clause(collection, owner);
            continue when clause is null;
            execute 'select coalesce(array_agg(id), ''{}'') from (select l.id ' || clause || ' limit '
                || max_members + 1 || ') as members' into found;
            links := links || found;
            collections := collections || array_fill(collection, array[cardinality(found)]);
            if cardinality(links) > max_members then
                raise exception 'The collections find more than % links, which is too many to show beside links.',
                    max_members
                    using errcode = 'LT400', hint = 'Ask for the links of one collection.';
            end if;
        end loop;
        return (
            select jsonb_object_agg(link, ids) from (
                select link, string_agg(in_collection::text, ',') as ids
                from unnest(links, collections) as members (link, in_collection) group by link
            ) as by_link);
    end
    $$;

revoke execute on function private.members_clause(uuid, uuid), rest.collection_members(uuid),
    rest.collections_by_link()
    from public;
grant execute on function rest.collection_members(uuid), rest.collections_by_link()
    to anon, authenticated, service_role;

set local role lectern_owner;

-- For entity tags of reads that show computed members: 0 for a caller without a smart collection, and another number
-- each time for others, since a query may find other links without any write, for example because time has passed.
create or replace function rest.computed_changes() returns bigint
    language sql volatile
    as $$
        select case
            when exists (select from public.collections where query is not null and user_id = (select auth.uid()))
            then (extract(epoch from clock_timestamp()) * 1000000)::bigint else 0 end
    $$;

-- Runs the query of each collection that is read. A filter by collection_id leaves one.
create or replace view rest.collection_links with (security_invoker = true) as
    select stored.collection_id, stored.link_id, stored.user_id, stored.position, stored.created_at
    from public.collection_links stored
    union all
    select c.id, found.link_id, c.user_id, 0::double precision, found.created_at
    from public.collections c cross join lateral rest.collection_members(c.id) as found
    where c.query is not null and c.user_id = (select auth.uid());

-- The same rows, for a read of links with their collections. It runs the query of every collection once.
create or replace view rest.collection_links_by_link_id with (security_invoker = true) as
    select stored.collection_id, stored.link_id, stored.user_id, stored.position, stored.created_at
    from public.collection_links stored
    union all
    select found.collection_id::uuid, l.id, l.user_id, 0::double precision, l.created_at
    from public.links l
        cross join lateral string_to_table((select rest.collections_by_link()) ->> l.id::text, ',')
            as found (collection_id)
    where l.user_id = (select auth.uid())
        and exists (select from public.collections where query is not null and user_id = (select auth.uid()));

grant execute on function rest.computed_changes() to anon, authenticated, service_role;
grant select on rest.collection_links, rest.collection_links_by_link_id to anon, authenticated, service_role;

comment on table public.collection_links is
    'Links of collections: those that were put there and, when read, those that the query of a collection finds.';
comment on column public.collection_links.position is
    'Sort position in the collection, ascending; 0 for links that its query finds.';
comment on table public.collections is 'Collections of links, filled manually and by a query.';
comment on column public.collections.query is
    'A search query whose links are in the collection beside those that were put there; null for none.';
