"""A Lectern instance for one benchmark, with its data."""

import base64
import hashlib
import hmac
import json
import os
import re
import signal
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from processes import highest_rss, of_home, pss
from programs import CHECKOUT, free_port, run

USERS = 200
LINKS = 2_500
LIST = "/rest/v1/links?select=*&order=updated_at.desc.nullslast,id.desc&limit=50"
UPSERT = "/rest/v1/links?on_conflict=user_id,raw_url"


@contextmanager
def temporary_instance(**settings):
    """A running Instance in a temporary folder. The settings are Lectern's, without the prefix LECTERN_."""
    # A terminated benchmark must stop the service, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="lectern-bench.") as folder:
        os.chmod(folder, 0o711)
        folder = Path(folder).resolve()
        home = folder / "home"
        try:
            yield Instance(home, folder, settings)
        finally:
            run(CHECKOUT / "deploy/stop", "--home", home, check=False)


class Instance:
    def __init__(self, home, folder, settings):
        self.folder = folder
        port = free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LECTERN_")}
        environment["LECTERN_RATE_LIMITS"] = "off"
        environment["LECTERN_SIGNUP"] = "open"
        environment.update((f"LECTERN_{name}", str(value)) for name, value in settings.items())
        if "LECTERN_BUILD_DIR" in os.environ:
            environment["LECTERN_BUILD_DIR"] = os.environ["LECTERN_BUILD_DIR"]
        run(CHECKOUT / "deploy/run", "--detach", "--home", home, "--port", str(port), env=environment)
        self.home = home
        self.admin = dict(re.findall(r"^(\w+)='(.*)'$", (home / "lectern.env").read_text(), re.M))
        self.url = self.admin["LECTERN_URL"]
        self.secret = (home / "secrets/jwt_secret").read_bytes().strip()
        self.socket = re.search(r"host=([^&]+)", self.admin["LECTERN_DATABASE_URL"]).group(1)
        self.workers_password = (home / "secrets/authenticator_password").read_text().strip()

    def sql(self, text):
        return run("psql", self.admin["LECTERN_DATABASE_URL"], "-XqAt", "-v", "ON_ERROR_STOP=1", input=text)

    def load(self, users, links=LINKS):
        # Triggers are disabled, because they would create half a million jobs.
        self.sql(f"""
            set role lectern_owner;
            alter table public.links disable trigger user;
            reset role;
            insert into auth.users (id, email)
            select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'bench' || n || '@bench.test'
            from generate_series(1, {users}) n;
            insert into public.links
                (user_id, raw_url, dedupe_key, resolved_url, title, description, state, created_at, updated_at)
            select users.id, url, rest.dedupe_key(url), 'https://bench.test/' || n,
                'The title of article number ' || n, repeat('Some words of description. ', 3), 'ready',
                now() - n * interval '1 minute', now() - n * interval '1 minute'
            from generate_series(1, {links}) n, auth.users,
                lateral (select 'https://bench.test/' || n || '/' || md5(users.id::text || n) as url) as page
            where email like '%@bench.test';
            set role lectern_owner;
            alter table public.links enable trigger user;
            reset role;
            vacuum (analyze) public.links""")
        self.users = users

    def give_passwords(self, password):
        """Sets one password for every user. It is hashed only once; verifying it costs as much as any."""
        run("curl", "--silent", "--fail", "--output", "/dev/null", "--header",
            f"apikey: {self.admin['LECTERN_ANON_KEY']}", "--json",
            json.dumps({"email": "first@bench.test", "password": password}), self.url + "/auth/v1/signup")
        self.sql("""
            update auth.users set email_confirmed_at = now(), encrypted_password =
                (select encrypted_password from auth.users where email = 'first@bench.test')
            where email like 'bench%@bench.test'""")

    def use(self, url):
        """Sends enough requests to this URL that every worker thread has handled one."""
        for _ in range(100):
            run("curl", "--silent", "--fail", "--output", "/dev/null", *self.headers(1), url + LIST)
        time.sleep(1)

    def idle_memory(self):
        """PSS of the workers in kB, idle after each has handled requests."""
        self.use(self.url)
        sizes = [pss(pid) for pid in self.workers()]
        return {"workers": len(sizes), "pss": sum(sizes)}

    def peak_memory(self):
        """The sum of the workers' peak memory in kB."""
        return sum(highest_rss(pid) for pid in self.workers())

    def workers(self):
        return [pid for pid in of_home(self.home)["fcgi"]
                if os.readlink(f"/proc/{pid}/exe") == str(self.home / "bin/lectern-fcgi")]

    def pause_jobs(self):
        """Stops the jobs of new links, so that only the work of the requests is measured."""
        for pid in of_home(self.home)["jobs"]:
            os.kill(pid, signal.SIGSTOP)

    def header_fields(self, user):
        return {"apikey": self.admin["LECTERN_ANON_KEY"], "Authorization": "Bearer " + self.token(user)}

    def headers(self, user):
        return [part for name, value in self.header_fields(user).items() for part in ("--header", f"{name}: {value}")]

    @staticmethod
    def user_id(user):
        return f"00000000-0000-4000-8000-{user:012}"

    def token(self, user):
        def text(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=")

        expiry = int(time.time()) + 86_400
        claims = {"sub": self.user_id(user), "role": "authenticated", "exp": expiry}
        head = text(b'{"alg":"HS256","typ":"JWT"}') + b"." + text(json.dumps(claims).encode())
        return (head + b"." + text(hmac.new(self.secret, head, hashlib.sha256).digest())).decode()
