-- What becomes of a client's write: late and repeated ones, time stamps, stars in both spellings, reading progress,
-- collections.

-- Writes that arrive late or twice.
--
-- A client that queues what its user does tells when that was (`request.acted_at`) and what its clock showed when it
-- sent it (`request.sent_at`); the workers set both from headers. Then what is older than the row's last action, or was
-- here before, changes nothing. Who tells no time acts now.

-- When the user acted, by our clock: as long ago as the client's clock says, and never in the future. Null when the
-- request does not tell.
--
-- A clock that is right to within two seconds is taken at its word: what it seems to be wrong by is the time the request
-- was on its way, which must not make an action younger than the next one that travelled faster.
create function rest.acted_at() returns timestamptz
    language plpgsql
    as $$
    declare
        acted constant timestamptz := nullif(current_setting('request.acted_at', true), '')::timestamptz;
        sent constant timestamptz := nullif(current_setting('request.sent_at', true), '')::timestamptz;
        arrived constant timestamptz := clock_timestamp();
    begin
        if acted is null then
            return null;
        end if;
        if sent is null or sent between arrived - interval '2 seconds' and arrived + interval '2 seconds' then
            return least(arrived, acted);
        end if;
        -- In seconds, since days are not 24 hours everywhere.
        return arrived - make_interval(secs => greatest(extract(epoch from sent - acted), 0)::double precision);
    end
    $$;

-- Whether a row that holds this action must stay as it is, and counts it in `rest.superseded` if so.
create function rest.is_superseded(acted timestamptz, stored_at timestamptz, stored_as text) returns boolean
    language plpgsql
    as $$
    begin
        if stored_at >= acted or stored_as = current_setting('request.acted_at', true) then
            perform set_config('rest.superseded',
                (coalesce(nullif(current_setting('rest.superseded', true), ''), '0')::bigint + 1)::text, true);
            return true;
        end if;
        return false;
    end
    $$;

-- Whether the title carries a star as the iOS app writes it.
create function rest.has_star(title text) returns boolean
    language sql immutable
    as $$ select coalesce(title ^@ '⭐', false) $$;

-- The default of links.is_starred: false, and a word to the insert trigger that the column was not named.
create function rest.unnamed_star() returns boolean
    language sql
    as $$
        -- Never null. Others than clients have no such trigger, and the word would stay.
        select current_user in ('anon', 'authenticated', 'service_role')
            and set_config('rest.unnamed_star', 'on', true) is null
    $$;

grant execute on function rest.acted_at(), rest.is_superseded(timestamptz, timestamptz, text), rest.has_star(text),
    rest.unnamed_star() to anon, authenticated, service_role;

alter table public.links alter column is_starred set default rest.unnamed_star();

-- Time stamps of a client's write: on insert updated_at equals created_at; every update sets it to now.
create function private.written_by_client() returns trigger
    language plpgsql
    as $$
    declare
        acted timestamptz;
        acted_as constant text := nullif(current_setting('request.acted_at', true), '');
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return new;
        end if;
        if acted_as is not null then
            acted := rest.acted_at();
        end if;
        if tg_op = 'INSERT' then
            new.created_at := coalesce(new.created_at, now());
            new.updated_at := new.created_at;
        else
            if acted_as is null then
                acted := clock_timestamp();
            elsif rest.is_superseded(acted, old.acted_at, old.acted_as) then
                return null;
            end if;
            new.updated_at := now();
        end if;
        new.acted_at := acted;
        new.acted_as := acted_as;
        return new;
    end
    $$;

-- Rows deleted as part of another keep no trigger busy: cascades run as the tables' owner.
create function private.deleted_by_client() returns trigger
    language plpgsql
    as $$
    begin
        if rest.is_superseded(rest.acted_at(), old.acted_at, old.acted_as) then
            return null;
        end if;
        return old;
    end
    $$;

do $$
    declare
        name text;
    begin
        foreach name in array array['tags', 'highlights', 'notes', 'collections', 'user_settings']
        loop
            execute format(
                'create trigger %I before insert or update on public.%I for each row
                    when (current_user in (''anon'', ''authenticated'', ''service_role''))
                    execute function private.written_by_client()',
                name || '_written_by_client', name);
            execute format(
                'create trigger %I before delete on public.%I for each row
                    when (current_user in (''anon'', ''authenticated'', ''service_role'')
                        and current_setting(''request.acted_at'', true) <> '''')
                    execute function private.deleted_by_client()',
                name || '_deleted_by_client', name);
        end loop;
    end
$$;

-- Which of the two a client's update names, title or star; only where a title makes it matter. Sorted before the
-- trigger that asks, links_written_by_client.
create function private.links_names() returns trigger
    language plpgsql
    as $$
    begin
        perform set_config('rest.named', concat(current_setting('rest.named', true), ' ', tg_argv[0]), true);
        return new;
    end
    $$;

create trigger links_names_star
    before update of is_starred on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role') and (new.title ^@ '⭐' or old.title ^@ '⭐'))
    execute function private.links_names('star');

create trigger links_names_title
    before update of title on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role') and (new.title ^@ '⭐' or old.title ^@ '⭐'))
    execute function private.links_names('title');

-- As in 0003, and since then: stars and late writes.
--
-- A star is a prefix of the title to one client and is_starred to another. A title written with the prefix, or without
-- the one it had, sets is_starred unless the write names that itself; is_starred never touches the title.
create or replace function private.links_written_by_client() returns trigger
    language plpgsql
    as $$
    declare
        acted timestamptz;
        acted_as constant text := nullif(current_setting('request.acted_at', true), '');
        named text;
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return new;
        end if;
        if acted_as is not null then
            acted := rest.acted_at();
        end if;
        if tg_op = 'INSERT' then
            if current_setting('rest.unnamed_star', true) = 'on' then
                -- An assignment, as `perform` takes a query's way.
                named := set_config('rest.unnamed_star', '', true);
                new.is_starred := rest.has_star(new.title);
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

-- Reading progress has a clock of its own: the newest last_updated wins, whenever it arrives. A write that does not
-- tell is of now.
create function private.progress_is_dated() returns trigger
    language plpgsql
    as $$
    begin
        perform set_config('rest.dated', 'on', true);
        return new;
    end
    $$;

create function private.progress_newest_wins() returns trigger
    language plpgsql
    as $$
    begin
        if current_setting('rest.dated', true) = 'on' then
            perform set_config('rest.dated', '', true);
            if new.last_updated < old.last_updated then
                return null;
            end if;
        else
            new.last_updated := greatest(now(), old.last_updated);
        end if;
        return new;
    end
    $$;

create trigger progress_is_dated
    before update of last_updated on public.reading_progress
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.progress_is_dated();

create trigger progress_newest_wins
    before update on public.reading_progress
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.progress_newest_wins();

-- Collections are trees of at most 20 levels. Checked when all rows of a statement are there, so that their order does
-- not matter.
create function private.collections_are_trees() returns trigger
    language plpgsql
    as $$
    declare
        deepest constant integer := 20;
        above integer;
        below integer;
    begin
        -- Two moves at once could make a circle of which each sees only its half.
        perform pg_advisory_xact_lock(hashtextextended('collections of ' || new.user_id, 0));
        with recursive ancestors as (
            select new.parent_id as id, 1 as step
            union all
            select parents.parent_id, ancestors.step + 1
            from ancestors join public.collections parents on parents.id = ancestors.id
            where parents.parent_id is not null and ancestors.id <> new.id and ancestors.step < deepest
        )
        select max(step), count(*) filter (where id = new.id) into above, below from ancestors;
        if below > 0 then
            raise exception 'a collection cannot lie inside itself'
                using errcode = 'check_violation', table = 'collections', schema = 'public', column = 'parent_id';
        end if;
        with recursive descendants as (
            select new.id, 0 as step
            union all
            select children.id, descendants.step + 1
            from descendants join public.collections children on children.parent_id = descendants.id
            where descendants.step < deepest
        )
        select max(step) into below from descendants;
        if above + 1 + below > deepest then
            raise exception 'collections lie at most % levels deep', deepest
                using errcode = 'check_violation', table = 'collections', schema = 'public', column = 'parent_id';
        end if;
        return null;
    end
    $$;

create trigger collections_are_trees
    after insert or update of parent_id on public.collections
    for each row
    when (new.parent_id is not null)
    execute function private.collections_are_trees();
