-- Shows the newest merges; with -v merge=ID and -v apply=1 undoes that merge.
-- Run: psql "$LECTERN_DATABASE_URL" -v merge=ID -v apply=1 -f sql/maintenance/unmerge.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?merge}
\else
    \set merge ''
\endif
select merges.id, users.email, merges.merged_at, merges.reason, merges.raw_url, survivor.raw_url as survivor_url, merges.undone_at
from public.link_merges merges
join auth.users on users.id = merges.user_id
left join public.links survivor on survivor.id = merges.survivor_id
where :'merge' = '' or merges.id::text = :'merge'
order by merges.merged_at desc, merges.id
limit 50;
select id, raw_url, title from public.unmerge(case when :'apply' = '1' then nullif(:'merge', '')::uuid end);
