"""The dedupe key: the database decides, `lectern url normalize` agrees, and only what is the same page is one."""

import os
import random
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from urls import urls

COUNT = 60_000


@pytest.fixture(scope="session")
def normalize(lectern):
    def run(lines):
        done = subprocess.run([lectern.home / "bin/lectern", "url", "normalize"], input="".join(f"{line}\n" for line in lines).encode(),
                              capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().split("\n")[:-1]
    return run


def keys(admin, lines):
    rows = admin.execute("select coalesce(rest.dedupe_key(url), '') from unnest(%s::text[]) with ordinality as given (url, n)"
                         " order by n", (list(lines),))
    return [key for key, in rows]


def test_the_database_and_the_command_agree_on_sixty_thousand_urls(admin, normalize):
    given = urls(COUNT, seed=os.environ.get("LECTERN_TEST_SEED", "1"))
    found, decided = normalize(given), keys(admin, given)
    assert len(found) == len(decided) == COUNT
    assert [case for case in zip(given, decided, found) if case[1] != case[2]][:5] == []
    assert sum(key != "" for key in decided) > COUNT / 3


def test_a_key_is_an_https_url_and_its_own_key(admin, normalize):
    found = [key for key in normalize(urls(COUNT // 2, seed="own")) if key]
    assert all(key.startswith("https://") and key.isascii() and " " not in key for key in found)
    assert normalize(found) == found and keys(admin, found[:5_000]) == found[:5_000]


def respelled(chance, parts):
    """The same page in another of the ways that are listed."""
    scheme, host, path, query = parts
    segments = [quote(segment, safe="") if chance.random() < 0.5 else "".join(
        f"%{ord(c):02{chance.choice('xX')}}" if c.isalnum() and chance.random() < 0.2 else c for c in quote(segment)) for segment in path]
    if chance.random() < 0.3:
        segments.insert(chance.randrange(len(segments) + 1), ".")
    if chance.random() < 0.3:
        segments[chance.randrange(len(segments) + 1):0] = ["gone", ".."]
    pairs = list(query)
    if chance.random() < 0.5:
        # Names move, those that are equal stay in order.
        names = list({name for name, _ in pairs})
        chance.shuffle(names)
        pairs = [pair for name in names for pair in pairs if pair[0] == name]
    for mark in chance.sample(["utm_source=x", "UTM_TERM=", "fbclid=1", "_ga", "mc_cid=2"], chance.randrange(3)):
        pairs.insert(chance.randrange(len(pairs) + 1), tuple(mark.split("=")) if "=" in mark else (mark, None))
    text = "&".join(name if value is None else f"{name}={value.replace(' ', chance.choice(['+', '%20']))}" for name, value in pairs)
    return (chance.choice(["", " "]) + chance.choice(["http", "HTTPS", scheme]) + "://" + chance.choice(["", "www.", "WWW."])
            + "".join(chance.choice([c, c.upper()]) for c in host) + chance.choice(["", "."]) + chance.choice(["", ":80", ":443", ":"])
            + "/" + "/".join(segments) + chance.choice(["", "/", "//"]) + ("?" + text if text else chance.choice(["", "?"]))
            + chance.choice(["", "#top", "#:~:text=a"]))


def test_spellings_of_one_page_have_one_key_and_two_pages_never(normalize):
    chance = random.Random(7)
    pages = {}
    while len(pages) < 3_000:
        host = f"site{chance.randrange(20)}.example"
        path = tuple(chance.choice(["a", "A", "b c", "ü", "x;y", "100%", "~t"]) for _ in range(chance.randrange(1, 4)))
        query = tuple((chance.choice("abc"), chance.choice([None, "", "1", "2", "x y"])) for _ in range(chance.randrange(4)))
        # What is one page: the order of different names is nothing.
        pages[host, path, tuple(sorted(query, key=lambda pair: pair[0]))] = ("https", host, path, query)
    spellings = [(page, respelled(chance, parts)) for page, parts in pages.items() for _ in range(6)]
    found = normalize([spelling for _, spelling in spellings])
    key_of, page_of = {}, {}
    for (page, spelling), key in zip(spellings, found):
        assert key and key_of.setdefault(page, key) == key, (page, spelling, key, key_of[page])
        assert page_of.setdefault(key, page) == page, (spelling, key, page, page_of[key])


@pytest.mark.parametrize("url", [
    "https://example.com/" + "a" * 65_516, "https://example.com/?" + "&".join(f"p{n}={n}" for n in range(10_000))[:65_000],
    "https://" + "ü" * 500 + ".de", "https://" + "a." * 500 + "com", "https://example.com/" + "../" * 21_000, "https://example.com/" + "%" * 60_000,
    "https://example.com/" + "é" * 30_000, "http://" + "@" * 60_000 + "x.com", "http:" + "/" * 60_000 + "x.com", "https://example.com#/" + ":~" * 30_000])
def test_a_url_of_sixty_four_kilobytes_has_its_answer_in_no_time(admin, normalize, url):
    assert keys(admin, [url]) == normalize([url])


def test_the_database_has_the_list_of_this_build(admin, lectern):
    version = next(line for line in (Path(__file__).resolve().parents[2] / "Sources/Links/TrackingParameters.tsv").read_text().splitlines()
                   if line.startswith("# version: ")).split()[-1]
    assert admin.execute("select rest.tracking_parameters_version()").fetchone() == (int(version),)
