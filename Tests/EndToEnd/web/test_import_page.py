"""The page of imports in a browser."""

import pytest

from support.browser import DESK, ListPage, watched
from support.client import wait_until
from support.exports_of_services import FILES, SITE

# Puts a file into the page as a user who drops it.
DROP = """
    const transfer = new DataTransfer();
    transfer.items.add(new File([arguments[1]], arguments[0]));
    document.querySelector('main').dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    def open_page():
        browser.sign_in(alice, "import/")
        browser.see("#choose")

    yield from watched(browser, open_page)


def drop(page, name, content):
    page.script(DROP, name, content.decode())


def facts(page):
    names, values = page.all("#found dt"), page.all("#found dd")
    return {name.text: value.text for name, value in zip(names, values, strict=True)}


def button(page, part, name):
    return next(one for one in page.all(f"{part} button") if one.accessible_name == name)


def test_a_dropped_file_is_described_and_imported_once_the_user_agrees(page, alice):
    drop(page, *FILES["karakeep"][:2])
    page.see("#found h2", "karakeep.json")
    found = facts(page)
    assert (found["Format"], found["Entries"], found["Tags"], found["Folders"]) == ("karakeep", "3", "2", "1")
    assert "2024" in found["Saved"] and found["Entries that cannot be saved"] == "1"
    assert alice.links() == []
    button(page, "#found", "Import").click()
    page.see("#result h2", "karakeep.json is imported")
    page.see("#result .counts", "2 imported")
    page.see("#result .counts", "1 not imported")
    assert {link["raw_url"] for link in alice.links()} == {f"{SITE}/one", f"{SITE}/two"}
    page.open("queue/")
    wait_until(lambda: "2 imported" in (row := page.see("#files .rows li").text) and "karakeep" in row)


def test_what_a_file_holds_can_be_read_on_a_phone(page):
    page.size(360, 740)
    try:
        drop(page, *FILES["karakeep"][:2])
        page.see("#found h2", "karakeep.json")
        assert "Entries that cannot be saved" in facts(page)
        assert page.script("return document.documentElement.scrollWidth - innerWidth") <= 0
        assert all(value.size["width"] > 100 and value.size["height"] < 60 for value in page.all("#found dd"))
    finally:
        page.size(*DESK)


def test_a_file_is_left_alone_where_the_user_cancels(page, alice):
    drop(page, *FILES["urls"][:2])
    page.see("#found h2", "list.txt")
    button(page, "#found", "Cancel").click()
    page.see("#choose")
    wait_until(lambda: [row["state"] for row in alice.rest("GET", "imports").json()] == ["cancelled"])
    assert alice.links() == []


def test_a_file_that_cannot_be_read_is_refused_with_the_reason(page):
    drop(page, "words.csv", b"name,phone\nAda,1\n")
    page.see("#problem", "Lectern does not recognise the format of this file")
    page.see("#choose")


def test_a_file_with_feeds_is_subscribed_to_or_saved_as_links(page, alice, bob):
    outlines = "".join(f'<outline text="{n}" xmlUrl="http://10.0.0.1/{n}" htmlUrl="{SITE}/{n}"/>' for n in ("a", "b"))
    opml = f'<opml version="2.0"><body>{outlines}<outline text="Site" htmlUrl="{SITE}/c"/></body></opml>'.encode()
    drop(page, "feeds.opml", opml)
    page.see("#found .subscriptions", "This file has feeds.")
    button(page, "#found", "Subscribe").click()
    page.see("#result .counts", "2 feeds added.")
    page.see("#result", "The feeds are in the queue.")
    assert {feed["url"] for feed in alice.rest("GET", "feeds").json()} == {f"http://10.0.0.1/{n}" for n in ("a", "b")}
    assert alice.links() == [] and bob.rest("GET", "feeds").json() == []
    assert [row["state"] for row in alice.rest("GET", "imports").json()] == ["cancelled"]
    button(page, "#result", "Import another file").click()
    drop(page, "feeds.opml", opml)
    page.see("#found .subscriptions")
    button(page, "#found", "Save as links").click()
    page.see("#result .counts", "3 imported")
    assert {link["raw_url"] for link in alice.links()} == {f"{SITE}/{n}" for n in ("a", "b", "c")}
    assert not page.script("return document.querySelector('#result .feeds').checkVisibility()")
