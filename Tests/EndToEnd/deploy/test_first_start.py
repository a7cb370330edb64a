"""The first start of a home by deploy/run: what it prints, makes and protects."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.client import wait_until
from support.paths import CHECKOUT
from support.service import SUPERVISOR, SUPERVISOR_PID, Service


@pytest.fixture(scope="module")
def running():
    """A service that deploy/run has started for the first time, for tests that leave it as it was."""
    service = Service(settings={}, first_start=True)
    service.said = service.run()
    yield service
    service.remove()


def test_the_first_start_prints_its_address_and_how_to_make_an_account(running):
    env = running.env()
    assert running.health() == 200
    assert f"http://127.0.0.1:{running.port}" in running.said and env["LECTERN_ANON_KEY"] in running.said
    assert env["LECTERN_SERVICE_KEY"] not in running.said
    curl = re.search(r"(?s)^  (curl .*?)\n\n", running.said, re.M)[1].replace("…", "correct horse")
    answer = json.loads(subprocess.run(["bash", "-c", curl], capture_output=True, check=True).stdout)
    assert answer["user"]["email"] == "you@example.org" and answer["user"]["app_metadata"]["admin"] is True
    assert "It becomes the admin" in running.said and "LECTERN_SIGNUP=open" in running.said


def test_the_log_names_a_proxy_that_is_not_trusted(running):
    env = running.env()
    fields = {"apikey": env["LECTERN_ANON_KEY"], "X-Forwarded-For": "192.0.2.7"}

    def is_noticed():
        for _ in range(10):
            running.send("GET", "/rest/v1/tags?limit=1", fields)
        return "set LECTERN_TRUSTED_PROXIES" in running.log("fcgi")

    wait_until(is_noticed)
    said = next(line for line in running.log("fcgi").splitlines() if "LECTERN_TRUSTED_PROXIES" in line)
    assert json.loads(said)["address"] == "127.0.0.1" and json.loads(said)["level"] == "warning"


def test_only_the_owner_can_read_secrets_and_no_process_shows_them(running):
    assert stat.S_IMODE((running.home / "lectern.env").stat().st_mode) == 0o600
    for name in ["secrets", "run"]:
        assert stat.S_IMODE((running.home / name).stat().st_mode) == 0o700
    # The services may open the files of their secrets in it.
    assert stat.S_IMODE((running.home / "services").stat().st_mode) == (0o711 if os.geteuid() == 0 else 0o700)
    for file in (running.home / "services").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == (0o400 if file.suffix == ".secrets" else 0o600)
    secrets = [file.read_bytes().strip() for file in (running.home / "secrets").iterdir()]
    secrets += [running.env()[f"LECTERN_{name}"].encode() for name in ("SERVICE_KEY", "METRICS_TOKEN")]
    assert len(secrets) > 6
    for number, command in running.command_lines().items():
        try:
            shown = Path(f"/proc/{number}/cmdline").read_bytes() + Path(f"/proc/{number}/environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        assert not [secret for secret in secrets if secret in shown], command


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to drop")
def test_no_service_keeps_a_privilege(running):
    services = {number: command for number, command in running.command_lines().items() if SUPERVISOR not in command}
    assert len(services) > 5
    for number in services:
        try:
            status = Path(f"/proc/{number}/status").read_text()
        except OSError:
            continue
        assert not re.search(r"^Uid:.*\b0\b", status, re.M), services[number]
        assert re.search(r"^CapEff:\s+0+$", status, re.M) and re.search(r"^NoNewPrivs:\s+1$", status, re.M)


def test_nobody_can_log_in_as_a_superuser(running):
    roles = running.psql("select rolname from pg_roles where rolsuper and rolcanlogin").stdout
    assert roles == ""
    admin = running.psql("select current_user, rolbypassrls from pg_roles where rolname = current_user").stdout
    assert admin == "lectern_admin|t\n"
    directory = re.search("host=(.*)", running.env()["LECTERN_DATABASE_URL"])[1]
    for role in ["lectern_bootstrap", "lectern_owner", "anon", "postgres"]:
        refused = running.psql("select 1", f"postgresql://{role}:x@/lectern?host={directory}")
        assert refused.returncode == 2 and "authentication failed" in refused.stderr


def test_the_cluster_is_private_and_has_checksums(running):
    answer = running.psql(
        "select current_setting('listen_addresses'), current_setting('data_checksums'), "
        "current_setting('server_encoding'), current_setting('timezone'), "
        "current_setting('password_encryption'), datcollate "
        "from pg_database where datname = 'lectern'"
    )
    assert answer.stdout == "|on|UTF8|UTC|scram-sha-256|C.UTF-8\n"


def test_a_shell_with_lectern_env_can_run_admin_commands(running):
    def shell(script):
        return subprocess.run(
            ["sh", "-c", script], cwd=running.home, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}
        )

    assert "LECTERN_DATABASE_URL" in running.env()
    asked = shell("set -a; . ./lectern.env; set +a; bin/lectern jobs status")
    assert (asked.returncode, asked.stderr) == (0, "")


def test_two_homes_run_side_by_side(new_home, running):
    new_home.run()
    assert new_home.env()["LECTERN_ANON_KEY"] != running.env()["LECTERN_ANON_KEY"]
    new_home.stop()
    assert new_home.health() is None and running.health() == 200


def test_simultaneous_starts_of_one_home_are_one_start(new_home):
    starts = [
        subprocess.Popen(new_home.command("--detach"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(3)
    ]
    said = [start.communicate(timeout=1200)[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0], said
    assert sum(SUPERVISOR in command for command in new_home.command_lines().values()) == 1
    assert new_home.health() == 200


def test_a_first_start_that_was_killed_at_any_point_can_be_repeated(new_home):
    for made in ["run", "postgres.new", "postgres", SUPERVISOR_PID]:
        start = subprocess.Popen(
            new_home.command("--detach"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        wait_until(lambda: (new_home.home / made).exists(), every=0.005)
        os.killpg(start.pid, signal.SIGKILL)
        start.wait()
    new_home.run()
    assert new_home.health() == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can put a checkout where the service's user cannot go")
def test_the_checkout_may_lie_where_the_services_user_cannot_go():
    folder = Path(tempfile.mkdtemp(prefix="lectern-root-", dir="/root"))
    os.chmod(folder, 0o700)
    service = Service(settings={}, first_start=True, checkout=folder / "checkout", home=folder / "checkout/var")
    try:
        for name in ["deploy", "nginx", "sql", "web"]:
            if (CHECKOUT / name).exists():
                shutil.copytree(CHECKOUT / name, folder / "checkout" / name)
        service.run()
        assert service.health() == 200
        os.kill(service.first("-D /proc/self/fd"), signal.SIGKILL)
        wait_until(lambda: "starting it again" in service.log())
        service.wait_for_health()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        service.remove()
        shutil.rmtree(folder)
