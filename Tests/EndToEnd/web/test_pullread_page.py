"""The page of PullRead's viewer, which the setting PULLREAD_VIEWER names, in a browser."""

import re

import pytest

from support import service
from support.browser import DESK, ListPage
from support.feeds import get, make_token
from support.paths import CHECKOUT

VIEWER = CHECKOUT / "Tests/EndToEnd/support/viewer.html"
PAGE = "<article><h2>Boiling</h2>{}<pre><code class='language-python'>def boil(water):\n    return 'tea'</code></pre></article>".format(
    "".join(f"<p>Paragraph {n} is about kettles, cups and the water that is boiled in them.</p>" for n in range(9))
)


@pytest.fixture(scope="module")
def instance():
    return service.shared(LECTERN_PULLREAD_VIEWER=str(VIEWER))


@pytest.fixture
def page(instance, chromium, alice):
    answer = alice.rest("POST", "rpc/save_page", {"url": "http://127.0.0.9:9/tea", "title": "Tea & Cake", "html": PAGE})
    alice.settled(answer.json()[0]["id"])
    browser = ListPage(instance.url, chromium)
    browser.size(*DESK)
    browser.open("save/")
    yield browser
    # Nothing violated the policy. A refused write is told in the console, too, and Debian's highlight.js says that it is
    # old.
    expected = re.compile("40[135]|reached EOL")
    assert [error for error in browser.console_errors() if not expected.search(error)] == []


def test_the_page_shows_articles_once_it_is_signed_in(page, alice):
    signing = "const [token, done] = arguments; return fetch('/api/session', {method: 'POST', body: JSON.stringify({token})}).then((answer) => answer.status)"
    assert page.script(signing, make_token(alice, "read")) == 200
    assert "lectern_token" not in page.script("return document.cookie")
    page.open("pullread/")
    page.see("#list li", "Tea & Cake")
    assert page.see("#content h2").text == "Boiling" and page.see("#content code .hljs-keyword").text == "def"
    assert page.see("#list").value_of_css_property("color") == "rgba(1, 2, 3, 1)"
    page.script("return fetch('/api/session', {method: 'DELETE'}).then(() => 0)")


def test_the_settings_sign_the_page_in(page, alice):
    page.sign_in(alice, "settings/")
    page.settled()
    field = page.see("#open-viewer [name=token]")
    for token, words in ((make_token(alice, "save"), "read everything"), ("lct_x", "unknown")):
        field.clear()
        field.send_keys(token)
        page.see("#open-viewer button").click()
        page.see("#open-viewer .field-error", words)
    page.script("window.send = fetch; window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))")
    page.see("#open-viewer button").click()
    page.see("#open-viewer .field-error", "The server is not responding.")
    page.script("window.fetch = send")
    field.clear()
    field.send_keys(make_token(alice, "read"))
    page.see("#open-viewer button").click()
    page.see("#list li", "Tea & Cake")
    page.script("return fetch('/api/session', {method: 'DELETE'}).then(() => 0)")


def test_the_page_and_its_libraries_have_headers_that_fit(instance):
    answer = get(instance, "/pullread/")
    assert answer.status == 200 and answer.body == VIEWER.read_bytes()
    policy = answer["content-security-policy"]
    assert "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy
    moved = get(instance, "/pullread")
    assert (moved.status, moved["location"]) == (301, "pullread/")
    for name in ("marked.min.js", "highlight.min.js", "github.min.css", "github-dark.min.css", "licence-marked.txt"):
        assert get(instance, f"/lib/{name}").status == 200, name
    for path in ("/pullread/x", "/pullread/..%2findex.html", "/lib/x.js", "/lib/", "/pullread/%2e%2e/files.js"):
        assert get(instance, path).status == 404, path
    assert "pullread" not in get(instance, "/files.js").body.decode()


def test_without_the_setting_there_is_no_such_page(lectern):
    assert get(lectern, "/pullread/").status == 404 and get(lectern, "/lib/marked.min.js").status == 200
