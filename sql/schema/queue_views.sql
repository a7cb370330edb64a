-- The queue as users see it, and cancelling.

-- The jobs of a user, finished ones included.
create or replace view public.jobs with (security_invoker = true) as
    select jobs.id, jobs.kind, jobs.user_id, jobs.link_id, links.raw_url,
        case
            when jobs.state = 'buried' then 'buried'
            when jobs.state = 'running' and jobs.leased_by is not null then 'running'
            when jobs.attempts > 0 then 'failed'
            else 'pending'
        end as state,
        -- Counts the attempt under way and the last one too.
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
    'Jobs of saved links; finished ones are listed for a month. state: pending, running, done, failed (retried at '
    'run_at) or buried (given up).';
comment on column public.jobs.kind is
    'save: fetch the page and extract the article; extract: extract from the stored page again; place: find '
    'highlights in a new text; check: whether the page is still available; refresh: fetch and extract again.';
comment on column public.jobs.steps is 'Duration of each step of the last attempt, in milliseconds.';
grant select on public.jobs to authenticated, service_role;

create or replace view public.batches with (security_invoker = true) as
    select batches.id, batches.user_id, batches.created_at,
        now.waiting + now.running + now.failed + now.buried + past.done as jobs,
        past.done, now.running, now.waiting, now.failed, now.buried,
        past.last_minute as done_last_minute,
        case when past.last_minute > 0 then ceil(60.0 * (now.waiting + now.running
            + now.failed) / past.last_minute)::bigint end as seconds_left,
        case when now.waiting + now.running + now.failed = 0 then coalesce(past.done_at, batches.updated_at) end
            as done_at
    from private.batches, lateral (
        select count(*) filter (where state = 'buried') as buried,
            count(*) filter (where state = 'running' and leased_by is not null) as running,
            count(*) filter (where state <> 'buried' and (state <> 'running' or leased_by is null) and attempts = 0)
                as waiting,
            count(*) filter (where state <> 'buried' and (state <> 'running' or leased_by is null) and attempts > 0)
                as failed
        from private.jobs where batch_id = batches.id
    ) as now, lateral (
        select count(*) as done, count(*) filter (where done_at > now() - interval '1 minute') as last_minute,
            max(done_at) as done_at
        from private.done_jobs where batch_id = batches.id
    ) as past;
comment on view public.batches is
    'Progress of imports and bulk saves: jobs by state, the number finished in the last minute, and the remaining '
    'time at that rate.';
grant select on public.batches to authenticated, service_role;

-- Cancels pending fetches, except for links that are being worked on. The links stay as they were saved: a link with an
-- article is unchanged; the others have failed with this reason and can be retried.
create or replace function private.cancel_jobs(jobs_wanted bigint[]) returns integer
    language plpgsql
    as $$
    declare
        free uuid[];
        cancelled uuid[];
        words constant text := 'It was removed from the queue before it was fetched.';
    begin
        perform rest.lock_writes(array(select user_id from private.jobs where id = any (jobs_wanted)));
        -- Locks links before their jobs, in the same order as saving and storing.
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

-- Cancels the caller's pending jobs: those of a batch, of these links, or all.
create or replace function public.cancel_jobs(batch_id bigint default null, link_ids uuid[] default null)
    returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := auth.uid();
    begin
        if me is null then
            raise exception 'Only a signed-in user can cancel jobs.' using errcode = '42501';
        end if;
        return private.cancel_jobs(array(
            select id from private.jobs
            where user_id = me and kind = 'save' and state <> 'buried'
                and (cancel_jobs.batch_id is null or jobs.batch_id = cancel_jobs.batch_id)
                and (cancel_jobs.link_ids is null or jobs.link_id = any (cancel_jobs.link_ids))
                and (state = 'pending' or state = 'running' and leased_by is null)
            -- The number that one statement can handle within its time limit.
            limit 10000));
    end
    $$;
comment on function public.cancel_jobs(bigint, uuid[]) is
    'Cancels pending fetches: of a batch, of the given links, or all; at most 10,000 per call. Returns the number '
    'cancelled. The links stay.';

grant execute on function public.cancel_jobs(bigint, uuid[]) to authenticated;
