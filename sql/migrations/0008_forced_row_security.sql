-- Row-level security binds the owner of the queue's tables, too; sql/schema/row_security.sql has its policies.
alter table private.jobs force row level security;
alter table private.done_jobs force row level security;
alter table private.batches force row level security;
