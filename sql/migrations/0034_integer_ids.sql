-- Integer ids of rows, for clients of other readers; see sql/schema/integer_ids.sql.

create table rest.integer_ids (
    -- Below 2^31, and never used again.
    number integer generated always as identity primary key,
    user_id uuid not null references auth.users on delete cascade,
    kind text not null check (kind in ('user', 'link', 'tag', 'highlight')),
    -- The id of the row. It outlives the row: a link keeps its number in the trash.
    row_id uuid not null,
    unique (user_id, kind, row_id)
);
alter table rest.integer_ids enable row level security, force row level security;
grant select on rest.integer_ids to authenticated;

-- The ranges of highlights that were made as annotations, as the client sent them.
create table rest.annotation_ranges (
    highlight_id uuid primary key references public.highlights on update cascade on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    ranges jsonb not null check (jsonb_typeof(ranges) = 'array' and octet_length(ranges::text) <= 20000)
);
create index annotation_ranges_user_id on rest.annotation_ranges (user_id);
alter table rest.annotation_ranges enable row level security, force row level security;
grant select, insert, update, delete on rest.annotation_ranges to authenticated;

-- The rows that exist get their numbers in the order of their creation.
set local role lectern_admin;
insert into rest.integer_ids (user_id, kind, row_id)
    select id, 'user', id from auth.users order by created_at, id;
insert into rest.integer_ids (user_id, kind, row_id)
    select user_id, 'link', id from public.links order by created_at, id;
insert into rest.integer_ids (user_id, kind, row_id)
    select user_id, 'tag', id from public.tags order by created_at, id;
insert into rest.integer_ids (user_id, kind, row_id)
    select user_id, 'highlight', id from public.highlights order by created_at, id;
