"""A site on loopback that serves feeds, and the articles that they name."""

import uuid
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from support import web_server
from support.loopback_site import article

LONG = "".join(f"<p>Sentence {n} of a long text that the feed has itself, told without haste.</p>" for n in range(60))


def rss(*items, title="A feed", site="http://127.0.0.1/"):
    return (
        f"<rss version='2.0'><channel><title>{escape(title)}</title><link>{site}</link>{''.join(items)}</channel></rss>"
    )


def item(url, title=None, more=""):
    name = f"<title>{escape(title)}</title>" if title else ""
    return f"<item><link>{escape(url)}</link>{name}{more}</item>"


class FeedSite(web_server.WebServer):
    """Each path has an answer that a test sets; `/article/…` is an article."""

    def __init__(self):
        self.told = {}
        # Path and header fields of each request.
        self.requests = []
        super().__init__(self._handler())

    def _handler(self):
        site = self

        class Handler(web_server.Handler):
            def do_GET(self):
                path = urlsplit(self.path).path
                site.requests.append((path, {name.lower(): value for name, value in self.headers.items()}))
                if path.startswith("/article/"):
                    return self.answer(article("A page of the site"))
                body, type, status, headers = site.told.get(path, ("Not here", "text/plain", 404, {}))
                if headers.get("ETag") and self.headers.get("If-None-Match") == headers["ETag"]:
                    return self.answer(status=304)
                self.answer(body, type, status=status, **headers)

        return Handler

    def path(self):
        return f"/{uuid.uuid4().hex}"

    def tell(self, body, type="application/rss+xml", status=200, path=None, **headers):
        """Answers a path with this from now on, and returns its URL. `_` in names of headers stands for `-`."""
        path = path or self.path()
        self.told[path] = (body, type, status, {name.replace("_", "-"): value for name, value in headers.items()})
        return self.url + path

    def requests_for(self, url):
        return [headers for path, headers in self.requests if path == urlsplit(url).path]

    def article(self):
        return f"{self.url}/article/{uuid.uuid4().hex}"
