-- Two links that turn out to be one, and two again when that was wrong.

-- What hangs on a link and its user can see: table name to rows. Every table with a foreign key to links, but the queue and
-- the pages that clients sent. PL/pgSQL, here and below, because it keeps its plans.
create function rest.parts_of(link uuid) returns jsonb
    language plpgsql stable
    as $$
    begin
        return jsonb_build_object(
            'articles', coalesce((select jsonb_agg(to_jsonb(t)) from public.articles t where t.link_id = link), '[]'),
            'link_tags', coalesce((select jsonb_agg(to_jsonb(t)) from public.link_tags t where t.link_id = link), '[]'),
            'highlights', coalesce((select jsonb_agg(to_jsonb(t)) from public.highlights t where t.link_id = link), '[]'),
            'notes', coalesce((select jsonb_agg(to_jsonb(t)) from public.notes t where t.link_id = link), '[]'),
            'collection_links', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.collection_links t where t.link_id = link), '[]'),
            'reading_progress', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.reading_progress t where t.link_id = link), '[]'),
            'link_aliases', coalesce((select jsonb_agg(to_jsonb(t)) from public.link_aliases t where t.link_id = link), '[]'));
    end
    $$;
grant execute on function rest.parts_of(uuid) to authenticated, service_role;

-- What follows belongs to the admin, who sees all rows; whoever calls is asked for first.
set local role lectern_admin;

-- Columns of a link that a merge may change, and unmerging turns back.
create function rest.merged_columns() returns text[]
    language sql immutable
    as $$
        select array['resolved_url', 'title', 'description', 'list', 'status', 'device_saved', 'is_starred', 'updated_at',
            'state', 'reason', 'reason_message', 'image', 'site_name', 'lang', 'word_count', 'canonical_key', 'acted_at',
            'acted_as', 'title_is_text', 'description_is_text']
    $$;

-- Merges one link into another of the same owner, and tells the id of the merge; null when one of them is gone.
--
-- Nothing is lost: what can be there once only stays the survivor's, and the other's is kept with the merge. Of list and
-- status, those of the link that its user touched last.
create function rest.merge_links(survivor uuid, other uuid, why text) returns uuid
    language plpgsql
    -- Times are compared as they were written down.
    set timezone = 'UTC'
    as $$
    declare
        kept public.links;
        gone public.links;
        after public.links;
        parts jsonb;
        added_tags jsonb;
        added_collections jsonb;
        has_article boolean;
        has_page boolean;
        is_read_again boolean;
        is_newer boolean;
        own_key text;
        note_before jsonb;
        merge uuid;
    begin
        perform from public.links where id in (survivor, other) order by id for update;
        select * into kept from public.links where id = survivor;
        select * into gone from public.links where id = other and user_id = kept.user_id and id <> survivor;
        if gone.id is null then
            return null;
        end if;
        parts := rest.parts_of(other) || jsonb_build_object(
            'pages', coalesce((select jsonb_agg(to_jsonb(t)) from private.pages t where t.link_id = other), '[]'));

        with moved as (
            insert into public.link_tags (link_id, tag_id, user_id, created_at)
                select survivor, tag_id, user_id, created_at from public.link_tags where link_id = other
                on conflict do nothing
                returning tag_id)
        select coalesce(jsonb_agg(tag_id), '[]') into added_tags from moved;
        with moved as (
            insert into public.collection_links (collection_id, link_id, user_id, position, created_at)
                select collection_id, survivor, user_id, position, created_at from public.collection_links where link_id = other
                on conflict do nothing
                returning collection_id)
        select coalesce(jsonb_agg(collection_id), '[]') into added_collections from moved;
        update public.highlights set link_id = survivor where link_id = other;
        update public.reading_progress set link_id = survivor where link_id = other;
        note_before := (select to_jsonb(notes) from public.notes where link_id = survivor);
        -- One note a link: the two become one.
        update public.notes kept_note
            set body = case
                    when kept_note.body in ('', note.body) then note.body
                    when note.body = '' then kept_note.body
                    else kept_note.body || E'\n\n' || note.body
                end,
                is_favorite = kept_note.is_favorite or note.is_favorite,
                updated_at = greatest(kept_note.updated_at, note.updated_at)
            from public.notes note
            where kept_note.link_id = survivor and note.link_id = other
                -- Two that are too long for one stay two: the other's is kept with the merge.
                and length(kept_note.body) + length(note.body) < 1000000;
        if not found and note_before is null then
            update public.notes set link_id = survivor where link_id = other;
        end if;
        has_article := exists (select from public.articles where link_id = survivor);
        if not has_article then
            update public.articles set link_id = survivor where link_id = other;
            is_read_again := found;
        end if;
        has_page := exists (select from private.pages where link_id = survivor);
        if not has_page then
            update private.pages set link_id = survivor where link_id = other;
        end if;
        update public.link_aliases set link_id = survivor where link_id = other;

        perform set_config('rest.merging', 'on', true);
        delete from public.links where id = other;
        perform set_config('rest.merging', '', true);
        -- One that had not its own key because the other had it has it now.
        own_key := case when gone.dedupe_key = rest.dedupe_key(kept.raw_url) then gone.dedupe_key else kept.dedupe_key end;
        insert into public.link_aliases (user_id, link_id, kind, value)
            select kept.user_id, survivor, kind, value
            from (values ('spelling', gone.raw_url), ('key', gone.dedupe_key), ('id', gone.id::text)) as name (kind, value)
            where value is not null and value is distinct from own_key
            on conflict do nothing;

        is_newer := coalesce(gone.acted_at, gone.updated_at) > coalesce(kept.acted_at, kept.updated_at);
        update public.links
            set dedupe_key = own_key,
                resolved_url = coalesce(kept.resolved_url, gone.resolved_url),
                title = coalesce(kept.title, gone.title),
                title_is_text = case when kept.title is null then gone.title_is_text else kept.title_is_text end,
                description = coalesce(kept.description, gone.description),
                description_is_text = case
                    when kept.description is null then gone.description_is_text else kept.description_is_text
                end,
                list = case when is_newer then gone.list else kept.list end,
                status = case when is_newer then gone.status else kept.status end,
                device_saved = coalesce(kept.device_saved, gone.device_saved),
                is_starred = kept.is_starred or gone.is_starred,
                updated_at = greatest(kept.updated_at, gone.updated_at),
                state = case when is_read_again then gone.state else kept.state end,
                reason = case when is_read_again then gone.reason else kept.reason end,
                reason_message = case when is_read_again then gone.reason_message else kept.reason_message end,
                image = coalesce(kept.image, gone.image),
                site_name = coalesce(kept.site_name, gone.site_name),
                lang = coalesce(kept.lang, gone.lang),
                word_count = coalesce(kept.word_count, gone.word_count),
                canonical_key = coalesce(kept.canonical_key, gone.canonical_key),
                acted_at = case when is_newer then gone.acted_at else kept.acted_at end,
                acted_as = case when is_newer then gone.acted_as else kept.acted_as end
            where id = survivor
            returning * into after;
        insert into public.link_merges (
            user_id, survivor_id, merged_id, raw_url, title, reason, survivor_before, survivor_after, link, parts, added)
            values (
                kept.user_id, survivor, other, gone.raw_url, gone.title, why, to_jsonb(kept), to_jsonb(after),
                to_jsonb(gone), parts,
                jsonb_build_object(
                    'link_tags', added_tags, 'collection_links', added_collections, 'articles', not has_article,
                    'pages', not has_page,
                    'note_before', note_before,
                    'note_after', (select to_jsonb(notes) from public.notes where link_id = survivor)))
            returning id into merge;
        perform pg_notify('lectern_links', kept.user_id || ' ' || survivor);
        return merge;
    end
    $$;

-- The older of two links is the one that stays.
create function rest.merge_into_older(one uuid, other uuid, why text) returns uuid
    language plpgsql
    as $$
    declare
        pair uuid[];
    begin
        select array_agg(id order by created_at, id) into pair from public.links where id in (one, other);
        return case when cardinality(pair) = 2 then rest.merge_links(pair[1], pair[2], why) end;
    end
    $$;

-- Rows of a table in the parts of a trashed link whose key is one of these.
create function rest.parts_with(parts jsonb, name text, key text, keys jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_agg(part), '[]') from jsonb_array_elements(parts -> name) as part
        where keys @> jsonb_build_array(part -> key)
    $$;

-- The parts without those rows.
create function rest.parts_without(parts jsonb, name text, key text, keys jsonb) returns jsonb
    language sql immutable
    as $$
        select parts || jsonb_build_object(name, coalesce(
            (select jsonb_agg(part) from jsonb_array_elements(parts -> name) as part
                where not keys @> jsonb_build_array(part -> key)), '[]'))
    $$;

-- What a link goes back to: columns the merge changed and nobody has changed since.
create function rest.unmerged(link jsonb, merge public.link_merges) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, merge.survivor_before -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and link -> name is not distinct from merge.survivor_after -> name
    $$;

-- What a link that goes back to a patch keeps, because another that is still merged into it brought it too: a star, and
-- words where it has none.
create function rest.still_merged(merge public.link_merges, patch jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, value), '{}')
        from (
            select distinct on (name) name, standing.link -> name as value
            from public.link_merges standing, jsonb_object_keys(patch) as name
            where standing.survivor_id = merge.survivor_id and standing.undone_at is null and standing.id <> merge.id
                and (name = 'is_starred' and standing.link -> name = 'true'
                    or name in ('resolved_url', 'title', 'description', 'device_saved', 'image', 'site_name', 'lang', 'word_count')
                        and patch -> name = 'null' and coalesce(standing.link -> name, 'null') <> 'null')
            order by name, standing.merged_at) as brought
    $$;

-- Of a state of a survivor that was kept by a later merge, what an earlier one had made of it, as it is without that.
create function rest.taken_back(state jsonb, merge public.link_merges, now jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, now -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and state ? name and state -> name is not distinct from merge.survivor_after -> name
    $$;

-- Makes two links again of what was merged into one, and answers both; nothing when there is no such merge, or it was undone
-- already.
--
-- What came from the other link returns to it, from wherever it is now: the survivor, a link that this one was merged into
-- later, or the trash. What its user has done since stays with the survivor.
create function public.unmerge(merge_id uuid) returns setof public.links
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    declare
        merge public.link_merges;
        target uuid;
        next uuid;
        later_merge uuid;
        -- The one that merged the survivor itself.
        own_later_merge uuid;
        later_merges uuid[] := '{}';
        steps integer := 0;
        other uuid;
        kept public.links;
        bin public.trash;
        patch jsonb;
        keys jsonb;
        address jsonb;
        columns text;
    begin
        select * into merge from public.link_merges where id = merge_id and undone_at is null for update;
        if not found or not rest.acts_for(merge.user_id) then
            return;
        end if;

        -- Where the survivor is now: it may have been merged into another, and that into a third.
        target := merge.survivor_id;
        loop
            exit when exists (select from public.links where id = target and user_id = merge.user_id)
                or exists (select from public.trash where link_id = target and user_id = merge.user_id);
            select id, survivor_id into later_merge, next from public.link_merges
                where merged_id = target and user_id = merge.user_id and undone_at is null and merged_at >= merge.merged_at
                    and id <> merge.id
                order by merged_at, id limit 1;
            exit when not found or steps = 100;
            own_later_merge := coalesce(own_later_merge, later_merge);
            later_merges := later_merges || later_merge;
            target := next;
            steps := steps + 1;
        end loop;
        select * into kept from public.links where id = target and user_id = merge.user_id for update;
        if not found then
            select * into bin from public.trash where link_id = target and user_id = merge.user_id
                order by deleted_at desc, id limit 1 for update;
        end if;

        -- The other link. Where its address has been saved anew, that one.
        select id into other from public.links where user_id = merge.user_id and raw_url = merge.raw_url;
        if other = kept.id then
            raise exception 'the other link has this address now'
                using errcode = 'unique_violation', detail = merge.raw_url, hint = 'Give that link its own address first.';
        end if;
        if other is not null then
            update public.links
                set title = coalesce(title, merge.link ->> 'title'), description = coalesce(description, merge.link ->> 'description'),
                    is_starred = is_starred or coalesce((merge.link -> 'is_starred')::boolean, false), is_kept_apart = true
                where id = other;
        else
            delete from public.link_aliases
                where user_id = merge.user_id and link_id = target
                    and (kind, value) in (
                        ('spelling', merge.raw_url), ('key', merge.link ->> 'dedupe_key'), ('id', merge.merged_id::text));
            -- Another's link may have its id by now.
            other := case
                when exists (select from public.links where id = merge.merged_id) then gen_random_uuid() else merge.merged_id end;
            perform rest.put_back('public.links', jsonb_build_array(
                merge.link || jsonb_build_object('id', other, 'is_kept_apart', true)));
        end if;
        address := jsonb_build_object('link_id', other);
        update public.link_aliases set link_id = other
            where link_id = target and exists (
                select from jsonb_array_elements(merge.parts -> 'link_aliases') as part
                where part ->> 'kind' = link_aliases.kind and part ->> 'value' = link_aliases.value);

        -- Tags and collections: the other has its own again, the survivor gives back what it had not before.
        perform rest.put_back('public.link_tags', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'link_tags') as part
            where exists (select from public.tags where id = (part ->> 'tag_id')::uuid)));
        perform rest.put_back('public.collection_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'collection_links') as part
            where exists (select from public.collections where id = (part ->> 'collection_id')::uuid)));
        delete from public.link_tags given
            using jsonb_array_elements(merge.parts -> 'link_tags') as part
            where given.link_id = target and merge.added -> 'link_tags' @> jsonb_build_array(part -> 'tag_id')
                and given.tag_id = (part ->> 'tag_id')::uuid
                -- Given again since, it is the survivor's own.
                and given.created_at = (part ->> 'created_at')::timestamptz
                -- Had before by what the survivor was merged into, it is that one's own.
                and not exists (
                    select from public.link_merges later
                    where later.id = any (later_merges) and not later.added -> 'link_tags' @> jsonb_build_array(part -> 'tag_id'));
        delete from public.collection_links given
            using jsonb_array_elements(merge.parts -> 'collection_links') as part
            where given.link_id = target and merge.added -> 'collection_links' @> jsonb_build_array(part -> 'collection_id')
                and given.collection_id = (part ->> 'collection_id')::uuid
                and given.created_at = (part ->> 'created_at')::timestamptz
                and not exists (
                    select from public.link_merges later
                    where later.id = any (later_merges)
                        and not later.added -> 'collection_links' @> jsonb_build_array(part -> 'collection_id'));

        -- Highlights and progress: as they are now.
        keys := coalesce((select jsonb_agg(part -> 'id') from jsonb_array_elements(merge.parts -> 'highlights') as part), '[]');
        update public.highlights set link_id = other where link_id = target and keys @> to_jsonb(id);
        perform rest.put_back('public.highlights', (
            select jsonb_agg(part || address)
            from jsonb_array_elements(case
                when kept.id is not null then '[]'
                when bin.id is not null then rest.parts_with(bin.parts, 'highlights', 'id', keys)
                else merge.parts -> 'highlights'
            end) as part));
        bin.parts := rest.parts_without(bin.parts, 'highlights', 'id', keys);
        keys := coalesce((
            select jsonb_agg(part -> 'content_hash') from jsonb_array_elements(merge.parts -> 'reading_progress') as part), '[]');
        update public.reading_progress set link_id = other
            where user_id = merge.user_id and link_id = target and keys @> to_jsonb(content_hash);
        perform rest.put_back('public.reading_progress', (
            select jsonb_agg(part || address)
            from jsonb_array_elements(case
                when kept.id is not null then '[]'
                when bin.id is not null then rest.parts_with(bin.parts, 'reading_progress', 'content_hash', keys)
                else merge.parts -> 'reading_progress'
            end) as part));
        bin.parts := rest.parts_without(bin.parts, 'reading_progress', 'content_hash', keys);

        perform rest.unmerge_note(merge, other, kept.id, bin.parts -> 'notes' -> 0);
        if bin.parts -> 'notes' -> 0 ->> 'body' = merge.parts -> 'notes' -> 0 ->> 'body' then
            bin.parts := rest.parts_without(
                bin.parts, 'notes', 'id', jsonb_build_array(merge.parts -> 'notes' -> 0 -> 'id'));
        end if;
        -- Article and page: the survivor's stay, unless they are the other's.
        if kept.id is not null and (merge.added -> 'articles')::boolean then
            update public.articles set link_id = other
                where link_id = kept.id and extracted_at = (merge.parts -> 'articles' -> 0 ->> 'extracted_at')::timestamptz
                    and not exists (select from public.articles where link_id = other);
        end if;
        if kept.id is not null and (merge.added -> 'pages')::boolean then
            update private.pages set link_id = other
                where link_id = kept.id and saved_at = (merge.parts -> 'pages' -> 0 ->> 'saved_at')::timestamptz
                    and not exists (select from private.pages where link_id = other);
        end if;
        perform rest.put_back('public.articles', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'articles') as part));
        perform rest.put_back('private.pages', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'pages') as part));
        update private.pages
            set url = old.url, html = old.html, saved_at = old.saved_at
            from jsonb_populate_record(null::private.pages, merge.added -> 'page_before') as old
            where pages.link_id = kept.id and old.url is not null
                and pages.saved_at = (merge.parts -> 'pages' -> 0 ->> 'saved_at')::timestamptz;
        -- Where that leaves the survivor without an article, another that is merged into it may have one.
        if kept.id is not null and (merge.added -> 'articles')::boolean
            and not exists (select from public.articles where link_id = kept.id)
        then
            perform rest.put_back('public.articles', (
                select jsonb_agg(part || jsonb_build_object('link_id', kept.id))
                from (
                    select parts -> 'articles' -> 0 as part from public.link_merges standing
                    where standing.survivor_id = kept.id and standing.undone_at is null and standing.id <> merge.id
                        and jsonb_array_length(parts -> 'articles') > 0
                    order by standing.merged_at limit 1) as articles));
        end if;

        -- What the merge changed on the survivor, where nothing has changed it since: on the link, or where it is kept.
        bin.parts := rest.parts_without(
            rest.parts_without(bin.parts, 'link_tags', 'tag_id', merge.added -> 'link_tags'),
            'collection_links', 'collection_id', merge.added -> 'collection_links');
        if own_later_merge is not null then
            update public.link_merges
                set link = link || rest.unmerged(link, merge),
                    parts = rest.parts_without(
                        rest.parts_without(parts, 'link_tags', 'tag_id', merge.added -> 'link_tags'),
                        'collection_links', 'collection_id', merge.added -> 'collection_links')
                where id = own_later_merge;
        elsif kept.id is not null then
            patch := rest.unmerged(to_jsonb(kept), merge);
            patch := patch || rest.still_merged(merge, patch);
            -- Merges since then began with what this one had made.
            update public.link_merges later
                set survivor_before = later.survivor_before || rest.taken_back(later.survivor_before, merge, merge.survivor_before),
                    survivor_after = later.survivor_after || rest.taken_back(later.survivor_after, merge, to_jsonb(kept) || patch)
                where later.survivor_id = merge.survivor_id and later.undone_at is null and later.id <> merge.id
                    and later.merged_at >= merge.merged_at;
            columns := (select string_agg(quote_ident(name), ', ') from jsonb_object_keys(patch) as name);
            if columns is not null then
                execute format(
                    'update public.links set (%1$s) = (select %1$s from jsonb_populate_record($1, $2)) where id = $3', columns)
                    using kept, patch, kept.id;
            end if;
        else
            bin.link := bin.link || rest.unmerged(bin.link, merge);
        end if;
        if bin.id is not null then
            update public.trash set link = bin.link, parts = bin.parts where id = bin.id;
        end if;
        update public.link_merges set undone_at = now() where id = merge.id;
        perform pg_notify('lectern_links', merge.user_id || ' ' || link) from unnest(array[kept.id, other]) as link
            where link is not null;
        return query select * from public.links where id in (kept.id, other) order by id = other;
    end
    $$;

-- A text without the first place where these paragraphs stand as such.
create function rest.without_paragraphs(body text, paragraphs text) returns text
    language sql immutable
    as $$
        select case
            when place = 0 then body
            else left(body, greatest(place - 3, 0)) || substr(body, place + length(paragraphs) + case when place = 1 then 2 else 0 end)
        end
        from (select strpos(E'\n\n' || body || E'\n\n', E'\n\n' || paragraphs || E'\n\n') as place) as found
    $$;

-- The note of the other link returns to it. Where it had been joined to the survivor's, it is taken out of there, unless that
-- has been rewritten since.
create function rest.unmerge_note(merge public.link_merges, other uuid, survivor uuid, trashed jsonb) returns void
    language plpgsql
    set timezone = 'UTC'
    as $$
    declare
        original jsonb := merge.parts -> 'notes' -> 0;
        joined public.notes;
    begin
        if original is null then
            return;
        end if;
        select * into joined from public.notes where link_id = survivor for update;
        if joined.id = (original ->> 'id')::uuid then
            if joined.body = original ->> 'body' then
                update public.notes set link_id = other where id = joined.id;
                return;
            end if;
            original := original || jsonb_build_object('id', gen_random_uuid());
        elsif trashed ->> 'id' = original ->> 'id' then
            if trashed ->> 'body' <> original ->> 'body' then
                original := original || jsonb_build_object('id', gen_random_uuid());
            end if;
        elsif joined.id is not null and merge.added -> 'note_before' <> 'null' then
            update public.notes
                set body = case
                        when body = merge.added -> 'note_after' ->> 'body' then merge.added -> 'note_before' ->> 'body'
                        when original ->> 'body' = '' then body
                        -- Written on behind it.
                        when starts_with(body, merge.added -> 'note_after' ->> 'body')
                            then (merge.added -> 'note_before' ->> 'body') || substr(body, length(merge.added -> 'note_after' ->> 'body') + 1)
                        else rest.without_paragraphs(body, original ->> 'body')
                    end,
                    is_favorite = case
                        when is_favorite = (merge.added -> 'note_after' -> 'is_favorite')::boolean
                            then (merge.added -> 'note_before' -> 'is_favorite')::boolean
                        else is_favorite
                    end
                where id = joined.id;
        end if;
        perform rest.put_back('public.notes', jsonb_build_array(original || jsonb_build_object('link_id', other)));
    end
    $$;

-- Whether a page that a URL led to may be taken for the page that was asked for, by their keys. A site's front page, a login, a consent or an
-- error page stands for whatever one asks for.
create function rest.is_page_of_key(asked text, reached text) returns boolean
    language plpgsql immutable
    as $$
    declare
        -- Front pages, also of a language.
        front constant text :=
            '^https://[^/?#]*(?:/(?:[a-z]{2}(?:[-_][a-z]{2})?|index|home|default)(?:\.[a-z]{2,5})?)?(?:$|[?#])';
        -- Names of hosts and of path segments. Word parts are joined in whichever way.
        hosts constant text := '^https://(?:[^/@]*@)?((?:log-?in|sign-?in|sso|auth|oauth|accounts?|passport|idp?|consent|captcha|error)\.)';
        segments constant text := '/((?:wp[-_]?|users?[-_]?|accounts?[-_]?|members?[-_]?|my[-_]?)?'
            '(?:log[-_]?in|sign[-_]?(?:in|on|up)|register|join|subscribe|auth(?:orize)?|oauth2?|sso|session[-_/]new|'
            'consent|cookie[-_]?(?:wall|consent)|gdpr|privacy[-_]?(?:wall|gate|consent)|captcha|challenge|paywall|sorry|'
            '(?:page[-_]?)?error(?:s|[-_]?[0-9]{3}|[-_]?page)?|[45][0-9][0-9]|(?:page[-_]?)?not[-_]?found|unavailable|gone|expired|'
            'denied|forbidden|maintenance)(?:[-_]?(?:form|page))?)(?:\.[a-z]{2,5})?(?:$|[/?#;])';
    begin
        asked := lower(asked);
        reached := lower(reached);
        if asked is null or reached is null then
            return false;
        end if;
        -- What was asked for may be such a page itself.
        return not (
            reached ~ front and asked !~ front
            or coalesce(substring(reached from hosts) <> coalesce(substring(asked from hosts), ''), false)
            or coalesce(substring(reached from segments) <> coalesce(substring(asked from segments), ''), false));
    end
    $$;

-- The same of two URLs.
create function rest.is_page_of(asked text, reached text) returns boolean
    language plpgsql immutable
    as $$
    begin
        return rest.is_page_of_key(rest.dedupe_key(asked), rest.dedupe_key(reached));
    end
    $$;

-- What a page may call its own address: one of its own site, in whichever of its editions, and not the site's front page.
create function rest.believed_canonical(reached text, canonical text) returns text
    language plpgsql immutable
    as $$
    declare
        key constant text := rest.dedupe_key(canonical);
        site constant text := '^https://(?:[^/?#@]*@)?(?:(?:m|mobile|amp)\.(?=[^./?#]+\.))*([^/?#]*)';
    begin
        return case
            when substring(key from site) = substring(rest.dedupe_key(reached) from site)
                and rest.is_page_of(reached, canonical)
                then key
        end;
    end
    $$;

-- The link of an owner that a key belongs to; null where there is none.
create function rest.link_of_key(owner uuid, key text) returns uuid
    language plpgsql stable
    as $$
    begin
        return coalesce(
            (select id from public.links where user_id = owner and md5(dedupe_key) = md5(key) and dedupe_key = key),
            rest.link_of_alias(owner, key));
    end
    $$;

-- Merges two links, unless their user wants one of them apart. The one that is left; null when nothing was merged.
create function rest.meet(one uuid, other uuid, why text) returns uuid
    language plpgsql
    as $$
    declare
        merge uuid;
    begin
        if one = other or exists (select from public.links where id in (one, other) and is_kept_apart) then
            return null;
        end if;
        merge := rest.merge_into_older(one, other, why);
        return (select survivor_id from public.link_merges where id = merge);
    end
    $$;

-- A tag that has become another is that other in what can still come back, too.
create function rest.forward_tag(from_tag uuid, into_tag uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := (select user_id from public.tags where id = into_tag);
        given constant jsonb := jsonb_build_array(jsonb_build_object('tag_id', from_tag));
    begin
        if not rest.acts_for(owner) then
            return;
        end if;
        update public.link_merges
            set parts = replace(parts::text, from_tag::text, into_tag::text)::jsonb,
                added = replace(added::text, from_tag::text, into_tag::text)::jsonb
            where user_id = owner and undone_at is null and parts -> 'link_tags' @> given;
        update public.trash set parts = replace(parts::text, from_tag::text, into_tag::text)::jsonb
            where user_id = owner and parts -> 'link_tags' @> given;
    end
    $$;

-- A link that is back from the trash, and the one that was made of its page meanwhile.
create function rest.meet_restored(link uuid, twin uuid) returns uuid
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        survivor uuid;
        merge uuid;
    begin
        if exists (select from public.links where id in (link, twin) and not rest.acts_for(user_id)) then
            return null;
        end if;
        merge := rest.merge_into_older(link, twin, 'clean-up');
        select survivor_id into survivor from public.link_merges where id = merge;
        update public.links set is_kept_apart = false where id = survivor;
        return survivor;
    end
    $$;

-- Now it is known where a link leads, and what the page there calls itself: it may be a page that is there already.
--
-- reached: where the chain of redirects ended; canonical: what the page says its address is, null when it says nothing.
create function rest.link_resolved(link uuid, reached text, canonical text) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- Pages that call so many others their own are not what they say.
        most_claims constant integer := 3;
        known public.links;
        page text;
        claimed text;
        claims bigint;
        other uuid;
    begin
        select * into known from public.links where id = link;
        if not found or not rest.acts_for(known.user_id) or known.is_kept_apart then
            return;
        end if;
        -- Of a page that is not what was asked for nothing is believed.
        if rest.is_page_of(known.raw_url, reached) then
            page := rest.dedupe_key(reached);
            claimed := rest.believed_canonical(reached, canonical);
        end if;
        -- Of two that find out at once that they are one, the second finds the first.
        perform pg_advisory_xact_lock(hashtextextended(known.user_id || ' ' || key, 0))
            from (select distinct key from unnest(array[known.dedupe_key, page, claimed]) as key where key is not null order by key) as keys;
        update public.links set canonical_key = claimed where id = link and canonical_key is distinct from claimed;

        -- Saved while another learnt that it leads here.
        link := coalesce(rest.meet(link, rest.link_of_alias(known.user_id, known.dedupe_key), 'resolved'), link);
        if page <> known.dedupe_key then
            other := rest.link_of_key(known.user_id, page);
            if other is null then
                insert into public.link_aliases (user_id, link_id, kind, value) values (known.user_id, link, 'key', page);
            elsif other <> link then
                link := coalesce(rest.meet(link, other, 'resolved'), link);
            end if;
        end if;

        if claimed is null then
            return;
        end if;
        -- Those that are there, and those that have been merged for it.
        other := rest.link_of_key(known.user_id, claimed);
        claims := (
                select count(*) from public.links
                where user_id = known.user_id and md5(canonical_key) = md5(claimed) and canonical_key = claimed and id <> other)
            + (select count(*) from public.link_merges where survivor_id = other and reason = 'canonical' and undone_at is null);
        if claims > most_claims then
            return;
        end if;
        if claimed = coalesce(page, known.dedupe_key) then
            -- It names itself: what has been waiting for that joins it.
            for other in
                select id from public.links
                where user_id = known.user_id and md5(canonical_key) = md5(claimed) and canonical_key = claimed and id <> link
            loop
                link := coalesce(rest.meet(link, other, 'canonical'), link);
            end loop;
        else
            perform rest.meet(link, (select id from public.links where id = other and canonical_key = claimed), 'canonical');
        end if;
    end
    $$;

-- The link that has a key for an alias.
create function rest.link_of_alias(owner uuid, key text) returns uuid
    language plpgsql stable
    as $$
    begin
        return (
            select link_id from public.link_aliases
            where user_id = owner and kind = 'key' and md5(value) = md5(key) and value = key);
    end
    $$;

do $$
    declare
        name regprocedure;
    begin
        -- Of the admin alone, but for what follows.
        for name in
            select oid::regprocedure from pg_proc
            where proowner = 'lectern_admin'::regrole and pronamespace in ('rest'::regnamespace, 'public'::regnamespace, 'private'::regnamespace)
                and prosrc is not null and proacl is null
        loop
            execute format('revoke execute on function %s from public', name);
        end loop;
    end
$$;
grant execute on function public.unmerge(uuid), rest.meet_restored(uuid, uuid), rest.forward_tag(uuid, uuid) to authenticated, service_role;
grant execute on function rest.link_resolved(uuid, text, text) to job_worker;
comment on function public.unmerge(uuid) is 'Makes two links again of what was merged into one.';
set local role lectern_owner;

-- The trash knows of names, and that merging is no deleting.

create or replace function private.link_deleted() returns trigger
    language plpgsql
    as $$
    begin
        if current_user in ('anon', 'authenticated', 'service_role')
            and current_setting('request.acted_at', true) <> ''
            and rest.is_superseded(rest.acted_at(), old.acted_at, old.acted_as)
        then
            return null;
        end if;
        perform rest.keep_in_trash(old, rest.parts_of(old.id));
        return old;
    end
    $$;

drop trigger link_deleted on public.links;
create trigger link_deleted
    before delete on public.links
    for each row
    when (current_user <> 'lectern_owner' and current_setting('rest.merging', true) is distinct from 'on')
    execute function private.link_deleted();

create policy as_its_caller on public.links
    for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
create policy as_its_caller on public.link_aliases
    for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

create or replace function rest.put_texts_back(trash_id uuid, target uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        parts jsonb;
        address constant jsonb := jsonb_build_object('link_id', target);
    begin
        select trash.parts into parts from public.trash where trash.id = trash_id;
        perform rest.put_back('public.articles', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'articles') as part));
        perform rest.put_back('private.pages', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'pages') as part));
        -- Names that have not become another link's meanwhile.
        perform rest.put_back('public.link_aliases', (
            select jsonb_agg(part || address) from jsonb_array_elements(parts -> 'link_aliases') as part
            where part ->> 'kind' = 'id'
                or coalesce(rest.link_at((part ->> 'user_id')::uuid, part ->> 'value'), target) = target));
    end
    $$;

create or replace function public.restore_link(link_id uuid) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        kept public.trash;
        target uuid;
        is_saved_again boolean;
        -- The link that another spelling has become.
        twin uuid;
        address jsonb;
    begin
        select * into kept from public.trash
            where link_id = restore_link.link_id
            order by deleted_at desc, id
            limit 1;
        if not found then
            return;
        end if;
        -- Triggers leave alone what is written as it was.
        perform set_config('rest.restoring', 'on', true);
        target := coalesce(
            (select links.id from public.links where links.id = kept.link_id),
            (select links.id from public.links where links.user_id = kept.user_id and links.raw_url = kept.raw_url));
        is_saved_again := target is not null;
        if is_saved_again then
            -- The same address: it gets what it has not.
            update public.links
                set title = coalesce(links.title, old.title), description = coalesce(links.description, old.description),
                    is_starred = links.is_starred or old.is_starred
                from jsonb_populate_record(null::public.links, kept.link) as old
                where links.id = target;
            perform rest.note_spellings(
                target, array[kept.raw_url], array[kept.link_id], array[kept.link],
                (select to_jsonb(links) from public.links where id = target));
        else
            -- Where another spelling of it was saved meanwhile, the two meet when all is back.
            twin := case when not coalesce((kept.link -> 'is_kept_apart')::boolean, false)
                then rest.link_at(kept.user_id, kept.raw_url) end;
            perform rest.put_back('public.links', jsonb_build_array(
                kept.link || case when twin is null then '{}' else '{"is_kept_apart": true}'::jsonb end));
            target := kept.link_id;
        end if;
        address := jsonb_build_object('link_id', target);
        perform rest.put_texts_back(kept.id, target);
        perform rest.put_back('public.link_tags', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'link_tags') as part
            where exists (select from public.tags where id = (part ->> 'tag_id')::uuid)));
        perform rest.put_back('public.collection_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'collection_links') as part
            where exists (select from public.collections where id = (part ->> 'collection_id')::uuid)));
        perform rest.put_back('public.highlights', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'highlights') as part));
        perform rest.put_back('public.reading_progress', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'reading_progress') as part));
        if is_saved_again then
            -- One note an article: the two become one.
            update public.notes
                set body = case
                        when notes.body in ('', part ->> 'body') then part ->> 'body'
                        when part ->> 'body' = '' then notes.body
                        else part ->> 'body' || E'\n\n' || notes.body
                    end,
                    is_favorite = notes.is_favorite or (part -> 'is_favorite')::boolean,
                    updated_at = now()
                from jsonb_array_elements(kept.parts -> 'notes') as part
                where notes.link_id = target;
        end if;
        perform rest.put_back('public.notes', (
            select jsonb_agg(part || address) from jsonb_array_elements(kept.parts -> 'notes') as part));
        perform set_config('rest.restoring', '', true);
        delete from public.trash where id = kept.id;
        if twin is not null then
            target := rest.meet_restored(target, twin);
        end if;
        return query select * from public.links where id = target;
    end
    $$;

-- As in 0010, and since then: by a former id, too.
create or replace function rest.revive(id uuid) returns void
    language plpgsql
    as $$
    declare
        kept public.trash;
    begin
        if exists (select from public.links where links.id = revive.id) then
            return;
        end if;
        select * into kept from public.trash
            where trash.link_id = revive.id or trash.link_id in (
                select survivor_id from public.link_merges where merged_id = revive.id and undone_at is null)
            order by deleted_at desc, trash.id limit 1;
        if rest.acted_at() > kept.acted_at then
            perform public.restore_link(kept.link_id);
        end if;
    end
    $$;

-- As in 0011, and since then: what waits in the trash and in merges is told.
create or replace function public.merge_tags(from_tag uuid, into_tag uuid) returns setof public.tags
    language plpgsql
    as $$
    begin
        -- Waits for a deletion under way, and keeps another away.
        perform from public.tags where id = into_tag for update;
        if found and from_tag <> into_tag then
            insert into public.link_tags (link_id, tag_id, user_id, created_at)
                select link_tags.link_id, into_tag, link_tags.user_id, link_tags.created_at from public.link_tags
                where link_tags.tag_id = from_tag
                on conflict do nothing;
            perform rest.forward_tag(from_tag, into_tag);
            delete from public.tags where id = from_tag;
        end if;
        return query select * from public.tags where id = into_tag;
    end
    $$;
