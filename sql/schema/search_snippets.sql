-- Snippets: the passage of a link that fits a query best, with its matches marked.

set local role lectern_search;

-- A regular expression for folded text that also matches the spellings it stands for, in lower case.
create or replace function private.spellings_pattern(folded text) returns text
    language plpgsql immutable
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
    as $$
    declare
        given constant text := left(term.words, 100);
        parts text[] := '{}';
        word text;
    begin
        foreach word in array string_to_array(btrim(given), ' ') loop
            if is_wide and term.stemmed is not null then
                word := left(word, private.shared_length(word, term.stems));
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
    as $$ select value !~ '[\u00AA\u00B5\u00BA\u00C0-\u1FFF\u2C00-\uFFFF\U00010000-\U0003FFFF]' $$;

-- The number of characters at the start of a folded word that it shares with each of these stems, which have their
-- language and a colon before them; at least 3.
create or replace function private.shared_length(word text, stems text[]) returns integer
    language plpgsql immutable
    as $$
    declare
        result integer := length(word);
        stem text;
    begin
        foreach stem in array coalesce(stems, '{}') loop
            stem := split_part(stem, ':', 2);
            while left(word, result) <> left(stem, result) loop
                result := result - 1;
            end loop;
            result := least(result, length(stem));
        end loop;
        return greatest(3, result);
    end
    $$;

-- The pattern of the remaining characters of a word.
create or replace function private.rest_of_word() returns text
    language sql immutable
    as $$ select '[[:alnum:]\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0900-\u0963\u0966-\u0DDF]*' $$;

-- The regular expression that finds these words; null for none.
create or replace function private.whole_words_pattern(words text[]) returns text
    language sql immutable
    as $$
        select '(?<![[:alnum:]])(?:' || nullif(array_to_string(words, '|'), '') || ')(?![[:alnum:]])'
    $$;

-- The words of a text that match by their form or stem only, and not by the pattern.
create or replace function private.words_of_stems(value text, lang text, marks private.search_marks) returns text[]
    language plpgsql stable
    as $$
    declare
        found text[];
        lowered text[];
    begin
        if marks.stem_pattern is null then
            return '{}';
        end if;
        found := array(
            select distinct matched[1] from regexp_matches(value, marks.stem_pattern, 'gi') as matched
            where matched[1] !~* marks.pattern);
        if found = '{}' then
            return found;
        end if;
        lowered := string_to_array(lower(array_to_string(found, ' ')), ' ');
        return array(
            select word
            from unnest(found, private.fold_all(lowered),
                coalesce(private.fold_all(private.spelled_stems(lang, lowered)), '{}')) as given (word, folded, stem)
            where ' ' || folded || ' ' = any (marks.words) or lang || ':' || stem = any (marks.stems));
    end
    $$;

-- Where words begin with this one in a text in lower case, from a place on; 0 if none does. With `is_whole`, they must
-- end with it, too. A run of Chinese and similar characters may stand anywhere.
create or replace function private.word_place(
    value text, word text, is_whole boolean, first integer, is_run boolean default false
) returns integer
    language plpgsql immutable
    as $$
    declare
        rest text := case when first = 1 then value else substr(value, first) end;
        place integer := first - 1;
        found integer;
    begin
        -- Most words stand between spaces.
        if not is_run then
            found := strpos(rest, ' ' || word || case when is_whole then ' ' else '' end);
            if found > 0 then
                return place + found + 1;
            end if;
        end if;
        -- Words in which the word only occurs, at most so many.
        for i in 1..20 loop
            found := strpos(rest, word);
            exit when found = 0;
            place := place + found;
            if is_run or (place = 1 or substr(value, place - 1, 1) !~ '[[:alnum:]]')
                and (not is_whole or substr(rest, found + length(word), 1) !~ '[[:alnum:]]')
            then
                return place;
            end if;
            rest := substr(rest, found + 1);
        end loop;
        return 0;
    end
    $$;

-- The place of the best match of several words in a text in lower case: where the first one stands close to the second;
-- and whether they are close. Words have a space at an end where they begin or end.
create or replace function private.place_of_words(lowered text, words text[], out place integer, out is_close boolean)
    language plpgsql immutable
    as $$
    declare
        near constant integer := 100;
        word constant text := btrim(words[1]);
        other constant text := btrim(words[2]);
        is_whole constant boolean := words[1] ~ ' $';
        is_run constant boolean := words[1] !~ '^ ';
        has_other constant boolean := strpos(lowered, other) > 0;
        next integer;
        beside integer;
    begin
        place := private.word_place(lowered, word, is_whole, 1, is_run);
        is_close := other is null and place > 0;
        next := place;
        -- So many matches of the first word are tried.
        for i in 1..10 loop
            exit when next = 0 or has_other is not true;
            beside := strpos(substr(lowered, greatest(1, next - near), 2 * near), other);
            if beside > 0 then
                place := least(next, greatest(1, next - near) + beside - 1);
                is_close := true;
                return;
            end if;
            next := private.word_place(lowered, word, is_whole, next + 1, is_run);
        end loop;
    end
    $$;

-- The passage of so many characters from a place of a text on, with U+0002 and U+0003 around each match of the pattern,
-- or of words that match by their stem.
create or replace function private.passage(value text, place integer, pattern text, words text[]) returns text
    language plpgsql stable
    as $$
    declare
        max_length constant integer := 240;
        result text := translate(substr(value, place, max_length), E'\x02\x03', '');
        last text;
    begin
        result := regexp_replace(result, concat_ws('|', private.whole_words_pattern(words), pattern), E'\x02\\&\x03',
            'gi');
        -- No word is cut at either end, and no character that consists of several code points.
        if place > 1 then
            result := regexp_replace(result, '^[^\s\x02]{0,30}\s', '');
        end if;
        if place + max_length <= length(value) then
            last := right(result, 31);
            last := right(last, strpos(reverse(last), ' '));
            if strpos(last, E'\x03') = 0 then
                result := left(result, length(result) - length(last));
            end if;
            if not private.is_ascii(result) then
                result := regexp_replace(result, '[\u200D\uFE0F\U0001F3FB-\U0001F3FF]+$', '');
            end if;
        end if;
        return btrim(regexp_replace(translate(result, E'\x1f', ' '), '\s+', ' ', 'g'));
    end
    $$;

-- A passage as HTML, with its matches in <mark>.
create or replace function private.passage_html(passage text) returns text
    language sql immutable
    as $$
        select replace(replace(
            replace(replace(replace(replace(replace(passage,
                '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;'),
            E'\x02', '<mark>'), E'\x03', '</mark>')
    $$;

-- What is marked in the texts of these terms; see the type.
create or replace function private.snippet_marks(terms private.search_term[], is_plain boolean)
    returns private.search_marks
    language sql immutable
    as $$
        select string_agg(private.term_pattern(term, false, is_plain), '|'),
            '((?:' || string_agg(private.term_pattern(term, true, is_plain), '|')
                filter (where term.stemmed is not null) || ')' || private.rest_of_word() || ')',
            array_agg(term.words),
            array(select unnest(stems) from unnest(terms))
        from unnest(terms) as term
    $$;

-- The place of the first match in a text; 0 if there is none.
create or replace function private.place_of_pattern(value text, lang text, marks private.search_marks) returns integer
    language plpgsql stable
    as $$
    declare
        place integer := regexp_instr(value, marks.pattern, 1, 1, 0, 'i');
    begin
        if place = 0 and marks.stem_pattern is not null then
            place := regexp_instr(value, private.whole_words_pattern(private.words_of_stems(value, lang, marks)));
        end if;
        return coalesce(place, 0);
    end
    $$;

-- The snippet around a place of a text; null if nothing in it is to be marked.
create or replace function private.snippet_at(value text, place integer, lang text, marks private.search_marks)
    returns text
    language plpgsql stable
    as $$
    declare
        before constant integer := 60;
        first constant integer := greatest(1, place - before);
        passage constant text := private.passage(value, first, marks.pattern,
            private.words_of_stems(substr(value, first, 240), lang, marks));
    begin
        return case when strpos(passage, E'\x02') > 0 then private.passage_html(passage) end;
    end
    $$;

-- The snippets of these links: HTML with the matches in <mark>; null for a link without a match outside its title.
--
-- Most matches are plain words at the start of the article, which are found without a regular expression and without
-- the rest of the text. The plain patterns are for texts without accents; PostgreSQL runs them several times faster.
create or replace function private.snippets(ids uuid[], terms private.search_term[]) returns text[]
    language plpgsql stable
    as $$
    declare
        max_start constant integer := 2000;
        before constant integer := 60;
        shown constant private.search_term[] := array(
            select term from unnest(terms) as term where term.field is distinct from 'title');
        all_words constant text[] := array(select words from unnest(shown));
        -- How words with the same stems begin.
        beginnings constant text[] := array(
            select ' ' || left(stemmed, private.shared_length(stemmed, stems)) from unnest(shown)
            where stems is not null);
        plain_marks constant private.search_marks := private.snippet_marks(shown, true);
        other_marks constant private.search_marks := private.snippet_marks(shown, false);
        marks private.search_marks;
        results text[];
        link record;
        source integer;
        value text;
        lowered text;
        place integer;
        is_close boolean;
    begin
        if cardinality(shown) = 0 then
            return null;
        end if;
        for link in
            select l.id, private.stemmed_language(l.lang) as lang, number, substr(a.text_content, 1, max_start) as start
            from unnest(ids) with ordinality as wanted (id, number) join public.links l on l.id = wanted.id
                left join public.articles a on a.link_id = l.id
        loop
            -- The start of the article, the whole article, and then the other texts one after another.
            for source in 1..5 loop
                value := case source when 1 then link.start
                    when 2 then case when length(link.start) = max_start then (
                        select concat(text_content) from public.articles where link_id = link.id) end
                    when 3 then (select string_agg(quote, E'\x1f') from public.highlights where link_id = link.id)
                    when 4 then (private.short_texts(link.id)).notes
                    else (select rest.display_text(description, description_is_text) from public.links
                        where id = link.id) end;
                continue when coalesce(value, '') = '';
                -- Places stay the same.
                lowered := case when private.is_ascii(value) then lower(value collate "C") else lower(value) end;
                select p.place, p.is_close into place, is_close from private.place_of_words(lowered, all_words) as p;
                if place = 0 and beginnings <> '{}' then
                    select p.place, p.is_close into place, is_close
                        from private.place_of_words(lowered, beginnings) as p;
                end if;
                -- The rest of the article may have the words close to each other.
                continue when not is_close and source = 1 and length(value) = max_start;
                if place > 0 then
                    marks := case when private.is_plain(substr(value, greatest(1, place - before), 240))
                        then plain_marks else other_marks end;
                    results[link.number] := private.snippet_at(value, place, link.lang, marks);
                end if;
                -- None if a word only begins like one with the same stem.
                if results[link.number] is null then
                    marks := case when private.is_plain(value) then plain_marks else other_marks end;
                    -- Fullwidth and halfwidth forms.
                    if value ~ '[\uFF01-\uFFEE]' then
                        value := normalize(value, nfkc);
                    end if;
                    place := private.place_of_pattern(value, link.lang, marks);
                    if place > 0 then
                        results[link.number] := private.snippet_at(value, place, link.lang, marks);
                    end if;
                end if;
                exit when results[link.number] is not null;
            end loop;
        end loop;
        return results;
    end
    $$;

revoke execute on function private.spellings_pattern(text),
    private.term_pattern(private.search_term, boolean, boolean), private.is_plain(text),
    private.shared_length(text, text[]), private.rest_of_word(), private.whole_words_pattern(text[]),
    private.words_of_stems(text, text, private.search_marks),
    private.word_place(text, text, boolean, integer, boolean), private.place_of_words(text, text[]),
    private.passage(text, integer, text, text[]), private.passage_html(text),
    private.snippet_marks(private.search_term[], boolean),
    private.place_of_pattern(text, text, private.search_marks),
    private.snippet_at(text, integer, text, private.search_marks), private.snippets(uuid[], private.search_term[])
    from public;

set local role lectern_owner;
