-- Sweeps what hangs on nothing; see private.orphan_kinds: rows whose foreign key points nowhere, links that wait without a job
-- (they get one), tokens that have expired. Shows how many there are of each kind; with `apply` mends them in small
-- transactions, and shows what is left.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/orphans.sql
\if :{?apply}
\else
    \set apply 0
\endif
select * from private.orphans();
select format(
    'call private.in_batches(%L, %L, false, 200, %L, null, null, null)', kind, 'orphans', format('of_kind => %L', kind))
from private.orphans()
where :'apply' = '1'
\gexec
select * from private.orphans();
