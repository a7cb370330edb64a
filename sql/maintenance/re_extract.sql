-- Extracts articles again that are missing without a reason, or were made by an older extractor than `version`
-- (default: the newest that any article is from): from the stored page, or else by fetching it again. The jobs are a
-- second apart, behind all pending ones. A dry run unless `apply` is 1; ten links per transaction.
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
