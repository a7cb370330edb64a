-- These functions have another argument: the query that restricts an export.
drop function if exists private.personal_counts(uuid);
drop function if exists private.personal_rows(text, uuid);
drop function if exists private.personal_reading(uuid, boolean);
drop function if exists private.personal_files(uuid);
