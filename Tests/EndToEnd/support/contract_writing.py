"""The contract of writing and of functions, row by row (rest-contract.md, 2.2 to 2.5)."""

from support.client import encoded
from support.contract_case import (
    BY_URL,
    IGNORE,
    MERGE,
    NOBODY,
    OBJECT,
    REFUSED,
    REPRESENTATION,
    SITE,
    batch,
    cases,
    link,
)
from support.contract_reading import csv_of

# Writing: each case has a user of its own, with the links a, b and c, and a tag.


def no_body(answer, world):
    return answer.body == b"" and answer["content-type"] is None


INSERTS = (
    cases(
        "2.4-M POST:",
        (
            "201 without a body",
            "links",
            {"body": link("d"), "has": {"content-range": "*/*"}, "also": no_body, "left": "abcd"},
        ),
        (
            "return=minimal in words",
            "links",
            {
                "body": link("d"),
                "prefer": "return=minimal",
                "has": {"preference-applied": "return=minimal"},
                "also": no_body,
                "left": "abcd",
            },
        ),
        ("an array", "links", {"body": batch(("d", {}), ("e", {})), "also": no_body, "left": "abcde"}),
        (
            "rows come back in their order",
            "links",
            {"body": batch(("z", {}), ("d", {}), ("y", {}), ("e", {})), "prefer": REPRESENTATION, "letters": "zdye"},
        ),
        (
            "rows come back as selected",
            "links?select=title,list",
            {"body": link("d", title="D"), "prefer": REPRESENTATION, "rows": [{"title": "D", "list": "read"}]},
        ),
        (
            "rows come back with an alias and a cast",
            "links?select=name:title,star:is_starred::text",
            {"body": link("d", title="D"), "prefer": REPRESENTATION, "rows": [{"name": "D", "star": "false"}]},
        ),
        (
            "rows come back with what they point at",
            "highlights?select=quote,links(title)",
            {
                "body": {"link_id": "<a>", "quote": "q"},
                "prefer": REPRESENTATION,
                "rows": [{"quote": "q", "links": {"title": "A"}}],
            },
        ),
        (
            "a count",
            "links",
            {"body": batch(("d", {}), ("e", {})), "prefer": "count=exact", "has": {"content-range": "*/2"}},
        ),
        (
            "one object",
            "links?select=title",
            {
                "body": link("d", title="D"),
                "prefer": REPRESENTATION,
                "accept": OBJECT,
                "rows": {"title": "D"},
                "has": {"content-type": OBJECT + "; charset=utf-8"},
            },
        ),
        ("[] inserts nothing", "links", {"body": [], "also": no_body, "left": "abc"}),
        ("[] gives []", "links", {"body": [], "prefer": REPRESENTATION, "rows": [], "left": "abc"}),
        ("[] merged", BY_URL, {"body": [], "prefer": MERGE, "status": 200, "left": "abc"}),
        ("[] inserted", "links", {"body": [], "left": "abc"}),
        ("[] with ignore", BY_URL, {"body": [], "prefer": IGNORE, "left": "abc"}),
        (
            "merge of a row of nothing but its key",
            "link_tags",
            {"body": {"link_id": "<a>", "tag_id": "<t>"}, "prefer": MERGE, "status": 200},
        ),
        (
            "{} is a row of defaults",
            "user_settings?select=theme,user_id",
            {"body": {}, "prefer": REPRESENTATION, "rows": [{"theme": "light", "user_id": "<me>"}]},
        ),
        (
            "equal keys in another order",
            "links",
            {
                "body": [{"raw_url": SITE + "d", "title": "D"}, {"title": "E", "raw_url": SITE + "e"}],
                "left": "abcde",
                "now": {"d": {"title": "D"}, "e": {"title": "E"}},
            },
        ),
        status=201,
        method="POST",
    )
    + cases(
        "2.4-S csv:",
        (
            "of inserted rows",
            "links?select=title,list",
            {
                "method": "POST",
                "body": link("d", title="D, d"),
                "prefer": REPRESENTATION,
                "accept": "text/csv",
                "status": 201,
                "also": lambda answer, world: csv_of(answer) == [["title", "list"], ["D, d", "read"]],
            },
        ),
    )
    + cases(
        "2.4-M POST refused:",
        (
            "many rows as one object",
            "links",
            {
                "body": batch(("d", {}), ("e", {})),
                "prefer": REPRESENTATION,
                "accept": OBJECT,
                "status": 406,
                "code": "PGRST116",
            },
        ),
        (
            "unequal keys",
            "links",
            {
                "body": [link("d"), link("e", title="E")],
                "status": 400,
                "code": "PGRST102",
                "also": lambda answer, world: "All object keys must match" in answer.json()["message"],
            },
        ),
        (
            "unequal keys, the last has fewer",
            "links",
            {"body": [link("d", title="D"), link("e")], "status": 400, "code": "PGRST102"},
        ),
        (
            "a batch with one bad row",
            "links",
            {"body": batch(("d", {"list": "read"}), ("e", {"list": "nope"})), "status": 400},
        ),
        ("a batch with one known row", "links", {"body": batch(("d", {}), ("a", {})), "status": 409, "code": "23505"}),
        (
            "a batch with the same row twice",
            "links",
            {"body": batch(("d", {}), ("d", {})), "status": 409, "code": "23505"},
        ),
        (
            "a merge of the same row twice",
            BY_URL,
            {
                "body": [link("d", user_id="<me>"), link("d", user_id="<me>")],
                "prefer": MERGE,
                "status": (200, 201, *REFUSED),
                "left": None,
            },
        ),
        method="POST",
        left="abc",
    )
    + cases(
        "2.2-M columns:",
        (
            "extra keys are dropped",
            "links?columns=raw_url,title",
            {
                "body": link("d", title="D", list="archive", nope=1),
                "left": "abcd",
                "now": {"d": {"title": "D", "list": "read"}},
            },
        ),
        (
            "absent ones are null",
            "links?columns=raw_url,title",
            {
                "body": [link("d", title="D"), link("e")],
                "left": "abcde",
                "now": {"d": {"title": "D"}, "e": {"title": None}},
            },
        ),
        (
            "quoted and encoded",
            "links?columns=%22raw_url%22%2C%22title%22",
            {"body": [link("d", title="D"), link("e")], "left": "abcde"},
        ),
        (
            "an absent one that must not be null",
            "links?columns=raw_url,is_starred",
            {"body": [link("d", is_starred=True), link("e")], "status": 400, "code": "23502", "left": "abc"},
        ),
        (
            "an unknown one",
            "links?columns=raw_url,nope",
            {"body": link("d"), "status": 400, "code": "PGRST204", "left": "abc"},
        ),
        ("none", "links?columns=", {"body": link("d"), "status": 400, "code": "PGRST100", "left": "abc"}),
        ("blanks", "links?columns=%20", {"body": link("d"), "status": 400, "code": "PGRST100", "left": "abc"}),
        ("a comma", "links?columns=raw_url,", {"body": link("d"), "status": 400, "code": "PGRST100", "left": "abc"}),
        (
            "none in on_conflict",
            "links?on_conflict=",
            {"body": link("d"), "prefer": MERGE, "status": 400, "code": "PGRST100", "left": "abc"},
        ),
        method="POST",
        status=201,
    )
    + cases(
        "2.3-S missing=default:",
        (
            "absent keys take the default",
            "links?columns=raw_url,title,list",
            {
                "body": [link("d", list="archive"), link("e", title="E")],
                "prefer": ["missing=default", REPRESENTATION],
                "letters": "de",
                "now": {"d": {"list": "archive", "title": None}, "e": {"list": "read", "title": "E"}},
                "has": {"preference-applied": "missing=default, return=representation"},
            },
        ),
        (
            "an object, and a default that is a call",
            "links?columns=id,raw_url",
            {"body": link("d"), "prefer": "missing=default", "left": "abcd"},
        ),
        (
            "an explicit null stays",
            "links?columns=raw_url,is_starred",
            {
                "body": link("d", is_starred=None),
                "prefer": "missing=default",
                "status": 400,
                "code": "23502",
                "left": "abc",
            },
        ),
        method="POST",
        status=201,
    )
    + cases(
        "2.5-M bodies:",
        *[
            (words, "links", {"body": body, "code": "PGRST102"})
            for words, body in [
                ("none", None),
                ("empty", ""),
                ("no JSON", "{"),
                ("a word", "null"),
                ("a number", "5"),
                ("a text", '"a"'),
                ("an array of numbers", "[1]"),
                ("an array of arrays", "[[]]"),
                ("two documents", "{}{}"),
                ("bad UTF-8", b'{"raw_url":"\xff"}'),
            ]
        ],
        ("an unknown column", "links", {"body": link("d", nope=1), "code": "PGRST204"}),
        (
            "a type that is not acceptable",
            "links",
            {"body": "<a/>", "headers": {"Content-Type": "text/xml"}, "status": (400, 415), "code": "PGRST102"},
        ),
        ("null where none may be", "links", {"body": {"raw_url": None}, "code": "23502"}),
        ("a star that is null", "links", {"body": link("d", is_starred=None), "code": "23502"}),
        ("a bad uuid", "links", {"body": link("d", id="x"), "code": "22P02"}),
        ("a bad boolean", "links", {"body": link("d", is_starred="maybe"), "code": "22P02"}),
        ("a bad time", "links", {"body": link("d", created_at="someday"), "code": "22007"}),
        ("a time out of range", "links", {"body": link("d", created_at="2024-13-45"), "code": "22008"}),
        ("a word that the list does not allow", "links", {"body": link("d", list="nope"), "code": "23514"}),
        ("NUL in a text", "links", {"body": '{"raw_url":"a\\u0000b"}', "code": ("22P05", "PGRST102")}),
        ("half a surrogate", "links", {"body": '{"raw_url":"\\ud800"}', "code": ("22P02", "22P05", "PGRST102")}),
        ("a foreign key that leads nowhere", "notes", {"body": {"link_id": NOBODY}, "status": 409, "code": "23503"}),
        (
            "somebody else's name",
            "links",
            {
                "body": link("d", user_id=NOBODY),
                "status": 403,
                "code": "42501",
                "also": lambda answer, world: "row-level security" in answer.json()["message"],
            },
        ),
        (
            "on_conflict that names no key",
            "links?on_conflict=title",
            {"body": link("d"), "prefer": MERGE, "code": "42P10"},
        ),
        (
            "too large for an index",
            "links",
            {"body": link("x" * 60_000), "status": (201, *REFUSED), "code": None, "left": None},
        ),
        method="POST",
        status=400,
        left="abc",
    )
)

FORM, CSV = {"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "text/csv; charset=utf-8"}

FORMATS = cases(
    "2.4-O form:",
    (
        "an insert",
        "links",
        {
            "body": f"raw_url={encoded(SITE + 'd')}&title=D+%26+d&is_starred=true",
            "left": "abcd",
            "now": {"d": {"title": "D & d", "is_starred": True}},
        },
    ),
    (
        "the last value of a name counts",
        "links",
        {"body": f"title=x&raw_url={encoded(SITE + 'd')}&title=D", "now": {"d": {"title": "D"}}},
    ),
    (
        "columns=",
        "links?columns=raw_url",
        {"body": f"raw_url={encoded(SITE + 'd')}&title=D&nope=1", "now": {"d": {"title": None}}},
    ),
    ("an unknown column", "links", {"body": "nope=1", "status": 400, "code": "PGRST204", "left": "abc"}),
    ("a bad value", "links", {"body": "raw_url=x&is_starred=2", "status": 400, "code": "22P02", "left": "abc"}),
    ("a bad escape", "links", {"body": "raw_url=%zz", "status": 400, "code": "PGRST100", "left": "abc"}),
    ("bad UTF-8", "links", {"body": b"raw_url=\xff", "status": 400, "code": "PGRST102", "left": "abc"}),
    ("NUL", "links", {"body": "raw_url=%00", "status": 400, "code": "PGRST100", "left": "abc"}),
    (
        "too many fields",
        "links",
        {"body": "&".join(["title=x"] * 201), "status": 400, "code": "PGRST100", "left": "abc"},
    ),
    (
        "an upsert",
        BY_URL,
        {
            "body": f"raw_url={encoded(SITE + 'a')}&title=New",
            "prefer": MERGE,
            "status": 200,
            "now": {"a": {"title": "New"}},
        },
    ),
    (
        "an update",
        "links?id=eq.<a>",
        {"method": "PATCH", "body": "title=New", "status": 204, "now": {"a": {"title": "New"}}},
    ),
    (
        "the arguments of a function",
        "rpc/restore_link?select=title",
        {"body": "link_id=<gone>", "status": 200, "rows": [{"title": "Gone"}], "left": "abcz"},
    ),
    ("no argument", "rpc/restore_link", {"body": "", "status": 404, "code": "PGRST202"}),
    method="POST",
    headers=FORM,
    status=201,
) + cases(
    "2.4-O csv body:",
    (
        "rows come back in their order",
        "links?select=raw_url,title",
        {
            "body": f'raw_url,title\r\n{SITE}e,"E, ""e"""\r\n{SITE}d,NULL\r\n',
            "prefer": REPRESENTATION,
            "rows": [{"raw_url": SITE + "e", "title": 'E, "e"'}, {"raw_url": SITE + "d", "title": None}],
        },
    ),
    (
        "in and out",
        "links?select=title,list",
        {
            "body": f'title,raw_url\n"D\nd",{SITE}d',
            "prefer": REPRESENTATION,
            "accept": "text/csv",
            "also": lambda answer, world: csv_of(answer) == [["title", "list"], ["D\nd", "read"]],
        },
    ),
    (
        "empty and quoted values are texts",
        "links?select=title,description",
        {
            "body": f'raw_url,title,description\n{SITE}d,,"NULL"\n',
            "prefer": REPRESENTATION,
            "rows": [{"title": "", "description": "NULL"}],
        },
    ),
    ("a byte order mark and empty lines", "links", {"body": f"\ufeffraw_url\n\n{SITE}d\n\n".encode(), "left": "abcd"}),
    ("a header alone", "links", {"body": "raw_url\n", "left": "abc"}),
    (
        "an upsert",
        BY_URL,
        {
            "body": f"raw_url,title\n{SITE}a,New\n{SITE}d,D",
            "prefer": MERGE,
            "left": "abcd",
            "now": {"a": {"title": "New"}, "d": {"title": "D"}},
        },
    ),
    (
        "the arguments of a function",
        "rpc/restore_link?select=title",
        {"body": "link_id\n<gone>", "status": 200, "rows": [{"title": "Gone"}]},
    ),
    *[
        (words, "links", {"body": body, "status": 400, "code": code, "left": "abc"})
        for words, body, code in [
            ("a short line", f"raw_url,title\n{SITE}d,D\n{SITE}e", "PGRST102"),
            ("a long line", f"raw_url\n{SITE}d,D", "PGRST102"),
            ("nothing", "", "PGRST102"),
            ("a column without a name", f"raw_url,\n{SITE}d,D", "PGRST102"),
            ("a column twice", f"raw_url,raw_url\n{SITE}d,D", "PGRST102"),
            ("too many columns", "," * 1_000_000, "PGRST102"),
            ("an open quote", f'raw_url\n"{SITE}d', "PGRST102"),
            ("a quote inside", f'raw_url\n{SITE}"d', "PGRST102"),
            ("text after a quote", f'raw_url\n"{SITE}d"x', "PGRST102"),
            ("bad UTF-8", b"raw_url\n\xff", "PGRST102"),
            ("an unknown column", "nope\n1", "PGRST204"),
            ("a bad value", f"raw_url,is_starred\n{SITE}d,maybe", "22P02"),
        ]
    ],
    ("two lines of arguments", "rpc/restore_link", {"body": "link_id\n1\n2", "status": 400, "code": "PGRST102"}),
    method="POST",
    headers=CSV,
    status=201,
)

UPSERTS = cases(
    "2.4-M upsert:",
    (
        "merge, every row there: 200",
        BY_URL,
        {
            "body": link("a", user_id="<me>", title="New"),
            "prefer": [MERGE, REPRESENTATION],
            "status": 200,
            "letters": "a",
            "left": "abc",
            "now": {"a": {"title": "New"}},
        },
    ),
    (
        "merge, one row new: 201",
        BY_URL,
        {
            "body": [link("a", user_id="<me>", title="New"), link("d", user_id="<me>", title="D")],
            "prefer": [MERGE, REPRESENTATION],
            "letters": "ad",
            "left": "abcd",
            "now": {"a": {"title": "New"}, "d": {"title": "D"}},
        },
    ),
    (
        "merge leaves columns that are not named",
        BY_URL,
        {
            "body": link("a", user_id="<me>", status="read"),
            "prefer": MERGE,
            "status": 200,
            "now": {"a": {"title": "A", "status": "read"}},
        },
    ),
    (
        "merge without the owner, who is the caller",
        BY_URL,
        {"body": link("a", title="New"), "prefer": MERGE, "status": 200, "now": {"a": {"title": "New"}}},
    ),
    (
        "merge by the primary key",
        "links",
        {"body": link("a", id="<a>", title="New"), "prefer": MERGE, "status": 200, "now": {"a": {"title": "New"}}},
    ),
    (
        "merge without on_conflict of a known link is 409",
        "links",
        {"body": link("a", title="New"), "prefer": MERGE, "status": 409, "code": "23505", "now": {"a": {"title": "A"}}},
    ),
    (
        "the app's Prefer, with its blank",
        "links",
        {"body": link("d"), "prefer": "return=minimal, resolution=merge-duplicates", "left": "abcd", "also": no_body},
    ),
    ("the share extension's Prefer", "links", {"body": link("d"), "prefer": MERGE, "left": "abcd", "also": no_body}),
    (
        "ignore: 201, and the known row is absent",
        BY_URL,
        {
            "body": [link("a", title="New"), link("d", title="D")],
            "prefer": [IGNORE, REPRESENTATION],
            "letters": "d",
            "left": "abcd",
            "now": {"a": {"title": "A"}},
        },
    ),
    (
        "ignore of a known row alone: 201 []",
        BY_URL,
        {"body": link("a"), "prefer": [IGNORE, REPRESENTATION], "rows": []},
    ),
    (
        "on_conflict quoted and encoded",
        "links?on_conflict=%22user_id%22%2C%22raw_url%22",
        {"body": link("a", title="New"), "prefer": MERGE, "status": 200},
    ),
    ("[] merged", BY_URL, {"body": [], "prefer": MERGE, "status": 200, "left": "abc"}),
    ("[] inserted", "links", {"body": [], "left": "abc"}),
    ("[] with ignore", BY_URL, {"body": [], "prefer": IGNORE, "left": "abc"}),
    (
        "merge of a row of nothing but its key",
        "link_tags",
        {"body": {"link_id": "<a>", "tag_id": "<t>"}, "prefer": MERGE, "status": 200},
    ),
    (
        "Preference-Applied",
        BY_URL,
        {
            "body": link("d"),
            "prefer": ["count=exact", MERGE, "return=minimal", "missing=default"],
            "has": {
                "preference-applied": "resolution=merge-duplicates, missing=default, return=minimal, count=exact",
                "content-range": "*/1",
            },
        },
    ),
    method="POST",
    status=201,
)

UPDATES = cases(
    "2.4-M PATCH:",
    (
        "204 without a body",
        "links?id=eq.<a>",
        {
            "body": {"title": "New"},
            "also": no_body,
            "has": {"content-range": "0-0/*"},
            "now": {"a": {"title": "New"}, "b": {"title": "B"}},
        },
    ),
    (
        "200 with representation",
        "links?id=eq.<a>&select=title",
        {"body": {"title": "New"}, "prefer": REPRESENTATION, "status": 200, "rows": [{"title": "New"}]},
    ),
    ("none matched: 204", f"links?id=eq.{NOBODY}", {"body": {"title": "New"}, "has": {"content-range": "*/*"}}),
    (
        "none matched, with representation: 200 []",
        f"links?id=eq.{NOBODY}",
        {"body": {"title": "New"}, "prefer": REPRESENTATION, "status": 200, "rows": []},
    ),
    (
        "several",
        "links?list=eq.read",
        {
            "body": {"status": "read"},
            "prefer": "count=exact",
            "has": {"content-range": "0-2/3"},
            "now": {letter: {"status": "read"} for letter in "abc"},
        },
    ),
    ("{} changes nothing", "links?id=eq.<a>", {"body": {}, "now": {"a": {"title": "A"}}}),
    ("{} with representation", "links?id=eq.<a>", {"body": {}, "prefer": REPRESENTATION, "status": 200, "rows": []}),
    ("an array of one", "links?id=eq.<a>", {"body": [{"title": "New"}], "status": (204, 400)}),
    ("null", "links?id=eq.<a>", {"body": {"title": None}, "now": {"a": {"title": None}}}),
    (
        "columns=",
        "links?id=eq.<a>&columns=title",
        {"body": {"title": "New", "list": "archive"}, "now": {"a": {"title": "New", "list": "read"}}},
    ),
    (
        "by owner and address",
        f"links?user_id=eq.<me>&raw_url=eq.{encoded(SITE + 'a')}",
        {"body": {"status": "read"}, "now": {"a": {"status": "read"}, "b": {"status": "unread"}}},
    ),
    (
        "a tree",
        "links?or=(title.eq.A,title.eq.B)",
        {
            "body": {"list": "archive"},
            "now": {"a": {"list": "archive"}, "b": {"list": "archive"}, "c": {"list": "read"}},
        },
    ),
    (
        "with what it points at",
        "links?id=eq.<a>&select=title,tags(name)",
        {
            "body": {"title": "New"},
            "prefer": REPRESENTATION,
            "status": 200,
            "rows": [{"title": "New", "tags": [{"name": "t"}]}],
        },
    ),
    (
        "one object",
        "links?id=eq.<a>&select=title",
        {"body": {"title": "New"}, "prefer": REPRESENTATION, "accept": OBJECT, "status": 200, "rows": {"title": "New"}},
    ),
    (
        "many as one object change nothing",
        "links?list=eq.read",
        {
            "body": {"title": "New"},
            "accept": OBJECT,
            "prefer": REPRESENTATION,
            "status": 406,
            "code": "PGRST116",
            "now": {"a": {"title": "A"}},
        },
    ),
    (
        "none as one object",
        "links?title=eq.x",
        {"body": {"title": "New"}, "accept": OBJECT, "status": 406, "code": "PGRST116"},
    ),
    (
        "without a filter",
        "links",
        {"body": {"title": "New"}, "status": 400, "code": "21000", "now": {"a": {"title": "A"}}},
    ),
    (
        "a filter without operator, as a raw & makes",
        f"links?user_id=eq.<me>&raw_url=eq.{SITE}a?x=1&b=2",
        {"body": {"status": "read"}, "status": 400, "now": {"a": {"status": "unread"}}},
    ),
    (
        "onto another's address",
        "links?id=eq.<a>",
        {"body": link("b"), "status": 409, "code": "23505", "now": {"a": {"title": "A"}}},
    ),
    ("into another's name", "links?id=eq.<a>", {"body": {"user_id": NOBODY}, "status": 403, "code": "42501"}),
    ("an unknown column", "links?id=eq.<a>", {"body": {"nope": 1}, "status": 400, "code": "PGRST204"}),
    ("an unknown column of the filter", "links?nope=eq.1", {"body": {"title": "x"}, "status": 400, "code": "42703"}),
    ("no body", "links?id=eq.<a>", {"body": "", "status": 400, "code": "PGRST102"}),
    (
        "updated_at moves",
        "links?id=eq.<a>&select=created_at,updated_at",
        {
            "body": {"status": "read"},
            "prefer": REPRESENTATION,
            "status": 200,
            "also": lambda answer, world: answer.json()[0]["updated_at"] > answer.json()[0]["created_at"],
        },
    ),
    method="PATCH",
    status=204,
    left="abc",
)

DELETES = cases(
    "2.4-M DELETE:",
    ("204 without a body", "links?id=eq.<a>", {"also": no_body, "has": {"content-range": "*/*"}, "left": "bc"}),
    (
        "200 with representation",
        "links?id=eq.<a>&select=title",
        {"prefer": REPRESENTATION, "status": 200, "rows": [{"title": "A"}], "left": "bc"},
    ),
    ("a count", "links?list=eq.read", {"prefer": "count=exact", "has": {"content-range": "*/3"}, "left": ""}),
    ("already gone", f"links?id=eq.{NOBODY}", {"left": "abc"}),
    (
        "already gone, with representation",
        f"links?id=eq.{NOBODY}",
        {"prefer": REPRESENTATION, "status": 200, "rows": [], "left": "abc"},
    ),
    ("with the body {} of supabase-py", "links?id=eq.<a>", {"body": {}, "left": "bc"}),
    (
        "many as one object delete nothing",
        "links?list=eq.read",
        {"accept": OBJECT, "prefer": REPRESENTATION, "status": 406, "code": "PGRST116", "left": "abc"},
    ),
    ("without a filter", "links", {"status": 400, "code": "21000", "left": "abc"}),
    ("with a malformed filter", "links?id=foo", {"status": 400, "code": "PGRST100", "left": "abc"}),
    method="DELETE",
    status=204,
)

PUTS = cases(
    "2.4-O PUT:",
    (
        "a new row: 201",
        "links?id=eq.<new>",
        {"body": link("d", id="<new>", title="D"), "status": 201, "also": no_body, "left": "abcd"},
    ),
    (
        "a new row, with representation",
        "links?id=eq.<new>&select=title",
        {"body": link("d", id="<new>", title="D"), "prefer": REPRESENTATION, "status": 201, "rows": [{"title": "D"}]},
    ),
    (
        "a known row: 204",
        "links?id=eq.<a>",
        {"body": link("a", id="<a>", title="New"), "status": 204, "left": "abc", "now": {"a": {"title": "New"}}},
    ),
    (
        "a known row, with representation: 200",
        "links?id=eq.<a>&select=title",
        {"body": link("a", id="<a>", title="New"), "prefer": REPRESENTATION, "status": 200, "rows": [{"title": "New"}]},
    ),
    (
        "another key in the body",
        "links?id=eq.<a>",
        {"body": link("d", id="<new>"), "status": 400, "code": "PGRST115", "left": "abc"},
    ),
    ("no key in the body", "links?id=eq.<a>", {"body": link("d"), "status": 400, "code": "PGRST115", "left": "abc"}),
    (
        "a filter that is no key",
        "links?title=eq.A",
        {"body": link("a", id="<a>"), "status": 405, "code": "PGRST105", "left": "abc"},
    ),
    ("no filter", "links", {"body": link("a", id="<a>"), "status": 405, "code": "PGRST105", "left": "abc"}),
    (
        "another operator",
        "links?id=gt.<a>",
        {"body": link("a", id="<a>"), "status": 405, "code": "PGRST105", "left": "abc"},
    ),
    (
        "a limit",
        "links?id=eq.<a>&limit=1",
        {"body": link("a", id="<a>"), "status": 400, "code": "PGRST114", "left": "abc"},
    ),
    method="PUT",
)

PREFERENCES = (
    cases(
        "2.3-S headers-only:",
        (
            "Location of the new row",
            "links",
            {
                "method": "POST",
                "body": link("d", id="<new>"),
                "prefer": "return=headers-only",
                "status": 201,
                "has": {"location": "/links?id=eq.<new>"},
                "also": no_body,
            },
        ),
        (
            "none of several",
            "links",
            {
                "method": "POST",
                "body": batch(("d", {}), ("e", {})),
                "prefer": "return=headers-only",
                "status": 201,
                "has": {"location": None},
            },
        ),
        (
            "of a key of two columns",
            "link_tags",
            {
                "method": "POST",
                "body": {"link_id": "<b>", "tag_id": "<t>"},
                "prefer": "return=headers-only",
                "status": 201,
                "has": {"location": "/link_tags?link_id=eq.<b>&tag_id=eq.<t>"},
            },
        ),
    )
    + cases(
        "2.3-S handling=strict:",
        ("an unknown preference", "links", {"prefer": "handling=strict, nope=1", "status": 400, "code": "PGRST122"}),
        ("lenient", "links", {"prefer": "handling=lenient, nope=1"}),
        (
            "only known ones",
            "links",
            {"prefer": "handling=strict, count=exact", "has": {"preference-applied": "count=exact, handling=strict"}},
        ),
        (
            "max-affected, kept",
            "links?id=eq.<a>",
            {"method": "PATCH", "body": {"title": "New"}, "prefer": "handling=strict, max-affected=1", "status": 204},
        ),
        (
            "max-affected, exceeded by a change",
            "links?list=eq.read",
            {
                "method": "PATCH",
                "body": {"title": "New"},
                "prefer": "handling=strict, max-affected=2",
                "status": 400,
                "code": "PGRST124",
                "now": {"a": {"title": "A"}},
            },
        ),
        (
            "max-affected, exceeded by a deletion",
            "links?list=eq.read",
            {
                "method": "DELETE",
                "prefer": "handling=strict, max-affected=2",
                "status": 400,
                "code": "PGRST124",
                "left": "abc",
            },
        ),
        (
            "max-affected without strict",
            "links?list=eq.read",
            {"method": "PATCH", "body": {"title": "New"}, "prefer": "max-affected=2", "status": 204},
        ),
    )
    + cases(
        "2.3-O others:",
        ("tx", "links", {"prefer": "tx=commit"}),
        ("timezone", "links", {"prefer": "timezone=Europe/Berlin"}),
    )
    + cases(
        "2.3-M a list:",
        (
            "the first of a kind counts",
            "links?id=eq.<a>",
            {
                "method": "PATCH",
                "body": {"title": "New"},
                "prefer": "return=minimal, return=representation",
                "status": 204,
            },
        ),
        (
            "several headers",
            "links?id=eq.<a>",
            {
                "method": "PATCH",
                "body": {"title": "New"},
                "prefer": ["count=exact", REPRESENTATION],
                "status": 200,
                "has": {"content-range": "0-0/1"},
            },
        ),
        (
            "without blanks, with many",
            "links?id=eq.<a>",
            {
                "method": "PATCH",
                "body": {"title": "New"},
                "prefer": "count=exact,return=representation  ,  x=y",
                "status": 200,
                "has": {"content-range": "0-0/1"},
            },
        ),
    )
)

CALLS = cases(
    "5-M functions:",
    (
        "rows of a table",
        "rpc/restore_link?select=title",
        {"method": "POST", "body": {"link_id": "<gone>"}, "rows": [{"title": "Gone"}]},
    ),
    (
        "filtered",
        "rpc/restore_link?select=title&title=eq.x",
        {"method": "POST", "body": {"link_id": "<gone>"}, "rows": []},
    ),
    (
        "as one object",
        "rpc/restore_link?select=title",
        {"method": "POST", "body": {"link_id": "<gone>"}, "accept": OBJECT, "rows": {"title": "Gone"}},
    ),
    ("no rows", "rpc/restore_link", {"method": "POST", "body": {"link_id": NOBODY}, "rows": []}),
    ("a missing argument", "rpc/restore_link", {"method": "POST", "body": {}, "status": 404, "code": "PGRST202"}),
    (
        "an unknown argument",
        "rpc/restore_link",
        {"method": "POST", "body": {"link_id": NOBODY, "x": 1}, "status": 404, "code": "PGRST202"},
    ),
    (
        "an argument of another type",
        "rpc/restore_link",
        {"method": "POST", "body": {"link_id": "x"}, "status": 400, "code": "22P02"},
    ),
    ("GET of one that writes", "rpc/restore_link?link_id=<gone>", {"status": 405}),
    (
        "save_page",
        "rpc/save_page?select=raw_url,title,list",
        {
            "method": "POST",
            "body": {"url": SITE + "d", "html": "<p>D", "title": "D", "list": "archive", "tags": ["T", "u"]},
            "rows": [{"raw_url": SITE + "d", "title": "D", "list": "archive"}],
            "left": "abcd",
        },
    ),
    (
        "a limit that shows nothing calls it all the same",
        "rpc/save_page?limit=0",
        {"method": "POST", "body": {"url": SITE + "d", "html": "<p>D"}, "rows": [], "left": "abcd"},
    ),
    (
        "a filter that shows nothing as well",
        "rpc/save_page?title=eq.x",
        {"method": "POST", "body": {"url": SITE + "d", "html": "<p>D"}, "rows": [], "left": "abcd"},
    ),
    (
        "save_page of a known link",
        "rpc/save_page?select=id,title",
        {
            "method": "POST",
            "body": {"url": SITE + "a", "html": "<p>A"},
            "rows": [{"id": "<a>", "title": "A"}],
            "left": "abc",
        },
    ),
)

WRITING = INSERTS + FORMATS + UPSERTS + UPDATES + DELETES + PUTS + PREFERENCES + CALLS
