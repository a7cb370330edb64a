-- Views for the admin: storage, activity, queue and the state of tables.

-- What each user stores. Bytes of texts and pages before compression, of the trash as compressed. Pages are those that
-- clients sent, their copies, and those that were fetched.
create or replace view private.storage with (security_invoker = true) as
    select users.email, users.id,
        coalesce(l.n, 0) as links, coalesce(a.n, 0) as articles, coalesce(a.bytes, 0) as text_bytes,
        coalesce(p.n, 0) as pages, coalesce(p.bytes, 0) as page_bytes,
        coalesce(t.n, 0) as trashed, coalesce(t.bytes, 0) as trash_bytes,
        coalesce(h.n, 0) as highlights, coalesce(o.n, 0) as notes, coalesce(g.n, 0) as tags,
            coalesce(c.n, 0) as collections,
        coalesce(e.bytes, 0) as export_bytes,
        coalesce(a.bytes, 0) + coalesce(p.bytes, 0) + coalesce(t.bytes, 0) + coalesce(e.bytes, 0)
            + coalesce(d.bytes, 0) as bytes,
        coalesce(d.n, 0) as documents, coalesce(d.bytes, 0) as document_bytes
    from auth.users
    left join (select user_id, count(*) as n from public.links group by 1) as l on l.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(octet_length(content) + octet_length(text_content))::bigint as bytes
        from public.articles group by 1) as a on a.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(octet_length(html))::bigint as bytes
        from (
            select user_id, html from private.pages
            union all select user_id, html from private.sources
            union all select user_id, html from private.page_copies) as kept
        group by 1) as p on p.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(pg_column_size(link) + pg_column_size(parts))::bigint as bytes
        from public.trash group by 1) as t on t.user_id = users.id
    left join (select user_id, count(*) as n from public.highlights group by 1) as h on h.user_id = users.id
    left join (select user_id, count(*) as n from public.notes group by 1) as o on o.user_id = users.id
    left join (select user_id, count(*) as n from public.tags group by 1) as g on g.user_id = users.id
    left join (select user_id, count(*) as n from public.collections group by 1) as c on c.user_id = users.id
    left join (select user_id, sum(bytes)::bigint as bytes from private.exports group by 1) as e
        on e.user_id = users.id
    left join (select user_id, count(*) as n, sum(bytes)::bigint as bytes from private.documents group by 1) as d
        on d.user_id = users.id;
grant select on private.storage to lectern_admin;

-- What each user does.
create or replace view private.activity with (security_invoker = true) as
    select users.email, users.id,
        coalesce(l.week, 0) as saved_7_days, coalesce(l.month, 0) as saved_30_days, l.last as last_saved_at,
        users.last_sign_in_at, s.last as last_seen_at, coalesce(s.n, 0) as sessions, coalesce(k.n, 0) as api_tokens,
        k.last as token_used_at
    from auth.users
    left join (
        select user_id, max(created_at) as last, count(*) filter (where created_at > now() - interval '7 days') as week,
            count(*) filter (where created_at > now() - interval '30 days') as month
        from public.links group by 1) as l on l.user_id = users.id
    left join (select user_id, count(*) as n, max(refreshed_at) as last from auth.sessions group by 1)
        as s on s.user_id = users.id
    left join (
        select user_id, count(*) filter (where expires_at is null or expires_at > now()) as n, max(last_used_at) as last
        from auth.api_tokens group by 1) as k on k.user_id = users.id;
grant select on private.activity to lectern_admin;

-- The queues of the jobs process: saved links, mails, exports, pictures.
create or replace view private.queue_health with (security_invoker = true) as
    select kind, state, reason, count(*) as jobs, count(*) filter (where is_due) as due,
        now() - min(created_at) as oldest,
        count(*) filter (where state = 'running' and leased_until < now()) as leases_run_out,
            max(attempts) as most_attempts,
        max(interruptions) as most_interruptions
    from (
        select kind, state, reason, state = 'pending' and run_at <= now() as is_due, created_at, leased_until, attempts,
            interruptions
        from private.jobs
        union all
        select 'mail', state, message, state = 'waiting' and run_at <= now(), created_at, null, attempts, 0
        from private.mails where state <> 'sent'
        union all
        select 'export', state, message, state = 'waiting', created_at, leased_until, attempts, 0
        from private.exports where state <> 'ready'
        union all
        select 'picture', state, reason, state = 'pending' and run_at <= now(), created_at, leased_until, attempts,
            interruptions
        from private.picture_jobs
        union all
        select 'picture list', state, null, state = 'pending' and run_at <= now(), run_at, leased_until, attempts, 0
        from private.picture_listings where state <> 'done'
        union all
        select 'book', state, message, state = 'pending' and run_at <= now(), run_at, leased_until, attempts, 0
        from private.link_books where state <> 'done'
        union all
        select 'book of several', state, message, state = 'pending' and run_at <= now(), created_at, leased_until,
            attempts, 0
        from private.made_books where state <> 'done'
        union all
        select 'import', state, reason, state = 'pending' and run_at <= now(), created_at, leased_until, attempts, 0
        from private.imports where state in ('pending', 'running')
    ) as queues
    group by kind, state, reason;
grant select on private.queue_health to lectern_admin;

-- Sizes of tables and indexes, estimated bloat, and problems of indexes. The estimate uses row counts and the average
-- widths that ANALYZE found: a table that was never analyzed has none, and values stored out of line (TOAST) are
-- ignored.
create or replace view private.bloat with (security_invoker = true) as
    with relations as (
        select c.oid, n.nspname, c.relname, c.relkind, c.reltuples, i.indrelid, i.indkey, i.indisvalid, i.indisunique,
            coalesce(substring(array_to_string(c.reloptions, ' ') from 'fillfactor=(\d+)')::integer,
                case when c.relkind = 'i' then 90 else 100 end) as filled,
            pg_relation_size(c.oid) as bytes,
            case when c.relkind = 'i' then pg_relation_size(c.oid) else pg_total_relation_size(c.oid) end as total_bytes
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        left join pg_index i on i.indexrelid = c.oid
        where c.relkind in ('r', 'i') and n.nspname in ('public', 'auth', 'private', 'rest', 'lectern')
    ), widths as (
        select relations.oid, sum(stats.avg_width * (1 - stats.null_frac)) as row_bytes
        from relations
        join pg_class t on t.oid = coalesce(relations.indrelid, relations.oid)
        join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
            and (relations.indkey is null or a.attnum = any (relations.indkey::smallint[]))
        join pg_stats stats on stats.schemaname = relations.nspname and stats.tablename = t.relname
            and stats.attname = a.attname
        group by relations.oid
    ), estimates as (
        select relations.*,
            -- A row has a header of 24 bytes and a pointer of 4, an index entry one of 8 and 4; of the 8192 bytes of a
            -- page 24 are its header. PostgreSQL applies the fillfactor to leaf pages of an index and to inserts into a
            -- table.
            ceil(greatest(reltuples, 0) * (case when relkind = 'i' then 12 else 28 end + ceil(row_bytes / 8) * 8)
                / (8168 * filled / 100.0)) * 8192 as needed_bytes
        from relations left join widths on widths.oid = relations.oid
        where relkind = 'r' or not 0 = any (indkey::smallint[])
        union all
        -- Expressions have no known width.
        select relations.*, null from relations where relkind = 'i' and 0 = any (indkey::smallint[])
    )
    select e.nspname || '.' || e.relname as name, case e.relkind when 'i' then 'index' else 'table' end as kind,
        e.total_bytes as bytes, greatest(e.reltuples, 0)::bigint as rows, stat.n_dead_tup as dead_rows,
        -- The bloat of an index of a few pages is ignored.
        case when e.bytes > 65536 then greatest(e.bytes - e.needed_bytes, 0)::bigint else 0 end as bloat_bytes,
        use.idx_scan as scans,
        nullif(concat_ws('; ',
            case when not e.indisvalid then 'invalid: ' || format('drop index %I.%I', e.nspname, e.relname) end,
            (
                select 'the same as ' || string_agg(twin.indexrelid::regclass::text, ', ')
                from pg_index own join pg_index twin on twin.indrelid = own.indrelid
                    and twin.indexrelid < own.indexrelid
                    and twin.indkey = own.indkey and twin.indclass = own.indclass and twin.indoption = own.indoption
                    and twin.indcollation = own.indcollation
                    and pg_get_expr(twin.indexprs, twin.indrelid)
                        is not distinct from pg_get_expr(own.indexprs, own.indrelid)
                    and pg_get_expr(twin.indpred, twin.indrelid)
                        is not distinct from pg_get_expr(own.indpred, own.indrelid)
                where own.indexrelid = e.oid
            ),
            case when use.idx_scan = 0 and not e.indisunique then 'not used since statistics began' end,
            case when e.relkind = 'i' and e.bytes > 1048576 and e.bytes > 2 * e.needed_bytes
                then format('reindex index concurrently %I.%I', e.nspname, e.relname) end), '') as advice
    from estimates e
    left join pg_stat_user_tables stat on stat.relid = e.oid
    left join pg_stat_user_indexes use on use.indexrelid = e.oid;
grant select on private.bloat to lectern_admin;

-- What VACUUM and ANALYZE did to each table, and which command is advisable. `xid_age` is the age of the oldest row in
-- transactions; PostgreSQL vacuums by itself at autovacuum_freeze_max_age.
create or replace view private.vacuum_advice with (security_invoker = true) as
    select format('%I.%I', s.schemaname, s.relname) as name, s.n_live_tup as rows, s.n_dead_tup as dead_rows,
        round(100.0 * s.n_dead_tup / greatest(s.n_live_tup + s.n_dead_tup, 1), 1) as dead_percent,
        greatest(s.last_vacuum, s.last_autovacuum) as last_vacuum,
            greatest(s.last_analyze, s.last_autoanalyze) as last_analyze,
        s.n_mod_since_analyze as changed_since, age(c.relfrozenxid) as xid_age,
        case
            when age(c.relfrozenxid) > current_setting('autovacuum_freeze_max_age')::bigint / 2
                then format('vacuum (freeze, analyze) %I.%I', s.schemaname, s.relname)
            when s.n_dead_tup > 1000 and s.n_dead_tup > 0.2 * s.n_live_tup
                then format('vacuum (analyze) %I.%I', s.schemaname, s.relname)
            when s.n_mod_since_analyze > 1000 and s.n_mod_since_analyze > 0.2 * s.n_live_tup
                then format('analyze %I.%I', s.schemaname, s.relname)
        end as advice
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname in ('public', 'auth', 'private', 'rest', 'lectern');
grant select on private.vacuum_advice to lectern_admin;
