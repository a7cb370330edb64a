"""Clients that send requests in the background while a test restarts or kills something."""

import collections
import threading
import time

from support.client import wait_until


class Load:
    """Clients that call `ask(client, count)` again and again, without retrying, until the block ends. Each rests for `pause`
    seconds after a call, so that the requests leave the processor to the test.

    `ask` returns a status and whatever else is to be remembered. `answers` holds (status, that, seconds) of each call;
    the status of a request that failed below HTTP is the name of the error.
    """

    def __init__(self, ask, clients=8, pause=0.02):
        self.pause = pause
        self.answers = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(ask, number)) for number in range(clients)]

    def _run(self, ask, number):
        count = 0
        while not self.over.is_set():
            started = time.monotonic()
            try:
                status, what = ask(number, count)
            except OSError as error:
                status, what = type(error).__name__, None
            self.answers.append((status, what, time.monotonic() - started))
            count += 1
            self.over.wait(self.pause)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def proceed(self, by=100):
        """Waits until so many more requests were answered."""
        before = len(self.answers)
        wait_until(lambda: len(self.answers) >= before + by, 300)

    def statuses(self):
        """How often each status came."""
        return collections.Counter(status for status, *_ in self.answers[:])
