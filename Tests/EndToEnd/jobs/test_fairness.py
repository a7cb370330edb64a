"""Fair scheduling: one user's import does not delay other links."""

import pytest

from support import service

MANY = 800


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_PARALLEL="8") as instance:
        yield instance


@pytest.fixture(scope="module")
def importer(instance, website):
    """A user who has just saved links that take the server minutes, of a site that takes seconds for each page."""
    importer = instance.sign_up()
    rows = [{"raw_url": f"{website.url}/slow?{number}"} for number in range(MANY)]
    assert importer.rest("POST", "links", rows, Prefer="return=minimal").status == 201
    return importer


def waiting(user):
    return len(user.links("select=id&state=eq.pending"))


def test_a_saved_link_does_not_wait_behind_another_users_import(instance, importer, website):
    reader = instance.sign_up()
    assert reader.settled(reader.save(f"{website.url}/article")["id"])["state"] == "ready"
    assert waiting(importer) > MANY / 2


def test_a_saved_link_does_not_wait_behind_ones_own_import(importer, website):
    assert importer.settled(importer.save(f"{website.url}/article")["id"])["state"] == "ready"
    assert waiting(importer) > MANY / 2


def test_a_failed_link_retried_by_its_user_does_not_wait_behind_an_import(importer, website):
    id = importer.settled(importer.save("no address, and nothing to fetch")["id"])["id"]
    importer.rest("PATCH", f"links?id=eq.{id}", {"state": "pending"})
    assert importer.settled(id)["state"] == "failed"
    assert waiting(importer) > MANY / 2


def test_one_user_takes_at_most_half_of_the_worker_slots(instance, importer):
    shown = {
        busy
        for (busy,) in (instance.sql("select count(*) from private.jobs where state = 'running'")[0] for _ in range(50))
    }
    assert 0 < max(shown) <= 4
