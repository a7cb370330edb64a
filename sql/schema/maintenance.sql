-- Maintenance by an admin, called by `lectern maintain` and sql/maintenance/. All functions run with the rights of the
-- caller, and only the admin may call them.
--
-- Repairs work in batches and have one signature:
--
-- private.<task>_batch(after, max_rows, is_dry_run, …) → last_id, seen, changed
--
-- `after` is null for the first batch and then the last_id of the previous one, until that is null; each task defines
-- its meaning. `max_rows` is the number of rows that one batch changes. A dry run counts what would be changed. Each
-- batch is complete in itself: an interrupted run loses nothing. Rows that are being written by others are skipped;
-- another run finds them.

-- Calls the batches of a task from psql, each in a transaction of its own, and counts before and after. Cannot run
-- inside a transaction. `options` are further arguments as they appear in a call; `what` is printed beside the counts.
create or replace procedure private.in_batches(
    inout what text, task text, is_dry_run boolean, max_rows integer, options text,
    out count_before bigint, out changed bigint, out count_after bigint
)
    language plpgsql
    as $$
    declare
        -- Counting locks nothing, so larger steps are harmless.
        counting constant integer := 10000;
        batch record;
        place text;
        is_counting boolean;
    begin
        changed := 0;
        foreach is_counting in array case when is_dry_run then array[true] else array[true, false, true] end loop
            if is_counting then
                count_after := 0;
            end if;
            place := null;
            loop
                execute format(
                    'select last_id::text, changed from private.%I(%L, %s, %L%s)', task || '_batch', place,
                    case when is_counting then counting else max_rows end, is_counting, ', ' || nullif(options, ''))
                    into batch;
                commit;
                if is_counting then
                    count_after := count_after + batch.changed;
                else
                    changed := changed + batch.changed;
                end if;
                place := batch.last_id;
                exit when place is null;
            end loop;
            count_before := coalesce(count_before, count_after);
            exit when count_before = 0;
        end loop;
    end
    $$;

-- One batch over a table, from its first page to its last. Counts the rows that are `damaged`, a condition on `t`, or
-- repairs some. `repair` is a statement that takes the rows' ctids as $1 and leaves them undamaged. It goes by pages
-- because every table has them, whatever its key; a row that is written in the meantime moves to another page, and has
-- been repaired by that write or is found by another run. `after` is the page to continue from.
create or replace function private.repair_batch(
    target regclass, damaged text, repair text, after bigint, max_rows integer, is_dry_run boolean,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        first constant bigint := coalesce(after, 0);
        pages constant bigint := pg_relation_size(target) / current_setting('block_size')::bigint;
        -- Looking locks nothing, so larger steps are harmless.
        next bigint := first + case when is_dry_run then 10000 else 64 end;
        those_there constant text := 'from %s t where t.ctid >= ''(%s,0)'' and t.ctid < ''(%s,0)''';
        -- The column with the owner of a row; null for a table without owners.
        owner_column constant text := (select owned.owner_column from private.personal_tables owned
            where owned.name::regclass = target);
        owners uuid[];
        places tid[];
        repaired bigint;
    begin
        if is_dry_run then
            execute format('select count(*) ' || those_there || ' and (%s)', target, first, next, damaged) into changed;
        else
            if owner_column is not null then
                execute format('select array_agg(distinct t.%I) ' || those_there || ' and (%s)', owner_column, target,
                    first, next, damaged) into owners;
                perform rest.lock_writes(owners);
            end if;
            execute format(
                'select array_agg(ctid order by ctid) from (
                    select t.ctid ' || those_there || ' and (%s) order by t.ctid limit %s for update of t skip locked
                ) as locked',
                target, first, next, damaged, max_rows) into places;
            changed := coalesce(cardinality(places), 0);
            if changed > 0 then
                execute repair using places;
                get diagnostics repaired = row_count;
                if repaired = 0 then
                    raise exception 'the repair did not change the damaged rows of %', target;
                end if;
            end if;
            if changed = max_rows then
                -- There may be more on the page of the last row.
                next := (places[changed]::text::point)[0]::bigint;
            end if;
        end if;
        execute format('select count(*) ' || those_there, target, first, next) into seen;
        if next < pages then
            last_id := next;
        end if;
    end
    $$;

-- Tables with timestamps that can be wrong, and what is wrong with a row `t` of each: created before 1990, changed
-- before it was created, or in the future. Up to a minute in the future is accepted, because the clocks of devices
-- differ.
create or replace view private.dated_tables with (security_invoker = true) as
    select name, owner_column,
        concat_ws(' or ',
            $$t.created_at not between '1990-01-01' and now() + interval '1 minute'$$,
            't.updated_at < t.created_at',
            $$t.updated_at > now() + interval '1 minute'$$,
            case when has_acted_at then $$t.acted_at > now() + interval '1 minute'$$ end) as damaged,
        format(
            'update %s t set created_at = repaired.created_at,
                updated_at = greatest(least(t.updated_at, now()), repaired.created_at)%s
            from (
                select ctid as place, case
                    when created_at between ''1990-01-01'' and now() then created_at
                    when updated_at between ''1990-01-01'' and now() then updated_at
                    else now() end as created_at
                from %s where ctid = any ($1)
            ) as repaired
            where t.ctid = repaired.place',
            name,
            case when has_acted_at then ', acted_at = case when t.acted_at > now() then now() else t.acted_at end' end,
            name) as repair
    from (
        select known.name, known.owner_column, bool_or(a.attname = 'acted_at') as has_acted_at
        from private.personal_tables known
        join pg_attribute a on a.attrelid = known.name::regclass and a.attnum > 0 and not a.attisdropped
        where known.schema_name in ('public', 'auth')
        group by known.name, known.owner_column
        having count(*) filter (where a.attname in ('created_at', 'updated_at')) = 2
    ) as tables
    union all
    -- The newest value wins here: one in the future would block all others.
    select 'public.reading_progress', 'user_id', $$t.last_updated > now() + interval '1 minute'$$,
        'update public.reading_progress set last_updated = now() where ctid = any ($1)';
grant select on private.dated_tables to lectern_admin;

create or replace function private.timestamps_batch(
    after bigint, max_rows integer, is_dry_run boolean, of_table text default 'public.links', account uuid default null,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        known private.dated_tables;
    begin
        select * into strict known from private.dated_tables where name = of_table;
        select * into last_id, seen, changed from private.repair_batch(
            known.name::regclass,
            format('(%s) and (%L::uuid is null or t.%I = %L)', known.damaged, account, known.owner_column, account),
            known.repair, after, max_rows, is_dry_run);
    end
    $$;

-- Kinds of orphaned rows: for every foreign key, rows that refer to nothing, which are deleted or updated as the key
-- would have done; pending links without a job, which get one; and expired rows. The jobs process deletes expired mails
-- and exports.
create or replace view private.orphan_kinds with (security_invoker = true) as
    select format('%s without %s (%s)', child.name, parent.name, columns.own) as kind, child.name as target,
        format(
            '(%s) is not null and not exists (select from %s p where (%s) = (%s))', columns.of_row, parent.name,
                columns.theirs,
            columns.of_row) as damaged,
        case
            when k.confdeltype = 'n'
                then format('update %s set %s where ctid = any ($1)', child.name, columns.emptied)
            else format('delete from %s where ctid = any ($1)', child.name)
        end as repair
    from pg_constraint k
    join lateral (
        select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema_name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = k.conrelid
    ) as child on true
    join lateral (
        select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = k.confrelid
    ) as parent on true
    join lateral (
        select string_agg(format('%I', a.attname), ', ' order by place) as own,
            string_agg(format('t.%I', a.attname), ', ' order by place) as of_row,
            string_agg(format('p.%I', b.attname), ', ' order by place) as theirs,
            string_agg(format('%I = null', a.attname), ', ' order by place)
                filter (where k.confdelsetcols is null or a.attnum = any (k.confdelsetcols)) as emptied
        from unnest(k.conkey, k.confkey) with ordinality as pairs (own, their, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = own
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = their
    ) as columns on true
    where k.contype = 'f' and child.schema_name in ('public', 'auth', 'private', 'rest')
    union all
    values
        ('pending public.links without a job', 'public.links',
            $$t.state = 'pending' and not exists (
                select from private.jobs where jobs.link_id = t.id and jobs.state in ('pending', 'running'))
                and exists (select from auth.users where users.id = t.user_id)$$,
            $$with made as (
                insert into private.jobs (kind, user_id, link_id)
                select 'save', user_id, id from public.links where ctid = any ($1)
                on conflict do nothing
                returning id
            )
            select pg_notify('lectern_jobs', '') from made limit 1$$),
        ('expired auth.one_time_tokens', 'auth.one_time_tokens', 't.expires_at < now()',
            'delete from auth.one_time_tokens where ctid = any ($1)'),
        ('auth.api_tokens that expired more than 30 days ago', 'auth.api_tokens',
            $$t.expires_at < now() - interval '30 days'$$,
            'delete from auth.api_tokens where ctid = any ($1)');
grant select on private.orphan_kinds to lectern_admin;

-- The kinds that have orphaned rows, and their numbers.
create or replace function private.orphans() returns table (kind text, orphans bigint)
    language plpgsql
    as $$
    declare
        place bigint;
    begin
        for kind in select known.kind from private.orphan_kinds known order by known.kind loop
            orphans := 0;
            place := null;
            loop
                select batch.last_id, orphans + batch.changed into place, orphans
                    from private.orphans_batch(place, 1, true, kind) as batch;
                exit when place is null;
            end loop;
            if orphans > 0 then
                return next;
            end if;
        end loop;
    end
    $$;

create or replace function private.orphans_batch(
    after bigint, max_rows integer, is_dry_run boolean, of_kind text, out last_id bigint, out seen bigint,
        out changed bigint
)
    language plpgsql
    as $$
    declare
        known private.orphan_kinds;
    begin
        select * into strict known from private.orphan_kinds where kind = of_kind;
        select * into last_id, seen, changed
            from private.repair_batch(known.target::regclass, known.damaged, known.repair, after, max_rows, is_dry_run);
    end
    $$;

grant execute on procedure private.in_batches(text, text, boolean, integer, text) to lectern_admin;

grant execute on function private.repair_batch(regclass, text, text, bigint, integer, boolean),
    private.timestamps_batch(bigint, integer, boolean, text, uuid), private.orphans(),
    private.orphans_batch(bigint, integer, boolean, text)
    to lectern_admin;
