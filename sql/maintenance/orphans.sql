-- Repairs orphaned rows, see private.orphan_kinds: rows whose foreign key refers to nothing, pending links without a
-- job (they get one), expired tokens. Shows how many there are of each kind; if `apply` is 1, repairs them in small
-- transactions and shows what is left.
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
