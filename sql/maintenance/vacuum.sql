-- When each table was last vacuumed and analyzed, how much of it is dead, and what there is to run. PostgreSQL does so by itself;
-- advice means that it has not kept up.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/vacuum.sql
select * from private.vacuum_advice order by advice nulls last, dead_rows desc, name;
