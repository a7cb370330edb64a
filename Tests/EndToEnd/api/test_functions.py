"""Server functions under /functions/v1/, and what they do not reveal."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from support import service
from support.client import free_port, wait_until


def ask(user, body, name="resolve-url", method="POST", **headers):
    body = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
    return user.lectern.send(method, f"/functions/v1/{name}", user.headers | headers, body)


def test_a_url_is_resolved_without_being_saved(alice, website):
    page = f"{website.url}/title-entities"
    resolve = lambda: ask(alice, {"url": f"{website.url}/redirect/3/title-entities?utm_source=mail"})
    # On a busy machine the server may give up after six seconds and answer without a title.
    answer = wait_until(lambda: (found := resolve()).json()["title"] and found)
    assert answer.status == 200, answer
    assert answer.json() == {
        "resolved_url": page,
        "title": 'Fish & Chips — "café" <b>',
        "description": "5 > 4, and so on",
    }
    assert answer["content-type"] == "application/json; charset=utf-8"
    wait_until(lambda: ask(alice, {"url": page + "?utm_source=mail&a=1"}).json()["resolved_url"] == page + "?a=1")
    assert alice.links() == []


def test_unreachable_and_private_addresses_look_alike_in_message_and_duration(alice, website):
    # A refused connection; a name that does not resolve; and an address that the settings do not open, behind a URL
    # that does not show it.
    urls = [f"http://127.0.0.1:{free_port()}/", "http://does-not-exist.invalid/", f"{website.url}/inward"]

    def timed(url):
        start = time.monotonic()
        answer = ask(alice, {"url": url})
        return answer, time.monotonic() - start

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(timed, urls))
    for url, (answer, seconds) in zip(urls, answers):
        assert answer.status == 200, answer
        assert answer.json() == {"resolved_url": url, "title": None, "description": None}
        assert 5.5 < seconds, (url, seconds)
    assert max(seconds for _, seconds in answers) - min(seconds for _, seconds in answers) < 10, answers


def test_an_answer_comes_within_eight_seconds_although_the_database_does_not_tell_the_result():
    # Not the service of most other tests, because nobody gets a result while the table is locked.
    lectern = service.shared(LECTERN_RESPONSE_LIMIT="200000")
    # A busy machine may take longer now and then.
    assert any(seconds_without_results(lectern) < 8 for _ in range(3))


def seconds_without_results(lectern):
    """How long a new user waits for an answer while the table of the results is locked."""
    user, answered = lectern.sign_up(), threading.Event()

    def hold_results():
        with psycopg.connect(lectern.database_url) as admin:
            asked = "select 1 from private.resolutions where user_id = %s"
            wait_until(lambda: admin.execute(asked, [user.id]).fetchone())
            admin.execute("lock table private.resolutions in access exclusive mode")
            answered.wait(60)

    # A site that accepts connections and sends nothing, so that there is no result before the table is locked.
    with socket.create_server(("127.0.0.1", 0)) as site, ThreadPoolExecutor(1) as pool:
        url = f"http://127.0.0.1:{site.getsockname()[1]}/"
        holding = pool.submit(hold_results)
        start = time.monotonic()
        answer = ask(user, {"url": url})
        seconds = time.monotonic() - start
        answered.set()
        holding.result()
    assert answer.status == 200, answer
    assert answer.json() == {"resolved_url": url, "title": None, "description": None}
    return seconds


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
        "",
        "example",
        "http://",
        "http://localhost/",
        "http://LOCALHOST.:80/",
        "http://a.localhost/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://0x7f.2/",
        "http://3232235777/",
        "http://169.254.169.254/latest",
        "http://[::ffff:10.0.0.1]/",
        "http://user@192.168.0.1:8080/x",
    ],
)
def test_a_url_that_is_not_http_or_evidently_private_is_refused_at_once(alice, url):
    start = time.monotonic()
    answer = ask(alice, {"url": url})
    assert answer.status == 400 and set(answer.json()) == {"code", "message"}, answer
    assert time.monotonic() - start < 30
    assert answer["x-relay-error"] is None


@pytest.mark.parametrize(
    "body", [None, "", "[]", "{}", '{"url":5}', '{"url":null}', "{", "\xff", '{"url":"http://a/\\ud800"}']
)
def test_a_bad_body_is_refused(alice, body):
    assert ask(alice, body).status == 400


def test_a_request_without_a_session_is_refused_with_401(lectern):
    answer = lectern.send(
        "POST", "/functions/v1/resolve-url", {"apikey": lectern.anon_key}, '{"url":"http://127.0.0.1/"}'
    )
    assert answer.status == 401, answer


def test_an_unknown_function_is_not_found(alice):
    answer = ask(alice, {}, name="nope")
    assert (answer.status, answer.json()["code"]) == (404, "NOT_FOUND")
    assert ask(alice, None, method="GET").status == 405


def test_a_text_is_drawn_as_a_qr_code(alice, lectern):
    answer = ask(alice, {"text": "https://example.org/ü"}, name="qr-code")
    assert answer.status == 200 and answer.json()["svg"].startswith("<svg ") and answer["cache-control"] == "no-store"
    for body in [{}, {"text": ""}, {"text": 1}, {"text": "a\0b"}, {"text": "x" * 1_664}, "[]", None]:
        assert ask(alice, body, name="qr-code").status == 400, body
    assert ask(alice, {"text": "x" * 1_663}, name="qr-code").status == 200
    assert ask(alice, None, name="qr-code", method="GET").status == 405
    key = {"apikey": lectern.anon_key}
    assert lectern.send("POST", "/functions/v1/qr-code", key, '{"text":"x"}').status == 401


def test_users_cannot_read_the_results_of_others(lectern, alice, bob):
    with psycopg.connect(lectern.database_url, autocommit=True) as admin:
        question = admin.execute(
            "insert into private.resolutions (user_id, url, taken_at, outcome, title) "
            "values (%s, 'http://127.0.0.2/', now(), 'resolved', 'secret') returning id",
            [alice.id],
        ).fetchone()[0]
    with lectern.login("authenticator", "authenticator_password") as connection, connection.transaction():
        connection.execute("set local role authenticated")
        connection.execute("select set_config('request.jwt.claims', %s, true)", [f'{{"sub":"{bob.id}"}}'])
        assert connection.execute("select * from rest.resolution(%s)", [question]).fetchall() == []
        with pytest.raises(Exception, match="permission denied"):
            connection.execute("select * from private.resolutions")
