-- The count of changes.
--
-- Counted once a transaction and user, since others see all of it at once or nothing; `rest.counted` remembers for whom.
-- Rows and not statements set it off: a trigger that is handed all rows of a statement costs a single-row write more,
-- and an upsert would call two.
--
-- Runs as the owner because nobody may write counts; it takes nothing from the caller but the owner of the row written.
create function rest.count_change() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := case when tg_op = 'DELETE' or tg_nargs > 0 then old.user_id else new.user_id end;
        own_slot constant smallint := pg_backend_pid() % 16;
        counted text := current_setting('rest.counted', true);
    begin
        if counted = owner::text then
            return null;
        end if;
        update rest.changes set n = n + 1 where user_id = owner and slot = own_slot;
        if not found then
            insert into rest.changes as known (user_id, slot, n) values (owner, own_slot, 1)
                on conflict (user_id, slot) do update set n = known.n + 1;
        end if;
        -- An assignment, as `perform` takes a query's way.
        counted := set_config('rest.counted', owner::text, true);
        return null;
    end
    $$;

-- Not for cascades, which run as the tables' owner: what set them off has been counted, or the user is gone. A row that
-- changes hands is a change for both.
do $$
    declare
        name text;
    begin
        foreach name in array array['links', 'articles', 'tags', 'link_tags', 'highlights', 'notes', 'collections',
            'collection_links', 'reading_progress', 'user_settings', 'trash']
        loop
            execute format(
                'create trigger count_change after insert or update or delete on public.%I
                    for each row when (current_user <> ''lectern_owner'') execute function rest.count_change()', name);
            execute format(
                'create trigger count_loss after update on public.%I
                    for each row when (current_user <> ''lectern_owner'' and new.user_id <> old.user_id)
                    execute function rest.count_change(''of the former owner'')', name);
        end loop;
    end
$$;
