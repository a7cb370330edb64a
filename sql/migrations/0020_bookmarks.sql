-- Bookmarks: places in the text of an article that have a name.

create table public.bookmarks (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    link_id uuid not null,
    name text not null check (length(name) between 1 and 200),
    quote text not null check (length(quote) between 1 and 1000),
    start_offset integer check (start_offset >= 0),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index bookmarks_link_id on public.bookmarks (link_id, start_offset);
create index bookmarks_list on public.bookmarks (user_id, updated_at desc, id desc);
alter table public.bookmarks enable row level security, force row level security;
grant select, insert, update, delete on public.bookmarks to authenticated, service_role;
grant select on public.bookmarks to anon, job_worker;
comment on table public.bookmarks is 'Places in the texts of articles, with names.';
comment on column public.bookmarks.quote is
    'The text that begins at the place, by which a client finds it in another version of the article.';
comment on column public.bookmarks.start_offset is
    'The place in the article''s text_content when the bookmark was made, in UTF-16 units.';
