"""Books of several articles: made by a query, listed with their state, served and deleted by their user only."""

import hashlib
import re
import uuid

import pytest

from support.books import basic, entries, epub_check, get, text_of, token_of, write_article
from support.client import wait_until
from support.sessions import bearer


@pytest.fixture(scope="module")
def check():
    return epub_check()


def make(user, query="", **arguments):
    answer = user.rest("POST", "rpc/make_book", {"query": query} | arguments)
    assert answer.status == 200, answer
    return answer.json()["id"]


def row(user, id):
    return user.rest("GET", f"books?id=eq.{id}").json()[0]


def made(user, id, seconds=150):
    return wait_until(lambda: (book := row(user, id))["state"] != "pending" and book, seconds)


def written(admin, user, *titles):
    """Articles, the last one saved last."""
    links = []
    for number, title in enumerate(titles):
        links.append(write_article(admin, user, f"<h2>Part of {title}</h2><p>Text of {title}</p>", title=title))
        saved_at = f"2026-01-{number + 1:02}T00:00:00Z"
        admin.execute("update public.links set created_at = %s where id = %s", (saved_at, links[-1]))
    return links


def parts(content):
    """The titles of the articles in the order of the table of contents."""
    contents, _, _ = entries(content)["OEBPS/nav.xhtml"].decode().partition("landmarks")
    return re.findall(r'href="article\d+\.xhtml">([^<]*)</a>', contents)


def test_several_articles_are_one_book_with_a_nested_table_of_contents(alice, admin, check, tmp_path):
    links = written(admin, alice, "One", "Two", "Three")
    alice.rest("POST", "highlights", {"link_id": links[1], "quote": "Text of Two", "note": "Mine"})
    id = make(alice, "-is:archived", title="My  book <b>")
    book = made(alice, id)
    assert (book["state"], book["reason"], book["links"], book["query"]) == ("ready", None, 3, "-is:archived")
    answer = get(alice, id)
    assert answer.status == 200 and answer["content-type"] == "application/epub+zip"
    assert answer["content-disposition"].startswith('attachment; filename="My book b.epub"')
    assert answer["etag"] == f'"{hashlib.sha256(answer.body).hexdigest()}"' and len(answer.body) == book["bytes"]
    assert get(alice, id, **{"If-None-Match": answer["etag"]}).status == 304
    assert check(answer.body, tmp_path) == []
    assert parts(answer.body) == ["Three", "Two", "One"]
    navigation = entries(answer.body)["OEBPS/nav.xhtml"].decode()
    assert re.search(r'Two</a><ol><li><a href="article2\.xhtml#n\d+">Part of Two</a></li></ol>', navigation)
    marked = get(alice, id, "?highlights=1")
    assert check(marked.body, tmp_path) == [] and marked["etag"] != answer["etag"]
    page = entries(marked.body)["OEBPS/article2.xhtml"]
    assert b"<mark" in page and "Mine" in text_of(page)
    assert b"<mark" not in entries(answer.body)["OEBPS/article2.xhtml"]


def test_the_order_is_that_of_the_argument_then_of_the_query(alice, admin):
    links = written(admin, alice, "B", "C", "A")
    orders = {
        (): ["A", "C", "B"],
        (("query", "sort:title"),): ["A", "B", "C"],
        (("query", "sort:title"), ("order", "oldest")): ["B", "C", "A"],
        (("order", "title"), ("links", tuple(links[:2]))): ["B", "C"],
    }
    ids = {order: make(alice, **({"query": ""} | dict(order))) for order in orders}
    for order, titles in orders.items():
        assert made(alice, ids[order])["state"] == "ready"
        assert parts(get(alice, ids[order]).body) == titles, order
    assert row(alice, ids[()])["title"] == "All articles"


def test_what_is_no_book_is_a_clear_refusal(alice, admin):
    nothing = alice.rest("POST", "rpc/make_book", {"query": "unfindable"})
    assert nothing.status == 400 and "no link with an article" in nothing.json()["message"]
    (link,) = written(admin, alice, "One")
    for body, words in [
        ({"query": "is:strange"}, "strange"),
        ({"query": "", "order": "up"}, "newest, oldest"),
        ({"query": "", "title": "x" * 501}, "500 characters"),
        ({"query": "", "links": [str(uuid.uuid4())]}, "no link with an article"),
        ({"query": "", "links": ["x"]}, ""),
        ({}, ""),
    ]:
        answer = alice.rest("POST", "rpc/make_book", body)
        assert 400 <= answer.status < 500 and words in answer.json()["message"], (body, answer)
    for method, body in [("POST", {"title": "x"}), ("PATCH", {"title": "x"})]:
        assert 400 <= alice.rest(method, "books", body).status < 500
    assert alice.rest("GET", "books").json() == []
    admin.execute(
        "insert into public.links (user_id, raw_url, state) select %s, 'https://example.org/' || n, 'ready' "
        "from generate_series(1, 500) n",
        [alice.id],
    )
    admin.execute(
        "insert into public.articles (link_id, user_id, url, content, text_content, length, word_count, extractor_version) "
        "select id, user_id, raw_url, '', '', 0, 0, 1 from public.links where user_id = %s and id <> %s",
        [alice.id, link],
    )
    many = alice.rest("POST", "rpc/make_book", {"query": ""})
    assert many.status == 400 and "more than 500" in many.json()["message"]


def test_books_are_limited_in_number_and_by_the_day(alice, admin):
    links = written(admin, alice, "One")
    admin.execute(
        "insert into private.made_books (user_id, title, query, link_ids, state) "
        "select %s, 'x', '', %s::uuid[], 'failed' from generate_series(1, 100)",
        [alice.id, links],
    )
    full = alice.rest("POST", "rpc/make_book", {"query": ""})
    assert full.status == 409 and "Delete some" in full.json()["hint"]
    assert alice.rest("DELETE", "books?state=eq.failed").status == 204
    admin.execute(
        "insert into private.daily_counts values (%s, 'books', (now() at time zone 'UTC')::date, 100)", [alice.id]
    )
    assert alice.rest("POST", "rpc/make_book", {"query": ""}).status == 429
    admin.execute("update private.daily_counts set day = day - 1 where user_id = %s", [alice.id])
    make(alice)


def test_books_of_several_articles_belong_to_their_user(alice, bob, admin):
    written(admin, alice, "One")
    written(admin, bob, "Other")
    id = make(alice)
    made(alice, id)
    assert get(bob, id).status == 404 and bob.rest("GET", "books").json() == []
    assert bob.rest("DELETE", f"books?id=eq.{id}").status in (200, 204) and get(alice, id).status == 200
    assert bob.rest("POST", "rpc/make_book", {"query": "", "links": [row(alice, id)["id"]]}).status == 400
    send = alice.lectern.send
    for scope in ["read", "full", "feed"]:
        token = token_of(alice, scope)
        assert send("GET", f"/books/{id}.epub", basic(alice.email, token)).status == 200
        assert send("GET", f"/books/{id}.epub", bearer(token_of(bob, scope))).status == 404
    feed = token_of(alice, "feed")
    assert send("GET", f"/opds/t/{feed}/books/{id}.epub", {}).status == 200
    assert send("GET", f"/opds/t/{token_of(bob, 'feed')}/books/{id}.epub", {}).status == 404
    assert f"/opds/t/{feed}/books/{id}.epub" in send("GET", f"/opds/t/{feed}/books", {}).body.decode()
    assert id not in send("GET", "/opds/books", basic(bob.email, token_of(bob, "read"))).body.decode()
    assert send("GET", f"/opds/t/{feed}/books?page=9", {}).status == 400
    assert send("GET", f"/books/{id}.epub", bearer(token_of(alice, "save"))).status == 403
    key = {"apikey": alice.lectern.anon_key}
    for method, target, body in [("POST", "rpc/make_book", '{"query": ""}'), ("GET", "books", None)]:
        assert send(method, f"/rest/v1/{target}", key, body).status in (401, 403, 404)
        for scope in ["save", "feed", *(["read"] if method == "POST" else [])]:
            assert send(method, f"/rest/v1/{target}", key | bearer(token_of(alice, scope)), body).status == 403


def test_a_deleted_book_is_gone_and_one_without_articles_says_why(alice, admin):
    (link,) = written(admin, alice, "One")
    id = make(alice)
    made(alice, id)
    assert alice.rest("DELETE", f"books?id=eq.{id}").status == 204
    assert get(alice, id).status == 404
    with admin.transaction():
        admin.execute(
            "insert into private.made_books (id, user_id, title, query, link_ids) values (%s, %s, 'x', '', %s::uuid[])",
            [id, alice.id, [str(uuid.uuid4())]],
        )
    book = made(alice, id)
    assert (book["state"], book["reason"]) == ("failed", "None of its articles exists any more.")


def test_a_book_that_the_server_cannot_make_fails_with_a_reason(alice, admin):
    (link,) = written(admin, alice, "One")
    ids = [str(uuid.uuid4()) for _ in "ab"]
    # As after a third attempt during which the process died.
    admin.execute(
        "insert into private.made_books (id, user_id, title, query, link_ids, state, attempts, leased_until) "
        "values (%s, %s, 'x', '', array[%s]::uuid[], 'running', 3, now() - interval '1 second')",
        [ids[0], alice.id, link],
    )
    book = made(alice, ids[0])
    assert (book["state"], book["reason"]) == ("failed", "The server failed to make the book. Make it again later.")
    assert get(alice, ids[0]).status == 404
    # A first attempt that was interrupted is followed by another one.
    admin.execute(
        "insert into private.made_books (id, user_id, title, query, link_ids, state, attempts, leased_until) "
        "values (%s, %s, 'x', '', array[%s]::uuid[], 'running', 1, now() - interval '1 second')",
        [ids[1], alice.id, link],
    )
    assert made(alice, ids[1])["state"] == "ready" and get(alice, ids[1]).status == 200
