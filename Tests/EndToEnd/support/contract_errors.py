"""The contract of errors (rest-contract.md, 2.5), tokens, preflights and profiles (1.1, 1.2, 2.2)."""

import re

from support.contract_case import NOBODY, REFUSED, SITE, cases
from support.contract_reading import FIRST

# 2.5: errors. None of these changes anything, so the shared rows are used.

ERRORS = (
    cases(
        "2.5-M unknown table:",
        *[
            (name, name, {})
            for name in [
                "nope",
                "Links",
                "auth.users",
                "users",
                "pg_class",
                "information_schema.tables",
                "done_jobs",
                "private.jobs",
                "pages",
                "changes",
                "link%20s",
                "link%2Fs",
            ]
        ],
        status=404,
        code="PGRST205",
    )
    + cases(
        "2.5-M unknown path:",
        ("a row by path", "links/1", {}),
        ("deeper", "links/1/tags", {}),
        ("below rpc", "rpc/save_page/x", {}),
        status=404,
        code="PGRST125",
    )
    + cases(
        "2.5-M unknown function:",
        ("by POST", "rpc/nope", {"method": "POST", "body": {}}),
        ("by GET", "rpc/nope", {}),
        ("of the catalogs", "rpc/pg_sleep", {"method": "POST", "body": {"": 5}}),
        ("of another schema", "rpc/acted_at", {"method": "POST", "body": {}}),
        ("of another schema by name", "rpc/rest.acted_at", {"method": "POST", "body": {}}),
        status=404,
        code="PGRST202",
    )
    + cases(
        "2.5-M unknown verb:",
        *[(verb, "links", {"method": verb}) for verb in ["PROPFIND", "PURGE", "LINK", "FOO"]],
        ("PATCH of a function", "rpc/save_page", {"method": "PATCH", "body": {}}),
        status=405,
        code=("PGRST117", "PGRST101"),
    )
    + cases(
        "2.5-M malformed:",
        *[
            (query, f"links?{query}", {})
            for query in [
                "id=foo",
                "id=eq",
                "id=",
                "title=.x",
                "title=nope.x",
                "title=not.x",
                "title=not.not.eq.x",
                "title=EQ.x",
                "title=neq(any).{a}",
                "title=in.a",
                "title=in.(a",
                "title=in.a)",
                "title=in",
                'title=in.("a)',
                "title=is.5",
                "is_starred=is.maybe",
                "title=is.",
                "title=fts(.x",
                "or=(title.eq.a",
                "or=title.eq.a",
                "or=()",
                "or=(title)",
                "or=(title.nope.a)",
                "or=(title.eq.a,)",
                "or=(,title.eq.a)",
                "or=(title.eq.a)x",
                "and=(or(title.eq.a)",
                "or=(not.title.eq.a)",
                "or=",
                "not.or=(title.eq.a",
                "order=title.down",
                "order=title.asc.nullsmiddle",
                "order=.asc",
                "order=title.asc.desc",
                "order=title,,list",
                "select=tags(",
                "select=tags(name",
                "select=title)",
                "select=title,,list",
                "select=:title",
                "select=title::",
                "select=(title)",
            ]
        ],
        status=400,
        code="PGRST100",
    )
    + cases(
        "2.5-M unknown column:",
        ("in a filter", "links?nope=eq.1", {}),
        ("in a tree", "links?or=(nope.eq.1,title.eq.a)", {}),
        ("in select", "links?select=nope", {}),
        ("in select beside others", "links?select=title,nope", {}),
        ("in order", "links?order=nope", {}),
        ("in order.desc", "links?order=title,nope.desc", {}),
        ("of another case", "links?Title=eq.a", {}),
        ("of the system", "links?select=ctid,nope", {}),
        ("of another table", "links?name=eq.a", {}),
        status=400,
        code="42703",
    )
    + cases(
        "2.5-M value not of the type:",
        ("uuid", "links?id=eq.x", {"code": "22P02"}),
        ("no uuid", "links?id=eq.", {"code": "22P02"}),
        ("uuid in a list", f"links?id=in.({NOBODY},x)", {"code": "22P02"}),
        ("uuid in a tree", "links?or=(id.eq.x,id.eq.y)", {"code": "22P02"}),
        ("boolean", "links?is_starred=eq.maybe", {"code": "22P02"}),
        ("integer", "links?word_count=eq.many", {"code": "22P02"}),
        ("integer out of range", "links?word_count=eq.99999999999", {}),
        ("time", "links?created_at=gt.someday", {"code": "22007"}),
        ("time out of range", "links?created_at=gt.2024-13-45", {"code": "22008"}),
        (
            "time of an embedded row",
            "links?select=highlights(quote)&highlights.created_at=gt.someday",
            {"code": "22007"},
        ),
        ("array", "links?title=eq(any).a", {}),
        ("regex", "links?title=match.(", {}),
        ("fts", "links?title=fts.a b", {}),
        status=400,
    )
    + cases(
        "2.5-M text the database cannot hold:",
        ("NUL in a value", "links?title=eq.%00", {}),
        ("NUL in a tree", "links?or=(title.eq.a%00b)", {}),
        ("NUL in a name", "links?ti%00tle=eq.a", {}),
        ("NUL in select", "links?select=ti%00tle", {}),
        ("bad UTF-8", "links?title=eq.%FF%FE", {}),
        ("half a character", "links?title=like.%C3", {}),
        ("a surrogate in UTF-8", "links?title=eq.%ED%A0%80", {}),
        status=REFUSED,
        code=("22P05", "22021", "PGRST100", "PGRST102", "42703"),
    )
    + cases(
        "2.2-M profiles:",
        (
            "public reads",
            f"links?select=title&{FIRST}",
            {"headers": {"Accept-Profile": "public"}, "rows": [{"title": "Alpha one"}]},
        ),
        ("public by HEAD", "links", {"method": "HEAD", "headers": {"Accept-Profile": "public"}}),
        ("another does not read", "links", {"headers": {"Accept-Profile": "auth"}, "status": 406, "code": "PGRST106"}),
        ("another by HEAD", "links", {"method": "HEAD", "headers": {"Accept-Profile": "private"}, "status": 406}),
        (
            "another does not insert",
            "links",
            {
                "method": "POST",
                "body": {"raw_url": SITE},
                "headers": {"Content-Profile": "private"},
                "status": 406,
                "code": "PGRST106",
            },
        ),
        (
            "another does not update",
            f"links?id=eq.{NOBODY}",
            {"method": "PATCH", "body": {}, "headers": {"Content-Profile": "rest"}, "status": 406, "code": "PGRST106"},
        ),
        (
            "another does not delete",
            f"links?id=eq.{NOBODY}",
            {"method": "DELETE", "headers": {"Content-Profile": "auth"}, "status": 406, "code": "PGRST106"},
        ),
        (
            "another does not call",
            "rpc/save_page",
            {
                "method": "POST",
                "body": {},
                "headers": {"Content-Profile": "pg_catalog"},
                "status": 406,
                "code": "PGRST106",
            },
        ),
        (
            "public updates",
            f"links?id=eq.{NOBODY}",
            {
                "method": "PATCH",
                "body": {"title": "x"},
                "headers": {"Content-Profile": "public", "Accept-Profile": "public"},
                "status": 204,
            },
        ),
        (
            "public deletes",
            f"links?id=eq.{NOBODY}",
            {"method": "DELETE", "headers": {"Content-Profile": "public", "Accept-Profile": "public"}, "status": 204},
        ),
    )
    + cases(
        "2.1-M anon:",
        ("reads nothing", "links", {"status": (200, 401)}),
        ("reads no tags", "tags", {"status": (200, 401)}),
        ("reads no trash", "trash", {"status": (200, 401)}),
        (
            "inserts nothing",
            "links",
            {"method": "POST", "body": {"raw_url": SITE, "user_id": "<me>"}, "status": 401, "code": "42501"},
        ),
        ("updates nothing", "links?id=eq.<a>", {"method": "PATCH", "body": {"title": "x"}, "status": (204, 401)}),
        ("deletes nothing", "links?id=eq.<a>", {"method": "DELETE", "status": (204, 401)}),
        (
            "calls nothing",
            "rpc/save_page",
            {"method": "POST", "body": {"url": SITE, "html": "x"}, "status": 401, "code": "42501"},
        ),
        who="anon",
        also=lambda answer, world: answer.status != 200 or answer.json() == [],
    )
    + cases(
        "1.1-M tokens:",
        (
            "a scheme in any case",
            f"links?select=title&{FIRST}",
            {"headers": {"Authorization": "bEARER <token>"}, "rows": [{"title": "Alpha one"}]},
        ),
        ("an empty bearer", "links", {"headers": {"Authorization": "Bearer "}, "status": 401, "code": "PGRST301"}),
        (
            "rubbish",
            "links",
            {
                "headers": {"Authorization": "Bearer a.b.c"},
                "status": 401,
                "code": "PGRST301",
                "has": {"www-authenticate": re.compile('Bearer error="invalid_token".*')},
            },
        ),
        (
            "another signature",
            "links",
            {"headers": {"Authorization": "Bearer <forged>"}, "status": 401, "code": "PGRST301"},
        ),
        (
            "expired",
            "links",
            {
                "headers": {"Authorization": "Bearer <expired>"},
                "status": 401,
                "code": "PGRST303",
                "has": {"www-authenticate": re.compile('Bearer error="invalid_token".*')},
            },
        ),
        who="key",
    )
    + cases(
        "1.2-M preflight:",
        *[
            (
                f"{path} {verb}",
                path,
                {
                    "headers": {
                        "Origin": origin,
                        "Access-Control-Request-Method": verb,
                        "Access-Control-Request-Headers": asked,
                    },
                    "also": lambda answer, world: (
                        {"apikey", "prefer", "x-client-info", "x-lectern-acted-at"}
                        <= {name.strip().lower() for name in answer["access-control-allow-headers"].split(",")}
                        and answer["access-control-max-age"]
                    ),
                },
            )
            for path, verb, origin in [
                ("links", "POST", "https://read.example"),
                ("rpc/save_page", "POST", "chrome-extension://" + "a" * 32),
                ("nope", "GET", "null"),
                ("links?id=eq.1", "DELETE", "null"),
            ]
            for asked in ["apikey, prefer,x-client-info , X-Lectern-Acted-At"]
        ],
        method="OPTIONS",
        who="nobody",
        status=(200, 204),
        has={"access-control-allow-methods": re.compile(".*PATCH.*DELETE.*")},
    )
    + cases(
        "2.4-O OPTIONS:",
        (
            "a table",
            "links",
            {
                "also": lambda answer, world: (
                    {"GET", "POST", "PATCH", "DELETE"} <= set(answer["allow"].replace(" ", "").split(","))
                    and answer["allow"].replace(" ", "") == "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"
                )
            },
        ),
        method="OPTIONS",
        status=200,
    )
)
