-- One request for feeds of several users with the same address; see sql/schema/subscriptions.sql.

drop function if exists private.take_feeds(integer, integer, uuid[], integer);
create index feeds_url on private.feeds (md5(url));
