-- Everything a user has, as one file to take away. The jobs process writes it (Sources/Export), and deletes it when its
-- row has expired or is gone.

create table private.exports (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
    -- Of the work, which is one for each row and one more for each article's page.
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
-- Rows and not statements: the jobs delete what has expired whenever they are told, and would tell themselves for ever.
create trigger tell_of_export after insert or delete on private.exports
    for each row execute function private.tell_of_export();

create trigger note_export after insert on private.exports
    for each row execute function auth.note_part('export_started');

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

-- What an export reads, for `lectern_jobs` alone. These functions belong to the admin, who sees all rows: a user has no way
-- of their own to most of these tables. Rows come by cursors, so that neither side keeps more of them than it is asked for.
set local role lectern_admin;

-- Whose export it is; no row where there is no such account.
create function private.personal_account(owner uuid) returns table (id uuid, email text)
    language sql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select users.id, users.email from auth.users where users.id = owner $$;

-- How many rows each of these tables has of a user.
create function private.personal_counts(owner uuid) returns table (name text, rows bigint)
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.personal_tables;
    begin
        for known in select * from private.personal_tables loop
            name := known.name;
            execute format('select count(*) from %I.%I where %I = $1', known.schema_name, known.table_name, known.owner_column)
                into rows using owner;
            return next;
        end loop;
    end
    $$;

-- The rows of one of these tables, each as JSON, in the order of its key.
create function private.personal_rows(table_of text, owner uuid) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.personal_tables;
        cursor_of_rows refcursor;
    begin
        select * into strict known from private.personal_tables where name = table_of;
        open cursor_of_rows no scroll for execute format(
            'select to_jsonb(t) - %L::text[] from %I.%I t where %I = $1 order by %s',
            known.secret_columns, known.schema_name, known.table_name, known.owner_column, coalesce(known.key_columns, 'ctid'))
            using owner;
        return cursor_of_rows;
    end
    $$;

-- A user's links, the newest first, with their tags, and for those that have an article its place among them. What an
-- export's list of contents and its pages are made from.
create function private.personal_reading(owner uuid, with_content boolean) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        cursor_of_links refcursor;
    begin
        if with_content then
            open cursor_of_links no scroll for
                select a.title, a.url, a.byline, a.site_name,
                    coalesce(to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD'), a.published_time),
                    a.lang, a.dir, a.content
                from public.articles a join public.links l on l.id = a.link_id
                where a.user_id = owner
                order by l.created_at desc, l.id desc;
        else
            open cursor_of_links no scroll for
                select coalesce(l.title, a.title), coalesce(l.resolved_url, l.raw_url),
                    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD'), a.link_id is not null, a.title,
                    (select string_agg(t.name, ', ' order by t.name)
                        from public.link_tags lt join public.tags t on t.id = lt.tag_id where lt.link_id = l.id)
                from public.links l left join public.articles a on a.link_id = l.id
                where l.user_id = owner
                order by l.created_at desc, l.id desc;
        end if;
        return cursor_of_links;
    end
    $$;

revoke execute on function private.personal_account(uuid), private.personal_counts(uuid), private.personal_rows(text, uuid),
    private.personal_reading(uuid, boolean) from public;
grant execute on function private.personal_account(uuid), private.personal_counts(uuid), private.personal_rows(text, uuid),
    private.personal_reading(uuid, boolean) to lectern_jobs;
set local role lectern_owner;
