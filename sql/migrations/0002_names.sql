-- New names of indexes, a column and parameters. `create or replace function` cannot rename a parameter, so the
-- functions are dropped; their schema files create them again. The admin owns some of them.
set local role lectern_admin;

alter index private.jobs_revisits rename to jobs_rechecks;
alter table private.picture_listings rename column is_unlisted to is_incomplete;
alter index private.picture_listings_unlisted rename to picture_listings_incomplete;

drop policy if exists own_visits on private.page_checks;

drop function if exists
    private.decode_entities_batch(uuid, integer, boolean, uuid),
    private.duplicates_batch(uuid, integer, boolean, uuid),
    private.orphans_batch(bigint, integer, boolean, text),
    private.picture_addresses_after(text, integer),
    private.purge_batch(bigint, integer, boolean, text, integer, uuid),
    private.queue_rechecks(uuid, integer, text, integer, interval),
    private.re_extract_batch(uuid, integer, boolean, uuid, integer, boolean, interval),
    private.re_resolve_batch(uuid, integer, boolean, uuid, text[], timestamptz, interval),
    private.rekey_batch(uuid, integer, boolean, uuid),
    private.repair_batch(regclass, text, text, bigint, integer, boolean),
    private.revisit_batch(uuid, integer, boolean, uuid, text, timestamptz, interval),
    private.timestamps_batch(bigint, integer, boolean, text, uuid),
    rest.ask_resolution(text, integer, integer),
    rest.at_most(bigint, bigint),
    rest.list_pictures(uuid, text[], text[], integer);

drop procedure if exists private.in_batches;
