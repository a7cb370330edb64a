"""The bookmarklets of the settings page, on pages of another site."""

import http.server
import threading
from urllib.parse import unquote

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until

PRIVATE = "Only whoever is signed in can read this sentence of the page. " * 20


class Site(http.server.BaseHTTPRequestHandler):
    """A page whose text only scripts put there, with headers that its path asks for."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if "coop" in self.path:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.end_headers()
        script = f"document.querySelector('p').textContent = '{PRIVATE}'"
        self.wfile.write(f"<title>A private page</title><article><p></article><script>{script}</script>".encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    """Another origin than the server. Its text is not in the HTML that the server would fetch."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    window = browser.driver.current_window_handle
    yield from watched(browser, lambda: browser.sign_in(alice, "settings/"))
    for other in browser.driver.window_handles:
        if other != window:
            browser.driver.switch_to.window(other)
            browser.driver.close()
    browser.driver.switch_to.window(window)


def press(page, name, address):
    """Presses the bookmarklet of this name on a page of another site; the window that it opens is then the current."""
    code = page.see(f"[data-bookmarklet={name}] a").get_attribute("href")
    driver = page.driver
    driver.get(address)
    windows = set(driver.window_handles)
    assert code.startswith("javascript:")
    # As a browser does with the address of a bookmark.
    driver.execute_script(unquote(code.removeprefix("javascript:")))
    [opened] = wait_until(lambda: set(driver.window_handles) - windows)
    driver.switch_to.window(opened)
    page.see("#save-page")


def test_the_first_bookmarklet_opens_what_is_to_be_saved(page, alice, site):
    press(page, "save", f"{site}/a?b=1#c")
    assert page.see("[name=url]").get_attribute("value") == f"{site}/a?b=1#c"
    assert page.see("#title").text == "A private page" and alice.links() == []
    assert page.script("return document.getElementById('sent-page').hidden")


def test_the_second_sends_the_page_as_the_browser_shows_it(page, alice, site):
    press(page, "page", f"{site}/account")
    page.see("#sent-page", "The page will be sent as you see it (")
    assert alice.links() == []
    page.see("[name=tags]").send_keys("mine")
    page.see("#save-page .strong").click()
    page.see("#result [role=status]", "Saved.")
    [article] = wait_until(lambda: alice.rest("GET", "articles?select=source,text_content").json())
    assert article["source"] == "client" and PRIVATE.strip() in article["text_content"]
    assert alice.links("select=title,tags(name)") == [{"title": "A private page", "tags": [{"name": "mine"}]}]


def test_a_page_that_may_not_know_its_window_is_saved_without_its_text(page, alice, site):
    press(page, "page", f"{site}/coop")
    page.see("#sent-page", "The site does not allow its page to be sent.")
    page.see("#save-page .strong").click()
    page.see("#result [role=status]", "Saved.")
    assert [link["raw_url"] for link in alice.links()] == [f"{site}/coop"]


def test_another_address_than_that_of_the_page_is_saved_without_its_text(page, alice, site):
    press(page, "page", f"{site}/one")
    page.see("#sent-page", "The page will be sent")
    field = page.see("[name=url]")
    field.clear()
    field.send_keys("http://127.0.0.2/two")
    page.see("#save-page .strong").click()
    page.see("#result [role=status]", "Saved.")
    assert [link["raw_url"] for link in alice.links()] == ["http://127.0.0.2/two"]


FORGED = """
    const [server, address, html] = arguments;
    const other = open(`${server}/save?` + new URLSearchParams({ url: address, page: 'opener' }));
    addEventListener('message', ({ source, data }) => {
        if (data === 'lectern:send-page') source.postMessage({ type: 'lectern:page', html }, '*');
    });
"""


@pytest.mark.parametrize(
    "address, html, words",
    [
        ("http://127.0.0.2/bank", "<p>forged", "The tab shows another site now."),
        (None, "x" * 10_485_761, "larger than 10 MB"),
        (None, 5, "larger than 10 MB"),
    ],
)
def test_a_site_hands_over_no_page_of_another_site_and_none_that_is_too_large(
    page, lectern, site, address, html, words
):
    driver = page.driver
    page.see("#bookmarklets")
    driver.get(f"{site}/evil")
    windows = set(driver.window_handles)
    driver.execute_script(FORGED, lectern.url, address or f"{site}/x", html)
    [opened] = wait_until(lambda: set(driver.window_handles) - windows)
    driver.switch_to.window(opened)
    page.see("#sent-page", words)


def test_a_bookmarklet_does_nothing_on_the_settings_page_itself(page):
    page.see("[data-bookmarklet=save] a").click()
    page.see("#toast", "Drag it to the bookmarks bar")
    assert len(page.driver.window_handles) == 1


def test_the_section_fits_the_phone_and_has_enough_contrast(page):
    for size in [PHONE, DESK]:
        page.size(*size)
        for scheme in ["light", "dark"]:
            page.colours(scheme)
            assert page.script("return document.documentElement.scrollWidth <= innerWidth")
            assert page.script(CONTRAST) == [] and page.script(LOW) == []
