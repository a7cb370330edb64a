"""The page of digests in a browser."""

import pytest

from support.browser import ListPage, watched
from support.client import wait_until
from support.searching import add_link


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, admin, alice):
    for title, day in [("<b>In January</b>", "2026-01-31T23:59:00Z"), ("In February", "2026-02-01")]:
        add_link(admin, alice, title=title, title_is_text=True, list="archive", is_starred=True, archived_at=day)

    def open_page():
        browser.sign_in(alice, "digest/")
        browser.see("#page")

    yield from watched(browser, open_page)


def choose_days(page, first, last):
    # Both at once, because the page makes a digest soon after each change.
    page.script(
        "const { first, last } = document.getElementById('digest').elements; [first.value, last.value] = arguments;"
        "last.dispatchEvent(new Event('input', { bubbles: true }))",
        first,
        last,
    )


def choose(page, name, option):
    field = next(one for one in page.all("#digest select") if one.accessible_name == name)
    field.send_keys(option)


def copied(page):
    """What the button puts into the clipboard: media type → text."""
    page.script(
        "window.copied = {};"
        "const set = DataTransfer.prototype.setData;"
        "DataTransfer.prototype.setData = function (type, text) { copied[type] = text; return set.call(this, type, text); }"
    )
    page.see("#page .copy").click()
    page.see("#toast", "Copied.")
    return page.script("return copied")


def test_a_digest_is_made_shown_and_copied(page):
    choose_days(page, "2026-01-01", "2026-01-31")
    page.see("#preview h5, #preview h4", "<b>In January</b>")
    assert "In February" not in page.see("#preview").text
    link = page.see("#preview a")
    assert link.get_attribute("href").startswith("http://127.0.0.2/") and link.get_attribute("target") == "_blank"
    parts = copied(page)
    assert parts["text/html"].startswith("<!DOCTYPE html>") and "&lt;b&gt;In January" in parts["text/html"]
    assert "<b>In January</b>" in parts["text/plain"]
    choose(page, "Format", "Markdown")
    page.see("#preview pre", "# 1 January 2026")
    assert list(copied(page)) == ["text/plain"]


def test_a_mistake_is_told_beside_the_fields(page):
    choose_days(page, "2026-02-01", "2026-01-01")
    page.see("#digest [role=alert]", "The last day is before the first.")
    assert not page.see("#page .copy").is_enabled()
    choose_days(page, "2026-02-01", "2026-02-28")
    page.see("#preview", "In February")
    assert page.all("#digest [role=alert]")[0].text == ""
    page.script(
        "const { query } = document.getElementById('digest').elements; query.value += ' kind:nothing';"
        "query.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    page.see("#digest [role=alert]", "kind")
    # The browser tells of the response 400 to each of the two requests that a digest needs.
    found = []
    wait_until(lambda: found.extend(page.console_errors()) or len(found) == 2)
