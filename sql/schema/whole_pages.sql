-- Articles that are all of their page, because what was found in it may not be the whole article: rpc/show_whole_page.

-- The page that the article of a link of the caller was made from. Runs as the owner because clients may not read the
-- pages that are kept.
create or replace function rest.page_of_article(
    link uuid, out kept_in text, out kind text, out is_article boolean
)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select kept.kept_in, kept.kind, kept.is_article
        from (
            select 'pages' as kept_in, null as kind, is_article, is_source, saved_at as kept_at
                from private.pages
                where link_id = page_of_article.link and user_id = (select auth.uid())
            union all
            select 'sources', sources.kind, sources.is_article, sources.kind = articles.source, sources.kept_at
                from private.sources left join public.articles using (link_id)
                where link_id = page_of_article.link and sources.user_id = (select auth.uid())
        ) as kept
        order by is_source desc nulls last, kept_at desc
        limit 1
    $$;

-- Says whether all of that page is the article. Returns what was said before; null if the page was not kept.
--
-- is_wanted: the next job reads the page again, without the network.
create or replace function rest.mark_whole_page(link uuid, is_whole boolean, is_wanted boolean default false)
    returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        page record;
    begin
        select * into page from rest.page_of_article(link);
        if page.kept_in = 'pages' then
            update private.pages
                set is_article = is_whole, read_by = case when not is_wanted then read_by end
                where link_id = link and user_id = (select auth.uid());
        elsif page.kept_in = 'sources' then
            update private.sources
                set is_article = is_whole, read_by = case when not is_wanted then read_by end
                where link_id = link and user_id = (select auth.uid()) and sources.kind = page.kind;
        end if;
        return page.is_article;
    end
    $$;

create or replace function public.show_whole_page(link uuid) returns setof public.links
    language plpgsql
    as $$
    begin
        if not exists (select from public.links where id = link and user_id = (select auth.uid())) then
            raise exception 'There is no such link.' using errcode = 'LT400';
        end if;
        perform rest.keep_former_article(link);
        if rest.mark_whole_page(link, true, true) is null then
            raise exception 'The server has not kept this page.'
                using errcode = 'LT400', hint = 'Fetch it again, or open the original.';
        end if;
        return query
            update public.links set state = 'pending' where id = link and user_id = (select auth.uid()) returning *;
    end
    $$;

revoke execute on function public.show_whole_page(uuid) from public;
grant execute on function rest.page_of_article(uuid), rest.mark_whole_page(uuid, boolean, boolean)
    to authenticated, lectern_admin;
grant execute on function public.show_whole_page(uuid) to authenticated;

comment on function public.show_whole_page(uuid) is
    'Makes all of the page of a link its article, for an article whose confidence is low. Reads the page that the server '
    'has kept, and keeps the article, which restore_article puts back. Returns the link.';
