-- What the resolved address of a link and the canonical address of its page say about which page it is.

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- As rest.is_page_of_key, for two URLs.
create or replace function rest.is_page_of(asked text, reached text) returns boolean
    language plpgsql immutable
    as $$
    begin
        return rest.is_page_of_key(rest.dedupe_key(asked), rest.dedupe_key(reached));
    end
    $$;

-- Whether the page that was reached may be the page that was asked for, by their keys. A site's front page and pages
-- for login, consent or errors are reached instead of any page.
create or replace function rest.is_page_of_key(asked text, reached text) returns boolean
    language plpgsql immutable
    as $$
    declare
        -- Front pages, also of a language.
        front constant text :=
            '^https://[^/?#]*(?:/(?:[a-z]{2}(?:[-_][a-z]{2})?|index|home|default)(?:\.[a-z]{2,5})?)?(?:$|[?#])';
        -- Names of hosts and of path segments. The parts of a word may be joined in any way.
        hosts constant text := '^https://(?:[^/@]*@)?((?:log-?in|sign-?in|sso|auth|oauth|accounts?|passport|idp?|consent|captcha|error)\.)';
        segments constant text := '/((?:wp[-_]?|users?[-_]?|accounts?[-_]?|members?[-_]?|my[-_]?)?'
            '(?:log[-_]?in|sign[-_]?(?:in|on|up)|register|join|subscribe|auth(?:orize)?|oauth2?|sso|session[-_/]new|'
            'consent|cookie[-_]?(?:wall|consent)|gdpr|privacy[-_]?(?:wall|gate|consent)|captcha|challenge|paywall|sorry|'
            '(?:page[-_]?)?error(?:s|[-_]?[0-9]{3}|[-_]?page)?|[45][0-9][0-9]|(?:page[-_]?)?not[-_]?found|unavailable|gone|expired|'
            'denied|forbidden|maintenance)(?:[-_]?(?:form|page))?)(?:\.[a-z]{2,5})?(?:$|[/?#;])';
    begin
        asked := lower(asked);
        reached := lower(reached);
        if asked is null or reached is null then
            return false;
        end if;
        -- The requested page may be such a page itself.
        return not (
            reached ~ front and asked !~ front
            or coalesce(substring(reached from hosts) <> coalesce(substring(asked from hosts), ''), false)
            or coalesce(substring(reached from segments) <> coalesce(substring(asked from segments), ''), false));
    end
    $$;

-- Returns the key of the canonical address if it is believable: on the same site, in any of its editions, and not the
-- site's front page.
create or replace function rest.believable_canonical(reached text, canonical text) returns text
    language plpgsql immutable
    as $$
    declare
        key constant text := rest.dedupe_key(canonical);
        site constant text := '^https://(?:[^/?#@]*@)?(?:(?:m|mobile|amp)\.(?=[^./?#]+\.))*([^/?#]*)';
    begin
        return case
            when substring(key from site) = substring(rest.dedupe_key(reached) from site)
                and rest.is_page_of(reached, canonical)
                then key
        end;
    end
    $$;

-- Merges two links unless their user has separated one of them. Returns the link that is left, or null if nothing was
-- merged.
create or replace function rest.merge_unless_separated(one uuid, other uuid, why text) returns uuid
    language plpgsql
    as $$
    declare
        merge uuid;
    begin
        if one = other or exists (select from public.links where id in (one, other) and is_kept_apart) then
            return null;
        end if;
        merge := rest.merge_into_older(one, other, why);
        return (select survivor_id from public.link_merges where id = merge);
    end
    $$;

-- Called when a link is resolved. Merges the link with another one that has the same page.
--
-- reached: where the redirects ended. canonical: the address that the page names as its own; null if it names none.
create or replace function rest.merge_resolved_link(link uuid, reached text, canonical text) returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        -- A page that is claimed as canonical by more links than this is not believed.
        max_claims constant integer := 3;
        known public.links;
        page text;
        claimed text;
        claims bigint;
        other uuid;
    begin
        -- Also serialises links that turn out to be the same page, so that the second finds the first.
        perform rest.lock_writes(array(select user_id from public.links where id = link));
        select * into known from public.links where id = link;
        if not found or not rest.may_act_for(known.user_id) or known.is_kept_apart then
            return;
        end if;
        -- Nothing is concluded from a page that is not the one asked for.
        if rest.is_page_of(known.raw_url, reached) then
            page := rest.dedupe_key(reached);
            claimed := rest.believable_canonical(reached, canonical);
        end if;
        update public.links set canonical_key = claimed where id = link and canonical_key is distinct from claimed;

        -- Saved while another link's resolution found that it leads here.
        link := coalesce(rest.merge_unless_separated(link, rest.link_of_alias(known.user_id, known.dedupe_key),
            'resolved'), link);
        if page <> known.dedupe_key then
            other := rest.link_of_key(known.user_id, page);
            if other is null then
                insert into public.link_aliases (user_id, link_id, kind, value)
                    values (known.user_id, link, 'key', page);
            elsif other <> link then
                link := coalesce(rest.merge_unless_separated(link, other, 'resolved'), link);
            end if;
        end if;

        if claimed is null then
            return;
        end if;
        -- Links that exist, and links that were merged for this address.
        other := rest.link_of_key(known.user_id, claimed);
        claims := (
                select count(*) from public.links
                where user_id = known.user_id and md5(canonical_key) = md5(claimed) and canonical_key = claimed
                    and id <> other)
            + (select count(*) from public.link_merges where survivor_id = other and reason = 'canonical'
                and undone_at is null);
        if claims > max_claims then
            return;
        end if;
        if claimed = coalesce(page, known.dedupe_key) then
            -- The page names itself: links that claimed it before are merged into it.
            for other in
                select id from public.links
                where user_id = known.user_id and md5(canonical_key) = md5(claimed) and canonical_key = claimed
                    and id <> link
            loop
                link := coalesce(rest.merge_unless_separated(link, other, 'canonical'), link);
            end loop;
        else
            perform rest.merge_unless_separated(link,
                (select id from public.links where id = other and canonical_key = claimed), 'canonical');
        end if;
    end
    $$;

revoke execute on function rest.is_page_of(text, text), rest.is_page_of_key(text, text),
    rest.believable_canonical(text, text), rest.merge_unless_separated(uuid, uuid, text),
    rest.merge_resolved_link(uuid, text, text)
    from public;
grant execute on function rest.merge_resolved_link(uuid, text, text) to job_worker;

set local role lectern_owner;
