"""Every label of the Encoding standard names the same encoding, and decodes the same characters, as in a browser."""

import json
import subprocess

import pytest
from webencodings.labels import LABELS

from support import web_server
from support.paths import PROGRAMS

# Further labels of the standard, which ignores case and surrounding blanks.
NEWER = {
    "unicode11utf8": "utf-8",
    "unicode20utf8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "csunicode": "utf-16le",
    "iso-10646-ucs-2": "utf-16le",
    "ucs-2": "utf-16le",
    "unicode": "utf-16le",
    "unicodefeff": "utf-16le",
    "unicodefffe": "utf-16be",
    "iso-2022-cn": "replacement",
    "iso-2022-cn-ext": "replacement",
    "replacement": "replacement",
    " Latin1 ": "windows-1252",
    "Utf8": "utf-8",
    "SJIS": "shift_jis",
}
KNOWN = LABELS | NEWER
# Words in multi-byte encodings. In all others, every byte that is a letter in most of them is read.
WORDS = {
    "big5": "海為什麼是鹹的",
    "gbk": "海为什么是咸的",
    "gb18030": "海为什么是咸的㐀",
    "euc-jp": "海はなぜ塩辛いのか",
    "shift_jis": "海はなぜ塩辛いのか",
    "iso-2022-jp": "海はなぜ塩辛いのか",
    "euc-kr": "바다는 왜 짤까 똠방각하",
    "utf-8": "Größe море 海 🍵",
    "utf-16le": "Größe море 海 🍵",
    "utf-16be": "Größe море 海 🍵",
}
PYTHON = {"euc-kr": "cp949", "shift_jis": "cp932", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}

# Characters that ICU 72 maps to private use or lacks: those of HKSCS 2004 and later, those of GB 18030-2022, and the
# control character that 0x80 is in Shift_JIS.
OLDER = {"big5": 161, "gbk": 19, "shift_jis": 63}


def encoded(text, encoding):
    return text.encode(PYTHON.get(encoding, encoding) if encoding in WORDS else "latin-1")


def letters(encoding):
    return encoded(WORDS[encoding], encoding) if encoding in WORDS else bytes(range(0x80, 0x100))


def as_title(text):
    """Removes what titles do not keep: blanks at the ends, and marks that change the direction of the text."""
    return " ".join(text.replace("\u200e", "").replace("\u200f", "").split())


def page(encoding, declaration=""):
    title, end = [encoded(tag, encoding) for tag in (f"{declaration}<title>", "</title>")]
    return title + letters(encoding) + end


@pytest.fixture(scope="module")
def standard(chromium):
    """Label → the name of its encoding and its characters, or None if browsers read nothing in that encoding."""
    return chromium.execute_script(
        """
        const read = (label, bytes) => {
            const decoder = new TextDecoder(label);
            return [decoder.encoding, decoder.decode(Uint8Array.from(bytes))];
        };
        return Object.fromEntries(Object.entries(arguments[0]).map(([label, bytes]) => {
            try { return [label, read(label, bytes)]; } catch { return [label, null]; }
        }));""",
        {label: list(letters(encoding)) for label, encoding in KNOWN.items()},
    )


@pytest.fixture(scope="module")
def read():
    """Runs `lectern resolve` on pages, given as key → (Content-Type, bytes), and returns the results by key."""
    pages = {}

    class Handler(web_server.Handler):
        def do_GET(self):
            type, body = pages[self.path]
            self.answer(body, type)

    def read(wanted):
        keys = list(wanted)
        pages.update({f"/{number}": wanted[key] for number, key in enumerate(keys)})
        urls = "".join(f"{server.url}/{number}\n" for number in range(len(keys)))
        done = subprocess.run(
            [PROGRAMS / "lectern", "resolve", "--allow", "127.0.0.1"],
            input=urls,
            capture_output=True,
            text=True,
            timeout=240,
            check=True,
        )
        rows = [json.loads(line) for line in done.stdout.split("\n") if line]
        return {key: (row["charset"], as_title(row["title"] or "")) for key, row in zip(keys, rows, strict=True)}

    with web_server.WebServer(Handler) as server:
        yield read


def test_the_label_table_equals_the_standard(standard):
    assert len(standard) == len(KNOWN) > 225
    # Since then the standard has disabled two more encodings.
    unread = {"replacement", "hz-gb-2312", "iso-2022-kr"}
    assert {found[0] for found in standard.values() if found} == set(KNOWN.values()) - unread
    assert {KNOWN[label] for label, found in standard.items() if not found} == unread


def test_every_label_in_the_header_is_read_as_in_a_browser(standard, read):
    found = read({label: (f'text/html; charset="{label}"', page(KNOWN[label])) for label in standard})
    for label, expected in standard.items():
        if expected:
            # All characters of that encoding are private use, which no title contains.
            text = "" if expected[0] == "x-user-defined" else as_title(expected[1])
            assert found[label] == (expected[0], text), label
        else:
            # Markup can be hidden in these encodings, so nothing of the page is read.
            assert found[label][0] == "replacement" and not found[label][1].strip("\ufffd"), label


@pytest.mark.parametrize("encoding", ["big5", "gbk", "euc-jp", "shift_jis", "euc-kr"])
def test_every_two_byte_character_is_decoded_as_the_standard_says(chromium, read, encoding):
    letters = chromium.execute_script(
        """
        const decoder = new TextDecoder(arguments[0]);
        const read = bytes => Array.from(decoder.decode(Uint8Array.from(bytes)), letter => letter.codePointAt(0));
        return Array.from({ length: 126 * 191 }, (_, n) => [Math.floor(n / 191) + 0x81, n % 191 + 0x40]).map(bytes => [bytes, read(bytes)])
            // No letters, or an ASCII one behind something else.
            .filter(([_, found]) => !found.some(letter => letter === 0xfffd || letter < 0x80));""",
        encoding,
    )
    expected = {bytes(pair): as_title("".join(map(chr, found))) for pair, found in letters}
    rows = {lead: [pair for pair in expected if pair[0] == lead] for lead in {pair[0] for pair in expected}}
    found = read(
        {
            lead: (f"text/html; charset={encoding}", b"<title>q" + b"q".join(pairs) + b"q</title>")
            for lead, pairs in rows.items()
        }
    )
    ours = {
        pair: as_title(text)
        for lead, pairs in rows.items()
        for pair, text in zip(pairs, found[lead][1].split("q")[1:-1], strict=True)
    }
    assert len(expected) > 6_000
    different = {pair.hex(): ours[pair] for pair, letter in expected.items() if letter != ours[pair]}
    assert len(different) <= OLDER.get(encoding, 0) and all(
        any("\ue000" <= c <= "\uf8ff" or c == "\ufffd" for c in text) for text in different.values()
    ), different


def as_declared_in_the_page(encoding):
    """A page readable up to its declaration is not in UTF-16, and x-user-defined is never meant."""
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(encoding, encoding)


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="{}">',
        "<meta content='text/html; charset={}' http-equiv=Content-Type>",
        '<?xml version="1.0" encoding="{}"?>',
        # Declared twice: the first counts.
        '<meta charset={}><meta charset="koi8-r">',
        '<!-- <meta charset="koi8-r"> --><meta charset="{}">',
    ],
    ids=["meta", "http-equiv", "xml", "twice", "behind a comment"],
)
def test_every_label_in_the_page_is_read_as_in_a_browser(standard, read, declaration):
    labels = [label for label, expected in standard.items() if expected and label.strip() == label]
    meant = {label: as_declared_in_the_page(standard[label][0]) for label in labels}
    found = read({label: ("text/html", page(meant[label], declaration.format(label))) for label in labels})
    texts = {found[0]: as_title(found[1]) for found in standard.values() if found}
    for label in labels:
        assert found[label] == (meant[label], texts[meant[label]]), label


def test_an_impossible_charset_declaration_is_ignored(read):
    text = "Größe море 海 🍵, und dies ist mehr als nur ein Wort."
    body = f"<title>{text}</title>".encode()
    found = read(
        {
            label: (f"text/html; charset={label}", body)
            for label in ["windows-1252", "us-ascii", "nonsense", "utf-16", "utf8mb4", ""]
        }
    )
    assert set(found.values()) == {("utf-8", text)}, found
