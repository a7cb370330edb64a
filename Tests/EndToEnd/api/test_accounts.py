"""What users can do with their account, and admins with all accounts (rest-contract.md, section 3, and Lectern's own
routes)."""

import json
import os
import statistics
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.client import wait_until
from support.sessions import VERSION, bearer, log_in, payload, refresh


def own(user, method, path, body=None, **headers):
    """A request about the user's own account."""
    return user.lectern.auth(method, path, body, **bearer(user.token), **headers)


def managed(lectern, method, path, body=None, key=None):
    """A request with the service key."""
    headers = {
        "apikey": key or lectern.service_key,
        "Authorization": f"Bearer {key or lectern.service_key}",
        "Content-Type": "application/json",
    }
    return lectern.send(method, f"/auth/v1/{path}", headers, None if body is None else json.dumps(body))


def make_token(user, scope, **more):
    answer = own(user, "POST", "tokens", {"name": f"a {scope} token", "scope": scope} | more)
    assert answer.status == 201, answer
    return answer.json()


def with_token(lectern, token, method, target, body=None, **headers):
    """A request with an API token as its only credential."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    return lectern.send(method, target, headers, None if body is None else json.dumps(body))


# The account


def test_a_user_changes_password_metadata_and_address_at_once(alice):
    email = f"new-{alice.email}"
    answer = own(alice, "PUT", "user", {"password": "another horse", "data": {"name": "Ann"}, "email": email})
    assert (
        answer.status == 200 and answer.json()["email"] == email and answer.json()["user_metadata"] == {"name": "Ann"}
    )
    session = alice.lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "another horse"})
    assert session.status == 200 and payload(session.json()["access_token"])["user_metadata"] == {"name": "Ann"}


def test_the_old_email_address_is_notified_of_the_new_one(alice, admin):
    own(alice, "PUT", "user", {"email": f"new-{alice.email}"})
    own(alice, "PUT", "user", {"email": f"new-{alice.email}"})
    mails = admin.execute("select recipient, kind from private.mails where user_id = %s", (alice.id,)).fetchall()
    assert mails == [(alice.email, "email_changed")]


def signed_in_long_ago(admin, user):
    """Makes the user's sign-ins too old to prove the user's presence."""
    admin.execute("update auth.sessions set created_at = now() - interval '6 minutes' where user_id = %s", (user.id,))


@pytest.mark.parametrize(
    "method, path, change, member",
    [
        ("PUT", "user", {"email": "somebody-else@example.org"}, "current_password"),
        ("PUT", "user", {"password": "another horse"}, "current_password"),
        ("POST", "tokens", {"name": "x", "scope": "full"}, "password"),
    ],
)
def test_a_session_alone_cannot_take_the_account_over(alice, admin, method, path, change, member):
    signed_in_long_ago(admin, alice)
    tokens = refresh(alice.lectern, alice.refresh_token).json()
    alice.token = tokens["access_token"]
    answer = own(alice, method, path, change)
    assert (answer.status, answer.json()["error_code"]) == (400, "reauthentication_needed")
    assert f'"{member}"' in answer.json()["msg"]
    answer = own(alice, method, path, change | {member: "wrong horse"})
    assert (answer.status, answer.json()["error_code"]) == (400, "invalid_credentials")
    assert own(alice, "GET", "tokens").json() == [] and log_in(alice)["user"]["email"] == alice.email
    if change.get("email"):
        change["email"] = f"new-{alice.email}"
    assert own(alice, method, path, change | {member: alice.password}).status in (200, 201)


def test_a_client_that_sends_the_present_address_needs_no_password(alice, admin):
    signed_in_long_ago(admin, alice)
    answer = own(alice, "PUT", "user", {"email": alice.email, "data": {"name": "Ann"}})
    assert answer.status == 200 and answer.json()["user_metadata"] == {"name": "Ann"}


@pytest.mark.parametrize("wish, kept", [({}, True), ({"revoke_tokens": False}, True), ({"revoke_tokens": True}, False)])
def test_a_new_password_revokes_all_api_tokens_if_the_user_wants_it(alice, bob, wish, kept):
    token, others = make_token(alice, "full")["token"], make_token(bob, "full")["token"]
    assert own(alice, "PUT", "user", {"password": "another horse"} | wish).status == 200
    assert with_token(alice.lectern, token, "GET", "/rest/v1/links").status == (200 if kept else 401)
    assert with_token(alice.lectern, others, "GET", "/rest/v1/links").status == 200


@pytest.mark.parametrize(
    "wish, kept", [({}, False), ({"revoke_tokens": True}, False), ({"revoke_tokens": False}, True)]
)
def test_a_forgotten_password_revokes_all_api_tokens_unless_the_user_keeps_them(alice, bob, admin, wish, kept):
    token, others = make_token(alice, "full")["token"], make_token(bob, "full")["token"]
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    assert with_token(alice.lectern, token, "GET", "/rest/v1/links").status == 200
    answer = alice.lectern.auth("POST", "verify", mailed_link(admin, alice.id) | wish)
    assert answer.status == 200, answer
    assert with_token(alice.lectern, token, "GET", "/rest/v1/links").status == (200 if kept else 401)
    assert with_token(alice.lectern, others, "GET", "/rest/v1/links").status == 200


def test_a_link_that_only_signs_in_revokes_no_token(alice):
    token = make_token(alice, "full")["token"]
    link = managed(alice.lectern, "POST", "admin/generate_link", {"type": "magiclink", "email": alice.email}).json()
    form = {"type": "magiclink", "token_hash": link["hashed_token"], "revoke_tokens": True}
    assert alice.lectern.auth("POST", "verify", form).status == 200
    assert with_token(alice.lectern, token, "GET", "/rest/v1/links").status == 200


def test_an_admin_revokes_the_tokens_of_an_account_with_its_password(alice):
    token = make_token(alice, "full")["token"]
    form = {"password": "another horse", "revoke_tokens": True}
    assert managed(alice.lectern, "PUT", f"admin/users/{alice.id}", form).status == 200
    assert with_token(alice.lectern, token, "GET", "/rest/v1/links").status == 401


def test_a_refused_change_has_no_effect(alice, bob):
    answer = own(
        alice, "PUT", "user", {"password": "another horse", "email": bob.email.upper(), "data": {"name": "Ann"}}
    )
    assert (answer.status, answer.json()["error_code"]) == (422, "email_exists")
    assert log_in(alice)["user"]["user_metadata"] == {}


def test_a_new_password_signs_other_devices_out(alice):
    other = log_in(alice)
    assert own(alice, "PUT", "user", {"password": "another horse"}).status == 200
    assert refresh(alice.lectern, other["refresh_token"]).status == 400
    assert alice.lectern.auth("GET", "user", **bearer(other["access_token"])).status == 403
    assert refresh(alice.lectern, alice.refresh_token).status == 200


@pytest.mark.parametrize(
    ("password", "code", "reasons"),
    [
        ("correct horse", "same_password", None),
        ("short", "weak_password", ["length"]),
        ("password1", "weak_password", ["pwned"]),
    ],
)
def test_a_refused_password_has_a_reason(alice, password, code, reasons):
    for version in ({}, VERSION):
        answer = own(alice, "PUT", "user", {"password": password}, **version)
        assert answer.status == 422 and answer["x-sb-error-code"] == code
        assert answer.json().get("weak_password", {}).get("reasons") == reasons


def test_a_signed_out_session_can_change_nothing(alice):
    own(alice, "POST", "logout")
    for method, path, body in [
        ("PUT", "user", {"data": {"a": 1}}),
        ("GET", "sessions", None),
        ("GET", "tokens", None),
        ("POST", "tokens", {"name": "x", "scope": "full"}),
        ("POST", "exports", None),
        ("DELETE", "user", {"password": alice.password}),
        ("GET", "audit", None),
    ]:
        answer = own(alice, method, path, body)
        assert (answer.status, answer.json()["error_code"]) == (403, "session_not_found"), path


def test_metadata_is_bounded(alice):
    for number in range(2):
        answer = own(alice, "PUT", "user", {"data": {f"notes{number}": "x" * 600_000}})
    assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed")
    assert list(own(alice, "GET", "user").json()["user_metadata"]) == ["notes0"]
    assert len(refresh(alice.lectern, alice.refresh_token).json()["access_token"]) < 8_000


@pytest.mark.parametrize("method, path", [("PUT", "user"), ("POST", "signup")])
def test_numbers_that_the_database_would_write_out_are_refused(alice, method, path):
    """PostgreSQL writes `1e131071` as 131,072 digits, and took gigabytes for a body of half a megabyte."""
    form = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse", "data": {"a": "NUMBERS"}}
    body = json.dumps(form if path == "signup" else {"data": form["data"]})
    body = body.replace('"NUMBERS"', f"[{','.join(['1e131071'] * 60_000)}]")
    answer = alice.lectern.send(method, f"/auth/v1/{path}", alice.headers, body)
    assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed"), answer


def test_blanks_around_an_email_address_are_ignored_at_sign_up(lectern):
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    assert (
        lectern.auth("POST", "signup", {"email": f" {email} ", "password": "correct horse"}).json()["user"]["email"]
        == email
    )
    assert (
        lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "correct horse"}).status == 200
    )


def test_signing_in_never_reuses_a_session_from_the_request(alice, bob):
    """Session fixation: a session known before signing in is worth nothing afterwards."""
    form = {
        "email": bob.email,
        "password": bob.password,
        "refresh_token": alice.refresh_token,
        "session_id": payload(alice.token)["session_id"],
    }
    answer = bob.lectern.auth(
        "POST", "token?grant_type=password", form, Cookie=f"session={alice.token}", **bearer(alice.token)
    )
    claims = payload(answer.json()["access_token"])
    assert claims["sub"] == bob.id
    assert claims["session_id"] not in (payload(alice.token)["session_id"], payload(bob.token)["session_id"])


def test_two_credentials_in_one_request_are_refused(lectern):
    headers = [("apikey", lectern.anon_key), ("apikey", lectern.service_key)]
    for target in ("/rest/v1/links", "/auth/v1/settings"):
        assert lectern.send("GET", target, headers).status in (400, 401)


@pytest.mark.skipif(
    "LECTERN_TEST_LONG" not in os.environ, reason="a statistic of two hundred sign-ins; deploy/test --long"
)
def test_response_times_do_not_reveal_which_addresses_have_accounts(alice):
    """Half of the known addresses must be slower than the median of the unknown ones, within what chance allows."""
    times = {alice.email: [], "nobody@example.org": []}
    for number in range(200):
        for email in sorted(times, reverse=number % 2 == 0):
            start = time.perf_counter()
            alice.lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "wrong horse"})
            times[email].append(time.perf_counter() - start)
    known, unknown = times.values()
    median = statistics.median(unknown)
    # A fair coin thrown 200 times shows 65 to 135 heads in all but one of a million series.
    assert 65 <= sum(one > median for one in known) <= 135


# Devices


def test_each_device_is_listed_and_can_be_signed_out(alice):
    phone = alice.lectern.auth(
        "POST",
        "token?grant_type=password",
        {"email": alice.email, "password": alice.password},
        **{"User-Agent": "Ann's phone"},
    ).json()
    sessions = own(alice, "GET", "sessions").json()
    assert len(sessions) == 2 and [one["current"] for one in sessions].count(True) == 1
    other = next(one for one in sessions if not one["current"])
    assert (other["user_agent"], other["address"]) == ("Ann's phone", "127.0.0.1")
    assert other["amr"][0]["method"] == "password" and other["aal"] == "aal1"
    assert own(alice, "DELETE", f"sessions/{other['id']}").status == 204
    assert refresh(alice.lectern, phone["refresh_token"]).status == 400
    assert len(own(alice, "GET", "sessions").json()) == 1


def test_a_device_shows_the_address_of_its_last_refresh(alice):
    answer = alice.lectern.auth(
        "POST",
        "token?grant_type=refresh_token",
        {"refresh_token": alice.refresh_token},
        **{"User-Agent": "after an update"},
    )
    assert answer.status == 200
    assert [one["user_agent"] for one in own(alice, "GET", "sessions").json()] == ["after an update"]


def test_a_device_that_changes_networks_stays_known(alice, admin):
    known = lambda: admin.execute("select count(*) from auth.devices where user_id = %s", (alice.id,)).fetchone()[0]
    before = known()
    for agent in ("on the road", "on the road"):
        answer = alice.lectern.auth(
            "POST", "token?grant_type=refresh_token", {"refresh_token": alice.refresh_token}, **{"User-Agent": agent}
        )
        alice.refresh_token = answer.json()["refresh_token"]
    assert known() == before + 1


def test_two_devices_live_side_by_side(alice):
    devices = [log_in(alice) for _ in range(2)]
    for _ in range(3):
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda one: refresh(alice.lectern, one["refresh_token"]), devices))
        assert [answer.status for answer in answers] == [200, 200]
        devices = [answer.json() for answer in answers]
    assert len({payload(one["access_token"])["session_id"] for one in devices}) == 2


def test_users_cannot_see_or_end_sessions_and_tokens_of_others(alice, bob):
    token = make_token(alice, "full")
    session = own(alice, "GET", "sessions").json()[0]["id"]
    assert [one["id"] for one in own(bob, "GET", "tokens").json()] == []
    assert session not in [one["id"] for one in own(bob, "GET", "sessions").json()]
    for path in (f"tokens/{token['id']}", f"sessions/{session}"):
        assert own(bob, "DELETE", path).status == 404
    assert own(alice, "GET", "user").status == 200
    assert with_token(alice.lectern, token["token"], "GET", "/rest/v1/links").status == 200
    assert alice.email not in own(bob, "GET", "audit").body.decode()


@pytest.mark.parametrize(
    "path",
    [
        "sessions/x",
        "tokens/x",
        "exports/x",
        "sessions/00000000-0000-0000-0000-000000000000",
        "tokens/%2F",
        "exports/%27",
    ],
)
def test_unknown_accounts_and_tokens_are_not_found(alice, path):
    for method in ("DELETE", "GET"):
        assert own(alice, method, path).status in (404, 405)


# Personal API tokens


def test_an_api_token_sees_only_its_owners_rows(alice, bob):
    alice.save("no address, and Alice's")
    bob.save("no address, and Bob's")
    for scope in ("read", "full"):
        rows = with_token(
            alice.lectern, make_token(alice, scope)["token"], "GET", "/rest/v1/links?select=raw_url"
        ).json()
        assert rows == [{"raw_url": "no address, and Alice's"}]


BODIES = {
    "/rest/v1/links": {"raw_url": "x"},
    "/rest/v1/links?id=eq.1": {"title": "x"},
    "/functions/v1/resolve-url": {"url": "http://x.test"},
}


@pytest.mark.parametrize(
    "change",
    [
        "revoked",
        "delete from auth.api_tokens where id = %s",
        "update auth.api_tokens set expires_at = now() where id = %s",
        "update auth.users set banned_until = now() + '1 hour' where id = (select user_id from auth.api_tokens where id = %s)",
    ],
)
def test_an_expired_or_revoked_token_is_401(alice, admin, change):
    token = make_token(alice, "full", expires_in=3600)
    if change == "revoked":
        assert own(alice, "DELETE", f"tokens/{token['id']}").status == 204
    else:
        admin.execute(change, (token["id"],))
    for method, target in [
        ("GET", "/rest/v1/links"),
        ("GET", "/rest/v1/"),
        ("POST", "/rest/v1/links"),
        ("GET", "/auth/v1/user"),
        ("PATCH", "/rest/v1/links?id=eq.1"),
        ("POST", "/functions/v1/resolve-url"),
        ("GET", "/auth/v1/tokens"),
    ]:
        answer = with_token(alice.lectern, token["token"], method, target, BODIES.get(target))
        assert answer.status == 401 and 'error="invalid_token"' in answer["www-authenticate"], target


@pytest.mark.parametrize(
    "token", ["lct_", "lct_" + "A" * 43, "lct_" + "A" * 42, "lct_" + "é" * 43, "lct_" + "A" * 9_000]
)
def test_an_unknown_api_token_is_refused(lectern, token):
    for headers in ({}, {"apikey": lectern.anon_key}, {"apikey": lectern.service_key}):
        assert with_token(lectern, token.encode().decode("latin-1"), "GET", "/rest/v1/links", **headers).status == 401


def test_a_token_is_no_apikey(alice):
    token = make_token(alice, "full")["token"]
    assert alice.lectern.send("GET", "/rest/v1/links", {"apikey": token}).status == 401


def test_an_api_token_shows_when_and_where_it_was_last_used(alice):
    token = make_token(alice, "read")
    assert token["last_used_at"] is None
    with_token(alice.lectern, token["token"], "GET", "/rest/v1/links")
    listed = own(alice, "GET", "tokens").json()[0]
    assert listed["last_used_at"] is not None and listed["last_used_address"] == "127.0.0.1" and "token" not in listed


def test_tokens_of_many_requests_at_once_do_not_wait_for_each_other(alice, admin):
    token = make_token(alice, "read")
    with admin.transaction():
        admin.execute("select 1 from auth.api_tokens where id = %s for update", (token["id"],))
        with ThreadPoolExecutor(4) as pool:
            answers = pool.map(lambda _: with_token(alice.lectern, token["token"], "GET", "/rest/v1/links"), range(8))
            assert [answer.status for answer in answers] == [200] * 8


def test_a_user_can_have_at_most_a_hundred_tokens(alice, admin):
    admin.execute(
        "insert into auth.api_tokens (user_id, name, scope, prefix, token_hash)"
        " select %s, 'old', 'read', 'lct_', sha256(convert_to(%s || n, 'UTF8')) from generate_series(1, 99) as n",
        (alice.id, alice.id),
    )
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: own(alice, "POST", "tokens", {"name": str(n), "scope": "read"}), range(4)))
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]


# Links in mails


def mailed_link(admin, user_id):
    (body,) = admin.execute(
        "select body from private.mails where user_id = %s order by created_at desc limit 1", (user_id,)
    ).fetchone()
    address = next(line for line in body.splitlines() if "token_hash=" in line)
    return dict(part.split("=") for part in address.split("#")[1].split("&"))


def test_a_forgotten_password_is_replaced_by_a_link(alice, admin):
    old = log_in(alice)
    answers = [
        alice.lectern.auth("POST", "recover", {"email": email}) for email in (alice.email.upper(), "nobody@example.org")
    ]
    assert [(answer.status, answer.body) for answer in answers] == [(200, b"{}")] * 2
    link = mailed_link(admin, alice.id)
    session = alice.lectern.auth("POST", "verify", {"type": link["type"], "token_hash": link["token_hash"]})
    assert session.status == 200 and session.json()["user"]["id"] == alice.id
    assert payload(session.json()["access_token"])["amr"][0]["method"] == "otp"
    for before in (old["refresh_token"], alice.refresh_token):
        assert refresh(alice.lectern, before).status == 400
    headers = bearer(session.json()["access_token"])
    assert alice.lectern.auth("PUT", "user", {"password": "another horse"}, **headers).status == 200
    again = alice.lectern.auth("POST", "verify", {"type": link["type"], "token_hash": link["token_hash"]})
    assert (again.status, again.json()["error_code"]) == (403, "otp_expired")


@pytest.mark.parametrize(
    "change",
    [
        "update auth.one_time_tokens set expires_at = now() where user_id = %s",
        "update auth.one_time_tokens set kind = 'magiclink' where user_id = %s",
        "update auth.users set banned_until = now() + '1 hour' where id = %s",
        "another link",
    ],
)
def test_an_expired_or_used_link_is_refused(alice, admin, change):
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    link = mailed_link(admin, alice.id)
    if change == "another link":
        alice.lectern.auth("POST", "recover", {"email": alice.email})
    else:
        admin.execute(change, (alice.id,))
    answer = alice.lectern.auth("POST", "verify", {"type": "recovery", "token_hash": link["token_hash"]})
    assert (answer.status, answer.json()["error_code"]) == (403, "otp_expired")


def test_a_link_used_twice_concurrently_works_once(alice, admin):
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    link = mailed_link(admin, alice.id)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: alice.lectern.auth("POST", "verify", link), range(6)))
    assert sorted(answer.status for answer in answers) == [200] + [403] * 5


def test_opening_the_link_of_a_mail_has_no_effect_without_confirmation(lectern):
    answer = lectern.send("GET", "/auth/v1/verify?token=abc-_1&type=recovery&redirect_to=https://evil.example/")
    assert answer.status == 303 and answer["location"].endswith("/account/#token_hash=abc-_1&type=recovery")
    for query in ("", "?token=a%0d%0ab&type=recovery", "?token=a&type=evil", "?token=%3Cscript%3E&type=invite"):
        answer = lectern.send("GET", f"/auth/v1/verify{query}")
        assert answer.status == 303 and "error_code=otp_expired" in answer["location"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"type": "recovery"},
        {"type": "evil", "token_hash": "x"},
        {"token_hash": "x"},
        {"type": "recovery", "email": "no address", "token": "123456"},
    ],
)
def test_a_verification_needs_all_its_fields(lectern, form):
    answer = lectern.auth("POST", "verify", form)
    assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed")


def test_a_mailed_link_has_no_code(alice, admin):
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    assert admin.execute("select code_hash from auth.one_time_tokens where user_id = %s", (alice.id,)).fetchall() == [
        (None,)
    ]


@pytest.mark.parametrize("change", ["password", "email", "by the admin"])
def test_sent_links_become_invalid_when_the_account_changes(alice, admin, change):
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    link = mailed_link(admin, alice.id)
    if change == "by the admin":
        managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"password": "another horse"})
    else:
        own(alice, "PUT", "user", {change: "another horse" if change == "password" else f"new-{alice.email}"})
    assert alice.lectern.auth("POST", "verify", link).status == 403
    mails = admin.execute(
        "select state, body from private.mails where user_id = %s and kind = 'recovery'", (alice.id,)
    ).fetchall()
    assert mails == [("failed", None)]


def test_a_pending_sign_in_ends_when_the_password_changes(alice, workers, admin):
    (old,) = admin.execute("select encrypted_password from auth.users where id = %s", (alice.id,)).fetchone()
    own(alice, "PUT", "user", {"password": "another horse"})
    with workers.transaction():
        workers.execute("select set_config('role', 'auth_service', true)")
        opened = workers.execute(
            "select * from auth.open_session(%s, 'password', null, null, %s)", (alice.id, old)
        ).fetchall()
    assert opened == []


def test_a_code_can_be_tried_five_times(lectern, admin):
    user = lectern.sign_up()
    link = managed(lectern, "POST", "admin/generate_link", {"type": "magiclink", "email": user.email}).json()
    attempt = lambda code: lectern.auth("POST", "verify", {"type": "email", "email": user.email, "token": code}).status
    wrong = "000000" if link["email_otp"] != "000000" else "000001"
    assert [attempt(wrong) for _ in range(4)] == [403] * 4 and attempt(link["email_otp"]) == 200
    link = managed(lectern, "POST", "admin/generate_link", {"type": "magiclink", "email": user.email}).json()
    wrong = "000000" if link["email_otp"] != "000000" else "000001"
    assert [attempt(wrong) for _ in range(5)] == [403] * 5 and attempt(link["email_otp"]) == 403


# Admins


def test_only_admins_can_manage_accounts(alice, bob):
    for method, path, body in [
        ("GET", "admin/users", None),
        ("POST", "admin/users", {"email": "x@example.org"}),
        ("GET", f"admin/users/{bob.id}", None),
        ("PUT", f"admin/users/{bob.id}", {"password": "taken over"}),
        ("DELETE", f"admin/users/{bob.id}", None),
        ("POST", "invite", {"email": "x@example.org"}),
        ("POST", "admin/generate_link", {"type": "recovery", "email": bob.email}),
        ("GET", "admin/audit", None),
    ]:
        answer = own(alice, method, path, body)
        assert (answer.status, answer.json()["error_code"]) == (403, "not_admin"), path
        answer = alice.lectern.auth(method, path, body)
        assert (answer.status, answer.json()["error_code"]) == (401, "no_authorization"), path
        answer = alice.lectern.auth(method, path, body, **bearer(alice.lectern.anon_key))
        assert (answer.status, answer.json()["error_code"]) == (403, "not_admin"), path
        # The service key in `apikey` only identifies the client; the token identifies the caller.
        answer = alice.lectern.send(
            method,
            f"/auth/v1/{path}",
            {"apikey": alice.lectern.service_key} | bearer(alice.token),
            None if body is None else json.dumps(body),
        )
        assert answer.status == 403, path
    assert log_in(bob)["user"]["id"] == bob.id


def test_an_admin_creates_finds_changes_and_deletes_accounts(lectern):
    email = f"Made-{uuid.uuid4().hex[:8]}@Example.org"
    made = managed(
        lectern,
        "POST",
        "admin/users",
        {
            "email": email,
            "password": "correct horse",
            "email_confirm": True,
            "user_metadata": {"name": "M"},
            "app_metadata": {"team": 7},
        },
    ).json()
    assert made["email"] == email and made["app_metadata"] == {"provider": "email", "providers": ["email"], "team": 7}
    user = lectern.auth("POST", "token?grant_type=password", {"email": email.lower(), "password": "correct horse"})
    assert user.status == 200 and payload(user.json()["access_token"])["app_metadata"]["team"] == 7
    changed = managed(
        lectern, "PUT", f"admin/users/{made['id']}", {"password": "another horse", "user_metadata": {"name": None}}
    )
    assert changed.status == 200 and changed.json()["user_metadata"] == {}
    assert refresh(lectern, user.json()["refresh_token"]).status == 400
    assert (
        lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "another horse"}).status == 200
    )
    assert managed(lectern, "GET", f"admin/users/{made['id']}").json()["id"] == made["id"]
    assert managed(lectern, "DELETE", f"admin/users/{made['id']}").status == 200
    for method in ("GET", "DELETE"):
        answer = managed(lectern, method, f"admin/users/{made['id']}")
        assert (answer.status, answer.json()["error_code"]) == (404, "user_not_found")


def test_users_are_listed_in_pages(lectern):
    made = [lectern.sign_up().id for _ in range(3)]

    def pages():
        """Answers up to the one without users."""
        size = min(int(managed(lectern, "GET", "admin/users?per_page=1")["x-total-count"]) // 3 + 1, 1000)
        answers = [managed(lectern, "GET", f"admin/users?page=1&per_page={size}")]
        while answers[-1].json()["users"]:
            answers.append(managed(lectern, "GET", f"admin/users?page={len(answers) + 1}&per_page={size}"))
        return answers

    def each_is_listed_once():
        seen = [user["id"] for answer in pages() for user in answer.json()["users"]]
        return set(made) <= set(seen) and len(seen) == len(set(seen))

    # An account that another test deletes between two requests moves others to the page before.
    wait_until(each_is_listed_once)
    last = pages()[-1]
    assert last.json()["aud"] == "authenticated" and int(last["x-total-count"]) >= len(made)
    for query in (
        "page=0",
        "page=x",
        "per_page=0",
        "page=99999999999999999999",
        "page=9223372036854775807&per_page=1000",
    ):
        assert managed(lectern, "GET", f"admin/users?{query}").status == 200


def test_a_disabled_user_is_signed_out_at_once_and_can_be_enabled_again(alice):
    ban = lambda duration: managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"ban_duration": duration})
    assert ban("24h").json()["banned_until"] is not None
    sign_in = lambda: alice.lectern.auth(
        "POST", "token?grant_type=password", {"email": alice.email, "password": alice.password}
    )
    assert (sign_in().status, sign_in().json()["error_code"]) == (400, "user_banned")
    assert refresh(alice.lectern, alice.refresh_token).status == 400 and own(alice, "GET", "user").status == 403
    assert ban("none").status == 200 and sign_in().status == 200
    for duration in ("", "soon", "-1h", "1 hour", "99999999999999999h", "infinity"):
        answer = ban(duration)
        assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed"), duration


def test_a_wrong_password_of_a_disabled_user_reveals_nothing(alice):
    managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"ban_duration": "24h"})
    answer = alice.lectern.auth("POST", "token?grant_type=password", {"email": alice.email, "password": "wrong horse"})
    assert answer.json()["error_code"] == "invalid_credentials"


def test_a_user_can_manage_users_only_while_being_an_admin(alice, bob):
    managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"app_metadata": {"admin": True}})
    assert own(alice, "GET", f"admin/users/{bob.id}").json()["email"] == bob.email
    own(alice, "PUT", f"admin/users/{bob.id}", {"ban_duration": "1h"})
    assert own(alice, "PUT", f"admin/users/{bob.id}", {"ban_duration": "none"}).status == 200
    actors = {
        line["actor"]
        for line in managed(alice.lectern, "GET", "admin/audit?per_page=1000").json()
        if line["user_id"] == bob.id
    }
    assert actors == {"visitor", f"admin {alice.id[:8]}"}
    managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"app_metadata": {"admin": False}})
    assert own(alice, "GET", f"admin/users/{bob.id}").status == 403


def test_users_cannot_make_themselves_admin(alice):
    for body in (
        {"app_metadata": {"admin": True}},
        {"data": {"admin": True}, "role": "service_role", "is_super_admin": True},
    ):
        assert own(alice, "PUT", "user", body).json()["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert own(alice, "GET", "admin/users").status == 403


def test_an_invited_user_signs_in_by_the_link_and_chooses_a_password(lectern, admin):
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    invited = managed(lectern, "POST", "invite", {"email": email, "data": {"name": "Guest"}})
    assert (
        invited.status == 200 and invited.json()["invited_at"] and invited.json()["user_metadata"] == {"name": "Guest"}
    )
    for password in ("", "correct horse"):
        assert lectern.auth("POST", "token?grant_type=password", {"email": email, "password": password}).status == 400
    first = mailed_link(admin, invited.json()["id"])
    assert managed(lectern, "POST", "invite", {"email": email}).json()["id"] == invited.json()["id"]
    link = mailed_link(admin, invited.json()["id"])
    assert lectern.auth("POST", "verify", first).status == 403, "a new link ends the one before"
    session = lectern.auth("POST", "verify", link).json()
    assert session["user"]["email_confirmed_at"]
    assert lectern.auth("PUT", "user", {"password": "correct horse"}, **bearer(session["access_token"])).status == 200
    assert (
        lectern.auth("POST", "token?grant_type=password", {"email": email, "password": "correct horse"}).status == 200
    )
    assert managed(lectern, "POST", "invite", {"email": email.upper()}).json()["error_code"] == "email_exists"


@pytest.mark.parametrize(
    "form", [{}, {"email": "no address"}, {"email": 7}, {"email": "a@example.org", "password": "short"}]
)
def test_an_invalid_account_is_not_created(lectern, form):
    assert managed(lectern, "POST", "admin/users", form).status in (400, 422)


# Audit log and deletion


def test_the_audit_log_records_changes_with_actor_and_address(alice, admin):
    make_token(alice, "read")
    own(alice, "PUT", "user", {"password": "another horse"})
    managed(alice.lectern, "PUT", f"admin/users/{alice.id}", {"ban_duration": "1h"})
    admin.execute("update auth.users set banned_until = null where id = %s", (alice.id,))
    lines = admin.execute(
        "select action, actor, address from auth.audit_log where user_id = %s order by id", (alice.id,)
    ).fetchall()
    assert lines == [
        ("user_created", "visitor", "127.0.0.1"),
        ("signed_in", "visitor", "127.0.0.1"),
        ("token_created", "user", "127.0.0.1"),
        ("password_changed", "user", "127.0.0.1"),
        ("user_disabled", "service key", "127.0.0.1"),
        ("session_ended", "service key", "127.0.0.1"),
        ("user_enabled", "database login lectern_admin", None),
    ]
    entries = managed(alice.lectern, "GET", "admin/audit?per_page=1000").json()
    assert {"token_created", "user_disabled"} <= {entry["action"] for entry in entries if entry["user_id"] == alice.id}


def test_the_audit_log_of_an_account_is_bounded(alice, admin):
    admin.execute("select auth.log_event('signed_in', %s, '{}') from generate_series(1, 10300)", (alice.id,))
    assert admin.execute("select count(*) from auth.audit_log where user_id = %s", (alice.id,)).fetchone()[0] <= 10_100


def test_the_audit_log_holds_no_secret(alice, admin):
    token = make_token(alice, "full")["token"]
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    link = mailed_link(admin, alice.id)["token_hash"]
    own(alice, "PUT", "user", {"password": "a very secret horse", "data": {"diary": "a secret text"}})
    text = str(admin.execute("select * from auth.audit_log where user_id = %s", (alice.id,)).fetchall())
    for secret in (token, link, "horse", "diary", "secret text", alice.token, alice.refresh_token, "argon2"):
        assert secret not in text


def everything_of(admin, words):
    """All tables of the database with a row that contains one of these words."""
    tables = admin.execute("""
        select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private', 'rest')""").fetchall()
    return {
        table
        for (table,) in tables
        for word in words
        if admin.execute(f"select 1 from {table} t where t::text like %s limit 1", (f"%{word}%",)).fetchone()
    }


def test_deleting_an_account_leaves_no_row_of_it_anywhere(alice, bob, admin):
    mark = uuid.uuid4().hex
    link = alice.save(f"no address, and {mark}")
    alice.settled(link["id"])
    make_token(alice, "full")
    own(alice, "POST", "exports")
    alice.lectern.auth("POST", "recover", {"email": alice.email})
    refresh(alice.lectern, alice.refresh_token)
    bob.save("no address, and Bob's")
    admin.execute(
        "insert into auth.identities (user_id, provider, provider_id) values (%s, 'oidc', %s)", (alice.id, mark)
    )
    admin.execute("insert into auth.mfa_factors (user_id, factor_type) values (%s, 'totp')", (alice.id,))
    admin.execute("insert into auth.delays values ('export ' || %s, 1, now(), now())", (alice.id,))
    words = [alice.id, alice.email, mark]
    found = everything_of(admin, words)
    assert {
        "public.links",
        "auth.users",
        "auth.sessions",
        "auth.api_tokens",
        "auth.audit_log",
        "auth.delays",
        "private.mails",
    } <= found
    answer = own(alice, "DELETE", "user", {"password": "wrong horse"})
    assert (answer.status, answer.json()["error_code"]) == (400, "invalid_credentials")
    assert own(alice, "DELETE", "user", {"password": alice.password}).status == 204
    assert everything_of(admin, words) == set()
    assert own(alice, "GET", "user").status == 403 and refresh(alice.lectern, alice.refresh_token).status == 400
    assert alice.rest("GET", "links").json() == [] and alice.rest("POST", "links", {"raw_url": "x"}).status in (
        401,
        403,
        409,
    )
    assert len(bob.links()) == 1


def test_an_email_address_can_be_used_again_after_its_account_is_deleted(alice):
    assert own(alice, "DELETE", "user", {"password": alice.password}).status == 204
    assert alice.lectern.sign_up(alice.email).id != alice.id


# Errors of routes that do not exist


def test_other_ways_to_sign_in_are_refused_as_gotrue_does(alice):
    answer = alice.lectern.auth("GET", "authorize?provider=github")
    assert (answer.status, answer.json()["error_code"]) == (400, "validation_failed")
    answer = own(alice, "POST", "factors", {"factor_type": "totp"})
    assert (answer.status, answer.json()["error_code"]) == (422, "mfa_totp_enroll_not_enabled")
