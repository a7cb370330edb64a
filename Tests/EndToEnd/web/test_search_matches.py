"""The matches of a search in the article that it led to, in a real browser."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import Reader, send_page


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def reader(browser, alice):
    """The article, opened from a search for "arches"."""
    send_page(alice)

    def open_page():
        # The server indexes the text shortly after the article is there.
        wait_until(lambda: alice.rest("POST", "rpc/count_links", {"query": "arches"}).json()["count"], every=0.05)
        browser.sign_in(alice, "#/search/arches")
        browser.click_when_steady(lambda: browser.see("#links h2 a", "Along the river"))
        browser.see("#reader .body", "The river begins")

    yield from watched(browser, open_page)


def marked(reader, name="search-match"):
    return reader.script("return [...CSS.highlights.get(arguments[0]) ?? []].map(String)", name)


def test_the_matches_are_counted_marked_and_led_to(reader):
    assert reader.see("#matches [role=status]").text == "2 matches"
    assert marked(reader) == ["arches", "arches"] and marked(reader, "search-match-current") == []
    reader.size(800, 300)
    top = "return [...CSS.highlights.get('search-match-current')][0].getBoundingClientRect().top"
    for name, text in [("Next", "1 of 2"), ("Next", "2 of 2"), ("Next", "1 of 2"), ("Previous", "2 of 2")]:
        reader.see(f"#matches [aria-label='{name} match']").click()
        reader.see("#matches", f"{text} matches")
        assert 50 < reader.script(top) < 250
    reader.size(*DESK)
    # A highlight splits the text, and the marks stay.
    reader.highlight("four arches of", "four arches of", "green")
    reader.marks(1)
    assert marked(reader) == ["arches", "arches"]
    # The search is known after a reload, and the way back leads to it.
    reader.driver.refresh()
    reader.see("#matches", "2 matches")
    reader.see("#reader [aria-label='Hide matches']").click()
    reader.gone("#matches")
    assert marked(reader) == []
    reader.press(Keys.ESCAPE)
    reader.see("#links h2 a", "Along the river")
    assert reader.script("return location.hash") == "#/search/arches"


def test_an_article_that_no_search_led_to_has_no_matches(reader):
    reader.see("#matches")
    reader.open("#/read")
    reader.open_card("Along the river")
    reader.see("#reader .body", "The river begins")
    reader.gone("#matches")
    assert marked(reader) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_bar_fits_every_screen_and_layout(reader, scheme):
    reader.colours(scheme)
    for layout in ["scroll", "pages"]:
        reader.see("#reader [aria-label='Text settings']").click()
        reader.see(f"#text-settings label:has([value={layout}])").click()
        reader.press(Keys.ESCAPE)
        for size in [(320, 640), PHONE, DESK]:
            reader.size(*size)
            reader.see("#matches [aria-label='Next match']").click()
            assert reader.script(CONTRAST) == [] and reader.script(LOW, "#matches button") == []
            assert reader.script("return document.documentElement.scrollWidth") <= size[0]
