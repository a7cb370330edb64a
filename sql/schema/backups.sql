-- Backups of the whole instance, which `lectern backup` writes.

-- Whether a backup is being written. Files are not removed then: the backup holds the files of all rows of one moment,
-- and rows may be deleted before their files are copied. The number is that of the advisory lock that a backup holds.
create or replace function private.backup_is_running() returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        select exists (
            select from pg_locks
            where locktype = 'advisory' and classid = 0 and objid = 1818583906 and objsubid = 1
                and database = (select oid from pg_database where datname = current_database()))
    $$;
grant execute on function private.backup_is_running() to lectern_jobs, lectern_admin;
