"""nginx alone, as deploy/run configures it, in front of a fake FastCGI application.

Responses that nginx itself makes on the paths of the application are JSON in the shape of the API that was asked, and
readable by pages of any origin. A request that reaches the workers is passed on unchanged.
"""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from support.client import EXPOSED_HEADERS, SHAPE_OF_A_REST_ERROR, free_port, wait_until
from support.fake_fastcgi import FakeFastCGI
from support.paths import CHECKOUT

PREFIXES = ["/rest", "/auth", "/storage", "/functions"]
NOBODY = 65534


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0].startswith("HTTP/") else None
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        if self["transfer-encoding"] == "chunked":
            self.body = unchunk(self.body)

    def __getitem__(self, name):
        return ", ".join(value for key, value in self.fields if key.lower() == name) or None

    def json(self):
        return json.loads(self.body)


def complete(data):
    """Whether a response of known length is complete; nginx keeps the connection open after refusing a body that is
    still to come."""
    head, end, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
    return bool(end and length and len(body) >= int(length[1]))


def unchunk(data):
    out = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            return out
        out, data = out + data[:length], data[length + 2 :]
    return out


class Site:
    """One nginx with its own folder, port and fake application."""

    def __init__(self, limits="on", proxies="", body_limit=10_485_760, import_limit=1 << 30):
        self.folder = Path(tempfile.mkdtemp(prefix="lectern-nginx-"))
        self.socket = str(self.folder / "fcgi.sock")
        self.realtime = str(self.folder / "realtime.sock")
        self.port = free_port()
        for name in ["nginx/temp", "log", "web/css", "web/save"]:
            (self.folder / name).mkdir(parents=True)
        (self.folder / "web/index.html").write_text("<!doctype html><title>Lectern</title>" + " " * 2000)
        (self.folder / "web/save/index.html").write_text("<!doctype html><title>Save a link</title>")
        (self.folder / "web/css/reader.css").write_text("body { margin: 0 }\n" * 200)
        subprocess.run(
            [
                "bash",
                "-euc",
                'checkout=$1; . "$1/deploy/lib/nginx.sh"; shift; render_nginx "$@"',
                "render",
                str(CHECKOUT),
                str(self.folder / "nginx"),
                f"127.0.0.1:{self.port}",
                self.socket,
                limits,
                proxies,
                str(body_limit),
                "60",
                self.realtime,
                "3",
                "100",
            ],
            check=True,
        )
        configuration = self.folder / "nginx/nginx.conf"
        text = configuration.read_text()
        assert f"client_max_body_size {1 << 30};" in text
        text = text.replace(f"client_max_body_size {1 << 30};", f"client_max_body_size {import_limit};")
        # No test is about clients that are too slow, and the machine may be busy.
        text, changed = re.subn(
            r"(client_header_timeout|client_body_timeout|fastcgi_read_timeout) \d+s;", r"\1 600s;", text
        )
        assert changed >= 3
        configuration.write_text(text)
        self.worker = FakeFastCGI(self.socket)
        unprivileged = {}
        if os.geteuid() == 0:
            unprivileged = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, NOBODY, NOBODY)
        self.process = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", "nginx/", "-c", "nginx.conf", "-e", "stderr"],
            cwd=self.folder,
            stderr=(self.folder / "log/nginx.log").open("w"),
            **unprivileged,
        )
        deadline = time.monotonic() + 150
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() < deadline and self.process.poll() is None, self.log("nginx.log")
                time.sleep(0.05)

    def refuses(self):
        """Whether new connections are refused."""
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except ConnectionRefusedError:
            return True

    def close(self):
        self.process.terminate()
        self.process.wait(300)
        self.worker.close()
        shutil.rmtree(self.folder)

    def log(self, name="access.log"):
        return (self.folder / "log" / name).read_text()

    def raw(self, data, timeout=60):
        """Sends bytes and returns one whole response, or all bytes until the server closes the connection or stays
        silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR) if b"Connection: close" not in data else None
            except OSError:
                pass  # Refused before everything was sent; the response can still be read.
            out = b""
            try:
                while not complete(out) and (chunk := connection.recv(65536)):
                    out += chunk
            except OSError:
                pass
            return out

    def ask(self, method, path, *headers, body=b"", timeout=60):
        head = [f"{method} {path} HTTP/1.1", "Host: lectern.test", "Connection: close", *headers]
        if body and not any(header.lower().startswith(("content-length", "transfer-enc")) for header in headers):
            head.append(f"Content-Length: {len(body)}")
        return Answer(self.raw("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body, timeout))


@pytest.fixture(scope="module")
def site():
    site = Site(limits="off")
    yield site
    site.close()


@pytest.fixture(scope="module")
def dead_site():
    """nginx without any worker."""
    site = Site(limits="off")
    site.worker.close()
    os.unlink(site.socket)
    yield site
    site.close()


def assert_shape(answer, path):
    """Checks a response: JSON in the shape of the API that was asked, readable from any origin, never cached, never
    HTML."""
    assert answer["content-type"] == "application/json; charset=utf-8"
    assert answer["access-control-allow-origin"] == "*"
    exposed = {name.strip().lower() for name in answer["access-control-expose-headers"].split(",")}
    assert exposed >= EXPOSED_HEADERS
    assert answer["cache-control"] == "no-store"
    assert re.fullmatch("[0-9a-f]{32}", answer["x-request-id"])
    assert answer["server"] == "nginx"
    error = answer.json()
    part = re.match(r"/*(\w*)", path)[1]
    if part == "auth":
        assert set(error) == {"code", "error_code", "msg"} and error["code"] == answer.status
        assert answer["x-sb-error-code"] == error["error_code"]
    elif part == "storage":
        assert set(error) == {"statusCode", "error", "message"} and error["statusCode"] == str(answer.status)
    elif part == "functions":
        assert set(error) == {"code", "message"}
    else:
        assert set(error) == SHAPE_OF_A_REST_ERROR
    if answer.status in (429, 502, 503, 504):
        assert int(answer["retry-after"]) > 0
    assert not re.search("nginx|/tmp|worker", answer.body.decode().lower())


# Requests that reach the workers


@pytest.mark.parametrize(
    "path",
    [
        "/rest/v1/links?or=(a.lt.1,and(b.eq.2,c.lt.3))&title=eq.a%2Bb+c",
        "/rest",
        "/rest/",
        "/rest/v9/x",
        "/auth/v1/user",
        "/storage/v1/object/public/a/b",
        "/functions/v1/resolve-url",
        "/health",
        "/metrics",
        "/rest/v1/links?url=http://a/../b",
        "/rest//v1/links",
        "//rest/v1/links",
        "/auth/v1/.well-known/jwks.json",
    ],
)
def test_the_raw_path_and_query_reach_the_worker(site, path):
    answer = site.ask("GET", path)
    assert answer.status == 200
    params = answer.json()["params"]
    assert params["REQUEST_URI"] == path
    assert params["REMOTE_ADDR"] == "127.0.0.1"
    assert params["LECTERN_REQUEST_ID"] == answer["x-request-id"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
def test_every_method_reaches_the_worker(site, method):
    answer = site.ask(method, "/rest/v1/links")
    assert answer.status == 200
    if method != "HEAD":
        assert answer.json()["params"]["REQUEST_METHOD"] == method


def test_repeated_headers_all_arrive(site):
    params = site.ask(
        "GET", "/rest/v1/links", "Prefer: return=minimal", "prefer: count=exact", "apiKey: k", "Proxy: http://evil.test"
    ).json()["params"]
    assert params["HTTP_PREFER"] == "return=minimal, count=exact"
    assert params["HTTP_APIKEY"] == "k"
    assert params.get("HTTP_PROXY", "") == ""


def test_an_error_of_the_application_passes_untouched(site):
    answer = site.ask("GET", "/rest/v1/error")
    assert answer.status == 409 and "params" in answer.json()


def test_a_chunked_body_arrives_whole(site):
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [b"a" * 70_000, b"b" * 10]) + b"0\r\n\r\n"
    answer = site.ask("POST", "/rest/v1/links", "Transfer-Encoding: chunked", body=body)
    assert answer.json()["length"] == 70_010 and answer.json()["params"]["CONTENT_LENGTH"] == "70010"


def test_a_client_that_expects_100_continue_gets_it(site):
    with socket.create_connection(("127.0.0.1", site.port), 60) as connection:
        connection.sendall(
            b"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n"
            b"Connection: close\r\n\r\n"
        )
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"abcd")
        out = b""
        while chunk := connection.recv(65536):
            out += chunk
    assert Answer(out).json()["length"] == 4


def test_rest_accepts_ten_megabytes_and_auth_one(site):
    assert site.ask("POST", "/rest/v1/links", body=b"x" * 10 * 1024 * 1024).json()["length"] == 10 * 1024 * 1024
    assert site.ask("POST", "/auth/v1/other", body=b"x" * 1024 * 1024).json()["length"] == 1024 * 1024


def test_a_request_line_of_32_kb_arrives(site):
    path = "/rest/v1/links?id=in.(" + "x" * (32 * 1024 - 50) + ")"
    answer = site.ask("GET", path, "Authorization: Bearer " + "t" * 8000)
    assert answer.status == 200 and answer.json()["params"]["REQUEST_URI"] == path


def test_large_json_is_compressed_but_not_on_auth(site):
    answer = site.ask("GET", "/rest/v1/large", "Accept-Encoding: gzip")
    assert answer["content-encoding"] == "gzip" and "Accept-Encoding" in answer["vary"]
    assert json.loads(gzip.decompress(answer.body))["padding"]
    assert site.ask("GET", "/auth/v1/large", "Accept-Encoding: gzip")["content-encoding"] is None


def test_connections_to_the_workers_are_kept(site):
    before = site.worker.connections
    for _ in range(30):
        assert site.ask("GET", "/rest/v1/links").status == 200
    assert site.worker.connections - before <= 4


# Responses made by nginx


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(
    "request_target, status",
    [
        ("{}/%00", 400),
        ("{}/v1/a%zz", 400),
        ("{}/../../x", 400),
        ("{}/../x", 404),
        ("{}/..", 404),
        ("{}/%2e%2e/x", 404),
        ("{}/v1/./links", 404),
        ("{}%2fv1/links", 404),
        ("/x/..{}/v1/links", 404),
        ("{}/../", 404),
    ],
)
def test_strange_paths_are_refused(site, prefix, request_target, status):
    path = request_target.format(prefix)
    requests = site.worker.requests
    answer = site.ask("GET", path)
    assert answer.status == status
    assert_shape(answer, path)
    assert site.worker.requests == requests


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(
    "name, request_bytes, status",
    [
        ("no host", "GET {}/v1/x HTTP/1.1\r\n\r\n", 400),
        ("two hosts", "GET {}/v1/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("a NUL in the head", "GET {}/v1/x HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400),
        ("a bad length", "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n", 400),
        ("a negative length", "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("two lengths", "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (
            "length and chunks",
            "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            400,
        ),
        ("a bad chunk", "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("an unknown coding", "POST {}/v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: foo\r\n\r\n", 501),
        ("a small method", "get {}/v1/x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a blank in the path", "GET {}/v1/a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an unknown version", "GET {}/v1/x HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        ("no HTTP", "GET {}/v1/x FTP/1.0\r\nHost: a\r\n\r\n", 400),
        ("TRACE", "TRACE {}/v1/x HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("a line of 40 kB", "GET {}/v1/" + "x" * 40_000 + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("a header of 40 kB", "GET {}/v1/x HTTP/1.1\r\nHost: a\r\nX: " + "x" * 40_000 + "\r\n\r\n", 431),
        (
            "200 kB of headers",
            "GET {}/v1/x HTTP/1.1\r\nHost: a\r\n" + ("X: " + "x" * 1000 + "\r\n") * 200 + "\r\n",
            431,
        ),
        ("80 kB of headers", "GET {}/v1/x HTTP/1.1\r\nHost: a\r\n" + ("X: " + "x" * 1000 + "\r\n") * 80 + "\r\n", 431),
        ("10,000 small headers", "GET {}/v1/x HTTP/1.1\r\nHost: a\r\n" + "X: x\r\n" * 10_000 + "\r\n", 431),
        ("a full address", "GET http://a{}/v1/%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ],
)
def test_malformed_requests_are_refused(site, prefix, name, request_bytes, status):
    answer = Answer(site.raw(request_bytes.format(prefix).encode("latin-1")))
    assert answer.status == status
    assert_shape(answer, prefix)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_a_malformed_request_is_refused_in_json(site, data):
    answer = Answer(site.raw(data))
    assert answer.status in (400, 405, 505)
    assert_shape(answer, "/")


def test_many_headers_arrive(site):
    answer = site.ask("GET", "/rest/v1/links", *[f"X-{number}: {number}" for number in range(900)])
    assert answer.status == 200 and answer.json()["params"]["HTTP_X_899"] == "899"


@pytest.mark.parametrize("prefix, size", [("/rest", 10), ("/storage", 10), ("/functions", 10), ("/auth", 1)])
@pytest.mark.parametrize("way", ["length", "chunked", "expect"])
def test_a_body_that_is_too_large_is_refused(site, prefix, size, way):
    data = b"x" * (size * 1024 * 1024 + 1)
    if way == "chunked":
        answer = site.ask(
            "POST", f"{prefix}/v1/x", "Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
        )
    elif way == "expect":
        answer = site.ask("POST", f"{prefix}/v1/x", "Expect: 100-continue", f"Content-Length: {len(data)}")
    else:
        answer = site.ask("POST", f"{prefix}/v1/x", body=data)
    assert answer.status == 413
    assert_shape(answer, prefix)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_without_workers_the_response_says_when_to_retry(dead_site, prefix):
    started = time.monotonic()
    answer = dead_site.ask("GET", f"{prefix}/v1/x")
    assert answer.status == 502 and time.monotonic() - started < 30
    assert_shape(answer, prefix)
    assert (answer["x-relay-error"] == "true") == (prefix == "/functions")


def test_websockets_take_no_connection_of_requests(site):
    configuration = (site.folder / "nginx/nginx.conf").read_text()
    [connections] = re.findall(r"worker_connections (\d+);", configuration)
    # The site allows 100 WebSockets; each takes a connection to the client and one to the service.
    assert int(connections) == 8192 + 2 * 100


def test_a_worker_that_hangs_up_is_a_502(site):
    answer = site.ask("POST", "/rest/v1/crash", body=b"{}")
    assert answer.status == 502
    assert_shape(answer, "/rest")


def test_auth_errors_have_the_shape_of_the_clients_api_version(dead_site):
    answer = dead_site.ask("POST", "/auth/v1/token", "X-Supabase-Api-Version: 2024-01-01")
    assert answer.json() == {"code": "unexpected_failure", "message": answer.json()["message"]}
    assert answer["x-supabase-api-version"] == "2024-01-01"


def test_head_gets_the_status_without_a_body(dead_site):
    answer = dead_site.ask("HEAD", "/rest/v1/links")
    assert answer.status == 502 and answer.body == b""


@pytest.mark.parametrize(
    "path, limit", [("/auth/v1/token?grant_type=password", 101), ("/auth/v1/signup", 31), ("/auth//v1/token", 101)]
)
def test_sign_in_is_limited_by_address(path, limit):
    site = Site(limits="on", proxies="127.0.0.1")

    def ask_until_refused(address):
        """The first answers, as many as the limit, and those after them that are refused. A few more are let through every
        second, which is the more the slower the machine is."""
        first, refused = [], []
        for number in range(10 * limit):
            answer = site.ask("POST", path, f"X-Forwarded-For: {address.format(number)}", body=b"{}")
            if number < limit:
                first.append(answer)
            elif answer.status == 429:
                refused.append(answer)
            if len(refused) > 5:
                break
        return first, refused

    try:
        first, refused = ask_until_refused("192.0.2.1")
        assert {answer.status for answer in first} == {200} and len(refused) > 5
        assert_shape(refused[0], "/auth")
        assert refused[0].json()["error_code"] == "over_request_rate_limit"
        assert site.ask("OPTIONS", path, "X-Forwarded-For: 192.0.2.1").status == 200
        assert site.ask("POST", path, "X-Forwarded-For: 192.0.2.2").status == 200
        _, refused = ask_until_refused("2001:db8::{:x}")
        assert refused, "one IPv6 network counts as one client"
        assert site.ask("POST", path, "X-Forwarded-For: 2001:db8:0:1::1").status == 200
        assert site.ask("GET", "/auth/v1/user", "X-Forwarded-For: 192.0.2.1").status == 200
    finally:
        site.close()


# Limits by network


# As in deploy/lib/nginx.sh.
AT_ONCE, BURST, RATE = 128, 300, 300


@pytest.fixture(scope="module")
def limited_site():
    site = Site(limits="on", proxies="127.0.0.1")
    yield site
    site.close()


class Crowd:
    """Connections that stay open until the block ends."""

    def __init__(self, site):
        self.site, self.connections = site, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.connections:
            connection.close()

    def send(self, data, count):
        """Opens connections and sends the same bytes on each."""
        for _ in range(count):
            self.connections.append(socket.create_connection(("127.0.0.1", self.site.port), 60))
            self.connections[-1].sendall(data)


def head_of(method, path, address, *headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: lectern.test", f"X-Forwarded-For: {address}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


SLOW_CLIENTS = {
    "waits for responses": head_of("GET", "/rest/v1/slow", "192.0.2.1"),
    "sends its bodies slowly": head_of("POST", "/rest/v1/links", "192.0.2.1", "Content-Length: 1000") + b"{",
}


@pytest.mark.parametrize("way", SLOW_CLIENTS)
def test_a_network_that_sends_many_requests_at_once_is_refused_more_and_others_are_answered(limited_site, way):
    site = limited_site
    site.worker.release.clear()

    with Crowd(site) as crowd:
        crowd.send(SLOW_CLIENTS[way], AT_ONCE - 1)
        assert site.ask("GET", "/rest/v1/links", "X-Forwarded-For: 192.0.2.1").status == 200
        crowd.send(SLOW_CLIENTS[way], 1)
        # nginx may not have seen the last one yet.
        wait_until(lambda: site.ask("GET", "/rest/v1/links", "X-Forwarded-For: 192.0.2.1").status == 429)
        for path in [*(f"{prefix}/v1/x" for prefix in PREFIXES), "/auth/v1/token", "/auth/v1/signup", "/"]:
            answer = site.ask("GET", path, "X-Forwarded-For: 192.0.2.1")
            assert answer.status == 429, path
            assert_shape(answer, path)
            assert site.ask("GET", path, "X-Forwarded-For: 192.0.2.2").status == 200, path
        site.worker.release.set()
    wait_until(lambda: site.ask("GET", "/rest/v1/links", "X-Forwarded-For: 192.0.2.1").status == 200)


def test_a_hundred_clients_that_trickle_headers_and_bodies_delay_nobody(limited_site):
    site = limited_site
    requests = site.worker.requests
    with Crowd(site) as crowd:
        crowd.send(head_of("GET", "/rest/v1/links", "192.0.2.1")[:-2], 50)
        crowd.send(SLOW_CLIENTS["sends its bodies slowly"], 50)
        for _ in range(3):
            for connection in crowd.connections[:50]:
                connection.sendall(b"X-More: x\r\n")
            for connection in crowd.connections[50:]:
                connection.sendall(b" ")
            # Not even clients of the same network.
            for address in ["192.0.2.1", "192.0.2.2"]:
                assert site.ask("GET", "/rest/v1/links", f"X-Forwarded-For: {address}").status == 200
        # Nothing else has reached the workers.
        assert site.worker.requests == requests + 6
        for connection in crowd.connections[:50]:
            connection.sendall(b"\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")


def test_a_flood_of_requests_of_one_network_is_slowed_down_and_others_are_answered(limited_site):
    site = limited_site
    # nginx closes a connection after a thousand requests.
    count = BURST + 2 * RATE
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", site.port), 60) as connection:
        connection.sendall(head_of("HEAD", "/css/reader.css", "192.0.2.9") * count)
        for path in ["/rest/v1/links", "/auth/v1/user", "/auth/v1/token", "/auth/v1/signup", "/"]:
            assert site.ask("GET", path, "X-Forwarded-For: 192.0.2.2").status == 200
        answered = b""
        while answered.count(b"HTTP/1.1 ") < count or not answered.endswith(b"\r\n\r\n"):
            answered += connection.recv(1 << 20)
    assert answered.count(b"HTTP/1.1 200") == count
    # The requests after the burst take two seconds at least. The clock of nginx may be a little ahead.
    assert time.monotonic() - started > 1.9


def test_without_rate_limits_nginx_limits_nothing(site):
    with Crowd(site) as crowd:
        crowd.send(SLOW_CLIENTS["sends its bodies slowly"], AT_ONCE + 10)
        for _ in range(10):
            assert site.ask("GET", "/rest/v1/links").status == 200


def test_only_a_trusted_proxy_names_the_client(site):
    params = site.ask("GET", "/rest/v1/links", "X-Forwarded-For: 192.0.2.7").json()["params"]
    assert params["REMOTE_ADDR"] == "127.0.0.1"
    behind = Site(limits="off", proxies="127.0.0.0/8,192.0.2.1")
    try:
        params = behind.ask("GET", "/rest/v1/links", "X-Forwarded-For: 192.0.2.9, 192.0.2.7, 192.0.2.1").json()[
            "params"
        ]
        assert params["REMOTE_ADDR"] == "192.0.2.7"
    finally:
        behind.close()


# Static files


def test_pages_have_a_strict_content_security_policy(site):
    answer = site.ask("GET", "/", "Accept-Encoding: gzip")
    assert answer.status == 200 and answer["content-encoding"] == "gzip"
    assert answer["content-type"] == "text/html; charset=utf-8"
    assert answer["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in answer["content-security-policy"]
    assert answer["referrer-policy"] == "no-referrer" and answer["x-content-type-options"] == "nosniff"
    assert answer["cross-origin-opener-policy"] == "same-origin" and answer["permissions-policy"]
    # The window that a bookmarklet opens, and no other, knows the page that opened it.
    assert site.ask("GET", "/save?url=x")["cross-origin-opener-policy"] == "unsafe-none"
    assert site.ask("GET", "/save/index.html")["cross-origin-opener-policy"] == "unsafe-none"
    assert site.ask("GET", "/css/reader.css?v=1")["content-type"] == "text/css; charset=utf-8"


def test_what_is_shared_without_a_service_worker_leads_to_the_page_that_says_so(site):
    answer = site.ask("POST", "/save", "Content-Length: 3", body=b"a=b")
    assert (answer.status, answer["location"]) == (303, "save?shared=lost")


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/nothing", 404),
        ("GET", "/css", 404),
        ("GET", "/css/", 404),
        ("POST", "/", 405),
        ("GET", "/.error", 404),
        ("GET", "/.error-500", 404),
        ("GET", "/../nginx/nginx.conf", 400),
        ("GET", "/css/../index.html", 404),
        ("GET", "/rest/../index.html", 404),
        ("GET", "/RES/v1/", 404),
    ],
)
def test_unknown_paths_are_refused_in_json(site, method, path, status):
    answer = site.ask(method, path)
    assert answer.status == status
    assert_shape(answer, "/")


def test_the_log_holds_the_request_without_its_query(site):
    answer = site.ask(
        "GET",
        "/rest/v1/links?title=eq.secret-word",
        "Referer: http://a.test/secret-word",
        "Authorization: Bearer secret-word",
    )
    others = [
        site.ask("GET", path)
        for path in [
            "/pictures/secret-word/all",
            "/public/secret-word",
            "/s%68are/secret-word",
            "/rest/%00?secret-word",
            "/rest/v1/crash?secret-word",
        ]
    ]
    wait_until(lambda: all(asked["x-request-id"] in site.log() for asked in [answer, *others]))
    lines = [json.loads(line) for line in site.log().splitlines()]
    line = next(line for line in lines if line["id"] == answer["x-request-id"])
    assert line["path"] == "/rest/v1/links" and line["status"] == 200 and line["worker_status"] == "200"
    assert "secret-word" not in site.log()
    assert "secret-word" not in site.log("nginx.log")


def test_a_slow_client_does_not_hold_a_worker(site):
    with socket.create_connection(("127.0.0.1", site.port), 60) as connection:
        connection.sendall(
            b"POST /rest/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
        )
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"half")
        requests = site.worker.requests
        assert site.ask("GET", "/rest/v1/links").status == 200
        assert site.worker.requests == requests + 1


@pytest.mark.parametrize("limit, auth_limit", [(3_000, 3_000), (12_000_000, 1_048_576)])
def test_the_setting_decides_the_largest_body(limit, auth_limit):
    site = Site(limits="off", body_limit=limit)
    try:
        for path, most in [("/rest/v1/links", limit), ("/auth/v1/user", auth_limit)]:
            requests = site.worker.requests
            assert site.ask("POST", path, body=b"x" * most).status == 200
            assert site.ask("POST", path, body=b"x" * (most + 1)).status == 413
            assert site.worker.requests == requests + 1
    finally:
        site.close()


def test_an_upload_of_unknown_length_is_refused_as_soon_as_it_passes_the_limit():
    site = Site(limits="off", import_limit=1_000_000)
    try:
        head = b"POST /import/v1/files?name=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        # The upload never ends.
        answer = Answer(site.raw(head + 11 * (b"%x\r\n%s\r\n" % (100_000, b"x" * 100_000))))
        assert answer.status == 413
        assert_shape(answer, "/rest")
        assert [path for path in (site.folder / "nginx/temp/body").rglob("*") if path.is_file()] == []
    finally:
        site.close()


def test_nginx_finishes_requests_in_flight_when_it_quits():
    site = Site(limits="off")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(site.ask("GET", "/rest/v1/slow")))
    thread.start()
    wait_until(lambda: site.worker.requests)
    site.process.send_signal(signal.SIGQUIT)
    wait_until(site.refuses)
    site.worker.release.set()
    thread.join()
    site.process.wait(300)
    assert answers[0].status == 200
    site.close()


def test_nginx_waits_longer_for_the_functions_whose_statements_may_take_longer():
    swift = (CHECKOUT / "Sources/App/REST/LongStatements.swift").read_text()
    functions = re.findall(r'"(\w+)"', re.search(r"functions: Set = \[(.*)\]", swift)[1])
    seconds = int(re.search(r"\.seconds\((\d+)\)", swift)[1])
    location = re.search(
        r'location ~ "\^/rest/v1/rpc/\(\?:(.*)\)\$" \{(.*?)\}', (CHECKOUT / "nginx/nginx.conf").read_text(), re.S
    )
    assert location[1].split("|") == functions
    assert int(re.search(r"fastcgi_read_timeout (\d+)s;", location[2])[1]) > seconds
