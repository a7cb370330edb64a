"""Random pages through the parser, Readability, the sanitizer and Markdown."""

import json
import os
import re
import subprocess

import pytest

from support.paths import PAGES, PROGRAMS

# The tree a browser makes of a page, in the notation of Tests/Support/fuzz-pages/Tree.swift. Like Lectern's parser,
# DOMParser has scripting off. Lectern drops comments, so the texts beside them are one.
DUMP = r"""
const described = node => {
  if (node.nodeType === Node.TEXT_NODE) return `"${node.data}"`;
  const prefix = {'http://www.w3.org/2000/svg': 'svg ', 'http://www.w3.org/1998/Math/MathML': 'math '}[node.namespaceURI] ?? '';
  const attributes = [...node.attributes].map(one => [one.name, one.value]);
  return [`<${prefix}${node.localName}`, ...attributes.map(([name, value]) => ` ${name}="${value}"`).sort()].join('') + '>';
};
const lines = page => {
  const found = [], pending = [[page, 0]];
  while (pending.length) {
    const [scope, base] = pending.pop();
    scope.normalize();
    found.push(`${base} scope`);
    const walk = (parent, depth) => {
      for (const node of parent.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE && node.nodeType !== Node.ELEMENT_NODE) continue;
        found.push(`${depth} ${described(node)}`);
        if (node.content instanceof DocumentFragment) pending.push([node.content, depth + 1]);
        walk(node, depth + 1);
      }
    };
    walk(scope, base);
  }
  return found.join('\n');
};
return arguments[0].map(html => lines(new DOMParser().parseFromString(html, 'text/html')));
"""


def is_parsed_alike(html):
    """Whether Lectern and Chromium follow the standard alike; both deviate from it in known cases.

    In a browser a comment separates the texts around it; Lectern drops comments. Chromium 156 drops a NUL
    before the body instead of opening it, keeps a byte order mark in a string, lets a form begin in a template's table
    and no row behind a template's title, ends forms across tables, takes no HTML element for what </foreignobject> ends,
    lets U+FFFD before a frameset pass, and opens no formatting element again for the white space behind </html>.
    """
    comment = re.search(r"<!(?!doctype)|<\?|</(?![a-z>])", html, re.IGNORECASE)
    return not (
        comment
        or html.startswith("\ufeff")
        or "&#0;" in html
        and "<frameset>" in html
        or "<form" in html
        and "<table" in html
        or any(piece in html for piece in ["\0", "<template", "</foreignobject>", "</html>"])
    )


def test_chromium_makes_the_same_tree_of_every_page(chromium):
    count = 100_000 if os.environ.get("LECTERN_TEST_LONG") else 10_000
    output = subprocess.run([PROGRAMS / "fuzz-pages", "trees", str(count), "20261121"], capture_output=True, check=True)
    pages = [page for page in map(json.loads, output.stdout.splitlines()) if is_parsed_alike(page["html"])]
    assert len(pages) > count / 20
    for start in range(0, len(pages), 200):
        some = pages[start : start + 200]
        for page, tree in zip(some, chromium.execute_script(DUMP, [page["html"] for page in some])):
            assert page["tree"] == tree, page["html"]


@pytest.mark.timeout(6_000)
def test_no_random_page_crashes_the_extractor_and_a_second_run_gives_the_same_result():
    seconds = 3_600 if os.environ.get("LECTERN_TEST_LONG") else 10
    # Other tests run beside it, and some depend on time.
    run = subprocess.run(
        [
            "nice",
            "-n",
            "5",
            PROGRAMS / "fuzz-pages",
            "run",
            str(seconds),
            "20261121",
            *([PAGES] if PAGES.is_dir() else []),
        ],
        capture_output=True,
        text=True,
        timeout=seconds + 1_800,
    )
    assert run.returncode == 0, f"{run.stdout} {run.stderr[-200:]}"
    print(run.stdout)
