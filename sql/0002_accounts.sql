-- Accounts, their sessions and refresh tokens, in GoTrue's words.

create table auth.users (
    id uuid primary key default gen_random_uuid(),
    -- As typed; unique without regard to case.
    email text not null check (length(email) between 3 and 254),
    -- argon2id, encoded.
    encrypted_password text,
    user_metadata jsonb not null default '{}' check (jsonb_typeof(user_metadata) = 'object'),
    app_metadata jsonb not null default '{"provider": "email", "providers": ["email"]}',
    email_confirmed_at timestamptz,
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create unique index users_email_key on auth.users (lower(email));

create table auth.sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- Number of the newest refresh token. The tokens themselves are derived from (session, generation) by a keyed
    -- hash, so none is stored.
    generation integer not null default 1,
    user_agent text,
    address text,
    created_at timestamptz not null default now(),
    refreshed_at timestamptz not null default now()
);
create index sessions_user_id on auth.sessions (user_id);

-- When each generation of a session's refresh token was used up.
create table auth.refresh_tokens (
    session_id uuid not null references auth.sessions on delete cascade,
    generation integer not null,
    used_at timestamptz not null default now(),
    primary key (session_id, generation)
);

grant select, insert, update, delete on auth.users, auth.sessions, auth.refresh_tokens to auth_service;

-- The user object of the auth API; never holds the password hash.
create function auth.user_object(account auth.users) returns json
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
            'last_sign_in_at', account.last_sign_in_at,
            'app_metadata', account.app_metadata,
            'user_metadata', account.user_metadata,
            'identities', json_build_array(json_build_object(
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
            )),
            'created_at', account.created_at,
            'updated_at', account.updated_at,
            'is_anonymous', false
        )
    $$;

-- Trades a refresh token for the next one.
--
-- outcome: 'rotated' (or the parent of the newest token came again, because its answer was lost: the newest is told),
-- 'not_found', or 'already_used': an old token came back, so somebody copied it, and the session ends.
create function auth.refresh_session(
    presented_session uuid, presented_generation integer,
    out outcome text, out generation integer, out account json
)
    language plpgsql
    as $$
    declare
        session auth.sessions;
        -- How long any older token is still taken for a late twin of the newest.
        grace constant interval := '10 seconds';
    begin
        select * into session from auth.sessions where id = presented_session for update;
        if not found or presented_generation > session.generation or presented_generation < 1 then
            outcome := 'not_found';
            return;
        end if;
        if presented_generation = session.generation then
            insert into auth.refresh_tokens (session_id, generation) values (session.id, session.generation);
            session.generation := session.generation + 1;
            update auth.sessions
                set generation = session.generation, refreshed_at = now()
                where id = session.id;
        elsif presented_generation < session.generation - 1 and not exists (
            select from auth.refresh_tokens used
            where used.session_id = session.id
                and used.generation = presented_generation
                and used.used_at > now() - grace
        ) then
            delete from auth.sessions where id = session.id;
            outcome := 'already_used';
            return;
        end if;
        outcome := 'rotated';
        generation := session.generation;
        select auth.user_object(users) into account from auth.users where id = session.user_id;
    end
    $$;

grant execute on function auth.user_object(auth.users), auth.refresh_session(uuid, integer) to auth_service;
