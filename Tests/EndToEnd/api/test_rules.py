"""Rules: queries with changes that are applied to links as they become ready."""

import threading
import uuid

import psycopg
import pytest

from support.client import wait_until
from support.searching import add_link, found, index_texts

REPRESENTATION = "return=representation"


def add_rule(user, query, change, **more):
    rule = {"name": query or "all", "query": query, "change": change} | more
    answer = user.rest("POST", "rules", rule, Prefer=REPRESENTATION)
    assert answer.status == 201, answer
    return answer.json()[0]


def becomes_ready(admin, user, **columns):
    """A link that becomes ready, as the jobs process makes it; in one transaction with its article."""
    with admin.transaction():
        id = add_link(admin, user, text="body of the article", state="pending", **columns)
        make_ready(admin, id)
    return id


def make_ready(admin, id):
    # The jobs process has nothing to do.
    admin.execute("delete from private.jobs where link_id = %s", [id])
    admin.execute("update public.links set state = 'ready' where id = %s", [id])


def tags(user, id):
    rows = user.rest("GET", f"link_tags?select=tags(name)&link_id=eq.{id}").json()
    return sorted(row["tags"]["name"] for row in rows)


def test_rules_are_applied_in_order_and_see_what_earlier_rules_did(admin, alice):
    add_rule(alice, "#found", {"list": "archive"}, position=2)
    add_rule(alice, "article", {"add_tags": ["found"]}, position=1)
    add_rule(alice, "is:archived", {"add_tags": ["early"]}, position=0)
    add_rule(alice, "article", {"add_tags": ["off"]}, enabled=False)
    other = add_link(admin, alice, title="article, ready before")
    id = becomes_ready(admin, alice)
    assert (tags(alice, id), alice.link(id)["list"]) == (["found"], "archive")
    assert tags(alice, other) == []
    counts = alice.rest("GET", "rules?select=applied_count,last_applied_at&order=position,enabled").json()
    assert [count["applied_count"] for count in counts] == [0, 0, 1, 1]
    assert [count["last_applied_at"] is None for count in counts] == [True, True, False, False]


def test_a_user_has_at_most_500_rules(alice, bob):
    rules = [{"name": "all", "query": "", "change": {"list": "archive"}, "enabled": False}] * 499
    assert alice.rest("POST", "rules", rules).status == 201
    refused = alice.rest("POST", "rules", rules[:2])
    assert (refused.status, refused.json()["code"]) == (400, "LT400")
    assert refused.json()["message"] == "There are 500 rules, which is the maximum."
    add_rule(alice, "", {"list": "archive"})
    assert len(alice.rest("GET", "rules?select=id").json()) == 500
    assert alice.rest("POST", "rules", rules[:1]).status == 400
    # An upsert of a known rule adds none.
    [known] = alice.rest("GET", "rules?select=id&limit=1").json()
    again = alice.rest("POST", "rules?on_conflict=id", rules[0] | known, prefer="resolution=merge-duplicates")
    assert again.status in (200, 201), again
    assert len(alice.rest("GET", "rules?select=id").json()) == 500
    add_rule(bob, "", {"list": "archive"})


def test_a_rule_reads_the_text_of_the_new_link_only(instance, admin, alice):
    ids = [add_link(admin, alice, text="alpha beta gamma") for _ in range(20)]
    index_texts(admin, alice)
    with psycopg.connect(instance.database_url) as transaction:
        transaction.execute("set local role lectern_search")
        (condition,) = transaction.execute(
            """
            select private.found_condition('{"phrase": "alpha beta"}', user_id, number, %s)
            from private.search_owners where user_id = %s""",
            [ids[0], alice.id],
        ).fetchone()
        [[[plan]]] = transaction.execute(
            f"explain (analyze, format json) select from public.links l where l.id = '{ids[0]}' and {condition}"
        ).fetchall()

    def nodes(node):
        return [node, *(inner for child in node.get("Plans", []) for inner in nodes(child))]

    assert plan["Plan"]["Actual Rows"] == 1
    assert [n["Actual Loops"] for n in nodes(plan["Plan"]) if n.get("Relation Name") == "articles"] == [1]


def test_a_link_meets_the_rules_once(admin, alice):
    add_rule(alice, "", {"add_tags": ["new"]})
    id = becomes_ready(admin, alice)
    assert tags(alice, id) == ["new"]
    alice.rest("DELETE", f"link_tags?link_id=eq.{id}")
    with admin.transaction():
        admin.execute("update public.links set state = 'pending' where id = %s", [id])
        make_ready(admin, id)
    assert tags(alice, id) == []


def becomes_ready_again(admin, id):
    with admin.transaction():
        admin.execute("update public.links set state = 'pending' where id = %s", [id])
        make_ready(admin, id)


def test_a_link_that_comes_back_from_the_trash_does_not_meet_the_rules_again(admin, alice):
    add_rule(alice, "", {"delete": True})
    id = becomes_ready(admin, alice)
    assert alice.links() == []
    assert alice.rest("POST", "rpc/restore_link", {"link_id": id}).status == 200
    becomes_ready_again(admin, id)
    assert alice.link(id)["state"] == "ready"


def test_merged_links_do_not_meet_the_rules_again(admin, alice):
    survivor = add_link(admin, alice, state="pending")
    add_rule(alice, "", {"add_tags": ["new"]})
    other = becomes_ready(admin, alice)
    merge = admin.execute("select rest.merge_links(%s, %s, 'spelling')", [survivor, other]).fetchone()[0]
    assert alice.link(survivor)["state"] == "ready" and tags(alice, survivor) == ["new"]
    assert alice.rest("DELETE", f"link_tags?link_id=eq.{survivor}").status == 204
    assert alice.rest("POST", "rpc/unmerge", {"merge_id": str(merge)}).status == 200
    for id in (survivor, other):
        alice.rest("DELETE", f"link_tags?link_id=eq.{id}")
        becomes_ready_again(admin, id)
        assert tags(alice, id) == []


def test_rules_of_links_that_become_ready_at_the_same_time_create_a_tag_once(instance, admin, alice):
    add_rule(alice, "first", {"add_tags": ["one", "two"]}, position=1)
    add_rule(alice, "second", {"add_tags": ["two", "one"]}, position=2)
    first, second = (add_link(admin, alice, title=title, state="pending") for title in ("first", "second"))

    def make_second_ready():
        with psycopg.connect(instance.database_url) as connection:
            make_ready(connection, second)

    thread = threading.Thread(target=make_second_ready)
    with admin.transaction():
        make_ready(admin, first)
        admin.execute("set constraints all immediate")
        thread.start()
        with psycopg.connect(instance.database_url, autocommit=True) as other:
            waits = "select from pg_locks where locktype = 'advisory' and not granted and pid <> pg_backend_pid()"
            wait_until(lambda: other.execute(waits).rowcount, every=0.01)
    thread.join()
    assert tags(alice, first) == tags(alice, second) == ["one", "two"]
    assert [row["applied_count"] for row in alice.rest("GET", "rules?select=applied_count").json()] == [1, 1]


def test_rules_are_applied_to_links_that_the_server_fetches(alice, website):
    add_rule(alice, "is:unread site:127.0.0.1", {"add_tags": ["fetched"], "is_starred": True}, position=1)
    add_rule(alice, "#fetched", {"list": "archive"}, position=2)
    ids = [alice.save(f"{website.url}/article/rule/{number}")["id"] for number in range(4)]
    for id in ids:
        link = alice.settled(id)
        assert (link["state"], link["list"], link["is_starred"], tags(alice, id)) == (
            "ready",
            "archive",
            True,
            ["fetched"],
        )
    counts = alice.rest("GET", "rules?select=applied_count").json()
    assert counts == [{"applied_count": 4}, {"applied_count": 4}]


def test_a_rule_that_changes_nothing_ends_the_entity_tag_of_rules(admin, alice):
    becomes_ready(admin, alice, status="read")
    rule = add_rule(alice, "", {"status": "read"})
    tag = alice.rest("GET", "rules")["etag"]
    assert alice.rest("POST", "rpc/apply_rule", {"rule": rule["id"]}).json()["count"] == 1
    answer = alice.rest("GET", "rules", If_None_Match=tag)
    assert answer.status == 200 and answer.json()[0]["applied_count"] == 1


def test_a_rule_that_fails_leaves_the_link_and_the_other_rules_alone(admin, alice):
    collection = str(uuid.uuid4())
    alice.rest("POST", "collections", {"id": collection, "name": "Later"})
    add_rule(alice, "", {"add_to": collection, "status": "read"}, position=1)
    add_rule(alice, "", {"add_tags": ["kept"]}, position=2)
    alice.rest("DELETE", f"collections?id=eq.{collection}")
    id = becomes_ready(admin, alice)
    link = alice.link(id)
    assert (link["state"], link["status"], tags(alice, id)) == ("ready", "unread", ["kept"])


def test_a_rule_may_delete_what_it_finds(admin, alice):
    add_rule(alice, "site:ads.example", {"delete": True})
    id = becomes_ready(admin, alice, url="https://ads.example/x")
    assert alice.links() == []
    assert [row["link_id"] for row in alice.rest("GET", "trash?select=link_id").json()] == [id]


def test_a_rule_is_applied_to_everything_that_is_there_and_undone(admin, alice):
    ids = {add_link(admin, alice, title="tea") for _ in range(3)}
    add_link(admin, alice, title="coffee")
    rule = add_rule(alice, "tea", {"status": "read"})
    made = alice.rest("POST", "rpc/apply_rule", {"rule": rule["id"]}).json()
    assert made["count"] == 3 and set(found(alice, "is:read")) == ids
    [row] = alice.rest("GET", "rules").json()
    assert row["applied_count"] == 3
    assert alice.rest("POST", "rpc/undo_change", {"undo": made["undo"]}).json() == {"count": 3}
    assert found(alice, "is:read") == []
    # A rule that is changed finds what its new query finds.
    assert alice.rest("PATCH", f"rules?id=eq.{rule['id']}", {"query": "coffee"}).status == 204
    assert alice.rest("POST", "rpc/apply_rule", {"rule": rule["id"]}).json()["count"] == 1


@pytest.mark.parametrize(
    "values",
    [
        {"query": "is:nothing"},
        {"query": "x" * 1_001},
        {"change": {"title": "new"}},
        {"change": {"add_to": str(uuid.uuid4())}},
        {"change": []},
    ],
)
def test_a_rule_that_is_wrong_is_refused(alice, values):
    rule = {"name": "rule", "query": "tea", "change": {"status": "read"}}
    answer = alice.rest("POST", "rules", rule | values)
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer
    assert alice.rest("POST", "rules", [rule, rule | values]).status == 400
    id = add_rule(alice, "tea", {"status": "read"})["id"]
    assert alice.rest("PATCH", f"rules?id=eq.{id}", values).status == 400
    [kept] = alice.rest("GET", "rules?select=name,query,change").json()
    assert kept == {"name": "tea", "query": "tea", "change": {"status": "read"}}


def test_a_client_does_not_write_the_counts(alice):
    rule = add_rule(alice, "tea", {"status": "read"}, applied_count=5, last_applied_at="2026-01-01")
    alice.rest("PATCH", f"rules?id=eq.{rule['id']}", {"applied_count": 5, "name": "renamed"})
    [row] = alice.rest("GET", "rules?select=name,applied_count,last_applied_at").json()
    assert row == {"name": "renamed", "applied_count": 0, "last_applied_at": None}


def test_rules_reach_the_links_of_their_user_only(admin, alice, bob):
    hers = add_rule(alice, "", {"add_tags": ["hers"], "status": "read"})
    his = becomes_ready(admin, bob)
    assert (bob.link(his)["status"], tags(bob, his), bob.rest("GET", "rules").json()) == ("unread", [], [])
    answer = bob.rest("POST", "rpc/apply_rule", {"rule": hers["id"]})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")
    id = becomes_ready(admin, alice)
    assert tags(alice, id) == ["hers"] and bob.link(his)["status"] == "unread"
    assert bob.rest("GET", "tags").json() == []
