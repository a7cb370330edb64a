-- Changing everything that a query finds: rpc/change_links and rpc/undo_change.
--
-- Both run as their caller, so that the triggers for writes of clients and the policies apply. The steps of a change
-- are kept for a day, in a table that callers reach only through the functions below.

-- The largest number of links that one change covers.
create or replace function rest.max_changed_links() returns integer
    language sql immutable
    as $$ select 100000 $$;

-- Refuses what is not a change.
create or replace function rest.check_link_change(change jsonb) returns void
    language plpgsql
    as $$
    declare
        member text;
        given jsonb;
        is_right boolean;
    begin
        if jsonb_typeof(change) is distinct from 'object' or change = '{}' then
            raise exception '"change" must be an object that says what to change' using errcode = 'LT400';
        end if;
        for member, given in select * from jsonb_each(change) loop
            is_right := case member
                when 'status' then given in ('"unread"', '"read"')
                when 'list' then given in ('"read"', '"archive"')
                when 'is_starred' then given in ('true', 'false')
                when 'delete' then given in ('true', 'false')
                when 'retry' then given in ('true', 'false')
                when 'add_tags' then rest.is_list_of_tags(given)
                when 'remove_tags' then rest.is_list_of_tags(given)
                when 'add_to' then rest.is_own_collection(given)
                when 'remove_from' then rest.is_own_collection(given)
                end;
            if is_right is null then
                raise exception '"change" has the unknown member %', to_json(member) using errcode = 'LT400';
            elsif not is_right then
                raise exception 'invalid value of % in "change"', to_json(member)
                    using errcode = 'LT400', hint = 'add_to and remove_from take the id of a collection of the user.';
            end if;
        end loop;
    end
    $$;

create or replace function rest.is_list_of_tags(given jsonb) returns boolean
    language sql immutable
    as $$
        select case when jsonb_typeof(given) <> 'array' or jsonb_array_length(given) > 100 then false
            else not exists (
                select from jsonb_array_elements(given) as name
                where jsonb_typeof(name) <> 'string' or length(name #>> '{}') not between 1 and 100
                    or name #>> '{}' ~ '^\s|\s$') end
    $$;

create or replace function rest.is_own_collection(given jsonb) returns boolean
    language sql stable
    as $$ select exists (select from public.collections where to_jsonb(id) = given and user_id = auth.uid()) $$;

-- Begins a change of the caller, who has the lock of their writes. Returns its id.
create or replace function rest.begin_link_change() returns uuid
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        insert into private.link_changes (user_id, made_at) values ((select auth.uid()), clock_timestamp()) returning id
    $$;

-- Adds steps to a change of the caller: an array of objects with link_id, before and after. A null change cannot be
-- undone and has no steps.
create or replace function rest.add_link_change_steps(change uuid, of_table text, steps jsonb) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        insert into private.link_change_steps (change_id, user_id, table_name, link_id, before, after)
        select change, (select auth.uid()), of_table, step.link_id, step.before, step.after
        from jsonb_to_recordset(steps) as step (link_id uuid, before jsonb, after jsonb)
        where change is not null
    $$;

-- The steps of a change that the caller made within a day.
create or replace function rest.link_change_steps(change uuid)
    returns table (table_name text, link_id uuid, before jsonb, after jsonb)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select steps.table_name, steps.link_id, steps.before, steps.after
        from private.link_changes changes join private.link_change_steps steps on steps.change_id = changes.id
        where changes.id = change and changes.user_id = (select auth.uid())
            and changes.made_at > now() - interval '1 day'
    $$;

-- The steps of a change that the caller made within a day on links themselves, without the columns that have had another
-- value since, even if they have the same one again. The log remembers that for an hour at least.
create or replace function rest.link_column_steps(change uuid)
    returns table (link_id uuid, before jsonb, after jsonb)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    -- Steps and lines of the log are new, so PostgreSQL takes both for few. For each step it would read all lines.
    set enable_nestloop = off
    as $$
        with steps as materialized (
            select steps.link_id, steps.before, steps.after, changes.made_at
            from private.link_changes changes join private.link_change_steps steps on steps.change_id = changes.id
            where changes.id = change and changes.user_id = (select auth.uid())
                and changes.made_at > now() - interval '1 day' and steps.table_name = 'links'
        ), left_alone as (
            select steps.link_id, array_agg(given.key) as columns
            from steps join private.change_log log on log.key = jsonb_build_object('id', steps.link_id),
                jsonb_each(steps.after) as given
            where log.user_id = (select auth.uid()) and log.table_name = 'links' and log.op = 'U'
                and log.changed_at > (select min(made_at) from steps) and log.record -> given.key <> given.value
            group by steps.link_id
        )
        select steps.link_id, steps.before - coalesce(columns, '{}'), steps.after - coalesce(columns, '{}')
        from steps left join left_alone using (link_id)
    $$;

-- Undoes a change in the links of the caller that have been deleted since, so that they come back without it. Runs as the
-- owner because nobody may write to the trash; the policy there restricts a user to own rows.
create or replace function rest.undo_change_of_deleted_links(change uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update public.trash set link = trash.link || restored.columns
        from (
            -- Moving between the lists sets the time of archiving, as it does in links that exist.
            select deleted.id, jsonb_object_agg(given.key, given.value) || coalesce(jsonb_object_agg(
                    'archived_at', case when given.value = '"archive"' then to_jsonb(now()) else 'null' end)
                filter (where given.key = 'list'), '{}') as columns
            from rest.link_column_steps(change) as steps
                join public.trash deleted
                    on deleted.link_id = steps.link_id and deleted.user_id = (select auth.uid()),
                jsonb_each(steps.before) as given
            where deleted.link -> given.key = steps.after -> given.key
            group by deleted.id
        ) as restored
        where trash.id = restored.id
    $$;

-- Forgets a change of the caller. Returns whether it was there.
create or replace function rest.end_link_change(change uuid) returns boolean
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        with ended as (
            delete from private.link_changes
            where id = change and user_id = (select auth.uid()) and made_at > now() - interval '1 day'
            returning id
        )
        select exists (select from ended)
    $$;

-- Makes a change to these links of the caller, and adds its steps to a change that has begun; `undo` is null for a
-- change that cannot be undone.
create or replace function rest.apply_link_change(ids uuid[], change jsonb, undo uuid) returns void
    language plpgsql
    as $$
    declare
        owner constant uuid := auth.uid();
        written_ids uuid[];
        steps jsonb;
        tag_name text;
        tag uuid;
    begin
        if change ?| '{status,list,is_starred}' then
            perform set_config('rest.logged_later', 'on', true);
            with before as materialized (
                select id, jsonb_build_object('status', status, 'list', list, 'is_starred', is_starred) as old
                from public.links where id = any (ids)
            ), written as (
                update public.links
                    set status = coalesce(change ->> 'status', status), list = coalesce(change ->> 'list', list),
                        is_starred = coalesce((change -> 'is_starred')::boolean, is_starred)
                    from before
                    where links.id = before.id
                        and not old @> (change - '{add_tags,remove_tags,add_to,remove_from,delete,retry}'::text[])
                    returning links.id, old,
                        jsonb_build_object('status', status, 'list', list, 'is_starred', is_starred) as new
            )
            select array_agg(id), jsonb_agg(jsonb_build_object('link_id', id,
                    'before', (select jsonb_object_agg(key, value) from jsonb_each(old) where new -> key <> value),
                    'after', (select jsonb_object_agg(key, value) from jsonb_each(new) where old -> key <> value)))
                into written_ids, steps from written;
            perform set_config('rest.logged_later', '', true);
            perform rest.log_changed_links(written_ids);
            perform rest.add_link_change_steps(undo, 'links', steps);
        end if;
        for tag_name in select jsonb_array_elements_text(change -> 'remove_tags') loop
            with removed as (
                delete from public.link_tags
                where link_id = any (ids)
                    and tag_id in (
                        select id from public.tags where user_id = owner and lower(name) = lower(tag_name))
                returning link_tags.*
            )
            select jsonb_agg(jsonb_build_object('link_id', link_id, 'before', to_jsonb(removed))) into steps
                from removed;
            perform rest.add_link_change_steps(undo, 'link_tags', steps);
        end loop;
        for tag_name in select jsonb_array_elements_text(change -> 'add_tags') loop
            select id into tag from public.tags where user_id = owner and lower(name) = lower(tag_name);
            if not found then
                -- Another transaction may create it at the same time.
                insert into public.tags (user_id, name) values (owner, tag_name) on conflict do nothing
                    returning id, jsonb_build_array(jsonb_build_object('after', to_jsonb(tags))) into tag, steps;
                if found then
                    perform rest.add_link_change_steps(undo, 'tags', steps);
                else
                    select id into tag from public.tags where user_id = owner and lower(name) = lower(tag_name);
                end if;
            end if;
            with added as (
                insert into public.link_tags (link_id, tag_id, user_id)
                select link_id, tag, owner from unnest(ids) as link_id
                on conflict do nothing returning link_tags.*
            )
            select jsonb_agg(jsonb_build_object('link_id', link_id, 'after', to_jsonb(added))) into steps from added;
            perform rest.add_link_change_steps(undo, 'link_tags', steps);
        end loop;
        if change ? 'remove_from' then
            with removed as (
                delete from public.collection_links
                where link_id = any (ids) and collection_id = (change ->> 'remove_from')::uuid
                returning collection_links.*
            )
            select jsonb_agg(jsonb_build_object('link_id', link_id, 'before', to_jsonb(removed))) into steps
                from removed;
            perform rest.add_link_change_steps(undo, 'collection_links', steps);
        end if;
        if change ? 'add_to' then
            with added as (
                insert into public.collection_links (collection_id, link_id, user_id)
                select (change ->> 'add_to')::uuid, link_id, owner from unnest(ids) as link_id
                on conflict do nothing returning collection_links.*
            )
            select jsonb_agg(jsonb_build_object('link_id', link_id, 'after', to_jsonb(added))) into steps from added;
            perform rest.add_link_change_steps(undo, 'collection_links', steps);
        end if;
        if (change -> 'retry')::boolean then
            update public.links set state = 'pending' where id = any (ids) and state = 'failed';
        end if;
        if (change -> 'delete')::boolean then
            perform rest.delete_links(ids);
            select jsonb_agg(jsonb_build_object('link_id', link_id, 'after', jsonb_build_object('id', id)))
                into steps
                from (
                    select distinct on (link_id) id, link_id from public.trash where link_id = any (ids)
                    order by link_id, deleted_at desc
                ) as deleted
                where not exists (select from public.links where links.id = deleted.link_id);
            perform rest.add_link_change_steps(undo, 'trash', steps);
        end if;
    end
    $$;

create or replace function public.change_links(query text, change jsonb) returns jsonb
    language plpgsql
    as $$
    declare
        ids uuid[];
        undo uuid;
    begin
        perform rest.check_link_change(change);
        -- For a call that does not come over /rest/v1/, which has taken the lock.
        perform rest.lock_writes(array[auth.uid()]);
        ids := rest.found_links(query, rest.max_changed_links() + 1);
        if cardinality(ids) > rest.max_changed_links() then
            raise exception 'The query finds more than % links, which is too many for one change.',
                rest.max_changed_links()
                using errcode = 'LT400', hint = 'Restrict it, for example with before: or after:.';
        end if;
        if auth.uid() is not null then
            undo := rest.begin_link_change();
            perform rest.apply_link_change(ids, change, undo);
        end if;
        return jsonb_build_object('count', cardinality(ids), 'undo', undo);
    end
    $$;

-- Undoes a change of the last day, in the order opposite to that in which it was made. What has been changed since
-- stays as it is: a column that has another value, or has had one, a row that has been removed or added again.
create or replace function public.undo_change(undo uuid) returns jsonb
    language plpgsql
    as $$
    declare
        written_ids uuid[];
        undone bigint;
    begin
        perform rest.lock_writes(array[auth.uid()]);
        perform rest.restore_links(array(
            select link_id from public.trash
            where id = any (array(
                select (after ->> 'id')::uuid from rest.link_change_steps(undo) where table_name = 'trash'))));
        delete from public.collection_links using rest.link_change_steps(undo) as steps
            where steps.table_name = 'collection_links' and collection_links.link_id = steps.link_id
                and to_jsonb(collection_links) = steps.after;
        insert into public.collection_links (collection_id, link_id, user_id, position, created_at)
            select removed.collection_id, removed.link_id, removed.user_id, removed.position, removed.created_at
            from rest.link_change_steps(undo) as steps,
                jsonb_populate_record(null::public.collection_links, steps.before) as removed
            where steps.table_name = 'collection_links' and steps.before is not null
                and exists (select from public.links where id = removed.link_id)
                and exists (select from public.collections where id = removed.collection_id)
            on conflict do nothing;
        delete from public.link_tags using rest.link_change_steps(undo) as steps
            where steps.table_name = 'link_tags' and link_tags.link_id = steps.link_id
                and to_jsonb(link_tags) = steps.after;
        insert into public.link_tags (link_id, tag_id, user_id, created_at)
            select removed.link_id, removed.tag_id, removed.user_id, removed.created_at
            from rest.link_change_steps(undo) as steps,
                jsonb_populate_record(null::public.link_tags, steps.before) as removed
            where steps.table_name = 'link_tags' and steps.before is not null
                and exists (select from public.links where id = removed.link_id)
                and exists (select from public.tags where id = removed.tag_id)
            on conflict do nothing;
        -- Tags that the change created, unless they have been used or changed since.
        delete from public.tags using rest.link_change_steps(undo) as steps
            where steps.table_name = 'tags' and to_jsonb(tags) = steps.after
                and not exists (select from public.link_tags where tag_id = tags.id);
        perform set_config('rest.logged_later', 'on', true);
        with written as (
            update public.links
                set status = case when status = after ->> 'status' then before ->> 'status' else status end,
                    list = case when list = after ->> 'list' then before ->> 'list' else list end,
                    is_starred = case when is_starred = (after -> 'is_starred')::boolean
                        then (before -> 'is_starred')::boolean else is_starred end
                from rest.link_column_steps(undo) as steps
                where links.id = steps.link_id
                    and (status = after ->> 'status' or list = after ->> 'list'
                        or is_starred = (after -> 'is_starred')::boolean)
                returning links.id
        )
        select array_agg(id) into written_ids from written;
        perform set_config('rest.logged_later', '', true);
        perform rest.log_changed_links(written_ids);
        if exists (
            select from rest.link_change_steps(undo) as steps join public.trash on trash.link_id = steps.link_id
            where steps.table_name = 'links')
        then
            perform rest.undo_change_of_deleted_links(undo);
        end if;
        -- Links that are gone for good do not count.
        select count(*) into undone
            from (select distinct link_id from rest.link_change_steps(undo)) as steps
            where exists (select from public.links where id = steps.link_id)
                or exists (select from public.trash where trash.link_id = steps.link_id);
        if not rest.end_link_change(undo) then
            raise exception 'There is no such change of the last day.' using errcode = 'LT410';
        end if;
        return jsonb_build_object('count', undone);
    end
    $$;

grant execute on function rest.max_changed_links(), rest.check_link_change(jsonb), rest.is_list_of_tags(jsonb),
    rest.is_own_collection(jsonb), rest.apply_link_change(uuid[], jsonb, uuid), public.change_links(text, jsonb),
    public.undo_change(uuid)
    to authenticated, service_role;
revoke execute on function rest.begin_link_change(), rest.add_link_change_steps(uuid, text, jsonb),
    rest.link_change_steps(uuid), rest.link_column_steps(uuid), rest.undo_change_of_deleted_links(uuid),
    rest.end_link_change(uuid)
    from public;
grant execute on function rest.begin_link_change(), rest.add_link_change_steps(uuid, text, jsonb),
    rest.link_change_steps(uuid), rest.link_column_steps(uuid), rest.undo_change_of_deleted_links(uuid),
    rest.end_link_change(uuid)
    to authenticated, service_role;

comment on function public.change_links(text, jsonb) is
    'Changes every link that a query finds, in one transaction. The change is an object with any of status, list, '
    'is_starred, add_tags, remove_tags, add_to, remove_from, delete and retry. Returns {"count": n, "undo": id}.';
comment on function public.undo_change(uuid) is
    'Undoes a change by change_links of the last day, and leaves alone what has been changed since.';
