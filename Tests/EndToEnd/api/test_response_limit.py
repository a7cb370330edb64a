"""The setting RESPONSE_LIMIT, and the limits of what one request may embed."""

import json
from pathlib import Path

import psycopg
import pytest

from support import service
from support.client import wait_until
from support.contract_case import OBJECT, REPRESENTATION

LIMIT = 200_000


@pytest.fixture(scope="module")
def instance():
    return service.shared(LECTERN_RESPONSE_LIMIT=str(LIMIT))


def is_too_large(answer):
    error = answer.json()
    assert (answer.status, error["code"]) == (413, "LCT413"), answer
    assert error["message"] == f"The response exceeds {LIMIT} bytes" and "limit and offset" in error["hint"]
    return True


def save(user, *lengths, **fields):
    """Saves links without an address, whose descriptions have these lengths."""
    rows = [{"raw_url": f"no address {number}", "description": "x" * length} for number, length in enumerate(lengths)]
    answer = user.rest("POST", "links?select=id", [row | fields for row in rows], Prefer=REPRESENTATION)
    assert answer.status == 201, answer
    return [row["id"] for row in answer.json()]


# {"description":"…"} has 18 bytes beside the text.
@pytest.mark.parametrize("lengths", [[LIMIT - 20], [100_000, LIMIT - 100_039], [0, 0, LIMIT - 58]])
def test_a_response_of_exactly_the_limit_is_sent_and_one_more_byte_is_not(alice, lengths):
    target = "links?select=description&order=raw_url"
    ids = save(alice, *lengths)
    answer = alice.rest("GET", target)
    assert answer.status == 200 and len(answer.body) == LIMIT
    longer = {"description": "x" * (lengths[-1] + 1)}
    assert alice.rest("PATCH", f"links?id=eq.{ids[-1]}", longer).status == 204
    assert is_too_large(alice.rest("GET", target))


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("links", {}),
        ("links?select=description", {"Accept": "text/csv"}),
        ("links?select=description", {"Accept": "application/vnd.pgrst.array+json;nulls=stripped"}),
        ("links?select=description", {"Prefer": "count=exact"}),
        ("tags?select=name,links(description)", {}),
        ("tags?select=name,links(description)", {"Accept": OBJECT}),
        ("tags?select=name,...links(description)", {}),
        ("tags?select=name,links!inner(description)", {}),
        ("tags?select=link_tags(links(description))", {}),
        ("tags?select=links(description,user_id)&links.order=raw_url.desc", {}),
        ("link_tags?select=links(description)", {}),
        ("links?select=a:description,b:description,c:description&limit=2", {}),
    ],
)
def test_every_format_and_relation_is_limited(alice, bob, target, headers):
    tag = alice.rest("POST", "tags?select=id", {"name": "t"}, Prefer=REPRESENTATION).json()[0]["id"]
    links = save(alice, *[50_000] * 5)
    assert alice.rest("POST", "link_tags", [{"link_id": link, "tag_id": tag} for link in links]).status == 201
    assert is_too_large(alice.rest("GET", target, **headers))
    # What the request asks for decides, not what there is; and another user's rows count for nothing.
    for smaller in [
        "links?select=description&limit=3",
        "tags?select=links(description)&links.limit=3",
        "links?select=id",
    ]:
        assert alice.rest("GET", smaller).status == 200, smaller
    assert alice.rest("HEAD", target, **headers).status == 200
    save(bob, 1_000)
    assert bob.rest("GET", "links").status == 200


def test_the_arrays_of_one_row_count_together(alice):
    tag = alice.rest("POST", "tags?select=id", {"name": "t"}, Prefer=REPRESENTATION).json()[0]["id"]
    links = save(alice, *[30_000] * 3)
    assert alice.rest("POST", "link_tags", [{"link_id": link, "tag_id": tag} for link in links]).status == 201
    two, three = (",".join(f"{name}:links(description)" for name in names) for names in ["ab", "abc"])
    assert alice.rest("GET", f"tags?select={two}").status == 200
    assert is_too_large(alice.rest("GET", f"tags?select={three}"))


def test_a_write_whose_rows_are_too_large_changes_nothing(alice):
    body = [{"raw_url": f"no address {number}", "description": "x" * 50_000} for number in range(5)]
    assert is_too_large(alice.rest("POST", "links", body, Prefer=REPRESENTATION))
    assert alice.links() == []
    assert alice.rest("POST", "links", body).status == 201
    assert is_too_large(alice.rest("PATCH", "links?list=eq.read", {"list": "archive"}, Prefer=REPRESENTATION))
    assert is_too_large(alice.rest("DELETE", "links?list=eq.read", Prefer=REPRESENTATION))
    assert alice.links("select=list") == [{"list": "read"}] * 5
    assert alice.rest("DELETE", "links?list=eq.read").status == 204


def test_one_object_of_too_many_rows_is_counted_however_long_they_are(alice):
    save(alice, *[50_000] * 5)
    answer = alice.rest("GET", "links", Accept=OBJECT)
    assert (answer.status, answer.json()["code"]) == (406, "PGRST116"), answer
    assert answer.json()["details"] == "The result contains 5 rows"


def test_one_relation_is_embedded_five_times_at_most_and_numbers_of_rows_more_often(alice):
    tag = alice.rest("POST", "tags?select=id", {"name": "t"}, Prefer=REPRESENTATION).json()[0]["id"]
    link = save(alice, 10)[0]
    assert alice.rest("POST", "link_tags", {"link_id": link, "tag_id": tag}).status == 201

    def embedded(count, relation, table="tags"):
        return alice.rest("GET", f"{table}?select=" + ",".join(f"a{number}:{relation}" for number in range(count)))

    assert embedded(5, "links(description)").json() == [
        {f"a{number}": [{"description": "x" * 10}] for number in range(5)}
    ]
    assert embedded(20, "links(count)").json() == [{f"a{number}": [{"count": 1}] for number in range(20)}]
    for answer in [
        embedded(6, "links(description)"),
        embedded(99, "links(description)"),
        embedded(99, "articles(content)", "links"),
        embedded(3, "link_tags(links(id),x:links(id))"),
        embedded(21, "links(count)"),
        alice.rest(
            "GET", "tags?select=links(tags(links(tags(links(tags(links(id,x:tags(links(id,y:tags(links(id)))))))))))"
        ),
    ]:
        assert (answer.status, answer.json()["code"]) == (400, "PGRST100"), answer


def test_a_worker_survives_requests_for_more_than_the_limit(alice, instance):
    with psycopg.connect(instance.database_url) as admin:
        admin.execute(
            "insert into public.links (user_id, raw_url, description) "
            "select %s, 'no address ' || n, repeat('x', 1000000) from generate_series(1, 30) n",
            [alice.id],
        )
    workers = instance.workers()

    def memory(worker, line):
        """In kilobytes."""
        return int(Path(f"/proc/{worker}/status").read_text().split(f"{line}:")[1].split()[0])

    before = {worker: memory(worker, "VmRSS") for worker in workers}

    def most_memory():
        """The most memory in kilobytes that a worker has taken since before the first request."""
        for worker in workers:
            # The peak counts from now on.
            Path(f"/proc/{worker}/clear_refs").write_text("5")
        for _ in range(16):
            assert is_too_large(alice.rest("GET", "links?select=description"))
        return max(memory(worker, "VmHWM") - before[worker] for worker in workers)

    # The rows have 30 MB, of which no worker receives any. A sign-up of another test at the same time takes 19 MB.
    wait_until(lambda: most_memory() < 15_000)
    assert instance.workers() == workers
    assert len(json.loads(alice.rest("GET", "links?select=id").body)) == 30
