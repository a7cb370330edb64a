-- The list of tracking parameters.
--
-- `lectern migrate` replaces these functions from Sources/Links/TrackingParameters.tsv whenever its version differs.
-- They return arrays because a constant array is searched by a hash table that is built once; a regular expression of
-- hundreds of names would be compiled again for each name.

-- The version of the list; 0 until `lectern migrate` has installed one.
create or replace function rest.tracking_parameters_version() returns integer
    language sql immutable parallel safe
    as $$ select 0 $$;

-- Names, in lower case and with canonical escapes, that are tracking parameters on every site.
create or replace function rest.tracking_names() returns text[]
    language sql immutable parallel safe
    as $$ select '{}'::text[] $$;

-- Prefixes of such names, as LIKE patterns.
create or replace function rest.tracking_prefixes() returns text[]
    language sql immutable parallel safe
    as $$ select array['utm\_%'] $$;

-- Domains with tracking parameters of their own.
create or replace function rest.tracking_domains() returns text[]
    language sql immutable parallel safe
    as $$ select '{}'::text[] $$;

-- The names on one of these domains, as a regular expression.
create or replace function rest.tracking_of(domain text) returns text
    language sql immutable parallel safe
    as $$ select null::text $$;

grant execute on function rest.tracking_parameters_version(), rest.tracking_names(), rest.tracking_prefixes(),
    rest.tracking_domains(), rest.tracking_of(text)
    to anon, authenticated, service_role, job_worker;
