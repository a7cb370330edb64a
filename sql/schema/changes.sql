-- rpc/changes: what has changed since a cursor, for clients that keep a copy of their user's rows.
--
-- The first pages walk through all rows, table by table. The cursor holds the snapshot at the beginning of the walk.
-- The pages after the walk tell what has changed since then: the keys of the rows that changed between that snapshot
-- and a later one, each with its row as it is now, or as deleted. A row that changes after the later snapshot comes
-- again. So the order of the keys does not matter, and no row is lost that changes during the walk.
--
-- The functions run as their caller, so row-level security decides what a page shows, whatever the cursor says. Only
-- rest.changed_keys reads the log, and runs as the owner for that.

-- The tables in the order of the walk, with the columns of their primary keys, and with the columns by which the walk
-- sorts a user's rows: those of an index that begins with user_id.
create or replace view rest.synced_tables as
    select * from (values
        (1, 'links', '{id}'::text[], '{updated_at,id}'::text[], 'desc'),
        (2, 'tags', '{id}', '{name}', 'asc'),
        (3, 'link_tags', '{link_id,tag_id}', '{link_id,tag_id}', 'asc'),
        (4, 'highlights', '{id}', '{updated_at,id}', 'desc'),
        (5, 'notes', '{id}', '{updated_at,id}', 'desc'),
        (6, 'collections', '{id}', '{position,id}', 'asc'),
        (7, 'collection_links', '{collection_id,link_id}', '{collection_id,link_id}', 'asc'),
        (8, 'reading_progress', '{user_id,content_hash}', '{content_hash}', 'asc'),
        (9, 'user_settings', '{user_id}', '{user_id}', 'asc'),
        (10, 'articles', '{link_id}', '{link_id}', 'asc'),
        (11, 'rules', '{id}', '{position,id}', 'asc'),
        (12, 'bookmarks', '{id}', '{updated_at,id}', 'desc')
    ) as known (place, name, key, sort, direction);
grant select on rest.synced_tables to authenticated;

-- The marks of the log.
create or replace view rest.change_marks as select id, token from private.change_marks;
grant select on rest.change_marks to authenticated;

-- SQL: the JSON of a row `t`, without the content of articles.
create or replace function rest.row_sql(of_table text) returns text
    language sql stable
    as $$
        select case
            when of_table <> 'articles' then 'row_to_json(t)'
            else format('(select row_to_json(shown) from (select %s) as shown)', (
                select string_agg(format('t.%I', attname), ', ' order by attnum) from pg_catalog.pg_attribute
                where attrelid = 'public.articles'::regclass and attnum > 0 and not attisdropped
                    and attname not in ('content', 'text_content')))
        end
    $$;

-- SQL: columns of a row `t`, as a list; each is followed by `direction`.
create or replace function rest.columns_sql(columns text[], direction text) returns text
    language sql immutable
    as $$
        select string_agg(format('t.%I %s', name, direction), ', ' order by place)
        from unnest(columns) with ordinality as c (name, place)
    $$;

-- SQL: columns of a row `t`, as a JSON object.
create or replace function rest.object_sql(columns text[]) returns text
    language sql immutable
    as $$
        select format('jsonb_build_object(%s)', string_agg(format('%1$L, t.%1$I', name), ', ' order by place))
        from unnest(columns) with ordinality as c (name, place)
    $$;

-- SQL: the values of columns in a JSON object, as a list.
create or replace function rest.values_sql(of_table text, columns text[], object text) returns text
    language sql stable
    as $$
        select string_agg(format('(%s ->> %L)::%s', object, name, format_type(atttypid, null)), ', ' order by place)
        from unnest(columns) with ordinality as c (name, place)
        join pg_catalog.pg_attribute on attrelid = format('public.%I', of_table)::regclass and attname = name
    $$;

-- The keys of the caller's rows that changed between two snapshots, each with the place (xid, seq) of its first line,
-- in the order of the places; from a place on, and at most `max_keys`. If there are more, one more row with `is_next`
-- says where to continue.
--
-- Runs as the owner because nobody may read the log; the policies there restrict it to the caller's lines.
create or replace function rest.changed_keys(
    told pg_snapshot, upto pg_snapshot, first_xid xid8, first_seq bigint, of_tables text[], max_keys integer
) returns table (table_name text, key jsonb, xid xid8, seq bigint, is_next boolean)
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    -- The plan by the indexes that begin with user_id. A plan for one snapshot may read the lines of all users instead,
    -- because statistics do not include the newest ones.
    set plan_cache_mode = force_generic_plan
    as $$
    #variable_conflict use_column
    declare
        owner constant uuid := (select auth.uid());
        -- Every transaction before is visible in `told`.
        lowest constant xid8 := pg_snapshot_xmin(told);
        start_xid constant xid8 := greatest(first_xid, lowest);
        start_seq constant bigint := case when first_xid < lowest then 0 else first_seq end;
        -- Bounds the work for rows that have changed many times.
        max_lines constant integer := 4 * max_keys + 100;
    begin
        return query
            with lines as (
                select *, row_number() over (order by xid, seq) as place
                from (
                    (select table_name, key, xid, seq from private.change_log
                        where user_id = owner and (xid, seq) >= (start_xid, start_seq)
                            and not pg_visible_in_snapshot(xid, told) and pg_visible_in_snapshot(xid, upto)
                            and table_name = any (of_tables)
                        order by xid, seq limit max_lines + 1)
                    union all
                    (select table_name, key, xid, seq from private.last_changes
                        where user_id = owner and (xid, seq) >= (start_xid, start_seq)
                            and not pg_visible_in_snapshot(xid, told) and pg_visible_in_snapshot(xid, upto)
                            and table_name = any (of_tables)
                        order by xid, seq limit max_lines + 1)
                    order by xid, seq
                    limit max_lines + 1
                ) as logged
            ), firsts as (
                select min(place) as place from lines where place <= max_lines
                group by table_name, key order by 1 limit max_keys + 1
            )
            select table_name, key, xid, seq, place > max_lines or row_number() over (order by place) > max_keys
            from lines where place > max_lines or place in (select place from firsts)
            order by place
            limit max_keys + 1;
    end
    $$;

-- Whether there are changes of the caller's rows between two snapshots.
create or replace function rest.has_changes(told pg_snapshot, upto pg_snapshot, of_tables text[]) returns boolean
    language sql stable
    as $$ select exists (select from rest.changed_keys(told, upto, '0', 0, of_tables, 1)) $$;

-- The newest mark of the log.
create or replace function rest.newest_mark() returns uuid
    language sql stable
    as $$ select token from rest.change_marks order by id desc limit 1 $$;

-- The text of a cursor: base64url of a JSON object.
create or replace function rest.text_of_cursor(start rest.changes_cursor) returns text
    language sql stable
    as $$
        select translate(
            encode(convert_to(jsonb_strip_nulls(to_jsonb(start))::text, 'utf8'), 'base64'), E'+/=\n', '-_')
    $$;

-- The cursor of a text. Raises LT400 if it is not a cursor of the caller, and LT410 if it is too old.
create or replace function rest.cursor_of_text(since text) returns rest.changes_cursor
    language plpgsql stable
    as $$
    declare
        -- The longest cursor names two snapshots with as many transactions as the server has connections.
        max_length constant integer := 32768;
        present constant xid8 := pg_snapshot_xmax(pg_current_snapshot());
        found rest.changes_cursor;
        walk rest.synced_tables;
        is_whole boolean := false;
        missing integer := 0;
    begin
        begin
            if length(since) <= max_length then
                found := jsonb_populate_record(null::rest.changes_cursor, convert_from(
                    decode(rpad(translate(since, '-_', '+/'), (length(since) + 3) / 4 * 4, '='), 'base64'),
                    'utf8')::jsonb);
                select * into walk from rest.synced_tables where name = found.walk_table;
                if walk.name is not null and found.walk_after is not null then
                    execute format('select num_nulls(%s)', rest.values_sql(walk.name, walk.sort, '$1'))
                        into missing using found.walk_after;
                end if;
                is_whole := found.user_id = (select auth.uid())
                    and found.told is not null and found.mark is not null and cardinality(found.tables) > 0
                    and found.tables <@ (select array_agg(name) from rest.synced_tables)
                    and (found.walk_table is null) = (walk.name is null) and missing = 0
                    and (found.walk_after is null or found.walk_table is not null)
                    and num_nulls(found.upto, found.upto_mark, found.next_xid, found.next_seq) in (0, 4);
            end if;
        exception when data_exception or program_limit_exceeded then
            is_whole := false;
        end;
        if is_whole is not true then
            raise exception '"since" is not a cursor of this user'
                using errcode = 'LT400', hint = 'Begin again with since = null.';
        end if;
        -- A copy of the database that was restored does not have these transactions, or not yet.
        if found.cluster is distinct from rest.cluster_identity()
            or greatest(pg_snapshot_xmax(found.told), pg_snapshot_xmax(found.upto)) > present
            or not exists (select from rest.change_marks where token = found.mark)
        then
            raise exception 'the cursor is too old, because deletions are kept for 90 days'
                using errcode = 'LT410', hint = 'Begin again with since = null.';
        end if;
        return found;
    end
    $$;

-- A member of the result of rpc/changes. `content`: null for a deleted row.
create or replace function rest.change_text(of_table text, key jsonb, content json) returns text
    language sql immutable
    as $$
        select json_build_object(
            'table', of_table, 'op', case when content is null then 'delete' else 'upsert' end, 'key', key,
            'row', content)::text
    $$;

-- A page of the walk through all rows: the changes, the cursor after them, and whether there are more.
create or replace function rest.walk_page(
    start rest.changes_cursor, max_rows integer, max_bytes integer,
    out changes text[], out next rest.changes_cursor, out more boolean
)
    language plpgsql stable
    as $$
    declare
        first constant integer := (select place from rest.synced_tables where name = start.walk_table);
        walked rest.synced_tables;
        opened refcursor;
        key jsonb;
        sort jsonb;
        content json;
        bytes bigint := 0;
    begin
        changes := '{}';
        next := start;
        for walked in
            select * from rest.synced_tables where name = any (start.tables) and place >= first order by place
        loop
            if walked.place > first then
                next.walk_table := walked.name;
                next.walk_after := null;
            end if;
            open opened no scroll for execute format(
                'select %s, %s, %s from public.%I t where t.user_id = (select auth.uid())%s order by %s limit %s',
                rest.object_sql(walked.key), rest.object_sql(walked.sort), rest.row_sql(walked.name), walked.name,
                ' and ' || case when next.walk_after is not null then format(
                    '(%s) %s (%s)', rest.columns_sql(walked.sort, ''),
                    case walked.direction when 'desc' then '<' else '>' end,
                    rest.values_sql(walked.name, walked.sort, '$1'))
                end,
                rest.columns_sql(walked.sort, walked.direction), max_rows + 1)
                using next.walk_after;
            loop
                -- One by one, because rows may be large.
                fetch opened into key, sort, content;
                exit when not found;
                more := cardinality(changes) = max_rows or bytes > max_bytes;
                if more then
                    return;
                end if;
                changes := changes || rest.change_text(walked.name, key, content);
                bytes := bytes + octet_length(changes[cardinality(changes)]);
                next.walk_after := sort;
            end loop;
            close opened;
        end loop;
        next.walk_table := null;
        next.walk_after := null;
        more := rest.has_changes(start.told, pg_current_snapshot(), start.tables);
    end
    $$;

-- A page of the changes since the cursor's snapshot.
create or replace function rest.delta_page(
    start rest.changes_cursor, max_rows integer, max_bytes integer,
    out changes text[], out next rest.changes_cursor, out more boolean
)
    language plpgsql stable
    as $$
    declare
        present constant pg_snapshot := rest.logged_snapshot();
        upto constant pg_snapshot := coalesce(start.upto, present);
        upto_mark constant uuid := coalesce(start.upto_mark, rest.newest_mark());
        -- Of each changed row; with the place where to continue, if there are more.
        names text[];
        keys jsonb[];
        xids xid8[];
        seqs bigint[];
        count integer;
        opened refcursor;
        content json;
        bytes bigint := 0;
    begin
        changes := '{}';
        select coalesce(array_agg(table_name order by xid, seq), '{}'), array_agg(key order by xid, seq),
            array_agg(xid order by xid, seq), array_agg(seq order by xid, seq), count(*) filter (where not is_next)
            into names, keys, xids, seqs, count
            from rest.changed_keys(
                start.told, upto, coalesce(start.next_xid, '0'), coalesce(start.next_seq, 0), start.tables, max_rows);
        if count > 0 then
            open opened no scroll for execute (
                select format(
                    'select case w.name %s end from unnest($1, $2) with ordinality as w (name, key, place)
                    order by place',
                    string_agg(format(
                        'when %L then (select %s from public.%I t where (%s) = (%s))',
                        name, rest.row_sql(name), name, rest.columns_sql(key, ''),
                        rest.values_sql(name, key, 'w.key')), ' '))
                from rest.synced_tables where name = any (names))
                using names[:count], keys[:count];
            while cardinality(changes) < count and bytes <= max_bytes loop
                fetch opened into content;
                changes := changes || rest.change_text(
                    names[cardinality(changes) + 1], keys[cardinality(changes) + 1], content);
                bytes := bytes + octet_length(changes[cardinality(changes)]);
            end loop;
            close opened;
        end if;
        next := start;
        more := cardinality(changes) < cardinality(names);
        if more then
            next.upto := upto;
            next.upto_mark := upto_mark;
            next.next_xid := xids[cardinality(changes) + 1];
            next.next_seq := seqs[cardinality(changes) + 1];
        else
            next.told := upto;
            next.mark := upto_mark;
            next.upto := null;
            next.upto_mark := null;
            next.next_xid := null;
            next.next_seq := null;
            more := start.upto is not null and rest.has_changes(upto, present, start.tables);
        end if;
    end
    $$;

create or replace function public.changes(since text default null, "limit" integer default 500,
    tables text[] default null
) returns json
    language plpgsql stable
    as $$
    declare
        max_rows constant integer := coalesce(changes."limit", 500);
        -- A page ends with the row that exceeds this. The largest row has some seven megabytes, so a page stays below
        -- the default of RESPONSE_LIMIT.
        max_bytes constant integer := 4194304;
        known constant text[] := (select array_agg(name order by place) from rest.synced_tables);
        start rest.changes_cursor;
        page record;
    begin
        if max_rows not between 1 and 1000 then
            raise exception 'limit is %, but must be from 1 to 1000', max_rows using errcode = 'LT400';
        end if;
        if not tables <@ known or cardinality(tables) = 0 then
            raise exception 'tables must name some of these: %', array_to_string(known, ', ') using errcode = 'LT400';
        end if;
        if since is null then
            start.user_id := (select auth.uid());
            start.cluster := rest.cluster_identity();
            start.told := rest.logged_snapshot();
            start.mark := rest.newest_mark();
            start.tables := array(select name from unnest(known) as name where tables is null or name = any (tables));
            start.walk_table := start.tables[1];
        else
            start := rest.cursor_of_text(since);
            if not tables <@ start.tables then
                raise exception 'the cursor does not cover all of these tables'
                    using errcode = 'LT400', hint = 'Begin again with since = null to get the rows of further tables.';
            end if;
            start.tables := coalesce(tables, start.tables);
        end if;
        if start.walk_table is not null then
            page := rest.walk_page(start, max_rows, max_bytes);
        else
            page := rest.delta_page(start, max_rows, max_bytes);
        end if;
        return '{"changes":[' || array_to_string(page.changes, ',') || '],"cursor":'
            || to_json(rest.text_of_cursor(page.next)) || ',"more":' || page.more::text || '}';
    end
    $$;
comment on function public.changes(text, integer, text[]) is
    'Changes of the user''s rows since a cursor. Apply the pages in order: upsert each row, or delete it. Begin with '
    'since = null, which returns all rows; call again with the cursor while more is true, and later to get what has '
    'changed. limit: 1 to 1000 changes per page. tables: only these; a cursor remembers them. Deletions are kept for '
    '90 days; after an older cursor, which is error LT410, begin again.';

grant execute on function rest.row_sql(text), rest.columns_sql(text[], text), rest.object_sql(text[]),
    rest.values_sql(text, text[], text), rest.cluster_identity(),
    rest.changed_keys(pg_snapshot, pg_snapshot, xid8, bigint, text[], integer),
    rest.has_changes(pg_snapshot, pg_snapshot, text[]), rest.newest_mark(), rest.text_of_cursor(rest.changes_cursor),
    rest.cursor_of_text(text), rest.change_text(text, jsonb, json),
    rest.walk_page(rest.changes_cursor, integer, integer), rest.delta_page(rest.changes_cursor, integer, integer),
    public.changes(text, integer, text[])
    to authenticated;
