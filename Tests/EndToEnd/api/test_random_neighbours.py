"""Random requests to the APIs of other readers: each gets a valid answer of its family, and none does harm."""

import json
import random
from urllib.parse import urlencode

from support.feeds import make_token
from support.neighbours import Wallabag, add_article

WALLABAG = [
    "entries",
    "entries.json",
    "entries/exists",
    "entries/lists",
    "entries/tags/lists",
    "entries/{n}",
    "entries/{n}.json",
    "entries/{n}/tags",
    "entries/{n}/tags/{n}",
    "entries/{n}/reload",
    "entries/{n}/export.epub",
    "entries/{n}/export.md",
    "entries/{n}/export.html",
    "tags",
    "tags/{n}",
    "tags/label",
    "tag/label",
    "annotations/{n}",
    "search",
    "user",
    "config",
    "nothing",
]
LINKDING = [
    "bookmarks/",
    "bookmarks/archived/",
    "bookmarks/check/",
    "bookmarks/{n}/",
    "bookmarks/{n}/archive/",
    "bookmarks/{n}/unarchive/",
    "tags/",
    "tags/{n}/",
    "user/profile/",
    "bookmarks/nothing/",
]
NAMES = [
    *["url", "urls", "urls[]", "hashed_url", "hashed_urls[]", "return_id", "title", "tags", "tag", "list", "content"],
    *["archive", "starred", "public", "sort", "order", "page", "perPage", "since", "detail", "domain_name", "expect"],
    *["quote", "text", "ranges", "term", "language", "preview_picture", "published_at", "authors", "q", "limit"],
    *["offset", "unread", "added_since", "notes", "tag_names", "is_archived", "description", "name"],
]
VALUES = [
    *["", "0", "1", "-1", "2147483648", "1e9", "x", "true", "null", "created", "asc", "metadata", "'\"\\%_", "\x00"],
    *[
        "\ufeff\u202e",
        "☃" * 500,
        "x" * 70_000,
        "http://127.0.0.2/x",
        "javascript:alert(1)",
        "[]",
        '["http://x"]',
        "a,b",
    ],
    *[
        '[{"url":"http://127.0.0.2/x","tags":"a"}]',
        "[[[[",
        "2026-13-45",
        "infinity",
        "now",
        "!unread #a",
        "is:starred (",
    ],
]
JSON_VALUES = [
    *VALUES,
    None,
    True,
    1.5e300,
    -1,
    [],
    {},
    [None],
    ["a", 1],
    [{"start": "", "startOffset": 1}],
    {"a": [1]},
]


def random_request(choice, numbers):
    is_linkding = choice.random() < 0.35
    path = choice.choice(LINKDING if is_linkding else WALLABAG).replace("{n}", "{}")
    path = path.format(*(choice.choice(numbers) for _ in range(path.count("{}"))))
    query = {choice.choice(NAMES): choice.choice(VALUES) for _ in range(choice.randrange(4))}
    target = f"/api/{path}" + ("?" + urlencode({k: v[:2_000] for k, v in query.items()}) if query else "")
    method = choice.choice(["GET", "GET", "POST", "PATCH", "PUT", "DELETE", "HEAD"])
    fields = {choice.choice(NAMES): choice.choice(JSON_VALUES) for _ in range(choice.randrange(5))}
    kind = choice.random()
    if method in ("GET", "HEAD") or kind < 0.1:
        return is_linkding, method, target, None, None
    if kind < 0.25:
        texts = {name: value for name, value in fields.items() if isinstance(value, str)}
        return is_linkding, method, target, urlencode(texts), "application/x-www-form-urlencoded"
    if kind < 0.3:
        return is_linkding, method, target, choice.choice(["[", "{}x", "\ufeff{}", "[1]", "\xff"]), "text/plain"
    return is_linkding, method, target, json.dumps(fields), "application/json"


def test_no_random_request_gets_a_server_error(admin, alice, bob):
    choice = random.Random(26)
    token = make_token(alice, "full")
    client, other = Wallabag(alice, token), Wallabag(bob)
    kept = other.add(title="Bob's", tags="bobs")
    add_article(admin, alice, "<p>some text</p>")
    entry = client.add(tags="a,b")
    numbers = [entry["id"], kept["id"], entry["tags"][0]["id"], 0, 1, 2147483647, 2147483648, -1, "x", "%00", "%2e%2e"]
    for _ in range(400):
        is_linkding, method, target, body, type = random_request(choice, numbers)
        headers = {"Authorization": f"{'Token' if is_linkding else 'Bearer'} {token}"}
        if type:
            headers["Content-Type"] = type
        answer = alice.lectern.send(method, target, headers, body)
        shown = (method, target[:200], (body or "")[:200], answer)
        assert answer.status < 500, shown
        if answer.status >= 400 and method != "HEAD" and answer["content-type"].startswith("application/json"):
            # A path that is broken belongs to no family.
            error = answer.json()
            assert answer.status in (400, 404, 405) or "message" in error.get("error", error) or "detail" in error, (
                shown
            )
            assert "error" in error or isinstance(error, dict) and error, shown
    assert other.ask("GET", f"entries/{kept['id']}") == kept
