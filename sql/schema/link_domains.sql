-- The host of a link's page.

-- The host of an http(s) URL in canonical form, without www.; null for other texts.
create or replace function rest.host_of_url(url text) returns text
    language sql immutable
    as $$
        select rest.canonical_host(
            (regexp_match(url, '^\s*https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:\\]+)', 'i'))[1])
    $$;

create or replace function private.set_domain() returns trigger
    language plpgsql
    as $$
    begin
        new.domain := coalesce(rest.host_of_url(new.resolved_url), rest.host_of_url(new.raw_url));
        return new;
    end
    $$;

create or replace trigger set_domain before insert or update of raw_url, resolved_url, domain on public.links
    for each row execute function private.set_domain();

comment on column public.links.domain is 'The host of the page, without www.; set by the server.';
grant execute on function rest.host_of_url(text) to anon, authenticated, service_role, job_worker, lectern_search;
