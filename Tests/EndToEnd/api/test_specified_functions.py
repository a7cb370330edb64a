"""The functions that the clients' specification calls normalizeUrl, detectDuplicates and decodeHtmlEntities, case by
case."""

import pytest

from support.deduplication import post


@pytest.fixture
def key(admin):
    return lambda url: admin.execute("select rest.dedupe_key(%s)", (url,)).fetchone()[0]


@pytest.mark.parametrize(
    "one,other",
    [
        ("https://example.com/a?utm_source=x", "https://example.com/a"),
        (
            "https://example.com/a?utm_source=x&utm_medium=y&utm_campaign=z&utm_term=t&utm_content=c",
            "https://example.com/a",
        ),
        ("https://example.com/a?id=1&utm_source=x&page=2", "https://example.com/a?id=1&page=2"),
        ("https://example.com/a/", "https://example.com/a"),
        ("https://example.com/", "https://example.com"),
        ("https://example.com/a/?utm_source=x", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
    ],
)
def test_normalize_url_removes_tracking_parameters_and_the_final_slash(key, one, other):
    assert key(one) is not None and key(one) == key(other)


@pytest.mark.parametrize(
    "one,other",
    [
        ("https://example.com/a", "https://example.com/b"),
        ("https://example.com/a?id=1", "https://example.com/a?id=2"),
        ("https://example.com/a", "https://other.example.com/a"),
        ("https://example.com/a", "https://example.com/A"),
    ],
)
def test_normalize_url_keeps_what_distinguishes_pages(key, one, other):
    assert key(one) != key(other)


def test_normalize_url_of_a_text_that_is_not_a_url_is_null(key):
    assert [key(text) for text in ("", "no url", "about:blank", "mailto:a@example.com")] == [None] * 4


@pytest.mark.parametrize(
    "known,saved",
    [
        ({"raw_url": "https://127.0.0.2/a"}, "https://127.0.0.2/a?utm_source=x"),
        ({"raw_url": "https://127.0.0.2/short", "resolved_url": "https://127.0.0.2/a"}, "https://127.0.0.2/a"),
        (
            {"raw_url": "https://127.0.0.2/short", "resolved_url": "https://127.0.0.2/a"},
            "https://127.0.0.2/a/?utm_medium=y",
        ),
    ],
)
def test_detect_duplicates_looks_at_raw_and_resolved_urls_and_brings_the_known_one_back(alice, known, saved):
    first = post(alice, known | {"created_at": "2025-01-01T00:00:00Z"}).json()[0]
    answer = post(alice, {"raw_url": saved})
    assert answer.status == 200 and answer.json()[0]["id"] == first["id"]
    assert answer.json()[0]["updated_at"] > first["updated_at"] and len(alice.links()) == 1


def test_detect_duplicates_compares_links_of_one_user(alice, bob):
    post(alice, {"raw_url": "https://127.0.0.2/a"})
    assert post(bob, {"raw_url": "https://127.0.0.2/a"}).status == 201


@pytest.mark.parametrize(
    "sent,shown",
    [
        ("It&#039;s", "It's"),
        ("&quot;a&quot;", '"a"'),
        ("A &amp; B", "A & B"),
        ("&lt;b&gt;", "<b>"),
        ("it&apos;s", "it's"),
        ("a&nbsp;b", "a\u00a0b"),
        ("a&mdash;b&ndash;c&hellip;", "a—b–c…"),
        ("&ldquo;a&rdquo; &lsquo;b&rsquo;", "“a” ‘b’"),
        ("&#8217;&#39;&#x27;", "’''"),
        ("AT&T", "AT&T"),
        ("&amp;amp;", "&amp;"),
        ("no entities", "no entities"),
        ("", ""),
    ],
)
def test_decode_html_entities_decodes_once(admin, sent, shown):
    assert admin.execute("select rest.decode_entities(%s)", (sent,)).fetchone() == (shown,)
