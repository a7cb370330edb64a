"""The exact requests of the existing clients (rest-contract.md, section 6), and the responses they take for success.

Request targets are written as the clients send them: parentheses, commas and colons unencoded where the clients leave them so.
"""

import json
from datetime import datetime

import pytest

from support.client import encoded

LIST = "/rest/v1/links?select=*&order=updated_at.desc.nullslast,id.desc"
# The eleven columns of the app's model. The app decodes each as a string or null and otherwise discards the whole page.
APP_COLUMNS = [
    "id",
    "user_id",
    "raw_url",
    "resolved_url",
    "title",
    "description",
    "list",
    "status",
    "device_saved",
    "created_at",
    "updated_at",
]
# The jobs refuse links to this address without sending anything: no packet leaves loopback.
URL = "http://127.0.0.2/a page?x=1&y=ü"


def H(user):
    return [
        ("Content-Type", "application/json"),
        ("apikey", user.lectern.anon_key),
        ("Authorization", f"Bearer {user.token}"),
    ]


def send(user, method, target, body=None, prefer=None, headers=None):
    headers = H(user) if headers is None else headers
    if prefer:
        headers = headers + [("Prefer", prefer)]
    return user.lectern.send(method, target, headers, None if body is None else json.dumps(body))


@pytest.fixture
def twenty(alice):
    """Twenty links, saved in one statement, so that ten of them share one time stamp."""
    when = "2024-01-01T00:00:00.123456+00:00"
    rows = [
        {
            "raw_url": f"http://127.0.0.2/{n}",
            "created_at": when if n < 10 else f"2024-02-{n}T00:00:00Z",
            "status": "read" if n % 2 else "unread",
        }
        for n in range(20)
    ]
    assert send(alice, "POST", "/rest/v1/links", rows, "return=minimal").status == 201
    return alice


def is_empty(answer):
    """The response has neither a body nor a header that describes one."""
    return (
        answer.body == b""
        and answer["content-type"] is None
        and (answer.status != 204 or answer["content-length"] is None)
    )


# All three: signing in


def test_sign_in_needs_only_the_apikey_and_a_content_type(alice):
    headers = [("Content-Type", "application/json"), ("apikey", alice.lectern.anon_key)]
    answer = send(
        alice,
        "POST",
        "/auth/v1/token?grant_type=password",
        {"email": alice.email, "password": alice.password},
        headers=headers,
    )
    session = answer.json()
    assert answer.status == 200
    assert isinstance(session["access_token"], str) and isinstance(session["refresh_token"], str)
    assert isinstance(session["expires_in"], int) and session["user"]["id"] == alice.id


def test_refresh_takes_the_refresh_token_alone(alice):
    headers = [("Content-Type", "application/json"), ("apikey", alice.lectern.anon_key)]
    answer = send(
        alice,
        "POST",
        "/auth/v1/token?grant_type=refresh_token",
        {"refresh_token": alice.refresh_token},
        headers=headers,
    )
    assert answer.status == 200 and answer.json()["refresh_token"] != alice.refresh_token
    assert answer.json()["user"]["id"] == alice.id


# The app: its list


@pytest.mark.parametrize(
    ("filter", "limit", "count"),
    [("", 15, 15), ("&status=eq.unread", 15, 10), ("&status=eq.read", 75, 10), ("", 75, 20)],
)
def test_the_app_gets_its_list(twenty, filter, limit, count):
    answer = send(twenty, "GET", f"{LIST}&limit={limit}{filter}", prefer="return=representation")
    rows = answer.json()
    assert answer.status == 200 and answer["content-type"] == "application/json; charset=utf-8"
    assert len(rows) == count and answer["content-range"] == f"0-{count - 1}/*"
    for row in rows:
        assert isinstance(row["id"], str) and row["user_id"] == twenty.id
        assert all(row[name] is None or isinstance(row[name], str) for name in APP_COLUMNS)
    assert rows == sorted(rows, key=lambda row: (row["updated_at"], row["id"]), reverse=True)


def test_the_app_gets_every_row_exactly_once_page_by_page(twenty):
    """The cursor is the string of the last row, its `+` as %2B, everything else raw."""
    seen, cursor = [], ""
    while True:
        answer = send(twenty, "GET", f"{LIST}&limit=3{cursor}", prefer="return=representation")
        assert answer.status == 200
        seen += answer.json()
        if len(answer.json()) < 3:
            break
        last = answer.json()[-1]
        time = last["updated_at"].replace("+", "%2B")
        cursor = f"&or=(updated_at.lt.{time},and(updated_at.eq.{time},id.lt.{last['id']}))"
    assert len(seen) == 20 == len({row["id"] for row in seen})


def test_time_stamps_keep_every_digit_in_utc(twenty):
    stamps = {row["created_at"] for row in send(twenty, "GET", f"{LIST}&limit=75").json()}
    assert "2024-01-01T00:00:00.123456+00:00" in stamps
    assert all(datetime.fromisoformat(stamp).utcoffset().total_seconds() == 0 for stamp in stamps)


# The app: saving, and how it handles a 409


def test_the_apps_queue_saves_links_and_handles_known_ones(alice):
    body = {"raw_url": URL, "list": "read", "status": "unread", "user_id": alice.id}
    merge = "return=minimal, resolution=merge-duplicates"
    saved = send(alice, "POST", "/rest/v1/links", body, merge)
    assert saved.status == 201 and is_empty(saved) and saved["content-range"] == "*/*"
    again = send(alice, "POST", "/rest/v1/links", body, merge)
    assert again.status == 409 and again.json()["code"] == "23505"
    # The conflict target is the primary key, which the body does not hold, so a duplicate of another key is an error.
    assert set(again.json()) == {"code", "message", "details", "hint"}

    patched = send(
        alice,
        "PATCH",
        f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{encoded(URL)}",
        {"status": "read"},
        "return=minimal",
    )
    assert patched.status == 204 and is_empty(patched)

    no_type = H(alice)[1:]
    known = send(alice, "GET", f"/rest/v1/links?user_id=eq.{alice.id}&select=id,raw_url", headers=no_type)
    assert known.status == 200 and [set(row) for row in known.json()] == [{"id", "raw_url"}]
    assert known.json()[0]["raw_url"] == URL
    patched = send(
        alice, "PATCH", f"/rest/v1/links?id=eq.{known.json()[0]['id']}", {"status": "unread"}, "return=minimal"
    )
    assert patched.status == 204 and is_empty(patched)
    assert alice.links("select=status") == [{"status": "unread"}]


def test_the_share_extension_saves_and_then_gets_exactly_204(alice):
    body = {"raw_url": URL, "list": "read", "status": "unread", "user_id": alice.id}
    saved = send(alice, "POST", "/rest/v1/links", body, "resolution=merge-duplicates")
    assert saved.status == 201 and is_empty(saved)
    assert send(alice, "POST", "/rest/v1/links", body, "resolution=merge-duplicates").status == 409
    patched = send(
        alice,
        "PATCH",
        f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{encoded(URL)}",
        {"status": "unread", "list": "read"},
    )
    assert patched.status == 204 and is_empty(patched)


def test_the_action_extension_saves_and_then_gets_exactly_204(alice):
    body = {"raw_url": URL, "list": "read", "status": "unread", "user_id": alice.id}
    saved = send(alice, "POST", "/rest/v1/links", body, "return=minimal")
    assert saved.status == 201 and is_empty(saved)
    again = send(alice, "POST", "/rest/v1/links", body, "return=minimal")
    assert again.status == 409 and again.json()["code"] == "23505"
    found = send(alice, "GET", f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{encoded(URL)}&select=id")
    assert found.status == 200 and len(found.json()) == 1
    assert send(alice, "PATCH", f"/rest/v1/links?id=eq.{found.json()[0]['id']}", {"status": "read"}).status == 204


# The app: changing links


def test_the_app_marks_read_and_unread(alice):
    id = alice.save(URL)["id"]
    for status in ["read", "unread"]:
        answer = send(alice, "PATCH", f"/rest/v1/links?id=eq.{id}", {"status": status}, "return=minimal")
        assert answer.status == 204 and is_empty(answer)
        assert alice.link(id)["status"] == status


def test_the_app_keeps_its_star_in_the_title(alice):
    id = alice.save(URL, title="Plain")["id"]
    for title in ["⭐ Plain", "Plain"]:
        assert send(alice, "PATCH", f"/rest/v1/links?id=eq.{id}", {"title": title}).status == 204
        assert alice.link(id)["title"] == title


def test_the_app_can_delete_a_link_that_is_already_gone(alice):
    id = alice.save(URL)["id"]
    for _ in range(2):
        answer = send(alice, "DELETE", f"/rest/v1/links?id=eq.{id}")
        assert answer.status == 204 and is_empty(answer)
    assert alice.links() == []


def test_supabase_py_deletes_with_an_empty_object_as_body(alice):
    id = alice.save(URL)["id"]
    assert send(alice, "DELETE", f"/rest/v1/links?id=eq.{id}", {}, "return=representation").json()[0]["id"] == id


def test_an_update_moves_the_link_to_the_top(alice):
    first, second = alice.save("http://127.0.0.2/1"), alice.save("http://127.0.0.2/2")
    send(alice, "PATCH", f"/rest/v1/links?id=eq.{first['id']}", {"status": "read"})
    rows = send(alice, "GET", f"{LIST}&limit=15").json()
    assert [row["id"] for row in rows] == [first["id"], second["id"]]
    assert rows[0]["updated_at"] > first["updated_at"] and rows[0]["created_at"] == first["created_at"]


def test_the_apps_debug_screen_saves(alice):
    short = {"raw_url": URL, "list": "read", "user_id": alice.id}
    long = {"raw_url": URL + "2", "title": "T", "description": "D", "status": "unread", "user_id": alice.id}
    assert send(alice, "POST", "/rest/v1/links", short).status == 201
    assert send(alice, "POST", "/rest/v1/links", long).status == 201
    assert {row["list"] for row in alice.links()} == {"read"}


def test_the_apps_debug_screen_asks(twenty):
    columns = send(twenty, "GET", "/rest/v1/links?select=id,user_id,raw_url,created_at,updated_at&limit=10")
    assert columns.status == 200 and len(columns.json()) == 10
    assert list(columns.json()[0]) == ["id", "user_id", "raw_url", "created_at", "updated_at"]
    count = send(twenty, "GET", "/rest/v1/links?select=count&limit=1")
    assert (count.status, count.json()) == (200, [{"count": 20}])
    everything = send(twenty, "GET", f"/rest/v1/links?select=*&user_id=eq.{twenty.id}&limit=5")
    assert len(everything.json()) == 5 and {"is_starred", *APP_COLUMNS} <= set(everything.json()[0])
    urls = send(twenty, "GET", f"/rest/v1/links?user_id=eq.{twenty.id}&select=raw_url&limit=5")
    assert all(set(row) == {"raw_url"} for row in urls.json()) and len(urls.json()) == 5


def test_the_app_sees_a_refusal_by_row_security(alice, bob):
    """The app looks for these words in the body."""
    answer = send(alice, "POST", "/rest/v1/links", {"raw_url": URL, "user_id": bob.id})
    assert answer.status == 403 and "row-level security" in answer.json()["message"]
    assert answer.json()["code"] == "42501"


def test_the_app_probes_without_any_header(lectern):
    assert lectern.send("GET", "/rest/v1/").status < 500
    config = lectern.send("GET", "/storage/v1/object/public/psreadthis/psreadthis-config.json")
    assert (config.status, config.json()) == (200, {"anonKey": lectern.anon_key})


# The written specification


@pytest.mark.parametrize("list", ["read", "archive"])
def test_the_spec_lists_by_offset(twenty, list):
    send(twenty, "PATCH", "/rest/v1/links?status=eq.read", {"list": "archive"})
    pages = [
        send(twenty, "GET", f"/rest/v1/links?select=*&list=eq.{list}&order=updated_at.desc&offset={offset}&limit=50")
        for offset in (0, 50)
    ]
    assert [(page.status, len(page.json())) for page in pages] == [(200, 10), (200, 0)]


def test_the_spec_marks_and_stars(alice):
    id = alice.save(URL, list="archive")["id"]
    assert send(alice, "PATCH", f"/rest/v1/links?id=eq.{id}", {"status": "read"}).status == 204
    assert send(alice, "PATCH", f"/rest/v1/links?id=eq.{id}", {"is_starred": True}).status == 204
    for filter in ["is_starred=eq.true", "is_starred=is.true"]:
        starred = send(alice, "GET", f"/rest/v1/links?select=*&list=eq.archive&{filter}")
        assert starred.status == 200 and [row["id"] for row in starred.json()] == [id]
        assert starred.json()[0]["is_starred"] is True


# The extension


def test_an_extension_may_send_all_of_these_from_its_own_origin(alice):
    origin = [("Origin", "chrome-extension://abcdefghijklmnopabcdefghijklmnop")]
    asked = "apikey,authorization,content-type,prefer,x-client-info"
    preflight = send(
        alice,
        "OPTIONS",
        "/rest/v1/links",
        headers=origin + [("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", asked)],
    )
    assert preflight.status in (200, 204)
    assert preflight["access-control-allow-origin"] in ("*", origin[0][1])
    allowed = {name.strip().lower() for name in preflight["access-control-allow-headers"].split(",")}
    assert set(asked.split(",")) <= allowed and "POST" in preflight["access-control-allow-methods"]
    saved = send(
        alice,
        "POST",
        "/rest/v1/links",
        {"raw_url": URL, "list": "read", "status": "unread"},
        "return=representation",
        headers=H(alice) + origin + [("X-Client-Info", "supabase-js-web/2.45.0")],
    )
    assert saved.status == 201 and saved["access-control-allow-origin"] in ("*", origin[0][1])
    assert saved.json()[0]["user_id"] == alice.id


# Pitfalls


def test_an_unencoded_ampersand_is_refused_and_changes_nothing(alice):
    url = "http://127.0.0.2/?a=1&b=2"
    alice.save(url)
    answer = send(alice, "PATCH", f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{url}", {"status": "read"})
    assert answer.status == 400 and answer.json()["code"] == "PGRST100"
    assert alice.links("select=status") == [{"status": "unread"}]


def test_an_unencoded_plus_is_a_space_and_finds_nothing(alice):
    url = "http://127.0.0.2/?q=a+b"
    alice.save(url)
    answer = send(alice, "PATCH", f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{url}", {"status": "read"})
    assert answer.status == 204 and alice.links("select=status") == [{"status": "unread"}]
    send(
        alice, "PATCH", f"/rest/v1/links?user_id=eq.{alice.id}&raw_url=eq.{url.replace('+', '%2B')}", {"status": "read"}
    )
    assert alice.links("select=status") == [{"status": "read"}]


def test_an_app_without_a_session_gets_401(alice):
    for headers in (
        [("apikey", ""), ("Authorization", "Bearer ")],
        [("apikey", alice.lectern.anon_key), ("Authorization", "Bearer ")],
    ):
        answer = send(alice, "GET", f"{LIST}&limit=15", headers=[("Content-Type", "application/json")] + headers)
        assert answer.status == 401


def test_a_batch_with_one_known_link_changes_nothing(alice):
    alice.save(URL)
    rows = [{"raw_url": "http://127.0.0.2/new"}, {"raw_url": URL}]
    assert send(alice, "POST", "/rest/v1/links", rows).status == 409
    assert len(alice.links()) == 1


def test_an_upsert_that_names_its_key_merges(alice):
    id = alice.save(URL)["id"]
    target = "/rest/v1/links?on_conflict=user_id,raw_url"
    merged = send(
        alice, "POST", target, {"raw_url": URL, "status": "read"}, "resolution=merge-duplicates,return=representation"
    )
    assert merged.status == 200 and [(row["id"], row["status"]) for row in merged.json()] == [(id, "read")]
    ignored = send(
        alice,
        "POST",
        target,
        {"raw_url": URL, "status": "unread"},
        "resolution=ignore-duplicates,return=representation",
    )
    assert (ignored.status, ignored.json()) == (201, [])
