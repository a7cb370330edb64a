-- The SHA-1 of the addresses of links, by which clients of wallabag ask whether pages are saved. PostgreSQL has no SHA-1:
-- a worker that is asked hashes the addresses that have no hash yet, and stores the hashes here.

-- Forgets the hashes of a link whose address has changed.
create or replace function private.forget_url_hashes() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update rest.integer_ids set url_hash = null, resolved_url_hash = null
            where user_id = old.user_id and kind = 'link' and row_id = old.id and url_hash is not null;
        return null;
    end
    $$;
revoke execute on function private.forget_url_hashes() from public;

-- Before keep_number, which changes the row to a new id.
create or replace trigger forget_url_hashes after update on public.links
    for each row when (new.raw_url <> old.raw_url or new.resolved_url is distinct from old.resolved_url)
    execute function private.forget_url_hashes();

-- Owned by the admin, who sees all rows.
set local role lectern_admin;

-- Stores hashes of the caller's links: [{"number", "raw_url", "resolved_url", "url_hash", "resolved_url_hash"}], in
-- hexadecimal. Without a raw_url there is no such link. The hashes of an address that has changed since then are left out.
create or replace function rest.store_url_hashes(hashed jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Compared in a way that uses no index. Before the statistics know the new links of a user, an index on the user
        -- seems as good as a primary key, but reads all rows of the user for each link.
        me constant uuid := auth.uid();
    begin
        with given as (
            select * from jsonb_to_recordset(hashed)
                as g (number integer, raw_url text, resolved_url text, url_hash text, resolved_url_hash text)
        ), unchanged as (
            -- Waits for a change that is under way.
            select g.number, g.url_hash, g.resolved_url_hash
            from given g
                join rest.integer_ids n
                    on n.number = g.number and n.user_id is not distinct from me and n.kind = 'link'
                join public.links l on l.id = n.row_id and l.user_id is not distinct from me
            where l.raw_url = g.raw_url and l.resolved_url is not distinct from g.resolved_url
            for share of l
        )
        update rest.integer_ids n
            set url_hash = decode(u.url_hash, 'hex'), resolved_url_hash = decode(u.resolved_url_hash, 'hex')
            from unchanged u where n.number = u.number;
        update rest.integer_ids n set url_hash = ''
            from jsonb_to_recordset(hashed) as g (number integer, raw_url text)
            where g.raw_url is null and n.number = g.number and n.user_id is not distinct from me and n.kind = 'link'
                and not exists (
                    select from public.links l where l.id = n.row_id and l.user_id is not distinct from me);
    end
    $$;
revoke execute on function rest.store_url_hashes(jsonb) from public;
grant execute on function rest.store_url_hashes(jsonb) to authenticated;

set local role lectern_owner;
