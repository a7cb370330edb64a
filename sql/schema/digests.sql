-- Digests: rpc/digest, and the date of archiving that they go by.

-- Sets links.archived_at. The name of the trigger sorts after links_written_by_client, which sets the times of actions.
-- A link that is saved into the archive was archived when it was saved.
create or replace function private.record_archiving() returns trigger
    language plpgsql
    as $$
    declare
        is_client constant boolean := current_user in ('anon', 'authenticated', 'service_role');
    begin
        if new.list <> 'archive' then
            new.archived_at := null;
        elsif current_setting('rest.restoring', true) = 'on' and new.archived_at is not null then
            return new;
        elsif tg_op = 'INSERT' then
            if is_client or new.archived_at is null then
                new.archived_at := coalesce(new.created_at, now());
            end if;
        elsif old.list <> 'archive' then
            if is_client or new.archived_at is null then
                new.archived_at := coalesce(new.acted_at, now());
            end if;
        elsif is_client then
            new.archived_at := old.archived_at;
        end if;
        return new;
    end
    $$;

create or replace trigger links_written_to_archive
    before insert on public.links
    for each row
    when (new.list = 'archive' or new.archived_at is not null)
    execute function private.record_archiving();

create or replace trigger links_written_to_archive_again
    before update on public.links
    for each row
    when (new.list <> old.list or new.archived_at is distinct from old.archived_at)
    execute function private.record_archiving();

set local role lectern_search;

-- The caller's links that a query finds and that were archived in a time: `since` inclusive, `before` exclusive; those
-- archived last come first. Null for max_links returns all. The default query of a digest needs no parsing.
create or replace function rest.digest_links(query text, since timestamptz, before timestamptz, max_links integer)
    returns uuid[]
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        condition constant text := case
            when query = 'is:starred is:archived' then $c$(l.is_starred and l.list = 'archive')$c$
            else private.found_condition(
                nullif(private.parsed_query(digest_links.query) -> 'where', 'null'), owner, number)
            end;
        ids uuid[];
    begin
        if number is not null then
            execute format(
                'select array_agg(id) from (
                    select l.id from public.links l
                    where l.user_id = %L and l.archived_at >= %L::timestamptz and l.archived_at < %L::timestamptz%s
                    order by l.archived_at desc, l.id
                    limit %L
                ) as found',
                owner, since, before, ' and ' || condition, max_links) into ids;
        end if;
        return coalesce(ids, '{}');
    end
    $$;

revoke execute on function rest.digest_links(text, timestamptz, timestamptz, integer) from public;
grant execute on function rest.digest_links(text, timestamptz, timestamptz, integer) to authenticated;

set local role lectern_owner;

-- An address of the web, which feeds and digests link to, or null.
create or replace function rest.web_address(value text) returns text
    language sql immutable
    as $$ select case when value ~* '^https?://' and length(value) <= 8192 then value end $$;

-- A text in HTML, in an element or in an attribute with quotes. Characters that HTML does not allow are left out.
create or replace function rest.escape_html(value text) returns text
    language sql immutable
    as $$
        select replace(replace(replace(replace(
            regexp_replace(value, '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]', '', 'g'),
            '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')
    $$;

-- A text in one line of Markdown, where nothing of it is markup.
create or replace function rest.escape_markdown(value text) returns text
    language sql immutable
    as $$
        select regexp_replace(
            regexp_replace(rest.one_line(value), '([\\`*_{}\[\]<>()#+!|~&-])', '\\\1', 'g'), '^(\d+)\.', '\1\\.')
    $$;

-- A text in one line, without control characters.
create or replace function rest.one_line(value text) returns text
    language sql immutable
    as $$ select btrim(regexp_replace(value, '[\s\u0001-\u001f\u007f\u0085\u2028\u2029]+', ' ', 'g')) $$;

-- A text that is cut after so many characters.
create or replace function rest.shortened(value text, max_length integer) returns text
    language sql immutable
    as $$
        select case when length(value) <= max_length then value
            else rtrim(left(value, max_length - 1)) || '…' end
    $$;

-- The entries of a digest in order. An entry stands once, under the one of its tags that most entries have; entries
-- without a tag come last, with null. Of the longest descriptions and notes only the start is read, which is more than
-- is shown.
create or replace function rest.digest_entries(ids uuid[]) returns table (
    section text, title text, address text, site text, minutes integer, description text, note text
)
    language sql stable
    as $$
        with tagged as (
            select lt.link_id, t.name, count(*) over (partition by t.id) as uses
            from public.link_tags lt join public.tags t on t.id = lt.tag_id
            where lt.link_id = any (ids)
        ), sections as (
            select distinct on (link_id) link_id, name from tagged order by link_id, uses desc, lower(name)
        )
        select s.name,
            rest.shortened(coalesce(
                nullif(rest.one_line(regexp_replace(rest.display_text(l.title, l.title_is_text), '^⭐', '')), ''),
                l.raw_url), 500),
            rest.web_address(coalesce(l.resolved_url, l.raw_url)),
            rest.shortened(rest.one_line(coalesce(nullif(l.site_name, ''), l.domain)), 200),
            l.reading_time,
            rest.shortened(nullif(rest.one_line(
                rest.display_text(left(l.description, 5000), l.description_is_text)), ''), 500),
            rest.shortened(nullif(btrim(left(n.body, 50000), E' \n\r\t'), ''), 20000)
        from public.links l
            left join sections s on s.link_id = l.id
            left join public.notes n on n.link_id = l.id and n.user_id = l.user_id
        where l.id = any (ids)
        order by lower(s.name) collate "und-x-icu" nulls last, l.archived_at desc, l.id
    $$;

-- The period of a digest in words. The day on which it ends is not part of it.
create or replace function rest.digest_period(since timestamptz, before timestamptz) returns text
    language sql stable
    as $$
        select to_char(since at time zone 'UTC', 'FMDD FMMonth YYYY')
            || coalesce(' – ' || nullif(
                to_char(greatest(since, before - interval '1 microsecond') at time zone 'UTC', 'FMDD FMMonth YYYY'),
                to_char(since at time zone 'UTC', 'FMDD FMMonth YYYY')), '')
    $$;

-- Where an entry comes from and how long it takes: "Site · 5 min".
create or replace function rest.digest_facts(site text, minutes integer) returns text
    language sql immutable
    as $$ select nullif(concat_ws(' · ', nullif(site, ''), minutes || ' min'), '') $$;

-- One column of tables and inline styles, which mail programs and newsletter tools keep. Each text has the direction of
-- its own words.
-- footer: HTML that stands below the entries.
create or replace function rest.digest_html(ids uuid[], period text, footer text default '') returns text
    language plpgsql stable
    as $$
    declare
        entry record;
        section text;
        is_first boolean := true;
        heading text;
        result text := format(
            '<!DOCTYPE html>'
            '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            '<title>%1$s</title></head><body style="margin:0;padding:0;background:#ffffff">'
            '<table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" '
            'style="max-width:600px;margin:0 auto"><tr><td '
            'style="padding:24px 16px;font-family:Georgia,serif;font-size:17px;line-height:1.5;color:#222222">'
            '<h1 style="margin:0 0 8px;font-size:26px;line-height:1.25">%1$s</h1>',
            rest.escape_html(period));
    begin
        for entry in select *, bool_or(e.section is not null) over () as has_sections from rest.digest_entries(ids) as e
        loop
            if entry.has_sections and (is_first or entry.section is distinct from section) then
                result := result || format(
                    '<h2 dir="auto" style="margin:32px 0 0;padding-bottom:4px;border-bottom:1px solid #dddddd;'
                    'font-size:20px">%s</h2>',
                    rest.escape_html(coalesce(entry.section, 'Other')));
            end if;
            is_first := false;
            section := entry.section;
            heading := case when entry.has_sections then 'h3' else 'h2' end;
            result := result || (
                format('<%s dir="auto" style="margin:20px 0 0;font-size:18px;line-height:1.35">', heading)
                || case when entry.address is null then rest.escape_html(entry.title)
                    else format('<a href="%s" style="color:#1a4f8b">%s</a>', rest.escape_html(entry.address),
                        rest.escape_html(entry.title)) end || format('</%s>', heading)
                || coalesce('<p dir="auto" style="margin:2px 0 0;font-size:14px;color:#666666">'
                    || rest.escape_html(rest.digest_facts(entry.site, entry.minutes)) || '</p>', '')
                || coalesce(
                    '<p dir="auto" style="margin:6px 0 0">' || rest.escape_html(entry.description) || '</p>', '')
                || coalesce(
                    '<blockquote dir="auto" style="margin:8px 0 0;padding:0 0 0 12px;border-left:3px solid #cccccc">'
                    || replace(rest.escape_html(replace(entry.note, E'\r', '')), E'\n', '<br>')
                    || '</blockquote>', ''));
        end loop;
        if is_first then
            result := result || '<p style="margin:16px 0 0">Nothing was archived in this period.</p>';
        end if;
        return result || footer || '</td></tr></table></body></html>';
    end
    $$;

create or replace function rest.digest_markdown(ids uuid[], period text) returns text
    language plpgsql stable
    as $$
    declare
        entry record;
        section text;
        is_first boolean := true;
        result text := '# ' || rest.escape_markdown(period) || E'\n';
    begin
        for entry in select *, bool_or(e.section is not null) over () as has_sections from rest.digest_entries(ids) as e
        loop
            if entry.has_sections and (is_first or entry.section is distinct from section) then
                result := result || E'\n## ' || coalesce(rest.escape_markdown(entry.section), 'Other') || E'\n';
            end if;
            is_first := false;
            section := entry.section;
            result := result || (case when entry.has_sections then E'\n### ' else E'\n## ' end
                || case when entry.address is null then rest.escape_markdown(entry.title)
                    else format('[%s](%s)', rest.escape_markdown(entry.title), rest.markdown_address(entry.address)) end
                || E'\n'
                || coalesce(E'\n*' || rest.escape_markdown(rest.digest_facts(entry.site, entry.minutes)) || E'*\n', '')
                || coalesce(E'\n' || rest.escape_markdown(entry.description) || E'\n', '')
                -- The note is the user's own text and may be Markdown, but no HTML.
                || coalesce(
                    E'\n> ' || replace(replace(replace(entry.note, E'\r', ''), '<', '\<'), E'\n', E'\n> ')
                        || E'\n', ''));
        end loop;
        return result || case when is_first then E'\nNothing was archived in this period.\n' else '' end;
    end
    $$;

-- An address as the target of a link in Markdown.
create or replace function rest.markdown_address(address text) returns text
    language sql immutable
    as $$
        select replace(replace(replace(replace(replace(
            regexp_replace(address, '[\s\u0001-\u0020\u007f]', '%20', 'g'),
            '(', '%28'), ')', '%29'), '<', '%3C'), '>', '%3E'), '\', '%5C')
    $$;

create or replace function rest.digest_text(ids uuid[], period text) returns text
    language plpgsql stable
    as $$
    declare
        entry record;
        section text;
        is_first boolean := true;
        result text := period || E'\n' || repeat('=', length(period)) || E'\n';
    begin
        for entry in select *, bool_or(e.section is not null) over () as has_sections from rest.digest_entries(ids) as e
        loop
            if entry.has_sections and (is_first or entry.section is distinct from section) then
                result := result || E'\n' || rest.one_line(coalesce(entry.section, 'Other')) || E'\n'
                    || repeat('-', length(rest.one_line(coalesce(entry.section, 'Other')))) || E'\n';
            end if;
            is_first := false;
            section := entry.section;
            result := result || E'\n' || entry.title || E'\n'
                || coalesce(rest.digest_facts(entry.site, entry.minutes) || E'\n', '')
                || coalesce(rest.one_line(entry.address) || E'\n', '')
                || coalesce(entry.description || E'\n', '')
                || coalesce('> ' || replace(replace(entry.note, E'\r', ''), E'\n', E'\n> ') || E'\n', '');
        end loop;
        return result || case when is_first then E'\nNothing was archived in this period.\n' else '' end;
    end
    $$;

create or replace function public.digest(
    "from" timestamptz, "to" timestamptz, format text default 'html', query text default 'is:starred is:archived'
) returns text
    language plpgsql stable
    as $$
    declare
        max_links constant integer := 500;
        ids uuid[];
        period text;
    begin
        if digest."from" is null or digest."to" is null or not isfinite(digest."from") or not isfinite(digest."to")
            or digest."from" > digest."to"
        then
            raise exception '"from" and "to" must be times, and "from" must not be later than "to"'
                using errcode = 'LT400';
        elsif digest.format is null or digest.format not in ('html', 'markdown', 'text') then
            raise exception 'format is %, but must be html, markdown or text', digest.format using errcode = 'LT400';
        end if;
        ids := rest.digest_links(coalesce(digest.query, ''), digest."from", digest."to", max_links + 1);
        if cardinality(ids) > max_links then
            raise exception 'The digest would have more than % links', max_links using errcode = 'LT400',
                hint = 'Choose a shorter time or a narrower query.';
        end if;
        period := rest.digest_period(digest."from", digest."to");
        return case digest.format
            when 'html' then rest.digest_html(ids, period)
            when 'markdown' then rest.digest_markdown(ids, period)
            else rest.digest_text(ids, period) end;
    end
    $$;

grant execute on function rest.web_address(text), rest.escape_html(text), rest.escape_markdown(text),
    rest.one_line(text), rest.shortened(text, integer), rest.digest_entries(uuid[]), rest.digest_period(timestamptz, timestamptz),
    rest.digest_facts(text, integer), rest.digest_html(uuid[], text, text), rest.digest_markdown(uuid[], text),
    rest.markdown_address(text), rest.digest_text(uuid[], text),
    public.digest(timestamptz, timestamptz, text, text)
    to authenticated;

comment on function public.digest(timestamptz, timestamptz, text, text) is
    'A digest of the links that a query finds and that were archived from a time on (from) until before another one '
    '(to), grouped by tag: a newsletter. format is html, markdown or text. At most 500 links.';
