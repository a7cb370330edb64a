"""The installed app, and reading and changing links without a network."""

import hashlib
import re

import pytest
from selenium.webdriver.common.keys import Keys

from support import service
from support.browser import CONTRAST, DESK, LOW, ListPage, watched
from support.client import wait_until
from support.offline import go_offline, is_ready
from support.picture_site import PictureSite
from support.reader import SELECT


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    yield from watched(browser, lambda: browser.to_list(alice))


def get(lectern, path):
    return lectern.send("GET", path)


# The installed app


def test_the_app_can_be_installed(lectern, browser):
    answer = get(lectern, "/manifest.webmanifest")
    assert answer["content-type"] == "application/manifest+json" and answer["cache-control"] == "no-cache"
    manifest = answer.json()
    assert (manifest["name"], manifest["display"], manifest["start_url"]) == ("Lectern", "standalone", "/#/read")
    assert manifest["theme_color"] and manifest["background_color"]
    icons = {icon["sizes"]: icon for icon in manifest["icons"]}
    assert set(icons) == {"any", "192x192", "512x512"}
    for size in [192, 512]:
        icon = icons[f"{size}x{size}"]
        assert "maskable" in icon["purpose"]
        picture = get(lectern, icon["src"])
        assert picture["content-type"] == "image/png" and picture.body[16:24] == size.to_bytes(4) + size.to_bytes(4)
    for path in ["/", "/account/", "/queue/"]:
        html = get(lectern, path).body.decode()
        assert '<link rel="manifest" href="/manifest.webmanifest">' in html and 'name="theme-color"' in html
    browser.open()
    problems = browser.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
    assert [problem["errorId"] for problem in problems] == []


def test_a_new_release_reaches_browsers_at_the_next_visit(lectern):
    for path in ["/", "/sw.js", "/files.js", "/worker/app-cache.js", "/list/main.js"]:
        assert get(lectern, path)["cache-control"] == "no-cache"
    policy = get(lectern, "/")["content-security-policy"]
    assert "worker-src 'self'" in policy and "manifest-src 'self'" in policy
    files = re.findall(r"^  '(/.*)': '[0-9a-f]{64}',$", get(lectern, "/files.js").body.decode(), re.MULTILINE)
    assert {"/index.html", "/list/main.js", "/icon-192.png"} < set(files)
    assert "/sw.js" not in files and "/files.js" not in files


# The service worker


def test_the_pages_open_without_a_network(page, lectern):
    is_ready(page)
    go_offline(page)
    for path, selector in [("", "#list"), ("account/", "#load-error"), ("queue/", "#queue")]:
        page.open(path)
        page.see(selector)
    policy = page.driver.execute_async_script(
        "fetch('/').then(({ headers }) => arguments[0](headers.get('Content-Security-Policy')))"
    )
    assert policy == get(lectern, "/")["content-security-policy"]
    go_offline(page, False)
    page.leave()
    names = page.driver.execute_async_script(
        "const done = arguments[0];"
        "caches.keys().then(async (names) => done((await Promise.all(names.map(async (name) =>"
        " (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()))"
    )
    assert "/index.html" in names and "/queue/main.js" in names
    assert [name for name in names if re.match("/(rest|auth|storage|functions)/", name)] == []


def release(home, path, old, new):
    """Puts another version of a file into the web app of a home, as deploy/run does with a new release."""
    file, files = home / "web" / path, home / "web/files.js"
    before = file.read_bytes()
    after = before.replace(old.encode(), new.encode())
    assert before != after
    listed = files.read_text().replace(hashlib.sha256(before).hexdigest(), hashlib.sha256(after).hexdigest())
    replace(files, re.sub("VERSION = '(.)", r"VERSION = 'new-\1", listed).encode())
    replace(file, after)


def replace(file, content):
    """Writes a new file in the place of one, which may be a link to that of another home."""
    file.unlink()
    file.write_bytes(content)


def test_a_new_version_is_offered_and_loaded_as_a_whole(chromium):
    with service.own() as lectern:
        page = ListPage(lectern.url, chromium)
        page.sign_in(lectern.sign_up())
        is_ready(page)
        release(lectern.home, "index.html", "Nothing to read yet.", "Nothing here, says the new version.")
        page.driver.refresh()
        assert "Nothing to read yet." in page.see("#note", "Nothing").text
        page.see("#connection .update", "Update ready")
        page.see("#connection .update button", "Reload").click()
        page.see("#note", "says the new version")
        # A release that is not complete yet is left alone.
        release(lectern.home, "index.html", "says the new version", "says no version")
        replace(lectern.home / "web/index.html", b"half a file")
        page.driver.refresh()
        page.see("#note", "says the new version")
        page.leave()


# Reading without a network


def send_page(user, title, text):
    """Saves a page that has an article, and returns the id of the link."""
    html = f"<html lang=en><head><title>{title}</title></head><body><article><h1>{title}</h1>{text}</article></body></html>"
    body = {"url": f"http://127.0.0.2/{title.replace(' ', '-')}", "title": title, "html": html}
    answer = user.rest("POST", "rpc/save_page", body)
    assert answer.status == 200, answer
    return user.settled(answer.json()[0]["id"])["id"]


TEXT = "".join(f"<p>Paragraph {number}. {'It is kept so that it can be read later. ' * 8}</p>" for number in range(20))


@pytest.fixture
def kept(browser, alice):
    """A page with two links whose articles the browser has fetched in the background, without a network."""
    send_page(alice, "Read once", TEXT)
    send_page(alice, "Never opened", TEXT)
    browser.size(*DESK)
    browser.colours("light")
    browser.to_list(alice)
    wait_until(lambda: len(browser.stored("articles")) == 2, every=0.1)
    is_ready(browser)
    go_offline(browser)
    browser.see("#connection .offline", "Offline")
    yield browser
    go_offline(browser, False)
    trouble = [line for line in browser.console_errors() if "ERR_INTERNET_DISCONNECTED" not in line]
    assert trouble == []


def test_articles_are_read_without_a_network_even_when_the_page_is_opened_there(kept):
    kept.driver.refresh()
    status = kept.see("#connection .offline", "Offline")
    assert (status.aria_role, status.accessible_name) == ("status", "Offline")
    kept.card("Read once")
    kept.card("Never opened").find_element("css selector", "h2 a").click()
    kept.see("#reader .body", "Paragraph 3.")
    kept.open("#/search/once is:unread")
    wait_until(lambda: kept.titles() == ["Read once"], every=0.05)
    kept.open("#/search/in:somewhere")
    kept.see("#note", "You are offline. Only words")
    kept.open("#/archive")
    kept.see("#note", "You are offline")


# The browser has something more urgent to do than what the page does without a network, until `release` is called.
HOLD_IDLE = """
    const idle = window.requestIdleCallback.bind(window);
    const held = [];
    window.requestIdleCallback = (run) => held.push(run);
    window.release = () => { window.requestIdleCallback = idle; held.forEach((run) => idle(run)); };
    const send = window.fetch;
    window.fetch = async (...request) => {
        const response = await send(...request);
        window.isBack ||= request[0].endsWith('/health');
        return response;
    };
"""


@pytest.mark.parametrize("is_loaded_late", [False, True])
def test_an_article_that_is_not_kept_says_so_until_the_network_is_back(kept, alice, is_loaded_late):
    id = alice.links("title=eq.Never opened".replace(" ", "%20"))[0]["id"]
    kept.driver.execute_async_script(
        "const [id, done] = arguments;"
        "const open = indexedDB.open(`lectern-${JSON.parse(localStorage.session).user}`);"
        "open.onsuccess = () => { const change = open.result.transaction('articles', 'readwrite');"
        " change.objectStore('articles').delete(id);"
        " change.oncomplete = () => { open.result.close(); done(); } };",
        id,
    )
    kept.open(f"#/link/{id}")
    if is_loaded_late:
        script = kept.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOLD_IDLE})
        kept.driver.refresh()
        kept.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    else:
        kept.driver.refresh()
    kept.see("#reader .body", "this article is not kept on this device")
    kept.see("#reader h1", "Never opened")
    go_offline(kept, False)
    if is_loaded_late:
        wait_until(lambda: kept.script("return window.isBack"), every=0.05)
        kept.script("release()")
    kept.see("#reader .body", "Paragraph 3.")


def test_the_sidebar_has_its_tags_without_a_network(kept, alice):
    go_offline(kept, False)
    tag = alice.rest("POST", "tags", {"name": "slow reads"}, prefer="return=representation").json()[0]["id"]
    link = alice.links("title=eq.Read%20once")[0]["id"]
    assert alice.rest("POST", "link_tags", {"link_id": link, "tag_id": tag}).status == 201
    kept.driver.refresh()
    kept.see("#sidebar .tags a", "slow reads")
    wait_until(lambda: kept.script("return localStorage['kept-tags']"), every=0.05)
    wait_until(lambda: any("slow reads" in (copy.get("tagIds") or {}) for copy in kept.stored("links")), every=0.05)
    go_offline(kept)
    kept.driver.refresh()
    assert kept.see("#sidebar .tags a", "slow reads").text.split() == ["slow", "reads", "1"]
    kept.see("#sidebar .tags a", "slow reads").click()
    wait_until(lambda: kept.titles() == ["Read once"], every=0.05)
    go_offline(kept, False)
    kept.see("#logout").click()
    kept.see("#login")
    assert kept.script("return localStorage['kept-tags'] ?? null") is None


def test_signing_out_removes_everything_and_users_never_see_each_others(kept, alice, bob):
    go_offline(kept, False)
    kept.gone("#connection .offline", "Offline")
    kept.see("#logout").click()
    kept.see("#login")
    assert kept.stored("links") == [] and kept.stored("articles") == []
    assert kept.driver.execute_async_script("caches.has('pictures').then(arguments[0])") is False
    kept.sign_in(bob)
    kept.see("#note", "Nothing to read yet")
    go_offline(kept)
    kept.driver.refresh()
    kept.see("#note", "You are offline")
    assert kept.titles() == [] and kept.stored("articles") == []


# Changing without a network


def press(page, title, action):
    page.press_on_card(title, action)


def test_changes_are_sent_in_order_when_the_network_is_back(kept, alice):
    press(kept, "Read once", "star")
    kept.see("#toast", "Starred.")
    press(kept, "Never opened", "archive")
    kept.see("[name=url]").send_keys("http://127.0.0.2/later", "\n")
    kept.card("Saved on this device")
    kept.see("#connection .waiting", "3 changes waiting")
    # Another browser window, and a closed one, know them, too.
    kept.driver.refresh()
    kept.see("#connection .waiting", "3 changes waiting")
    wait_until(lambda: sorted(kept.titles()) == ["127.0.0.2/later", "Read once"], every=0.05)
    press(kept, "127.0.0.2/later", "star")
    kept.see("#connection .waiting", "4 changes waiting").click()
    kept.see("#waiting li")
    texts = [item.text.splitlines()[:2] for item in kept.all("#waiting li")]
    assert texts[0] == ["Star", "Read once"] and texts[1] == ["Archive", "Never opened"] and texts[2][0] == "Save"
    kept.see("#waiting .close").click()
    assert [link["is_starred"] for link in alice.links("order=created_at")] == [False, False]

    go_offline(kept, False)
    kept.see("#toast", "Sent: 4 changes.")
    kept.gone("#connection .waiting")
    kept.gone("#connection .offline", "Offline")
    links = {link["title"] or link["raw_url"]: link for link in alice.links()}
    assert links["Read once"]["is_starred"] and links["Never opened"]["list"] == "archive"
    assert links["http://127.0.0.2/later"]["is_starred"]
    wait_until(lambda: len(kept.titles()) == 2, every=0.05)


def test_changes_of_a_session_that_has_ended_are_sent_after_the_next_sign_in(kept, alice):
    press(kept, "Read once", "star")
    kept.see("#connection .waiting", "1 change waiting")
    kept.script(
        "const s = JSON.parse(localStorage.session); s.access = 'x.y.z'; s.refresh = 'gone';"
        "localStorage.session = JSON.stringify(s)"
    )
    go_offline(kept, False)
    kept.see("#login [role=alert]", "Your session has ended")
    troubles = [line for line in kept.console_errors() if "ERR_INTERNET_DISCONNECTED" not in line]
    assert all("400" in trouble or "401" in trouble for trouble in troubles), troubles
    kept.enter(alice.email, alice.password)
    kept.see("#toast", "Sent: 1 change.")
    assert alice.links("title=eq.Read%20once")[0]["is_starred"]


def test_the_place_in_an_article_is_kept_and_sent(kept, alice):
    kept.card("Read once").find_element("css selector", "h2 a").click()
    kept.see("#reader .body", "Paragraph 3.")
    kept.script("scrollTo(0, document.querySelectorAll('.body p')[9].offsetTop)")
    kept.see("#connection .waiting", "1 change waiting")
    kept.script("scrollTo(0, document.querySelectorAll('.body p')[14].offsetTop)")
    # The page is told that it was scrolled before its next frame.
    wait_until(lambda: kept.script("return document.querySelector('#reader progress').value") > 0.6, every=0.05)
    kept.driver.back()
    kept.see("#list")
    kept.card("Read once").find_element("css selector", "h2 a").click()
    wait_until(lambda: kept.script("return scrollY") > 1000, every=0.05)
    kept.see("#connection .waiting", "1 change waiting")
    go_offline(kept, False)
    kept.gone("#connection .waiting")
    [row] = alice.rest("GET", "reading_progress").json()
    assert row["percentage_complete"] > 0.5


def test_highlights_and_the_note_are_kept_and_sent(kept, alice):
    [link] = [link["id"] for link in alice.links("select=id&title=eq.Read%20once")]
    go_offline(kept, False)
    kept.gone("#connection .offline", "Offline")
    alice.rest("POST", "highlights", {"link_id": link, "quote": "Paragraph 1.", "color": "blue"})
    kept.open(f"#/link/{link}")
    kept.see("#reader .body mark", "Paragraph 1.")
    kept.see("#reader [aria-label=Highlights]").click()
    kept.see("#highlights textarea:enabled")
    is_kept = lambda copy: copy.get("highlights") and "note" in copy
    wait_until(lambda: any(is_kept(copy) for copy in kept.stored("articles")), every=0.05)
    go_offline(kept)
    kept.see("#connection .offline", "Offline")
    kept.driver.refresh()
    kept.see("#reader .body mark", "Paragraph 1.")
    kept.script(SELECT, "Paragraph 2.", "Paragraph 2.")
    kept.see("#selection-toolbar [data-color=green]").click()
    kept.see("#reader .body mark", "Paragraph 2.")
    kept.see("#reader [aria-label=Highlights]").click()
    kept.see("#highlights textarea:enabled").send_keys("Read on the train")
    kept.see("#highlights [role=status]", "Saved.")
    kept.driver.refresh()
    kept.see("#reader .body mark", "Paragraph 2.")
    kept.see("#connection .waiting", "2 changes waiting")
    go_offline(kept, False)
    kept.see("#toast", "Sent: 2 changes.")
    rows = alice.rest("GET", f"highlights?link_id=eq.{link}&select=quote,color&order=quote").json()
    assert rows == [{"quote": "Paragraph 1.", "color": "blue"}, {"quote": "Paragraph 2.", "color": "green"}]
    assert alice.rest("GET", f"notes?link_id=eq.{link}&select=body").json() == [{"body": "Read on the train"}]


def test_a_deletion_without_a_network_can_be_undone(kept, alice):
    press(kept, "Read once", "delete")
    wait_until(lambda: kept.titles() == ["Never opened"], every=0.05)
    kept.see("#connection .waiting", "1 change waiting")
    kept.see("#toast button", "Undo").click()
    wait_until(lambda: len(kept.titles()) == 2, every=0.05)
    kept.gone("#connection .waiting")
    press(kept, "Never opened", "delete")
    kept.see("#connection .waiting", "1 change waiting")
    go_offline(kept, False)
    kept.see("#toast", "Sent: 1 change.")
    assert [link["title"] for link in alice.links()] == ["Read once"]


def change_all(page, name):
    page.script("document.querySelectorAll('#links [data-select]').forEach((box) => box.checked || box.click())")
    page.see("#selection button", name).click()


def test_several_links_are_changed_together_and_sent(kept, alice):
    change_all(kept, "Star for newsletter")
    kept.see("#toast", "Starred: 2 links.")
    kept.see("#connection .waiting", "2 changes waiting")
    change_all(kept, "Add tag")
    kept.see("#choose [name=tag]").send_keys("later", Keys.ENTER)
    kept.see("#toast", "Added to #later: 2 links.")
    kept.see("#links .tags a", "#later")
    change_all(kept, "Archive")
    kept.see("#toast", "Archived: 2 links.")
    wait_until(lambda: kept.titles() == [], every=0.05)
    kept.see("#toast button", "Undo").click()
    wait_until(lambda: len(kept.titles()) == 2, every=0.05)
    go_offline(kept, False)
    kept.see("#toast", "Sent: ")
    kept.gone("#connection .waiting")
    links = alice.rest("GET", "links?select=is_starred,list,link_tags(tags(name))").json()
    assert links == 2 * [{"is_starred": True, "list": "read", "link_tags": [{"tags": {"name": "later"}}]}]


def test_all_that_match_stay_selected_without_a_network_and_are_changed_after_it(kept, alice):
    kept.script("document.querySelector('#links [data-select]').click()")
    kept.see("#selection .select-all").click()
    kept.see("#selection .count", "Everything selected")
    for button in ("Archive", "Delete"):
        kept.see("#selection button", button).click()
        kept.see("#toast", "this needs the server. The links stay selected")
        kept.see("#selection .count", "Everything selected")
    assert len(kept.titles()) == 2 and not kept.all("#connection .waiting:not([hidden])")
    go_offline(kept, False)
    kept.gone("#connection .offline")
    kept.see("#selection .count", "Everything selected")
    kept.see("#selection button", "Archive").click()
    kept.see("#toast", "Archived: 2 links.")
    assert {link["list"] for link in alice.links()} == {"archive"}
    # Also undoing is offered until it has succeeded.
    go_offline(kept)
    kept.see("#toast button", "Undo").click()
    kept.see("#toast", "You are offline.")
    go_offline(kept, False)
    kept.see("#toast button", "Undo").click()
    kept.see("#toast", "Undone.")
    assert {link["list"] for link in alice.links()} == {"read"}


def test_a_deletion_of_several_links_is_undone_also_of_one_that_was_never_sent(kept, alice):
    kept.see("[name=url]").send_keys("http://127.0.0.9:9/new", Keys.ENTER)
    wait_until(lambda: len(kept.titles()) == 3, every=0.05)
    change_all(kept, "Delete")
    wait_until(lambda: kept.titles() == [], every=0.05)
    kept.see("#toast button", "Undo").click()
    wait_until(lambda: len(kept.titles()) == 3, every=0.05)
    go_offline(kept, False)
    kept.see("#toast", "Sent: ")
    kept.gone("#connection .waiting")
    wait_until(lambda: len(alice.links()) == 3)
    assert alice.rest("GET", "trash").json() == []


def test_a_newer_change_from_another_device_wins_and_is_told(kept, alice):
    press(kept, "Read once", "star")
    kept.see("#connection .waiting", "1 change waiting")
    id = alice.links("title=eq.Read%20once")[0]["id"]
    later = "2199-01-01T00:00:00Z"
    answer = alice.rest(
        "PATCH", f"links?id=eq.{id}", {"is_starred": False}, X_Lectern_Acted_At=later, X_Lectern_Sent_At=later
    )
    assert answer.status < 300
    go_offline(kept, False)
    kept.see("#toast", "another device has made a newer change")
    assert not alice.link(id)["is_starred"]


def test_a_refused_change_is_kept_with_its_reason_and_can_be_dropped(kept, alice, admin):
    kept.see("[name=url]").send_keys("http://127.0.0.2/refused", "\n")
    kept.see("#connection .waiting", "1 change waiting")
    press(kept, "Read once", "star")
    kept.driver.execute_async_script(
        "const done = arguments[0];"
        "const open = indexedDB.open(`lectern-${JSON.parse(localStorage.session).user}`);"
        "open.onsuccess = () => { const change = open.result.transaction('changes', 'readwrite');"
        " const store = change.objectStore('changes');"
        " store.getAll().onsuccess = ({ target }) => store.put({ ...target.result[0], url: 'x'.repeat(70000) });"
        " change.oncomplete = () => { open.result.close(); done(); } };"
    )
    go_offline(kept, False)
    kept.see("#toast", "Sent: 1 change.")
    kept.see("#connection .waiting", "1 change waiting, 1 refused").click()
    assert "Refused: " in kept.see("#waiting li", "Save").text
    names = [button.accessible_name.split(":")[0] for button in kept.all("#waiting li button")]
    assert names == ["Try again", "Discard"]
    assert kept.script(CONTRAST) == [] and kept.script(LOW, "#waiting button") == []
    kept.see("#waiting li button", "Discard").click()
    kept.gone("#waiting")
    kept.gone("#connection .waiting")
    kept.console_errors()


def test_tags_are_added_and_removed_without_a_network(kept, alice):
    press(kept, "Read once", "more")
    kept.see("#more .add-tag input").send_keys("for later", "\n")
    kept.see("#more .tag-list", "#for later")
    assert kept.see("#more .add-tag input") and not kept.all("#more [role=alert]:not(:empty)")
    kept.see("#more .close").click()
    kept.see("#links .tags a", "#for later")
    kept.see("#connection .waiting", "1 change waiting")
    go_offline(kept, False)
    kept.see("#toast", "Sent: 1 change.")
    assert [tag["name"] for tag in alice.rest("GET", "tags?select=name,link_tags!inner()").json()] == ["for later"]

    # The copy has the tag with its id as soon as the list is in step again.
    wait_until(lambda: any("for later" in (link.get("tagIds") or {}) for link in kept.stored("links")), every=0.05)
    go_offline(kept)
    kept.see("#connection .offline", "Offline")
    press(kept, "Read once", "more")
    kept.see("#more .tag-list button").click()
    kept.gone("#more .tag-list", "#for later")
    kept.see("#more .close").click()
    go_offline(kept, False)
    wait_until(lambda: alice.rest("GET", "link_tags").json() == [], every=0.05)


@pytest.fixture
def kept_with_tag(kept, alice):
    """The page with a network again, and a copy of a link with the tag "for later", which is in a collection."""
    go_offline(kept, False)
    kept.gone("#connection .offline", "Offline")
    link = alice.links("title=eq.Read%20once")[0]["id"]
    tag = alice.rest("POST", "tags", {"name": "for later"}, prefer="return=representation").json()[0]["id"]
    assert alice.rest("POST", "link_tags", {"link_id": link, "tag_id": tag}).status == 201
    collection = alice.rest("POST", "collections", {"name": "Essays"}, prefer="return=representation").json()[0]["id"]
    assert alice.rest("POST", "collection_links", {"collection_id": collection, "link_id": link}).status == 201
    wait_until(lambda: any("for later" in (copy.get("tagIds") or {}) for copy in kept.stored("links")), every=0.05)
    return kept


# The request for the tags of a link gets no answer.
FAIL_TAGS = """
    const send = window.fetch;
    window.fetch = async (...request) => {
        if (request[0].includes('select=tags(')) throw TypeError('Failed to fetch');
        return send(...request);
    };
"""


def test_tags_are_those_of_the_copy_if_the_server_is_lost_at_that_moment(kept_with_tag):
    kept_with_tag.script(FAIL_TAGS)
    press(kept_with_tag, "Read once", "more")
    kept_with_tag.see("#more .tag-list", "#for later")
    assert not kept_with_tag.all("#more [role=alert]:not(:empty), #more .collection-list input")
    kept_with_tag.see("#more .close").click()


# Keeps the answers to requests for the collections until `release` is called. The sidebar may ask for them, too.
HOLD_COLLECTIONS = """
    const send = window.fetch;
    window.held = 0;
    const released = new Promise((resolve) => { window.release = resolve; });
    window.fetch = async (...request) => {
        const response = await send(...request);
        if (request[0].includes('/collections?')) {
            window.held += 1;
            await released;
        }
        return response;
    };
"""


def test_an_answer_to_what_was_asked_before_does_not_mean_that_the_network_is_back(kept_with_tag):
    page = kept_with_tag
    page.script(HOLD_COLLECTIONS)
    press(page, "Read once", "more")
    wait_until(lambda: page.script("return window.held"), every=0.05)
    go_offline(page)
    page.see("#connection .offline", "Offline")
    page.script("window.release()")
    page.see("#more .tag-list", "#for later")
    assert page.see("#connection .offline", "Offline", seconds=0)
    page.see("#more .close").click()


# Pictures

IS_STORED = "const [path, done] = arguments; caches.match(path).then((answer) => done(Boolean(answer)))"

# Leaves what the page keeps as if it had been fetched before the server knew the pictures of the articles.
FORGET_PICTURES = (
    "const done = arguments[0];"
    "const open = indexedDB.open(`lectern-${JSON.parse(localStorage.session).user}`);"
    "open.onsuccess = () => { const change = open.result.transaction('articles', 'readwrite');"
    " const store = change.objectStore('articles');"
    " store.getAll().onsuccess = ({ target }) =>"
    "  target.result.forEach((copy) => store.put({ ...copy, pictures: [] }));"
    " change.oncomplete = () => { open.result.close(); caches.delete('pictures').then(done); } };"
)


# The first picture that a tab fetches does not arrive.
FAIL_FIRST_PICTURE = """
    const send = window.fetch;
    window.fetch = (...request) => {
        if (sessionStorage.hasFailed || !request[0].includes('/pictures/')) return send(...request);
        sessionStorage.hasFailed = true;
        return Promise.reject(TypeError('Failed to fetch'));
    };
"""


def test_a_picture_that_does_not_arrive_is_fetched_again(page, alice):
    is_ready(page)
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAIL_FIRST_PICTURE})
    page.refresh_list()
    with PictureSite() as site:
        address = site.page("/png/lake?width=90&height=50", "/png/hill?width=80&height=40")
        id = alice.settled(alice.save(address)["id"])["id"]
        kept = f"link_pictures?link_id=eq.{id}&kind=eq.article&state=eq.kept&select=pictures(address)"
        rows = wait_until(lambda: len(rows := alice.rest("GET", kept).json()) == 2 and rows)
    # The page may have fetched them before.
    page.driver.execute_async_script(FORGET_PICTURES)
    page.script("sessionStorage.removeItem('hasFailed')")
    page.driver.refresh()
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    paths = [f"/pictures/{row['pictures']['address']}" for row in rows]
    wait_until(lambda: all(page.driver.execute_async_script(IS_STORED, path) for path in paths), every=0.1)
    assert page.script("return Boolean(sessionStorage.hasFailed)")


def test_pictures_are_seen_without_a_network(page, alice):
    with PictureSite() as site:
        id = alice.settled(alice.save(site.page("/png/lake?width=90&height=50"))["id"])["id"]
        rows = wait_until(
            lambda: alice.rest(
                "GET", f"link_pictures?link_id=eq.{id}&kind=eq.article&state=eq.kept&select=pictures(address)"
            ).json()
        )
    is_ready(page)
    page.driver.refresh()
    path = f"/pictures/{rows[0]['pictures']['address']}"
    has_picture = lambda: any(copy["pictures"] and copy["pictures"][0]["pictures"] for copy in page.stored("articles"))
    is_stored = lambda: has_picture() and page.driver.execute_async_script(IS_STORED, path)
    wait_until(is_stored, every=0.1)
    page.driver.execute_async_script(FORGET_PICTURES)
    page.driver.refresh()
    wait_until(is_stored, every=0.1)
    go_offline(page)
    page.open(f"#/link/{id}")
    width = "return document.querySelector('#reader .body img')?.naturalWidth"
    wait_until(lambda: page.script(width) == 90, every=0.05)
    go_offline(page, False)
    page.leave()


def test_the_pictures_that_were_not_seen_for_the_longest_time_go_first(page):
    kept = page.driver.execute_async_script(
        """
        const done = arguments[0];
        const script = document.createElement('script');
        script.src = '/worker/pictures.js';
        script.onload = async () => {
            const cache = await caches.open('a test');
            const put = (path, usedAt, bytes) => cache.put(path, new Response('', {
                headers: { 'X-Used-At': usedAt, 'Content-Length': bytes },
            }));
            await put('/new', 3000, 90_000_000);
            await put('/oldest', 1000, 10);
            await put('/large', 2000, 120_000_000);
            await trimPictures(cache);
            const left = (await cache.keys()).map(({ url }) => new URL(url).pathname);
            await caches.delete('a test');
            done(left);
        };
        document.head.append(script);
        """
    )
    assert kept == ["/new"]
