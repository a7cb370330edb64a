"""Offline writes: three clients, each with its own clock, send their actions late, twice and in any order."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

LINKS, ACTIONS = 20, 500
# How far each client's clock is ahead of the true time, in seconds.
CLOCKS = [timedelta(0), timedelta(hours=1, seconds=7), timedelta(minutes=-58)]


@dataclass(frozen=True)
class Action:
    link: int
    # True time; each action has a minute of its own. A request that travels longer would make its action newer than the
    # next one.
    at: datetime
    client: int
    method: str
    body: dict


def send(user, ids, action):
    """The headers the client sends now, with both times by its own clock."""
    clock = CLOCKS[action.client]
    headers = {
        "X_Lectern_Acted_At": (action.at + clock).isoformat(),
        "X_Lectern_Sent_At": (datetime.now(UTC) + clock).isoformat(),
    }
    answer = user.rest(action.method, f"links?id=eq.{ids[action.link]}", action.body, **headers)
    assert answer.status == 204, answer
    return int(answer["x-lectern-superseded"])


@pytest.mark.parametrize("seed", range(3))
def test_every_row_ends_in_the_state_of_its_newest_action(alice, admin, seed):
    dice = random.Random(seed)
    ids = [
        alice.save(f"no address {number}", title="untouched", created_at="2026-01-01T00:00:00Z")["id"]
        for number in range(LINKS)
    ]
    start = datetime.now(UTC) - timedelta(hours=10)
    actions = []
    for number in range(ACTIONS):
        method = "DELETE" if dice.random() < 0.1 else "PATCH"
        body = {
            "title": f"{seed}-{number}",
            "status": dice.choice(["read", "unread"]),
            "list": dice.choice(["read", "archive"]),
            "is_starred": dice.random() < 0.5,
        }
        actions.append(
            Action(
                dice.randrange(LINKS),
                start + timedelta(minutes=number),
                dice.randrange(3),
                method,
                body if method == "PATCH" else None,
            )
        )
    newest = {action.link: action for action in actions}
    sent = actions + [action for action in actions if dice.random() < 0.3]
    dice.shuffle(sent)
    # The server processes the links at the same time, which is not a user's action.
    for number, action in enumerate(sent):
        if number % 100 == 50:
            admin.execute("update links set lang = 'en', site_name = %s where user_id = %s", [str(number), alice.id])
        send(alice, ids, action)
    links = {link["id"]: link for link in alice.links()}
    for number, id in enumerate(ids):
        action = newest.get(number)
        if action is None:
            assert links[id]["title"] == "untouched"
        elif action.method == "DELETE":
            assert id not in links, action
        else:
            assert {name: links[id][name] for name in action.body} == action.body, action
    # Everything is sent again and changes nothing.
    before = alice.links("select=*&order=id")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda action: send(alice, ids, action), actions))
    after = alice.links("select=*&order=id")
    assert [
        {name: value for name, value in link.items() if name not in ("state", "reason", "reason_message")}
        for link in after
    ] == [
        {name: value for name, value in link.items() if name not in ("state", "reason", "reason_message")}
        for link in before
    ]


def test_an_action_sent_twice_is_reported_as_a_replay(alice):
    id = alice.save("no address")["id"]
    action = Action(0, datetime.now(UTC) - timedelta(minutes=5), 1, "PATCH", {"title": "once"})
    assert [send(alice, [id], action) for _ in range(3)] == [0, 1, 1]


def test_an_action_without_a_time_counts_as_now(alice):
    id = alice.save("no address")["id"]
    assert alice.rest("PATCH", f"links?id=eq.{id}", {"title": "now"}).status == 204
    assert send(alice, [id], Action(0, datetime.now(UTC) - timedelta(seconds=30), 2, "PATCH", {"title": "before"})) == 1
    assert alice.link(id)["title"] == "now"


def test_actions_on_a_link_count_even_if_its_save_arrives_later(alice):
    """A client that was offline saved a link and then changed it; the save arrives now, the change was an hour ago."""
    id = alice.save("no address")["id"]
    assert send(alice, [id], Action(0, datetime.now(UTC) - timedelta(hours=1), 0, "PATCH", {"status": "read"})) == 0
    assert alice.link(id)["status"] == "read"
