"""The Google Reader API, for feed readers: lists as subscriptions, stars and reading of links."""

import json
import subprocess
import time
import uuid
from urllib.parse import urlencode

import pytest

from support.feeds import make_token
from support.searching import add_link
from support.sessions import bearer

BASE = "/api/greader.php"
READ, STARRED = "user/-/state/com.google/read", "user/-/state/com.google/starred"
ALL = "user/-/state/com.google/reading-list"


def sign_in(user, token, email=None):
    body = urlencode({"Email": email or user.email, "Passwd": token})
    return user.lectern.send(
        "POST", f"{BASE}/accounts/ClientLogin", {"Content-Type": "application/x-www-form-urlencoded"}, body
    )


class Reader:
    """A client that has signed in."""

    def __init__(self, user, scope="full"):
        self.lectern = user.lectern
        answer = sign_in(user, make_token(user, scope))
        assert answer.status == 200, answer
        [line] = [line for line in answer.body.decode().splitlines() if line.startswith("Auth=")]
        self.headers = {"Authorization": f"GoogleLogin auth={line.removeprefix('Auth=')}"}

    def get(self, path):
        return self.lectern.send("GET", f"{BASE}/reader/api/0/{path}", self.headers)

    def post(self, path, *pairs):
        headers = self.headers | {"Content-Type": "application/x-www-form-urlencoded"}
        return self.lectern.send("POST", f"{BASE}/reader/api/0/{path}", headers, urlencode(pairs))

    def items(self, stream=ALL, query=""):
        answer = self.get(f"stream/contents/{stream}?output=json&{query}")
        assert answer.status == 200, answer
        return answer.json()["items"]

    def titles(self, stream=ALL, query=""):
        return [item["title"] for item in self.items(stream, query)]


@pytest.fixture
def links(admin, alice):
    """Three links, the newest first."""
    rows = {
        "New": {"is_starred": True, "created_at": "2026-03-01T12:00:00Z"},
        "Middle": {"status": "read", "created_at": "2026-02-01T12:00:00Z"},
        "Old": {"list": "archive", "created_at": "2026-01-01T12:00:00Z"},
    }
    ids = {title: add_link(admin, alice, text="Words", title=title, **columns) for title, columns in rows.items()}
    admin.execute("update public.articles set content = '<p>Words & tea' where link_id = %s", [ids["New"]])
    return ids


def test_a_client_signs_in_with_address_and_token_and_lists_what_there_is(alice, links):
    tag = str(uuid.uuid4())
    alice.rest("POST", "tags", {"id": tag, "name": "Tea/Time"})
    alice.rest("POST", "link_tags", {"link_id": links["Old"], "tag_id": tag})
    reader = Reader(alice)
    assert reader.get("user-info").json()["userEmail"] == alice.email
    assert len(reader.get("token").body) == 57
    feeds = reader.get("subscription/list?output=json").json()["subscriptions"]
    assert [(feed["id"], feed["title"]) for feed in feeds] == [("feed/read", "To Read"), ("feed/archive", "Archive")]
    ids = [tag["id"] for tag in reader.get("tag/list?output=json").json()["tags"]]
    assert ids == [STARRED, "user/-/label/Lectern", "user/-/label/Tea/Time"]
    # Clients sort subscriptions into their first category, and take those with one URL for one.
    assert {feed["categories"][0]["id"] for feed in feeds} == {"user/-/label/Lectern"}
    assert len({feed["url"] for feed in feeds}) == 2
    counts = {row["id"]: row["count"] for row in reader.get("unread-count?output=json").json()["unreadcounts"]}
    assert counts == {"feed/read": 1, "feed/archive": 1, ALL: 2}
    assert reader.titles("user/-/label/Tea%2FTime") == reader.titles("user/1234/label/tea/time") == ["Old"]


def test_streams_have_the_links_of_lists_states_and_times(alice, links):
    reader = Reader(alice, "read")
    assert reader.titles() == ["New", "Middle", "Old"] and reader.titles("feed/read") == ["New", "Middle"]
    assert reader.titles("feed/archive") == ["Old"] and reader.titles(STARRED) == ["New"]
    # A path without a stream has the one of the parameter, or everything, as the folder has.
    assert (
        reader.titles("") == reader.titles("reading-list") == reader.titles("user/-/label/Lectern") == reader.titles()
    )
    assert reader.titles("", f"s={STARRED}") == ["New"]
    assert reader.titles(READ) == ["Middle"] and reader.titles(ALL, f"xt={READ}") == ["New", "Old"]
    assert reader.titles(ALL, f"it={READ}") == ["Middle"] and reader.titles(ALL, "r=o&n=1") == ["Old"]
    assert reader.titles(ALL, "ot=1769904001") == ["New", "Middle"] and reader.titles(ALL, "nt=1769904001") == ["Old"]
    [item] = reader.items(STARRED)
    assert item["id"].startswith("tag:google.com,2005:reader/item/") and len(item["id"]) == 48
    assert item["summary"]["content"] == "<p>Words & tea" and STARRED in item["categories"]
    assert READ not in item["categories"] and item["origin"]["streamId"] == "feed/read"
    assert item["canonical"][0]["href"].startswith("http://127.0.0.2/") and item["updated"] == 1772366400


def test_what_arrives_after_a_time_is_found_by_it_whatever_its_date_is(admin, alice, links):
    now = int(time.time())
    reader = Reader(alice)
    assert reader.titles(ALL, f"ot={now}") == []
    # As an import leaves it, and as a page that took long to fetch.
    admin.execute(
        """
        insert into private.done_jobs (id, kind, user_id, link_id, attempts, created_at)
            values (-%s - (select count(*) from private.done_jobs), 'save', %s, %s, 1, now())""",
        [now, alice.id, links["Middle"]],
    )
    assert reader.titles(ALL, f"ot={now}") == ["Middle"] and reader.titles(ALL, f"ot={now + 600}") == []
    [item] = reader.get(f"stream/items/ids?s={ALL}&ot={now}").json()["itemRefs"]
    assert item["directStreamIds"] == ["feed/read"]


def test_pages_follow_each_other_without_repeating_an_item(alice, links):
    reader = Reader(alice)
    for path, name in ((f"stream/items/ids?s={ALL}&n=2", "itemRefs"), (f"stream/contents/{ALL}?n=2", "items")):
        first = reader.get(path).json()
        second = reader.get(f"{path}&c={first['continuation']}").json()
        ids = [item["id"] for item in first[name] + second[name]]
        assert len(ids) == 3 == len(set(ids)) and "continuation" not in second
    refs = reader.get(f"stream/items/ids?s={ALL}").json()["itemRefs"]
    answer = reader.post("stream/items/contents", *[("i", ref["id"]) for ref in refs])
    assert [item["title"] for item in answer.json()["items"]] == ["New", "Middle", "Old"]
    long = [item["id"] for item in answer.json()["items"]]
    assert [f"{int(ref['id']):016x}" for ref in refs] == [id[-16:] for id in long]
    # Some clients leave out the prefix.
    answer = reader.post("stream/items/contents", *[("i", id[-16:]) for id in long])
    assert [item["id"] for item in answer.json()["items"]] == long


def test_thousands_of_items_are_asked_for_at_once_and_come_in_pages_with_their_articles(admin, alice, links):
    long = ("<p>" + "long " * 1_300_000, [links["New"], links["Middle"]])
    admin.execute("update public.articles set content = %s where link_id = any(%s::uuid[])", long)
    reader = Reader(alice)
    pairs = [("i", item["id"]) for item in reader.get(f"stream/items/ids?s={ALL}").json()["itemRefs"]]
    # As rssguard asks: 9,999 ids.
    pairs += [("i", f"tag:google.com,2005:reader/item/{n:016x}") for n in range(9_999 - len(pairs))]
    pages, continuation = [], ""
    while continuation is not None:
        answer = reader.post(f"stream/items/contents?output=json&n=200000&c={continuation}", *pairs)
        assert answer.status == 200, answer
        continuation = answer.json().get("continuation")
        pages.append([(item["title"], len(item["summary"]["content"]) > 6_000_000) for item in answer.json()["items"]])
    assert pages == [[("New", True)], [("Middle", True), ("Old", False)]]
    assert [len(reader.items(query="n=2")), len(reader.items(query="n=2&r=o"))] == [1, 2]
    assert reader.post("stream/items/contents", *pairs, ("i", "1"), ("i", "2")).status == 400
    assert reader.post("stream/items/contents?c=1", *pairs).status == 400


def test_reading_starring_and_labels_change_the_links(alice, links):
    reader = Reader(alice)
    ids = {item["title"]: item["id"] for item in reader.items()}
    assert reader.post("edit-tag", ("i", ids["Old"]), ("a", READ), ("a", STARRED), ("T", "x")).body == b"OK"
    assert reader.post("edit-tag", ("i", ids["New"]), ("i", ids["Middle"]), ("r", READ), ("r", STARRED)).status == 200
    rows = {row["title"]: (row["status"], row["is_starred"]) for row in alice.links()}
    assert rows == {"New": ("unread", False), "Middle": ("unread", False), "Old": ("read", True)}
    assert reader.post("edit-tag", ("i", ids["Old"]), ("a", "user/-/label/Tea & Cake")).status == 200
    assert reader.titles("user/-/label/tea%20%26%20cake") == ["Old"]
    reader.post("edit-tag", ("i", ids["Old"]), ("r", "user/-/label/tea & cake"))
    assert reader.titles("user/-/label/tea%20%26%20cake") == []
    assert reader.post("mark-all-as-read", ("s", "feed/read"), ("ts", "1770000000000000")).body == b"OK"
    assert {row["title"]: row["status"] for row in alice.links()} == {"New": "unread", "Middle": "read", "Old": "read"}
    reader.post("mark-all-as-read", ("s", ALL))
    assert {row["status"] for row in alice.links()} == {"read"}


def test_many_items_and_states_that_mean_nothing_here_are_accepted(alice, links):
    reader = Reader(alice)
    [id] = [item["id"] for item in reader.items() if item["title"] == "Middle"]
    # As newsboat marks an item as unread.
    states = [("r", READ), ("a", "user/-/state/com.google/kept-unread"), ("ac", "edit"), ("T", "x")]
    states += [("a", "user/-/state/com.google/tracking-kept-unread"), ("r", "")]
    assert reader.post("edit-tag", ("i", id), *states).body == b"OK"
    assert alice.link(links["Middle"])["status"] == "unread"
    many = [("i", f"{n:016x}") for n in range(9_999)]
    assert reader.post("edit-tag", ("i", id), *many, ("a", READ)).body == b"OK"
    assert alice.link(links["Middle"])["status"] == "read"
    assert reader.post("edit-tag", ("i", id), *many, ("i", "5"), ("a", READ)).status == 400
    # A change that cannot be carried out whole is not begun.
    assert reader.post("edit-tag", ("i", id), ("r", READ), ("a", "x")).status == 400
    assert alice.link(links["Middle"])["status"] == "read"


def test_a_client_signs_in_with_a_multipart_form(alice):
    fields = {"Email": alice.email, "Passwd": make_token(alice, "full")}
    body = "".join(
        f'--x y\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Length: {len(value)}\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    headers = {"Content-Type": 'multipart/form-data; boundary="x y"'}
    answer = alice.lectern.send("POST", f"{BASE}/accounts/ClientLogin", headers, f"{body}--x y--\r\n")
    assert answer.status == 200 and b"Auth=" in answer.body, answer


def test_two_users_read_and_change_their_own_links_only(alice, bob, links):
    ids = [item["id"] for item in Reader(alice).items()]
    reader = Reader(bob)
    assert (
        reader.items() == [] and reader.post("stream/items/contents", *[("i", id) for id in ids]).json()["items"] == []
    )
    assert reader.post("edit-tag", *[("i", id) for id in ids], ("a", READ), ("a", "user/-/label/x")).status == 200
    assert {row["status"] for row in alice.links("select=status&title=neq.Middle")} == {"unread"}
    assert bob.rest("GET", "link_tags").json() == []


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_scopes_decide_who_signs_in_and_who_changes(alice, links, scope):
    token = make_token(alice, scope)
    answer = sign_in(alice, token)
    headers = {"Authorization": f"GoogleLogin auth={token}"}
    listed = alice.lectern.send("GET", f"{BASE}/reader/api/0/stream/contents/{ALL}", headers)
    edited = alice.lectern.send("POST", f"{BASE}/reader/api/0/edit-tag", headers, urlencode({"i": "1", "a": READ}))
    assert answer.status == listed.status == (200 if scope in ("read", "full") else 403)
    assert edited.status == (200 if scope == "full" else 403)


def test_wrong_credentials_are_refused_as_clients_expect(alice, bob):
    token = make_token(alice, "full")
    for answer in (sign_in(alice, "lct_x"), sign_in(alice, alice.password), sign_in(alice, token, bob.email)):
        assert (answer.status, answer.body) == (401, b"Error=BadAuthentication\n")
    for headers in ({}, {"Authorization": "GoogleLogin auth=x"}, {"Authorization": f"GoogleLogin {token}"}):
        assert alice.lectern.send("GET", f"{BASE}/reader/api/0/user-info", headers).status == 401
    assert alice.lectern.send("GET", f"{BASE}/reader/api/0/user-info", bearer(alice.token)).status == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "reader/api/0/stream/contents/feed/x", 404), ("GET", "reader/api/0/stream/contents/", 200),
        ("GET", f"reader/api/0/stream/contents/{ALL}?n=x", 400), ("GET", f"reader/api/0/stream/contents/{ALL}?n=99999999999999999999", 200),
        ("GET", f"reader/api/0/stream/contents/{ALL}?c=x", 400), ("GET", f"reader/api/0/stream/contents/{ALL}?c=1_99999999999999999999", 400),
        ("GET", f"reader/api/0/stream/contents/{ALL}?xt=x", 400), ("GET", f"reader/api/0/stream/contents/{ALL}?ot=-1", 400),
        ("GET", f"reader/api/0/stream/contents/{ALL}?ot=99999999999999999999", 200),
        ("GET", "reader/api/0/stream/items/ids", 400), ("POST", "reader/api/0/stream/items/contents", 400),
        ("POST", "reader/api/0/edit-tag", 400), ("POST", "reader/api/0/edit-tag?i=x&a=", 400), ("POST", "reader/api/0/edit-tag?i=1&a=y", 400),
        ("POST", "reader/api/0/edit-tag?i=99999999999999999999&a=y", 400), ("POST", "reader/api/0/edit-tag?i=1&a=x", 400),
        ("POST", f"reader/api/0/edit-tag?i=9223372036854775807&a={READ}", 200), ("POST", f"reader/api/0/edit-tag?i=-5&a={READ}", 200),
        ("POST", f"reader/api/0/edit-tag?i=1&a=user/-/label/{'x' * 200}", 200), ("POST", "reader/api/0/edit-tag?i=%ff", 400),
        ("POST", f"reader/api/0/mark-all-as-read?s={ALL}&ts=x", 400), ("POST", "reader/api/0/mark-all-as-read", 400),
        ("POST", f"reader/api/0/mark-all-as-read?s={ALL}&ts=9223372036854775807", 200),
        ("GET", "reader/api/0/edit-tag", 405), ("POST", "reader/api/0/subscription/edit", 404), ("GET", "reader/api/0/x", 404),
        ("GET", "reader", 404), ("GET", "", 404),
    ],
)  # fmt: skip
def test_bad_requests_get_a_line_that_says_so(alice, links, method, path, status):
    answer = alice.lectern.send(method, f"{BASE}/{path}", Reader(alice).headers)
    assert answer.status == status, answer
    if status >= 400:
        assert answer["content-type"].startswith("text/plain") and answer.body.startswith(b"Error=")


def test_only_addresses_of_the_web_are_links(alice, admin):
    add_link(admin, alice, "javascript:alert(1)", text="Words", title="Script", enclosure_url="https://a.test/x.mp3")
    add_link(admin, alice, "http://127.0.0.9/page", text="Words", title="Page")
    reader = Reader(alice)
    script, page = sorted(reader.items(), key=lambda item: item["title"], reverse=True)
    assert (script["canonical"], script["alternate"]) == ([], []) and len(script["enclosure"]) == 1
    assert page["canonical"] == [{"href": "http://127.0.0.9/page"}]
    atom = alice.lectern.send("GET", f"{BASE}/reader/atom/{ALL}", reader.headers)
    assert atom.status == 200 and b"http://127.0.0.9/page" in atom.body and b"javascript:" not in atom.body


def test_newsboat_reads_the_lists(alice, links, tmp_path):
    (tmp_path / "config").write_text(
        f'urls-source "feedhq"\nfeedhq-url "{alice.lectern.url}{BASE}"\nfeedhq-login "{alice.email}"\n'
        f'feedhq-password "{make_token(alice, "full")}"\nfeedhq-show-special-feeds no\n'
    )
    (tmp_path / "urls").touch()
    files = [
        "-C",
        tmp_path / "config",
        "-u",
        tmp_path / "urls",
        "-c",
        tmp_path / "cache.db",
        "-l",
        "5",
        "-d",
        tmp_path / "log",
    ]
    subprocess.run(
        ["newsboat", *files, "-x", "reload"], check=True, timeout=240, env={"HOME": str(tmp_path), "TERM": "dumb"}
    )
    done = subprocess.run(
        ["newsboat", *files, "-x", "print-unread"], check=True, timeout=240, capture_output=True, text=True,
        env={"HOME": str(tmp_path), "TERM": "dumb"},
    )  # fmt: skip
    import sqlite3

    with sqlite3.connect(tmp_path / "cache.db") as cache:
        rows = dict(cache.execute("select title, unread from rss_item").fetchall())
    assert set(rows) == {"New", "Middle", "Old"}, done.stdout
    assert json.dumps(rows)


def test_a_link_with_a_time_at_infinity_breaks_no_stream(alice, admin, links):
    # A link that is pending is in no stream.
    link = alice.settled(alice.save("http://127.0.0.2/for-ever")["id"])["id"]
    admin.execute("update public.links set created_at = 'infinity' where id = %s", [link])
    client = Reader(alice)
    assert len(client.items()) == 4 and client.get(f"stream/items/ids?s={ALL}").status == 200
    assert client.get("unread-count?output=json").status == 200
    client.post("edit-tag", ("a", "user/-/state/com.google/read"), ("s", ALL))
