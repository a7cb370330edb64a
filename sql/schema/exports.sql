-- Exports: everything a user has, in one file.

create or replace function private.notify_exports() returns trigger
    language plpgsql
    as $$
    begin
        perform pg_notify('lectern_exports', '');
        return null;
    end
    $$;

-- Per row and not per statement: the jobs process deletes expired exports whenever it is notified, and a statement
-- without rows would notify it again.
create or replace trigger notify_exports after insert or delete on private.exports
    for each row execute function private.notify_exports();

-- What exports hold: for each table with rows of users the exported columns, and those that are withheld because they
-- are secrets, name the server's network, or repeat other rows. A column that is not listed is not exported; a test
-- names it.
--
-- The reason and message of a job are the true ones: why an address was refused tells what is in the network. Users get
-- them in the words of public.links and public.link_pictures.
create or replace view private.personal_columns as
    select known.name, known.exported, known.withheld
    from (values
        ('auth.api_tokens',
            '{id, user_id, name, scope, prefix, created_at, expires_at, last_used_at, last_used_address}'::text[],
            '{token_hash}'::text[]),
        ('auth.audit_log',
            '{id, at, action, actor, user_id, address, user_agent, details}',
            '{}'),
        ('auth.devices',
            '{user_id, device, seen_at}',
            '{}'),
        ('auth.identities',
            '{id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at}',
            '{}'),
        ('auth.mfa_factors',
            '{id, user_id, friendly_name, factor_type, status, created_at, updated_at}',
            '{secret}'),
        ('auth.one_time_tokens',
            '{id, user_id, kind, new_email, tries, created_at, expires_at}',
            '{token_hash, code_hash}'),
        ('auth.pairings',
            '{id, user_id, created_at, expires_at}',
            '{code_hash}'),
        ('auth.sessions',
            '{id, user_id, generation, user_agent, address, created_at, refreshed_at, aal, amr}',
            '{}'),
        ('auth.users',
            '{id, email, user_metadata, app_metadata, email_confirmed_at, last_sign_in_at, created_at, updated_at,
            email_key, email_is_unproven, invited_at, banned_until}',
            '{encrypted_password}'),
        ('private.article_reports',
            '{link_id, user_id, note, url, content_type, html, content, extractor_version, reported_at}',
            '{}'),
        ('private.batches',
            '{id, user_id, created_at, updated_at, import_id}',
            '{}'),
        ('private.change_log',
            '{seq, xid, user_id, table_name, op, key, changed_at}',
            '{record}'),
        ('private.collection_trees',
            '{collection_id, user_id, tree}',
            '{}'),
        ('private.daily_counts',
            '{user_id, name, day, n}',
            '{}'),
        ('private.digest_times',
            '{user_id, ended_at}',
            '{}'),
        ('private.documents',
            '{user_id, hash, name, type, bytes, address, created_at}',
            '{}'),
        ('private.ereader_mails',
            '{id, user_id, link_id, book_id, title, recipient, state, reason, created_at, sent_at}',
            '{}'),
        ('private.feed_entries',
            '{feed_id, hash, user_id, link_id, seen_at}',
            '{}'),
        ('private.feeds',
            '{id, user_id, url, title, site_url, list, tags, collection_id, keep_words, skip_words, first_entries, is_paused,
            state, reason, failures, last_fetched_at, last_success_at, next_fetch_at, saved_count, copy_url, etag,
            last_modified, fetches, created_at}',
            '{}'),
        ('private.done_jobs',
            '{id, kind, user_id, link_id, batch_id, attempts, steps, created_at, started_at, done_at}',
            '{}'),
        ('private.exports',
            '{id, user_id, format, query, state, rows_done, rows_total, bytes, message, attempts, leased_until,
            created_at, finished_at, expires_at}',
            '{tree}'),
        ('private.file_names',
            '{link_id, user_id, name}',
            '{}'),
        ('private.former_articles',
            '{link_id, user_id, article, kept_at, is_restored}',
            '{}'),
        ('private.import_entries',
            '{import_id, user_id, place, row, url, entry}',
            '{}'),
        ('private.import_rejects',
            '{import_id, user_id, row, url, reason}',
            '{}'),
        ('private.imports',
            '{id, user_id, name, format, bytes, state, imported, duplicate, rejected, reason, link_id, batch_id, run_at,
            lease, leased_until, attempts, created_at, finished_at, staged_at, staged_rows,
            is_held, summary}',
            '{}'),
        ('private.jobs',
            '{id, kind, user_id, link_id, state, attempts, run_at, leased_until, created_at, updated_at, lease,
            interruptions, in_bulk, priority, batch_id, started_at}',
            '{leased_by, reason, message}'),
        ('private.kept_pictures',
            '{link_id, user_id, kind, source, hash, position}',
            '{}'),
        ('private.last_changes',
            '{user_id, table_name, key, xid, seq, changed_at}',
            '{}'),
        ('private.link_books',
            '{link_id, user_id, state, run_at, lease, leased_until, attempts, hash, marked_hash, bytes, made_at,
            requested_at}',
            '{message}'),
        ('private.link_change_steps',
            '{id, change_id, user_id, table_name, link_id, before, after}',
            '{}'),
        ('private.link_changes',
            '{id, user_id, made_at}',
            '{}'),
        ('private.made_books',
            '{id, user_id, title, query, link_ids, state, run_at, lease, leased_until, attempts, reason, hash,
            marked_hash, articles, bytes, made_at, created_at}',
            '{message}'),
        ('private.mails',
            '{id, user_id, kind, recipient, subject, state, attempts, run_at, created_at, sent_at, expires_at}',
            '{body, html, message}'),
        ('private.markdown_files',
            '{link_id, user_id, revision, image}',
            '{markdown}'),
        ('private.page_checks',
            '{link_id, user_id, asked_url, visited_at, read_at, url, etag, last_modified, broken_since, reason,
            message}',
            '{}'),
        ('private.page_copies',
            '{link_id, user_id, html, bytes, taken_at}',
            '{}'),
        ('private.pages',
            '{link_id, user_id, url, html, saved_at, read_by, is_source, is_article, type}',
            '{}'),
        ('private.picture_jobs',
            '{picture_id, user_id, state, attempts, interruptions, run_at, lease, leased_until, created_at}',
            '{reason, message}'),
        ('private.picture_listings',
            '{link_id, user_id, state, is_wanted, is_incomplete, run_at, lease, leased_until, attempts}',
            '{}'),
        ('private.quota_counts',
            '{user_id, quota, used, counted_at, effort}',
            '{}'),
        ('private.resolutions',
            '{id, user_id, url, asked_at, taken_at, outcome, resolved_url, title, description}',
            '{}'),
        ('private.rule_trees',
            '{rule_id, user_id, tree}',
            '{}'),
        ('private.ruled_links',
            '{link_id, user_id}',
            '{}'),
        ('private.search_owners',
            '{user_id}',
            '{number, langs}'),
        ('private.search_parts',
            '{link_id, part, user_id, lang, saved_at}',
            '{owner, is_long, is_indexed, index_error, rules}'),
        ('private.search_tags',
            '{tag_id, user_id, words}',
            '{rules}'),
        ('private.shares',
            '{id, user_id, link_id, token, created_at}',
            '{}'),
        ('private.sources',
            '{link_id, user_id, kind, asked_url, url, content_type, html, kept_at, read_by, is_article}',
            '{}'),
        ('private.unused_documents',
            '{user_id, hash}',
            '{}'),
        ('private.unused_pictures',
            '{user_id, hash}',
            '{}'),
        ('private.webhook_deliveries',
            '{id, user_id, webhook_id, event, body, state, attempts, run_at, status, reason, created_at, sent_at}',
            '{}'),
        ('private.webhooks',
            '{id, user_id, url, events, created_at}',
            '{secret}'),
        ('public.articles',
            '{link_id, user_id, url, title, byline, content, text_content, excerpt, site_name, lang, dir, image,
            published_time, published_at, length, word_count, source, extracted_at, extractor_version,
            metadata_is_text, source_reason, is_whole, reading_time, confidence}',
            '{}'),
        ('public.bookmarks',
            '{id, user_id, link_id, name, quote, start_offset, created_at, updated_at, acted_at, acted_as}',
            '{}'),
        ('public.collection_links',
            '{collection_id, link_id, user_id, position, created_at}',
            '{}'),
        ('public.collections',
            '{id, user_id, name, description, parent_id, query, position, created_at, updated_at, acted_at, acted_as}',
            '{}'),
        ('public.highlights',
            '{id, user_id, link_id, quote, prefix, suffix, start_offset, end_offset, note, color, created_at,
            updated_at, acted_at, acted_as, orphaned_at}',
            '{}'),
        ('public.link_aliases',
            '{id, user_id, link_id, kind, value, created_at}',
            '{}'),
        ('public.link_merges',
            '{id, user_id, survivor_id, merged_id, raw_url, title, reason, merged_at, undone_at, survivor_before,
            survivor_after, link, parts, added}',
            '{}'),
        ('public.link_pictures',
            '{id, link_id, user_id, kind, source, state, reason, message, hash, position, created_at}',
            '{}'),
        ('public.link_tags',
            '{link_id, tag_id, user_id, created_at}',
            '{}'),
        ('public.links',
            '{id, user_id, raw_url, resolved_url, title, description, list, status, device_saved, is_starred,
            created_at, updated_at, state, reason, reason_message, image, site_name, lang, word_count, acted_at,
            acted_as, title_is_text, description_is_text, dedupe_key, canonical_key, is_kept_apart, kind, byline,
            published_at, reading_time, icon, enclosure_url, enclosure_type, enclosure_duration, domain,
            archived_at}',
            '{}'),
        ('public.notes',
            '{id, user_id, link_id, body, is_favorite, created_at, updated_at, acted_at, acted_as}',
            '{}'),
        ('public.pictures',
            '{user_id, hash, address, type, width, height, bytes, created_at}',
            '{}'),
        ('public.reading_progress',
            '{user_id, content_hash, link_id, last_read_character_index, last_page_number, total_pages,
            percentage_complete, last_updated}',
            '{}'),
        ('public.rules',
            '{id, user_id, position, name, query, change, enabled, applied_count, last_applied_at, created_at,
            updated_at, acted_at, acted_as}',
            '{}'),
        ('public.tags',
            '{id, user_id, name, color, created_at, updated_at, acted_at, acted_as}',
            '{}'),
        ('public.trash',
            '{id, user_id, link_id, raw_url, title, link, parts, deleted_at, acted_at}',
            '{}'),
        ('public.user_settings',
            '{user_id, font_name, font_size, theme, line_spacing, speech_rate, created_at, updated_at, acted_at,
            acted_as, digest_schedule, ereader_email}',
            '{}'),
        ('rest.annotation_ranges',
            '{highlight_id, user_id, ranges}',
            '{}'),
        ('rest.changes',
            '{user_id, slot, n}',
            '{}'),
        ('rest.integer_ids',
            '{number, user_id, kind, row_id}',
            '{url_hash, resolved_url_hash}')
    ) as known (name, exported, withheld);

-- These tables with the column that holds the user's id and the columns of the primary key.
create or replace view private.personal_tables as
    select known.name, n.nspname as schema_name, c.relname as table_name,
        case when known.name = 'auth.users' then 'id' else 'user_id' end as owner_column,
        known.exported as exported_columns,
        (select string_agg(quote_ident(k.attname), ', ' order by array_position(i.indkey::smallint[], k.attnum))
            from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
            where i.indrelid = c.oid and i.indisprimary) as key_columns
    from private.personal_columns known
    join pg_namespace n on n.nspname = split_part(known.name, '.', 1)
    join pg_class c on c.relnamespace = n.oid and c.relname = split_part(known.name, '.', 2)
    order by n.nspname, c.relname;
grant select on private.personal_columns, private.personal_tables to lectern_jobs;

-- Functions that search.
set local role lectern_search;

-- The condition of the parsed query of an export on a link `l`; null without a query.
create or replace function private.export_condition(tree jsonb, owner uuid) returns text
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select case when number is null then 'false' else private.found_condition(tree -> 'where', owner, number) end
        from (select (select n.number from private.search_owners n where n.user_id = owner) as number) as searched
        where tree -> 'where' <> 'null'
    $$;
revoke execute on function private.export_condition(jsonb, uuid) from public;
grant execute on function private.export_condition(jsonb, uuid) to lectern_admin;

-- What an export reads. Only `lectern_jobs` may call these functions. They belong to the admin, who sees all rows,
-- because users have no direct access to most of the tables. Rows are returned by cursors, which bounds the memory of
-- both sides.
set local role lectern_admin;

-- The account of an export; no row if it does not exist.
create or replace function private.personal_account(owner uuid) returns table (id uuid, email text)
    language sql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select users.id, users.email from auth.users where users.id = owner $$;

-- The condition under which an export holds a row `t` of a table. Without a query: 'true'. With the parsed query `tree`: the
-- row is a link that it finds, or belongs to one, as its tags, collections, pictures and document do; 'false' for tables
-- of which nothing belongs to a link.
create or replace function private.personal_condition(table_of text, owner uuid, tree jsonb) returns text
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tree is null then
            return 'true';
        end if;
        return replace(
            case table_of
                when 'public.links' then 't.id in (@links)'
                when 'public.tags' then
                    't.id in (select lt.tag_id from public.link_tags lt where lt.link_id in (@links))'
                -- With the collections that these are in.
                when 'public.collections' then
                    't.id in (
                        with recursive holding (id) as (
                            select cl.collection_id from public.collection_links cl where cl.link_id in (@links)
                            union
                            select c.parent_id from public.collections c join holding using (id)
                            where c.parent_id is not null
                        )
                        select id from holding)'
                when 'public.pictures' then
                    't.hash in (select p.hash from public.link_pictures p where p.link_id in (@links))'
                when 'private.documents' then
                    $text$'urn:sha256:' || t.hash in (select d.raw_url from public.links d where d.id in (@links))$text$
                else case
                    when table_of in ('public.articles', 'public.bookmarks', 'public.collection_links',
                        'public.highlights', 'public.link_pictures', 'public.link_tags', 'public.notes',
                        'public.reading_progress')
                    then 't.link_id in (@links)'
                    else 'false'
                end
            end,
            '@links',
            format('select l.id from public.links l where l.user_id = %L and (%s)', owner,
                coalesce(private.export_condition(tree, owner), 'true')));
    end
    $$;

-- The number of rows that an export holds of each of these tables. `tree` is the parsed query that restricts it, or null.
create or replace function private.personal_counts(owner uuid, tree jsonb) returns table (name text, rows bigint)
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.personal_tables;
        condition text;
    begin
        for known in select * from private.personal_tables loop
            condition := private.personal_condition(known.name, owner, tree);
            continue when condition = 'false';
            name := known.name;
            execute format('select count(*) from %I.%I t where t.%I = $1 and %s', known.schema_name, known.table_name,
                known.owner_column, condition)
                into rows using owner;
            return next;
        end loop;
    end
    $$;

-- The rows that an export holds of one of these tables, as JSON, ordered by primary key.
create or replace function private.personal_rows(table_of text, owner uuid, tree jsonb) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.personal_tables;
        cursor_of_rows refcursor;
    begin
        select * into strict known from private.personal_tables where name = table_of;
        open cursor_of_rows no scroll for execute format(
            'select to_jsonb(shown) from %I.%I t, lateral (select %s) as shown where t.%I = $1 and %s order by %s',
            known.schema_name, known.table_name,
            (select string_agg(format('t.%I', shown), ', ') from unnest(known.exported_columns) as shown),
            known.owner_column, private.personal_condition(table_of, owner, tree),
            coalesce('t.' || replace(known.key_columns, ', ', ', t.'), 't.ctid'))
            using owner;
        return cursor_of_rows;
    end
    $$;

-- A user's links, newest first, for the table of contents and the pages of an export: with content, the articles;
-- without, all links with their tags and whether each has an article.
create or replace function private.personal_reading(owner uuid, tree jsonb, with_content boolean) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        condition constant text := coalesce(private.export_condition(tree, owner), 'true');
        cursor_of_links refcursor;
    begin
        if with_content then
            open cursor_of_links no scroll for execute format($statement$
                select rest.display_text(a.title, a.metadata_is_text), a.url,
                    rest.display_text(a.byline, a.metadata_is_text),
                    rest.display_text(a.site_name, a.metadata_is_text),
                    coalesce(to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD'), a.published_time),
                    a.lang, a.dir, a.content
                from public.articles a join public.links l on l.id = a.link_id
                where a.user_id = $1 and (%s)
                order by l.created_at desc, l.id desc$statement$, condition) using owner;
        else
            open cursor_of_links no scroll for execute format($statement$
                select coalesce(rest.display_text(l.title, l.title_is_text),
                    rest.display_text(a.title, a.metadata_is_text)),
                    coalesce(l.resolved_url, l.raw_url),
                    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD'), a.link_id is not null,
                    rest.display_text(a.title, a.metadata_is_text),
                    (select string_agg(t.name, ', ' order by t.name)
                        from public.link_tags lt join public.tags t on t.id = lt.tag_id where lt.link_id = l.id)
                from public.links l left join public.articles a on a.link_id = l.id
                where l.user_id = $1 and (%s)
                order by l.created_at desc, l.id desc$statement$, condition) using owner;
        end if;
        return cursor_of_links;
    end
    $$;

-- The files of a user's pictures and documents: the kind, which is the name of the folder, the hash, the path below that
-- folder, the media type, the size, and the name of a document.
create or replace function private.personal_files(owner uuid, tree jsonb) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        cursor_of_files refcursor;
    begin
        open cursor_of_files no scroll for execute format($statement$
            select 'documents' as kind, t.hash, t.address, t.type, t.bytes, t.name
            from private.documents t where t.user_id = $1 and %s
            union all
            select 'pictures', t.hash, t.address, t.type, t.bytes, null
            from public.pictures t where t.user_id = $1 and %s
            order by kind, hash$statement$,
            private.personal_condition('private.documents', owner, tree),
            private.personal_condition('public.pictures', owner, tree)) using owner;
        return cursor_of_files;
    end
    $$;

-- A user's links, newest first, for the formats that hold links and not all rows: a JSON object for each, the path of
-- its collection as a JSON array, the HTML of its article, and the seconds since 1970 when it was saved and changed.
--
-- `parts` says what belongs to them. 'collections': a link stands once in each of its collections, ordered by their
-- paths after the links without a collection. 'articles': with the HTML. 'highlights': only links with highlights.
-- `tree` is the parsed query that restricts them, or null.
create or replace function private.exported_links(owner uuid, tree jsonb, parts text) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        cursor_of_links refcursor;
    begin
        open cursor_of_links no scroll for execute format($statement$
            with recursive paths as (
                select c.id, array[c.name] as path from public.collections c
                where c.user_id = %1$L and c.parent_id is null
                union all
                select c.id, paths.path || c.name from public.collections c join paths on c.parent_id = paths.id
                where c.user_id = %1$L
            )
            select m.members::text,
                array_to_json(placed.path)::text,
                %2$s,
                case when isfinite(l.created_at) then floor(extract(epoch from l.created_at))::bigint end,
                case when isfinite(l.updated_at) then floor(extract(epoch from l.updated_at))::bigint end
            from public.links l
            join rest.link_members m on m.id = l.id
            left join public.articles a on a.link_id = l.id
            %3$s
            where l.user_id = %1$L%4$s%5$s
            order by %6$sl.created_at desc, l.id desc$statement$,
            owner,
            case parts when 'articles' then 'a.content' else 'null' end,
            case parts when 'collections' then
                'left join lateral (select p.path from public.collection_links cl join paths p on p.id = cl.collection_id '
                'where cl.link_id = l.id) as placed on true'
                else 'cross join (select null::text[] as path) as placed' end,
            case parts when 'highlights' then
                ' and exists (select from public.highlights h where h.link_id = l.id)' else '' end,
            coalesce(' and (' || private.export_condition(tree, owner) || ')', ''),
            case parts when 'collections' then 'placed.path nulls first, ' else '' end);
        return cursor_of_links;
    end
    $$;

-- The next rows of such a cursor, as text; none after the last. Rows follow until they have a megabyte together. A user
-- decides how long the rows are and in which order they come, so no number of rows would bound the memory of an export.
-- Runs as the admin, as functions in the condition of a query do, such as private.holds_words.
create or replace function private.next_personal_rows(opened refcursor)
    returns table (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text)
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_bytes constant integer := 1048576;
        bytes bigint := 0;
    begin
        while bytes < max_bytes loop
            -- Columns that the cursor does not have are null.
            fetch opened into c1, c2, c3, c4, c5, c6, c7, c8;
            exit when not found;
            -- Short rows count too, as each takes memory of its own.
            bytes := bytes + 1000 + octet_length(concat(c1, c2, c3, c4, c5, c6, c7, c8));
            return next;
        end loop;
    end
    $$;

revoke execute on function private.personal_condition(text, uuid, jsonb), private.personal_account(uuid), private.personal_counts(uuid, jsonb),
    private.personal_rows(text, uuid, jsonb), private.personal_reading(uuid, jsonb, boolean),
    private.personal_files(uuid, jsonb),
    private.next_personal_rows(refcursor),
    private.exported_links(uuid, jsonb, text)
    from public;
grant execute on function private.personal_account(uuid), private.personal_counts(uuid, jsonb),
    private.personal_rows(text, uuid, jsonb), private.personal_reading(uuid, jsonb, boolean),
    private.personal_files(uuid, jsonb),
    private.next_personal_rows(refcursor),
    private.exported_links(uuid, jsonb, text)
    to lectern_jobs;

set local role lectern_owner;
