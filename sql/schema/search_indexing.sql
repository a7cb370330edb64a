-- Adding parts to the index of words: by the jobs process in batches, and at once where the rules of a user need it.

set local role lectern_search;

-- Adds parts to the index. The caller has locked them in an earlier statement: whoever changes a text of a part locks
-- it, so this statement sees what others have committed, and clears the mark of what changes later.
--
-- A part that cannot be indexed keeps the reason, and is tried again when a text changes or by `lectern maintain
-- reindex`.
create or replace function private.index_parts(links uuid[], parts smallint[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        begin
            update private.search_parts p set is_indexed = true, index_error = null
                from unnest(links, parts) as wanted (link, part)
                where p.link_id = wanted.link and p.part = wanted.part and not p.is_indexed;
        exception when others then
            if cardinality(links) = 1 then
                update private.search_parts p set index_error = sqlerrm
                    where p.link_id = links[1] and p.part = parts[1];
            else
                for i in 1..cardinality(links) loop
                    perform private.index_parts(links[i:i], parts[i:i]);
                end loop;
            end if;
        end;
    end
    $$;

-- Adds the parts of a link to the index at once.
create or replace function private.index_link_now(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        parts smallint[];
    begin
        perform from private.search_parts where link_id = link for update;
        parts := array(select part from private.search_parts where link_id = link and not is_indexed);
        perform private.index_parts(array_fill(link, array[cardinality(parts)]), parts);
    end
    $$;

-- Adds waiting parts to the index, a few of each user, so that no user waits for the many parts of another. Parts that
-- someone is changing are left for the next call. Returns how many parts were tried.
create or replace function private.index_waiting_parts(users integer, parts_of_user integer) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        links uuid[];
        parts smallint[];
    begin
        with recursive owners as (
            (select owner from private.search_parts where not is_indexed and index_error is null
                order by owner limit 1)
            union all
            select (
                select p.owner from private.search_parts p
                where not p.is_indexed and p.index_error is null and p.owner > owners.owner order by p.owner limit 1)
            from owners where owner is not null
        )
        select array_agg(waiting.link_id), array_agg(waiting.part) into links, parts
            from (select owner from owners where owner is not null limit users) as owners,
                lateral (
                    select p.link_id, p.part from private.search_parts p
                    where p.owner = owners.owner and not p.is_indexed and p.index_error is null
                    order by p.saved_at desc limit parts_of_user
                    for update skip locked
                ) as waiting;
        perform private.index_parts(links, parts) where links is not null;
        return coalesce(cardinality(links), 0);
    end
    $$;

revoke execute on function private.index_parts(uuid[], smallint[]), private.index_link_now(uuid),
    private.index_waiting_parts(integer, integer)
    from public;
grant execute on function private.index_link_now(uuid) to lectern_admin;
grant execute on function private.index_waiting_parts(integer, integer) to lectern_jobs;

set local role lectern_owner;

-- Moves the keys of new parts from PostgreSQL's list into the index, all together. Only the index's owner may do this.
create or replace function private.merge_new_keys() returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select gin_clean_pending_list('private.search_parts_keys') $$;
revoke execute on function private.merge_new_keys() from public;
grant execute on function private.merge_new_keys() to lectern_jobs;
