"""Runs `lectern extract` without a service."""

import json
import subprocess

from support.paths import PROGRAMS

PROGRAM = PROGRAMS / "lectern"
URL = "http://example.org/a/page.html"


def extract(*arguments, said=b"", status=0, timeout=240):
    """Returns its standard output, or, with a `status`, its error: one line on standard error and nothing on standard
    output."""
    done = subprocess.run(
        [PROGRAM, "extract", *arguments],
        input=said.encode() if isinstance(said, str) else said,
        capture_output=True,
        timeout=timeout,
        env={"PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == status, (arguments, done.stderr)
    if status:
        assert not done.stdout and done.stderr.count(b"\n") == 1 and done.stderr.endswith(b"\n"), done
        return done.stderr.decode()
    return done.stdout.decode()


def one(html, *arguments, url=URL, **options):
    return json.loads(extract("--url", url, *arguments, said=html, **options))


def without_front_matter(markdown):
    """The Markdown without the YAML at its head."""
    assert markdown.startswith("---\n")
    return markdown.split("\n---\n\n", 1)[1]


def line(id, html, url=URL):
    return json.dumps({"id": id, "url": url, "html": html})


def answers(said, *arguments, **options):
    """The results of a batch in the order in which they were printed."""
    lines = extract("--batch", *arguments, said=said, **options).split("\n")
    assert lines.pop() == ""
    return [json.loads(answer) for answer in lines]


def article(words, head=""):
    """A page whose article consists of paragraphs of these words."""
    paragraphs = "".join(
        f"<p>{words}, and more of it, in a sentence that goes on for a while. " + "More words. " * 20 + "</p>"
        for _ in range(5)
    )
    return f"<html><head><title>About {words}</title>{head}</head><body><article>{paragraphs}</article></body></html>"
