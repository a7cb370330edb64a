-- The schemas and tables of the first release.
--
-- Runs as lectern_owner, like every migration; the roles are created with the cluster (deploy/roles.sql). lectern_admin
-- and service_role bypass row-level security (attribute BYPASSRLS). lectern_owner does not, because it is forced on
-- every table; a migration that fills in rows therefore starts with `set local role lectern_admin`.
--
-- A new function can be called by nobody until it is granted.

alter default privileges for role lectern_owner revoke execute on functions from public;

-- What clients see over /rest/v1/.
revoke all on schema public from public;
grant usage on schema public to anon, authenticated, service_role, job_worker;

-- Accounts and sessions; only auth_service may access the tables.
create schema auth;
-- authenticator, the workers' login, needs it for auth.auth_claims, the only function it may call.
grant usage on schema auth to anon, authenticated, authenticator, service_role, auth_service, job_worker;

-- The queues and caches: unreachable over REST.
create schema private;
grant usage on schema private to auth_service, job_worker, lectern_jobs, lectern_metrics;

-- Called by the statements of the REST API and by triggers on the tables of clients.
-- lectern_jobs needs it because it fetches an export's rows from cursors of the admin, and fetching decodes entities.
create schema rest;
grant usage on schema rest to anon, authenticated, service_role, job_worker, lectern_jobs;

-- Accounts. Names follow GoTrue.
create table auth.users (
    id uuid primary key default gen_random_uuid(),
    -- As typed; unique regardless of case.
    email text not null check (length(email) between 3 and 254),
    -- argon2id, encoded.
    encrypted_password text,
    user_metadata jsonb not null default '{}' check (jsonb_typeof(user_metadata) = 'object'),
    app_metadata jsonb not null default '{"provider": "email", "providers": ["email"]}',
    email_confirmed_at timestamptz,
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- One account per address, however it is typed: equal in lower case and in Unicode's compatibility form.
    email_key text generated always as (lower(normalize(email, nfkc))) stored,
    invited_at timestamptz,
    -- Sign-ins and tokens of the account are refused before this time.
    banned_until timestamptz,
    constraint users_metadata_size check ((octet_length(user_metadata::text) <= 1048576)
        and (octet_length(app_metadata::text) <= 1048576))
);
create unique index users_email_key on auth.users (email_key);
grant select, insert, update, delete on auth.users to auth_service;
comment on column auth.users.encrypted_password is 'secret: argon2id hash of the password; left out of exports';

-- Other ways to prove who a user is: an account elsewhere (OpenID Connect) and a second factor. Nothing writes these
-- tables yet; the user object and the claims have fields for them.
create table auth.identities (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    provider text not null check (provider <> 'email'),
    -- The provider's name for the user.
    provider_id text not null,
    identity_data jsonb not null default '{}',
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (provider, provider_id)
);
create index identities_user_id on auth.identities (user_id);
grant select, insert, update, delete on auth.identities to auth_service;

create table auth.sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- Number of the newest refresh token. The tokens are derived from (session, generation) by a keyed hash, so none is
    -- stored.
    generation integer not null default 1,
    user_agent text,
    address text,
    created_at timestamptz not null default now(),
    refreshed_at timestamptz not null default now(),
    -- Authenticator assurance level, `aal2` after a second factor, and the methods used (RFC 8176).
    aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    amr jsonb not null default '[]' check (jsonb_typeof(amr) = 'array')
);
create index sessions_user_id on auth.sessions (user_id, refreshed_at desc);
grant select, insert, update, delete on auth.sessions to auth_service;

-- When each generation of a session's refresh token was used.
create table auth.refresh_tokens (
    session_id uuid not null references auth.sessions on delete cascade,
    generation integer not null,
    used_at timestamptz not null default now(),
    primary key (session_id, generation)
);
grant select, insert, update, delete on auth.refresh_tokens to auth_service;

-- Devices that a user has signed in from: a hash of network and user agent.
create table auth.devices (
    user_id uuid not null references auth.users on delete cascade,
    device bytea not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, device)
);
grant select, insert, update, delete on auth.devices to auth_service;

-- Delays for repeated attempts: guessed passwords, mass sign-ups, requests for mails.
--
-- The subject of a count is an account (by a hash of the address, because people type passwords into address fields), a
-- network, or a device of an account. Counts survive restarts and are shared by all workers.
create table auth.delays (
    subject text primary key,
    attempts integer not null,
    last_at timestamptz not null,
    -- Attempts before this time are refused and not counted.
    allowed_at timestamptz not null
);
create index delays_last_at on auth.delays (last_at);
grant select, insert, update, delete on auth.delays to auth_service;

create table auth.mfa_factors (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    friendly_name text,
    factor_type text not null check (factor_type in ('totp', 'webauthn')),
    status text not null default 'unverified' check (status in ('unverified', 'verified')),
    secret text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index mfa_factors_user_id on auth.mfa_factors (user_id);
grant select, insert, update, delete on auth.mfa_factors to auth_service;
comment on column auth.mfa_factors.secret is 'secret: generates codes; left out of exports';

-- Personal API tokens, for a script, an e-reader or a bookmarklet; each has a name, a scope and an optional expiry.
create table auth.api_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 100),
    -- read: sees everything of the user; save: adds links; full: may do over REST what the user may do.
    scope text not null check (scope in ('read', 'save', 'full')),
    -- The first characters, by which users recognise a token.
    prefix text not null,
    -- SHA-256 of the token: 256 random bits need no slower hash.
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    -- Accurate to a minute.
    last_used_at timestamptz,
    last_used_address text
);
create index api_tokens_user_id on auth.api_tokens (user_id, created_at desc);
grant select, insert, update, delete on auth.api_tokens to auth_service;
comment on column auth.api_tokens.token_hash is 'secret: hash of the token; left out of exports';

-- One-time links sent by mail. Using a link deletes it.
create table auth.one_time_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    kind text not null check (kind in ('recovery', 'invite', 'magiclink', 'signup')),
    -- SHA-256 of the token in the link.
    token_hash bytea not null unique,
    -- SHA-256 of the id and six digits that may be typed instead, at most five times. Null for a mailed link: nobody is
    -- told the digits then, and only an attacker would try them.
    code_hash bytea,
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
-- A new link of a kind replaces the previous one.
create unique index one_time_tokens_user_id_kind on auth.one_time_tokens (user_id, kind);
grant select, insert, update, delete on auth.one_time_tokens to auth_service;
comment on column auth.one_time_tokens.token_hash is 'secret: hash of the link''s token; left out of exports';
comment on column auth.one_time_tokens.code_hash is 'secret: hash of the digits; left out of exports';

-- Who changed what on an account, when, and from where. Written by triggers, so that a change by psql is logged like
-- one over the auth API. Contains no secret (password, token, hash or link) and no text that a user wrote.
create table auth.audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    action text not null,
    -- 'user', 'admin …' (another user, by the first digits of the id), 'service key', 'visitor', or 'database login …'
    -- for a change that did not use the auth API.
    actor text not null,
    -- The account that changed; null once it is deleted.
    user_id uuid references auth.users on delete cascade,
    address text,
    user_agent text,
    details jsonb not null default '{}'
);
create index audit_log_user_id on auth.audit_log (user_id, id desc);
grant select on auth.audit_log to auth_service;

-- Links: what users saved.
create table public.links (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- The address that the client gave; never changed.
    raw_url text not null check (length(raw_url) between 1 and 65536),
    -- Where the redirects ended, without tracking parameters.
    resolved_url text,
    title text,
    description text,
    list text not null default 'read' check (list in ('read', 'archive')),
    status text not null default 'unread' check (status in ('unread', 'read')),
    device_saved text,
    is_starred boolean not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- The server's progress. A client may set it to 'pending' to ask for another try, and to nothing else.
    state text not null default 'pending' check (state in ('pending', 'ready', 'failed')),
    -- Why there is no article, as a code and as a sentence; null if there is one.
    reason text,
    reason_message text,
    image text,
    site_name text,
    lang text,
    word_count integer,
    -- The last action of a user that changed the row, from clients that send its time.
    acted_at timestamptz,
    acted_as text,
    title_is_text boolean not null default false,
    description_is_text boolean not null default false,
    -- Deduplication: the key of the link. A user's links have different keys.
    dedupe_key text,
    -- The key of the address that the page names as its own (rel=canonical).
    canonical_key text,
    is_kept_apart boolean not null default false,
    -- Metadata of the page, stored with the link so that a list needs no article.
    kind text check (kind in ('article', 'video', 'audio', 'pdf', 'image', 'other')),
    byline text check (length(byline) <= 1000),
    published_at timestamptz,
    reading_time integer check (reading_time > 0),
    icon text check (length(icon) <= 8192 and icon ~* '^https?://'),
    enclosure_url text check (length(enclosure_url) <= 8192 and enclosure_url ~* '^https?://'),
    enclosure_type text check (length(enclosure_type) <= 100),
    enclosure_duration integer check (enclosure_duration > 0),
    -- Lets other tables refer to a link together with its owner, so that no row can refer to another user's link.
    unique (id, user_id),
    unique (user_id, raw_url),
    -- Type and duration need an address.
    constraint links_enclosure_check check (enclosure_url is not null
        or (enclosure_type is null and enclosure_duration is null))
);
create index links_canonical_key on public.links (user_id, md5(canonical_key)) where canonical_key is not null;
-- The list: newest first, paged by (updated_at, id).
create index links_list on public.links (user_id, updated_at desc, id desc);
create unique index links_user_id_dedupe_key on public.links (user_id, md5(dedupe_key));
alter table public.links enable row level security, force row level security;
-- anon sees no rows. It may try to insert, so that the refusal mentions row-level security, which the iOS app looks
-- for.
grant select, insert on public.links to anon;
grant select, insert, update, delete on public.links to authenticated, service_role;
grant select on public.links to job_worker;
grant update (resolved_url, title, description, state, reason, reason_message, image, site_name, lang, word_count,
    title_is_text, description_is_text, kind, byline, published_at, reading_time, icon, enclosure_url,
    enclosure_type, enclosure_duration) on public.links to job_worker;
comment on table public.links is 'The links that a user saved.';
comment on column public.links.raw_url is 'The URL as it was saved; never changed by the server.';
comment on column public.links.resolved_url is 'The URL where the redirects ended, without tracking parameters.';
comment on column public.links.list is 'read (the reading list) or archive.';
comment on column public.links.status is 'unread or read.';
comment on column public.links.device_saved is 'The device that saved the link, if the client sent it.';
comment on column public.links.is_starred is
    'Whether the link is starred. Writing a title that starts with ⭐ sets it too.';
comment on column public.links.state is
    'State of resolution and extraction: pending, ready or failed. Writing pending requests another try.';
comment on column public.links.reason is 'Why there is no article, as a code; null if there is one.';
comment on column public.links.reason_message is 'Why there is no article, as a sentence; null if there is one.';
comment on column public.links.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.links.acted_as is 'The time of that change as the client sent it; null if it sent none.';
comment on column public.links.title_is_text is
    'Whether title is plain text, as values from a page are. Otherwise it is as a client sent it; decode HTML '
    'entities once to display it. Set by the server.';
comment on column public.links.description_is_text is
    'Whether description is plain text, as values from a page are. Otherwise it is as a client sent it; decode HTML '
    'entities once to display it. Set by the server.';
comment on column public.links.dedupe_key is
    'Key shared by all spellings of the URL; null if it is not an http(s) URL. A user''s links have different keys.';
comment on column public.links.canonical_key is
    'Key of the page''s canonical URL (rel=canonical), if it is believable.';
comment on column public.links.is_kept_apart is
    'Whether a merge of the link was undone; such a link is never merged automatically again.';
comment on column public.links.kind is
    'Kind of the resource: article, video, audio, pdf, image or other; null until it has been fetched.';
comment on column public.links.byline is 'Names of the authors, separated by commas.';
comment on column public.links.published_at is 'When the page was published, if it says so.';
comment on column public.links.reading_time is
    'Estimated reading time in minutes, rounded up: 200 words, or 500 characters of Chinese or Japanese, per minute.';
comment on column public.links.icon is 'URL of the site''s icon, as the page names it.';
comment on column public.links.enclosure_url is 'URL of the audio or video file that belongs to the page.';
comment on column public.links.enclosure_type is 'Media type of the enclosure, if known.';
comment on column public.links.enclosure_duration is 'Duration of the enclosure in seconds, if known.';

create table public.articles (
    link_id uuid primary key,
    user_id uuid not null,
    url text not null,
    title text,
    byline text,
    -- Sanitised HTML.
    content text not null,
    text_content text not null,
    excerpt text,
    site_name text,
    lang text,
    dir text,
    image text,
    -- As written on the page, and as a timestamp if it is one.
    published_time text,
    published_at timestamptz,
    -- Characters of text_content in UTF-16 units, as Readability counts.
    length integer not null,
    word_count integer not null,
    source text not null default 'server' check (source in ('server', 'client')),
    extracted_at timestamptz not null default now(),
    extractor_version integer not null,
    metadata_is_text boolean not null default false,
    -- Why this source was chosen.
    source_reason text,
    is_whole boolean not null default true,
    reading_time integer check (reading_time > 0),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index articles_user_id on public.articles (user_id);
alter table public.articles enable row level security, force row level security;
grant select, insert, update, delete on public.articles to job_worker, service_role;
grant select on public.articles to anon, authenticated;
comment on table public.articles is 'Articles extracted from the pages of links; at most one per link.';
comment on column public.articles.content is 'Sanitised HTML.';
comment on column public.articles.text_content is 'The content as plain text.';
comment on column public.articles.published_time is 'Publication time as written on the page.';
comment on column public.articles.published_at is 'Publication time, if published_time is a valid point in time.';
comment on column public.articles.length is 'Length of text_content in UTF-16 units.';
comment on column public.articles.source is 'Whose copy of the page the article was made from: server or client.';
comment on column public.articles.metadata_is_text is
    'Whether title, byline, excerpt and site_name are plain text; otherwise decode HTML entities once to display '
    'them. Set by the server.';
comment on column public.articles.source_reason is
    'Why that copy was chosen if there were two: only (the other has no article), whole (the other is a part of it), '
    'longer, or alike.';
comment on column public.articles.is_whole is
    'Whether the article is complete; false if only the part before a paywall, or the plain text of a page that was '
    'too large, was kept.';
comment on column public.articles.reading_time is 'Estimated reading time in minutes, rounded up.';

-- What users add to their links: tags, highlights, notes, collections, progress, settings.
--
-- Every row has an owner and refers to other rows together with that owner, so that no row can refer to another user's
-- row.
create table public.tags (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    name text not null check ((length(name) between 1 and 100) and (name !~ '^\s|\s$')),
    color text check (length(color) <= 50),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text,
    unique (id, user_id),
    unique (user_id, name)
);
create unique index tags_user_id_lower_name_key on public.tags (user_id, lower(name));
alter table public.tags enable row level security, force row level security;
grant select, insert, update, delete on public.tags to authenticated, service_role;
grant select on public.tags to anon, job_worker;
comment on table public.tags is 'Tags of a user. Names are unique regardless of case.';
comment on column public.tags.name is 'Name, 1 to 100 characters, without leading or trailing white space.';
comment on column public.tags.color is 'Colour for display, in a format of the client''s choice.';
comment on column public.tags.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.tags.acted_as is 'The time of that change as the client sent it; null if it sent none.';

create table public.link_tags (
    link_id uuid not null,
    tag_id uuid not null,
    user_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (link_id, tag_id),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade,
    foreign key (tag_id, user_id) references public.tags(id, user_id) on update cascade on delete cascade
);
create index link_tags_tag_id on public.link_tags (tag_id);
create index link_tags_user_id on public.link_tags (user_id);
alter table public.link_tags enable row level security, force row level security;
grant select on public.link_tags to anon, job_worker;
grant select, insert, update, delete on public.link_tags to authenticated, service_role;
comment on table public.link_tags is 'Assignments of tags to links.';

create table public.highlights (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
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
    acted_at timestamptz,
    acted_as text,
    -- Set when the article's text no longer contains the passage.
    orphaned_at timestamptz,
    constraint highlights_check check (start_offset <= end_offset),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index highlights_link_id on public.highlights (link_id, start_offset);
create index highlights_list on public.highlights (user_id, updated_at desc, id desc);
alter table public.highlights enable row level security, force row level security;
grant select, insert, update, delete on public.highlights to authenticated, service_role;
grant select on public.highlights to anon, job_worker;
grant update (start_offset, end_offset, orphaned_at) on public.highlights to job_worker;
comment on table public.highlights is 'Highlighted passages of articles.';
comment on column public.highlights.quote is 'The highlighted text.';
comment on column public.highlights.prefix is
    'Text just before the quote, used to find it after the article has been extracted again.';
comment on column public.highlights.suffix is
    'Text just after the quote, used to find it after the article has been extracted again.';
comment on column public.highlights.start_offset is
    'Start of the quote in the article''s text_content, in UTF-16 units; updated when the article is extracted again.';
comment on column public.highlights.end_offset is
    'End of the quote in the article''s text_content, in UTF-16 units; updated when the article is extracted again.';
comment on column public.highlights.note is 'The user''s note on the passage.';
comment on column public.highlights.color is 'yellow, green, blue, pink, purple or orange.';
comment on column public.highlights.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.highlights.acted_as is 'The time of that change as the client sent it; null if it sent none.';
comment on column public.highlights.orphaned_at is
    'Since when the article no longer contains the passage; null while it does. Set by the server, which searches '
    'every new text of the article.';

create table public.notes (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    link_id uuid not null,
    body text not null default '' check (length(body) <= 1000000),
    is_favorite boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text,
    unique (link_id, user_id),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index notes_list on public.notes (user_id, updated_at desc, id desc);
alter table public.notes enable row level security, force row level security;
grant select on public.notes to anon, job_worker;
grant select, insert, update, delete on public.notes to authenticated, service_role;
comment on table public.notes is 'Notes on articles; at most one per link.';
comment on column public.notes.body is 'Text of the note.';
comment on column public.notes.is_favorite is 'Whether the article is marked as a favourite.';
comment on column public.notes.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.notes.acted_as is 'The time of that change as the client sent it; null if it sent none.';

create table public.collections (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    name text not null check (length(name) between 1 and 200),
    description text check (length(description) <= 5000),
    parent_id uuid,
    query text check (length(query) <= 5000),
    position double precision not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text,
    unique (id, user_id),
    foreign key (parent_id, user_id) references public.collections(id, user_id) on update cascade on delete cascade
);
create index collections_list on public.collections (user_id, "position", id);
create index collections_parent_id on public.collections (parent_id);
alter table public.collections enable row level security, force row level security;
grant select, insert, update, delete on public.collections to authenticated, service_role;
grant select on public.collections to anon, job_worker;
comment on table public.collections is 'Collections of links: filled manually, or by a saved query.';
comment on column public.collections.name is 'Name, 1 to 200 characters.';
comment on column public.collections.parent_id is
    'The parent collection; null at the top level. Collections are nested at most 20 levels deep.';
comment on column public.collections.query is
    'A filter of /rest/v1/links, such as list=eq.archive&is_starred=is.true; null if the collection is filled '
    'manually.';
comment on column public.collections.position is 'Sort position among its siblings, ascending.';
comment on column public.collections.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.collections.acted_as is 'The time of that change as the client sent it; null if it sent none.';

create table public.collection_links (
    collection_id uuid not null,
    link_id uuid not null,
    user_id uuid not null,
    position double precision not null default 0,
    created_at timestamptz not null default now(),
    primary key (collection_id, link_id),
    foreign key (collection_id, user_id) references public.collections(id, user_id) on update cascade on delete cascade,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index collection_links_link_id on public.collection_links (link_id);
create index collection_links_user_id on public.collection_links (user_id);
alter table public.collection_links enable row level security, force row level security;
grant select, insert, update, delete on public.collection_links to authenticated, service_role;
grant select on public.collection_links to anon, job_worker;
comment on table public.collection_links is 'Links of the collections that are filled manually.';
comment on column public.collection_links.position is 'Sort position in the collection, ascending.';

create table public.reading_progress (
    user_id uuid not null references auth.users on delete cascade,
    content_hash text not null check (length(content_hash) between 1 and 128),
    link_id uuid,
    last_read_character_index integer not null default 0 check (last_read_character_index >= 0),
    last_page_number integer check (last_page_number >= 0),
    total_pages integer check (total_pages >= 0),
    percentage_complete double precision not null default 0 check (percentage_complete between 0 and 1),
    last_updated timestamptz not null default now(),
    primary key (user_id, content_hash),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index reading_progress_link_id on public.reading_progress (link_id);
alter table public.reading_progress enable row level security, force row level security;
grant select, insert, update, delete on public.reading_progress to authenticated, service_role;
grant select on public.reading_progress to anon, job_worker;
comment on table public.reading_progress is
    'Reading progress by content. A write whose last_updated is older than the stored one changes nothing.';
comment on column public.reading_progress.content_hash is 'Hash of the content, computed by the client.';
comment on column public.reading_progress.link_id is 'The link, if known.';
comment on column public.reading_progress.last_read_character_index is 'First unread character, counted from 0.';
comment on column public.reading_progress.last_page_number is
    'The page that the user was on, for clients that paginate.';
comment on column public.reading_progress.total_pages is 'Number of pages in that client.';
comment on column public.reading_progress.percentage_complete is 'Fraction that has been read, 0 to 1.';
comment on column public.reading_progress.last_updated is
    'When the user read that far; the newest value wins. Defaults to the time of the write.';

create table public.user_settings (
    user_id uuid primary key references auth.users on delete cascade,
    font_name text not null default 'System' check (length(font_name) between 1 and 100),
    font_size double precision not null default 16 check (font_size between 12 and 32),
    theme text not null default 'light' check (theme in ('light', 'dark', 'sepia', 'auto')),
    line_spacing double precision not null default 1.2 check (line_spacing between 0.8 and 2.0),
    speech_rate double precision not null default 1.0 check (speech_rate between 0.5 and 2.0),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    acted_at timestamptz,
    acted_as text
);
alter table public.user_settings enable row level security, force row level security;
grant select, insert, update, delete on public.user_settings to authenticated, service_role;
grant select on public.user_settings to anon, job_worker;
comment on table public.user_settings is 'Reading preferences of a user.';
comment on column public.user_settings.font_size is 'Font size in points, 12 to 32.';
comment on column public.user_settings.theme is 'light, dark, sepia or auto.';
comment on column public.user_settings.line_spacing is 'Line height as a multiple of the font size, 0.8 to 2.';
comment on column public.user_settings.speech_rate is 'Speech rate as a multiple of the normal speed, 0.5 to 2.';
comment on column public.user_settings.acted_at is
    'When the user last changed the row, by the server''s clock; null if the row has not been changed since it was '
    'created.';
comment on column public.user_settings.acted_as is
    'The time of that change as the client sent it; null if it sent none.';

create table public.trash (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- No foreign key: the link is deleted.
    link_id uuid not null,
    raw_url text not null,
    title text,
    link jsonb not null,
    -- Contains whole articles, and many links may be deleted at once: pglz takes several times as long as lz4.
    parts jsonb compression lz4 not null,
    deleted_at timestamptz not null default now(),
    acted_at timestamptz
);
create index trash_deleted_at on public.trash (deleted_at);
create index trash_link_id on public.trash (link_id);
create index trash_list on public.trash (user_id, deleted_at desc, id desc);
alter table public.trash enable row level security, force row level security;
grant select on public.trash to anon, job_worker;
grant select, delete on public.trash to authenticated, service_role;
comment on table public.trash is
    'Deleted links with everything attached to them; rpc/restore_link restores one. Rows are deleted permanently '
    'after a retention time.';
comment on column public.trash.link_id is 'Id of the deleted link; a restored link gets it back.';
comment on column public.trash.link is 'The link before its deletion.';
comment on column public.trash.parts is 'Rows that were attached to the link, by table name.';
comment on column public.trash.deleted_at is 'When the link was deleted.';
comment on column public.trash.acted_at is 'When the user deleted the link, by the server''s clock.';

-- Aliases of a link: spellings by which it was saved, keys by which it is found, ids that clients gave it.
create table public.link_aliases (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    link_id uuid not null,
    kind text not null check (kind in ('spelling', 'key', 'id')),
    value text not null check (length(value) between 1 and 65536),
    created_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index link_aliases_link_id on public.link_aliases (link_id);
create index link_aliases_user_id on public.link_aliases (user_id);
-- By hash, because addresses may be longer than an index entry; queries compare the whole value too.
create unique index link_aliases_value on public.link_aliases (md5(value), kind, user_id);
alter table public.link_aliases enable row level security, force row level security;
grant select on public.link_aliases to anon, authenticated, job_worker, service_role;
comment on table public.link_aliases is
    'Aliases of links. A link is found by its aliases, and saving an alias saves the link again.';
comment on column public.link_aliases.kind is
    'spelling: another URL that the link was saved with; key: a dedupe key that leads to it; id: an id that a client '
    'gave it.';

-- Merges, with everything needed to undo them.
create table public.link_merges (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- No foreign keys: the links may be deleted and restored.
    survivor_id uuid not null,
    merged_id uuid not null,
    raw_url text not null,
    title text,
    reason text not null check (reason in ('spelling', 'resolved', 'canonical', 'clean-up')),
    merged_at timestamptz not null default now(),
    undone_at timestamptz,
    survivor_before jsonb not null,
    survivor_after jsonb not null,
    link jsonb not null,
    parts jsonb compression lz4 not null,
    -- Which parts the survivor did not have before: table name to keys, or to whether it had none.
    added jsonb not null
);
create index link_merges_list on public.link_merges (user_id, merged_at desc, id desc);
create index link_merges_merged_at on public.link_merges (merged_at);
create index link_merges_merged_id on public.link_merges (merged_id);
create index link_merges_survivor_id on public.link_merges (survivor_id);
alter table public.link_merges enable row level security, force row level security;
grant select on public.link_merges to anon, authenticated, job_worker, service_role;
comment on table public.link_merges is
    'Merges of links; rpc/unmerge undoes one. Rows are deleted after a retention time.';
comment on column public.link_merges.survivor_id is 'Id of the link that remained.';
comment on column public.link_merges.merged_id is 'Id of the other link; it gets it back if the merge is undone.';
comment on column public.link_merges.raw_url is 'URL of the other link.';
comment on column public.link_merges.reason is
    'spelling: saved with another spelling of the URL; resolved: both lead to the same URL; canonical: the page names '
    'the other as its own; clean-up: merged by the admin.';
comment on column public.link_merges.undone_at is 'When the merge was undone; null otherwise.';
comment on column public.link_merges.link is 'The other link before the merge.';
comment on column public.link_merges.parts is 'Rows that were attached to the link, by table name.';

-- Pictures of articles, of links in a list and of sites, kept by the server so that readers request them from nobody
-- else.
--
-- The jobs process fetches and re-encodes them and stores them as files (Sources/Pictures). The tables record which
-- link shows which picture, the progress of each, and the pictures that a user has, each once, however many links show
-- it.
--
-- A file has a random address that only its user is told; whoever knows the address can see the picture. The same
-- picture of another user has another address.
create table public.pictures (
    user_id uuid not null references auth.users on delete cascade,
    -- SHA-256 of the file's bytes.
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    -- The path below /pictures/.
    address text not null check (length(address) between 1 and 200),
    type text not null default 'image/webp',
    width integer not null,
    height integer not null,
    bytes integer not null,
    created_at timestamptz not null default now(),
    primary key (user_id, hash)
);
create index pictures_address on public.pictures (address);
-- A user's bytes are summed whenever a picture is added.
create index pictures_bytes on public.pictures (user_id) include (bytes);
create index pictures_hash on public.pictures (hash);
alter table public.pictures enable row level security, force row level security;
grant select on public.pictures to anon, authenticated, service_role;
grant select, insert, update, delete on public.pictures to job_worker;
comment on table public.pictures is
    'Pictures that the server keeps for a user, each once. The file is at /pictures/<address>.';
comment on column public.pictures.address is 'Path below /pictures/. Anyone who knows it can see the picture.';

-- The pictures that a link shows, by their addresses on the web.
create table public.link_pictures (
    id uuid primary key default gen_random_uuid(),
    link_id uuid not null,
    user_id uuid not null,
    -- In the article, beside the link in a list, or the icon of the site.
    kind text not null default 'article' check (kind in ('article', 'preview', 'icon')),
    source text not null check (length(source) between 1 and 8192),
    -- skipped: beyond the number of pictures kept per article.
    state text not null default 'waiting' check (state in ('waiting', 'kept', 'failed', 'skipped')),
    -- Why it is missing, as a code and as a sentence.
    reason text,
    message text,
    hash text,
    -- Position within its kind, from 1.
    position integer not null default 1,
    created_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade,
    foreign key (user_id, hash) references public.pictures(user_id, hash) on delete set null (hash)
);
create index link_pictures_hash on public.link_pictures (user_id, hash) where hash is not null;
-- A picture that its user has already is not fetched again.
create index link_pictures_known on public.link_pictures (user_id, md5(source));
create unique index link_pictures_source on public.link_pictures (link_id, user_id, kind, md5(source));
alter table public.link_pictures enable row level security, force row level security;
grant select, insert, update, delete on public.link_pictures to job_worker;
grant select on public.link_pictures to anon, authenticated, service_role;
comment on table public.link_pictures is
    'Pictures shown in articles and lists, and icons of sites: the original URL and the server''s copy.';
comment on column public.link_pictures.source is 'Original URL of the picture, as in the article''s content.';
comment on column public.link_pictures.state is
    'waiting: not fetched yet; kept: the server has a copy; failed: see reason and message; skipped: beyond the '
    'number kept per article.';

-- Counts the changes of each user's rows: an equal sum means that nothing has changed since. Split into slots, so that
-- concurrent writers of a user do not wait for each other. The low fill factor lets an update stay on its page, which
-- touches no index.
create table rest.changes (
    user_id uuid not null references auth.users on delete cascade,
    slot smallint not null,
    n bigint not null,
    primary key (user_id, slot)
) with (fillfactor = 20);
alter table rest.changes enable row level security, force row level security;
-- anon too, because every read asks for its caller's count; a caller that is not signed in has none.
grant select on rest.changes to anon, authenticated, service_role;

-- The names of character references, without the `&`, with the semicolon where they have one. `lectern migrate` fills
-- the table from Sources/Text/CharacterReferences.tsv.
create table rest.character_references (
    name text collate "C" primary key,
    characters text not null
);
grant select on rest.character_references to anon, authenticated, job_worker, lectern_jobs, service_role;

-- Batches: many saves that belong together, of one statement and of further ones made while they are worked on.
create table private.batches (
    id bigint generated always as identity primary key,
    user_id uuid not null references auth.users on delete cascade,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index batches_user_id on private.batches (user_id, id);
alter table private.batches enable row level security;
grant select on private.batches to authenticated, service_role;

-- The queue of saved links: one table, leased with `for update skip locked`; NOTIFY lectern_jobs wakes the jobs
-- process.
create table private.jobs (
    id bigint generated always as identity primary key,
    -- save: resolve and extract a saved link; extract: extract a stored page again; place: find highlights in a new
    -- text; check: whether the page is still there; refresh: fetch and extract again. Nobody waits for the last four:
    -- they come after all others, and when they fail the link does not change. extract and place do not use the
    -- network. check and refresh are never buried; their result is in private.page_checks.
    kind text not null check (kind in ('save', 'extract', 'place', 'check', 'refresh')),
    user_id uuid not null references auth.users on delete cascade,
    link_id uuid not null references public.links on update cascade on delete cascade,
    -- pending → running → deleted when done; pending again after a failure worth retrying; buried otherwise.
    state text not null default 'pending' check (state in ('pending', 'running', 'buried')),
    -- Failures that were followed by another try.
    attempts integer not null default 0,
    run_at timestamptz not null default now(),
    leased_by text,
    leased_until timestamptz,
    -- Of the last failure: a code and a sentence for the user.
    reason text,
    message text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Number of the newest lease. With the job's id it identifies a lease for ever. Finishing, postponing and giving up
    -- a job all require it; they fail, together with their changes to the link, if the lease was lost. So a runner that
    -- takes a job again after its lease has expired cannot finish it with the old one.
    lease integer not null default 0,
    -- Consecutive leases that ended without a result: the process was killed, or it hung. That need not be the page's
    -- fault, but a page that kills its runner every time is given up at last.
    interruptions integer not null default 0,
    -- Priority in the queue: jobs that somebody waits for, then bulk saves, then jobs that nobody waits for. Within a
    -- priority users take turns, however many jobs one of them has.
    in_bulk boolean not null default false,
    priority smallint not null generated always
        as (case when kind <> 'save' then 2 when in_bulk then 1 else 0 end) stored,
    batch_id bigint references private.batches on delete set null,
    started_at timestamptz
);
create index jobs_batch_id on private.jobs (batch_id) where batch_id is not null;
create index jobs_leased on private.jobs (leased_until) where state = 'running';
create index jobs_link_id on private.jobs (link_id);
create index jobs_next on private.jobs (run_at) where state = 'pending';
-- One pending job per link and kind, however often the link is saved.
create unique index jobs_pending on private.jobs (kind, link_id) where state = 'pending';
create index jobs_revisits on private.jobs (kind, run_at) where state = 'pending' and kind in ('check', 'refresh');
-- One job per link runs at a time: two would not see what the other stores, and the later one would replace the better
-- article.
create unique index jobs_running on private.jobs (link_id) where state = 'running';
create index jobs_running_of_user on private.jobs (user_id) where state = 'running';
-- The order in which jobs are taken, of each user and among users. Interrupted jobs are taken first, by jobs_leased.
create index jobs_to_take on private.jobs (priority, user_id, run_at, id) where state = 'pending';
create index jobs_user_id on private.jobs (user_id);
-- One role works on the jobs of all users; users see their own. They cannot read reason and message: the true ones
-- contain names of the server's network, and the link has them in words for users.
alter table private.jobs enable row level security;
grant select, insert, update, delete on private.jobs to lectern_jobs;
grant select on private.jobs to lectern_metrics;
grant select (id, kind, user_id, link_id, state, attempts, run_at, leased_by, leased_until, created_at, updated_at,
    batch_id, started_at) on private.jobs to authenticated;
grant select (id, kind, user_id, link_id, state, attempts, run_at, leased_by, leased_until, created_at, updated_at,
    batch_id, started_at) on private.jobs to service_role;
comment on column private.jobs.attempts is 'Failures that were followed by another try.';
comment on column private.jobs.in_bulk is 'Saved in bulk or imported: nobody waits for this particular link.';
comment on column private.jobs.priority is '0: somebody waits for it; 1: saved in bulk; 2: nobody waits for it.';
comment on column private.jobs.started_at is 'When the last lease started.';

-- Finished jobs. Rows are inserted, deleted after a month and never updated, so that the queue itself stays small.
--
-- No foreign keys: a job that finishes has locked its link and would wait for the row of a user who is being deleted,
-- while that deletion waits for the link.
create table private.done_jobs (
    id bigint primary key,
    kind text not null,
    user_id uuid not null,
    -- The link may have been deleted or merged since.
    link_id uuid not null,
    batch_id bigint,
    -- Attempts, the last one included.
    attempts integer not null,
    -- Milliseconds by step, of the last attempt.
    steps jsonb,
    created_at timestamptz not null,
    started_at timestamptz,
    done_at timestamptz not null default clock_timestamp()
);
create index done_jobs_batch_id on private.done_jobs (batch_id) where batch_id is not null;
create index done_jobs_done_at on private.done_jobs (done_at);
create index done_jobs_user_id on private.done_jobs (user_id, done_at);
alter table private.done_jobs enable row level security;
-- Deleting rows `for update skip locked` locks them, which takes the right to update them.
grant select, insert, update, delete on private.done_jobs to lectern_jobs;
grant select on private.done_jobs to authenticated, job_worker, service_role;

-- The page of a link as sent by the client that saved it.
create table private.pages (
    link_id uuid primary key,
    user_id uuid not null,
    url text not null,
    html text compression lz4 not null check (octet_length(html) <= 10485760),
    saved_at timestamptz not null default now(),
    read_by integer,
    -- The article is made from it.
    is_source boolean not null default false,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
alter table private.pages enable row level security, force row level security;
grant select, delete on private.pages to job_worker;
grant update (read_by, is_source) on private.pages to job_worker;

-- The pages from which articles were made, one per link and kind, so that a newer extractor can read them again without
-- the network. If both the server and the user's browser provided the page, the better one becomes the article. lz4
-- compresses it to less than a third; an export contains it uncompressed.
create table private.sources (
    link_id uuid not null,
    user_id uuid not null,
    -- server: as fetched. client: an earlier page from a client that was better than its latest, which is in
    -- private.pages.
    kind text not null check (kind in ('server', 'client')),
    -- The requested address. A page stored for another address than the link's is not used.
    asked_url text not null,
    -- Where the redirects ended.
    url text not null,
    content_type text not null default 'text/html',
    html text compression lz4 not null,
    kept_at timestamptz not null default now(),
    -- The version of the newest extractor that has read it.
    read_by integer,
    primary key (link_id, kind),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index sources_user_id on private.sources (user_id);
alter table private.sources enable row level security, force row level security;
grant select, insert, update, delete on private.sources to job_worker;

-- The last check of a link's page, stored if the site sent a validator by which later checks can ask whether the page
-- has changed, or if nobody had asked for the check.
create table private.page_checks (
    link_id uuid primary key,
    user_id uuid not null,
    -- The requested address. A check of another address than the link's says nothing about the link.
    asked_url text not null,
    visited_at timestamptz not null default now(),
    -- When the page was last read, or was to be read.
    read_at timestamptz,
    -- Validators of the page that the article was made from (RFC 9110, 8.8); a check that does not read the page leaves
    -- them unchanged.
    url text,
    etag text,
    last_modified text,
    -- Since when the page has been unavailable, and why, as told to the user.
    broken_since timestamptz,
    reason text,
    message text,
    constraint page_checks_check check ((broken_since is null) = (reason is null)),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index page_checks_user_id on private.page_checks (user_id, broken_since);
alter table private.page_checks enable row level security, force row level security;
grant select on private.page_checks to authenticated, service_role;
grant select, insert, update, delete on private.page_checks to job_worker;

-- Requests of users to resolve a URL. The workers do not fetch: they store the request for the jobs process and poll
-- for the answer; rows are deleted after a minute.
--
-- Unlogged: after a crash nobody waits for an answer.
create unlogged table private.resolutions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    url text not null check (length(url) <= 65536),
    asked_at timestamptz not null default clock_timestamp(),
    taken_at timestamptz,
    -- Null until there is an answer.
    outcome text check (outcome in ('resolved', 'unreachable', 'refused')),
    resolved_url text,
    title text,
    description text
);
create index resolutions_asked_at on private.resolutions (asked_at);
create index resolutions_user_id on private.resolutions (user_id, asked_at);
grant select, update, delete on private.resolutions to lectern_jobs;

-- Mails to send, and their results. The jobs process sends them if LECTERN_SMTP_URL is set; otherwise they stay here,
-- and `lectern mail` shows the admin the links.
create table private.mails (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    kind text not null,
    recipient text not null,
    subject text not null,
    -- Plain text with the link; cleared when the mail is sent or the link has expired.
    body text,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    attempts integer not null default 0,
    -- Why the last attempt failed.
    message text,
    run_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    -- After this time the mail is not sent.
    expires_at timestamptz not null
);
create index mails_user_id on private.mails (user_id);
create index mails_waiting on private.mails (run_at) where state = 'waiting';
grant select, update, delete on private.mails to lectern_jobs;
grant insert on private.mails to auth_service;
comment on column private.mails.body is 'secret: contains a link that signs in; left out of exports';

-- Exports: everything a user has, in one file. The jobs process writes the file (Sources/Export) and deletes it when
-- the row has expired or is deleted.
create table private.exports (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
    -- Progress: one step per row, and one more per article's page.
    rows_done bigint not null default 0,
    rows_total bigint,
    bytes bigint,
    -- Why it failed, as told to the user.
    message text,
    attempts integer not null default 0,
    -- The writer is considered alive until then.
    leased_until timestamptz,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    -- When the file is deleted.
    expires_at timestamptz not null default now() + interval '1 day'
);
-- One export at a time per user.
create unique index exports_under_way on private.exports (user_id) where state in ('waiting', 'running');
create index exports_user_id on private.exports (user_id, created_at desc);
grant select, update, delete on private.exports to lectern_jobs;
grant select, insert, delete on private.exports to auth_service;

-- Links whose pictures are to be listed, one row per link. Pictures have queues of their own, so that saved links never
-- wait for them.
create table private.picture_listings (
    link_id uuid primary key,
    user_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'running', 'done')),
    -- The user has opened the article, or has asked for failed pictures.
    is_wanted boolean not null default false,
    -- Finished without a list: pictures are switched off, or the listing was interrupted too often. Repeated when the
    -- jobs process starts.
    is_unlisted boolean not null default false,
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    attempts integer not null default 0,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index picture_listings_leased on private.picture_listings (leased_until) where state = 'running';
create index picture_listings_next on private.picture_listings (run_at) where state = 'pending';
create index picture_listings_unlisted on private.picture_listings (link_id) where is_unlisted;
grant select on private.picture_listings to lectern_metrics;
grant select, update, delete on private.picture_listings to lectern_jobs;

-- Pictures to fetch.
create table private.picture_jobs (
    picture_id uuid primary key references public.link_pictures on update cascade on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    state text not null default 'pending' check (state in ('pending', 'running')),
    attempts integer not null default 0,
    -- Consecutive leases that ended without a result.
    interruptions integer not null default 0,
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    reason text,
    message text,
    created_at timestamptz not null default now()
);
create index picture_jobs_leased on private.picture_jobs (leased_until) where state = 'running';
create index picture_jobs_next on private.picture_jobs (run_at) where state = 'pending';
create index picture_jobs_user_id on private.picture_jobs (user_id);
grant select on private.picture_jobs to lectern_metrics;
grant select, update, delete on private.picture_jobs to lectern_jobs;

-- Pictures of deleted links that may come back, from the trash or by undoing a merge, under the ids of the links.
create table private.kept_pictures (
    link_id uuid not null,
    user_id uuid not null references auth.users on delete cascade,
    kind text not null,
    source text not null,
    hash text not null,
    position integer not null,
    foreign key (user_id, hash) references public.pictures(user_id, hash) on delete cascade
);
create index kept_pictures_hash on private.kept_pictures (user_id, hash);
create unique index kept_pictures_source on private.kept_pictures (link_id, kind, md5(source));
alter table private.kept_pictures enable row level security, force row level security;
grant select on private.kept_pictures to job_worker;

-- Pictures that possibly nothing shows any more.
create table private.unused_pictures (
    user_id uuid not null references auth.users on delete cascade,
    hash text not null,
    primary key (user_id, hash)
);
grant select, delete on private.unused_pictures to lectern_jobs;

-- Files of deleted pictures. No user_id, because the user may be deleted too.
create table private.picture_removals (
    address text primary key
);
grant select, insert, delete on private.picture_removals to lectern_jobs;
