"""Fetching the page of an article again, choosing between the two texts, and reporting a text that looks wrong."""

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import IS_HELD, hold_first, release
from support.loopback_site import article
from support.whole_pages import UNCONVINCING

OLD = article("A report", marker="The first version.", paragraphs=4)
NEW = article("A report", marker="The second version, with more.", paragraphs=6)


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def url(newspaper):
    return newspaper.page(OLD)


@pytest.fixture
def link(alice, url):
    return alice.settled(alice.save(url)["id"])["id"]


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: to_article(browser, alice, link))


def to_article(browser, user, link):
    browser.sign_in(user, f"#/link/{link}")
    browser.see("#reader .body", "The first version")


def more(reader, button):
    """Presses a button of "More actions"."""
    reader.click_when_steady(lambda: reader.see("#reader .tools [data-do=more]"))
    reader.see("#more button", button).click()


def test_a_text_that_was_fetched_again_can_be_exchanged_with_the_old_one(reader, alice, newspaper, link, url):
    newspaper.change(url, NEW)
    more(reader, "Fetch again")
    reader.see("#reader .body", "The second version")
    bar = reader.see(".versions", "words now")
    assert bar.text.startswith("This page was fetched again. Its text has ") and "had 444." in bar.text
    for size in (PHONE, DESK):
        reader.size(*size)
        assert reader.script("return document.documentElement.scrollWidth <= innerWidth")
        assert reader.script(LOW, ".versions button") == [] and reader.script(CONTRAST) == []

    reader.see(".versions button", "Restore the previous version").click()
    reader.see("#reader .body", "The first version")
    reader.gone(".versions")
    reader.see("#toast button", "Undo").click()
    reader.see("#reader .body", "The second version")


def test_the_new_text_is_kept_at_a_press_and_the_choice_survives_a_reload_until_then(
    reader, alice, newspaper, url, link
):
    newspaper.change(url, NEW)
    more(reader, "Fetch again")
    reader.see(".versions button", "Keep the new version")
    reader.driver.refresh()
    reader.see(".versions button", "Keep the new version").click()
    reader.gone(".versions")
    assert alice.rest("POST", "rpc/former_article", {"link": link}).json() is None


def test_a_page_that_has_not_changed_asks_nothing(reader, alice, link):
    more(reader, "Fetch again")
    reader.see("#toast", "The text has not changed.")
    wait_until(lambda: alice.rest("POST", "rpc/former_article", {"link": link}).json() is None)
    reader.gone(".versions")


def test_an_article_that_may_be_a_part_of_its_page_says_so_and_shows_the_whole_page(browser, alice, newspaper):
    guess = alice.settled(alice.save(newspaper.page(UNCONVINCING))["id"])["id"]
    browser.sign_in(alice, f"#/link/{guess}")
    line = browser.see(".may-be-part", "This may not be the whole article.")
    [button] = browser.all(".may-be-part button")
    assert (button.aria_role, button.accessible_name) == ("button", "Show the whole page")
    assert line.text == "This may not be the whole article. Show the whole page"
    for scheme, size in [("light", DESK), ("dark", PHONE), ("light", PHONE), ("dark", DESK)]:
        browser.colours(scheme)
        browser.size(*size)
        assert browser.script("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.script(LOW, ".may-be-part button") == [] and browser.script(CONTRAST) == []
    browser.colours("light")

    browser.click_when_steady(lambda: browser.see(".may-be-part button"))
    browser.see("#reader .body", "Bring your card.")
    browser.gone(".may-be-part")
    bar = browser.see(".versions", "This is the whole page. It has ")
    assert "and the previous text had " in bar.text
    browser.click_when_steady(lambda: browser.see(".versions button", "Restore the previous version"))
    browser.see(".may-be-part", "This may not be the whole article.")
    assert "Bring your card." not in browser.see("#reader .body").text
    assert browser.console_errors() == []


def test_a_link_and_its_text_are_of_one_moment_and_an_older_answer_does_not_replace_a_newer_text(
    browser, alice, newspaper
):
    guess = alice.settled(alice.save(newspaper.page(UNCONVINCING))["id"])["id"]
    browser.sign_in(alice, f"#/link/{guess}")
    browser.see(".may-be-part", "This may not be the whole article.")
    # From now on, the page is told of what becomes of the link.
    alice.rest("PATCH", f"links?id=eq.{guess}", {"is_starred": True})
    browser.see("#reader [data-do=star][data-on=true]")

    browser.script(hold_first(r"articles[(?]"))
    browser.click_when_steady(lambda: browser.see(".may-be-part button"))
    # The response that is held has the text as it was when the page was about to be read again.
    wait_until(lambda: browser.script(IS_HELD), every=0.05)
    browser.see("#reader .body", "Bring your card.")
    asked = browser.script(
        "return performance.getEntriesByType('resource').map(({ name }) => name)"
        ".filter((name) => name.includes(`id=eq.${arguments[0]}`) && /articles|,state,/.test(name))",
        guess,
    )
    assert asked and all("state,reason" in name and "articles(*)" in name for name in asked), asked
    release(browser)
    assert "Bring your card." in browser.see("#reader .body").text


def test_an_article_that_was_found_says_nothing_of_the_whole_page(reader):
    reader.see("#reader .body", "The first version")
    reader.gone(".may-be-part")


def test_a_text_that_looks_wrong_is_reported_with_a_note_and_the_report_can_be_undone(reader, alice, admin, link):
    notes = lambda: admin.execute("select note from private.article_reports where link_id = %s", (link,)).fetchall()
    more(reader, "This looks wrong")
    reader.see("[aria-labelledby=report-name] textarea").send_keys("The last paragraph is missing.")
    reader.see("[aria-labelledby=report-name] button", "Report").click()
    reader.see("#toast", "Reported.")
    assert notes() == [("The last paragraph is missing.",)]
    reader.see("#toast button", "Undo").click()
    wait_until(lambda: notes() == [])


def test_an_admin_sees_reports_saves_the_page_and_closes_them(browser, instance, alice, bob, admin, link, url):
    browser.only_on_the_server("the queue is a page of the server")
    assert bob.rest("POST", "rpc/report_article", {"link": link}).status == 400
    alice.rest("POST", "rpc/report_article", {"link": link, "note": "<b>Half</b> of it."})
    admin.execute("""update auth.users set app_metadata = '{"admin": true}' where id = %s""", (bob.id,))
    browser.to_list(bob)
    browser.driver.get(f"{instance.url}/queue/#reports")
    # Other tests report articles, too.
    row = browser.see("#reports li", url)
    assert "<b>Half</b> of it." in row.text and alice.email in row.text
    press = "[...arguments[0].querySelectorAll('button')].find((one) => one.textContent === arguments[1]).click();"
    keep = "const done = arguments[2]; URL.createObjectURL = (blob) => { blob.text().then(done); return '#saved'; };"
    assert browser.driver.execute_async_script(keep + press, row, "Save the page") == OLD
    browser.script(press, row, "Close the report")
    browser.gone("#reports li", url)
    assert admin.execute("select 1 from private.article_reports where link_id = %s", (link,)).fetchall() == []
