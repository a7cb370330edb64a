-- Indexes links and tags that search does not find yet, or whose words were indexed by older rules. Counts them; if
-- `apply` is 1, indexes them in small transactions. An interrupted run can be repeated.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/reindex.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches(
    'public.links', 'reindex', :'apply' <> '1', 100, $$of_table => 'public.links'$$, null, null, null);
call private.in_batches(
    'public.tags', 'reindex', :'apply' <> '1', 1000, $$of_table => 'public.tags'$$, null, null, null);
