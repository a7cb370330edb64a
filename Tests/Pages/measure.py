#!/usr/bin/env python3
"""How much of what a reader wants `lectern extract` finds in the pages of this folder.

  measure.py --cmd .build/release/lectern [--mode best] [--worst 10]

words      runs of four words of textContent, counted as in a bag: precision, recall and F1 of their means over the pages;
           accuracy is the share of pages with every word right
title …    shares of pages; bylines by their words, dates by their day, languages by their first part; what the page does not
           tell is right when nothing is claimed
pictures   a picture may have many addresses (src, srcset, sources of its <picture>, what is loaded late): precision is the share
           of those in `content` that are wanted, recall the share of those wanted that are in `content`
without    sentences that must not be there and are

The pages named in held-back.txt are told apart: a rule that helps only the others is made for them.
"""

import argparse
import collections
import datetime
import email.utils
import json
import re
import shlex
import statistics
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

from pages import pages

# Scripts that write no spaces: each character is counted as a word.
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")
FACTS = ("title", "byline", "published", "lang")


# What the program says


def answers(command, chosen, arguments=(), timeout=300):
    """Its answer to each page by name; an answer that failed is empty."""
    said = "".join(json.dumps({"id": page.name, "url": page.truth["url"], "html": page.html}) + "\n" for page in chosen)
    done = subprocess.run(
        [*command, "extract", "--batch", *arguments], input=said.encode(), capture_output=True, timeout=timeout
    )
    if done.returncode:
        raise SystemExit(
            f"{shlex.join(command)} ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}"
        )
    found = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
    return {answer["id"]: answer for answer in found}


# Words


def words(said):
    return WORD.findall((said or "").casefold())


def runs(tokens, length=4):
    """Every run of so many words, with how often it is there; a text that is shorter is one run."""
    return collections.Counter(
        tuple(tokens[at : at + length]) for at in range(max(1, len(tokens) - length + 1)) if tokens
    )


def shares(wanted, found):
    """Precision and recall of the words, and whether they are all right."""
    of, among = runs(wanted), runs(found)
    both = (of & among).total()
    return both / among.total() if among else 0.0, both / of.total() if of else 0.0, wanted == found


# Facts


def day(said):
    """The day that a date tells, in the zone it is written in; what cannot be read is told as it is."""
    if not said:
        return None
    try:
        return datetime.datetime.fromisoformat(said.strip()).date().isoformat()
    except ValueError:
        pass
    if re.match(r"\d{4}-\d\d-\d\d", said.strip()):
        return said.strip()[:10]
    try:
        return email.utils.parsedate_to_datetime(said).date().isoformat()
    except (TypeError, ValueError):
        return said


def fact(name, said):
    """A fact in the form in which it is compared."""
    if name == "published":
        return day(said)
    if name == "lang":
        return re.split("[-_]", said.casefold())[0] if said else None
    if name == "byline":
        return words(said) or None
    return " ".join((said or "").split()) or None


def told(answer, name):
    """A fact of an answer; the day of the normalised date, if there is one."""
    names = ("publishedAt", "published_at", "publishedTime") if name == "published" else (name,)
    return next((answer[key] for key in names if answer.get(key)), None)


# Pictures


class _Pictures(HTMLParser):
    """The addresses of each picture: of the element, the sources of its <picture> and the picture it links to."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.sources, self.within, self.link = [], set(), False, set()

    def handle_starttag(self, tag, attributes):
        told = [
            (name, value)
            for name, value in attributes
            if value and (name.endswith(("src", "srcset")) or name.startswith("data-"))
        ]
        addresses = {
            part.split()[0]
            for name, value in told
            for part in (re.split(r",\s+|,(?=https?:)", value) if name.endswith("srcset") else [value])
            if part.split()
        }
        if tag == "picture":
            self.within, self.sources = True, set()
        elif tag == "source" and self.within:
            self.sources |= addresses
        elif tag == "a":
            self.link = {
                value
                for name, value in attributes
                if name == "href" and re.search(r"\.(jpe?g|png|webp|avif)$", value or "")
            }
        elif tag in ("img", "amp-img"):
            self.found.append(addresses | self.link | (self.sources if self.within else set()))

    def handle_endtag(self, tag):
        if tag == "picture":
            self.within = False
        elif tag == "a":
            self.link = set()


def pictures(html, url):
    """Each picture of the HTML as the set of its addresses."""
    parser = _Pictures()
    parser.feed(html or "")
    parser.close()
    return [{urljoin(url, address) for address in addresses} for addresses in parser.found]


def wanted_pictures(page):
    """The wanted pictures, each with all addresses that the page gives for it and for no other: another size or format will do."""
    given = pictures(page.html, page.truth["url"])
    for address in page.truth["pictures"]:
        own, others = [
            set().union(*(picture for picture in given if (address in picture) == there)) for there in (True, False)
        ]
        yield {address} | own - others


# One page, and many


def measured(page, answer):
    """Everything that is counted of one page."""
    said, truth = answer.get("textContent"), page.truth
    precision, recall, accurate = shares(words(truth["articleBody"]), words(said))
    shown, wanted = pictures(answer.get("content"), truth["url"]), list(wanted_pictures(page))
    missed = [address for address, own in zip(truth["pictures"], wanted) if not any(own & picture for picture in shown)]
    whole = " ".join(words(said))
    return {
        "precision": precision,
        "recall": recall,
        "accurate": accurate,
        "kind": truth["kind"],
        "held_back": page.held_back,
        "facts": {name: fact(name, told(answer, name)) == fact(name, truth[name]) for name in FACTS},
        "told": {name: told(answer, name) for name in FACTS},
        "pictures": {
            "shown": len(shown),
            "right": sum(any(own & picture for own in wanted) for picture in shown),
            "wanted": len(wanted),
            "kept": len(wanted) - len(missed),
        },
        "missed": missed,
        "found": [sentence for sentence in truth["without"] if " ".join(words(sentence)) in whole],
        "unwanted": len(truth["without"]),
    }


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def summary(figures):
    """The figures of many pages; None where nothing was to be counted."""

    def share(part, whole):
        return part / whole if whole else None

    precision, recall = (statistics.mean(page[name] for page in figures) for name in ("precision", "recall"))
    total = collections.Counter()
    for page in figures:
        total.update(page["pictures"])
    return {
        "pages": len(figures),
        "f1": harmonic(precision, recall),
        "precision": precision,
        "recall": recall,
        "accuracy": statistics.mean(page["accurate"] for page in figures),
        **{name: statistics.mean(page["facts"][name] for page in figures) for name in FACTS},
        "pictures_precision": share(total["right"], total["shown"]),
        "pictures_recall": share(total["kept"], total["wanted"]),
        "without_found": sum(len(page["found"]) for page in figures),
        "without": sum(page["unwanted"] for page in figures),
    }


def measure(command, only=(), arguments=()):
    """Figures of each page by name."""
    chosen = pages(only)
    said = answers(command, chosen, arguments)
    return {page.name: measured(page, said.get(page.name, {})) for page in chosen}


def groups(by_name):
    """All pages, those in sight, those held back; empty ones left out."""
    split = {"all": list(by_name.values()), "in sight": [], "held back": []}
    for page in by_name.values():
        split["held back" if page["held_back"] else "in sight"].append(page)
    return {name: summary(figures) for name, figures in split.items() if figures}


# The report


def show(by_name, worst):
    def number(value):
        return "   -  " if value is None else f"{value:6.4f}"

    print("             pages     F1  precis. recall accur.  title byline   date   lang  pict.P pict.R  without found")
    for name, figures in groups(by_name).items():
        keys = ("f1", "precision", "recall", "accuracy", *FACTS, "pictures_precision", "pictures_recall")
        print(
            f"{name:12} {figures['pages']:5} ",
            " ".join(number(figures[key]) for key in keys),
            f"  {figures['without_found']} of {figures['without']}",
        )
    told = {name: page for name, page in by_name.items() if not page["held_back"]} or by_name
    order = sorted(told.items(), key=lambda item: harmonic(item[1]["precision"], item[1]["recall"]))
    for name, page in order[:worst]:
        wrong = [f"{fact} {page['told'][fact]!r:.60}" for fact, right in page["facts"].items() if not right]
        print(
            f"  {name:34} {page['kind']:12} P {page['precision']:.3f} R {page['recall']:.3f}"
            f" pictures {page['pictures']['kept']}/{page['pictures']['wanted']}"
            f" +{page['pictures']['shown'] - page['pictures']['right']}  {'; '.join(wrong)}"
        )
        for sentence in page["found"]:
            print(f"      found: {sentence:.110}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cmd", required=True, help="the program, without the word extract")
    parser.add_argument("--mode", default="best")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument(
        "--worst", type=int, default=0, metavar="N", help="show the N pages with the lowest F1, without those held back"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument(
        "--without", nargs="+", default=[], metavar="RULE", help="rules to leave out, handed on to the program"
    )
    chosen = parser.parse_args()
    arguments = ["--mode", chosen.mode, *(part for rule in chosen.without for part in ("--without", rule))]
    by_name = measure(shlex.split(chosen.cmd), chosen.only, arguments)
    show(by_name, chosen.worst)
    if chosen.json:
        chosen.json.write_text(
            json.dumps({"groups": groups(by_name), "pages": by_name}, indent=1, ensure_ascii=False) + "\n"
        )


if __name__ == "__main__":
    main()
