"""Jobs processes that are killed repeatedly while links are processed."""

import os
import random
import signal
import subprocess
import time

import pytest

from support import service
from support.client import wait_until
from support.documents import imported, upload

LONG = "LECTERN_TEST_LONG" in os.environ
# The processes are killed for so many seconds, and more often than so many times.
LINKS, SECONDS, KILLS = (2_000, 60, 20) if LONG else (250, 10, 5)


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5") as instance:
        yield instance


class Victim:
    """A jobs process that is started and killed by the test alone."""

    def __init__(self, instance):
        self.command = [instance.home / "bin/lectern", "jobs", "run"]
        self.env = instance.env("services/jobs.env") | {"LECTERN_IMPORTS_DIR": str(instance.home / "imports")}
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, env={"PATH": "/usr/bin:/bin"} | self.env, stderr=subprocess.DEVNULL
        )

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.mark.timeout(900)
def test_every_link_is_done_exactly_once_while_both_processes_are_killed_repeatedly(instance, website):
    reader = instance.sign_up()
    (own,) = instance.processes("lectern", "jobs", "run")
    os.kill(own, signal.SIGSTOP)
    chance = random.Random(8)
    victims = [Victim(instance), Victim(instance)]
    try:
        ids = []
        for first in range(0, LINKS, 250):
            rows = [{"raw_url": f"{website.url}/article?{number}"} for number in range(first, first + 250)]
            ids += [row["id"] for row in reader.rest("POST", "links", rows, Prefer="return=representation").json()]
        end, kills = time.monotonic() + SECONDS, 0
        while time.monotonic() < end or kills <= KILLS:
            time.sleep(chance.uniform(0.2, 2.5 if LONG else 1))
            victim = chance.choice(victims)
            victim.kill()
            victim.start()
            kills += 1
        wait_until(lambda: instance.sql("select count(*) from private.jobs where kind = 'save'") == [(0,)], seconds=600)
    finally:
        for victim in victims:
            victim.kill()
    done = instance.sql("select link_id::text, count(*) from private.done_jobs where kind = 'save' group by 1")
    assert sorted(done) == sorted((id, 1) for id in ids)
    assert instance.sql("select count(*), count(distinct link_id) from public.articles") == [(LINKS, LINKS)]
    assert instance.sql("select state, reason, count(*) from public.links group by 1, 2") == [("ready", None, LINKS)]


ROWS = 6_000


@pytest.mark.parametrize("seed", range(10 if LONG else 1))
def test_every_entry_of_a_file_is_counted_exactly_once_while_its_process_is_killed(instance, seed):
    """Each third entry has the page of the one before it, and each tenth no address that can be saved."""
    chance = random.Random(seed)
    reader = instance.sign_up()
    for own in instance.processes("lectern", "jobs", "run"):
        os.kill(own, signal.SIGSTOP)
    addresses = [
        "javascript:alert(1)" if n % 10 == 0 else f"http://127.0.0.9:9/{n - 1 if n % 3 == 0 else n}"
        for n in range(ROWS)
    ]
    victim = Victim(instance)
    try:
        answer = upload(reader, "list.txt", "\n".join(["http://127.0.0.9:9/first", *addresses]).encode())
        id = answer.json()["id"]
        # Each is killed some time after it has got further than the one before it.
        for progress in ["entries", *["rows"] * (9 if LONG else 2)]:
            before = imported(reader, id)[progress]
            wait_until(
                lambda p=progress, b=before: (row := imported(reader, id))[p] > b or row["state"] != "reading",
                every=0.01,
            )
            time.sleep(chance.uniform(0, 0.3))
            victim.kill()
            victim.start()
        row = wait_until(lambda: (row := imported(reader, id))["state"] != "reading" and row, seconds=180)
    finally:
        victim.kill()
    pages = {address for address in addresses if address.startswith("http")}
    refused = addresses.count("javascript:alert(1)")
    assert (row["rows"], row["imported"], row["rejected"]) == (ROWS + 1, len(pages) + 1, refused), str(row)
    links, rejects = (
        f"select count(*) from public.links where user_id = '{reader.id}'",
        "select count(*), max(row) from private.import_rejects",
    )
    assert instance.sql(links) == [(len(pages) + 1,)]
    assert instance.sql(f"{rejects} where import_id = '{id}'") == [(refused, ROWS - 8)]
    assert instance.sql(f"select count(*) from private.import_entries where import_id = '{id}'") == [(0,)]
