-- Accounts as the auth API shows them.

-- The user object of the auth API; never contains the password hash. Address and password are listed as an identity
-- like those of other providers; that identity is derived from the account.
create or replace function auth.user_object(account auth.users) returns json
    language sql stable
    as $$
        select json_build_object(
            'id', account.id,
            'aud', 'authenticated',
            'role', 'authenticated',
            'email', account.email,
            -- The address that replaces it once its owner has confirmed it.
            'new_email', (
                select new_email from auth.one_time_tokens
                where user_id = account.id and kind = 'email_change' and expires_at > now()),
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

-- Whether the address of an account is known to be its user's: an admin made the account, or a link that was mailed there
-- was followed. Only such a user has the server send mail that the user has not written a password for: anybody may sign
-- up with the address of another person, or with one that does not exist.
create or replace function auth.has_proven_address(account uuid) returns boolean
    language sql stable
    as $$
        select coalesce(bool_or(email_confirmed_at is not null and not email_is_unproven), false)
        from auth.users where id = account
    $$;

-- Merges metadata as GoTrue does: key by key; a null removes its key.
create or replace function auth.merged_metadata(known jsonb, sent jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(known || sent)
        where value <> 'null' or not sent ? key
    $$;

grant execute on function auth.user_object(auth.users), auth.merged_metadata(jsonb, jsonb) to auth_service;
