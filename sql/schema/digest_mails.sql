-- Digests by mail, at the end of each week or month (UTC) for users who want it.

set local role lectern_admin;

-- The end of the last week or month that is over.
create or replace function private.digest_end(schedule text) returns timestamptz
    language sql stable
    as $$ select date_trunc(case schedule when 'weekly' then 'week' else 'month' end, now() at time zone 'UTC')
        at time zone 'UTC' $$;

-- Queues the mails that are due, for at most so many users, and returns how many users there were. A user's first
-- digest is about the week or month in which the user asked for it; a time without entries makes no mail, and one that
-- was missed is not made up for. Only an address that is known to be the user's gets mails.
--
-- Called by the jobs process every hour. It makes a user's digest with the claims of that user.
create or replace function private.queue_digests(public_url text, max_users integer) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        due record;
        claims constant text := current_setting('request.jwt.claims', true);
        since timestamptz;
        ids uuid[];
        period text;
        page text;
        -- Mail servers refuse large mails. A digest with a larger page is sent as text alone.
        max_page_bytes constant integer := 2000000;
        stopping constant text := public_url || '/settings/#digests';
        footer constant text := format(
            '<p style="margin:32px 0 0;padding-top:8px;border-top:1px solid #dddddd;font-size:14px;color:#666666">'
            'You get this e-mail because you turned on digests. '
            '<a href="%s" style="color:#1a4f8b">Turn them off</a></p>',
            rest.escape_html(stopping));
        max_links constant integer := 500;
        left_out integer;
        omission text;
        users integer := 0;
    begin
        delete from private.digest_times known where not exists (
            select from public.user_settings s where s.user_id = known.user_id and s.digest_schedule is not null);
        -- Skips accounts that another transaction is deleting, here and below. A row that refers to such an account would
        -- wait for the deletion and then be refused, and no user would get a digest.
        insert into private.digest_times (user_id, ended_at)
            select u.id, private.digest_end(s.digest_schedule)
            from public.user_settings s join auth.users u on u.id = s.user_id
            where s.digest_schedule is not null
                and not exists (select from private.digest_times known where known.user_id = u.id)
            for key share of u skip locked
            on conflict do nothing;
        for due in
            select known.user_id, s.digest_schedule, u.email, private.digest_end(s.digest_schedule) as ended_at,
                auth.has_proven_address(u.id) and coalesce(u.banned_until <= now(), true) as may_get_mail
            from private.digest_times known
                join public.user_settings s on s.user_id = known.user_id
                join auth.users u on u.id = known.user_id
            where known.ended_at < private.digest_end(s.digest_schedule)
            order by known.user_id limit max_users
            for update of known skip locked
            for key share of u skip locked
        loop
            users := users + 1;
            update private.digest_times set ended_at = due.ended_at where user_id = due.user_id;
            continue when not due.may_get_mail;
            since := (due.ended_at at time zone 'UTC'
                - case due.digest_schedule when 'weekly' then interval '1 week' else interval '1 month' end)
                at time zone 'UTC';
            perform set_config('request.jwt.claims',
                json_build_object('sub', due.user_id, 'role', 'authenticated')::text, true);
            ids := rest.digest_links('is:starred is:archived', since, due.ended_at, null);
            continue when ids = '{}';
            left_out := cardinality(ids) - max_links;
            ids := ids[:max_links];
            omission := case when left_out > 0 then
                format('This e-mail lists only the %s links that were archived last. Left out: %s more.',
                    max_links, left_out)
                end;
            period := rest.digest_period(since, due.ended_at);
            page := rest.digest_html(
                ids, period, coalesce('<p style="margin:32px 0 0">' || omission || '</p>', '') || footer);
            insert into private.mails (user_id, kind, recipient, subject, body, html, expires_at)
                values (due.user_id, 'digest', due.email, 'Your digest: ' || period,
                    rest.digest_text(ids, period) || coalesce(E'\n' || omission || E'\n', '') || format(
                        E'\n-- \nYou get this e-mail because you turned on digests. To turn them off: %s\n', stopping),
                    case when octet_length(page) <= max_page_bytes then page end, now() + interval '3 days');
            perform pg_notify('lectern_mails', '');
        end loop;
        perform set_config('request.jwt.claims', coalesce(claims, ''), true);
        return users;
    end
    $$;

revoke execute on function private.digest_end(text), private.queue_digests(text, integer) from public;
grant execute on function private.queue_digests(text, integer) to lectern_jobs;

set local role lectern_owner;
