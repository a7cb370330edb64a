-- Articles as Markdown files; see sql/schema/markdown_files.sql.

create table private.markdown_files (
    link_id uuid primary key references public.articles (link_id) on update cascade on delete cascade,
    user_id uuid not null,
    -- Counts the texts that the article has had: Markdown that was made of an older text is not stored.
    revision integer not null default 1,
    -- The article without front matter; null until it is made.
    markdown text compression lz4,
    -- The first picture near the start of the article.
    image text generated always as (coalesce(
        (regexp_match(left(markdown, 32768), '!\[(?:[^]\\]|\\.)*\]\((?:<(https?://[^>\s]+)>|(https?://[^)\s]+))'))[1],
        (regexp_match(left(markdown, 32768), '!\[(?:[^]\\]|\\.)*\]\((?:<(https?://[^>\s]+)>|(https?://[^)\s]+))'))[2]))
        stored,
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index markdown_files_user_id on private.markdown_files (user_id);
create index markdown_files_waiting on private.markdown_files (link_id) where markdown is null;
grant select, update (markdown) on private.markdown_files to job_worker;
grant select, update on private.markdown_files to lectern_admin;

-- The names of these files. A name never changes, so it outlives a link that is deleted and restored.
create table private.file_names (
    link_id uuid primary key,
    user_id uuid not null references auth.users on delete cascade,
    name text not null
);
create index file_names_user_id on private.file_names (user_id, name);
grant select, delete on private.file_names to lectern_admin;

-- The articles that exist get their files.
set local role lectern_admin;
-- Now rest.exported_time.
drop function if exists private.exported_time(timestamptz);
insert into private.markdown_files (link_id, user_id) select link_id, user_id from public.articles;
insert into private.file_names (link_id, user_id, name)
    select l.id, l.user_id, to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD-')
        || coalesce(nullif(trim(both '-' from left(trim(both '-' from regexp_replace(
            lower(coalesce(nullif(l.title, ''), a.title, l.domain)), '[^[:alnum:]]+', '-', 'g')), 60)), ''), 'untitled')
        || '-' || left(l.id::text, 8) || '.md'
    from public.links l join public.articles a on a.link_id = l.id;
set local role lectern_owner;

alter table private.markdown_files enable row level security, force row level security;
alter table private.file_names enable row level security, force row level security;
