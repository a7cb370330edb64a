-- How large tables and indexes are, about how much of that is bloat, and which indexes are invalid, double or not used. The
-- estimate needs statistics: run ANALYZE first. Advice is for you to run.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/bloat.sql
select name, kind, pg_size_pretty(bytes) as size, rows, dead_rows, pg_size_pretty(bloat_bytes) as bloat, scans, advice
from private.bloat
order by bytes desc, name;
