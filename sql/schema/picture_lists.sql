-- Listing the pictures of a link.

-- Queues the listing of a link's pictures after a change, whoever wrote it. Runs as the owner because clients may not
-- write to the queue; it uses only the row just written.
create or replace function private.queue_picture_listing() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        link uuid;
    begin
        if tg_table_name = 'links' then
            link := new.id;
        elsif tg_op = 'DELETE' then
            link := old.link_id;
        else
            link := new.link_id;
        end if;
        insert into private.picture_listings (link_id, user_id)
            select id, user_id from public.links where id = link
            on conflict (link_id) do update set state = 'pending', run_at = now(), leased_until = null, attempts = 0;
        perform pg_notify('lectern_pictures', '');
        return null;
    end
    $$;

-- The same for the articles that an undone deletion inserts. See private.queue_books_of_articles.
create or replace function private.queue_picture_listings() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        ids constant uuid[] := array(select link_id from stored);
    begin
        insert into private.picture_listings (link_id, user_id)
            select id, user_id from public.links where id = any (ids) order by id
            on conflict (link_id) do update set state = 'pending', run_at = now(), leased_until = null, attempts = 0;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;

-- The names come before queue_book: whoever ends the listing of a link's pictures locks its row before that of the book,
-- too.
create or replace trigger list_pictures
    after insert on public.articles
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.queue_picture_listing();

create or replace trigger list_restored_pictures
    after insert on public.articles
    referencing new table as stored
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.queue_picture_listings();

create or replace trigger list_pictures_again
    after update on public.articles
    for each row
    when (new.content is distinct from old.content or new.link_id <> old.link_id)
    execute function private.queue_picture_listing();

-- Not for an article deleted with its link: that cascade runs as the tables' owner.
create or replace trigger list_pictures_gone
    after delete on public.articles
    for each row
    when (current_user <> 'lectern_owner')
    execute function private.queue_picture_listing();

create or replace trigger list_pictures
    after update on public.links
    for each row
    when (
        new.state = 'ready' and (old.state <> 'ready' or new.image is distinct from old.image)
        or new.raw_url <> old.raw_url)
    execute function private.queue_picture_listing();

-- Makes the stored list of a link's pictures equal to the given kinds and addresses, in order. Pictures of an article
-- beyond `max_pictures` are recorded and not fetched.
create or replace function rest.list_pictures(link uuid, kinds text[], sources text[], max_pictures integer)
    returns void
    language plpgsql
    as $$
    declare
        owner constant uuid := (select user_id from public.links where id = link);
    begin
        if owner is null then
            return;
        end if;
        -- Skipped pictures are decided again.
        delete from public.link_pictures p
            where link_id = link and (state = 'skipped' or not exists (
                select from unnest(kinds, sources) as shown (kind, source) where shown.kind = p.kind
                    and shown.source = p.source));
        insert into public.link_pictures (link_id, user_id, kind, source, position, state, reason, message)
            select link, owner, kind, source, place, case when place > max_pictures then 'skipped' else 'waiting' end,
                case when place > max_pictures then 'too_many' end,
                case when place > max_pictures
                    then format('The server keeps at most %s pictures per article.', max_pictures) end
            from (
                select kind, source, row_number() over (partition by kind order by min(n)) as place
                from unnest(kinds, sources) with ordinality as shown (kind, source, n) group by kind, source
            ) as shown
            on conflict (link_id, user_id, kind, md5(source)) do update set position = excluded.position
                where link_pictures.position <> excluded.position;
    end
    $$;

-- Whether the caller still holds the lease of a listing. The lock lasts until the transaction ends, so that an article
-- stored in the meantime is listed afterwards.
create or replace function private.holds_listing(link uuid, held_lease integer) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- Locks the link before its listing, in the same order as deleting and merging; another order could deadlock.
        perform from public.links where id = link for key share;
        perform from private.picture_listings where link_id = link and lease = held_lease and state = 'running'
            for update;
        return found;
    end
    $$;

grant execute on function rest.list_pictures(uuid, text[], text[], integer), private.holds_listing(uuid, integer)
    to job_worker;
