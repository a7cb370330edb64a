-- The jobs process indexes texts one by one until a time has passed; see sql/schema/search_indexing.sql.

drop function if exists private.index_parts(uuid[], smallint[]);
-- It returns a row now.
drop function if exists private.index_waiting_parts(integer, integer);
