"""Making books of several articles in a browser, and the list of them on the settings page."""

import zipfile

import pytest

from support.books import entries, write_article
from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import held_on_load


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice, admin):
    for title in ["One", "Two", "Three"]:
        write_article(admin, alice, f"<p>{title}</p>", title=title)
    yield from watched(browser, lambda: browser.to_list(alice))


@pytest.fixture
def downloads(chromium, tmp_path):
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    yield tmp_path
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})


def button(page, scope, name):
    return wait_until(
        lambda: next(
            (one for one in page.all(f"{scope} button") if one.accessible_name == name and one.is_displayed()), None
        )
    )


def select(page, title):
    """Presses the box of a card; returns whether the card was there."""
    return page.script(
        """const row = [...document.querySelectorAll('#links li:has([data-do=star][aria-label])')]
            .find((one) => one.textContent.includes(arguments[0]));
        row?.querySelector('[data-select]').click();
        return Boolean(row);""",
        title,
    )


def books(user):
    return user.rest("GET", "books?order=title").json()


def test_a_book_is_made_of_a_list_or_of_the_selected_links_and_downloaded(page, alice, downloads):
    page.see("#links", "Three")
    button(page, "#list-tools", "Make a book").click()
    title = page.see("#new-book [name=title]")
    assert title.get_attribute("value") == "To Read" and page.driver.switch_to.active_element == title
    title.clear()
    button(page, "#new-book", "Make the book").click()
    assert "Give the book a title." in page.see("#new-book .field-error").text
    title.send_keys("All of them")
    button(page, "#new-book", "Make the book").click()
    page.see("#toast.shown", "The book is being made.")
    for name in ["One", "Two"]:
        wait_until(lambda name=name: select(page, name))
    button(page, "#selection", "Make a book").click()
    page.see("#new-book [name=title]").send_keys("Some of them")
    button(page, "#new-book", "Make the book").click()
    wait_until(lambda: not page.script("return document.querySelector('#selection:not([hidden])')"))
    assert [(book["title"], book["links"]) for book in books(alice)] == [("All of them", 3), ("Some of them", 2)]

    page.open("settings/")
    wait_until(lambda: "being made" not in page.see("#books", "All of them").text)
    page.settled()
    assert "3 articles" in page.see("#books .rows").text and "kB" in page.see("#books .rows").text
    button(page, "#books", "Download Some of them").click()
    # The browser makes an empty file first.
    file = wait_until(lambda: next(filter(zipfile.is_zipfile, downloads.glob("*.epub")), None))
    assert file.name == "Some of them.epub" and "OEBPS/article2.xhtml" in entries(file.read_bytes())
    button(page, "#books", "Delete All of them").click()
    button(page, "#confirm", "Delete").click()
    page.see("#toast.shown", "The book is deleted.")
    assert [book["title"] for book in books(alice)] == ["Some of them"]


def test_a_failed_book_says_why_and_everything_is_legible_and_large_enough(page, alice, admin):
    admin.execute(
        "insert into private.made_books (user_id, title, query, link_ids, state, reason) "
        "select user_id, 'Failed', '', array[id], 'failed', 'The server failed to make the book.' "
        "from public.links where user_id = %s limit 1",
        [alice.id],
    )
    page.open("settings/")
    page.see("#books .error", "The server failed to make the book.")
    for scheme, size in [("light", DESK), ("dark", PHONE)]:
        page.colours(scheme)
        page.size(*size)
        assert page.script(CONTRAST) == []
        assert page.script(LOW, "#books button") == []
        assert page.script("return document.documentElement.scrollWidth <= innerWidth")


def test_a_book_is_sent_to_the_e_reader_whose_address_is_on_the_settings_page(page, alice, admin):
    page.press_on_card("One", "more")
    button(page, "#more", "Send to e-reader").click()
    assert "address of your e-reader is not known" in page.see("#more [role=alert]", "not known").text
    assert len(wait_until(page.console_errors)) == 1
    page.open("settings/")
    page.settled()
    field = page.see("#books [name=address]")
    field.send_keys("ann@kindle")
    button(page, "#books form", "Save").click()
    page.see("#toast.shown", "Saved.")
    page.driver.refresh()
    wait_until(lambda: page.see("#books [name=address]").get_attribute("value") == "ann@kindle")
    page.open("")
    page.press_on_card("One", "more")
    button(page, "#more", "Send to e-reader").click()
    page.see("#toast.shown", "On its way to ann@kindle.")
    admin.execute(
        "update private.ereader_mails set reason = 'It was refused.', state = 'failed' where user_id = %s", [alice.id]
    )
    page.open("settings/")
    mail = page.see("#books .mails li", "It was refused.")
    assert "One" in mail.text and "not sent · ann@kindle" in mail.text
    assert not page.all("#books .unconfirmed")[0].is_displayed()


def test_a_late_answer_does_not_take_the_saved_address_away(page):
    page.open("settings/")
    page.settled()
    with held_on_load(page, "select=ereader_email"):
        page.see("#books [name=address]").send_keys("ann@kindle")
        page.click_when_steady(lambda: button(page, "#books form", "Save"))
        page.see("#toast.shown", "Saved.")
        wait_until(lambda: page.see("#books [name=address]").get_property("defaultValue") == "ann@kindle")
    assert page.see("#books [name=address]").get_attribute("value") == "ann@kindle"


def test_an_account_that_signed_up_by_itself_confirms_its_address_on_the_settings_page(page, alice, admin):
    admin.execute("update private.mail_sender set address = 'post@read.example'")
    try:
        page.open("settings/")
        page.see("#digests .unconfirmed", alice.email)
        page.see("#books .unconfirmed", alice.email)
        page.settled()
        button(page, "#books .unconfirmed", "Email me a link").click()
        page.see("#toast.shown", f"A link was mailed to {alice.email}.")
    finally:
        admin.execute("update private.mail_sender set address = null")
    kinds = admin.execute("select kind from private.mails where user_id = %s", [alice.id]).fetchall()
    assert kinds == [("signup",)]


def test_highlights_of_an_e_reader_are_added_to_their_articles_once(page, alice, admin, tmp_path):
    link = write_article(
        admin, alice, "<p>The river begins</p>", title="Rivers", text_content="The river begins\n\nin the hills."
    )
    clippings = tmp_path / "My Clippings.txt"
    kind = "- Your {} on page 1 | Location {} | Added on Monday, 1 January 2024 10:00:00"
    entries = [
        ("Rivers (Ann)", kind.format("Highlight", "5-7"), "river begins in the"),
        ("Rivers (Ann)", kind.format("Note", "7"), "My <b>note</b>"),
        ("Rivers (Ann)", kind.format("Highlight", "9-9"), "not in it"),
        ("Elsewhere", kind.format("Highlight", "1-2"), "anything"),
    ]
    clippings.write_text("".join(f"{title}\r\n{kind}\r\n\r\n{text}\r\n==========\r\n" for title, kind, text in entries))
    page.open("settings/")
    field = page.see("#books [type=file]")
    assert field.accessible_name == "File with highlights"
    field.send_keys(str(clippings))
    told = page.see("#books .clippings [role=status]", "1 highlight added · 1 article").text
    assert "Rivers: 1 highlight, not in the text of the article" in told
    assert "Elsewhere: 1 highlight, no article of this title" in told
    page.see("#books [type=file]").send_keys(str(clippings))
    page.see("#books .clippings [role=status]", "0 highlights added · 0 articles · 1 was already there")
    (row,) = alice.rest("GET", f"highlights?link_id=eq.{link}").json()
    assert (row["quote"], row["note"]) == ("river begins\n\nin the", "My <b>note</b>")
    assert (row["start_offset"], row["end_offset"]) == (4, 24)
    sidecar = tmp_path / "metadata.epub.lua"
    sidecar.write_text(
        'return {["annotations"] = {[1] = {["drawer"] = "lighten", ["text"] = "the hills"}}, '
        f'["doc_props"] = {{["identifiers"] = "urn:uuid:{link}", ["title"] = "Another title"}}}}'
    )
    page.see("#books [type=file]").send_keys(str(sidecar))
    page.see("#books .clippings [role=status]", "1 highlight added · 1 article")
    exported = tmp_path / "notes.html"
    passages = "".join(f"<div><div>1</div><div><span>{text}</span></div></div>" for text in ["The<br/>river", "hills."])
    exported.write_text(f"<!DOCTYPE html><html><body><div><h2>Rivers</h2><h5>Ann</h5>{passages}</div></body></html>")
    page.see("#books [type=file]").send_keys(str(exported))
    page.see("#books .clippings [role=status]", "2 highlights added · 1 article")
    sidecar.write_text("print(1)")
    page.see("#books [type=file]").send_keys(str(sidecar))
    page.see("#books .clippings .error", "Lectern does not recognise this as a file with highlights")


def test_the_address_of_a_page_is_shown_as_a_qr_code(page, alice):
    page.press_on_card("One", "more")
    button(page, "#more", "QR code").click()
    image = page.see(".qr-code img")
    wait_until(lambda: page.script("return arguments[0].complete && arguments[0].naturalWidth > 0", image))
    address = alice.links("title=eq.One")[0]["raw_url"]
    assert image.accessible_name == f"QR code: {address}" and address in page.see(".qr-code").text
    assert page.driver.switch_to.active_element.text == "Close"
    button(page, ".qr-code", "Close").click()
    page.gone(".qr-code")
    assert page.driver.switch_to.active_element.accessible_name == "QR code"
