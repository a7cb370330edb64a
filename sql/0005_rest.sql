-- What a REST statement asks of itself: promises about its own rows, kept by failing inside the transaction, so that
-- a write that breaks one changes nothing.

create schema rest;
grant usage on schema rest to anon, authenticated, service_role;

-- The count, which must be one. LR116 becomes PGRST116.
create function rest.one_row(found bigint) returns bigint
    language plpgsql
    as $$
    begin
        if found <> 1 then
            raise exception 'not one row' using errcode = 'LR116', detail = found;
        end if;
        return found;
    end
    $$;

-- The count, which must not exceed what the client allowed. LR124 becomes PGRST124.
create function rest.at_most(found bigint, most bigint) returns bigint
    language plpgsql
    as $$
    begin
        if found > most then
            raise exception 'too many rows' using errcode = 'LR124', detail = found;
        end if;
        return found;
    end
    $$;

grant execute on function rest.one_row(bigint), rest.at_most(bigint, bigint) to anon, authenticated, service_role;
