"""Pages without an article get a reason and advice; files become articles of their kind."""

import os
import signal
import subprocess
import threading
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import service, web_server
from support.browser import ListPage
from support.client import wait_until
from support.documents import LOCK, pdf
from support.loopback_site import DOT, SENTENCES, article

SEND = "Open the page in your browser and send it from there."
CHALLENGE = """<title>Just a moment...</title><meta property="og:image" content="/i.png"><link rel="canonical" href="/challenge">
<form id="challenge-form"><p>Verify you are human by completing the action below.</p></form>"""
CONSENT = """<title>Before you continue</title><h1>Before you continue</h1><p>We use cookies and data to deliver and to improve our
services, and to show personalised content.</p><button>Reject all</button><button>Accept all</button>"""
LOGIN = (
    '<title>Log in</title><h1>Log in</h1><form><input name="user"><input type="password"><button>Log in</button></form>'
)
STUB = article("For subscribers", paragraphs=1).replace("</article>", "<p>Subscribe to continue reading.</p></article>")
MISSING = "<title>Page not found</title><h1>404</h1><p>Nothing is here.</p>"
SCRIPTS = '<title>An app</title><div id="root"></div><noscript>Please enable JavaScript.</noscript><script src="/app.js"></script>'
INDEX = "<title>Front page</title>" + "".join(
    f"<h2><a href='/{n}'>The headline of the story number {n}</a></h2><p>In a line.</p>" for n in range(30)
)


LINES = [
    "The tea house at the corner opens again on Monday, its owner said, and all",
    "who came before the flood may come and see what has become of it.",
]


class Site(web_server.WebServer):
    """A site whose responses are set by path, and repeated for further requests."""

    def __init__(self):
        self.answers = {}
        site = self

        class Handler(web_server.Handler):
            def do_GET(self):
                status, kind, body = site.answers.get(urlsplit(self.path).path, (404, "text/html", "<title>No</title>"))
                headers = {"Location": kind} if status // 100 == 3 else {}
                try:
                    self.answer(body, kind, status, **headers)
                except OSError:
                    self.close_connection = True

        super().__init__(Handler)

    def put(self, body, kind="text/html; charset=utf-8", status=200, end=""):
        path = f"/{uuid.uuid4().hex}{end}"
        self.answers[path] = (status, kind, body)
        return self.url + path

    def change(self, url, body, kind="text/html; charset=utf-8", status=200):
        self.answers[urlsplit(url).path] = (status, kind, body)


@pytest.fixture(scope="module")
def site():
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def impatient():
    return service.shared(LECTERN_READ_TIMEOUT="8", LECTERN_JOBS_ATTEMPTS="2")


# No article


@pytest.mark.parametrize(
    "page, reason, words",
    [
        (CHALLENGE, "bot_challenge", SEND),
        (CONSENT, "consent_wall", SEND),
        (LOGIN, "login_wall", SEND),
        (MISSING, "no_article", "does not exist"),
    ],
)
def test_an_interstitial_gives_the_link_its_reason_and_nothing_else(alice, site, page, reason, words):
    target = site.put(page)
    url = site.put("", kind=target, status=302)
    link = alice.settled(alice.save(url)["id"])
    assert (link["state"], link["reason"]) == ("ready", reason) and words in link["reason_message"]
    assert [link[name] for name in ("title", "description", "image", "resolved_url", "site_name")] == [None] * 5
    assert alice.article(link["id"]) is None


@pytest.mark.parametrize("page, title, words", [(INDEX, "Front page", "list of links"), (SCRIPTS, "An app", "scripts")])
def test_a_page_without_an_article_keeps_its_title(alice, site, page, title, words):
    link = alice.settled(alice.save(site.put(page))["id"])
    assert (link["reason"], link["title"]) == ("no_article", title) and words in link["reason_message"]


def test_the_beginning_of_an_article_for_subscribers_is_kept_and_marked_as_such(alice, site):
    link = alice.settled(alice.save(site.put(STUB))["id"])
    assert (link["reason"], link["title"]) == ("login_wall", "For subscribers") and "Only its beginning" in link[
        "reason_message"
    ]
    assert SENTENCES.strip() in alice.article(link["id"])["text_content"]


def test_two_links_that_end_at_one_interstitial_stay_two(alice, site):
    wall = site.put(CHALLENGE)
    links = [alice.settled(alice.save(site.put("", kind=wall, status=302))["id"]) for _ in range(2)]
    assert (
        len({link["id"] for link in links})
        == 2
        == len(alice.links(f"select=id&id=in.({links[0]['id']},{links[1]['id']})"))
    )


def test_an_interstitial_does_not_replace_a_good_article_and_a_successful_retry_brings_it(alice, site):
    url = site.put(CHALLENGE)
    link = alice.settled(alice.save(url)["id"])
    site.change(url, article("Got through"))
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"})
    link = wait_until(lambda: (now := alice.link(link["id"]))["title"] and now)
    assert (link["title"], link["reason"], link["resolved_url"]) == ("Got through", None, url)
    before = alice.article(link["id"])["text_content"]
    site.change(url, CHALLENGE)
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"})
    link = wait_until(lambda: (now := alice.link(link["id"]))["reason"] and now)
    assert (link["reason"], link["title"]) == ("bot_challenge", "Got through") and "stored article was kept" in link[
        "reason_message"
    ]
    assert alice.article(link["id"])["text_content"] == before


@pytest.mark.parametrize("status", [403, 503])
def test_an_http_error_takes_the_reason_from_its_page(alice, site, status):
    link = alice.save(site.put(CHALLENGE, status=status))
    link = wait_until(lambda: (now := alice.link(link["id"]))["reason"] and now)
    assert (link["reason"], link["title"]) == ("bot_challenge", None) and link["reason_message"].endswith(SEND)
    plain = alice.save(site.put("<title>No</title><p>You may not see this, and we do not say why.", status=status))
    assert wait_until(lambda: (now := alice.link(plain["id"]))["reason"] and now)["reason"] == "http_error"


def test_the_reader_shows_why_there_is_no_article_and_what_to_do(lectern, alice, site, chromium):
    id = alice.settled(alice.save(site.put(CHALLENGE))["id"])["id"]
    browser = ListPage(lectern.url, chromium)
    browser.start()
    browser.see("#login input[name=email]").send_keys(alice.email)
    browser.see("#login input[name=password]").send_keys(alice.password)
    browser.see("#login .strong").click()
    browser.see("#list")
    browser.open(f"#/link/{id}")
    browser.see("#reader .state", "prove that they are human")
    assert browser.see("#reader [data-do=retry]").text == "Try again"
    wait_until(lambda: (browser.see("#reader .source a").get_attribute("href") or "").startswith(site.url))
    browser.see("#send-page summary", "How to send a page").click()
    browser.see("#send-page p", "Open the original")


# Files


def test_a_pdf_is_an_article_with_title_author_and_pages(alice, site):
    url = site.put(
        pdf(LINES, ["On page two."], info="/Title (The tea house) /Author (Ann)"), "application/pdf", end=".pdf"
    )
    link = alice.settled(alice.save(url)["id"])
    assert (link["state"], link["reason"], link["title"], link["description"]) == (
        "ready",
        None,
        "The tea house",
        "2 pages",
    )
    found = alice.article(link["id"])
    assert found["byline"] == "Ann" and " ".join(LINES) in found["content"] and "On page two." in found["text_content"]


@pytest.mark.parametrize(
    "file, words",
    [
        (pdf(LINES, trailer=LOCK), "protected by a password"),
        (b"%PDF-1.4 and nothing more", "damaged"),
        (pdf([]), "images of pages"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why_and_keeps_its_name(alice, site, file, words):
    link = alice.settled(alice.save(site.put(file, "application/pdf", end="/tea%20house.pdf"))["id"])
    assert (link["state"], link["reason"], link["title"]) == ("ready", "no_article", "tea house.pdf") and words in link[
        "reason_message"
    ]


def test_a_pdf_of_ten_thousand_pages_keeps_its_beginning(alice, site):
    link = alice.settled(
        alice.save(site.put(pdf(*[[f"Page {n} of it."] for n in range(10_000)]), "application/pdf"))["id"]
    )
    assert link["reason"] == "over_budget" and "beginning" in link["reason_message"]
    assert "Page 7 of it." in alice.article(link["id"])["text_content"]


def test_a_text_file_a_markdown_file_and_media_are_articles_of_their_kind(alice, site):
    text = "The tea house\n\nIt opens again on Monday, its owner said, and all who came\n"
    text += "before the flood may come and see what has become of it.\n\n    tea  2\n"
    found = alice.article(
        alice.settled(alice.save(site.put(text, "text/plain; charset=utf-8", end=".txt"))["id"])["id"]
    )
    assert (
        found["title"] == "The tea house"
        and "who came before the flood" in found["content"]
        and "<pre>" in found["content"]
    )
    latin = alice.settled(
        alice.save(site.put("Größe\n\nEin Haus.".encode("cp1252"), "text/plain; charset=iso-8859-1"))["id"]
    )
    assert latin["title"] == "Größe"
    markdown = "# The tea house\n\nIt opens **again**. <script>x</script>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    for kind, end in [("text/markdown", ""), ("text/plain", "/readme.md")]:
        found = alice.article(alice.settled(alice.save(site.put(markdown, kind, end=end))["id"])["id"])
        assert (
            found["title"] == "The tea house"
            and "<strong>again</strong>" in found["content"]
            and "<td>2</td>" in found["content"]
        )
        assert "script" not in found["content"]
    url = site.put(DOT, "image/png", end="/dot.png")
    link = alice.settled(alice.save(url)["id"])
    assert (link["title"], link["image"], link["reason"]) == ("dot.png", url, None) and url in alice.article(
        link["id"]
    )["content"]
    url = site.put(b"ID3", "audio/mpeg", end="/song.mp3")
    link = alice.settled(alice.save(url)["id"])
    assert link["title"] == "song.mp3" and f'href="{url}"' in alice.article(link["id"])["content"]


def test_a_binary_file_served_as_text_counts_as_a_file(alice, site):
    link = alice.settled(alice.save(site.put(bytes(range(256)) * 20, "text/plain", end="/a.txt"))["id"])
    assert link["reason"] == "not_html"


def pdf_processes(service):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text().strip() == "lectern-reader" and os.readlink(process / "exe") == str(
                service.home / "bin/lectern-pdf"
            ):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_a_pdf_whose_process_is_killed_is_tried_again(impatient, site):
    """The process is killed while it reads a file that takes seconds, in every attempt but the last."""
    reader = impatient.sign_up()
    assert reader.settled(reader.save(site.put(pdf(LINES), "application/pdf"))["id"])["reason"] is None
    stop = threading.Event()

    def kill():
        while not stop.is_set():
            for process in pdf_processes(impatient):
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            stop.wait(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        slow = site.put(
            pdf(*[[f"Line {n} of page {page}." for n in range(40)] for page in range(2_000)]), "application/pdf"
        )
        id = reader.save(slow)["id"]
        assert wait_until(lambda: reader.link(id)["reason"]) in ("reader_crashed", "reader")
    finally:
        stop.set()
        killer.join()
    reader.rest("PATCH", f"links?id=eq.{id}", {"state": "pending"})
    link = wait_until(lambda: (now := reader.link(id))["state"] == "ready" and now)
    assert link["reason"] in (None, "over_budget") and reader.article(id)


def test_only_lectern_pdf_links_poppler(lectern):
    """A fault in Poppler affects a confined process only."""
    for program in ("lectern", "lectern-fcgi"):
        assert (
            "poppler"
            not in subprocess.run(["ldd", lectern.home / "bin" / program], capture_output=True, text=True).stdout
        )
    assert "poppler" in subprocess.run(["ldd", lectern.home / "bin/lectern-pdf"], capture_output=True, text=True).stdout
