"""Feeds of saved links, in Atom and JSON Feed."""

import json
import uuid

import feedparser
import pytest

from support import service
from support.client import encoded, wait_until
from support.feeds import get, make_token, root, titles
from support.searching import add_collection, add_link, index_texts
from support.sessions import bearer

PATHS = ["unread", "archive", "starred", "search"]
BROKEN = "a<b>&amp;]]>\"'\x01\x08\x0b\x1f\ufffe\uffff\u2028👩‍👩‍👧\U0010ffff"


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def token(alice):
    return make_token(alice)


def feed(user, token, path, **headers):
    return get(user.lectern, f"/feed/t/{token}/{path}", **headers)


def parsed(answer):
    assert answer.status == 200, answer
    result = feedparser.parse(answer.body, response_headers={"content-type": answer["content-type"]})
    assert not result.bozo, result.get("bozo_exception")
    return result


def tag(user, link, name):
    id = str(uuid.uuid4())
    assert user.rest("POST", "tags", {"id": id, "name": name}).status == 201
    assert user.rest("POST", "link_tags", {"link_id": link, "tag_id": id}).status == 201
    return id


# What feeds list


def test_each_list_has_a_feed_with_its_links_the_newest_first(admin, alice, token):
    days = iter(range(1, 10))
    ids = {
        name: add_link(admin, alice, title=name, created_at=f"2026-01-0{next(days)}T12:00:00Z", **columns)
        for name, columns in {
            "first": {},
            "read": {"status": "read"},
            "starred": {"is_starred": True},
            "archived": {"list": "archive"},
            "last": {},
        }.items()
    }
    tag(alice, ids["read"], "Tea")
    collection = add_collection(alice, "Mine")
    alice.rest("POST", "collection_links", {"collection_id": collection, "link_id": ids["first"]})
    for path, expected in {
        "unread": ["last", "starred", "first"],
        "archive": ["archived"],
        "starred": ["starred"],
        "tag/tea": ["read"],
        f"collection/{collection}": ["first"],
        "search": ["last", "archived", "starred", "read", "first"],
        "search.atom?q=is:read": ["read"],
        "search.atom?q=sort:oldest+is:unread": ["first", "starred", "archived", "last"],
    }.items():
        name, _, query = path.partition(".atom")
        assert titles(root(feed(alice, token, f"{name}.atom{query}"))) == expected, path
        items = feed(alice, token, f"{name}.json{query}").json()["items"]
        assert [item["title"] for item in items] == expected, path


def test_an_entry_has_the_whole_article_and_what_is_known_of_it(admin, alice, token):
    link = add_link(
        admin, alice, "http://127.0.0.2/a?b=1&c=2", title="Caf&eacute; &amp; <Tea>", text="text", lang="en_GB",
        byline="Ann", description="About", enclosure_url="http://127.0.0.2/a.mp3", enclosure_type="audio/mpeg",
        enclosure_duration=61,
    )  # fmt: skip
    admin.execute(
        "update public.articles set content = %s, dir = 'rtl' where link_id = %s", ["<p>Tea &amp; x</p>", link]
    )
    tag(alice, link, "x/y")
    [entry] = parsed(feed(alice, token, "unread.atom")).entries
    assert (entry.title, entry.link, entry.author) == ("Café & <Tea>", "http://127.0.0.2/a?b=1&c=2", "Ann")
    assert (entry.id, entry.summary) == (f"urn:uuid:{link}", "About")
    assert entry.content[0].value == '<div dir="rtl"><p>Tea &amp; x</p></div>'
    assert (entry.content[0].type, entry.content[0].language) == ("text/html", "en-GB")
    assert [tag.term for tag in entry.tags] == ["x/y"]
    assert [(file.href, file.type) for file in entry.enclosures] == [("http://127.0.0.2/a.mp3", "audio/mpeg")]
    answer = feed(alice, token, "unread.json")
    assert answer["content-type"] == "application/feed+json; charset=utf-8"
    body = answer.json()
    assert body["feed_url"] == f"{alice.lectern.url}/feed/t/{token}/unread.json"
    [item] = body["items"]
    assert item["content_html"] == entry.content[0].value and item["url"] == entry.link
    assert item["attachments"][0]["duration_in_seconds"] == 61 and item["authors"] == [{"name": "Ann"}]
    assert item["date_published"] == entry.published


def test_the_newest_fifty_are_listed_and_up_to_two_hundred_if_asked(admin, alice, token):
    with admin.transaction():
        for number in range(201):
            add_link(admin, alice, title=str(number), created_at=f"2026-01-01T00:00:00.{number:03}Z")
    for query, count in {"": 50, "?limit=1": 1, "?limit=200": 200}.items():
        assert titles(root(feed(alice, token, f"unread.atom{query}"))) == [str(200 - n) for n in range(count)]
    for limit in ["0", "201", "-1", "", "1.5", "x", "%2b5", "99999999999999999999", "٣"]:
        answer = feed(alice, token, f"unread.atom?limit={encoded(limit) if limit != '%2b5' else limit}")
        assert (answer.status, answer.json()["code"]) == (400, "LCT400"), limit


@pytest.mark.parametrize(
    "name", ["a/b", "100%", "v1.0", "x.atom", "..", ".", "a/../b", "Größe", "#x?y=z&", '"q"', "+ +"]
)
def test_a_tag_has_a_feed_whatever_its_name(admin, alice, token, name):
    link = add_link(admin, alice, title="tagged")
    tag(alice, link, name)
    add_link(admin, alice, title="other")
    assert titles(root(feed(alice, token, f"tag/{encoded(name)}.atom"))) == ["tagged"]


def test_a_collection_lists_what_its_query_finds(admin, alice, token):
    add_link(admin, alice, title="starred", is_starred=True)
    collection = add_collection(alice, "Smart", query="is:starred")
    path = f"collection/{collection}.atom"
    answer = feed(alice, token, path)
    assert titles(root(answer)) == ["starred"]
    assert feed(alice, token, path, If_None_Match=answer["etag"]).status == 304
    add_link(admin, alice, title="also starred", is_starred=True)
    answer = feed(alice, token, path, If_None_Match=answer["etag"])
    assert titles(root(answer)) == ["also starred", "starred"]


def test_what_does_not_exist_has_no_feed(alice, bob, token):
    other = add_collection(bob, "Of Bob")
    bob.rest("POST", "tags", {"name": "of-bob"})
    for path in ["tag/none.atom", "tag/of-bob.atom", f"collection/{other}.atom", f"collection/{uuid.uuid4()}.json"]:
        answer = feed(alice, token, path)
        assert (answer.status, answer.json()["code"]) == (404, "LCT404"), path
    for path in [
        "",
        "unread",
        "unread.rss",
        "newest.atom",
        "tag/.atom",
        "tag",
        "collection/x.atom",
        "unread.atom/",
        "a/b/c",
    ]:
        assert feed(alice, token, path).status == 404, path
    assert alice.lectern.send("POST", f"/feed/t/{token}/unread.atom").status == 405


def test_a_query_that_is_none_is_refused(alice, token):
    for query in ["kind:nothing", "a" * 1001, encoded("\0")]:
        answer = feed(alice, token, f"search.atom?q={query}")
        assert answer.status == 400, query


# Hostile texts


def test_any_text_makes_a_well_formed_feed(admin, alice, token):
    texts = dict.fromkeys(["title", "description", "byline", "lang", "site_name"], BROKEN)
    link = add_link(admin, alice, "javascript:alert(1)//" + BROKEN, text="x", **texts)
    admin.execute("update public.articles set content = %s where link_id = %s", [BROKEN * 1000, link])
    tag(alice, link, BROKEN.replace("\x1f", ""))
    for created_at in ["-infinity", "infinity", "4000-01-01 BC", "20000-01-01"]:
        add_link(admin, alice, title="", created_at=created_at, published_at=created_at)
    add_link(admin, alice, title="b" * 10_000, description="b" * 1_000_000)
    entries = parsed(feed(alice, token, "unread.atom")).entries
    assert len(entries) == 6
    hostile = next(entry for entry in entries if entry.id.endswith(link))
    assert hostile.title == "a<b>&]]>\"'\u2028👩‍👩‍👧\U0010ffff"
    assert hostile.link == f"{alice.lectern.url}/#/link/{link}"
    items = json.loads(feed(alice, token, "unread.json").body)["items"]
    assert len(items) == 6 and not any("javascript" in item.get("url", "") for item in items)


def test_a_feed_has_no_more_articles_than_fit_into_a_response(admin, alice, token):
    for number in range(3):
        link = add_link(admin, alice, title=str(number), text="x", created_at=f"2026-01-0{number + 1}")
        admin.execute("update public.articles set content = repeat('<', 4000000) where link_id = %s", [link])
    entries = root(feed(alice, token, "unread.atom"))
    assert titles(entries) == ["2", "1", "0"]
    contents = [len(entry.text) for entry in entries.iter("{http://www.w3.org/2005/Atom}content")]
    assert contents == [4_000_000] * 2


# Conditional requests


@pytest.mark.parametrize("path", ["unread.atom", "starred.json", "tag/t.atom", "search.atom?q=word"])
def test_a_feed_that_has_not_changed_is_304(admin, alice, bob, token, path):
    link = add_link(admin, alice, title="word", is_starred=True)
    tag(alice, link, "t")
    index_texts(admin, alice)
    answer = feed(alice, token, path)
    assert answer.status == 200 and answer["cache-control"] == "private, no-cache"
    again = feed(alice, token, path, If_None_Match=answer["etag"])
    assert (again.status, again.body, again["etag"]) == (304, b"", answer["etag"])
    bob.save("http://127.0.0.2/other")
    assert feed(alice, token, path, If_None_Match=f'"other", {answer["etag"]}').status == 304
    # The tag of another document, of another user and of another query says nothing.
    for other in ["archive.atom", "unread.atom?limit=2"]:
        assert feed(alice, token, other, If_None_Match=answer["etag"]).status == 200
    assert feed(bob, make_token(bob), "unread.atom", If_None_Match=answer["etag"]).status == 200
    alice.rest("PATCH", f"links?id=eq.{link}", {"title": "word two"})
    changed = feed(alice, token, path, If_None_Match=answer["etag"])
    assert changed.status == 200 and changed["etag"] != answer["etag"]


def test_an_article_that_arrives_changes_the_feed(alice, token):
    tag = feed(alice, token, "unread.atom")["etag"]
    body = {"url": "http://127.0.0.2/kept", "title": "Kept", "html": f"<h1>Kept</h1><p>{'It is kept. ' * 200}</p>"}
    alice.settled(alice.rest("POST", "rpc/save_page", body).json()[0]["id"])
    [entry] = parsed(feed(alice, token, "unread.atom", If_None_Match=tag)).entries
    assert "It is kept." in entry.content[0].value


# Who may read them


@pytest.mark.parametrize("path", [*(f"{name}.{kind}" for name in PATHS for kind in ["atom", "json"])])
def test_a_feed_shows_the_links_of_its_token_only(admin, alice, bob, path):
    for user in [alice, bob]:
        for columns in [{}, {"list": "archive"}, {"is_starred": True}]:
            add_link(admin, user, title=user.email, **columns)
    for user, other in [(alice, bob), (bob, alice)]:
        answer = feed(user, make_token(user), path)
        assert user.email.encode() in answer.body and other.email.encode() not in answer.body


@pytest.mark.parametrize("scope", ["read", "save", "full"])
def test_a_token_of_another_scope_opens_nothing_in_a_path(admin, alice, scope):
    add_link(admin, alice, title="secret title")
    token = make_token(alice, scope)
    for path in [*(f"{name}.atom" for name in PATHS), "tag/a.atom", f"collection/{uuid.uuid4()}.json"]:
        answer = feed(alice, token, path)
        assert answer.status == 403 and b"secret title" not in answer.body, path


def test_only_the_token_of_the_path_counts(alice, token):
    challenge = 'Basic realm="Lectern"'
    for path in ["lct_x", "x", "lct_" + "a" * 43, token[:-1], token + "x", alice.token, alice.lectern.service_key]:
        answer = get(
            alice.lectern,
            f"/feed/t/{path}/unread.atom",
            Authorization=f"Bearer {alice.token}",
            apikey=alice.lectern.anon_key,
        )
        assert (answer.status, answer["www-authenticate"]) == (401, challenge), path
    assert get(alice.lectern, f"/feed/t/{token}/unread.atom", Authorization="Bearer rubbish").status == 200
    for path in ["/feed/unread.atom", "/feed", "/feed/", "/feed/t", f"/feed/t/{token}"]:
        assert get(alice.lectern, path, Authorization=f"Bearer {token}").status == 404


def test_a_revoked_token_opens_nothing(alice, token):
    [row] = alice.lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert feed(alice, token, "unread.atom").status == 200
    alice.lectern.auth("DELETE", f"tokens/{row['id']}", **bearer(alice.token))
    answer = feed(alice, token, "unread.atom")
    assert (answer.status, answer["www-authenticate"]) == (401, 'Basic realm="Lectern"')


def test_no_log_has_the_token(instance, alice, token):
    for path in ["unread.atom", "nothing.atom", "unread.atom?limit=x"]:
        feed(alice, token, path)
    for target in [f"/feed//t/{token}/unread.atom", f"/feed/%74/{token}/unread.atom", f"/feed%2Ft%2F{token}/x"]:
        get(alice.lectern, target)
    logs = [file for file in (instance.home / "log").iterdir() if file.is_file()]
    # nginx writes the line after the response.
    wait_until(lambda: any("/feed/t/..." in file.read_text() for file in logs))
    assert [file.name for file in logs if token[4:] in file.read_text(errors="replace")] == []
