-- What readers make of their links: tags, highlights, notes, collections, progress, settings; and the tables of the next
-- four migrations: the trash, saved pages and the count of changes.
--
-- Every row has its owner, and points at other rows only together with that owner: no row can ever hang on another user's.

create table public.tags (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 100 and name !~ '^\s|\s$'),
    color text check (length(color) <= 50),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint tags_user_id_name_key unique (user_id, name),
    constraint tags_id_user_id_key unique (id, user_id)
);
create unique index tags_user_id_lower_name_key on public.tags (user_id, lower(name));

create table public.link_tags (
    link_id uuid not null,
    tag_id uuid not null,
    user_id uuid not null default auth.uid(),
    created_at timestamptz not null default now(),
    primary key (link_id, tag_id),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade,
    foreign key (tag_id, user_id) references public.tags (id, user_id) on delete cascade on update cascade
);
create index link_tags_tag_id on public.link_tags (tag_id);
create index link_tags_user_id on public.link_tags (user_id);

create table public.highlights (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid(),
    link_id uuid not null,
    quote text not null check (length(quote) between 1 and 20000),
    prefix text check (length(prefix) <= 1000),
    suffix text check (length(suffix) <= 1000),
    start_offset integer check (start_offset >= 0),
    end_offset integer check (end_offset >= 0),
    note text check (length(note) <= 20000),
    color text not null default 'yellow' check (color in ('yellow', 'green', 'blue', 'pink', 'purple', 'orange')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (start_offset <= end_offset),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index highlights_link_id on public.highlights (link_id, start_offset);
create index highlights_list on public.highlights (user_id, updated_at desc, id desc);

create table public.notes (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid(),
    link_id uuid not null,
    body text not null default '' check (length(body) <= 1000000),
    is_favorite boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint notes_link_id_user_id_key unique (link_id, user_id),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index notes_list on public.notes (user_id, updated_at desc, id desc);

create table public.collections (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 200),
    description text check (length(description) <= 5000),
    parent_id uuid,
    query text check (length(query) <= 5000),
    position double precision not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint collections_id_user_id_key unique (id, user_id),
    foreign key (parent_id, user_id) references public.collections (id, user_id) on delete cascade on update cascade
);
create index collections_list on public.collections (user_id, position, id);
create index collections_parent_id on public.collections (parent_id);

create table public.collection_links (
    collection_id uuid not null,
    link_id uuid not null,
    user_id uuid not null default auth.uid(),
    position double precision not null default 0,
    created_at timestamptz not null default now(),
    primary key (collection_id, link_id),
    foreign key (collection_id, user_id) references public.collections (id, user_id) on delete cascade on update cascade,
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index collection_links_link_id on public.collection_links (link_id);
create index collection_links_user_id on public.collection_links (user_id);

create table public.reading_progress (
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    content_hash text not null check (length(content_hash) between 1 and 128),
    link_id uuid,
    last_read_character_index integer not null default 0 check (last_read_character_index >= 0),
    last_page_number integer check (last_page_number >= 0),
    total_pages integer check (total_pages >= 0),
    percentage_complete double precision not null default 0 check (percentage_complete between 0 and 1),
    last_updated timestamptz not null default now(),
    primary key (user_id, content_hash),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index reading_progress_link_id on public.reading_progress (link_id);

create table public.user_settings (
    user_id uuid primary key default auth.uid() references auth.users on delete cascade,
    font_name text not null default 'System' check (length(font_name) between 1 and 100),
    font_size double precision not null default 16 check (font_size between 12 and 32),
    theme text not null default 'light' check (theme in ('light', 'dark', 'sepia', 'auto')),
    line_spacing double precision not null default 1.2 check (line_spacing between 0.8 and 2.0),
    speech_rate double precision not null default 1.0 check (speech_rate between 0.5 and 2.0),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table public.trash (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    -- No foreign key: the link is gone.
    link_id uuid not null,
    raw_url text not null,
    title text,
    link jsonb not null,
    parts jsonb not null,
    deleted_at timestamptz not null default now(),
    acted_at timestamptz
);
create index trash_list on public.trash (user_id, deleted_at desc, id desc);
create index trash_link_id on public.trash (link_id);
create index trash_deleted_at on public.trash (deleted_at);
-- Whole articles lie here, and many links may be deleted at once; pglz takes several times as long over them.
alter table public.trash alter column parts set compression lz4;

-- The page of a link as the client that saved it saw it.
create table private.pages (
    link_id uuid primary key,
    user_id uuid not null,
    url text not null,
    html text not null check (octet_length(html) <= 10485760),
    saved_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
alter table private.pages alter column html set compression lz4;

-- How often each user's rows have changed: whoever remembers the sum knows whether anything has happened since. In
-- slots, so that concurrent writers of one user do not wait for each other; nearly empty pages, so that a count is
-- replaced on its page and touches no index.
create table rest.changes (
    user_id uuid not null references auth.users on delete cascade,
    slot smallint not null,
    n bigint not null,
    primary key (user_id, slot)
) with (fillfactor = 20);

-- The action a row's state comes from, of clients that tell when their user acted.
alter table public.links add column acted_at timestamptz, add column acted_as text;
alter table public.tags add column acted_at timestamptz, add column acted_as text;
alter table public.highlights add column acted_at timestamptz, add column acted_as text;
alter table public.notes add column acted_at timestamptz, add column acted_as text;
alter table public.collections add column acted_at timestamptz, add column acted_as text;
alter table public.user_settings add column acted_at timestamptz, add column acted_as text;


-- Who may what, as in 0003.

do $$
    declare
        name text;
    begin
        foreach name in array array['tags', 'link_tags', 'highlights', 'notes', 'collections', 'collection_links',
            'reading_progress', 'user_settings', 'trash']
        loop
            execute format('alter table public.%I enable row level security, force row level security', name);
            execute format(
                'create policy %I on public.%I for all to authenticated, job_worker
                    using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()))',
                'own_' || name, name);
            execute format('grant select on public.%I to anon, job_worker', name);
            execute format('grant select, delete on public.%I to authenticated, service_role', name);
            if name <> 'trash' then
                execute format('grant insert, update on public.%I to authenticated, service_role', name);
            end if;
        end loop;
    end
$$;

-- The functions below that run as the owner see and write, for a user, that user's rows, and for those who see all
-- rows anyway, all. (The setting `role` is what the transaction took on; a function with its owner's rights leaves it.)
create policy as_its_caller on public.trash
    for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
create policy as_its_caller on public.articles
    for insert to lectern_owner
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

alter table private.pages enable row level security, force row level security;
create policy own_pages on private.pages
    for select to job_worker
    using (user_id = (select auth.uid()));
create policy as_its_caller on private.pages
    for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
grant usage on schema private to job_worker;
grant select on private.pages to job_worker;

alter table rest.changes enable row level security, force row level security;
create policy own_changes on rest.changes
    for select to authenticated
    using (user_id = (select auth.uid()));
create policy counting on rest.changes
    for all to lectern_owner
    using (true)
    with check (true);
grant select on rest.changes to authenticated, service_role;


-- What clients read about it: descriptions of the API.

comment on table public.links is 'What a user saved.';
comment on column public.links.raw_url is 'The address as it was saved, for ever.';
comment on column public.links.resolved_url is 'Where it led, without tracking parameters.';
comment on column public.links.list is 'read or archive.';
comment on column public.links.status is 'unread or read.';
comment on column public.links.device_saved is 'The device it was saved on, if the client told.';
comment on column public.links.is_starred is 'Starred; also set by a title that is written with ⭐ in front.';
comment on column public.links.state is 'How far the server got: pending, ready or failed. Writing pending asks for another try.';
comment on column public.links.reason is 'Why there is no article, as a code.';
comment on column public.links.reason_message is 'Why there is no article, as a sentence.';
comment on table public.articles is 'What the server took out of a link''s page; one row a link.';
comment on column public.articles.content is 'Sanitised HTML.';
comment on column public.articles.text_content is 'The same as plain text.';
comment on column public.articles.length is 'Characters of text_content in UTF-16 units.';
comment on column public.articles.published_time is 'When it was published, as the page wrote it.';
comment on column public.articles.published_at is 'When it was published, where that is a point in time.';
comment on column public.articles.source is 'Whose view of the page it is: server or client.';
comment on table public.tags is 'Words a user files links under; names differ in more than upper and lower case.';
comment on column public.tags.name is 'The word, 1 to 100 characters, without blanks at its ends.';
comment on column public.tags.color is 'A colour to show it in, in the client''s own terms.';
comment on table public.link_tags is 'Which link has which tag.';
comment on table public.highlights is 'Marked passages of an article.';
comment on column public.highlights.quote is 'The marked text itself.';
comment on column public.highlights.prefix is 'Text just before the quote, to find it again when the article was extracted anew.';
comment on column public.highlights.suffix is 'Text just after the quote, to find it again when the article was extracted anew.';
comment on column public.highlights.start_offset is 'Where the quote began in text_content of the article when it was marked, in UTF-16 units.';
comment on column public.highlights.end_offset is 'Where the quote ended in text_content of the article when it was marked, in UTF-16 units.';
comment on column public.highlights.note is 'What the user wrote about the passage.';
comment on column public.highlights.color is 'yellow, green, blue, pink, purple or orange.';
comment on table public.notes is 'What a user wrote about an article; one note a link.';
comment on column public.notes.body is 'The text of the note.';
comment on column public.notes.is_favorite is 'Whether the user marked the article as a favourite.';
comment on table public.collections is 'Folders of links: filled by hand, or by a saved query.';
comment on column public.collections.name is 'Name, 1 to 200 characters.';
comment on column public.collections.parent_id is 'The collection it lies in; null at the top. At most 20 levels.';
comment on column public.collections.query is 'A filter of /rest/v1/links, such as list=eq.archive&is_starred=is.true; null when filled by hand.';
comment on column public.collections.position is 'Place among its neighbours, ascending.';
comment on table public.collection_links is 'Which link lies in which collection filled by hand.';
comment on column public.collection_links.position is 'Place in the collection, ascending.';
comment on table public.reading_progress is 'How far a user has read, by content. A write with an older last_updated than stored changes nothing.';
comment on column public.reading_progress.content_hash is 'What was read, as a hash the client makes.';
comment on column public.reading_progress.link_id is 'The link it was read from, if known.';
comment on column public.reading_progress.last_read_character_index is 'First character not yet read, counted from 0.';
comment on column public.reading_progress.last_page_number is 'Page the user was on, where the client pages.';
comment on column public.reading_progress.total_pages is 'Number of pages at that time.';
comment on column public.reading_progress.percentage_complete is 'Part that is read, 0 to 1.';
comment on column public.reading_progress.last_updated is 'When the user read that far; the newest wins. Now when a write does not tell.';
comment on table public.user_settings is 'How a user likes to read.';
comment on column public.user_settings.font_size is 'Points, 12 to 32.';
comment on column public.user_settings.theme is 'light, dark, sepia or auto.';
comment on column public.user_settings.line_spacing is 'Multiple of the font''s height, 0.8 to 2.';
comment on column public.user_settings.speech_rate is 'Multiple of normal speed, 0.5 to 2.';
comment on table public.trash is 'Deleted links and all that hung on them; rpc/restore_link brings one back. Emptied after a while.';
comment on column public.trash.link_id is 'Id the link had, and will have again.';
comment on column public.trash.link is 'The link as it was.';
comment on column public.trash.parts is 'What hung on it: table name to rows.';
comment on column public.trash.deleted_at is 'When it was deleted.';
comment on column public.trash.acted_at is 'When the user acted, by the server''s clock.';

do $$
    declare
        name text;
    begin
        foreach name in array array['links', 'tags', 'highlights', 'notes', 'collections', 'user_settings']
        loop
            execute format(
                'comment on column public.%I.acted_at is %L', name,
                'When the user last changed the row, by the server''s clock; null when it has not been changed since.');
            execute format(
                'comment on column public.%I.acted_as is %L', name,
                'The same as that client gave it; null when it did not tell.');
        end loop;
    end
$$;
