"""What the reading view offers for an open article beside its text: passing it on."""

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.reader import Reader, send_page

# Stands for what the browser has for other apps; headless Chromium has no clipboard of its own and no share sheet.
OUTSIDE = """
    window.copied = [];
    window.shared = [];
    navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
"""
SHARE = """
    Navigator.prototype.share = async (data) => {
        window.shared.push(data);
        if (window.refusal) throw new DOMException('', window.refusal);
    };
"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    script = chromium.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHARE})
    yield Reader(lectern.url, chromium)
    chromium.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.fixture
def link(alice):
    return send_page(alice)


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: browser.to_article(alice, link))


def more(reader, button):
    """Presses a button of "More actions"."""
    reader.see("#reader .tools [data-do=more]").click()
    reader.see("#more button", button).click()


def test_a_passage_is_copied_as_a_quotation_of_its_article(reader, alice, link):
    reader.script(OUTSIDE)
    url = alice.link(link)["raw_url"]
    reader.select("Nobody remembers", "four arches").find_element("xpath", ".//button[.='Copy quote']").click()
    reader.see("#toast", "Quote copied.")
    reader.gone("#selection-toolbar")
    reader.select("first snow", "October")
    reader.press("q")
    reader.gone("#selection-toolbar")
    quote = "> Nobody remembers who built the first bridge. The oldest drawing shows four arches"
    assert reader.script("return copied") == [
        f"{quote}\n\n[Along the river]({url})\n",
        f"> first snow of the year falls in October\n\n[Along the river]({url})\n",
    ]


def test_an_article_is_shared_and_its_link_copied(reader, alice, link):
    reader.script(OUTSIDE)
    url = alice.link(link)["raw_url"]
    more(reader, "Copy link")
    reader.see("#toast", "Link copied.")
    more(reader, "Share")
    assert reader.script("return [copied, shared]") == [[url], [{"title": "Along the river", "url": url}]]
    # A sheet that the user has closed is no failure.
    reader.script("window.refusal = 'AbortError'")
    more(reader, "Share")
    assert reader.see("#toast").text.startswith("Link copied.")
    reader.script("window.refusal = 'DataError'")
    more(reader, "Share")
    reader.see("#toast", "could not share the link")
    # In the list, the dialog is about a link.
    reader.press("\ue00c")
    reader.press_on_card("Along the river", "more")
    reader.see("#more button", "Copy link")
    assert reader.all("#more .in-reader") and not any(one.is_displayed() for one in reader.all("#more .in-reader"))


def test_the_tools_fit_every_screen(reader):
    for size in [(320, 640), PHONE, DESK]:
        reader.size(*size)
        reader.select("first snow", "October")
        assert reader.script(LOW, "#selection-toolbar button") == [] and reader.script(CONTRAST) == []
        bar = reader.see("#selection-toolbar").rect
        assert bar["x"] >= 0 and bar["x"] + bar["width"] <= size[0]
        assert reader.script("return document.documentElement.scrollWidth") <= size[0]
