-- The dedupe key: the same for all spellings of a page's URL. A user's links with equal keys are one link.
--
-- These functions decide, whoever writes. `Links/Deduplication/DedupeKey.swift` implements the same rules in Swift, and
-- tests compare the two. Hosts are in canonical_hosts.sql. The code repeats plain statements instead of calling
-- helpers: every link that is written waits for it, and a call costs more.

-- Percent-encoding in canonical form (RFC 3986, 6.2.2); see Links/Deduplication/Escapes.swift.
create or replace function rest.canonical_escapes(url_part text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        -- Characters that stay as they are, and upper-case escapes of anything but letters, digits and -._~
        canonical constant text := '(?:[A-Za-z0-9._~!$&''()*+,;=:@/?-]'
            || '|%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[BCDF]))';
    begin
        if url_part ~ ('^' || canonical || '*$') then
            return url_part;
        end if;
        return (
            select string_agg(
                case
                    when token[1] is not null then token[1]
                    when token[2] ~ '^(?:4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA]|3[0-9]|2[dDeE]|5[fF]|7[eE])$'
                        then convert_from(decode(token[2], 'hex'), 'UTF8')
                    when token[2] is not null then '%' || upper(token[2])
                    else upper(regexp_replace(encode(convert_to(token[3], 'UTF8'), 'hex'), '..', '%\&', 'g'))
                end, '' order by n)
            -- A % that does not start an escape is escaped itself.
            from regexp_matches(
                regexp_replace(url_part, '%(?![0-9A-Fa-f]{2})', '%25', 'g'),
                '(' || canonical || '+)|%([0-9A-Fa-f]{2})|([^A-Za-z0-9._~!$&''()*+,;=:@/?%-]+)', 'g')
                    with ordinality as tokens (token, n));
    end
    $$;

-- The canonical spelling of a URL's user, host and port; null if they are invalid.
create or replace function rest.canonical_authority(spelled text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        account text := coalesce(substring(spelled from '^(.*)@'), '');
        address text := substring(spelled from '[^@]*$');
        host text := coalesce(substring(address from '^\[[^]]*\]'), split_part(address, ':', 1));
        port text := substr(address, length(host) + 1);
        username text;
        password text;
    begin
        if account <> '' then
            username := rest.canonical_escapes(split_part(account, ':', 1));
            password := rest.canonical_escapes(substr(account, strpos(account || ':', ':') + 1));
            account := replace(username || coalesce(':' || nullif(replace(password, ':', '%3A'), ''), ''), '@', '%40');
            account := coalesce(nullif(account, '') || '@', '');
        end if;
        host := rest.canonical_host(host);
        if port !~ '^(?::[0-9]*)?$' then
            return null;
        end if;
        -- Leading zeros are dropped; port 0 keeps one.
        port := regexp_replace(port, '^:0*(?=[0-9])', ':');
        if length(port) > 6 or length(port) = 6 and port collate "C" > ':65535' then
            return null;
        end if;
        return account || host || case when port in (':', ':80', ':443') then '' else port end;
    end
    $$;

-- RFC 3986, 5.2.4, for a path that begins with a slash. Empty segments count as segments.
create or replace function rest.without_dot_segments(path text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        segment text;
        kept text[] := '{}';
    begin
        foreach segment in array string_to_array(substr(path, 2), '/') loop
            if segment = '..' then
                kept := trim_array(kept, least(1, cardinality(kept)));
            elsif segment <> '.' then
                kept := kept || segment;
            end if;
        end loop;
        return coalesce('/' || nullif(array_to_string(kept, '/'), ''), '');
    end
    $$;

-- A query without tracking parameters, sorted by name; parameters with the same name keep their order. Empty if nothing
-- is left.
create or replace function rest.canonical_query(query text, host text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        domain text := host;
        marks_here text;
        parameter text;
        name text;
        last_name text := '';
        kept text[] := '{}';
        is_sorted boolean := true;
    begin
        foreach parameter in array string_to_array(query, '&') loop
            name := lower(split_part(parameter, '=', 1) collate "C");
            continue when name = any (rest.tracking_names()) or name like any (rest.tracking_prefixes())
                or parameter = '';
            -- The nearest of the host's domains that has tracking parameters of its own decides.
            if marks_here is null then
                while domain <> all (rest.tracking_domains()) and domain <> '' loop
                    domain := substr(domain, strpos(domain || '.', '.') + 1);
                end loop;
                marks_here := coalesce(rest.tracking_of(domain), '');
            end if;
            continue when marks_here <> '' and name ~ marks_here;
            name := split_part(parameter, '=', 1);
            kept := kept || parameter;
            if name < last_name collate "C" then
                is_sorted := false;
            end if;
            last_name := name;
        end loop;
        if not is_sorted then
            kept := array(
                select p from unnest(kept) with ordinality as parameters (p, n)
                    order by split_part(p, '=', 1) collate "C", n);
        end if;
        return array_to_string(kept, '&');
    end
    $$;

-- The key of a URL: an https URL whose key is itself. The key of a document is its hash. Null for anything else, and
-- for a URL or key that is too long.
create or replace function rest.dedupe_key(url text) returns text
    language plpgsql immutable strict parallel safe
    as $$
    declare
        -- Most URLs need no trimming, escaping or cutting.
        is_plain constant boolean := url !~ '[^A-Za-z0-9._~!$&''()*,;=:@/?-]';
        spelled text := url;
        behind_scheme text;
        fragment text := '';
        authority text;
        path text;
        query text;
        key text;
    begin
        if octet_length(url) > 65536 then
            return null;
        end if;
        if not is_plain then
            -- Surrounding white space of any script, and line breaks inserted by mail programs.
            spelled := regexp_replace(
                url,
                '^[\x01-\x20\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
                    || '|[\x01-\x20\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$|[\t\n\r]+', '',
                        'g');
        end if;
        behind_scheme := regexp_replace(spelled, '^[hH][tT][tT][pP][sS]?:[/\\]*', '');
        if behind_scheme = spelled then
            -- The key of a document is the hash of its content.
            return substring(url from '^urn:sha256:([0-9a-f]{64})$');
        end if;
        if not is_plain and strpos(behind_scheme, '#') > 0 then
            fragment := substr(behind_scheme, strpos(behind_scheme, '#') + 1);
            behind_scheme := split_part(behind_scheme, '#', 1);
        end if;
        path := split_part(behind_scheme, '?', 1);
        query := substr(behind_scheme, length(path) + 2);
        if not is_plain then
            path := replace(path, '\', '/');
        end if;
        authority := split_part(path, '/', 1);
        path := substr(path, length(authority) + 1);

        -- Most authorities are a host in lower case whose last label is alphabetic.
        if octet_length(authority) <= 1024 and authority ~ '^[a-z0-9._-]+\.[a-z]+$' then
            while authority like 'www.%.%' loop
                authority := substr(authority, 5);
            end loop;
        else
            authority := rest.canonical_authority(authority);
            if authority is null then
                return null;
            end if;
        end if;

        if not is_plain then
            path := rest.canonical_escapes(path);
            query := rest.canonical_escapes(replace(query, '+', '%20'));
            fragment := case
                when left(fragment, 1) in ('!', '/') then '#' || split_part(rest.canonical_escapes(fragment), ':~:', 1)
                    else ''
            end;
        end if;
        if strpos(path, '/.') > 0 then
            path := rest.without_dot_segments(path);
        end if;
        if query <> '' then
            query := rest.canonical_query(query, substring(authority from '^(?:.*@)?([^:]*)'));
        end if;
        key := 'https://' || authority || rtrim(path, '/') || case when query = '' then ''
            else '?' || query end || fragment;
        return case when octet_length(key) <= 65536 then key end;
    end
    $$;

grant execute on function rest.canonical_escapes(text), rest.canonical_authority(text),
    rest.without_dot_segments(text), rest.canonical_query(text, text), rest.dedupe_key(text)
    to anon, authenticated, service_role, job_worker;
