"""The page at / in a real browser, used by mouse, keyboard and touch."""

import uuid
from html.entities import html5

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import IS_HELD, answer_busy, held_on_load, hold_first, hold_method, release


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    browser = ListPage(lectern.url, chromium)
    return browser


@pytest.fixture
def reader(browser):
    yield from watched(browser, browser.start)


@pytest.fixture
def signed_in(browser, alice):
    yield from watched(browser, lambda: browser.to_list(alice))


def test_a_page_beyond_the_limits_shows_its_text_and_a_notice(signed_in, website):
    reader = signed_in
    reader.save(f"{website.url}/tangled")
    reader.card("A tangled page").find_element(By.CSS_SELECTOR, "h2 a").click()
    reader.see("#reader .body", "A page is kept so that it can be read later")
    reader.see("#reader .state", "Only its plain text was stored")
    reader.gone("#reader [data-do=retry]")


def test_a_footnote_and_its_backlink_work_inside_the_article(signed_in, website):
    reader = signed_in
    reader.save(f"{website.url}/footnotes")
    reader.card("A day with a note").find_element(By.CSS_SELECTOR, "h2 a").click()
    reader.see("#reader .body sup a", "1").click()
    place = reader.script("return location.hash")
    # The note is shown in place, without its link back, until Escape returns to the mark.
    note = reader.see("#footnote", "The note itself")
    assert (note.aria_role, note.accessible_name) == ("dialog", "Note 1") and "Back" not in note.text
    assert note == reader.focused()
    reader.press(Keys.ESCAPE)
    reader.gone("#footnote")
    assert reader.focused().text == "1"
    reader.press(Keys.ENTER)
    reader.see("#footnote button", "Go to the note").click()
    reader.gone("#footnote")
    assert reader.focused().text.startswith("The note itself")
    reader.see("#reader .body li a", "Back").click()
    assert reader.focused().tag_name == "sup"
    assert reader.script("return location.hash") == place and len(reader.driver.window_handles) == 1


def test_the_first_five_minutes(reader, website):
    """Sign up, save, watch it arrive, read it."""
    reader.enter(f"{uuid.uuid4().hex[:12]}@example.org", "correct horse", create=True)
    assert "Nothing to read yet" in reader.see("#note", "Nothing").text
    # The page may have been fetched by the time the test looks.
    reader.script("""
        const links = document.getElementById('links');
        window.shown = [];
        new MutationObserver(() => shown.push(links.textContent)).observe(links, { childList: true, subtree: true });
    """)
    reader.save(f"{website.url}/picture-article?first")
    wait_until(lambda: any("Fetching" in text for text in reader.script("return shown")))
    card = reader.card("A day with a picture")
    assert "min" in card.text
    card.find_element(By.CSS_SELECTOR, "h2 a").click()

    assert reader.see("#reader h1", "A day with a picture") == reader.focused()
    article = reader.see("#reader .body", "A page is kept so that it can be read later")
    assert reader.script("return document.title") == "A day with a picture"
    picture = article.find_element(By.TAG_NAME, "img")
    assert (picture.get_attribute("loading"), picture.get_attribute("referrerpolicy")) == ("lazy", "no-referrer")
    wait_until(lambda: reader.script("return arguments[0].naturalWidth", picture))
    link = article.find_element(By.TAG_NAME, "a")
    assert link.get_attribute("href") == f"{website.url}/article" and link.get_attribute("target") == "_blank"
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert reader.see(".source a").get_attribute("href") == f"{website.url}/picture-article?first"

    reader.driver.refresh()
    reader.see("#reader h1", "A day with a picture")
    reader.driver.back()
    assert reader.card("A day with a picture")


def test_a_wrong_password_shows_an_error_and_the_right_one_signs_in(reader, alice):
    reader.enter(alice.email, "wrong horse")
    assert "Wrong email address or password." in reader.see("#login [role=alert]", "Wrong").text
    assert "400" in " ".join(reader.console_errors())
    reader.see("[name=password]").clear()
    reader.see("[name=password]").send_keys(alice.password, Keys.ENTER)
    reader.see("#list")


def test_staying_signed_in_and_leaving(signed_in, alice, bob):
    signed_in.only_on_the_server("the extension signs in in its options")
    alice.save("http://127.0.0.2/hers", title="Hers alone")
    signed_in.refresh_list()
    signed_in.card("Hers alone")
    signed_in.see("#logout").click()
    signed_in.see("#login")
    assert signed_in.script("return localStorage.length") == 0
    assert "Hers alone" not in signed_in.driver.page_source

    signed_in.enter(bob.email, bob.password)
    signed_in.see("#note", "Nothing to read yet")
    assert signed_in.titles() == []
    signed_in.see("#logout").click()
    signed_in.see("#login")
    signed_in.enter(alice.email, alice.password)
    signed_in.card("Hers alone")


def test_a_session_is_renewed_before_it_ends_and_when_it_has_ended(signed_in, alice):
    signed_in.only_on_the_server("the service worker of the extension renews the session")
    alice.save("http://127.0.0.2/hers", title="Still here")
    old = signed_in.script(
        "const s = JSON.parse(localStorage.session); s.until = Date.now() + 30000;"
        "localStorage.session = JSON.stringify(s); return s.refresh"
    )
    signed_in.refresh_list()
    signed_in.card("Still here")
    # The list is shown from the copies first, so the session may be renewed after it.
    wait_until(lambda: signed_in.script("return JSON.parse(localStorage.session).refresh") != old)

    signed_in.script(
        "const s = JSON.parse(localStorage.session); s.access = 'x.y.z'; localStorage.session = JSON.stringify(s)"
    )
    signed_in.driver.refresh()
    wait_until(lambda: signed_in.script("return JSON.parse(localStorage.session).access") != "x.y.z")
    signed_in.card("Still here")
    assert all("401" in trouble for trouble in signed_in.console_errors())

    # The open page would end the session itself.
    signed_in.leave()
    signed_in.script(
        "const s = JSON.parse(localStorage.session); s.access = 'x.y.z'; s.refresh = 'gone';"
        "localStorage.session = JSON.stringify(s)"
    )
    signed_in.open()
    signed_in.see("#login [role=alert]", "Your session has ended")
    found = signed_in.console_errors()
    assert all("401" in trouble or "400" in trouble for trouble in found), found


def test_texts_show_no_entities_unless_the_page_showed_them(signed_in, alice, admin):
    id = alice.save(
        "http://127.0.0.2/sent",
        title="Q&amp;amp;A &#039;caf&eacute;&#8217; &notit; R&D <b>&lt;i&gt;</b></textarea><img src=/x>",
        description="5 &gt; 4 &#13;&#10;&#0; &#128;",
    )["id"]
    signed_in.refresh_list()
    names = [f"&{name}" for name in html5]
    shown = signed_in.driver.execute_async_script(
        """const [folder, texts, done] = arguments;
        import(`${folder}/shared/links/link-text.js`)
            .then(({ displayText }) => done(texts.map((text) => displayText(text, false))));""",
        signed_in.folder,
        names,
    )
    assert shown == list(html5.values())
    title = "Q&amp;A 'café’ ¬it; R&D <b><i></b></textarea><img src=/x>"
    card = signed_in.card("Q&amp;A")
    assert signed_in.titles() == [title] and card.find_element(By.CSS_SELECTOR, ".description").text == "5 > 4 \ufffd €"
    card.find_element(By.CSS_SELECTOR, "h2 a").click()
    assert signed_in.see("#reader h1", "Q&amp;A").text == title == signed_in.script("return document.title")
    admin.execute(
        "insert into articles (link_id, user_id, url, title, byline, site_name, content, text_content, length, word_count, "
        "extractor_version, metadata_is_text) "
        "values (%s, %s, 'http://127.0.0.2/sent', 'Of &lt;p&gt;', 'A &amp; B', 'S&amp;S', '<p>x &amp;amp;</p>', 'x', 1, 1, 1, true)",
        (id, alice.id),
    )
    signed_in.driver.refresh()
    assert signed_in.see("#reader h1", "Of").text == "Of &lt;p&gt;"
    texts = "return ['.site', '.byline', '.body'].map((part) => document.querySelector(`#reader ${part}`).innerText)"
    assert signed_in.script(texts) == ["S&amp;S", "A &amp; B · 1 min", "x &amp;"]
    admin.execute("update articles set metadata_is_text = false where link_id = %s", (id,))
    signed_in.driver.refresh()
    assert signed_in.see("#reader h1", "Of <p>") and signed_in.see(".byline", "A & B")


def test_archiving_starring_and_marking(signed_in, alice):
    id = alice.save("http://127.0.0.2/one", title="The one")["id"]
    signed_in.refresh_list()
    signed_in.press_on_card("The one", "star")
    wait_until(lambda: alice.link(id)["is_starred"])
    signed_in.press_on_card("The one", "read")
    wait_until(lambda: alice.link(id)["status"] == "read")
    button = signed_in.card("The one").find_element(By.CSS_SELECTOR, "[data-do=read]")
    assert button.accessible_name == "Mark as unread"
    signed_in.press_on_card("The one", "archive")
    signed_in.see("#toast", "Moved to Archive.")
    undo = signed_in.see("#toast button", "Undo")
    # With the focus in it, the toast stays.
    signed_in.script("arguments[0].focus()", undo)
    wait_until(lambda: alice.link(id)["list"] == "archive")
    signed_in.see("#note", "Nothing to read yet")
    undo.click()
    wait_until(lambda: alice.link(id)["list"] == "read")
    signed_in.press_on_card("The one", "archive")
    wait_until(lambda: alice.link(id)["list"] == "archive")
    signed_in.see("#bar a", "Archive").click()
    signed_in.card("The one")
    assert signed_in.see("#bar [aria-current=page]").text == "Archive"
    signed_in.refresh_list()
    signed_in.card("The one")


def test_news_of_a_fetch_does_not_take_away_an_offer_to_undo(signed_in, alice):
    id = alice.settled(alice.save("no address", title="The one")["id"])["id"]
    signed_in.refresh_list()
    signed_in.press_on_card("The one", "star")
    signed_in.script(f"""
        const {{ showNews }} = await import('{signed_in.folder}/shared/ui/toast.js');
        for (const title of ['An article', 'Another one']) showNews(`Ready: ${{title}}`);
    """)
    assert signed_in.see("#toast.shown span").text == "Starred."
    signed_in.see("#toast button", "Undo").click()
    signed_in.see("#toast.shown span", "Ready: Another one")
    wait_until(lambda: not alice.link(id)["is_starred"])


def test_news_does_not_replace_a_message_before_it_can_be_read(signed_in):
    shown = signed_in.script(f"""
        const {{ showToast, showNews }} = await import('{signed_in.folder}/shared/ui/toast.js');
        const toast = document.getElementById('toast');
        const shown = [];
        const changed = new MutationObserver(() => shown.push([performance.now(), toast.innerText]));
        changed.observe(toast, {{ childList: true, subtree: true }});
        shown.push([performance.now(), '']);
        showToast('Sent: 1 change.');
        showNews('Ready: An article');
        while (!toast.innerText.startsWith('Ready')) await new Promise((resolve) => setTimeout(resolve, 20));
        return shown;
    """)
    (shown_at, _), (_, first), *_, (replaced_at, last) = shown
    assert (first, last) == ("Sent: 1 change.", "Ready: An article") and replaced_at - shown_at > 1900


# The first change takes longer on its way than the second.
SLOW_FIRST_CHANGE = """
    const send = window.fetch;
    let isFirst = true;
    window.fetch = async (address, options) => {
        const isSlow = isFirst && options?.method === 'PATCH';
        if (isSlow) isFirst = false;
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 300));
        return send(address, options);
    };
"""


def test_two_quick_changes_of_a_link_arrive_in_their_order(signed_in, alice):
    alice.save("http://127.0.0.2/quick", title="Quick")
    signed_in.card("Quick")
    signed_in.script(SLOW_FIRST_CHANGE)
    signed_in.script(
        "for (const name of ['star', 'archive']) document.querySelector(`#links [data-do=${name}]`).click()"
    )
    wait_until(lambda: [(link["is_starred"], link["list"]) for link in alice.links()] == [(True, "archive")])


def test_a_response_that_ends_early_is_a_failure(signed_in):
    said = signed_in.script(f"""
        const {{ fetchAnonKey, request }} = await import('{signed_in.folder}/shared/api/client.js');
        await fetchAnonKey();
        const body = (end) => new Response(new ReadableStream({{ start: end }}));
        const outcomes = [];
        const {{ fetch }} = window;
        for (const end of [(stream) => stream.error(new TypeError('network error')), (stream) => stream.close()]) {{
            window.fetch = async () => body(end);
            outcomes.push(await request('/rest/v1/links').catch((error) => error.message));
        }}
        Object.assign(window, {{ fetch }});
        return outcomes;
    """)
    assert said == ["The server is not responding. Try again in a moment.", None]


def test_deleting_a_link_can_be_undone_until_the_page_is_left(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="Not this one")
    signed_in.refresh_list()
    signed_in.press_on_card("Not this one", "delete")
    signed_in.gone("#links li", "Not this one")
    assert len(alice.links()) == 1
    signed_in.see("#toast button", "Undo").click()
    signed_in.press_on_card("Not this one", "delete")
    signed_in.driver.get("about:blank")
    wait_until(lambda: alice.links() == [])


def test_a_url_that_is_typed_while_another_one_is_being_saved_stays(signed_in):
    signed_in.script(hold_method("POST"))
    signed_in.save("http://127.0.0.2/one")
    # The form has been read.
    signed_in.see("#save .strong:disabled")
    field = signed_in.see("[name=url]")
    field.clear()
    field.send_keys("http://127.0.0.2/two")
    signed_in.script("release()")
    signed_in.see("#toast", "Saved.")
    wait_until(lambda: signed_in.see("#save .strong").is_enabled())
    assert field.get_attribute("value") == "http://127.0.0.2/two"


def test_what_is_done_with_a_link_before_its_save_is_answered_stays_and_can_be_undone(signed_in, alice):
    alice.save("http://127.0.0.2/other", title="Other")
    signed_in.refresh_list()
    # The same is said of another link before.
    signed_in.press_on_card("Other", "star")
    wait_until(lambda: alice.links("title=eq.Other")[0]["is_starred"])
    signed_in.script(hold_first("on_conflict"))
    signed_in.save("http://127.0.0.2/slow")
    wait_until(lambda: signed_in.script(IS_HELD), every=0.05)
    # Its row comes with the news of changes.
    wait_until(lambda: len(signed_in.titles()) == 2)
    new = f"#links [data-id='{alice.links('raw_url=like.*slow')[0]['id']}']"
    signed_in.see(f"{new} [data-do=star]").click()
    # The offer to undo stays while it has the focus.
    signed_in.script("arguments[0].focus()", signed_in.see("#toast.shown button", "Undo"))
    wait_until(lambda: alice.links("raw_url=like.*slow")[0]["is_starred"])
    # Once the answer is there, the button of the form can be pressed again.
    release(signed_in)
    wait_until(lambda: signed_in.see("#save .strong").is_enabled())
    assert signed_in.script(f'return document.querySelector("{new} [data-do=star]").dataset.on') == "true"
    assert "Starred." in signed_in.see("#toast.shown").text
    signed_in.see("#toast.shown button", "Undo").click()
    wait_until(lambda: not alice.links("raw_url=like.*slow")[0]["is_starred"])


def test_saving_a_url_again_moves_it_to_the_top(signed_in, alice):
    first = alice.save("http://127.0.0.2/first", title="First", list="archive", status="read")
    alice.save("http://127.0.0.2/second", title="Second")
    signed_in.refresh_list()
    signed_in.card("Second")
    signed_in.save("http://127.0.0.2/first")
    wait_until(lambda: signed_in.titles() == ["First", "Second"])
    assert (alice.link(first["id"])["list"], alice.link(first["id"])["status"]) == ("read", "unread")
    assert all("409" in trouble for trouble in signed_in.console_errors())


def test_the_open_list_follows_what_other_devices_do(signed_in, alice, bob):
    signed_in.see("#note", "Nothing to read yet")
    bob.save("http://127.0.0.2/his", title="His own")
    first = alice.save("http://127.0.0.2/first", title="Saved on the phone")
    signed_in.card("Saved on the phone")
    second = alice.save("http://127.0.0.2/second", title="Saved later")
    signed_in.card("Saved later")
    assert signed_in.titles() == ["Saved later", "Saved on the phone"]

    alice.rest("PATCH", f"links?id=eq.{first['id']}", {"title": "Renamed on the phone"})
    signed_in.card("Renamed on the phone")
    alice.rest("PATCH", f"links?id=eq.{first['id']}", {"list": "archive"})
    wait_until(lambda: signed_in.titles() == ["Saved later"])
    alice.rest("PATCH", f"links?id=eq.{first['id']}", {"list": "read"})
    wait_until(lambda: signed_in.titles() == ["Renamed on the phone", "Saved later"])
    alice.rest("DELETE", f"links?id=eq.{second['id']}")
    wait_until(lambda: signed_in.titles() == ["Renamed on the phone"])


def test_tags_and_collections_of_other_devices_appear_on_the_open_list_and_in_the_sidebar(signed_in, alice):
    link = alice.save("http://127.0.0.2/tea", title="Tea")["id"]
    signed_in.see("#links li", "Tea")
    # The next changes are followed once this one has arrived.
    alice.rest("PATCH", f"links?id=eq.{link}", {"title": "Green tea"})
    signed_in.see("#links li", "Green tea")
    tag = str(uuid.uuid4())
    alice.rest("POST", "tags", {"id": tag, "name": "drinks"})
    alice.rest("POST", "link_tags", {"link_id": link, "tag_id": tag})
    signed_in.see("#links li .tags", "drinks")
    signed_in.see("#sidebar ul.tags li", "drinks")
    alice.rest("PATCH", f"tags?id=eq.{tag}", {"name": "beverages"})
    signed_in.see("#links li .tags", "beverages")
    signed_in.see("#sidebar ul.tags li", "beverages")
    alice.rest("POST", "collections", {"name": "Kitchen"})
    signed_in.see("#sidebar ul.collections li", "Kitchen")
    alice.rest("DELETE", f"tags?id=eq.{tag}")
    wait_until(lambda: "beverages" not in signed_in.see("body").text)


def test_the_open_list_has_what_was_saved_before_it_was_connected(signed_in, alice):
    define = "Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => %s });"
    script = {"source": define % "false"}
    added = signed_in.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    signed_in.driver.refresh()
    signed_in.see("#note", "Nothing to read yet")
    alice.settled(alice.save("no address", title="Saved meanwhile")["id"])
    signed_in.driver.execute_script(define % "true" + "dispatchEvent(new Event('online'))")
    signed_in.card("Saved meanwhile")
    signed_in.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_a_text_that_is_not_a_url_is_not_saved(signed_in, alice):
    for text in ["two words and more", "javascript:alert(1)", "https://"]:
        signed_in.save(text)
        signed_in.see("#save [role=alert]", "not a web address")
    assert alice.links() == []
    signed_in.save("127.0.0.2/without-a-scheme")
    wait_until(lambda: alice.links("select=raw_url") == [{"raw_url": "https://127.0.0.2/without-a-scheme"}])


def test_a_failed_page_shows_its_reason_and_can_be_retried(signed_in, alice, website):
    signed_in.save(f"{website.url}/gone/browser")
    card = signed_in.card("has no such page")
    card.find_element(By.CSS_SELECTOR, "h2 a").click()
    assert "has no such page" in signed_in.see("#reader .state", "no such page").text
    before = website.visits["/gone/browser"]
    signed_in.see("#reader [data-do=retry]").click()
    wait_until(lambda: website.visits["/gone/browser"] > before)
    signed_in.see("#reader .state", "no such page")
    signed_in.see("#reader [data-do=retry]")


# Clicks and presses a key as soon as the first card is there, and notes what the card showed.
USE_FIRST_CARD = """
    new MutationObserver((changes, observer) => {
        const button = document.querySelector('#links [data-do=star]');
        if (!button) return;
        observer.disconnect();
        window.firstCard = [document.querySelector('#links h2').textContent, button.ariaLabel];
        button.click();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true }));
    }).observe(document, { childList: true, subtree: true });
"""


def test_the_first_cards_are_there_before_the_modules_and_can_be_used_at_once(signed_in, alice):
    id = alice.save("http://127.0.0.2/one", title="The one")["id"]
    signed_in.card("The one")
    added = signed_in.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": USE_FIRST_CARD})
    signed_in.driver.refresh()
    wait_until(lambda: alice.link(id)["is_starred"])
    signed_in.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    # Until its modules are there, a card has no names for its buttons.
    assert signed_in.script("return firstCard") == ["The one", None]
    wait_until(lambda: signed_in.focused().text == "The one")


def test_the_list_as_it_was_left_is_replaced_by_what_the_server_has(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="Deleted meanwhile")
    signed_in.card("Deleted meanwhile")
    signed_in.leave()
    assert "Deleted meanwhile" in signed_in.script("return localStorage['kept-list']")
    alice.rest("DELETE", "links?title=eq.Deleted%20meanwhile")
    alice.save("http://127.0.0.2/two", title="Saved meanwhile")
    signed_in.open()
    signed_in.card("Saved meanwhile")
    wait_until(lambda: signed_in.titles() == ["Saved meanwhile"])


# No news of other devices arrives.
NO_NEWS = "WebSocket.prototype.send = () => {};"


def test_a_link_that_is_saved_while_the_list_is_loaded_stays_at_its_top(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="The one")
    signed_in.refresh_list()
    with held_on_load(signed_in, "links[?].*list=eq[.]read", also=NO_NEWS):
        signed_in.card("The one")
        signed_in.save("http://127.0.0.2/new")
        wait_until(lambda: len(signed_in.titles()) == 2)
    signed_in.list_is_loaded()
    # The page asks for the link once the list has replaced its cards.
    wait_until(lambda: len(signed_in.titles()) == 2 and signed_in.titles()[1] == "The one")


def test_a_list_that_is_left_before_its_answer_is_in_order_when_it_is_shown_again(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="The one")
    address = "links[?].*list=eq[.]read"
    with held_on_load(signed_in, address, also=NO_NEWS):
        pass
    signed_in.card("The one")
    alice.save("http://127.0.0.2/two", title="The other one")
    with held_on_load(signed_in, address, also=NO_NEWS):
        assert signed_in.titles() == ["The one"]
        signed_in.see("#bar a", "Archive").click()
        signed_in.see("#note", "The archive is empty")
    signed_in.see("#bar a", "To Read").click()
    wait_until(lambda: signed_in.titles() == ["The other one", "The one"])


# Chooses an order as soon as it can be chosen, which is before the modules of the page are there.
CHOOSE_FIRST = """
    new MutationObserver((_, observer) => {
        const sort = document.querySelector('#list:not([hidden]) select');
        if (!sort || !document.querySelector('#links h2')) return;
        observer.disconnect();
        sort.value = 'title';
        window.wasEarly = !sort.onchange && sort.dispatchEvent(new Event('change', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true, attributes: true });
"""


def test_an_order_that_is_chosen_while_the_page_starts_is_kept(signed_in, alice):
    for name in ["Two", "One"]:
        alice.save(f"http://127.0.0.2/{name}", title=name)
    alice.save("http://127.0.0.2/Three", title="Three")
    signed_in.refresh_list()
    signed_in.card("Three")
    assert signed_in.titles() == ["Three", "One", "Two"]
    added = signed_in.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CHOOSE_FIRST})
    signed_in.driver.refresh()
    wait_until(lambda: signed_in.titles() == ["One", "Three", "Two"])
    signed_in.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    assert signed_in.script("return wasEarly")
    assert signed_in.script("return document.querySelector('#list-tools select').value") == "title"


def test_the_list_can_be_used_by_keyboard(signed_in, alice):
    for name in ["Third", "Second", "First"]:
        alice.save(f"http://127.0.0.2/{name}", title=name)
    signed_in.refresh_list()
    signed_in.card("Third")
    signed_in.press("j")
    assert signed_in.focused().text == "First"
    signed_in.press("jj")
    assert signed_in.focused().text == "Third"
    signed_in.press("k")
    assert signed_in.focused().text == "Second"
    signed_in.press("s")
    wait_until(lambda: alice.links("title=eq.Second")[0]["is_starred"])
    signed_in.press("m")
    wait_until(lambda: alice.links("title=eq.Second")[0]["status"] == "read")
    signed_in.press("o")
    signed_in.see("#reader h1", "Second")
    signed_in.press(Keys.ESCAPE)
    signed_in.see("#list")
    wait_until(lambda: signed_in.focused().text == "Second")
    signed_in.press("a")
    wait_until(lambda: alice.links("title=eq.Second")[0]["list"] == "archive")
    assert signed_in.focused().text == "Third"
    signed_in.press(Keys.ENTER)
    signed_in.see("#reader h1", "Third")
    signed_in.press("/")
    wait_until(lambda: signed_in.focused().get_attribute("name") == "url")
    signed_in.press("jk?")
    assert signed_in.focused().get_attribute("value") == "jk?"
    signed_in.press(Keys.ESCAPE)
    signed_in.press("?")
    assert "Keyboard shortcuts" in signed_in.see("dialog").text
    signed_in.press(Keys.ESCAPE)
    signed_in.gone("dialog")


def test_a_long_list_is_loaded_while_it_is_scrolled(signed_in, alice, admin):
    # Twenty links have the same time, which pages of the list must not lose.
    admin.execute(
        """
        insert into public.links (user_id, raw_url, title, state, created_at, updated_at)
        select %s, 'http://127.0.0.2/' || n, 'Number ' || lpad(n::text, 3, '0'), 'ready', at, at
        from generate_series(0, 119) as n,
            lateral (select '2024-01-01Z'::timestamptz + make_interval(secs =>
                case when n between 40 and 59 then 40 else n end)) as times (at)""",
        [alice.id],
    )
    signed_in.refresh_list()
    signed_in.card("Number 119")
    assert len(signed_in.titles()) == 50

    def scrolled():
        signed_in.script("scrollTo(0, document.body.scrollHeight)")
        return len(signed_in.titles()) == 120

    wait_until(scrolled)
    assert len(set(signed_in.titles())) == 120
    signed_in.script("arguments[0].click()", signed_in.all("#links h2 a")[100])
    signed_in.see("#reader h1", "Number")
    assert signed_in.script("return scrollY") == 0
    signed_in.driver.back()
    signed_in.see("#list")
    assert signed_in.script("return scrollY") > 5_000 and len(signed_in.titles()) == 120


def test_a_page_of_the_list_that_failed_can_be_retried_also_after_a_link_has_changed(signed_in, alice, admin):
    admin.execute(
        """
        insert into public.links (user_id, raw_url, title, state)
        select %s, 'http://127.0.0.2/' || n, 'Number ' || n, 'ready' from generate_series(1, 60) as n""",
        [alice.id],
    )
    signed_in.refresh_list()
    wait_until(lambda: len(signed_in.titles()) == 50)
    signed_in.script(answer_busy("GET", "links?"))
    signed_in.script("scrollTo(0, document.body.scrollHeight)")
    signed_in.see("#note", "The server is busy.")
    signed_in.script("document.querySelector('#links ul:last-child > li:last-child [data-do=star]').click()")
    signed_in.see("#toast.shown", "Starred.")
    wait_until(lambda: any(link["is_starred"] for link in alice.links()))
    signed_in.script("window.isBusy = false")
    # The toast at the bottom may cover it.
    signed_in.see("#retry", "Try again").send_keys(Keys.ENTER)
    wait_until(lambda: len(signed_in.titles()) == 60)


def test_an_offline_page_shows_a_notice_and_can_retry(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="Later")
    conditions = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    signed_in.driver.execute_cdp_cmd("Network.enable", {})
    signed_in.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True} | conditions)
    signed_in.see("#bar a", "Archive").click()
    signed_in.see("#note", "You are offline")
    signed_in.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": False} | conditions | {"downloadThroughput": -1, "uploadThroughput": -1},
    )
    # The button moves when the notice goes.
    signed_in.see("#retry", "Try again").send_keys(Keys.ENTER)
    signed_in.see("#note", "The archive is empty")
    assert all("ERR_INTERNET_DISCONNECTED" in trouble for trouble in signed_in.console_errors())


def test_the_texts_of_a_link_are_never_markup(signed_in, alice):
    teeth = '<img src=x onerror="document.title=1"><b>bold</b>'
    id = alice.save("javascript:document.title=2//", title=teeth, description=teeth)["id"]
    alice.settled(id)
    signed_in.refresh_list()
    card = signed_in.card("<b>bold</b>")
    assert card.find_elements(By.CSS_SELECTOR, "img:not(.preview, .icon), b") == []
    card.find_element(By.CSS_SELECTOR, "h2 a").click()
    assert signed_in.see("#reader h1", "<b>bold</b>").text == teeth
    assert "javascript:" not in (signed_in.all(".source a")[0].get_attribute("href") or "")


def test_a_short_link_to_a_saved_page_is_merged_with_it_and_can_be_unmerged(signed_in, alice, website):
    page, short = f"{website.url}/article/known", f"{website.url}/redirect/1/article/known"
    alice.settled(alice.save(page)["id"])
    # The open list would announce that this link was fetched.
    signed_in.refresh_list()
    signed_in.save(short)
    signed_in.see("#toast", "Already saved")
    wait_until(lambda: len(signed_in.titles()) == 1)
    signed_in.see("#links li h2 a").click()
    signed_in.see(".merged-links summary", "Also saved from another address").click()
    signed_in.see(".merged-links li", short)
    assert signed_in.script(CONTRAST) == []
    # The toast at the bottom may cover it.
    signed_in.see(".merged-links button").send_keys(Keys.ENTER)
    signed_in.see("#toast", "two links again")
    signed_in.gone(".merged-links")
    assert {link["raw_url"] for link in alice.links()} == {page, short}
    signed_in.press(Keys.ESCAPE)
    wait_until(lambda: len(signed_in.titles()) == 2)


def test_a_link_merged_just_after_it_is_ready_is_not_shown_twice(signed_in, alice, website, admin):
    page, short = f"{website.url}/article/known", f"{website.url}/redirect/1/article/known"
    alice.settled(alice.save(page)["id"])
    # The open list would announce that this link was fetched.
    signed_in.refresh_list()
    with admin.transaction():
        # Writes of one link share this lock; the merge that follows them waits for it.
        admin.execute("select pg_advisory_xact_lock_shared(hashtextextended('writes of ' || %s, 0))", (alice.id,))
        signed_in.save(short)
        signed_in.see("#toast", "Ready")
    signed_in.see("#toast", "Already saved")
    wait_until(lambda: len(signed_in.titles()) == 1)


# Polls for a pending link in a store of its own.
POLL = """
    const [folder, id, done] = arguments;
    (async () => {
        const { PendingPoller } = await import(`${folder}/list/pending-poller.js`);
        const { LinkStore } = await import(`${folder}/shared/links/link-store.js`);
        window.polled = new LinkStore();
        polled.merge({ id, state: 'pending' });
        const poller = new PendingPoller(polled, { onFinished() {}, onVanished: async () => {} });
        poller.start(100);
        done();
    })();
"""


@pytest.fixture
def polled_link(signed_in, alice):
    """A link that was fetched. The page has asked for it while it was pending, and the answer is held."""
    link = alice.settled(alice.save("no address 7", title="Fetched")["id"])["id"]
    signed_in.only_on_the_server("the extension has no page that does not poll by itself")
    # This page neither polls by itself nor gets news from other devices.
    signed_in.open("settings/")
    signed_in.settled()
    signed_in.script(hold_first("id=in"))
    signed_in.driver.execute_async_script(POLL, signed_in.folder, link)
    wait_until(lambda: signed_in.script(IS_HELD), every=0.05)
    return link


def test_an_answer_from_before_a_change_of_the_user_does_not_take_it_back(signed_in, alice, polled_link):
    answer = alice.rest("PATCH", f"links?id=eq.{polled_link}", {"list": "archive"}, Prefer="return=representation")
    shown = "window.shown = []; polled.onChange(({ list }) => shown.push(list)); polled.merge(arguments[0]);"
    signed_in.script(shown, answer.json()[0])
    release(signed_in)
    assert signed_in.script("return shown") == ["archive"]


def test_a_change_of_a_link_that_has_just_been_fetched_is_not_missed(signed_in, alice, polled_link):
    alice.rest("PATCH", f"links?id=eq.{polled_link}", {"list": "archive"})
    release(signed_in)
    wait_until(lambda: signed_in.script("return polled.all()[0].list") == "archive")


def test_saving_another_spelling_of_a_page_reports_it_as_already_saved(signed_in, alice, website):
    alice.settled(alice.save(f"{website.url}/article/known")["id"])
    # The open list would announce that this link was fetched, in place of the message that is awaited.
    signed_in.refresh_list()
    signed_in.save(f"{website.url}/article/known/?utm_source=mail")
    signed_in.see("#toast", "Already saved")
    assert len(signed_in.titles()) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen_and_has_enough_contrast_in_both_colour_schemes(signed_in, alice, website, scheme):
    id = alice.settled(alice.save(f"{website.url}/pages/wikipedia")["id"])["id"]
    alice.save("http://127.0.0.2/" + "x" * 300)
    signed_in.colours(scheme)
    for place, selector in [("#/read", "#links li"), (f"#/link/{id}", "#reader .body p")]:
        signed_in.open(place)
        signed_in.driver.refresh()
        signed_in.see(selector)
        for size in [PHONE, DESK]:
            signed_in.size(*size)
            assert signed_in.script("return document.documentElement.scrollWidth") <= size[0]
            assert signed_in.script(CONTRAST) == []
            if size == PHONE:
                assert signed_in.script(LOW) == []
    paper = signed_in.script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in paper[4:-1].split(",")) > 380) == (scheme == "light")
    # Pictures of the page are on other hosts, which this browser cannot reach.
    assert all("ERR_NAME_NOT_RESOLVED" in trouble or "404" in trouble for trouble in signed_in.console_errors())


def test_every_control_has_a_name_and_the_page_has_its_landmarks(signed_in, alice):
    alice.save("http://127.0.0.2/one", title="One")
    signed_in.refresh_list()
    signed_in.card("One")
    for control in signed_in.all("button, input, a[href]"):
        if control.is_displayed():
            assert control.accessible_name.strip()
    for selector in ["main", "nav[aria-label]", "h1", "[role=status]", "html[lang]"]:
        assert signed_in.all(selector)
