-- Pictures of our own: those of articles, of links in a list, and sites' signs, so that who reads asks nobody else for them.
--
-- The jobs process fetches them, has them made anew, and keeps them as files (Sources/Pictures). What is known of them lies
-- here: which link shows which picture and how far that is, and which picture a user has, once, however many links show it.

-- A picture of a user. Its file lies under its address, a random one that is told to nobody else; whoever has the address is
-- shown the picture, and another user's same picture has another.
create table public.pictures (
    user_id uuid not null references auth.users on delete cascade,
    -- SHA-256 of the file's bytes.
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    -- The path below /pictures/.
    address text not null check (length(address) between 1 and 200),
    type text not null default 'image/webp',
    width integer not null,
    height integer not null,
    bytes integer not null,
    created_at timestamptz not null default now(),
    primary key (user_id, hash)
);
-- What a user's pictures take is added up whenever one comes.
create index pictures_bytes on public.pictures (user_id) include (bytes);
create index pictures_address on public.pictures (address);
create index pictures_hash on public.pictures (hash);

-- What a link shows, by the address it has there.
create table public.link_pictures (
    id uuid primary key default gen_random_uuid(),
    link_id uuid not null,
    user_id uuid not null,
    -- In its article, beside it in a list, or as the sign of its site.
    kind text not null default 'article' check (kind in ('article', 'preview', 'icon')),
    source text not null check (length(source) between 1 and 8192),
    -- skipped: it is more than are kept of one article.
    state text not null default 'waiting' check (state in ('waiting', 'kept', 'failed', 'skipped')),
    -- Why it is not there, as a code and as a sentence.
    reason text,
    message text,
    hash text,
    -- Among those of its kind, from 1.
    position integer not null default 1,
    created_at timestamptz not null default now(),
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade,
    foreign key (user_id, hash) references public.pictures on delete set null (hash)
);
create unique index link_pictures_source on public.link_pictures (link_id, user_id, kind, md5(source));
-- A picture that is there already is not fetched again.
create index link_pictures_known on public.link_pictures (user_id, md5(source));
create index link_pictures_hash on public.link_pictures (user_id, hash) where hash is not null;

-- Pictures of links that are gone but may come back, from the trash or out of a merge, under the links' own ids.
create table private.parted_pictures (
    link_id uuid not null,
    user_id uuid not null references auth.users on delete cascade,
    kind text not null,
    source text not null,
    hash text not null,
    position integer not null,
    foreign key (user_id, hash) references public.pictures on delete cascade
);
create unique index parted_pictures_source on private.parted_pictures (link_id, kind, md5(source));
create index parted_pictures_hash on private.parted_pictures (user_id, hash);

-- The work. Apart from the queue of saved links, which never waits for it.

-- Links whose pictures are to be listed: one row a link.
create table private.picture_surveys (
    link_id uuid primary key,
    user_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'running', 'done')),
    -- Its user has opened it, or asks for what failed.
    is_wanted boolean not null default false,
    -- Ended without a list: pictures are switched off, or listing them was interrupted too often. Done over when the jobs start.
    is_unlisted boolean not null default false,
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    attempts integer not null default 0,
    foreign key (link_id, user_id) references public.links (id, user_id) on delete cascade on update cascade
);
create index picture_surveys_next on private.picture_surveys (run_at) where state = 'pending';
create index picture_surveys_leased on private.picture_surveys (leased_until) where state = 'running';
create index picture_surveys_unlisted on private.picture_surveys (link_id) where is_unlisted;

-- Pictures to be fetched.
create table private.picture_jobs (
    picture_id uuid primary key references public.link_pictures on delete cascade on update cascade,
    user_id uuid not null references auth.users on delete cascade,
    state text not null default 'pending' check (state in ('pending', 'running')),
    attempts integer not null default 0,
    -- Leases in a row that ended without a word.
    interruptions integer not null default 0,
    run_at timestamptz not null default now(),
    lease integer not null default 0,
    leased_until timestamptz,
    reason text,
    message text,
    created_at timestamptz not null default now()
);
create index picture_jobs_next on private.picture_jobs (run_at) where state = 'pending';
create index picture_jobs_leased on private.picture_jobs (leased_until) where state = 'running';
create index picture_jobs_user_id on private.picture_jobs (user_id);

-- Pictures that may be shown by nothing any more.
create table private.loose_pictures (
    user_id uuid not null references auth.users on delete cascade,
    hash text not null,
    primary key (user_id, hash)
);

-- Files whose picture is gone. No user: that may be gone too.
create table private.picture_removals (
    address text primary key
);

grant select, update, delete on private.picture_surveys to lectern_jobs;
grant select, update, delete on private.picture_jobs to lectern_jobs;
grant select, delete on private.loose_pictures to lectern_jobs;
grant select, insert, delete on private.picture_removals to lectern_jobs;
grant select on private.picture_jobs, private.picture_surveys to lectern_metrics;


-- Whose they are.

alter table public.pictures enable row level security, force row level security;
alter table public.link_pictures enable row level security, force row level security;
alter table private.parted_pictures enable row level security, force row level security;

do $$
    declare
        name text;
    begin
        foreach name in array array['public.pictures', 'public.link_pictures', 'private.parted_pictures'] loop
            execute format(
                'create policy own_rows on %s for all to authenticated, job_worker
                    using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()))', name);
            execute format(
                'create policy as_its_caller on %s for all to lectern_owner
                    using (user_id = (select auth.uid()) or current_setting(''role'') in (''none'', ''service_role''))
                    with check (user_id = (select auth.uid()) or current_setting(''role'') in (''none'', ''service_role''))', name);
        end loop;
        foreach name in array array['pictures', 'link_pictures'] loop
            execute format('grant select on public.%I to anon, authenticated, service_role', name);
            execute format('grant select, insert, update, delete on public.%I to job_worker', name);
            execute format(
                'create trigger count_change after insert or update or delete on public.%I
                    for each row when (current_user <> ''lectern_owner'') execute function rest.count_change()', name);
            execute format(
                'create trigger count_loss after update on public.%I
                    for each row when (current_user <> ''lectern_owner'' and new.user_id <> old.user_id)
                    execute function rest.count_change(''of the former owner'')', name);
        end loop;
    end
$$;
-- What the functions below have fetched again, as the tables' owner.
create trigger count_wait after update on public.link_pictures
    for each row when (current_user = 'lectern_owner' and new.state = 'waiting' and old.state <> 'waiting')
    execute function rest.count_change();
grant select on private.parted_pictures to job_worker;

-- The functions below lock their caller's links, which takes the right to change them.
create policy locked_by_its_caller on public.links
    for update to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

comment on table public.pictures is 'Pictures the server keeps for its user, each once. The file is at /pictures/ and the address.';
comment on column public.pictures.address is 'Path below /pictures/. Whoever knows it is shown the picture.';
comment on table public.link_pictures is 'What an article, a link in a list and its site show: the address there, and our own picture of it.';
comment on column public.link_pictures.source is 'The picture''s address on the web, as in the article''s content.';
comment on column public.link_pictures.state is 'waiting: to be fetched; kept: its picture is there; failed: reason and message tell why; skipped: one too many of its article.';


-- What makes work.

-- A link's pictures may have changed: they are listed anew, whoever wrote. Runs as the owner because nobody may touch the
-- queue; it takes nothing from the caller but the row just written.
create function private.survey_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        link constant uuid := case tg_table_name when 'links' then (to_jsonb(new) ->> 'id')::uuid
            else (to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> 'link_id')::uuid end;
    begin
        insert into private.picture_surveys (link_id, user_id)
            select id, user_id from public.links where id = link
            on conflict (link_id) do update set state = 'pending', run_at = now(), leased_until = null, attempts = 0;
        perform pg_notify('lectern_pictures', '');
        return null;
    end
    $$;

create trigger survey_pictures
    after update on public.links
    for each row
    when (
        new.state = 'ready' and (old.state <> 'ready' or new.image is distinct from old.image)
        or new.raw_url <> old.raw_url)
    execute function private.survey_link();
create trigger survey_pictures
    after insert on public.articles
    for each row
    execute function private.survey_link();
-- Not when an article goes with its link, which runs as the tables' owner.
create trigger survey_pictures_gone
    after delete on public.articles
    for each row
    when (current_user <> 'lectern_owner')
    execute function private.survey_link();
create trigger survey_pictures_again
    after update on public.articles
    for each row
    when (new.content is distinct from old.content or new.link_id <> old.link_id)
    execute function private.survey_link();

-- What is listed is fetched: first what somebody waits for who has opened the article, then what is little, so that nobody
-- waits for another's thousands.
create function private.enqueue_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- A list is one link's, and one user's.
        place constant timestamptz := case
            when exists (select from private.picture_surveys s join listed on listed.link_id = s.link_id where s.is_wanted) then 'epoch'
            when (
                select count(*) < 100 from (
                    select from private.picture_jobs
                    where user_id = (select user_id from listed limit 1) and state = 'pending' limit 100) as own)
                then now() - interval '1 day'
            else now() end;
    begin
        insert into private.picture_jobs (picture_id, user_id, run_at)
            select id, user_id, place from listed where state = 'waiting'
            on conflict (picture_id) do update
                set state = 'pending', run_at = excluded.run_at, attempts = 0, interruptions = 0, leased_until = null;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;
create trigger enqueue_pictures
    after insert on public.link_pictures
    referencing new table as listed
    for each statement
    execute function private.enqueue_pictures();

-- The user has opened an article, or wants what failed to be tried again. True when there is something to wait for.
create function public.fetch_pictures(link_id uuid) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    #variable_conflict use_column
    declare
        owner constant uuid := (select links.user_id from public.links where links.id = fetch_pictures.link_id);
        is_new boolean;
        failed uuid[];
    begin
        -- The policy of the caller has let it through, or not.
        if owner is null then
            return false;
        end if;
        -- The link first, as whoever deletes or merges it does.
        perform from public.links where links.id = fetch_pictures.link_id for key share;
        -- Before all that nobody waits for.
        insert into private.picture_surveys as known (link_id, user_id, is_wanted, run_at) values (fetch_pictures.link_id, owner, true, 'epoch')
            on conflict (link_id) do update
                set state = 'pending', run_at = 'epoch', leased_until = null, attempts = 0, is_wanted = true
                where not known.is_wanted;
        is_new := found;
        update private.picture_jobs set run_at = 'epoch'
            where state = 'pending' and attempts = 0
                and picture_id in (select id from public.link_pictures where link_pictures.link_id = fetch_pictures.link_id and state = 'waiting');
        with tried as (
            update public.link_pictures
            set state = 'waiting', reason = null, message = null
            where link_pictures.link_id = fetch_pictures.link_id and state = 'failed'
            returning id)
        select array_agg(id) into failed from tried;
        insert into private.picture_jobs (picture_id, user_id, run_at)
            select id, owner, 'epoch' from unnest(failed) as id
            on conflict (picture_id) do update
                set state = 'pending', run_at = 'epoch', attempts = 0, interruptions = 0, leased_until = null;
        if is_new or failed is not null then
            perform pg_notify('lectern_pictures', '');
            return true;
        end if;
        return exists (
                select from private.picture_surveys where picture_surveys.link_id = fetch_pictures.link_id and state <> 'done')
            or exists (
                select from public.link_pictures where link_pictures.link_id = fetch_pictures.link_id and state = 'waiting');
    end
    $$;
grant execute on function public.fetch_pictures(uuid) to authenticated;
comment on function public.fetch_pictures(uuid) is 'Has the pictures of a link fetched that are not there: those that failed are tried again. True when there is something to wait for.';


-- What the jobs do, in the name of the pictures' user.

-- Whether a list is still its maker's to write; held until the transaction ends, so that an article that comes meanwhile is
-- listed after it.
create function private.holds_survey(link uuid, held_lease integer) returns boolean
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- The link before its survey, as whoever deletes or merges it does: else each would wait for the other.
        perform from public.links where id = link for key share;
        perform from private.picture_surveys where link_id = link and lease = held_lease and state = 'running' for update;
        return found;
    end
    $$;

-- Brings what a link shows to what it should: kinds and addresses, in their order. More than `most` of an article are noted
-- and not fetched.
create function rest.list_pictures(link uuid, kinds text[], sources text[], most integer) returns void
    language plpgsql
    as $$
    declare
        owner constant uuid := (select user_id from public.links where id = link);
    begin
        if owner is null then
            return;
        end if;
        -- Whether one is too many is found anew.
        delete from public.link_pictures p
            where link_id = link and (state = 'skipped' or not exists (
                select from unnest(kinds, sources) as shown (kind, source) where shown.kind = p.kind and shown.source = p.source));
        insert into public.link_pictures (link_id, user_id, kind, source, position, state, reason, message)
            select link, owner, kind, source, place, case when place > most then 'skipped' else 'waiting' end,
                case when place > most then 'too_many' end,
                case when place > most then format('Of one article %s pictures are kept, and this is one more.', most) end
            from (
                select kind, source, row_number() over (partition by kind order by min(n)) as place
                from unnest(kinds, sources) with ordinality as shown (kind, source, n) group by kind, source
            ) as shown
            on conflict (link_id, user_id, kind, md5(source)) do update set position = excluded.position
                where link_pictures.position <> excluded.position;
    end
    $$;

-- The same picture, if its user has it already: its hash.
create function rest.known_picture(picture uuid) returns text
    language plpgsql stable
    as $$
    declare
        wanted public.link_pictures;
    begin
        select * into wanted from public.link_pictures where id = picture;
        return coalesce(
            (
                select hash from public.link_pictures
                where user_id = wanted.user_id and md5(source) = md5(wanted.source) and source = wanted.source
                    and kind = wanted.kind and hash is not null and created_at > now() - interval '30 days'
                limit 1
            ), (
                select hash from private.parted_pictures
                where link_id = wanted.link_id and kind = wanted.kind and md5(source) = md5(wanted.source) and source = wanted.source
            ));
    end
    $$;

-- A picture is there. Answers the address its file is to have, which is another than the one given when its user has the
-- picture already; null when it is more than the user may keep (`quota` bytes; 0: no limit), or shown by nothing any more.
create function rest.keep_picture(
    picture uuid, picture_hash text, new_address text, picture_width integer, picture_height integer, size integer, quota bigint
) returns text
    language plpgsql
    as $$
    declare
        owner constant uuid := (select user_id from public.link_pictures where id = picture);
        kept text;
    begin
        if owner is null then
            return null;
        end if;
        -- One after the other, or each of two would be the last that fits.
        perform pg_advisory_xact_lock(hashtextextended('pictures of ' || owner, 0));
        select address into kept from public.pictures where user_id = owner and hash = picture_hash for share;
        if kept is null then
            if new_address is null then
                return null;
            end if;
            if quota > 0 and size + (select coalesce(sum(bytes), 0) from public.pictures where user_id = owner) > quota then
                update public.link_pictures
                    set state = 'failed', reason = 'quota',
                        message = format('Your pictures take the %s that are yours.', pg_size_pretty(quota))
                    where id = picture;
                return null;
            end if;
            insert into public.pictures (user_id, hash, address, width, height, bytes)
                values (owner, picture_hash, new_address, picture_width, picture_height, size);
            kept := new_address;
        end if;
        update public.link_pictures set state = 'kept', hash = picture_hash, reason = null, message = null where id = picture;
        return kept;
    end
    $$;

-- Lets a picture go that nothing shows. False while something does.
create function rest.drop_picture(owner uuid, picture_hash text) returns boolean
    language plpgsql
    as $$
    begin
        -- Whoever is about to show it has to wait, and finds it gone; whoever does already is seen by the next statement.
        perform from public.pictures where user_id = owner and hash = picture_hash for update;
        delete from public.pictures p
            where user_id = owner and hash = picture_hash
                and not exists (select from public.link_pictures l where l.user_id = owner and l.hash = picture_hash)
                and not exists (select from private.parted_pictures l where l.user_id = owner and l.hash = picture_hash);
        return found;
    end
    $$;
grant execute on function private.holds_survey(uuid, integer), rest.list_pictures(uuid, text[], text[], integer), rest.known_picture(uuid),
    rest.keep_picture(uuid, text, text, integer, integer, integer, bigint), rest.drop_picture(uuid, text)
    to job_worker;


-- What ends with what.

-- Shown by one less. Runs as the owner, as do those below, because nobody may write to these tables.
create function private.loosen_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.loose_pictures (user_id, hash)
            select distinct gone.user_id, gone.hash
            from gone join auth.users on users.id = gone.user_id
            where gone.hash is not null
            -- Holds a note that is there, so that it is not taken for done before this is.
            on conflict (user_id, hash) do update set hash = excluded.hash;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;
create trigger loosen_deleted after delete on public.link_pictures
    referencing old table as gone for each statement execute function private.loosen_pictures();
create trigger loosen_changed after update on public.link_pictures
    referencing old table as gone for each statement execute function private.loosen_pictures();
create trigger loosen_parted after delete on private.parted_pictures
    referencing old table as gone for each statement execute function private.loosen_pictures();

-- A picture is gone, and with it goes its file, also when its user went.
create function private.remove_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.picture_removals (address) select address from gone on conflict do nothing;
        if found then
            perform pg_notify('lectern_pictures', '');
        end if;
        return null;
    end
    $$;
create trigger remove_pictures after delete on public.pictures
    referencing old table as gone for each statement execute function private.remove_pictures();

-- A link that goes leaves its pictures for the day it comes back.
create function private.part_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.parted_pictures (link_id, user_id, kind, source, hash, position)
            select link_id, user_id, kind, source, hash, position from public.link_pictures
            where link_id = old.id and hash is not null
            on conflict (link_id, kind, md5(source)) do update set hash = excluded.hash;
        return old;
    end
    $$;
-- After link_deleted, by its name: what that keeps from being deleted does not come here.
create trigger part_pictures
    before delete on public.links
    for each row
    when (current_user <> 'lectern_owner')
    execute function private.part_pictures();

-- It is back, by whatever way.
create function private.return_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if not exists (select from private.parted_pictures p join saved on saved.id = p.link_id) then
            return null;
        end if;
        insert into public.link_pictures (link_id, user_id, kind, source, hash, position, state)
            select p.link_id, p.user_id, p.kind, p.source, p.hash, p.position, 'kept'
            from private.parted_pictures p join saved on saved.id = p.link_id and saved.user_id = p.user_id
            on conflict do nothing;
        delete from private.parted_pictures p using saved where saved.id = p.link_id;
        return null;
    end
    $$;
create trigger return_pictures
    after insert on public.links
    referencing new table as saved
    for each statement
    execute function private.return_pictures();

-- Merged: the link that stays shows what the other showed, until it is known what its article does.
create function private.merge_pictures() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into public.link_pictures (link_id, user_id, kind, source, hash, position, state)
            select new.survivor_id, p.user_id, p.kind, p.source, p.hash, p.position, 'kept'
            from private.parted_pictures p
            where p.link_id = new.merged_id and p.user_id = new.user_id
                and exists (select from public.links where id = new.survivor_id and user_id = new.user_id)
            on conflict do nothing;
        insert into private.picture_surveys (link_id, user_id)
            select id, user_id from public.links where id = new.survivor_id and user_id = new.user_id
            on conflict (link_id) do update set state = 'pending', run_at = now(), leased_until = null, attempts = 0;
        return null;
    end
    $$;
create trigger merge_pictures after insert on public.link_merges
    for each row execute function private.merge_pictures();

-- It cannot come back any more.
create function private.forget_parted() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        delete from private.parted_pictures p
            where link_id = (case tg_table_name when 'trash' then to_jsonb(old) ->> 'link_id' else to_jsonb(old) ->> 'merged_id' end)::uuid
                and not exists (select from public.trash where trash.link_id = p.link_id and trash.user_id = p.user_id)
                and not exists (
                    select from public.link_merges m where m.merged_id = p.link_id and m.user_id = p.user_id and m.undone_at is null);
        return null;
    end
    $$;
create trigger forget_parted after delete on public.trash
    for each row when (current_user <> 'lectern_owner') execute function private.forget_parted();
create trigger forget_parted after delete on public.link_merges
    for each row when (current_user <> 'lectern_owner') execute function private.forget_parted();


-- What there is to know.

-- Pictures each user keeps, and the bytes of their files. One that two users have is counted for both; its file is one.
create view private.picture_storage with (security_invoker = true) as
    select users.id, users.email, count(pictures.hash) as pictures, coalesce(sum(pictures.bytes), 0)::bigint as picture_bytes
    from auth.users left join public.pictures on pictures.user_id = users.id
    group by users.id, users.email;

-- As in 0026, and since then: pictures.
create or replace view private.queue_health with (security_invoker = true) as
    select kind, state, reason, count(*) as jobs, count(*) filter (where is_due) as due, now() - min(created_at) as oldest,
        count(*) filter (where state = 'running' and leased_until < now()) as leases_run_out, max(attempts) as most_attempts,
        max(interruptions) as most_interruptions
    from (
        select kind, state, reason, state = 'pending' and run_at <= now() as is_due, created_at, leased_until, attempts,
            interruptions
        from private.jobs
        union all
        select 'mail', state, message, state = 'waiting' and run_at <= now(), created_at, null, attempts, 0
        from private.mails where state <> 'sent'
        union all
        select 'export', state, message, state = 'waiting', created_at, leased_until, attempts, 0
        from private.exports where state <> 'ready'
        union all
        select 'picture', state, reason, state = 'pending' and run_at <= now(), created_at, leased_until, attempts, interruptions
        from private.picture_jobs
        union all
        select 'picture list', state, null, state = 'pending' and run_at <= now(), run_at, leased_until, attempts, 0
        from private.picture_surveys where state <> 'done'
    ) as queues
    group by kind, state, reason;

grant select on private.picture_storage, private.queue_health to lectern_admin;


-- What the jobs and the admin do with all users' pictures at once. They see addresses and hashes, and nothing of what is shown.

-- The address of a file with these contents, whoever keeps it: its bytes are there once.
create function private.picture_file(picture_hash text) returns text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return (select address from public.pictures where hash = picture_hash limit 1);
    end
    $$;

-- Addresses in their order.
create function private.picture_addresses_after(last text, most integer) returns setof text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return query select address from public.pictures where address > last order by address limit most;
    end
    $$;

-- Of these addresses those that are nobody's.
create function private.strange_picture_addresses(addresses text[]) returns setof text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return query select known from unnest(addresses) as known
            where not exists (select from public.pictures where address = known);
    end
    $$;

-- Pictures whose files are lost are fetched again, where they are shown.
create function private.fetch_lost_pictures(addresses text[]) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        lost record;
        again uuid[];
    begin
        for lost in select user_id, hash from public.pictures where address = any (addresses) loop
            with shown as (
                update public.link_pictures set state = 'waiting', reason = null, message = null, hash = null
                where user_id = lost.user_id and hash = lost.hash
                returning id)
            select array_agg(id) into again from shown;
            delete from public.pictures where user_id = lost.user_id and hash = lost.hash;
            insert into private.picture_jobs (picture_id, user_id)
                select id, lost.user_id from unnest(again) as id
                on conflict (picture_id) do update
                    set state = 'pending', run_at = now(), attempts = 0, interruptions = 0, leased_until = null;
        end loop;
        perform pg_notify('lectern_pictures', '');
    end
    $$;

-- Notes pictures that nothing shows, and of links that cannot come back; how many there are.
create function private.find_loose_pictures(is_dry_run boolean) returns bigint
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        found_loose bigint;
    begin
        if not is_dry_run then
            delete from private.parted_pictures p
                where not exists (select from public.trash where trash.link_id = p.link_id and trash.user_id = p.user_id)
                    and not exists (
                        select from public.link_merges m
                        where m.merged_id = p.link_id and m.user_id = p.user_id and m.undone_at is null);
        end if;
        select count(*) into found_loose from public.pictures p
            where not exists (select from public.link_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                and not exists (select from private.parted_pictures l where l.user_id = p.user_id and l.hash = p.hash);
        if not is_dry_run and found_loose > 0 then
            insert into private.loose_pictures (user_id, hash)
                select p.user_id, p.hash from public.pictures p
                where not exists (select from public.link_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                    and not exists (select from private.parted_pictures l where l.user_id = p.user_id and l.hash = p.hash)
                on conflict do nothing;
            perform pg_notify('lectern_pictures', '');
        end if;
        return found_loose;
    end
    $$;

-- The owner of the tables sees who may come back, as those who call.
create policy as_its_caller on public.link_merges
    for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

grant execute on function private.picture_file(text), private.picture_addresses_after(text, integer),
    private.strange_picture_addresses(text[]), private.fetch_lost_pictures(text[]), private.find_loose_pictures(boolean)
    to lectern_jobs, lectern_admin;
