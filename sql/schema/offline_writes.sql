-- Writes that arrive late or twice.
--
-- A client that queues its user's actions sends the time of the action (`request.acted_at`) and the time its clock
-- showed when it sent the request (`request.sent_at`); the workers set both from headers. A write that is older than
-- the row's last action, or that was applied before, changes nothing. A request without a time counts as acting now.

-- When the user acted, by the server's clock: as long ago as the client's clock says, and never in the future. Null if
-- the request does not say.
--
-- A clock that is right within two seconds is trusted: its apparent error is the time the request travelled, and a slow
-- request must not appear newer than the next, faster one.
create or replace function rest.acted_at() returns timestamptz
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
        -- In seconds, because a day does not have 24 hours everywhere.
        return arrived - make_interval(secs => greatest(extract(epoch from sent - acted), 0)::double precision);
    end
    $$;

-- Whether an action is older than the one stored in a row, or the same, so that the row must stay as it is. Counts such
-- rows in `rest.superseded`.
create or replace function rest.is_superseded(acted timestamptz, stored_at timestamptz, stored_as text) returns boolean
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

-- Timestamps of a client's write: an insert sets updated_at to created_at; every update sets it to now.
create or replace function private.written_by_client() returns trigger
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

create or replace trigger bookmarks_written_by_client before insert or update on bookmarks
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger collections_written_by_client before insert or update on collections
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger highlights_written_by_client before insert or update on highlights
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger notes_written_by_client before insert or update on notes
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger tags_written_by_client before insert or update on tags
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger user_settings_written_by_client before insert or update on user_settings
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

-- Discards a client's deletion that is older than the row's last action. Rows deleted by a cascade do not fire it:
-- cascades run as the tables' owner.
create or replace function private.deleted_by_client() returns trigger
    language plpgsql
    as $$
    begin
        if rest.is_superseded(rest.acted_at(), old.acted_at, old.acted_as) then
            return null;
        end if;
        return old;
    end
    $$;

create or replace trigger bookmarks_deleted_by_client before delete on bookmarks
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

create or replace trigger collections_deleted_by_client before delete on collections
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

create or replace trigger highlights_deleted_by_client before delete on highlights
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

create or replace trigger notes_deleted_by_client before delete on notes
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

create or replace trigger tags_deleted_by_client before delete on tags
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

create or replace trigger user_settings_deleted_by_client before delete on user_settings
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

grant execute on function rest.acted_at(),
    rest.is_superseded(timestamp with time zone, timestamp with time zone, text)
    to anon, authenticated, service_role;
