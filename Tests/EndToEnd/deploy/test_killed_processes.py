"""Every process is killed in turn while clients save: no acknowledged save is lost."""

import contextlib
import http.client
import os
import signal
import time
import uuid

import pytest

from support import service
from support.client import wait_until
from support.load import Load
from support.service import SUPERVISOR

# The processes that are started again one by one, each by a word of its command line. Those that read pages and
# pictures are killed in jobs/test_confined_processes.py and jobs/test_pictures.py, PostgreSQL as a whole in
# test_resilience.py.
REPLACED = [
    "lectern-fcgi",
    "lectern fcgi",
    "jobs run",
    "lectern-realtime",
    "nginx: worker",
    "nginx: master",
    # One of PostgreSQL's processes; the death of any ends all connections.
    "checkpointer",
]


@pytest.fixture(scope="module")
def instance():
    with service.own() as instance:
        yield instance


@contextlib.contextmanager
def clients_that_save(instance, user):
    """Clients that save until the block ends. Then what was acknowledged is there, and nothing that was not sent."""
    mark = uuid.uuid4().hex

    def save(client, count):
        # An address that needs no fetch, so that the jobs keep up.
        address = f"no address {mark} {client} {count}"
        try:
            status = user.rest("POST", "links", {"raw_url": address}, Prefer="return=minimal").status
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        if status != 201:
            # As a client that tries again later.
            time.sleep(0.05)
        return status, address

    with Load(save, clients=4) as load:
        load.proceed(50)
        yield load
        before = load.statuses()[201]
        wait_until(lambda: load.statuses()[201] > before + 20)
    # A failure has an answer that a client understands, unless nothing was there to answer.
    assert {status for status in load.statuses() if isinstance(status, int)} <= {201, 502, 503, 504}, load.statuses()
    acknowledged = {address for status, address, _ in load.answers if status == 201}
    kept = {row["raw_url"] for row in user.links(f"select=raw_url&raw_url=like.*{mark}*")}
    assert acknowledged <= kept <= {address for _, address, _ in load.answers}
    # Each has its result or a job that will give it one.
    lost = "state = 'pending' and not exists (select from private.jobs where link_id = links.id and state <> 'buried')"
    assert instance.sql(f"select raw_url from public.links where {lost}") == []


def test_killing_one_process_after_the_other_loses_no_acknowledged_save(instance, alice):
    with clients_that_save(instance, alice) as load:
        for word in REPLACED:
            victim = instance.first(word)
            os.kill(victim, signal.SIGKILL)
            wait_until(lambda: {number for number, line in instance.command_lines().items() if word in line} - {victim})
            wait_until(lambda: instance.health() == 200, seconds=300)
            load.proceed(20)


def test_killing_the_connection_of_a_save_loses_no_acknowledged_save(instance, alice):
    working = "select pid from pg_stat_activity where usename = 'authenticator' and state <> 'idle'"
    with clients_that_save(instance, alice):
        os.kill(wait_until(lambda: instance.sql(working), every=0.01)[0][0], signal.SIGKILL)
        wait_until(lambda: instance.health() == 200, seconds=300)


def test_killing_the_supervisor_of_all_services_loses_no_acknowledged_save(instance, alice):
    with clients_that_save(instance, alice):
        os.kill(instance.first(SUPERVISOR), signal.SIGKILL)
        wait_until(lambda: instance.command_lines() == {})
        instance.run()
        assert instance.health() == 200
