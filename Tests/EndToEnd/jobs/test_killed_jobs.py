"""Jobs processes that are killed repeatedly while links are processed."""

import os
import random
import signal
import subprocess
import time

import pytest

from support import service
from support.client import wait_until

LONG = "LECTERN_TEST_LONG" in os.environ
LINKS, SECONDS, KILLS = (2_000, 60, 20) if LONG else (250, 10, 5)


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5") as instance:
        yield instance


class Victim:
    """A jobs process that is started and killed by the test alone."""

    def __init__(self, instance):
        self.command = [instance.home / "bin/lectern", "jobs", "run"]
        self.env = instance.env("services/jobs.env")
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
        while time.monotonic() < end:
            time.sleep(chance.uniform(0.2, 2.5 if LONG else 1))
            victim = chance.choice(victims)
            victim.kill()
            victim.start()
            kills += 1
        wait_until(lambda: instance.sql("select count(*) from private.jobs where kind = 'save'") == [(0,)], seconds=600)
    finally:
        for victim in victims:
            victim.kill()
    assert kills > KILLS
    done = instance.sql("select link_id::text, count(*) from private.done_jobs where kind = 'save' group by 1")
    assert sorted(done) == sorted((id, 1) for id in ids)
    assert instance.sql("select count(*), count(distinct link_id) from public.articles") == [(LINKS, LINKS)]
    assert instance.sql("select state, reason, count(*) from public.links group by 1, 2") == [("ready", None, LINKS)]
