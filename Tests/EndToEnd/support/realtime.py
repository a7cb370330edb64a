"""A client of the realtime service that sends exactly the given messages."""

import http.client
import json
import socket
import time
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PATH = "/realtime/v1/websocket"
# Seconds after which a message counts as lost. A busy machine may take long.
LOST = 150
EVERYTHING = {"event": "*", "schema": "public"}


class Socket:
    """A WebSocket with either framing. Messages are dictionaries, whatever the framing."""

    def __init__(self, instance, user=None, vsn="1.0.0", key=None, **options):
        """Connects. `user` is whose token joins carry, unless they name another."""
        query = urlencode({"apikey": key or instance.anon_key, "vsn": vsn})
        url = f"ws://{instance.host}:{instance.port}{PATH}?{query}"
        options = {"ping_interval": None, "max_size": None, "max_queue": None, "compression": None} | options
        self.connection = connect(url, open_timeout=60, **options)
        self.user, self.arrays, self.ref = user, vsn == "2.0.0", 0
        self.kept = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def write(self, topic, event, payload=None, ref=None, join_ref=None):
        message = {"topic": topic, "event": event, "payload": payload or {}, "ref": ref, "join_ref": join_ref}
        if self.arrays:
            message = [join_ref, ref, topic, event, payload or {}]
        self.connection.send(json.dumps(message))

    def read(self, timeout=LOST):
        """The next message."""
        message = json.loads(self.connection.recv(timeout))
        if self.arrays:
            message = dict(zip(["join_ref", "ref", "topic", "event", "payload"], message, strict=True))
        assert set(message) == {"join_ref", "ref", "topic", "event", "payload"}
        return message

    def ask(self, topic, event, payload=None, **references):
        """Sends a message and returns the payload of its reply. Other messages before it are kept."""
        self.ref += 1
        self.write(topic, event, payload, str(self.ref), **references)
        while (message := self.read())["event"] != "phx_reply" or message["ref"] != str(self.ref):
            self.kept.append(message)
        return message["payload"]

    def next(self, event, timeout=LOST):
        """The payload of the next message of a kind; others are dropped."""
        deadline = time.monotonic() + timeout
        while True:
            message = self.kept.pop(0) if self.kept else self.read(max(0.01, deadline - time.monotonic()))
            if message["event"] == event:
                return message["payload"]

    def join(self, *bindings, topic="realtime:links", token=None, **payload):
        """Joins a topic and returns the reply."""
        payload = {"config": {"postgres_changes": list(bindings)}} | payload
        token = token or (self.user and self.user.token)
        if token:
            payload["access_token"] = token
        return self.ask(topic, "phx_join", payload)

    def watch(self, *bindings, **options):
        """Joins a topic and waits until changes arrive; returns the ids of the bindings."""
        reply = self.join(*(bindings or [EVERYTHING]), **options)
        assert reply["status"] == "ok", reply
        assert self.next("system")["status"] == "ok"
        return [binding["id"] for binding in reply["response"]["postgres_changes"]]

    def push_token(self, token, topic="realtime:links"):
        self.write(topic, "access_token", {"access_token": token})
        # The service handles messages in order, so the token counts once this is answered.
        self.beat()

    def beat(self):
        reply = self.ask("phoenix", "heartbeat")
        assert reply == {"status": "ok", "response": {}}

    def change(self, timeout=LOST):
        """The next change: (ids, data)."""
        payload = self.next("postgres_changes", timeout)
        return payload["ids"], payload["data"]

    def changes(self, count):
        return [self.change()[1] for _ in range(count)]

    def changes_until(self, is_last):
        """The changes up to the first that satisfies the condition."""
        found = [self.change()[1]]
        while not is_last(found[-1]):
            found.append(self.change()[1])
        return found

    def close_code(self, timeout=LOST):
        """Reads until the server closes the connection, and returns the code; 1006 without a close frame."""
        deadline = time.monotonic() + timeout
        try:
            while True:
                self.connection.recv(max(0.01, deadline - time.monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


def metrics(instance):
    """The metrics of the realtime service: name with labels → number."""
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(f"{instance.env('services/realtime.env')['LECTERN_RUN_DIR']}/metrics.sock")
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name.removeprefix("lectern_realtime_"): float(number) for name, _, number in lines}
