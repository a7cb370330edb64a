-- One entry a page: the key of a link, the other names it goes by, and what a save of a page that is there already does.

alter table public.links
    add column dedupe_key text,
    -- The key of the address that the page calls its own (rel=canonical).
    add column canonical_key text,
    add column is_kept_apart boolean not null default false;

comment on column public.links.dedupe_key is 'What all spellings of the address have in common; null for what is no http(s) URL.';
comment on column public.links.canonical_key is 'The key of the address that the page calls its own, where that may be believed.';
comment on column public.links.is_kept_apart is 'A merge was undone: the link is never merged by itself again.';

-- Other names of a link: spellings it was saved by, keys it is reached by, ids that were given to it.
create table public.link_aliases (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid(),
    link_id uuid not null,
    kind text not null check (kind in ('spelling', 'key', 'id')),
    value text not null check (length(value) between 1 and 65536),
    created_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
-- By hash, as addresses may be longer than an index takes; who looks for one compares the whole.
create unique index link_aliases_value on public.link_aliases (md5(value), kind, user_id);
create index link_aliases_link_id on public.link_aliases (link_id);
create index link_aliases_user_id on public.link_aliases (user_id);

comment on table public.link_aliases is 'Other names of a link: it answers to them, and saving one of them saves the link again.';
comment on column public.link_aliases.kind is 'spelling: an address it was saved by. key: a dedupe key it is reached by. id: an id that was given to it.';

-- What a merge replaced, so that it can be undone.
create table public.link_merges (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    -- No foreign keys: links come and go.
    survivor_id uuid not null,
    merged_id uuid not null,
    raw_url text not null,
    title text,
    reason text not null check (reason in ('spelling', 'resolved', 'canonical', 'clean-up')),
    merged_at timestamptz not null default now(),
    undone_at timestamptz,
    survivor_before jsonb not null,
    survivor_after jsonb not null,
    link jsonb not null,
    parts jsonb not null,
    -- Of the parts, those that the survivor had not before: table name to keys, or to whether it had none.
    added jsonb not null
);
create index link_merges_list on public.link_merges (user_id, merged_at desc, id desc);
create index link_merges_survivor_id on public.link_merges (survivor_id);
create index link_merges_merged_id on public.link_merges (merged_id);
create index link_merges_merged_at on public.link_merges (merged_at);
alter table public.link_merges alter column parts set compression lz4;

comment on table public.link_merges is 'Links that turned out to be one; rpc/unmerge makes them two again. Emptied after a while.';
comment on column public.link_merges.survivor_id is 'The link that is left.';
comment on column public.link_merges.merged_id is 'Id the other link had, and will have again.';
comment on column public.link_merges.raw_url is 'The address of the other link.';
comment on column public.link_merges.reason is 'spelling: saved by another spelling. resolved: both lead to one address. canonical: the page says so. clean-up: found by the admin.';
comment on column public.link_merges.undone_at is 'When it was undone; null while it stands.';
comment on column public.link_merges.link is 'The other link as it was.';
comment on column public.link_merges.parts is 'What hung on it: table name to rows.';

do $$
    declare
        name text;
    begin
        foreach name in array array['link_aliases', 'link_merges'] loop
            execute format('alter table public.%I enable row level security, force row level security', name);
            execute format(
                'create policy %I on public.%I for all to authenticated, job_worker
                    using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()))',
                'own_' || name, name);
            execute format('grant select on public.%I to anon, authenticated, service_role, job_worker', name);
            execute format(
                'create trigger count_change after insert or update or delete on public.%I
                    for each row when (current_user <> ''lectern_owner'') execute function rest.count_change()', name);
        end loop;
    end
$$;

-- Every link that is written passes here, whoever writes it. Where the key belongs to another link, that is a broken
-- unique key like any other: the workers then save that other link again, see rest.save_links.
create function private.key_link() returns trigger
    language plpgsql
    as $$
    declare
        is_same constant boolean := tg_op = 'UPDATE' and new.raw_url = old.raw_url and new.user_id = old.user_id;
    begin
        if current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('rest.restoring', true) is distinct from 'on'
        then
            -- Not for clients to say.
            new.is_kept_apart := is_same and old.is_kept_apart;
            new.canonical_key := case when is_same then old.canonical_key end;
            if is_same then
                new.dedupe_key := old.dedupe_key;
                return new;
            end if;
        end if;
        if new.dedupe_key is null and is_same and current_setting('rest.rekeying', true) = 'on' then
            return new;
        end if;
        new.dedupe_key := rest.dedupe_key(new.raw_url);
        if new.is_kept_apart and rest.has_other_link(new.user_id, new.dedupe_key, new.id) then
            new.dedupe_key := null;
            return new;
        end if;
        -- Links are held apart by the index below; only aliases have to be looked for.
        if rest.is_name_of_other(new.user_id, new.dedupe_key, new.id) then
            raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                using errcode = 'unique_violation', schema = 'public', table = 'links',
                constraint = 'links_user_id_dedupe_key';
        end if;
        return new;
    end
    $$;

-- Whether a key belongs to another link than this one.
create function rest.has_other_link(owner uuid, key text, link uuid) returns boolean
    language plpgsql stable
    as $$
    begin
        return exists (
                select from public.links
                where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key and id <> link)
            or rest.is_name_of_other(owner, key, link);
    end
    $$;

-- Links that were saved before there were keys: the oldest of each key has it, the others wait for
-- `lectern maintain duplicates`.
set local role lectern_admin;
update public.links
    set dedupe_key = keyed.key
    from (
        select distinct on (user_id, key) id, key
        from (select id, user_id, created_at, rest.dedupe_key(raw_url) as key from public.links) as all_links
        where key is not null
        order by user_id, key, created_at, id
    ) as keyed
    where links.id = keyed.id;
set local role lectern_owner;

create unique index links_user_id_dedupe_key on public.links (user_id, md5(dedupe_key));
create index links_canonical_key on public.links (user_id, md5(canonical_key)) where canonical_key is not null;

create trigger key_link
    before insert on public.links
    for each row execute function private.key_link();
create trigger key_changed_link
    before update on public.links
    for each row
    when (
        new.raw_url is distinct from old.raw_url or new.dedupe_key is distinct from old.dedupe_key
        or new.user_id <> old.user_id or new.is_kept_apart <> old.is_kept_apart
        or new.canonical_key is distinct from old.canonical_key)
    execute function private.key_link();

-- The link of an owner that a URL belongs to: its own address before any other name. Null where there is none.
create function rest.link_at(owner uuid, url text) returns uuid
    language plpgsql stable
    as $$
    declare
        link uuid;
        key text;
    begin
        select id into link from public.links where user_id = owner and raw_url = url;
        if found then
            return link;
        end if;
        key := rest.dedupe_key(url);
        select id into link from public.links where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key;
        if found then
            return link;
        end if;
        select link_id into link from public.link_aliases
            where user_id = owner and md5(value) in (md5(key), md5(url))
                and (value = key and kind = 'key' or value = url and kind = 'spelling')
            limit 1;
        return link;
    end
    $$;

-- Whether the request brings old links in, instead of saying what its user wants now.
create function rest.is_import() returns boolean
    language sql stable
    as $$
        select current_setting('role') = 'service_role' or coalesce(current_setting('request.intent', true), '') = 'import'
    $$;

-- A page that is there already was saved again: it comes back to the top with what was just asked, and keeps what it has.
-- No row when a newer action of a client has been on it. What is imported fills what is empty and says nothing new.
create function rest.save_again(link uuid, given jsonb) returns setof public.links
    language plpgsql
    as $$
    declare
        is_import constant boolean := rest.is_import();
    begin
        if is_import then
            given := given - array['list', 'status', 'is_starred', 'state'];
            -- Triggers leave alone what is written as it was.
            perform set_config('rest.restoring', 'on', true);
        end if;
        return query
            update public.links as known
            set list = coalesce(new.list, known.list), status = coalesce(new.status, known.status),
                is_starred = known.is_starred or coalesce(new.is_starred, not is_import and rest.has_star(new.title)),
                -- A page that failed is tried again.
                state = coalesce(new.state, case when known.state = 'failed' and not is_import then 'pending' else known.state end),
                title = coalesce(known.title, new.title), description = coalesce(known.description, new.description),
                device_saved = coalesce(known.device_saved, new.device_saved),
                resolved_url = coalesce(known.resolved_url, new.resolved_url),
                image = coalesce(known.image, new.image), site_name = coalesce(known.site_name, new.site_name),
                lang = coalesce(known.lang, new.lang), word_count = coalesce(known.word_count, new.word_count)
            from jsonb_populate_record(null::public.links, given) as new
            where known.id = link
            returning known.*;
        if is_import then
            perform set_config('rest.restoring', '', true);
        end if;
    end
    $$;

-- The same row: what a statement of /rest/v1/ inserts, given as objects, and what comes of it when some of the pages are
-- there already under another spelling. One row a page, in the order in which they were first named.
--
-- resolution: as in Prefer, null for none. fills_defaults: what an object leaves out becomes the column's default.
create function rest.save_links(
    body jsonb, columns text[], resolution text, target text[], fills_defaults boolean
) returns table (saved public.links, is_new boolean)
    language plpgsql
    as $$
    declare
        page record;
        known public.links;
        before jsonb;
        folded jsonb;
        others jsonb;
        written public.links;
        -- The answer, in its order.
        links uuid[] := '{}';
        news boolean[] := '{}';
        -- New pages that are written all at once: a batch may hold thousands.
        fresh jsonb[] := '{}';
        is_import constant boolean := rest.is_import();
        clause constant text := case
            when resolution is null then ''
            when resolution = 'merge-duplicates' then format(
                'on conflict (%s) do update set %s',
                (select string_agg(quote_ident(name), ', ') from unnest(target) as name),
                (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name))
            else format('on conflict (%s) do nothing', (select string_agg(quote_ident(name), ', ') from unnest(target) as name))
        end;
    begin
        for page in
            with given as (
                select place, (
                        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(sent)
                        where key = any (columns)) as object
                from jsonb_array_elements(case jsonb_typeof(body) when 'array' then body else jsonb_build_array(body) end)
                    with ordinality as sent (sent, place)
            ), typed as (
                select place, object, link.raw_url, link.id, coalesce(link.user_id, auth.uid()) as owner
                from given, jsonb_populate_record(null::public.links, object) as link
            )
            select owner, link_id, array_agg(object order by place) as objects, array_agg(raw_url order by place) as urls,
                array_agg(id order by place) as ids
            from typed, rest.link_at(owner, raw_url) as link_id
            group by owner, link_id, case when link_id is null then coalesce(rest.dedupe_key(raw_url), raw_url) end
            order by min(place)
        loop
            -- Waits for whoever is at it; what was deleted meanwhile is a new page.
            select * into known from public.links where id = page.link_id for update;
            before := to_jsonb(known);
            is_new := known.id is null;
            if is_new and cardinality(page.urls) = 1 and not fills_defaults then
                folded := page.objects[1] || jsonb_build_object('id', coalesce(page.ids[1], gen_random_uuid()));
                fresh := fresh || folded;
                links := links || (folded ->> 'id')::uuid;
                news := news || true;
                continue;
            end if;
            if not is_new and rest.link_at(page.owner, page.urls[1]) is distinct from known.id then
                -- It has become another page's while we waited: to be looked for again.
                raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                    using errcode = 'unique_violation', schema = 'public', table = 'links',
                    constraint = 'links_user_id_dedupe_key';
            end if;
            others := null;
            written := null;
            if is_new then
                if resolution is null and page.urls[1] is not null
                    and cardinality(page.urls) > (select count(distinct url) from unnest(page.urls) as url)
                then
                    raise exception 'duplicate key value violates unique constraint "links_user_id_raw_url_key"'
                        using errcode = 'unique_violation', schema = 'public', table = 'links',
                        constraint = 'links_user_id_raw_url_key';
                end if;
                folded := page.objects[1];
                if resolution is distinct from 'ignore-duplicates' then
                    for n in 2..cardinality(page.objects) loop
                        folded := folded || jsonb_strip_nulls(page.objects[n] - array['id', 'raw_url']);
                    end loop;
                end if;
                select made.* into written from rest.insert_link(folded, columns, clause, fills_defaults) as made;
                -- As if the first spelling had come alone.
                before := to_jsonb(written)
                    || coalesce((
                        select jsonb_object_agg(key, coalesce(page.objects[1] -> key, 'null')) from jsonb_object_keys(folded) as key
                        where key in ('title', 'description', 'device_saved', 'image', 'site_name', 'lang')), '{}')
                    || jsonb_build_object(
                        'list', coalesce(page.objects[1] ->> 'list', 'read'),
                        'status', coalesce(page.objects[1] ->> 'status', 'unread'));
            else
                folded := null;
                for n in 1..cardinality(page.objects) loop
                    if page.urls[n] <> known.raw_url or is_import and resolution = 'merge-duplicates' then
                        others := coalesce(others, '{}') || jsonb_strip_nulls(page.objects[n]);
                        -- One write for both, in their order: what another spelling may change of what the address itself says.
                        folded := folded || rest.said_again(page.objects[n], folded);
                    else
                        folded := coalesce(
                            folded || page.objects[n],
                            page.objects[n] || coalesce(rest.said_again(others, page.objects[n]), '{}')
                                || jsonb_strip_nulls(page.objects[n]));
                    end if;
                end loop;
                if folded is not null then
                    select made.* into written from rest.insert_link(folded, columns, clause, fills_defaults) as made;
                elsif resolution is distinct from 'ignore-duplicates' then
                    select again.* into written from rest.save_again(known.id, others) as again;
                end if;
            end if;
            if resolution is distinct from 'ignore-duplicates' and (others is not null or cardinality(page.urls) > 1) then
                perform rest.note_spellings(
                    coalesce(written.id, known.id), page.urls, page.ids, page.objects, before);
            end if;
            -- What is left out, or kept as a newer action made it, is no row.
            continue when written.id is null;
            links := links || written.id;
            news := news || is_new;
        end loop;
        if rest.insert_links(to_jsonb(fresh), columns, clause) < cardinality(fresh) then
            -- Saved by somebody else meanwhile: to be looked for again.
            raise exception 'duplicate key value violates unique constraint "links_user_id_dedupe_key"'
                using errcode = 'unique_violation', schema = 'public', table = 'links', constraint = 'links_user_id_dedupe_key';
        end if;
        return query
            select page_link, answer.is_new
            from unnest(links, news) with ordinality as answer (id, is_new, place)
            join public.links as page_link on page_link.id = answer.id
            order by place;
    end
    $$;

-- Of another spelling's object, what it changes of what a link's own address says: what is asked for now, and what is empty.
create function rest.said_again(another jsonb, own jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(another)
        where value <> 'null' and key not in ('id', 'raw_url', 'user_id')
            and (key in ('list', 'status') or key = 'is_starred' and value = 'true' or coalesce(own -> key, 'null') = 'null')
    $$;

-- Objects that have ids as rows of links, and how many of them are there under these ids.
create function rest.insert_links(objects jsonb, columns text[], clause text) returns bigint
    language plpgsql
    as $$
    declare
        written constant text := (
            select string_agg(quote_ident(name), ', ') from unnest(array_remove(columns, 'id') || 'id'::text) as name);
        made bigint;
    begin
        if jsonb_array_length(objects) = 0 then
            return 0;
        end if;
        execute format(
            'with made as (
                insert into public.links (%1$s) select %1$s from jsonb_populate_recordset(null::public.links, $1) %2$s
                returning id)
            select count(*) from made where id in (select (object ->> ''id'')::uuid from jsonb_array_elements($1) as object)',
            written, clause)
            into made using objects;
        return made;
    end
    $$;

-- One object as a row of links. No row where the clause has it left out.
create function rest.insert_link(object jsonb, columns text[], clause text, fills_defaults boolean) returns setof public.links
    language plpgsql
    as $$
    declare
        written constant text := (
            select string_agg(quote_ident(name), ', ') from unnest(columns) as name
            where not fills_defaults or object ? name);
    begin
        if written is null then
            return query insert into public.links default values returning links.*;
            return;
        end if;
        return query execute format(
            'insert into public.links (%1$s) select %1$s from jsonb_populate_record(null::public.links, $1) %2$s
            returning links.*', written, clause)
            using object;
    end
    $$;

-- Keeps the page of an own link as 0011's keep_page did, and tells the one that was there before.
drop function rest.keep_page(uuid, text, text);
create function rest.replace_page(link_id uuid, url text, html text) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        old jsonb;
    begin
        select to_jsonb(pages) into old from private.pages where pages.link_id = replace_page.link_id for update;
        insert into private.pages (link_id, user_id, url, html)
            values (replace_page.link_id, (select auth.uid()), replace_page.url, replace_page.html)
            on conflict on constraint pages_pkey do update
            set url = excluded.url, html = excluded.html, saved_at = clock_timestamp();
        return old;
    end
    $$;
grant execute on function rest.replace_page(uuid, text, text) to authenticated;

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
        most_bytes constant integer := 10485760;
    begin
        if octet_length(save_page.html) > most_bytes then
            raise exception 'the page is larger than 10 MB'
                using errcode = 'invalid_parameter_value', detail = octet_length(save_page.html) || ' bytes of html';
        end if;
        target := rest.link_at(auth.uid(), save_page.url);
        if target is null then
            insert into public.links (raw_url, title, list, status)
                values (save_page.url, save_page.title, coalesce(save_page.list, 'read'), coalesce(save_page.status, 'unread'))
                on conflict (user_id, raw_url) do nothing
                returning * into saved;
            target := coalesce(saved.id, rest.link_at(auth.uid(), save_page.url));
        end if;
        if saved.id is null then
            select to_jsonb(links) into before from public.links where id = target;
            -- Back to the top of the list, and to the jobs, as there is a new page to read.
            select again.* into saved
                from rest.save_again(target, jsonb_build_object(
                    'title', save_page.title, 'list', save_page.list, 'status', save_page.status, 'state', 'pending')) as again;
            if not found then
                -- Sent twice, or overtaken by a later action.
                return query select * from public.links where id = target;
                return;
            end if;
            if before ->> 'raw_url' <> save_page.url then
                perform rest.note_spellings(
                    target, array[save_page.url], array[null::uuid], array[jsonb_build_object('title', save_page.title)], before);
            end if;
        end if;
        old_page := rest.replace_page(saved.id, save_page.url, save_page.html);
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
            with given as (
                insert into public.link_tags (link_id, tag_id)
                    select saved.id, tags.id from public.tags
                    where tags.user_id = auth.uid() and lower(tags.name) in (
                        select lower(regexp_replace(name, '^\s+|\s+$', '', 'g')) from unnest(save_page.tags) as given (name))
                    on conflict do nothing
                    returning tag_id)
            select coalesce(array_agg(tag_id), '{}') into given_tags from given;
        end if;
        if before ->> 'raw_url' <> save_page.url then
            perform rest.note_sent(saved.id, save_page.url, old_page, given_tags);
        end if;
        return query select * from public.links where id = saved.id;
    end
    $$;

-- What is hung on a link by a former id of it hangs on the link.
create function private.follow_alias() returns trigger
    language plpgsql
    as $$
    begin
        if not exists (select from public.links where id = new.link_id) then
            new.link_id := coalesce((
                select link_id from public.link_aliases
                where md5(value) = md5(new.link_id::text) and value = new.link_id::text and kind = 'id'
                    and user_id = new.user_id), new.link_id);
        end if;
        return new;
    end
    $$;

do $$
    declare
        name text;
    begin
        foreach name in array array['link_tags', 'highlights', 'notes', 'collection_links', 'reading_progress'] loop
            execute format(
                'create trigger follow_alias before insert on public.%I
                    for each row when (new.link_id is not null) execute function private.follow_alias()', name);
        end loop;
    end
$$;

grant execute on function rest.has_other_link(uuid, text, uuid), rest.link_at(uuid, text), rest.is_import(),
    rest.said_again(jsonb, jsonb), rest.insert_links(jsonb, text[], text), rest.insert_link(jsonb, text[], text, boolean),
    rest.save_again(uuid, jsonb), rest.save_links(jsonb, text[], text, text[], boolean)
    to anon, authenticated, service_role, job_worker;

-- What follows belongs to the admin, who sees all rows: users have no way of their own to names and merges. Each function
-- asks whose link it is.
set local role lectern_admin;

-- Whether the caller may act on rows of an owner: it is their own, or the caller sees all rows anyway. (The setting `role`
-- is what the transaction took on; a function with its owner's rights leaves it.)
create function rest.acts_for(owner uuid) returns boolean
    language sql stable
    as $$ select owner = (select auth.uid()) or current_setting('role') in ('none', 'service_role') $$;

-- Another page: what the link was also known as was the old page's. Spellings of the key it still has stay.
create function private.forget_old_aliases() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from public.link_aliases
            where link_id = new.id
                and (kind = 'key' and new.dedupe_key is distinct from old.dedupe_key
                    or kind = 'spelling' and (
                        value = new.raw_url or rest.dedupe_key(value) is distinct from new.dedupe_key));
        return null;
    end
    $$;
create trigger forget_old_aliases
    after update on public.links
    for each row
    when (new.raw_url is distinct from old.raw_url)
    execute function private.forget_old_aliases();

-- What a client may say of a link, as far as it can be kept.
create function rest.client_columns(given jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(given)
        where value <> 'null' and (
            key in ('title', 'description', 'device_saved', 'image', 'site_name', 'lang') and jsonb_typeof(value) = 'string'
            or key = 'list' and value in ('"read"', '"archive"') or key = 'status' and value in ('"unread"', '"read"')
            or key = 'is_starred' and value in ('true', 'false'))
    $$;

-- Of two states of a link, what differs in the first. Links may be long, and are kept with every merge.
create function rest.differing(one jsonb, other jsonb) returns jsonb
    language sql immutable
    as $$ select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(one) where value is distinct from other -> key $$;

-- Whether a key is another name of another link than this one. Every link that is written waits for it, so it does without
-- the policies: it is asked by triggers, of the owner of the row.
create function rest.is_name_of_other(owner uuid, key text, link uuid) returns boolean
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return exists (
            select from public.link_aliases
            where md5(value) = md5(key) and value = key and kind = 'key' and user_id = owner and link_id <> link);
    end
    $$;

-- Keeps what a link was saved by as its names: spellings, and the ids that clients gave, unless any link has them.
--
-- before: the link as it was before this save; given: what the save said, for each spelling. They are kept as merges that can
-- be undone.
create function rest.note_spellings(link uuid, spellings text[], ids uuid[], given jsonb[], before jsonb) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    declare
        -- More are forgotten, the oldest first: no save may fill the disk with names.
        most constant integer := 1000;
        most_merges constant integer := 100;
        known public.links;
        -- Times are compared as they are written here.
        was jsonb := to_jsonb(jsonb_populate_record(null::public.links, before));
        given_id uuid;
    begin
        select * into known from public.links where links.id = note_spellings.link;
        if not found or not rest.acts_for(known.user_id) then
            return;
        end if;
        for n in 1..cardinality(spellings) loop
            given_id := ids[n];
            if given_id = known.id or exists (select from public.links where links.id = given_id) then
                given_id := null;
            end if;
            if given_id is not null then
                insert into public.link_aliases (user_id, link_id, kind, value)
                    values (known.user_id, known.id, 'id', given_id)
                    on conflict do nothing;
            end if;
            continue when spellings[n] = known.raw_url;
            insert into public.link_aliases (user_id, link_id, kind, value)
                values (known.user_id, known.id, 'spelling', spellings[n])
                on conflict do nothing;
            continue when not found or n > most_merges;
            insert into public.link_merges (
                user_id, survivor_id, merged_id, raw_url, title, reason, survivor_before, survivor_after, link, parts, added)
                values (
                    known.user_id, known.id, coalesce(given_id, gen_random_uuid()), spellings[n], given[n] ->> 'title',
                    'spelling', rest.differing(was, to_jsonb(known)), rest.differing(to_jsonb(known), was),
                    rest.client_columns(given[n]) || jsonb_build_object(
                        'raw_url', spellings[n], 'user_id', known.user_id, 'created_at', now(), 'updated_at', now()),
                    '{}', '{}');
            was := to_jsonb(known);
        end loop;
        delete from public.link_aliases where id in (
            select old.id from public.link_aliases old
            where old.link_id = known.id and old.kind in ('spelling', 'id')
            order by old.created_at desc offset most);
        delete from public.link_merges where id in (
            select old.id from public.link_merges old
            where old.survivor_id = known.id and old.reason = 'spelling'
            order by old.merged_at desc offset most_merges);
    end
    $$;

-- What came with a page that was saved by another spelling, so that it can go back there: the page itself and its tags.
create function rest.note_sent(link uuid, spelling text, old_page jsonb, tags uuid[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    begin
        update public.link_merges
            set parts = jsonb_build_object(
                    'pages', (select jsonb_agg(to_jsonb(pages)) from private.pages where pages.link_id = note_sent.link),
                    'link_tags', (
                        select coalesce(jsonb_agg(to_jsonb(given)), '[]') from public.link_tags given
                        where given.link_id = note_sent.link and given.tag_id = any (tags))),
                added = jsonb_build_object('pages', old_page is null, 'page_before', old_page, 'link_tags', to_jsonb(tags))
            where survivor_id = note_sent.link and raw_url = spelling and reason = 'spelling' and undone_at is null and parts = '{}'
                and rest.acts_for(user_id);
    end
    $$;

-- Where a link leads is known: that page, too, is this link. Whoever says so, and if it is another link's, that is found out
-- when the link is resolved.
create function private.key_resolved_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        page constant text := rest.dedupe_key(new.resolved_url);
    begin
        if page <> new.dedupe_key and not new.is_kept_apart and rest.is_page_of(new.raw_url, new.resolved_url)
            and rest.link_of_key(new.user_id, page) is null
        then
            insert into public.link_aliases (user_id, link_id, kind, value) values (new.user_id, new.id, 'key', page)
                on conflict do nothing;
        end if;
        return null;
    end
    $$;
create trigger key_resolved_on_insert
    after insert on public.links
    for each row when (new.resolved_url <> new.raw_url) execute function private.key_resolved_link();
create trigger key_resolved_on_update
    after update on public.links
    for each row
    when (new.resolved_url is distinct from old.resolved_url and new.resolved_url <> new.raw_url)
    execute function private.key_resolved_link();

revoke execute on function rest.acts_for(uuid), rest.note_spellings(uuid, text[], uuid[], jsonb[], jsonb),
    rest.note_sent(uuid, text, jsonb, uuid[]), rest.is_name_of_other(uuid, text, uuid) from public;
grant execute on function rest.acts_for(uuid), rest.note_spellings(uuid, text[], uuid[], jsonb[], jsonb),
    rest.note_sent(uuid, text, jsonb, uuid[])
    to authenticated, service_role;
grant execute on function rest.is_name_of_other(uuid, text, uuid) to anon, authenticated, service_role, job_worker;
set local role lectern_owner;
