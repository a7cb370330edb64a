"""Deduplication: a page has one link, however its URL is spelled and however it was reached (rest-contract.md, 2.6)."""

import json
import random
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from support.client import encoded, wait_until
from support.deduplication import BY_URL, IGNORE, MERGE, ROWS, aliases, merges, post, said, unmerge, urls

# The jobs refuse these URLs without sending anything.
PAGE = "http://127.0.0.2/page"
SPELLINGS = [
    "http://127.0.0.2/page?utm_source=feed",
    "https://127.0.0.2/page/",
    "HTTP://127.0.0.2:80/page#top",
    "http://127.0.0.2/a/../page",
    "http://127.0.0.2/%70age",
    "http://127.0.0.2/page?fbclid=1&UTM_Medium=x",
]
OTHER = SPELLINGS[0]


@pytest.fixture
def kept(alice):
    """A link that has been read and archived."""
    link = alice.save(PAGE, title="Page")
    return alice.rest("PATCH", f"links?id=eq.{link['id']}", {"list": "archive", "status": "read"}, Prefer=ROWS).json()[
        0
    ]


# Saving


def test_saving_the_same_url_again_is_a_conflict(alice, kept):
    answer = post(alice, {"raw_url": PAGE})
    assert answer.status == 409 and answer.json()["code"] == "23505"
    assert post(alice, {"raw_url": PAGE, "title": "New"}, MERGE, target=BY_URL).status == 200
    assert alice.link(kept["id"])["title"] == "New" and urls(alice) == [PAGE]


@pytest.mark.parametrize("url", [PAGE, OTHER])
@pytest.mark.parametrize("is_batch", [False, True])
def test_null_for_list_or_status_leaves_them_as_they_are(alice, kept, url, is_batch):
    wish = {"raw_url": url, "title": "New", "list": None, "status": None}
    body = [wish, {**wish, "raw_url": f"{PAGE}/another"}] if is_batch else wish
    answer = post(alice, body, MERGE, target=BY_URL)
    assert answer.status in (200, 201), answer
    assert (answer.json()[0]["list"], answer.json()[0]["status"]) == ("archive", "read")
    assert [(row["list"], row["status"]) for row in answer.json()[1:]] == [("read", "unread")] * is_batch
    intent = {"X-Lectern-Intent": "import"}
    assert post(alice, body, MERGE, target=BY_URL, **intent).json()[0]["list"] == "archive"
    # One of two spellings may say something.
    both = [{"raw_url": PAGE, "list": None, "status": "unread"}, {"raw_url": OTHER, "list": None, "status": None}]
    for order in (both, both[::-1]):
        alice.rest("PATCH", f"links?id=eq.{kept['id']}", {"status": "read"})
        [row] = post(alice, order, MERGE, target=BY_URL).json()
        assert (row["list"], row["status"]) == ("archive", "unread")


def test_null_for_list_or_status_of_a_new_page_is_the_default(alice):
    for number, prefer in enumerate(["missing=default", MERGE, IGNORE, ""]):
        wish = {"raw_url": f"{PAGE}/{number}", "list": None, "status": None}
        for body in (wish, [wish | {"raw_url": f"{PAGE}/{number}/{part}"} for part in "ab"]):
            answer = post(alice, body, prefer)
            assert answer.status == 201, answer
            assert {(row["list"], row["status"]) for row in answer.json()} == {("read", "unread")}


def test_a_put_with_null_for_list_or_status_leaves_them_as_they_are(alice, kept):
    row = {"id": kept["id"], "user_id": alice.id, "raw_url": PAGE, "list": None, "status": None}
    answer = alice.rest("PUT", f"links?id=eq.{kept['id']}", row, Prefer=ROWS)
    assert answer.status == 200, answer
    assert (answer.json()[0]["list"], answer.json()[0]["status"]) == ("archive", "read")


def test_a_change_to_null_is_refused(alice, kept):
    for column in ("list", "status"):
        answer = alice.rest("PATCH", f"links?id=eq.{kept['id']}", {column: None})
        assert answer.status == 400 and answer.json()["code"] == "23502", answer


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "prefer,target", [((), "links"), ((MERGE,), "links"), ((MERGE,), BY_URL), ((MERGE,), "links?on_conflict=id")]
)
def test_another_spelling_of_a_saved_page_is_the_same_link(alice, kept, spelling, prefer, target):
    answer = post(alice, {"raw_url": spelling, "title": "Another"}, *prefer, target=target)
    assert answer.status == 200, answer
    [row] = answer.json()
    assert (row["id"], row["raw_url"], row["title"]) == (kept["id"], PAGE, "Page")
    assert row["updated_at"] > kept["updated_at"] and row["created_at"] == kept["created_at"]
    assert urls(alice) == [PAGE] and aliases(alice, "spelling") == [spelling]


def test_saving_an_alias_again_is_still_answered_with_the_link(alice, kept):
    assert [post(alice, {"raw_url": OTHER}).status for _ in range(3)] == [200, 200, 200]
    assert aliases(alice, "spelling") == [OTHER] and len(merges(alice)) == 1


def test_without_representation_the_answer_is_empty(alice, kept):
    answer = alice.rest("POST", "links", {"raw_url": OTHER})
    assert (answer.status, answer.body) == (200, b"")


def test_the_values_of_the_request_are_applied(alice, kept):
    [row] = post(
        alice, {"raw_url": OTHER, "list": "read", "status": "unread", "is_starred": True, "description": "d"}
    ).json()
    assert (row["list"], row["status"], row["is_starred"], row["description"]) == ("read", "unread", True, "d")


def test_columns_that_are_not_named_keep_their_values(alice, kept):
    alice.rest("PATCH", f"links?id=eq.{kept['id']}", {"is_starred": True})
    [row] = post(alice, {"raw_url": OTHER, "title": None, "is_starred": False, "description": None}).json()
    assert (row["list"], row["status"], row["is_starred"], row["title"]) == ("archive", "read", True, "Page")


def test_default_values_do_not_overwrite(alice, kept):
    answer = alice.rest(
        "POST", "links?columns=raw_url,list,status,title", {"raw_url": OTHER}, Prefer=f"{ROWS},missing=default"
    )
    assert answer.status == 200 and (answer.json()[0]["list"], answer.json()[0]["status"]) == ("archive", "read")


def test_a_star_in_the_title_sets_is_starred(alice, kept):
    [row] = post(alice, {"raw_url": OTHER, "title": "⭐ Page"}).json()
    assert row["is_starred"] and row["title"] == "Page"


def test_ignoring_duplicates_changes_nothing(alice, kept):
    answer = post(alice, {"raw_url": OTHER, "list": "read"}, IGNORE, target=BY_URL)
    assert (answer.status, answer.json()) == (201, [])
    assert said(alice.link(kept["id"])) == said(kept) and aliases(alice, "spelling") == []


def test_a_batch_of_spellings_becomes_one_row(alice):
    answer = post(
        alice,
        [
            {"raw_url": url, "title": title}
            for url, title in [(OTHER, "first"), (PAGE + "2", "other"), (PAGE, "second"), (SPELLINGS[1], None)]
        ],
    )
    assert answer.status == 201
    assert [(row["raw_url"], row["title"]) for row in answer.json()] == [(OTHER, "second"), (PAGE + "2", "other")]
    assert urls(alice) == sorted([OTHER, PAGE + "2"])


def test_a_batch_with_a_new_and_a_known_page_is_answered_with_201(alice, kept):
    answer = post(alice, [{"raw_url": OTHER}, {"raw_url": PAGE + "2"}])
    assert answer.status == 201 and [row["raw_url"] for row in answer.json()] == [PAGE, PAGE + "2"]
    answer = post(alice, [{"raw_url": OTHER}, {"raw_url": PAGE + "2/"}])
    assert answer.status == 200 and [row["raw_url"] for row in answer.json()] == [PAGE, PAGE + "2"]


def test_a_plain_batch_with_a_known_address_changes_nothing(alice, kept):
    answer = post(alice, [{"raw_url": PAGE + "2"}, {"raw_url": OTHER}, {"raw_url": PAGE}])
    assert answer.status == 409 and answer.json()["code"] == "23505"
    assert [said(link) for link in alice.links()] == [said(kept)] and merges(alice) == []


def test_an_upsert_batch_may_hold_a_known_url_and_another_spelling_of_it(alice, kept):
    answer = post(
        alice, [{"raw_url": PAGE, "title": "New"}, {"raw_url": OTHER, "title": "Newer"}], MERGE, target=BY_URL
    )
    assert answer.status == 200 and [(row["id"], row["title"]) for row in answer.json()] == [(kept["id"], "New")]


def test_the_id_from_a_client_becomes_an_alias_of_the_link(alice, kept):
    id = str(uuid.uuid4())
    [row] = post(alice, {"raw_url": OTHER, "id": id}).json()
    assert row["id"] == kept["id"]
    assert [link["id"] for link in alice.links(f"id=eq.{id}")] == [kept["id"]]
    assert (
        alice.rest("GET", f"links?id=eq.{id.upper()}", Accept="application/vnd.pgrst.object+json").json()["id"]
        == kept["id"]
    )
    answer = alice.rest("PATCH", f"links?id=eq.{id}", {"title": "by alias"}, Prefer=ROWS)
    assert [(link["id"], link["title"]) for link in answer.json()] == [(kept["id"], "by alias")]
    assert alice.rest("DELETE", f"links?id=eq.{id}").status == 204 and alice.links() == []


def test_an_id_of_an_existing_link_does_not_become_an_alias(alice, bob, kept):
    own, others = alice.save(PAGE + "2")["id"], bob.save(PAGE)["id"]
    for id in (own, others):
        assert post(alice, {"raw_url": OTHER, "id": id}).status == 200
    assert aliases(alice, "id") == []


def test_aliases_are_visible_to_their_user_only(alice, bob, kept):
    id = str(uuid.uuid4())
    post(alice, {"raw_url": OTHER, "id": id})
    assert bob.links(f"id=eq.{id}") == []
    assert bob.rest("PATCH", f"links?id=eq.{id}", {"title": "x"}, Prefer=ROWS).json() == []
    assert post(bob, {"raw_url": OTHER}).status == 201


def test_a_change_by_another_spelling_applies_to_the_link(alice, kept):
    post(alice, {"raw_url": OTHER})
    where = f"links?user_id=eq.{alice.id}&raw_url=eq.{encoded(OTHER)}"
    assert alice.rest("GET", where).json() == []
    assert [row["id"] for row in alice.rest("PATCH", where, {"status": "unread"}, Prefer=ROWS).json()] == [kept["id"]]
    assert alice.rest("DELETE", where, Prefer=ROWS).json()[0]["id"] == kept["id"]


@pytest.mark.parametrize(
    "table,row",
    [
        ("highlights", {"quote": "q"}),
        ("bookmarks", {"name": "n", "quote": "q"}),
        ("notes", {"body": "b"}),
        ("reading_progress", {"content_hash": "h"}),
    ],
)
def test_rows_that_refer_to_an_alias_refer_to_the_link(alice, kept, table, row):
    id = str(uuid.uuid4())
    post(alice, {"raw_url": OTHER, "id": id})
    answer = alice.rest("POST", table, row | {"link_id": id}, Prefer=ROWS)
    assert answer.status == 201 and answer.json()[0]["link_id"] == kept["id"]


def test_a_link_cannot_take_the_url_of_another_link(alice, kept):
    other = alice.save(PAGE + "2")["id"]
    for url in (PAGE, OTHER):
        answer = alice.rest("PATCH", f"links?id=eq.{other}", {"raw_url": url})
        assert answer.status == 409 and answer.json()["code"] == "23505"


def test_a_new_url_removes_the_aliases_of_the_old_one(alice, kept):
    post(alice, {"raw_url": OTHER})
    assert alice.rest("PATCH", f"links?id=eq.{kept['id']}", {"raw_url": SPELLINGS[1]}).status == 204
    assert aliases(alice, "spelling") == [OTHER]
    assert alice.rest("PATCH", f"links?id=eq.{kept['id']}", {"raw_url": PAGE + "2"}).status == 204
    assert aliases(alice, "spelling") == []
    assert post(alice, {"raw_url": OTHER}).status == 201


def test_a_client_cannot_write_keys(alice, kept):
    other = alice.save(PAGE + "2", dedupe_key="https://x", canonical_key="https://x", is_kept_apart=True)
    assert (other["dedupe_key"], other["canonical_key"], other["is_kept_apart"]) == (
        "https://127.0.0.2/page2",
        None,
        False,
    )
    change = {"dedupe_key": kept["dedupe_key"], "canonical_key": "x", "is_kept_apart": True}
    [row] = alice.rest("PATCH", f"links?id=eq.{other['id']}", change, Prefer=ROWS).json()
    assert (row["dedupe_key"], row["canonical_key"], row["is_kept_apart"]) == ("https://127.0.0.2/page2", None, False)


@pytest.mark.parametrize(
    "raw", ["javascript:alert(1)", "data:text/html,x", "no address", "mailto:a@example.org", "ftp://example.org/a"]
)
def test_a_url_that_is_not_http_is_compared_literally(alice, raw):
    assert alice.save(raw)["dedupe_key"] is None
    assert alice.save(raw + " ")["dedupe_key"] is None
    assert post(alice, {"raw_url": raw}).status == 409


@pytest.mark.parametrize(
    "raw",
    [
        "http://example.org/" + "a" * 65_000,
        "http://example.org/" + "%zz" * 1000,
        "http://example.org/?" + "&".join(f"p{n}=1" for n in range(10_000)),
        "http://\u202eexample.org/",
        "http://ex\u0430mple.org/",
        "http://[::ffff:1.2.3.4]/",
        "http://1.2.3.4.5/",
        "http:///",
        "http://example.org:99999/",
        "http://" + "a" * 300 + ".org/",
        "http://example.org/\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
    ],
)
def test_strange_addresses_get_a_clear_answer(alice, raw):
    first, second = (
        post(alice, {"raw_url": raw}),
        post(alice, {"raw_url": raw + "?utm_source=x" if "?" not in raw else raw + "&utm_source=x"}),
    )
    assert first.status in (201, 400, 413) and second.status in (200, 201, 400, 409, 413), (first, second)


def test_a_page_sent_by_a_client_finds_its_link(alice, kept):
    answer = alice.rest("POST", "rpc/save_page", {"url": OTHER, "html": "<p>x", "tags": ["t"], "list": "read"})
    assert answer.status == 200 and answer.json()[0]["id"] == kept["id"], answer
    assert (answer.json()[0]["list"], answer.json()[0]["state"]) == ("read", "pending")
    assert urls(alice) == [PAGE] and aliases(alice, "spelling") == [OTHER]


def test_an_insert_in_psql_fails_if_the_page_is_already_saved(alice, admin, kept):
    with pytest.raises(psycopg.errors.UniqueViolation):
        admin.execute("insert into links (user_id, raw_url) values (%s, %s)", (alice.id, OTHER))
    post(alice, {"raw_url": "http://127.0.0.2/s", "resolved_url": "http://127.0.0.2/t"})
    with pytest.raises(psycopg.errors.UniqueViolation):
        admin.execute("insert into links (user_id, raw_url) values (%s, 'http://127.0.0.2/t/')", (alice.id,))


def test_the_location_header_names_the_existing_link(alice, kept):
    answer = alice.rest("POST", "links", {"raw_url": OTHER}, Prefer="return=headers-only")
    assert (answer.status, answer["location"], answer.body) == (200, f"/links?id=eq.{kept['id']}", b"")
    answer = alice.rest("POST", "links?select=raw_url,list", {"raw_url": OTHER}, Prefer=ROWS, Accept="text/csv")
    assert (answer.status, answer.body.decode().splitlines()) == (200, ["raw_url,list", f"{PAGE},archive"])


# Imports


@pytest.mark.parametrize("spelling", [PAGE, OTHER])
def test_an_import_fills_empty_columns_and_moves_no_link(alice, kept, spelling):
    body = {
        "raw_url": spelling,
        "title": "Old",
        "description": "from elsewhere",
        "list": "read",
        "status": "unread",
        "is_starred": True,
    }
    answer = post(alice, body, MERGE, target=BY_URL, X_Lectern_Intent="import")
    assert answer.status == 200, answer
    assert said(alice.link(kept["id"])) == said(kept) | {"description": "from elsewhere"}


def test_the_service_key_fills_empty_columns(alice, kept, lectern):
    headers = {
        "Content-Type": "application/json",
        "apikey": lectern.service_key,
        "Authorization": f"Bearer {lectern.service_key}",
        "Prefer": ROWS,
    }
    body = {"raw_url": OTHER, "user_id": alice.id, "description": "by the admin", "list": "read", "status": "unread"}
    answer = lectern.send("POST", "/rest/v1/links", headers, json.dumps(body))
    assert answer.status == 200 and answer.json()[0]["id"] == kept["id"]
    assert said(alice.link(kept["id"])) == said(kept) | {"description": "by the admin"}


def test_an_unknown_intent_is_refused(alice):
    answer = post(alice, {"raw_url": PAGE}, X_Lectern_Intent="mischief")
    assert answer.status == 400 and "x-lectern-intent" in answer.json()["message"]


# Concurrent writers


@pytest.mark.parametrize("seed", range(2))
def test_fifty_writers_of_shuffled_spellings_leave_one_row_per_page(alice, seed):
    random.Random(seed)
    pages = [f"http://127.0.0.2/at-once/{number}" for number in range(20)]
    spell = [
        lambda page: page,
        lambda page: page + "/",
        lambda page: page + "?utm_source=a",
        lambda page: page.replace("http:", "https:"),
        lambda page: page + "#x",
        lambda page: page.replace("/at-once", "/./at-once"),
    ]
    gate = threading.Barrier(50)

    def write(number):
        own = random.Random(f"{seed} {number}")
        order = own.sample(pages, len(pages))
        gate.wait()
        statuses = []
        for page in order:
            body = {"raw_url": own.choice(spell)(page), "title": f"by {number}"}
            prefer = own.choice([(), (MERGE,), (IGNORE,)])
            # Fifty requests of one user may wait longer than a busy server lets them: it asks to try again.
            while (answer := post(alice, body, *prefer, target=BY_URL if prefer else "links")).status == 429:
                time.sleep(int(answer["retry-after"]))
            statuses.append((answer.status, body["raw_url"], prefer))
        return statuses

    with ThreadPoolExecutor(50) as threads:
        answers = [answer for answers in threads.map(write, range(50)) for answer in answers]
    links = alice.links()
    assert sorted(link["dedupe_key"] for link in links) == sorted(page.replace("http:", "https:") for page in pages)
    # A plain insert of the same URL is a conflict; every other request succeeds.
    exact = {link["raw_url"] for link in links}
    assert {status for status, url, prefer in answers if not (url in exact and not prefer)} <= {200, 201}
    assert {status for status, _, _ in answers} <= {200, 201, 409}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_last_value_of_a_batch_counts(alice, kept, order):
    batch = [{"raw_url": OTHER, "status": "read"}, {"raw_url": PAGE, "status": "unread"}]
    answer = post(alice, [batch[place] for place in order], MERGE, target=BY_URL)
    assert answer.status == 200 and [row["status"] for row in answer.json()] == [batch[order[1]]["status"]]


def test_a_batch_without_a_url_is_refused(alice, kept):
    answer = post(alice, [{"raw_url": OTHER}, {"raw_url": None}])
    assert answer.status == 400 and answer.json()["code"] == "23502", answer
    assert aliases(alice, "spelling") == []


# Unmerging


def test_a_large_batch_that_holds_a_saved_page_is_saved_completely(admin, alice, kept):
    answer = post(alice, [{"raw_url": f"{PAGE}/{number}"} for number in range(4000)] + [{"raw_url": OTHER}])
    assert answer.status == 201, answer
    assert [row["raw_url"] for row in answer.json()] == [f"{PAGE}/{number}" for number in range(4000)] + [PAGE]
    # Nothing listens there, and the jobs should not be kept busy.
    admin.execute("delete from private.jobs where user_id = %s", [alice.id])
    # On a busy machine it may take longer than a request may.
    wait_until(lambda: alice.rest("DELETE", f"links?user_id=eq.{alice.id}").status == 204)


def test_a_merge_without_other_values_can_be_undone(alice):
    post(alice, [{"raw_url": PAGE}, {"raw_url": OTHER}])
    assert [link["raw_url"] for link in unmerge(alice, merges(alice)[0]["id"])] == [PAGE, OTHER]


def test_each_row_of_a_batch_gets_its_own_representation_back(alice):
    post(alice, [{"raw_url": PAGE, "title": "first"}, {"raw_url": OTHER, "title": "second"}])
    both = unmerge(alice, merges(alice)[0]["id"])
    assert [(link["raw_url"], link["title"]) for link in both] == [(PAGE, "first"), (OTHER, "second")]


@pytest.mark.parametrize("first", ["<p>first", None])
def test_a_page_sent_by_another_spelling_returns_the_existing_link(alice, admin, first):
    sent = lambda url, html, *tags: alice.rest(
        "POST", "rpc/save_page", {"url": url, "html": html, "tags": tags}
    ).json()[0]["id"]
    link = sent(PAGE, first, "one") if first else alice.save(PAGE)["id"]
    assert sent(OTHER, "<p>second", "one", "two") == link
    other = unmerge(alice, merges(alice)[0]["id"])[1]["id"]
    pages = dict(admin.execute("select link_id::text, html from private.pages where user_id = %s", (alice.id,)))
    assert pages == ({link: first} if first else {}) | {other: "<p>second"}
    tags = lambda id: sorted(
        tag["name"] for tag in alice.rest("GET", f"links?id=eq.{id}&select=tags(name)").json()[0]["tags"]
    )
    assert tags(link) == (["one"] if first else []) and "two" in tags(other)


def test_undoing_a_merge_cannot_set_protected_columns(alice, kept):
    forged = {
        "canonical_key": "https://x",
        "state": "ready",
        "reason": "forged",
        "acted_at": "2099-01-01T00:00:00Z",
        "title_is_text": True,
    }
    post(alice, {"raw_url": OTHER, "title": "T"} | forged)
    other = unmerge(alice, merges(alice)[0]["id"])[1]
    assert other["title"] == "T" and not any(other[name] == value for name, value in forged.items())


def test_stored_rows_return_to_the_owner_of_the_merge_whatever_they_say(alice, bob, admin, kept):
    tag = alice.rest("POST", "tags", {"name": "one"}, Prefer=ROWS).json()[0]["id"]
    page = {"url": OTHER, "html": "<p>sent", "tags": ["one"]}
    assert alice.rest("POST", "rpc/save_page", page).status == 200
    tampered = lambda column: f"{column} = replace({column}::text, '{alice.id}', '{bob.id}')::jsonb"
    admin.execute(
        f"update public.link_merges set {tampered('link')}, {tampered('parts')} where user_id = %s", (alice.id,)
    )
    both = unmerge(alice, merges(alice)[0]["id"])
    assert [link["user_id"] for link in both] == [alice.id, alice.id] and bob.links() == []
    [given] = alice.rest("GET", f"link_tags?link_id=eq.{both[1]['id']}").json()
    assert (given["tag_id"], given["user_id"]) == (tag, alice.id)
    owners = admin.execute("select distinct user_id::text from private.pages where html = '<p>sent'").fetchall()
    assert (bob.id,) not in owners and (alice.id,) in owners
    # The trash, too.
    assert alice.rest("DELETE", f"links?id=eq.{both[1]['id']}").status == 204
    admin.execute(f"update public.trash set {tampered('link')}, {tampered('parts')} where user_id = %s", (alice.id,))
    [link] = alice.rest("POST", "rpc/restore_link", {"link_id": both[1]["id"]}).json()
    assert link["user_id"] == alice.id and bob.links() == []
    assert len(alice.rest("GET", f"link_tags?link_id=eq.{link['id']}").json()) == 1


def test_a_wrong_merge_at_saving_can_be_undone(alice, kept):
    post(alice, {"raw_url": OTHER, "title": "Another page", "list": "read", "is_starred": True})
    [merge] = merges(alice)
    assert (merge["survivor_id"], merge["raw_url"], merge["reason"]) == (kept["id"], OTHER, "spelling")
    both = unmerge(alice, merge["id"])
    assert [link["raw_url"] for link in both] == [PAGE, OTHER]
    assert said(alice.link(kept["id"])) == said(kept)
    other = alice.link(both[1]["id"])
    assert (other["title"], other["list"], other["is_starred"], other["is_kept_apart"]) == (
        "Another page",
        "read",
        True,
        True,
    )
    assert unmerge(alice, merge["id"]) == []
    # They stay separate.
    assert (
        post(alice, {"raw_url": OTHER}).status == 409
        and post(alice, {"raw_url": SPELLINGS[1]}).json()[0]["id"] == kept["id"]
    )


def test_later_changes_by_the_user_stay_with_the_remaining_link(alice, kept):
    post(alice, {"raw_url": OTHER, "list": "read", "description": "d"})
    alice.rest("PATCH", f"links?id=eq.{kept['id']}", {"list": "archive", "title": "Mine"})
    unmerge(alice, merges(alice)[0]["id"])
    link = alice.link(kept["id"])
    assert (link["list"], link["title"], link["description"]) == ("archive", "Mine", None)


def test_users_cannot_unmerge_links_of_others(alice, bob, kept):
    post(alice, {"raw_url": OTHER})
    [merge] = merges(alice)
    assert merges(bob) == [] and unmerge(bob, merge["id"]) == []
    assert urls(alice) == [PAGE]
