-- What an admin mends and looks at; `lectern maintain` and sql/maintenance/ call it.
--
-- All of it runs with the rights of who calls it, and nobody but the admin may.
--
-- What is mended in batches has one shape:
--     private.<task>_batch(after, most, is_dry_run, …) → last_id, seen, changed
-- `after` is null at first and then the last_id of the batch before, until that is null; what it means is the task's own
-- business. `most` is how many rows one batch changes. A dry run counts what would be changed. Each batch is complete in itself, so
-- that a run which is killed costs nothing, and steps over rows that somebody else is writing: another run finds them.

-- Calls a task's batches from psql, each in a transaction of its own, and counts before and after. Not inside a transaction.
-- `options` are further arguments as they stand in a call; `what` is said beside the counts.
create procedure private.in_batches(
    inout what text, task text, is_dry_run boolean, most integer, options text,
    out count_before bigint, out changed bigint, out count_after bigint
)
    language plpgsql
    as $$
    declare
        -- Nothing is locked while counting, so that larger steps do no harm.
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
                    case when is_counting then counting else most end, is_counting, ', ' || nullif(options, ''))
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

-- One batch over a table from its first page to its last: of the rows that are `damaged`, a condition on `t`, tells how many
-- there are, or has some mended. `mend` is a statement with the rows' places as its $1, after which they are not damaged any
-- more. Pages, because every table has them, whatever its key; a row that is written meanwhile moves to another page and is
-- mended already, or found by another run. `after` is the page to go on from.
create function private.mend_pages(
    target regclass, damaged text, mend text, after bigint, most integer, is_dry_run boolean,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        first constant bigint := coalesce(after, 0);
        pages constant bigint := pg_relation_size(target) / current_setting('block_size')::bigint;
        -- Looking locks nothing, so that larger steps do no harm.
        next bigint := first + case when is_dry_run then 10000 else 64 end;
        those_there constant text := 'from %s t where t.ctid >= ''(%s,0)'' and t.ctid < ''(%s,0)''';
        places tid[];
        mended bigint;
    begin
        if is_dry_run then
            execute format('select count(*) ' || those_there || ' and (%s)', target, first, next, damaged) into changed;
        else
            execute format(
                'select array_agg(ctid order by ctid) from (
                    select t.ctid ' || those_there || ' and (%s) order by t.ctid limit %s for update of t skip locked
                ) as locked',
                target, first, next, damaged, most) into places;
            changed := coalesce(cardinality(places), 0);
            if changed > 0 then
                execute mend using places;
                get diagnostics mended = row_count;
                if mended = 0 then
                    raise exception 'rows of % stay as they are', target;
                end if;
            end if;
            if changed = most then
                -- There may be more on the page of the last one.
                next := (places[changed]::text::point)[0]::bigint;
            end if;
        end if;
        execute format('select count(*) ' || those_there, target, first, next) into seen;
        if next < pages then
            last_id := next;
        end if;
    end
    $$;


-- Time stamps.

-- Tables of users with time stamps that can be wrong, and what is wrong with a row `t` of each: made before there was anything
-- to save, changed before it was made, or in the future. A minute of the future is none: clocks of devices differ.
create view private.dated_tables with (security_invoker = true) as
    select name, owner_column,
        concat_ws(' or ',
            $$t.created_at not between '1990-01-01' and now() + interval '1 minute'$$,
            't.updated_at < t.created_at',
            $$t.updated_at > now() + interval '1 minute'$$,
            case when has_acted_at then $$t.acted_at > now() + interval '1 minute'$$ end) as damaged,
        format(
            'update %s t set created_at = mended.created_at,
                updated_at = greatest(least(t.updated_at, now()), mended.created_at)%s
            from (
                select ctid as place, case
                    when created_at between ''1990-01-01'' and now() then created_at
                    when updated_at between ''1990-01-01'' and now() then updated_at
                    else now() end as created_at
                from %s where ctid = any ($1)
            ) as mended
            where t.ctid = mended.place',
            name, case when has_acted_at then ', acted_at = case when t.acted_at > now() then now() else t.acted_at end' end,
            name) as mend
    from (
        select known.name, known.owner_column, bool_or(a.attname = 'acted_at') as has_acted_at
        from private.personal_tables known
        join pg_attribute a on a.attrelid = known.name::regclass and a.attnum > 0 and not a.attisdropped
        where known.schema_name in ('public', 'auth')
        group by known.name, known.owner_column
        having count(*) filter (where a.attname in ('created_at', 'updated_at')) = 2
    ) as tables
    union all
    -- The newest wins here: a place that was read to in the future would keep all others out.
    select 'public.reading_progress', 'user_id', $$t.last_updated > now() + interval '1 minute'$$,
        'update public.reading_progress set last_updated = now() where ctid = any ($1)';

create function private.timestamps_batch(
    after bigint, most integer, is_dry_run boolean, of_table text default 'public.links', account uuid default null,
    out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        known private.dated_tables;
    begin
        select * into strict known from private.dated_tables where name = of_table;
        select * into last_id, seen, changed from private.mend_pages(
            known.name::regclass,
            format('(%s) and (%L::uuid is null or t.%I = %L)', known.damaged, account, known.owner_column, account),
            known.mend, after, most, is_dry_run);
    end
    $$;


-- Another try.

-- Puts links back into the queue, each so much later than the one before and behind all that waits, so that what is saved
-- meanwhile is not kept waiting. What the user wrote stays as it is.
create function private.queue_again(wanted uuid[], spacing interval, forgets_address boolean) returns bigint
    language plpgsql
    as $$
    declare
        -- What was tried before waits for reasons of its own, and longer than anybody should wait behind it.
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
        -- The trigger has made the jobs.
        update private.jobs
            set run_at = behind + spacing * place
            from unnest(queued) with ordinality as known (link_id, place)
            where jobs.link_id = known.link_id and jobs.state = 'pending';
        return coalesce(cardinality(queued), 0);
    end
    $$;

-- Resolves links anew: those in one of these states that were saved before that time.
create function private.re_resolve_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null, states text[] default '{failed}',
    saved_before timestamptz default 'infinity', spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    -- A plan for all accounts and none would read from the first id on again.
    set plan_cache_mode = force_custom_plan
    as $$
    declare
        wanted uuid[];
    begin
        wanted := array(
            select id from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000') and (account is null or user_id = account)
                and state = any (states) and state <> 'pending' and created_at < saved_before
            order by id
            limit most);
        seen := cardinality(wanted);
        changed := seen;
        if seen = most then
            last_id := wanted[seen];
        end if;
        if not is_dry_run and seen > 0 then
            changed := private.queue_again(wanted, spacing, true);
        end if;
    end
    $$;

-- Extracts articles anew: those an older extractor made (older than the newest at work, unless told), and those that are
-- missing although nothing says why; with `even_without` also where no article was found. Not what a client saw with its own
-- eyes: the server may see less.
create function private.re_extract_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null, newest integer default null,
    even_without boolean default false, spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    set plan_cache_mode = force_custom_plan
    as $$
    declare
        wanted uuid[];
        known constant integer := coalesce(newest, (select max(extractor_version) from public.articles));
    begin
        wanted := array(
            select links.id
            from public.links left join public.articles on articles.link_id = links.id
            where (after is null or links.id > after) and (account is null or links.user_id = account) and links.state = 'ready'
                and case
                    when articles.link_id is null then links.reason is null or even_without
                    else articles.extractor_version < known and articles.source = 'server' end
            order by links.id
            limit most);
        seen := cardinality(wanted);
        changed := seen;
        if seen = most then
            last_id := wanted[seen];
        end if;
        if not is_dry_run and seen > 0 then
            changed := private.queue_again(wanted, spacing, false);
        end if;
    end
    $$;


-- What hangs on nothing.

-- Kinds of it: for every foreign key the rows that point nowhere, which go as they would have gone with what they point at;
-- links that wait without a job, which get one; and what has expired without anybody noticing. (Mails and exports that have
-- expired are swept by the jobs process.)
create view private.orphan_kinds with (security_invoker = true) as
    select format('%s without %s (%s)', child.name, parent.name, columns.own) as kind, child.name as target,
        format(
            '(%s) is not null and not exists (select from %s p where (%s) = (%s))', columns.of_row, parent.name, columns.theirs,
            columns.of_row) as damaged,
        case
            when k.confdeltype = 'n'
                then format('update %s set %s where ctid = any ($1)', child.name, columns.emptied)
            else format('delete from %s where ctid = any ($1)', child.name)
        end as mend
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
        ('public.links that wait without a job', 'public.links',
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
        ('auth.one_time_tokens that have expired', 'auth.one_time_tokens', 't.expires_at < now()',
            'delete from auth.one_time_tokens where ctid = any ($1)'),
        ('auth.api_tokens that expired a month ago', 'auth.api_tokens', $$t.expires_at < now() - interval '30 days'$$,
            'delete from auth.api_tokens where ctid = any ($1)');

create function private.orphans_batch(
    after bigint, most integer, is_dry_run boolean, of_kind text, out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        known private.orphan_kinds;
    begin
        select * into strict known from private.orphan_kinds where kind = of_kind;
        select * into last_id, seen, changed
            from private.mend_pages(known.target::regclass, known.damaged, known.mend, after, most, is_dry_run);
    end
    $$;

-- As in 0012; and a row whose owner is not there can be deleted.
create or replace function rest.count_change() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := case when tg_op = 'DELETE' or tg_nargs > 0 then old.user_id else new.user_id end;
        own_slot constant smallint := pg_backend_pid() % 16;
        counted text := current_setting('rest.counted', true);
    begin
        if counted = owner::text then
            return null;
        end if;
        update rest.changes set n = n + 1 where user_id = owner and slot = own_slot;
        if not found then
            insert into rest.changes as known (user_id, slot, n)
                select users.id, own_slot, 1 from auth.users where users.id = owner
                on conflict (user_id, slot) do update set n = known.n + 1;
        end if;
        -- An assignment, as `perform` takes a query's way.
        counted := set_config('rest.counted', owner::text, true);
        return null;
    end
    $$;

-- The kinds of which there are any, and how many.
create function private.orphans() returns table (kind text, orphans bigint)
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

-- Deletes for good what is older than so many days: trashed links, or what merges replaced, which can not be undone then.
create function private.purge_batch(
    after bigint, most integer, is_dry_run boolean, of_table text, days integer, account uuid default null,
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
        select * into last_id, seen, changed from private.mend_pages(
            of_table::regclass,
            format(
                't.%I < now() - make_interval(days => %s) and (%L::uuid is null or t.user_id = %L)', dated, days, account, account),
            format('delete from %s where ctid = any ($1)', of_table), after, most, is_dry_run);
    end
    $$;


-- One entry a page.

-- Old links: gives keys to those that have none, and merges those that are one page: of one key, or leading to one.
create function private.duplicates_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        -- Looking locks nothing, so that larger steps do no harm.
        most_seen constant integer := case when is_dry_run then most else 500 end;
        link record;
        key text;
        page text;
        -- Of its key, and of the key of where it leads.
        twin uuid;
        leads_to uuid;
        -- Nobody's yet.
        is_new_name boolean;
    begin
        seen := 0;
        changed := 0;
        for link in
            select id, user_id, raw_url, resolved_url, dedupe_key, is_kept_apart from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000') and (account is null or user_id = account)
            order by id limit most_seen
        loop
            last_id := link.id;
            seen := seen + 1;
            continue when link.is_kept_apart;
            key := coalesce(link.dedupe_key, rest.dedupe_key(link.raw_url));
            continue when key is null;
            twin := null;
            if link.dedupe_key is null then
                twin := rest.link_of_key(link.user_id, key);
            end if;
            leads_to := null;
            is_new_name := false;
            if link.resolved_url <> link.raw_url then
                page := rest.dedupe_key(link.resolved_url);
                if page <> key then
                    leads_to := rest.link_of_key(link.user_id, page);
                end if;
                -- Most lead to themselves; only the others are worth a closer look.
                if page <> key and leads_to is distinct from link.id and rest.is_page_of_key(key, page) then
                    is_new_name := leads_to is null;
                    if exists (select from public.links where id = leads_to and is_kept_apart) then
                        leads_to := null;
                    end if;
                else
                    leads_to := null;
                end if;
            end if;
            continue when link.dedupe_key is not null and leads_to is null and not is_new_name;
            changed := changed + 1;
            continue when is_dry_run;
            if link.dedupe_key is null and twin is distinct from link.id then
                if twin is null or rest.meet(link.id, twin, 'clean-up') is null then
                    update public.links set is_kept_apart = twin is not null, dedupe_key = key where id = link.id;
                end if;
            elsif link.dedupe_key is null then
                -- The key was its other name.
                delete from public.link_aliases where link_id = link.id and kind = 'key' and value = key;
                update public.links set dedupe_key = key where id = link.id;
            end if;
            if leads_to is not null then
                perform rest.meet(link.id, leads_to, 'clean-up');
            elsif is_new_name then
                insert into public.link_aliases (user_id, link_id, kind, value)
                    select user_id, id, 'key', page from public.links where id = link.id
                    on conflict do nothing;
            end if;
            exit when changed >= most;
        end loop;
        if seen < most_seen and (changed < most or is_dry_run) then
            last_id := null;
        end if;
    end
    $$;

-- Gives a link the key that its address has by the present rules, or merges it with the link that has it. What is left.
create function private.rekey_link(link uuid, owner uuid) returns uuid
    language plpgsql
    as $$
    declare
        survivor uuid := link;
        -- The link, and those that had to give up a key that is theirs by older rules only.
        pending uuid[] := array[link];
        one uuid;
        other uuid;
        met uuid;
        key text;
    begin
        while cardinality(pending) > 0 loop
            one := pending[1];
            pending := pending[2:];
            select rest.dedupe_key(raw_url) into key from public.links where id = one;
            other := rest.link_of_key(owner, key);
            perform set_config('rest.rekeying', 'on', true);
            update public.links set dedupe_key = null
                where id = other and id <> one and dedupe_key = key and rest.dedupe_key(raw_url) is distinct from key;
            if found then
                pending := pending || other;
                other := null;
            end if;
            perform set_config('rest.rekeying', '', true);
            if other is null or other = one then
                delete from public.link_aliases where link_id = one and kind = 'key' and value = key;
                update public.links set dedupe_key = key where id = one;
                continue;
            end if;
            met := rest.meet(one, other, 'clean-up');
            if met is null then
                -- Its user wants one of them apart. The trigger finds that the key is taken.
                update public.links set is_kept_apart = true where id = one;
            elsif survivor in (one, other) then
                survivor := met;
            end if;
        end loop;
        return survivor;
    end
    $$;

-- After a change of the rules or of the list of tracking parameters: brings keys to them, and merges what meets by that.
create function private.rekey_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        most_seen constant integer := case when is_dry_run then most else 500 end;
        link record;
        alias record;
        other uuid;
        -- The link, or what it was merged into.
        target uuid;
        is_changed boolean;
    begin
        seen := 0;
        changed := 0;
        for link in
            select id, user_id, dedupe_key, canonical_key, is_kept_apart, rest.dedupe_key(raw_url) as key from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000') and (account is null or user_id = account)
            order by id limit most_seen
        loop
            last_id := link.id;
            seen := seen + 1;
            is_changed := false;
            target := link.id;
            -- What has no key although it could waits for `duplicates`, or is kept apart.
            if link.dedupe_key is not null and link.key is distinct from link.dedupe_key then
                is_changed := true;
                if not is_dry_run then
                    target := private.rekey_link(link.id, link.user_id);
                end if;
            end if;
            for alias in
                select id, link_id, rest.dedupe_key(value) as key from public.link_aliases
                where link_id = target and kind = 'key' and value <> rest.dedupe_key(value)
            loop
                is_changed := true;
                continue when is_dry_run;
                other := rest.link_of_key(link.user_id, alias.key);
                delete from public.link_aliases where id = alias.id;
                if other is null then
                    insert into public.link_aliases (user_id, link_id, kind, value)
                        values (link.user_id, alias.link_id, 'key', alias.key);
                else
                    perform rest.meet(alias.link_id, other, 'clean-up');
                end if;
            end loop;
            if link.canonical_key <> rest.dedupe_key(link.canonical_key) then
                is_changed := true;
                if not is_dry_run then
                    update public.links set canonical_key = rest.dedupe_key(canonical_key) where id = target;
                end if;
            end if;
            changed := changed + is_changed::integer;
            exit when changed >= most and not is_dry_run;
        end loop;
        if seen < most_seen and (changed < most or is_dry_run) then
            last_id := null;
        end if;
    end
    $$;


-- What there is to know.

-- What each user keeps. Bytes of texts and pages before compression, of the trash as it lies on disk.
create view private.storage with (security_invoker = true) as
    select users.email, users.id,
        coalesce(l.n, 0) as links, coalesce(a.n, 0) as articles, coalesce(a.bytes, 0) as text_bytes,
        coalesce(p.n, 0) as pages, coalesce(p.bytes, 0) as page_bytes,
        coalesce(t.n, 0) as trashed, coalesce(t.bytes, 0) as trash_bytes,
        coalesce(h.n, 0) as highlights, coalesce(o.n, 0) as notes, coalesce(g.n, 0) as tags, coalesce(c.n, 0) as collections,
        coalesce(e.bytes, 0) as export_bytes,
        coalesce(a.bytes, 0) + coalesce(p.bytes, 0) + coalesce(t.bytes, 0) + coalesce(e.bytes, 0) as bytes
    from auth.users
    left join (select user_id, count(*) as n from public.links group by 1) as l on l.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(octet_length(content) + octet_length(text_content))::bigint as bytes
        from public.articles group by 1) as a on a.user_id = users.id
    left join (select user_id, count(*) as n, sum(octet_length(html))::bigint as bytes from private.pages group by 1) as p
        on p.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(pg_column_size(link) + pg_column_size(parts))::bigint as bytes
        from public.trash group by 1) as t on t.user_id = users.id
    left join (select user_id, count(*) as n from public.highlights group by 1) as h on h.user_id = users.id
    left join (select user_id, count(*) as n from public.notes group by 1) as o on o.user_id = users.id
    left join (select user_id, count(*) as n from public.tags group by 1) as g on g.user_id = users.id
    left join (select user_id, count(*) as n from public.collections group by 1) as c on c.user_id = users.id
    left join (select user_id, sum(bytes)::bigint as bytes from private.exports group by 1) as e on e.user_id = users.id;

-- What each user does.
create view private.activity with (security_invoker = true) as
    select users.email, users.id,
        coalesce(l.week, 0) as saved_7_days, coalesce(l.month, 0) as saved_30_days, l.last as last_saved_at,
        users.last_sign_in_at, s.last as last_seen_at, coalesce(s.n, 0) as sessions, coalesce(k.n, 0) as api_tokens,
        k.last as token_used_at
    from auth.users
    left join (
        select user_id, max(created_at) as last, count(*) filter (where created_at > now() - interval '7 days') as week,
            count(*) filter (where created_at > now() - interval '30 days') as month
        from public.links group by 1) as l on l.user_id = users.id
    left join (select user_id, count(*) as n, max(refreshed_at) as last from auth.sessions group by 1) as s on s.user_id = users.id
    left join (
        select user_id, count(*) filter (where expires_at is null or expires_at > now()) as n, max(last_used_at) as last
        from auth.api_tokens group by 1) as k on k.user_id = users.id;

-- How what waits for the jobs process is: saved links, mails, exports.
create view private.queue_health with (security_invoker = true) as
    select kind, state, reason, count(*) as jobs, count(*) filter (where is_due) as due, now() - min(created_at) as oldest,
        count(*) filter (where state = 'running' and leased_until < now()) as leases_run_out, max(attempts) as most_attempts,
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
    ) as queues
    group by kind, state, reason;

-- How large tables and indexes are, about how much of that is air, and what is wrong with an index. The estimate counts rows and
-- the average widths ANALYZE found, so a table that was never analyzed has none; texts that lie apart (TOAST) are left out.
create view private.bloat with (security_invoker = true) as
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
        join pg_stats stats on stats.schemaname = relations.nspname and stats.tablename = t.relname and stats.attname = a.attname
        group by relations.oid
    ), estimates as (
        select relations.*,
            -- A row has a header of 24 bytes and a pointer of 4, an index entry one of 8 and 4; a page of 8192 has 24 of its own.
            -- PostgreSQL keeps a fillfactor on the leaves of an index and in what is inserted into a table.
            ceil(greatest(reltuples, 0) * (case when relkind = 'i' then 12 else 28 end + ceil(row_bytes / 8) * 8)
                / (8168 * filled / 100.0)) * 8192 as needed_bytes
        from relations left join widths on widths.oid = relations.oid
        where relkind = 'r' or not 0 = any (indkey::smallint[])
        union all
        -- Expressions have no width that is known here.
        select relations.*, null from relations where relkind = 'i' and 0 = any (indkey::smallint[])
    )
    select e.nspname || '.' || e.relname as name, case e.relkind when 'i' then 'index' else 'table' end as kind,
        e.total_bytes as bytes, greatest(e.reltuples, 0)::bigint as rows, stat.n_dead_tup as dead_rows,
        -- An index of a page or two is no matter.
        case when e.bytes > 65536 then greatest(e.bytes - e.needed_bytes, 0)::bigint else 0 end as bloat_bytes,
        use.idx_scan as scans,
        nullif(concat_ws('; ',
            case when not e.indisvalid then 'invalid: ' || format('drop index %I.%I', e.nspname, e.relname) end,
            (
                select 'the same as ' || string_agg(twin.indexrelid::regclass::text, ', ')
                from pg_index own join pg_index twin on twin.indrelid = own.indrelid and twin.indexrelid < own.indexrelid
                    and twin.indkey = own.indkey and twin.indclass = own.indclass and twin.indoption = own.indoption
                    and twin.indcollation = own.indcollation
                    and pg_get_expr(twin.indexprs, twin.indrelid) is not distinct from pg_get_expr(own.indexprs, own.indrelid)
                    and pg_get_expr(twin.indpred, twin.indrelid) is not distinct from pg_get_expr(own.indpred, own.indrelid)
                where own.indexrelid = e.oid
            ),
            case when use.idx_scan = 0 and not e.indisunique then 'not used since statistics began' end,
            case when e.relkind = 'i' and e.bytes > 1048576 and e.bytes > 2 * e.needed_bytes
                then format('reindex index concurrently %I.%I', e.nspname, e.relname) end), '') as advice
    from estimates e
    left join pg_stat_user_tables stat on stat.relid = e.oid
    left join pg_stat_user_indexes use on use.indexrelid = e.oid;

-- What VACUUM and ANALYZE did to each table, and what there is to run. `xid_age` is how many transactions the oldest row has
-- seen; PostgreSQL itself steps in at autovacuum_freeze_max_age.
create view private.vacuum_advice with (security_invoker = true) as
    select format('%I.%I', s.schemaname, s.relname) as name, s.n_live_tup as rows, s.n_dead_tup as dead_rows,
        round(100.0 * s.n_dead_tup / greatest(s.n_live_tup + s.n_dead_tup, 1), 1) as dead_percent,
        greatest(s.last_vacuum, s.last_autovacuum) as last_vacuum, greatest(s.last_analyze, s.last_autoanalyze) as last_analyze,
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


grant execute on procedure private.in_batches(text, text, boolean, integer, text) to lectern_admin;
grant execute on function
    private.mend_pages(regclass, text, text, bigint, integer, boolean),
    private.timestamps_batch(bigint, integer, boolean, text, uuid),
    private.queue_again(uuid[], interval, boolean),
    private.re_resolve_batch(uuid, integer, boolean, uuid, text[], timestamptz, interval),
    private.re_extract_batch(uuid, integer, boolean, uuid, integer, boolean, interval),
    private.orphans_batch(bigint, integer, boolean, text), private.orphans(),
    private.purge_batch(bigint, integer, boolean, text, integer, uuid),
    private.duplicates_batch(uuid, integer, boolean, uuid), private.rekey_batch(uuid, integer, boolean, uuid),
    private.rekey_link(uuid, uuid)
    to lectern_admin;
grant select on private.dated_tables, private.orphan_kinds, private.storage, private.activity, private.queue_health,
    private.bloat, private.vacuum_advice
    to lectern_admin;
