-- A job belongs to whoever holds its newest lease: ending it, putting it back and giving it up all ask for that lease,
-- and fail, together with what they would have said on the link, when it was lost.

alter table private.jobs
    -- Number of the newest lease. With the job's id it names one lease for ever, so that a runner which takes a job
    -- again after its lease ran out cannot end it with the old one.
    add column lease integer not null default 0,
    -- Leases in a row that ended without a word: the process was killed, or hung. No fault of the page, but a page that
    -- kills its runner every time is given up some day.
    add column interruptions integer not null default 0;

-- What failed on the page and was tried again; leases do not count any more.
comment on column private.jobs.attempts is 'Failures of the page that were followed by another try.';
update private.jobs set attempts = greatest(attempts - 1, 0) where state = 'running';

drop function private.finish_job(bigint, text);
drop function private.retry_job(bigint, text, interval, text, text);

-- Ends a job inside the transaction that stored its result. Fails, and takes the result with it, when the lease was
-- lost meanwhile: another runner has the job now, or its link asks for another page, and that result is the one that
-- counts.
create function private.finish_job(job bigint, held integer, link uuid) returns void
    language plpgsql
    as $$
    begin
        delete from private.jobs where id = job and lease = held and link_id = link and state = 'running';
        if not found then
            raise exception 'lease % of job % was lost', held, job using errcode = 'LJ001';
        end if;
    end
    $$;

-- Puts a failed job back for later, in the transaction that says so on the link. When the link has a newer waiting job
-- already, that one is enough.
create function private.retry_job(job bigint, held integer, link uuid, delay interval, why text, words text)
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

-- Gives a job up, in the transaction that says so on the link. It stays with its reason.
create function private.bury_job(job bigint, held integer, link uuid, why text, words text) returns void
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

grant execute on function
    private.finish_job(bigint, integer, uuid),
    private.retry_job(bigint, integer, uuid, interval, text, text),
    private.bury_job(bigint, integer, uuid, text, text)
    to lectern_jobs;

-- Another page: what the old one said of itself no longer holds, whoever changed the URL. What the same statement sets
-- stays. So do title and description, which may be the user's own words.
create function private.forget_old_page() returns trigger
    language plpgsql
    as $$
    begin
        new.state := 'pending';
        new.reason := null;
        new.reason_message := null;
        new.resolved_url := nullif(new.resolved_url, old.resolved_url);
        new.image := nullif(new.image, old.image);
        new.site_name := nullif(new.site_name, old.site_name);
        new.lang := nullif(new.lang, old.lang);
        new.word_count := nullif(new.word_count, old.word_count);
        return new;
    end
    $$;

-- Triggers of one kind run in the order of their names: this one and the next before links_written_by_client, which
-- then finds the state they asked for.
create trigger forget_old_page
    before update on public.links
    for each row
    when (new.raw_url is distinct from old.raw_url)
    execute function private.forget_old_page();

-- Saving a failed link again asks for another try, as setting its state does. A save names raw_url, which is how it is
-- told from other changes.
create function private.ask_again() returns trigger
    language plpgsql
    as $$
    begin
        new.state := 'pending';
        return new;
    end
    $$;

create trigger ask_again
    before update of raw_url on public.links
    for each row
    when (old.state = 'failed' and current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.ask_again();

create or replace function private.links_written_by_client() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.created_at := coalesce(new.created_at, now());
            new.updated_at := new.created_at;
            new.state := 'pending';
            new.reason := null;
            new.reason_message := null;
            return new;
        end if;
        new.updated_at := now();
        if new.state is distinct from 'pending' then
            new.state := old.state;
        end if;
        if new.state = 'pending' then
            new.reason := null;
            new.reason_message := null;
        else
            new.reason := old.reason;
            new.reason_message := old.reason_message;
        end if;
        return new;
    end
    $$;

-- The trigger below takes the old page's article away. It runs as the owner, whom row-level security binds like anybody:
-- it sees the articles of the user in whose name it acts.
create policy forgotten_articles on public.articles
    for all to lectern_owner
    using (user_id = (select auth.uid()));

-- Another try: asked for by a client or the admin, or because the URL changed. Whoever works on the old URL has lost
-- the lease; a job that was given up has told its reason.
create or replace function private.enqueue_changed_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        claims constant text := current_setting('request.jwt.claims', true);
    begin
        if new.raw_url <> old.raw_url then
            -- In the name of the link's owner, whoever changed it.
            perform set_config('request.jwt.claims', json_build_object('sub', new.user_id)::text, true);
            delete from public.articles where link_id = new.id;
            perform set_config('request.jwt.claims', coalesce(claims, ''), true);
            delete from private.jobs where link_id = new.id;
        else
            delete from private.jobs where link_id = new.id and state = 'buried';
        end if;
        insert into private.jobs (kind, user_id, link_id)
            values ('save', new.user_id, new.id)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0, interruptions = 0, reason = null, message = null;
        perform pg_notify('lectern_jobs', '');
        return null;
    end
    $$;

-- The server's own work puts its job back itself.
drop trigger enqueue_changed_link on public.links;
create trigger enqueue_changed_link
    after update on public.links
    for each row
    when (
        new.state = 'pending' and (old.state <> 'pending' or old.raw_url <> new.raw_url)
        and current_user <> 'job_worker')
    execute function private.enqueue_changed_link();
