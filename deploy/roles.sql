-- The roles of a cluster. deploy/run runs this in PostgreSQL's single-user mode while the cluster is stopped: when it is
-- made, and again whenever this file has changed, so that a new version can bring a role although no superuser can log in.
-- Statements are therefore repeatable, and each ends with a blank line, which is how single-user mode knows its end; so no
-- statement holds a blank line after a semicolon. Passwords are added by deploy/run.

-- Makes those that are missing; a new role has no rights and cannot log in.
do $$
declare
    name text;
begin
    foreach name in array array['lectern_owner', 'lectern_admin', 'authenticator', 'anon', 'authenticated',
        'service_role', 'auth_service', 'lectern_jobs', 'job_worker', 'lectern_metrics']
    loop
        if not exists (select from pg_roles where rolname = name) then
            execute format('create role %I', name);
        end if;
    end loop;
end
$$;

-- Owns the database and everything in it; nobody logs in as it. Row-level security binds it (every table is forced).
alter role lectern_owner with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- The admin's login: migrations, psql, backup. Sees all rows, may become the owner, can make neither roles nor databases.
alter role lectern_admin with login inherit nosuperuser nocreatedb nocreaterole bypassrls noreplication;

grant lectern_owner to lectern_admin;

-- The admin may look at what the server does: running statements with their request ids, bloat, settings.
grant pg_monitor to lectern_admin;

-- The workers' login: no rights of its own and none inherited, so a statement without a role is refused.
alter role authenticator with login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- What a request becomes: nobody signed in, a user, the service key, the accounts themselves.
alter role anon with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

alter role authenticated with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

alter role service_role with nologin inherit nosuperuser nocreatedb nocreaterole bypassrls noreplication;

alter role auth_service with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- Reads counts for /metrics, and nothing else.
alter role lectern_metrics with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

grant anon, authenticated, service_role, auth_service, lectern_metrics to authenticator;

-- The jobs' login has its own schema; on the tables of users it acts as job_worker in the name of the job's user.
alter role lectern_jobs with login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

alter role job_worker with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

grant job_worker to lectern_jobs;

