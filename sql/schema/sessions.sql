-- Sessions, refresh tokens and known devices.

-- Opens a session; every way of signing in ends here. A user has at most 200 sessions; a further one replaces the
-- session that was unused for longest. Returns no row if the account is disabled, or if its password hash is not the
-- one that the password was verified against: the password was changed in the meantime, and the old one must not open a
-- session.
create or replace function auth.open_session(account uuid, method text, agent text, network_address text,
    proven_by text default null)
    returns table (
        session uuid, generation integer, user_object json, id uuid, email text, app_metadata jsonb,
            user_metadata jsonb,
        aal text, amr jsonb)
    language plpgsql
    as $$
    declare
        max_sessions constant integer := 200;
        signed_in auth.users;
        opened auth.sessions;
    begin
        update auth.users set last_sign_in_at = now()
            where users.id = account and (proven_by is null or encrypted_password = proven_by)
                and (banned_until is null or banned_until <= now())
            returning * into signed_in;
        if not found then
            return;
        end if;
        insert into auth.sessions (user_id, user_agent, address, amr)
            values (account, agent, network_address,
                jsonb_build_array(jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now())))))
            returning * into opened;
        delete from auth.sessions where sessions.id in (
            select old.id from auth.sessions old where old.user_id = account
            order by old.refreshed_at desc, old.id offset max_sessions);
        return query select opened.id, opened.generation, auth.user_object(signed_in), signed_in.id, signed_in.email,
            signed_in.app_metadata, signed_in.user_metadata, opened.aal, opened.amr;
    end
    $$;

-- Exchanges a refresh token for the next one. The device and the network of the session become known devices of the
-- user, so a phone that moves between networks stays known.
--
-- outcome: 'rotated' (also for the parent of the newest token, whose response may have been lost: the newest is
-- returned again), 'not_found', 'banned', or 'already_used': an old token was presented, so it has been copied, and the
-- session is deleted.
create or replace function auth.refresh_session(
    presented_session uuid, presented_generation integer, agent text, network_address text, used bytea,
    out outcome text, out session uuid, out generation integer, out user_object json, out id uuid, out email text,
    out app_metadata jsonb, out user_metadata jsonb, out aal text, out amr jsonb
)
    language plpgsql
    as $$
    declare
        known auth.sessions;
        account auth.users;
        -- How long any older token is still accepted as a concurrent refresh.
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

create or replace function auth.remember_device(account uuid, used bytea) returns void
    language plpgsql
    as $$
    declare
        max_devices constant integer := 50;
    begin
        insert into auth.devices as known (user_id, device) values (account, used)
            on conflict (user_id, device) do update set seen_at = excluded.seen_at;
        delete from auth.devices old where old.user_id = account and old.device in (
            select o.device from auth.devices o where o.user_id = account order by o.seen_at desc offset max_devices);
    end
    $$;

grant execute on function auth.open_session(uuid, text, text, text, text),
    auth.refresh_session(uuid, integer, text, text, bytea), auth.remember_device(uuid, bytea)
    to auth_service;
