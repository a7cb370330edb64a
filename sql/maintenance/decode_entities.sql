-- Old rows: decodes HTML entities once in titles and descriptions of links, and in what their articles say of themselves, where
-- that is not known to be text; marks it as text, so that a second run changes nothing. A dry run unless told otherwise; in
-- small transactions, so it can be stopped and run again.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/decode_entities.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('links', 'decode_entities', :'apply' <> '1', 200, '', null, null, null);
