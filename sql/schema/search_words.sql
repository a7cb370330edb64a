-- How search splits and folds text. Texts and queries are treated by the same functions, so both find each other.
--
-- A text consists of words (letters, marks and digits) and of runs of Chinese, Japanese, Korean, Thai, Lao, Khmer or
-- Burmese characters, which are written without spaces. Everything else separates. A run ends where a word begins.
--
-- Texts of one part of a link are joined by U+001F, which becomes a word of its own: no phrase crosses it.

-- The number of the rules in this file. A change of the rules counts it up, and `lectern maintain reindex` then renews
-- what was indexed by older ones.
create or replace function private.word_rules() returns smallint
    language sql immutable parallel safe
    as $$ select 1::smallint $$;

-- Whether a text has only ASCII characters, which need no normalization.
create or replace function private.is_ascii(value text) returns boolean
    language sql immutable parallel safe
    as $$ select octet_length(value) = length(value) $$;

-- The words and runs of a text, in order, in lower case and with their accents. Compatibility forms such as fullwidth
-- letters are unified, and invisible characters removed.
create or replace function private.split_words(value text) returns text[]
    language plpgsql immutable parallel safe
    as $$
    begin
        if private.is_ascii(value) then
            return array_remove(
                string_to_array(
                    regexp_replace(replace(lower(value collate "C"), E'\x1f', E' \x1f '), '[^a-z0-9\x1f]+', ' ', 'g'),
                    ' '),
                '');
        end if;
        -- The check is several times faster than a normalization that changes nothing.
        if value is not nfkc normalized then
            value := normalize(value, nfkc);
        end if;
        value := lower(value);
        -- Soft hyphens, joiners, directions and variation selectors.
        value := regexp_replace(value,
            '[\u00AD\u034F\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFE00-\uFE0F\uFEFF]+', '', 'g');
        -- Marks that the character class alnum lacks belong to words. Danda, and the punctuation of Thai, Burmese and
        -- Khmer, which it has in part, do not.
        value := regexp_replace(replace(value, E'\x1f', E' \x1f '),
            '[^[:alnum:]\u0300-\u036F\u0483-\u0487\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC'
            '\u06DF-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u0900-\u0963\u0966-\u0DDF\u0E01-\u0E3A'
            '\u0E40-\u0E4E\u0E50-\u0E59\u0E80-\u0EFF\u0F18\u0F19\u0F35\u0F37\u0F39\u0F71-\u0F84\u0F90-\u0FBC'
            '\u1000-\u1049\u1050-\u109F\u1780-\u17D3\u17DD\u17E0-\u17E9\u1AB0-\u1AFF\u1B00-\u1B44\u1DC0-\u1DFF'
            '\u3099\u309A\uA9E0-\uA9FF\uAA60-\uAA7F\x1f]+|[\u0964\u0965\u0E2F\u0E46\u0E4F\u0E5A\u0E5B\u104A-\u104F'
            '\u17D4-\u17DA]+', ' ', 'g');
        if value ~ private.run_pattern() then
            value := regexp_replace(value, private.run_pattern() || '+', ' \& ', 'g');
        end if;
        return array_remove(string_to_array(value, ' '), '');
    end
    $$;

-- A character of a run.
create or replace function private.run_pattern() returns text
    language sql immutable parallel safe
    as $$
        select '[\u0E01-\u0E3A\u0E40-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u3005-\u3007\u3021-\u3029'
            '\u3031-\u3035\u3038-\u303C\u3041-\u3096\u3099\u309A\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF'
            '\u3105-\u312F\u3131-\u318E\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF'
            '\uA960-\uA97F\uA9E0-\uA9FF\uAA60-\uAA7F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]'
    $$;

-- Text from split_words without accents: marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters are removed, and
-- letters that are spelled in two ways are unified.
create or replace function private.fold_words(value text) returns text
    language plpgsql immutable parallel safe
    as $$
    begin
        if private.is_ascii(value) then
            return value;
        end if;
        if value ~ '[\u00C0-\u1FFF\u2C60-\u2C7F\uA720-\uA7FF]' then
            value := regexp_replace(normalize(value, nfd),
                '([a-z\u00DF-\u024F\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u05D0-\u05F4\u0620-\u064A\u0671-\u06D5'
                '\u1D00-\u1DBF\u1E00-\u1FFF])[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5'
                '\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED'
                '\u1AB0-\u1AFF\u1DC0-\u1DFF]+', '\1', 'g');
            if value is not nfc normalized then
                value := normalize(value, nfc);
            end if;
            if value ~ '[ßæœ]' then
                value := replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
            end if;
            if value ~ '[đıøłħŧς]' then
                value := translate(value, 'đıøłħŧς', 'dioĺhtσ');
                value := replace(value, 'ĺ', 'l');
            end if;
        end if;
        return value;
    end
    $$;

-- These words without accents, in the same order. Only words that change are folded, all in one call.
create or replace function private.fold_all(words text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
    declare
        joined constant text := array_to_string(words, ' ');
        places integer[];
        folded text[];
    begin
        if private.is_ascii(joined) then
            return words;
        end if;
        places := array(
            select place from unnest(words) with ordinality as given (word, place)
            where not private.is_ascii(word)
                and (word is not nfd normalized or word ~ '[ßæœđıøłħŧς\u0300-\u06ED]'));
        folded := string_to_array(
            private.fold_words(array_to_string(array(select words[place] from unnest(places) as place), ' ')), ' ');
        for i in 1..cardinality(places) loop
            words[places[i]] := folded[i];
        end loop;
        return words;
    end
    $$;

-- A text as a search compares phrases with it: its folded words and runs with a space between two of them and at both
-- ends.
create or replace function private.folded_text(value text) returns text
    language sql immutable parallel safe
    as $$ select ' ' || private.fold_words(array_to_string(private.split_words(value), ' ')) || ' ' $$;

-- The regular expression that decides whether a simple text holds these words, which are folded, with a space between
-- two of them, and at an end where the word must end. Null for words of other letters than simple texts have.
create or replace function private.phrase_pattern(words text) returns text
    language plpgsql immutable parallel safe
    as $$
    declare
        pattern text;
        word text;
    begin
        -- The last letters of a beginning, and the first two of three s, may be half of a letter that stands for two.
        if words ~ '[^ 0-9a-zа-я]|sss|[aos]$' or length(words) > 200 then
            return null;
        end if;
        foreach word in array string_to_array(btrim(words), ' ') loop
            pattern := concat_ws('[^[:alnum:]\x1f]+', pattern, private.spellings_pattern(word));
        end loop;
        -- Such a letter does not stand for one of the two.
        pattern := regexp_replace(pattern, '[æœß]\]', ']', 'g');
        return case when words ^@ ' ' then '(?<![[:alnum:]])' else '' end || pattern
            || case when words ~ ' $' then '(?![[:alnum:]])' else '' end;
    end
    $$;

-- A character of a text that is not simple. Folding a simple text only changes case and removes the accents of letters,
-- one letter for another, so that `phrase_pattern` finds the same words: it has Latin letters of European languages,
-- Russian, and common punctuation, without the characters that NFKC changes, joiners and combining marks.
create or replace function private.unusual_pattern() returns text
    language sql immutable parallel safe
    as $$
        select '[^\u0001-\u007F\u00A0-\u00A7\u00A9\u00AB\u00AC\u00AE\u00B0\u00B1\u00B6\u00B7\u00BB\u00BF-\u012F\u0131'
            '\u0134-\u013E\u0141-\u0148\u014A-\u017E\u0401\u0410-\u044F\u0451\u2010-\u2016\u2018-\u2023\u2026\u2030'
            '\u2032\u2033\u2039\u203A\u20AC]'
    $$;

-- Whether a text holds these words, which are folded, with a space between two of them, and at an end where the word
-- must end: the same as strpos(folded_text(value), words) > 0. `pattern` is that of `phrase_pattern`; folding takes a
-- hundred times as long.
create or replace function private.holds_words(value text, words text, pattern text) returns boolean
    language plpgsql immutable parallel safe
    cost 10000
    as $$
    begin
        if pattern is not null and strpos(value, words) > 0 then
            return true;
        elsif pattern is not null and (private.is_ascii(value) or value !~ private.unusual_pattern()) then
            return value ~* pattern;
        elsif private.is_ascii(value) and not private.is_ascii(words) then
            return false;
        end if;
        return strpos(lower(value), words) > 0 or strpos(private.folded_text(value), words) > 0;
    end
    $$;

-- Whether a word from split_words is a run.
create or replace function private.is_run(word text) returns boolean
    language sql immutable parallel safe
    as $$ select not private.is_ascii(word) and word ~ private.run_pattern() $$;

-- The keys of runs: their pairs of characters and their last characters, so that each character begins a key. A long
-- run is split into its characters first, since `substr` counts from the start each time.
create or replace function private.run_keys(runs text[]) returns text[]
    language sql immutable parallel safe
    as $$
        select array(
            select ':' || substr(run, i, 2) from unnest(runs) as run, generate_series(1, length(run)) as i
            where length(run) <= 100
            union all
            select distinct ':' || first || coalesce(second, '') from unnest(runs) as run,
                lateral (select string_to_array(run, null) as characters offset 0) as split,
                unnest(characters, characters[2:]) as pairs (first, second)
            where length(run) > 100 and first is not null)
    $$;

-- An array in order and without duplicates, like `array_agg(distinct)` but several times faster.
create or replace function private.distinct_texts(texts text[]) returns text[]
    language sql immutable parallel safe
    as $$ select tsvector_to_array(array_to_tsvector(texts)) $$;

-- The stems of words from split_words, with their accents; "-" for a word without stem, and null for a language
-- without stemmer.
create or replace function private.spelled_stems(lang text, words text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
    begin
        if lang = any (private.stemmed_languages()) then
            return array(
                select coalesce(nullif((ts_lexize(stemmer, word))[1], ''), '-')
                from (select ('private.stem_' || lang)::regdictionary as stemmer offset 0) as chosen,
                    unnest(words) as word);
        end if;
        return null;
    end
    $$;

-- The stem of a word from split_words, with its accents; null for a language without stemmer.
create or replace function private.spelled_stem(lang text, word text) returns text
    language sql immutable parallel safe
    as $$ select nullif((private.spelled_stems(lang, array[word]))[1], '-') $$;

-- The stem of a word from split_words, folded; null for a language without stemmer.
create or replace function private.stem(lang text, word text) returns text
    language sql immutable parallel safe
    as $$ select private.fold_words(private.spelled_stem(lang, word)) $$;

-- The languages with a stemmer.
create or replace function private.stemmed_languages() returns text[]
    language sql immutable parallel safe
    as $$ select '{da,de,en,es,fi,fr,hu,it,nl,no,pt,ro,ru,sv,tr}'::text[] $$;

-- The language of a language tag that has a stemmer; null for others.
create or replace function private.stemmed_language(tag text) returns text
    language plpgsql immutable parallel safe
    as $$
    declare
        base constant text := lower(split_part(replace(tag, '_', '-'), '-', 1));
    begin
        return case when base in ('nb', 'nn') then 'no' when base = any (private.stemmed_languages()) then base end;
    end
    $$;

-- The keys of a text, without the number of the owner and the sign of the field, which begin each key in the index.
--
-- Stems have their language beside them, since a stem is found only in articles of its language. A stem that is the
-- word itself has no key of its own. A word is cut after 200 characters.
create or replace function private.text_keys(lang text, value text) returns text[]
    -- PL/pgSQL keeps the plans of its statements, which take longer to make than to run for a short text.
    language plpgsql immutable parallel safe
    as $$
    declare
        words text[] := private.split_words(value);
        has_runs constant boolean := not private.is_ascii(value)
            and array_to_string(words, ' ') ~ private.run_pattern();
        runs text[];
        folded text[];
        stems text[];
        keys text[];
    begin
        words := array_remove(words, E'\x1f');
        if has_runs then
            select array_agg(word) filter (where not is_run), array_agg(distinct word) filter (where is_run)
                into words, runs
                from (select word, private.is_run(word) as is_run from unnest(words) as word) as split;
        end if;
        -- A word is longer than 200 characters in a damaged text only.
        if array_to_string(words, ' ') ~ '[^ ]{201}' then
            words := array(select left(word, 200) from unnest(words) as word);
        end if;
        words := private.distinct_texts(words);
        folded := private.fold_all(words);
        keys := string_to_array(':' || array_to_string(folded, E'\x1f:'), E'\x1f');
        if lang is not null and words <> '{}' then
            stems := private.fold_all(private.spelled_stems(lang, words));
            keys := keys || array(
                select '/' || lang || ':' || stem from unnest(folded, stems) as pairs (word, stem)
                where stem <> word and stem <> '-');
        end if;
        return array_remove(keys || private.run_keys(runs), ':');
    end
    $$;

-- These keys with the number of their owner and the sign of their field: none, or t for the title, n for notes, q for
-- highlights.
create or replace function private.keys_of_field(owner integer, field text, keys text[]) returns text[]
    language sql immutable parallel safe
    as $$
        select string_to_array(owner || field || nullif(array_to_string(keys, E'\x1f' || owner || field), ''), E'\x1f')
    $$;

grant execute on function private.word_rules(), private.is_ascii(text), private.split_words(text),
    private.run_pattern(), private.fold_words(text), private.fold_all(text[]), private.folded_text(text),
    private.phrase_pattern(text), private.unusual_pattern(),
    private.holds_words(text, text, text), private.is_run(text),
    private.run_keys(text[]), private.distinct_texts(text[]), private.spelled_stems(text, text[]),
    private.spelled_stem(text, text), private.stem(text, text), private.stemmed_languages(),
    private.stemmed_language(text), private.text_keys(text, text), private.keys_of_field(integer, text, text[])
    to lectern_search, lectern_admin;
