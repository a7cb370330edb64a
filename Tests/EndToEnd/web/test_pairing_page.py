"""Pairing a device: the code on the account page, and the page at /pair/ where the device enters it."""

import json

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, AccountPage, watched
from support.client import wait_until


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return AccountPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    yield from watched(browser, lambda: browser.to_account(alice))


def start(page):
    """Presses "Pair a device" and returns the code."""
    page.click(page.see("#pair-device button", "Pair a device"))
    return page.see("#pairing-code").text


def enter(page, code, device="Tablet"):
    page.see("[name=code]")
    for name, text in {"code": code, "device": device}.items():
        field = page.see(f"[name={name}]")
        field.clear()
        field.send_keys(text)
    page.click(page.see("#claim-code button"))


def test_a_device_is_paired_by_the_code_in_the_address(page, lectern, alice):
    code = start(page)
    image = page.see("#pairing img")
    assert image.get_attribute("src").startswith("data:image/svg+xml,")
    wait_until(lambda: page.script("return arguments[0].naturalWidth > 0 && arguments[0].alt", image))
    assert page.see("#pairing-address").text == f"{lectern.url}/pair/"
    # Another device: without a session.
    page.script("localStorage.clear()")
    page.open(f"pair/#{code}")
    assert page.see("[name=code]").get_attribute("value") == code
    assert " on " in page.see("[name=device]").get_attribute("value")
    assert lectern.auth("GET", "tokens", Authorization=f"Bearer {alice.token}").json() == []
    page.click(page.see("#claim-code button"))
    page.see("#paired h1", "This device is paired")
    assert page.see("#email").text == alice.email and code not in page.driver.current_url
    token = page.see("#token").get_attribute("value")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    target = page.see("#endpoint").text.removeprefix(lectern.url)
    assert lectern.send("POST", target, headers, json.dumps({"raw_url": "http://127.0.0.2/x"})).status == 201
    assert [link["raw_url"] for link in alice.links()] == ["http://127.0.0.2/x"]


def test_the_paired_device_is_listed_and_revoked_like_every_token(page, lectern, alice):
    code = start(page)
    body = json.dumps({"code": code, "device": "Tablet"})
    assert lectern.send("POST", "/auth/v1/pairings/claim", {"Content-Type": "application/json"}, body).status == 201
    page.click(page.see("#pairing-done"))
    page.see("#tokens .rows", "Tablet")
    assert not page.script("return document.getElementById('pairing-code').textContent")
    page.press_in_row("tokens", "Tablet", "Revoke")
    page.click(page.see("#confirm .strong"))
    page.see("#tokens .list-status", "No tokens yet")


def test_a_wrong_code_is_told_beside_its_field(page):
    page.open("pair/")
    enter(page, "AAAAA-AAAAA")
    page.see("#claim-code .field-error", "wrong, used or expired")
    enter(page, "")
    page.see("#claim-code .field-error", "Enter the code")
    assert all("status of 403" in trouble for trouble in page.console_errors())


def test_a_session_that_is_not_fresh_needs_the_password(page, alice, admin):
    admin.execute("update auth.sessions set created_at = now() - interval '1 hour' where user_id = %s", (alice.id,))
    page.click(page.see("#pair-device button"))
    page.see("#pair-device .field-error", "Enter your password to pair a device.")
    page.see("#pair-device [name=password]").send_keys(alice.password)
    page.click(page.see("#pair-device button"))
    page.see("#pairing-code")
    assert all("status of 400" in trouble for trouble in page.console_errors())


def test_both_pages_fit_the_phone_and_have_enough_contrast(page):
    start(page)
    for place in [None, "pair/#AAAAA-AAAAA"]:
        if place:
            page.open(place)
            page.see("#claim-code")
        for size in [PHONE, DESK]:
            page.size(*size)
            for scheme in ["light", "dark"]:
                page.colours(scheme)
                assert page.script("return document.documentElement.scrollWidth <= innerWidth"), place
                assert page.script(CONTRAST) == [] and page.script(LOW) == []
