"""Copies of pages as they look: the extension keeps them, and the reading view opens them in a sandbox."""

import base64
import contextlib

import pytest

from support.client import wait_until
from support.extension_browser import ask
from support.web_server import Handler, WebServer

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PAGE = """<!doctype html><html lang="en"><head><title>A page to keep</title>
<link rel="stylesheet" href="/look.css"><style>h1 { color: rgb(1, 2, 3) }</style>
<meta http-equiv="refresh" content="999; url=/leak"><base href="/"></head>
<body onload="1"><h1 style="background: url(own.png)">To be kept</h1><p>Words of the page.</p>
<img src="own.png" alt="Own"><img src="OTHER/closed.png" alt="Closed"><img src="OTHER/open.png" alt="Open">
<form action="/leak"><input id="typed" value="preset"><textarea id="area"></textarea>
<input type="hidden" name="csrf" value="secret"><button value="go">Go</button></form>
<iframe src="/frame" width="40" height="30"></iframe><div id="host"></div>
<a href="/elsewhere?a=1&amp;b=2">Elsewhere</a><a href="javascript:alert(1)">Script</a>
<script>typed.value = area.value = 'what was typed';
host.attachShadow({ mode: 'closed' }).innerHTML = '<style>em { color: green }</style><em>In the shadow.</em>'</script>
</body></html>"""


class Pages(Handler):
    other = ""
    asked = []

    def do_GET(self):
        # The server fetches a saved page at a time of its own.
        if not self.headers["User-Agent"].startswith("Lectern/"):
            Pages.asked.append(self.path)
        if self.path.endswith(".png"):
            headers = {"Access_Control_Allow_Origin": "*"} if "open" in self.path else {}
            self.answer(PIXEL, "image/png", **headers)
        elif self.path == "/look.css":
            self.answer("p { background: url('look.png'); font-weight: 700 }", "text/css")
        elif self.path == "/huge":
            self.answer(f"<title>Huge</title><p>{'word ' * 2_000_000}")
        else:
            self.answer(PAGE.replace("OTHER", Pages.other))


@pytest.fixture(scope="module")
def site():
    with WebServer(Pages) as site, WebServer(Pages) as other:
        Pages.other = other.url
        yield site


@pytest.fixture
def browser(the_browser, relay, alice):
    """The browser with an account."""
    options = the_browser.options()
    options.script("await chrome.storage.local.clear(); localStorage.clear()")
    ask(options, "sign-in", address=relay.url, email=alice.email, password=alice.password)
    yield the_browser
    with contextlib.suppress(OSError):
        relay.open()
    the_browser.close_tabs()


def copy_of(user, url):
    """The copy of the link with this address, and where it is opened; None if there is none."""
    [link] = user.links(f"raw_url=eq.{url}")
    rows = user.lectern.send("GET", f"/auth/v1/copies?link={link['id']}", user.headers).json()
    return rows and (user.lectern.send("GET", rows[0]["url"]).body.decode(), rows[0]["url"])


def test_a_copy_has_styles_pictures_and_shadow_trees_and_nothing_that_runs_or_was_typed(browser, site, alice):
    url = f"{site.url}/page"
    tab = browser.open(url)
    before = tab.script("return document.documentElement.outerHTML")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.click("#keep-copy")
    # A site that lets nobody read its picture keeps it.
    popup.see("#copy-outcome", "1 picture or style is missing.")
    assert tab.script("return document.documentElement.outerHTML") == before
    html, address = copy_of(alice, url)
    picture = f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}"
    assert html.count(picture) == 4 and '<img alt="Closed" src="">' in html
    for words in ("Words of the page.", "font-weight: 700", "color: rgb(1, 2, 3)", "In the shadow.", "color: green"):
        assert words in html, words
    assert f'href="{site.url}/elsewhere?a=1&amp;b=2"' in html and '<template shadowrootmode="open">' in html
    for words in ("<script", "javascript:", "onload", "http-equiv", "<base", "typed.value", "what was typed", "secret",
                  "<iframe", "action=", "Elsewhere</a><a href"):  # fmt: skip
        assert words not in html, words

    # It looks like the page.
    Pages.asked.clear()
    kept = browser.open(f"{alice.lectern.url}{address}")
    look = (
        "return [getComputedStyle(document.querySelector('h1')).color, document.images[0].naturalWidth, document.title]"
    )
    assert kept.script(look) == ["rgb(1, 2, 3)", 1, "A page to keep"]
    assert kept.script("return document.querySelector('#host').shadowRoot.textContent.includes('In the shadow.')")
    # The browser asks for the icon of a site at a time of its own.
    assert [path for path in Pages.asked if path != "/favicon.ico"] == []


def test_a_copy_with_scripts_runs_loads_and_reads_nothing(browser, site, alice):
    link = alice.save(f"{site.url}/hostile")["id"]
    hostile = f"""<!doctype html><title>Quiet</title><meta http-equiv="refresh" content="0; url={site.url}/leak-refresh">
        <link rel="stylesheet" href="{site.url}/leak.css"><link rel="preload" as="image" href="{site.url}/leak.png">
        <style>@import url({site.url}/leak-import.css); b {{ background: url({site.url}/leak-style.png) }}</style><b>Bold</b>
        <img src="{site.url}/leak-img.png" onerror="document.title = 'ran'"><svg onload="document.title = 'ran'"></svg>
        <iframe src="{site.url}/leak-frame"></iframe><object data="{site.url}/leak-object"></object>
        <video src="{site.url}/leak-film" autoplay></video><form action="{site.url}/leak-form" id="f"><input></form>
        <script>document.title = 'ran'; fetch('{site.url}/leak-fetch'); f.submit()</script><p id="end">The end"""
    assert alice.rest("POST", "rpc/save_copy", {"link": link, "html": hostile}).status == 200
    Pages.asked.clear()
    _, address = copy_of(alice, f"{site.url}/hostile")
    kept = browser.open(f"{alice.lectern.url}{address}")
    wait_until(lambda: kept.script("return document.getElementById('end') !== null"))
    assert kept.script("return [document.title, origin, location.pathname.startsWith('/auth/v1/copies/')]") == [
        "Quiet", "null", True
    ]  # fmt: skip
    denied = "try { return localStorage.length } catch (error) { return error.name }"
    assert kept.script(denied) == "SecurityError"
    assert [path for path in Pages.asked if "leak" in path] == []


def test_with_the_option_each_save_keeps_a_copy_also_one_that_has_to_wait(browser, relay, site, alice):
    options = browser.options()
    options.script("chrome.permissions.request = async () => false")
    options.click("#copies")
    options.see("#copies-state", "Without the permission, copies lack pictures")
    wait_until(lambda: ask(options, "settings").get("copies"))
    relay.close()
    url = f"{site.url}/waits"
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved on this device.")
    popup.see("#copy-outcome", "The copy of the page is sent later.")
    wait_until(lambda: ask(popup, "queue"))
    popup.close()
    relay.open()
    options = browser.options()
    options.see("#queue-state", "1 page is waiting.")
    options.click("#send")
    options.see("#queue-state", "Nothing is waiting.")
    assert "Words of the page." in copy_of(alice, url)[0]

    # The reading list opens it.
    page = browser.open(f"{browser.home}reading-list/index.html")
    page.see("#links li:has([data-do=star][aria-label])", "127.0.0.1")
    page.click("#links [data-do=more]")
    page.see("#more .saved-copy", "Saved copy")
    href = page.script("return document.querySelector('#more .saved-copy').href")
    assert href.startswith(f"{relay.url}/auth/v1/copies/")


def test_of_a_page_that_is_too_large_no_copy_is_kept_and_the_popup_says_so(browser, site, alice):
    url = f"{site.url}/huge"
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.click("#keep-copy")
    popup.see("#copy-outcome", "The page has more than 10 MB without its pictures, so no copy is kept.")
    assert not copy_of(alice, url)
    assert ask(browser.options(), "queue") == []
