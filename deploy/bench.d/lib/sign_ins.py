"""Concurrent sign-ins, each on its own connection."""

import asyncio
import json
import time
from urllib.parse import urlsplit

from programs import fail

PASSWORD = "correct horse battery"


class SignIns:
    """Signs in `people` users concurrently, and each again after every success while `repeats` is true.

    Used with `async with`. Every user has sent a request when the block begins, and has received a response when it
    ends.
    """

    def __init__(self, instance, people):
        self.instance = instance
        self.people = people
        self.repeats = True
        # Seconds of each sign-in, in the order they ended, and the latest response of each user.
        self.seconds = []
        self.answers = [None] * people
        self.asked = 0

    async def __aenter__(self):
        site = urlsplit(self.instance.url)
        lines = [await asyncio.open_connection(site.hostname, site.port) for _ in range(self.people)]
        self.start = time.perf_counter()
        self.tasks = [asyncio.create_task(self._person(number, *line)) for number, line in enumerate(lines)]
        while self.asked < self.people:
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, failure, *_):
        self.repeats = False
        if failure:
            for task in self.tasks:
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=bool(failure))

    async def first_round(self):
        """Waits until every user has signed in once; returns the seconds since the start."""
        while not all(self.answers):
            await asyncio.sleep(0.01)
        return self.first_done

    async def _person(self, number, reader, writer):
        body = json.dumps({"email": f"bench{number % self.instance.users + 1}@bench.test", "password": PASSWORD})
        request = (f"POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: bench\r\n"
                   f"apikey: {self.instance.admin['LECTERN_ANON_KEY']}\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        is_first = True
        while self.repeats or is_first:
            begun = time.perf_counter()
            writer.write(request)
            if is_first:
                self.asked += 1
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(int(line.partition(":")[2]) for line in head.lower().split("\r\n")
                          if line.startswith("content-length:"))
            answer = await reader.readexactly(length)
            if not head.startswith("HTTP/1.1 200 "):
                fail(f"a sign-in failed:\n{head}{answer.decode()}")
            self.answers[number] = json.loads(answer)
            now = time.perf_counter()
            self.seconds.append(now - begun)
            if is_first:
                self.first_done = now - self.start
            is_first = False
        writer.close()
