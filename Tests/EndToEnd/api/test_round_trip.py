"""What a user exports comes in again in another account."""

import io
import json
import os
import random
import zipfile

import pytest

from support.client import wait_until
from support.documents import document, imported, upload

PAGE = "<html><head><title>Kettles</title><meta name=author content='Ada Example'></head><body><article>" + "".join(
    f"<p>Paragraph {n} about kettles, cups, and the <em>water</em> that is boiled in them, at length.</p>"
    for n in range(9)
)
NAMES = ("title", "description", "list", "status", "is_starred", "created_at", "updated_at", "archived_at", "byline")
FEED = ("url", "title", "list", "tags", "keep_words", "skip_words", "first_entries", "is_paused")


@pytest.fixture
def reader(alice):
    """A user with an article, a link in the archive, a link without anything, and a document."""
    body = {"url": "http://127.0.0.9:9/article", "html": PAGE, "tags": ["Caf\u00e9", "two words"]}
    article = alice.rest("POST", "rpc/save_page", body).json()[0]["id"]
    tea = alice.save(
        "http://127.0.0.9:9/tea", title='Tea, "strong"\n& <hot>', description="Said of it", list="archive", status="read",
        is_starred=True, created_at="2024-05-06T07:08:09.123456+00:00",
    )["id"]  # fmt: skip
    alice.save("http://127.0.0.9:9/bare", created_at="2024-01-01T00:00:00+00:00")
    document(alice, "letter.txt", b"A letter\n\nWords of a letter.\n")
    for link in alice.links():
        alice.settled(link["id"])
    alice.rest("POST", "notes", {"link_id": tea, "body": "First line\nsecond"})
    alice.rest("POST", "highlights", {"link_id": article, "quote": "at length", "note": "Mine", "color": "blue"})
    [outer] = alice.rest("POST", "collections", {"name": "Outer"}, Prefer="return=representation").json()
    inner = {"name": "Inner", "parent_id": outer["id"]}
    [inner] = alice.rest("POST", "collections", inner, Prefer="return=representation").json()
    for collection, link in [(inner, article), (outer, tea)]:
        alice.rest("POST", "collection_links", {"collection_id": collection["id"], "link_id": link})
    alice.rest("PATCH", f"notes?link_id=eq.{tea}", {"is_favorite": True})
    alice.rest("POST", "bookmarks", {"link_id": article, "name": "Here", "quote": "Paragraph 3", "start_offset": 40})
    progress = {"content_hash": "f00", "link_id": article, "last_read_character_index": 77, "percentage_complete": 0.25}
    alice.rest("POST", "reading_progress", progress)
    for row in [
        ("tags", {"name": "unused", "color": "#123456"}),
        ("collections", {"name": "Empty", "description": "Still to be filled"}),
        ("collections", {"name": "By itself", "query": "is:starred site:127.0.0.9", "parent_id": outer["id"]}),
        ("rules", {"name": "Tea is read", "query": "title:tea", "change": {"list": "archive"}, "position": 3}),
        ("rules", {"name": "All", "query": "", "change": {"add_tags": ["seen"]}, "enabled": False}),
        ("feeds", {"url": "http://127.0.0.9:9/feed", "title": "Tea", "list": "archive", "tags": ["news"], "keep_words": ["tea"],
                   "skip_words": ["coffee"], "first_entries": 3, "is_paused": True, "collection_id": inner["id"]}),
        ("feeds", {"url": "http://127.0.0.9:9/other", "is_paused": True}),
        ("user_settings", {"font_size": 21, "theme": "sepia", "digest_schedule": "weekly"}),
    ]:  # fmt: skip
        answer = alice.rest("POST", *row)
        assert answer.status == 201, answer
    return alice


def ask(user, method, path, body=None):
    return user.lectern.auth(method, path, body, Authorization=f"Bearer {user.token}")


def exported(user, format):
    id = ask(user, "POST", "exports", {"format": format}).json()["id"]
    done = wait_until(lambda: (row := ask(user, "GET", f"exports/{id}").json())["state"] == "ready" and row)
    return user.lectern.send("GET", done["url"]).body


def contents(user):
    """Everything that a user has, without ids."""
    paths = {row["id"]: row for row in user.rest("GET", "collections").json()}

    def path(id):
        return [] if id is None else [*path(paths[id]["parent_id"]), paths[id]["name"]]

    def parts(table, link, *names):
        rows = user.rest("GET", f"{table}?link_id=eq.{link['id']}").json()
        return sorted([str(row[name]) for name in names] for row in rows)

    return {
        link["raw_url"]: {name: link[name] for name in NAMES}
        | {
            "tags": sorted(
                row["tags"]["name"]
                for row in user.rest("GET", f"link_tags?link_id=eq.{link['id']}&select=tags(name)").json()
            ),
            "collections": sorted(
                path(row["collection_id"])
                for row in user.rest("GET", f"collection_links?link_id=eq.{link['id']}").json()
                if not paths[row["collection_id"]]["query"]
            ),
            "notes": parts("notes", link, "body"),
            "favorites": parts("notes", link, "is_favorite"),
            "bookmarks": parts("bookmarks", link, "name", "quote", "start_offset", "created_at"),
            "progress": parts(
                "reading_progress",
                link,
                "content_hash",
                "last_read_character_index",
                "percentage_complete",
                "last_updated",
            ),
            "highlights": parts("highlights", link, "quote", "note", "color"),
            "article": parts("articles", link, "title", "byline", "content", "text_content"),
        }
        for link in user.links()
    }


def account(user):
    """What a user has beside the links, without ids."""

    def rows(table, *names):
        return sorted(json.dumps([row[name] for name in names]) for row in user.rest("GET", table).json())

    names = {row["id"]: row["name"] for row in user.rest("GET", "collections").json()} | {None: None}
    collections = user.rest("GET", "collections").json()
    return {
        "tags": rows("tags", "name", "color"),
        "collections": sorted(
            (row["name"], names[row["parent_id"]] or "", row["query"] or "", row["description"] or "")
            for row in collections
        ),
        # A collection that fills itself finds the same.
        "found": {
            row["name"]: sorted(
                link["raw_url"]
                for link in user.rest("POST", "rpc/search_links", {"query": f'in:"{row["name"]}"'}).json()["links"]
            )
            for row in collections
        },
        "rules": rows("rules", "name", "query", "change", "enabled", "position"),
        "feeds": [
            [names[row["collection_id"]], *(row[name] for name in FEED)]
            for row in user.rest("GET", "feeds?order=url").json()
        ],
        "settings": rows("user_settings", "font_name", "font_size", "theme", "line_spacing", "digest_schedule"),
    }


def came_in(user, name, content):
    answer = upload(user, name, content)
    assert answer.status == 202, answer
    row = wait_until(lambda: (row := imported(user, answer.json()["id"]))["state"] != "reading" and row)
    assert row["rejected"] == 0 and row["imported"] > 0, row
    for link in user.links():
        user.settled(link["id"])
    return row


def test_the_personal_export_comes_in_again_whole(reader, bob):
    row = came_in(bob, "export.zip", exported(reader, "zip"))
    assert (row["format"], row["rows"], row["imported"]) == ("lectern", 4, 4)
    assert contents(bob) == contents(reader)
    assert account(bob) == account(reader)
    [hash] = [link["raw_url"].removeprefix("urn:sha256:") for link in bob.links() if link["raw_url"].startswith("urn:")]
    [stored] = bob.rest("GET", f"documents?hash=eq.{hash}").json()
    assert stored["name"] == "letter.txt"
    # Again, into the same account: nothing changes.
    before = contents(reader), account(reader)
    answer = upload(reader, "export.zip", exported(reader, "zip"))
    again = wait_until(lambda: (row := imported(reader, answer.json()["id"]))["state"] != "reading" and row)
    assert (again["imported"], again["duplicate"]) == (0, 4)
    assert (contents(reader), account(reader)) == before


# Characters that a format, a list or a path may take for its own.
AWKWARD = [
    *"abcXYZ019 ,;:/\\|'\"<>&#=+-_*[]{}()%?!~`$@.", "\n", "\t", "\u00e9", "e\u0301", "\u05e9", "\u0627", "\u65e5", "\U0001f600",
    "\u200d", "\u202e", "---", "null", "[x]", "&amp;", "&#39;",
]  # fmt: skip


class RandomAccount:
    """Fills an account with rows by chance."""

    def __init__(self, user, seed):
        self.user, self.chance = user, random.Random(seed)

    def words(self, most):
        """A text of awkward characters. It has a letter, and no blanks around it or line ends in it."""
        text = "".join(self.chance.choices(AWKWARD, k=self.chance.randint(1, most)))
        return f"w{text}w".replace("\n", " ").replace("\t", " ")

    def maybe(self, value):
        return value if self.chance.random() < 0.5 else None

    def time(self):
        return f"20{self.chance.randint(10, 25)}-0{self.chance.randint(1, 9)}-1{self.chance.randint(0, 9)}T12:34:56.{self.chance.randint(0, 999999):06}+00:00"

    def add(self, table, **row):
        answer = self.user.rest("POST", table, row, Prefer="return=representation")
        assert answer.status == 201, (row, answer)
        return answer.json()[0]

    def fill(self):
        chance = self.chance
        tags = [self.add("tags", name=f"{n}{self.words(12)}", color=self.maybe("#12ab9f")) for n in range(5)]
        collections = []
        for n in range(5):
            parent = self.maybe(chance.choice(collections)["id"]) if collections else None
            name, query = f"{n}{self.words(12)}", chance.choice([None, None, None, "is:starred"])
            collection = self.add("collections", name=name, query=query, description=self.maybe(self.words(30)))
            if parent:
                self.user.rest("PATCH", f"collections?id=eq.{collection['id']}", {"parent_id": parent})
            if not query:
                collections.append(collection)
        links = [self.link(n) for n in range(12)]
        # All at once: the server tries an address that does not answer again.
        for id in links:
            self.user.settled(id)
        for id in links:
            for tag in chance.sample(tags, chance.randint(0, 3)):
                self.add("link_tags", tag_id=tag["id"], link_id=id)
            for collection in chance.sample(collections, chance.randint(0, min(2, len(collections)))):
                self.add("collection_links", collection_id=collection["id"], link_id=id)
            if chance.random() < 0.5:
                self.add(
                    "notes", link_id=id, body=f"{self.words(60)}\n{self.words(9)}", is_favorite=chance.random() < 0.5
                )
            if chance.random() < 0.4:
                self.add("highlights", link_id=id, quote=self.words(30), note=self.maybe(self.words(30)), color="green")

    def link(self, n):
        """Saves a link, perhaps with its page, and returns its id."""
        chance = self.chance
        # A host for each link: the server waits between two requests to the same one.
        address = f"http://127.0.9.{n}:9/?q={chance.randint(0, 99)}"
        if chance.random() < 0.3:
            page = {"url": address, "html": PAGE.replace("Kettles", f"Kettles {n}")}
            return self.user.rest("POST", "rpc/save_page", page).json()[0]["id"]
        return self.add(
            "links", raw_url=address, title=self.maybe(self.words(40)), description=self.maybe(self.words(80)),
            list=chance.choice(["read", "archive"]), status=chance.choice(["read", "unread"]),
            is_starred=chance.random() < 0.5, created_at=self.time(),
        )["id"]  # fmt: skip


@pytest.mark.parametrize("seed", range(40 if os.environ.get("LECTERN_TEST_LONG") else 3))
def test_the_personal_export_of_any_account_comes_in_again_whole(alice, bob, seed):
    RandomAccount(alice, seed).fill()
    came_in(bob, "export.zip", exported(alice, "zip"))
    assert contents(bob) == contents(alice)
    assert account(bob) == account(alice)


def test_rows_of_an_export_that_do_not_fit_are_left_out_and_the_rest_comes_in(reader, bob):
    content = io.BytesIO(exported(reader, "zip"))
    changed = io.BytesIO()
    with zipfile.ZipFile(content) as source, zipfile.ZipFile(changed, "w") as target:
        for entry in source.infolist():
            text = source.read(entry)
            if entry.filename == "tables/public.rules.json":
                rows = json.loads(text)
                hostile = [{"change": {"no": 1}}, {"change": "x"}, {"name": "n" * 999}, {"position": "far"}]
                text = json.dumps(rows + [rows[0] | other for other in hostile] + [rows[0] | {"name": "last \0 one"}])
            elif entry.filename == "tables/public.bookmarks.json":
                rows = json.loads(text)
                text = json.dumps([rows[0] | {"start_offset": -1}, rows[0] | {"created_at": "never"}, *rows])
            elif entry.filename == "tables/private.feeds.json":
                rows = json.loads(text)
                hostile = [{"url": "file:///etc/passwd"}, {"tags": ["t" * 200]}, {"first_entries": 1000}, {"list": "x"}]
                text = json.dumps([rows[0] | {"url": "http://127.0.0.9:9/x"} | other for other in hostile] + rows)
            elif entry.filename == "tables/public.user_settings.json":
                text = json.dumps([row | {"font_size": 1000} for row in json.loads(text)])
            target.writestr(entry, text)
    came_in(bob, "export.zip", changed.getvalue())
    names = sorted(row["name"] for row in bob.rest("GET", "rules").json())
    assert names == ["All", "Tea is read", "last  one"]
    assert [row["name"] for row in bob.rest("GET", "bookmarks").json()] == ["Here"]
    assert bob.rest("GET", "user_settings").json() == []
    assert {row["url"] for row in bob.rest("GET", "feeds").json()} == {
        "http://127.0.0.9:9/feed",
        "http://127.0.0.9:9/other",
    }


ARABIC = (
    "<html dir=rtl><head><title>المنارة القديمة</title><meta property='og:site_name' content='أخبار الجزيرة'></head>"
    "<body><article>"
    + "<p>قرر سكان الجزيرة يوم الاثنين عدم هدم المنارة القديمة بل الحفاظ عليها معا في السنوات القادمة.</p>"
    * 9
)


@pytest.mark.parametrize("format", ["zip", "json", "markdown"])
def test_an_article_comes_in_again_with_its_language_direction_and_site(alice, bob, format):
    saved = alice.rest("POST", "rpc/save_page", {"url": "http://127.0.0.9:9/arabic", "html": ARABIC}).json()[0]["id"]
    alice.settled(saved)
    came_in(bob, f"export.{'json' if format == 'json' else 'zip'}", exported(alice, format))
    [link] = bob.links()
    known, article = alice.article(saved), bob.article(link["id"])
    assert (known["lang"], known["dir"], known["site_name"]) == ("ar", "rtl", "أخبار الجزيرة")
    for name in ("title", "lang", "dir", "site_name"):
        assert article[name] == known[name], name
    [shared] = bob.rest("POST", "rpc/share_link", {"link": link["id"]}).json()
    assert b'dir="rtl"' in bob.lectern.send("GET", "/public/" + shared["token"]).body


@pytest.mark.parametrize("format", ["zip", "json", "markdown", "csv"])
def test_names_with_separators_and_addresses_of_any_kind_come_in_again(alice, bob, format):
    tags = ["a, b", "c/d", "e\\f"]
    urls = ["mailto:x@example.org", "javascript:alert(1)", "no address", "http://127.0.0.9:9/a"]
    links = [alice.save(url)["id"] for url in urls]
    for name in tags:
        [tag] = alice.rest("POST", "tags", {"name": name}, Prefer="return=representation").json()
        for link in links:
            alice.rest("POST", "link_tags", {"tag_id": tag["id"], "link_id": link})
    for name in ("AC/DC, live", "back\\slash", "Plain"):
        [outer] = alice.rest("POST", "collections", {"name": name}, Prefer="return=representation").json()
        inner = {"name": "a\\,b/c", "parent_id": outer["id"]}
        [inner] = alice.rest("POST", "collections", inner, Prefer="return=representation").json()
        for collection in (outer, inner):
            for link in links:
                alice.rest("POST", "collection_links", {"collection_id": collection["id"], "link_id": link})
    for link in links:
        alice.settled(link)
    came_in(bob, f"export.{format if format in ('json', 'csv') else 'zip'}", exported(alice, format))
    known, new = contents(alice), contents(bob)
    assert set(new) == set(urls)
    for url in urls:
        assert new[url]["tags"] == known[url]["tags"] == tags
        assert new[url]["collections"] == known[url]["collections"] and len(new[url]["collections"]) == 6


# What each format does not carry, or not to the letter.
LOST = {
    "json": {"favorites", "bookmarks", "progress", "updated_at"},
    "csv": {"favorites", "bookmarks", "progress", "updated_at", "archived_at", "description", "byline", "highlights", "article"},
    "netscape": {"favorites", "bookmarks", "progress", "updated_at", "archived_at", "description", "byline", "highlights", "article", "notes", "list",
                 "is_starred", "title", "created_at"},
    "markdown": {"favorites", "bookmarks", "progress", "updated_at", "archived_at", "description", "article", "title"},
}  # fmt: skip
FORMATS = {"json": "lectern", "csv": "lectern", "netscape": "netscape", "markdown": "markdown"}


@pytest.mark.parametrize("format", LOST)
def test_other_exports_come_in_again_with_what_they_carry(reader, bob, format):
    ending = {"netscape": "html", "markdown": "zip"}.get(format, format)
    content = exported(reader, format)
    answer = upload(bob, f"export.{ending}", content)
    row = wait_until(lambda: (row := imported(bob, answer.json()["id"]))["state"] != "reading" and row)
    assert (row["format"], row["imported"]) == (FORMATS[format], 3), row

    def value(name, part):
        # These formats have milliseconds, and Markdown has no colours.
        if name.endswith("_at"):
            return part and part[:19]
        return [mark[:2] for mark in part] if name == "highlights" else part

    def carried(user):
        return {
            url: {name: value(name, part) for name, part in parts.items() if name not in LOST[format]}
            for url, parts in contents(user).items()
            if not url.startswith("urn:")
        }

    for link in bob.links():
        bob.settled(link["id"])
    assert carried(bob) == carried(reader)
