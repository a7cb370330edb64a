"""Tags, highlights, notes, collections, progress, settings and the trash, and the rules for writes to all of them."""

import itertools
import json
import random
import subprocess
import uuid
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from support.client import acting
from support.database import delete_user
from support.paths import CHECKOUT

# The jobs refuse this URL without sending anything.
URL = "no address, and nothing to fetch"
PURGE = CHECKOUT / "sql/maintenance/purge_trash.sql"

# Tables whose rows store the action they come from: a column to write, and the values a row needs.
ACTED = {
    "links": ("description", {"raw_url": URL}),
    "tags": ("color", {"name": "physics"}),
    "highlights": ("note", {"quote": "a passage"}),
    "bookmarks": ("name", {"name": "a place", "quote": "a passage"}),
    "notes": ("body", {"body": ""}),
    "collections": ("description", {"name": "Later"}),
    "user_settings": ("font_name", {}),
}
OF_A_LINK = ["highlights", "bookmarks", "notes"]

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)


def run(connection, user, statement, values=(), acted=None, sent=None, role="authenticated"):
    """One transaction as a request makes it; returns the rows and how many were superseded."""
    with connection.transaction():
        acting(connection, role, user)
        connection.execute(
            "select set_config('request.acted_at', %s, true), set_config('request.sent_at', %s, true)",
            (str(acted or ""), str(sent or "")),
        )
        cursor = connection.execute(statement, values)
        rows = cursor.fetchall() if cursor.description else []
        superseded = connection.execute("select current_setting('rest.superseded', true)").fetchone()[0]
        return rows, int(superseded or 0)


def add(user, table, values=None, **more):
    """Adds a row over REST and returns it."""
    answer = user.rest("POST", table, (values or {}) | more, Prefer="return=representation")
    assert answer.status == 201, answer
    return answer.json()[0]


def rows(user, table, query=""):
    answer = user.rest("GET", f"{table}?{query}")
    assert answer.status == 200, answer
    return answer.json()


@pytest.fixture
def link(alice):
    """A link of Alice's that the server has finished with."""
    return alice.settled(alice.save(URL)["id"])


def needed(table, user):
    """The values a row of the table needs."""
    if table in OF_A_LINK:
        return ACTED[table][1] | {"link_id": user.save(f"http://127.0.0.2/{uuid.uuid4()}")["id"]}
    return ACTED[table][1]


# Valid values


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("tags", {"name": ""}),
        ("tags", {"name": " x"}),
        ("tags", {"name": "x\t"}),
        ("tags", {"name": "x" * 101}),
        ("highlights", {"quote": ""}),
        ("highlights", {"quote": "x" * 20001}),
        ("highlights", {"quote": "x", "color": "red"}),
        ("highlights", {"quote": "x", "start_offset": -1}),
        ("highlights", {"quote": "x", "start_offset": 3, "end_offset": 2}),
        ("bookmarks", {"name": "", "quote": "x"}),
        ("bookmarks", {"name": "x" * 201, "quote": "x"}),
        ("bookmarks", {"name": "x", "quote": ""}),
        ("bookmarks", {"name": "x", "quote": "x" * 1001}),
        ("bookmarks", {"name": "x", "quote": "x", "start_offset": -1}),
        ("collections", {"name": ""}),
        ("collections", {"name": "x" * 201}),
        ("reading_progress", {"content_hash": ""}),
        ("reading_progress", {"content_hash": "x" * 129}),
        ("reading_progress", {"content_hash": "x", "percentage_complete": 1.01}),
        ("reading_progress", {"content_hash": "x", "last_read_character_index": -1}),
        ("user_settings", {"font_size": 11}),
        ("user_settings", {"font_size": 33}),
        ("user_settings", {"theme": "neon"}),
        ("user_settings", {"line_spacing": 2.1}),
        ("user_settings", {"speech_rate": 0.4}),
    ],
)
def test_values_out_of_bounds_are_refused(alice, link, table, values):
    more = {"link_id": link["id"]} if table in OF_A_LINK else {}
    answer = alice.rest("POST", table, values | more)
    assert answer.status == 400 and answer.json()["code"] == "23514", answer


def test_a_user_without_settings_gets_the_defaults(alice):
    settings = add(alice, "user_settings", user_id=alice.id)
    assert {name: settings[name] for name in ["font_name", "font_size", "theme", "line_spacing", "speech_rate"]} == {
        "font_name": "System",
        "font_size": 16,
        "theme": "light",
        "line_spacing": 1.2,
        "speech_rate": 1.0,
    }


def test_tags_are_unique_by_case_insensitive_name_for_each_user(alice, bob):
    add(alice, "tags", name="Physik")
    assert alice.rest("POST", "tags", {"name": "physik"}).json()["code"] == "23505"
    add(bob, "tags", name="physik")


def test_a_link_has_one_note(alice, link):
    add(alice, "notes", link_id=link["id"])
    assert alice.rest("POST", "notes", {"link_id": link["id"]}).status == 409


def test_every_table_and_function_has_a_comment(admin):
    silent = admin.execute("""
        select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
            and obj_description(oid) is null
        union all
        select proname from pg_proc where pronamespace = 'public'::regnamespace and obj_description(oid) is null""").fetchall()
    assert silent == []


def test_every_write_to_a_read_only_relation_is_refused_alike(alice, admin):
    denied = admin.execute("""
        select relname, attname, verb from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1,
            unnest(array['insert', 'update', 'delete']) as verb
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and not case verb
            when 'delete' then has_table_privilege('authenticated', pg_class.oid, verb)
            else has_any_column_privilege('authenticated', pg_class.oid, verb) end""").fetchall()
    assert {("jobs", "id", "update"), ("imports", "id", "delete"), ("shares", "id", "insert")} <= set(denied)
    for table, column, verb in denied:
        body, filter = {column: None}, f"{table}?{column}=not.is.null"
        match verb:
            case "insert":
                answer = alice.rest("POST", table, body)
            case "update":
                answer = alice.rest("PATCH", filter, body)
            case "delete":
                answer = alice.rest("DELETE", filter)
        assert (answer.status, answer.json()["code"]) == (403, "42501"), (table, verb, answer)
        assert answer.json()["message"].startswith("permission denied for ") and answer.json()["hint"] is None


# Collections


def collection(user, parent=None, **more):
    return add(user, "collections", {"name": "c", "parent_id": parent} | more)["id"]


def is_refused(answer):
    return answer.status == 400 and answer.json()["code"] == "23514"


@pytest.mark.parametrize("hint", ["", "!parent_id", "!collections_parent_id_user_id_fkey"])
def test_a_collection_is_read_with_its_children_and_its_parent(alice, hint):
    collection(alice, collection(alice, name="top"), name="below")
    answer = alice.rest("GET", f"collections?select=name,collections{hint}(name),parent:parent_id(name)&order=name")
    assert answer.json() == [
        {"name": "below", "collections": [], "parent": {"name": "top"}},
        {"name": "top", "collections": [{"name": "below"}], "parent": None},
    ], answer


def test_a_collection_cannot_contain_itself(alice):
    top = collection(alice)
    middle = collection(alice, top)
    bottom = collection(alice, middle)
    for inside in [top, middle, bottom]:
        answer = alice.rest("PATCH", f"collections?id=eq.{top}", {"parent_id": inside})
        assert is_refused(answer) and "contain itself" in answer.json()["message"]
    assert alice.rest("PATCH", f"collections?id=eq.{bottom}", {"parent_id": top}).status == 204
    a, b = str(uuid.uuid4()), str(uuid.uuid4())
    assert is_refused(
        alice.rest(
            "POST", "collections", [{"id": a, "name": "a", "parent_id": b}, {"id": b, "name": "b", "parent_id": a}]
        )
    )


def test_collections_are_nested_at_most_twenty_levels_deep(alice):
    ids = [str(uuid.uuid4()) for _ in range(21)]
    chain = [{"id": id, "name": "c", "parent_id": parent} for id, parent in zip(ids, [None] + ids)]
    # The order of rows in a batch does not matter.
    assert is_refused(alice.rest("POST", "collections", chain[::-1]))
    assert alice.rest("POST", "collections", chain[:20][::-1]).status == 201
    assert is_refused(alice.rest("POST", "collections", chain[20]))
    # The depth of a branch is counted from its lowest leaf.
    branch = collection(alice)
    collection(alice, branch)
    assert is_refused(alice.rest("PATCH", f"collections?id=eq.{branch}", {"parent_id": ids[18]}))
    assert alice.rest("PATCH", f"collections?id=eq.{branch}", {"parent_id": ids[17]}).status == 204
    assert alice.rest("DELETE", f"collections?id=eq.{ids[0]}").status == 204
    assert rows(alice, "collections") == []


def test_two_concurrent_moves_cannot_make_a_cycle(lectern, alice):
    a, b = collection(alice), collection(alice)
    with (
        lectern.login("authenticator", "authenticator_password") as one,
        lectern.login("authenticator", "authenticator_password") as two,
    ):
        with one.transaction():
            acting(one, "authenticated", alice)
            one.execute("update public.collections set parent_id = %s where id = %s", (b, a))
            with pytest.raises(psycopg.errors.LockNotAvailable), two.transaction():
                acting(two, "authenticated", alice)
                two.execute("set local lock_timeout = '300ms'")
                two.execute("update public.collections set parent_id = %s where id = %s", (a, b))
        with pytest.raises(psycopg.errors.CheckViolation):
            run(two, alice, "update public.collections set parent_id = %s where id = %s", (a, b))


# Reading progress


def test_the_newest_progress_wins_in_any_order_of_arrival(alice, link):
    stamps = [f"2024-01-01T00:00:0{n}+00:00" for n in range(6)]
    for key, order in {"a": [0, 1, 2, 3, 4, 5], "b": [5, 4, 3, 2, 1, 0], "c": [2, 5, 0, 5, 1, 4, 3]}.items():
        for n in order:
            body = {
                "content_hash": key,
                "link_id": link["id"],
                "last_read_character_index": n,
                "last_updated": stamps[n],
            }
            answer = alice.rest(
                "POST",
                "reading_progress?on_conflict=user_id,content_hash",
                body | {"user_id": alice.id},
                Prefer="resolution=merge-duplicates",
            )
            assert answer.status in (200, 201), answer
        [row] = rows(alice, "reading_progress", f"content_hash=eq.{key}")
        assert (row["last_read_character_index"], row["last_updated"]) == (5, stamps[5])


def test_progress_without_a_time_counts_as_now(alice):
    add(alice, "reading_progress", content_hash="h", last_updated="2024-01-01T00:00:00Z")
    assert alice.rest("PATCH", "reading_progress?content_hash=eq.h", {"percentage_complete": 0.5}).status == 204
    assert (
        alice.rest(
            "PATCH",
            "reading_progress?content_hash=eq.h",
            {"percentage_complete": 0.1, "last_updated": "2024-01-02T00:00:00Z"},
        ).status
        == 204
    )
    [row] = rows(alice, "reading_progress")
    assert row["percentage_complete"] == 0.5 and row["last_updated"] > "2026"


@pytest.mark.parametrize("ahead", ["2999-01-01T00:00:00Z", "infinity"])
def test_progress_of_the_future_counts_as_now(alice, admin, ahead):
    merge = {"Prefer": "resolution=merge-duplicates"}
    body = {"user_id": alice.id, "content_hash": "h", "percentage_complete": 0.1, "last_updated": ahead}
    path = "reading_progress?on_conflict=user_id,content_hash"
    assert alice.rest("POST", path, body, **merge).status in (200, 201)
    # Another device, whose clock is right.
    now = admin.execute("select to_jsonb(clock_timestamp()) #>> '{}'").fetchone()[0]
    alice.rest("POST", path, body | {"percentage_complete": 0.9, "last_updated": now}, **merge)
    [row] = rows(alice, "reading_progress")
    assert row["percentage_complete"] == 0.9
    # A row that an earlier version has stored blocks nobody either.
    admin.execute("update public.reading_progress set last_updated = %s where user_id = %s", [ahead, alice.id])
    alice.rest("PATCH", "reading_progress?content_hash=eq.h", {"percentage_complete": 0.3})
    assert rows(alice, "reading_progress")[0]["percentage_complete"] == 0.3


# Time stamps


@pytest.mark.parametrize("table", ACTED)
def test_updated_at_is_the_clients_last_write(alice, admin, table):
    row = add(
        alice,
        table,
        needed(table, alice),
        created_at="2024-01-01T00:00:00.000001+00:00",
        updated_at="2023-01-01T00:00:00Z",
    )
    assert row["created_at"] == row["updated_at"] == "2024-01-01T00:00:00.000001+00:00"
    key = "user_id" if table == "user_settings" else "id"
    patched = alice.rest(
        "PATCH",
        f"{table}?{key}=eq.{row[key]}",
        {ACTED[table][0]: "x", "updated_at": "2023-01-01T00:00:00Z"},
        Prefer="return=representation",
    ).json()[0]
    assert patched["created_at"] == row["created_at"] and patched["updated_at"] > "2026"
    admin.execute(f"update public.{table} set {ACTED[table][0]} = 'y' where {key} = %s", (row[key],))
    assert rows(alice, table, f"{key}=eq.{row[key]}&select=updated_at") == [{"updated_at": patched["updated_at"]}]


# Writes that arrive late or twice


@pytest.mark.parametrize("table", ACTED)
def test_clients_cannot_write_the_column_of_action_times(alice, table):
    row = add(alice, table, needed(table, alice), acted_at="2099-01-01T00:00:00Z", acted_as="x")
    assert (row["acted_at"], row["acted_as"]) == (None, None)
    key = "user_id" if table == "user_settings" else "id"
    row = alice.rest(
        "PATCH",
        f"{table}?{key}=eq.{row[key]}",
        {"acted_at": "2099-01-01T00:00:00Z", "acted_as": "x"},
        Prefer="return=representation",
    ).json()[0]
    assert "2026" < row["acted_at"] < "2099" and row["acted_as"] is None


@pytest.mark.parametrize("table", ACTED)
@pytest.mark.parametrize("is_upsert", [False, True], ids=["update", "upsert"])
def test_actions_in_any_order_and_number_end_with_the_last(alice, workers, table, is_upsert):
    """Every action arrives, some twice, in random order; the row ends as the user last made it."""
    column, values = ACTED[table][0], needed(table, alice)
    row = add(alice, table, values)
    key = "user_id" if table == "user_settings" else "id"
    for seed in range(6):
        chance = random.Random(seed)
        base = LONG_AGO + timedelta(days=seed)
        actions = [((base + timedelta(seconds=n)).isoformat(), f"{seed}.{n}") for n in range(5)]
        arriving = actions + chance.choices(actions, k=4)
        chance.shuffle(arriving)
        applied = superseded = 0
        for acted, value in arriving:
            if is_upsert:
                named = values | {key: row[key], column: value}
                statement = (
                    f"insert into public.{table} ({', '.join(named)}) values ({', '.join(['%s'] * len(named))}) "
                    f"on conflict ({key}) do update set {column} = excluded.{column} returning 1"
                )
                parameters = list(named.values())
            else:
                statement, parameters = (
                    f"update public.{table} set {column} = %s where {key} = %s returning 1",
                    [value, row[key]],
                )
            changed, skipped = run(workers, alice, statement, parameters, acted=acted)
            assert len(changed) + skipped == 1
            applied, superseded = applied + len(changed), superseded + skipped
        [now] = rows(alice, table, f"{key}=eq.{row[key]}")
        assert now[column] == actions[-1][1] and now["acted_as"] == actions[-1][0]
        assert datetime.fromisoformat(now["acted_at"]) == base + timedelta(seconds=4)
        assert superseded >= 4 and applied >= 1


@pytest.mark.parametrize("table", ACTED)
def test_a_late_or_repeated_deletion_has_no_effect_and_one_without_a_time_always_deletes(alice, workers, table):
    row = add(alice, table, needed(table, alice))
    key = "user_id" if table == "user_settings" else "id"
    delete, update = (
        f"delete from public.{table} where {key} = %s returning 1",
        f"update public.{table} set {ACTED[table][0]} = 'x' where {key} = %s",
    )
    run(workers, alice, update, (row[key],), acted=LONG_AGO)
    assert run(workers, alice, delete, (row[key],), acted=LONG_AGO - timedelta(seconds=1)) == ([], 1)
    assert run(workers, alice, delete, (row[key],), acted=LONG_AGO) == ([], 1)
    assert run(workers, alice, delete, (row[key],), acted=LONG_AGO + timedelta(seconds=1)) == ([(1,)], 0)
    add(alice, table, {name: value for name, value in row.items() if name not in ("acted_at", "acted_as")})
    run(workers, alice, update, (row[key],), acted=datetime.now(UTC))
    assert alice.rest("DELETE", f"{table}?{key}=eq.{row[key]}").status == 204
    assert rows(alice, table, f"{key}=eq.{row[key]}") == []


def test_a_write_without_a_time_counts_as_now_and_such_an_insert_supersedes_nothing(alice, workers, link):
    patch = "update public.links set status = %s where id = %s returning acted_as"
    assert run(workers, alice, patch, ("read", link["id"]), acted=LONG_AGO) == ([(str(LONG_AGO),)], 0)
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"status": "unread"})
    assert run(workers, alice, patch, ("read", link["id"]), acted=LONG_AGO + timedelta(days=1)) == ([], 1)
    assert alice.link(link["id"])["status"] == "unread"


def test_an_insert_stores_the_id_of_its_action(alice, workers):
    insert = "insert into public.tags (name) values ('x') on conflict (user_id, name) do update set name = excluded.name returning acted_at, acted_as"
    assert run(workers, alice, insert, acted=LONG_AGO) == ([(LONG_AGO, str(LONG_AGO))], 0)
    assert run(workers, alice, insert, acted=LONG_AGO) == ([], 1)


@pytest.mark.parametrize(("ahead", "since"), [(-86400, 60), (0, 60), (86400, 60), (86400 * 400, 0), (0, -3600)])
def test_a_clients_wrong_clock_is_corrected_by_the_time_it_sends(alice, workers, link, ahead, since):
    """`since` is the number of seconds between acting and sending; no action is later than now."""
    sent = datetime.now(UTC) + timedelta(seconds=ahead)
    [(acted_at,)], _ = run(
        workers,
        alice,
        "update public.links set status = 'read' returning acted_at",
        acted=sent - timedelta(seconds=since),
        sent=sent,
    )
    expected = datetime.now(UTC) - timedelta(seconds=max(since, 0))
    assert abs((acted_at - expected).total_seconds()) < 30 and acted_at <= datetime.now(UTC)


def test_an_action_in_the_future_counts_as_now(alice, workers, link):
    [(acted_at,)], _ = run(
        workers, alice, "update public.links set status = 'read' returning acted_at", acted="2099-01-01T00:00:00Z"
    )
    assert acted_at <= datetime.now(UTC)


@pytest.mark.parametrize("acted", ["yesterday-ish", "2024-13-01T00:00:00Z"])
def test_an_invalid_time_is_an_error(alice, workers, link, acted):
    with pytest.raises(psycopg.DataError):
        run(workers, alice, "update public.links set status = 'read'", acted=acted)


def test_the_count_of_superseded_rows_is_per_request(alice, workers, link):
    alice.save("http://127.0.0.2/other")
    late = "update public.links set status = 'read'"
    run(workers, alice, late, acted=LONG_AGO)
    assert run(workers, alice, late, acted=LONG_AGO)[1] == 2
    assert run(workers, alice, late)[1] == 0


def test_the_servers_own_writes_are_never_superseded(alice, lectern, workers, link):
    run(workers, alice, "update public.links set status = 'read'", acted=LONG_AGO)
    with lectern.login("lectern_jobs", "jobs_password") as jobs:
        run(
            jobs,
            alice,
            "update public.links set site_name = 'x'",
            acted=LONG_AGO - timedelta(days=1),
            role="job_worker",
        )
    now = alice.link(link["id"])
    assert (now["site_name"], now["acted_as"]) == ("x", str(LONG_AGO))


def test_rows_that_refer_to_a_deleted_row_are_deleted_whatever_their_time(alice, workers, link):
    add(alice, "highlights", quote="x", link_id=link["id"])
    run(workers, alice, "update public.highlights set note = 'x'", acted=LONG_AGO + timedelta(days=2))
    top = collection(alice)
    below = collection(alice, top)
    run(
        workers,
        alice,
        "update public.collections set name = 'x' where id = %s",
        (below,),
        acted=LONG_AGO + timedelta(days=2),
    )
    run(workers, alice, "delete from public.links", acted=LONG_AGO)
    run(workers, alice, "delete from public.collections where id = %s", (top,), acted=LONG_AGO)
    assert rows(alice, "highlights") == rows(alice, "collections") == rows(alice, "links") == []


# Stars


STARRED, PLAIN = "⭐ title", "title"
UNNAMED = object()


@pytest.mark.parametrize("role", ["authenticated", "service_role"])
def test_a_star_in_a_new_title_sets_is_starred_unless_that_is_given(alice, workers, role):
    with workers.transaction(force_rollback=True):
        acting(workers, role, alice)
        # In one transaction, to show that settings for one row do not affect the next.
        for n, (title, star) in enumerate(
            list(itertools.product([STARRED, "⭐title", PLAIN, None], [UNNAMED, True, False])) * 2
        ):
            values = {"raw_url": f"http://127.0.0.2/{n}", "user_id": alice.id, "title": title} | (
                {} if star is UNNAMED else {"is_starred": star}
            )
            found = workers.execute(
                f"insert into public.links ({', '.join(values)}) values ({', '.join(['%s'] * len(values))}) returning title, is_starred",
                list(values.values()),
            ).fetchone()
            assert found == (title, (title or "").startswith("⭐") if star is UNNAMED else star)


@pytest.mark.parametrize("role", ["authenticated", "service_role"])
@pytest.mark.parametrize("verb", ["update", "upsert"])
def test_a_star_follows_the_title_unless_is_starred_is_named(alice, workers, admin, role, verb):
    cases = list(
        itertools.product(
            [STARRED, PLAIN, None], [True, False], [STARRED, PLAIN, None, UNNAMED], [True, False, UNNAMED]
        )
    )
    random.Random(7).shuffle(cases)
    with workers.transaction(force_rollback=True):
        acting(workers, role, alice)
        for n, (old_title, old_star, title, star) in enumerate(cases):
            url = f"http://127.0.0.2/{n}"
            workers.execute(
                "insert into public.links (raw_url, user_id, title, is_starred) values (%s, %s, %s, %s)",
                (url, alice.id, old_title, old_star),
            )
            named = (
                ({} if title is UNNAMED else {"title": title})
                | ({} if star is UNNAMED else {"is_starred": star})
                | {"list": "archive"}
            )
            if verb == "update":
                statement = f"update public.links set {', '.join(f'{name} = %s' for name in named)} where raw_url = %s and user_id = %s"
                values = [*named.values(), url, alice.id]
            else:
                every = named | {"raw_url": url, "user_id": alice.id}
                statement = (
                    f"insert into public.links ({', '.join(every)}) values ({', '.join(['%s'] * len(every))}) "
                    f"on conflict (user_id, raw_url) do update set {', '.join(f'{name} = excluded.{name}' for name in named)}"
                )
                values = list(every.values())
            expected_title = old_title if title is UNNAMED else title
            if star is not UNNAMED:
                expected = star
            elif title is UNNAMED or STARRED not in (old_title, title):
                expected = old_star
            else:
                expected = title == STARRED
            found = workers.execute(statement + " returning links.title, links.is_starred", values).fetchone()
            assert found == (expected_title, expected), (old_title, old_star, title, star)


def test_stars_over_rest_as_the_app_and_the_extension_send_them(alice):
    id = alice.save(URL, title=PLAIN)["id"]
    for body, title, star in [
        ({"title": STARRED}, STARRED, True),
        ({"is_starred": False}, STARRED, False),
        ({"title": STARRED}, STARRED, True),
        ({"title": STARRED, "is_starred": False}, STARRED, False),
        ({"is_starred": True}, STARRED, True),
        ({"title": PLAIN}, PLAIN, False),
        ({"is_starred": True}, PLAIN, True),
        ({"title": "other"}, "other", True),
    ]:
        assert alice.rest("PATCH", f"links?id=eq.{id}", body).status == 204
        link = alice.link(id)
        assert (link["title"], link["is_starred"]) == (title, star), body
    batch = alice.rest(
        "POST",
        "links",
        [{"raw_url": f"{URL}/{n}", "title": title} for n, title in enumerate([STARRED, PLAIN, STARRED])],
        Prefer="return=representation",
    ).json()
    assert [row["is_starred"] for row in batch] == [True, False, True]
    assert (
        alice.rest("POST", "links", {"raw_url": "http://127.0.0.2/null", "is_starred": None}).json()["code"] == "23502"
    )


def test_stars_written_in_psql_are_stored_as_written(alice, admin, link):
    admin.execute("update public.links set title = %s where id = %s", (STARRED, link["id"]))
    admin.execute(
        "insert into public.links (user_id, raw_url, title) values (%s, 'http://127.0.0.2/admin', %s)",
        (alice.id, STARRED),
    )
    assert [row["is_starred"] for row in rows(alice, "links")] == [False, False]


# The trash


@pytest.fixture
def full(alice, admin):
    """A link with a row in every table that can refer to links."""
    link = alice.settled(alice.save(URL, title=STARRED, list="archive")["id"])
    tag, folder = add(alice, "tags", name="physics")["id"], collection(alice)
    add(alice, "link_tags", link_id=link["id"], tag_id=tag)
    add(alice, "collection_links", link_id=link["id"], collection_id=folder, position=0.1)
    add(alice, "highlights", link_id=link["id"], quote="ein “Zitat” 😀", start_offset=3, end_offset=9)
    add(alice, "bookmarks", link_id=link["id"], name="eine “Stelle” 😀", quote="Zitat", start_offset=3)
    add(alice, "notes", link_id=link["id"], body="noted", is_favorite=True)
    add(alice, "reading_progress", link_id=link["id"], content_hash="h", percentage_complete=0.3)
    admin.execute(
        """insert into public.articles (link_id, user_id, url, content, text_content, length, word_count, extractor_version)
        values (%s, %s, 'x', '<p>kept', 'kept', 4, 1, 1)""",
        (link["id"], alice.id),
    )
    admin.execute(
        "insert into public.link_aliases (user_id, link_id, kind, value) values (%s, %s, 'id', gen_random_uuid())",
        (alice.id, link["id"]),
    )
    admin.execute(
        "insert into private.pages (link_id, user_id, url, html) values (%s, %s, 'x', '<p>page')",
        (link["id"], alice.id),
    )
    admin.execute(
        "insert into private.page_copies (link_id, user_id, html) values (%s, %s, '<p>copied')", (link["id"], alice.id)
    )
    admin.execute("insert into private.ruled_links (link_id, user_id) values (%s, %s)", (link["id"], alice.id))
    return {"link": link["id"], "tag": tag, "collection": folder}


# Tables that are rebuilt when a link is restored: queues, the fetched page with its headers, the list of its pictures,
# and the index. Reports end with the link.
MADE_ANEW = {
    "private.article_reports",
    "private.jobs",
    "private.page_checks",
    "private.picture_listings",
    "private.link_books",
    "private.markdown_files",
    # A restored link is private.
    "private.shares",
    "private.sources",
    "private.search_parts",
    "link_pictures",
}


def hanging(admin):
    """Tables with a foreign key to links."""
    return {
        name
        for (name,) in admin.execute(
            "select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'public.links'::regclass"
        )
    }


def state_of(admin, user):
    """The links of a user and all rows that can refer to them, without the positions of highlights, which the jobs
    determine."""
    found_out = "'{orphaned_at,start_offset,end_offset}'::text[]"
    return {
        table: sorted(
            json.dumps(row, sort_keys=True)
            for (row,) in admin.execute(
                f"select to_jsonb(t) - {found_out} from {table} t where user_id = %s", (user.id,)
            )
        )
        for table in {"public.links"} | hanging(admin) - MADE_ANEW
    }


def trashed(user):
    return rows(user, "trash", "order=deleted_at.desc")


def restore(workers, user, id, role="authenticated"):
    return run(workers, user, "select to_jsonb(t) from public.restore_link(%s) t", (id,), role=role)[0]


def jobs_of(admin, user):
    # Determining the positions of highlights again is not a job of the link.
    return admin.execute(
        "select count(*) from private.jobs where user_id = %s and kind = 'save'", (user.id,)
    ).fetchone()[0]


def test_a_deleted_link_is_in_the_trash_with_all_its_rows(alice, admin, full):
    before = alice.link(full["link"])
    assert alice.rest("DELETE", f"links?id=eq.{full['link']}").status == 204
    for table in hanging(admin):
        assert admin.execute(f"select count(*) from {table} where link_id = %s", (full["link"],)).fetchone() == (0,)
    [kept] = trashed(alice)
    assert (kept["link_id"], kept["raw_url"], kept["title"], kept["link"]) == (before["id"], URL, STARRED, before)
    assert {name for name, parts in kept["parts"].items() if len(parts) == 1} == set(kept["parts"])
    # A new table that refers to links must be added to the trash, or to the list of tables that are rebuilt.
    assert set(kept["parts"]) == {name.split(".")[-1] for name in hanging(admin) - MADE_ANEW}
    assert kept["acted_at"] and alice.save(URL)["id"] != before["id"]


@pytest.mark.parametrize("role", ["authenticated", "service_role"])
def test_a_restored_link_is_unchanged_and_gets_no_job(alice, workers, admin, full, role):
    before, link = state_of(admin, alice), alice.link(full["link"])
    run(workers, alice, "delete from public.links where id = %s", (full["link"],), role=role)
    assert [row for (row,) in restore(workers, alice, full["link"], role)] == [link]
    assert state_of(admin, alice) == before and trashed(alice) == [] and jobs_of(admin, alice) == 0
    assert restore(workers, alice, full["link"], role) == []
    # Action times are checked again.
    assert alice.rest("PATCH", f"links?id=eq.{full['link']}", {"title": PLAIN}).status == 204
    assert alice.link(full["link"])["is_starred"] is False


def test_a_restored_link_is_returned_with_what_belongs_to_it(alice):
    link = alice.save("no address, restored")["id"]
    add(alice, "link_tags", link_id=link, tag_id=add(alice, "tags", name="kept")["id"])
    add(alice, "notes", link_id=link, body="noted")
    assert alice.rest("DELETE", f"links?id=eq.{link}").status == 204
    query = "select=id,tags(name),notes(body)&order=notes(body)"
    answer = alice.rest("POST", f"rpc/restore_link?{query}", {"link_id": link}, Prefer="count=exact")
    assert answer.json() == [{"id": link, "tags": [{"name": "kept"}], "notes": {"body": "noted"}}], answer
    assert answer["content-range"] == "0-0/1"
    answer = alice.rest("POST", f"rpc/restore_link?{query}", {"link_id": link})
    assert (answer.status, answer.json()) == (200, []), answer


def test_a_restored_pending_link_gets_a_job(alice, workers, admin):
    id = alice.save("no address, unfinished")["id"]
    admin.execute("update public.links set state = 'pending' where id = %s", (id,))
    run(workers, alice, "delete from public.links")
    restore(workers, alice, id)
    assert alice.settled(id)["state"] == "failed"


def test_restoring_a_link_does_not_restore_deleted_tags_and_collections(alice, workers, full):
    alice.rest("DELETE", f"links?id=eq.{full['link']}")
    alice.rest("DELETE", f"tags?id=eq.{full['tag']}")
    alice.rest("DELETE", f"collections?id=eq.{full['collection']}")
    assert len(restore(workers, alice, full["link"])) == 1
    assert rows(alice, "link_tags") == rows(alice, "collection_links") == [] and len(rows(alice, "highlights")) == 1


def test_restoring_a_link_whose_url_was_saved_again_merges_both(alice, workers, admin, full):
    alice.rest("DELETE", f"links?id=eq.{full['link']}")
    new = alice.settled(alice.save(URL)["id"])
    add(alice, "notes", link_id=new["id"], body="second thoughts")
    add(alice, "link_tags", link_id=new["id"], tag_id=full["tag"])
    assert [row["id"] for (row,) in restore(workers, alice, full["link"])] == [new["id"]]
    assert [row["id"] for row in alice.links()] == [new["id"]] and trashed(alice) == []
    for table in hanging(admin) - MADE_ANEW:
        assert {
            link for (link,) in admin.execute(f"select link_id::text from {table} where user_id = %s", (alice.id,))
        } == {new["id"]}, table
    # The old link's id is an alias of the new one.
    assert alice.link(full["link"])["id"] == new["id"]
    [note] = rows(alice, "notes")
    assert note["body"] == "noted\n\nsecond thoughts" and note["is_favorite"]


def test_users_cannot_restore_links_of_others_or_unknown_ones(alice, bob, workers, full):
    alice.rest("DELETE", f"links?id=eq.{full['link']}")
    assert restore(workers, bob, full["link"]) == restore(workers, alice, str(uuid.uuid4())) == []
    assert len(trashed(alice)) == 1 and bob.links() == []


def test_users_can_empty_their_trash_but_not_write_to_it(alice, lectern, full):
    service = {
        "apikey": lectern.service_key,
        "Content-Type": "application/json",
        "Authorization": f"Bearer {lectern.service_key}",
    }
    alice.rest("DELETE", f"links?id=eq.{full['link']}")
    [kept] = trashed(alice)
    row = {"link_id": str(uuid.uuid4()), "raw_url": "x", "link": {}, "parts": {}, "user_id": alice.id}
    for method, target, body in [("POST", "trash", row), ("PATCH", f"trash?id=eq.{kept['id']}", {"title": "x"})]:
        assert alice.rest(method, target, body).status == 403
        assert lectern.send(method, f"/rest/v1/{target}", service, json.dumps(body)).status == 403
    assert trashed(alice) == [kept]
    assert alice.rest("DELETE", f"trash?id=eq.{kept['id']}").status == 204 and trashed(alice) == []


def test_an_admin_can_delete_and_restore_too(alice, admin, full):
    before = state_of(admin, alice)
    admin.execute("delete from public.links where id = %s", (full["link"],))
    assert len(trashed(alice)) == 1
    admin.execute("select public.restore_link(%s)", (full["link"],))
    assert state_of(admin, alice) == before


def test_a_deleted_user_leaves_no_trash(alice, admin, full):
    alice.save("http://127.0.0.2/alive")
    alice.rest("DELETE", f"links?id=eq.{full['link']}")
    delete_user(admin, alice.id)
    assert admin.execute("select count(*) from public.trash where user_id = %s", (alice.id,)).fetchone() == (0,)


@pytest.mark.parametrize(("later", "lives"), [(-1, False), (0, False), (1, True)])
def test_an_edit_restores_a_link_only_if_made_after_the_deletion(alice, workers, full, later, lives):
    run(workers, alice, "delete from public.links", acted=LONG_AGO)
    assert trashed(alice)[0]["acted_at"].startswith("2024-01-01T00:00:00")
    edit = "with revived as materialized (select rest.restore_if_newer(%s)) select * from revived"
    run(workers, alice, edit, (full["link"],), acted=LONG_AGO + timedelta(seconds=later))
    assert len(alice.links()) == int(lives) and len(trashed(alice)) == int(not lives)


def test_a_later_deletion_of_a_deleted_link_counts_and_an_earlier_one_does_not(alice, bob, workers, full):
    for user, acted, kept in [(alice, 5, 5), (alice, 9, 9), (alice, 3, 9), (bob, 20, 9), (alice, None, 9)]:
        acted = acted and LONG_AGO + timedelta(seconds=acted)
        run(workers, alice, "delete from public.links", acted=acted)
        run(workers, user, "select rest.confirm_deletion(%s)", (full["link"],), acted=acted)
        assert trashed(alice)[0]["acted_at"] == f"2024-01-01T00:00:0{kept}+00:00"


def test_an_edit_without_a_time_restores_nothing(alice, workers, full):
    run(workers, alice, "delete from public.links", acted=LONG_AGO)
    run(workers, alice, "select rest.restore_if_newer(%s)", (full["link"],))
    assert alice.links() == []


def test_edits_and_deletions_in_any_order_end_with_the_last(alice, workers):
    """Does what the workers do for a request with a time; every request may arrive twice."""
    for seed in range(40):
        chance = random.Random(seed)
        id, base = alice.save(f"http://127.0.0.2/order/{seed}")["id"], LONG_AGO + timedelta(days=seed)
        actions = [(base + timedelta(seconds=n), chance.choice(["delete", "read", "unread"])) for n in range(5)]
        arriving = actions + chance.choices(actions, k=3)
        chance.shuffle(arriving)
        for acted, action in arriving:
            with workers.transaction():
                acting(workers, "authenticated", alice)
                workers.execute("select set_config('request.acted_at', %s, true)", (str(acted),))
                if action == "delete":
                    workers.execute("select rest.confirm_deletion(%s)", (id,))
                    workers.execute("delete from public.links where id = %s", (id,))
                else:
                    workers.execute("select rest.restore_if_newer(%s)", (id,))
                    workers.execute("update public.links set status = %s where id = %s", (action, id))
        left = [row["status"] for row in alice.links(f"id=eq.{id}")]
        assert left == [status for _, status in actions[-1:] if status != "delete"], (seed, arriving)


def test_old_links_are_removed_from_the_trash(alice, admin, lectern, workers, full):
    alice.save("http://127.0.0.2/fresh")
    alice.rest("DELETE", f"links?user_id=eq.{alice.id}")
    admin.execute("update public.trash set deleted_at = now() - interval '31 days' where link_id = %s", (full["link"],))
    # Recently deleted links of others stay.
    for days, left in [(32, 2), (None, 1)]:
        more = [] if days is None else ["-v", f"days={days}"]
        done = subprocess.run(
            ["psql", lectern.database_url, "-X", "-v", "ON_ERROR_STOP=1", "-v", "apply=1", *more, "-f", PURGE],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 and len(trashed(alice)) == left, done


# Change counts


def mark(workers, user):
    return run(workers, user, "select coalesce(sum(n), 0) from rest.changes where user_id = (select auth.uid())")[0][0][
        0
    ]


def test_every_table_of_users_counts_its_changes(admin):
    uncounted = admin.execute("""
        select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
            -- 29: after, for each row, insert or update or delete.
            select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'count_change' and t.tgtype = 29 and t.tgenabled = 'O')""").fetchall()
    assert uncounted == []


def test_a_relation_whose_changes_are_not_counted_has_no_entity_tag(alice, admin):
    """A client would otherwise be told forever that its copy is current."""
    counted = admin.execute("""
        select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and t.tgname = 'count_change'""").fetchall()
    relations = {path.strip("/") for path in alice.rest("GET", "").json()["paths"] if not path.startswith("/rpc/")} - {
        ""
    }
    assert {"imports", "broken_links", "books", "jobs"} < relations
    tagged = {name for name in relations if alice.rest("GET", f"{name}?limit=1")["etag"]}
    assert tagged == {name for (name,) in counted}


def test_each_write_to_any_table_changes_the_change_count_of_its_owner_only(alice, bob, workers, admin, full):
    keys = [
        "public.links",
        "public.articles",
        "public.tags",
        "public.link_tags",
        "public.highlights",
        "public.bookmarks",
        "public.notes",
        "public.collections",
        "public.collection_links",
        "public.reading_progress",
        "public.trash",
    ]
    admin.execute(
        """insert into public.trash (user_id, link_id, raw_url, link, parts)
        values (%s, gen_random_uuid(), 'x', '{}', '{}')""",
        (alice.id,),
    )
    others = mark(workers, bob)
    for table in reversed(keys):
        [row] = admin.execute(f"select to_jsonb(t) from {table} t where user_id = %s", (alice.id,)).fetchone()
        for statement, values in [
            (f"update {table} set user_id = user_id where user_id = %s", (alice.id,)),
            (f"delete from {table} where user_id = %s", (alice.id,)),
            (f"insert into {table} select * from jsonb_populate_record(null::{table}, %s)", (json.dumps(row),)),
        ]:
            # The cascade deletes the rows that those below need.
            if table in ("public.links", "public.tags", "public.collections") and not statement.startswith("update"):
                continue
            before = mark(workers, alice)
            admin.execute(statement, values)
            assert mark(workers, alice) > before, statement
    assert mark(workers, bob) == others


@pytest.mark.parametrize("table", ["links", "tags", "collections", "user_settings"])
def test_the_change_count_grows_only_when_something_changed(alice, workers, table):
    key = "user_id" if table == "user_settings" else "id"
    marks = [mark(workers, alice)]
    row = add(alice, table, ACTED[table][1], user_id=alice.id)
    if table == "links":
        row = alice.settled(row["id"])
    marks.append(mark(workers, alice))
    alice.rest("PATCH", f"{table}?{key}=eq.{row[key]}", {ACTED[table][0]: "x"})
    marks.append(mark(workers, alice))
    assert alice.rest("PATCH", f"{table}?{key}=eq.{uuid.uuid4()}", {ACTED[table][0]: "x"}).status == 204
    assert mark(workers, alice) == marks[-1]
    with workers.transaction(force_rollback=True):
        acting(workers, "authenticated", alice)
        workers.execute(f"delete from public.{table}")
    assert mark(workers, alice) == marks[-1]
    alice.rest("DELETE", f"{table}?{key}=eq.{row[key]}")
    marks.append(mark(workers, alice))
    assert marks == sorted(set(marks))


def test_a_change_after_a_rolled_back_savepoint_is_counted(alice, workers):
    before = mark(workers, alice)
    with workers.transaction():
        acting(workers, "authenticated", alice)
        for undone in (True, False):
            with workers.transaction(force_rollback=undone):
                workers.execute("insert into public.tags (name) values ('x')")
    assert mark(workers, alice) == before + 1


def test_a_row_that_changes_its_owner_is_a_change_for_both(alice, bob, workers, admin):
    add(alice, "tags", name="x")
    before = [mark(workers, user) for user in (alice, bob)]
    run(
        workers,
        alice,
        "update public.tags set user_id = %s where user_id = %s",
        (bob.id, alice.id),
        role="service_role",
    )
    assert all(mark(workers, user) > old for user, old in zip((alice, bob), before))


def test_writers_of_one_user_do_not_wait_for_each_other(alice, lectern):
    def login():
        return lectern.login("authenticator", "authenticator_password")

    with login() as one:
        # There are sixteen slots, so most other users have a different one.
        others = [login() for _ in range(3)]
        two = next(other for other in others if (other.info.backend_pid - one.info.backend_pid) % 16)
        with one.transaction():
            acting(one, "authenticated", alice)
            one.execute("insert into public.tags (name) values ('one')")
            with two.transaction():
                acting(two, "authenticated", alice)
                two.execute("set local lock_timeout = '30s'")
                two.execute("insert into public.tags (name) values ('two')")
        for other in others:
            other.close()
    assert {tag["name"] for tag in rows(alice, "tags")} == {"one", "two"}


# Saving a link together with its page


def save_page(workers, user, **given):
    arguments = ", ".join(f"{name} => %s" for name in given)
    return [
        row
        for (row,) in run(
            workers, user, f"select to_jsonb(t) from public.save_page({arguments}) t", list(given.values())
        )[0]
    ]


def page_of(admin, link):
    return admin.execute("select html from private.pages where link_id = %s", (link["id"],)).fetchone()


def test_a_page_is_saved_together_with_its_link_and_tags(alice, workers, admin):
    old = add(alice, "tags", name="Physics")
    [link] = save_page(
        workers,
        alice,
        url=URL,
        html="<p>mine",
        title=STARRED,
        tags=["physics", " New ", "new", ""],
        list="archive",
        status="read",
    )
    assert (link["raw_url"], link["title"], link["list"], link["status"], link["is_starred"]) == (
        URL,
        STARRED,
        "archive",
        "read",
        True,
    )
    assert page_of(admin, link) == ("<p>mine",)
    tags = {tag["name"]: tag["id"] for tag in rows(alice, "tags")}
    assert set(tags) == {"Physics", "New"} and tags["Physics"] == old["id"]
    assert {row["tag_id"] for row in rows(alice, "link_tags", f"link_id=eq.{link['id']}")} == set(tags.values())


def test_a_page_is_returned_with_the_tags_it_is_saved_with(alice):
    title = 'ein "Titel", {mit} \\ allem'
    page = {"url": "http://127.0.0.2/tagged", "html": "<p>x", "title": title, "tags": ["one", "two"]}
    tags = {"title": title, "tags": [{"name": "one"}, {"name": "two"}]}
    for _ in range(2):
        answer = alice.rest("POST", "rpc/save_page?select=title,tags(name)&tags.order=name", page)
        assert answer.json() == [tags], answer


def test_a_page_sent_for_a_known_url_moves_the_link_to_the_top(alice, bob, workers, admin):
    bob.save(URL)
    link = alice.settled(alice.save(URL, title=STARRED, is_starred=False, created_at="2024-01-01T00:00:00Z")["id"])
    [again] = save_page(workers, alice, url=URL, html="<p>first", title="other", status="read")
    assert again["id"] == link["id"] and again["updated_at"] > "2026" and again["created_at"] == link["created_at"]
    assert (again["title"], again["is_starred"], again["list"], again["status"]) == (STARRED, False, "read", "read")
    assert again["state"] == "pending" and page_of(admin, link) == ("<p>first",)
    alice.settled(link["id"])
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": None})
    [again] = save_page(workers, alice, url=URL, html="<p>second", title="other", list="archive")
    assert (again["title"], again["list"], again["status"]) == ("other", "archive", "read") and page_of(
        admin, link
    ) == ("<p>second",)
    assert len(alice.links()) == 1 and bob.links()[0]["status"] == "unread"


def test_a_page_sent_twice_is_saved_once(alice, workers, admin):
    call = "select id::text from public.save_page(%s, %s, tags => array['x'])"
    [(id,)], _ = run(workers, alice, call, (URL, "<p>1"), acted=LONG_AGO)
    alice.rest("DELETE", f"tags?user_id=eq.{alice.id}")
    assert run(workers, alice, call, (URL, "<p>1"), acted=LONG_AGO) == ([(id,)], 1)
    assert rows(alice, "tags") == []


def test_a_page_that_is_too_large_or_none_is_refused(alice, workers):
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="10 MB"):
        save_page(workers, alice, url=URL, html="x" * 10485761)
    with pytest.raises(psycopg.errors.NotNullViolation):
        save_page(workers, alice, url=URL, html=None)
    assert alice.links() == []
    save_page(workers, alice, url=URL, html="x" * 10485760)


@pytest.mark.parametrize("role", ["anon", "service_role"])
@pytest.mark.parametrize("call", ["save_page('x', 'y')", "merge_tags(null, null)"])
def test_only_a_user_saves_pages_and_merges_tags(workers, role, call):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(workers, None, f"select public.{call}", role=role)


# Merging tags


def test_merging_tags_keeps_the_links_of_both(alice, bob, workers):
    links = [alice.save(f"{URL}/{n}")["id"] for n in range(3)]
    one, two = add(alice, "tags", name="one"), add(alice, "tags", name="two")
    for link, tag in [(0, one), (1, one), (1, two), (2, two)]:
        add(alice, "link_tags", link_id=links[link], tag_id=tag["id"])
    merge = "select to_jsonb(t) from public.merge_tags(%s, %s) t"
    assert run(workers, bob, merge, (one["id"], two["id"]))[0] == []
    assert run(workers, alice, merge, (one["id"], str(uuid.uuid4())))[0] == []
    assert run(workers, alice, merge, (two["id"], two["id"]))[0] == [(two,)]
    assert len(rows(alice, "link_tags")) == 4
    # The second time nothing is left to do.
    for _ in range(2):
        assert run(workers, alice, merge, (one["id"], two["id"]))[0] == [(two,)]
    assert rows(alice, "tags") == [two]
    assert {(row["link_id"], row["tag_id"]) for row in rows(alice, "link_tags")} == {
        (link, two["id"]) for link in links
    }
