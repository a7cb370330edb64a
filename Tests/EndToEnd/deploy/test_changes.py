"""Calling deploy/run again: other settings, another port, other programs, and what it refuses."""

import shutil
import socket
import subprocess
from urllib.parse import urlsplit

import pytest

from support.client import free_port
from support.load import Load
from support.paths import CHECKOUT, PROGRAMS

NAMES_OF_PROGRAMS = ["lectern", "lectern-fcgi", "lectern-pdf", "lectern-pictures", "lectern-realtime"]


def saving(user):
    """A request that saves a link of its own each time."""
    return lambda client, count: (
        user.rest("POST", "links", {"raw_url": f"http://127.0.0.1:1/{client}/{count}"}).status,
        None,
    )


def test_running_it_again_changes_nothing(running):
    before = running.services()
    env = running.env()
    assert "nothing has changed" in running.run()
    assert "nothing has changed" in running.run("--home", str(running.home))
    assert running.services() == before and env == running.env()


def test_each_service_gets_only_the_settings_it_needs_and_shows_them_without_secrets(service, tmp_path):
    secret = tmp_path / "proxy"
    secret.write_text("http://me:hunter2@127.0.0.1:1\n")
    service.run(LECTERN_TOKEN_LIFETIME="1801", LECTERN_JOBS_PARALLEL="3", LECTERN_FETCH_PROXY_FILE=str(secret))
    expected = {"jobs": ["JOBS_PARALLEL=3", "FETCH_PROXY=********"], "fcgi": ["TOKEN_LIFETIME=1801"]}
    for name, lines in expected.items():
        shown = subprocess.run(
            ["sh", "-c", f"set -a; . services/{name}.env; bin/lectern config"],
            cwd=service.home,
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": "/usr/bin:/bin"},
        ).stdout
        for line in lines:
            assert f"\nLECTERN_{line}\n" in shown
        assert "hunter2" not in shown
    for file in (service.home / "services").iterdir():
        assert ("hunter2" in file.read_text()) == (file.name == "jobs.secrets"), file
    workers = service.env("services/fcgi.env")
    assert not any("KEY" in name for name in workers)


def test_another_port_moves_the_service_there(service):
    service.run()
    before, other = service.port, free_port()
    service.run(port=other)
    assert service.health(other) == 200 and service.health(before) is None
    assert urlsplit(service.env()["LECTERN_URL"]).port == other


def test_a_changed_setting_is_applied_and_the_environment_overrides_the_file(service):
    service.run()
    database = service.first("-D /proc/self/fd")
    settings = service.home / "settings.env"
    before = settings.read_text()
    try:
        settings.write_text(before + "LECTERN_TOKEN_LIFETIME='1800'\n")
        assert "fcgi" in service.run()
        assert "LECTERN_TOKEN_LIFETIME='1800'" in (service.home / "services/fcgi.env").read_text()
        service.run(LECTERN_TOKEN_LIFETIME="900")
        assert "LECTERN_TOKEN_LIFETIME='900'" in (service.home / "services/fcgi.env").read_text()
    finally:
        settings.write_text(before)
    assert service.first("-D /proc/self/fd") == database, "a service that is not affected keeps running"


def test_started_under_nohup_it_takes_changes_as_well(service):
    if service.command_lines():
        service.stop()
    subprocess.run(
        ["nohup", *service.command("--detach")],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=600,
    )
    assert "fcgi" in service.run(LECTERN_SIGNUP="closed")


def test_other_settings_programs_and_numbers_of_workers_lose_no_request(service):
    # Four clients of one address send more requests than nginx lets through.
    # They are not refused on a busy machine either.
    usual = {
        "LECTERN_WORKERS": "2",
        "LECTERN_RATE_LIMITS": "off",
        "LECTERN_USER_PARALLEL": "4",
        "LECTERN_STATEMENT_TIMEOUT": "30000",
    }
    service.run(**usual)
    programs = service.folder / "programs"
    programs.mkdir()
    for name in NAMES_OF_PROGRAMS:
        shutil.copy(PROGRAMS / name, programs / name)
    changes = [
        {"LECTERN_TOKEN_LIFETIME": "1800"},
        {"LECTERN_WORKERS": "3"},
        {"LECTERN_BUILD_DIR": str(programs), "LECTERN_WORKERS": "1"},
    ]
    user = service.sign_up()
    with Load(saving(user), clients=4, pause=0.05) as load:
        for settings in changes:
            load.proceed()
            pool = service.first("lectern fcgi")
            with (programs / "lectern-fcgi").open("ab") as program:
                program.write(b"\0")
            said = service.run(**usual | settings)
            assert "fcgi" in said and service.first("lectern fcgi") != pool
            workers = sum("bin/lectern-fcgi" in command for command in service.command_lines().values())
            assert workers == int(settings.get("LECTERN_WORKERS", "2"))
        load.proceed()
    assert set(load.statuses()) == {201}
    assert service.sql(f"select count(*) from public.links where user_id = '{user.id}'") == [(len(load.answers),)]


def test_workers_that_cannot_start_leave_the_running_ones_alone(service):
    service.run()
    pool = service.first("lectern fcgi")
    programs = service.folder / "broken"
    programs.mkdir()
    for name in NAMES_OF_PROGRAMS:
        shutil.copy(PROGRAMS / name, programs)
    shutil.copy("/bin/false", programs / "lectern-fcgi")
    said = service.run(status=1, LECTERN_BUILD_DIR=str(programs))
    assert "the old one continues unchanged" in said and "the new workers did not start" in said
    assert service.health() == 200 and service.first("lectern fcgi") == pool
    assert "nothing has changed" in service.run()
    assert "fcgi" in service.run(LECTERN_TOKEN_LIFETIME="1800") and service.first("lectern fcgi") != pool


def test_bad_settings_are_reported_together_and_leave_the_service_alone(running):
    settings = running.home / "settings.env"
    before = settings.read_text()
    environment = (running.home / "services/fcgi.env").read_text()
    settings.write_text(before + "LECTERN_SIGNUP = open\nrm -rf /\nLECTERN_JWT_SECRET=x\n")
    try:
        said = running.run(
            status=1,
            LECTERN_LISTEN="here; there",
            LECTERN_RATE_LIMITS="some",
            LECTERN_TRUSTED_PROXIES="10.0.0.0/8,me;",
            LECTERN_SMTP_URL_FILE="/none",
        )
        for part in ["settings.env line", "JWT_SECRET", "LECTERN_LISTEN", "RATE_LIMITS", "'me;'", "file /none"]:
            assert part in said
        settings.write_text(before)
        said = running.run(status=1, LECTERN_SIGNUP="maybe", LECTERN_NONSENSE="1")
        assert "SIGNUP" in said and "NONSENSE" in said
    finally:
        settings.write_text(before)
    assert running.health() == 200
    assert (running.home / "services/fcgi.env").read_text() == environment


def test_the_database_has_a_connection_for_every_thread_of_old_and_new_workers_and_the_jobs(service):
    one = {"LECTERN_WORKERS": "1"}
    service.run(**one)
    most = "select current_setting('max_connections')"
    assert service.psql(most).stdout == "128\n"
    said = service.run(LECTERN_WORKERS="4", LECTERN_THREADS="16", LECTERN_JOBS_PARALLEL="20")
    assert "postgres" in said and service.psql(most).stdout == f"{2 * 4 * (16 + 2) + 20 + 8 + 17 + 2 + 20}\n"
    database = service.first("-D /proc/self/fd")
    assert "postgres" not in service.run(**one), "a lower number is no reason to restart a running database"
    assert service.first("-D /proc/self/fd") == database
    service.stop()
    service.run(**one)
    assert service.psql(most).stdout == "128\n"


def test_a_body_as_large_as_the_setting_allows_reaches_the_worker(service):
    service.run(LECTERN_BODY_LIMIT="16000000")
    user = service.sign_up()
    statuses = [
        user.rest("POST", "links", {"raw_url": "http://127.0.0.1:1/", "no_such_column": "x" * size}).status
        for size in (15_000_000, 16_000_000)
    ]
    assert statuses == [400, 413]


@pytest.mark.parametrize(
    "name, value",
    [
        ("FETCH_ALLOW", "inner.example:http"),
        ("FETCH_PROXY", "proxy.example:3128"),
        ("JOBS_PARALLEL", "none"),
        ("WORKERS", "25"),
        ("THREADS", "0"),
    ],
)
def test_a_setting_with_which_no_service_can_start_is_refused_first(new_home, running, name, value):
    setting = {f"LECTERN_{name}": value}
    assert f"LECTERN_{name} " in new_home.run(status=1, **setting)
    assert not new_home.home.exists()
    before = running.services()
    assert f"LECTERN_{name} " in running.run(status=1, **setting)
    assert running.services() == before and f"{name}='" not in (running.home / "services/jobs.env").read_text()


def test_a_port_in_use_is_reported_before_anything_is_changed(new_home, running):
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"port {port} is in use" in new_home.run(port=port, status=1)
        assert not new_home.home.exists()
        assert f"port {port} is in use" in running.run(port=port, status=1)
    assert f"port {running.port} is in use" in new_home.run(port=running.port, status=1)
    assert running.health() == 200


@pytest.mark.parametrize("arguments", [["--port"], ["--port", ""], ["--what"], ["--home"], ["extra"]])
def test_wrong_usage_has_its_own_exit_status(arguments):
    done = subprocess.run([CHECKOUT / "deploy/run", *arguments], capture_output=True, text=True)
    assert done.returncode == 2 and "--help" in done.stderr
