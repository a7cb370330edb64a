"""Searching from the page at /, and from the search bar of a browser."""

import xml.etree.ElementTree as ET
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import IS_HELD, hold_first, release


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def signed_in(browser, alice):
    for title, columns in [("Green tea", {}), ("Black tea", {"list": "archive"}), ("Coffee & cake / 100%", {})]:
        alice.save(f"http://127.0.0.2/{quote(title)}", title=title, **columns)
    yield from watched(browser, lambda: browser.to_list(alice))


def search(page, query):
    box = page.see("#search input")
    box.clear()
    box.send_keys(query, Keys.ENTER)


def shows(page, *titles):
    wait_until(lambda: sorted(page.titles()) == sorted(titles), every=0.03)


@pytest.mark.parametrize("page", ["/", "/account/", "/queue/"])
def test_browsers_find_the_description_of_the_search(lectern, page):
    link = '<link rel="search" type="application/opensearchdescription+xml" title="Lectern" href="/opensearch.xml">'
    assert link in lectern.send("GET", page).body.decode()


def test_the_description_leads_to_the_list_page(lectern):
    answer = lectern.send("GET", "/opensearch.xml")
    assert (answer.status, answer["content-type"]) == (200, "application/opensearchdescription+xml")
    space = "{http://a9.com/-/spec/opensearch/1.1/}"
    root = ET.fromstring(answer.body)
    assert root.tag == f"{space}OpenSearchDescription"
    assert root.findtext(f"{space}ShortName") == "Lectern" and root.findtext(f"{space}Description")
    assert root.findtext(f"{space}InputEncoding") == "UTF-8"
    [template] = [url.get("template") for url in root.iter(f"{space}Url") if url.get("type") == "text/html"]
    assert template == lectern.url + "/?q={searchTerms}"
    head = lectern.send("HEAD", "/opensearch.xml")
    assert (head.status, head.body) == (200, b"")
    assert lectern.send("POST", "/opensearch.xml").status == 405


def test_the_search_bar_of_a_browser_opens_what_the_query_finds(signed_in):
    signed_in.only_on_the_server("the search bar opens the page of the server")
    signed_in.open("?q=" + quote("tea is:unread"))
    shows(signed_in, "Green tea", "Black tea")
    assert signed_in.see("#search input").get_attribute("value") == "tea is:unread"
    assert signed_in.script("return document.title") == "Search: tea is:unread"
    signed_in.driver.refresh()
    shows(signed_in, "Green tea", "Black tea")


def test_someone_who_is_signed_out_signs_in_first_and_then_sees_the_result(signed_in, alice):
    signed_in.only_on_the_server("the extension signs in in its options")
    signed_in.see("#logout").click()
    signed_in.see("#login")
    signed_in.open("?q=black")
    signed_in.enter(alice.email, alice.password)
    shows(signed_in, "Black tea")


def test_the_box_in_the_header_searches_in_both_lists(signed_in, alice):
    box = signed_in.see("#search input")
    assert (box.aria_role, box.accessible_name) == ("searchbox", "Search")
    search(signed_in, "tea")
    shows(signed_in, "Green tea", "Black tea")
    assert signed_in.all("#bar [aria-current=page]") == []
    # A link stays when it moves to the other list.
    signed_in.press_on_card("Green tea", "archive")
    wait_until(lambda: len(alice.links("select=id&list=eq.archive")) == 2)
    shows(signed_in, "Green tea", "Black tea")
    signed_in.open_card("Black tea")
    signed_in.see("#reader h1", "Black tea")
    signed_in.see("#back").click()
    shows(signed_in, "Green tea", "Black tea")
    search(signed_in, "coffee & cake / 100%")
    shows(signed_in, "Coffee & cake / 100%")
    signed_in.driver.back()
    shows(signed_in, "Green tea", "Black tea")
    search(signed_in, "  ")
    shows(signed_in, "Coffee & cake / 100%")
    assert signed_in.see("#bar [aria-current=page]").text == "To Read"
    assert signed_in.see("#search input").get_attribute("value") == ""


def test_a_list_that_is_opened_before_the_search_has_run_stays_open(signed_in):
    signed_in.card("Green tea")
    # The search runs 250 ms after the last letter.
    signed_in.driver.execute_async_script("""
        const [done] = arguments, box = document.querySelector('#search input');
        box.value = 'tea';
        box.dispatchEvent(new Event('input'));
        document.querySelector('#bar a[href="#/archive"]').click();
        setTimeout(done, 300);
    """)
    assert signed_in.driver.current_url.endswith("#/archive")
    shows(signed_in, "Black tea")


def test_a_search_without_a_result_and_one_that_is_wrong_say_so(signed_in):
    search(signed_in, "nothingofthekind")
    signed_in.see("#note", "No link was found")
    search(signed_in, "is:nothing")
    signed_in.see("#note", "cannot have the value nothing")
    assert signed_in.see("#retry", "Try again")
    search(signed_in, "cake")
    shows(signed_in, "Coffee & cake / 100%")
    signed_in.gone("#retry")
    assert all("400" in trouble for trouble in signed_in.console_errors())


def test_rows_that_the_next_search_finds_again_are_not_taken_out_of_the_page(signed_in):
    search(signed_in, "cake")
    shows(signed_in, "Coffee & cake / 100%")
    # A press of the mouse that has begun on a row would otherwise be lost.
    signed_in.script("window.group = document.querySelector('#links li').parentElement")
    signed_in.script(hold_first("search_links"))
    signed_in.script("location.hash = '#/search/coffee%20cake'")
    wait_until(lambda: signed_in.script(IS_HELD), every=0.05)
    release(signed_in)
    wait_until(lambda: signed_in.script("return document.getElementById('links').ariaBusy") == "false")
    assert signed_in.script("return group.isConnected")
    shows(signed_in, "Coffee & cake / 100%")


def test_more_links_are_loaded_while_the_result_is_scrolled(signed_in, alice):
    rows = [{"raw_url": f"http://127.0.0.2/{n}", "title": f"Number {n}"} for n in range(60)]
    assert alice.rest("POST", "links", rows).status == 201
    search(signed_in, "number")
    # The cards of a page are added one after the other.
    wait_until(lambda: len(signed_in.titles()) == 50, every=0.03)

    def scrolled():
        signed_in.script("scrollTo(0, document.body.scrollHeight)")
        return len(signed_in.titles()) == 60

    wait_until(scrolled)
    assert len(set(signed_in.titles())) == 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_box_fits_every_screen(signed_in, scheme):
    signed_in.colours(scheme)
    search(signed_in, "tea")
    shows(signed_in, "Green tea", "Black tea")
    for size in [(320, 640), PHONE, (600, 800), (800, 600), DESK]:
        signed_in.size(*size)
        assert signed_in.script("return document.documentElement.scrollWidth") <= size[0]
        box = signed_in.see("#search input").rect
        assert box["width"] >= 90 and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert signed_in.script(LOW, "#bar a, #bar button, #bar input") == []
        assert signed_in.script(CONTRAST) == []
