-- Run once, after roles.sql, in single-user mode, when a cluster is made. Each statement ends with a blank line.

create database lectern owner lectern_owner;

-- Nobody comes in by default.
revoke all on database lectern, postgres, template1 from public;

-- The owner may grant this to a later login in a migration.
grant connect on database lectern to lectern_admin, authenticator, lectern_jobs;

-- From here on nobody can log in as a superuser. The role cannot be dropped, it owns the catalogs.
alter role lectern_bootstrap with nologin password null;

