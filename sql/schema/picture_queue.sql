-- Fetching the pictures that links show.

-- Queues listed pictures; among those of their user the pictures of an article that the user has opened come first. The
-- jobs process takes the users in turns, so no user's pictures come before another's.
create or replace function private.enqueue_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- All rows belong to one link.
        place constant timestamptz := case
            when exists (select from private.picture_listings s join listed on listed.link_id = s.link_id
                where s.is_wanted) then 'epoch'
            else now() end;
    begin
        insert into private.picture_jobs (picture_id, user_id, run_at)
            select id, user_id, place from listed where state = 'waiting'
            on conflict (picture_id) do update
                set state = 'pending', run_at = excluded.run_at, attempts = 0, interruptions = 0, leased_until = null;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;

create or replace trigger enqueue_pictures
    after insert on public.link_pictures
    referencing new table as listed
    for each statement
    execute function private.enqueue_pictures();

-- Moves the listed pictures of a link before everything of its user that nobody is waiting for. Those that another
-- transaction is leasing are left alone.
create or replace function private.put_pictures_first(link uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update private.picture_jobs set run_at = 'epoch'
            where picture_id in (
                select j.picture_id
                from public.link_pictures p join private.picture_jobs j on j.picture_id = p.id
                where p.link_id = link and p.state = 'waiting' and j.state = 'pending' and j.attempts = 0
                for update of j skip locked)
    $$;
revoke execute on function private.put_pictures_first(uuid) from public;

-- Called when the user opens an article, or wants failed pictures retried. Returns whether there is something to wait
-- for. The pictures come first among those of their user, and wait for the turn of the user like all others.
create or replace function public.fetch_pictures(link_id uuid) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        owner constant uuid := (select links.user_id from public.links where links.id = fetch_pictures.link_id);
        is_new boolean;
        failed uuid[];
    begin
        -- Row-level security has shown the link to the caller or not.
        if owner is null then
            return false;
        end if;
        -- Locks the link first, in the same order as deleting and merging.
        perform from public.links where links.id = fetch_pictures.link_id for key share;
        -- Before everything of this user that nobody is waiting for.
        insert into private.picture_listings as known (link_id, user_id, is_wanted, run_at)
            values (fetch_pictures.link_id, owner, true, 'epoch')
            on conflict (link_id) do update
                set state = 'pending', run_at = 'epoch', leased_until = null, attempts = 0, is_wanted = true
                where not known.is_wanted;
        is_new := found;
        perform private.put_pictures_first(fetch_pictures.link_id);
        with tried as (
            update public.link_pictures
            set state = 'waiting', reason = null, message = null
            where link_pictures.link_id = fetch_pictures.link_id and state = 'failed'
            returning id)
        select array_agg(id) into failed from tried;
        insert into private.picture_jobs (picture_id, user_id, run_at)
            select id, owner, 'epoch' from unnest(failed) as id
            on conflict (picture_id) do update
                set state = 'pending', run_at = 'epoch', attempts = 0, interruptions = 0, leased_until = null;
        if is_new or failed is not null then
            perform pg_notify('lectern_pictures', '');
            return true;
        end if;
        return exists (
                select from private.picture_listings where picture_listings.link_id = fetch_pictures.link_id
                    and state <> 'done')
            or exists (
                select from public.link_pictures where link_pictures.link_id = fetch_pictures.link_id
                    and state = 'waiting');
    end
    $$;
comment on function public.fetch_pictures(uuid) is
    'Fetches the pictures of a link that are missing, and retries failed ones. Returns whether there is something to '
    'wait for.';

-- The hash of this picture if its user has it already.
create or replace function rest.known_picture(picture uuid) returns text
    language plpgsql stable
    as $$
    declare
        wanted public.link_pictures;
    begin
        select * into wanted from public.link_pictures where id = picture;
        return coalesce(
            (
                select hash from public.link_pictures
                where user_id = wanted.user_id and md5(source) = md5(wanted.source) and source = wanted.source
                    and kind = wanted.kind and hash is not null and created_at > now() - interval '30 days'
                limit 1
            ), (
                select hash from private.kept_pictures
                where link_id = wanted.link_id and kind = wanted.kind and md5(source) = md5(wanted.source)
                    and source = wanted.source
            ));
    end
    $$;

-- Records a fetched picture. Returns the address for its file: another than the given one if its user has the picture
-- already. Null if it exceeds the user's quota (`quota` bytes; 0: no limit), or if nothing shows it any more.
create or replace function rest.store_picture(
    picture uuid, picture_hash text, new_address text, picture_width integer, picture_height integer, size integer,
        quota bigint
) returns text
    language plpgsql
    as $$
    declare
        owner constant uuid := (select user_id from public.link_pictures where id = picture);
        kept text;
    begin
        if owner is null then
            return null;
        end if;
        -- Serialises a user's pictures; otherwise two at once could both take the last place.
        perform pg_advisory_xact_lock(hashtextextended('pictures of ' || owner, 0));
        select address into kept from public.pictures where user_id = owner and hash = picture_hash for share;
        if kept is null then
            if new_address is null then
                return null;
            end if;
            if quota > 0 and size + (select coalesce(sum(bytes), 0) from public.pictures where user_id = owner) > quota
                then
                update public.link_pictures
                    set state = 'failed', reason = 'quota',
                        message = format('Your pictures have used up your quota of %s.', pg_size_pretty(quota))
                    where id = picture;
                return null;
            end if;
            insert into public.pictures (user_id, hash, address, width, height, bytes)
                values (owner, picture_hash, new_address, picture_width, picture_height, size);
            kept := new_address;
        end if;
        update public.link_pictures set state = 'kept', hash = picture_hash, reason = null, message = null
            where id = picture;
        return kept;
    end
    $$;

-- Deletes a picture that nothing shows. False while something shows it.
create or replace function rest.delete_unused_picture(owner uuid, picture_hash text) returns boolean
    language plpgsql
    as $$
    begin
        -- A writer that is about to show the picture waits and then finds it gone; one that has committed is seen by
        -- the next statement.
        perform from public.pictures where user_id = owner and hash = picture_hash for update;
        delete from public.pictures p
            where user_id = owner and hash = picture_hash
                and not exists (select from public.link_pictures l where l.user_id = owner and l.hash = picture_hash)
                and not exists (select from private.kept_pictures l where l.user_id = owner and l.hash = picture_hash);
        return found;
    end
    $$;

grant execute on function public.fetch_pictures(uuid) to authenticated;

grant execute on function rest.known_picture(uuid),
    rest.store_picture(uuid, text, text, integer, integer, integer, bigint), rest.delete_unused_picture(uuid, text)
    to job_worker;
