"""Articles that their user has fetched again: what becomes of the former one."""

import pytest

from support import service
from support.client import wait_until
from support.loopback_site import article

OLD = article("A report", marker="The first version.", paragraphs=4)
NEW = article("A report", marker="The second version, with more.", paragraphs=6)
PASSAGE = "The first version."


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def link(alice, newspaper):
    """A link of Alice whose page has changed since it was saved."""
    link = alice.settled(alice.save(newspaper.page(OLD))["id"])
    newspaper.change(link["raw_url"], NEW)
    return link


def call(user, name, link):
    return user.rest("POST", f"rpc/{name}", {"link": link["id"]})


def renewed(user, link):
    answer = call(user, "renew_article", link)
    assert answer.status == 200 and answer.json()[0]["state"] == "pending", answer
    return user.settled(link["id"])


def text(user, link):
    return user.article(link["id"])["text_content"]


def test_the_former_article_of_a_page_that_was_fetched_again_can_be_put_back_and_exchanged_again(alice, link):
    before = alice.article(link["id"])
    now = renewed(alice, link)
    former = call(alice, "former_article", link).json()
    assert (former["word_count"], former["is_same"], former["is_restored"]) == (link["word_count"], False, False)
    assert "second version" in text(alice, link) and now["word_count"] > link["word_count"]

    assert call(alice, "restore_article", link).status == 204
    assert alice.article(link["id"]) == before
    [row] = alice.links(f"id=eq.{link['id']}")
    assert (row["word_count"], row["reading_time"]) == (link["word_count"], link["reading_time"])
    former = call(alice, "former_article", link).json()
    assert (former["word_count"], former["is_restored"]) == (now["word_count"], True)

    assert call(alice, "restore_article", link).status == 204
    assert "second version" in text(alice, link)
    assert call(alice, "keep_article", link).status == 204
    assert call(alice, "former_article", link).json() is None
    assert call(alice, "restore_article", link).status == 400


def test_clients_that_keep_a_copy_are_told_of_the_article_that_was_put_back(alice, admin, link):
    renewed(alice, link)
    counted = lambda: admin.execute("select sum(n) from rest.changes where user_id = %s", (alice.id,)).fetchone()[0]
    cursor = alice.rest("POST", "rpc/changes", {}).json()["cursor"]
    # Several times, since follow-up jobs count changes of their own now and then.
    for _ in range(5):
        before = counted()
        call(alice, "restore_article", link)
        assert counted() > before
    tables = lambda: {row["table"] for row in alice.rest("POST", "rpc/changes", {"since": cursor}).json()["changes"]}
    wait_until(lambda: {"articles", "links"} <= tables())


def test_a_page_that_has_not_changed_is_told_as_the_same(alice, newspaper):
    link = alice.settled(alice.save(newspaper.page(OLD))["id"])
    renewed(alice, link)
    assert call(alice, "former_article", link).json()["is_same"] is True


def test_highlights_are_lost_and_found_with_the_text_that_they_belong_to(alice, link):
    start = text(alice, link).index(PASSAGE)
    given = {"link_id": link["id"], "quote": PASSAGE, "start_offset": start, "end_offset": start + len(PASSAGE)}
    assert alice.rest("POST", "highlights", given).status == 201
    lost = lambda: alice.rest("GET", f"highlights?link_id=eq.{link['id']}").json()[0]["orphaned_at"]
    renewed(alice, link)
    assert lost()
    call(alice, "restore_article", link)
    wait_until(lambda: not lost())


def test_another_user_and_tokens_that_may_not_write_neither_renew_nor_restore_nor_see_an_article(alice, bob, link):
    renewed(alice, link)
    for name, status in [
        ("renew_article", 400),
        ("restore_article", 400),
        ("former_article", 200),
        ("keep_article", 204),
    ]:
        answer = call(bob, name, link)
        assert answer.status == status and (status != 200 or answer.json() is None), (name, answer)
    for name in ["renew_article", "restore_article", "former_article", "keep_article"]:
        anonymous = {"apikey": alice.lectern.anon_key, "Content-Type": "application/json"}
        answer = alice.lectern.send("POST", f"/rest/v1/rpc/{name}", anonymous, f'{{"link": "{link["id"]}"}}')
        assert answer.status == 401, (name, answer)
    assert "second version" in text(alice, link) and call(alice, "former_article", link).json()


def test_a_former_article_is_deleted_after_a_month_and_with_its_link(alice, admin, newspaper):
    links = [alice.settled(alice.save(newspaper.page(OLD))["id"]) for _ in range(3)]
    for link in links:
        call(alice, "renew_article", link)
    for link in links:
        alice.settled(link["id"])
    old, deleted, kept = [link["id"] for link in links]
    admin.execute("update private.former_articles set kept_at = now() - interval '31 days' where link_id = %s", (old,))
    assert admin.execute("select private.delete_former_articles(100)").fetchone()[0] >= 1
    alice.rest("DELETE", f"links?id=eq.{deleted}")
    left = admin.execute("select link_id::text from private.former_articles where user_id = %s", (alice.id,)).fetchall()
    assert left == [(kept,)]
