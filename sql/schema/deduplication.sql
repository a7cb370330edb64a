-- Deduplication: the keys of links, and the other spellings and ids by which a link is found.

-- Sets the dedupe key of every link that is written. A key that belongs to another link violates the unique key like
-- any other duplicate; the workers then save that other link again, see rest.save_links.
create or replace function private.set_dedupe_key() returns trigger
    language plpgsql
    as $$
    declare
        is_same constant boolean := tg_op = 'UPDATE' and new.raw_url = old.raw_url and new.user_id = old.user_id;
    begin
        if current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('rest.restoring', true) is distinct from 'on'
        then
            -- Clients cannot set these columns.
            new.is_kept_apart := is_same and old.is_kept_apart;
            new.canonical_key := case when is_same then old.canonical_key end;
            if is_same then
                new.dedupe_key := old.dedupe_key;
                return new;
            end if;
        end if;
        if new.dedupe_key is null and is_same and current_setting('rest.rekeying', true) = 'on' then
            return new;
        end if;
        new.dedupe_key := rest.dedupe_key(new.raw_url);
        if new.is_kept_apart and rest.has_other_link(new.user_id, new.dedupe_key, new.id) then
            new.dedupe_key := null;
            return new;
        end if;
        -- The unique index keeps links apart; only aliases need a look-up.
        if rest.is_alias_of_other_link(new.user_id, new.dedupe_key, new.id) then
            raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                using errcode = 'unique_violation', schema = 'public', table = 'links',
                constraint = 'links_user_id_dedupe_key';
        end if;
        return new;
    end
    $$;

create or replace trigger key_changed_link
    before update on public.links
    for each row
    when (
        new.raw_url is distinct from old.raw_url or new.dedupe_key is distinct from old.dedupe_key
        or new.user_id <> old.user_id or new.is_kept_apart <> old.is_kept_apart
        or new.canonical_key is distinct from old.canonical_key)
    execute function private.set_dedupe_key();

-- Not for links of imported entries, whose keys are new and known; see import_entries.sql. The same is true of most
-- links from the trash; see rest.restore_links.
create or replace trigger key_link
    before insert on public.links
    for each row
    when (current_setting('lectern.importing', true) is distinct from 'on' and (
        current_setting('rest.restoring', true) is distinct from 'on' or new.dedupe_key is null or new.is_kept_apart))
    execute function private.set_dedupe_key();

-- A row that refers to a link by a former id of it is attached to the link. Rows from the trash have the present id.
create or replace function private.replace_link_alias() returns trigger
    language plpgsql
    as $$
    begin
        if not exists (select from public.links where id = new.link_id) then
            new.link_id := coalesce((
                select link_id from public.link_aliases
                where md5(value) = md5(new.link_id::text) and value = new.link_id::text and kind = 'id'
                    and user_id = new.user_id), new.link_id);
        end if;
        return new;
    end
    $$;

create or replace trigger aliased_link_replaced before insert on bookmarks
    for each row
    when (new.link_id is not null and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

create or replace trigger aliased_link_replaced before insert on collection_links
    for each row
    when (new.link_id is not null and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

create or replace trigger aliased_link_replaced before insert on highlights
    for each row
    when (new.link_id is not null and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

create or replace trigger aliased_link_replaced before insert on link_tags
    for each row
    when (new.link_id is not null and current_setting('lectern.importing', true) is distinct from 'on'
        and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

create or replace trigger aliased_link_replaced before insert on notes
    for each row
    when (new.link_id is not null and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

create or replace trigger aliased_link_replaced before insert on reading_progress
    for each row
    when (new.link_id is not null and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.replace_link_alias();

-- Functions owned by the admin: users have no direct access to aliases and merges. Each function checks whose link it
-- is.
set local role lectern_admin;

-- The link that has a key as an alias.
create or replace function rest.link_of_alias(owner uuid, key text) returns uuid
    language plpgsql stable
    as $$
    begin
        return (
            select link_id from public.link_aliases
            where user_id = owner and kind = 'key' and md5(value) = md5(key) and value = key);
    end
    $$;

-- The owner's link for a key; null if there is none.
create or replace function rest.link_of_key(owner uuid, key text) returns uuid
    language plpgsql stable
    as $$
    begin
        return coalesce(
            (select id from public.links where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key),
            rest.link_of_alias(owner, key));
    end
    $$;

-- Whether a key is an alias of another link than this one. Every link that is written waits for it, so it bypasses
-- row-level security; triggers call it with the owner of the row.
create or replace function rest.is_alias_of_other_link(owner uuid, key text, link uuid) returns boolean
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return exists (
            select from public.link_aliases
            where md5(value) = md5(key) and value = key and kind = 'key' and user_id = owner and link_id <> link);
    end
    $$;

-- The columns that a client may set on a link, with valid values only.
create or replace function rest.client_columns(given jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(given)
        where value <> 'null' and (
            key in ('title', 'description', 'device_saved', 'image', 'site_name', 'lang')
                and jsonb_typeof(value) = 'string'
            or key = 'list' and value in ('"read"', '"archive"') or key = 'status' and value in ('"unread"', '"read"')
            or key = 'is_starred' and value in ('true', 'false'))
    $$;

-- The fields of the first state that differ from the second. Links may be long, and every merge stores them.
create or replace function rest.changed_fields(one jsonb, other jsonb) returns jsonb
    language sql immutable
    as $$ select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(one) where value
        is distinct from other -> key $$;

-- Records the spellings and client-given ids by which a link was saved as its aliases, except ids that any link has.
--
-- before: the link before this save. given: the values of the save, per spelling. They are recorded as merges, which
-- can be undone.
create or replace function rest.record_spellings(link uuid, spellings text[], ids uuid[], given jsonb[], before jsonb)
    returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    declare
        -- Beyond these numbers the oldest are deleted, so that saves cannot fill the disk.
        max_aliases constant integer := 1000;
        max_merges constant integer := 100;
        -- So much may be recorded even though the storage quota is used up.
        max_bytes_beyond_quota constant integer := 8192;
        max_aliases_beyond_quota constant integer := 20;
        known public.links;
        -- Timestamps are compared in the format that this function writes.
        was jsonb := to_jsonb(jsonb_populate_record(null::public.links, before));
        given_id uuid;
    begin
        select * into known from public.links where links.id = record_spellings.link;
        if not found or not rest.may_act_for(known.user_id) then
            return;
        end if;
        if octet_length(array_to_string(spellings, '')) > max_bytes_beyond_quota
            or (select count(*) from (select from public.link_aliases where link_id = known.id
                limit max_aliases_beyond_quota) as recorded) = max_aliases_beyond_quota
        then
            perform private.require_storage(known.user_id, 0);
        end if;
        for n in 1..cardinality(spellings) loop
            given_id := ids[n];
            if given_id = known.id or exists (select from public.links where links.id = given_id) then
                given_id := null;
            end if;
            if given_id is not null then
                insert into public.link_aliases (user_id, link_id, kind, value)
                    values (known.user_id, known.id, 'id', given_id)
                    on conflict do nothing;
            end if;
            continue when spellings[n] = known.raw_url;
            insert into public.link_aliases (user_id, link_id, kind, value)
                values (known.user_id, known.id, 'spelling', spellings[n])
                on conflict do nothing;
            continue when not found or n > max_merges;
            insert into public.link_merges (
                user_id, survivor_id, merged_id, raw_url, title, reason, survivor_before, survivor_after, link, parts,
                    added)
                values (
                    known.user_id, known.id, coalesce(given_id, gen_random_uuid()), spellings[n], given[n] ->> 'title',
                    'spelling', rest.changed_fields(was, to_jsonb(known)), rest.changed_fields(to_jsonb(known), was),
                    rest.client_columns(given[n]) || jsonb_build_object(
                        'raw_url', spellings[n], 'user_id', known.user_id, 'created_at', now(), 'updated_at', now()),
                    '{}', '{}');
            was := to_jsonb(known);
        end loop;
        delete from public.link_aliases where id in (
            select old.id from public.link_aliases old
            where old.link_id = known.id and old.kind in ('spelling', 'id')
            order by old.created_at desc offset max_aliases);
        delete from public.link_merges where id in (
            select old.id from public.link_merges old
            where old.survivor_id = known.id and old.reason = 'spelling'
            order by old.merged_at desc offset max_merges);
    end
    $$;

-- Records which page and tags arrived with a save by another spelling, so that undoing the merge can move them back.
create or replace function rest.record_sent_page(link uuid, spelling text, old_page jsonb, tags uuid[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    begin
        update public.link_merges
            set parts = jsonb_build_object(
                    'pages', (select jsonb_agg(to_jsonb(pages)) from private.pages
                        where pages.link_id = record_sent_page.link),
                    'link_tags', (
                        select coalesce(jsonb_agg(to_jsonb(given)), '[]') from public.link_tags given
                        where given.link_id = record_sent_page.link and given.tag_id = any (tags))),
                added = jsonb_build_object('pages', old_page is null, 'page_before', old_page, 'link_tags',
                    to_jsonb(tags))
            where survivor_id = record_sent_page.link and raw_url = spelling and reason = 'spelling'
                and undone_at is null and parts = '{}'
                and rest.may_act_for(user_id);
    end
    $$;

-- Deletes aliases of the former page after a link got another address. Spellings of the key that it still has stay.
create or replace function private.delete_outdated_aliases() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from public.link_aliases
            where link_id = new.id
                and (kind = 'key' and new.dedupe_key is distinct from old.dedupe_key
                    or kind = 'spelling' and (
                        value = new.raw_url or rest.dedupe_key(value) is distinct from new.dedupe_key));
        return null;
    end
    $$;

create or replace trigger former_aliases_deleted
    after update on public.links
    for each row
    when (new.raw_url is distinct from old.raw_url)
    execute function private.delete_outdated_aliases();

-- Records the page that a link leads to as an alias, whoever sets resolved_url. If that page is another link,
-- rest.merge_resolved_link finds out when the link is resolved.
create or replace function private.add_resolved_key() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        page constant text := rest.dedupe_key(new.resolved_url);
    begin
        if page <> new.dedupe_key and not new.is_kept_apart and rest.is_page_of(new.raw_url, new.resolved_url)
            and rest.link_of_key(new.user_id, page) is null
        then
            insert into public.link_aliases (user_id, link_id, kind, value) values (new.user_id, new.id, 'key', page)
                on conflict do nothing;
        end if;
        return null;
    end
    $$;

-- The same for links from the trash, after the aliases that they had.
create or replace function rest.add_resolved_keys(links uuid[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owners uuid[];
        hashes text[];
        -- The owners and pages that have a link. They are looked for together: a cached plan for one link may have been
        -- made when the table was empty, and then reads all of it.
        taken jsonb;
    begin
        select array_agg(distinct l.user_id), array_agg(md5(page)) into owners, hashes
            from public.links l, rest.dedupe_key(l.resolved_url) as page
            where l.id = any (links) and l.resolved_url <> l.raw_url and not l.is_kept_apart and page <> l.dedupe_key;
        if hashes is null then
            return;
        end if;
        select coalesce(jsonb_object_agg(concat(user_id, ' ', page), true), '{}') into taken
            from (
                select a.user_id, a.value as page from public.link_aliases a
                where a.user_id = any (owners) and a.kind = 'key' and md5(a.value) = any (hashes)
                union all
                select l.user_id, l.dedupe_key from public.links l
                where l.user_id = any (owners) and md5(l.dedupe_key) = any (hashes)
            ) as known;
        insert into public.link_aliases (user_id, link_id, kind, value)
            select l.user_id, l.id, 'key', page
            from public.links l, rest.dedupe_key(l.resolved_url) as page
            where l.id = any (links) and l.resolved_url <> l.raw_url and not l.is_kept_apart and page <> l.dedupe_key
                and not taken ? concat(l.user_id, ' ', page) and rest.may_act_for(l.user_id)
                and rest.is_page_of(l.raw_url, l.resolved_url)
            on conflict do nothing;
    end
    $$;

create or replace trigger key_resolved_on_insert
    after insert on public.links
    for each row
    when (new.resolved_url <> new.raw_url and current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.add_resolved_key();

create or replace trigger key_resolved_on_update
    after update on public.links
    for each row
    when (new.resolved_url is distinct from old.resolved_url and new.resolved_url <> new.raw_url)
    execute function private.add_resolved_key();

revoke execute on function rest.link_of_alias(uuid, text), rest.link_of_key(uuid, text),
    rest.is_alias_of_other_link(uuid, text, uuid), rest.client_columns(jsonb), rest.changed_fields(jsonb, jsonb),
    rest.record_spellings(uuid, text[], uuid[], jsonb[], jsonb), rest.record_sent_page(uuid, text, jsonb, uuid[]),
    private.delete_outdated_aliases(), private.add_resolved_key(), rest.add_resolved_keys(uuid[])
    from public;
grant execute on function rest.is_alias_of_other_link(uuid, text, uuid)
    to anon, authenticated, service_role, job_worker;
grant execute on function rest.record_spellings(uuid, text[], uuid[], jsonb[], jsonb),
    rest.record_sent_page(uuid, text, jsonb, uuid[]), rest.add_resolved_keys(uuid[])
    to authenticated, service_role;

set local role lectern_owner;
