-- Refuses cycles and collections nested deeper than 20 levels. Runs after the statement, when all its rows exist, so
-- that their order does not matter.
create or replace function private.check_collection_tree() returns trigger
    language plpgsql
    as $$
    declare
        max_depth constant integer := 20;
        above integer;
        below integer;
    begin
        -- Serialises moves: two concurrent moves could form a cycle of which each sees only one half.
        perform pg_advisory_xact_lock(hashtextextended('collections of ' || new.user_id, 0));
        with recursive ancestors as (
            select new.parent_id as id, 1 as step
            union all
            select parents.parent_id, ancestors.step + 1
            from ancestors join public.collections parents on parents.id = ancestors.id
            where parents.parent_id is not null and ancestors.id <> new.id and ancestors.step < max_depth
        )
        select max(step), count(*) filter (where id = new.id) into above, below from ancestors;
        if below > 0 then
            raise exception 'a collection cannot contain itself'
                using errcode = 'check_violation', table = 'collections', schema = 'public', column = 'parent_id';
        end if;
        with recursive descendants as (
            select new.id, 0 as step
            union all
            select children.id, descendants.step + 1
            from descendants join public.collections children on children.parent_id = descendants.id
            where descendants.step < max_depth
        )
        select max(step) into below from descendants;
        if above + 1 + below > max_depth then
            raise exception 'collections can be nested at most % levels deep', max_depth
                using errcode = 'check_violation', table = 'collections', schema = 'public', column = 'parent_id';
        end if;
        return null;
    end
    $$;

create or replace trigger check_collection_tree
    after insert or update of parent_id on public.collections
    for each row
    when (new.parent_id is not null)
    execute function private.check_collection_tree();

-- Stores the tree of a collection's query, which the worker has parsed; see `private.parsed_query`.
create or replace function private.store_collection_tree() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        tree constant jsonb := nullif(current_setting('request.queries', true), '')::jsonb -> new.query;
    begin
        delete from private.collection_trees where collection_id = new.id;
        if tree is not null then
            insert into private.collection_trees (collection_id, user_id, tree) values (new.id, new.user_id, tree);
        -- An admin who writes to the table copies the trees, too.
        elsif new.query <> '' and current_setting('role') <> 'none' then
            raise exception 'The query has not been parsed.' using errcode = 'LT400',
                hint = 'Write collections over /rest/v1/collections.';
        end if;
        return null;
    end
    $$;
revoke execute on function private.store_collection_tree() from public;

create or replace trigger store_collection_tree after insert on public.collections
    for each row when (new.query is not null)
    execute function private.store_collection_tree();

create or replace trigger store_changed_collection_tree after update on public.collections
    for each row when (new.query is distinct from old.query)
    execute function private.store_collection_tree();
