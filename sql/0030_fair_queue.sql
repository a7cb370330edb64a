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
