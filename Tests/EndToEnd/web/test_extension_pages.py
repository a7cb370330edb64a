"""The pages that the extension sends, in real Chromium: behind a login, covered, in shadow trees and frames, hostile."""

import json

import pytest

from support import covered_pages, extract_command
from support.extension_browser import ExtensionBrowser, ask, granted_copy
from support.members_site import MembersSite

# The most processor time that a task may take while a page is taken: milliseconds, or on a slow machine this part of the
# time of all tasks.
LONGEST_TASK_MS = 200
LONGEST_TASK_SHARE = 0.2

# Seconds in which the largest page is taken, also on a machine that is busy with other tests.
TAKING = 300


@pytest.fixture(scope="module")
def site():
    with MembersSite() as site:
        yield site


@pytest.fixture
def browser(the_browser, lectern, alice):
    """The browser with an account."""
    options = the_browser.options()
    options.script("await chrome.storage.local.clear()")
    ask(options, "sign-in", address=lectern.url, email=alice.email, password=alice.password)
    yield the_browser
    the_browser.close_tabs()


def settings(browser, **changes):
    ask(browser.options(), "change-settings", changes=changes)


def article_of(user, url):
    """The article of the link with this address, or None."""
    rows = user.links(f"select=state,reason,articles(source,source_reason,text_content)&raw_url=eq.{url}")
    return rows and rows[0]["state"] == "ready" and rows[0]["articles"]


# Behind a login


@pytest.mark.parametrize("signs_out", [True, False], ids=["signs-out", "no-sign"])
def test_the_private_text_of_a_page_behind_a_login_is_in_the_article(browser, site, alice, signs_out):
    url = site.add_private(f"login-{signs_out}", "What members know.", signs_out)
    browser.open(f"{site.url}/sign-in")
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "The article comes from the page in your browser")
    article = article_of(alice, url)
    assert article["source"] == "client" and "What members know." in article["text_content"]


def test_a_page_is_sent_never_if_the_user_wants_that_for_its_site_and_now_when_asked_to(browser, site, alice):
    url = site.add_private("never", "What members know.", True)
    settings(browser, policy="always", sites={"127.0.0.1": "never"})
    browser.open(f"{site.url}/sign-in")
    browser.open(url)
    popup = browser.popup()
    popup.see("#outcome", "sign")
    assert not article_of(alice, url)
    popup.click("#send-page")
    popup.see("#outcome", "The article comes from the page in your browser")
    assert "What members know." in article_of(alice, url)["text_content"]


# Covered pages


TAKE = """const { id } = (await chrome.tabs.query({})).find(({ url }) => url === arguments[0]);
    const files = ['overlays', 'images', 'attributes', 'serializer', 'main'].map((name) => `capture/${name}.js`);
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: id }, files });
    return result;"""


def take(browser, url):
    """Takes the page of the tab with this address."""
    return browser.worker().script(TAKE, url, patience=TAKING)


@pytest.fixture(scope="module")
def taken(the_granted_browser, site):
    """What was taken of each covered page, by its name."""
    found, tab = {}, the_granted_browser.open(f"{site.url}/sign-in")
    for name, html in covered_pages.pages().items():
        url = site.add_public(name, html)
        tab.go(url)
        before = tab.script("return document.documentElement.outerHTML")
        found[name] = take(the_granted_browser, url)["html"]
        assert tab.script("return document.documentElement.outerHTML") == before, f"{name} was changed"
    return found


@pytest.fixture(scope="module")
def articles(taken):
    """The article of each, as the server extracts it."""
    lines = "\n".join(extract_command.line(name, html) for name, html in taken.items())
    found = [json.loads(line) for line in extract_command.extract("--batch", said=lines).splitlines()]
    return {one["id"]: one.get("textContent") or "" for one in found}


@pytest.mark.parametrize("name", covered_pages.PAGES)
def test_the_article_of_a_covered_page_is_whole_and_without_what_covers_it(articles, name):
    text = " ".join(articles[name].split())
    truth = covered_pages.paragraphs(name)
    assert [paragraph for paragraph in truth if paragraph not in text] == []
    others = text.replace(f"About {name}", "")
    for paragraph in truth:
        others = others.replace(paragraph, "")
    assert others.split() == []


def test_late_pictures_are_found_and_what_was_typed_is_not_sent(the_granted_browser, site):
    late = """<article><h1>Pictures</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/late.png" alt="Late">
        <img data-srcset="/small.png 300w, /large.png 1200w" alt="Set"><img src="/there.png" onerror="1" alt="There">
        <picture><source srcset="/wide.webp 2x"><img src="/fallback.png"></picture>
        <form><textarea>typed</textarea><input name="csrf" type="hidden" value="secret"><input id="name"></form>
        <a href="/other" onclick="1">Other</a><a href="javascript:1">Script</a><p style="color: red">Red</p></article>
        <script>document.getElementById('name').value = 'typed'; var secret = 'secret'</script>"""
    head = '<meta name="csrf-token" content="secret"><script type="application/ld+json">{"a": "</b>"}</script>'
    url = site.add_public(
        "late", f"<!doctype html><html lang=en><head><title>Late</title>{head}</head><body>{late}</body></html>"
    )
    the_granted_browser.open(url)
    html = take(the_granted_browser, url)["html"]
    for path in ("/late.png", "/large.png", "/there.png", "/wide.webp", "/fallback.png", "/other"):
        assert f'"{site.url}{path}' in html, path
    for word in ("typed", "secret", "onclick", "onerror", "javascript:", "style=", "data:image"):
        assert word not in html, word
    assert '{"a": "<\\/b>"}' in html


# Pages that fight


SENTENCE = "A page is kept so that it can be read later, in peace, and perhaps twice, whatever the page does. "
TEXT = "".join(f"<p>Paragraph {number}. {SENTENCE * 3}</p>" for number in range(9))

HOSTILE = {
    "frozen-prototypes": """<script>for (const type of [Node, Element, Document, HTMLElement, Object, Array])
        Object.freeze(type.prototype)</script>""",
    "redefined-methods": """<script>
        for (const [type, name] of [[Node, 'childNodes'], [Element, 'attributes'], [Element, 'localName'], [Node, 'textContent']])
            Object.defineProperty(type.prototype, name, { get() { throw Error('no') } });
        Element.prototype.getAttribute = Array.prototype.push = Array.prototype.join = String.prototype.replace = () => 'gone';
        window.getComputedStyle = () => { throw Error('no') };
        window.MessageChannel = window.performance = undefined</script>""",
    "clobbered-names": """<form id="getAttribute"><input name="attributes"><input name="childNodes"><input name="localName">
        <input name="textContent"><input name="nodeType"><p>In the form.</p></form><img name="body"><img name="documentElement">
        <img name="contentType"><form name="querySelectorAll"></form><form name="createTreeWalker"></form>""",
    "endless-mutation": """<div id="changing"></div><script>const add = () => {
        for (let n = 0; n < 50; n++) changing.append(document.createElement('i'));
        if (changing.childElementCount > 5000) changing.replaceChildren();
        setTimeout(add) };
        new MutationObserver(() => {}).observe(document, { subtree: true, childList: true });
        add()</script>""",
    "many-nodes": """<script>const parts = document.createDocumentFragment();
        for (let n = 0; n < 100_000; n++) parts.append(document.createElement('span'));
        document.documentElement.lastElementChild.append(parts)</script>""",
    "deep": "<div>" * 3_000,
    "many-overlays": '<div class="modal cookie">Sign in</div>' * 5_000,
    "cross-origin-frame": '<iframe src="http://127.0.0.2:9/frame"></iframe>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_that_fights_is_taken_with_its_article(the_granted_browser, site, name):
    url = site.add_public(
        name, f"<!doctype html><title>Fight</title><article><h1>Fight</h1>{TEXT}</article>{HOSTILE[name]}"
    )
    tab = the_granted_browser.open(url)
    found = take(the_granted_browser, url)
    assert found.get("problem") is None
    assert all(f"Paragraph {number}." in found["html"] for number in range(9))
    tab.close()


# Lets a test decide when a page is given up.
GIVE_UP = """
const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, pause, ...values) => {
    if (pause !== CAPTURE_TIMEOUT_MS) return wait(work, pause, ...values);
    globalThis.giveUp = () => work(...values);
};
"""


@pytest.fixture(scope="module")
def patient_browser(tmp_path_factory):
    """A browser whose extension waits for a page until a test calls `giveUp` in its service worker."""
    folder = granted_copy(tmp_path_factory.mktemp("patient"))
    with (folder / "shared/timing.js").open("a") as timing:
        timing.write(GIVE_UP)
    browser = ExtensionBrowser(folder)
    yield browser
    browser.quit()


def test_a_page_that_does_not_answer_is_saved_by_its_address_and_the_popup_says_so(
    patient_browser, lectern, site, alice
):
    url = site.add_public("hung", f"<!doctype html><title>Hung</title><article>{TEXT}</article>")
    ask(patient_browser.options(), "sign-in", address=lectern.url, email=alice.email, password=alice.password)
    patient_browser.open(url).script("setTimeout(() => { for (;;); })")
    popup = patient_browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "Reading the page in the browser…")
    patient_browser.worker().script("giveUp()")
    popup.see("#outcome", "The page did not answer in time, so only its address was saved.")
    assert [link["raw_url"] for link in alice.links()] == [url]


def test_a_sandboxed_page_is_taken(the_granted_browser, site):
    url = site.add_public(
        "sandbox", f"<article>{TEXT}</article>", Content_Security_Policy="sandbox; default-src 'none'"
    )
    the_granted_browser.open(url)
    assert "Paragraph 8." in take(the_granted_browser, url)["html"]


def test_a_page_of_10_mb_is_taken_without_a_long_task_and_a_longer_one_is_cut(the_granted_browser, site):
    filling = f"<p>{SENTENCE * 5}<a href='/x'>more</a></p>"
    url = site.add_public(
        "large", f"<!doctype html><title>Large</title><article><h1>Large</h1>{filling * 24_000}</article>"
    )
    the_granted_browser.open(url)
    with the_granted_browser.tasks() as tasks:
        found = take(the_granted_browser, url)
    assert found["problem"] == "truncated"
    assert 9_900_000 < len(found["html"].encode()) <= 10_485_760 and found["html"].endswith("</html>")
    longest = max(LONGEST_TASK_MS, LONGEST_TASK_SHARE * sum(tasks))
    assert 5 < max(tasks) <= longest, (longest, sorted(tasks)[-5:])


def test_of_a_file_that_is_no_page_the_address_is_saved_and_the_popup_says_so(browser, site, alice):
    settings(browser, policy="always")
    browser.open(f"{site.url}/file.pdf")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "This is not an HTML page, so only its address was saved.")
    assert [link["raw_url"] for link in alice.links()] == [f"{site.url}/file.pdf"]


def test_of_a_file_on_this_device_the_popup_says_how_to_save_it(browser, tmp_path, alice):
    file = tmp_path / "notes.txt"
    file.write_text("Tea at five.")
    browser.open(file.as_uri())
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "Your server cannot reach files on this device, so only the address was saved.")


def test_a_page_of_the_browser_itself_cannot_be_saved_and_the_popup_says_why(browser, alice):
    browser.open("chrome://version/")
    popup = browser.popup()
    popup.see("#error", "The browser hides this page from extensions, even its address.")
    assert popup.script("return document.getElementById('again').hidden")
    assert alice.links() == []


def test_a_file_has_the_title_that_the_server_finds_and_not_its_address(browser, site, alice):
    url = site.add_public("notes.txt", "Notes of the day\n\n" + "Tea at five. " * 50, Content_Type="text/plain")
    browser.open(url)
    browser.popup().see("#state", "Saved.")
    [link] = alice.links()
    assert "/public/" not in (alice.settled(link["id"])["title"] or "")
