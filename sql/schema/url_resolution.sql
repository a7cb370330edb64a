-- Resolving a URL for a waiting user. The workers do not fetch: they store a question here for the jobs process and
-- poll for the answer.

-- Stores a question of the caller. Returns null if the user has too many: more than `max_waiting` without an answer,
-- or more than `max_per_minute` in all; 0: no limit. Runs as the owner because nobody may read questions.
create or replace function rest.ask_resolution(url text, max_waiting integer, max_per_minute integer) returns uuid
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        asker constant uuid := (select auth.uid());
        question uuid;
        waiting integer;
        recent integer;
    begin
        -- Serialises a user's requests; otherwise two at once could both take the last place.
        perform pg_advisory_xact_lock(hashtextextended('resolutions of ' || asker, 0));
        select count(*) filter (where outcome is null), count(*) into waiting, recent
            from private.resolutions
            where user_id = asker and asked_at > clock_timestamp() - interval '1 minute';
        if max_waiting > 0 and waiting >= max_waiting or max_per_minute > 0 and recent >= max_per_minute then
            return null;
        end if;
        insert into private.resolutions (user_id, url) values (asker, url) returning id into question;
        perform pg_notify('lectern_resolutions', '');
        return question;
    end
    $$;

-- The answer to a question of the caller; no row while there is none.
create or replace function rest.resolution(question uuid)
    returns table (outcome text, resolved_url text, title text, description text)
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select outcome, resolved_url, title, description from private.resolutions
        where id = question and user_id = (select auth.uid()) and outcome is not null
    $$;

grant execute on function rest.ask_resolution(text, integer, integer), rest.resolution(uuid) to authenticated;
