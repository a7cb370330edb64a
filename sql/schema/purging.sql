-- The purge of the trash, of the records of merges and of changes that could be undone.

-- The column with the age of the rows of a table that is purged. Raises an error for any other table.
create or replace function private.purged_by(of_table text) returns text
    language plpgsql immutable
    as $$
    begin
        case of_table
            when 'public.trash' then return 'deleted_at';
            when 'public.link_merges' then return 'merged_at';
            when 'private.link_changes' then return 'made_at';
            else raise exception '% is not purged', of_table using errcode = 'invalid_parameter_value';
        end case;
    end
    $$;

-- Deletes old rows permanently: trashed links, or merges, which can then no longer be undone.
create or replace function private.purge_batch(
    after bigint, max_rows integer, is_dry_run boolean, of_table text, days integer, account uuid default null,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    begin
        select * into last_id, seen, changed from private.repair_batch(
            of_table::regclass,
            format(
                't.%I < now() - make_interval(days => %s) and (%L::uuid is null or t.user_id = %L)',
                private.purged_by(of_table), days, account, account),
            format('delete from %s where ctid = any ($1)', of_table), after, max_rows, is_dry_run);
    end
    $$;

grant execute on function private.purged_by(text), private.purge_batch(bigint, integer, boolean, text, integer, uuid)
    to lectern_admin;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Deletes up to `max_rows` rows of one user for good that are older than a number of days: links in the trash, or merges
-- or changes, which can then no longer be undone. The user whose row expired first is served first, so that the purge
-- waits for the writes of one user at a time. Returns the number of rows. Called by the jobs process.
create or replace function private.purge_expired(of_table text, days integer, max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        dated constant text := private.purged_by(of_table);
        owner uuid;
        deleted bigint := 0;
    begin
        execute format(
            'select user_id from %1$s where %2$I < now() - make_interval(days => $1) order by %2$I limit 1',
            of_table, dated)
            into owner using days;
        if owner is null then
            return 0;
        end if;
        perform rest.lock_writes(array[owner]);
        execute format(
            'delete from %1$s where id = any (array(
                select id from %1$s where user_id = $1 and %2$I < now() - make_interval(days => $2)
                order by %2$I limit $3))',
            of_table, dated)
            using owner, days, max_rows;
        get diagnostics deleted = row_count;
        return deleted;
    end
    $$;

revoke execute on function private.purge_expired(text, integer, integer) from public;
grant execute on function private.purge_expired(text, integer, integer) to lectern_jobs;

set local role lectern_owner;
