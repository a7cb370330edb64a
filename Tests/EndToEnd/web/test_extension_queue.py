"""What waits in the queue of the extension: it is sent later, in order, and nothing holds it up for ever."""

import contextlib

import pytest

from support.client import wait_until
from support.extension_browser import ask
from support.members_site import MembersSite

ARTICLE = "<title>{0}</title><article><h1>{0}</h1>{1}</article>"
TEXT = "".join(f"<p>Paragraph {number} of a page that waits for its server to come back.</p>" for number in range(20))

# Answers requests of the service worker whose body holds a text, in place of the server.
ANSWER = """const [part, status, body] = arguments;
    self.send ??= self.fetch;
    self.fetch = (url, init) => (String(init?.body ?? url).includes(part)
        ? Promise.resolve(new Response(body, { status })) : self.send(url, init));"""
ANSWER_NO_MORE = "self.fetch = self.send ?? self.fetch"


@pytest.fixture(scope="module")
def site():
    with MembersSite() as site:
        yield site


@pytest.fixture
def browser(the_granted_browser, relay, alice):
    """The browser with an account, and the way to the server open."""
    options = the_granted_browser.options()
    options.script("await chrome.storage.local.clear()")
    ask(options, "sign-in", address=relay.url, email=alice.email, password=alice.password)
    yield the_granted_browser
    with contextlib.suppress(OSError):
        relay.open()
    the_granted_browser.worker().script(ANSWER_NO_MORE)
    for entry in ask(the_granted_browser.options(), "queue"):
        ask(the_granted_browser.options(), "drop-entry", key=entry["key"])
    the_granted_browser.close_tabs()


def page(site, name):
    return site.add_public(name, ARTICLE.format(f"About {name}", TEXT))


def send(browser):
    ask(browser.options(), "send-queue")
    return True


def save_without_a_network(browser, relay, url):
    relay.close()
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved on this device.")
    is_in_the_queue(popup, url)
    return popup


def is_in_the_queue(popup, url):
    # Until its page is taken, an entry is not in the queue.
    wait_until(lambda: url in [entry["url"] for entry in ask(popup, "queue")])


def test_a_page_saved_without_a_network_is_sent_once_the_server_finds_no_article(browser, relay, site, alice):
    url = site.add_private("held", "What members know.", False)
    browser.open(f"{site.url}/sign-in")
    save_without_a_network(browser, relay, url)
    wait_until(
        lambda: browser.worker().script("""const opening = indexedDB.open('queue');
            await new Promise((done) => { opening.onsuccess = done });
            const counting = opening.result.transaction('pages').objectStore('pages').count();
            await new Promise((done) => { counting.onsuccess = done });
            opening.result.close();
            return counting.result;""")
    )
    relay.open()

    def article():
        rows = send(browser) and alice.links("select=articles(source,text_content)")
        return rows and rows[0]["articles"]

    found = wait_until(article)
    assert found["source"] == "client" and "What members know." in found["text_content"]


def test_a_page_that_the_server_fails_at_does_not_hold_up_the_others(browser, relay, site, alice):
    failing, other = page(site, "failing"), page(site, "other")
    for url in (failing, other):
        save_without_a_network(browser, relay, url).close()
    browser.worker().script(ANSWER, failing, 502, "<h1>Bad Gateway</h1>")
    relay.open()
    send(browser)
    assert [(link["raw_url"], link["title"]) for link in alice.links()] == [(other, "About other")]
    assert [entry["url"] for entry in ask(browser.options(), "queue")] == [failing]
    browser.worker().script(ANSWER_NO_MORE)
    send(browser)
    assert {link["raw_url"] for link in alice.links()} == {failing, other}


def test_what_is_saved_in_a_network_that_wants_a_sign_in_waits(browser, site, alice):
    browser.worker().script(ANSWER, "/rest/v1/", 200, "<h1>Welcome to the hotel</h1>")
    browser.worker().script(ANSWER, "raw_url", 200, "<h1>Welcome to the hotel</h1>")
    url = page(site, "hotel")
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved on this device.")
    popup.see("#error", "Does your network want you to sign in?")
    is_in_the_queue(popup, url)
    popup.close()
    browser.worker().script(ANSWER_NO_MORE)
    send(browser)
    assert [link["raw_url"] for link in alice.links()] == [url]


def test_all_tabs_are_kept_before_the_first_is_sent(browser, site, alice):
    urls = [page(site, name) for name in ("first", "second", "third")]
    for url in urls:
        browser.open(url)
    # The server does not answer until the test wants it.
    browser.worker().script("""self.send ??= self.fetch;
        self.refusals = [];
        self.fetch = () => new Promise((resolve, reject) => { self.refusals.push(() => reject(Error('away'))) });
        const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        chrome.contextMenus.onClicked.dispatch({ menuItemId: 'tabs', editable: false }, tab);""")
    wait_until(lambda: len(ask(browser.options(), "queue")) == 3)
    wait_until(lambda: browser.worker().script("return self.refusals.length"))
    browser.worker().script(f"{ANSWER_NO_MORE}; for (const refuse of self.refusals) refuse()")
    ask(browser.options(), "log")
    wait_until(lambda: "Saved 3 tabs. 3 of them wait until" in str(ask(browser.options(), "log")))
    send(browser)
    assert {(link["raw_url"], link["title"] is not None) for link in alice.links()} == {(url, True) for url in urls}


def test_undo_takes_back_what_was_sent_while_the_popup_was_open(browser, relay, site, alice):
    popup = save_without_a_network(browser, relay, page(site, "undone"))
    relay.open()
    ask(popup, "send-queue")
    assert len(alice.links()) == 1
    popup.click("#undo")
    popup.see("#state", "Not saved any more.")
    assert alice.links() == []


def test_what_waits_is_sent_when_the_server_has_moved_to_another_address(browser, relay, site, alice):
    url = page(site, "moved")
    save_without_a_network(browser, relay, url).close()
    options = browser.options()
    ask(options, "sign-out")
    ask(options, "sign-in", address=alice.lectern.url, email=alice.email, password=alice.password)
    wait_until(lambda: [link["raw_url"] for link in alice.links()] == [url])
