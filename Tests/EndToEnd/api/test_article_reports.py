"""Reports of articles that look wrong: what they keep, for whom, and how long."""

import uuid

import pytest

from support import service

PAGE = "<!doctype html><title>Half</title><article><p>Half of it.</p></article>"


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def chief(instance, admin):
    """An admin of the instance."""
    user = instance.sign_up()
    admin.execute("""update auth.users set app_metadata = '{"admin": true}' where id = %s""", (user.id,))
    return user


@pytest.fixture
def link(alice):
    """A link whose page was sent, so that it is kept."""
    body = {"url": f"http://127.0.0.9:9/{uuid.uuid4()}", "html": PAGE}
    return alice.settled(alice.rest("POST", "rpc/save_page", body).json()[0]["id"])


def call(user, name, **arguments):
    return user.rest("POST", f"rpc/{name}", arguments)


def reports_of(chief, user):
    return [row for row in call(chief, "article_reports").json() if row["email"] == user.email]


def test_a_report_keeps_the_page_and_the_note_for_the_admin_until_it_is_closed(alice, chief, link):
    answer = call(alice, "report_article", link=link["id"], note="  The second half is missing. ")
    assert answer.json() == {"has_page": True}
    [report] = reports_of(chief, alice)
    assert (report["link_id"], report["note"], report["url"], report["bytes"]) == (
        link["id"],
        "The second half is missing.",
        link["raw_url"],
        len(PAGE),
    )
    page = call(chief, "reported_page", link=link["id"]).json()
    assert (page["html"], page["content_type"]) == (PAGE, "text/html")
    assert call(chief, "close_report", link=link["id"]).status == 204
    assert reports_of(chief, alice) == [] and call(chief, "reported_page", link=link["id"]).json() is None


def test_a_second_report_replaces_the_first_and_a_report_can_be_withdrawn(alice, chief, link):
    call(alice, "report_article", link=link["id"], note="One")
    call(alice, "report_article", link=link["id"])
    assert [report["note"] for report in reports_of(chief, alice)] == [None]
    assert call(alice, "withdraw_report", link=link["id"]).status == 204
    assert reports_of(chief, alice) == []


def test_a_link_without_a_page_can_be_reported_too(alice, chief):
    link = alice.settled(alice.save("no address at all")["id"])
    assert call(alice, "report_article", link=link["id"]).json() == {"has_page": False}
    [report] = reports_of(chief, alice)
    assert (report["url"], report["bytes"]) == ("no address at all", None)


def test_only_the_owner_reports_a_link_and_only_admins_see_reports(alice, bob, chief, link):
    assert call(bob, "report_article", link=link["id"]).status == 400
    call(alice, "report_article", link=link["id"])
    assert call(bob, "withdraw_report", link=link["id"]).status == 204
    for user in (alice, bob):
        for name, arguments in [
            ("article_reports", {}),
            *((n, {"link": link["id"]}) for n in ("reported_page", "close_report")),
        ]:
            answer = call(user, name, **arguments)
            assert (answer.status, answer.json()["code"]) == (403, "42501"), (name, answer)
    assert len(reports_of(chief, alice)) == 1


def test_reports_are_bounded_in_number_and_length_and_go_with_their_link(alice, admin, chief, link):
    assert call(alice, "report_article", link=link["id"], note="x" * 1001).status == 400
    others = [alice.save(f"no address {number}")["id"] for number in range(50)]
    for id in others:
        assert call(alice, "report_article", link=id).status == 200
    refused = call(alice, "report_article", link=link["id"])
    assert refused.status == 400 and "50 open reports" in refused.json()["message"]
    assert call(alice, "report_article", link=others[0], note="Again").status == 200
    alice.rest("DELETE", f"links?id=in.({','.join(others)})")
    assert reports_of(chief, alice) == []
