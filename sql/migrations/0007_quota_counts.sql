-- What a user uses of each quota, as counted last; see sql/schema/quotas.sql. Unlogged: after a crash it is counted
-- again.
create unlogged table private.quota_counts (
    user_id uuid not null references auth.users on delete cascade,
    quota text not null check (quota in ('links', 'bytes', 'fetches')),
    used bigint not null,
    counted_at timestamptz not null,
    -- How long the counting took.
    effort interval not null,
    primary key (user_id, quota)
);
alter table private.quota_counts enable row level security, force row level security;
