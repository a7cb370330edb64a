-- The index of words: a row for each part of a link, and an index over these rows that holds the keys of their texts.
--
-- The rows hold no text, and the keys are stored in the index only and not in a column too. The function that the index
-- is built with is declared immutable although it reads the part's text from other tables. That
-- is correct because a row lives no longer than its text: whenever the text changes, triggers replace the row by one
-- with a new version, whose keys are computed anew. An index that is rebuilt or restored from a dump reads the current
-- texts, which are those of the current rows.
--
-- The texts are read, and the rows written, by functions of lectern_search.

-- The length of a piece of an article in characters. The keys of a piece must fit into a tsvector, which is at most
-- 1 MB long; 50,000 different Chinese characters give 650 KB.
create or replace function private.piece_length() returns integer
    language sql immutable parallel safe
    as $$ select 50000 $$;

set local role lectern_search;

-- The text of a part; null if there is none. Pieces of an article overlap by more than the longest phrase. A word that
-- the start or the end of a piece cuts is left to the other piece.
create or replace function private.part_text(link uuid, part smallint) returns text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_phrase constant integer := 1200;
        piece constant integer := part - 4;
        size constant integer := private.piece_length();
        result text;
    begin
        if part = 0 then
            return (select rest.display_text(title, title_is_text) from public.links where id = link);
        elsif part = 1 then
            return (
                select concat_ws(E'\x1f', rest.display_text(description, description_is_text), raw_url,
                    nullif(resolved_url, raw_url))
                from public.links where id = link);
        elsif part = 2 then
            return (
                select string_agg(body, E'\x1f') from (
                    select body from public.notes where link_id = link
                    union all
                    select note from public.highlights where link_id = link and note is not null
                ) as notes);
        elsif part = 3 then
            return (select string_agg(quote, E'\x1f') from public.highlights where link_id = link);
        end if;
        select substr(text_content, piece * size + 1, size + max_phrase) into result
            from public.articles where link_id = link;
        if piece > 0 then
            result := regexp_replace(result, '^[[:alnum:]]{1,200}', '');
        end if;
        if length(result) > size + max_phrase - 201 then
            result := left(result, -200) || regexp_replace(right(result, 200), '[[:alnum:]]+$', '');
        end if;
        return nullif(result, '');
    end
    $$;

-- The keys of a part in the index. `version` is an argument so that a new version is indexed anew. The cost keeps
-- PostgreSQL from computing keys instead of reading the index.
create or replace function private.part_keys(link uuid, part smallint, owner integer, lang text, version integer)
    returns tsvector
    language plpgsql immutable
    cost 10000
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return private.text_keys(owner, lang, private.part_text(link, part));
    end
    $$;

-- The number of a user in the index; null for a user who does not exist, as of an orphaned link.
create or replace function private.search_owner(owner uuid) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known integer;
    begin
        select number into known from private.search_owners where user_id = owner;
        if not found then
            begin
                insert into private.search_owners (user_id) values (owner) on conflict do nothing;
            exception when foreign_key_violation then
                return null;
            end;
            select number into known from private.search_owners where user_id = owner;
        end if;
        return known;
    end
    $$;

-- Renews the rows of a link whose text may have changed. `parts` are the numbers of parts, of which 4 stands for all
-- pieces of the article.
create or replace function private.renew_parts(link uuid, parts smallint[], is_new boolean) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        saved public.links;
        number integer;
        wanted smallint[];
    begin
        select * into saved from public.links where id = link;
        if not found then
            return;
        end if;
        number := private.search_owner(saved.user_id);
        if number is null then
            return;
        end if;
        if not is_new then
            -- One writer of a link's parts at a time. The statements below then see what the one before has written.
            perform pg_advisory_xact_lock(hashtextextended('search parts of ' || link, 0));
        end if;
        select array_agg(known.part order by known.part) into wanted from (
            select 0::smallint as part where saved.title <> ''
            union all
            select 1
            union all
            select 2 where exists (select from public.notes where link_id = link and body <> '')
                or exists (select from public.highlights where link_id = link and note <> '')
            union all
            select 3 where exists (select from public.highlights where link_id = link)
            union all
            select (4 + piece)::smallint from public.articles,
                generate_series(0, greatest(0, (length(text_content) - 1) / private.piece_length())) as piece
                where link_id = link and 4 = any (parts)
        ) as known where least(known.part, 4) = any (parts);
        if not is_new then
            delete from private.search_parts
                where link_id = link and least(part, 4) = any (parts) and part <> all (coalesce(wanted, '{}'));
        end if;
        insert into private.search_parts as known (link_id, part, user_id, owner, lang, saved_at, rules)
            select link, part, saved.user_id, number, private.stemmed_language(saved.lang), saved.created_at,
                private.word_rules()
            from unnest(wanted) as part
            on conflict (link_id, part) do update set user_id = excluded.user_id, owner = excluded.owner,
                lang = excluded.lang, saved_at = excluded.saved_at, rules = excluded.rules, version = known.version + 1;
    end
    $$;

-- Triggers. Each renews the parts whose text its table holds.

create or replace function private.index_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tg_op = 'INSERT' then
            perform private.renew_parts(new.id, '{0,1}', true);
        elsif (new.lang, new.created_at, new.user_id) is distinct from (old.lang, old.created_at, old.user_id) then
            perform private.renew_parts(new.id, '{0,1,2,3,4}', false);
        else
            perform private.renew_parts(new.id, '{0,1}', false);
        end if;
        return null;
    end
    $$;

create or replace function private.index_notes() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tg_op <> 'INSERT' then
            perform private.renew_parts(old.link_id, '{2,3}', false);
        end if;
        if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.link_id <> old.link_id then
            perform private.renew_parts(new.link_id, '{2,3}', false);
        end if;
        return null;
    end
    $$;

create or replace function private.index_article() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        if tg_op <> 'INSERT' then
            perform private.renew_parts(old.link_id, '{4}', false);
        end if;
        if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.link_id <> old.link_id then
            perform private.renew_parts(new.link_id, '{4}', false);
        end if;
        return null;
    end
    $$;

create or replace function private.index_tag() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        insert into private.search_tags (tag_id, user_id, words, rules)
            values (new.id, new.user_id, private.folded_text(new.name), private.word_rules())
            on conflict (tag_id) do update
                set user_id = excluded.user_id, words = excluded.words, rules = excluded.rules;
        return null;
    end
    $$;

revoke execute on function private.part_text(uuid, smallint),
    private.part_keys(uuid, smallint, integer, text, integer), private.search_owner(uuid),
    private.renew_parts(uuid, smallint[], boolean), private.index_link(), private.index_notes(),
    private.index_article(), private.index_tag()
    from public;
-- Whoever writes a part computes its keys.
grant execute on function private.part_keys(uuid, smallint, integer, text, integer)
    to lectern_owner, lectern_admin;
grant execute on function private.renew_parts(uuid, smallint[], boolean), private.part_text(uuid, smallint),
    private.search_owner(uuid), private.index_link(), private.index_notes(), private.index_article(),
    private.index_tag()
    to lectern_admin, lectern_owner;

set local role lectern_owner;

create index if not exists search_parts_keys on private.search_parts
    using gin (private.part_keys(link_id, part, owner, lang, version)) with (fastupdate = off);
-- Statistics would read the text of many thousand parts, and do not help: the functions that search choose their plans.
alter index private.search_parts_keys alter column 1 set statistics 0;

create or replace trigger index_new_link after insert on public.links
    for each row execute function private.index_link();

create or replace trigger index_changed_link after update on public.links
    for each row
    when ((new.title, new.title_is_text, new.description, new.description_is_text, new.raw_url, new.resolved_url,
            new.lang, new.created_at, new.user_id)
        is distinct from (old.title, old.title_is_text, old.description, old.description_is_text, old.raw_url,
            old.resolved_url, old.lang, old.created_at, old.user_id))
    execute function private.index_link();

create or replace trigger index_note after insert or delete on public.notes
    for each row execute function private.index_notes();

create or replace trigger index_changed_note after update on public.notes
    for each row when (new.body <> old.body or new.link_id <> old.link_id)
    execute function private.index_notes();

create or replace trigger index_highlight after insert or delete on public.highlights
    for each row execute function private.index_notes();

create or replace trigger index_changed_highlight after update on public.highlights
    for each row
    when (new.quote <> old.quote or new.note is distinct from old.note or new.link_id <> old.link_id)
    execute function private.index_notes();

create or replace trigger index_article after insert or delete on public.articles
    for each row execute function private.index_article();

create or replace trigger index_changed_article after update on public.articles
    for each row when (new.text_content <> old.text_content or new.link_id <> old.link_id)
    execute function private.index_article();

create or replace trigger index_tag after insert on public.tags
    for each row execute function private.index_tag();

create or replace trigger index_changed_tag after update on public.tags
    for each row when (new.name <> old.name or new.user_id <> old.user_id)
    execute function private.index_tag();

-- The host of a link's page.

-- The host of an http(s) URL in canonical form, without www.; null for other texts.
create or replace function rest.host_of_url(url text) returns text
    language sql immutable
    as $$
        select rest.canonical_host(
            (regexp_match(url, '^\s*https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:\\]+)', 'i'))[1])
    $$;

create or replace function private.set_domain() returns trigger
    language plpgsql
    as $$
    begin
        new.domain := coalesce(rest.host_of_url(new.resolved_url), rest.host_of_url(new.raw_url));
        return new;
    end
    $$;

create or replace trigger set_domain before insert or update of raw_url, resolved_url, domain on public.links
    for each row execute function private.set_domain();

comment on column public.links.domain is 'The host of the page, without www.; set by the server.';
grant execute on function rest.host_of_url(text) to anon, authenticated, service_role, job_worker, lectern_search;
grant execute on function rest.display_text(text, boolean), rest.decode_entities(text), rest.decode_number(text),
    rest.canonical_host(text), rest.ipv4(text), rest.ipv6(text), rest.punycode(text), private.piece_length()
    to lectern_search;
grant select on rest.character_references to lectern_search;
