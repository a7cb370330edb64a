-- The parsed queries of collections; see sql/schema/collections.sql.

create table private.collection_trees (
    collection_id uuid primary key,
    user_id uuid not null,
    tree jsonb not null,
    foreign key (collection_id, user_id) references public.collections (id, user_id)
        on update cascade on delete cascade
);
create index collection_trees_user_id on private.collection_trees (user_id);
alter table private.collection_trees enable row level security, force row level security;
grant select on private.collection_trees to lectern_search;
