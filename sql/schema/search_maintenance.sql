-- Indexes what is not in the index of words, or was indexed by older rules: `lectern maintain reindex`, and the jobs
-- process when it starts.

-- Renews the rows of these links in the index, and their domains.
create or replace function private.reindex_links(places tid[]) returns bigint
    language plpgsql
    as $$
    declare
        link uuid;
        ids constant uuid[] := array(select id from public.links where ctid = any (places));
    begin
        update public.links set domain = null
            where id = any (ids)
                and domain is distinct from coalesce(rest.host_of_url(resolved_url), rest.host_of_url(raw_url));
        foreach link in array ids loop
            perform private.renew_parts(link, true);
            perform private.index_link_now(link);
        end loop;
        return cardinality(ids);
    end
    $$;

-- Kinds of rows, and what the index lacks of a row `t`. Every link has the part 0.
create or replace view private.unindexed_kinds with (security_invoker = true) as
    values
        ('public.links',
            'not exists (select from private.search_parts p where p.link_id = t.id and p.part = 0)
                or exists (select from private.search_parts p
                    where p.link_id = t.id and (p.rules <> private.word_rules() or p.index_error is not null))',
            'select private.reindex_links($1)'),
        ('public.tags',
            'not exists (select from private.search_tags s
                where s.tag_id = t.id and s.rules = private.word_rules())',
            'insert into private.search_tags (tag_id, user_id, words, rules)
                select id, user_id, private.folded_text(name), private.word_rules() from public.tags
                where ctid = any ($1)
                on conflict (tag_id) do update set words = excluded.words, rules = excluded.rules');

create or replace function private.reindex_batch(
    after bigint, max_rows integer, is_dry_run boolean, of_table text default 'public.links',
    account uuid default null, out last_id bigint, out seen bigint, out changed bigint
)
    language plpgsql
    as $$
    declare
        damaged text;
        repair text;
    begin
        select column2, column3 into strict damaged, repair from private.unindexed_kinds where column1 = of_table;
        select * into last_id, seen, changed from private.repair_batch(
            of_table::regclass, format('(%s) and (%L::uuid is null or t.user_id = %L)', damaged, account, account),
            repair, after, max_rows, is_dry_run);
    end
    $$;

-- The same for the jobs process, which sees no rows of users. It belongs to the admin, as those who call
-- `lectern maintain` are.
set local role lectern_admin;
create or replace function private.reindex_older(
    of_table text, after bigint, max_rows integer, is_dry_run boolean, out last_id bigint, out changed bigint
)
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$ select b.last_id, b.changed from private.reindex_batch(after, max_rows, is_dry_run, of_table) as b $$;
revoke execute on function private.reindex_older(text, bigint, integer, boolean) from public;
grant execute on function private.reindex_older(text, bigint, integer, boolean) to lectern_jobs;
set local role lectern_owner;

grant select on private.unindexed_kinds to lectern_admin;
grant select, insert, update on private.search_parts, private.search_tags to lectern_admin;
grant execute on function private.reindex_links(tid[]),
    private.reindex_batch(bigint, integer, boolean, text, uuid)
    to lectern_admin;
