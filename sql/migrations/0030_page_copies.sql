-- Copies of pages as the browser showed them; see sql/schema/page_copies.sql.

create table private.page_copies (
    link_id uuid primary key,
    user_id uuid not null,
    -- One file that holds its styles and pictures.
    html text compression lz4 not null check (octet_length(html) <= 10485760),
    bytes integer not null generated always as (octet_length(html)) stored,
    taken_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index page_copies_user_id on private.page_copies (user_id);
alter table private.page_copies enable row level security, force row level security;
grant select on private.page_copies to lectern_admin;
