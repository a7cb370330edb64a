-- Which titles, descriptions and articles hold text and which hold HTML entities.

create or replace function private.set_link_text_flags() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.title_is_text := rest.is_still_text(false, new.title_is_text, true);
            new.description_is_text := rest.is_still_text(false, new.description_is_text, true);
        else
            new.title_is_text := rest.is_still_text(old.title_is_text, new.title_is_text, new.title
                is distinct from old.title);
            new.description_is_text := rest.is_still_text(
                old.description_is_text, new.description_is_text, new.description is distinct from old.description);
        end if;
        return new;
    end
    $$;

-- The names sort after the triggers that may change a title themselves. The conditions spare nearly all writes the
-- call.
create or replace trigger text_flags_on_insert
    before insert on public.links
    for each row
    when (new.title_is_text is distinct from false or new.description_is_text is distinct from false)
    execute function private.set_link_text_flags();

create or replace trigger text_flags_on_update
    before update on public.links
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.description, new.title_is_text, new.description_is_text)
            is distinct from (old.title, old.description, old.title_is_text, old.description_is_text))
    execute function private.set_link_text_flags();

create or replace function private.set_article_text_flags() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.metadata_is_text := rest.is_still_text(false, new.metadata_is_text, true);
        else
            new.metadata_is_text := rest.is_still_text(
                old.metadata_is_text, new.metadata_is_text,
                (new.title, new.byline, new.excerpt, new.site_name)
                    is distinct from (old.title, old.byline, old.excerpt, old.site_name));
        end if;
        return new;
    end
    $$;

create or replace trigger text_flags_on_insert
    before insert on public.articles
    for each row
    when (current_user <> 'job_worker' and new.metadata_is_text is distinct from false)
    execute function private.set_article_text_flags();

create or replace trigger text_flags_on_update
    before update on public.articles
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.byline, new.excerpt, new.site_name, new.metadata_is_text)
            is distinct from (old.title, old.byline, old.excerpt, old.site_name, old.metadata_is_text))
    execute function private.set_article_text_flags();

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- The enclosure of a link, which is copied or left as a whole.
create or replace function rest.enclosure_of(link jsonb) returns jsonb
    language sql immutable
    as $$
        select jsonb_build_array(link -> 'enclosure_url', link -> 'enclosure_type', link -> 'enclosure_duration')
    $$;

revoke execute on function rest.enclosure_of(jsonb) from public;

set local role lectern_owner;
