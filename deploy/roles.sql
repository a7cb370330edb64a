-- The roles of a cluster. deploy/run runs this file in PostgreSQL's single-user mode while the cluster is stopped: when
-- the cluster is created, and again whenever this file has changed, so that a new version can add a role although no
-- superuser can log in. Every statement is therefore repeatable. In single-user mode a semicolon followed by a blank
-- line ends a statement, so every statement ends with a blank line and contains none after a semicolon. deploy/run adds
-- the passwords.

-- Creates the missing roles. A new role has no privileges and cannot log in.
do $$
declare
    name text;
begin
    foreach name in array array['lectern_owner', 'lectern_admin', 'authenticator', 'anon', 'authenticated',
        'service_role', 'auth_service', 'lectern_jobs', 'job_worker', 'lectern_metrics', 'lectern_realtime',
        'lectern_search']
    loop
        if not exists (select from pg_roles where rolname = name) then
            execute format('create role %I', name);
        end if;
    end loop;
end
$$;

-- Owns the database and everything in it; cannot log in. Row-level security applies to it (every table forces it).
alter role lectern_owner with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- The admin's login role, for migrations, psql and backups. It sees all rows, can act as the owner, and can create
-- neither roles nor databases.
alter role lectern_admin with login inherit nosuperuser nocreatedb nocreaterole bypassrls noreplication;

grant lectern_owner to lectern_admin;

-- `lectern save` writes as the user whose links it adds.
grant authenticated to lectern_admin;

-- Lets the admin monitor the server: running statements with their request ids, bloat, settings.
grant pg_monitor to lectern_admin;

-- The workers' login role. It has no privileges and inherits none, so a statement without `set role` is refused.
alter role authenticator with login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- Requests and jobs wait this long for a lock, such as that of a user's writes while thousands of links are changed (see
-- sql/schema/write_locks.sql). Then a request is answered with 503, and a job is handed back, before its thread is held
-- up any longer. nginx waits 60 seconds for most responses.
alter role authenticator set lock_timeout = '45s';

-- The role of a request: without a user, as a signed-in user, with the service key, for accounts and sessions.
alter role anon with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

alter role authenticated with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

alter role service_role with nologin inherit nosuperuser nocreatedb nocreaterole bypassrls noreplication;

alter role auth_service with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- May read only the counts for /metrics.
alter role lectern_metrics with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- Owns the functions that search. It reads what is searched and writes the index, of all users, and nothing else.
alter role lectern_search with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

grant lectern_search to lectern_admin;

grant anon, authenticated, service_role, auth_service, lectern_metrics to authenticator;

-- The jobs' login role has its own schema. On users' tables it acts as job_worker on behalf of the job's user.
alter role lectern_jobs with login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

-- A session of the jobs takes 2 to 15 MB. One that has been idle for 90 seconds is closed, and the process connects
-- again when it needs one. The listening session sets 0.
alter role lectern_jobs set idle_session_timeout = '90s';
alter role lectern_jobs set lock_timeout = '45s';

alter role job_worker with nologin inherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

grant job_worker to lectern_jobs;

-- The login role of the realtime service. It may only read the log of changes, by private.changes_after.
alter role lectern_realtime with login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication;

