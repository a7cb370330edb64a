-- Shows the newest merges; with -v merge=ID and -v apply=1 makes two links again of what that one made one.
-- Run: psql "$LECTERN_DATABASE_URL" -v merge=ID -v apply=1 -f sql/maintenance/unmerge.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?merge}
\else
    \set merge ''
\endif
select link_merges.id, users.email, merged_at, reason, raw_url, survivor_before ->> 'raw_url' as survivor_url, undone_at
from public.link_merges join auth.users on users.id = link_merges.user_id
where :'merge' = '' or link_merges.id::text = :'merge'
order by merged_at desc, link_merges.id
limit 50;
select id, raw_url, title from public.unmerge(case when :'apply' = '1' then nullif(:'merge', '')::uuid end);
