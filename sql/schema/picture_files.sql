-- Files of pictures, for the jobs and the admin, across all users. These functions return addresses and hashes, and not
-- what the pictures show.

-- The address of a file with this hash, whoever owns it: files with equal contents share their bytes.
create or replace function private.picture_file(picture_hash text) returns text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return (select address from public.pictures where hash = picture_hash limit 1);
    end
    $$;

-- Addresses in ascending order.
create or replace function private.picture_addresses_after(last text, max_rows integer) returns setof text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return query select address from public.pictures where address > last order by address limit max_rows;
    end
    $$;

-- Those of the given addresses that belong to no picture.
create or replace function private.unknown_picture_addresses(addresses text[]) returns setof text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return query select known from unnest(addresses) as known
            where not exists (select from public.pictures where address = known) and not private.backup_is_running();
    end
    $$;

-- Queues pictures whose files are lost, wherever they are shown.
create or replace function private.fetch_lost_pictures(addresses text[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        lost record;
        again uuid[];
    begin
        perform rest.lock_writes(array(select user_id from public.pictures where address = any (addresses)));
        for lost in select user_id, hash from public.pictures where address = any (addresses) loop
            with shown as (
                update public.link_pictures set state = 'waiting', reason = null, message = null, hash = null
                where user_id = lost.user_id and hash = lost.hash
                returning id)
            select array_agg(id) into again from shown;
            delete from public.pictures where user_id = lost.user_id and hash = lost.hash;
            insert into private.picture_jobs (picture_id, user_id)
                select id, lost.user_id from unnest(again) as id
                on conflict (picture_id) do update
                    set state = 'pending', run_at = now(), attempts = 0, interruptions = 0, leased_until = null;
        end loop;
        perform pg_notify('lectern_pictures', '');
    end
    $$;

-- Records a picture that one place fewer shows. Runs as the owner, like the functions below, because nobody may write
-- to these tables.
create or replace function private.record_unused_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.unused_pictures (user_id, hash)
            select distinct gone.user_id, gone.hash
            from gone join auth.users on users.id = gone.user_id
            where gone.hash is not null
            -- Locks an existing record, so that it is not processed before this transaction ends.
            on conflict (user_id, hash) do update set hash = excluded.hash;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;

create or replace trigger record_unused_after_removal after delete on private.kept_pictures
    referencing old table as gone for each statement execute function private.record_unused_pictures();

create or replace trigger record_unused_after_change after update on public.link_pictures
    referencing old table as gone for each statement execute function private.record_unused_pictures();

create or replace trigger record_unused_after_delete after delete on public.link_pictures
    referencing old table as gone for each statement execute function private.record_unused_pictures();

-- Records the pictures that nothing shows, and those of deleted links that cannot come back. Returns their number.
create or replace function private.find_unused_pictures(is_dry_run boolean) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        unused bigint;
    begin
        if not is_dry_run then
            delete from private.kept_pictures p
                where not exists (select from public.trash where trash.link_id = p.link_id
                    and trash.user_id = p.user_id)
                    and not exists (
                        select from public.link_merges m
                        where m.merged_id = p.link_id and m.user_id = p.user_id and m.undone_at is null);
        end if;
        select count(*) into unused from public.pictures p
            where not exists (select from public.link_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                and not exists (select from private.kept_pictures l where l.user_id = p.user_id and l.hash = p.hash);
        if not is_dry_run and unused > 0 then
            insert into private.unused_pictures (user_id, hash)
                select p.user_id, p.hash from public.pictures p
                where not exists (select from public.link_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                    and not exists (select from private.kept_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                on conflict do nothing;
            perform pg_notify('lectern_pictures', '');
        end if;
        return unused;
    end
    $$;

-- Records the file of a deleted picture for removal, also when its user was deleted.
create or replace function private.remove_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.picture_removals (address) select address from gone on conflict do nothing;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;

create or replace trigger remove_pictures after delete on public.pictures
    referencing old table as gone for each statement execute function private.remove_pictures();

-- The pictures of each user and the bytes of their files. A picture of two users counts for both, although they share
-- the file.
create or replace view private.picture_storage with (security_invoker = true) as
    select users.id, users.email, count(pictures.hash) as pictures,
        coalesce(sum(pictures.bytes), 0)::bigint as picture_bytes
    from auth.users left join public.pictures on pictures.user_id = users.id
    group by users.id, users.email;
grant select on private.picture_storage to lectern_admin;

grant execute on function private.picture_file(text), private.picture_addresses_after(text, integer),
    private.unknown_picture_addresses(text[]), private.fetch_lost_pictures(text[]),
    private.find_unused_pictures(boolean)
    to lectern_jobs, lectern_admin;
