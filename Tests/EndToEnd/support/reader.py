"""An article in a browser, and what is done to it there: shared by the tests of the reading view."""

import base64
import uuid
import zlib

from selenium.webdriver.common.by import By

from support.browser import ListPage
from support.client import wait_until

PAGE = """
<!doctype html><html lang="en"><head><title>Along the river</title></head><body><article><h1>Along the river</h1>
<p>The river begins in the hills above the town, where the first snow of the year falls in October. People here measure
the winter by <a href="https://example.org/ice">the thickness of the ice</a>, and not by the days in the calendar.</p>
<p>Nobody remembers who built the first bridge. The <em>oldest</em> drawing shows four arches of stone, and a mill beside
them that has long since gone. Some say that the stones were taken from the old castle.</p>
<pre><code>wheel.turn(speed = 3)
wheel.stop()</code></pre>
<table><thead><tr><th>Year</th><th>Sacks of grain</th></tr></thead>
<tbody><tr><td>1870</td><td>eleven a day</td></tr><tr><td>1890</td><td>fourteen a day</td></tr></tbody></table>
<p dir="rtl" lang="ar">يبدأ النهر في التلال فوق المدينة حيث يتساقط الثلج الأول في السنة في شهر أكتوبر من كل عام.</p>
<p>The last paragraph closes the walk with a view from the hill. From here one sees the whole valley, the four arches, the
place where the mill was, and in clear weather the sea behind the last of the woods \U0001f332.</p></article></body></html>
"""

# Selects from the first occurrence of a text to the end of another one.
SELECT = """
    const [from, to] = arguments, body = document.querySelector('#reader .body');
    const find = (text) => {
        const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode());) if (node.data.includes(text)) return [node, node.data.indexOf(text)];
        throw Error(text);
    };
    const [first, start] = find(from), [last, end] = find(to);
    getSelection().setBaseAndExtent(first, start, last, end + to.length);
"""

# The texts of all marks with their colours.
MARKS = "return [...document.querySelectorAll('.body mark')].map((mark) => [mark.dataset.color, mark.textContent])"

# Whether the article fills the window as it is laid out now, or is scrolled with the page.
IS_LAID_OUT = """
    const { dataset } = document.documentElement;
    if (dataset.layout !== 'pages' && !('writing' in dataset)) return true;
    const { style, clientWidth, clientHeight } = document.querySelector('#reader > article');
    return style.getPropertyValue('--page-width') === `${clientWidth}px`
        && style.getPropertyValue('--page-height') === `${clientHeight}px`;
"""

# Headless Chromium has no voices. This stands for the browser's speech: it records what is spoken and ends at a call.
# Timers of minutes end at once, and the page's handlers of media keys are kept.
SPEECH = """
    window.spoken = [];
    window.keys = {};
    window.voices = [
        { lang: 'de-DE', name: 'D', voiceURI: 'd' },
        { lang: 'en-GB', name: 'E', voiceURI: 'e' },
        { lang: 'en_US', name: 'U', voiceURI: 'u', localService: false },
    ];
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
    Object.defineProperty(window, 'speechSynthesis', { configurable: true, value: {
        getVoices: () => window.voices,
        cancel: () => {},
        speak: (utterance) => {
            window.utterance = utterance;
            window.spoken.push([utterance.text, utterance.lang, utterance.rate]);
            utterance.onstart();
        },
    } });
    navigator.mediaSession.setActionHandler = (action, handler) => { window.keys[action] = handler; };
    const wait = window.setTimeout;
    window.setTimeout = (run, delay) => wait(run, delay >= 600000 ? 0 : delay);
"""


class Reader(ListPage):
    def to_article(self, user, link):
        self.sign_in(user, f"#/link/{link}")
        self.see("#reader .body", "The river begins")

    def select(self, start, end):
        self.script(SELECT, start, end)
        return self.see("#selection-toolbar")

    def highlight(self, start, end, color):
        self.select(start, end)
        self.see(f"#selection-toolbar [data-color={color}]").click()
        self.gone("#selection-toolbar")

    def marks(self, count):
        return wait_until(lambda: (marks := self.script(MARKS)) and len(marks) == count and marks, every=0.03)

    def laid_out(self):
        """Waits until the place in the article is kept in the present size of the article."""
        wait_until(lambda: self.script(IS_LAID_OUT), every=0.03)

    def open_panel(self):
        self.see("#reader [aria-label=Highlights]").click()
        panel = self.see("#highlights")
        # Its styles are loaded when it is first opened, and it makes the article smaller.
        styles = "return Boolean(document.querySelector('link[href$=\"/bookmarks.css\"]')?.sheet)"
        wait_until(lambda: self.script(styles), every=0.03)
        self.laid_out()
        return panel

    def in_panel(self, quote, button):
        self.click_when_steady(
            lambda: self.see("#highlights li", quote).find_element(By.XPATH, f".//button[.='{button}']")
        )


def long_page(lang, title, paragraphs, heading, extras, end=""):
    """A page with a heading before every eighth paragraph, and with more HTML after the twentieth one and at the end."""
    parts = [
        (f"<h2>{heading.format(number)}</h2>" if number % 8 == 3 else "") + f"<p>{text}</p>"
        for number, text in enumerate(paragraphs)
    ]
    return (
        f"<!doctype html><html lang={lang}><head><title>{title}</title></head><body><article><h1>{title}</h1>"
        f"{''.join(parts[:20])}{extras}{''.join(parts[20:])}{end}</article></body></html>"
    )


def send_page(user, html=PAGE):
    """Saves a page as its reader's browser shows it, and returns the id of the link once its article is there."""
    answer = user.rest("POST", "rpc/save_page", {"url": f"http://127.0.0.2/{uuid.uuid4().hex}", "html": html})
    assert answer.status == 200, answer
    id = answer.json()[0]["id"]
    assert user.settled(id)["state"] == "ready"
    return id


def png(width, height):
    """A grey picture as a URL."""
    chunk = lambda kind, data: len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    rows = zlib.compress((b"\0" + b"\x88" * width) * height)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()
