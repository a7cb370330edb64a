"""The OPDS catalog for e-readers."""

import base64
import io
import uuid
import zipfile
from urllib.parse import urljoin, urlsplit

import feedparser
import pytest

from support import service
from support.client import encoded, wait_until
from support.feeds import ATOM, DC, addresses, get, make_token, root, titles
from support.searching import add_collection, add_link, follow_up_done, index_texts

CHALLENGE = 'Basic realm="Lectern"'
NAVIGATION = "application/atom+xml;profile=opds-catalog;kind=navigation"
ACQUISITION = "application/atom+xml;profile=opds-catalog;kind=acquisition"
PAGES = [
    "",
    "/unread",
    "/archive",
    "/starred",
    "/newest",
    "/tags",
    "/collections",
    "/search?q=a",
    "/books",
    "/opensearch.xml",
]


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def token(alice):
    return make_token(alice)


def basic(email, token):
    return {"Authorization": "Basic " + base64.b64encode(f"{email}:{token}".encode()).decode()}


def catalog(user, token, path="", **headers):
    return get(user.lectern, f"/opds/t/{token}{path}", **headers)


def pages(user, start):
    """Every page of a catalog that links lead to, as an e-reader opens them: address → root element."""
    known, waiting = {}, [start]
    while waiting:
        address = waiting.pop()
        if address in known:
            continue
        parts = urlsplit(address)
        answer = get(user.lectern, parts.path + (f"?{parts.query}" if parts.query else ""))
        known[address] = root(answer)
        assert not feedparser.parse(answer.body).bozo
        for link in known[address].iter(f"{ATOM}link"):
            if link.get("type", "").startswith("application/atom+xml"):
                waiting.append(urljoin(address, link.get("href")))
    return known


# What the catalog lists


def test_a_reader_finds_every_list_from_the_root(admin, alice, token):
    ids = {
        name: add_link(admin, alice, title=name, text="text", **columns)
        for name, columns in {"plain": {}, "starred": {"is_starred": True}, "archived": {"list": "archive"}}.items()
    }
    add_link(admin, alice, title="without article")
    alice.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": "x/y & z"})
    alice.rest("POST", "link_tags", {"link_id": ids["plain"], "tag_id": tag})
    outer = add_collection(alice, "Outer")
    inner = add_collection(alice, "Inner", parent_id=outer)
    alice.rest("POST", "collection_links", {"collection_id": inner, "link_id": ids["starred"]})
    start = f"{alice.lectern.url}/opds/t/{token}"
    known = pages(alice, start)
    found = {address.removeprefix(start): titles(page) for address, page in known.items()}
    lists = ["Unread", "Newest", "Starred", "Archive", "Tags", "Collections", "Books"]
    assert found.pop("") == lists and found.pop("/tags") == ["x/y & z"]
    assert found.pop("/collections") == ["Outer", "Outer / Inner"]
    assert found == {
        "/unread": ["starred", "plain"],
        "/newest": ["archived", "starred", "plain"],
        "/starred": ["starred"],
        "/archive": ["archived"],
        f"/tags/{tag}": ["plain"],
        f"/collections/{outer}": ["starred"],
        f"/collections/{inner}": ["starred"],
        "/books": [],
    }
    counts = [
        link.get("{http://purl.org/syndication/thread/1.0}count") for link in known[f"{start}/tags"].iter(f"{ATOM}link")
    ]
    assert "1" in counts


def test_an_article_has_its_book_and_its_metadata(admin, alice, token):
    link = add_link(
        admin, alice, "http://127.0.0.2/a", title="Tea", text="text", lang="de_AT", byline="Ann", site_name="A site",
        description="About", published_at="2020-01-02T03:04:05Z",
    )  # fmt: skip
    follow_up_done(admin, alice)
    answer = catalog(alice, token, "/newest")
    assert answer["content-type"] == f"{ACQUISITION};charset=utf-8"
    entry = root(answer).find(f"{ATOM}entry")
    url = alice.lectern.url
    assert entry.findtext(f"{ATOM}id") == f"urn:uuid:{link}" and entry.findtext(f"{ATOM}summary") == "About"
    assert entry.find(f"{ATOM}author").findtext(f"{ATOM}name") == "Ann"
    facts = {name: entry.findtext(DC + name) for name in ["language", "publisher", "issued", "source"]}
    assert facts == {
        "language": "de-AT",
        "publisher": "A site",
        "issued": "2020-01-02T03:04:05Z",
        "source": "http://127.0.0.2/a",
    }
    book = next(one for one in entry.iter(f"{ATOM}link") if one.get("rel") == "http://opds-spec.org/acquisition")
    assert (book.get("type"), book.get("href")) == ("application/epub+zip", f"{url}/opds/t/{token}/books/{link}.epub")
    for relation in ("image", "image/thumbnail"):
        assert addresses(entry, f"http://opds-spec.org/{relation}") == [f"{url}/opds/t/{token}/books/{link}.jpg"]
    # Without a token in the path, books are below /books/.
    entry = root(get(alice.lectern, "/opds/newest", **basic(alice.email, token)))
    assert addresses(entry, "http://opds-spec.org/acquisition") == [f"{url}/books/{link}.epub"]
    assert addresses(entry, "http://opds-spec.org/image") == [f"{url}/books/{link}.jpg"]


def test_a_reader_opens_the_book_of_an_article(alice, bob, token):
    body = {"url": "http://127.0.0.2/book", "title": "A book", "html": f"<h1>A book</h1><p>{'It is kept. ' * 200}</p>"}
    link = alice.settled(alice.rest("POST", "rpc/save_page", body).json()[0]["id"])["id"]
    [address] = addresses(root(catalog(alice, token, "/newest")), "http://opds-spec.org/acquisition")
    path = address.removeprefix(alice.lectern.url)
    book = wait_until(lambda: (answer := get(alice.lectern, path)).status == 200 and answer)
    assert book["content-type"] == "application/epub+zip" and book.body[:2] == b"PK"
    assert get(alice.lectern, f"/books/{link}.epub", **basic(alice.email, token)).body == book.body
    assert get(alice.lectern, path, If_None_Match=book["etag"]).status == 304
    [address] = addresses(root(catalog(alice, token, "/newest")), "http://opds-spec.org/image/thumbnail")
    cover = get(alice.lectern, address.removeprefix(alice.lectern.url))
    assert (cover.status, cover["content-type"], cover.body[:3]) == (200, "image/jpeg", b"\xff\xd8\xff")
    with zipfile.ZipFile(io.BytesIO(book.body)) as archive:
        assert archive.read("OEBPS/images/cover.jpg") == cover.body
    assert get(alice.lectern, f"/books/{link}.jpg", **basic(alice.email, token)).body == cover.body
    assert (
        get(alice.lectern, f"/books/{link}.jpg", If_None_Match=cover["etag"], **basic(alice.email, token)).status == 304
    )
    for ending in ["epub", "jpg"]:
        path = f"/books/{link}.{ending}"
        assert get(alice.lectern, path, **basic(bob.email, make_token(bob))).status == 404
        assert get(alice.lectern, path).status == 401
        assert catalog(bob, make_token(bob), path).status == 404
        for scope in ["read", "save", "full"]:
            assert catalog(alice, make_token(alice, scope), path).status == 403
        assert get(alice.lectern, f"/opds{path}", **basic(alice.email, token)).status == 404


def test_long_lists_come_in_pages_of_fifty(admin, alice, token):
    with admin.transaction():
        for number in range(101):
            add_link(admin, alice, title=str(number), text="x", created_at=f"2026-01-01T00:00:00.{number:03}Z")
    path, found = "/unread", []
    for size in [50, 50, 1]:
        page = root(catalog(alice, token, path))
        assert len(titles(page)) == size
        found += titles(page)
        path = "".join(addresses(page, "next")).removeprefix(f"{alice.lectern.url}/opds/t/{token}")
    assert found == [str(100 - number) for number in range(101)] and path == ""
    for cursor in ["x", encoded("{}"), "a" * 10_000]:
        assert catalog(alice, token, f"/unread?cursor={cursor}").status == 400


def test_a_reader_searches(admin, alice, token):
    for number in range(51):
        add_link(admin, alice, title=f"Größe {number}", text="words")
    add_link(admin, alice, title="other", text="text")
    index_texts(admin, alice)
    description = root(catalog(alice, token, "/opensearch.xml"))
    space = "{http://a9.com/-/spec/opensearch/1.1/}"
    template = next(
        one.get("template") for one in description.iter(f"{space}Url") if one.get("type").startswith(ACQUISITION)
    )
    address = template.replace("{searchTerms}", encoded('größe "words"')).removeprefix(alice.lectern.url)
    page = root(get(alice.lectern, address))
    assert len(titles(page)) == 50 and all("Größe" in title for title in titles(page))
    [following] = addresses(page, "next")
    assert len(titles(root(get(alice.lectern, following.removeprefix(alice.lectern.url))))) == 1
    assert titles(root(catalog(alice, token, "/search?q=is:archived"))) == []
    assert catalog(alice, token, "/search?q=kind:nothing").status == 400


def test_a_page_that_has_not_changed_is_304(admin, alice, token):
    add_link(admin, alice, title="a", text="x")
    follow_up_done(admin, alice)
    for path in PAGES[:-1]:
        tag = catalog(alice, token, path)["etag"]
        assert catalog(alice, token, path, If_None_Match=tag).status == 304, path
    tag = catalog(alice, token, "/unread")["etag"]
    alice.save("http://127.0.0.2/new")
    assert catalog(alice, token, "/unread", If_None_Match=tag).status == 200


# Who may read it


def test_the_catalog_takes_sessions_tokens_and_http_basic(alice):
    for scope in ["read", "full", "feed"]:
        token = make_token(alice, scope)
        for headers in [
            {"Authorization": f"Bearer {token}"},
            basic(alice.email, token),
            basic(alice.email.upper(), token),
        ]:
            for path in PAGES:
                answer = get(alice.lectern, f"/opds{path}", **headers)
                assert answer.status == 200, (scope, path, answer)
    assert get(alice.lectern, "/opds", Authorization=f"Bearer {alice.token}").status == 200
    assert get(alice.lectern, "/opds/", Authorization=f"Bearer {alice.token}").status == 200


def test_everybody_else_is_asked_to_sign_in(alice, bob, token):
    refused = [
        {}, {"Authorization": "Bearer x"}, {"Authorization": "Bearer lct_x"}, basic(alice.email, alice.password),
        basic(bob.email, token), basic("", token), {"Authorization": f"Bearer {alice.lectern.service_key}"},
        {"apikey": alice.lectern.service_key}, {"Authorization": f"Bearer {alice.lectern.anon_key}"},
    ]  # fmt: skip
    for headers in refused:
        for path in PAGES:
            answer = get(alice.lectern, f"/opds{path}", **headers)
            assert (answer.status, answer["www-authenticate"]) == (401, CHALLENGE), (headers, path)
    for wrong in ["x", "lct_x", token[:-1], token + "x", alice.token]:
        answer = get(alice.lectern, f"/opds/t/{wrong}/unread", Authorization=f"Bearer {alice.token}")
        assert (answer.status, answer["www-authenticate"]) == (401, CHALLENGE), wrong


def test_a_token_that_saves_opens_nothing_and_only_feed_tokens_do_in_a_path(alice):
    for scope in ["read", "save", "full"]:
        token = make_token(alice, scope)
        for path in PAGES:
            assert catalog(alice, token, path).status == 403, (scope, path)
    for path in PAGES:
        assert get(alice.lectern, f"/opds{path}", Authorization=f"Bearer {make_token(alice, 'save')}").status == 403


def test_the_catalog_shows_only_what_belongs_to_its_user(admin, alice, bob):
    paths = list(PAGES)
    for user in [alice, bob]:
        for columns in [{}, {"list": "archive"}, {"is_starred": True}]:
            link = add_link(admin, user, title=f"a {user.email}", text="x", **columns)
        user.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": user.email})
        user.rest("POST", "link_tags", {"link_id": link, "tag_id": tag})
        collection = add_collection(user, user.email)
        user.rest("POST", "collection_links", {"collection_id": collection, "link_id": link})
        paths += [f"/tags/{tag}", f"/collections/{collection}"]
        index_texts(admin, user)
    for user, other, own in [(alice, bob, paths[-4:-2]), (bob, alice, paths[-2:])]:
        token = make_token(user)
        for path in paths:
            answer = catalog(user, token, path)
            assert other.email.encode() not in answer.body, path
            assert answer.status == (404 if path in paths[-4:] and path not in own else 200), path
        for path in ["/unread", "/newest", "/tags", "/collections", *own]:
            assert user.email.encode() in catalog(user, token, path).body, path


def test_users_of_one_address_get_their_own_pages_each_time_and_what_is_new(admin, alice, bob):
    def page(user):
        return get(user.lectern, "/opds/unread", Authorization=f"Bearer {user.token}")

    for user in [alice, bob]:
        add_link(admin, user, title=f"a {user.email}", text="x")
        follow_up_done(admin, user)
    seen = {user.email: page(user).body for user in [alice, bob]}
    # Often enough that every worker has made both pages.
    for _ in range(10):
        for user, other in [(alice, bob), (bob, alice)]:
            body = page(user).body
            assert body == seen[user.email] and user.email.encode() in body and other.email.encode() not in body
    alice.rest("PATCH", f"links?user_id=eq.{alice.id}", {"title": "another title"})
    for _ in range(5):
        assert b"another title" in page(alice).body and page(bob).body == seen[bob.email]
    alice.rest("DELETE", f"links?user_id=eq.{alice.id}")
    for _ in range(5):
        assert titles(root(page(alice))) == []


def test_other_paths_and_methods_do_not_exist(alice, token):
    for path in ["/nothing", "/tags/x", "/collections/x/y", f"/tags/{uuid.uuid4()}", "/unread/", "/books/x", "//"]:
        assert catalog(alice, token, path).status == 404, path
    assert alice.lectern.send("POST", f"/opds/t/{token}/unread").status == 405
    assert get(alice.lectern, "/opdsx").status == 404
