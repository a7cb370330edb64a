-- Integer ids of users, links, tags and highlights, for clients of other readers. A number belongs to one row for ever.

-- Numbers new rows. Runs as the owner because nobody may write numbers; it uses only the rows just written. A row that
-- comes back, from the trash or from an undone merge, has its number already, and a link may come back with another
-- address.
create or replace function private.number_saved_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into rest.integer_ids (user_id, kind, row_id)
            select user_id, 'link', id from saved
            on conflict (user_id, kind, row_id) do update set url_hash = null, resolved_url_hash = null
            where integer_ids.url_hash is not null or integer_ids.resolved_url_hash is not null;
        return null;
    end
    $$;

create or replace trigger number_saved_links
    after insert on public.links
    referencing new table as saved
    for each statement
    execute function private.number_saved_links();

create or replace function private.number_row() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into rest.integer_ids (user_id, kind, row_id) values (new.user_id, tg_argv[0], new.id)
            on conflict do nothing;
        return null;
    end
    $$;

create or replace trigger number_row after insert on public.tags
    for each row execute function private.number_row('tag');

create or replace trigger number_row after insert on public.highlights
    for each row execute function private.number_row('highlight');

create or replace function private.number_user() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into rest.integer_ids (user_id, kind, row_id) values (new.id, 'user', new.id);
        return null;
    end
    $$;

create or replace trigger number_user after insert on auth.users
    for each row execute function private.number_user();

-- A client may give a row another id. The number stays with the row.
create or replace function private.keep_number() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update rest.integer_ids n set row_id = new.id
            where user_id = new.user_id and kind = tg_argv[0] and row_id = old.id
                and not exists (
                    select from rest.integer_ids other
                    where other.user_id = n.user_id and other.kind = n.kind and other.row_id = new.id);
        return null;
    end
    $$;

create or replace trigger keep_number after update on public.links
    for each row when (new.id <> old.id)
    execute function private.keep_number('link');

create or replace trigger keep_number after update on public.tags
    for each row when (new.id <> old.id)
    execute function private.keep_number('tag');

create or replace trigger keep_number after update on public.highlights
    for each row when (new.id <> old.id)
    execute function private.keep_number('highlight');

-- The row of the caller with a number; null if there is none.
create or replace function rest.numbered_row(of_kind text, of_number integer) returns uuid
    language sql stable
    as $$
        select row_id from rest.integer_ids
        where number = of_number and user_id = (select auth.uid()) and kind = of_kind
    $$;

-- The link of the caller with a number, also of one that was merged into it; null if there is none.
create or replace function rest.numbered_link(of_number integer) returns uuid
    language plpgsql stable
    as $$
    declare
        known constant uuid := rest.numbered_row('link', of_number);
    begin
        if known is null or exists (select from public.links where id = known) then
            return known;
        end if;
        return (
            select link_id from public.link_aliases
            where md5(value) = md5(known::text) and value = known::text and kind = 'id' and user_id = auth.uid());
    end
    $$;

grant execute on function rest.numbered_row(text, integer), rest.numbered_link(integer) to authenticated;
