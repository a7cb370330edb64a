"""The Debian package: installed, upgraded, removed and purged in a Debian system of its own."""

import os
import re
import shutil
import stat
import subprocess
from types import SimpleNamespace

import pytest

from support.machine import Machine
from support.paths import CHECKOUT
from support.waiting import wait_until

pytestmark = [
    pytest.mark.skipif("LECTERN_TEST_LONG" not in os.environ, reason="installs a Debian system; deploy/test --long"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root starts a system in a folder"),
    pytest.mark.timeout(1800),
]

USERS = {"lectern-db", "lectern-fcgi", "lectern-jobs", "lectern-realtime", "lectern-nginx"}
PROGRAMS = {"lectern", "lectern-fcgi", "lectern-pdf", "lectern-pictures", "lectern-realtime"}
SETTINGS = "/etc/lectern/settings.env"
RUN = "/usr/share/lectern/deploy/run"
HEALTH = "curl --silent --max-time 10 http://127.0.0.1:8080/health"
LECTERN = "set -a; . /var/lib/lectern/lectern.env; lectern"
EMAIL = "reader@example.org"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The package, and a newer one with one migration more."""
    folder = tmp_path_factory.mktemp("packages")
    done = subprocess.run(
        [CHECKOUT / "deploy/package", "--output", folder], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    [package] = folder.glob("lectern_*.deb")
    assert done.stdout == f"{package}\n"
    return SimpleNamespace(this=package, newer=newer(package, folder))


def newer(package, folder):
    files, made = folder / "newer", folder / "newer.deb"
    subprocess.run(["dpkg-deb", "--raw-extract", package, files], check=True)
    control = files / "DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1+newer", control.read_text(), flags=re.M))
    migrations = files / "usr/share/lectern/sql/migrations"
    number = len(list(migrations.iterdir())) + 1
    (migrations / f"{number:04}_newer.sql").write_text("create table private.newer (id integer);\n")
    subprocess.run(
        ["dpkg-deb", "--build", "--root-owner-group", "-Znone", files, made], check=True, capture_output=True
    )
    shutil.rmtree(files)
    return made


@pytest.fixture(scope="module")
def machine(packages):
    """A machine with the package, which is off: what the package needs is installed while there is a network."""
    machine = Machine()
    try:
        deny = machine.root / "usr/sbin/policy-rc.d"
        deny.write_text("#!/bin/sh\nexit 101\n")
        deny.chmod(0o755)
        machine.chroot(f"apt-get update; apt-get --yes --no-install-recommends install {machine.add(packages.this)}")
        deny.unlink()
        yield machine
    finally:
        machine.remove()


@pytest.fixture(scope="module")
def booted(machine):
    if not machine.boot():
        pytest.skip(f"systemd does not run here: {(machine.folder / 'console.log').read_text()[-300:]}")
    return machine


def wait_for_health(machine):
    return wait_until(lambda: answer if '"ok"' in (answer := machine.run(f"{HEALTH} || true")) else None)


def install(machine, package):
    """Installs the package and waits until the service responds."""
    machine.run(f"dpkg --install {machine.add(package)}")
    wait_for_health(machine)


def emails(machine):
    return machine.run(f"{LECTERN} user list")


def check_backup(machine):
    """Writes a backup as the timer does, and has it checked. Returns how many there are."""
    machine.run("systemctl start lectern-backup.service")
    backups = machine.run("ls --directory --sort=time /var/backups/lectern/*").split()
    machine.run(f"lectern restore --verify {backups[0]}")
    return len(backups)


def processes(machine):
    """The users of running processes."""
    return set(machine.run("ps -e --format user:32=").split())


def test_lintian_finds_no_error(packages):
    done = subprocess.run(["lintian", "--fail-on", "error", packages.this], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# While the machine is off


def test_the_unit_restricts_its_processes_as_that_of_a_checkout_does(machine):
    unit = machine.root / "lib/systemd/system/lectern.service"
    lines = set((CHECKOUT / "deploy/systemd/lectern.service").read_text().splitlines())
    added = [line for line in unit.read_text().splitlines() if line not in lines and not line.startswith("#")]
    assert added == ["ExecStart=/usr/share/lectern/deploy/run --home /var/lib/lectern"]
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=40", unit]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_the_package_makes_users_the_home_and_settings_and_starts_nothing_that_policy_denies(machine):
    users = {line.split(":")[0]: line for line in (machine.root / "etc/passwd").read_text().splitlines()}
    assert users.keys() >= USERS
    assert all(users[name].endswith(":/nonexistent:/usr/sbin/nologin") for name in USERS)
    assert [path.name for path in (machine.root / "var/lib/lectern").iterdir()] == ["settings.env"]
    assert os.readlink(machine.root / "var/lib/lectern/settings.env") == SETTINGS
    settings = (machine.root / "etc/lectern/settings.env").stat()
    assert (stat.S_IMODE(settings.st_mode), settings.st_uid) == (0o600, 0)
    assert (machine.root / "etc/systemd/system/multi-user.target.wants/lectern.service").is_symlink()
    assert {path.name for path in (machine.root / "usr/bin").glob("lectern*")} == PROGRAMS
    pages = {path.name.split(".")[0] for path in (machine.root / "usr/share/man").glob("man?/lectern*")}
    assert pages == PROGRAMS
    assert not (machine.root / "etc/nginx/sites-enabled/lectern").exists()


def test_the_man_page_describes_every_command(machine):
    page = machine.chroot("zcat /usr/share/man/man1/lectern.1.gz")
    for command in ("lectern save", "lectern jobs status", "lectern maintain"):
        assert f"\n.SS {command}\n" in page
    assert "\\-\\-user <user>" in page


def test_the_services_start_where_systemd_does_not_run(machine):
    said = machine.chroot(f"{RUN} --detach; {HEALTH}; /usr/share/lectern/deploy/stop; ! {HEALTH}", network=False)
    assert '{"status":"ok"' in said
    assert "Stop it with /usr/share/lectern/deploy/stop" in said
    shutil.rmtree(machine.root / "var/lib/lectern")
    machine.chroot("dpkg-reconfigure lectern")
    assert [path.name for path in (machine.root / "var/lib/lectern").iterdir()] == ["settings.env"]


# While it runs


def test_lectern_serves_at_boot(booted):
    wait_for_health(booted)
    assert processes(booted) >= USERS
    page = booted.run("curl --silent http://127.0.0.1:8080/")
    assert page.startswith("<!doctype html>")
    # nginx takes over what the jobs and the workers leave for it.
    groups = booted.run("stat --format='%a %U %G' /var/lib/lectern/pictures /run/lectern/*/fcgi").splitlines()
    assert groups == ["2750 lectern-jobs lectern-nginx", "2710 lectern-fcgi lectern-nginx"]


def test_an_upgrade_migrates_the_database_and_keeps_accounts_and_settings(booted, packages):
    install(booted, packages.this)
    booted.run(f"echo 'LECTERN_TOKEN_LIFETIME=1234' >>{SETTINGS}")
    booted.run(f"{LECTERN} user add {EMAIL} <<<'a long password'")
    before = wait_for_health(booted)
    booted.run(f"dpkg --install {booted.add(packages.newer)}")
    after = wait_until(lambda: answer if (answer := wait_for_health(booted)) != before else None)
    assert '"schema"' in after
    assert booted.run('. /var/lib/lectern/lectern.env; psql "$LECTERN_DATABASE_URL" -c "table private.newer"')
    assert EMAIL in emails(booted)
    assert "LECTERN_TOKEN_LIFETIME='1234'" in booted.run("cat /var/lib/lectern/services/fcgi.env")


def test_the_package_brings_a_nightly_backup_which_the_admin_enables(booted, packages):
    install(booted, packages.newer)
    assert booted.run("systemctl is-enabled lectern-backup.timer", status=1).strip() == "disabled"
    assert check_backup(booted) == 1


def test_removing_keeps_the_data_and_installing_again_continues_with_it(booted, packages):
    install(booted, packages.newer)
    if EMAIL not in emails(booted):
        booted.run(f"{LECTERN} user add {EMAIL} <<<'a long password'")
    booted.run("dpkg --remove lectern")
    assert not processes(booted) & USERS
    assert not list((booted.root / "usr/bin").glob("lectern*"))
    assert (booted.root / "var/lib/lectern/postgres").is_dir() and (booted.root / "etc/lectern/settings.env").exists()
    install(booted, packages.newer)
    assert EMAIL in emails(booted)


def test_purging_deletes_the_data_and_leaves_nginx_of_the_machine_in_order(booted, packages):
    install(booted, packages.newer)
    booted.run("ln --symbolic --force ../sites-available/lectern /etc/nginx/sites-enabled/lectern")
    booted.run("dpkg --purge lectern")
    assert not processes(booted) & USERS
    left = booted.run("find / -xdev -iname '*lectern*' -not -path '/proc/*' -not -path '/root/*' -not -path '/tmp/*'")
    # Backups, and what systemd and dpkg remember of a unit and a package that were purged, if they do.
    others = ("/var/log/", "/var/lib/systemd/", "/var/backups/lectern")
    assert [path for path in left.split() if not path.startswith(others)] == []
    booted.run("nginx -t")


def test_the_database_can_be_in_the_server_of_the_machine_which_a_purge_leaves_alone(booted, packages):
    count = "runuser -u postgres -- psql --tuples-only --no-align --command 'select count(*) from pg_database'"
    booted.run("dpkg --purge lectern; mkdir --parents /etc/lectern")
    (booted.root / "etc/lectern/settings.env").write_text("LECTERN_POSTGRES=system\n")
    before = int(booted.run(count))
    install(booted, packages.this)
    assert int(booted.run(count)) == before + 1
    assert "lectern-db" not in processes(booted)
    booted.run(f"{LECTERN} user add {EMAIL} <<<'a long password'")

    assert check_backup(booted) >= 1

    # Neither database is left behind for an empty other one.
    booted.run("systemctl stop lectern")
    refused = booted.run(f"LECTERN_POSTGRES=private {RUN} --detach", status=1)
    assert "the database of this home is in the PostgreSQL server of the machine" in refused

    booted.run("dpkg --purge lectern; mkdir --parents /etc/lectern")
    (booted.root / "etc/lectern/settings.env").write_text("LECTERN_POSTGRES=system\n")
    install(booted, packages.this)
    assert EMAIL in emails(booted)
