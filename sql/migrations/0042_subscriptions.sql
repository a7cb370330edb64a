-- Subscriptions to feeds, whose entries are saved as links; see sql/schema/subscriptions.sql.

create table private.feeds (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    url text not null check (length(url) between 8 and 2048 and url ~* '^https?://[^\s/]+\S*$'),
    title text check (length(title) <= 1000),
    site_url text check (length(site_url) <= 2048 and site_url ~* '^https?://'),
    -- What new links get.
    list text not null default 'read' check (list in ('read', 'archive')),
    tags text[] not null default '{}' check (cardinality(tags) <= 20),
    collection_id uuid,
    -- Which entries are saved.
    keep_words text[] not null default '{}' check (cardinality(keep_words) <= 50),
    skip_words text[] not null default '{}' check (cardinality(skip_words) <= 50),
    first_entries integer not null default 10 check (first_entries between 0 and 100),
    is_paused boolean not null default false,
    -- The last fetch.
    state text not null default 'new' check (state in ('new', 'ok', 'failed')),
    reason text,
    failures integer not null default 0,
    last_fetched_at timestamptz,
    last_success_at timestamptz,
    next_fetch_at timestamptz not null default now(),
    saved_count bigint not null default 0,
    -- The validators of the last document, and its URL.
    copy_url text,
    etag text,
    last_modified text,
    -- Counts the fetches, so that one that was given up stores nothing.
    fetches integer not null default 0,
    created_at timestamptz not null default now(),
    unique (id, user_id),
    unique (user_id, url),
    foreign key (collection_id, user_id) references public.collections (id, user_id)
        on update cascade on delete set null (collection_id)
);
create index feeds_due on private.feeds (next_fetch_at) where not is_paused;
create index feeds_collection_id on private.feeds (collection_id) where collection_id is not null;
alter table private.feeds enable row level security, force row level security;
grant select, delete on private.feeds to authenticated;
grant insert (id, user_id, url, title, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused),
    update (url, title, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused)
    on private.feeds to authenticated;
grant select on private.feeds to service_role, lectern_admin;

-- Entries that were seen in a feed, by a hash of their ids, and the links they became.
create table private.feed_entries (
    feed_id uuid not null,
    hash uuid not null,
    user_id uuid not null,
    -- No foreign key: a link that is restored from the trash has the same id.
    link_id uuid,
    seen_at timestamptz not null default now(),
    primary key (feed_id, hash),
    foreign key (feed_id, user_id) references private.feeds (id, user_id) on update cascade on delete cascade
);
create index feed_entries_link_id on private.feed_entries (user_id, link_id) where link_id is not null;
alter table private.feed_entries enable row level security, force row level security;
grant select on private.feed_entries to lectern_admin;
