-- The log of changes: what the realtime service tells clients, and rpc/changes (changes.sql).
--
-- A reader is told a change when the change's transaction is visible in the reader's snapshot and was not in the one
-- before. So a transaction that commits late is not skipped, and a long one delays no other. For one row the order of
-- `seq` is the order of the commits, because the transaction holds the row's lock when it writes the line.
--
-- Every hour the jobs process calls the functions at the end. Lines that all readers have had an hour to read move to
-- private.last_changes, which keeps only the last change of each key, for 90 days.
--
-- The log does not count against a user's quota. The server writes it, and its size is bounded: two hours of changes,
-- and one short line for each row that exists or was deleted within 90 days.

-- The key of a row, from the columns of its primary key, one or two.
create or replace function private.logged_key(logged jsonb, first text, second text) returns jsonb
    language sql stable
    as $$
        select case
            when second is null then jsonb_build_object(first, logged -> first)
            else jsonb_build_object(first, logged -> first, second, logged -> second)
        end
    $$;

-- Logs a change of a row. The arguments are the columns of the table's primary key.
--
-- Per row and not per statement, as in change_counters.sql; private.log_inserts and private.log_deletes are for
-- statements that may write hundreds of rows. Runs as the owner because nobody may write to the log; it uses only the
-- written row. The function has few expressions, because each costs a microsecond or two per transaction.
create or replace function private.log_change() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Timestamps have the format of REST, also when an admin's session has another time zone. A setting of the
        -- function would be set and reset for every row.
        zone constant text := current_setting('timezone');
        hidden constant text[] := case when tg_table_name = 'articles' then '{content,text_content}' else '{}' end;
        before jsonb;
        after jsonb;
        old_key jsonb;
        new_key jsonb;
    begin
        if zone <> 'UTC' then
            perform set_config('timezone', 'UTC', true);
        end if;
        if tg_op <> 'DELETE' then
            if hidden <> '{}' then
                -- Spares reading and converting them.
                new.content := null;
                new.text_content := null;
            end if;
            after := to_jsonb(new) - hidden;
            new_key := private.logged_key(after, tg_argv[0], tg_argv[1]);
        end if;
        if tg_op <> 'INSERT' then
            if hidden <> '{}' then
                old.content := null;
                old.text_content := null;
            end if;
            before := to_jsonb(old) - hidden;
            old_key := private.logged_key(before, tg_argv[0], tg_argv[1]);
        end if;
        if zone <> 'UTC' then
            perform set_config('timezone', zone, true);
        end if;

        if tg_op = 'UPDATE' and new_key = old_key and new.user_id = old.user_id then
            insert into private.change_log (user_id, table_name, op, key, record)
                values (new.user_id, tg_table_name, 'U', new_key, after);
            return null;
        end if;
        -- A row that gets another key or another owner is deleted and inserted. Nobody is told that the rows of a
        -- deleted user are gone.
        if tg_op = 'UPDATE' or tg_op = 'DELETE' and exists (select from auth.users where id = old.user_id) then
            insert into private.change_log (user_id, table_name, op, key, record)
                values (old.user_id, tg_table_name, 'D', old_key, before);
        end if;
        if tg_op <> 'DELETE' then
            insert into private.change_log (user_id, table_name, op, key, record)
                values (new.user_id, tg_table_name, 'I', new_key, after);
        end if;
        return null;
    end
    $$;

-- Logs the rows that a statement has inserted, as private.log_change does, and several times faster. For tables that have
-- other triggers with transition tables, so that a single row costs no more.
create or replace function private.log_inserts() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        zone constant text := current_setting('timezone');
        hidden constant text[] := case when tg_table_name = 'articles' then '{content,text_content}' else '{}' end;
        -- Spares reading and converting them.
        emptied constant jsonb := case when hidden <> '{}' then '{"content": null, "text_content": null}' else '{}' end;
    begin
        if zone <> 'UTC' then
            perform set_config('timezone', 'UTC', true);
        end if;
        insert into private.change_log (user_id, table_name, op, key, record)
            select user_id, tg_table_name, 'I', private.logged_key(record, tg_argv[0], tg_argv[1]), record
            -- `offset 0` keeps PostgreSQL from making the record again for its key.
            from (
                select inserted.user_id, to_jsonb(jsonb_populate_record(inserted, emptied)) - hidden as record
                from inserted offset 0
            ) as logged;
        if zone <> 'UTC' then
            perform set_config('timezone', zone, true);
        end if;
        return null;
    end
    $$;

-- The same for the rows that a statement has deleted.
create or replace function private.log_deletes() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        zone constant text := current_setting('timezone');
        hidden constant text[] := case when tg_table_name = 'articles' then '{content,text_content}' else '{}' end;
        -- Spares reading and converting them.
        emptied constant jsonb := case when hidden <> '{}' then '{"content": null, "text_content": null}' else '{}' end;
    begin
        if zone <> 'UTC' then
            perform set_config('timezone', 'UTC', true);
        end if;
        insert into private.change_log (user_id, table_name, op, key, record)
            select user_id, tg_table_name, 'D', private.logged_key(record, tg_argv[0], tg_argv[1]), record
            from (
                select deleted.user_id, to_jsonb(jsonb_populate_record(deleted, emptied)) - hidden as record
                from deleted where exists (select from auth.users where id = deleted.user_id) offset 0
            ) as logged;
        if zone <> 'UTC' then
            perform set_config('timezone', zone, true);
        end if;
        return null;
    end
    $$;

-- The trash deletes and restores thousands of articles, notes and highlights at once: then they are logged together.
-- While rest.restoring is on, nothing deletes such a row, and while rest.trashed is on, nothing inserts one.
--
-- An update that leaves the row as it was is not logged. `*<>` compares the stored bytes, because JSON may show a
-- difference between equal values, such as 0 and -0. A change of an article's content alone is logged.
create or replace trigger log_change after insert or delete on public.articles
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.log_change('link_id');

create or replace trigger log_restored after insert on public.articles
    referencing new table as inserted
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.log_inserts('link_id');

create or replace trigger log_trashed after delete on public.articles
    referencing old table as deleted
    for each statement
    when (current_setting('rest.trashed', true) = 'on')
    execute function private.log_deletes('link_id');

create or replace trigger log_update after update on public.articles
    for each row when (old.* *<> new.*)
    execute function private.log_change('link_id');

create or replace trigger log_change after insert or delete on public.collection_links
    for each row execute function private.log_change('collection_id', 'link_id');

create or replace trigger log_update after update on public.collection_links
    for each row when (old.* *<> new.*)
    execute function private.log_change('collection_id', 'link_id');

create or replace trigger log_change after insert or delete on public.collections
    for each row execute function private.log_change('id');

create or replace trigger log_update after update on public.collections
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after insert or delete on public.bookmarks
    for each row execute function private.log_change('id');

create or replace trigger log_update after update on public.bookmarks
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after insert or delete on public.highlights
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.log_change('id');

create or replace trigger log_restored after insert on public.highlights
    referencing new table as inserted
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.log_inserts('id');

create or replace trigger log_trashed after delete on public.highlights
    referencing old table as deleted
    for each statement
    when (current_setting('rest.trashed', true) = 'on')
    execute function private.log_deletes('id');

create or replace trigger log_update after update on public.highlights
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after delete on public.link_tags
    referencing old table as deleted
    for each statement execute function private.log_deletes('link_id', 'tag_id');

create or replace trigger log_inserts after insert on public.link_tags
    referencing new table as inserted
    for each statement execute function private.log_inserts('link_id', 'tag_id');

create or replace trigger log_update after update on public.link_tags
    for each row when (old.* *<> new.*)
    execute function private.log_change('link_id', 'tag_id');

create or replace trigger log_change after delete on public.links
    referencing old table as deleted
    for each statement execute function private.log_deletes('id');

create or replace trigger log_inserts after insert on public.links
    referencing new table as inserted
    for each statement execute function private.log_inserts('id');

create or replace trigger log_update after update on public.links
    for each row
    when (current_setting('rest.logged_later', true) is distinct from 'on' and old.* *<> new.*)
    execute function private.log_change('id');

-- Logs links of the caller that rpc/change_links or rpc/undo_change has just changed while rest.logged_later was on,
-- perhaps thousands. No trigger may change other links at the same time. The policies restrict a user to own rows.
create or replace function rest.log_changed_links(ids uuid[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    begin
        insert into private.change_log (user_id, table_name, op, key, record)
            select user_id, 'links', 'U', jsonb_build_object('id', id), to_jsonb(links)
            from public.links where id = any (ids);
    end
    $$;
revoke execute on function rest.log_changed_links(uuid[]) from public;
grant execute on function rest.log_changed_links(uuid[]) to authenticated, service_role;

create or replace trigger log_change after insert or delete on public.notes
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.log_change('id');

create or replace trigger log_restored after insert on public.notes
    referencing new table as inserted
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.log_inserts('id');

create or replace trigger log_trashed after delete on public.notes
    referencing old table as deleted
    for each statement
    when (current_setting('rest.trashed', true) = 'on')
    execute function private.log_deletes('id');

create or replace trigger log_update after update on public.notes
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after insert or delete on public.reading_progress
    for each row execute function private.log_change('user_id', 'content_hash');

create or replace trigger log_update after update on public.reading_progress
    for each row when (old.* *<> new.*)
    execute function private.log_change('user_id', 'content_hash');

create or replace trigger log_change after insert or delete on public.tags
    for each row execute function private.log_change('id');

create or replace trigger log_update after update on public.tags
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after insert or delete on public.rules
    for each row execute function private.log_change('id');

create or replace trigger log_update after update on public.rules
    for each row when (old.* *<> new.*)
    execute function private.log_change('id');

create or replace trigger log_change after insert or delete on public.user_settings
    for each row execute function private.log_change('user_id');

create or replace trigger log_update after update on public.user_settings
    for each row when (old.* *<> new.*)
    execute function private.log_change('user_id');

-- The cluster whose transactions a snapshot names, and the timeline of its history.
create or replace function rest.cluster_identity() returns text
    language sql stable
    as $$ select system_identifier || '.' || timeline_id from pg_control_system(), pg_control_checkpoint() $$;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- A snapshot that sees the same lines as pg_current_snapshot(), and no transaction after the last of them. Readers keep
-- it in place of the present.
--
-- A crash undoes transactions of which nothing has reached the disk, such as one that was rolled back, and PostgreSQL
-- gives their numbers to new ones. A reader whose snapshot takes such a number as ended would not be told the lines of
-- the new transaction. A line is visible only when its commit is on the disk, and then no number up to that of its
-- transaction is given again. The same is true of a mark and the transactions that its snapshot names. So no
-- transaction with lines or marks may commit with synchronous_commit = off.
create or replace function rest.logged_snapshot() returns pg_snapshot
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        present constant pg_snapshot := pg_current_snapshot();
        running xid8[] := array(select xid from pg_snapshot_xip(present) as xid order by xid desc);
        below xid8 := pg_snapshot_xmax(present);
        -- 3 is the first number of a transaction. A mark of another cluster, from which the database was restored, may
        -- name later numbers than the present.
        ending xid8 := least(below, coalesce(
            (select pg_snapshot_xmax(snapshot) from private.change_marks order by id desc limit 1), '3'));
        after xid8;
        last xid8;
    begin
        -- Between the running transactions, so that their lines, perhaps many, are not read.
        foreach after in array running || '0'::xid8 loop
            select xid into last from private.change_log
                where xid >= ending and xid > after and xid < below order by xid desc limit 1;
            if found then
                ending := (last::text::numeric + 1)::text::xid8;
                exit;
            end if;
            below := after;
        end loop;
        running := array(select xid from unnest(running) as xid where xid < ending order by xid);
        return format('%s:%s:%s', coalesce(running[1], ending), ending, array_to_string(running, ','))::pg_snapshot;
    end
    $$;

-- The changes of all users that are visible in the snapshot `upto` and were not in `previous`, in the order of `seq`;
-- only those after the line `after_seq`, and at most `max_rows`, or all with null. For the realtime service, which reads
-- like this:
--
--     select rest.logged_snapshot();                              -- at the start: previous
--     select rest.logged_snapshot();                              -- each time: upto
--     select * from private.changes_after(previous, upto, 0, null);
--
-- It reads the lines as they come. When it has read all, `upto` becomes `previous`. If the connection ends before, it
-- asks again with the same snapshots and the seq of the last line.
--
-- Raises LT410 when lines that `previous` does not see may have left the log, after an hour or more. The reader must
-- then start again from a current snapshot, and its clients have to call rpc/changes.
create or replace function private.changes_after(
    previous pg_snapshot, upto pg_snapshot, after_seq bigint, max_rows integer
) returns table (
    seq bigint, user_id uuid, table_name text, op text, key jsonb, record jsonb, changed_at timestamptz
)
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        -- Not a mark of another cluster, from which the database was restored: its numbers say nothing here.
        compacted constant pg_snapshot := (
            select snapshot from private.change_marks
            where is_compacted and cluster = rest.cluster_identity() order by id desc limit 1);
    begin
        if pg_snapshot_xmax(previous) < pg_snapshot_xmax(compacted)
            or exists (select from pg_snapshot_xip(previous) as xid where pg_visible_in_snapshot(xid, compacted))
        then
            raise exception 'the log no longer has all changes after the snapshot' using errcode = 'LT410';
        end if;
        -- A transaction that `previous` does not see was running then, or began later. The index finds both, however
        -- long another transaction has been running.
        return query
            select l.seq, l.user_id, l.table_name, l.op::text, l.key, l.record, l.changed_at
            from (
                select * from private.change_log where xid >= pg_snapshot_xmax(previous)
                union all
                select * from private.change_log where xid = any (array(select pg_snapshot_xip(previous)))
            ) as l
            where pg_visible_in_snapshot(l.xid, upto) and l.seq > after_seq
            order by l.seq
            limit max_rows;
    end
    $$;

-- Deletes the log of a deleted user. At the end of the transaction, when the user's rows are gone, so that no
-- transaction that changes them is still running.
create or replace function private.delete_changes() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- In this order: compacting moves lines from the first to the second.
        delete from private.change_log where user_id = old.id;
        delete from private.last_changes where user_id = old.id;
        return null;
    end
    $$;

-- `create or replace` does not support constraint triggers, the only ones that can be deferred.
drop trigger if exists delete_changes on auth.users;
create constraint trigger delete_changes after delete on auth.users deferrable initially deferred
    for each row execute function private.delete_changes();

-- Takes the mark of this hour. Called at the beginning of each purge.
--
-- In a database that was restored into another cluster the lines name transactions of the former one, so they are
-- deleted. Clients begin again, because their cursors name the former cluster.
create or replace function private.mark_changes() returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        present constant text := rest.cluster_identity();
    begin
        -- The order of the marks is that of their snapshots.
        lock table private.change_marks in share row exclusive mode;
        if exists (select from private.change_marks where cluster <> present) then
            delete from private.change_log;
            delete from private.last_changes;
            delete from private.change_marks;
        end if;
        -- Not at every start of the jobs process.
        if not exists (select from private.change_marks where taken_at between now() - interval '55 minutes' and now())
            then
            insert into private.change_marks (cluster) values (present);
        end if;
    end
    $$;

-- Moves up to `max_rows` lines that are more than an hour old to private.last_changes. Returns their number.
create or replace function private.compact_changes(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        mark private.change_marks;
        moved bigint;
    begin
        select * into mark from private.change_marks
            where taken_at < now() - interval '1 hour' order by id desc limit 1;
        if not found then
            return 0;
        end if;
        update private.change_marks set is_compacted = true where id = mark.id and not is_compacted;
        with moved as (
            delete from private.change_log
            where (xid, seq) in (
                select xid, seq from private.change_log
                where xid < pg_snapshot_xmax(mark.snapshot) and pg_visible_in_snapshot(xid, mark.snapshot)
                order by xid, seq limit max_rows)
            returning user_id, table_name, key, xid, seq, changed_at
        ), stored as (
            insert into private.last_changes as known (user_id, table_name, key, xid, seq, changed_at)
                select distinct on (user_id, table_name, key) user_id, table_name, key, xid, seq, changed_at
                from moved order by user_id, table_name, key, seq desc
                on conflict (user_id, table_name, key) do update
                    set xid = excluded.xid, seq = excluded.seq, changed_at = excluded.changed_at
                    where known.seq < excluded.seq
        )
        select count(*) into moved from moved;
        return moved;
    end
    $$;

-- Deletes up to `max_rows` lines that are more than 90 days old. Returns their number. The cursors that need them end
-- with their marks.
create or replace function private.purge_changes(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        mark private.change_marks;
        deleted bigint;
    begin
        select * into mark from private.change_marks
            where taken_at < now() - interval '90 days' order by id desc limit 1;
        if not found then
            return 0;
        end if;
        delete from private.change_marks where id < mark.id;
        delete from private.last_changes
            where (user_id, table_name, key) in (
                select user_id, table_name, key from private.last_changes
                where xid < pg_snapshot_xmax(mark.snapshot) and pg_visible_in_snapshot(xid, mark.snapshot)
                order by xid limit max_rows);
        get diagnostics deleted = row_count;
        return deleted;
    end
    $$;

revoke execute on function rest.logged_snapshot(),
    private.changes_after(pg_snapshot, pg_snapshot, bigint, integer), private.delete_changes(),
    private.mark_changes(), private.compact_changes(integer), private.purge_changes(integer)
    from public;
grant execute on function private.mark_changes(), private.compact_changes(integer), private.purge_changes(integer)
    to lectern_jobs;
grant execute on function private.changes_after(pg_snapshot, pg_snapshot, bigint, integer) to lectern_realtime;
grant execute on function rest.logged_snapshot() to lectern_realtime, authenticated;

set local role lectern_owner;

grant usage on schema private, rest to lectern_realtime;
grant execute on function rest.cluster_identity() to lectern_realtime;
