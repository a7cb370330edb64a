"""One request to /rest/v1/ and the expected response, as data; api/test_rest_contract.py runs it.

`<word>` in a request or an expectation stands for an id of the world it runs in: `<me>`, `<a>` (the link ending in /a)…
"""

from dataclasses import dataclass, field

NOBODY = "00000000-0000-0000-0000-000000000000"
# The jobs refuse this address without sending anything: no packet leaves loopback.
SITE = "http://127.0.0.2/"

OBJECT = "application/vnd.pgrst.object+json"
STRIPPED = "application/vnd.pgrst.array+json;nulls=stripped"
STRIPPED_OBJECT = "application/vnd.pgrst.object+json;nulls=stripped"
REPRESENTATION = "return=representation"
MERGE, IGNORE = "resolution=merge-duplicates", "resolution=ignore-duplicates"
BY_URL = "links?on_conflict=user_id,raw_url"
REFUSED = tuple(range(400, 500))


@dataclass(frozen=True)
class Case:
    """One request and the expected response. Fields that are not given are not checked."""

    row: str
    words: str
    target: str
    method: str = "GET"
    body: object = None
    prefer: object = None
    accept: str = None
    headers: dict = field(default_factory=dict)
    who: str = "me"

    status: object = 200
    code: object = None
    # Exactly these rows; rows with these columns among others; the last letters of raw_url in this order.
    rows: object = None
    some: object = None
    letters: str = None
    has: dict = field(default_factory=dict)
    also: object = None
    # The links that exist afterwards, and columns of them.
    left: str = None
    now: dict = field(default_factory=dict)

    @property
    def id(self):
        return f"{self.row} {self.words}"


def cases(row, *rows, **common):
    return [Case(row, *one[:2], **common | (one[2] if len(one) > 2 else {})) for one in rows]


def link(letter, **more):
    return {"raw_url": SITE + letter} | more


def batch(*rows):
    return [link(letter, **more) for letter, more in rows]
