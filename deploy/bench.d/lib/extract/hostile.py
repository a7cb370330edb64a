"""Pages for the extractor: an article of a given length, and shapes designed to exhaust parsers."""

import random

WORDS = """the of and to in was that his he it with is for as had you not be her on at by which have or from this him
but all she they were my are me one their so an said them we who would been will no when there if more out up into any
your what has man could other than our some very time upon about may its only now like little then can should made did
us such great before must two these see know over much down after first mister good men own never most old shall day
where those came come himself way work life without go make well through being long say might how am too definition
household window garden railway committee""".split()


def article(size):
    """A magazine article of about `size` bytes."""
    chance = random.Random(size)
    say = lambda least, most: " ".join(chance.choice(WORDS) for _ in range(chance.randrange(least, most)))
    menu = "".join(f'<li><a href="/{n}">{say(1, 3)}</a></li>' for n in range(20))
    parts = ['<!DOCTYPE html><html lang="en"><head><title>About the garden</title><meta name="author" content="A. Uthor">'
             f'</head><body><nav><ul>{menu}</ul></nav><article class="post-content"><h1>About the garden</h1>']
    length = len(parts[0])
    while length < size:
        kind = chance.random()
        if kind < 0.75:
            part = (f'<p class="text">{say(30, 90)}, {say(5, 10)} <a href="/a/{chance.randrange(1000)}?b=c&amp;d">'
                    f'{say(1, 4)}</a>, <em>{say(1, 4)}</em>. {say(5, 30)}.</p>\n')
        elif kind < 0.83:
            part = f"<h2>{say(2, 6)}</h2>\n"
        elif kind < 0.9:
            part = "<ul>" + "".join(f"<li>{say(3, 12)}</li>" for _ in range(5)) + "</ul>\n"
        elif kind < 0.95:
            part = (f'<figure><img src="/i/{chance.randrange(1000)}.jpg" alt="{say(2, 5)}">'
                    f'<figcaption>{say(4, 9)}</figcaption></figure>\n')
        else:
            part = (f'<blockquote><p>{say(10, 40)}, {say(3, 9)}.</p></blockquote>'
                    '<div class="share"><a href="#">Share</a></div>\n')
        parts.append(part)
        length += len(part)
    return "".join(parts) + "</article><footer><p>All rights reserved</p></footer></body></html>"


LARGE = 10_000_000
SENTENCE = "The ferry leaves at noon, when the tide allows it, and returns before dark."
COMMENT = f"<div class=comment><b>Ann</b> <i>12 May 2024, 10:15</i><p>{SENTENCE}</p></div>"

SHAPES = {
    "100,000 comments below a post": lambda: f"<p>{SENTENCE}</p>" + COMMENT * 100_000,
    "100,000 comments without a name": lambda: f"<p>{SENTENCE}</p>" + COMMENT.replace(" class=comment", "") * 100_000,
    "100,000 boxes with a sentence": lambda: f"<div><p>{SENTENCE}</p></div>" * 100_000,
    "50,000 stories, each with a headline": lambda: f"<div><h1>A story of cats</h1><p>{SENTENCE}</p></div>" * 50_000,
    "10 MB of nested comments": lambda: "<div class=comment>12 May 2024" * 350_000,
    "100,000 nested div": lambda: "<div>" * 100_000,
    "1,000,000 nested div": lambda: "<div>" * 1_000_000,
    "100,000 nested div, closed": lambda: "<div>" * 100_000 + "text" + "</div>" * 100_000,
    "100,000 nested span": lambda: "<span>" * 100_000 + "text",
    "100,000 nested b": lambda: "<b>" * 100_000 + "text",
    "100,000 nested ul li": lambda: "<ul><li>" * 100_000,
    "100,000 nested blockquote": lambda: "<blockquote>x" * 100_000,
    "100,000 nested table": lambda: "<table><tr><td>" * 100_000,
    "100,000 nested svg g": lambda: "<svg>" + "<g>" * 100_000,
    "100,000 b p, misnested": lambda: "<b><p>x" * 100_000,
    "1,000,000 b p, misnested": lambda: "<b><p>" * 1_000_000,
    "100,000 a div": lambda: "<a><div>" * 100_000,
    "100,000 b i, closed crosswise": lambda: "<b><i>x</b></i>" * 100_000,
    "20,000 a, unclosed": lambda: "<a href=x>y" * 20_000,
    "20,000 b, unclosed": lambda: "<b>y" * 20_000,
    "20,000 font of one colour each": lambda: "".join(f"<font color={n}>y" for n in range(20_000)),
    "20,000 font p of one colour each": lambda: "".join(f"<p><font color={n}>y" for n in range(20_000)),
    "20,000 table, unclosed": lambda: "<table>" * 20_000,
    "20,000 table with text": lambda: "<table>x" * 20_000,
    "20,000 form, unclosed": lambda: "<form>y" * 20_000,
    "20,000 select, unclosed": lambda: "<select>y" * 20_000,
    "20,000 svg, unclosed": lambda: "<svg>y" * 20_000,
    "20,000 template, unclosed": lambda: "<template>y" * 20_000,
    "20,000 end tags without start": lambda: "<div>" * 20_000 + "</b></p></form>" * 20_000,
    "100,000 attributes": lambda: "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x",
    "100,000 equal attributes": lambda: "<p " + "a=1 " * 100_000 + ">x",
    "one attribute of 10 MB": lambda: f"<p title='{'x' * LARGE}'>x",
    "one text of 10 MB": lambda: "<p>" + "words, " * (LARGE // 7),
    "one word of 10 MB": lambda: "<p>" + "x" * LARGE,
    "one comment of 10 MB": lambda: "<!--" + "-x" * (LARGE // 2),
    "one script of 10 MB": lambda: "<script>" + "<!--" * (LARGE // 4),
    "one JSON-LD of 10 MB": lambda: '<script type="application/ld+json">' + "[" * LARGE,
    "1,000,000 references": lambda: "<p>" + "&amp;&notit;&#x41;" * 333_333,
    "1,000,000 ampersands": lambda: "<p>" + "&" * 1_000_000,
    "1,000,000 <": lambda: "<p>" + "<" * 1_000_000,
    "1,000,000 br": lambda: "<p>x" + "<br>" * 1_000_000,
    "1,000,000 p": lambda: "<p>x" * 1_000_000,
    "1,000,000 p with commas": lambda: "<article>" + "<p>x, y" * 1_000_000,
    "1,000,000 img": lambda: "<p>" + "<img src=x>" * 1_000_000,
    "100,000 div p, five levels": lambda: (
        "<div><div><div><div><p>some words, and some more of them</div></div></div></div>" * 100_000),
    "100,000 noscript img": lambda: "<p>x<img><noscript><img src=x.jpg></noscript>" * 100_000,
    "2,500,000 lines of code in 250 blockquote": lambda: "<blockquote>" * 250 + "<pre>" + "x y\n" * 2_500_000,
    "300,000 br in 16 blockquote": lambda: "<blockquote>" * 16 + "<p>" + "some words, and more<br>" * 300_000,
    "40,000 marks of notes beside each other": lambda: (
        "<p>" + "".join(f"<sup><a href=#i{n}>i</a></sup>w, " for n in range(40_000))
        + "".join(f"<a id=i{n}></a>" for n in range(40_000))),
    "40,000 marks whose labels are taken": lambda: (
        "<p>" + "".join(f"<sup><a href=#i{n}>{20_000 + n // 2 if n % 2 else '?'}</a></sup>w, " for n in range(40_000))
        + "".join(f"<p id=i{n}>a note" for n in range(40_000))),
    "100,000 h2 of one title": lambda: "<title>A title of words</title>" + "<h2>A title of words</h2>" * 100_000,
}
