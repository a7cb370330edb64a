"""The log of changes: what it holds, who reads it, how it grows old, and that rpc/changes misses nothing."""

import base64
import json
import random
import threading
import time
import uuid

import psycopg
import pytest

from support import service
from support.client import acting, wait_until
from support.database import delete_user
from support.delta_sync import KEYS, WITHHELD, Copy, key_of, page_of

LINE = "insert into public.tags (name, user_id) values (%s, %s) returning id"


@pytest.fixture(scope="module")
def instance():
    """Not the service of most other tests, because the log grows old here."""
    return service.shared(LECTERN_RESPONSE_LIMIT="200000")


@pytest.fixture
def realtime(instance):
    """A connection to PostgreSQL as the realtime service has it."""
    with instance.login("lectern_realtime", "realtime_password") as connection:
        yield connection


def snapshot(connection):
    return connection.execute("select pg_current_snapshot()::text").fetchone()[0]


def lines(connection, user, previous, upto=None, after=0, limit=100_000):
    """Table, operation, key and row of a user's changes between two snapshots."""
    found = connection.execute(
        "select user_id, table_name, op, key, record, seq from private.changes_after(%s, %s, %s, %s)",
        (previous, upto or snapshot(connection), after, limit),
    ).fetchall()
    assert [row[5] for row in found] == sorted(row[5] for row in found)
    return [row[1:5] for row in found if str(row[0]) == user.id]


def ask(admin, user, since=None, limit=500):
    """rpc/changes, called by the admin with the claims of a user inside a transaction."""
    admin.execute("select set_config('request.jwt.claims', %s, true)", (json.dumps({"sub": user.id}),))
    return admin.execute("select public.changes(%s, %s)", (since, limit)).fetchone()[0]


def stored(admin, user):
    """The number of a user's lines in the log, and of those that have grown old."""
    return admin.execute(
        """select (select count(*) from private.change_log where user_id = %(id)s),
            (select count(*) from private.last_changes where user_id = %(id)s)""",
        {"id": user.id},
    ).fetchone()


def age(admin, interval):
    """Makes all marks older, then does what the jobs process does every hour."""
    admin.execute("update private.change_marks set taken_at = taken_at - %s::interval", (interval,))
    admin.execute("select private.mark_changes()")
    for function in ["compact_changes", "purge_changes"]:
        while admin.execute(f"select private.{function}(1000)").fetchone()[0]:
            pass


# Lines


def test_a_line_holds_the_row_and_its_key(realtime, alice, admin):
    before = snapshot(realtime)
    with admin.transaction():
        # The format of timestamps does not depend on the session.
        admin.execute("set local timezone = 'Asia/Kolkata'")
        [(tag,)] = admin.execute(LINE, ("a", alice.id)).fetchall()
    admin.execute("update public.tags set name = 'b' where id = %s", (tag,))
    admin.execute("update public.tags set name = 'b' where id = %s", (tag,))
    [shown] = alice.rest("GET", "tags").json()
    admin.execute("delete from public.tags where id = %s", (tag,))
    [first, *others] = lines(realtime, alice, before)
    key = {"id": str(tag)}
    assert first == ("tags", "I", key, shown | {"name": "a"})
    assert others == [("tags", "U", key, shown), ("tags", "D", key, shown)]


def test_a_line_may_be_large_but_leaves_out_the_content_of_articles(realtime, alice, admin):
    link = alice.settled(alice.save(f"no address {uuid.uuid4()}")["id"])["id"]
    before = snapshot(realtime)
    admin.execute("update public.links set description = repeat('x', 100000) where id = %s", (link,))
    admin.execute(
        """insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
            extractor_version) values (%s, %s, 'u', '<p>long', 'long', 4, 1, 1)""",
        (link, alice.id),
    )
    [changed, article] = lines(realtime, alice, before)
    assert changed[:2] == ("links", "U") and len(changed[3]["description"]) == 100_000
    assert article[:2] == ("articles", "I") and not WITHHELD & set(article[3])


def test_a_failed_statement_leaves_no_line(realtime, alice, admin):
    before = snapshot(realtime)
    with admin.transaction(force_rollback=True):
        admin.execute(LINE, ("a", alice.id))
    assert alice.rest("POST", "tags", [{"name": "b"}, {"name": " "}]).status == 400
    assert lines(realtime, alice, before) == []


def test_the_triggers_know_every_table_with_its_key(admin):
    triggers = admin.execute("""
        select c.relname, array_agg(t.tgname::text order by t.tgname), min(encode(t.tgargs, 'escape')),
            max(encode(t.tgargs, 'escape')),
            (select array_agg(a.attname::text order by array_position(k.conkey, a.attnum)) from pg_constraint k
                join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
                where k.conrelid = c.oid and k.contype = 'p')
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgfoid in (
            'private.log_change'::regproc, 'private.log_inserts'::regproc, 'private.log_deletes'::regproc)
        group by c.oid, c.relname""").fetchall()
    known = dict(admin.execute("select name, key from rest.synced_tables").fetchall())
    assert {name: key for name, *_, key in triggers} == known == KEYS
    # Tables of which a statement may write hundreds of rows log them per statement.
    per_statement = {"links", "link_tags"}
    # Of these, the trash takes and gives back many at once.
    in_trash = {"articles", "highlights", "notes"}
    for name, names, least, most, key in triggers:
        logged = ["log_inserts"] * (name in per_statement) + ["log_restored", "log_trashed"] * (name in in_trash)
        assert names == ["log_change", *logged, "log_update"]
        assert least == most == "".join(f"{column}\\000" for column in key)


def test_a_row_that_is_logged_for_a_user_is_one_the_user_may_read(admin):
    """The realtime service sends a row to whoever it belongs to. It does not evaluate the policies."""
    policies = admin.execute(
        """select relname, pg_get_expr(polqual, polrelid) from pg_policy join pg_class c on c.oid = polrelid
        where relnamespace = 'public'::regnamespace and polcmd in ('r', '*')
            and (polroles @> array['authenticated'::regrole::oid] or polroles @> array[0::oid])"""
    ).fetchall()
    for table in KEYS:
        [condition] = [condition for name, condition in policies if name == table]
        assert condition == "(user_id = ( SELECT auth.uid() AS uid))", table


# Readers


def test_the_realtime_service_may_only_read_the_log(realtime):
    for table in ["public.links", "private.change_log", "private.last_changes", "private.change_marks", "auth.users"]:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            realtime.execute(f"select * from {table}")
    for call in ["private.mark_changes()", "private.compact_changes(1)", "private.purge_changes(1)"]:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            realtime.execute(f"select {call}")
    for role in ["authenticated", "service_role", "lectern_owner", "lectern_admin", "authenticator"]:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            realtime.execute(f"set role {role}")


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role", "auth_service"])
def test_the_workers_may_not_read_the_log(workers, alice, role):
    for statement in [
        "select * from private.change_log",
        "select * from private.last_changes",
        "select * from private.changes_after('1:1:', '1:1:', 0, 1)",
        "select private.mark_changes()",
    ]:
        with workers.transaction(force_rollback=True):
            acting(workers, role, alice)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                workers.execute(statement)


def test_the_log_shows_a_user_own_keys_only(workers, alice, bob, admin):
    before = snapshot(admin)
    admin.execute(LINE, ("a", alice.id))
    for user, count in [(alice, 1), (bob, 0)]:
        with workers.transaction(force_rollback=True):
            acting(workers, "authenticated", user)
            found = workers.execute(
                "select * from rest.changed_keys(%s, pg_current_snapshot(), '0', 0, '{tags}', 9)", (before,)
            )
            assert found.rowcount == count


def test_a_reader_gets_the_lines_in_parts(realtime, alice, admin):
    before = snapshot(realtime)
    for name in "abc":
        admin.execute(LINE, (name, alice.id))
    upto = snapshot(realtime)
    admin.execute(LINE, ("d", alice.id))
    found, last = [], 0
    while part := realtime.execute(
        "select seq, user_id, record from private.changes_after(%s, %s, %s, 1)", (before, upto, last)
    ).fetchall():
        last = part[0][0]
        found += [record["name"] for _, owner, record in part if str(owner) == alice.id]
    assert found == ["a", "b", "c"]
    assert [line[3]["name"] for line in lines(realtime, alice, upto)] == ["d"]


def test_a_transaction_that_commits_late_is_not_skipped_and_delays_no_other(realtime, workers, alice, admin):
    copy, before = Copy(alice), snapshot(realtime)
    copy.poll()
    with workers.transaction():
        acting(workers, "authenticated", alice)
        workers.execute("insert into public.tags (name) values ('late')")
        admin.execute(LINE, ("early", alice.id))
        between = snapshot(realtime)
        assert [line[3]["name"] for line in lines(realtime, alice, before, between)] == ["early"]
        assert [change["row"]["name"] for change in copy.poll()] == ["early"]
    assert [line[3]["name"] for line in lines(realtime, alice, between)] == ["late"]
    assert [change["row"]["name"] for change in copy.poll()] == ["late"]
    assert copy.poll() == []


def test_readers_are_not_told_that_a_transaction_without_lines_has_ended(realtime, alice, admin):
    """After a crash its number may be that of another transaction, which they are then told."""

    def hides(snapshot, number):
        return admin.execute("select pg_visible_in_snapshot(%s::xid8, %s)", (number, snapshot)).fetchone()[0]

    def told():
        cursor = page_of(alice)["cursor"]
        return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))["told"]

    def numbers_stay_open():
        """Whether no snapshot includes it. One may if another test has written a line or a mark in between."""
        with admin.transaction(force_rollback=True):
            number = admin.execute("select pg_current_xact_id()::text").fetchone()[0]
        assert hides(snapshot(admin), number)
        kept = realtime.execute("select rest.logged_snapshot()::text").fetchone()[0]
        return not hides(kept, number) and not hides(told(), number)

    admin.execute(LINE, ("a", alice.id))
    wait_until(numbers_stay_open)


def test_the_snapshot_that_readers_keep_sees_the_lines_of_the_present(realtime, workers, alice, admin):
    def kept():
        return realtime.execute("select rest.logged_snapshot()::text").fetchone()[0]

    start = kept()
    with workers.transaction():
        acting(workers, "authenticated", alice)
        workers.execute("insert into public.tags (name) values ('late')")
        admin.execute(LINE, ("early", alice.id))
        between = kept()
        assert [line[3]["name"] for line in lines(realtime, alice, start, between)] == ["early"]
    end = kept()
    assert [line[3]["name"] for line in lines(realtime, alice, between, end)] == ["late"]
    assert lines(realtime, alice, end, kept()) == []


def test_a_transaction_that_commits_between_two_pages_is_not_skipped(workers, alice, admin):
    copy = Copy(alice, limit=1)
    copy.poll()
    with workers.transaction():
        acting(workers, "authenticated", alice)
        workers.execute("insert into public.tags (name) values ('late')")
        for name in "ab":
            admin.execute(LINE, (name, alice.id))
        first = alice.rest("POST", "rpc/changes", {"since": copy.cursor, "limit": 1}).json()
    copy.cursor = first["cursor"]
    told = [change["row"]["name"] for change in first["changes"] + copy.poll()]
    assert sorted(told) == ["a", "b", "late"]


# Age. What these tests do is rolled back, so that it ends no cursor and no line of others.


def test_after_an_hour_the_last_change_of_each_key_is_left(realtime, alice, admin):
    with admin.transaction(force_rollback=True):
        start = ask(admin, alice)["cursor"]
    before = snapshot(realtime)
    [(tag,)] = admin.execute(LINE, ("a", alice.id)).fetchall()
    for name in "bc":
        admin.execute("update public.tags set name = %s where id = %s", (name, tag))
    admin.execute("delete from public.tags where id = %s", (admin.execute(LINE, ("x", alice.id)).fetchone()[0],))
    with admin.transaction(force_rollback=True):
        expected = ask(admin, alice, start)["changes"]
        assert [change["op"] for change in expected] == ["upsert", "delete"]
        age(admin, "2 hours")
        assert stored(admin, alice) == (5, 0)
        age(admin, "2 hours")
        assert stored(admin, alice) == (0, 2)
        assert sorted(map(key_of, ask(admin, alice, start)["changes"])) == sorted(map(key_of, expected))
        # The realtime service has missed them.
        with pytest.raises(psycopg.Error) as error, admin.transaction():
            lines(admin, alice, before)
        assert error.value.sqlstate == "LT410"
        assert lines(admin, alice, snapshot(admin)) == []


def test_after_90_days_a_cursor_is_gone(alice, admin):
    admin.execute(LINE, ("a", alice.id))
    with admin.transaction(force_rollback=True):
        old = ask(admin, alice)["cursor"]
        # The mark of the next hour.
        age(admin, "1 hour")
        age(admin, "80 days")
        assert ask(admin, alice, old)["changes"] == []
        recent = ask(admin, alice)["cursor"]
        age(admin, "11 days")
        assert ask(admin, alice, recent)["changes"] == []
        with pytest.raises(psycopg.Error) as error, admin.transaction():
            ask(admin, alice, old)
        assert error.value.sqlstate == "LT410"
        assert stored(admin, alice) == (0, 0)


def test_the_log_starts_empty_in_a_database_that_was_restored_elsewhere(alice, admin):
    admin.execute(LINE, ("a", alice.id))
    with admin.transaction(force_rollback=True):
        admin.execute(
            """update private.change_marks
            set cluster = 'another one', is_compacted = true, snapshot = '9000000000:9000000000:'"""
        )
        # Before the jobs process has taken a mark, too.
        assert lines(admin, alice, snapshot(admin)) == []
        admin.execute("select private.mark_changes()")
        marks = admin.execute("select count(*), min(cluster) = rest.cluster_identity() from private.change_marks")
        assert marks.fetchone() == (1, True)
        assert stored(admin, alice) == (0, 0)


def test_a_deleted_account_leaves_no_line_of_a_transaction_that_was_running(instance, alice, workers, admin):
    link = alice.settled(alice.save(f"no address {uuid.uuid4()}")["id"])["id"]
    assert alice.rest("POST", "notes", {"link_id": link, "body": "secret"}).status == 201
    with psycopg.connect(instance.database_url, autocommit=True) as deleter:
        deleting = threading.Thread(target=delete_user, args=(deleter, alice.id))
        with workers.transaction():
            acting(workers, "authenticated", alice)
            workers.execute("update public.notes set body = 'secret, too'")
            deleting.start()
            waiting = "select from pg_stat_activity where pid = %s and wait_event_type = 'Lock'"
            wait_until(lambda: admin.execute(waiting, (deleter.info.backend_pid,)).rowcount, every=0.01)
        deleting.join()
    assert stored(admin, alice) == (0, 0)


# Everything at once

A_LINK = "(select id from public.links order by random() limit 1)"
A_TAG = "(select id from public.tags order by random() limit 1)"
A_COLLECTION = "(select id from public.collections order by random() limit 1)"
OF_USER = [
    "insert into public.links (raw_url) values ('no address ' || gen_random_uuid())",
    f"update public.links set title = random()::text, is_starred = not is_starred where id = {A_LINK}",
    f"update public.links set status = 'read' where id = {A_LINK}",
    f"delete from public.links where id = {A_LINK}",
    "select public.restore_link(link_id) from (select link_id from public.trash order by random() limit 1) as t",
    "insert into public.tags (name) values (left(random()::text, 4)) on conflict do nothing",
    f"update public.tags set name = left(random()::text, 5) where id = {A_TAG}",
    f"delete from public.tags where id = {A_TAG}",
    f"insert into public.link_tags (link_id, tag_id) select {A_LINK}, {A_TAG} on conflict do nothing",
    f"delete from public.link_tags where link_id = {A_LINK}",
    f"insert into public.highlights (link_id, quote) select {A_LINK}, 'quote'",
    f"update public.highlights set note = random()::text where link_id = {A_LINK}",
    f"insert into public.bookmarks (link_id, name, quote) select {A_LINK}, 'name', 'quote'",
    f"update public.bookmarks set name = random()::text where link_id = {A_LINK}",
    f"""insert into public.notes (link_id, body) select {A_LINK}, 'a'
        on conflict (link_id, user_id) do update set body = random()::text""",
    "insert into public.collections (name) values ('name')",
    f"delete from public.collections where id = {A_COLLECTION}",
    f"insert into public.collection_links (link_id, collection_id) select {A_LINK}, {A_COLLECTION} on conflict do nothing",
    f"""insert into public.reading_progress (content_hash, link_id) select left(random()::text, 3), {A_LINK}
        on conflict (user_id, content_hash) do update set total_pages = 9, link_id = excluded.link_id""",
    "insert into public.user_settings default values on conflict (user_id) do update set font_size = 12 + 20 * random()",
    """insert into public.rules (name, query, change, enabled) values ('name', '', '{"status": "read"}', false)""",
    "delete from public.rules where id = (select id from public.rules order by random() limit 1)",
]
OF_ADMIN = [
    """select rest.merge_into_older(a.id, b.id, 'clean-up') from public.links a, public.links b
        where a.user_id = %(user)s and b.user_id = a.user_id and a.id <> b.id order by random() limit 1""",
    """insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
        extractor_version) select id, user_id, 'u', 'c', 'c', 1, 1, 1 from public.links where user_id = %(user)s
        order by random() limit 1 on conflict (link_id) do update set content = random()::text""",
    """delete from public.articles where link_id =
        (select link_id from public.articles where user_id = %(user)s order by random() limit 1)""",
    """update public.tags set user_id = case when user_id = %(user)s then %(other)s else %(user)s end::uuid where id =
        (select id from public.tags where user_id in (%(user)s, %(other)s) order by random() limit 1)""",
]


def write(connection, seed, ended, begin, statements, names):
    """Random transactions, some of which fail, are rolled back, or wait before they end."""
    chance = random.Random(seed)
    while not ended.is_set():
        try:
            with connection.transaction(force_rollback=chance.random() < 0.2):
                begin(connection)
                connection.execute("select setseed(%s)", (chance.random(),))
                for statement in chance.choices(statements, k=chance.randint(1, 5)):
                    connection.execute(statement, names)
                time.sleep(chance.choice([0, 0, 0.01, 0.1]))
        except psycopg.Error as error:
            # Other writers had the row, for too long on a busy machine, or the random row is missing.
            assert error.sqlstate[:2] in ("23", "40", "P0") or error.sqlstate in ("55P03", "57014"), error


def compact(connection, ended):
    """Grows the log old while it is written and read."""
    while not ended.is_set():
        connection.execute(
            """insert into private.change_marks (cluster, taken_at)
            values (rest.cluster_identity(), now() - interval '2 hours')"""
        )
        connection.execute("select private.compact_changes(20)")
        time.sleep(0.02)


def rows_in_the_database(admin, user):
    """The user's rows of all tables, read at one moment."""
    found = {}
    with admin.transaction():
        admin.execute("set transaction isolation level repeatable read")
        for table, key in KEYS.items():
            for (row,) in admin.execute(f"select row_to_json(t) from public.{table} t where user_id = %s", (user.id,)):
                shown = {name: value for name, value in row.items() if table != "articles" or name not in WITHHELD}
                found[key_of({"table": table, "key": {name: row[name] for name in key}})] = shown
    return found


def test_a_client_that_polls_has_all_rows_while_others_write(instance, alice, bob, admin):
    ended = threading.Event()
    login = lambda: instance.login("authenticator", "authenticator_password")
    connect = lambda: psycopg.connect(instance.database_url, autocommit=True)
    as_alice = lambda connection: acting(connection, "authenticated", alice)
    names = {"user": alice.id, "other": bob.id}
    with login() as one, login() as two, login() as three, connect() as four, connect() as five:
        work = [
            (write, connection, seed, ended, as_alice, OF_USER, names)
            for seed, connection in enumerate([one, two, three])
        ]
        work += [(write, four, 3, ended, lambda _: None, OF_ADMIN, names), (compact, five, ended)]
        threads = [threading.Thread(target=target, args=arguments) for target, *arguments in work]
        for thread in threads:
            thread.start()
        copies = [Copy(alice, limit=5), Copy(alice, limit=50), Copy(bob, limit=50)]
        # A busy machine needs more than three seconds until each table has changed.
        least, last_moment = time.monotonic() + 3, threading.Timer(150, ended.set)
        last_moment.start()
        told, expected = set(), {*KEYS, "upsert", "delete"}
        try:
            while not ended.is_set():
                told.update(change[name] for copy in copies for change in copy.poll() for name in ("table", "op"))
                if told == expected and time.monotonic() >= least:
                    ended.set()
        finally:
            ended.set()
            last_moment.cancel()
            for thread in threads:
                thread.join()
    assert told == expected

    def is_the_same(copy):
        copy.poll()
        return copy.rows == rows_in_the_database(admin, copy.user)

    for copy in [*copies, Copy(alice)]:
        # The jobs process may still write.
        wait_until(lambda copy=copy: is_the_same(copy))
