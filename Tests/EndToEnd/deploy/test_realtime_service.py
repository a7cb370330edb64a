"""The realtime service as a process: killed, replaced, stopped, overloaded, and without its database."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import pytest
from supabase import acreate_client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import unix_connect

from support.browser import ListPage
from support.client import token, wait_until
from support.delta_sync import Copy, rows_of
from support.realtime import EVERYTHING, PATH, Socket, metrics

WORD = "lectern-realtime"


@pytest.fixture
def user(service):
    service.run()
    user = service.sign_up()
    with wait_until(lambda: connected(service, user)):
        pass
    return user


def add_tag(user, name=None):
    """Adds a tag and repeats it while the service is away, as a client does. Returns its name."""
    name = name or uuid.uuid4().hex
    wait_until(lambda: user.rest("POST", "tags", {"name": name}).status in (201, 409))
    return name


def names(client, count):
    return [data["record"]["name"] for data in client.changes(count)]


def backend(service):
    """The pid of PostgreSQL's process for the realtime service."""
    query = "select pid from pg_stat_activity where application_name = 'lectern-realtime'"
    return wait_until(lambda: [pid for (pid,) in service.sql(query)])[0]


def test_sockets_stay_and_lose_nothing_when_the_connection_to_the_database_is_lost(service, user):
    with Socket(service, user) as client:
        client.watch()
        added = [add_tag(user)]
        os.kill(backend(service), signal.SIGTERM)
        added += [add_tag(user) for _ in range(5)]
        assert names(client, 6) == added
        client.beat()
        # The feed is live again for new channels, too.
        client.watch(topic="realtime:other")


def test_sockets_stay_and_lose_nothing_when_postgresql_crashes(service, user):
    with Socket(service, user) as client:
        client.watch()
        added = [add_tag(user)]
        # The death of one process ends all connections, and PostgreSQL recovers.
        os.kill(backend(service), signal.SIGKILL)
        added += [add_tag(user) for _ in range(5)]
        assert names(client, 6) == added
        client.beat()
        assert client.kept == []


def test_after_a_crash_of_the_service_clients_connect_again_and_catch_up(service, user):
    copy = Copy(user)
    copy.poll()
    with Socket(service, user) as client:
        client.watch()
        os.kill(service.first(WORD), signal.SIGKILL)
        assert client.close_code() == 1006
        # A save does not need the service.
        add_tag(user)

    with wait_until(lambda: connected(service, user)) as client:
        client.watch()
        copy.poll()
        assert copy.rows == rows_of(user) and copy.rows
        name = add_tag(user)
        assert names(client, 1) == [name]


def test_supabase_py_joins_again_after_a_crash_and_pushes_a_refreshed_token(service, user):
    now = int(time.time())
    expired = token({"sub": user.id, "role": "authenticated", "iat": now - 60, "exp": now - 30}, service.secret())

    async def run():
        client = await acreate_client(service.url, service.anon_key)
        client.realtime.initial_backoff, client.realtime.max_retries = 0.05, 10
        await client.auth.sign_in_with_password({"email": user.email, "password": user.password})
        arrived, live = asyncio.Queue(), asyncio.Event()
        channel = client.channel("tags")
        channel.on_postgres_changes("INSERT", callback=arrived.put_nowait, schema="public", table="tags")
        channel.on_system(lambda _: live.set())

        async def next_name():
            return (await asyncio.wait_for(arrived.get(), 150))["data"]["record"]["name"]

        await channel.subscribe()
        await asyncio.wait_for(live.wait(), 150)
        live.clear()
        os.kill(service.first(WORD), signal.SIGKILL)
        await asyncio.wait_for(live.wait(), 150)
        assert await asyncio.to_thread(add_tag, user) == await next_name()

        with Socket(service, user) as other:
            await asyncio.to_thread(other.watch)
            handled = metrics(service)["messages_total"]
            await client.realtime.set_auth(expired)
            await asyncio.to_thread(wait_until, lambda: metrics(service)["messages_total"] > handled)
            hidden = await asyncio.to_thread(add_tag, user)
            assert await asyncio.to_thread(names, other, 1) == [hidden] and arrived.empty()
        await client.auth.refresh_session()
        # The client pushes the token in the background.
        while arrived.empty():
            await asyncio.to_thread(add_tag, user)
            await asyncio.sleep(0.05)
        assert await next_name() != hidden
        await client.remove_all_channels()

    asyncio.run(run())


def test_an_open_list_catches_up_after_a_crash_of_the_service(service, user, chromium):
    page = ListPage(service.url, chromium)
    page.to_list(user)
    gone = user.save("http://127.0.0.2/before", title="Before the crash")
    page.card("Before the crash")
    supervisor, killed = service.supervisor(), service.first(WORD)
    # The supervisor starts the service again only when it may run.
    os.kill(supervisor, signal.SIGSTOP)
    try:
        os.kill(killed, signal.SIGKILL)
        user.save("http://127.0.0.2/meanwhile", title="While it was down")
        user.rest("DELETE", f"links?id=eq.{gone['id']}")
    finally:
        os.kill(supervisor, signal.SIGCONT)
    wait_until(lambda: page.titles() == ["While it was down"])
    # The page would connect again and again while other tests count sockets.
    page.leave()
    # The list may have come from the server before the service was started again.
    with wait_until(lambda: connected(service, user)):
        pass


def connected(service, user):
    """A socket; None while the service starts."""
    try:
        return Socket(service, user)
    except InvalidStatus as refused:
        assert refused.response.status_code == 502
    return None


def test_a_change_of_its_settings_replaces_the_service_and_other_changes_leave_its_sockets_alone(service, user):
    with Socket(service, user) as client:
        client.watch()
        service.run(LECTERN_TOKEN_LIFETIME="1800")
        client.beat()
        said = service.run(LECTERN_TOKEN_LIFETIME="1800", LECTERN_REALTIME_USER_SOCKETS="50")
        assert "realtime" in said
        assert client.close_code() == 1012
        # The new one listens before the old one stops.
        with Socket(service, user) as again:
            again.watch()
            assert names_after_tag(again, user)
    assert "realtime replaced" in service.log()


def names_after_tag(client, user):
    name = add_tag(user)
    return names(client, 1) == [name]


def test_a_new_build_replaces_the_service(service, user):
    programs = Path(tempfile.mkdtemp(prefix="lectern-programs-"))
    try:
        built = Path(os.environ["LECTERN_BUILD_DIR"]) if "LECTERN_BUILD_DIR" in os.environ else service.home / "bin"
        for name in ["lectern", "lectern-fcgi", "lectern-pdf", "lectern-pictures", WORD]:
            shutil.copy(built / name, programs / name)
        with (programs / WORD).open("ab") as program:
            program.write(b"\0")
        before = service.first(WORD)
        assert WORD.removeprefix("lectern-") in service.run(LECTERN_BUILD_DIR=str(programs))
        assert service.first(WORD) != before
        # One that does not start leaves the old one in service.
        shutil.copy("/bin/false", programs / WORD)
        current = service.first(WORD)
        said = service.run(LECTERN_BUILD_DIR=str(programs), status=1)
        assert "the old one continues" in said and service.first(WORD) == current
        with Socket(service, user) as client:
            client.watch()
    finally:
        shutil.rmtree(programs)
        service.run()


def test_a_stop_closes_the_sockets_with_a_reason_and_waits_for_none_of_them(service, user):
    # Force is used after a minute; the sockets do not use it up.
    service.run(LECTERN_DRAIN_TIMEOUT="60")
    before = len(service.log())
    clients = [Socket(service, user) for _ in range(30)]
    for client in clients:
        client.watch()
    began = time.monotonic()
    stopping = subprocess.Popen([service.checkout / "deploy/stop", "--home", service.home], stdout=subprocess.DEVNULL)
    assert {client.close_code() for client in clients} == {1012}
    assert stopping.wait(300) == 0 and time.monotonic() - began < 50
    assert "is killed" not in service.log()[before:]
    assert service.command_lines() == {}


def test_a_slow_reader_is_closed_and_catches_up_while_others_get_everything(service, user):
    before = metrics(service)
    link = user.settled(user.save(f"no address {uuid.uuid4()}")["id"])["id"]
    copy = Copy(user)
    copy.poll()
    bindings = {"event": "*", "schema": "public", "table": "notes"}
    with Socket(service, user) as reader, Socket(service, user, max_queue=1) as slow:
        reader.watch(bindings)
        slow.watch(bindings)
        note = user.rest("POST", "notes", {"link_id": link, "body": ""}, Prefer="return=representation").json()[0]
        assert reader.change()[1]["type"] == "INSERT"
        # The library stops reading after a few messages; the kernel and nginx keep a part of the rest.
        key = 'closed_sockets_total{reason="slow_reader"}'
        sent = 0
        while metrics(service)[key] == before[key]:
            assert sent < 200
            body = f"{sent} " + "x" * 90_000
            assert user.rest("PATCH", f"notes?id=eq.{note['id']}", {"body": body}).status == 204
            assert reader.change()[1]["record"]["body"] == body
            sent += 1
        assert slow.close_code() in (1013, 1006)
        after = metrics(service)
        assert (
            after['dropped_events_total{reason="slow_reader"}'] > before['dropped_events_total{reason="slow_reader"}']
        )
        copy.poll()
        assert copy.rows == rows_of(user)


def peak_memory(service):
    """The largest memory of the service so far, in MB."""
    status = Path(f"/proc/{service.first(WORD)}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def test_a_large_change_of_another_user_delays_no_one_and_takes_no_memory(service, user):
    other = service.sign_up()
    link = other.save(f"no address {uuid.uuid4()}")["id"]
    with Socket(service, user) as client:
        client.watch()
        before = peak_memory(service)
        assert other.rest("POST", "notes", {"link_id": link}).status == 201
        # Ninety megabytes of rows in one transaction.
        service.sql(f"""do $$ begin
            for number in 100..199 loop
                update public.notes set body = repeat(number::text, 300000) where link_id = '{link}';
            end loop;
        end $$""")
        assert names_after_tag(client, user)
        assert peak_memory(service) - before < 30


def test_a_client_that_pings_and_does_not_read_is_closed(service, user):
    service.run(LECTERN_RATE_LIMITS="off")
    before = metrics(service)
    head = "\r\n".join(
        [
            f"GET {PATH}?apikey={service.anon_key} HTTP/1.1",
            "Host: localhost",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
    )
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(service.env("services/realtime.env")["LECTERN_RUN_DIR"] + "/realtime.sock")
        client.sendall(f"{head}\r\n\r\n".encode())
        # Pings of 125 bytes, with a mask of zeros.
        client.sendall(40_000 * (b"\x89\xfd" + bytes(4) + b"x" * 125))
        key = 'closed_sockets_total{reason="slow_reader"}'
        wait_until(lambda: metrics(service)[key] > before[key])
        with Socket(service, user) as other:
            other.watch()
            assert names_after_tag(other, user)


def test_two_instances_on_one_database_tell_the_same_changes(service, user):
    folder = Path(tempfile.mkdtemp(prefix="lectern-realtime-"))
    environment = service.env("services/realtime.env") | {"LECTERN_RUN_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    program = service.home / "bin" / WORD
    second = subprocess.Popen([program], env=environment, cwd=service.home, stderr=subprocess.PIPE, text=True)
    try:
        assert "realtime ready" in second.stderr.readline()
        # A third one on the same sockets is refused.
        third = subprocess.run([program], env=environment, cwd=service.home, capture_output=True, text=True)
        assert third.returncode == 1 and f"{second.pid} already listens" in third.stderr
        with Socket(service, user) as one, Other(service, user, folder / "realtime.sock") as two:
            one.watch()
            two.watch()
            added = [add_tag(user) for _ in range(20)]
            assert names(one, 20) == names(two, 20) == added
            second.send_signal(signal.SIGTERM)
            assert two.close_code() == 1012
            one.beat()
        assert second.wait(150) == 0 and not list(folder.iterdir())
    finally:
        second.kill()
        second.stderr.close()
        shutil.rmtree(folder)


class Other(Socket):
    """A WebSocket to an instance without nginx."""

    def __init__(self, instance, user, path):
        uri = f"ws://localhost{PATH}?apikey={instance.anon_key}"
        self.connection = unix_connect(str(path), uri=uri, ping_interval=None, max_size=None, compression=None)
        self.user, self.arrays, self.ref, self.kept = user, False, 0, []


def test_rate_limits_close_a_socket_that_sends_too_much_and_refuse_too_many_of_a_user_or_a_network(service):
    service.run(LECTERN_RATE_LIMITS="on", LECTERN_REALTIME_USER_SOCKETS="2", LECTERN_REALTIME_NETWORK_SOCKETS="4")
    user = service.sign_up()
    with Socket(service, user) as one, Socket(service, user) as two, Socket(service, user) as three:
        one.watch()
        two.watch()
        refused = three.join(EVERYTHING)
        assert refused["response"]["reason"].startswith("ConnectionRateLimitReached")
        with Socket(service), pytest.raises(InvalidStatus) as answer:
            Socket(service)
        assert answer.value.response.status_code == 429
        # WebSockets do not count as requests.
        assert user.rest("GET", "tags").status == 200
        with contextlib.suppress(ConnectionClosed):
            for _ in range(5_000):
                three.write("phoenix", "heartbeat")
        assert three.close_code() == 1008
        assert names_after_tag(one, user)
    service.run()


def test_a_hanging_owner_of_the_socket_does_not_delay_a_start(service, user):
    folder = Path(tempfile.mkdtemp(prefix="lectern-realtime-"))
    environment = service.env("services/realtime.env") | {"LECTERN_RUN_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    program = service.home / "bin" / WORD
    with socket.socket(socket.AF_UNIX) as hanging, socket.socket(socket.AF_UNIX) as waiting:
        hanging.bind(str(folder / "realtime.sock"))
        hanging.listen(0)
        # It fills the queue of connections that were not accepted.
        waiting.connect(str(folder / "realtime.sock"))
        refused = subprocess.run(
            [program], env=environment, cwd=service.home, capture_output=True, text=True, timeout=600
        )
        assert refused.returncode == 1 and "another process already listens" in refused.stderr
        started = subprocess.Popen(
            [program, "--take-over"], env=environment, cwd=service.home, stderr=subprocess.PIPE, text=True
        )
        try:
            assert "realtime ready" in started.stderr.readline()
            with Other(service, user, folder / "realtime.sock") as client:
                client.watch()
        finally:
            started.kill()
            started.stderr.close()
            started.wait()
            shutil.rmtree(folder)


def test_the_metrics_tell_sockets_changes_and_times(service, user):
    # Those of the test before may still be closing.
    before = wait_until(lambda: (found := metrics(service))["sockets"] == 0 and found)
    with Socket(service, user) as client:
        client.watch()
        client.join(EVERYTHING, token="rubbish", topic="realtime:other")
        added = [add_tag(user) for _ in range(3)]
        assert names(client, 3) == added
        after = metrics(service)
    assert after["sockets"] == 1 and after["watching_channels"] == 1 and after["live"] == 1
    assert after["events_total"] == before["events_total"] + 3
    assert after["refused_joins_total"] == before["refused_joins_total"] + 1
    assert after["lag_seconds_count"] == before["lag_seconds_count"] + 3
    # Nobody watches, so the log is not read.
    wait_until(lambda: (found := metrics(service))["sockets"] == found["live"] == 0)


def test_the_program_explains_itself_and_reports_what_is_missing(service):
    service.run()
    program = service.home / "bin" / WORD

    def call(*arguments, **environment):
        return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=600)

    said = call("--help").stdout
    assert "--take-over" in said
    read = {*service.env("services/realtime.env"), "LECTERN_REALTIME_DATABASE", "LECTERN_JWT_PREVIOUS_SECRETS"}
    assert [name for name in read if name.removeprefix("LECTERN_") not in said] == []
    wrong = call("--wrong")
    assert wrong.returncode == 2 and "--wrong" in wrong.stderr
    missing = call(LECTERN_RUN_DIR="/nonexistent")
    assert missing.returncode == 78 and "LECTERN_JWT_SECRET is missing" in missing.stderr
