"""The note and the tags of an article in the reading view, in a real browser."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.held_responses import answer_busy, hold_method, type_while_sending
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


# The note


def note(alice, link):
    return next(iter(alice.rest("GET", f"notes?link_id=eq.{link}&select=body,is_favorite").json()), None)


def test_the_note_is_saved_while_it_is_typed_and_can_be_taken_back(reader, alice, link):
    reader.open_panel()
    field = reader.see("#highlights .note textarea:enabled")
    assert field.accessible_name == "Note on the article"
    field.send_keys("First thoughts. sam/?")
    reader.see("#highlights .note [role=status]", "Saved.")
    assert note(alice, link) == {"body": "First thoughts. sam/?", "is_favorite": False}
    assert not alice.link(link)["is_starred"]
    # At once, because a pause between two keys would save a part, to which "Undo" leads back.
    reader.driver.execute_cdp_cmd("Input.insertText", {"text": " And more."})
    wait_until(lambda: note(alice, link)["body"].endswith(" And more."), every=0.03)
    reader.see("#highlights .note button", "Undo").click()
    wait_until(lambda: note(alice, link)["body"] == "First thoughts. sam/?", every=0.03)
    wait_until(lambda: field.get_attribute("value") == "First thoughts. sam/?")

    # What was typed just before the article is left is saved, too.
    field.send_keys(" The end.")
    reader.see("#back").click()
    reader.see("#list")
    wait_until(lambda: note(alice, link)["body"].endswith("The end."), every=0.03)
    reader.driver.back()
    reader.open_panel()
    wait_until(lambda: reader.see(".note textarea").get_attribute("value").endswith("The end."), every=0.03)


def store_note(user, link, body):
    row = {"link_id": link, "body": body}
    prefer = "resolution=merge-duplicates"
    assert user.rest("POST", "notes?on_conflict=link_id,user_id", row, prefer=prefer).status in (200, 201)


def test_the_note_of_another_device_is_shown_unless_it_is_being_changed_here(reader, alice, link):
    reader.open_panel()
    field = reader.see("#highlights .note textarea:enabled")
    store_note(alice, link, "From the phone.")
    wait_until(lambda: field.get_attribute("value") == "From the phone.", every=0.03)
    # Nothing is saved while this is typed, nor until the field is left.
    reader.script("window.setTimeout = () => 0")
    field.send_keys(" From here.")
    store_note(alice, link, "Changed on the phone.")
    reader.script("await new Promise((resolve) => setInterval(resolve, 700))")
    assert field.get_attribute("value") == "From the phone. From here."
    reader.press(Keys.TAB)
    wait_until(lambda: note(alice, link)["body"] == "From the phone. From here.", every=0.03)
    assert field.get_attribute("value") == "From the phone. From here."


def test_a_note_that_cannot_be_sent_waits_and_is_sent_later(reader, alice, link, chromium):
    reader.open_panel()
    field = reader.see("#highlights .note textarea:enabled")
    chromium.execute_cdp_cmd("Network.enable", {})
    chromium.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/rest/v1/notes*"]})
    field.send_keys("Kept")
    reader.see("#connection .waiting", "1 change waiting")
    field.send_keys(" all the same")
    chromium.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    reader.gone("#connection .waiting")
    wait_until(lambda: note(alice, link) and note(alice, link)["body"] == "Kept all the same")
    assert all("notes" in trouble for trouble in reader.console_errors())


def test_a_note_that_the_server_does_not_take_before_the_article_is_left_is_kept(reader, alice, link):
    reader.open_panel()
    reader.script(answer_busy("POST", "/notes?"))
    reader.see("#highlights .note textarea:enabled").send_keys("Not lost")
    reader.see("#highlights .note [role=status]", "Not saved:")
    reader.see("#back").click()
    reader.see("#connection .waiting", "1 change waiting")
    reader.open_card("Along the river")
    reader.open_panel()
    wait_until(lambda: reader.see(".note textarea").get_attribute("value") == "Not lost", every=0.03)
    reader.script("isBusy = false")
    reader.gone("#connection .waiting")
    assert note(alice, link)["body"] == "Not lost"


def test_a_note_is_there_when_its_article_is_opened_again_before_it_is_refused(reader, alice, link):
    reader.open_panel()
    reader.script(answer_busy("POST", "/notes?"))
    reader.script(hold_method("POST"))
    reader.see("#highlights .note textarea:enabled").send_keys("Not lost")
    reader.see("#highlights .note [role=status]", "Saving…")
    reader.see("#back").click()
    reader.open_card("Along the river")
    reader.open_panel()
    reader.script("release()")
    wait_until(lambda: reader.see(".note textarea").get_attribute("value") == "Not lost", every=0.03)
    reader.see(".note textarea:enabled").send_keys(" at all")
    reader.script("isBusy = false")
    wait_until(lambda: (note(alice, link) or {}).get("body") == "Not lost at all", every=0.03)
    reader.gone("#connection .waiting")


# Tags


def tags(alice, link):
    return sorted(
        row["tags"]["name"] for row in alice.rest("GET", f"link_tags?link_id=eq.{link}&select=tags(name)").json()
    )


def test_tags_are_added_suggested_removed_and_brought_back(reader, alice, link):
    assert alice.rest("POST", "tags", [{"name": "Rivers"}, {"name": "Risotto (rice)"}]).status == 201
    field = reader.see("#reader .article-tags input")
    assert field.accessible_name == "Add tag"
    field.send_keys("ri")
    options = "return [...document.querySelectorAll('.article-tags option')].map((option) => option.value)"
    wait_until(lambda: sorted(reader.script(options)) == ["Risotto (rice)", "Rivers"], every=0.03)
    field.clear()
    # A tag that exists is used, whatever its case.
    field.send_keys("rivers, #long walks, risotto (RICE)", Keys.ENTER)
    reader.see("#reader .article-tags li", "long walks")
    assert tags(alice, link) == ["Risotto (rice)", "Rivers", "long walks"]
    assert len(alice.rest("GET", "tags?select=id").json()) == 3
    reader.driver.refresh()
    reader.see("#reader .article-tags li", "long walks")
    # By script, because the page scrolls to the place that was read last.
    reader.script("document.querySelector(`.article-tags [aria-label='Remove tag long walks']`).click()")
    reader.gone("#reader .article-tags li", "long walks")
    assert tags(alice, link) == ["Risotto (rice)", "Rivers"]
    reader.see("#toast button", "Undo").click()
    reader.see("#reader .article-tags li", "long walks")
    # The dialog of the link has them, too.
    reader.see("#reader [data-do=more]").click()
    reader.see("#more [aria-label='Remove tag long walks']").click()
    reader.gone("#more .tag-list li", "long walks")
    reader.see("#more .close").click()
    reader.gone("#reader .article-tags li", "long walks")
    reader.see("#reader .article-tags a", "Risotto").click()
    reader.card("Along the river")
    assert reader.script("return document.title") == 'Search: tag:"Risotto (rice)"'


def test_a_tag_that_is_typed_while_another_one_is_being_added_stays(reader):
    field = reader.see("#reader .article-tags input")
    type_while_sending(reader, field, "one", "two")
    reader.see("#reader .article-tags li", "one")
    assert field.get_attribute("value") == "two"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_note_and_tags_fit_every_screen(reader, alice, link, scheme):
    reader.colours(scheme)
    reader.see("#reader .article-tags input").send_keys("a, " + "long" * 20 + ", river walks", Keys.ENTER)
    reader.see("#reader .article-tags li", "river walks")
    reader.open_panel()
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
        assert reader.script(CONTRAST) == []
        assert reader.script(LOW, "#highlights button, .article-tags button, .article-tags input") == []
