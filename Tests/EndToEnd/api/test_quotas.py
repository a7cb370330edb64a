"""Quotas of one user: links, bytes, and pages fetched in a day."""

import json

import pytest

from support import service
from support.client import wait_until
from support.loopback_site import article

LINKS, FETCHES, BYTES = 6, 2, 400_000


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


def test_a_deleted_link_frees_its_quota_and_can_still_be_restored(instance):
    reader = instance.sign_up()
    ids = [row["id"] for row in save(reader, *urls(1, LINKS)).json()]
    assert reader.rest("DELETE", f"links?id=eq.{ids[0]}").status == 204
    assert save(reader, *urls(LINKS + 1, LINKS + 1)).status == 201
    restored = reader.rest("POST", "rpc/restore_link", {"link_id": ids[0]})
    assert restored.status == 200, restored
    assert len(reader.links()) == LINKS + 1


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


def test_with_the_storage_quota_used_up_a_link_is_saved_without_its_page(instance, website):
    reader = instance.sign_up()
    large = reader.save("http://127.0.0.9:9/large")["id"]
    sent = {"url": "http://127.0.0.9:9/large", "html": article("Large", paragraphs=BYTES // 1_000)}
    assert reader.rest("POST", "rpc/save_page", sent).status == 200
    wait_until(lambda: reader.article(large))
    link = reader.settled(reader.save(f"{website.url}/article")["id"])
    assert (link["state"], link["reason"]) == ("failed", "storage_quota") and "Delete some links" in link[
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
    assert reader.rest("DELETE", f"links?id=eq.{large}").status == 204
    reader.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"})
    assert reader.settled(link["id"])["state"] == "ready"
