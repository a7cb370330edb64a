-- Entries of imported files: staged as the file is read, then saved as links in batches. Each batch is one transaction, in
-- which its entries are counted and deleted, so that the counts are exact whatever is interrupted.

set local role lectern_admin;

-- Stages entries: an array of {"place", "row", "url", "entry"}. Entries that an interrupted attempt has staged are kept.
-- Returns the number of new ones; null: the lease was lost.
create or replace function private.stage_import_entries(import uuid, held integer, entries jsonb) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        owner uuid;
        staged integer;
    begin
        select user_id into owner from private.imports where id = import and lease = held and state = 'running' for share;
        if not found then
            return null;
        end if;
        insert into private.import_entries (import_id, user_id, place, row, url, entry)
            select import, owner, place, row, url, entry
            from jsonb_to_recordset(entries) as given (place integer, row integer, url text, entry jsonb)
            on conflict do nothing;
        get diagnostics staged = row_count;
        return staged;
    end
    $$;

-- A time in microseconds since 1970. Stable, as what it computes is, so that it is part of the statements that use it.
create or replace function private.time_of_entry(micros jsonb) returns timestamptz
    language sql stable
    as $$ select timestamptz 'epoch' + (micros #>> '{}')::bigint * interval '1 microsecond' $$;

-- A random id that sorts behind those of earlier statements (a UUID of version 7), and within a statement by `number`, below
-- 4096. Many rows that belong to links are then added at the end of their indexes, which is several times faster than all
-- over them.
create or replace function private.ordered_id(number bigint) returns uuid
    language sql volatile
    as $$
        select (lpad(to_hex(floor(extract(epoch from statement_timestamp()) * 1000)::bigint), 12, '0')
            || '7' || lpad(to_hex(number), 3, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    $$;

-- The collection with this path of names, from the outermost on; it is created where it does not exist.
create or replace function private.collection_of_path(owner uuid, path jsonb) returns uuid
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        node uuid;
        parent uuid;
        step text;
    begin
        for step in select jsonb_array_elements_text(path) loop
            parent := node;
            select id into node from public.collections
                where user_id = owner and parent_id is not distinct from parent and name = step
                    and coalesce(query, '') = ''
                order by created_at, id limit 1;
            if not found then
                insert into public.collections (user_id, name, parent_id) values (owner, step, parent)
                    returning id into node;
            end if;
        end loop;
        return node;
    end
    $$;

-- Adds what entries bring besides the link itself: tags, collections, a note, highlights, bookmarks, how far it was
-- read. Nothing that exists is changed. `places` and `links` belong together.
create or replace function private.add_to_links(import uuid, owner uuid, places integer[], links uuid[]) returns void
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        filing record;
        given record;
        has_tags boolean;
        has_more boolean;
    begin
        -- Most entries bring nothing or tags. Looking once spares the statements below looking for what they add.
        select bool_or(e.entry ? 'tags'),
                bool_or(e.entry ?| array['collections', 'note', 'highlights', 'has_met_rules', 'progress', 'bookmark'])
            into has_tags, has_more
            from unnest(places) as part (place) join private.import_entries e on e.import_id = import
                and e.place = part.place;
        if has_tags then
            insert into public.tags (user_id, name)
                select distinct on (lower(tag)) owner, tag
                from unnest(places) as part (place) join private.import_entries e on e.import_id = import
                    and e.place = part.place, jsonb_array_elements_text(e.entry -> 'tags') as tag
                order by lower(tag), part.place
                on conflict do nothing;
            insert into public.link_tags (link_id, tag_id, user_id)
                select distinct part.link, t.id, owner
                from unnest(places, links) as part (place, link) join private.import_entries e on e.import_id = import
                    and e.place = part.place, jsonb_array_elements_text(e.entry -> 'tags') as tag
                    join public.tags t on t.user_id = owner and lower(t.name) = lower(tag)
                on conflict do nothing;
        end if;
        if has_more is not true then
            return;
        end if;
        for filing in
            select path, array_agg(distinct part.link) as links, min(part.place) as first
            from unnest(places, links) as part (place, link) join private.import_entries e on e.import_id = import
                and e.place = part.place, jsonb_array_elements(e.entry -> 'collections') as path
            group by path
            order by first
        loop
            insert into public.collection_links (collection_id, link_id, user_id)
                select known.id, link, owner
                from (select private.collection_of_path(owner, filing.path) as id) as known, unnest(filing.links) as link
                on conflict do nothing;
        end loop;
        insert into public.notes (user_id, link_id, body, is_favorite, created_at, updated_at)
            select distinct on (l.id) owner, l.id, e.entry ->> 'note', e.entry ? 'note_is_favorite', l.created_at, l.created_at
            from unnest(places, links) as part (place, link) join private.import_entries e on e.import_id = import
                and e.place = part.place join public.links l on l.id = part.link
            where e.entry ? 'note'
            order by l.id, part.place
            on conflict do nothing;
        insert into public.highlights (user_id, link_id, quote, note, color, created_at, updated_at)
            select distinct on (l.id, given.h ->> 'quote') owner, l.id, given.h ->> 'quote', given.h ->> 'note',
                coalesce(given.h ->> 'color', 'yellow'), marked.at, marked.at
            from unnest(places, links) as part (place, link) join private.import_entries e on e.import_id = import
                and e.place = part.place join public.links l on l.id = part.link,
                jsonb_array_elements(e.entry -> 'highlights') with ordinality as given (h, number),
                lateral (select coalesce(private.time_of_entry(given.h -> 'time'), l.created_at) as at) as marked
            where not exists (
                select from public.highlights known
                where known.link_id = l.id and known.quote = given.h ->> 'quote')
            order by l.id, given.h ->> 'quote', part.place, given.number;
        insert into private.ruled_links (link_id, user_id)
            select distinct part.link, owner
            from unnest(places, links) as part (place, link) join private.import_entries e on e.import_id = import
                and e.place = part.place
            where e.entry ? 'has_met_rules'
            on conflict do nothing;
        for given in
            select part.link, e.entry from unnest(places, links) as part (place, link)
                join private.import_entries e on e.import_id = import and e.place = part.place
            where e.entry ?| array['progress', 'bookmark']
            order by part.place
        loop
            perform private.add_reading(owner, given.link, given.entry);
        end loop;
    end
    $$;

-- Adds a bookmark, or how far a link was read, as a personal export has it. What does not fit is left out.
create or replace function private.add_reading(owner uuid, link uuid, entry jsonb) returns void
    language plpgsql
    as $$
    #variable_conflict use_column
    begin
        insert into public.reading_progress
            select (p).*
            from (select jsonb_populate_record(null::public.reading_progress, entry -> 'progress' || jsonb_build_object(
                'user_id', owner, 'link_id', link)) as p where entry ? 'progress') as given
            on conflict do nothing;
        insert into public.bookmarks (user_id, link_id, name, quote, start_offset, created_at, updated_at)
            select owner, link, b.name, b.quote, b.start_offset, coalesce(b.created_at, now()), coalesce(b.created_at, now())
            from jsonb_populate_record(null::public.bookmarks, entry -> 'bookmark') as b
            where entry ? 'bookmark' and not exists (
                select from public.bookmarks known
                where known.link_id = link and known.quote = b.quote and known.name = b.name);
    exception when others then
        -- Values that do not fit; anything else is no fault of the row.
        if sqlstate !~ '^(22|23|LT)' then
            raise;
        end if;
    end
    $$;

-- Adds a row of a personal export that belongs to no link: a tag, a collection, a rule or the settings. What exists stays,
-- but a tag without a colour and a collection without a description get them. What does not fit is left out.
create or replace function private.add_to_account(owner uuid, entry jsonb) returns void
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        given jsonb;
        known uuid;
        parent uuid;
    begin
        if entry ? 'tag' then
            insert into public.tags (user_id, name, color) values (owner, entry #>> '{tag,name}', entry #>> '{tag,color}')
                on conflict do nothing;
            update public.tags set color = entry #>> '{tag,color}'
                where user_id = owner and lower(name) = lower(entry #>> '{tag,name}') and color is null
                    and entry #> '{tag,color}' is not null;
        elsif entry ? 'collection' then
            given := entry -> 'collection';
            if coalesce(given ->> 'query', '') = '' then
                known := private.collection_of_path(owner, given -> 'path');
                update public.collections set description = given ->> 'description'
                    where id = known and description is null and given ? 'description';
                return;
            end if;
            parent := private.collection_of_path(owner, (given -> 'path') - -1);
            perform set_config(
                'request.queries', jsonb_build_object(given ->> 'query', given -> 'tree')::text, true)
                where given ? 'tree';
            insert into public.collections (user_id, name, parent_id, description, query, position)
                select owner, given #>> '{path,-1}', parent, given ->> 'description', given ->> 'query',
                    coalesce((given ->> 'position')::double precision, 0)
                where given ? 'tree' and not exists (
                    select from public.collections other
                    where other.user_id = owner and other.name = given #>> '{path,-1}'
                        and other.parent_id is not distinct from parent and other.query = given ->> 'query');
        elsif entry ? 'rule' then
            given := entry -> 'rule';
            perform rest.check_link_change(given -> 'change');
            perform set_config('request.queries', jsonb_build_object(
                coalesce(given ->> 'query', ''), given -> 'tree')::text, true);
            insert into public.rules (user_id, name, query, change, enabled, position)
                select owner, given ->> 'name', coalesce(given ->> 'query', ''), given -> 'change',
                    coalesce((given ->> 'enabled')::boolean, true),
                    coalesce((given ->> 'position')::double precision, 0)
                where (given ? 'tree' or coalesce(given ->> 'query', '') = '') and not exists (
                    select from public.rules known
                    where known.user_id = owner and known.name = given ->> 'name'
                        and known.query = coalesce(given ->> 'query', '') and known.change = given -> 'change');
        elsif entry ? 'feed' then
            given := entry -> 'feed';
            insert into private.feeds (user_id, url, title, list, tags, collection_id, keep_words, skip_words, first_entries,
                    is_paused)
                select owner, url, title, coalesce(list, 'read'), coalesce(tags, '{}'),
                    case when given ? 'path' then private.collection_of_path(owner, given -> 'path') end,
                    coalesce(keep_words, '{}'), coalesce(skip_words, '{}'), coalesce(first_entries, 10),
                    coalesce(is_paused, false)
                from jsonb_populate_record(null::private.feeds, given)
                on conflict do nothing;
        elsif entry ? 'settings' then
            given := entry -> 'settings';
            insert into public.user_settings (user_id) select owner
                where not exists (select from public.user_settings where user_id = owner);
            if found then
                update public.user_settings s
                    set (font_name, font_size, theme, line_spacing, speech_rate, digest_schedule, ereader_email) = (
                        select font_name, font_size, theme, line_spacing, speech_rate, digest_schedule, ereader_email
                        from jsonb_populate_record(s, given))
                    where user_id = owner;
            end if;
        end if;
    exception when others then
        if sqlstate !~ '^(22|23|LT|P0001)' then
            raise;
        end if;
    end
    $$;

-- Saves the next entries of an import, in the order of the file. A link that its user has keeps what it has; an empty
-- title is filled. `link_quota` and `storage_quota`: 0 for none.
--
-- Plans are not made for the user at hand: PostgreSQL takes a user who is new since it analyzed the table for one with
-- hardly any links, and a plan for such a user reads all of them to find one by its address.
--
-- Returns the number of entries that were handled; 0 after the last. Null: the lease was lost.
create or replace function private.save_import_entries(
    import uuid, held integer, link_quota bigint, storage_quota bigint, max_entries integer
) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_generic_plan
    as $$
    #variable_conflict use_column
    declare
        max_bytes constant integer := 8388608;
        known private.imports;
        owner uuid;
        places integer[];
        links uuid[];
        news boolean[];
        problems text[];
        keys text[];
        added_places integer[];
        added_links uuid[];
        room bigint;
        no_room text;
        handled integer;
    begin
        perform rest.lock_writes(array(select user_id from private.imports where id = import));
        select * into known from private.imports where id = import and lease = held and state = 'running' for update;
        if not found then
            return null;
        end if;
        owner := known.user_id;
        -- The links are saved as in an import of a client: their jobs wait behind links that are saved by hand.
        perform set_config('request.jwt.claims', json_build_object('sub', owner, 'role', 'authenticated')::text, true),
            set_config('request.intent', 'import', true),
            -- Spares triggers looking up again what is known here: the keys of new links, and that links exist.
            set_config('lectern.importing', 'on', true);
        places := array(
            select place
            from (
                select place, sum(pg_column_size(entry)) over (order by place) - pg_column_size(entry) as bytes_before
                from (
                    select place, entry from private.import_entries
                    where import_id = import and row is not null
                        -- Spares looking through what earlier batches have deleted.
                        and place > known.imported + known.duplicate + known.rejected
                    order by place limit max_entries
                ) as next
            ) as next
            where bytes_before < max_bytes);
        if cardinality(places) = 0 then
            -- Additions whose address has another spelling than the entry of the link.
            select array_agg(place), array_agg(rest.link_of_url(owner, url)) into places, links
                from (
                    select place, url from private.import_entries
                    where import_id = import and row is null
                    order by place limit max_entries
                ) as additions;
            if places is null then
                return 0;
            end if;
            perform private.add_to_links(
                import, owner, array_agg(place), array_agg(link)) from unnest(places, links) as a (place, link)
                where link is not null having count(*) > 0;
            perform private.add_to_account(owner, entry) from (
                select entry from private.import_entries
                where import_id = import and place = any (places) and url is null
                order by place
            ) as of_account;
            delete from private.import_entries where import_id = import and place = any (places);
            return cardinality(places);
        end if;

        select links_left, why into room, no_room from private.room_for_links(owner, link_quota, storage_quota);
        with given as materialized (
            select place, url, entry ->> 'problem' as problem,
                case when not entry ? 'problem' then rest.dedupe_key(url) end as key,
                entry ? 'any_address' as is_any
            from private.import_entries where import_id = import and place = any (places)
        ), matched as materialized (
            -- An address without a key is a page of its own. The link of each is the one that rest.link_of_url finds.
            select given.*, coalesce('key ' || key, case when is_any then 'address ' || url end) as page,
                case when problem is null then coalesce(
                (select id from public.links l where l.user_id = owner and l.raw_url = given.url),
                (select id from public.links l
                    where l.user_id = owner and md5(l.dedupe_key) = md5(given.key) and l.dedupe_key = given.key),
                (select a.link_id from public.link_aliases a
                    where a.user_id = owner and md5(a.value) in (md5(given.key), md5(given.url))
                        and (a.value = given.key and a.kind = 'key' or a.value = given.url and a.kind = 'spelling')
                    limit 1)) end as link
            from given
        ), fresh as (
            select *, private.ordered_id(number) as id
            from (
                select page, min(place) as first, row_number() over (order by min(place)) as number
                from matched where link is null and page is not null
                group by page
            ) as keyed
        )
        select array_agg(given.place order by given.place),
            array_agg(coalesce(given.link, fresh.id) order by given.place),
            array_agg(given.link is null and given.place = fresh.first order by given.place),
            array_agg(case
                    when given.problem is not null then given.problem
                    when given.page is null and given.link is null then 'The address is not valid.'
                    when fresh.number > room then no_room
                end order by given.place),
            array_agg(given.key order by given.place)
            into places, links, news, problems, keys
            from matched as given left join fresh on given.link is null and fresh.page = given.page;

        if known.batch_id is null and true = any (news) then
            insert into private.batches (user_id, import_id) values (owner, import) returning id into known.batch_id;
        end if;
        perform set_config('lectern.batch', coalesce(known.batch_id::text, ''), true);
        insert into private.documents (user_id, hash, name, type, bytes, address)
            select owner, stored ->> 'hash', stored ->> 'name', stored ->> 'type', (stored ->> 'bytes')::bigint,
                stored ->> 'address'
            from unnest(places, news, problems) as saved (place, is_new, problem)
                join private.import_entries e on e.import_id = import and e.place = saved.place,
                lateral (select e.entry -> 'document' as stored) as file
            where saved.is_new and saved.problem is null and e.entry ? 'document'
            on conflict do nothing;
        insert into public.links (id, user_id, raw_url, title, title_is_text, description, description_is_text, list, status,
                is_starred, created_at, updated_at, archived_at, lang, byline, site_name, image, published_at, dedupe_key)
            select saved.link, owner, e.url, e.entry ->> 'title', e.entry ? 'title' and not e.entry ? 'raw_title',
                e.entry ->> 'description', e.entry ? 'description' and not e.entry ? 'raw_description',
                case when e.entry ? 'archived' then 'archive' else 'read' end,
                case when e.entry ? 'read' then 'read' else 'unread' end, e.entry ? 'starred', saved_at.time,
                coalesce(private.time_of_entry(e.entry -> 'changed'), saved_at.time),
                private.time_of_entry(e.entry -> 'archived_at'), e.entry ->> 'lang', e.entry ->> 'byline', e.entry ->> 'site_name', e.entry ->> 'image',
                private.time_of_entry(e.entry -> 'published'), saved.key
            from unnest(places, links, news, problems, keys) as saved (place, link, is_new, problem, key)
                join private.import_entries e on e.import_id = import and e.place = saved.place,
                -- Entries without a time keep their order.
                lateral (select coalesce(private.time_of_entry(e.entry -> 'time'),
                    known.created_at - e.row * interval '1 microsecond') as time) as saved_at
            where saved.is_new and saved.problem is null
            order by saved.place;
        perform set_config('lectern.batch', '', true);
        update public.links
            set title = given.title, title_is_text = not given.is_raw
            from (
                select distinct on (again.link) again.link, e.entry ->> 'title' as title, e.entry ? 'raw_title' as is_raw
                from unnest(places, links, news, problems) as again (place, link, is_new, problem)
                    join private.import_entries e on e.import_id = import and e.place = again.place
                where not again.is_new and again.problem is null and e.entry ? 'title'
                order by again.link, again.place
            ) as given
            where links.id = given.link and coalesce(links.title, '') = '';

        -- The entries themselves, and what other files of the import add to them.
        select array_agg(place), array_agg(link) into added_places, added_links
            from unnest(places, links, problems) as saved (place, link, problem)
            where problem is null;
        if exists (select from private.import_entries where import_id = import and row is null) then
            select added_places || array_agg(a.place), added_links || array_agg(saved.link)
                into added_places, added_links
                from unnest(added_places, added_links) as saved (place, link)
                    join private.import_entries e on e.import_id = import and e.place = saved.place
                    join private.import_entries a on a.import_id = import and a.row is null and md5(a.url) = md5(e.url)
                        and a.url = e.url;
        end if;
        if added_places is not null then
            perform private.add_to_links(import, owner, added_places, added_links);
            insert into private.pages (link_id, user_id, url, html, is_article, type)
                select distinct on (l.id) l.id, owner, l.raw_url, e.entry ->> 'html', true,
                    coalesce(e.entry ->> 'type', 'text/html')
                from unnest(added_places, added_links) as part (place, link)
                    join private.import_entries e on e.import_id = import and e.place = part.place
                    join unnest(links, news) as saved (link, is_new) on saved.link = part.link and saved.is_new
                    join public.links l on l.id = part.link
                where e.entry ? 'html'
                order by l.id, part.place
                on conflict do nothing;
        end if;

        insert into private.import_rejects (import_id, user_id, row, url, reason)
            select import, owner, e.row, left(e.url, 8192), refused.problem
            from unnest(places, problems) as refused (place, problem)
                join private.import_entries e on e.import_id = import and e.place = refused.place
            where refused.problem is not null;
        update private.imports
            set batch_id = known.batch_id, attempts = 1,
                imported = imported + (
                    select count(*) from unnest(news, problems) as e (is_new, problem) where is_new and problem is null),
                duplicate = duplicate + (
                    select count(*) from unnest(news, problems) as e (is_new, problem)
                    where not is_new and problem is null),
                rejected = rejected + (select count(*) from unnest(problems) as problem where problem is not null)
            where id = import;
        delete from private.import_entries
            where import_id = import
                and (place = any (places) or row is null and place = any (coalesce(added_places, '{}')));
        return cardinality(places);
    end
    $$;

-- Deletes entries of imports that were cancelled, and cancels their links that are not fetched yet; both at most
-- `max_rows`. Returns how much was done.
create or replace function private.clear_cancelled_imports(max_rows integer) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        cleared integer;
    begin
        delete from private.import_entries where (import_id, place) in (
            select e.import_id, e.place from private.import_entries e join private.imports i on i.id = e.import_id
            where i.state in ('cancelled', 'read') or i.state = 'failed' and i.staged_at is null
            limit max_rows);
        get diagnostics cleared = row_count;
        return cleared + coalesce(private.cancel_jobs(array(
            select j.id from private.imports i join private.jobs j on j.batch_id = i.batch_id
            where i.state = 'cancelled' and j.kind = 'save' and j.state = 'pending'
            limit max_rows)), 0);
    end
    $$;

revoke execute on function private.stage_import_entries(uuid, integer, jsonb), private.time_of_entry(jsonb),
    private.ordered_id(bigint),
    private.collection_of_path(uuid, jsonb), private.add_to_links(uuid, uuid, integer[], uuid[]),
    private.add_reading(uuid, uuid, jsonb), private.add_to_account(uuid, jsonb),
    private.save_import_entries(uuid, integer, bigint, bigint, integer), private.clear_cancelled_imports(integer)
    from public;
grant execute on function private.stage_import_entries(uuid, integer, jsonb),
    private.save_import_entries(uuid, integer, bigint, bigint, integer), private.clear_cancelled_imports(integer)
    to lectern_jobs;

set local role lectern_owner;
