"""A site that keeps everybody waiting in the middle of the page until all have come."""

import socket
import threading


class SlowSite:
    """Answers with half of the page, and with the rest once `visitors` have that half."""

    def __init__(self, address, page, visitors):
        self.page, self.visitors = page, visitors
        self.listener = socket.create_server((address, 0), backlog=4096)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        waiting = []
        with self.listener:
            while len(waiting) < self.visitors:
                visitor = self.listener.accept()[0]
                waiting.append(visitor)
                request = b""
                while not request.endswith(b"\r\n\r\n"):
                    request += visitor.recv(65_536)
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(self.page)}\r\n\r\n"
                visitor.sendall(head.encode() + self.page[: len(self.page) // 2])
        for visitor in waiting:
            with visitor:
                visitor.sendall(self.page[len(self.page) // 2 :])
