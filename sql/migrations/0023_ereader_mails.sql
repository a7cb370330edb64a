-- Books by mail to e-readers; see sql/schema/ereader_mails.sql.

alter table public.user_settings
    add column ereader_email text check (
        length(ereader_email) <= 254 and ereader_email ~ '^[^][\s[:cntrl:]<>(),;:\\"@]{1,64}@[^][\s[:cntrl:]<>(),;\\"@]+$');
comment on column public.user_settings.ereader_email is
    'The address of the user''s e-reader, to which send_to_ereader sends books.';

-- What a mail of the kind `ereader` carries, and what its user is told about it.
create table private.ereader_mails (
    id uuid primary key references private.mails on delete cascade,
    user_id uuid not null references auth.users on delete cascade,
    -- One of both: the book of a link, or one of several articles.
    link_id uuid,
    book_id uuid,
    title text not null,
    recipient text not null,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    reason text,
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    check (num_nonnulls(link_id, book_id) = 1)
);
create index ereader_mails_list on private.ereader_mails (user_id, created_at desc, id desc);
alter table private.ereader_mails enable row level security, force row level security;
grant select (id, user_id, link_id, book_id, title, recipient, state, reason, created_at, sent_at)
    on private.ereader_mails to authenticated;
grant select, update on private.ereader_mails to lectern_jobs;

-- The sender of mails, as the jobs process last had it; null where no mail is sent.
create table private.mail_sender (
    is_only boolean primary key default true check (is_only),
    address text
);
grant select, insert, update on private.mail_sender to lectern_jobs;
