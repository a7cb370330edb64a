-- Everything a user has, as one file to take away.

create table private.exports (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
    rows_done bigint not null default 0,
    rows_total bigint,
    bytes bigint,
    -- Why it failed, in words for the user.
    message text,
    attempts integer not null default 0,
    -- Until then whoever works on it is believed to be alive.
    leased_until timestamptz,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    -- The file is deleted then.
    expires_at timestamptz not null default now() + interval '1 day'
);
create index exports_user_id on private.exports (user_id, created_at desc);
-- One at a time.
create unique index exports_under_way on private.exports (user_id) where state in ('waiting', 'running');

grant select, insert, delete on private.exports to auth_service;
grant select, update, delete on private.exports to lectern_jobs;

create function private.tell_of_export() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_exports', '');
        return null;
    end
    $$;
create trigger tell_of_export after insert or delete on private.exports
    for each statement execute function private.tell_of_export();

-- What belongs to a user: every table with a user_id, and the account itself (its id is the user's). Without the columns
-- whose comment begins with `secret`. A table that is added later is in it without a word.
create view private.personal_tables as
    select format('%s.%s', n.nspname, c.relname) as name, n.nspname as schema_name, c.relname as table_name,
        a.attname as owner_column,
        array(
            select s.attname::text from pg_attribute s
            where s.attrelid = c.oid and s.attnum > 0 and not s.attisdropped
                and col_description(c.oid, s.attnum) like 'secret%'
            order by s.attnum) as secret_columns,
        (select string_agg(quote_ident(k.attname), ', ' order by array_position(i.indkey::smallint[], k.attnum))
            from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
            where i.indrelid = c.oid and i.indisprimary) as key_columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attname = case when c.oid = 'auth.users'::regclass then 'id' else 'user_id' end
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private', 'rest')
    order by n.nspname, c.relname;

grant select on private.personal_tables to lectern_jobs;

-- The rows of one of these tables, each as JSON, in the order of its key. `lectern_jobs` alone may call it, for the user
-- of an export. It belongs to the admin, who sees all rows: a user has no way of their own to most of these tables.
set local role lectern_admin;
create function private.personal_rows(table_of text, owner uuid) returns setof jsonb
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.personal_tables;
    begin
        select * into strict known from private.personal_tables where name = table_of;
        return query execute format(
            'select to_jsonb(t) - %L::text[] from %I.%I t where %I = $1 order by %s',
            known.secret_columns, known.schema_name, known.table_name, known.owner_column, known.key_columns)
            using owner;
    end
    $$;
revoke execute on function private.personal_rows(text, uuid) from public;
grant execute on function private.personal_rows(text, uuid) to lectern_jobs;
set local role lectern_owner;
