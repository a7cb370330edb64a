-- Sessions and known devices. Refresh tokens: see refresh_tokens.sql.

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

grant execute on function auth.open_session(uuid, text, text, text, text), auth.remember_device(uuid, bytea)
    to auth_service;
