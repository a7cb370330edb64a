-- Imported files: from the upload, which a worker has written to disk, to the links. `Sources/Import` reads the files.

create or replace view public.imports with (security_invoker = true) as
    select i.id, i.user_id, i.name, i.format,
        case
            when i.state = 'pending' and i.is_held and i.summary is not null then 'held'
            when i.state in ('pending', 'running') then 'reading'
            when i.state <> 'read' then i.state
            when waits.has_jobs then 'waiting'
            else 'done'
        end as state,
        i.imported + i.duplicate + i.rejected as rows, i.imported, i.duplicate, i.rejected, i.reason, i.bytes, i.link_id,
        i.batch_id, i.created_at, case when i.state <> 'read' or not waits.has_jobs then i.finished_at end as finished_at,
        greatest(i.staged_rows, i.imported + i.duplicate + i.rejected) as entries, i.summary
    from private.imports i, lateral (
        select exists (
                select from private.jobs where jobs.link_id = i.link_id and kind = 'save' and jobs.state <> 'buried')
            or exists (select from private.jobs where jobs.batch_id = i.batch_id and jobs.state <> 'buried')
            as has_jobs
    ) as waits;
comment on view public.imports is
    'Files sent to /import/v1/files. state: reading, waiting (for the pages of the links; the counts are final), done, '
    'failed or cancelled; held where the upload asked for it: nothing is saved before rpc/start_import. '
    'rows = imported + duplicate + rejected.';
comment on column public.imports.link_id is 'The link of a document.';
comment on column public.imports.summary is
    'What the file holds: the oldest and newest date, and the numbers of tags, collections, articles and entries that '
    'cannot be imported.';
comment on column public.imports.entries is
    'Entries that were found in the file so far; rows are those of them that were handled.';
grant select on public.imports to authenticated, service_role;

create or replace view public.import_rejects with (security_invoker = true) as
    select import_id, user_id, row, url, reason from private.import_rejects;
comment on view public.import_rejects is 'Entries of imported files that became no links.';
comment on column public.import_rejects.row is
    'The number of the entry in the file, from 1. Header lines, folders and blank lines are not counted.';
grant select on public.import_rejects to authenticated, service_role;

-- Records an upload whose file is on disk, for the caller. Runs as the owner because nobody may write to the table.
create or replace function rest.begin_import(
    id uuid, name text, format text, bytes bigint, is_held boolean default false
) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_waiting constant integer := 50;
        kept constant interval := '90 days';
        me constant uuid := auth.uid();
    begin
        if me is null then
            raise exception 'Only a signed-in user can import files.' using errcode = '42501';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('imports of ' || me, 0));
        if (select count(*) from private.imports i where i.user_id = me and i.state in ('pending', 'running'))
            >= max_waiting
        then
            raise exception 'You already have % files that are waiting to be read', max_waiting
                using errcode = 'LT429', hint = 'Try again when some of them are read, or cancel them.';
        end if;
        insert into private.imports (id, user_id, name, format, bytes, is_held)
            values (begin_import.id, me, begin_import.name, begin_import.format, begin_import.bytes, begin_import.is_held);
        perform private.require_storage(me, begin_import.bytes);
        delete from private.imports i where i.user_id = me and i.finished_at < now() - kept;
        perform pg_notify('lectern_imports', '');
    end
    $$;
grant execute on function rest.begin_import(uuid, text, text, bigint, boolean) to authenticated;

-- Begins a held import of the caller.
create or replace function public.start_import(import uuid) returns setof public.imports
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := auth.uid();
    begin
        update private.imports i set is_held = false, run_at = now(), attempts = 0
            where i.id = start_import.import and i.user_id = me and i.state = 'pending' and i.is_held
                and i.summary is not null;
        perform pg_notify('lectern_imports', '');
        return query select * from public.imports i where i.id = start_import.import and i.user_id = me;
    end
    $$;
comment on function public.start_import(uuid) is
    'Begins an import that was held to show what its file holds. One that is not begun within a day is cancelled.';
grant execute on function public.start_import(uuid) to authenticated;

-- Cancels an import of the caller: a file that is not read yet is not read, and pages that are not fetched yet are not
-- fetched. What was imported stays.
create or replace function public.cancel_import(import uuid) returns setof public.imports
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := auth.uid();
        jobs_left bigint[];
        known private.imports;
    begin
        perform rest.lock_writes(array[me]);
        select * into known from private.imports i where i.id = cancel_import.import and i.user_id = me for update;
        if not found then
            return;
        end if;
        if known.state = 'read' then
            jobs_left := array(
                select j.id from private.jobs j
                where (j.link_id = known.link_id or j.batch_id = known.batch_id) and j.user_id = me
                    and j.kind = 'save' and j.state <> 'buried'
                limit 10000);
            if private.cancel_jobs(jobs_left) > 0 then
                update private.imports i set state = 'cancelled', finished_at = now() where i.id = known.id;
            end if;
        elsif known.state <> 'cancelled' then
            perform private.cancel_jobs(array(
                select j.id from private.jobs j
                where j.batch_id = known.batch_id and j.user_id = me and j.kind = 'save' and j.state <> 'buried'
                limit 10000));
            update private.imports i
                set state = 'cancelled', lease = lease + 1, leased_until = null, finished_at = now()
                where i.id = known.id;
        end if;
        -- The jobs process deletes the file and entries, and cancels what one statement cannot.
        perform pg_notify('lectern_imports', '');
        return query select * from public.imports i where i.id = known.id;
    end
    $$;
comment on function public.cancel_import(uuid) is
    'Cancels an import: what is not read or fetched yet is not read or fetched. What was imported stays.';

-- Reads a file again whose import has failed.
create or replace function public.retry_import(import uuid) returns setof public.imports
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := auth.uid();
    begin
        update private.imports i
            set state = 'pending', run_at = now(), attempts = 0, reason = null, finished_at = null
            where i.id = retry_import.import and i.user_id = me and i.state = 'failed';
        perform pg_notify('lectern_imports', '');
        return query select * from public.imports i where i.id = retry_import.import and i.user_id = me;
    end
    $$;
comment on function public.retry_import(uuid) is
    'Reads the file of a failed import again; it is kept for a week.';
grant execute on function public.cancel_import(uuid), public.retry_import(uuid) to authenticated;

-- Those of the given ids whose files are not needed: imports that were read, staged or cancelled, or that failed more than a week
-- ago, and unknown ones, which may have no row yet.
create or replace function private.unneeded_imports(ids uuid[]) returns table (id uuid, is_known boolean)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select given, i.id is not null
        from unnest(ids) as given left join private.imports i on i.id = given
        where i.id is null or i.state in ('read', 'cancelled') or i.staged_at is not null
            or i.state = 'failed' and i.finished_at < now() - interval '7 days'
    $$;
grant execute on function private.unneeded_imports(uuid[]) to lectern_jobs;

-- Functions owned by the admin, who sees all rows. Only the jobs process may call them.
set local role lectern_admin;

-- Ends an import whose file is a document: stores the document and its link. The link counts as a duplicate where the
-- user has it. Returns 'stored'; 'duplicate' where the user has the document, so that the new file is not needed; or
-- 'rejected', when the quota of links is used up. Null: the lease was lost.
create or replace function private.store_document(
    import uuid, held integer, hash text, type text, address text, link_quota bigint
) returns text
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        urn constant text := 'urn:sha256:' || hash;
        known private.imports;
        link uuid;
        is_new boolean;
        is_stored boolean;
    begin
        perform rest.lock_writes(array(select user_id from private.imports where id = import));
        select * into known from private.imports where id = import and lease = held and state = 'running' for update;
        if not found then
            return null;
        end if;
        link := rest.link_of_url(known.user_id, urn);
        is_new := link is null;
        if is_new and link_quota > 0
            and private.used_of_quota(known.user_id, 'links', link_quota, 0) >= link_quota
        then
            perform private.reject_document(
                import, held, format('This server allows %s links per user. Delete some links first.', link_quota));
            return 'rejected';
        end if;
        insert into private.documents as d (user_id, hash, name, type, bytes, address)
            values (known.user_id, store_document.hash, known.name, store_document.type, known.bytes,
                store_document.address)
            on conflict (user_id, hash) do nothing;
        is_stored := found;
        if is_new then
            -- The name stands where other links have their site.
            insert into public.links (user_id, raw_url, site_name, is_starred)
                values (known.user_id, urn, known.name, false)
                returning id into link;
        elsif is_stored then
            -- The address was saved by hand.
            update public.links set state = 'pending', reason = null, reason_message = null
                where id = link and state = 'failed';
        end if;
        update private.imports
            set state = 'read', leased_until = null, finished_at = now(), link_id = link, format = 'document',
                imported = is_new::integer, duplicate = (not is_new)::integer
            where id = import;
        return case when is_stored then 'stored' else 'duplicate' end;
    end
    $$;

-- Ends an import whose file is a document that cannot be read. Returns whether the lease was held.
create or replace function private.reject_document(import uuid, held integer, why text) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.imports
            set state = 'read', leased_until = null, finished_at = now(), format = 'document', rejected = 1
            where id = import and lease = held and state = 'running';
        if not found then
            return false;
        end if;
        insert into private.import_rejects (import_id, user_id, row, url, reason)
            select id, user_id, 1, null, why from private.imports where id = import;
        return true;
    end
    $$;

revoke execute on function private.store_document(uuid, integer, text, text, text, bigint),
    private.reject_document(uuid, integer, text)
    from public;
grant execute on function private.store_document(uuid, integer, text, text, text, bigint),
    private.reject_document(uuid, integer, text)
    to lectern_jobs;

set local role lectern_owner;
