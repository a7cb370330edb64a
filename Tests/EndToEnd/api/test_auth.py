"""Accounts and sessions (rest-contract.md, section 3)."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.sessions import VERSION, bearer, log_in, payload, refresh

SESSION_KEYS = {"access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"}
USER_KEYS = {
    "id",
    "aud",
    "role",
    "email",
    "phone",
    "email_confirmed_at",
    "confirmed_at",
    "last_sign_in_at",
    "app_metadata",
    "user_metadata",
    "identities",
    "created_at",
    "updated_at",
    "is_anonymous",
}
CLAIMS = {
    "iss",
    "sub",
    "aud",
    "exp",
    "iat",
    "email",
    "phone",
    "app_metadata",
    "user_metadata",
    "role",
    "aal",
    "amr",
    "session_id",
    "is_anonymous",
}
# Signing up and in


def test_signing_up_opens_a_session(lectern):
    user = lectern.sign_up(data={"name": "Åsa"})
    assert set(user.session) == SESSION_KEYS and user.session["token_type"] == "bearer"
    assert abs(user.session["expires_at"] - time.time() - user.session["expires_in"]) < 30
    account = user.session["user"]
    assert USER_KEYS <= set(account) and (account["aud"], account["role"]) == ("authenticated", "authenticated")
    assert account["user_metadata"] == {"name": "Åsa"} and account["is_anonymous"] is False and account["phone"] == ""
    assert account["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert {"identity_id", "id", "user_id", "identity_data", "provider", "created_at"} <= set(account["identities"][0])
    assert "argon2" not in json.dumps(user.session) and "password" not in json.dumps(account)


def test_signing_up_cannot_choose_another_id_or_role(lectern):
    answer = lectern.auth(
        "POST",
        "signup",
        {
            "email": f"more-{time.time_ns()}@example.org",
            "password": "correct horse",
            "role": "service_role",
            "id": "00000000-0000-0000-0000-000000000001",
            "app_metadata": {"admin": True},
            "gotrue_meta_security": {},
            "code_challenge": None,
            "code_challenge_method": None,
        },
    )
    account = answer.json()["user"]
    assert answer.status == 200 and account["role"] == "authenticated" and "admin" not in account["app_metadata"]
    assert account["id"] != "00000000-0000-0000-0000-000000000001"


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"email": "a@example.org", "password": "short"}, 422, "weak_password"),
        ({"email": "a@example.org"}, 400, "validation_failed"),
        ({"email": "a@example.org", "password": "x" * 73}, 400, "validation_failed"),
        ({"email": "no address", "password": "correct horse"}, 400, "validation_failed"),
        ({"email": "a@example.org\u0000", "password": "correct horse"}, 400, "validation_failed"),
        ({"password": "correct horse"}, 422, "anonymous_provider_disabled"),
        ({}, 422, "anonymous_provider_disabled"),
    ],
)
def test_an_incomplete_or_invalid_form_is_refused(lectern, form, status, code):
    answer = lectern.auth("POST", "signup", form)
    assert (answer.status, answer.json()["error_code"], answer["x-sb-error-code"]) == (status, code, code)
    if code == "weak_password":
        assert answer.json()["weak_password"]["reasons"] == ["length"]


def test_an_email_address_is_one_account_in_any_case(alice):
    answer = alice.lectern.auth("POST", "signup", {"email": alice.email.upper(), "password": "another horse"})
    assert (answer.status, answer.json()["error_code"]) == (422, "user_already_exists")
    answer = alice.lectern.auth(
        "POST", "token?grant_type=password", {"email": alice.email.upper(), "password": alice.password}
    )
    assert answer.status == 200 and answer.json()["user"]["id"] == alice.id


def test_a_wrong_password_and_an_unknown_address_look_alike(alice):
    answers = [
        alice.lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "wrong horse"})
        for email in (alice.email, "nobody-at-all@example.org")
    ]
    assert [answer.status for answer in answers] == [400, 400]
    assert answers[0].body == answers[1].body
    assert answers[0].json() == {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"}


def test_errors_have_the_shape_of_the_clients_api_version(alice):
    answer = alice.lectern.auth(
        "POST", "token?grant_type=password", {"email": alice.email, "password": "no"}, **VERSION
    )
    assert answer.json() == {"code": "invalid_credentials", "message": "Invalid login credentials"}
    assert answer["x-supabase-api-version"] == "2024-01-01"
    assert "x-supabase-api-version" in answer["access-control-expose-headers"].lower()


@pytest.mark.parametrize("grant", ["magic", ""])
def test_another_grant_is_refused(lectern, grant):
    answer = lectern.auth("POST", f"token?grant_type={grant}", {})
    assert (answer.status, answer.json()["error_code"]) == (400, "invalid_credentials")


# The token


@pytest.mark.parametrize(
    "data",
    [{}, {"name": "Åsa Öberg", "likes": "海 and 🐟", "marks": ">?~>?~>>>???~~~"}, {"a": "~" * 50, "b": "\u2028?>"}],
)
def test_the_payload_is_readable_with_the_standard_alphabet(lectern, data):
    user = lectern.sign_up(data=data)
    for token in (user.token, refresh(lectern, user.refresh_token).json()["access_token"]):
        claims = payload(token)
        assert not set("-_") & set(token.split(".")[1])
        assert CLAIMS <= set(claims) and claims["user_metadata"] == data
        assert claims["sub"] == user.id and claims["exp"] - claims["iat"] == user.session["expires_in"]
        assert (claims["role"], claims["aud"], claims["email"]) == ("authenticated", "authenticated", user.email)


def test_large_metadata_does_not_prevent_signing_in(lectern):
    user = lectern.sign_up(data={"notes": "x" * 200_000})
    assert len(user.token) < 8_000 and user.links() == []
    assert lectern.auth("GET", "user", **bearer(user.token)).json()["user_metadata"]["notes"] == "x" * 200_000


def test_the_user_sees_their_account(alice):
    answer = alice.lectern.auth("GET", "user", **bearer(alice.token))
    assert answer.status == 200 and answer.json()["id"] == alice.id and USER_KEYS <= set(answer.json())


def test_without_a_user_there_is_no_account_to_see(lectern):
    answer = lectern.auth("GET", "user")
    assert (answer.status, answer.json()["error_code"]) == (401, "no_authorization")
    answer = lectern.auth("GET", "user", **bearer("rubbish"))
    assert (answer.status, answer.json()["error_code"]) == (403, "bad_jwt")


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "user"),
        ("PUT", "user"),
        ("DELETE", "user"),
        ("POST", "logout"),
        ("GET", "sessions"),
        ("DELETE", "sessions/00000000-0000-0000-0000-000000000000"),
        ("GET", "tokens"),
        ("POST", "tokens"),
        ("DELETE", "tokens/00000000-0000-0000-0000-000000000000"),
        ("GET", "audit"),
        ("GET", "exports"),
        ("POST", "exports"),
        ("GET", "exports/00000000-0000-0000-0000-000000000000"),
    ],
)
def test_an_api_key_as_bearer_token_is_a_token_without_a_user(lectern, method, path):
    body = None if method == "GET" else {"name": "x", "scope": "read", "password": "correct horse"}
    for key in (lectern.anon_key, lectern.service_key):
        answer = lectern.auth(method, path, body, apikey=key, **bearer(key))
        assert (answer.status, answer.json()["error_code"]) == (403, "bad_jwt"), answer
        assert answer.json()["msg"] == "invalid claim: missing sub claim"
    answer = lectern.auth(method, path, body)
    assert (answer.status, answer.json()["error_code"]) == (401, "no_authorization"), answer


# Refreshing


def test_refresh_tokens_rotate(alice):
    tokens = [alice.refresh_token]
    for _ in range(3):
        session = refresh(alice.lectern, tokens[-1])
        assert session.status == 200 and set(session.json()) == SESSION_KEYS
        tokens.append(session.json()["refresh_token"])
    assert len(set(tokens)) == 4


@pytest.mark.parametrize("token", ["rubbish", "", "eyJhbGciOiJub25lIn0.eyJleHAiOjF9."])
def test_an_expired_access_token_does_not_prevent_a_refresh(alice, token):
    answer = alice.lectern.auth(
        "POST", "token?grant_type=refresh_token", {"refresh_token": alice.refresh_token}, **bearer(token)
    )
    assert answer.status == 200


def test_a_refresh_whose_response_was_lost_can_be_repeated(alice):
    first = refresh(alice.lectern, alice.refresh_token).json()
    again = refresh(alice.lectern, alice.refresh_token)
    assert again.status == 200 and again.json()["refresh_token"] == first["refresh_token"]
    assert refresh(alice.lectern, first["refresh_token"]).status == 200


def test_simultaneous_refreshes_all_succeed(alice):
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: refresh(alice.lectern, alice.refresh_token), range(12)))
    assert [answer.status for answer in answers] == [200] * 12
    assert refresh(alice.lectern, answers[0].json()["refresh_token"]).status == 200


def test_an_old_refresh_token_ends_the_session(alice, admin):
    """A token used more than ten seconds ago, and two generations old, can only be a copy in another's hands."""
    second = refresh(alice.lectern, alice.refresh_token).json()["refresh_token"]
    third = refresh(alice.lectern, second).json()["refresh_token"]
    admin.execute(
        "update auth.refresh_tokens set used_at = used_at - interval '10 seconds' "
        "where session_id in (select id from auth.sessions where user_id = %s)",
        (alice.id,),
    )
    answer = refresh(alice.lectern, alice.refresh_token)
    assert (answer.status, answer.json()["error_code"]) == (400, "refresh_token_already_used")
    answer = refresh(alice.lectern, third)
    assert answer.status == 400 and answer.json()["error_code"] in ("refresh_token_not_found", "session_not_found")
    assert alice.lectern.auth("GET", "user", **bearer(alice.token)).status == 403


@pytest.mark.parametrize(
    "token", ["", "rubbish", "x" * 10_000, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None, 7]
)
def test_an_invalid_refresh_token_is_refused(lectern, token):
    answer = refresh(lectern, token)
    assert answer.status == 400 and answer.json()["error_code"] in (
        "refresh_token_not_found",
        "validation_failed",
        "bad_json",
    )


# Signing out


@pytest.mark.parametrize(
    ("scope", "mine_ends", "other_ends"),
    [("?scope=local", True, False), ("?scope=others", False, True), ("?scope=global", True, True), ("", True, True)],
)
def test_logging_out_ends_the_sessions_of_its_scope(alice, scope, mine_ends, other_ends):
    other = log_in(alice)
    answer = alice.lectern.auth("POST", f"logout{scope}", **bearer(alice.token))
    assert answer.status == 204 and answer.body == b""
    for token, refresh_token, ended in [
        (alice.token, alice.refresh_token, mine_ends),
        (other["access_token"], other["refresh_token"], other_ends),
    ]:
        seen = alice.lectern.auth("GET", "user", **bearer(token))
        assert seen.status == (403 if ended else 200)
        assert not ended or seen.json()["error_code"] == "session_not_found"
        assert refresh(alice.lectern, refresh_token).status == (400 if ended else 200)


@pytest.mark.parametrize("scope", ["everything", "a%00b", "%ff"])
def test_another_scope_is_refused_and_ends_nothing(alice, scope):
    answer = alice.lectern.auth("POST", f"logout?scope={scope}", **bearer(alice.token))
    assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed")
    assert alice.lectern.auth("GET", "user", **bearer(alice.token)).status == 200


def test_logging_out_does_not_affect_other_users(alice, bob):
    alice.lectern.auth("POST", "logout", **bearer(alice.token))
    assert bob.lectern.auth("GET", "user", **bearer(bob.token)).status == 200
