"""Users see and change only their own rows: over REST, with every role of PostgreSQL, and in every table."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from support.client import acting, wait_until
from support.database import delete_user

# Every table of schema public, with the values a row needs besides its owner, its key and its foreign keys, which come
# from the catalog. Add a new table after those it refers to; all tests below then cover it.
TABLES = {
    "links": {"raw_url": "no address, and isolated"},
    "articles": {
        "url": "no address, and isolated",
        "content": "<p>secret",
        "text_content": "secret",
        "length": 6,
        "word_count": 1,
        "extractor_version": 1,
    },
    "tags": {"name": "secret"},
    "link_tags": {},
    "highlights": {"quote": "secret"},
    "bookmarks": {"name": "secret", "quote": "secret"},
    "notes": {"body": "secret"},
    "collections": {"name": "secret"},
    "collection_links": {},
    "reading_progress": {"content_hash": "secret"},
    "user_settings": {"font_name": "secret"},
    "rules": {"name": "secret", "query": "", "change": '{"status": "read"}', "enabled": False},
    "link_aliases": {"kind": "spelling", "value": "https://example.org/secret"},
    "link_merges": {
        "survivor_id": "00000000-0000-4000-8000-000000000000",
        "merged_id": "00000000-0000-4000-8000-000000000001",
        "raw_url": "secret",
        "reason": "spelling",
        "survivor_before": "{}",
        "survivor_after": "{}",
        "link": "{}",
        "parts": "{}",
        "added": "{}",
    },
    "pictures": {"hash": "0123456789abcdef" * 4, "address": "ab/secret", "width": 1, "height": 1, "bytes": 1},
    "link_pictures": {"source": "https://example.org/secret.png", "state": "kept"},
    "trash": {"link_id": "00000000-0000-4000-8000-000000000000", "raw_url": "secret", "link": "{}", "parts": "{}"},
}
# Tables that only the server writes, and the roles that must not write them.
UNWRITTEN = {
    "articles": ["authenticated"],
    "link_aliases": ["authenticated", "service_role"],
    "pictures": ["authenticated", "service_role"],
    "link_pictures": ["authenticated", "service_role"],
}
# Tables of other schemas with rows of users.
HIDDEN = [
    "auth.users",
    "auth.sessions",
    "auth.refresh_tokens",
    "auth.identities",
    "auth.mfa_factors",
    "auth.delays",
    "auth.devices",
    "auth.api_tokens",
    "auth.one_time_tokens",
    "auth.pairings",
    "auth.audit_log",
    "private.change_log",
    "private.last_changes",
    "private.change_marks",
    "private.jobs",
    "private.done_jobs",
    "private.batches",
    "private.page_checks",
    "private.pages",
    "private.former_articles",
    "private.article_reports",
    "private.page_copies",
    "private.sources",
    "private.resolutions",
    "private.mails",
    "private.exports",
    "private.quota_counts",
    "private.search_owners",
    "private.search_parts",
    "private.search_tags",
    "private.unindexed_kinds",
    "private.kind_sites",
    "private.link_changes",
    "private.digest_times",
    "private.link_change_steps",
    "private.rule_trees",
    "private.ruled_links",
    "private.collection_trees",
    "private.personal_columns",
    "private.personal_tables",
    "private.dated_tables",
    "private.orphan_kinds",
    "private.storage",
    "private.activity",
    "private.queue_health",
    "private.bloat",
    "private.vacuum_advice",
    "private.kept_pictures",
    "private.picture_listings",
    "private.link_books",
    "private.markdown_files",
    "private.shares",
    "private.webhooks",
    "private.webhook_deliveries",
    "private.feeds",
    "private.feed_entries",
    "private.file_names",
    "private.made_books",
    "private.daily_counts",
    "private.ereader_mails",
    "private.mail_sender",
    "private.documents",
    "private.imports",
    "private.import_entries",
    "private.import_rejects",
    "private.unused_documents",
    "private.document_removals",
    "private.picture_jobs",
    "private.unused_pictures",
    "private.picture_removals",
    "private.picture_storage",
]

# Functions that run with the rights of their owner and so bypass row security; each has to check the caller, see sql/.
SECURITY_DEFINER = {
    "private.forget_url_hashes()",
    "rest.store_url_hashes(jsonb)",
    "private.queue_book(uuid,interval)",
    "private.queue_book_of_article()",
    "private.queue_books_of_articles()",
    "private.queue_book_of_link()",
    "private.queue_book_of_part()",
    "private.queue_books_of_tags()",
    "private.queue_book_of_pictures()",
    "private.wake_book()",
    "private.awaits_pictures(uuid)",
    "private.unknown_books(text[])",
    "rest.book(uuid,boolean)",
    "private.make_book_first(uuid)",
    "private.put_pictures_first(uuid)",
    "rest.request_book(uuid)",
    "rest.begin_import(uuid,text,text,bigint,boolean)",
    "start_import(uuid)",
    "cancel_import(uuid)",
    "retry_import(uuid)",
    "rest.document_of(uuid)",
    "private.unneeded_imports(uuid[])",
    "private.store_document(uuid,integer,text,text,text,bigint)",
    "private.reject_document(uuid,integer,text)",
    "private.stage_import_entries(uuid,integer,jsonb)",
    "private.save_import_entries(uuid,integer,bigint,bigint,integer)",
    "private.clear_cancelled_imports(integer)",
    "private.record_unused_document()",
    "private.remove_document()",
    "private.unknown_documents(text[])",
    "private.delete_unused_documents(integer)",
    "rest.book_links(text,text,uuid[],integer)",
    "make_book(text,text,text,uuid[])",
    "send_to_ereader(uuid,uuid)",
    "ereader_sender()",
    "private.tell_ereader_mail()",
    "private.enqueue_saved_links()",
    "private.enqueue_changed_link()",
    "cancel_jobs(bigint,uuid[])",
    "private.check_link_quota()",
    "private.check_storage_quota()",
    "private.used_of_quota(uuid,text,bigint,bigint)",
    "private.purge_expired(text,integer,integer)",
    "private.delete_done_jobs()",
    "private.log_change()",
    "private.log_inserts()",
    "private.log_deletes()",
    "rest.log_changed_links(uuid[])",
    "private.delete_changes()",
    "rest.logged_snapshot()",
    "private.changes_after(pg_snapshot,pg_snapshot,bigint,integer)",
    "private.mark_changes()",
    "private.compact_changes(integer)",
    "private.purge_changes(integer)",
    "private.queue_digests(text,integer)",
    "private.enqueue_highlights()",
    "private.move_sources()",
    "rest.count_change()",
    "rest.changed_keys(pg_snapshot,pg_snapshot,xid8,bigint,text[],integer)",
    "private.number_saved_links()",
    "private.number_row()",
    "private.number_user()",
    "private.keep_file_name()",
    "private.keep_number()",
    "rest.signed_up_at()",
    "rest.links_fetched_since(timestamp with time zone)",
    "rest.link_column_steps(uuid)",
    "rest.undo_change_of_deleted_links(uuid)",
    "rest.store_in_trash(links,jsonb)",
    "rest.confirm_deletion(uuid)",
    "rest.restore_hidden_parts(text,uuid[],jsonb)",
    "rest.analyze_restored_tables()",
    "rest.copy_to_trash(uuid[])",
    "rest.replace_page(uuid,text,text)",
    "rest.record_sent_page(uuid,text,jsonb,uuid[])",
    "rest.record_spellings(uuid,text[],uuid[],jsonb[],jsonb)",
    "rest.merge_restored_link(uuid,uuid)",
    "rest.is_alias_of_other_link(uuid,text,uuid)",
    "rest.replace_stored_tag(uuid,uuid)",
    "private.add_resolved_key()",
    "rest.add_resolved_keys(uuid[])",
    "private.delete_outdated_aliases()",
    "rest.merge_resolved_link(uuid,text,text)",
    "unmerge(uuid)",
    "rest.ask_resolution(text,integer,integer)",
    "rest.resolution(uuid)",
    "auth.auth_claims(bytea,text)",
    "auth.log_event(text,uuid,jsonb)",
    "auth.invalidate_links()",
    "auth.delete_delays()",
    "private.personal_account(uuid)",
    "private.personal_condition(text,uuid,jsonb)",
    "private.personal_counts(uuid,jsonb)",
    "private.personal_rows(text,uuid,jsonb)",
    "private.next_personal_rows(refcursor)",
    "private.personal_reading(uuid,jsonb,boolean)",
    "private.personal_files(uuid,jsonb)",
    "private.export_condition(jsonb,uuid)",
    "private.exported_links(uuid,jsonb,text)",
    "private.queue_picture_listing()",
    "private.queue_picture_listings()",
    "private.enqueue_pictures()",
    "fetch_pictures(uuid)",
    "private.record_unused_pictures()",
    "private.remove_pictures()",
    "private.keep_pictures()",
    "rest.keep_pictures(uuid[])",
    "private.restore_pictures()",
    "private.merge_pictures()",
    "private.delete_kept_pictures()",
    "private.picture_file(text)",
    "private.picture_addresses_after(text,integer)",
    "private.unknown_picture_addresses(text[])",
    "private.fetch_lost_pictures(text[])",
    "private.find_unused_pictures(boolean)",
    "private.holds_listing(uuid,integer)",
    "private.queue_rechecks(uuid,integer,text,integer,interval)",
    "queue_of_all()",
    "private.require_admin(text)",
    "report_article(uuid,text)",
    "withdraw_report(uuid)",
    "usage()",
    "article_reports()",
    "reported_page(uuid)",
    "close_report(uuid)",
    "rest.replace_copy(uuid,text)",
    "private.copy_of_link(uuid,uuid)",
    "private.copied_page(uuid)",
    "rest.keep_former_article(uuid)",
    "rest.page_of_article(uuid)",
    "rest.mark_whole_page(uuid,boolean,boolean)",
    "former_article(uuid)",
    "restore_article(uuid)",
    "keep_article(uuid)",
    "private.delete_former_articles(integer)",
    "private.queue_markdown()",
    "private.queue_markdown_of_articles()",
    "rest.stored_markdown(uuid)",
    "rest.viewer_names()",
    "rest.viewer_link(text)",
    "rest.viewer_changed_at()",
    "share_link(uuid)",
    "add_webhook(text,text[])",
    "private.queue_webhooks(uuid,text,jsonb)",
    "private.tell_webhooks_of_link()",
    "private.tell_webhooks_of_saves()",
    "private.tell_webhooks_of_highlight()",
    "private.take_webhook_deliveries(integer,integer,uuid[],integer)",
    "private.end_webhook_delivery(uuid,integer,text,integer,text,integer)",
    "private.delete_old_webhook_deliveries(integer)",
    "private.check_feed()",
    "refresh_feed(uuid)",
    "rest.viewer_feeds()",
    "private.take_feeds(integer,integer,uuid[],text[],integer)",
    "private.take_copies(uuid,text,boolean,integer,integer)",
    "private.put_off_feed(uuid,integer,integer)",
    "private.fail_feed(uuid,integer,text,integer,boolean)",
    "private.move_feed(uuid,integer,text,boolean)",
    "private.keep_feed(uuid,integer)",
    "private.new_feed_entries(uuid,text[])",
    "private.store_feed(uuid,integer,jsonb,bigint,bigint)",
    "unshare_link(uuid)",
    "private.shared_article(text)",
    "private.articles_without_markdown(integer)",
    "private.store_markdown(uuid,integer,text)",
    "private.delete_unused_file_names(integer)",
    "saved(text[],text[])",
    "search_links(text,integer,text)",
    "count_links(text)",
    "domains(text)",
    "suggest(text,integer)",
    "private.article_piece(uuid,integer)",
    "private.short_texts(uuid)",
    "private.part_keys(uuid,smallint,integer,text,timestamp with time zone,boolean)",
    "private.index_part(uuid,smallint)",
    "private.index_link_now(uuid)",
    "private.index_waiting_parts(integer,integer)",
    "private.reindex_older(text,bigint,integer,boolean)",
    "private.merge_new_keys()",
    "private.search_owner(uuid,text)",
    "rest.found_links(text,integer)",
    "rest.digest_links(text,timestamp with time zone,timestamp with time zone,integer)",
    "rest.feed_page(text,integer,text,boolean)",
    "rest.collection_members(uuid)",
    "rest.collections_by_link()",
    "rest.begin_link_change()",
    "rest.add_link_change_steps(uuid,text,jsonb)",
    "rest.link_change_steps(uuid)",
    "rest.end_link_change(uuid)",
    "rest.links_of_rule(uuid,uuid,integer)",
    "rest.count_rule(uuid,bigint)",
    "private.store_rule_tree()",
    "private.store_collection_tree()",
    "private.apply_rules()",
    "private.renew_parts(uuid,boolean)",
    "private.renew_parts_of_links(uuid[],boolean)",
    "private.index_texts_of_link()",
    "private.index_link()",
    "private.index_new_links()",
    "private.index_tag()",
}

# A value that fits text and time columns, searched for where it must not appear.
PLANTED = "2001-01-01T00:00:00+00:00"


class Shape:
    """A table as the catalog describes it."""

    def __init__(self, admin, table):
        ask = lambda query: admin.execute(query, (f"public.{table}",)).fetchall()
        self.key = [
            name
            for (name,) in ask("""
            select a.attname from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
            where k.conrelid = %s::regclass and k.contype = 'p'""")
        ]
        # Columns, referenced table and referenced columns of every foreign key between tables of users.
        self.references = ask("""
            select
                (select array_agg(a.attname::text order by place) from unnest(k.conkey) with ordinality as c (n, place)
                    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n),
                k.confrelid::regclass::text,
                (select array_agg(a.attname::text order by place) from unnest(k.confkey) with ordinality as c (n, place)
                    join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n)
            from pg_constraint k join pg_class c on c.oid = k.confrelid
            where k.conrelid = %s::regclass and k.contype = 'f' and c.relnamespace = 'public'::regnamespace
            order by k.conname""")
        # The table to write to.
        self.column = ask("""
            select attname from pg_attribute
            where attrelid = %s::regclass and attnum > 0 and not attisdropped and atttypid in ('text'::regtype, 'timestamptz'::regtype)
            order by attnum limit 1""")[0][0]

    def filter(self, row):
        return "&".join(f"{name}=eq.{row[name]}" for name in self.key)


@pytest.fixture(scope="module")
def shapes(lectern):
    with psycopg.connect(lectern.database_url, autocommit=True) as admin:
        return {table: Shape(admin, table) for table in TABLES}


@pytest.fixture(scope="module")
def unchanged(lectern, shapes):
    """Alice with a row in every table, Bob without any, and her rows. For tests that show that nothing changes."""
    alice, bob = lectern.sign_up(), lectern.sign_up()
    with psycopg.connect(lectern.database_url, autocommit=True) as admin:
        return alice, bob, fill(admin, shapes, alice, list(TABLES))


@pytest.fixture
def rows(alice, admin, shapes):
    """A row of Alice's in every table: name → the row."""
    return fill(admin, shapes, alice, list(TABLES))


def fill(admin, shapes, user, tables):
    """A row of a user in each of these tables, and always a link: name → the row."""
    # The jobs bury this link at once; afterwards nothing changes the row.
    found = {"links": user.settled(user.save(TABLES["links"]["raw_url"])["id"])}
    for table in tables[1:]:
        if table == "pictures":
            # The article has no pictures; once the jobs find that out, they delete the rows.
            survey = "select from private.picture_listings where link_id = %s and state = 'done'"
            wait_until(lambda: admin.execute(survey, (found["links"]["id"],)).rowcount, every=0.01)
        write(admin, table, own(shapes, found, table, user))
        found[table] = of(admin, table, user)[0]
    return found


def own(shapes, rows, table, user):
    """The values of a row that a user may write, referring to rows of the same user."""
    values = TABLES[table] | {"user_id": user.id}
    for columns, target, targets in shapes[table].references:
        if target != table:
            values |= {column: rows[target][name] for column, name in zip(columns, targets) if column != "user_id"}
    return values


def write(connection, table, values):
    connection.execute(insert(table, values), list(values.values()))


def insert(table, values):
    return f"insert into public.{table} ({', '.join(values)}) values ({', '.join(['%s'] * len(values))})"


def rows_or_refused(connection, statement, values=()):
    """The number of rows a statement affected or returned, or 'refused' if the role lacks the right."""
    try:
        with connection.transaction():
            cursor = connection.execute(statement, values)
            return cursor.rowcount
    except psycopg.errors.InsufficientPrivilege:
        return "refused"


def of(admin, table, user):
    """All rows of a user, without the positions of highlights, which the jobs determine."""
    return [
        row
        for (row,) in admin.execute(
            f"select to_jsonb(t) - '{{orphaned_at,start_offset,end_offset}}'::text[] from public.{table} t where user_id = %s",
            (user.id,),
        )
    ]


# Over REST


@pytest.mark.parametrize("table", TABLES)
def test_another_user_reads_nothing(unchanged, shapes, table):
    _, bob, rows = unchanged
    key = shapes[table].key[0]
    for query in [
        "",
        f"?{shapes[table].filter(rows[table])}",
        f"?{key}=in.({rows[table][key]})",
        f"?or=({key}.eq.{rows[table][key]},user_id.not.is.null)",
        "?user_id=neq." + bob.id,
        "?select=count",
    ]:
        answer = bob.rest("GET", table + query)
        assert answer.status == 200 and answer.json() in ([], [{"count": 0}])
    counted = bob.rest("GET", table, Prefer="count=exact")
    assert counted["content-range"] == "*/0"


@pytest.mark.parametrize("table", TABLES)
def test_an_embedded_relation_shows_own_rows_only(unchanged, shapes, table):
    """Along every relationship, from both ends, with every kind of join and filter."""
    alice, bob, _ = unchanged
    followed = 0
    for other in TABLES:
        for query in [
            f"select=*,{other}(*)",
            f"select=*,{other}!inner(*)",
            f"select=*,{other}(*)&{other}.user_id=neq.{bob.id}",
            f"select=*,...{other}(*)",
            f"select=*,{other}(count)",
            f"select=user_id,{other}(*)&{other}=not.is.null",
        ]:
            answer = bob.rest("GET", f"{table}?{query}")
            assert answer.status in (200, 300, 400), answer
            assert answer.status != 200 or answer.json() == [], answer
            # Alice has a row in every table, so her result shows that the query works.
            shown = alice.rest("GET", f"{table}?{query}")
            assert shown.status == answer.status and bob.id not in shown.body.decode()
            if shown.status == 200:
                followed += 1
                # No row of hers refers to one of the same table.
                assert len(shown.json()) >= 1 or "neq" in query or other == table, (query, shown)
    assert followed or not shapes[table].references


def test_a_table_embedded_in_itself_shows_own_rows_only(alice, bob):
    ids = {name: str(uuid.uuid4()) for name in ("parent", "child", "own", "foreign")}
    for user, name, parent in [
        (alice, "parent", None), (alice, "child", "parent"), (bob, "own", None), (bob, "foreign", "parent")
    ]:  # fmt: skip
        body = {"id": ids[name], "name": name, "parent_id": parent and ids[parent]}
        assert (user.rest("POST", "collections", body).status == 201) == (name != "foreign")
    query = "collections?select=name,collections(name),parent:parent_id(name)&order=name"
    assert alice.rest("GET", query).json() == [
        {"name": "child", "collections": [], "parent": {"name": "parent"}},
        {"name": "parent", "collections": [{"name": "child"}], "parent": None},
    ]
    assert bob.rest("GET", query).json() == [{"name": "own", "collections": [], "parent": None}]


@pytest.mark.parametrize("table", TABLES)
def test_another_user_changes_nothing(unchanged, shapes, admin, table):
    alice, bob, rows = unchanged
    before = of(admin, table, alice)
    for target in [f"{table}?{shapes[table].filter(rows[table])}", f"{table}?user_id=neq.{bob.id}"]:
        for method, body in [
            ("PATCH", {shapes[table].column: PLANTED}),
            ("PATCH", {"user_id": bob.id}),
            ("DELETE", None),
        ]:
            answer = bob.rest(method, target, body, Prefer="return=representation")
            assert answer.status == 403 or answer.json() == [], answer
    assert of(admin, table, alice) == before and of(admin, table, bob) == []


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("prefer", ["", "resolution=merge-duplicates", "resolution=ignore-duplicates"])
def test_another_user_can_neither_insert_rows_for_alice_nor_overwrite_hers(unchanged, shapes, admin, table, prefer):
    alice, bob, rows = unchanged
    before, column = of(admin, table, alice), shapes[table].column
    new = own(shapes, rows, table, alice) | {column: PLANTED}
    key = {name: rows[table][name] for name in shapes[table].key}
    unnamed = {name: value for name, value in new.items() if name != "user_id"}
    for body in [new, new | key, unnamed | key]:
        answer = bob.rest("POST", table, body, Prefer=f"return=representation,{prefer}")
        assert answer.status in (401, 403, 409) or answer.json() == [], answer
        assert alice.id not in answer.body.decode()
    assert of(admin, table, alice) == before and of(admin, table, bob) == []


@pytest.mark.parametrize("table", TABLES)
def test_a_row_cannot_point_at_another_users_row(alice, bob, rows, shapes, admin, workers, table):
    """No foreign key can refer to another user's row, whether the user, the service key or the admin writes it."""
    # Bob's own rows, for the other foreign keys.
    own_rows = fill(admin, shapes, bob, list(TABLES)[: list(TABLES).index(table)])
    for columns, target, targets in shapes[table].references:
        assert "user_id" in columns, "a foreign key that leaves the owner out"
        [(column, name)] = [pair for pair in zip(columns, targets) if pair[0] != "user_id"]
        if own_rows.get(target, {}).get(name) == rows[target][name]:
            continue  # A row whose key is derived from its content has the same key for Bob.
        mine = own(shapes, own_rows, table, bob)
        crossed = mine | {column: rows[target][name]}
        if shapes[table].key == [column]:
            # Her own row would conflict first.
            admin.execute(f"delete from public.{table} where user_id = %s", (alice.id,))
        for connection, role in [(admin, None), (workers, "service_role"), (workers, "authenticated")]:
            with connection.transaction(force_rollback=True):
                if role:
                    acting(connection, role, bob)
                if role in UNWRITTEN.get(table, ()):
                    assert rows_or_refused(connection, insert(table, crossed), list(crossed.values())) == "refused"
                    continue
                with pytest.raises(psycopg.errors.ForeignKeyViolation), connection.transaction():
                    write(connection, table, crossed)
                write(connection, table, mine)
                with pytest.raises(psycopg.errors.ForeignKeyViolation):
                    connection.execute(
                        f"update public.{table} set {column} = %s where user_id = %s", (rows[target][name], bob.id)
                    )
        answer = bob.rest("POST", table, crossed)
        assert answer.status == (403 if table in UNWRITTEN else 409) and alice.id not in answer.body.decode()


def test_nobody_can_give_a_row_to_another_user(alice, bob):
    id = bob.save("http://127.0.0.2/gift")["id"]
    answer = bob.rest("PATCH", f"links?id=eq.{id}", {"user_id": alice.id})
    assert answer.status == 403 and alice.links() == []


def test_saving_a_url_reveals_nothing_about_other_users(alice, bob, rows):
    """Neither an error nor a hint: the link is simply saved."""
    answer = bob.rest("POST", "links", TABLES["links"], Prefer="return=representation")
    assert answer.status == 201 and answer.json()[0]["user_id"] == bob.id
    assert answer.json()[0]["id"] != rows["links"]["id"]


def test_a_taken_id_is_refused_without_revealing_its_owner(alice, bob, rows):
    answer = bob.rest("POST", "links", {"id": rows["links"]["id"], "raw_url": "http://127.0.0.2/other"})
    assert answer.status == 409 and alice.id not in answer.body.decode() and answer.json()["details"] is None


def test_simultaneous_requests_of_many_users_never_mix(alice, bob):
    """Errors and refusals are mixed in, so that connections are reused after every outcome."""
    mine = {user.id: user.save(f"http://127.0.0.2/{user.id}")["id"] for user in (alice, bob)}
    other = {alice.id: bob.id, bob.id: alice.id}

    def one(n):
        user = (alice, bob)[n % 2]
        match n % 5:
            case 0:
                assert user.rest("GET", "links?id=eq.zzz").status == 400
            case 1:
                assert user.rest("POST", "links", {"raw_url": "x", "user_id": other[user.id]}).status == 403
            case 2:
                answer = user.lectern.send("GET", "/rest/v1/links", {"apikey": user.lectern.anon_key})
                assert answer.json() == []
            case _:
                assert [row["id"] for row in user.links()] == [mine[user.id]]

    # Four of each user, as many as the server lets one have at once.
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(600)))


# Over SQL, as each role


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", ["authenticated", "anon", "job_worker"])
def test_no_role_reaches_rows_of_another_user(workers, jobs, unchanged, shapes, admin, role, table):
    alice, bob, rows = unchanged
    connection = jobs if role == "job_worker" else workers
    before, new = of(admin, table, alice), own(shapes, rows, table, alice)
    with connection.transaction(force_rollback=True):
        acting(connection, role, None if role == "anon" else bob)
        for statement in [
            f"select * from public.{table}",
            f"update public.{table} set {shapes[table].column} = '{PLANTED}'",
            f"delete from public.{table}",
        ]:
            assert rows_or_refused(connection, statement + " where user_id = %s", (alice.id,)) in (0, "refused")
        assert rows_or_refused(connection, insert(table, new), list(new.values())) == "refused"
    assert of(admin, table, alice) == before


@pytest.mark.parametrize("table", TABLES)
def test_every_role_sees_only_its_rows(workers, jobs, unchanged, table):
    """Shows that the test above fails for the reason it names."""
    alice, _, _ = unchanged
    for connection, role in [(workers, "authenticated"), (jobs, "job_worker")]:
        with connection.transaction(force_rollback=True):
            acting(connection, role, alice)
            assert connection.execute(f"select count(*) from public.{table}").fetchone() == (1,)


def test_without_claims_a_role_sees_nothing(workers, jobs, rows):
    for connection, role in [(workers, "authenticated"), (workers, "anon"), (jobs, "job_worker")]:
        for table in TABLES:
            with connection.transaction(force_rollback=True):
                connection.execute("select set_config('role', %s, true)", (role,))
                assert rows_or_refused(connection, f"select * from public.{table}") == 0


@pytest.mark.parametrize("schema_table", [f"public.{table}" for table in TABLES] + HIDDEN + ["rest.changes"])
def test_a_login_without_a_role_has_no_rights(workers, schema_table):
    assert rows_or_refused(workers, f"select * from {schema_table}") == "refused"


def test_every_hidden_table_is_covered_by_these_tests(admin):
    found = admin.execute("""
        select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname in ('auth', 'private')""").fetchall()
    assert {table for (table,) in found} == set(HIDDEN)


def test_row_level_security_binds_the_owner_of_every_table_that_has_it(admin):
    tables = admin.execute("""
        select c.oid::regclass::text, c.relforcerowsecurity from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relrowsecurity and n.nspname in ('auth', 'private', 'public', 'rest')""").fetchall()
    assert {"private.jobs", "private.done_jobs", "private.batches"} <= {table for table, _ in tables}
    assert [table for table, is_forced in tables if not is_forced] == []


def test_functions_of_the_queue_write_for_their_caller_only(admin, alice, bob):
    link = bob.save("http://127.0.0.9:9/queue")["id"]
    for table, row in [
        ("private.jobs (kind, user_id, link_id)", f"'check', '{bob.id}', '{link}'"),
        ("private.batches (user_id)", f"'{bob.id}'"),
    ]:
        for user, is_refused in [(bob, False), (alice, True)]:
            with admin.transaction(force_rollback=True):
                acting(admin, "lectern_owner", user)
                done = rows_or_refused(admin, f"insert into {table} values ({row})")
                assert (done == "refused") == is_refused, table


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
@pytest.mark.parametrize("table", HIDDEN)
def test_no_client_role_reaches_accounts_the_queue_or_pages(workers, role, table):
    with workers.transaction(force_rollback=True):
        acting(workers, role)
        assert rows_or_refused(workers, f"select * from {table}") == "refused"


def test_change_counts_are_visible_to_their_user_and_writable_by_nobody(workers, alice, bob, rows):
    for user, count in [(alice, "some"), (bob, 0)]:
        with workers.transaction(force_rollback=True):
            acting(workers, "authenticated", user)
            seen = workers.execute("select user_id::text from rest.changes").fetchall()
            assert {id for (id,) in seen} == ({alice.id} if count else set())
            for statement in [
                "update rest.changes set n = 0",
                "delete from rest.changes",
                f"insert into rest.changes values ('{bob.id}', 0, 0)",
            ]:
                assert rows_or_refused(workers, statement) == "refused"


def test_integer_ids_are_visible_to_their_user_and_writable_by_nobody(workers, alice, bob, rows):
    for user, owners in [(alice, {alice.id}), (bob, {bob.id})]:
        with workers.transaction(force_rollback=True):
            acting(workers, "authenticated", user)
            seen = workers.execute("select user_id::text from rest.integer_ids").fetchall()
            assert {id for (id,) in seen} == owners
            for statement in [
                "update rest.integer_ids set row_id = user_id",
                "delete from rest.integer_ids",
                f"insert into rest.integer_ids (user_id, kind, row_id) values ('{user.id}', 'link', '{bob.id}')",
            ]:
                assert rows_or_refused(workers, statement) == "refused"


def test_the_hashes_of_an_address_are_stored_by_its_user_while_it_is_the_same(workers, admin, alice, bob, rows):
    numbered = (
        "select n.number, l.raw_url from rest.integer_ids n join public.links l on l.id = n.row_id where n.user_id = %s"
    )
    number, url = admin.execute(numbered, (alice.id,)).fetchone()
    for user, given, stored in [
        (bob, url, False),
        (bob, None, False),
        (alice, url + "x", False),
        (alice, None, False),
        (alice, url, True),
    ]:
        with workers.transaction(force_rollback=True):
            acting(workers, "authenticated", user)
            row = {"number": number, "raw_url": given, "resolved_url": None, "url_hash": "00" * 20}
            workers.execute("select rest.store_url_hashes(%s)", (json.dumps([row]),))
            acting(workers, "authenticated", alice)
            [(hash,)] = workers.execute("select url_hash from rest.integer_ids where number = %s", (number,)).fetchall()
            assert (hash is not None) is stored


def test_the_ranges_of_an_annotation_are_its_users(workers, alice, bob, rows):
    with workers.transaction(force_rollback=True):
        acting(workers, "authenticated", alice)
        row = "select id, user_id, '[]'::jsonb from public.highlights limit 1"
        assert rows_or_refused(workers, f"insert into rest.annotation_ranges {row}") == 1
        acting(workers, "authenticated", bob)
        for statement in ["select * from", "update", "delete from"]:
            rest = " set ranges = '[]'" if statement == "update" else ""
            assert rows_or_refused(workers, f"{statement} rest.annotation_ranges{rest}") == 0
        stolen = f"select highlight_id, '{alice.id}', '[]' from (values (gen_random_uuid())) as x (highlight_id)"
        assert rows_or_refused(workers, f"insert into rest.annotation_ranges {stolen}") == "refused"


def test_the_jobs_see_pages_only_with_their_users_claims(workers, jobs, alice, bob):
    with workers.transaction():
        acting(workers, "authenticated", alice)
        workers.execute("select public.save_page('http://127.0.0.2/page', '<p>secret')")
    for user, count in [(alice, 1), (bob, 0)]:
        with jobs.transaction(force_rollback=True):
            acting(jobs, "job_worker", user)
            assert rows_or_refused(jobs, "select * from private.pages where user_id = %s", (alice.id,)) == count
            assert rows_or_refused(jobs, "delete from private.pages where user_id = %s", (alice.id,)) == count
    alice_keeps = """insert into private.sources (link_id, user_id, kind, asked_url, url, html)
        select id, user_id, 'server', raw_url, raw_url, '<p>secret' from public.links where user_id = %s"""
    with jobs.transaction():
        acting(jobs, "job_worker", alice)
        jobs.execute(alice_keeps, (alice.id,))
    for user, count in [(alice, 1), (bob, 0)]:
        with jobs.transaction(force_rollback=True):
            acting(jobs, "job_worker", user)
            assert rows_or_refused(jobs, "select * from private.sources where user_id = %s", (alice.id,)) == count
            assert (
                rows_or_refused(jobs, "update private.sources set read_by = 7 where user_id = %s", (alice.id,)) == count
            )
            assert rows_or_refused(jobs, "delete from private.sources where user_id = %s", (alice.id,)) == count
            assert (
                rows_or_refused(
                    jobs,
                    "insert into private.pages (link_id, user_id, url, html) values (gen_random_uuid(), %s, '', '')",
                    (user.id,),
                )
                == "refused"
            )
    with jobs.transaction(force_rollback=True):
        acting(jobs, "job_worker", bob)
        assert rows_or_refused(
            jobs, alice_keeps.replace("user_id, 'server'", f"'{alice.id}'::uuid, 'server'"), (bob.id,)
        ) in ("refused", 0)


def test_the_functions_of_trash_and_pages_see_only_the_callers_rows(workers, alice, bob, rows, admin):
    """Called directly, which no client can do."""
    link = rows["links"]["id"]
    with workers.transaction():
        acting(workers, "authenticated", alice)
        workers.execute("select public.save_page(%s, '<p>secret')", (rows["links"]["raw_url"],))
    kept = of(admin, "trash", alice)
    with workers.transaction(force_rollback=True):
        acting(workers, "authenticated", bob)
        forged = "jsonb_populate_record(null::public.links, %s)"
        planted = json.dumps(rows["links"])
        assert rows_or_refused(workers, f"select rest.store_in_trash({forged}, '{{}}')", (planted,)) == "refused"
        # A copy in his own name reveals nothing of her page.
        workers.execute(
            f"select rest.store_in_trash({forged}, '{{}}')", (json.dumps(rows["links"] | {"user_id": bob.id}),)
        )
        assert workers.execute("select parts from public.trash").fetchall() == [
            ({"pages": [], "page_copies": [], "ruled_links": []},)
        ]
        assert rows_or_refused(workers, "select rest.replace_page(%s, 'x', 'planted')", (link,)) in ("refused", 0)
        workers.execute("select rest.copy_to_trash(array[%s]::uuid[])", (link,))
        workers.execute("select rest.restore_hidden_parts('pages', array[%s]::uuid[], '{}')", (kept[0]["id"],))
        assert workers.execute("select * from public.restore_link(%s)", (kept[0]["link_id"],)).fetchall() == []
    assert admin.execute("select html from private.pages where link_id = %s", (link,)).fetchall() == [("<p>secret",)]
    assert of(admin, "trash", alice) == kept


@pytest.mark.parametrize("role", ["auth_service", "lectern_metrics"])
@pytest.mark.parametrize("table", TABLES)
def test_roles_for_other_purposes_see_no_links(workers, role, table):
    with workers.transaction(force_rollback=True):
        acting(workers, role)
        assert rows_or_refused(workers, f"select * from public.{table}") == "refused"


@pytest.mark.parametrize(
    "role", ["lectern_owner", "lectern_admin", "lectern_jobs", "job_worker", "lectern_bootstrap", "postgres"]
)
def test_the_workers_cannot_gain_privileges(workers, role):
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)):
        workers.execute(f"set role {role}")


@pytest.mark.parametrize("role", ["lectern_owner", "lectern_admin", "authenticated", "service_role", "auth_service"])
def test_the_jobs_cannot_gain_privileges(jobs, role):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        jobs.execute(f"set role {role}")


def test_row_security_applies_to_the_owner_of_the_tables(admin, rows):
    with admin.transaction(force_rollback=True):
        admin.execute("set local role lectern_owner")
        for table in TABLES:
            assert admin.execute(f"select count(*) from public.{table}").fetchone() == (0,)


def test_a_deleted_account_leaves_no_rows(admin, alice, bob, rows):
    bob.save("http://127.0.0.2/stays")
    delete_user(admin, alice.id)
    for table in [f"public.{table}" for table in TABLES] + [
        "private.jobs",
        "private.done_jobs",
        "private.batches",
        "private.pages",
        "private.change_log",
        "private.last_changes",
        "private.search_owners",
        "private.search_parts",
        "private.search_tags",
        "private.link_changes",
        "private.link_change_steps",
        "private.rule_trees",
        "private.ruled_links",
        "private.collection_trees",
        "private.made_books",
        "private.daily_counts",
        "private.ereader_mails",
        "private.documents",
        "private.imports",
        "private.import_rejects",
        "private.unused_documents",
        "rest.annotation_ranges",
        "rest.changes",
        "rest.integer_ids",
    ]:
        assert admin.execute(f"select count(*) from {table} where user_id = %s", (alice.id,)).fetchone() == (0,), table
    assert len(bob.links()) == 1


# The catalog


def test_every_table_has_row_security_and_is_tested_here(admin):
    found = admin.execute("""
        select c.relname, c.relrowsecurity, c.relforcerowsecurity,
            exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and a.attnotnull),
            exists (select from pg_policy p where p.polrelid = c.oid),
            not exists (
                select from pg_policy p
                where p.polrelid = c.oid and p.polroles <> array['lectern_search'::regrole::oid] and (
                    p.polroles = '{0}' or pg_get_expr(p.polqual, p.polrelid) !~ 'SELECT auth.uid\\(\\)'
                    or p.polcmd <> 'r' and pg_get_expr(coalesce(p.polwithcheck, p.polqual), p.polrelid) !~ 'SELECT auth.uid\\(\\)'))
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'm')""").fetchall()
    assert {row[0] for row in found} == set(TABLES)
    for name, enabled, forced, has_owner, has_policy, asks_who in found:
        assert enabled and forced and has_owner and has_policy and asks_who, name


def test_the_role_of_search_reads_what_is_searched_and_belongs_to_the_admin_alone(admin):
    """It sees all rows, so nobody may take it on, and its functions name their caller; see test_search.py."""
    found = admin.execute("""
        select member::regrole::text from pg_auth_members where roleid = 'lectern_search'::regrole
        union all select roleid::regrole::text from pg_auth_members where member = 'lectern_search'::regrole""")
    assert found.fetchall() == [("lectern_admin",)]
    granted = admin.execute("""
        select c.relnamespace::regnamespace || '.' || c.relname, array_agg(a.privilege_type order by a.privilege_type)
        from pg_class c, aclexplode(c.relacl) a where a.grantee = 'lectern_search'::regrole and c.relkind = 'r'
        group by 1""").fetchall()
    written = {"private.search_owners", "private.search_parts", "private.search_tags"}
    for table, privileges in granted:
        expected = ["DELETE", "INSERT", "SELECT", "UPDATE"] if table in written else ["SELECT"]
        assert privileges == expected, table


def test_every_view_runs_as_its_invoker(admin):
    views = admin.execute("""select relname, reloptions from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'v'""").fetchall()
    assert all("security_invoker=true" in (options or []) for _, options in views)


def test_security_definer_functions_are_listed_and_have_a_fixed_search_path(admin):
    found = admin.execute("""
        select p.oid::regprocedure::text, p.proconfig, r.rolsuper
        from pg_proc p join pg_roles r on r.oid = p.proowner
        where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')""").fetchall()
    assert {row[0] for row in found} == SECURITY_DEFINER
    for name, config, is_super in found:
        assert "search_path=pg_catalog, pg_temp" in config and not is_super, name


def test_public_may_execute_no_function(admin):
    found = admin.execute("""
        select p.oid::regprocedure::text from pg_proc p
        where p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
            and (p.proacl is null or exists (select from aclexplode(p.proacl) a where a.grantee = 0))""").fetchall()
    assert found == []


def test_public_may_use_no_table_or_schema(admin):
    for catalog, acl, schema in [
        ("pg_class", "relacl", "relnamespace::regnamespace::text"),
        ("pg_namespace", "nspacl", "nspname"),
    ]:
        found = admin.execute(f"""select {schema} from {catalog} where {schema} in ('public', 'auth', 'private', 'rest')
            and exists (select from aclexplode({acl}) a where a.grantee = 0)""").fetchall()
        assert found == []


def test_only_the_listed_roles_may_log_in_or_bypass_row_security(admin):
    roles = admin.execute("""select rolname, rolcanlogin, rolsuper, rolbypassrls, rolinherit, rolcreaterole or rolcreatedb or rolreplication
        from pg_roles where rolname !~ '^pg_'""").fetchall()
    assert {row[0] for row in roles if row[1]} == {"lectern_admin", "authenticator", "lectern_jobs", "lectern_realtime"}
    assert not [row[0] for row in roles if row[1] and (row[2] or row[5])]
    assert {row[0] for row in roles if row[3] and not row[2]} == {"lectern_admin", "service_role"}
    assert not [row[0] for row in roles if row[0] in ("authenticator", "lectern_jobs", "lectern_realtime") and row[4]]
