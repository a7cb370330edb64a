-- Reports of articles that look wrong. They keep the page for the admin of this server and are sent nowhere.

-- Refuses anybody but an admin. The claims of a token may be outdated, so the account itself is checked. API tokens
-- never act as an admin.
create or replace function private.require_admin(message text) returns void
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if current_setting('role') <> 'service_role' and not exists (
            select from auth.users join auth.sessions on sessions.user_id = users.id
            where users.id = auth.uid() and sessions.id::text = auth.jwt() ->> 'session_id'
                and users.app_metadata -> 'admin' = 'true')
        then
            raise exception '%', message using errcode = '42501';
        end if;
    end
    $$;

-- Runs as the owner because clients may not read the pages that are kept.
create or replace function public.report_article(link uuid, note text default null) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        reporter constant uuid := auth.uid();
        max_reports constant integer := 50;
        bytes bigint;
    begin
        perform from public.links where id = link and user_id = reporter for no key update;
        if not found then
            raise exception 'There is no such link.' using errcode = 'LT400';
        end if;
        if max_reports <= (
            select count(*) from private.article_reports where user_id = reporter and link_id <> link)
        then
            raise exception 'You have % open reports, which is the maximum.', max_reports
                using errcode = 'LT400', hint = 'Withdraw one, or wait until the administrator has closed one.';
        end if;
        insert into private.article_reports as report (
                link_id, user_id, note, url, content_type, html, content, extractor_version)
            select links.id, links.user_id, nullif(btrim(report_article.note), ''),
                coalesce(page.url, articles.url, links.raw_url), page.content_type, page.html, articles.content,
                articles.extractor_version
            from public.links left join public.articles on articles.link_id = links.id
            left join lateral (
                select url, content_type, html
                from (
                    select url, 'text/html' as content_type, html, is_source, saved_at as kept_at from private.pages
                        where link_id = links.id
                    union all
                    select url, content_type, html, kind = articles.source, kept_at from private.sources
                        where link_id = links.id
                ) as kept
                order by is_source desc, kept_at desc
                limit 1
            ) as page on true
            where links.id = link
            on conflict on constraint article_reports_pkey do update
            set note = excluded.note, url = excluded.url, content_type = excluded.content_type, html = excluded.html,
                content = excluded.content, extractor_version = excluded.extractor_version, reported_at = now()
            returning octet_length(html) into bytes;
        perform private.require_storage(reporter, coalesce(bytes, 0));
        return jsonb_build_object('has_page', bytes is not null);
    end
    $$;

create or replace function public.withdraw_report(link uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ delete from private.article_reports where link_id = link and user_id = auth.uid() $$;

revoke execute on function private.require_admin(text), public.report_article(uuid, text),
    public.withdraw_report(uuid) from public;
grant execute on function private.require_admin(text) to lectern_admin, authenticated, service_role;
grant execute on function public.report_article(uuid, text), public.withdraw_report(uuid) to authenticated;

comment on function public.report_article(uuid, text) is
    'Reports that the article of a link looks wrong. Keeps the page, the article and the note (1000 characters at most) '
    'for the administrator of this server. Returns {"has_page"}: whether the page was kept.';
comment on function public.withdraw_report(uuid) is 'Deletes the report of a link.';

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

create or replace function public.article_reports() returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.require_admin('Only admins can see what was reported.');
        return (
            select coalesce(jsonb_agg(to_jsonb(known) order by known.reported_at desc), '[]')
            from (
                select link_id, users.email, url, note, extractor_version, reported_at, octet_length(html) as bytes
                from private.article_reports join auth.users on users.id = user_id
                order by reported_at desc limit 1000
            ) as known);
    end
    $$;

create or replace function public.reported_page(link uuid) returns jsonb
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.require_admin('Only admins can see what was reported.');
        return (
            select jsonb_build_object('url', url, 'content_type', content_type, 'html', html, 'content', content)
            from private.article_reports where link_id = link);
    end
    $$;

create or replace function public.close_report(link uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.require_admin('Only admins can close reports.');
        delete from private.article_reports where link_id = link;
    end
    $$;

revoke execute on function public.article_reports(), public.reported_page(uuid), public.close_report(uuid) from public;
grant execute on function public.article_reports(), public.reported_page(uuid), public.close_report(uuid)
    to authenticated, service_role;

comment on function public.article_reports() is
    'For admins: the articles that users reported, the newest 1000 first, as [{link_id, email, url, note, '
    'extractor_version, reported_at, bytes}]. bytes: of the page; null if it was not kept.';
comment on function public.reported_page(uuid) is
    'For admins: the page and the article of a report, {"url", "content_type", "html", "content"}; null if there is no '
    'such report.';
comment on function public.close_report(uuid) is 'For admins: deletes a report.';

set local role lectern_owner;
