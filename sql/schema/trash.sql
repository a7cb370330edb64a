-- The trash.
--
-- A deleted link is removed from its table: its keys are free and the deletion is reported. A copy of the link and of
-- everything attached to it is stored in public.trash. Jobs are not stored: a restored link that is not finished gets a
-- new one.

-- Stores the copy. Runs as the owner because nobody may write to the trash; the policy there restricts a user to own
-- rows.
create or replace function rest.store_in_trash(link public.links, parts jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- The user is deleted in the same statement; nothing is stored.
        if not exists (select from auth.users where id = link.user_id) then
            return;
        end if;
        parts := parts || jsonb_build_object('pages', coalesce((
            select jsonb_agg(to_jsonb(pages)) from private.pages
            where pages.link_id = link.id and pages.user_id = link.user_id), '[]'),
            'page_copies', coalesce((
                select jsonb_agg(to_jsonb(copies)) from private.page_copies copies
                where copies.link_id = link.id and copies.user_id = link.user_id), '[]'),
            'ruled_links', coalesce((
                select jsonb_agg(to_jsonb(ruled)) from private.ruled_links ruled
                where ruled.link_id = link.id and ruled.user_id = link.user_id), '[]'));
        insert into public.trash (user_id, link_id, raw_url, title, link, parts, acted_at)
            values (link.user_id, link.id, link.raw_url, link.title, to_jsonb(link), parts,
                coalesce(rest.acted_at(), clock_timestamp()));
    end
    $$;

-- Moves a deleted link to the trash, with its aliases. A merge deletes a link without moving it there.
create or replace function private.link_deleted() returns trigger
    language plpgsql
    as $$
    begin
        if current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('request.acted_at', true) <> ''
            and rest.is_superseded(rest.acted_at(), old.acted_at, old.acted_as)
        then
            return null;
        end if;
        perform rest.store_in_trash(old, rest.attached_rows(old.id));
        return old;
    end
    $$;

create or replace trigger link_deleted
    before delete on public.links
    for each row
    when (current_user <> 'lectern_owner' and current_setting('rest.merging', true) is distinct from 'on')
    execute function private.link_deleted();

-- Inserts stored rows; rows whose keys are taken are skipped. Columns added since the rows were stored get their
-- defaults.
create or replace function rest.insert_stored_rows(target regclass, kept jsonb) returns void
    language plpgsql
    as $$
    declare
        columns constant text := (
            select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
            where attrelid = target and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname);
    begin
        if columns is not null then
            execute format(
                'insert into %1$s (%2$s) select %2$s from pg_catalog.jsonb_populate_recordset(null::%1$s, $1)
                on conflict do nothing', target, columns) using kept;
        end if;
    end
    $$;

-- Restores the tables that users may not write, such as article and page, unchanged from the trash. Runs as the owner for that;
-- the policies restrict a user to own rows, and the foreign keys to own links.
create or replace function rest.restore_article_and_page(trash_id uuid, target uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        parts jsonb;
        address jsonb;
    begin
        -- Whatever the stored rows say, they belong to the owner of the trashed link.
        select trash.parts, jsonb_build_object('link_id', target, 'user_id', trash.user_id) into parts, address
            from public.trash where trash.id = trash_id;
        perform rest.insert_stored_rows('public.articles', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'articles') as part));
        perform rest.insert_stored_rows('private.pages', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'pages') as part));
        perform rest.insert_stored_rows('private.page_copies', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'page_copies') as part));
        -- A link that has met the rules does not meet them again.
        perform rest.insert_stored_rows('private.ruled_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'ruled_links') as part));
        -- Aliases that no other link has taken in the meantime.
        perform rest.insert_stored_rows('public.link_aliases', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'link_aliases') as part
            where part ->> 'kind' = 'id'
                or coalesce(rest.link_of_url((address ->> 'user_id')::uuid, part ->> 'value'), target) = target));
    end
    $$;

create or replace function public.restore_link(link_id uuid) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        kept public.trash;
        target uuid;
        is_saved_again boolean;
        -- The link that was saved under another spelling in the meantime.
        twin uuid;
        address jsonb;
    begin
        -- For a call that does not come over /rest/v1/, which has taken the lock.
        perform rest.lock_writes(array(select user_id from public.trash where link_id = restore_link.link_id));
        select * into kept from public.trash
            where link_id = restore_link.link_id
            order by deleted_at desc, id
            limit 1;
        if not found then
            return;
        end if;
        -- Makes the triggers keep the values as they are written.
        perform set_config('rest.restoring', 'on', true);
        -- It takes no more space than the trash did. The link itself counts as a new one.
        perform set_config('rest.within_storage', 'yes', true);
        target := coalesce(
            (select links.id from public.links where links.id = kept.link_id),
            (select links.id from public.links where links.user_id = kept.user_id and links.raw_url = kept.raw_url));
        is_saved_again := target is not null;
        if is_saved_again then
            -- The same address was saved again: that link gets the values that it lacks.
            update public.links
                set title = coalesce(links.title, old.title),
                    description = coalesce(links.description, old.description),
                    is_starred = links.is_starred or old.is_starred
                from jsonb_populate_record(null::public.links, kept.link) as old
                where links.id = target;
            perform rest.record_spellings(
                target, array[kept.raw_url], array[kept.link_id], array[kept.link],
                (select to_jsonb(links) from public.links where id = target));
        else
            -- A link saved under another spelling in the meantime is merged after everything is restored.
            twin := case when not coalesce((kept.link -> 'is_kept_apart')::boolean, false)
                then rest.link_of_url(kept.user_id, kept.raw_url) end;
            perform rest.insert_stored_rows('public.links', jsonb_build_array(
                kept.link || jsonb_build_object('user_id', kept.user_id)
                    || case when twin is null then '{}' else '{"is_kept_apart": true}'::jsonb end));
            target := kept.link_id;
        end if;
        address := jsonb_build_object('link_id', target, 'user_id', kept.user_id);
        perform rest.restore_article_and_page(kept.id, target);
        perform rest.insert_stored_rows('public.link_tags', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'link_tags') as part
            where exists (select from public.tags where id = (part ->> 'tag_id')::uuid)));
        perform rest.insert_stored_rows('public.collection_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'collection_links') as part
            where exists (select from public.collections where id = (part ->> 'collection_id')::uuid)));
        perform rest.insert_stored_rows('public.highlights', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'highlights') as part));
        perform rest.insert_stored_rows('public.bookmarks', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'bookmarks') as part));
        perform rest.insert_stored_rows('public.reading_progress', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'reading_progress') as part));
        if is_saved_again then
            -- A link has one note: the two are joined.
            update public.notes
                set body = case
                        when notes.body in ('', part ->> 'body') then part ->> 'body'
                        when part ->> 'body' = '' then notes.body
                        else part ->> 'body' || E'\n\n' || notes.body
                    end,
                    is_favorite = notes.is_favorite or (part -> 'is_favorite')::boolean,
                    updated_at = now()
                from jsonb_array_elements(kept.parts -> 'notes') as part
                where notes.link_id = target;
        end if;
        perform rest.insert_stored_rows('public.notes', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'notes') as part));
        perform set_config('rest.restoring', '', true);
        delete from public.trash where id = kept.id;
        if twin is not null then
            target := rest.merge_restored_link(target, twin);
        end if;
        return query select * from public.links where id = target;
    end
    $$;
comment on function public.restore_link(uuid) is
    'Restores a link from the trash with everything attached to it. If its URL has been saved again, that link gets '
    'what was attached.';

-- Restores a link for an update that is newer than its deletion; the link is found by a former id too.
create or replace function rest.restore_if_newer(id uuid) returns void
    language plpgsql
    as $$
    declare
        kept public.trash;
    begin
        if exists (select from public.links where links.id = restore_if_newer.id) then
            return;
        end if;
        select * into kept from public.trash
            where trash.link_id = restore_if_newer.id or trash.link_id in (
                select survivor_id from public.link_merges where merged_id = restore_if_newer.id and undone_at is null)
            order by deleted_at desc, trash.id limit 1;
        if rest.acted_at() > kept.acted_at then
            perform public.restore_link(kept.link_id);
        end if;
    end
    $$;

-- Records the time of a deletion for a link that is in the trash already: edits made before that time do not restore
-- it. Runs as the owner because nobody may write to the trash; the policy there restricts a user to own rows.
create or replace function rest.confirm_deletion(id uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update public.trash set acted_at = rest.acted_at()
        where trash.link_id = confirm_deletion.id and trash.acted_at < rest.acted_at()
    $$;

grant execute on function rest.store_in_trash(public.links, jsonb), rest.insert_stored_rows(regclass, jsonb),
    rest.restore_article_and_page(uuid, uuid), public.restore_link(uuid), rest.restore_if_newer(uuid),
    rest.confirm_deletion(uuid)
    to authenticated, service_role;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Merges a link restored from the trash with the one that was created for its page in the meantime.
create or replace function rest.merge_restored_link(link uuid, twin uuid) returns uuid
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        survivor uuid;
        merge uuid;
    begin
        if exists (select from public.links where id in (link, twin) and not rest.may_act_for(user_id)) then
            return null;
        end if;
        merge := rest.merge_into_older(link, twin, 'clean-up');
        select survivor_id into survivor from public.link_merges where id = merge;
        update public.links set is_kept_apart = false where id = survivor;
        return survivor;
    end
    $$;

revoke execute on function rest.merge_restored_link(uuid, uuid) from public;
grant execute on function rest.merge_restored_link(uuid, uuid) to authenticated, service_role;

set local role lectern_owner;
