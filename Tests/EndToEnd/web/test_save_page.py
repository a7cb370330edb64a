"""The page at /save, which apps, bookmarklets and phones open to save a link."""

from urllib.parse import urlencode

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    yield from watched(browser, lambda: browser.sign_in(alice, "icon.svg"))


def open_save(page, **values):
    page.open(f"save?{urlencode(values)}")
    page.see("#save-page")


def press_save(page):
    page.see("#save-page .strong").click()


def test_opening_the_page_saves_nothing_and_one_button_saves_everything(page, alice):
    open_save(page, url="http://127.0.0.2/shared?utm_source=x", title="A shared page", tags="one, two", list="archive")
    assert page.see("#title").text == "A shared page"
    assert alice.links() == []
    press_save(page)
    page.see("#result [role=status]", "Saved.")
    [link] = alice.links("select=list,title,dedupe_key,tags(name)")
    assert (link["list"], link["dedupe_key"]) == ("archive", "https://127.0.0.2/shared")
    assert sorted(tag["name"] for tag in link["tags"]) == ["one", "two"]
    page.see("#result a", "Open").click()
    page.see("#reader h1")


def test_a_shared_text_without_a_link_is_told(page, alice):
    open_save(page, text="A sentence that somebody has shared.")
    page.see("[role=status]", "There is no link in what was shared.")
    assert page.focused().get_attribute("name") == "url" and alice.links() == []


def test_what_was_saved_can_be_undone(page, alice):
    open_save(page, url="http://127.0.0.2/mistake")
    press_save(page)
    page.see("#result button", "Undo").click()
    page.see("#save-page")
    wait_until(lambda: alice.links() == [])


def test_a_page_that_is_saved_already_is_told_and_moved(page, alice):
    alice.save("http://127.0.0.2/known", title="Known", list="archive")
    open_save(page, text="See http://127.0.0.2/known, it is good")
    press_save(page)
    page.see("#result [role=status]", "Already saved just now. Moved to the top of the list.")
    assert [link["list"] for link in alice.links()] == ["read"]
    assert page.script("return document.querySelector('#result .undo').hidden")


def test_signing_in_comes_back_to_what_was_to_be_saved(page, browser, alice):
    browser.start()
    browser.open("save?" + urlencode({"url": "http://127.0.0.2/later?a=1&b=2", "title": "Later & <b>more</b>"}))
    browser.enter(alice.email, alice.password)
    browser.see("#save-page")
    assert browser.see("[name=url]").get_attribute("value") == "http://127.0.0.2/later?a=1&b=2"
    assert browser.see("#title").text == "Later & <b>more</b>"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "not an address", "ftp://127.0.0.2/"])
def test_what_is_no_web_address_is_refused_and_stays_in_the_field(page, alice, url):
    open_save(page, url=url)
    press_save(page)
    page.see("#save-page [role=alert]", "This is not a web address.")
    assert page.see("[name=url]").get_attribute("value") == url and alice.links() == []


def test_the_page_fits_the_phone_and_has_enough_contrast(page):
    for size in [PHONE, DESK]:
        page.size(*size)
        for scheme in ["light", "dark"]:
            page.colours(scheme)
            open_save(page, url="http://127.0.0.2/fits", title="A long title " * 8)
            assert page.script("return document.documentElement.scrollWidth <= innerWidth")
            assert page.script(CONTRAST) == [] and page.script(LOW) == []
