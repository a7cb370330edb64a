"""A web server on 127.0.0.1; tests say what it sends."""

import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends whole responses and logs nothing."""

    protocol_version = "HTTP/1.1"

    def answer(self, body=b"", type="text/html; charset=utf-8", status=200, **headers):
        """Sends a response; header names with _ for -."""
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if type:
            self.send_header("Content-Type", type)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Takes as many connections at once as the tests open. The kernel drops those beyond this number until the thread
    that accepts them has its turn, and their clients try again only after a second or more."""

    request_queue_size = 1_024
    daemon_threads = True


class WebServer:
    """Answers requests in a context."""

    def __init__(self, handler):
        # Set at the end: a handler that waits must wait for this, too.
        self.stopping = threading.Event()
        self.server = Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
