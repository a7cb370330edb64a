"""rpc/changes: a client that applies its pages in order has the rows of its user, and only those."""

import base64
import json
import uuid

import pytest

from support.client import wait_until
from support.delta_sync import KEYS, Copy, ask, key_of, page_of, rows_of
from support.sessions import bearer

REPRESENTATION = "return=representation"


def fill(user, admin):
    """Gives a user a row in every table, and returns the id of the link."""
    link = user.settled(user.save(f"no address {uuid.uuid4()}", title="first")["id"])["id"]
    admin.execute(
        """insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
            extractor_version) values (%s, %s, 'u', '<p>long', 'long', 4, 1, 1)""",
        (link, user.id),
    )
    tag = post(user, "tags", {"name": "tag"})["id"]
    collection = post(user, "collections", {"name": "collection"})["id"]
    post(user, "link_tags", {"link_id": link, "tag_id": tag})
    post(user, "collection_links", {"link_id": link, "collection_id": collection})
    post(user, "highlights", {"link_id": link, "quote": "long"})
    post(user, "bookmarks", {"link_id": link, "name": "place", "quote": "long"})
    post(user, "notes", {"link_id": link, "body": "note"})
    post(user, "reading_progress", {"content_hash": "hash", "link_id": link})
    post(user, "user_settings", {"theme": "dark"})
    post(user, "rules", {"name": "rule", "query": "nothing", "change": {"status": "read"}})
    # The jobs process looks for the highlight in the article.
    working = "select from private.jobs where link_id = %s and state <> 'buried'"
    wait_until(lambda: not admin.execute(working, (link,)).rowcount, every=0.01)
    return link


def post(user, table, row):
    answer = user.rest("POST", table, row, Prefer=REPRESENTATION)
    assert answer.status == 201, answer
    return answer.json()[0]


def save(user, count):
    """Saves links that the jobs process does not touch any more."""
    rows = [{"raw_url": f"no address {number}"} for number in range(count)]
    for row in user.rest("POST", "links", rows, Prefer=REPRESENTATION).json():
        user.settled(row["id"])


# Pages


def test_without_a_cursor_everything_that_is_there_comes_without_the_content_of_articles(alice, admin):
    fill(alice, admin)
    copy = Copy(alice)
    assert copy.news() == sorted((table, "upsert") for table in KEYS)
    assert copy.rows == rows_of(alice)
    [article] = [row for (table, _), row in copy.rows.items() if table == "articles"]
    assert article["length"] == 4 and not {"content", "text_content"} & set(article)
    assert copy.poll() == []


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_pages_of_any_size_hold_every_row_once(alice, admin, limit):
    fill(alice, admin)
    save(alice, 7)
    walk = Copy(alice, limit=limit)
    assert len(walk.poll()) == len(walk.rows) == len(KEYS) + 7
    assert walk.rows == rows_of(alice)
    alice.rest("PATCH", "links?title=is.null", {"title": "changed"})
    alice.rest("DELETE", "tags?name=eq.tag")
    assert len(walk.poll()) == 7 + 2
    assert walk.rows == rows_of(alice)


def test_more_is_true_exactly_while_there_are_further_pages(alice):
    save(alice, 4)
    first = page_of(alice, limit=2)
    second = page_of(alice, limit=2, since=first["cursor"])
    assert (first["more"], second["more"], len(second["changes"])) == (True, False, 2)
    alice.rest("PATCH", "links?title=is.null", {"title": "x"})
    third = page_of(alice, limit=3, since=second["cursor"])
    fourth = page_of(alice, limit=3, since=third["cursor"])
    assert (third["more"], len(fourth["changes"]), fourth["more"]) == (True, 1, False)


def test_a_page_of_large_rows_ends_early(alice):
    save(alice, 6)
    links = alice.links("select=id")
    for link in links:
        post(alice, "notes", {"link_id": link["id"], "body": "x" * 999_999})
    pages = [page_of(alice, tables=["notes"])]
    while pages[-1]["more"]:
        pages.append(page_of(alice, tables=["notes"], since=pages[-1]["cursor"]))
    assert [len(page["changes"]) for page in pages] == [5, 1]
    cursor = pages[-1]["cursor"]
    alice.rest("PATCH", "notes?is_favorite=is.false", {"is_favorite": True})
    delta = page_of(alice, tables=["notes"], since=cursor)
    assert (len(delta["changes"]), delta["more"]) == (5, True)
    assert len(page_of(alice, tables=["notes"], since=delta["cursor"])["changes"]) == 1


def test_a_row_that_changes_during_the_walk_comes_again(alice):
    save(alice, 4)
    copy, other = Copy(alice, limit=2), Copy(alice, limit=2)
    page = page_of(alice, limit=2)
    # One row of the page before, and one of the page to come.
    first, last = page["changes"][0]["key"]["id"], alice.links("select=id&order=updated_at,id&limit=1")[0]["id"]
    alice.rest("DELETE", f"links?id=eq.{first}")
    alice.rest("PATCH", f"links?id=eq.{last}", {"title": "moved to the top of the list"})
    copy.cursor, copy.rows = page["cursor"], {key_of(change): change["row"] for change in page["changes"]}
    copy.poll()
    other.poll()
    assert copy.rows == other.rows == rows_of(alice) and len(copy.rows) == 3


def test_tables_limits_the_walk_and_what_follows(alice, admin):
    link = fill(alice, admin)
    copy = Copy(alice, tables=["tags", "notes"])
    assert copy.news() == [("notes", "upsert"), ("tags", "upsert")]
    alice.rest("PATCH", f"links?id=eq.{link}", {"title": "x"})
    alice.rest("PATCH", f"notes?link_id=eq.{link}", {"body": "x"})
    assert copy.news() == [("notes", "upsert")]
    # A cursor remembers its tables, and cannot tell about others.
    alice.rest("PATCH", "tags?name=eq.tag", {"name": "other"})
    assert [change["table"] for change in page_of(alice, since=copy.cursor)["changes"]] == ["tags"]
    assert page_of(alice, since=copy.cursor, tables=["notes"])["changes"] == []
    answer = ask(alice, since=copy.cursor, tables=["notes", "links"])
    assert (answer.status, answer.json()["code"]) == (400, "LT400")


def test_a_get_takes_the_same_arguments(alice):
    save(alice, 2)
    page = alice.rest("GET", "rpc/changes?limit=1&tables={links,tags}").json()
    assert len(page["changes"]) == 1 and page["more"]
    page = alice.rest("GET", f"rpc/changes?since={page['cursor']}").json()
    assert len(page["changes"]) == 1 and not page["more"]


# What changes


def test_every_kind_of_change_is_told(alice, admin):
    link = fill(alice, admin)
    copy = Copy(alice)
    copy.poll()
    for table in KEYS:
        column = {"link_tags": "created_at", "collection_links": "position", "articles": "length"}.get(table)
        change = {"links": "title = 'x'", "tags": "name = 'x'", "notes": "body = 'x'", "collections": "name = 'x'"}.get(
            table, f"{column} = default" if column == "created_at" else f"{column} = 7" if column else None
        ) or {
            "highlights": "note = 'x'",
            "bookmarks": "name = 'x'",
            "reading_progress": "total_pages = 7",
            "user_settings": "theme = 'auto'",
            "rules": "name = 'x'",
        }[table]
        admin.execute(f"update public.{table} set {change} where user_id = %s", (alice.id,))
        assert copy.news() == [(table, "upsert")]
        # The same values again are no change.
        if column != "created_at":
            admin.execute(f"update public.{table} set {change} where user_id = %s", (alice.id,))
            assert copy.poll() == []
    admin.execute("update public.articles set content = '<p>other' where link_id = %s", (link,))
    assert copy.news() == [("articles", "upsert")]
    assert copy.rows == rows_of(alice)


def test_a_row_that_was_changed_and_deleted_comes_once(alice):
    copy = Copy(alice)
    copy.poll()
    tag = post(alice, "tags", {"name": "a"})
    alice.rest("PATCH", f"tags?id=eq.{tag['id']}", {"name": "b"})
    assert copy.news() == [("tags", "upsert")]
    alice.rest("PATCH", f"tags?id=eq.{tag['id']}", {"name": "c"})
    alice.rest("DELETE", f"tags?id=eq.{tag['id']}")
    assert copy.news() == [("tags", "delete")]


def test_the_trash_deletes_a_link_with_all_that_belongs_to_it_and_restoring_brings_it_back(alice, admin):
    link = fill(alice, admin)
    copy = Copy(alice)
    copy.poll()
    whole = dict(copy.rows)
    alice.rest("DELETE", f"links?id=eq.{link}")
    stays = {"tags", "collections", "user_settings", "rules"}
    assert copy.news() == sorted((table, "delete") for table in KEYS if table not in stays)
    assert copy.rows == rows_of(alice) and {table for table, _ in copy.rows} == stays
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link}).status == 200
    alice.settled(link)
    copy.wait_for_rows()
    assert set(copy.rows) == set(whole)


def test_a_merge_and_its_undoing_tell_both_links(alice, admin):
    ids = [fill_link(alice, f"no address {name}") for name in "ab"]
    copy = Copy(alice)
    copy.poll()
    [(merge,)] = admin.execute("select rest.merge_links(%s, %s, 'clean-up')", ids).fetchall()
    told = {change["key"].get("id"): change["op"] for change in copy.poll() if change["table"] == "links"}
    assert told == {ids[0]: "upsert", ids[1]: "delete"}
    copy.wait_for_rows()
    assert alice.rest("POST", "rpc/unmerge", {"merge_id": str(merge)}).status == 200
    for link in ids:
        alice.settled(link)
    copy.wait_for_rows()
    assert {("links", json.dumps({"id": link})) for link in ids} <= set(copy.rows)


def fill_link(user, url):
    link = user.settled(user.save(url)["id"])["id"]
    post(user, "highlights", {"link_id": link, "quote": url})
    post(user, "notes", {"link_id": link, "body": url})
    return link


def test_an_article_that_moves_to_another_link_is_deleted_and_inserted(alice, admin):
    link = fill(alice, admin)
    other = alice.settled(alice.save("no address, and another")["id"])["id"]
    copy = Copy(alice, tables=["articles"])
    copy.poll()
    admin.execute("update public.articles set link_id = %s where link_id = %s", (other, link))
    assert copy.news() == [("articles", "delete"), ("articles", "upsert")]
    assert [json.loads(key) for _, key in copy.rows] == [{"link_id": other}]


# Two users


def test_nobody_is_told_of_the_rows_of_others(alice, bob, admin):
    link = fill(alice, admin)
    theirs = Copy(bob)
    assert theirs.poll() == []
    alice.rest("PATCH", f"links?id=eq.{link}", {"title": "x"})
    for table in reversed(KEYS):
        admin.execute(f"delete from public.{table} where user_id = %s", (alice.id,))
        assert theirs.poll() == []


def test_a_row_that_changes_its_owner_is_deleted_for_one_and_inserted_for_the_other(alice, bob, admin):
    copies = [Copy(alice), Copy(bob)]
    tag = post(alice, "tags", {"name": "given away"})
    assert [copy.news() for copy in copies] == [[("tags", "upsert")], []]
    admin.execute("update public.tags set user_id = %s where id = %s", (bob.id, tag["id"]))
    assert [copy.news() for copy in copies] == [[("tags", "delete")], [("tags", "upsert")]]
    assert copies[1].rows == rows_of(bob)


def test_a_cursor_of_another_user_is_refused(alice, bob):
    answer = ask(bob, since=page_of(alice)["cursor"])
    assert (answer.status, answer.json()["code"]) == (400, "LT400")
    assert answer.json()["hint"] == "Begin again with since = null."


def test_a_forged_cursor_shows_own_rows_only(alice, bob, admin):
    fill(alice, admin)
    before = page_of(bob)["cursor"]
    fields = json.loads(base64.urlsafe_b64decode(before + "=" * (-len(before) % 4)))
    for change in [{"told": "1:1:"}, {"told": "1:1:", "walk_table": "links"}]:
        forged = base64.urlsafe_b64encode(json.dumps(fields | change).encode()).decode().rstrip("=")
        assert page_of(bob, since=forged)["changes"] == []


# Credentials


def test_only_scopes_that_see_rows_may_ask(lectern, alice):
    statuses = {}
    for scope in ["read", "full", "save", "feed"]:
        token = lectern.auth("POST", "tokens", {"name": scope, "scope": scope}, **bearer(alice.token)).json()["token"]
        answers = [
            lectern.send(method, "/rest/v1/rpc/changes", {"Authorization": f"Bearer {token}"} | json_type, body)
            for method, json_type, body in [("POST", {"Content-Type": "application/json"}, "{}"), ("GET", {}, None)]
        ]
        statuses[scope] = [answer.status for answer in answers]
    assert statuses == {"read": [200, 200], "full": [200, 200], "save": [403, 403], "feed": [403, 403]}


def test_a_key_without_a_user_may_not_ask(lectern):
    for key, status in [(lectern.anon_key, 401), (lectern.service_key, 403)]:
        headers = {"apikey": key, "Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        answer = lectern.send("POST", "/rest/v1/rpc/changes", headers, "{}")
        assert (answer.status, answer.json()["code"]) == (status, "42501")


# Bad arguments


def changed(cursor, **fields):
    """The cursor with other fields; None removes one."""
    known = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))) | fields
    kept = {name: value for name, value in known.items() if value is not None}
    return base64.urlsafe_b64encode(json.dumps(kept).encode()).decode().rstrip("=")


RUBBISH = ["", " ", "x", "null", "AAAA", "é", "[]", "e30", "bnVsbA", "W10", "ImEi", "=" * 100, "A" * 40_000, "\x7f" * 9]


@pytest.mark.parametrize("since", [*RUBBISH, *(base64.b64encode(text * 20_000).decode() for text in (b"[", b'{"a":'))])
def test_a_text_that_is_no_cursor_is_refused(alice, since):
    answer = ask(alice, since=since)
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer


@pytest.mark.parametrize(
    "fields",
    [
        {"user_id": None},
        {"user_id": "x"},
        {"told": None},
        {"told": "x"},
        {"told": "9:3:"},
        {"told": []},
        {"mark": "x"},
        {"mark": None},
        {"tables": None},
        {"tables": []},
        {"tables": ["jobs"]},
        {"tables": "links"},
        {"walk_table": "users"},
        {"walk_table": "links", "walk_after": {"updated_at": "yesterday?", "id": "x"}},
        {"walk_table": "links", "walk_after": 7},
        {"walk_after": {"id": "x"}},
        {"upto": "3:3:"},
        {"next_seq": 1},
        {"next_seq": "x"},
    ],
)
def test_a_cursor_with_wrong_fields_is_refused(alice, fields):
    answer = ask(alice, since=changed(page_of(alice)["cursor"], **fields))
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer


@pytest.mark.parametrize(
    "fields",
    [
        {"cluster": "1.1"},
        {"cluster": None},
        {"mark": str(uuid.uuid4())},
        {"told": "9000000000000000000:9000000000000000000:"},
    ],
)
def test_a_cursor_of_another_copy_of_the_database_is_gone(alice, fields):
    answer = ask(alice, since=changed(page_of(alice)["cursor"], **fields))
    assert (answer.status, answer.json()["code"]) == (410, "LT410"), answer
    assert answer.json()["hint"] == "Begin again with since = null."


@pytest.mark.parametrize(
    "arguments",
    [{"limit": 0}, {"limit": 1001}, {"limit": -1}, {"tables": []}, {"tables": ["jobs"]}, {"tables": ["links", None]}],
)
def test_arguments_out_of_range_are_refused(alice, arguments):
    answer = ask(alice, **arguments)
    assert (answer.status, answer.json()["code"]) == (400, "LT400"), answer


@pytest.mark.parametrize("arguments", [{"limit": "x"}, {"limit": 1e40}, {"tables": 7}, {"tables": [[["x"]]]}])
def test_arguments_of_wrong_types_are_refused(alice, arguments):
    assert ask(alice, **arguments).status == 400


def test_null_stands_for_the_default(alice):
    assert page_of(alice, since=None, limit=None or 500, tables=None)["more"] is False
    assert ask(alice, limit=None).status == 200
