-- Codes with which another device gets an API token; see Sources/Auth/Accounts/Accounts+pairings.swift.

create table auth.pairings (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    -- SHA-256 of the code. Its 50 random bits last for minutes, and guesses are delayed, so it needs no slower hash.
    code_hash bytea not null unique,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);
create index pairings_user_id on auth.pairings (user_id, created_at desc);
create index pairings_expires_at on auth.pairings (expires_at);
grant select, insert, update, delete on auth.pairings to auth_service;
comment on column auth.pairings.code_hash is 'secret: hash of the code; left out of exports';
