-- Highlights whose place in the article's text has to be found again.

-- Clients cannot set orphaned_at. A highlight counts as found until the text has been searched.
create or replace function private.highlight_is_marked() returns trigger
    language plpgsql
    as $$
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return new;
        end if;
        new.orphaned_at := case
            when tg_op = 'UPDATE' and (new.link_id, new.quote, new.prefix, new.suffix, new.start_offset, new.end_offset)
                is not distinct from (old.link_id, old.quote, old.prefix, old.suffix, old.start_offset, old.end_offset)
            then old.orphaned_at end;
        return new;
    end
    $$;

create or replace trigger highlight_is_marked
    before insert or update on public.highlights
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.highlight_is_marked();

-- Queues the search for a highlight's place: it may have been made on an older text, or come from another link. Runs as
-- the owner because clients may not write to the queue; it uses only the rows just written.
create or replace function private.enqueue_highlights() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.jobs (kind, user_id, link_id)
            values ('place', new.user_id, new.link_id)
            on conflict do nothing;
        return null;
    end
    $$;

create or replace trigger enqueue_changed_highlight
    after update on public.highlights
    for each row
    when (
        current_user <> 'job_worker'
        and (new.link_id, new.quote, new.start_offset, new.end_offset)
            is distinct from (old.link_id, old.quote, old.start_offset, old.end_offset))
    execute function private.enqueue_highlights();

create or replace trigger enqueue_new_highlight
    after insert on public.highlights
    for each row execute function private.enqueue_highlights();
