"""A service of a test's own, whose processes may be hurt and whose settings may differ."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

from conftest import CHECKOUT, SETTINGS
from lectern_client import Lectern, free_port


class Stack(Lectern):
    """A service whose processes may be hurt."""

    def __init__(self, **settings):
        self.folder = Path(tempfile.mkdtemp(prefix="lectern-hurt-", dir="/tmp"))
        os.chmod(self.folder, 0o755)
        home = self.folder / "home"
        self.command = [CHECKOUT / "deploy/run", "--detach", "--home", home, "--port", str(free_port())]
        self.run(settings)
        env = dict(re.fullmatch("([A-Z_]+)='([^']*)'", line).groups()
                   for line in (home / "lectern.env").read_text().splitlines())
        super().__init__(env["LECTERN_URL"], env["LECTERN_ANON_KEY"], env["LECTERN_SERVICE_KEY"],
                         env["LECTERN_DATABASE_URL"], home)
        self.metrics_token = env["LECTERN_METRICS_TOKEN"]

    def run(self, settings):
        done = subprocess.run(self.command, env=os.environ | SETTINGS | settings, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
        assert done.returncode == 0, done.stdout

    def restart(self, **settings):
        """With other settings, at the same address."""
        assert subprocess.run([CHECKOUT / "deploy/stop", "--home", self.home], timeout=300).returncode == 0
        self.run(settings)

    def stop(self):
        subprocess.run([CHECKOUT / "deploy/stop", "--home", self.home], timeout=300)
        shutil.rmtree(self.folder)

    def postgres(self):
        """The server's first process; the others are its children."""
        return self.processes("postgres", "-D")[0]

    def keeper(self):
        return int((self.home / "run/keeper.pid").read_text().split()[0])

    def run_directory(self):
        return re.search(r"LECTERN_RUN_DIR='(.*)'", (self.home / "services/fcgi.env").read_text()).group(1)

    def lectern(self, *arguments, service="fcgi", **environment):
        """The command as an admin would call it with a service's settings."""
        env = dict(re.findall(r"^(\w+)='(.*)'$", (self.home / f"services/{service}.env").read_text(), re.M))
        return subprocess.run([self.home / "bin/lectern", *arguments], env={"PATH": "/usr/bin:/bin"} | env | environment,
                              capture_output=True, text=True, timeout=300)

    def sql(self, text):
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []
