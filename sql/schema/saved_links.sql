-- Whether addresses are saved: rpc/saved.

-- The first 8 bytes of the SHA-256 of an address. Changing it needs a migration that rebuilds the indexes that call it.
create or replace function rest.address_hash(address text) returns bytea
    language sql immutable strict parallel safe
    as $$ select substr(sha256(convert_to(address, 'UTF8')), 1, 8) $$;

grant execute on function rest.address_hash(text) to anon, authenticated, service_role, job_worker;

-- Functions owned by the admin, because an index on an expression helps nobody whose rows a policy limits: md5 and
-- rest.address_hash are not leakproof. They look for their caller's links only.
set local role lectern_admin;

-- The owner's link for a hash: of its key first, then of an address as saved or as resolved, of several links the
-- newest. Null if there is none.
create or replace function rest.link_of_hash(owner uuid, hash bytea) returns uuid
    language sql stable
    as $$
        select id from (
            select id, created_at, 1 as place from public.links
                where user_id = owner and rest.address_hash(dedupe_key) = hash
            union all
            select id, created_at, 2 from public.links
                where user_id = owner and rest.address_hash(split_part(raw_url, '#', 1)) = hash
            union all
            select id, created_at, 3 from public.links
                where user_id = owner and rest.address_hash(split_part(resolved_url, '#', 1)) = hash
                    and resolved_url <> raw_url
            union all
            select link_id, created_at, 4 from public.link_aliases
                where user_id = owner and kind <> 'id'
                    and rest.address_hash(case kind when 'spelling' then split_part(value, '#', 1) else value end) = hash
        ) as found
        order by place, created_at desc, id
        limit 1
    $$;

create or replace function public.saved(urls text[] default null, hashes text[] default null) returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        name constant text := case when saved.urls is null then 'hash' else 'url' end;
        given constant text[] := coalesce(saved.urls, saved.hashes);
        max_given constant integer := 100;
    begin
        if (saved.urls is null) = (saved.hashes is null) then
            raise exception 'Give either urls or hashes.' using errcode = 'LT400';
        elsif cardinality(given) > max_given or array_ndims(given) > 1 then
            raise exception 'Too many addresses: a request takes a list of at most % of them.', max_given
                using errcode = 'LT400', hint = 'Send several requests.';
        elsif array_position(given, null) is not null then
            raise exception '% must not hold null.', name || case name when 'url' then 's' else 'es' end
                using errcode = 'LT400';
        elsif name = 'hash' and exists (select from unnest(given) as hash where hash !~* '^[0-9a-f]{16}$') then
            raise exception 'A hash has 16 hexadecimal digits.' using errcode = 'LT400',
                hint = 'Take the first 16 digits of the SHA-256 of the address without its fragment.';
        end if;
        return (
            select coalesce(jsonb_agg(
                jsonb_build_object(name, text, 'id', links.id, 'status', links.status, 'list', links.list)
                order by place), '[]')
            from (
                select text, min(place) as place from unnest(given) with ordinality as sent (text, place)
                group by text
            ) as asked
            cross join lateral (
                select case name
                    when 'url' then rest.link_of_url(owner, text)
                    else rest.link_of_hash(owner, decode(text, 'hex')) end as link_id
            ) as known
            join public.links on links.id = known.link_id and links.user_id = owner);
    end
    $$;
comment on function public.saved(text[], text[]) is
    'Which of these addresses are saved: either urls or hashes, at most 100. A hash is the first 16 hexadecimal digits '
    'of the SHA-256 of the dedupe key of a link, or of its address as saved or as resolved, without the fragment. '
    'Returns url or hash, id, status and list of those that are saved.';

revoke execute on function rest.link_of_hash(uuid, bytea), public.saved(text[], text[]) from public;
grant execute on function public.saved(text[], text[]) to authenticated;

set local role lectern_owner;
