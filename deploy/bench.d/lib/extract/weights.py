"""Fits the numbers of RegionWeights (`lectern extract --weight`) to pages with known text.

Three sets of pages are used: pages of which some passages are known to belong to the article and others not, the
benchmark pages, and Tests/Pages. Each set is split in five by the hash of the page's name. The numbers are fitted on
four parts and measured on the fifth, in turn; the figures of the five parts together are the cross-validated ones. The
fitted figures are those of the numbers that fit all pages best, measured on the same pages: if they are much better,
the numbers are made for these pages.

Fitting tries other values of one number at a time, twice through all of them, and keeps what is better by at least
0.0002. What is fitted is the sum of the F1 of the passages and the mean F1 of the other pages. The benchmark pages and
Tests/Pages are shown apart, too.
"""

import gzip
import hashlib
import json
import re
import subprocess
import sys

from programs import CHECKOUT

sys.path.insert(0, str(CHECKOUT / "Tests/Pages"))
from measure import shares, words
from pages import pages

SHARED = CHECKOUT.parent / "shared"
PARTS = 5
# The first value of each is that of RegionWeights.
VALUES = {
    "short": (0.25, 0.0, 0.5),
    "links": (0.5, 0.25, 1.0),
    "foreign": (0.5, 0.25, 1.0),
    "factor": (1.3, 1.15, 1.6, 2.0),
    "margin": (20, 0, 40, 80),
    "enough": (600, 250, 400, 1000),
}
MIN_GAIN = 0.0002


def report(program):
    corpus = Corpus(str(program))
    first = tuple(values[0] for values in VALUES.values())
    print(f"{'':18}" + "".join(f"{name:>9}" for name in VALUES) + f"{'passages':>10}{'pages':>8}{'bench':>8}{'own':>8}")
    everywhere = list(range(PARTS))
    row("as it is", first, corpus.figures([(first, everywhere)]))
    fitted = fit(corpus, first, everywhere)
    row("fitted on all", fitted, corpus.figures([(fitted, everywhere)]))
    chosen = []
    for part in everywhere:
        numbers = fit(corpus, first, [other for other in everywhere if other != part])
        row(f"without part {part + 1}", numbers, corpus.figures([(numbers, [part])]))
        chosen.append((numbers, [part]))
    row("cross-validated", None, corpus.figures(chosen))


def row(name, numbers, figures):
    shown = numbers or [""] * len(VALUES)
    print(
        f"{name:18}" + "".join(f"{number:>9}" for number in shown) + "{:10.4f}{:8.4f}{:8.4f}{:8.4f}".format(*figures),
        flush=True,
    )


def fit(corpus, start, parts):
    best, value = start, sum(corpus.figures([(start, parts)])[:2])
    for _ in range(2):
        for place, values in enumerate(VALUES.values()):
            for number in values:
                tried = best[:place] + (number,) + best[place + 1 :]
                reached = sum(corpus.figures([(tried, parts)])[:2])
                if reached > value + MIN_GAIN:
                    best, value = tried, reached
    return best


class Corpus:
    def __init__(self, program):
        self.program = program
        self.lines, self.texts, self.passages, self.known = [], {}, {}, {}
        self.add_passages(SHARED / "extraction-snippets")
        self.add_benchmark(SHARED / "extraction-benchmark")
        for page in pages():
            self.add("own " + page.name, page.truth["url"], page.html)
            self.texts["own " + page.name] = words(page.truth["articleBody"])

    def add(self, name, url, html):
        self.lines.append(json.dumps({"id": name, "url": url, "html": html}))

    def add_passages(self, folder):
        if not folder.is_dir():
            return
        for line in (folder / "snippets.jsonl").read_text(encoding="utf-8").splitlines():
            page = json.loads(line)
            html = gzip.decompress((folder / "pages" / f"{page['id']}.html.gz").read_bytes()).decode()
            self.add(page["id"], page["url"], html)
            self.passages[page["id"]] = [flat(said) for said in page["with"]], [flat(said) for said in page["without"]]

    def add_benchmark(self, folder):
        if not folder.is_dir():
            return
        for name, page in json.loads((folder / "ground-truth.json").read_text(encoding="utf-8")).items():
            html = gzip.open(folder / "html" / f"{name}.html.gz", "rt", encoding="utf-8").read()
            self.add(name, page.get("url") or "http://fakehost/", html)
            self.texts[name] = words(page["articleBody"])

    def figures(self, chosen):
        """Of the parts, each with its numbers: F1 of the passages, and the mean F1 of the other pages, of the benchmark
        pages, and of Tests/Pages."""
        right = missed = extra = 0
        found = {"bench": [], "own": []}
        for numbers, parts in chosen:
            for name, outcome in self.outcomes(numbers).items():
                if part_of(name) not in parts:
                    continue
                if name in self.texts:
                    found["own" if name.startswith("own ") else "bench"].append(outcome)
                else:
                    right, missed, extra = right + outcome[0], missed + outcome[1], extra + outcome[2]
        passages = 2 * right / max(1, 2 * right + missed + extra)
        return passages, mean(found["bench"] + found["own"]), mean(found["bench"]), mean(found["own"])

    def outcomes(self, numbers):
        if numbers not in self.known:
            options = [word for name, number in zip(VALUES, numbers) for word in ("--weight", f"{name}={number}")]
            self.known[numbers] = self.measured(options)
        return self.known[numbers]

    def measured(self, options):
        """By page: F1, or the numbers of passages that are given, missed, and given though they do not belong."""
        said = "".join(line + "\n" for line in self.lines).encode("utf-8", "replace")
        command = [self.program, "extract", "--batch", "--jobs", "2", *options]
        done = subprocess.run(command, input=said, capture_output=True, check=True)
        found = {}
        for line in done.stdout.decode().split("\n")[:-1]:
            answer = json.loads(line)
            found[answer["id"]] = self.outcome(answer["id"], answer.get("textContent") or "")
        return found

    def outcome(self, name, text):
        if name in self.texts:
            precision, recall, _ = shares(self.texts[name], words(text))
            return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        wanted, others = self.passages[name]
        given = flat(text)
        right = sum(said in given for said in wanted)
        return right, len(wanted) - right, sum(said in given for said in others)


def mean(numbers):
    return sum(numbers) / max(1, len(numbers))


def flat(text):
    return re.sub(r"\s+", " ", text)


def part_of(name):
    return hashlib.sha256(name.encode()).digest()[0] % PARTS

