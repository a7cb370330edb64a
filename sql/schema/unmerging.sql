-- Undoing a merge.

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- The enclosure of a link, which is copied or left as a whole.
create or replace function rest.enclosure_of(link jsonb) returns jsonb
    language sql immutable
    as $$
        select jsonb_build_array(link -> 'enclosure_url', link -> 'enclosure_type', link -> 'enclosure_duration')
    $$;

-- Rows of a table, among the parts of a trashed link, whose key is in the list.
create or replace function rest.parts_with(parts jsonb, name text, key text, keys jsonb) returns jsonb
    language sql immutable
    as $$
        select coalesce(jsonb_agg(part), '[]') from jsonb_array_elements(parts -> name) as part
        where keys @> jsonb_build_array(part -> key)
    $$;

-- The parts without those rows.
create or replace function rest.parts_without(parts jsonb, name text, key text, keys jsonb) returns jsonb
    language sql immutable
    as $$
        select parts || jsonb_build_object(name, coalesce(
            (select jsonb_agg(part) from jsonb_array_elements(parts -> name) as part
                where not keys @> jsonb_build_array(part -> key)), '[]'))
    $$;

-- The columns that go back to their former values: those that the merge changed and nobody has changed since. The
-- enclosure counts as one value.
create or replace function rest.columns_to_restore(link jsonb, merge public.link_merges) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, merge.survivor_before -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and link -> name is not distinct from merge.survivor_after -> name
            and (not starts_with(name, 'enclosure_')
                or rest.enclosure_of(link) = rest.enclosure_of(merge.survivor_after))
    $$;

-- Of the columns that go back, those that keep their value because another link that is still merged provides it too: a
-- star, and texts that would become empty.
create or replace function rest.provided_by_other_merges(merge public.link_merges, patch jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, value), '{}')
        from (
            select distinct on (name) name, coalesce(standing.link -> name, 'null') as value
            from public.link_merges standing, (
                select jsonb_object_keys(patch)
                union
                select unnest(array['enclosure_type', 'enclosure_duration']) where patch ? 'enclosure_url'
            ) as names (name)
            where standing.survivor_id = merge.survivor_id and standing.undone_at is null and standing.id <> merge.id
                and (name = 'is_starred' and standing.link -> name = 'true'
                    or name in ('resolved_url', 'title', 'description', 'device_saved', 'image', 'site_name', 'lang',
                        'word_count',
                            'kind', 'byline', 'published_at', 'reading_time', 'icon')
                        and patch -> name = 'null' and coalesce(standing.link -> name, 'null') <> 'null'
                    or starts_with(name, 'enclosure_') and patch -> 'enclosure_url' = 'null'
                        and coalesce(standing.link -> 'enclosure_url', 'null') <> 'null')
            order by name, standing.merged_at, standing.id) as brought
    $$;

-- Corrects the state of the survivor that a later merge stored: values that came from the merge being undone are
-- replaced by the present ones.
create or replace function rest.without_merge(state jsonb, merge public.link_merges, now jsonb) returns jsonb
    language sql stable
    as $$
        select coalesce(jsonb_object_agg(name, now -> name), '{}')
        from unnest(rest.merged_columns()) as name
        where merge.survivor_before -> name is distinct from merge.survivor_after -> name
            and state ? name and state -> name is not distinct from merge.survivor_after -> name
            and (not starts_with(name, 'enclosure_')
                or rest.enclosure_of(state) = rest.enclosure_of(merge.survivor_after))
    $$;

-- A text without the first occurrence of these paragraphs.
create or replace function rest.without_paragraphs(body text, paragraphs text) returns text
    language sql immutable
    as $$
        select case
            when place = 0 then body
            else left(body, greatest(place - 3, 0))
                || substr(body, place + length(paragraphs) + case when place = 1 then 2 else 0 end)
        end
        from (select strpos(E'\n\n' || body || E'\n\n', E'\n\n' || paragraphs || E'\n\n') as place) as found
    $$;

-- Returns the other link's note to it. If it was joined to the survivor's note, it is removed from there, unless that
-- part has been rewritten since.
create or replace function rest.unmerge_note(merge public.link_merges, other uuid, survivor uuid, trashed jsonb)
    returns void
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
                        -- The user has appended to it.
                        when starts_with(body, merge.added -> 'note_after' ->> 'body')
                            then (merge.added -> 'note_before' ->> 'body')
                                || substr(body, length(merge.added -> 'note_after' ->> 'body') + 1)
                        else rest.without_paragraphs(body, original ->> 'body')
                    end,
                    is_favorite = case
                        when is_favorite = (merge.added -> 'note_after' -> 'is_favorite')::boolean
                            then (merge.added -> 'note_before' -> 'is_favorite')::boolean
                        else is_favorite
                    end
                where id = joined.id;
        end if;
        perform rest.insert_stored_rows('public.notes',
            jsonb_build_array(original || jsonb_build_object('link_id', other, 'user_id', merge.user_id)));
    end
    $$;

-- Undoes a merge and returns both links; nothing if the merge does not exist or has been undone.
--
-- Everything that came from the other link returns to it, from wherever it is now: the survivor, a link that the
-- survivor was merged into later, or the trash. Later changes by the user stay with the survivor.
create or replace function public.unmerge(merge_id uuid) returns setof public.links
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
        -- The merge of the survivor itself.
        own_later_merge uuid;
        later_merges uuid[] := '{}';
        steps integer := 0;
        other uuid;
        kept public.links;
        bin public.trash;
        patch jsonb;
        keys jsonb;
        passages text;
        address jsonb;
        columns text;
    begin
        perform rest.lock_writes(array(
            select user_id from public.link_merges where id = merge_id and rest.may_act_for(user_id)));
        select * into merge from public.link_merges where id = merge_id and undone_at is null for update;
        if not found or not rest.may_act_for(merge.user_id) then
            return;
        end if;

        -- Finds the survivor: it may have been merged into another link, and that one into a third.
        target := merge.survivor_id;
        loop
            exit when exists (select from public.links where id = target and user_id = merge.user_id)
                or exists (select from public.trash where link_id = target and user_id = merge.user_id);
            select id, survivor_id into later_merge, next from public.link_merges
                where merged_id = target and user_id = merge.user_id and undone_at is null
                    and merged_at >= merge.merged_at
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

        -- The other link; if its address has been saved again, that link.
        select id into other from public.links where user_id = merge.user_id and raw_url = merge.raw_url;
        if other = kept.id then
            raise exception 'the URL of the merged link now belongs to another link'
                using errcode = 'unique_violation', detail = merge.raw_url, hint = 'Change the URL of that link first.';
        end if;
        if other is not null then
            update public.links
                set title = coalesce(title, merge.link ->> 'title'),
                    description = coalesce(description, merge.link ->> 'description'),
                    is_starred = is_starred or coalesce((merge.link -> 'is_starred')::boolean, false),
                        is_kept_apart = true
                where id = other;
        else
            delete from public.link_aliases
                where user_id = merge.user_id and link_id = target
                    and (kind, value) in (
                        ('spelling', merge.raw_url), ('key', merge.link ->> 'dedupe_key'),
                            ('id', merge.merged_id::text));
            -- Another link may have its id by now.
            other := case
                when exists (select from public.links where id = merge.merged_id) then gen_random_uuid()
                    else merge.merged_id end;
            perform rest.insert_stored_rows('public.links', jsonb_build_array(
                merge.link || jsonb_build_object('id', other, 'user_id', merge.user_id, 'is_kept_apart', true)));
            if current_setting('role') = 'authenticated' then
                perform private.require_link_quota(merge.user_id, 1);
            end if;
        end if;
        -- Whatever the stored rows say, they belong to the owner of the merge.
        address := jsonb_build_object('link_id', other, 'user_id', merge.user_id);
        update public.link_aliases set link_id = other
            where link_id = target and exists (
                select from jsonb_array_elements(merge.parts -> 'link_aliases') as part
                where part ->> 'kind' = link_aliases.kind and part ->> 'value' = link_aliases.value);

        -- Tags and collections: the other link gets its own back; the survivor loses those that it did not have before.
        perform rest.insert_stored_rows('public.link_tags', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'link_tags') as part
            where exists (select from public.tags where id = (part ->> 'tag_id')::uuid)));
        perform rest.insert_stored_rows('public.collection_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'collection_links') as part
            where exists (select from public.collections where id = (part ->> 'collection_id')::uuid)));
        delete from public.link_tags given
            using jsonb_array_elements(merge.parts -> 'link_tags') as part
            where given.link_id = target and merge.added -> 'link_tags' @> jsonb_build_array(part -> 'tag_id')
                and given.tag_id = (part ->> 'tag_id')::uuid
                -- Added again since the merge: it is the survivor's own.
                and given.created_at = (part ->> 'created_at')::timestamptz
                -- The link that the survivor was merged into had it before: it is that link's own.
                and not exists (
                    select from public.link_merges later
                    where later.id = any (later_merges) and not later.added -> 'link_tags'
                        @> jsonb_build_array(part -> 'tag_id'));
        delete from public.collection_links given
            using jsonb_array_elements(merge.parts -> 'collection_links') as part
            where given.link_id = target and merge.added -> 'collection_links'
                @> jsonb_build_array(part -> 'collection_id')
                and given.collection_id = (part ->> 'collection_id')::uuid
                and given.created_at = (part ->> 'created_at')::timestamptz
                and not exists (
                    select from public.link_merges later
                    where later.id = any (later_merges)
                        and not later.added -> 'collection_links' @> jsonb_build_array(part -> 'collection_id'));

        -- Highlights, bookmarks and progress: as they are now.
        foreach passages in array array['highlights', 'bookmarks'] loop
            keys := coalesce((select jsonb_agg(part -> 'id') from jsonb_array_elements(merge.parts -> passages)
                as part), '[]');
            execute format('update public.%I set link_id = $1 where link_id = $2 and $3 @> to_jsonb(id)', passages)
                using other, target, keys;
            perform rest.insert_stored_rows(format('public.%I', passages)::regclass, (
                select jsonb_agg(part || address)
                from jsonb_array_elements(case
                    when kept.id is not null then '[]'
                    when bin.id is not null then rest.parts_with(bin.parts, passages, 'id', keys)
                    else merge.parts -> passages
                end) as part));
            bin.parts := rest.parts_without(bin.parts, passages, 'id', keys);
        end loop;
        keys := coalesce((
            select jsonb_agg(part -> 'content_hash') from jsonb_array_elements(merge.parts -> 'reading_progress')
                as part), '[]');
        update public.reading_progress set link_id = other
            where user_id = merge.user_id and link_id = target and keys @> to_jsonb(content_hash);
        perform rest.insert_stored_rows('public.reading_progress', (
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
        -- Article, page and copy: they stay with the survivor, unless they came from the other link.
        if kept.id is not null and (merge.added -> 'articles')::boolean then
            update public.articles set link_id = other
                where link_id = kept.id and extracted_at
                    = (merge.parts -> 'articles' -> 0 ->> 'extracted_at')::timestamptz
                    and not exists (select from public.articles where link_id = other);
        end if;
        if kept.id is not null and (merge.added -> 'pages')::boolean then
            update private.pages set link_id = other
                where link_id = kept.id and saved_at = (merge.parts -> 'pages' -> 0 ->> 'saved_at')::timestamptz
                    and not exists (select from private.pages where link_id = other);
        end if;
        if kept.id is not null and (merge.added -> 'page_copies')::boolean then
            update private.page_copies set link_id = other
                where link_id = kept.id
                    and taken_at = (merge.parts -> 'page_copies' -> 0 ->> 'taken_at')::timestamptz
                    and not exists (select from private.page_copies where link_id = other);
        end if;
        if kept.id is not null and (merge.added -> 'shares')::boolean then
            update private.shares set link_id = other
                where link_id = kept.id and token = merge.parts -> 'shares' -> 0 ->> 'token';
        end if;
        perform rest.insert_stored_rows('public.articles', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'articles') as part));
        perform rest.insert_stored_rows('private.pages', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'pages') as part));
        perform rest.insert_stored_rows('private.page_copies', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'page_copies') as part));
        perform rest.insert_stored_rows('private.shares', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'shares') as part));
        perform rest.insert_stored_rows('private.ruled_links', (
            select jsonb_agg(part || address) from jsonb_array_elements(merge.parts -> 'ruled_links') as part));
        update private.pages
            set url = old.url, html = old.html, saved_at = old.saved_at
            from jsonb_populate_record(null::private.pages, merge.added -> 'page_before') as old
            where pages.link_id = kept.id and old.url is not null
                and pages.saved_at = (merge.parts -> 'pages' -> 0 ->> 'saved_at')::timestamptz;
        -- If that leaves the survivor without an article, another merged link may have one.
        if kept.id is not null and (merge.added -> 'articles')::boolean
            and not exists (select from public.articles where link_id = kept.id)
        then
            if kept.id is not null and (merge.added -> 'shares')::boolean then
            update private.shares set link_id = other
                where link_id = kept.id and token = merge.parts -> 'shares' -> 0 ->> 'token';
        end if;
        perform rest.insert_stored_rows('public.articles', (
                select jsonb_agg(part || jsonb_build_object('link_id', kept.id, 'user_id', merge.user_id))
                from (
                    select parts -> 'articles' -> 0 as part from public.link_merges standing
                    where standing.survivor_id = kept.id and standing.undone_at is null and standing.id <> merge.id
                        and jsonb_array_length(parts -> 'articles') > 0
                    order by standing.merged_at limit 1) as articles));
        end if;

        -- Restores the columns that the merge changed, on the link or in the trash, unless they have been changed
        -- since.
        bin.parts := rest.parts_without(
            rest.parts_without(bin.parts, 'link_tags', 'tag_id', merge.added -> 'link_tags'),
            'collection_links', 'collection_id', merge.added -> 'collection_links');
        if own_later_merge is not null then
            update public.link_merges
                set link = link || rest.columns_to_restore(link, merge),
                    parts = rest.parts_without(
                        rest.parts_without(parts, 'link_tags', 'tag_id', merge.added -> 'link_tags'),
                        'collection_links', 'collection_id', merge.added -> 'collection_links')
                where id = own_later_merge;
        elsif kept.id is not null then
            patch := rest.columns_to_restore(to_jsonb(kept), merge);
            patch := patch || rest.provided_by_other_merges(merge, patch);
            -- Later merges stored a state that this merge had produced.
            update public.link_merges later
                set survivor_before = later.survivor_before
                    || rest.without_merge(later.survivor_before, merge, merge.survivor_before),
                    survivor_after = later.survivor_after
                        || rest.without_merge(later.survivor_after, merge, to_jsonb(kept) || patch)
                where later.survivor_id = merge.survivor_id and later.undone_at is null and later.id <> merge.id
                    and later.merged_at >= merge.merged_at;
            columns := (select string_agg(quote_ident(name), ', ') from jsonb_object_keys(patch) as name);
            if columns is not null then
                execute format(
                    'update public.links set (%1$s) = (select %1$s from jsonb_populate_record($1, $2)) where id = $3',
                        columns)
                    using kept, patch, kept.id;
            end if;
        else
            bin.link := bin.link || rest.columns_to_restore(bin.link, merge);
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
comment on function public.unmerge(uuid) is 'Undoes a merge of two links and returns both.';

revoke execute on function rest.enclosure_of(jsonb), rest.parts_with(jsonb, text, text, jsonb),
    rest.parts_without(jsonb, text, text, jsonb), rest.columns_to_restore(jsonb, public.link_merges),
    rest.provided_by_other_merges(public.link_merges, jsonb), rest.without_merge(jsonb, public.link_merges, jsonb),
    rest.without_paragraphs(text, text), rest.unmerge_note(public.link_merges, uuid, uuid, jsonb),
    public.unmerge(uuid)
    from public;
grant execute on function public.unmerge(uuid) to authenticated, service_role;

set local role lectern_owner;
