-- Old rows: decodes HTML entities once in titles and descriptions of links, and in what their articles say of themselves, where
-- that is not known to be text; marks it as text, so that a second run changes nothing. Tells how many links it would change,
-- and changes them with -v apply=on. A thousand links a transaction; what is stopped goes on with the next run.
-- Run: psql "$LECTERN_DATABASE_URL" [-v apply=on] -f sql/maintenance/decode_entities.sql
\if :{?apply}
\else
    \set apply off
\endif
set lectern.apply = :apply;
do $$
    declare
        most constant integer := 1000;
        is_dry_run constant boolean := not current_setting('lectern.apply')::boolean;
        place uuid;
        seen integer;
        changed integer;
        all_seen bigint := 0;
        all_changed bigint := 0;
    begin
        loop
            select * into place, seen, changed from private.decode_entities_batch(place, most, is_dry_run);
            all_seen := all_seen + seen;
            all_changed := all_changed + changed;
            commit;
            exit when seen < most;
        end loop;
        raise notice '% links, % of them %', all_seen, all_changed, case when is_dry_run then 'would be changed' else 'changed' end;
    end
$$;
