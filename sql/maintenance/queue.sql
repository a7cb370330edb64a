-- The queues of the jobs process: saved links, mails, exports and pictures by state and reason; how many are due, the
-- oldest, and expired leases.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/queue.sql
select * from private.queue_health order by kind, state, jobs desc, reason;
