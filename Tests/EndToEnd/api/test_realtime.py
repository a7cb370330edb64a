"""The WebSockets of /realtime/v1/websocket, with both framings and with supabase-py."""

import asyncio
import json
import socket
import time
import uuid

import pytest
from supabase import acreate_client
from websockets.exceptions import InvalidStatus

from support.client import token, wait_until
from support.realtime import EVERYTHING, LOST, PATH, Socket

REPRESENTATION = "return=representation"


def save(user, **fields):
    """Saves a link that the jobs process does not touch any more."""
    return user.settled(user.save(f"no address {uuid.uuid4()}", **fields)["id"])


def signed(lectern, user, seconds, **claims):
    """A token of a user that is valid for some seconds."""
    now = int(time.time())
    claims = {"sub": user.id, "role": "authenticated", "iat": now - 60, "exp": now + seconds} | claims
    return token(claims, lectern.secret())


@pytest.fixture
def connect(lectern):
    """Opens sockets that are closed after the test."""
    opened = []

    def open_socket(user=None, **options):
        opened.append(Socket(lectern, user, **options))
        return opened[-1]

    yield open_socket
    for one in opened:
        one.connection.close()


@pytest.fixture(scope="module", autouse=True)
def trickling(lectern):
    """A connection that begins its handshake before the first test, without nginx, and never ends it."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(lectern.env("services/realtime.env")["LECTERN_RUN_DIR"] + "/realtime.sock")
        connection.sendall(f"GET {PATH} HTTP/1.1\r\nUpgrade: websocket\r\n".encode())
        yield connection


# The handshake


@pytest.mark.parametrize("query", ["", "?vsn=1.0.0", "?apikey=", "?apikey=rubbish", "?apikey={token}"])
def test_the_upgrade_is_refused_without_the_right_key(lectern, alice, query):
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    answer = lectern.send("GET", PATH + query.format(token=alice.token), upgrade)
    assert answer.status == 401 and answer.json()["code"] == "PGRST301"
    assert answer["access-control-allow-origin"] == "*" and answer["www-authenticate"] == "Bearer"


def test_the_key_may_come_as_a_header_and_the_version_may_be_absent(lectern):
    upgrade = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Sec-WebSocket-Extensions", "permessage-deflate"),
        ("apiKey", lectern.anon_key),
    ]
    head = "".join(f"{name}: {value}\r\n" for name, value in upgrade)
    with socket.create_connection((lectern.host, lectern.port), timeout=60) as connection:
        connection.sendall(f"GET {PATH} HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
        answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 101 ") and b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer
    # Compression is not negotiated.
    assert b"extensions" not in answer.lower()


def test_an_unknown_version_is_refused(lectern):
    with pytest.raises(InvalidStatus) as refused:
        Socket(lectern, vsn="3.0.0")
    assert refused.value.response.status_code == 400
    assert json.loads(refused.value.response.body)["code"] == "LCT400"


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE"])
def test_a_request_that_is_not_a_handshake_gets_426(lectern, method):
    answer = lectern.send(method, f"{PATH}?apikey={lectern.anon_key}")
    assert answer.status == 426 and answer["upgrade"] == "websocket"
    assert method == "HEAD" or answer.json()["code"] == "LCT426"


def test_a_malformed_handshake_gets_400(lectern):
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "8"}
    answer = lectern.send("GET", f"{PATH}?apikey={lectern.anon_key}", headers)
    assert answer.status == 400 and answer.json()["code"] == "LCT400"


@pytest.mark.parametrize("path", ["/realtime", "/realtime/v1/", "/realtime/v1/api/broadcast", PATH + "/x"])
def test_other_paths_do_not_exist(lectern, path):
    for method in ["GET", "POST"]:
        answer = lectern.send(method, path, {"apikey": lectern.anon_key})
        assert answer.status == 404 and answer.json()["code"] == "PGRST125"


def test_a_preflight_request_is_answered(lectern):
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    assert lectern.send("OPTIONS", PATH, headers).status in (200, 204)


# The protocol


@pytest.mark.parametrize("vsn", ["1.0.0", "2.0.0"])
def test_a_channel_is_joined_used_and_left(connect, alice, vsn):
    client = connect(alice, vsn=vsn)
    client.write("phoenix", "heartbeat")
    beat = client.read()
    assert (beat["ref"], beat["topic"], beat["payload"]) == (None, "phoenix", {"status": "ok", "response": {}})

    bindings = [
        {"event": "INSERT", "schema": "public", "table": "links", "filter": "list=eq.read"},
        {"event": "*", "schema": "public"},
    ]
    reply = client.join(*bindings)
    shown = reply["response"]["postgres_changes"]
    assert reply["status"] == "ok" and [binding.pop("id") > 0 for binding in shown] == [True, True]
    assert shown == bindings
    assert client.read() == {
        "join_ref": None,
        "ref": None,
        "topic": "realtime:links",
        "event": "presence_state",
        "payload": {},
    }
    assert client.next("system") == {
        "status": "ok",
        "extension": "postgres_changes",
        "message": "Subscribed to PostgreSQL",
        "channel": "links",
    }

    alice.save(f"no address {uuid.uuid4()}")
    ids, data = client.change()
    assert len(ids) == 2 and data["type"] == "INSERT"

    assert client.ask("realtime:links", "phx_leave") == {"status": "ok", "response": {}}
    client.next("phx_close")
    other = connect(alice)
    other.watch()
    save(alice)
    other.change()
    client.beat()
    assert all(message["event"] != "postgres_changes" for message in client.kept)


def test_a_message_has_the_row_as_rest_shows_it(connect, alice):
    client = connect(alice)
    client.watch({"event": "*", "schema": "public", "table": "tags"})
    tag = alice.rest("POST", "tags", {"name": 'é " \u2028 😀'}, Prefer=REPRESENTATION).json()[0]
    _, data = client.change()
    assert data.pop("commit_timestamp").endswith("Z")
    assert {"name": "name", "type": "text"} in data["columns"] and {"name": "id", "type": "uuid"} in data["columns"]
    assert [column["name"] for column in data.pop("columns")] == list(tag)
    assert data == {"schema": "public", "table": "tags", "type": "INSERT", "record": tag, "errors": None}

    alice.rest("PATCH", f"tags?id=eq.{tag['id']}", {"name": "renamed"})
    _, data = client.change()
    assert (data["type"], data["record"]["name"], data["old_record"]) == ("UPDATE", "renamed", {"id": tag["id"]})
    alice.rest("DELETE", f"tags?id=eq.{tag['id']}")
    _, data = client.change()
    assert (data["type"], data["old_record"]) == ("DELETE", {"id": tag["id"]}) and "record" not in data


def test_columns_have_the_short_names_of_postgresql(connect, alice):
    client = connect(alice)
    client.watch({"event": "INSERT", "schema": "public", "table": "links"})
    link = alice.save(f"no address {uuid.uuid4()}")
    _, data = client.change()
    types = {column["name"]: column["type"] for column in data["columns"]}
    assert (types["id"], types["created_at"], types["is_starred"]) == ("uuid", "timestamptz", "bool")
    assert set(types) == set(data["record"]) == set(link)
    assert data["record"]["created_at"] == link["created_at"]


def test_several_bindings_and_channels_of_a_socket_each_get_what_they_want(connect, alice):
    client = connect(alice)
    links, deleted = client.watch(
        {"event": "*", "schema": "public", "table": "links"}, {"event": "DELETE", "schema": "public", "table": "links"}
    )
    [tags] = client.watch({"event": "*", "schema": "public", "table": "tags"}, topic="realtime:tags")
    assert tags not in (links, deleted)
    alice.rest("POST", "tags", {"name": "tag"})
    assert client.change()[0] == [tags]
    link = save(alice)
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    seen = [client.change()]
    while seen[-1][1]["type"] != "DELETE":
        seen.append(client.change())
    assert seen[-1][0] == [links, deleted]
    assert all(ids == [links] for ids, _ in seen[:-1])


@pytest.mark.parametrize(
    "binding, words",
    [
        ({"event": "*", "schema": "auth", "table": "users"}, "auth"),
        ({"event": "*", "schema": "private", "table": "jobs"}, "private"),
        ({"event": "*", "schema": "public", "table": "jobs"}, "jobs"),
        ({"event": "*", "schema": "public", "table": "links", "filter": "nothing=eq.1"}, "nothing"),
        ({"event": "*", "schema": "public", "table": "links", "filter": "title=like.a"}, "title=like.a"),
        ({"event": "*", "schema": "public", "table": "links", "filter": "id=eq.1"}, "id"),
        ({"event": "*", "schema": "public", "table": "articles", "filter": "content=eq.a"}, "content"),
        ("rubbish", "postgres_changes"),
    ],
)
def test_an_invalid_binding_is_refused_with_the_reason(connect, alice, binding, words):
    reply = connect(alice).join(binding)
    assert reply["status"] == "error" and words in reply["response"]["reason"]


def test_broadcast_and_presence_are_acknowledged_and_dropped(connect, alice):
    one, two = connect(alice), connect(alice)
    one.watch()
    two.watch()
    for event in ["broadcast", "presence"]:
        assert one.ask("realtime:links", event, {"event": "x", "payload": {}})["status"] == "ok"
    two.beat()
    assert two.kept == []


# Whose rows


def rows_in_every_table(user, admin):
    """Inserts, changes and deletes a row of the user in every table that is logged; yields each table when it is done.
    The filter of each finds the row before and after."""
    link = save(user, title="mine")
    tag = user.rest("POST", "tags", {"name": "t"}, Prefer=REPRESENTATION).json()[0]
    collection = user.rest("POST", "collections", {"name": "c"}, Prefer=REPRESENTATION).json()[0]
    owner = {"user_id": user.id, "link_id": link["id"]}
    article = "'u', '<p>x', 'x', 1, 1, 1)"
    columns = "(link_id, user_id, url, content, text_content, length, word_count, extractor_version)"
    admin.execute(f"insert into public.articles {columns} values (%(link_id)s, %(user_id)s, {article}", owner)
    for table, row, change, key in [
        ("articles", None, None, f"link_id=eq.{link['id']}"),
        ("link_tags", {"link_id": link["id"], "tag_id": tag["id"]}, None, f"tag_id=eq.{tag['id']}"),
        (
            "collection_links",
            {"link_id": link["id"], "collection_id": collection["id"]},
            {"position": 2},
            f"collection_id=eq.{collection['id']}",
        ),
        ("highlights", {"link_id": link["id"], "quote": "q"}, {"note": "n"}, f"link_id=eq.{link['id']}"),
        ("bookmarks", {"link_id": link["id"], "name": "n", "quote": "q"}, {"name": "m"}, f"link_id=eq.{link['id']}"),
        ("notes", {"link_id": link["id"], "body": "b"}, {"body": "c"}, f"link_id=eq.{link['id']}"),
        (
            "reading_progress",
            {"content_hash": "h", "link_id": link["id"]},
            {"percentage_complete": 1},
            "content_hash=eq.h",
        ),
        ("user_settings", {"theme": "dark"}, {"theme": "light"}, f"user_id=eq.{user.id}"),
        ("rules", {"name": "r", "query": "x", "change": {"list": "read"}}, {"name": "s"}, f"user_id=eq.{user.id}"),
        ("tags", None, {"name": "u"}, f"id=eq.{tag['id']}"),
        ("collections", None, {"name": "d"}, f"id=eq.{collection['id']}"),
        ("links", None, {"title": "still mine"}, f"id=eq.{link['id']}"),
    ]:
        if row:
            assert user.rest("POST", table, row).status == 201, table
        if table == "articles":
            admin.execute("update public.articles set title = 'a' where link_id = %(link_id)s", owner)
            admin.execute("delete from public.articles where link_id = %(link_id)s", owner)
            continue
        if change:
            assert user.rest("PATCH", f"{table}?{key}", change).status == 204, table
        assert user.rest("DELETE", f"{table}?{key}").status == 204, table


TABLES = [
    "links",
    "tags",
    "link_tags",
    "highlights",
    "bookmarks",
    "notes",
    "collections",
    "collection_links",
    "reading_progress",
    "user_settings",
    "rules",
    "articles",
]


def test_every_table_is_watched_and_a_user_sees_their_own_rows_alone_deleted_ones_included(connect, alice, bob, admin):
    """Bob and a client without a token listen to everything, also with filters that name Alice's rows."""
    filters = [
        {"event": event, "schema": "public", "table": table, "filter": f"user_id=eq.{alice.id}"}
        for table in TABLES
        for event in ["*", "DELETE"]
    ]
    logged = admin.execute("select tgrelid::regclass::text from pg_trigger where tgname = 'log_change'").fetchall()
    assert {name for (name,) in logged} == set(TABLES)
    hers = connect(alice)
    hers.watch(EVERYTHING, *filters)
    others = [connect(bob), connect(), connect()]
    others[0].watch(EVERYTHING, *filters)
    others[1].join(EVERYTHING, *filters)
    others[2].join(EVERYTHING, *filters, token=alice.lectern.anon_key)
    rows_in_every_table(alice, admin)

    seen = hers.changes_until(lambda data: data["table"] == "links" and data["type"] == "DELETE")
    kinds = {(data["table"], data["type"]) for data in seen}
    without_update = {"link_tags"}
    assert kinds >= {(table, kind) for table in TABLES for kind in ["INSERT", "DELETE"]}
    assert kinds >= {(table, "UPDATE") for table in TABLES if table not in without_update}
    for data in seen:
        row = data.get("record") or data["old_record"]
        assert row.get("user_id", alice.id) == alice.id
        assert not {"content", "text_content"} & {column["name"] for column in data["columns"]}
        assert "content" not in row and "text_content" not in row

    # Each of the others has read the log as far as this change.
    mark = bob.rest("POST", "tags", {"name": "mark"}, Prefer=REPRESENTATION).json()[0]
    assert others[0].change()[1]["record"] == mark
    for other in others:
        other.beat()
        assert all(message["event"] != "postgres_changes" for message in other.kept)


def test_a_filter_on_a_delete_looks_at_the_row_that_is_gone(connect, alice):
    client = connect(alice)
    kept, starred = (save(alice, title=title) for title in ["kept", "starred"])
    client.watch({"event": "DELETE", "schema": "public", "table": "links", "filter": 'title=in.(starred,"a,b")'})
    for link in [kept, starred]:
        assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    assert client.change()[1]["old_record"] == {"id": starred["id"]}


def test_a_row_that_changes_its_owner_is_deleted_for_one_and_inserted_for_the_other(connect, alice, bob, admin):
    hers, his = connect(alice), connect(bob)
    hers.watch()
    his.watch()
    tag = alice.rest("POST", "tags", {"name": "given"}, Prefer=REPRESENTATION).json()[0]
    assert hers.change()[1]["type"] == "INSERT"
    admin.execute("update public.tags set user_id = %s where id = %s", (bob.id, tag["id"]))
    assert hers.change()[1]["type"] == "DELETE"
    assert his.change()[1]["record"]["user_id"] == bob.id


def test_the_service_key_sees_everybodys_rows(connect, lectern, alice, bob):
    client = connect(key=lectern.service_key)
    client.watch({"event": "INSERT", "schema": "public", "table": "tags", "filter": "name=eq.for the admin"})
    for user in [alice, bob]:
        user.rest("POST", "tags", {"name": "for the admin"})
    assert {data["record"]["user_id"] for data in client.changes(2)} == {alice.id, bob.id}


# When


def test_every_device_gets_a_change_within_two_seconds(connect, alice):
    devices = [connect(alice, vsn=vsn) for vsn in ["1.0.0", "2.0.0", "2.0.0"]]
    for device in devices:
        device.watch({"event": "INSERT", "schema": "public", "table": "links"})

    def seconds_until_all_have_it():
        link = alice.save(f"no address {uuid.uuid4()}")
        start = time.monotonic()
        for device in devices:
            assert device.change()[1]["record"]["id"] == link["id"]
        return time.monotonic() - start

    # A busy machine may take longer now and then.
    assert any(seconds_until_all_have_it() < 2 for _ in range(5))


def test_the_changes_of_a_row_come_in_the_order_of_the_commits(connect, alice):
    client = connect(alice)
    link = save(alice)
    client.watch({"event": "UPDATE", "schema": "public", "table": "links", "filter": f"id=eq.{link['id']}"})
    titles = [f"title {number}" for number in range(40)]
    for title in titles:
        assert alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": title}).status == 204
    found = [
        data["record"]["title"] for data in client.changes_until(lambda data: data["record"]["title"] == titles[-1])
    ]
    # A service that is behind tells of the link's own changes, too, which were before the socket watched.
    assert [title for title in found if title in titles] == titles


def test_a_change_that_is_committed_late_is_told_then_and_one_that_fails_never(connect, alice, admin):
    client = connect(alice)
    client.watch({"event": "INSERT", "schema": "public", "table": "tags"})
    insert = "insert into public.tags (user_id, name) values (%s, %s)"
    with admin.transaction():
        admin.execute(insert, (alice.id, "late"))
        assert alice.rest("POST", "tags", {"name": "early"}).status == 201
        assert client.change()[1]["record"]["name"] == "early"
    assert client.change()[1]["record"]["name"] == "late"
    # The first of these rows is fine, the second is a duplicate.
    assert alice.rest("POST", "tags", [{"name": "new"}, {"name": "late"}]).status == 409
    assert alice.rest("POST", "tags", {"name": "last"}).status == 201
    assert client.change()[1]["record"]["name"] == "last"


def test_a_large_row_arrives(connect, alice):
    client = connect(alice)
    link = save(alice)
    client.watch({"event": "INSERT", "schema": "public", "table": "notes"})
    body = "é" * 50_000
    assert alice.rest("POST", "notes", {"link_id": link["id"], "body": body}).status == 201
    assert client.change()[1]["record"]["body"] == body


def test_a_batch_of_many_rows_arrives_completely(connect, alice):
    client = connect(alice)
    client.watch({"event": "INSERT", "schema": "public", "table": "tags"})
    names = [f"tag {number:03}" for number in range(500)]
    assert alice.rest("POST", "tags", [{"name": name} for name in names]).status == 201
    assert [data["record"]["name"] for data in client.changes(len(names))] == names


def test_a_change_of_many_links_at_once_reaches_clients_that_read(connect, alice):
    """It has one and a half megabytes for each channel, far more than the buffers between the service and the client."""
    urls = [f"no address {uuid.uuid4()}" for _ in range(500)]
    saved = alice.rest("POST", "links", [{"raw_url": url, "title": "old"} for url in urls], Prefer=REPRESENTATION)
    ids = sorted(link["id"] for link in saved.json())
    updated, deleted = connect(alice), connect(alice)
    updated.watch({"event": "UPDATE", "schema": "public", "table": "links", "filter": "title=eq.new"})
    channels = [f"realtime:{number}" for number in range(6)]
    for topic in channels:
        deleted.watch({"event": "DELETE", "schema": "public", "table": "links"}, topic=topic)
    assert alice.rest("PATCH", "links?title=eq.old", {"title": "new"}).status == 204
    found = set()
    while len(found) < len(ids):
        found.add(updated.change()[1]["record"]["id"])
    assert sorted(found) == ids
    assert alice.rest("DELETE", "links?title=eq.new").status == 204
    gone = [data["old_record"]["id"] for data in deleted.changes(len(ids) * len(channels))]
    assert sorted(gone) == sorted(ids * len(channels))


# Tokens


@pytest.mark.parametrize("bad", ["rubbish", "", "a.b.c", "expired", "just expired", "other secret", "none"])
def test_a_join_with_a_bad_token_is_refused(connect, lectern, alice, bad):
    claims = {"sub": alice.id, "role": "authenticated", "exp": int(time.time()) + 60}
    bad = {
        "expired": signed(lectern, alice, -60),
        "just expired": signed(lectern, alice, -1),
        "other secret": token(claims, "x" * 64),
        "none": token(claims, lectern.secret(), header={"alg": "none"}),
    }.get(bad, bad)
    client = connect()
    reply = client.ask(
        "realtime:links", "phx_join", {"config": {"postgres_changes": [EVERYTHING]}, "access_token": bad}
    )
    assert reply["status"] == "error" and reply["response"]["reason"]


def test_a_pushed_token_takes_effect_at_once(connect, lectern, alice, bob):
    client = connect()
    client.watch({"event": "INSERT", "schema": "public", "table": "tags"}, token=lectern.anon_key)
    alice.rest("POST", "tags", {"name": "before"})
    client.push_token(alice.token)
    alice.rest("POST", "tags", {"name": "alice's"})
    # The first tag may come, too, as the token may be pushed before its change is told.
    client.changes_until(lambda data: data["record"]["name"] == "alice's")
    client.push_token(bob.token)
    alice.rest("POST", "tags", {"name": "not for bob"})
    bob.rest("POST", "tags", {"name": "bob's"})
    assert client.change()[1]["record"]["name"] == "bob's"


def test_no_change_comes_after_the_token_has_expired_until_a_fresh_one_is_pushed(connect, lectern, alice):
    client, other = connect(alice), connect(alice)
    client.watch({"event": "INSERT", "schema": "public", "table": "tags"})
    other.watch({"event": "INSERT", "schema": "public", "table": "tags"})
    alice.rest("POST", "tags", {"name": "in time"})
    assert client.change()[1]["record"]["name"] == other.change()[1]["record"]["name"] == "in time"
    client.push_token(signed(lectern, alice, 2))
    # Signed before now, so it has expired then.
    expired = time.time() + 2.1
    wait_until(lambda: time.time() > expired)
    alice.rest("POST", "tags", {"name": "too late"})
    assert other.change()[1]["record"]["name"] == "too late"
    client.push_token(signed(lectern, alice, -1))
    client.push_token(signed(lectern, alice, 60))
    alice.rest("POST", "tags", {"name": "fresh"})
    assert client.change()[1]["record"]["name"] == "fresh"


def test_an_invalid_token_that_is_pushed_closes_its_channel(connect, alice):
    client = connect(alice)
    client.watch()
    client.watch(topic="realtime:other")
    client.push_token("rubbish")
    assert client.next("system")["status"] == "error"
    assert [message["event"] for message in client.kept] == ["phx_close"]
    alice.rest("POST", "tags", {"name": "tag"})
    assert client.change()[1]["table"] == "tags"


# supabase-py


def test_supabase_py_gets_the_changes_of_its_user(lectern, alice, bob):
    async def run():
        client = await acreate_client(lectern.url, lectern.anon_key)
        await client.auth.sign_in_with_password({"email": alice.email, "password": alice.password})
        client.realtime.timeout = LOST
        arrived, live, states = asyncio.Queue(), asyncio.Event(), []
        channel = client.channel("links")
        channel.on_postgres_changes("*", callback=arrived.put_nowait, schema="public", table="links")
        channel.on_postgres_changes("DELETE", callback=arrived.put_nowait, schema="public", table="tags")
        channel.on_system(lambda _: live.set())
        await channel.subscribe(lambda state, error: states.append((state.value, error)))
        assert states == [("SUBSCRIBED", None)]
        await asyncio.wait_for(live.wait(), LOST)
        await asyncio.to_thread(bob.save, f"no address {uuid.uuid4()}")
        link = await asyncio.to_thread(alice.save, f"no address {uuid.uuid4()}")
        payload = await asyncio.wait_for(arrived.get(), LOST)
        assert payload["data"]["type"] == "INSERT" and payload["data"]["record"]["id"] == link["id"]
        await client.remove_channel(channel)

    asyncio.run(run())


# Bad input


def frame(opcode, payload, masked=True, first=0x80):
    """A frame with any bits."""
    size = len(payload)
    length = bytes([min(size, 125)])
    if size > 125:
        length = b"\x7e" + size.to_bytes(2) if size < 65_536 else b"\x7f" + size.to_bytes(8)
    length = bytes([length[0] | (0x80 if masked else 0)]) + length[1:]
    return bytes([first | opcode]) + length + (bytes(4) if masked else b"") + payload


JOIN = json.dumps({"topic": "realtime:a", "event": "phx_join", "payload": {}, "ref": "1"}).encode()
BEAT = json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "1"}).encode()


BAD_FRAMES = {
    "not JSON": (frame(1, b"{"), 1007),
    "not a message": (frame(1, b"[1, 2]"), 1007),
    "deep JSON": (frame(1, b"[" * 60_000), 1007),
    "not UTF-8": (frame(1, b'{"topic":"\xff"}'), 1007),
    "binary": (frame(2, b"rubbish"), 1003),
    "too large": (frame(1, b" " * 65_537), 1009),
    "announced as endless": (b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4), 1009),
    "too large in fragments": (frame(1, b" " * 40_000, first=0) + frame(0, b" " * 40_000, first=0), 1009),
    "a fragment without a beginning": (frame(0, b"x"), 1002),
    "a message within another": (frame(1, b"x", first=0) + frame(1, b"x"), 1002),
    "unmasked": (frame(1, BEAT, masked=False), 1002),
    "compressed": (frame(1, b"x", first=0xC0), 1002),
    "unknown opcode": (frame(5, b"x"), 1002),
    "fragmented ping": (frame(9, b"x", first=0), 1002),
    "large ping": (frame(9, b"x" * 126), 1002),
}


@pytest.mark.parametrize("sent, code", BAD_FRAMES.values(), ids=BAD_FRAMES)
def test_a_bad_frame_closes_its_socket_and_disturbs_no_other(connect, alice, sent, code):
    good, bad = connect(alice), connect(alice)
    good.watch()
    bad.watch()
    bad.connection.socket.sendall(sent)
    assert bad.close_code() == code
    alice.rest("POST", "tags", {"name": f"tag {code}"})
    assert good.change()[1]["table"] == "tags"


def test_fragments_are_joined_and_pings_answered(connect, alice):
    client = connect(alice)
    client.connection.socket.sendall(frame(1, JOIN[:9], first=0) + frame(9, b"?") + frame(0, JOIN[9:]))
    assert client.next("presence_state") == {}
    assert client.connection.ping().wait(LOST)
    client.beat()


def test_a_client_that_closes_gets_its_code_back(connect):
    client = connect()
    client.connection.close(code=3000)
    assert client.close_code() == 3000


def test_joins_by_the_thousand_are_bounded(connect, lectern, alice):
    other, client = connect(alice), connect(alice)
    other.watch()
    replies = [client.join(EVERYTHING, topic=f"realtime:{number}")["status"] for number in range(120)]
    assert replies == ["ok"] * 100 + ["error"] * 20
    many = client.join(*[EVERYTHING] * 101, topic="realtime:1")
    assert many["status"] == "error" and "100" in many["response"]["reason"]
    alice.rest("POST", "tags", {"name": "tag"})
    assert other.change()[1]["table"] == "tags"


def test_a_handshake_that_takes_too_long_ends(trickling):
    """It has ten seconds, most of which the tests above have taken."""
    trickling.settimeout(30)
    assert trickling.recv(1) == b""
