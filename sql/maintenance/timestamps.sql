-- Repairs timestamps: rows changed before they were created, in the future, or before 1990; see private.dated_tables.
-- For links updated_at becomes created_at if it is earlier, and now if it is in the future. A dry run unless `apply` is
-- 1; each table in small transactions, so that an interrupted run can be repeated. Prints the counts of each table that
-- has such rows.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/timestamps.sql
\if :{?apply}
\else
    \set apply 0
\endif
select format(
    'call private.in_batches(%L, %L, %L, 200, %L, null, null, null)',
    name, 'timestamps', :'apply' <> '1', format('of_table => %L', name))
from private.dated_tables
order by name
\gexec
