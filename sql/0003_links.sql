-- Links and their articles: what a user saved and what we made of it.

create table public.links (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users on delete cascade,
    -- What the client gave, untouched, for ever.
    raw_url text not null check (length(raw_url) between 1 and 65536),
    -- Where the chain of redirects ended, tracker parameters removed.
    resolved_url text,
    title text,
    description text,
    list text not null default 'read' check (list in ('read', 'archive')),
    status text not null default 'unread' check (status in ('unread', 'read')),
    device_saved text,
    is_starred boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Ours: how far the server got. A client sets it to 'pending' to ask for another try, and to nothing else.
    state text not null default 'pending' check (state in ('pending', 'ready', 'failed')),
    -- Why there is no article, as a code and as a sentence; null when there is one.
    reason text,
    reason_message text,
    image text,
    site_name text,
    lang text,
    word_count integer,
    constraint links_user_id_raw_url_key unique (user_id, raw_url),
    -- Lets other tables point at a link together with its owner, so that no row can point at another user's link.
    constraint links_id_user_id_key unique (id, user_id)
);

-- The list: newest first, page by page from (updated_at, id).
create index links_list on public.links (user_id, updated_at desc, id desc);

create table public.articles (
    link_id uuid primary key,
    user_id uuid not null default auth.uid(),
    url text not null,
    title text,
    byline text,
    -- Sanitised HTML.
    content text not null,
    text_content text not null,
    excerpt text,
    site_name text,
    lang text,
    dir text,
    image text,
    -- As the page wrote it, and as a point in time where it is one.
    published_time text,
    published_at timestamptz,
    -- Characters of text_content in UTF-16 units, as Readability counts.
    length integer not null,
    word_count integer not null,
    source text not null default 'server' check (source in ('server', 'client')),
    extracted_at timestamptz not null default now(),
    extractor_version integer not null,
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);

create index articles_user_id on public.articles (user_id);

-- Row-level security: a user's rows are the user's, for reading and writing. The server's own work on a link acts as
-- job_worker under its owner's claims and is bound by the same rule.

alter table public.links enable row level security, force row level security;
alter table public.articles enable row level security, force row level security;

create policy own_links on public.links
    for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

create policy own_articles on public.articles
    for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

-- anon may ask and is shown nothing; it may try to insert so that the refusal names row-level security, which the
-- iOS app looks for.
grant select, insert on public.links to anon;
grant select on public.articles to anon;
grant select, insert, update, delete on public.links to authenticated, service_role;
grant select on public.articles to authenticated;
grant select, insert, update, delete on public.articles to service_role;
grant select, update (resolved_url, title, description, state, reason, reason_message, image, site_name, lang, word_count)
    on public.links to job_worker;
grant select, insert, update, delete on public.articles to job_worker;

-- Time stamps and the server's own columns on a client's write.
--
-- On insert updated_at equals created_at; every update by a client sets it to now. What the server fills in later
-- (job_worker) or an admin repairs does not move it: it is the list's sort key and page cursor.
create function private.links_written_by_client() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.created_at := coalesce(new.created_at, now());
            new.updated_at := new.created_at;
            new.state := 'pending';
            new.reason := null;
            new.reason_message := null;
            return new;
        end if;
        new.updated_at := now();
        if new.raw_url is distinct from old.raw_url then
            -- Another page: what was found out about the old one no longer holds.
            new.state := 'pending';
            if new.resolved_url is not distinct from old.resolved_url then
                new.resolved_url := null;
            end if;
        elsif new.state is distinct from 'pending' then
            new.state := old.state;
        end if;
        if new.state = 'pending' then
            new.reason := null;
            new.reason_message := null;
        else
            new.reason := old.reason;
            new.reason_message := old.reason_message;
        end if;
        return new;
    end
    $$;

create trigger links_written_by_client
    before insert or update on public.links
    for each row
    when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.links_written_by_client();
