-- Imported files, and documents: files that are entries of the list themselves; see sql/schema/imports.sql and
-- sql/schema/documents.sql.

create table private.imports (
    id uuid primary key,
    user_id uuid not null references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 255),
    -- As the client named it; later as the file was recognised.
    format text,
    bytes bigint not null,
    -- pending → running → read. The file is kept until it is read or cancelled, and for a week after a failure.
    state text not null default 'pending' check (state in ('pending', 'running', 'read', 'failed', 'cancelled')),
    imported integer not null default 0,
    duplicate integer not null default 0,
    rejected integer not null default 0,
    -- Why it failed, as told to the user.
    reason text,
    -- The link of a document; it may have been deleted since.
    link_id uuid,
    -- The jobs of the links.
    batch_id bigint references private.batches on delete set null,
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    attempts integer not null default 0,
    created_at timestamptz not null default now(),
    -- When it was read, failed or was cancelled.
    finished_at timestamptz
);
create index imports_user_id on private.imports (user_id, created_at desc);
create index imports_batch_id on private.imports (batch_id) where batch_id is not null;
create index imports_next on private.imports (run_at) where state = 'pending';
create index imports_leased on private.imports (leased_until) where state = 'running';
alter table private.imports enable row level security, force row level security;
grant select, update on private.imports to lectern_jobs;
grant select on private.imports to lectern_admin;
grant select (id, user_id, name, format, bytes, state, imported, duplicate, rejected, reason, link_id, batch_id,
    created_at, finished_at) on private.imports to authenticated, service_role;

create table private.import_rejects (
    import_id uuid not null references private.imports on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    row integer not null,
    url text,
    reason text not null,
    primary key (import_id, row)
);
create index import_rejects_user_id on private.import_rejects (user_id);
alter table private.import_rejects enable row level security, force row level security;
grant select on private.import_rejects to lectern_admin, authenticated, service_role;

create table private.documents (
    user_id uuid not null references auth.users on delete cascade,
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    name text not null check (length(name) between 1 and 255),
    type text not null
        check (type in ('application/pdf', 'application/epub+zip', 'text/html', 'text/markdown', 'text/plain')),
    bytes bigint not null,
    -- The file below the folder of documents. Each upload has its own, so that a removal never meets a newer file.
    address text not null unique,
    created_at timestamptz not null default now(),
    primary key (user_id, hash)
);
alter table private.documents enable row level security, force row level security;
grant select on private.documents to authenticated, service_role, lectern_admin;

-- Documents that one link fewer refers to.
create table private.unused_documents (
    user_id uuid not null references auth.users on delete cascade,
    hash text not null,
    primary key (user_id, hash)
);

-- Files of deleted documents.
create table private.document_removals (address text primary key);
grant select, delete on private.document_removals to lectern_jobs;
