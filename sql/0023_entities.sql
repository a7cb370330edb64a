-- Texts without entities: character references decoded as the HTML standard has it for text, and for each title and
-- description whether it is text already.
--
-- What a page gives is text when it is stored: its mark-up has been read. What a client gives is stored as it was sent, and
-- many send mark-up (`&amp;`, `&#039;`). So a value says which it is, and whoever shows it decodes once what is no text.

-- The names, as they stand behind the `&`, with the semicolon where it has one. `lectern migrate` fills the table from
-- Sources/Text/CharacterReferences.tsv.
create table rest.character_references (
    name text collate "C" primary key,
    characters text not null
);
grant select on rest.character_references to anon, authenticated, service_role, job_worker, lectern_jobs;

-- What is behind an `&` and begins with `#`, with its number replaced; those of C1 controls are bytes of windows-1252, as in
-- Text/CharacterReferences.swift.
create function rest.decode_number(behind text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        written constant text := substring(behind from '^#([0-9]+|[xX][0-9A-Fa-f]+)');
        digits text;
        -- Beyond Unicode, as all numbers of too many digits.
        number integer := 1114112;
    begin
        if written is null then
            return '&' || behind;
        end if;
        if left(written, 1) in ('x', 'X') then
            digits := ltrim(substr(written, 2), '0');
            if length(digits) <= 6 then
                number := ('x' || lpad(digits, 8, '0'))::bit(32)::integer;
            end if;
        else
            digits := ltrim(written, '0');
            if length(digits) <= 7 then
                number := ('0' || digits)::integer;
            end if;
        end if;
        if number between 128 and 159 then
            number := (array[
                8364, 129, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 141, 381, 143,
                144, 8216, 8217, 8220, 8221, 8226, 8211, 8212, 732, 8482, 353, 8250, 339, 157, 382, 376])[number - 127];
        elsif number = 0 or number between 55296 and 57343 or number > 1114111 then
            number := 65533;
        end if;
        return chr(number) || regexp_replace(substr(behind, length(written) + 2), '^;', '');
    end
    $$;

-- The text with each reference replaced, once; the same as Text/CharacterReferences.swift, and tests hold the two against
-- each other. The names are looked up here and not in a function of their own, which would take as long again.
create function rest.decode_entities(value text) returns text
    language plpgsql stable strict parallel safe
    as $$
    begin
        if strpos(value, '&') = 0 then
            return value;
        end if;
        return (
            select string_agg(
                case
                    when n = 1 then piece
                    when left(piece, 1) = '#' then rest.decode_number(piece)
                    else coalesce(
                        -- The longest. Those without semicolon have two to six letters.
                        (
                            select characters || substr(piece, length(name) + 1) from rest.character_references
                            where name in (
                                left(piece, strpos(piece, ';')), left(piece, 6), left(piece, 5), left(piece, 4), left(piece, 3), left(piece, 2))
                            order by length(name) desc
                            limit 1),
                        '&' || piece)
                end, '' order by n)
            from string_to_table(value, '&') with ordinality as pieces (piece, n));
    end
    $$;

-- A value as a page or feed shows it.
create function rest.shown(value text, is_text boolean) returns text
    language sql stable parallel safe
    as $$ select case when is_text then value else rest.decode_entities(value) end $$;

-- The jobs' login fetches an export's rows from cursors of the admin, and it is the fetching that decodes.
grant usage on schema rest to job_worker, lectern_jobs;
grant execute on function rest.decode_number(text), rest.decode_entities(text), rest.shown(text, boolean)
    to anon, authenticated, service_role, job_worker, lectern_jobs;

-- Constant defaults, so that no row is written anew.
alter table public.links
    add column title_is_text boolean not null default false,
    add column description_is_text boolean not null default false;
alter table public.articles add column metadata_is_text boolean not null default false;

comment on column public.links.title_is_text is 'Whether title is text, as what a page gave is; else it is as a client sent it, and is shown with its HTML entities decoded once. Set by the server.';
comment on column public.links.description_is_text is 'Whether description is text, as what a page gave is; else it is as a client sent it, and is shown with its HTML entities decoded once. Set by the server.';
comment on column public.articles.metadata_is_text is 'Whether title, byline, excerpt and site_name are text; else they are shown with their HTML entities decoded once. Set by the server.';

grant update (title_is_text, description_is_text) on public.links to job_worker;

-- Whoever changes a value, but the jobs, has sent it: it is no text, unless the same statement makes it text that was none.
-- Clients have no say in that. What comes back from the trash is what it was.
create function rest.is_still_text(was boolean, is_said boolean, has_changed boolean) returns boolean
    language sql
    as $$
        select case
            when current_setting('rest.restoring', true) = 'on' then is_said
            when current_user in ('anon', 'authenticated', 'service_role') then was and not has_changed
            when has_changed then is_said and not was
            else is_said
        end
    $$;
grant execute on function rest.is_still_text(boolean, boolean, boolean) to anon, authenticated, service_role;

create function private.link_is_told() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.title_is_text := rest.is_still_text(false, new.title_is_text, true);
            new.description_is_text := rest.is_still_text(false, new.description_is_text, true);
        else
            new.title_is_text := rest.is_still_text(old.title_is_text, new.title_is_text, new.title is distinct from old.title);
            new.description_is_text := rest.is_still_text(
                old.description_is_text, new.description_is_text, new.description is distinct from old.description);
        end if;
        return new;
    end
    $$;

create function private.article_is_told() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.metadata_is_text := rest.is_still_text(false, new.metadata_is_text, true);
        else
            new.metadata_is_text := rest.is_still_text(
                old.metadata_is_text, new.metadata_is_text,
                (new.title, new.byline, new.excerpt, new.site_name) is distinct from (old.title, old.byline, old.excerpt, old.site_name));
        end if;
        return new;
    end
    $$;

-- Sorted behind the triggers that may change a title themselves. The conditions spare nearly all writes the call.
create trigger told_on_insert
    before insert on public.links
    for each row
    when (new.title_is_text is distinct from false or new.description_is_text is distinct from false)
    execute function private.link_is_told();
create trigger told_on_update
    before update on public.links
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.description, new.title_is_text, new.description_is_text)
            is distinct from (old.title, old.description, old.title_is_text, old.description_is_text))
    execute function private.link_is_told();
create trigger told_on_insert
    before insert on public.articles
    for each row
    when (current_user <> 'job_worker' and new.metadata_is_text is distinct from false)
    execute function private.article_is_told();
create trigger told_on_update
    before update on public.articles
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.byline, new.excerpt, new.site_name, new.metadata_is_text)
            is distinct from (old.title, old.byline, old.excerpt, old.site_name, old.metadata_is_text))
    execute function private.article_is_told();

-- Old rows: decodes what is no text and has references, in the links that follow `after` (null: the first ones) and in their
-- articles, and marks it as text, so that nothing is decoded twice. updated_at stays. For the admin, who sees all rows: call
-- it with last_id until that is null; each call is a transaction of its own, and the work goes on where it was
-- stopped.
--
-- `seen` and `changed` count links; a dry run tells what would change.
create function private.decode_entities_batch(
    after uuid, most integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        batch constant uuid[] := array(
            select id from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000') and (account is null or user_id = account)
            order by id limit most);
    begin
        seen := cardinality(batch);
        last_id := batch[seen];
        if is_dry_run then
            select count(*) into changed
            from public.links left join public.articles on articles.link_id = links.id
            where links.id = any (batch) and (private.has_entities(links) or private.has_entities(articles));
            return;
        end if;
        with decoded_links as (
            update public.links
            set title = rest.shown(title, title_is_text),
                title_is_text = title_is_text or rest.decode_entities(title) is distinct from title,
                description = rest.shown(description, description_is_text),
                description_is_text = description_is_text or rest.decode_entities(description) is distinct from description
            where id = any (batch) and private.has_entities(links)
            returning id
        ), decoded_articles as (
            update public.articles
            set title = rest.decode_entities(title), byline = rest.decode_entities(byline),
                excerpt = rest.decode_entities(excerpt), site_name = rest.decode_entities(site_name), metadata_is_text = true
            where link_id = any (batch) and private.has_entities(articles)
            returning link_id
        )
        select count(*) into changed from (select id from decoded_links union select link_id from decoded_articles) as decoded;
    end
    $$;

create function private.has_entities(link public.links) returns boolean
    language sql stable
    as $$
        select rest.shown(link.title, link.title_is_text) is distinct from link.title
            or rest.shown(link.description, link.description_is_text) is distinct from link.description
    $$;

create function private.has_entities(article public.articles) returns boolean
    language sql stable
    as $$
        select article.metadata_is_text is false
            and (rest.decode_entities(article.title) is distinct from article.title
                or rest.decode_entities(article.byline) is distinct from article.byline
                or rest.decode_entities(article.excerpt) is distinct from article.excerpt
                or rest.decode_entities(article.site_name) is distinct from article.site_name)
    $$;

-- As in 0020, and since then: what an export shows is decoded where it is no text.
set local role lectern_admin;
create or replace function private.personal_reading(owner uuid, with_content boolean) returns refcursor
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        cursor_of_links refcursor;
    begin
        if with_content then
            open cursor_of_links no scroll for
                select rest.shown(a.title, a.metadata_is_text), a.url, rest.shown(a.byline, a.metadata_is_text),
                    rest.shown(a.site_name, a.metadata_is_text),
                    coalesce(to_char(a.published_at at time zone 'UTC', 'YYYY-MM-DD'), a.published_time),
                    a.lang, a.dir, a.content
                from public.articles a join public.links l on l.id = a.link_id
                where a.user_id = owner
                order by l.created_at desc, l.id desc;
        else
            open cursor_of_links no scroll for
                select coalesce(rest.shown(l.title, l.title_is_text), rest.shown(a.title, a.metadata_is_text)),
                    coalesce(l.resolved_url, l.raw_url),
                    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD'), a.link_id is not null,
                    rest.shown(a.title, a.metadata_is_text),
                    (select string_agg(t.name, ', ' order by t.name)
                        from public.link_tags lt join public.tags t on t.id = lt.tag_id where lt.link_id = l.id)
                from public.links l left join public.articles a on a.link_id = l.id
                where l.user_id = owner
                order by l.created_at desc, l.id desc;
        end if;
        return cursor_of_links;
    end
    $$;
set local role lectern_owner;
