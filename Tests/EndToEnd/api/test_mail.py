"""Mails: from a request over HTTP through the mail queue and a real mail server back to a session."""

import json
import re
import uuid

import psycopg
import pytest

from support import service
from support.books import book, get, token_of, write_article
from support.client import User, free_port, wait_until
from support.mail_server import MailServer, password_of, self_signed
from support.sessions import bearer

PORT = free_port()
# The mail server below may be slow on a busy machine, and mails that time out would be sent again.
SETTINGS = {
    "LECTERN_SMTP_URL": f"smtp://127.0.0.1:{PORT}",
    "LECTERN_SMTP_TIMEOUT": "60",
    "LECTERN_MAIL_FROM": "post@read.example.org",
}


@pytest.fixture(scope="module")
def instance():
    with service.own(**SETTINGS) as instance:
        yield instance


@pytest.fixture
def post():
    with MailServer(PORT) as server:
        yield server


def account(instance, name="ann"):
    return instance.sign_up(f"{name}-{uuid.uuid4().hex[:12]}@example.org")


def recover(instance, email):
    answer = instance.auth("POST", "recover", {"email": email})
    assert (answer.status, answer.json()) == (200, {}), answer


def link_of(message):
    return re.search(r"^http\S+#token_hash=([\w-]+)&type=(\w+)\s*$", message.get_content(), re.M).groups()


def verify(instance, token, kind):
    return instance.auth("POST", "verify", {"type": kind, "token_hash": token})


def mails(instance, user):
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        return admin.execute(
            "select state, attempts, message, body is not null from private.mails where user_id = %s "
            "order by created_at",
            [user.id],
        ).fetchall()


def queue(instance, user, recipient=None, subject="Hello", body="Hello.\n", html=None, expires="1 hour"):
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute(
            "insert into private.mails (user_id, kind, recipient, subject, body, html, expires_at) "
            "values (%s, 'recovery', %s, %s, %s, %s, now() + %s::interval)",
            [user.id, recipient or user.email, subject, body, html, expires],
        )


def settled(instance, user):
    return wait_until(
        lambda: (found := mails(instance, user)) and all(mail[0] != "waiting" for mail in found) and found
    )


# From request to session


def test_a_forgotten_password_comes_back_by_mail_and_ends_the_old_sessions(instance, post):
    user = account(instance)
    recover(instance, user.email)
    message = post.mail_to(user.email)
    assert message["From"] == "Lectern <post@read.example.org>" and message["To"] == user.email
    assert (
        message["Auto-Submitted"] == "auto-generated"
        and message["Date"]
        and message["Message-ID"].endswith("@read.example.org>")
    )
    token, kind = link_of(message)
    assert kind == "recovery"
    answer = verify(instance, token, kind)
    assert answer.status == 200, answer
    again = User(instance, answer.json(), "another horse")
    assert again.id == user.id
    # The link is used up, and existing sessions have ended.
    assert (second := verify(instance, token, kind)).status == 403 and second.json()["error_code"] == "otp_expired"
    assert instance.auth("POST", "token?grant_type=refresh_token", {"refresh_token": user.refresh_token}).status == 400
    assert (
        instance.auth("PUT", "user", {"password": "another horse"}, Authorization=f"Bearer {again.token}").status == 200
    )
    assert (
        instance.auth("POST", "token?grant_type=password", {"email": user.email, "password": "another horse"}).status
        == 200
    )
    assert (
        instance.auth("POST", "token?grant_type=password", {"email": user.email, "password": user.password}).status
        == 400
    )
    assert settled(instance, user) == [("sent", 1, None, False)]


def test_an_expired_link_is_refused(instance, post):
    user = account(instance)
    recover(instance, user.email)
    token, kind = link_of(post.mail_to(user.email))
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute(
            "update auth.one_time_tokens set expires_at = now() - interval '1 second' where user_id = %s", [user.id]
        )
    assert verify(instance, token, kind).status == 403
    assert instance.auth("GET", "user", Authorization=f"Bearer {user.token}").status == 200


def test_a_new_address_counts_once_its_mailed_link_is_followed(instance, post):
    user, other = account(instance), account(instance, "other")
    new = f"new-{uuid.uuid4().hex[:12]}@example.org"

    def change(email):
        answer = instance.auth("PUT", "user", {"email": email}, Authorization=f"Bearer {user.token}")
        assert answer.status == 200 and answer.json()["new_email"] == email, answer
        return answer.json() | {"new_email": None}

    def sign_in(email):
        return instance.auth("POST", "token?grant_type=password", {"email": email, "password": user.password}).status

    # The answers do not tell which address has an account, and its owner gets no mail.
    assert change(other.email) == change(new)
    token, kind = link_of(post.mail_to(new))
    assert kind == "email_change" and post.tries(other.email) == []
    assert (sign_in(user.email), sign_in(new)) == (200, 400)

    answer = verify(instance, token, kind)
    assert answer.status == 200 and "access_token" not in answer.json(), answer
    assert (sign_in(user.email), sign_in(new)) == (400, 200)
    assert post.mail_to(user.email)["Subject"] == "The e-mail address of your account has changed"
    assert verify(instance, token, kind).status == 403


def test_no_mail_is_sent_to_an_address_without_an_account(instance, post):
    before = len(post.received)
    recover(instance, f"nobody-{uuid.uuid4().hex}@example.org")
    user = account(instance)
    recover(instance, user.email)
    post.mail_to(user.email)
    assert len(post.received) == before + 1


# Responses of mail servers


def test_a_refused_mail_is_not_sent_again_and_its_reason_is_kept(instance, post):
    user = account(instance, "refused")
    queue(instance, user)
    assert settled(instance, user) == [
        ("failed", 1, "the mail server rejected the mail: 550 5.1.1 No such user here", True)
    ]
    # A later mail is sent although this one would have been due long before.
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute("update private.mails set run_at = now() - interval '1 hour' where user_id = %s", [user.id])
    other = account(instance)
    queue(instance, other)
    post.mail_to(other.email)
    assert len(post.tries(user.email)) == 1


def test_a_deferred_mail_is_retried_with_growing_delays(instance, post):
    user = account(instance, "later")
    queue(instance, user)
    post.mail_to(user.email)
    assert settled(instance, user) == [("sent", 3, None, False)]
    first, second, third = post.tries(user.email)
    # The delays are 0.5 to 1.5 times one second, then two seconds.
    assert second - first > 0.4 and third - second > 0.9


def test_a_mail_server_that_never_responds_delays_nothing_else(instance, post, website):
    silent, other, reader = account(instance, "slow"), account(instance), account(instance)
    queue(instance, silent)
    wait_until(lambda: post.tries(silent.email))
    reader.settled(reader.save(f"{website.url}/article")["id"])
    assert mails(instance, silent)[0][:2] == ("waiting", 1) and len(post.tries(silent.email)) == 1, (
        "the server was silent all the while"
    )
    # A shorter timeout, so that the attempts end.
    instance.run(LECTERN_SMTP_TIMEOUT="3")
    try:
        tries = len(post.tries(silent.email))
        wait_until(lambda: len(post.tries(silent.email)) > tries)
        queue(instance, other)
        post.mail_to(other.email)
        wait_until(lambda: mails(instance, silent)[0][1] >= 2)
        with psycopg.connect(instance.database_url, autocommit=True) as admin:
            admin.execute("update private.mails set expires_at = now() where user_id = %s", [silent.id])
        [(state, attempts, message, has_body)] = settled(instance, silent)
    finally:
        instance.run()
    assert (state, message, has_body) == (
        "failed",
        "it could not be sent in time: the mail server did not answer in time",
        False,
    )
    # On a busy machine an attempt may end before the server has been told the address.
    assert attempts >= 2


def test_mails_wait_while_the_mail_server_is_down(instance):
    user = account(instance)
    queue(instance, user)
    wait_until(lambda: mails(instance, user)[0][1] >= 2)
    state, _, message, has_body = mails(instance, user)[0]
    assert state == "waiting" and has_body and message.startswith("the mail server cannot be reached")
    with MailServer(PORT) as post:
        post.mail_to(user.email)
        assert settled(instance, user)[0][0] == "sent"


def test_encryption_is_used_if_the_mail_server_offers_it(instance, tmp_path):
    user = account(instance)
    with MailServer(PORT, tls_context=self_signed(tmp_path), require_starttls=True) as post:
        queue(instance, user)
        [(_, _, was_encrypted)] = wait_until(lambda: post.mails_to(user.email))
    assert was_encrypted


def test_any_text_arrives_unchanged(instance, post):
    user = account(instance)
    subject = "Grüße\r\nBcc: eve@example.org\r\n\r\n" + "🙂 lange " * 30
    body = "Zeile eins\n.\n..\n.\r\nQUIT\n" + "é" * 300 + "\n= am Ende =\n"
    queue(instance, user, subject=subject, body=body)
    message = post.mail_to(user.email)
    assert message["Bcc"] is None and len(message.keys()) == 9
    assert message["Subject"].split() == subject.split()
    assert message.get_content().replace("\r\n", "\n") == body.replace("\r\n", "\n")


def test_a_mail_with_html_arrives_as_text_and_as_html(instance, post, admin):
    user = account(instance)
    body, html = "Grüße\n", "<!DOCTYPE html><p>Grüße &amp; <b>mehr</b></p>" + "<p>é</p>" * 2_000
    queue(instance, user, subject="Ihre Übersicht", body=body, html=html)
    message = post.mail_to(user.email)
    assert message.get_content_type() == "multipart/alternative" and message["Subject"] == "Ihre Übersicht"
    assert not message.defects and not [part.defects for part in message.iter_parts() if part.defects]
    (text, page) = message.iter_parts()
    assert (text.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
    assert text.get_content().split() == body.split() and page.get_content().strip() == html
    assert max(map(len, bytes(message).splitlines())) <= 78
    assert settled(instance, user) == [("sent", 1, None, False)]
    assert admin.execute("select html from private.mails where user_id = %s", [user.id]).fetchone() == (None,)


@pytest.mark.parametrize(
    "recipient", ["a\r\nRCPT TO:<eve@example.org>", "ann@example.org>\r\nDATA", "eve@example.org, ann@example.org", ""]
)
def test_an_invalid_address_never_reaches_the_mail_server(instance, post, recipient):
    user = account(instance)
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute(
            "insert into private.mails (user_id, kind, recipient, subject, body, expires_at) "
            "values (%s, 'recovery', %s, 's', 'b', now() + interval '1 hour')",
            [user.id, recipient],
        )
    assert settled(instance, user) == [
        ("failed", 1, "the mail server rejected the mail: this is not an e-mail address", True)
    ]
    assert not post.asked


def test_international_addresses_are_sent_in_ascii_or_need_smtputf8(instance):
    user = account(instance)
    with MailServer(PORT, enable_SMTPUTF8=False) as post:
        queue(instance, user, recipient="ann@bücher.example")
        assert post.mail_to("ann@xn--bcher-kva.example")["To"] == "ann@xn--bcher-kva.example"
        queue(instance, user, recipient="åsa@example.org")
        wait_until(lambda: mails(instance, user)[1][0] != "waiting")
    assert mails(instance, user)[1][:3] == (
        "failed",
        1,
        "the address is not ASCII, and the mail server does not support SMTPUTF8",
    )
    with MailServer(PORT) as post:
        queue(instance, user, recipient="åsa@example.org")
        post.mail_to("åsa@example.org")


def test_logs_hold_no_address_and_no_link(instance, post):
    user = account(instance, "refused")
    recover(instance, user.email)
    settled(instance, user)
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        id, body = admin.execute("select id::text, body from private.mails where user_id = %s", [user.id]).fetchone()
    [link] = re.findall(r"token_hash=([\w-]+)", body)
    [line] = wait_until(
        lambda: [
            line
            for line in (instance.home / "log/jobs.log").read_text().splitlines()
            if '"mail failed"' in line and id in line
        ]
    )
    assert json.loads(line)["why"] == "refused" and json.loads(line)["kind"] == "recovery"
    for name in ("jobs", "fcgi", "access"):
        text = (instance.home / f"log/{name}.log").read_text()
        assert user.email not in text and link not in text and "token_hash" not in text


# Signing in to the mail server


def test_the_mail_server_gets_the_password_and_a_wrong_one_loses_no_mail(tmp_path):
    port = free_port()
    with service.own(LECTERN_SMTP_URL=f"smtp://post:s%40cret@127.0.0.1:{port}") as instance:
        shown = (instance.home / "services/fcgi.env").read_text() + instance.lectern("config", service="jobs").stdout
        assert "s%40cret" not in shown
        user = account(instance)
        options = {"auth_required": True, "auth_require_tls": False}
        with MailServer(port, authenticator=password_of("post", "other"), **options):
            queue(instance, user)
            wait_until(lambda: mails(instance, user)[0][2])
            state, _, message, has_body = mails(instance, user)[0]
            assert state == "waiting" and has_body and message.startswith("the mail server rejected the login: 535"), (
                message
            )
        with MailServer(port, authenticator=password_of("post", "s@cret"), **options) as post:
            assert post.mail_to(user.email)["From"] == "Lectern <lectern@[127.0.0.1]>"


def test_without_a_server_a_mail_waits_and_the_log_says_so_once(lectern):
    user = lectern.sign_up(f"waits-{uuid.uuid4().hex[:12]}@example.org")
    recover(lectern, user.email)

    def only_mail(user):
        with psycopg.connect(lectern.database_url, autocommit=True) as admin:
            [(id,)] = admin.execute("select id from private.mails where user_id = %s", [user.id])
            return str(id)

    def lines(mail):
        log = (lectern.home / "log/jobs.log").read_text().splitlines()
        return [
            line
            for line in map(json.loads, (line for line in log if "SMTP_URL is not set" in line))
            if line["mail"] == mail
        ]

    mail = only_mail(user)
    [line] = wait_until(lambda: lines(mail))
    assert line["message"] == "mail not sent: SMTP_URL is not set; `lectern mail` shows the link" and set(line) == {
        "time",
        "level",
        "message",
        "program",
        "mail",
        "kind",
    }
    recover(lectern, user.email)
    # Once a later mail is reported, the jobs process has seen what the request before may have queued.
    other = lectern.sign_up(f"waits-{uuid.uuid4().hex[:12]}@example.org")
    recover(lectern, other.email)
    wait_until(lambda: lines(only_mail(other)))
    assert len(lines(mail)) == 1
    assert mails(lectern, user)[0] == ("waiting", 0, "no SMTP_URL is set", True)


# Books by mail to e-readers


def with_ereader(instance, admin, address, title="Über alles"):
    user = account(instance)
    admin.execute("update auth.users set email_is_unproven = false where id = %s", [user.id])
    link = write_article(admin, user, "<p>Text</p>", title=title)
    assert user.rest("POST", "user_settings", {"ereader_email": address}).status == 201
    return user, link


def send_book(user, **what):
    return user.rest("POST", "rpc/send_to_ereader", what)


def told(user):
    return user.rest("GET", "ereader_mails?order=created_at").json()


def test_a_book_is_mailed_to_the_e_reader_as_the_file_that_is_served(instance, admin, post):
    address = f"{uuid.uuid4().hex}@kindle.example"
    user, link = with_ereader(instance, admin, address, title="Über alles und " * 6)
    answer = send_book(user, link=link)
    assert answer.status == 200 and answer.json()["to"] == address, answer
    _, message, _ = wait_until(lambda: next(iter(post.mails_to(address)), None))
    (text, file) = message.iter_parts()
    assert text.get_content_type() == "text/plain" and "attached" in text.get_content()
    assert file.get_content_type() == "application/epub+zip" and file.get_filename().startswith("Über alles und Über")
    assert file.get_filename().endswith(".epub") and message["Subject"].startswith("Über alles und")
    assert file.get_payload(decode=True) == get(user, link).body
    row = wait_until(lambda: (one := told(user)[0])["state"] == "sent" and one)
    assert (row["id"], row["link_id"], row["recipient"]) == (answer.json()["id"], link, address) and row["sent_at"]
    assert user.rest("POST", "rpc/ereader_sender", {}).json() == {"address": "post@read.example.org", "confirm": None}
    # A book of several articles waits in the queue until it is made.
    several = user.rest("POST", "rpc/make_book", {"query": "", "title": "Some"}).json()["id"]
    assert send_book(user, book=several).status == 200
    _, message, _ = wait_until(lambda: post.mails_to(address)[1:] and post.mails_to(address)[1])
    assert [part.get_filename() for part in message.iter_attachments()] == ["Some.epub"]


def test_the_user_is_told_why_a_book_was_not_sent(instance, admin, post):
    user, link = with_ereader(instance, admin, f"refused-{uuid.uuid4().hex}@kindle.example")
    book(user, link)
    admin.execute("update private.link_books set bytes = 26000000 where link_id = %s", [link])
    large = send_book(user, link=link)
    assert large.status == 413 and "25 MB" in large.json()["message"]
    admin.execute("update private.link_books set bytes = 1000 where link_id = %s", [link])
    assert send_book(user, link=link).status == 200
    row = wait_until(lambda: (one := told(user)[0])["state"] == "failed" and one)
    assert "refused" in row["reason"] and row["sent_at"] is None
    gone = write_article(admin, user, "<p>Text</p>")
    # The mail is due after the link is gone.
    with admin.transaction():
        admin.execute("lock table private.mails in exclusive mode")
        admin.execute(
            "insert into private.mails (id, user_id, kind, recipient, subject, body, expires_at) "
            "values (%(link)s, %(user)s, 'ereader', 'a@b.example', '', '', now() + interval '1 day')",
            {"link": gone, "user": user.id},
        )
        admin.execute(
            "insert into private.ereader_mails (id, user_id, link_id, title, recipient) "
            "values (%(link)s, %(user)s, %(link)s, '', 'a@b.example')",
            {"link": gone, "user": user.id},
        )
        admin.execute("delete from public.links where id = %s", [gone])
    row = wait_until(lambda: (one := told(user)[1])["state"] == "failed" and one)
    assert "deleted" in row["reason"]


def test_a_mail_that_has_expired_is_not_said_to_be_tried_again(instance, admin, post):
    user, link = with_ereader(instance, admin, "late@kindle.example")
    with admin.transaction():
        admin.execute(
            "insert into private.mails (id, user_id, kind, recipient, subject, body, expires_at) "
            "values (%(link)s, %(user)s, 'ereader', 'late@kindle.example', '', '', now() - interval '1 hour')",
            {"link": link, "user": user.id},
        )
        admin.execute(
            "insert into private.ereader_mails (id, user_id, link_id, title, recipient, reason) values "
            "(%(link)s, %(user)s, %(link)s, '', 'late@kindle.example', "
            "'The mail server could not take it yet. It is tried again within the hour.')",
            {"link": link, "user": user.id},
        )
    row = wait_until(lambda: (one := told(user)[0])["state"] == "failed" and one)
    assert row["reason"] == "The mail server could not take it within a day."


def test_books_are_sent_for_their_user_only_and_within_limits(instance, admin, post):
    user, link = with_ereader(instance, admin, f"{uuid.uuid4().hex}@kindle.example")
    other = account(instance, "bob")
    admin.execute("update auth.users set email_is_unproven = false where id = %s", [other.id])
    unknown = send_book(other, link=link)
    assert unknown.status == 400 and "address of your e-reader" in unknown.json()["message"]
    other.rest("POST", "user_settings", {"ereader_email": "bob@kindle.example"})
    assert send_book(other, link=link).status == 404
    for what in [{}, {"link": link, "book": link}, {"link": "x"}]:
        assert send_book(user, **what).status == 400
    assert send_book(user, book=link).status == 404
    for address in ["x", "a b@c.example", "a@b\nc", "<a>@b.example", "a" * 65 + "@b.example", "a@" + "b" * 260]:
        assert user.rest("PATCH", f"user_settings?user_id=eq.{user.id}", {"ereader_email": address}).status == 400
    for scope in ["read", "save", "feed"]:
        token = token_of(user, scope)
        key = {"apikey": instance.anon_key} | bearer(token)
        assert instance.send("POST", "/rest/v1/rpc/send_to_ereader", key, json.dumps({"link": link})).status == 403
    key = {"apikey": instance.anon_key}
    assert instance.send("POST", "/rest/v1/rpc/send_to_ereader", key, json.dumps({"link": link})).status in (401, 404)
    assert instance.send("GET", "/rest/v1/ereader_mails", key).status in (401, 404)
    admin.execute(
        "insert into private.daily_counts values (%s, 'ereader mails', (now() at time zone 'UTC')::date, 50)", [user.id]
    )
    assert send_book(user, link=link).status == 429
    assert told(user) == told(other) == []
    assert user.rest("DELETE", f"ereader_mails?user_id=eq.{user.id}").status in (401, 403, 405)


def test_books_are_mailed_for_an_account_once_its_address_is_confirmed(instance, admin, post):
    def sender(user):
        return user.rest("POST", "rpc/ereader_sender", {}).json()

    def ask(user, **form):
        return instance.auth("POST", "resend", {"type": "signup", "email": user.email} | form)

    user, other = account(instance), account(instance, "other")
    link = write_article(admin, user, "<p>Text</p>")
    user.rest("POST", "user_settings", {"ereader_email": "ann@kindle.example"})
    wait_until(lambda: sender(user)["address"])
    refused = send_book(user, link=link)
    assert refused.status == 403 and refused.json()["message"].startswith("Email not confirmed"), refused
    assert sender(user)["confirm"] == user.email and told(user) == []

    assert (ask(user).status, ask(user, email="nobody@example.org").json()) == (200, {})
    for form in [{"type": "recovery"}, {"type": None}, {"email": "x"}, {"email": None}]:
        assert ask(user, **form).status in (400, 422)
    token, kind = link_of(post.mail_to(user.email))
    assert kind == "signup" and verify(instance, token, kind).status == 200
    assert sender(user)["confirm"] is None and sender(other)["confirm"] == other.email
    assert send_book(user, link=link).status == 200 and told(user)[0]["recipient"] == "ann@kindle.example"
    # There is nothing left to confirm, so no link is mailed.
    assert ask(user).status == 200 and len(mails(instance, user)) == 2
    # Nobody knows whose a new address is.
    admin.execute("select auth.change_email(%s, %s, '', '')", [user.id, "new-" + user.email])
    assert send_book(user, link=link).status == 403
