"""Random requests never cause a 5xx, HTML, another user's row or a dead worker."""

import json
import os
import random
import string
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.client import SHAPE_OF_A_REST_ERROR

LONG = bool(os.environ.get("LECTERN_TEST_LONG"))
REQUESTS = 200_000 if LONG else 5_000
SEEDS = 20 if not LONG else 200

TABLES = [
    "links",
    "tags",
    "link_tags",
    "articles",
    "highlights",
    "bookmarks",
    "notes",
    "collections",
    "collection_links",
    "reading_progress",
    "user_settings",
    "rules",
    "trash",
    "nope",
    "pg_class",
    "auth.users",
]
COLUMNS = [
    "id",
    "user_id",
    "link_id",
    "tag_id",
    "raw_url",
    "title",
    "name",
    "quote",
    "body",
    "is_starred",
    "updated_at",
    "created_at",
    "list",
    "status",
    "position",
    "link",
    "parts",
    "font_size",
    "nope",
    "*",
    "count",
    "link->a->>b",
    "parts->0",
    '"title"',
    "title::text",
    "id::int",
    "x:title",
]
OPERATORS = [
    "eq",
    "neq",
    "gt",
    "gte",
    "lt",
    "lte",
    "like",
    "ilike",
    "match",
    "imatch",
    "is",
    "in",
    "isdistinct",
    "fts",
    "plfts",
    "phfts",
    "wfts",
    "cs",
    "cd",
    "ov",
    "sl",
    "sr",
    "nxl",
    "nxr",
    "adj",
    "nope",
    "fts(english)",
    "eq(any)",
    "like(all)",
    "not.eq",
    "not.in",
    "fts(pg_catalog.simple)",
]
INJECTIONS = [
    "'; drop table links; --",
    '" or 1=1 --',
    "') or ('1'='1",
    "$1",
    "\\'; select pg_sleep(9); --",
    "%00",
    "{}",
    "1; select 1",
    "/**/union/**/select/**/null",
    "${jndi}",
    "\\",
    "'",
    '"',
    "))))",
    "((((",
    "a'||'b",
    "E'\\x27'",
    "public.links",
    "auth.users",
    "current_setting('request.jwt.claims')",
    "pg_read_file('/etc/passwd')",
]
VALUES = [
    "a",
    "",
    "null",
    "true",
    "5",
    "-1",
    "1e400",
    "9" * 40,
    "NaN",
    "infinity",
    "2026-01-01",
    "now",
    "epoch",
    "(a,b)",
    "{a,b}",
    '("a",b',
    "{1,2",
    "[1,2)",
    "00000000-0000-0000-0000-000000000000",
    "%F0%9F%98%80",
    "%CC%81",
    "%E2%80%AE",
    "*",
    "%25%25",
    "(((((",
    "a" * 300,
    "%2B",
    "+",
    "(?=a)+",
    "a{1,999}",
    "\\1",
] + INJECTIONS
PREFERS = [
    "return=representation",
    "return=minimal",
    "return=headers-only",
    "resolution=merge-duplicates",
    "resolution=ignore-duplicates",
    "count=exact",
    "count=planned",
    "missing=default",
    "handling=strict",
    "max-affected=1",
    "tx=rollback",
    "timezone=Nowhere/There",
    "x",
    "=,=",
    "return=",
]
ACCEPTS = [
    "application/json",
    "*/*",
    "text/csv",
    "application/vnd.pgrst.object+json",
    "text/html",
    ";;",
    "a/b;q=x",
    "application/vnd.pgrst.array+json;nulls=stripped",
    "application/geo+json",
]


class Maker:
    """Random requests; the same seed gives the same requests."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_of(self, choices):
        return self.random.choice(choices)

    def some(self, most, make):
        return [make() for _ in range(self.random.randint(0, most))]

    def junk(self):
        alphabet = string.printable.strip() + "äß漢"
        return "".join(self.one_of(alphabet) for _ in range(self.random.randint(0, 20)))

    def value(self):
        return self.one_of(VALUES) if self.random.random() < 0.8 else self.junk()

    def column(self):
        return self.one_of(COLUMNS + TABLES[:6]) if self.random.random() < 0.9 else self.value()

    def selection(self, depth=0):
        def item():
            if depth < 4 and self.random.random() < 0.3:
                dots = self.one_of(["", "", "..."])
                hint = self.one_of(["", "", "!inner", "!left", "!nope"])
                return f"{dots}{self.one_of(TABLES)}{hint}({self.selection(depth + 1)})"
            return self.column()

        return ",".join(self.some(4, item))

    def condition(self, depth=0):
        if depth < 6 and self.random.random() < 0.3:
            word = self.one_of(["and", "or", "not.and", "not.or"])
            return f"{word}({','.join(self.some(3, lambda: self.condition(depth + 1)))})"
        return f"{self.column()}.{self.one_of(OPERATORS)}.{self.value()}"

    def parameter(self):
        kind = self.random.random()
        if kind < 0.25:
            return "select=" + self.selection()
        if kind < 0.35:
            return "order=" + ",".join(
                self.some(3, lambda: self.column() + self.one_of(["", ".asc", ".desc", ".desc.nullslast", ".x"]))
            )
        if kind < 0.45:
            return self.one_of(["limit", "offset", "tags.limit", "tags.offset"]) + "=" + self.value()
        if kind < 0.6:
            return self.one_of(["or", "and", "not.or", "tags.or"]) + f"=({','.join(self.some(3, self.condition))})"
        if kind < 0.65:
            return self.one_of(["on_conflict", "columns"]) + "=" + ",".join(self.some(3, self.column))
        return f"{self.column()}={self.one_of(OPERATORS)}.{self.value()}"

    def json(self, depth=0):
        kind = self.random.random()
        if depth < 3 and kind < 0.5:
            return {self.column(): self.json(depth + 1) for _ in range(self.random.randint(0, 4))}
        if depth < 3 and kind < 0.65:
            return [self.json(depth + 1) for _ in range(self.random.randint(0, 3))]
        return self.one_of([None, True, 5, -1.5, 1e300, "a", self.value(), "\u0000", "\ud800", "漢"])

    def body(self):
        kind = self.random.random()
        if kind < 0.8:
            return json.dumps(self.json())
        return self.one_of(
            ["", "{", "[", "null", "5", '"a"', '{"a":}', "[1,]", "{}" * 3, "[" * 2000, '{"a":"\\ud800"}', "\xff"]
        )

    def request(self):
        target = "/rest/v1/" + self.one_of(TABLES + ["rpc/save_page", "rpc/nope", "rpc/merge_tags", ""])
        query = "&".join(self.some(5, self.parameter))
        # Only characters that a request line cannot hold are escaped; the server has to handle the rest.
        query = "".join(
            c if "!" <= c <= "~" and c not in '#"<>\\^`{|}' else "".join(f"%{b:02X}" for b in c.encode()) for c in query
        )
        method = self.one_of(["GET"] * 6 + ["HEAD", "POST", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])
        headers = (
            {"Prefer": ", ".join(self.some(3, lambda: self.one_of(PREFERS)))} if self.random.random() < 0.5 else {}
        )
        if self.random.random() < 0.3:
            headers["Accept"] = self.one_of(ACCEPTS)
        if self.random.random() < 0.1:
            headers["Range"] = self.one_of(["0-9", "5-2", "a-b", "-", "0-", "99999999999999999999-"])
        if self.random.random() < 0.1:
            headers["X-Lectern-Acted-At"] = self.one_of(
                ["2026-01-01T00:00:00Z", "0", "yesterday", "9" * 30, "infinity"]
            )
        if self.random.random() < 0.1:
            headers["If-None-Match"] = self.one_of(['"x"', 'W/"1-2"', "*", ",,"])
        body = self.body() if method in ("POST", "PATCH", "PUT") else None
        return method, target + ("?" + query if query else ""), headers, body


def check(lectern, user, secret, request):
    method, target, headers, body = request
    headers = {
        "apikey": lectern.anon_key,
        "Authorization": f"Bearer {user.token}",
        "Content-Type": "application/json",
    } | headers
    answer = lectern.send(method, target, headers, body)
    assert answer.status < 500, (request, answer)
    assert secret not in answer.body, (request, "another user's row")
    if method == "HEAD" or not answer.body:
        return answer.status
    assert not answer.body.lstrip().lower().startswith(b"<"), (request, answer)
    if answer.status >= 400 and answer["content-type"].startswith("application/json"):
        assert set(answer.json()) == SHAPE_OF_A_REST_ERROR, (request, answer)
    return answer.status


@pytest.mark.timeout(3600 if LONG else 300)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_requests_get_a_valid_response_and_do_no_harm(lectern, alice, bob, seed):
    secret = f"secret-of-bob-{seed}"
    bob.save(f"http://127.0.0.2/{secret}", title=secret)
    bob.rest("POST", "tags", {"name": secret})
    maker = Maker(seed)
    before = set(lectern.workers())
    requests = [maker.request() for _ in range(REQUESTS // SEEDS)]
    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(lambda request: check(lectern, alice, secret.encode(), request), requests))
    # Some requests have to succeed, or the test would show nothing.
    assert sum(status < 300 for status in statuses) > len(statuses) // 50
    assert set(lectern.workers()) == before
    rows = bob.rest("GET", "links?select=title").json()
    assert rows == [{"title": secret}]


POSITIONS = [
    "links?{}=eq.a",
    "links?title={}.a",
    "links?title=eq.{}",
    "links?select={}",
    "links?select=title::{}",
    "links?select=a:{}",
    "links?select=tags({})",
    "links?select=tags!{}(name)",
    "links?order={}",
    "links?order=title.{}",
    "links?limit={}",
    "links?offset={}",
    "links?or=({}.eq.a)",
    "links?or=(title.eq.{})",
    "links?title=in.({})",
    "links?title=fts({}).a",
    "links?title=eq({}).a",
    "links?select=title->{}",
    "links?tags.{}=eq.a&select=tags(name)",
    "{}",
    "rpc/{}",
    "links?on_conflict={}",
    "links?columns={}",
]


@pytest.mark.parametrize("position", POSITIONS)
def test_sql_in_a_value_is_only_text(lectern, alice, position):
    for piece in INJECTIONS:
        text = "".join(f"%{byte:02X}" for byte in piece.replace("%00", "\0").encode())
        for method in ["GET", "POST"] if "rpc" not in position else ["POST"]:
            answer = lectern.send(
                method, "/rest/v1/" + position.format(text), alice.headers, "{}" if method == "POST" else None
            )
            assert answer.status < 500 and answer.status != 57014, (method, position, piece, answer)
            assert b"syntax error" not in answer.body, (method, position, piece, answer)
    assert alice.rest("GET", "links?select=id").status == 200
