-- Copies of pages as the browser showed them, each one file with its styles and pictures: rpc/save_copy. They are read at
-- /auth/v1/copies.

-- Stores the copy of a link of the caller. Refuses a larger copy than the previous one once the user's storage quota is
-- used up. Runs as the owner because clients may not write copies.
create or replace function rest.replace_copy(link uuid, html text) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        before constant integer := (
            select bytes from private.page_copies where link_id = replace_copy.link and user_id = (select auth.uid()));
        added constant integer := octet_length(replace_copy.html) - coalesce(before, 0);
    begin
        -- What may only be added replaces nothing.
        if before is not null and rest.only_adds() then
            return;
        end if;
        insert into private.page_copies (link_id, user_id, html)
            values (replace_copy.link, (select auth.uid()), replace_copy.html)
            on conflict on constraint page_copies_pkey do update
            set html = excluded.html, taken_at = clock_timestamp();
        if added > 0 then
            perform private.require_storage((select auth.uid()), added);
        end if;
    end
    $$;

create or replace function public.save_copy(link uuid, html text) returns setof public.links
    language plpgsql
    as $$
    #variable_conflict use_column
    declare
        -- Also the limit of private.page_copies.
        max_bytes constant integer := 10485760;
    begin
        if octet_length(save_copy.html) > max_bytes then
            raise exception 'the copy is larger than 10 MB'
                using errcode = 'invalid_parameter_value', detail = octet_length(save_copy.html) || ' bytes of html';
        end if;
        if not exists (select from public.links where id = save_copy.link and user_id = (select auth.uid())) then
            raise exception 'There is no such link.' using errcode = 'LT400';
        end if;
        perform rest.replace_copy(save_copy.link, save_copy.html);
        return query select * from public.links where id = save_copy.link;
    end
    $$;
comment on function public.save_copy(uuid, text) is
    'Keeps a copy of the page of a link: one HTML file of at most 10 MB that holds its styles and pictures. It replaces '
    'an earlier copy, but not if the API token has the scope save. Returns the link.';

revoke execute on function public.save_copy(uuid, text) from public;
grant execute on function rest.replace_copy(uuid, text), public.save_copy(uuid, text) to authenticated;

-- Functions owned by the admin, who sees all rows. Only the accounts endpoints may call them.
set local role lectern_admin;

-- What is told of the copy of a user's link. No row if there is none.
create or replace function private.copy_of_link(link uuid, owner uuid)
    returns table (bytes integer, taken_at timestamptz)
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select bytes, taken_at from private.page_copies where link_id = link and user_id = owner $$;

-- The copy itself, for whoever has its signed address.
create or replace function private.copied_page(link uuid) returns text
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select html from private.page_copies where link_id = link $$;

revoke execute on function private.copy_of_link(uuid, uuid), private.copied_page(uuid) from public;
grant execute on function private.copy_of_link(uuid, uuid), private.copied_page(uuid) to auth_service;

set local role lectern_owner;
