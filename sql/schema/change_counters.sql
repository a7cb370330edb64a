-- Counts the changes of each user's rows, for entity tags.

-- Counts once per transaction and user, since other transactions see all of its changes at once or none; `rest.counted`
-- remembers the user.
--
-- A count that another transaction has locked is left to it: nobody waits for a count, and so a count is part of no
-- deadlock. A user has as many counts as transactions have ever counted at the same time.
--
-- Fired per row and not per statement: a trigger with a transition table costs a single-row write more, and an upsert
-- would fire two.
--
-- Runs as the owner because nobody may write counts; it uses only the owner of the written row. A row whose owner no
-- longer exists can still be deleted.
create or replace function rest.count_change() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := case when tg_op = 'DELETE' or tg_nargs > 0 then old.user_id else new.user_id end;
        counted text := current_setting('rest.counted', true);
    begin
        if counted = owner::text then
            return null;
        end if;
        update rest.changes set n = n + 1
            where user_id = owner and slot = (
                select slot from rest.changes where user_id = owner order by slot limit 1 for update skip locked);
        if not found then
            insert into rest.changes as known (user_id, slot, n)
                select users.id, (random() * 32767)::smallint, 1 from auth.users where users.id = owner
                on conflict (user_id, slot) do update set n = known.n + 1;
        end if;
        -- An assignment, because `perform` would run a query.
        counted := set_config('rest.counted', owner::text, true);
        return null;
    end
    $$;

-- Not for cascades, which run as the tables' owner: the change that caused them has been counted, or the user is
-- deleted. A row that changes its owner is a change for both.
create or replace trigger count_change after insert or delete or update on articles
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on articles
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on collection_links
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on collection_links
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on collections
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on collections
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on bookmarks
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on bookmarks
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on highlights
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on highlights
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on link_aliases
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_change after insert or delete or update on link_merges
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_change after insert or delete or update on link_pictures
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on link_pictures
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

-- Pictures that a function running as the tables' owner queues again.
create or replace trigger count_wait after update on public.link_pictures
    for each row when (current_user = 'lectern_owner' and new.state = 'waiting' and old.state <> 'waiting')
    execute function rest.count_change();

create or replace trigger count_change after insert or delete or update on link_tags
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on link_tags
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

-- A cancelled link: the client's copy is outdated.
create or replace trigger count_cancelled after update on public.links
    for each row
    when (current_user = 'lectern_owner' and old.state = 'pending' and new.state <> 'pending')
    execute function rest.count_change();

create or replace trigger count_change after insert or delete or update on links
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on links
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on notes
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on notes
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on pictures
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on pictures
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on reading_progress
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on reading_progress
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on tags
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on tags
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on trash
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on trash
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on user_settings
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

create or replace trigger count_loss after update on user_settings
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');

create or replace trigger count_change after insert or delete or update on rules
    for each row when (current_user <> 'lectern_owner')
    execute function rest.count_change();

-- A rule that was applied to links without changing them.
create or replace trigger count_applied after update on rules
    for each row when (current_user = 'lectern_owner' and new.applied_count <> old.applied_count)
    execute function rest.count_change();

create or replace trigger count_loss after update on rules
    for each row when (current_user <> 'lectern_owner' and new.user_id <> old.user_id)
    execute function rest.count_change('of the former owner');
