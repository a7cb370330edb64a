-- Books of several articles; see sql/schema/made_books.sql.

create table private.made_books (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    title text not null check (length(title) between 1 and 500),
    -- What found the articles, and they in their order when the user asked for the book.
    query text not null,
    link_ids uuid[] not null check (cardinality(link_ids) between 1 and 500),
    state text not null default 'pending' check (state in ('pending', 'running', 'done', 'failed')),
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    attempts integer not null default 0,
    -- Why the last attempt failed, and what the user is told of it.
    message text,
    reason text,
    -- The names of the files: the SHA-256 of their bytes.
    hash text check (hash ~ '^[0-9a-f]{64}$'),
    -- The book with highlights and notes; null without any.
    marked_hash text check (marked_hash ~ '^[0-9a-f]{64}$'),
    -- The articles in the book: those of them that still existed.
    articles integer,
    bytes bigint,
    made_at timestamptz,
    created_at timestamptz not null default now()
);
create index made_books_list on private.made_books (user_id, created_at desc, id desc);
create index made_books_due on private.made_books (run_at) where state = 'pending';
create index made_books_leased on private.made_books (leased_until) where state = 'running';
create index made_books_hash on private.made_books (hash);
create index made_books_marked_hash on private.made_books (marked_hash);
alter table private.made_books enable row level security, force row level security;
grant select (id, user_id, title, query, link_ids, state, reason, articles, bytes, made_at, created_at), delete
    on private.made_books to authenticated;
grant select, update on private.made_books to lectern_jobs;
grant select on private.made_books to lectern_admin;

-- How often users have done today what is limited by the day.
create table private.daily_counts (
    user_id uuid not null references auth.users on delete cascade,
    name text not null,
    day date not null,
    n integer not null,
    primary key (user_id, name)
);
alter table private.daily_counts enable row level security, force row level security;
