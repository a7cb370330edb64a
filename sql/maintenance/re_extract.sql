-- Has articles made anew that are missing although nothing says why, or were made by an older extractor than the newest that any
-- article is of (`version` when told): from the kept page, and where there is none by fetching it again. Each waits a second
-- behind the one before and behind all that waits already. A dry run unless told otherwise; ten links a transaction.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/re_extract.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?version}
\else
    \set version null
\endif
call private.in_batches('articles', 're_extract', :'apply' <> '1', 10, 'newest => ' || :'version', null, null, null);
