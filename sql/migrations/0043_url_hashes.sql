-- The SHA-1 of the addresses of links, by which clients of wallabag ask; see sql/schema/url_hashes.sql.

-- Null: not known yet. Empty: there is no such link.
alter table rest.integer_ids add column url_hash bytea, add column resolved_url_hash bytea;
create index integer_ids_url_hash on rest.integer_ids (user_id, url_hash) where url_hash is not null;
create index integer_ids_resolved_url_hash on rest.integer_ids (user_id, resolved_url_hash)
    where resolved_url_hash is not null;
create index integer_ids_without_url_hash on rest.integer_ids (user_id) where kind = 'link' and url_hash is null;
