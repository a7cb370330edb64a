-- Webhooks: what happens to a user's links is sent to addresses of the user's choice. Triggers write into the outbox,
-- private.webhook_deliveries, in the transaction of the change; the jobs process sends.

create or replace view public.webhooks with (security_invoker = true) as
    select id, user_id, url, events, created_at from private.webhooks;
comment on view public.webhooks is
    'Addresses that are told what happens to the user''s links. rpc/add_webhook adds one; delete a row to end it.';
comment on column public.webhooks.events is 'Which events are sent: saved, ready, archived, starred, highlighted.';
grant select, delete on public.webhooks to authenticated;
grant select on public.webhooks to service_role;

create or replace view public.webhook_deliveries with (security_invoker = true) as
    select id, user_id, webhook_id, event, state, attempts, status, reason, run_at, created_at, sent_at
    from private.webhook_deliveries;
comment on view public.webhook_deliveries is
    'What was sent to webhooks, is to be sent, or was given up with its reason. Rows stay for a week.';
grant select on public.webhook_deliveries to authenticated, service_role;

-- Adds a webhook of the caller and tells its secret, which is told nowhere else. Runs as the owner because clients may
-- not write webhooks.
create or replace function public.add_webhook(url text, events text[]) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_webhooks constant integer := 10;
        added private.webhooks;
    begin
        perform rest.lock_writes(array[(select auth.uid())]);
        if (select count(*) from private.webhooks w where w.user_id = (select auth.uid())) >= max_webhooks then
            raise exception 'There are % webhooks, which is the maximum.', max_webhooks using errcode = 'LT400';
        end if;
        insert into private.webhooks (user_id, url, events)
            values ((select auth.uid()), add_webhook.url, array(select distinct unnest(add_webhook.events)))
            returning * into added;
        return jsonb_build_object('id', added.id, 'secret', added.secret);
    end
    $$;
comment on function public.add_webhook(text, text[]) is
    'Adds an address that is told what happens to your links: {"id", "secret"}. At most 10. The secret signs what is '
    'sent, and is told only here.';
revoke execute on function public.add_webhook(text, text[]) from public;
grant execute on function public.add_webhook(text, text[]) to authenticated;

-- Writes an event into the outbox, once for each webhook that wants it. For each webhook at most a thousand events wait;
-- further ones are left out. Runs as the owner because nobody may write deliveries.
create or replace function private.queue_webhooks(owner uuid, name text, body jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_waiting constant integer := 1000;
    begin
        insert into private.webhook_deliveries (user_id, webhook_id, event, body)
            select owner, w.id, name, jsonb_build_object(
                'event', name, 'at', rest.exported_time(clock_timestamp())) || body
            from private.webhooks w
            where w.user_id = owner and name = any (w.events)
                and (select count(*) from (
                    select from private.webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting'
                    limit max_waiting) as waiting) < max_waiting;
    end
    $$;

create or replace function private.webhook_link(link public.links) returns jsonb
    language sql stable
    as $$
        select jsonb_build_object('link', jsonb_build_object(
            'id', link.id, 'url', coalesce(link.resolved_url, link.raw_url),
            'title', rest.display_text(link.title, link.title_is_text), 'list', link.list, 'status', link.status,
            'is_starred', link.is_starred, 'state', link.state,
            'created_at', rest.exported_time(link.created_at)))
    $$;

create or replace function private.tell_webhooks_of_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- Most users have none.
        if not exists (select from private.webhooks w where w.user_id = new.user_id) then
            return null;
        end if;
        if new.list = 'archive' and old.list <> 'archive' then
            perform private.queue_webhooks(new.user_id, 'archived', private.webhook_link(new));
        end if;
        if new.is_starred and not old.is_starred then
            perform private.queue_webhooks(new.user_id, 'starred', private.webhook_link(new));
        end if;
        if new.state = 'ready' and old.state = 'pending' then
            perform private.queue_webhooks(new.user_id, 'ready', private.webhook_link(new));
        end if;
        return null;
    end
    $$;

create or replace function private.tell_webhooks_of_saves() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        link public.links;
    begin
        -- One by one, because each counts the deliveries that wait.
        for link in
            select links.* from saved as links where exists (select from private.webhooks w where w.user_id = links.user_id)
        loop
            perform private.queue_webhooks(link.user_id, 'saved', private.webhook_link(link));
        end loop;
        return null;
    end
    $$;

create or replace trigger tell_webhooks after insert on public.links
    referencing new table as saved
    for each statement execute function private.tell_webhooks_of_saves();
create or replace trigger tell_webhooks_again after update on public.links
    for each row
    when (new.list = 'archive' and old.list <> 'archive' or new.is_starred and not old.is_starred
        or new.state = 'ready' and old.state = 'pending')
    execute function private.tell_webhooks_of_link();

create or replace function private.tell_webhooks_of_highlight() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if exists (select from private.webhooks w where w.user_id = new.user_id) then
            perform private.queue_webhooks(new.user_id, 'highlighted', private.webhook_link(l)
                || jsonb_build_object('highlight', jsonb_build_object(
                    'id', new.id, 'quote', new.quote, 'note', new.note, 'color', new.color)))
                from public.links l where l.id = new.link_id;
        end if;
        return null;
    end
    $$;

create or replace trigger tell_webhooks after insert on public.highlights
    for each row execute function private.tell_webhooks_of_highlight();

revoke execute on function private.queue_webhooks(uuid, text, jsonb) from public;

-- What the jobs process reads and writes. Owned by the admin, who sees all rows.
set local role lectern_admin;

-- Leases due deliveries, of each webhook the oldest one that waits, or the one that was begun before. Users take turns,
-- each with at most `max_per_user`, of which `under_way` names the user of each that was begun. Each lease counts as an
-- attempt.
create or replace function private.take_webhook_deliveries(
    max_rows integer, max_per_user integer, under_way uuid[], lease_seconds integer
)
    returns table (id uuid, user_id uuid, url text, secret text, event text, body text, attempts integer)
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    begin
        return query
            with recursive hooks as (
                -- From webhook to webhook in the index, past all that wait for the same one.
                (select webhook_id from private.webhook_deliveries where state = 'waiting' order by webhook_id limit 1)
                union all
                select (
                    select d.webhook_id from private.webhook_deliveries d
                    where d.state = 'waiting' and d.webhook_id > hooks.webhook_id order by d.webhook_id limit 1)
                from hooks where hooks.webhook_id is not null
            ), next as (
                select d.id, d.run_at,
                    row_number() over (partition by d.user_id order by d.run_at, d.id)
                        + (select count(*) from unnest(under_way) as owner where owner = d.user_id) as turn
                from hooks cross join lateral (
                    select id, user_id, run_at from private.webhook_deliveries
                    where webhook_id = hooks.webhook_id and state = 'waiting'
                    order by (attempts = 0), created_at, id
                    limit 1) as d
                where d.run_at <= now()
            ), due as (
                select id from next where turn <= max_per_user order by turn, run_at, id limit max_rows
            ), leased as (
                update private.webhook_deliveries d
                    set attempts = d.attempts + 1, run_at = now() + make_interval(secs => lease_seconds)
                from due where d.id = due.id and d.state = 'waiting' and d.run_at <= now()
                returning d.id, d.webhook_id, d.event, d.body, d.attempts
            )
            select leased.id, w.user_id, w.url, w.secret, leased.event, leased.body, leased.attempts
            from leased join private.webhooks w on w.id = leased.webhook_id;
    end
    $$;

-- Ends an attempt: sent, given up, or to be tried again after some seconds.
create or replace function private.end_webhook_delivery(
    delivery uuid, attempt integer, ending text, answer integer, why text, again_after integer
) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update private.webhook_deliveries d
            set state = ending, status = answer, reason = why,
                sent_at = case when ending = 'sent' then now() end,
                body = case when ending = 'waiting' then d.body end,
                run_at = case when ending = 'waiting' then now() + make_interval(secs => again_after) else d.run_at end
            where d.id = delivery and d.attempts = attempt and d.state = 'waiting'
    $$;

-- Deletes deliveries that ended more than a week ago. Returns their number.
create or replace function private.delete_old_webhook_deliveries(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        deleted bigint := 0;
    begin
        delete from private.webhook_deliveries where id = any (array(
            select d.id from private.webhook_deliveries d
            where d.state <> 'waiting' and d.created_at < now() - interval '7 days' limit max_rows));
        get diagnostics deleted = row_count;
        return deleted;
    end
    $$;

revoke execute on function private.take_webhook_deliveries(integer, integer, uuid[], integer),
    private.end_webhook_delivery(uuid, integer, text, integer, text, integer),
    private.delete_old_webhook_deliveries(integer) from public;
grant execute on function private.take_webhook_deliveries(integer, integer, uuid[], integer),
    private.end_webhook_delivery(uuid, integer, text, integer, text, integer),
    private.delete_old_webhook_deliveries(integer) to lectern_jobs;

set local role lectern_owner;
