"""Limits on the requests of one user and of one network: others find free threads however many requests one of them sends.

The module has a service with few threads and small limits of its own. Its requests wait for a gate in the database, so
they are exactly as slow as a test wants.
"""

import contextlib
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from support import service
from support.client import SHAPE_OF_A_REST_ERROR, wait_until

USER_LIMIT, NETWORK_LIMIT, THREADS = 3, 2, 8
CROWD = 16
# A second less than the time after which a held request is refused.
HOLD = 4


@pytest.fixture(scope="module")
def instance():
    settings = {
        "LECTERN_RATE_LIMITS": "on",
        "LECTERN_TRUSTED_PROXIES": "127.0.0.1",
        # One worker, which knows the user of every token after its first use.
        "LECTERN_WORKERS": "1",
        "LECTERN_THREADS": str(THREADS),
        "LECTERN_USER_PARALLEL": str(USER_LIMIT),
        "LECTERN_NETWORK_PARALLEL": str(NETWORK_LIMIT),
        # A request that waits for the gate is one statement.
        "LECTERN_STATEMENT_TIMEOUT": "60000",
    }
    with service.own(**settings) as instance:
        instance.sql("""
            set role lectern_owner;
            create function public.pass_gate() returns int language sql as 'select pg_advisory_xact_lock_shared(7); select 1';
            grant execute on function public.pass_gate to anon, authenticated;
            notify pgrst, 'reload schema'""")
        wait_until(lambda: ask_as_stranger(instance, "192.0.2.250").status == 200)
        yield instance


def ask_as_stranger(instance, address):
    headers = {"apikey": instance.anon_key, "X-Forwarded-For": address}
    return instance.send("POST", "/rest/v1/rpc/pass_gate", headers, b"")


class Gate:
    """While it is closed, requests for pass_gate run and do not end."""

    def __init__(self, instance):
        self.instance = instance

    def waiting(self):
        """How many requests run and wait for the gate."""
        return self.instance.sql("select count(*) from pg_stat_activity where wait_event = 'advisory'")[0][0]

    @contextlib.contextmanager
    def closed(self):
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            connection.execute("select pg_advisory_lock(7)")
            yield


@pytest.fixture
def gate(instance):
    return Gate(instance)


def held(instance):
    """How many requests wait for the limit of their client."""
    return sum(row["held"] for row in json.loads(instance.lectern("fcgi", "--status", "--json").stdout))


def crowded(instance, gate, requests, limit, look):
    """Sends all requests while the gate is closed, of which as many run as the limit allows. Returns what `look` then
    returns, and the statuses of all once the gate is open. If a busy machine takes longer for that than requests are held,
    it is done again."""
    for _ in range(20):
        began = time.monotonic()
        is_late = lambda began=began: time.monotonic() - began > HOLD
        are_held = lambda: held(instance) == len(requests) - limit and gate.waiting() == limit
        with ThreadPoolExecutor(len(requests)) as crowd:
            with gate.closed():
                asked = [crowd.submit(*request) for request in requests]
                wait_until(lambda: are_held() or is_late())
                found = look()
                is_in_time = not is_late()
                numbers = "" if is_in_time else f"{gate.waiting()} running, {held(instance)} held, {limit} allowed"
            statuses = {answer.result().status for answer in asked}
        if is_in_time:
            return found, statuses
    raise AssertionError(f"requests are not held, or the machine is too busy: {numbers}")


def refusals(instance, client):
    text = instance.send("GET", "/metrics", {"Authorization": f"Bearer {instance.metrics_token}"}).body.decode()
    return int(re.search(rf'^lectern_refused_requests_total{{limit="{client}"}} (\d+)$', text, re.M)[1])


def test_sixteen_slow_requests_of_one_user_leave_threads_for_another(instance, alice, bob, gate):
    requests = [(alice.rest, "POST", "rpc/pass_gate")] * CROWD
    others = lambda: ({bob.rest("GET", "links?select=id").status for _ in range(3)}, held(instance))
    # Those that waited are answered, too.
    assert crowded(instance, gate, requests, USER_LIMIT, others) == (({200}, CROWD - USER_LIMIT), {200})
    assert alice.rest("GET", "links?select=id").status == 200


def test_the_tokens_and_sessions_of_a_user_count_together(instance, alice, bob, gate):
    tokens = []
    for number in range(4):
        body = {"name": f"script {number}", "scope": "full", "password": alice.password}
        made = instance.auth("POST", "tokens", body, Authorization=f"Bearer {alice.token}")
        assert made.status in (200, 201), made
        tokens.append(made.json()["token"])
    sessions = [instance.auth("POST", "token?grant_type=password", {"email": alice.email, "password": alice.password})]
    tokens += [alice.token, sessions[0].json()["access_token"]]

    def ask(token, target="rpc/pass_gate"):
        headers = {"apikey": instance.anon_key, "Authorization": f"Bearer {token}"}
        return instance.send("POST", f"/rest/v1/{target}", headers, b"")

    assert {ask(token).status for token in tokens} == {200}
    other = lambda: bob.rest("GET", "links?select=id").status
    assert crowded(instance, gate, [(ask, token) for token in tokens], USER_LIMIT, other) == (200, {200})


@pytest.mark.parametrize("other", ["192.0.2.2", "2001:db8:0:1::1"])
def test_sixteen_slow_requests_of_a_stranger_leave_threads_for_users_and_for_other_networks(
    instance, alice, gate, other
):
    # One IPv6 network counts as one stranger.
    addresses = ["192.0.2.1"] * CROWD if "." in other else [f"2001:db8::{number:x}" for number in range(CROWD)]
    requests = [(ask_as_stranger, instance, address) for address in addresses]

    def others():
        headers = {"apikey": instance.anon_key, "X-Forwarded-For": other}
        paths = ["/auth/v1/settings", "/health", "/rest/v1/"]
        user = alice.rest("GET", "links?select=id", X_Forwarded_For=addresses[0])
        return {user.status, *(instance.send("GET", path, headers).status for path in paths)}

    assert crowded(instance, gate, requests, NETWORK_LIMIT, others) == ({200}, {200})


def test_a_request_that_waits_too_long_gets_429_with_retry_after(instance, alice, gate):
    before = {client: refusals(instance, client) for client in ["user", "network"]}
    with ThreadPoolExecutor(CROWD) as crowd:
        with gate.closed():
            asked = [crowd.submit(alice.rest, "POST", "rpc/pass_gate") for _ in range(USER_LIMIT + 1)]
            asked += [crowd.submit(ask_as_stranger, instance, "192.0.2.1") for _ in range(NETWORK_LIMIT + 1)]
            wait_until(lambda: sum(answer.done() for answer in asked) == 2)
            wait_until(lambda: gate.waiting() == USER_LIMIT + NETWORK_LIMIT)
        answers = [answer.result() for answer in asked]
    refused = [answer for answer in answers if answer.status != 200]
    assert [answer.status for answer in refused] == [429, 429]
    for answer in refused:
        assert set(answer.json()) == SHAPE_OF_A_REST_ERROR and answer.json()["code"] == "LCT429"
        assert int(answer["retry-after"]) > 0
    assert refusals(instance, "user") == before["user"] + 1
    assert refusals(instance, "network") == before["network"] + 1
