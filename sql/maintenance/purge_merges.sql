-- Deletes merges older than `days` (default: 90), which can then no longer be undone; the links do not change. A dry
-- run unless `apply` is 1.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -v days=90 -f sql/maintenance/purge_merges.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?days}
\else
    \set days 90
\endif
call private.in_batches(
    'merges', 'purge', :'apply' <> '1', 200, $$of_table => 'public.link_merges', days => $$ || :days, null, null, null);
