-- How certain it is that an article is all of the article of its page, and pages that their user wants as a whole; see
-- sql/schema/whole_pages.sql.

alter table public.articles
    add column confidence text not null default 'normal' check (confidence in ('normal', 'low'));
comment on column public.articles.confidence is
    'normal, or low: nothing on the page was convincing, and the article may be only a part of what belongs to it. '
    'rpc/show_whole_page makes all of the page the article.';

alter table private.sources
    -- All of the page is the article.
    add column is_article boolean not null default false;
