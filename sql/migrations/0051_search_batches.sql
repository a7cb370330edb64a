-- A batch of texts to be indexed is ten of one user and returns that user; see sql/schema/search_indexing.sql.

drop function if exists private.index_parts(uuid[], smallint[]);
drop function if exists private.index_waiting_parts(integer, integer);
