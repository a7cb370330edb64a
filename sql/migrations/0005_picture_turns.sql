-- The order in which a user's pictures are taken, and the running ones of each user.
create index picture_listings_to_take on private.picture_listings (user_id, run_at) where state = 'pending';
create index picture_listings_running_of_user on private.picture_listings (user_id) where state = 'running';
create index picture_jobs_to_take on private.picture_jobs (user_id, run_at) where state = 'pending';
create index picture_jobs_running_of_user on private.picture_jobs (user_id) where state = 'running';
