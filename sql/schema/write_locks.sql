-- Locks that order the writes of one user, so that requests, jobs and maintenance cannot deadlock with each other.
--
-- A transaction that may write several rows of a user, or rows that belong to several links, takes the user's lock
-- before it locks any row. A transaction that writes one row and what belongs to it shares the lock: any number of them
-- run at the same time, but none beside a transaction of the first kind. The locks end with the transaction, and a
-- wait for them with the lock_timeout of the login role (deploy/roles.sql).
--
-- A transaction that shares the lock must not take it whole: two of them would wait for each other.
--
-- The service key may write rows of any user, which are known only when it has found them. Its writes therefore run
-- alone: they take a lock that all other transactions share, and take first.

-- Takes the lock of the caller. A caller without an account has no rows to write.
--
-- Called in the statement that sets the role and the claims, so that the following statements see what the transactions
-- that had the lock before have written. The privileges are those of the login role there, so auth.uid() is not used.
create or replace function rest.lock_writes_of_caller(is_shared boolean) returns void
    language plpgsql
    as $$
    declare
        everybody constant bigint := hashtextextended('writes', 0);
        owner constant text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub';
    begin
        if current_setting('role') = 'service_role' then
            perform pg_advisory_xact_lock(everybody);
        elsif owner is not null then
            perform pg_advisory_xact_lock_shared(everybody);
            if is_shared then
                perform pg_advisory_xact_lock_shared(hashtextextended('writes of ' || owner, 0));
            else
                perform pg_advisory_xact_lock(hashtextextended('writes of ' || owner, 0));
            end if;
        end if;
    end
    $$;

-- Takes the lock of the caller: of the user, or of the service key.
create or replace function rest.lock_writes() returns void
    language sql
    as $$ select rest.lock_writes_of_caller(false) $$;

-- Shares the lock of the caller. The service key takes its lock whole.
create or replace function rest.lock_single_write() returns void
    language sql
    as $$ select rest.lock_writes_of_caller(true) $$;

-- Takes the locks of these users, in one order. Null stands for no user.
create or replace function rest.lock_writes(owners uuid[]) returns void
    language plpgsql
    as $$
    declare
        owner uuid;
    begin
        perform pg_advisory_xact_lock_shared(hashtextextended('writes', 0));
        for owner in select distinct known from unnest(owners) as known where known is not null order by known loop
            perform pg_advisory_xact_lock(hashtextextended('writes of ' || owner, 0));
        end loop;
    end
    $$;

-- The login role of the workers calls the first three before it has taken on another role.
grant usage on schema rest to authenticator, auth_service;
grant execute on function rest.lock_writes_of_caller(boolean), rest.lock_writes(), rest.lock_single_write()
    to authenticator, lectern_jobs;
grant execute on function rest.lock_writes(uuid[])
    to authenticated, service_role, auth_service, job_worker, lectern_jobs, lectern_admin;
