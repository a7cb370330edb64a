"""The fonts that the server has for the reading view, with and without a network."""

import re

import pytest

from support.browser import ListPage, watched
from support.client import wait_until
from support.reader import send_page

# The faces that have been loaded, as the browser has them.
LOADED = """
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family, weight, style }) =>
        [family.replaceAll('"', ''), weight, style].join(' ')).sort();
"""

TEXT = "<p>Words <em>in italics</em> and <strong>in bold</strong> that are long enough for an article. {}</p>"
PAGE = f"<html lang=en><head><title>Fonts</title></head><body><article><h1>Fonts</h1>{TEXT * 4}</article></body></html>"
LATIN = PAGE.format(*["Words. " * 30] * 4)
RUSSIAN = PAGE.format("Русские слова.", *["Words. " * 30] * 3)


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def reader(browser, alice):
    link = send_page(alice, LATIN)
    yield from watched(browser, lambda: browser.sign_in(alice, f"#/link/{link}"))


def choose(reader, name):
    reader.see("#reader .body", "in bold")
    reader.see("#reader [aria-label='Text settings']").click()
    font = reader.see("#font-name")
    options = [option.text for option in font.find_elements("tag name", "option")]
    assert options == ["System", "Serif", "Inter", "Vollkorn", "OpenDyslexic"]
    reader.choose(font, name)
    reader.see("#text-settings [aria-label=Close]").click()


def loaded(reader, expected):
    wait_until(lambda: reader.script(LOADED) == expected, every=0.05)


# The first test, because a font that another page has loaded does not come through the service worker.
def test_a_font_is_kept_for_reading_without_a_network(reader):
    ready = "return navigator.serviceWorker.controller?.state === 'activated'"
    wait_until(lambda: reader.script(ready), every=0.05)
    choose(reader, "Inter")
    inter = [f"Inter {face}" for face in ["400 italic", "400 normal", "700 normal"]]
    loaded(reader, inter)
    kept = "const done = arguments[0]; caches.open('fonts').then((fonts) => fonts.keys()).then(({ length }) => done(length))"
    wait_until(lambda: reader.driver.execute_async_script(kept) == 3, every=0.05)
    conditions = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    reader.driver.execute_cdp_cmd("Network.enable", {})
    reader.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    reader.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
    try:
        reader.driver.refresh()
        reader.see("#reader .body", "in bold")
        loaded(reader, inter)
    finally:
        conditions |= {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        reader.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
    trouble = [line for line in reader.console_errors() if "ERR_INTERNET_DISCONNECTED" not in line]
    assert trouble == []


def test_a_font_is_loaded_when_a_text_needs_it_and_only_in_the_styles_that_it_needs(reader, alice):
    reader.see("#reader .body", "in bold")
    assert reader.script("return document.fonts.size") == 0
    family = "return getComputedStyle(document.querySelector('.body p')).fontFamily"
    for name in ["Inter", "Vollkorn", "OpenDyslexic"]:
        choose(reader, name)
        assert reader.script(family).startswith(f"{name}, ")
        wait_until(lambda: f"{name} 700 normal" in reader.script(LOADED), every=0.05)
    faces = [
        f"{name} {face}"
        for name in ["Inter", "OpenDyslexic", "Vollkorn"]
        for face in ["400 italic", "400 normal", "700 normal"]
    ]
    loaded(reader, faces)
    # Another script has files of its own.
    link = send_page(alice, RUSSIAN)
    choose(reader, "Vollkorn")
    reader.open(f"#/link/{link}")
    reader.see("#reader .body", "Русские")
    loaded(reader, sorted([*faces, "Vollkorn 400 normal"]))


def test_pages_are_counted_again_when_a_font_arrives(reader):
    reader.see("#reader .body", "in bold")
    field = "document.querySelector('#text-settings [name=layout][value=pages]')"
    reader.script(f"{field}.click()")
    reader.see(".reading-progress", "Page 1 of")
    reader.size(400, 500)
    choose(reader, "OpenDyslexic")
    loaded(reader, [f"OpenDyslexic {face}" for face in ["400 italic", "400 normal", "700 normal"]])
    count = """
        const article = document.querySelector('article'), { width } = article.getBoundingClientRect();
        const gap = parseFloat(getComputedStyle(article).columnGap) || 0;
        return `Page 1 of ${Math.round((article.scrollWidth + gap) / (width + gap))}`;
    """
    wait_until(lambda: reader.script(count) in reader.see(".reading-progress span").text, every=0.05)


def test_browsers_keep_fonts_for_ever_and_the_app_lists_only_their_rules(lectern):
    rules = lectern.send("GET", "/fonts/fonts.css")
    assert (rules["cache-control"], rules["access-control-allow-origin"]) == ("no-cache", "*")
    paths = re.findall(r'url\("(.*?)"\)', rules.body.decode())
    assert len(paths) == 20
    for path in paths:
        font = lectern.send("GET", f"/fonts/{path}")
        assert font["content-type"] == "font/woff2" and font.body[:4] == b"wOF2" and 20_000 < len(font.body) < 95_000
        assert font["cache-control"] == "public, max-age=31536000, immutable"
        # The page of the extension is of another origin.
        assert font["access-control-allow-origin"] == "*"
    listed = lectern.send("GET", "/files.js").body.decode()
    assert "'/fonts/fonts.css'" in listed and ".woff2" not in listed
    for name in ["inter", "opendyslexic", "vollkorn"]:
        licence = lectern.send("GET", f"/fonts/{name}.txt")
        assert licence["content-type"] == "text/plain; charset=utf-8" and "License" in licence.body.decode()
    assert lectern.send("GET", "/fonts/none.woff2").status == 404
