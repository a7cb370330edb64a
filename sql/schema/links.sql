-- What clients may write to public.links, the table of migrations/0001_baseline.sql: timestamps, server columns, stars.

-- Whether the title starts with the star that the iOS app writes.
create or replace function rest.has_star(title text) returns boolean
    language sql immutable
    as $$ select coalesce(title ^@ '⭐', false) $$;

-- The default of links.is_starred: false. It also tells the insert trigger that the write did not name the column.
create or replace function rest.unnamed_star() returns boolean
    language sql
    as $$
        -- Never null. Other roles have no such trigger, and the setting would remain.
        select current_user in ('anon', 'authenticated', 'service_role')
            and set_config('rest.unnamed_star', 'on', true) is null
    $$;

alter table public.links alter column is_starred set default rest.unnamed_star();

-- Records which column a client's update names, title or is_starred, where the title has a star. The name of the
-- trigger sorts before links_written_by_client, which reads the record.
create or replace function private.record_named_column() returns trigger
    language plpgsql
    as $$
    begin
        perform set_config('rest.named', concat(current_setting('rest.named', true), ' ', tg_argv[0]), true);
        return new;
    end
    $$;

create or replace trigger links_names_star
    before update of is_starred on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role') and (new.title ^@ '⭐' or old.title ^@ '⭐'))
    execute function private.record_named_column('star');

create or replace trigger links_names_title
    before update of title on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role') and (new.title ^@ '⭐' or old.title ^@ '⭐'))
    execute function private.record_named_column('title');

-- Sets timestamps and the server's own columns on a client's write.
--
-- An insert sets updated_at to created_at; every update by a client sets it to now. Writes of the server (job_worker)
-- and of an admin do not change it: it is the list's sort key and page cursor.
--
-- A star is a title prefix to one client and is_starred to another. A title written with the prefix, or without the one
-- it had, sets is_starred unless the write names that column itself; is_starred never changes the title.
--
-- A save with null for list or status leaves the column out. An insert that turns out to be an update has gone through
-- this function before, as an insert; `rest.left_out` remembers for which link that was.
create or replace function private.links_written_by_client() returns trigger
    language plpgsql
    as $$
    declare
        acted timestamptz;
        acted_as constant text := nullif(current_setting('request.acted_at', true), '');
        named text;
        left_out jsonb;
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return new;
        end if;
        if new.created_at < '0001-01-01 00:00:00+00' or new.created_at >= '10000-01-01 00:00:00+00' then
            -- An insert may turn out to be an update of a link that has this time already.
            if tg_op = 'UPDATE' and new.created_at <> old.created_at
                or tg_op = 'INSERT' and not exists (
                    select from public.links known
                    where known.user_id = new.user_id and (known.id = new.id or known.raw_url = new.raw_url)
                        and known.created_at = new.created_at)
            then
                raise exception 'created_at is not a time in the years 1 to 9999: %', new.created_at
                    using errcode = '22008', hint = 'Send another time, or leave created_at out.';
            end if;
        end if;
        if acted_as is not null then
            acted := rest.acted_at();
        end if;
        if tg_op = 'INSERT' then
            if current_setting('rest.unnamed_star', true) = 'on' then
                -- An assignment, because `perform` would run a query.
                named := set_config('rest.unnamed_star', '', true);
                new.is_starred := rest.has_star(new.title);
            end if;
            if new.list is null or new.status is null then
                left_out := jsonb_build_object('id', new.id, 'raw_url', new.raw_url, 'list', new.list is null,
                    'status', new.status is null);
                -- An assignment, because `perform` would run a query.
                named := set_config('rest.left_out', left_out::text, true);
                new.list := coalesce(new.list, 'read');
                new.status := coalesce(new.status, 'unread');
            end if;
            new.created_at := coalesce(new.created_at, now());
            new.updated_at := new.created_at;
            new.state := 'pending';
            new.reason := null;
            new.reason_message := null;
            new.acted_at := acted;
            new.acted_as := acted_as;
            return new;
        end if;
        named := current_setting('rest.left_out', true);
        if named <> '' then
            left_out := named;
            if left_out ->> 'id' = new.id::text or left_out ->> 'raw_url' = new.raw_url then
                new.list := case when (left_out -> 'list')::boolean then old.list else new.list end;
                new.status := case when (left_out -> 'status')::boolean then old.status else new.status end;
            end if;
            named := set_config('rest.left_out', '', true);
        end if;
        if new.title ^@ '⭐' or old.title ^@ '⭐' then
            named := current_setting('rest.named', true);
            if named <> '' then
                perform set_config('rest.named', '', true);
            end if;
            if named = ' title' then
                new.is_starred := rest.has_star(new.title);
            end if;
        end if;
        if acted_as is null then
            acted := clock_timestamp();
        elsif rest.is_superseded(acted, old.acted_at, old.acted_as) then
            return null;
        end if;
        new.acted_at := acted;
        new.acted_as := acted_as;
        new.updated_at := now();
        if new.state is distinct from 'pending' then
            new.state := old.state;
        end if;
        if new.state = 'pending' then
            new.reason := null;
            new.reason_message := null;
        else
            new.reason := old.reason;
            new.reason_message := old.reason_message;
        end if;
        return new;
    end
    $$;

create or replace trigger links_written_by_client
    before insert or update on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.links_written_by_client();

grant execute on function rest.has_star(text), rest.unnamed_star() to anon, authenticated, service_role;

comment on column public.links.description is 'Description, at most 1,000,000 characters.';
