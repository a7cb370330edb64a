-- Whose turn it is in the queue. What somebody waits for comes before what was saved in bulk, and that before what nobody waits
-- for; and of users each has a turn, however much one of them has put in.

alter table private.jobs
    add column in_bulk boolean not null default false,
    add column priority smallint not null generated always as (case when kind <> 'save' then 2 when in_bulk then 1 else 0 end) stored;
comment on column private.jobs.in_bulk is 'One of many saves at once, or brought in from elsewhere: nobody waits for this very one.';
comment on column private.jobs.priority is '0: somebody waits for it; 1: one of many saves; 2: nobody waits for it.';

-- The order in which jobs are taken: of each user, and among users. Those that were interrupted come first, by jobs_leased.
drop index private.jobs_to_take;
drop index private.jobs_to_take_again;
create index jobs_to_take on private.jobs (priority, user_id, run_at, id) where state = 'pending';
create index jobs_running_of_user on private.jobs (user_id) where state = 'running';

-- So many links in one statement are an import, whatever it calls itself.
create function private.is_bulk(links bigint) returns boolean
    language sql stable
    as $$ select links > 20 or rest.is_import() $$;

-- As in 0004; and tells saves by hand from those in bulk.
create or replace function private.enqueue_saved_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        is_awake constant boolean := exists (
            select from private.jobs where state = 'pending' and run_at <= now());
        is_bulk constant boolean := private.is_bulk((select count(*) from saved));
    begin
        insert into private.jobs (kind, user_id, link_id, in_bulk)
            select 'save', saved.user_id, saved.id, is_bulk from saved where saved.state = 'pending'
            on conflict do nothing;
        if found and not is_awake then
            perform pg_notify('lectern_jobs', '');
        end if;
        return null;
    end
    $$;

-- As in 0007; and a try that its user asked for does not wait behind imports.
create or replace function private.enqueue_changed_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        claims constant text := current_setting('request.jwt.claims', true);
        is_bulk constant boolean := current_setting('role') <> 'authenticated' or rest.is_import();
    begin
        if new.raw_url <> old.raw_url then
            -- In the name of the link's owner, whoever changed it.
            perform set_config('request.jwt.claims', json_build_object('sub', new.user_id)::text, true);
            delete from public.articles where link_id = new.id;
            perform set_config('request.jwt.claims', coalesce(claims, ''), true);
            delete from private.jobs where link_id = new.id;
        else
            delete from private.jobs where link_id = new.id and state = 'buried';
        end if;
        insert into private.jobs (kind, user_id, link_id, in_bulk)
            values ('save', new.user_id, new.id, is_bulk)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0, interruptions = 0, reason = null, message = null,
                in_bulk = jobs.in_bulk and excluded.in_bulk;
        perform pg_notify('lectern_jobs', '');
        return null;
    end
    $$;
