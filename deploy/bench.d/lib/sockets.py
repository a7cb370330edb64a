"""Thousands of WebSockets in one process, straight to the realtime service."""

import json
import os
import resource
import selectors
import socket
import time

JOIN = "phx_join"
TOPIC = "realtime:bench"


def raise_limit(count):
    """Allows this process to open so many files."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most != resource.RLIM_INFINITY else count + 100, most))


def frame(message):
    """A text frame. The mask is zero, so the text stands there as it is."""
    data = json.dumps(message).encode()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
    return b"\x81" + length + bytes(4) + data


HEARTBEAT = frame([None, "1", "phoenix", "heartbeat", {}])


class Client:
    """One WebSocket that watches all rows of a user."""

    def __init__(self, path, key, user, token):
        self.user, self.buffer, self.is_live = user, b"", False
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(
            f"GET /realtime/v1/websocket?apikey={key}&vsn=2.0.0 HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            .encode())
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        assert self.buffer.startswith(b"HTTP/1.1 101 "), self.buffer
        self.buffer = self.buffer.partition(b"\r\n\r\n")[2]
        bindings = [{"event": "*", "schema": "public", "table": "tags"}]
        payload = {"config": {"postgres_changes": bindings}, "access_token": token}
        self.socket.sendall(frame(["1", "1", TOPIC, JOIN, payload]))
        self.socket.setblocking(False)

    def read(self):
        """The messages that have arrived completely."""
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the service has closed a socket")
        self.buffer += data
        while len(self.buffer) >= 2:
            length, start = self.buffer[1], 2
            if length == 126:
                length, start = int.from_bytes(self.buffer[2:4]), 4
            elif length == 127:
                length, start = int.from_bytes(self.buffer[2:10]), 10
            if len(self.buffer) < start + length:
                return
            opcode, text = self.buffer[0] & 15, self.buffer[start:start + length]
            self.buffer = self.buffer[start + length:]
            if opcode == 8:
                raise ConnectionError(f"the service has closed a socket: {text[2:].decode()}")
            if opcode == 1:
                yield json.loads(text)


class Clients:
    """Sockets of many users, which answer nothing but keep everything that arrives."""

    def __init__(self, instance, users, sockets_per_user):
        raise_limit(users * sockets_per_user + 100)
        path = os.path.join(os.path.dirname(instance.socket), "realtime/realtime.sock")
        key = instance.admin["LECTERN_ANON_KEY"]
        self.selector, self.all, self.beaten = selectors.EpollSelector(), [], 0
        for user in range(1, users + 1):
            token = instance.token(user)
            for _ in range(sockets_per_user):
                client = Client(path, key, user, token)
                self.selector.register(client.socket, selectors.EVENT_READ, client)
                self.all.append(client)
                if len(self.all) % 200 == 0:
                    self.read(0.01)
        deadline = time.monotonic() + 60
        while not all(client.is_live for client in self.all):
            assert time.monotonic() < deadline, "the service does not answer the joins"
            self.read(0.1)

    def read(self, seconds, changed=lambda client, data: None):
        """Handles what arrives within the time; calls `changed` for each change."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                client = key.data
                for _, _, _, event, payload in client.read():
                    if event == "system":
                        client.is_live = True
                    elif event == "postgres_changes":
                        changed(client, payload["data"])

    def beat(self, seconds, interval):
        """Sends heartbeats for a time, so that each socket has one per interval."""
        start, sent = time.monotonic(), 0
        while (elapsed := time.monotonic() - start) < seconds:
            due = int(elapsed / interval * len(self.all))
            for number in range(sent, due):
                self.all[(self.beaten + number) % len(self.all)].socket.sendall(HEARTBEAT)
            sent = due
            self.read(0.05)
        self.beaten += sent

    def close(self):
        for client in self.all:
            client.socket.close()
