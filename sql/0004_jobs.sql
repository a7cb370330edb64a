-- The queue: one table, leased with `for update skip locked`, woken by NOTIFY lectern_jobs.

create table private.jobs (
    id bigint generated always as identity primary key,
    -- 'save': resolve and extract a saved link.
    kind text not null check (kind in ('save')),
    user_id uuid not null references auth.users on delete cascade,
    link_id uuid not null references public.links on delete cascade on update cascade,
    -- pending → running → deleted when done; pending again after a failure worth retrying; buried when not.
    state text not null default 'pending' check (state in ('pending', 'running', 'buried')),
    -- Times it was leased, so that a page that kills its runner is counted too.
    attempts integer not null default 0,
    run_at timestamptz not null default now(),
    leased_by text,
    leased_until timestamptz,
    -- Of the last failure: a code and a sentence a person can read.
    reason text,
    message text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- One waiting job a link is enough, however often it is saved.
create unique index jobs_pending on private.jobs (kind, link_id) where state = 'pending';
create index jobs_next on private.jobs (run_at) where state = 'pending';
create index jobs_leased on private.jobs (leased_until) where state = 'running';
create index jobs_link_id on private.jobs (link_id);
create index jobs_user_id on private.jobs (user_id);

grant select, insert, update, delete on private.jobs to lectern_jobs;
grant select on private.jobs to lectern_metrics;

-- A saved link brings its job, whoever wrote it (REST, psql, an import). Runs as the owner because nobody who saves
-- may touch the queue; it takes nothing from the caller but the rows just written.
create function private.enqueue_saved_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- A due job that nobody has taken yet has had its notification, and whoever comes for it finds ours too. NOTIFY
        -- takes a lock of the whole server until the commit is on disk, so a crowd of savers is spared it; the runner
        -- looks again shortly after its last job, for one that was not yet visible when it looked.
        is_awake constant boolean := exists (
            select from private.jobs where state = 'pending' and run_at <= now());
    begin
        insert into private.jobs (kind, user_id, link_id)
            select 'save', saved.user_id, saved.id from saved where saved.state = 'pending'
            on conflict do nothing;
        if found and not is_awake then
            perform pg_notify('lectern_jobs', '');
        end if;
        return null;
    end
    $$;

create trigger enqueue_saved_links
    after insert on public.links
    referencing new table as saved
    for each statement
    execute function private.enqueue_saved_links();

-- Another try: asked for by the client, or because the URL changed.
create function private.enqueue_changed_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.jobs (kind, user_id, link_id)
            values ('save', new.user_id, new.id)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0;
        perform pg_notify('lectern_jobs', '');
        return null;
    end
    $$;

create trigger enqueue_changed_link
    after update on public.links
    for each row
    when (new.state = 'pending' and (old.state <> 'pending' or old.raw_url <> new.raw_url))
    execute function private.enqueue_changed_link();

-- Ends a job inside the transaction that stored its result. Fails, and takes the result with it, when the lease was
-- lost meanwhile: another runner has the job now, and its result is the one that counts.
create function private.finish_job(job bigint, runner text) returns void
    language plpgsql
    as $$
    begin
        delete from private.jobs where id = job and state = 'running' and leased_by = runner;
        if not found then
            raise exception 'the lease of job % was lost', job using errcode = 'LJ001';
        end if;
    end
    $$;

grant execute on function private.finish_job(bigint, text) to lectern_jobs;

-- Puts a failed job back for later. When the link has a newer waiting job already, that one is enough.
create function private.retry_job(job bigint, runner text, delay interval, why text, words text) returns void
    language plpgsql
    as $$
    begin
        update private.jobs
            set state = 'pending', run_at = now() + delay, leased_by = null, leased_until = null,
                reason = why, message = words, updated_at = now()
            where id = job and state = 'running' and leased_by = runner;
    exception when unique_violation then
        delete from private.jobs where id = job and state = 'running' and leased_by = runner;
    end
    $$;

grant execute on function private.retry_job(bigint, text, interval, text, text) to lectern_jobs;
