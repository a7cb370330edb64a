"""The contract of /rest/v1/: the cases of support/contract_*.py, and tests that take more than one request."""

import json
import re
import time
import uuid
from urllib.parse import quote

import psycopg
import pytest

from support.client import EXPOSED_HEADERS, SHAPE_OF_A_REST_ERROR, token
from support.contract_case import REPRESENTATION, SITE, link
from support.contract_errors import ERRORS
from support.contract_reading import COLLECTED, HIGHLIGHTS, LETTERS, READING, TAGGED
from support.contract_writing import WRITING

# How cases are run.


class World:
    """A user with some rows; `<word>` of a case is one of its ids."""

    def __init__(self, lectern, user):
        self.lectern, self.user = lectern, user
        claims = {"sub": user.id, "role": "authenticated", "exp": int(time.time()) + 600}
        self.ids = {
            "me": user.id,
            "new": str(uuid.uuid4()),
            "token": user.token,
            "forged": token(claims, "another secret"),
            "expired": token(claims | {"exp": int(time.time()) - 600}, lectern.secret()),
        }

    def insert(self, table, rows):
        answer = self.user.rest("POST", f"{table}?select=id", rows, Prefer=REPRESENTATION)
        assert answer.status == 201, answer
        return [row["id"] for row in answer.json()]

    def filled(self, value):
        """The value with every `<word>` replaced by an id."""
        if isinstance(value, str):
            return re.sub("<([a-z]+)>", lambda found: self.ids.get(found[1], found[0]), value)
        if isinstance(value, dict):
            return {name: self.filled(inner) for name, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.filled(inner) for inner in value)
        return value

    def headers(self, case):
        who = {
            "me": [("apikey", self.lectern.anon_key), ("Authorization", f"Bearer {self.user.token}")],
            "anon": [("apikey", self.lectern.anon_key)],
            "key": [("apikey", self.lectern.anon_key)],
            "nobody": [],
        }[case.who]
        prefer = [case.prefer] if isinstance(case.prefer, str) else case.prefer or []
        own = list(self.filled(case.headers).items())
        type = [] if case.body is None or "Content-Type" in case.headers else [("Content-Type", "application/json")]
        return (
            who
            + type
            + [("Prefer", value) for value in prefer]
            + ([("Accept", case.accept)] if case.accept else [])
            + own
        )

    def send(self, case):
        body = self.filled(case.body)
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        # Only characters that a request line cannot hold are escaped; the server has to handle the rest.
        target = quote(self.filled(case.target), safe="%/?&=()*,.:;!'-_~+@$[]{}|<>^`\\") if case.who else case.target
        target = "".join(
            letter if "!" <= letter <= "~" and letter not in '"<>\\^`{|}' else quote(letter) for letter in target
        )
        return self.lectern.send(case.method, f"/rest/v1/{target}", self.headers(case), body)


def check(case, world):
    answer = world.send(case)
    expected = case.status if isinstance(case.status, tuple) else (case.status,)
    assert answer.status in expected, answer
    if answer.status >= 400 and case.method != "HEAD":
        assert set(answer.json()) == SHAPE_OF_A_REST_ERROR, answer
        if case.code:
            assert answer.json()["code"] in (case.code if isinstance(case.code, tuple) else (case.code,)), answer
    # 1.2 and 1.3: headers of every response.
    assert answer["access-control-allow-origin"] == "*"
    if case.method != "OPTIONS":
        assert answer["cache-control"] == "no-store"
        assert EXPOSED_HEADERS <= answer.exposed_headers()
    if answer.status < 400 and "Access-Control-Request-Method" not in case.headers:
        assert "Accept, Prefer, Range" in (answer["vary"] or ""), answer["vary"]
    if case.method == "HEAD" or answer.status == 204:
        assert answer.body == b""
    for name, value in world.filled(case.has).items():
        found = answer[name]
        assert value.fullmatch(found or "") if isinstance(value, re.Pattern) else found == value, (name, found, answer)
    if case.rows is not None:
        assert answer.json() == world.filled(case.rows), answer
    if case.some is not None:
        assert [{name: row[name] for name in wanted} for row, wanted in zip(answer.json(), case.some)] == case.some, (
            answer
        )
    if case.letters is not None:
        assert [row["raw_url"][len(SITE) :] for row in answer.json()] == list(case.letters), answer
    if case.also is not None:
        assert case.also(answer, world), answer
    if case.left is not None or case.now:
        links = {row["raw_url"][len(SITE) :]: row for row in world.user.links()}
        if case.left is not None:
            assert set(links) == set(case.left), answer
        for letter, columns in case.now.items():
            assert {name: links[letter][name] for name in columns} == columns, answer


@pytest.fixture(scope="module")
def lettered_links(lectern):
    user = lectern.sign_up()
    world = World(lectern, user)
    days = {letter: f"2024-01-{number:02}T00:00:00+00:00" for number, letter in enumerate(LETTERS, 1)}
    names = {**dict.fromkeys(LETTERS), "y": None, "z": None}
    extra = {
        "y": {
            "title": "Why",
            "description": None,
            "list": "read",
            "status": "read",
            "is_starred": False,
            "device_saved": None,
        },
        "z": {
            "title": "Zed",
            "description": None,
            "list": "archive",
            "status": "read",
            "is_starred": True,
            "device_saved": None,
        },
    }
    rows = [
        link(letter, created_at=days.get(letter, "2023-01-01T00:00:00+00:00"), **(LETTERS | extra)[letter])
        for letter in names
    ]
    world.ids |= dict(zip(names, world.insert("links", rows)))
    ids = world.ids
    tags = dict(zip(TAGGED, world.insert("tags", [{"name": name} for name in TAGGED])))
    user.rest(
        "POST",
        "link_tags",
        [{"link_id": ids[letter], "tag_id": tags[name]} for name, letters in TAGGED.items() for letter in letters],
    )
    world.insert(
        "highlights",
        [
            {"link_id": ids[letter], "quote": quote, "color": color, "start_offset": at}
            for letter, quote, color, at in HIGHLIGHTS + [("z", "end", "blue", 9)]
        ],
    )
    world.insert("notes", {"link_id": ids["a"], "body": "mine"})
    collections = dict(zip(COLLECTED, world.insert("collections", [{"name": name} for name in COLLECTED])))
    user.rest(
        "POST",
        "collection_links",
        [
            {"collection_id": collections[name], "link_id": ids[letter]}
            for name, letters in COLLECTED.items()
            for letter in letters
        ],
    )
    with psycopg.connect(lectern.database_url) as admin:
        admin.execute(
            "insert into articles (link_id, user_id, url, title, content, text_content, length, word_count, extractor_version) "
            "values (%s, %s, '', 'The article', '<p>x', 'x', 1, 1, 1)",
            [ids["b"], user.id],
        )
    for letter in "yz":
        assert user.rest("DELETE", f"links?id=eq.{ids[letter]}").status == 204
    return world


@pytest.fixture
def desk(lectern):
    """A new user with three links, the first of which has a tag, and one link in the trash."""
    world = World(lectern, lectern.sign_up())
    gone, *ids = world.insert("links", [link(letter, title=title) for letter, title in zip("zabc", ["Gone", *"ABC"])])
    world.ids |= dict(zip("abc", ids), gone=gone, t=world.insert("tags", {"name": "t"})[0])
    world.user.rest("POST", "link_tags", {"link_id": ids[0], "tag_id": world.ids["t"]})
    assert world.user.rest("DELETE", f"links?id=eq.{gone}").status == 204
    return world


@pytest.mark.parametrize("case", READING + ERRORS, ids=lambda case: case.id)
def test_reading(lettered_links, case):
    check(case, lettered_links)


@pytest.mark.parametrize("case", WRITING, ids=lambda case: case.id)
def test_writing(desk, case):
    check(case, desk)


# Several requests.


def test_the_apps_cursor_returns_every_row_once_although_times_are_equal(alice):
    rows = [link(str(number), created_at=f"2026-01-01T00:00:0{number % 3}.000001+00:00") for number in range(60)]
    assert alice.rest("POST", "links", rows).status == 201
    seen, cursor = [], ""
    while True:
        page = alice.links(f"select=*&order=updated_at.desc.nullslast,id.desc&limit=7{cursor}")
        seen += [row["raw_url"] for row in page]
        if len(page) < 7:
            break
        at = page[-1]["updated_at"].replace("+", "%2B")
        cursor = f"&or=(updated_at.lt.{at},and(updated_at.eq.{at},id.lt.{page[-1]['id']}))"
    assert len(seen) == 60 and set(seen) == {row["raw_url"] for row in rows}


def test_three_hundred_ids_a_thousand_rows_and_a_deep_tree_work(alice):
    answer = alice.rest(
        "POST", "links?select=id", [link(str(number)) for number in range(1_000)], Prefer=REPRESENTATION
    )
    assert answer.status == 201
    ids = [row["id"] for row in answer.json()]
    assert len(ids) == 1_000 and len(alice.links("select=id")) == 1_000
    assert len(alice.links(f"select=id&id=in.({','.join(ids[:300])})")) == 300
    tree = "id.eq." + ids[0]
    for number in range(20):
        tree = f"{'or' if number % 2 else 'and'}({tree},id.eq.{ids[0]})"
    assert len(alice.links(f"select=id&or=({tree})")) == 1


def test_a_bulk_insert_with_one_bad_row_changes_nothing(alice):
    rows = [link(str(number), list="read") for number in range(1_000)]
    rows[999]["list"] = "nope"
    assert alice.rest("POST", "links", rows).json()["code"] == "23514"
    assert alice.links() == []


# Conditional reads.


def tag_of(user, target="links?select=*", **headers):
    answer = user.rest("GET", target, **headers)
    assert answer.status == 200 and answer["etag"], answer
    return answer["etag"]


def test_a_list_that_has_not_changed_is_not_sent_again(alice, admin):
    link = alice.settled(alice.save("no address")["id"])
    tag = tag_of(alice)
    answer = alice.rest("GET", "links?select=*", If_None_Match=tag)
    assert (answer.status, answer.body, answer["content-type"]) == (304, b"", None)
    assert (
        answer["etag"] == tag and answer["cache-control"] == "no-store" and answer["access-control-allow-origin"] == "*"
    )
    assert answer["vary"] == "Accept, Prefer, Range" and answer["content-location"] == "/links?select=%2A"
    assert alice.rest("GET", "links?select=*", If_None_Match=f'"other", {tag}').status == 304
    assert alice.rest("HEAD", "links?select=*", If_None_Match=tag).status == 304
    changes = [
        lambda: alice.rest("PATCH", f"links?id=eq.{link['id']}", {"status": "read"}),
        lambda: alice.rest("POST", "tags", {"name": "new"}),
        lambda: alice.rest("POST", "links", {"raw_url": "no address either"}),
        lambda: admin.execute("update links set lang = 'en' where id = %s", [link["id"]]),
        lambda: alice.rest("DELETE", f"links?id=eq.{link['id']}"),
        lambda: alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}),
    ]
    for change in changes:
        before = tag_of(alice)
        change()
        answer = alice.rest("GET", "links?select=*", If_None_Match=before)
        assert answer.status == 200 and answer["etag"] != before


def test_an_entity_tag_is_valid_for_one_user_one_request_and_one_representation(alice, bob):
    tag = tag_of(alice)
    assert tag_of(bob) != tag
    assert bob.rest("GET", "links?select=*", If_None_Match=tag).status == 200
    for target, headers in [
        ("links?select=id", {}),
        ("tags?select=*", {}),
        ("links?select=*", {"Accept": "text/csv"}),
        ("links?select=*", {"Range": "0-1"}),
        ("links?select=*", {"Prefer": "count=exact"}),
    ]:
        assert alice.rest("GET", target, If_None_Match=tag, **headers).status == 200, (target, headers)
    for rubbish in ["x", '""', "*", 'W/"', 'W/"1-1"', f"{tag}x", tag.replace("-", "--")]:
        assert alice.rest("GET", "links?select=*", If_None_Match=rubbish).status == 200, rubbish


def test_anonymous_and_service_key_responses_have_no_entity_tag(lectern, alice):
    for key in [lectern.anon_key, lectern.service_key]:
        answer = lectern.send("GET", "/rest/v1/links?limit=1", {"apikey": key})
        assert answer.status == 200 and answer["etag"] is None


# Bodies and names without bound.


@pytest.mark.parametrize(("more", "code"), [(0, "PGRST204"), (1, "PGRST100")])
def test_columns_has_at_most_two_hundred_names(alice, more, code):
    names = ",".join(f"c{number}" for number in range(200 + more))
    answer = alice.rest("POST", f"links?columns={names}", {"raw_url": "no address"})
    assert answer.status == 400 and answer.json()["code"] == code, answer


def test_a_name_that_fills_the_query_is_read_in_one_pass(alice):
    answer = alice.rest("POST", f"links?columns={'raw_url,' * 3_900}raw_url", {"raw_url": "no address"})
    assert answer.status == 201, answer


@pytest.mark.parametrize("form", ["OBJECT", "[OBJECT]", '[{"raw_url":"a"},OBJECT]'])
def test_an_object_has_at_most_two_hundred_keys(alice, form):
    for keys, code in [(200, "PGRST204"), (201, "PGRST102"), (20_000, "PGRST102")]:
        object = json.dumps({f"k{number}": 1 for number in range(keys)})
        body = form.replace("OBJECT", object)
        answer = alice.rest("POST", "links?columns=raw_url,k1", body)
        assert answer.status == 400 and answer.json()["code"] == code, (keys, answer)
    assert alice.links() == []


def test_an_error_quotes_only_the_beginning_of_a_long_value(alice):
    for body in [{"x" * 1_000_000: 1}, {"raw_url": "a", "id": "\u0001" * 1_000_000}]:
        answer = alice.rest("POST", "links", body)
        assert answer.status == 400 and len(answer.body) < 30_000, answer


def test_a_csv_body_does_not_grow_without_bound(alice):
    names = "raw_url,resolved_url,title,description,device_saved,site_name,published_time"
    answer = alice.rest("POST", "links", names + "\n" + ",,,,,,\n" * 400_000, Content_Type="text/csv")
    assert answer.status == 400 and answer.json()["code"] == "PGRST100", answer
    assert alice.links() == []


# The description.


def test_the_description_holds_every_table_column_and_function(alice, admin):
    answer = alice.rest("GET", "")
    assert answer.status == 200 and answer["content-type"] == "application/openapi+json; charset=utf-8"
    described = answer.json()
    columns = admin.execute(
        "select table_name, column_name from information_schema.columns where table_schema = 'public'"
    ).fetchall()
    assert columns and {
        (table, column) for table, definition in described["definitions"].items() for column in definition["properties"]
    } == set(columns)
    functions = [
        name for (name,) in admin.execute("select proname from pg_proc where pronamespace = 'public'::regnamespace")
    ]
    assert {path for path in described["paths"] if path.startswith("/rpc/")} == {f"/rpc/{name}" for name in functions}
    for reference in re.findall(r'"#/(\w+)/([^"]+)"', answer.body.decode()):
        assert reference[1] in described[reference[0]], reference
    # A function that only reads can be called by GET, others by POST alone.
    for name, volatility in admin.execute(
        "select proname, provolatile from pg_proc where pronamespace = 'public'::regnamespace"
    ):
        assert set(described["paths"][f"/rpc/{name}"]) == ({"post"} if volatility == "v" else {"get", "post"}), name
    # Every column has a description, or a name that needs none.
    assert described["definitions"]["links"]["description"]


def test_the_connectivity_probe_is_answered_without_any_header(lectern):
    assert lectern.send("GET", "/rest/v1/").status < 500


# Late and repeated writes over HTTP; test_offline_writes.py sends hundreds of them.


def test_replayed_and_older_actions_change_nothing_and_are_reported(alice):
    id = alice.save("no address", title="A")["id"]

    def act(method, at, body=None, **more):
        return alice.rest(
            method, f"links?id=eq.{id}", body, X_Lectern_Acted_At=at, X_Lectern_Sent_At="2026-01-01T12:00:00Z", **more
        )

    answer = act("PATCH", "2026-01-01T11:00:00Z", {"title": "B"})
    assert answer.status == 204 and answer["x-lectern-superseded"] == "0"
    for at, method in [
        ("2026-01-01T11:00:00Z", "PATCH"),
        ("2026-01-01T10:59:00Z", "PATCH"),
        ("2026-01-01T10:59:00Z", "DELETE"),
    ]:
        answer = act(method, at, {"title": "C"})
        assert answer.status == 204 and answer["x-lectern-superseded"] == "1", answer
        assert alice.link(id)["title"] == "B"
    answer = act("PATCH", "2026-01-01T10:00:00Z", {"title": "C"}, Prefer=REPRESENTATION)
    assert answer.status == 200 and answer.json() == [] and answer["x-lectern-superseded"] == "1"
    assert act("DELETE", "2026-01-01T11:30:00Z").status == 204 and alice.links() == []
    assert act("PATCH", "2026-01-01T11:45:00Z", {"title": "D"}).status == 204
    assert alice.link(id)["title"] == "D"
    assert alice.rest("PATCH", f"links?id=eq.{id}", {"title": "E"})["x-lectern-superseded"] is None


@pytest.mark.parametrize("time", ["yesterday", "now", "infinity", "", "1" * 50, "2026-13-01T00:00:00Z"])
def test_an_invalid_time_is_refused(alice, time):
    id = alice.save("no address", title="A")["id"]
    answer = alice.rest("PATCH", f"links?id=eq.{id}", {"title": "B"}, X_Lectern_Acted_At=time)
    assert answer.status == 400 and alice.link(id)["title"] == "A"
