"""A site that pauses in the middle of the page until all clients have connected."""

import socket
import threading


class SlowSite:
    """Sends half of the page to each client, and the rest once `clients` of them have received that half."""

    def __init__(self, address, page, clients):
        self.page, self.clients = page, clients
        self.listener = socket.create_server((address, 0), backlog=4096)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        waiting = []
        with self.listener:
            while len(waiting) < self.clients:
                client = self.listener.accept()[0]
                waiting.append(client)
                request = b""
                while not request.endswith(b"\r\n\r\n"):
                    request += client.recv(65_536)
                head = ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                        f"Content-Length: {len(self.page)}\r\n\r\n")
                client.sendall(head.encode() + self.page[: len(self.page) // 2])
        for client in waiting:
            with client:
                client.sendall(self.page[len(self.page) // 2 :])
