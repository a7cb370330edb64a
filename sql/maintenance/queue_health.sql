-- How the queue is: jobs by state and reason, the oldest of each, and leases that have run out.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/queue_health.sql
select
    state,
    coalesce(reason, '') as reason,
    count(*) as jobs,
    now() - min(created_at) as oldest,
    count(*) filter (where state = 'running' and leased_until < now()) as leases_run_out,
    max(attempts) as most_attempts,
    max(interruptions) as most_interruptions
from private.jobs
group by state, reason
order by state, jobs desc;
