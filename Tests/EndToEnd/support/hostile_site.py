"""A hostile web site on 127.0.0.1. hostile_pages.py lists its behaviours, one row each; this module serves them:
every connection has a thread, and a row may write any bytes at any time."""

import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from support import decompression_bombs


class Ends(NamedTuple):
    """How a fetch ends: with a reason and whether a retry may succeed, or with a page and no reason."""

    reason: str | None
    again: bool = False


@dataclass
class Row:
    """One hostile behaviour."""

    path: str
    ends: Ends
    # The description, a sentence.
    what: str
    # The whole response in bytes, after which the connection closes, or a function that writes it.
    answer: bytes | Callable | None = None
    # The expected title, if it matters.
    title: str | None = None
    # The URL, if it is not on the site's main port: {port}, {silent}, {full}, … stand for its ports.
    url: str | None = None


class Gone(Exception):
    """The client has disconnected, or the site is closing."""


class Client:
    """The client's connection, as a row uses it."""

    def __init__(self, connection, site, target="", head=b""):
        self.connection, self.site, self.target, self.head = connection, site, target, head

    def send(self, data):
        try:
            self.connection.sendall(data)
        except OSError:
            raise Gone from None

    def send_slowly(self, pieces, every=0.2):
        """Sends one piece after another, `every` seconds apart."""
        for piece in pieces:
            self.send(piece)
            self.wait(every)

    def send_forever(self, piece):
        """Sends a piece for ever."""
        while not self.site.stopping.is_set():
            self.send(piece)
        raise Gone

    def wait(self, seconds=None):
        """Waits, without `seconds` until the site closes."""
        if self.site.stopping.wait(seconds):
            raise Gone

    def silent(self):
        """Stays silent until the client disconnects."""
        self.connection.settimeout(0.5)
        while not self.site.stopping.is_set():
            try:
                if not self.connection.recv(65_536):
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    def reset(self):
        """Resets the connection."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        raise Gone


class HostileSite:
    def __init__(self, rows, folder, patience):
        """- folder: for keys and certificates, which are created here.
        - patience: seconds a fetch waits for progress."""
        self.patience = patience
        self.rows = {row.path: row for row in rows}
        self.stopping = threading.Event()
        # Requested paths with queries, in order.
        self.asked = []
        self.listeners = []
        self.ports = {
            "port": self.listen(self.serve),
            "silent": self.listen(lambda connection: Client(connection, self).silent()),
            "hangs_up": self.listen(lambda connection: connection.recv(1)),
            "no_tls": self.listen(lambda connection: connection.sendall(b"220 this is no TLS\r\n")),
            # A fatal alert: the protocol version is not supported.
            "old_tls": self.listen(lambda connection: connection.sendall(bytes.fromhex("15030100020246"))),
            "full": self.listen_and_be_full(),
            "unused": self.unused(),
        }
        for name, certificate in certificates(folder).items():
            self.ports[name] = self.listen(
                lambda connection, certificate=certificate: shake_hands(connection, certificate)
            )

    def __enter__(self):
        decompression_bombs.make_all()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for listener in self.listeners:
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()

    def url(self, row):
        return (row.url or "http://127.0.0.1:{port}" + row.path).format(**self.ports)

    def listen(self, serve):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1_024)
        self.listeners.append(listener)

        def guarded(connection):
            with connection:
                try:
                    serve(connection)
                    close_after_reading(connection)
                except (Gone, OSError):
                    pass

        def accept():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=guarded, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()[1]

    def listen_and_be_full(self):
        """A port with a full backlog: the system neither accepts nor refuses connections."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.listeners.append(listener)
        for _ in range(3):
            visitor = socket.socket()
            visitor.setblocking(False)
            visitor.connect_ex(listener.getsockname())
            self.listeners.append(visitor)
        return listener.getsockname()[1]

    def unused(self):
        """A port that is bound but not listening."""
        taken = socket.socket()
        taken.bind(("127.0.0.1", 0))
        self.listeners.append(taken)
        return taken.getsockname()[1]

    def serve(self, connection):
        head = b""
        while b"\r\n\r\n" not in head and not head.startswith(b"\x16"):
            piece = connection.recv(65_536)
            if not piece:
                return
            head += piece
        if head.startswith(b"\x16"):  # TLS, which this port does not support.
            return connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        target = head.split(b" ", 2)[1].decode()
        self.asked.append(target)
        row = self.rows.get("/" + target.split("?")[0].split("/")[1])
        client = Client(connection, self, target, head)
        if row is None or row.answer is None:
            client.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        elif isinstance(row.answer, bytes):
            client.send(row.answer)
        else:
            row.answer(client)


def close_after_reading(connection):
    """Reads the rest before closing, because closing a connection with unread data would reset it."""
    connection.shutdown(socket.SHUT_WR)
    connection.settimeout(60)
    while connection.recv(65_536):
        pass


def shake_hands(connection, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    try:
        context.wrap_socket(connection, server_side=True)
    except OSError:
        pass


def certificates(folder):
    """Files with a key and a certificate each, by what is wrong with them; no authority has signed any."""
    made = {}
    for name, dates, alternative in [
        ("self_signed", ("20200101000000Z", "20490101000000Z"), "IP:127.0.0.1"),
        ("expired", ("20200101000000Z", "20200102000000Z"), "IP:127.0.0.1"),
        ("wrong_name", ("20200101000000Z", "20490101000000Z"), "DNS:elsewhere.invalid"),
    ]:
        key, request, whole = (folder / f"{name}.{end}" for end in ("key", "request", "pem"))
        (folder / "index").write_text("")
        (folder / "settings").write_text(
            f"[ca]\ndefault_ca=own\n[own]\ndatabase={folder}/index\nnew_certs_dir={folder}\nrand_serial=yes\ndefault_md=sha256\n"
            f"policy=any\nx509_extensions=names\nunique_subject=no\n[any]\ncommonName=supplied\n[names]\nsubjectAltName={alternative}\n"
        )
        openssl(
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            "/CN=hostile",
            "-keyout",
            key,
            "-out",
            request,
        )
        openssl(
            "ca",
            "-batch",
            "-notext",
            "-selfsign",
            "-config",
            folder / "settings",
            "-keyfile",
            key,
            "-in",
            request,
            "-startdate",
            dates[0],
            "-enddate",
            dates[1],
            "-out",
            whole,
        )
        whole.write_text(key.read_text() + whole.read_text())
        made[name] = whole
    return made


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=60)
