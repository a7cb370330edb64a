-- Imports that wait for their users: the file is read, and nothing is saved before the user has seen what it holds.

alter table private.imports
    add column is_held boolean not null default false,
    -- What the file holds: "oldest" and "newest" in seconds since 1970, and the numbers of "tags", "collections", "refused"
    -- entries and "articles".
    add column summary jsonb;
grant select (is_held, summary) on private.imports to authenticated, service_role;

drop function if exists rest.begin_import(uuid, text, text, bigint);
