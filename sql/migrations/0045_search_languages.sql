-- The languages of users whose first link had none: null was stored beside them, and kept later ones out.

set local role lectern_search;
update private.search_owners o set langs = array(
    select distinct p.lang from private.search_parts p where p.owner = o.number and p.lang is not null);
reset role;

alter table private.search_owners add check (array_position(langs, null) is null);
