-- Articles that everyone with a link may read; see sql/schema/shares.sql.

create table private.shares (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    link_id uuid not null unique,
    -- 244 random bits, which nobody guesses.
    token text not null unique default translate(encode(decode(
        replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), 'base64'), '+/=', '-_'),
    created_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index shares_user_id on private.shares (user_id, created_at desc);
alter table private.shares enable row level security, force row level security;
grant select on private.shares to authenticated, service_role, lectern_admin;
