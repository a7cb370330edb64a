-- Quotas per user: links, bytes, pages fetched within a day. The limits are settings; the workers and the jobs set them
-- for the transaction, and without a setting nothing is counted.
--
-- Nothing that exists is lost to a quota: links that the server merges stay complete. Concurrent saves may exceed a
-- quota slightly.

-- Refuses links beyond the quota of a user, who has just got `added` of them.
create or replace function private.require_link_quota(owner uuid, added bigint) returns void
    language plpgsql
    as $$
    declare
        quota constant bigint := nullif(current_setting('lectern.link_quota', true), '');
    begin
        if quota > 0 and private.used_of_quota(owner, 'links', quota, added) > quota then
            raise exception 'this server allows % links per user', quota
                using errcode = 'check_violation', table = 'links', schema = 'public',
                    hint = 'Delete some links first; links in the trash do not count.';
        end if;
    end
    $$;

create or replace function private.check_link_quota() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        added constant bigint := (select count(*) from saved);
    begin
        if added > 0 then
            perform private.require_link_quota((select user_id from saved limit 1), added);
        end if;
        return null;
    end
    $$;

-- Also for links that come back from the trash. All rows are the caller's own.
create or replace trigger links_within_quota
    after insert on public.links
    referencing new table as saved
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.link_quota', true) > '0')
    execute function private.check_link_quota();

-- Refuses to store more for a user whose storage quota is used up. Called once the transaction has stored it; `added`:
-- its bytes.
create or replace function private.require_storage(owner uuid, added bigint) returns void
    language plpgsql
    as $$
    declare
        quota constant bigint := nullif(current_setting('lectern.storage_quota', true), '');
    begin
        if quota > 0 and private.used_of_quota(owner, 'bytes', quota, added) > quota then
            raise exception 'this server stores % for each user, and you have used it up', pg_size_pretty(quota)
                using errcode = 'check_violation', hint = 'Delete some links and empty the trash first.';
        end if;
    end
    $$;

-- Refuses what a user adds once the storage quota is used up. Links with short texts are still saved, because their
-- pages take the space, and those are not fetched. What exists can be changed, deleted and restored.
create or replace function private.check_storage_quota() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Once per transaction: what one request can send is small beside a quota.
        checked text := current_setting('rest.within_storage', true);
    begin
        if checked is distinct from 'yes' then
            perform private.require_storage((select auth.uid()), 0);
            checked := set_config('rest.within_storage', 'yes', true);
        end if;
        return null;
    end
    $$;

create or replace trigger highlights_within_storage
    after insert on public.highlights
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_highlights_within_storage
    after update of quote, prefix, suffix, note on public.highlights
    for each row
    when (
        octet_length(concat(new.quote, new.prefix, new.suffix, new.note))
            > octet_length(concat(old.quote, old.prefix, old.suffix, old.note))
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger bookmarks_within_storage
    after insert on public.bookmarks
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_bookmarks_within_storage
    after update of name, quote on public.bookmarks
    for each row
    when (
        octet_length(concat(new.name, new.quote)) > octet_length(concat(old.name, old.quote))
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger notes_within_storage
    after insert on public.notes
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_notes_within_storage
    after update of body on public.notes
    for each row
    when (
        octet_length(new.body) > octet_length(old.body)
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger tags_within_storage
    after insert on public.tags
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger link_tags_within_storage
    after insert on public.link_tags
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger collections_within_storage
    after insert on public.collections
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_collections_within_storage
    after update of name, description, query on public.collections
    for each row
    when (
        octet_length(concat(new.name, new.description, new.query))
            > octet_length(concat(old.name, old.description, old.query))
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger rules_within_storage
    after insert on public.rules
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_rules_within_storage
    after update of name, query, change on public.rules
    for each row
    when (
        octet_length(concat(new.name, new.query, new.change)) > octet_length(concat(old.name, old.query, old.change))
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger collection_links_within_storage
    after insert on public.collection_links
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger reading_progress_within_storage
    after insert on public.reading_progress
    for each statement
    when (current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

-- A link whose texts take more than 8 kB counts like content.
create or replace trigger long_links_within_storage
    after insert on public.links
    for each row
    when (
        octet_length(concat(new.raw_url, new.resolved_url, new.title, new.description, new.device_saved, new.image,
            new.site_name, new.lang, new.icon)) > 8192
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

create or replace trigger longer_links_within_storage
    after update of raw_url, resolved_url, title, description, device_saved, image, site_name, lang, icon
    on public.links
    for each row
    when (
        octet_length(concat(new.raw_url, new.resolved_url, new.title, new.description, new.device_saved, new.image,
            new.site_name, new.lang, new.icon)) > greatest(8192,
                octet_length(concat(old.raw_url, old.resolved_url, old.title, old.description, old.device_saved,
                    old.image, old.site_name, old.lang, old.icon)))
        and current_user = 'authenticated' and current_setting('lectern.storage_quota', true) > '0')
    execute function private.check_storage_quota();

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

-- Everything that a user's rows take on disk: texts and pages before compression, trash and merges as compressed, and a
-- hundred bytes for each row with its index entries; and files of documents. Pictures have a quota of their own. Counts what its caller sees.
create or replace function private.stored_bytes(owner uuid) returns bigint
    language sql stable
    as $$
        select sum(bytes)::bigint + 100 * sum(rows)::bigint
        from (
            select count(*), sum(octet_length(content) + octet_length(text_content)) from public.articles
                where user_id = owner
            union all
            select count(*), sum(octet_length(html)) from private.sources where user_id = owner
            union all
            select count(*), sum(octet_length(article ->> 'content') + octet_length(article ->> 'text_content'))
                from private.former_articles where user_id = owner
            union all
            select count(*), sum(coalesce(octet_length(html), 0) + coalesce(octet_length(content), 0))
                from private.article_reports where user_id = owner
            union all
            select count(*), sum(bytes) from private.page_copies where user_id = owner
            union all
            select count(*), sum(octet_length(html)) from public.links join private.pages on pages.link_id = links.id
                where links.user_id = owner
            union all
            select count(*), sum(octet_length(raw_url) + coalesce(octet_length(resolved_url), 0)
                + coalesce(octet_length(title), 0) + coalesce(octet_length(description), 0)
                + coalesce(octet_length(device_saved), 0) + coalesce(octet_length(image), 0)
                + coalesce(octet_length(site_name), 0) + coalesce(octet_length(lang), 0)
                + coalesce(octet_length(byline), 0) + coalesce(octet_length(icon), 0)
                + coalesce(octet_length(dedupe_key), 0) + coalesce(octet_length(canonical_key), 0)
                + coalesce(octet_length(enclosure_url), 0))
                from public.links where user_id = owner
            union all
            select count(*), sum(pg_column_size(link) + pg_column_size(parts) + octet_length(raw_url)
                + coalesce(octet_length(title), 0))
                from public.trash where user_id = owner
            union all
            select count(*), sum(pg_column_size(link) + pg_column_size(parts) + pg_column_size(added)
                + pg_column_size(survivor_before) + pg_column_size(survivor_after) + octet_length(raw_url)
                + coalesce(octet_length(title), 0))
                from public.link_merges where user_id = owner
            union all
            select count(*), sum(octet_length(value)) from public.link_aliases where user_id = owner
            union all
            select count(*), sum(octet_length(quote) + coalesce(octet_length(prefix), 0)
                + coalesce(octet_length(suffix), 0) + coalesce(octet_length(note), 0))
                from public.highlights where user_id = owner
            union all
            select count(*), sum(octet_length(name) + octet_length(quote)) from public.bookmarks where user_id = owner
            union all
            select count(*), sum(octet_length(body)) from public.notes where user_id = owner
            union all
            select count(*), sum(octet_length(name)) from public.tags where user_id = owner
            union all
            select count(*), 0 from public.link_tags where user_id = owner
            union all
            select count(*), sum(octet_length(name) + coalesce(octet_length(description), 0)
                + coalesce(octet_length(query), 0))
                from public.collections where user_id = owner
            union all
            select count(*), 0 from public.collection_links where user_id = owner
            union all
            -- Twice for the parsed query.
            select 2 * count(*), 3 * sum(octet_length(name) + octet_length(query) + octet_length(change::text))
                from public.rules where user_id = owner
            union all
            select count(*), sum(octet_length(content_hash)) from public.reading_progress where user_id = owner
            union all
            select count(*), sum(16 * cardinality(link_ids) + octet_length(query) + coalesce(bytes, 0))
                from private.made_books where user_id = owner
            union all
            select count(*), sum(bytes) from private.documents where user_id = owner
            union all
            -- Files that are still to be read.
            select count(*), sum(bytes) from private.imports
                where user_id = owner and state in ('pending', 'running') and (staged_at is null or is_held)
        ) as parts (rows, bytes)
    $$;
comment on function private.stored_bytes(uuid) is
    'Bytes that a user stores: articles, pages and their copies, metadata, notes, highlights, bookmarks, trash, merges, documents and '
    'books of several articles.';

-- Why a user's link may not be fetched now: the code, the message, and the seconds until it may be where time helps. No
-- row if it may be fetched.
create or replace function private.exceeded_quota(owner uuid, storage_quota bigint, fetch_quota bigint)
    returns table (reason text, message text, seconds integer)
    language plpgsql
    as $$
    declare
        latest timestamptz;
    begin
        if storage_quota > 0 and private.used_of_quota(owner, 'bytes', storage_quota, 0) >= storage_quota then
            return query select 'storage_quota',
                format(
                    'You have used up the %s that this server stores for each user. '
                    'Delete some links and empty the trash, then try again.',
                    pg_size_pretty(storage_quota)),
                null::integer;
        elsif fetch_quota > 0 and private.used_of_quota(owner, 'fetches', fetch_quota, 0) >= fetch_quota then
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

grant execute on function private.exceeded_quota(uuid, bigint, bigint) to job_worker;

-- Functions owned by the admin, who sees all rows. Their callers pass the user of their transaction.
set local role lectern_admin;

-- How much of a quota a user uses: links, bytes, or pages fetched within 24 hours. `added`: what the transaction has
-- added and an earlier count cannot include.
--
-- Counting reads all rows of the user, so a count is used again until the user could have filled the rest of the quota,
-- at the pace of the fastest client. A count that took long is used for twenty times as long, so that counting never
-- takes more than a twentieth of a processor.
create or replace function private.used_of_quota(owner uuid, name text, allowed bigint, added bigint) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- What one user adds within a second at most.
        pace constant bigint := case name when 'links' then 10000 when 'bytes' then 100000000 else 100 end;
        began constant timestamptz := clock_timestamp();
        known private.quota_counts;
        left_over bigint;
    begin
        select * into known from private.quota_counts where user_id = owner and quota = name;
        left_over := allowed - known.used - added;
        if began between known.counted_at and known.counted_at + greatest(
            -- Near the limit every time, so that it is exact.
            case when left_over > pace / 10 then make_interval(secs => least(left_over::float8 / pace, 60)) end,
            -- A count of little that took long says that the machine was busy.
            case when known.effort > interval '50 milliseconds' and known.used > pace / 10
                then 20 * known.effort end)
        then
            return known.used + added;
        end if;
        known.used := case name
            when 'links' then (select count(*) from public.links where user_id = owner)
            when 'bytes' then private.stored_bytes(owner)
            else (
                select count(*) from private.done_jobs
                where user_id = owner and kind = 'save' and done_at > now() - interval '24 hours')
        end;
        -- Another transaction that stores its count is not waited for.
        if pg_try_advisory_xact_lock(hashtextextended(name || ' counted of ' || owner, 0)) then
            insert into private.quota_counts (user_id, quota, used, counted_at, effort)
                select id, name, known.used, clock_timestamp(), clock_timestamp() - began from auth.users
                where id = owner
                on conflict (user_id, quota) do update
                    set used = excluded.used, counted_at = excluded.counted_at, effort = excluded.effort;
        end if;
        return known.used;
    end
    $$;

-- How many links a user may still add, null: any number, and why not more. A quota of 0 means no limit.
create or replace function private.room_for_links(
    owner uuid, link_quota bigint, storage_quota bigint, out links_left bigint, out why text
)
    language plpgsql
    as $$
    begin
        if link_quota > 0 then
            links_left := greatest(0, link_quota - private.used_of_quota(owner, 'links', link_quota, 0));
            why := format('This server allows %s links per user. Delete some links first.', link_quota);
        end if;
        if storage_quota > 0 and private.used_of_quota(owner, 'bytes', storage_quota, 0) >= storage_quota then
            links_left := 0;
            why := format(
                'You have used up the %s that this server stores for each user. Delete some links and empty the trash '
                'first.', pg_size_pretty(storage_quota));
        end if;
    end
    $$;

revoke execute on function private.used_of_quota(uuid, text, bigint, bigint),
    private.room_for_links(uuid, bigint, bigint) from public;
grant execute on function private.used_of_quota(uuid, text, bigint, bigint) to lectern_owner, job_worker;

set local role lectern_owner;

-- What the caller uses, and how much of it the server allows; null: any amount. Counted now, as near a limit of nothing,
-- unless counting takes long. Not a function that only reads, because the counts are stored.
create or replace function public.usage() returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        links constant bigint := nullif(nullif(current_setting('lectern.link_quota', true), '')::bigint, 0);
        bytes constant bigint := nullif(nullif(current_setting('lectern.storage_quota', true), '')::bigint, 0);
    begin
        return jsonb_build_object(
            'links', jsonb_build_object('used', private.used_of_quota(owner, 'links', 0, 0), 'allowed', links),
            'bytes', jsonb_build_object('used', private.used_of_quota(owner, 'bytes', 0, 0), 'allowed', bytes));
    end
    $$;
revoke execute on function public.usage() from public;
grant execute on function public.usage() to authenticated;

comment on function public.usage() is
    'How many links and bytes the user has stored, and how many the server allows: {"links": {"used", "allowed"}, '
    '"bytes": {"used", "allowed"}}. allowed is null where there is no limit. Counts may be up to a minute old, or '
    'older if counting is slow.';
