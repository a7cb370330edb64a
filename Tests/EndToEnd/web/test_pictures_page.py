"""Pictures of articles in a real browser: they are loaded from this server, and nothing from any other."""

import json
import os
import uuid
from urllib.parse import urlsplit

import pytest

from support.browser import DESK, ListPage
from support.chromium import speak
from support.client import wait_until
from support.picture_site import PictureSite


@pytest.fixture(scope="module")
def site():
    with PictureSite() as site:
        yield site


@pytest.fixture(scope="module")
def reader(instance, chromium):
    reader = ListPage(instance.url, chromium)
    reader.size(*DESK)
    return reader


def signed_in(reader, instance):
    user = instance.sign_up(f"page-{uuid.uuid4().hex[:12]}@example.org")
    reader.to_list(user)
    return user


def hosts(reader):
    """The hosts of all requests of the page."""
    entries = reader.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    return {urlsplit(entry).netloc for entry in entries if entry.startswith("http")}


def test_an_article_requests_nothing_from_other_servers(reader, instance, site):
    user = signed_in(reader, instance)
    visits = dict(site.visits)
    saved = user.settled(
        user.save(
            site.page(
                "/png/lake?width=900&height=500",
                "/missing/one",
                "/svg",
                preview=site.url + "/png/preview?width=300&height=200",
            )
        )["id"]
    )
    wait_until(
        lambda: (
            (rows := user.rest("GET", f"link_pictures?link_id=eq.{saved['id']}").json())
            and len(rows) == 5
            and all(row["state"] != "waiting" for row in rows)
        )
    )
    fetched = {path: count for path, count in site.visits.items() if count != visits.get(path)}
    assert fetched["/favicon.ico"] == 1 and fetched["/png/preview"] == 1
    reader.open()
    reader.see("li[data-id] h2 a", "A page of pictures")
    for kind in ["preview", "icon"]:
        image = reader.see(f"li[data-id] .{kind}")
        wait_until(lambda: reader.script("return arguments[0].naturalWidth", image))
        assert urlsplit(image.get_attribute("src")).path.startswith("/pictures/")
    save_screenshot(reader, "list")
    reader.open_card("A page of pictures")
    reader.see("#reader h1", "A page of pictures")
    pictures = wait_until(lambda: len(found := reader.all(".body img:not([hidden])")) == 2 and found)
    for picture in pictures:
        reader.script("arguments[0].scrollIntoView()", picture)
        wait_until(lambda: reader.script("return arguments[0].naturalWidth", picture))
        assert picture.get_attribute("alt").startswith("Picture ")
    note = reader.see(".no-picture", "The site has no such page")
    assert "Picture 2" in note.text and "Try again" in note.text
    assert reader.see(".no-picture a").get_attribute("href") == site.url + "/missing/one"
    for scheme in ["light", "dark"]:
        reader.colours(scheme)
        reader.script("arguments[0].scrollIntoView({ block: 'end' })", note)
        save_screenshot(reader, scheme)
    assert hosts(reader) == {urlsplit(instance.url).netloc}
    speak(reader.driver, "de")
    reader.driver.refresh()
    note = reader.see(".no-picture", "Die Website hat mit einem Fehler geantwortet")
    assert "Erneut versuchen" in note.text
    # Description and reason may be written in different directions.
    assert [each.text for each in note.find_elements("css selector", "bdi")][0] == "Picture 2"
    speak(reader.driver, "")
    assert site.visits == visits | fetched, "the browser has asked the site itself"


def test_a_failed_picture_is_loaded_when_the_reader_asks_for_it(reader, instance, site):
    user = signed_in(reader, instance)
    name = f"/png/{uuid.uuid4().hex}"
    site.gone.add(name)
    saved = user.settled(user.save(site.page(name))["id"])
    reader.open(f"#/link/{saved['id']}")
    reader.see(".no-picture button", "Try again")
    site.gone.discard(name)
    reader.click_when_steady(lambda: reader.see(".no-picture button", "Try again"))
    wait_until(lambda: not reader.all(".no-picture") and reader.all(".body img:not([hidden])"))
    wait_until(lambda: reader.script("return document.activeElement.matches('.body img')"))


def test_an_article_with_outside_pictures_cannot_load_them(reader, instance, site):
    """By the Content-Security-Policy, in case the sanitizer ever fails."""
    assert "img-src 'self' data:" in instance.send("GET", "/")["content-security-policy"]
    signed_in(reader, instance)
    reader.script(
        f"document.body.append(Object.assign(new Image(), {{ src: {json.dumps(site.url + '/png/beacon')} }}))"
    )
    wait_until(lambda: any("Content Security Policy" in entry["message"] for entry in reader.driver.get_log("browser")))
    assert "/png/beacon" not in site.visits


def save_screenshot(reader, name):
    """Saves a screenshot in the folder LECTERN_TEST_SCREENSHOTS, if that is set."""
    if folder := os.environ.get("LECTERN_TEST_SCREENSHOTS"):
        reader.driver.save_screenshot(f"{folder}/pictures-{name}.png")
