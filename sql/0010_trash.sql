-- The trash.
--
-- A deleted link is really gone, its keys free and the change told to everyone; a copy of it and of all that hung on it
-- waits in public.trash. Jobs are not kept: a link that comes back unfinished gets a new one.

-- Puts a copy aside. Runs as the owner because nobody may write to the trash; the policy there keeps a user to own rows.
create function rest.keep_in_trash(link public.links, parts jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- Deleted in the same statement; nothing of it stays.
        if not exists (select from auth.users where id = link.user_id) then
            return;
        end if;
        parts := parts || jsonb_build_object('pages', coalesce((
            select jsonb_agg(to_jsonb(pages)) from private.pages
            where pages.link_id = link.id and pages.user_id = link.user_id), '[]'));
        insert into public.trash (user_id, link_id, raw_url, title, link, parts, acted_at)
            values (link.user_id, link.id, link.raw_url, link.title, to_jsonb(link), parts,
                coalesce(rest.acted_at(), clock_timestamp()));
    end
    $$;

create function private.link_deleted() returns trigger
    language plpgsql
    as $$
    begin
        if current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('request.acted_at', true) <> ''
            and rest.is_superseded(rest.acted_at(), old.acted_at, old.acted_as)
        then
            return null;
        end if;
        -- Every table with a foreign key to links, but the queue.
        perform rest.keep_in_trash(old, jsonb_build_object(
            'articles', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.articles t where t.link_id = old.id), '[]'),
            'link_tags', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.link_tags t where t.link_id = old.id), '[]'),
            'highlights', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.highlights t where t.link_id = old.id), '[]'),
            'notes', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.notes t where t.link_id = old.id), '[]'),
            'collection_links', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.collection_links t where t.link_id = old.id), '[]'),
            'reading_progress', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.reading_progress t where t.link_id = old.id), '[]')));
        return old;
    end
    $$;

-- Not when a user is deleted: that cascade runs as the tables' owner, which sees no links and so deletes none otherwise.
create trigger link_deleted
    before delete on public.links
    for each row
    when (current_user <> 'lectern_owner')
    execute function private.link_deleted();

-- Inserts rows as they were; those whose keys are taken are left out. Columns that the rows do not know, being younger
-- than they, get their default.
create function rest.put_back(target regclass, kept jsonb) returns void
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

-- Brings back what the user may not write: article and page, unchanged from the trash. Runs as the owner for that; the
-- policies keep a user to own rows, and the foreign keys to own links.
create function rest.put_texts_back(trash_id uuid, target uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        parts jsonb;
        address constant jsonb := jsonb_build_object('link_id', target);
    begin
        select trash.parts into parts from public.trash where trash.id = trash_id;
        perform rest.put_back('public.articles', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'articles') as part));
        perform rest.put_back('private.pages', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'pages') as part));
    end
    $$;

create function public.restore_link(link_id uuid) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        kept public.trash;
        target uuid;
        is_saved_again boolean;
        address jsonb;
        note record;
    begin
        select * into kept from public.trash
            where link_id = restore_link.link_id
            order by deleted_at desc, id
            limit 1;
        if not found then
            return;
        end if;
        -- Triggers leave alone what is written as it was.
        perform set_config('rest.restoring', 'on', true);
        select links.id into target from public.links
            where links.user_id = kept.user_id and (links.id = kept.link_id or links.raw_url = kept.raw_url)
            order by links.id = kept.link_id desc
            limit 1;
        is_saved_again := found;
        if not is_saved_again then
            perform rest.put_back('public.links', jsonb_build_array(kept.link));
            target := kept.link_id;
        end if;
        address := jsonb_build_object('link_id', target);
        perform rest.put_texts_back(kept.id, target);
        perform rest.put_back('public.link_tags', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'link_tags') as part
            where exists (select from public.tags where id = (part ->> 'tag_id')::uuid)));
        perform rest.put_back('public.collection_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'collection_links') as part
            where exists (select from public.collections where id = (part ->> 'collection_id')::uuid)));
        perform rest.put_back('public.highlights', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'highlights') as part));
        perform rest.put_back('public.reading_progress', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'reading_progress') as part));
        if is_saved_again then
            -- One note an article: the two become one.
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
        perform rest.put_back('public.notes', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'notes') as part));
        perform set_config('rest.restoring', '', true);
        delete from public.trash where id = kept.id;
        return query select * from public.links where id = target;
    end
    $$;

-- Before an update that tells when its user acted: somebody deleted the link, but earlier than that.
create function rest.revive(id uuid) returns void
    language plpgsql
    as $$
    begin
        if not exists (select from public.links where links.id = revive.id)
            and rest.acted_at() > (
                select trash.acted_at from public.trash where trash.link_id = revive.id order by deleted_at desc, trash.id limit 1)
        then
            perform public.restore_link(revive.id);
        end if;
    end
    $$;

-- Before a deletion that tells when its user acted: a link that is in the trash already stays there for edits made until
-- then. Runs as the owner because nobody may write to the trash; the policy there keeps a user to own rows.
create function rest.keep_deleted(id uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update public.trash set acted_at = rest.acted_at()
        where trash.link_id = keep_deleted.id and trash.acted_at < rest.acted_at()
    $$;

grant execute on function rest.keep_deleted(uuid), rest.keep_in_trash(public.links, jsonb), rest.put_back(regclass, jsonb),
    rest.put_texts_back(uuid, uuid), rest.revive(uuid), public.restore_link(uuid)
    to authenticated, service_role;

comment on function public.restore_link(uuid) is 'Brings a link back from the trash, with all that hung on it. When its address was saved again meanwhile, that link gets it.';
