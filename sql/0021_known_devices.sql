-- A device is known from wherever its user was proven to be: not only where the password was typed, but where a session
-- was refreshed and where a mailed link was followed. And the audit log of one account has an end.

-- Trades a refresh token for the next one, as in 0015. Where the session is refreshed from is where it was seen last, and a
-- device its user may sign in from: a phone that goes from one network to another stays known.
drop function auth.refresh_session(uuid, integer, text, text);
create function auth.refresh_session(
    presented_session uuid, presented_generation integer, agent text, network_address text, used bytea,
    out outcome text, out session uuid, out generation integer, out user_object json, out id uuid, out email text,
    out app_metadata jsonb, out user_metadata jsonb, out aal text, out amr jsonb
)
    language plpgsql
    as $$
    declare
        known auth.sessions;
        account auth.users;
        -- How long any older token is still taken for a late twin of the newest.
        grace constant interval := '10 seconds';
    begin
        select * into known from auth.sessions where sessions.id = presented_session for update;
        if not found or presented_generation > known.generation or presented_generation < 1 then
            outcome := 'not_found';
            return;
        end if;
        if presented_generation < known.generation - 1 and not exists (
            select from auth.refresh_tokens used
            where used.session_id = known.id
                and used.generation = presented_generation
                and used.used_at > now() - grace
        ) then
            delete from auth.sessions where sessions.id = known.id;
            outcome := 'already_used';
            return;
        end if;
        select * into strict account from auth.users where users.id = known.user_id;
        if account.banned_until > now() then
            outcome := 'banned';
            return;
        end if;
        if presented_generation = known.generation then
            delete from auth.refresh_tokens old where old.session_id = known.id and old.used_at <= now() - grace;
            insert into auth.refresh_tokens (session_id, generation) values (known.id, known.generation);
            known.generation := known.generation + 1;
            update auth.sessions
                set generation = known.generation, refreshed_at = now(), user_agent = coalesce(agent, user_agent),
                    address = coalesce(network_address, address)
                where sessions.id = known.id;
            if (agent, network_address) is distinct from (known.user_agent, known.address) then
                perform auth.remember_device(account.id, used);
            end if;
        end if;
        outcome := 'rotated';
        session := known.id;
        generation := known.generation;
        user_object := auth.user_object(account);
        id := account.id;
        email := account.email;
        app_metadata := account.app_metadata;
        user_metadata := account.user_metadata;
        aal := known.aal;
        amr := known.amr;
    end
    $$;

-- Uses a link up and opens a session by it, as in 0018. Where its mail is read is a device of its user's.
drop function auth.open_by_link(uuid, text, text, text);
create function auth.open_by_link(link uuid, method text, agent text, network_address text, used_from bytea)
    returns table (
        session uuid, generation integer, user_object json, id uuid, email text, app_metadata jsonb, user_metadata jsonb,
        aal text, amr jsonb)
    language plpgsql
    as $$
    declare
        used auth.one_time_tokens;
    begin
        delete from auth.one_time_tokens links where links.id = link and links.expires_at > now() returning * into used;
        if not found then
            return;
        end if;
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()) where users.id = used.user_id;
        if used.kind = 'recovery' then
            delete from auth.sessions where sessions.user_id = used.user_id;
        end if;
        perform auth.remember_device(used.user_id, used_from);
        return query select * from auth.open_session(used.user_id, method, agent, network_address);
    end
    $$;

-- Writes one line, as in 0019.
create or replace function auth.note(action text, account uuid, details jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Of one account; a loop of its user's must not fill the disk.
        most constant integer := 10000;
        line bigint;
    begin
        insert into auth.audit_log (action, actor, user_id, address, user_agent, details) values (
            action,
            coalesce(nullif(current_setting('lectern.actor', true), ''), 'database login ' || session_user),
            account,
            nullif(current_setting('lectern.address', true), ''),
            nullif(current_setting('lectern.user_agent', true), ''),
            details)
            returning id into line;
        -- Looked at now and then, since counting costs more than writing.
        if line % 100 = 0 then
            delete from auth.audit_log where user_id = account and id <= (
                select known.id from auth.audit_log known where known.user_id = account
                order by known.id desc offset most limit 1);
        end if;
    end
    $$;

grant execute on function auth.refresh_session(uuid, integer, text, text, bytea),
    auth.open_by_link(uuid, text, text, text, bytea) to auth_service;
