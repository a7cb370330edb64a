"""Lectern below a path of a host, behind an nginx that is set up as the documentation says."""

import contextlib
import json
import re
import socket
import subprocess
import tempfile
import urllib.request
import uuid
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import pytest

from support import service
from support.browser import DESK, ListPage
from support.client import free_port, wait_until
from support.offline import go_offline, is_ready
from support.paths import CHECKOUT
from support.picture_site import PictureSite

PATH = "/reading/lectern"


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def proxy(port, target):
    """nginx at a port, with the server of the documentation at PATH."""
    text = (CHECKOUT / "docs/operations.md").read_text()
    location = re.search(r"```nginx\n(location /lectern/ .*?)```", text, re.DOTALL)[1]
    location = location.replace("/lectern/", f"{PATH}/").replace("127.0.0.1:8080", f"127.0.0.1:{target}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "nginx.conf").write_text(f"""
            daemon off; pid {folder}/pid; error_log stderr; events {{ }}
            http {{
                access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                server {{
                    listen 127.0.0.1:{port};
                    location / {{ return 410; }}
                    {location}
                }}
            }}""")
        nginx = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf", "-e", "stderr"])
        try:
            wait_until(lambda: is_open(port))
            yield
        finally:
            nginx.terminate()
            nginx.wait()


@pytest.fixture(scope="module")
def instance():
    port = free_port()
    address = f"http://127.0.0.1:{port}{PATH}"
    with service.own(LECTERN_PUBLIC_URL=address, LECTERN_TRUSTED_PROXIES="127.0.0.1") as instance:
        with proxy(port, instance.port):
            instance.address = address
            yield instance


@pytest.fixture(scope="module")
def site():
    with PictureSite() as site:
        yield site


@pytest.fixture
def page(instance, chromium):
    page = ListPage(instance.address, chromium)
    page.size(*DESK)
    yield page
    # The root of this host is not Lectern's.
    assert [path for path in requested(page) if not path.startswith(f"{PATH}/")] == []
    assert page.console_errors() == []


def requested(page):
    entries = page.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    return [urlsplit(entry).path for entry in entries if entry.startswith(page.url.removesuffix(PATH))]


def test_the_pages_work_below_a_path(page, instance, site):
    page.start()
    page.enter(f"path-{uuid.uuid4().hex[:12]}@example.org", "a long password", create=True)
    page.see("#list")
    is_ready(page)

    page.save(site.page("/png/lake?width=900&height=500"))
    page.press_on_card("A page of pictures", "star")
    page.open_card("A page of pictures")
    page.see("#reader h1", "A page of pictures")
    picture = page.see("#reader .body img")
    wait_until(lambda: page.script("return arguments[0].naturalWidth", picture))
    assert urlsplit(picture.get_attribute("src")).path.startswith(f"{PATH}/pictures/")
    # A page that is left before leaves no copy.
    wait_until(lambda: page.stored("articles") and page.stored("links"))

    # What stands on the other pages leads back below the path, too.
    page.see("#bar [href$='/settings/']").click()
    assert page.see("#address").get_attribute("value") == page.url
    code = page.script("return document.querySelector('[data-bookmarklet=page] a').href")
    assert f"{page.url}/save?" in code and f"const s='{page.url.removesuffix(PATH)}'" in code
    for name in ["queue", "account", "import", "digest"]:
        page.open(f"{name}/")
        page.see("main h1")
        assert page.all(f"a[href='{PATH}/#/read']"), name

    # Without a network, the pages come from the browser.
    go_offline(page)
    try:
        page.open("#/read")
        page.card("A page of pictures")
        page.see("#connection", "Offline")
    finally:
        go_offline(page, False)
    # Forgets the requests that could not be sent.
    page.leave()

    page.open("account/")
    page.see("#logout").click()
    page.see("#sign-in")
    assert page.driver.current_url.startswith(f"{page.url}/")


def test_signing_in_comes_back_to_what_was_to_be_saved(page, instance):
    page.start()
    page.open(f"save?url={quote('http://127.0.0.2/shared')}")
    page.enter(f"path-{uuid.uuid4().hex[:12]}@example.org", "a long password", create=True)
    page.see("#save-page .strong").click()
    page.see("#result [role=status]", "Saved.")
    assert page.driver.current_url.startswith(f"{page.url}/save?url=")


def test_clients_and_feeds_find_everything_below_the_path(instance):
    user = instance.sign_up(f"path-{uuid.uuid4().hex[:12]}@example.org")
    link = user.save("http://127.0.0.2/listed")["id"]
    get = lambda path: instance.send("GET", path, user.headers)
    public = instance.address
    with urllib.request.urlopen(f"{public}/fonts/fonts.css") as answer:
        font = re.search(r'url\("(.*?)"\)', answer.read().decode())[1]
    with urllib.request.urlopen(urljoin(f"{public}/fonts/fonts.css", font)) as answer:
        assert answer.read(4) == b"wOF2"
    with urllib.request.urlopen(f"{public}/manifest.webmanifest") as answer:
        manifest = json.load(answer)
    assert {manifest["start_url"], manifest["scope"], manifest["share_target"]["action"]} == {
        f"{PATH}/#/read", f"{PATH}/", f"{PATH}/save"
    }  # fmt: skip
    form = {"name": "feed", "scope": "feed", "password": user.password}
    token = instance.send("POST", "/auth/v1/tokens", user.headers, json.dumps(form)).json()["token"]
    feed = f"/feed/t/{token}/unread.json"
    assert get(feed).json()["feed_url"] == public + feed
    assert f"{public}/opds" in get("/opds").body.decode()
    assert f"{public}/" in get("/opensearch.xml").body.decode()
    request = urllib.request.Request(f"{public}/rest/v1/links?select=id", headers=user.headers)
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer) == [{"id": link}]


def test_a_file_larger_than_a_request_may_be_is_imported_through_the_proxy(instance):
    user = instance.sign_up(f"path-{uuid.uuid4().hex[:12]}@example.org")
    rows = "".join(f"http://127.0.0.2/{n},{'word ' * 400}\n" for n in range(6_000))
    request = urllib.request.Request(
        f"{instance.address}/import/v1/files?name=links.csv",
        f"url,title\n{rows}".encode(),
        user.headers | {"Content-Type": "text/csv"},
    )
    assert len(request.data) > 11_000_000
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 202


def test_a_url_with_a_slash_at_its_end_is_refused():
    lectern = service.Service()
    try:
        said = lectern.run(status=1, LECTERN_PUBLIC_URL="https://example.org/lectern/")
        assert "LECTERN_PUBLIC_URL: expected a URL like" in said
    finally:
        lectern.remove()
