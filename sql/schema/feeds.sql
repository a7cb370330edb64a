-- What feeds and catalogs list. The worker makes the documents; see Sources/App/Feeds.

set local role lectern_search;

-- A page of the caller's links that a query finds: ids in order, and the cursor of the next page. With `has_article`,
-- only links with an article.
create or replace function rest.feed_page(
    query text, max_links integer, "cursor" text, has_article boolean, out ids uuid[], out next text
)
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        select page.ids, page.next into ids, next from private.search_page(
            feed_page.query, max_links, feed_page."cursor",
            case when has_article then
                'exists (select from public.articles a where a.link_id = l.id and a.user_id = l.user_id)' end) as page;
    end
    $$;

revoke execute on function rest.feed_page(text, integer, text, boolean) from public;
grant execute on function rest.feed_page(text, integer, text, boolean) to authenticated;

set local role lectern_owner;

-- A time in RFC 3339, or null for one that has no such text.
create or replace function rest.feed_time(value timestamptz) returns text
    language sql stable
    as $$
        select case when value >= '0001-01-01 00:00Z' and value < '9999-12-31 00:00Z'
            then to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end
    $$;

grant execute on function rest.feed_time(timestamptz) to authenticated;
