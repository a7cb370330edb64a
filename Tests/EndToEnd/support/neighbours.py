"""Requests of other readers' clients."""

import json
from urllib.parse import urlencode

from support.feeds import make_token
from support.searching import add_link


class Wallabag:
    """A client of wallabag's API, which signs in with a token."""

    def __init__(self, user, token=None):
        self.user, self.token = user, token or make_token(user, "full")

    def send(self, method, path, body=None, **query):
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        target = f"/api/{path}" + (f"?{urlencode(query, doseq=True)}" if query else "")
        return self.user.lectern.send(method, target, headers, None if body is None else json.dumps(body))

    def ask(self, method, path, body=None, **query):
        """The JSON of a request that succeeds. KOReader and others take no other status than 200 for a success."""
        answer = self.send(method, path, body, **query)
        assert (answer.status, answer["content-type"]) == (200, "application/json"), answer
        return answer.json()

    def items(self, **query):
        return self.ask("GET", "entries", **query)["_embedded"]["items"]

    def add(self, **entry):
        return self.ask("POST", "entries", {"url": "http://127.0.0.2/page"} | entry)


def add_article(admin, user, content="<p>some text</p>", **columns):
    """A link with an article, as the server makes them: its id."""
    id = add_link(admin, user, text=content.replace("<p>", "").replace("</p>", ""), **columns)
    admin.execute("update public.articles set content = %s where link_id = %s", [content, id])
    return id


def sign_in(lectern, body, json_body=True):
    """A request of a token."""
    if json_body:
        return lectern.send("POST", "/oauth/v2/token", {"Content-Type": "application/json"}, json.dumps(body))
    type = "application/x-www-form-urlencoded"
    return lectern.send("POST", "/oauth/v2/token", {"Content-Type": type}, urlencode(body))
