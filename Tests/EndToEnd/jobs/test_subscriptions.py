"""Subscriptions to feeds: what is fetched when, what becomes a link, and who may subscribe."""

import json
import uuid

import pytest

from support.client import wait_until
from support.feed_site import LONG, FeedSite, item, rss
from support.feeds import make_token
from support.web_server import Handler, WebServer


@pytest.fixture(scope="module")
def site():
    with FeedSite() as site:
        yield site


def subscribe(user, url, **columns):
    answer = user.rest("POST", "feeds", {"url": url} | columns, Prefer="return=representation")
    assert answer.status == 201, answer
    return answer.json()[0]["id"]


def feed(user, id):
    [row] = user.rest("GET", f"feeds?id=eq.{id}").json()
    return row


def fetched(user, id):
    """The feed once it has been fetched for the first time, or again after `fetch_again`."""
    return wait_until(lambda: (row := feed(user, id))["state"] != "new" and row["last_fetched_at"] and row)


def fetch_again(admin, user, id):
    """Has the feed fetched although a minute has not passed."""
    admin.execute("update private.feeds set last_fetched_at = null where id = %s", [id])
    answer = user.rest("POST", "rpc/refresh_feed", {"id": id})
    assert answer.status == 200 and answer.json()[0]["id"] == id, answer
    return fetched(user, id)


def titles(user):
    return [link["title"] for link in user.links("select=title&order=created_at.desc")]


def test_the_newest_entries_are_saved_and_then_each_new_one_with_what_the_feed_gives_it(alice, bob, admin, site):
    old = [item(site.article(), f"Old {n}") for n in range(5)]
    url = site.tell(rss(*old, title="Tea & cake"), ETag='"1"')
    collection = str(uuid.uuid4())
    alice.rest("POST", "collections", {"id": collection, "name": "Feeds"})
    id = subscribe(alice, url, first_entries=2, tags=["feed", "tea"], collection_id=collection, list="archive")
    row = fetched(alice, id)
    assert (row["state"], row["title"], row["site_url"]) == ("ok", "Tea & cake", "http://127.0.0.1/")
    assert (row["saved_count"], row["failures"], row["reason"]) == (2, 0, None)
    assert titles(alice) == ["Old 0", "Old 1"] and bob.links() == []

    assert fetch_again(admin, alice, id)["saved_count"] == 2
    assert site.requests_for(url)[-1]["if-none-match"] == '"1"'
    details = (
        "<author>Ann</author><pubDate>Tue, 06 Oct 2026 06:30:00 GMT</pubDate><description>In short.</description>"
        f"<content:encoded><![CDATA[{LONG}]]></content:encoded>"
        "<enclosure url='http://127.0.0.1/tea.mp3' type='audio/mpeg' length='1'/><itunes:duration>90</itunes:duration>"
    )
    page = site.article()
    site.tell(rss(item(page, "New", details), *old), path=url.removeprefix(site.url), ETag='"2"')
    assert fetch_again(admin, alice, id)["saved_count"] == 3
    [link] = alice.links("title=eq.New")
    assert (link["raw_url"], link["list"], link["status"], link["byline"]) == (page, "archive", "unread", "Ann")
    assert (link["description"], link["published_at"]) == ("In short.", "2026-10-06T06:30:00+00:00")
    assert [link[f"enclosure_{name}"] for name in ("url", "type", "duration")] == [
        "http://127.0.0.1/tea.mp3", "audio/mpeg", 90,
    ]  # fmt: skip
    tags = alice.rest("GET", f"link_tags?link_id=eq.{link['id']}&select=tags(name)").json()
    assert sorted(tag["tags"]["name"] for tag in tags) == ["feed", "tea"]
    assert len(alice.rest("GET", f"collection_links?collection_id=eq.{collection}").json()) == 3
    # The feed has the whole article, so the page is not fetched.
    alice.settled(link["id"])
    assert "told without haste" in alice.article(link["id"])["text_content"] and site.requests_for(page) == []
    wait_until(lambda: all(link["state"] == "ready" for link in alice.links()))
    assert (
        "kept so that it can be read later" in alice.article(alice.links("title=eq.Old%200")[0]["id"])["text_content"]
    )
    # Waits behind what is saved by hand, without a batch of its own.
    done = admin.execute("select batch_id from private.done_jobs where user_id = %s", [alice.id]).fetchall()
    assert done == [(None,)] * 3 and alice.rest("GET", "batches").json() == []

    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    site.tell(rss(item(page, "New", details), *old), path=url.removeprefix(site.url), ETag='"3"')
    assert fetch_again(admin, alice, id)["saved_count"] == 3, "a deleted link stays deleted"
    assert alice.rest("DELETE", f"feeds?id=eq.{id}").status == 204 and len(alice.links()) == 2


def test_an_article_of_a_feed_has_the_language_of_its_text_or_of_the_feed(alice, site):
    arabic = "<p>قرر سكان الجزيرة يوم الاثنين عدم هدم المنارة القديمة بل الحفاظ عليها معا في السنوات القادمة.</p>" * 30
    german = (
        "<p>Die Bewohner der Insel haben am Montag beschlossen, den alten Leuchtturm gemeinsam zu erhalten.</p>" * 30
    )
    entries = [
        item(site.article(), title, f"<content:encoded><![CDATA[{text}]]></content:encoded>")
        for title, text in [("Arabic", arabic), ("German", german)]
    ]
    fetched(alice, subscribe(alice, site.tell(rss("<language>de-AT</language>", *entries))))
    for title, lang, direction in [("Arabic", "ar", "rtl"), ("German", "de-AT", "ltr")]:
        [link] = alice.links(f"title=eq.{title}")
        link = alice.settled(link["id"])
        article = alice.article(link["id"])
        assert (link["lang"], article["lang"], article["dir"]) == (lang, lang, direction)


def test_a_page_names_its_feed_and_a_permanent_redirect_moves_it(alice, admin, site):
    url = site.tell(json.dumps({
        "version": "https://jsonfeed.org/version/1.1", "title": "J",
        "items": [{"id": "1", "url": site.article(), "title": "One"}, {"id": "1", "url": site.article(), "title": "Twice"}],
    }), "application/feed+json")  # fmt: skip
    moved = site.tell("", status=301, Location=url)
    link = f"<link rel=alternate type=application/feed+json href='{moved}'>"
    page = site.tell(f"<html><head><title>A site</title>{link}</head>", "text/html")
    id = subscribe(alice, page)
    row = fetched(alice, id)
    assert (row["url"], row["state"], titles(alice)) == (url, "ok", ["One"])
    link = f"<link rel=alternate type=application/feed+json href='{url}'>"
    other = subscribe(alice, site.tell(f"<html><head><title>Another page</title>{link}</head>", "text/html"))
    row = fetched(alice, other)
    assert row["is_paused"] and "you have the feed that it names already" in row["reason"]
    temporary = site.tell("", status=302, Location=url)
    assert fetched(alice, subscribe(alice, temporary))["url"] == temporary


def test_words_decide_which_entries_are_saved(alice, admin, site):
    tagged = item(site.article(), "Another", "<category>TEA</category>")
    url = site.tell(
        rss(item(site.article(), "Tea"), item(site.article(), "Tea and ads"), item(site.article(), "No"), tagged)
    )
    row = fetched(alice, subscribe(alice, url, keep_words=["tea"], skip_words=["Ads"]))
    assert row["saved_count"] == 2 and sorted(titles(alice)) == ["Another", "Tea"]


@pytest.mark.parametrize(
    "status, headers, is_paused, seconds",
    [(500, {}, False, 3_600), (503, {"Retry_After": "90000"}, False, 90_000), (410, {}, True, 0)],
)
def test_a_failing_feed_is_fetched_less_often_and_one_that_is_gone_never(
    alice, admin, site, status, headers, is_paused, seconds
):
    id = subscribe(alice, site.tell("No", "text/plain", status, **headers))
    row = fetched(alice, id)
    assert (row["state"], row["is_paused"], row["failures"]) == ("failed", is_paused, 1) and f"{status}" in row[
        "reason"
    ]
    [(wait,)] = admin.execute(
        "select extract(epoch from next_fetch_at - last_fetched_at)::int from private.feeds where id = %s", [id]
    )
    assert is_paused or wait == seconds
    admin.execute("update private.feeds set failures = 29 where id = %s", [id])
    assert fetch_again(admin, alice, id)["state"] == "failed"
    row = wait_until(lambda: (row := feed(alice, id))["failures"] == 30 and row)
    assert row["is_paused"]
    alice.rest("PATCH", f"feeds?id=eq.{id}", {"is_paused": False})
    assert wait_until(lambda: (row := feed(alice, id))["failures"] == 1 and row)


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/feed", "http://169.254.169.254/latest", "http://[::1]:80/", "http://127.0.0.9:9/"]
)
def test_a_private_address_is_told_apart_from_no_other_failure(alice, url):
    row = fetched(alice, subscribe(alice, url))
    assert (row["state"], row["reason"]) == ("failed", "The site could not be reached.")


@pytest.mark.parametrize(
    "body, type, reason",
    [
        ("<html><title>x</title>", "text/html", "names no feed"), ("{}", "application/json", "not a feed"),
        (b"\0" * 5_000, "application/octet-stream", "not a feed"), ("", "text/xml", "not a feed"),
        ("<rss>" + " " * 10_100_000, "text/xml", "larger than 10 MB"),
    ],
    ids=["page", "JSON", "binary", "empty", "large"],
)  # fmt: skip
def test_what_is_no_feed_says_so(alice, site, body, type, reason):
    row = fetched(alice, subscribe(alice, site.tell(body, type)))
    assert row["state"] == "failed" and reason in row["reason"]


def test_a_hostile_feed_saves_no_more_than_the_limits(alice, admin, site):
    strange = [
        item("javascript:alert(1)", "No"), item("http://" + "a" * 9_000 + "/", "No"), item("urn:x", "No"),
        item(f"{site.url}/article/\u0000x", "NUL \u0000 in it"), item(site.article(), "x" * 100_000),
        "<item><link>/article/relative</link><title>&#0;&b;</title><category></category></item>",
    ]  # fmt: skip
    many = [item(f"{site.url}/article/{n}", f"{n}") for n in range(1_500)]
    url = site.tell(rss(*strange, *many, title="\u0000 " * 5_000))
    id = subscribe(alice, url, first_entries=100)
    row = fetched(alice, id)
    assert (row["state"], row["saved_count"]) == ("ok", 100)
    admin.execute("update private.feeds set last_success_at = null where id = %s", [id])
    admin.execute("delete from private.feed_entries where feed_id = %s", [id])
    admin.execute("update private.daily_counts set n = 1000 where user_id = %s and name = 'feed links'", [alice.id])
    assert fetch_again(admin, alice, id)["saved_count"] == 100, "the limit of a day"


def test_two_users_see_and_change_their_own_only(alice, bob, admin, site):
    id = subscribe(alice, site.tell(rss(item(site.article(), "Mine"))))
    fetched(alice, id)
    assert bob.rest("GET", "feeds").json() == [] and bob.rest("POST", "rpc/refresh_feed", {"id": id}).json() == []
    bob.rest("PATCH", f"feeds?id=eq.{id}", {"url": "http://127.0.0.1/x"})
    bob.rest("DELETE", f"feeds?id=eq.{id}")
    collection = str(uuid.uuid4())
    alice.rest("POST", "collections", {"id": collection, "name": "Mine"})
    url = "http://127.0.0.1:9/"
    assert bob.rest("POST", "feeds", {"url": url, "user_id": alice.id}).status == 403
    assert bob.rest("POST", "feeds", {"url": url, "collection_id": collection}).status == 409
    assert feed(alice, id)["saved_count"] == 1 and bob.links() == []


@pytest.mark.parametrize(
    "body",
    [
        {}, {"url": None}, {"url": "ftp://a.example/"}, {"url": "a.example"}, {"url": "http://"}, {"url": "http://a b/"},
        {"url": "http://" + "a" * 3_000}, {"url": "http://a.example/", "list": "x"}, {"url": "http://a.example/", "tags": "x"},
        {"url": "http://a.example/", "tags": [""]}, {"url": "http://a.example/", "tags": [None]},
        {"url": "http://a.example/", "tags": ["x" * 101]}, {"url": "http://a.example/", "tags": ["x"] * 21},
        {"url": "http://a.example/", "skip_words": [" "]}, {"url": "http://a.example/", "keep_words": ["x"] * 51},
        {"url": "http://a.example/", "first_entries": 101}, {"url": "http://a.example/", "title": "x" * 1_001},
        {"url": "http://a.example/", "state": "ok"}, {"url": "http://a.example/", "next_fetch_at": "2000-01-01"},
        {"url": "http://a.example/", "collection_id": "00000000-0000-4000-8000-000000000000"},
    ],
)  # fmt: skip
def test_a_bad_subscription_is_refused(alice, body):
    answer = alice.rest("POST", "feeds", body)
    assert 400 <= answer.status < 500 and answer.json()["message"], answer
    assert alice.rest("GET", "feeds").json() == []
    assert alice.rest("POST", "rpc/refresh_feed", {"id": "x"}).status == 400


def test_subscriptions_are_bounded_and_unique(alice, admin):
    urls = [{"url": f"http://10.0.0.1/{n}", "is_paused": True} for n in range(500)]
    assert alice.rest("POST", "feeds", urls).status == 201
    assert alice.rest("POST", "feeds", {"url": "http://10.0.0.1/x"}).json()["code"] == "LT400"
    alice.rest("DELETE", "feeds?url=like.*9")
    assert alice.rest("POST", "feeds", {"url": "http://10.0.0.1/0"}).status == 409
    assert len(alice.rest("GET", "feeds?select=id").json()) == 450


OPML = """<?xml version="1.0" encoding="ISO-8859-1"?><opml version="1.0"><body>
<outline text="News"><outline type="rss" text="A &amp; b" xmlUrl=" http://10.0.0.1/a " category="x, y"/>
<outline text="Again" xmlUrl="http://10.0.0.1/a"/><outline text="No" xmlUrl="ftp://10.0.0.1/"/></outline>
<outline text="Ü" title="" xmlUrl="http://10.0.0.1/b"/><outline text="Folder"/></body></opml>"""


def test_subscriptions_come_and_go_as_opml(alice, bob):
    added = alice.rest("POST", "rpc/import_feeds", {"opml": OPML})
    assert (added.status, added.json()) == (200, {"found": 3, "known": 0, "added": 2}), added
    rows = alice.rest("GET", "feeds?order=url&select=url,title,tags").json()
    assert [(row["url"], row["title"], sorted(row["tags"])) for row in rows] == [
        ("http://10.0.0.1/a", "A & b", ["News", "x", "y"]), ("http://10.0.0.1/b", "Ü", []),
    ]  # fmt: skip
    assert alice.rest("POST", "rpc/import_feeds", {"opml": OPML}).json() == {"found": 3, "known": 2, "added": 0}
    exported = alice.rest("GET", "rpc/export_feeds").json()
    assert bob.rest("POST", "rpc/import_feeds", {"opml": exported}).json() == {"found": 2, "known": 0, "added": 2}
    copied = bob.rest("GET", "feeds?order=url&select=url,title,tags").json()
    assert [(row["url"], row["title"], sorted(row["tags"])) for row in copied] == [
        (row["url"], row["title"], sorted(row["tags"])) for row in rows
    ]
    assert alice.rest("PATCH", "feeds?url=like.*a", {"title": "x\x01\x02"}).status == 204
    assert "x  " in alice.rest("GET", "rpc/export_feeds").json()


@pytest.mark.parametrize(
    "opml",
    [
        None, "", "text", "<opml>", "<opml/><opml/>", "<opml>&a;</opml>", "x" * 2_000_001,
        '<!DOCTYPE o [<!ENTITY a SYSTEM "file:///etc/passwd">]><opml><outline xmlUrl="http://a/&a;"/></opml>',
        "<o>" * 100_000 + "</o>" * 100_000,
    ],
    ids=["null", "empty", "text", "open", "two", "entity", "large", "type", "deep"],
)  # fmt: skip
def test_what_is_no_opml_is_refused(alice, opml):
    answer = alice.rest("POST", "rpc/import_feeds", {"opml": opml})
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer
    assert alice.rest("POST", "rpc/import_feeds", {"opml": "<opml/>"}).json() == {"found": 0, "known": 0, "added": 0}


def test_feeds_beyond_the_limit_are_counted_with_the_reason(alice):
    opml = lambda numbers: (
        "<opml><body>" + "".join(f'<outline xmlUrl="http://10.0.0.1/{n}"/>' for n in numbers) + "</body></opml>"
    )
    alice.rest("POST", "rpc/import_feeds", {"opml": opml(range(3))})
    answer = alice.rest("POST", "rpc/import_feeds", {"opml": opml(range(600))}).json()
    reason = "There are 500 subscriptions, which is the maximum."
    assert answer == {"found": 600, "known": 3, "added": 497, "refused": 100, "reason": reason}
    answer = alice.rest("POST", "rpc/import_feeds", {"opml": opml(range(600))}).json()
    assert answer == {"found": 600, "known": 500, "added": 0, "refused": 100, "reason": reason}


@pytest.mark.parametrize("document", ["<rss><chan", "<rss/>", '<?xml version="1.0"?><rss><channel><title>Cut'])
def test_a_feed_that_is_broken_fails_with_a_reason(site, alice, document):
    id = subscribe(alice, site.tell(document))
    row = fetched(alice, id)
    assert (row["state"], row["failures"]) == ("failed", 1) and "broken" in row["reason"], row


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_only_tokens_that_may_change_subscribe(alice, scope):
    headers = {"Authorization": f"Bearer {make_token(alice, scope)}", "Content-Type": "application/json"}
    send = lambda method, path, body=None: (
        alice.lectern.send(method, f"/rest/v1/{path}", headers, body and json.dumps(body)).status
    )
    assert send("POST", "feeds", {"url": "http://10.0.0.1/"}) == (201 if scope == "full" else 403)
    assert send("GET", "feeds") == (200 if scope in ("read", "full") else 403)
    assert send("POST", "rpc/refresh_feed", {"id": str(uuid.uuid4())}) == (200 if scope == "full" else 403)
    assert send("POST", "rpc/import_feeds", {"opml": OPML}) == (200 if scope == "full" else 403)
    assert send("GET", "rpc/export_feeds") == (200 if scope in ("read", "full") else 403)
    assert send("DELETE", "feeds?id=not.is.null") == (204 if scope == "full" else 403)


def test_nobody_subscribes_without_a_session(lectern):
    headers = {"apikey": lectern.anon_key, "Content-Type": "application/json"}
    for path, body in (
        ("feeds", {"url": "http://a.example/"}), ("rpc/refresh_feed", {"id": str(uuid.uuid4())}),
        ("rpc/import_feeds", {"opml": OPML}), ("rpc/export_feeds", {}), ("feeds", None),
    ):  # fmt: skip
        method = "GET" if body is None else "POST"
        status = lectern.send(method, f"/rest/v1/{path}", headers, body and json.dumps(body)).status
        assert status in (401, 403), path


def test_one_request_serves_all_users_of_a_feed_each_with_filters_of_their_own(alice, bob, admin, site):
    url = site.tell(rss())
    feeds = {alice: subscribe(alice, url, keep_words=["tea"]), bob: subscribe(bob, url, list="archive")}
    for user, id in feeds.items():
        fetched(user, id)
    requests = len(site.requests_for(url))
    new = [item(site.article(), title) for title in ("About tea", "About cups")]
    site.tell(rss(*new), path=url.removeprefix(site.url))
    admin.execute(
        "update private.feeds set next_fetch_at = now(), last_fetched_at = null where id = any (%s)",
        [[*feeds.values()]],
    )
    for user, id in feeds.items():
        fetched(user, id)
    assert len(site.requests_for(url)) == requests + 1
    assert titles(alice) == ["About tea"] and sorted(titles(bob)) == ["About cups", "About tea"]
    assert {link["list"] for link in alice.links()} == {"read"}
    assert {link["list"] for link in bob.links()} == {"archive"}


def test_a_slow_site_of_one_user_delays_another_only_a_little(alice, bob, site):
    class Slow(Handler):
        def do_GET(self):
            slow.stopping.wait()

    with WebServer(Slow) as slow:
        for n in range(20):
            subscribe(alice, f"{slow.url}/{n}")
        id = subscribe(bob, site.tell(rss(item(site.article(), "Mine"))))
        assert fetched(bob, id)["state"] == "ok"
        # Of a user, three are fetched at once, and each of these takes half a minute. A busy machine may fetch some more.
        assert [row["state"] for row in alice.rest("GET", "feeds").json()].count("new") >= 8
