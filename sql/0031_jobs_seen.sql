-- The queue as the users see it: what waits and why, what became of it, how far a batch is; and a way to take jobs back.

-- Many saves that came together: those of one statement, and of further ones while they are worked on.
create table private.batches (
    id bigint generated always as identity primary key,
    user_id uuid not null references auth.users on delete cascade,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index batches_user_id on private.batches (user_id, id);

alter table private.jobs
    add column batch_id bigint references private.batches on delete set null,
    add column started_at timestamptz;
comment on column private.jobs.started_at is 'When the last lease began.';
create index jobs_batch_id on private.jobs (batch_id) where batch_id is not null;

-- Jobs that are done. Rows are added and, a month later, removed; none is ever changed, so that the queue itself stays small.
--
-- Without foreign keys: a job that ends holds its link, and would wait for the row of a user who is being deleted and wants the link.
create table private.done_jobs (
    id bigint primary key,
    kind text not null,
    user_id uuid not null,
    -- The link may be gone since, or be another's part.
    link_id uuid not null,
    batch_id bigint,
    -- Tries at the page, the last one included.
    attempts integer not null,
    -- Milliseconds by step, of the last try.
    steps jsonb,
    created_at timestamptz not null,
    started_at timestamptz,
    done_at timestamptz not null default clock_timestamp()
);
create index done_jobs_user_id on private.done_jobs (user_id, done_at);
create index done_jobs_batch_id on private.done_jobs (batch_id) where batch_id is not null;
create index done_jobs_done_at on private.done_jobs (done_at);

create function private.forget_done_jobs() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from private.done_jobs where user_id = old.id;
        return null;
    end
    $$;
revoke execute on function private.forget_done_jobs() from public;
create trigger forget_done_jobs after delete on auth.users
    for each row execute function private.forget_done_jobs();

-- Removing rows locks them, which takes the right to change them.
grant select, insert, update, delete on private.done_jobs to lectern_jobs;

-- The jobs of all are worked on by one role, and each user sees the own. Reasons stay on the link, where they are in words for
-- users: the true ones tell names of the server's network.
alter table private.jobs enable row level security;
alter table private.done_jobs enable row level security;
alter table private.batches enable row level security;
create policy own_jobs on private.jobs for select to authenticated using (user_id = (select auth.uid()));
create policy own_done_jobs on private.done_jobs for select to authenticated, job_worker using (user_id = (select auth.uid()));
create policy own_batches on private.batches for select to authenticated using (user_id = (select auth.uid()));
create policy all_jobs on private.jobs to lectern_jobs, lectern_metrics using (true) with check (true);
create policy all_done_jobs on private.done_jobs to lectern_jobs using (true) with check (true);
grant select (id, kind, user_id, link_id, state, attempts, run_at, leased_by, leased_until, batch_id, created_at, started_at, updated_at)
    on private.jobs to authenticated;
grant select on private.done_jobs, private.batches to authenticated;
grant select on private.done_jobs to job_worker;


-- What users see.

create view public.jobs with (security_invoker = true) as
    select jobs.id, jobs.kind, jobs.user_id, jobs.link_id, links.raw_url,
        case
            when jobs.state = 'buried' then 'buried'
            when jobs.state = 'running' and jobs.leased_by is not null then 'running'
            when jobs.attempts > 0 then 'failed'
            else 'pending'
        end as state,
        -- The one under way, and the one that was the last, count as well.
        jobs.attempts + (jobs.state = 'running' and jobs.leased_by is not null
            or jobs.state = 'buried' and links.reason is distinct from 'cancelled')::integer as attempts,
        case
            when jobs.state = 'pending' then jobs.run_at
            when jobs.state = 'running' and jobs.leased_by is null then jobs.leased_until
        end as run_at,
        case when jobs.kind = 'save' then links.reason when jobs.state = 'buried' then 'not_read' end as reason,
        case
            when jobs.kind = 'save' then links.reason_message
            when jobs.state = 'buried' then 'What is kept of the page could not be read again.'
        end as message,
        jobs.batch_id, jobs.created_at, jobs.started_at, null::timestamptz as done_at, null::jsonb as steps
    from private.jobs join public.links on links.id = jobs.link_id
    union all
    select done.id, done.kind, done.user_id, done.link_id, links.raw_url, 'done', done.attempts, null, null, null,
        done.batch_id, done.created_at, done.started_at, done.done_at, done.steps
    from private.done_jobs done left join public.links on links.id = done.link_id
    where done.done_at > now() - interval '30 days';

comment on view public.jobs is
    'What the server does for saved links, for a month. state: pending, running, done, failed (tried again at run_at), buried (given up).';
comment on column public.jobs.kind is 'save: fetch and read; extract: read again what is kept; place: find highlights again.';
comment on column public.jobs.steps is 'Milliseconds of the last try, by step.';

create view public.batches with (security_invoker = true) as
    select batches.id, batches.user_id, batches.created_at,
        now.waiting + now.running + now.failed + now.buried + past.done as jobs,
        past.done, now.running, now.waiting, now.failed, now.buried,
        past.last_minute as done_last_minute,
        case when past.last_minute > 0 then ceil(60.0 * (now.waiting + now.running + now.failed) / past.last_minute)::bigint end as seconds_left,
        case when now.waiting + now.running + now.failed = 0 then coalesce(past.done_at, batches.updated_at) end as done_at
    from private.batches, lateral (
        select count(*) filter (where state = 'buried') as buried,
            count(*) filter (where state = 'running' and leased_by is not null) as running,
            count(*) filter (where state <> 'buried' and (state <> 'running' or leased_by is null) and attempts = 0) as waiting,
            count(*) filter (where state <> 'buried' and (state <> 'running' or leased_by is null) and attempts > 0) as failed
        from private.jobs where batch_id = batches.id
    ) as now, lateral (
        select count(*) as done, count(*) filter (where done_at > now() - interval '1 minute') as last_minute, max(done_at) as done_at
        from private.done_jobs where batch_id = batches.id
    ) as past;

comment on view public.batches is
    'How far the saves of an import are: jobs by state, how many were done in the last minute, and the time left at that rate.';

grant select on public.jobs, public.batches to authenticated;


-- How jobs come and go.

-- The batch of many saves of a user: one that is still worked on, or was begun just now. Two that begin at once make two.
create function private.batch_of(owner uuid) returns bigint
    language plpgsql
    as $$
    declare
        latest bigint;
    begin
        select id into latest
            from (select id, created_at from private.batches where user_id = owner order by id desc limit 1) as newest
            where created_at > now() - interval '5 minutes'
                or exists (select from private.jobs where batch_id = newest.id and state <> 'buried');
        if latest is null then
            -- Old ones, of which nothing is known any more.
            delete from private.batches
                where user_id = owner and created_at < now() - interval '31 days'
                    and not exists (select from private.jobs where batch_id = batches.id)
                    and not exists (select from private.done_jobs where batch_id = batches.id);
            insert into private.batches (user_id) values (owner) returning id into latest;
        end if;
        return latest;
    end
    $$;

-- As in 0004; and tells saves by hand from those in bulk, of which many are a batch.
create or replace function private.enqueue_saved_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        is_awake constant boolean := exists (
            select from private.jobs where state = 'pending' and run_at <= now());
        is_bulk constant boolean := private.is_bulk((select count(*) from saved));
    begin
        -- Materialized: the plan is kept, also one that was made for a single link.
        with batches as materialized (
            select user_id, private.batch_of(user_id) as id
            from (select distinct user_id from saved where is_bulk and state = 'pending') as owners
        )
        insert into private.jobs (kind, user_id, link_id, in_bulk, batch_id)
            select 'save', saved.user_id, saved.id, is_bulk, batches.id
            from saved left join batches using (user_id)
            where saved.state = 'pending'
            on conflict do nothing;
        if found and not is_awake then
            perform pg_notify('lectern_jobs', '');
        end if;
        return null;
    end
    $$;

-- As in 0007; and a try that its user asked for does not wait behind imports, and one that is tried again stays in its batch.
create or replace function private.enqueue_changed_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        claims constant text := current_setting('request.jwt.claims', true);
        is_bulk constant boolean := current_setting('role') <> 'authenticated' or rest.is_import();
        batch bigint;
    begin
        if new.raw_url <> old.raw_url then
            -- In the name of the link's owner, whoever changed it.
            perform set_config('request.jwt.claims', json_build_object('sub', new.user_id)::text, true);
            delete from public.articles where link_id = new.id;
            perform set_config('request.jwt.claims', coalesce(claims, ''), true);
            delete from private.jobs where link_id = new.id;
        else
            with given_up as (delete from private.jobs where link_id = new.id and state = 'buried' returning batch_id)
                select max(batch_id) into batch from given_up;
        end if;
        insert into private.jobs (kind, user_id, link_id, in_bulk, batch_id)
            values ('save', new.user_id, new.id, is_bulk, batch)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0, interruptions = 0, reason = null, message = null,
                in_bulk = jobs.in_bulk and excluded.in_bulk;
        perform pg_notify('lectern_jobs', '');
        return null;
    end
    $$;

-- As in 0007; and the job is remembered as done, with its time by step. Each that is remembered takes two along that are a month
-- old, so that nobody has to sweep.
drop function private.finish_job(bigint, integer, uuid);
create function private.finish_job(job bigint, held integer, link uuid, steps jsonb default null) returns void
    language plpgsql
    as $$
    begin
        with ended as (
            delete from private.jobs where id = job and lease = held and link_id = link and state = 'running'
            returning jobs.*
        )
        insert into private.done_jobs (id, kind, user_id, link_id, batch_id, attempts, steps, created_at, started_at)
            select id, kind, user_id, link_id, batch_id, attempts + 1, finish_job.steps, created_at, started_at from ended;
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
        delete from private.done_jobs where id in (
            select id from private.done_jobs where done_at < now() - interval '30 days' order by done_at limit 2 for update skip locked);
    end
    $$;

-- Puts a job back for later that has not been tried: its site has others of ours at work. When the link has a newer waiting job,
-- that one is enough.
create function private.postpone_job(job bigint, held integer, link uuid, delay interval) returns void
    language plpgsql
    as $$
    begin
        begin
            update private.jobs
                set state = 'pending', run_at = now() + delay, leased_by = null, leased_until = null, updated_at = now()
                where id = job and lease = held and link_id = link and state = 'running';
        exception when unique_violation then
            delete from private.jobs where id = job and lease = held and link_id = link and state = 'running';
        end;
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
    end
    $$;

grant execute on function
    private.finish_job(bigint, integer, uuid, jsonb), private.postpone_job(bigint, integer, uuid, interval) to lectern_jobs;

-- Takes back what waits to be fetched, unless its link is being worked on. The links stay as they were saved: those with an article
-- as before, and the others have failed for this reason and can be tried again like any.
create function private.cancel_jobs(jobs_wanted bigint[]) returns integer
    language plpgsql
    as $$
    declare
        free uuid[];
        cancelled uuid[];
        words constant text := 'It was taken out of the queue before it was fetched.';
    begin
        -- Links before their jobs, as whoever saves or stores does.
        select array_agg(id) into free from (
            select id from public.links
            where id in (select link_id from private.jobs where id = any (jobs_wanted))
            order by id
            for no key update skip locked) as links;
        with taken as (
            select id, link_id from private.jobs
            where id = any (jobs_wanted) and link_id = any (free) and kind = 'save'
                and (state = 'pending' or state = 'running' and leased_by is null)
                and not exists (
                    select from private.jobs other
                    where other.link_id = jobs.link_id and other.state = 'running' and other.leased_by is not null)
            for update skip locked
        ), kept as (
            update private.jobs set state = 'buried', leased_by = null, leased_until = null, lease = lease + 1,
                reason = 'cancelled', message = words, updated_at = now()
            from taken
            where jobs.id = taken.id and not exists (select from public.articles where articles.link_id = taken.link_id)
        ), dropped as (
            delete from private.jobs using taken
            where jobs.id = taken.id and exists (select from public.articles where articles.link_id = taken.link_id)
        )
        select array_agg(link_id) into cancelled from taken;
        update public.links
            set state = case when has.article then 'ready' else 'failed' end,
                reason = case when not has.article then 'cancelled' end,
                reason_message = case when not has.article then words end
            from unnest(cancelled) as taken (id), lateral (
                select exists (select from public.articles where link_id = taken.id) as article) as has
            where links.id = taken.id and links.state = 'pending';
        perform pg_notify('lectern_links', user_id || ' ' || id) from public.links where id = any (cancelled);
        return coalesce(cardinality(cancelled), 0);
    end
    $$;
revoke execute on function private.cancel_jobs(bigint[]) from public;

-- Takes back what of one's own waits: of a batch, or these links, or all.
create function public.cancel_jobs(batch_id bigint default null, link_ids uuid[] default null) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := auth.uid();
    begin
        if me is null then
            raise exception 'This asks for a signed-in user.' using errcode = '42501';
        end if;
        return private.cancel_jobs(array(
            select id from private.jobs
            where user_id = me and kind = 'save' and state <> 'buried'
                and (cancel_jobs.batch_id is null or jobs.batch_id = cancel_jobs.batch_id)
                and (cancel_jobs.link_ids is null or jobs.link_id = any (cancel_jobs.link_ids))
                and (state = 'pending' or state = 'running' and leased_by is null)
            -- What one statement has the time for.
            limit 10000));
    end
    $$;
comment on function public.cancel_jobs(bigint, uuid[]) is
    'Takes saves back that wait to be fetched: of a batch, of these links, or all; 10,000 at a time. Answers how many. The links stay.';
revoke execute on function public.cancel_jobs(bigint, uuid[]) from public;
grant execute on function public.cancel_jobs(bigint, uuid[]) to authenticated;

-- What a client holds of these links is not the latest any more.
create trigger count_cancelled after update on public.links
    for each row
    when (current_user = 'lectern_owner' and old.state = 'pending' and new.state <> 'pending')
    execute function rest.count_change();
