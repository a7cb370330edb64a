-- The caller of a request, as the claims of its verified token name it.

-- The claims of the verified token, from a setting of the transaction.
create or replace function auth.jwt() returns jsonb
    language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

-- The caller's id; null for a caller that is not signed in. Policies use `(select auth.uid())`, which is evaluated once
-- per statement.
create or replace function auth.uid() returns uuid
    language sql stable
    as $$ select nullif(auth.jwt() ->> 'sub', '')::uuid $$;

create or replace function auth.role() returns text
    language sql stable
    as $$ select auth.jwt() ->> 'role' $$;

grant execute on function auth.jwt(), auth.uid(), auth.role()
    to anon, authenticated, service_role, job_worker, auth_service;

-- Whether the caller may only add links: an API token of the scope `save`. Links that exist then keep their values. The
-- claims of a session have no scope.
create or replace function rest.only_adds() returns boolean
    language sql stable
    as $$ select coalesce(auth.jwt() ->> 'scope' = 'save', false) $$;

grant execute on function rest.only_adds() to anon, authenticated, service_role, job_worker;

-- A new row belongs to its caller unless the write says otherwise.
alter table public.links alter column user_id set default auth.uid();
alter table public.articles alter column user_id set default auth.uid();
alter table public.tags alter column user_id set default auth.uid();
alter table public.link_tags alter column user_id set default auth.uid();
alter table public.highlights alter column user_id set default auth.uid();
alter table public.bookmarks alter column user_id set default auth.uid();
alter table public.notes alter column user_id set default auth.uid();
alter table public.collections alter column user_id set default auth.uid();
alter table public.collection_links alter column user_id set default auth.uid();
alter table public.reading_progress alter column user_id set default auth.uid();
alter table public.user_settings alter column user_id set default auth.uid();
alter table public.trash alter column user_id set default auth.uid();
alter table public.link_aliases alter column user_id set default auth.uid();
alter table public.link_merges alter column user_id set default auth.uid();

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Whether the caller may act on an owner's rows: they are the caller's own, or the caller sees all rows anyway. The
-- setting `role` holds the role that the transaction took on; a `security definer` function does not change it.
create or replace function rest.may_act_for(owner uuid) returns boolean
    language sql stable
    as $$ select owner = (select auth.uid()) or current_setting('role') in ('none', 'service_role') $$;

revoke execute on function rest.may_act_for(uuid) from public;
grant execute on function rest.may_act_for(uuid) to authenticated, service_role;

set local role lectern_owner;
