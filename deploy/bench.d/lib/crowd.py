"""People who all sign in at once, each on a connection of their own."""

import asyncio
import json
import time
from urllib.parse import urlsplit

from programs import fail

PASSWORD = "correct horse battery"


class Crowd:
    """Signs `people` in at the same moment, and again whoever is in, until it is told that this was enough.

    Used with `async with`: at the start everybody has asked, at the end everybody has had an answer.
    """

    def __init__(self, stack, people):
        self.stack = stack
        self.people = people
        self.goes_on = True
        # Seconds that each sign-in took, in the order they ended; the answers are the newest of each person.
        self.seconds = []
        self.answers = [None] * people
        self.asked = 0

    async def __aenter__(self):
        site = urlsplit(self.stack.url)
        lines = [await asyncio.open_connection(site.hostname, site.port) for _ in range(self.people)]
        self.start = time.perf_counter()
        self.tasks = [asyncio.create_task(self._person(number, *line)) for number, line in enumerate(lines)]
        while self.asked < self.people:
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, failure, *_):
        self.goes_on = False
        if failure:
            for task in self.tasks:
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=bool(failure))

    async def everybody(self):
        """Waits until each has signed in once; answers after how many seconds that was."""
        while not all(self.answers):
            await asyncio.sleep(0.01)
        return self.first_done

    async def _person(self, number, reader, writer):
        body = json.dumps({"email": f"bench{number % self.stack.users + 1}@bench.test", "password": PASSWORD})
        request = (f"POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: bench\r\n"
                   f"apikey: {self.stack.admin['LECTERN_ANON_KEY']}\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        is_first = True
        while self.goes_on or is_first:
            begun = time.perf_counter()
            writer.write(request)
            if is_first:
                self.asked += 1
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(int(line.partition(":")[2]) for line in head.lower().split("\r\n")
                          if line.startswith("content-length:"))
            answer = await reader.readexactly(length)
            if not head.startswith("HTTP/1.1 200 "):
                fail(f"a sign-in was answered:\n{head}{answer.decode()}")
            self.answers[number] = json.loads(answer)
            now = time.perf_counter()
            self.seconds.append(now - begun)
            if is_first:
                self.first_done = now - self.start
            is_first = False
        writer.close()
