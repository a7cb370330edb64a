-- One-time links and the mails that carry them. The trigger that tells of new mails, whatever they are, is at the end.

-- Stores a link; replaces an older one of the same kind.
create or replace function auth.store_link(owner uuid, kind_of text, id uuid, token_hash bytea, code text,
    lifetime interval)
    returns void
    language sql
    as $$
        insert into auth.one_time_tokens (id, user_id, kind, token_hash, code_hash, expires_at)
        values (store_link.id, owner, kind_of, store_link.token_hash,
            sha256(convert_to(store_link.id || code, 'UTF8')), now() + lifetime)
        on conflict (user_id, kind) do update
            set id = excluded.id, token_hash = excluded.token_hash, code_hash = excluded.code_hash, tries = 0,
                created_at = now(), expires_at = excluded.expires_at
    $$;

-- Counts a mail to an address, and returns whether it may be sent: three mails, then one after 20, 40 and 60 minutes.
-- Addresses without an account are counted alike.
create or replace function auth.may_mail(address text, is_limited boolean) returns boolean
    language sql
    as $$
        select case
            when is_limited then auth.count_attempt(
                'mail ' || encode(sha256(convert_to(lower(normalize(address, nfkc)), 'UTF8')), 'hex'),
                3, '1 hour', '20 minutes') = '0'
            else true
        end
    $$;

-- Consumes a link and opens a session in the same transaction, so that a link is never consumed without effect. The
-- device that follows a mailed link becomes a known device. Returns no row if the link does not exist or has expired.
-- With revokes_tokens the user's API tokens are revoked.
create or replace function auth.open_session_by_link(link uuid, method text, agent text, network_address text,
    used_from bytea, revokes_tokens boolean)
    returns table (
        session uuid, generation integer, user_object json, id uuid, email text, app_metadata jsonb,
            user_metadata jsonb,
        aal text, amr jsonb)
    language plpgsql
    as $$
    declare
        used auth.one_time_tokens;
    begin
        delete from auth.one_time_tokens links where links.id = link and links.expires_at > now() returning * into used;
        if not found then
            return;
        end if;
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), email_is_unproven = false
            where users.id = used.user_id;
        if used.kind = 'recovery' then
            delete from auth.sessions where sessions.user_id = used.user_id;
        end if;
        if revokes_tokens then
            delete from auth.api_tokens where api_tokens.user_id = used.user_id;
        end if;
        perform auth.remember_device(used.user_id, used_from);
        return query select * from auth.open_session(used.user_id, method, agent, network_address);
    end
    $$;

-- Stores a link for the account of an address and queues the mail. Does nothing, without telling the caller, if there
-- is no such account, or if it has no use for the link: one of the kind `signup` proves whose the address is. The mail
-- goes to the address as stored with the account: the spelling in the request may differ in a way that matters to some
-- mail servers.
create or replace function auth.mail_link(
    address text, kind_of text, id uuid, token_hash bytea, lifetime interval, subject_line text,
    body_text text, is_limited boolean
) returns void
    language plpgsql
    as $$
    declare
        key constant text := lower(normalize(address, nfkc));
        owner auth.users;
    begin
        if not auth.may_mail(address, is_limited) then
            return;
        end if;
        select * into owner from auth.users
            where email_key = key and (banned_until is null or banned_until <= now())
                and (kind_of <> 'signup' or email_is_unproven);
        if found then
            perform auth.store_link(owner.id, kind_of, id, token_hash, null, lifetime);
            insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
                values (owner.id, kind_of, owner.email, subject_line, body_text, now() + lifetime);
        end if;
    end
    $$;

-- Stores the address that a user wants and mails it a link. The link is stored, but not mailed, when another account
-- has the address or it got too many mails: the response must not tell.
create or replace function auth.ask_to_confirm_email(
    owner uuid, address text, id uuid, token_hash bytea, lifetime interval, subject_line text, body_text text,
    is_limited boolean
) returns void
    language plpgsql
    as $$
    declare
        key constant text := lower(normalize(address, nfkc));
    begin
        insert into auth.one_time_tokens as known (id, user_id, kind, token_hash, expires_at, new_email)
            values (ask_to_confirm_email.id, owner, 'email_change', ask_to_confirm_email.token_hash, now() + lifetime,
                address)
            on conflict (user_id, kind) do update
            set id = excluded.id, token_hash = excluded.token_hash, created_at = now(),
                expires_at = excluded.expires_at, new_email = excluded.new_email;
        if auth.may_mail(address, is_limited)
            and not exists (select from auth.users where email_key = key and users.id <> owner)
        then
            insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
                values (owner, 'email_change', address, subject_line, body_text, now() + lifetime);
        end if;
    end
    $$;

-- Gives an account another address and notifies the old one, because a thief of a session would change the address
-- first. Until the link of a mail is followed, nobody knows whose the new address is.
create or replace function auth.change_email(owner uuid, address text, subject_line text, body_text text) returns void
    language sql
    as $$
        insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
            select id, 'email_changed', email, subject_line, body_text, now() + interval '1 day'
            from auth.users where id = owner and email <> address;
        update auth.users set email = address, email_is_unproven = true, updated_at = now()
            where id = owner and email <> address
    $$;

-- Consumes a link of the kind `email_change`. Returns false if it does not exist or has expired, or if another account
-- has the address by now.
create or replace function auth.confirm_email(link uuid, subject_line text, body_text text) returns boolean
    language plpgsql
    as $$
    declare
        used auth.one_time_tokens;
    begin
        delete from auth.one_time_tokens links
            where links.id = link and links.kind = 'email_change' and links.expires_at > now()
            returning * into used;
        if not found then
            return false;
        end if;
        perform auth.change_email(used.user_id, used.new_email, subject_line, body_text);
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), email_is_unproven = false
            where id = used.user_id;
        return true;
    exception when unique_violation then
        return false;
    end
    $$;

-- A change of the password or the address invalidates links sent earlier, since they may be in a mailbox that now
-- belongs to somebody else, and pairing codes. Runs as the owner because no service may update mails.
create or replace function auth.invalidate_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from auth.one_time_tokens where user_id = new.id;
        delete from auth.pairings where user_id = new.id;
        update private.mails set state = 'failed', body = null, html = null,
            message = 'the account was changed before the mail was sent'
            where user_id = new.id and state = 'waiting' and kind <> 'email_changed';
        return null;
    end
    $$;

create or replace trigger invalidate_links after update of email, encrypted_password on auth.users
    for each row
    when (new.email <> old.email
        or new.encrypted_password is distinct from old.encrypted_password
            and coalesce(current_setting('lectern.is_rehash', true), '') = '')
    execute function auth.invalidate_links();

create or replace function private.notify_mails() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_mails', '');
        return null;
    end
    $$;

create or replace trigger notify_mails after insert on private.mails
    for each statement execute function private.notify_mails();

grant execute on function auth.store_link(uuid, text, uuid, bytea, text, interval), auth.may_mail(text, boolean),
    auth.open_session_by_link(uuid, text, text, text, bytea, boolean),
    auth.mail_link(text, text, uuid, bytea, interval, text, text, boolean),
    auth.ask_to_confirm_email(uuid, text, uuid, bytea, interval, text, text, boolean),
    auth.change_email(uuid, text, text, text), auth.confirm_email(uuid, text, text)
    to auth_service;
