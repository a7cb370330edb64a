-- Exports: everything a user has, in one file.

create or replace function private.notify_exports() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_exports', '');
        return null;
    end
    $$;

-- Per row and not per statement: the jobs process deletes expired exports whenever it is notified, and a statement
-- without rows would notify it again.
create or replace trigger notify_exports after insert or delete on private.exports
    for each row execute function private.notify_exports();

-- The tables that hold a user's data: every table with a user_id, and the account itself, whose id is the user's.
-- Columns whose comment begins with `secret` are left out. New tables are included automatically.
create or replace view private.personal_tables as
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

-- What an export reads. Only `lectern_jobs` may call these functions. They belong to the admin, who sees all rows,
-- because users have no direct access to most of the tables. Rows are returned by cursors, which bounds the memory of
-- both sides.
set local role lectern_admin;

-- The account of an export; no row if it does not exist.
create or replace function private.personal_account(owner uuid) returns table (id uuid, email text)
    language sql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select users.id, users.email from auth.users where users.id = owner $$;

-- The number of rows that each of these tables has for a user.
create or replace function private.personal_counts(owner uuid) returns table (name text, rows bigint)
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
            execute format('select count(*) from %I.%I where %I = $1', known.schema_name, known.table_name,
                known.owner_column)
                into rows using owner;
            return next;
        end loop;
    end
    $$;

-- The rows of one of these tables as JSON, ordered by primary key.
create or replace function private.personal_rows(table_of text, owner uuid) returns refcursor
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
            known.secret_columns, known.schema_name, known.table_name, known.owner_column,
                coalesce(known.key_columns, 'ctid'))
            using owner;
        return cursor_of_rows;
    end
    $$;

-- A user's links, newest first, for the table of contents and the pages of an export: with content, the articles;
-- without, all links with their tags and whether each has an article.
create or replace function private.personal_reading(owner uuid, with_content boolean) returns refcursor
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
                select rest.display_text(a.title, a.metadata_is_text), a.url,
                    rest.display_text(a.byline, a.metadata_is_text),
                    rest.display_text(a.site_name, a.metadata_is_text),
                    coalesce(to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD'), a.published_time),
                    a.lang, a.dir, a.content
                from public.articles a join public.links l on l.id = a.link_id
                where a.user_id = owner
                order by l.created_at desc, l.id desc;
        else
            open cursor_of_links no scroll for
                select coalesce(rest.display_text(l.title, l.title_is_text),
                    rest.display_text(a.title, a.metadata_is_text)),
                    coalesce(l.resolved_url, l.raw_url),
                    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD'), a.link_id is not null,
                    rest.display_text(a.title, a.metadata_is_text),
                    (select string_agg(t.name, ', ' order by t.name)
                        from public.link_tags lt join public.tags t on t.id = lt.tag_id where lt.link_id = l.id)
                from public.links l left join public.articles a on a.link_id = l.id
                where l.user_id = owner
                order by l.created_at desc, l.id desc;
        end if;
        return cursor_of_links;
    end
    $$;

-- The next rows of such a cursor, as text; none after the last. Rows follow until they have a megabyte together. A user
-- decides how long the rows are and in which order they come, so no number of rows would bound the memory of an export.
create or replace function private.next_personal_rows(opened refcursor)
    returns table (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text)
    language plpgsql
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_bytes constant integer := 1048576;
        bytes bigint := 0;
    begin
        while bytes < max_bytes loop
            -- Columns that the cursor does not have are null.
            fetch opened into c1, c2, c3, c4, c5, c6, c7, c8;
            exit when not found;
            -- Short rows count too, as each takes memory of its own.
            bytes := bytes + 1000 + octet_length(concat(c1, c2, c3, c4, c5, c6, c7, c8));
            return next;
        end loop;
    end
    $$;

revoke execute on function private.personal_account(uuid), private.personal_counts(uuid),
    private.personal_rows(text, uuid), private.personal_reading(uuid, boolean), private.next_personal_rows(refcursor)
    from public;
grant execute on function private.personal_account(uuid), private.personal_counts(uuid),
    private.personal_rows(text, uuid), private.personal_reading(uuid, boolean), private.next_personal_rows(refcursor)
    to lectern_jobs;

set local role lectern_owner;
