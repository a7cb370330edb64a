"""Feeds and catalogs: their tokens, requests for them, and their elements."""

from xml.etree import ElementTree

from support.sessions import bearer

ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/terms/}"


def make_token(user, scope="feed"):
    answer = user.lectern.auth("POST", "tokens", {"name": scope, "scope": scope}, **bearer(user.token))
    assert answer.status == 201, answer
    return answer.json()["token"]


def get(lectern, target, **headers):
    """A request without any other credentials than these headers, with _ for - in their names."""
    return lectern.send("GET", target, {name.replace("_", "-"): value for name, value in headers.items()})


def root(answer):
    """The root element of a document that was answered."""
    assert answer.status == 200, answer
    return ElementTree.fromstring(answer.body)


def titles(element):
    return [entry.findtext(f"{ATOM}title") for entry in element.findall(f"{ATOM}entry")]


def addresses(element, relation):
    """The addresses of all links of a relation, in an element and below it."""
    return [link.get("href") for link in element.iter(f"{ATOM}link") if link.get("rel") == relation]
