-- What each user stores: links, articles, pages, trash and more, and the bytes of their texts.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/storage.sql
select email, links, articles, pg_size_pretty(text_bytes) as texts, pages, pg_size_pretty(page_bytes) as page_size, trashed,
    pg_size_pretty(trash_bytes) as trash_size, highlights, notes, tags, collections, pg_size_pretty(bytes) as in_all
from private.storage
order by bytes desc, email;
