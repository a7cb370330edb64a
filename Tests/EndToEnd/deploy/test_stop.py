"""deploy/stop, and services that end with the terminal: everything ends, in order, and the data stays."""

import os
import re
import signal
import subprocess
import threading
import time

import pytest

from support.client import wait_until
from support.paths import CHECKOUT
from support.service import SUPERVISOR_LOG


class Logs:
    """What the logs of a service say from now on."""

    def __init__(self, service):
        self.service = service
        self.before = {path.stem: path.stat().st_size for path in (service.home / "log").glob("*.log")}

    def __getitem__(self, name):
        data = (self.service.home / f"log/{name}.log").read_bytes()
        return data[self.before.get(name, 0) :].decode()


def test_stop_ends_everything_and_the_data_stays(service):
    service.run()
    service.psql("create table public.kept (a int)")
    service.stop()
    assert service.command_lines() == {} and service.health() is None
    service.stop()
    service.run()
    assert service.psql("select count(*) from kept").stdout == "0\n"


@pytest.mark.parametrize(
    "word", ["nginx: worker", "lectern-realtime", "lectern fcgi", "lectern-fcgi", "jobs run", "-D /proc/self/fd"]
)
def test_a_hanging_service_does_not_delay_the_stop(service, word):
    # Force is used this many seconds and a few later.
    service.run(LECTERN_DRAIN_TIMEOUT="1")
    os.kill(service.first(word), signal.SIGSTOP)
    service.stop()
    assert service.command_lines() == {}
    # The next test starts it again.


def test_a_request_in_flight_has_the_time_of_the_setting_to_finish_when_the_service_stops(service):
    service.run(LECTERN_DRAIN_TIMEOUT="60", LECTERN_STATEMENT_TIMEOUT="60000")
    logs = Logs(service)
    user, statuses = service.sign_up(), []
    url = service.env()["LECTERN_DATABASE_URL"]
    with subprocess.Popen(["psql", "-AtX", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as blocker:
        blocker.stdin.write("begin; lock table public.links in exclusive mode; select 1;\n")
        blocker.stdin.flush()
        while blocker.stdout.readline() != "1\n":
            pass
        saving = threading.Thread(
            target=lambda: statuses.append(user.rest("POST", "links", {"raw_url": "http://127.0.0.1:1/"}).status)
        )
        saving.start()
        waiting = "select count(*) from pg_stat_activity where usename = 'authenticator' and wait_event_type = 'Lock'"
        wait_until(lambda: service.psql(waiting).stdout == "1\n")
        stop = subprocess.Popen([CHECKOUT / "deploy/stop", "--home", service.home])
        # With the default, force is used on nginx after 6 seconds; with the setting, after 61.
        time.sleep(6.5)
        assert stop.poll() is None
        blocker.stdin.close()
        saving.join()
        assert stop.wait(300) == 0
    assert statuses == [201]
    assert "killed" not in logs[SUPERVISOR_LOG] and service.command_lines() == {}


@pytest.mark.parametrize(
    "sign, everybody", [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False), (signal.SIGKILL, False)]
)
def test_a_foreground_service_ends_with_its_terminal(service, sign, everybody):
    """Ctrl-C in a terminal sends SIGINT to every process in the foreground; the services still stop in their order."""
    service.stop()
    logs = Logs(service)
    # Tests that run in the background or under nohup ignore these signals, which a shell cannot undo for itself.
    start = subprocess.Popen(
        ["env", "--default-signal=INT,HUP", *service.command()],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    for line in start.stdout:
        if "Ctrl-C" in line:
            break
    assert service.health() == 200
    (os.killpg if everybody else os.kill)(start.pid, sign)
    start.wait(300)
    wait_until(lambda: service.command_lines() == {})
    assert re.findall(r"(\w+) stopped", logs[SUPERVISOR_LOG]) == ["nginx", "realtime", "fcgi", "jobs", "postgres"]
    assert "database system is shut down" in logs["postgres"]
    start.stdout.close()


def test_a_start_that_fails_says_why_and_leaves_nothing_running(service):
    service.run()
    service.stop()
    configuration = service.home / "postgres/postgresql.conf"
    before = configuration.read_text()
    configuration.write_text(before + "max_connections = many\n")
    try:
        said = service.run(status=1)
    finally:
        configuration.write_text(before)
    assert "max_connections" in said and "postgres" in said
    assert service.command_lines() == {}
