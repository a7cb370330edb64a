"""What one would write with aiohttp instead of `lectern resolve`: URLs on standard input, so many in flight, one JSON line
each with where it led and the title that stands there. It follows by itself and reads no more of a page than it needs."""

import asyncio
import html
import json
import re
import sys

import aiohttp

TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
LONGEST = 1_000_000


async def resolve(session, url):
    async with session.get(url) as answer:
        body = b""
        async for chunk in answer.content.iter_any():
            body += chunk
            found = TITLE.search(body)
            if found or len(body) > LONGEST:
                break
        title = html.unescape(found[1].decode(answer.charset or "utf-8", "replace")).strip() if found else None
        return {"url": url, "resolved_url": str(answer.url), "status": answer.status, "title": title}


async def work_off(urls, session):
    for url in urls:
        print(json.dumps(await resolve(session, url)))


async def main(in_flight):
    urls = (line.strip() for line in sys.stdin)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight)) as session:
        await asyncio.gather(*(work_off(urls, session) for _ in range(in_flight)))


asyncio.run(main(int(sys.argv[1])))
