-- What each user keeps: links, articles, and the bytes of their texts.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/storage_per_user.sql
select
    users.email,
    count(links.id) as links,
    count(articles.link_id) as articles,
    pg_size_pretty(coalesce(sum(length(articles.content) + length(articles.text_content)), 0)) as article_text,
    max(links.created_at) as last_saved
from auth.users
left join public.links on links.user_id = users.id
left join public.articles on articles.link_id = links.id
group by users.id, users.email
order by sum(length(articles.content)) desc nulls last;
