"""Random URLs, ordinary and hostile; the same seed gives the same URLs."""

import random

HOSTS = (
    """example.com WWW.Example.com www.www.example.co.uk www.com www.example bücher.de BÜCHER.de xn--bcher-kva.de 例え.テスト
例え。テスト straße.de İstanbul.com ΑΒΓ.gr σας.gr ΣΑΣ.GR faß.de ẞ.de a.b. a..b localhost 127.0.0.1 0x7f.1 017700000001 1.2.3
1.2.3.256 256 0x 0x100000000 4294967295 4294967296 1.2.3.4.5 1.2.3.08 [::1] [2001:DB8:0:0:1::1] [1:0:0:2:0:0:0:3]
[::ffff:1.2.3.4] [::1.2.3.4] [1:2:3:4:5:6:7:8] [1::2::3] [::g] [1:2] [fe80::1%25eth0] [::1 exa%6Dple.com ex%2Fample.com
ex%C3%BCm.de %ff.com exa_mple.com a-b.com youtube.com m.youtube.com www.amazon.de x.com mobile.twitter.com ｅｘａｍｐｌｅ.com
🍕.ws א.com مثال.إختبار é.com 1e3.com foo.0x1g foo.123 foo.0x ǅ.com İ.com i.com ﬁ.com K.com …a.com ℀.com""".split()
    + [
        "exa mple.com",
        "goo\u00adgle.com",
        "e\u0301.com",
        "a\u200db.com",
        "\u202ea.com",
        "a" * 64 + ".com",
        "ü" * 64 + ".de",
        "ü" * 60 + ".de",
        "",
    ]
)
SCHEMES = [
    "HTTP://",
    "Https://",
    "http:/",
    "http:",
    "https:\\\\",
    "https:///",
    "ftp://",
    "javascript:",
    "data:text/html,",
    "mailto:",
    "",
    "//",
    "http//",
    "htps://",
    "https ://",
    "view-source:http://",
]
PIECES = list("abcXYZ019-._~!$&'()*+,;=:@/?#[]{}|\\^`\"<> %é日🍕") + [
    "%2F",
    "%2f",
    "%41",
    "%7e",
    "%zz",
    "%4",
    "%C3%A9",
    "%ff",
    "%00",
    "%20",
    "../",
    "./",
    "/../",
    "//",
    "/.",
    "%2e%2e/",
    "%2E/",
    "\t",
    "\u00a0",
    "\u3000",
    "\u200b",
    ":~:text=x",
]
SEGMENTS = ["a", "news", "2024", "The-Title", "x.html", ".", "..", "", "%7Euser", "b;c=1", "日本"]
NAMES = [
    "utm_source",
    "UTM_Medium",
    "utm%5Fx",
    "fbclid",
    "gclid",
    "_ga",
    "id",
    "a",
    "b",
    "a[]",
    "q",
    "feature",
    "si",
    "t",
    "s",
    "ref",
    "tag",
    "pf_rd_p",
    "__cft__[0]",
    "__CFT__%5b0%5D",
    "mc_eid",
    "",
    "é",
    "utm",
    "utm_",
    "ref_",
    "igshid",
    "si%",
    "A",
    "a%62",
]
USERS = ["u@", "u:p@", "@", ":@", "u:@", ":p@", "a@b@", "u:p:q@", "é:ü@", "u%40:x@", "U/:@"]
PORTS = [
    ":80",
    ":443",
    ":8080",
    ":",
    ":0080",
    ":00",
    ":0",
    ":65535",
    ":65536",
    ":1x",
    ":-1",
    ":99999999999999999999",
    ":٣",
]
FRAGMENTS = ["", "top", "!", "/", "!/a", "/a/b?c=d", "/x:~:text=y", ":~:text=y"]


def urls(count, seed):
    chance = random.Random(seed)
    return [url(chance) for _ in range(count)]


def url(chance):
    def pieces(most):
        return "".join(chance.choice(PIECES) for _ in range(chance.randrange(most)))

    def parameter():
        name = chance.choice(NAMES) if chance.random() < 0.8 else pieces(5)
        return name + chance.choice(["", "=", "=1", "=" + pieces(5)])

    text = chance.choice(["", "", "", "", " ", "\t", "\u3000"])
    text += chance.choice(SCHEMES) if chance.random() < 0.2 else chance.choice(["http://", "https://"])
    text += chance.choice(USERS) if chance.random() < 0.1 else ""
    text += chance.choice(HOSTS) if chance.random() < 0.7 else f"site{chance.randrange(50)}.example"
    text += chance.choice(PORTS) if chance.random() < 0.15 else ""
    kind = chance.random()
    if kind < 0.3:
        text += "/" + pieces(9)
    elif kind < 0.8:
        text += "/" + "/".join(chance.choice(SEGMENTS) for _ in range(chance.randrange(6)))
    if chance.random() < 0.6:
        text += "?" + "&".join(parameter() for _ in range(chance.randrange(6)))
    if chance.random() < 0.3:
        text += "#" + chance.choice([*FRAGMENTS, pieces(6)])
    return (text + chance.choice(["", "", "", " "])).replace("\n", "").replace("\r", "")


SITES = "nytimes.com theguardian.com news.example.org blog.example.co.uk heise.de lemonde.fr daily.example arstechnica.com".split()
WORDS = "how the title of an article looks when people write about world news science and technology in spring".split()
CAMPAIGNS = [
    "utm_source=newsletter&utm_medium=email&utm_campaign=weekly",
    "utm_source=rss&utm_medium=feed",
    "utm_campaign=x%20y&utm_content=top",
    "id={n}&utm_source=twitter&utm_medium=social&utm_campaign=share",
    "utm_source=homepage&utm_medium=referral&utm_term=a+b&page=2",
]
TRACKERS = [
    "fbclid=IwAR0{n}",
    "gclid=Cj0{n}&gclsrc=aw.ds",
    "mc_cid=a{n}&mc_eid=b{n}",
    "_hsenc=p2{n}&_hsmi=7",
    "page=2&msclkid={n}&a={n}",
    "p={n}&mkt_tok=x{n}",
]


def articles(count, seed):
    """Pairs of kind and URL, as users save them, with `count` URLs of every kind."""
    chance = random.Random(seed)

    def slug(words):
        return "-".join(chance.choice(WORDS) for _ in range(words))

    def article():
        date = f"{chance.randrange(2008, 2025)}/{chance.randrange(1, 13):02}/{chance.randrange(1, 29):02}"
        return f"https://{chance.choice(['www.', ''])}{chance.choice(SITES)}/{date}/{slug(chance.randrange(4, 10))}{chance.choice(['', '/', '.html'])}"

    def number():
        return chance.randrange(10**9)

    kinds = {
        "article": article,
        "campaign": lambda: f"{article()}?{chance.choice(CAMPAIGNS).format(n=number())}",
        "trackers": lambda: f"{article()}?{chance.choice(TRACKERS).format(n=number())}",
        "video": lambda: f"https://www.youtube.com/watch?v={slug(1)}{number()}&si={slug(1)}&feature=share",
        "fragment": lambda: f"{article()}#{slug(2)}",
        "encoded": lambda: f"https://de.wikipedia.org/wiki/{slug(1).title()}_f%C3%BCr_{slug(1)}_%28{slug(1)}%29",
        "beyond ASCII": lambda: f"https://bücher{number() % 99}.example/straße/{slug(3)}",
    }
    return [(kind, url()) for kind, url in kinds.items() for _ in range(count)]
