"""Collections with a query: `in:` shows what the query finds."""

from support.searching import add_collection, add_link, titles


def test_a_collection_contains_what_its_query_finds_and_what_was_put_there(admin, alice):
    add_link(admin, alice, title="tea")
    put = add_link(admin, alice, title="coffee")
    add_link(admin, alice, title="water")
    parent = add_collection(alice, "Drinks")
    hot = add_collection(alice, "Hot", query="tea", parent_id=parent)
    alice.rest("POST", "collection_links", {"collection_id": hot, "link_id": put})
    for query in ["in:hot", f"in:{hot}", "in:drinks"]:
        assert sorted(titles(alice, query)) == ["coffee", "tea"], query
    assert titles(alice, "-in:hot") == ["water"]
    assert alice.rest("POST", "rpc/count_links", {"query": "in:hot"}).json() == {"count": 2}
    assert alice.rest("PATCH", f"collections?id=eq.{hot}", {"query": "water"}).status == 204
    assert sorted(titles(alice, "in:hot")) == ["coffee", "water"]
    assert alice.rest("PATCH", f"collections?id=eq.{hot}", {"query": None}).status == 204
    assert titles(alice, "in:hot") == ["coffee"]


def test_queries_of_collections_may_name_each_other(admin, alice):
    for title in ["tea", "coffee", "water"]:
        add_link(admin, alice, title=title)
    add_collection(alice, "One", query="tea or in:two")
    add_collection(alice, "Two", query="coffee or in:one")
    assert sorted(titles(alice, "in:one")) == sorted(titles(alice, "in:two")) == ["coffee", "tea"]
    add_collection(alice, "Everything", query="sort:oldest")
    assert len(titles(alice, "in:everything")) == 3
    # Queries that contain each other in every order are refused when they become too long, and do not take all memory.
    names = [f"c{number}" for number in range(10)]
    for name in names:
        add_collection(alice, name, query=" or ".join(f"in:{other}" for other in names))
    answer = alice.rest("POST", "rpc/search_links", {"query": "in:c0"})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")


def test_a_query_of_a_collection_that_is_wrong_is_refused_with_the_place(alice):
    answer = alice.rest("POST", "collections", {"name": "wrong", "query": "tea is:nothing"})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")
    assert "character 5 " in answer.json()["details"]
    id = add_collection(alice, "right", query="tea")
    assert alice.rest("PATCH", f"collections?id=eq.{id}", {"query": "lang:x"}).status == 400
    assert alice.rest("GET", "collections?select=name,query").json() == [{"name": "right", "query": "tea"}]


def test_a_collection_shows_the_links_of_its_user_only(admin, alice, bob):
    add_link(admin, alice, title="tea")
    add_link(admin, bob, title="tea of bob")
    hers = add_collection(alice, "shared name", query="tea")
    assert titles(bob, 'in:"shared name"') == titles(bob, f"in:{hers}") == []
    add_collection(bob, "shared name", query="tea")
    assert titles(bob, 'in:"shared name"') == ["tea of bob"]
    assert titles(alice, 'in:"shared name"') == ["tea"]
