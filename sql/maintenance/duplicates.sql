-- Merges links that are one page: saved before there were keys, or leading to a page that was saved as well. The older one
-- stays; each merge can be undone, see unmerge.sql. A dry run unless told otherwise; in small transactions, so it can be
-- stopped and run again.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/duplicates.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('links', 'duplicates', :'apply' <> '1', 100, '', null, null, null);
