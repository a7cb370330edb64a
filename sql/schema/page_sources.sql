-- The pages from which articles were made.

-- Resets what is known about the former page when a link gets another URL, whoever changed it. Values that the same
-- statement sets stay, and so do title and description, which may be the user's own words.
create or replace function private.reset_page_state() returns trigger
    language plpgsql
    as $$
    begin
        new.state := 'pending';
        new.reason := null;
        new.reason_message := null;
        new.resolved_url := nullif(new.resolved_url, old.resolved_url);
        new.image := nullif(new.image, old.image);
        new.site_name := nullif(new.site_name, old.site_name);
        new.lang := nullif(new.lang, old.lang);
        new.word_count := nullif(new.word_count, old.word_count);
        new.kind := nullif(new.kind, old.kind);
        new.byline := nullif(new.byline, old.byline);
        new.published_at := nullif(new.published_at, old.published_at);
        new.reading_time := nullif(new.reading_time, old.reading_time);
        new.icon := nullif(new.icon, old.icon);
        if new.enclosure_url = old.enclosure_url then
            new.enclosure_url := null;
            new.enclosure_type := null;
            new.enclosure_duration := null;
        end if;
        return new;
    end
    $$;

-- Triggers of one kind fire in the order of their names: this one and failed_link_retried fire before
-- links_written_by_client, which then finds the state they set.
create or replace trigger former_page_reset
    before update on public.links
    for each row
    when (new.raw_url is distinct from old.raw_url)
    execute function private.reset_page_state();

-- Keeps the page that the present article was made from when a client sends another one, which may turn out to be
-- worse.
create or replace function private.keep_replaced_page() returns trigger
    language plpgsql
    as $$
    begin
        if old.is_source then
            insert into private.sources (link_id, user_id, kind, asked_url, url, html, kept_at, read_by, is_article)
                values (old.link_id, old.user_id, 'client', old.url, old.url, old.html, old.saved_at, old.read_by,
                    old.is_article and old.type = 'text/html')
                on conflict on constraint sources_pkey do update
                set asked_url = excluded.asked_url, url = excluded.url, html = excluded.html,
                    kept_at = excluded.kept_at,
                    read_by = excluded.read_by, is_article = excluded.is_article;
        end if;
        new.read_by := null;
        new.is_source := false;
        new.is_article := false;
        new.type := 'text/html';
        return new;
    end
    $$;

create or replace trigger keep_replaced_page
    before update on private.pages
    for each row
    when (new.html <> old.html)
    execute function private.keep_replaced_page();

-- Moves the stored page with its article to another link.
create or replace function private.move_sources() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from private.sources here using private.sources coming
            where here.link_id = new.link_id and coming.link_id = old.link_id and here.kind = coming.kind;
        update private.sources set link_id = new.link_id where link_id = old.link_id;
        return null;
    end
    $$;

create or replace trigger move_sources
    after update on public.articles
    for each row
    when (new.link_id <> old.link_id)
    execute function private.move_sources();
