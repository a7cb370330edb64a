"""What the reading view offers for an open article beside its text: passing it on, the focus mode, and the list."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import PAGE, Reader, send_page

# Stands for what the browser has for other apps; headless Chromium has no clipboard of its own and no share sheet.
OUTSIDE = """
    window.copied = [];
    window.shared = [];
    navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
"""
SHARE = """
    Navigator.prototype.share = async (data) => {
        window.shared.push(data);
        if (window.refusal) throw new DOMException('', window.refusal);
    };
"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    script = chromium.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHARE})
    yield Reader(lectern.url, chromium)
    chromium.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.fixture
def link(alice):
    return send_page(alice)


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: browser.to_article(alice, link))


def more(reader, button):
    """Presses a button of "More actions"."""
    reader.see("#reader .tools [data-do=more]").click()
    reader.see("#more button", button).click()


def test_a_passage_is_copied_as_a_quotation_of_its_article(reader, alice, link):
    reader.script(OUTSIDE)
    url = alice.link(link)["raw_url"]
    reader.select("Nobody remembers", "four arches").find_element("xpath", ".//button[.='Copy quote']").click()
    reader.see("#toast", "Quote copied.")
    reader.gone("#selection-toolbar")
    reader.select("first snow", "October")
    reader.press("q")
    reader.gone("#selection-toolbar")
    quote = "> Nobody remembers who built the first bridge. The oldest drawing shows four arches"
    assert reader.script("return copied") == [
        f"{quote}\n\n[Along the river]({url})\n",
        f"> first snow of the year falls in October\n\n[Along the river]({url})\n",
    ]


def test_an_article_is_shared_and_its_link_copied(reader, alice, link):
    reader.script(OUTSIDE)
    url = alice.link(link)["raw_url"]
    more(reader, "Copy link")
    reader.see("#toast", "Link copied.")
    more(reader, "Share")
    assert reader.script("return [copied, shared]") == [[url], [{"title": "Along the river", "url": url}]]
    # A sheet that the user has closed is no failure.
    reader.script("window.refusal = 'AbortError'")
    more(reader, "Share")
    # The toast may have gone by now, and keeps its text.
    assert reader.script("return document.querySelector('#toast span').textContent") == "Link copied."
    reader.script("window.refusal = 'DataError'")
    more(reader, "Share")
    reader.see("#toast", "could not share the link")
    # In the list, the dialog is about a link.
    reader.press(Keys.ESCAPE)
    reader.press_on_card("Along the river", "more")
    reader.see("#more button", "Copy link")
    assert reader.all("#more .in-reader") and not any(one.is_displayed() for one in reader.all("#more .in-reader"))


def test_the_public_link_of_an_article_is_shown_opened_and_ended(reader, alice, link):
    reader.only_on_the_server("the settings are a page of the server")

    def press(name):
        next(one for one in reader.all("dialog.public-link button") if one.text == name).click()

    more(reader, "Public link")
    address = reader.see("dialog.public-link a").text
    [share] = alice.rest("GET", "shares").json()
    assert address == f"{alice.lectern.url}/public/{share['token']}" and share["link_id"] == link
    assert "QR code" in reader.see("dialog.public-link img").get_attribute("alt")
    press("Close")
    reader.gone("dialog.public-link")
    more(reader, "Public link")
    assert reader.see("dialog.public-link a").text == address
    press("Stop sharing")
    reader.see("#toast", "no longer shared")
    assert alice.rest("GET", "shares").json() == []
    alice.rest("POST", "rpc/share_link", {"link": link})
    reader.open("settings/")
    reader.see("#shares .rows", "Along the river")
    # The sections above move the button while they are loaded.
    reader.settled()
    next(one for one in reader.all("#shares button") if one.text == "Stop sharing").click()
    reader.see("#shares .list-status", "Nothing is shared")
    assert alice.rest("GET", "shares").json() == []


AROUND = ["#bar", "#reader > .tools", ".article-tags", ".reading-progress", ".source"]


def shown(reader):
    return [selector for selector in AROUND if reader.all(selector) and reader.all(selector)[0].is_displayed()]


def test_the_focus_mode_shows_only_the_text_until_escape(reader, link):
    reader.size(600, 400)
    assert set(shown(reader)) >= {"#bar", "#reader > .tools", ".article-tags"}
    more(reader, "Focus mode")
    reader.gone("#reader > .tools")
    assert shown(reader) == [] and reader.see("#toast", "Press Esc")
    assert reader.see("#reader .body p", "The river begins") and reader.see("#reader .body table", "Sacks of grain")
    assert reader.see("#reader h1") == reader.focused()
    # What is done with the text can still be done.
    reader.select("first snow", "October")
    reader.press(Keys.ESCAPE)
    reader.gone("#selection-toolbar")
    assert shown(reader) == []
    reader.press(Keys.ESCAPE)
    reader.see("#reader > .tools")
    assert link in reader.script("return location.hash")
    reader.press("f")
    button = reader.see(".leave-focus")
    assert button.accessible_name == "Leave focus mode" and shown(reader) == []
    button.click()
    reader.see("#reader > .tools")
    # The list is never in this mode.
    reader.press("f")
    reader.see(".leave-focus")
    reader.open("#/read")
    reader.see("#bar")
    reader.card("Along the river")
    reader.gone(".leave-focus")


def test_the_focus_mode_has_more_room_for_pages(reader):
    reader.script("document.querySelector('#text-settings [name=layout][value=pages]').click()")
    reader.see(".reading-progress", "Page 1 of")
    height = "return document.querySelector('#reader > article').clientHeight"
    before = reader.script(height)
    reader.press("f")
    reader.see(".leave-focus")
    wait_until(lambda: reader.script(height) > before + 60, every=0.05)
    reader.press("f")
    reader.see(".reading-progress", "Page 1 of")


def test_the_list_stays_beside_the_article_on_wide_screens_for_those_who_want_it(reader, alice, link):
    other = send_page(alice, PAGE.replace("Along the river", "Beyond the hill"))
    alice.rest("PATCH", f"links?id=eq.{other}", {"list": "archive"})
    second = send_page(alice, PAGE.replace("Along the river", "In the valley"))
    # The server indexes a text shortly after the article is there.
    count = lambda: alice.rest("POST", "rpc/count_links", {"query": "river"}).json()["count"]
    wait_until(lambda: count() == 3)
    assert reader.all(".beside") == []
    reader.see("#reader [aria-label='Text settings']").click()
    reader.see("#text-settings label", "Show the list beside").click()
    reader.press(Keys.ESCAPE)
    nav = reader.see(".beside")
    assert (nav.aria_role, nav.accessible_name) == ("navigation", "List beside the article")
    titles = "return [...document.querySelectorAll('.beside b')].map((title) => title.textContent)"
    wait_until(lambda: reader.script(titles) == ["In the valley", "Along the river"], every=0.05)
    assert reader.see(".beside [aria-current=page]").text.startswith("Along the river")
    reader.see(".beside a", "In the valley").click()
    reader.see("#reader h1", "In the valley")
    wait_until(lambda: reader.see(".beside [aria-current=page]").text.startswith("In the valley"), every=0.05)
    # It takes its room from the left of the window, and stays there while the article is scrolled.
    assert reader.see("#reader article").rect["x"] >= nav.rect["width"]
    assert reader.script("return document.documentElement.scrollWidth") <= DESK[0]
    for theme in ["light", "sepia", "dark"]:
        reader.script("document.documentElement.dataset.theme = arguments[0]", theme)
        assert reader.script(CONTRAST) == []
    reader.press("f")
    reader.gone(".beside")
    reader.press("f")
    reader.see(".beside")
    reader.size(1279, 900)
    reader.gone(".beside")
    assert reader.see("#reader article").rect["x"] < 400
    reader.size(*DESK)

    # A search that led to an article is what is beside it.
    reader.open("#/search/river")
    wait_until(lambda: len([title for title in reader.titles() if title]) == 3)
    reader.click_when_steady(lambda: reader.see("#links h2 a", "Along the river"))
    reader.see(".beside")
    expected = reader.script(
        "return [...document.querySelectorAll('#links h2')].map((title) => title.textContent.trim())"
    )
    wait_until(lambda: reader.script(titles) == expected, every=0.05)
    assert len(expected) == 3 and second in reader.script("return document.querySelector('.beside').innerHTML")


def test_the_tools_fit_every_screen(reader):
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        reader.press("f")
        reader.see(".leave-focus")
        assert reader.script(LOW, ".leave-focus") == [] and reader.script(CONTRAST) == []
        reader.press("f")
        reader.gone(".leave-focus")
        reader.select("first snow", "October")
        assert reader.script(LOW, "#selection-toolbar button") == [] and reader.script(CONTRAST) == []
        bar = reader.see("#selection-toolbar").rect
        assert bar["x"] >= 0 and bar["x"] + bar["width"] <= size[0]
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        # The next one is placed for the next size.
        reader.press(Keys.ESCAPE)
        reader.gone("#selection-toolbar")
