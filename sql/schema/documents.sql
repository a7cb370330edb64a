-- Documents: when their files are deleted. They are stored by sql/schema/imports.sql.

create or replace view public.documents with (security_invoker = true) as
    select user_id, hash, name, type, bytes, created_at from private.documents;
comment on view public.documents is
    'Files that are links themselves. The raw_url of the link is urn:sha256: and the hash; GET /documents/<link id> is '
    'the file.';
comment on column public.documents.hash is 'SHA-256 of the content, in hexadecimal.';
grant select on public.documents to authenticated, service_role;

-- The document of one of the caller's links. Runs as the owner because callers do not reach the schema.
create or replace function rest.document_of(link uuid) returns table (address text, name text, type text, hash text)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select d.address, d.name, d.type, d.hash
        from public.links l join private.documents d on d.user_id = l.user_id and l.raw_url = 'urn:sha256:' || d.hash
        where l.id = link and l.user_id = (select auth.uid())
    $$;
grant execute on function rest.document_of(uuid) to authenticated, job_worker;

-- Records the document of a link, a trashed link or a merged link that is deleted or gets another address.
create or replace function private.record_unused_document() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.unused_documents (user_id, hash)
            select users.id, substr(old.raw_url, length('urn:sha256:') + 1) from auth.users where users.id = old.user_id
            on conflict do nothing;
        perform pg_notify('lectern_imports', '');
        return null;
    end
    $$;

create or replace trigger record_unused_document after delete on public.links
    for each row when (old.raw_url ^@ 'urn:sha256:') execute function private.record_unused_document();

create or replace trigger record_former_document after update on public.links
    for each row when (old.raw_url ^@ 'urn:sha256:' and new.raw_url <> old.raw_url)
    execute function private.record_unused_document();

create or replace trigger record_unused_document after delete on public.trash
    for each row when (old.raw_url ^@ 'urn:sha256:') execute function private.record_unused_document();

create or replace trigger record_unused_document after delete on public.link_merges
    for each row when (old.raw_url ^@ 'urn:sha256:') execute function private.record_unused_document();

-- Records the file of a deleted document for removal, also when its user was deleted.
create or replace function private.remove_document() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.document_removals (address) values (old.address) on conflict do nothing;
        perform pg_notify('lectern_imports', '');
        return null;
    end
    $$;

create or replace trigger remove_document after delete on private.documents
    for each row execute function private.remove_document();

-- Those of the given files that belong to no document and to no import that is being read. The id of its import ends the
-- name of a file.
create or replace function private.unknown_documents(addresses text[]) returns setof text
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select known from unnest(addresses) as known
        where not exists (select from private.documents where address = known) and not private.backup_is_running()
            and not exists (
                select from private.imports
                where id::text = right(known, 36)
                    -- One that has failed after its entries were staged can be tried again.
                    and (state in ('pending', 'running') or state = 'failed' and staged_at is not null))
    $$;
grant execute on function private.unknown_documents(text[]) to lectern_jobs;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Deletes the recorded documents that no link refers to any more, also none in the trash and none of a merge that can be
-- undone. Returns the number of recorded ones, at most `max_rows`. The locks keep an import from finding a document that
-- is being deleted.
create or replace function private.delete_unused_documents(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        recorded private.unused_documents[];
    begin
        recorded := array(select u from private.unused_documents u limit max_rows);
        if cardinality(recorded) = 0 then
            return 0;
        end if;
        perform rest.lock_writes(array(select distinct user_id from unnest(recorded)));
        delete from private.unused_documents u using unnest(recorded) as r (user_id, hash)
            where u.user_id = r.user_id and u.hash = r.hash;
        delete from private.documents d using unnest(recorded) as r (user_id, hash)
            where d.user_id = r.user_id and d.hash = r.hash
                and not exists (
                    select from public.links
                    where links.user_id = d.user_id and links.raw_url = 'urn:sha256:' || d.hash)
                and not exists (
                    select from public.trash where trash.user_id = d.user_id and trash.raw_url = 'urn:sha256:' || d.hash)
                and not exists (
                    select from public.link_merges m
                    where m.user_id = d.user_id and m.raw_url = 'urn:sha256:' || d.hash and m.undone_at is null);
        return cardinality(recorded);
    end
    $$;

revoke execute on function private.delete_unused_documents(integer) from public;
grant execute on function private.delete_unused_documents(integer) to lectern_jobs;

set local role lectern_owner;
