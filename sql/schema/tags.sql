-- Gives all links of one tag another tag, and deletes the first, also in the trash and in recorded merges.
create or replace function public.merge_tags(from_tag uuid, into_tag uuid) returns setof public.tags
    language plpgsql
    as $$
    begin
        perform rest.lock_writes(array(select user_id from public.tags where id = into_tag));
        -- Waits for a concurrent deletion of the tag, and blocks a new one.
        perform from public.tags where id = into_tag for update;
        if found and from_tag <> into_tag then
            insert into public.link_tags (link_id, tag_id, user_id, created_at)
                select link_tags.link_id, into_tag, link_tags.user_id, link_tags.created_at from public.link_tags
                where link_tags.tag_id = from_tag
                on conflict do nothing;
            perform rest.replace_stored_tag(from_tag, into_tag);
            delete from public.tags where id = from_tag;
        end if;
        return query select * from public.tags where id = into_tag;
    end
    $$;
comment on function public.merge_tags(uuid, uuid) is 'Replaces a tag by another one on all links, and deletes it.';

grant execute on function public.merge_tags(uuid, uuid) to authenticated;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Stored parts of a link, or the keys of parts that a merge has added, with one tag replaced. Only among the tags: users
-- choose ids, and a tag may have the id of something else.
create or replace function rest.with_tag_replaced(stored jsonb, from_tag uuid, into_tag uuid) returns jsonb
    language sql immutable
    as $$
        select case when jsonb_typeof(stored -> 'link_tags') = 'array' then stored || jsonb_build_object('link_tags', (
            select coalesce(jsonb_agg(case
                    when given = to_jsonb(from_tag) then to_jsonb(into_tag)
                    when given -> 'tag_id' = to_jsonb(from_tag) then given || jsonb_build_object('tag_id', into_tag)
                    else given
                end), '[]')
            from jsonb_array_elements(stored -> 'link_tags') as given))
            else stored end
    $$;

-- Replaces a merged tag in links that can still come back, from the trash or by undoing a merge.
create or replace function rest.replace_stored_tag(from_tag uuid, into_tag uuid) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := (select user_id from public.tags where id = into_tag);
        given constant jsonb := jsonb_build_array(jsonb_build_object('tag_id', from_tag));
    begin
        if not rest.may_act_for(owner) then
            return;
        end if;
        update public.link_merges
            set parts = rest.with_tag_replaced(parts, from_tag, into_tag),
                added = rest.with_tag_replaced(added, from_tag, into_tag)
            where user_id = owner and undone_at is null and parts -> 'link_tags' @> given;
        update public.trash set parts = rest.with_tag_replaced(parts, from_tag, into_tag)
            where user_id = owner and parts -> 'link_tags' @> given;
    end
    $$;

revoke execute on function rest.with_tag_replaced(jsonb, uuid, uuid), rest.replace_stored_tag(uuid, uuid) from public;
grant execute on function rest.replace_stored_tag(uuid, uuid) to authenticated, service_role;

set local role lectern_owner;
