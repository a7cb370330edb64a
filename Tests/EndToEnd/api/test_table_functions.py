"""Functions that return rows are relations: they are selected, filtered, ordered, counted and embedded like tables."""

import json
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import psycopg
import pytest

from support import service
from support.client import wait_until
from support.contract_case import OBJECT, REPRESENTATION

FUNCTIONS = """
    create type public.test_title as (title text, words integer);

    create function public.test_words(of_list text default null) returns table (title text, words bigint, list text)
        language sql stable as $$
            select l.title, coalesce(word_count, 0)::bigint, l.list from public.links l
            where of_list is null or l.list = of_list order by title
        $$;
    create function public.test_one_column() returns table (title text)
        language sql stable as $$ select l.title from public.links l order by l.title $$;
    create function public.test_links(title text[]) returns setof public.links
        language sql stable as $$ select * from public.links l where l.title = any ($1) $$;
    create function public.test_rename(suffix text) returns table (old text, new text)
        language sql volatile as $$
            update public.links set title = title || suffix returning left(title, 1), title
        $$;
    create function public.test_titles() returns setof text
        language sql stable as $$ select title from public.links order by title $$;
    create function public.test_composite() returns setof public.test_title
        language sql stable as $$ select title, 7 from public.links order by title $$;
    create function public.test_bounds(out first text, inout last text default 'z')
        language sql stable as $$ select min(title), max(title) || last from public.links $$;
    create function public.test_single(out titles text)
        language sql stable as $$ select string_agg(title, '' order by title) from public.links $$;
"""


@pytest.fixture(scope="module")
def instance():
    """A service of its own, because other modules compare the functions of theirs with the documentation."""
    instance = service.shared(LECTERN_RESPONSE_LIMIT="200000")
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute("set role lectern_owner")
        admin.execute(FUNCTIONS)
        for (signature,) in admin.execute(
            "select oid::regprocedure from pg_proc where proname like 'test\\_%'"
        ).fetchall():
            admin.execute(f"grant execute on function {signature} to anon, authenticated")
        admin.execute("notify pgrst, 'reload schema'")
    user = instance.sign_up()
    # Each worker reads the catalog again. Many requests at the same time are not all answered by one of them.
    ask = lambda _: user.rest("POST", "rpc/test_single").status
    with ThreadPoolExecutor(16) as pool:
        wait_until(lambda: set(pool.map(ask, range(64))) == {200})
    return instance


@pytest.fixture
def alice(alice):
    """A user with the links A, B (in the archive), C and D; B has two tags."""
    rows = [{"raw_url": f"no address {title}", "title": title, "list": "read"} for title in "ABCD"]
    rows[1]["list"] = "archive"
    ids = [row["id"] for row in alice.rest("POST", "links?select=id", rows, Prefer=REPRESENTATION).json()]
    tags = alice.rest("POST", "tags?select=id", [{"name": "x"}, {"name": "y"}], Prefer=REPRESENTATION).json()
    answer = alice.rest("POST", "link_tags", [{"link_id": ids[1], "tag_id": tag["id"]} for tag in tags])
    assert answer.status == 201
    return alice


def call(user, method, name, query="", arguments=None, **headers):
    """Calls a function by POST with a body, or by GET with the same arguments in the query."""
    arguments = arguments or {}
    if method == "POST":
        return user.rest("POST", f"rpc/{name}?{query}", arguments, **headers)
    lists = {key: "{" + ",".join(value) + "}" if isinstance(value, list) else value for key, value in arguments.items()}
    return user.rest(method, f"rpc/{name}?{urlencode(lists)}&{query}", **headers)


BOTH = pytest.mark.parametrize("method", ["GET", "POST"])


@BOTH
@pytest.mark.parametrize(
    ("query", "arguments", "rows"),
    [
        ("", {"of_list": "archive"}, [{"title": "B", "words": 0, "list": "archive"}]),
        ("select=title", {}, [{"title": title} for title in "ABCD"]),
        ("select=name:title,words::text&title=eq.B", {}, [{"name": "B", "words": "0"}]),
        ("select=title&order=title.desc&limit=2", {}, [{"title": "D"}, {"title": "C"}]),
        ("select=title&limit=2&offset=1", {}, [{"title": "B"}, {"title": "C"}]),
        ("select=title&or=(title.eq.A,and(words.gte.0,title.gt.C))", {}, [{"title": "A"}, {"title": "D"}]),
        ("select=title&title=in.(B,D)&words=is.not_null", {"of_list": "read"}, [{"title": "D"}]),
        ("select=count", {}, [{"count": 4}]),
        ("select=n:count()&words=eq.0", {"of_list": "read"}, [{"n": 3}]),
    ],
)
def test_returns_table_is_a_relation(alice, method, query, arguments, rows):
    answer = call(alice, method, "test_words", query, arguments)
    assert answer.status == 200 and answer.json() == rows, answer


@BOTH
def test_rows_of_a_function_have_a_range_and_a_count(alice, method):
    answer = call(alice, method, "test_words", "select=title", Range="1-2", Prefer="count=exact")
    assert (answer.status, answer["content-range"]) == (206, "1-2/4"), answer
    assert answer.json() == [{"title": "B"}, {"title": "C"}]
    answer = call(alice, method, "test_links", "select=title&limit=1", {"title": ["A", "B"]}, Prefer="count=exact")
    assert (answer.status, answer["content-range"]) == (206, "0-0/2"), answer
    answer = call(alice, method, "test_words", "offset=9", Prefer="count=exact")
    assert (answer.status, answer.json()["code"], answer["content-range"]) == (416, "PGRST103", "*/4"), answer


@BOTH
def test_what_a_function_returns_of_a_table_can_be_embedded(alice, method):
    wanted = {"title": ["A", "B", "C"]}
    query = "select=title,tags(name)&tags.order=name.desc&tags.name=neq.x&order=title.desc&title=neq.C"
    answer = call(alice, method, "test_links", query, wanted)
    assert answer.json() == [{"title": "B", "tags": [{"name": "y"}]}, {"title": "A", "tags": []}], answer
    answer = call(alice, method, "test_links", "select=title,tags!inner(name)&tags.limit=1&tags.order=name", wanted)
    assert answer.json() == [{"title": "B", "tags": [{"name": "x"}]}]
    answer = call(alice, method, "test_links", "select=title,marks:tags(count)&title=in.(A,B)&order=title", wanted)
    assert answer.json() == [{"title": "A", "marks": [{"count": 0}]}, {"title": "B", "marks": [{"count": 2}]}]
    answer = call(alice, method, "test_words", "select=title,tags(name)")
    assert (answer.status, answer.json()["code"]) == (400, "PGRST200"), answer


@BOTH
def test_the_formats_are_those_of_tables(alice, method):
    answer = call(alice, method, "test_words", "select=title,list&limit=2", Accept="text/csv")
    assert answer.body == b"title,list\nA,read\nB,archive\n", answer
    answer = call(alice, method, "test_words", "select=title&title=eq.C", Accept=OBJECT)
    assert answer.json() == {"title": "C"}
    answer = call(alice, method, "test_words", "select=title", Accept=OBJECT)
    assert (answer.status, answer.json()["code"]) == (406, "PGRST116"), answer
    answer = call(alice, method, "test_words", "select=nope")
    assert (answer.status, answer.json()["code"]) == (400, "42703"), answer


@BOTH
def test_values_composite_types_and_out_parameters_keep_their_shapes(alice, method):
    for name, shown in [
        ("test_titles", ["A", "B", "C", "D"]),
        ("test_one_column", [{"title": title} for title in "ABCD"]),
        ("test_composite", [{"title": title, "words": 7} for title in "ABCD"]),
        ("test_bounds", {"first": "A", "last": "Dz"}),
        ("test_single", {"titles": "ABCD"}),
    ]:
        answer = call(alice, method, name)
        assert answer.status == 200 and answer.json() == shown, (name, answer)
    assert call(alice, method, "test_composite", "select=words&title=gt.C").json() == [{"words": 7}]
    assert call(alice, method, "test_titles", "limit=1&offset=1").json() == ["B"]
    assert call(alice, method, "test_bounds", "select=last", {"last": "!"}).json() == {"last": "D!"}


def test_a_function_changes_every_row_also_those_that_are_not_selected(alice):
    answer = call(alice, "POST", "test_rename", "select=new&old=eq.A&limit=1", {"suffix": "2"})
    assert answer.json() == [{"new": "A2"}], answer
    assert sorted(link["title"] for link in alice.links()) == ["A2", "B2", "C2", "D2"]
    assert alice.rest("GET", "rpc/test_rename?suffix=3").status == 405


@BOTH
def test_a_parameter_that_is_repeated_is_an_argument_and_then_a_filter(alice, method):
    query = "select=title&title=neq.A&title=neq.B&order=title"
    answer = call(alice, method, "test_links", query, {"title": ["A", "B", "C", "D"]})
    assert answer.json() == [{"title": "C"}, {"title": "D"}], answer


@BOTH
def test_each_user_sees_the_rows_of_a_function_that_are_theirs(alice, bob, method):
    assert bob.rest("POST", "links", {"raw_url": "no address", "title": "Bob"}).status == 201
    assert call(bob, method, "test_titles").json() == ["Bob"]
    assert call(bob, method, "test_words", "select=title").json() == [{"title": "Bob"}]
    assert call(bob, method, "test_links", "select=title,tags(name)", {"title": ["A", "B", "Bob"]}).json() == [
        {"title": "Bob", "tags": []}
    ]
    assert len(call(alice, method, "test_titles").json()) == 4
    answer = alice.lectern.send(method, "/rest/v1/rpc/test_titles", {"apikey": alice.lectern.anon_key})
    assert answer.status == 401 or answer.json() == [], answer


@BOTH
def test_the_rows_of_a_function_are_limited(alice, method):
    big = [{"raw_url": f"big {number}", "title": str(number) + "x" * 9_000} for number in range(25)]
    assert alice.rest("POST", "links", big).status == 201
    for name in ["test_titles", "test_words", "test_single"]:
        answer = call(alice, method, name)
        assert (answer.status, answer.json()["code"]) == (413, "LCT413"), (name, answer)
    assert call(alice, method, "test_words", "select=title&limit=2").status == 200


def test_the_description_says_what_functions_take_and_return(alice):
    described = alice.rest("GET", "").json()
    words = described["paths"]["/rpc/test_words"]
    assert set(words) == {"get", "post"} and set(described["paths"]["/rpc/test_rename"]) == {"post"}
    [argument, *_] = words["get"]["parameters"]
    assert (argument["name"], argument["in"], argument["required"]) == ("of_list", "query", False)
    row = words["get"]["responses"]["200"]["schema"]["items"]
    assert set(row["properties"]) == {"title", "words", "list"}
    links = described["paths"]["/rpc/test_links"]["post"]["responses"]["200"]["schema"]
    assert links == {"type": "array", "items": {"$ref": "#/definitions/links"}}
    bounds = described["paths"]["/rpc/test_bounds"]["get"]
    assert [parameter.get("name") for parameter in bounds["parameters"]][:1] == ["last"]
    assert set(bounds["responses"]["200"]["schema"]["properties"]) == {"first", "last"}
    for reference in set(json.dumps(described).split('"#/parameters/')[1:]):
        assert reference.split('"')[0] in described["parameters"]
