"""The API of wallabag, as its clients use it."""

import hashlib
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from support.books import once_made
from support.client import encoded, wait_until
from support.feeds import make_token
from support.neighbours import Wallabag, add_article
from support.searching import add_link, index_texts

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000")


@pytest.fixture
def client(alice):
    return Wallabag(alice)


def titles(items):
    return [item["title"] for item in items]


def labels(entry):
    return [tag["label"] for tag in entry["tags"]]


def sha1(text):
    return hashlib.sha1(text.encode()).hexdigest()


# The service


def test_the_version_needs_no_credentials(lectern):
    for suffix in ["", ".json"]:
        answer = lectern.send("GET", f"/api/version{suffix}", {})
        assert (answer.status, answer["content-type"]) == (200, "application/json")
        assert answer.json().startswith("2.6.")
        assert lectern.send("GET", f"/api/info{suffix}", {}).json()["version"] == answer.json()


def test_errors_have_the_shape_of_wallabag(lectern):
    for method, path, status in [("GET", "/api/nothing", 404), ("POST", "/api/version", 405), ("GET", "/api/%zz", 400)]:
        answer = lectern.send(method, path, {})
        assert (answer.status, answer.json()["error"]["code"]) == (status, status)


def test_a_user_has_a_number_a_name_and_settings(client, bob):
    user = client.ask("GET", "user.json")
    assert user["username"] == user["email"] == client.user.email and TIME.fullmatch(user["created_at"])
    assert user["id"] != Wallabag(bob).ask("GET", "user")["id"]
    config = client.ask("GET", "config")
    for key in ["items_per_page", "language", "feed_limit", "reading_speed", "action_mark_as_read", "list_mode"]:
        assert key in config
    assert config["id"] == user["id"]


# Entries


def test_an_entry_has_the_members_that_clients_need(admin, client):
    add_article(
        admin,
        client.user,
        "<p>Über <b>tea</b></p>",
        title="⭐ Tea &amp; more",
        is_starred=True,
        lang="de",
        byline="A. Author",
        reading_time=3,
        domain="127.0.0.2",
        published_at="2026-01-02T03:04:05Z",
        resolved_url="http://127.0.0.2/tea",
        raw_url="http://127.0.0.2/tea?utm_source=x",
    )
    [entry] = client.items()
    assert entry["title"] == "Tea & more" and entry["content"] == "<p>Über <b>tea</b></p>"
    assert (entry["is_archived"], entry["is_starred"]) == (0, 1) and type(entry["is_archived"]) is int
    assert entry["url"] == "http://127.0.0.2/tea" and entry["hashed_url"] == sha1(entry["url"])
    assert entry["given_url"].endswith("utm_source=x") and entry["hashed_given_url"] == sha1(entry["given_url"])
    assert (entry["language"], entry["reading_time"], entry["mimetype"]) == ("de", 3, "text/html")
    assert (entry["domain_name"], entry["published_by"]) == ("127.0.0.2", ["A. Author"])
    assert entry["published_at"] == "2026-01-02T03:04:05+0000" and entry["archived_at"] is None
    assert TIME.fullmatch(entry["created_at"]) and TIME.fullmatch(entry["updated_at"])
    assert (entry["tags"], entry["annotations"], entry["is_public"]) == ([], [], False)
    assert entry["user_email"] == client.user.email and 0 < entry["id"] < 2**31
    assert entry["_links"]["self"]["href"] == f"/api/entries/{entry['id']}"
    for path in [f"entries/{entry['id']}", f"entries/{entry['id']}.json"]:
        assert client.ask("GET", path) == entry
    [listed] = client.items(detail="metadata")
    assert listed == entry | {"content": None}


def test_an_entry_shows_a_stored_picture_rather_than_that_of_the_page(admin, client):
    link = add_link(admin, client.user, image="http://127.0.0.2/own.png")
    assert client.items()[0]["preview_picture"] == "http://127.0.0.2/own.png"
    hash, address = "ab" * 32, f"ab/{'0' * 40}.webp"
    admin.execute(
        "insert into public.pictures (user_id, hash, address, width, height, bytes) values (%s, %s, %s, 1, 1, 1)",
        [client.user.id, hash, address],
    )
    admin.execute(
        "insert into public.link_pictures (link_id, user_id, source, state, kind, hash) "
        "values (%s, %s, 'http://127.0.0.2/own.png', 'kept', 'preview', %s)",
        [link, client.user.id, hash],
    )
    client.ask("PATCH", f"entries/{client.items()[0]['id']}", {"title": "x"})
    assert client.items()[0]["preview_picture"] == f"{client.user.lectern.url}/pictures/{address}"


def test_an_entry_without_a_title_or_an_article_has_texts_nevertheless(client):
    entry = client.add()
    assert entry["title"] == "http://127.0.0.2/page"
    assert (entry["content"], entry["reading_time"], entry["domain_name"]) == ("", 0, "127.0.0.2")
    listed = [client.add(url=f"http://127.0.0.2/{n}")["id"] for n in range(2)]
    assert {item["id"]: item["content"] for item in client.items()} == dict.fromkeys([entry["id"], *listed], "")


def test_a_page_is_saved_once_and_through_the_same_queue(client):
    entry = client.add(title="Page", tags="One, two ,,ONE", starred=1, archive=True)
    assert (entry["title"], entry["is_starred"], entry["is_archived"]) == ("Page", 1, 1)
    assert labels(entry) == ["One", "two"] and TIME.fullmatch(entry["archived_at"])
    [link] = client.user.links()
    # The page, which does not exist, has failed once a busy machine asks.
    assert link["state"] in ("pending", "failed") and link["list"] == "archive"
    again = client.add(url="http://127.0.0.2/page?utm_source=feed", tags=["three"])
    assert again["id"] == entry["id"] and labels(again) == ["One", "three", "two"]
    # A client that says nothing of the lists changes nothing of them.
    assert (again["is_starred"], again["is_archived"], again["title"]) == (1, 1, "Page")
    assert len(client.user.links()) == 1


def test_forms_are_read_as_json_is(client):
    headers = {"Authorization": f"Bearer {client.token}", "Content-Type": "application/x-www-form-urlencoded"}
    body = "url=http%3A%2F%2F127.0.0.2%2Fform&title=A+%26+B&tags=x%2Cy&archive=1"
    answer = client.user.lectern.send("POST", "/api/entries.json", headers, body)
    entry = answer.json()
    assert (answer.status, entry["title"], entry["is_archived"], labels(entry)) == (200, "A & B", 1, ["x", "y"])


def test_a_page_may_come_with_its_content(client):
    paragraphs = "".join(f"<p>Sentence number {n} is long enough for an article of its own.</p>" for n in range(40))
    entry = client.add(url="http://127.0.0.2/mine", title="Mine", content=paragraphs, starred=1, tags="x")
    assert (entry["is_starred"], labels(entry)) == (1, ["x"])
    ready = wait_until(lambda: (now := client.ask("GET", f"entries/{entry['id']}"))["content"] and now)
    assert "Sentence number 39" in ready["content"] and ready["title"] == "Mine"


def test_an_entry_is_changed_by_what_is_given(client):
    entry = client.add(tags="old,kept")
    path = f"entries/{entry['id']}"
    changed = client.ask(
        "PATCH",
        path,
        {
            "title": "New",
            "archive": 1,
            "starred": True,
            "tags": "kept,new",
            "language": "fr",
            "authors": "A,B",
            "published_at": 1_700_000_000,
        },
    )
    assert (changed["title"], changed["is_archived"], changed["is_starred"]) == ("New", 1, 1)
    assert labels(changed) == ["kept", "new"]
    assert (changed["language"], changed["published_by"]) == ("fr", ["A", "B"])
    assert changed["published_at"] == "2023-11-14T22:13:20+0000"
    [link] = client.user.links()
    assert (link["list"], link["is_starred"], link["title"]) == ("archive", True, "New")
    back = client.ask("PATCH", path, {"archive": "0", "starred": 0})
    assert (back["is_archived"], back["is_starred"], back["title"], labels(back)) == (0, 0, "New", ["kept", "new"])
    assert client.ask("PATCH", path, {})["title"] == "New"


def test_texts_that_wallabagger_sends_as_html_are_shown_as_texts(client):
    entry = client.add()
    title, tags = "Tea &amp; &quot;cake&quot; &lt;3 O&#039;N", "o&#039;n,&lt;&amp;&gt;,&amp;lt;,&quot;"
    changed = client.ask("PATCH", f"entries/{entry['id']}.json", {"title": title, "tags": tags})
    assert changed["title"] == 'Tea & "cake" <3 O\'N'
    assert sorted(labels(changed)) == ['"', "&lt;", "<&>", "o'n"]


def test_a_deleted_entry_is_in_the_trash_and_keeps_its_number(client):
    entry = client.add(title="Gone")
    assert client.ask("DELETE", f"entries/{entry['id']}")["title"] == "Gone"
    assert client.send("GET", f"entries/{entry['id']}").status == 404
    assert client.send("DELETE", f"entries/{entry['id']}").status == 404
    [trashed] = client.user.rest("GET", "trash?select=link_id").json()
    client.user.rest("POST", "rpc/restore_link", {"link_id": trashed["link_id"]})
    assert client.ask("GET", f"entries/{entry['id']}")["title"] == "Gone"
    assert client.ask("DELETE", f"entries/{entry['id']}", expect="id") == {"id": entry["id"]}
    assert client.send("DELETE", f"entries/{entry['id']}", expect="x").status == 400


def test_a_merged_entry_is_found_by_its_former_number(admin, client):
    older, newer = client.add(url="http://127.0.0.2/a"), client.add(url="http://127.0.0.2/b", title="B")
    ids = {link["raw_url"]: link["id"] for link in client.user.links()}
    admin.execute(
        "insert into public.link_aliases (user_id, link_id, kind, value) values (%s, %s, 'id', %s)",
        [client.user.id, ids["http://127.0.0.2/a"], ids["http://127.0.0.2/b"]],
    )
    with admin.transaction():
        admin.execute("set local rest.merging = 'on'")
        admin.execute("delete from public.links where id = %s", [ids["http://127.0.0.2/b"]])
    assert client.ask("GET", f"entries/{newer['id']}")["id"] == older["id"]


def test_a_row_that_gets_another_id_keeps_its_number(client):
    entry = client.add()
    [link] = client.user.links()
    other = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"[:-4] + link["id"][-4:]
    assert client.user.rest("PATCH", f"links?id=eq.{link['id']}", {"id": other}).status in (200, 204)
    assert client.ask("GET", f"entries/{entry['id']}")["id"] == entry["id"]


def test_a_reload_fetches_the_page_again(admin, client):
    add_article(admin, client.user, title="Old")
    [entry] = client.items()
    assert client.ask("PATCH", f"entries/{entry['id']}/reload.json")["content"] == "<p>some text</p>"
    assert admin.execute("select count(*) from private.jobs where user_id = %s", [client.user.id]).fetchone() != (0,)


def test_a_public_entry_is_shared_by_an_address_of_its_own(client):
    path = f"entries/{client.add(title='Shared')['id']}"
    assert client.ask("GET", path)["is_public"] is False and titles(client.items(public=1)) == []
    assert client.ask("PATCH", path, {"public": 1})["is_public"] is True
    assert len(client.user.rest("GET", "shares").json()) == 1
    assert titles(client.items(public=1)) == ["Shared"] and client.items()[0]["is_public"] is True
    assert client.ask("PATCH", path, {"public": 0})["is_public"] is False
    assert client.items()[0]["is_public"] is False and client.user.rest("GET", "shares").json() == []
    assert client.add(url="http://127.0.0.2/new", public=1)["is_public"] is True


def test_the_uid_of_a_public_entry_is_its_address(admin, client):
    add_article(admin, client.user, "<p>Shared tea</p>")
    [entry] = client.items()
    assert entry["uid"] is None
    uid = client.ask("PATCH", f"entries/{entry['id']}", {"public": 1})["uid"]
    assert client.items()[0]["uid"] == uid and 0 < len(uid) <= 100
    public, share = (client.user.lectern.send("GET", f"/{place}/{uid}") for place in ("public", "share"))
    assert (public.status, share.status) == (200, 200) and public.body == share.body and b"Shared tea" in share.body
    assert client.ask("PATCH", f"entries/{entry['id']}", {"public": 0})["uid"] is None
    assert client.user.lectern.send("GET", f"/share/{uid}").status == 404


# Lists


@pytest.fixture
def listed(admin, client):
    """Five entries, oldest first: the second is archived, the third starred, the fourth of another site."""
    for n in range(1, 6):
        columns = {2: {"list": "archive", "archived_at": "2026-02-01T00:00:00Z"}, 3: {"is_starred": True}}
        add_article(
            admin,
            client.user,
            f"<p>words of {n}</p>",
            title=f"Title {n}",
            created_at=f"2026-01-0{n}T00:00:00Z",
            updated_at=f"2026-01-0{6 - n}T12:00:00Z",
            raw_url=f"http://{'www.example.org' if n == 4 else '127.0.0.2'}/{n}",
            **columns.get(n, {}),
        )
        admin.execute("update public.articles set extracted_at = '2026-01-01' where user_id = %s", [client.user.id])
    return client


def numbers(client, **query):
    return "".join(title[-1] for title in titles(client.items(**query)))


def test_a_list_is_filtered_and_ordered_by_its_parameters(listed):
    assert numbers(listed) == "54321"
    assert numbers(listed, order="asc") == "12345"
    assert numbers(listed, sort="updated") == "12345"
    assert numbers(listed, sort="archived") == "25431" or numbers(listed, sort="archived")[0] == "2"
    assert (numbers(listed, archive=1), numbers(listed, archive=0)) == ("2", "5431")
    assert (numbers(listed, starred=1), numbers(listed, starred="false")) == ("3", "5421")
    assert (numbers(listed, public=1), numbers(listed, public=0)) == ("", "54321")
    assert numbers(listed, domain_name="www.example.org") == numbers(listed, domain_name="example.org") == "4"
    assert numbers(listed, since=1767528000, sort="updated") == "12"
    assert numbers(listed, since=0) == "54321"
    for number in (1, 2):
        [entry] = listed.items(perPage=1, page=number, order="asc")
        listed.ask("POST", f"entries/{entry['id']}/tags", {"tags": "both" if number == 1 else "both,Second"})
    assert (numbers(listed, tags="both"), numbers(listed, tags="BOTH,second")) == ("21", "2")
    assert numbers(listed, tags="both,none") == ""


def test_the_number_of_entries_follows_the_links_of_its_user(admin, listed, bob):
    def totals():
        lists = [{"perPage": 2}, {"perPage": 1, "archive": 1}, {"perPage": 2, "page": 2}]
        return [listed.ask("GET", "entries", **query)["total"] for query in lists]

    assert totals() == totals() == [5, 1, 5]
    add_link(admin, bob)
    assert totals() == [5, 1, 5]
    assert listed.user.rest("PATCH", "links?is_starred=is.true", {"list": "archive"}).status == 204
    assert totals() == [5, 2, 5]
    assert listed.user.rest("DELETE", "links?list=eq.archive").status == 204
    assert totals() == [3, 0, 3]


def test_a_list_has_pages_with_links_to_each_other(listed):
    first = listed.ask("GET", "entries.json", perPage=2, archive=0, tags="", detail="metadata")
    assert [first[key] for key in ["page", "limit", "pages", "total"]] == [1, 2, 2, 4]
    assert set(first["_links"]) == {"self", "first", "last", "next"}
    address = urlsplit(first["_links"]["next"]["href"])
    assert f"{address.scheme}://{address.netloc}" == listed.user.lectern.url and address.path == "/api/entries"
    query = {key: values[0] for key, values in parse_qs(address.query).items()}
    assert query["page"] == "2" and query["archive"] == "0" and query["detail"] == "metadata"
    second = listed.ask("GET", "entries", **query)
    assert (
        numbers(listed, perPage=2, archive=0) + "".join(t[-1] for t in titles(second["_embedded"]["items"])) == "5431"
    )
    assert set(second["_links"]) == {"self", "first", "last", "previous"}
    # KOReader asks until a page is missing.
    answer = listed.send("GET", "entries.json?archive=0&page=3&perPage=2")
    assert (answer.status, answer.json()["error"]["code"]) == (404, 404)


def test_page_one_of_nothing_is_an_empty_page(client):
    nothing = client.ask("GET", "entries")
    assert (nothing["page"], nothing["pages"], nothing["total"], nothing["_embedded"]) == (1, 1, 0, {"items": []})
    assert client.send("GET", "entries?page=2").status == 404


def test_any_number_of_entries_may_be_asked_for(listed):
    for number in ["9223372036854775807", "99999999999999999999999", "0", "-1"]:
        page = listed.ask("GET", "entries", perPage=number, detail="metadata")
        assert len(page["_embedded"]["items"]) == 5 and 0 < page["limit"] <= 1_000
    assert listed.ask("GET", "entries", perPage=500)["limit"] == 100


def test_a_list_that_has_not_changed_is_304(listed):
    def get(path, **headers):
        headers = {"Authorization": f"Bearer {listed.token}"} | headers
        return listed.user.lectern.send("GET", f"/api/{path}", headers)

    for path in ["entries?detail=metadata", "tags"]:
        # The jobs process may change a row between two requests.
        tag = wait_until(
            lambda path=path: get(path, **{"If-None-Match": (tag := get(path)["etag"])}).status == 304 and tag
        )
        entry = listed.items(perPage=1)[0]
        listed.ask("PATCH", f"entries/{entry['id']}", {"title": f"Other {path}", "tags": path.replace("?", "")})
        assert get(path, **{"If-None-Match": tag}).status == 200


def test_a_search_finds_entries(admin, listed):
    index_texts(admin, listed.user)
    found = listed.ask("GET", "search", term="words of", perPage=2)
    assert (found["total"], found["pages"]) == (5, 3) and titles(found["_embedded"]["items"]) == ["Title 5", "Title 4"]
    assert "term=words%20of" in found["_links"]["next"]["href"]
    assert titles(listed.ask("GET", "search", term="is:starred")["_embedded"]["items"]) == ["Title 3"]
    assert listed.ask("GET", "search", term="nothing")["total"] == 0
    assert listed.send("GET", "search?term=before:x").status == 400


# Addresses


def test_a_client_asks_whether_pages_are_saved(client):
    entry = client.add(url="http://127.0.0.2/yes")
    yes, no = "http://127.0.0.2/yes", "http://127.0.0.2/no"
    assert client.ask("GET", "entries/exists", url=yes) == {"exists": True}
    assert client.ask("GET", "entries/exists.json", url=yes, return_id=1) == {"exists": entry["id"]}
    assert client.ask("GET", "entries/exists", url=yes + "?utm_source=x", return_id=1) == {"exists": entry["id"]}
    assert client.ask("GET", "entries/exists", url=no) == {"exists": False}
    assert client.ask("GET", "entries/exists", url=no, return_id=1) == {"exists": None}
    assert client.ask("GET", "entries/exists", **{"urls[]": [yes, no]}) == {yes: True, no: False}
    assert client.ask("GET", "entries/exists", hashed_url=sha1(yes)) == {"exists": True}
    asked = {"hashed_urls[]": [sha1(yes), sha1(no)], "return_id": 1}
    assert client.ask("GET", "entries/exists", **asked) == {sha1(yes): entry["id"], sha1(no): None}
    assert client.send("GET", "entries/exists").status == 400


def test_the_hashes_of_addresses_follow_the_links(alice, bob):
    client, reading, stranger = Wallabag(alice), Wallabag(alice, make_token(alice, "read")), Wallabag(bob)
    first, second = "http://127.0.0.2/first", "http://127.0.0.2/second"
    entry = client.add(url=first)
    link = alice.links()[0]["id"]

    def known(*clients):
        """Which of the two addresses each client finds."""
        query = {"hashed_urls[]": [sha1(first), sha1(second)]}
        return [list(client.ask("GET", "entries/exists", **query).values()) for client in clients]

    # Hashed by the request, then stored by one that may write, then read.
    assert known(reading, client, reading, stranger) == [[True, False]] * 3 + [[False, False]]
    alice.rest("PATCH", f"links?id=eq.{link}", {"raw_url": second})
    assert known(reading, client, reading, stranger) == [[False, True]] * 3 + [[False, False]]
    alice.rest("DELETE", f"links?id=eq.{link}")
    assert known(client, client) == [[False, False]] * 2
    alice.rest("POST", "rpc/restore_link", {"link_id": link})
    assert known(client, client) == [[False, True]] * 2
    query = {"hashed_url": sha1(second).upper(), "return_id": 1}
    assert client.ask("GET", "entries/exists", **query) == {"exists": entry["id"]}
    for bad in ["", "é" * 20, "0" * 39, "g" * 40, "0" * 100_000]:
        assert client.send("GET", "entries/exists", **{"hashed_urls[]": bad}).status in (200, 400, 414)


def test_several_entries_are_saved_tagged_and_deleted_by_address(client):
    one, two = "http://127.0.0.2/1", "http://127.0.0.2/2"
    made = client.ask("POST", "entries/lists", urls=json.dumps([one, two]))
    assert [item["url"] for item in made] == [one, two] and all(type(item["entry"]) is int for item in made)
    list = json.dumps([{"url": one, "tags": "a, b"}, {"url": "http://127.0.0.2/none", "tags": "a"}])
    assert client.ask("POST", "entries/tags/lists", list=list)[1] == {"url": "http://127.0.0.2/none", "entry": False}
    assert labels(client.ask("GET", f"entries/{made[0]['entry']}")) == ["a", "b"]
    client.ask("DELETE", "entries/tags/list", list=json.dumps([{"url": one, "tags": "A"}]))
    assert labels(client.ask("GET", f"entries/{made[0]['entry']}")) == ["b"]
    gone = client.ask("DELETE", "entries/list", urls=json.dumps([one, "http://127.0.0.2/none"]))
    assert [item["entry"] for item in gone] == [True, False]
    assert titles(client.items()) == [two]
    assert client.ask("POST", "entries/lists") == []


# Tags


def test_tags_are_listed_added_and_removed(client):
    entry = client.add(tags="One Two,b")
    path = f"entries/{entry['id']}/tags"
    [b, one] = client.ask("GET", path)
    assert (one["label"], one["slug"]) == ("One Two", "one-two") and 0 < one["id"] < 2**31
    assert client.ask("GET", "tags.json") == [b | {"nbEntries": 1}, one | {"nbEntries": 1}]
    assert labels(client.ask("POST", path, {"tags": "c,B"})) == ["b", "c", "One Two"]
    assert labels(client.ask("DELETE", f"{path}/{b['id']}.json")) == ["c", "One Two"]
    assert client.ask("DELETE", f"tags/{one['id']}")["label"] == "One Two"
    assert client.ask("DELETE", "tag/label", tag="C")["label"] == "c"
    assert client.send("DELETE", "tag/label?tag=c").status == 404
    client.ask("POST", path, {"tags": "x,y,z"})
    assert sorted(tag["label"] for tag in client.ask("DELETE", "tags/label.json", tags="x,Y,none")) == ["x", "y"]
    assert labels(client.ask("GET", f"entries/{entry['id']}")) == ["z"]


# Annotations


def test_annotations_are_highlights(admin, client):
    add_article(admin, client.user, "<p>one two three</p><p>four</p>")
    [entry] = client.items()
    path = f"annotations/{entry['id']}"
    ranges = [{"start": "/p[1]", "startOffset": "4", "end": "/p[1]", "endOffset": "7"}]
    made = client.ask("POST", f"{path}.json", {"quote": "two", "text": "", "ranges": ranges})
    assert (made["quote"], made["text"], made["ranges"]) == ("two", "", ranges) and 0 < made["id"] < 2**31
    [highlight] = client.user.rest("GET", "highlights").json()
    assert (highlight["quote"], highlight["note"]) == ("two", None)
    changed = client.ask("PUT", f"annotations/{made['id']}", {"text": "a note"})
    assert changed["text"] == "a note" and changed["ranges"] == ranges
    assert client.ask("GET", path) == {"total": 1, "rows": [changed]}
    assert client.ask("GET", f"entries/{entry['id']}")["annotations"] == [changed]
    assert client.ask("DELETE", f"annotations/{made['id']}.json")["id"] == made["id"]
    assert client.ask("GET", path) == {"total": 0, "rows": []}


@pytest.mark.parametrize("path", ["/div[1]/p[2]", "/div[1]/article[1]/div[1]/p[2]", "/div/p[2]"])
def test_an_annotation_is_a_highlight_of_the_passage_in_its_element(admin, client, path):
    id = add_article(admin, client.user, "<div><p>the cup is full</p><p>again the cup &amp; tea</p></div>")
    admin.execute(
        "update public.articles set text_content = %s where link_id = %s",
        ["the cup is full\n\nagain the cup & tea", id],
    )
    [entry] = client.items()
    ranges = [{"start": path, "startOffset": 6, "end": path, "endOffset": 13}]
    made = client.ask("POST", f"annotations/{entry['id']}", {"quote": "the cup", "text": "", "ranges": ranges})
    columns = "start_offset,end_offset,prefix,suffix"
    row = {"start_offset": 23, "end_offset": 30, "prefix": "the cup is full\n\nagain ", "suffix": " & tea"}
    assert made["ranges"] == ranges
    assert client.user.rest("GET", f"highlights?select={columns}").json() == [row]
    first = [{"start": "/div[1]/p[1]", "startOffset": 0, "end": "/div[1]/p[1]", "endOffset": 7}]
    client.ask("PUT", f"annotations/{made['id']}", {"quote": "the cup", "ranges": first})
    row = {"start_offset": 0, "end_offset": 7, "prefix": None, "suffix": " is full\n\nagain the cup & tea"}
    assert client.user.rest("GET", f"highlights?select={columns}").json() == [row]


def test_an_annotation_whose_path_leads_nowhere_keeps_its_quote(admin, client):
    add_article(admin, client.user, "<p>one two three</p>")
    [entry] = client.items()
    for start in ("/ul[1]/li[2]", "//p", "/p[", "/p[99999999999999999999]", "x" * 9_000, "/p" * 4_000):
        ranges = [{"start": start, "startOffset": 4, "end": start, "endOffset": 9}]
        made = client.ask("POST", f"annotations/{entry['id']}", {"quote": "three", "text": "", "ranges": ranges})
        assert (made["quote"], made["ranges"]) == ("three", ranges)


def test_a_highlight_of_the_web_page_has_the_range_that_its_clients_would_make(admin, client):
    id = add_article(admin, client.user, "<div><p>one</p><p>one <b>two</b> three</p></div>")
    admin.execute("update public.articles set text_content = %s where link_id = %s", ["one\n\none two three", id])
    row = {"link_id": id, "quote": "two three", "start_offset": 9, "end_offset": 18}
    assert client.user.rest("POST", "highlights", row).status == 201
    [entry] = client.items()
    range = {"start": "/div[1]/p[2]/b[1]", "startOffset": 0, "end": "/div[1]/p[2]", "endOffset": 13}
    assert entry["annotations"][0]["ranges"] == [range]
    assert client.ask("GET", f"annotations/{entry['id']}")["rows"] == entry["annotations"]
    number = entry["annotations"][0]["id"]
    assert client.ask("PUT", f"annotations/{number}", {"text": "mine"})["ranges"] == [range]
    assert client.ask("GET", f"entries/{entry['id']}")["annotations"][0]["ranges"] == [range]


def test_offsets_into_the_whole_article_are_a_range(admin, client):
    id = add_article(admin, client.user, "<p>one two three</p>")
    row = {"link_id": id, "quote": "two", "start_offset": 4, "end_offset": 7, "note": "mine"}
    assert client.user.rest("POST", "highlights", row).status == 201
    [entry] = client.items()
    [annotation] = entry["annotations"]
    range = {"start": "", "startOffset": 4, "end": "", "endOffset": 7}
    written = {"start": "/p[1]", "startOffset": 4, "end": "/p[1]", "endOffset": 7}
    assert (annotation["text"], annotation["ranges"]) == ("mine", [written])
    made = client.ask("POST", f"annotations/{entry['id']}", {"quote": "one", "text": "x", "ranges": [range]})
    [highlight] = client.user.rest("GET", "highlights?quote=eq.one").json()
    assert made["ranges"] == [range] and highlight["quote"] == "one"


# Exports


def test_an_article_is_exported_as_a_page_and_as_text(admin, client):
    add_article(admin, client.user, "<p>some text</p>", title="A <b> & c", title_is_text=True)
    [entry] = client.items()
    page = client.send("GET", f"entries/{entry['id']}/export.html")
    assert page["content-type"] == "text/html; charset=utf-8" and b"<p>some text</p>" in page.body
    assert b"<h1>A &lt;b&gt; &amp; c</h1>" in page.body and "sandbox" in page["content-security-policy"]
    text = client.send("GET", f"entries/{entry['id']}/export.txt")
    assert text.body.decode() == "A <b> & c\n\nsome text" and text["content-type"].startswith("text/plain")
    markdown = client.send("GET", f"entries/{entry['id']}/export.md")
    assert markdown["content-type"].startswith("text/markdown") and "some text" in markdown.body.decode()
    assert client.ask("GET", f"entries/{entry['id']}/export.json") == [entry]
    assert client.send("GET", f"entries/{entry['id']}/export.mobi").status == 404


@pytest.mark.parametrize(
    ("stored", "written"), [("rtl", "rtl"), ("auto", "auto"), ("ltr", "ltr"), (None, "ltr"), ('"><b', "ltr")]
)
def test_an_exported_page_has_the_direction_of_its_article(admin, client, stored, written):
    id = add_article(admin, client.user)
    admin.execute("update public.articles set lang = 'he', dir = %s where link_id = %s", [stored, id])
    page = client.send("GET", f"entries/{client.items()[0]['id']}/export.html")
    assert f'<html lang="he" dir="{written}">' in page.body.decode()


def test_a_book_is_exported_once_it_is_made(client):
    paragraphs = "".join(f"<p>Sentence number {n} is long enough for an article of its own.</p>" for n in range(40))
    entry = client.add(url="http://127.0.0.2/book", title="Book", content=paragraphs)
    path = f"entries/{entry['id']}/export.epub"
    assert client.send("GET", path).status in (200, 404)
    book = once_made(client.user, lambda: client.send("GET", path))
    assert book["content-type"] == "application/epub+zip" and book.body.startswith(b"PK")


# Other users, and bad input


def test_nobody_reaches_what_another_user_has(admin, client, bob):
    add_article(admin, client.user)
    entry = client.ask("PATCH", f"entries/{client.items()[0]['id']}", {"tags": "mine"})
    annotation = client.ask("POST", f"annotations/{entry['id']}", {"quote": "some", "text": "x"})
    other, tag = Wallabag(bob), entry["tags"][0]["id"]
    own = other.add()
    for method, path in [
        ("GET", f"entries/{entry['id']}"),
        ("PATCH", f"entries/{entry['id']}"),
        ("PATCH", f"entries/{entry['id']}/reload"),
        ("DELETE", f"entries/{entry['id']}"),
        ("GET", f"entries/{entry['id']}/tags"),
        ("POST", f"entries/{entry['id']}/tags"),
        ("DELETE", f"entries/{own['id']}/tags/{tag}"),
        ("GET", f"entries/{entry['id']}/export.html"),
        ("GET", f"entries/{entry['id']}/export.epub"),
        ("GET", f"entries/{entry['id']}/export.md"),
        ("GET", f"annotations/{entry['id']}"),
        ("POST", f"annotations/{entry['id']}"),
        ("PUT", f"annotations/{annotation['id']}"),
        ("DELETE", f"annotations/{annotation['id']}"),
        ("DELETE", f"tags/{tag}"),
        ("DELETE", "tag/label?tag=mine"),
        # A number of another kind of row.
        ("GET", f"entries/{tag}"),
        ("DELETE", f"tags/{own['id']}"),
    ]:
        body = {"quote": "x", "tags": "t"} if method in ("POST", "PATCH", "PUT") else None
        answer = other.send(method, path, body)
        assert (answer.status, answer.json()["error"]["code"]) == (404, 404), (method, path, answer)
    assert client.ask("GET", f"entries/{entry['id']}") == client.items()[0]
    assert other.ask("GET", "tags") == [] and len(other.items()) == 1


LONG = "x" * 1_000_000
BAD = [
    ("GET", "entries?archive=x", None),
    ("GET", "entries?page=x", None),
    ("GET", "entries?perPage=1.5", None),
    ("GET", "entries?sort=title", None),
    ("GET", "entries?order=up", None),
    ("GET", "entries?since=yesterday", None),
    ("GET", "entries?detail=all", None),
    ("GET", "entries?tags=" + ",".join("x" * 60), None),
    ("GET", "entries?tags[]=%FF", None),
    ("POST", "entries", {}),
    ("POST", "entries", {"url": None}),
    ("POST", "entries", {"url": ["x"]}),
    ("POST", "entries", {"url": "http://127.0.0.2/" + LONG}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "title": LONG}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "tags": LONG}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "tags": [1]}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "archive": "maybe"}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "published_at": "soon"}),
    ("POST", "entries", {"url": "http://127.0.0.2/x\0"}),
    ("POST", "entries", {"url": "http://127.0.0.2/x", "preview_picture": "javascript:alert(1)"}),
    ("PATCH", "entries/{id}", {"preview_picture": "data:image/png;base64,AA"}),
    ("POST", "entries", []),
    ("POST", "entries/lists?urls=x", {}),
    ("POST", "entries/lists?urls=[1]", {}),
    ("DELETE", "entries/lists?urls=" + encoded(json.dumps(["x"] * 101)), None),
    ("POST", "entries/tags/lists?list=[1]", {}),
    ("DELETE", "entries/{id}?expect=all", None),
    ("POST", "annotations/{id}", {"text": "x"}),
    ("POST", "annotations/{id}", {"quote": "x", "ranges": "x"}),
    ("POST", "annotations/{id}", {"quote": LONG}),
    ("POST", "annotations/{id}", {"quote": "x", "ranges": [LONG]}),
    ("POST", "annotations/{id}", {"quote": "x", "text": LONG}),
]


def test_bad_input_is_400_and_changes_nothing(client):
    entry = client.add()
    for method, path, body in BAD:
        answer = client.send(method, path.replace("{id}", str(entry["id"])), body)
        assert (answer.status, answer.json()["error"]["code"]) == (400, 400), (method, path[:60], answer)
        assert len(answer.body) < 5_000
    assert client.items() == [entry]


@pytest.mark.parametrize(
    "method, path, body, message",
    [
        ("PATCH", "entries/{id}", {"title": "x" * 10_001}, '"title" must have at most 10,000 characters'),
        ("PATCH", "entries/{id}", {"language": "x" * 101}, '"lang" must have at most 100 characters'),
        ("PATCH", "entries/{id}", {"title": "a\0"}, "Text must not contain a NUL character"),
        ("PATCH", "entries/{id}", {"published_at": "garbage"}, "published_at is not a time"),
        ("POST", "entries", {"url": "http://127.0.0.2/y", "published_at": "2026-13-45"}, "published_at is not a time"),
        ("GET", "search?term=%00", None, "The query string is not valid UTF-8, or contains a NUL character"),
    ],
)
def test_bad_input_is_refused_in_words(client, method, path, body, message):
    entry = client.add()
    answer = client.send(method, path.replace("{id}", str(entry["id"])), body)
    assert (answer.status, answer.json()["error"]["message"]) == (400, message), answer


def test_unknown_numbers_and_paths_are_404(client):
    for path in ["entries/0", "entries/2147483647", "entries/2147483648", "entries/99999999999", "entries/-1"]:
        assert client.send("GET", path).status == 404, path
    for path in ["entries/x", "entries/1/nothing", "entries/1/tags/1/x", "tags/1/x", "annotations", "entries/1.5"]:
        assert client.send("GET", path).status == 404, path


def test_no_header_or_parameter_changes_the_method(client):
    entry = client.add()
    headers = {"Authorization": f"Bearer {client.token}", "X-HTTP-Method-Override": "DELETE"}
    path = f"/api/entries/{entry['id']}?_method=DELETE"
    assert client.user.lectern.send("GET", path, headers).json()["id"] == entry["id"]
    assert client.user.lectern.send("POST", path, headers, "_method=DELETE").status == 405
    assert len(client.items()) == 1


def test_a_link_saved_anywhere_has_a_number_below_2_to_the_31(admin, client):
    client.user.save("http://127.0.0.2/rest")
    add_link(admin, client.user)
    ids = [entry["id"] for entry in client.items()]
    assert len(set(ids)) == 2 and all(0 < id < 2**31 for id in ids)
