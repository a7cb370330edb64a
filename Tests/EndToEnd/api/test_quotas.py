"""Quotas of one user: links, bytes, and pages fetched in a day."""

import json
import uuid

import pytest

from support import service
from support.client import wait_until
from support.deduplication import merges, unmerge
from support.documents import finished, upload
from support.loopback_site import article

LINKS, FETCHES, BYTES = 6, 2, 400_000
PAGE = "http://127.0.0.9:9/page"


@pytest.fixture(scope="module")
def instance():
    return service.shared(
        LECTERN_RATE_LIMITS="on",
        LECTERN_LINK_QUOTA=str(LINKS),
        LECTERN_FETCH_QUOTA=str(FETCHES),
        LECTERN_STORAGE_QUOTA=str(BYTES),
        LECTERN_PICTURES="off",
    )


def save(user, *urls):
    return user.rest("POST", "links", [{"raw_url": url} for url in urls], Prefer="return=representation")


def urls(first, last):
    return [f"http://127.0.0.9:9/{number}" for number in range(first, last + 1)]


def test_links_beyond_the_quota_are_refused_as_a_whole_with_a_message(instance):
    reader, other = instance.sign_up(), instance.sign_up()
    assert save(reader, *urls(1, LINKS - 1)).status == 201
    refused = save(reader, *urls(LINKS, LINKS + 1))
    assert (refused.status, refused.json()["code"]) == (400, "23514"), refused
    assert (
        refused.json()["message"] == f"this server allows {LINKS} links per user"
        and "Delete some" in refused.json()["hint"]
    )
    assert len(reader.links()) == LINKS - 1
    assert save(reader, *urls(LINKS, LINKS)).status == 201
    # Links that exist already do not count again.
    again = reader.rest(
        "POST",
        "links?on_conflict=user_id,raw_url",
        {"raw_url": urls(LINKS, LINKS)[0]},
        Prefer="resolution=merge-duplicates",
    )
    assert again.status in (200, 201), again
    assert save(reader, *urls(LINKS + 1, LINKS + 1)).status == 400
    assert save(other, *urls(1, LINKS)).status == 201


def test_users_are_told_what_they_use_and_what_is_allowed(instance):
    reader, other = instance.sign_up(), instance.sign_up()
    assert save(reader, *urls(1, 2)).status == 201
    use = reader.rest("POST", "rpc/usage", {}).json()
    assert use["links"] == {"used": 2, "allowed": LINKS}
    assert 0 < use["bytes"]["used"] < use["bytes"]["allowed"] == BYTES
    assert other.rest("POST", "rpc/usage", {}).json()["links"]["used"] == 0
    save(reader, *urls(3, LINKS))
    assert reader.rest("POST", "rpc/usage", {}).json()["links"]["used"] == LINKS
    anonymous = instance.send("POST", "/rest/v1/rpc/usage", {"apikey": instance.anon_key}, "{}")
    assert anonymous.status == 401, anonymous


def test_without_a_quota_usage_is_told_without_a_limit():
    unlimited = service.shared(LECTERN_LINK_QUOTA="off", LECTERN_STORAGE_QUOTA="0")
    reader = unlimited.sign_up()
    save(reader, *urls(1, 2))
    use = reader.rest("POST", "rpc/usage", {}).json()
    assert use["links"] == {"used": 2, "allowed": None}
    assert use["bytes"]["used"] > 0 and use["bytes"]["allowed"] is None
    # Far from any limit, too, it is counted now.
    save(reader, *urls(3, 5))
    assert reader.rest("POST", "rpc/usage", {}).json()["links"]["used"] == 5


def test_a_deleted_link_frees_its_quota_and_is_restored_only_within_it(instance):
    reader = instance.sign_up()
    ids = [row["id"] for row in save(reader, *urls(1, LINKS)).json()]
    assert reader.rest("DELETE", f"links?id=eq.{ids[0]}").status == 204
    assert save(reader, *urls(LINKS + 1, LINKS + 1)).status == 201
    refused = reader.rest("POST", "rpc/restore_link", {"link_id": ids[0]})
    assert (refused.status, refused.json()["code"]) == (400, "23514"), refused
    # The link stays in the trash until there is a place for it.
    assert len(reader.links()) == LINKS and len(reader.rest("GET", "trash").json()) == 1
    assert reader.rest("DELETE", f"links?id=eq.{ids[1]}").status == 204
    restored = reader.rest("POST", "rpc/restore_link", {"link_id": ids[0]})
    assert restored.status == 200, restored
    assert len(reader.links()) == LINKS


def test_a_merge_is_undone_only_within_the_quota(instance):
    reader = instance.sign_up()
    ids = [row["id"] for row in save(reader, *urls(1, LINKS)).json()]
    assert save(reader, urls(1, 1)[0] + "?utm_source=x").status == 200
    [merge] = merges(reader)
    refused = reader.rest("POST", "rpc/unmerge", {"merge_id": merge["id"]})
    assert (refused.status, refused.json()["code"]) == (400, "23514"), refused
    assert reader.rest("DELETE", f"links?id=eq.{ids[1]}").status == 204
    assert len(unmerge(reader, merge["id"])) == 2 and len(reader.links()) == LINKS


def test_no_quota_applies_to_the_server_itself(instance):
    reader = instance.sign_up()
    rows = [{"raw_url": url, "user_id": reader.id} for url in urls(1, LINKS + 1)]
    fields = {
        "apikey": instance.service_key,
        "Authorization": f"Bearer {instance.service_key}",
        "Content-Type": "application/json",
    }
    assert instance.send("POST", "/rest/v1/links", fields, json.dumps(rows)).status == 201
    assert len(reader.links()) == LINKS + 1


def test_pages_beyond_the_daily_quota_are_deferred_with_a_reason(instance, website):
    reader = instance.sign_up()
    for number in range(FETCHES):
        assert reader.settled(reader.save(f"{website.url}/article?{number}")["id"])["state"] == "ready"
    waiting = reader.save(f"{website.url}/article?more")["id"]
    link = wait_until(lambda: (link := reader.link(waiting))["reason"] and link)
    assert (link["state"], link["reason"]) == ("pending", "fetch_quota") and f"has fetched {FETCHES} pages" in link[
        "reason_message"
    ]
    (job,) = reader.rest("GET", f"jobs?link_id=eq.{waiting}").json()
    assert (job["state"], job["attempts"], job["reason"]) == ("pending", 0, "fetch_quota")
    ((hours,),) = instance.sql(
        f"select extract(epoch from run_at - now()) / 3600 from private.jobs where link_id = '{waiting}'"
    )
    assert 23 < hours < 25
    # A day later, pages can be fetched again.
    instance.sql(f"update private.done_jobs set done_at = done_at - interval '25 hours' where user_id = '{reader.id}'")
    reader.rest("PATCH", f"links?id=eq.{waiting}", {"state": "pending"})
    instance.sql(f"update private.jobs set run_at = now() where link_id = '{waiting}'; notify lectern_jobs")
    assert wait_until(lambda: reader.link(waiting)["state"] == "ready")
    assert reader.link(waiting)["reason"] is None


def fill_storage(reader, url="http://127.0.0.9:9/large"):
    """Uses up the storage of a user with one page, and returns the link."""
    id = reader.save(url)["id"]
    sent = {"url": url, "html": article("Large", paragraphs=BYTES // 1_000)}
    assert reader.rest("POST", "rpc/save_page", sent).status == 200
    wait_until(lambda: reader.article(id))
    return id, sent


def test_with_the_storage_quota_used_up_a_link_is_saved_without_its_page(instance, website):
    reader = instance.sign_up()
    large, sent = fill_storage(reader)
    link = reader.settled(reader.save(f"{website.url}/article")["id"])
    assert (link["state"], link["reason"]) == ("failed", "storage_quota") and "empty the trash" in link[
        "reason_message"
    ]
    refused = reader.rest("POST", "rpc/save_page", sent | {"url": "http://127.0.0.9:9/another"})
    assert (refused.status, refused.json()["code"]) == (400, "23514"), refused
    smaller = sent | {"html": article("Large", paragraphs=100)}
    assert (
        reader.rest("POST", "rpc/save_page", smaller).status
        == 200
        == reader.rest("POST", "rpc/save_page", smaller).status
    )
    # A link in the trash still takes space.
    assert reader.rest("DELETE", f"links?id=eq.{large}").status == 204
    assert reader.rest("DELETE", f"trash?link_id=eq.{large}").status == 204

    def is_read():
        reader.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"})
        return reader.settled(link["id"])["state"] == "ready"

    # A count that took long, as on a busy machine, holds for a while.
    wait_until(is_read)


def test_with_the_storage_quota_used_up_nothing_is_added_and_everything_can_be_changed_and_deleted(instance):
    reader = instance.sign_up()
    small = reader.save("http://127.0.0.9:9/small")["id"]
    collection, tag = (
        reader.rest("POST", table, {"name": "A"}, Prefer="return=representation").json()[0]["id"]
        for table in ("collections", "tags")
    )
    note = reader.rest("POST", "notes", {"link_id": small, "body": "A"}, Prefer="return=representation").json()[0]["id"]
    row = {"link_id": small, "name": "A", "quote": "A"}
    bookmark = reader.rest("POST", "bookmarks", row, Prefer="return=representation").json()[0]["id"]
    large, _ = fill_storage(reader)
    added = [
        ("POST", "notes", {"link_id": large, "body": "B"}),
        ("POST", "highlights", {"link_id": large, "quote": "B"}),
        ("POST", "bookmarks", {"link_id": large, "name": "B", "quote": "B"}),
        ("PATCH", f"bookmarks?id=eq.{bookmark}", {"name": "longer"}),
        ("POST", "tags", {"name": "B"}),
        ("POST", "collections", {"name": "B"}),
        ("POST", "link_tags", {"link_id": large, "tag_id": tag}),
        ("POST", "collection_links", {"link_id": large, "collection_id": collection}),
        ("POST", "reading_progress", {"content_hash": "B"}),
        ("POST", "links", {"raw_url": "http://127.0.0.9:9/long", "title": "B" * 9_000}),
        ("PATCH", f"links?id=eq.{small}", {"description": "B" * 9_000}),
        ("PATCH", f"notes?id=eq.{note}", {"body": "longer"}),
        ("PATCH", f"collections?id=eq.{collection}", {"description": "longer"}),
    ]
    for method, target, body in added:
        refused = reader.rest(method, target, body)
        assert (refused.status, refused.json()["code"]) == (400, "23514"), (target, refused)
        assert "stores" in refused.json()["message"] and "trash" in refused.json()["hint"]
    for method, target, body in [
        ("PATCH", f"links?id=eq.{small}", {"status": "read", "title": "Short"}),
        ("PATCH", f"notes?id=eq.{note}", {"body": ""}),
        ("PATCH", f"tags?id=eq.{tag}", {"color": "red"}),
        ("DELETE", f"notes?id=eq.{note}", None),
        ("DELETE", f"links?id=eq.{large}", None),
    ]:
        assert reader.rest(method, target, body).status == 204, target
    # A restored link takes no more space than it did in the trash.
    assert reader.rest("POST", "rpc/restore_link", {"link_id": large}).status == 200
    assert reader.article(large)


def test_the_trash_merges_notes_and_titles_count_as_stored(instance):
    reader = instance.sign_up()
    stored = lambda: instance.sql(f"select private.stored_bytes('{reader.id}')")[0][0]
    sizes = [stored()]

    def grows_by(bytes, method, target, body=None):
        assert reader.rest(method, target, body).status in (200, 201, 204)
        sizes.append(stored())
        assert sizes[-1] - sizes[-2] >= bytes, (target, sizes)

    # Random words, which compression does not shorten.
    words = lambda count: "".join(uuid.uuid4().hex for _ in range(count // 32))
    grows_by(3_000, "POST", "links", {"raw_url": PAGE, "title": words(3_200)})
    [link] = reader.links()
    grows_by(30_000, "POST", "notes", {"link_id": link["id"], "body": words(32_000)})
    grows_by(9_000, "POST", "highlights", {"link_id": link["id"], "quote": words(9_600)})
    grows_by(1_000, "POST", "links", {"raw_url": f"{PAGE}?utm_source={words(1_024)}"})
    before = sizes[-1]
    assert reader.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    # Compressed, the texts take about half of the space in the trash.
    assert stored() > before / 3
    assert reader.rest("DELETE", f"trash?link_id=eq.{link['id']}").status == 204
    assert stored() < before / 3


def test_the_quota_of_one_user_is_not_used_by_another(instance):
    reader, other = instance.sign_up(), instance.sign_up()
    fill_storage(reader)
    assert save(reader, *urls(1, LINKS - 1)).status == 201
    assert save(other, *urls(1, LINKS)).status == 201
    assert other.rest("POST", "tags", {"name": "B"}).status == 201


def test_a_file_beyond_the_storage_quota_is_refused_and_leaves_nothing(instance):
    reader = instance.sign_up()
    answer = upload(reader, "large.txt", b"x" * (BYTES + 1))
    assert (answer.status, answer.json()["code"]) == (400, "23514"), answer
    assert "stores" in answer.json()["message"] and "Delete some links" in answer.json()["hint"]
    assert reader.rest("GET", "imports").json() == []
    assert finished(reader, upload(reader, "small.txt", b"Words within the quota."))["imported"] == 1


def test_a_file_beyond_the_quota_of_links_is_rejected(instance):
    reader = instance.sign_up()
    assert save(reader, *urls(1, LINKS)).status == 201
    row = finished(reader, upload(reader, "one more.txt", b"One more link."))
    assert (row["imported"], row["rejected"]) == (0, 1)
    [reject] = reader.rest("GET", f"import_rejects?import_id=eq.{row['id']}").json()
    assert f"{LINKS} links" in reject["reason"] and reader.rest("GET", "documents").json() == []


def test_entries_of_a_file_beyond_the_quota_of_links_are_rejected_and_counted(instance):
    reader = instance.sign_up()
    saved = urls(1, LINKS - 2)
    assert save(reader, *saved).status == 201
    lines = [saved[0], *urls(LINKS + 1, LINKS + 4)]
    row = finished(reader, upload(reader, "list.txt", "\n".join(lines).encode()))
    assert (row["rows"], row["imported"], row["duplicate"], row["rejected"]) == (5, 2, 1, 2)
    rejects = reader.rest("GET", f"import_rejects?import_id=eq.{row['id']}&order=row").json()
    assert [reject["row"] for reject in rejects] == [4, 5]
    assert all(f"{LINKS} links" in reject["reason"] for reject in rejects)
