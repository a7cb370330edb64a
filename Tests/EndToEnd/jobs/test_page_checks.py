"""Page checks: whether pages have changed, whether they still exist, and when they are checked."""

import json
import subprocess
import uuid

import pytest

from support import service
from support.client import acting, wait_until


def page(website, kind="tagged"):
    """The path and URL of a page of this test's own."""
    path = f"/{kind}/{uuid.uuid4().hex[:12]}"
    return path, website.url + path


def broken(user, query=""):
    answer = user.rest("GET", f"broken_links?order=raw_url&{query}")
    assert answer.status == 200, answer
    return answer.json()


def maintain(lectern, task, user, *options):
    """Runs a maintenance task and waits until its jobs have ended."""
    done = subprocess.run(
        [lectern.home / "bin/lectern", "maintain", task, "--user", user.email, "--rate", "60000", "--json", *options],
        env={"PATH": "/usr/bin:/bin", "LECTERN_DATABASE_URL": lectern.database_url},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    wait_until(lambda: not user.rest("GET", "jobs?state=in.(pending,running)").json())
    return json.loads(done.stdout)[0]["changed"]


def again(user, link):
    """Retries a link as its user."""
    assert user.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"}).status == 204
    return user.settled(link["id"])


def test_an_unchanged_page_is_not_sent_again_and_a_changed_one_is_read(alice, website):
    path, url = page(website)
    link = alice.settled(alice.save(url)["id"])
    before = alice.article(link["id"])
    assert "Edition 1." in before["text_content"]
    assert again(alice, link)["state"] == "ready"
    assert website.unchanged.count(path) == 1 and alice.article(link["id"]) == before
    website.tags[path] = "2"
    assert again(alice, link)["state"] == "ready"
    assert website.unchanged.count(path) == 1 and "Edition 2." in alice.article(link["id"])["text_content"]


def test_a_link_without_its_article_is_fetched_unconditionally(alice, admin, website):
    path, url = page(website)
    link = alice.settled(alice.save(url)["id"])
    admin.execute("delete from public.articles where link_id = %s", (link["id"],))
    again(alice, link)
    assert alice.article(link["id"]) and path not in website.unchanged


def test_a_page_that_is_gone_is_reported_to_its_user_alone_and_its_link_stays_unchanged(lectern, alice, bob, website):
    (path, url), (_, other) = page(website), page(website)
    link, kept = [alice.settled(alice.save(address)["id"]) for address in (url, other)]
    bobs = bob.settled(bob.save(url)["id"])
    article = alice.article(link["id"])
    website.tags[path] = None
    assert maintain(lectern, "check-links", alice) == 2
    [row] = broken(alice)
    assert (row["link_id"], row["raw_url"], row["title"], row["reason"], row["has_article"]) == (
        link["id"],
        url,
        "A tagged day",
        "http_error",
        True,
    )
    assert row["message"] == "The site has no such page (status 404)." and row["broken_since"] and row["visited_at"]
    assert alice.link(link["id"]) == link and alice.link(kept["id"]) == kept and alice.article(link["id"]) == article
    assert broken(bob) == []
    assert maintain(lectern, "check-links", bob) == 1
    assert [row["link_id"] for row in broken(bob)] == [bobs["id"]] and len(broken(alice)) == 1
    by_key = {"apikey": lectern.service_key, "Authorization": f"Bearer {lectern.service_key}"}
    of_both = lectern.send(
        "GET", f"/rest/v1/broken_links?link_id=in.({link['id']},{bobs['id']})&select=user_id", by_key
    ).json()
    assert {row["user_id"] for row in of_both} == {alice.id, bob.id}
    # The page exists again.
    website.tags[path] = "1"
    assert maintain(lectern, "check-links", alice) == 2
    assert broken(alice) == [] and len(broken(bob)) == 1
    # Checks are listed like other jobs and do not change the link.
    kinds = [job["kind"] for job in alice.rest("GET", f"jobs?link_id=eq.{link['id']}&order=done_at").json()]
    assert kinds == ["save", "check", "check"]


def test_a_link_that_failed_is_broken_and_is_saved_once_its_page_exists(lectern, alice, website):
    path, url = page(website)
    website.tags[path] = None
    link = alice.settled(alice.save(url)["id"])
    assert link["state"] == "failed"
    [row] = broken(alice)
    assert (row["link_id"], row["reason"], row["has_article"]) == (link["id"], "http_error", False)
    assert maintain(lectern, "check-links", alice) == 1 and len(broken(alice)) == 1
    website.tags[path] = "1"
    assert maintain(lectern, "check-links", alice) == 1
    assert alice.settled(link["id"])["state"] == "ready" and alice.article(link["id"])
    assert broken(alice) == []


def test_refreshing_reads_changed_pages_and_keeps_articles_whose_pages_are_gone(lectern, alice, website):
    (path, url), (gone, its) = page(website), page(website)
    link, other = [alice.settled(alice.save(address)["id"]) for address in (url, its)]
    website.tags[path], website.tags[gone] = "2", None
    assert maintain(lectern, "refresh", alice) == 2
    assert "Edition 2." in alice.article(link["id"])["text_content"]
    assert "Edition 1." in alice.article(other["id"])["text_content"]
    assert alice.link(other["id"]) == other
    assert [row["link_id"] for row in broken(alice)] == [other["id"]]
    assert maintain(lectern, "refresh", alice) == 2 and path in website.unchanged


def test_a_link_with_a_new_url_is_not_broken_any_more(lectern, alice, website):
    path, url = page(website)
    link = alice.settled(alice.save(url)["id"])
    website.tags[path] = None
    maintain(lectern, "check-links", alice)
    assert len(broken(alice)) == 1
    assert alice.rest("PATCH", f"links?id=eq.{link['id']}", {"raw_url": page(website)[1]}).status == 204
    alice.settled(link["id"])
    assert broken(alice) == []


@pytest.mark.parametrize("verb, body", [("POST", {"reason": "mine"}), ("PATCH", {"reason": "mine"}), ("DELETE", None)])
def test_nobody_can_write_broken_links(alice, verb, body):
    assert 400 <= alice.rest(verb, "broken_links?link_id=not.is.null", body).status < 500


def test_the_jobs_see_page_checks_only_with_the_claims_of_their_user(jobs, lectern, alice, bob, website):
    link = alice.settled(alice.save(page(website)[1])["id"])
    for user, count in [(alice, 1), (bob, 0)]:
        with jobs.transaction(force_rollback=True):
            acting(jobs, "job_worker", user)
            for statement in [
                "select from private.page_checks where link_id = %s",
                "update private.page_checks set etag = null where link_id = %s",
                "delete from private.page_checks where link_id = %s",
            ]:
                assert jobs.execute(statement, (link["id"],)).rowcount == count


def test_the_title_of_an_incomplete_page_is_kept(lectern, alice, website):
    url = page(website, "half")[1]
    done = subprocess.run(
        [lectern.home / "bin/lectern", "resolve", "--allow", "127.0.0.1", url],
        capture_output=True,
        text=True,
        timeout=120,
    )
    row = json.loads(done.stdout)
    assert (row["error"], row["title"], row["resolved_url"]) == ("bad_response", "Half a déjà vu", None), row
    saved = alice.save(url)
    wait_until(lambda: alice.link(saved["id"])["reason"] == "bad_response")
    assert alice.link(saved["id"])["title"] == "Half a déjà vu"


def test_a_retried_link_whose_page_is_still_gone_has_failed_and_keeps_its_article(lectern, alice, website):
    path, url = page(website)
    link = alice.settled(alice.save(url, title="Mine")["id"])
    website.tags[path] = None
    maintain(lectern, "check-links", alice)
    tried = again(alice, link)
    assert (tried["state"], tried["reason"], tried["title"]) == ("failed", "http_error", "Mine") and alice.article(
        link["id"]
    )
    [row] = broken(alice)
    assert (row["state"], row["has_article"]) == ("failed", True)
    website.tags[path] = "1"
    maintain(lectern, "check-links", alice)
    assert alice.settled(link["id"])["state"] == "ready" and broken(alice) == []


def test_a_broken_link_comes_back_from_the_trash_with_its_article(lectern, alice, website):
    path, url = page(website)
    link = alice.settled(alice.save(url)["id"])
    website.tags[path] = None
    maintain(lectern, "check-links", alice)
    assert len(broken(alice)) == 1
    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204 and broken(alice) == []
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).status == 200
    assert alice.settled(link["id"])["state"] == "ready" and alice.article(link["id"])
    maintain(lectern, "check-links", alice)
    assert [row["link_id"] for row in broken(alice)] == [link["id"]]


def test_a_conditional_request_goes_to_where_the_redirects_led(alice, website):
    path, _ = page(website)
    link = alice.settled(alice.save(f"{website.url}/redirect/2{path}")["id"])
    assert again(alice, link)["resolved_url"] == website.url + path
    assert website.unchanged.count(path) == 1


# On schedule


@pytest.fixture(scope="module")
def polite():
    """Crawl delays of sites apply; the service adds no pause of its own."""
    with service.own(LECTERN_RATE_LIMITS="on", LECTERN_FETCH_HOST_PAUSE="0") as polite:
        yield polite


def test_scheduled_rechecks_respect_the_crawl_delay_of_a_site(polite, website):
    reader = polite.sign_up()
    paths = [page(website)[0] for _ in range(3)]
    links = [reader.settled(reader.save(website.url + path)["id"]) for path in paths]
    website.robots = "User-agent: *\nCrawl-delay: 600\n"
    try:
        polite.sql("update public.links set created_at = '2025-01-02'")
        polite.sql("update private.page_checks set visited_at = '2025-01-02', read_at = '2025-01-02'")
        # Only two of them are due.
        polite.sql(
            f"update private.page_checks set read_at = now(), visited_at = now() where link_id = '{links[0]['id']}'"
        )
        assert polite.sql("select count(*) from private.jobs") == [(0,)]
        polite.restart(LECTERN_RATE_LIMITS="on", LECTERN_FETCH_HOST_PAUSE="0", LECTERN_REFRESH_DAYS="30")
        # The first was checked; the second waits for the longest crawl delay that is accepted.
        wait_until(
            lambda: (
                polite.sql("select count(*) from private.done_jobs where kind = 'refresh'") == [(1,)]
                and polite.sql(
                    "select count(*) from private.jobs where kind = 'refresh' and run_at > now() + interval '100 seconds'"
                )
                == [(1,)]
            )
        )
    finally:
        website.robots = None
    assert website.unchanged.count(paths[0]) == 0 and sum(website.unchanged.count(path) for path in paths[1:]) == 1
    # A saved link is not delayed by it.
    assert reader.settled(reader.save(page(website)[1])["id"])["state"] == "ready"
