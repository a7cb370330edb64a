"""The reading view: text settings and reading progress, in a browser and on the user's other devices."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import held_on_load, hold_method

SENTENCE = "A page is kept so that it can be read later, in a quiet hour, by whoever has saved it. "
PARAGRAPHS = [f"<p>Paragraph {number}. {SENTENCE * 6}</p>" for number in range(24)]
EXTRAS = (
    '<p><a href="https://example.org/">A link</a> and <code>code</code>.</p><blockquote><p>A quotation.</p></blockquote>'
    "<table><tr><th>Name</th><th>Value</th></tr><tr><td>One</td><td>1</td></tr></table><pre>let one = 1</pre>"
)

# From now on, the page reaches no server.
WITHOUT_SERVER = "window.fetch = () => { window.hasFailed = true; return Promise.reject(Error()); };"


def page_of(title, paragraphs):
    body = "".join(paragraphs)
    return f"<html lang=en><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def article(alice):
    return saved(alice, "A long day", [PARAGRAPHS[0], EXTRAS, *PARAGRAPHS[1:]])


@pytest.fixture
def reader(browser, alice, article):
    yield from watched(browser, lambda: to_article(browser, alice, article))


def saved(user, title, paragraphs):
    body = {"url": f"http://127.0.0.2/{title}", "title": title, "html": page_of(title, paragraphs)}
    answer = user.rest("POST", "rpc/save_page", body)
    assert answer.status == 200, answer
    return user.settled(answer.json()[0]["id"])["id"]


def to_article(page, user, article):
    page.sign_in(user, f"#/link/{article}")
    page.see("#reader .body p")


def field(page, name):
    """The visible field of the settings with this accessible name."""
    if not page.all("#text-settings:popover-open"):
        page.see("#reader [aria-label='Text settings']").click()
    fields = page.all("#text-settings :is(input, select)")
    return next(one for one in fields if one.accessible_name == name)


def style(page, selector, name):
    """The computed style of the first such element, or None while there is none."""
    return page.script(
        "const element = document.querySelector(arguments[0]);"
        "return element && getComputedStyle(element)[arguments[1]]",
        selector,
        name,
    )


def stored_settings(user):
    return user.rest("GET", "user_settings?select=theme,font_name,font_size,line_spacing").json()


def test_text_settings_apply_at_once_and_on_the_other_devices(reader, alice):
    reader.see("#reader button[aria-label='Text settings']").click()
    panel = reader.see("#text-settings")
    assert (panel.aria_role, panel.accessible_name) == ("dialog", "Text settings")
    size, spacing, width = (field(reader, name) for name in ["Font size", "Line spacing", "Width"])
    assert {slider.aria_role for slider in [size, spacing, width]} == {"slider"}
    limits = [(slider.get_attribute("min"), slider.get_attribute("max")) for slider in [size, spacing]]
    assert limits == [("12", "32"), ("0.8", "2")]
    before = float(style(reader, "article", "width").removesuffix("px"))
    size.send_keys(Keys.END)
    spacing.send_keys(Keys.HOME)
    width.send_keys(Keys.ARROW_LEFT)
    assert style(reader, ".body p", "fontSize") == "32px"
    assert style(reader, ".body p", "lineHeight") == "25.6px"
    assert float(style(reader, "article", "width").removesuffix("px")) < before
    field(reader, "Justify the text").click()
    field(reader, "Hyphenate words").click()
    assert style(reader, ".body p", "textAlign") == "justify" and style(reader, ".body p", "hyphens") == "auto"
    assert style(reader, ".body pre", "textAlign") == "start"
    assert style(reader, ".body p + p", "marginTop") == "32px" and style(reader, ".body p + p", "textIndent") == "0px"
    field(reader, "Paragraph spacing").send_keys(Keys.HOME)
    assert style(reader, ".body p + p", "marginTop") == "0px" and style(reader, ".body p + p", "textIndent") == "48px"
    serif = style(reader, ".body p", "fontFamily")
    reader.choose(field(reader, "Font"), "System")
    assert style(reader, ".body p", "fontFamily") != serif == style(reader, "#bar b", "fontFamily")
    field(reader, "Sepia").click()
    assert style(reader, "body", "backgroundColor") == "rgb(245, 236, 217)"

    expected = [{"theme": "sepia", "font_name": "System", "font_size": 32, "line_spacing": 0.8}]
    wait_until(lambda: stored_settings(alice) == expected, every=0.05)
    # Another browser: nothing is kept in it.
    reader.sign_in(alice, reader.script("return location.hash"))
    reader.see("#reader .body p")
    wait_until(lambda: style(reader, ".body p", "fontSize") == "32px", every=0.03)
    assert style(reader, "body", "backgroundColor") == "rgb(245, 236, 217)"
    assert field(reader, "Font size").get_attribute("value") == "32"


def test_the_size_follows_the_font_size_of_the_browser(reader):
    assert style(reader, ".body p", "fontSize") == "19px"
    reader.script("document.documentElement.style.fontSize = '32px'")
    assert style(reader, ".body p", "fontSize") == "38px"


def test_a_setting_from_another_app_is_kept_and_shown(reader, alice):
    row = {"theme": "dark", "font_name": 'Georgia "Pro', "font_size": 15.5, "line_spacing": 1.25}
    assert alice.rest("POST", "user_settings", row).status == 201
    reader.driver.refresh()
    wait_until(lambda: style(reader, ".body p", "fontSize") == "15.5px", every=0.03)
    assert style(reader, "body", "backgroundColor") == "rgb(23, 22, 20)"
    assert style(reader, ".body p", "fontFamily").startswith('"Georgia Pro", ')
    assert field(reader, "Font").get_attribute("value") == 'Georgia "Pro'
    field(reader, "Light").click()
    wait_until(lambda: stored_settings(alice) == [row | {"theme": "light"}], every=0.05)


def test_the_theme_is_there_before_the_first_paint_on_every_page(reader):
    reader.only_on_the_server("the script in the head belongs to the server's pages")
    field(reader, "Dark").click()
    # Nothing but the HTML, the styles and the script in the head is loaded.
    reader.driver.execute_cdp_cmd("Network.enable", {})
    reader.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/main.js"]})
    for page in ["", "queue/", "account/"]:
        reader.leave()
        reader.open(page)
        assert style(reader, "body", "backgroundColor") == "rgb(23, 22, 20)"
    reader.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    reader.leave()


def test_a_change_that_could_not_be_saved_is_saved_at_the_next_visit(reader, alice):
    reader.script(WITHOUT_SERVER)
    field(reader, "Font size").send_keys(Keys.HOME)
    wait_until(lambda: reader.script("return window.hasFailed"), every=0.03)
    assert stored_settings(alice) == []
    reader.driver.refresh()
    wait_until(lambda: [row["font_size"] for row in stored_settings(alice)] == [12], every=0.05)
    wait_until(lambda: style(reader, ".body p", "fontSize") == "12px", every=0.03)


def test_a_change_just_before_the_page_is_left_is_saved(reader, alice):
    field(reader, "Font size").send_keys(Keys.END)
    reader.leave()
    wait_until(lambda: [row["font_size"] for row in stored_settings(alice)] == [32], every=0.05)


def test_signing_out_forgets_the_settings_in_this_browser(reader, alice, bob):
    reader.only_on_the_server("the extension signs in in its options")
    field(reader, "Dark").click()
    wait_until(lambda: stored_settings(alice), every=0.05)
    reader.press(Keys.ESCAPE)
    reader.see("#logout").click()
    reader.see("#login")
    assert style(reader, "body", "backgroundColor") == "rgb(251, 250, 247)"
    assert reader.script("return localStorage.length") == 0
    reader.sign_in(bob)
    reader.see("#list")
    assert style(reader, "body", "backgroundColor") == "rgb(251, 250, 247)"
    assert stored_settings(bob) == []


def test_the_panel_has_the_keyboard_to_itself(reader, article):
    button = reader.see("#reader button[aria-label='Text settings']")
    button.send_keys(Keys.ENTER)
    reader.see("#text-settings")
    for key in ["s", "a", "m", "?"]:
        field(reader, "Font").send_keys(key)
    assert not reader.script("return document.getElementById('help').open")
    reader.press(Keys.ESCAPE)
    reader.gone("#text-settings")
    assert reader.focused() == button and article in reader.script("return location.hash")
    reader.press(Keys.ESCAPE)
    reader.see("#list")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_theme_has_enough_contrast_and_fits_the_screen(reader, scheme):
    reader.colours(scheme)
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        for theme in ["Auto", "Light", "Sepia", "Dark"]:
            field(reader, theme).click()
            assert reader.script(CONTRAST) == []
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(LOW, "#text-settings :is(button, select, label:has(input)), .tools button") == []
        panel = reader.see("#text-settings").rect
        assert panel["x"] >= 0 and panel["x"] + panel["width"] <= size[0]


# The paragraph that is first on the screen, below the tools.
FIRST_PARAGRAPH = """
    const bottom = document.querySelector('#reader > .tools').offsetHeight;
    const isVisible = (element) => element.getBoundingClientRect().bottom > bottom + 3;
    return [...document.querySelectorAll('.body p')].find(isVisible)?.textContent.match(/^Paragraph \\d+/)?.[0] ?? null;
"""

SCROLL_TO = """
    const bottom = document.querySelector('#reader > .tools').offsetHeight;
    const paragraphs = [...document.querySelectorAll('.body p')];
    const paragraph = paragraphs.find((each) => each.textContent.startsWith(arguments[0]));
    scrollBy(0, paragraph.getBoundingClientRect().top - bottom + 50);
"""


def stored_progress(user):
    return user.rest("GET", "reading_progress?order=last_updated.desc").json()


def read_on(page, user, paragraph):
    """Scrolls into a paragraph and waits until the place is saved."""
    before = stored_progress(user)
    page.script(SCROLL_TO, f"{paragraph}.")
    wait_until(lambda: stored_progress(user) != before, every=0.05)


def is_at(page, paragraph):
    wait_until(lambda: page.script(FIRST_PARAGRAPH) == paragraph, every=0.03)


def test_an_article_is_continued_at_the_paragraph_that_was_read_last(reader, alice, article):
    bar = reader.see("#reader progress")
    assert (bar.aria_role, bar.accessible_name) == ("progressbar", "Reading progress")
    assert bar.get_attribute("value") == "0" and stored_progress(alice) == []
    read_on(reader, alice, "Paragraph 9")
    [row] = stored_progress(alice)
    assert row["link_id"] == article and len(row["content_hash"]) == 64
    text = reader.script("return document.querySelector('.body').textContent")
    assert text.rindex("Paragraph", 0, row["last_read_character_index"]) == text.index("Paragraph 9.")
    assert 0.3 < row["percentage_complete"] < 0.5
    assert abs(float(bar.get_attribute("value")) - row["percentage_complete"]) < 0.01
    assert "% · " in reader.see(".reading-progress span", "min left").text

    # The same browser, a phone, another font, and a window that changes its width.
    reader.driver.refresh()
    is_at(reader, "Paragraph 9")
    reader.size(*PHONE)
    is_at(reader, "Paragraph 9")
    field(reader, "Font size").send_keys(Keys.END)
    is_at(reader, "Paragraph 9")
    to_article(reader, alice, article)
    is_at(reader, "Paragraph 9")
    assert len(stored_progress(alice)) == 1


# Whether the server has told where reading had stopped, and the page has gone there.
HAS_PROGRESS = """
    if (!performance.getEntriesByType('resource').some(({ name }) => /reading_progress/.test(name))) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return true;
"""


def test_an_article_that_was_only_opened_begins_with_its_title_again(reader, alice, admin):
    spaced = saved(alice, "With space", PARAGRAPHS)
    # Many pages have space between their elements.
    admin.execute("update articles set content = '<div>\n' || content || '</div>' where link_id = %s", [spaced])
    text = "return document.querySelector('.body').textContent"
    for _ in range(2):
        to_article(reader, alice, spaced)
        reader.see("#reader progress")
        wait_until(lambda: reader.script(HAS_PROGRESS), every=0.03)
        assert reader.script(text).startswith("\n")
        assert reader.script("return scrollY") == 0
        reader.leave()
    assert stored_progress(alice) == []
    # Another app, which counts the space.
    to_article(reader, alice, spaced)
    read_on(reader, alice, "Paragraph 9")
    reader.leave()
    alice.rest("PATCH", f"reading_progress?link_id=eq.{spaced}", {"last_read_character_index": 1})
    to_article(reader, alice, spaced)
    reader.see("#reader progress")
    wait_until(lambda: reader.script(HAS_PROGRESS), every=0.03)
    assert reader.script("return scrollY") == 0


def test_the_place_stays_when_the_text_changes_again_a_moment_later(reader, alice, article):
    """As when the settings arrive from the server after the article was opened at its place."""
    read_on(reader, alice, "Paragraph 9")
    reader.script("""
        const { font_size: size } = document.querySelector('#text-settings form').elements;
        for (const value of [20, 32]) {
            size.value = value;
            size.dispatchEvent(new InputEvent('input', { bubbles: true }));
            for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
        }
    """)
    is_at(reader, "Paragraph 9")


# Whether the list has asked what the user has begun to read, and got the answer.
HAS_ASKED = (
    "return performance.getEntriesByType('resource').some(({ name }) => name.includes('percentage_complete=gte'))"
)


def test_the_shelf_has_an_article_whose_place_is_stored_after_it_was_left(reader, alice, article):
    reader.script("performance.clearResourceTimings()")
    reader.script(hold_method("POST"))
    reader.script(SCROLL_TO, "Paragraph 5.")
    wait_until(lambda: reader.script("return document.querySelector('#reader progress').value") > 0.1, every=0.05)
    reader.press(Keys.ESCAPE)
    wait_until(lambda: reader.script(HAS_ASKED), every=0.05)
    assert stored_progress(alice) == []
    reader.script("release()")
    reader.see("#shelf li", "A long day")


def test_the_place_is_saved_when_the_article_or_the_page_is_left(reader, alice, article):
    bar = "return document.querySelector('#reader progress').value"
    reader.script(SCROLL_TO, "Paragraph 5.")
    # The page is told that it was scrolled before its next frame.
    wait_until(lambda: reader.script(bar) > 0.1, every=0.05)
    reader.press(Keys.ESCAPE)
    reader.see("#list")
    wait_until(lambda: stored_progress(alice), every=0.05)
    # The shelf moves the list down.
    reader.see("#shelf li")
    reader.click_when_steady(lambda: reader.see("#links h2 a", "A long day"))
    is_at(reader, "Paragraph 5")
    # The page is left before its timers end, and the browser drops what it sends last. The app sends it when it is
    # opened again.
    reader.script("window.setTimeout = () => 0; window.fetch = () => new Promise(() => {})")
    reader.script(SCROLL_TO, "Paragraph 12.")
    wait_until(lambda: reader.script(bar) > 0.4, every=0.05)
    reader.leave()
    assert len(stored_progress(alice)) == 1 and stored_progress(alice)[0]["percentage_complete"] < 0.4
    reader.open("")
    wait_until(lambda: stored_progress(alice)[0]["percentage_complete"] > 0.4, every=0.05)
    wait_until(lambda: reader.script("return localStorage.getItem('left-progress')") is None, every=0.05)


def test_the_place_is_saved_before_the_server_has_told_the_last_one(reader, alice):
    reader.press(Keys.ESCAPE)
    reader.list_is_loaded()
    card = reader.see("#links h2 a", "A long day")
    reader.script("""
        const send = window.fetch;
        window.fetch = (url, init) => (/reading_progress\\?.*select/.test(url)
            ? new Promise(() => {}) : send(url, init));
    """)
    card.click()
    reader.see("#reader .body", "Paragraph 5.")
    reader.script(SCROLL_TO, "Paragraph 5.")
    wait_until(lambda: reader.script("return document.querySelector('#reader progress').value") > 0.1, every=0.05)
    reader.press(Keys.ESCAPE)
    reader.see("#list")
    wait_until(lambda: stored_progress(alice), every=0.05)


def test_a_place_that_was_left_in_an_article_that_is_gone_is_forgotten(reader, alice, article):
    reader.script("window.fetch = () => new Promise(() => {})")
    reader.script(SCROLL_TO, "Paragraph 5.")
    reader.leave()
    assert alice.rest("DELETE", f"links?id=eq.{article}").status == 204
    reader.open("")
    wait_until(lambda: reader.script("return localStorage.getItem('left-progress')") is None, every=0.05)
    assert all("reading_progress" in error for error in reader.console_errors())


# The list shows its links as pending, so the page polls for them. No news of other devices arrives.
PENDING_LIST = """
    const answer = window.fetch;
    window.fetch = async (...request) => {
        const response = await answer(...request);
        if (!/links[?].*list=eq[.]read/.test(request[0])) return response;
        return new Response((await response.text()).replace(/"state": ?"ready"/g, '"state":"pending"'), response);
    };
    WebSocket.prototype.send = () => {};
"""


def test_an_article_that_was_opened_as_its_link_became_ready_keeps_the_focus(browser, alice, article):
    browser.to_list(alice)
    browser.refresh_list()
    with held_on_load(browser, "links[?].*id=in[.]", also=PENDING_LIST):
        browser.open_card("A long day")
        browser.see("#reader .body p", "Paragraph 3")
        browser.script("document.querySelector('#reader .body a').focus()")
    assert browser.script("return document.activeElement.matches('#reader .body a')")


# As when a font arrives just after the user has scrolled.
SCROLL_AND_CHANGE_LINES = (
    SCROLL_TO
    + """
    requestAnimationFrame(() => requestAnimationFrame(() => {
        dispatchEvent(new CustomEvent('textsettings', { detail: {} }));
        document.title = 'changed';
    }));
"""
)


def test_a_place_reached_just_before_the_lines_change_is_kept(reader, alice, article):
    reader.script(SCROLL_TO, "Paragraph 5.")
    wait_until(lambda: stored_progress(alice), every=0.05)
    reader.script(SCROLL_AND_CHANGE_LINES, "Paragraph 12.")
    wait_until(lambda: reader.driver.title == "changed", every=0.05)
    is_at(reader, "Paragraph 12")


def test_another_version_of_the_text_and_another_app_are_continued_by_the_fraction(reader, alice, article):
    row = {"content_hash": "app-1", "link_id": article, "last_read_character_index": 1, "percentage_complete": 0.5}
    assert alice.rest("POST", "reading_progress", row).status == 201
    reader.driver.refresh()
    wait_until(lambda: reader.script(FIRST_PARAGRAPH) in {"Paragraph 11", "Paragraph 12"}, every=0.03)


def test_the_end_of_an_article_offers_to_archive_it_and_the_next_one(reader, alice, article):
    other = saved(alice, "A second day", PARAGRAPHS[:3])
    reader.driver.refresh()
    to_article(reader, alice, other)
    reader.see(".after-reading .next", "A long day").click()
    reader.see("#reader h1", "A long day")
    reader.script("scrollTo(0, document.body.scrollHeight)")
    reader.see(".reading-progress span", "Read to the end")
    of_article = lambda: [row for row in stored_progress(alice) if row["link_id"] == article]
    wait_until(lambda: [row["percentage_complete"] for row in of_article()] == [1], every=0.05)
    reader.gone(".after-reading .next")
    reader.see(".after-reading button", "Archive").click()
    reader.see("#toast button", "Undo")
    wait_until(lambda: alice.link(article)["list"] == "archive", every=0.05)
    # The order of an open list decides, and it ends with its last link.
    reader.see("#links h2 a", "A second day").click()
    reader.see(".after-reading button", "Archive")
    reader.gone(".after-reading .next")


def test_a_user_never_continues_where_another_has_stopped(reader, alice, bob, article):
    read_on(reader, alice, "Paragraph 9")
    own = saved(bob, "A long day", PARAGRAPHS)
    to_article(reader, bob, own)
    reader.see("#reader progress")
    is_at(reader, "Paragraph 0")
    assert stored_progress(bob) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_progress_and_the_end_fit_every_screen(reader, alice, scheme):
    reader.colours(scheme)
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        reader.script("scrollTo(0, document.body.scrollHeight)")
        reader.see(".reading-progress span", "Read to the end")
        assert reader.script(CONTRAST) == []
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(LOW, ".after-reading :is(a, button)") == []
