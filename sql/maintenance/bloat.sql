-- Sizes of tables and indexes, estimated bloat, and indexes that are invalid, redundant or unused. The estimate needs
-- statistics: run ANALYZE first. The advice is not applied.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/bloat.sql
select name, kind, pg_size_pretty(bytes) as size, rows, dead_rows, pg_size_pretty(bloat_bytes) as bloat, scans, advice
from private.bloat
order by bytes desc, name;
