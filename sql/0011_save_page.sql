-- Saving with the page in hand, and merging tags.

-- Keeps the page of an own link; the foreign key refuses another's. Runs as the owner because nobody may write pages.
create function rest.keep_page(link_id uuid, url text, html text) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        insert into private.pages (link_id, user_id, url, html)
            values (link_id, (select auth.uid()), url, html)
            on conflict on constraint pages_pkey do update
            set url = excluded.url, html = excluded.html, saved_at = now()
    $$;

create function public.save_page(
    url text, html text, title text default null, tags text[] default null, list text default null,
    status text default null
) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        saved public.links;
        -- Also the limit of private.pages.
        most_bytes constant integer := 10485760;
    begin
        if octet_length(save_page.html) > most_bytes then
            raise exception 'the page is larger than 10 MB'
                using errcode = 'invalid_parameter_value', detail = octet_length(save_page.html) || ' bytes of html';
        end if;
        insert into public.links (raw_url, title, list, status)
            values (save_page.url, save_page.title, coalesce(save_page.list, 'read'), coalesce(save_page.status, 'unread'))
            on conflict (user_id, raw_url) do nothing
            returning * into saved;
        if not found then
            select * into saved from public.links where user_id = auth.uid() and raw_url = save_page.url;
            -- Back to the top of the list, and to the jobs, as there is a new page to read. A title that stays is not
            -- named: naming it would say something about the star.
            if saved.title is null and save_page.title is not null then
                update public.links
                    set title = save_page.title, list = coalesce(save_page.list, list),
                        status = coalesce(save_page.status, status), state = 'pending'
                    where id = saved.id;
            else
                update public.links
                    set list = coalesce(save_page.list, list), status = coalesce(save_page.status, status),
                        state = 'pending'
                    where id = saved.id;
            end if;
            if not found then
                -- Sent twice, or overtaken by a later action.
                return query select * from public.links where id = saved.id;
                return;
            end if;
        end if;
        perform rest.keep_page(saved.id, save_page.url, save_page.html);
        if save_page.tags is not null then
            insert into public.tags (name)
                select distinct on (lower(wanted.name)) wanted.name
                from (
                    select regexp_replace(name, '^\s+|\s+$', '', 'g') as name, place
                    from unnest(save_page.tags) with ordinality as given (name, place)
                ) as wanted
                where wanted.name <> ''
                order by lower(wanted.name), wanted.place
                on conflict do nothing;
            insert into public.link_tags (link_id, tag_id)
                select saved.id, tags.id from public.tags
                where tags.user_id = auth.uid() and lower(tags.name) in (
                    select lower(regexp_replace(name, '^\s+|\s+$', '', 'g')) from unnest(save_page.tags) as given (name))
                on conflict do nothing;
        end if;
        return query select * from public.links where id = saved.id;
    end
    $$;

create function public.merge_tags(from_tag uuid, into_tag uuid) returns setof public.tags
    language plpgsql
    as $$
    begin
        -- Waits for a deletion under way, and keeps another away.
        perform from public.tags where id = into_tag for update;
        if found and from_tag <> into_tag then
            insert into public.link_tags (link_id, tag_id, user_id)
                select link_tags.link_id, into_tag, link_tags.user_id from public.link_tags
                where link_tags.tag_id = from_tag
                on conflict do nothing;
            delete from public.tags where id = from_tag;
        end if;
        return query select * from public.tags where id = into_tag;
    end
    $$;

grant execute on function rest.keep_page(uuid, text, text),
    public.save_page(text, text, text, text[], text, text), public.merge_tags(uuid, uuid)
    to authenticated;

comment on function public.save_page(text, text, text, text[], text, text) is 'Saves a link together with the page as the client sees it.';
comment on function public.merge_tags(uuid, uuid) is 'Gives all links of one tag another one instead, and deletes the first.';
