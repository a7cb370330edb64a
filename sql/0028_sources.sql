-- Pages are kept, so that a newer extractor can read them again without the network; of the page as the server and as its
-- user's browser saw it the better becomes the article; and highlights find their place in a new text.

-- The page that an article was made from, as text: lz4 makes it less than a third, on disk and out of anybody's way, and an
-- export holds it as it was. Of each kind one a link.
create table private.sources (
    link_id uuid not null,
    user_id uuid not null,
    -- Whose view of the page. What a client sent lies in private.pages; here is what it sent before, where that was better.
    kind text not null check (kind in ('server', 'client')),
    -- What was asked for. A page of another address than the link's is not used.
    asked_url text not null,
    -- Where that led.
    url text not null,
    content_type text not null default 'text/html',
    html text not null,
    kept_at timestamptz not null default now(),
    -- The newest extractor that has read it.
    read_by integer,
    primary key (link_id, kind),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index sources_user_id on private.sources (user_id);
alter table private.sources alter column html set compression lz4;

alter table private.pages
    add column read_by integer,
    -- The article is made from it.
    add column is_source boolean not null default false;

alter table private.sources enable row level security, force row level security;
create policy own_sources on private.sources
    for all to job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
create policy as_its_caller on private.sources
    for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
create policy read_pages on private.pages
    for update to job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
create policy dropped_pages on private.pages
    for delete to job_worker
    using (user_id = (select auth.uid()));
grant select, insert, update, delete on private.sources to job_worker;
grant update (read_by, is_source), delete on private.pages to job_worker;

-- What is kept follows the article that was made from it to another link.
create function private.move_sources() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from private.sources here using private.sources coming
            where here.link_id = new.link_id and coming.link_id = old.link_id and here.kind = coming.kind;
        update private.sources set link_id = new.link_id where link_id = old.link_id;
        return null;
    end
    $$;
create trigger move_sources
    after update on public.articles
    for each row
    when (new.link_id <> old.link_id)
    execute function private.move_sources();

-- The page that an article was made from is not lost to a page that may turn out to be worse.
create function private.keep_replaced_page() returns trigger
    language plpgsql
    as $$
    begin
        if old.is_source then
            insert into private.sources (link_id, user_id, kind, asked_url, url, html, kept_at, read_by)
                values (old.link_id, old.user_id, 'client', old.url, old.url, old.html, old.saved_at, old.read_by)
                on conflict on constraint sources_pkey do update
                set asked_url = excluded.asked_url, url = excluded.url, html = excluded.html, kept_at = excluded.kept_at,
                    read_by = excluded.read_by;
        end if;
        new.read_by := null;
        new.is_source := false;
        return new;
    end
    $$;
create trigger keep_replaced_page
    before update on private.pages
    for each row
    when (new.html <> old.html)
    execute function private.keep_replaced_page();


-- What became of the choice.

alter table public.articles
    add column source_reason text,
    add column is_whole boolean not null default true;
comment on column public.articles.source_reason is 'Why that view was taken where there were two: only (the other has no article), whole (the other is a part of it), longer, or alike.';
comment on column public.articles.is_whole is 'Whether it is all that the page has; false where only what stands before a paywall was kept, or the plain text of a page that was too much.';

set local role lectern_admin;
update public.articles set is_whole = false
    from public.links
    where links.id = articles.link_id and links.reason_message ~ 'only its (text|beginning) was kept\.';
set local role lectern_owner;


-- Jobs that leave the network alone and go after all others: `extract` reads what is kept again, `place` looks for highlights.
-- What their link says is not touched when they fail.
alter table private.jobs
    drop constraint jobs_kind_check,
    add constraint jobs_kind_check check (kind in ('save', 'extract', 'place'));

-- Of a link one job runs at a time: two would not see what the other stores, and the later would replace the better. Until now
-- a page that came while its link was worked on had a second runner; the newer lease is the one that counts.
delete from private.jobs old using private.jobs newer
    where old.link_id = newer.link_id and old.id < newer.id and old.state = 'running' and newer.state = 'running';
create unique index jobs_running on private.jobs (link_id) where state = 'running';
-- The order in which jobs are taken.
create index jobs_to_take on private.jobs ((kind = 'save'), run_at, id) where state = 'pending';
create index jobs_to_take_again on private.jobs ((kind = 'save'), leased_until, id) where state = 'running';


-- Highlights in a text that has changed.

alter table public.highlights add column orphaned_at timestamptz;
comment on column public.highlights.orphaned_at is 'Since when the article has not had the passage any more; null while it has it. Set by the server, which looks for it in every new text of the article.';
comment on column public.highlights.start_offset is 'Where the quote begins in text_content of the article, in UTF-16 units; follows it when the article is extracted anew.';
comment on column public.highlights.end_offset is 'Where the quote ends in text_content of the article, in UTF-16 units; follows it when the article is extracted anew.';
grant update (start_offset, end_offset, orphaned_at) on public.highlights to job_worker;

-- Whether the text has it is not for clients to say; what they mark anew is there until it is looked for.
create function private.highlight_is_marked() returns trigger
    language plpgsql
    as $$
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return new;
        end if;
        new.orphaned_at := case
            when tg_op = 'UPDATE' and (new.link_id, new.quote, new.prefix, new.suffix, new.start_offset, new.end_offset)
                is not distinct from (old.link_id, old.quote, old.prefix, old.suffix, old.start_offset, old.end_offset)
            then old.orphaned_at end;
        return new;
    end
    $$;
create trigger highlight_is_marked
    before insert or update on public.highlights
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.highlight_is_marked();

-- A highlight may have been made on a text that is not the article's any more, or come from another link: its place is looked
-- for. Runs as the owner because nobody who marks a passage may touch the queue; it takes nothing from the caller but the rows
-- just written.
create function private.enqueue_highlights() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.jobs (kind, user_id, link_id)
            values ('place', new.user_id, new.link_id)
            on conflict do nothing;
        return null;
    end
    $$;
create trigger enqueue_new_highlight
    after insert on public.highlights
    for each row execute function private.enqueue_highlights();
create trigger enqueue_changed_highlight
    after update on public.highlights
    for each row
    when (
        current_user <> 'job_worker'
        and (new.link_id, new.quote, new.start_offset, new.end_offset)
            is distinct from (old.link_id, old.quote, old.start_offset, old.end_offset))
    execute function private.enqueue_highlights();


-- What is marked of one link is looked for in its text all at once. Links that are merged or restored keep whatever they have:
-- nothing is lost to a limit. Two that write at the same time may come a little beyond it.
create function private.highlights_have_room() returns trigger
    language plpgsql
    as $$
    declare
        most constant integer := 5000;
        links uuid[];
    begin
        if current_setting('rest.restoring', true) = 'on' then
            return null;
        end if;
        if tg_op = 'INSERT' then
            links := array(select distinct link_id from marked);
        else
            links := array[new.link_id];
        end if;
        if exists (
            select from unnest(links) as link
            where (select count(*) from (select from public.highlights where link_id = link limit most + 1) as those) > most)
        then
            raise exception 'a link has at most % highlights', most
                using errcode = 'check_violation', table = 'highlights', schema = 'public', column = 'link_id',
                    hint = 'Delete some of them first.';
        end if;
        return null;
    end
    $$;
create trigger highlights_have_room
    after insert on public.highlights
    referencing new table as marked
    for each statement
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.highlights_have_room();
create trigger moved_highlight_has_room
    after update on public.highlights
    for each row
    when (new.link_id <> old.link_id and current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.highlights_have_room();


-- Maintenance.

-- As in 0026, and since then: from the page that is kept where there is one, without the network, and behind everything else.
-- Then also what a client sent, and pages that clients sent before anything read them. A page that the extractor has read
-- already is not read again.
create or replace function private.re_extract_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null, newest integer default null,
    even_without boolean default false, spacing interval default '1 second',
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    set plan_cache_mode = force_custom_plan
    as $$
    declare
        wanted uuid[];
        kept uuid[];
        known constant integer := coalesce(newest, (select max(extractor_version) from public.articles));
        behind timestamptz;
    begin
        select array_agg(id order by id), array_agg(id order by id) filter (where has_kept) into wanted, kept
        from (
            select links.id, page.has_kept
            from public.links left join public.articles on articles.link_id = links.id
            cross join lateral (
                select count(*) > 0 as has_kept, count(*) filter (where coalesce(read_by, 0) < known) > 0 as has_unread,
                    count(*) filter (where is_sent and read_by is null) > 0 as has_new
                from (
                    select read_by, false as is_sent from private.sources
                    where link_id = links.id
                        and (asked_url = links.raw_url or kind = 'client' and rest.link_at(links.user_id, asked_url) = links.id)
                    union all
                    select read_by, true from private.pages
                    where link_id = links.id and (url = links.raw_url or rest.link_at(links.user_id, url) = links.id)
                ) as pages
            ) as page
            where (after is null or links.id > after) and (account is null or links.user_id = account) and links.state = 'ready'
                and not exists (
                    select from private.jobs where link_id = links.id and kind in ('save', 'extract') and state <> 'buried')
                and (page.has_new or case
                    when articles.link_id is null then links.reason is null or even_without and (page.has_unread or not page.has_kept)
                    else articles.extractor_version < known
                        and case when page.has_kept then page.has_unread else articles.source = 'server' end
                    end)
            order by links.id
            limit most) as links;
        seen := coalesce(cardinality(wanted), 0);
        changed := seen;
        if seen = most then
            last_id := wanted[seen];
        end if;
        if is_dry_run or seen = 0 then
            return;
        end if;
        changed := private.queue_again(
            array(select id from unnest(wanted) as id where id <> all (coalesce(kept, '{}'))), spacing, false);
        behind := greatest(now(), (
            select run_at from private.jobs where state = 'pending' and attempts = 0 order by run_at desc limit 1));
        with queued as (
            insert into private.jobs (kind, user_id, link_id, run_at)
                select 'extract', user_id, links.id, behind + spacing * place
                from unnest(kept) with ordinality as these (id, place) join public.links using (id)
                on conflict do nothing
                returning id)
        select changed + count(*) into changed from queued;
        if kept is not null then
            perform pg_notify('lectern_jobs', '');
        end if;
    end
    $$;

-- As in 0026, and since then: pages are those that clients sent and those that were fetched.
create or replace view private.storage with (security_invoker = true) as
    select users.email, users.id,
        coalesce(l.n, 0) as links, coalesce(a.n, 0) as articles, coalesce(a.bytes, 0) as text_bytes,
        coalesce(p.n, 0) as pages, coalesce(p.bytes, 0) as page_bytes,
        coalesce(t.n, 0) as trashed, coalesce(t.bytes, 0) as trash_bytes,
        coalesce(h.n, 0) as highlights, coalesce(o.n, 0) as notes, coalesce(g.n, 0) as tags, coalesce(c.n, 0) as collections,
        coalesce(e.bytes, 0) as export_bytes,
        coalesce(a.bytes, 0) + coalesce(p.bytes, 0) + coalesce(t.bytes, 0) + coalesce(e.bytes, 0) as bytes
    from auth.users
    left join (select user_id, count(*) as n from public.links group by 1) as l on l.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(octet_length(content) + octet_length(text_content))::bigint as bytes
        from public.articles group by 1) as a on a.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(octet_length(html))::bigint as bytes
        from (select user_id, html from private.pages union all select user_id, html from private.sources) as kept
        group by 1) as p on p.user_id = users.id
    left join (
        select user_id, count(*) as n, sum(pg_column_size(link) + pg_column_size(parts))::bigint as bytes
        from public.trash group by 1) as t on t.user_id = users.id
    left join (select user_id, count(*) as n from public.highlights group by 1) as h on h.user_id = users.id
    left join (select user_id, count(*) as n from public.notes group by 1) as o on o.user_id = users.id
    left join (select user_id, count(*) as n from public.tags group by 1) as g on g.user_id = users.id
    left join (select user_id, count(*) as n from public.collections group by 1) as c on c.user_id = users.id
    left join (select user_id, sum(bytes)::bigint as bytes from private.exports group by 1) as e on e.user_id = users.id;
