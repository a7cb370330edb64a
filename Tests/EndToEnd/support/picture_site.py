"""A web site on 127.0.0.1 with good pictures, and with everything else a server may send instead."""

import struct
import zlib
from urllib.parse import parse_qs, urlsplit

from support import web_server
from support.loopback_site import SENTENCES


def png(width=8, height=8, colour=(200, 30, 30), rows=None):
    """A picture of one colour, or one whose rows do not match the size it declares."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    if rows is None:
        rows = (b"\0" + bytes(colour) * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def flood(side=60_000):
    """A few bytes that declare more pixels than fit into memory."""
    return png(side, side, rows=b"\0")


class PictureSite(web_server.WebServer):
    def __init__(self):
        self.visits = {}
        self.gone = set()
        site = self

        class Handler(web_server.Handler):
            def do_GET(self):
                parts = urlsplit(self.path)
                site.visits[parts.path] = site.visits.get(parts.path, 0) + 1
                kind, *rest = parts.path.strip("/").split("/")
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                try:
                    if parts.path in site.gone:
                        return self.answer(b"gone", "text/plain", 404)
                    getattr(self, "get_" + kind.replace(".", "_").replace("-", "_"), self.get_nothing)(*rest, **query)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def get_page(self, *_, pictures="", preview=""):
                """An article with these pictures, given with blanks between them."""
                figures = "".join(
                    f'<figure><img src="{source}" alt="Picture {n}" width="400" height="300">'
                    f"<figcaption>Caption {n}.</figcaption></figure>"
                    for n, source in enumerate(pictures.split(), 1)
                )
                body = (
                    "".join(f"<p>{SENTENCES * 3}</p>" for _ in range(4))
                    + figures
                    + "".join(f"<p>{SENTENCES * 3}</p>" for _ in range(4))
                )
                head = f'<meta property="og:image" content="{preview}">' if preview else ""
                self.answer(
                    f"<!doctype html><html lang=en><head><meta charset=utf-8><title>A page of pictures</title>{head}</head>"
                    f"<body><article><h1>A page of pictures</h1>{body}</article></body></html>".encode(),
                    "text/html; charset=utf-8",
                )

            def get_png(self, name, *_, width="40", height="30"):
                red, green, blue = zlib.crc32(name.encode()) & 255, zlib.crc32(name.encode()) >> 8 & 255, 90
                self.answer(png(int(width), int(height), (red, green, blue)), "image/png")

            def get_favicon_ico(self, *_, **__):
                self.answer(png(16, 16, (20, 120, 90)), "image/x-icon")

            def get_svg(self, *_):
                self.answer(
                    b'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" onload="alert(1)"><script>alert(1)</script>'
                    b'<rect width="60" height="40" fill="green"/></svg>',
                    "image/svg+xml",
                )

            def get_flood(self, *_):
                self.answer(flood(), "image/png")

            def get_html(self, *_):
                self.answer(b"<!doctype html><script>alert(1)</script>", "text/html")

            def get_lie(self, *_):
                self.answer(b"<!doctype html><script>alert(1)</script>", "image/png")

            def get_large(self, *_):
                self.answer(png(8, 8) + b"\0" * (8 * 1024 * 1024), "image/png")

            def get_endless(self, *_):
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.close_connection = True
                self.wfile.write(png(8, 8))
                while not site.stopping.is_set():
                    self.wfile.write(b"\0" * 100_000)

            def get_slow(self, name, *_):
                site.stopping.wait(1)
                self.get_png(name)

            def get_inward(self, *_):
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.2:{site.server.server_port}/png/x")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def get_nothing(self, *_, **__):
                self.answer(b"no", "text/plain", 404)

        super().__init__(Handler)

    def page(self, *pictures, preview="", name=""):
        from urllib.parse import quote

        whole = " ".join(picture if "://" in picture else self.url + picture for picture in pictures)
        return f"{self.url}/page/{name}?pictures={quote(whole)}&preview={quote(preview)}"
