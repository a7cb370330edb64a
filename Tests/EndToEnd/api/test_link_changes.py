"""Changing everything that a query finds, and undoing it: rpc/change_links and rpc/undo_change."""

import random
import threading

import psycopg
import pytest

from support.client import wait_until
from support.searching import add_collection, add_link, found

COLUMNS = {"status": ["unread", "read"], "list": ["read", "archive"], "is_starred": [False, True]}
TAGS = ["alpha", "beta", "Gamma"]


def change(user, query, **members):
    answer = user.rest("POST", "rpc/change_links", {"query": query, "change": members})
    assert answer.status == 200, answer
    return answer.json()


def undo(user, id):
    answer = user.rest("POST", "rpc/undo_change", {"undo": id})
    assert answer.status == 200, answer
    return answer.json()["count"]


def state(admin, user):
    """What changes can change, by link: the columns, the names of the tags, the ids of the collections."""
    rows = admin.execute(
        """
        select l.id::text, l.status, l.list, l.is_starred,
            array(select t.name from public.link_tags lt join public.tags t on t.id = lt.tag_id
                where lt.link_id = l.id order by t.name),
            array(select cl.collection_id::text from public.collection_links cl where cl.link_id = l.id order by 1)
        from public.links l where l.user_id = %s""",
        [user.id],
    ).fetchall()
    return {
        id: {"status": status, "list": list, "is_starred": starred, "tags": set(tags), "collections": set(collections)}
        for id, status, list, starred, tags, collections in rows
    }


def test_a_change_applies_to_everything_that_the_query_finds(admin, alice):
    ids = {add_link(admin, alice, title=f"tea {number}", text="body") for number in range(3)}
    other = add_link(admin, alice, title="coffee")
    later = add_collection(alice, "Later")
    alice.rest("POST", "tags", {"name": "Known"})
    before = state(admin, alice)
    made = change(
        alice, "tea", status="read", list="archive", is_starred=True, add_tags=["known", "fresh"], add_to=later
    )
    expected = {"status": "read", "list": "archive", "is_starred": True, "tags": {"Known", "fresh"}}
    assert made["count"] == 3
    assert state(admin, alice) == {id: expected | {"collections": {later}} for id in ids} | {other: before[other]}
    # The changes are seen by searches at once.
    assert set(found(alice, "#fresh is:read in:later")) == ids
    removed = change(alice, "#fresh", remove_tags=["FRESH", "unknown"], remove_from=later)
    assert state(admin, alice)[min(ids)] == expected | {"tags": {"Known"}, "collections": set()}
    assert undo(alice, removed["undo"]) == 3
    assert set(found(alice, "#fresh in:later")) == ids
    assert undo(alice, made["undo"]) == 3
    assert state(admin, alice) == before
    # A tag that the change created is gone again.
    assert [tag["name"] for tag in alice.rest("GET", "tags?select=name").json()] == ["Known"]


def test_the_log_has_every_changed_link_once(admin, alice, bob):
    ids = sorted(add_link(admin, alice, title=f"tea {number}") for number in range(5))
    change(alice, "tea 4", list="archive")
    add_link(admin, bob, title="tea")
    last = "select coalesce(max(seq), 0) from private.change_log"
    logged = """
        select user_id::text, table_name, op, key ->> 'id', record from private.change_log
        where seq > %s and user_id = any (%s) and table_name = 'links' order by 4"""
    links = "select id::text, to_jsonb(l) from public.links l where user_id = %s order by id"

    def changed():
        """The ids of the links in the new lines of the log, which have the values that the links have now."""
        # Other tests run at the same time.
        lines = admin.execute(logged, [first, [alice.id, bob.id]]).fetchall()
        assert {(user, table, op) for user, table, op, _, _ in lines} == {(alice.id, "links", "U")}
        now = dict(admin.execute(links, [alice.id]).fetchall())
        assert all(record == now[id] for *_, id, record in lines)
        return [id for *_, id, _ in lines]

    first = admin.execute(last).fetchone()[0]
    made = change(alice, "tea", list="archive")
    found_archived = changed()
    assert len(found_archived) == 4 and set(found_archived) < set(ids)
    first = admin.execute(last).fetchone()[0]
    undo(alice, made["undo"])
    assert changed() == found_archived
    # Other writes are logged as before.
    first = admin.execute(last).fetchone()[0]
    assert alice.rest("PATCH", f"links?id=eq.{ids[0]}", {"title": "coffee"}).status in (200, 204)
    assert changed() == ids[:1]


def test_a_tag_that_is_created_at_the_same_time_is_used(instance, admin, alice):
    id = add_link(admin, alice, title="tea")
    made = []
    thread = threading.Thread(target=lambda: made.append(change(alice, "tea", add_tags=["Fresh"])))
    with admin.transaction():
        admin.execute("insert into public.tags (user_id, name) values (%s, 'fresh')", [alice.id])
        thread.start()
        with psycopg.connect(instance.database_url, autocommit=True) as other:
            waits = "select from pg_stat_activity where wait_event = 'transactionid' and query like '%change_links%'"
            wait_until(lambda: other.execute(waits).rowcount, every=0.01)
    thread.join()
    assert state(admin, alice)[id]["tags"] == {"fresh"}
    # The change did not create the tag, so undoing it leaves the tag alone.
    undo(alice, made[0]["undo"])
    assert [row["name"] for row in alice.rest("GET", "tags?select=name").json()] == ["fresh"]


def test_deleted_links_come_back_with_everything(admin, alice):
    for number in range(2):
        add_link(admin, alice, title=f"tea {number}", text="body", status="read")
    later = add_collection(alice, "Later")
    change(alice, "", add_tags=["kept"], add_to=later)
    before = state(admin, alice)
    made = change(alice, "tea", delete=True, status="unread")
    assert (made["count"], state(admin, alice), found(alice, "body")) == (2, {}, [])
    # One has been restored by hand since.
    alice.rest("POST", "rpc/restore_link", {"link_id": min(before)})
    assert undo(alice, made["undo"]) == 2
    assert state(admin, alice) == before
    assert len(found(alice, "body #kept")) == 2


def test_a_column_that_has_had_another_value_since_stays_as_it_is(admin, alice):
    id = add_link(admin, alice, title="tea", text="body")
    made = change(alice, "tea", status="read", is_starred=True)
    for values in ({"status": "unread"}, {"status": "read"}, {"title": "tea time"}):
        assert alice.rest("PATCH", f"links?id=eq.{id}", values).status == 204
    assert undo(alice, made["undo"]) == 1
    assert (alice.link(id)["status"], alice.link(id)["is_starred"]) == ("read", False)


def test_a_link_that_was_deleted_since_stays_in_the_trash_and_comes_back_without_the_change(admin, alice):
    ids = [add_link(admin, alice, title=f"tea {number}", text="body") for number in range(2)]
    before = state(admin, alice)
    made = change(alice, "tea", status="read", list="archive", add_tags=["fresh"])
    for id in ids:
        alice.rest("DELETE", f"links?id=eq.{id}")
    admin.execute("delete from public.trash where link_id = %s", [ids[1]])
    assert (undo(alice, made["undo"]), state(admin, alice)) == (1, {})
    alice.rest("POST", "rpc/restore_link", {"link_id": ids[0]})
    assert state(admin, alice) == {ids[0]: before[ids[0]]}


def test_retry_asks_for_another_try_of_failed_links_only(admin, alice):
    failed = add_link(admin, alice, title="tea", state="failed", reason="unreachable")
    ready = add_link(admin, alice, title="tea")
    assert change(alice, "tea", retry=True)["count"] == 2
    rows = admin.execute(
        "select link_id::text, kind from private.jobs where link_id = any (%s::uuid[])", [[failed, ready]]
    ).fetchall()
    assert [link for link, _ in rows] in ([failed], [])
    assert alice.link(ready)["state"] == "ready"


@pytest.mark.parametrize("seed", range(4))
def test_an_undo_takes_back_what_the_change_did_and_nothing_else(admin, alice, seed):
    """Random changes, random edits after them, and undos: what was edited stays, everything else is as before."""
    chance = random.Random(seed)
    ids = [add_link(admin, alice, title=f"word{number % 3}") for number in range(9)]
    collections = [add_collection(alice, name) for name in ["one", "two"]]
    for name in TAGS:
        alice.rest("POST", "tags", {"name": name})
    for _ in range(6):
        members = {column: chance.choice(values) for column, values in COLUMNS.items() if chance.random() < 0.5}
        members |= {"add_tags": chance.sample(TAGS, 2), "remove_tags": chance.sample(TAGS, 1)}
        members |= {chance.choice(["add_to", "remove_from"]): chance.choice(collections)}
        query = chance.choice(["word0", "word1 or word2", "is:unread", ""])
        before = state(admin, alice)
        made = change(alice, query, **members)
        changed = state(admin, alice)
        expected = {id: dict(row) for id, row in before.items()}
        for id in chance.sample(ids, 3):
            column = chance.choice(list(COLUMNS))
            # The other value than the change left.
            value = next(value for value in COLUMNS[column] if value != changed[id][column])
            alice.rest("PATCH", f"links?id=eq.{id}", {column: value})
            expected[id][column] = value
        assert undo(alice, made["undo"]) <= made["count"]
        assert state(admin, alice) == expected
        again = alice.rest("POST", "rpc/undo_change", {"undo": made["undo"]})
        assert (again.status, again.json()["code"]) == (410, "LT410")


def test_a_change_can_be_undone_for_a_day(admin, alice):
    add_link(admin, alice, title="tea")
    made = change(alice, "tea", status="read")
    admin.execute("update private.link_changes set made_at = now() - interval '25 hours' where id = %s", [made["undo"]])
    assert alice.rest("POST", "rpc/undo_change", {"undo": made["undo"]}).status == 410
    admin.execute("select private.purge_expired('private.link_changes', 1, 100)")
    for table in ["link_changes", "link_change_steps"]:
        assert admin.execute(f"select from private.{table} where user_id = %s", [alice.id]).fetchall() == []


@pytest.mark.parametrize(
    "members",
    [
        {},
        [],
        "status",
        {"status": "gone"},
        {"list": None},
        {"is_starred": "yes"},
        {"title": "new"},
        {"add_tags": "tag"},
        {"add_tags": [""]},
        {"add_tags": [" tag"]},
        {"add_tags": ["x" * 101]},
        {"remove_tags": [5]},
        {"add_tags": ["tag"] * 101},
        {"add_to": "Later"},
        {"remove_from": "00000000-0000-4000-8000-000000000000"},
        {"delete": 1},
        {"status": "read", "user_id": "00000000-0000-4000-8000-000000000000"},
    ],
)
def test_a_change_that_is_wrong_is_refused_and_changes_nothing(admin, alice, members):
    add_link(admin, alice, title="tea")
    before = state(admin, alice)
    answer = alice.rest("POST", "rpc/change_links", {"query": "", "change": members})
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer
    assert state(admin, alice) == before


def test_a_query_that_is_wrong_changes_nothing(admin, alice):
    add_link(admin, alice, title="tea")
    answer = alice.rest("POST", "rpc/change_links", {"query": "is:nothing", "change": {"status": "read"}})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")
    assert found(alice, "is:read") == []


def test_changes_and_undos_reach_the_rows_of_their_user_only(admin, alice, bob):
    add_link(admin, alice, title="tea")
    add_link(admin, bob, title="tea")
    hers, his = add_collection(alice, "hers"), add_collection(bob, "his")
    before = state(admin, bob)
    made = change(alice, "", status="read", add_tags=["hers"], add_to=hers)
    assert (made["count"], state(admin, bob)) == (1, before)
    assert bob.rest("POST", "rpc/undo_change", {"undo": made["undo"]}).status == 410
    for member in ["add_to", "remove_from"]:
        assert bob.rest("POST", "rpc/change_links", {"query": "", "change": {member: hers}}).status == 400
    assert change(bob, "", delete=True)["count"] == 1
    assert [row["status"] for row in state(admin, alice).values()] == ["read"]
    assert undo(alice, made["undo"]) == 1
    assert his not in str(state(admin, alice))


def test_only_a_token_that_may_do_everything_may_change_links(instance, admin, alice):
    add_link(admin, alice, title="tea")
    for scope, status in {"read": 403, "save": 403, "full": 200}.items():
        token = instance.auth(
            "POST",
            "tokens",
            {"name": scope, "scope": scope, "password": alice.password},
            Authorization=f"Bearer {alice.token}",
        ).json()["token"]
        headers = {"apikey": instance.anon_key, "Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        body = '{"query": "", "change": {"status": "read"}}'
        assert instance.send("POST", "/rest/v1/rpc/change_links", headers, body).status == status, scope
