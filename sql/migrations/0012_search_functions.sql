-- Functions and types of search whose arguments or result have changed; sql/schema/search_*.sql creates them again.

drop function if exists public.search_links(text, integer, text);
drop function if exists private.part_condition(private.search_term, uuid);
drop function if exists private.hits_select(private.search_term[], uuid, boolean);
drop function if exists private.closeness(uuid, text[]);
drop function if exists private.is_match(text, text, private.search_term[]);
drop function if exists private.words_of_stems(text, text, private.search_term[]);
drop function if exists private.passage(text, text, private.search_term[]);
drop function if exists private.snippet(uuid, text, private.search_term[]);
drop function if exists private.relevant_page(text, private.search_term[], integer, jsonb);
