"""The pages in other languages: chosen by the browser or in the settings, with the dates and numbers of the place."""

import json
import re

import pytest

from support.axe import AXE, CHECK
from support.browser import DESK, ListPage
from support.chromium import speak
from support.client import wait_until
from support.documents import finished, upload
from support.exports_of_services import FILES
from support.feed_site import FeedSite
from support.paths import CHECKOUT
from support.reader import send_page

# All texts and names that the page has, whether they are visible or not.
TEXTS = """
    const texts = new Set();
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.nodeType === 3) texts.add(node.data);
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-empty', 'data-missing']) {
            if (node.nodeType === 1 && node.hasAttribute(name)) texts.add(node.getAttribute(name));
        }
    }
    return [...texts].map((text) => text.trim().replace(/\\s+/g, ' '));
"""

IS_LOADED = "return document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')"
LANGUAGE = "const { lang, dir } = document.documentElement; return [lang, dir]"

PAGES = [
    "",
    "#/trash",
    "settings/",
    "account/",
    "queue/",
    "digest/",
    "import/",
    "save?url=http://127.0.0.2/a&title=A",
    "pair/",
    "developer/",
]


def catalogue(language):
    return json.loads((CHECKOUT / f"web/locales/{language}.json").read_text())


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    """The list in English."""
    browser.size(*DESK)
    browser.colours("light")
    browser.sign_in(alice)
    yield browser
    assert browser.console_errors() == []
    speak(browser.driver, "")


@pytest.fixture
def article(alice):
    """The address of an article of the user, who also has a link that cannot be fetched."""
    alice.save("no address", title="1")
    return f"#/link/{send_page(alice)}"


def shown(page, place, language):
    """Opens a page in a language, and waits until it shows what it has."""
    # Another fragment alone would not load the page again.
    page.open("icon.svg")
    page.open(place)
    page.see("main h1")
    wait_until(lambda: page.script(IS_LOADED) and page.script(LANGUAGE) == language, every=0.05)
    if "#/link" in place:
        page.see("#reader .body", "The river begins")
    if place == "":
        page.card("Along the river")


def in_control(page):
    """Waits until the service worker answers the page's requests."""
    wait_until(lambda: page.script("return navigator.serviceWorker.controller?.state === 'activated'"), every=0.05)


def is_stored(page, path):
    script = "caches.match(arguments[0]).then((response) => arguments[1](Boolean(response)))"
    return page.driver.execute_async_script(script, path)


@pytest.mark.timeout(1800)
def test_a_german_browser_shows_no_english_words(page, article):
    german = catalogue("de")
    english = {text for text, words in german.items() if words != text and "{" not in text}
    speak(page.driver, "de-AT,en")
    for place in [*PAGES, article]:
        shown(page, place, ["de-AT", "ltr"])
        known = {str(words) for words in german.values()}
        # The script of a page translates it.
        wait_until(lambda known=known: english.intersection(page.script(TEXTS)) <= known, every=0.05)
    page.see("#reader .body a")
    # A sentence keeps the elements in it.
    page.open("settings/")
    assert page.see("#session .hint a", "Kontoseite").get_attribute("href").endswith("/account/")


def test_what_the_server_refuses_is_said_in_the_language_of_the_page(page):
    speak(page.driver, "de")
    page.open("icon.svg")
    page.open("#/search/is:nothing")
    assert page.see("#note", "Der Schlüssel is kann den Wert nothing nicht haben. Möglich: ")
    # The response to a search that is wrong.
    assert all("400" in trouble for trouble in page.console_errors())


def test_why_a_feed_cannot_be_read_is_said_in_the_language_of_the_page(page, alice):
    with FeedSite() as feeds:
        alice.rest("POST", "feeds", {"url": feeds.tell("", status=404), "title": "Away"})
        alice.rest("POST", "feeds", {"url": feeds.tell("plain text"), "title": "No feed"})
        failures = lambda: [feed["state"] for feed in alice.rest("GET", "feeds").json()]
        wait_until(lambda: failures() == ["failed", "failed"])
    speak(page.driver, "de")
    page.open("queue/")
    page.see("#feeds .error", "Die Website hat diese Seite nicht (Status 404).")
    page.see("#feeds .error", "Die Adresse führt zu ")
    speak(page.driver, "ar")
    page.open("queue/")
    page.see("#feeds .error", "لا توجد هذه الصفحة في الموقع")


# Keeps the text of the next file that the page lets the user save.
KEEP_FILE = """
    URL.createObjectURL = (blob) => {
        blob.text().then((text) => { window.savedText = text; });
        return '#';
    };
"""


def test_why_entries_of_a_file_are_not_imported_is_said_in_the_language_of_the_page(page, alice):
    finished(alice, upload(alice, *FILES["karakeep"][:2]))
    speak(page.driver, "de")
    page.open("queue/")
    page.script(KEEP_FILE)
    page.see("#files button", "Nicht Importiertes herunterladen").click()
    saved = wait_until(lambda: page.script("return window.savedText"))
    assert saved.startswith("row,url,reason") and "kein Link" in saved


@pytest.mark.timeout(1800)
def test_a_right_to_left_page_fits_the_screen_and_passes_the_checks_of_accessibility(page, article):
    speak(page.driver, "ar")
    page.size(320, 640)
    for place in [*PAGES, article]:
        shown(page, place, ["ar", "rtl"])
        assert page.script("return document.documentElement.scrollWidth") <= 320, place
        if page.script("return typeof axe") == "undefined":
            page.script(AXE)
        assert page.driver.execute_async_script(CHECK) == [], place
    # The article keeps its own direction.
    direction = "return getComputedStyle(document.querySelector(arguments[0])).direction"
    assert [page.script(direction, part) for part in ("#reader .tools", "#reader .body p")] == ["rtl", "ltr"]


def test_the_panels_of_a_right_to_left_page_are_at_its_other_side(page, article):
    speak(page.driver, "ar")
    page.size(*DESK)
    shown(page, article, ["ar", "rtl"])
    page.see("#reader .highlights").click()
    assert page.see("#highlights").rect["x"] < 100
    page.see("#reader .tools [popovertarget=text-settings]").click()
    assert page.see("#text-settings").rect["x"] < 100
    layout = "document.querySelector(`#text-settings [name=layout][value=${arguments[0]}]`).click()"
    page.script(layout, "pages")
    # The pages of an English article follow each other to the right.
    direction = "return getComputedStyle(document.querySelector('#reader > article')).direction"
    wait_until(lambda: page.script(direction) == "ltr", every=0.05)
    page.script(layout, "scroll")


def test_the_choice_in_the_settings_beats_the_browser_and_lasts(page):
    speak(page.driver, "de")
    page.open("settings/")
    choice = page.see("#page-language")
    assert (choice.accessible_name, choice.get_attribute("value")) == ("Sprache der Seiten", "")
    # One key chooses, and the page is loaded again.
    choice.send_keys("E")
    wait_until(lambda: page.script(LANGUAGE) == ["en", "ltr"], every=0.05)
    assert page.see("#page-language").get_attribute("value") == "en"
    page.open("")
    page.see("#bar a", "To Read")
    page.open("settings/")
    page.see("#page-language").send_keys("A")
    wait_until(lambda: page.script(LANGUAGE) == ["de", "ltr"], every=0.05)
    page.see("#settings h1", "Einstellungen")


def test_dates_are_written_as_in_the_country_of_the_browser(page, article):
    for languages, time in [
        ("en-US", r"\w+ \d{1,2}, \d{4} at \d"),
        ("en-GB", r"\d{1,2} \w+ \d{4} at \d"),
        ("fr,de-CH", r"\d{1,2}\. \w+ \d{4} um \d"),
        # No catalogue is there for French.
        ("fr", r"\w+ \d{1,2}, \d{4} at \d"),
    ]:
        speak(page.driver, languages)
        page.open("")
        page.card("Along the river")
        assert re.match(time, page.see("#links time").get_attribute("title")), languages


def test_another_language_works_without_a_network(page):
    speak(page.driver, "de")
    page.open("icon.svg")
    storages = {"origin": page.url, "storageTypes": "service_workers,cache_storage"}
    page.driver.execute_cdp_cmd("Storage.clearDataForOrigin", storages)
    page.open("")
    page.see("#bar a", "Leseliste")
    in_control(page)
    # The browser itself is English. Languages that nobody uses are not stored.
    page.open("settings/")
    page.see("#settings h1", "Einstellungen")
    wait_until(lambda: is_stored(page, "/locales/de.json"), every=0.05)
    assert not is_stored(page, "/locales/ar.json")
    page.driver.execute_cdp_cmd("Network.enable", {})
    network = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network)
    page.open("")
    page.see("#bar a", "Leseliste")
    page.see("#connection .offline", "Offline")
    network = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network)
    page.leave()
