"""Compares the content a CommonMark parser reads from Markdown with that of the HTML it was made of."""

import random
import re
from functools import cache
from html.parser import HTMLParser
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

BLOCKS = frozenset(
    """address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure
 footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li main menu nav ol option p pre section summary table tbody td
 tfoot th thead title tr ul video audio object embed""".split()
)
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
MEDIA = frozenset("iframe video audio object embed".split())
# Elements that Markdown cannot express.
SILENT = frozenset("svg select textarea datalist template".split())
WORD = re.compile(r"\w+")


@cache
def parser(has_formulas=False):
    """Strict CommonMark with GitHub's extensions, with footnotes whose marks are their labels, and with formulas if
    asked for."""
    markdown = MarkdownIt("commonmark").enable("table").enable("strikethrough").use(footnote_plugin)
    if has_formulas:
        markdown.use(dollarmath_plugin, double_inline=True)
    label = lambda renderer, tokens, at, options, env: f"[{tokens[at].meta['label']}]"
    nothing = lambda renderer, tokens, at, options, env: ""
    markdown.add_render_rule("footnote_ref", label)
    for rule in ("footnote_anchor", "footnote_block_open", "footnote_block_close"):
        markdown.add_render_rule(rule, nothing)
    markdown.add_render_rule("footnote_open", lambda *_: "<div>")
    markdown.add_render_rule("footnote_close", lambda *_: "</div>")
    return markdown


class Seen(HTMLParser):
    """Text by blocks, links, images and code blocks of HTML that a serializer wrote."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.text, self.links, self.images, self.code = [], [], [], []
        self.open, self.hidden, self.pre, self.link = [], None, None, None
        self.feed(html)
        self.close()
        if self.pre is not None:
            self.end_code()
        self.text = "".join(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(reversed(attributes))
        if self.pre is not None and (tag == "br" or tag in BLOCKS and self.pre and not self.pre[-1].endswith("\n")):
            self.pre.append("\n")
        if tag in BLOCKS or tag == "img":
            self.text.append("\n")
        address = (attributes.get("src") or attributes.get("data")) if tag in MEDIA else None
        if self.hidden is None and self.pre is None and address and is_safe(address):
            if self.link is None and self.links[-1:] != [address]:
                self.links.append(address)
            self.note_link()
            self.text.append((attributes.get("title") or "").strip() or address)
        if self.hidden is None and self.pre is None:
            if tag == "a" and attributes.get("href") and is_safe(attributes["href"]):
                self.link = attributes["href"].strip()
            if tag == "img" and attributes.get("src") and is_safe(attributes["src"]):
                self.images.append(attributes["src"])
                self.note_link()
        formula = attributes.get("alttext", "") if tag == "math" else ""
        if self.hidden is None and formula:
            self.text.append(" ".join(formula.split()))
        if tag in VOID:
            return
        self.open.append(tag)
        if self.hidden is None and (tag in SILENT or address or formula):
            self.hidden = len(self.open)
        if tag == "pre" and self.pre is None:
            self.pre = []

    def handle_endtag(self, tag):
        if tag in VOID or tag not in self.open:
            return
        if tag == "a":
            self.link = None
        while self.open.pop() != tag:
            pass
        if self.hidden is not None and len(self.open) < self.hidden:
            self.hidden = None
        if tag in BLOCKS:
            self.text.append("\n")
        if tag == "pre" and "pre" not in self.open:
            self.end_code()

    def note_link(self):
        """Links without content are left out; a link across several blocks is one link."""
        if self.link is not None and self.links[-1:] != [self.link]:
            self.links.append(self.link)

    def end_code(self):
        code = "".join(self.pre).replace("\r", "\n")
        if code.strip("".join(map(chr, range(33)))):
            self.code.append(code.removesuffix("\n"))
        self.pre = None

    def handle_data(self, data):
        if self.hidden is not None:
            return
        if self.pre is not None:
            if not self.pre and self.get_starttag_text() and self.get_starttag_text().startswith("<pre"):
                data = data.removeprefix("\n")
            self.pre.append(data)
        elif visible_characters(data):
            self.note_link()
        self.text.append(data)


def is_safe(address):
    """Whether Markdown parsers accept the URL of a link."""
    address = re.sub("[\0-\x20]", "", address[:24]).lower()
    return bool(re.match("data:image/(png|gif|jpeg|webp)", address)) or not re.match(
        "(javascript|vbscript|data|file):", address
    )


def addresses(found):
    """The URL in one spelling."""
    return [
        quote(unquote(address.strip(), errors="surrogateescape"), safe="", errors="surrogateescape")
        for address in found
    ]


def visible_characters(text):
    """All characters that browsers do not treat as white space."""
    return "".join(text.replace("\ufeff", "").split())


def difference(html, markdown):
    """The first difference between text, links, images or code of the HTML and of its Markdown, or None."""
    was, became = Seen(html), Seen(parser("<math" in html).render(markdown))
    # The parser writes a footnote's mark and its backlink, be it `a` or `1.0`, and places the note at the end.
    has_notes = re.search(r"^ *\[\^\w+\]: ", markdown, re.M)
    words = lambda seen: sorted(re.findall(r"\w*[^\W\d_]\w+", seen.text)) if has_notes else WORD.findall(seen.text)
    for what, before, after in (
        ("words", words(was), words(became)),
        ("links", addresses(was.links), addresses(became.links)),
        ("images", addresses(was.images), addresses(became.images)),
        ("code", was.code, became.code),
        ("characters", [visible_characters(was.text)], [visible_characters(became.text)]),
    ):
        if before != after and not (has_notes and what in ("links", "characters")):
            at = next(
                (n for n, (one, other) in enumerate(zip(before, after)) if one != other), min(len(before), len(after))
            )
            return what, before[max(0, at - 3) : at + 3], after[max(0, at - 3) : at + 3]
    return None


# Random documents

DIFFICULT_TEXTS = [
    "*",
    "**",
    "_",
    "__",
    "~",
    "~~",
    "`",
    "``",
    "```",
    "\\",
    "\\\\",
    "<",
    ">",
    "&",
    "&amp",
    "&amp;",
    "&lt;",
    "&copy;",
    "&#35;",
    "&#x41;",
    "[",
    "]",
    "![",
    "](",
    "(",
    ")",
    "[x]: y",
    "[^1]",
    "[^1]:",
    "[ ]",
    "[x]",
    "#",
    "##",
    "# ",
    "- ",
    "-",
    "--",
    "---",
    "+ ",
    "+",
    "* ",
    "1. ",
    "1)",
    "12.",
    "0. ",
    "=",
    "===",
    ":",
    ":---",
    "|",
    "||",
    "| - |",
    "\\|",
    "!",
    '"',
    "'",
    "<b>",
    "<!--",
    "<?",
    "</p>",
    "<http://x.y>",
    "<a@b.c>",
    "http://a_b_c.d/e*f",
    "www.x.y",
    "a_b",
    "_a_",
    "*a*",
    "a*b*c",
    "2 * 3",
    "~~~",
    "    ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u3000",
    "…",
    "—",
    "“",
    "”",
    "€",
    "😀",
    "é",
    "中",
    "「",
    "」",
    "א",
    "\u200b",
    "\u2028",
    "{",
    "}",
    "$",
    "^",
    "%",
    "a",
    "B",
    "c1",
    "word",
    "Word",
    "longer words here",
    ".",
    ",",
    ";",
    "?",
    "/",
    "\x7f",
    "\x0b",
    "\ufeff",
    "٣",
    "ß",
    "_1_",
]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Maker:
    """HTML with everything that articles contain, and with texts that look like Markdown."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def pick(self, *of):
        return self.chance.choice(of)

    def text(self):
        glue = self.pick("", "", " ", " ", "\n")
        return escaped(glue.join(self.chance.choice(DIFFICULT_TEXTS) for _ in range(self.chance.randrange(1, 6))))

    def attribute(self, text):
        return escaped(text).replace('"', "&quot;")

    def address(self):
        return self.attribute(
            self.pick("http://x.y/", "/p", "#", "?q=", "x:y/")
            + "".join(
                self.pick(
                    "a",
                    "b",
                    "(",
                    ")",
                    "*",
                    "_",
                    "&lt;",
                    "&",
                    "|",
                    "[",
                    "]",
                    "é",
                    "%20",
                    "!",
                    "'",
                    '"',
                    "`",
                    "~",
                    "\\",
                    "<",
                    ">",
                    " ",
                    "=",
                    "/",
                )
                for _ in range(self.chance.randrange(6))
            )
        )

    def inline(self, depth=0):
        return "".join(self.span(depth) for _ in range(self.chance.randrange(1, 5)))

    def span(self, depth):
        kind = (
            self.pick("text", "text", "text", "mark", "mark", "link", "code", "img", "br", "space", "media")
            if depth < 4
            else "text"
        )
        if kind == "mark":
            tag = self.pick(
                "b", "strong", "i", "em", "del", "s", "sub", "sup", "mark", "ins", "u", "span", "small", "cite"
            )
            return f"<{tag}>{self.inline(depth + 1)}</{tag}>"
        if kind == "link":
            if self.chance.random() < 0.1:
                return '<a href="http://a.b/c_d?e=f">http://a.b/c_d?e=f</a>'
            title = self.pick("", f' title="{self.attribute(self.text())}"')
            inner = (
                self.text()
                + self.inline(4)
                + self.pick("", "<b>b</b>", "<code>`</code>", "<img src=i.png alt=']'>")
                + "l"
            )
            return f'<a href="{self.address()}"{title}>{inner}</a>'
        if kind == "code":
            return f"<code>{self.text()}{self.pick('', '<b>x</b>', '<br>', ' ')}</code>"
        if kind == "img":
            return f'<img src="{self.address()}" alt="{self.attribute(self.text())}" title="{self.pick("", self.attribute(self.text()))}">'
        if kind == "media":
            return self.pick(
                '<iframe src="http://v.w/x?y=1&amp;z" title="A film"></iframe>',
                '<video src="http://v.w/x_y_z.mp4">no</video>',
            )
        return {"br": "<br>", "space": self.pick(" ", "\n ", "&nbsp;")}.get(kind) or self.text()

    def block(self, depth=0):
        kind = self.pick(
            "p",
            "p",
            "p",
            "div",
            "h",
            "quote",
            "list",
            "list",
            "pre",
            "table",
            "hr",
            "figure",
            "dl",
            "details",
            "bare",
            "across",
        )
        if depth > 4:
            kind = "p"
        if kind == "h":
            level = self.chance.randrange(1, 7)
            return f"<h{level}>{self.inline()}</h{level}>"
        if kind == "quote":
            return f"<blockquote>{self.blocks(depth + 1)}</blockquote>"
        if kind == "list":
            tag, start = self.pick(
                ("ul", ""), ("ol", ""), ("ol", f' start="{self.pick(0, 1, 7, 99, 123456789, -3, 99999999999)}"')
            )
            items = "".join(
                f"<li>{self.pick(self.inline(), self.inline() + self.block(depth + 1), self.blocks(depth + 1), '')}</li>"
                for _ in range(self.chance.randrange(1, 4))
            )
            return f"<{tag}{start}>{items}</{tag}>"
        if kind == "pre":
            code = "".join(
                self.pick("\n", "  ", "\t", "x", "`", "```", "~~~~", "<b>y</b>", " \n", "é", "| - |", "\n\n")
                + self.text()
                for _ in range(self.chance.randrange(1, 5))
            )
            return self.pick(
                f"<pre>\n{code}</pre>", f'<pre><code class="language-{self.pick("swift", "c++")}">{code}</code></pre>'
            )
        if kind == "table":
            cell = lambda tag: (
                f"<{tag}{self.pick('', '', ' colspan=2', ' rowspan=3')}>{self.pick(self.inline(), self.inline(), '', f'<p>{self.inline()}</p>')}</{tag}>"
            )
            row = lambda tag: f"<tr>{''.join(cell(tag) for _ in range(self.chance.randrange(1, 4)))}</tr>"
            caption = self.pick("", f"<caption>{self.text()}</caption>")
            return f"<table>{caption}{self.pick('', row('th'))}{''.join(row('td') for _ in range(self.chance.randrange(1, 4)))}</table>"
        if kind == "figure":
            return f'<figure><img src="{self.address()}" alt="x"><figcaption>{self.inline()}</figcaption></figure>'
        if kind == "dl":
            return f"<dl><dt>{self.inline()}</dt><dd>{self.inline()}</dd><dd>{self.block(depth + 1)}</dd></dl>"
        if kind == "details":
            return f"<details><summary>{self.inline()}</summary>{self.block(depth + 1)}</details>"
        if kind == "across":
            tag = self.pick("b", "i", "s")
            return f"<{tag}>{self.text()}<div>{self.text()}</div>{self.text()}</{tag}>"
        return {"hr": "<hr>", "bare": self.text()}.get(kind) or f"<{kind}>{self.inline()}</{kind}>"

    def blocks(self, depth=0):
        return "".join(self.block(depth) for _ in range(self.chance.randrange(1, 4)))


def documents(count, seed):
    maker = Maker(seed)
    return [maker.blocks() for _ in range(count)]
