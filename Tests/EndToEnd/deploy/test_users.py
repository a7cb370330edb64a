"""The system users of the services: each reaches its own files, sockets and secrets, and nothing else."""

import contextlib
import grp
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.client import free_port, wait_until
from support.paths import CHECKOUT, PROGRAMS
from support.service import SUPERVISOR, Service

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts services as other users")

USERS = {
    "postgres": "lectern-db",
    "jobs run": "lectern-jobs",
    "lectern fcgi": "lectern-fcgi",
    "lectern-fcgi": "lectern-fcgi",
    "lectern-realtime": "lectern-realtime",
    "nginx: master": "lectern-nginx",
    "nginx: worker": "lectern-nginx",
}
# What all users may read: programs, SQL, the web app, nginx's configuration.
FOR_ALL = ("bin", "sql", "web", "nginx")
READS = {
    "lectern-db": ("postgres", "services/migrate.secrets"),
    "lectern-fcgi": ("imports", "services/fcgi.secrets"),
    "lectern-jobs": ("pictures", "books", "documents", "exports", "imports", "services/jobs.secrets"),
    "lectern-realtime": ("services/realtime.secrets",),
    "lectern-nginx": ("nginx/temp", "pictures", "books", "documents", "exports", "log/access.log"),
}
WRITES = {
    "lectern-db": ("postgres", "upgrade"),
    "lectern-fcgi": ("imports",),
    "lectern-jobs": ("pictures", "books", "documents", "exports", "imports"),
    "lectern-realtime": (),
    "lectern-nginx": ("nginx/temp", "log/access.log"),
}
REACHES = {
    "lectern-db": {"db-fcgi", "db-jobs", "db-realtime", "db-admin"},
    "lectern-fcgi": {"db-fcgi", "fcgi"},
    "lectern-jobs": {"db-jobs"},
    "lectern-realtime": {"db-realtime", "realtime"},
    "lectern-nginx": {"fcgi", "realtime"},
}


def as_user(user, *command):
    """The command that runs another one as a user, as deploy/run does."""
    account = pwd.getpwnam(user)
    ids = ["--reuid", str(account.pw_uid), "--regid", str(account.pw_gid)]
    return ["setpriv", "--no-new-privs", *ids, "--init-groups", "--inh-caps=-all", *map(str, command)]


def output(user, *command):
    return subprocess.run(as_user(user, *command), capture_output=True, text=True, cwd="/").stdout


def everything_in(top):
    """The paths below a folder. Some may be gone by now, because services write there."""
    return [Path(folder, name) for folder, *names in os.walk(top) for name in itertools.chain(*names)]


def permitted(user, home, mode):
    """The files and folders of the home that the user may read or write. All are asked for by name, because a file
    may be accessible in a folder that cannot be listed."""
    paths = [str(path.relative_to(home)) for path in everything_in(home) if not path.is_symlink()]
    script = (
        "import os, sys\n"
        "paths = sys.stdin.read().split('\\0')\n"
        "print(*(path for path in paths if os.access(path, int(sys.argv[1]))), sep='\\0')"
    )
    done = subprocess.run(
        as_user(user, "/usr/bin/python3", "-c", script, mode),
        input="\0".join(paths),
        capture_output=True,
        text=True,
        cwd=home,
        check=True,
    )
    found = set(done.stdout.strip("\n").split("\0")) - {""}
    # To read a folder is no more than to list it.
    return {path for path in found if mode == os.W_OK or not (home / path).is_dir()}


def within(paths, allowed):
    return {path for path in paths if not any(path == top or path.startswith(f"{top}/") for top in allowed)}


@only_root
def test_each_service_runs_as_a_user_of_its_own(running):
    for word, user in USERS.items():
        processes = [number for number, command in running.command_lines().items() if word in command]
        assert processes, word
        for number in processes:
            try:
                status = Path(f"/proc/{number}/status").read_text()
            except OSError:
                continue  # A process of PostgreSQL has ended.
            ids = {line.split(":")[0]: set(line.split()[1:]) for line in status.splitlines() if "id:" in line}
            assert ids["Uid"] == {str(pwd.getpwnam(user).pw_uid)}, word
            assert ids["Gid"] == {str(grp.getgrnam(user).gr_gid)}, word
    assert len({pwd.getpwnam(user).pw_uid for user in USERS.values()}) == 5


@only_root
@pytest.mark.parametrize("user", READS)
def test_a_service_reads_and_writes_its_own_files_and_no_others(running, user):
    for folder in ["pictures", "books", "documents", "exports"]:
        file = running.home / folder / "file"
        file.write_text("x")
        shutil.chown(file, "lectern-jobs", "lectern-nginx")
        file.chmod(0o640)
    readable = permitted(user, running.home, os.R_OK)
    assert within(readable, FOR_ALL + READS[user]) == set()
    assert {path for path in READS[user] if (running.home / path).is_file()} <= readable
    writable = permitted(user, running.home, os.W_OK)
    assert within(writable, WRITES[user]) == set()
    assert {path for path in WRITES[user] if path != "nginx/temp"} <= writable


@only_root
@pytest.mark.parametrize("user", REACHES)
def test_a_service_reaches_the_sockets_it_needs_and_no_others(running, user):
    folder = Path(running.run_directory()).parent
    script = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    reached = set()
    for path in [folder / "fcgi/fcgi.sock", folder / "realtime/realtime.sock", *folder.glob("db-*/.s.PGSQL.5432")]:
        done = subprocess.run(
            as_user(user, "/usr/bin/python3", "-c", script, path), capture_output=True, text=True, cwd="/"
        )
        assert done.returncode == 0 or "PermissionError" in done.stderr, done.stderr
        if done.returncode == 0:
            reached.add(path.parent.name)
    # Workers and realtime service may connect to their own socket, and so may nobody else but nginx.
    assert reached == REACHES[user]


@only_root
@pytest.mark.parametrize("word", ["jobs run", "lectern-fcgi", "lectern-realtime"])
def test_not_even_a_process_of_the_same_user_can_look_into_one_that_holds_secrets(running, word):
    for number in [number for number, command in running.command_lines().items() if word in command]:
        for name in ["environ", "maps", "mem"]:
            assert output(USERS[word], "head", "-c", "1", f"/proc/{number}/{name}") == ""
        assert output(USERS[word], "cat", f"/proc/{number}/cmdline") != ""


@only_root
def test_a_home_in_which_all_services_ran_as_one_user_is_taken_over(service):
    """Such a home belongs to that user where it does not belong to root."""
    service.run()
    service.psql("create table if not exists public.kept (a int); insert into public.kept values (1)")
    service.stop()
    pictures = service.home / "pictures/ab"
    pictures.mkdir()
    (pictures / f"{'0' * 40}.webp").write_bytes(b"picture")
    (service.home / "services/jobs.secrets").unlink()
    for name in ["postgres", "pictures", "books", "exports", "nginx/temp", "log/access.log"]:
        subprocess.run(["chown", "--recursive", "nobody:nogroup", service.home / name], check=True)
    for name in ["pictures", "books", "exports"]:
        (service.home / name).chmod(0o700)
    pictures.chmod(0o750)
    said = service.run()
    assert f"Giving the files of {service.home}/postgres" in said
    assert service.psql("select a from kept").stdout == "1\n"
    answer = service.send("GET", f"/pictures/ab/{'0' * 40}.webp", {})
    assert (answer.status, answer.body) == (200, b"picture")
    for path in [service.home / "postgres", *everything_in(service.home / "postgres")]:
        with contextlib.suppress(FileNotFoundError):
            assert path.lstat().st_uid == pwd.getpwnam("lectern-db").pw_uid, path
    assert "Giving the files" not in service.run()


def ordinary_run(home, port, program="deploy/run", *arguments):
    """Runs deploy/run or deploy/stop as the user nobody, who has no runtime directory."""
    names = [name for name in os.environ if name.startswith("LECTERN_") and name != "LECTERN_BUILD_DIR"]
    command = [*(f"--unset={name}" for name in names), "--unset=XDG_RUNTIME_DIR", f"LECTERN_BUILD_DIR={PROGRAMS}"]
    done = subprocess.run(
        ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "env", *command]
        + [str(CHECKOUT / program), "--home", str(home), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@only_root
def test_an_ordinary_user_runs_everything_itself_and_finds_its_processes_after_the_supervisor_was_killed():
    folder = Path(tempfile.mkdtemp(prefix="lectern-nobody-", dir="/tmp"))
    shutil.chown(folder, "nobody", "nogroup")
    service = Service.__new__(Service)
    service.folder, service.home, service.checkout, service.settings = folder, folder / "var", CHECKOUT, {}
    service.port = free_port()
    try:
        ordinary_run(service.home, service.port, "deploy/run", "--detach", "--port", str(service.port))
        assert service.health() == 200
        for number in service.services():
            status = Path(f"/proc/{number}/status").read_text()
            assert f"\nUid:\t{pwd.getpwnam('nobody').pw_uid}\t" in status, status
        # Stopped, so that it cannot end with the supervisor.
        jobs = service.first("jobs run")
        os.kill(jobs, signal.SIGSTOP)
        os.kill(service.first(SUPERVISOR), signal.SIGKILL)
        ordinary_run(service.home, service.port, "deploy/run", "--detach", "--port", str(service.port))
        assert service.health() == 200 and jobs not in service.command_lines()
        # The supervisor finds the workers of a dead pool, too.
        workers = {number for number, command in service.command_lines().items() if "lectern-fcgi" in command}
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        os.kill(service.first("bin/lectern fcgi"), signal.SIGKILL)
        wait_until(lambda: not workers & service.command_lines().keys())
        service.wait_for_health()
    finally:
        ordinary_run(service.home, service.port, "deploy/stop")
        left = service.command_lines()
        shutil.rmtree(folder)
        shutil.rmtree(f"/tmp/lectern-{pwd.getpwnam('nobody').pw_uid}")
        assert left == {}


@only_root
def test_preparing_starts_nothing_and_makes_no_home(new_home):
    done = subprocess.run(
        [CHECKOUT / "deploy/run", "--prepare"],
        env=os.environ | {"LECTERN_BUILD_DIR": str(PROGRAMS)},
        capture_output=True,
        text=True,
        timeout=300,
        cwd=new_home.folder,
    )
    assert done.returncode == 0, done.stderr
    assert list(new_home.folder.iterdir()) == []
    for user in READS:
        assert pwd.getpwnam(user).pw_shell == "/usr/sbin/nologin"
