"""The layout "Pages" of the reading view, in a real browser."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import Reader, long_page, send_page

SENTENCE = "A page is kept so that it can be read later, in a quiet hour, by whoever has saved it. "
ARABIC = "يبدأ النهر في التلال فوق المدينة حيث يتساقط الثلج الأول في السنة في شهر أكتوبر من كل عام. "


def page_of(lang, title, sentence):
    paragraphs = [f"Paragraph {number}. {sentence * 6}" for number in range(30)]
    table = "<table><tr><th>Name</th><th>Value</th></tr><tr><td>One</td><td>1</td></tr></table><pre>let one = 1</pre>"
    return long_page(lang, title, paragraphs, "Part {}", table)


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def article(alice):
    return send_page(alice, page_of("en", "A long day", SENTENCE))


@pytest.fixture
def reader(browser, alice, article):
    def open_page():
        browser.sign_in(alice, f"#/link/{article}")
        browser.see("#reader .body p")

    yield from watched(browser, open_page)


def choose_layout(reader, name):
    reader.see("#reader [aria-label='Text settings']").click()
    fields = reader.all("#text-settings [name=layout]")
    assert [field.accessible_name for field in fields] == ["Scroll", "Pages"]
    next(field for field in fields if field.accessible_name == name).click()
    reader.press(Keys.ESCAPE)
    reader.gone("#text-settings")
    # The space bar would press the button that has the focus.
    reader.script("document.querySelector('#reader h1').focus({ preventScroll: true })")
    # The strip with the number of the page takes room from the pages.
    reader.laid_out()


def resize(reader, *size):
    reader.size(*size)
    reader.laid_out()


# The numbers of the paragraphs of which something is on the page.
VISIBLE_PARAGRAPHS = """
    const page = document.querySelector('#reader > article').getBoundingClientRect();
    const isOnPage = (rect) => rect.left < page.right - 1 && rect.right > page.left + 1;
    return [...document.querySelectorAll('.body p')].filter((each) => [...each.getClientRects()].some(isOnPage))
        .map((each) => Number(each.textContent.match(/\\d+/)[0]));
"""

# How far the text is cut off at any side of the page, in pixels.
CUT_OFF = """
    const page = document.querySelector('#reader > article').getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('.body'));
    const cut = [...range.getClientRects()].filter(({ left, right }) => right > page.left + 1 && left < page.right - 1)
        .flatMap(({ left, right, top, bottom }) =>
            [page.left - left, right - page.right, page.top - top, bottom - page.bottom]);
    return Math.max(0, ...cut);
"""


def place(reader):
    """The number of the page and how many there are."""
    words = reader.see(".reading-progress span", "Page").text.split()
    return int(words[1]), int(words[3])


def is_on(reader, page):
    wait_until(lambda: place(reader)[0] == page, every=0.03)


def shows(reader, paragraph):
    wait_until(lambda: paragraph in reader.script(VISIBLE_PARAGRAPHS), every=0.03)


def test_pages_are_turned_by_keys_buttons_clicks_and_the_wheel(reader):
    choose_layout(reader, "Pages")
    page, pages = place(reader)
    assert page == 1 and pages > 5
    seen = list(reader.script(VISIBLE_PARAGRAPHS))
    for number in range(2, pages + 1):
        reader.press(Keys.ARROW_RIGHT)
        is_on(reader, number)
        assert reader.script(CUT_OFF) < 1.5
        seen += reader.script(VISIBLE_PARAGRAPHS)
    # Every paragraph is on a page, in order.
    assert seen == sorted(seen) and set(seen) == set(range(30))
    assert reader.see(".after-reading button", "Archive")
    assert reader.see("#reader progress").get_attribute("value") == "1"
    reader.press(Keys.HOME)
    is_on(reader, 1)
    for key, expected in [
        (Keys.SPACE, 2),
        (Keys.PAGE_DOWN, 3),
        (Keys.ARROW_DOWN, 4),
        (Keys.SHIFT + Keys.SPACE, 3),
        (Keys.PAGE_UP, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, pages),
        (Keys.HOME, 1),
    ]:
        reader.press(key)
        is_on(reader, expected)
    reader.see("[aria-label='Next page']").click()
    is_on(reader, 2)
    reader.see("[aria-label='Previous page']").click()
    is_on(reader, 1)
    text = reader.see("#reader > article")
    width = text.rect["width"]
    for offset, expected in [
        (width / 2 - 20, 2),
        (width / 2 + 60, 3),
        (0, 3),
        (20 - width / 2, 2),
        (-width / 2 - 60, 1),
    ]:
        ActionChains(reader.driver).move_to_element_with_offset(text, int(offset), 0).click().perform()
        is_on(reader, expected)
    reader.script(
        "document.querySelector('.body p').dispatchEvent("
        "new WheelEvent('wheel', { deltaY: 120, bubbles: true, cancelable: true }))"
    )
    is_on(reader, 2)


def swipe(reader, start, end, y=400):
    for kind, points in [("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])]:
        touches = [{"x": x, "y": y} for x in points]
        reader.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_a_swipe_turns_in_the_direction_of_the_script(reader, alice):
    choose_layout(reader, "Pages")
    resize(reader, *PHONE)
    swipe(reader, 300, 100)
    is_on(reader, 2)
    swipe(reader, 100, 300)
    is_on(reader, 1)
    arabic = send_page(alice, page_of("ar dir=rtl", "النهر", ARABIC))
    reader.open(f"#/link/{arabic}")
    reader.see("#reader h1", "النهر")
    # Before its pages are computed, they would be turned in the direction of the article before.
    direction = "return document.querySelector('#reader > article').dataset.direction"
    wait_until(lambda: reader.script(direction) == "rtl", every=0.03)
    is_on(reader, 1)
    swipe(reader, 100, 300)
    is_on(reader, 2)
    assert reader.script(CUT_OFF) < 1.5
    reader.press(Keys.ARROW_LEFT)
    is_on(reader, 3)
    assert max(reader.script(VISIBLE_PARAGRAPHS)) > 1
    reader.press(Keys.ARROW_RIGHT)
    is_on(reader, 2)


def test_the_place_is_kept_between_layouts_fonts_windows_and_visits(reader, alice):
    choose_layout(reader, "Pages")
    for _ in range(3):
        reader.press(Keys.SPACE)
    is_on(reader, 4)
    paragraph = reader.script(VISIBLE_PARAGRAPHS)[1]
    first = reader.script(VISIBLE_PARAGRAPHS)[0]
    # A page on the way may have been saved as well.
    [row] = wait_until(lambda: alice.rest("GET", "reading_progress?last_page_number=eq.4").json(), every=0.05)
    assert row["total_pages"] == place(reader)[1]
    assert 0 < row["percentage_complete"] < 1

    choose_layout(reader, "Scroll")
    assert reader.script("return scrollY") > 500
    rects = reader.script(
        "return [...document.querySelectorAll('.body p')].slice(arguments[0], arguments[0] + 2)"
        ".map((each) => each.getBoundingClientRect().bottom)",
        first,
    )
    assert 0 < rects[1] < 900
    choose_layout(reader, "Pages")
    is_on(reader, 4)
    resize(reader, *PHONE)
    shows(reader, first)
    assert place(reader)[1] > row["total_pages"]
    resize(reader, *DESK)
    is_on(reader, 4)
    reader.driver.refresh()
    reader.see("#reader .body p")
    is_on(reader, 4)
    shows(reader, paragraph)
    # With larger letters there are more pages, and the same text is shown.
    reader.see("#reader [aria-label='Text settings']").click()
    reader.see("#font-size").send_keys(Keys.END)
    reader.press(Keys.ESCAPE)
    shows(reader, first)
    assert place(reader)[1] > row["total_pages"]


def test_after_the_text_other_pages_show_its_end(reader):
    reader.script("document.querySelector('.after-reading').style.breakBefore = 'column'")
    resize(reader, 500, 400)
    choose_layout(reader, "Pages")
    reader.press(Keys.END)
    wait_until(lambda: len({*place(reader)}) == 1, every=0.03)
    assert reader.script(VISIBLE_PARAGRAPHS) == []
    resize(reader, 600, 400)
    shows(reader, reader.script("return document.querySelectorAll('.body p').length - 1"))


def test_contents_highlights_listening_and_the_focus_lead_to_the_right_page(reader):
    reader.script("const p = document.querySelectorAll('.body p')[27]; p.scrollIntoView();")
    reader.highlight("Paragraph 27", "Paragraph 27", "green")
    choose_layout(reader, "Pages")
    reader.press(Keys.HOME)
    is_on(reader, 1)
    reader.see(".contents summary").click()
    reader.see(".contents button", "Part 19").click()
    shows(reader, 19)
    reader.press(Keys.HOME)
    reader.open_panel()
    reader.in_panel("Paragraph 27", "Go to")
    shows(reader, 27)
    reader.see("#highlights button", "Close").click()
    reader.laid_out()
    # Finding in the page and other scripts scroll to any place; the page that has it is shown whole.
    reader.press(Keys.HOME)
    is_on(reader, 1)
    reader.script("document.querySelectorAll('.body p')[12].scrollIntoView({ inline: 'center' })")
    wait_until(lambda: reader.script(CUT_OFF) < 1.5, every=0.03)
    shows(reader, 12)
    reader.press(Keys.HOME)
    is_on(reader, 1)
    reader.script("document.querySelector('.after-reading button').focus()")
    wait_until(lambda: len({*place(reader)}) == 1, every=0.03)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_every_screen(reader, scheme):
    reader.colours(scheme)
    choose_layout(reader, "Pages")
    for size in [(320, 640), PHONE, DESK]:
        resize(reader, *size)
        reader.press(Keys.END)
        wait_until(lambda: len({*place(reader)}) == 1, every=0.03)
        assert reader.script(CONTRAST) == []
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script("return document.documentElement.scrollHeight") <= size[1]
        assert reader.script(LOW, ".tools :is(a, button), .turn, .after-reading :is(a, button)") == []
