"""`lectern supervise` with services that are small scripts: order, restarts, changes, and the end of everything."""

import os
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from support.client import wait_until
from support.paths import PROGRAMS

# Runs until a signal ends it, and says on its output what happens.
STEADY = """#!/bin/bash
trap 'echo asked to stop; exit 0' TERM
echo "runs with $COLOUR"
while true; do read -rt 1 <> <(:); done
"""
# What a service of each kind has in common.
ENTRY = """
service {name}
kind {kind}
command ./bin/{name}
stop-signal TERM
death-signal KILL
force-signal KILL
stop-seconds {seconds}
inputs bin/{name}
user {user}
launcher {launcher}
"""


class Home:
    """A home with a table of scripts, and its supervisor."""

    def __init__(self, folder):
        self.folder = folder
        self.process = None
        self.table = ""
        self.requests = 0
        for name in ["run", "log", "services", "bin", "run/sockets"]:
            (folder / name).mkdir()

    def add(self, name, script=STEADY, kind="daemon", seconds=20, more=""):
        """Adds a service to the table."""
        self.script(name, script)
        (self.folder / f"services/{name}.env").write_text("COLOUR='red and blue'\n")
        launcher = f"{shutil.which('setpriv')} --no-new-privs"
        self.table += ENTRY.format(name=name, kind=kind, seconds=seconds, user=os.geteuid(), launcher=launcher)
        self.table += more

    def script(self, name, text):
        """Replaces a program, as deploy/run does."""
        draft = self.folder / "bin/draft"
        draft.write_text(text)
        draft.chmod(0o755)
        draft.rename(self.folder / f"bin/{name}")

    def write_table(self, text=None):
        common = f"version 2\nsockets {self.folder}/run/sockets\n"
        (self.folder / "services/table").write_text(common + self.table if text is None else text)

    def start(self):
        self.write_table()
        self.new_request()
        self.process = self.supervisor()
        return self.answer()

    def supervisor(self):
        with (self.folder / "log/supervisor.log").open("a") as log:
            return subprocess.Popen(
                [PROGRAMS / "lectern", "supervise", self.folder], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def new_request(self):
        self.requests += 1
        (self.folder / "run/request").write_text(f"request-{self.requests}\n")
        (self.folder / "run/state").unlink(missing_ok=True)

    def apply(self, table=None):
        """Has the supervisor apply the changes and returns its answer."""
        self.write_table(table)
        self.new_request()
        self.process.send_signal(signal.SIGHUP)
        return self.answer()

    def answer(self):
        state = wait_until(lambda: self.state() if re.match("ready|failed", self.state()) else None)
        return state.replace(f"request-{self.requests}", "REQUEST")

    def state(self):
        file = self.folder / "run/state"
        return file.read_text().strip() if file.exists() else ""

    def stop(self):
        self.process.terminate()
        return self.process.wait(300)

    def log(self, name="supervisor"):
        return (self.folder / f"log/{name}.log").read_text()

    def events(self):
        """The lines of the supervisor's log without their times."""
        lines = self.log().splitlines()
        assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line) for line in lines), lines
        return [line.split(" ", 1)[1] for line in lines]

    def pids(self, name):
        """The processes of a script."""
        return self.matching(f"/bin/bash .*bin/{name}$")

    def running(self, name):
        """The processes of a script that was started: its launcher has another command line at first."""
        return wait_until(lambda: self.pids(name))

    def matching(self, pattern):
        """The processes of this home whose command line matches, without the forks of a shell, which have its command
        line."""
        found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout
        parents = {int(pid): self.parent(pid) for pid in found.split()}
        return {pid for pid, parent in parents.items() if parent and parent not in parents}

    def parent(self, pid):
        """The parent of a process of this home; None for others."""
        try:
            is_here = os.readlink(f"/proc/{pid}/cwd") == str(self.folder)
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return None
        return int(stat.rpartition(")")[2].split()[1]) if is_here else None


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    yield home
    if home.process:
        home.process.kill()
        home.process.wait()


def test_services_start_in_order_and_stop_in_the_opposite_order(home):
    home.add("first")
    home.add("once", "#!/bin/sh\necho done\n", kind="once")
    home.add("last")
    (home.folder / "run/sockets/socket").touch()
    assert home.start() == "ready REQUEST first once last"
    identity = (home.folder / "run/supervisor.pid").read_text().split()
    assert identity[0] == str(home.process.pid) and len(identity) == 3
    wait_until(lambda: "runs" in home.log("last"))
    assert home.log("last") == "runs with red and blue\n"
    assert home.stop() == 0
    assert home.events() == ["first started", "once finished", "last started", "last stopped", "first stopped"]
    assert home.log("last").endswith("asked to stop\n")
    assert not (home.folder / "run/sockets").exists() and not (home.folder / "run/supervisor.pid").exists()


def test_a_start_that_fails_stops_what_was_started(home):
    home.add("first")
    home.add("once", "#!/bin/sh\nexit 7\n", kind="once")
    home.add("last")
    assert home.start() == f"failed once did not start; see {home.folder}/log/once.log"
    assert home.process.wait(300) == 1
    assert home.events() == ["first started", "once exited with status 7", "first stopped"]


def test_a_service_that_dies_is_started_again_with_growing_delays(home):
    home.add("steady")
    home.add("weak", "#!/bin/sh\necho born\nexit 3\n")
    home.start()
    [before] = home.running("steady")
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: home.pids("steady") - {before})
    wait_until(lambda: home.log("weak").count("born") >= 3)
    events = home.events()
    assert "steady exited with status 137; starting it again in 0 s" in events
    assert [event for event in events if "weak exited" in event][:2] == [
        f"weak exited with status 3; starting it again in {delay} s" for delay in (0, 1)
    ]
    assert home.stop() == 0


def test_a_service_gets_its_log_and_its_data_folder_and_nothing_else(home):
    home.add("plain", more="data run/sockets\n")
    home.table = home.table.replace("command ./bin/plain", f"command {shutil.which('sleep')} 300")
    home.start()
    children = Path(f"/proc/{home.process.pid}/task/{home.process.pid}/children")
    pid = children.read_text().strip()
    # Its launcher has the name among its arguments.
    wait_until(lambda: Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0].endswith("sleep"))
    opened = {entry.name: os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir()}
    log = str(home.folder / "log/plain.log")
    assert opened == {"0": "/dev/null", "1": log, "2": log, "9": str(home.folder / "run/sockets")}
    assert os.readlink(f"/proc/{pid}/cwd") == "/" and os.getsid(int(pid)) == int(pid)
    names = {entry.split("=")[0] for entry in Path(f"/proc/{pid}/environ").read_text().split("\0") if entry}
    assert names == {"PATH", "LANG", "TZ", "HOME", "COLOUR"}
    assert "NoNewPrivs:\t1" in Path(f"/proc/{pid}/status").read_text()
    assert f"Max open files            {resource.getrlimit(resource.RLIMIT_NOFILE)[1]} " in (
        Path(f"/proc/{pid}/limits").read_text()
    )


def test_a_check_delays_the_services_after_it(home):
    slow = "#!/bin/sh\nsleep 0.5\ntouch usable\nsleep 300\n"
    home.add("slow", slow, more="ready /usr/bin/test -e usable\n")
    home.add("once", "#!/bin/sh\ntest -e usable\n", kind="once")
    assert home.start() == "ready REQUEST slow once"


def test_a_service_that_ignores_the_signal_is_killed(home):
    home.add("stubborn", STEADY.replace("exit 0", "true"), seconds=1)
    home.start()
    wait_until(lambda: "runs" in home.log("stubborn"))
    assert home.stop() == 0
    assert home.events()[1:] == ["stubborn did not stop in time and is killed", "stubborn stopped"]


def test_only_changed_services_are_restarted_and_the_table_may_change(home):
    home.add("gone")
    home.add("same")
    home.add("changed")
    home.start()
    same, changed = home.running("same"), home.running("changed")
    assert home.apply() == "ready REQUEST"
    assert home.pids("changed") == changed
    home.table = home.table[home.table.index("\nservice same") :]
    home.add("new")
    home.script("changed", STEADY + "# changed\n")
    assert home.apply() == "ready REQUEST changed new"
    assert home.pids("same") == same and home.pids("gone") == set()
    assert not home.running("changed") & changed and home.running("new")
    (home.folder / "services/same.env").write_text("COLOUR='green'\n")
    assert home.apply() == "ready REQUEST same"


def test_a_table_with_an_error_changes_nothing(home):
    home.add("steady")
    home.start()
    before = home.running("steady")
    assert home.apply("version 2\nsockets\n") == (
        f"failed {home.folder}/services/table: line 2: expected a key and a value"
    )
    assert home.pids("steady") == before
    assert home.apply() == "ready REQUEST"


def test_a_replacement_stops_the_old_process_or_leaves_it_alone(home):
    # A replacement stops the old process by itself.
    replacing = (
        "#!/bin/bash\n"
        "trap 'exit 0' TERM\n"
        'for p in $(cat pool.pid 2>/dev/null); do kill -s TERM "$p"; done\n'
        "echo $$ >pool.pid\n"
        "while true; do read -rt 1 <> <(:); done\n"
    )
    home.add("pool", replacing, kind="handover")
    home.start()
    first = home.running("pool")
    wait_until(lambda: (home.folder / "pool.pid").exists())
    home.script("pool", replacing + "# changed\n")
    assert home.apply() == "ready REQUEST pool"
    second = home.running("pool")
    assert len(second) == 1 and second != first
    home.script("pool", "#!/bin/sh\nexit 1\n")
    assert "failed the new pool did not start, so the old one continues unchanged" in home.apply()
    assert home.pids("pool") == second
    assert home.events()[1:] == ["pool replaced", "the new pool exited; the old one continues"]


def test_a_second_supervisor_of_the_same_home_is_refused(home):
    home.add("steady")
    home.start()
    assert home.supervisor().wait(300) == 1
    assert "lectern: another supervisor is running in this home\n" in home.log()
    assert home.running("steady")


def test_the_services_of_a_killed_supervisor_end(home):
    home.add("steady")
    home.start()
    home.running("steady")
    home.process.kill()
    wait_until(lambda: not home.pids("steady"))


def test_what_a_dead_service_left_is_stopped_before_it_is_started_again(home):
    # The child outlives its parent and has the working folder and the name of a program of the service.
    home.add("parent", "#!/bin/bash\n./bin/bash -c 'read -rt 300 <> <(:)' child &\nwait\n", more="helpers ./bin/bash\n")
    shutil.copy("/bin/bash", home.folder / "bin/bash")
    home.start()
    before = wait_until(lambda: home.matching("child$"))
    [parent] = home.running("parent")
    os.kill(parent, signal.SIGKILL)
    wait_until(lambda: (children := home.matching("child$")) and not children & before)


@pytest.mark.parametrize("arguments", [[], ["/nonexistent"], ["--code", "--what"]])
def test_a_wrong_home_is_an_error(arguments):
    done = subprocess.run([PROGRAMS / "lectern", "supervise", *arguments], capture_output=True, text=True)
    assert done.returncode in (1, 2) and done.stderr.startswith("lectern: ") and done.stderr.count("\n") == 1


def test_the_version_is_printed():
    done = subprocess.run([PROGRAMS / "lectern", "supervise", "--code"], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"lectern-supervisor-\d+\n", done.stdout)
