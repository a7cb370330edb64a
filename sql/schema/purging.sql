-- The purge of the trash and of the records of merges.

-- Deletes old rows permanently: trashed links, or merges, which can then no longer be undone.
create or replace function private.purge_batch(
    after bigint, max_rows integer, is_dry_run boolean, of_table text, days integer, account uuid default null,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        dated constant text := case of_table
            when 'public.trash' then 'deleted_at'
            when 'public.link_merges' then 'merged_at'
        end;
    begin
        select * into last_id, seen, changed from private.repair_batch(
            of_table::regclass,
            format(
                't.%I < now() - make_interval(days => %s) and (%L::uuid is null or t.user_id = %L)', dated, days,
                    account, account),
            format('delete from %s where ctid = any ($1)', of_table), after, max_rows, is_dry_run);
    end
    $$;

grant execute on function private.purge_batch(bigint, integer, boolean, text, integer, uuid) to lectern_admin;
