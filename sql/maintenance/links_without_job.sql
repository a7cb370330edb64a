-- Links that wait although no job is there to work on them, which must not happen; the update that mends it is the
-- trigger's own: state is touched, so a new job is made. Shows the links and changes nothing; to mend them, replace the
-- select by
--   update public.links set state = 'failed' where id in (…); update public.links set state = 'pending' where id in (…);
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/links_without_job.sql
select links.id, links.user_id, links.raw_url, links.created_at
from public.links
where links.state = 'pending'
    and not exists (select from private.jobs where jobs.link_id = links.id and jobs.state in ('pending', 'running'))
order by links.created_at;
