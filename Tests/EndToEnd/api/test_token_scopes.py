"""What an API token of each scope may do: every route and method, and everything a request can ask for."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.client import wait_until
from support.sessions import bearer

SCOPES = ["read", "save", "full", "feed"]
REPRESENTATION = "return=representation"
NO_ROW = "id=eq.00000000-0000-0000-0000-000000000000"


def make_token(user, scope):
    answer = user.lectern.auth("POST", "tokens", {"name": scope, "scope": scope}, **bearer(user.token))
    assert answer.status == 201, answer
    return answer.json()["token"]


def ask(lectern, token, method, target, body=None, **headers):
    """A request with an API token as its only credential; header names with _ for -."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | more
    return lectern.send(method, target, headers, None if body is None else json.dumps(body))


def is_refused(answer):
    """Whether the scope of the token was not enough."""
    return answer.status == 403 and 'error="insufficient_scope"' in (answer["www-authenticate"] or "")


# Every route


def rest_routes(description, reading_functions):
    """Each table and function with each method: method, target, body, and the scopes that may use it."""
    for path in json.loads(description)["paths"]:
        name = path.removeprefix("/rpc/")
        if name != path:
            more = ["save"] if name in ("save_page", "save_copy") else ["read"] if name in reading_functions else []
            yield "POST", f"/rest/v1{path}", {}, ["full", *more]
            yield "GET", f"/rest/v1{path}", None, ["full", "read"]
            continue
        for method in ["GET", "HEAD"]:
            yield method, f"/rest/v1{path}", None, ["read", "full"]
        if path == "/":
            continue
        yield "OPTIONS", f"/rest/v1{path}", None, ["read", "full"]
        yield "POST", f"/rest/v1{path}", [], ["full", "save"] if path == "/links" else ["full"]
        yield "PUT", f"/rest/v1{path}?{NO_ROW}", {"no_such_column": 1}, ["full"]
        yield "PATCH", f"/rest/v1{path}?no_such_column=eq.1", {}, ["full"]
        yield "DELETE", f"/rest/v1{path}?no_such_column=eq.1", None, ["full"]


OTHER_ROUTES = [
    ("GET", "/auth/v1/user", None, ["read", "full"]),
    ("GET", "/opds", None, ["read", "full", "feed"]),
    ("GET", "/opds/unread", None, ["read", "full", "feed"]),
    ("HEAD", "/opds/search", None, ["read", "full", "feed"]),
    ("POST", "/functions/v1/resolve-url", {"url": "no URL"}, ["save", "full"]),
    ("POST", "/functions/v1/qr-code", {"text": "x"}, ["save", "full"]),
    ("GET", "/books/00000000-0000-0000-0000-000000000000.epub", None, ["read", "full", "feed"]),
    ("GET", "/documents/00000000-0000-0000-0000-000000000000", None, ["read", "full"]),
    ("GET", "/markdown/00000000-0000-0000-0000-000000000000.md", None, ["read", "full"]),
    ("GET", "/api/files", None, ["read", "full"]),
    ("GET", "/api/file?name=x.md", None, ["read", "full"]),
    ("GET", "/api/greader.php/reader/api/0/user-info", None, ["read", "full"]),
    ("POST", "/api/greader.php/reader/api/0/edit-tag", None, ["full"]),
    ("GET", "/favicons/example.org.png", None, ["read", "full"]),
    ("POST", "/api/save", {}, ["save", "full"]),
    ("GET", "/auth/v1/copies?link=00000000-0000-0000-0000-000000000000", None, ["read", "full"]),
    ("POST", "/import/v1/files", None, ["save", "full"]),
    ("PUT", "/auth/v1/user", {"data": {"a": 1}}, []),
    ("DELETE", "/auth/v1/user", {"password": "correct horse"}, []),
    ("POST", "/auth/v1/logout", None, []),
    ("GET", "/auth/v1/sessions", None, []),
    ("DELETE", "/auth/v1/sessions/x", None, []),
    ("GET", "/auth/v1/tokens", None, []),
    ("POST", "/auth/v1/tokens", {"name": "more", "scope": "full", "password": "correct horse"}, []),
    ("DELETE", "/auth/v1/tokens/x", None, []),
    ("POST", "/auth/v1/pairings", {}, []),
    ("GET", "/auth/v1/audit", None, []),
    ("GET", "/auth/v1/exports", None, []),
    ("POST", "/auth/v1/exports", None, []),
    ("GET", "/auth/v1/exports/x", None, []),
    ("POST", "/auth/v1/factors", {}, []),
    ("POST", "/auth/v1/invite", {"email": "x@example.org"}, []),
    ("GET", "/auth/v1/admin/users", None, []),
    ("POST", "/auth/v1/admin/users", {"email": "x@example.org"}, []),
    ("DELETE", "/auth/v1/admin/users/x", None, []),
    ("POST", "/auth/v1/admin/generate_link", {"type": "recovery", "email": "x@example.org"}, []),
    ("GET", "/auth/v1/admin/audit", None, []),
]


@pytest.mark.parametrize("scope", SCOPES)
def test_every_route_takes_exactly_the_scopes_that_it_is_for(alice, admin, scope):
    token = make_token(alice, scope)
    functions = admin.execute(
        "select proname from pg_proc where pronamespace = 'public'::regnamespace and provolatile <> 'v'"
    ).fetchall()
    routes = [*rest_routes(alice.rest("GET", "").body, {name for (name,) in functions}), *OTHER_ROUTES]
    assert len(routes) > 150
    wrong = []
    for method, target, body, scopes in routes:
        answer = ask(alice.lectern, token, method, target, body)
        # A refusal by the scope has a challenge; whatever else an accepted request gets, it is not that.
        if is_refused(answer) != (scope not in scopes) or answer.status >= 500:
            wrong.append((method, target, answer.status))
    assert wrong == []
    assert alice.lectern.auth("GET", "user", **bearer(alice.token)).json()["user_metadata"] == {}


def test_a_refusal_says_what_the_scope_is_for(alice):
    for scope, words in [("read", "changes nothing"), ("save", "adds links"), ("feed", "opens feeds")]:
        answer = ask(alice.lectern, make_token(alice, scope), "DELETE", f"/rest/v1/links?{NO_ROW}")
        assert is_refused(answer) and words in answer.json()["message"] and scope in answer.json()["message"]
    answer = ask(alice.lectern, make_token(alice, "full"), "GET", "/auth/v1/tokens")
    assert (answer.status, answer.json()["error_code"]) == (403, "insufficient_scope")
    assert "change the account" in answer.json()["msg"]


def test_a_feed_token_can_be_made_listed_and_revoked(alice):
    token = make_token(alice, "feed")
    [row] = alice.lectern.auth("GET", "tokens", **bearer(alice.token)).json()
    assert row["scope"] == "feed" and token.startswith(row["prefix"])
    assert alice.lectern.auth("DELETE", f"tokens/{row['id']}", **bearer(alice.token)).status == 204
    assert ask(alice.lectern, token, "GET", "/rest/v1/links").status == 401


def test_a_token_that_reads_may_post_a_function_that_only_reads(alice):
    """The function itself answers, here that its caller is no admin."""
    answer = ask(alice.lectern, make_token(alice, "read"), "POST", "/rest/v1/rpc/queue_of_all", {})
    assert (answer.status, answer.json()["code"]) == (403, "42501")
    answer = ask(alice.lectern, make_token(alice, "read"), "POST", "/rest/v1/rpc/no_such_function", {})
    assert (answer.status, answer.json()["code"]) == (404, "PGRST202")


def test_a_token_that_reads_gets_entity_tags(alice):
    token = make_token(alice, "read")
    tag = ask(alice.lectern, token, "GET", "/rest/v1/tags")["etag"]
    assert ask(alice.lectern, token, "GET", "/rest/v1/tags", If_None_Match=tag).status == 304


# The scope save


@pytest.fixture
def page(website):
    """The address of a page that the site does not have, so that its job ends at once."""
    return f"{website.url}/{uuid.uuid4()}"


@pytest.fixture
def spelling(page):
    """Another spelling of the address."""
    return f"{page}/?utm_source=x"


@pytest.fixture
def kept(alice, admin, page):
    """A link with everything that a link can have, ready, so that no job works on it."""
    link = alice.save(page, title="Secret title", list="archive")
    alice.settled(link["id"])
    admin.execute(
        "update public.links set state = 'ready', reason = null, reason_message = null, status = 'read',"
        " is_starred = true, description = 'secret' where id = %s",
        (link["id"],),
    )
    alice.rest("POST", "notes", {"link_id": link["id"], "body": "secret note"})
    tag = alice.rest("POST", "tags", {"name": "secret tag"}, Prefer=REPRESENTATION).json()[0]
    alice.rest("POST", "link_tags", {"link_id": link["id"], "tag_id": tag["id"]})
    return alice.link(link["id"])


@pytest.fixture
def token(alice):
    return make_token(alice, "save")


def everything(admin, user):
    """All rows of the user, without what saving again changes: the link's place in the list."""
    rows = {}
    for table in ["links", "notes", "tags", "link_tags", "articles", "link_aliases", "link_merges", "trash"]:
        rows[table] = admin.execute(
            f"select to_jsonb(t) - '{{updated_at,acted_at}}'::text[] from public.{table} t where user_id = %s"
            " order by t::text",
            (user.id,),
        ).fetchall()
    rows["pages"] = admin.execute("select count(*) from private.pages where user_id = %s", (user.id,)).fetchall()
    return rows


def told(answer):
    """The rows of a response; also of one object and of CSV."""
    if answer["content-type"].startswith("text/csv"):
        names, *lines = [line.split(",") for line in answer.body.decode().splitlines()]
        return [dict(zip(names, line)) for line in lines]
    body = answer.json()
    return body if isinstance(body, list) else [body]


QUERIES = [
    "",
    "select=*",
    "select=title",
    "select=id,title,raw_url,created_at",
    "select=*,articles(content),notes(body),tags(name)",
    "select=id,notes!inner(body)&notes.body=like.no*",
    "select=...notes(body)",
    "select=id:title,state:list",
    "select=count",
    "title=like.Nothing*",
    "and=(title.eq.x,list.eq.read)",
    "order=title&limit=0",
    "offset=5",
]
PREFERENCES = [
    REPRESENTATION,
    f"{REPRESENTATION},resolution=merge-duplicates",
    f"{REPRESENTATION},resolution=ignore-duplicates",
    f"{REPRESENTATION},missing=default",
    f"{REPRESENTATION},count=exact,max-affected=1,handling=strict",
]


def saves(url):
    """Each way to save a page, with everything that a save can carry: route and body."""
    wishes = {"title": "⭐ Changed", "list": "read", "status": "unread"}
    columns = wishes | {"raw_url": url, "description": "changed"}
    yield "links", columns
    yield "links", [columns | {"is_starred": False, "id": str(uuid.uuid4()), "state": "pending"}]
    yield "rpc/save_page", wishes | {"url": url, "html": "<article>Changed", "tags": ["changed"]}


@pytest.mark.parametrize("address", ["page", "spelling"])
def test_a_token_that_saves_is_told_id_and_state_of_a_page_that_exists_and_changes_nothing_of_it(
    alice, admin, kept, token, address, request
):
    url = request.getfixturevalue(address)
    before = everything(admin, alice)
    for route, body in saves(url):
        for query in QUERIES:
            for preference in PREFERENCES if route == "links" else PREFERENCES[:1]:
                answer = ask(alice.lectern, token, "POST", f"/rest/v1/{route}?{query}", body, Prefer=preference)
                assert answer.status == (201 if route == "links" else 200), (route, query, preference, answer)
                assert told(answer) == [{"id": kept["id"], "state": "ready"}], (route, query, preference)
    for conflict in ["user_id,raw_url", "id"]:
        target = f"/rest/v1/links?on_conflict={conflict}&columns=raw_url,title"
        answer = ask(alice.lectern, token, "POST", target, {"raw_url": url, "title": "x"}, Prefer=PREFERENCES[1])
        assert told(answer) == [{"id": kept["id"], "state": "ready"}]
    assert everything(admin, alice) == before
    assert alice.link(kept["id"])["updated_at"] > kept["updated_at"], "the page was saved again"


@pytest.mark.parametrize("accept", ["text/csv", "application/vnd.pgrst.object+json", "application/json"])
def test_a_token_that_saves_is_told_the_same_in_every_media_type(alice, kept, token, page, accept):
    for route, body in saves(page):
        answer = ask(
            alice.lectern, token, "POST", f"/rest/v1/{route}?select=*", body, Prefer=REPRESENTATION, Accept=accept
        )
        assert told(answer) == [{"id": kept["id"], "state": "ready"}], answer


def test_a_new_page_answers_like_one_that_exists_and_keeps_what_was_sent_with_it(alice, token):
    for number, (route, body) in enumerate(saves("http://127.0.0.2/new")):
        url = f"http://127.0.0.2/new/{number}"
        sent = body[0] if isinstance(body, list) else body
        sent |= {"url": url} if route.startswith("rpc") else {"raw_url": url}
        answer = ask(alice.lectern, token, "POST", f"/rest/v1/{route}?select=*", body, Prefer=REPRESENTATION)
        assert answer.status == (201 if route == "links" else 200), answer
        [row] = told(answer)
        assert set(row) == {"id", "state"} and row["state"] == "pending"
        link = alice.link(row["id"])
        assert (link["raw_url"], link["title"]) == (url, "⭐ Changed")
        assert row["id"] == sent.get("id", row["id"])
    tags = alice.links("select=tags(name)&title=like.*Changed&raw_url=like.*2")
    assert tags == [{"tags": [{"name": "changed"}]}]


def test_without_a_representation_a_token_that_saves_is_told_nothing_or_the_id(alice, kept, token, page):
    for url in [page, "http://127.0.0.2/another"]:
        answer = ask(alice.lectern, token, "POST", "/rest/v1/links?select=*", {"raw_url": url})
        assert (answer.status, answer.body) == (201, b"")
        answer = ask(alice.lectern, token, "POST", "/rest/v1/links", {"raw_url": url}, Prefer="return=headers-only")
        [id] = [link["id"] for link in alice.links() if link["raw_url"] == url]
        assert (answer.status, answer["location"], answer.body) == (201, f"/links?id=eq.{id}", b"")


def test_a_batch_with_new_and_existing_pages_answers_one_row_per_page(alice, kept, token, page, spelling):
    urls = [spelling, "http://127.0.0.2/b", page, "http://127.0.0.2/b", "http://127.0.0.2/c"]
    body = [{"raw_url": url, "title": f"Title {number}"} for number, url in enumerate(urls)]
    answer = ask(alice.lectern, token, "POST", "/rest/v1/links?select=title", body, Prefer=REPRESENTATION)
    assert answer.status == 201 and [set(row) for row in told(answer)] == [{"id", "state"}] * 3, answer
    assert told(answer)[0] == {"id": kept["id"], "state": "ready"}
    assert {link["title"] for link in alice.links()} == {"Secret title", "Title 1", "Title 4"}


def test_the_time_of_an_action_does_not_tell_when_a_link_was_changed(alice, kept, token, page):
    for time in ["2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]:
        answer = ask(
            alice.lectern,
            token,
            "POST",
            "/rest/v1/links",
            {"raw_url": page},
            Prefer=REPRESENTATION,
            X_Lectern_Acted_At=time,
        )
        assert told(answer) == [{"id": kept["id"], "state": "ready"}] and answer["x-lectern-superseded"] is None


def test_an_import_with_a_token_that_saves_changes_nothing_either(alice, admin, kept, token, page, spelling):
    before = everything(admin, alice)
    for url in [page, spelling]:
        answer = ask(
            alice.lectern,
            token,
            "POST",
            "/rest/v1/links?on_conflict=user_id,raw_url",
            {"raw_url": url, "title": "Changed", "image": "http://127.0.0.2/i.png"},
            Prefer=f"{REPRESENTATION},resolution=merge-duplicates",
            X_Lectern_Intent="import",
        )
        assert told(answer) == [{"id": kept["id"], "state": "ready"}], answer
    assert everything(admin, alice) == before


def test_saving_a_failed_page_again_retries_it(alice, admin, kept, token, page):
    admin.execute("update public.links set state = 'failed', reason = 'timeout' where id = %s", (kept["id"],))
    answer = ask(alice.lectern, token, "POST", "/rest/v1/links", {"raw_url": page}, Prefer=REPRESENTATION)
    assert told(answer) == [{"id": kept["id"], "state": "pending"}]


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "failed", "reason": "login_wall"},
        {"state": "ready", "reason": "no_article"},
        {"state": "pending", "reason": None},
    ],
)
def test_a_page_sent_for_a_link_without_an_article_becomes_its_article(alice, admin, kept, token, spelling, columns):
    names = ", ".join(f"{name} = %s" for name in columns)
    admin.execute(f"update public.links set {names} where id = %s", (*columns.values(), kept["id"]))
    text = "Only whoever is signed in can read this sentence of the page. " * 20
    body = {"url": spelling, "html": f"<title>x</title><article><p>{text}</article>", "list": "read"}
    answer = ask(alice.lectern, token, "POST", "/rest/v1/rpc/save_page", body)
    [row] = told(answer)
    assert row["id"] == kept["id"] and row["state"] == ("ready" if columns["state"] == "ready" else "pending")
    article = lambda: alice.rest("GET", f"articles?link_id=eq.{kept['id']}&select=source,text_content").json()
    [made] = wait_until(article)
    assert made["source"] == "client" and "Only whoever is signed in" in made["text_content"]
    link = alice.settled(kept["id"])
    assert (link["title"], link["list"], link["state"]) == ("Secret title", "archive", "ready")


def test_a_page_sent_for_a_link_with_a_whole_article_replaces_nothing(alice, admin, kept, token, page):
    columns = "link_id, user_id, url, content, text_content, length, word_count, extractor_version, is_whole"
    insert = f"insert into public.articles ({columns}) values (%s, %s, '', '', 'kept', 1, 1, 1, %s)"
    admin.execute(insert, (kept["id"], alice.id, True))
    body = {"url": page, "html": "<article>" + "Another text that is longer. " * 50}
    sent = "select count(*) from private.pages where link_id = %s"
    for is_whole, pages in [(True, 0), (False, 1)]:
        admin.execute("update public.articles set is_whole = %s where link_id = %s", (is_whole, kept["id"]))
        answer = ask(alice.lectern, token, "POST", "/rest/v1/rpc/save_page", body)
        assert told(answer) == [{"id": kept["id"], "state": "ready"}]
        assert admin.execute(sent, (kept["id"],)).fetchone() == (pages,)


def test_simultaneous_saves_of_one_new_page_make_one_link(alice, token):
    url = f"http://127.0.0.2/{uuid.uuid4()}"

    def save(number):
        route, body = list(saves(url))[number % 3]
        return ask(alice.lectern, token, "POST", f"/rest/v1/{route}", body, Prefer=REPRESENTATION)

    with ThreadPoolExecutor(9) as pool:
        answers = list(pool.map(save, range(9)))
    assert {answer.status for answer in answers} == {200, 201}, answers
    [link] = alice.links()
    assert {row["id"] for answer in answers for row in told(answer)} == {link["id"]}


def test_a_token_that_saves_reaches_nobody_elses_links(alice, bob, admin, kept, page):
    before = everything(admin, alice)
    token = make_token(bob, "save")
    for route, body in saves(page):
        answer = ask(bob.lectern, token, "POST", f"/rest/v1/{route}", body, Prefer=REPRESENTATION)
        assert kept["id"] not in [row["id"] for row in told(answer)], answer
    foreign = {"raw_url": page, "user_id": alice.id}
    assert ask(bob.lectern, token, "POST", "/rest/v1/links", foreign).status == 403
    for id in [kept["id"], str(uuid.uuid4())]:
        answer = ask(bob.lectern, token, "POST", "/rest/v1/links", {"raw_url": f"{page}/{id}", "id": id})
        assert answer.status == (409 if id == kept["id"] else 201), answer
    assert everything(admin, alice) == before and len(bob.links()) == 2


@pytest.mark.parametrize("body, status", [({}, 400), ({"raw_url": None}, 400), ({"title": "x"}, 400), ([], 201)])
def test_an_incomplete_save_is_a_clear_error(alice, token, body, status):
    assert ask(alice.lectern, token, "POST", "/rest/v1/links", body, Prefer=REPRESENTATION).status == status
