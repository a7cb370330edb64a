-- Entries of imported files wait in a table until they are saved; see sql/schema/import_entries.sql.

create table private.import_entries (
    import_id uuid not null references private.imports on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    -- The order in the file.
    place integer not null,
    -- The number of the entry in the file; null for an addition to the link of another entry.
    row integer,
    url text,
    entry jsonb not null,
    primary key (import_id, place)
);
create index import_entries_user_id on private.import_entries (user_id);
create index import_entries_additions on private.import_entries (import_id, md5(url)) where row is null;
alter table private.import_entries enable row level security, force row level security;

alter table private.imports
    -- When all entries were staged: the file is not needed any more.
    add column staged_at timestamptz,
    add column staged_rows integer not null default 0;
grant select (staged_at, staged_rows) on private.imports to authenticated, service_role;

-- The links of an imported file are a batch of their own, so that an import can be cancelled alone.
alter table private.batches add column import_id uuid;

alter table private.pages
    -- The page is an article that came with an imported file: it is read as a whole, and nothing is fetched for it.
    add column is_article boolean not null default false,
    add column type text not null default 'text/html' check (type in ('text/html', 'text/markdown'));
