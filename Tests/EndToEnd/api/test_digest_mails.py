"""Digests by mail: when, for whom, and what they hold."""

import re

import psycopg
import pytest

from support import service
from support.searching import add_link


@pytest.fixture(scope="module")
def instance():
    return service.shared()


def queue(admin, user):
    """Queues what is due, as the jobs process does every hour, and returns the user's mails: subject and body."""
    while admin.execute("select private.queue_digests('http://lectern.example', 20)").fetchone()[0]:
        pass
    return mails(admin, user)


def pages(admin, user):
    """The HTML of the mails."""
    query = "select html from private.mails where user_id = %s and kind = 'digest' order by created_at"
    return admin.execute(query, [user.id]).fetchall()


def mails(admin, user):
    query = "select subject, body from private.mails where user_id = %s and kind = 'digest' order by created_at"
    return admin.execute(query, [user.id]).fetchall()


def ask(user, schedule):
    answer = user.rest("POST", "user_settings", {"digest_schedule": schedule}, Prefer="resolution=merge-duplicates")
    assert answer.status in (200, 201), answer


def confirm(admin, *users):
    for user in users:
        admin.execute("update auth.users set email_is_unproven = false where id = %s", [user.id])


def let_period_pass(admin, user):
    admin.execute(
        "update private.digest_times set ended_at = ended_at - interval '1 month' where user_id = %s", [user.id]
    )


def add(admin, user, title, age):
    admin.execute("set timezone = 'UTC'")
    columns = {"title": title, "list": "archive", "is_starred": True}
    link = add_link(admin, user, **columns)
    admin.execute(f"update public.links set archived_at = {age} where id = %s", [link])
    return link


@pytest.mark.parametrize("schedule, unit", [("weekly", "week"), ("monthly", "month")])
def test_a_digest_of_each_period_that_has_ended_is_mailed_once(admin, alice, schedule, unit):
    confirm(admin, alice)
    this = f"date_trunc('{unit}', now())"
    add(admin, alice, "in the last one", f"{this} - interval '1 second'")
    add(admin, alice, "at its start", f"{this} - interval '1 {unit}'")
    add(admin, alice, "before it", f"{this} - interval '1 {unit}' - interval '1 second'")
    add(admin, alice, "in this one", this)
    ask(alice, schedule)
    # The first digest is about the period in which the user asked for it.
    assert queue(admin, alice) == []
    let_period_pass(admin, alice)
    [(subject, body)] = queue(admin, alice)
    assert subject.startswith("Your digest: ")
    assert "in the last one" in body and "at its start" in body
    assert "before it" not in body and "in this one" not in body
    assert body.endswith("http://lectern.example/settings/#digests\n")
    assert len(queue(admin, alice)) == 1
    [(page,)] = pages(admin, alice)
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</body></html>")
    assert "in the last one" in page and "at its start" in page
    assert "before it" not in page and "in this one" not in page
    assert 'href="http://lectern.example/settings/#digests"' in page


def test_a_digest_whose_page_is_too_large_for_mail_servers_is_text_alone(admin, alice):
    confirm(admin, alice)
    for number in range(21):
        link = add(admin, alice, f"link {number}", "date_trunc('week', now()) - interval '1 second'")
        # Each sign is five bytes of HTML, so the page has more than 2,000,000.
        admin.execute(
            "insert into public.notes (user_id, link_id, body) values (%s, %s, repeat('&', 20000))", [alice.id, link]
        )
    ask(alice, "weekly")
    queue(admin, alice)
    let_period_pass(admin, alice)
    queue(admin, alice)
    assert pages(admin, alice) == [(None,)] and "link 20" in mails(admin, alice)[0][1]


def test_a_mail_has_the_last_five_hundred_links_and_says_how_many_are_left_out(admin, alice):
    confirm(admin, alice)
    # The oldest first, as they are stored.
    with admin.transaction():
        for number in range(503):
            age = f"date_trunc('week', now()) - interval '{503 - number} minutes'"
            add(admin, alice, f"link {number:03}", age)
    ask(alice, "weekly")
    queue(admin, alice)
    let_period_pass(admin, alice)
    [(_, body)] = queue(admin, alice)
    [(page,)] = pages(admin, alice)
    expected = [f"link {number:03}" for number in range(502, 2, -1)]
    omission = "This e-mail lists only the 500 links that were archived last. Left out: 3 more."
    for text in [body, page]:
        assert re.findall(r"link \d{3}", text) == expected and text.count(omission) == 1


def test_a_user_who_has_turned_it_off_gets_no_digest(admin, alice):
    confirm(admin, alice)
    add(admin, alice, "a", "date_trunc('week', now()) - interval '1 second'")
    ask(alice, "weekly")
    queue(admin, alice)
    let_period_pass(admin, alice)
    ask(alice, None)
    assert queue(admin, alice) == []
    ask(alice, "weekly")
    assert queue(admin, alice) == []


def test_neither_a_period_without_entries_nor_an_unconfirmed_address_makes_a_mail(admin, alice, bob):
    confirm(admin, alice)
    add(admin, bob, "a", "date_trunc('week', now()) - interval '1 second'")
    for user in [alice, bob]:
        ask(user, "weekly")
    queue(admin, alice)
    for user in [alice, bob]:
        let_period_pass(admin, user)
    assert queue(admin, alice) == [] and mails(admin, bob) == []


def test_each_user_gets_only_what_is_theirs(admin, alice, bob):
    confirm(admin, alice, bob)
    for user in [alice, bob]:
        link = add(admin, user, f"of {user.email}", "date_trunc('week', now()) - interval '1 second'")
        user.rest("POST", "notes", {"link_id": link, "body": f"note {user.email}"})
        ask(user, "weekly")
    queue(admin, alice)
    for user in [alice, bob]:
        let_period_pass(admin, user)
    queue(admin, alice)
    for user, other in [(alice, bob), (bob, alice)]:
        [(_, body)] = mails(admin, user)
        [(page,)] = pages(admin, user)
        for text in [body, page]:
            assert text.count(user.email) == 2 and other.email not in text
    assert admin.execute("select recipient from private.mails where user_id = %s", [bob.id]).fetchone() == (bob.email,)


def test_an_account_that_is_being_deleted_holds_up_no_digest(instance, admin, alice, bob):
    confirm(admin, bob)
    add(admin, bob, "a", "date_trunc('week', now()) - interval '1 second'")
    for user in [alice, bob]:
        ask(user, "weekly")
    with psycopg.connect(instance.database_url) as deleter:
        deleter.execute("delete from auth.users where id = %s", [alice.id])
        admin.execute("set lock_timeout = '30s'")
        queue(admin, bob)
        let_period_pass(admin, bob)
        assert len(queue(admin, bob)) == 1
    assert admin.execute("select from private.digest_times where user_id = %s", [alice.id]).fetchall() == []


def test_an_account_whose_digest_is_due_holds_up_no_other_while_it_is_being_deleted(instance, admin, alice, bob):
    confirm(admin, alice, bob)
    for user in [alice, bob]:
        add(admin, user, "a", "date_trunc('week', now()) - interval '1 second'")
        ask(user, "weekly")
    queue(admin, bob)
    for user in [alice, bob]:
        let_period_pass(admin, user)
    with psycopg.connect(instance.database_url) as deleter:
        deleter.execute("select from auth.users where id = %s for update", [alice.id])
        admin.execute("set lock_timeout = '30s'")
        assert len(queue(admin, bob)) == 1 and mails(admin, alice) == []
    assert len(queue(admin, alice)) == 1


def test_a_schedule_that_does_not_exist_is_refused(alice):
    assert alice.rest("POST", "user_settings", {"digest_schedule": "daily"}).status == 400


def test_users_cannot_queue_digests_and_see_no_times_of_others(admin, alice):
    for name in ["queue_digests", "digest_end"]:
        assert alice.rest("POST", f"rpc/{name}", {"public_url": "x", "max_users": 1}).status == 404
    assert alice.rest("GET", "digest_times").status == 404
