"""The pages that the extension sends, in real Chromium: behind a login, covered, in shadow trees and frames, hostile."""

import pytest

from support.extension_browser import ExtensionBrowser, ask
from support.members_site import MembersSite


@pytest.fixture(scope="module")
def site():
    with MembersSite() as site:
        yield site


@pytest.fixture(scope="module")
def the_browser():
    browser = ExtensionBrowser()
    yield browser
    browser.quit()


@pytest.fixture
def browser(the_browser, lectern, alice):
    """The browser with an account."""
    options = the_browser.options()
    options.script("await chrome.storage.local.clear()")
    ask(options, "sign-in", address=lectern.url, email=alice.email, password=alice.password)
    yield the_browser
    the_browser.close_tabs()


def settings(browser, **changes):
    ask(browser.options(), "change-settings", changes=changes)


def article_of(user, url):
    """The article of the link with this address, or None."""
    rows = user.links(f"select=state,reason,articles(source,source_reason,text_content)&raw_url=eq.{url}")
    return rows and rows[0]["state"] == "ready" and rows[0]["articles"]


# Behind a login


@pytest.mark.parametrize("signs_out", [True, False], ids=["signs-out", "no-sign"])
def test_the_private_text_of_a_page_behind_a_login_is_in_the_article(browser, site, alice, signs_out):
    url = site.add_private(f"login-{signs_out}", "What members know.", signs_out)
    browser.open(f"{site.url}/sign-in")
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "The article comes from the page in your browser")
    article = article_of(alice, url)
    assert article["source"] == "client" and "What members know." in article["text_content"]


def test_a_page_is_sent_never_if_the_user_wants_that_for_its_site_and_now_when_asked_to(browser, site, alice):
    url = site.add_private("never", "What members know.", True)
    settings(browser, policy="always", sites={"127.0.0.1": "never"})
    browser.open(f"{site.url}/sign-in")
    browser.open(url)
    popup = browser.popup()
    popup.see("#outcome", "sign")
    assert not article_of(alice, url)
    popup.click("#send-page")
    popup.see("#outcome", "The article comes from the page in your browser")
    assert "What members know." in article_of(alice, url)["text_content"]
