"""The Markdown of `lectern extract`: a CommonMark parser reads exactly the article from it."""

import gzip
import json
import os

import pytest

from support.extract_command import URL, answers, extract, line, one, without_front_matter
from support.markdown_pages import difference, documents, parser
from support.paths import CHECKOUT, PAGES

BENCHMARK = CHECKOUT.parent / "shared/extraction-benchmark"
SEED = os.environ.get("LECTERN_TEST_SEED", "1")
# Enough text that the rest of the page belongs to the article.
ARTICLE = "<p>" + "Words of an article, and more of them, in sentences that go on for a while. " * 8 + "</p>"


def article(html):
    return f"<html><head><title>A title</title></head><body><article>{ARTICLE}{html}{ARTICLE}</article></body></html>"


def markdown(html, *arguments):
    """The Markdown of some HTML in the middle of an article."""
    whole = without_front_matter(extract("--url", URL, "--format", "markdown", *arguments, said=article(html)))
    words = ARTICLE[3:-5]
    before, inside, after = whole.split(words)
    assert before.strip() == after.strip() == ""
    return inside.strip("\n")


def read_back(pages):
    """The pages whose Markdown differs from their article, each with the first difference."""
    found = answers("\n".join(line(name, html, url) for name, url, html in pages), "--format", "markdown", timeout=300)
    with_article = [answer for answer in found if "markdown" in answer]
    assert len(found) == len(pages) and len(with_article) > len(pages) / 2
    return {
        answer["id"]: (different, answer["content"][:2000], answer["markdown"][:2000])
        for answer in with_article
        if (different := difference(answer["content"], answer["markdown"]))
    }


def pages_of(folder):
    if not folder.is_dir():
        reason = f"the pages are not there: {folder}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


# Round trips


@pytest.mark.timeout(900)
def test_random_documents_survive_a_round_trip_through_markdown():
    made = documents(2_500, SEED)
    wrong = read_back([(str(number), URL, article(html)) for number, html in enumerate(made)])
    assert not wrong, f"{len(wrong)}, seed {SEED}: {next(iter(wrong.values()))}"


@pytest.mark.timeout(900)
def test_articles_of_readabilitys_pages_survive_a_round_trip():
    folders = sorted(pages_of(PAGES).glob("*/source.html"))
    wrong = read_back(
        [(page.parent.name, "http://fakehost/test/page.html", page.read_text(errors="replace")) for page in folders]
    )
    assert not wrong, list(wrong.items())[:1]


@pytest.mark.timeout(900)
def test_articles_of_the_benchmarks_pages_survive_a_round_trip():
    truth = json.loads((pages_of(BENCHMARK) / "ground-truth.json").read_text())
    wrong = read_back(
        [
            (
                name,
                truth[name].get("url") or URL,
                gzip.open(BENCHMARK / f"html/{name}.html.gz", "rt", encoding="utf-8").read(),
            )
            for name in sorted(truth)
        ]
    )
    assert not wrong, list(wrong.items())[:1]


# Style


@pytest.mark.parametrize(
    "attributes, language",
    [
        ('><code class="language-swift"', "swift"),
        ('class="lang-c++"><code', "c++"),
        ('class="brush: js; toolbar: false"><code', "js"),
        ('class="sourceCode python"><code', "python"),
        ('><code class="hljs rust"', "rust"),
        ('data-lang="go"><code', "go"),
        ('class="language-none"><code', ""),
        ("><code", ""),
        ('class="language-a`b"><code', ""),
    ],
)
def test_code_keeps_the_language_of_its_class(attributes, language):
    html = f"<pre {attributes}>let x = `1`\n\n  &lt;b&gt;\n</code></pre>"
    assert markdown(html) == f"```{language}\nlet x = `1`\n\n  <b>\n```"
    assert "class" not in one(article(html))["content"].replace('class="page"', "")


def test_the_language_on_an_element_around_the_code_is_kept():
    assert markdown(
        '<div class="highlight highlight-source-ruby"><pre>puts 1, "and more than that"</pre></div>'
    ).startswith("```ruby\n")


def test_compat_mode_writes_no_languages():
    content = one(article('<pre class="lang-go">x := 1</pre>'), "--mode", "compat")["content"]
    assert "<pre>x := 1</pre>" in content


def test_footnotes_are_footnotes():
    html = (
        '<p>Trees<sup id="r1"><a href="#n1">1</a></sup> and<a href="#n2" id="r2"><sup>[2]</sup></a> houses<sup><a href="#n1">1</a></sup>'
        ' and<sup><a href="#nowhere">3</a></sup>.</p>'
    )
    notes = '<ol><li id="n1"><p>On trees. <a href="#r1">↩</a></p><p>More.</p></li><li id="n2"><b><a href="#r2">^</a></b> On houses.</li></ol>'
    inside = markdown(html + notes)
    assert inside == (
        "Trees[^1] and[^2] houses[^1] and<sup>[3](#nowhere)</sup>.\n\n[^1]: On trees.\n\n    More.\n\n[^2]: On houses."
    )
    tokens = parser().parse(inside)
    assert sum(token.type == "footnote_open" for token in tokens) == 2


def test_notes_that_begin_with_an_anchor_are_footnotes_and_links_to_sections_are_not():
    inside = markdown(
        '<p>One<sup><a href="#fn" name="ref">*</a></sup>, see <a href="#part">part</a>.</p><p id="part">A part, with words.</p>'
        '<p><a name="fn" href="#ref">*</a> A note.</p>'
    )
    assert inside == "One[^1], see [part](#part).\n\nA part, with words.\n\n[^1]: A note."


def test_video_and_audio_become_links():
    inside = markdown('<p>See</p><iframe src="https://www.youtube.com/embed/abc_d" title="A film"></iframe>')
    page = "https://www.youtube.com/watch?v=abc_d"
    assert inside == f"See\n\n[![](https://i.ytimg.com/vi/abc_d/hqdefault.jpg)]({page})\n\n*[▶ A film]({page})*"
    assert (
        markdown('<p>See</p><audio src="/a.mp3" title="A song"></audio>')
        == "See\n\n*[▶ A song](http://example.org/a.mp3)*"
    )


# Limits


def test_a_large_article_takes_seconds():
    page = article("".join(documents(500, SEED)) * 30)
    assert len(page) > 5_000_000
    assert len(extract("--url", URL, "--format", "markdown", said=page, timeout=300)) > 2_000_000


@pytest.mark.parametrize(
    "nested, inside",
    [
        ("<blockquote>", "<p>word</p>"),
        ("<ul><li>", "<p>word</p>"),
        ("<ol start=999999999><li>", "<p>word</p>"),
        ("<b><i><s>", "<p>word</p>"),
        ("<table><tr><td>", "word<br>"),
        ("<dl><dd>", "<pre>word\n\nword</pre>"),
        ("<a href=x>", "<div>word</div>"),
        ("<code><sup>", "word <p>"),
    ],
)
def test_nesting_is_bounded_without_losing_words(nested, inside):
    html = nested * 100 + inside * 5_000
    whole = without_front_matter(extract("--url", URL, "--format", "markdown", said=article(html), timeout=240))
    content = one(article(html), timeout=240)["content"]
    assert len(whole) < 12 * len(content)
    assert whole.count("word") == content.count("word") and whole.count("word") >= 5_000


def test_a_page_without_an_article_gives_an_empty_line():
    assert extract("--url", URL, "--format", "markdown", said="") == "\n"
