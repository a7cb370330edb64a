-- Rules, which change links when they become ready; see sql/schema/rules.sql.

create table public.rules (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    position double precision not null default 0,
    name text not null check (length(name) between 1 and 200),
    query text not null check (length(query) <= 1000),
    change jsonb not null,
    enabled boolean not null default true,
    applied_count bigint not null default 0,
    last_applied_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text,
    unique (id, user_id)
);
create index rules_user_id on public.rules (user_id, position, id);
alter table public.rules enable row level security, force row level security;

-- The parsed query of each rule.
create table private.rule_trees (
    rule_id uuid primary key,
    user_id uuid not null,
    tree jsonb not null,
    foreign key (rule_id, user_id) references public.rules (id, user_id) on update cascade on delete cascade
);
create index rule_trees_user_id on private.rule_trees (user_id);
alter table private.rule_trees enable row level security, force row level security;

-- Links that have met the rules. A link meets them once, also if it becomes ready again.
create table private.ruled_links (
    link_id uuid primary key,
    user_id uuid not null,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index ruled_links_user_id on private.ruled_links (user_id);
alter table private.ruled_links enable row level security, force row level security;

grant select, insert, update, delete on public.rules to authenticated, service_role;
grant select on public.rules to anon, job_worker;
grant select on private.rule_trees to lectern_search;

-- Links that are ready when rules are introduced do not meet them.
insert into private.ruled_links (link_id, user_id) select id, user_id from public.links where state = 'ready';
