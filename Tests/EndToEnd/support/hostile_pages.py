"""The behaviours of the hostile site, one row each: its path, the expected result and a description. README.md lists
the reasons."""

import itertools

from support import decompression_bombs as bombs
from support.hostile_site import Ends, Row
from support.loopback_site import article

PAGE = Ends(None)
TIMEOUT = Ends("timeout", again=True)
TOO_LARGE = Ends("too_large")
TOO_MANY = Ends("too_many_redirects")
BROKEN = Ends("bad_response", again=True)
NO_HTTP = Ends("bad_response")
UNPACKABLE = Ends("bad_encoding")
UNREACHED = Ends("connection_failed", again=True)
UNTRUSTED = Ends("connection_failed")
NO_NAME = Ends("dns_error", again=True)
NO_URL = Ends("invalid_url")
OTHER_SCHEME = Ends("blocked_scheme")
INNER = Ends("blocked_address")
REFUSED = Ends("http_error")
REFUSED_NOW = Ends("http_error", again=True)

MB = 1_000_000
HTML = "Content-Type: text/html; charset=utf-8"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
START = b"<!doctype html><title>A beginning</title><p>There is a beginning. "
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")


def http(body=START, *fields, status="200 OK", type=HTML, length=True):
    """A complete response, after which the site announces and closes the connection."""
    body = body.encode() if isinstance(body, str) else body
    lines = [
        f"HTTP/1.1 {status}",
        *([type] if type else []),
        *([f"Content-Length: {len(body)}"] if length else []),
        "Connection: close",
        *fields,
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1") + body


def page(title, text=""):
    """A page with enough words for an article."""
    return article(title, marker=text)


def to(location, *fields, status="302 Found"):
    """A redirect."""
    return http(b"", f"Location: {location}", *fields, status=status)


def numbered(client):
    """The number at the end of the path, 0 where there is none."""
    last = client.target.rsplit("/", 1)[-1]
    return int(last) if last.isdigit() else 0


# --- slow ------------------------------------------------------------------------------------------------------------


def endless_hints(client):
    while True:
        client.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
        client.wait(0.3)


def silent_after(*pieces):
    def answer(client):
        for piece in pieces:
            client.send(piece)
        client.silent()

    return answer


def slow_but_in_time(client):
    client.send(HEAD + b"\r\n" + START)
    client.send_slowly(itertools.repeat(b"."), every=0.8 * client.site.patience)


def slow_steps(client):
    client.wait(0.4 * client.site.patience)
    client.send(to(f"/slow-steps/{numbered(client) + 1}"))


SLOW = [
    Row(
        "/head-dripped",
        TIMEOUT,
        "The head comes a byte at a time.",
        lambda client: client.send_slowly(
            bytes([byte]) for byte in itertools.chain(HEAD, itertools.cycle(b"X-More: and more\r\n"))
        ),
    ),
    Row(
        "/body-dripped",
        TIMEOUT,
        "The body comes a byte at a time.",
        lambda client: (client.send(HEAD + b"\r\n" + START), client.send_slowly(itertools.repeat(b"."))),
    ),
    Row(
        "/chunks-dripped",
        TIMEOUT,
        "The body comes in chunks of a byte.",
        lambda client: (client.send(CHUNKED), client.send_slowly(itertools.repeat(b"1\r\n.\r\n"))),
    ),
    Row("/never-answers", TIMEOUT, "The request is taken and never answered.", silent_after()),
    Row("/silent-after-head", TIMEOUT, "Nothing follows on the head.", silent_after(HEAD + b"\r\n")),
    Row("/silent-in-head", TIMEOUT, "The head stops in the middle.", silent_after(HEAD + b"X-Mo")),
    Row(
        "/silent-in-body",
        TIMEOUT,
        "The body stops in the middle.",
        silent_after(HEAD + b"Content-Length: 900000\r\n\r\n" + START),
    ),
    Row("/just-fast-enough", TIMEOUT, "A byte comes whenever patience is about to end.", slow_but_in_time),
    Row("/hints-dripped", TIMEOUT, "Interim answers come one after another.", endless_hints),
    Row("/slow-steps", TIMEOUT, "Every redirect takes its time, and leads to another.", slow_steps),
    Row("/silent-tls", TIMEOUT, "The handshake of TLS is never answered.", url="https://127.0.0.1:{silent}/silent-tls"),
    Row(
        "/silent-port",
        TIMEOUT,
        "The connection is taken, and that is all.",
        url="http://127.0.0.1:{silent}/silent-port",
    ),
    Row("/full-port", TIMEOUT, "The connection is neither taken nor refused.", url="http://127.0.0.1:{full}/full-port"),
    Row(
        "/extension-dripped",
        TIMEOUT,
        "The size of the first chunk is followed by an extension, slowly.",
        lambda client: (client.send(CHUNKED + b"5;"), client.send_slowly(itertools.repeat(b"x"))),
    ),
]

# --- without end -----------------------------------------------------------------------------------------------------


def sending_forever(*pieces):
    """Sends these pieces, and repeats the last one for ever."""

    def answer(client):
        for piece in pieces[:-1]:
            client.send(piece)
        client.send_forever(pieces[-1])

    return answer


ENDLESS = [
    Row("/body-without-end", TOO_LARGE, "The body has no end.", sending_forever(HEAD + b"\r\n" + START, b"." * 65_536)),
    Row(
        "/body-of-no-type",
        TOO_LARGE,
        "The body has neither type nor end.",
        sending_forever(b"HTTP/1.1 200 OK\r\n\r\n" + START, b"." * 65_536),
    ),
    Row(
        "/files-without-end",
        PAGE,
        "A file of no type has no end.",
        sending_forever(b"HTTP/1.1 200 OK\r\n\r\n", b"\0" * 65_536),
    ),
    Row(
        "/chunks-without-end",
        TOO_LARGE,
        "The chunks have no end.",
        sending_forever(CHUNKED, b"4000\r\n" + b"." * 0x4000 + b"\r\n"),
    ),
    Row(
        "/small-chunks-without-end",
        TOO_LARGE,
        "The chunks are of a byte, and have no end.",
        sending_forever(CHUNKED, b"1\r\n.\r\n" * 20_000),
    ),
    Row(
        "/extensions-without-end",
        TOO_LARGE,
        "The extension of a chunk has no end.",
        sending_forever(CHUNKED + b"5;", b"x" * 65_536),
    ),
    Row(
        "/headers-without-end",
        TOO_LARGE,
        "The header lines have no end.",
        sending_forever(HEAD, b"X-More: and more\r\n" * 1_000),
    ),
    Row(
        "/header-without-end",
        TOO_LARGE,
        "One header line has no end.",
        sending_forever(HEAD + b"X-More: ", b"x" * 65_536),
    ),
    Row("/name-without-end", TOO_LARGE, "The name of a header has no end.", sending_forever(HEAD, b"x" * 65_536)),
    Row(
        "/folds-without-end",
        TOO_LARGE,
        "One header line is folded without end.",
        sending_forever(HEAD + b"X-More: x\r\n", b" x\r\n" * 10_000),
    ),
    Row(
        "/status-without-end",
        TOO_LARGE,
        "The status line has no end.",
        sending_forever(b"HTTP/1.1 200 ", b"O" * 65_536),
    ),
    Row(
        "/hints-without-end",
        TOO_LARGE,
        "Interim answers have no end.",
        sending_forever(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" * 1_000),
    ),
    Row(
        "/continues-without-end",
        TOO_LARGE,
        '"100 Continue" goes on without end.',
        sending_forever(b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000),
    ),
    Row(
        "/trailers-without-end",
        TOO_LARGE,
        "The trailers have no end.",
        sending_forever(CHUNKED + b"5\r\nhello\r\n0\r\n", b"X-More: and more\r\n" * 1_000),
    ),
    Row(
        "/trailer-without-end",
        BROKEN,
        "One trailer has no end, and is no part of the page.",
        sending_forever(CHUNKED + b"5\r\nhello\r\n0\r\nX-More: ", b"x" * 65_536),
    ),
    Row(
        "/redirect-without-end",
        PAGE,
        "The body of a redirect has no end.",
        sending_forever(b"HTTP/1.1 302 Found\r\nLocation: /good/after-redirect\r\n\r\n", b"." * 65_536),
        title="Good",
    ),
    Row(
        "/refusal-without-end",
        REFUSED,
        "The page of a 404 has no end.",
        sending_forever(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n", b"." * 65_536),
    ),
    Row(
        "/wall-without-end",
        REFUSED,
        "The page of a 403 has no end.",
        sending_forever(b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n", b"." * 65_536),
    ),
    Row(
        "/500-mb-announced",
        TOO_LARGE,
        "500 MB are announced.",
        sending_forever(HEAD + b"Content-Length: 500000000\r\n\r\n", b"." * 65_536),
    ),
    Row(
        "/500-mb",
        TOO_LARGE,
        "500 MB come unannounced.",
        lambda client: (client.send(HEAD + b"\r\n"), client.send_slowly([b"." * MB] * 500, every=0)),
    ),
    Row(
        "/500-mb-file",
        PAGE,
        "500 MB of a file are announced.",
        sending_forever(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 500000000\r\n\r\n", b"." * 65_536
        ),
    ),
    Row(
        "/sniffed-500-mb",
        PAGE,
        "500 MB of no type are announced.",
        sending_forever(b"HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n", b"." * 65_536),
    ),
]

# --- packed ----------------------------------------------------------------------------------------------------------


def packed(path, ends, what, coding, body, **more):
    """A row whose body is made when it is requested."""
    return Row(path, ends, what, lambda client: client.send(http(body(), f"Content-Encoding: {coding}")), **more)


PACKED = [
    packed("/gzip-bomb", TOO_LARGE, "40 MB in 40 KB of gzip.", "gzip", bombs.gzipped),
    packed("/deflate-bomb", TOO_LARGE, "40 MB in 40 KB of deflate.", "deflate", bombs.deflated),
    packed("/brotli-bomb", TOO_LARGE, "100 MB in 80 bytes of Brotli.", "br", bombs.brotli),
    packed("/zstd-bomb", TOO_LARGE, "130 MB in 4 KB of Zstandard.", "zstd", bombs.zstd),
    packed(
        "/gzip-gzip-bomb", UNPACKABLE, "40 MB in some hundred bytes of gzip in gzip.", "gzip, gzip", bombs.gzipped_twice
    ),
    packed(
        "/two-codings",
        UNPACKABLE,
        "10 GB that come to nothing, of gzip in Brotli.",
        "gzip, br",
        bombs.empty_blocks_in_gigabytes,
    ),
    Row(
        "/two-fields",
        UNPACKABLE,
        "The same, said in two fields.",
        lambda client: client.send(
            http(bombs.empty_blocks_in_gigabytes(), "Content-Encoding: gzip", "Content-Encoding: br")
        ),
    ),
    Row(
        "/two-kinds-of-coding",
        UNPACKABLE,
        "One coding of the content and one of its transfer.",
        lambda client: client.send(http(bombs.gzipped_twice(), "Content-Encoding: gzip", "Transfer-Encoding: gzip")),
    ),
    Row(
        "/redirect-of-gigabytes",
        PAGE,
        "A redirect with a bomb in it.",
        lambda client: client.send(
            http(bombs.brotli(600), "Content-Encoding: br", "Location: /good/after-bomb", status="302 Found")
        ),
        title="Good",
    ),
    Row(
        "/redirect-of-nothing",
        PAGE,
        "A redirect with 10 GB that come to nothing.",
        lambda client: client.send(
            http(
                bombs.empty_blocks_in_gigabytes(),
                "Content-Encoding: gzip, br",
                "Location: /good/after-nothing",
                status="302 Found",
            )
        ),
        title="Good",
    ),
    Row(
        "/refusal-of-gigabytes",
        REFUSED,
        "A 404 with a bomb in it.",
        lambda client: client.send(http(bombs.brotli(600), "Content-Encoding: br", status="404 Not Found")),
    ),
    Row(
        "/wall-of-nothing",
        REFUSED,
        "A 401 with 10 GB that come to nothing.",
        lambda client: client.send(
            http(bombs.empty_blocks_in_gigabytes(), "Content-Encoding: gzip, br", status="401 Unauthorized")
        ),
    ),
    packed(
        "/six-layers",
        UNPACKABLE,
        "More layers than anybody needs.",
        "gzip, gzip, gzip, gzip, gzip, gzip",
        lambda: bombs.gzipped_twice(1),
    ),
    packed("/no-gzip", UNPACKABLE, "Plain text calls itself gzip.", "gzip", lambda: START),
    packed("/no-brotli", UNPACKABLE, "Plain text calls itself Brotli.", "br", lambda: START),
    packed("/no-zstd", UNPACKABLE, "Plain text calls itself Zstandard.", "zstd", lambda: START),
    packed(
        "/cut-gzip",
        PAGE,
        "The gzip ends in the middle: what came of the page is the page.",
        "gzip",
        lambda: bombs.gzipped(1)[:-20],
    ),
    packed(
        "/wrong-sum",
        UNPACKABLE,
        "The checksum of the gzip is another.",
        "gzip",
        lambda: bombs.gzipped(1)[:-8] + bytes(8),
    ),
    packed("/cut-brotli", PAGE, "The Brotli ends in the middle.", "br", lambda: bombs.brotli(1)[:-8]),
    packed("/cut-zstd", PAGE, "The Zstandard ends in the middle.", "zstd", lambda: bombs.zstd(8)[:-2]),
    packed("/unknown-coding", UNPACKABLE, "A coding nobody knows.", "rot13", lambda: START),
    Row(
        "/empty-blocks",
        TOO_LARGE,
        "Gzip of empty blocks, without end.",
        sending_forever(
            HEAD + b"Content-Encoding: gzip\r\n\r\n" + bytes.fromhex("1f8b0800000000000003"),
            bytes.fromhex("000000ffff") * 10_000,
        ),
    ),
    Row(
        "/skipped-frames",
        TOO_LARGE,
        "Zstandard of frames to skip, without end.",
        sending_forever(HEAD + b"Content-Encoding: zstd\r\n\r\n", bytes.fromhex("502a4d1800000000") * 10_000),
    ),
    Row(
        "/bomb-of-a-file",
        PAGE,
        "A bomb without a type is not decompressed.",
        lambda client: client.send(
            http(bombs.gzipped(), "Content-Encoding: gzip", type="Content-Type: application/zip")
        ),
    ),
]

# --- redirects -------------------------------------------------------------------------------------------------------


def to_another_name(client):
    """Redirects from host to host; all names are this machine's own, and none is looked up."""
    number = numbered(client) + 1
    port = client.site.ports["port"]
    location = f"http://n{number}.localhost:{port}/names/{number}" if number <= 3_000 else "/good/after-names"
    client.send(to(location, f"Set-Cookie: n{number}=1"))


def with_new_cookie(client):
    client.send(to(client.target, f"Set-Cookie: step={len(client.site.asked)}"))


def refreshed_with_new_cookie(client):
    client.send(http(START, f"Refresh: 0; url={client.target}", f"Set-Cookie: step={len(client.site.asked)}"))


def growing(client):
    client.send(to(client.target + "/" + "x" * 5_000))


REDIRECTS = [
    Row("/to-itself", TOO_MANY, "A redirect to itself.", to("/to-itself")),
    Row("/to-and", TOO_MANY, "There…", to("/fro")),
    Row("/fro", TOO_MANY, "… and back.", to("/to-and", status="301 Moved Permanently")),
    Row("/new-cookies", TOO_MANY, "To itself, with another cookie each time.", with_new_cookie),
    Row("/refresh-to", TOO_MANY, "A Refresh header there…", http(START, "Refresh: 0; url=/refresh-fro")),
    Row("/refresh-fro", TOO_MANY, "… and back.", http(START, "Refresh: 1;/refresh-to")),
    Row("/meta-to", TOO_MANY, "A meta refresh there…", http('<meta http-equiv=refresh content="0; url=/meta-fro">')),
    Row("/meta-fro", TOO_MANY, "… and back.", http('<meta http-equiv=refresh content="0; url=/meta-to">')),
    Row(
        "/refresh-cookies",
        TOO_MANY,
        "A page that reloads itself with another cookie each time.",
        refreshed_with_new_cookie,
    ),
    Row("/names", TOO_MANY, "3,000 redirects through 3,000 names.", to_another_name),
    Row("/longer", TOO_MANY, "To an address that grows with every step.", growing),
    Row("/to-nothing", BROKEN, "A redirect without an address.", http(b"", status="302 Found")),
    Row("/to-controls", PAGE, "Control characters in an address are escaped.", to("/good/\x01\x02\x7f"), title="Good"),
    Row(
        "/to-crlf", PAGE, "An address with an escaped line end stays one.", to("/good/%0d%0aSet-Cookie:x"), title="Good"
    ),
    Row("/to-65-kb", BROKEN, "An address of 65 KB.", to("/" + "x" * 65_536)),
    Row(
        "/to-and-more",
        PAGE,
        "A redirect with an answer behind it that nobody asked for.",
        lambda client: (
            client.send(
                to("/good/after-more").replace(b"Connection: close\r\n", b"") + http("<title>Smuggled</title>")
            ),
            client.site.serve(client.connection),
        ),
        title="Good",
    ),
    Row(
        "/to-two", PAGE, "Of two addresses the first counts.", to("/good/first", "Location: /good/second"), title="Good"
    ),
    *[
        Row(f"/to-{scheme}", OTHER_SCHEME, f"To {location}.", to(location))
        for scheme, location in [
            ("file", "file:///etc/passwd"),
            ("gopher", "gopher://127.0.0.1:6379/_FLUSHALL"),
            ("dict", "dict://127.0.0.1:11211/stats"),
            ("ftp", "ftp://127.0.0.1/"),
            ("javascript", "javascript:alert(1)"),
            ("data", "data:text/html,<title>x</title>"),
            ("ldap", "ldap://127.0.0.1/"),
            ("view-source", "view-source:http://127.0.0.1/"),
        ]
    ],
]

# --- inward ----------------------------------------------------------------------------------------------------------

INNER_HOSTS = [
    "127.0.0.2",
    "127.2",
    "0x7f.0.0.2",
    "0177.0.0.2",
    "2130706434",
    "127.0.0.2.",
    "%31%32%37.0.0.2",
    "[::1]",
    "[::ffff:127.0.0.2]",
    "[::127.0.0.2]",
    "[64:ff9b::127.0.0.2]",
    "0",
    "10.0.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "192.168.1.1",
    "127.0.0.1@127.0.0.2",
    "127.0.0.1:22",
    "127.0.0.1:6379",
]


def inward(host):
    return lambda client: client.send(
        to(
            f"http://{host}{'' if ':22' in host or ':6379' in host else ':' + str(client.site.ports['port'])}/good/inner"
        )
    )


INWARD = [
    Row(f"/inward-{number}", INNER, f"A redirect to {host}.", inward(host)) for number, host in enumerate(INNER_HOSTS)
] + [
    Row("/inner", INNER, "An address of this machine that is not opened.", url="http://127.0.0.2:{port}/inner"),
    Row(
        "/inner-refresh",
        INNER,
        "A refresh that leads inward.",
        http('<meta http-equiv=refresh content="0; url=http://10.0.0.1/">'),
    ),
]

# Pages that name a private address as their own, also AMP documents, whose original page is fetched first.
CANONICAL_INWARD = [
    Row(
        f"/canonical-{kind}-{number}",
        PAGE,
        f"A page that says it is a copy of one at {host}.",
        http(f'<html {attribute}><link rel=canonical href="http://{host}/inner">'.encode() + START),
        title="A beginning",
    )
    for kind, attribute in [("page", "lang=en"), ("amp", "amp")]
    for number, host in enumerate(["127.0.0.2", "10.0.0.1", "[::1]", "localhost", "2130706434", "127.0.0.1:22"])
]

# --- lies ------------------------------------------------------------------------------------------------------------


def typed(type):
    return f"Content-Type: {type}"


LIES = [
    Row("/page-as-picture", PAGE, "A page calls itself a picture.", http(START, type=typed("image/png"))),
    Row("/picture-as-page", PAGE, "A picture calls itself a page.", http(PNG * 100)),
    Row("/pdf-as-page", PAGE, "A broken PDF calls itself a page.", http(b"%PDF-1.7\n" + b"\0" * 5_000)),
    Row("/page-as-pdf", PAGE, "A page calls itself a PDF.", http(START, type=typed("application/pdf"))),
    Row("/zip-as-page", PAGE, "An archive calls itself a page.", http(b"PK\3\4" + bytes(5_000))),
    Row("/noise-as-page", PAGE, "Bytes of any kind call themselves a page.", http(bytes(range(256)) * 500)),
    Row("/no-type", PAGE, "A page has no type.", http(START, type=None), title="A beginning"),
    Row("/odd-type", PAGE, "A malformed type.", http(START, type=typed(";;;=,,")), title="A beginning"),
    Row(
        "/long-type",
        PAGE,
        "A type of 60 KB.",
        http(START, type=typed("text/html; x=" + "y" * 60_000)),
        title="A beginning",
    ),
    Row("/two-types", PAGE, "Of two types the first counts.", http(START, typed("image/png")), title="A beginning"),
    Row("/length-too-long", BROKEN, "Less comes than was announced.", HEAD + b"Content-Length: 5000\r\n\r\n" + START),
    Row(
        "/length-too-short",
        PAGE,
        "More comes than was announced.",
        HEAD + b"Content-Length: 41\r\n\r\n" + START,
        title="A beginning",
    ),
    Row("/length-negative", NO_HTTP, "A negative length.", HEAD + b"Content-Length: -1\r\n\r\n" + START),
    Row(
        "/length-huge",
        PAGE,
        "A length beyond 64 bits is ignored.",
        HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n" + START,
    ),
    Row("/length-of-letters", NO_HTTP, "A length in letters.", HEAD + b"Content-Length: many\r\n\r\n" + START),
    Row(
        "/two-lengths",
        PAGE,
        "Two different lengths.",
        HEAD + b"Content-Length: 41\r\nContent-Length: 66\r\n\r\n" + START,
        title="A beginning",
    ),
    Row(
        "/length-and-chunks",
        PAGE,
        "A length and chunks.",
        HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n42\r\n" + START + b"\r\n0\r\n\r\n",
        title="A beginning",
    ),
]

# --- broken ----------------------------------------------------------------------------------------------------------

BROKEN_ANSWERS = [
    Row("/chunk-size-wrong", BROKEN, "A chunk's size is no number.", CHUNKED + b"zz\r\nhello\r\n0\r\n\r\n"),
    Row("/chunk-size-missing", BROKEN, "A chunk has no size.", CHUNKED + b"\r\nhello\r\n0\r\n\r\n"),
    Row("/chunk-size-negative", BROKEN, "A chunk's size is negative.", CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n"),
    Row("/chunk-size-huge", BROKEN, "A chunk's size is beyond 64 bits.", CHUNKED + b"fffffffffffffffffff\r\nhello"),
    Row("/chunk-size-lies", BROKEN, "A chunk is longer than its size.", CHUNKED + b"3\r\nhello\r\n0\r\n\r\n"),
    Row("/chunk-cut", BROKEN, "A chunk ends in the middle.", CHUNKED + b"500\r\nhello"),
    Row("/no-last-chunk", BROKEN, "The last chunk does not come.", CHUNKED + b"5\r\nhello\r\n"),
    Row("/closed", BROKEN, "The connection closes without a word.", b""),
    Row("/closed-in-head", BROKEN, "The connection closes in the head.", HEAD + b"X-Mo"),
    Row("/reset", UNREACHED, "The connection is reset.", lambda client: client.reset()),
    Row(
        "/reset-in-body",
        BROKEN,
        "The connection is reset in the body.",
        lambda client: (client.send(HEAD + b"Content-Length: 5000\r\n\r\n" + START), client.wait(2), client.reset()),
    ),
    Row("/empty", PAGE, "No byte of a page, and that is well.", http(b"")),
    Row("/empty-without-length", PAGE, "A head, and then the end.", HEAD + b"\r\n"),
    Row("/http-0-9", NO_HTTP, "HTTP/0.9: a page without a head.", START),
    Row("/garbage", NO_HTTP, "No HTTP at all.", b"\0\1\2\3 what? \r\n\r\n"),
    Row("/no-status", NO_HTTP, "A status line without a status.", b"HTTP/1.1\r\n\r\n"),
    Row("/status-words", NO_HTTP, "A status in words.", b"HTTP/1.1 fine\r\n\r\n"),
    Row("/http-7", NO_HTTP, "A version yet to come.", b"HTTP/7.3 200 OK\r\n\r\n" + START),
    Row("/status-000", NO_HTTP, "Status 000.", http(status="000 Nothing")),
    Row("/status-099", NO_HTTP, "Status 099.", http(status="099 Nothing")),
    Row("/status-999", REFUSED_NOW, "Status 999.", http(status="999 No")),
    Row("/status-99999", NO_HTTP, "Status 99999.", http(status="99999 No")),
    Row(
        "/status-101",
        BROKEN,
        "Another protocol, which nobody asked for.",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\n\r\n" + START,
    ),
    Row("/status-204", PAGE, "No content.", b"HTTP/1.1 204 No Content\r\n\r\n"),
    Row(
        "/status-206",
        PAGE,
        "A part of a page, which nobody asked for.",
        http(START, "Content-Range: bytes 0-64/5000", status="206 Partial Content"),
        title="A beginning",
    ),
    Row("/status-304", BROKEN, "Not modified, though nobody has it.", b"HTTP/1.1 304 Not Modified\r\n\r\n"),
    Row("/status-300", BROKEN, "Many choices.", http(status="300 Multiple Choices")),
    Row(
        "/wait-for-ages",
        REFUSED_NOW,
        "Patience is asked for, beyond 64 bits.",
        http(b"", "Retry-After: 99999999999999999999999", status="503 Later"),
        # Under a host name of its own, because the fetcher avoids the whole host for a while.
        url="http://patience.localhost:{port}/wait-for-ages",
    ),
    Row("/nul-in-head", NO_HTTP, "A NUL in a header.", HEAD + b"X-Odd: a\0b\r\nContent-Length: 66\r\n\r\n" + START),
    Row(
        "/no-colon", NO_HTTP, "A header without a colon.", HEAD + b"no colon here\r\nContent-Length: 66\r\n\r\n" + START
    ),
    Row(
        "/no-name",
        PAGE,
        "A header without a name.",
        HEAD + b": nothing\r\nContent-Length: 66\r\n\r\n" + START,
        title="A beginning",
    ),
    Row(
        "/folded",
        PAGE,
        "A header over two lines.",
        HEAD + b"X-Long: a\r\n  and b\r\nContent-Length: 66\r\n\r\n" + START,
        title="A beginning",
    ),
    Row(
        "/lf-only",
        PAGE,
        "Lines end in LF.",
        HEAD.replace(b"\r", b"") + b"Content-Length: 66\n\n" + START,
        title="A beginning",
    ),
    Row("/cr-only", BROKEN, "Lines end in CR.", HEAD.replace(b"\n", b"") + b"\r" + START),
    Row(
        "/cookie-flood",
        PAGE,
        "3,000 cookies.",
        HEAD + b"".join(b"Set-Cookie: c%d=%s\r\n" % (n, b"v" * 40) for n in range(3_000)) + b"\r\n" + START,
        title="A beginning",
    ),
    Row("/cookie-of-1-mb", TOO_LARGE, "A cookie of 1 MB.", HEAD + b"Set-Cookie: c=" + b"v" * MB + b"\r\n\r\n" + START),
    Row(
        "/cookie-of-90-kb",
        PAGE,
        "A cookie of 90 KB.",
        HEAD + b"Set-Cookie: c=" + b"v" * 90_000 + b"\r\n\r\n" + START,
        title="A beginning",
    ),
]

# --- TLS and names ---------------------------------------------------------------------------------------------------

NAMES = [
    Row("/no-tls", UNREACHED, "What answers speaks no TLS.", url="https://127.0.0.1:{no_tls}/no-tls"),
    Row("/http-for-tls", UNREACHED, "An HTTP site is asked for TLS.", url="https://127.0.0.1:{port}/http-for-tls"),
    Row(
        "/tls-hangs-up",
        UNREACHED,
        "The handshake ends in a closed connection.",
        url="https://127.0.0.1:{hangs_up}/tls-hangs-up",
    ),
    Row("/old-tls", UNREACHED, "The handshake is refused.", url="https://127.0.0.1:{old_tls}/old-tls"),
    Row(
        "/self-signed",
        UNTRUSTED,
        "Nobody vouches for the certificate.",
        url="https://127.0.0.1:{self_signed}/self-signed",
    ),
    Row("/expired", UNTRUSTED, "The certificate has expired.", url="https://127.0.0.1:{expired}/expired"),
    Row(
        "/wrong-name", UNTRUSTED, "The certificate is another site's.", url="https://127.0.0.1:{wrong_name}/wrong-name"
    ),
    Row("/unused-port", UNREACHED, "Nobody listens.", url="http://127.0.0.1:{unused}/unused-port"),
    Row("/nowhere", NO_NAME, "A name that leads nowhere.", url="http://nowhere.invalid/nowhere"),
    Row("/to-nowhere", NO_NAME, "A redirect to such a name.", to("http://nowhere.invalid/to-nowhere")),
    Row("/long-label", NO_NAME, "A label of 70 letters.", url=f"http://{'a' * 70}.test/long-label"),
    Row("/empty-label", NO_NAME, "A label of no letter.", url="http://a..b.test/empty-label"),
    Row("/long-name", NO_NAME, "A name of 600 letters.", url=f"http://{'abcdefghi.' * 60}test/long-name"),
    Row("/no-host", NO_URL, "No name at all.", url="http:///"),
    Row("/blank-in-host", NO_URL, "A name with a blank.", url="http://a b/blank-in-host"),
    Row("/no-port", NO_URL, "A port beyond 65535.", url="http://127.0.0.1:99999/no-port"),
    Row("/other-scheme", OTHER_SCHEME, "Another scheme.", url="gopher://127.0.0.1/other-scheme"),
]

# --- text ------------------------------------------------------------------------------------------------------------

LATIN = page("Größe").encode("latin-1")
UNTOLD = '<meta charset="utf-8">'

TEXT = [
    Row("/latin-as-utf-8", PAGE, "Latin 1 calls itself UTF-8.", http(LATIN)),
    Row(
        "/utf-8-as-latin",
        PAGE,
        "UTF-8 calls itself Latin 1.",
        http(page("Größe"), type=typed("text/html; charset=iso-8859-1")),
    ),
    Row(
        "/ascii-as-utf-16",
        PAGE,
        "ASCII calls itself UTF-16 in its header.",
        http(page("Plain"), type=typed("text/html; charset=utf-16")),
    ),
    Row(
        "/meta-utf-16",
        PAGE,
        "ASCII calls itself UTF-16 in a meta, which it cannot be.",
        http(page("Plain").replace("utf-8", "utf-16"), type=typed("text/html")),
        title="Plain",
    ),
    Row(
        "/odd-utf-16",
        PAGE,
        "UTF-16 of half a character.",
        http(page("Plain").encode("utf-16") + b"x", type=typed("text/html")),
    ),
    Row(
        "/unknown-charset",
        PAGE,
        "A charset nobody knows.",
        http(page("Größe"), type=typed("text/html; charset=klingon")),
        title="Größe",
    ),
    Row(
        "/two-charsets",
        PAGE,
        "Of two charsets the first counts.",
        http(page("Größe"), type=typed("text/html; charset=utf-8; charset=utf-16")),
        title="Größe",
    ),
    Row(
        "/two-metas",
        PAGE,
        "Of two metas the first counts.",
        http(page("Größe").replace(UNTOLD, UNTOLD + '<meta charset="shift_jis">'), type=typed("text/html")),
        title="Größe",
    ),
    Row(
        "/utf-7",
        PAGE,
        "UTF-7, which is a trap.",
        http(
            page("Plain").replace("<p>", "<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-"),
            type=typed("text/html; charset=utf-7"),
        ),
        title="Plain",
    ),
    Row(
        "/no-utf-8",
        PAGE,
        "Bytes that are no UTF-8 in a title.",
        http(page("A title").encode().replace(b"A title", b"A \xff\xfe\xed\xa0\x80\xf4\x90\x80\x80 title")),
    ),
    Row(
        "/nested", PAGE, "100,000 elements in one another.", http("<title>Nested</title>" + "<div>" * 100_000 + "deep")
    ),
    Row(
        "/nested-tables", PAGE, "Tables in tables.", http("<title>Tables</title>" + "<table><tr><td>" * 10_000 + "deep")
    ),
    Row(
        "/formatting",
        PAGE,
        "Formatting that is never closed.",
        http("<title>Bold</title>" + "<b><i><a href=x>" * 2_000 + "<p>x" * 2_000),
    ),
    Row(
        "/attribute-of-1-mb",
        PAGE,
        "An attribute of 1 MB.",
        http(page("Wide").replace("<p>", f'<p title="{"x" * MB}">', 1)),
        title="Wide",
    ),
    Row(
        "/attributes",
        PAGE,
        "100,000 attributes.",
        http("<title>Many</title><p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x"),
        title="Many",
    ),
    Row(
        "/word-of-9-mb",
        PAGE,
        "One word of 9 MB.",
        lambda client: client.send(http(b"<title>Word</title><p>" + b"x" * 9 * MB)),
        title="Word",
    ),
    Row(
        "/title-of-1-mb",
        PAGE,
        "A title of 1 MB.",
        http(page("x").replace("<h1>x</h1>", "").replace(">x<", f">{'long ' * 200_000}<")),
    ),
    Row("/title-with-nul", PAGE, "A title with NULs.", http(page("A\0 \0title"))),
    Row(
        "/title-of-surrogates",
        PAGE,
        "A title with halves of characters.",
        http(page("A&#xD800; title&#xDFFF;&#x110000;&#0;")),
    ),
    Row(
        "/title-of-controls",
        PAGE,
        "A title with controls, also of the direction of writing.",
        http(page("A\u202e\u2066 title\x07\x1b[31m\u0085")),
    ),
    Row("/unclosed", PAGE, "A comment without end.", http("<title>Open</title><!-- " + "x" * MB), title="Open"),
    Row(
        "/ld-nested",
        PAGE,
        "Structured data, 500,000 deep.",
        http(f'<title>Deep</title><script type="application/ld+json">{"[" * 500_000}</script>' + page("x")),
    ),
    Row(
        "/ld-objects",
        PAGE,
        "Structured data of objects in one another.",
        http(
            '<title>Deep</title><script type="application/ld+json">' + '{"@graph":' * 50_000 + "</script>" + page("x")
        ),
    ),
    Row(
        "/ld-many",
        PAGE,
        "10,000 pieces of structured data.",
        http(
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"x"}</script>'
            * 10_000
            + page("x")
        ),
    ),
    Row(
        "/metas",
        PAGE,
        "100,000 metas.",
        http(
            "<title>Metas</title>"
            + '<meta property="og:title" content="x"><meta name="author" content="y">' * 50_000
            + page("x")
        ),
    ),
    Row("/templates", PAGE, "Templates in one another.", http("<title>Templates</title>" + "<template>" * 20_000)),
    Row(
        "/frames",
        PAGE,
        "Markup of other kinds in one another.",
        http("<title>Kinds</title>" + "<svg><foreignObject><math><mtext>" * 5_000),
    ),
    Row(
        "/billion-laughs",
        PAGE,
        "Entities of XML in entities.",
        http(
            '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><html xmlns="http://www.w3.org/1999/xhtml">'
            "<title>Laughs</title><p>&b;</p></html>",
            type=typed("application/xhtml+xml"),
        ),
        title="Laughs",
    ),
    Row(
        "/ampersands",
        PAGE,
        "A refresh of nothing but ampersands.",
        http(f"<meta http-equiv=refresh content='0;url={'&' * 100_000}'>"),
    ),
    Row(
        "/entities",
        PAGE,
        "A million references.",
        http("<title>References</title><p>" + "&amp;&notit;&#x41" * 100_000),
        title="References",
    ),
]

GOOD = Row("/good", PAGE, "A page.", http(page("Good")), title="Good")

HOSTILE = [*SLOW, *ENDLESS, *PACKED, *REDIRECTS, *INWARD, *CANONICAL_INWARD, *LIES, *BROKEN_ANSWERS, *NAMES, *TEXT]
ALL = [*HOSTILE, GOOD]
