-- Attempts that have to wait: guessing passwords, signing up by the hundred, asking for mails.
--
-- A subject is whom attempts are counted for: an account (by a hash of the address, since people type passwords where
-- addresses belong), a network, a device of an account. Counting survives restarts and is shared by all workers.
create table auth.delays (
    subject text primary key,
    attempts integer not null,
    last_at timestamptz not null,
    -- Attempts before this time are refused and not counted.
    allowed_at timestamptz not null
);
create index delays_last_at on auth.delays (last_at);

-- Counts an attempt and returns zero, or how long the subject has to wait. The first `free` attempts cost nothing, each
-- one behind them doubles the wait for the next, from one second up to `longest`; an hour without any forgets them all.
create function auth.attempt(whom text, free integer, longest interval) returns interval
    language plpgsql
    as $$
    declare
        known auth.delays;
        memory constant interval := '1 hour';
    begin
        insert into auth.delays (subject, attempts, last_at, allowed_at) values (whom, 0, clock_timestamp(), '-infinity')
            on conflict do nothing;
        -- A new one sweeps up a few that everybody has forgotten.
        if found then
            delete from auth.delays where subject in (
                select subject from auth.delays where last_at < clock_timestamp() - memory - longest
                order by last_at limit 5 for update skip locked);
        end if;
        select * into known from auth.delays where subject = whom for update;
        if known.allowed_at > clock_timestamp() then
            return known.allowed_at - clock_timestamp();
        end if;
        if known.last_at < clock_timestamp() - memory then
            known.attempts := 0;
        end if;
        known.attempts := known.attempts + 1;
        update auth.delays
            set attempts = known.attempts, last_at = clock_timestamp(),
                allowed_at = case
                    when known.attempts < free then '-infinity'
                    else clock_timestamp() + least(longest, interval '1 second' * 2 ^ least(known.attempts - free, 20)) end
            where subject = whom;
        return interval '0';
    end
    $$;

-- Devices a user has signed in from: a hash of network and user agent.
create table auth.devices (
    user_id uuid not null references auth.users on delete cascade,
    device bytea not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, device)
);

-- What a sign-in needs to know, counted as an attempt before the password is looked at, so that many at once are many.
--
-- wait: seconds until the next try, 0 for one that may go on. A device the account was signed in from before is counted
-- by itself: whoever guesses from elsewhere does not lock it out, and its own wait never grows beyond half a minute.
create function auth.begin_sign_in(
    address text, network text, used bytea, is_limited boolean,
    out wait integer, out id uuid, out password_hash text, out is_banned boolean, out is_confirmed boolean
)
    language plpgsql
    as $$
    declare
        key constant text := lower(normalize(address, nfkc));
        account constant text := 'account ' || encode(sha256(convert_to(key, 'UTF8')), 'hex');
        is_known boolean;
        longest interval := '0';
    begin
        select users.id, encrypted_password, coalesce(banned_until > now(), false), email_confirmed_at is not null
            into id, password_hash, is_banned, is_confirmed
            from auth.users where email_key = key;
        if is_limited then
            is_known := exists (
                select from auth.devices known
                where known.user_id = begin_sign_in.id and known.device = used);
            if is_known then
                longest := auth.attempt(account || ' ' || encode(used, 'hex'), 5, '30 seconds');
            else
                longest := greatest(
                    auth.attempt('network ' || network, 30, '15 minutes'), auth.attempt(account, 5, '15 minutes'));
            end if;
        end if;
        wait := ceil(extract(epoch from longest));
    end
    $$;

-- The password was right: the device is known from now on, and its attempt was none. Others' are not forgotten, or a
-- guesser could go on whenever the user signs in.
create function auth.end_sign_in(account uuid, network text, used bytea) returns void
    language plpgsql
    as $$
    declare
        most constant integer := 50;
        key constant text := (select email_key from auth.users where id = account);
        subject_of_account constant text := 'account ' || encode(sha256(convert_to(key, 'UTF8')), 'hex');
    begin
        delete from auth.delays where subject = subject_of_account || ' ' || encode(used, 'hex');
        if not found then
            update auth.delays set attempts = greatest(attempts - 1, 0), allowed_at = '-infinity'
                where subject in (subject_of_account, 'network ' || network);
        end if;
        insert into auth.devices as known (user_id, device) values (account, used)
            on conflict (user_id, device) do update set seen_at = excluded.seen_at;
        delete from auth.devices old where old.user_id = account and old.device in (
            select o.device from auth.devices o where o.user_id = account order by o.seen_at desc offset most);
    end
    $$;

grant select, insert, update, delete on auth.delays, auth.devices to auth_service;
grant execute on function auth.attempt(text, integer, interval), auth.begin_sign_in(text, text, bytea, boolean),
    auth.end_sign_in(uuid, text, bytea) to auth_service;
