"""Articles that everyone with a link may read: rpc/share_link and /public/<token>."""

import uuid

import pytest

from support.feeds import get, make_token
from support.sessions import bearer

PAGE = "<article>{}</article>".format(
    "".join(
        f"<p>Chapter {n} is about kettles, cups, spoons and the <b>water</b> that is boiled in them every day.</p>"
        for n in range(8)
    )
    + '<p><img src="https://pictures.example/a.png?x=1&amp;y=2" alt="A cup"> A line follows the picture of a cup.</p>'
    + '<p><img src="https://pictures.example/b.png" alt="&quot;B&quot;"> Another line follows the picture of a pot.</p>'
)


@pytest.fixture
def link(alice):
    url = f"http://127.0.0.9:9/{uuid.uuid4()}"
    answer = alice.rest("POST", "rpc/save_page", {"url": url, "title": "Tea <1>", "html": PAGE, "tags": ["secret tag"]})
    return alice.settled(answer.json()[0]["id"])


def share(user, link):
    return user.rest("POST", "rpc/share_link", {"link": link["id"]})


def page(user, token):
    """What someone without an account sees."""
    return get(user.lectern, f"/public/{token}")


def test_a_shared_article_is_a_page_for_everyone_that_tells_nothing_of_its_owner(alice, admin, link):
    alice.rest("POST", "notes", {"link_id": link["id"], "body": "secret note"})
    alice.rest("POST", "highlights", {"link_id": link["id"], "quote": "kettles", "note": "secret note"})
    [row] = share(alice, link).json()
    assert list(row) == ["id", "user_id", "link_id", "token", "created_at"] and len(row["token"]) >= 40
    assert share(alice, link).json() == [row], "one address for a link"
    answer = page(alice, row["token"])
    text = answer.body.decode()
    assert answer.status == 200 and answer["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Tea &lt;1&gt;</h1>" in text and "<b>water</b>" in text and link["raw_url"] in text
    assert "secret" not in text and alice.email not in text and alice.id not in text and link["id"] not in text
    assert answer["x-robots-tag"] == "noindex, nofollow" and answer["cache-control"] == "no-store"
    policy = answer["content-security-policy"]
    assert "sandbox" in policy and "allow-scripts" not in policy and "default-src 'none'" in policy
    assert answer["set-cookie"] is None and answer["referrer-policy"] == "no-referrer"
    assert alice.lectern.send("HEAD", f"/public/{row['token']}").status == 200
    assert alice.lectern.send("POST", f"/public/{row['token']}").status == 405


def test_pictures_of_a_shared_article_come_from_this_server(alice, admin, link):
    [row] = share(alice, link).json()
    before = page(alice, row["token"]).body.decode()
    sources = ["https://pictures.example/a.png?x=1&y=2", "https://pictures.example/b.png"]
    for source in sources:
        hash, address = uuid.uuid4().hex * 2, f"ab/{uuid.uuid4().hex}01234567.webp"
        admin.execute(
            "insert into public.pictures (user_id, hash, address, width, height, bytes) values (%s, %s, %s, 1, 1, 9)",
            [alice.id, hash, address],
        )
        admin.execute(
            "insert into public.link_pictures (link_id, user_id, source, state, hash) values (%s, %s, %s, 'kept', %s)"
            " on conflict (link_id, user_id, kind, md5(source)) do update set state = 'kept', hash = excluded.hash",
            [link["id"], alice.id, source, hash],
        )
        written = f'src="{source.replace("&", "&amp;")}"'
        assert written in before
        before = before.replace(written, f'src="../pictures/{address}"')
    assert page(alice, row["token"]).body.decode() == before


def test_sharing_ends_when_it_is_revoked_and_when_the_link_is_deleted(alice, link):
    [row] = share(alice, link).json()
    assert alice.rest("GET", "shares").json() == [row]
    assert alice.rest("POST", "rpc/unshare_link", {"link": link["id"]}).status in (200, 204)
    gone = page(alice, row["token"])
    assert gone.status == 404 and b"Not shared" in gone.body and gone["x-robots-tag"] == "noindex, nofollow"
    assert alice.rest("GET", "shares").json() == []
    [again] = share(alice, link).json()
    assert again["token"] != row["token"] and page(alice, again["token"]).status == 200
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    assert page(alice, again["token"]).status == 404
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).status == 200
    assert page(alice, again["token"]).status == 404, "a restored link is private"


def test_a_disabled_account_shares_nothing(alice, admin, link):
    [row] = share(alice, link).json()
    admin.execute("update auth.users set banned_until = now() + interval '1 day' where id = %s", [alice.id])
    assert page(alice, row["token"]).status == 404
    admin.execute("update auth.users set banned_until = null where id = %s", [alice.id])


def test_another_user_neither_shares_nor_sees_nor_ends_it(alice, bob, link):
    assert share(bob, link).status == 400
    [row] = share(alice, link).json()
    assert bob.rest("GET", "shares").json() == []
    bob.rest("POST", "rpc/unshare_link", {"link": link["id"]})
    assert page(alice, row["token"]).status == 200
    for method, body in (("POST", {"link_id": link["id"]}), ("PATCH", {"token": "x"}), ("DELETE", None)):
        assert alice.rest(method, "shares?token=eq.x", body).status in (400, 401, 403, 405)


@pytest.mark.parametrize("token", ["x", "x" * 5_000, "%27", "%00", "..%2f..", "a/b", "%ff"])
def test_another_address_is_not_found(alice, token):
    assert page(alice, token).status in (400, 404), token
    assert share(alice, {"id": "no id"}).status == 400
    assert share(alice, {"id": str(uuid.uuid4())}).json()["code"] == "LT400"


@pytest.mark.parametrize("scope", ["read", "save", "full", "feed"])
def test_only_tokens_that_may_change_share(alice, link, scope):
    token = make_token(alice, scope)
    answer = alice.lectern.send(
        "POST",
        "/rest/v1/rpc/share_link",
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        f'{{"link": "{link["id"]}"}}',
    )
    assert answer.status == (200 if scope == "full" else 403)
    assert alice.lectern.send("GET", "/rest/v1/shares", bearer(token)).status == (
        200 if scope in ("read", "full") else 403
    )


@pytest.mark.parametrize("both", [False, True])
def test_a_public_link_survives_a_merge_and_comes_back_when_it_is_undone(alice, admin, link, both):
    other = alice.save(f"http://127.0.0.9:9/{uuid.uuid4()}")
    if both:
        share(alice, other)
    token = share(alice, link).json()[0]["token"]
    [merge] = admin.execute("select rest.merge_links(%s, %s, 'clean-up')", [other["id"], link["id"]]).fetchone()
    assert page(alice, token).status == (404 if both else 200)
    assert alice.rest("POST", "rpc/unmerge", {"merge_id": str(merge)}).status == 200
    assert page(alice, token).status == 200
    rows = {row["link_id"]: row["token"] for row in alice.rest("GET", "shares?select=link_id,token").json()}
    assert rows[link["id"]] == token and len(rows) == 1 + both
