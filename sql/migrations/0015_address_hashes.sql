-- Indexes that find links by the hash of an address, for rpc/saved.

-- Index expressions call it; sql/schema/saved_links.sql holds the current definition.
create function rest.address_hash(address text) returns bytea
    language sql immutable strict parallel safe
    as $$ select substr(sha256(convert_to(address, 'UTF8')), 1, 8) $$;
-- Whoever writes a row evaluates its index expressions.
grant execute on function rest.address_hash(text) to anon, authenticated, service_role, job_worker;

create index links_dedupe_key_hash on public.links (user_id, rest.address_hash(dedupe_key));
create index links_raw_url_hash on public.links (user_id, rest.address_hash(split_part(raw_url, '#', 1)));
create index links_resolved_url_hash on public.links (user_id, rest.address_hash(split_part(resolved_url, '#', 1)))
    where resolved_url <> raw_url;
create index link_aliases_value_hash on public.link_aliases
    (user_id, rest.address_hash(case kind when 'spelling' then split_part(value, '#', 1) else value end))
    where kind <> 'id';
