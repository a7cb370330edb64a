"""Killed, restarted and overloaded services: acknowledged writes stay, other requests get a clear error, and all recovers.

The module has a service of its own, because killing its processes would disturb other tests.
"""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
import uuid
from pathlib import Path

import psycopg
import pytest

from support import service
from support.client import wait_until
from support.load import Load
from support.paths import CHECKOUT


@pytest.fixture(scope="module")
def instance():
    # No test here is about a page that takes too long to read.
    with service.own(LECTERN_JOBS_LEASE="5", LECTERN_READ_TIMEOUT="60") as instance:
        yield instance


def lists(alice):
    return lambda *_: (alice.rest("GET", "links?select=id&limit=5").status, None)


def kill(process, how=signal.SIGKILL):
    """Sends a signal to a process, which may have just ended by itself."""
    try:
        os.kill(process, how)
    except ProcessLookupError:
        pass


# --- workers ---------------------------------------------------------------------------------------------------------


def test_a_table_and_a_function_made_in_psql_are_served_without_a_restart_until_they_are_dropped(instance, alice):
    workers = set(instance.workers())
    instance.sql("""
        set role lectern_owner;
        create table public.shelves (id int primary key, owner uuid not null default auth.uid(), name text);
        alter table public.shelves enable row level security, force row level security;
        create policy own on public.shelves using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
        grant select, insert on public.shelves to authenticated;
        create function public.twice(n int) returns int language sql immutable return 2 * n;
        grant execute on function public.twice to authenticated;
        notify pgrst, 'reload schema'""")
    wait_until(lambda: all(alice.rest("GET", "shelves").status == 200 for _ in range(20)))
    assert alice.rest("POST", "shelves", {"id": 1, "name": "top"}).status == 201
    assert alice.rest("GET", "shelves?select=name").json() == [{"name": "top"}]
    assert alice.rest("POST", "rpc/twice", {"n": 21}).body == b"42"
    assert alice.rest("GET", "rpc/twice?n=4").body == b"8"
    assert "/shelves" in alice.rest("GET", "").json()["paths"]
    # The same query after the table has changed.
    instance.sql(
        "set role lectern_owner; alter table public.shelves add column height int default 3; "
        "notify pgrst, 'reload schema'"
    )
    wait_until(lambda: all("height" in alice.rest("GET", "shelves?select=*").json()[0] for _ in range(20)))
    instance.sql(
        "set role lectern_owner; drop table public.shelves; drop function public.twice; notify pgrst, 'reload schema'"
    )
    wait_until(lambda: all(alice.rest("GET", "shelves").json().get("code") == "PGRST205" for _ in range(20)))
    assert alice.rest("POST", "rpc/twice", {"n": 21}).status == 404
    assert set(instance.workers()) == workers


def test_replacing_the_workers_one_by_one_loses_no_request(instance, alice):
    before = set(instance.workers())
    with Load(lists(alice)) as load:
        for _ in range(2):
            load.proceed(50)
            workers = set(instance.workers())
            os.kill(instance.processes("lectern", "fcgi")[0], signal.SIGHUP)
            wait_until(lambda: len(instance.workers()) == len(workers) and not workers & set(instance.workers()))
        load.proceed()
    assert set(load.statuses()) == {200}, load.statuses()
    assert not before & set(instance.workers())


def test_a_terminated_worker_finishes_its_requests_and_is_replaced(instance, alice):
    victim = instance.workers()[0]
    with Load(lists(alice)) as load:
        load.proceed(50)
        os.kill(victim, signal.SIGTERM)
        wait_until(lambda: victim not in instance.workers() and len(instance.workers()) >= 2)
        load.proceed(50)
    assert set(load.statuses()) == {200}, load.statuses()


def test_a_killed_worker_loses_at_most_its_requests_in_flight_and_is_replaced_at_once(instance, alice):
    with Load(lists(alice)) as load:
        load.proceed(50)
        victim = instance.workers()[0]
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: victim not in instance.workers() and len(instance.workers()) >= 2)
        load.proceed()
    statuses = load.statuses()
    assert set(statuses) <= {200, 502}, statuses
    assert statuses[502] <= 8, statuses


def test_fcgi_status_shows_every_worker(instance, alice):
    # The replacement of a killed worker may still be starting.
    status = wait_until(
        lambda: (status := instance.lectern("fcgi", "--status")).stdout.count(" ready ") == 2 and status
    )
    assert status.returncode == 0 and status.stdout.startswith("PID"), status
    rows = json.loads(instance.lectern("fcgi", "--status", "--json").stdout)
    assert {row["pid"] for row in rows} == set(instance.workers())
    assert all(row["threads"] == 8 for row in rows)


def test_bursts_of_sign_ins_do_not_delay_other_requests(instance, alice):
    def pool():
        return json.loads(instance.lectern("fcgi", "--status", "--json").stdout)

    def sign_in(*_):
        body = {"email": alice.email, "password": alice.password}
        return instance.auth("POST", "token?grant_type=password", body).status, None

    def workers_with_queue():
        workers = pool()
        return sum(worker["waiting"] for worker in workers) > 40 and workers

    with Load(sign_in, clients=60, pause=0) as crowd:
        wait_until(workers_with_queue)
        for _ in range(20):
            assert alice.rest("GET", "links?select=id").status == 200
        workers = wait_until(workers_with_queue)
        assert all(worker["busy"] < worker["threads"] for worker in workers), workers
    assert set(crowd.statuses()) == {200} and len(crowd.answers) >= 60
    wait_until(lambda: sum(worker["waiting"] for worker in pool()) == 0)


# --- the same program as plain CGI -----------------------------------------------------------------------------------


def test_as_a_plain_cgi_program_a_worker_serves_the_same_routes(instance, alice):
    saved = alice.save("http://127.0.0.1:9/cgi")
    targets = [
        "/health",
        f"/rest/v1/links?id=eq.{saved['id']}&select=id,raw_url",
        "/rest/v1/nothing",
        "/auth/v1/settings",
    ]
    env = instance.env("services/fcgi.env")
    for target in targets:
        cgi = {
            "REQUEST_METHOD": "GET",
            "REQUEST_URI": target,
            "REMOTE_ADDR": "127.0.0.1",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "HTTP_APIKEY": instance.anon_key,
            "HTTP_AUTHORIZATION": f"Bearer {alice.token}",
        }
        done = subprocess.run(
            [instance.home / "bin/lectern-fcgi"],
            env=env | cgi,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        over_http = alice.lectern.send("GET", target, alice.headers)
        assert int(re.match(rb"Status: (\d+)", head).group(1)) == over_http.status, done
        assert body == over_http.body, target


def test_fcgiwrap_can_run_a_worker(instance):
    socket_path = instance.folder / "fcgiwrap.sock"
    env = instance.env("services/fcgi.env")
    # It gets a listening socket, as from spawn-fcgi; a socket of its own would exist before it listens.
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path))
        listener.listen()
        wrapper = subprocess.Popen(
            ["/usr/sbin/fcgiwrap"],
            stdin=listener,
            env={"PATH": "/usr/bin:/bin"} | env | {"LECTERN_SQL_DIR": str(instance.home / "sql")},
        )
    try:
        answer = fastcgi(
            socket_path,
            {
                "SCRIPT_FILENAME": str(instance.home / "bin/lectern-fcgi"),
                "REQUEST_METHOD": "GET",
                "REQUEST_URI": "/health",
                "REMOTE_ADDR": "127.0.0.1",
                "GATEWAY_INTERFACE": "CGI/1.1",
            },
        )
        assert b'"status":"ok"' in answer, answer
    finally:
        wrapper.terminate()
        wrapper.wait()


def fastcgi(path, parameters):
    """Sends one request over a FastCGI socket and returns the stdout of the response."""

    def record(kind, body):
        return struct.pack("!BBHHBx", 1, kind, 1, len(body), 0) + body

    pairs = b"".join(
        struct.pack("!II", len(name) | 1 << 31, len(value) | 1 << 31) + name.encode() + value.encode()
        for name, value in parameters.items()
    )
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(120)
        connection.connect(str(path))
        connection.sendall(record(1, struct.pack("!HB5x", 1, 0)) + record(4, pairs) + record(4, b"") + record(5, b""))
        data, out = b"", b""
        while chunk := connection.recv(65536):
            data += chunk
    while data:
        _, kind, _, length, padding = struct.unpack("!BBHHBx", data[:8])
        if kind == 6:
            out += data[8 : 8 + length]
        data = data[8 + length + padding :]
    return out


# --- metrics and logs ------------------------------------------------------------------------------------------------


def test_metrics_need_the_token_or_the_workers_own_socket(instance, alice):
    assert instance.send("GET", "/metrics").status == 403
    assert instance.send("GET", "/metrics", {"Authorization": "Bearer nonsense"}).status == 403
    answer = instance.send("GET", "/metrics", {"Authorization": f"Bearer {instance.metrics_token}"})
    assert answer.status == 200
    text = answer.body.decode()
    assert re.search(r'^lectern_requests_total\{route="auth_signup",status="2xx"\} [1-9]', text, re.M), text
    assert re.search(r"^lectern_workers 2$", text, re.M)
    assert re.search(r'^lectern_request_seconds_count\{route="auth_signup"\} [1-9]', text, re.M)
    own = fastcgi(Path(instance.run_directory()) / "fcgi.sock", {"REQUEST_METHOD": "GET", "REQUEST_URI": "/metrics"})
    assert b"lectern_requests_total" in own


def test_a_request_can_be_traced_through_the_logs_which_hold_no_secret(instance):
    password, mark = f"pass-{uuid.uuid4().hex}", uuid.uuid4().hex
    alice = instance.sign_up(f"log-{mark}@example.org", password)
    answer = alice.rest("GET", f"links?title=eq.{mark}")
    request_id = answer["x-request-id"]
    line = wait_until(
        lambda: [line for line in (instance.home / "log/fcgi.log").read_text().splitlines() if request_id in line]
    )[0]
    entry = json.loads(line)
    assert entry["route"] == "rest_table" and entry["status"] == 200 and entry["user"] == alice.id
    assert {"ms_auth", "ms_plan", "ms_sql", "ms_total", "bytes"} <= set(entry)
    logs = "".join(file.read_text(errors="replace") for file in (instance.home / "log").iterdir())
    for secret in (password, mark, alice.token, alice.refresh_token, instance.secret()):
        assert secret not in logs


def test_the_request_id_reaches_the_database(instance, alice):
    id = alice.settled(alice.save("not an address")["id"])["id"]
    answers = []
    with psycopg.connect(instance.database_url) as lock:
        # The change waits for this lock, so that it can be observed while it runs.
        lock.execute("select from public.links where id = %s for update", [id])
        change = threading.Thread(
            target=lambda: answers.append(alice.rest("PATCH", f"links?id=eq.{id}", {"title": "x"}))
        )
        change.start()
        name = wait_until(
            lambda: instance.sql(
                "select application_name from pg_stat_activity "
                "where usename = 'authenticator' and wait_event_type = 'Lock'"
            )
        )
    change.join()
    assert name == [(f"lectern {answers[0]['x-request-id']}",)] and answers[0].status == 204


# --- the programs ----------------------------------------------------------------------------------------------------


def test_a_worker_links_neither_the_fetcher_nor_the_parser(instance):
    libraries = subprocess.run(
        ["ldd", instance.home / "bin/lectern-fcgi"], capture_output=True, text=True, check=True
    ).stdout
    assert "libfcgi" in libraries and "libpq" in libraries
    # libpq links Kerberos and LDAP; these two would come from Lectern's own code.
    assert "libcurl" not in libraries and "libgumbo" not in libraries
    assert "libswift" not in libraries, "the programs run where no Swift is installed"


def test_proxies_of_the_environment_are_ignored(instance, website):
    nowhere = "http://127.0.0.1:9"
    names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
    done = subprocess.run(
        [instance.home / "bin/lectern", "resolve", "--allow", "127.0.0.1", f"{website.url}/pages/ars-1"],
        env={"PATH": "/usr/bin:/bin"} | dict.fromkeys(names, nowhere),
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["status"] == 200


@pytest.mark.parametrize("query", sorted((CHECKOUT / "sql/maintenance").glob("*.sql")), ids=lambda path: path.name)
def test_an_admin_can_run_the_maintenance_queries(instance, alice, query):
    alice.save("http://127.0.0.1:9/maintenance")
    done = subprocess.run(
        ["psql", instance.database_url, "-X", "-v", "ON_ERROR_STOP=1", "-f", query],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and "row" in done.stdout, done
    if query.name == "orphans.sql":
        assert "(0 rows)" in done.stdout


# --- jobs ------------------------------------------------------------------------------------------------------------


def test_killing_the_jobs_process_loses_no_link_and_duplicates_no_article(instance, alice, website):
    names = ["ars-1", "wikipedia", "heise", "cnn", "tmz-1", "folha", "lwn-1", "msn", "yahoo-1", "youth"]
    saved = [alice.save(f"{website.url}/pages/{name}?copy={copy}")["id"] for copy in range(4) for name in names]
    for _ in range(3):
        wait_until(lambda: instance.sql("select 1 from private.jobs where state = 'running'"), every=0.01)
        for process in instance.processes("lectern", "jobs", "run"):
            kill(process)
        wait_until(lambda: instance.processes("lectern", "jobs", "run"))
    links = [alice.settled(id, seconds=180) for id in saved]
    assert {link["state"] for link in links} == {"ready"}
    articles = instance.sql(f"select link_id, count(*) from public.articles where user_id = '{alice.id}' group by 1")
    assert len(articles) == len(saved) and all(count == 1 for _, count in articles)
    wait_until(lambda: instance.sql(f"select count(*) from private.jobs where user_id = '{alice.id}'")[0][0] == 0)


@pytest.mark.timeout(900)
def test_many_large_pages_at_once_stay_within_one_memory_limit(instance, alice, website):
    (process,) = instance.processes("lectern", "jobs", "run")
    kinds = ["usual", "dense"] * 4
    saved = [alice.save(f"{website.url}/heavy/{kind}?{number}")["id"] for number, kind in enumerate(kinds)]
    links = [alice.settled(id, seconds=800) for id in saved]
    assert [(link["state"], link["reason"]) for link in links] == [
        ("ready", {"usual": None, "dense": "over_budget"}[kind]) for kind in kinds
    ]
    assert instance.processes("lectern", "jobs", "run") == [process]
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text()).group(1)) / 1024
    # Eight pages of 8 MB as received, decoded and copied, and their results. Pages that are parsed in this process take
    # more than 140 MiB each.
    assert peak < 768, f"{peak:.0f} MiB"


def test_buried_jobs_are_shown_and_can_be_retried(instance, alice, website):
    saved = alice.save(f"{website.url}/gone")
    link = alice.settled(saved["id"])
    assert link["state"] == "failed" and link["reason"] == "http_error" and link["reason_message"]
    status = instance.lectern("jobs", "status", service="migrate")
    assert "buried" in status.stdout and "http_error" in status.stdout, status
    retried = instance.lectern("jobs", "retry", saved["id"], service="migrate")
    assert retried.stdout == "1 put back into the queue\n", retried
    assert alice.settled(saved["id"])["state"] == "failed"


# --- the database ----------------------------------------------------------------------------------------------------


def test_restarting_the_database_under_load_loses_no_acknowledged_write(instance, alice):
    mark = uuid.uuid4().hex

    def save(client, count):
        url = f"http://127.0.0.1:9/{mark}/{client}/{count}"
        answer = alice.rest("POST", "links", {"raw_url": url}, Prefer="return=minimal")
        if answer.status == 503:
            assert answer.json()["code"] and answer["retry-after"]
        return answer.status, url

    # As many as the server lets one user have at once.
    with Load(save, clients=4) as load:
        for how in (signal.SIGINT, signal.SIGKILL):
            load.proceed(50)
            postgres, unavailable = instance.postgres(), load.statuses()[503]
            os.kill(postgres, how)
            # The outage may be short; the clients that save links observe it.
            wait_until(lambda: load.statuses()[503] > unavailable)
            wait_until(lambda: set(instance.processes("postgres", "-D")) - {postgres}, seconds=300)
            wait_until(lambda: instance.send("GET", "/health").status == 200, seconds=300)
        wait_until(lambda: load.statuses()[201] > 50)
        load.proceed(50)
    statuses = load.statuses()
    assert set(statuses) <= {201, 503}, statuses
    acknowledged = {url for status, url, _ in load.answers if status == 201}
    kept = {row["raw_url"] for row in alice.links(f"select=raw_url&raw_url=like.*{mark}*")}
    assert acknowledged <= kept
    # Links that were not acknowledged may be missing or there; nothing else is there.
    assert kept <= {url for _, url, _ in load.answers}


def test_without_a_database_requests_get_503_at_once_and_the_same_workers_recover(instance, alice):
    workers = set(instance.workers())
    supervisor = instance.supervisor()
    os.kill(supervisor, signal.SIGSTOP)
    try:
        os.kill(instance.postgres(), signal.SIGINT)
        wait_until(lambda: instance.send("GET", "/health").status == 503)
        for method, target, body in (
            ("GET", "/rest/v1/links", None),
            ("POST", "/rest/v1/links", "{}"),
            ("POST", "/auth/v1/token?grant_type=password", '{"email":"a@b.org","password":"x"}'),
        ):
            started = time.monotonic()
            answer = instance.send(method, target, alice.headers, body)
            assert time.monotonic() - started < 30
            assert (
                answer.status == 503 and answer["retry-after"] and answer["content-type"].startswith("application/json")
            )
            assert answer["access-control-allow-origin"] == "*"
            assert {"message", "msg"} & set(answer.json()) and "host" not in answer.body.decode()
        health = instance.send("GET", "/health")
        assert health.json()["reason"] == "the database does not answer"
    finally:
        os.kill(supervisor, signal.SIGCONT)
    wait_until(lambda: instance.send("GET", "/health").status == 200, seconds=300)
    assert alice.rest("GET", "links?limit=1").status == 200
    assert set(instance.workers()) == workers


def test_workers_refuse_another_schema_version_and_name_it(instance, alice):
    newer = "insert into lectern.migrations (version, name, checksum) values (9999, '9999_later.sql', '')"
    instance.sql(newer)
    try:
        old = set(instance.workers())
        for worker in old:
            kill(worker, signal.SIGTERM)
        wait_until(lambda: not old & set(instance.workers()))
        health = wait_until(lambda: (answer := instance.send("GET", "/health")).status == 503 and answer)
        assert re.fullmatch(
            r"schema version [0-9a-f]{12} found, [0-9a-f]{12} needed: run `lectern migrate`.*", health.json()["reason"]
        )
        assert alice.rest("GET", "links").status == 503
        jobs = instance.lectern("jobs", "run", service="jobs")
        assert jobs.returncode == 1 and re.fullmatch(
            r"lectern: schema version [0-9a-f]{12} found, [0-9a-f]{12} needed: .*\n", jobs.stderr
        ), jobs
    finally:
        instance.sql("delete from lectern.migrations where version = 9999")
    # Each worker looks at the schema again by itself.
    wait_until(lambda: all(alice.rest("GET", "links").status == 200 for _ in range(20)))
    assert instance.send("GET", "/health").status == 200
