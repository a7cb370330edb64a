"""A Debian system of its own in a folder, in which systemd runs as on a server, without a network."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from support.waiting import wait_until

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
# Runs a command in the folder $0, with processes, mounts and, with --net, a network of its own.
CHROOT = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
# Asks systemd to power off.
POWER_OFF = signal.SIGRTMIN + 4


class Machine:
    """Debian 12 with systemd. `root` is the folder of its files."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lectern-machine-"))
        self.folder.chmod(0o755)
        self.root = self.folder / "root"
        self.container = None
        command = ["debootstrap", "--variant=minbase", "--include=systemd-sysv,dbus,procps,iproute2"]
        self._checked([*command, "bookworm", self.root, mirror()])
        # Nothing here has to survive a power cut.
        (self.root / "etc/dpkg/dpkg.cfg.d/fast").write_text("force-unsafe-io\n")

    def add(self, file):
        """Copies a file to /root of the machine and returns its path there."""
        shutil.copy(file, self.root / "root")
        return f"/root/{file.name}"

    # Without systemd

    def chroot(self, script, network=True, status=0):
        """Runs a script while the machine is off. Returns what it prints."""
        apart = [] if network else ["--net"]
        # A network of its own has a loopback interface, which is off.
        script = script if network else f"ip link set lo up\n{script}"
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *apart]
        proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        return self._checked(
            [*command, "bash", "-c", CHROOT, self.root, "bash", "-euc", script], status, env=ENVIRONMENT | proxies
        )

    # With systemd

    def boot(self):
        """Starts systemd, and returns when everything that starts at boot was started. Returns whether it runs."""
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot"]
        log = (self.folder / "console.log").open("w")
        self.container = subprocess.Popen(
            [*command, f"--directory={self.root}", "--console=pipe"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        wait_until(lambda: self.container.poll() is not None or self._is_up(), 120)
        return self.container.poll() is None

    def _is_up(self):
        # "degraded" if a unit has failed.
        state = self._inside("systemctl is-system-running") if self._leader() else None
        return state is not None and state.stdout.strip() in ("running", "degraded")

    def _leader(self):
        children = Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children")
        return children.read_text().split()[:1] if children.exists() else []

    def _inside(self, script):
        command = ["nsenter", "--target", *self._leader(), "--all", "bash", "-euc", script]
        return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=600)

    def run(self, script, status=0):
        """Runs a script as root. Returns what it prints."""
        done = self._inside(script)
        assert done.returncode == status, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def shut_down(self):
        if self.container is None or self.container.poll() is not None:
            return
        for leader in self._leader():
            os.kill(int(leader), POWER_OFF)
        try:
            self.container.wait(60)
        except subprocess.TimeoutExpired:
            self.container.kill()
            self.container.wait()

    def remove(self):
        self.shut_down()
        shutil.rmtree(self.folder)

    def _checked(self, command, status=0, env=None):
        done = subprocess.run(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        )
        assert done.returncode == status, done.stdout[-3000:]
        return done.stdout


def mirror():
    """The address from which this machine installs Debian 12."""
    done = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages", "Codename: bookworm"],
        capture_output=True,
        text=True,
    )
    return (done.stdout.split() or ["http://deb.debian.org/debian"])[0]
