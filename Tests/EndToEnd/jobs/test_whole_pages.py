"""Articles of pages on which nothing was convincing, and the whole page in their place."""

import uuid

import pytest

from support import service
from support.client import wait_until
from support.loopback_site import article
from support.sessions import bearer
from support.whole_pages import UNCONVINCING

CONVINCING = article("A report", marker="The first version.", paragraphs=4)
IN_TABLE, BESIDE = "Monday", "Bring your card."


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def link(alice, newspaper):
    """A link of Alice whose article is a guess."""
    return alice.settled(alice.save(newspaper.page(UNCONVINCING))["id"])


def call(user, name, link):
    return user.rest("POST", f"rpc/{name}", {"link": link["id"]})


def shown_whole(user, link):
    answer = call(user, "show_whole_page", link)
    assert answer.status == 200 and answer.json()[0]["state"] == "pending", answer
    return user.settled(link["id"])


def test_only_an_article_without_running_text_has_a_low_confidence(alice, newspaper, link):
    guess = alice.article(link["id"])
    assert guess["confidence"] == "low" and IN_TABLE in guess["text_content"] and BESIDE not in guess["text_content"]
    report = alice.settled(alice.save(newspaper.page(CONVINCING))["id"])
    assert alice.article(report["id"])["confidence"] == "normal"


def test_the_whole_page_becomes_the_article_without_another_visit_and_the_guess_can_be_put_back(alice, newspaper, link):
    guess = alice.article(link["id"])
    now = shown_whole(alice, link)
    whole = alice.article(link["id"])
    assert whole["confidence"] == "normal" and now["state"] == "ready" and not now["reason"]
    assert IN_TABLE in whole["text_content"] and BESIDE in whole["text_content"]
    assert "alert" not in whole["content"] and "onclick" not in whole["content"]
    assert newspaper.visits_of(link["raw_url"]) == 1
    assert call(alice, "former_article", link).json()["word_count"] == guess["word_count"] < whole["word_count"]

    assert call(alice, "restore_article", link).status == 204
    assert alice.article(link["id"]) == guess
    assert call(alice, "restore_article", link).status == 204
    assert alice.article(link["id"]) == whole


def test_a_page_that_is_shown_whole_stays_so_when_it_is_fetched_again_until_the_guess_is_back(alice, newspaper, link):
    shown_whole(alice, link)
    newspaper.change(link["raw_url"], UNCONVINCING.replace(BESIDE, "Bring your new card."))
    call(alice, "renew_article", link)
    alice.settled(link["id"])
    text = alice.article(link["id"])["text_content"]
    assert "Bring your new card." in text and IN_TABLE in text


def test_a_later_extractor_reads_the_page_as_it_was_chosen(alice, admin, link):
    def extracted_again():
        admin.execute("update public.articles set extractor_version = 1 where link_id = %s", (link["id"],))
        for table in ("pages", "sources"):
            admin.execute(f"update private.{table} set read_by = 1 where link_id = %s", (link["id"],))
        admin.execute(
            "insert into private.jobs (kind, user_id, link_id) values ('extract', %s, %s)", (alice.id, link["id"])
        )
        admin.execute("notify lectern_jobs")
        wait_until(lambda: alice.article(link["id"])["extractor_version"] > 1)
        return alice.article(link["id"])["text_content"]

    shown_whole(alice, link)
    assert BESIDE in extracted_again()
    assert call(alice, "restore_article", link).status == 204
    assert BESIDE not in extracted_again()


def test_a_page_that_a_client_sent_is_shown_whole_too_and_the_next_one_is_read_as_any_other(alice, newspaper):
    address = f"http://127.0.0.9:9/{uuid.uuid4()}"

    def sent(page):
        rows = alice.rest("POST", "rpc/save_page", {"url": address, "html": page}).json()
        return alice.settled(rows[0]["id"])

    link = sent(UNCONVINCING)
    shown_whole(alice, link)
    assert BESIDE in alice.article(link["id"])["text_content"]
    sent(CONVINCING)
    assert alice.article(link["id"])["text_content"].startswith("The first version.")


def test_a_page_that_was_not_kept_is_not_shown_and_its_article_stays(alice, admin, link):
    admin.execute("delete from private.sources where link_id = %s", (link["id"],))
    answer = call(alice, "show_whole_page", link)
    assert answer.status == 400 and "not kept" in answer.json()["message"], answer
    [row] = alice.links(f"id=eq.{link['id']}")
    assert row["state"] == "ready" and IN_TABLE in alice.article(link["id"])["text_content"]
    assert call(alice, "former_article", link).json() is None


def test_another_user_and_nobody_show_no_page_whole_and_bad_ids_are_refused(alice, bob, link):
    assert call(bob, "show_whole_page", link).status == 400
    anonymous = {"apikey": alice.lectern.anon_key, "Content-Type": "application/json"}
    answer = alice.lectern.send("POST", "/rest/v1/rpc/show_whole_page", anonymous, f'{{"link": "{link["id"]}"}}')
    assert answer.status == 401
    for given in [{"link": str(uuid.uuid4())}, {"link": "x"}, {"link": None}, {}, {"link": [1]}]:
        assert 400 <= alice.rest("POST", "rpc/show_whole_page", given).status < 500, given
    assert alice.article(link["id"])["confidence"] == "low"
    assert alice.links(f"id=eq.{link['id']}")[0]["state"] == "ready"


@pytest.mark.parametrize(("scope", "status"), [("read", 403), ("save", 403), ("feed", 403), ("full", 200)])
def test_only_tokens_that_may_change_links_show_a_page_whole(alice, link, scope, status):
    token = alice.lectern.auth("POST", "tokens", {"name": scope, "scope": scope}, **bearer(alice.token)).json()["token"]
    headers = {"apikey": alice.lectern.anon_key, "Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    answer = alice.lectern.send("POST", "/rest/v1/rpc/show_whole_page", headers, f'{{"link": "{link["id"]}"}}')
    assert answer.status == status, answer
