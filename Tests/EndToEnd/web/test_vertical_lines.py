"""Articles with vertical lines in the reading view, in a real browser: Japanese and Chinese on request, and Mongolian."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

from support.axe import AXE, CHECK
from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import SPEECH, Reader, long_page, png, send_page

SENTENCE = (
    "これは一頁の文章であり、静かな時間に後で読めるように保存されている。二〇二六年11月、LecternはSwiftで書かれた。"
)
MONGOLIAN = "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ ᠳᠡᠭᠡᠷᠡ ᠡᠴᠡ ᠳᠣᠷᠣᠭᠰᠢ ᠪᠢᠴᠢᠭᠳᠡᠨᠡ᠃ "
EXTRAS = (
    "<pre>let name = 'a line of code that is wider than the screen of a phone, and is scrolled by itself'\nlet one = 1</pre>"
    "<table><tr><th>名前</th><th>値段</th></tr><tr><td>りんご</td><td>120</td></tr></table>"
    '<blockquote><p>引用文です。</p></blockquote><p>注釈<sup><a href="#note">1</a></sup>があります。</p>'
)


def page_of(lang, title, sentence, extras=EXTRAS):
    paragraphs = [f"P{number}. {sentence * 4}" for number in range(40)]
    return long_page(lang, title, paragraphs, "第{}章", extras, "<ol><li id=note>これは注の文章です。</li></ol>")


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def article(alice):
    return send_page(alice, page_of("ja", "川に沿って", SENTENCE))


@pytest.fixture
def horizontal(browser, alice, article):
    yield from watched(browser, lambda: open_article(browser, alice, article))


@pytest.fixture
def reader(horizontal):
    choose(horizontal, "vertical")
    wait_until(lambda: writing(horizontal) == "vertical-rl", every=0.03)
    return horizontal


def open_article(browser, user, article):
    browser.sign_in(user, f"#/link/{article}")
    browser.see("#reader .body p")


def choose(reader, *names):
    """Presses fields of the text settings, and returns to the text."""
    for name in names:
        reader.script("document.querySelector(`#text-settings ${arguments[0]}`).click()", f"[name={name}]")
    focus_text(reader)


def choose_pages(reader, value="pages"):
    reader.script("document.querySelector(`#text-settings [name=layout][value=${arguments[0]}]`).click()", value)
    focus_text(reader)


def focus_text(reader):
    # The space bar would press the button that has the focus.
    reader.script("document.querySelector('#reader h1').focus({ preventScroll: true })")


def writing(reader, selector=".body p"):
    return reader.script("return getComputedStyle(document.querySelector(arguments[0])).writingMode", selector)


# The numbers of the paragraphs of which something is on the screen, in the order of the text.
VISIBLE = """
    const seen = document.querySelector('#reader > article').getBoundingClientRect();
    const isSeen = (rect) => rect.left < seen.right - 1 && rect.right > seen.left + 1
        && rect.top < seen.bottom - 1 && rect.bottom > seen.top + 1;
    return [...document.querySelectorAll('.body p')].filter((each) => [...each.getClientRects()].some(isSeen))
        .map((each) => Number(each.textContent.match(/^P(\\d+)/)?.[1] ?? -1)).filter((number) => number >= 0);
"""

# How far lines of paragraphs are cut off at any side of the page, in pixels. Code is scrolled by itself.
CUT_OFF = """
    const page = document.querySelector('#reader > article').getBoundingClientRect();
    const range = document.createRange();
    const lines = [...document.querySelectorAll('.body > p')].flatMap((paragraph) => {
        range.selectNodeContents(paragraph);
        return [...range.getClientRects()];
    });
    const cut = lines.filter(({ top, bottom }) => bottom > page.top + 1 && top < page.bottom - 1)
        .flatMap(({ left, right, top, bottom }) =>
            [page.left - left, right - page.right, page.top - top, bottom - page.bottom]);
    return Math.max(0, ...cut);
"""

# Whether an element is on the screen.
IS_SEEN = """
    const seen = document.querySelector('#reader > article').getBoundingClientRect();
    const { left, right, top, bottom } = document.querySelector(arguments[0]).getBoundingClientRect();
    return left < seen.right && right > seen.left && top < seen.bottom && bottom > seen.top;
"""

# The article and the window: how far each is scrolled, and whether the window has anything to scroll.
SCROLLED = """
    const { scrollLeft } = document.querySelector('#reader > article'), page = document.scrollingElement;
    return [scrollLeft, scrollX, scrollY, page.scrollWidth <= innerWidth, page.scrollHeight <= innerHeight];
"""

# How far a highlight of CSS begins from the right of the article, as a part of its width.
PLACE_OF_HIGHLIGHT = """
    const seen = document.querySelector('#reader > article').getBoundingClientRect();
    const [range] = CSS.highlights.get(arguments[0]);
    return (seen.right - range.getBoundingClientRect().right) / seen.width;
"""


# Pictures come from the server, which has none here.
ADD_PICTURES = """
    for (const src of arguments) {
        const figure = document.createElement('figure');
        figure.append(Object.assign(document.createElement('img'), { src, alt: '塔' }), document.createElement('figcaption'));
        figure.lastChild.textContent = '高い塔。';
        document.querySelector('.body p').after(figure);
    }
"""


# Whether the article has been laid out for its width, with pages or without.
IS_LAID_OUT = """
    const { style, clientWidth } = document.querySelector('#reader > article');
    return style.getPropertyValue('--page-width') === `${clientWidth}px`;
"""


def is_laid_out(reader):
    wait_until(lambda: reader.script(IS_LAID_OUT), every=0.03)


def scrolled(reader):
    left, *others = reader.script(SCROLLED)
    assert others == [0, 0, True, True]
    return -left


def visible(reader):
    return reader.script(VISIBLE)


def shows(reader, paragraph):
    wait_until(lambda: paragraph in visible(reader), every=0.03)


def place(reader):
    """The number of the page and how many there are."""
    words = reader.see(".reading-progress span", "Page").text.split()
    return int(words[1]), int(words[3])


def is_on(reader, page):
    wait_until(lambda: place(reader)[0] == page, every=0.03)


def test_vertical_text_is_offered_where_it_is_usual_and_is_off_at_first(horizontal, alice):
    reader = horizontal
    assert writing(reader) == "horizontal-tb"
    reader.see("#reader [aria-label='Text settings']").click()
    field = reader.see("#text-settings [name=vertical]")
    assert (field.accessible_name, field.is_selected()) == ("Vertical text", False)
    field.click()
    reader.press(Keys.ESCAPE)
    wait_until(lambda: writing(reader) == "vertical-rl", every=0.03)
    assert writing(reader, "#reader h1") == "vertical-rl"
    assert {writing(reader, f".body {name}") for name in ("pre", "table")} == {"horizontal-tb"}
    reader.driver.refresh()
    reader.see("#reader .body p")
    assert writing(reader) == "vertical-rl"

    # Chinese has it without a language, too; English keeps its lines.
    chinese = send_page(
        alice, page_of("en", "沿河而行", "这条河从城镇上方的山中流出，每年十月的第一场雪都会落在那里。", "")
    )
    reader.open(f"#/link/{chinese}")
    reader.see("#reader h1", "沿河而行")
    assert writing(reader) == "vertical-rl"
    english = send_page(alice)
    reader.open(f"#/link/{english}")
    reader.see("#reader .body", "The river begins")
    assert writing(reader) == "horizontal-tb"
    reader.see("#reader [aria-label='Text settings']").click()
    assert not reader.driver.find_element("css selector", "#text-settings [name=vertical]").is_displayed()
    reader.press(Keys.ESCAPE)
    reader.open("#/read")
    reader.see("#bar")


def test_mongolian_in_its_own_script_is_always_vertical_and_runs_to_the_right(horizontal, alice):
    reader = horizontal
    reader.open(f"#/link/{send_page(alice, page_of('mn-Mong', 'ᠮᠣᠩᠭᠣᠯ', MONGOLIAN, ''))}")
    reader.see("#reader h1", "ᠮᠣᠩᠭᠣᠯ")
    assert writing(reader) == "vertical-lr"
    assert not reader.driver.find_element("css selector", "#text-settings [name=vertical]").is_displayed()
    left = "return document.querySelector('#reader > article').scrollLeft"
    reader.press(Keys.ARROW_RIGHT)
    wait_until(lambda: reader.script(left) > 0, every=0.03)
    reader.press(Keys.END)
    wait_until(lambda: 39 in visible(reader), every=0.03)
    choose_pages(reader)
    reader.press(Keys.HOME)
    is_on(reader, 1)
    reader.press(Keys.ARROW_RIGHT)
    is_on(reader, 2)
    # Without a language, its letters tell.
    reader.open(f"#/link/{send_page(alice, page_of('zh', 'ᠪᠢᠴᠢᠭ', MONGOLIAN, ''))}")
    reader.see("#reader h1", "ᠪᠢᠴᠢᠭ")
    assert writing(reader) == "vertical-lr"


def test_keys_and_the_wheel_scroll_to_the_left(reader):
    assert scrolled(reader) == 0
    width = reader.script("return document.querySelector('#reader > article').clientWidth")
    # At the beginning, the browser may round to a pixel before it.
    for key, low, high in [
        (Keys.SPACE, 0.7, 1),
        (Keys.SHIFT + Keys.SPACE, -0.01, 0.01),
        (Keys.PAGE_DOWN, 0.7, 1),
        (Keys.PAGE_UP, -0.01, 0.01),
        (Keys.ARROW_LEFT, 0.02, 0.2),
        (Keys.ARROW_RIGHT, -0.01, 0.01),
        (Keys.ARROW_DOWN, 0.02, 0.2),
        (Keys.ARROW_UP, -0.01, 0.01),
    ]:
        reader.press(key)
        wait_until(lambda low=low, high=high: low <= scrolled(reader) / width <= high, every=0.03)
    reader.press(Keys.END)
    reader.see(".after-reading button", "Archive")
    assert visible(reader)[-1] == 39
    reader.see(".reading-progress", "Read to the end")
    reader.press(Keys.HOME)
    # Chromium rounds the place of the text's edge.
    wait_until(lambda: abs(scrolled(reader)) <= 1, every=0.03)
    for delta, expected in [(300, 300), (300, 600), (-600, 0)]:
        text = reader.see("#reader > article")
        ActionChains(reader.driver).scroll_from_origin(ScrollOrigin.from_element(text), 0, delta).perform()
        wait_until(lambda expected=expected: abs(scrolled(reader) - expected) < 2, every=0.03)


def scroll_to(reader, paragraph):
    """Scrolls until a paragraph is first on the screen."""
    reader.script(
        "const article = document.querySelector('#reader > article');"
        "const one = [...document.querySelectorAll('.body p')].find((p) => p.textContent.startsWith(arguments[0]));"
        "article.scrollBy({ left: one.getBoundingClientRect().right - article.getBoundingClientRect().right + 2 });",
        f"P{paragraph}.",
    )
    wait_until(lambda: visible(reader)[0] == paragraph, every=0.03)


def test_the_place_is_saved_and_kept_between_directions_layouts_windows_and_visits(reader, alice):
    wait_until(lambda: reader.see(".reading-progress span").text.startswith("0% · "), every=0.03)
    scroll_to(reader, 21)
    wait_until(lambda: reader.see(".reading-progress span").text[:2] > "30", every=0.03)
    row = wait_until(lambda: alice.rest("GET", "reading_progress").json(), every=0.05)[0]
    text = reader.script("return document.querySelector('.body').textContent")
    assert abs(row["last_read_character_index"] - text.index("P21.")) < 5
    assert 0.4 < row["percentage_complete"] < 0.7
    reader.driver.refresh()
    reader.see("#reader .body p")
    wait_until(lambda: scrolled(reader) > 0 and visible(reader)[0] == 21, every=0.03)
    choose_pages(reader)
    shows(reader, 21)
    reader.size(*PHONE)
    shows(reader, 21)
    choose_pages(reader, "scroll")
    shows(reader, 21)
    reader.size(*DESK)
    shows(reader, 21)
    choose(reader, "vertical")
    first = "return [...document.querySelectorAll('.body p')].find((p) => p.getBoundingClientRect().bottom > 70).textContent"
    wait_until(lambda: writing(reader) == "horizontal-tb" and reader.script(first).startswith("P21."), every=0.03)
    choose(reader, "vertical")
    shows(reader, 21)
    # Larger letters break the lines in other places.
    reader.script(
        "const field = document.getElementById('font-size'); field.value = 28;"
        "field.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    wait_until(lambda: visible(reader)[0] in (20, 21), every=0.03)
    # Another article begins at its beginning.
    reader.open(f"#/link/{send_page(alice, page_of('ja', '山の上', SENTENCE))}")
    reader.see("#reader h1", "山の上")
    wait_until(lambda: scrolled(reader) == 0 and visible(reader)[0] == 0, every=0.03)


def test_pages_follow_each_other_to_the_left(reader):
    choose_pages(reader)
    is_on(reader, 1)
    pages = place(reader)[1]
    seen = list(visible(reader))
    for number in range(2, pages + 1):
        reader.press(Keys.ARROW_LEFT)
        is_on(reader, number)
        assert reader.script(CUT_OFF) < 1.5
        seen += visible(reader)
    assert seen == sorted(seen) and set(seen) == set(range(40))
    assert reader.see(".reading-progress progress").get_attribute("value") == "1"
    for key, expected in [
        (Keys.HOME, 1),
        (Keys.SPACE, 2),
        (Keys.ARROW_LEFT, 3),
        (Keys.ARROW_RIGHT, 2),
        (Keys.PAGE_DOWN, 3),
        (Keys.PAGE_UP, 2),
        (Keys.END, pages),
        (Keys.HOME, 1),
    ]:
        reader.press(key)
        is_on(reader, expected)
    # The button for the next page is on the left, and the left side of the text turns to it.
    following, before = (reader.see(f"[aria-label='{name} page']") for name in ("Next", "Previous"))
    assert following.rect["x"] < before.rect["x"]
    following.click()
    is_on(reader, 2)
    text = reader.see("#reader > article")
    ActionChains(reader.driver).move_to_element_with_offset(text, 20 - int(text.rect["width"] / 2), 0).click().perform()
    is_on(reader, 3)
    # Finding in the page and other scripts scroll to any place; the page that has it is shown whole.
    reader.script("document.querySelectorAll('.body p')[30].scrollIntoView({ inline: 'center' })")
    wait_until(lambda: place(reader)[0] > 3 and reader.script(CUT_OFF) < 1.5, every=0.03)


@pytest.mark.parametrize("layout", ["scroll", "pages"])
def test_contents_highlights_bookmarks_and_notes_lead_to_their_places(reader, layout):
    choose_pages(reader, layout)
    reader.press(Keys.HOME)
    shows(reader, 0)
    reader.script("document.querySelector('.contents details').open = true")
    reader.script(
        "[...document.querySelectorAll('.contents button')].find((one) => one.innerText === '第19章').click()"
    )
    shows(reader, 19)
    current = "return document.querySelector('.contents [aria-current]')?.textContent"
    wait_until(lambda: reader.script(current) == "第19章", every=0.03)
    # The toolbar is horizontal, and inside the window.
    bar = reader.select("P19.", "P19.").rect
    assert bar["width"] > bar["height"] and bar["x"] >= 0 and bar["y"] >= 0
    # Room for a scroll bar is kept free at the side of the window.
    window = reader.script("return document.documentElement.getBoundingClientRect().width")
    assert bar["x"] + bar["width"] <= window and bar["y"] + bar["height"] <= DESK[1]
    reader.see("#selection-toolbar [data-color=green]").click()
    reader.marks(1)
    reader.press(Keys.HOME)
    shows(reader, 0)
    reader.open_panel()
    # The panel makes the pages smaller.
    is_laid_out(reader)
    reader.in_panel("P19.", "Go to")
    shows(reader, 19)
    reader.see("#highlights button", "Close").click()
    is_laid_out(reader)
    first = visible(reader)[0]
    reader.press("b")
    reader.see("#toast", "Bookmark added")
    reader.press(Keys.HOME)
    shows(reader, 0)
    reader.open_panel()
    is_laid_out(reader)
    reader.click_when_steady(lambda: reader.see(".bookmarks .go"))
    shows(reader, first)
    reader.see("#highlights button", "Close").click()
    is_laid_out(reader)

    reader.script("document.querySelector('.body sup').scrollIntoView({ block: 'center', inline: 'center' })")
    wait_until(lambda: reader.script(IS_SEEN, ".body sup"), every=0.03)
    wait_until(lambda: layout == "scroll" or reader.script(CUT_OFF) < 1.5, every=0.03)
    reader.see(".body sup a").click()
    note, mark = reader.see("#footnote", "これは注の文章です").rect, reader.see(".body sup").rect
    assert note["y"] - mark["y"] - mark["height"] < 20 or mark["y"] - note["y"] - note["height"] < 20
    reader.see("#footnote button", "Go to the note").click()
    shows(reader, 39)


@pytest.mark.parametrize("layout", ["scroll", "pages"])
def test_listening_begins_on_the_screen_and_is_kept_in_view(reader, layout):
    choose_pages(reader, layout)
    reader.script("document.querySelectorAll('.body p')[8].scrollIntoView()")
    wait_until(lambda: visible(reader)[0] in (7, 8), every=0.03)
    # Pages are aligned once the browser has told that the text was scrolled.
    wait_until(lambda: layout == "scroll" or reader.script(CUT_OFF) < 1.5, every=0.03)
    first = visible(reader)[0]
    reader.script(SPEECH)
    reader.script("voices.push({ lang: 'ja-JP', name: 'J', voiceURI: 'j' })")
    reader.see("#reader .tools [aria-label=Listen]").click()
    reader.see("#reader .tools [aria-label=Pause]")
    paragraph = reader.script("return [...CSS.highlights.get('spoken-sentence')][0].startContainer.textContent")
    assert paragraph.startswith((f"P{first}.", f"P{first + 1}."))
    for _ in range(30):
        reader.script("utterance.onend()")
        wait_until(lambda: -0.01 <= reader.script(PLACE_OF_HIGHLIGHT, "spoken-sentence") < 1, every=0.03)
    reader.see("#listening [aria-label='Stop listening']").click()


@pytest.mark.parametrize("layout", ["scroll", "pages"])
def test_matches_of_a_search_are_led_to(reader, alice, layout):
    choose_pages(reader, layout)
    wait_until(lambda: alice.rest("POST", "rpc/count_links", {"query": "保存"}).json()["count"], every=0.05)
    reader.open("#/search/保存")
    reader.see("#links h2 a", "川に沿って").click()
    reader.see("#matches", "160 matches")
    for number in range(1, 12):
        reader.see("#matches [aria-label='Next match']").click()
        reader.see("#matches", f"{number} of 160")
        wait_until(lambda: 0 <= reader.script(PLACE_OF_HIGHLIGHT, "search-match-current") < 1, every=0.03)
    reader.see("#matches [aria-label='Hide matches']").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("layout", ["scroll", "pages"])
def test_vertical_lines_fit_every_screen_and_pass_the_checks_of_accessibility(reader, layout, scheme):
    reader.colours(scheme)
    choose_pages(reader, layout)
    reader.script(ADD_PICTURES, png(300, 1800), png(1800, 300))
    wait_until(lambda: len(reader.all(".body [data-enlargeable]")) == 2, every=0.03)
    reader.script(AXE)
    # Pictures are not larger than the screen, and neither are code and tables, which are scrolled by themselves.
    fits = (
        "const { width, height } = document.querySelector('#reader > article').getBoundingClientRect();"
        "return [...document.querySelectorAll('.body :is(pre, table, img)')].every((one) =>"
        " one.offsetWidth <= width + 1 && one.offsetHeight <= height + 1)"
    )
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        is_laid_out(reader)
        for key in (Keys.HOME, Keys.END):
            reader.press(key)
            selector = "#reader h1" if key == Keys.HOME else ".source"
            wait_until(lambda selector=selector: reader.script(IS_SEEN, selector), every=0.03)
            assert reader.script("return document.documentElement.scrollWidth") <= size[0]
            assert reader.script("return document.documentElement.scrollHeight") <= size[1]
            wait_until(lambda: reader.script(fits), every=0.03)
            assert reader.script(CONTRAST) == []
            assert reader.script(LOW, ".tools :is(a, button), .after-reading :is(a, button)") == []
        assert reader.driver.execute_async_script(CHECK) == [], size
    reader.all(".body [data-enlargeable]")[0].send_keys(Keys.ENTER)
    assert reader.see("#lightbox p", "高い塔") and writing(reader, "#lightbox p") == "horizontal-tb"
    reader.press(Keys.ESCAPE)
    reader.gone("#lightbox")
    wait_until(lambda: reader.script(IS_SEEN, ".body [data-enlargeable]"), every=0.03)


def test_the_list_beside_the_article_and_the_focus_mode_leave_the_lines_alone(reader):
    choose(reader, "beside")
    nav = reader.see(".beside")
    wait_until(lambda: reader.see("#reader > article").rect["x"] >= nav.rect["width"] > 0, every=0.03)
    is_laid_out(reader)
    text = reader.see("#reader > article").rect
    assert scrolled(reader) == 0
    # On a wide screen, the panel is beside the lines as well.
    reader.open_panel()
    wait_until(lambda: reader.see("#reader > article").rect["width"] < text["width"] - 300, every=0.03)
    panel, text = reader.see("#highlights").rect, reader.see("#reader > article").rect
    assert text["x"] + text["width"] <= panel["x"] + 1
    reader.see("#highlights button", "Close").click()
    is_laid_out(reader)
    scroll_to(reader, 8)
    focus_text(reader)
    reader.press("f")
    button = reader.see(".leave-focus").rect
    assert reader.see("#reader > article").rect["y"] >= button["y"] + button["height"]
    shows(reader, 8)
    assert reader.script("return document.documentElement.scrollWidth") <= DESK[0]
    reader.press(Keys.SPACE)
    wait_until(lambda: 8 not in visible(reader), every=0.03)
    reader.press("f")
    reader.see("#reader > .tools")


def test_what_is_said_instead_of_a_missing_article_has_horizontal_lines(reader):
    reader.script("location.hash = '#/link/00000000-0000-4000-8000-000000000000'")
    reader.see("#reader .body", "This link no longer exists.")
    assert writing(reader, "#reader .body") == "horizontal-tb"
