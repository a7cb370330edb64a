-- The rotation of refresh tokens.

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

grant execute on function auth.refresh_session(uuid, integer, text, text, bytea) to auth_service;
