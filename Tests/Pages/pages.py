"""The pages of this folder, and the plain text of a piece of HTML."""

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
HELD_BACK = FOLDER / "held-back.txt"

KEYS = {"url", "title", "byline", "published", "lang", "kind", "articleBody", "pictures", "without"}

# Elements that part words: what stands before one and what stands in it are two words.
BLOCKS = set(
    """address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section summary table tbody td tfoot th
thead title tr ul video audio iframe object""".split()
)
UNREAD = {"script", "style", "template", "noscript"}


@dataclass(frozen=True)
class Page:
    """One folder: a page as a site sends it, and what a reader wants of it."""

    name: str
    html: str
    truth: dict
    held_back: bool


def held_back():
    """Names of the pages whose figures are told apart: whoever tunes a rule looks at the others only."""
    return set(HELD_BACK.read_text().split()) if HELD_BACK.exists() else set()


def pages(only=()):
    """All pages by name, or those that are named."""
    apart = held_back()
    folders = sorted(path.parent for path in FOLDER.glob("*/truth.json"))
    if unknown := set(only) - {folder.name for folder in folders}:
        raise SystemExit(f"no such page: {', '.join(sorted(unknown))}")
    return [
        Page(
            folder.name,
            (folder / "source.html").read_text(encoding="utf8"),
            json.loads((folder / "truth.json").read_text(encoding="utf8")),
            folder.name in apart,
        )
        for folder in folders
        if not only or folder.name in only
    ]


class _Text(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.unread = [], []

    def handle_starttag(self, tag, attributes):
        if tag in UNREAD:
            self.unread.append(tag)
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if self.unread and self.unread[-1] == tag:
            self.unread.pop()
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.unread:
            self.parts.append(data)


def text(html):
    """The words of the HTML, one line a block."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    lines = (re.sub(r"\s+", " ", line).strip() for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)
