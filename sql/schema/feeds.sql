-- What feeds and catalogs list. The worker makes the documents; see Sources/App/Library.

set local role lectern_search;

-- A page of the caller's links that a query finds: ids in order, and the cursor of the next page. With `has_article`,
-- only links with an article.
create or replace function rest.feed_page(
    query text, max_links integer, "cursor" text, has_article boolean, out ids uuid[], out next text
)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select page.ids, page.next from private.search_page(
            query, max_links, "cursor",
            case when has_article then
                'exists (select from public.articles a where a.link_id = l.id and a.user_id = l.user_id)' end) as page
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

-- The small picture of a link that the server keeps: its path below /pictures/.
create or replace function rest.preview_picture(link uuid) returns text
    language sql stable
    as $$
        select p.address from public.link_pictures lp
            join public.pictures p on p.user_id = lp.user_id and p.hash = lp.hash
            where lp.link_id = link and lp.state = 'kept' and lp.kind in ('preview', 'article')
            order by lp.kind = 'preview' desc, lp.position limit 1
    $$;

grant execute on function rest.feed_time(timestamptz), rest.preview_picture(uuid) to authenticated;
