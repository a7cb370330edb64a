"""The first minutes of a user: sign up, save a link, see it at once, read it soon after."""

import html
import json
import re

import psycopg
import pytest

from support.client import encoded, free_port, wait_until

# Pages of three kinds of sites, whose articles every extractor finds.
PAGES = ["002", "medium-2", "wikipedia"]


def test_a_saved_link_is_in_the_list_at_once(alice, website):
    # The site does not send the page before the test has looked.
    url = f"{website.url}/held/at-once"
    saved = alice.save(url)
    first = alice.links("select=*&order=updated_at.desc.nullslast,id.desc&limit=15")[0]
    assert first["id"] == saved["id"] and first["raw_url"] == url and first["list"] == "read"
    assert first["state"] == "pending" and first["title"] is None
    assert first["created_at"] == first["updated_at"]
    website.gates["at-once"].release()


@pytest.mark.parametrize("name", PAGES)
def test_within_seconds_the_link_has_its_url_title_and_article(alice, website, name):
    saved = alice.save(f"{website.url}/pages/{name}")
    link = alice.settled(saved["id"])
    assert link["state"] == "ready" and link["reason"] is None
    assert link["resolved_url"] == link["raw_url"]
    expected = json.loads((website.pages / name / "expected-metadata.json").read_text())
    assert expected["title"] in link["title"] or link["title"] in expected["title"]

    article = alice.article(saved["id"])
    assert article["word_count"] == link["word_count"] > 300 and article["source"] == "server"
    assert article["length"] == len(article["text_content"].encode("utf-16-le")) // 2
    reference = (website.pages / name / "expected.html").read_text()
    assert len(words_in(article["content"]) & words_in(reference)) > 0.8 * len(words_in(reference))


def words_in(markup):
    return set(re.findall(r"\w{4,}", html.unescape(re.sub(r"<[^>]*>", " ", markup))))


def test_other_users_do_not_see_the_link(alice, bob, website):
    id = alice.settled(alice.save(f"{website.url}/article?private")["id"])["id"]
    assert alice.article(id)
    for target in ["links", f"links?id=eq.{id}", "articles", f"articles?link_id=eq.{id}"]:
        assert bob.rest("GET", target).json() == []
    assert bob.rest("PATCH", f"links?id=eq.{id}", {"title": "mine now"}, Prefer="return=representation").json() == []
    assert bob.rest("DELETE", f"links?id=eq.{id}", Prefer="return=representation").json() == []
    assert alice.link(id)["title"] == "A day at the lectern"


def test_two_users_can_save_the_same_page_without_learning_of_each_other(alice, bob, website):
    url = f"{website.url}/article?shared"
    assert alice.save(url)["id"] != bob.save(url)["id"]


@pytest.mark.parametrize("hops", [1, 5, 10])
def test_redirects_are_followed_to_the_page(alice, website, hops):
    link = alice.settled(alice.save(f"{website.url}/redirect/{hops}/article")["id"])
    assert link["resolved_url"] == f"{website.url}/article" and link["title"] == "A day at the lectern"
    assert link["raw_url"] == f"{website.url}/redirect/{hops}/article"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/gone", "http_error"),
        ("/redirect/11/article", "too_many_redirects"),
        ("/loop", "too_many_redirects"),
        ("/endless", "too_large"),
        ("/file-scheme", "blocked_scheme"),
    ],
)
def test_a_page_that_cannot_be_fetched_has_a_reason(alice, website, path, reason):
    link = alice.settled(alice.save(website.url + path)["id"])
    assert link["state"] == "failed" and link["reason"] == reason and alice.article(link["id"]) is None
    assert re.fullmatch(r"[A-Z][^<>{}]{10,200}\.", link["reason_message"])


def test_a_text_that_is_not_a_web_url_is_kept_with_a_reason(alice):
    link = alice.settled(alice.save("not a url at all")["id"])
    assert link["state"] == "failed" and link["reason"] in ("invalid_url", "blocked_scheme")
    assert link["raw_url"] == "not a url at all"


def test_private_addresses_look_like_unreachable_sites(lectern, alice, website):
    """The settings open 127.0.0.1 only, and redirects lead nowhere else. Only the admin sees the true reason."""
    causes = {
        f"http://127.0.0.2:{website.server.server_port}/article": "blocked_address",
        f"{website.url}/inward": "blocked_address",
        "http://[::1]/": "blocked_address",
        "http://169.254.169.254/latest/meta-data/": "blocked_address",
        f"http://127.0.0.1:{free_port()}/nobody": "connection_failed",
        "http://nowhere.invalid/": "dns_error",
    }
    saved = {url: alice.save(url)["id"] for url in causes}
    for id in saved.values():
        link = wait_until(lambda: (now := alice.link(id))["reason"] and now)
        assert (link["reason"], link["reason_message"]) == ("connection_failed", "The site could not be reached.")
    for id in saved.values():
        link = alice.settled(id)
        assert (link["state"], link["reason"], link["reason_message"]) == (
            "failed",
            "connection_failed",
            "The site could not be reached.",
        )
    with psycopg.connect(lectern.database_url) as admin:
        known = admin.execute(
            "select raw_url, jobs.state, jobs.reason, attempts from private.jobs "
            "join public.links on links.id = link_id where links.user_id = %s and raw_url = any(%s)",
            (alice.id, list(causes)),
        ).fetchall()
    assert {row[0]: row[1:] for row in known} == {url: ("buried", cause, 2) for url, cause in causes.items()}


def test_a_page_without_an_article_is_ready_with_a_reason(alice, website):
    binary, empty = alice.save(f"{website.url}/binary/report.bin"), alice.save(f"{website.url}/empty")
    binary, empty = alice.settled(binary["id"]), alice.settled(empty["id"])
    assert (binary["state"], binary["reason"], binary["title"]) == ("ready", "not_html", "report.bin")
    assert (empty["state"], empty["reason"]) == ("ready", "no_article") and empty["reason_message"].endswith(".")


def test_a_failing_site_is_retried_automatically(alice, website):
    link = alice.settled(alice.save(f"{website.url}/error500-then-ok/by-itself")["id"])
    assert (link["state"], link["reason"], link["title"]) == ("ready", None, "Back again")
    assert website.visits["/error500-then-ok/by-itself"] == 2


def test_a_failed_page_is_retried_when_its_owner_asks(alice, website):
    saved = alice.save(f"{website.url}/gone/for-now")
    assert alice.settled(saved["id"])["state"] == "failed"
    answer = alice.rest("PATCH", f"links?id=eq.{saved['id']}", {"state": "pending"}, Prefer="return=representation")
    assert answer.json()[0]["state"] == "pending" and answer.json()[0]["reason_message"] is None
    assert alice.settled(saved["id"])["state"] == "failed"
    assert website.visits["/gone/for-now"] == 2


def test_a_client_cannot_set_the_state_of_a_link(alice, website):
    """`pending` requests a retry; only the server sets other states."""
    link = alice.settled(alice.save(f"{website.url}/gone/really")["id"])
    for claim in [{"state": "ready"}, {"reason": "fine"}, {"reason_message": "All is well."}]:
        assert alice.rest("PATCH", f"links?id=eq.{link['id']}", claim).status in (204, 400, 403)
    now = alice.link(link["id"])
    assert (now["state"], now["reason"], now["reason_message"]) == (
        link["state"],
        link["reason"],
        link["reason_message"],
    )


def test_the_servers_work_does_not_reorder_the_list(alice, website):
    older, newer = alice.save(f"{website.url}/slow?older"), alice.save(f"{website.url}/gone?newer")
    for saved in (older, newer):
        link = alice.settled(saved["id"])
        assert link["updated_at"] == saved["updated_at"] == link["created_at"]
    assert [link["id"] for link in alice.links("order=updated_at.desc.nullslast,id.desc")] == [newer["id"], older["id"]]


def test_values_written_by_the_client_are_never_overwritten(alice, website):
    saved = alice.save(f"{website.url}/article?mine", title="⭐ Mine", description="My words")
    link = alice.settled(saved["id"])
    assert (link["title"], link["description"]) == ("⭐ Mine", "My words")
    assert alice.article(link["id"])["title"] == "A day at the lectern"


def test_the_saved_url_is_kept_unchanged(alice, website):
    url = f"{website.url}/article/?b=2&a=1&utm_source=x#:~:text=peace,%20and+perhaps é"
    saved = alice.save(url)
    link = alice.settled(saved["id"])
    assert link["raw_url"] == url
    assert link["state"] == "ready" and "utm_source" not in link["resolved_url"]
    assert alice.links(f"raw_url=eq.{encoded(url)}&select=id") == [{"id": saved["id"]}]


def test_a_compressed_page_is_unpacked(alice, website):
    link = alice.settled(alice.save(f"{website.url}/gzip/002")["id"])
    assert link["title"].startswith("This API is so Fetching!") and link["word_count"] > 300


@pytest.mark.parametrize(
    ("name", "title"),
    [("latin-1", "Größe und Maß – «voilà»"), ("shift_jis", "海はなぜ塩辛いのか"), ("utf-16", "Größe 海 и море")],
)
@pytest.mark.parametrize("where", ["header", "meta"])
def test_a_page_in_any_encoding_is_readable(alice, website, name, where, title):
    saved = alice.save(f"{website.url}/charset/{name}/{where}")
    assert alice.settled(saved["id"])["title"] == title
    assert alice.article(saved["id"])["text_content"].count(title) >= 8


def test_entities_in_titles_are_decoded(alice, website):
    link = alice.settled(alice.save(f"{website.url}/title-entities")["id"])
    assert link["title"] == 'Fish & Chips — "café" <b>'
    assert link["description"] == "5 > 4, and so on"


def test_an_article_holds_no_active_content(alice, website):
    saved = alice.save(f"{website.url}/hostile")
    assert alice.settled(saved["id"])["state"] == "ready"
    content = alice.article(saved["id"])["content"].lower()
    for tooth in ["<script", "onerror", "onclick", "javascript:", "style=", "<form", "<input", "<iframe"]:
        assert tooth not in content


def test_urls_in_an_article_are_absolute(alice, website):
    saved = alice.save(f"{website.url}/picture-article")
    alice.settled(saved["id"])
    content = alice.article(saved["id"])["content"]
    assert f'src="{website.url}/lighthouse.png"' in content and f'href="{website.url}/article"' in content
