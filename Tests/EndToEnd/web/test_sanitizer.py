"""Sanitized HTML is harmless in a real browser, even without a Content-Security-Policy.

Hundreds of attacks and thousands of combinations of them go through `lectern text sanitize`. Chromium then parses the
results in every way a page may parse them, while calls, violations and requests are recorded. The same attacks
unsanitized show that the recording works.
"""

import json
import os
import subprocess

import pytest

from support import web_server
from support.client import wait_until
from support.paths import PROGRAMS
from support.xss_vectors import combinations, fill, vectors

COMBINATIONS = 30_000 if os.environ.get("LECTERN_TEST_LONG") else 3_000
SEED = os.environ.get("LECTERN_TEST_SEED", "1")
# Requests relative to this URL fail at once without being sent: browsers refuse the port.
PAGE = "http://127.0.0.1:1/folder/page?x=1"
BATCH = 1_200
POLICY = (
    "script-src 'nonce-ours'; script-src-attr 'none'; style-src-elem 'none'; object-src 'none'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; connect-src 'self'; font-src 'none'; manifest-src 'none'; worker-src 'none'; require-trusted-types-for 'none'"
)

ELEMENTS = set(
    """a abbr acronym address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn
    div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark ol p picture pre q rp rt ruby s samp
    section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr""".split()
)
ATTRIBUTES = set(
    """abbr align alt cite colspan controls datetime dir height href id lang media open poster preload rel reversed rowspan scope
    sizes span src srcset start style title type value width
    accent accentunder alttext columnalign columnspan display displaystyle fence form largeop linethickness mathvariant movablelimits separator
    stretchy symmetric""".split()
)

# In every page: reports executions to the top page, and follows no link that leads elsewhere.
WATCH = """
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => top.hit(`${name}()`);
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => top.violations.push([effectiveDirective, blockedURI, sample]));
if (window !== top) window.hit = (vector) => top.hit(vector);
"""
STAY = """
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (link && /^(https?|mailto):/.test(link.protocol)) event.preventDefault();
}, true);
"""

HARNESS = """
window.hits = new Set(); window.violations = [];
window.hit = (vector) => { hits.add(vector); };
addEventListener('message', ({ data }) => hit(data));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const EVENTS = ['click', 'mouseover', 'mouseenter', 'mousemove', 'pointerover', 'pointerdown', 'focus', 'focusin', 'keydown', 'wheel', 'toggle',
  'load', 'error', 'animationstart', 'transitionend'];

function poke(root) {
  for (const element of root.querySelectorAll('*')) {
    try {
      for (const type of EVENTS) element.dispatchEvent(new Event(type, { cancelable: true }));
      for (const { name } of [...element.attributes ?? []]) {
        if (name.startsWith('on')) element.dispatchEvent(new Event(name.slice(2), { cancelable: true }));
      }
      if (element.localName === 'details') element.open = true;
      element.focus?.(); element.click?.();
      if (!element.click) element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    } catch (error) { if (!element.isConnected) continue; }
  }
}

// What a browser makes of a text in each way that pages have to read it.
const WAYS = {
  again: (text) => {
    const one = document.createElement('div'), two = document.createElement('div');
    one.innerHTML = text;
    two.innerHTML = one.innerHTML;
    return two.innerHTML;
  },
  article: (text) => { const one = document.createElement('article'); one.insertAdjacentHTML('beforeend', text); return one.innerHTML; },
  template: (text) => { const one = document.createElement('template'); one.innerHTML = text; return one.innerHTML; },
  range: (text) => {
    const range = document.createRange(), box = document.createElement('div');
    range.selectNode(document.body);
    box.append(range.createContextualFragment(text));
    return box.innerHTML;
  },
  document: (text) => new DOMParser().parseFromString(`<!doctype html><body>${text}`, 'text/html').body.innerHTML,
  quirks: (text) => new DOMParser().parseFromString(`<body>${text}`, 'text/html').body.innerHTML,
};

// Formulas hold elements of formulas, and those that hold text hold nothing else.
const MATH = new Set(('math mi mn mo ms mtext mrow mfrac msqrt mroot mstyle mphantom msub msup msubsup munder mover munderover mmultiscripts '
  + 'mtable mtr mtd mspace mprescripts none').split(' '));
const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
function isFormula(element) {
  if (element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML' || !MATH.has(element.localName)) return false;
  if ((element.localName === 'math') === (element.parentNode.namespaceURI === element.namespaceURI)) return false;
  if (TOKENS.has(element.localName)) return element.childElementCount === 0;
  return [...element.childNodes].every((child) => child.nodeType === Node.ELEMENT_NODE && child.namespaceURI === element.namespaceURI);
}

async function insert(texts, elements, attributes, ways = Object.keys(WAYS)) {
  const changed = [], strange = [], known = [new Set(elements), new Set(attributes)];
  const stage = document.querySelector('main');
  for (const [number, text] of texts) {
    const box = document.createElement('div');
    stage.append(box);
    box.innerHTML = text;
    if (box.innerHTML !== text) changed.push([number, 'inserted', box.innerHTML]);
    for (const way of ways) {
      const made = WAYS[way](text);
      if (made !== text) changed.push([number, way, made]);
    }
    for (const element of box.querySelectorAll('*')) {
      const name = element.localName;
      const told = (what) => strange.push([number, what, element.outerHTML.slice(0, 200)]);
      const isPlain = known[0].has(name) && element.namespaceURI === 'http://www.w3.org/1999/xhtml';
      if (!isPlain && !isFormula(element)) told('element');
      for (const { name, value } of element.attributes) {
        if (!known[1].has(name)) told('attribute');
        if (name === 'id' && !value.startsWith('lct-')) told('id');
        if (['src', 'poster', 'cite'].includes(name) && !/^(https?:[/][/]|data:image[/][a-z-]+;base64,[A-Za-z0-9+/=]*$)/.test(value)) told('address');
        if (name === 'style' && !/^[a-z0-9:; -]+$/.test(value)) told('style');
      }
      if (element.hasAttribute('href') && !['http:', 'https:', 'mailto:'].includes(element.protocol)) told('link');
      if (element.hasAttribute('href') !== (element.rel === 'noopener noreferrer')) told('rel');
    }
  }
  await pause(300);
  poke(stage);
  await pause(300);
  stage.replaceChildren();
  return { changed, strange };
}

function framed(path, patience) {
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals';
  frame.src = path;
  document.querySelector('main').append(frame);
  return new Promise((resolve) => { frame.onload = () => resolve(frame); setTimeout(() => resolve(frame), patience); });
}

async function visitAll(paths, patience) {
  const read = {};
  for (const frame of await Promise.all(paths.map((path) => framed(path, patience)))) {
    try {
      const page = frame.contentDocument;
      for (const box of page.querySelectorAll('[data-number]')) read[box.dataset.number] = box.innerHTML;
      poke(page);
    } catch (error) { continue; }
  }
  await pause(400);
  document.querySelector('main').replaceChildren();
  return read;
}
"""


class Site(web_server.WebServer):
    """Serves the pages of the test and records all other requests with their destination."""

    def __init__(self):
        site = self
        self.pages, self.asked = {}, []

        class Handler(web_server.Handler):
            def do_GET(self):
                page = site.pages.get(self.path)
                if page is None and self.path != "/favicon.ico":
                    site.asked.append((self.headers.get("Sec-Fetch-Dest", ""), self.path))
                body = (page or "").encode("utf-8", "replace")
                policy = {"Content-Security-Policy-Report-Only": POLICY} if self.path.startswith("/watched/") else {}
                self.answer(body, status=404 if page is None else 200, **policy)

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.do_GET()

        super().__init__(Handler)

    def put(self, path, body, script="", stay=STAY):
        """A page, served both plainly and with a policy that reports violations."""
        for place in ["/open/", "/watched/"]:
            self.pages[place + path] = (
                f"<!doctype html><meta charset=utf-8><script nonce=ours>{WATCH}{stay}{script}</script><body>{body}"
            )

    def uses(self):
        return {use for use, _ in self.asked}


@pytest.fixture(scope="module")
def sanitize():
    def run(lines, *arguments, status=0):
        done = subprocess.run(
            [PROGRAMS / "lectern", "text", "sanitize", *arguments],
            input="".join(f"{line}\n" for line in lines).encode(),
            capture_output=True,
            timeout=600,
        )
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def clean(sanitize):
    def run(texts, *arguments):
        return [json.loads(line) for line in sanitize(map(json.dumps, texts), *arguments).stdout.splitlines()]

    return run


@pytest.fixture(scope="module")
def site():
    with Site() as site:
        site.put("harness", "<main></main>", HARNESS)
        yield site


@pytest.fixture(scope="module")
def attacks(site):
    return [
        fill(vector, number, site.url) for number, vector in enumerate(vectors() + combinations(COMBINATIONS, SEED))
    ]


@pytest.fixture(scope="module")
def cleaned(clean, attacks):
    return clean(attacks, "--url", PAGE)


@pytest.fixture(scope="module")
def driver(chromium):
    return chromium


def call(driver, code, *arguments):
    done = driver.execute_async_script(
        f"const given = [...arguments], done = given.pop(); ({code})(...given).then(done, (error) => done({{ error: String(error) }}))",
        *arguments,
    )
    assert not (isinstance(done, dict) and "error" in done), done
    return done


def batches(items):
    return [items[start : start + BATCH] for start in range(0, len(items), BATCH)]


class Visit:
    """What happened when Chromium parsed all sanitized texts, inserted into a page and as pages of their own."""

    def __init__(self, driver, site, cleaned, place, *ways):
        numbered = list(enumerate(cleaned))
        paths = []
        for index, batch in enumerate(batches(numbered)):
            site.put(f"clean/{index}", "".join(f"<div data-number={number}>{text}</div>" for number, text in batch))
            paths.append(f"/{place}/clean/{index}")
        site.asked.clear()
        driver.get(f"{site.url}/{place}/harness")
        self.changed, self.strange = [], []
        for batch in batches(numbered):
            found = call(driver, "insert", batch, sorted(ELEMENTS), sorted(ATTRIBUTES), *ways)
            self.changed += found["changed"]
            self.strange += found["strange"]
        read = call(driver, "visitAll", paths, 240_000)
        assert len(read) == len(cleaned)
        self.changed += [
            [number, "loaded", read[str(number)]] for number, text in numbered if read[str(number)] != text
        ]
        self.hits = driver.execute_script("return [...hits]")
        self.violations = driver.execute_script("return violations")
        self.uses = site.uses()


@pytest.fixture(scope="module")
def visit(driver, site, cleaned):
    return Visit(driver, site, cleaned, "open")


@pytest.fixture(scope="module")
def watched(driver, site, cleaned):
    return Visit(driver, site, cleaned, "watched", ["document"])


def test_sanitizing_twice_changes_nothing(clean, cleaned):
    assert len(cleaned) >= 3_500
    for arguments in [["--url", PAGE], []]:
        assert [(one, two) for one, two in zip(cleaned, clean(cleaned, *arguments)) if one != two][:3] == []


def test_every_way_of_parsing_in_a_browser_gives_the_sanitized_text_back(visit, attacks):
    assert [(attacks[number], way, text) for number, way, text in visit.changed][:3] == []


def test_nothing_runs_in_a_page_without_a_policy_when_clicked_hovered_or_focused(visit, attacks):
    assert [attacks[hit] if isinstance(hit, int) else hit for hit in visit.hits][:3] == []


def test_a_policy_that_reports_everything_gets_no_report(driver, watched):
    assert (watched.hits, watched.violations[:3]) == ([], [])
    # The unsanitized attacks are noticed.
    driver.execute_script("document.querySelector('main').innerHTML = '<img src=x onerror=hit(1)><style>p{}</style>'")
    told = lambda: {directive for directive, *_ in driver.execute_script("return violations")}
    wait_until(lambda: {"script-src-attr", "style-src-elem"} <= told() and driver.execute_script("return hits.has(1)"))


def test_only_pictures_and_media_are_requested(visit, watched):
    assert visit.uses | watched.uses <= {"image", "audio", "video"}


def test_only_listed_elements_and_attributes_are_left(visit, attacks):
    assert [(attacks[number], what, text) for number, what, text in visit.strange][:3] == []


def test_the_same_attacks_unsanitized_do_run_and_load(driver, site, attacks):
    # Half of them show as much.
    sample = range(0, len(vectors()), 2)
    for number in sample:
        site.put(f"raw/{number}", attacks[number], stay="")
    site.asked.clear()
    driver.get(f"{site.url}/open/harness")
    for start in range(0, len(sample), 140):
        call(driver, "visitAll", [f"/open/raw/{number}" for number in sample[start : start + 140]], 20_000)
    hits = {hit for hit in driver.execute_script("return [...hits]") if isinstance(hit, int)}
    # The others are for old browsers, need an interaction, or load or navigate without running anything.
    assert len(hits) >= 120, len(hits)
    assert {"script", "style", "iframe", "image"} <= site.uses()
    found = call(
        driver,
        "insert",
        [[0, "<table><p>x</p></table>"], [1, "<b onclick='hit(1)'>x</b>"]],
        sorted(ELEMENTS),
        sorted(ATTRIBUTES),
    )
    assert {way for number, way, _ in found["changed"] if number == 0} == {
        "inserted",
        "again",
        "article",
        "template",
        "range",
        "document",
        "quirks",
    }
    assert [what for _, what, _ in found["strange"]] == ["attribute"]


def test_the_markup_that_articles_need_is_kept(clean):
    text = (
        '<h2 id="lct-a">Title</h2><p lang="de" dir="ltr">A <a href="#lct-a" rel="noopener noreferrer">link</a>, '
        '<a href="https://h.example/" rel="noopener noreferrer">another</a>, <code>code</code> &amp; <em>more</em>.</p>'
        '<ol start="3" type="a" reversed=""><li value="4">x</li></ol><p style="text-align: center">x</p>'
        '<table><tbody><tr><th scope="col" colspan="2">x</th><td align="right">1</td></tr></tbody></table>'
        '<figure><picture><source srcset="https://h.example/a 1x" type="image/webp"><img src="https://h.example/b" alt="x" width="1"></picture>'
        "<figcaption>x</figcaption></figure><pre>a\n  b</pre>"
    )
    assert clean([text]) == [text]


def test_the_command_reads_and_writes_one_json_string_a_line(sanitize, clean):
    assert clean(["<a href=x>\ud800é\0</a>", ""], "--url", "https://h.example/a/") == [
        '<a href="https://h.example/a/x" rel="noopener noreferrer">\ufffdé</a>',
        "",
    ]
    assert clean(["<a href=x>y</a>"]) == ["<a>y</a>"]
    assert sanitize([]).stdout == b""
    assert sanitize(['"<p>"', "<p>", '"x"'], status=1).stderr == b"lectern: line 2 is not a JSON string\n"
    assert b"--url" in sanitize([], "--url", "javascript:x", status=2).stderr
