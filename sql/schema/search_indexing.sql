-- Adding parts to the index of words: by the jobs process in batches, and at once where the rules of a user need it.

set local role lectern_search;

-- Adds a part to the index. The caller has locked it in an earlier statement: whoever changes a text of a part locks
-- it, so this statement sees what others have committed, and clears the mark of what changes later.
--
-- A part that cannot be indexed keeps the reason, and is tried again when a text changes or by `lectern maintain
-- reindex`.
create or replace function private.index_part(link uuid, number smallint) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.search_parts set is_indexed = true, index_error = null
            where link_id = link and part = number and not is_indexed;
    exception when others then
        update private.search_parts set index_error = sqlerrm where link_id = link and part = number;
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
        perform private.index_part(link, part) from unnest(parts) as part;
    end
    $$;

-- Adds waiting parts of one user to the index: at most ten, and none after so many milliseconds, but at least one. The
-- user is the one with the next number after `after` whose parts wait. Each part is locked just before it is indexed,
-- until the transaction ends; parts that someone is changing are left for another time. So a user waits for at most ten
-- texts of each other user, or one long one. Returns how many parts were tried, and the number of the user; 0 after the
-- last one.
create or replace function private.index_waiting_parts(
    after integer, milliseconds integer, out tried integer, out last_owner integer
)
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_parts constant integer := 10;
        stop constant timestamptz := clock_timestamp() + make_interval(secs => milliseconds / 1000.0);
        waiting record;
    begin
        tried := 0;
        last_owner := coalesce((
            select owner from private.search_parts
            where not is_indexed and index_error is null and owner > after order by owner limit 1), 0);
        for waiting in
            select link_id, part from private.search_parts
            where owner = last_owner and not is_indexed and index_error is null
            order by saved_at desc limit max_parts
        loop
            perform from private.search_parts
                where link_id = waiting.link_id and part = waiting.part and not is_indexed and index_error is null
                for update skip locked;
            continue when not found;
            perform private.index_part(waiting.link_id, waiting.part);
            tried := tried + 1;
            exit when clock_timestamp() >= stop;
        end loop;
    end
    $$;

revoke execute on function private.index_part(uuid, smallint), private.index_link_now(uuid),
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
