-- The schemas, and what nobody may do by default.
--
-- Runs as lectern_owner, like every migration; the roles themselves are made with the cluster (deploy/roles.sql).
-- Who bypasses row-level security: lectern_admin and service_role do (attribute BYPASSRLS); lectern_owner does not,
-- since every table is forced. A migration that fills in rows therefore starts with `set local role lectern_admin`.

-- A new function is nobody's to call until a grant says so.
alter default privileges for role lectern_owner revoke execute on functions from public;

-- What clients see over /rest/v1/.
revoke all on schema public from public;
grant usage on schema public to anon, authenticated, service_role, job_worker;

-- Accounts and sessions; only auth_service may touch them.
create schema auth;
grant usage on schema auth to anon, authenticated, service_role, auth_service, job_worker;

-- The queue and caches: unreachable over REST.
create schema private;
grant usage on schema private to lectern_jobs, lectern_metrics;

-- The claims of the verified token, as the claims statement of the transaction set them.
create function auth.jwt() returns jsonb
    language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

-- The caller's id, null for nobody. In policies always `(select auth.uid())`, so that it is computed once a statement.
create function auth.uid() returns uuid
    language sql stable
    as $$ select nullif(auth.jwt() ->> 'sub', '')::uuid $$;

create function auth.role() returns text
    language sql stable
    as $$ select auth.jwt() ->> 'role' $$;

grant execute on function auth.jwt(), auth.uid(), auth.role()
    to anon, authenticated, service_role, auth_service, job_worker;
