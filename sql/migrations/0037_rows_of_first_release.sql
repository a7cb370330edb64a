-- Rows that 0013 and 0019 were to make for what was already there. They ran as a role that sees no rows of users.

set local role lectern_admin;

-- Links that were ready when rules were introduced do not meet them. Those with a job may be about to meet them.
insert into private.ruled_links (link_id, user_id)
    select id, user_id from public.links
    where state = 'ready' and not exists (select from private.jobs where jobs.link_id = links.id)
    on conflict do nothing;

-- The articles of that time get their books.
insert into private.link_books (link_id, user_id)
    select link_id, user_id from public.articles on conflict do nothing;

set local role lectern_owner;
