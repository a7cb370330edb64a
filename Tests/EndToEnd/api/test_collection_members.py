"""Members of smart collections: collection_links shows the links that the query of a collection finds."""

import pytest

from support.client import acting
from support.searching import add_collection, add_link
from support.sessions import bearer

PAIR = "select=collection_id,link_id"


@pytest.fixture
def teas(admin, alice):
    """Two links that the collection's query finds, one that was put there, and one that is not in it."""
    found = [add_link(admin, alice, title=title) for title in ("green tea", "black tea")]
    put, other = add_link(admin, alice, title="coffee"), add_link(admin, alice, title="water")
    collection = add_collection(alice, "Hot", query="tea")
    put_into(alice, collection, put)
    return collection, found, put, other


def put_into(user, collection, link, **columns):
    answer = user.rest("POST", "collection_links", {"collection_id": collection, "link_id": link} | columns)
    assert answer.status == 201, answer


def members(user, query=""):
    answer = user.rest("GET", f"collection_links?{PAIR}{query}")
    assert answer.status == 200, answer
    return {(row["collection_id"], row["link_id"]) for row in answer.json()}


def test_links_that_the_query_finds_are_rows_beside_those_that_were_put_there(alice, teas):
    collection, found, put, _ = teas
    put_into(alice, collection, found[0], position=5)
    rows = alice.rest("GET", f"collection_links?collection_id=eq.{collection}&order=position.desc").json()
    assert {row["link_id"] for row in rows} == {*found, put} and len(rows) == 3
    assert (rows[0]["link_id"], rows[0]["position"]) == (found[0], 5)
    computed = next(row for row in rows if row["link_id"] == found[1])
    created_at = alice.link(found[1])["created_at"]
    assert computed == {
        "collection_id": collection,
        "link_id": found[1],
        "user_id": alice.id,
        "position": 0,
        "created_at": created_at,
    }


def test_filters_order_limits_counts_and_head_cover_computed_rows(alice, teas):
    collection, found, put, other = teas
    everything = {(collection, link) for link in [*found, put]}
    assert members(alice) == members(alice, f"&collection_id=eq.{collection}") == everything
    assert members(alice, f"&link_id=eq.{found[0]}") == {(collection, found[0])}
    assert members(alice, f"&link_id=in.({found[1]},{other})") == {(collection, found[1])}
    assert members(alice, f"&or=(link_id.eq.{put},link_id.eq.{found[0]})") == {
        (collection, put),
        (collection, found[0]),
    }
    pages = [members(alice, f"&order=link_id&limit=2&offset={offset}") for offset in (0, 2)]
    assert [len(page) for page in pages] == [2, 1] and pages[0] | pages[1] == everything
    answer = alice.rest("HEAD", f"collection_links?collection_id=eq.{collection}", Prefer="count=exact")
    assert answer["content-range"] == "0-2/3" and answer.body == b""
    assert alice.rest("GET", "collection_links?select=count").json() == [{"count": 3}]


def test_computed_rows_are_embedded_in_both_directions_and_through_the_junction(alice, teas):
    collection, found, put, other = teas
    inside = {*found, put}
    [row] = alice.rest(
        "GET", "collections?select=collection_links(link_id,links(title)),links(id),n:links(count)"
    ).json()
    assert {each["link_id"] for each in row["collection_links"]} == {each["id"] for each in row["links"]} == inside
    assert {each["links"]["title"] for each in row["collection_links"]} == {"green tea", "black tea", "coffee"}
    assert row["n"] == [{"count": 3}]
    rows = alice.rest("GET", "links?select=id,collections(name),collection_links(collection_id)").json()
    assert {each["id"] for each in rows if each["collections"] == [{"name": "Hot"}]} == inside
    assert {each["id"] for each in rows if each["collection_links"] == [{"collection_id": collection}]} == inside
    assert {each["id"] for each in rows if not each["collections"]} == {other}
    for filters in [
        "select=id,collections!inner()&collections.name=eq.Hot",
        f"select=id,collection_links!inner()&collection_links.collection_id=eq.{collection}",
        "select=id,collections()&collections=not.is.null",
    ]:
        assert {each["id"] for each in alice.rest("GET", f"links?{filters}").json()} == inside, filters
    counted = alice.rest("GET", "links?select=id,collections()&collections=is.null", Prefer="count=exact")
    assert counted["content-range"] == "0-0/1" and counted.json() == [{"id": other}]
    # What a write returns shows them, too.
    answer = alice.rest(
        "PATCH", f"links?id=eq.{found[0]}&select=collections(name)", {"status": "read"}, Prefer="return=representation"
    )
    assert answer.json() == [{"collections": [{"name": "Hot"}]}]


def test_links_of_several_smart_collections_are_embedded(admin, alice):
    links = [add_link(admin, alice, title="tea" if number % 3 else "coffee") for number in range(6)]
    teas, everything = add_collection(alice, "Teas", query="tea"), add_collection(alice, "All", query="sort:oldest")
    put_into(alice, teas, links[0])
    rows = alice.rest("GET", "links?select=title,id,collections(id)").json()
    assert len(rows) == 6
    for row in rows:
        expected = {everything, teas} if row["title"] == "tea" or row["id"] == links[0] else {everything}
        assert {each["id"] for each in row["collections"]} == expected and len(row["collections"]) == len(expected)


def test_only_the_own_query_of_a_collection_counts(admin, alice):
    link = add_link(admin, alice, title="tea")
    parent = add_collection(alice, "Drinks")
    child = add_collection(alice, "Hot", query="tea", parent_id=parent)
    other = add_collection(alice, "Also hot", query="in:hot")
    signs = add_collection(alice, "Signs", query="!?")
    assert members(alice) == {(child, link), (other, link)}
    assert members(alice, f"&collection_id=in.({parent},{signs})") == set()


def test_a_query_that_contains_itself_too_often_finds_nothing_and_leaves_the_others_alone(admin, alice):
    link = add_link(admin, alice, title="tea")
    good = add_collection(alice, "good", query="tea")
    names = [f"c{number}" for number in range(10)]
    for name in names:
        add_collection(alice, name, query=" or ".join(f"in:{other}" for other in names))
    assert members(alice) == {(good, link)}
    [row] = alice.rest("GET", "links?select=collections(name)").json()
    assert row == {"collections": [{"name": "good"}]}


def test_a_computed_row_cannot_be_written(admin, alice, teas):
    collection, found, put, _ = teas
    one = f"collection_links?collection_id=eq.{collection}&link_id=eq.{found[0]}"
    assert alice.rest("DELETE", one, Prefer="return=representation").json() == []
    assert alice.rest("PATCH", one, {"position": 3}, Prefer="return=representation").json() == []
    assert (collection, found[0]) in members(alice)
    # Storing it is no conflict; then it is a row like any other, also when the query no longer finds the link.
    put_into(alice, collection, found[0], position=3)
    assert alice.rest("PATCH", f"collections?id=eq.{collection}", {"query": "coffee"}).status == 204
    assert members(alice) == {(collection, put), (collection, found[0])}
    assert len(alice.rest("DELETE", one, Prefer="return=representation").json()) == 1
    assert members(alice) == {(collection, put)}
    stored = admin.execute(
        "select link_id::text from public.collection_links where user_id = %s", [alice.id]
    ).fetchall()
    assert stored == [(put,)]


def test_computed_rows_are_neither_changes_nor_links_put_there(admin, alice, teas):
    _, _, put, _ = teas
    changes = alice.rest("POST", "rpc/changes", {"tables": ["collection_links"]}).json()["changes"]
    assert [change["key"]["link_id"] for change in changes] == [put]
    counts = admin.execute(
        "select rows from private.personal_counts(%s, null) where name = 'public.collection_links'", [alice.id]
    )
    assert counts.fetchone() == (1,)


def test_a_filter_by_collection_runs_the_query_of_that_collection_alone(workers, alice, teas):
    collection, found, _, _ = teas
    for name in "abc":
        add_collection(alice, name, query=name)
    filters = [("collection_id = %s", collection, 1), ("link_id = %s", found[0], 4)]
    for condition, value, runs in filters:
        with workers.transaction(force_rollback=True):
            acting(workers, "authenticated", alice)
            read = f"explain (analyze, format json) select * from rest.collection_links where {condition}"
            [root] = workers.execute(read, [value]).fetchone()[0]
        calls = [node["Actual Loops"] for node in nodes(root["Plan"]) if node.get("Alias") == "found"]
        assert calls == [runs], condition


def nodes(plan):
    """A node of a plan and all below it."""
    yield plan
    for part in plan.get("Plans", []):
        yield from nodes(part)


def test_each_user_sees_the_members_of_own_collections_only(admin, alice, bob, teas):
    collection, found, _, _ = teas
    his = add_link(admin, bob, title="tea of bob")
    for query in ["", f"&collection_id=eq.{collection}", f"&link_id=eq.{found[0]}", f"&user_id=eq.{alice.id}"]:
        assert members(bob, query) == set()
    mine = add_collection(bob, "mine", query="tea")
    assert members(bob) == {(mine, his)} and members(bob, f"&collection_id=eq.{collection}") == set()
    assert bob.rest("GET", "links?select=id,collections(name)").json() == [
        {"id": his, "collections": [{"name": "mine"}]}
    ]
    assert bob.rest("GET", "collections?select=links(id)").json() == [{"links": [{"id": his}]}]
    assert (collection, his) not in members(alice) and len(members(alice)) == 3


def test_the_functions_find_nothing_for_another_user(workers, bob, teas):
    collection, *_ = teas
    with workers.transaction(force_rollback=True):
        acting(workers, "authenticated", bob)
        assert workers.execute("select * from rest.collection_members(%s)", [collection]).fetchall() == []
        assert workers.execute("select rest.collections_by_link()").fetchone() == (None,)


def test_without_a_user_there_are_no_members(lectern, teas):
    answer = lectern.send("GET", f"/rest/v1/collection_links?{PAIR}", {"apikey": lectern.anon_key})
    assert (answer.status, answer.json()) == (200, [])
    # The service key sees the stored rows of all users, and queries are those of a user.
    collection, _, put, _ = teas
    answer = lectern.send(
        "GET", f"/rest/v1/collection_links?{PAIR}&collection_id=eq.{collection}", {"apikey": lectern.service_key}
    )
    assert answer.json() == [{"collection_id": collection, "link_id": put}]


def test_a_token_that_reads_sees_members(lectern, alice, teas):
    collection, found, put, _ = teas
    made = lectern.auth("POST", "tokens", {"name": "reader", "scope": "read"}, **bearer(alice.token))
    target = f"/rest/v1/collections?select=links(id)&id=eq.{collection}"
    answer = lectern.send("GET", target, bearer(made.json()["token"]))
    assert {row["id"] for row in answer.json()[0]["links"]} == {*found, put}


def test_an_entity_tag_holds_only_while_no_query_can_find_other_links(admin, alice, bob, teas):
    for target in ["collection_links", "links?select=id,collections(name)"]:
        tag = alice.rest("GET", target)["etag"]
        assert alice.rest("GET", target, If_None_Match=tag).status == 200
        tag = bob.rest("GET", target)["etag"]
        assert bob.rest("GET", target, If_None_Match=tag).status == 304
    tag = alice.rest("GET", "links?select=id")["etag"]
    assert alice.rest("GET", "links?select=id", If_None_Match=tag).status == 304
