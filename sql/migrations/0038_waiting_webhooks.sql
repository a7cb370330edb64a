-- The waiting deliveries of a webhook, which are counted when another one is added.
create index webhook_deliveries_waiting on private.webhook_deliveries (webhook_id) where state = 'waiting';
