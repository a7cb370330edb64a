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

-- Counts an attempt and returns zero, or how long the subject has to wait. From the attempt number `free` on, each makes
-- the next one wait, twice as long as the one before, from `shortest` up to `longest`. An hour after the last attempt and
-- its wait all are forgotten.
create function auth.attempt(whom text, free integer, longest interval, shortest interval default '1 second') returns interval
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
                select subject from auth.delays where greatest(last_at, allowed_at) < clock_timestamp() - memory
                order by last_at limit 5 for update skip locked);
        end if;
        select * into known from auth.delays where subject = whom for update;
        if known.allowed_at > clock_timestamp() then
            return known.allowed_at - clock_timestamp();
        end if;
        if greatest(known.last_at, known.allowed_at) < clock_timestamp() - memory then
            known.attempts := 0;
        end if;
        known.attempts := known.attempts + 1;
        update auth.delays
            set attempts = known.attempts, last_at = clock_timestamp(),
                allowed_at = case
                    when known.attempts < free then '-infinity'
                    else clock_timestamp() + least(longest, shortest * 2 ^ least(known.attempts - free, 20)) end
            where subject = whom;
        return interval '0';
    end
    $$;

-- How long a subject has to wait; counts nothing.
create function auth.waiting(whom text) returns interval
    language sql
    as $$
        select coalesce(
            (select greatest(allowed_at - clock_timestamp(), '0') from auth.delays where subject = whom and allowed_at > '-infinity'),
            '0')
    $$;

-- Devices a user has signed in from: a hash of network and user agent.
create table auth.devices (
    user_id uuid not null references auth.users on delete cascade,
    device bytea not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, device)
);

create function auth.remember_device(account uuid, used bytea) returns void
    language plpgsql
    as $$
    declare
        most constant integer := 50;
    begin
        insert into auth.devices as known (user_id, device) values (account, used)
            on conflict (user_id, device) do update set seen_at = excluded.seen_at;
        delete from auth.devices old where old.user_id = account and old.device in (
            select o.device from auth.devices o where o.user_id = account order by o.seen_at desc offset most);
    end
    $$;

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
                -- Who has to wait is not counted for the other: a network that waits locks no accounts, and an account
                -- that waits no network.
                longest := greatest(auth.waiting('network ' || network), auth.waiting(account));
                if longest = '0' then
                    longest := greatest(
                        auth.attempt('network ' || network, 30, '15 minutes'), auth.attempt(account, 5, '15 minutes'));
                end if;
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
        key constant text := (select email_key from auth.users where id = account);
        subject_of_account constant text := 'account ' || encode(sha256(convert_to(key, 'UTF8')), 'hex');
    begin
        delete from auth.delays where subject = subject_of_account || ' ' || encode(used, 'hex');
        if not found then
            update auth.delays set attempts = greatest(attempts - 1, 0), allowed_at = '-infinity'
                where subject in (subject_of_account, 'network ' || network);
        end if;
        perform auth.remember_device(account, used);
    end
    $$;

-- What is counted of an account goes with it.
create function auth.forget_delays() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        key constant text := encode(sha256(convert_to(old.email_key, 'UTF8')), 'hex');
    begin
        delete from auth.delays
            where subject in ('account ' || key, 'mail ' || key, 'password ' || old.id, 'export ' || old.id)
                or subject like 'account ' || key || ' %';
        return null;
    end
    $$;
create trigger forget_delays after delete on auth.users
    for each row execute function auth.forget_delays();

grant select, insert, update, delete on auth.delays, auth.devices to auth_service;
grant execute on function auth.attempt(text, integer, interval, interval), auth.waiting(text),
    auth.remember_device(uuid, bytea), auth.begin_sign_in(text, text, bytea, boolean),
    auth.end_sign_in(uuid, text, bytea) to auth_service;
