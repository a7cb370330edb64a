-- What the dialect of /rest/v1/ needs of SQL beyond a statement's own.

-- A row of an answer as a line of CSV (RFC 4180): null is empty, an empty text is quoted, other texts only where they
-- must be. The twin of CSV.line in Sources/REST, which writes the heading.
create function rest.csv_line(cells json) returns text
    language sql immutable
    as $$
        select coalesce(string_agg(
            case
                when value is null then ''
                when value = '' or value ~ '[",\r\n]' then '"' || replace(value, '"', '""') || '"'
                else value
            end, ',' order by place), '') || E'\n'
        from json_each_text(cells) with ordinality as cell (name, value, place)
    $$;

grant execute on function rest.csv_line(json) to anon, authenticated, service_role;

-- Every read asks for the caller's count of changes; nobody signed in has none.
grant select on rest.changes to anon;
