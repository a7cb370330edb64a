-- Snippets: the passage of a link that fits a query best, with its matches marked.

set local role lectern_search;

-- A regular expression for folded text that also matches the spellings it stands for, in lower case.
create or replace function private.spellings_pattern(folded text) returns text
    language plpgsql immutable
    as $$
    declare
        marks constant text := '[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]*';
        letters constant text := 'acdeghijklnorstuwyzαεηιουωσиеіугкاوي';
        classes constant text[] := array['aàáâãäåāăąǎạảấầẩẫậắằẳẵặæ', 'cçćĉċč', 'dďđḍ', 'eèéêëēĕėęěẹẻẽếềểễệ', 'gĝğġģ',
            'hĥħ', 'iìíîïĩīĭįıỉị', 'jĵ', 'kķ', 'lĺļľł', 'nñńņňṇ', 'oòóôõöøōŏőơọỏốồổỗộớờởỡợœ', 'rŕŗř', 'sśŝşšșṣß',
            'tţťŧțṭ', 'uùúûüũūŭůűųưụủứừửữự', 'wŵẁẃẅ', 'yýÿŷỳỵỷỹ', 'zźżžẓ', 'αά', 'εέ', 'ηή', 'ιίϊΐ', 'οό', 'υύϋΰ', 'ωώ',
            'σς', 'иӥйѝ', 'еёѐ', 'іїи', 'уў', 'гѓ', 'кќ', 'اأإآٱ', 'وؤ', 'يئ'];
        result text := '';
        letter text;
        pattern text;
        pair text;
    begin
        for place in 1..length(folded) loop
            letter := substr(folded, place, 1);
            pattern := '[' || classes[nullif(strpos(letters, letter), 0)] || ']';
            pattern := case when pattern is not null then pattern || marks when letter ~ '[0-9a-z]' then letter
                else letter || marks end;
            if pair <> '' then
                -- The second letter of a pair.
                result := result || pattern || '|' || pair || ')' || marks;
                pair := '';
                continue;
            end if;
            -- Pairs of letters that one letter stands for, too.
            pair := case substr(folded, place, 2) when 'ss' then 'ß' when 'ae' then 'æ' when 'oe' then 'œ' else '' end;
            result := result || case when pair <> '' then '(?:' else '' end || pattern;
        end loop;
        return result;
    end
    $$;

-- The regular expression that finds a term in a text, regardless of case. A wide one also finds words that only begin
-- like the term, as words with the same stem do. Of a long term it has the beginning.
create or replace function private.term_pattern(term private.search_term, is_wide boolean) returns text
    language plpgsql immutable
    as $$
    declare
        given constant text := left(term.words, 100);
        pattern text := '';
        word text;
    begin
        foreach word in array string_to_array(btrim(given), ' ') loop
            if is_wide and term.stemmed is not null then
                word := left(word, private.shared_length(word, term.stems));
            end if;
            pattern := pattern || case when pattern <> '' then '[^[:alnum:]]*' else '' end
                || private.spellings_pattern(word);
        end loop;
        return case when given ^@ ' ' then '(?<![[:alnum:]])' else '' end || pattern
            || case when is_wide or private.is_run(right(given, 1)) or length(term.words) > 100 then ''
                when given ~ ' $' then '(?![[:alnum:]])' else private.rest_of_word() end;
    end
    $$;

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
            select word from (
                select distinct matched[1] from regexp_matches(value, marks.stem_pattern, 'gi') as matched offset 0
            ) as words (word)
            where word !~* marks.pattern);
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

-- A passage of a text with U+0002 and U+0003 around each match of the pattern; null if there is none. Of a passage that
-- begins or ends within the text, a word that is cut is left out.
create or replace function private.marked_passage(
    value text, begins_within boolean, ends_within boolean, pattern text
) returns text
    language plpgsql immutable
    as $$
    declare
        result text := replace(replace(value, E'\x02', ''), E'\x03', '');
        last text;
    begin
        -- Before the matches are marked, since a part of a word is no match.
        if begins_within then
            result := regexp_replace(result, '^\S{0,30}\s', '');
        end if;
        if ends_within then
            last := right(result, 31);
            last := right(last, strpos(reverse(last), ' '));
            result := left(result, length(result) - length(last));
            -- A character may consist of several code points.
            if not private.is_ascii(result) then
                result := regexp_replace(result, '[\u200D\uFE0F\U0001F3FB-\U0001F3FF]+$', '');
            end if;
        end if;
        result := regexp_replace(result, pattern, E'\x02\\&\x03', 'gi');
        if strpos(result, E'\x02') = 0 then
            return null;
        end if;
        return btrim(regexp_replace(result, '[\s\x1f]{2,}|[^\S ]|\x1f', ' ', 'g'));
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
create or replace function private.snippet_marks(terms private.search_term[]) returns private.search_marks
    language plpgsql immutable
    as $$
    declare
        term private.search_term;
        marks private.search_marks;
        wide text;
    begin
        foreach term in array terms loop
            marks.pattern := concat_ws('|', marks.pattern, private.term_pattern(term, false));
            if term.stemmed is not null then
                wide := concat_ws('|', wide, private.term_pattern(term, true));
            end if;
            marks.words := marks.words || term.words;
            marks.stems := marks.stems || term.stems;
        end loop;
        marks.stem_pattern := '((?:' || wide || ')' || private.rest_of_word() || ')';
        return marks;
    end
    $$;

-- The place of the first match in a text, or of the first word that may match by its stem; 0 if there is none.
create or replace function private.place_of_marks(value text, marks private.search_marks) returns integer
    language sql immutable
    as $$
        select coalesce(
            nullif(regexp_instr(value, marks.pattern, 1, 1, 0, 'i'), 0),
            regexp_instr(value, marks.stem_pattern, 1, 1, 0, 'i'), 0)
    $$;

-- The pattern of two terms with at most so many characters between them.
create or replace function private.near_pattern(one text, other text, distance text) returns text
    language sql immutable
    as $$ select one || '.{0,' || distance || '}' || other || '|' || other || '.{0,' || distance || '}' || one $$;

-- The texts in which a snippet is looked for, one after another: the start of the article, all of it, quotes, notes, and the
-- description.
create or replace function private.snippet_source(link uuid, number integer) returns text
    language plpgsql stable
    as $$
    begin
        if number = 1 then
            return (select substr(a.text_content, 1, 2000) from public.articles a where a.link_id = link);
        elsif number = 2 then
            return (select concat(a.text_content) from public.articles a where a.link_id = link);
        elsif number = 3 then
            return (select string_agg(h.quote, E'\x1f') from public.highlights h where h.link_id = link);
        elsif number = 4 then
            return (private.short_texts(link)).notes;
        end if;
        return (
            select rest.display_text(l.description, l.description_is_text) from public.links l where l.id = link);
    end
    $$;

-- The snippets of these links: HTML with the matches in <mark>; null for a link without a match outside its title.
--
-- One query reads the texts of all links that have no snippet yet, and stems are looked up for all passages together: a
-- query takes longer than finding a word in a text.
create or replace function private.snippets(ids uuid[], terms private.search_term[]) returns text[]
    language plpgsql stable
    as $$
    declare
        max_start constant integer := 2000;
        max_length constant integer := 240;
        before constant integer := 60;
        shown constant private.search_term[] := array(
            select term from unnest(terms) as term where term.field is distinct from 'title');
        marks private.search_marks;
        near text;
        link record;
        given record;
        value text;
        place integer;
        -- Whether the article is longer than what has been read of it.
        is_long boolean[];
        -- The passages to be marked: whose they are, and how many characters come before. They have one character more
        -- than is shown if the text goes on.
        numbers integer[];
        langs text[];
        passages text[];
        starts integer[];
        pattern text;
        results text[];
    begin
        if cardinality(shown) = 0 or coalesce(cardinality(ids), 0) = 0 then
            return null;
        end if;
        marks := private.snippet_marks(shown);
        near := case when cardinality(shown) > 1 then private.near_pattern(
            private.term_pattern(shown[1], false), private.term_pattern(shown[2], false), '30') end;
        is_long := array_fill(true, array[cardinality(ids)]);
        results := array_fill(null::text, array[cardinality(ids)]);
        for turn in 1..5 loop
            exit when array_position(results, null) is null;
            numbers := '{}';
            langs := '{}';
            passages := '{}';
            starts := '{}';
            for link in
                select wanted.number::integer, private.stemmed_language(l.lang) as lang,
                    case turn when 1 then substr(a.text_content, 1, max_start)
                        when 2 then concat(a.text_content) else private.snippet_source(l.id, turn) end as value
                from unnest(ids, results, is_long) with ordinality as wanted (id, result, is_long, number)
                    join public.links l on l.id = wanted.id
                    left join public.articles a on a.link_id = l.id
                where wanted.result is null and (wanted.is_long or turn > 2)
            loop
                value := link.value;
                continue when coalesce(value, '') = '';
                place := coalesce(nullif(regexp_instr(value, near, 1, 1, 0, 'i'), 0), private.place_of_marks(value, marks));
                if place = 0 then
                    is_long[link.number] := length(value) = max_start;
                end if;
                -- Fullwidth and halfwidth forms.
                if place = 0 and not private.is_ascii(value) and value ~ '[\uFF01-\uFFEE]' then
                    value := normalize(value, nfkc);
                    place := private.place_of_marks(value, marks);
                end if;
                continue when place = 0;
                place := greatest(1, place - before);
                numbers := numbers || link.number;
                langs := langs || link.lang;
                passages := passages || substr(value, place, max_length + 1);
                starts := starts || place;
            end loop;
            for given in
                select lang, array_agg(number) as numbers, array_agg(passage) as passages, array_agg(start) as starts
                from unnest(numbers, langs, passages, starts) as found (number, lang, passage, start)
                group by lang
            loop
                pattern := concat_ws('|', private.whole_words_pattern(
                    private.words_of_stems(array_to_string(given.passages, E'\n'), given.lang, marks)), marks.pattern);
                for i in 1..cardinality(given.numbers) loop
                    results[given.numbers[i]] := private.passage_html(private.marked_passage(
                        left(given.passages[i], max_length), given.starts[i] > 1,
                        length(given.passages[i]) > max_length, pattern));
                end loop;
            end loop;
            -- The first word that begins like the stem may have another one.
            if marks.stem_pattern is not null then
                for i in 1..cardinality(numbers) loop
                    continue when results[numbers[i]] is not null;
                    value := private.snippet_source(ids[numbers[i]], turn);
                    -- The rest of the article more likely has the word itself.
                    continue when turn = 1 and length(value) = max_start;
                    pattern := private.whole_words_pattern(private.words_of_stems(value, langs[i], marks));
                    place := coalesce(regexp_instr(value, pattern), 0);
                    continue when place = 0;
                    place := greatest(1, place - before);
                    results[numbers[i]] := private.passage_html(private.marked_passage(substr(value, place, max_length),
                        place > 1, place + max_length <= length(value), pattern));
                end loop;
            end if;
        end loop;
        return results;
    end
    $$;

revoke execute on function private.spellings_pattern(text), private.term_pattern(private.search_term, boolean),
    private.shared_length(text, text[]), private.rest_of_word(), private.whole_words_pattern(text[]),
    private.words_of_stems(text, text, private.search_marks),
    private.marked_passage(text, boolean, boolean, text), private.passage_html(text),
    private.snippet_marks(private.search_term[]), private.place_of_marks(text, private.search_marks),
    private.near_pattern(text, text, text), private.snippet_source(uuid, integer),
    private.snippets(uuid[], private.search_term[])
    from public;

set local role lectern_owner;
