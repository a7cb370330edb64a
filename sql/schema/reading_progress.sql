-- Reading progress has its own clock: the newest last_updated wins, whenever it arrives. A write without last_updated
-- counts as now, and so does one of the future: a device whose clock is wrong would keep all others from writing.

-- Records that an update names last_updated.
create or replace function private.progress_names_last_updated() returns trigger
    language plpgsql
    as $$
    begin
        perform set_config('rest.dated', 'on', true);
        return new;
    end
    $$;

create or replace trigger progress_names_last_updated
    before update of last_updated on public.reading_progress
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.progress_names_last_updated();

create or replace function private.progress_newest_wins() returns trigger
    language plpgsql
    as $$
    declare
        -- Not the beginning of the transaction, which may have waited for a later write.
        present constant timestamptz := clock_timestamp();
    begin
        if tg_op = 'INSERT' then
            new.last_updated := least(new.last_updated, present);
        elsif current_setting('rest.dated', true) = 'on' then
            perform set_config('rest.dated', '', true);
            new.last_updated := least(new.last_updated, present);
            if new.last_updated < least(old.last_updated, present) then
                return null;
            end if;
        else
            new.last_updated := present;
        end if;
        return new;
    end
    $$;

create or replace trigger progress_newest_wins
    before insert or update on public.reading_progress
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.progress_newest_wins();
