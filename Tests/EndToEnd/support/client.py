"""An HTTP client that sends exactly the given bytes: no library adds or repairs anything."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import socket
import uuid
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg

from support.waiting import wait_until

SHAPE_OF_A_REST_ERROR = {"code", "message", "details", "hint"}
# What every response lets pages of other origins read.
EXPOSED_HEADERS = {
    "content-range",
    "location",
    "preference-applied",
    "content-location",
    "x-supabase-api-version",
    "x-relay-error",
}


# What holds the ports that this process was given; see free_port.
_reservations = []


def free_port():
    """A port of 127.0.0.1 that nothing takes before the caller does.

    Some time passes until a service listens on it. The kernel gives none of these ports to an outgoing connection,
    because they are below its range, and no test process gives one twice, because a socket in the abstract namespace
    reserves it until the process ends.
    """
    # The range of a machine may begin low; then any port may be hit by a connection.
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    last = first if first > 12_000 else 32_768
    for port in random.sample(range(10_000, last), 1_000):
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0lectern-test-port-{port}")
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        return port
    raise AssertionError("no free port")


def encoded(text):
    """Percent-encodes a value completely."""
    return quote(text, safe="")


class Answer:
    """Status, headers (names in lower case) and body of a response."""

    def __init__(self, status, fields, body):
        self.status = status
        self.fields = [(name.lower(), value) for name, value in fields]
        self.body = body

    def __getitem__(self, name):
        return ", ".join(value for key, value in self.fields if key == name) or None

    def json(self):
        return json.loads(self.body)

    def exposed_headers(self):
        """The headers that pages of other origins may read."""
        return {name.strip().lower() for name in self["access-control-expose-headers"].split(",")}

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"


class Lectern:
    def __init__(self, url, anon_key, service_key, database_url, home):
        self.url, self.anon_key, self.service_key = url, anon_key, service_key
        self.database_url, self.home = database_url, home
        self.host, self.port = urlsplit(url).hostname, urlsplit(url).port

    def send(self, method, target, headers=(), body=None):
        """Sends one request with exactly this target, these headers in this order, and this body (bytes or text)."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        if isinstance(body, str):
            body = body.encode()
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in headers.items() if isinstance(headers, dict) else headers:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def send_bytes(self, data, seconds=60):
        """Sends bytes and returns the first response, or None if the connection just ends."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # Refused before everything was sent; the response can still be read.
            response = http.client.HTTPResponse(connection)
            try:
                response.begin()
                return Answer(response.status, response.getheaders(), response.read())
            except (http.client.HTTPException, ConnectionError):
                return None

    def auth(self, method, path, body=None, **headers):
        headers = {"apikey": self.anon_key, "Content-Type": "application/json"} | headers
        return self.send(method, f"/auth/v1/{path}", headers, None if body is None else json.dumps(body))

    def sign_up(self, email=None, password="correct horse", data=None):
        email = email or f"{uuid.uuid4().hex[:12]}@example.org"
        answer = self.auth("POST", "signup", {"email": email, "password": password, "data": data or {}})
        assert answer.status == 200, answer
        return User(self, answer.json(), password)

    def secret(self, name="jwt_secret"):
        """The content of a file in secrets/."""
        return (self.home / "secrets" / name).read_text()

    def processes(self, *words):
        """The pids of this home's processes whose command line begins with these words.

        A forked child is left out: it has its parent's command line until it executes its own."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes().decode().split("\0")
                folder = os.readlink(process / "cwd")
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if folder.startswith(str(self.home)) and [Path(command[0]).name, *command[1:]][: len(words)] == list(words):
                found[int(process.name)] = parent
        return sorted(process for process, parent in found.items() if parent not in found)

    def workers(self):
        return self.processes("lectern-fcgi")

    def login(self, role, secret):
        """A connection to PostgreSQL as one of the services makes it."""
        return psycopg.connect(
            psycopg.conninfo.make_conninfo(self.database_url, user=role, password=self.secret(secret)), autocommit=True
        )


class User:
    """A signed-in user."""

    def __init__(self, lectern, session, password):
        self.lectern, self.session, self.password = lectern, session, password
        self.token, self.refresh_token = session["access_token"], session["refresh_token"]
        self.id, self.email = session["user"]["id"], session["user"]["email"]

    @property
    def headers(self):
        """The headers of every request; the existing clients call them H."""
        return {
            "Content-Type": "application/json",
            "apikey": self.lectern.anon_key,
            "Authorization": f"Bearer {self.token}",
        }

    def rest(self, method, target, body=None, **headers):
        """A request under /rest/v1/; header names with _ for -."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        return self.lectern.send(method, f"/rest/v1/{target}", self.headers | more, body)

    def save(self, url, **fields):
        """Saves a link and returns its row."""
        answer = self.rest("POST", "links", {"raw_url": url} | fields, Prefer="return=representation")
        assert answer.status == 201, answer
        return answer.json()[0]

    def links(self, query="select=*"):
        answer = self.rest("GET", f"links?{query}")
        assert answer.status == 200, answer
        return answer.json()

    def link(self, id):
        return self.links(f"select=*&id=eq.{id}")[0]

    def settled(self, id, seconds=180):
        """Waits until the server has finished with the link and returns it."""
        return wait_until(lambda: (link := self.link(id))["state"] != "pending" and link, seconds)

    def article(self, id):
        """The link's article, or None."""
        return next(iter(self.rest("GET", f"articles?link_id=eq.{id}").json()), None)


def acting(connection, role, user=None):
    """Switches to a role until the transaction ends, as every request does."""
    claims = json.dumps({"sub": user.id, "role": "authenticated"} if user else {"role": "anon"})
    connection.execute(
        "select set_config('role', %s, true), set_config('request.jwt.claims', %s, true)", (role, claims)
    )


def token(claims, secret, header=None):
    """A token signed with HMAC-SHA-256, whatever its header says."""
    parts = [header or {"alg": "HS256", "typ": "JWT"}, claims]
    head = b".".join(base64url(json.dumps(part).encode()) for part in parts)
    return (head + b"." + base64url(hmac.digest(secret.encode(), head, hashlib.sha256))).decode()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")
