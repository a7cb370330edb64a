-- When a link was moved to the archive; see sql/schema/digests.sql.

alter table public.links add column archived_at timestamptz;

comment on column public.links.archived_at is
    'When the link was moved to the archive; null for a link of the reading list. Set by the server.';

-- Of links in the archive only the last change is known.
set local role lectern_admin;
update public.links set archived_at = coalesce(acted_at, updated_at) where list = 'archive';
set local role lectern_owner;

create index links_archived_at on public.links (user_id, archived_at) where archived_at is not null;
