"""The browser extension in real Chromium: saving, changing what was saved, signing in, and an absent server."""

import contextlib
import gzip
import json
import re
import shutil
import subprocess
import zipfile

import pytest

from support.axe import AXE, CHECK
from support.client import wait_until
from support.extension_browser import EXTENSION, ExtensionBrowser, Failed, ask
from support.loopback_site import LoopbackSite
from support.paths import CHECKOUT

VERSION = json.loads((EXTENSION / "manifest.json").read_text())["version"]


@pytest.fixture(scope="module")
def site():
    with LoopbackSite(None) as site:
        yield site


@pytest.fixture
def browser(the_browser, relay):
    """The browser without an account, and the way to the server open and unchanged."""
    yield the_browser
    the_browser.close_tabs()
    with contextlib.suppress(OSError):
        relay.open()
    relay.changes.clear()
    options = the_browser.options()
    options.script("await chrome.storage.local.clear()")
    for entry in ask(options, "queue"):
        ask(options, "drop-entry", key=entry["key"])
    the_browser.close_tabs()


def sign_in(browser, relay, user, **settings):
    """Signs in without the form, which has a test of its own. Returns the options page."""
    options = browser.options()
    ask(options, "sign-in", address=relay.url, email=user.email, password=user.password)
    ask(options, "change-settings", changes=settings)
    return options


def links(user, select="*,tags(name),collections(name),notes(body)"):
    return user.links(f"select={select}&order=created_at")


def test_a_user_connects_a_server_and_signs_in(browser, relay, alice):
    options = browser.options()
    options.fill("#address", relay.url)
    options.click("#connect button")
    options.see("#found", f"There is a Lectern server at {relay.url}.")
    options.fill("#email", alice.email)
    options.fill("#password", "wrong")
    options.click("#sign-in button")
    options.see("#server-error", "Wrong e-mail address or password.")
    options.fill("#password", alice.password)
    options.click("#sign-in button")
    options.see("#account", f"Signed in at {relay.url} as {alice.email}.")
    options.click("#test")
    options.see("#server-state", f"The server answers as {alice.email}")
    options.see("#log", f"Signed in at {relay.url}")
    stored = options.script("return JSON.stringify(await chrome.storage.local.get())")
    assert alice.password not in stored
    options.click("#sign-out")
    options.see("#connect")


def test_a_browser_is_paired_by_a_code_of_the_account_page(browser, relay, site, alice):
    made = alice.lectern.auth(
        "POST", "pairings", {"password": alice.password}, Authorization=f"Bearer {alice.token}"
    ).json()
    options = browser.options()
    options.fill("#address", relay.url)
    options.click("#connect button")
    options.fill("#code", "WRONG-CODE")
    options.click("#pair button")
    options.see("#server-error", "code")
    options.fill("#code", made["url"])
    options.click("#pair button")
    options.see("#account", f"Signed in at {relay.url} as {alice.email}.")
    options.click("#test")
    options.see("#server-state", f"The server answers as {alice.email}")
    browser.open(f"{site.url}/article/paired")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    assert [link["raw_url"] for link in links(alice)] == [f"{site.url}/article/paired"]

    # A revoked token ends the session; the password continues it.
    [token] = alice.lectern.auth("GET", "tokens", Authorization=f"Bearer {alice.token}").json()
    assert token["name"] == "Browser extension"
    alice.lectern.auth("DELETE", f"tokens/{token['id']}", Authorization=f"Bearer {alice.token}")
    browser.open(f"{site.url}/article/revoked")
    popup = browser.popup()
    popup.see("#error", "Your session has ended.")
    options = browser.options()
    options.fill("#password", alice.password)
    options.click("#sign-in button")
    wait_until(lambda: len(links(alice)) == 2)


@pytest.mark.parametrize(
    "address, said",
    [
        ("ftp://127.0.0.1", "This is not the address of a server."),
        ("{site}", "No Lectern server answers at {site}. Check the address"),
        ("http://127.0.0.1:9", "No Lectern server answers at http://127.0.0.1:9."),
    ],
    ids=["scheme", "other", "closed"],
)
def test_a_wrong_server_is_told(browser, site, address, said):
    options = browser.options()
    # Without the browser's question, which waits for an answer.
    options.script("chrome.permissions.request = async () => false")
    options.fill("#address", address.format(site=site.url))
    options.click("#connect button")
    options.see("#server-error", said.format(site=site.url))


def test_connecting_asks_for_the_permission_to_reach_this_server_and_no_other(browser, relay):
    options = browser.options()
    options.script("window.asked = []; chrome.permissions.request = async (what) => { asked.push(what); return true }")
    options.fill("#address", relay.url)
    options.click("#connect button")
    options.see("#found")
    assert options.script("return asked") == [{"origins": ["http://127.0.0.1/*"]}]


def test_the_page_is_saved_when_the_button_is_pressed_and_the_save_can_be_undone(browser, relay, site, alice):
    sign_in(browser, relay, alice)
    browser.open(f"{site.url}/article/pressed")
    popup = browser.popup()
    assert popup.see("#state", "Saved") == "Saved."
    [link] = links(alice)
    assert (link["raw_url"], link["list"], link["status"]) == (f"{site.url}/article/pressed", "read", "unread")
    popup.see("#outcome", "The article comes from the page that the server fetched.")
    popup.click("#undo")
    popup.see("#state", "Not saved any more.")
    assert links(alice) == []
    popup.click("#again")
    popup.see("#state", "Saved.")
    assert len(links(alice)) == 1


def test_what_was_saved_is_changed_in_the_popup(browser, relay, site, alice):
    alice.rest("POST", "collections", {"name": "Tea & more"})
    alice.rest("POST", "tags", {"name": "Green"})
    sign_in(browser, relay, alice)
    browser.open(f"{site.url}/article/changed")
    popup = browser.popup()
    popup.see("#edit")
    wait_until(lambda: popup.script("return document.getElementById('collection-field').options.length") == 2)
    popup.fill("#tag-field", "gre")
    wait_until(lambda: popup.script("return [...document.querySelectorAll('#tag-names option')].map((o) => o.value)"))
    popup.fill("#tag-field", "green, new one")
    popup.press("Enter", 13)
    popup.see("#tags", "new one")
    popup.fill("#title-field", "My title")
    popup.fill("#note-field", "Read this <b>first</b>.")
    popup.script("""const field = document.getElementById('collection-field');
        field.value = 'Tea & more';
        field.dispatchEvent(new Event('change'));""")
    popup.click("[name=list][value=archive]")

    def changed():
        [link] = links(alice)
        return (
            link["title"] == "My title"
            and link["list"] == "archive"
            and sorted(tag["name"] for tag in link["tags"]) == ["Green", "new one"]
            and link["collections"] == [{"name": "Tea & more"}]
            and link["notes"] == {"body": "Read this <b>first</b>."}
        )

    wait_until(changed)
    popup.click("#tags [aria-label='Remove tag new one']")
    wait_until(lambda: [tag["name"] for tag in links(alice)[0]["tags"]] == ["Green"])
    # The server has answered, and the extension is about to know it.
    options = browser.options()
    wait_until(lambda: ask(options, "queue") == [])


def test_a_page_that_is_saved_already_is_told_with_its_day_and_state(browser, relay, site, alice):
    url = f"{site.url}/article/known"
    link = alice.save(url, title="Known", status="read", created_at="2026-03-03T12:00:00Z")
    alice.rest("POST", "notes", {"link_id": link["id"], "body": "Mine"})
    sign_in(browser, relay, alice)
    browser.open(url)
    popup = browser.popup()
    said = popup.see("#state", "Saved on")
    assert "3" in said and "March" in said and said.endswith(", read. Moved to the top.")
    assert popup.script("return document.getElementById('undo').hidden")
    wait_until(lambda: popup.script("return document.getElementById('note-field').value") == "Mine")
    [link] = links(alice)
    assert (link["title"], link["status"]) == ("Known", "read")


def test_without_an_account_the_popup_leads_to_the_options(browser, site):
    browser.open(f"{site.url}/article/nobody")
    popup = browser.popup()
    popup.see("#state", "Not saved.")
    popup.see("#error", "Enter the address of your server and sign in, then save again.")
    popup.see("#to-options")


def test_an_expired_session_is_renewed_and_an_ended_one_keeps_what_is_saved(browser, relay, site, alice, bob):
    # A page would be sent a while after its link, by then perhaps with the session that has ended.
    options = sign_in(browser, relay, alice, policy="never")
    change = """const { account } = await chrome.storage.local.get('account');
        await chrome.storage.local.set({ account: { ...account, ...arguments[0] } });"""
    options.script(change, {"access": "expired", "until": 0})
    browser.open(f"{site.url}/article/renewed")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.close()
    # The title of the tab is sent a moment after the link.
    alice.settled(links(alice)[0]["id"])
    wait_until(lambda: ask(options, "queue") == [])

    options.script(change, {"access": "expired", "refresh": "unknown", "until": 0})
    url = f"{site.url}/article/kept"
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved on this device.")
    popup.see("#error", "Your session has ended. Sign in again in the options; pages that are waiting are kept.")
    popup.see("#to-options")
    assert [entry["url"] for entry in ask(popup, "queue")] == [url]
    popup.close()

    # Another account does not send what this one has saved.
    options = browser.options()
    options.see("#ended")
    ask(options, "sign-in", address=relay.url, email=bob.email, password=bob.password)
    ask(options, "send-queue")
    options = browser.options()
    options.see("#queue li", "This was saved with another account.")
    assert links(bob) == []
    ask(options, "sign-in", address=relay.url, email=alice.email, password=alice.password)
    wait_until(lambda: [link["raw_url"] for link in links(alice)][1:] == [url])
    wait_until(lambda: ask(options, "queue") == [])


def test_what_is_saved_without_a_network_is_sent_after_a_restart_of_the_browser(browser, relay, site, alice):
    sign_in(browser, relay, alice, policy="always")
    relay.close()
    browser.open(f"{site.url}/article/offline")
    popup = browser.popup()
    popup.see("#state", "Saved on this device. It is sent when the server can be reached.")
    popup.see("#error", f"{relay.url} does not answer.")
    popup.fill("#tag-field", "later")
    popup.press("Enter", 13)
    popup.fill("#note-field", "On the train")
    mine, wrong = f"{site.url}/article/offline", f"{site.url}/article/wrong"
    wait_until(lambda: len(waiting(browser, mine)) == 2)
    popup.close()
    browser.open(wrong)
    popup = browser.popup()
    popup.see("#state", "Saved on this device.")
    popup.click("#undo")
    popup.see("#state", "Not saved any more.")

    browser.stop()
    browser.start()
    options = browser.options()
    options.see("#queue-state", "1 page is waiting.")
    relay.open()
    options.click("#send")
    options.see("#queue-state", "Nothing is waiting.")
    [link] = links(alice)
    assert (link["raw_url"], link["notes"], link["tags"]) == (mine, {"body": "On the train"}, [{"name": "later"}])
    stored = alice.settled(link["id"])
    assert stored["state"] == "ready" and alice.article(link["id"])["source"] in ("client", "server")


def test_pages_are_saved_after_the_browser_has_cleared_the_storage_of_the_extension(browser, relay, site, alice):
    options = sign_in(browser, relay, alice, policy="always")
    assert ask(options, "queue") == []
    browser.worker().call("Storage.clearDataForOrigin", origin=browser.home.rstrip("/"), storageTypes="indexeddb")
    assert ask(options, "queue") == []
    url = f"{site.url}/article/cleared"
    browser.open(url)
    popup = browser.popup()
    popup.see("#state", "Saved.")
    assert [link["raw_url"] for link in links(alice)] == [url]


def waiting(browser, url):
    """The changes that wait for the link with this address."""
    return browser.worker().script(
        """const opening = indexedDB.open('queue');
        await new Promise((done) => { opening.onsuccess = done });
        const getting = opening.result.transaction('entries').objectStore('entries').getAll();
        await new Promise((done) => { getting.onsuccess = done });
        opening.result.close();
        return getting.result.find((entry) => entry.url === arguments[0])?.changes ?? [];""",
        url,
    )


def test_an_older_server_gets_the_address_and_the_popup_says_what_it_cannot_do(browser, relay, site, alice):
    sign_in(browser, relay, alice, policy="always")
    relay.changes[b"/rpc/save_page?"] = b"/rpc/save_nope?"
    browser.open(f"{site.url}/article/older")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    popup.see("#outcome", "The server is too old to accept pages, so only the address was saved.")
    assert [link["raw_url"] for link in links(alice)] == [f"{site.url}/article/older"]


def test_what_the_server_refuses_is_told_and_can_be_tried_again_or_discarded(browser, relay, site, alice):
    options = sign_in(browser, relay, alice)
    alice.rest("POST", "collections", {"name": "Gone"})
    browser.open(f"{site.url}/article/refused")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    alice.rest("DELETE", "collections?name=eq.Gone")
    with pytest.raises(Failed, match="There is no collection “Gone”"):
        change = {"kind": "collection", "name": "Gone"}
        ask(
            popup,
            "edit",
            key="refused",
            linkId=links(alice)[0]["id"],
            page={"url": "http://127.0.0.2/"},
            changes=[change],
        )
    popup.close()
    options = browser.options()
    options.see("#queue li", "There is no collection “Gone”.")
    options.see("#log", "Refused: http://127.0.0.2/")
    alice.rest("POST", "collections", {"name": "Gone"})
    options.click("#queue button")
    options.see("#queue-state", "Nothing is waiting.")
    assert links(alice)[0]["collections"] == [{"name": "Gone"}]


def test_the_button_of_the_popup_opens_the_reading_list_of_the_extension(browser, relay, site, alice):
    sign_in(browser, relay, alice)
    browser.open(f"{site.url}/article/listed")
    popup = browser.popup()
    popup.see("#state", "Saved.")
    assert popup.script("return document.getElementById('list').href") == f"{browser.home}reading-list/index.html"


def test_each_account_sees_only_what_it_has_saved(browser, relay, site, alice, bob):
    for user in (alice, bob):
        sign_in(browser, relay, user)
        browser.open(f"{site.url}/article/{user.id}")
        popup = browser.popup()
        popup.see("#state", "Saved.")
        assert [link["raw_url"] for link in links(user)] == [f"{site.url}/article/{user.id}"]
        browser.close_tabs()


# With permissions that the browser would ask for


@pytest.fixture
def granted(the_granted_browser, relay, alice):
    """The options page of a browser whose user has answered every question with yes, signed in."""
    yield sign_in(the_granted_browser, relay, alice)
    the_granted_browser.close_tabs()


def test_the_reading_list_of_the_browser_is_imported_once(granted, alice):
    granted.script("""for (const name of ['one', 'two']) await chrome.readingList.addEntry(
        { url: `http://127.0.0.2/${name}`, title: `Number ${name}`, hasBeenRead: name === 'two' });""")
    alice.save("http://127.0.0.2/one", title="Mine", list="archive")
    for said in ("Imported 1 new link. 1 was saved before.", "Imported 0 new links. 2 were saved before."):
        granted.click("#reading-list")
        granted.see("#import-state", said)
        found = {link["title"]: (link["status"], link["list"]) for link in links(alice)}
        assert found == {"Mine": ("unread", "archive"), "Number two": ("read", "read")}


def test_folders_of_bookmarks_become_collections(granted, alice):
    granted.script("""const [{ children: [bar] }] = await chrome.bookmarks.getTree();
        const tea = await chrome.bookmarks.create({ parentId: bar.id, title: 'Tea' });
        for (const [parentId, path] of [[tea.id, 'tea'], [bar.id, 'other'], [tea.id, 'javascript']]) {
            const url = path === 'javascript' ? 'javascript:void 0' : `http://127.0.0.2/${path}`;
            await chrome.bookmarks.create({ parentId, title: path, url });
        }""")
    granted.click("#bookmarks")
    granted.see("#folder-choices", "Tea (2)")
    granted.script("""[...document.querySelectorAll('#folder-choices label')]
        .find((label) => label.innerText.includes('Tea')).querySelector('input').click()""")
    for said in ("Imported 1 new link.", "Imported 0 new links. 1 was saved before."):
        granted.click("#folders button")
        granted.see("#import-state", said)
        [link] = links(alice)
        assert (link["raw_url"], link["collections"]) == ("http://127.0.0.2/tea", [{"name": "Tea"}])


def test_the_badge_marks_saved_pages_once_it_is_switched_on(granted, the_granted_browser, relay, site, alice):
    saved, other = f"{site.url}/article/saved", f"{site.url}/article/other"
    alice.save(saved)
    asked = []
    relay.seen = lambda data: asked.append(data) if b"rpc/saved" in data else None
    shown = lambda: the_granted_browser.worker().script(
        "const [{ id }] = await chrome.tabs.query({ active: true }); return chrome.action.getBadgeText({ tabId: id })"
    )
    the_granted_browser.open(saved)
    assert shown() == "" and asked == []
    granted.click("#badge")
    wait_until(lambda: granted.script("return (await chrome.storage.local.get('settings')).settings.badge"))
    the_granted_browser.open(f"{saved}#part")
    wait_until(lambda: shown() == "✓")
    the_granted_browser.open(other)
    wait_until(lambda: shown() == "")
    assert asked and not any(b"/article/" in data for data in asked)
    popup = the_granted_browser.popup()
    popup.see("#state", "Saved.")
    wait_until(lambda: shown() == "✓")


def choose(browser, menu, **info):
    """Chooses an entry of a context menu on the tab in front. Menus themselves cannot be opened by a program."""
    browser.worker().script(
        """const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        chrome.contextMenus.onClicked.dispatch({ editable: false, frameId: 0, ...arguments[0] }, tab);""",
        {"menuItemId": menu, **info},
    )


def test_the_menus_save_a_page_a_link_and_all_tabs(granted, the_granted_browser, site, alice):
    browser = the_granted_browser
    page, other = f"{site.url}/article/menu", f"{site.url}/article/tab"
    browser.open(other)
    browser.open(page)
    choose(browser, "page", pageUrl=page)
    wait_until(lambda: [link["raw_url"] for link in links(alice)] == [page])
    choose(browser, "link", pageUrl=page, linkUrl="http://127.0.0.2/linked")
    wait_until(lambda: [link["raw_url"] for link in links(alice)] == [page, "http://127.0.0.2/linked"])
    choose(browser, "tabs")
    wait_until(lambda: other in [link["raw_url"] for link in links(alice)])
    assert len(links(alice)) == 3


def test_a_selection_becomes_a_highlight_of_the_article(granted, the_granted_browser, site, alice):
    page = f"{site.url}/article/selected"
    tab = the_granted_browser.open(page)
    tab.script("""const [text] = document.querySelectorAll('p')[2].childNodes;
        getSelection().setBaseAndExtent(text, 8, text, 40);""")
    quote = tab.script("return getSelection().toString()")
    choose(the_granted_browser, "selection", pageUrl=page, selectionText=quote)

    def placed():
        rows = alice.rest("GET", "highlights?select=*,links(raw_url,articles(text_content))").json()
        return [row for row in rows if row["links"]["articles"] and row["start_offset"]]

    [row] = wait_until(placed)
    text = row["links"]["articles"]["text_content"]
    assert (row["quote"], row["links"]["raw_url"]) == (quote.strip(), page)
    assert text[row["start_offset"] : row["end_offset"]] == row["quote"] and row["orphaned_at"] is None


@pytest.mark.parametrize("page", ["popup", "options"])
def test_the_pages_of_the_extension_are_accessible_in_both_colour_schemes(browser, relay, site, alice, page):
    target = sign_in(browser, relay, alice, sites={"example.org": "never"})
    if page == "popup":
        browser.open(f"{site.url}/article/{page}")
        target = browser.popup()
        target.see("#edit")
        target.fill("#tag-field", "one")
        target.press("Enter", 13)
        target.see("#tags", "one")
    target.call("Runtime.evaluate", expression=AXE)
    for scheme in ("light", "dark"):
        target.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert target.script(f"return new Promise((done) => (function () {{ {CHECK} }})(done))") == []


def test_every_permission_is_explained():
    manifest = json.loads((EXTENSION / "manifest.json").read_text())
    wanted = {*manifest["permissions"], *manifest["optional_permissions"], *manifest["optional_host_permissions"]}
    page = (CHECKOUT / "docs/extension.md").read_text()
    assert set(re.findall(r"^\| `([^`]+)` \| (?:always|when)", page, re.M)) == wanted


def test_the_names_of_tags_are_read_as_in_the_web_app():
    own, web = EXTENSION / "shared/tag-names.js", CHECKOUT / "web/shared/links/tag-names.js"
    assert own.read_text() == web.read_text()


def test_the_zip_for_stores_is_the_same_each_time_and_loads(tmp_path, site):
    made = []
    for name, zone in (("one", "UTC"), ("two", "Asia/Tokyo")):
        folder = tmp_path / name
        # Times and order of the files differ in a copy.
        shutil.copytree(EXTENSION, folder / "extension", copy_function=shutil.copy)
        shutil.copytree(CHECKOUT / "deploy/lib", folder / "deploy/lib", copy_function=shutil.copy)
        subprocess.run(
            [folder / "extension/pack", "--out", folder],
            check=True,
            capture_output=True,
            env={"TZ": zone, "PATH": "/usr/bin"},
        )
        made.append(folder / f"lectern-extension-{VERSION}.zip")
    assert made[0].read_bytes() == made[1].read_bytes()
    with zipfile.ZipFile(made[0]) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "loaded")
    assert names == sorted(names) and "pack" not in names and len(names) > 20
    assert {f"web/reader/code/{name}" for name in ("languages.js", "licence.txt")} < set(names)
    browser = ExtensionBrowser(tmp_path / "loaded")
    try:
        browser.options().see("#connect")
        assert set(browser.worker().script("return chrome.runtime.getManifest().icons")) == {"16", "32", "48", "128"}
    finally:
        browser.quit()


def test_the_extension_has_the_version_of_the_change_log():
    assert re.search(r"^## (\S+)", (CHECKOUT / "CHANGELOG.md").read_text(), re.M)[1] == VERSION


def test_the_scripts_of_the_popup_have_at_most_40_kb():
    modules = {EXTENSION / "popup/main.js"}
    while True:
        found = {
            (module.parent / name).resolve()
            for module in modules
            for name in re.findall(r"(?:from |import\()'(\.[^']+)'", module.read_text())
        }
        if found <= modules:
            break
        modules |= found
    assert len(modules) > 4
    assert sum(len(gzip.compress(module.read_bytes())) for module in modules) <= 40_000
