-- When each table was last vacuumed and analyzed, how many of its rows are dead, and which command is advisable.
-- PostgreSQL vacuums by itself; advice means that it has not kept up.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/vacuum.sql
select * from private.vacuum_advice order by advice nulls last, dead_rows desc, name;
