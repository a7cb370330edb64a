"""The settings page in a browser."""

import contextlib
import json
import re

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, VISIBLE, ListPage, watched
from support.client import wait_until
from support.held_responses import held_on_load


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    def open_page():
        browser.sign_in(alice, "settings/")
        browser.see("#settings")
        browser.settled()

    yield from watched(browser, open_page)


def reload(page):
    page.driver.refresh()
    page.see("#settings")
    page.settled()


def field(page, name):
    fields = page.all("#settings :is(input, select)")
    return next(one for one in fields if one.accessible_name == name)


def test_every_page_leads_to_the_settings(page, alice):
    for path in ["", "queue/", "account/"]:
        page.open(path)
        link = page.see("#bar a", "Settings")
        assert (link.aria_role, link.accessible_name) == ("link", "Settings")
    link.click()
    assert page.see("#settings h1").text == "Settings"
    page.start()
    page.open("settings/")
    page.enter(alice.email, alice.password)
    page.see("#settings")


def test_reading_settings_apply_at_once_and_on_all_devices(page, alice):
    field(page, "Font size").send_keys(Keys.END)
    field(page, "Sepia").click()
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert page.script(style, ".example", "fontSize") == "32px"
    assert page.script(style, "body", "backgroundColor") == "rgb(245, 236, 217)"
    expected = [{"theme": "sepia", "font_size": 32}]
    wait_until(lambda: alice.rest("GET", "user_settings?select=theme,font_size").json() == expected, every=0.05)


@contextlib.contextmanager
def held(page, address):
    """Loads the page again, which gets one response only after the block."""
    with held_on_load(page, address):
        page.see("#settings")
        page.settled()
        yield


def test_a_setting_that_was_changed_before_those_of_the_server_arrive_stays(page, alice):
    # Another device has changed two of them.
    alice.rest("POST", "user_settings", {"user_id": alice.id, "font_size": 20, "line_spacing": 1.8})
    stored = lambda: alice.rest("GET", "user_settings?select=font_size,line_spacing").json()[0]
    with held(page, "user_settings$"):
        field(page, "Font size").send_keys(Keys.END)
        wait_until(lambda: stored()["font_size"] == 32, every=0.05)
        # The page knows by now that the change is saved.
        saved = "return JSON.parse(localStorage.getItem('reading-settings')).isSaved"
        wait_until(lambda: page.script(saved), every=0.05)
    assert field(page, "Font size").get_attribute("value") == "32"
    # Until the answer arrived, the page had saved the other one as it knew it.
    wait_until(lambda: stored() == {"font_size": 32, "line_spacing": 1.8}, every=0.05)


def test_a_choice_that_was_made_before_the_stored_one_arrives_stays(page):
    with held(page, "select=digest_schedule$"):
        page.choose(field(page, "Send me one by email"), "Every Monday")
        page.see("#toast", "Saved.")
    assert field(page, "Send me one by email").get_attribute("value") == "weekly"


def test_the_copies_of_this_browser_are_counted_and_removed(page, alice):
    body = {"url": "http://127.0.0.2/kept", "title": "Kept", "html": f"<h1>Kept</h1><p>{'It is kept. ' * 200}</p>"}
    alice.settled(alice.rest("POST", "rpc/save_page", body).json()[0]["id"])
    page.open("")
    page.open_card("Kept")
    page.see("#reader .body", "It is kept.")
    # The copy is written after the article is shown. Who leaves the page before leaves no copy.
    wait_until(lambda: page.stored("articles"))
    page.open("settings/")
    page.see(".kept-articles", "1")
    assert page.see(".used").text != "0 bytes" and page.see("#offline .waiting").text == "0"
    page.see("#offline .remove").click()
    page.see("#toast", "Removed the copies.")
    page.see(".kept-articles", "0")


def test_fewer_articles_are_kept_if_the_user_wants(page, alice):
    field(page, "Newest unread articles to keep").send_keys("None")
    page.see("#toast", "Saved.")
    reload(page)
    assert field(page, "Newest unread articles to keep").get_attribute("value") == "0"
    assert field(page, "With their pictures").is_selected()


def test_what_swipes_do_and_whether_there_is_a_shelf_is_chosen(page):
    page.choose(field(page, "Swipe to the right"), "Star")
    page.choose(field(page, "Swipe to the left"), "Nothing")
    field(page, "Show “Continue reading” above To Read").click()
    stored = page.script("return JSON.parse(localStorage.getItem('list-options'))")
    assert stored == {"shelf": False, "right": "star", "left": ""}
    reload(page)
    values = [field(page, f"Swipe to the {side}").get_attribute("value") for side in ("right", "left")]
    assert values == ["star", ""]
    assert not field(page, "Show “Continue reading” above To Read").is_selected()


def test_what_happens_at_the_end_of_listening_is_chosen(page):
    field(page, "Archive when finished").click()
    reload(page)
    assert field(page, "Archive when finished").is_selected()
    assert not field(page, "Go on with the next article").is_selected()
    stored = page.script("return JSON.parse(localStorage.getItem('listening-options'))")
    assert (stored["archive"], stored["next"]) == (True, False)


def test_the_use_of_the_server_is_shown(page, alice):
    page.see("#usage .links", "0 of 100,000")
    alice.save("no address, and counted", title="Counted")
    reload(page)
    assert page.see("#usage .links", " of ").text == "1 of 100,000"
    assert page.see("#usage .bytes").text.endswith(" of 21.5 GB")


def test_a_debug_log_is_off_until_wanted_and_has_no_secrets(page, alice):
    log = "#debug pre"
    assert page.script("return localStorage.getItem('debug-log')") is None and page.script(VISIBLE, log, None) is None
    field(page, "Keep a debug log").click()
    page.see(log, "page /settings/")
    page.open("#/search/unmentionable")
    page.see("#note", "No link was found.")
    # The browser tells of a request a little later.
    wait_until(lambda: "search_links" in page.script("return localStorage.getItem('debug-log')"), every=0.05)
    page.script("dispatchEvent(new ErrorEvent('error', { message: `no ${localStorage.getItem('session')}` }))")
    page.open("icon.svg")
    page.open("settings/")
    text = page.see(log, "/rest/v1/").text
    assert "page /#/search" in text and re.search(r"request /rest/v1/rpc/search_links 200 at \d+ ms", text)
    assert "error no" in text
    session = json.loads(page.script("return localStorage.getItem('session')"))
    for secret in [session["access"], session["refresh"], "unmentionable"]:
        assert secret not in text
    page.see("#debug .copy-log").click()
    page.see("#toast", "Copied.")
    field(page, "Keep a debug log").click()
    page.gone(log)
    assert page.script("return localStorage.getItem('debug-log')") is None


def test_signing_out_removes_the_debug_log(page):
    field(page, "Keep a debug log").click()
    page.see("#debug pre", "page /settings/")
    # By key, because the log above the button grows.
    page.see("#session button", "Sign out").send_keys(Keys.ENTER)
    page.see("#login")
    assert page.script("return localStorage.length") == 0


def test_apps_are_told_the_address_and_the_public_key(page, lectern):
    assert field(page, "Address of this server").get_attribute("value") == lectern.url
    wait_until(lambda: field(page, "Public API key").get_attribute("value") == lectern.anon_key, every=0.05)
    names = [button.accessible_name for button in page.all("#apps button")]
    assert names == ["Copy the address", "Copy the public API key"]


def test_a_phone_signs_out_here(page):
    page.size(*PHONE)
    page.see("#session button", "Sign out").click()
    page.see("#login")
    assert page.script("return localStorage.length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen_and_has_enough_contrast(page, scheme):
    page.colours(scheme)
    for size in [(320, 640), PHONE, DESK]:
        page.size(*size)
        assert page.script("return document.documentElement.scrollWidth") <= size[0]
        assert page.script(CONTRAST) == []
        assert page.script(LOW, "#settings :is(button, select, label:has(input)), #bar a") == []


def test_feed_links_are_made_used_and_revoked(page, alice, lectern):
    alice.rest("POST", "tags", {"name": "a/b"})
    page.see("#feeds .list-status", "No links yet.")
    page.see("#feeds summary").click()
    page.see("#make-feed [name=password]").send_keys(alice.password)
    page.see("#make-feed .strong").click()
    page.see("#feeds h3", "Your new addresses")
    atom = page.see("#atom-link").get_attribute("value")
    answer = lectern.send("GET", atom.removeprefix(lectern.url))
    assert answer.status == 200 and b"Lectern: Unread" in answer.body
    opds = page.see("#opds-link").get_attribute("value")
    assert b"Collections" in lectern.send("GET", opds.removeprefix(lectern.url)).body
    codes = [one for one in page.all("#feeds button") if one.accessible_name.startswith("QR code of")]
    codes[2].click()
    assert page.see(".qr-code img").accessible_name == f"QR code: {opds}"
    page.see(".qr-code button").click()
    page.gone(".qr-code")
    page.choose(page.see("#feed-list"), "Tag: a/b")
    tagged = page.see("#json-link").get_attribute("value")
    assert lectern.send("GET", tagged.removeprefix(lectern.url)).json()["title"] == "Lectern: a/b"
    page.see("#feeds .close").click()
    assert (
        page.script("return [...document.querySelectorAll('#feeds .copy input')].map((one) => one.value)") == [""] * 3
    )
    page.see("#feeds li", "Feed reader")
    page.see("#feeds li button").click()
    page.see("#confirm [value=yes]").click()
    page.see("#feeds .list-status", "No links yet.")
    assert lectern.send("GET", atom.removeprefix(lectern.url)).status == 401


def test_a_digest_by_mail_is_turned_on_and_off_and_changes_no_other_setting(page, alice):
    row = lambda: alice.rest("GET", "user_settings?select=theme,digest_schedule").json()
    page.choose(field(page, "Send me one by email"), "Every Monday")
    page.see("#toast", "Saved.")
    assert row() == [{"theme": "auto", "digest_schedule": "weekly"}]
    reload(page)
    wait_until(lambda: field(page, "Send me one by email").get_attribute("value") == "weekly", every=0.05)
    page.choose(field(page, "Send me one by email"), "Never")
    wait_until(lambda: row() == [{"theme": "auto", "digest_schedule": None}], every=0.05)
