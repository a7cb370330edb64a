-- The two promises of 0005 once more, under another name: in PL/pgSQL `found` is its own variable, so they compared
-- that and failed for every caller.

drop function rest.one_row(bigint);
drop function rest.at_most(bigint, bigint);

-- The count, which must be one. LR116 becomes PGRST116.
create function rest.one_row(affected bigint) returns bigint
    language plpgsql
    as $$
    begin
        if affected <> 1 then
            raise exception 'not one row' using errcode = 'LR116', detail = affected;
        end if;
        return affected;
    end
    $$;

-- The count, which must not exceed what the client allowed. LR124 becomes PGRST124.
create function rest.at_most(affected bigint, most bigint) returns bigint
    language plpgsql
    as $$
    begin
        if affected > most then
            raise exception 'too many rows' using errcode = 'LR124', detail = affected;
        end if;
        return affected;
    end
    $$;

grant execute on function rest.one_row(bigint), rest.at_most(bigint, bigint) to anon, authenticated, service_role;
