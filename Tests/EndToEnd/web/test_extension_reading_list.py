"""The reading list of the extension: the web app in a page of the extension, with the session of its service worker."""

import contextlib

import pytest

from support.axe import AXE, CHECK
from support.client import wait_until
from support.extension_browser import ask
from support.picture_site import PictureSite
from support.reader import SELECT, send_page

# The links and articles that the reading list keeps for use without a network, of all users.
KEPT = """const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    let count = 0;
    for (const { name } of await indexedDB.databases()) {
        if (!name.startsWith('lectern-')) continue;
        const database = await done(indexedDB.open(name));
        for (const store of ['links', 'articles']) {
            if (!database.objectStoreNames.contains(store)) continue;
            count += await done(database.transaction(store).objectStore(store).count());
        }
        database.close();
    }
    return count;"""


@pytest.fixture
def browser(the_browser, relay):
    """The browser without an account and without what the web app keeps, and the way to the server open."""
    yield the_browser
    with contextlib.suppress(OSError):
        relay.open()
    the_browser.close_tabs()
    options = the_browser.options()
    options.script("""await chrome.storage.local.clear();
        localStorage.clear();
        const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name !== 'queue');
        await Promise.all(names.map((name) => new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase(name);
            request.onsuccess = resolve;
            request.onerror = () => reject(request.error);
        })));""")
    the_browser.close_tabs()


def sign_in(browser, relay, user):
    options = browser.options()
    ask(options, "sign-in", address=relay.url, email=user.email, password=user.password)
    return options


def reading_list(browser, place=""):
    page = browser.open(f"{browser.home}reading-list/index.html{place}")
    page.see("#list h1" if "link" not in place else "#reader h1")
    return page


def press(page, card, name):
    """Presses the button of a card by its accessible name."""
    page.see("#links li:has([data-do=star][aria-label])", card)
    page.script(
        """const [text, name] = arguments;
        [...document.querySelectorAll('#links li:not([hidden])')].find((row) => row.textContent.includes(text))
            .querySelector(`[aria-label="${name}"]`).click()""",
        card,
        name,
        gesture=True,
    )


def test_links_are_listed_changed_and_brought_back_under_the_names_of_the_web_app(browser, relay, alice):
    alice.save("http://127.0.0.2/first", title="The first one")
    sign_in(browser, relay, alice)
    page = reading_list(browser)
    page.see("#links li", "The first one")
    press(page, "The first one", "Star for newsletter")
    page.see("#toast.shown", "Starred.")
    wait_until(lambda: alice.links()[0]["is_starred"])
    press(page, "The first one", "Archive")
    page.see("#toast.shown", "Moved to Archive.")
    wait_until(lambda: alice.links()[0]["list"] == "archive")
    page.click("#toast button")
    wait_until(lambda: alice.links()[0]["list"] == "read")
    page.fill("#save [name=url]", "http://127.0.0.2/second")
    page.click("#save .strong")
    page.see("#links li", "127.0.0.2/second")
    # What another device saves appears by itself.
    alice.save("http://127.0.0.2/third", title="The third one")
    page.see("#links li", "The third one")
    # Other pages are those of the server.
    assert page.script("return document.querySelector('#bar [href$=\"/settings/\"]').href") == f"{relay.url}/settings/"


def test_an_article_is_found_read_and_highlighted(browser, relay, alice):
    link = send_page(alice)
    alice.settled(link)
    sign_in(browser, relay, alice)
    page = reading_list(browser)
    page.fill("#search [name=q]", "thickness")
    page.see("#links li mark", "thickness")
    page.click("#links h2 a")
    page.see("#reader .body", "The river begins")
    page.script(SELECT, "Nobody remembers", "bridge")
    page.click("#selection-toolbar [data-color=green]")
    page.see(".body mark[data-color=green]")
    wait_until(lambda: alice.rest("GET", "highlights?select=color").json() == [{"color": "green"}])
    # The same article is opened by the address of the page.
    again = reading_list(browser, f"#/link/{link}")
    again.see(".body mark[data-color=green]")


def test_articles_are_read_and_links_changed_without_a_network(browser, relay, alice):
    link = send_page(alice)
    title = alice.settled(link)["title"]
    sign_in(browser, relay, alice)
    page = reading_list(browser, f"#/link/{link}")
    page.see("#reader .body", "The river begins")
    relay.close()
    page = reading_list(browser)
    page.see("#connection .offline", "Offline")
    page.see("#links li", title)
    press(page, title, "Star for newsletter")
    page.see("#connection .waiting", "1 change waiting")
    page.click("#links h2 a")
    page.see("#reader .body", "The river begins")
    assert not alice.links()[0]["is_starred"]
    relay.open()
    # The page looks for the server in growing intervals.
    wait_until(lambda: alice.links()[0]["is_starred"])


def test_pictures_of_articles_that_were_never_opened_are_there_without_a_network(browser, relay, alice):
    with PictureSite() as site:
        link = alice.settled(
            alice.save(site.page("/png/lake?width=900&height=500", "/png/hill?width=800&height=400"))["id"]
        )
        wait_until(lambda: kept_addresses(alice, link))
    sign_in(browser, relay, alice)
    page = reading_list(browser)
    loaded = "return performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\\/pictures\\//, ''))"
    wait_until(lambda: set(kept_addresses(alice, link) or ["?"]) <= set(page.script(loaded)))
    relay.close()
    page = reading_list(browser, f"#/link/{link['id']}")
    # Those far below the screen are loaded, too.
    widths = """return [...document.querySelectorAll('#reader .body img')].map((image) => {
        image.loading = 'eager';
        return image.naturalWidth;
    })"""
    wait_until(lambda: len(found := page.script(widths)) == 2 and all(found))


def test_the_fonts_of_the_server_are_there_with_and_without_a_network(browser, relay, alice):
    link = send_page(alice)
    alice.settled(link)
    alice.rest("POST", "user_settings", {"user_id": alice.id, "font_name": "Vollkorn"})
    sign_in(browser, relay, alice)
    loaded = """return [...document.fonts].some(({ family, status }) =>
        family.replaceAll('"', '') === 'Vollkorn' && status === 'loaded')"""
    page = reading_list(browser, f"#/link/{link}")
    wait_until(lambda: page.script(loaded))
    relay.close()
    page = reading_list(browser, f"#/link/{link}")
    page.see("#reader .body", "The river begins")
    wait_until(lambda: page.script(loaded))


def kept_addresses(user, link):
    rows = user.rest("GET", f"link_pictures?link_id=eq.{link['id']}&select=state,pictures(address)").json()
    return rows and all(row["state"] == "kept" for row in rows) and [row["pictures"]["address"] for row in rows]


def test_the_service_worker_renews_the_session_and_signing_out_ends_it_everywhere(browser, relay, alice, bob):
    options = sign_in(browser, relay, alice)
    options.script("""const { account } = await chrome.storage.local.get('account');
        await chrome.storage.local.set({ account: { ...account, access: 'expired', until: 0 } });""")
    alice.save("http://127.0.0.2/mine", title="Only mine")
    page = reading_list(browser)
    page.see("#links li", "Only mine")
    assert "refresh" not in page.script("return localStorage.getItem('session')")
    page.script("""const session = JSON.parse(localStorage.getItem('session'));
        localStorage.setItem('session', JSON.stringify({ ...session, access: 'expired', until: 0 }));""")
    press(page, "Only mine", "Star for newsletter")
    wait_until(lambda: alice.links()[0]["is_starred"])

    # The page follows the account of the options.
    ask(options, "sign-in", address=relay.url, email=bob.email, password=bob.password)
    page.see("#note", "Nothing to read yet")
    page.click("#logout")
    page.see("#connect")
    assert ask(options, "account") is None
    wait_until(lambda: page.script(KEPT) == 0)


def test_a_paired_browser_reads_with_its_token(browser, relay, alice):
    made = alice.lectern.auth(
        "POST", "pairings", {"password": alice.password}, Authorization=f"Bearer {alice.token}"
    ).json()
    alice.save("http://127.0.0.2/paired", title="Paired")
    ask(browser.options(), "pair", address=relay.url, code=made["code"])
    page = reading_list(browser)
    press(page, "Paired", "Mark as read")
    wait_until(lambda: alice.links()[0]["status"] == "read")


def test_without_an_account_the_options_are_opened(browser):
    page = browser.open(f"{browser.home}reading-list/index.html")
    page.see("#connect")


def test_the_reading_list_is_accessible_in_both_colour_schemes(browser, relay, alice):
    alice.save("http://127.0.0.2/first", title="The first one")
    sign_in(browser, relay, alice)
    page = reading_list(browser)
    page.see("#links li:has([data-do=star][aria-label])", "The first one")
    page.call("Runtime.evaluate", expression=AXE)
    for scheme in ("light", "dark"):
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert page.script(f"return new Promise((done) => (function () {{ {CHECK} }})(done))") == []


def test_links_to_other_pages_lead_to_the_server_also_those_of_cards(browser, relay, alice):
    sign_in(browser, relay, alice)
    page = reading_list(browser)
    found = page.script("""const templates = [...document.querySelectorAll('template')].map(({ content }) => content);
        return [document, ...templates].flatMap((part) => [...part.querySelectorAll('a[href]')])
            .map((anchor) => anchor.getAttribute('href')).filter((href) => href.endsWith('/'))""")
    assert found.count(f"{relay.url}/queue/") == 3
    assert [href for href in found if not href.startswith(relay.url)] == []
