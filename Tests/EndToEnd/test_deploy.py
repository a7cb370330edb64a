"""deploy/run and deploy/stop, as a person uses them and as bad luck uses them.

Every test has a home and a port of its own. The programs are those that deploy/test built (LECTERN_BUILD_DIR).
"""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif("LECTERN_BUILD_DIR" not in os.environ, reason="needs the programs deploy/test builds")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Home:
    def __init__(self, checkout=CHECKOUT):
        self.folder = Path(tempfile.mkdtemp(prefix="lectern-home-", dir="/tmp"))
        self.checkout = checkout
        self.path = self.folder / "var"
        self.port = free_port()

    def command(self, *arguments, port=None):
        return [self.checkout / "deploy/run", "--home", self.path, "--port", str(port or self.port), *arguments]

    def run(self, *arguments, port=None, status=0, **settings):
        """Runs deploy/run --detach and answers what it said."""
        done = subprocess.run(
            self.command("--detach", *arguments, port=port), env=os.environ | settings, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        assert done.returncode == status, done.stdout
        return done.stdout

    def stop(self):
        """What hangs is ended by force; a stop that waits for it would wait for ever."""
        subprocess.run([self.checkout / "deploy/stop", "--home", self.path], check=True, timeout=120)

    def health(self, port=None):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port or self.port}/health", timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def wait_for_health(self, seconds=120):
        deadline = time.monotonic() + seconds
        while self.health() != 200:
            assert time.monotonic() < deadline, (self.path / "log/keeper.log").read_text()
            time.sleep(0.1)

    def processes(self):
        """The living processes that run in this home: number → command line. Not a shell's fork that has not become
        anything yet, which is gone in a moment."""
        found, parents = {}, {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                folder = os.readlink(entry / "cwd")
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if command and (folder == str(self.path) or folder.startswith(f"{self.path}/") or f"{self.path} " in command):
                found[int(entry.name)] = command
        return {number: command for number, command in found.items() if found.get(parents[number]) != command}

    def services(self):
        """The numbers of the keeper and of what it started. What that has for children comes and goes."""
        return {number for number, command in self.processes().items()
                if re.search("deploy/keeper|lectern fcgi|lectern-fcgi|jobs run|nginx: master|-D /proc/self/fd", command)}

    def first(self, word):
        """The number of the oldest process whose command line holds a word."""
        return min(number for number, command in self.processes().items() if word in command)

    def kill_all(self, *words):
        """Kills the first process of each kind; all are found before the first dies, since others end with it."""
        for number in [self.first(word) for word in words]:
            os.kill(number, signal.SIGKILL)

    def env(self):
        lines = (self.path / "lectern.env").read_text().splitlines()
        return dict(re.fullmatch("([A-Z_]+)='([^']*)'", line).groups() for line in lines)

    def psql(self, statement, url=None):
        return subprocess.run(["psql", "-AtX", url or self.env()["LECTERN_DATABASE_URL"], "-c", statement],
                              capture_output=True, text=True)

    def log(self, name="keeper"):
        return (self.path / f"log/{name}.log").read_text()

    def remove(self):
        if self.path.exists():
            self.stop()
            assert self.processes() == {}
        shutil.rmtree(self.folder)


@pytest.fixture
def home():
    home = Home()
    yield home
    home.remove()


@pytest.fixture(scope="module")
def running():
    """A running home, for tests that leave it as it was."""
    home = Home()
    home.said = home.run()
    yield home
    home.remove()


def wait_until(true, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# The first start


def test_the_first_start_says_where_it_is_and_how_to_make_an_account(running):
    env = running.env()
    assert running.health() == 200
    assert f"http://127.0.0.1:{running.port}" in running.said and env["LECTERN_ANON_KEY"] in running.said
    assert env["LECTERN_SERVICE_KEY"] not in running.said
    curl = re.search(r"(?s)^  (curl .*?)\n\n", running.said, re.M)[1].replace("…", "correct horse")
    answer = json.loads(subprocess.run(["bash", "-c", curl], capture_output=True, check=True).stdout)
    assert answer["user"]["email"] == "you@example.org"


def test_secrets_are_only_for_their_readers(running):
    assert stat.S_IMODE((running.path / "lectern.env").stat().st_mode) == 0o600
    for name in ["secrets", "services", "run"]:
        assert stat.S_IMODE((running.path / name).stat().st_mode) == 0o700
    env = running.env()
    password = re.search(":([0-9a-f]{64})@", env["LECTERN_DATABASE_URL"])[1].encode()
    for number, command in running.processes().items():
        if "keeper" in command:
            continue
        try:
            said = Path(f"/proc/{number}/cmdline").read_bytes() + Path(f"/proc/{number}/environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        assert password not in said and env["LECTERN_SERVICE_KEY"].encode() not in said, command


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to drop")
def test_no_service_keeps_a_privilege(running):
    services = {number: command for number, command in running.processes().items() if "deploy/keeper" not in command}
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
    assert running.psql("select current_user, rolbypassrls from pg_roles where rolname = current_user").stdout == "lectern_admin|t\n"
    directory = re.search("host=(.*)", running.env()["LECTERN_DATABASE_URL"])[1]
    for role in ["lectern_bootstrap", "lectern_owner", "anon", "postgres"]:
        refused = running.psql("select 1", f"postgresql://{role}:x@/lectern?host={directory}")
        assert refused.returncode == 2 and "authentication failed" in refused.stderr


def test_the_cluster_is_private_and_checked(running):
    answer = running.psql("select current_setting('listen_addresses'), current_setting('data_checksums'), "
                          "current_setting('server_encoding'), current_setting('timezone'), "
                          "current_setting('password_encryption'), datcollate from pg_database where datname = 'lectern'")
    assert answer.stdout == "|on|UTF8|UTC|scram-sha-256|C.UTF-8\n"


def test_lectern_env_makes_a_shell_the_admins(running):
    def shell(script):
        return subprocess.run(["sh", "-c", script], cwd=running.path, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin"})
    assert "LECTERN_DATABASE_URL" in running.env()
    asked = shell("set -a; . ./lectern.env; set +a; bin/lectern jobs status")
    assert (asked.returncode, asked.stderr) == (0, "")


def test_what_is_in_force_can_be_printed_and_each_service_knows_only_what_it_needs(home):
    home.run(LECTERN_TOKEN_LIFETIME="1801", LECTERN_JOBS_PARALLEL="3", LECTERN_FETCH_PROXY="http://me:hunter2@127.0.0.1:1")
    for service, lines in {"jobs": ["JOBS_PARALLEL=3", "FETCH_PROXY=********"], "fcgi": ["TOKEN_LIFETIME=1801"]}.items():
        shown = subprocess.run(["sh", "-c", f"set -a; . services/{service}.env; bin/lectern config"], cwd=home.path,
                               capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}).stdout
        for line in lines:
            assert f"\nLECTERN_{line}\n" in shown
        assert "hunter2" not in shown
    workers = (home.path / "services/fcgi.env").read_text()
    assert "hunter2" not in workers and "KEY" not in workers


# Again, and otherwise


def test_running_it_again_changes_nothing(running):
    before = running.services()
    env = running.env()
    assert "nothing has changed" in running.run()
    assert "nothing has changed" in running.run("--home", str(running.path))
    assert running.services() == before and env == running.env()


def test_another_port_takes_the_service_there(home):
    home.run()
    other = free_port()
    home.run(port=other)
    assert home.health(other) == 200 and home.health() is None
    assert home.env()["LECTERN_URL"] == f"http://127.0.0.1:{other}"


def test_a_changed_setting_is_applied_and_the_environment_wins(home):
    home.run()
    database = home.first("-D /proc/self/fd")
    with (home.path / "settings.env").open("a") as settings:
        settings.write("LECTERN_SIGNUP='closed'\n")
    assert "fcgi" in home.run()
    assert "LECTERN_SIGNUP='closed'" in (home.path / "services/fcgi.env").read_text()
    home.run(LECTERN_SIGNUP="invite")
    assert "LECTERN_SIGNUP='invite'" in (home.path / "services/fcgi.env").read_text()
    assert home.first("-D /proc/self/fd") == database, "what is not affected keeps running"


def test_started_under_nohup_it_takes_changes_as_well(home):
    subprocess.run(["nohup", *home.command("--detach")], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=600)
    assert "fcgi" in home.run(LECTERN_SIGNUP="closed")


class Load:
    """Clients that save links one after another, without a second try, until they are told to end."""

    def __init__(self, home, clients=4):
        self.home, self.statuses, self.ending = home, [], threading.Event()
        account = self.ask("/auth/v1/signup", home.env()["LECTERN_ANON_KEY"],
                           {"email": f"{os.urandom(6).hex()}@example.org", "password": "correct horse"})
        self.token = json.loads(account)["access_token"]
        self.statuses.clear()
        self.clients = [threading.Thread(target=self.save, args=[number]) for number in range(clients)]
        for client in self.clients:
            client.start()

    def ask(self, path, token, body):
        request = urllib.request.Request(
            self.home.env()["LECTERN_URL"] + path, json.dumps(body).encode(),
            {"apikey": self.home.env()["LECTERN_ANON_KEY"], "Authorization": f"Bearer {token}",
             "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                self.statuses.append(answer.status)
                return answer.read()
        except urllib.error.HTTPError as error:
            self.statuses.append(error.code)
        except OSError as error:
            self.statuses.append(repr(error))

    def save(self, client):
        number = 0
        while not self.ending.is_set():
            self.ask("/rest/v1/links", self.token, {"raw_url": f"http://127.0.0.1:1/{client}/{number}"})
            number += 1

    def proceed(self, by=100):
        before = len(self.statuses)
        wait_until(lambda: len(self.statuses) >= before + by, 120)

    def end(self):
        self.ending.set()
        for client in self.clients:
            client.join()
        return self.statuses


def test_a_changed_setting_a_new_program_and_another_number_of_workers_cost_no_request(home):
    home.run(LECTERN_WORKERS="2")
    programs = home.folder / "programs"
    programs.mkdir()
    for name in ["lectern", "lectern-fcgi", "lectern-pdf", "lectern-pictures"]:
        shutil.copy(Path(os.environ["LECTERN_BUILD_DIR"]) / name, programs / name)
    load = Load(home)
    changes = [{"LECTERN_TOKEN_LIFETIME": "1800"}, {"LECTERN_WORKERS": "3"},
               {"LECTERN_BUILD_DIR": str(programs), "LECTERN_WORKERS": "1"}]
    try:
        for settings in changes:
            load.proceed()
            pool = home.first("lectern fcgi")
            with (programs / "lectern-fcgi").open("ab") as program:
                program.write(b"\0")
            said = home.run(**{"LECTERN_WORKERS": "2"} | settings)
            assert "fcgi" in said and home.first("lectern fcgi") != pool
            assert sum("bin/lectern-fcgi" in command for command in home.processes().values()) == int(
                settings.get("LECTERN_WORKERS", "2"))
        load.proceed()
    finally:
        statuses = load.end()
    assert set(statuses) == {201}
    assert home.psql("select count(*) from public.links").stdout == f"{len(statuses)}\n"


def test_workers_that_cannot_start_leave_those_that_run(home):
    home.run()
    pool = home.first("lectern fcgi")
    programs = home.folder / "programs"
    programs.mkdir()
    for name in ["lectern", "lectern-pdf", "lectern-pictures"]:
        shutil.copy(Path(os.environ["LECTERN_BUILD_DIR"]) / name, programs)
    shutil.copy("/bin/false", programs / "lectern-fcgi")
    said = home.run(status=1, LECTERN_BUILD_DIR=str(programs))
    assert "the one that runs goes on as it was" in said and "its workers do not start" in said
    assert home.health() == 200 and home.first("lectern fcgi") == pool
    assert "nothing has changed" in home.run()
    assert "fcgi" in home.run(LECTERN_TOKEN_LIFETIME="1800") and home.first("lectern fcgi") != pool


def test_bad_settings_are_told_together_and_leave_the_service_alone(running):
    settings = running.path / "settings.env"
    before = settings.read_text()
    environment = (running.path / "services/fcgi.env").read_text()
    settings.write_text(before + "LECTERN_SIGNUP = open\nrm -rf /\nLECTERN_JWT_SECRET=x\n")
    try:
        said = running.run(status=1, LECTERN_LISTEN="here; there", LECTERN_RATE_LIMITS="some",
                           LECTERN_TRUSTED_PROXIES="10.0.0.0/8,me;")
        for part in ["settings.env line", "JWT_SECRET", "LECTERN_LISTEN", "RATE_LIMITS", "'me;'"]:
            assert part in said
        settings.write_text(before)
        said = running.run(status=1, LECTERN_SIGNUP="maybe", LECTERN_NONSENSE="1")
        assert "SIGNUP" in said and "NONSENSE" in said
    finally:
        settings.write_text(before)
    assert running.health() == 200
    assert (running.path / "services/fcgi.env").read_text() == environment


def test_the_database_has_a_connection_for_every_thread_of_old_and_new_workers_and_the_jobs(home):
    one = {"LECTERN_WORKERS": "1"}
    home.run(**one)
    most = "select current_setting('max_connections')"
    assert home.psql(most).stdout == "128\n"
    said = home.run(LECTERN_WORKERS="4", LECTERN_THREADS="16", LECTERN_JOBS_PARALLEL="20")
    assert "postgres" in said and home.psql(most).stdout == f"{2 * 4 * (16 + 2) + 20 + 8 + 12 + 20}\n"
    database = home.first("-D /proc/self/fd")
    assert "postgres" not in home.run(**one), "fewer are no reason to restart a running database"
    assert home.first("-D /proc/self/fd") == database
    home.stop()
    home.run(**one)
    assert home.psql(most).stdout == "128\n"


@pytest.mark.parametrize("name, value", [("FETCH_ALLOW", "inner.example:http"), ("FETCH_PROXY", "proxy.example:3128"),
                                         ("JOBS_PARALLEL", "none"), ("WORKERS", "25"), ("THREADS", "0")])
def test_a_setting_that_a_service_could_not_start_with_is_refused_before_anything_starts(home, running, name, value):
    setting = {f"LECTERN_{name}": value}
    assert f"LECTERN_{name} " in home.run(status=1, **setting)
    assert not home.path.exists()
    before = running.services()
    assert f"LECTERN_{name} " in running.run(status=1, **setting)
    assert running.services() == before and f"{name}='" not in (running.path / "services/jobs.env").read_text()


def test_a_port_in_use_is_named_before_anything_is_changed(home, running):
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"port {port} is in use" in home.run(port=port, status=1)
        assert not home.path.exists()
        assert f"port {port} is in use" in running.run(port=port, status=1)
    assert f"port {running.port} is in use" in home.run(port=running.port, status=1)
    assert running.health() == 200


@pytest.mark.parametrize("arguments", [["--port"], ["--port", ""], ["--what"], ["--home"], ["extra"]])
def test_wrong_usage_is_told_apart(arguments):
    done = subprocess.run([CHECKOUT / "deploy/run", *arguments], capture_output=True, text=True)
    assert done.returncode == 2 and "--help" in done.stderr


def test_two_homes_live_side_by_side(home, running):
    home.run()
    assert home.env()["LECTERN_ANON_KEY"] != running.env()["LECTERN_ANON_KEY"]
    home.stop()
    assert home.health() is None and running.health() == 200


def test_two_starts_of_one_home_at_once_are_one_start(home):
    starts = [subprocess.Popen(home.command("--detach"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
              for _ in range(3)]
    said = [start.communicate(timeout=300)[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0], said
    assert sum("deploy/keeper" in command for command in home.processes().values()) == 1
    assert home.health() == 200


# Stopping


def test_stop_ends_everything_and_the_data_stays(home):
    home.run()
    home.psql("create table public.kept (a int)")
    home.stop()
    assert home.processes() == {} and home.health() is None
    home.stop()
    home.run()
    assert home.psql("select count(*) from kept").stdout == "0\n"


@pytest.mark.parametrize("word", ["nginx: worker", "lectern fcgi", "lectern-fcgi", "jobs run", "-D /proc/self/fd"])
def test_a_service_that_hangs_does_not_hold_up_the_stop(home, word):
    home.run()
    os.kill(home.first(word), signal.SIGSTOP)
    home.stop()
    assert home.processes() == {}
    home.run()


def test_a_request_in_flight_has_the_time_of_the_setting_to_finish_when_the_service_stops(home):
    home.run(LECTERN_DRAIN_TIMEOUT="60", LECTERN_STATEMENT_TIMEOUT="30000")
    load = Load(home, clients=0)
    url = home.env()["LECTERN_DATABASE_URL"]
    with subprocess.Popen(["psql", "-AtX", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as blocker:
        blocker.stdin.write("begin; lock table public.links in exclusive mode; select 1;\n")
        blocker.stdin.flush()
        while blocker.stdout.readline() != "1\n":
            pass
        saving = threading.Thread(target=load.ask, args=["/rest/v1/links", load.token, {"raw_url": "http://127.0.0.1:1/"}])
        saving.start()
        wait_until(lambda: home.psql("select count(*) from pg_locks where not granted").stdout == "1\n")
        stop = subprocess.Popen([CHECKOUT / "deploy/stop", "--home", home.path])
        # Later than force would be used with the default, sooner than with the setting.
        time.sleep(7.5)
        assert stop.poll() is None
        blocker.stdin.close()
        saving.join()
        assert stop.wait(60) == 0
    assert load.statuses == [201]
    assert "killed" not in home.log() and home.processes() == {}


def test_a_body_as_large_as_the_setting_allows_reaches_the_worker(home):
    home.run(LECTERN_BODY_LIMIT="16000000")
    load = Load(home, clients=0)
    load.ask("/rest/v1/links", load.token, {"raw_url": "http://127.0.0.1:1/", "no_such_column": "x" * 15_000_000})
    load.ask("/rest/v1/links", load.token, {"raw_url": "http://127.0.0.1:1/", "no_such_column": "x" * 16_000_000})
    assert load.statuses == [400, 413]


@pytest.mark.parametrize("sign, everybody", [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False),
                                             (signal.SIGKILL, False)])
def test_in_the_foreground_it_ends_with_the_terminal(home, sign, everybody):
    """SIGINT reaches everybody in the foreground, as Ctrl-C in a terminal does; the order is kept all the same."""
    # Whoever runs the tests in the background or under nohup has them ignored, which a shell cannot undo for itself.
    start = subprocess.Popen(["env", "--default-signal=INT,HUP", *home.command()], start_new_session=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in start.stdout:
        if "Ctrl-C" in line:
            break
    assert home.health() == 200
    (os.killpg if everybody else os.kill)(start.pid, sign)
    start.wait(120)
    wait_until(lambda: home.processes() == {})
    stopped = re.findall(r"(\w+) stopped", home.log())
    assert stopped == ["nginx", "fcgi", "jobs", "postgres"]
    assert "database system is shut down" in home.log("postgres")
    start.stdout.close()


def test_a_start_that_fails_says_why_and_leaves_nothing(home):
    home.run()
    home.stop()
    with (home.path / "postgres/postgresql.conf").open("a") as configuration:
        configuration.write("max_connections = many\n")
    said = home.run(status=1)
    assert "max_connections" in said and "postgres" in said
    assert home.processes() == {}


# Bad luck


@pytest.mark.parametrize("word", ["nginx: master", "nginx: worker", "lectern fcgi", "lectern-fcgi", "jobs run",
                                  "-D /proc/self/fd", "checkpointer"])
def test_what_dies_is_started_again(home, word):
    home.run()
    victim = home.first(word)
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: any(word in command for number, command in home.processes().items() if number != victim))
    home.wait_for_health()


def test_a_killed_keeper_takes_the_services_along(home):
    home.run()
    os.kill(home.first("deploy/keeper"), signal.SIGKILL)
    wait_until(lambda: home.processes() == {})
    assert "database system is shut down" in home.log("postgres")
    home.run()
    assert home.health() == 200


def test_it_starts_again_at_once_after_the_keeper_was_killed(home):
    home.run()
    os.kill(home.first("deploy/keeper"), signal.SIGKILL)
    home.run()
    assert home.health() == 200


def test_it_starts_again_after_everything_but_the_children_was_killed(home):
    home.run()
    home.kill_all("deploy/keeper", "nginx: master", "lectern fcgi", "jobs run", "-D /proc/self/fd")
    home.run()
    assert home.health() == 200


def test_stop_finds_what_a_killed_keeper_left(home):
    home.run()
    home.kill_all("deploy/keeper", "nginx: master")
    home.stop()
    assert home.processes() == {}


def test_a_process_that_got_an_old_number_is_left_alone(home):
    """The numbers in the files belong to somebody else by now, even to a process of the same user."""
    home.run()
    owner = (home.path / "postgres").stat()
    home.kill_all("deploy/keeper", "-D /proc/self/fd", "lectern fcgi", "jobs run", "nginx: master")
    wait_until(lambda: "-D /proc/self/fd" not in str(home.processes()))
    as_service = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "60"], cwd="/", **as_service) as innocent:
        try:
            keeper = (home.path / "run/keeper.pid").read_text().split()
            (home.path / "run/keeper.pid").write_text(" ".join([str(innocent.pid), *keeper[1:]]))
            lock = home.path / "postgres/postmaster.pid"
            lock.write_text("\n".join([str(innocent.pid), *lock.read_text().split("\n")[1:]]))
            home.run()
            assert home.health() == 200
            home.stop()
            assert innocent.poll() is None
        finally:
            innocent.kill()


def test_a_first_start_that_was_killed_begins_anew(home):
    for seconds in [0.2, 0.5, 0.8, 1.1]:
        start = subprocess.Popen(home.command("--detach"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        time.sleep(seconds)
        os.killpg(start.pid, signal.SIGKILL)
        start.wait()
    home.run()
    assert home.health() == 200


def test_sockets_that_were_cleaned_away_come_back(home):
    home.run()
    shutil.rmtree(re.search("host=(.*)", home.env()["LECTERN_DATABASE_URL"])[1])
    assert home.psql("select 1").returncode == 2
    home.run()
    assert home.health() == 200 and home.psql("select 1").stdout == "1\n"


def test_lost_passwords_are_replaced(home):
    home.run()
    home.stop()
    (home.path / "secrets/admin_password").unlink()
    home.run()
    assert home.psql("select 1").stdout == "1\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can put a checkout where the service's user cannot go")
def test_a_checkout_where_the_service_cannot_go_is_no_matter():
    folder = Path(tempfile.mkdtemp(prefix="lectern-root-", dir="/root"))
    os.chmod(folder, 0o700)
    home = Home(folder / "checkout")
    try:
        for name in ["deploy", "nginx", "sql", "web"]:
            if (CHECKOUT / name).exists():
                shutil.copytree(CHECKOUT / name, folder / "checkout" / name)
        home.path = folder / "checkout/var"
        home.run()
        assert home.health() == 200
        os.kill(home.first("-D /proc/self/fd"), signal.SIGKILL)
        wait_until(lambda: "starting it again" in home.log())
        home.wait_for_health()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        home.remove()
        shutil.rmtree(folder)
