-- Changes of everything that a query finds, and what is needed to undo them for a day; see sql/schema/link_changes.sql.

create table private.link_changes (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    made_at timestamptz not null default now(),
    unique (id, user_id)
);
create index link_changes_user_id on private.link_changes (user_id);
create index link_changes_made_at on private.link_changes (made_at);
alter table private.link_changes enable row level security, force row level security;

-- What a change has done, step by step. No foreign key to the link: the change may have deleted it.
create table private.link_change_steps (
    id bigint generated always as identity primary key,
    change_id uuid not null,
    user_id uuid not null,
    table_name text not null check (table_name in ('links', 'tags', 'link_tags', 'collection_links', 'trash')),
    -- Null for a tag that was created.
    link_id uuid,
    -- The row before and after the change: the changed columns of a link, a whole row of the other tables. Null before
    -- a row that was added and after one that was removed.
    before jsonb,
    after jsonb,
    foreign key (change_id, user_id) references private.link_changes (id, user_id) on delete cascade
);
create index link_change_steps_change_id on private.link_change_steps (change_id);
create index link_change_steps_user_id on private.link_change_steps (user_id);
alter table private.link_change_steps enable row level security, force row level security;
