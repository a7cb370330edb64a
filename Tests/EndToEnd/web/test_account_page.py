"""The page at /account/ in a real browser: everything a user does with an account, and the sign-in form of the
reader."""

import re
import time
import uuid
import zipfile
from urllib.parse import urlsplit

import psycopg
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support import service
from support.browser import CONTRAST, DESK, LOW, PHONE, AccountPage, watched
from support.client import User, wait_until
from support.held_responses import IS_HELD, hold_first, hold_method, release

PHONE_AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
FIREFOX_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    browser = AccountPage(lectern.url, chromium)
    return browser


@pytest.fixture
def page(browser):
    yield from watched(browser, browser.start)


@pytest.fixture
def account(browser, alice):
    """Alice on her account page."""
    yield from watched(browser, lambda: browser.to_account(alice))


@pytest.fixture
def admin_user(lectern, admin):
    """A user who is an admin."""
    user = lectern.sign_up(f"chief-{uuid.uuid4().hex[:12]}@example.org")
    admin.execute("update auth.users set app_metadata = app_metadata || '{\"admin\": true}' where id = %s", (user.id,))
    return user


def signed_in_from(lectern, user, agent):
    """Signs the user in on another device and returns the session."""
    answer = lectern.auth(
        "POST", "token?grant_type=password", {"email": user.email, "password": user.password}, **{"User-Agent": agent}
    )
    assert answer.status == 200, answer
    return answer.json()


def link_in_mail(admin, email, kind):
    """The link of the newest mail to this address."""

    def probe():
        row = admin.execute(
            "select body from private.mails where recipient = %s and kind = %s order by created_at desc", (email, kind)
        ).fetchone()
        return row and re.search(r"https?://\S+", row[0][row[0].rindex("http") :])[0]

    return wait_until(probe)


def as_token(lectern, token, target, method="GET", body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return lectern.send(method, target, headers, body)


def failed_requests(console_errors, *statuses):
    """Whether the console shows nothing but responses with these statuses."""
    return all(any(f"status of {status}" in trouble for status in statuses) for trouble in console_errors)


# Signing up and in


def test_after_signing_up_the_header_leads_to_the_account_page(page):
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    page.enter(email, "correct horse", create=True)
    page.see("#list")
    page.see("#bar a", "Account").click()
    assert page.see("#email").text == email
    page.settled()
    assert page.script("return document.title") == "Account – Lectern"
    assert page.all("#users")[0].is_displayed() is False
    assert "No tokens yet" in page.see("#tokens .list-status").text
    assert [one for one in page.rows("devices") if "this device" in one] == page.rows("devices")
    page.see("#bar a", "To Read").click()
    page.see("#list")


def test_signing_in_returns_to_the_page_that_asked_for_it(page, alice):
    page.open("account/")
    page.see("#login")
    page.enter(alice.email, alice.password)
    page.see("#email", alice.email)


def test_a_session_ended_elsewhere_leads_to_the_sign_in_page(account, alice, lectern):
    assert lectern.auth("POST", "logout?scope=global", Authorization=f"Bearer {alice.token}").status == 204
    account.driver.refresh()
    account.see("#login [role=alert]", "Your session has ended")
    assert "access" not in account.stored()
    assert failed_requests(account.console_errors(), 400, 401, 403)


def test_a_session_is_renewed_on_the_account_page_too(account, alice):
    old = account.script(
        "const s = JSON.parse(localStorage.session); s.access = 'x.y.z'; localStorage.session = JSON.stringify(s);"
        "return s.refresh"
    )
    account.driver.refresh()
    account.see("#email", alice.email)
    account.settled()
    assert account.script("return JSON.parse(localStorage.session).refresh") != old
    assert failed_requests(account.console_errors(), 401, 403)


def test_signing_out_on_the_account_page_leaves_nothing_behind(account):
    account.open()
    account.open("account/")
    account.see("#logout").click()
    account.see("#login")
    assert account.script("return localStorage.length") == 0
    account.driver.back()
    account.see("#login")


def test_a_section_that_fails_to_load_shows_an_error_and_can_be_retried(account):
    account.driver.execute_cdp_cmd("Network.enable", {})
    account.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/auth/v1/sessions"]})
    account.driver.refresh()
    account.see("#devices .list-status", "The server is not responding")
    account.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    account.see("#devices .retry").click()
    account.row("devices", "this device")
    account.gone("#devices .retry")
    assert all("ERR_BLOCKED_BY_CLIENT" in trouble for trouble in account.console_errors())


def test_an_answer_that_arrives_late_does_not_replace_a_newer_one(account, alice, lectern):
    changed = "(await import('/account/account-changes.js')).notifyAccountChange()"
    account.script(hold_first("auth/v1/tokens$"))
    account.script(changed)
    wait_until(lambda: account.script(IS_HELD))
    lectern.auth("POST", "tokens", {"name": "Newest", "scope": "read"}, Authorization=f"Bearer {alice.token}")
    account.script(changed)
    wait_until(lambda: ["Newest" in row for row in account.rows("tokens")] == [True])
    release(account)
    account.settled()
    assert ["Newest" in row for row in account.rows("tokens")] == [True]


# Profile


def test_a_new_address_is_shown_and_signs_in(account, alice, lectern):
    new = f"{uuid.uuid4().hex[:12]}@example.org"
    account.unfold("change-email")
    account.send("change-email")
    account.field_error("change-email", "email", "Enter your new email address")
    account.fill("change-email", email="no address")
    account.send("change-email")
    account.field_error("change-email", "email", "valid email address")
    account.fill("change-email", email=new, current_password="wrong horse")
    account.send("change-email")
    account.field_error("change-email", "current_password", "This is not your password")
    account.fill("change-email", current_password=alice.password)
    account.send("change-email")
    account.see("#email", new)
    account.see("#toast", "Your email address was changed")
    account.see("#activity li", "Email changed")
    assert lectern.auth("POST", "token?grant_type=password", {"email": new, "password": alice.password}).status == 200
    assert failed_requests(account.console_errors(), 400)


def test_an_email_address_in_use_is_refused_beside_its_field(account, alice, bob):
    account.unfold("change-email")
    account.fill("change-email", email=bob.email, current_password=alice.password)
    account.send("change-email")
    account.field_error("change-email", "email", "An account with this email address already exists")
    account.fill("change-email", email="another@example.org")
    account.gone("#change-email .field-error")
    assert failed_requests(account.console_errors(), 422)


def test_a_new_password_signs_out_all_other_devices(account, alice, lectern):
    signed_in_from(lectern, alice, PHONE_AGENT)
    account.driver.refresh()
    account.row("devices", "Safari on iPhone")
    account.unfold("change-password")
    account.fill("change-password", password="another horse", current_password="wrong horse")
    account.send("change-password")
    account.field_error("change-password", "current_password", "This is not your password")
    assert failed_requests(account.console_errors(), 400)
    account.fill("change-password", current_password=alice.password)
    account.send("change-password")
    account.see("#toast", "Your other devices were signed out")
    account.gone("#devices li", "Safari on iPhone")
    account.see("#activity li", "Password changed")
    account.driver.refresh()
    account.see("#email", alice.email)
    for password, status in [(alice.password, 400), ("another horse", 200)]:
        assert (
            lectern.auth("POST", "token?grant_type=password", {"email": alice.email, "password": password}).status
            == status
        )


def test_a_new_password_can_revoke_all_api_tokens(account, alice, lectern):
    token = lectern.auth("POST", "tokens", {"name": "x", "scope": "full"}, Authorization=f"Bearer {alice.token}")
    account.driver.refresh()
    account.row("tokens", "x")
    account.unfold("change-password")
    account.fill("change-password", password="another horse", current_password=alice.password)
    account.see("#change-password label.choice", "revoke all API tokens").click()
    account.send("change-password")
    account.see("#toast", "all API tokens are revoked")
    account.gone("#tokens li")
    assert as_token(lectern, token.json()["token"], "/rest/v1/links").status == 401


def test_unacceptable_passwords_are_refused_with_a_message(account, alice):
    account.unfold("change-password")
    account.fill("change-password", current_password=alice.password)
    for password, words in [
        ("short", "at least 6 characters"),
        ("password", "one of the most common passwords"),
        (alice.password, "already your password"),
    ]:
        account.fill("change-password", password=password)
        account.send("change-password")
        account.field_error("change-password", "password", words)
    assert failed_requests(account.console_errors(), 422)


def test_a_new_password_can_be_shown_while_it_is_typed(account):
    account.unfold("change-password")
    account.fill("change-password", password="look at me")
    field = account.see("#change-password [name=password]")
    assert field.get_attribute("type") == "password"
    account.see("#change-password .reveal button", "Show").click()
    assert field.get_attribute("type") == "text"
    account.see("#change-password .reveal button", "Hide").click()
    assert field.get_attribute("type") == "password"


# Devices


def test_sessions_are_distinguished_and_another_one_can_be_ended(account, alice, lectern):
    other = signed_in_from(lectern, alice, FIREFOX_AGENT)
    account.driver.refresh()
    row = account.row("devices", "Firefox on Linux")
    assert "127.0.0.1" in row.text and "last seen just now" in row.text
    seen = row.find_element(By.TAG_NAME, "time")
    assert re.match(r"\d{4}-\d\d-\d\dT", seen.get_attribute("datetime")) and str(
        time.gmtime().tm_year
    ) in seen.get_attribute("title")
    this = account.row("devices", "this device")
    assert this.text.split("\n") == ["Chrome on Linux this device", "127.0.0.1 · active now"]
    assert row.text.split("\n") == ["Firefox on Linux", "127.0.0.1 · last seen just now", "Sign out"]
    assert not this.find_elements(By.TAG_NAME, "button")
    assert "this device" in account.rows("devices")[0]
    account.press_in_row("devices", "Firefox on Linux", "Sign out")
    account.see("#toast", "Firefox on Linux is signed out")
    account.gone("#devices li", "Firefox on Linux")
    answer = lectern.auth("POST", "token?grant_type=refresh_token", {"refresh_token": other["refresh_token"]})
    assert answer.status == 400


def test_all_other_devices_are_signed_out_after_confirmation(account, alice, lectern):
    for agent in [PHONE_AGENT, FIREFOX_AGENT, "curl/8.5.0"]:
        signed_in_from(lectern, alice, agent)
    account.driver.refresh()
    account.row("devices", "curl/8.5.0")
    account.see("#end-others").click()
    account.answer_question("Sign out all other devices", "Cancel")
    # Alice signed up without a browser, which is one more session.
    assert len(account.rows("devices")) == 5
    account.see("#end-others").click()
    account.answer_question("Sign out all other devices", "Sign out")
    wait_until(lambda: len(account.rows("devices")) == 1)
    account.gone("#end-others")
    account.driver.refresh()
    account.see("#email", alice.email)


@pytest.mark.parametrize(
    "agent, name",
    [
        (FIREFOX_AGENT, "Firefox on Linux"),
        (PHONE_AGENT, "Safari on iPhone"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15",
            "Safari on macOS",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
            "Samsung Internet on Android",
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
            "Chrome on iPad",
        ),
        ("python-httpx/0.27", "python-httpx/0.27"),
        ("x" * 60, "x" * 40 + "…"),
        ("", "Unknown device"),
        (None, "Unknown device"),
    ],
)
def test_devices_have_readable_names(page, agent, name):
    found = page.driver.execute_async_script(
        "import('/account/device-names.js').then(({deviceName}) => arguments[1](deviceName(arguments[0])))", agent
    )
    assert found == name


# API tokens


def test_a_webhook_is_added_with_a_secret_that_is_shown_once_and_deleted(account, alice):
    account.unfold("add-webhook")
    account.send("add-webhook")
    account.field_error("add-webhook", "url", "Enter the address")
    account.fill("add-webhook", url="http://10.0.0.1/hook")
    account.see("#add-webhook label.choice", "A link gets a star").click()
    account.send("add-webhook")
    secret = account.see("#new-webhook input").get_attribute("value")
    assert re.fullmatch(r"whsec_[0-9a-f]{64}", secret)
    account.see("#webhook-kept").click()
    account.gone("#new-webhook")
    [hook] = alice.rest("GET", "webhooks").json()
    assert (hook["url"], sorted(hook["events"])) == ("http://10.0.0.1/hook", ["saved", "starred"])
    row = account.row("webhooks", "http://10.0.0.1/hook")
    assert (
        "with star" not in row.text
        and "saved" in row.text
        and secret not in account.script("return document.body.innerHTML")
    )
    account.press_in_row("webhooks", "http://10.0.0.1/hook", "Delete")
    account.answer_question("Delete", "Delete")
    account.see("#webhooks .list-status", "No webhooks yet")
    assert alice.rest("GET", "webhooks").json() == []


def test_a_box_that_is_ticked_while_a_webhook_is_being_added_stays_ticked(account):
    account.unfold("add-webhook")
    account.fill("add-webhook", url="http://127.0.0.1/hook")
    account.script(hold_method("POST"))
    account.send("add-webhook")
    box = account.see("#add-webhook label.choice", "A link gets a star")
    box.click()
    account.script("release()")
    account.see("#new-webhook input")
    url = account.driver.find_element("css selector", "#add-webhook [name=url]")
    wait_until(lambda: url.get_attribute("value") == "")
    assert box.find_element("css selector", "input").is_selected()


def test_a_token_is_created_shown_once_used_and_revoked(account, alice, lectern):
    alice.save("http://127.0.0.2/one", title="Seen by a program")
    account.unfold("make-token")
    account.send("make-token")
    account.field_error("make-token", "name", "Give it a name")
    account.field_error("make-token", "password", "Enter your password")
    account.fill("make-token", name="E-reader <b>", password="wrong horse")
    account.send("make-token")
    account.field_error("make-token", "password", "This is not your password")
    assert failed_requests(account.console_errors(), 400)
    account.fill("make-token", password=alice.password)
    # The options of a closed list are not visible.
    Select(account.see("#make-token select")).select_by_visible_text("In 90 days")
    account.send("make-token")
    token = account.see("#new-token input").get_attribute("value")
    assert re.fullmatch(r"lct_[\w-]{43}", token)
    assert account.focused().text == "Copy your new token now"

    answer = as_token(lectern, token, "/rest/v1/links?select=title")
    assert (answer.status, answer.json()) == (200, [{"title": "Seen by a program"}])
    assert as_token(lectern, token, "/rest/v1/links", "POST", '{"raw_url":"http://127.0.0.2/two"}').status in (401, 403)

    account.see("#token-kept").click()
    account.gone("#new-token")
    assert token not in account.driver.page_source
    account.driver.refresh()
    row = account.row("tokens", "E-reader <b>")
    for words in [
        token[:12],
        "sees everything, changes nothing",
        "created just now",
        "expires in",
        "last used just now from 127.0.0.1",
    ]:
        assert words in row.text
    assert token not in account.driver.page_source

    account.press_in_row("tokens", "E-reader <b>", "Revoke")
    account.answer_question("Revoke “E-reader <b>”?", "Cancel")
    account.row("tokens", "E-reader <b>")
    account.press_in_row("tokens", "E-reader <b>", "Revoke")
    account.answer_question("lose access immediately", "Revoke")
    account.gone("#tokens li", "E-reader <b>")
    assert as_token(lectern, token, "/rest/v1/links?select=title").status == 401
    account.see("#activity li", "API token “E-reader <b>” revoked")


@pytest.mark.parametrize(
    "scope, reads, saves, words",
    [
        ("read", 200, (401, 403), "sees everything, changes nothing"),
        ("save", (401, 403), 201, "only adds links"),
        ("full", 200, 201, "everything but account settings"),
    ],
)
def test_a_token_does_what_its_scope_says(account, alice, lectern, scope, reads, saves, words):
    account.unfold("make-token")
    account.fill("make-token", name=scope, password=alice.password)
    account.see(f"#make-token [value={scope}]").click()
    account.send("make-token")
    token = account.see("#new-token input").get_attribute("value")
    row = account.row("tokens", words)
    assert "never expires" in row.text and "never used" in row.text
    read = as_token(lectern, token, "/rest/v1/links?select=title").status
    saved = as_token(lectern, token, "/rest/v1/links", "POST", '{"raw_url":"http://127.0.0.2/two"}').status
    assert read in (reads if isinstance(reads, tuple) else (reads,))
    assert saved in (saves if isinstance(saves, tuple) else (saves,))
    assert as_token(lectern, token, "/auth/v1/sessions").status in (401, 403)


def test_a_token_is_copied_with_one_press(account, alice):
    account.driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"origin": account.url, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    account.unfold("make-token")
    account.fill("make-token", name="Copied", password=alice.password)
    account.send("make-token")
    token = account.see("#new-token input").get_attribute("value")
    account.see("#new-token [data-copy]", "Copy").click()
    account.see("#new-token [data-copy]", "Copied")
    assert account.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == token


# Export


def test_everything_is_exported_and_downloaded(account, alice, lectern, tmp_path):
    alice.save("http://127.0.0.2/one", title="To take away")
    account.see("#start-export .strong", "Export everything").click()
    link = account.see("#export li a", "Download")
    account.gone("#running-export")
    assert (
        re.match(r"Export of (just now|\d)", account.rows("export")[0])
        and "available until" in account.rows("export")[0]
    )
    answer = lectern.send("GET", urlsplit(link.get_attribute("href"))._replace(scheme="", netloc="").geturl())
    assert answer.status == 200 and answer["content-type"] == "application/zip" and answer.body[:2] == b"PK"
    account.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    link.click()
    # Chromium reserves the name with an empty file while it downloads to another.
    file = wait_until(
        lambda: next((each for each in tmp_path.glob("*.zip") if each.stat().st_size == len(answer.body)), None)
    )
    assert zipfile.ZipFile(file).testzip() is None
    account.driver.refresh()
    account.row("export", "Export of")


def test_links_that_a_search_finds_are_exported_in_another_format(account, alice, lectern):
    alice.save("http://127.0.0.2/tea", title="Tea")
    alice.save("http://127.0.0.2/cake", title="Cake")
    Select(account.see("#start-export [name=format]")).select_by_value("csv")
    account.see("#start-export [name=query]").send_keys("is:purple")
    account.see("#start-export .strong", "Export").click()
    assert "cannot have the value purple" in account.see("#start-export [role=alert]", "purple").text
    assert len(account.console_errors()) == 1
    account.fill("start-export", query="title:tea")
    account.see("#start-export .strong", "Export").click()
    link = account.see("#export li a", "Download")
    assert "Spreadsheet (CSV) · title:tea" in account.rows("export")[0]
    assert "1 link" in account.rows("export")[0]
    account.see("#start-export .strong", "Export everything")
    answer = lectern.send("GET", urlsplit(link.get_attribute("href"))._replace(scheme="", netloc="").geturl())
    assert b"/tea," in answer.body and b"/cake," not in answer.body


def test_a_running_export_is_polled_until_it_is_ready(account, alice, admin):
    # Its lease keeps the jobs process from taking it.
    [id] = admin.execute(
        "insert into private.exports (user_id, state, leased_until) values (%s, 'running', now() + interval '1 hour')"
        " returning id",
        (alice.id,),
    ).fetchone()
    account.driver.refresh()
    account.see("#running-export", "Waiting to start")
    account.gone("#start-export")
    admin.execute("update private.exports set rows_done = 1200, rows_total = 5000 where id = %s", (id,))
    account.see("#running-export", "1,200 of 5,000 rows")
    assert account.script("const bar = document.querySelector('progress'); return bar.value / bar.max") == 0.24
    admin.execute(
        "update private.exports set state = 'ready', rows_done = 5000, bytes = 2500000, finished_at = now() where id = %s",
        (id,),
    )
    row = account.row("export", "2.5 MB")
    assert "5,000 rows" in row.text
    assert f"/auth/v1/exports/{id}/file?" in row.find_element(By.TAG_NAME, "a").get_attribute("href")
    account.gone("#running-export")
    account.see("#start-export .strong")


def test_a_failed_export_shows_its_reason_and_can_be_retried(account, alice, admin):
    admin.execute(
        "insert into private.exports (user_id, state, message) values (%s, 'failed', 'The disk is full')", (alice.id,)
    )
    account.driver.refresh()
    assert "The disk is full" in account.row("export", "Export of").text
    account.settled()
    account.press_in_row("export", "The disk is full", "Try again")
    wait_until(
        lambda: admin.execute("select count(*) from private.exports where user_id = %s", (alice.id,)).fetchone() == (2,)
    )


# Activity


def test_events_are_listed_in_words_newest_first(account, alice, lectern, admin):
    signed_in_from(lectern, alice, FIREFOX_AGENT)
    account.driver.refresh()
    account.see("#activity li", "Signed in from 127.0.0.1 with Firefox on Linux")
    entries = account.rows("activity")
    assert "with Firefox on Linux" in entries[0] and entries[-1].startswith("Account created")
    admin.execute("update auth.users set app_metadata = app_metadata || '{\"admin\": true}' where id = %s", (alice.id,))
    account.driver.refresh()
    account.see("#activity li", "Made an admin by the server administrator")


def test_a_long_activity_list_is_shortened(account, alice, lectern):
    for _ in range(12):
        signed_in_from(lectern, alice, FIREFOX_AGENT)
    account.driver.refresh()
    account.see("#all-activity", "Show all")
    account.settled()
    assert len(account.rows("activity")) == 10
    account.see("#all-activity").click()
    assert len(account.rows("activity")) >= 14
    account.gone("#all-activity")


# Deleting the account


def test_deleting_the_account_asks_for_confirmation(account, alice, lectern, admin):
    alice.save("http://127.0.0.2/one", title="Lost")
    assert "export everything" in account.see("#delete a").text
    account.unfold("delete-account")
    account.send("delete-account")
    account.field_error("delete-account", "password", "Enter your password")
    account.fill("delete-account", password="wrong horse", typed="somebody@example.org")
    account.send("delete-account")
    account.field_error("delete-account", "typed", "This is not your email address")
    account.fill("delete-account", typed=alice.email)
    account.send("delete-account")
    account.field_error("delete-account", "password", "This is not your password")
    assert failed_requests(account.console_errors(), 400)
    account.fill("delete-account", password=alice.password)
    account.send("delete-account")
    account.see("#deleted h1", "Account deleted")
    assert account.script("return [localStorage.length, sessionStorage.length]") == [0, 0]
    assert alice.email not in account.driver.page_source
    assert admin.execute("select count(*) from auth.users where id = %s", (alice.id,)).fetchone() == (0,)
    assert admin.execute("select count(*) from public.links where user_id = %s", (alice.id,)).fetchone() == (0,)
    account.see("#deleted a", "Back to the home page").click()
    account.see("#login")


# Links from mails


def test_a_forgotten_password_is_replaced_with_a_link_from_a_mail(page, alice, lectern, admin):
    page.see("#login [name=email]").send_keys(alice.email)
    # The button for a new account moves it down.
    page.see("#login [value=signup]")
    page.see("#forgot").click()
    assert page.see("#recover [name=email]").get_attribute("value") == alice.email
    page.send("recover")
    words = page.see("#recover [role=status]", "an email is on its way").text
    assert words.startswith(f"If there is an account for {alice.email}") and "contact the administrator" in words

    token = lectern.auth("POST", "tokens", {"name": "x", "scope": "full"}, Authorization=f"Bearer {alice.token}")
    link = link_in_mail(admin, alice.email, "recovery")
    page.follow(link)
    page.see("#link h1", "Choose a new password")
    assert page.driver.current_url == f"{page.url}/account/"
    # Opening the link does not use it up, because mail scanners open links.
    page.follow(link)
    page.see("#choose-password")
    page.fill("choose-password", password="short")
    page.send("choose-password")
    page.field_error("choose-password", "password", "at least 6 characters")
    # The link is used from here on, and a refused password does not need another link.
    page.fill("choose-password", password="password")
    page.send("choose-password")
    page.field_error("choose-password", "password", "one of the most common passwords")
    assert page.see("#link-text").text == f"For {alice.email}."
    page.fill("choose-password", password="a newer horse")
    page.send("choose-password")
    page.see("#toast", "Your new password is set")
    page.see("#list")
    assert failed_requests(page.console_errors(), 422)
    assert (
        lectern.auth("POST", "token?grant_type=password", {"email": alice.email, "password": "a newer horse"}).status
        == 200
    )
    assert lectern.auth("POST", "token?grant_type=refresh_token", {"refresh_token": alice.refresh_token}).status == 400
    assert as_token(lectern, token.json()["token"], "/rest/v1/links").status == 401

    page.start()
    page.follow(link)
    page.fill("choose-password", password="once more")
    page.send("choose-password")
    page.see("#link h1", "This link no longer works")
    assert failed_requests(page.console_errors(), 403)
    page.fill("request-link", email=alice.email)
    page.send("request-link")
    page.see("#request-link [role=status]", "an email is on its way")
    wait_until(lambda: link_in_mail(admin, alice.email, "recovery") != link)


def test_whoever_forgot_the_password_can_keep_the_api_tokens(page, alice, lectern, admin):
    token = lectern.auth("POST", "tokens", {"name": "x", "scope": "full"}, Authorization=f"Bearer {alice.token}")
    assert lectern.auth("POST", "recover", {"email": alice.email}).status == 200
    page.follow(link_in_mail(admin, alice.email, "recovery"))
    page.fill("choose-password", password="a newer horse")
    page.see("#revoke-choice", "Revoke all API tokens").click()
    page.send("choose-password")
    page.see("#list")
    assert as_token(lectern, token.json()["token"], "/rest/v1/links").status == 200


def test_an_unknown_address_gets_the_same_answer(page):
    page.see("#login [value=signup]")
    page.see("#forgot").click()
    page.fill("recover", email="nobody-at-all@example.org")
    page.send("recover")
    page.see("#recover [role=status]", "If there is an account for nobody-at-all@example.org, an email is on its way")
    page.see("#back-to-sign-in").click()
    assert page.see("#login [name=email]").get_attribute("value") == "nobody-at-all@example.org"


def test_a_token_in_the_address_bar_is_removed_even_if_the_page_is_open_already(account, alice, lectern, admin):
    assert lectern.auth("POST", "recover", {"email": alice.email}).status == 200
    account.driver.get(link_in_mail(admin, alice.email, "recovery"))
    account.see("#choose-password")
    assert account.driver.current_url == f"{account.url}/account/"
    assert not account.see("#link").find_elements(By.CSS_SELECTOR, "#email")


@pytest.mark.parametrize("kind, title", [("magiclink", "Sign in to Lectern"), ("signup", "Welcome to Lectern")])
def test_a_sign_in_link_asks_for_confirmation(page, lectern, kind, title):
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    if kind == "magiclink":
        lectern.sign_up(email)
    made = lectern.auth(
        "POST",
        "admin/generate_link",
        {"type": kind, "email": email, "password": "correct horse"},
        apikey=lectern.service_key,
        Authorization=f"Bearer {lectern.service_key}",
    ).json()
    page.follow(made["action_link"])
    page.see("#link h1", title)
    assert page.script("return localStorage.length") == 0
    page.send("confirm-sign-in")
    page.see("#list")
    page.open("account/")
    page.see("#email", email)


@pytest.mark.parametrize(
    "fragment, words",
    [
        (
            "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired",
            "Email link is invalid or has expired",
        ),
        ("error=access_denied&error_description=<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("token_hash=abc&type=constructor", "A link works once"),
        ("token_hash=abc", "A link works once"),
    ],
)
def test_an_invalid_link_shows_an_error_and_a_new_one_can_be_requested(page, fragment, words):
    page.follow(f"{page.url}/account/#{fragment}")
    page.see("#link h1", "This link no longer works")
    assert words in page.see("#link-text").text
    assert page.driver.current_url == f"{page.url}/account/"
    page.see("#request-link")


# Admins


def test_an_invited_person_chooses_a_password_and_is_signed_in(page, admin_user, admin):
    email = f"guest-{uuid.uuid4().hex[:12]}@example.org"
    page.to_account(admin_user)
    page.see("#contents a", "Users")
    page.fill("invite", email="nowhere")
    page.send("invite")
    page.field_error("invite", "email", "valid email address")
    page.fill("invite", email=email)
    page.send("invite")
    page.see("#toast", f"{email} was invited")
    assert "invited" in page.row("users", email).text

    link = link_in_mail(admin, email, "invite")
    page.press_in_row("users", email, "Create link")
    made = page.see("#new-link input").get_attribute("value")
    assert f"A link for {email}" in page.see("#new-link").text
    page.see("#link-kept").click()
    assert made not in page.driver.page_source

    page.start()
    page.follow(link)
    page.fill("choose-password", password="too late horse")
    page.send("choose-password")
    page.see("#link-text", "Ask the person who invited you")
    assert not page.see("#link").find_element(By.ID, "request-link").is_displayed()
    assert failed_requests(page.console_errors(), 403)

    page.follow(made)
    page.see("#link h1", "Welcome to Lectern")
    page.fill("choose-password", password="a guest's horse")
    page.send("choose-password")
    page.see("#list")
    page.open("account/")
    page.see("#email", email)


def test_an_admin_disables_enables_and_deletes(page, admin_user, lectern):
    guest = lectern.sign_up(f"guest-{uuid.uuid4().hex[:12]}@example.org")

    def signs_in():
        return lectern.auth(
            "POST", "token?grant_type=password", {"email": guest.email, "password": guest.password}
        ).status

    def row():
        page.settled()
        return next((one for one in page.rows("users") if guest.email in one), "")

    page.to_account(admin_user)
    page.show_all_users()
    assert "active" in row() and "never signed in" not in row()
    page.press_in_row("users", guest.email, "Disable")
    page.answer_question(f"Disable {guest.email}?", "Disable")
    wait_until(lambda: "disabled" in row())
    assert signs_in() == 400
    page.press_in_row("users", guest.email, "Enable")
    wait_until(lambda: "active" in row())
    assert signs_in() == 200
    page.press_in_row("users", guest.email, "Delete")
    page.answer_question("This cannot be undone", "Cancel")
    assert signs_in() == 200
    page.press_in_row("users", guest.email, "Delete")
    page.answer_question(f"Delete {guest.email}?", "Delete permanently")
    page.gone("#users li", guest.email)
    assert signs_in() == 400


def test_admins_cannot_disable_themselves(page, admin_user):
    page.to_account(admin_user)
    page.show_all_users()
    row = page.row("users", admin_user.email)
    assert "you" in row.text and not row.find_elements(By.TAG_NAME, "button")


# A service with invitations, rate limits and mail


@pytest.fixture(scope="module")
def limited_service():
    """A service where accounts are created by invitation, sign-in attempts are limited, and mail is set up. Nothing
    listens where its mail server should be, so that the mails stay in the queue."""
    return service.shared(LECTERN_SIGNUP="invite", LECTERN_RATE_LIMITS="on", LECTERN_SMTP_URL="smtp://127.0.0.1:9")


def managed_user(instance):
    """A user whose account was made with the service key."""
    form = {"email": f"{uuid.uuid4().hex[:12]}@example.org", "password": "correct horse"}
    bearer = {"apikey": instance.service_key, "Authorization": f"Bearer {instance.service_key}"}
    assert instance.auth("POST", "admin/users", form, **bearer).status == 200
    session = instance.auth("POST", "token?grant_type=password", form)
    assert session.status == 200, session
    return User(instance, session.json(), form["password"])


@pytest.fixture
def limited_sign_in_page(limited_service, chromium):
    page = AccountPage(limited_service.url, chromium)
    page.leave()
    page.open()
    return page


def test_the_sign_in_form_says_when_accounts_are_by_invitation(limited_sign_in_page):
    assert "by invitation" in limited_sign_in_page.see("#invitation").text
    assert not limited_sign_in_page.all("[value=signup]")[0].is_displayed()
    assert limited_sign_in_page.console_errors() == []


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_with_mail_a_new_address_counts_once_its_link_is_opened(limited_service, chromium, is_signed_in):
    new = f"new-{uuid.uuid4().hex[:12]}@example.org"
    user = managed_user(limited_service)
    page = AccountPage(limited_service.url, chromium)
    page.size(*DESK)
    page.to_account(user)
    page.unfold("change-email")
    page.fill("change-email", email=new, current_password=user.password)
    page.send("change-email")
    page.see("#toast", f"A link was mailed to {new}")
    assert page.see("#email").text == user.email
    page.driver.refresh()
    page.see("#new-email", f"An email is on its way to {new}")
    page.see("#activity li", "A link to confirm a new email address was created")

    with psycopg.connect(limited_service.database_url, autocommit=True) as admin:
        link = link_in_mail(admin, new, "email_change")
    if not is_signed_in:
        page.see("#logout").click()
        page.see("#login")
    page.follow(link)
    page.see("#link h1", "Confirm your new email address")
    assert page.see("#confirm-sign-in .strong").text == "Confirm"
    page.send("confirm-sign-in")
    if is_signed_in:
        page.see("#toast", "Your new email address is confirmed")
        page.open("account/")
        page.see("#email", new)
        page.settled()
        assert not page.all("#new-email")[0].is_displayed()
    else:
        page.see("#login [role=alert]", "Your new email address is confirmed")
    page.follow(link)
    page.send("confirm-sign-in")
    page.see("#link-text", "Change your email address once more")
    assert failed_requests(page.console_errors(), 403)


def test_too_many_attempts_show_how_long_to_wait_and_then_sign_in_works(limited_service, limited_sign_in_page):
    page, button = limited_sign_in_page, limited_sign_in_page.see("#login .strong")
    page.fill("login", email=managed_user(limited_service).email)

    def seconds_to_wait():
        said = re.search(r"Too many \w+\. Try again in (\d+) seconds?\.", page.all("#login > p[role=alert]")[0].text)
        return int(said[1]) if said else 0

    # What the countdown shows; a busy machine may look at it too late.
    page.script("""
        const alert = document.querySelector('#login > p[role=alert]');
        window.said = [];
        new MutationObserver(() => said.push(alert.textContent)).observe(alert, { childList: true, subtree: true });
    """)

    def attempt():
        """Waits as long as required, tries a wrong password, and returns how long to wait now."""
        wait_until(button.is_enabled)
        page.fill("login", password="wrong horse")
        button.click()
        wait_until(lambda: page.all("#login > p[role=alert]")[0].text)
        return seconds_to_wait()

    first = wait_until(lambda: (seconds := attempt()) >= 3 and seconds)
    assert not button.is_enabled()
    wait_until(button.is_enabled)
    said = page.script("return said.join()")
    assert any(f"Try again in {seconds} second" in said for seconds in range(1, first)), said
    assert page.all("#login > p[role=alert]")[0].text == ""
    page.fill("login", password="correct horse")
    button.click()
    page.see("#list")
    assert failed_requests(page.console_errors(), 400, 429)


# Accessibility


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen_and_has_enough_contrast_in_both_colour_schemes(
    page, lectern, admin_user, admin, scheme
):
    admin.execute(
        "update auth.users set email = %s where id = %s",
        (f"{uuid.uuid4().hex}{'x' * 20}@{'long.' * 20}example.org", admin_user.id),
    )
    admin_user.email = admin.execute("select email from auth.users where id = %s", (admin_user.id,)).fetchone()[0]
    signed_in_from(lectern, admin_user, "x" * 200)
    admin.execute(
        "insert into private.exports (user_id, state, message) values (%s, 'failed', %s)",
        (admin_user.id, "Full " + "x" * 90),
    )
    admin.execute(
        "insert into private.exports (user_id, state, rows_done, rows_total, leased_until) values"
        " (%s, 'running', 3, 9, now() + interval '1 hour')",
        (admin_user.id,),
    )
    page.colours(scheme)

    def fits():
        for size in [PHONE, DESK]:
            page.size(*size)
            assert page.script("return document.documentElement.scrollWidth") <= size[0]
            assert page.script(CONTRAST) == []
            if size == PHONE:
                fields = "select, input:not([type=radio], [type=checkbox]), label.choice"
                assert page.script(LOW, f"button, summary, a.button, nav a, #bar a, {fields}") == []

    fits()
    page.send("login")
    fits()
    page.see("#forgot").click()
    fits()
    page.to_account(admin_user)
    page.unfold("make-token")
    page.fill("make-token", name="W" * 100, password=admin_user.password)
    page.send("make-token")
    page.see("#new-token")
    page.settled()
    for form in ["change-email", "change-password", "make-token", "delete-account"]:
        page.unfold(form)
        page.send(form)
        page.see(f"#{form} .field-error")
    fits()
    page.script("document.querySelector('#tokens .rows button').click()")
    page.see("#confirm")
    fits()
    for fragment in ["token_hash=abc&type=recovery", "token_hash=abc&type=magiclink", "error=x&error_description=y"]:
        page.follow(f"{page.url}/account/#{fragment}")
        page.see("#link")
        fits()
    paper = page.script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in paper[4:-1].split(",")) > 380) == (scheme == "light")


def test_everything_can_be_reached_and_used_by_keyboard(account, alice):
    reached = []
    account.script("document.body.tabIndex = -1; document.body.focus()")
    for _ in range(60):
        account.press(Keys.TAB)
        focused = account.focused()
        if focused.tag_name == "body" or (reached and focused == reached[0]):
            break
        assert account.script("return getComputedStyle(arguments[0]).outlineStyle", focused) != "none", (
            focused.get_attribute("outerHTML")
        )
        reached.append(focused)
    words = [one.accessible_name or one.text for one in reached]
    for control in [
        "Account",
        "Sign out",
        "Devices",
        "Change email",
        "Change password",
        "New token",
        "Export everything",
        "Delete my account…",
    ]:
        assert control in words
    assert words.index("Change email") < words.index("New token") < words.index("Delete my account…")

    account.script("document.querySelector('#tokens summary').focus()")
    account.press(Keys.ENTER)
    account.press(Keys.TAB)
    account.press("By keyboard")
    account.press(Keys.TAB)
    account.press(Keys.ARROW_DOWN)
    account.press(Keys.TAB)
    account.press(Keys.TAB)
    account.press(alice.password)
    account.press(Keys.ENTER)
    account.see("#new-token")
    assert "only adds links" in account.row("tokens", "By keyboard").text
    revoke = next(one for one in account.row("tokens", "By keyboard").find_elements(By.TAG_NAME, "button"))
    assert revoke.accessible_name == "Revoke By keyboard"
    account.script("arguments[0].focus()", revoke)
    account.press(Keys.ENTER)
    account.see("#confirm")
    # Cancel has the focus, so Enter pressed too early deletes nothing.
    account.press(Keys.ENTER)
    account.gone("#confirm")
    assert account.focused() == revoke
    # The page is told of the answer with its next frame.
    wait_until(lambda: revoke.get_attribute("aria-disabled") is None, every=0.03)
    account.press(Keys.ENTER)
    account.see("#confirm")
    account.press(Keys.ESCAPE)
    account.gone("#confirm")
    wait_until(lambda: revoke.get_attribute("aria-disabled") is None, every=0.03)
    account.row("tokens", "By keyboard")
    account.press(Keys.ENTER)
    account.see("#confirm")
    account.press(Keys.TAB, Keys.ENTER)
    account.gone("#tokens li", "By keyboard")
    wait_until(lambda: account.focused().text == "API tokens")


def test_every_control_has_a_name_and_the_page_has_its_landmarks(page, admin_user):
    page.to_account(admin_user)
    for form in ["change-email", "change-password", "make-token", "delete-account"]:
        page.unfold(form)
    for control in page.all("button, input, select, a[href], summary, progress"):
        if control.is_displayed():
            assert control.accessible_name.strip(), control.get_attribute("outerHTML")
    for selector in ["main", "nav[aria-label]", "h1", "[role=status]", "html[lang]"]:
        assert page.all(selector)
    assert page.script(
        "return [...document.querySelectorAll('[id]')].length === new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"
    )
    # The names of buttons in rows identify the row.
    names = [one.accessible_name for one in page.all(".rows button") if one.is_displayed()]
    assert len(set(names)) == len(names)


def test_the_page_requests_nothing_from_other_servers(account):
    asked = account.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert asked and all(one.startswith((account.url, "data:")) for one in asked)


def test_the_texts_of_a_user_are_never_markup(account, alice, lectern):
    teeth = '<img src=x onerror="document.title=1"><b>bold</b>'
    signed_in_from(lectern, alice, teeth)
    made = lectern.auth("POST", "tokens", {"name": teeth, "scope": "read"}, Authorization=f"Bearer {alice.token}")
    assert made.status == 201, made
    account.driver.refresh()
    account.row("tokens", "<b>bold</b>")
    account.row("devices", "<img src=x")
    account.row("activity", "<b>bold</b>")
    account.settled()
    assert account.all("main [onerror], main .rows img, main .rows b") == []
