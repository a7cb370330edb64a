"""A small FastCGI application that returns the request it got, so that nginx can be tested without the workers.

A path ending in /slow responds when `release` is set, /stuck never, /crash closes the connection, /error is a 409.
"""

import json
import os
import socket
import struct
import threading
import time

BEGIN, ABORT, END, PARAMS, STDIN, STDOUT = 1, 2, 3, 4, 5, 6
KEEP_CONNECTION = 1


class FakeFastCGI:
    def __init__(self, path):
        self.connections = 0
        self.requests = 0
        self.release = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        os.chmod(path, 0o666)
        self._listener.listen(128)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        if self._listener.fileno() < 0:
            return
        # shutdown, because a thread blocked in accept keeps a closed socket alive.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            while True:
                try:
                    request = self._read_request(stream)
                except ConnectionResetError:
                    return
                if request is None:
                    return
                request_id, keep, params, body = request
                self.requests += 1
                head, answer = self._answer(params, body)
                if head is None:
                    return
                out = head.encode() + b"\r\n\r\n" + answer
                try:
                    for start in range(0, len(out), 65528):
                        connection.sendall(record(STDOUT, request_id, out[start : start + 65528]))
                    connection.sendall(record(STDOUT, request_id, b""))
                    connection.sendall(record(END, request_id, struct.pack(">IB3x", 0, 0)))
                except OSError:
                    return
                if not keep:
                    return

    def _read_request(self, stream):
        request_id, keep, params, body = 0, False, b"", b""
        while True:
            header = stream.read(8)
            if len(header) < 8:
                return None
            _, kind, request_id, length, padding = struct.unpack(">BBHHBx", header)
            content = stream.read(length)
            stream.read(padding)
            if kind == BEGIN:
                keep = bool(content[2] & KEEP_CONNECTION)
            elif kind == PARAMS:
                params += content
            elif kind == STDIN and content:
                body += content
            elif kind == STDIN:
                return request_id, keep, parse_params(params), body

    def _answer(self, params, body):
        path = params["REQUEST_URI"].split("?")[0]
        if path.endswith("/slow"):
            self.release.wait(600)
        if path.endswith("/stuck"):
            time.sleep(3600)
        if path.endswith("/crash"):
            return None, b""
        status = "409 Conflict" if path.endswith("/error") else "200 OK"
        answer = {"params": params, "length": len(body)}
        if path.endswith("/large"):
            answer["padding"] = "x" * 100_000
        head = f"Status: {status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: worker"
        return head, json.dumps(answer).encode()


def record(kind, request_id, content):
    return struct.pack(">BBHHBx", 1, kind, request_id, len(content), 0) + content


def parse_params(data):
    params, at = {}, 0

    def length():
        nonlocal at
        if data[at] < 128:
            at += 1
            return data[at - 1]
        at += 4
        return struct.unpack(">I", data[at - 4 : at])[0] & 0x7FFFFFFF

    while at < len(data):
        name_length, value_length = length(), length()
        name = data[at : at + name_length].decode("latin-1")
        at += name_length
        value = data[at : at + value_length].decode("latin-1")
        at += value_length
        # A repeated header arrives several times.
        params[name] = f"{params[name]}, {value}" if name in params else value
    return params
