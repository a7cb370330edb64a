-- The index of words: a row for each part of a link, and an index over these rows that holds the keys of their texts.
--
-- The rows hold no text, and the keys are stored in the index only and not in a column too. The function that the index
-- is built with is declared immutable although it reads the texts from other tables. That is correct because only rows
-- with `is_indexed` are in the index, and a row has it no longer than its texts last: whenever one of them changes,
-- triggers clear it. An index that is rebuilt or restored from a dump reads the current texts, which are those of the
-- rows with `is_indexed`.
--
-- Triggers only mark what has changed. The jobs process indexes marked parts, a few in one transaction. Searches
-- compute the keys of the newest parts that still wait.
--
-- The texts are read, and the rows written, by functions of lectern_search.

-- The length of a piece of an article in characters. A shorter article is indexed with the other texts of its link.
-- The keys of a piece must fit into a tsvector, which holds at most 1 MB of them; 50,000 different Chinese characters
-- give 650 KB.
create or replace function private.piece_length() returns integer
    language sql immutable parallel safe
    as $$ select 50000 $$;

-- The number of the day on which a link was saved, in UTC. Its key lets a search look at a few days at a time.
create or replace function private.day_of(saved_at timestamptz) returns integer
    language sql immutable strict parallel safe
    as $$ select case when isfinite(saved_at) then floor(extract(epoch from saved_at) / 86400)::integer else 0 end $$;

set local role lectern_search;

-- A piece of an article, from 1; null if there is none. Pieces overlap by the longest word. A word that the start or
-- the end of a piece cuts is left to the other piece.
create or replace function private.article_piece(link uuid, piece integer) returns text
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_word constant integer := 200;
        size constant integer := private.piece_length();
        result text := (
            select substr(text_content, (piece - 1) * size + 1, size + max_word) from public.articles
            where link_id = link);
    begin
        if piece > 1 then
            result := regexp_replace(result, '^[[:alnum:]]{1,200}', '');
        end if;
        if length(result) > size then
            result := left(result, -max_word) || regexp_replace(right(result, max_word), '[[:alnum:]]+$', '');
        end if;
        return nullif(result, '');
    end
    $$;

-- The texts of a link outside its article. Texts of one kind are joined by U+001F. Of the highlights, the oldest are
-- taken whose quotes have together at most a million characters, and likewise their notes.
create or replace function private.short_texts(
    link uuid, out title text, out description text, out notes text, out quotes text
)
    -- PL/pgSQL keeps the plans of its statements.
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_characters constant integer := 1000000;
    begin
        select rest.display_text(l.title, title_is_text),
                concat_ws(E'\x1f', rest.display_text(l.description, description_is_text), raw_url,
                    nullif(resolved_url, raw_url)),
                concat_ws(E'\x1f',
                    (select string_agg(n.body, E'\x1f') from public.notes n where n.link_id = link), marked.notes),
                marked.quotes
            into title, description, notes, quotes
            from public.links l,
                (
                    select string_agg(h.note, E'\x1f') filter (where h.characters_of_notes <= max_characters),
                        string_agg(h.quote, E'\x1f') filter (where h.characters_of_quotes <= max_characters)
                    from (
                        select note, quote, sum(length(note)) over earlier as characters_of_notes,
                            sum(length(quote)) over earlier as characters_of_quotes
                        from public.highlights where link_id = link
                        window earlier as (order by created_at, id)
                    ) as h
                ) as marked (notes, quotes)
            where id = link;
    end
    $$;

-- The keys of a part in the index. Every key begins with the owner's number: two users have no key in common. Besides
-- the keys of its words in any field, a part has those of each field, and keys with facts about it: $ its language,
-- @ the day on which it was saved, and + for a link with several parts.
--
-- The cost keeps PostgreSQL from computing keys instead of reading the index.
create or replace function private.part_keys(
    link uuid, part smallint, owner integer, lang text, saved_at timestamptz, is_long boolean
) returns tsvector
    language plpgsql immutable
    cost 10000
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_bytes constant integer := 1000000;
        texts record;
        title_keys text[];
        note_keys text[];
        quote_keys text[];
        result text[] := array_remove(array[
            owner || '$' || lang, owner || '@' || private.day_of(saved_at), case when is_long then owner || '+' end],
            null);
    begin
        if part > 0 then
            result := result || private.keys_of_field(owner, '',
                private.text_keys(lang, private.article_piece(link, part)));
        else
            texts := private.short_texts(link);
            title_keys := private.text_keys(lang, texts.title);
            note_keys := case when texts.notes <> '' then private.text_keys(lang, texts.notes) end;
            quote_keys := case when texts.quotes <> '' then private.text_keys(lang, texts.quotes) end;
            -- The most important keys first: see below.
            result := result || private.keys_of_field(owner, 't', title_keys)
                || private.keys_of_field(owner, '', title_keys
                    || case when not is_long then private.text_keys(lang, private.article_piece(link, 1)) end
                    || private.text_keys(lang, texts.description) || note_keys || quote_keys)
                || private.keys_of_field(owner, 'n', note_keys) || private.keys_of_field(owner, 'q', quote_keys);
        end if;
        -- A tsvector holds 1 MB of keys. Only a link with a very long description or note, or with many highlights, has
        -- more. The last keys are left out then.
        if octet_length(array_to_string(result, '')) > max_bytes then
            result := array(
                select key from (
                    select key, sum(octet_length(key)) over (order by min(place)) as total
                    from unnest(result) with ordinality as keys (key, place) group by key
                ) as keys
                where total <= max_bytes);
        end if;
        return array_to_tsvector(result);
    end
    $$;

-- The number of a user in the index; null for a user who does not exist, as of an orphaned link. `lang` is the language
-- of a link, or null; the user has it from now on.
create or replace function private.search_owner(owner uuid, lang text) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        known private.search_owners;
    begin
        select * into known from private.search_owners where user_id = owner;
        if not found then
            begin
                insert into private.search_owners (user_id) values (owner) on conflict do nothing;
            exception when foreign_key_violation then
                return null;
            end;
            select * into known from private.search_owners where user_id = owner;
        end if;
        if lang is not null and lang <> all (known.langs) then
            update private.search_owners set langs = langs || lang where user_id = owner and lang <> all (langs);
        end if;
        return known.number;
    end
    $$;

-- Marks the parts of a link whose texts may have changed; all of them if the article may have.
create or replace function private.renew_parts(link uuid, has_new_article boolean) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        saved record;
        number integer;
        pieces integer;
    begin
        select l.user_id, private.stemmed_language(lang) as lang, created_at into saved
            from public.links l where id = link;
        if not found then
            return;
        end if;
        number := private.search_owner(saved.user_id, saved.lang);
        if number is null then
            return;
        end if;
        -- One writer of a link's parts at a time. The statements below then see what the one before has written. The
        -- lock is also what keeps a part from being indexed with the old texts: see `index_part`.
        perform from private.search_parts where link_id = link and part = 0 for update;
        pieces := (
            select case when octet_length(text_content) > private.piece_length()
                    and length(text_content) > private.piece_length()
                then (length(text_content) - 1) / private.piece_length() + 1 end
            from public.articles where link_id = link);
        if has_new_article then
            delete from private.search_parts where link_id = link and part > coalesce(pieces, 0);
        end if;
        -- A conflict locks the part also where nothing changes.
        insert into private.search_parts as known (link_id, part, user_id, owner, lang, saved_at, is_long, rules)
            select link, part, saved.user_id, number, saved.lang, saved.created_at, pieces is not null,
                private.word_rules()
            from generate_series(0, case when has_new_article then coalesce(pieces, 0) else 0 end) as part
            on conflict (link_id, part) do update set user_id = excluded.user_id, owner = excluded.owner,
                lang = excluded.lang, saved_at = excluded.saved_at, is_long = excluded.is_long, rules = excluded.rules,
                is_indexed = false, index_error = null
            where known.is_indexed or known.index_error is not null
                or (known.user_id, known.owner, known.lang, known.saved_at, known.is_long, known.rules)
                    is distinct from (excluded.user_id, excluded.owner, excluded.lang, excluded.saved_at,
                        excluded.is_long, excluded.rules);
    end
    $$;

-- The same for many links that have got an article, a note or a highlight. The links were inserted by a statement before,
-- with their owners.
create or replace function private.renew_parts_of_links(links uuid[], has_new_article boolean) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        ids uuid[];
        sizes integer[];
    begin
        -- Parts that this transaction has inserted or marked wait already, and nobody else can lock them. Those of a
        -- long article are not skipped, since it may have more or fewer pieces now.
        links := array(
            select link from unnest(links) as link
            where not exists (
                select from private.search_parts p
                where p.link_id = link and p.part = 0 and p.xmin = pg_current_xact_id()::xid and not p.is_indexed
                    and p.index_error is null and not p.is_long
                    and not exists (
                        select from public.articles a
                        where a.link_id = link and octet_length(a.text_content) > private.piece_length())));
        if links = '{}' then
            return;
        end if;
        perform from private.search_parts where link_id = any (links) and part = 0 order by link_id for update;
        -- The numbers of pieces, null for a short article. Its text is not read when it has few bytes.
        select array_agg(a.link_id), array_agg(
                case when octet_length(text_content) > private.piece_length()
                    and length(text_content) > private.piece_length()
                    then (length(text_content) - 1) / private.piece_length() + 1 end)
            into ids, sizes from public.articles a where a.link_id = any (links);
        if has_new_article then
            delete from private.search_parts p using unnest(ids, sizes) as article (link_id, pieces)
                where p.link_id = any (links) and p.link_id = article.link_id and p.part > coalesce(pieces, 0);
        end if;
        insert into private.search_parts as known (link_id, part, user_id, owner, lang, saved_at, is_long, rules)
            select l.id, part, l.user_id, o.number, private.stemmed_language(l.lang), l.created_at, pieces is not null,
                private.word_rules()
            from public.links l
                join private.search_owners o on o.user_id = l.user_id
                left join unnest(ids, sizes) as article (link_id, pieces) on article.link_id = l.id,
                generate_series(0, case when has_new_article then coalesce(pieces, 0) else 0 end) as part
            where l.id = any (links)
            order by l.id, part
            on conflict (link_id, part) do update set user_id = excluded.user_id, owner = excluded.owner,
                lang = excluded.lang, saved_at = excluded.saved_at, is_long = excluded.is_long, rules = excluded.rules,
                is_indexed = false, index_error = null
            where known.is_indexed or known.index_error is not null
                or (known.user_id, known.owner, known.lang, known.saved_at, known.is_long, known.rules)
                    is distinct from (excluded.user_id, excluded.owner, excluded.lang, excluded.saved_at,
                        excluded.is_long, excluded.rules);
    end
    $$;

-- Triggers. Each marks the parts whose text its table holds.

create or replace function private.index_new_links() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        -- Owners and languages that are new.
        perform private.search_owner(user_id, lang)
            from (
                select user_id, private.stemmed_language(lang) as lang
                from (select distinct user_id, lang from saved) as given
            ) as owners
            where not exists (
                select from private.search_owners o
                where o.user_id = owners.user_id and (owners.lang is null or owners.lang = any (o.langs)));
        insert into private.search_parts (link_id, part, user_id, owner, lang, saved_at, rules)
            select saved.id, 0, saved.user_id, o.number,
                case when saved.lang is not null then private.stemmed_language(saved.lang) end, saved.created_at,
                private.word_rules()
            from saved join private.search_owners o using (user_id)
            -- Another part of the statement may have written a text of the link.
            on conflict do nothing;
        return null;
    end
    $$;

create or replace function private.index_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform private.renew_parts(new.id,
            (new.lang, new.created_at, new.user_id) is distinct from (old.lang, old.created_at, old.user_id));
        return null;
    end
    $$;

-- Once for each link of a statement, whose rows are in `old_rows` and `new_rows`.
create or replace function private.index_texts_of_link() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        is_article constant boolean := tg_table_name = 'articles';
        links uuid[];
    begin
        if tg_op = 'INSERT' then
            -- Undoing a deletion and imports insert texts of many links at once. No statement inserts these links, too.
            links := array(select distinct link_id from new_rows);
            if cardinality(links) > 1 then
                perform private.renew_parts_of_links(links, is_article);
                return null;
            end if;
            perform private.renew_parts(link_id, is_article)
                from (select distinct link_id from new_rows order by link_id) as links;
        elsif tg_op = 'DELETE' then
            -- Not for texts that are deleted with their links, perhaps thousands.
            links := array(
                select distinct old_rows.link_id from old_rows join public.links on links.id = old_rows.link_id);
            perform private.renew_parts(link, is_article) from (select unnest(links) as link order by 1) as changed;
        elsif tg_table_name = 'articles' then
            perform private.renew_parts(link_id, true) from (
                select link_id from old_rows full join new_rows using (link_id)
                where old_rows.text_content is distinct from new_rows.text_content
                order by link_id
            ) as changed;
        elsif tg_table_name = 'notes' then
            perform private.renew_parts(link_id, false) from (
                select distinct link_id from (
                    (select link_id, body from old_rows except select link_id, body from new_rows)
                    union (select link_id, body from new_rows except select link_id, body from old_rows)
                ) as rows order by link_id
            ) as changed;
        else
            perform private.renew_parts(link_id, false) from (
                select distinct link_id from (
                    (select link_id, quote, note from old_rows except select link_id, quote, note from new_rows)
                    union (select link_id, quote, note from new_rows except select link_id, quote, note from old_rows)
                ) as rows order by link_id
            ) as changed;
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

revoke execute on function private.article_piece(uuid, integer), private.short_texts(uuid),
    private.part_keys(uuid, smallint, integer, text, timestamptz, boolean), private.search_owner(uuid, text),
    private.renew_parts(uuid, boolean), private.renew_parts_of_links(uuid[], boolean), private.index_new_links(),
    private.index_link(), private.index_texts_of_link(), private.index_tag()
    from public;
-- Whoever builds the index computes the keys.
grant execute on function private.part_keys(uuid, smallint, integer, text, timestamptz, boolean)
    to lectern_owner, lectern_admin;
grant execute on function private.renew_parts(uuid, boolean), private.renew_parts_of_links(uuid[], boolean),
    private.article_piece(uuid, integer), private.short_texts(uuid), private.search_owner(uuid, text),
    private.index_new_links(), private.index_link(), private.index_texts_of_link(), private.index_tag()
    to lectern_admin, lectern_owner;

set local role lectern_owner;

-- New keys wait in a list of PostgreSQL's, which searches read, too. `merge_new_keys` empties it after each batch.
create index if not exists search_parts_keys on private.search_parts
    using gin (private.part_keys(link_id, part, owner, lang, saved_at, is_long))
    with (fastupdate = on, gin_pending_list_limit = 16384)
    where is_indexed;
-- Statistics would read the text of many thousand parts, and do not help: the functions that search choose their plans.
alter index private.search_parts_keys alter column 1 set statistics 0;

create or replace trigger index_new_links after insert on public.links
    referencing new table as saved
    for each statement execute function private.index_new_links();

create or replace trigger index_changed_link after update on public.links
    for each row
    when ((new.title, new.title_is_text, new.description, new.description_is_text, new.raw_url, new.resolved_url,
            new.lang, new.created_at, new.user_id)
        is distinct from (old.title, old.title_is_text, old.description, old.description_is_text, old.raw_url,
            old.resolved_url, old.lang, old.created_at, old.user_id))
    execute function private.index_link();

do $$
declare
    indexed text;
begin
    foreach indexed in array array['articles', 'notes', 'highlights'] loop
        execute format(
            'create or replace trigger index_new_texts after insert on public.%I referencing new table as new_rows
            for each statement execute function private.index_texts_of_link()', indexed);
        execute format(
            'create or replace trigger index_changed_texts after update on public.%I
            referencing old table as old_rows new table as new_rows
            for each statement execute function private.index_texts_of_link()', indexed);
        execute format(
            'create or replace trigger index_deleted_texts after delete on public.%I referencing old table as old_rows
            for each statement execute function private.index_texts_of_link()', indexed);
    end loop;
end
$$;

create or replace trigger index_tag after insert on public.tags
    for each row execute function private.index_tag();

create or replace trigger index_changed_tag after update on public.tags
    for each row when (new.name <> old.name or new.user_id <> old.user_id)
    execute function private.index_tag();

grant execute on function rest.display_text(text, boolean), rest.decode_entities(text), rest.decode_number(text),
    rest.canonical_host(text), rest.ipv4(text), rest.ipv6(text), rest.punycode(text), private.piece_length(),
    private.day_of(timestamptz)
    to lectern_search;
grant select on rest.character_references to lectern_search;
