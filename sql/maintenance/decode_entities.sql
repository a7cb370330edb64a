-- Old rows: decodes HTML entities once in titles and descriptions of links, and in what their articles say of themselves, where
-- that is not known to be text; marks it as text, so that a second run changes nothing. Tells how many links it would change,
-- and changes them with -v apply=on. 500 links a transaction, well under a tenth of a second; what is stopped goes on with the next run.
-- Run: psql "$LECTERN_DATABASE_URL" [-v apply=on] -f sql/maintenance/decode_entities.sql
\if :{?apply}
\else
    \set apply off
\endif
set lectern.apply = :apply;
do $$
    declare
        most constant integer := 500;
        is_dry_run constant boolean := not current_setting('lectern.apply')::boolean;
        place uuid;
        seen integer;
        changed integer;
        links bigint := 0;
        links_changed bigint := 0;
    begin
        loop
            select * into place, seen, changed from private.decode_entities_batch(place, most, is_dry_run);
            links := links + seen;
            links_changed := links_changed + changed;
            commit;
            exit when seen < most;
        end loop;
        perform set_config('lectern.links', links::text, false), set_config('lectern.links_changed', links_changed::text, false);
    end
$$;
select current_setting('lectern.links')::bigint as links, current_setting('lectern.links_changed')::bigint as changed,
    current_setting('lectern.apply')::boolean as is_applied;
