-- Checking and refreshing saved pages.

-- The links of a user whose page is unavailable.
create or replace view public.broken_links with (security_invoker = true) as
    select links.id as link_id, links.user_id, links.state, links.raw_url, links.title, links.title_is_text,
        page_checks.broken_since, page_checks.reason,
        page_checks.message, page_checks.visited_at,
            exists (select from public.articles where articles.link_id = links.id) as has_article
    from private.page_checks join public.links on links.id = page_checks.link_id
        and links.raw_url = page_checks.asked_url
    where page_checks.broken_since is not null and links.state <> 'failed'
    union all
    select links.id, links.user_id, links.state, links.raw_url, links.title, links.title_is_text, given_up.at,
        links.reason,
        links.reason_message, greatest(given_up.at, page_checks.visited_at),
        exists (select from public.articles where articles.link_id = links.id)
    from (
        -- Few rows, found by their user.
        select link_id, max(updated_at) as at from private.jobs where kind = 'save'
            and state = 'buried' group by link_id
    ) as given_up
    join public.links on links.id = given_up.link_id
    left join private.page_checks on page_checks.link_id = links.id and page_checks.asked_url = links.raw_url
    -- The reasons of failed fetches: the classes of FetchError.
    where links.state = 'failed' and links.reason in (
        'http_error', 'dns_error', 'connection_failed', 'timeout', 'too_many_redirects', 'too_large', 'bad_encoding',
            'bad_response',
        'blocked_address', 'blocked_scheme', 'invalid_url');
comment on view public.broken_links is
    'Links whose page is unavailable: fetching it was given up when the link was saved, or the page has disappeared '
    'since. An article extracted before is kept.';
comment on column public.broken_links.state is
    'State of the link; failed if fetching was given up when the link was saved.';
comment on column public.broken_links.broken_since is 'When the first failed check was given up.';
comment on column public.broken_links.visited_at is 'When the page was last checked.';
grant select on public.broken_links to authenticated, service_role;

-- Queues a link whose page was unavailable when it was saved and is available now.
create or replace function private.queue_recovered_page(link uuid) returns void
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

-- Queues links that were last checked before a given time. Their jobs are spaced out, behind the pending jobs of the
-- same kind. Refreshing takes links that are ready; checking also takes those whose page was unavailable.
create or replace function private.recheck_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null, kind text default 'check',
    checked_before timestamptz default 'infinity', spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    -- A generic plan, for one account and for all, would scan from the first id.
    set plan_cache_mode = force_custom_plan
    as $$
    #variable_conflict use_variable
    declare
        wanted uuid[];
        behind timestamptz;
    begin
        wanted := array(
            select links.id
            from public.links left join private.page_checks on page_checks.link_id = links.id
                and page_checks.asked_url = links.raw_url
            where links.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or links.user_id = account)
                and (links.state = 'ready' or kind = 'check' and links.state = 'failed' and links.reason
                    is distinct from 'cancelled')
                and coalesce(case kind when 'check' then page_checks.visited_at
                    else page_checks.read_at end, links.created_at) < checked_before
                -- Documents have no page.
                and not links.raw_url ^@ 'urn:'
                and not exists (select from private.jobs where jobs.link_id = links.id and jobs.state <> 'buried')
            order by links.id
            limit max_rows);
        seen := cardinality(wanted);
        changed := seen;
        if seen = max_rows then
            last_id := wanted[seen];
        end if;
        if is_dry_run or seen = 0 then
            return;
        end if;
        perform rest.lock_writes(array(select user_id from public.links where id = any (wanted)));
        behind := greatest(now(), (select max(run_at) from private.jobs where jobs.kind = recheck_batch.kind
            and state = 'pending' and attempts = 0));
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

-- The same for the jobs process, which may not read links. Runs as the owner and returns only the id to continue from
-- and a count.
create or replace function private.queue_rechecks(
    after uuid, max_rows integer, kind text, days integer, spacing interval,
    out last_id uuid, out changed bigint)
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select last_id, changed
        from private.recheck_batch(after, max_rows, false, null, kind, now() - make_interval(days => days), spacing)
    $$;

grant execute on function private.queue_recovered_page(uuid),
    private.queue_rechecks(uuid, integer, text, integer, interval)
    to lectern_jobs;

grant execute on function
    private.recheck_batch(uuid, integer, boolean, uuid, text, timestamp with time zone, interval)
    to lectern_admin;
