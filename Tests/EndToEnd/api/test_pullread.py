"""PullRead's viewer: what it reads below /api, and what is refused."""

import json
import uuid

import pytest

from support.client import encoded, wait_until
from support.feeds import get, make_token
from support.searching import add_link, follow_up_done
from support.sessions import bearer

PAGE = "<article>{}</article>".format(
    "".join(
        f"<p>Chapter {n} is about kettles, cups, spoons and the <b>water</b> that is boiled in them every day.</p>"
        f'<p><img src="https://pictures.example/{n}.png" alt="A cup"> And a line about tea follows the picture.</p>'
        for n in range(8)
    )
)
META = [
    "filename", "title", "url", "domain", "bookmarked", "feed", "author", "mtime", "hasSummary", "summaryProvider",
    "summaryModel", "excerpt", "image", "enclosureUrl", "enclosureType", "enclosureDuration",
]  # fmt: skip


def ask(user, path, method="GET", body=None, **headers):
    """A request as the viewer sends it."""
    headers = bearer(user.token) | {name.replace("_", "-"): value for name, value in headers.items()}
    return user.lectern.send(method, f"/api/{path}", headers, None if body is None else json.dumps(body))


def files(user):
    answer = ask(user, "files")
    assert answer.status == 200, answer
    return answer.json()


@pytest.fixture
def link(admin, alice):
    url = f"http://127.0.0.9:9/{uuid.uuid4()}?a='b\"c"
    answer = alice.rest(
        "POST", "rpc/save_page", {"url": url, "title": 'Tea &amp; "Cake"', "html": PAGE, "tags": ["drinks"]}
    )
    assert answer.status == 200, answer
    [row] = answer.json()
    link = alice.settled(row["id"])
    follow_up_done(admin, alice)
    return link


def signed_in(user, token):
    """The cookie that the viewer sends, after a token was given for it."""
    answer = user.lectern.send(
        "POST", "/api/session", {"Content-Type": "application/json"}, json.dumps({"token": token})
    )
    assert answer.status == 200, answer
    fields = [value for name, value in answer.fields if name == "set-cookie"]
    assert all("HttpOnly" in field and "SameSite=Strict" in field for field in fields)
    assert "Path=/api;" in fields[0]
    return fields[0].split(";")[0]


# Lists and files


def test_the_list_has_sixteen_values_of_every_link_with_an_article(alice, link):
    alice.save("http://127.0.0.9:9/no-article")
    [file] = files(alice)
    assert list(file) == META
    assert file["filename"] == f"{link['created_at'][:10]}-tea-cake-{link['id'][:8]}.md"
    assert file["title"] == 'Tea & "Cake"' and file["domain"] == "127.0.0.9"
    assert file["url"].startswith("http://127.0.0.9:9/") and file["url"].endswith("?a=%27b%22c")
    assert file["image"] == "https://pictures.example/0.png" and file["excerpt"] and file["hasSummary"] is False
    assert file["bookmarked"][:19] == link["created_at"][:19] and file["mtime"] >= file["bookmarked"]
    assert file["feed"] == file["enclosureUrl"] == file["enclosureDuration"] == ""


def test_files_are_listed_by_the_day_of_saving_and_then_by_their_change(alice, admin):
    days = {"old": "2026-01-01", "new": "2026-03-01", "middle": "2026-02-01", "changed": "2026-02-01"}
    for title, day in days.items():
        id = add_link(admin, alice, text="words", title=title, created_at=f"{day}T12:00:00Z")
        changed = "2026-06-01" if title == "changed" else "2026-05-01"
        # In one transaction: the writes of other tests wait for their triggers.
        with admin.transaction():
            admin.execute("alter table public.links disable trigger user")
            admin.execute("update public.links set updated_at = %s where id = %s", [f"{changed}T00:00:00Z", id])
            admin.execute("alter table public.links enable trigger user")
        admin.execute("update public.articles set extracted_at = '2026-04-01' where link_id = %s", [id])
    assert [file["title"] for file in files(alice)] == ["new", "changed", "middle", "old"]


def test_enclosures_are_named_as_the_viewer_names_them(alice, admin):
    values = {"enclosure_url": "https://a.example/x'.mp3", "enclosure_type": "audio/mpeg", "enclosure_duration": 62}
    id = add_link(admin, alice, text="words", title="Cast", **values)
    [file] = files(alice)
    assert file["enclosureUrl"] == "https://a.example/x%27.mp3"
    assert (file["enclosureType"], file["enclosureDuration"]) == ("audio/mpeg", "62")
    text = ask(alice, f"file?name={encoded(file['filename'])}").body.decode()
    assert 'enclosure_url: "https://a.example/x%27.mp3"' in text
    assert 'enclosure_type: "audio/mpeg"' in text and "enclosure_duration: 62" in text, id


def test_no_address_in_a_file_can_leave_the_attribute_that_the_viewer_writes_it_into(alice, admin):
    bad = '/z"onmouseover="alert(1)"x=\'<`\\'
    add_link(
        admin,
        alice,
        f"http://127.0.0.9:9{bad}",
        text="words",
        title="quotes",
        image=f"http://127.0.0.9:9/i{bad}",
        enclosure_url=f"http://127.0.0.9:9/e{bad}",
    )
    add_link(admin, alice, "javascript:alert(1)", text="words", title="scripts", image="data:text/html,x")
    named = {file["title"]: file["filename"] for file in files(alice)}
    quotes = ask(alice, f"file?name={encoded(named['quotes'])}").body.decode()
    written = "/z%22onmouseover=%22alert(1)%22x=%27%3C%60%5C"
    for line in ('url: "http://127.0.0.9:9', 'image: "http://127.0.0.9:9/i', 'enclosure_url: "http://127.0.0.9:9/e'):
        assert f'\n{line}{written}"\n' in quotes, quotes
    text = ask(alice, f"file?name={encoded(named['scripts'])}").body.decode()
    assert "javascript:" not in text and "data:" not in text and "\nurl:" not in text, text


def test_a_file_is_read_by_its_name_and_is_304_while_it_stays(alice, link):
    [file] = files(alice)
    answer = ask(alice, f"file?name={encoded(file['filename'])}")
    assert (answer.status, answer["content-type"]) == (200, "text/plain; charset=utf-8")
    text = answer.body.decode()
    assert text.startswith("---\n") and "the **water** that" in text
    stored = alice.lectern.send("GET", f"/markdown/{link['id']}.md", bearer(alice.token)).body.decode()
    assert text == stored.replace("?a='b\\\"c", "?a=%27b%22c") != stored
    same = ask(alice, f"file?name={encoded(file['filename'])}", If_None_Match=answer["etag"])
    assert (same.status, same.body) == (304, b"")
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": "Renamed"})
    assert files(alice)[0]["filename"] == file["filename"] and files(alice)[0]["title"] == "Renamed"
    assert ask(alice, f"file?name={encoded(file['filename'])}", If_None_Match=answer["etag"]).status == 200


@pytest.mark.parametrize(
    "name",
    [
        None, "", "x.md", "..", "../{name}", "..%2F{name}", "%2e%2e%2f{name}", "%252e%252e%252f{name}", "..%5c{name}",
        "{name}%00", "{name}%2f", "/{name}", "%c0%ae%c0%ae%2f{name}", "%ff{name}", "%zz", "a" * 9_000,
    ],
)  # fmt: skip
def test_a_name_that_is_no_file_is_not_found(alice, link, name):
    [file] = files(alice)
    target = "file" if name is None else f"file?name={name.format(name=file['filename'])}"
    answer = ask(alice, target)
    assert (answer.status, answer.body) == (404, b"Not found"), answer


def test_lists_are_304_until_something_changes_and_the_poll_tells_that_it_has(alice, link):
    tags, before = {}, 0

    def are_304():
        nonlocal before
        before = ask(alice, "files-changed").json()["changedAt"]
        tags.update({path: ask(alice, path)["etag"] for path in ("files", "files-changed", "highlights", "notes")})
        are_same = all(ask(alice, path, If_None_Match=tag).status == 304 for path, tag in tags.items())
        return are_same and ask(alice, "files-changed").json()["changedAt"] == before

    # The pictures and the book of a new article come after its text, and each of them is a change.
    wait_until(are_304)
    assert before > 1_700_000_000_000
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"title": "Another"})
    for path, tag in tags.items():
        assert ask(alice, path, If_None_Match=tag).status == 200, path
    assert ask(alice, "files-changed").json()["changedAt"] > before
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    assert files(alice) == []


def test_highlights_and_notes_have_the_viewers_shapes(alice, link):
    alice.rest("POST", "highlights", {"link_id": link["id"], "quote": "kettles", "prefix": "about ", "color": "orange"})
    alice.rest("POST", "notes", {"link_id": link["id"], "body": "Mine", "is_favorite": True})
    [file] = files(alice)
    name = encoded(file["filename"])
    [mark] = ask(alice, f"highlights?name={name}").json()
    assert list(mark) == ["id", "text", "contextBefore", "contextAfter", "color", "note", "createdAt", "updatedAt"]
    assert (mark["text"], mark["contextBefore"], mark["contextAfter"]) == ("kettles", "about ", "")
    assert mark["color"] == "yellow" and mark["note"] == ""
    note = {"articleNote": "Mine", "annotations": [], "tags": ["drinks"], "isFavorite": True}
    assert ask(alice, f"notes?name={name}").json() == note
    assert ask(alice, "highlights").json() == {file["filename"]: [mark]}
    assert ask(alice, "notes").json() == {file["filename"]: note}
    empty = {"articleNote": "", "annotations": [], "tags": [], "isFavorite": False}
    assert ask(alice, "highlights?name=x.md").json() == [] and ask(alice, "notes?name=x.md").json() == empty


def test_a_starred_link_is_a_favourite_of_the_viewer(alice, link):
    assert ask(alice, "notes").json()[files(alice)[0]["filename"]]["isFavorite"] is False
    [other] = alice.rest("POST", "rpc/save_page", {"url": "http://127.0.0.9:9/other", "html": PAGE}).json()
    alice.settled(other["id"])
    alice.rest("PATCH", f"links?id=eq.{other['id']}", {"is_starred": True})
    [name] = [file["filename"] for file in files(alice) if file["url"].endswith("/other")]
    note = {"articleNote": "", "annotations": [], "tags": [], "isFavorite": True}
    assert ask(alice, "notes").json()[name] == ask(alice, f"notes?name={encoded(name)}").json() == note


def test_names_of_tags_and_feeds_cannot_leave_the_scripts_that_the_viewer_writes_them_into(alice, admin, link):
    hostile = "O'N \"x\\ &#39; &apos; AT&T <b>"
    shown = "O’N ”x＼ ＆#39; ＆apos; AT&T <b>"
    admin.execute("update public.tags set name = %s where user_id = %s", [hostile, alice.id])
    [file] = files(alice)
    assert ask(alice, "notes").json()[file["filename"]]["tags"] == [shown]
    assert ask(alice, f"notes?name={encoded(file['filename'])}").json()["tags"] == [shown]
    assert admin.execute("select rest.viewer_word(%s)", [hostile]).fetchone() == (shown,)


def test_an_article_stays_text_where_the_viewer_takes_characters_out(alice):
    """The viewer takes braces and some commands of TeX out of Markdown, with the escapes beside them, and sanitises
    nothing."""
    tag = "&lt;img src=x onerror=alert(1)&gt;"
    texts = [
        f"<p>Text \\left{tag} and more of it</p>", f"<p>Code <code>`{{}}` {tag}</code> and more of it</p>",
        f"<p>A line (/web/1/https://x <code>){tag}</code> and more of it</p>",
        f"<pre><code>``{{}}`\n{tag}\n</code></pre>",
    ]  # fmt: skip
    page = {"url": f"http://127.0.0.9:9/{uuid.uuid4()}", "title": "<b>", "html": PAGE.replace("</p>", "".join(texts))}
    [row] = alice.rest("POST", "rpc/save_page", page).json()
    alice.settled(row["id"])
    [file] = files(alice)
    text = ask(alice, f"file?name={encoded(file['filename'])}").body.decode().split("\n---\n", 1)[1]
    assert text.count("<\u2060img src=x") >= len(texts) and "<img" not in text
    # Other files are for programs that parse them as they are.
    assert "\\left\\<img" in alice.lectern.send("GET", f"/markdown/{row['id']}.md", bearer(alice.token)).body.decode()


def test_what_the_viewer_asks_at_its_start(alice, link):
    config = ask(alice, "config").json()
    assert config["configured"] is True and config["feeds"] == {} and config["syncInterval"] == "manual"
    assert ask(alice, "tts-settings").json()["provider"] == "browser"
    status = ask(alice, "sync-status").json()
    assert (status["syncInterval"], status["articleCount"]) == ("manual", 1) and status["lastActivity"]
    # An object of notebooks by their ids.
    assert ask(alice, "notebooks").json() == {} and ask(alice, "notebooks?id=x").json() is None
    assert ask(alice, "settings").json()["llm"]["providers"] == {}
    assert ask(alice, "sync-progress").json() == {"status": "idle"} and ask(alice, "inbox").json() == []


# What is refused

REFUSED = [
    ("POST", "files"), ("PUT", "file"), ("DELETE", "files"), ("POST", "config"), ("POST", "highlights"),
    ("POST", "notes"), ("POST", "notebooks"), ("DELETE", "notebooks?id=x"), ("POST", "settings"),
    ("POST", "tts-settings"), ("POST", "summarize"), ("POST", "reprocess"), ("POST", "autotag"),
    ("POST", "autotag-batch"), ("POST", "grammar"), ("GET", "feed-discover?url=x"), ("POST", "pick-folder"),
    ("POST", "tts/start"), ("GET", "tts/chunk/ab/1"), ("POST", "kokoro-preload"), ("GET", "backup"),
    ("POST", "restore"), ("POST", "reimport-all"), ("DELETE", "inbox"), ("PATCH", "sync-status"), ("GET", "save"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), REFUSED)
def test_everything_else_of_the_viewer_is_refused_in_its_words(alice, method, path):
    for headers in (bearer(alice.token), {}):
        answer = alice.lectern.send(method, f"/api/{path}", headers, None if method == "GET" else "{}")
        assert (answer.status, answer.json()) == (405, {"error": "Read-only viewer"}), answer


def test_a_page_is_saved_with_a_token_but_not_with_the_cookie(alice):
    url = f"http://127.0.0.9:9/{uuid.uuid4()}"
    assert ask(alice, "save", "POST", {"url": url}).json() == {"ok": True, "queued": True}
    assert ask(alice, "save", "POST", {"url": url + "?utm_source=x"}).status == 200
    [link] = alice.links()
    assert link["raw_url"] == url
    cookie = signed_in(alice, make_token(alice, "full"))
    answer = alice.lectern.send("POST", "/api/save", {"Cookie": cookie}, json.dumps({"url": url + "/2"}))
    assert (answer.status, answer.json()) == (405, {"error": "Read-only viewer"})
    for body in ("", "[]", "{", "{}", '{"url": 1}', '{"url": ""}', '{"url": "javascript:alert(1)"}'):
        answer = alice.lectern.send("POST", "/api/save", bearer(alice.token), body)
        assert answer.status == 400 and answer.json()["error"], body
    assert len(alice.links()) == 1


# Who reads


def test_two_users_see_their_own_files_only(alice, bob, link):
    [file] = files(alice)
    name = encoded(file["filename"])
    assert files(bob) == [] and ask(bob, "highlights").json() == {} and ask(bob, "notes").json() == {}
    assert ask(bob, f"file?name={name}").body == ask(bob, "file?name=x.md").body == b"Not found"
    assert ask(bob, f"notes?name={name}").json()["tags"] == []
    cookie = signed_in(bob, make_token(bob, "read"))
    assert get(alice.lectern, "/api/files", Cookie=cookie).json() == []
    answer = get(alice.lectern, "/api/files", Cookie=cookie, Authorization=f"Bearer {alice.token}")
    assert len(answer.json()) == 1, "the header counts"


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_tokens_of_the_scopes_that_read_sign_the_viewer_in(alice, link, scope):
    token = make_token(alice, scope)
    body = json.dumps({"token": token})
    answer = alice.lectern.send("POST", "/api/session", {"Content-Type": "application/json"}, body)
    listed = get(alice.lectern, "/api/files", Authorization=f"Bearer {token}")
    saved = alice.lectern.send(
        "POST", "/api/save", {"Authorization": f"Bearer {token}"}, json.dumps({"url": f"http://127.0.0.9:9/{scope}"})
    )
    assert saved.status == (200 if scope in ("save", "full") else 403), saved
    if scope in ("read", "full"):
        cookie = answer["set-cookie"].split(";")[0]
        assert len(get(alice.lectern, "/api/files", Cookie=cookie).json()) == 1 and listed.status == 200
        assert get(alice.lectern, "/rest/v1/links", Cookie=cookie).status == 401
    else:
        assert answer.status == listed.status == 403 and scope in listed.json()["error"]
        assert answer["set-cookie"] is None


def test_a_session_signs_the_viewer_in_and_a_revoked_token_ends_it(alice, link):
    assert len(get(alice.lectern, "/api/files", Cookie=f"a=b; {signed_in(alice, alice.token)}").json()) == 1
    token = make_token(alice, "read")
    cookie = signed_in(alice, token)
    [row] = alice.lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert alice.lectern.auth("DELETE", f"tokens/{row['id']}", **bearer(alice.token)).status == 204
    assert get(alice.lectern, "/api/files", Cookie=cookie).status == 401
    gone = alice.lectern.send("DELETE", "/api/session", {"Cookie": cookie})
    assert gone.status == 200 and "Max-Age=0" in gone["set-cookie"]


@pytest.mark.parametrize(
    "body", ["", "[]", "{", "{}", '{"token": ""}', '{"token": 1}', '{"token": "x"}', '{"token": "lct_x"}']
)
def test_a_bad_token_signs_nobody_in(alice, body):
    answer = alice.lectern.send("POST", "/api/session", {"Content-Type": "application/json"}, body)
    assert answer.status == 401 and answer.json()["error"] and answer["set-cookie"] is None


def test_without_credentials_nothing_is_read(alice, link):
    for path in ("files", "file?name=x.md", "files-changed", "highlights", "notes", "tts-settings", "sync-status"):
        answer = get(alice.lectern, f"/api/{path}")
        assert answer.status == 401 and answer.json()["error"], path
    assert get(alice.lectern, "/api/files", Cookie="lectern_token=x").status == 401
    assert get(alice.lectern, "/api/files", Authorization=f"Bearer {alice.lectern.anon_key}").status == 401


def test_icons_of_sites_are_the_users_own_pictures(alice, bob, admin):
    id = add_link(admin, alice, url="https://www.tea.example/a", title="Tea", text="words")
    # Listing the pictures of the article would remove the icon, which its page does not name.
    follow_up_done(admin, alice)
    address = f"ab/{uuid.uuid4().hex}{uuid.uuid4().hex[:8]}.webp"
    file = alice.lectern.home / "pictures" / address
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"RIFF icon")
    hash = uuid.uuid4().hex * 2
    admin.execute(
        "insert into public.pictures (user_id, hash, address, width, height, bytes) values (%s, %s, %s, 1, 1, 9)",
        [alice.id, hash, address],
    )
    admin.execute(
        "insert into public.link_pictures (link_id, user_id, kind, source, state, hash)"
        " values (%s, %s, 'icon', 'https://tea.example/i.png', 'kept', %s)",
        [id, alice.id, hash],
    )
    answer = get(alice.lectern, "/favicons/tea.example.png", Authorization=f"Bearer {alice.token}")
    assert (answer.status, answer.body, answer["content-type"]) == (200, b"RIFF icon", "image/webp")
    answer = get(alice.lectern, "/favicons/tea.example.png", Authorization=f"Bearer {bob.token}")
    assert (answer.status, answer.body) == (404, b"Not found")
    assert get(alice.lectern, "/favicons/tea.example.png").status == 401
    for name in ("x.png", "..png", "tea.example", "a%2fb.png"):
        assert get(alice.lectern, f"/favicons/{name}", Authorization=f"Bearer {alice.token}").status == 404


def test_more_than_twenty_megabytes_of_notes_or_highlights_are_refused(alice, admin, link):
    admin.execute("insert into public.notes (user_id, link_id, body) values (%s, %s, repeat('x', 900000))",
                  [alice.id, link["id"]])  # fmt: skip
    assert ask(alice, "notes").status == 200
    admin.execute(
        "insert into public.highlights (user_id, link_id, quote) select %s, %s, repeat('x', 19990) || n "
        "from generate_series(1, 1100) as n",
        [alice.id, link["id"]],
    )
    answer = ask(alice, "highlights")
    assert answer.status == 413 and "20 MB" in answer.json()["error"]
