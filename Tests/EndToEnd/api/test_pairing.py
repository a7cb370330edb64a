"""Pairing: a code that a signed-in device shows gives another device an API token of its own."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.sessions import bearer

CODE = r"[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}"


def start(user, body=None):
    return user.lectern.auth("POST", "pairings", body or {}, **bearer(user.token))


def code_of(user):
    answer = start(user)
    assert answer.status == 201, answer
    return answer.json()["code"]


def claim(lectern, code, device="Phone", **more):
    """Without a key and without a token, as a new device sends it."""
    body = {"code": code, "device": device} | more
    return lectern.send("POST", "/auth/v1/pairings/claim", {"Content-Type": "application/json"}, json.dumps(body))


def is_refused(answer):
    return (answer.status, answer.json()["error_code"]) == (403, "otp_expired")


def test_a_code_gives_a_token_that_works_and_can_be_revoked(lectern, alice):
    made = start(alice)
    assert made.status == 201, made
    made = made.json()
    assert re.fullmatch(CODE, made["code"]) and made["url"] == f"{lectern.url}/pair/#{made['code']}"
    assert made["qr"].startswith("<svg ") and "T" in made["expires_at"]
    answer = claim(lectern, made["code"], "My phone 📱")
    assert answer.status == 201, answer
    paired = answer.json()
    assert set(paired) == {"token", "email", "id"} and paired["email"] == alice.email
    headers = {"Authorization": f"Bearer {paired['token']}", "Content-Type": "application/json"}
    saved = lectern.send("POST", "/rest/v1/links", headers, json.dumps({"raw_url": "http://127.0.0.2/paired"}))
    assert saved.status == 201 and [link["raw_url"] for link in alice.links()] == ["http://127.0.0.2/paired"]
    [token] = lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert (token["id"], token["name"], token["scope"]) == (paired["id"], "My phone 📱", "full")
    created = [
        line for line in lectern.auth("GET", "audit", **bearer(alice.token)).json() if line["action"] == "token_created"
    ]
    assert [line["details"]["name"] for line in created] == ["My phone 📱"]
    assert lectern.auth("DELETE", f"tokens/{paired['id']}", **bearer(alice.token)).status == 204
    assert lectern.send("GET", "/rest/v1/links", headers).status == 401


def test_a_code_may_be_typed_in_any_case_with_and_without_the_hyphen(lectern, alice):
    for write in [str.lower, lambda code: code.replace("-", ""), lambda code: f" {code.replace('-', ' ')} "]:
        assert claim(lectern, write(code_of(alice))).status == 201
    code = code_of(alice)
    assert claim(lectern, code.replace("0", "o").replace("1", "l")).status == 201


def test_a_code_works_once_even_when_many_devices_send_it_at_the_same_time(lectern, alice):
    code = code_of(alice)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: claim(lectern, code), range(4)))
    assert sorted(answer.status for answer in answers) == [201, 403, 403, 403], answers
    assert is_refused(claim(lectern, code))
    assert len(lectern.auth("GET", "tokens", **bearer(alice.token)).json()) == 1


def test_an_expired_code_and_those_of_a_user_who_may_not_sign_in_are_refused(lectern, alice, admin):
    for change in [
        "update auth.pairings set expires_at = now() where user_id = %s",
        "update auth.users set banned_until = now() + '1 hour' where id = %s",
        "update auth.users set banned_until = null, encrypted_password = 'x' where id = %s",
        "delete from auth.users where id = %s",
    ]:
        code = code_of(alice)
        admin.execute(change, (alice.id,))
        assert is_refused(claim(lectern, code)), change
        admin.execute("update auth.users set banned_until = null where id = %s", (alice.id,))
    assert admin.execute("select count(*) from auth.pairings where user_id = %s", (alice.id,)).fetchone() == (0,)


def test_a_code_gives_a_token_of_its_own_user_only(lectern, alice, bob):
    codes = {user.email: code_of(user) for user in (alice, bob)}
    for email, code in codes.items():
        assert claim(lectern, code).json()["email"] == email
    for user in (alice, bob):
        assert len(lectern.auth("GET", "tokens", **bearer(user.token)).json()) == 1


def test_a_new_code_replaces_the_oldest_of_five(lectern, alice, bob, admin):
    others = code_of(bob)
    codes = [code_of(alice) for _ in range(6)]
    assert admin.execute("select count(*) from auth.pairings where user_id = %s", (alice.id,)).fetchone() == (5,)
    assert is_refused(claim(lectern, codes[0]))
    assert [claim(lectern, code).status for code in [codes[1], codes[5], others]] == [201, 201, 201]


def test_making_a_code_needs_a_fresh_sign_in_or_the_password(lectern, alice, admin):
    admin.execute("update auth.sessions set created_at = now() - interval '1 hour' where user_id = %s", (alice.id,))
    assert start(alice).json()["error_code"] == "reauthentication_needed"
    assert start(alice, {"password": "wrong"}).json()["error_code"] == "invalid_credentials"
    assert start(alice, {"password": alice.password}).status == 201


def test_only_a_session_makes_a_code(lectern, alice):
    assert lectern.auth("POST", "pairings", {}).status == 401
    token = claim(lectern, code_of(alice)).json()["token"]
    answer = lectern.send("POST", "/auth/v1/pairings", {"Authorization": f"Bearer {token}"}, "{}")
    assert (answer.status, answer.json()["error_code"]) == (403, "insufficient_scope")
    assert lectern.auth("GET", "pairings", **bearer(alice.token)).status == 405


@pytest.mark.parametrize(
    "body, status",
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"{}", 400),
        (b'{"code": 5}', 400),
        (b'{"code": null}', 400),
        (b'{"code": ""}', 400),
        (b'{"code": "AAAAA-AAAAU"}', 403),
        (b'{"code": "AAAAA"}', 403),
        (b'{"code": "' + b"A" * 10_000 + b'"}', 403),
        (b'{"code": "AAAAA-AAAAA", "device": "' + b"x" * 101 + b'"}', 400),
        (b'{"code": "\xff"}', 400),
        (b'{"code": "a\\u0000b"}', 403),
    ],
)
def test_what_is_no_code_is_a_clear_error(lectern, body, status):
    answer = lectern.send("POST", "/auth/v1/pairings/claim", {"Content-Type": "application/json"}, body)
    assert answer.status == status and answer.json()["msg"], answer


def test_a_device_without_a_name_and_a_name_with_nul(lectern, alice):
    assert claim(lectern, code_of(alice), "  ").status == 201
    [token] = lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert token["name"] == "Paired device"
    assert claim(lectern, code_of(alice), "a\0b").status == 400


def test_a_user_with_the_most_tokens_is_told_so_and_keeps_the_code(lectern, alice, admin):
    code = code_of(alice)
    admin.execute(
        "insert into auth.api_tokens (user_id, name, scope, prefix, token_hash)"
        " select %s, 'x', 'read', 'x', sha256((%s || n)::bytea) from generate_series(1, 100) as n",
        (alice.id, alice.id),
    )
    assert (claim(lectern, code).status, claim(lectern, code).json()["error_code"]) == (409, "conflict")
    admin.execute("delete from auth.api_tokens where user_id = %s", (alice.id,))
    assert claim(lectern, code).status == 201


def test_a_page_of_another_origin_may_claim(lectern, alice):
    answer = claim(lectern, code_of(alice))
    assert answer["access-control-allow-origin"] == "*" and answer.status == 201
