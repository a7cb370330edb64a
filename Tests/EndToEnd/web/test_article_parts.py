"""Finding the way in an article: its contents, its pictures, its neighbours and its print, in a real browser."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import Reader, send_page

PARAGRAPHS = "<p>The river begins in the hills above the town, where the first snow of the year falls.</p>" * 12
SECTIONS = [("h2", "The source"), ("h3", "Ice"), ("h2", "The mill"), ("h4", "Wheels"), ("h2", "The sea")]
LONG = (
    "<html lang=en><head><title>Along the river</title></head><body><article><h1>Along the river</h1>"
    + PARAGRAPHS
    + "".join(f"<{name}>{text}</{name}>{PARAGRAPHS}" for name, text in SECTIONS)
    + "</article></body></html>"
)


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def reader(browser, alice):
    yield from watched(browser, lambda: browser.to_article(alice, send_page(alice, LONG)))


# Contents

CURRENT = "return document.querySelector('.contents [aria-current=location]')?.textContent ?? null"


def test_the_contents_are_beside_the_text_and_mark_where_the_reader_is(reader):
    contents = reader.see("#reader .contents")
    assert (contents.aria_role, contents.accessible_name) == ("navigation", "Contents")
    assert contents.rect["x"] + contents.rect["width"] <= reader.see(".body").rect["x"]
    found = reader.script(
        "return [...document.querySelectorAll('.contents li')].map((item) => [item.dataset.depth, item.innerText])"
    )
    assert found == [["0", "The source"], ["1", "Ice"], ["0", "The mill"], ["1", "Wheels"], ["0", "The sea"]]
    assert reader.script(CURRENT) is None
    reader.see(".contents button", "The mill").click()
    wait_until(lambda: reader.script(CURRENT) == "The mill", every=0.03)
    heading = reader.focused()
    assert (heading.tag_name, heading.text) == ("h2", "The mill")
    top = "return document.activeElement.getBoundingClientRect().top"
    wait_until(lambda: 60 < reader.script(top) < 120, every=0.03)
    assert reader.see("#reader .contents").rect["y"] > reader.script("return scrollY")
    reader.script("scrollTo(0, document.body.scrollHeight)")
    wait_until(lambda: reader.script(CURRENT) == "The sea", every=0.03)


def test_on_a_small_screen_the_contents_are_folded_above_the_text(reader):
    reader.size(*PHONE)
    reader.driver.refresh()
    summary = reader.see(".contents summary", "Contents")
    reader.gone(".contents button")
    summary.send_keys(Keys.ENTER)
    reader.see(".contents button", "Wheels").send_keys(Keys.ENTER)
    wait_until(lambda: reader.script(CURRENT) == "Wheels", every=0.03)
    assert reader.focused().text == "Wheels"


def test_an_article_with_few_headings_has_no_contents(reader, alice):
    reader.to_article(alice, send_page(alice))
    reader.gone(".contents")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_contents_fit_every_screen(reader, scheme):
    reader.colours(scheme)
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        reader.driver.refresh()
        reader.see("#reader .body", "The river begins")
        reader.script("document.querySelector('.contents details').open = true")
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(CONTRAST) == []
        if size != DESK:
            assert reader.script(LOW, ".contents :is(button, summary)") == []
