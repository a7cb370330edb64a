-- Snippets: the passage of a link that fits a query best, with its matches marked.

set local role lectern_search;

-- What is looked for in the texts of a query's snippets: the terms; the pattern of their exact matches; that of two
-- terms close to each other, for several terms; that of words that may have the same stem; and the first word of a
-- single term. The plain patterns are for texts without accents; PostgreSQL compiles and runs them several times
-- faster.
do $$
begin
    if to_regtype('private.search_marks') is null then
        create type private.search_marks as (terms private.search_term[], pattern text, close_pattern text,
            stem_pattern text, word text, plain_pattern text, plain_close_pattern text, plain_stem_pattern text);
    end if;
end
$$;

-- A regular expression for folded text that also matches the spellings it stands for, in lower case.
create or replace function private.spellings_pattern(folded text) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        marks constant text := '[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]*';
        classes constant text[] := array['aàáâãäåāăąǎạảấầẩẫậắằẳẵặæ', 'cçćĉċč', 'dďđḍ', 'eèéêëēĕėęěẹẻẽếềểễệ', 'gĝğġģ', 'hĥħ',
            'iìíîïĩīĭįıỉị', 'jĵ', 'kķ', 'lĺļľł', 'nñńņňṇ', 'oòóôõöøōŏőơọỏốồổỗộớờởỡợœ', 'rŕŗř', 'sśŝşšșṣß', 'tţťŧțṭ',
            'uùúûüũūŭůűųưụủứừửữự', 'wŵẁẃẅ', 'yýÿŷỳỵỷỹ', 'zźżžẓ', 'αά', 'εέ', 'ηή', 'ιίϊΐ', 'οό', 'υύϋΰ', 'ωώ', 'σς',
            'иӥйѝ', 'еёѐ', 'іїи', 'уў', 'гѓ', 'кќ', 'اأإآٱ', 'وؤ', 'يئ'];
        result text := '';
        letter text;
        class text;
    begin
        -- These pairs of letters stand for one letter too.
        for letter in select matched[1] from regexp_matches(folded, 'ss|ae|oe|.', 'g') as matched loop
            class := null;
            foreach class in array classes loop
                exit when class ^@ letter;
                class := null;
            end loop;
            result := result || case letter
                when 'ss' then '(?:ss|ß)' when 'ae' then '(?:a' || marks || 'e|æ)' || marks
                when 'oe' then '(?:o' || marks || 'e|œ)' || marks
                else coalesce('[' || class || ']', letter)
                    || case when letter !~ '[0-9a-z]' or class <> '' then marks else '' end
                end;
        end loop;
        return result;
    end
    $$;

-- The regular expression that finds a term in a text, regardless of case. A wide one also finds words that only begin
-- like the term, as words with the same stem do. A plain one is for texts without accents. Of a long term it has the
-- beginning.
create or replace function private.term_pattern(term private.search_term, is_wide boolean, is_plain boolean)
    returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        given constant text := left(term.words, 100);
        parts text[] := '{}';
        word text;
    begin
        foreach word in array string_to_array(btrim(given), ' ') loop
            if is_wide and term.stemmed is not null then
                word := left(word, private.shared_length(word, term.stemmed));
            end if;
            parts := parts || case when is_plain then word else private.spellings_pattern(word) end;
        end loop;
        return case when given ^@ ' ' then '(?<![[:alnum:]])' else '' end || array_to_string(parts, '[^[:alnum:]]*')
            || case when is_wide or private.is_run(right(given, 1)) or length(term.words) > 100 then ''
                when given ~ ' $' then '(?![[:alnum:]])' else private.rest_of_word() end;
    end
    $$;

-- Whether a text has no letters but those of ASCII. Typographic signs are no letters.
create or replace function private.is_plain(value text) returns boolean
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$ select value !~ '[\u00AA\u00B5\u00BA\u00C0-\u1FFF\u2C00-\uFFFF\U00010000-\U0003FFFF]' $$;

-- These terms with their patterns for snippets.
create or replace function private.with_patterns(terms private.search_term[]) returns private.search_term[]
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        term private.search_term;
        result private.search_term[] := '{}';
    begin
        foreach term in array terms loop
            term.pattern := private.term_pattern(term, false, false);
            term.wide_pattern := private.term_pattern(term, true, false);
            result := result || term;
        end loop;
        return result;
    end
    $$;

-- The number of characters at the start of a folded word that it shares with its stem in every language; at least 3.
create or replace function private.shared_length(word text, spelled text) returns integer
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$
        select greatest(3, min((
            select count(*) from generate_series(1, least(length(word), length(stem))) as n
            where left(word, n) = left(stem, n))))::integer
        from (
            select private.stem(lang, spelled) as stem from unnest(private.stemmed_languages()) as lang offset 0
        ) as stems
        where stem <> ''
    $$;

-- Whether a word has the same folded form or the same stem as one of these terms.
create or replace function private.is_form_of(word text, lang text, terms private.search_term[]) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        lowered constant text := lower(word);
        folded constant text := ' ' || private.fold_words(lowered) || ' ';
        stem constant text := private.stem(lang, lowered);
        term private.search_term;
    begin
        foreach term in array terms loop
            if folded = term.words or stem = private.stem(lang, term.stemmed) then
                return true;
            end if;
        end loop;
        return false;
    end
    $$;

-- The pattern of the remaining characters of a word.
create or replace function private.rest_of_word() returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$ select '[[:alnum:]\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0900-\u0963\u0966-\u0DDF]*' $$;

-- The regular expression that finds these words; null for none.
create or replace function private.whole_words_pattern(words text[]) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$
        select '(?<![[:alnum:]])(?:' || nullif(array_to_string(words, '|'), '') || ')(?![[:alnum:]])'
    $$;

-- The words of a text that match by their form or stem only, and not by the pattern.
create or replace function private.words_of_stems(value text, lang text, marks private.search_marks) returns text[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    begin
        return array(
            select word from (
                select distinct matched[1] as word from regexp_matches(value, marks.stem_pattern, 'gi') as matched
            ) as words
            where word !~* marks.pattern and private.is_form_of(word, lang, marks.terms));
    end
    $$;

-- The place of the best match in a text; 0 if there is none. Two terms that stand close to each other are better than
-- one.
--
-- Most matches are found without reading all of a long text: in its first part, or, if the text is plain, where the
-- first word of the term stands.
create or replace function private.match_place(value text, lang text, marks private.search_marks) returns integer
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        first_part constant integer := 2000;
        margin constant integer := 100;
        words text[];
        place integer;
    begin
        place := regexp_instr(left(value, first_part), coalesce(marks.close_pattern, marks.pattern), 1, 1, 0, 'i');
        if place = 0 and length(value) > first_part then
            if marks.close_pattern is not null then
                place := regexp_instr(value, marks.close_pattern, 1, 1, 0, 'i');
            elsif marks.word is not null and marks.pattern = marks.plain_pattern then
                -- Many times faster than the pattern.
                place := strpos(lower(value collate "C"), ' ' || marks.word);
                if place > 0 then
                    place := case regexp_instr(substr(value, place, margin), marks.pattern, 1, 1, 0, 'i')
                        when 2 then place + 1 else 0 end;
                end if;
            end if;
        end if;
        if place = 0 then
            place := regexp_instr(value, marks.pattern, 1, 1, 0, 'i');
        end if;
        if place = 0 and marks.stem_pattern is not null then
            words := private.words_of_stems(value, lang, marks);
            if cardinality(words) > 0 then
                place := regexp_instr(value, private.whole_words_pattern(words));
            end if;
        end if;
        return place;
    end
    $$;

-- The passage of a text around its best match, with U+0002 and U+0003 around each match; null if there is no match.
create or replace function private.passage(value text, lang text, marks private.search_marks) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        max_length constant integer := 240;
        before constant integer := 60;
        is_ascii constant boolean := private.is_ascii(value);
        place integer;
        first integer;
        words text[];
        result text;
        last text;
    begin
        if is_ascii or private.is_plain(value) then
            marks.pattern := marks.plain_pattern;
            marks.close_pattern := marks.plain_close_pattern;
            marks.stem_pattern := marks.plain_stem_pattern;
        -- Fullwidth and halfwidth forms.
        elsif value ~ '[\uFF01-\uFFEE]' then
            value := normalize(value, nfkc);
        end if;
        place := private.match_place(value, lang, marks);
        if place = 0 then
            return null;
        end if;
        first := greatest(1, place - before);
        result := translate(substr(value, first, max_length), E'\x02\x03', '');
        if marks.stem_pattern is not null then
            words := private.words_of_stems(result, lang, marks);
        end if;
        result := regexp_replace(result, concat_ws('|', private.whole_words_pattern(words), marks.pattern),
            E'\x02\\&\x03', 'gi');
        -- No word is cut at either end, and no character that consists of several code points.
        if first > 1 then
            result := regexp_replace(result, '^[^\s\x02]{0,30}\s', '');
        end if;
        if first + max_length <= length(value) then
            last := right(result, 31);
            last := right(last, strpos(reverse(last), ' '));
            if strpos(last, E'\x03') = 0 then
                result := left(result, length(result) - length(last));
            end if;
            if not is_ascii then
                result := regexp_replace(result, '[\u200D\uFE0F\U0001F3FB-\U0001F3FF]+$', '');
            end if;
        end if;
        return btrim(regexp_replace(translate(result, E'\x1f', ' '), '\s+', ' ', 'g'));
    end
    $$;

-- What the snippets of a query show; null for a query without words outside the title.
create or replace function private.snippet_marks(terms private.search_term[]) returns private.search_marks
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        marks private.search_marks;
        word text;
    begin
        marks.terms := array(select term from unnest(terms) as term where (term).field is distinct from 'title');
        if cardinality(marks.terms) = 0 then
            return null;
        end if;
        select string_agg(term.pattern, '|'),
                '((?:' || string_agg(term.wide_pattern, '|') filter (where term.stemmed is not null) || ')'
                    || private.rest_of_word() || ')'
            into marks.pattern, marks.stem_pattern from unnest(marks.terms) as term;
        select string_agg(private.term_pattern(term, false, true), '|'),
                '((?:' || string_agg(private.term_pattern(term, true, true), '|')
                    filter (where term.stemmed is not null) || ')' || private.rest_of_word() || ')'
            into marks.plain_pattern, marks.plain_stem_pattern from unnest(marks.terms) as term;
        if cardinality(marks.terms) > 1 then
            marks.close_pattern := marks.terms[1].pattern || '.{0,60}' || marks.terms[2].pattern;
            marks.plain_close_pattern := private.term_pattern(marks.terms[1], false, true) || '.{0,60}'
                || private.term_pattern(marks.terms[2], false, true);
        end if;
        word := split_part(btrim(marks.terms[1].words), ' ', 1);
        if cardinality(marks.terms) = 1 and marks.terms[1].words ^@ ' ' and private.is_ascii(word) then
            marks.word := word;
        end if;
        return marks;
    end
    $$;

-- The snippet of a link: HTML with its matches in <mark>; null without a match.
create or replace function private.snippet(link uuid, lang text, marks private.search_marks) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        stem_lang constant text := private.stemmed_language(lang);
        part text;
        passage text;
    begin
        if marks.pattern is null then
            return null;
        end if;
        -- The function concat reads the stored text once, instead of in each expression below.
        passage := private.passage(
            (select concat(text_content) from public.articles where link_id = link), stem_lang, marks);
        if passage is null then
            for part in
                select value from (
                    select 2 as place, quote as value from public.highlights where link_id = link
                    union all
                    select 3, note from public.highlights where link_id = link
                    union all
                    select 3, body from public.notes where link_id = link
                    union all
                    select 4, rest.display_text(description, description_is_text) from public.links where id = link
                ) as parts
                where value <> ''
                order by place
            loop
                passage := private.passage(part, stem_lang, marks);
                exit when passage is not null;
            end loop;
        end if;
        return replace(replace(
            replace(replace(replace(replace(replace(passage,
                '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;'),
            E'\x02', '<mark>'), E'\x03', '</mark>');
    end
    $$;

revoke execute on function private.spellings_pattern(text), private.term_pattern(private.search_term, boolean, boolean),
    private.is_plain(text),
    private.with_patterns(private.search_term[]), private.shared_length(text, text), private.rest_of_word(),
    private.whole_words_pattern(text[]), private.is_form_of(text, text, private.search_term[]),
    private.words_of_stems(text, text, private.search_marks),
    private.match_place(text, text, private.search_marks), private.passage(text, text, private.search_marks),
    private.snippet_marks(private.search_term[]), private.snippet(uuid, text, private.search_marks)
    from public;

set local role lectern_owner;
