-- A batch of texts to be indexed is ten of one user and returns that user; see sql/schema/search_indexing.sql.

drop function if exists private.index_parts(uuid[], smallint[]);
drop function if exists private.index_waiting_parts(integer, integer);

-- They got a parameter: the one link that a condition is about.
drop function if exists private.parts_with_keys(text, integer);
drop function if exists private.search_condition(jsonb, uuid, integer, uuid[]);
drop function if exists private.collection_condition(text, uuid, integer, uuid[]);
drop function if exists private.found_condition(jsonb, uuid, integer);

-- Very long notes, many highlights and a very long description pushed other words of their link out of the index.
set local role lectern_admin;
update private.search_parts p set is_indexed = false
    from (
        select link_id from (
            select link_id, length(body) as characters from public.notes
            union all select link_id, length(quote) + coalesce(length(note), 0) from public.highlights
            union all select id, length(description) from public.links
        ) as texts
        group by link_id having sum(characters) > 100000
    ) as long
    where p.link_id = long.link_id and p.part = 0 and p.is_indexed;
reset role;
