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
        places tid[];
        repaired bigint;
    begin
        if is_dry_run then
            execute format('select count(*) ' || those_there || ' and (%s)', target, first, next, damaged) into changed;
        else
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

-- Queues links again. Their jobs are spaced out behind all pending ones, so that new saves do not wait. What the user
-- wrote does not change.
create or replace function private.requeue_links(wanted uuid[], spacing interval, forgets_address boolean)
    returns bigint
    language plpgsql
    as $$
    declare
        -- Jobs that have been tried wait for reasons of their own, longer than others should wait behind them.
        behind constant timestamptz := greatest(now(), (
            select run_at from private.jobs where state = 'pending' and attempts = 0 order by run_at desc limit 1));
        queued uuid[];
    begin
        with locked as (
            select id from public.links where id = any (wanted) and state <> 'pending' for no key update skip locked
        ), written as (
            update public.links
            set state = 'pending', reason = null, reason_message = null,
                resolved_url = case when not forgets_address then resolved_url end
            from locked
            where links.id = locked.id
            returning links.id
        )
        select array_agg(id) into queued from written;
        -- The trigger has added the jobs.
        update private.jobs
            set run_at = behind + spacing * place
            from unnest(queued) with ordinality as known (link_id, place)
            where jobs.link_id = known.link_id and jobs.state = 'pending';
        return coalesce(cardinality(queued), 0);
    end
    $$;

-- Resolves links again: those in one of these states that were saved before a given time.
create or replace function private.re_resolve_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null, states text[] default '{failed}',
    saved_before timestamptz default 'infinity', spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    -- A generic plan, for one account and for all, would scan from the first id.
    set plan_cache_mode = force_custom_plan
    as $$
    declare
        wanted uuid[];
    begin
        wanted := array(
            select id from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or user_id = account)
                and state = any (states) and state <> 'pending' and created_at < saved_before
            order by id
            limit max_rows);
        seen := cardinality(wanted);
        changed := seen;
        if seen = max_rows then
            last_id := wanted[seen];
        end if;
        if not is_dry_run and seen > 0 then
            changed := private.requeue_links(wanted, spacing, true);
        end if;
    end
    $$;

-- Extracts articles again: those made by an older extractor than `newest` (default: the newest that any article is
-- from), and missing ones without a reason; with `even_without` also where no article was found. Reads the stored page
-- if there is one, without the network, and queues behind everything else. Includes pages that clients sent. A page
-- that this extractor has read already is skipped.
create or replace function private.re_extract_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null, newest integer default null,
    even_without boolean default false, spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    set plan_cache_mode = force_custom_plan
    as $$
    declare
        wanted uuid[];
        kept uuid[];
        known constant integer := coalesce(newest, (select max(extractor_version) from public.articles));
        behind timestamptz;
    begin
        select array_agg(id order by id), array_agg(id order by id) filter (where has_kept) into wanted, kept
        from (
            select links.id, page.has_kept
            from public.links left join public.articles on articles.link_id = links.id
            cross join lateral (
                select count(*) > 0 as has_kept, count(*) filter (where coalesce(read_by, 0) < known) > 0 as has_unread,
                    count(*) filter (where is_sent and read_by is null) > 0 as has_new
                from (
                    select read_by, false as is_sent from private.sources
                    where link_id = links.id
                        and (asked_url = links.raw_url or kind = 'client'
                            and rest.link_of_url(links.user_id, asked_url) = links.id)
                    union all
                    select read_by, true from private.pages
                    where link_id = links.id and (url = links.raw_url
                        or rest.link_of_url(links.user_id, url) = links.id)
                ) as pages
            ) as page
            where (after is null or links.id > after) and (account is null or links.user_id = account)
                and links.state = 'ready'
                and not exists (
                    select from private.jobs where link_id = links.id and kind in ('save', 'extract')
                        and state <> 'buried')
                and (page.has_new or case
                    when articles.link_id is null then links.reason is null or even_without
                        and (page.has_unread or not page.has_kept)
                    else articles.extractor_version < known
                        and case when page.has_kept then page.has_unread else articles.source = 'server' end
                    end)
            order by links.id
            limit max_rows) as links;
        seen := coalesce(cardinality(wanted), 0);
        changed := seen;
        if seen = max_rows then
            last_id := wanted[seen];
        end if;
        if is_dry_run or seen = 0 then
            return;
        end if;
        changed := private.requeue_links(
            array(select id from unnest(wanted) as id where id <> all (coalesce(kept, '{}'))), spacing, false);
        behind := greatest(now(), (
            select run_at from private.jobs where state = 'pending' and attempts = 0 order by run_at desc limit 1));
        with queued as (
            insert into private.jobs (kind, user_id, link_id, run_at)
                select 'extract', user_id, links.id, behind + spacing * place
                from unnest(kept) with ordinality as these (id, place) join public.links using (id)
                on conflict do nothing
                returning id)
        select changed + count(*) into changed from queued;
        if kept is not null then
            perform pg_notify('lectern_jobs', '');
        end if;
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

grant execute on procedure private.in_batches(text, text, boolean, integer, text) to lectern_admin;

grant execute on function private.repair_batch(regclass, text, text, bigint, integer, boolean),
    private.timestamps_batch(bigint, integer, boolean, text, uuid), private.requeue_links(uuid[], interval, boolean),
    private.re_resolve_batch(uuid, integer, boolean, uuid, text[], timestamp with time zone, interval),
    private.re_extract_batch(uuid, integer, boolean, uuid, integer, boolean, interval), private.orphans(),
    private.orphans_batch(bigint, integer, boolean, text),
    private.purge_batch(bigint, integer, boolean, text, integer, uuid)
    to lectern_admin;
