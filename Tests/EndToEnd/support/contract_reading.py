"""The contract of reading, row by row (rest-contract.md, 2.2 to 2.4). Every name begins with the section and level of
its row."""

import csv
import io
import json
import re

from support.client import encoded
from support.contract_case import OBJECT, REFUSED, SITE, STRIPPED, STRIPPED_OBJECT, Case, cases

# The rows that reading is tested with. No test changes them.

LETTERS = {
    letter: dict(zip(["title", "description", "list", "status", "is_starred", "device_saved"], values))
    for letter, *values in [
        ("a", "Alpha one", "first of all", "read", "unread", False, "phone"),
        ("b", "Beta two", None, "read", "read", True, "desk"),
        ("c", "Gamma, three", "a,b(c)", "archive", "unread", False, None),
        ("d", 'Delta "four"', "back\\slash", "archive", "read", True, "phone"),
        ("e", "Epsilon (five)", "100% sure", "read", "unread", False, None),
        ("f", None, "no title", "read", "unread", False, "desk"),
        ("g", "eta_seven", "under_score * star", "archive", "read", False, None),
        ("h", "Théta: huit", "running cats and dogs", "read", "unread", True, "pad"),
    ]
}
TAGGED = {"swift": "ab", "linux": "ad", "unused": ""}
HIGHLIGHTS = [("a", "early", "yellow", 1), ("a", "late", "green", 5), ("b", "only", "yellow", 3)]
COLLECTED = {"Inbox": "ac", "Later": "d"}


# 2.2, filters: every operator in every position.

# Level, name, column, term as a plain filter, term inside a tree, matching rows, rows with null in the column.
OPERATORS = [
    ("M", "eq", "title", "eq.Alpha one", 'eq."Alpha one"', "a", "f"),
    ("M", "eq of a boolean", "is_starred", "eq.true", "eq.true", "bdh", ""),
    ("M", "neq", "list", "neq.read", "neq.read", "cdg", ""),
    ("M", "gt", "created_at", "gt.2024-01-06T00:00:00%2B00:00", "gt.2024-01-06T00:00:00%2B00:00", "gh", ""),
    ("M", "gte", "created_at", "gte.2024-01-06T00:00:00Z", 'gte."2024-01-06T00:00:00Z"', "fgh", ""),
    ("M", "lt", "created_at", "lt.2024-01-03", "lt.2024-01-03", "ab", ""),
    ("M", "lte", "created_at", "lte.2024-01-03T00:00:00%2B00:00", "lte.2024-01-03T00:00:00%2B00:00", "abc", ""),
    ("M", "like", "title", "like.*eta*", "like.*eta*", "bg", "f"),
    ("M", "like with %", "title", "like.%25a %25", "like.%25a %25", "abd", "f"),
    ("M", "like with _", "title", "like.e_a*", "like.e_a*", "g", "f"),
    ("M", "ilike", "title", "ilike.*EPSILON*", "ilike.*EPSILON*", "e", "f"),
    ("M", "is.null", "title", "is.null", "is.null", "f", ""),
    ("M", "is.not_null", "title", "is.not_null", "is.not_null", "abcdegh", ""),
    ("M", "is.true", "is_starred", "is.true", "is.true", "bdh", ""),
    ("M", "is.false", "is_starred", "is.false", "is.false", "acefg", ""),
    ("M", "is.unknown", "is_starred", "is.unknown", "is.unknown", "", ""),
    ("M", "in", "title", 'in.("Gamma, three",Alpha one)', 'in.("Gamma, three",Alpha one)', "ac", "f"),
    ("M", "in.()", "list", "in.()", "in.()", "", ""),
    ("S", "match", "title", "match.^[AB]", 'match."^[AB]"', "ab", "f"),
    ("S", "imatch", "title", "imatch.^e", "imatch.^e", "eg", "f"),
    ("S", "isdistinct", "device_saved", "isdistinct.phone", "isdistinct.phone", "bcefgh", ""),
    ("S", "fts", "description", "fts.dogs", "fts.dogs", "h", "b"),
    ("S", "fts(config)", "description", "fts(english).cat %26 dog", 'fts(english)."cat %26 dog"', "h", "b"),
    ("S", "plfts(config)", "description", "plfts(english).dog cat", "plfts(english).dog cat", "h", "b"),
    ("S", "phfts(config)", "description", "phfts(english).running cats", "phfts(english).running cats", "h", "b"),
    ("S", "wfts(config)", "description", "wfts(english).zebra or cats", "wfts(english).zebra or cats", "h", "b"),
    ("S", "eq(any)", "title", "eq(any).{Alpha one,Beta two}", "eq(any).{Alpha one,Beta two}", "ab", "f"),
    (
        "S",
        "eq(any) quoted",
        "title",
        'eq(any).{"Gamma, three",Beta two}',
        'eq(any).{"Gamma, three",Beta two}',
        "bc",
        "f",
    ),
    ("S", "eq(all)", "list", "eq(all).{read,read}", "eq(all).{read,read}", "abefh", ""),
    ("S", "gt(any)", "created_at", "gt(any).{2024-01-07,2024-01-05}", "gt(any).{2024-01-07,2024-01-05}", "fgh", ""),
    ("S", "gte(all)", "created_at", "gte(all).{2024-01-07,2024-01-05}", "gte(all).{2024-01-07,2024-01-05}", "gh", ""),
    ("S", "lt(all)", "created_at", "lt(all).{2024-01-07,2024-01-02}", "lt(all).{2024-01-07,2024-01-02}", "a", ""),
    ("S", "lte(any)", "created_at", "lte(any).{2024-01-01,2024-01-02}", "lte(any).{2024-01-01,2024-01-02}", "ab", ""),
    ("S", "like(any)", "title", "like(any).{*one,*two}", "like(any).{*one,*two}", "ab", "f"),
    ("S", "like(all)", "title", "like(all).{*eta*,*w*}", "like(all).{*eta*,*w*}", "b", "f"),
    ("S", "ilike(any)", "title", "ilike(any).{ALPHA*,BETA*}", "ilike(any).{ALPHA*,BETA*}", "ab", "f"),
    ("S", "ilike(all)", "title", "ilike(all).{*E*,ALPHA*}", "ilike(all).{*E*,ALPHA*}", "a", "f"),
    ("S", "match(any)", "title", "match(any).{^A,^B}", "match(any).{^A,^B}", "ab", "f"),
    ("S", "imatch(all)", "title", "imatch(all).{^e,n$}", "imatch(all).{^e,n$}", "g", "f"),
]


def every_filter_form(level, name, column, plain, nested, matching, null):
    """The operator as a filter, negated, and in trees. A comparison with null is neither true nor false."""
    others = "".join(letter for letter in LETTERS if letter not in matching + null)
    either = "".join(sorted(set(matching) | {"c"}))
    for words, filter, letters in [
        ("plain", f"{column}={plain}", matching),
        ("not.", f"{column}=not.{plain}", others),
        ("in or", f"or=(raw_url.eq.{SITE}c,{column}.{nested})", either),
        ("not. in and", f"and=({column}.not.{nested},id.not.is.null)", others),
        ("in not.or", f"not.or=({column}.{nested},id.is.null)", others),
    ]:
        yield Case(
            f"2.2-{level} operators:",
            f"{name} {words}",
            f"links?select=raw_url&order=raw_url&{filter}",
            letters=letters,
        )


FILTERS = (
    [case for operator in OPERATORS for case in every_filter_form(*operator)]
    + [
        Case(row, words, f"links?select=raw_url&order=raw_url&{filter}", letters=letters)
        for row, words, filter, letters in [
            ("2.2-M repeated filters:", "on two columns", "list=eq.read&status=eq.read", "b"),
            ("2.2-M repeated filters:", "on one column", "created_at=gte.2024-01-03&created_at=lt.2024-01-05", "cd"),
            ("2.2-M repeated filters:", "contradicting", "list=eq.read&list=eq.archive", ""),
            ("2.2-M a plus:", "is a space", "title=eq.Alpha+one", "a"),
            ("2.2-M a plus:", "%2B is a plus", "title=eq.Alpha%2Bone", ""),
            ("2.2-M order of parameters:", "does not matter", "status=eq.unread&limit=2&list=eq.read", "ae"),
            ("2.2-M is:", "NULL in capitals", "title=is.NULL", "f"),
            ("2.2-M is:", "True", "is_starred=is.True", "bdh"),
            ("2.2-M is:", "Not_Null", "title=is.Not_Null", "abcdegh"),
            ("2.2-M is:", "UNKNOWN in a tree", "or=(is_starred.is.UNKNOWN,title.is.Null)", "f"),
            ("2.2-M in:", "a quoted quote", r'title=in.("Delta \"four\"")', "d"),
            ("2.2-M in:", "a quoted backslash", r'description=in.("back\\slash")', "d"),
            ("2.2-M in:", "quoted parentheses", 'title=in.("Epsilon (five)")', "e"),
            ("2.2-M in:", "a quoted colon", 'title=in.("Théta: huit","x")', "h"),
            ("2.2-M in:", "an empty quoted value", 'title=in.("")', ""),
            ("2.2-M in:", "quoted blanks at the ends are part of it", 'title=in.(" Alpha one ")', ""),
            ("2.2-M in:", "dots need no quotes", f"raw_url=in.({SITE}a,{SITE}b)", "ab"),
            ("2.2-M in:", "booleans", "is_starred=in.(true)", "bdh"),
            ("2.2-M in:", "everything encoded", "title=in.%28%22Gamma%2C%20three%22%2CAlpha%20one%29", "ac"),
            ("2.2-M trees:", "and in or", "or=(title.is.null,and(list.eq.archive,status.eq.read))", "dfg"),
            ("2.2-M trees:", "or in and", "and=(list.eq.read,or(is_starred.is.true,title.is.null))", "bfh"),
            ("2.2-M trees:", "not.and in or", "or=(not.and(list.eq.read,status.eq.unread),title.is.null)", "bcdfg"),
            ("2.2-M trees:", "not.or in and", "and=(list.eq.read,not.or(is_starred.is.true,title.is.null))", "ae"),
            ("2.2-M trees:", "not.and on top", "not.and=(list.eq.read,status.eq.unread)", "bcdg"),
            (
                "2.2-M trees:",
                "several or are ANDed",
                "or=(list.eq.read,list.eq.x)&or=(status.eq.read,is_starred.is.true)",
                "bh",
            ),
            ("2.2-M trees:", "or and a filter", "or=(list.eq.archive,is_starred.is.true)&status=eq.unread", "ch"),
            (
                "2.2-M trees:",
                "blanks after commas",
                'or=(title.eq."Alpha one", title.eq."Beta two", and(list.eq.archive, status.eq.unread))',
                "abc",
            ),
            ("2.2-M trees:", "a quoted comma", 'or=(title.eq."Gamma, three",title.eq.x)', "c"),
            ("2.2-M trees:", "a quoted parenthesis", 'or=(title.eq."Epsilon (five)")', "e"),
            ("2.2-M trees:", "quoted quotes", r'or=(title.eq."Delta \"four\"",title.eq.x)', "d"),
            ("2.2-M trees:", "a quoted backslash", r'or=(description.eq."back\\slash")', "d"),
            (
                "2.2-M trees:",
                "in with quotes inside",
                'or=(title.in.("Gamma, three","Epsilon (five)"),title.is.null)',
                "cef",
            ),
            ("2.2-M trees:", "not.in inside", "and=(title.not.in.(Alpha one,Beta two))", "cdegh"),
            (
                "2.2-M trees:",
                "colons raw",
                "or=(created_at.eq.2024-01-02T00:00:00%2B00:00,created_at.lt.2024-01-01T00:00:01Z)",
                "ab",
            ),
            ("2.2-M trees:", "everything encoded", "or=%28title.eq.Alpha%20one%2Ctitle.eq.Beta%20two%29", "ab"),
            ("2.2-M trees:", "one term alone", "or=(list.eq.archive)", "cdg"),
            (
                "2.2-M trees:",
                "twenty deep",
                "or=(title.is.null,"
                + "and(id.not.is.null,or(title.is.null," * 10
                + "list.eq.archive"
                + "))" * 10
                + ")",
                "cdfg",
            ),
            ("2.2-M plain value:", "commas and parentheses are literal", "description=eq.a,b(c)", "c"),
            ("2.2-M plain value:", "quotes are literal", 'title=eq.Delta "four"', "d"),
            ("2.2-M plain value:", "quotes around it are literal", 'title=eq."Alpha one"', ""),
            ("2.2-M plain value:", "a backslash is literal", r"description=eq.back\slash", "d"),
            ("2.2-M plain value:", "a per cent sign", "description=eq.100%25 sure", "e"),
            ("2.2-M plain value:", "dots", f"raw_url=eq.{SITE}a", "a"),
            ("2.2-M plain value:", "nothing", "title=eq.", ""),
            ("2.2-M plain value:", "an operator's name", "title=eq.not.eq.Alpha one", ""),
            ("2.2-M plain value:", "null is a word", "title=eq.null", ""),
            ("2.2-M plain value:", "an encoded address", f"raw_url=eq.{encoded(SITE + 'a')}", "a"),
            ("2.2-M column names:", "quoted in a filter", '"title"=eq.Alpha one', "a"),
            ("2.2-M column names:", "quoted in a tree", 'or=("title".eq."Alpha one","title".is.null)', "af"),
            ("2.2-S fts:", "another config finds other words", "description=fts(simple).cat", ""),
            ("2.2-S fts:", "words in any order", "description=phfts(english).cats running", ""),
            ("2.2-S any:", "with not.", "title=not.like(any).{*one,*two}", "cdegh"),
            ("2.2-S any:", "of an empty list", "title=eq(any).{}", ""),
            ("1.1-M apikey:", "in the query is no filter", "apikey=anything&title=eq.Alpha one", "a"),
        ]
    ]
    + [
        Case("2.2-O operators:", f"{operator} is answered", f"links?title={operator}.{value}", status=(200, *REFUSED))
        for operator, value in [
            ("cs", "{a}"),
            ("cd", "{a}"),
            ("ov", "{a}"),
            ("sl", "[1,2]"),
            ("sr", "[1,2]"),
            ("nxl", "[1,2]"),
            ("nxr", "[1,2]"),
            ("adj", "[1,2]"),
        ]
    ]
    + [
        Case("2.2-O operators:", "cs of JSON", 'trash?select=raw_url&link=cs.{"list":"archive"}', status=(200, 400)),
        Case("2.2-S fts:", "an unknown config is refused", "links?description=fts(nope).cat", status=400),
    ]
)


# 2.2, select.

FIRST = f"raw_url=eq.{SITE}a"

SELECT = (
    cases(
        "2.2-M select:",
        (
            "columns in their order",
            f"links?select=title,list,raw_url&{FIRST}",
            {
                "rows": [{"title": "Alpha one", "list": "read", "raw_url": SITE + "a"}],
                "also": lambda answer, world: list(answer.json()[0]) == ["title", "list", "raw_url"],
            },
        ),
        (
            "* holds every column, null or not",
            f"links?select=*&{FIRST}",
            {
                "also": lambda answer, world: (
                    {
                        "id",
                        "user_id",
                        "raw_url",
                        "resolved_url",
                        "title",
                        "description",
                        "list",
                        "status",
                        "device_saved",
                        "is_starred",
                        "created_at",
                        "updated_at",
                    }
                    <= set(answer.json()[0])
                )
            },
        ),
        ("nothing means *", f"links?{FIRST}", {"some": [{"title": "Alpha one", "description": "first of all"}]}),
        ("an alias", f"links?select=name:title&{FIRST}", {"rows": [{"name": "Alpha one"}]}),
        ("a cast", f"links?select=created_at::date&{FIRST}", {"rows": [{"created_at": "2024-01-01"}]}),
        ("a cast to text", f"links?select=is_starred::text&{FIRST}", {"rows": [{"is_starred": "false"}]}),
        ("an alias and a cast", f"links?select=day:created_at::date&{FIRST}", {"rows": [{"day": "2024-01-01"}]}),
        (
            "blanks",
            f"links?select=title, list , status&{FIRST}",
            {"rows": [{"title": "Alpha one", "list": "read", "status": "unread"}]},
        ),
        ("quoted names", f'links?select="title","list"&{FIRST}', {"rows": [{"title": "Alpha one", "list": "read"}]}),
        ("a quoted name with an alias", f'links?select=name:"title"&{FIRST}', {"rows": [{"name": "Alpha one"}]}),
        (
            "the same column twice by alias",
            f"links?select=x:title,y:title&{FIRST}",
            {"rows": [{"x": "Alpha one", "y": "Alpha one"}]},
        ),
        (
            "* and an alias",
            f"links?select=*,name:title&{FIRST}",
            {"some": [{"title": "Alpha one", "name": "Alpha one"}]},
        ),
        ("count", "links?select=count", {"rows": [{"count": 8}]}),
        ("count of filtered rows", "links?select=count&list=eq.archive", {"rows": [{"count": 3}]}),
        ("count of no rows", "links?select=count&title=eq.x", {"rows": [{"count": 0}]}),
        ("count and a limit of one", "links?select=count&limit=1", {"rows": [{"count": 8}]}),
    )
    + cases(
        "2.2-O aggregates:",
        ("count() is refused", "links?select=count()", {"status": 400, "code": "PGRST123"}),
        ("sum() is refused", "links?select=word_count.sum()", {"status": 400, "code": "PGRST123"}),
        ("sum() after a cast is refused", "links?select=word_count::int.sum()", {"status": 400, "code": "PGRST123"}),
        (
            "a number of rows beside columns is refused",
            "links?select=list,n:count()",
            {"status": 400, "code": "PGRST123"},
        ),
    )
    + cases(
        "2.2-O the number of rows:",
        ("count() under a name", "links?select=total:count()", {"rows": [{"total": 8}]}),
        ("count under a name", "links?select=total:count", {"rows": [{"total": 8}]}),
        ("filtered", "links?select=total:count()&list=eq.archive", {"rows": [{"total": 3}]}),
        ("with a cast", "links?select=total:count()::text", {"rows": [{"total": "8"}]}),
        ("of a relation", f"links?select=marks:highlights(n:count())&{FIRST}", {"rows": [{"marks": [{"n": 2}]}]}),
    )
    + cases(
        "2.2-M select of a wrong thing:",
        ("an unknown type", "links?select=title::nope", {"status": 400, "code": "42704"}),
        ("a type of the catalog", "links?select=title::regclass", {"status": 400, "code": "42704"}),
        ("a type in capitals is known", f"links?select=is_starred::TEXT&{FIRST}", {"rows": [{"is_starred": "false"}]}),
        ("what is no name of a type", "links?select=title::a-b", {"status": 400, "code": "PGRST100"}),
        ("a cast that cannot be", "links?select=title::integer", {"status": 400, "code": "22P02"}),
    )
    + cases(
        "2.2-S json path:",
        ("->> is text", "trash?select=link->>title&order=raw_url", {"rows": [{"title": "Why"}, {"title": "Zed"}]}),
        (
            "-> is JSON",
            "trash?select=link->is_starred&order=raw_url",
            {"rows": [{"is_starred": False}, {"is_starred": True}]},
        ),
        ("with an alias", "trash?select=name:link->>title&order=raw_url", {"rows": [{"name": "Why"}, {"name": "Zed"}]}),
        (
            "into arrays",
            "trash?select=parts->highlights->0->>quote&order=raw_url",
            {"rows": [{"quote": None}, {"quote": "end"}]},
        ),
        (
            "from the end of an array",
            "trash?select=q:parts->highlights->-1->>quote&order=raw_url",
            {"rows": [{"q": None}, {"q": "end"}]},
        ),
        (
            "and a cast",
            "trash?select=star:link->>is_starred::boolean&order=raw_url",
            {"rows": [{"star": False}, {"star": True}]},
        ),
        ("a filter on ->>", "trash?select=raw_url&link->>list=eq.archive", {"letters": "z"}),
        ("a filter on ->", "trash?select=raw_url&link->is_starred=eq.true", {"letters": "z"}),
        ("a filter with like", "trash?select=raw_url&link->>title=like.W*", {"letters": "y"}),
        ("a filter with in", "trash?select=raw_url&link->>list=in.(archive,x)", {"letters": "z"}),
        ("a filter with not", "trash?select=raw_url&link->>list=not.eq.archive", {"letters": "y"}),
        ("an unknown key is null", "trash?select=raw_url&link->>nope=is.null&order=raw_url", {"letters": "yz"}),
        ("in a tree", "trash?select=raw_url&or=(link->>list.eq.archive,link->>title.eq.x)", {"letters": "z"}),
        ("an order", "trash?select=raw_url&order=link->>title.desc", {"letters": "zy"}),
        ("into a column that does not exist is answered", "links?select=title->>x", {"status": (200, *REFUSED)}),
    )
)


# 2.2, embedding.


def highlighted(*quotes):
    return [{"quote": quote} for quote in quotes]


EMBEDDING = (
    cases(
        "2.2-S embedding:",
        (
            "to one",
            "highlights?select=quote,links(title)&order=quote",
            {
                "rows": [
                    {"quote": "early", "links": {"title": "Alpha one"}},
                    {"quote": "late", "links": {"title": "Alpha one"}},
                    {"quote": "only", "links": {"title": "Beta two"}},
                ]
            },
        ),
        (
            "to many",
            "links?select=title,highlights(quote)&highlights.order=quote&order=raw_url&limit=3",
            {
                "rows": [
                    {"title": "Alpha one", "highlights": highlighted("early", "late")},
                    {"title": "Beta two", "highlights": highlighted("only")},
                    {"title": "Gamma, three", "highlights": []},
                ]
            },
        ),
        (
            "many to many",
            "links?select=title,tags(name)&tags.order=name&order=raw_url&limit=3",
            {
                "rows": [
                    {"title": "Alpha one", "tags": [{"name": "linux"}, {"name": "swift"}]},
                    {"title": "Beta two", "tags": [{"name": "swift"}]},
                    {"title": "Gamma, three", "tags": []},
                ]
            },
        ),
        (
            "many to many, from the other side",
            "tags?select=name,links(title)&links.order=title&order=name",
            {
                "rows": [
                    {"name": "linux", "links": [{"title": "Alpha one"}, {"title": 'Delta "four"'}]},
                    {"name": "swift", "links": [{"title": "Alpha one"}, {"title": "Beta two"}]},
                    {"name": "unused", "links": []},
                ]
            },
        ),
        (
            "one to one, an object or null",
            "links?select=title,notes(body),articles(title)&order=raw_url&limit=2",
            {
                "rows": [
                    {"title": "Alpha one", "notes": {"body": "mine"}, "articles": None},
                    {"title": "Beta two", "notes": None, "articles": {"title": "The article"}},
                ]
            },
        ),
        (
            "one to one, from the other side",
            "articles?select=title,links(title)",
            {"rows": [{"title": "The article", "links": {"title": "Beta two"}}]},
        ),
        (
            "a table within itself: the children by its name",
            "collections?select=name,collections(name)&order=name",
            {"rows": [{"name": "Inbox", "collections": []}, {"name": "Later", "collections": []}]},
        ),
        (
            "ordered by the column of a relation to one",
            "links?select=title,articles(title)&order=articles(title).asc.nullslast,raw_url&limit=2",
            {
                "rows": [
                    {"title": "Beta two", "articles": {"title": "The article"}},
                    {"title": "Alpha one", "articles": None},
                ]
            },
        ),
        (
            "ordered by a column of the relation that is not selected",
            "links?select=title,a:articles(words:word_count),notes()&order=a(title).desc.nullsfirst,notes(body)&limit=1",
            {"rows": [{"title": "Alpha one", "a": None}]},
        ),
        (
            "ordered by a relation to many",
            "links?select=title,tags(name)&order=tags(name)",
            {
                "status": 400,
                "code": "PGRST118",
                "also": lambda answer, world: (
                    answer.json()["message"] == "A related order on 'tags' is not possible"
                    and answer.json()["details"]
                    == "'links' and 'tags' do not form a many-to-one or one-to-one relationship"
                ),
            },
        ),
        (
            "ordered by a relation that is not embedded",
            "links?select=title&order=articles(title)",
            {"status": 400, "code": "PGRST108"},
        ),
        (
            "the null test of a relation in or",
            "links?select=title,notes(),articles()&or=(notes.not.is.null,articles.not.is.null)&order=raw_url",
            {
                "rows": [{"title": "Alpha one"}, {"title": "Beta two"}],
                "prefer": "count=exact",
                "also": lambda answer, world: answer["content-range"] == "0-1/2",
            },
        ),
        (
            "the null test of a filtered relation to many in or",
            "links?select=title,t:tags(name)&t.name=eq.linux&or=(t.not.is.null,title.eq.Beta two)&order=raw_url",
            {
                "rows": [
                    {"title": "Alpha one", "t": [{"name": "linux"}]},
                    {"title": "Beta two", "t": []},
                    {"title": 'Delta "four"', "t": [{"name": "linux"}]},
                ]
            },
        ),
        (
            "through the table between",
            f"links?select=title,link_tags(tags(name))&{FIRST}",
            {
                "also": lambda answer, world: (
                    sorted(one["tags"]["name"] for one in answer.json()[0]["link_tags"]) == ["linux", "swift"]
                )
            },
        ),
        (
            "collections",
            "collections?select=name,links(title)&links.order=title&order=name",
            {
                "rows": [
                    {"name": "Inbox", "links": [{"title": "Alpha one"}, {"title": "Gamma, three"}]},
                    {"name": "Later", "links": [{"title": 'Delta "four"'}]},
                ]
            },
        ),
        (
            "*",
            f"links?select=title,notes(*)&{FIRST}",
            {"also": lambda answer, world: answer.json()[0]["notes"]["link_id"] == world.ids["a"]},
        ),
        (
            "* beside *",
            f"links?select=*,tags(*)&{FIRST}",
            {"also": lambda answer, world: len(answer.json()[0]["tags"]) == 2},
        ),
        (
            "an alias",
            f"links?select=marks:highlights(quote)&marks.order=quote&{FIRST}",
            {"rows": [{"marks": highlighted("early", "late")}]},
        ),
        (
            "an alias and a filter by it",
            f"links?select=marks:highlights(quote)&marks.color=eq.green&{FIRST}",
            {"rows": [{"marks": highlighted("late")}]},
        ),
        (
            "aliases and casts inside",
            f"links?select=highlights(text:quote,at:start_offset::text)&highlights.order=quote&{FIRST}",
            {"rows": [{"highlights": [{"text": "early", "at": "1"}, {"text": "late", "at": "5"}]}]},
        ),
        (
            "two aliases of one relation",
            f"links?select=y:highlights(quote),g:highlights(quote)&y.color=eq.yellow&g.color=eq.green&{FIRST}",
            {"rows": [{"y": highlighted("early"), "g": highlighted("late")}]},
        ),
        (
            "nested",
            "collections?select=name,links(title,tags(name))&links.tags.name=eq.linux&links.order=title&name=eq.Inbox",
            {
                "rows": [
                    {
                        "name": "Inbox",
                        "links": [
                            {"title": "Alpha one", "tags": [{"name": "linux"}]},
                            {"title": "Gamma, three", "tags": []},
                        ],
                    }
                ]
            },
        ),
        (
            "nested to one",
            "highlights?select=quote,links(title,notes(body))&quote=eq.late",
            {"rows": [{"quote": "late", "links": {"title": "Alpha one", "notes": {"body": "mine"}}}]},
        ),
        (
            "a filter inside leaves the parents",
            "links?select=title,highlights(quote)&highlights.color=eq.green&order=raw_url&limit=2",
            {
                "rows": [
                    {"title": "Alpha one", "highlights": highlighted("late")},
                    {"title": "Beta two", "highlights": []},
                ]
            },
        ),
        (
            "an order inside",
            f"links?select=highlights(quote)&highlights.order=start_offset.desc&{FIRST}",
            {"rows": [{"highlights": highlighted("late", "early")}]},
        ),
        (
            "a limit inside",
            f"links?select=highlights(quote)&highlights.order=quote&highlights.limit=1&{FIRST}",
            {"rows": [{"highlights": highlighted("early")}]},
        ),
        (
            "an offset inside",
            f"links?select=highlights(quote)&highlights.order=quote&highlights.offset=1&{FIRST}",
            {"rows": [{"highlights": highlighted("late")}]},
        ),
        (
            "or inside",
            f"links?select=highlights(quote)&highlights.or=(color.eq.green,quote.eq.x)&{FIRST}",
            {"rows": [{"highlights": highlighted("late")}]},
        ),
        (
            "in inside",
            f"links?select=highlights(quote)&highlights.color=in.(green,blue)&{FIRST}",
            {"rows": [{"highlights": highlighted("late")}]},
        ),
        (
            "not inside",
            f"links?select=highlights(quote)&highlights.color=not.eq.green&{FIRST}",
            {"rows": [{"highlights": highlighted("early")}]},
        ),
        (
            "count inside",
            "tags?select=name,link_tags(count)&order=name",
            {
                "rows": [
                    {"name": "linux", "link_tags": [{"count": 2}]},
                    {"name": "swift", "link_tags": [{"count": 2}]},
                    {"name": "unused", "link_tags": [{"count": 0}]},
                ]
            },
        ),
        (
            "!inner drops parents without",
            "links?select=raw_url,highlights!inner(quote)&order=raw_url",
            {"letters": "ab"},
        ),
        (
            "!inner with a filter",
            "links?select=raw_url,tags!inner(name)&tags.name=eq.linux&order=raw_url",
            {"letters": "ad"},
        ),
        (
            "!inner to one",
            "highlights?select=quote,links!inner(title)&links.title=eq.Beta two",
            {"rows": [{"quote": "only", "links": {"title": "Beta two"}}]},
        ),
        (
            "!inner nested",
            "collections?select=name,links!inner(title,tags!inner(name))&links.tags.name=eq.swift",
            {"rows": [{"name": "Inbox", "links": [{"title": "Alpha one", "tags": [{"name": "swift"}]}]}]},
        ),
        (
            "!inner counts only what is shown",
            "links?select=raw_url,tags!inner(name)&tags.name=eq.linux&order=raw_url",
            {"prefer": "count=exact", "letters": "ad", "has": {"content-range": "0-1/2"}},
        ),
        ("!left keeps them", "links?select=raw_url,highlights!left(quote)&order=raw_url", {"letters": "abcdefgh"}),
        (
            "a hint: the table between",
            f"links?select=tags!link_tags(name)&tags.order=name&{FIRST}",
            {"rows": [{"tags": [{"name": "linux"}, {"name": "swift"}]}]},
        ),
        (
            "a hint: the foreign key",
            f"links?select=highlights!highlights_link_id_user_id_fkey(quote)&highlights.order=quote&{FIRST}",
            {"rows": [{"highlights": highlighted("early", "late")}]},
        ),
        (
            "a hint and !inner",
            "links?select=raw_url,tags!link_tags!inner(name)&tags.name=eq.swift&order=raw_url",
            {"letters": "ab"},
        ),
        (
            "spread of one",
            "highlights?select=quote,...links(title)&quote=eq.only",
            {"rows": [{"quote": "only", "title": "Beta two"}]},
        ),
        (
            "spread of one with an alias",
            "highlights?select=quote,...links(of:title)&quote=eq.only",
            {"rows": [{"quote": "only", "of": "Beta two"}]},
        ),
        (
            "spread of none is null",
            "links?select=raw_url,...articles(words:word_count)&title=eq.Alpha one",
            {"rows": [{"raw_url": SITE + "a", "words": None}]},
        ),
        (
            "spread of many is arrays",
            f"links?select=list,...highlights(quote)&highlights.order=quote&{FIRST}",
            {"rows": [{"list": "read", "quote": ["early", "late"]}]},
        ),
        (
            "blanks",
            f"links?select=list, notes( body )&{FIRST}",
            {"rows": [{"list": "read", "notes": {"body": "mine"}}]},
        ),
        (
            "encoded",
            f"links?select=list%2Cnotes%28body%29&{FIRST}",
            {"rows": [{"list": "read", "notes": {"body": "mine"}}]},
        ),
    )
    + cases(
        "2.2-M unknown relation:",
        ("on top", "links?select=nope(id)", {"status": 400, "code": "PGRST200"}),
        ("nested", "links?select=tags(nope(id))", {"status": 400, "code": "PGRST200"}),
        ("of a table that has none", "trash?select=links(id)", {"status": 400, "code": "PGRST200"}),
        ("a wrong hint", "links?select=tags!nope(name)", {"status": 400, "code": "PGRST200"}),
        ("users cannot be embedded", "links?select=users(email)", {"status": 400, "code": "PGRST200"}),
        ("an embedded column that does not exist", "links?select=tags(nope)", {"status": 400, "code": "42703"}),
        (
            "an embedded filter on a column that does not exist",
            "links?select=tags(name)&tags.nope=eq.1",
            {"status": 400, "code": "42703"},
        ),
    )
    + cases(
        "2.2-M filter on what is not embedded:",
        ("a filter", "links?select=title&tags.name=eq.swift", {"status": 400, "code": "PGRST108"}),
        ("a nested filter", "links?select=tags(name)&tags.links.title=eq.x", {"status": 400, "code": "PGRST108"}),
        ("or", "links?select=title&tags.or=(name.eq.a,name.eq.b)", {"status": 400, "code": "PGRST108"}),
        (
            "by its name when it has an alias",
            "links?select=t:notes(body)&articles.title=eq.x",
            {"status": 400, "code": "PGRST108"},
        ),
    )
)


# 2.2, order, limit, offset, Range.

ORDER = cases(
    "2.2-M order:",
    ("ascending puts null last", "links?select=raw_url&order=device_saved,raw_url", {"letters": "bfhadceg"}),
    ("asc in words", "links?select=raw_url&order=device_saved.asc,raw_url.asc", {"letters": "bfhadceg"}),
    ("desc puts null first", "links?select=raw_url&order=device_saved.desc,raw_url", {"letters": "cegadhbf"}),
    ("asc.nullsfirst", "links?select=raw_url&order=device_saved.asc.nullsfirst,raw_url", {"letters": "cegbfhad"}),
    ("desc.nullslast", "links?select=raw_url&order=device_saved.desc.nullslast,raw_url", {"letters": "adhbfceg"}),
    (
        "nullsfirst without a direction",
        "links?select=raw_url&order=device_saved.nullsfirst,raw_url",
        {"letters": "cegbfhad"},
    ),
    (
        "nullslast without a direction",
        "links?select=raw_url&order=device_saved.nullslast,raw_url.desc",
        {"letters": "fbhdagec"},
    ),
    ("a column that is not selected", "links?select=raw_url&order=created_at.desc", {"letters": "hgfedcba"}),
    ("the app's", "links?select=raw_url&order=updated_at.desc.nullslast,id.desc", {"letters": "hgfedcba"}),
    ("a quoted name", 'links?select=raw_url&order="created_at".desc', {"letters": "hgfedcba"}),
)

PAGES = [
    Case(
        "2.2-M limits:",
        words,
        f"links?select=raw_url&order=raw_url&{query}",
        headers={"Range": range} if range else {},
        letters=letters,
        has={"content-range": said},
    )
    for words, query, range, letters, said in [
        ("no limit", "", None, "abcdefgh", "0-7/*"),
        ("limit", "limit=3", None, "abc", "0-2/*"),
        ("limit beyond the end", "limit=100", None, "abcdefgh", "0-7/*"),
        ("limit=0", "limit=0", None, "", "*/*"),
        ("offset", "offset=5", None, "fgh", "5-7/*"),
        ("limit and offset", "limit=2&offset=2", None, "cd", "2-3/*"),
        ("limit and offset across the end", "limit=5&offset=6", None, "gh", "6-7/*"),
        ("offset at the end", "offset=8", None, "", "*/*"),
        ("offset past the end", "offset=100", None, "", "*/*"),
        ("a negative offset is ignored", "offset=-4", None, "abcdefgh", "0-7/*"),
        ("a negative offset and a limit", "limit=2&offset=-4", None, "ab", "0-1/*"),
        ("Range a-b", "", "0-2", "abc", "0-2/*"),
        ("Range in the middle", "", "3-4", "de", "3-4/*"),
        ("Range a-", "", "5-", "fgh", "5-7/*"),
        ("Range of one row", "", "7-7", "h", "7-7/*"),
        ("Range across the end", "", "6-100", "gh", "6-7/*"),
        ("Range past the end", "", "100-200", "", "*/*"),
        ("limit narrower than Range", "limit=2", "0-4", "ab", "0-1/*"),
        ("Range narrower than limit", "limit=5", "0-1", "ab", "0-1/*"),
        ("Range within limit and offset", "limit=3&offset=2", "0-3", "cd", "2-3/*"),
    ]
] + [
    Case(
        "2.2-M limits:",
        "Range-Unit",
        "links?select=raw_url&order=raw_url",
        headers={"Range-Unit": "items", "Range": "1-2"},
        letters="bc",
        has={"content-range": "1-2/*"},
    )
]


# 2.3 and 2.4: counts and statuses of reading.

COUNTS = (
    cases(
        "2.4-M count:",
        (
            "all rows is 200",
            "links?select=raw_url&order=raw_url",
            {"letters": "abcdefgh", "has": {"content-range": "0-7/8", "preference-applied": "count=exact"}},
        ),
        (
            "fewer rows is 206",
            "links?select=raw_url&order=raw_url&limit=3",
            {"status": 206, "letters": "abc", "has": {"content-range": "0-2/8"}},
        ),
        (
            "the last page is 206",
            "links?select=raw_url&order=raw_url&limit=3&offset=6",
            {"status": 206, "letters": "gh", "has": {"content-range": "6-7/8"}},
        ),
        (
            "by Range",
            "links?select=raw_url&order=raw_url",
            {"headers": {"Range": "2-4"}, "status": 206, "letters": "cde", "has": {"content-range": "2-4/8"}},
        ),
        (
            "of filtered rows",
            "links?select=raw_url&order=raw_url&list=eq.archive",
            {"letters": "cdg", "has": {"content-range": "0-2/3"}},
        ),
        ("of no rows", "links?title=eq.x", {"rows": [], "has": {"content-range": "*/0"}}),
        ("limit=0", "links?limit=0", {"status": 206, "rows": [], "has": {"content-range": "*/8"}}),
        ("offset equal to the total", "links?offset=8", {"status": 206, "rows": [], "has": {"content-range": "*/8"}}),
        (
            "offset beyond the total",
            "links?offset=9",
            {"status": 416, "code": "PGRST103", "has": {"content-range": "*/8"}},
        ),
        (
            "Range beyond the total",
            "links",
            {"headers": {"Range": "20-30"}, "status": 416, "code": "PGRST103", "has": {"content-range": "*/8"}},
        ),
        (
            "of one object",
            f"links?select=title&{FIRST}",
            {"accept": OBJECT, "rows": {"title": "Alpha one"}, "has": {"content-range": "0-0/1"}},
        ),
        prefer="count=exact",
    )
    + [
        Case(
            "2.3-S count:",
            f"{kind} gives a total",
            "links?select=raw_url&limit=2&order=raw_url",
            prefer=f"count={kind}",
            status=(200, 206),
            letters="ab",
            has={"content-range": re.compile(r"0-1/\d+"), "preference-applied": f"count={kind}"},
        )
        for kind in ["planned", "estimated"]
    ]
    + cases(
        "Content-Location:",
        (
            "the parameters in order of their names",
            "links?select=raw_url&order=raw_url&limit=1&list=eq.read",
            {"has": {"content-location": "/links?limit=1&list=eq.read&order=raw_url&select=raw_url"}},
        ),
        (
            "the same name twice, and signs",
            "links?title=neq.b,(c)&title=neq.a%2Bd+e",
            {"has": {"content-location": "/links?title=neq.b%2C%28c%29&title=neq.a%2Bd%20e"}},
        ),
        ("no parameters", "tags", {"has": {"content-location": "/tags"}}),
        ("HEAD", "tags", {"method": "HEAD", "has": {"content-location": "/tags"}}),
        ("the key is not in it", "tags?apikey=x", {"has": {"content-location": "/tags"}}),
        ("not for an error", "tags?nope=eq.1", {"status": 400, "has": {"content-location": None}}),
        ("not for a long query", f"tags?name=neq.{'x' * 2_000}", {"has": {"content-location": None}}),
    )
    + cases(
        "2.4-M HEAD:",
        (
            "as GET",
            "links?select=raw_url",
            {"has": {"content-range": "0-7/*", "content-type": "application/json; charset=utf-8"}},
        ),
        ("with a count", "links?limit=2", {"prefer": "count=exact", "status": 206, "has": {"content-range": "0-1/8"}}),
        ("without rows", "links?title=eq.x", {"prefer": "count=exact", "has": {"content-range": "*/0"}}),
        (
            "beyond the total",
            "links?offset=9",
            {"prefer": "count=exact", "status": 416, "has": {"content-range": "*/8"}},
        ),
        ("one object of many", "links", {"accept": OBJECT, "status": 406}),
        ("an unknown table", "nope", {"status": 404}),
        ("an unknown column", "links?nope=eq.1", {"status": 400}),
        method="HEAD",
    )
    + cases(
        "2.4-S ranges that are none:",
        ("a negative limit", "links?limit=-1", {}),
        ("a negative limit and a count", "links?limit=-1", {"prefer": "count=exact"}),
        ("Range backwards", "links", {"headers": {"Range": "5-2"}}),
        status=416,
        code="PGRST103",
    )
)


# 2.4: shapes of responses.


def csv_of(answer):
    return list(csv.reader(io.StringIO(answer.body.decode())))


SHAPES = (
    cases(
        "2.4-M object:",
        (
            "one row",
            f"links?select=title&{FIRST}",
            {"rows": {"title": "Alpha one"}, "has": {"content-type": OBJECT + "; charset=utf-8"}},
        ),
        ("by a limit of one", "links?select=title&order=raw_url&limit=1", {"rows": {"title": "Alpha one"}}),
        (
            "no row",
            "links?title=eq.x",
            {
                "status": 406,
                "code": "PGRST116",
                "also": lambda answer, world: answer.json()["details"] == "The result contains 0 rows",
            },
        ),
        (
            "many rows",
            "links",
            {
                "status": 406,
                "code": "PGRST116",
                "also": lambda answer, world: answer.json()["details"] == "The result contains 8 rows",
            },
        ),
        (
            "with embedded rows",
            f"links?select=title,tags(name)&tags.name=eq.swift&{FIRST}",
            {"rows": {"title": "Alpha one", "tags": [{"name": "swift"}]}},
        ),
        accept=OBJECT,
    )
    + cases(
        "2.4-S csv:",
        (
            "heading, rows, quoting, null",
            "links?select=title,description&order=raw_url",
            {
                "also": lambda answer, world: (
                    answer.body.decode().splitlines()
                    == [
                        "title,description",
                        "Alpha one,first of all",
                        "Beta two,",
                        '"Gamma, three","a,b(c)"',
                        '"Delta ""four""",back\\slash',
                        "Epsilon (five),100% sure",
                        ",no title",
                        "eta_seven,under_score * star",
                        "Théta: huit,running cats and dogs",
                    ]
                )
            },
        ),
        (
            "an alias in the heading",
            f"links?select=name:title,list&{FIRST}",
            {"also": lambda answer, world: csv_of(answer) == [["name", "list"], ["Alpha one", "read"]]},
        ),
        (
            "an embedded list is JSON in a field",
            f"links?select=list,tags(name)&tags.order=name&{FIRST}",
            {
                "also": lambda answer, world: (
                    csv_of(answer)[0] == ["list", "tags"]
                    and json.loads(csv_of(answer)[1][1]) == [{"name": "linux"}, {"name": "swift"}]
                )
            },
        ),
        (
            "an embedded object is JSON in a field",
            f"links?select=notes(body),list&{FIRST}",
            {
                "also": lambda answer, world: (
                    csv_of(answer)[0] == ["notes", "list"] and json.loads(csv_of(answer)[1][0]) == {"body": "mine"}
                )
            },
        ),
        (
            "no embedded object is empty",
            f"links?select=articles(title),list&{FIRST}",
            {"also": lambda answer, world: csv_of(answer)[1] == ["", "read"]},
        ),
        (
            "no rows leave the heading",
            "links?select=title,list&title=eq.x",
            {"also": lambda answer, world: answer.body.decode().splitlines() == ["title,list"]},
        ),
        (
            "a count",
            "links?select=title&limit=2",
            {"prefer": "count=exact", "status": 206, "has": {"content-range": "0-1/8"}},
        ),
        accept="text/csv",
        has={"content-type": "text/csv; charset=utf-8"},
    )[:-1]
    + cases(
        "2.4-S csv:",
        (
            "a count",
            "links?select=title&limit=2",
            {"accept": "text/csv", "prefer": "count=exact", "status": 206, "has": {"content-range": "0-1/8"}},
        ),
    )
    + cases(
        "2.4-S nulls=stripped:",
        (
            "an array",
            "links?select=title,description,device_saved&order=raw_url&limit=3",
            {
                "accept": STRIPPED,
                "rows": [
                    {"title": "Alpha one", "description": "first of all", "device_saved": "phone"},
                    {"title": "Beta two", "device_saved": "desk"},
                    {"title": "Gamma, three", "description": "a,b(c)"},
                ],
            },
        ),
        (
            "an object",
            f"links?select=title,description&raw_url=eq.{SITE}b",
            {"accept": STRIPPED_OBJECT, "rows": {"title": "Beta two"}},
        ),
        ("an object of many", "links", {"accept": STRIPPED_OBJECT, "status": 406, "code": "PGRST116"}),
        (
            "false and empty lists stay",
            f"links?select=is_starred,description,highlights(quote)&raw_url=eq.{SITE}g",
            {
                "accept": STRIPPED,
                "rows": [{"is_starred": False, "description": "under_score * star", "highlights": []}],
            },
        ),
    )
    + cases(
        "2.4-S Accept:",
        ("unknown is refused", "links", {"accept": "image/png", "status": 406, "code": "PGRST107"}),
        ("html alone is refused", "links", {"accept": "text/html", "status": 406, "code": "PGRST107"}),
        (
            "unknown with */* is JSON",
            f"links?select=title&{FIRST}",
            {"accept": "image/png, */*;q=0.5", "rows": [{"title": "Alpha one"}]},
        ),
        ("*/*", f"links?select=title&{FIRST}", {"accept": "*/*", "rows": [{"title": "Alpha one"}]}),
        (
            "a browser's",
            f"links?select=title&{FIRST}",
            {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "rows": [{"title": "Alpha one"}]},
        ),
        (
            "JSON with a charset",
            f"links?select=title&{FIRST}",
            {"accept": "application/json;charset=utf-8", "rows": [{"title": "Alpha one"}]},
        ),
        (
            "JSON in capitals",
            f"links?select=title&{FIRST}",
            {"accept": "Application/JSON", "rows": [{"title": "Alpha one"}]},
        ),
    )
)

READING = FILTERS + SELECT + EMBEDDING + ORDER + PAGES + COUNTS + SHAPES
