-- Articles that are fetched again on demand: rpc/renew_article. The former article is kept until the user has chosen one
-- of the two, or for a month.

-- Keeps the article of a link of the caller; runs as the owner because clients may not write former articles.
create or replace function rest.keep_former_article(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        added bigint;
    begin
        insert into private.former_articles as former (link_id, user_id, article)
            select link_id, user_id, to_jsonb(articles) || jsonb_build_object('is_whole_page', (
                    select is_article from rest.page_of_article(keep_former_article.link)))
            from public.articles
            where link_id = link and user_id = (select auth.uid())
            on conflict on constraint former_articles_pkey do update
            set article = excluded.article, kept_at = now(), is_restored = false
            returning octet_length(article ->> 'content') into added;
        if added > 0 then
            perform private.require_storage((select auth.uid()), added);
        end if;
    end
    $$;

create or replace function public.renew_article(link uuid) returns setof public.links
    language plpgsql
    as $$
    begin
        perform rest.keep_former_article(link);
        return query
            update public.links set state = 'pending' where id = link and user_id = (select auth.uid()) returning *;
        if not found then
            raise exception 'There is no such link.' using errcode = 'LT400';
        end if;
    end
    $$;

create or replace function public.former_article(link uuid) returns jsonb
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select jsonb_build_object('word_count', article -> 'word_count', 'extracted_at', article -> 'extracted_at',
            'is_restored', is_restored, 'is_same', article ->> 'text_content' = articles.text_content)
        from private.former_articles join public.articles using (link_id)
        where link_id = link and former_articles.user_id = (select auth.uid())
    $$;

create or replace function public.keep_article(link uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ delete from private.former_articles where link_id = link and user_id = (select auth.uid()) $$;

revoke execute on function public.renew_article(uuid), public.former_article(uuid), public.keep_article(uuid)
    from public;
grant execute on function rest.keep_former_article(uuid), public.renew_article(uuid), public.former_article(uuid),
    public.keep_article(uuid) to authenticated;

comment on function public.renew_article(uuid) is
    'Fetches the page of a link again and keeps its article, which restore_article puts back. Returns the link.';
comment on function public.former_article(uuid) is
    'What the article of a link was before renew_article: {"word_count", "extracted_at", "is_restored", "is_same"}; null '
    'if none is kept. is_restored: restore_article has exchanged the two. is_same: the texts are the same.';
comment on function public.keep_article(uuid) is 'Keeps the article as it is and deletes the other one.';

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Exchanges an article of the caller with the former one. Highlights are placed again in the other text. Belongs to the
-- admin, since the change counters leave out what the owner of the tables does.
create or replace function public.restore_article(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        kept jsonb;
        former public.articles;
    begin
        perform rest.lock_writes(array[(select auth.uid())]);
        select article into kept
            from private.former_articles where link_id = link and user_id = (select auth.uid()) for update;
        if not found then
            raise exception 'No former article of this link is kept.' using errcode = 'LT400';
        end if;
        former := jsonb_populate_record(null::public.articles, kept);
        update private.former_articles
            set is_restored = not is_restored,
                article = to_jsonb(articles) || jsonb_build_object('is_whole_page', rest.mark_whole_page(
                    restore_article.link, coalesce((kept -> 'is_whole_page')::boolean, false)))
            from public.articles where former_articles.link_id = link and articles.link_id = link;
        -- As it was stored, also the columns that triggers set.
        perform set_config('rest.restoring', 'on', true);
        update public.articles
            set url = former.url, title = former.title, byline = former.byline, content = former.content,
                text_content = former.text_content, excerpt = former.excerpt, site_name = former.site_name,
                lang = former.lang, dir = former.dir, image = former.image, published_time = former.published_time,
                published_at = former.published_at, length = former.length, word_count = former.word_count,
                source = former.source, extracted_at = former.extracted_at,
                extractor_version = former.extractor_version, metadata_is_text = former.metadata_is_text,
                source_reason = former.source_reason, is_whole = former.is_whole, reading_time = former.reading_time,
                -- Articles that were kept before the column was introduced lack it.
                confidence = coalesce(former.confidence, 'normal')
            where link_id = link;
        update public.links set word_count = former.word_count, reading_time = former.reading_time where id = link;
        insert into private.jobs (kind, user_id, link_id)
            values ('place', (select auth.uid()), link)
            on conflict do nothing;
        perform set_config('rest.restoring', '', true);
    end
    $$;

revoke execute on function public.restore_article(uuid) from public;
grant execute on function public.restore_article(uuid) to authenticated;

comment on function public.restore_article(uuid) is
    'Puts back the article that renew_article has kept; called again, the newer one.';

create or replace function private.delete_former_articles(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        deleted bigint := 0;
    begin
        delete from private.former_articles where link_id = any (array(
            select link_id from private.former_articles where kept_at < now() - interval '30 days'
            order by kept_at limit max_rows));
        get diagnostics deleted = row_count;
        return deleted;
    end
    $$;

revoke execute on function private.delete_former_articles(integer) from public;
grant execute on function private.delete_former_articles(integer) to lectern_jobs;

set local role lectern_owner;
