"""Metadata, from the page to the columns of its link."""

import base64
import uuid

import pytest

from support.client import encoded, wait_until
from support.deduplication import BY_URL, MERGE, merges, post, unmerge

HEAD = """<title>The harbour freezes over | Tidewater</title><meta property="og:title" content="The harbour freezes over">
<meta property="og:site_name" content="Tidewater"><meta name="author" content="By Ann Lee, Staff Reporter">
<meta property="article:published_time" content="6 May 2024, 7:08 a.m. EDT"><meta property="og:audio" content="/sound.mp3">
<meta property="music:duration" content="90"><meta property="og:image" content="/harbour.jpg">
<link rel="icon" href="/sign.png">"""
SOUND = ("enclosure_url", "enclosure_type", "enclosure_duration")


def page(site, head=HEAD, name=None):
    return f"{site.url}/head/{base64.urlsafe_b64encode(head.encode()).decode()}/{name or uuid.uuid4().hex[:8]}"


def enclosure(link):
    return tuple(link[name] for name in SOUND)


def test_a_saved_page_gets_its_columns(alice, bob, website):
    link = alice.settled(alice.save(page(website))["id"])
    assert (link["title"], link["site_name"], link["byline"], link["lang"]) == (
        "The harbour freezes over",
        "Tidewater",
        "Ann Lee",
        "en",
    )
    assert link["published_at"].startswith("2024-05-06T11:08:00") and link["kind"] == "article"
    assert enclosure(link) == (f"{website.url}/sound.mp3", "audio/mpeg", 90)
    assert (
        link["reading_time"] >= 2
        and link["image"] == f"{website.url}/harbour.jpg"
        and link["icon"] == f"{website.url}/sign.png"
    )
    article = alice.article(link["id"])
    assert (article["byline"], article["title"], article["reading_time"]) == (
        "Ann Lee",
        "The harbour freezes over",
        link["reading_time"],
    )
    assert article["published_at"] == link["published_at"] and article["published_time"] == "6 May 2024, 7:08 a.m. EDT"
    # Other users see nothing of it.
    assert bob.links(f"select=kind,byline,enclosure_url&id=eq.{link['id']}") == []
    assert (
        bob.rest("PATCH", f"links?id=eq.{link['id']}", {"byline": "Bob"}, Prefer="return=representation").json() == []
    )
    assert alice.link(link["id"])["byline"] == "Ann Lee"


def test_false_metadata_is_bounded(alice, website):
    head = (
        f"<title>{'Endless ' * 3000}</title><meta property='article:published_time' content='99999-12-31'>"
        "<meta property='og:audio' content='javascript:alert(1)//.mp3'><meta property='music:duration' content='-1e99'>"
        "<meta name=author content='&lt;script&gt;alert(1)&lt;/script&gt; Ann Lee'>"
    )
    link = alice.settled(alice.save(page(website, head))["id"])
    assert link["state"] == "ready" and len(link["title"]) <= 1000
    assert link["published_at"] is None and enclosure(link) == (None, None, None)
    assert alice.article(link["id"])["reading_time"] >= 2


def test_a_new_url_clears_the_metadata_of_the_old_page(alice, website):
    link = alice.settled(alice.save(page(website))["id"])
    answer = alice.rest(
        "PATCH", f"links?id=eq.{link['id']}", {"raw_url": "http://127.0.0.2/gone"}, Prefer="return=representation"
    )
    [changed] = answer.json()
    assert [changed[name] for name in ("kind", "byline", "published_at", "reading_time", "icon", *SOUND)] == [None] * 8


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "nonsense"},
        {"enclosure_url": "javascript:alert(1)"},
        {"enclosure_type": "audio/mpeg"},
        {"reading_time": 0},
        {"enclosure_url": "https://a.example/a.mp3", "enclosure_duration": -1},
    ],
)
def test_the_database_refuses_impossible_values(alice, wrong):
    assert post(alice, {"raw_url": f"http://127.0.0.2/{uuid.uuid4().hex}"} | wrong).json()["code"] == "23514"


def test_a_merge_takes_over_an_enclosure_as_a_whole_and_unmerge_restores_it(alice, website):
    target = page(website, "<title>x</title>")
    first = alice.settled(alice.save(target)["id"])
    second = alice.save(
        f"{website.url}/to/{uuid.uuid4().hex[:8]}?url={encoded(target)}",
        enclosure_url="https://a.example/a.ogg",
        enclosure_type="audio/ogg",
        byline="Bo Ek",
    )
    wait_until(lambda: len(merges(alice)) == 1)
    kept = wait_until(lambda: (link := alice.link(first["id"]))["state"] == "ready" and link)
    assert enclosure(kept) == ("https://a.example/a.ogg", "audio/ogg", None) and kept["byline"] == "Bo Ek"
    unmerge(alice, merges(alice)[0]["id"])
    assert enclosure(alice.link(first["id"])) == (None, None, None) and alice.link(first["id"])["byline"] is None
    assert enclosure(alice.link(second["id"])) == ("https://a.example/a.ogg", "audio/ogg", None)


def test_an_enclosure_that_was_changed_since_stays_whole(alice, website):
    target = page(website, "<title>x</title>")
    first = alice.settled(alice.save(target)["id"])
    alice.save(
        f"{website.url}/to/{uuid.uuid4().hex[:8]}?url={encoded(target)}",
        enclosure_url="https://a.example/a.ogg",
        enclosure_type="audio/ogg",
        enclosure_duration=60,
    )
    wait_until(lambda: len(merges(alice)) == 1)
    alice.rest("PATCH", f"links?id=eq.{first['id']}", {"enclosure_url": "https://a.example/better.ogg"})
    unmerge(alice, merges(alice)[0]["id"])
    assert enclosure(alice.link(first["id"])) == ("https://a.example/better.ogg", "audio/ogg", 60)


def test_saving_again_fills_empty_columns(alice):
    url = f"http://127.0.0.2/{uuid.uuid4().hex}"
    post(alice, {"raw_url": url, "enclosure_url": "https://a.example/a.mp3"})
    [row] = post(
        alice,
        {
            "raw_url": url + "?utm_source=x",
            "byline": "Ann Lee",
            "enclosure_url": "https://a.example/b.ogg",
            "enclosure_type": "audio/ogg",
        },
    ).json()
    assert row["byline"] == "Ann Lee" and enclosure(row) == ("https://a.example/a.mp3", None, None)
    assert post(alice, {"raw_url": url, "kind": "audio"}, MERGE, target=BY_URL).json()[0]["kind"] == "audio"


def test_a_restored_link_has_all_its_columns_again(alice, website):
    link = alice.settled(alice.save(page(website))["id"])
    before, article = alice.link(link["id"]), alice.article(link["id"])
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).json() == [before]
    assert alice.article(link["id"]) == article
