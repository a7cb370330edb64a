"""Pages that are made for measuring: every layout, in every language of sentences.json, with every kind of noise.

A page that is made says less than one from the world, but it can be made by the hundred: a layout that is read well in
English alone, or only without a side bar, is found out.
"""

import hashlib
import json
from html import escape

from pages import FOLDER, Page

SENTENCES = json.loads((FOLDER / "sentences.json").read_text(encoding="utf8"))
NOISES = ("quiet", "portal", "crowd")
DATES = ("2026-04-03", "2026-04-04", "2026-04-05", "2026-04-07")
NAMES = ("Ada", "Ben", "Cleo", "Dan")


def tag(name, inside, **attributes):
    said = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{said}>{inside}</{name}>"


def p(text, **attributes):
    return tag("p", escape(text), **attributes)


def paragraphs(words):
    """The ten sentences as five paragraphs of two."""
    space = "" if words is SENTENCES["zh"] else " "
    return [space.join(words["text"][at : at + 2]) for at in range(0, 10, 2)]


def contributions(words, box, inner):
    return "".join(
        tag(
            box,
            tag("span", name, class_="user")
            + " "
            + tag("time", f"{date} 10:0{at}", datetime=date)
            + tag("div", p(said), class_=inner)
            + tag("a", escape(words["reply"]), href=f"#reply-{at}"),
            class_="item",
        )
        for at, (name, date, said) in enumerate(zip(NAMES, DATES, words["comments"]))
    )


# Layouts: each returns the HTML of the article, and its text.


def head(words, **attributes):
    facts = tag("span", escape(words["author"]), class_="author") + tag("time", DATES[0], datetime=DATES[0])
    return tag("h1", escape(words["title"]), **attributes) + tag("div", facts, class_="meta")


def semantic(words):
    texts = paragraphs(words)
    return tag("main", tag("article", head(words) + "".join(map(p, texts)))), texts


def theme(words):
    texts = paragraphs(words)
    entry = tag("div", "".join(map(p, texts)), class_="entry-content")
    post = tag("div", head(words, class_="entry-title") + entry, class_="post hentry")
    return tag("div", post, id="content"), texts


def divs(words):
    texts = paragraphs(words)
    boxes = "".join(tag("div", escape(text), class_="t") for text in texts)
    return tag("div", head(words) + tag("div", boxes, class_="c2"), class_="c1"), texts


def breaks(words):
    texts = paragraphs(words)
    cell = tag("td", tag("font", tag("b", escape(words["title"])) + "<br><br>" + "<br><br>".join(map(escape, texts))))
    return tag("table", tag("tr", tag("td", "&nbsp;", width="20") + cell), width="600"), texts


def boxes(words):
    texts = paragraphs(words)
    rows = "".join(tag("section", tag("div", tag("div", p(text), class_="col"), class_="row")) for text in texts)
    return tag("div", tag("div", head(words), class_="row") + rows, class_="page-builder"), texts


def parts(words):
    texts = paragraphs(words)
    inside = p(texts[0]) + tag("h2", escape(words["heading"])) + "".join(map(p, texts[1:]))
    return tag("article", head(words) + tag("div", inside, class_="body")), [texts[0], words["heading"], *texts[1:]]


def steps(words):
    items = "".join(tag("li", escape(text)) for text in words["text"][1:])
    return tag("article", head(words) + p(words["text"][0]) + tag("ol", items)), words["text"]


def answers(words):
    texts = paragraphs(words)
    pairs = "".join(tag("dt", escape(question)) + tag("dd", p(text)) for question, text in zip(words["teasers"], texts))
    said = [part for pair in zip(words["teasers"], texts) for part in pair]
    return tag("div", head(words) + tag("dl", pairs), class_="interview"), said


def short(words):
    """A short post with more comments than text."""
    texts = words["text"][:3]
    comments = tag("ol", contributions(words, "li", "comment-text") * 2, class_="comment-list")
    comments = tag("div", tag("h3", escape(words["comment"])) + comments, id="comments")
    return tag("div", head(words) + "".join(map(p, texts)), class_="post") + comments, texts


def notice(words):
    """Two sentences on a page full of links."""
    texts = words["text"][:2]
    links = "".join(tag("li", tag("a", escape(said), href=f"/{at}")) for at, said in enumerate(words["teasers"] * 6))
    return tag("div", head(words) + "".join(map(p, texts)), class_="text") + tag("ul", links, class_="all"), texts


def forum(words):
    """A question and its answers."""
    said = paragraphs(words)[:4]
    posts = contributions({**words, "comments": said}, "div", "message")
    texts = [f"{name} {date} 10:0{at} {text}" for at, (name, date, text) in enumerate(zip(NAMES, DATES, said))]
    return tag("div", tag("h1", escape(words["title"])) + posts, class_="thread"), texts


def followed(words):
    """An article with the next story below it."""
    html, texts = semantic(words)
    other = tag("h1", escape(words["teasers"][0])) + "".join(map(p, words["comments"]))
    return html.replace("</main>", tag("article", other) + "</main>"), texts


LAYOUTS = (semantic, theme, divs, breaks, boxes, parts, steps, answers, short, notice, forum, followed)
WITH_CONTRIBUTIONS = (short, forum, followed)


# Noise: what surrounds the article, and what of it must not be in the text.


def page(layout, language, noise):
    words = SENTENCES[language]
    html, texts = layout(words)
    menu = tag(
        "ul", "".join(tag("li", tag("a", escape(word), href="/" + str(at))) for at, word in enumerate(words["menu"]))
    )
    before = tag("header", tag("nav", menu))
    after = tag("footer", p(words["footer"]))
    without = [words["footer"]]
    if noise != "quiet":
        teasers = tag("ul", "".join(tag("li", tag("a", escape(said), href="/t")) for said in words["teasers"]))
        related = tag("div", tag("h3", escape(words["related"])) + teasers, class_="related")
        share = tag("div", tag("a", escape(words["share"]), href="#share"), class_="share-buttons")
        letter = tag("form", p(words["newsletter"]) + "<input type=email><button>OK</button>", class_="newsletter")
        before = tag("div", p(words["cookies"]) + "<button>OK</button>", class_="cookie-banner") + before
        html = tag("div", html + share + related, class_="wrap") + tag("aside", teasers, class_="sidebar")
        after = letter + after
        without += [words["cookies"], words["newsletter"]]
    if noise == "crowd" and layout not in WITH_CONTRIBUTIONS:
        comments = tag(
            "div", tag("h3", escape(words["comment"])) + contributions(words, "div", "text"), class_="comments"
        )
        after = comments + tag("div", p(words["newsletter"]), class_="ad") + after
        without += words["comments"]
    name = f"{layout.__name__} {language} {noise}"
    direction = "rtl" if language == "ar" else "ltr"
    source = f"""<!doctype html><html lang="{language}" dir="{direction}"><head><meta charset="utf-8">
<title>{escape(words["title"])}</title><meta name="author" content="{escape(words["author"])}">
<meta property="article:published_time" content="{DATES[0]}T09:00:00Z"></head>
<body>{before}{html}{after}</body></html>
"""
    truth = {
        "url": f"https://{layout.__name__}.example/{language}/{noise}", "title": words["title"],
        "byline": words["author"], "published": DATES[0], "lang": language, "kind": layout.__name__,
        "articleBody": "\n".join(texts), "pictures": [], "without": without,
    }  # fmt: skip
    held_back = hashlib.sha256(name.encode()).digest()[0] % 3 == 0
    return Page(name, source, truth, held_back)


def shapes():
    """All of them, in the same order every time."""
    return [page(layout, language, noise) for layout in LAYOUTS for language in SENTENCES for noise in NOISES]
