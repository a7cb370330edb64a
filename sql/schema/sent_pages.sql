-- Saving a link together with its page as a client sends it: rpc/save_page.

-- Stores the page that a client sent for a link and queues the link, also while a job is working on it. Returns the
-- page that was stored before. Refuses a larger page than the previous one once the user's storage quota is used up.
-- Runs as the owner because clients may not write pages.
create or replace function rest.replace_page(link_id uuid, url text, html text) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        old jsonb;
        added integer;
    begin
        select to_jsonb(pages) into old from private.pages where pages.link_id = replace_page.link_id for update;
        insert into private.pages (link_id, user_id, url, html)
            values (replace_page.link_id, (select auth.uid()), replace_page.url, replace_page.html)
            on conflict on constraint pages_pkey do update
            set url = excluded.url, html = excluded.html, saved_at = clock_timestamp();
        added := octet_length(replace_page.html) - coalesce(octet_length(old ->> 'html'), 0);
        if added > 0 then
            perform private.require_storage((select auth.uid()), added);
        end if;
        insert into private.jobs (kind, user_id, link_id)
            values ('save', (select auth.uid()), replace_page.link_id)
            on conflict (kind, link_id) where state = 'pending'
            do update set run_at = now(), attempts = 0, interruptions = 0, reason = null, message = null;
        perform pg_notify('lectern_jobs', '');
        return old;
    end
    $$;

-- Gives the caller's link tags by their names; creates those that do not exist. Returns the tags that the link did not
-- have before.
create or replace function rest.add_tags(link uuid, names text[]) returns uuid[]
    language plpgsql
    as $$
    declare
        added uuid[];
    begin
        insert into public.tags (name)
            select distinct on (lower(wanted.name)) wanted.name
            from (
                select regexp_replace(name, '^\s+|\s+$', '', 'g') as name, place
                from unnest(names) with ordinality as given (name, place)
            ) as wanted
            where wanted.name <> ''
            order by lower(wanted.name), wanted.place
            on conflict do nothing;
        with given as (
            insert into public.link_tags (link_id, tag_id)
                select link, tags.id from public.tags
                where tags.user_id = auth.uid() and lower(tags.name) in (
                    select lower(regexp_replace(name, '^\s+|\s+$', '', 'g')) from unnest(names) as given (name))
                on conflict do nothing
                returning tag_id)
        select array_agg(tag_id) into added from given;
        return coalesce(added, '{}');
    end
    $$;

create or replace function public.save_page(
    url text, html text, title text default null, tags text[] default null, list text default null,
    status text default null
) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        saved public.links;
        before jsonb;
        old_page jsonb;
        given_tags uuid[] := '{}';
        target uuid;
        -- Also the limit of private.pages.
        max_bytes constant integer := 10485760;
    begin
        if octet_length(save_page.html) > max_bytes then
            raise exception 'the page is larger than 10 MB'
                using errcode = 'invalid_parameter_value', detail = octet_length(save_page.html) || ' bytes of html';
        end if;
        target := rest.link_of_url(auth.uid(), save_page.url);
        if target is null then
            insert into public.links (raw_url, title, list, status)
                values (save_page.url, save_page.title, coalesce(save_page.list, 'read'),
                    coalesce(save_page.status, 'unread'))
                on conflict (user_id, raw_url) do nothing
                returning * into saved;
            target := coalesce(saved.id, rest.link_of_url(auth.uid(), save_page.url));
        end if;
        if saved.id is null and rest.only_adds() then
            select again.* into saved from rest.save_existing_link(target, '{}') as again;
            if found then
                -- The page is for a link without an article. One that exists is not replaced.
                if saved.state <> 'ready' or saved.reason is not null
                    or exists (select from public.articles where link_id = saved.id and not is_whole)
                then
                    perform rest.replace_page(saved.id, save_page.url, save_page.html);
                end if;
                return next saved;
            end if;
            return;
        end if;
        if saved.id is null then
            select to_jsonb(links) into before from public.links where id = target;
            -- Moves to the top of the list and into the queue, because there is a new page to read.
            select again.* into saved
                from rest.save_existing_link(target, jsonb_build_object(
                    'title', save_page.title, 'list', save_page.list, 'status', save_page.status, 'state', 'pending'))
                        as again;
            if not found then
                -- The request was sent twice, or a later action has been applied.
                return query select * from public.links where id = target;
                return;
            end if;
            if before ->> 'raw_url' <> save_page.url then
                perform rest.record_spellings(
                    target, array[save_page.url], array[null::uuid],
                        array[jsonb_build_object('title', save_page.title)], before);
            end if;
        end if;
        old_page := rest.replace_page(saved.id, save_page.url, save_page.html);
        if save_page.tags is not null then
            given_tags := rest.add_tags(saved.id, save_page.tags);
        end if;
        if before ->> 'raw_url' <> save_page.url then
            perform rest.record_sent_page(saved.id, save_page.url, old_page, given_tags);
        end if;
        return query select * from public.links where id = saved.id;
    end
    $$;
comment on function public.save_page(text, text, text, text[], text, text) is
    'Saves a link together with its page as the client sees it. An API token of the scope save is told the id and the '
    'state only, and leaves a link that exists as it is, but for its article if that is missing or incomplete.';

grant execute on function rest.add_tags(uuid, text[]), rest.replace_page(uuid, text, text), public.save_page(text, text, text, text[], text, text)
    to authenticated;
