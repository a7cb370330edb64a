-- Subscriptions to feeds. The jobs process fetches them and saves their new entries as links; see
-- Sources/Saving/Feeds/FeedFetcher.swift. What the server itself publishes as feeds is in feeds.sql.

alter table private.feeds alter column user_id set default auth.uid();

create or replace view public.feeds with (security_invoker = true) as
    select id, user_id, url, title, site_url, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused,
        state, reason, failures, last_fetched_at, last_success_at, next_fetch_at, saved_count, created_at
    from private.feeds;
comment on view public.feeds is
    'Feeds whose new entries are saved as links: RSS, Atom or JSON Feed. At most 500. The address may be that of a web '
    'page that names its feed.';
comment on column public.feeds.title is 'The name in lists; the feed''s own if it is not given.';
comment on column public.feeds.list is 'Where new links go: read or archive.';
comment on column public.feeds.tags is 'The names of the tags that new links get; at most 20.';
comment on column public.feeds.collection_id is 'The collection that new links are added to.';
comment on column public.feeds.keep_words is
    'If there are any, only entries are saved that have one of these in their title or categories.';
comment on column public.feeds.skip_words is 'Entries that have one of these in title or categories are not saved.';
comment on column public.feeds.first_entries is 'How many of the newest entries the first fetch saves: 0 to 100.';
comment on column public.feeds.is_paused is
    'Whether the feed is not fetched. The server pauses a feed that is gone or that failed 30 times in a row.';
comment on column public.feeds.state is 'new: not fetched yet; ok; failed: see reason. Set by the server.';
comment on column public.feeds.reason is 'Why the last fetch failed; set by the server.';
comment on column public.feeds.saved_count is 'The number of links that were saved; set by the server.';
grant select, delete on public.feeds to authenticated;
grant insert (id, user_id, url, title, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused),
    update (url, title, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused)
    on public.feeds to authenticated;
grant select on public.feeds to service_role;

-- Checks what a client writes. A feed that got another address, or that is not paused any more, is fetched at once.
create or replace function private.check_feed() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_feeds constant integer := 500;
    begin
        if tg_op = 'INSERT' then
            perform pg_advisory_xact_lock(hashtextextended('feeds of ' || new.user_id, 0));
            if (select count(*) from private.feeds f where f.user_id = new.user_id) >= max_feeds then
                raise exception 'There are % subscriptions, which is the maximum.', max_feeds using errcode = 'LT400';
            end if;
        elsif new.url <> old.url then
            new.state := 'new';
            new.reason := null;
            new.failures := 0;
            new.last_fetched_at := null;
            new.last_success_at := null;
            new.copy_url := null;
            new.fetches := old.fetches + 1;
            new.next_fetch_at := now();
        elsif old.is_paused and not new.is_paused then
            new.failures := 0;
            new.next_fetch_at := now();
        end if;
        new.tags := array(
            select regexp_replace(tag, '^\s+|\s+$', '', 'g') from unnest(new.tags) with ordinality as given (tag, place)
            order by place);
        if exists (select from unnest(new.tags) as tag where coalesce(length(tag), 0) not between 1 and 100) then
            raise exception 'A tag has 1 to 100 characters.' using errcode = 'LT400';
        end if;
        if exists (select from unnest(new.keep_words || new.skip_words) as word
            where coalesce(length(word), 0) not between 1 and 200 or word !~ '\S')
        then
            raise exception 'A word of a filter has 1 to 200 characters.' using errcode = 'LT400';
        end if;
        return new;
    end
    $$;
revoke execute on function private.check_feed() from public;

create or replace trigger check_new_feed before insert on private.feeds
    for each row execute function private.check_feed();

-- What the jobs process changes is no client's.
create or replace trigger check_changed_feed before update on private.feeds
    for each row when (current_user in ('authenticated', 'service_role'))
    execute function private.check_feed();

create or replace function public.refresh_feed(id uuid) returns setof public.feeds
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        -- A site is not asked more often than that.
        pause constant interval := '1 minute';
    begin
        update private.feeds f
            set is_paused = false, next_fetch_at = greatest(now(), f.last_fetched_at + pause)
            where f.id = refresh_feed.id and f.user_id = (select auth.uid());
        return query select * from public.feeds f where f.id = refresh_feed.id and f.user_id = (select auth.uid());
    end
    $$;
comment on function public.refresh_feed(uuid) is
    'Has a feed fetched now, but not within a minute of the last time. A paused feed is not paused any more.';
revoke execute on function public.refresh_feed(uuid) from public;
grant execute on function public.refresh_feed(uuid) to authenticated;

-- Subscribes the caller to the feeds of an OPML file.
create or replace function public.import_feeds(opml text) returns jsonb
    language plpgsql
    as $$
    declare
        max_length constant integer := 2000000;
        max_feeds constant integer := 500;
        me constant uuid := auth.uid();
        room integer;
        counts jsonb;
    begin
        -- A list of feeds needs no entities of its own.
        if opml is null or length(opml) > max_length or opml ~* '<!(doctype|entity)' or not xml_is_well_formed_document(opml)
        then
            raise exception 'This is not an OPML file.' using errcode = 'LT400',
                hint = 'It is well-formed XML without a document type, of at most 2 MB.';
        end if;
        perform rest.lock_writes(array[me]);
        room := max_feeds - (select count(*) from public.feeds where user_id = me);
        with outlines as (
            select distinct on (o.url) o.url, o.place, left(coalesce(nullif(o.title, ''), nullif(o.text, '')), 1000) as title,
                array(
                    select distinct left(btrim(tag), 100) from unnest(string_to_array(o.category, ',') || o.folder) as tag
                    where tag ~ '\S' limit 20) as tags,
                exists (select from public.feeds f where f.user_id = me and f.url = o.url) as is_known
            from xmltable('//outline[@xmlUrl]' passing xmlparse(document opml) columns
                place for ordinality, url text path 'normalize-space(@xmlUrl)', title text path '@title',
                text text path '@text', category text path '@category', folder text path '../@text') as o
            order by o.url, o.place
        ), fresh as (
            select url, title, tags, place, row_number() over (order by place) as number
            from outlines where not is_known and length(url) <= 2048 and url ~* '^https?://[^\s/]+\S*$'
        ), added as (
            insert into public.feeds (url, title, tags)
                select url, title, tags from fresh where number <= room order by place
                returning id
        )
        select jsonb_build_object('found', count(*), 'known', count(*) filter (where is_known),
                'added', (select count(*) from added))
                || case when (select count(*) from fresh) <= room then '{}'::jsonb else jsonb_build_object(
                    'refused', (select count(*) from fresh) - greatest(room, 0),
                    'reason', format('There are %s subscriptions, which is the maximum.', max_feeds)) end
            into counts from outlines;
        return counts;
    end
    $$;
comment on function public.import_feeds(text) is
    'Subscribes to the feeds of an OPML file; folders and categories become the tags of new links. Returns {"found", "known", '
    '"added"}, and "refused" with a "reason" where feeds are left out because there are too many.';

-- The caller's subscriptions as OPML.
create or replace function public.export_feeds() returns text
    language sql stable
    as $$
        select '<?xml version="1.0" encoding="UTF-8"?>' || E'\n' || xmlelement(name opml, xmlattributes('2.0' as version),
            xmlelement(name head, xmlelement(name title, 'Feeds')),
            xmlelement(name body, xmlagg(xmlelement(name outline, xmlattributes(
                    'rss' as type, f.name as text, f.name as title, f.url as "xmlUrl", f.site_url as "htmlUrl",
                    nullif(array_to_string(f.tags, ','), '') as category)) order by lower(f.name), f.id)))::text
        from (
            select id, url, site_url, tags, regexp_replace(coalesce(nullif(title, ''), url), '[\x01-\x1f]', ' ', 'g') as name
            from public.feeds where user_id = auth.uid()
        ) as f
    $$;
comment on function public.export_feeds() is 'Your subscriptions as OPML, with the tags of new links as categories.';
revoke execute on function public.import_feeds(text), public.export_feeds() from public;
grant execute on function public.import_feeds(text), public.export_feeds() to authenticated;

-- The caller's links that came from feeds, with the names of those.
create or replace function rest.viewer_feeds() returns table (link_id uuid, title text)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select distinct on (e.link_id) e.link_id, coalesce(nullif(f.title, ''), f.url)
        from private.feed_entries e join private.feeds f on f.id = e.feed_id
        where e.user_id = (select auth.uid()) and e.link_id is not null
        order by e.link_id, f.created_at, f.id
    $$;
revoke execute on function rest.viewer_feeds() from public;
grant execute on function rest.viewer_feeds() to authenticated;

-- What the jobs process calls. Owned by the admin, who sees all rows.
set local role lectern_admin;

-- Leases due feeds, at most `max_per_user` of each user, none of the users in `busy`, none with an address in `under_way`
-- and only one of several with the same address, since others take its document (private.take_copies). Users take turns,
-- so that one with many feeds does not delay another's. Each lease counts as a fetch.
create or replace function private.take_feeds(
    max_rows integer, max_per_user integer, busy uuid[], under_way text[], lease_seconds integer
)
    returns table (id uuid, user_id uuid, url text, fetches integer, copy_url text, etag text, last_modified text)
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    begin
        return query
            with due as (
                select id from (
                    select id, next_fetch_at, row_number() over (partition by user_id order by next_fetch_at, id) as turn
                    from (
                        select id, user_id, next_fetch_at,
                            row_number() over (partition by url order by next_fetch_at, id) as place
                        from private.feeds
                        where not is_paused and next_fetch_at <= now() and user_id <> all (busy)
                            and url <> all (under_way)
                    ) as copies
                    where place = 1
                ) as turns
                where turn <= max_per_user
                order by turn, next_fetch_at, id
                limit max_rows
            )
            update private.feeds f
                set fetches = f.fetches + 1, next_fetch_at = now() + make_interval(secs => lease_seconds)
                from due where f.id = due.id and not f.is_paused and f.next_fetch_at <= now()
                returning f.id, f.user_id, f.url, f.fetches, f.copy_url, f.etag, f.last_modified;
    end
    $$;

-- Leases feeds of other users with the address from which `feed` was just fetched, and that are due soon: what it got is
-- stored for them, too. With `is_unchanged`, only those that have the same document.
create or replace function private.take_copies(
    feed uuid, address text, is_unchanged boolean, max_rows integer, lease_seconds integer
)
    returns table (id uuid, user_id uuid, url text, fetches integer, copy_url text, etag text, last_modified text)
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        -- Half of the time between two fetches.
        soon constant interval := '30 minutes';
    begin
        return query
            with copies as (
                select other.id from private.feeds known
                    join private.feeds other on md5(other.url) = md5(address) and other.url = address
                        and other.user_id <> known.user_id
                where known.id = feed and not other.is_paused and other.next_fetch_at <= now() + soon
                    and (not is_unchanged or (other.copy_url, other.etag, other.last_modified)
                        is not distinct from (known.copy_url, known.etag, known.last_modified))
                order by other.next_fetch_at
                limit max_rows
            )
            update private.feeds f
                set fetches = f.fetches + 1, next_fetch_at = now() + make_interval(secs => lease_seconds)
                from copies where f.id = copies.id
                returning f.id, f.user_id, f.url, f.fetches, f.copy_url, f.etag, f.last_modified;
    end
    $$;

-- Puts a feed off that was not requested, since others are fetching from its site.
create or replace function private.put_off_feed(feed uuid, attempt integer, seconds integer) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update private.feeds set next_fetch_at = now() + make_interval(secs => seconds)
            where id = feed and fetches = attempt
    $$;

-- Ends a fetch that failed. The next one follows after twice the time, from an hour to a day, and not before the site
-- wants it. A feed that is gone, or that failed for about a month, is paused.
create or replace function private.fail_feed(feed uuid, attempt integer, why text, not_before integer, is_gone boolean)
    returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update private.feeds
            set state = 'failed', reason = why, failures = failures + 1, last_fetched_at = now(),
                is_paused = is_gone or failures >= 29,
                next_fetch_at = now() + greatest(
                    least(interval '1 hour' * (2 ^ least(failures, 5)), interval '1 day'),
                    make_interval(secs => least(not_before, 604800)))
            where id = feed and fetches = attempt
    $$;

-- Changes the address of a feed: a page has named it, or the site has moved it for good. Returns false where the user
-- has a feed with that address. With `at_once` the new address is fetched next, at most three times in a row, since
-- pages may name each other.
create or replace function private.move_feed(feed uuid, attempt integer, address text, at_once boolean) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.feeds f
            set url = address, copy_url = null, failures = f.failures + at_once::integer,
                next_fetch_at = case when at_once then now() else f.next_fetch_at end
            where f.id = feed and f.fetches = attempt and not (at_once and f.failures >= 3)
                and not exists (
                    select from private.feeds other
                    where other.user_id = f.user_id and other.url = address and other.id <> f.id);
        return found;
    exception when unique_violation then
        return false;
    end
    $$;

-- Ends a fetch of a document that has not changed.
create or replace function private.keep_feed(feed uuid, attempt integer) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update private.feeds
            set state = 'ok', reason = null, failures = 0, last_fetched_at = now(), last_success_at = now(),
                next_fetch_at = now() + interval '1 hour' * (0.9 + random() * 0.2)
            where id = feed and fetches = attempt
    $$;

-- Which of these entries a feed has not had yet: their places in the array, from 1.
create or replace function private.new_feed_entries(feed uuid, keys text[]) returns setof integer
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select place::integer
        from unnest(keys) with ordinality as given (key, place)
        where not exists (
            select from private.feed_entries e where e.feed_id = feed and e.hash = md5(given.key)::uuid)
        order by place
    $$;

-- Whether a text has one of the words, in any case.
create or replace function private.has_word(given text, words text[]) returns boolean
    language sql immutable
    as $$ select exists (select from unnest(words) as word where position(lower(word) in lower(given)) > 0) $$;

-- Saves an entry as a link of the feed's user, for whom the transaction acts. Returns the link and whether it is new; no
-- link for an entry that cannot be one. A link that exists is left as it is.
create or replace function private.save_feed_entry(
    feed private.feeds, entry jsonb, saved_at timestamptz, out link uuid, out is_new boolean
)
    language plpgsql
    as $$
    begin
        is_new := false;
        link := rest.link_of_url(feed.user_id, entry ->> 'url');
        if link is not null or rest.dedupe_key(entry ->> 'url') is null then
            return;
        end if;
        insert into public.links (user_id, raw_url, title, title_is_text, description, description_is_text, list, is_starred,
                created_at, updated_at, byline, published_at, enclosure_url, enclosure_type, enclosure_duration)
            values (feed.user_id, entry ->> 'url', entry ->> 'title', entry ? 'title', entry ->> 'description',
                entry ? 'description', feed.list, false, saved_at, saved_at, entry ->> 'author',
                to_timestamp((entry ->> 'published')::bigint), entry ->> 'enclosure_url', entry ->> 'enclosure_type',
                (entry ->> 'enclosure_duration')::integer)
            returning id into link;
        is_new := true;
        perform rest.add_tags(link, feed.tags);
        insert into public.collection_links (collection_id, link_id, user_id)
            select c.id, link, c.user_id from public.collections c
            where c.id = feed.collection_id and coalesce(c.query, '') = ''
            on conflict do nothing;
        if entry ? 'html' then
            insert into private.pages (link_id, user_id, url, html, is_article)
                values (link, feed.user_id, entry ->> 'url', entry ->> 'html', (entry ->> 'is_whole')::boolean)
                on conflict do nothing;
        end if;
    exception when others then
        -- Values that do not fit; anything else is no fault of the entry.
        if sqlstate !~ '^(22|23|LT|P0001)' then
            raise;
        end if;
        link := null;
        is_new := false;
    end
    $$;

-- Ends a fetch: saves the new entries of a document as links, the newest first. `document`: {"title", "site_url",
-- "copy_url", "etag", "last_modified", "keys", "entries"}. `keys` are the ids of all entries; an entry has the place of
-- its id and those that the feed has had already may be left out. Entries beyond a limit are saved by a later fetch.
-- `link_quota` and `storage_quota`: 0 for none.
--
-- Returns the number of new links; null: another fetch has begun.
create or replace function private.store_feed(
    feed uuid, attempt integer, document jsonb, link_quota bigint, storage_quota bigint
) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        max_links constant integer := 100;
        max_links_daily constant integer := 1000;
        max_entries constant integer := 10000;
        today constant date := (now() at time zone 'UTC')::date;
        keys constant text[] := array(select jsonb_array_elements_text(document -> 'keys'));
        known private.feeds;
        room bigint := max_links;
        excess text;
        next record;
        link uuid;
        is_new boolean;
        added integer := 0;
        is_complete boolean := true;
    begin
        perform rest.lock_writes(array(select user_id from private.feeds where id = feed));
        select * into known from private.feeds where id = feed and fetches = attempt for update;
        if not found then
            return null;
        end if;
        -- The links are saved as in an import, without a batch: their jobs wait behind links that are saved by hand.
        perform set_config('request.jwt.claims',
                json_build_object('sub', known.user_id, 'role', 'authenticated')::text, true),
            set_config('request.intent', 'import', true), set_config('lectern.batch', 'none', true);
        room := least(room, max_links_daily - coalesce((
            select n from private.daily_counts where user_id = known.user_id and name = 'feed links' and day = today), 0));
        select least(room, links_left), case when links_left < room then why end into room, excess
            from private.room_for_links(known.user_id, link_quota, storage_quota);
        update private.feed_entries e set seen_at = now()
            from unnest(keys) as key
            where e.feed_id = feed and e.hash = md5(key)::uuid and e.seen_at < now() - interval '1 day';
        for next in
            select given.entry, given.hash,
                (known.last_success_at is null and given.turn > known.first_entries
                    or known.keep_words <> '{}' and not private.has_word(given.words, known.keep_words)
                    or private.has_word(given.words, known.skip_words)) as is_unwanted
            from (
                select entry, md5(keys[(entry ->> 'place')::integer])::uuid as hash,
                    concat_ws(' ', entry ->> 'title', entry ->> 'categories') as words,
                    row_number() over (order by (entry ->> 'published')::bigint desc nulls last,
                        (entry ->> 'place')::integer) as turn
                from jsonb_array_elements(document -> 'entries') as entry
            ) as given
            order by turn
        loop
            -- Also for an id that stands twice in the document.
            continue when exists (select from private.feed_entries e where e.feed_id = feed and e.hash = next.hash);
            link := null;
            if not next.is_unwanted then
                if added >= room then
                    is_complete := false;
                    continue;
                end if;
                select made.link, made.is_new into link, is_new
                    from private.save_feed_entry(known, next.entry, now() - added * interval '1 microsecond') as made;
                added := added + is_new::integer;
            end if;
            insert into private.feed_entries (feed_id, hash, user_id, link_id)
                values (feed, next.hash, known.user_id, link)
                on conflict do nothing;
        end loop;
        perform set_config('lectern.batch', '', true);
        insert into private.daily_counts as counted (user_id, name, day, n)
            select known.user_id, 'feed links', today, added where added > 0
            on conflict (user_id, name) do update
                set n = case when counted.day = today then counted.n else 0 end + excluded.n, day = today;
        delete from private.feed_entries e where e.feed_id = feed and (
            e.seen_at < now() - interval '60 days'
                and not exists (select from public.links l where l.id = e.link_id and l.user_id = e.user_id)
            or e.hash in (
                select old.hash from private.feed_entries old where old.feed_id = feed
                order by old.seen_at desc, old.link_id is null offset max_entries));
        perform private.keep_feed(feed, attempt);
        -- A document with entries that wait is fetched again although it has not changed.
        update private.feeds
            set title = coalesce(nullif(title, ''), document ->> 'title'),
                site_url = coalesce(document ->> 'site_url', site_url),
                copy_url = case when is_complete then document ->> 'copy_url' end,
                etag = document ->> 'etag', last_modified = document ->> 'last_modified',
                saved_count = saved_count + added,
                state = case when is_complete or excess is null then 'ok' else 'failed' end,
                reason = case when not is_complete then excess end
            where id = feed;
        return added;
    end
    $$;

revoke execute on function private.take_feeds(integer, integer, uuid[], text[], integer),
    private.take_copies(uuid, text, boolean, integer, integer), private.put_off_feed(uuid, integer, integer),
    private.fail_feed(uuid, integer, text, integer, boolean), private.move_feed(uuid, integer, text, boolean),
    private.keep_feed(uuid, integer), private.new_feed_entries(uuid, text[]), private.has_word(text, text[]),
    private.save_feed_entry(private.feeds, jsonb, timestamptz),
    private.store_feed(uuid, integer, jsonb, bigint, bigint) from public;
grant execute on function private.take_feeds(integer, integer, uuid[], text[], integer),
    private.take_copies(uuid, text, boolean, integer, integer), private.put_off_feed(uuid, integer, integer),
    private.fail_feed(uuid, integer, text, integer, boolean), private.move_feed(uuid, integer, text, boolean),
    private.keep_feed(uuid, integer), private.new_feed_entries(uuid, text[]),
    private.store_feed(uuid, integer, jsonb, bigint, bigint) to lectern_jobs;

set local role lectern_owner;
