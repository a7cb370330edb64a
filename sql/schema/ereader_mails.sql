-- Books by mail to e-readers: rpc/send_to_ereader. The mails are in the mail queue; the jobs process attaches the book
-- when it sends one (Sources/Jobs/Mails/MailWorker.swift).

create or replace view public.ereader_mails with (security_invoker = true) as
    select id, user_id, link_id, book_id, title, recipient, state, reason, created_at, sent_at
    from private.ereader_mails;
comment on view public.ereader_mails is
    'Books that send_to_ereader has been asked to send, for a month. state: waiting, sent or failed.';
comment on column public.ereader_mails.reason is 'Why the mail could not be sent, or has not been sent yet.';
grant select on public.ereader_mails to authenticated;

create or replace function public.send_to_ereader(link uuid default null, book uuid default null) returns jsonb
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_bytes constant integer := 25000000;
        max_daily constant integer := 50;
        sends_mail constant boolean := exists (select from private.mail_sender where address is not null);
        me constant uuid := auth.uid();
        recipient text;
        title text;
        bytes bigint;
        failed boolean;
        mail uuid;
    begin
        if me is null then
            raise exception 'Only a signed-in user can send books.' using errcode = '42501';
        elsif num_nonnulls(link, book) <> 1 then
            raise exception 'Give either link or book' using errcode = 'LT400';
        end if;
        -- Otherwise whoever signs up could have this server mail anybody. Where it sends no mail, none can be confirmed.
        if sends_mail and not auth.has_proven_address(me) then
            raise exception 'Email not confirmed. Ask for a link under Settings, Books, and open it.'
                using errcode = 'LT403', hint = 'POST /auth/v1/resend with {"type": "signup", "email"} mails the link.';
        end if;
        -- For a call that does not come over /rest/v1/, which has taken the lock.
        perform rest.lock_writes(array[me]);
        select s.ereader_email into recipient from public.user_settings s where s.user_id = me;
        if recipient is null then
            raise exception 'The address of your e-reader is not known. Enter it under Settings, Books.'
                using errcode = 'LT400', hint = 'It is the column ereader_email of user_settings.';
        end if;
        if link is not null then
            select coalesce(nullif(rest.display_text(l.title, l.title_is_text), ''), l.raw_url), b.bytes
                into title, bytes
                from public.links l join private.link_books b on b.link_id = l.id
                where l.id = link and l.user_id = me;
        else
            select b.title, b.bytes, b.state = 'failed' into title, bytes, failed
                from private.made_books b where b.id = book and b.user_id = me;
        end if;
        if title is null then
            raise exception 'There is no such book' using errcode = 'LT404',
                hint = 'A link has a book once it has an article.';
        elsif failed then
            raise exception 'The book could not be made' using errcode = 'LT409', hint = 'Make it again first.';
        elsif bytes > max_bytes then
            raise exception 'The book has %, and at most % can be sent', pg_size_pretty(bytes), '25 MB'
                using errcode = 'LT413', hint = 'Make smaller books, or download it.';
        elsif not private.count_daily(me, 'ereader mails', max_daily) then
            raise exception 'A user can have at most % books sent in a day', max_daily
                using errcode = 'LT429', hint = 'Try again tomorrow, or use the catalog at /opds.';
        end if;
        mail := gen_random_uuid();
        insert into private.mails (id, user_id, kind, recipient, subject, body, expires_at)
            values (mail, me, 'ereader', recipient, left(rest.one_line(title), 200),
                E'The book is attached. You have asked your reading list to send it to this address.\n',
                now() + interval '1 day');
        insert into private.ereader_mails (id, user_id, link_id, book_id, title, recipient)
            values (mail, me, link, book, left(rest.one_line(title), 500), recipient);
        if link is not null then
            perform private.make_book_first(link);
        end if;
        return jsonb_build_object('id', mail, 'to', recipient);
    end
    $$;
comment on function public.send_to_ereader(uuid, uuid) is
    'Sends the book of a link, or a book of several articles, to user_settings.ereader_email: 25 MB at most, 50 in a '
    'day, and only once the email address of the account is confirmed. Returns {"id", "to"}; the row of ereader_mails '
    'says what became of it.';

create or replace function public.ereader_sender() returns jsonb
    language sql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        select jsonb_build_object(
            'address', (select address from private.mail_sender),
            'confirm', (select email from auth.users where id = auth.uid() and not auth.has_proven_address(id)))
        where (select auth.uid()) is not null
    $$;
comment on function public.ereader_sender() is
    'The address from which books are sent, {"address", "confirm"}, for services that take mail from known senders only; '
    'null where the server sends no mail. confirm: the address of the account, where it has to be confirmed first.';

-- Tells the user what became of a mail. Runs as the owner because its writer may be anyone who ends mails.
create or replace function private.tell_ereader_mail() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        update private.ereader_mails known
            set state = new.state, sent_at = new.sent_at,
                reason = case new.state
                    when 'sent' then null
                    when 'failed' then case
                        when new.message like 'the account was changed%' then
                            'The account was changed before the mail was sent.'
                        -- A mail that has expired is not tried again, whatever the last attempt promised.
                        when known.reason
                            = 'The mail server could not take it yet. It is tried again within the hour.' then
                            'The mail server could not take it within a day.'
                        else coalesce(known.reason, 'It could not be sent within a day.') end
                    end
            where known.id = new.id;
        return null;
    end
    $$;

create or replace trigger tell_ereader_mail after update on private.mails
    for each row
    when (new.kind = 'ereader' and new.state <> old.state)
    execute function private.tell_ereader_mail();

revoke execute on function public.send_to_ereader(uuid, uuid), public.ereader_sender() from public;
grant execute on function public.send_to_ereader(uuid, uuid), public.ereader_sender() to authenticated;
