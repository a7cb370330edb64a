-- The audit log of accounts, written by triggers.

-- Writes one line. The details of the request come from settings of the transaction, which only the workers set.
create or replace function auth.log_event(action text, account uuid, details jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Lines kept per account, so that a client in a loop cannot fill the disk.
        max_lines constant integer := 10000;
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
        -- Checked on every hundredth line only, because counting costs more than writing.
        if line % 100 = 0 then
            delete from auth.audit_log where user_id = account and id <= (
                select known.id from auth.audit_log known where known.user_id = account
                order by known.id desc offset max_lines limit 1);
        end if;
    end
    $$;

create or replace function auth.log_user_change() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'DELETE' then
            -- The account is erased. A hash of its id allows someone who knows the id to find the line.
            perform auth.log_event('user_deleted', null,
                jsonb_build_object('user_hash', encode(sha256(convert_to(old.id::text, 'UTF8')), 'hex')));
            return null;
        end if;
        if tg_op = 'INSERT' then
            perform auth.log_event(
                case when new.invited_at is null then 'user_created' else 'user_invited' end, new.id, '{}');
            return null;
        end if;
        if new.encrypted_password is distinct from old.encrypted_password then
            -- Rehashing the same password is not a change.
            if coalesce(current_setting('lectern.is_rehash', true), '') = '' then
                perform auth.log_event('password_changed', new.id, '{}');
            end if;
        end if;
        if new.email is distinct from old.email then
            perform auth.log_event('email_changed', new.id, '{}');
        end if;
        if new.banned_until is distinct from old.banned_until then
            perform auth.log_event(case when new.banned_until > now() then 'user_disabled'
                else 'user_enabled' end, new.id,
                jsonb_build_object('until', new.banned_until));
        end if;
        if new.app_metadata is distinct from old.app_metadata then
            perform auth.log_event('app_metadata_changed', new.id,
                jsonb_build_object('admin', new.app_metadata -> 'admin'));
        end if;
        if new.email_confirmed_at is distinct from old.email_confirmed_at then
            perform auth.log_event(
                case when new.email_confirmed_at is null then 'email_unconfirmed'
                    else 'email_confirmed' end, new.id, '{}');
        elsif old.email_is_unproven and not new.email_is_unproven then
            perform auth.log_event('email_confirmed', new.id, '{}');
        end if;
        -- At most once an hour: clients store many things in the metadata, and a client in a loop must not fill the
        -- log.
        if new.user_metadata is distinct from old.user_metadata and not exists (
            select from auth.audit_log
            where user_id = new.id and action = 'user_metadata_changed' and at > now() - interval '1 hour'
        ) then
            perform auth.log_event('user_metadata_changed', new.id, '{}');
        end if;
        return null;
    end
    $$;

create or replace trigger log_user_change after insert or update or delete on auth.users
    for each row execute function auth.log_user_change();

-- Logs sessions, tokens, links and exports. Those deleted together with their account are not logged.
create or replace function auth.log_related_event() returns trigger
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
        perform auth.log_event(tg_argv[0], part.user_id, details);
        return null;
    end
    $$;

create or replace trigger log_token_created after insert on auth.api_tokens
    for each row execute function auth.log_related_event('token_created');

create or replace trigger log_token_revoked after delete on auth.api_tokens
    for each row execute function auth.log_related_event('token_revoked');

create or replace trigger log_link_made after insert or update of token_hash on auth.one_time_tokens
    for each row execute function auth.log_related_event('link_made');

create or replace trigger log_sign_in after insert on auth.sessions
    for each row execute function auth.log_related_event('signed_in');

create or replace trigger log_session_ended after delete on auth.sessions
    for each row execute function auth.log_related_event('session_ended');

create or replace trigger log_export after insert on private.exports
    for each row execute function auth.log_related_event('export_started');

grant execute on function auth.log_event(text, uuid, jsonb) to auth_service;
