"""The tasks and reports of `lectern maintain`, on a database that was damaged on purpose."""

import json
import os
import pty
import re
import signal
import subprocess
import uuid

import psycopg
import pytest

from support.client import wait_until
from support.database import retried
from support.maintenance import NOWHERE, environment, slow_batches, snapshot


# The jobs refuse such a URL at once, without sending anything.
def links(admin, *users, count=1, state="ready"):
    """Adds links that have no job."""
    made = []
    for user in users:
        rows = admin.execute(
            """
            insert into public.links (user_id, raw_url, state, created_at, updated_at)
            select %s, 'http://127.0.0.2/' || gen_random_uuid(), %s, '2025-01-01', '2025-01-02' from generate_series(1, %s) returning id""",
            (user.id, state, count),
        ).fetchall()
        made += [id for (id,) in rows]
    return made


# The list of tasks


def test_every_task_is_listed_with_a_line(instance):
    call = lambda *words: subprocess.run(
        [instance.home / "bin/lectern", "maintain", *words],
        env=environment(instance),
        capture_output=True,
        text=True,
        timeout=240,
    )
    alone, helped = call(), call("--help")
    assert alone.returncode == helped.returncode == 0
    for name in [
        "duplicates",
        "rekey",
        "unmerge",
        "decode-entities",
        "timestamps",
        "re-resolve",
        "re-extract",
        "reindex",
        "check-links",
        "refresh",
        "orphans",
        "purge-trash",
        "purge-merges",
        "storage",
        "activity",
        "queue",
        "bloat",
        "vacuum",
    ]:
        assert re.search(rf"^  {name} +\w+", alone.stdout, re.M) and name in helped.stdout
        assert call(name, "--help").returncode == 0
    for wrong in [
        ["nonsense"],
        ["purge-trash", "--days", "soon"],
        ["re-resolve", "--state", "lost"],
        ["re-resolve", "--batch", "0"],
        ["check-links", "--older-than", "-1"],
        ["refresh", "--rate", "0"],
    ]:
        assert call(*wrong).returncode == 2
    unknown = call("timestamps", "--user", "nobody@example.org")
    assert (unknown.returncode, unknown.stdout, unknown.stderr) == (
        1,
        "",
        "lectern: no account has the address or id nobody@example.org\n",
    )


def test_only_the_admin_may_call_the_functions(instance, admin):
    names = [
        name
        for (name,) in admin.execute("""
        select p.oid::regprocedure::text from pg_proc p
        where p.pronamespace = 'private'::regnamespace and (p.proname like '%\\_batch' or p.proname in
            ('in_batches', 'repair_batch', 'requeue_links', 'orphans'))""").fetchall()
    ]
    assert len(names) >= 8
    for name in names:
        roles = admin.execute(
            """select rolname from pg_roles where rolname !~ '^pg_' and not rolsuper
            and has_function_privilege(rolname, %s, 'execute')""",
            (name,),
        ).fetchall()
        assert {role for (role,) in roles} == {"lectern_admin", "lectern_owner"}, name


# Time stamps


@pytest.fixture
def wrong_timestamps(admin, reader, other):
    """Links with wrong time stamps of every kind, one correct link, and other rows of the same kinds."""
    ids = links(admin, reader, other, count=6)
    wrong = [
        ("2025-01-01", "2024-12-31"),
        ("2025-01-01", "2199-01-01"),
        ("1970-01-01", "2025-01-02"),
        ("-infinity", "-infinity"),
        ("infinity", "infinity"),
        ("2025-01-01", "2025-01-02"),
    ]
    for user in range(2):
        for place, (created, updated) in enumerate(wrong):
            admin.execute(
                "update public.links set created_at = %s, updated_at = %s where id = %s",
                (created, updated, ids[6 * user + place]),
            )
    admin.execute("update public.links set acted_at = '2199-01-01' where id = %s", (ids[5],))
    admin.execute("insert into public.tags (user_id, name, updated_at) values (%s, 'late', '2001-01-01')", (reader.id,))
    admin.execute(
        "insert into public.reading_progress (user_id, content_hash, last_updated) values (%s, 'x', '2199-01-01')",
        (reader.id,),
    )
    return ids


def test_time_stamps_are_repaired_and_nothing_else(admin, maintain, wrong_timestamps, reader):
    tables = ["public.links", "public.tags", "public.reading_progress", "auth.users"]
    before = snapshot(admin, *tables)
    found = {"public.links": (11, 0, 11), "public.tags": (1, 0, 1), "public.reading_progress": (1, 0, 1)}
    assert maintain("timestamps", "--dry-run") == found
    assert snapshot(admin, *tables) == before
    assert maintain("timestamps") == {name: (count, count, 0) for name, (count, _, _) in found.items()}
    stamps = admin.execute(
        """
        select created_at = '2025-01-01', created_at::date = current_date, created_at = '2025-01-02', updated_at = created_at,
            updated_at::date = current_date, acted_at <= now()
        from public.links where user_id = %s order by array_position(%s, id)""",
        (reader.id, wrong_timestamps),
    ).fetchall()
    assert stamps == [
        (True, False, False, True, False, None),  # updated_at was earlier
        (True, False, False, False, True, None),  # in the future
        (False, False, True, True, False, None),  # made in 1970
        (False, True, False, True, True, None),  # minus infinity
        (False, True, False, True, True, None),  # infinity
        (True, False, False, False, False, True),  # only the action was in the future
    ]
    after = snapshot(admin, *tables)
    assert maintain("timestamps") == {} and snapshot(admin, *tables) == after
    hidden = {"created_at", "updated_at", "acted_at", "last_updated"}
    bare = lambda rows: sorted(json.dumps({k: v for k, v in row.items() if k not in hidden}) for (row,) in rows)
    assert {table: bare(rows) for table, rows in before.items()} == {table: bare(rows) for table, rows in after.items()}


def test_time_stamps_of_one_account_are_repaired_alone(admin, maintain, wrong_timestamps, reader, other):
    theirs = admin.execute(
        "select to_jsonb(l) from public.links l where user_id = %s order by id", (other.id,)
    ).fetchall()
    assert maintain("timestamps", "--user", reader.email)["public.links"] == (6, 6, 0)
    assert (
        admin.execute("select to_jsonb(l) from public.links l where user_id = %s order by id", (other.id,)).fetchall()
        == theirs
    )
    assert maintain("timestamps", "--user", other.id) == {"public.links": (5, 5, 0)}


def test_time_stamps_are_repaired_from_psql(admin, psql, maintain, wrong_timestamps):
    counts = lambda rows: [row for row in rows if row[0] == "public.links"]
    assert counts(psql("timestamps")) == [("public.links", "11", "0", "11")]
    assert counts(psql("timestamps", apply=1)) == [("public.links", "11", "11", "0")]
    assert maintain("timestamps") == {}


def test_a_client_sees_that_a_repaired_link_changed(admin, maintain, reader):
    [id] = links(admin, reader)
    admin.execute("update public.links set updated_at = '2001-01-01' where id = %s", (id,))
    tag = reader.rest("GET", "links?select=*")["etag"]
    maintain("timestamps", "--user", reader.email)
    answer = reader.rest("GET", "links?select=*", If_None_Match=tag)
    assert answer.status == 200 and answer.json()[0]["updated_at"].startswith("2025-01-01")


# Batches

# More links than one batch repairs.
MANY = 3_000


@pytest.fixture
def many(admin, reader):
    """More damaged links than one batch repairs. Returns a function that counts those that are left."""
    links(admin, reader, count=MANY)
    admin.execute("update public.links set updated_at = '2001-01-01' where user_id = %s", (reader.id,))
    return lambda: admin.execute(
        "select count(*) from public.links where user_id = %s and updated_at < created_at", (reader.id,)
    ).fetchone()[0]


def started(instance, *arguments):
    return subprocess.Popen(
        [instance.home / "bin/lectern", "maintain", *arguments],
        env=environment(instance),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def settled(instance):
    """Waits until the server has finished or rolled back the work of a killed run: only the fixture and this
    connection are left."""
    wait_until(lambda: instance.sql("select count(*) from pg_stat_activity where usename = 'lectern_admin'") == [(2,)])


def test_a_killed_run_can_be_continued(instance, admin, maintain, many):
    with slow_batches(admin):
        run = started(instance, "timestamps")
        wait_until(lambda: many() < MANY, every=0.005)
        run.kill()
        run.wait(60)
        settled(instance)
    left = many()
    assert 0 < left < MANY
    assert maintain("timestamps")["public.links"] == (left, left, 0) and many() == 0


def test_ctrl_c_ends_a_run_after_its_batch_and_prints_its_progress(instance, admin, maintain, many):
    with slow_batches(admin):
        run = started(instance, "timestamps")
        wait_until(lambda: many() < MANY, every=0.005)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=240)
    left = many()
    assert run.returncode == 1 and out == ""
    said = re.fullmatch(
        r"lectern: interrupted after (\d+) of (\d+) changes \(public\.links\); run the command again to continue\n", err
    )
    changed, total = map(int, said.groups())
    assert (changed, total) == (MANY - left, MANY) and left > 0
    assert maintain("timestamps")["public.links"] == (left, left, 0)


def test_a_run_does_not_delay_writers(instance, admin, maintain, reader, many):
    ids = [
        id
        for (id,) in admin.execute(
            "select id from public.links where user_id = %s order by id limit 2000", (reader.id,)
        ).fetchall()
    ]
    run = started(instance, "timestamps")
    writes = late = 0
    with psycopg.connect(instance.database_url, autocommit=True) as writer:
        # A batch takes a fraction of a second, and several times as long on a busy machine.
        writer.execute("set lock_timeout = '5s'")
        while run.poll() is None:
            writes += 1
            try:
                writer.execute("update public.links set description = 'x' where id = %s", (ids[writes % len(ids)],))
            except psycopg.errors.LockNotAvailable:
                late += 1
    # On a busy machine either may be the case.
    assert run.returncode == 0 and writes > 20 and late <= 1 + writes / 100
    # A row that was being written at that moment is left for the next run.
    assert many() <= min(writes, MANY // 4)
    maintain("timestamps")
    assert many() == 0


def test_a_row_that_is_being_written_is_left_for_the_next_run(instance, admin, maintain, reader):
    first, second = links(admin, reader, count=2)
    admin.execute("update public.links set updated_at = '2001-01-01' where user_id = %s", (reader.id,))
    with psycopg.connect(instance.database_url) as writer:
        writer.execute("select from public.links where id = %s for update", (first,))
        assert maintain("timestamps", "--user", reader.email) == {"public.links": (2, 1, 1)}
    assert maintain("timestamps", "--user", reader.email) == {"public.links": (1, 1, 0)}


def test_a_batch_that_would_block_a_writer_is_retried(instance, admin, reader):
    """A transaction that waits for a lock holds others that writers wait for."""
    links(admin, reader)
    admin.execute("update public.links set updated_at = '2001-01-01' where user_id = %s", (reader.id,))
    with psycopg.connect(instance.database_url) as owner:
        owner.execute("lock table public.links in share mode")
        run = started(instance, "timestamps", "--user", reader.email)
        waits = lambda: instance.sql(
            "select pid from pg_stat_activity where application_name = 'lectern' and wait_event_type = 'Lock'"
        )
        wait_until(waits, every=0.01)
        wait_until(lambda: not waits(), every=0.01)
        assert run.poll() is None
    out, _ = run.communicate(timeout=240)
    assert run.returncode == 0 and "public.links  1       1        0" in out


def test_a_terminal_shows_a_progress_bar(instance, many):
    child, terminal = pty.fork()
    if child == 0:
        os.execve(instance.home / "bin/lectern", ["lectern", "maintain", "timestamps"], environment(instance))
    shown = b""
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:
        pass  # The other end is closed.
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert status == 0 and re.search(rb"\[#+\.*\] \d+ % public\.links", shown), shown
    assert re.search(rf"\b{MANY} +{MANY} +0\b".encode(), shown), shown


# Retries


def waiting(admin, user):
    """The seconds from now until each job of a user's links is due."""
    return [
        seconds
        for (seconds,) in admin.execute(
            """
        select extract(epoch from run_at - now())::float8 from private.jobs where user_id = %s and state = 'pending' order by run_at""",
            (user.id,),
        )
    ]


def test_failed_links_are_resolved_again(instance, admin, maintain, reader, other):
    failed = links(admin, reader, count=25, state="failed")
    [theirs] = links(admin, other, state="failed")
    [ready] = links(admin, reader)
    admin.execute(
        "update public.links set resolved_url = 'http://127.0.0.2/there', title = 'Mine', reason = 'timeout', reason_message = 'x'"
    )
    before = snapshot(admin, "public.links", "private.jobs")
    assert maintain("re-resolve", "--dry-run", "--user", reader.email) == {"links": (25, 0, 25)}
    assert snapshot(admin, "public.links", "private.jobs") == before
    # One a minute: none is due before the test ends.
    assert maintain("re-resolve", "--user", reader.email, "--rate", "1", "--limit", "12") == {"links": (25, 12, 13)}
    assert maintain("re-resolve", "--user", reader.email, "--rate", "1") == {"links": (13, 13, 0)}
    assert maintain("re-resolve", "--user", reader.email) == {}
    rows = admin.execute(
        """select state, resolved_url, title, reason, reason_message, updated_at = '2025-01-02'
        from public.links where id = any (%s)""",
        (failed,),
    ).fetchall()
    assert set(rows) == {("pending", None, "Mine", None, None, True)} and len(rows) == 25
    untouched = admin.execute(
        "select state, resolved_url from public.links where id = any (%s)", ([theirs, ready],)
    ).fetchall()
    assert sorted(untouched) == [("failed", "http://127.0.0.2/there"), ("ready", "http://127.0.0.2/there")]
    # One after another, so that a new save waits for none of them.
    waits = waiting(admin, reader)
    assert (
        len(waits) == 25 and waits[0] > 5 and all(55 < after - before < 65 for before, after in zip(waits, waits[1:]))
    )
    saved = other.save(NOWHERE)
    assert other.settled(saved["id"])["state"] == "failed"


def test_links_are_chosen_by_state_and_age(admin, maintain, psql, reader):
    links(admin, reader, state="failed")
    links(admin, reader, count=2)
    [fresh] = links(admin, reader, state="failed")
    admin.execute("update public.links set created_at = now() where id = %s", (fresh,))
    count = lambda *more: maintain("re-resolve", "--dry-run", "--user", reader.email, *more)["links"][0]
    assert [count(), count("--state", "ready"), count("--state", "all"), count("--older-than", "7")] == [2, 2, 4, 1]
    counted = lambda **variables: psql("re_resolve", email=reader.email.upper(), **variables)[0][1:]
    assert [counted(), counted(state="all"), counted(days=7)] == [("2", "0", "2"), ("4", "0", "4"), ("1", "0", "1")]
    assert psql("re_resolve", email="nobody@example.org")[0][1:] == ("0", "0", "0")
    assert counted(apply=1, state="all") == ("4", "4", "0")


def test_links_are_checked_again_by_kind_and_age(admin, maintain, psql, reader):
    ready = links(admin, reader, count=3)
    [failed] = links(admin, reader, state="failed")
    admin.execute("update public.links set created_at = now() where id = %s", (ready[0],))
    admin.execute(
        "insert into private.page_checks (link_id, user_id, asked_url, read_at) select id, user_id, raw_url, '2025-01-02' from public.links where id = %s",
        (ready[1],),
    )
    count = lambda task, *more: maintain(task, "--dry-run", "--user", reader.email, *more)["links"][0]
    assert [count("check-links"), count("refresh")] == [4, 3]
    # One link is new; another was checked just now, which does not count as having been read.
    assert [count("check-links", "--older-than", "7"), count("refresh", "--older-than", "7")] == [2, 2]
    counted = lambda **variables: psql("recheck", email=reader.email.upper(), **variables)[0][1:]
    assert [counted(), counted(days=0), counted(kind="refresh")] == [("2", "0", "2"), ("4", "0", "4"), ("2", "0", "2")]
    assert psql("recheck", email="nobody@example.org")[0][1:] == ("0", "0", "0")
    assert maintain("check-links", "--user", reader.email, "--rate", "1") == {"links": (4, 4, 0)}
    # A link with a waiting job of any kind is not queued again.
    assert maintain("refresh", "--user", reader.email) == {}
    waits = waiting(admin, reader)
    assert len(waits) == 4 and waits[0] > 5 and all(55 < after - before < 65 for before, after in zip(waits, waits[1:]))
    assert admin.execute("select distinct kind from private.jobs where user_id = %s", (reader.id,)).fetchall() == [
        ("check",)
    ]
    assert {state for (state,) in admin.execute("select state from public.links where user_id = %s", (reader.id,))} == {
        "ready",
        "failed",
    }


def test_a_link_resolved_again_gets_all_it_had(instance, admin, maintain, reader, website):
    saved = reader.save(f"{website.url}/pages/ars-1", title="My own words")
    link = reader.settled(saved["id"])
    # The job is due in a minute, so that it does not end before the links that are ready are counted again.
    assert maintain("re-resolve", "--state", "ready", "--user", reader.email, "--rate", "1") == {"links": (1, 1, 0)}
    admin.execute("update private.jobs set run_at = now() where link_id = %s", (link["id"],))
    admin.execute("notify lectern_jobs")
    assert reader.settled(saved["id"]) == link and reader.article(saved["id"])


def test_articles_of_an_older_extractor_are_extracted_again(instance, admin, maintain, psql, reader, website):
    pages = ["ars-1", "wikipedia", "heise", "cnn"]
    ids = [reader.settled(reader.save(f"{website.url}/pages/{name}")["id"])["id"] for name in pages]
    older, missing, clients, newest = ids
    admin.execute("update public.articles set extractor_version = 0 where link_id = any (%s)", ([older, clients],))
    admin.execute("update private.sources set read_by = 0 where link_id = %s", (older,))
    admin.execute("update public.articles set source = 'client' where link_id = %s", (clients,))
    admin.execute("delete from private.sources where link_id = %s", (clients,))
    admin.execute("delete from public.articles where link_id = %s", (missing,))
    # No article was found there, and that is recorded.
    [without] = links(admin, reader)
    admin.execute("update public.links set reason = 'no_article' where id = %s", (without,))
    mine = ["re-extract", "--user", reader.email]
    before = snapshot(admin, "public.links", "public.articles")
    assert maintain(*mine, "--dry-run") == {"articles": (2, 0, 2)}
    assert maintain(*mine, "--dry-run", "--even-without") == {"articles": (3, 0, 3)}
    assert psql("re_extract")[0][1:] >= ("2", "0", "2")
    assert snapshot(admin, "public.links", "public.articles") == before
    urls = {id: reader.link(id)["resolved_url"] for id in ids}
    assert maintain(*mine, "--rate", "60000") == {"articles": (2, 2, 0)}
    wait_until(
        lambda: admin.execute("select count(*) = 0 from private.jobs where user_id = %s", (reader.id,)).fetchone()[0]
    )
    for id in ids:
        link = reader.settled(id)
        assert (link["state"], link["resolved_url"]) == ("ready", urls[id]) and link["updated_at"] == link["created_at"]
    versions = admin.execute(
        "select extractor_version > 0 from public.articles where user_id = %s order by array_position(%s, link_id)",
        (reader.id, [uuid.UUID(id) for id in ids]),
    ).fetchall()
    assert versions == [(True,), (True,), (False,), (True,)]
    assert maintain(*mine) == {}


def test_re_queueing_links_can_be_killed_and_repeated(instance, admin, maintain, reader):
    links(admin, reader, count=300, state="failed")
    pending = lambda: admin.execute(
        "select count(*) from public.links where user_id = %s and state = 'pending'", (reader.id,)
    ).fetchone()[0]
    run = started(instance, "re-resolve", "--user", reader.email, "--batch", "1", "--rate", "1")
    wait_until(pending, every=0.005)
    run.kill()
    run.wait(60)
    settled(instance)
    done = pending()
    assert 0 < done < 300 and len(waiting(admin, reader)) == done
    assert maintain("re-resolve", "--user", reader.email, "--rate", "1") == {"links": (300 - done, 300 - done, 0)}
    assert len(waiting(admin, reader)) == 300


# Orphaned rows


@pytest.fixture
def without_constraint(admin):
    """Runs statements while a foreign key is dropped, as if its triggers were disabled."""

    def run(table, constraint, *statements):
        definition = (
            admin.execute(
                "select pg_get_constraintdef(oid) from pg_constraint where conrelid = %s::regclass and conname = %s",
                (table, constraint),
            )
            .fetchone()[0]
            .replace(" NOT VALID", "")
        )
        retried(lambda: damage(table, constraint, definition, statements))

    def damage(table, constraint, definition, statements):
        with admin.transaction():
            admin.execute("set local role lectern_owner")
            admin.execute(f"alter table {table} drop constraint {constraint}")
            # Its table refers to users, too.
            admin.execute("alter table public.links disable trigger number_saved_links")
            admin.execute("set local role none")
            for statement, values in statements:
                admin.execute(statement, values)
            admin.execute("set local role lectern_owner")
            admin.execute("alter table public.links enable trigger number_saved_links")
            admin.execute(f"alter table {table} add constraint {constraint} {definition} not valid")

    return run


@pytest.fixture
def orphans(admin, without_constraint, reader, other):
    """Orphaned rows, one of each user for some kinds, beside intact ones; returns the name of each kind."""
    links(admin, reader, other, count=3)
    for user in [reader, other]:
        admin.execute(
            """insert into public.notes (user_id, link_id, body)
            select user_id, id, 'kept' from public.links where user_id = %s""",
            (user.id,),
        )
        gone = uuid.uuid4()
        without_constraint(
            "private.jobs",
            "jobs_link_id_fkey",
            (
                "insert into private.jobs (kind, user_id, link_id, run_at) values ('save', %s, %s, 'infinity')",
                (user.id, gone),
            ),
        )
        without_constraint(
            "private.pages",
            "pages_link_id_user_id_fkey",
            ("insert into private.pages (user_id, link_id, url, html) values (%s, %s, 'x', 'x')", (user.id, gone)),
        )
        without_constraint(
            "public.articles",
            "articles_link_id_user_id_fkey",
            (
                """insert into public.articles (user_id, link_id, url, content, text_content, length, word_count, extractor_version)
            values (%s, %s, 'x', 'x', 'x', 1, 1, 1)""",
                (user.id, gone),
            ),
        )
        tag = admin.execute(
            "insert into public.tags (user_id, name) values (%s, 'kept') returning id", (user.id,)
        ).fetchone()[0]
        without_constraint(
            "public.link_tags",
            "link_tags_link_id_user_id_fkey",
            ("insert into public.link_tags (user_id, link_id, tag_id) values (%s, %s, %s)", (user.id, gone, tag)),
        )
        without_constraint(
            "public.notes",
            "notes_link_id_user_id_fkey",
            ("insert into public.notes (user_id, link_id) values (%s, %s)", (user.id, gone)),
        )
        admin.execute(
            """insert into auth.one_time_tokens (user_id, kind, token_hash, expires_at)
            values (%s, 'recovery', sha256(%s::text::bytea), now() - interval '1 minute')""",
            (user.id, user.email),
        )
        for days in [1, 31]:
            admin.execute(
                """insert into auth.api_tokens (user_id, name, scope, prefix, token_hash, expires_at)
                values (%s, 'x', 'read', 'x', sha256(gen_random_uuid()::text::bytea), now() - make_interval(days => %s))""",
                (user.id, days),
            )
    # A link of a user who does not exist, with the rows that refer to it.
    nobody = uuid.uuid4()
    without_constraint(
        "public.links",
        "links_user_id_fkey",
        ("insert into public.links (user_id, raw_url, state) values (%s, 'x', 'ready')", (nobody,)),
    )
    yield {
        "private.jobs without public.links (link_id)": 2,
        "private.pages without public.links (link_id, user_id)": 2,
        "public.articles without public.links (link_id, user_id)": 2,
        "public.link_tags without public.links (link_id, user_id)": 2,
        "public.notes without public.links (link_id, user_id)": 2,
        "public.links without auth.users (user_id)": 1,
        "expired auth.one_time_tokens": 2,
        "auth.api_tokens that expired more than 30 days ago": 2,
    }
    for table in [
        "private.jobs",
        "private.pages",
        "public.articles",
        "public.link_tags",
        "public.notes",
        "public.links",
    ]:
        delete = f"delete from {table} where user_id in (%s, %s, %s)"
        retried(lambda: admin.execute(delete, (reader.id, other.id, nobody)))


EVERYTHING = [
    "public.links",
    "public.articles",
    "public.notes",
    "public.tags",
    "public.link_tags",
    "private.jobs",
    "private.pages",
    "auth.one_time_tokens",
    "auth.api_tokens",
    "public.trash",
]


def test_orphaned_rows_are_deleted(admin, maintain, orphans):
    before = snapshot(admin, *EVERYTHING)
    assert maintain("orphans", "--dry-run") == {kind: (count, 0, count) for kind, count in orphans.items()}
    assert snapshot(admin, *EVERYTHING) == before
    assert maintain("orphans") == {kind: (count, count, 0) for kind, count in orphans.items()}
    after = snapshot(admin, *EVERYTHING)
    gone = {
        "public.links": 1,
        "public.articles": 2,
        "public.notes": 2,
        "public.link_tags": 2,
        "private.jobs": 2,
        "private.pages": 2,
        "auth.one_time_tokens": 2,
        "auth.api_tokens": 2,
    }
    assert {table: len(before[table]) - len(rows) for table, rows in after.items()} == dict.fromkeys(
        EVERYTHING, 0
    ) | gone
    assert all(row in before[table] for table, rows in after.items() for row in rows)
    assert maintain("orphans") == {} and snapshot(admin, *EVERYTHING) == after
    # Nothing is left that violates a foreign key.
    with admin.transaction():
        admin.execute("set local role lectern_owner")
        doubtful = (
            "select conrelid::regclass::text, conname from pg_constraint where contype = 'f' and not convalidated"
        )
        for table, name in admin.execute(doubtful).fetchall():
            admin.execute(f"alter table {table} validate constraint {name}")


def test_orphaned_rows_are_deleted_from_psql(psql, maintain, orphans):
    listed = sorted((kind, str(count)) for kind, count in orphans.items())
    assert sorted(psql("orphans")) == sorted(listed * 2)
    mended = sorted((kind, str(count), str(count), "0") for kind, count in orphans.items())
    assert sorted(psql("orphans", apply=1)) == sorted(listed + mended)
    assert maintain("orphans") == {}


def test_a_pending_link_without_a_job_gets_one(admin, maintain, reader, other):
    ids = links(admin, reader, other)
    admin.execute("update public.links set raw_url = %s || id where id = any (%s)", (NOWHERE, ids))
    wait_until(
        lambda: (
            admin.execute(
                "select count(*) from public.links where id = any (%s) and state = 'failed'", (ids,)
            ).fetchone()
            == (2,)
        )
    )

    def lose_jobs():
        with admin.transaction():
            admin.execute("update public.links set state = 'pending' where id = any (%s)", (ids,))
            admin.execute("delete from private.jobs where link_id = any (%s)", (ids,))

    retried(lose_jobs)
    kind = "pending public.links without a job"
    assert maintain("orphans", "--dry-run") == {kind: (2, 0, 2)}
    assert {reader.link(str(ids[0]))["state"], other.link(str(ids[1]))["state"]} == {"pending"}
    assert maintain("orphans") == {kind: (2, 2, 0)}
    assert reader.settled(str(ids[0]))["state"] == other.settled(str(ids[1]))["state"] == "failed"
    assert maintain("orphans") == {}


# The trash


def test_old_trash_is_emptied(admin, maintain, psql, reader, other):
    for user in [reader, other]:
        for days in [10, 40, 80]:
            admin.execute(
                """insert into public.trash (user_id, link_id, raw_url, link, parts, deleted_at)
                values (%s, gen_random_uuid(), 'x', '{}', '{}', now() - make_interval(days => %s))""",
                (user.id, days),
            )
    count = lambda user: admin.execute("select count(*) from public.trash where user_id = %s", (user.id,)).fetchone()[0]
    assert maintain("purge-trash", "--dry-run") == {"deleted links": (4, 0, 4)}
    assert psql("purge_trash") == [("deleted links", "4", "0", "4")] and count(reader) == 3
    assert maintain("purge-trash", "--user", reader.email, "--days", "60") == {"deleted links": (1, 1, 0)}
    assert (count(reader), count(other)) == (2, 3)
    assert psql("purge_trash", apply=1, days=30) == [("deleted links", "3", "3", "0")]
    assert maintain("purge-trash") == {} and (count(reader), count(other)) == (1, 1)
    assert psql("purge_trash", apply=1, days=0) == [("deleted links", "2", "2", "0")]


# Reports


def test_the_storage_of_each_user_is_reported(admin, maintain, reader, other):
    [id] = links(admin, reader)
    admin.execute(
        """insert into public.articles (user_id, link_id, url, content, text_content, length, word_count, extractor_version)
        values (%s, %s, 'x', repeat('ä', 1000), repeat('x', 500), 1, 1, 1)""",
        (reader.id, id),
    )
    admin.execute(
        "insert into private.pages (user_id, link_id, url, html) values (%s, %s, 'x', repeat('x', 3000))",
        (reader.id, id),
    )
    admin.execute(
        "insert into public.highlights (user_id, link_id, quote) values (%s, %s, 'x'), (%s, %s, 'y')",
        (reader.id, id) * 2,
    )
    rows = {row["email"]: row for row in maintain("storage")}
    mine, theirs = rows[reader.email], rows[other.email]
    told = {
        "links": 1,
        "articles": 1,
        "text_bytes": 2500,
        "pages": 1,
        "page_bytes": 3000,
        "highlights": 2,
        "trashed": 0,
        "bytes": 5500,
    }
    assert {name: mine[name] for name in told} == told
    assert theirs["bytes"] == theirs["links"] == 0
    reader.rest("DELETE", f"links?id=eq.{id}")
    mine = next(row for row in maintain("storage") if row["email"] == reader.email)
    assert mine["links"] == mine["articles"] == 0 and mine["trashed"] == 1 and mine["trash_bytes"] > 0


def test_the_activity_of_each_user_is_reported(admin, maintain, reader, other):
    for id, days in zip(links(admin, reader, count=4), [1, 6, 20, 90]):
        admin.execute(
            "update public.links set created_at = now() - make_interval(days => %s) where id = %s", (days, id)
        )
    rows = {row["email"]: row for row in maintain("activity")}
    mine = rows[reader.email]
    assert [mine[name] for name in ["saved_7_days", "saved_30_days", "sessions", "api_tokens"]] == [2, 3, 1, 0]
    assert mine["last_sign_in_at"] and mine["last_seen_at"] and mine["last_saved_at"]
    assert [rows[other.email][name] for name in ["saved_7_days", "last_saved_at", "sessions"]] == [0, None, 1]


def test_the_state_of_the_queues_is_reported(admin, maintain, reader):
    ids = links(admin, reader, count=3)
    for id, state, leased, reason in [
        (ids[0], "running", "2001-01-01", None),
        (ids[1], "buried", None, "timeout"),
        (ids[2], "pending", None, None),
    ]:
        # Due in the far future, so that the jobs leave it alone.
        admin.execute(
            """insert into private.jobs (kind, user_id, link_id, state, leased_until, reason, run_at, created_at, attempts)
            values ('save', %s, %s, %s, %s, %s, 'infinity', now() - interval '2 days', 3)""",
            (reader.id, id, state, leased and "infinity", reason),
        )
    rows = {(row["kind"], row["state"], row["reason"]): row for row in maintain("queue")}
    assert rows["save", "buried", "timeout"]["jobs"] >= 1 and rows["save", "pending", None]["most_attempts"] == 3
    assert rows["save", "running", None]["leases_run_out"] == 0
    # Visible inside a transaction only, because the jobs would start it at once.
    with admin.transaction(force_rollback=True):
        admin.execute(
            "update private.jobs set leased_until = '2001-01-01' where state = 'running' and user_id = %s", (reader.id,)
        )
        assert admin.execute("""select leases_run_out, oldest > '1 day' from private.queue_health
            where kind = 'save' and state = 'running'""").fetchone() == (1, True)
    admin.execute("delete from private.jobs where user_id = %s", (reader.id,))


def test_bloat_and_unused_indexes_are_reported(admin, maintain):
    admin.execute("set role lectern_owner")
    admin.execute(
        "create table private.airy with (autovacuum_enabled = off) as select n, repeat('x', 100) as words from generate_series(1, 10000) n"
    )
    try:
        for name in ["one", "twin"]:
            admin.execute(f"create index {name} on private.airy (n desc)")
        told = lambda: {row["name"].removeprefix("private."): row for row in maintain("bloat")}
        admin.execute("analyze private.airy")
        before = told()
        assert before["airy"]["rows"] == 10_000 and before["airy"]["bloat_bytes"] < before["airy"]["bytes"] / 10
        assert before["one"]["kind"] == "index" and before["one"]["bloat_bytes"] < before["one"]["bytes"] / 3
        assert before["one"]["advice"] == "not used since statistics began"
        assert before["twin"]["advice"] == "the same as private.one; not used since statistics began"
        admin.execute("delete from private.airy where n % 5 > 0")
        admin.execute("analyze private.airy")
        admin.execute("select pg_stat_force_next_flush()")
        after = wait_until(lambda: (rows := told())["airy"]["dead_rows"] == 8_000 and rows)
        assert after["airy"]["bloat_bytes"] > 1_000_000 > before["airy"]["bloat_bytes"]
    finally:
        admin.execute("drop table private.airy")


def test_an_index_that_was_never_finished_is_reported(instance, admin, maintain, reader):
    """An index that was created concurrently and failed at the end."""
    links(admin, reader, count=2)
    admin.execute("set role lectern_owner")
    with pytest.raises(psycopg.errors.UniqueViolation):
        admin.execute("create unique index concurrently broken on public.links (user_id)")
    try:
        [row] = [row for row in maintain("bloat") if row["name"] == "public.broken"]
        assert row["advice"].startswith("invalid: drop index public.broken")
    finally:
        admin.execute("drop index public.broken")


def test_tables_to_vacuum_are_reported_until_it_is_done(admin, maintain):
    # A table of its own, which the jobs do not write.
    admin.execute("create table private.worn (n integer) with (autovacuum_enabled = off)")
    try:
        admin.execute("insert into private.worn select generate_series(1, 3000)")
        admin.execute("update private.worn set n = n + 1")
        admin.execute("select pg_stat_force_next_flush()")
        row = lambda: next(row for row in maintain("vacuum") if row["name"] == "private.worn")
        wait_until(lambda: row()["advice"] == "vacuum (analyze) private.worn")

        def vacuumed():
            # Rows that a transaction may still see are not dead yet.
            admin.execute("vacuum (analyze) private.worn")
            return row()["advice"] is None

        try:
            wait_until(vacuumed)
        except AssertionError:
            transactions = "select * from pg_stat_activity where backend_xmin is not null"
            raise AssertionError(row(), admin.execute(transactions).fetchall()) from None
    finally:
        admin.execute("drop table private.worn")


@pytest.mark.parametrize("name", ["storage", "activity", "queue", "bloat", "vacuum"])
def test_a_report_is_a_table_for_people_and_a_query_in_psql(instance, psql, reader, name):
    reader.save(NOWHERE)
    done = subprocess.run(
        [instance.home / "bin/lectern", "maintain", name],
        env=environment(instance),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0 and not done.stderr
    assert done.stdout.splitlines()[0].isupper() and len(done.stdout.splitlines()) > 1 or name == "queue"
    assert psql(name) or name == "queue"
