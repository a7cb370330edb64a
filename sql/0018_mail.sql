-- Links that stand for their reader, and the mails that bring them.

-- Single use: taking a link deletes it.
create table auth.one_time_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    kind text not null check (kind in ('recovery', 'invite', 'magiclink', 'signup')),
    -- SHA-256 of the token in the link.
    token_hash bytea not null unique,
    -- SHA-256 of id and six digits that may be typed instead, five times at most; null for a mailed link, since nobody is
    -- told the digits then and only a guesser would try them.
    code_hash bytea,
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
-- A new link of a kind ends the one before.
create unique index one_time_tokens_user_id_kind on auth.one_time_tokens (user_id, kind);
comment on column auth.one_time_tokens.token_hash is 'secret: stands for the link; no part of an export';
comment on column auth.one_time_tokens.code_hash is 'secret: stands for the digits; no part of an export';

grant select, insert, update, delete on auth.one_time_tokens to auth_service;

-- Keeps a link in place of an older one of its kind.
create function auth.store_link(owner uuid, kind_of text, id uuid, token_hash bytea, code text, lifetime interval)
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

-- Uses a link up and opens a session by it, in one step: a link is never spent for nothing. No row when it is gone.
create function auth.open_by_link(link uuid, method text, agent text, network_address text)
    returns table (
        session uuid, generation integer, user_object json, id uuid, email text, app_metadata jsonb, user_metadata jsonb,
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
        return query select * from auth.open_session(used.user_id, method, agent, network_address);
    end
    $$;

-- Mails to send, and what became of them. The jobs process sends them when LECTERN_SMTP_URL is set; without it they wait
-- here, and `lectern mail` shows the admin the links.
create table private.mails (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    kind text not null,
    recipient text not null,
    subject text not null,
    -- Plain text with the link; gone once the mail is sent or the link has expired.
    body text,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    attempts integer not null default 0,
    -- Why the last attempt did not succeed.
    message text,
    run_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    -- After this time it is not worth sending.
    expires_at timestamptz not null
);
create index mails_user_id on private.mails (user_id);
create index mails_waiting on private.mails (run_at) where state = 'waiting';
comment on column private.mails.body is 'secret: holds a link that signs in; no part of an export';

grant usage on schema private to auth_service;
grant insert on private.mails to auth_service;
grant select, update, delete on private.mails to lectern_jobs;

create function private.tell_of_mail() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_mails', '');
        return null;
    end
    $$;
create trigger tell_of_mail after insert on private.mails
    for each statement execute function private.tell_of_mail();

-- Keeps a link for the account of an address and queues the mail that brings it; does nothing where there is no such
-- account, and tells nobody. Three mails, then one in 20, 40, 60 minutes, counted for unknown addresses too. The mail goes to the address as the
-- account has it: what was typed may differ in what some mail server makes a difference of.
create function auth.mail_link(
    address text, kind_of text, id uuid, token_hash bytea, lifetime interval, subject_line text,
    body_text text, is_limited boolean
) returns void
    language plpgsql
    as $$
    declare
        key constant text := lower(normalize(address, nfkc));
        owner auth.users;
    begin
        if is_limited and auth.attempt(
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

-- Who changes the password or the address of an account ends the links that were sent before: they may lie in a mailbox
-- that is somebody else's now. Runs as the owner, as no service may change mails.
create function auth.end_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from auth.one_time_tokens where user_id = new.id;
        update private.mails set state = 'failed', body = null, message = 'the account was changed before it was sent'
            where user_id = new.id and state = 'waiting' and kind <> 'email_changed';
        return null;
    end
    $$;
create trigger end_links after update of email, encrypted_password on auth.users
    for each row
    when (new.email <> old.email
        or new.encrypted_password is distinct from old.encrypted_password
            and coalesce(current_setting('lectern.is_rehash', true), '') = '')
    execute function auth.end_links();

grant execute on function auth.store_link(uuid, text, uuid, bytea, text, interval),
    auth.mail_link(text, text, uuid, bytea, interval, text, text, boolean),
    auth.open_by_link(uuid, text, text, text) to auth_service;
