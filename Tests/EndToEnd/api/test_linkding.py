"""The API of linkding, as its clients use it."""

import asyncio
import json
from urllib.parse import urlencode

import aiolinkding
import pytest

from support.client import wait_until
from support.feeds import make_token
from support.neighbours import Wallabag, add_article
from support.searching import index_texts
from support.sessions import bearer


class Linkding:
    def __init__(self, user, token=None):
        self.user, self.token = user, token or make_token(user, "full")

    def send(self, method, path, body=None, **query):
        headers = {"Authorization": f"Token {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        target = f"/api/{path}" + (f"?{urlencode(query)}" if query else "")
        return self.user.lectern.send(method, target, headers, None if body is None else json.dumps(body))

    def ask(self, method, path, body=None, status=200, **query):
        answer = self.send(method, path, body, **query)
        assert answer.status == status, answer
        return answer.json() if answer.body else None

    def add(self, **bookmark):
        return self.ask("POST", "bookmarks/", {"url": "http://127.0.0.2/page"} | bookmark, status=201)

    def titles(self, path="bookmarks/", **query):
        return [bookmark["title"] for bookmark in self.ask("GET", path, **query)["results"]]


@pytest.fixture
def client(alice):
    return Linkding(alice)


def test_a_bookmark_is_a_link(client):
    made = client.add(title="Page", description="About", notes="Mine", tag_names=["b", "a"], unread=False)
    assert made == client.ask("GET", f"bookmarks/{made['id']}/")
    assert (made["title"], made["description"], made["notes"]) == ("Page", "About", "Mine")
    assert (made["tag_names"], made["unread"], made["is_archived"], made["shared"]) == (["a", "b"], False, False, False)
    assert made["date_added"].endswith("Z") and 0 < made["id"] < 2**31
    [link] = client.user.links("select=title,status,list,state,tags(name),notes(body)")
    # The page, which does not exist, has failed once a busy machine asks.
    assert (link["status"], link["list"]) == ("read", "read") and link["state"] in ("pending", "failed")
    assert link["notes"]["body"] == "Mine"
    # The same row has the same number in the other family.
    assert Wallabag(client.user, client.token).ask("GET", f"entries/{made['id']}")["title"] == "Page"


def test_a_page_that_is_saved_again_is_changed(client):
    first = client.add(title="Old", tag_names=["a", "b"], notes="kept")
    second = client.add(title="New", tag_names=["b", "c"], unread=True)
    assert second["id"] == first["id"] and (second["title"], second["notes"]) == ("New", "kept")
    assert second["tag_names"] == ["b", "c"] and second["unread"] is True
    assert len(client.user.links()) == 1


def test_an_empty_title_or_description_is_cleared_by_a_change_and_left_to_the_page_by_a_save(client):
    made = client.add(title="Title", description="About")
    path = f"bookmarks/{made['id']}/"
    assert client.add(title="", description="")["title"] == "Title"
    assert client.ask("PATCH", path, {"title": ""})["description"] == "About"
    changed = client.ask("PUT", path, {"url": made["url"], "title": "", "description": ""})
    assert (changed["title"], changed["description"]) == ("", "")


def test_a_tag_with_blanks_has_hyphens_and_stays_the_same_tag(admin, client):
    """The clients of linkding separate tags by blanks."""
    for name in ("to read", "to-read", "Tea & Cake"):
        client.user.rest("POST", "tags", {"name": name})
    made = client.add(tag_names=["Tea-&-Cake", "x y"])
    assert made["tag_names"] == ["Tea-&-Cake", "x-y"]
    path = f"bookmarks/{made['id']}/"
    [link] = client.user.links("select=id,tags(id,name)")
    assert {tag["name"] for tag in link["tags"]} == {"Tea & Cake", "x-y"}
    # Of two tags that are shown alike, the one that the link has is meant.
    tags = {tag["name"]: tag["id"] for tag in client.user.rest("GET", "tags?select=id,name").json()}
    client.user.rest("POST", "link_tags", {"link_id": link["id"], "tag_id": tags["to read"]})
    shown = client.ask("GET", path)["tag_names"]
    assert shown == ["Tea-&-Cake", "to-read", "x-y"]
    assert client.ask("PATCH", path, {"tag_names": [name.upper() for name in shown]})["tag_names"] == shown
    [link] = client.user.links("select=tags(name)")
    assert {tag["name"] for tag in link["tags"]} == {"Tea & Cake", "to read", "x-y"}
    assert client.ask("POST", "tags/", {"name": "tea & cake"}, status=201)["name"] == "Tea-&-Cake"
    assert client.ask("GET", "tags/")["count"] == 4
    index_texts(admin, client.user)
    assert client.titles(q="#to-read") == client.titles(q="#TEA-&-CAKE") == client.titles()


def test_a_form_is_taken_as_json_is(client):
    """Multipart is what linkdy sends."""
    multipart = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in [("url", "http://127.0.0.2/1"), ("title", "One"), ("tag_names", "a"), ("tag_names", "b")]
    )
    encoded = urlencode([("url", "http://127.0.0.2/2"), ("title", "Two"), ("tag_names", "a"), ("tag_names", "b")])
    for kind, body in [
        ("multipart/form-data; boundary=b", f"{multipart}--b--\r\n"),
        ("application/x-www-form-urlencoded", encoded),
    ]:
        headers = {"Authorization": f"Token {client.token}", "Content-Type": kind}
        answer = client.user.lectern.send("POST", "/api/bookmarks/", headers, body)
        assert (answer.status, answer.json()["tag_names"]) == (201, ["a", "b"]), answer
    assert client.titles() == ["Two", "One"]
    headers["Content-Type"] = "multipart/form-data; boundary=b"
    assert client.user.lectern.send("POST", "/api/bookmarks/", headers, multipart).status == 400


def test_a_bookmark_is_changed_archived_and_deleted(client):
    made = client.add(title="Old", tag_names=["a"])
    path = f"bookmarks/{made['id']}/"
    changed = client.ask("PATCH", path, {"title": "New", "notes": "n", "unread": True})
    assert (changed["title"], changed["notes"], changed["tag_names"]) == ("New", "n", ["a"])
    changed = client.ask("PUT", path, {"url": "http://127.0.0.2/other", "tag_names": []})
    assert (changed["url"], changed["tag_names"]) == ("http://127.0.0.2/other", [])
    assert client.ask("PUT", path, {"title": "x"}, status=400) == {"url": ["This field is required."]}
    assert client.ask("POST", f"{path}archive/", status=204) is None
    assert (client.titles(), client.titles("bookmarks/archived/")) == ([], ["New"])
    assert client.ask("GET", path)["is_archived"] is True
    client.ask("POST", f"{path}unarchive/", status=204)
    assert client.titles() == ["New"]
    client.add(url="http://127.0.0.2/taken")
    assert "url" in client.ask("PATCH", path, {"url": "http://127.0.0.2/taken"}, status=400)
    assert client.ask("DELETE", path, status=204) is None
    assert client.ask("GET", path, status=404) == {"detail": "Not Found"}


def test_a_list_has_pages_with_links_to_each_other(client):
    for n in range(5):
        client.add(url=f"http://127.0.0.2/{n}", title=str(n))
    first = client.ask("GET", "bookmarks/", limit=2)
    assert (first["count"], first["previous"], len(first["results"])) == (5, None, 2)
    assert first["next"] == f"{client.user.lectern.url}/api/bookmarks/?limit=2&offset=2"
    last = client.ask("GET", "bookmarks/", limit=2, offset=4)
    assert last["next"] is None and last["previous"].endswith("limit=2&offset=2") and len(last["results"]) == 1
    assert client.ask("GET", "bookmarks/", offset=100)["results"] == []
    assert len(client.ask("GET", "bookmarks/", limit=10**30)["results"]) == 5
    assert client.titles() == ["4", "3", "2", "1", "0"]
    assert client.ask("GET", "bookmarks/shared/") == {"count": 0, "next": None, "previous": None, "results": []}
    assert client.titles(unread="no") == [] and len(client.titles(unread="yes")) == 5

    def is_unchanged():
        tag = client.send("GET", "bookmarks/?limit=2")["etag"]
        headers = {"Authorization": f"Token {client.token}", "If-None-Match": tag}
        return client.user.lectern.send("GET", "/api/bookmarks/?limit=2", headers).status == 304

    # The jobs process may change a row between two requests.
    wait_until(is_unchanged)


def test_a_query_has_words_tags_phrases_and_states(admin, client):
    add_article(admin, client.user, "<p>green tea and cake</p>", title="One", status="read")
    add_article(admin, client.user, "<p>black tea, no cakes</p>", title="Two")
    add_article(admin, client.user, "<p>green tea and cake</p>", title="Gone", list="archive")
    index_texts(admin, client.user)
    numbers = {b["title"]: b["id"] for b in client.ask("GET", "bookmarks/")["results"]}
    client.ask("PATCH", f"bookmarks/{numbers['One']}/", {"tag_names": ["Hot drinks", "green"]})
    for query, found in [
        ("tea", ["Two", "One"]),
        ("TEA cake", ["Two", "One"]),
        ("te green", ["One"]),
        ('"tea and cake"', ["One"]),
        ("'tea and cake", ["One"]),
        ("#green", ["One"]),
        ("#GREEN tea", ["One"]),
        ("#none", []),
        ("!untagged", ["Two"]),
        ("!unread", ["Two"]),
        ("!unread #green", []),
        ("is:starred", []),
        ("", ["Two", "One"]),
    ]:
        assert client.titles(q=query) == found, query
    assert client.titles("bookmarks/archived/", q="tea") == ["Gone"]


def test_a_client_asks_whether_a_page_is_saved(client):
    made = client.add(title="Page")
    known = client.ask("GET", "bookmarks/check/", url="http://127.0.0.2/page?utm_source=x")
    assert known["bookmark"]["id"] == made["id"] and known["metadata"]["title"] == "Page"
    unknown = client.ask("GET", "bookmarks/check/", url="http://127.0.0.2/other")
    assert (unknown["bookmark"], unknown["auto_tags"]) == (None, [])
    assert unknown["metadata"]["url"] == "http://127.0.0.2/other"
    assert client.ask("GET", "bookmarks/check/", status=400) == {"url": ["This field is required."]}


def test_tags_are_listed_and_created(client):
    made = client.ask("POST", "tags/", {"name": "b"}, status=201)
    assert client.ask("POST", "tags/", {"name": "B"}, status=201) == made
    client.add(tag_names=["a"])
    page = client.ask("GET", "tags/", limit=1)
    assert (page["count"], [tag["name"] for tag in page["results"]]) == (2, ["a"])
    assert client.ask("GET", f"tags/{made['id']}/") == made
    assert client.ask("GET", "tags/2147483647/", status=404) == {"detail": "Not Found"}
    assert client.ask("POST", "tags/", {"example": "x"}, status=400) == {"name": ["This field is required."]}
    # Without the slash it is wallabag's path.
    assert isinstance(Wallabag(client.user).ask("GET", "tags"), list)


def test_the_profile_and_the_health_name_the_version(client):
    assert client.ask("GET", "user/profile/")["version"] == "1.36.0"
    health = client.user.lectern.send("GET", "/health", {"Authorization": f"Token {client.token}"})
    assert health.json()["version"] == "1.36.0" and health.json()["status"] == "ok"
    assert "version" not in client.user.lectern.send("GET", "/health").json()


@pytest.mark.parametrize("name", ["added_since", "modified_since"])
def test_what_is_no_time_is_named(client, name):
    answer = client.send("GET", f"bookmarks/?{name}=junk")
    assert (answer.status, answer.json()) == (400, {name: [f"{name} is not a time."]}), answer


# Credentials


def test_only_an_api_token_behind_the_word_token_is_taken(alice):
    lectern, token = alice.lectern, make_token(alice, "full")
    cookie = {"Cookie": f"sessionid={alice.token}; csrftoken=x", "X-CSRFToken": "x"}
    for headers in [{}, bearer(token), {"Authorization": f"Token {alice.token}"}, {"Authorization": "Token x"}, cookie]:
        for method, path in [("GET", "bookmarks/"), ("POST", "bookmarks/"), ("GET", "user/profile/")]:
            answer = lectern.send(method, f"/api/{path}", headers)
            assert answer.status == 401 and set(answer.json()) == {"detail"}, answer


ROUTES = [
    ("GET", "bookmarks/", ["read", "full"]),
    ("GET", "bookmarks/archived/", ["read", "full"]),
    ("GET", "bookmarks/shared/", ["read", "full"]),
    ("GET", "bookmarks/check/?url=x", ["read", "full"]),
    ("GET", "bookmarks/1/", ["read", "full"]),
    ("GET", "tags/", ["read", "full"]),
    ("GET", "tags/1/", ["read", "full"]),
    ("GET", "user/profile/", ["read", "full"]),
    ("POST", "bookmarks/", ["save", "full"]),
    ("PUT", "bookmarks/1/", ["full"]),
    ("PATCH", "bookmarks/1/", ["full"]),
    ("DELETE", "bookmarks/1/", ["full"]),
    ("POST", "bookmarks/1/archive/", ["full"]),
    ("POST", "bookmarks/1/unarchive/", ["full"]),
    ("POST", "tags/", ["full"]),
]


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_every_route_takes_exactly_the_scopes_that_it_is_for(alice, scope):
    client = Linkding(alice, make_token(alice, scope))
    for method, path, scopes in ROUTES:
        answer = client.send(method, path, None if method == "GET" else {})
        assert (answer.status == 403) == (scope not in scopes) and answer.status < 500, (path, answer)


def test_a_token_that_only_saves_is_told_nothing_of_a_page_that_is_there(alice):
    full, saving = Linkding(alice), Linkding(alice, make_token(alice, "save"))
    old = full.add(title="Mine", tag_names=["a"], notes="n")
    assert saving.add(title="x", tag_names=["b"], notes="x", unread=False) == {"id": old["id"], "state": "pending"}
    kept = full.ask("GET", f"bookmarks/{old['id']}/")
    assert (kept["title"], kept["tag_names"], kept["notes"], kept["unread"]) == ("Mine", ["a"], "n", True)
    new = saving.add(url="http://127.0.0.2/new", title="New", tag_names=["b"], notes="n")
    assert full.ask("GET", f"bookmarks/{new['id']}/")["tag_names"] == ["b"]


def test_nobody_reaches_what_another_user_has(client, bob):
    made = client.add(tag_names=["mine"])
    [tag] = client.ask("GET", "tags/")["results"]
    other = Linkding(bob)
    for method, path in [
        ("GET", f"bookmarks/{made['id']}/"),
        ("PUT", f"bookmarks/{made['id']}/"),
        ("PATCH", f"bookmarks/{made['id']}/"),
        ("DELETE", f"bookmarks/{made['id']}/"),
        ("POST", f"bookmarks/{made['id']}/archive/"),
        ("GET", f"tags/{tag['id']}/"),
    ]:
        body = None if method in ("GET", "DELETE") else {"url": "http://127.0.0.2/x"}
        assert other.ask(method, path, body, status=404) == {"detail": "Not Found"}
    assert client.ask("GET", f"bookmarks/{made['id']}/") == made
    assert other.ask("GET", "bookmarks/")["count"] == other.ask("GET", "tags/")["count"] == 0


LONG = "x" * 1_000_000
BAD = [
    ("GET", "bookmarks/?limit=x", None),
    ("GET", "bookmarks/?offset=1.5", None),
    ("GET", "bookmarks/?unread=maybe", None),
    ("GET", "bookmarks/?added_since=x", None),
    ("GET", "bookmarks/?q=" + "x" * 1_001, None),
    ("GET", "bookmarks/?q=" + "x+" * 61, None),
    ("GET", "bookmarks/?q=%FF", None),
    ("POST", "bookmarks/", {}),
    ("POST", "bookmarks/", {"url": 1.5e300, "title": {}}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/" + LONG}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/x", "title": LONG}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/x", "notes": LONG + "x"}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/x", "tag_names": [LONG]}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/x", "tag_names": [{}]}),
    ("POST", "bookmarks/", {"url": "http://127.0.0.2/x", "unread": "maybe"}),
    ("POST", "bookmarks/", ["x"]),
    ("PATCH", "bookmarks/{id}/", {"url": LONG}),
    ("POST", "tags/", {"name": LONG}),
    ("POST", "tags/", {"name": " "}),
]


def test_bad_input_is_400_and_changes_nothing(client):
    made = client.add()
    for method, path, body in BAD:
        answer = client.send(method, path.replace("{id}", str(made["id"])), body)
        assert answer.status == 400 and isinstance(answer.json(), dict), (method, path[:60], answer)
        assert "error" not in answer.json() and len(answer.body) < 5_000
    assert client.ask("GET", "bookmarks/")["results"] == [made]
    for method, path in [("DELETE", "bookmarks/"), ("GET", f"bookmarks/{made['id']}/archive/"), ("PUT", "tags/")]:
        assert "detail" in client.ask(method, path, status=405)
    # nginx answers these itself.
    for path in ["bookmarks/%zz/", "tags/%zz/", "user/profile/%zz"]:
        assert set(client.ask("GET", path, status=400)) == {"detail"}
    for path in ["bookmarks/x/", "bookmarks/-1/", "bookmarks/1/x/", "bookmarks/99999999999/", "tags/x/"]:
        assert "detail" in client.ask("GET", path, status=404)


# Its clients


def test_aiolinkding_works_unchanged(client):
    async def use():
        api = await aiolinkding.async_get_client(client.user.lectern.url, client.token)
        made = await api.bookmarks.async_create(
            "http://127.0.0.2/page", title="Page", notes="n", tag_names=["a", "b"], unread=True
        )
        assert (await api.bookmarks.async_get_single(made["id"]))["tag_names"] == ["a", "b"]
        assert (await api.bookmarks.async_update(made["id"], title="New"))["title"] == "New"
        assert (await api.bookmarks.async_get_all(query="#a", limit=10))["count"] == 1
        await api.bookmarks.async_archive(made["id"])
        assert (await api.bookmarks.async_get_archived())["count"] == 1
        await api.bookmarks.async_unarchive(made["id"])
        [a, b] = (await api.tags.async_get_all())["results"]
        assert (await api.tags.async_get_single(a["id"]))["name"] == "a"
        assert (await api.user.async_get_profile())["version"]
        await api.bookmarks.async_delete(made["id"])
        assert (await api.bookmarks.async_get_all())["count"] == 0
        stranger = aiolinkding.Client(client.user.lectern.url, "wrong")
        with pytest.raises(Exception, match="Invalid API token"):
            await stranger.bookmarks.async_get_all()

    asyncio.run(use())


def test_the_extension_of_linkding_works(admin, client):
    """Its requests: the connection, the tags, a search for the address of the tab, and the statuses that it takes."""
    assert "results" in client.ask("GET", "bookmarks/", limit=1)
    bookmark = {
        "url": "http://127.0.0.2/page",
        "title": "Page",
        "description": "",
        "notes": "",
        "tag_names": ["a", "b"],
        "unread": False,
        "shared": False,
    }
    made = client.ask("POST", "bookmarks/", bookmark, status=201)
    assert [tag["name"] for tag in client.ask("GET", "tags/", limit=1000)["results"]] == ["a", "b"]
    index_texts(admin, client.user)
    assert client.ask("GET", "bookmarks/", q=bookmark["url"], limit=1)["results"][0]["id"] == made["id"]
    assert client.ask("GET", "bookmarks/check/", url=bookmark["url"])["bookmark"]["tag_names"] == ["a", "b"]
    assert client.send("DELETE", f"bookmarks/{made['id']}/").status == 204


def test_a_page_with_more_than_twenty_megabytes_of_notes_is_refused_and_a_smaller_one_is_not(admin, client):
    for number in range(22):
        client.add(url=f"http://127.0.0.2/{number}", notes="n" * 990_000)
    answer = client.send("GET", "bookmarks/", limit=100)
    assert answer.status == 413 and "fewer" in answer.json()["detail"]
    assert len(client.ask("GET", "bookmarks/", limit=10)["results"]) == 10
