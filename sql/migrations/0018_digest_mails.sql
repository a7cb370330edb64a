-- Digests by mail; see sql/schema/digest_mails.sql.

alter table public.user_settings
    add column digest_schedule text check (digest_schedule in ('weekly', 'monthly'));

comment on column public.user_settings.digest_schedule is
    'How often the user gets a digest by mail: weekly or monthly; null for never.';

-- The end of the time that each user's last digest was about, or in which the user asked for digests.
create table private.digest_times (
    user_id uuid primary key references auth.users on delete cascade,
    ended_at timestamptz not null
);
alter table private.digest_times enable row level security, force row level security;
