-- Merges links of the same page: links saved before there were keys, or leading to a page that was saved as well. The
-- older link stays; each merge can be undone, see unmerge.sql. A dry run unless `apply` is 1. Works in small
-- transactions; an interrupted run can be repeated.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/duplicates.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('links', 'duplicates', :'apply' <> '1', 100, '', null, null, null);
