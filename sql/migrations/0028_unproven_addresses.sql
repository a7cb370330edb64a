-- Addresses of accounts that nobody has shown to be theirs; see sql/schema/accounts.sql.

-- Signing up confirms any address at once (email_confirmed_at), so that clients get a session. Accounts that are there
-- already keep what they may do.
alter table auth.users add column email_is_unproven boolean not null default false;
comment on column auth.users.email_is_unproven is
    'Whether anybody may have typed the address: the account was signed up for, and no mailed link has been followed.';
