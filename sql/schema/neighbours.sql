-- What the APIs of other readers write, and how they write values; see Sources/Neighbours, which has the statements
-- that read.

-- A time as wallabag writes it; null for one that has no such text.
create or replace function rest.wallabag_time(value timestamptz) returns text
    language sql stable
    as $$ select replace(rest.feed_time(value), 'Z', '+0000') $$;

-- The name of a tag as part of an address.
create or replace function rest.slug(name text) returns text
    language sql immutable
    as $$ select btrim(regexp_replace(lower(name), '[^[:alnum:]]+', '-', 'g'), '-') $$;

-- Saves a page as POST /rest/v1/links and rpc/save_page do. `given` has values of columns of links; with `html`, the page
-- comes along. A page that exists gets the values that are given, but none from a caller who only adds links.
create or replace function rest.save_for_neighbour(url text, given jsonb, html text, tag_names text[], note text default null)
    returns table (id uuid, state text)
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        page record;
        saved public.links;
        is_new boolean;
        columns constant text[] := array(select jsonb_object_keys(given)) || 'raw_url'::text;
    begin
        if html is null then
            select made.saved as link, made.is_new as fresh into page from rest.save_links(
                jsonb_build_array(given || jsonb_build_object('raw_url', url)), columns, 'merge-duplicates',
                '{user_id,raw_url}', false) as made;
            saved := page.link;
            is_new := page.fresh;
        else
            is_new := rest.link_of_url(auth.uid(), url) is null;
            select known.* into saved
                from public.save_page(url, html, given ->> 'title', null, given ->> 'list', null) as known;
        end if;
        if saved.id is not null and (is_new or not rest.only_adds()) then
            if html is not null then
                perform rest.change_for_neighbour(saved.id, given - '{title,list}'::text[]);
            end if;
            perform rest.add_tags(saved.id, tag_names);
            perform rest.write_note(saved.id, note);
        end if;
        return query select saved.id, saved.state where saved.id is not null;
    end
    $$;

-- Replaces the note of a link; null leaves it as it is.
create or replace function rest.write_note(link uuid, body text) returns void
    language sql
    as $$
        insert into public.notes as known (link_id, body) select link, write_note.body where write_note.body is not null
            on conflict (link_id, user_id) do update set body = excluded.body
    $$;

-- Gives columns of a link the values of an object.
create or replace function rest.change_for_neighbour(link uuid, given jsonb) returns void
    language plpgsql
    as $$
    declare
        columns constant text := (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(given) as key);
    begin
        if columns is not null then
            execute format(
                'update public.links set (%1$s) = (select %1$s from jsonb_populate_record(null::public.links, $1))
                where id = $2', columns) using given, link;
        end if;
    end
    $$;

-- Gives a link these tags and no others.
create or replace function rest.replace_tags(link uuid, names text[]) returns void
    language plpgsql
    as $$
    begin
        delete from public.link_tags lt using public.tags t
            where lt.link_id = link and t.id = lt.tag_id and not lower(t.name) = any (
                select lower(btrim(name)) from unnest(names) as name);
        perform rest.add_tags(link, names);
    end
    $$;

-- The name of a tag as linkding has it: without blanks, because its clients separate tags by them.
create or replace function rest.linkding_tag(name text) returns text
    language sql immutable
    as $$ select replace(btrim(name), ' ', '-') $$;

-- The tags that names of linkding stand for: those of the link that are shown with this name, or else another tag of the
-- caller. A name that no tag has gets hyphens for its blanks.
create or replace function rest.linkding_tags(link uuid, names text[]) returns text[]
    language sql stable
    as $$
        with given as (
            select lower(name) as key, min(name) as name
            from (select rest.linkding_tag(name) as name from unnest(names) as name) as named
            where name <> ''
            group by lower(name)
        ), known as (
            select t.name, lower(rest.linkding_tag(t.name)) as key, lt.tag_id is not null as is_of_link,
                row_number() over (
                    partition by lower(rest.linkding_tag(t.name))
                    order by lt.tag_id is null, t.name like '% %', t.name) as place
            from public.tags t left join public.link_tags lt on lt.tag_id = t.id and lt.link_id = link
            where t.user_id = (select auth.uid())
        )
        select coalesce(array_agg(coalesce(known.name, given.name)), '{}')
        from given left join known on known.key = given.key and (known.is_of_link or known.place = 1)
    $$;

-- Fails if texts that a response would hold are longer than a response may be; see RESPONSE_LIMIT. The clients have no
-- parameter for it, and a note or a highlight can be long.
create or replace function rest.fits_response(bytes bigint) returns boolean
    language plpgsql immutable
    as $$
    begin
        if bytes > 20971520 then
            raise exception 'The response would be larger than 20 MB. Ask for fewer rows.'
                using errcode = 'program_limit_exceeded';
        end if;
        return true;
    end
    $$;
revoke execute on function rest.fits_response(bigint) from public;
grant execute on function rest.fits_response(bigint) to authenticated;

grant execute on function rest.wallabag_time(timestamptz), rest.slug(text),
    rest.save_for_neighbour(text, jsonb, text, text[], text), rest.write_note(uuid, text),
    rest.change_for_neighbour(uuid, jsonb), rest.replace_tags(uuid, text[]), rest.linkding_tag(text),
    rest.linkding_tags(uuid, text[]) to authenticated;

-- Functions owned by the admin, who sees all accounts.
set local role lectern_admin;

-- When the caller's account was created.
create or replace function rest.signed_up_at() returns timestamptz
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select created_at from auth.users where id = (select auth.uid()) $$;

revoke execute on function rest.signed_up_at() from public;
grant execute on function rest.signed_up_at() to authenticated;

set local role lectern_owner;
