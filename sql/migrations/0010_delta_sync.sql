-- What rpc/changes needs; see sql/schema/changes.sql.

-- The content of a cursor.
create type rest.changes_cursor as (
    user_id uuid,
    -- Of rest.cluster_identity().
    cluster text,
    -- The tables that it covers.
    tables text[],
    -- What is visible in this snapshot has been told, or will be by the walk; and the newest mark at that time.
    told pg_snapshot,
    mark uuid,
    -- During the walk: its table, and the sort columns of the last row; null before the first row.
    walk_table text,
    walk_after jsonb,
    -- Where the changes since `told` do not fit a page: their end, the newest mark at that time, and the next line.
    upto pg_snapshot,
    upto_mark uuid,
    next_xid xid8,
    next_seq bigint
);

-- rpc/changes reads all rows of a user in the order of an index. The other tables have one.
create index articles_user_id_link_id on public.articles (user_id, link_id);
drop index public.articles_user_id;
create index link_tags_user_id_link_id on public.link_tags (user_id, link_id, tag_id);
drop index public.link_tags_user_id;
create index collection_links_user_id_collection_id on public.collection_links (user_id, collection_id, link_id);
drop index public.collection_links_user_id;
