-- Checks pages again: whether they are still there (kind=check; unavailable ones are listed in public.broken_links), or
-- fetches and extracts them again (kind=refresh, which never replaces an article by a worse one). Of all users or of
-- one `email`, and only pages not checked for `days`. The jobs are a second apart, behind what users save. A dry run
-- unless `apply` is 1.
-- Run: psql "$LECTERN_DATABASE_URL" -v apply=1 -v kind=check -v days=30 -f sql/maintenance/recheck.sql
\if :{?apply}
\else
    \set apply 0
\endif
\if :{?kind}
\else
    \set kind check
\endif
\if :{?days}
\else
    \set days 30
\endif
\if :{?email}
\else
    \set email ''
\endif
select format(
    'account => %L, kind => %L, checked_before => %L',
    case when :'email' <> '' then coalesce(
        (select id from auth.users where email_key = lower(normalize(:'email', nfkc))), '00000000-0000-0000-0000-000000000000') end,
    case :'kind' when 'refresh' then 'refresh' else 'check' end,
    now() - make_interval(days => :days)) as options
\gset
call private.in_batches('links', 'recheck', :'apply' <> '1', 10, :'options', null, null, null);
