-- Run once when a cluster is created, after roles.sql, in single-user mode. Each statement ends with a blank line.

create database lectern owner lectern_owner;

-- By default no role may connect.
revoke all on database lectern, postgres, template1 from public;

-- The owner can grant this to further login roles in a migration.
grant connect on database lectern to lectern_admin, authenticator, lectern_jobs;

-- From here on no superuser can log in. The role cannot be dropped, because it owns the system catalogs.
alter role lectern_bootstrap with nologin password null;

