"""Bad luck: processes that are killed, and files that disappear from a home."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from support.client import wait_until
from support.service import SUPERVISOR, SUPERVISOR_PID


@pytest.mark.parametrize(
    "word",
    [
        "nginx: master",
        "nginx: worker",
        "lectern-realtime",
        "lectern fcgi",
        "lectern-fcgi",
        "jobs run",
        "-D /proc/self/fd",
        "checkpointer",
    ],
)
def test_a_process_that_dies_is_started_again(service, word):
    service.run()
    victim = service.first(word)
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: any(word in command for number, command in service.command_lines().items() if number != victim))
    service.wait_for_health()


def test_the_services_end_with_a_killed_supervisor(service):
    service.run()
    before = len(service.log("postgres"))
    os.kill(service.first(SUPERVISOR), signal.SIGKILL)
    wait_until(lambda: service.command_lines() == {})
    assert "database system is shut down" in service.log("postgres")[before:]
    service.run()
    assert service.health() == 200


def test_deploy_run_works_right_after_the_supervisor_was_killed(service):
    service.run()
    os.kill(service.first(SUPERVISOR), signal.SIGKILL)
    service.run()
    assert service.health() == 200


def test_deploy_run_works_after_every_parent_process_was_killed(service):
    service.run()
    service.kill_all(SUPERVISOR, "nginx: master", "lectern fcgi", "jobs run", "-D /proc/self/fd")
    service.run()
    assert service.health() == 200


def test_stop_finds_what_a_killed_supervisor_left(service):
    service.run()
    service.kill_all(SUPERVISOR, "nginx: master")
    service.stop()
    assert service.command_lines() == {}


def test_a_process_with_a_reused_pid_is_left_alone(service):
    """The numbers in the files now belong to another process, even one of the same user."""
    service.run()
    owner = (service.home / "postgres").stat()
    service.kill_all(SUPERVISOR, "-D /proc/self/fd", "lectern fcgi", "jobs run", "nginx: master")
    wait_until(lambda: "-D /proc/self/fd" not in str(service.command_lines()))
    as_service = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "3600"], cwd="/", **as_service) as innocent:
        try:
            file = service.home / SUPERVISOR_PID
            file.write_text(" ".join([str(innocent.pid), *file.read_text().split()[1:]]))
            lock = service.home / "postgres/postmaster.pid"
            lock.write_text("\n".join([str(innocent.pid), *lock.read_text().split("\n")[1:]]))
            service.run()
            assert service.health() == 200
            service.stop()
            assert innocent.poll() is None
        finally:
            innocent.kill()


def test_a_run_directory_that_was_deleted_comes_back(service):
    service.run()
    shutil.rmtree(Path(re.search("host=(.*)", service.env()["LECTERN_DATABASE_URL"])[1]).parent)
    assert service.psql("select 1").returncode == 2
    service.run()
    assert service.health() == 200 and service.psql("select 1").stdout == "1\n"


def test_lost_passwords_are_replaced(service):
    service.run()
    service.stop()
    (service.home / "secrets/admin_password").unlink()
    service.run()
    assert service.psql("select 1").stdout == "1\n"
