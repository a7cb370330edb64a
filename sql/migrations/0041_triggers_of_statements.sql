-- A trigger for all new links of a statement takes its place.
drop trigger if exists index_new_link on public.links;
