"""Responses that arrive late: a page gets them only when the test wants it."""

import contextlib
import json

from selenium.webdriver.common.keys import Keys

from support.waiting import wait_until

HOLD = """
    const send = window.fetch;
    window.fetch = async (...request) => {
        const response = await send(...request);
        if (!window.release && new RegExp(ADDRESS).test(request[0])) {
            await new Promise((resolve) => { window.release = resolve; });
        }
        return response;
    };
"""
HOLD_METHOD = """
    const sendNow = window.fetch;
    const released = new Promise((resolve) => { window.release = resolve; });
    window.fetch = async (...request) => {
        if (request[1]?.method === METHOD) await released;
        return sendNow(...request);
    };
"""
BUSY = """
    const sendNow = window.fetch;
    window.isBusy = true;
    window.fetch = async (...request) => (isBusy && request[1]?.method === METHOD && request[0].includes(ADDRESS)
        ? new Response('{"message": "The server is busy."}', { status: 503 }) : sendNow(...request));
"""
IS_HELD = "return Boolean(window.release)"


def hold_first(address):
    """A script for a page that holds the first response of an address that matches a regular expression of JavaScript,
    until `release()` is called."""
    return HOLD.replace("ADDRESS", json.dumps(address))


def hold_method(method):
    """A script for a page that sends no request of a method until `release()` is called."""
    return HOLD_METHOD.replace("METHOD", json.dumps(method))


def answer_busy(method, address=""):
    """A script for a page to which the server answers that it is busy, until `isBusy` is false: all requests of a method
    whose address has this text. With `hold_method` after it, they are answered late."""
    return BUSY.replace("METHOD", json.dumps(method)).replace("ADDRESS", json.dumps(address))


def type_while_sending(page, field, sent, typed):
    """Sends a text with the Enter key, and types another one before it is answered."""
    page.script(hold_method("POST"))
    field.send_keys(sent, Keys.ENTER)
    field.clear()
    field.send_keys(typed)
    page.script("release()")


@contextlib.contextmanager
def held_on_load(page, address, also=""):
    """Loads the page again, which gets that response only after the block. Another script may be run there first."""
    source = {"source": hold_first(address) + also}
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    page.driver.refresh()
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    wait_until(lambda: page.script(IS_HELD), every=0.05)
    yield
    release(page)


def release(page):
    page.script("release()")
    # By then, the page has read what was held.
    page.driver.execute_async_script("fetch(location.pathname).then((page) => page.text()).then(arguments[0])")
