-- Accounts that can be invited and disabled, other ways to sign in, and sessions their users can tell apart.

alter table auth.users
    -- One account an address, however it is typed: the same letters in any case and in any of Unicode's spellings.
    add column email_key text generated always as (lower(normalize(email, nfkc))) stored,
    add column invited_at timestamptz,
    -- No sign-in and no token of the account is taken before this time.
    add column banned_until timestamptz,
    add constraint users_metadata_size check (
        octet_length(user_metadata::text) <= 1048576 and octet_length(app_metadata::text) <= 1048576);
drop index auth.users_email_key;
create unique index users_email_key on auth.users (email_key);

comment on column auth.users.encrypted_password is 'secret: argon2id of the password; no part of an export';

-- How else a user may prove who they are: by an account elsewhere (OpenID Connect) and by a second factor. Nothing
-- writes here yet; the user object and the claims have their place.
create table auth.identities (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    provider text not null check (provider <> 'email'),
    -- The provider's name for the user.
    provider_id text not null,
    identity_data jsonb not null default '{}',
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (provider, provider_id)
);
create index identities_user_id on auth.identities (user_id);

create table auth.mfa_factors (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    friendly_name text,
    factor_type text not null check (factor_type in ('totp', 'webauthn')),
    status text not null default 'unverified' check (status in ('unverified', 'verified')),
    secret text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index mfa_factors_user_id on auth.mfa_factors (user_id);
comment on column auth.mfa_factors.secret is 'secret: makes codes; no part of an export';

-- How sure the session is of its user (RFC 8176 speaks of methods): `aal2` after a second factor.
alter table auth.sessions
    add column aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    add column amr jsonb not null default '[]' check (jsonb_typeof(amr) = 'array');
update auth.sessions
    set amr = jsonb_build_array(jsonb_build_object('method', 'password', 'timestamp', floor(extract(epoch from created_at))));
drop index auth.sessions_user_id;
create index sessions_user_id on auth.sessions (user_id, refreshed_at desc);

grant select, insert, update, delete on auth.identities, auth.mfa_factors to auth_service;

-- The user object of the auth API; never holds the password hash. The address and password are an identity like those of
-- other providers, made up from the account.
create or replace function auth.user_object(account auth.users) returns json
    language sql stable
    as $$
        select json_build_object(
            'id', account.id,
            'aud', 'authenticated',
            'role', 'authenticated',
            'email', account.email,
            'phone', '',
            'email_confirmed_at', account.email_confirmed_at,
            'confirmed_at', account.email_confirmed_at,
            'invited_at', account.invited_at,
            'last_sign_in_at', account.last_sign_in_at,
            'banned_until', account.banned_until,
            'app_metadata', account.app_metadata,
            'user_metadata', account.user_metadata,
            'identities', (
                select json_agg(identity order by identity ->> 'created_at')
                from (
                    select json_build_object(
                        'identity_id', account.id,
                        'id', account.id,
                        'user_id', account.id,
                        'identity_data', json_build_object(
                            'sub', account.id,
                            'email', account.email,
                            'email_verified', account.email_confirmed_at is not null,
                            'phone_verified', false
                        ),
                        'provider', 'email',
                        'last_sign_in_at', account.last_sign_in_at,
                        'created_at', account.created_at,
                        'updated_at', account.updated_at,
                        'email', account.email
                    )
                    union all
                    select json_build_object(
                        'identity_id', id,
                        'id', provider_id,
                        'user_id', user_id,
                        'identity_data', identity_data,
                        'provider', provider,
                        'last_sign_in_at', last_sign_in_at,
                        'created_at', created_at,
                        'updated_at', updated_at
                    )
                    from auth.identities where user_id = account.id
                ) as identities (identity)),
            'factors', (
                select json_agg(json_build_object(
                    'id', id, 'friendly_name', friendly_name, 'factor_type', factor_type, 'status', status,
                    'created_at', created_at, 'updated_at', updated_at) order by created_at)
                from auth.mfa_factors where user_id = account.id),
            'created_at', account.created_at,
            'updated_at', account.updated_at,
            'is_anonymous', false
        )
    $$;

-- Metadata with what was sent merged in, as GoTrue does it: key by key, and a null takes its key away.
create function auth.merged_metadata(known jsonb, sent jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(known || sent)
        where value <> 'null' or not sent ? key
    $$;

-- Opens a session: the answer to every way of signing in. One user has at most 200 of them; the one that was silent
-- longest makes room. No row when the account is disabled, or has another password hash than the one that the password was
-- held against: it was changed meanwhile, and whoever knows the old one shall not slip in behind it.
create function auth.open_session(account uuid, method text, agent text, network_address text, proven_by text default null)
    returns table (
        session uuid, generation integer, user_object json, id uuid, email text, app_metadata jsonb, user_metadata jsonb,
        aal text, amr jsonb)
    language plpgsql
    as $$
    declare
        most constant integer := 200;
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
            order by old.refreshed_at desc, old.id offset most);
        return query select opened.id, opened.generation, auth.user_object(signed_in), signed_in.id, signed_in.email,
            signed_in.app_metadata, signed_in.user_metadata, opened.aal, opened.amr;
    end
    $$;

-- Trades a refresh token for the next one.
--
-- outcome: 'rotated' (or the parent of the newest token came again, because its answer was lost: the newest is told),
-- 'not_found', 'banned', or 'already_used': an old token came back, so somebody copied it, and the session ends.
-- Where the session is refreshed from is where it was seen last.
drop function auth.refresh_session(uuid, integer);
create function auth.refresh_session(
    presented_session uuid, presented_generation integer, agent text, network_address text,
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

grant execute on function auth.merged_metadata(jsonb, jsonb), auth.open_session(uuid, text, text, text, text),
    auth.refresh_session(uuid, integer, text, text) to auth_service;
