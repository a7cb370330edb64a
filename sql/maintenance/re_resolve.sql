-- Puts links back into the queue to be resolved anew: those that failed, or of another `state` (failed, ready, all), of all
-- users or of one `email`, and only those saved more than so many `days` ago. Each waits a second behind the one before and
-- behind all that waits already. What the user wrote stays. A dry run unless told otherwise; ten links a transaction.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -v state=failed -v days=0 -f sql/maintenance/re_resolve.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?state}
\else
    \set state failed
\endif
\if :{?days}
\else
    \set days 0
\endif
\if :{?email}
\else
    \set email ''
\endif
select format(
    'account => %L, states => %L, saved_before => %L',
    case when :'email' <> '' then coalesce(
        (select id from auth.users where email_key = lower(normalize(:'email', nfkc))), '00000000-0000-0000-0000-000000000000') end,
    case :'state' when 'all' then '{failed,ready}' else array[:'state']::text end,
    now() - make_interval(days => :days)) as options
\gset
call private.in_batches('links', 're_resolve', :'apply' <> '1', 10, :'options', null, null, null);
