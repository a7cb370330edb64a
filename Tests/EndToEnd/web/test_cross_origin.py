"""A page of another origin uses the API in a real browser as supabase-js does, under the browser's cross-origin
rules."""

import json

import pytest

from support import web_server
from support.browser import ListPage

PAGE = b"<!doctype html><title>Another origin</title><p>A page that has nothing to do with Lectern."

# The requests of supabase-js, and what a page can see of the responses.
CALL = """
    const [url, key, token, method, target, body, more, done] = arguments;
    const headers = {apikey: key, authorization: `Bearer ${token || key}`, "x-client-info": "supabase-js-web/2.50.0",
        "x-supabase-api-version": "2024-01-01", ...more};
    if (body !== null) headers["content-type"] = "application/json";
    if (target.startsWith("/rest/")) headers[method === "GET" || method === "HEAD" ? "accept-profile" : "content-profile"] = "public";
    fetch(url + target, {method, headers, body: body === null ? undefined : JSON.stringify(body), cache: "no-store"})
        .then(async answer => done({status: answer.status, body: await answer.text(),
            headers: Object.fromEntries([...answer.headers])}))
        .catch(error => done({failed: String(error)}));
"""


@pytest.fixture(scope="module")
def elsewhere():
    class Handler(web_server.Handler):
        def do_GET(self):
            # A sandboxed frame has the origin `null`.
            sandbox = {"Content-Security-Policy": "sandbox allow-scripts"} if self.path == "/sandboxed" else {}
            self.answer(PAGE, "text/html", **sandbox)

    with web_server.WebServer(Handler) as server:
        yield server.url


@pytest.fixture(scope="module")
def browser(elsewhere, chromium):
    return ListPage(elsewhere, chromium)


class Page:
    def __init__(self, browser, lectern, user):
        self.browser, self.lectern, self.user, self.token = browser, lectern, user, None

    def call(self, method, target, body=None, **more):
        headers = {name.replace("_", "-").lower(): value for name, value in more.items()}
        answer = self.browser.driver.execute_async_script(
            CALL, self.lectern.url, self.lectern.anon_key, self.token, method, target, body, headers
        )
        assert "failed" not in answer, answer
        answer["json"] = json.loads(answer["body"]) if answer["body"] else None
        return answer


@pytest.fixture(params=["another port", "null"])
def page(request, browser, lectern, alice):
    browser.open("sandboxed" if request.param == "null" else "")
    assert (browser.driver.execute_script("return origin") == "null") == (request.param == "null")
    return Page(browser, lectern, alice)


def test_a_page_of_another_origin_signs_in_lists_saves_changes_and_deletes(page):
    session = page.call(
        "POST", "/auth/v1/token?grant_type=password", {"email": page.user.email, "password": page.user.password}
    )
    assert session["status"] == 200
    page.token = session["json"]["access_token"]
    link = {"raw_url": "no address", "user_id": page.user.id, "list": "read"}
    assert page.call("POST", "/rest/v1/links", link, Prefer="return=minimal")["status"] == 201
    again = page.call("POST", "/rest/v1/links", link, Prefer="return=minimal, resolution=merge-duplicates")
    assert again["status"] == 409 and again["json"]["code"] == "23505"
    listed = page.call(
        "GET",
        "/rest/v1/links?select=*&order=updated_at.desc&limit=1",
        Prefer="count=exact",
        Range_Unit="items",
        Range="0-4",
    )
    assert listed["status"] == 200 and listed["headers"]["content-range"] == "0-0/1"
    id = listed["json"][0]["id"]
    assert page.call("PATCH", f"/rest/v1/links?id=eq.{id}", {"is_starred": True}, Prefer="return=representation")[
        "json"
    ][0]["is_starred"]
    tag = page.call("GET", "/rest/v1/tags?select=*")["headers"]["etag"]
    assert page.call("GET", "/rest/v1/tags?select=*", If_None_Match=tag)["status"] in (200, 304)
    late = page.call(
        "PATCH", f"/rest/v1/links?id=eq.{id}", {"status": "read"}, X_Lectern_Acted_At="2020-01-01T00:00:00Z"
    )
    assert late["status"] == 204 and late["headers"]["x-lectern-superseded"] == "1"
    called = page.call("POST", "/rest/v1/rpc/save_page", {"url": "no address too", "html": "<p>x"})
    assert called["status"] == 200
    assert page.call("DELETE", f"/rest/v1/links?id=eq.{id}")["status"] == 204
    assert page.call("HEAD", "/rest/v1/links", Prefer="count=exact")["headers"]["content-range"] == "0-0/1"


@pytest.mark.parametrize(
    "method, target, body, status",
    [
        ("GET", "/rest/v1/nope", None, 404),
        ("GET", "/rest/v1/links?id=foo", None, 400),
        ("POST", "/rest/v1/rpc/nope", {}, 404),
        ("POST", "/auth/v1/token?grant_type=password", {"email": "nobody@example.org", "password": "wrong"}, 400),
        ("POST", "/functions/v1/nope", {}, 404),
        ("GET", "/storage/v1/object/public/nope/nope", None, 404),
        ("GET", "/nope/at/all", None, 404),
    ],
)
def test_a_page_can_read_every_error(page, method, target, body, status):
    answer = page.call(method, target, body)
    assert answer["status"] == status and answer["json"]
