"""The main paths of the web app in Firefox; the other tests use Chromium."""

import subprocess

import pytest

from support.client import wait_until
from support.firefox import Firefox
from support.paths import CHECKOUT
from support.reader import PAGE, SELECT, send_page

# The key, as WebDriver names it.
ESCAPE = "\ue00c"


@pytest.fixture(scope="module")
def firefox():
    with Firefox() as firefox:
        yield firefox


@pytest.fixture
def page(lectern, firefox, alice):
    """The list, signed in by the form."""
    firefox.open(f"{lectern.url}/icon.svg")
    firefox.script("() => { localStorage.clear(); sessionStorage.clear(); }")
    firefox.open(f"{lectern.url}/")
    firefox.type("#login [name=email]", alice.email)
    firefox.type("#login [name=password]", "correct horse")
    firefox.click("#login .strong")
    firefox.see("#list h1", "To Read")
    yield firefox
    # Firefox says so of each file that a page was left before it had.
    errors = [error for error in firefox.errors if "A ServiceWorker intercepted the request" not in error]
    firefox.errors.clear()
    firefox.was_offline = False
    assert errors == []


def test_a_link_is_saved_starred_archived_and_brought_back(page, alice):
    page.type("#save [name=url]", "http://127.0.0.2/somewhere")
    page.click("#save .strong")
    page.see("#links li", "127.0.0.2")
    page.click("#links [data-do=star]")
    page.see("#toast.shown", "Starred.")
    page.click("#links [data-do=archive]")
    page.see("#toast.shown", "Moved to Archive.")
    page.click("#toast button", "Undo")
    page.see("#links li", "127.0.0.2")
    wait_until(lambda: [(link["list"], link["is_starred"]) for link in alice.links()] == [("read", True)])
    page.click("#links [data-do=archive]")
    wait_until(lambda: [link["list"] for link in alice.links()] == ["archive"])


def test_an_article_is_found_read_highlighted_and_set_in_another_size(page, alice):
    link = send_page(alice)
    alice.settled(link)
    page.type("#search [name=q]", "thickness")
    page.click("#links h2 a", "Along the river")
    page.see("#reader .body", "The river begins")
    page.script(f"(...given) => {{ const f = function () {{ {SELECT} }}; f(...given); }}", "Nobody remembers", "bridge")
    page.click("#selection-toolbar [data-color=green]")
    wait_until(lambda: alice.rest("GET", "highlights?select=color").json() == [{"color": "green"}])
    page.see(".body mark[data-color=green]", "Nobody remembers")

    size = lambda: page.script("() => parseFloat(getComputedStyle(document.querySelector('#reader .body')).fontSize)")
    before = size()
    page.click("#reader .tools [popovertarget=text-settings]")
    page.see("#text-settings [name=font_size]")
    page.script("""() => {
        const slider = document.querySelector('#text-settings [name=font_size]');
        slider.value = 28;
        for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type, { bubbles: true }));
    }""")
    wait_until(lambda: size() > before)
    assert "The oldest drawing" in page.see("#reader .body") and "four arches" in PAGE


# Firefox follows a link in a task of its own, and fires `hashchange` in a later one.
OPEN_WHILE_SEARCHING = """async () => {
    const box = document.querySelector('#search input');
    box.value = 'nothing';
    box.dispatchEvent(new Event('input'));
    document.querySelector('#links h2 a').click();
    const end = performance.now() + 400;
    while (performance.now() < end);
    await new Promise((done) => setTimeout(done, 300));
    return location.hash;
}"""


def test_a_link_that_is_opened_before_the_search_has_run_stays_open(page, alice):
    link = alice.save("no address", title="Green tea")
    page.see("#links h2 a", "Green tea")
    assert page.script(OPEN_WHILE_SEARCHING) == f"#/link/{link['id']}"
    page.see("#reader h1", "Green tea")


# The distance of the filters from the lower edge of their button and from its beginning.
BESIDE_BUTTON = """() => {
    const [panel, button] = ['#filters', '#list-tools .filter'].map((each) =>
        document.querySelector(each).getBoundingClientRect());
    return [panel.top - button.bottom, panel.left - button.left];
}"""


def test_the_filters_open_at_their_button_and_escape_leads_back_to_it(page):
    page.press("#list-tools .filter")
    page.see("#filters .kinds button", "Articles")
    below, aside = page.script(BESIDE_BUTTON)
    assert 0 <= below <= 12 and abs(aside) <= 2
    assert page.script("() => document.activeElement.id") == "filters"
    page.type("#filters", ESCAPE)
    page.gone("#filters")
    assert page.script("() => document.activeElement.className") == "filter"


def test_all_that_match_are_deleted_and_restored_from_the_trash(page, alice, lectern):
    for name in ("one", "two"):
        alice.save(f"no address {name}", title=name)
    page.open(f"{lectern.url}/")
    page.click("#links [data-select]")
    page.click("#selection .select-all")
    page.see("#selection .count", "Everything selected")
    page.click("#selection button", "Delete")
    page.see("#toast.shown", "Deleted: 2 links.")
    page.click("#sidebar a", "Trash")
    page.see("#trash .facts", "90 days left")
    page.click("#trash li button", "Restore")
    page.see("#toast.shown", "Restored: ")
    wait_until(lambda: len(alice.links()) == 1)


def test_every_page_opens_and_the_service_worker_keeps_the_app(page, lectern, alice):
    assert page.script("() => navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)").endswith("/sw.js")
    for place, heading in [
        ("settings/", "Settings"),
        ("account/", "Account"),
        ("queue/", "Queue"),
        ("digest/", "Digest"),
        ("import/", "Import"),
        ("save?url=http://127.0.0.2/x", "Save"),
    ]:
        page.open(f"{lectern.url}/{place}")
        page.see("h1", heading)
        assert page.script("() => document.documentElement.scrollWidth <= innerWidth"), place


def test_what_is_done_without_a_network_waits_and_is_sent(page, alice, lectern):
    alice.save("no address", title="Kept")
    # The service worker has the modules that are loaded later.
    wait_until(lambda: page.script("() => navigator.serviceWorker.controller?.state ?? null") == "activated")
    page.open(f"{lectern.url}/")
    page.see("#links li", "Kept")
    page.see("#links [data-do=star][aria-label]")
    with page.offline():
        page.click("#links [data-do=star]")
        page.see("#connection .waiting", "1 change waiting")
        page.click("#links [data-select]")
        page.click("#selection .select-all")
        page.click("#selection button", "Archive")
        page.see("#toast.shown", "The links stay selected")
    page.gone("#connection .waiting")
    wait_until(lambda: [link["is_starred"] for link in alice.links()] == [True])
    page.see("#selection .count", "Everything selected")
    page.click("#selection button", "Archive")
    wait_until(lambda: [link["list"] for link in alice.links()] == ["archive"])


def test_the_extension_saves_the_page_of_a_tab_as_it_is_shown_and_has_a_reading_list(
    firefox, tmp_path, lectern, alice, website
):
    pack = [CHECKOUT / "extension/pack", "--out", tmp_path]
    firefox.install(subprocess.run(pack, capture_output=True, text=True, check=True, timeout=600).stdout.strip())
    firefox.type("#address", lectern.url)
    firefox.press("#connect button")
    firefox.type("#email", alice.email)
    firefox.type("#password", "correct horse")
    firefox.press("#sign-in button")
    firefox.see("#account", f"Signed in at {lectern.url} as {alice.email}.")

    firefox.open_beside(f"{website.url}/article")
    saved = firefox.script(
        """async (url) => {
        const tab = (await chrome.tabs.query({})).find((each) => each.url === url);
        return chrome.runtime.sendMessage({ name: 'save-tab', tab, policy: 'always' });
    }""",
        f"{website.url}/article",
    )
    assert "error" not in saved, saved
    [link] = wait_until(alice.links)
    assert link["raw_url"] == f"{website.url}/article"
    assert wait_until(lambda: alice.article(link["id"]))
    title = alice.settled(link["id"])["title"]

    # Its page is the web app, from the files of the extension.
    alice.rest("POST", "user_settings", {"user_id": alice.id, "font_name": "Vollkorn"})
    firefox.script("() => { location.href = chrome.runtime.getURL('reading-list/index.html'); }")
    firefox.see("#links li", title)
    firefox.click("#links h2 a", title)
    firefox.see("#reader h1", title)
    loaded = """() => [...document.fonts].some(({ family, status }) =>
        family.replaceAll('"', '') === 'Vollkorn' && status === 'loaded')"""
    wait_until(lambda: firefox.script(loaded))
    assert firefox.script("() => document.documentElement.scrollWidth <= innerWidth")
