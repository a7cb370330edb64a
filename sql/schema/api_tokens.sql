-- Returns the claims of a personal API token. SQLSTATE LT401: the token is unknown, revoked or expired, or the account
-- is disabled. Runs as the owner. The caller must know the token and learns only its claims.
create or replace function auth.auth_claims(presented bytea, network_address text) returns text
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
        -- At most once a minute, and without waiting for another request that is updating the row.
        if known.last_used_at is null or known.last_used_at < now() - interval '1 minute' then
            update auth.api_tokens set last_used_at = now(), last_used_address = network_address
                where id = (select id from auth.api_tokens where id = known.id for update skip locked);
        end if;
        return json_build_object(
            'sub', known.user_id, 'role', 'authenticated', 'aud', 'authenticated', 'email', known.email,
            'token_id', known.id, 'scope', known.scope);
    end
    $$;

grant execute on function auth.auth_claims(bytea, text) to auth_service;
