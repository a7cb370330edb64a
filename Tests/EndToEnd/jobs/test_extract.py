"""`lectern extract` as specified: one page, many pages, all formats, and invalid input."""

import html
import json
import os
import pty
import select
import signal
import subprocess
import threading

import pytest
import yaml

from support import peak_memory
from support.extract_command import PROGRAM, URL, answers, article, extract, line, one, without_front_matter

KEYS = {
    "title",
    "byline",
    "dir",
    "lang",
    "content",
    "textContent",
    "length",
    "excerpt",
    "siteName",
    "publishedTime",
    "readerable",
}
# Keys that only mode `best` has.
FACTS = {
    "publishedAt",
    "kind",
    "wordCount",
    "readingTime",
    "image",
    "icon",
    "canonical",
    "enclosureUrl",
    "enclosureType",
    "enclosureDuration",
    "categories",
    "confidence",
}


def running(*arguments, **options):
    return subprocess.Popen(
        [PROGRAM, "extract", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin"},
        **options,
    )


# One page


def test_an_article_has_the_keys_of_the_contract():
    head = (
        '<meta name="author" content="A. Uthor"><meta property="og:site_name" content="A Site"><meta name="description" content="What it is.">'
        '<meta property="article:published_time" content="2026-01-02T03:04:05Z">'
    )
    found = one(
        article("trees", head)
        .replace("<html>", '<html lang="en" dir="ltr">')
        .replace("<p>", '<p><a href="../b?c#d">e</a>😀 ', 1)
    )
    assert set(found) == KEYS | FACTS
    assert found["title"] == "About trees" and found["byline"] == "A. Uthor" and found["siteName"] == "A Site"
    assert found["excerpt"] == "What it is." and found["publishedTime"] == "2026-01-02T03:04:05Z"
    assert found["lang"] == "en" and found["dir"] == "ltr" and found["readerable"] is True
    assert 'href="http://example.org/b?c#d"' in found["content"]
    assert "trees, and more" in found["textContent"] and "<" not in found["textContent"]
    assert found["length"] == len(found["textContent"].encode("utf-16-le")) // 2


@pytest.mark.parametrize("html", ["", " ", "<", "<html>", "\0", "<!--", "<script>x</script>", "text", "\ufeff"])
def test_a_page_without_an_article_is_null_and_not_a_failure(html):
    assert extract("--url", URL, said=html) == "null\n" or one(html)["textContent"].strip()
    assert extract("--url", URL, "--format", "text", said="") == "\n"


def test_every_format_shows_the_same_article():
    page = article("trees")
    found = one(page)
    assert extract("--url", URL, "--format", "json", said=page) == extract("--url", URL, said=page)
    assert extract("--url", URL, "--format", "html", said=page) == found["content"] + "\n"
    assert extract("--url", URL, "--format", "text", said=page) == found["textContent"] + "\n"
    markdown = without_front_matter(extract("--url", URL, "--format", "markdown", said=page))
    assert markdown.count("\n\n") == 4 and markdown.endswith("words.\n") and "<" not in markdown


def test_the_explanation_tells_what_became_of_each_block():
    page = article("trees").replace("<article>", "<nav><a href=/>Home</a></nav><article>")
    said = one(page, "--explain")
    assert set(said) == {"reason", "explanation"} and said["reason"] is None
    blocks = said["explanation"]["blocks"]
    assert [block["kept"] for block in blocks] == [False] + [True] * 5
    assert blocks[0]["rule"] == "outside" and blocks[0]["links"] == 1 and blocks[0]["element"].endswith("nav")
    (answer,) = answers(line("a", page) + "\n", "--explain")
    assert answer["explanation"] == said["explanation"] and answer["textContent"] == one(page)["textContent"]
    for wrong in (["--mode", "compat"], ["--format", "text"]):
        assert "--explain" in extract("--url", URL, "--explain", *wrong, status=2)


def test_a_weight_is_a_name_and_a_number():
    assert one(article("trees"), "--weight", "factor=2", "--weight", "links=0.5") == one(article("trees"))
    for wrong in ("factor", "factor=", "factor=x", "nothing=1", "factor=nan", "factor=inf"):
        assert "--weight" in extract("--url", URL, "--weight", wrong, status=2)


def test_classes_named_to_be_kept_stay_and_others_are_removed():
    page = article("trees").replace("<p>", '<p class="one two">', 1)
    assert 'class="one"' not in one(page)["content"]
    assert 'class="one two"' in one(page, "--keep-class", "one", "--keep-class=two", "--mode", "compat")["content"]
    assert 'class="two"' in one(page, "--keep-class", "two")["content"]


def test_bytes_that_are_not_utf_8_are_replaced():
    text = one(article("trees").encode().replace(b"trees, and", b"tr\xffee\xe2\x82s, and"))["textContent"]
    assert "tr\ufffdee\ufffds, and" in text


def test_a_page_beyond_every_limit_is_null_with_the_reason_in_one_line():
    done = subprocess.run([PROGRAM, "extract", "--url", URL], input=b"a" * 20_971_521, capture_output=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, b"null\n")
    assert done.stderr == b"lectern: the page has no article: over_budget\n"


def test_an_endless_page_is_not_read_to_its_end():
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run([PROGRAM, "extract", "--url", URL], stdin=zeros, capture_output=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, b"null\n")


# Usage


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--url"],
        ["--url", URL, "--mode", "worst"],
        ["--url", URL, "--format", "pdf"],
        ["--batch", "--jobs", "0"],
        ["--batch", "--jobs", "many"],
        ["--batch", "--jobs", "257"],
        ["--batch", "--format", "text"],
        ["--batch", "--url", URL],
        ["--url", URL, "page.html"],
        ["--bath"],
        ["--url", URL, "--bookmarked", "2026-05-04"],
        ["--url", URL, "--format", "markdown", "--bookmarked", "yesterday"],
        ["--url", URL, "--format", "markdown", "--mode", "compat", "--feed", "x"],
        ["--batch", "--format", "markdown", "--feed", "x"],
    ],
)
def test_wrong_usage_prints_one_line_and_exits_with_2(arguments):
    assert extract(*arguments, status=2).startswith("lectern: ")


def test_help_describes_every_option():
    told = extract("--help")
    for option in ("--url", "--batch", "--jobs", "--mode", "--keep-class", "--format", "--bookmarked", "--feed"):
        assert option in told


@pytest.mark.parametrize(
    "redirection, why",
    [
        ("<&-", "standard input"),
        (">&-", "standard output"),
        ("< /", "standard input"),
        ("> /dev/full", "standard output"),
    ],
)
@pytest.mark.parametrize("form", [["--url", URL], ["--batch"]])
def test_a_failing_stream_prints_one_line_and_exits_with_1(redirection, why, form):
    shell = ["bash", "-c", f'"$0" extract "$@" {redirection}', PROGRAM, *form]
    done = subprocess.run(shell, input=(line("a", "") + "\n").encode(), capture_output=True, timeout=240)
    assert done.returncode == 1 and why.encode() in done.stderr and done.stderr.count(b"\n") == 1


def test_closing_its_output_ends_the_command_silently():
    page = (line("a", article("trees")) + "\n").encode()
    process = running("--batch")
    process.stdin.write(page)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    # Later writes fail because no process reads them.
    with pytest.raises(BrokenPipeError):
        while True:
            process.stdin.write(page)
    assert process.stderr.read() == b""
    with pytest.raises(BrokenPipeError):
        process.stdin.close()
    assert process.wait(60) == -signal.SIGPIPE


# Many pages


def test_a_single_page_and_a_batch_give_the_same_result():
    pages = [
        article("trees"),
        article('häuser 😀\u2028\u0085 & \\ " </p>'),
        "",
        "<p>short",
        article("a\0b"),
        "\ufeff" + article("marked"),
    ]
    found = answers("".join(line(str(n), page) + "\n" for n, page in enumerate(pages)))
    assert [answer.pop("id") for answer in found] == [str(n) for n in range(len(pages))]
    assert found == [one(page) or {"article": None, "reason": "no_article"} for page in pages]


def test_a_result_is_one_line_whatever_a_reader_takes_for_the_end_of_a_line():
    assert len(extract("--batch", said=line("a", article("a\u2028b\u2029c\u0085d\x0b\x0ce"))).splitlines()) == 1


@pytest.mark.parametrize(
    "bad, id, why",
    [
        ("", None, "not a JSON object"),
        ("   ", None, "not a JSON object"),
        ("nonsense", None, "not a JSON object"),
        ("[]", None, "not a JSON object"),
        ('"text"', None, "not a JSON object"),
        ('{"id": "x"}', "x", "no html"),
        ('{"id": "x", "html": 5}', "x", "no html"),
        ('{"id": "x", "html": null, "url": "u"}', "x", "no html"),
        ('{"html": "<p>", "url": "u"}', None, "no id"),
        ('{"id": "x", "url": 7, "html": ""}', "x", "url"),
        ('{"id": "x", "html": "unfinished', "x", "not a JSON object"),
        ('{"id": "x", "html": ""} more', "x", "not a JSON object"),
        ('{"id": "x", "html": "\\q"}', "x", "not a JSON object"),
        ('{"id": "x", "html": "\x01"}', "x", "not a JSON object"),
        ("[" * 100_000, None, "not a JSON object"),
        ('{"a":' * 100_000, None, "not a JSON object"),
    ],
)
def test_a_bad_line_gets_an_error_and_the_batch_continues(bad, id, why):
    before, answer, after = answers(f"{line('before', article('trees'))}\n{bad}\n{line('after', article('trees'))}\n")
    assert before["title"] == after["title"] == "About trees"
    assert answer["id"] == id and why in answer["error"] and set(answer) == {"id", "error"}


@pytest.mark.parametrize("id", ["", 'é"\\\u2028', 7, -1.5e-7, 1234567890123456789, None, True, ["a", {}], {"b": 1}])
def test_an_id_comes_back_unchanged(id):
    assert [answer["id"] for answer in answers(line(id, article("trees")) + "\n" + line(id, ""))] == [id, id]


def test_escapes_in_a_page_mean_their_characters():
    escaped = line("x", article("tr\u00e9\U0001f600\u2028 \0 s")).replace(
        "More words", "\\ud83dMore \\udc00\\ud83d\\ud83d\\ude00 words", 1
    )
    text = answers(escaped)[0]["textContent"]
    assert "tré😀\u2028 " in text and "\ufffdMore \ufffd\ufffd😀 words" in text


def test_the_last_of_equal_keys_counts_and_unknown_keys_are_ignored():
    said = '{{"id": "first", "more": [{{"html": 1}}], "html": 5, "id": "x", "html": {}, "url": null}}'.format(
        json.dumps(article("trees"))
    )
    assert answers(said)[0]["title"] == "About trees"


def test_empty_input_gives_no_answer_and_the_last_line_needs_no_line_feed():
    assert answers("") == []
    assert [answer["id"] for answer in answers(line("a", "") + "\r\n" + line("b", ""))] == ["a", "b"]


def test_a_line_that_is_too_long_gets_an_error_and_the_batch_continues():
    said = [
        line("a", ""),
        '{"id": "long", "html": "' + "x" * 64_000_000,
        line("b", article("trees")),
        '{"html": "' + "x" * 70_000_000,
    ]
    found = answers("\n".join(said))
    assert [answer["id"] for answer in found] == ["a", "long", "b", None]
    assert (
        found[1]["error"] == found[3]["error"] == "the line is longer than 64 MB" and found[2]["title"] == "About trees"
    )


def test_a_page_beyond_its_limits_gets_an_error_and_the_batch_continues():
    assert answers(line("a", "x" * 20_971_521) + "\n" + line("b", "")) == [
        {"id": "a", "error": "over_budget"},
        {"id": "b", "article": None, "reason": "no_article"},
    ]


def test_an_interstitial_in_place_of_the_article_is_reported():
    challenge = "<title>Just a moment...</title><form id=challenge-form></form><p>Verify you are human."
    stub = article("trees").replace("</article>", "<p>Subscribe to continue reading.</p></article>")
    missing = "<title>Page not found</title><h1>404</h1>"
    for page, found, words in [
        (challenge, False, "the page has no article: bot_challenge"),
        (missing, False, "the page has no article: no_article (error_page)"),
        (stub, True, "the page shows only a part of its article: login_wall (subscription_wall)"),
    ]:
        done = subprocess.run([PROGRAM, "extract", "--url", URL], input=page.encode(), capture_output=True, timeout=240)
        assert done.returncode == 0 and (json.loads(done.stdout) is not None) == found, page
        assert done.stderr.decode() == f"lectern: {words}\n"
        (answer,) = answers(line("x", page))
        assert answer["reason"] in words and (answer.get("article", "there") is None) != found


def test_a_result_is_printed_before_the_next_line_is_read():
    for jobs in ("1", "3"):
        process = running("--batch", "--jobs", jobs)
        for id in ("a", "b", "c"):
            process.stdin.write((line(id, article(id)) + "\n").encode())
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 120)[0], "no answer came"
            assert json.loads(process.stdout.readline())["id"] == id
        process.stdin.close()
        assert process.wait(120) == 0 and process.stdout.read() == b""


def test_non_blocking_streams_are_waited_for():
    (read, write), (answered, answering) = os.pipe(), os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(answering, False)
    slow = subprocess.Popen([PROGRAM, "extract", "--batch"], stdin=read, stdout=answering)
    os.close(answering)
    said = (line("x", article("trees" * 1_000)) + "\n").encode() * 20
    writer = threading.Thread(
        target=lambda: (
            os.write(write, b" "),
            *(os.write(write, said[at : at + 50_000]) for at in range(0, len(said), 50_000)),
            os.close(write),
        )
    )
    writer.start()
    with os.fdopen(answered) as output:
        assert [json.loads(answer)["id"] for answer in output] == ["x"] * 20
    writer.join()
    assert slow.wait(120) == 0


def test_several_threads_process_every_line_once_with_the_same_result():
    said = "".join(line(f"{n}", article(f"words {n}")) + "\n" for n in range(200))
    by_id = lambda found: sorted(json.dumps(answer) for answer in found)
    alone, crowd = answers(said), answers(said, "--jobs", "4")
    assert len(alone) == 200 and by_id(alone) == by_id(crowd)


def test_memory_does_not_grow_with_the_number_of_lines(tmp_path):
    page = (line("x", article("trees")) + "\n").encode()

    def peak(count):
        command = peak_memory.command([PROGRAM, "extract", "--batch"], tmp_path / "peak")
        with open(tmp_path / "pages", "w+b") as pages:
            pages.writelines(page for _ in range(count))
            pages.seek(0)
            subprocess.run(command, stdin=pages, stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"}, check=True)
        return peak_memory.megabytes(tmp_path / "peak")

    few, many = peak(100), peak(5_000)
    assert many < few + 8


def test_markdown_is_a_further_member_when_asked_for():
    page = article("<b>trees</b>")
    (found,) = answers(line("x", page), "--format", "markdown")
    assert set(found) == KEYS | FACTS | {"id", "markdown"}
    assert found["markdown"] == without_front_matter(extract("--url", URL, "--format", "markdown", said=page))
    assert "**trees**" in found["markdown"]


def test_progress_is_shown_on_a_terminal_unless_results_go_there(tmp_path):
    (tmp_path / "pages").write_text((line("x", article("trees")) + "\n") * 300)

    def shown(**streams):
        terminal, side = pty.openpty()
        with open(tmp_path / "pages", "rb") as pages:
            process = subprocess.Popen(
                [PROGRAM, "extract", "--batch"],
                stdin=pages,
                stderr=side,
                **{"stdout": subprocess.DEVNULL} | dict.fromkeys(streams, side),
            )
        os.close(side)
        text = b""
        try:
            while piece := os.read(terminal, 65536):
                text += piece
        except OSError:
            pass  # The other end is closed.
        os.close(terminal)
        assert process.wait(120) == 0
        return text

    assert b"100 % extracted" in shown() and b"\r[#" in shown()
    assert b"extracted" not in shown(stdout="terminal")


# Metadata of the page


def test_markdown_of_one_page_begins_with_its_metadata_as_yaml():
    hostile = "---\nyes: [no], 'x' & \"y\" # \\ \u2028 !!python/object/apply:os.system ['true'] \U0001f388"
    head = (
        f'<meta property="og:title" content="{html.escape(hostile)}"><meta name="author" content="By Ann Lee, Reporter">'
        '<meta name="description" content="null"><meta property="article:published_time" content="2026-01-02T03:04:05+01:00">'
        '<meta property="article:section" content="1e3"><meta property="article:tag" content="2026-01-02">'
        '<meta property="og:audio" content="/a.mp3"><meta property="og:image" content="/a.jpg"><meta property="music:duration" content="90">'
    )
    page = article("trees", head).replace("<title>About trees</title>", "").replace("<html>", '<html lang="no">')
    whole = extract("--url", URL, "--format", "markdown", said=page)
    _, front, body = whole.split("---\n", 2)
    known = yaml.safe_load(front)
    # The text is English, although the page declares another language.
    assert (known.pop("excerpt"), known.pop("lang")) == ("null", "en")
    assert known == {
        "title": " ".join(hostile.split()),
        "url": URL,
        "domain": "example.org",
        "author": "Ann Lee",
        "published": "2026-01-02T03:04:05+01:00",
        "categories": ["1e3", "2026-01-02"],
        "image": "http://example.org/a.jpg",
        "enclosure_url": "http://example.org/a.mp3",
        "enclosure_type": "audio/mpeg",
        "enclosure_duration": 90,
    }
    assert body.startswith("\n") and "trees" in body


def test_facts_given_as_options_are_part_of_the_front_matter():
    told = ("--bookmarked", "2026-05-04T12:30:00Z", "--feed", 'A "feed": of\ntrees')
    _, front, _ = extract("--url", URL, "--format", "markdown", *told, said=article("trees")).split("---\n", 2)
    known = yaml.safe_load(front)
    assert (known["bookmarked"], known["feed"]) == ("2026-05-04T12:30:00Z", 'A "feed": of\ntrees')
    assert list(known)[:5] == ["title", "url", "bookmarked", "domain", "feed"]


def test_readability_has_no_more_to_say():
    page = article("trees", '<meta name="author" content="By Ann Lee">')
    assert set(one(page, "--mode", "compat")) == KEYS and one(page, "--mode", "compat")["byline"] == "By Ann Lee"
    assert one(page)["byline"] == "Ann Lee"
    assert not extract("--url", URL, "--format", "markdown", "--mode", "compat", said=page).startswith("---")
