"""The first inputs and the words from which libFuzzer makes its inputs, for each parser of Tests/Fuzzing."""

import struct


def record(kind, content=b"", id=1, padding=0):
    return struct.pack("!BBHHBx", 1, kind, id, len(content), padding) + content + bytes(padding)


def begin(keep=True, role=1):
    return record(1, struct.pack("!HB5x", role, keep))


def pairs(**parameters):
    def length(text):
        return struct.pack("!I", len(text) | 1 << 31) if len(text) > 127 else bytes([len(text)])

    encoded = [(name.encode(), value.encode()) for name, value in parameters.items()]
    return b"".join(length(name) + length(value) + name + value for name, value in encoded)


def request(target="/rest/v1/links?limit=1", body=b"", keep=True, **parameters):
    """A whole request, as nginx sends it."""
    known = {"REQUEST_METHOD": "POST" if body else "GET", "REQUEST_URI": target, "CONTENT_LENGTH": str(len(body) or "")}
    return b"".join(
        [begin(keep), record(4, pairs(**known | parameters)), record(4)]
        + ([record(5, body)] if body else [])
        + [record(5)]
    )


RECORDS = [
    request(),
    request(body=b'{"raw_url":"https://a.example/"}', CONTENT_TYPE="application/json", HTTP_PREFER="return=minimal"),
    request(target="/%F0%9F%98%80?\xe9", HTTP_X="y" * 200, LECTERN_REQUEST_ID="0" * 32) + request(keep=False),
    # A body in pieces with padding, more bytes than announced, and records of other kinds and requests.
    begin()
    + record(4, pairs(REQUEST_METHOD="PUT", REQUEST_URI="/", CONTENT_LENGTH="3"))
    + record(4)
    + record(5, b"ab", padding=6)
    + record(5, b"cd", padding=255)
    + record(5),
    begin() + record(9, pairs(FCGI_MAX_CONNS=""), id=0) + record(2) + record(5, b"x", id=2),
    begin(role=2),
    request()[:-9],
]

QUERIES = [
    "",
    "select=*&order=updated_at.desc.nullslast,id.desc&limit=15&offset=5",
    "select=id,t:title,place->a->0->>b,tags!inner(name,count),...tags(n:name::text)&tags.name=in.(a,%22b,c%22)",
    "or=(updated_at.lt.2024-01-01T00:00:00%2B00:00,and(updated_at.eq.now,id.lt.x))&not.and=(title.is.null,id.not.eq.1)",
    "title=like(any).{a*,b}&words=fts(english).a+b&place->>a=ov.{1}&is_starred=is.true&title=imatch.%5Ea",
    "columns=title,%22id%22&on_conflict=id&missing=1&tags.limit=3&tags.order=name",
    "id=eq.00000000-0000-4000-8000-000000000001&title=%F0%9F%98%80&a=%",
]
QUERY_WORDS = (
    "select= order= limit= offset= or= and= not. .eq. .in.( .is.null fts( like(any).{ ilike phfts .asc .desc "
    ".nullsfirst !inner !left ... ->> -> ::text ::int links tags link_tags title id place words name count() * "
    "columns= on_conflict= %22 %00 %25 %5C ' -- ; /* $1"
).split()

JSON_TEXTS = [
    b'{"raw_url":"https://a.example/","tags":["a","b"],"n":-1.5e+10,"t":true,"f":false,"z":null}',
    b'[{"title":"x"},{"title":"\\u00e9\\ud83d\\ude00\\n"},{}]',
    b'<!--//<![CDATA[\n/* a */ {"@type":"Article", // b\n "name":"a\nb",}\n//]]>-->',
    b'[[[[[[[["\\ud800"]]]]]]],0,1e400,-0.0,"\xc3\xa9\xf0\x9f\x98\x80"]',
    b"[" * 600,
    b'{"a":' * 300 + b"1" + b"}" * 300,
]
JSON_WORDS = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\u",
    "\\ud83d",
    "\\ude00",
    "null",
    "true",
    "false",
    "1e9",
    "//",
    "/*",
    "*/",
]

PAGES = [
    b"<!doctype html><html lang=en><head><title>A &amp; B</title><meta charset=utf-8></head>"
    b"<body><article><h1>T</h1><p>Text <b>bold <i>both</b> italic</i>.</p><ul><li>a<li>b</ul></article></body></html>",
    b"<table><caption>c<tr><td>a<th>b<form><select><option>x<optgroup></table>y<template><tr><td>t</template>",
    b"<svg><title>s</title><foreignObject><p>x</svg><math><mi>y<annotation-xml encoding=text/html><div></math>",
    b"<a href='javascript:x' onclick=y>z<a href=//b.example><img src=x srcset='a 1x, b 2x' onerror=e><base href=/q>",
    b"<textarea>\n<b></textarea><noscript><p></noscript><style><!--</style><script><!--<script></script>--></script>",
    b"<frameset><frame></frameset><plaintext></plaintext>\xff\xfe\0<?php ?><!-- a --!><![CDATA[x]]></p></br>&#x80;&notin;",
]
PAGE_WORDS = (
    "<table> <tr> <td> </table> <select> <option> <template> </template> <svg> </svg> <math> <mi> <desc> <p> </p> <b> "
    "</b> <a> </a> <li> <form> <frameset> <noscript> <script> </script> <style> </style> <title> <textarea> <xmp> "
    "<plaintext> <annotation-xml <foreignObject> <!-- --> <!doctype <![CDATA[ &amp; &# ;"
).split() + [' href="javascript:', " onclick=", " style='", " encoding=text/html>"]

# For each parser: its first inputs, its words, and the longest input in bytes.
SEEDS = {
    "records": (RECORDS, ["REQUEST_METHOD", "REQUEST_URI", "CONTENT_LENGTH", "HTTP_", "REMOTE_ADDR"], 20_000),
    "query": ([query.encode() for query in QUERIES], QUERY_WORDS, 2_000),
    "json": (JSON_TEXTS, JSON_WORDS, 4_000),
    "html": (PAGES, PAGE_WORDS, 4_000),
}


def write_seeds(target, folder):
    """Writes the first inputs into a new folder and the words into a dictionary beside it. Returns both and the longest
    input."""
    inputs, words, longest = SEEDS[target]
    corpus, dictionary = folder / target, folder / f"{target}.dict"
    corpus.mkdir()
    for number, seed in enumerate(inputs):
        (corpus / f"seed-{number}").write_bytes(seed)
    dictionary.write_text("".join(f'"{escaped(word)}"\n' for word in words))
    return corpus, dictionary, longest


def escaped(word):
    return "".join(f"\\x{byte:02x}" for byte in word.encode())
