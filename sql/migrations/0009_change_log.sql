-- The log of changes to the rows that clients keep a copy of; see sql/schema/change_log.sql.
--
-- Neither table has a foreign key to the user: checking it would lock the user's row for every logged change. A trigger
-- deletes the lines of a deleted user.

-- Recent changes, with the rows. A line stays for one to two hours.
create table private.change_log (
    seq bigint generated always as identity,
    -- The transaction. What a reader has not seen yet is decided by snapshots, because transactions commit in another
    -- order than that of their lines.
    xid xid8 not null default pg_current_xact_id(),
    -- The owner of the row, to whom alone the line may be shown.
    user_id uuid not null,
    table_name text not null,
    -- I, U or D: insert, update, delete. A row that gets another key or another owner is deleted and inserted.
    op "char" not null,
    -- The columns of the primary key.
    key jsonb not null,
    -- The row after the change, before it for a deletion; without the content of articles.
    record jsonb compression lz4 not null,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (xid, seq)
);
create index change_log_user_id on private.change_log (user_id, xid, seq);
alter table private.change_log enable row level security, force row level security;

-- Older changes: the last one of each key, for 90 days.
create table private.last_changes (
    user_id uuid not null,
    table_name text not null,
    key jsonb not null,
    xid xid8 not null,
    seq bigint not null,
    changed_at timestamptz not null,
    primary key (user_id, table_name, key)
);
create index last_changes_user_id on private.last_changes (user_id, xid, seq);
-- In the order in which they are purged.
create index last_changes_xid on private.last_changes (xid);
alter table private.last_changes enable row level security, force row level security;

-- Points in time, one an hour: the transactions that had ended by then. Lines grow old by these points and not by
-- changed_at, which says nothing about when their transaction ended.
create table private.change_marks (
    id bigint generated always as identity primary key,
    -- Named in the cursors of clients. A cursor whose mark is gone is too old, or comes from another copy of the
    -- database.
    token uuid not null default gen_random_uuid(),
    -- The cluster whose transactions the snapshot names; see rest.cluster_identity().
    cluster text not null,
    snapshot pg_snapshot not null default pg_current_snapshot(),
    taken_at timestamptz not null default now(),
    -- The lines of change_log that are visible in the snapshot have been moved to last_changes.
    is_compacted boolean not null default false
);
insert into private.change_marks (cluster)
    select system_identifier || '.' || timeline_id from pg_control_system(), pg_control_checkpoint();
create unique index change_marks_token on private.change_marks (token);
alter table private.change_marks enable row level security, force row level security;

-- The database of a service is not open to the public.
do $$
begin
    execute format('grant connect on database %I to lectern_realtime', current_database());
end
$$;
