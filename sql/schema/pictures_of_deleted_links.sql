-- Pictures of deleted links that may come back, from the trash or by undoing a merge.

-- Keeps the pictures of a link that is deleted.
create or replace function private.keep_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.kept_pictures (link_id, user_id, kind, source, hash, position)
            select link_id, user_id, kind, source, hash, position from public.link_pictures
            where link_id = old.id and hash is not null
            on conflict (link_id, kind, md5(source)) do update set hash = excluded.hash;
        return old;
    end
    $$;

-- The same for links that are deleted together; the policies restrict a user to own rows.
create or replace function rest.keep_pictures(links uuid[]) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        insert into private.kept_pictures (link_id, user_id, kind, source, hash, position)
            select link_id, user_id, kind, source, hash, position from public.link_pictures
            where link_id = any (links) and hash is not null
            on conflict (link_id, kind, md5(source)) do update set hash = excluded.hash
    $$;
revoke execute on function rest.keep_pictures(uuid[]) from public;
grant execute on function rest.keep_pictures(uuid[]) to authenticated, service_role;

-- Its name sorts after link_deleted, which may prevent the deletion. For links that are deleted together,
-- rest.delete_links calls rest.keep_pictures.
create or replace trigger pictures_kept
    before delete on public.links
    for each row
    when (current_user <> 'lectern_owner' and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.keep_pictures();

-- Returns the pictures to a link that is inserted again, for whatever reason.
create or replace function private.restore_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Makes PostgreSQL look for these, however many pictures are kept.
        ids constant uuid[] := array(select id from saved);
    begin
        if not exists (select from private.kept_pictures where link_id = any (ids)) then
            return null;
        end if;
        insert into public.link_pictures (link_id, user_id, kind, source, hash, position, state)
            select p.link_id, p.user_id, p.kind, p.source, p.hash, p.position, 'kept'
            from private.kept_pictures p join saved on saved.id = p.link_id and saved.user_id = p.user_id
            where p.link_id = any (ids)
            on conflict do nothing;
        delete from private.kept_pictures where link_id = any (ids);
        return null;
    end
    $$;

create or replace trigger restore_pictures
    after insert on public.links
    referencing new table as saved
    for each statement
    execute function private.restore_pictures();

-- After a merge the surviving link shows the other one's pictures, until its article has been listed.
create or replace function private.merge_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into public.link_pictures (link_id, user_id, kind, source, hash, position, state)
            select new.survivor_id, p.user_id, p.kind, p.source, p.hash, p.position, 'kept'
            from private.kept_pictures p
            where p.link_id = new.merged_id and p.user_id = new.user_id
                and exists (select from public.links where id = new.survivor_id and user_id = new.user_id)
            on conflict do nothing;
        insert into private.picture_listings (link_id, user_id)
            select id, user_id from public.links where id = new.survivor_id and user_id = new.user_id
            on conflict (link_id) do update set state = 'pending', run_at = now(), leased_until = null, attempts = 0;
        perform pg_notify('lectern_pictures', '');
        return null;
    end
    $$;

create or replace trigger merge_pictures after insert on public.link_merges
    for each row execute function private.merge_pictures();

-- Deletes the kept pictures of links that cannot come back.
create or replace function private.delete_kept_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        links uuid[];
    begin
        if tg_table_name = 'trash' then
            links := array(select link_id from gone);
        else
            links := array(select merged_id from gone);
        end if;
        delete from private.kept_pictures p
            where link_id = any (links)
                and not exists (select from public.trash where trash.link_id = p.link_id and trash.user_id = p.user_id)
                and not exists (
                    select from public.link_merges m where m.merged_id = p.link_id and m.user_id = p.user_id
                        and m.undone_at is null);
        return null;
    end
    $$;

create or replace trigger delete_kept_pictures after delete on public.link_merges
    referencing old table as gone
    for each statement when (current_user <> 'lectern_owner') execute function private.delete_kept_pictures();

create or replace trigger delete_kept_pictures after delete on public.trash
    referencing old table as gone
    for each statement when (current_user <> 'lectern_owner') execute function private.delete_kept_pictures();
