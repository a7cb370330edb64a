-- Webhooks and what is still to be sent to them; see sql/schema/webhooks.sql.

create table private.webhooks (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    url text not null check (length(url) between 8 and 2048 and url ~* '^https?://[^\s]+$'),
    events text[] not null check (cardinality(events) between 1 and 5
        and events <@ array['saved', 'ready', 'archived', 'starred', 'highlighted']),
    -- Signs what is sent, so that a receiver knows who sent it.
    secret text not null default 'whsec_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
    created_at timestamptz not null default now()
);
create index webhooks_user_id on private.webhooks (user_id, created_at);
alter table private.webhooks enable row level security, force row level security;
grant select, delete on private.webhooks to authenticated;
grant select on private.webhooks to service_role, lectern_admin, lectern_jobs;
comment on column private.webhooks.secret is 'secret: signs what is sent; left out of exports';

-- The outbox of webhooks.
create table private.webhook_deliveries (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    webhook_id uuid not null references private.webhooks on delete cascade,
    event text not null,
    -- The body that is sent; cleared when it has been.
    body text,
    -- failed: given up.
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    attempts integer not null default 0,
    run_at timestamptz not null default now(),
    -- The status of the last answer, and why the last attempt failed.
    status integer,
    reason text,
    created_at timestamptz not null default now(),
    sent_at timestamptz
);
create index webhook_deliveries_due on private.webhook_deliveries (run_at) where state = 'waiting';
create index webhook_deliveries_user_id on private.webhook_deliveries (user_id, created_at desc);
create index webhook_deliveries_webhook_id on private.webhook_deliveries (webhook_id);
alter table private.webhook_deliveries enable row level security, force row level security;
grant select on private.webhook_deliveries to authenticated, service_role, lectern_admin;
grant select, update, delete on private.webhook_deliveries to lectern_jobs;
