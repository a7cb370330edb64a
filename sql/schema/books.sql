-- The book (EPUB) of each article: the jobs process makes it when the article, its pictures, its title, its tags, its
-- highlights or its note change, so that a request finds it ready. Stars and lists do not change a book: e-readers lose
-- their place in a file that has changed.

-- Has the book of a link made again. Whoever makes it now loses the lease, since it may have read an older article. A
-- moment passes first, as changes come in groups: an article with its title, a highlight with its note. A book that
-- this transaction has already queued is not written again: thousands of versions of one row would take PostgreSQL many
-- seconds.
create or replace function private.queue_book(link uuid, delay interval) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.link_books
            set state = 'pending', run_at = now() + delay, lease = lease + 1, leased_until = null, attempts = 0
            where link_id = link
                and (state <> 'pending' or xmin <> pg_current_xact_id()::xid or run_at > now() + delay);
        if found then
            perform pg_notify('lectern_books', '');
        end if;
    end
    $$;

create or replace function private.queue_book_of_article() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tg_op <> 'INSERT' and (tg_op = 'DELETE' or new.link_id <> old.link_id) then
            delete from private.link_books where link_id = old.link_id;
        end if;
        if tg_op <> 'DELETE' then
            insert into private.link_books (link_id, user_id, run_at)
                select id, user_id, now() + interval '0.5 seconds' from public.links where id = new.link_id
                on conflict (link_id) do nothing;
            if found then
                perform pg_notify('lectern_books', '');
            else
                perform private.queue_book(new.link_id, interval '0.5 seconds');
            end if;
        end if;
        return null;
    end
    $$;

-- The same for the articles that an undone deletion inserts, thousands at once. While rest.restoring is on, this trigger
-- runs instead of the one for each row, and nothing else inserts articles. The list of ids makes PostgreSQL read
-- links by their primary key, also with a plan that it made for another number of articles. A single article is queued
-- faster by the trigger for each row.
create or replace function private.queue_books_of_articles() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        ids constant uuid[] := array(select link_id from stored);
    begin
        insert into private.link_books as known (link_id, user_id, run_at)
            select id, user_id, now() + interval '0.5 seconds' from public.links where id = any (ids) order by id
            on conflict (link_id) do update
            set state = 'pending', run_at = excluded.run_at, lease = known.lease + 1, leased_until = null,
                attempts = 0;
        if found then
            perform pg_notify('lectern_books', '');
        end if;
        return null;
    end
    $$;

create or replace trigger queue_book
    after insert on public.articles
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.queue_book_of_article();

create or replace trigger queue_restored_books
    after insert on public.articles
    referencing new table as stored
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.queue_books_of_articles();

create or replace trigger queue_book_again
    after update on public.articles
    for each row
    when ((new.link_id, new.url, new.title, new.content, new.byline, new.site_name, new.lang, new.dir, new.excerpt,
        new.published_at) is distinct from (old.link_id, old.url, old.title, old.content, old.byline, old.site_name,
        old.lang, old.dir, old.excerpt, old.published_at))
    execute function private.queue_book_of_article();

-- Not for an article deleted with its link: that cascade runs as the tables' owner, and deletes the book, too.
create or replace trigger queue_book_gone
    after delete on public.articles
    for each row
    when (current_user <> 'lectern_owner')
    execute function private.queue_book_of_article();

create or replace function private.queue_book_of_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.queue_book(new.id, interval '0.5 seconds');
        return null;
    end
    $$;

create or replace trigger queue_book
    after update on public.links
    for each row
    when (new.title is distinct from old.title)
    execute function private.queue_book_of_link();

-- The books of links that are deleted together are deleted with them, and those that get several parts from the trash
-- are queued by private.queue_books_of_tags.
create or replace function private.queue_book_of_part() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tg_op <> 'INSERT' then
            perform private.queue_book(old.link_id, interval '0.5 seconds');
        end if;
        if tg_op <> 'DELETE' then
            perform private.queue_book(new.link_id, interval '0.5 seconds');
        end if;
        return null;
    end
    $$;

create or replace trigger queue_book
    after insert or delete on public.highlights
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.queue_book_of_part();
create or replace trigger queue_book_again
    after update on public.highlights
    for each row
    when ((new.link_id, new.quote, new.note, new.start_offset, new.end_offset) is distinct from
        (old.link_id, old.quote, old.note, old.start_offset, old.end_offset))
    execute function private.queue_book_of_part();

create or replace trigger queue_book
    after insert or delete on public.notes
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on'
        and current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.queue_book_of_part();
create or replace trigger queue_book_again
    after update on public.notes
    for each row
    when ((new.link_id, new.body) is distinct from (old.link_id, old.body))
    execute function private.queue_book_of_part();

-- Per statement, since tags are often added to thousands of links at once. It also queues the books of links whose
-- highlights and notes come from the trash. The delay is longer than that of other changes: a user adds one tag after
-- the other.
create or replace function private.queue_books_of_tags() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        links uuid[];
    begin
        if tg_table_name = 'tags' then
            links := array(
                select lt.link_id from after join before on before.id = after.id
                    join public.link_tags lt on lt.tag_id = after.id
                where after.name <> before.name);
        elsif tg_op = 'INSERT' then
            links := array(select distinct link_id from after);
        elsif tg_op = 'DELETE' then
            links := array(select link_id from before);
        else
            links := array(select link_id from after union select link_id from before);
        end if;
        update private.link_books
            set state = 'pending', run_at = now() + interval '2 seconds', lease = lease + 1, leased_until = null,
                attempts = 0
            where link_id = any (links);
        if found then
            perform pg_notify('lectern_books', '');
        end if;
        return null;
    end
    $$;

create or replace trigger queue_restored_books
    after insert on public.highlights
    referencing new table as after
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.queue_books_of_tags();
create or replace trigger queue_restored_books
    after insert on public.notes
    referencing new table as after
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.queue_books_of_tags();
create or replace trigger queue_books_tagged
    after insert on public.link_tags
    referencing new table as after
    for each statement
    execute function private.queue_books_of_tags();
create or replace trigger queue_books_untagged
    after delete on public.link_tags
    referencing old table as before
    for each statement
    when (current_setting('rest.trashed', true) is distinct from 'on')
    execute function private.queue_books_of_tags();
create or replace trigger queue_books_retagged
    after update on public.link_tags
    referencing old table as before new table as after
    for each statement
    execute function private.queue_books_of_tags();
create or replace trigger queue_books_of_renamed
    after update on public.tags
    referencing old table as before new table as after
    for each statement
    execute function private.queue_books_of_tags();

-- Whether pictures of an article are still to be fetched for the first time. Those that are retried, which may take
-- hours, do not hold up the book; it is made again when they are there.
create or replace function private.awaits_pictures(link uuid) returns boolean
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select exists (select from private.picture_listings where link_id = link and state <> 'done')
            or exists (
                select from public.link_pictures p join private.picture_jobs j on j.picture_id = p.id
                where p.link_id = link and p.kind = 'article' and p.state = 'waiting' and j.attempts = 0)
    $$;

create or replace function private.queue_book_of_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        link uuid;
    begin
        for link in
            select distinct after.link_id from after join before on before.id = after.id
            where after.kind = 'article'
                and (after.state, after.hash) is distinct from (before.state, before.hash)
        loop
            -- A book that was made before waits from the first picture on: of two transactions that store the last
            -- two, each sees the other's picture as missing.
            if not private.awaits_pictures(link) or exists (
                select from private.link_books where link_id = link and state in ('done', 'failed')) then
                perform private.queue_book(link, interval '0');
            end if;
        end loop;
        return null;
    end
    $$;

create or replace trigger queue_book
    after update on public.link_pictures
    referencing old table as before new table as after
    for each statement
    execute function private.queue_book_of_pictures();

-- Wakes a book that may be waiting: when its pictures are listed, and when one of the last is there. Whether pictures
-- are still missing is looked up when the book is taken, since two that end at the same time do not see each other.
-- The lease changes too: who holds it may have looked a moment ago. A book that is due is written, too, since another
-- transaction may be leasing it, which does not see these pictures.
create or replace function private.wake_book() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        last_pictures constant integer := 20;
        link constant uuid := case tg_table_name when 'picture_listings' then (to_jsonb(new) ->> 'link_id')::uuid
            else (select p.link_id from public.link_pictures p where p.id = (to_jsonb(old) ->> 'picture_id')::uuid) end;
    begin
        if link is null or (
            select count(*) from (
                select from public.link_pictures p
                where p.link_id = link and p.kind = 'article' and p.state = 'waiting' limit last_pictures
            ) as waiting) = last_pictures then
            return null;
        end if;
        update private.link_books
            set state = 'pending', run_at = least(run_at, now()), lease = lease + 1, leased_until = null, attempts = 0
            where link_id = link and state in ('pending', 'running');
        if found then
            perform pg_notify('lectern_books', '');
        end if;
        return null;
    end
    $$;

create or replace trigger wake_book
    after update on private.picture_listings
    for each row
    when (new.state = 'done' and old.state <> 'done')
    execute function private.wake_book();
create or replace trigger wake_book
    after delete on private.picture_jobs
    for each row
    execute function private.wake_book();
create or replace trigger wake_book_after_attempt
    after update on private.picture_jobs
    for each row
    when (new.attempts > 0 and old.attempts = 0)
    execute function private.wake_book();

-- Those of the given hashes that belong to no book.
create or replace function private.unknown_books(hashes text[]) returns setof text
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select known from unnest(hashes) as known
        where not exists (select from private.link_books where hash = known)
            and not exists (select from private.link_books where marked_hash = known)
            and not exists (select from private.made_books where hash = known)
            and not exists (select from private.made_books where marked_hash = known)
    $$;

-- The file of the caller's book of a link, or of a book of several articles, and its title; no row while there is none.
-- Runs as the owner because nobody may read the table. In plpgsql, whose plans a session keeps: planning took longer than
-- the rest of a request.
create or replace function rest.book(link uuid, with_highlights boolean) returns table (hash text, title text)
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return query
            select case when with_highlights then coalesce(b.marked_hash, b.hash) else b.hash end,
                coalesce(rest.display_text(l.title, l.title_is_text), '')
            from private.link_books b join public.links l on l.id = b.link_id
            where b.link_id = link and b.user_id = (select auth.uid()) and b.hash is not null;
        if not found then
            return query
                select case when with_highlights then coalesce(b.marked_hash, b.hash) else b.hash end, b.title
                from private.made_books b
                where b.id = link and b.user_id = (select auth.uid()) and b.hash is not null;
        end if;
    end
    $$;

-- Moves the book of a link to the front of the queue, and the pictures that it waits for before others of its user,
-- unless another transaction is changing them. Whether it still waits for them is looked up at once. A book that was
-- given up some time ago is tried again.
create or replace function private.make_book_first(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.picture_listings set is_wanted = true, run_at = 'epoch'
            where link_id = (
                select p.link_id from private.picture_listings p
                where p.link_id = link and p.state = 'pending' and not p.is_wanted
                for update skip locked);
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        perform private.put_pictures_first(link);
        update private.link_books
            set state = 'pending', requested_at = now(),
                run_at = case attempts when 0 then least(run_at, now()) else run_at end,
                attempts = case state when 'failed' then 0 else attempts end
            where link_id = (
                select b.link_id from private.link_books b
                where b.link_id = link and b.hash is null
                    and (b.state = 'pending' and b.requested_at is null
                        or b.state = 'failed' and b.run_at < now() - interval '10 minutes')
                for update skip locked);
        if found then
            perform pg_notify('lectern_books', '');
        end if;
    end
    $$;

-- The same for the caller's book, because an e-reader asked for it before it was made. At most three books of a user
-- that can be made are in front at a time. Parallel requests may add a few. Runs as the owner because nobody may write
-- the table.
create or replace function rest.request_book(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        me constant uuid := (select auth.uid());
    begin
        if exists (select from private.link_books b where b.link_id = link and b.user_id = me)
            and (select count(*) filter (where b.run_at <= now()) < 3 and count(*) < 20 from private.link_books b
                where b.user_id = me and b.state = 'pending' and b.requested_at is not null) then
            perform private.make_book_first(link);
        end if;
    end
    $$;

revoke execute on function private.queue_book(uuid, interval), private.make_book_first(uuid),
    private.awaits_pictures(uuid), private.unknown_books(text[]), rest.book(uuid, boolean), rest.request_book(uuid)
    from public;
grant execute on function private.awaits_pictures(uuid), private.unknown_books(text[]) to lectern_jobs;
grant execute on function rest.book(uuid, boolean), rest.request_book(uuid) to authenticated;
