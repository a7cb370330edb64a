-- Brings the keys of links to the present rules and list of tracking parameters, and merges links that have one key by that,
-- which can be undone, see unmerge.sql. A dry run unless told otherwise; in small transactions, so it can be stopped and run
-- again.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/rekey.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('keys', 'rekey', :'apply' <> '1', 100, '', null, null, null);
