-- Personal API tokens: for a script, an e-reader, a bookmarklet; each with a name, a scope and an end.

create table auth.api_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 100),
    -- read: sees everything of the user; save: adds links; full: what the user may do over REST.
    scope text not null check (scope in ('read', 'save', 'full')),
    -- The first characters, so that people can tell which one it is.
    prefix text not null,
    -- SHA-256 of the token: 256 random bits need no slower hash.
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    -- To the minute.
    last_used_at timestamptz,
    last_used_address text
);
create index api_tokens_user_id on auth.api_tokens (user_id, created_at desc);
comment on column auth.api_tokens.token_hash is 'secret: stands for the token; no part of an export';

grant select, insert, update, delete on auth.api_tokens to auth_service;

-- The claims a personal token stands for, and from here on the transaction is read-only if the token is.
--
-- `accepted` are the scopes the route takes. SQLSTATE LT401: unknown, revoked, expired, or the account is disabled;
-- LT403: the scope does not reach. Runs as the owner, called by the workers' login before it takes on the user's role:
-- who calls it knows the token, and is told nothing but what it stands for.
create function auth.token_claims(presented bytea, accepted text[], network_address text) returns text
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known record;
    begin
        select tokens.id, tokens.user_id, tokens.scope, tokens.last_used_at, users.email into known
            from auth.api_tokens tokens join auth.users on users.id = tokens.user_id
            where tokens.token_hash = presented
                and (tokens.expires_at is null or tokens.expires_at > now())
                and (users.banned_until is null or users.banned_until <= now());
        if not found then
            raise exception using errcode = 'LT401', message = 'The token is unknown, expired or revoked';
        end if;
        if known.scope <> all (accepted) then
            raise exception using errcode = 'LT403',
                message = format('A token of the scope "%s" may not do this', known.scope);
        end if;
        -- Once a minute at most, and never waiting for a request that writes it down at this moment.
        if known.last_used_at is null or known.last_used_at < now() - interval '1 minute' then
            update auth.api_tokens set last_used_at = now(), last_used_address = network_address
                where id = (select id from auth.api_tokens where id = known.id for update skip locked);
        end if;
        if known.scope = 'read' then
            perform set_config('transaction_read_only', 'on', true);
        end if;
        return json_build_object(
            'sub', known.user_id, 'role', 'authenticated', 'aud', 'authenticated', 'email', known.email,
            'token_id', known.id, 'scope', known.scope);
    end
    $$;

-- The one right of the workers' login itself.
grant usage on schema auth to authenticator;
grant execute on function auth.token_claims(bytea, text[], text) to authenticator, auth_service;
