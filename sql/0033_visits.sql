-- Pages are looked at again: whether they are still there, and what stands there now.

-- The last visit to a link's page that is worth remembering: the site said something by which it can be asked whether the page has
-- changed, or nobody had asked for the visit.
create table private.visits (
    link_id uuid primary key,
    user_id uuid not null,
    -- What was asked for. A visit to another address than the link's says nothing of it.
    asked_url text not null,
    visited_at timestamptz not null default now(),
    -- When the page was read last, or was to be.
    read_at timestamptz,
    -- What the site said of the page that the article was made from (RFC 9110, 8.8); whoever only looks whether it is still there
    -- leaves these alone.
    url text,
    etag text,
    last_modified text,
    -- Since when the page cannot be had, and why, in the words for users.
    broken_since timestamptz,
    reason text,
    message text,
    check ((broken_since is null) = (reason is null)),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index visits_user_id on private.visits (user_id, broken_since);

alter table private.visits enable row level security, force row level security;
create policy own_visits on private.visits
    for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
create policy as_its_caller on private.visits
    for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
grant select on private.visits to authenticated;
grant select, insert, update, delete on private.visits to job_worker;

-- Which of a user's pages cannot be had.
create view public.broken_links with (security_invoker = true) as
    select links.id as link_id, links.user_id, links.state, links.raw_url, links.title, links.title_is_text, visits.broken_since, visits.reason,
        visits.message, visits.visited_at, exists (select from public.articles where articles.link_id = links.id) as has_article
    from private.visits join public.links on links.id = visits.link_id and links.raw_url = visits.asked_url
    where visits.broken_since is not null and links.state <> 'failed'
    union all
    select links.id, links.user_id, links.state, links.raw_url, links.title, links.title_is_text, given_up.at, links.reason,
        links.reason_message, greatest(given_up.at, visits.visited_at),
        exists (select from public.articles where articles.link_id = links.id)
    from (
        -- Few of all links, and found by their user.
        select link_id, max(updated_at) as at from private.jobs where kind = 'save' and state = 'buried' group by link_id
    ) as given_up
    join public.links on links.id = given_up.link_id
    left join private.visits on visits.link_id = links.id and visits.asked_url = links.raw_url
    -- What can go wrong with fetching: the classes of FetchError.
    where links.state = 'failed' and links.reason in (
        'http_error', 'dns_error', 'connection_failed', 'timeout', 'too_many_redirects', 'too_large', 'bad_encoding', 'bad_response',
        'blocked_address', 'blocked_scheme', 'invalid_url');
comment on view public.broken_links is
    'Links whose page cannot be had: given up when it was to be saved, or gone since. With an article what was read before is kept.';
comment on column public.broken_links.state is 'Of the link: failed where it was given up when it was to be saved.';
comment on column public.broken_links.broken_since is 'When the first visit in vain was given up.';
comment on column public.broken_links.visited_at is 'When the page was last tried.';
grant select on public.broken_links to authenticated;

-- With the service key all of these can be read, as all tables can.
grant select on public.jobs, public.batches, public.broken_links to service_role;
grant select (id, kind, user_id, link_id, state, attempts, run_at, leased_by, leased_until, batch_id, created_at, started_at, updated_at)
    on private.jobs to service_role;
grant select on private.done_jobs, private.batches, private.visits to service_role;


-- Two more kinds of jobs nobody waits for: `check` asks whether the page is still there, `refresh` reads what stands there now. Both
-- say nothing on the link when they fail, and are never buried: what they find is the visit.
alter table private.jobs
    drop constraint jobs_kind_check,
    add constraint jobs_kind_check check (kind in ('save', 'extract', 'place', 'check', 'refresh'));
comment on column public.jobs.kind is
    'save: fetch and read; extract: read again what is kept; place: find highlights again; check: is the page still there; refresh: fetch and read anew.';

create index jobs_revisits on private.jobs (kind, run_at) where state = 'pending' and kind in ('check', 'refresh');

-- A page that could not be had when its link was saved is there: it is fetched after all.
create function private.save_again(link uuid) returns void
    language plpgsql
    as $$
    begin
        delete from private.jobs where link_id = link and kind = 'save' and state = 'buried';
        insert into private.jobs (kind, user_id, link_id, in_bulk)
            select 'save', user_id, link_id, true from private.jobs
            where link_id = link and kind = 'check' and state = 'running'
            on conflict do nothing;
        perform pg_notify('lectern_jobs', '');
    end
    $$;
grant execute on function private.save_again(uuid) to lectern_jobs;

-- Puts links into the queue that were visited last before that time: each so much later than the one before and behind those of
-- the kind that wait. To be read again are those that were saved; to be looked for also those that could not be had.
create function private.revisit_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null, kind text default 'check',
    visited_before timestamptz default 'infinity', spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    -- A plan for all accounts and none would read from the first id on again.
    set plan_cache_mode = force_custom_plan
    as $$
    #variable_conflict use_variable
    declare
        wanted uuid[];
        behind timestamptz;
    begin
        wanted := array(
            select links.id
            from public.links left join private.visits on visits.link_id = links.id and visits.asked_url = links.raw_url
            where links.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and (account is null or links.user_id = account)
                and (links.state = 'ready' or kind = 'check' and links.state = 'failed' and links.reason is distinct from 'cancelled')
                and coalesce(case kind when 'check' then visits.visited_at else visits.read_at end, links.created_at) < visited_before
                and not exists (select from private.jobs where jobs.link_id = links.id and jobs.state <> 'buried')
            order by links.id
            limit most);
        seen := cardinality(wanted);
        changed := seen;
        if seen = most then
            last_id := wanted[seen];
        end if;
        if is_dry_run or seen = 0 then
            return;
        end if;
        behind := greatest(now(), (select max(run_at) from private.jobs where jobs.kind = revisit_batch.kind and state = 'pending' and attempts = 0));
        with queued as (
            insert into private.jobs (kind, user_id, link_id, run_at)
                select kind, links.user_id, links.id, behind + spacing * place
                from unnest(wanted) with ordinality as these (id, place) join public.links using (id)
                on conflict do nothing
                returning id)
        select count(*) into changed from queued;
        perform pg_notify('lectern_jobs', '');
    end
    $$;
grant execute on function private.revisit_batch(uuid, integer, boolean, uuid, text, timestamptz, interval) to lectern_admin;

-- The same for the schedule: runs as the owner because the jobs process sees no link of its own accord, and tells it none.
create function private.revisit(after uuid, most integer, kind text, days integer, spacing interval, out last_id uuid, out changed bigint)
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select last_id, changed
        from private.revisit_batch(after, most, false, null, kind, now() - make_interval(days => days), spacing)
    $$;
revoke execute on function private.revisit(uuid, integer, text, integer, interval) from public;
grant execute on function private.revisit(uuid, integer, text, integer, interval) to lectern_jobs;
