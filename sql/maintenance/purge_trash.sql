-- Permanently deletes links that have been in the trash for more than `days` (default: 30), and prints their number.
-- What a user deletes from the trash is gone at once and needs no purge. A dry run unless `apply` is 1.
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
