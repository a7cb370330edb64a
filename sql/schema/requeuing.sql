-- Maintenance that resolves links or extracts articles again.

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
        perform rest.lock_writes(array(select user_id from public.links where id = any (wanted)));
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
                        and case
                            when page.has_kept then page.has_unread
                            -- Documents are read again.
                            else articles.source = 'server' or links.raw_url ^@ 'urn:sha256:'
                        end
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
        perform rest.lock_writes(array(select user_id from public.links where id = any (wanted)));
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

grant execute on function private.requeue_links(uuid[], interval, boolean),
    private.re_resolve_batch(uuid, integer, boolean, uuid, text[], timestamp with time zone, interval),
    private.re_extract_batch(uuid, integer, boolean, uuid, integer, boolean, interval)
    to lectern_admin;
