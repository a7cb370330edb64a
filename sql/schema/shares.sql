-- Articles that everyone with a link may read: /public/<token>. A share ends when it is revoked, and when its link is
-- deleted.

create or replace view public.shares with (security_invoker = true) as
    select id, user_id, link_id, token, created_at from private.shares;
comment on view public.shares is
    'Articles that everyone with a link may read, at /public/<token>. rpc/share_link shares one and rpc/unshare_link '
    'ends it.';
comment on column public.shares.token is 'The last part of the address. Whoever knows it can read the article.';
grant select on public.shares to authenticated, service_role;

-- Both run as the owner because clients may not write shares.
create or replace function public.share_link(link uuid) returns setof public.shares
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if not exists (select from public.links l where l.id = share_link.link and l.user_id = (select auth.uid())) then
            raise exception 'There is no such link.' using errcode = 'LT400';
        end if;
        insert into private.shares (user_id, link_id) values ((select auth.uid()), share_link.link)
            on conflict (link_id) do nothing;
        return query
            select s.id, s.user_id, s.link_id, s.token, s.created_at from private.shares s
            where s.link_id = share_link.link and s.user_id = (select auth.uid());
    end
    $$;
comment on function public.share_link(uuid) is
    'Lets everyone with a link read the article of a link of yours. Returns the row of shares, the same one when it is '
    'shared already.';

create or replace function public.unshare_link(link uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ delete from private.shares s where s.link_id = unshare_link.link and s.user_id = (select auth.uid()) $$;
comment on function public.unshare_link(uuid) is 'Ends the sharing of an article. Its address answers 404 from then on.';

revoke execute on function public.share_link(uuid), public.unshare_link(uuid) from public;
grant execute on function public.share_link(uuid), public.unshare_link(uuid) to authenticated;

-- Whether an article is shared is part of what clients of other readers see. The functions above run as the owner, so the
-- trigger counts every change.
create or replace trigger count_change after insert or delete on private.shares
    for each row execute function rest.count_change();

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- The article of a token, with the pictures that the server keeps for it. No row if nothing is shared. Called for
-- everyone.
create or replace function private.shared_article(presented text)
    returns table (
        title text, url text, byline text, site_name text, published text, lang text, dir text, content text)
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        share private.shares;
        -- The address of each stored picture, by its address on the page as it stands in the text.
        stored jsonb;
    begin
        select s.* into share from private.shares s join auth.users u on u.id = s.user_id
            where s.token = presented and (u.banned_until is null or u.banned_until <= now());
        select coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''),
                rest.display_text(a.title, a.metadata_is_text)),
            coalesce(l.resolved_url, l.raw_url), rest.display_text(a.byline, a.metadata_is_text),
            coalesce(l.site_name, rest.display_text(a.site_name, a.metadata_is_text)),
            coalesce(to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD'), a.published_time),
            a.lang, a.dir, a.content
            into title, url, byline, site_name, published, lang, dir, content
            from public.links l join public.articles a on a.link_id = l.id where l.id = share.link_id;
        if not found then
            return;
        end if;
        -- Of two pictures from one address, the first one.
        select jsonb_object_agg(replace(source, '&', '&amp;'), address order by position desc) into stored
            from (
                select lp.source, p.address, lp.position
                from public.link_pictures lp join public.pictures p on p.user_id = lp.user_id and p.hash = lp.hash
                where lp.link_id = share.link_id and lp.kind = 'article' and lp.hash is not null
                order by lp.position
                limit 300
            ) as first;
        -- The addresses are values of attributes. In one pass, because the text may be long.
        if stored is not null then
            select coalesce(string_agg(coalesce('../pictures/' || (stored ->> part), part), '"' order by place), '')
                into content
                from unnest(string_to_array(content, '"')) with ordinality as parts (part, place);
        end if;
        return next;
    end
    $$;
revoke execute on function private.shared_article(text) from public;
grant execute on function private.shared_article(text) to auth_service;

set local role lectern_owner;
