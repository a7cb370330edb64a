"""The extension in the languages of the browser."""

import re

import pytest

from support.axe import AXE, CHECK
from support.client import wait_until
from support.extension_browser import EXTENSION, ExtensionBrowser, ask
from support.loopback_site import LoopbackSite

# All texts and names that a page has, whether they are visible or not.
TEXTS = """
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    const texts = new Set([document.title]);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.nodeType === 3) texts.add(node.data);
        else for (const name of ['aria-label', 'placeholder']) texts.add(node.getAttribute?.(name) ?? '');
    }
    return [...texts].map((text) => text.trim().replace(/\\s+/g, ' '));
"""


@pytest.fixture(scope="module")
def site():
    with LoopbackSite(None) as site:
        yield site


@pytest.fixture(scope="module", params=["de-AT", "ar"])
def browser(request):
    browser = ExtensionBrowser(languages=f"{request.param},en")
    browser.language = request.param
    yield browser
    browser.quit()


def catalogue(language):
    """English text → translation; of texts without plural forms."""
    source = (EXTENSION / f"shared/words/{language.split('-')[0]}.js").read_text()
    return dict(re.findall(r"^  '((?:[^'\\]|\\.)*)':\s+'((?:[^'\\]|\\.)*)',$", source, re.M))


def is_translated(page, language):
    words = catalogue(language)
    english = {text for text, translation in words.items() if translation != text}
    wait_until(lambda: not english.intersection(page.script(TEXTS)) - set(words.values()), every=0.05)
    direction = "rtl" if language == "ar" else "ltr"
    assert page.script("return [document.documentElement.lang, document.dir]") == [language, direction]
    page.call("Runtime.evaluate", expression=AXE)
    assert page.script(f"return new Promise((done) => (function () {{ {CHECK} }})(done))") == []
    return words


def test_the_pages_of_the_extension_speak_the_language_of_the_browser(browser, relay, site, alice):
    options = browser.options()
    words = is_translated(options, browser.language)
    refused = options.script(
        "return (await chrome.runtime.sendMessage(arguments[0])).error.message",
        {"name": "sign-in", "address": relay.url, "email": alice.email, "password": "wrong"},
    )
    assert refused == words["Wrong e-mail address or password."]
    ask(options, "sign-in", address=relay.url, email=alice.email, password=alice.password)
    # A title with the signs that stand for something in a text.
    title = "Tea | coffee #one {n}"
    alice.save(f"{site.url}/article/title", title=title)
    page = browser.open(f"{site.url}/article/title")
    page.script("document.title = arguments[0]", title)
    wait_until(lambda: title in [one["title"] for one in browser.targets("page")])
    popup = browser.popup()
    popup.see("#state", {"de-AT": "Gespeichert am", "ar": "حُفظ في"}[browser.language])
    popup.see("#outcome", words["The article comes from the page that the server fetched."])
    assert popup.see("#title") == title
    is_translated(popup, browser.language)
    # The title stands there as it is, also after the translation.
    assert popup.see("#title") == title


def test_the_popup_says_in_the_language_of_the_browser_why_there_is_no_article(browser, relay, site, alice):
    options = browser.options()
    ask(options, "sign-in", address=relay.url, email=alice.email, password=alice.password)
    ask(options, "change-settings", changes={"policy": "never"})
    browser.open(f"{site.url}/status/404")
    popup = browser.popup()
    popup.see("#outcome", catalogue(browser.language)["The site answered with an error"])
