-- Mails may have their text as HTML, too; see sql/schema/digest_mails.sql.

alter table private.mails add column html text;
comment on column private.mails.html is 'the body as HTML for mail programs that show it, or null; left out of exports';

-- It gets a third argument.
drop function if exists rest.digest_html(uuid[], text);
