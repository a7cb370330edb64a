-- Merging the duplicates among the links that are there: `lectern maintain duplicates`.

-- Takes the locks of the owners of the links that a batch may write.
create or replace function private.lock_owners_of_links(after uuid, max_seen integer, account uuid) returns void
    language plpgsql
    as $$
    begin
        perform rest.lock_writes(array(
            select user_id from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or user_id = account)
            order by id limit max_seen));
    end
    $$;

-- Gives keys to links that have none, and merges links of the same page: with one key, or leading to one page.
create or replace function private.duplicates_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        -- Looking locks nothing, so larger steps are harmless.
        max_seen constant integer := case when is_dry_run then max_rows else 500 end;
        link record;
        key text;
        page text;
        -- The links with this key, and with the key of the resolved address.
        twin uuid;
        leads_to uuid;
        -- No link has this key yet.
        is_new_name boolean;
    begin
        seen := 0;
        changed := 0;
        if not is_dry_run then
            perform private.lock_owners_of_links(after, max_seen, account);
        end if;
        for link in
            select id, user_id, raw_url, resolved_url, dedupe_key, is_kept_apart from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or user_id = account)
            order by id limit max_seen
        loop
            last_id := link.id;
            seen := seen + 1;
            continue when link.is_kept_apart;
            key := coalesce(link.dedupe_key, rest.dedupe_key(link.raw_url));
            continue when key is null;
            twin := null;
            if link.dedupe_key is null then
                twin := rest.link_of_key(link.user_id, key);
            end if;
            leads_to := null;
            is_new_name := false;
            if link.resolved_url <> link.raw_url then
                page := rest.dedupe_key(link.resolved_url);
                if page <> key then
                    leads_to := rest.link_of_key(link.user_id, page);
                end if;
                -- Most links lead to themselves; only the others are examined.
                if page <> key and leads_to is distinct from link.id and rest.is_page_of_key(key, page) then
                    is_new_name := leads_to is null;
                    if exists (select from public.links where id = leads_to and is_kept_apart) then
                        leads_to := null;
                    end if;
                else
                    leads_to := null;
                end if;
            end if;
            continue when link.dedupe_key is not null and leads_to is null and not is_new_name;
            changed := changed + 1;
            continue when is_dry_run;
            if link.dedupe_key is null and twin is distinct from link.id then
                if twin is null or rest.merge_unless_separated(link.id, twin, 'clean-up') is null then
                    update public.links set is_kept_apart = twin is not null, dedupe_key = key where id = link.id;
                end if;
            elsif link.dedupe_key is null then
                -- The key was an alias of the link.
                delete from public.link_aliases where link_id = link.id and kind = 'key' and value = key;
                update public.links set dedupe_key = key where id = link.id;
            end if;
            if leads_to is not null then
                perform rest.merge_unless_separated(link.id, leads_to, 'clean-up');
            elsif is_new_name then
                insert into public.link_aliases (user_id, link_id, kind, value)
                    select user_id, id, 'key', page from public.links where id = link.id
                    on conflict do nothing;
            end if;
            exit when changed >= max_rows;
        end loop;
        if seen < max_seen and (changed < max_rows or is_dry_run) then
            last_id := null;
        end if;
    end
    $$;

grant execute on function private.lock_owners_of_links(uuid, integer, uuid),
    private.duplicates_batch(uuid, integer, boolean, uuid)
    to lectern_admin;
