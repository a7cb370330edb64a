-- Questions of users that wait for an answer: where does this URL lead? The workers never fetch, so they ask the jobs
-- process here and look for its answer; both forget after a minute.

-- Unlogged: after a crash nobody waits any more.
create unlogged table private.resolutions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    url text not null check (length(url) <= 65536),
    asked_at timestamptz not null default clock_timestamp(),
    taken_at timestamptz,
    -- Null until there is an answer.
    outcome text check (outcome in ('resolved', 'unreachable', 'refused')),
    resolved_url text,
    title text,
    description text
);
create index resolutions_user_id on private.resolutions (user_id, asked_at);
create index resolutions_asked_at on private.resolutions (asked_at);

grant select, update, delete on private.resolutions to lectern_jobs;

-- Asks in the name of the caller. Null when the user has asked too often: more than `most_waiting` questions without an
-- answer, or more than `most_a_minute` in all; 0 is no limit. Runs as the owner because nobody may look at questions.
create function rest.ask_resolution(url text, most_waiting integer, most_a_minute integer) returns uuid
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
        -- One after the other, or two at once would each be the last that is allowed.
        perform pg_advisory_xact_lock(hashtextextended('resolutions of ' || asker, 0));
        select count(*) filter (where outcome is null), count(*) into waiting, recent
            from private.resolutions
            where user_id = asker and asked_at > clock_timestamp() - interval '1 minute';
        if most_waiting > 0 and waiting >= most_waiting or most_a_minute > 0 and recent >= most_a_minute then
            return null;
        end if;
        insert into private.resolutions (user_id, url) values (asker, url) returning id into question;
        perform pg_notify('lectern_resolutions', '');
        return question;
    end
    $$;

-- The answer to a question of the caller; no row while there is none.
create function rest.resolution(question uuid)
    returns table (outcome text, resolved_url text, title text, description text)
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select outcome, resolved_url, title, description from private.resolutions
        where id = question and user_id = (select auth.uid()) and outcome is not null
    $$;

grant execute on function rest.ask_resolution(text, integer, integer), rest.resolution(uuid) to authenticated;
