-- Functions that the statements of /rest/v1/ call. A statement that breaks a promise about its rows fails inside its
-- transaction and changes nothing.

-- Returns the count, which must be one. SQLSTATE LR116 becomes PGRST116.
create or replace function rest.one_row(affected bigint) returns bigint
    language plpgsql
    as $$
    begin
        if affected <> 1 then
            raise exception 'not one row' using errcode = 'LR116', detail = affected;
        end if;
        return affected;
    end
    $$;

-- Returns the count, which must not exceed the client's limit. SQLSTATE LR124 becomes PGRST124.
create or replace function rest.at_most(affected bigint, max_rows bigint) returns bigint
    language plpgsql
    as $$
    begin
        if affected > max_rows then
            raise exception 'too many rows' using errcode = 'LR124', detail = affected;
        end if;
        return affected;
    end
    $$;

-- A row as a line of CSV (RFC 4180): null is empty, an empty text is quoted, other texts are quoted where necessary.
-- CSV.line in Sources/REST writes the header line by the same rules.
create or replace function rest.csv_line(cells json) returns text
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

-- The sum of its values. Unlike sum(bigint) it fails when the sum leaves the range of bigint. ResponseLimit in
-- Sources/REST multiplies sizes so that the end of the range is the largest response.
create or replace aggregate rest.total_bytes(bigint) (sfunc = int8pl, stype = bigint, initcond = '0');

grant execute on function rest.one_row(bigint), rest.at_most(bigint, bigint), rest.csv_line(json),
    rest.total_bytes(bigint) to anon, authenticated, service_role;
