"""`lectern read-pages`, the process that reads pages for the jobs, with the largest pages that are accepted."""

import struct
import subprocess

import pytest

from support.extract_command import PROGRAM

LARGEST = 20_971_520
# Enough time for a slow machine; these tests are about size.
LIMITS = (f"source={LARGEST}", "nodes=2000000", "seconds=100", f"memory={512 << 20}")
PAGE, TEXT = b"\1", b"\2"
# Keys of a result.
TITLE, CONTENT, TEXT_CONTENT, EXCERPT = 1, 18, 19, 20


def message(*fields):
    body = b"".join(
        struct.pack("<I", 0) if field is None else struct.pack("<I", len(field) + 1) + field for field in fields
    )
    return struct.pack("<I", len(body)) + body


def fields_of(answer):
    found = []
    while answer:
        (length,) = struct.unpack_from("<I", answer)
        found.append(answer[4 : 3 + length].decode() if length else None)
        answer = answer[3 + max(length, 1) :]
    return found


def read(kind, html):
    """The fields of the result, empty if the page is over budget."""
    done = subprocess.run(
        [PROGRAM, "read-pages", *LIMITS],
        input=message(kind, b"https://a-site.example/a/page.html", html.encode(), None),
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done
    (greeting,) = struct.unpack_from("<I", done.stdout)
    return fields_of(done.stdout[4 + greeting + 4 :])


@pytest.mark.parametrize(
    "part",
    [
        '<p>Some words, and more of them in a line, with <a href="/b">a link</a> and a &amp; b.</p>\n',
        "<p>Some words, and more of them in a line, with 1 < 2 and such.</p>\n",
    ],
    ids=["links", "signs"],
)
def test_a_page_of_the_largest_size_becomes_an_article_of_any_length(part):
    page = "<title>T</title>" + part * (18_000_000 // len(part))
    found = read(PAGE, page)
    assert found and len(found[CONTENT]) > len(page)
    assert found[TEXT_CONTENT].count("Some words") == page.count("Some words")


def test_a_page_of_one_paragraph_is_an_article():
    page = "<p>" + "Some words, and more. " * (19_600_000 // 22)
    found = read(PAGE, page)
    assert len(found[TEXT_CONTENT]) == len(page) - 4 and len(found[EXCERPT]) == 5_000


@pytest.mark.parametrize(
    "page",
    [
        "<title>T</title><table>" + "".join("<tr>" + f"<td>{row}" * 10 for row in range(60_000)),
        "<title>T</title>" + "ab<br>" * 900_000,
        "<title>T</title>" + "<tr><td>12" * 130_000,
        "<title>T</title>" + "x<hr>" * 4_000_000,
    ],
    ids=["cells", "br", "rows", "letters"],
)
def test_the_text_of_a_page_is_kept_even_if_its_lines_are_short(page):
    found = read(TEXT, page)
    assert found[TITLE] == "T"
    assert 100_000 < found[TEXT_CONTENT].count("\n") + 1 == found[CONTENT].count("<p>")
