"""The pages in other languages: chosen by the browser or in the settings, with dates and numbers of the place."""

import json

import pytest

from support.browser import DESK, ListPage
from support.chromium import speak
from support.client import wait_until
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

PAGES = {"list": "", "settings": "settings/", "account": "account/", "queue": "queue/", "digest": "digest/"}
PAGES |= {"save": "save?url=http://127.0.0.2/a&title=Titel", "pair": "pair/", "trash": "#/trash"}


def catalogue(language):
    return json.loads((CHECKOUT / f"web/locales/{language}.json").read_text())


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    """The list in English, of a user who has an article."""
    browser.size(*DESK)
    browser.sign_in(alice)
    browser.link = send_page(alice)
    yield browser
    assert browser.console_errors() == []
    speak(browser.driver, "")


def shown(page, place):
    """Opens a page, and waits until it shows what it has."""
    page.open(place)
    wait_until(
        lambda: page.script(
            "return document.readyState === 'complete' && !document.querySelector('main > [hidden]:only-child, [aria-busy=true]')"
        )
    )


def test_a_german_page_has_no_english_words(page):
    german = catalogue("de")
    english = {text for text, words in german.items() if words != text and "{" not in text} - set(
        map(str, german.values())
    )
    speak(page.driver, "de-AT,en")
    for place in [*PAGES.values(), f"#/link/{page.link}"]:
        shown(page, place)
        if "link" in place:
            page.see("#reader .body", "The river begins")
        assert page.script("return [document.documentElement.lang, document.documentElement.dir]") == ["de-AT", "ltr"]
        assert english.intersection(page.script(TEXTS)) == set(), place
