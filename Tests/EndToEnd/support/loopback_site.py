"""A web site on 127.0.0.1 with real pages, and with the behaviours of sites that make saving a link hard."""

import base64
import collections
import gzip
import threading
from urllib.parse import parse_qs, urlsplit

from support import web_server

ARTICLE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="description" content="{description}"></head><body><article><h1>{title}</h1>{paragraphs}</article></body></html>"""
SENTENCES = (
    "A page is kept so that it can be read later, in peace, and perhaps twice. "
    "What matters is that the words are all there, in their order, with nothing between them that was not meant. "
)


def article(title, description="", marker="", paragraphs=8):
    """A page that every extractor takes for an article, with `marker` in its text."""
    text = "".join(f"<p>{marker} {SENTENCES * 3}</p>" for _ in range(paragraphs))
    return ARTICLE.format(title=title, description=description, paragraphs=text)


class LoopbackSite(web_server.WebServer):
    def __init__(self, pages):
        self.pages = pages
        # How often each path was requested.
        self.visits = {}
        # How many more times a path responds with 500 before it sends the page.
        self.failures_left = {}
        # Entity tags of pages below /tagged/, "1" by default; a page with None is gone.
        self.tags = {}
        # Paths that got a 304 because the client sent the entity tag.
        self.unchanged = []
        self.robots = None
        # Semaphores by name: how many of the held pages may be sent.
        self.gates = collections.defaultdict(lambda: threading.Semaphore(0))
        # Paths of pages that do not exist yet.
        self.missing = set()
        super().__init__(self._handler())

    def source(self, name):
        return (self.pages / name / "source.html").read_bytes()

    def _handler(self):
        site = self

        class Handler(web_server.Handler):
            def do_GET(self):
                path = urlsplit(self.path).path
                site.visits[path] = site.visits.get(path, 0) + 1
                kind, *rest = path.strip("/").split("/")
                try:
                    getattr(self, "get_" + kind.replace("-", "_").replace(".", "_"), self.get_gone)(*rest)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def get_pages(self, name, *_):
                self.answer(site.source(name))

            def get_article(self, *_):
                self.answer(article("A day at the lectern", "What one reads there.", "Slowly."))

            def get_tagged(self, *_):
                """An article with an entity tag, which is in its text; a client that sends the tag gets a 304."""
                path = urlsplit(self.path).path
                tag = site.tags.get(path, "1")
                if tag is None:
                    return self.get_gone()
                if self.headers.get("If-None-Match") == f'"{tag}"':
                    site.unchanged.append(path)
                    self.send_response(304)
                    return self.end_headers()
                self.answer(article("A tagged day", marker=f"Edition {tag}."), ETag=f'"{tag}"')

            def get_robots_txt(self):
                if site.robots is None:
                    return self.get_gone()
                self.answer(site.robots, "text/plain")

            def get_footnotes(self, *_):
                page = article("A day with a note", paragraphs=20)
                note = '<ol><li id="note">The note itself, of some length. <a href="#ref">Back</a></li></ol></article>'
                page = page.replace("</p>", ' A claim.<sup id="ref"><a href="#note">1</a></sup></p>', 1)
                self.answer(page.replace("</article>", note))

            def get_picture_article(self, *_):
                page = article("A day with a picture", paragraphs=8)
                figure = '<figure><img src="/lighthouse.png" alt="A dot" width="400" height="300"><figcaption>A dot.</figcaption></figure>'
                self.answer(
                    page.replace("</p>", f'</p>{figure}<p>See <a href="/article">the other one</a>. {SENTENCES}</p>', 1)
                )

            def get_lighthouse_png(self):
                self.answer(DOT, "image/png")

            def get_redirect(self, hops, *rest):
                """This many redirects, alternately relative and absolute, with every status for redirects."""
                left = int(hops)
                target = "/" + "/".join(rest) if left <= 1 else f"/redirect/{left - 1}/" + "/".join(rest)
                if left == 0:
                    target = "/" + "/".join(rest)
                if left % 2:
                    target = site.url + target
                self.answer(status=[301, 302, 303, 307, 308][left % 5], Location=target)

            def get_to(self, *_):
                """Redirects to the URL in the query."""
                self.answer(status=302, Location=parse_qs(urlsplit(self.path).query)["url"][0])

            def get_far(self, *_):
                """Redirects to a URL longer than an index of the database allows."""
                self.answer(status=302, Location="/article/far?t=" + "".join(f"{number:x}" for number in range(3_000)))

            def get_edition(self, *_):
                """An article with the canonical URL that is given in the query."""
                query = parse_qs(urlsplit(self.path).query)
                claim = "".join(f'<link rel="canonical" href="{url}">' for url in query.get("canonical", []))
                claim += "".join(f'<meta property="og:url" content="{url}">' for url in query.get("og", []))
                self.answer(article("An edition", marker="Slowly.").replace("</head>", claim + "</head>"))

            def get_login(self, *_):
                self.answer(article("Sign in to go on"))

            def get_loop(self, *_):
                self.answer(status=302, Location="/loop")

            def get_inward(self, *_):
                self.answer(status=302, Location=f"http://127.0.0.2:{site.server.server_port}/article")

            def get_file_scheme(self, *_):
                self.answer(status=302, Location="file:///etc/passwd")

            def get_slow(self, *_):
                """Responds after two seconds."""
                site.stopping.wait(2)
                self.answer(article("Slow but sure"))

            def get_held(self, name, *_):
                """Responds when the test allows it."""
                while not site.stopping.is_set() and not site.gates[name].acquire(timeout=0.1):
                    pass
                self.answer(article("Held and let go"))

            def get_maybe(self, *_):
                self.get_gone() if urlsplit(self.path).path in site.missing else self.answer(article("Here after all"))

            def get_gone(self, *_):
                self.answer("<title>Not here</title><p>There is no such page.", status=404)

            def get_error500_then_ok(self, *_):
                path = urlsplit(self.path).path
                left = site.failures_left.get(path, 1)
                site.failures_left[path] = left - 1
                if left > 0:
                    self.answer("<title>Oops</title>", status=500)
                else:
                    self.answer(article("Back again"))

            def get_gzip(self, name, *_):
                self.answer(gzip.compress(site.source(name)), Content_Encoding="gzip")

            def get_charset(self, name, where, *_):
                """A page in this encoding, declared in the header, in a meta element, or nowhere (byte order mark)."""
                python_name = {"latin-1": "cp1252", "shift_jis": "shift_jis", "utf-16": "utf-16"}[name]
                title, label = {
                    "latin-1": ("Größe und Maß – «voilà»", "iso-8859-1"),
                    "shift_jis": ("海はなぜ塩辛いのか", "shift_jis"),
                    "utf-16": ("Größe 海 и море", "utf-16le"),
                }[name]
                page = article(title, marker=title)
                if where == "meta":
                    page = page.replace("utf-8", label, 1)
                else:
                    page = page.replace('<meta charset="utf-8">', "")
                self.answer(
                    page.encode(python_name), f"text/html; charset={label}" if where == "header" else "text/html"
                )

            def get_title_entities(self, *_):
                self.answer(
                    article("Fish &amp; Chips &#8212; &quot;caf&eacute;&quot; &lt;b&gt;", "5 &#62; 4, and so on")
                )

            def get_head(self, head, *_):
                """An article with this head, given in base64."""
                self.answer(
                    article("x")
                    .replace("<h1>x</h1>", "")
                    .replace("<title>x</title>", base64.urlsafe_b64decode(head).decode())
                )

            def get_hostile(self, *_):
                page = article("A page with teeth")
                bait = (
                    '<script>document.title = "bitten"</script><img src="x" onerror="document.title = \'bitten\'">'
                    '<a href="javascript:document.title = 1">bite</a><p style="color: red" onclick="bite()">styled</p>'
                    '<iframe src="/article"></iframe><form action="/article"><input name="password"></form>'
                )
                self.answer(page.replace("</p>", f"</p>{bait}", 1))

            def get_half(self, *_):
                """Breaks off in the middle."""
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", "100000")
                self.end_headers()
                self.wfile.write("<title>Half a d&eacute;jà vu</title><p>And so".encode())
                self.close_connection = True

            def get_endless(self, *_):
                """Never stops sending."""
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.close_connection = True
                self.wfile.write(b"<title>And so on</title>")
                while not site.stopping.is_set():
                    self.wfile.write(b"<p>and on" * 20_000)

            def get_tangled(self, *_):
                """A page with little text and too much nesting."""
                self.answer(
                    article("A tangled page").replace("</article>", "<div>" * 500 + "<i>x</i>" * 10_000 + "</article>")
                )

            def get_heavy(self, kind, *_):
                """A page of the largest size, with usual markup or made to take as much memory as possible."""
                page = article("A heavy page", paragraphs=8)
                filling = {"usual": f'<p>{SENTENCES} <a href="/article">more</a></p>', "dense": "<p>a"}[kind]
                self.answer(page.replace("</p>", "</p>" + filling * (8_000_000 // len(filling)), 1))

            def get_binary(self, *_):
                self.answer(bytes(range(256)) * 64, "application/octet-stream")

            def get_empty(self, *_):
                self.answer()

        return Handler


# One pixel.
DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
