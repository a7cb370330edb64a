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
    when (current_user <> 'lectern_owner' and current_setting('rest.merging', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.link_deleted();

-- The number of links that the trash takes or gives back in one statement. Their articles and pages must fit into memory:
-- they are read to copy the links, and again to delete them.
create or replace function rest.trashed_at_once() returns integer
    language sql immutable
    as $$ select 1000 $$;

-- Deletes links, and moves them to the trash many at a time. This takes half the time of private.link_deleted, which does
-- it for one link. The caller has taken the lock of the owners.
create or replace function rest.delete_links(ids uuid[]) returns void
    language plpgsql
    as $$
    declare
        is_dated constant boolean := current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('request.acted_at', true) <> '';
        acted constant timestamptz := case when is_dated then rest.acted_at() end;
        deleted constant uuid[] := array(
            select id from public.links
            where id = any (ids) and (not coalesce(is_dated, false) or not rest.is_superseded(acted, acted_at, acted_as))
            -- Links that were stored one after the other have their articles side by side.
            order by ctid
            for update);
        size constant integer := rest.trashed_at_once();
        slice uuid[];
    begin
        for place in 1..cardinality(deleted) by size loop
            slice := deleted[place:place + size - 1];
            perform rest.copy_to_trash(slice);
            perform rest.keep_pictures(slice);
            -- Has the triggers handle all rows of the statement together.
            perform set_config('rest.trashed', 'on', true);
            delete from public.links where id = any (slice);
            perform set_config('rest.trashed', '', true);
        end loop;
    end
    $$;

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

-- The columns of a table, and the values that a statement writes into them. The statement reads rows of `trash`, a stored
-- row as JSON (`part`) and as a row of the table (`kept`), and writes it for the link `target_link`. Columns that were
-- added since the rows were stored get their defaults.
create or replace function rest.restored_columns(target regclass, out names text, out written text)
    language sql stable
    as $$
        select string_agg(quote_ident(attname), ', ' order by attnum),
            string_agg(
                case
                    -- Whatever the stored rows say, they belong to the owner of the trashed link.
                    when attname = 'user_id' then 'trash.user_id'
                    when attname = 'link_id' then 'target_link'
                    when adbin is null then format('kept.%I', attname)
                    else format('case when part ? %L then kept.%I else %s end', attname, attname,
                        pg_get_expr(adbin, adrelid))
                end, ', ' order by attnum)
        from pg_catalog.pg_attribute left join pg_catalog.pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = target and attnum > 0 and not attisdropped and attgenerated = ''
    $$;

-- Restores the rows of one table that are stored in these rows of the trash; those whose keys are taken are skipped.
-- `links` names the links that get them, where those have another id than the trashed links.
--
-- Reads the trash by a list of ids, here and below, and not by a join: while the statistics do not know the rows of a
-- user, an index on the user seems as good as a primary key, but reads all rows of the user for each id.
create or replace function rest.restore_parts(
    target regclass, copies uuid[], links jsonb, condition text default 'true'
) returns void
    language plpgsql
    as $$
    declare
        columns record;
    begin
        select * into columns from rest.restored_columns(target);
        execute format(
            'insert into %1$s (%2$s)
            select %3$s
            from public.trash, coalesce(($2 ->> trash.id::text)::uuid, trash.link_id) as target_link,
                jsonb_array_elements(trash.parts -> %4$L) as part, jsonb_populate_record(null::%1$s, part) as kept
            where trash.id = any ($1) and %5$s
            on conflict do nothing',
            target, columns.names, columns.written,
            (select relname from pg_catalog.pg_class where pg_class.oid = target), condition)
            using copies, links;
    end
    $$;

-- Restores the rows of a table that users may not write, such as articles and pages, unchanged from the trash. Runs as
-- the owner for that; the policies restrict a user to own rows, and the foreign keys to own links.
create or replace function rest.restore_hidden_parts(name text, copies uuid[], links jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    -- Five triggers read the articles of the statement, which would be in a temporary file.
    set work_mem = '32MB'
    as $$
    begin
        case name
            when 'articles' then perform rest.restore_parts('public.articles', copies, links);
            when 'pages' then perform rest.restore_parts('private.pages', copies, links);
            when 'page_copies' then perform rest.restore_parts('private.page_copies', copies, links);
            -- A link that has met the rules does not meet them again.
            when 'ruled_links' then perform rest.restore_parts('private.ruled_links', copies, links);
            -- Aliases that no other link has taken in the meantime.
            when 'link_aliases' then perform rest.restore_parts('public.link_aliases', copies, links,
                $condition$(part ->> 'kind' = 'id'
                    or coalesce(rest.link_of_url(trash.user_id, part ->> 'value'), target_link) = target_link)$condition$);
        end case;
    end
    $$;

-- Restores what is attached to these trashed links, which exist again.
create or replace function rest.restore_attached_rows(copies uuid[], links jsonb) returns void
    language plpgsql
    as $$
    declare
        part record;
    begin
        -- The parts are large and compressed: for each table, only those that have rows of it are read.
        for part in
            select key as name, array_agg(trash.id) as copies
            from public.trash, jsonb_each(trash.parts)
            where trash.id = any (copies) and value <> '[]'
            group by key
            -- Articles come last: they queue the books, which highlights, notes and tags would change again.
            order by key = 'articles'
        loop
            case
                when part.name in ('articles', 'pages', 'page_copies', 'ruled_links', 'link_aliases') then
                    perform rest.restore_hidden_parts(part.name, part.copies, links);
                when part.name = 'link_tags' then
                    perform rest.restore_parts('public.link_tags', part.copies, links,
                        'exists (select from public.tags where id = (part ->> ''tag_id'')::uuid)');
                when part.name = 'collection_links' then
                    perform rest.restore_parts('public.collection_links', part.copies, links,
                        'exists (select from public.collections where id = (part ->> ''collection_id'')::uuid)');
                when part.name in ('highlights', 'bookmarks', 'reading_progress', 'notes') then
                    perform rest.restore_parts(format('public.%I', part.name)::regclass, part.copies, links);
                else null;
            end case;
        end loop;
    end
    $$;

-- The links that have been saved again since they were trashed, by the ids of the rows of the trash: a link with the same
-- id, or else with the same address.
create or replace function rest.links_saved_again(copies uuid[]) returns jsonb
    language plpgsql stable
    -- A join reads each side once. No other function is called, which would keep its plan.
    set enable_nestloop = off
    as $$
    declare
        ids uuid[];
        owners uuid[];
        urls text[];
    begin
        select array_agg(link_id), array_agg(distinct user_id), array_agg(raw_url) into ids, owners, urls
            from public.trash where trash.id = any (copies);
        return coalesce((
            with same as materialized (
                select id from public.links where id = any (ids)
            ), again as materialized (
                select id, user_id, raw_url from public.links where user_id = any (owners) and raw_url = any (urls)
            )
            select jsonb_object_agg(trash.id, coalesce(same.id, again.id))
            from public.trash
                left join same on same.id = trash.link_id
                left join again on again.user_id = trash.user_id and again.raw_url = trash.raw_url
            where trash.id = any (copies) and coalesce(same.id, again.id) is not null), '{}');
    end
    $$;

-- Restores trashed links themselves, without what is attached to them, and returns the ids of those that exist now.
-- Those with an entry in `twins` are kept apart from the link of their page for the time being. Nothing else has the
-- keys of the others, so private.set_dedupe_key does not look for it; it finds the keys of those that are kept apart.
create or replace function rest.restore_missing_links(copies uuid[], twins jsonb) returns uuid[]
    language plpgsql
    as $$
    declare
        columns record;
        made uuid[];
    begin
        select * into columns from rest.restored_columns('public.links');
        execute format(
            $statement$
            with made as (
                insert into public.links (%1$s)
                select %2$s
                from public.trash, jsonb_concat(trash.link, case
                        when $2 ? trash.id::text then '{"is_kept_apart": true}'
                        else jsonb_build_object('dedupe_key', rest.dedupe_key(trash.raw_url)) end) as part,
                    jsonb_populate_record(null::public.links, part) as kept
                where trash.id = any ($1)
                -- Of several links of one page, the one that is not kept apart gets the key.
                order by kept.is_kept_apart
                on conflict do nothing
                returning id
            )
            select array_agg(id) from made
            $statement$, columns.names, columns.written)
            into made using copies, twins;
        return coalesce(made, '{}');
    end
    $$;

-- Gives a link that has been saved again what it lacks of a trashed one. Their notes are joined, since a link has one.
create or replace function rest.add_to_saved_link(target uuid, kept public.trash) returns void
    language plpgsql
    as $$
    begin
        update public.links
            set title = coalesce(links.title, old.title),
                description = coalesce(links.description, old.description),
                is_starred = links.is_starred or old.is_starred
            from jsonb_populate_record(null::public.links, kept.link) as old
            where links.id = target;
        perform rest.record_spellings(
            target, array[kept.raw_url], array[kept.link_id], array[kept.link],
            (select to_jsonb(links) from public.links where id = target));
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
    end
    $$;

-- Analyzes public.links and the tables that refer to it after a large restore has written rows of them. Until then, the
-- planner believes that the user has no rows, and may check a foreign key by an index on the user, which reads all of the
-- user's rows for each row. Returns false if public.links could not be analyzed because another process held a lock, such
-- as autovacuum; other tables are then left alone. Runs as the owner, who alone may analyze tables.
create or replace function rest.analyze_restored_tables() returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'
    as $$
    declare
        links constant regclass := 'public.links';
        -- A table and the columns of its foreign key; others may be long.
        restored record;
    begin
        for restored in
            select key.table_id::regclass as name, string_agg(distinct quote_ident(attname), ', ') as columns
            from (
                select confrelid, confkey from pg_catalog.pg_constraint where contype = 'f' and confrelid = links
                union
                select conrelid, conkey from pg_catalog.pg_constraint where contype = 'f' and confrelid = links
            ) as key (table_id, numbers)
                join pg_catalog.pg_attribute on attrelid = key.table_id and attnum = any (key.numbers)
            group by key.table_id
            order by key.table_id <> links
        loop
            begin
                execute format('analyze %s (%s)', restored.name, restored.columns);
            exception
                when lock_not_available then
                    if restored.name = links then
                        return false;
                    end if;
            end;
        end loop;
        return true;
    end
    $$;

-- Restores links from the trash with everything attached to them. Returns the ids that they have now; ids that are not
-- in the trash are skipped.
create or replace function rest.restore_links(ids uuid[]) returns uuid[]
    language plpgsql
    as $$
    declare
        size constant integer := rest.trashed_at_once();
        -- Rows of the trash, here and below: all of them, those of a slice that are left, and those that are restored
        -- now.
        found uuid[];
        waiting uuid[];
        copies uuid[];
        missing uuid[];
        -- By the ids of such rows, the links that have been saved again: under the same address, or under another
        -- spelling. The latter are merged after everything is restored.
        again jsonb;
        twins jsonb;
        -- By the ids of the links themselves.
        merged jsonb;
        made uuid[];
        kept public.trash;
        pair record;
        restored uuid[] := '{}';
        is_large boolean;
        is_analyzed boolean := false;
    begin
        -- For a call that does not come over /rest/v1/, which has taken the lock.
        perform rest.lock_writes(array(select distinct user_id from public.trash where link_id = any (ids)));
        -- Of a link that has been deleted several times, the last row. Links that are kept apart come after those of
        -- their pages. In the order of the ids, so that the rows of a slice go to the same places of most indexes.
        found := array(
            select id
            from (
                select distinct on (link_id) id, link_id, link from public.trash where link_id = any (ids)
                order by link_id, deleted_at desc, id
            ) as last
            order by coalesce((link -> 'is_kept_apart')::boolean, false), link_id);
        is_large := cardinality(found) > size;
        -- It takes no more space than the trash did. The links themselves count as new ones.
        perform set_config('rest.within_storage', 'yes', true);
        for place in 1..cardinality(found) by size loop
            waiting := found[place:place + size - 1];
            while cardinality(waiting) > 0 loop
                -- Makes the triggers keep the values as they are written.
                perform set_config('rest.restoring', 'on', true);
                again := rest.links_saved_again(waiting);
                -- Of several rows for one link or one page, one is restored now, and the others when it is there.
                with stored as materialized (
                    select id, user_id, raw_url, (again ->> id::text)::uuid as target,
                        coalesce((link -> 'is_kept_apart')::boolean, false) as is_kept_apart
                    from public.trash where id = any (waiting)
                ), known as materialized (
                    select *,
                        case when target is null and not is_kept_apart then rest.dedupe_key(raw_url) end as key
                    from stored
                ), twinned as materialized (
                    -- As rest.link_of_url, whose plans are made for one link; no link has the address itself.
                    select *, case when target is null and not is_kept_apart then coalesce(
                            (
                                select l.id from public.links l
                                where l.user_id = known.user_id and md5(l.dedupe_key) = md5(key)
                                    and l.dedupe_key = key),
                            (
                                select a.link_id from public.link_aliases a
                                where a.user_id = known.user_id and md5(a.value) in (md5(key), md5(raw_url))
                                    and (a.value = key and a.kind = 'key' or a.value = raw_url and a.kind = 'spelling')
                                limit 1)) end as twin
                    from known
                ), ranked as (
                    select *,
                        row_number() over (
                            partition by target, case when target is null then user_id end,
                                case when target is null then raw_url end
                            order by is_kept_apart, id) as of_address,
                        row_number() over (
                            partition by coalesce(twin, case when key is null then id else user_id end),
                                case when twin is null then key end
                            order by id) as of_page
                    from twinned
                )
                select array_agg(id) filter (where of_address = 1 and of_page = 1),
                        array_agg(id) filter (where of_address = 1 and of_page = 1 and target is null),
                        jsonb_object_agg(id, twin) filter (where of_address = 1 and of_page = 1 and twin is not null),
                        array_agg(id) filter (where of_address > 1 or of_page > 1)
                    into copies, missing, twins, waiting
                    from ranked;
                made := '{}';
                if cardinality(missing) > 0 then
                    made := rest.restore_missing_links(missing, coalesce(twins, '{}'));
                    if cardinality(made) < cardinality(missing) then
                        -- A link of another user has the id: these stay in the trash.
                        missing := array(
                            select id from public.trash where id = any (missing) and link_id <> all (made));
                        copies := array(select unnest(copies) except select unnest(missing));
                    end if;
                end if;
                for kept in
                    select * from public.trash where again <> '{}' and id = any (copies) and again ? id::text
                loop
                    perform rest.add_to_saved_link((again ->> kept.id::text)::uuid, kept);
                    restored := restored || (again ->> kept.id::text)::uuid;
                end loop;
                merged := (
                    select jsonb_object_agg(link_id, twins -> id::text) from public.trash
                    where twins is not null and id = any (copies) and twins ? id::text);
                perform rest.restore_attached_rows(copies, again);
                perform rest.add_resolved_keys(made);
                delete from public.trash where id = any (copies);
                perform set_config('rest.restoring', '', true);
                for pair in select key::uuid as link, value::uuid as other from jsonb_each_text(merged) loop
                    made := array_replace(made, pair.link, rest.merge_restored_link(pair.link, pair.other));
                end loop;
                restored := restored || made;
            end loop;
            if is_large and not is_analyzed then
                is_analyzed := rest.analyze_restored_tables();
            end if;
        end loop;
        if is_large then
            -- For what comes next: deleting the links again reads these tables by the same keys.
            perform rest.analyze_restored_tables();
        end if;
        return restored;
    end
    $$;

create or replace function public.restore_link(link_id uuid) returns setof public.links
    language plpgsql
    as $$
    declare
        restored constant uuid[] := rest.restore_links(array[restore_link.link_id]);
    begin
        return query select * from public.links where id = any (restored);
    end
    $$;
comment on function public.restore_link(uuid) is
    'Restores a link from the trash with everything attached to it. If its URL has been saved again, that link gets '
    'what was attached.';

create or replace function public.trash_days() returns integer
    language sql stable
    as $$ select nullif(current_setting('lectern.trash_days', true), '')::integer $$;
comment on function public.trash_days() is
    'The days after which deleted links leave the trash for good; null: never.';

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

revoke execute on function public.trash_days() from public;
grant execute on function public.trash_days(), rest.trashed_at_once(), rest.delete_links(uuid[]),
    rest.store_in_trash(public.links, jsonb),
    rest.insert_stored_rows(regclass, jsonb), rest.restored_columns(regclass),
    rest.restore_parts(regclass, uuid[], jsonb, text),
    rest.restore_hidden_parts(text, uuid[], jsonb), rest.restore_attached_rows(uuid[], jsonb),
    rest.links_saved_again(uuid[]), rest.restore_missing_links(uuid[], jsonb),
    rest.add_to_saved_link(uuid, public.trash), rest.analyze_restored_tables(),
    rest.restore_links(uuid[]), public.restore_link(uuid),
    rest.restore_if_newer(uuid), rest.confirm_deletion(uuid)
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

-- Copies links of the caller to the trash, with what rest.attached_rows and rest.store_in_trash find. The admin's
-- statements have no condition on the user, whose index would be no help here.
create or replace function rest.copy_to_trash(ids uuid[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        acted constant timestamptz := rest.acted_at();
        owners constant uuid[] := array(
            select id from auth.users
            where rest.may_act_for(id)
                and id = any (array(select distinct user_id from public.links where links.id = any (ids))));
    begin
        insert into public.trash (user_id, link_id, raw_url, title, link, parts, acted_at)
            select l.user_id, l.id, l.raw_url, l.title, to_jsonb(l), jsonb_build_object(
                    'articles', array(select to_jsonb(t) from public.articles t where t.link_id = l.id),
                    'link_tags', array(select to_jsonb(t) from public.link_tags t where t.link_id = l.id),
                    'highlights', array(select to_jsonb(t) from public.highlights t where t.link_id = l.id),
                    'bookmarks', array(select to_jsonb(t) from public.bookmarks t where t.link_id = l.id),
                    'notes', array(select to_jsonb(t) from public.notes t where t.link_id = l.id),
                    'collection_links', array(
                        select to_jsonb(t) from public.collection_links t where t.link_id = l.id),
                    'reading_progress', array(
                        select to_jsonb(t) from public.reading_progress t where t.link_id = l.id),
                    'link_aliases', array(select to_jsonb(t) from public.link_aliases t where t.link_id = l.id),
                    'pages', array(select to_jsonb(t) from private.pages t where t.link_id = l.id),
                    'page_copies', array(select to_jsonb(t) from private.page_copies t where t.link_id = l.id),
                    'ruled_links', array(select to_jsonb(t) from private.ruled_links t where t.link_id = l.id)),
                coalesce(acted, clock_timestamp())
            from public.links l
            where l.id = any (ids) and l.user_id = any (owners);
    end
    $$;

revoke execute on function rest.merge_restored_link(uuid, uuid), rest.copy_to_trash(uuid[]) from public;
grant execute on function rest.merge_restored_link(uuid, uuid), rest.copy_to_trash(uuid[])
    to authenticated, service_role;

set local role lectern_owner;
