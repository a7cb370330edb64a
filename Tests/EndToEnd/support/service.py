"""A Lectern service as deploy/run starts it: PostgreSQL, workers, jobs and nginx, in a home of its own.

`shared(settings)` returns a service that all test processes of the run use at once; tests must not stop, kill or
reconfigure it. `own(settings)` returns one for the caller alone, which the caller may stop,
kill and reconfigure.

Making a database takes initdb and all migrations, so that happens once per run: the first service that needs a home
makes a template, and every home is a copy of it. `Service(first_start=True)` begins without a home instead.
"""

import base64
import contextlib
import fcntl
import hashlib
import hmac
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from support.client import Lectern, free_port
from support.paths import CHECKOUT
from support.waiting import wait_until

# Settings of every service that tests make, unless the test gives its own.
SETTINGS = {
    # Pages come from loopback only.
    "LECTERN_FETCH_ALLOW": "127.0.0.1",
    "LECTERN_RATE_LIMITS": "off",
    # Tests make their own users.
    "LECTERN_SIGNUP": "open",
    "LECTERN_JOBS_RETRY_BASE": "1",
    # Three seconds, and not fifteen, until a link that cannot be fetched has failed.
    "LECTERN_JOBS_ATTEMPTS": "3",
    # A quarter of the threads of two workers, on any machine.
    "LECTERN_USER_PARALLEL": "4",
    # No test is about the speed of a statement, and the machine may be busy.
    "LECTERN_STATEMENT_TIMEOUT": "30000",
}

# Names inside a home that deploy/ decides.
SUPERVISOR = "lectern supervise"
SUPERVISOR_PID = "run/supervisor.pid"
SUPERVISOR_LOG = "supervisor"

# What a copied home must not have from its template: the state of a running service.
STATE_OF_A_RUN = ["port", "state", "wanted", SUPERVISOR_PID.removeprefix("run/")]

# The roles that log in to PostgreSQL, and the files of their passwords in secrets/.
ROLES = {
    "lectern_admin": "admin_password",
    "authenticator": "authenticator_password",
    "lectern_jobs": "jobs_password",
    "lectern_realtime": "realtime_password",
}

# Appended to postgresql.conf. No test cuts the power, and a killed PostgreSQL loses nothing that the kernel has.
POSTGRES_SETTINGS = "fsync = off\nfull_page_writes = off\n"


class Service(Lectern):
    """One home and the service in it. It is started by `run`, which may be called again with other settings."""

    def __init__(self, settings=None, first_start=False, checkout=CHECKOUT, home=None):
        """Makes a home that is not running: a copy of the template, or none at all if this is to be a first start."""
        self.folder = Path(tempfile.mkdtemp(prefix="lectern-home-"))
        self.folder.chmod(0o755)
        self.checkout = checkout
        self.home = home or self.folder / "var"
        self.port = free_port()
        self.settings = SETTINGS if settings is None else settings
        if not first_start:
            copy_home(template(), self.home)

    # Starting and stopping

    def command(self, *arguments, port=None):
        return [self.checkout / "deploy/run", "--home", self.home, "--port", str(port or self.port), *arguments]

    def run(self, *arguments, port=None, status=0, **settings):
        """Calls deploy/run --detach with these settings beside the service's own, and returns its output."""
        done = subprocess.run(
            self.command("--detach", *arguments, port=port),
            env=os.environ | self.settings | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1800,
        )
        assert done.returncode == status, done.stdout
        if status == 0:
            self.read_environment()
        return done.stdout

    def read_environment(self):
        """Takes the address and the keys from lectern.env."""
        env = self.env()
        super().__init__(
            env["LECTERN_URL"],
            env["LECTERN_ANON_KEY"],
            env["LECTERN_SERVICE_KEY"],
            env["LECTERN_DATABASE_URL"],
            self.home,
        )
        self.metrics_token = env["LECTERN_METRICS_TOKEN"]

    def restart(self, **settings):
        """Stops the service and starts it at the same address, with these settings beside its own."""
        self.stop()
        self.run(**settings)

    def stop(self):
        subprocess.run(
            [self.checkout / "deploy/stop", "--home", self.home],
            check=True,
            timeout=300,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def remove(self):
        """Stops the service and deletes its home."""
        if self.home.exists():
            self.stop()
            assert self.command_lines() == {}
        shutil.rmtree(self.folder)

    # What the home holds

    def env(self, name="lectern.env"):
        """The variables of lectern.env, or of a service's environment (services/….env) with its secrets in place of
        their file."""
        found = self.variables(name)
        if found.pop("LECTERN_SECRETS_FILE", None):
            found |= self.variables(name.replace(".env", ".secrets"))
        return found

    def variables(self, name):
        """The variables of a file of the home with lines NAME='value'."""
        lines = (self.home / name).read_text().splitlines()
        return dict(re.fullmatch("([A-Z_]+)='(.*)'", line).groups() for line in lines)

    def log(self, name=SUPERVISOR_LOG):
        return (self.home / f"log/{name}.log").read_text()

    def run_directory(self):
        """The folder of the workers' socket."""
        return self.env("services/fcgi.env")["LECTERN_RUN_DIR"]

    # Asking

    def health(self, port=None):
        """The status of /health, or None when nothing listens."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port or self.port}/health", timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except (OSError, http.client.HTTPException):
            return None

    def wait_for_health(self, seconds=300):
        deadline = time.monotonic() + seconds
        while self.health() != 200:
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.1)

    def lectern(self, *arguments, service="fcgi", **environment):
        """Runs the command `lectern` with the settings of one of the services."""
        env = self.env(f"services/{service}.env")
        return subprocess.run(
            [self.home / "bin/lectern", *arguments],
            env={"PATH": "/usr/bin:/bin"} | env | environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def sql(self, text):
        """Runs a statement as the admin and returns its rows."""
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []

    def psql(self, statement, url=None):
        """Runs a statement in psql, as an admin does, and returns the finished process."""
        return subprocess.run(
            ["psql", "-AtX", url or self.env()["LECTERN_DATABASE_URL"], "-c", statement], capture_output=True, text=True
        )

    # Processes. `processes` and `workers` come from Lectern.

    def postgres(self):
        """The pid of the PostgreSQL server; its other processes are its children."""
        return self.processes("postgres", "-D")[0]

    def supervisor(self):
        return int((self.home / SUPERVISOR_PID).read_text().split()[0])

    def command_lines(self):
        """The living processes of this home: pid → command line. A shell's fork that has not become anything else
        yet is left out, because it is gone in a moment."""
        found, parents = {}, {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                folder = os.readlink(entry / "cwd")
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            is_here = folder == str(self.home) or folder.startswith(f"{self.home}/") or f"{self.home} " in command
            if command and is_here:
                found[int(entry.name)] = command
        return {number: command for number, command in found.items() if found.get(parents[number]) != command}

    def services(self):
        """The pids of the supervisor and of what it started, without their children, which come and go."""
        words = f"{SUPERVISOR}|lectern fcgi|lectern-fcgi|lectern-realtime|jobs run|nginx: master|-D /proc/self/fd"
        return {number for number, command in self.command_lines().items() if re.search(words, command)}

    def first(self, word):
        """The pid of the oldest process whose command line holds a word, as soon as there is one."""
        found = wait_until(lambda: [number for number, command in self.command_lines().items() if word in command])
        return min(found)

    def kill_all(self, *words):
        """Kills the first process of each kind. All are found before the first dies, since others end with it."""
        for number in [self.first(word) for word in words]:
            os.kill(number, signal.SIGKILL)


@contextlib.contextmanager
def own(**settings):
    """A running service for the caller alone, with these settings beside the usual ones."""
    service = Service(SETTINGS | settings)
    try:
        service.run()
        yield service
    finally:
        # A stopped process would hold up the end of the service.
        for number in service.command_lines():
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)
        service.remove()


def shared(**settings):
    """A running service with these settings beside the usual ones, the same for every test process of this run."""
    key = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
    folder = run_folder() / f"shared-{key}"
    with locked(folder):
        started = folder / "started"
        service = attach(Path(started.read_text())) if started.exists() else Service(SETTINGS | settings)
        if not started.exists():
            service.run()
            started.write_text(str(service.folder))
    service.settings = SETTINGS | settings
    return service


def attach(folder):
    """A service that another test process has started in this folder."""
    service = Service.__new__(Service)
    service.folder, service.home, service.checkout = folder, folder / "var", CHECKOUT
    service.read_environment()
    service.port = urlsplit(service.url).port
    return service


# Homes


def template():
    """A stopped home with a migrated database, made by the first caller of the run."""
    folder = run_folder() / "template"
    with locked(folder):
        if not (folder / "made").exists():
            service = Service(first_start=True)
            # Without LECTERN_BUILD_DIR this builds the programs first.
            service.run()
            for role, secret in ROLES.items():
                store_password_cheaply(service, role, secret)
            service.stop()
            with (service.home / "postgres/postgresql.conf").open("a") as configuration:
                configuration.write(POSTGRES_SETTINGS)
            for name in STATE_OF_A_RUN:
                (service.home / "run" / name).unlink(missing_ok=True)
            for log in (service.home / "log").iterdir():
                os.truncate(log, 0)
            link_programs(service.home)
            service.home.rename(folder / "home")
            shutil.rmtree(service.folder)
            (folder / "made").touch()
    return folder / "home"


def store_password_cheaply(service, role, secret):
    """Has PostgreSQL keep the same password as a key that takes one round to derive and not 4,096. Most of what a
    connection costs its client are these rounds, and every start of a service makes some twenty connections."""
    salt = bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", service.secret(secret).strip().encode(), salt, 1)
    key = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    parts = [base64.b64encode(part).decode() for part in (salt, key, hmac.digest(salted, b"Server Key", "sha256"))]
    with service.login(role, secret) as connection:
        connection.execute(f"alter role {role} password 'SCRAM-SHA-256$1:{parts[0]}${parts[1]}:{parts[2]}'")


def link_programs(home):
    """Makes the programs of a home the same files as the built ones, where both are on one file system. deploy/run then
    sees without reading them that they are up to date."""
    built = os.environ.get("LECTERN_BUILD_DIR")
    for program in (home / "bin").iterdir() if built else []:
        with contextlib.suppress(OSError):
            os.link(Path(built) / program.name, program.with_suffix(".new"))
            program.with_suffix(".new").rename(program)


def copy_home(source, target):
    """Copies a stopped home. Programs are linked: deploy/run replaces them and never writes into them."""
    target.mkdir(mode=0o755)
    linked = [source / name for name in ["bin", "sql", "web"]]
    copied = [path for path in source.iterdir() if path not in linked]
    subprocess.run(["cp", "-a", "--link", *linked, target], check=True)
    subprocess.run(["cp", "-a", "--reflink=auto", *copied, target], check=True)


# One run of the tests. Its processes find each other by a folder that pytest's first process makes.


def begin_run():
    folder = Path(tempfile.mkdtemp(prefix="lectern-tests-"))
    folder.chmod(0o755)
    os.environ["LECTERN_TEST_RUN"] = str(folder)


def end_run():
    """Stops the shared services and deletes what the run has made."""
    folder = run_folder()
    for started in folder.glob("shared-*/started"):
        attach(Path(started.read_text())).remove()
    shutil.rmtree(folder)
    del os.environ["LECTERN_TEST_RUN"]


def run_folder():
    return Path(os.environ["LECTERN_TEST_RUN"])


@contextlib.contextmanager
def locked(folder):
    """Lets one test process at a time work in a folder of the run."""
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
