"""`lectern highlights import`: highlights of e-readers, from the shell."""

import json
import uuid

import pytest

from support import service
from support.books import write_article

TEXT = "The river begins\n\nin the hills, and it ends in the sea. “Good,” she said."


@pytest.fixture(scope="module")
def instance():
    return service.shared()


@pytest.fixture
def home(instance):
    return {"LECTERN_DATABASE_URL": instance.database_url}


def add(instance, home, user, file, *options):
    return instance.lectern("highlights", "import", "--user", user.email, *options, str(file), **home)


def counts(answer):
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    return told["highlights"], told["added"], told["known"], told["unmatched"]


def markdown(title, *passages):
    heading = "### Page 1 @ 01 January 2024 10:00:00 AM"
    return f"# {title}\n##### Ann\n\n" + "\n".join(f"{heading}\n*{passage}*\n\n---\nMine" for passage in passages)


def kindle(title, *passages):
    kind = "- Your Highlight | Location {}-{} | Added on Monday, 1 January 2024 10:00:00"
    return "".join(
        f"{title} (Ann)\r\n{kind.format(place, place)}\r\n\r\n{passage}\r\n==========\r\n"
        for place, passage in enumerate(passages)
    )


def html(title, *passages):
    entries = "".join(f"<div><div>1</div><div><span>{passage}</span></div></div>" for passage in passages)
    return f"<!DOCTYPE html><html><body><div><h2>{title}</h2><h5>Ann</h5>{entries}</div></body></html>"


@pytest.mark.parametrize("make", [markdown, kindle, html])
def test_the_highlights_of_a_file_are_added_to_their_article_once(instance, home, admin, alice, bob, tmp_path, make):
    title = f"Rivers {uuid.uuid4().hex}"
    links = {user.id: write_article(admin, user, "<p>x</p>", title, text_content=TEXT) for user in [alice, bob]}
    file = tmp_path / "highlights"
    file.write_text(make(title, "river begins in the hills", '"Good," she', "not in it"))
    answer = add(instance, home, alice, file, "--json")
    assert counts(answer) == (3, 2, 0, 1)
    [reject] = json.loads(answer.stdout)["rejects"]
    assert reject == {"title": title, "quote": "not in it", "reason": "the text is not in the article"}
    rows = alice.rest("GET", "highlights?order=start_offset").json()
    assert [(row["link_id"], row["quote"]) for row in rows] == [
        (links[alice.id], "river begins\n\nin the hills"),
        (links[alice.id], "“Good,” she"),
    ]
    assert [TEXT[row["start_offset"] : row["end_offset"]] for row in rows] == [row["quote"] for row in rows]
    assert rows[0]["prefix"] == "The " and rows[0]["suffix"].startswith(", and it ends")
    assert [row["note"] for row in rows] == ["Mine" if make is markdown else None] * 2
    # Nothing is added twice, and nothing to another user's article.
    assert counts(add(instance, home, alice, file, "--json")) == (3, 0, 2, 1)
    assert bob.rest("GET", "highlights").json() == [] and len(alice.rest("GET", "highlights").json()) == 2
    text = add(instance, home, alice, file).stdout
    assert text.splitlines()[0] == "3 highlights: 0 added, 2 known, 1 not matched"
    assert text.splitlines()[1] == f"{title}, “not in it”: the text is not in the article"


def test_a_book_is_found_by_the_id_in_the_file_and_only_among_those_of_its_user(
    instance, home, admin, alice, bob, tmp_path
):
    link = write_article(admin, alice, "<p>x</p>", "Another title", text_content=TEXT)
    file = tmp_path / "metadata.epub.lua"
    file.write_text(
        f'return {{ ["doc_props"] = {{ ["identifiers"] = "urn:uuid:{link}", ["title"] = "Old title" }}, ["annotations"] = '
        '{ { ["drawer"] = "lighten", ["color"] = "green", ["text"] = "the sea", ["note"] = "N" } } }'
    )
    answer = add(instance, home, bob, file, "--json")
    assert counts(answer) == (1, 0, 0, 1)
    assert json.loads(answer.stdout)["rejects"][0]["reason"] == "no article has this title"
    assert counts(add(instance, home, alice, file, "--json")) == (1, 1, 0, 0)
    [row] = alice.rest("GET", "highlights?select=link_id,quote,note,color").json()
    assert row == {"link_id": link, "quote": "the sea", "note": "N", "color": "green"}


def test_a_book_of_several_articles_gives_each_its_own(instance, home, admin, alice, tmp_path):
    links = [
        write_article(admin, alice, "<p>x</p>", f"Part {number}", text_content=f"{TEXT} Only in {number}.")
        for number in range(2)
    ]
    title = f"Some {uuid.uuid4().hex}"
    made = alice.rest("POST", "rpc/make_book", {"query": "", "title": title})
    assert made.status == 200, made
    file = tmp_path / "highlights.html"
    file.write_text(html(title, "Only in 1", "Only in 0", "Only in 2"))
    assert counts(add(instance, home, alice, file, "--json")) == (3, 2, 0, 1)
    rows = {row["link_id"]: row["quote"] for row in alice.rest("GET", "highlights").json()}
    assert rows == {links[0]: "Only in 0", links[1]: "Only in 1"}


def test_a_kindle_without_an_author_leaves_the_whole_title(instance, home, admin, alice, tmp_path):
    title = f"Rivers {uuid.uuid4().hex}"
    write_article(admin, alice, "<p>x</p>", title, text_content=TEXT)
    link = write_article(admin, alice, "<p>x</p>", f"{title} (2024)", text_content=TEXT)
    file = tmp_path / "My Clippings.txt"
    file.write_text(kindle(f"{title} (2024)", "the sea").replace(" (Ann)", ""))
    assert counts(add(instance, home, alice, file, "--json")) == (1, 1, 0, 0)
    assert [row["link_id"] for row in alice.rest("GET", "highlights").json()] == [link]


def test_what_cannot_be_read_is_refused_in_one_line(instance, home, alice, tmp_path):
    def refused(content, user=alice.email):
        file = tmp_path / "file"
        file.write_bytes(content)
        answer = instance.lectern("highlights", "import", "--user", user, str(file), **home)
        assert answer.returncode == 1 and answer.stdout == "" and len(answer.stderr.splitlines()) == 1, answer
        return answer.stderr

    assert "does not recognise this as a file with highlights" in refused(b"Hello")
    assert "damaged" in refused(b"return {")
    assert "20 MB" in refused(b" " * 20_000_001)
    assert "no account" in refused(b'{"title":"T","entries":[{"text":"x"}]}', user="nobody@example.org")
    missing = instance.lectern("highlights", "import", "--user", alice.email, str(tmp_path / "none"), **home)
    assert missing.returncode == 1 and "cannot read" in missing.stderr
