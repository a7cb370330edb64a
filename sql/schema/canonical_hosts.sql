-- The canonical spelling of a host, as part of a dedupe key.

-- An IPv4 address, in any spelling that browsers accept, as dotted decimal; null for anything else.
create or replace function rest.ipv4(spelled text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        parts constant text[] := string_to_array(spelled, '.');
        number numeric;
        address numeric := 0;
        digits text;
        radix integer;
        n integer := cardinality(parts);
    begin
        -- Most addresses are spelled like this. Reading the digits takes many times longer.
        if spelled ~ '^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$' then
            return spelled;
        end if;
        if n > 4 then
            return null;
        end if;
        for place in 1..n loop
            if parts[place] ~ '^0x[0-9a-f]*$' then
                digits := substr(parts[place], 3);
                radix := 16;
            elsif parts[place] ~ '^0[0-7]+$' then
                digits := parts[place];
                radix := 8;
            elsif parts[place] ~ '^(?:0|[1-9][0-9]*)$' then
                digits := parts[place];
                radix := 10;
            else
                return null;
            end if;
            digits := ltrim(digits, '0');
            if length(digits) > 12 then
                return null;
            end if;
            number := 0;
            for index in 1..length(digits) loop
                number := number * radix + strpos('0123456789abcdef', substr(digits, index, 1)) - 1;
            end loop;
            if place < n then
                if number > 255 then
                    return null;
                end if;
                address := address + number * 256 ^ (4 - place);
            else
                if number >= 256 ^ (5 - n) then
                    return null;
                end if;
                address := address + number;
            end if;
        end loop;
        return host('0.0.0.0'::inet + address::bigint);
    end
    $$;

-- An IPv6 address as RFC 5952 writes it, in brackets; null for anything else. A decimal part is written in hexadecimal,
-- as the URL standard requires.
create or replace function rest.ipv6(spelled text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        groups text[] := '{}';
        tail text;
        head text := spelled;
        bytes bytea;
        best integer := 0;
        best_length integer := 1;
        run integer;
    begin
        if length(spelled) > 64 or spelled !~ '^[0-9A-Fa-f:.]+$' or spelled ~ ':::' or spelled !~ ':' then
            return null;
        end if;
        -- PostgreSQL accepts a few more spellings than the standard; all of them contain a dot.
        if spelled ~ '\.' then
            tail := substring(spelled from '[^:]*$');
            if tail !~ '^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$' then
                return null;
            end if;
        end if;
        begin
            bytes := substr(inet_send(spelled::inet), 5);
        exception when others then
            return null;
        end;
        if octet_length(bytes) <> 16 then
            return null;
        end if;
        for place in 0..7 loop
            groups := groups || to_hex(get_byte(bytes, 2 * place) * 256 + get_byte(bytes, 2 * place + 1));
        end loop;
        for start in 1..8 loop
            run := 0;
            while start + run <= 8 and groups[start + run] = '0' loop
                run := run + 1;
            end loop;
            if run > best_length then
                best := start;
                best_length := run;
            end if;
        end loop;
        if best = 0 then
            return '[' || array_to_string(groups, ':') || ']';
        end if;
        return '[' || array_to_string(groups[1:best - 1], ':') || '::'
            || array_to_string(groups[best + best_length:8], ':') || ']';
    end
    $$;

-- Punycode of one label (RFC 3492); see Links/URL/Punycode.swift. Null for a label that is too long.
create or replace function rest.punycode(label text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        letter text;
        points integer[] := '{}';
        output text;
        basic integer;
        handled integer;
        next_point integer := 128;
        smallest integer;
        delta integer := 0;
        bias integer := 72;
        rest_of integer;
        place integer;
        threshold integer;
        digit integer;
        steps integer;
        point integer;
    begin
        if length(label) > 63 then
            return null;
        end if;
        foreach letter in array string_to_array(label, null) loop
            points := points || ascii(letter);
        end loop;
        output := regexp_replace(label, '[^\x01-\x7f]', '', 'g');
        basic := length(output);
        handled := basic;
        if basic > 0 then
            output := output || '-';
        end if;
        while handled < cardinality(points) loop
            smallest := null;
            foreach point in array points loop
                if point >= next_point and point < coalesce(smallest, 1114112) then
                    smallest := point;
                end if;
            end loop;
            delta := delta + (smallest - next_point) * (handled + 1);
            next_point := smallest;
            foreach point in array points loop
                if point < next_point then
                    delta := delta + 1;
                end if;
                continue when point <> next_point;
                rest_of := delta;
                place := 36;
                loop
                    threshold := case when place <= bias then 1 when place >= bias + 26 then 26 else place - bias end;
                    exit when rest_of < threshold;
                    digit := threshold + (rest_of - threshold) % (36 - threshold);
                    output := output || chr(case when digit < 26 then 97 + digit else 22 + digit end);
                    rest_of := (rest_of - threshold) / (36 - threshold);
                    place := place + 36;
                end loop;
                output := output || chr(case when rest_of < 26 then 97 + rest_of else 22 + rest_of end);
                delta := case when handled = basic then delta / 700 else delta / 2 end;
                delta := delta + delta / (handled + 1);
                steps := 0;
                while delta > 455 loop
                    delta := delta / 35;
                    steps := steps + 36;
                end loop;
                bias := steps + 36 * delta / (delta + 38);
                delta := 0;
                handled := handled + 1;
            end loop;
            delta := delta + 1;
            next_point := next_point + 1;
        end loop;
        return 'xn--' || output;
    end
    $$;

-- The canonical spelling of a host; null for a host that browsers refuse. See Links/Deduplication/HostName.swift.
create or replace function rest.canonical_host(spelled text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        name text := spelled;
        label text;
        labels text[] := '{}';
        bytes bytea;
    begin
        if name = '' or octet_length(name) > 1024 then
            return null;
        end if;
        if left(name, 1) = '[' then
            return case when right(name, 1) = ']' then rest.ipv6(substr(name, 2, length(name) - 2)) end;
        end if;
        -- Most hosts consist of letters, digits, hyphens and dots.
        if name !~ '^[A-Za-z0-9._-]+$' then
            if name ~ '%[0-9A-Fa-f]{2}' then
                begin
                    select string_agg(case when token[1] is null then convert_to(token[2], 'UTF8')
                        else decode(token[1], 'hex') end, '' order by n)
                        into bytes
                        from regexp_matches(name, '%([0-9A-Fa-f]{2})|([^%]+|%)', 'g')
                            with ordinality as tokens (token, n);
                    name := convert_from(bytes, 'UTF8');
                exception when others then
                    return null;
                end;
            end if;
            if name ~ '[^\x01-\x7f]' then
                -- The lower case of İ is two code points: the dot is kept, or it would become another host.
                name := normalize(lower(replace(normalize(name, nfkc), 'İ', E'i\u0307') collate "C.utf8"), nfkc);
                name := regexp_replace(replace(name, '。', '.'), '[\u00AD\u034F\u200B\u2060\uFE00-\uFE0F\uFEFF]', '',
                    'g');
                if octet_length(name) > 1024 then
                    return null;
                end if;
                foreach label in array string_to_array(name, '.') loop
                    labels := labels || case when label ~ '[^\x01-\x7f]' then rest.punycode(label) else label end;
                end loop;
                if array_position(labels, null) > 0 then
                    return null;
                end if;
                name := array_to_string(labels, '.');
            end if;
            if name = '' or name ~ '[\x01-\x20\x7f#%/:<>?@[\\\]^|]' then
                return null;
            end if;
        end if;
        name := rtrim(lower(name collate "C"), '.');
        if name = '' then
            return null;
        end if;
        if name ~ '(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$' then
            return rest.ipv4(name);
        end if;
        while left(name, 4) = 'www.' and strpos(substr(name, 5), '.') > 0 loop
            name := substr(name, 5);
        end loop;
        return name;
    end
    $$;

grant execute on function rest.ipv4(text), rest.ipv6(text), rest.punycode(text), rest.canonical_host(text)
    to anon, authenticated, service_role, job_worker;
