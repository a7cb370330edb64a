"""The book of an article: made with its pictures, served to its user only, the same bytes until something changes."""

import base64
import hashlib
import json
import os
import re
import uuid

import ebooklib
import pytest
from ebooklib import epub

from support.books import basic, book, changed, entries, epub_check, get, text_of, token_of, write_article
from support.client import wait_until
from support.extract_command import extract, line
from support.paths import CHECKOUT, PAGES
from support.picture_site import PictureSite, png
from support.reader import Reader
from support.sessions import bearer

BASIC = 'Basic realm="Lectern"'


@pytest.fixture(scope="module")
def site():
    with PictureSite() as site:
        yield site


@pytest.fixture(scope="module")
def check():
    return epub_check()


@pytest.fixture
def saved(alice, site):
    link = alice.settled(alice.save(site.page("/png/a", "/png/b", "/html"))["id"])
    assert link["state"] == "ready", link
    return link["id"]


def test_an_article_is_a_book_with_its_pictures(alice, saved, check, tmp_path):
    answer = book(alice, saved)
    assert answer["content-type"] == "application/epub+zip"
    assert answer["content-disposition"].startswith('attachment; filename="A page of pictures.epub"')
    assert answer["etag"] == f'"{hashlib.sha256(answer.body).hexdigest()}"'
    assert check(answer.body, tmp_path) == []
    files = entries(answer.body)
    assert files["OEBPS/images/cover.jpg"].startswith(b"\xff\xd8\xff") and len(files["OEBPS/images/cover.jpg"]) > 5_000
    assert list(files)[0] == "mimetype" and files["mimetype"] == b"application/epub+zip"
    page = files["OEBPS/index.xhtml"].decode()
    pictures = [name for name in files if name.startswith("OEBPS/images/image")]
    # One address leads to no picture.
    assert len(pictures) == 2 and all(files[name].startswith(b"\x89PNG") for name in pictures), pictures
    assert page.count("<img ") == 2 and '/html">[Picture 3]</a>' in page
    assert "srcset" not in page and "loading" not in page
    article = alice.article(saved)
    for words in article["text_content"].split()[:200]:
        assert words in text_of(page)
    (tmp_path / "book.epub").write_bytes(answer.body)
    read = epub.read_epub(tmp_path / "book.epub")
    assert read.get_metadata("DC", "title")[0][0] == "A page of pictures"
    assert len(list(read.get_items_of_type(ebooklib.ITEM_IMAGE))) >= 2


def test_a_book_answers_conditional_and_partial_requests(alice, saved):
    answer = book(alice, saved)
    for tag in [answer["etag"], f'"x", W/{answer["etag"]}', "*"]:
        same = get(alice, saved, **{"If-None-Match": tag})
        assert (same.status, same.body, same["etag"]) == (304, b"", answer["etag"])
    assert get(alice, saved, **{"If-None-Match": '"x"'}).status == 200
    part = get(alice, saved, Range="bytes=30-57", **{"If-Range": answer["etag"]})
    assert (part.status, part.body) == (206, b"mimetypeapplication/epub+zip")
    assert get(alice, saved, Range="bytes=30-57", **{"If-Range": '"x"'}).status == 200
    head = get(alice, saved, method="HEAD")
    assert head.status == 200 and head["content-length"] == str(len(answer.body)) and head["etag"] == answer["etag"]


def test_a_book_changes_with_its_title_and_comes_back_with_it(alice, saved):
    first = book(alice, saved)
    assert alice.rest("PATCH", f"links?id=eq.{saved}", {"is_starred": True, "status": "read"}).status == 204
    alice.rest("PATCH", f"links?id=eq.{saved}", {"title": "Über <b> & „x“"})
    second = changed(alice, saved, first["etag"])
    assert "filename*=UTF-8''%C3%9Cber%20b%20x.epub" in second["content-disposition"]
    assert "Über &lt;b&gt; &amp; „x“</h1>" in entries(second.body)["OEBPS/index.xhtml"].decode()
    alice.rest("PATCH", f"links?id=eq.{saved}", {"title": "A page of pictures"})
    assert changed(alice, saved, second["etag"]).body == first.body


def test_a_book_changes_with_its_tags(alice, bob, admin):
    link, other = (write_article(admin, alice, "<p>Text</p>") for _ in "ab")
    first = book(alice, link)
    beside = book(alice, other)
    tag = str(uuid.uuid4())
    alice.rest("POST", "tags", {"id": tag, "name": "rivers"})
    alice.rest("POST", "link_tags", {"link_id": link, "tag_id": tag})
    second = changed(alice, link, first["etag"])
    assert b"<dc:subject>rivers</dc:subject>" in entries(second.body)["OEBPS/content.opf"]
    alice.rest("PATCH", f"tags?id=eq.{tag}", {"name": "lakes"})
    third = changed(alice, link, second["etag"])
    assert b"<dc:subject>lakes</dc:subject>" in entries(third.body)["OEBPS/content.opf"]
    waiting = "select from private.link_books where link_id = any (%s::uuid[]) and state <> 'done'"
    wait_until(lambda: not admin.execute(waiting, [[link, other]]).fetchone())
    # Another user's change, a colour, and other links have no effect.
    bob.rest("PATCH", f"tags?id=eq.{tag}", {"name": "seas"})
    alice.rest("PATCH", f"tags?id=eq.{tag}", {"color": "#123456"})
    assert not admin.execute(waiting, [[link, other]]).fetchone()
    alice.rest("DELETE", f"link_tags?link_id=eq.{link}&tag_id=eq.{tag}")
    assert changed(alice, link, third["etag"]).body == first.body
    assert get(alice, other)["etag"] == beside["etag"]


def test_highlights_and_notes_are_marked_and_listed_on_request(alice, saved, check, tmp_path):
    plain = book(alice, saved)
    assert get(alice, saved, "?highlights=1").body == plain.body
    words = " ".join(alice.article(saved)["text_content"].split()[3:12])
    row = {"link_id": saved, "quote": words, "note": "My <note>\n\nwith lines"}
    assert alice.rest("POST", "highlights", row).status == 201
    assert alice.rest("POST", "notes", {"link_id": saved, "body": "About all of it"}).status == 201
    marked = changed(alice, saved, plain["etag"], "?highlights=1")
    wait_until(lambda: "About all of it" in page_of(alice, saved, "?highlights=1"))
    marked = get(alice, saved, "?highlights=1")
    page = page_of(alice, saved, "?highlights=1")
    assert re.search(r'<mark id="(n\d+)">', page) and "My &lt;note&gt;</p><p>with lines</p>" in page
    assert check(marked.body, tmp_path) == []
    assert get(alice, saved).body == plain.body
    assert get(alice, saved, "?highlights=x").status == 400


def page_of(user, link, query=""):
    return entries(get(user, link, query).body)["OEBPS/index.xhtml"].decode()


def test_books_are_opened_by_their_user_only(alice, bob, saved):
    book(alice, saved)
    send = alice.lectern.send
    path = f"/books/{saved}.epub"
    for scope in ["read", "full", "feed"]:
        token = token_of(alice, scope)
        assert send("GET", path, bearer(token)).status == 200
        assert send("GET", path, basic(alice.email, token)).status == 200
        assert send("GET", path, basic(alice.email.upper(), token)).status == 200
        # Another user's address or token, a revoked one, and no address.
        for headers in [basic(bob.email, token), basic("", token), basic(alice.email, token[:-1])]:
            answer = send("GET", path, headers)
            assert (answer.status, answer["www-authenticate"]) == (401, BASIC)
        assert send("GET", path, basic(bob.email, token_of(bob, scope))).status == 404
    assert send("GET", path, bearer(token_of(alice, "save"))).status == 403
    service_key = alice.lectern.service_key
    for headers in [
        {},
        {"apikey": alice.lectern.anon_key},
        {"apikey": service_key},
        bearer(service_key) | {"apikey": service_key},
        bearer(alice.lectern.anon_key),
        basic(alice.email, alice.password),
        {"Authorization": "Basic !"},
    ]:
        answer = send("GET", path, headers)
        assert (answer.status, answer["www-authenticate"]) == (401, BASIC), headers
    assert get(bob, saved).status == 404
    for path in [f"/books/{saved}", "/books/x.epub", "/books/", f"/.books/{saved[:2]}/x.epub"]:
        assert send("GET", path, bearer(alice.token)).status == 404
    assert send("POST", f"/books/{saved}.epub", bearer(alice.token)).status == 405


def test_a_book_that_is_asked_for_before_it_is_made_comes_first(alice, bob, admin):
    with admin.transaction():
        # Nobody makes it before the transaction ends.
        link = write_article(admin, alice, "<p>Text</p>")
        for table in ["link_books", "picture_listings"]:
            admin.execute(f"update private.{table} set run_at = now() + interval '1 hour' where link_id = %s", (link,))
    asked = lambda: admin.execute(
        "select requested_at is not null from private.link_books where link_id = %s", (link,)
    ).fetchone()[0]
    assert get(bob, link).status == 404 and not asked()
    assert alice.lectern.send("GET", f"/books/{link}.jpg", bearer(alice.token)).status == 404 and not asked()
    # A token that only reads may ask, too.
    answer = alice.lectern.send("GET", f"/books/{link}.epub", bearer(token_of(alice, "feed")))
    # It may have been made by now.
    made = "select hash is not null from private.link_books where link_id = %s"
    assert answer.status == 404 and (asked() or admin.execute(made, (link,)).fetchone()[0])
    admin.execute("update private.link_books set run_at = now() where link_id = %s", (link,))
    # Its pictures are looked for at once, too.
    admin.execute("notify lectern_pictures")
    admin.execute("notify lectern_books")
    assert book(alice, link).status == 200 and not asked()


def test_a_deleted_link_has_no_book(alice, saved):
    book(alice, saved)
    assert alice.rest("DELETE", f"links?id=eq.{saved}").status == 204
    assert get(alice, saved).status == 404


HOSTILE = (CHECKOUT / "Tests/EndToEnd/jobs/hostile_articles.html").read_text().split("<!-- next -->")


def test_whatever_an_article_holds_its_book_is_valid(alice, admin, check, tmp_path):
    links = [
        write_article(
            admin, alice, content, title='T\x01 <i> & " ' * 50, lang=lang, dir="rtl" if lang == "ar" else None
        )
        for content, lang in zip(HOSTILE, ["en_US", "ar", "mn-Mong", "x", None] * len(HOSTILE))
    ]
    links.append(write_article(admin, alice, "<p>Text</p>", title=""))
    for link in links:
        content = book(alice, link).body
        assert check(content, tmp_path) == [], entries(content)["OEBPS/index.xhtml"].decode()


def test_a_title_of_one_letter_with_thousands_of_marks_is_no_trouble(alice, admin, check, tmp_path):
    link = write_article(admin, alice, "<p>Text</p>", title="a" + "\u0301" * 9_999)
    answer = book(alice, link)
    assert len(answer["content-disposition"]) < 1_000 and check(answer.body, tmp_path) == []


def test_inline_pictures_become_files_and_broken_ones_are_left_out(alice, admin, check, tmp_path):
    good = base64.b64encode(png()).decode()
    link = write_article(
        admin,
        alice,
        f'<p><img src="data:image/png;base64,{good}" alt="a"><img src="data:image/png;base64,{good}" alt="b">'
        '<img src="data:image/png;base64,iVBORw0KGgo=" alt="broken"></p>',
    )
    files = entries(book(alice, link).body)
    assert [name for name in files if "/images/image" in name] == ["OEBPS/images/image1.png"]
    page = files["OEBPS/index.xhtml"].decode()
    assert "data:" not in page and "[broken]" in page and page.count("<img ") == 2
    assert check(book(alice, link).body, tmp_path) == []


def test_the_command_writes_the_same_book_and_counts_pictures(instance, alice, admin, saved, check, tmp_path):
    served = book(alice, saved).body
    out = tmp_path / "book.epub"
    home = {"LECTERN_HOME": str(instance.home), "LECTERN_DATABASE_URL": instance.database_url}
    told = instance.lectern("epub", "--json", "--out", str(out), saved, **home)
    assert told.returncode == 0, told.stderr
    counts = json.loads(told.stdout)
    assert out.read_bytes() == served and counts["sha256"] == hashlib.sha256(served).hexdigest()
    assert (counts["pictures"], counts["included"], counts["articles"]) == (3, 2, 1)
    assert [picture["source"].endswith("/html") for picture in counts["skipped"]] == [True]
    second = write_article(admin, alice, "<h2>Part</h2><p>Two</p>", title="Second")
    told = instance.lectern("epub", "--out", str(out), saved, second, **home)
    assert told.returncode == 0, told.stderr
    assert check(out.read_bytes(), tmp_path) == []
    navigation = entries(out.read_bytes())["OEBPS/nav.xhtml"].decode()
    assert navigation.index("A page of pictures") < navigation.index("Second") < navigation.index("Part")
    for arguments, words in [
        (["x"], "is not the id of a link"),
        ([str(uuid.uuid4())], "is not a link that has an article"),
    ]:
        failed = instance.lectern("epub", "--out", str(out), *arguments, **home)
        assert failed.returncode != 0 and words in failed.stderr


# The download button, in "More actions" of the reading view and of the list


@pytest.fixture
def downloads(chromium, tmp_path):
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    yield tmp_path
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})


def test_an_article_is_downloaded_as_a_book(alice, admin, chromium, downloads):
    link = write_article(admin, alice, "<p>The river begins</p>", title="Über alles")
    content = book(alice, link).body
    reader = Reader(alice.lectern.url, chromium)
    reader.to_article(alice, link)
    reader.see("#reader .tools [data-do=more]").click()
    reader.see("#more button", "Download as EPUB").click()
    file = wait_until(lambda: next(downloads.glob("*.epub"), None))
    assert file.name == "Über alles.epub" and file.read_bytes() == content
    reader.gone("#more")


# Every page of the collections, or a few of them without --long

COLLECTED = sorted((CHECKOUT / "Tests/Pages").glob("*/source.html")) + sorted(PAGES.glob("*/source.html"))
STEP = 1 if os.environ.get("LECTERN_TEST_LONG") else 40


@pytest.mark.timeout(3600 if os.environ.get("LECTERN_TEST_LONG") else 300)
def test_the_pages_of_the_collections_make_valid_books_with_the_text_of_the_articles(alice, admin, check, tmp_path):
    pages = COLLECTED[::STEP]
    lines = "\n".join(line(str(number), page.read_text(errors="replace")) for number, page in enumerate(pages))
    articles = [json.loads(each) for each in extract("--batch", said=lines).splitlines()]
    links = {
        write_article(
            admin,
            alice,
            article["content"],
            title=article["title"],
            byline=article["byline"],
            lang=article["lang"],
            dir=article["dir"],
        ): article["textContent"]
        for article in articles
        if article.get("content")
    }
    assert len(links) >= len(pages) * 0.8
    for link, text in links.items():
        content = book(alice, link, seconds=1200).body
        assert check(content, tmp_path) == [], text[:200]
        # The book also has captions and what stands for pictures, so the text is in it with other signs in between.
        signs = iter("".join(text_of(page) for name, page in entries(content).items() if "/index" in name))
        assert all(sign in signs for sign in "".join(text.split())), text[:200]
        (tmp_path / "book.epub").write_bytes(content)
        assert epub.read_epub(tmp_path / "book.epub").get_metadata("DC", "title")
