-- How what waits for the jobs process is: saved links, mails and exports by state and reason; how many may be taken up now, the
-- oldest, and leases that have run out.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/queue.sql
select * from private.queue_health order by kind, state, jobs desc, reason;
