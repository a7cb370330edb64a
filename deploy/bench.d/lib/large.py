"""Lists that are as long as a response may be, requested by many users at once."""

import re
import threading
import time
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path

from processes import family, of_home
from programs import fail

# The default of RESPONSE_LIMIT.
LIMIT = 20_971_520
DESCRIPTION = 1_000_000


def load_large_links(instance, users):
    """Gives each user after the first links with long descriptions; returns how many of them fit into one response."""
    rows = LIMIT // (DESCRIPTION + len('{"description":""},'))
    instance.load(users + 1, 2 * rows)
    instance.sql(f"""
        set role lectern_owner;
        alter table public.links disable trigger user;
        reset role;
        update public.links set description = repeat('x', {DESCRIPTION}) where user_id <> '{instance.user_id(1)}';
        set role lectern_owner;
        alter table public.links enable trigger user""")
    return rows


def ask_at_once(instance, users, target):
    """Sends the request of every user at the same time.

    Returns the seconds until the last response, the number of responses by status, and four peaks of private memory in
    kB: the largest worker, all workers, the largest process of PostgreSQL, all of PostgreSQL.
    """
    statuses, begin, is_over = Counter(), threading.Barrier(users + 1), threading.Event()
    peaks = [0, 0, 0, 0]

    def ask(user):
        connection = HTTPConnection(instance.url.removeprefix("http://"), timeout=300)
        connection.connect()
        begin.wait()
        connection.request("GET", target, headers=instance.header_fields(user))
        response = connection.getresponse()
        while response.read(1 << 20):
            pass
        statuses[response.status] += 1

    workers, postgres = instance.workers(), of_home(instance.home)["postgres"]

    def watch():
        round = 0
        while not is_over.wait(0.02):
            # Backends come and go with the connections.
            server = family(postgres) if round % 25 == 0 else server
            round += 1
            for place, pids in ((0, workers), (2, server)):
                sizes = [private_memory(pid) for pid in pids] or [0]
                peaks[place], peaks[place + 1] = max(peaks[place], *sizes), max(peaks[place + 1], sum(sizes))

    threads = [threading.Thread(target=ask, args=[user]) for user in range(2, users + 2)]
    for thread in [*threads, watcher := threading.Thread(target=watch)]:
        thread.start()
    begin.wait()
    start = time.monotonic()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - start
    is_over.set()
    watcher.join()
    if sum(statuses.values()) != users:
        fail(f"only {sum(statuses.values())} of {users} requests were answered")
    return seconds, statuses, peaks


def private_memory(pid):
    """Resident memory in kB that belongs to this process alone; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s+(\d+)", status, re.M)
    return int(found.group(1)) if found else 0
