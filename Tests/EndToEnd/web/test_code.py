"""The colours of code in the reading view."""

import pytest

from support.browser import ListPage, watched
from support.client import wait_until
from support.reader import SELECT, send_page

PROSE = "<p>Words about code that are long enough to be an article of some length. {}</p>".format("More words. " * 40)
SWIFT = "let name = &quot;a &lt;b&gt;&quot; // why\nfunc greet() {\n    print(name, 42)\n}"
PAGE = """<html lang=en><head><title>{0}</title></head><body><article><h1>{0}</h1>{1}</article></body></html>"""
CODE = f"""{PROSE}
<pre><code class="language-swift">{SWIFT}</code></pre>{PROSE}
<pre><code>def total(prices):
    # Adds them up.
    return sum(price for price in prices if price is not None)</code></pre>{PROSE}
<pre>A poem in lines,
if only for the form,
has no return.</pre>{PROSE}
<pre class="lang-sh"><code>export WHEEL=1</code></pre>
<pre><code class="language-nosuch">let it = be</code></pre>"""

# The colours of code: kind → texts, in the order of the article.
COLOURS = """
    return Object.fromEntries([...CSS.highlights].filter(([name]) => name.startsWith('code-')).map(([name, ranges]) =>
        [name.slice(5), [...ranges].map((one) => {
            const range = document.createRange();
            range.setStart(one.startContainer, one.startOffset);
            range.setEnd(one.endContainer, one.endOffset);
            return [range.getBoundingClientRect().top, range.toString()];
        }).sort((a, b) => a[0] - b[0]).map(([, text]) => text)]));
"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def reader(browser, alice):
    link = send_page(alice, PAGE.format("Code", CODE))
    yield from watched(browser, lambda: browser.sign_in(alice, f"#/link/{link}"))


def coloured(reader, *texts):
    def probe():
        found = reader.script(COLOURS)
        return all(text in str(found) for text in texts) and found

    return wait_until(probe, every=0.05)


def test_code_has_colours_by_its_language_and_other_preformatted_text_has_none(reader):
    found = coloured(reader, "Adds them up", "export")
    assert found["comment"] == ["// why", "# Adds them up."]
    assert found["string"] == ['"a <b>"'] and found["number"] == ["42"]
    assert found["keyword"][:2] == ["let", "func"] and {"def", "return"} < set(found["keyword"])
    # A short one tells nothing by itself.
    assert "export" in found["title"] + found["keyword"]
    assert "A poem" not in str(found) and "it" not in found["keyword"]
    # The text is untouched, and keeps its colours when a highlight splits its nodes.
    assert reader.script("return document.querySelectorAll('.body pre *:not(code)').length") == 0
    reader.script(SELECT, "greet", "print")
    reader.see("#selection-toolbar [data-color=green]").click()
    wait_until(lambda: reader.all(".body pre mark"), every=0.05)
    found = wait_until(lambda: (now := reader.script(COLOURS)).get("number") == ["42"] and now, every=0.05)
    assert found["keyword"][:2] == ["let", "func"]
    reader.script("document.querySelector('#back').click()")
    reader.see("#list")
    wait_until(lambda: reader.script(COLOURS) == {}, every=0.05)


def test_code_that_takes_too_long_is_left_as_it_is(reader, alice):
    coloured(reader, "Adds them up")
    # The worker does not answer for this block, as with an expression that backtracks for ever.
    reader.script("""
        const send = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message) {
            if (!message.text.includes('slow')) send.call(this, message);
        };
    """)
    code = (
        "<pre><code>def {0}(items):\n    # {0}\n    for item in items:\n        if item is not None:\n"
        "            print(item)\n    return '{0}'</code></pre>"
    )
    slow, quick = code.format("slow"), code.format("quick")
    page = PAGE.format("Slow", PROSE + quick + slow + quick)
    reader.open(f"#/link/{send_page(alice, page)}")
    reader.see("#reader h1", "Slow")
    found = wait_until(lambda: (now := reader.script(COLOURS)).get("string") == ["'quick'", "'quick'"] and now)
    assert "slow" not in str(found)


def test_what_knows_languages_is_loaded_only_for_code(browser, alice):
    browser.only_on_the_server("the browser does not list the files of an extension")
    browser.sign_in(alice, f"#/link/{send_page(alice, PAGE.format('Prose', PROSE * 3))}")
    browser.see("#reader .body", "Words about code")
    names = browser.script("return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert "/reader/code/set-up.js" in names and "/reader/code/code-colours.js" not in names
    assert "/reader/code/languages.js" not in names


def test_the_languages_come_with_their_licence(lectern):
    script = lectern.send("GET", "/reader/code/languages.js")
    assert script["content-type"].startswith("text/javascript") and b"registerLanguage('swift'" in script.body
    assert b"BSD" in lectern.send("GET", "/reader/code/licence.txt").body


def test_code_that_is_wider_than_the_screen_is_in_the_order_of_the_keyboard(reader):
    reader.see("#reader .body pre")
    focusable = "return [...document.querySelectorAll('.body pre')].map((one) => one.tabIndex)"
    wait_until(lambda: reader.script(focusable) == [-1, 0, -1, -1, -1], every=0.05)
    # In pages, its lines are broken.
    reader.script("document.querySelector('#text-settings [name=layout][value=pages]').click()")
    wait_until(lambda: reader.script(focusable) == [-1] * 5, every=0.05)
