"""Random pages, and single changes to the spelling of their URLs that keep or change the page."""

from dataclasses import dataclass, replace
from urllib.parse import quote


@dataclass(frozen=True)
class Page:
    scheme: str
    user: str
    host: str
    port: str
    # As written in the URL, except for characters that have to be escaped.
    segments: tuple
    # Pairs of name and value; None where there is no `=`.
    query: tuple
    fragment: str

    @property
    def url(self):
        query = "&".join(name if value is None else f"{name}={value}" for name, value in self.query)
        path = "".join("/" + segment for segment in self.segments)
        return (
            f"{self.scheme}://{self.user}{self.host}{self.port}{path}" + (f"?{query}" if query else "") + self.fragment
        )


HOSTS = [
    "example.com",
    "news.example.org",
    "a.co.uk",
    "xn--bcher-kva.example",
    "localhost",
    "[2001:db8::7]",
    "192.0.2.7",
]
SEGMENTS = [
    "news",
    "2024",
    "The-Title",
    "b%20c",
    "caf%C3%A9",
    "x;y=1",
    "a,b",
    "100%25",
    "~ann",
    "index.html",
    "a%2Fb",
    "a:b@c",
]
VALUES = [None, "", "1", "Two", "x%20y", "a,b", "%C3%BC", "p/q?r", "%26"]


def page(chance):
    some = chance.randrange
    return Page(
        scheme="https",
        user=chance.choice(["", "", "", "ann@", "ann:pw@"]),
        host=chance.choice(HOSTS),
        port=chance.choice(["", "", "", ":8080"]),
        segments=tuple(chance.choice(SEGMENTS) for _ in range(some(1, 5))),
        query=tuple((chance.choice(["id", "q", "page", "a%5B%5D"]), chance.choice(VALUES)) for _ in range(some(4))),
        fragment=chance.choice(["", "", "", "#!/x", "#/y?z=1"]),
    )


def names(host):
    return "." in host and "[" not in host and not host[-1].isdigit()


def segment(chance, page, change):
    """The page with one segment changed, or None if it has none."""
    changed = [(n, new) for n, old in enumerate(page.segments) if (new := change(old)) not in (None, old)]
    if not changed:
        return None
    place, new = chance.choice(changed)
    return replace(page, segments=page.segments[:place] + (new,) + page.segments[place + 1 :])


def value(chance, page, change):
    changed = [(n, new) for n, (_, old) in enumerate(page.query) if old and (new := change(old)) != old]
    if not changed:
        return None
    place, new = chance.choice(changed)
    return replace(page, query=page.query[:place] + ((page.query[place][0], new),) + page.query[place + 1 :])


def insert(chance, values, *new):
    place = chance.randrange(len(values) + 1)
    return values[:place] + new + values[place:]


def escaped(chance, text):
    """The text with one letter percent-encoded unnecessarily."""
    places = [n for n, c in enumerate(text) if (c.isalnum() or c in "-._~") and "%" not in text[max(0, n - 2) : n]]
    if not places:
        return text
    n = chance.choice(places)
    return f"{text[:n]}%{ord(text[n]):02{chance.choice('xX')}}{text[n + 1 :]}"


def other_case(text):
    return text.swapcase() if "%" not in text else text


def moved(chance, page):
    names = list(dict.fromkeys(name for name, _ in page.query))
    chance.shuffle(names)
    return replace(page, query=tuple(pair for name in names for pair in page.query if pair[0] == name))


def swapped(chance, page):
    """The page with two values of one name in reverse order."""
    for n, (name, value) in enumerate(page.query):
        for m in range(n + 1, len(page.query)):
            if page.query[m][0] == name and page.query[m][1] != value:
                query = list(page.query)
                query[n], query[m] = query[m], query[n]
                if [v for k, v in query if k == name] != [v for k, v in page.query if k == name]:
                    return replace(page, query=tuple(query))
    return None


MARKS = [
    ("utm_source", "x"),
    ("UTM_Anything", None),
    ("utm%5Fterm", ""),
    ("fbclid", "1"),
    ("_ga", "2.1"),
    ("mc_eid", "3"),
    ("MKT_TOK", "a%20b"),
]

# Name → a function that changes a page with a random generator; returns a page, a URL, or None if it does not apply.
LISTED = {
    "scheme": lambda chance, page: replace(page, scheme=chance.choice(["http", "HTTP", "hTTps"])),
    "case of the host": lambda chance, page: replace(page, host=page.host.upper()),
    "dot behind the host": lambda chance, page: replace(page, host=page.host + ".") if "[" not in page.host else None,
    "www": lambda chance, page: (
        replace(page, host=chance.choice(["www.", "WWW.", "www.www."]) + page.host) if names(page.host) else None
    ),
    "IDN": lambda chance, page: replace(
        page, host=page.host.replace("xn--bcher-kva", chance.choice(["bücher", "BÜCHER", "b%C3%BCcher"]))
    ),
    "IPv6": lambda chance, page: replace(
        page, host=page.host.replace("[2001:db8::7]", chance.choice(["[2001:DB8:0:0::7]", "[2001:0db8::0.0.0.7]"]))
    ),
    "port": lambda chance, page: replace(page, port=chance.choice([":80", ":443", ":"])) if not page.port else None,
    "dot segment": lambda chance, page: replace(
        page, segments=insert(chance, page.segments, *chance.choice([(".",), ("gone", ".."), ("%2E",)]))
    ),
    "dot segments above the root": lambda chance, page: replace(page, segments=("..", *page.segments)),
    "needless escape in the path": lambda chance, page: segment(chance, page, lambda text: escaped(chance, text)),
    "needless escape in the query": lambda chance, page: value(chance, page, lambda text: escaped(chance, text)),
    "hex in lower case": lambda chance, page: segment(
        chance, page, lambda text: text.replace("%C3%A9", "%c3%a9").replace("%2F", "%2f")
    ),
    "missing escape": lambda chance, page: segment(
        chance, page, lambda text: text.replace("%20", " ").replace("%C3%A9", "é").replace("%25", "%")
    ),
    "slashes at the end": lambda chance, page: replace(page, segments=page.segments + chance.choice([("",), ("", "")])),
    "tracker": lambda chance, page: replace(page, query=insert(chance, page.query, chance.choice(MARKS))),
    "order of names": moved,
    "plus": lambda chance, page: value(chance, page, lambda text: text.replace("%20", "+")),
    "empty query": lambda chance, page: page.url + "?" if not page.query and not page.fragment else None,
    "fragment": lambda chance, page: (
        replace(page, fragment=chance.choice(["#", "#top", "#a/b", "#?"])) if not page.fragment else None
    ),
    "text fragment": lambda chance, page: replace(page, fragment=(page.fragment or "#") + ":~:text=word"),
    "white space": lambda chance, page: (
        chance.choice(["", " ", "\t", "\u00a0"]) + page.url + chance.choice([" ", "\t ", "\u3000"])
    ),
}

UNLISTED = {
    "user": lambda chance, page: replace(page, user=chance.choice(["bob@", "Ann@", ":pw@", "ann:PW@"])),
    "subdomain": lambda chance, page: (
        replace(page, host=chance.choice(["m.", "ww.", "www2."]) + page.host) if names(page.host) else None
    ),
    "letter of the host": lambda chance, page: (
        replace(page, host=page.host.replace("a", "e", 1)) if "a" in page.host else None
    ),
    "homograph": lambda chance, page: replace(page, host=page.host.replace("a", "а", 1)) if "a" in page.host else None,
    "other port": lambda chance, page: replace(page, port=chance.choice([":81", ":8443", ":0"])),
    "case of the path": lambda chance, page: segment(chance, page, other_case),
    "other segment": lambda chance, page: replace(page, segments=insert(chance, page.segments, "more")),
    "slash doubled": lambda chance, page: replace(page, segments=("", *page.segments)),
    "slash escaped": lambda chance, page: (
        replace(page, segments=("%2F".join(page.segments[:2]), *page.segments[2:])) if len(page.segments) > 1 else None
    ),
    "slash unescaped": lambda chance, page: segment(chance, page, lambda text: text.replace("%2F", "/")),
    "escape escaped": lambda chance, page: segment(chance, page, lambda text: text.replace("%", "%25", 1)),
    "delimiter escaped": lambda chance, page: segment(
        chance, page, lambda text: quote(text, safe="%~ab") if any(c in text for c in ",;:@=") else text
    ),
    "parameter of the path": lambda chance, page: segment(chance, page, lambda text: text + ";v=1"),
    "parameter": lambda chance, page: replace(
        page,
        query=insert(chance, page.query, chance.choice([("new", "1"), ("ref", "x"), ("utm", "1"), ("fbclid2", "")])),
    ),
    "parameter twice": lambda chance, page: (
        replace(page, query=insert(chance, page.query, page.query[0])) if page.query else None
    ),
    "parameter gone": lambda chance, page: replace(page, query=page.query[1:]) if page.query else None,
    "case of a name": lambda chance, page: (
        replace(page, query=((page.query[0][0].upper(), page.query[0][1]), *page.query[1:]))
        if page.query and "%" not in page.query[0][0]
        else None
    ),
    "case of a value": lambda chance, page: value(chance, page, other_case),
    "empty value": lambda chance, page: (
        replace(page, query=((page.query[0][0], {None: "", "": None}[page.query[0][1]]), *page.query[1:]))
        if page.query and not page.query[0][1]
        else None
    ),
    "order of equal names": swapped,
    "escaped ampersand": lambda chance, page: value(chance, page, lambda text: text.replace("%26", "&")),
    "plus escaped": lambda chance, page: value(chance, page, lambda text: text.replace("%20", "%2B")),
    "fragment that routes": lambda chance, page: replace(page, fragment=chance.choice(["#!/z", "#/", "#!", "#/Y?z=1"])),
}
