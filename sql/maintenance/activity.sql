-- What each user does: links saved in the last 7 and 30 days, the last save and sign-in, sessions, API tokens.
-- Run: psql "$LECTERN_DATABASE_URL" -f sql/maintenance/activity.sql
select * from private.activity order by greatest(last_saved_at, last_seen_at) desc nulls last, email;
