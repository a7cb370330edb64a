-- Empties the trash of what was deleted longer ago than so many days (30 unless told otherwise), for good, and tells how
-- much that was. What the owner deletes from the trash is gone at once and needs no purge.
-- Run: psql "$LECTERN_DATABASE_URL" -v days=30 -f sql/maintenance/purge_trash.sql
\if :{?days}
\else
    \set days 30
\endif
with purged as (
    delete from public.trash
    where deleted_at < now() - make_interval(days => :days)
    returning user_id
)
select count(*) as links, count(distinct user_id) as users
from purged;
