-- Search: the index of words, and the domain of a link.

-- The number of a user in the index. It begins every key, so that the keys of two users are never the same and a search
-- reads the entries of its own user only. A number is shorter than an id.
create table private.search_owners (
    user_id uuid primary key references auth.users on delete cascade,
    number integer generated always as identity unique
);
alter table private.search_owners enable row level security, force row level security;

-- The parts of a link that can be searched. A row holds no text: the index over this table computes the keys of a part
-- from the tables that hold its text (see sql/schema/search_index.sql).
create table private.search_parts (
    link_id uuid not null,
    -- 0: title; 1: description and addresses; 2: notes, also of highlights; 3: highlights; from 4: the article, in
    -- pieces.
    part smallint not null check (part >= 0),
    user_id uuid not null,
    owner integer not null,
    -- The language of the stems: one of the dictionaries below, or null.
    lang text,
    -- When the link was saved.
    saved_at timestamptz not null,
    -- Changes whenever the text of the part has changed, which renews its keys.
    version integer not null default 0,
    -- The rules by which the words were split and folded.
    rules smallint not null,
    primary key (link_id, part),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index search_parts_user_id on private.search_parts (user_id, link_id);
alter table private.search_parts enable row level security, force row level security;

-- The words of each tag's name.
create table private.search_tags (
    tag_id uuid primary key,
    user_id uuid not null,
    -- Folded, with a space between two words and at both ends.
    words text not null,
    rules smallint not null,
    foreign key (tag_id, user_id) references public.tags (id, user_id) on update cascade on delete cascade
);
create index search_tags_user_id on private.search_tags (user_id);
alter table private.search_tags enable row level security, force row level security;

-- Stemmers that drop no stop words.
create text search dictionary private.stem_da (template = pg_catalog.snowball, language = danish);
create text search dictionary private.stem_de (template = pg_catalog.snowball, language = german);
create text search dictionary private.stem_en (template = pg_catalog.snowball, language = english);
create text search dictionary private.stem_es (template = pg_catalog.snowball, language = spanish);
create text search dictionary private.stem_fi (template = pg_catalog.snowball, language = finnish);
create text search dictionary private.stem_fr (template = pg_catalog.snowball, language = french);
create text search dictionary private.stem_hu (template = pg_catalog.snowball, language = hungarian);
create text search dictionary private.stem_it (template = pg_catalog.snowball, language = italian);
create text search dictionary private.stem_nl (template = pg_catalog.snowball, language = dutch);
create text search dictionary private.stem_no (template = pg_catalog.snowball, language = norwegian);
create text search dictionary private.stem_pt (template = pg_catalog.snowball, language = portuguese);
create text search dictionary private.stem_ro (template = pg_catalog.snowball, language = romanian);
create text search dictionary private.stem_ru (template = pg_catalog.snowball, language = russian);
create text search dictionary private.stem_sv (template = pg_catalog.snowball, language = swedish);
create text search dictionary private.stem_tr (template = pg_catalog.snowball, language = turkish);

-- The role of the functions that search. It reads the tables that are searched and writes the index, of all users; its
-- functions name the user in every statement.
grant usage on schema public, auth, private, rest to lectern_search;
grant create on schema public, private, rest to lectern_search;
grant select on public.links, public.articles, public.tags, public.link_tags, public.highlights, public.notes,
    public.collections, public.collection_links to lectern_search;
grant select on private.page_checks to lectern_search;
-- What the view broken_links reads.
grant select (user_id, link_id, kind, state, updated_at) on private.jobs to lectern_search;
grant select, insert, update, delete on private.search_owners, private.search_parts, private.search_tags
    to lectern_search;

-- The host of a link. Filled in for links that exist by `lectern maintain reindex`.
alter table public.links add column domain text;
create index links_domain on public.links (user_id, domain);
