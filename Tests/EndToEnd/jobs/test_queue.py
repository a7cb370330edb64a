"""The queue as users and admins see it: waiting jobs with their reasons, progress of imports, and cancelling."""

import json

import pytest

from support import service
from support.client import wait_until

COLUMNS = {
    "id",
    "kind",
    "user_id",
    "link_id",
    "raw_url",
    "state",
    "attempts",
    "run_at",
    "reason",
    "message",
    "batch_id",
    "created_at",
    "started_at",
    "done_at",
    "steps",
}


@pytest.fixture(scope="module")
def instance():
    """One page an hour is fetched from a site, unless a user waits for it, so imported links stay deferred."""
    with service.own(
        LECTERN_RATE_LIMITS="on", LECTERN_FETCH_HOST_PAUSE="3600000", LECTERN_JOBS_RETRY_BASE="3600"
    ) as instance:
        yield instance


@pytest.fixture(scope="module")
def reader(instance):
    return instance.sign_up()


@pytest.fixture(scope="module")
def other(instance):
    return instance.sign_up()


def jobs(user, query=""):
    answer = user.rest("GET", f"jobs?order=id&{query}")
    assert answer.status == 200, answer
    return answer.json()


def batches(user):
    return user.rest("GET", "batches?order=id").json()


def deferred_jobs(user, query=""):
    """Jobs that were started once and are deferred for their site."""
    return jobs(user, f"state=eq.pending&started_at=not.is.null&{query}")


def import_links(user, *urls):
    answer = user.rest(
        "POST",
        "links",
        [{"raw_url": url} for url in urls],
        **{"X-Lectern-Intent": "import"},
        Prefer="return=representation",
    )
    assert answer.status == 201, answer
    return [row["id"] for row in answer.json()]


@pytest.fixture(scope="module")
def imported(reader, website):
    """Five links of one site, of which one has been fetched."""
    ids = import_links(reader, *[f"{website.url}/article?{n}" for n in range(5)])
    wait_until(lambda: len(deferred_jobs(reader)) == 4 and batches(reader)[0]["done"] == 1)
    return ids


def admin(instance, *arguments):
    done = instance.lectern("jobs", *arguments, service="migrate")
    assert done.returncode == 0, done
    return done.stdout


def test_a_batch_shows_the_progress_of_an_import(reader, imported):
    (batch,) = batches(reader)
    shown = {name: batch[name] for name in ("jobs", "done", "running", "waiting", "failed", "buried")}
    assert shown == {"jobs": 5, "done": 1, "running": 0, "waiting": 4, "failed": 0, "buried": 0}
    assert batch["done_at"] is None and batch["seconds_left"] in (240, None)
    found = jobs(reader, f"batch_id=eq.{batch['id']}")
    assert {row["link_id"] for row in found} == set(imported) and all(set(row) == COLUMNS for row in found)
    assert sorted(row["state"] for row in found) == ["done"] + ["pending"] * 4


def test_a_job_deferred_for_its_site_shows_until_when_and_counts_no_attempt(reader, imported):
    waiting = jobs(reader, "state=eq.pending")
    assert len({row["run_at"] for row in waiting}) == 4
    assert all((row["attempts"], row["reason"], row["done_at"]) == (0, None, None) for row in waiting)


def test_a_link_saved_by_hand_is_fetched_from_a_site_whose_import_is_deferred(reader, website, imported):
    link = reader.settled(reader.save(f"{website.url}/article?by-hand")["id"])
    (job,) = jobs(reader, f"link_id=eq.{link['id']}")
    assert (job["state"], job["attempts"], job["batch_id"], job["raw_url"]) == ("done", 1, None, link["raw_url"])
    assert job["created_at"] <= job["started_at"] <= job["done_at"]
    assert set(job["steps"]) == {"recall", "fetch", "read", "canonicalise"} and all(
        type(time) is int for time in job["steps"].values()
    )


def test_a_failed_job_shows_when_it_is_retried_and_a_buried_one_why(reader, website):
    failing, gone = (reader.save(url)["id"] for url in ("http://127.0.0.9:9/", f"{website.url}/gone"))
    assert reader.settled(gone)["state"] == "failed"
    wait_until(lambda: reader.link(failing)["reason"])
    (job,) = jobs(reader, f"link_id=eq.{gone}")
    assert (job["state"], job["attempts"], job["reason"], job["run_at"]) == (
        "buried",
        1,
        "http_error",
        None,
    ) and "404" in job["message"]
    (job,) = jobs(reader, f"link_id=eq.{failing}")
    assert (job["state"], job["attempts"]) == ("failed", 1) and job["run_at"]
    # Users are not told which addresses are private.
    assert (job["reason"], job["message"]) == ("connection_failed", "The site could not be reached.")


def test_users_see_only_their_own_jobs_and_write_none(instance, reader, other, imported):
    assert jobs(other) == [] and batches(other) == []
    for relation in ("jobs", "batches"):
        for method, body in (
            ("POST", {"id": 1, "user_id": other.id}),
            ("PATCH", {"user_id": other.id}),
            ("DELETE", None),
        ):
            answer = reader.rest(method, relation + ("" if method == "POST" else "?id=gte.0"), body)
            assert answer.status in (400, 403) and answer.json()["code"] in ("42501", "55000"), (
                relation,
                method,
                answer,
            )
        assert instance.send("GET", f"/rest/v1/{relation}", {"apikey": instance.anon_key}).status in (401, 403)


def test_users_can_cancel_only_their_own_jobs(reader, other, imported):
    (batch,) = batches(reader)
    assert other.rest("POST", "rpc/cancel_jobs", {"batch_id": batch["id"]}).json() == 0
    assert other.rest("POST", "rpc/cancel_jobs", {"link_ids": imported}).json() == 0
    assert other.rest("POST", "rpc/cancel_jobs", {}).json() == 0
    assert len(jobs(reader, "state=eq.pending")) == 4


def test_a_cancelled_import_keeps_its_links_and_they_can_be_retried(reader, imported):
    (batch,) = batches(reader)
    first = jobs(reader, "state=eq.pending")[0]["link_id"]
    before = reader.rest("GET", "links?state=eq.pending&select=id")
    assert reader.rest("POST", "rpc/cancel_jobs", {"link_ids": [first]}).json() == 1
    assert reader.rest("POST", "rpc/cancel_jobs", {"batch_id": batch["id"]}).json() == 3
    assert reader.rest("GET", "links?state=eq.pending&select=id", **{"If-None-Match": before["etag"]}).status == 200
    links = reader.links(f"id=in.({','.join(imported)})")
    assert (
        sorted((link["state"], link["reason"]) for link in links if link["state"] == "failed")
        == [("failed", "cancelled")] * 4
    )
    assert reader.link(first)["reason_message"] == "It was removed from the queue before it was fetched."
    (batch,) = batches(reader)
    assert (batch["done"], batch["waiting"], batch["buried"]) == (1, 0, 4) and batch["done_at"]
    assert reader.rest("PATCH", f"links?id=eq.{first}", {"state": "pending"}).status == 204
    assert reader.settled(first)["state"] == "ready"
    (batch,) = batches(reader)
    assert (batch["jobs"], batch["done"], batch["buried"]) == (5, 2, 3)


def test_cancelling_a_retry_leaves_a_link_with_its_article(instance, reader, imported):
    (ready, *_) = reader.links("state=eq.ready&select=id")
    instance.sql(f"update public.links set state = 'pending' where id = '{ready['id']}'")
    # The site's pause applies, because no user waits for a retry by the admin.
    wait_until(lambda: deferred_jobs(reader, f"link_id=eq.{ready['id']}"))
    assert reader.rest("POST", "rpc/cancel_jobs", {"link_ids": [ready["id"]]}).json() == 1
    assert (reader.link(ready["id"])["state"], reader.link(ready["id"])["reason"]) == ("ready", None)


def test_the_admin_lists_all_jobs_and_retries_or_cancels_a_selection(instance, reader, other, website, imported):
    reader.save("http://127.0.0.9:9/for-the-admin")
    wait_until(lambda: "for-the-admin" in admin(instance, "list", "--reason", "blocked_address"))
    theirs = import_links(other, *[f"{website.url}/article?{n}" for n in range(3)])
    wait_until(lambda: len(deferred_jobs(other)) == 3)
    assert json.loads(admin(instance, "batches", "--json"))[0]["waiting"] == 3
    assert other.email in admin(instance, "batches") and "buried" in admin(instance, "status")
    listed = json.loads(admin(instance, "list", "--user", other.email, "--json"))
    assert {row["link_id"] for row in listed} == set(theirs) and listed[0]["email"] == other.email
    assert reader.email in admin(instance, "list", "--done") and "fetch" in admin(instance, "list", "--done")
    assert admin(instance, "cancel", theirs[0]) == "1 removed from the queue\n"
    assert admin(instance, "cancel", "--user", other.email) == "2 removed from the queue\n"
    assert admin(instance, "retry", "--reason", "cancelled", "--user", other.email) == "3 put back into the queue\n"
    assert [batch["waiting"] + batch["running"] for batch in batches(other)] == [3]
    assert admin(instance, "retry", "--reason", "no_such") == "0 put back into the queue\n"
    for _ in range(2):
        instance.sql(f"""insert into private.jobs (kind, user_id, link_id, state, reason)
            values ('place', '{other.id}', '{theirs[0]}', 'buried', 'twice')""")
    assert admin(instance, "retry", "--reason", "twice") == "1 put back into the queue\n"


def test_the_service_key_reads_the_jobs_of_all_users(instance, reader, other, website, imported):
    by_key = lambda target: instance.send(
        "GET", f"/rest/v1/{target}", {"apikey": instance.service_key, "Authorization": f"Bearer {instance.service_key}"}
    ).json()
    other.settled(other.save(f"{website.url}/article")["id"])
    assert {row["user_id"] for row in by_key("jobs?select=user_id")} == {reader.id, other.id}
    assert reader.id in {row["user_id"] for row in by_key("batches?select=user_id")}


def test_only_admins_see_the_queue_of_all_users(instance, reader, other):
    everybody = lambda user: user.rest("POST", "rpc/queue_of_all", {})
    reader.save("http://127.0.0.9:9/of-somebody")
    wait_until(lambda: jobs(reader, "state=eq.failed"))
    refused = everybody(other)
    assert (refused.status, refused.json()["code"]) == (403, "42501")
    by_key = lambda key: instance.send(
        "POST", "/rest/v1/rpc/queue_of_all", {"apikey": instance.anon_key, "Authorization": f"Bearer {key}"}, "{}"
    )
    assert by_key(instance.anon_key).status == 401
    be_admin = f"update auth.users set app_metadata = app_metadata || '{{\"admin\": %s}}' where id = '{other.id}'"
    instance.sql(be_admin % "true")
    rows = everybody(other).json()
    # The true reason, which is hidden from the link's owner.
    [row] = [
        row
        for row in rows
        if row["user_id"] == reader.id and row["reason"] == "blocked_address" and row["state"] == "failed"
    ]
    assert (
        row["email"] == reader.email
        and row["kind"] == "save"
        and row["jobs"] >= 1
        and row["oldest"]
        and row["next_run_at"]
    )
    assert set(row) == {"user_id", "email", "kind", "state", "reason", "jobs", "oldest", "next_run_at"}
    # Jobs of other users may end between the two.
    wait_until(lambda: len(by_key(instance.service_key).json()) == len(everybody(other).json()))
    # API tokens never have admin rights.
    token = instance.auth("POST", "tokens", {"name": "script", "scope": "full"}, Authorization=f"Bearer {other.token}")
    assert token.status == 201 and by_key(token.json()["token"]).status == 403
    instance.sql(be_admin % "false")
    assert everybody(other).status == 403


@pytest.mark.parametrize(
    "arguments",
    [
        ["cancel"],
        ["cancel", "--all", "--user", "x"],
        ["cancel", "--user", "nobody@example.org"],
        ["list", "--batch", "x"],
        ["retry", "--no-such"],
    ],
)
def test_a_missing_or_unknown_selection_is_an_error_and_changes_nothing(instance, arguments):
    buried = lambda: instance.sql("select count(*) from private.jobs where state = 'buried'")
    before = buried()
    done = instance.lectern("jobs", *arguments, service="migrate")
    assert done.returncode != 0 and done.stderr and not done.stdout
    assert buried() == before
