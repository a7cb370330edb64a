-- Merging two links of the same page into one.

-- What is attached to a link and visible to its user: table name to rows. Includes every table with a foreign key to
-- links, except the queue and pages sent by clients. PL/pgSQL, here and below, because it caches plans.
create or replace function rest.attached_rows(link uuid) returns jsonb
    language plpgsql stable
    as $$
    begin
        return jsonb_build_object(
            'articles', coalesce((select jsonb_agg(to_jsonb(t)) from public.articles t where t.link_id = link), '[]'),
            'link_tags', coalesce((select jsonb_agg(to_jsonb(t)) from public.link_tags t where t.link_id = link), '[]'),
            'highlights', coalesce((select jsonb_agg(to_jsonb(t)) from public.highlights t where t.link_id = link),
                '[]'),
            'bookmarks', coalesce((select jsonb_agg(to_jsonb(t)) from public.bookmarks t where t.link_id = link),
                '[]'),
            'notes', coalesce((select jsonb_agg(to_jsonb(t)) from public.notes t where t.link_id = link), '[]'),
            'collection_links', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.collection_links t where t.link_id = link), '[]'),
            'reading_progress', coalesce(
                (select jsonb_agg(to_jsonb(t)) from public.reading_progress t where t.link_id = link), '[]'),
            'link_aliases', coalesce((select jsonb_agg(to_jsonb(t)) from public.link_aliases t where t.link_id = link),
                '[]'));
    end
    $$;

grant execute on function rest.attached_rows(uuid) to authenticated, service_role;

-- Functions owned by the admin, who sees all rows. Their callers check whose link it is.
set local role lectern_admin;

-- Columns of a link that a merge may change and undoing it restores.
create or replace function rest.merged_columns() returns text[]
    language sql immutable
    as $$
        select array['resolved_url', 'title', 'description', 'list', 'status', 'device_saved', 'is_starred',
            'updated_at',
            'state', 'reason', 'reason_message', 'image', 'site_name', 'lang', 'word_count', 'canonical_key',
                'acted_at',
            'acted_as', 'title_is_text', 'description_is_text', 'kind', 'byline', 'published_at', 'reading_time',
            'icon', 'enclosure_url', 'enclosure_type', 'enclosure_duration']
    $$;

-- Merges a link into another one of the same owner. Returns the id of the merge; null if one of the links does not
-- exist.
--
-- Nothing is lost: where only one value can be kept, the survivor's stays and the other one's is stored with the merge.
-- List and status are those of the link that the user changed last.
create or replace function rest.merge_links(survivor uuid, other uuid, why text) returns uuid
    language plpgsql
    -- Timestamps are compared in the format in which they were stored.
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
        has_copy boolean;
        has_share boolean;
        is_read_again boolean;
        is_newer boolean;
        own_key text;
        note_before jsonb;
        merge uuid;
    begin
        perform rest.lock_writes(array(select user_id from public.links where id in (survivor, other)));
        perform from public.links where id in (survivor, other) order by id for update;
        select * into kept from public.links where id = survivor;
        select * into gone from public.links where id = other and user_id = kept.user_id and id <> survivor;
        if gone.id is null then
            return null;
        end if;
        parts := rest.attached_rows(other) || jsonb_build_object(
            'pages', coalesce((select jsonb_agg(to_jsonb(t)) from private.pages t where t.link_id = other), '[]'),
            'page_copies', coalesce(
                (select jsonb_agg(to_jsonb(t)) from private.page_copies t where t.link_id = other), '[]'),
            'shares', coalesce((select jsonb_agg(to_jsonb(t)) from private.shares t where t.link_id = other), '[]'),
            'ruled_links', coalesce(
                (select jsonb_agg(to_jsonb(t)) from private.ruled_links t where t.link_id = other), '[]'));

        with moved as (
            insert into public.link_tags (link_id, tag_id, user_id, created_at)
                select survivor, tag_id, user_id, created_at from public.link_tags where link_id = other
                on conflict do nothing
                returning tag_id)
        select coalesce(jsonb_agg(tag_id), '[]') into added_tags from moved;
        with moved as (
            insert into public.collection_links (collection_id, link_id, user_id, position, created_at)
                select collection_id, survivor, user_id, position, created_at from public.collection_links
                    where link_id = other
                on conflict do nothing
                returning collection_id)
        select coalesce(jsonb_agg(collection_id), '[]') into added_collections from moved;
        update public.highlights set link_id = survivor where link_id = other;
        update public.bookmarks set link_id = survivor where link_id = other;
        update public.reading_progress set link_id = survivor where link_id = other;
        note_before := (select to_jsonb(notes) from public.notes where link_id = survivor);
        -- A link has one note: the two are joined.
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
                -- Two notes that are too long together are not joined: the other one's is stored with the merge.
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
        has_copy := exists (select from private.page_copies where link_id = survivor);
        if not has_copy then
            update private.page_copies set link_id = survivor where link_id = other;
        end if;
        -- The address that others know goes on to lead to the page.
        has_share := exists (select from private.shares where link_id = survivor);
        if not has_share then
            update private.shares set link_id = survivor where link_id = other;
        end if;
        update private.feed_entries set link_id = survivor where user_id = kept.user_id and link_id = other;
        update public.link_aliases set link_id = survivor where link_id = other;
        -- What the rules did to the other link stays, so the survivor has met them, too.
        insert into private.ruled_links (link_id, user_id)
            select survivor, user_id from private.ruled_links where link_id = other
            on conflict do nothing;

        perform set_config('rest.merging', 'on', true);
        delete from public.links where id = other;
        perform set_config('rest.merging', '', true);
        -- A survivor without its own key, because the other link had it, gets it now.
        own_key := case when gone.dedupe_key = rest.dedupe_key(kept.raw_url) then gone.dedupe_key
            else kept.dedupe_key end;
        insert into public.link_aliases (user_id, link_id, kind, value)
            select kept.user_id, survivor, kind, value
            from (values ('spelling', gone.raw_url), ('key', gone.dedupe_key), ('id', gone.id::text))
                as name (kind, value)
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
            user_id, survivor_id, merged_id, raw_url, title, reason, survivor_before, survivor_after, link, parts,
                added)
            values (
                kept.user_id, survivor, other, gone.raw_url, gone.title, why, to_jsonb(kept), to_jsonb(after),
                to_jsonb(gone), parts,
                jsonb_build_object(
                    'link_tags', added_tags, 'collection_links', added_collections, 'articles', not has_article,
                    'pages', not has_page, 'page_copies', not has_copy, 'shares', not has_share,
                    'note_before', note_before,
                    'note_after', (select to_jsonb(notes) from public.notes where link_id = survivor)))
            returning id into merge;
        perform pg_notify('lectern_links', kept.user_id || ' ' || survivor);
        return merge;
    end
    $$;

-- Merges the newer of two links into the older one.
create or replace function rest.merge_into_older(one uuid, other uuid, why text) returns uuid
    language plpgsql
    as $$
    declare
        pair uuid[];
    begin
        select array_agg(id order by created_at, id) into pair from public.links where id in (one, other);
        return case when cardinality(pair) = 2 then rest.merge_links(pair[1], pair[2], why) end;
    end
    $$;

-- Runs when a merge is recorded, after everything else: the survivor gets the metadata and the enclosure of the other
-- link where it has none, and the merge records that.
create or replace function private.complete_merge() returns trigger
    language plpgsql
    set timezone = 'UTC'
    as $$
    declare
        after public.links;
    begin
        update public.links as kept
            set kind = coalesce(kept.kind, gone.kind), byline = coalesce(kept.byline, gone.byline),
                published_at = coalesce(kept.published_at, gone.published_at),
                reading_time = coalesce(kept.reading_time, gone.reading_time), icon = coalesce(kept.icon, gone.icon),
                enclosure_url = coalesce(kept.enclosure_url, gone.enclosure_url),
                enclosure_type = case when kept.enclosure_url is null then gone.enclosure_type
                    else kept.enclosure_type end,
                enclosure_duration = case
                    when kept.enclosure_url is null then gone.enclosure_duration else kept.enclosure_duration
                end
            from jsonb_populate_record(null::public.links, new.link) as gone
            where kept.id = new.survivor_id
                and (
                    coalesce(kept.kind, gone.kind), coalesce(kept.byline, gone.byline),
                    coalesce(kept.published_at, gone.published_at), coalesce(kept.reading_time, gone.reading_time),
                    coalesce(kept.icon, gone.icon), coalesce(kept.enclosure_url, gone.enclosure_url))
                    is distinct from (kept.kind, kept.byline, kept.published_at, kept.reading_time, kept.icon,
                        kept.enclosure_url)
            returning kept.* into after;
        if found then
            new.survivor_after := to_jsonb(after);
        end if;
        return new;
    end
    $$;

create or replace trigger complete_merge
    before insert on public.link_merges
    for each row
    -- A merge without parts was never a link: it is another spelling that was saved.
    when (new.parts <> '{}')
    execute function private.complete_merge();

revoke execute on function rest.merged_columns(), rest.merge_links(uuid, uuid, text),
    rest.merge_into_older(uuid, uuid, text), private.complete_merge()
    from public;

set local role lectern_owner;
