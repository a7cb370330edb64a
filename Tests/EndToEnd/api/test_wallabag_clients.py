"""Clients of wallabag: wallabag-client as it is, and others by the requests that they send."""

import json
import re
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from wallabag.config import Configs, Options, Sections
from wallabag.wallabag import cli

from support.books import once_made
from support.client import wait_until
from support.feeds import make_token
from support.neighbours import add_article

PARAGRAPHS = "".join(f"<p>Sentence number {n} is long enough for an article of its own.</p>" for n in range(40))


# wallabag-client


@pytest.fixture
def command(alice, tmp_path):
    """Runs wallabag-client with an API token as its password; returns what it prints, without colours."""
    file = tmp_path / "config.ini"
    config = Configs(str(file))
    for section, option, value in [
        (Sections.API, Options.SERVERURL, alice.lectern.url),
        (Sections.API, Options.USERNAME, alice.email),
        (Sections.API, Options.PASSWORD, make_token(alice, "full")),
        (Sections.OAUTH2, Options.CLIENT, "any"),
        (Sections.OAUTH2, Options.SECRET, "any"),
    ]:
        config.set(section, option, value)
    config.save(str(file))

    def run(*arguments):
        result = CliRunner().invoke(cli, ["--config", str(file), "--no-spinner", *arguments], input="y\n")
        assert result.exit_code == 0, (arguments, result.output, result.exception)
        return re.sub(r"\x1b\[[0-9;]*m", "", result.output)

    return run


def test_wallabag_client_works_unchanged(admin, alice, command, tmp_path):
    number = re.search(r"(\d+)\. Tea", command("add", "http://127.0.0.2/tea", "-t", "Tea", "-a", "hot,drinks"))[1]
    assert "already saved" in command("add", "http://127.0.0.2/tea")
    assert "Tea" in command("list") and "Tea" in command("list", "-g", "hot") and "Tea" not in command("list", "-r")
    assert "Tea" not in command("list", "--untagged")
    assert "hot" in command("tags", "-c", "list", "-e", number)
    command("tags", "-c", "add", "-e", number, "-t", "new")
    command("tags", "-c", "remove", "-t", "hot")
    assert sorted(tag["name"] for tag in alice.rest("GET", "tags?select=name").json()) == ["drinks", "new"]
    command("read", number)
    command("star", number)
    command("update", "-t", "Green tea", number)
    [link] = alice.links()
    assert (link["list"], link["is_starred"], link["title"]) == ("archive", True, "Green tea")
    add_article(admin, alice, "<p>An article to read</p>", title="Article")
    [(article, _)] = re.findall(r"(\d+) +.*(Article)", command("list"))
    assert "An article to read" in command("show", article)
    command("export", article, "-f", "TXT", "-o", str(tmp_path))
    assert "An article to read" in next(tmp_path.glob("*.txt")).read_text()
    command("export", article, "-o", str(tmp_path))
    assert "An article to read" in next(tmp_path.glob("*.json")).read_text()
    command("delete", number)
    assert [link["title"] for link in alice.links()] == ["Article"]


# KOReader


class KOReader:
    """The requests of KOReader's plugin: Lua's HTTP client sends few headers, and takes no success but 200."""

    def __init__(self, user):
        self.user = user
        body = {
            "grant_type": "password",
            "client_id": "koreader",
            "client_secret": "any",
            "username": user.email,
            "password": make_token(user, "full"),
        }
        headers = {"Content-type": "application/json", "Accept": "application/json, */*"}
        answer = user.lectern.send("POST", "/oauth/v2/token", headers, json.dumps(body))
        self.token = self.read(answer)["access_token"]

    @staticmethod
    def read(answer):
        assert answer.status == 200 and answer.body.startswith(b"{"), answer
        return answer.json()

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers |= {"Content-type": "application/json", "Accept": "application/json, */*"}
        return self.user.lectern.send(method, path, headers, None if body is None else json.dumps(body))

    def articles(self, size):
        """The pages of the list up to the one that is missing."""
        found, page = [], 1
        while (answer := self.call("GET", f"/api/entries.json?archive=0&page={page}&perPage={size}")).status == 200:
            found += self.read(answer)["_embedded"]["items"]
            page += 1
        assert answer.status == 404
        return found


def test_koreader_adds_downloads_tags_and_archives_articles(alice):
    reader = KOReader(alice)
    for n in range(3):
        body = {"url": f"http://127.0.0.2/{n}", "title": f"Title {n}", "tags": "", "content": PARAGRAPHS}
        reader.read(reader.call("POST", "/api/entries.json", body))
    articles = reader.articles(2)
    assert [article["title"] for article in articles] == ["Title 2", "Title 1", "Title 0"]
    for article in articles:
        path = f"/api/entries/{article['id']}/export.epub"
        book = once_made(alice, lambda path=path: reader.call("GET", path))
        assert book.body.startswith(b"PK")
        # It takes only tables for these; null would end the synchronization.
        assert isinstance(article["tags"], list) and isinstance(article["title"], str)
    first = articles[0]["id"]
    reader.read(reader.call("POST", f"/api/entries/{first}/tags.json", {"tags": "finished"}))
    reader.read(reader.call("PATCH", f"/api/entries/{first}.json", {"archive": 1}))
    reader.read(reader.call("DELETE", f"/api/entries/{articles[1]['id']}.json"))
    assert [article["title"] for article in reader.articles(30)] == ["Title 0"]


# wallabag's app for Android


CLIENT = re.compile(
    r'<div class="collapsible-header"[^>]*>([^<]+)</div>'
    + r".*?<td><strong><code>([^<]+)</code></strong></td>" * 4
    + ".*?/developer/client/delete/",
    re.DOTALL,
)


def test_the_app_for_android_recognizes_the_server_and_finds_a_client_to_sign_in_with(alice):
    start = alice.lectern.send("GET", "/").body.decode()
    assert 'alt="wallabag logo" />' in start and '/logout">' in start
    moved = alice.lectern.send("GET", "/developer")
    page = (
        moved if moved.status == 200 else alice.lectern.send("GET", moved["location"].removeprefix(alice.lectern.url))
    )
    [(name, client, secret, *_)] = CLIENT.findall(page.body.decode())
    assert name.startswith("Android app - #")
    form = {"grant_type": "password", "client_id": client, "client_secret": secret}
    form |= {"username": alice.email, "password": make_token(alice, "full")}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    granted = alice.lectern.send("POST", "/oauth/v2/token", headers, urlencode(form)).json()
    headers = {"Authorization": f"Bearer {granted['access_token']}"}
    assert alice.lectern.send("GET", "/api/entries.json?page=1&perPage=1", headers).json()["total"] == 0


# Wallabagger


def test_wallabagger_saves_changes_and_finds_pages(alice):
    lectern = alice.lectern
    plain = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Origin": "chrome-extension://gbmgphmejlcoihgedabhgjdkcahacjlj",
    }
    assert lectern.send("GET", "/api/info", plain).json()["appname"] == "wallabag"
    signing = {
        "grant_type": "password",
        "client_id": "x",
        "client_secret": "y",
        "username": alice.email,
        "password": alice.password,
    }
    granted = lectern.send("POST", "/oauth/v2/token", plain, json.dumps(signing)).json()
    headers = plain | {"Authorization": f"Bearer {granted['access_token']}"}

    def call(method, path, body=None):
        answer = lectern.send(method, f"/api/{path}", headers, None if body is None else json.dumps(body))
        assert answer.status == 200 and answer["access-control-allow-origin"] == "*"
        return answer.json()

    entry = call("POST", "entries.json", {"url": "http://127.0.0.2/page", "title": "Page", "content": PARAGRAPHS})
    path = f"entries/{entry['id']}"
    assert call("PATCH", f"{path}.json", {"tags": "one,two"})["tags"][0]["label"] == "one"
    assert call("PATCH", f"{path}.json", {"starred": 1})["is_starred"] == 1
    assert call("PATCH", f"{path}.json", {"archive": True})["is_archived"] == 1
    assert call("PATCH", f"{path}.json", {"title": "Other"})["title"] == "Other"
    tags = call("GET", "tags.json")
    assert [tag["label"] for tag in tags] == ["one", "two"]
    assert [tag["label"] for tag in call("DELETE", f"{path}/tags/{tags[0]['id']}.json")["tags"]] == ["two"]
    assert call("GET", "entries/exists.json?url=http%3A%2F%2F127.0.0.2%2Fpage&return_id=1")["exists"] == entry["id"]
    renewal = {
        "grant_type": "refresh_token",
        "refresh_token": granted["refresh_token"],
        "client_id": "x",
        "client_secret": "y",
    }
    renewed = lectern.send("POST", "/oauth/v2/token", plain, json.dumps(renewal)).json()
    headers["Authorization"] = f"Bearer {renewed['access_token']}"
    assert call("DELETE", f"{path}.json")["id"] == entry["id"] and alice.links() == []


# miniflux


def test_miniflux_saves_articles(alice):
    """It signs in with a form, and sends all members of an entry, the empty ones included."""
    form = (
        f"grant_type=password&client_id=a&client_secret=b&username={alice.email}&password={make_token(alice, 'save')}"
    )
    type = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    token = alice.lectern.send("POST", "/oauth/v2/token", type, form).json()["access_token"]
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Authorization": f"Bearer {token}",
        "User-Agent": "Miniflux/2",
    }
    entry = {"url": "http://127.0.0.2/page", "title": "Page", "content": PARAGRAPHS, "tags": ""}
    assert alice.lectern.send("POST", "/api/entries.json", headers, json.dumps(entry)).status == 200
    [link] = alice.links()
    assert wait_until(lambda: alice.article(link["id"])) and alice.link(link["id"])["title"] == "Page"
