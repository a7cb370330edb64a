"""Listening to an article in the reading view, in a real browser."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, watched
from support.client import wait_until
from support.reader import SPEECH, Reader, send_page


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return Reader(lectern.url, chromium)


@pytest.fixture
def link(alice):
    return send_page(alice)


@pytest.fixture
def reader(browser, alice, link):
    yield from watched(browser, lambda: browser.to_article(alice, link))


def press(reader, name):
    reader.see(f"#reader .tools [aria-label={name}]").click()


def listen(reader):
    """Presses "Listen", and returns the text, the language and the rate of what is spoken."""
    reader.script(SPEECH)
    press(reader, "Listen")
    reader.see("#reader .tools [aria-label=Pause]")
    return last_spoken(reader)


def last_spoken(reader):
    return reader.script("return spoken.at(-1)")


def marked(reader, name):
    return reader.script("return [...CSS.highlights.get(arguments[0]) ?? []].map(String)", name)


def test_an_article_is_read_aloud_sentence_by_sentence_and_goes_on_where_it_stopped(reader):
    first, lang, rate = listen(reader)
    assert first.startswith("The river begins") and first.endswith("October.") and (lang, rate) == ("en-GB", 1)
    reader.script("utterance.onboundary({ name: 'word', charIndex: 4, charLength: 5 })")
    assert marked(reader, "spoken-word") == ["river"]
    reader.script("utterance.onend()")
    assert last_spoken(reader)[0].startswith("People here measure")
    assert marked(reader, "spoken-sentence")[0].startswith("People here measure")
    reader.see("#listening [aria-label='Next sentence']").click()
    assert last_spoken(reader)[0] == "Nobody remembers who built the first bridge."
    reader.see("#listening [aria-label='Previous sentence']").click()
    assert last_spoken(reader)[0].startswith("People here measure")
    press(reader, "Pause")
    reader.see("#reader .tools [aria-label=Listen]")
    reader.see("#listening [aria-label='Next sentence']").click()
    reader.see("#listening [aria-label='Stop listening']").click()
    reader.gone("#listening")
    assert marked(reader, "spoken-sentence") == []
    reader.driver.refresh()
    reader.see("#reader .body", "The river begins")
    assert listen(reader)[0] == "Nobody remembers who built the first bridge."

    # After the end, it begins with the beginning.
    spoken = 0
    while reader.all("#reader .tools [aria-label=Pause]"):
        reader.script("utterance.onend()")
        spoken += 1
    assert spoken > 5 and last_spoken(reader)[0].startswith("From here one sees")
    press(reader, "Listen")
    wait_until(lambda: last_spoken(reader)[0].startswith("The river begins"), every=0.03)


def test_listening_begins_with_the_first_sentence_on_the_screen(reader):
    reader.size(800, 400)
    reader.script("document.querySelector('.body pre').scrollIntoView()")
    assert listen(reader)[0].startswith("wheel.turn")


def test_in_pages_listening_begins_with_the_first_sentence_of_the_page(reader):
    reader.size(500, 400)
    reader.script("document.querySelector('#text-settings [name=layout][value=pages]').click()")
    reader.script("document.querySelector('#reader h1').focus({ preventScroll: true })")
    reader.press(Keys.END)
    wait_until(lambda: reader.script("return document.querySelector('#reader progress').value") == 1, every=0.03)
    reader.press(Keys.HOME)
    for number in (2, 3, 4):
        reader.press(Keys.PAGE_DOWN)
        reader.see(".reading-progress", f"Page {number} of")
    assert not listen(reader)[0].startswith("The river begins")
    seen = """
        const page = document.querySelector('#reader > article').getBoundingClientRect();
        const [range] = CSS.highlights.get('spoken-sentence');
        return [...range.getClientRects()].some(({ left, right }) => right > page.left + 1 && left < page.right - 1);
    """
    # The bar for listening makes the pages lower, and their text moves to other pages.
    wait_until(lambda: reader.script(seen), every=0.03)
    assert reader.script("return document.querySelector('#reader > article').scrollLeft") > 0


def test_a_sentence_that_is_spoken_is_kept_in_view(reader):
    reader.size(800, 400)
    listen(reader)
    before = reader.script("return scrollY")
    for _ in range(6):
        reader.script("utterance.onend()")
    range_top = "return [...CSS.highlights.get('spoken-sentence')][0].getBoundingClientRect().top"
    wait_until(lambda: 0 < reader.script(range_top) < 400, every=0.03)
    assert reader.script("return scrollY") > before


def test_the_speech_rate_is_in_the_text_settings_and_in_the_bar(reader, alice):
    reader.see("#reader [aria-label='Text settings']").click()
    slider = reader.see("#speech-rate")
    assert (slider.aria_role, slider.accessible_name) == ("slider", "Speech rate")
    assert [slider.get_attribute(name) for name in ["min", "max", "value"]] == ["0.5", "2", "1"]
    slider.send_keys(Keys.ARROW_RIGHT)
    reader.press(Keys.ESCAPE)
    assert listen(reader)[2] == 1.1
    speed = reader.see("#listening [name=speed]")
    assert speed.accessible_name == "Speed"
    reader.choose(speed, "1.5")
    wait_until(lambda: last_spoken(reader)[2] == 1.5, every=0.03)
    settings = "user_settings?select=speech_rate"
    wait_until(lambda: alice.rest("GET", settings).json() == [{"speech_rate": 1.5}], every=0.03)
    reader.to_article(alice, reader.script("return location.hash.split('/').at(-1)"))
    wait_until(lambda: reader.script("return document.getElementById('speech-rate').value") == "1.5", every=0.03)
    assert listen(reader)[2] == 1.5
    assert reader.see("#listening [name=speed]").get_attribute("value") == "15"


def test_media_keys_control_the_voice(reader):
    listen(reader)
    media = "const { metadata, playbackState } = navigator.mediaSession; return [metadata?.title, playbackState]"
    assert reader.script(media) == ["Along the river", "playing"]
    reader.script("keys.nexttrack()")
    assert last_spoken(reader)[0].startswith("People here measure")
    reader.script("keys.previoustrack()")
    assert last_spoken(reader)[0].startswith("The river begins")
    reader.script("keys.pause()")
    reader.see("#reader .tools [aria-label=Listen]")
    assert reader.script(media) == ["Along the river", "paused"]
    reader.script("keys.play()")
    reader.see("#reader .tools [aria-label=Pause]")
    reader.press(Keys.ESCAPE)
    reader.see("#list")
    assert reader.script(media) == [None, "none"]
    assert reader.script("return Object.values(keys).every((handler) => handler === null)")


def test_the_sleep_timer_stops_the_voice(reader):
    listen(reader)
    timer = reader.see("#listening [name=sleep]")
    assert timer.accessible_name == "Sleep timer"
    # One key, because the timer ends at once.
    timer.send_keys("2")
    reader.see("#toast", "sleep timer has stopped")
    reader.see("#reader .tools [aria-label=Listen]")
    wait_until(lambda: timer.get_attribute("value") == "", every=0.03)


def open_options(reader):
    reader.see("#listening [aria-label='Listening options']").click()
    return reader.see("#listening-options")


def test_the_voice_for_a_language_is_chosen_and_remembered(reader):
    assert listen(reader)[1] == "en-GB"
    panel = open_options(reader)
    assert (panel.aria_role, panel.accessible_name) == ("dialog", "Listening options")
    voice = reader.see("#listening-options select")
    assert voice.accessible_name == "Voice"
    names = [option.text for option in voice.find_elements("tag name", "option")]
    assert names == ["Best match", "E (en-GB)", "U (en-US, needs a network)"]
    voice.send_keys("U")
    wait_until(lambda: last_spoken(reader)[1] == "en_US", every=0.03)
    reader.script("utterance.onerror({ error: 'network' })")
    reader.see("#toast", "needs a network")
    reader.see("#listening-options button", "Done").click()
    reader.gone("#listening-options")
    reader.driver.refresh()
    reader.see("#reader .body", "The river begins")
    assert listen(reader)[1] == "en_US"
    open_options(reader)
    assert reader.see("#listening-options select").get_attribute("value") == "u"


def hear_all(reader):
    """Hears the article that is open to its end."""
    reader.script("const before = shownTitle(); while (speaks() && shownTitle() === before) utterance.onend()")


NOW = """
    window.shownTitle = () => document.querySelector('#reader h1').textContent;
    window.speaks = () => !!document.querySelector('#reader .tools [aria-label=Pause]');
"""


def test_the_next_article_follows_and_what_was_heard_is_archived(reader, alice, link):
    page = "<html lang=en><head><title>{0}</title></head><body><article><h1>{0}</h1>{1}</article></body></html>"
    text = "<p>A sentence that is long enough to be an article, with words. And another one.</p>" * 5
    # The newest comes first in the list: this one, one without an article, and the one that is open.
    alice.save("no address at all", title="Nothing to hear")
    newest = send_page(alice, page.format("Newest", text))
    reader.to_article(alice, link)
    reader.open(f"#/link/{newest}")
    reader.see("#reader h1", "Newest")
    listen(reader)
    reader.script(NOW)
    open_options(reader)
    for name in ["Go on with the next article", "Archive when finished"]:
        reader.see("#listening-options label", name).click()
    reader.see("#listening-options button", "Done").click()
    timer = reader.see("#listening [name=sleep]")
    reader.script("arguments[0].value = '10'", timer)
    hear_all(reader)
    reader.see("#reader h1", "Along the river")
    wait_until(lambda: reader.script("return speaks()"), every=0.03)
    assert last_spoken(reader)[0].startswith("The river begins")
    # The sleep timer runs on.
    assert timer.get_attribute("value") == "10"
    wait_until(lambda: alice.link(newest)["list"] == "archive", every=0.05)
    assert alice.links("title=eq.Nothing%20to%20hear")[0]["list"] == "read"
    hear_all(reader)
    wait_until(lambda: alice.link(link)["list"] == "archive", every=0.05)
    reader.see("#toast", "Moved to Archive")
    assert reader.see("#reader h1").text == "Along the river"

    # The choice is kept in this browser. At the end of the list, the page says so.
    reader.driver.refresh()
    reader.see("#reader .body", "The river begins")
    listen(reader)
    reader.script(NOW)
    hear_all(reader)
    reader.see("#reader h1", "Newest")
    wait_until(lambda: reader.script("return speaks()"), every=0.03)
    hear_all(reader)
    reader.see("#toast", "last article")


def test_listening_says_what_is_missing(reader):
    reader.script(SPEECH)
    reader.script("voices = [{ lang: 'de-DE', name: 'D' }]")
    press(reader, "Listen")
    assert reader.see("#toast", "no voice for the language").get_attribute("data-severity") == "warning"
    reader.script("voices = [{ lang: 'en-US', name: 'E' }]")
    press(reader, "Listen")
    reader.see("#reader .tools [aria-label=Pause]")
    reader.script("utterance.onerror({ error: 'synthesis-failed' })")
    assert reader.see("#toast", "the voice failed").get_attribute("data-severity") == "error"
    reader.script("Object.defineProperty(window, 'speechSynthesis', { configurable: true, value: undefined })")
    press(reader, "Listen")
    reader.see("#toast", "cannot read aloud")


def test_the_bar_fits_every_screen(reader):
    listen(reader)
    for scheme in ["light", "dark"]:
        reader.colours(scheme)
        for size in [(320, 640), PHONE, DESK]:
            reader.size(*size)
            assert reader.script("return document.documentElement.scrollWidth") <= size[0]
            assert reader.script(LOW, "#listening :is(button, select)") == []
            assert reader.script(CONTRAST) == []
            panel = open_options(reader).rect
            assert panel["x"] >= 0 and panel["x"] + panel["width"] <= size[0] and panel["y"] > 0
            assert reader.script(LOW, "#listening-options :is(button, select, label)") == []
            assert reader.script(CONTRAST) == []
            reader.press(Keys.ESCAPE)
