"""Files that are saved on the page of the list: dropped or chosen, read, opened, and refused."""

import base64

import pytest
from selenium.webdriver.common.by import By

from support.browser import ListPage, watched
from support.chromium import speak
from support.client import wait_until
from support.documents import pdf

LINES = ["A report about kettles and cups, and about the water", "that is boiled in them on every morning of the week."]

# Drops files, given as pairs of name and content in base 64, as a browser does.
DROP = """
    const files = new DataTransfer();
    for (const [name, content] of arguments[0]) {
      files.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt())], name));
    }
    const drag = (type) => document.getElementById('links').dispatchEvent(
      new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    drag('dragover');
    // What answers drops is loaded after the first cards.
    return document.querySelector('#save.dropping') && !drag('drop');"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def signed_in(browser, alice):
    yield from watched(browser, lambda: browser.to_list(alice))


def drop(page, *files):
    sent = [[name, base64.b64encode(content).decode()] for name, content in files]
    wait_until(lambda: page.script(DROP, sent), every=0.03)


# Drops a file as soon as the first cards are there, which is before the modules of the page are.
DROP_FIRST = r"""
    new MutationObserver((_, observer) => {
      if (!document.querySelector('#list:not([hidden]) h2')) return;
      observer.disconnect();
      const files = new DataTransfer();
      files.items.add(new File(['# Notes of the day\n\nTea at five.\n'], 'notes.md'));
      window.wasEarly = !document.querySelector('#links [data-do=star][aria-label]');
      window.isTaken = ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true })));
    }).observe(document, { childList: true, subtree: true, attributes: true });"""


def test_a_file_that_is_dropped_while_the_page_starts_is_saved(signed_in, alice):
    page = signed_in
    alice.save("no address", title="The one")
    page.card("The one")
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": DROP_FIRST})
    page.driver.refresh()
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    assert "notes.md" in page.card("Notes of the day").text
    assert page.script("return [wasEarly, isTaken]") == [True, [True, True]]
    assert len(page.titles()) == 2


def test_a_file_is_refused_in_the_language_of_the_page(signed_in):
    page = signed_in
    speak(page.driver, "de")
    page.driver.refresh()
    page.see("#save button", "Speichern")
    drop(page, ("photo.png", b"\x89PNG\r\n\x1a\n\0\0"))
    said = page.see("#files [role=alert]", "Dies ist").text
    assert said == "Dies ist keine PDF-, EPUB-, HTML-, Markdown- oder Textdatei."
    speak(page.driver, "")


def test_a_dropped_file_is_read_like_an_article_and_downloaded_again(signed_in, alice):
    page = signed_in
    drop(page, ("kettles.pdf", pdf(LINES)), ("photo.png", b"\x89PNG\r\n\x1a\n\0\0"))
    card = page.card("kettles").text
    assert "kettles.pdf" in card and "urn:" not in card
    # The other file is refused in words, and the message can be dismissed.
    assert "not a PDF" in page.see("#files [role=alert]", "not a PDF").text
    # The other line leaves the list, and this one takes its place.
    wait_until(lambda: len(page.all("#files li")) == 1)
    page.driver.find_element(By.CSS_SELECTOR, "#files [aria-label='Dismiss photo.png']").click()
    page.gone("#files li")
    page.open_card("kettles")
    page.see("#reader .body", "boiled in them")
    assert page.see("#reader .site").text == "kettles.pdf"
    # An article is not the place for files, and the browser does not open them in its place.
    drags = "return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, {"
    drags += "dataTransfer: files, bubbles: true, cancelable: true })))"
    files = "const files = new DataTransfer(); files.items.add(new File(['Tea'], 'tea.txt'));"
    assert page.script(files + drags) == [True, True]
    original = page.see("#reader .source a", "Open original")
    [link] = alice.links()
    assert original.get_attribute("href").endswith(f"/documents/{link['id']}")
    # The browser gives the file its own name.
    page.script("""
        window.downloads = [];
        HTMLAnchorElement.prototype.click = function () { downloads.push([this.download, this.href.slice(0, 5)]); };""")
    original.click()
    wait_until(lambda: page.script("return downloads") == [["kettles.pdf", "blob:"]])


def test_a_file_is_chosen_with_the_button(signed_in, tmp_path):
    page = signed_in
    file = tmp_path / "notes.md"
    file.write_text("# Notes of the day\n\nTea at five.\n")
    button = page.see("#save .choose", "File")
    assert button.accessible_name == "Save a file"
    # The dialog of the system cannot be used; it would put the file into this field.
    page.script("HTMLInputElement.prototype.click = function () { window.chosen = this; };")
    button.click()
    wait_until(lambda: page.script("return window.chosen?.multiple"))
    page.driver.find_element(By.CSS_SELECTOR, "#files input").send_keys(str(file))
    assert "notes.md" in page.card("Notes of the day").text


def test_a_file_that_is_kept_without_being_read_says_so_in_the_list(signed_in):
    page = signed_in
    drop(page, ("scan.pdf", pdf([])), ("kettles.pdf", pdf(LINES)))
    said = "This file contains only images of pages and no text."
    assert page.card(said).find_element(By.TAG_NAME, "h2").text == "scan"
    assert "This file" not in page.card("kettles").text
    assert not page.all("#links [data-do=retry]:not([hidden])")
