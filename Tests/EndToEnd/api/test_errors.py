"""Errors: JSON with a status below 500 for every input, readable by pages of any origin (sections 1.1–1.3, 2.5)."""

import json
import random
import re
import socket
import time
import uuid

import pytest

from support.client import EXPOSED_HEADERS, SHAPE_OF_A_REST_ERROR, base64url, token
from support.paths import CHECKOUT
from support.sessions import bearer

LIMITS = "Sources/REST/Response/TextLimits.swift"
NOBODY = "00000000-0000-0000-0000-000000000000"


def is_an_error(answer, status=None, code=None):
    """The promises of every error under /rest/v1/."""
    assert answer is not None and 400 <= answer.status < 500, answer
    assert answer["content-type"] == "application/json; charset=utf-8", answer
    assert answer["access-control-allow-origin"] and EXPOSED_HEADERS <= answer.exposed_headers()
    assert "no-store" in (answer["cache-control"] or "")
    body = answer.json()
    assert set(body) == SHAPE_OF_A_REST_ERROR and body["message"]
    for inner in [
        "/work",
        "/home",
        "Sources",
        ".swift",
        "libpq",
        "select *",
        "nginx",
        "lectern_owner",
        "authenticator",
    ]:
        assert inner not in answer.body.decode()
    if status:
        assert answer.status in (status if isinstance(status, tuple) else (status,)), answer
    if code:
        assert body["code"] in (code if isinstance(code, tuple) else (code,)), answer
    return True


# Keys


@pytest.mark.parametrize("path", ["/rest/v1/links", "/auth/v1/user", "/auth/v1/token?grant_type=password"])
@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({}, "No API key found in request"),
        ({"apikey": ""}, "No API key found in request"),
        ({"apikey": "wrong"}, "Invalid API key"),
    ],
)
def test_a_request_without_a_key_is_refused(lectern, path, headers, message):
    answer = lectern.send("POST" if "token" in path else "GET", path, headers, "{}" if "token" in path else None)
    assert (answer.status, answer.json()["message"]) == (401, message) and "json" in answer["content-type"]
    assert answer["access-control-allow-origin"]


def test_the_api_key_header_may_have_any_case_and_the_key_may_be_in_the_query(lectern):
    for headers, query in [
        ({"APIKEY": lectern.anon_key}, ""),
        ({"apiKey": lectern.anon_key}, ""),
        ({}, f"?apikey={lectern.anon_key}"),
    ]:
        answer = lectern.send("GET", f"/rest/v1/links{query}", headers)
        assert (answer.status, answer.json()) == (200, [])


def test_a_users_token_is_no_key(alice):
    assert is_an_error(alice.lectern.send("GET", "/rest/v1/links", {"apikey": alice.token}), 401)


def test_anonymous_requests_read_and_write_nothing(alice):
    alice.save("http://127.0.0.2/")
    headers = {"apikey": alice.lectern.anon_key, "Authorization": f"Bearer {alice.lectern.anon_key}"}
    assert alice.lectern.send("GET", "/rest/v1/links", headers).json() == []
    answer = alice.lectern.send("POST", "/rest/v1/links", headers, json.dumps({"raw_url": "x", "user_id": alice.id}))
    assert is_an_error(answer, 401, "42501") and "row-level security" in answer.json()["message"]
    for method in ["PATCH", "DELETE"]:
        answer = alice.lectern.send(method, f"/rest/v1/links?user_id=eq.{alice.id}", headers, '{"status":"read"}')
        assert answer.status in (204, 401)
    assert alice.links("select=status") == [{"status": "unread"}]


def test_the_service_key_sees_all(alice, bob):
    ids = {alice.save("http://127.0.0.2/a")["id"], bob.save("http://127.0.0.2/b")["id"]}
    key = alice.lectern.service_key
    for headers in [{"apikey": key}, {"apikey": key, "Authorization": f"Bearer {key}"}]:
        answer = alice.lectern.send("GET", f"/rest/v1/links?id=in.({','.join(ids)})&select=id", headers)
        assert {row["id"] for row in answer.json()} == ids


# Tokens


def forged(alice, case):
    """An invalid token, made from one that would be accepted."""
    secret, now = alice.lectern.secret(), int(time.time())
    good = {"sub": alice.id, "role": "authenticated", "aud": "authenticated", "exp": now + 600, "iat": now}
    head, body, signature = alice.token.split(".")
    match case:
        case "none" | "None" | "NONE" | "nOnE":
            return ".".join([base64url(json.dumps({"alg": case, "typ": "JWT"}).encode()).decode(), body, ""])
        case "none, signed":
            return token(good, secret, {"alg": "none", "typ": "JWT"})
        case "another algorithm":
            return token(good, secret, {"alg": "HS512", "typ": "JWT"})
        case "a public key's algorithm":
            return token(good, secret, {"alg": "RS256", "typ": "JWT"})
        case "another key":
            return token(good, "0123456789abcdef0123456789abcdef")
        case "an empty key":
            return token(good, "")
        case "the key named in it":
            return token(good, "x", {"alg": "HS256", "jwk": {"kty": "oct", "k": "eA"}})
        case "critical extension":
            return token(good, secret, {"alg": "HS256", "crit": ["b64"], "b64": False})
        case "changed payload":
            return ".".join([head, base64url(json.dumps(good | {"sub": NOBODY}).encode()).decode(), signature])
        case "no signature":
            return f"{head}.{body}."
        case "two parts":
            return f"{head}.{body}"
        case "four parts":
            return f"{alice.token}.{signature}"
        case "half a signature":
            return alice.token[:-20]
        case "rubbish":
            return "rubbish"
        case "rubbish in parts":
            return "a.b.c"
        case "not base 64":
            return "é.ü.ö".encode().decode("latin-1")
        case "empty":
            return ""
        case "expired":
            return token(good | {"exp": now - 60}, secret)
        case "never expires":
            return token({key: value for key, value in good.items() if key != "exp"}, secret)
        case "expiry as text":
            return token(good | {"exp": str(now + 600)}, secret)
        case "not yet valid":
            return token(good | {"nbf": now + 600}, secret)
        case "issued in the future":
            return token(good | {"iat": now + 600}, secret)
        case "unknown role":
            return token(good | {"role": "postgres"}, secret)
        case "the admin's role":
            return token(good | {"role": "lectern_admin"}, secret)
        case "the role of the accounts":
            return token(good | {"role": "auth_service"}, secret)
        case "no role":
            return token({key: value for key, value in good.items() if key != "role"}, secret)
        case "a list of roles":
            return token(good | {"role": ["authenticated"]}, secret)
        case "no user":
            return token({key: value for key, value in good.items() if key != "sub"}, secret)
        case "a user that is no id":
            return token(good | {"sub": "' or true --"}, secret)
        case "a payload that is a list":
            return token([good], secret)


UNDECODABLE = [
    "none",
    "None",
    "NONE",
    "nOnE",
    "none, signed",
    "another algorithm",
    "a public key's algorithm",
    "another key",
    "an empty key",
    "the key named in it",
    "critical extension",
    "changed payload",
    "no signature",
    "two parts",
    "four parts",
    "half a signature",
    "rubbish",
    "rubbish in parts",
    "not base 64",
    "empty",
]
WRONG_CLAIMS = [
    "expired",
    "never expires",
    "expiry as text",
    "not yet valid",
    "issued in the future",
    "unknown role",
    "the admin's role",
    "the role of the accounts",
    "no role",
    "a list of roles",
    "no user",
    "a user that is no id",
    "a payload that is a list",
]


@pytest.mark.parametrize("case", UNDECODABLE + WRONG_CLAIMS)
def test_an_invalid_token_is_refused_and_never_treated_as_anonymous(alice, case):
    alice.save("http://127.0.0.2/")
    bad = forged(alice, case)
    for method, target, body in [("GET", "links", None), ("POST", "links", '{"raw_url":"http://127.0.0.2/2"}')]:
        answer = alice.lectern.send(
            method,
            f"/rest/v1/{target}",
            {"apikey": alice.lectern.anon_key, "Authorization": f"Bearer {bad}", "Content-Type": "application/json"},
            body,
        )
        assert is_an_error(answer, 401, "PGRST301" if case in UNDECODABLE else "PGRST303")
        assert answer["www-authenticate"].startswith('Bearer error="invalid_token"')
    assert len(alice.links()) == 1
    answer = alice.lectern.auth("GET", "user", Authorization=f"Bearer {bad}")
    assert answer.status in (401, 403) and set(answer.json()) == {"code", "error_code", "msg"}


def test_a_token_signed_with_the_secret_is_accepted(alice):
    """Shows that the test above fails for the reasons it names. Clocks may differ by half a minute."""
    now = int(time.time())
    claims = {"sub": alice.id, "role": "authenticated", "exp": now - 5, "iat": now + 20}
    answer = alice.lectern.send(
        "GET",
        "/rest/v1/links",
        {"apikey": alice.lectern.anon_key, "Authorization": f"bEARER {token(claims, alice.lectern.secret())}"},
    )
    assert answer.status == 200


@pytest.mark.parametrize("value", ["Basic YTpi", "Bearer", "Bearer ", "Token x", "x"])
def test_an_unsupported_authorization_scheme_is_not_treated_as_anonymous(alice, value):
    answer = alice.lectern.send("GET", "/rest/v1/links", {"apikey": alice.lectern.anon_key, "Authorization": value})
    assert is_an_error(answer, 401, "PGRST301")


def test_two_authorization_headers_are_refused(alice, bob):
    headers = [
        ("apikey", alice.lectern.anon_key),
        ("Authorization", f"Bearer {alice.token}"),
        ("Authorization", f"Bearer {bob.token}"),
    ]
    assert is_an_error(alice.lectern.send("GET", "/rest/v1/links", headers), (400, 401))


@pytest.mark.parametrize(
    "headers",
    [
        {"X-User-Id": "{id}"},
        {"Cookie": "sb-access-token={token}"},
        {"X-Forwarded-User": "{id}"},
        {"Remote-User": "{id}"},
        {"Request-Jwt-Claims": '{{"sub":"{id}"}}'},
        {"X-Supabase-Auth": "{token}"},
        {"Role": "service_role"},
    ],
)
def test_identity_comes_only_from_the_token(alice, bob, headers):
    alice.save("http://127.0.0.2/")
    headers = {name: value.format(id=alice.id, token=alice.token) for name, value in headers.items()}
    assert bob.rest("GET", f"links?user_id=eq.{alice.id}", **headers).json() == []
    assert bob.rest("POST", "links", {"raw_url": "x", "user_id": alice.id}, **headers).status == 403


# CORS


@pytest.mark.parametrize(
    "path",
    [
        "/rest/v1/links",
        "/rest/v1/nothing",
        "/auth/v1/token?grant_type=password",
        "/storage/v1/object/public/a/b",
        "/functions/v1/x",
    ],
)
@pytest.mark.parametrize(
    "origin", ["https://app.example.org", "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "null"]
)
def test_a_preflight_is_answered_before_any_key_is_asked_for(lectern, path, origin):
    asked = (
        "authorization, apikey, content-type, prefer, range, range-unit, accept-profile, content-profile, x-client-info, "
        "x-supabase-api-version, x-retry-count, x-region, x-something-new"
    )
    answer = lectern.send(
        "OPTIONS",
        path,
        {"Origin": origin, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": asked},
    )
    assert answer.status in (200, 204) and answer["access-control-allow-origin"] in ("*", origin)
    allowed = {name.strip().lower() for name in answer["access-control-allow-headers"].split(",")}
    assert {name.strip() for name in asked.split(",")} <= allowed
    methods = {name.strip() for name in answer["access-control-allow-methods"].split(",")}
    assert {"GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "HEAD"} <= methods
    assert int(answer["access-control-max-age"]) > 0


@pytest.mark.parametrize("asked", ["x-" + "a" * 20_000, "a;b", "<script>", 'a"b'])
def test_a_preflight_echoes_only_header_names_and_is_bounded(lectern, asked):
    answer = lectern.send(
        "OPTIONS",
        "/rest/v1/links",
        {"Origin": "null", "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": asked},
    )
    assert answer.status in (200, 204) and asked not in answer["access-control-allow-headers"]


def test_a_response_names_the_allowed_origin_once(alice):
    for answer in [
        alice.rest("GET", "links", Origin="https://a.example"),
        alice.rest("GET", "nothing", Origin="https://a.example"),
    ]:
        assert [value for name, value in answer.fields if name == "access-control-allow-origin"] in (
            ["*"],
            ["https://a.example"],
        )


# Invalid requests


@pytest.mark.parametrize(
    ("method", "target", "status", "code"),
    [
        ("GET", "nothing", 404, "PGRST205"),
        ("GET", "users", 404, "PGRST205"),
        ("GET", "done_jobs", 404, "PGRST205"),
        ("GET", "auth.users", 404, "PGRST205"),
        ("GET", "pg_class", 404, "PGRST205"),
        ("GET", "a/b/c", 404, "PGRST125"),
        ("GET", "rpc/nothing", 404, "PGRST202"),
        ("POST", "rpc/nothing", 404, "PGRST202"),
        ("TRACE", "links", 405, None),
        ("PURGE", "links", 405, "PGRST117"),
        ("GET", "links?id", 400, "PGRST100"),
        ("GET", "links?id=", 400, "PGRST100"),
        ("GET", "links?id=xx.1", 400, "PGRST100"),
        ("GET", "links?or=(", 400, "PGRST100"),
        ("GET", "links?or=(id.eq.1", 400, "PGRST100"),
        ("GET", "links?and=()", 400, "PGRST100"),
        ("GET", "links?order=id.sideways", 400, "PGRST100"),
        ("GET", "links?select=id,,title", 400, "PGRST100"),
        ("GET", "links?nothing=eq.1", 400, "42703"),
        ("GET", "links?select=nothing", 400, "42703"),
        ("GET", "links?order=nothing", 400, "42703"),
        ("GET", "links?id=eq.zzz", 400, "22P02"),
        ("GET", "links?is_starred=eq.maybe", 400, "22P02"),
        ("GET", "links?created_at=gt.yesterdayish", 400, "22007"),
        ("GET", "links?created_at=gt.2024-13-45", 400, "22008"),
        ("GET", "links?raw_url=eq.a%00b", 400, ("22021", "PGRST100", "PGRST102")),
        ("GET", "links?raw_url=eq.%FF%FE", 400, ("22021", "PGRST100")),
        ("GET", "links?raw_url=eq.%E2%82", 400, ("22021", "PGRST100")),
        ("GET", "links?limit=-1", 416, "PGRST103"),
        ("GET", "links?limit=ten", 400, "PGRST100"),
        ("GET", "links?select=count()", 400, "PGRST123"),
        ("GET", "links?select=*,nothing(*)", 400, "PGRST200"),
        ("GET", "rpc/count_links?query=x&select=count", 400, "42703"),
        ("GET", "links?nothing.id=eq.1", 400, "PGRST108"),
        ("DELETE", "links", 400, "21000"),
    ],
)
def test_an_invalid_request_names_its_error(alice, method, target, status, code):
    answer = alice.rest(method, target)
    assert is_an_error(answer, status, code)


def test_another_schema_is_not_acceptable(alice):
    assert is_an_error(alice.rest("GET", "links", Accept_Profile="auth"), 406, "PGRST106")
    assert is_an_error(alice.rest("POST", "links", {"raw_url": "x"}, Content_Profile="private"), 406, "PGRST106")
    assert alice.rest("GET", "links", Accept_Profile="public", Content_Profile="public").status == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "PGRST102"),
        ("{", 400, "PGRST102"),
        ('{"raw_url":', 400, "PGRST102"),
        ("nonsense", 400, "PGRST102"),
        ('"text"', 400, "PGRST102"),
        ("7", 400, "PGRST102"),
        ("null", 400, "PGRST102"),
        ("[1]", 400, "PGRST102"),
        ('[{"raw_url":"a"},{"title":"b"}]', 400, "PGRST102"),
        ('{"raw_url":"a"} x', 400, "PGRST102"),
        ('{"raw_url":"a\\u0000b"}', 400, ("22P05", "PGRST102")),
        ('{"raw_url":"a\\ud800b"}', 400, ("22P05", "22P02", "PGRST102")),
        (b'{"raw_url":"\xff\xfe"}', 400, ("22021", "PGRST102")),
        (b'{"raw_url":"a\x00b"}', 400, ("22021", "22P05", "PGRST102")),
        (b"\xff\xfe{\x00}\x00", 400, "PGRST102"),
        ('{"raw_url":"a","nothing":1}', 400, "PGRST204"),
        ('{"raw_url":null}', 400, "23502"),
        ("{}", 400, "23502"),
        ('{"raw_url":"a","is_starred":"maybe"}', 400, "22P02"),
        ('{"raw_url":"a","id":"zzz"}', 400, "22P02"),
        ('{"raw_url":"a","created_at":"soon"}', 400, "22007"),
        ('{"raw_url":"a","created_at":"2024-13-45"}', 400, "22008"),
        *[
            (f'{{"raw_url":"a","created_at":"{moment}"}}', 400, "22008")
            for moment in ("infinity", "-infinity", "0001-12-31 BC", "10000-01-01T00:00:00Z")
        ],
        ('{"raw_url":"a","list":"inbox"}', 400, "23514"),
        (f'{{"raw_url":"a","user_id":"{NOBODY}"}}', 403, "42501"),
        ('{"raw_url":""}', 400, "23514"),
    ],
)
def test_a_body_that_cannot_be_stored_has_a_reason(alice, body, status, code):
    assert is_an_error(alice.rest("POST", "links", body), status, code)
    assert alice.links() == []


def test_the_time_of_a_link_is_changed_only_to_one_that_every_program_can_read(alice, admin):
    kept = {"created_at": "0001-01-01T00:00:00+00:00"}
    link = alice.save("http://127.0.0.9:9/a", **kept)
    path = f"links?id=eq.{link['id']}"
    for moment in ("infinity", "-infinity", "0001-12-31 BC", "10000-01-01T00:00:00Z"):
        answer = alice.rest("PATCH", path, {"created_at": moment})
        assert is_an_error(answer, 400, "22008") and "created_at" in answer.json()["message"]
    # The server sets the other one.
    assert alice.rest("PATCH", path, {"updated_at": "infinity"}).status == 204
    assert alice.link(link["id"])["updated_at"] < "2100"
    assert alice.link(link["id"])["created_at"] == link["created_at"] == kept["created_at"]
    assert alice.rest("PATCH", path, {"created_at": "9999-12-31T23:59:59Z"}).status == 204
    # A link that has such a time already can be changed, also by a client that sends its whole row.
    admin.execute(
        "update public.links set created_at = 'infinity', updated_at = 'infinity' where id = %s", [link["id"]]
    )
    assert alice.rest("PATCH", path, {"title": "Changed"}).status == 204
    assert alice.link(link["id"])["updated_at"] < "2100"
    row = {"id": link["id"], "raw_url": link["raw_url"], "title": "Sent", "created_at": "infinity"}
    answer = alice.rest("POST", "links", row, Prefer="resolution=merge-duplicates")
    assert answer.status in (200, 201), answer
    assert alice.link(link["id"])["title"] == "Sent"


def test_a_body_of_another_type_is_refused(alice):
    answer = alice.lectern.send("POST", "/rest/v1/links", alice.headers | {"Content-Type": "text/html"}, "<p>")
    assert is_an_error(answer, (400, 415), "PGRST102")
    answer = alice.lectern.send(
        "POST",
        "/rest/v1/links",
        alice.headers | {"Content-Type": "APPLICATION/json;charset=UTF-8"},
        '{"raw_url":"http://127.0.0.2/"}',
    )
    assert answer.status == 201


def test_unknown_rows_and_targets_are_client_errors(alice):
    assert is_an_error(
        alice.rest("POST", "links?on_conflict=title", {"raw_url": "a"}, Prefer="resolution=merge-duplicates"),
        400,
        "42P10",
    )
    assert is_an_error(
        alice.rest("GET", "links?id=eq." + NOBODY, Accept="application/vnd.pgrst.object+json"), 406, "PGRST116"
    )
    assert is_an_error(alice.rest("PATCH", "links", {"status": "read"}), 400, "21000")


@pytest.mark.parametrize("prefer", ["return=minimal", "return=representation"])
def test_a_write_of_a_single_object_changes_one_row_or_none(alice, prefer):
    headers = {"Accept": "application/vnd.pgrst.object+json", "Prefer": prefer}
    for name in "ab":
        alice.rest("POST", "links", {"raw_url": name})
    for method, body in [("PATCH", {"status": "read"}), ("DELETE", None)]:
        assert is_an_error(alice.rest(method, "links?raw_url=in.(a,b)", body, **headers), 406, "PGRST116")
        assert is_an_error(alice.rest(method, "links?raw_url=eq.c", body, **headers), 406, "PGRST116")
    assert [link["status"] for link in alice.links()] == ["unread", "unread"]
    assert alice.rest("PATCH", "links?raw_url=eq.a", {"status": "read"}, **headers).status in (200, 204)


def test_a_write_never_exceeds_its_row_limit(alice):
    for name in "ab":
        alice.rest("POST", "links", {"raw_url": name})
    most = "handling=strict, max-affected="
    for method, body in [("PATCH", {"status": "read"}), ("DELETE", None)]:
        assert is_an_error(alice.rest(method, "links?raw_url=in.(a,b)", body, Prefer=most + "1"), 400, "PGRST124")
    assert [link["status"] for link in alice.links()] == ["unread", "unread"]
    assert alice.rest("PATCH", "links?raw_url=in.(a,b)", {"status": "read"}, Prefer=most + "2").status == 204


def test_an_alias_may_have_the_name_of_an_internal_column(alice):
    alice.rest("POST", "links", {"raw_url": "a"})
    assert alice.rest("GET", "links?select=_page:raw_url,_body:status").json() == [{"_page": "a", "_body": "unread"}]


@pytest.mark.parametrize("filter", ["tags=not.is.null", "or=(tags.not.is.null)"])
def test_a_write_whose_filter_tests_an_embedded_relation_changes_nothing(alice, filter):
    id = alice.save("no address, untagged")["id"]
    for method, body in [("DELETE", None), ("PATCH", {"title": "changed"})]:
        answer = alice.rest(method, f"links?id=eq.{id}&select=id,tags(name)&{filter}", body)
        assert is_an_error(answer, 400, "42703")
    assert alice.link(id)["title"] != "changed"


def test_an_error_names_a_function_and_no_internal_alias(alice):
    answer = alice.rest("POST", "rpc/count_links?select=count", {"query": ""})
    assert (answer.status, answer.json()["message"]) == (400, "column count_links.count does not exist"), answer


def test_a_refused_change_of_an_id_reveals_nothing_about_referring_rows(alice):
    id = alice.settled(alice.save("not an address")["id"])["id"]
    answer = alice.rest("PATCH", f"links?id=eq.{id}", {"id": str(uuid.uuid4())})
    assert answer.status == 204 or is_an_error(answer) and "job" not in answer.body.decode()


def test_auth_reports_bad_bodies_in_its_own_shape(lectern):
    for body in [
        "",
        "{",
        "[]",
        "7",
        '{"email":7,"password":7}',
        b"\xff",
        '{"email":"a\\u0000@b.c","password":"123456"}',
    ]:
        answer = lectern.send(
            "POST",
            "/auth/v1/token?grant_type=password",
            {"apikey": lectern.anon_key, "Content-Type": "application/json"},
            body,
        )
        assert answer.status == 400 and set(answer.json()) == {"code", "error_code", "msg"}, (body, answer)


@pytest.mark.parametrize(
    "path",
    [
        "/storage/v1/object/public/psreadthis/other.json",
        "/storage/v1/object/public/other/psreadthis-config.json",
        "/storage/v1/object/public/psreadthis/../../../etc/passwd",
        "/storage/v1/object/public/psreadthis/%2e%2e/%2e%2e/lectern.env",
        "/storage/v1/object/public/psreadthis/psreadthis-config.json%00",
        "/storage/v1/object/secret/a/b",
        "/storage/v1/",
    ],
)
def test_there_is_one_public_file(lectern, path):
    answer = lectern.send("GET", path)
    assert answer.status in (400, 404)
    assert set(answer.json()) == {"statusCode", "error", "message"}


def test_an_unsupported_method_has_the_code_of_its_path(alice):
    answer = alice.lectern.send("GET", "/functions/v1/qr-code", alice.headers)
    assert (answer.status, answer.json()["code"], answer["allow"]) == (405, "METHOD_NOT_ALLOWED", "POST"), answer
    answer = alice.lectern.send("POST", "/storage/v1/object/public/psreadthis/psreadthis-config.json", alice.headers)
    assert (answer.status, answer.json()["error"]) == (405, "method_not_allowed"), answer


def test_an_unknown_function_is_not_found(alice):
    answer = alice.lectern.send("POST", "/functions/v1/nothing", alice.headers, "{}")
    assert answer.status == 404 and answer.json()["code"] == "NOT_FOUND" and answer.json()["message"]


# Limits


def test_a_body_of_eleven_megabytes_is_too_large(alice):
    body = json.dumps({"raw_url": "x" * 11_000_000})
    assert is_an_error(alice.rest("POST", "links", body), 413)
    answer = alice.lectern.send("POST", "/auth/v1/signup", {"apikey": alice.lectern.anon_key}, "x" * 1_100_000)
    assert answer.status == 413 and "json" in answer["content-type"]


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" * 100_000,
        '{"raw_url":' + "[" * 100_000 + "]" * 100_000 + "}",
        '[{"raw_url":' * 100_000,
    ],
)
def test_json_a_hundred_thousand_deep_is_refused(alice, body):
    assert is_an_error(alice.rest("POST", "links", body), 400)
    assert alice.rest("GET", "links").status == 200


def test_deeply_nested_expressions_are_refused(alice):
    assert is_an_error(alice.rest("GET", "links?or=" + "(and" * 5_000 + "(id.eq.1" + ")" * 5_000), 400)


def test_a_thousand_headers_are_answered(alice):
    headers = list(alice.headers.items()) + [(f"X-Header-{n}", "x" * 10) for n in range(1_000)]
    answer = alice.lectern.send("GET", "/rest/v1/links", headers)
    assert answer.status == 200 or is_an_error(answer, (400, 431))


def test_a_request_line_of_33_kb_is_too_long_and_one_of_32_is_not(alice):
    ids = ",".join([NOBODY] * 300)
    assert alice.rest("GET", f"links?id=in.({ids})").json() == []
    assert alice.rest("GET", "links?title=eq." + "x" * 31_500).json() == []
    assert is_an_error(alice.rest("GET", "links?title=eq." + "x" * 34_000), 414)


def test_errors_before_the_application_have_the_shape_of_their_family(alice):
    """Of nginx, and of the application while it does not know the caller yet."""
    token = bearer(alice.token)
    long = "x" * 40_000
    body = json.dumps({"url": "x" * 11_000_000})
    headers = list(token.items()) + [(f"X-Header-{n}", "x" * 1_000) for n in range(80)]
    wide = token | {"X-Header": "x" * 60_000}
    for method, path in [("GET", f"/api/file?name={long}"), ("GET", f"/api/files?x={long}")]:
        answer = alice.lectern.send(method, path, token)
        assert (answer.status, answer.json()) == (414, {"error": "The request line is too long"}), answer
    for path in ("/api/save", "/api/session", "/api/highlights"):
        answer = alice.lectern.send("POST", path, token, body)
        assert (answer.status, list(answer.json())) == (413, ["error"]), (path, answer)
        assert isinstance(answer.json()["error"], str)
    for fields in (headers, wide):
        answer = alice.lectern.send("GET", "/api/files", fields)
        assert answer.status == 431 and isinstance(answer.json()["error"], str), answer
    reader = "/api/greader.php/reader/api/0"
    for status, answer in [
        (414, alice.lectern.send("GET", f"{reader}/stream/contents/{long}", token)),
        (413, alice.lectern.send("POST", f"{reader}/edit-tag", token, body)),
        (431, alice.lectern.send("GET", f"{reader}/tag/list", headers)),
        (431, alice.lectern.send("GET", f"{reader}/tag/list", wide)),
    ]:
        assert answer.status == status and answer.body.startswith(b"Error=") and answer.body.endswith(b"\n"), answer
        assert answer["content-type"].startswith("text/plain"), answer["content-type"]
    assert alice.lectern.send("GET", f"/api/entries?x={long}", token).json()["error"]["code"] == 414


def test_every_check_of_a_length_is_described_by_its_limit(admin):
    """The sentences are in Sources/REST/Response/TextLimits.swift, by the names of the checks."""
    sentences = dict(re.findall(r'^ +"(\w+)": "(.*)",$', (CHECKOUT / LIMITS).read_text(), re.M))
    checks = admin.execute("""
        select conname, pg_get_constraintdef(oid) from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace and pg_get_constraintdef(oid) ~ 'length'
            and conrelid not in ('public.pictures'::regclass, 'public.link_pictures'::regclass)""").fetchall()
    assert len(checks) > 25
    for name, check in checks:
        if name != "link_merges_link_length":
            limit = max(int(number) for number in re.findall(r"<= (\d+)", check))
            assert f"{limit:,} characters" in sentences[name], (name, check)


def test_a_value_too_large_for_an_index_is_the_clients_fault(alice):
    """Random, because PostgreSQL compresses repetitive text."""
    url = "http://127.0.0.2/" + "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=60_000))
    assert is_an_error(alice.rest("POST", "links", {"raw_url": url}), (400, 413))


# The longest texts of a link, in characters.
LENGTHS = {
    "title": 10_000,
    "description": 1_000_000,
    "device_saved": 1_000,
    "site_name": 1_000,
    "lang": 100,
    "resolved_url": 65_536,
    "image": 65_536,
}


@pytest.mark.parametrize("column, length", LENGTHS.items())
def test_a_text_of_a_link_has_a_limit(alice, column, length):
    link = alice.save("http://127.0.0.2/texts", **{column: "é" * length})
    too_long = {column: "é" * (length + 1)}
    saved = alice.rest("POST", "links", {"raw_url": "http://127.0.0.2/other"} | too_long)
    changed = alice.rest("PATCH", f"links?id=eq.{link['id']}", too_long)
    for answer in (saved, changed):
        assert is_an_error(answer, 400, "23514"), answer
    assert [len(row[column]) for row in alice.links(f"select={column}")] == [length]


@pytest.mark.parametrize("column", sorted(LENGTHS.keys() - {"resolved_url"}))
def test_another_spelling_of_a_link_records_no_longer_text(alice, column):
    """What the link does not take is stored with the merge."""
    alice.save("http://127.0.0.2/texts", **{column: "mine"})
    body = {"raw_url": "http://127.0.0.2/texts?utm_source=x", column: "é" * (LENGTHS[column] + 1)}
    assert is_an_error(alice.rest("POST", "links", body), 400, "23514")
    assert alice.rest("GET", "link_merges?select=id").json() == []


@pytest.mark.parametrize(
    "data",
    [
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
        b"GET /rest/v1/links HTTP/9.9\r\n\r\n",
        b"GET /rest/v1/links HTTP/1.1\r\n\r\n",
        b"GET /rest/v1/links HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /rest/v1/%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /rest/v1/../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /rest/v1/links\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /rest/v1/links HTTP/1.1\r\nHost: a\r\nA\x00B: c\r\n\r\n",
    ],
)
def test_bytes_that_are_not_http_do_no_harm(lectern, data):
    answer = lectern.send_bytes(data)
    assert answer is None or (answer.status < 500 or answer.status == 505) and answer.json()
    assert lectern.send("GET", "/health").status == 200


def test_a_client_that_disconnects_does_no_harm(alice):
    head = "".join(f"{name}: {value}\r\n" for name, value in alice.headers.items())
    for sent in (b"", b'{"raw_url":', b"{" * 50_000):
        data = f"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\n{head}Content-Length: 100000\r\n\r\n".encode() + sent
        with socket.create_connection((alice.lectern.host, alice.lectern.port)) as connection:
            connection.sendall(data)
    assert alice.links() == []


def test_chunked_bodies_and_bodies_with_expect_100_continue_arrive(alice):
    head = "".join(f"{name}: {value}\r\n" for name, value in alice.headers.items())
    body = b'{"raw_url":"http://127.0.0.2/chunks"}'
    chunks = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in (body[:10], body[10:])) + b"0\r\n\r\n"
    answer = alice.lectern.send_bytes(
        f"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\n{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks
    )
    assert answer.status == 201
    answer = alice.lectern.send(
        "POST", "/rest/v1/links", alice.headers | {"Expect": "100-continue"}, '{"raw_url":"http://127.0.0.2/asks"}'
    )
    assert answer.status == 201 and len(alice.links()) == 2


def test_every_response_has_a_request_id_and_forbids_caching(alice):
    ids = [alice.rest("GET", "links")["x-request-id"] for _ in range(3)]
    assert len(set(ids)) == 3 and all(re.fullmatch("[0-9a-f]{32}", id) for id in ids)
    for answer in [
        alice.rest("GET", "links"),
        alice.lectern.auth("GET", "user", Authorization=f"Bearer {alice.token}"),
    ]:
        assert "no-store" in answer["cache-control"]
