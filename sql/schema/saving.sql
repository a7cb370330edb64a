-- Saving links. rpc/save_page is in sent_pages.sql.

-- Whether the request imports old links instead of stating what its user wants now.
create or replace function rest.is_import() returns boolean
    language sql stable
    as $$
        select current_setting('role') = 'service_role' or
            coalesce(current_setting('request.intent', true), '') = 'import'
    $$;

-- Whether a key belongs to another link than this one.
create or replace function rest.has_other_link(owner uuid, key text, link uuid) returns boolean
    language plpgsql stable
    as $$
    begin
        return exists (
                select from public.links
                where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key and id <> link)
            or rest.is_alias_of_other_link(owner, key, link);
    end
    $$;

-- The owner's link for a URL: a link with exactly this address first, then one with its key or alias. Null if there is
-- none.
create or replace function rest.link_of_url(owner uuid, url text) returns uuid
    language plpgsql stable
    as $$
    declare
        link uuid;
        key text;
    begin
        select id into link from public.links where user_id = owner and raw_url = url;
        if found then
            return link;
        end if;
        key := rest.dedupe_key(url);
        select id into link from public.links where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key;
        if found then
            return link;
        end if;
        select link_id into link from public.link_aliases
            where user_id = owner and md5(value) in (md5(key), md5(url))
                and (value = key and kind = 'key' or value = url and kind = 'spelling')
            limit 1;
        return link;
    end
    $$;

-- Returns the values from the object of another spelling that change the link: those that state what the user wants now,
-- and those for empty columns.
create or replace function rest.changes_of_spelling(another jsonb, own jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(another)
        where value <> 'null' and key not in ('id', 'raw_url', 'user_id')
            and (key in ('list', 'status') or key = 'is_starred' and value = 'true'
                or coalesce(own -> key, 'null') = 'null')
    $$;

-- Saves an existing page again: it moves to the top of the list with the values of this request and keeps its other
-- values. An import only fills empty columns. Returns no row if a newer action of a client has been applied to the
-- link.
create or replace function rest.save_existing_link(link uuid, given jsonb) returns setof public.links
    language plpgsql
    as $$
    declare
        is_import constant boolean := rest.is_import();
    begin
        if is_import then
            given := given - array['list', 'status', 'is_starred', 'state'];
            -- Makes the triggers keep the values as they are written.
            perform set_config('rest.restoring', 'on', true);
        end if;
        return query
            update public.links as known
            set list = coalesce(new.list, known.list), status = coalesce(new.status, known.status),
                is_starred = known.is_starred or coalesce(new.is_starred, not is_import and rest.has_star(new.title)),
                -- A failed page is tried again.
                state = coalesce(new.state, case when known.state = 'failed' and not is_import then 'pending'
                    else known.state end),
                title = coalesce(known.title, new.title), description = coalesce(known.description, new.description),
                device_saved = coalesce(known.device_saved, new.device_saved),
                resolved_url = coalesce(known.resolved_url, new.resolved_url),
                image = coalesce(known.image, new.image), site_name = coalesce(known.site_name, new.site_name),
                lang = coalesce(known.lang, new.lang), word_count = coalesce(known.word_count, new.word_count),
                kind = coalesce(known.kind, new.kind), byline = coalesce(known.byline, new.byline),
                published_at = coalesce(known.published_at, new.published_at),
                reading_time = coalesce(known.reading_time, new.reading_time), icon = coalesce(known.icon, new.icon),
                enclosure_url = coalesce(known.enclosure_url, new.enclosure_url),
                enclosure_type = case when known.enclosure_url is null then new.enclosure_type
                    else known.enclosure_type end,
                enclosure_duration = case
                    when known.enclosure_url is null then new.enclosure_duration else known.enclosure_duration
                end
            from jsonb_populate_record(null::public.links, given) as new
            where known.id = link
            returning known.*;
        if is_import then
            perform set_config('rest.restoring', '', true);
        end if;
    end
    $$;

-- Inserts one object as a link. Returns no row if the conflict clause skips it.
create or replace function rest.insert_link(object jsonb, columns text[], clause text, fills_defaults boolean)
    returns setof public.links
    language plpgsql
    as $$
    declare
        written constant text := (
            select string_agg(quote_ident(name), ', ') from unnest(columns) as name
            where not fills_defaults or object ? name);
    begin
        if written is null then
            return query insert into public.links default values returning links.*;
            return;
        end if;
        return query execute format(
            'insert into public.links (%1$s) select %1$s from jsonb_populate_record(null::public.links, $1) %2$s
            returning links.*', written, clause)
            using object;
    end
    $$;

-- Inserts objects that have ids, and returns how many of them exist under these ids.
create or replace function rest.insert_links(objects jsonb, columns text[], clause text) returns bigint
    language plpgsql
    as $$
    declare
        written constant text := (
            select string_agg(quote_ident(name), ', ') from unnest(array_remove(columns, 'id') || 'id'::text) as name);
        made bigint;
    begin
        if jsonb_array_length(objects) = 0 then
            return 0;
        end if;
        execute format(
            'with made as (
                insert into public.links (%1$s) select %1$s from jsonb_populate_recordset(null::public.links, $1) %2$s
                returning id)
            select count(*) from made where id in (select (object ->> ''id'')::uuid
                from jsonb_array_elements($1) as object)',
            written, clause)
            into made using objects;
        return made;
    end
    $$;

-- Inserts the objects of a statement of /rest/v1/. Pages that exist under another spelling are updated instead. Returns
-- one row per page, in the order in which the pages were first named.
--
-- resolution: as in Prefer; null for none. fills_defaults: columns that an object omits get their defaults.
--
-- For a caller who may only add links, every page that exists is saved again and keeps its values, and the first of
-- several objects for a new page counts.
create or replace function rest.save_links(
    body jsonb, columns text[], resolution text, target text[], fills_defaults boolean
) returns table (saved public.links, is_new boolean)
    language plpgsql
    as $$
    declare
        page record;
        known public.links;
        before jsonb;
        folded jsonb;
        others jsonb;
        written public.links;
        -- The response, in order.
        links uuid[] := '{}';
        news boolean[] := '{}';
        -- New pages, inserted in one statement: a batch may hold thousands.
        fresh jsonb[] := '{}';
        is_import constant boolean := rest.is_import();
        only_adds constant boolean := rest.only_adds();
        clause constant text := case
            when resolution is null then ''
            when resolution = 'merge-duplicates' then format(
                'on conflict (%s) do update set %s',
                (select string_agg(quote_ident(name), ', ') from unnest(target) as name),
                (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name))
            else format('on conflict (%s) do nothing',
                (select string_agg(quote_ident(name), ', ') from unnest(target) as name))
        end;
    begin
        for page in
            with given as (
                select place, (
                        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(sent)
                        where key = any (columns)
                            -- Null is no wish, as if the column were left out.
                            and (value <> 'null' or key not in ('list', 'status'))) as object
                from jsonb_array_elements(case jsonb_typeof(body) when 'array' then body
                    else jsonb_build_array(body) end)
                    with ordinality as sent (sent, place)
            ), typed as (
                select place, object, link.raw_url, link.id, coalesce(link.user_id, auth.uid()) as owner
                from given, jsonb_populate_record(null::public.links, object) as link
            )
            select owner, link_id, array_agg(object order by place) as objects,
                array_agg(raw_url order by place) as urls,
                array_agg(id order by place) as ids
            from typed, rest.link_of_url(owner, raw_url) as link_id
            group by owner, link_id, case when link_id is null then coalesce(rest.dedupe_key(raw_url), raw_url) end
            order by min(place)
        loop
            -- Waits for a concurrent writer; a link that it deleted is treated as a new page.
            select * into known from public.links where id = page.link_id for update;
            before := to_jsonb(known);
            is_new := known.id is null;
            if is_new and (cardinality(page.urls) = 1 or only_adds) and not fills_defaults then
                folded := page.objects[1] || jsonb_build_object('id', coalesce(page.ids[1], gen_random_uuid()));
                fresh := fresh || folded;
                links := links || (folded ->> 'id')::uuid;
                news := news || true;
                continue;
            end if;
            if not is_new and rest.link_of_url(page.owner, page.urls[1]) is distinct from known.id then
                -- The link became another page while we waited. The worker retries and looks it up again.
                raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                    using errcode = 'unique_violation', schema = 'public', table = 'links',
                    constraint = 'links_user_id_dedupe_key';
            end if;
            others := null;
            written := null;
            if is_new then
                if resolution is null and not only_adds and page.urls[1] is not null
                    and cardinality(page.urls) > (select count(distinct url) from unnest(page.urls) as url)
                then
                    raise exception 'duplicate key value violates unique constraint "links_user_id_raw_url_key"'
                        using errcode = 'unique_violation', schema = 'public', table = 'links',
                        constraint = 'links_user_id_raw_url_key';
                end if;
                folded := page.objects[1];
                if resolution is distinct from 'ignore-duplicates' and not only_adds then
                    for n in 2..cardinality(page.objects) loop
                        folded := folded || jsonb_strip_nulls(page.objects[n] - array['id', 'raw_url']);
                    end loop;
                end if;
                select made.* into written from rest.insert_link(folded, columns, clause, fills_defaults) as made;
                -- As if the first spelling had arrived alone.
                before := to_jsonb(written)
                    || coalesce((
                        select jsonb_object_agg(key, coalesce(page.objects[1] -> key, 'null'))
                            from jsonb_object_keys(folded) as key
                        where key in ('title', 'description', 'device_saved', 'image', 'site_name', 'lang')), '{}')
                    || jsonb_build_object(
                        'list', coalesce(page.objects[1] ->> 'list', 'read'),
                        'status', coalesce(page.objects[1] ->> 'status', 'unread'));
            elsif only_adds then
                select again.* into written from rest.save_existing_link(known.id, '{}') as again;
            else
                folded := null;
                for n in 1..cardinality(page.objects) loop
                    if page.urls[n] <> known.raw_url or is_import and resolution = 'merge-duplicates' then
                        others := coalesce(others, '{}') || jsonb_strip_nulls(page.objects[n]);
                        -- One write for both, in order: the values of another spelling may change those of the exact
                        -- address.
                        folded := folded || rest.changes_of_spelling(page.objects[n], folded);
                    else
                        folded := coalesce(
                            folded || page.objects[n],
                            page.objects[n] || coalesce(rest.changes_of_spelling(others, page.objects[n]), '{}')
                                || jsonb_strip_nulls(page.objects[n]));
                    end if;
                end loop;
                if folded is not null then
                    select made.* into written from rest.insert_link(folded, columns, clause, fills_defaults) as made;
                elsif resolution is distinct from 'ignore-duplicates' then
                    select again.* into written from rest.save_existing_link(known.id, others) as again;
                end if;
            end if;
            if resolution is distinct from 'ignore-duplicates' and not only_adds
                and (others is not null or cardinality(page.urls) > 1)
            then
                perform rest.record_spellings(
                    coalesce(written.id, known.id), page.urls, page.ids, page.objects, before);
            end if;
            -- A link that was skipped, or kept because of a newer action, is not in the response.
            continue when written.id is null;
            links := links || written.id;
            news := news || is_new;
        end loop;
        if rest.insert_links(to_jsonb(fresh), columns, clause) < cardinality(fresh) then
            -- Saved concurrently by another request. The worker retries and looks it up again.
            raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                using errcode = 'unique_violation', schema = 'public', table = 'links',
                    constraint = 'links_user_id_dedupe_key';
        end if;
        return query
            select page_link, answer.is_new
            from unnest(links, news) with ordinality as answer (id, is_new, place)
            join public.links as page_link on page_link.id = answer.id
            order by place;
    end
    $$;

grant execute on function rest.is_import(), rest.has_other_link(uuid, text, uuid), rest.link_of_url(uuid, text),
    rest.changes_of_spelling(jsonb, jsonb), rest.save_existing_link(uuid, jsonb),
    rest.insert_link(jsonb, text[], text, boolean), rest.insert_links(jsonb, text[], text),
    rest.save_links(jsonb, text[], text, text[], boolean)
    to anon, authenticated, service_role, job_worker;
