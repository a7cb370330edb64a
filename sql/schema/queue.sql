-- The queue of saved links: how jobs are added, retried and finished. Whose job is next: JobQueue+nextJobs.swift.

-- Adds a job for every saved link, whoever wrote it (REST, psql, an import). Distinguishes single saves from bulk
-- saves; many of the latter form a batch. Runs as the owner because nobody who saves may write to the queue; it uses
-- only the rows just written.
create or replace function private.enqueue_saved_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- NOTIFY takes a lock of the whole server until the commit is on disk, so it is skipped while a due job is
        -- pending: that job has been announced, and the runner that takes it finds the new one too. The runner looks
        -- again shortly after its last job, for a job that was not visible yet.
        is_awake constant boolean := exists (
            select from private.jobs where state = 'pending' and run_at <= now());
        is_bulk constant boolean := private.is_bulk((select count(*) from saved));
    begin
        -- Materialized: the plan is cached, and it may have been made for a single link.
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

create or replace trigger enqueue_saved_links
    after insert on public.links
    referencing new table as saved
    for each statement
    execute function private.enqueue_saved_links();

-- Queues a link again, because a client or an admin asked for it or because its URL has changed. A runner that works on
-- the old URL loses its lease; a job that was given up is deleted. A retry that the user asked for does not wait behind
-- imports, and it stays in its batch.
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
            -- Acts for the link's owner, whoever changed the link.
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

-- Not for job_worker: the server's own work puts its job back itself.
create or replace trigger enqueue_changed_link
    after update on public.links
    for each row
    when (
        new.state = 'pending' and (old.state <> 'pending' or old.raw_url <> new.raw_url)
        and current_user <> 'job_worker')
    execute function private.enqueue_changed_link();

-- Saving a failed link again asks for another try, as setting its state does. A save names raw_url, which distinguishes
-- it from other updates.
create or replace function private.retry_failed_link() returns trigger
    language plpgsql
    as $$
    begin
        new.state := 'pending';
        return new;
    end
    $$;

create or replace trigger failed_link_retried
    before update of raw_url on public.links
    for each row
    when (old.state = 'failed' and current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.retry_failed_link();

-- Finishes a job in the transaction that stored its result. Fails, and rolls the result back, if the lease was lost:
-- another runner has the job, or the link has another URL, and that result counts. The job is recorded as done, with
-- its time by step. Each record deletes two that are a month old, so that no sweep is needed.
create or replace function private.finish_job(job bigint, held integer, link uuid, steps jsonb default null)
    returns void
    language plpgsql
    as $$
    begin
        with ended as (
            delete from private.jobs where id = job and lease = held and link_id = link and state = 'running'
            returning jobs.*
        )
        insert into private.done_jobs (id, kind, user_id, link_id, batch_id, attempts, steps, created_at, started_at)
            select id, kind, user_id, link_id, batch_id, attempts + 1, finish_job.steps, created_at, started_at
                from ended;
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
        delete from private.done_jobs where id in (
            select id from private.done_jobs where done_at < now() - interval '30 days' order by done_at limit 2
                for update skip locked);
    end
    $$;

-- Puts a failed job back into the queue, in the transaction that records the failure on the link. If the link has a
-- newer pending job, only that one is kept.
create or replace function private.retry_job(job bigint, held integer, link uuid, delay interval, why text, words text)
    returns void
    language plpgsql
    as $$
    begin
        begin
            update private.jobs
                set state = 'pending', run_at = now() + delay, leased_by = null, leased_until = null,
                    attempts = attempts + 1, interruptions = 0, reason = why, message = words, updated_at = now()
                where id = job and lease = held and link_id = link and state = 'running';
        exception when unique_violation then
            delete from private.jobs where id = job and lease = held and link_id = link and state = 'running';
        end;
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
    end
    $$;

-- Puts a job back that has not been tried, because other jobs are fetching from its site. If the link has a newer
-- pending job, only that one is kept.
create or replace function private.postpone_job(job bigint, held integer, link uuid, delay interval) returns void
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

-- Gives a job up, in the transaction that records the failure on the link. The job stays, with its reason.
create or replace function private.bury_job(job bigint, held integer, link uuid, why text, words text) returns void
    language plpgsql
    as $$
    begin
        update private.jobs
            set state = 'buried', leased_by = null, leased_until = null, reason = why, message = words,
                updated_at = now()
            where id = job and lease = held and link_id = link and state = 'running';
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
    end
    $$;

create or replace function private.delete_done_jobs() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from private.done_jobs where user_id = old.id;
        return null;
    end
    $$;

create or replace trigger delete_done_jobs after delete on auth.users
    for each row execute function private.delete_done_jobs();

-- Returns the batch for a user's bulk save: the one of the imported file that is being saved, or one that is still being
-- worked on or was begun just now, or else a new one. Two saves that start at once make two batches. Null for the new
-- entries of a feed, which have no batch.
create or replace function private.batch_of(owner uuid) returns bigint
    language plpgsql
    as $$
    declare
        given constant text := nullif(current_setting('lectern.batch', true), '');
        latest bigint;
    begin
        if given is not null then
            return nullif(given, 'none');
        end if;
        select id into latest
            from (
                select id, created_at from private.batches
                where user_id = owner and import_id is null
                order by id desc limit 1
            ) as newest
            where created_at > now() - interval '5 minutes'
                or exists (select from private.jobs where batch_id = newest.id and state <> 'buried');
        if latest is null then
            -- Old batches, whose finished jobs are no longer recorded.
            delete from private.batches
                where user_id = owner and created_at < now() - interval '31 days'
                    and not exists (select from private.jobs where batch_id = batches.id)
                    and not exists (select from private.done_jobs where batch_id = batches.id);
            insert into private.batches (user_id) values (owner) returning id into latest;
        end if;
        return latest;
    end
    $$;

-- A statement with this many links is an import, whatever the request says.
create or replace function private.is_bulk(links bigint) returns boolean
    language sql stable
    as $$ select links > 20 or rest.is_import() $$;

grant execute on function private.finish_job(bigint, integer, uuid, jsonb),
    private.retry_job(bigint, integer, uuid, interval, text, text),
    private.postpone_job(bigint, integer, uuid, interval), private.bury_job(bigint, integer, uuid, text, text)
    to lectern_jobs;
