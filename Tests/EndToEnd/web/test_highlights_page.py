"""Highlights in the reading view, in a real browser."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.held_responses import answer_busy, hold_method
from support.reader import Reader, send_page


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def link(alice):
    return send_page(alice)


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: browser.to_article(alice, link))


def rows(alice, link):
    return alice.rest("GET", f"highlights?link_id=eq.{link}&order=start_offset,end_offset").json()


def stored(alice, link, count):
    return wait_until(lambda: len(found := rows(alice, link)) == count and found, every=0.03)


def mark(alice, link, quote, **more):
    text = alice.article(link)["text_content"]
    start = text.index(quote)
    row = {"link_id": link, "quote": quote, "start_offset": start, "end_offset": start + len(quote)} | more
    assert alice.rest("POST", "highlights", row).status == 201


def test_a_selected_passage_is_highlighted_in_six_colours_and_shown_again(reader, alice, link):
    toolbar = reader.select("first snow", "October")
    assert (toolbar.aria_role, toolbar.accessible_name) == ("toolbar", "Highlight the selection")
    names = [button.accessible_name for button in toolbar.find_elements(By.TAG_NAME, "button")]
    assert names == ["Yellow", "Green", "Blue", "Pink", "Purple", "Orange", "Add note", "Copy quote"]
    before = reader.script("return document.querySelector('.body').textContent")
    passages = [
        ("first snow", "October", "yellow"),
        ("winter by", "the thickness", "green"),
        ("Nobody", "Some say", "blue"),
        ("turn(speed", "wheel.stop", "pink"),
        ("Sacks", "fourteen", "purple"),
        ("النهر", "التلال", "orange"),
    ]
    for passage in passages:
        reader.highlight(*passage)
    found = stored(alice, link, len(passages))
    text = alice.article(link)["text_content"]
    units = text.encode("utf-16-le")
    for (start, end, color), row in zip(passages, found):
        assert row["color"] == color and row["quote"].startswith(start) and row["quote"].endswith(end)
        first, last = row["start_offset"] * 2, row["end_offset"] * 2
        assert units[first:last].decode("utf-16-le") == row["quote"]
        assert units[:first].decode("utf-16-le").endswith(row["prefix"]) and len(row["prefix"]) == 32
        assert units[last:].decode("utf-16-le").startswith(row["suffix"]) and len(row["suffix"]) == 32
    marks = reader.marks(13)
    assert reader.script("return document.querySelector('.body').textContent") == before
    reader.driver.refresh()
    reader.see("#reader .body", "The river begins")
    assert reader.marks(13) == marks


def test_overlapping_highlights_stay_apart(reader, alice, link):
    reader.highlight("Nobody", "four arches", "blue")
    reader.highlight("first bridge", "first bridge", "pink")
    reader.highlight("who built", "drawing", "green")
    stored(alice, link, 3)
    assert [(color, text.strip()) for color, text in reader.marks(7)] == [
        ("blue", "Nobody remembers"),
        ("green", "who built the"),
        ("pink", "first bridge"),
        ("green", ". The"),
        ("green", "oldest"),
        ("green", "drawing"),
        ("blue", "shows four arches"),
    ]
    reader.click_when_steady(lambda: reader.see(".body mark[data-color=pink]"))
    assert reader.see("#highlight-editor blockquote").text == "first bridge"
    reader.see("#highlight-editor button", "Delete").click()
    reader.gone(".body mark[data-color=pink]")
    assert {row["color"] for row in stored(alice, link, 2)} == {"blue", "green"}


def test_a_highlight_is_recoloured_annotated_deleted_and_brought_back(reader, alice, link):
    reader.select("four arches", "stone")
    reader.see("#selection-toolbar button", "Add note").click()
    editor = reader.see("#highlight-editor")
    assert (editor.aria_role, editor.accessible_name) == ("dialog", "Highlight")
    reader.press("Why four?")
    reader.see("#highlight-editor .strong").click()
    wait_until(lambda: [row["note"] for row in rows(alice, link)] == ["Why four?"], every=0.03)

    # By keyboard: the button after the highlight opens it, and Escape closes only the editor.
    handle = ".body button.has-note"
    wait_until(lambda: reader.see(handle).accessible_name == "Edit highlight: yellow, with a note")
    # The page shows the highlights again when the server tells it of the note.
    reader.when_steady(lambda: reader.see(handle).send_keys(Keys.ENTER))
    reader.see("#highlight-editor [data-color=purple]").click()
    wait_until(lambda: reader.marks(1)[0][0] == "purple", every=0.03)
    reader.press(Keys.ESCAPE)
    reader.gone("#highlight-editor")
    assert reader.see("#reader .body") and rows(alice, link)[0]["color"] == "purple"

    [before] = rows(alice, link)
    reader.click_when_steady(lambda: reader.see(".body mark"))
    reader.see("#highlight-editor button", "Delete").click()
    reader.gone(".body mark")
    assert rows(alice, link) == []
    reader.see("#toast button", "Undo").click()
    [after] = stored(alice, link, 1)
    same = ("id", "quote", "note", "color", "start_offset", "created_at")
    assert [after[name] for name in same] == [before[name] for name in same]
    reader.see(".body mark")


def test_a_note_that_the_server_does_not_take_is_shown_again(reader, alice, link):
    mark(alice, link, "four arches of stone", note="Why four?")
    reader.driver.refresh()
    reader.click_when_steady(lambda: reader.see(".body mark"))
    reader.see("#highlight-editor textarea").send_keys(" Or five?")
    reader.script(answer_busy("PATCH"))
    reader.see("#highlight-editor .strong").click()
    reader.see("#highlight-editor [role=alert]", "The server is busy.")
    assert reader.focused().get_attribute("value") == "Why four? Or five?"
    reader.script("isBusy = false")
    reader.see("#highlight-editor .strong").click()
    reader.gone("#highlight-editor")
    wait_until(lambda: rows(alice, link)[0]["note"] == "Why four? Or five?", every=0.03)


def test_an_older_note_that_is_refused_late_does_not_replace_a_newer_one(reader, alice, link):
    mark(alice, link, "four arches of stone")
    reader.driver.refresh()
    reader.click_when_steady(lambda: reader.see(".body mark"))
    reader.script(answer_busy("PATCH"))
    reader.script(hold_method("PATCH"))
    reader.see("#highlight-editor textarea").send_keys("old", Keys.CONTROL, Keys.ENTER)
    reader.gone("#highlight-editor")
    reader.click_when_steady(lambda: reader.see(".body mark"))
    reader.see("#highlight-editor textarea").send_keys("new", Keys.CONTROL, Keys.ENTER)
    reader.gone("#highlight-editor")
    reader.script("release()")
    reader.see("#highlight-editor [role=alert]", "The server is busy.")
    assert reader.focused().get_attribute("value") == "new"
    reader.see("#highlight-editor button", "Cancel").click()
    reader.gone("#highlight-editor")


def test_keys_highlight_the_selection_and_leave_other_shortcuts_alone(reader, alice, link):
    reader.select("castle", "castle")
    ActionChains(reader.driver).send_keys("h").perform()
    assert [row["quote"] for row in stored(alice, link, 1)] == ["castle"]
    reader.select("first bridge", "first bridge")
    ActionChains(reader.driver).send_keys(Keys.ESCAPE).perform()
    reader.gone("#selection-toolbar")
    assert reader.see("#reader .body")
    reader.select("first bridge", "first bridge")
    ActionChains(reader.driver).send_keys("n").perform()
    reader.see("#highlight-editor")
    reader.press("sam/?")
    reader.press(Keys.CONTROL, Keys.ENTER)
    reader.gone("#highlight-editor")
    wait_until(lambda: {row["note"] for row in rows(alice, link)} == {None, "sam/?"}, every=0.03)
    assert not alice.link(link)["is_starred"]


def test_a_click_on_a_highlighted_link_follows_the_link(reader, alice, link):
    reader.highlight("the thickness", "the ice", "green")
    reader.marks(1)
    reader.script("document.querySelector('.body a').onclick = (event) => event.preventDefault()")
    reader.click_when_steady(lambda: reader.see(".body a mark"))
    reader.gone("#highlight-editor")
    reader.when_steady(lambda: reader.see(".body a + button").send_keys(Keys.ENTER))
    reader.see("#highlight-editor blockquote", "the thickness of the ice")
    reader.press(Keys.ESCAPE)


def test_the_panel_lists_jumps_edits_copies_and_deletes(reader, alice, link, chromium):
    mark(alice, link, "view from the hill", color="blue", note="Go there.")
    mark(alice, link, "four arches of stone")
    alice.rest("POST", "highlights", {"link_id": link, "quote": "A passage that is nowhere in this text."})
    reader.driver.refresh()
    reader.see("#reader .body mark")
    button = reader.see("#reader [aria-label=Highlights]")
    assert button.get_attribute("aria-expanded") == "false"
    panel = reader.open_panel()
    assert (panel.aria_role, panel.accessible_name) == ("complementary", "Highlights")
    wait_until(lambda: reader.focused().text == "Highlights")
    assert button.get_attribute("aria-expanded") == "true"
    quotes = "return [...document.querySelectorAll('#highlights li')].map((item) => item.innerText.split('\\n')[0])"
    expected = ["four arches of stone", "view from the hill", "A passage that is nowhere in this text."]
    wait_until(lambda: reader.script(quotes) == expected)
    reader.see("#highlights li", "No longer in the text")

    reader.in_panel("view from", "Go to")
    wait_until(lambda: reader.focused().accessible_name == "Edit highlight: blue, with a note")
    top = "return document.querySelector('.body mark[data-color=blue]').getBoundingClientRect().top"
    wait_until(lambda: 0 < reader.script(top) < 900)

    origin = {
        "origin": reader.script("return location.origin"),
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
    }
    chromium.execute_cdp_cmd("Browser.grantPermissions", origin)
    reader.see("#highlights > button").click()
    reader.see("#toast", "Copied")
    copied = chromium.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    address = alice.link(link)["raw_url"]
    assert copied == (
        f"# Along the river\n\n<{address}>\n\n> four arches of stone\n\n> view from the hill\n\nGo there.\n\n"
        "> A passage that is nowhere in this text.\n"
    )

    reader.in_panel("four arches", "Delete")
    reader.gone("#highlights li", "four arches")
    wait_until(lambda: reader.focused().text == "Delete")
    reader.see("#toast button", "Undo").click()
    reader.see("#highlights li", "four arches")
    reader.in_panel("A passage", "Edit")
    reader.see("#highlight-editor").find_element(By.TAG_NAME, "textarea").send_keys("Where is it?")
    reader.see("#highlight-editor .strong").click()
    reader.see("#highlights li", "Where is it?")
    reader.press(Keys.ESCAPE)
    reader.gone("#highlights")
    wait_until(lambda: reader.focused() == button)


def test_highlights_of_other_devices_arrive_and_leave_the_selection_alone(reader, alice, link):
    reader.select("drawing", "arches of")
    mark(alice, link, "four arches of stone", color="green")
    reader.see(".body mark[data-color=green]", "four arches")
    [row] = rows(alice, link)
    alice.rest("PATCH", f"highlights?id=eq.{row['id']}", {"color": "pink"})
    reader.see(".body mark[data-color=pink]", "four arches")
    assert reader.script("return getSelection().toString()") == "drawing shows four arches of"
    alice.rest("DELETE", f"highlights?id=eq.{row['id']}")
    reader.gone(".body mark")


def test_another_user_sees_none_of_it(reader, alice, link, bob):
    mark(alice, link, "four arches of stone")
    reader.see(".body mark")
    [row] = rows(alice, link)
    assert bob.rest("GET", f"highlights?link_id=eq.{link}").json() == []
    bob.rest("PATCH", f"highlights?id=eq.{row['id']}", {"color": "pink"})
    assert rows(alice, link) == [row]


def test_a_quote_is_found_whatever_its_white_space_and_the_nearest_one_counts(reader):
    found = reader.driver.execute_async_script(
        """
        const [folder, done] = arguments;
        Promise.all(['folded-text.js', 'highlight-places.js'].map((name) => import(`${folder}/reader/highlights/${name}`)))
            .then(([{ FoldedText }, { placeOf, splitIntoSegments }]) => {
                const page = new FoldedText('one two\\u00a0three\\n\\n one two  three four');
                const stored = new FoldedText('one two three\\n\\none two three four');
                const place = (more) => {
                    const row = { quote: 'one two three', prefix: null, suffix: null, start_offset: null,
                        end_offset: null, orphaned_at: null, ...more };
                    const range = placeOf(page, stored, row);
                    return range && [range.start, range.end];
                };
                done([
                    place({}),
                    place({ start_offset: 15, end_offset: 28 }),
                    place({ suffix: ' four' }),
                    place({ quote: 'one\\ttwo' }),
                    place({ quote: 'five' }),
                    place({ quote: 'thirty', start_offset: 8, end_offset: 13 }),
                    place({ orphaned_at: '2026-01-01' }),
                    splitIntoSegments([{ id: 'a', start: 0, end: 9 }, { id: 'b', start: 3, end: 5 }])
                        .map(({ start, end, ids }) => [start, end, ids.join('')]),
                ]);
            });
    """,
        reader.folder,
    )
    assert found == [[0, 13], [16, 30], [16, 30], [0, 7], None, [8, 13], None, [[0, 3, "a"], [3, 5, "ba"], [5, 9, "a"]]]


def test_where_the_panel_covers_the_text_a_click_on_the_text_closes_it(reader):
    reader.size(800, 600)
    reader.open_panel()
    assert reader.script("return document.querySelector('.body').inert")
    assert reader.see("#highlights").rect["y"] >= reader.see("#reader .tools").rect["y"] + 40
    reader.script("scrollTo(0, 200)")
    ActionChains(reader.driver).move_to_element_with_offset(reader.see("#reader"), -200, 100).click().perform()
    reader.gone("#highlights")
    assert not reader.script("return document.querySelector('.body').inert")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_highlights_and_their_panel_fit_every_screen(reader, alice, link, scheme):
    reader.colours(scheme)
    for color, quote in [("yellow", "Nobody"), ("green", "who built"), ("blue", "the stones"), ("pink", "sea")]:
        mark(alice, link, quote, color=color, note="A note")
    for color, quote in [("purple", "thickness of"), ("orange", "the ice"), ("yellow", "wheel.turn")]:
        mark(alice, link, quote, color=color)
    reader.marks(7)
    for size in [(320, 640), PHONE, (800, 600), DESK]:
        reader.size(*size)
        reader.script("scrollTo(0, 0)")
        reader.open_panel()
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(LOW, "#reader .tools button, #highlights button") == []
        assert reader.script(CONTRAST) == []
        reader.see("#highlights header button").click()
        reader.select("castle", "castle")
        assert reader.script(LOW, "#selection-toolbar button") == []
        box = reader.see("#selection-toolbar").rect
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0]
        reader.script("getSelection().removeAllRanges()")
        reader.gone("#selection-toolbar")
