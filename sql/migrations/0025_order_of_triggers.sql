-- Triggers that got other names, so that they fire before those of the books; see sql/schema/picture_lists.sql.

drop trigger if exists queue_picture_listing on public.articles;
drop trigger if exists queue_picture_listing_again on public.articles;
drop trigger if exists queue_picture_listing_gone on public.articles;
drop trigger if exists queue_picture_listing on public.links;
