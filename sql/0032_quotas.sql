-- How much one user may have of the server: links, bytes, pages fetched in a day. The settings say how much; who asks for a user
-- (the workers, the jobs) tells them to the transaction, and without one nothing is counted.

-- Nothing is lost to a quota: what is restored, merged or parted stays whole. Two saves at once may come a little beyond it.
create function private.links_have_room() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        quota constant bigint := current_setting('lectern.link_quota');
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return null;
        end if;
        if exists (
            select from (select distinct user_id from saved) as owners
            where (select count(*) from (select from public.links where user_id = owners.user_id limit quota + 1) as those) > quota)
        then
            raise exception 'You may keep % links here, and these would be more', quota
                using errcode = 'check_violation', table = 'links', schema = 'public',
                    hint = 'Delete some first; those in the trash do not count.';
        end if;
        return null;
    end
    $$;
create trigger links_have_room
    after insert on public.links
    referencing new table as saved
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.link_quota', true) > '0')
    execute function private.links_have_room();

-- Articles and the pages they were made from; pictures have a quota of their own.
create function private.stored_bytes(owner uuid) returns bigint
    language sql stable
    as $$
        select (select coalesce(sum(octet_length(content) + octet_length(text_content)), 0) from public.articles where user_id = owner)
            + (select coalesce(sum(octet_length(html)), 0) from private.sources where user_id = owner)
            + (select coalesce(sum(octet_length(html)), 0) from public.links join private.pages on pages.link_id = links.id
                where links.user_id = owner)
    $$;
comment on function private.stored_bytes(uuid) is 'Bytes of the articles of a user and of the pages they were made from, as they are read.';

-- As in 0024, and since then: a page that comes while its link is worked on is read as well, and one that is larger than the one in
-- its place needs room.
create or replace function rest.replace_page(link_id uuid, url text, html text) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        old jsonb;
        quota constant text := nullif(current_setting('lectern.storage_quota', true), '');
    begin
        select to_jsonb(pages) into old from private.pages where pages.link_id = replace_page.link_id for update;
        insert into private.pages (link_id, user_id, url, html)
            values (replace_page.link_id, (select auth.uid()), replace_page.url, replace_page.html)
            on conflict on constraint pages_pkey do update
            set url = excluded.url, html = excluded.html, saved_at = clock_timestamp();
        if quota::bigint > 0 and octet_length(replace_page.html) > coalesce(octet_length(old ->> 'html'), 0)
            and private.stored_bytes((select auth.uid())) > quota::bigint
        then
            raise exception 'You may keep % bytes of articles and pages here, and this would be more', quota
                using errcode = 'check_violation', table = 'pages', schema = 'private', hint = 'Delete some links first.';
        end if;
        insert into private.jobs (kind, user_id, link_id)
            values ('save', (select auth.uid()), replace_page.link_id)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0, interruptions = 0, reason = null, message = null;
        perform pg_notify('lectern_jobs', '');
        return old;
    end
    $$;

-- Why a user's link is not fetched now: nothing where it may be, else the code and what it says, and in how many seconds there is
-- room again where time makes room.
create function private.quota_in_the_way(owner uuid, storage_quota bigint, fetch_quota bigint)
    returns table (reason text, message text, seconds integer)
    language plpgsql stable
    as $$
    declare
        latest timestamptz;
    begin
        if storage_quota > 0 and private.stored_bytes(owner) >= storage_quota then
            return query select 'storage_quota',
                format('You keep %s of articles and pages, which is as much as this server allows. Delete some links, then try again.',
                    pg_size_pretty(storage_quota)),
                null::integer;
        elsif fetch_quota > 0 then
            select done_at into latest from private.done_jobs
                where user_id = owner and kind = 'save' and done_at > now() - interval '24 hours'
                order by done_at desc
                offset fetch_quota - 1 limit 1;
            if found then
                return query select 'fetch_quota',
                    format('%s pages were fetched for you within a day, which is as many as this server allows. This one follows when a day has passed.',
                        fetch_quota),
                    ceil(extract(epoch from latest + interval '24 hours' - now()))::integer;
            end if;
        end if;
    end
    $$;
grant execute on function private.stored_bytes(uuid), private.quota_in_the_way(uuid, bigint, bigint) to job_worker;
