-- The format of an export, and the query that restricts it, as text and parsed; see sql/schema/exports.sql.

alter table private.exports add column format text not null default 'zip' check (
    format in ('zip', 'markdown', 'netscape', 'json', 'csv', 'highlights-markdown', 'highlights-csv'));
alter table private.exports add column query text check (length(query) <= 10000);
alter table private.exports add column tree jsonb;
