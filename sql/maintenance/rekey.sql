-- Brings the dedupe keys of links up to date with the present rules and list of tracking parameters, and merges links
-- whose keys become equal, which can be undone, see unmerge.sql. A dry run unless `apply` is 1. Works in small
-- transactions; an interrupted run can be repeated.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/rekey.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('keys', 'rekey', :'apply' <> '1', 100, '', null, null, null);
