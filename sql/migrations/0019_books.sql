-- The book of each article; see sql/schema/books.sql.

create table private.link_books (
    link_id uuid primary key,
    user_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'running', 'done', 'failed')),
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    attempts integer not null default 0,
    -- Why the last attempt failed.
    message text,
    -- The names of the files: the SHA-256 of their bytes. An older file stays until the new one is made.
    hash text check (hash ~ '^[0-9a-f]{64}$'),
    -- The book with highlights and notes; null without any.
    marked_hash text check (marked_hash ~ '^[0-9a-f]{64}$'),
    bytes bigint,
    made_at timestamptz,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index link_books_next on private.link_books (user_id, run_at) where state = 'pending';
create index link_books_due on private.link_books (run_at) where state = 'pending';
create index link_books_leased on private.link_books (leased_until) where state = 'running';
create index link_books_user_id on private.link_books (user_id);
create index link_books_hash on private.link_books (hash);
create index link_books_marked_hash on private.link_books (marked_hash);
grant select, update on private.link_books to lectern_jobs;
grant select on private.link_books to lectern_admin;

-- The articles that exist get their books.
insert into private.link_books (link_id, user_id) select link_id, user_id from public.articles;
