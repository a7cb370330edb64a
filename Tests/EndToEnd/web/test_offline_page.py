"""The installed app, and reading and changing links without a network."""

import hashlib
import re

import pytest

from support import service
from support.browser import ListPage, watched
from support.client import wait_until


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
    for path in ["/", "/sw.js", "/files.js", "/worker/app-files.js", "/list/main.js"]:
        assert get(lectern, path)["cache-control"] == "no-cache"
    policy = get(lectern, "/")["content-security-policy"]
    assert "worker-src 'self'" in policy and "manifest-src 'self'" in policy
    files = re.findall(r"^  '(/.*)': '[0-9a-f]{64}',$", get(lectern, "/files.js").body.decode(), re.MULTILINE)
    assert {"/index.html", "/list/main.js", "/icon-192.png"} < set(files)
    assert "/sw.js" not in files and "/files.js" not in files


# The service worker


def is_ready(page):
    """Waits until the service worker answers the page's requests."""
    wait_until(lambda: page.script("return navigator.serviceWorker.controller?.state === 'activated'"), every=0.05)


def go_offline(page, is_offline=True):
    page.driver.execute_cdp_cmd("Network.enable", {})
    speed = 0 if is_offline else -1
    page.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": is_offline, "latency": 0, "downloadThroughput": speed, "uploadThroughput": speed},
    )


def test_the_pages_open_without_a_network(page):
    is_ready(page)
    go_offline(page)
    for path, selector in [("", "#list"), ("account/", "#load-error"), ("queue/", "#queue")]:
        page.open(path)
        page.see(selector)
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
    files.write_text(re.sub("VERSION = '(.)", r"VERSION = 'new-\1", listed))
    file.write_bytes(after)


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
        (lectern.home / "web/index.html").write_text("half a file")
        page.driver.refresh()
        page.see("#note", "says the new version")
        page.leave()
