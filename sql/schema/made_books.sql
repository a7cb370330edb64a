-- Books of several articles, which users ask for with rpc/make_book. The jobs process makes them; the books of single
-- articles are in books.sql.

set local role lectern_search;

-- The caller's links with an article that a query finds, in an order of `sort:`; null: the order of the query, or the
-- newest first. With `among`, those of these links.
create or replace function rest.book_links(query text, sort text, among uuid[], max_links integer) returns uuid[]
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        parsed constant jsonb := private.parsed_query(query);
        queries constant text := current_setting('request.queries', true);
        sorted constant jsonb := parsed || jsonb_build_object(
            'sort', coalesce(book_links.sort, parsed ->> 'sort', 'newest'));
        ids uuid[];
    begin
        perform set_config('request.queries', jsonb_build_object(coalesce(query, ''), sorted)::text, true);
        select page.ids into ids from private.search_page(query, max_links, null,
            'exists (select from public.articles a where a.link_id = l.id and a.user_id = l.user_id)'
                || case when among is null then '' else format(' and l.id = any (%L::uuid[])', among) end) as page;
        perform set_config('request.queries', coalesce(queries, ''), true);
        return ids;
    end
    $$;

revoke execute on function rest.book_links(text, text, uuid[], integer) from public;
grant execute on function rest.book_links(text, text, uuid[], integer) to lectern_owner;

set local role lectern_owner;

-- Counts what a user does, and returns whether the user may do it so often in a day (UTC).
create or replace function private.count_daily(owner uuid, what text, allowed integer) returns boolean
    language sql
    as $$
        insert into private.daily_counts as known (user_id, name, day, n)
            values (owner, what, (now() at time zone 'UTC')::date, 1)
            on conflict (user_id, name) do update
                set n = case when known.day = excluded.day then least(known.n, allowed) + 1 else 1 end,
                    day = excluded.day
            returning n <= allowed
    $$;

create or replace view public.books with (security_invoker = true) as
    select id, user_id, title, query,
        case state when 'done' then 'ready' when 'failed' then 'failed' else 'pending' end as state,
        coalesce(articles, cardinality(link_ids)) as links, bytes, made_at, reason, created_at, link_ids
    from private.made_books;
comment on view public.books is
    'Books of several articles that make_book has been asked for. The file of a ready one is at /books/<id>.epub. Rows '
    'can be deleted, and the file with them.';
comment on column public.books.state is 'pending, ready or failed.';
comment on column public.books.links is 'The number of articles in the book.';
comment on column public.books.link_ids is 'The links of the articles, in the order of the book.';
comment on column public.books.bytes is 'Bytes of the file without highlights.';
comment on column public.books.reason is 'Why the book could not be made.';
grant select, delete on public.books to authenticated;

create or replace function public.make_book(
    query text, title text default null, "order" text default null, links uuid[] default null
) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_articles constant integer := 500;
        max_books constant integer := 100;
        max_daily constant integer := 100;
        me constant uuid := auth.uid();
        name constant text := coalesce(nullif(btrim(make_book.title), ''), nullif(btrim(make_book.query), ''),
            'All articles');
        ids uuid[];
        made uuid;
    begin
        if me is null then
            raise exception 'Only a signed-in user can make books.' using errcode = '42501';
        elsif make_book."order" not in ('newest', 'oldest', 'relevance', 'title', 'longest', 'shortest', 'random') then
            raise exception 'order is %, but must be newest, oldest, relevance, title, longest, shortest or random',
                to_json(make_book."order") using errcode = 'LT400';
        elsif length(btrim(make_book.title)) > 500 then
            raise exception 'The title of a book has at most 500 characters' using errcode = 'LT400';
        end if;
        -- For a call that does not come over /rest/v1/, which has taken the lock.
        perform rest.lock_writes(array[me]);
        perform private.require_storage(me, 0);
        ids := rest.book_links(make_book.query, make_book."order", make_book.links, max_articles + 1);
        if coalesce(cardinality(ids), 0) = 0 then
            raise exception 'The query finds no link with an article' using errcode = 'LT400',
                hint = 'Links that are still being fetched, or whose page has no article, cannot be in a book.';
        elsif cardinality(ids) > max_articles then
            raise exception 'The book would have more than % articles', max_articles using errcode = 'LT400',
                hint = 'Restrict the query, for example with before: or after:.';
        elsif (select count(*) from private.made_books where user_id = me) >= max_books then
            raise exception 'A user can have at most % books of several articles', max_books
                using errcode = 'LT409', hint = 'Delete some books first.';
        elsif not private.count_daily(me, 'books', max_daily) then
            raise exception 'A user can have at most % books made in a day', max_daily
                using errcode = 'LT429', hint = 'Try again tomorrow.';
        end if;
        insert into private.made_books (user_id, title, query, link_ids)
            values (me, left(name, 500), coalesce(make_book.query, ''), ids)
            returning id into made;
        return jsonb_build_object('id', made);
    end
    $$;
comment on function public.make_book(text, text, text, uuid[]) is
    'Makes one book of the articles that a query finds, at most 500, and returns {"id"}: a row of books. The order is '
    'one of newest (the default, unless the query has sort:), oldest, relevance, title, longest, shortest and random. '
    'With links, only those of these links that the query finds.';

create or replace function private.notify_made_books() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_made_books', '');
        return null;
    end
    $$;

create or replace trigger notify_made_books after insert on private.made_books
    for each statement execute function private.notify_made_books();

-- Whether pictures of the articles of a book are still to be fetched for the first time. A book waits for them some
-- minutes at most.
create or replace function private.made_book_awaits_pictures(links uuid[], since timestamptz) returns boolean
    language sql stable
    as $$
        select since > now() - interval '10 minutes'
            and exists (select from unnest(links) as link where private.awaits_pictures(link))
    $$;

revoke execute on function private.count_daily(uuid, text, integer),
    private.made_book_awaits_pictures(uuid[], timestamptz), public.make_book(text, text, text, uuid[]) from public;
grant execute on function private.made_book_awaits_pictures(uuid[], timestamptz) to lectern_jobs;
grant execute on function public.make_book(text, text, text, uuid[]) to authenticated;
