-- Search: the index of words, and the domain of a link.

-- The number of a user in the index. It begins every key, so that the keys of two users are never the same and a search
-- reads the entries of its own user only. A number is shorter than an id.
create table private.search_owners (
    user_id uuid primary key references auth.users on delete cascade,
    number integer generated always as identity unique,
    -- The languages with a stemmer that the user's links have, or have had.
    langs text[] not null default '{}'
);
alter table private.search_owners enable row level security, force row level security;

-- What is searched of each link. A row holds no text: the index over this table computes its keys from the tables that
-- hold the texts (see sql/schema/search_index.sql).
create table private.search_parts (
    link_id uuid not null,
    -- 0: all texts of the link; the article only if it is short enough. From 1: pieces of a longer article.
    part smallint not null check (part >= 0),
    user_id uuid not null,
    owner integer not null,
    -- The language of the stems: one of the dictionaries below, or null.
    lang text,
    -- When the link was saved.
    saved_at timestamptz not null,
    -- Whether the link has more parts than one.
    is_long boolean not null default false,
    -- Whether the index of words has the part. New and changed parts wait for the process that indexes them.
    is_indexed boolean not null default false,
    -- Why the part could not be indexed.
    index_error text,
    -- The rules by which the words were split and folded.
    rules smallint not null,
    primary key (link_id, part),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index search_parts_user_id on private.search_parts (user_id, link_id);
create index search_parts_owner on private.search_parts (owner, saved_at, link_id);
create index search_parts_long on private.search_parts (owner) where is_long;
create index search_parts_waiting on private.search_parts (owner, saved_at, link_id)
    where not is_indexed and index_error is null;
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

-- Types of the functions that search.

-- A word or phrase of a query, made ready: the condition on the keys of a part; that on its keys in title, notes and
-- highlights, also one by one; the folded text that a link must contain where the keys do not suffice; where to look;
-- the folded word whose stem is looked for, and its stems, each with its language and a colon before it; and the tags
-- whose names hold it.
create type private.search_term as (keys text, prominent_keys text, field_keys text[], words text, is_rechecked boolean,
    field text, stemmed text, stems text[], tags uuid[]);

-- What a search by words looks for: all of the terms, and the condition on a link `l` beside them, or null. Some links
-- of the user may have several parts.
create type private.word_search as (terms private.search_term[], owner uuid, number integer, has_long boolean,
    condition text);

-- Where `newest_hits` looks: at all hits; at those that have the terms in title, tags, notes or highlights; or at the
-- remaining ones.
create type private.search_field as enum ('any', 'prominent', 'remaining');

-- What `closeness` looks for: the words of the terms, if they have only ASCII; and for all texts the patterns of all
-- terms side by side, and of two neighbours.
create type private.closeness_patterns as (words text[], adjacent text, pairs text);

-- What is marked in snippets: the pattern of exact matches; that of words that may have the same stem, or null; the
-- words of the terms; and their stems, each with its language and a colon before it.
create type private.search_marks as (pattern text, stem_pattern text, words text[], stems text[]);

-- The host of a link. Filled in for links that exist by `lectern maintain reindex`.
alter table public.links add column domain text;
create index links_domain on public.links (user_id, domain);

-- For the order by the time of saving.
create index links_created_at on public.links (user_id, created_at, id);

-- Searches read many articles: pglz takes several times as long as lz4. Articles that are stored stay as they are.
alter table public.articles alter column text_content set compression lz4, alter column content set compression lz4;
