"""A relay on 127.0.0.1 in front of a server. A test can close it, as when the network is away, and make the server older
by changing the names of functions that are requested."""

import contextlib
import socket
import threading

from support.client import free_port


class Relay:
    def __init__(self, port):
        self.server_port = port
        # Bytes of requests and what the server gets instead, of the same length.
        self.changes = {}
        # Called with the bytes of requests.
        self.seen = lambda data: None
        self.connections = set()
        # Held while connections are made or ended, so that none outlives `close`.
        self.lock = threading.Lock()
        # No other process takes the port while the relay is closed.
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.open()

    def open(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, args=[self.listener], daemon=True).start()

    def close(self):
        """Refuses connections, and ends those that there are."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            for connection in self.connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                with self.lock:
                    self.join(client, is_open=listener is self.listener and listener.fileno() >= 0)

    def join(self, client, is_open):
        """Connects a client with the server, unless the relay was closed after it had come."""
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port)) if is_open else None
        except OSError:
            server = None
        if server is None:
            client.close()
            return
        self.connections |= {client, server}
        threading.Thread(target=self.copy, args=[client, server, True], daemon=True).start()
        threading.Thread(target=self.copy, args=[server, client, False], daemon=True).start()

    def copy(self, source, target, is_request):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 18):
                if is_request:
                    self.seen(data)
                    for old, new in self.changes.items():
                        data = data.replace(old, new)
                target.sendall(data)
        for connection in (source, target):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            with self.lock:
                connection.close()
                self.connections.discard(connection)
