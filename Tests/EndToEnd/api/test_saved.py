"""rpc/saved: which addresses are saved, asked by address or by hash."""

import hashlib
import json
import uuid
from urllib.parse import quote

import pytest

from support.searching import add_link


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def ask(user, **arguments):
    return user.rest("POST", "rpc/saved", arguments)


def saved(user, **arguments):
    answer = ask(user, **arguments)
    assert answer.status == 200, answer
    return answer.json()


@pytest.fixture
def page():
    return f"http://127.0.0.2/{uuid.uuid4()}"


def test_addresses_that_are_saved_are_told_with_id_status_and_list(alice, admin, page):
    read = add_link(admin, alice, f"{page}/a", list="archive", status="read")
    new = add_link(admin, alice, f"{page}/b")
    # Asked by another spelling, in any order, twice.
    urls = [f"{page}/b?utm_source=x", f"{page}/c", f"{page}/a#part", f"{page}/a#part", "no address", ""]
    assert saved(alice, urls=urls) == [
        {"url": urls[0], "id": new, "status": "unread", "list": "read"},
        {"url": urls[2], "id": read, "status": "read", "list": "archive"},
    ]
    query = quote(json.dumps([f"{page}/b"]).replace("[", "{").replace("]", "}"))
    assert alice.rest("GET", f"rpc/saved?urls={query}").json()[0]["id"] == new


def test_a_hash_is_that_of_the_key_or_of_an_address_as_saved_or_as_resolved(alice, admin, page):
    id = add_link(admin, alice, f"{page}/?utm_source=x#part", resolved_url=f"{page}/end#there", status="read")
    key = alice.link(id)["dedupe_key"]
    for address in [key, f"{page}/?utm_source=x", f"{page}/end"]:
        expected = [{"hash": digest(address), "id": id, "status": "read", "list": "read"}]
        assert saved(alice, hashes=[digest(address)]) == expected, address
    assert saved(alice, hashes=[digest(f"{page}/?utm_source=x#part"), digest(f"{page}/end#there")]) == []
    # Another spelling under which the same page was saved.
    assert alice.rest("POST", "links", {"raw_url": f"{page}?utm_medium=mail&utm_source=y#top"}).status == 200
    assert saved(alice, hashes=[digest(f"{page}?utm_medium=mail&utm_source=y").upper()])[0]["id"] == id


def test_of_several_links_for_a_hash_the_key_counts_before_the_newest(alice, admin, page):
    older = add_link(admin, alice, f"{page}#!/one", created_at="2020-01-01")
    newer = add_link(admin, alice, f"{page}#!/two", created_at="2021-01-01")
    assert [row["id"] for row in saved(alice, hashes=[digest(page)])] == [newer]
    key = alice.link(older)["dedupe_key"]
    assert [row["id"] for row in saved(alice, hashes=[digest(key)])] == [older]


def test_nobody_is_told_of_another_users_links_or_of_the_trash(lectern, alice, bob, admin, page):
    id = add_link(admin, alice, page)
    for arguments in [{"urls": [page]}, {"hashes": [digest(page)]}]:
        assert [row["id"] for row in saved(alice, **arguments)] == [id]
        assert saved(bob, **arguments) == []
        stranger = lectern.send("POST", "/rest/v1/rpc/saved", {"apikey": lectern.anon_key}, json.dumps(arguments))
        assert stranger.status == 401, stranger
    assert alice.rest("DELETE", f"links?id=eq.{id}").status == 204
    assert saved(alice, urls=[page]) == saved(alice, hashes=[digest(page)]) == []


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"urls": ["http://127.0.0.2/"], "hashes": ["0123456789abcdef"]},
        {"urls": ["http://127.0.0.2/"] * 101},
        {"urls": [None]},
        {"urls": [["a"], ["b"]]},
        {"urls": "http://127.0.0.2/"},
        {"hashes": ["0123456789abcdef"] * 101},
        {"hashes": ["0123456789abcde"]},
        {"hashes": ["0123456789abcdefg"]},
        {"hashes": [""]},
        {"hashes": [7]},
        {"hashes": [None]},
        {"address": "http://127.0.0.2/"},
    ],
)
def test_what_cannot_be_asked_is_a_clear_error(alice, arguments):
    answer = ask(alice, **arguments)
    assert answer.status in (400, 404) and answer.json()["message"], answer
    assert saved(alice, urls=[]) == saved(alice, hashes=[]) == []


def test_a_token_that_reads_may_ask_and_one_that_saves_may_not(alice, admin, page):
    add_link(admin, alice, page)
    for scope, status in [("read", 200), ("full", 200), ("save", 403), ("feed", 403)]:
        headers = {"Authorization": f"Bearer {token(alice, scope)}", "Content-Type": "application/json"}
        answer = alice.lectern.send("POST", "/rest/v1/rpc/saved", headers, json.dumps({"urls": [page]}))
        assert answer.status == status, (scope, answer)


def token(user, scope):
    form = {"name": scope, "scope": scope}
    return user.lectern.send("POST", "/auth/v1/tokens", user.headers, json.dumps(form)).json()["token"]


def test_the_database_finds_hashes_by_its_indexes(alice, admin, page):
    """With statistics of a small table it would rather read the whole table."""
    with admin.transaction(force_rollback=True):
        admin.execute("set local enable_seqscan = off")
        admin.execute("set local enable_bitmapscan = off")
        for column in ["dedupe_key", "split_part(raw_url, '#', 1)"]:
            plan = admin.execute(
                f"explain select id from public.links where user_id = %s and rest.address_hash({column}) = %s",
                (alice.id, b"12345678"),
            ).fetchall()
            assert "_hash on links" in plan[0][0] and "address_hash" in plan[1][0], plan
