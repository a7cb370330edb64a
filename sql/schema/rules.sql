-- Rules: queries with changes. When a link becomes ready, the enabled rules of its user whose query finds it are
-- applied in order, once. rpc/apply_rule applies a rule to everything that is there.

-- Leaves the columns of the server alone when a client writes a rule.
create or replace function private.keep_rule_counts() returns trigger
    language plpgsql
    as $$
    begin
        new.applied_count := case when tg_op = 'INSERT' then 0 else old.applied_count end;
        new.last_applied_at := case when tg_op = 'UPDATE' then old.last_applied_at end;
        return new;
    end
    $$;

create or replace trigger keep_rule_counts before insert or update on public.rules
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.keep_rule_counts();

-- Limits the rules of a user, because each link that becomes ready is compared with all of them. After the write, so that
-- an upsert may replace a rule.
create or replace function private.check_rule_limit() returns trigger
    language plpgsql
    as $$
    declare
        max_rules constant integer := 500;
    begin
        perform pg_advisory_xact_lock(hashtextextended('number of rules of ' || new.user_id, 0));
        if (select count(*) from public.rules r where r.user_id = new.user_id) > max_rules then
            raise exception 'There are % rules, which is the maximum.', max_rules using errcode = 'LT400';
        end if;
        return null;
    end
    $$;

create or replace trigger rules_within_limit after insert on public.rules
    for each row execute function private.check_rule_limit();

-- Refuses a change that change_links would refuse. After the write, so that the policies have been applied.
create or replace function private.check_rule() returns trigger
    language plpgsql
    as $$
    begin
        perform rest.check_link_change(new.change);
        return null;
    end
    $$;

create or replace trigger check_rule after insert on public.rules
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.check_rule();

create or replace trigger check_changed_rule after update on public.rules
    for each row when (current_user in ('anon', 'authenticated', 'service_role') and new.change <> old.change)
    execute function private.check_rule();

create or replace trigger rules_written_by_client before insert or update on public.rules
    for each row when (current_user in ('anon', 'authenticated', 'service_role'))
    execute function private.written_by_client();

create or replace trigger rules_deleted_by_client before delete on public.rules
    for each row when ((current_user in ('anon', 'authenticated', 'service_role'))
        and current_setting('request.acted_at', true) <> '')
    execute function private.deleted_by_client();

-- Stores the tree of a rule's query, which the worker has parsed; see `private.parsed_query`.
create or replace function private.store_rule_tree() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        tree jsonb := nullif(current_setting('request.queries', true), '')::jsonb -> new.query;
    begin
        if new.query = '' then
            tree := '{"where": null, "sort": null}';
        end if;
        -- An admin who writes to the table copies the trees, too. A rule without one finds nothing.
        if tree is null and current_setting('role') = 'none' then
            return null;
        elsif tree is null then
            raise exception 'The query has not been parsed.' using errcode = 'LT400',
                hint = 'Write rules over /rest/v1/rules.';
        end if;
        insert into private.rule_trees (rule_id, user_id, tree) values (new.id, new.user_id, tree)
            on conflict (rule_id) do update set user_id = excluded.user_id, tree = excluded.tree;
        return null;
    end
    $$;
revoke execute on function private.store_rule_tree() from public;

create or replace trigger store_rule_tree after insert on public.rules
    for each row execute function private.store_rule_tree();

create or replace trigger store_changed_rule_tree after update on public.rules
    for each row when (new.query <> old.query)
    execute function private.store_rule_tree();

alter table public.rules alter column user_id set default auth.uid();

-- Counts the links that a rule of the caller was applied to.
create or replace function rest.count_rule(rule uuid, links bigint) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
        update public.rules set applied_count = applied_count + links, last_applied_at = clock_timestamp()
        where id = rule and user_id = (select auth.uid()) and links > 0
    $$;
revoke execute on function rest.count_rule(uuid, bigint) from public;
grant execute on function rest.count_rule(uuid, bigint) to authenticated, service_role;

create or replace function public.apply_rule(rule uuid) returns jsonb
    language plpgsql
    as $$
    declare
        applied public.rules;
        ids uuid[];
        undo uuid;
    begin
        perform rest.lock_writes(array[auth.uid()]);
        select * into applied from public.rules where id = rule and user_id = auth.uid();
        if not found then
            raise exception 'There is no such rule.' using errcode = 'LT400';
        end if;
        perform rest.check_link_change(applied.change);
        ids := rest.links_of_rule(rule, null, rest.max_changed_links() + 1);
        if cardinality(ids) > rest.max_changed_links() then
            raise exception 'The rule finds more than % links, which is too many for one change.',
                rest.max_changed_links()
                using errcode = 'LT400', hint = 'Restrict it, for example with before: or after:.';
        end if;
        undo := rest.begin_link_change();
        perform rest.apply_link_change(ids, applied.change, undo);
        perform rest.count_rule(rule, cardinality(ids));
        return jsonb_build_object('count', cardinality(ids), 'undo', undo);
    end
    $$;
revoke execute on function public.apply_rule(uuid) from public;
grant execute on function public.apply_rule(uuid) to authenticated, service_role;

comment on function public.apply_rule(uuid) is
    'Applies a rule to every link that its query finds. Returns {"count": n, "undo": id}.';
comment on table public.rules is
    'Queries with changes, applied in order to each link that becomes ready. The changes are those of change_links.';
comment on column public.rules.applied_count is 'How many links the rule was applied to; set by the server.';
comment on column public.rules.last_applied_at is 'When the rule was last applied to a link; set by the server.';

-- Functions that search.
set local role lectern_search;

-- The links that the query of a rule of the caller finds: among all, or this one.
create or replace function rest.links_of_rule(rule uuid, link uuid, max_links integer) returns uuid[]
    language plpgsql stable
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        owner constant uuid := auth.uid();
        number constant integer := (select n.number from private.search_owners n where n.user_id = owner);
        parsed constant jsonb := (
            select tree from private.rule_trees where rule_id = rule and user_id = owner);
        condition constant text := private.found_condition(
            nullif(parsed -> 'where', 'null'), owner, number, link);
        ids uuid[];
    begin
        if number is not null and parsed is not null then
            execute format(
                'select array_agg(id) from (
                    select l.id from public.links l
                    where l.user_id = %1$L and (%2$L::uuid is null or l.id = %2$L)%3$s limit %4$s
                ) as found',
                owner, link, ' and ' || condition, max_links) into ids;
        end if;
        return coalesce(ids, '{}');
    end
    $$;
revoke execute on function rest.links_of_rule(uuid, uuid, integer) from public;
grant execute on function rest.links_of_rule(uuid, uuid, integer) to authenticated, service_role, lectern_admin;

-- Functions owned by the admin, who sees all rows.
set local role lectern_admin;

-- Applies the rules to a link that has become ready, at the end of the transaction, when its article and its tags are
-- stored. An error in a rule loses nothing but the rule's own change.
create or replace function private.apply_rules() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
    as $$
    declare
        claims constant text := current_setting('request.jwt.claims', true);
        rule record;
    begin
        insert into private.ruled_links (link_id, user_id)
            select id, user_id from public.links where id = new.id on conflict do nothing;
        if not found then
            return null;
        end if;
        -- The jobs of a user store links at the same time. Their rules may create the same tags, in any order.
        perform pg_advisory_xact_lock(hashtextextended('rules of ' || new.user_id, 0))
            where exists (select from public.rules where user_id = new.user_id and enabled);
        perform private.index_link_now(new.id)
            where exists (select from public.rules where user_id = new.user_id and enabled);
        -- The functions of search and of changes act for this user.
        perform set_config('request.jwt.claims', json_build_object('sub', new.user_id, 'role', 'authenticated')::text,
            true);
        for rule in
            select id, change from public.rules where user_id = new.user_id and enabled order by position, id
        loop
            begin
                if rest.links_of_rule(rule.id, new.id, 1) = array[new.id] then
                    perform rest.check_link_change(rule.change);
                    perform rest.apply_link_change(array[new.id], rule.change, null);
                    perform rest.count_rule(rule.id, 1);
                end if;
            exception when others then
                raise warning 'the rule % could not be applied: %', rule.id, sqlerrm;
            end;
        end loop;
        perform set_config('request.jwt.claims', coalesce(claims, ''), true);
        return null;
    end
    $$;
revoke execute on function private.apply_rules() from public;
-- Whoever makes a link ready.
grant execute on function private.apply_rules() to lectern_owner, job_worker, authenticated, service_role;

set local role lectern_owner;

drop trigger if exists apply_rules on public.links;
create constraint trigger apply_rules after update of state on public.links
    deferrable initially deferred
    for each row when (new.state = 'ready' and old.state = 'pending')
    execute function private.apply_rules();
