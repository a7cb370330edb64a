"""The settings that decide when pictures are fetched and whether pages are stored."""

import uuid

import pytest

from support import service
from support.client import wait_until
from support.picture_site import PictureSite


@pytest.fixture(scope="module")
def site():
    with PictureSite() as site:
        yield site


@pytest.fixture(scope="module")
def without_pictures():
    with service.own(LECTERN_PICTURES="off", LECTERN_KEEP_SOURCE="off") as instance:
        yield instance


@pytest.fixture(scope="module")
def pictures_on_first_read():
    with service.own(LECTERN_PICTURES="on_first_read") as instance:
        yield instance


def saved(instance, page):
    """A user and a saved link, once it is read and its pictures are listed."""
    ann = instance.sign_up()
    link = ann.settled(ann.save(page)["id"])
    assert link["state"] == "ready" and ann.article(link["id"])
    wait_for_listing(instance, link)
    return ann, link


def wait_for_listing(instance, link):
    wait_until(
        lambda: (
            instance.sql(f"select state from private.picture_listings where link_id = '{link['id']}'") == [("done",)]
        )
    )


def kinds(user, link):
    return {row["kind"]: row["state"] for row in user.rest("GET", f"link_pictures?link_id=eq.{link['id']}").json()}


def fetch(user, link):
    answer = user.rest("POST", "rpc/fetch_pictures", {"link_id": link["id"]})
    assert answer.status == 200, answer
    return answer.json()


def test_with_pictures_off_none_is_fetched_and_asking_for_them_returns_false(without_pictures, site):
    name = uuid.uuid4().hex
    ann, link = saved(without_pictures, site.page(f"/png/{name}", preview=f"{site.url}/png/preview-{name}"))
    assert kinds(ann, link) == {}
    fetch(ann, link)
    wait_for_listing(without_pictures, link)
    assert fetch(ann, link) is False and kinds(ann, link) == {}
    assert not [path for path in site.visits if name in path]


def test_with_stored_pages_off_re_extraction_fetches_the_page_again(without_pictures, site):
    name = uuid.uuid4().hex
    ann, link = saved(without_pictures, site.page(name=name))
    assert without_pictures.sql(f"select count(*) from private.sources where user_id = '{ann.id}'") == [(0,)]
    without_pictures.sql(f"update public.articles set extractor_version = 0 where link_id = '{link['id']}'")
    done = without_pictures.lectern(
        "maintain",
        "re-extract",
        "--user",
        ann.email,
        "--rate",
        "60000",
        "--json",
        LECTERN_DATABASE_URL=without_pictures.database_url,
    )
    assert done.returncode == 0, done
    wait_until(lambda: ann.article(link["id"])["extractor_version"] > 0)
    assert site.visits[f"/page/{name}"] == 2


def test_with_on_first_read_previews_are_fetched_at_once_and_article_pictures_when_it_is_opened(
    pictures_on_first_read, site
):
    name = uuid.uuid4().hex
    ann, link = saved(pictures_on_first_read, site.page(f"/png/{name}", preview=f"{site.url}/png/preview-{name}"))
    wait_until(lambda: kinds(ann, link) == {"preview": "kept", "icon": "kept"})
    assert f"/png/{name}" not in site.visits
    assert fetch(ann, link) is True
    wait_until(lambda: kinds(ann, link) == {"article": "kept", "preview": "kept", "icon": "kept"})
    assert fetch(ann, link) is False
    # The article stays marked as opened when it is extracted again, even if the link was restored from the trash.
    pictures_on_first_read.sql(f"update private.picture_listings set is_wanted = false where link_id = '{link['id']}'")
    other = uuid.uuid4().hex
    pictures_on_first_read.sql(
        f"update public.articles set content = '<p><img src=\"{site.url}/png/{other}\">' where link_id = '{link['id']}'"
    )
    wait_until(lambda: site.visits.get(f"/png/{other}"))


def test_links_saved_with_pictures_off_get_them_once_they_are_on(without_pictures, site):
    name = uuid.uuid4().hex
    ann, link = saved(without_pictures, site.page(f"/png/{name}"))
    assert kinds(ann, link) == {}
    without_pictures.restart(LECTERN_PICTURES="on_save")
    wait_until(lambda: kinds(ann, link) == {"article": "kept", "preview": "kept", "icon": "kept"})
