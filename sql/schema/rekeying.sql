-- Bringing dedupe keys up to date with the rules: `lectern maintain rekey`.

-- Gives a link the key that its address has by the present rules, or merges it with the link that has that key. Returns
-- the link that is left.
create or replace function private.rekey_link(link uuid, owner uuid) returns uuid
    language plpgsql
    as $$
    declare
        survivor uuid := link;
        -- The link, and links that lose a key that is theirs by older rules only.
        pending uuid[] := array[link];
        one uuid;
        other uuid;
        met uuid;
        key text;
    begin
        while cardinality(pending) > 0 loop
            one := pending[1];
            pending := pending[2:];
            select rest.dedupe_key(raw_url) into key from public.links where id = one;
            other := rest.link_of_key(owner, key);
            perform set_config('rest.rekeying', 'on', true);
            update public.links set dedupe_key = null
                where id = other and id <> one and dedupe_key = key and rest.dedupe_key(raw_url) is distinct from key;
            if found then
                pending := pending || other;
                other := null;
            end if;
            perform set_config('rest.rekeying', '', true);
            if other is null or other = one then
                delete from public.link_aliases where link_id = one and kind = 'key' and value = key;
                update public.links set dedupe_key = key where id = one;
                continue;
            end if;
            met := rest.merge_unless_separated(one, other, 'clean-up');
            if met is null then
                -- Their user has separated one of them. The trigger finds that the key is taken.
                update public.links set is_kept_apart = true where id = one;
            elsif survivor in (one, other) then
                survivor := met;
            end if;
        end loop;
        return survivor;
    end
    $$;

-- Brings keys up to date after a change of the rules or of the list of tracking parameters, and merges links whose keys
-- have become equal.
create or replace function private.rekey_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        max_seen constant integer := case when is_dry_run then max_rows else 500 end;
        link record;
        alias record;
        other uuid;
        -- The link, or the one it was merged into.
        target uuid;
        is_changed boolean;
    begin
        seen := 0;
        changed := 0;
        if not is_dry_run then
            perform private.lock_owners_of_links(after, max_seen, account);
        end if;
        for link in
            select id, user_id, dedupe_key, canonical_key, is_kept_apart, rest.dedupe_key(raw_url) as key
                from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or user_id = account)
            order by id limit max_seen
        loop
            last_id := link.id;
            seen := seen + 1;
            is_changed := false;
            target := link.id;
            -- A link without a key is left to `duplicates`, or was separated by its user.
            if link.dedupe_key is not null and link.key is distinct from link.dedupe_key then
                is_changed := true;
                if not is_dry_run then
                    target := private.rekey_link(link.id, link.user_id);
                end if;
            end if;
            for alias in
                select id, link_id, rest.dedupe_key(value) as key from public.link_aliases
                where link_id = target and kind = 'key' and value <> rest.dedupe_key(value)
            loop
                is_changed := true;
                continue when is_dry_run;
                other := rest.link_of_key(link.user_id, alias.key);
                delete from public.link_aliases where id = alias.id;
                if other is null then
                    insert into public.link_aliases (user_id, link_id, kind, value)
                        values (link.user_id, alias.link_id, 'key', alias.key);
                else
                    perform rest.merge_unless_separated(alias.link_id, other, 'clean-up');
                end if;
            end loop;
            if link.canonical_key <> rest.dedupe_key(link.canonical_key) then
                is_changed := true;
                if not is_dry_run then
                    update public.links set canonical_key = rest.dedupe_key(canonical_key) where id = target;
                end if;
            end if;
            changed := changed + is_changed::integer;
            exit when changed >= max_rows and not is_dry_run;
        end loop;
        if seen < max_seen and (changed < max_rows or is_dry_run) then
            last_id := null;
        end if;
    end
    $$;

grant execute on function private.rekey_link(uuid, uuid), private.rekey_batch(uuid, integer, boolean, uuid)
    to lectern_admin;
