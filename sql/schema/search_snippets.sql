-- Snippets: the passage of a link that fits a query best, with its matches marked.

set local role lectern_search;

-- A regular expression for folded text that also matches the spellings it stands for, in lower case.
create or replace function private.spellings_pattern(folded text) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$
        select string_agg(
            case letter when 'ss' then '(?:ss|ß)' when 'ae' then '(?:a' || marks || 'e|æ)' || marks
                when 'oe' then '(?:o' || marks || 'e|œ)' || marks
                else coalesce('[' || class || ']', letter)
                    || case when letter !~ '[0-9a-z]' or class <> '' then marks else '' end
            end,
            '' order by place)
        from (values ('[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]*')) as given (marks),
            -- These pairs of letters stand for one letter too.
            lateral (
                select found[1] as letter, place
                from regexp_matches(folded, 'ss|ae|oe|.', 'g') with ordinality as letters (found, place)
            ) as letters
            left join unnest(array['aàáâãäåāăąǎạảấầẩẫậắằẳẵặæ', 'cçćĉċč', 'dďđḍ', 'eèéêëēĕėęěẹẻẽếềểễệ', 'gĝğġģ', 'hĥħ',
                'iìíîïĩīĭįıỉị', 'jĵ', 'kķ', 'lĺļľł', 'nñńņňṇ', 'oòóôõöøōŏőơọỏốồổỗộớờởỡợœ', 'rŕŗř', 'sśŝşšșṣß', 'tţťŧțṭ',
                'uùúûüũūŭůűųưụủứừửữự', 'wŵẁẃẅ', 'yýÿŷỳỵỷỹ', 'zźżžẓ', 'αά', 'εέ', 'ηή', 'ιίϊΐ', 'οό', 'υύϋΰ', 'ωώ', 'σς',
                'иӥйѝ', 'еёѐ', 'іїи', 'уў', 'гѓ', 'кќ', 'اأإآٱ', 'وؤ', 'يئ']) as class on class ^@ letter
    $$;

-- The regular expression that finds a term in a text in lower case. A wide one also finds words that only begin like
-- the term, as words with the same stem do. Of a long term it has the beginning.
create or replace function private.term_pattern(term private.search_term, is_wide boolean) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$
        select case when given.words ^@ ' ' then '(?<![[:alnum:]])' else '' end
            || string_agg(private.spellings_pattern(
                    case when is_wide and (term).stemmed is not null
                        then left(word, private.shared_length(word, (term).stemmed)) else word end),
                '[^[:alnum:]]*' order by place)
            || case when is_wide or private.is_run(right(given.words, 1)) or length((term).words) > 100 then ''
                when given.words ~ ' $' then '(?![[:alnum:]])' else private.rest_of_word() end
        from (select left((term).words, 100) as words) as given,
            unnest(string_to_array(btrim(given.words), ' ')) with ordinality as parts (word, place)
        group by given.words
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

-- Whether words of a text match one of these terms, as the index does.
create or replace function private.is_match(value text, lang text, terms private.search_term[]) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        folded constant text := private.folded_text(value);
        term private.search_term;
    begin
        foreach term in array terms loop
            if strpos(folded, term.words) > 0
                or private.stem(lang, lower(value)) = private.stem(lang, term.stemmed)
            then
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

-- The words of a text in lower case that match terms by their stems.
create or replace function private.words_of_stems(lowered text, lang text, terms private.search_term[]) returns text[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        pattern constant text := (select string_agg(term.wide_pattern, '|') from unnest(terms) as term
            where term.stemmed is not null);
    begin
        return array(
            select word from (
                select distinct matched[1] as word
                from regexp_matches(lowered, '((?:' || pattern || ')' || private.rest_of_word() || ')', 'g') as matched
            ) as words
            where private.is_match(word, lang, terms));
    end
    $$;

-- The passage of a text around its best match, with U+0002 and U+0003 around each match; null if there is no match.
create or replace function private.passage(value text, lang text, terms private.search_term[]) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        stem_lang constant text := private.stemmed_language(lang);
        max_length constant integer := 240;
        before constant integer := 60;
        lowered text;
        patterns constant text[] := array(select term.pattern from unnest(terms) as term);
        place integer := 0;
        first integer;
        words text[];
        result text;
    begin
        -- Fullwidth and halfwidth forms.
        if value ~ '[\uFF01-\uFFEE]' then
            value := normalize(value, nfkc);
        end if;
        lowered := lower(value);
        if cardinality(terms) > 1 then
            place := regexp_instr(lowered, patterns[1] || '.{0,60}' || patterns[2]);
        end if;
        if place = 0 then
            place := regexp_instr(lowered, array_to_string(patterns, '|'));
        end if;
        if place = 0 then
            words := private.words_of_stems(lowered, stem_lang, terms);
            if cardinality(words) = 0 then
                return null;
            end if;
            place := regexp_instr(lowered, private.whole_words_pattern(words));
        end if;
        first := greatest(1, place - before);
        result := substr(value, first, max_length);
        words := private.words_of_stems(lower(result), stem_lang, terms);
        result := regexp_replace(result,
            concat_ws('|', private.whole_words_pattern(words),
                (select string_agg(term.pattern, '|') from unnest(terms) as term where term.stemmed is null)),
            E'\x02\\&\x03', 'gi');
        -- No word is cut at either end, and no character that consists of several code points.
        if first > 1 then
            result := regexp_replace(result, '^[^\s\x02]{0,30}\s', '');
        end if;
        if first + max_length <= length(value) then
            result := regexp_replace(result, '\s[^\s\x02\x03]{0,30}$', '');
            result := regexp_replace(result, '[\u200D\uFE0F\U0001F3FB-\U0001F3FF]+$', '');
        end if;
        return btrim(regexp_replace(translate(result, E'\x1f', ' '), '\s+', ' ', 'g'));
    end
    $$;

-- The regular expression that finds these words; null for none.
create or replace function private.whole_words_pattern(words text[]) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
    as $$
        select '(?<![[:alnum:]])(?:' || nullif(array_to_string(words, '|'), '') || ')(?![[:alnum:]])'
    $$;

-- The snippet of a link: HTML with its matches in <mark>; null for a query without words, and without a match.
create or replace function private.snippet(link uuid, lang text, terms private.search_term[]) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        shown constant private.search_term[] := array(
            select term from unnest(terms) as term where (term).field is distinct from 'title');
        part record;
        passage text;
    begin
        if cardinality(shown) = 0 then
            return null;
        end if;
        for part in
            select value from (
                select 1 as place, text_content as value from public.articles where link_id = link
                union all
                select 2, quote from public.highlights where link_id = link
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
            passage := private.passage(translate(part.value, E'\x02\x03', ''), lang, shown);
            if passage is not null then
                return replace(replace(
                    replace(replace(replace(replace(replace(passage,
                        '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;'),
                    E'\x02', '<mark>'), E'\x03', '</mark>');
            end if;
        end loop;
        return null;
    end
    $$;

revoke execute on function private.spellings_pattern(text), private.term_pattern(private.search_term, boolean),
    private.shared_length(text, text), private.rest_of_word(), private.whole_words_pattern(text[]),
    private.words_of_stems(text, text, private.search_term[]),
    private.is_match(text, text, private.search_term[]), private.passage(text, text, private.search_term[]),
    private.snippet(uuid, text, private.search_term[])
    from public;

set local role lectern_owner;
