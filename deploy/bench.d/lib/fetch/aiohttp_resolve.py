"""The equivalent of `lectern resolve` with aiohttp.

Reads URLs from standard input and prints one line of JSON per URL with the final URL and the title. The argument is the
number of concurrent requests. aiohttp follows redirects itself; a page is read only up to its title.
"""

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
