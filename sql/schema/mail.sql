-- One-time links and the mails that carry them.

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

-- Consumes a link and opens a session in the same transaction, so that a link is never consumed without effect. The
-- device that follows a mailed link becomes a known device. Returns no row if the link does not exist or has expired.
create or replace function auth.open_session_by_link(link uuid, method text, agent text, network_address text,
    used_from bytea)
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
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()) where users.id = used.user_id;
        if used.kind = 'recovery' then
            delete from auth.sessions where sessions.user_id = used.user_id;
        end if;
        perform auth.remember_device(used.user_id, used_from);
        return query select * from auth.open_session(used.user_id, method, agent, network_address);
    end
    $$;

-- Stores a link for the account of an address and queues the mail. Does nothing, without telling the caller, if there
-- is no such account. Three mails are allowed, then one after 20, 40 and 60 minutes; requests for unknown addresses are
-- counted too. The mail goes to the address as stored with the account: the spelling in the request may differ in a way
-- that matters to some mail servers.
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
        if is_limited and auth.count_attempt(
            'mail ' || encode(sha256(convert_to(key, 'UTF8')), 'hex'), 3, '1 hour', '20 minutes') > '0' then
            return;
        end if;
        select * into owner from auth.users
            where email_key = key and (banned_until is null or banned_until <= now());
        if found then
            perform auth.store_link(owner.id, kind_of, id, token_hash, null, lifetime);
            insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
                values (owner.id, kind_of, owner.email, subject_line, body_text, now() + lifetime);
        end if;
    end
    $$;

-- A change of the password or the address invalidates links sent earlier: they may be in a mailbox that now belongs to
-- somebody else. Runs as the owner because no service may update mails.
create or replace function auth.invalidate_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from auth.one_time_tokens where user_id = new.id;
        update private.mails set state = 'failed', body = null,
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

grant execute on function auth.store_link(uuid, text, uuid, bytea, text, interval),
    auth.open_session_by_link(uuid, text, text, text, bytea),
    auth.mail_link(text, text, uuid, bytea, interval, text, text, boolean)
    to auth_service;
