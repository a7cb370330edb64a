"""Finding the way in an article: its contents, its pictures, its neighbours and its print, in a real browser."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import Reader, png, send_page

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
    assert reader.script("return document.querySelector('#reader .contents').getBoundingClientRect().top") > 0
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


# Pictures

# Adds pictures to the article. The pictures of real articles come from this server once it has fetched them.
ADD_PICTURES = """
    const body = document.querySelector('#reader .body');
    for (const [src, alt, caption, href] of arguments[0]) {
        const figure = document.createElement('figure');
        const image = Object.assign(new Image(), { src, alt });
        const link = href && Object.assign(document.createElement('a'), { href });
        link?.append(image);
        figure.append(link ?? image);
        if (caption) figure.append(Object.assign(document.createElement('figcaption'), { textContent: caption }));
        body.prepend(figure);
    }
"""


def pictures(reader):
    shown = [
        [png(300, 300), "A linked picture", None, "https://example.org/"],
        [png(20, 20), "A star", None, None],
        [png(400, 900), "A tower", None, None],
        [png(900, 500), "A lake", "The lake in May", None],
    ]
    reader.script(ADD_PICTURES, shown)
    names = "return [...document.querySelectorAll('.body [data-enlargeable]')].map((image) => image.ariaLabel)"
    expected = ["Enlarge picture: A lake", "Enlarge picture: A tower"]
    wait_until(lambda: reader.script(names) == expected, every=0.03)
    return reader.all(".body [data-enlargeable]")


def test_pictures_are_enlarged_by_keyboard_and_by_click(reader):
    lake, tower = pictures(reader)
    assert lake.aria_role == "button"
    lake.send_keys(Keys.ENTER)
    dialog = reader.see("#lightbox")
    assert (dialog.aria_role, dialog.accessible_name) == ("dialog", "Picture 1 of 2")
    assert reader.see("#lightbox img").get_attribute("alt") == "A lake"
    assert reader.see("#lightbox p").text == "The lake in May"
    assert reader.focused().accessible_name == "Close"
    reader.press(Keys.ARROW_RIGHT)
    reader.see("#lightbox p", "A tower")
    reader.press(Keys.ARROW_RIGHT)
    reader.see("#lightbox [aria-label='Previous picture']").click()
    reader.see("#lightbox p", "The lake in May")
    assert reader.focused().accessible_name == "Close"
    reader.press(Keys.ESCAPE)
    reader.gone("#lightbox")
    assert reader.focused() == lake and reader.see("#reader .body")
    tower.click()
    reader.see("#lightbox p", "A tower")
    reader.see("#lightbox img").click()
    reader.gone("#lightbox")
    assert reader.focused() == tower


def test_an_enlarged_picture_fits_every_screen(reader):
    lake, _ = pictures(reader)
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        lake.send_keys(Keys.ENTER)
        box = reader.see("#lightbox img").rect
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0]
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(LOW, "#lightbox button") == [] and reader.script(CONTRAST) == []
        reader.press(Keys.ESCAPE)
        reader.gone("#lightbox")


# Print

PRINTED = """
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    return [...document.body.querySelectorAll('*')]
        .filter((element) => isShown(element) && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((element) => element.innerText.trim());
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_article_alone_is_printed_dark_on_white(reader, alice, scheme):
    [link] = alice.links()
    tag = alice.rest("POST", "tags", {"name": "walks"}, Prefer="return=representation").json()[0]
    alice.rest("POST", "link_tags", {"link_id": link["id"], "tag_id": tag["id"]})
    reader.driver.refresh()
    reader.see(".article-tags li", "walks")
    reader.see("#reader [aria-label=Highlights]").click()
    reader.see("#highlights")
    media = {"media": "print", "features": [{"name": "prefers-color-scheme", "value": scheme}]}
    reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    printed = reader.script(PRINTED)
    heads = [text for text in printed if not text.startswith("The river begins")]
    host, title, minutes, tag, *rest = heads
    assert (host, title, tag) == ("127.0.0.2", "Along the river", "walks") and minutes.endswith("min")
    assert rest == [*(text for _, text in SECTIONS), "Open original"]
    colours = "const { color, backgroundColor } = getComputedStyle(document.body); return [color, backgroundColor]"
    assert reader.script(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


# The articles before and after


def test_the_previous_and_the_next_article_of_the_list_are_reached_by_link_and_by_key(reader, alice):
    """The newest link is the first of the list."""
    page = (
        "<html lang=en><head><title>{0}</title></head><body><article><h1>{0}</h1>"
        + PARAGRAPHS
        + "</article></body></html>"
    )
    middle, newest = (send_page(alice, page.format(title)) for title in ["The middle", "The newest"])
    reader.to_article(alice, middle)
    reader.see("#reader h1", "The middle")
    reader.see(".after-reading .previous", "The newest")
    reader.see(".after-reading .next", "Along the river").click()
    reader.see("#reader h1", "Along the river")
    reader.gone(".after-reading .next")
    reader.see(".after-reading .previous", "The middle")
    reader.press("j")
    reader.press("k")
    reader.see("#reader h1", "The middle")
    reader.see(".after-reading .previous", "The newest")
    reader.press("k")
    reader.see("#reader h1", "The newest")
    assert newest in reader.script("return location.hash")
    reader.see(".after-reading .next", "The middle")
    reader.gone(".after-reading .previous")
