-- Everybody's queue, for admins: how much waits for whom and why. No addresses and no titles: what people read is theirs.
create function public.queue_of_all() returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- What a token says of its user may be old, so that the account is asked; and an API token is no admin's.
        if current_setting('role') <> 'service_role' and not exists (
            select from auth.users join auth.sessions on sessions.user_id = users.id
            where users.id = auth.uid() and sessions.id::text = auth.jwt() ->> 'session_id' and users.app_metadata -> 'admin' = 'true')
        then
            raise exception 'Only admins see the queue of all.' using errcode = '42501';
        end if;
        return (
            select coalesce(jsonb_agg(known order by known.jobs desc, known.email, known.kind, known.state, known.reason), '[]')
            from (
                select user_id, users.email, kind, state, reason, count(*) as jobs, min(queued.created_at) as oldest, min(next) as next_run_at
                from (
                    select user_id, kind, reason, created_at,
                        case
                            when state = 'buried' then 'buried'
                            when state = 'running' and leased_by is not null then 'running'
                            when attempts > 0 then 'failed'
                            else 'pending'
                        end as state,
                        case when state = 'pending' then run_at when leased_by is null then leased_until end as next
                    from private.jobs
                ) as queued join auth.users on users.id = queued.user_id
                group by user_id, users.email, kind, state, reason
            ) as known);
    end
    $$;
comment on function public.queue_of_all() is
    'For admins: how many jobs of each user wait, run and were given up, by kind and true reason, as [{user_id, email, kind, state, reason, jobs, oldest, next_run_at}]. States are those of the relation jobs.';
revoke execute on function public.queue_of_all() from public;
grant execute on function public.queue_of_all() to authenticated, service_role;
