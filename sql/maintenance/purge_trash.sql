-- Empties the trash of what was deleted longer ago than so many days (30 unless told otherwise), for good, and tells how
-- much that was. What the owner deletes from the trash is gone at once and needs no purge. A dry run unless told otherwise.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -v days=30 -f sql/maintenance/purge_trash.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?days}
\else
    \set days 30
\endif
call private.in_batches(
    'deleted links', 'purge', :'apply' <> '1', 200, $$of_table => 'public.trash', days => $$ || :days, null, null, null);
