-- Queues links to be resolved again: those that failed, or of another `state` (failed, ready, all), of all users or of
-- one `email`, and only those saved more than `days` ago. The jobs are a second apart, behind all pending ones. What
-- the user wrote does not change. A dry run unless `apply` is 1; ten links per transaction.
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
