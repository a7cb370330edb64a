"""Links with everything that search looks at, and searches for them."""

import uuid

from support.waiting import wait_until


def add_link(admin, user, url=None, text=None, **columns):
    """A link with everything that the server finds out about it, without a job."""
    columns = {"raw_url": url or f"http://127.0.0.2/{uuid.uuid4()}", "is_starred": False, "state": "ready"} | columns
    names = ", ".join(columns)
    with admin.transaction():
        (id,) = admin.execute(
            f"insert into public.links (user_id, {names}) values (%s{', %s' * len(columns)}) returning id::text",
            [user.id, *columns.values()],
        ).fetchone()
        admin.execute("delete from private.jobs where link_id = %s", [id])
    if text is not None:
        admin.execute(
            """
            insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
                extractor_version) values (%s, %s, '', '', %s, 1, 1, 1)""",
            [id, user.id, text],
        )
    return id


def index_texts(admin, user):
    """Indexes all texts of a user at once, as the jobs process does within a second."""
    waiting = """
        select exists (
            select from private.search_parts where user_id = %s and not is_indexed and index_error is null)"""
    while admin.execute(waiting, [user.id]).fetchone()[0]:
        admin.execute(
            """
            select private.index_link_now(link_id) from (
                select distinct link_id from private.search_parts where user_id = %s and not is_indexed
            ) as waiting""",
            [user.id],
        )
    admin.execute("select private.merge_new_keys()")


def follow_up_done(admin, user):
    """Waits until the jobs process has listed the pictures of the user's articles and made their Markdown. Both change the
    user's rows, a moment after an article was stored."""
    waiting = """
        select exists (select from private.picture_listings where user_id = %(user)s and state <> 'done')
            or exists (select from private.markdown_files where user_id = %(user)s and markdown is null)"""
    wait_until(lambda: not admin.execute(waiting, {"user": user.id}).fetchone()[0], every=0.02)


def add_collection(user, name, **columns):
    id = str(uuid.uuid4())
    answer = user.rest("POST", "collections", {"id": id, "name": name} | columns)
    assert answer.status == 201, answer
    return id


def search(user, query, **arguments):
    answer = user.rest("POST", "rpc/search_links", {"query": query} | arguments)
    assert answer.status == 200, answer
    return answer.json()


def found(user, query):
    return [link["id"] for link in search(user, query, limit=100)["links"]]


def titles(user, query):
    return [link["title"] for link in search(user, query, limit=100)["links"]]
