"""Bookmarks in the reading view: places in the text of an article that have names."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.held_responses import IS_HELD, hold_first, release
from support.reader import Reader, send_page

SENTENCES = "It is kept so that it can be read later, in a quiet hour, by whoever has saved it. " * 6
PARAGRAPHS = [f"<p>Paragraph {number}. {SENTENCES}</p>" for number in range(24)]
PAGE = (
    "<html lang=en><head><title>A long day</title></head><body><article><h1>A long day</h1>{}</article></body></html>"
)

# The paragraph that is first on the screen.
FIRST = """
    const bottom = document.querySelector('#reader > .tools').offsetHeight;
    const isVisible = (element) => element.getBoundingClientRect().bottom > bottom + 3
        && element.getBoundingClientRect().right > 0;
    return [...document.querySelectorAll('.body p')].find(isVisible)?.textContent.match(/^Paragraph \\d+/)?.[0] ?? null;
"""
SCROLL_TO = """
    const paragraph = [...document.querySelectorAll('.body p')].find((one) => one.textContent.startsWith(arguments[0]));
    scrollBy(0, paragraph.getBoundingClientRect().top - document.querySelector('#reader > .tools').offsetHeight - 4);
"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def link(alice):
    return send_page(alice, PAGE.format("".join(PARAGRAPHS)))


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: open_article(browser, alice, link))


def open_article(reader, user, link):
    reader.sign_in(user, f"#/link/{link}")
    reader.see("#reader .body", "Paragraph 3.")


def stored(user, link):
    return user.rest("GET", f"bookmarks?link_id=eq.{link}&order=start_offset").json()


def bookmark(reader, alice, link, paragraph):
    before = len(stored(alice, link))
    reader.script(SCROLL_TO, f"Paragraph {paragraph}.")
    reader.press("b")
    reader.see("#toast", f"Bookmark added: Paragraph {paragraph}.")
    assert len(stored(alice, link)) == before + 1


def names(reader):
    return reader.script("return [...document.querySelectorAll('.bookmarks .go')].map((one) => one.textContent)")


def is_at(reader, paragraph):
    wait_until(lambda: reader.script(FIRST) == paragraph, every=0.05)


def test_a_place_gets_a_name_and_is_found_again_with_another_layout(reader, alice, link):
    bookmark(reader, alice, link, 15)
    bookmark(reader, alice, link, 7)
    first, second = stored(alice, link)
    text = alice.article(link)["text_content"]
    assert first["start_offset"] == text.index("Paragraph 7.") and first["quote"].startswith("Paragraph 7. It is kept")
    reader.open_panel()
    section = reader.see("#highlights .bookmarks")
    assert (section.aria_role, section.accessible_name) == ("region", "Bookmarks")
    wait_until(lambda: len(names(reader)) == 2, every=0.05)
    assert [name.split(".")[0] for name in names(reader)] == ["Paragraph 7", "Paragraph 15"]

    reader.click_when_steady(lambda: reader.see(".bookmarks button", "Rename"))
    field = reader.see(".bookmarks input")
    assert field.accessible_name == "Name of the bookmark"
    field.send_keys(Keys.ESCAPE)
    reader.gone(".bookmarks input")
    wait_until(lambda: reader.focused().text == names(reader)[0], every=0.05)
    assert reader.see("#highlights")
    reader.click_when_steady(lambda: reader.see(".bookmarks button", "Rename"))
    reader.see(".bookmarks input").send_keys("Where it begins", Keys.ENTER)
    wait_until(lambda: names(reader)[0] == "Where it begins", every=0.05)
    assert stored(alice, link)[0]["name"] == "Where it begins"

    # Another browser, a phone, and pages.
    open_article(reader, alice, link)
    reader.size(*PHONE)
    reader.open_panel()
    reader.click_when_steady(lambda: reader.see(".bookmarks .go", "Where it begins"))
    is_at(reader, "Paragraph 7")
    reader.gone("#highlights")
    reader.size(*DESK)
    reader.script("document.querySelector('#text-settings [name=layout][value=pages]').click()")
    reader.see(".reading-progress", "Page ")
    reader.open_panel()
    reader.click_when_steady(lambda: reader.see(".bookmarks .go", "Paragraph 15"))
    shown = """
        const page = document.querySelector('#reader > article').getBoundingClientRect();
        const place = [...document.querySelectorAll('.body p')].find((one) => one.textContent.startsWith('Paragraph 15.'));
        const { left } = place.getClientRects()[0];
        return left >= page.left && left < page.right;
    """
    wait_until(lambda: reader.script(shown), every=0.05)


def test_a_name_that_is_being_typed_stays_when_the_bookmarks_arrive(reader, alice, link):
    bookmark(reader, alice, link, 7)
    reader.script(hold_first("bookmarks[?]"))
    reader.open_panel()
    reader.click_when_steady(lambda: reader.see(".bookmarks button", "Rename"))
    field = reader.see(".bookmarks input")
    field.send_keys("Where it")
    wait_until(lambda: reader.script(IS_HELD), every=0.03)
    # Another device has added one.
    alice.rest("POST", "bookmarks", {"link_id": link, "name": "Elsewhere", "quote": "Paragraph 9."})
    release(reader)
    field.send_keys(" begins")
    assert field.get_attribute("value") == "Where it begins"


def test_a_bookmark_that_is_added_while_the_bookmarks_arrive_stays(reader, alice, link):
    reader.script(hold_first("bookmarks[?]link_id"))
    reader.open_panel()
    wait_until(lambda: reader.script(IS_HELD), every=0.03)
    bookmark(reader, alice, link, 7)
    release(reader)
    reader.see(".bookmarks .go", "Paragraph 7")


def test_the_list_shows_other_changes_while_a_name_is_typed(reader, alice, link):
    for paragraph in (3, 7, 11):
        bookmark(reader, alice, link, paragraph)
    reader.open_panel()
    reader.click_when_steady(lambda: reader.see(".bookmarks li:nth-child(2) button", "Rename"))
    field = reader.see(".bookmarks input")
    field.send_keys("The middle")
    for neighbour in (1, 2):
        reader.click_when_steady(
            lambda neighbour=neighbour: reader.see(f".bookmarks li:nth-child({neighbour}) button", "Delete")
        )
        wait_until(lambda neighbour=neighbour: len(reader.all(".bookmarks li")) == 3 - neighbour, every=0.03)
    assert field.get_attribute("value") == "The middle"
    field.send_keys(Keys.ENTER)
    reader.see(".bookmarks .go", "The middle")
    assert [row["name"] for row in stored(alice, link)] == ["The middle"]


def test_a_bookmark_follows_its_words_into_a_new_text_and_says_when_they_are_gone(reader, alice, link, admin):
    bookmark(reader, alice, link, 9)
    new = "<p>Something new in front. " + SENTENCES + "</p>"
    for paragraphs in [[new, *PARAGRAPHS], PARAGRAPHS[:5] + PARAGRAPHS[12:]]:
        # As if the page had been fetched again.
        content = "".join(paragraphs)
        text = content.replace("<p>", "").replace("</p>", "\n\n")
        statement = "update public.articles set content = %s, text_content = %s where link_id = %s"
        admin.execute(statement, (content, text, link))
        open_article(reader, alice, link)
        reader.open_panel()
        reader.click_when_steady(lambda: reader.see(".bookmarks .go", "Paragraph 9"))
        if new in paragraphs:
            is_at(reader, "Paragraph 9")
        else:
            reader.see("#toast", "no longer has this place")


def test_a_deletion_can_be_undone_and_nobody_sees_the_bookmarks_of_another(reader, alice, bob, link):
    bookmark(reader, alice, link, 3)
    assert stored(bob, link) == []
    assert bob.rest("POST", "bookmarks", {"link_id": link, "name": "x", "quote": "x"}).status in (400, 403, 409)
    reader.open_panel()
    reader.click_when_steady(lambda: reader.see(".bookmarks button", "Delete"))
    reader.see("#toast", "Bookmark deleted")
    assert stored(alice, link) == [] and reader.focused().text == "Add bookmark"
    reader.see("#toast button", "Undo").click()
    wait_until(lambda: len(stored(alice, link)) == 1, every=0.05)
    reader.see(".bookmarks .go", "Paragraph 3.")
    for scheme in ["light", "dark"]:
        reader.colours(scheme)
        for size in [(320, 640), PHONE, DESK]:
            reader.size(*size)
            assert reader.script(LOW, ".bookmarks button") == [] and reader.script(CONTRAST) == []
            assert reader.script("return document.documentElement.scrollWidth") <= size[0]
