"""The dedupe key: the database computes it, `lectern url normalize` agrees, and only spellings of one page share a
key."""

import json
import os
import random
import subprocess
import time
from urllib.parse import quote

import pytest

from support.paths import CHECKOUT
from support.random_urls import articles, urls
from support.url_variants import LISTED, UNLISTED, page

COUNT = 60_000


@pytest.fixture(scope="session")
def normalize(lectern):
    def run(lines):
        done = subprocess.run(
            [lectern.home / "bin/lectern", "url", "normalize"],
            input="".join(f"{line}\n" for line in lines).encode(),
            capture_output=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().split("\n")[:-1]

    return run


def keys(admin, lines):
    rows = admin.execute(
        "select coalesce(rest.dedupe_key(url), '') from unnest(%s::text[]) with ordinality as given (url, n)"
        " order by n",
        (list(lines),),
    )
    return [key for (key,) in rows]


def test_the_database_and_the_command_agree_on_sixty_thousand_urls(admin, normalize):
    seed = os.environ.get("LECTERN_TEST_SEED", "1")
    real = [url for _, url in articles(COUNT // 35, seed)]
    given = real + urls(COUNT - len(real), seed)
    found, decided = normalize(given), keys(admin, given)
    assert len(found) == len(decided) == COUNT
    assert [case for case in zip(given, decided, found) if case[1] != case[2]][:5] == []
    assert sum(key != "" for key in decided) > COUNT / 3


def test_a_key_is_an_https_url_and_its_own_key(admin, normalize):
    found = [key for key in normalize(urls(COUNT // 2, seed="own")) if key]
    assert all(key.startswith("https://") and key.isascii() and " " not in key for key in found)
    assert normalize(found) == found and keys(admin, found[:5_000]) == found[:5_000]


def respelled(chance, parts):
    """Another spelling of the same page, by the listed rules."""
    scheme, host, path, query = parts

    def letter(c):
        return (
            f"%{ord(c):02{chance.choice('xX')}}"
            if c.isascii() and c.isalnum() and chance.random() < 0.1
            else quote(c, safe=";~")
        )

    segments = ["".join(letter(c) for c in segment) for segment in path]
    if chance.random() < 0.3:
        segments.insert(chance.randrange(len(segments) + 1), ".")
    if chance.random() < 0.3:
        segments[chance.randrange(len(segments) + 1) : 0] = ["gone", ".."]
    pairs = list(query)
    if chance.random() < 0.5:
        # Parameters may change places; those of the same name keep their order.
        names = list({name for name, _ in pairs})
        chance.shuffle(names)
        pairs = [pair for name in names for pair in pairs if pair[0] == name]
    for mark in chance.sample(["utm_source=x", "UTM_TERM=", "fbclid=1", "_ga", "mc_cid=2"], chance.randrange(3)):
        pairs.insert(chance.randrange(len(pairs) + 1), tuple(mark.split("=")) if "=" in mark else (mark, None))
    text = "&".join(
        name if value is None else f"{name}={value.replace(' ', chance.choice(['+', '%20']))}" for name, value in pairs
    )
    return (
        chance.choice(["", " "])
        + chance.choice(["http", "HTTPS", scheme])
        + "://"
        + chance.choice(["", "www.", "WWW."])
        + "".join(chance.choice([c, c.upper()]) for c in host)
        + chance.choice(["", "."])
        + chance.choice(["", ":80", ":443", ":"])
        + "/"
        + "/".join(segments)
        + chance.choice(["", "/", "//"])
        + ("?" + text if text else chance.choice(["", "?"]))
        + chance.choice(["", "#top", "#:~:text=a"])
    )


def test_spellings_of_one_page_share_a_key_and_different_pages_never_do(normalize):
    chance = random.Random(7)
    pages = {}
    while len(pages) < 3_000:
        host = f"site{chance.randrange(20)}.example"
        path = tuple(chance.choice(["a", "A", "b c", "ü", "x;y", "100%", "~t"]) for _ in range(chance.randrange(1, 4)))
        query = tuple(
            (chance.choice("abc"), chance.choice([None, "", "1", "2", "x y"])) for _ in range(chance.randrange(4))
        )
        # The order of parameters with different names does not distinguish pages.
        pages[host, path, tuple(sorted(query, key=lambda pair: pair[0]))] = ("https", host, path, query)
    spellings = [(page, respelled(chance, parts)) for page, parts in pages.items() for _ in range(6)]
    found = normalize([spelling for _, spelling in spellings])
    key_of, page_of = {}, {}
    for (known, spelling), key in zip(spellings, found):
        assert key and key_of.setdefault(known, key) == key, (known, spelling, key, key_of[known])
        assert page_of.setdefault(key, known) == known, (spelling, key, known, page_of[key])


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_change_gives_the_same_key(admin, normalize, name):
    pairs = changed(name, LISTED[name])
    found = normalize([url for pair in pairs for url in pair])
    assert [(pair, key) for pair, key, other in zip(pairs, found[::2], found[1::2]) if not key or key != other][
        :5
    ] == []
    assert keys(admin, [other for _, other in pairs]) == found[::2]


@pytest.mark.parametrize("name", UNLISTED)
def test_an_unlisted_change_gives_another_key(admin, normalize, name):
    pairs = changed(name, UNLISTED[name])
    found = normalize([url for pair in pairs for url in pair])
    assert [(pair, key) for pair, key, other in zip(pairs, found[::2], found[1::2]) if not other or key == other][
        :5
    ] == []
    assert keys(admin, [other for _, other in pairs]) == found[1::2]


def changed(name, change):
    """The URLs of a few hundred pages, each with the URL after one change."""
    chance = random.Random(f"{os.environ.get('LECTERN_TEST_SEED', '1')} {name}")
    pairs = []
    while len(pairs) < 300:
        before = page(chance)
        after = change(chance, before)
        if after is not None and (after := getattr(after, "url", after)) != before.url:
            pairs.append((before.url, after))
    return pairs


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/" + "a" * 65_516,
        "https://example.com/?" + "&".join(f"p{n}={n}" for n in range(10_000))[:65_000],
        "https://" + "ü" * 500 + ".de",
        "https://" + "a." * 500 + "com",
        "https://example.com/" + "../" * 21_000,
        "https://example.com/" + "%" * 60_000,
        "https://example.com/" + "é" * 30_000,
        "http://" + "@" * 60_000 + "x.com",
        "http:" + "/" * 60_000 + "x.com",
        "https://example.com#/" + ":~" * 30_000,
        "https://" + "www." * 16_000 + "com",
        "https://" + "a." * 600 + "com",
        "https://example.com/?" + "&a" * 32_000,
        "https://example.com/" + "%c3" * 21_000,
        "https://" + "ü." * 500 + "com",
        "https://[" + "1:" * 30_000 + "]",
        "https://example.com:" + "0" * 60_000 + "81",
    ],
    ids=lambda url: url[:30],
)
def test_a_url_of_64_kilobytes_gets_its_key_quickly(admin, normalize, url):
    start = time.monotonic()
    decided = keys(admin, [url])
    assert time.monotonic() - start < 30
    assert decided == normalize([url])


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript://example.com/%0aalert(1)",
        "data:text/html,https://example.com",
        "",
        "ftp://example.com",
        "view-source:https://example.com",
        "//example.com",
        "example.com",
        "https://",
        "https:///?a",
    ],
)
def test_a_text_that_is_not_a_web_url_has_no_key(admin, normalize, url):
    assert keys(admin, [url]) == normalize([url]) == [""]


def test_any_bytes_give_one_line_per_input_line(lectern):
    lines = [
        b"http://a/b\0c",
        b"http://a\0b/",
        b"http://a/\xff",
        b"http://a/\xfe",
        b"http://\xff.de/",
        b"\xff\xfe",
        b"http://a/%zz%",
        b"http://a/%00",
    ]
    done = subprocess.run(
        [lectern.home / "bin/lectern", "url", "normalize"], input=b"\n".join(lines), capture_output=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().split("\n") == [
        "https://a/b%00c",
        "",
        "https://a/%FF",
        "https://a/%FE",
        "",
        "",
        "https://a/%25zz%25",
        "https://a/%00",
        "",
    ]


def test_a_resolved_url_is_reported_with_its_key(lectern, website, normalize):
    def resolve(path):
        done = subprocess.run(
            [lectern.home / "bin/lectern", "resolve", "--allow", "127.0.0.1", website.url + path],
            capture_output=True,
            text=True,
            timeout=240,
        )
        return json.loads(done.stdout)

    row = resolve("/pages/ars-1?b=2&utm_source=x&a=1#top")
    assert "utm_source" not in row["resolved_url"]
    assert (
        [row["dedupe_key"]]
        == normalize([row["resolved_url"]])
        == [website.url.replace("http:", "https:") + "/pages/ars-1?a=1&b=2"]
    )
    failed = resolve("/nowhere")
    assert (failed["error"], failed["dedupe_key"]) == ("http_error", None)


TRACKERS = (CHECKOUT / "Sources/Links/TrackingParameters.tsv").read_text().splitlines()


def test_the_database_has_the_list_of_this_build(admin):
    version = next(line for line in TRACKERS if line.startswith("# version: ")).split()[-1]
    assert admin.execute("select rest.tracking_parameters_version()").fetchone() == (int(version),)


def test_every_listed_tracking_parameter_is_removed_where_it_applies_and_nowhere_else(admin, normalize):
    marks, others = [], []
    for sites, name, _ in (line.split("\t") for line in TRACKERS if not line.startswith("#")):
        spelled, is_beginning = name.removesuffix("*"), name.endswith("*")
        for site in sites.split(","):
            for host in ["example.com"] if site == "*" else [site, f"m.{site}", site.upper()]:
                marks += [
                    f"http://{host}/?{spelled.upper()}{'x' if is_beginning else ''}=1",
                    f"http://{host}/?{spelled}",
                ]
            # A dot, an underscore and a percent sign match only themselves.
            others += [
                f"http://not{site.replace('*', '')}.example/?x{name}=1",
                f"http://example.org/?{spelled.replace('_', '-').replace('.', '-')}x-=1",
            ]
    for given, expected in (marks, set("")), (others, {"?"}):
        found = normalize(given)
        assert keys(admin, given) == found
        assert [case for case in zip(given, found) if set(case[1]) & {"?"} != expected][:5] == []
