"""Started as root, deploy/run compiles as a user of its own, and copies the programs into the checkout."""

import hashlib
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.client import wait_until
from support.paths import CHECKOUT

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root builds as another user")

USER = "lectern-build"
PROGRAMS = ["lectern", "lectern-fcgi", "lectern-pdf", "lectern-pictures", "lectern-realtime"]
# A compiler that says what it is allowed, and whose programs are a copy of the source.
SWIFT = """#!/bin/bash
echo "user $(id -un) $(id -Gn)"
echo "umask $(umask)"
compgen -e | sed 's/^/variable /'
git config --global --list | sed 's/^/git /'
for descriptor in /proc/$$/fd/*; do echo "open $(readlink "$descriptor")"; done
if : 2>/dev/null >/dev/tty; then echo "reached the terminal"; fi
for folder in {folders} . "$HOME"; do
    if : 2>/dev/null >"$folder/written"; then echo "wrote $folder"; fi
done
mkdir -p .build/triple/release
ln -sfn triple/release .build/release
for program in {programs}; do cat Sources/*.swift >.build/release/$program; done
{more}
"""


class Build:
    """A checkout in a folder that only root may enter, with a compiler beside that every user can run."""

    def __init__(self, folder):
        assert stat.S_IMODE(folder.parent.stat().st_mode) & 0o077 == 0
        self.folder, self.checkout, self.home = folder, folder / "checkout", folder / "home"
        shutil.copytree(CHECKOUT / "deploy", self.checkout / "deploy")
        (self.checkout / "Sources").mkdir()
        (self.checkout / "Package.swift").write_text("// swift-tools-version: 6.2\n")
        (self.checkout / "Sources/a.swift").write_text("first")
        (self.checkout / "var").mkdir()
        (self.checkout / "var/secret").write_text("secret")
        self.home.mkdir()
        self.tools = Path(tempfile.mkdtemp(prefix="lectern-tools-"))
        self.tools.chmod(0o755)
        self.cache = Path("/var/cache/lectern") / hashlib.sha256(bytes(self.checkout)).hexdigest()[:12]
        self.package = self.cache / "package"
        self.write_swift()

    def write_swift(self, more="", mode=0o755):
        folders = [self.checkout, self.checkout / "Sources", self.home, self.cache, self.cache.parent, "/root", "/etc"]
        swift = self.tools / "swift"
        swift.write_text(
            SWIFT.replace("{folders}", " ".join(map(str, folders)))
            .replace("{programs}", " ".join(PROGRAMS))
            .replace("{more}", more)
        )
        swift.chmod(mode)

    def options(self, environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LECTERN_")}
        path = f"{self.tools}:{os.environ['PATH']}"
        return {
            "env": kept | {"PATH": path, "HOME": str(self.home)} | environment,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "text": True,
        }

    def prepare(self, status=0, pass_fds=(), **environment):
        """Runs deploy/run --prepare and returns what it and the compiler said."""
        done = subprocess.run(
            [self.checkout / "deploy/run", "--prepare"], timeout=300, pass_fds=pass_fds, **self.options(environment)
        )
        assert done.returncode == status, done.stdout
        return done.stdout

    def copied(self):
        """The copied files with their texts."""
        return {
            str(path.relative_to(self.package)): path.read_text()
            for name in ["Package.swift", "Sources", "sql"]
            for path in [self.package / name, *(self.package / name).rglob("*")]
            if path.is_file() and path.name != "written"
        }

    def programs(self):
        return {name: (self.checkout / ".build/release" / name).read_text() for name in PROGRAMS}


@pytest.fixture
def build(tmp_path):
    tmp_path.chmod(0o700)
    build = Build(tmp_path / "build")
    yield build
    shutil.rmtree(build.tools)
    shutil.rmtree(build.cache, ignore_errors=True)


def test_the_compiler_runs_as_a_user_who_can_write_only_in_folders_of_its_own(build):
    said = build.prepare().splitlines()
    assert f"user {USER} {USER}" in said
    wrote = {line.removeprefix("wrote ") for line in said if line.startswith("wrote ")}
    assert wrote == {".", str(build.cache / "home")}
    assert build.programs() == dict.fromkeys(PROGRAMS, "first")
    for name in PROGRAMS:
        found = (build.checkout / ".build/release" / name).stat()
        assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (0, 0o755)
    # Only what a build reads is copied, and other users do not see it.
    assert build.copied() == {"Package.swift": "// swift-tools-version: 6.2\n", "Sources/a.swift": "first"}
    assert not (build.package / "var").exists()
    assert (build.cache.stat().st_uid, stat.S_IMODE(build.cache.stat().st_mode)) == (0, 0o750)
    assert pwd.getpwnam(USER).pw_shell == "/usr/sbin/nologin"


def test_the_compiler_gets_neither_secrets_of_the_environment_nor_open_files_nor_the_terminal(build):
    (build.home / ".gitconfig").write_text(
        '[user]\n\tname = Admin\n[url "/srv/mirror/"]\n\tinsteadOf = https://github.com/\n'
        '[http]\n\textraHeader = "Authorization: secret"\n\tproxy = http://proxy.test\n'
    )
    with (build.folder / "private").open("w") as private:
        said = build.prepare(
            pass_fds=[private.fileno()],
            CLOUD_SECRET="secret",
            https_proxy="http://proxy.test",
            GIT_SSL_CAINFO="/etc/ssl/ca.pem",
        )
    variables = {line.removeprefix("variable ") for line in said.splitlines() if line.startswith("variable ")}
    assert {"PATH", "HOME", "https_proxy", "GIT_SSL_CAINFO"} <= variables and "CLOUD_SECRET" not in variables
    assert {"git url./srv/mirror/.insteadof=https://github.com/", "git http.proxy=http://proxy.test"} <= set(
        said.splitlines()
    )
    assert "secret" not in said and "Admin" not in said
    assert "open /dev/null" in said and str(build.folder / "private") not in said
    # `script` gives the command a terminal.
    command = ["script", "--quiet", "--return", "--command", f"{build.checkout}/deploy/run --prepare", "/dev/null"]
    done = subprocess.run(command, timeout=300, **build.options({}))
    assert done.returncode == 0 and f"user {USER}" in done.stdout and "reached the terminal" not in done.stdout


def test_the_next_build_finds_the_files_of_the_checkout_and_leaves_the_others_alone(build):
    sources = build.checkout / "Sources"
    (sources / "b.swift").write_text(" second")
    (sources / "notes").write_text("a file")
    (sources / "a folder").mkdir()
    (sources / "a folder/c d.txt").write_text("kept")
    build.prepare()
    assert set(build.programs().values()) == {"first second"}
    kept = build.package / "Sources/a folder/c d.txt"
    before = kept.stat()
    assert before.st_mtime_ns == (sources / "a folder/c d.txt").stat().st_mtime_ns
    (sources / "b.swift").unlink()
    (sources / "notes").unlink()
    (sources / "notes").mkdir()
    (sources / "notes/e.txt").write_text("a folder")
    # As long as the text it replaces, and newer by a fraction of a second.
    old = (sources / "a.swift").stat()
    (sources / "a.swift").write_text("third")
    os.utime(sources / "a.swift", ns=(old.st_atime_ns, old.st_mtime_ns + 1_000))
    (build.package / "Sources/stray.swift").write_text("stray")
    shutil.chown(build.package / "Sources/stray.swift", USER)
    build.prepare()
    assert build.copied() == {
        "Package.swift": "// swift-tools-version: 6.2\n",
        "Sources/a.swift": "third",
        "Sources/a folder/c d.txt": "kept",
        "Sources/notes/e.txt": "a folder",
    }
    assert set(build.programs().values()) == {"third"}
    after = kept.stat()
    assert (after.st_ino, after.st_ctime_ns) == (before.st_ino, before.st_ctime_ns)


def test_a_program_that_is_a_link_to_a_file_of_root_is_not_copied(build):
    secret = build.folder / "secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    build.write_swift(f"rm .build/release/lectern; ln -s {secret} .build/release/lectern")
    assert "lectern cannot be read" in build.prepare(status=1)
    assert not (build.checkout / ".build/release/lectern").exists()


def test_a_checkout_that_root_has_built_gets_new_programs(build):
    release = build.checkout / ".build/old/release"
    release.mkdir(parents=True)
    (build.checkout / ".build/release").symlink_to("old/release")
    (release / "lectern").write_text("old")
    build.prepare()
    assert (release / "lectern").read_text() == "first"
    assert build.programs() == dict.fromkeys(PROGRAMS, "first")


def test_simultaneous_first_builds_of_a_checkout_work(build):
    files = {f"Sources/{number}/{number}.txt": str(number) for number in range(200)}
    for name, text in files.items():
        (build.checkout / name).parent.mkdir()
        (build.checkout / name).write_text(text)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: build.prepare(), range(3)))
    assert files.items() <= build.copied().items()
    assert build.programs() == dict.fromkeys(PROGRAMS, "first")


def test_a_compiler_that_the_user_cannot_run_is_passed_over_or_named_in_the_error(build):
    build.write_swift(mode=0o700)
    # The usual installation folders are tried next, so only the functions are run here.
    script = """
        checkout=$1
        for name in messages home builder; do . "$checkout/deploy/lib/$name.sh"; done
        swift_candidates() { printf '%s\\n' "${paths[@]}"; }
        paths=("$2/swift" /bin/true)
        prepare_build
        echo "chosen $swift"
        paths=("$2/swift")
        prepare_build
    """
    command = ["bash", "-euo", "pipefail", "-c", script, "run", build.checkout, build.tools]
    done = subprocess.run(command, timeout=300, **build.options({}))
    assert done.returncode == 1
    assert f"chosen /bin/true\nrun: swift is at {build.tools}/swift, where the user {USER}" in done.stdout


def test_an_interrupted_build_ends_with_its_processes(build):
    build.write_swift("echo $$ >started.new; mv started.new started; exec sleep 1000")
    # Tests that run in the background ignore SIGINT, which a shell cannot undo for itself.
    command = ["env", "--default-signal=INT", build.checkout / "deploy/run", "--prepare"]
    running = subprocess.Popen(command, start_new_session=True, **build.options({}))
    started = build.package / "started"
    try:
        wait_until(started.exists, every=0.02)
        compiler = Path("/proc") / started.read_text().strip()
        assert compiler.stat().st_uid == pwd.getpwnam(USER).pw_uid
        # As Ctrl-C does.
        os.killpg(running.pid, signal.SIGINT)
        running.communicate(timeout=300)
        assert running.returncode != 0
        wait_until(lambda: not compiler.exists(), every=0.02)
    finally:
        running.kill()
