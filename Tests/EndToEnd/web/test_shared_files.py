"""What other apps share with the installed app: links, texts and files."""

import base64

import pytest

from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.documents import pdf
from support.offline import go_offline, is_ready

REPORT = pdf(["A report about kettles and cups, and about the water", "that is boiled in them on every morning."])
NOTES = b"# Notes of the day\n\nTea at five.\n"

# Sends what is shared as a browser does: as a form that leads to the page. Files are pairs of name and content in
# base 64.
SHARE = """
    const [values, files] = arguments;
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: '/save', enctype: 'multipart/form-data' });
    for (const [name, value] of Object.entries(values)) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    }
    const chosen = new DataTransfer();
    for (const [name, content] of files) {
      chosen.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt())], name));
    }
    const field = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
    field.files = chosen.files;
    form.append(field);
    document.body.append(form);
    form.submit();"""


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    """The list, with the service worker that takes what is shared."""

    def open_page():
        browser.to_list(alice)
        is_ready(browser)

    yield from watched(browser, open_page)


def share(page, *files, **values):
    page.script(SHARE, values, [[name, base64.b64encode(content).decode()] for name, content in files])


def press_save(page):
    page.see("#save-page button", "Save").click()


def waiting_files(page):
    """How many files the browser keeps for the page."""
    return page.driver.execute_async_script(
        "caches.open('shared-files').then((cache) => cache.keys()).then(({ length }) => arguments[0](length))"
    )


def test_a_shared_link_arrives_in_the_form(page, alice, lectern):
    manifest = lectern.send("GET", "/manifest.webmanifest").json()["share_target"]
    assert (manifest["action"], manifest["method"]) == ("/save", "POST")
    assert {".pdf", ".epub", ".html", ".md", ".txt"} < set(manifest["params"]["files"][0]["accept"])
    share(page, title="A shared page", text="Look at http://127.0.0.2/shared, it is good", url="")
    assert page.see("#title").text == "A shared page"
    assert page.see("[name=url]").get_attribute("value") == "http://127.0.0.2/shared"
    assert "files=" not in page.driver.current_url and alice.links() == []
    press_save(page)
    page.see("#result [role=status]", "Saved.")
    assert [link["raw_url"] for link in alice.links()] == ["http://127.0.0.2/shared"]


def test_shared_files_are_saved_with_one_button_and_one_is_taken_back(page, alice):
    share(
        page, ("kettles.pdf", REPORT), ("notes ä.md", NOTES), ("photo.png", b"\x89PNG\r\n\x1a\n\0\0"), title="3 files"
    )
    page.see("#heading", "Save 3 files")
    assert [item.text.splitlines()[0] for item in page.all("#shared-files li")] == [
        "kettles.pdf", "notes ä.md", "photo.png"
    ]  # fmt: skip
    assert not page.all("#save-page label:not([hidden]) [name=url]") and alice.links() == []
    page.see("[name=tags]").send_keys("paper, tea")
    page.see("[name=list][value=archive]").click()
    press_save(page)
    # The other file is refused in words.
    assert "not a PDF" in page.see("#uploads [role=alert]").text
    page.see("#saved-files li", "kettles.pdf")
    wait_until(lambda: waiting_files(page) == 0)
    links = {link["site_name"]: link for link in alice.links("select=*,tags(name)")}
    assert set(links) == {"kettles.pdf", "notes ä.md"}
    for link in links.values():
        assert link["list"] == "archive" and sorted(tag["name"] for tag in link["tags"]) == ["paper", "tea"]
    page.see("#saved-files li", "notes ä.md").find_element("css selector", ".undo").click()
    page.see("#saved-files li", "Not saved any more.")
    assert [link["site_name"] for link in alice.links()] == ["kettles.pdf"]
    page.see("#saved-files a", "Open").click()
    page.see("#reader .body", "boiled in them")


def test_a_file_that_is_shared_without_a_network_waits_and_is_sent_later(page, alice):
    go_offline(page)
    share(page, ("notes.md", NOTES))
    page.see("#heading", "Save 1 file")
    assert waiting_files(page) == 1
    page.see("[name=tags]").send_keys("tea")
    press_save(page)
    page.see("#saved-files li", "Saved on this device.")
    wait_until(lambda: waiting_files(page) == 0)
    page.open("#/read")
    page.see("#connection .waiting", "1 change waiting").click()
    assert page.see("#waiting li").text.splitlines()[:2] == ["Save a file", "notes.md"]
    page.see("#waiting .close").click()
    assert alice.links() == []
    go_offline(page, False)
    page.see("#toast", "Sent: 1 change.")
    page.gone("#connection .waiting")
    page.card("Notes of the day")
    [link] = alice.links("select=site_name,tags(name)")
    assert link == {"site_name": "notes.md", "tags": [{"name": "tea"}]}
    page.leave()


def test_what_is_no_longer_there_and_what_got_lost_is_told(page):
    page.open("save?files=0f8fad5b-d9cb-469f-a165-70867728950e")
    page.see("#sent-page", "The files are no longer on this device.")
    page.open("save?shared=lost")
    page.see("#sent-page", "What was shared did not arrive. Share it again.")


def test_the_files_of_another_day_and_more_than_twenty_are_forgotten(page):
    kept = page.driver.execute_async_script(
        """
        const done = arguments[0];
        const script = document.createElement('script');
        script.src = '/worker/shares.js';
        script.onload = async () => {
            const cache = await caches.open('a test');
            const put = (number, sharedAt) => cache.put(`/${number}`, new Response('', {
                headers: { 'X-Shared-At': String(sharedAt) },
            }));
            for (let number = 0; number < 22; number++) await put(number, Date.now());
            await put('old', Date.now() - 90_000_000);
            await removeOldShares(cache);
            const left = (await cache.keys()).map(({ url }) => new URL(url).pathname);
            await caches.delete('a test');
            done(left);
        };
        document.head.append(script);
        """
    )
    assert kept == [f"/{number}" for number in range(3, 22)]


def test_the_page_of_shared_files_fits_the_phone_and_has_enough_contrast(page):
    share(page, ("a very long name of a file " * 6 + ".md", NOTES))
    page.see("#shared-files li")
    for size in [PHONE, DESK]:
        page.size(*size)
        for scheme in ["light", "dark"]:
            page.colours(scheme)
            assert page.script("return document.documentElement.scrollWidth <= innerWidth")
            assert page.script(CONTRAST) == [] and page.script(LOW) == []
