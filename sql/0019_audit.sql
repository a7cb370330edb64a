-- Who changed what on an account, when, and from where. Triggers write it, so that a change by psql is in it as well as
-- one over the auth API; it holds no secret: no password, token, hash or link, and no text a user wrote.

create table auth.audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    action text not null,
    -- 'user', 'admin …' (another user, by the first digits of their id), 'service key', 'visitor', or 'database login …' for who came without the auth API.
    actor text not null,
    -- Whose account; null once the account is gone.
    user_id uuid references auth.users on delete cascade,
    address text,
    user_agent text,
    details jsonb not null default '{}'
);
create index audit_log_user_id on auth.audit_log (user_id, id desc);

grant select on auth.audit_log to auth_service;

-- Writes one line. What it knows of the request are the transaction's settings, which only the workers make.
create function auth.note(action text, account uuid, details jsonb) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        insert into auth.audit_log (action, actor, user_id, address, user_agent, details) values (
            action,
            coalesce(nullif(current_setting('lectern.actor', true), ''), 'database login ' || session_user),
            account,
            nullif(current_setting('lectern.address', true), ''),
            nullif(current_setting('lectern.user_agent', true), ''),
            details)
    $$;

create function auth.note_user() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'DELETE' then
            -- The account is erased; a hash of its id lets who knows the id find the line.
            perform auth.note('user_deleted', null,
                jsonb_build_object('user_hash', encode(sha256(convert_to(old.id::text, 'UTF8')), 'hex')));
            return null;
        end if;
        if tg_op = 'INSERT' then
            perform auth.note(
                case when new.invited_at is null then 'user_created' else 'user_invited' end, new.id, '{}');
            return null;
        end if;
        if new.encrypted_password is distinct from old.encrypted_password then
            -- Hashing anew with the same password is no change of it.
            if coalesce(current_setting('lectern.is_rehash', true), '') = '' then
                perform auth.note('password_changed', new.id, '{}');
            end if;
        end if;
        if new.email is distinct from old.email then
            perform auth.note('email_changed', new.id, '{}');
        end if;
        if new.banned_until is distinct from old.banned_until then
            perform auth.note(case when new.banned_until > now() then 'user_disabled' else 'user_enabled' end, new.id,
                jsonb_build_object('until', new.banned_until));
        end if;
        if new.app_metadata is distinct from old.app_metadata then
            perform auth.note('app_metadata_changed', new.id, jsonb_build_object('admin', new.app_metadata -> 'admin'));
        end if;
        if new.email_confirmed_at is distinct from old.email_confirmed_at then
            perform auth.note(
                case when new.email_confirmed_at is null then 'email_unconfirmed' else 'email_confirmed' end, new.id, '{}');
        end if;
        -- Once an hour: clients keep all sorts of things there, and the log is no place for a loop.
        if new.user_metadata is distinct from old.user_metadata and not exists (
            select from auth.audit_log
            where user_id = new.id and action = 'user_metadata_changed' and at > now() - interval '1 hour'
        ) then
            perform auth.note('user_metadata_changed', new.id, '{}');
        end if;
        return null;
    end
    $$;
create trigger note_user after insert or update or delete on auth.users
    for each row execute function auth.note_user();

-- Sessions, tokens and links of an account that is being deleted go with it, and need no line.
create function auth.note_part() returns trigger
    language plpgsql
    as $$
    declare
        part record;
        details jsonb := '{}';
    begin
        if tg_op = 'DELETE' then part := old; else part := new; end if;
        if tg_op = 'DELETE' and not exists (select from auth.users where id = part.user_id) then
            return null;
        end if;
        if tg_table_name = 'api_tokens' then
            details := jsonb_build_object('name', part.name, 'scope', part.scope, 'prefix', part.prefix);
        elsif tg_table_name = 'sessions' then
            details := jsonb_build_object('session', part.id, 'amr', part.amr);
        elsif tg_table_name = 'one_time_tokens' then
            details := jsonb_build_object('kind', part.kind);
        end if;
        perform auth.note(tg_argv[0], part.user_id, details);
        return null;
    end
    $$;
create trigger note_sign_in after insert on auth.sessions
    for each row execute function auth.note_part('signed_in');
create trigger note_sign_out after delete on auth.sessions
    for each row execute function auth.note_part('session_ended');
create trigger note_token after insert on auth.api_tokens
    for each row execute function auth.note_part('token_created');
create trigger note_token_end after delete on auth.api_tokens
    for each row execute function auth.note_part('token_revoked');
create trigger note_link after insert or update of token_hash on auth.one_time_tokens
    for each row execute function auth.note_part('link_made');

grant execute on function auth.note(text, uuid, jsonb) to auth_service;
