-- The sender looks for the next delivery of each webhook, and says which deliveries are under way; see
-- sql/schema/webhooks.sql.

drop function if exists private.take_webhook_deliveries(integer, integer);

drop index if exists private.webhook_deliveries_due, private.webhook_deliveries_waiting;
create index webhook_deliveries_waiting on private.webhook_deliveries (webhook_id, (attempts = 0), created_at, id)
    where state = 'waiting';

-- The events of one transaction are sent in their order.
alter table private.webhook_deliveries alter column created_at set default clock_timestamp();
