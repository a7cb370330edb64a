-- Former articles of links that their user had fetched again, and reports of articles that look wrong.

create table private.former_articles (
    link_id uuid primary key references public.articles on update cascade on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    -- The row of public.articles.
    article jsonb not null,
    kept_at timestamptz not null default now(),
    -- The user has put it back; the article that it replaced is stored here since then.
    is_restored boolean not null default false
);
create index former_articles_user_id on private.former_articles (user_id);
create index former_articles_kept_at on private.former_articles (kept_at);
alter table private.former_articles enable row level security, force row level security;

create table private.article_reports (
    link_id uuid primary key,
    user_id uuid not null,
    note text check (length(note) <= 1000),
    -- The page that the article was made from; null where it was not kept.
    url text not null,
    content_type text,
    html text compression lz4,
    -- The article as it was; null if there was none.
    content text compression lz4,
    extractor_version integer,
    reported_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on update cascade on delete cascade
);
create index article_reports_user_id on private.article_reports (user_id);
create index article_reports_reported_at on private.article_reports (reported_at);
alter table private.article_reports enable row level security, force row level security;
grant select, delete on private.article_reports to lectern_admin;
