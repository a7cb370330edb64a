"""Articles as Markdown files: GET /markdown/<link id>.md."""

import uuid

import pytest
import yaml

from support.client import wait_until
from support.feeds import get, make_token
from support.searching import follow_up_done
from support.sessions import bearer

TITLE = 'Tea &amp; "Cake"'
PAGE = "<article>{}</article>".format(
    "".join(
        f"<h2>Part {n}</h2><p>The <b>kettle</b> of chapter {n} boils, and <a href='/tea'>tea</a> is made of the water.</p>"
        f"<p><img src='https://pictures.example/{n}.png' alt='A [cup]'> A line about cups, pots and spoons follows it.</p>"
        for n in range(6)
    )
)


@pytest.fixture
def link(admin, alice):
    """A saved page with an article."""
    url = f"http://127.0.0.9:9/{uuid.uuid4()}"
    answer = alice.rest("POST", "rpc/save_page", {"url": url, "title": TITLE, "html": PAGE, "tags": ["drinks"]})
    assert answer.status == 200, answer
    link = alice.settled(answer.json()["id"] if isinstance(answer.json(), dict) else answer.json()[0]["id"])
    assert alice.article(link["id"]) is not None
    follow_up_done(admin, alice)
    return link


def file_of(user, id, headers=None):
    return user.lectern.send("GET", f"/markdown/{id}.md", bearer(user.token) if headers is None else headers)


def parts(answer):
    """The front matter and the text of a file."""
    assert answer.status == 200, answer
    _, front, text = answer.body.decode().split("---\n", 2)
    return yaml.safe_load(front), text


def test_an_article_is_a_markdown_file_with_front_matter(alice, link):
    answer = file_of(alice, link["id"])
    front, text = parts(answer)
    assert answer["content-type"] == "text/markdown; charset=utf-8"
    assert front["title"] == 'Tea & "Cake"' and front["url"] == link["raw_url"] and front["domain"] == "127.0.0.9"
    assert front["categories"] == front["tags"] == ["drinks"] and front["status"] == "unread"
    assert front["bookmarked"].startswith(link["created_at"][:19])
    assert (
        "\n## Part 0\n\nThe **kettle** of chapter 0" in text
        and "![A \\[cup\\]](https://pictures.example/0.png)" in text
    )


@pytest.mark.parametrize("time", ["infinity", "-infinity", "0044-03-15 BC", "20000-01-01"])
def test_the_article_of_a_link_with_any_time_is_stored_and_exported(alice, admin, time):
    link = alice.save(f"http://127.0.0.9:9/{uuid.uuid4()}")
    alice.settled(link["id"])
    admin.execute("update public.links set created_at = %s, updated_at = %s where id = %s", [time, time, link["id"]])
    answer = alice.rest("POST", "rpc/save_page", {"url": link["raw_url"], "title": "Tea", "html": PAGE})
    assert answer.status == 200, answer
    wait_until(lambda: alice.article(link["id"]))
    [(name,)] = admin.execute("select name from private.file_names where link_id = %s", [link["id"]])
    assert name == f"0000-00-00-tea-{link['id'][:8]}.md"
    assert parts(file_of(alice, link["id"]))[0]["title"] == "Tea"
    for format in ("netscape", "json", "csv", "markdown", "zip"):
        headers = {"Authorization": f"Bearer {alice.token}"}
        id = alice.lectern.auth("POST", "exports", {"format": format}, **headers).json()["id"]
        state = wait_until(
            lambda id=id: (
                (row := alice.lectern.auth("GET", f"exports/{id}", None, **headers).json())["state"]
                in ("ready", "failed")
                and row["state"]
            )
        )
        assert state == "ready", format


def test_the_file_follows_title_tags_highlights_and_note_and_is_304_until_then(alice, link):
    tag = file_of(alice, link["id"])["etag"]
    assert file_of(alice, link["id"], bearer(alice.token) | {"If-None-Match": tag}).status == 304
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": "Another", "is_starred": True})
    quote = {"link_id": link["id"], "quote": "a *line*\nwith two", "note": "# mine"}
    assert alice.rest("POST", "highlights", quote).status == 201
    alice.rest("POST", "notes", {"link_id": link["id"], "body": "Try it."})
    answer = file_of(alice, link["id"], bearer(alice.token) | {"If-None-Match": tag})
    front, text = parts(answer)
    assert (front["title"], front["starred"], front["note"], front["highlights"]) == ("Another", True, "Try it.", 1)
    assert text.endswith("\n## Highlights\n\n> a \\*line\\*\n>\n> with two\n\n\\# mine\n")
    assert answer["etag"] != tag


def test_an_article_that_came_without_a_job_gets_its_markdown_too(alice, admin, link):
    admin.execute(
        "update public.articles set content = '<h1>New</h1><p>Other <i>words</i>.' where link_id = %s", [link["id"]]
    )
    wait_until(lambda: "# New\n\nOther *words*.\n" in parts(file_of(alice, link["id"]))[1])
    admin.execute(
        "update public.articles set content = content || '<p>', text_content = '- plain *text*' where link_id = %s",
        [link["id"]],
    )
    text = parts(file_of(alice, link["id"]))[1]
    assert text.strip() in ("\\- plain \\*text\\*", "# New\n\nOther *words*.")


def test_the_name_of_a_file_stays_when_title_and_day_change_and_when_the_link_comes_out_of_the_trash(
    alice, admin, link
):
    def name():
        return admin.execute("select name from private.file_names where link_id = %s", [link["id"]]).fetchone()

    (before,) = name()
    assert before == f"{link['created_at'][:10]}-tea-cake-{link['id'][:8]}.md"
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": "Another"})
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    assert file_of(alice, link["id"]).status == 404
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).status == 200
    assert name() == (before,) and file_of(alice, link["id"]).status == 200


@pytest.mark.parametrize("target", ["x", "x.md", "{id}", "{id}.txt", "..%2f{id}.md", "%2e%2e/{id}.md", "{id}.md/", ""])
def test_other_paths_are_unknown(alice, link, target):
    answer = alice.lectern.send("GET", f"/markdown/{target.format(id=link['id'])}", bearer(alice.token))
    assert answer.status == 404, answer


def test_only_the_owner_reads_a_file(alice, bob, link):
    theirs, unknown = file_of(bob, link["id"]), file_of(bob, uuid.uuid4())
    assert (theirs.status, theirs.body) == (404, unknown.body) and theirs.json()["code"] == "LCT404"
    waiting = alice.save("http://127.0.0.9:9/no-article")
    assert file_of(alice, waiting["id"]).status == 404
    anonymous = file_of(alice, link["id"], {})
    assert anonymous.status == 401 and anonymous["www-authenticate"].startswith("Basic")
    assert alice.lectern.send("POST", f"/markdown/{link['id']}.md", bearer(alice.token)).status == 405


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_tokens_that_read_everything_read_files(alice, link, scope):
    answer = get(alice.lectern, f"/markdown/{link['id']}.md", Authorization=f"Bearer {make_token(alice, scope)}")
    assert answer.status == (200 if scope in ("read", "full") else 403)
