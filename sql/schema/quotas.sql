-- Quotas per user: links, bytes, pages fetched within a day. The limits are settings; the workers and the jobs set them
-- for the transaction, and without a setting nothing is counted.
--
-- Nothing is lost to a quota: restored, merged and separated links stay complete. Concurrent saves may exceed a quota
-- slightly.

-- Refuses a link beyond the quota.
create or replace function private.check_link_quota() returns trigger
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
            where (select count(*) from (select from public.links where user_id = owners.user_id limit quota + 1)
                as those) > quota)
        then
            raise exception 'this server allows % links per user', quota
                using errcode = 'check_violation', table = 'links', schema = 'public',
                    hint = 'Delete some links first; links in the trash do not count.';
        end if;
        return null;
    end
    $$;

create or replace trigger links_within_quota
    after insert on public.links
    referencing new table as saved
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.link_quota', true) > '0')
    execute function private.check_link_quota();

-- Limits the highlights per link, because all of them are located in the article's text at once. Merged and restored
-- links keep what they have. Concurrent writes may exceed the limit slightly.
create or replace function private.check_highlight_limit() returns trigger
    language plpgsql
    as $$
    declare
        max_highlights constant integer := 5000;
        links uuid[];
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return null;
        end if;
        if tg_op = 'INSERT' then
            links := array(select distinct link_id from marked);
        else
            links := array[new.link_id];
        end if;
        if exists (
            select from unnest(links) as link
            where (select count(*) from (select from public.highlights where link_id = link limit max_highlights + 1)
                as those) > max_highlights)
        then
            raise exception 'a link can have at most % highlights', max_highlights
                using errcode = 'check_violation', table = 'highlights', schema = 'public', column = 'link_id',
                    hint = 'Delete some highlights first.';
        end if;
        return null;
    end
    $$;

create or replace trigger highlights_within_limit
    after insert on public.highlights
    referencing new table as marked
    for each statement
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.check_highlight_limit();

create or replace trigger moved_highlights_within_limit
    after update on public.highlights
    for each row
    when (new.link_id <> old.link_id and current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.check_highlight_limit();

-- Articles and the pages they were made from; pictures have a quota of their own.
create or replace function private.stored_bytes(owner uuid) returns bigint
    language sql stable
    as $$
        select (select coalesce(sum(octet_length(content) + octet_length(text_content)), 0) from public.articles
            where user_id = owner)
            + (select coalesce(sum(octet_length(html)), 0) from private.sources where user_id = owner)
            + (select coalesce(sum(octet_length(html)), 0) from public.links
                join private.pages on pages.link_id = links.id
                where links.user_id = owner)
    $$;
comment on function private.stored_bytes(uuid) is
    'Bytes of a users articles and of the pages they were made from, uncompressed.';

-- Why a user's link may not be fetched now: the code, the message, and the seconds until it may be where time helps. No
-- row if it may be fetched.
create or replace function private.exceeded_quota(owner uuid, storage_quota bigint, fetch_quota bigint)
    returns table (reason text, message text, seconds integer)
    language plpgsql stable
    as $$
    declare
        latest timestamptz;
    begin
        if storage_quota > 0 and private.stored_bytes(owner) >= storage_quota then
            return query select 'storage_quota',
                format(
                    'Your articles and pages have used up the %s that this server allows. '
                    'Delete some links, then try again.',
                    pg_size_pretty(storage_quota)),
                null::integer;
        elsif fetch_quota > 0 then
            select done_at into latest from private.done_jobs
                where user_id = owner and kind = 'save' and done_at > now() - interval '24 hours'
                order by done_at desc
                offset fetch_quota - 1 limit 1;
            if found then
                return query select 'fetch_quota',
                    format(
                        'The server has fetched %s pages for you within a day, its limit per user. '
                        'It will fetch this page when the 24 hours are over.',
                        fetch_quota),
                    ceil(extract(epoch from latest + interval '24 hours' - now()))::integer;
            end if;
        end if;
    end
    $$;

grant execute on function private.stored_bytes(uuid), private.exceeded_quota(uuid, bigint, bigint) to job_worker;
