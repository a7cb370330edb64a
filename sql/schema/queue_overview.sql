-- The queue of all users, for admins: how many jobs wait for whom, and why. Without URLs and titles: what users read is
-- private.

-- Counts per user, kind, state and reason.
create or replace function public.queue_of_all() returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.require_admin('Only admins can see the queue of all users.');
        return (
            select coalesce(jsonb_agg(known order by known.jobs desc, known.email, known.kind, known.state,
                known.reason), '[]')
            from (
                select user_id, users.email, kind, state, reason, count(*) as jobs, min(queued.created_at) as oldest,
                    min(next) as next_run_at
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
    'For admins: the number of jobs of each user by kind, state and actual reason, as [{user_id, email, kind, state, '
    'reason, jobs, oldest, next_run_at}]. States are those of the relation jobs.';

grant execute on function public.queue_of_all() to authenticated, service_role;
