-- Articles as Markdown files. The article itself is stored as Markdown, because the workers do not parse HTML; its front
-- matter and its highlights are added when the file is read.

-- A time as exports and files write it, in UTC.
create or replace function rest.exported_time(value timestamptz) returns text
    language sql immutable
    as $$ select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
grant execute on function rest.exported_time(timestamptz) to authenticated, lectern_admin, lectern_jobs;

-- Links as exports and Markdown files describe them: a JSON object for each.
create or replace view rest.link_members with (security_invoker = true) as
    select l.id, l.user_id,
        json_build_object(
            'id', l.id,
            'url', coalesce(l.resolved_url, l.raw_url),
            'saved_url', l.raw_url,
            'title', coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''),
                rest.display_text(a.title, a.metadata_is_text)),
            'description', rest.display_text(l.description, l.description_is_text),
            'tags', coalesce((
                select json_agg(t.name order by lower(t.name), t.name) from public.link_tags lt
                join public.tags t on t.id = lt.tag_id where lt.link_id = l.id), '[]'),
            'collections', coalesce(filed.names, '[]'),
            'collection_paths', coalesce(filed.paths, '[]'),
            'list', l.list, 'status', l.status, 'starred', l.is_starred,
            'created_at', rest.exported_time(l.created_at), 'updated_at', rest.exported_time(l.updated_at),
            'archived_at', rest.exported_time(l.archived_at),
            'note', (select n.body from public.notes n where n.link_id = l.id and n.user_id = l.user_id),
            'highlights', coalesce((
                select json_agg(json_build_object(
                    'quote', h.quote, 'note', h.note, 'color', h.color, 'start_offset', h.start_offset,
                    'created_at', rest.exported_time(h.created_at))
                    order by h.start_offset nulls last, h.created_at, h.id)
                from public.highlights h where h.link_id = l.id), '[]'),
            'domain', l.domain, 'site', coalesce(l.site_name, rest.display_text(a.site_name, a.metadata_is_text)),
            'author', rest.display_text(a.byline, a.metadata_is_text),
            'published', coalesce(rest.exported_time(a.published_at), a.published_time),
            'lang', coalesce(a.lang, l.lang),
            'excerpt', rest.display_text(a.excerpt, a.metadata_is_text),
            'image', coalesce(l.image, a.image), 'word_count', l.word_count, 'reading_time', l.reading_time,
            'enclosure_url', l.enclosure_url, 'enclosure_type', l.enclosure_type,
            'enclosure_duration', l.enclosure_duration) as members
    from public.links l left join public.articles a on a.link_id = l.id
    cross join lateral (
        select json_agg(array_to_string(placed.path, '/') order by placed.path) as names,
            json_agg(placed.path order by placed.path) as paths
        from public.collection_links cl cross join lateral (
            with recursive enclosing as (
                select c.parent_id, array[c.name] as path from public.collections c where c.id = cl.collection_id
                union all
                select c.parent_id, c.name || enclosing.path
                from enclosing join public.collections c on c.id = enclosing.parent_id
            )
            select path from enclosing where parent_id is null) as placed
        where cl.link_id = l.id
    ) as filed;
grant select on rest.link_members to authenticated, lectern_admin;

-- The name of the file of a link: the day when it was saved, words of its title and the start of its id. Times that have
-- no such day are in links of clients that were written before `private.links_written_by_client` refused them.
create or replace function private.new_file_name(link uuid, saved_at timestamptz, title text) returns text
    language sql stable
    as $$
        select case when saved_at >= '0001-01-01 00:00:00+00' and saved_at < '10000-01-01 00:00:00+00'
                then to_char(saved_at at time zone 'UTC', 'YYYY-MM-DD-') else '0000-00-00-' end
            || coalesce(nullif(trim(both '-' from left(trim(both '-' from regexp_replace(
                lower(title), '[^[:alnum:]]+', '-', 'g')), 60)), ''), 'untitled')
            || '-' || left(link::text, 8) || '.md'
    $$;

-- Has the Markdown of an article made, and names the file of a new one. Runs as the owner because clients may write
-- neither.
create or replace function private.queue_markdown() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- An article without its link is damage, which is not to be spread.
        insert into private.markdown_files as known (link_id, user_id)
            select l.id, l.user_id from public.links l where l.id = new.link_id and l.user_id = new.user_id
            on conflict (link_id) do update
            set user_id = excluded.user_id, revision = known.revision + 1, markdown = null;
        insert into private.file_names (link_id, user_id, name)
            select l.id, l.user_id, private.new_file_name(l.id, l.created_at, coalesce(
                nullif(rest.display_text(l.title, l.title_is_text), ''),
                nullif(rest.display_text(new.title, new.metadata_is_text), ''), l.domain))
            from public.links l where l.id = new.link_id
            on conflict (link_id) do update set user_id = excluded.user_id;
        return null;
    end
    $$;

-- The same for the articles that an undone deletion inserts. See private.queue_books_of_articles.
create or replace function private.queue_markdown_of_articles() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        ids constant uuid[] := array(select link_id from stored);
    begin
        insert into private.markdown_files as known (link_id, user_id)
            select l.id, l.user_id from public.links l join stored on stored.link_id = l.id
            where l.id = any (ids) and stored.user_id = l.user_id
            order by l.id
            on conflict (link_id) do update
            set user_id = excluded.user_id, revision = known.revision + 1, markdown = null;
        insert into private.file_names as known (link_id, user_id, name)
            select l.id, l.user_id, private.new_file_name(l.id, l.created_at, coalesce(
                nullif(rest.display_text(l.title, l.title_is_text), ''),
                nullif(rest.display_text(stored.title, stored.metadata_is_text), ''), l.domain))
            from public.links l join stored on stored.link_id = l.id
            where l.id = any (ids)
                -- Most names of links that come back exist.
                and not exists (select from private.file_names n where n.link_id = l.id and n.user_id = l.user_id)
            order by l.id
            on conflict (link_id) do update set user_id = excluded.user_id;
        return null;
    end
    $$;

create or replace trigger queue_markdown after insert on public.articles
    for each row
    when (current_setting('rest.restoring', true) is distinct from 'on')
    execute function private.queue_markdown();
create or replace trigger queue_restored_markdown after insert on public.articles
    referencing new table as stored
    for each statement
    when (current_setting('rest.restoring', true) = 'on')
    execute function private.queue_markdown_of_articles();
create or replace trigger queue_markdown_again after update on public.articles
    for each row
    when ((new.content, new.user_id) is distinct from (old.content, old.user_id))
    execute function private.queue_markdown();

-- A client may give a link another id. The name stays with the link.
create or replace function private.keep_file_name() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.file_names set link_id = new.id
            where link_id = old.id and not exists (select from private.file_names where link_id = new.id);
        return null;
    end
    $$;
revoke execute on function private.keep_file_name() from public;

create or replace trigger keep_file_name after update on public.links
    for each row when (new.id <> old.id)
    execute function private.keep_file_name();

-- Markdown that was made after its article was stored: lists with its picture are outdated.
create or replace trigger count_change after update on private.markdown_files
    for each row when (current_user <> 'lectern_owner' and new.markdown is not null)
    execute function rest.count_change();

-- The Markdown of an article of the caller, and the name of its file.
create or replace function rest.stored_markdown(link uuid) returns table (markdown text, name text)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select f.markdown, n.name
        from private.markdown_files f left join private.file_names n on n.link_id = f.link_id
        where f.link_id = link and f.user_id = (select auth.uid())
    $$;

-- An article of the caller as a Markdown file: the members of its link, its Markdown, and while there is none its plain
-- text.
create or replace function rest.markdown_file(link uuid) returns table (members text, markdown text, plain text)
    language plpgsql stable
    as $$
    begin
        return query
            select m.members::text, f.markdown, case when f.markdown is null then a.text_content end
            from rest.link_members m
            join public.articles a on a.link_id = m.id
            left join rest.stored_markdown(markdown_file.link) f on true
            where m.id = markdown_file.link and m.user_id = (select auth.uid());
    end
    $$;

revoke execute on function rest.stored_markdown(uuid), rest.markdown_file(uuid) from public;
grant execute on function rest.stored_markdown(uuid), rest.markdown_file(uuid) to authenticated;

-- What the jobs process reads and writes. Owned by the admin, who sees all rows.
set local role lectern_admin;

-- Articles whose Markdown is to be made.
create or replace function private.articles_without_markdown(max_rows integer)
    returns table (link_id uuid, revision integer, content text)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select f.link_id, f.revision, a.content
        from private.markdown_files f join public.articles a on a.link_id = f.link_id
        where f.markdown is null
        limit max_rows
    $$;

-- Stores the Markdown of an article, unless the article has changed. Returns whether it was stored.
create or replace function private.store_markdown(link uuid, revision integer, markdown text) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- The user first, as where an account is deleted: the number of changes refers to the user. The article of an
        -- account that is being deleted is left alone.
        perform from auth.users
            where id = (select user_id from private.markdown_files where link_id = link) for key share skip locked;
        if not found then
            return false;
        end if;
        update private.markdown_files f set markdown = store_markdown.markdown
            where f.link_id = link and f.revision = store_markdown.revision and f.markdown is null;
        return found;
    end
    $$;

-- Deletes the names of files whose links are gone for good. Returns their number.
create or replace function private.delete_unused_file_names(max_rows integer) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        deleted bigint := 0;
    begin
        delete from private.file_names where link_id = any (array(
            select n.link_id from private.file_names n
            where not exists (select from public.links l where l.id = n.link_id)
                and not exists (select from public.trash t where t.link_id = n.link_id)
                and not exists (select from public.link_merges m where m.merged_id = n.link_id)
            limit max_rows));
        get diagnostics deleted = row_count;
        return deleted;
    end
    $$;

revoke execute on function private.articles_without_markdown(integer), private.store_markdown(uuid, integer, text),
    private.delete_unused_file_names(integer) from public;
grant execute on function private.articles_without_markdown(integer), private.store_markdown(uuid, integer, text),
    private.delete_unused_file_names(integer) to lectern_jobs;

set local role lectern_owner;
