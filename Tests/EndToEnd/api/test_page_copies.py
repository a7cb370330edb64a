"""Copies of pages as the browser showed them: who may keep one, who sees it, and that it runs and loads nothing."""

import uuid

import pytest

from support.client import wait_until
from support.feeds import make_token
from support.sessions import bearer

COPY = "<!doctype html><title>Kept</title><style>p { color: red }</style><p>As it looked: \u00e4\u2713</p>"
# The most bytes that a copy may have.
MAX_BYTES = 10_485_760


@pytest.fixture
def link(alice):
    return alice.save("http://127.0.0.9:9/page")["id"]


def save_copy(user, link, html=COPY, **headers):
    return user.rest("POST", "rpc/save_copy?select=id,state", {"link": link, "html": html}, **headers)


def copies(user, link, token=None):
    return user.lectern.send("GET", f"/auth/v1/copies?link={link}", {**user.headers, **bearer(token or user.token)})


def copy_of(user, link):
    [copy] = copies(user, link).json()
    return copy


def stored(admin, link):
    return admin.execute("select html from private.page_copies where link_id = %s", [link]).fetchone()


def test_a_copy_is_kept_replaced_and_opened_by_its_signed_address(alice, link):
    assert copies(alice, link).json() == []
    answer = save_copy(alice, link)
    assert answer.status == 200 and [row["id"] for row in answer.json()] == [link]
    known = copy_of(alice, link)
    assert known["bytes"] == len(COPY.encode()) and known["taken_at"].endswith("Z")
    page = alice.lectern.send("GET", known["url"])
    assert (page.status, page.body.decode()) == (200, COPY)
    assert alice.lectern.send("HEAD", known["url"]).status == 200
    save_copy(alice, link, "<p>Newer")
    assert alice.lectern.send("GET", copy_of(alice, link)["url"]).body == b"<p>Newer"


def test_a_copy_runs_and_loads_nothing(alice, link):
    save_copy(alice, link, "<script>1</script>")
    page = alice.lectern.send("GET", copy_of(alice, link)["url"])
    assert page["content-type"] == "text/html; charset=utf-8" and page["x-content-type-options"] == "nosniff"
    rules = dict(rule.strip().partition(" ")[::2] for rule in page["content-security-policy"].split(";"))
    assert rules == {
        "sandbox": "",
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "font-src": "data:",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert page["referrer-policy"] == "no-referrer" and page["cache-control"] == "no-store"
    assert page["cross-origin-resource-policy"] == "same-origin" and page["cross-origin-opener-policy"] is None


def test_an_address_with_another_link_time_or_signature_opens_nothing(alice, link):
    other = alice.save("http://127.0.0.9:9/other")["id"]
    for each in (link, other):
        save_copy(alice, each)
    url = copy_of(alice, link)["url"]
    path, query = url.split("?")
    expires, signature = query.split("&")
    for wrong in (
        path,
        url.replace(link, other),
        f"{path}?expires=99999999999&{signature}",
        f"{path}?expires=x&{signature}",
        f"{path}?{expires}&signature=",
        f"{path}?{expires}&{signature}x",
        f"/auth/v1/copies/no-link/file?{query}",
        url.replace("copies", "exports"),
    ):
        assert alice.lectern.send("GET", wrong).status == 404, wrong
    alice.rest("DELETE", f"links?id=eq.{link}")
    assert alice.lectern.send("GET", url).status == 404


def test_another_user_neither_sees_nor_keeps_a_copy_of_a_link(alice, bob, link, admin):
    save_copy(alice, link)
    assert copies(bob, link).json() == []
    answer = save_copy(bob, link, "<p>Mine")
    assert (answer.status, answer.json()["message"]) == (400, "There is no such link.")
    assert stored(admin, link) == (COPY,)
    for headers in ({}, {"apikey": alice.lectern.anon_key}):
        assert alice.lectern.send("GET", f"/auth/v1/copies?link={link}", headers).status == 401
    for wrong in ("", "?link=", "?link=x", f"?link={link}x"):
        assert alice.lectern.send("GET", f"/auth/v1/copies{wrong}", alice.headers).status == 400
    unknown = alice.lectern.send(
        "POST", "/rest/v1/rpc/save_copy", {"apikey": alice.lectern.anon_key, "Content-Type": "application/json"}, "{}"
    )
    assert unknown.status in (401, 404)


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_the_scope_of_a_token_decides_about_copies(alice, link, admin, scope):
    token = make_token(alice, scope)
    kept = save_copy(alice, link, Authorization=f"Bearer {token}")
    assert kept.status == (200 if scope in ("save", "full") else 403), kept
    if scope == "save":
        # It adds and replaces nothing.
        save_copy(alice, link, "<p>Other", Authorization=f"Bearer {token}")
    if scope in ("read", "feed"):
        save_copy(alice, link)
    assert stored(admin, link) == (COPY,)
    told = copies(alice, link, token)
    assert told.status == (200 if scope in ("read", "full") else 403), told


@pytest.mark.parametrize(
    "change",
    [
        {"link": None, "html": None},
        {"link": "no link"},
        {"link": str(uuid.UUID(int=0))},
        {"link": None},
        {"html": None},
        {"html": "a\0b"},
        {"more": 1},
        {"html": "x" * (MAX_BYTES + 1)},
    ],
    ids=["empty", "no-id", "unknown", "no-link", "null", "nul", "more", "large"],
)
def test_bad_input_is_refused(alice, link, change, admin):
    answer = alice.rest("POST", "rpc/save_copy", {"link": link, "html": "<p>"} | change)
    assert 400 <= answer.status < 500 and answer.json()["message"], answer
    assert stored(admin, link) is None


def test_a_copy_counts_as_storage_and_goes_with_its_link(alice, link, admin):
    used = lambda: admin.execute("select private.stored_bytes(%s)", [alice.id]).fetchone()[0]
    # The reason why its page was not fetched counts, too.
    alice.settled(link)
    before = used()
    save_copy(alice, link, "x" * 100_000)
    assert used() - before == 100_100
    alice.rest("DELETE", f"links?id=eq.{link}")
    assert stored(admin, link) is None
    alice.rest("POST", "rpc/restore_link", {"link_id": link})
    assert stored(admin, link) == ("x" * 100_000,)
    alice.rest("DELETE", f"links?id=eq.{link}")
    alice.rest("DELETE", "trash?link_id=eq." + link)
    wait_until(lambda: used() < before)


def test_a_merged_link_gives_its_copy_to_the_one_that_stays(alice, admin):
    first, second = (alice.save(f"http://127.0.0.9:9/{name}")["id"] for name in ("first", "second"))
    save_copy(alice, second)
    admin.execute("select rest.merge_links(%s, %s, 'clean-up')", [first, second])
    assert stored(admin, first) == (COPY,)


@pytest.mark.parametrize("both", [False, True])
def test_undoing_a_merge_gives_each_link_its_own_copy_again(alice, admin, both):
    first, second = [alice.save(f"http://127.0.0.9:9/{name}")["id"] for name in ("first", "second")]
    if both:
        save_copy(alice, first, "<p>First")
    save_copy(alice, second, "<p>Second")
    [merge] = admin.execute("select rest.merge_links(%s, %s, 'clean-up')", [first, second]).fetchone()
    assert stored(admin, first) == ("<p>First" if both else "<p>Second",)
    assert alice.rest("POST", "rpc/unmerge", {"merge_id": str(merge)}).status == 200
    assert stored(admin, first) == (("<p>First",) if both else None)
    assert stored(admin, second) == ("<p>Second",)
