-- HTML entities in titles and descriptions.
--
-- A value that a page provided is stored as text: its markup has been parsed. A value that a client sent is stored as
-- sent, and many clients send markup (`&amp;`, `&#039;`). Each value therefore has a flag, and a value that is not text
-- is decoded once when it is shown.

-- Replaces a numeric reference; the argument begins with the `#` behind an `&`. Numbers of C1 controls are bytes of
-- windows-1252, as in Text/CharacterReferences.swift.
create or replace function rest.decode_number(behind text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        written constant text := substring(behind from '^#([0-9]+|[xX][0-9A-Fa-f]+)');
        digits text;
        -- Beyond Unicode, as are numbers with too many digits.
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

-- The text with each character reference replaced once. Text/CharacterReferences.swift implements the same rules, and
-- tests compare the two. Names are looked up here and not in a function of their own, which would double the time.
create or replace function rest.decode_entities(value text) returns text
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
                    when piece !~ '^[A-Za-z]' then '&' || piece
                    else coalesce(
                        -- The longest match. Names without a semicolon have two to six letters.
                        (
                            select characters || substr(piece, length(name) + 1) from rest.character_references
                            where name in (
                                left(piece, strpos(piece, ';')), left(piece, 6), left(piece, 5), left(piece, 4),
                                    left(piece, 3), left(piece, 2))
                            order by length(name) desc
                            limit 1),
                        '&' || piece)
                end, '' order by n)
            from string_to_table(value, '&') with ordinality as pieces (piece, n));
    end
    $$;

-- A value as pages and feeds show it.
create or replace function rest.display_text(value text, is_text boolean) returns text
    language sql stable parallel safe
    as $$ select case when is_text then value else rest.decode_entities(value) end $$;

-- A changed value is not text, unless the jobs wrote it or the same statement changes the flag. Clients cannot set the
-- flag. A value restored from the trash keeps it.
create or replace function rest.is_still_text(was boolean, is_said boolean, has_changed boolean) returns boolean
    language sql
    as $$
        select case
            when current_setting('rest.restoring', true) = 'on' then is_said
            when current_user in ('anon', 'authenticated', 'service_role') then was and not has_changed
            when has_changed then is_said and not was
            else is_said
        end
    $$;

create or replace function private.has_entities(link public.links) returns boolean
    language sql stable
    as $$
        select rest.display_text(link.title, link.title_is_text) is distinct from link.title
            or rest.display_text(link.description, link.description_is_text) is distinct from link.description
    $$;

create or replace function private.has_entities(article public.articles) returns boolean
    language sql stable
    as $$
        select article.metadata_is_text is false
            and (rest.decode_entities(article.title) is distinct from article.title
                or rest.decode_entities(article.byline) is distinct from article.byline
                or rest.decode_entities(article.excerpt) is distinct from article.excerpt
                or rest.decode_entities(article.site_name) is distinct from article.site_name)
    $$;

-- Maintenance of old rows: decodes values that are not text and contain references, in the links after `after` (null:
-- from the first) and in their articles, and flags them as text, so that nothing is decoded twice. updated_at does not
-- change. For the admin, who sees all rows: call it with last_id until that is null; each call is a transaction of its
-- own, and an interrupted run can be continued.
--
-- `seen` and `changed` count links; a dry run counts what would change.
create or replace function private.decode_entities_batch(
    after uuid, max_rows integer, is_dry_run boolean, account uuid default null,
    out last_id uuid, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        batch constant uuid[] := array(
            select id from public.links
            where id > coalesce(after, '00000000-0000-0000-0000-000000000000')
                and (account is null or user_id = account)
            order by id limit max_rows);
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
            set title = rest.display_text(title, title_is_text),
                title_is_text = title_is_text or rest.decode_entities(title) is distinct from title,
                description = rest.display_text(description, description_is_text),
                description_is_text = description_is_text or rest.decode_entities(description)
                    is distinct from description
            where id = any (batch) and private.has_entities(links)
            returning id
        ), decoded_articles as (
            update public.articles
            set title = rest.decode_entities(title), byline = rest.decode_entities(byline),
                excerpt = rest.decode_entities(excerpt), site_name = rest.decode_entities(site_name),
                    metadata_is_text = true
            where link_id = any (batch) and private.has_entities(articles)
            returning link_id
        )
        select count(*) into changed from (select id from decoded_links union select link_id from decoded_articles)
            as decoded;
    end
    $$;

grant execute on function rest.decode_number(text), rest.decode_entities(text), rest.display_text(text, boolean)
    to anon, authenticated, service_role, job_worker, lectern_jobs;

grant execute on function rest.is_still_text(boolean, boolean, boolean) to anon, authenticated, service_role;

create or replace function private.set_link_text_flags() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.title_is_text := rest.is_still_text(false, new.title_is_text, true);
            new.description_is_text := rest.is_still_text(false, new.description_is_text, true);
        else
            new.title_is_text := rest.is_still_text(old.title_is_text, new.title_is_text, new.title
                is distinct from old.title);
            new.description_is_text := rest.is_still_text(
                old.description_is_text, new.description_is_text, new.description is distinct from old.description);
        end if;
        return new;
    end
    $$;

-- The names sort after the triggers that may change a title themselves. The conditions avoid the call for
-- nearly all writes.
create or replace trigger text_flags_on_insert
    before insert on public.links
    for each row
    when (new.title_is_text is distinct from false or new.description_is_text is distinct from false)
    execute function private.set_link_text_flags();

create or replace trigger text_flags_on_update
    before update on public.links
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.description, new.title_is_text, new.description_is_text)
            is distinct from (old.title, old.description, old.title_is_text, old.description_is_text))
    execute function private.set_link_text_flags();

create or replace function private.set_article_text_flags() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'INSERT' then
            new.metadata_is_text := rest.is_still_text(false, new.metadata_is_text, true);
        else
            new.metadata_is_text := rest.is_still_text(
                old.metadata_is_text, new.metadata_is_text,
                (new.title, new.byline, new.excerpt, new.site_name)
                    is distinct from (old.title, old.byline, old.excerpt, old.site_name));
        end if;
        return new;
    end
    $$;

create or replace trigger text_flags_on_insert
    before insert on public.articles
    for each row
    when (current_user <> 'job_worker' and new.metadata_is_text is distinct from false)
    execute function private.set_article_text_flags();

create or replace trigger text_flags_on_update
    before update on public.articles
    for each row
    when (current_user <> 'job_worker'
        and (new.title, new.byline, new.excerpt, new.site_name, new.metadata_is_text)
            is distinct from (old.title, old.byline, old.excerpt, old.site_name, old.metadata_is_text))
    execute function private.set_article_text_flags();
