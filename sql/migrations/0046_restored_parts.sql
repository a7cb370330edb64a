-- Replaced by rest.restore_hidden_parts, which restores any number of links.
drop function if exists rest.restore_article_and_page(uuid, uuid);
