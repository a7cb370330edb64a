"""How wallabag's clients sign in, and what their tokens may do."""

from urllib.parse import urlencode

import pytest

from support.client import wait_until
from support.feeds import make_token
from support.neighbours import Wallabag, sign_in
from support.sessions import bearer


def credentials(user, password=None):
    return {
        "grant_type": "password",
        "client_id": "1_any",
        "client_secret": "any",
        "username": user.email,
        "password": password or user.password,
    }


def test_a_client_signs_in_with_the_password_in_json_a_form_or_the_query(alice):
    answers = [
        sign_in(alice.lectern, credentials(alice)),
        sign_in(alice.lectern, credentials(alice), json_body=False),
        alice.lectern.send("GET", "/oauth/v2/token?" + urlencode(credentials(alice))),
    ]
    for answer in answers:
        assert (answer.status, answer["content-type"]) == (200, "application/json"), answer
        granted = answer.json()
        assert list(granted) == ["access_token", "expires_in", "token_type", "scope", "refresh_token"]
        assert (granted["token_type"], granted["scope"]) == ("bearer", None) and granted["expires_in"] > 0
        assert Wallabag(alice, granted["access_token"]).ask("GET", "user")["email"] == alice.email
    # The account page lists the sessions and ends them.
    assert len(alice.lectern.auth("GET", "sessions", **bearer(alice.token)).json()) >= 4


def test_no_log_has_the_credentials_of_a_query(alice):
    token = make_token(alice, "full")
    assert alice.lectern.send("GET", "/oauth/v2/token?" + urlencode(credentials(alice, token))).status == 200
    log = alice.lectern.home / "log/access.log"
    # nginx writes the line after the response.
    lines = wait_until(lambda: [line for line in log.read_text().splitlines() if '"path":"/oauth/v2/token"' in line])
    assert '"method":"GET"' in "".join(lines)
    for file in log.parent.iterdir():
        assert token not in file.read_text(errors="replace"), file


def test_a_client_gets_a_new_token_for_its_refresh_token(alice):
    first = sign_in(alice.lectern, credentials(alice)).json()
    renewal = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "client_id": "x"}
    second = sign_in(alice.lectern, renewal)
    assert second.status == 200 and second.json()["refresh_token"] != first["refresh_token"]
    Wallabag(alice, second.json()["access_token"]).ask("GET", "entries")


def test_an_api_token_as_password_is_the_token_that_the_client_gets(alice):
    token = make_token(alice, "full")
    granted = sign_in(alice.lectern, credentials(alice, token) | {"username": alice.email.upper()})
    assert granted.status == 200 and granted.json()["access_token"] == token
    renewal = {"grant_type": "refresh_token", "refresh_token": granted.json()["refresh_token"]}
    assert sign_in(alice.lectern, renewal).json()["access_token"] == token
    client = Wallabag(alice, token)
    client.ask("GET", "entries")
    # It is revoked on the account page.
    [row] = alice.lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert alice.lectern.auth("DELETE", f"tokens/{row['id']}", **bearer(alice.token)).status == 204
    assert client.send("GET", "entries").status == 401
    assert sign_in(alice.lectern, credentials(alice, token)).status == 400


def test_wrong_credentials_get_the_errors_of_oauth(alice, bob):
    lectern = alice.lectern
    token = make_token(alice, "full")
    for body, error in [
        (credentials(alice, "wrong"), "invalid_grant"),
        (credentials(bob, token), "invalid_grant"),
        (credentials(alice, make_token(alice, "feed")), "invalid_grant"),
        (credentials(alice, token[:-1] + "x"), "invalid_grant"),
        (credentials(alice) | {"username": ""}, "invalid_request"),
        (credentials(alice) | {"username": ["x"]}, "invalid_request"),
        (credentials(alice) | {"password": "x" * 1_000}, "invalid_grant"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
        ({}, "unsupported_grant_type"),
    ]:
        answer = sign_in(lectern, body)
        assert (answer.status, answer.json()["error"]) == (400, error), answer
        assert answer.json()["error_description"]
    answer = lectern.send("POST", "/oauth/v2/token", {"Content-Type": "application/json"}, "[")
    assert (answer.status, answer.json()["error"]) == (400, "invalid_request")
    assert lectern.send("PUT", "/oauth/v2/token", {}, "").status == 405


def test_without_a_valid_token_every_route_is_401_in_the_shape_of_oauth(alice):
    lectern = alice.lectern
    cookie = {"Cookie": f"access_token={alice.token}"}
    for headers in [{}, bearer("x"), {"Authorization": f"Token {make_token(alice, 'full')}"}, cookie]:
        for method, path in [("GET", "entries"), ("POST", "entries"), ("GET", "entries/1"), ("GET", "tags.json")]:
            answer = lectern.send(method, f"/api/{path}", headers, "{}" if method == "POST" else None)
            assert (answer.status, answer.json()["error"]) == (401, "invalid_grant"), answer
            assert answer["www-authenticate"].startswith("Bearer")
    answer = lectern.send("GET", "/api/entries", bearer("x"))
    assert answer.json()["error_description"] == "The token is not valid."
    assert lectern.send("GET", "/api/files", bearer("x")).json() == {"error": "The token is not valid."}


ROUTES = [
    ("GET", "entries", ["read", "full"]),
    ("GET", "entries/1", ["read", "full"]),
    ("GET", "entries/exists?url=x", ["read", "full"]),
    ("GET", "entries/1/export.epub", ["read", "full"]),
    ("GET", "entries/1/tags", ["read", "full"]),
    ("GET", "tags", ["read", "full"]),
    ("GET", "annotations/1", ["read", "full"]),
    ("GET", "search?term=x", ["read", "full"]),
    ("GET", "user", ["read", "full"]),
    ("GET", "config", ["read", "full"]),
    ("POST", "entries", ["save", "full"]),
    ("POST", "entries/lists", ["save", "full"]),
    ("PATCH", "entries/1", ["full"]),
    ("DELETE", "entries/1", ["full"]),
    ("PATCH", "entries/1/reload", ["full"]),
    ("POST", "entries/1/tags", ["full"]),
    ("DELETE", "entries/1/tags/1", ["full"]),
    ("DELETE", "entries/lists", ["full"]),
    ("POST", "entries/tags/lists", ["full"]),
    ("DELETE", "entries/tags/list", ["full"]),
    ("DELETE", "tags/1", ["full"]),
    ("DELETE", "tag/label", ["full"]),
    ("DELETE", "tags/label", ["full"]),
    ("POST", "annotations/1", ["full"]),
    ("PUT", "annotations/1", ["full"]),
    ("DELETE", "annotations/1", ["full"]),
]


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_every_route_takes_exactly_the_scopes_that_it_is_for(alice, scope):
    client = Wallabag(alice, make_token(alice, scope))
    for method, path, scopes in ROUTES:
        answer = client.send(method, path, None if method == "GET" else {})
        is_refused = answer.status == 403 and answer.json()["error"] == "insufficient_scope"
        assert is_refused == (scope not in scopes) and answer.status < 500, (path, answer)


def test_a_token_that_only_saves_is_told_nothing_of_a_page_that_is_there(alice):
    full, saving = Wallabag(alice), Wallabag(alice, make_token(alice, "save"))
    old = full.add(title="Mine", tags="one")
    told = saving.add(title="Other", tags="two", archive=1, starred=1)
    assert told == {"id": old["id"], "state": "pending"}
    entry = full.ask("GET", f"entries/{old['id']}")
    assert (entry["title"], entry["is_archived"], entry["is_starred"]) == ("Mine", 0, 0)
    assert [tag["label"] for tag in entry["tags"]] == ["one"]
    new = saving.add(url="http://127.0.0.2/new", title="New", tags="two", archive=1)
    assert set(new) == {"id", "state"}
    entry = full.ask("GET", f"entries/{new['id']}")
    assert (entry["title"], entry["is_archived"], entry["tags"][0]["label"]) == ("New", 1, "two")


def test_extensions_may_ask_from_their_pages(alice):
    """As Wallabagger does: a preflight for each method, and headers that the page may read."""
    origin = {"Origin": "chrome-extension://gbmgphmejlcoihgedabhgjdkcahacjlj"}
    asked = {
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization,content-type,accept",
    }
    for path in ["/oauth/v2/token", "/api/entries.json", "/api/entries/1.json", "/api/version"]:
        preflight = alice.lectern.send("OPTIONS", path, origin | asked)
        assert preflight.status == 204 and preflight["access-control-allow-origin"] == "*"
        assert "PATCH" in preflight["access-control-allow-methods"]
        assert "authorization" in preflight["access-control-allow-headers"]
        assert alice.lectern.send("GET", path, origin)["access-control-allow-origin"] == "*"
