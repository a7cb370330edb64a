-- Delays for repeated attempts: wrong passwords, mass sign-ups, requests for mails.

-- Counts an attempt. Returns zero, or how long the subject has to wait. From attempt number `free` on, each attempt
-- delays the next one, for twice as long as before, between `shortest` and `longest`. The count is forgotten an hour
-- after the last attempt and its delay.
create or replace function auth.count_attempt(whom text, free integer, longest interval,
    shortest interval default '1 second') returns interval
    language plpgsql
    as $$
    declare
        known auth.delays;
        memory constant interval := '1 hour';
    begin
        insert into auth.delays (subject, attempts, last_at, allowed_at)
            values (whom, 0, clock_timestamp(), '-infinity')
            on conflict do nothing;
        -- Each new row removes a few expired ones.
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

-- Returns how long a subject has to wait, without counting an attempt.
create or replace function auth.remaining_delay(whom text) returns interval
    language sql
    as $$
        select coalesce(
            (select greatest(allowed_at - clock_timestamp(), '0') from auth.delays where subject = whom
                and allowed_at > '-infinity'),
            '0')
    $$;

-- Looks up the account for a sign-in. Counts the attempt before the password is verified, so that concurrent attempts
-- are all counted.
--
-- wait: seconds until the next attempt; 0: go on. A device that the account has signed in from before is counted
-- separately: someone who guesses from elsewhere cannot lock it out, and its own delay never exceeds half a minute.
create or replace function auth.begin_sign_in(
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
                longest := auth.count_attempt(account || ' ' || encode(used, 'hex'), 5, '30 seconds');
            else
                -- An attempt that has to wait for one counter is not counted by the other: a delayed network does not
                -- lock accounts, and a delayed account does not lock networks.
                longest := greatest(auth.remaining_delay('network ' || network), auth.remaining_delay(account));
                if longest = '0' then
                    longest := greatest(
                        auth.count_attempt('network ' || network, 30, '15 minutes'),
                            auth.count_attempt(account, 5, '15 minutes'));
                end if;
            end if;
        end if;
        wait := ceil(extract(epoch from longest));
    end
    $$;

-- Records a sign-in with the right password: the device becomes known, and its attempt is not counted. The counters of
-- other subjects stay; otherwise an attacker could continue whenever the user signs in.
create or replace function auth.end_sign_in(account uuid, network text, used bytea) returns void
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

-- Deletes the counters of a deleted account.
create or replace function auth.delete_delays() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        key constant text := encode(sha256(convert_to(old.email_key, 'UTF8')), 'hex');
    begin
        delete from auth.delays
            where subject in ('account ' || key, 'mail ' || key, 'password ' || old.id, 'email ' || old.id,
                    'export ' || old.id)
                or subject like 'account ' || key || ' %';
        return null;
    end
    $$;

create or replace trigger delete_delays after delete on auth.users
    for each row execute function auth.delete_delays();

grant execute on function auth.count_attempt(text, integer, interval, interval), auth.remaining_delay(text),
    auth.begin_sign_in(text, text, bytea, boolean), auth.end_sign_in(uuid, text, bytea)
    to auth_service;
