-- Decodes HTML entities once in titles and descriptions of links, and in the metadata of their articles, where a value
-- is not flagged as text, and flags it, so that a second run changes nothing. A dry run unless `apply` is 1. Works in
-- small transactions; an interrupted run can be repeated.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -f sql/maintenance/decode_entities.sql
\if :{?apply}
\else
    \set apply 0
\endif
call private.in_batches('links', 'decode_entities', :'apply' <> '1', 200, '', null, null, null);
