"""Writes of one user that arrive at the same time and name the same links in different orders."""

import itertools
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import service
from support.client import wait_until
from support.deduplication import BY_URL, IGNORE, MERGE, ROWS, merges
from support.paths import CHECKOUT

PAGES = [f"http://127.0.0.9:9/{name}" for name in "abcde"]
# SQLSTATEs of a deadlock, a statement that took too long, and a serialization failure.
CONFLICTS = ("40P01", "57014", "40001")


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_PARALLEL="4", LECTERN_PICTURES="off") as instance:
        yield instance


@pytest.fixture(autouse=True)
def no_conflict_in_the_log(instance):
    """No test may leave a conflict in PostgreSQL's log, not even one that the worker has retried."""
    before = len(instance.log("postgres"))
    yield
    said = instance.log("postgres")[before:]
    assert not re.findall("deadlock detected|canceling statement due to statement timeout|could not serialize.*", said)


def at_once(calls):
    """Makes all calls at the same moment and returns (answer, seconds) of each, in order."""
    gate = threading.Barrier(len(calls))

    def run(call):
        gate.wait()
        began = time.monotonic()
        # On a busy machine a request may wait longer than the server lets it for those of the same user.
        while (answer := call()).status == 429:
            pass
        return answer, time.monotonic() - began

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def orders(count, items=PAGES):
    """So many different orders of the items, the same in every run."""
    chosen = random.Random(7).sample(list(itertools.permutations(items)), count)
    return [list(order) for order in chosen]


def assert_without_conflict(answers):
    for answer, seconds in answers:
        assert answer.status < 500 and not any(code in str(answer.body) for code in CONFLICTS), (answer, seconds)


@pytest.mark.parametrize("is_known", [False, True], ids=["new pages", "known pages"])
@pytest.mark.parametrize("preference", [MERGE, IGNORE])
def test_twenty_batches_that_name_the_same_pages_in_other_orders_all_succeed(alice, preference, is_known):
    if is_known:
        alice.rest("POST", "links", [{"raw_url": url} for url in PAGES])
    save = lambda order: (
        lambda: alice.rest(
            "POST", BY_URL, [{"raw_url": url, "title": "T"} for url in order], Prefer=f"{ROWS},{preference}"
        )
    )
    answers = at_once([save(order) for order in orders(20)])
    assert {answer.status for answer, _ in answers} <= {200, 201}, answers
    assert sorted(link["raw_url"] for link in alice.links()) == PAGES


def test_twenty_batches_of_other_spellings_in_other_orders_all_succeed(alice):
    spell = lambda number, url: f"{url}?utm_source={number}"
    save = lambda number, order: (
        lambda: alice.rest("POST", "links", [{"raw_url": spell(number, url)} for url in order], Prefer=ROWS)
    )
    answers = at_once([save(number, order) for number, order in enumerate(orders(20))])
    assert {answer.status for answer, _ in answers} <= {200, 201}, answers
    assert len(alice.links()) == len(PAGES)


def test_imports_in_other_orders_all_succeed(alice):
    intent = {"X-Lectern-Intent": "import"}
    save = lambda order: (
        lambda: alice.rest("POST", BY_URL, [{"raw_url": url, "title": "T"} for url in order], Prefer=MERGE, **intent)
    )
    answers = at_once([save(order) for order in orders(12)])
    assert {answer.status for answer, _ in answers} <= {200, 201}, answers


def as_service(instance):
    """The header fields of a request with the service key."""
    return {"apikey": instance.service_key, "Authorization": f"Bearer {instance.service_key}"}


def test_the_service_key_saves_batches_beside_the_user(instance, alice):
    fields = as_service(instance)
    body = lambda order: [{"raw_url": url, "user_id": alice.id} for url in order]
    by_key = lambda order: lambda: alice.rest("POST", BY_URL, body(order), Prefer=MERGE, **fields)
    by_user = lambda order: lambda: alice.rest("POST", BY_URL, body(order), Prefer=MERGE)
    calls = [call(order) for order in orders(6) for call in (by_key, by_user)]
    assert_without_conflict(at_once(calls))


def test_writes_of_every_kind_in_every_order_are_never_in_each_others_way(instance, alice):
    ids = [row["id"] for row in alice.rest("POST", "links", [{"raw_url": url} for url in PAGES], Prefer=ROWS).json()]
    tags = [alice.rest("POST", "tags", {"name": name}, Prefer=ROWS).json()[0]["id"] for name in "xyz"]
    for url in PAGES:
        assert alice.rest("POST", "links", {"raw_url": f"{url}?utm_source=x"}).status == 200
    spellings = [merge["id"] for merge in merges(alice)]
    assert len(spellings) == len(PAGES)
    chance = random.Random(11)
    some = lambda items: chance.sample(items, chance.randint(2, len(items)))
    listed = lambda items: ",".join(items)

    def write(kind):
        chosen = some(ids)
        one = chosen[0]
        match kind:
            case "save":
                order = some(PAGES)
                return lambda: alice.rest("POST", BY_URL, [{"raw_url": url} for url in order], Prefer=MERGE)
            case "change several":
                return lambda: alice.rest("PATCH", f"links?id=in.({listed(chosen)})", {"status": "read"})
            case "change one":
                return lambda: alice.rest("PATCH", f"links?id=eq.{one}", {"title": "other", "state": "pending"})
            case "delete":
                return lambda: alice.rest("DELETE", f"links?id=in.({listed(chosen)})")
            case "delete one":
                return lambda: alice.rest("DELETE", f"links?id=eq.{one}")
            case "restore":
                return lambda: alice.rest("POST", "rpc/restore_link", {"link_id": one})
            case "tag":
                rows = [{"link_id": link, "tag_id": tag} for link in chosen for tag in some(tags)]
                return lambda: alice.rest("POST", "link_tags", rows, Prefer=MERGE)
            case "merge tags":
                pair = dict(zip(("from_tag", "into_tag"), chance.sample(tags, 2)))
                return lambda: alice.rest("POST", "rpc/merge_tags", pair)
            case "highlight":
                return lambda: alice.rest("POST", "highlights", {"link_id": one, "quote": "words"})
            case "unmerge":
                merge = chance.choice(spellings)
                return lambda: alice.rest("POST", "rpc/unmerge", {"merge_id": merge})
            case "cancel":
                return lambda: alice.rest("POST", "rpc/cancel_jobs", {"link_ids": chosen})
            case "save by the service":
                rows = [{"raw_url": url, "user_id": alice.id} for url in some(PAGES)]
                return lambda: alice.rest("POST", BY_URL, rows, Prefer=MERGE, **as_service(instance))
            case "change by the service":
                target = f"links?id=in.({listed(chosen)})"
                return lambda: alice.rest("PATCH", target, {"title": "other"}, **as_service(instance))
            case "late change":
                headers = {"X-Lectern-Acted-At": "2026-01-31T12:00:00.000Z"}
                return lambda: alice.rest("PATCH", f"links?id=eq.{one}", {"list": "archive"}, **headers)

    kinds = ["save", "change several", "change one", "delete", "delete one", "restore", "tag", "merge tags"]
    kinds += ["highlight", "unmerge", "cancel", "late change", "save by the service", "change by the service"]
    for _ in range(6):
        assert_without_conflict(at_once([write(kind) for kind in kinds + ["save"] * 4]))


def test_deleting_an_account_waits_for_its_writes(instance):
    reader = instance.sign_up()
    save = lambda order: lambda: reader.rest("POST", BY_URL, [{"raw_url": url} for url in order], Prefer=MERGE)
    delete = lambda: instance.auth(
        "DELETE", "user", {"password": reader.password}, Authorization=f"Bearer {reader.token}"
    )
    answers = at_once([save(order) for order in orders(6)] + [delete])
    assert_without_conflict(answers)
    assert answers[-1][0].status == 204
    assert instance.sql(f"select count(*) from public.links where user_id = '{reader.id}'") == [(0,)]


def test_a_single_write_waits_for_a_batch_of_its_user_and_for_no_other(instance, alice, bob, workers):
    one, other = alice.save(PAGES[0])["id"], bob.save(PAGES[0])["id"]
    with ThreadPoolExecutor(1) as pool:
        with workers.transaction():
            workers.execute(
                "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', %s, true), rest.lock_writes()",
                [f'{{"sub": "{alice.id}", "role": "authenticated"}}'],
            )
            waiting = pool.submit(alice.rest, "PATCH", f"links?id=eq.{one}", {"status": "read"})
            assert bob.rest("PATCH", f"links?id=eq.{other}", {"status": "read"}).status == 204
            wait_until(lambda: instance.sql("select pid from pg_locks where locktype = 'advisory' and not granted"))
            # Reading waits for nobody.
            assert alice.link(one)["status"] == "unread"
        assert waiting.result().status == 204


def test_a_merge_by_an_admin_waits_for_the_writes_of_the_user(instance, alice, workers, admin):
    kept, gone = (alice.save(page)["id"] for page in PAGES[:2])
    merge = lambda: admin.execute("select rest.merge_links(%s, %s, 'clean-up')", [kept, gone]).fetchone()
    with ThreadPoolExecutor(1) as pool:
        with workers.transaction():
            workers.execute(
                "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', %s, true), rest.lock_writes()",
                [f'{{"sub": "{alice.id}", "role": "authenticated"}}'],
            )
            waiting = pool.submit(merge)
            wait_until(lambda: instance.sql("select pid from pg_locks where locktype = 'advisory' and not granted"))
        assert waiting.result() != (None,)


def test_a_write_waits_for_others_for_less_time_than_nginx_waits_for_it(workers, jobs):
    configuration = (CHECKOUT / "nginx/nginx.conf").read_text()
    long, others = (
        int(re.search(rf"{place}fastcgi_read_timeout (\d+)s;", configuration)[1]) for place in [r"rpc/[^}]*", r"\n    "]
    )
    longest_statement = int(
        re.search(r"\.seconds\((\d+)\)", (CHECKOUT / "Sources/App/REST/LongStatements.swift").read_text())[1]
    )
    for connection in [workers, jobs]:
        [wait] = connection.execute("show lock_timeout").fetchone()
        assert int(wait.removesuffix("s")) < others and int(wait.removesuffix("s")) + longest_statement < long
