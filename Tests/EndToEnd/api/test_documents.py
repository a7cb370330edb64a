"""Files as links: what is uploaded, what becomes of it, and who sees it."""

import hashlib
import io
import socket
import uuid
import zipfile
from base64 import b64encode

import pytest

from support.books import book, entries, text_of
from support.client import wait_until
from support.documents import LOCK, document, epub, finished, imported, pdf, upload
from support.feeds import make_token
from support.picture_site import png
from support.searching import follow_up_done
from support.sessions import bearer

PICTURE = png()
LINES = [
    "The tea house at the corner opens again on Monday, its owner said, and all",
    "who came before the flood may come and see what has become of the porcelain.",
]
PAGE = "".join(
    f"<p>Paragraph {n} of a page about kettles, cups, and the water that is boiled in them.</p>" for n in range(9)
)


def rejects(user, row):
    return user.rest("GET", f"import_rejects?import_id=eq.{row['id']}").json()


def kept_files(lectern, hash):
    return list((lectern.home / "documents").glob(f"*/{hash}-*"))


# The name of a file, its content, the title and the kind of its link, and words of its article.
FILES = [
    ("report 1.pdf", pdf(LINES), "report 1", "pdf", "porcelain"),
    ("titled.pdf", pdf(LINES, info="/Title (The Tea House Opens)"), "The Tea House Opens", "pdf", "porcelain"),
    ("page.html", f"<title>About kettles</title><h1>About kettles</h1>{PAGE}", "About kettles", "article", "boiled"),
    ("short.htm", "<html><body><p>Only a line.", "short", "article", "Only a line."),
    ("notes.md", "# My notes\n\nTea is *hot*, and [good](https://example.org).\n", "My notes", "article", "hot"),
    ("letter.txt", "Liebe Gr\u00fc\u00dfe aus K\u00f6ln\n\nEs regnet.\n".encode("latin-1"), None, "article", "regnet"),
    ("README", "First paragraph.\n\nSecond paragraph.\n", None, "article", "Second"),
    ("book", epub(["<h1>One</h1><p>It began with a samovar.</p>", "<p>It ended.</p>"]), "A book", "article", "samovar"),
]


@pytest.mark.parametrize(("name", "content", "title", "kind", "words"), FILES, ids=[file[0] for file in FILES])
def test_a_file_becomes_a_link_with_its_article(alice, name, content, title, kind, words):
    content = content if isinstance(content, bytes) else content.encode()
    answer = upload(alice, name, content)
    row = finished(alice, answer)
    assert {key: row[key] for key in ("format", "state", "rows", "imported", "duplicate", "rejected", "reason")} == {
        "format": "document", "state": "done", "rows": 1, "imported": 1, "duplicate": 0, "rejected": 0, "reason": None
    }  # fmt: skip
    assert row["name"] == name and row["created_at"] and row["finished_at"]
    link = alice.link(row["link_id"])
    hash = hashlib.sha256(content).hexdigest()
    assert (link["raw_url"], link["dedupe_key"], link["resolved_url"]) == (f"urn:sha256:{hash}", hash, None)
    assert (link["state"], link["reason"], link["kind"], link["site_name"]) == ("ready", None, kind, name)
    assert link["title"] and (title is None or link["title"] == title)
    article = alice.article(link["id"])
    assert words in article["text_content"] and article["source"] == "client"
    [stored] = alice.rest("GET", f"documents?hash=eq.{hash}").json()
    assert (stored["name"], stored["bytes"]) == (name, len(content))


GERMAN = [
    "Die Bewohner der Insel haben am Montag beschlossen, den alten Leuchtturm nicht abzureissen,",
    "sondern ihn in den kommenden Jahren gemeinsam zu erhalten und jeden Sommer neu zu streichen.",
]
ARABIC = "قرر سكان الجزيرة يوم الاثنين عدم هدم المنارة القديمة بل الحفاظ عليها معا في السنوات القادمة."


@pytest.mark.parametrize(
    ("name", "content", "lang", "direction"),
    [
        ("a.pdf", pdf(GERMAN), "de", "ltr"),
        ("a.txt", "\n".join(GERMAN).encode(), "de", "ltr"),
        ("b.txt", ARABIC.encode(), "ar", "rtl"),
        ("a.md", f"# {ARABIC}\n\n{ARABIC}\n".encode(), "ar", "rtl"),
        ("b.md", b"---\ntitle: Numbers\nlang: he\n---\n1 2 3\n", "he", "rtl"),
    ],
)
def test_a_file_has_the_language_and_the_direction_of_its_text(alice, name, content, lang, direction):
    link = document(alice, name, content)
    article = alice.article(link["id"])
    assert (link["lang"], article["lang"], article["dir"]) == (lang, lang, direction)
    found = alice.rest("POST", "rpc/search_links", {"query": f"lang:{lang}"}).json()["links"]
    assert [row["id"] for row in found] == [link["id"]]


def test_paragraphs_of_a_text_stay_apart_and_markdown_is_rendered(alice):
    text = document(alice, "a.txt", b"A title\n\nFirst paragraph.\n\nSecond one.\n")
    assert text["title"] == "A title" and alice.article(text["id"])["content"].count("<p>") == 2
    markdown = document(alice, "a.md", b"# T\n\n- one\n- <script>alert(1)</script>two\n\n> said\n")
    content = alice.article(markdown["id"])["content"]
    assert "<li>" in content and "<blockquote>" in content and "script" not in content


def test_the_boxes_of_a_task_list_are_in_the_article_its_markdown_and_its_book(admin, alice):
    link = document(alice, "plan.md", b"# Plan\n\n- [x] boil *water*\n- [ ] make tea\n")
    article = alice.article(link["id"])
    assert "<li>☑ boil <em>water</em></li>" in article["content"] and "☐ make tea" in article["text_content"]
    follow_up_done(admin, alice)
    file = alice.lectern.send("GET", f"/markdown/{link['id']}.md", bearer(alice.token))
    assert file.body.decode().endswith("\n- [x] boil *water*\n- [ ] make tea\n")
    page = entries(book(alice, link["id"]).body)["OEBPS/index.xhtml"]
    assert "☑ boil water☐ make tea" in text_of(page)


def test_the_chapters_of_a_book_become_one_article_with_references_inside_it(alice):
    book = epub(
        [
            '<h1 id="top">First</h1><p>See <a href="c1.xhtml#note">the note</a> and <a href="https://example.org/">a site'
            '</a>.</p><img src="../cover.png" alt="Cover"/><script>alert(1)</script>',
            '<a id="mark"/><p id="note" onclick="alert(1)">The note.</p><img src="../a%20map.png" alt="A map"/><p><a href="c0.xhtml">Back</a></p>',
        ],
        title="Tea &amp; Cake",
        more=[("../../slip.txt", "out"), ("OEBPS/cover.png", b"no picture"), ("OEBPS/a map.png", PICTURE)],
    )
    link = document(alice, "book.epub", book)
    article = alice.article(link["id"])
    assert (link["title"], link["byline"], article["lang"]) == ("Tea & Cake", "Ada Example", "en")
    content = article["content"]
    assert content.index("First") < content.index("The note.")
    assert 'href="#lct-part2-note"' in content and 'id="lct-part2-note"' in content and 'href="#lct-part1"' in content
    assert "https://example.org/" in content and "onclick" not in content and "script" not in content
    assert f'src="data:image/png;base64,{b64encode(PICTURE).decode()}"' in content and "Cover" not in content


def test_the_same_file_again_is_a_duplicate_for_its_user_alone(alice, bob):
    first = document(alice, "a.txt", b"The same words.")
    again = finished(alice, upload(alice, "other name.txt", b"The same words."))
    assert (again["imported"], again["duplicate"], again["link_id"]) == (0, 1, first["id"])
    assert len(alice.links()) == 1
    theirs = document(bob, "a.txt", b"The same words.")
    assert theirs["id"] != first["id"] and theirs["raw_url"] == first["raw_url"]


def test_a_document_is_downloaded_by_its_owner_alone(alice, bob, admin):
    content = b"<!doctype html><title>A page</title><p>Hello"
    link = document(alice, 'na"me \u00e4.html', content)
    target = f"/documents/{link['id']}"
    answer = alice.lectern.send("GET", target, bearer(alice.token))
    assert (answer.status, answer.body) == (200, content)
    assert answer["content-type"].startswith("text/html") and answer["x-content-type-options"] == "nosniff"
    assert answer["content-disposition"].startswith("attachment;") and "%C3%A4.html" in answer["content-disposition"]
    assert "sandbox" in answer["content-security-policy"]
    # Pages of other origins, such as the reading list of the extension, give the file its name, too.
    assert "content-disposition" in answer.exposed_headers()
    part = alice.lectern.send("GET", target, bearer(alice.token) | {"Range": "bytes=0-8"})
    assert (part.status, part.body) == (206, content[:9])
    assert alice.lectern.send("GET", target, bearer(bob.token)).status == 404
    assert alice.lectern.send("GET", target).status == 401
    assert alice.lectern.send("GET", f"/documents/{uuid.uuid4()}", bearer(alice.token)).status == 404
    page = alice.save("http://127.0.0.9:9/page")
    assert alice.lectern.send("GET", f"/documents/{page['id']}", bearer(alice.token)).status == 404
    [(address,)] = admin.execute("select address from private.documents where user_id = %s", [alice.id]).fetchall()
    assert alice.lectern.send("GET", f"/.documents/{address}", bearer(alice.token)).status == 404


def test_another_user_sees_nothing_of_an_import(alice, bob):
    row = finished(alice, upload(alice, "photo.png", b"\x89PNG\r\n\x1a\n\0\0"))
    assert rejects(alice, row) != []
    document(alice, "a.txt", b"Words of Alice.")
    for table in ("imports", "import_rejects", "documents"):
        assert alice.rest("GET", table).json() != []
        assert bob.rest("GET", table).json() == []
        assert bob.rest("POST", table, {}).status in (400, 401, 403, 405)
    for function in ("cancel_import", "retry_import"):
        assert bob.rest("POST", f"rpc/{function}", {"import": row["id"]}).json() == []
    assert imported(alice, row["id"])["state"] == "done"


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_the_scope_of_a_token_decides_about_uploads_and_downloads(alice, scope):
    link = document(alice, "a.txt", b"Words to download.")
    token = make_token(alice, scope)
    headers = {"Authorization": f"Bearer {token}"}
    answer = upload(alice, "b.txt", f"Words sent by {scope}.".encode(), headers=headers)
    if scope in ("save", "full"):
        assert list(answer.json()) == ["id"]
        assert finished(alice, answer)["imported"] == 1
    else:
        assert answer.status == 403 and scope in answer.json()["message"], answer
        assert 'error="insufficient_scope"' in answer["www-authenticate"]
    download = alice.lectern.send("GET", f"/documents/{link['id']}", headers)
    assert download.status == (200 if scope in ("read", "full") else 403)


def test_nobody_uploads_without_signing_in(lectern, alice):
    for headers in [{}, {"apikey": lectern.anon_key}, bearer("no.such.token") | {"apikey": lectern.anon_key}]:
        answer = upload(alice, "a.txt", b"Words", headers=headers)
        assert answer.status == 401 and answer.json()["message"], answer


@pytest.mark.parametrize(
    ("name", "content", "parameters", "message"),
    [
        ("", b"Words", {}, "name"),
        ("x" * 256, b"Words", {}, "name"),
        ("a.txt", b"", {}, "empty"),
        ("a.txt", b"Words", {"format": "no-such"}, "unknown"),
    ],
)
def test_a_wrong_request_is_refused_with_a_reason(alice, name, content, parameters, message):
    answer = upload(alice, name, content, **parameters)
    assert answer.status == 400 and message in answer.json()["message"], answer
    assert alice.rest("GET", "imports").json() == []


def test_other_methods_are_refused(alice):
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        assert alice.lectern.send(method, "/import/v1/files?name=a", alice.headers, b"x").status == 405
    assert alice.lectern.send("POST", "/import/v1/other", alice.headers, b"x").status == 404


def test_a_file_of_more_than_a_gibibyte_is_refused_before_it_is_sent(alice):
    head = "".join(f"{name}: {value}\r\n" for name, value in alice.headers.items())
    request = f"POST /import/v1/files?name=a HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {2**30 + 1}\r\n\r\n"
    answer = alice.lectern.send_bytes(request.encode())
    assert answer.status == 413 and answer.json()["message"], answer


def test_a_large_file_is_kept_although_it_is_too_large_to_be_read(alice):
    """Larger than what a request to other paths may have, and than what a reader process takes."""
    content = b"%PDF-1.4\n" + bytes(64 << 20)
    link = document(alice, "scan.pdf", content)
    assert (link["title"], link["state"], link["reason"]) == ("scan", "ready", "over_budget")
    assert link["reason_message"].startswith("This file is too large or too complex to be read: it is kept,")
    answer = alice.lectern.send("GET", f"/documents/{link['id']}", bearer(alice.token))
    assert hashlib.sha256(answer.body).hexdigest() == hashlib.sha256(content).hexdigest()


def bomb():
    """A book whose only chapter unpacks to 200 MB."""
    return epub(["<p>" + "a" * (200 << 20) + "</p>"])


def encrypted_chapter():
    method = '<EncryptedData><CipherData><CipherReference URI="OEBPS/text/c0.xhtml"/></CipherData></EncryptedData>'
    return epub(["<p>Cipher</p>"], more=[("META-INF/encryption.xml", f"<encryption>{method}</encryption>")])


def archive_of(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("photo.jpg", lambda: b"\xff\xd8\xff\xe0\0\x10JFIF", "not a PDF, EPUB"),
        ("program.txt", lambda: b"\x7fELF\2\1\1\0\0", "not a PDF, EPUB"),
        ("archive.zip", lambda: archive_of(a="b"), "not a PDF, EPUB"),
        ("no book.epub", lambda: archive_of(a="b"), "damaged"),
        ("cut.epub", lambda: epub(["<p>Words</p>"])[:-300], "damaged"),
        ("locked.epub", encrypted_chapter, "password"),
        ("bomb.epub", bomb, "too large"),
        ("locked.pdf", lambda: pdf(LINES, trailer=LOCK), "password"),
        ("cut.pdf", lambda: b"%PDF-1.4 and nothing more", "damaged"),
        ("blank.txt", lambda: b" \n\n ", "no text"),
        ("blank.epub", lambda: epub(["<p> </p>"]), "no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_rejected_with_the_reason(alice, name, content, reason):
    row = finished(alice, upload(alice, name, content()))
    assert (row["rows"], row["imported"], row["rejected"], row["link_id"]) == (1, 0, 1, None), row
    [reject] = rejects(alice, row)
    assert (reject["row"], reject["url"]) == (1, None) and reason in reject["reason"]
    assert alice.links() == [] and alice.rest("GET", "documents").json() == []
    wait_until(lambda: not (alice.lectern.home / "imports" / row["id"]).exists())


def test_an_upload_that_breaks_off_leaves_nothing(alice):
    head = "".join(f"{name}: {value}\r\n" for name, value in alice.headers.items())
    request = f"POST /import/v1/files?name=broken.txt HTTP/1.1\r\nHost: x\r\n{head}Content-Length: 1000000\r\n\r\n"
    with socket.create_connection((alice.lectern.host, alice.lectern.port)) as connection:
        connection.sendall(request.encode() + b"x" * 300_000)
    document(alice, "whole.txt", b"A file sent after the broken one.")
    assert [row["name"] for row in alice.rest("GET", "imports").json()] == ["whole.txt"]


def test_search_finds_words_of_documents(alice):
    for name, content, word in [
        ("a.pdf", pdf(LINES), "porcelain"),
        ("b.epub", epub(["<p>A word like zarzuela is rare.</p>"]), "zarzuela"),
    ]:
        link = document(alice, name, content)

        def found():
            answer = alice.rest("POST", "rpc/search_links", {"query": word})
            return [row["id"] for row in answer.json()["links"]]

        wait_until(lambda: found() == [link["id"]])


def test_a_document_has_a_book_and_leads_from_feeds_to_the_web_app(alice):
    link = document(alice, "tea.txt", b"A title of the tea\n\nWords about tea that fill a line.\n")
    book = wait_until(
        lambda: (
            (answer := alice.lectern.send("GET", f"/books/{link['id']}.epub", bearer(alice.token))).status == 200
            and answer
        )
    )
    with zipfile.ZipFile(io.BytesIO(book.body)) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith("html"))
    assert "Words about tea" in text and "tea.txt" in text and "urn:sha256" not in text
    token, view = make_token(alice), f"{alice.lectern.url}/#/link/{link['id']}"
    feed = alice.lectern.send("GET", f"/feed/t/{token}/unread.atom")
    assert feed.status == 200 and b"Words about tea" in feed.body and b'href="urn:' not in feed.body
    assert f'<link rel="alternate" type="text/html" href="{view}"/>' in feed.body.decode()
    [item] = alice.lectern.send("GET", f"/feed/t/{token}/unread.json").json()["items"]
    assert item["url"] == view


def test_nothing_is_fetched_for_a_document(alice, admin):
    link = document(alice, "a.txt", b"Words that are read again.")
    assert alice.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"}).status == 204
    again = alice.settled(link["id"])
    assert (again["state"], again["reason"]) == ("ready", None)
    steps = admin.execute("select steps from private.done_jobs where link_id = %s", [link["id"]]).fetchall()
    assert steps and all("fetch" not in step for (step,) in steps)
    checks = admin.execute("select * from private.page_checks where link_id = %s", [link["id"]]).fetchall()
    assert checks == []


def test_an_address_without_a_file_says_so(alice):
    link = alice.save(f"urn:sha256:{hashlib.sha256(b'Sent later.').hexdigest()}")
    failed = alice.settled(link["id"])
    assert (failed["state"], failed["reason"]) == ("failed", "no_document")
    row = finished(alice, upload(alice, "later.txt", b"Sent later."))
    assert (row["duplicate"], row["link_id"]) == (1, link["id"])
    assert alice.settled(link["id"])["state"] == "ready"


def test_the_file_stays_while_the_link_is_in_the_trash_and_goes_with_it(alice):
    link = document(alice, "a.txt", b"Words that are thrown away.")
    hash = link["dedupe_key"]
    assert len(kept_files(alice.lectern, hash)) == 1
    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).json()[0]["id"] == link["id"]
    answer = alice.lectern.send("GET", f"/documents/{link['id']}", bearer(alice.token))
    assert answer.body == b"Words that are thrown away."
    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    assert alice.rest("DELETE", f"trash?link_id=eq.{link['id']}").status == 204
    wait_until(lambda: not kept_files(alice.lectern, hash))
    assert alice.rest("GET", "documents").json() == []


def test_the_files_of_a_deleted_account_are_deleted(lectern):
    reader = lectern.sign_up()
    hash = document(reader, "a.txt", b"Words of somebody who leaves.")["dedupe_key"]
    deleted = lectern.auth("DELETE", "user", {"password": reader.password}, **bearer(reader.token))
    assert deleted.status in (200, 204), deleted
    wait_until(lambda: not kept_files(lectern, hash))


def test_cancelling_an_import_ends_what_is_not_done_and_keeps_the_rest(alice, admin):
    link = document(alice, "a.txt", b"Words that stay.")
    [row] = alice.rest("GET", "imports").json()

    def cancel():
        return alice.rest("POST", "rpc/cancel_import", {"import": row["id"]}).json()[0]["state"]

    assert cancel() == "done"
    # The link waits to be read again.
    with admin.transaction():
        admin.execute("update public.links set state = 'pending' where id = %s", [link["id"]])
        admin.execute("update private.jobs set run_at = 'infinity' where link_id = %s", [link["id"]])
    assert imported(alice, row["id"])["state"] == "waiting"
    assert cancel() == "cancelled"
    assert alice.link(link["id"])["state"] == "ready" and alice.article(link["id"])
    # A file that is not read yet.
    admin.execute("update private.imports set state = 'pending', run_at = 'infinity' where id = %s", [row["id"]])
    assert imported(alice, row["id"])["state"] == "reading"
    assert cancel() == "cancelled"


def test_a_failed_import_says_why_and_is_read_again_or_cancelled(alice, admin):
    document(alice, "a.txt", b"Words that are lost.")
    [row] = alice.rest("GET", "imports").json()
    admin.execute(
        "update private.imports set state = 'failed', reason = 'For a test', finished_at = now() where id = %s",
        [row["id"]],
    )
    failed = imported(alice, row["id"])
    assert (failed["state"], failed["reason"]) == ("failed", "For a test")
    assert alice.rest("POST", "rpc/retry_import", {"import": row["id"]}).json()[0]["state"] == "reading"
    # Its file is gone, as it was read before.
    failed = wait_until(lambda: (now := imported(alice, row["id"]))["state"] == "failed" and now)
    assert "missing" in failed["reason"]
    assert alice.rest("POST", "rpc/cancel_import", {"import": row["id"]}).json()[0]["state"] == "cancelled"


def test_too_many_files_that_wait_are_refused(alice, admin):
    admin.execute(
        "insert into private.imports (id, user_id, name, bytes, run_at) "
        "select gen_random_uuid(), %s, 'waits', 1, 'infinity' from generate_series(1, 50)",
        [alice.id],
    )
    answer = upload(alice, "a.txt", b"One more.")
    assert (answer.status, answer.json()["code"]) == (429, "LT429"), answer
    assert "waiting" in answer.json()["message"] and answer["retry-after"]


def test_an_import_that_a_kill_has_interrupted_is_read_by_the_next_process(alice, admin):
    """The state that a killed jobs process leaves: a lease that has run out, and the file."""
    id = str(uuid.uuid4())
    file = alice.lectern.home / "imports" / id
    file.write_bytes(b"Words that were being read.")
    admin.execute(
        "insert into private.imports (id, user_id, name, bytes, state, lease, attempts, leased_until) "
        "values (%s, %s, 'a.txt', 27, 'running', 1, 1, now() - interval '1 second')",
        [id, alice.id],
    )
    admin.execute("notify lectern_imports")
    row = wait_until(lambda: (row := imported(alice, id))["state"] == "done" and row)
    assert row["imported"] == 1 and len(alice.links()) == 1
    wait_until(lambda: not file.exists())
