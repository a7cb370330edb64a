"""Exports in the formats that other programs read: every link of the user that the query finds, and nothing of others."""

import csv
import io
import json
import zipfile
from html.parser import HTMLParser

import psycopg
import pytest
import yaml

from support.client import wait_until
from support.database import temporary_user
from support.documents import document, finished, upload

FORMATS = ["markdown", "netscape", "json", "csv", "highlights-markdown", "highlights-csv"]


@pytest.fixture(scope="module")
def reader(lectern):
    """A user with an article in two collections, a link without anything, and an article that nobody highlighted."""
    with psycopg.connect(lectern.database_url, autocommit=True) as admin, temporary_user(lectern, admin) as reader:
        fill(admin, reader)
        yield reader


def fill(admin, user):
    def run(statement, *values):
        cursor = admin.execute(statement, [user.id, *values])
        return cursor.fetchone()[0] if cursor.description else None

    def link(path, title, day, more=""):
        return run(
            "insert into public.links (user_id, raw_url, title, title_is_text, state, created_at, is_starred, list, status) "
            "values (%s, %s, %s, true, 'ready', %s, %s, %s, %s) returning id",
            f"http://127.0.0.2/{path}",
            title,
            f"2026-01-0{day}T03:04:05.678Z",
            "starred" in more,
            "archive" if "archive" in more else "read",
            "read" if "archive" in more else "unread",
        )

    tea = link("tea", 'Tea, "strong"\n& <hot>', 3, "starred archive")
    link("bare", None, 2)
    cake = link("cake", "Cake", 1)
    for id, text in [(tea, "Boil the *water*."), (cake, "Bake.")]:
        run(
            "insert into public.articles (user_id, link_id, url, title, byline, lang, content, text_content, length, word_count, "
            "extractor_version) values (%s, %s, '', 'An article', 'A. Writer', 'en', %s, %s, 1, 1, 1)",
            id,
            f"<h2>Steps</h2><p>{text}</p>",
            text,
        )
    run("insert into public.notes (user_id, link_id, body) values (%s, %s, 'First line\nsecond')", tea)
    run(
        "insert into public.highlights (user_id, link_id, quote, note) values (%s, %s, 'Boil the *water*.', 'Why?')",
        tea,
    )
    for name in ["drinks", "hot, hot"]:
        tag = run("insert into public.tags (user_id, name) values (%s, %s) returning id", name)
        run("insert into public.link_tags (user_id, link_id, tag_id) values (%s, %s, %s)", tea, tag)
    kitchen = run("insert into public.collections (user_id, name) values (%s, 'Kitchen') returning id")
    inner = run(
        "insert into public.collections (user_id, name, parent_id) values (%s, 'Pots', %s) returning id", kitchen
    )
    for collection in [kitchen, inner]:
        run(
            "insert into public.collection_links (user_id, collection_id, link_id) values (%s, %s, %s)", collection, tea
        )


def ask(user, method, path, body=None):
    return user.lectern.auth(method, path, body, Authorization=f"Bearer {user.token}")


def exported(user, format, query=None):
    """The file and its name."""
    answer = ask(user, "POST", "exports", {"format": format, **({"query": query} if query is not None else {})})
    assert answer.status == 202, answer
    started = answer.json()
    assert (started["format"], started["query"]) == (format, query or None)
    done = wait_until(
        lambda: (known := ask(user, "GET", f"exports/{started['id']}").json())["state"] in ("ready", "failed") and known
    )
    assert done["state"] == "ready" and done["rows_done"] == done["rows_total"], done
    answer = user.lectern.send("GET", done["url"])
    assert answer.status == 200 and len(answer.body) == done["bytes"], answer
    return answer


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))


def test_csv_has_a_row_for_each_link(reader):
    answer = exported(reader, "csv")
    assert answer["content-type"] == "text/csv; charset=utf-8"
    assert '-csv.csv"' in answer["content-disposition"]
    tea, bare, cake = rows_of(answer)
    assert tea == {
        "url": "http://127.0.0.2/tea",
        "title": 'Tea, "strong"\n& <hot>',
        "tags": "drinks,hot\\, hot",
        "created_at": "2026-01-03T03:04:05.678Z",
        "list": "archive",
        "status": "read",
        "starred": "true",
        "note": "First line\nsecond",
        "collections": "Kitchen,Kitchen/Pots",
    }
    assert (bare["url"], bare["title"], bare["list"], bare["status"]) == ("http://127.0.0.2/bare", "", "read", "unread")
    assert cake["title"] == "Cake"


def test_json_has_everything_of_the_links(reader):
    answer = exported(reader, "json")
    tea, bare, _ = json.loads(answer.body)
    assert answer["content-type"] == "application/json"
    assert tea["tags"] == ["drinks", "hot, hot"] and tea["collections"] == ["Kitchen", "Kitchen/Pots"]
    assert tea["content"] == "<h2>Steps</h2><p>Boil the *water*.</p>" and tea["author"] == "A. Writer"
    assert [(each["quote"], each["note"]) for each in tea["highlights"]] == [("Boil the *water*.", "Why?")]
    assert bare["content"] is None and bare["highlights"] == [] and bare["note"] is None


class Bookmarks(HTMLParser):
    """Titles with their attributes and folders."""

    def __init__(self, text):
        super().__init__()
        self.folders, self.found, self.text = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.text = ""
        if tag == "a":
            self.found.append((tuple(self.folders), dict(attributes)))

    def handle_data(self, data):
        self.text = (self.text or "") + data

    def handle_endtag(self, tag):
        if tag == "h3":
            self.folders.append(self.text)
        elif tag == "a":
            self.found[-1][1]["title"] = self.text
        elif tag == "dl" and self.folders:
            self.folders.pop()


def test_bookmarks_stand_in_the_folders_of_their_collections(reader):
    answer = exported(reader, "netscape")
    text = answer.body.decode()
    assert text.startswith("<!DOCTYPE NETSCAPE-Bookmark-file-1>") and '.html"' in answer["content-disposition"]
    found = Bookmarks(text).found
    assert [(folders, each["href"].rpartition("/")[2]) for folders, each in found] == [
        ((), "bare"),
        ((), "cake"),
        (("Kitchen",), "tea"),
        (("Kitchen", "Pots"), "tea"),
    ]
    tea = found[2][1]
    assert tea["title"] == 'Tea, "strong" & <hot>' and tea["toread"] == "0" and tea["add_date"] == "1767409445"
    assert tea["tags"] == "drinks,hot, hot" and found[0][1]["toread"] == "1"


def test_markdown_is_a_file_for_each_link_with_front_matter_and_highlights(reader):
    zip = zipfile.ZipFile(io.BytesIO(exported(reader, "markdown").body))
    assert zip.testzip() is None
    tea, bare, cake = zip.namelist()
    assert tea.startswith("2026-01-03-tea-strong-hot-") and bare.startswith("2026-01-02-http-127-0-0-2-bare-")
    start, front, body = zip.read(tea).decode().split("---\n", 2)
    known = yaml.safe_load(front)
    assert start == "" and known["title"] == 'Tea, "strong"\n& <hot>' and known["url"] == "http://127.0.0.2/tea"
    assert known["tags"] == ["drinks", "hot, hot"] and known["collections"] == ["Kitchen", "Kitchen/Pots"]
    assert (known["starred"], known["list"], known["note"], known["highlights"]) == (
        True,
        "archive",
        "First line\nsecond",
        1,
    )
    assert body == "\n## Steps\n\nBoil the \\*water\\*.\n\n## Highlights\n\n> Boil the \\*water\\*.\n\nWhy?\n"
    assert zip.read(cake).decode().endswith("---\n\n## Steps\n\nBake.\n")


def test_highlights_stand_below_the_titles_of_their_articles_or_in_the_columns_of_readwise(reader):
    text = exported(reader, "highlights-markdown").body.decode()
    assert "> Boil the \\*water\\*.\n\nWhy?\n" in text and "Cake" not in text
    [row] = rows_of(exported(reader, "highlights-csv"))
    assert (row["Highlight"], row["Note"], row["Author"]) == ("Boil the *water*.", "Why?", "A. Writer")
    assert row["URL"] == "http://127.0.0.2/tea"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tag:drinks", ["tea"]),
        ("is:starred or cake", ["tea", "cake"]),
        ('"boil the water"', ["tea"]),
        ('title:"tea strong" or note:"first line"', ["tea"]),
        ("zz", []),
    ],
)
def test_a_query_restricts_the_links(reader, query, found):
    assert [row["url"].rpartition("/")[2] for row in rows_of(exported(reader, "csv", query))] == found


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"format": "docx"}, "format is not one of zip, markdown, netscape"),
        ({"format": "zip", "query": "is:purple"}, "The key is cannot have the value purple"),
        ({"format": "csv", "query": "is:purple"}, "The key is cannot have the value purple"),
        ({"format": 7}, ""),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_in_words(reader, body, words):
    answer = ask(reader, "POST", "exports", body)
    assert answer.status == 400 and words in answer.json()["msg"], answer


@pytest.mark.parametrize("format", FORMATS)
def test_a_user_without_links_gets_a_file_without_links(lectern, admin, reader, format):
    with temporary_user(lectern, admin) as other:
        answer = exported(other, format)
        assert answer.body and b"127.0.0.2" not in answer.body
        if format == "markdown":
            assert zipfile.ZipFile(io.BytesIO(answer.body)).namelist() == ["README.md"]


# Tables of which a row may belong to a link.
TABLES_OF_LINKS = {
    "private.documents",
    "public.articles",
    "public.bookmarks",
    "public.collection_links",
    "public.collections",
    "public.highlights",
    "public.link_pictures",
    "public.link_tags",
    "public.links",
    "public.notes",
    "public.pictures",
    "public.reading_progress",
    "public.tags",
}


def test_a_zip_of_a_query_holds_what_belongs_to_its_links_and_comes_in_again(lectern, admin):
    with (
        temporary_user(lectern, admin) as reader,
        temporary_user(lectern, admin) as other,
        temporary_user(lectern, admin) as heir,
    ):
        for user in [reader, other]:
            fill(admin, user)
        kept = document(reader, "pots.txt", f"Pots of {reader.email}\n\nand pans.\n".encode())
        document(reader, "pans.txt", b"Pans\n\nwithout pots.\n")
        [cake] = reader.rest("GET", "links?title=eq.Cake").json()
        for path, row in [
            ("notes", {"link_id": cake["id"], "body": "A secret"}),
            ("tags", {"name": "unused"}),
            ("collections", {"name": "Empty"}),
            ("rules", {"name": "A rule", "query": "is:starred", "change": {"status": "read"}}),
            ("user_settings", {"theme": "dark"}),
            ("link_tags", {"link_id": kept["id"], "tag_id": reader.rest("GET", "tags?name=eq.drinks").json()[0]["id"]}),
        ]:
            assert reader.rest("POST", path, row).status in (200, 201), path

        answer = exported(reader, "zip", "tag:drinks")
        zip = zipfile.ZipFile(io.BytesIO(answer.body))
        tables = {
            name[len("tables/") : -len(".json")]: json.loads(zip.read(name))
            for name in zip.namelist()
            if name.startswith("tables/")
        }
        manifest = json.loads(zip.read("manifest.json"))
        assert manifest["query"] == "tag:drinks"
        assert manifest["tables"] == {name: len(rows) for name, rows in tables.items()}
        assert set(tables) == TABLES_OF_LINKS
        links = {row["id"]: row["raw_url"] for row in tables["public.links"]}
        assert sorted(links.values()) == ["http://127.0.0.2/tea", kept["raw_url"]]
        for name in TABLES_OF_LINKS - {"public.pictures"}:
            rows = tables[name]
            assert name in ("public.bookmarks", "public.link_pictures", "public.reading_progress") or rows, name
            assert all(row["user_id"] == reader.id and row.get("link_id", kept["id"]) in links for row in rows), name
        assert {row["name"] for row in tables["public.tags"]} == {"drinks", "hot, hot"}
        assert {row["name"] for row in tables["public.collections"]} == {"Kitchen", "Pots"}
        [file] = json.loads(zip.read("files.json"))
        assert file["name"] == "pots.txt" and zip.read(file["path"]).startswith(b"Pots of")
        everything = b"".join(zip.read(name) for name in zip.namelist())
        for absent in [
            "127.0.0.2/bare",
            "127.0.0.2/cake",
            "A secret",
            "pans.txt",
            "unused",
            "Empty",
            "A rule",
            other.id,
        ]:
            assert absent.encode() not in everything, absent

        row = finished(heir, upload(heir, "found.zip", answer.body))
        assert (row["format"], row["imported"], row["rejected"]) == ("lectern", 2, 0), row
        again = list(contents(heir))
        assert again == [each for each in contents(reader) if each[0] in links.values()] and len(again) == 2


def contents(user):
    """The links of a user with their tags, notes and highlights."""
    links = user.rest("GET", "links?select=raw_url,tags(name),notes(body),highlights(quote,note)&order=raw_url").json()
    for link in links:
        yield (
            link["raw_url"],
            sorted(tag["name"] for tag in link["tags"]),
            link["notes"],
            [(mark["quote"], mark["note"]) for mark in link["highlights"]],
        )


def test_a_zip_of_a_query_without_results_holds_no_rows(alice):
    alice.save("http://127.0.0.2/tea")
    zip = zipfile.ZipFile(io.BytesIO(exported(alice, "zip", "zz").body))
    manifest = json.loads(zip.read("manifest.json"))
    assert set(manifest["tables"]) == TABLES_OF_LINKS and not any(manifest["tables"].values()), manifest
    assert json.loads(zip.read("files.json")) == [] and b"127.0.0.2" not in zip.read("index.html")
