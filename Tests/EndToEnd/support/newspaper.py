"""A site whose pages change."""

import uuid

from support.loopback_site import LoopbackSite


class Newspaper(LoopbackSite):
    """A site whose pages have the content that a test sets."""

    def __init__(self):
        self.told = {}
        super().__init__(None)

    def _handler(self):
        site = self

        class Handler(super()._handler()):
            def get_told(self, name, *_):
                status, body = site.told[name]
                self.answer(body, status=status)

        return Handler

    def page(self, body, status=200):
        """Adds a page and returns its URL."""
        name = uuid.uuid4().hex
        self.told[name] = (status, body)
        return f"{self.url}/told/{name}"

    def change(self, url, body, status=200):
        self.told[url.rsplit("/", 1)[1]] = (status, body)

    def visits_of(self, url):
        return self.visits.get("/told/" + url.rsplit("/", 1)[1], 0)
