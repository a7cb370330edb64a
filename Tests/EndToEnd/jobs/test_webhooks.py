"""Webhooks: what is sent when, signed, tried again, given up, and to whom never."""

import hashlib
import hmac
import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler

import pytest

from support.client import wait_until
from support.feeds import make_token
from support.searching import add_link
from support.sessions import bearer
from support.web_server import Server

EVENTS = ["saved", "ready", "archived", "starred", "highlighted"]


class Receiver:
    """A web server that keeps what it gets, and answers with the status at the end of the path."""

    def __init__(self):
        self.requests = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.requests.append((self.path, dict(self.headers.items()), body))
                last = self.path.rsplit("/", 1)[-1]
                self.send_response(int(last) if last.isdigit() else 200)
                self.send_header("location", "/moved")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def of(self, path):
        return [(headers, body) for place, headers, body in self.requests if place == path]


@pytest.fixture(scope="module")
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def path():
    return f"/{uuid.uuid4()}"


def add(user, url, events=EVENTS):
    answer = user.rest("POST", "rpc/add_webhook", {"url": url, "events": events})
    assert answer.status == 200, answer
    return answer.json()


def deliveries(user):
    return user.rest("GET", "webhook_deliveries?order=created_at").json()


def test_each_event_is_sent_with_its_link_and_signed(alice, admin, receiver, path):
    hook = add(alice, receiver.url + path)
    link = add_link(admin, alice, text="Words", title="Tea &amp; Cake")
    alice.rest("PATCH", f"links?id=eq.{link}", {"list": "archive", "is_starred": True})
    alice.rest("PATCH", f"links?id=eq.{link}", {"title": "Another"})
    alice.rest("POST", "highlights", {"link_id": link, "quote": "Words", "note": "Mine"})
    with admin.transaction():
        admin.execute("update public.links set state = 'pending' where id = %s", [link])
        # The jobs process would fail to fetch the page.
        admin.execute("delete from private.jobs where link_id = %s", [link])
        admin.execute("update public.links set state = 'ready' where id = %s", [link])
    sent = wait_until(lambda: len(found := receiver.of(path)) >= 5 and found)
    bodies = {json.loads(body)["event"]: json.loads(body) for _, body in sent}
    assert set(bodies) == set(EVENTS) and len(sent) == 5
    assert all(body["link"]["id"] == link and body["at"].endswith("Z") for body in bodies.values())
    assert bodies["saved"]["link"]["title"] == "Tea & Cake" and bodies["archived"]["link"]["list"] == "archive"
    assert (bodies["highlighted"]["highlight"]["quote"], bodies["highlighted"]["highlight"]["note"]) == (
        "Words",
        "Mine",
    )
    for headers, body in sent:
        signature = hmac.new(hook["secret"].encode(), body, hashlib.sha256).hexdigest()
        assert headers["X-Lectern-Signature"] == f"sha256={signature}" and headers["Content-Type"] == "application/json"
        assert headers["X-Lectern-Event"] == json.loads(body)["event"]
    wait_until(lambda: {row["state"] for row in deliveries(alice)} == {"sent"})
    assert {row["status"] for row in deliveries(alice)} == {200}


def test_only_the_wanted_events_are_sent_until_the_webhook_is_deleted(alice, admin, receiver, path):
    hook = add(alice, receiver.url + path, ["starred"])
    link = add_link(admin, alice)
    alice.rest("PATCH", f"links?id=eq.{link}", {"is_starred": True, "list": "archive"})
    wait_until(lambda: len(receiver.of(path)) == 1)
    assert alice.rest("DELETE", f"webhooks?id=eq.{hook['id']}").status == 204
    alice.rest("PATCH", f"links?id=eq.{link}", {"is_starred": False})
    alice.rest("PATCH", f"links?id=eq.{link}", {"is_starred": True})
    assert deliveries(alice) == [] and alice.rest("GET", "webhooks").json() == []


def test_a_failure_is_tried_again_and_given_up_with_its_reason(alice, admin, receiver, path):
    add(alice, f"{receiver.url}{path}/500", ["saved"])
    add_link(admin, alice)
    row = wait_until(lambda: (rows := deliveries(alice)) and rows[0]["attempts"] >= 2 and rows[0])
    # The third attempt may have failed by now.
    assert (
        row["state"] in ("waiting", "failed") and row["status"] == 500 and row["reason"] == "The receiver answered 500."
    )
    admin.execute(
        "update private.webhook_deliveries set attempts = 30, run_at = now() where user_id = %s and state = 'waiting'",
        [alice.id],
    )
    row = wait_until(lambda: (found := deliveries(alice)[0])["state"] == "failed" and found)
    assert row["reason"] == "The receiver answered 500." and row["sent_at"] is None


@pytest.mark.parametrize("status", ["410", "302"])
def test_a_receiver_that_is_gone_or_moved_gets_nothing_elsewhere(alice, admin, receiver, path, status):
    add(alice, f"{receiver.url}{path}/{status}", ["saved"])
    add_link(admin, alice)
    row = wait_until(lambda: (rows := deliveries(alice)) and rows[0]["status"] and rows[0])
    assert row["status"] == int(status) and row["state"] == ("failed" if status == "410" else "waiting")
    assert receiver.of("/moved") == []


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]:80/", "http://192.168.0.1:8080/x"]
)
def test_a_private_address_is_refused_at_once(alice, admin, url):
    add(alice, url, ["saved"])
    add_link(admin, alice)
    row = wait_until(lambda: (rows := deliveries(alice)) and rows[0]["state"] == "failed" and rows[0])
    assert row["attempts"] == 1 and row["status"] is None and row["reason"]


def test_a_slow_start_of_one_receiver_delays_no_other(alice, bob, admin, receiver, path):
    add(alice, f"{receiver.url}{path}/500", ["saved"])
    add(bob, f"{receiver.url}{path}/bob", ["saved"])
    for _ in range(3):
        add_link(admin, alice)
    add_link(admin, bob)
    wait_until(lambda: {row["state"] for row in deliveries(bob)} == {"sent"})


def test_two_users_see_and_get_their_own_only(alice, bob, admin, receiver, path):
    hook = add(alice, receiver.url + path, ["saved"])
    link = add_link(admin, bob)
    assert bob.rest("GET", "webhooks").json() == [] and bob.rest("GET", "webhook_deliveries").json() == []
    bob.rest("DELETE", f"webhooks?id=eq.{hook['id']}")
    [row] = alice.rest("GET", "webhooks").json()
    assert list(row) == ["id", "user_id", "url", "events", "created_at"] and link
    assert deliveries(alice) == []


@pytest.mark.parametrize(
    "body",
    [
        {}, {"url": "http://a.example/"}, {"url": "ftp://a.example/", "events": ["saved"]},
        {"url": "http://a.example/", "events": []}, {"url": "http://a.example/", "events": ["deleted"]},
        {"url": "http://a b/", "events": ["saved"]}, {"url": "http://" + "a" * 3_000, "events": ["saved"]},
        {"url": None, "events": None}, {"url": "http://a.example/", "events": "saved"},
        {"url": "http://a.example/", "events": [None]},
    ],
)  # fmt: skip
def test_a_bad_webhook_is_refused(alice, body):
    answer = alice.rest("POST", "rpc/add_webhook", body)
    assert 400 <= answer.status < 500 and answer.json()["message"], answer
    assert alice.rest("GET", "webhooks").json() == []


def test_a_user_has_ten_webhooks_at_most_and_a_bounded_outbox(alice, admin):
    for n in range(10):
        add(alice, f"http://10.0.0.1/{n}", ["archived"])
    answer = alice.rest("POST", "rpc/add_webhook", {"url": "http://10.0.0.1/", "events": ["saved"]})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")
    for method in ("POST", "PATCH"):
        assert alice.rest(method, "webhooks?id=not.is.null", {"url": "http://a.example/"}).status in (
            400,
            401,
            403,
            405,
        )
    [hook, *_] = alice.rest("GET", "webhooks").json()
    admin.execute(
        "insert into private.webhook_deliveries (user_id, webhook_id, event, body, run_at)"
        " select %s, %s, 'saved', '{}', now() + interval '1 day' from generate_series(1, 1000)",
        [alice.id, hook["id"]],
    )
    link = add_link(admin, alice)
    alice.rest("PATCH", f"links?id=eq.{link}", {"list": "archive"})
    counts = admin.execute(
        "select count(*) from private.webhook_deliveries where user_id = %s group by webhook_id", [alice.id]
    ).fetchall()
    # The full one takes no more from the others.
    assert sorted(counts) == [(1,)] * 9 + [(1000,)]


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_only_tokens_that_may_change_add_and_delete(alice, scope):
    headers = {"Authorization": f"Bearer {make_token(alice, scope)}", "Content-Type": "application/json"}
    body = json.dumps({"url": "http://10.0.0.1/", "events": ["saved"]})
    assert alice.lectern.send("POST", "/rest/v1/rpc/add_webhook", headers, body).status == (
        200 if scope == "full" else 403
    )
    assert alice.lectern.send("GET", "/rest/v1/webhooks", headers).status == (200 if scope in ("read", "full") else 403)
    deleted = alice.lectern.send("DELETE", "/rest/v1/webhooks?id=not.is.null", headers)
    assert deleted.status == (204 if scope == "full" else 403)
    assert bearer(alice.token)
