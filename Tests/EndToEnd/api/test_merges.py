"""Links that resolve to a page that is already saved are merged; unmerging restores both."""

import uuid

import pytest

from support.client import encoded, wait_until
from support.deduplication import ROWS, merges, post, unmerge
from support.loopback_site import article


def short(site, url, name=None):
    """A URL that redirects to another."""
    return f"{site.url}/to/{name or uuid.uuid4().hex[:8]}?url={encoded(url)}"


def edition(site, name, canonical=None, og=None):
    claims = [f"{key}={encoded(url)}" for key, url in [("canonical", canonical), ("og", og)] if url]
    return f"{site.url}/edition/{name}" + ("?" + "&".join(claims) if claims else "")


def merged(user, count=1):
    """The links, once that many of them have been merged."""
    wait_until(lambda: len(merges(user)) >= count)
    return settled(user)


def settled(user):
    return wait_until(
        lambda: (
            (links := user.links("order=created_at")) and all(link["state"] != "pending" for link in links) and links
        )
    )


def add(user, table, **row):
    answer = user.rest("POST", table, row, Prefer=ROWS)
    assert answer.status == 201, answer
    return answer.json()[0]


def hung(user, link):
    """All rows a user sees that refer to a link, without the positions of highlights, which are determined again."""
    found_out = {"orphaned_at", "start_offset", "end_offset"}
    rows = {
        table: user.rest("GET", f"{table}?link_id=eq.{link}").json()
        for table in (
            "link_tags",
            "highlights",
            "bookmarks",
            "notes",
            "collection_links",
            "reading_progress",
            "articles",
        )
    }
    return {
        table: sorted(str({name: value for name, value in row.items() if name not in found_out}) for row in rows[table])
        for table in (
            "link_tags",
            "highlights",
            "bookmarks",
            "notes",
            "collection_links",
            "reading_progress",
            "articles",
        )
    }


def add_rows_in_every_table(user, link, word, tag, folder):
    """Gives a link a row in every table that refers to links."""
    add(user, "link_tags", link_id=link, tag_id=tag)
    add(user, "collection_links", link_id=link, collection_id=folder, position=1)
    add(user, "highlights", link_id=link, quote=f"marked {word}", note=word)
    add(user, "bookmarks", link_id=link, name=f"place {word}", quote=word)
    add(user, "notes", link_id=link, body=f"noted {word}")
    add(user, "reading_progress", link_id=link, content_hash=f"hash {word}", percentage_complete=0.5)


@pytest.fixture
def page(website):
    return f"{website.url}/article/{uuid.uuid4().hex}"


def test_a_short_link_is_merged_with_the_page_it_resolves_to(alice, website, page):
    first = alice.settled(alice.save(page)["id"])
    second = alice.save(short(website, page), title="From the newsletter", is_starred=True)
    [link] = merged(alice)
    assert (link["id"], link["raw_url"], link["is_starred"]) == (first["id"], page, True)
    assert link["updated_at"] >= second["updated_at"]
    assert [row["id"] for row in alice.links(f"id=eq.{second['id']}")] == [first["id"]]
    [merge] = merges(alice)
    assert (merge["reason"], merge["merged_id"], merge["survivor_id"]) == ("resolved", second["id"], first["id"])
    # Saving the short link again returns the page at once.
    assert post(alice, {"raw_url": second["raw_url"]}).json()[0]["id"] == first["id"]


def test_a_page_is_merged_with_an_older_short_link_to_it(alice, website, page):
    first = alice.settled(alice.save(short(website, page))["id"])
    answer = post(alice, {"raw_url": page, "title": "The page"})
    assert answer.status == 200 and answer.json()[0]["id"] == first["id"]
    assert post(alice, {"raw_url": page + "?utm_source=x"}).json()[0]["id"] == first["id"]


def test_two_short_links_to_one_page_are_merged(alice, website, page):
    first = alice.settled(alice.save(short(website, page))["id"])
    alice.save(short(website, page))
    assert [link["id"] for link in merged(alice)] == [first["id"]]


def test_two_simultaneous_short_links_to_one_page_are_merged(alice, website, page):
    answer = alice.rest("POST", "links", [{"raw_url": short(website, page)} for _ in range(8)])
    assert answer.status == 201
    assert len(merged(alice, 7)) == 1


def test_a_merge_loses_no_row_of_either_link(alice, website, page):
    tags = [add(alice, "tags", name=name)["id"] for name in ("one", "two", "both")]
    folders = [add(alice, "collections", name=name)["id"] for name in ("one", "two")]
    first = alice.settled(alice.save(page)["id"])["id"]
    add_rows_in_every_table(alice, first, "first", tags[0], folders[0])
    add(alice, "link_tags", link_id=first, tag_id=tags[2])
    second = alice.save(short(website, f"{website.url}/article/second"))["id"]
    add_rows_in_every_table(alice, second, "second", tags[1], folders[1])
    add(alice, "link_tags", link_id=second, tag_id=tags[2])
    # Only now do they turn out to be one page.
    before = {link: hung(alice, link) for link in (first, second)}
    alice.settled(second)
    before[second]["articles"] = hung(alice, second)["articles"]
    links = {link["id"]: link for link in alice.links()}
    alice.rest("PATCH", f"links?id=eq.{second}", {"raw_url": short(website, page)})
    [link] = merged(alice)
    now = hung(alice, first)
    assert (
        len(now["link_tags"]) == 3
        and len(now["collection_links"]) == len(now["highlights"]) == len(now["reading_progress"]) == 2
    )
    [note] = alice.rest("GET", f"notes?link_id=eq.{first}").json()
    assert note["body"] == "noted first\n\nnoted second"
    # And separate again, with the same rows.
    both = unmerge(alice, merges(alice)[0]["id"])
    assert [row["id"] for row in both] == [first, second]
    assert hung(alice, first) | {"notes": 0} == before[first] | {"notes": 0}
    assert [row["body"] for row in alice.rest("GET", f"notes?link_id=eq.{first}").json()] == ["noted first"]
    assert hung(alice, second) | {"articles": 0} == before[second] | {"articles": 0}
    for id in (first, second):
        for column in ("title", "list", "status", "is_starred", "created_at"):
            assert alice.link(id)[column] == links[id][column]


def test_the_users_newest_value_counts(alice, website, page):
    first = alice.settled(alice.save(page)["id"])["id"]
    alice.save(short(website, page), list="archive", status="read")
    [link] = merged(alice)
    assert (link["list"], link["status"]) == ("archive", "read")
    other = alice.save(short(website, f"{website.url}/article/other"), list="read", status="unread")
    alice.rest("PATCH", f"links?id=eq.{first}", {"list": "archive"})
    wait_until(lambda: alice.link(other["id"])["state"] == "ready")


@pytest.mark.parametrize("end", ["/", "/login", "/login?next=/article", "/error", "/404"])
def test_a_generic_redirect_target_causes_no_merge(alice, website, end):
    site = website.url
    for _ in range(3):
        alice.save(f"{site}/to/{uuid.uuid4().hex}?url={encoded(site + end)}")
    assert len(settled(alice)) == 3 and merges(alice) == []


def test_a_login_page_that_was_saved_itself_is_a_page(alice, website):
    first = alice.settled(alice.save(f"{website.url}/login")["id"])
    alice.save(f"{website.url}/to/login?url={encoded(website.url + '/login')}")
    assert [link["id"] for link in merged(alice)] == [first["id"]]


def test_an_edition_is_merged_with_the_page_it_names_as_canonical(alice, website):
    site, name = website, uuid.uuid4().hex
    main = edition(site, name, canonical=f"/edition/{name}?canonical=%2Fedition%2F{name}")
    # The canonical URL of the page has no query, and the edition names that URL.
    main = f"{site.url}/edition/{name}"
    own = alice.settled(alice.save(edition(site, name, canonical=main))["id"])
    # The canonical URL is recorded a moment after the page is stored.
    wait_until(lambda: alice.link(own["id"])["canonical_key"] == main.replace("http:", "https:"))


def test_editions_that_name_a_canonical_page_are_merged_with_it(alice, newspaper):
    # Its canonical URL is its own, as with most pages.
    main = newspaper.page("")
    newspaper.change(main, article("An edition").replace("</head>", f'<link rel="canonical" href="{main}"></head>'))
    first = alice.settled(alice.save(main)["id"])
    # That is recorded a moment after the page is stored.
    wait_until(lambda: alice.link(first["id"])["canonical_key"] == main.replace("http:", "https:"))
    alice.save(edition(newspaper, "print", canonical=main))
    assert [link["id"] for link in merged(alice)] == [first["id"]]
    assert merges(alice)[0]["reason"] == "canonical"
    alice.save(edition(newspaper, "mobile", og=main))
    assert [link["id"] for link in merged(alice, 2)] == [first["id"]]


def test_a_canonical_url_that_does_not_confirm_itself_causes_no_merge(alice, website):
    name = uuid.uuid4().hex
    main = f"{website.url}/edition/{name}"
    alice.settled(alice.save(main)["id"])
    alice.save(edition(website, name + "/print", canonical=main))
    assert len(settled(alice)) == 2 and merges(alice) == []


@pytest.mark.parametrize("claim", ["{site}/", "http://example.org/elsewhere", "javascript:alert(1)", "{site}/login"])
def test_an_impossible_canonical_url_is_ignored(alice, website, claim):
    link = alice.settled(alice.save(edition(website, uuid.uuid4().hex, canonical=claim.format(site=website.url)))["id"])
    assert link["canonical_key"] is None


def test_a_canonical_url_claimed_by_a_whole_site_causes_no_merge(alice, admin, website):
    name = uuid.uuid4().hex
    main = f"{website.url}/edition/{name}"
    for number in range(4):
        alice.settled(alice.save(edition(website, f"{name}/{number}", canonical=main))["id"])
    first = alice.settled(alice.save(main)["id"])
    admin.execute("update links set canonical_key = dedupe_key where id = %s", (first["id"],))
    alice.save(edition(website, name + "/5", canonical=main))
    assert len(settled(alice)) == 6 and merges(alice) == []


def test_a_canonical_page_merges_at_most_three_others(alice, admin, website):
    name = uuid.uuid4().hex
    main = f"{website.url}/edition/{name}"
    first = alice.settled(alice.save(main)["id"])
    admin.execute("update links set canonical_key = dedupe_key where id = %s", (first["id"],))
    for number in range(6):
        alice.save(edition(website, f"{name}/{number}", canonical=main))
        settled(alice)
    assert len(settled(alice)) >= 3 and len(merges(alice)) <= 4


@pytest.mark.parametrize("end", ["/", "/login"])
def test_a_canonical_url_counts_only_if_the_requested_page_was_served(alice, admin, website, end):
    where = website.url + end
    first = alice.settled(alice.save(where)["id"])
    admin.execute("update links set canonical_key = dedupe_key where id = %s", (first["id"],))
    alice.settled(alice.save(short(website, where))["id"])
    assert len(alice.links()) == 2 and merges(alice) == []


@pytest.mark.parametrize(
    "asked,reached,is_it",
    [
        ("/a", "/b", True),
        ("/a", "/?gone=1", False),
        ("/a", "/index.html", False),
        ("/a", "/en/", False),
        ("/", "/en/", True),
        ("/a", "/home", False),
        ("/a", "/users/sign_in", False),
        ("/a", "/wp-login.php", False),
        ("/a", "/sorry/index", False),
        ("/a", "/error404.html", False),
        ("/a", "/page_not_found", False),
        ("/join/a1", "/404", False),
        ("/login", "/login?next=x", True),
        ("/docs/error/x", "/login", False),
        ("/a", "/login-for-beginners", True),
        ("/a", "/the-error-of-our-ways", True),
        ("/a", "/2404", True),
        ("/a", "/404-reasons", True),
    ],
)
def test_generic_redirect_targets_are_recognised(admin, asked, reached, is_it):
    asked, reached = "https://example.org" + asked, "https://www.example.org" + reached
    assert admin.execute("select rest.is_page_of(%s, %s)", (asked, reached)).fetchone() == (is_it,)


def test_a_link_resolved_by_a_client_is_merged_with_that_page(alice):
    first = alice.save("http://127.0.0.2/s", resolved_url="http://127.0.0.2/long")["id"]
    assert post(alice, {"raw_url": "http://127.0.0.2/long?utm_source=x"}).json()[0]["id"] == first


def test_an_article_is_stored_even_if_its_link_cannot_be_merged(alice, website):
    """A key may be longer than an index allows."""
    link = alice.settled(alice.save(f"{website.url}/far")["id"])
    assert link["state"] == "ready" and alice.article(link["id"])


def test_links_of_different_users_are_never_merged(alice, bob, website, page):
    alice.settled(alice.save(page)["id"])
    bob.settled(bob.save(short(website, page))["id"])
    assert len(alice.links()) == len(bob.links()) == 1 and merges(alice) == merges(bob) == []


# Unmerging


@pytest.fixture
def joined(alice, website, page):
    """A page with a short link merged into it, each with rows of its own."""
    tags = [add(alice, "tags", name=name)["id"] for name in ("one", "two")]
    folder = add(alice, "collections", name="folder")["id"]
    first = alice.settled(alice.save(page, title="First")["id"])["id"]
    add(alice, "link_tags", link_id=first, tag_id=tags[0])
    second = alice.settled(alice.save(f"{website.url}/article/second", title="Second")["id"])["id"]
    add_rows_in_every_table(alice, second, "second", tags[1], folder)
    before = hung(alice, first), hung(alice, second)
    alice.rest("PATCH", f"links?id=eq.{second}", {"raw_url": short(website, page)})
    merged(alice)
    return {
        "first": first,
        "second": second,
        "merge": merges(alice)[0]["id"],
        "before": before,
        "tags": tags,
        "page": page,
    }


def same(now, then, *but):
    return {table: rows for table, rows in now.items() if table not in (*but, "articles")} == {
        table: rows for table, rows in then.items() if table not in (*but, "articles")
    }


def test_unmerged_links_stay_separate_after_a_retry(alice, joined):
    unmerge(alice, joined["merge"])
    for id in (joined["first"], joined["second"]):
        alice.rest("PATCH", f"links?id=eq.{id}", {"state": "pending"})
    assert len(settled(alice)) == 2


def test_edited_tagged_and_read_on(alice, joined):
    first, second = joined["first"], joined["second"]
    tag = add(alice, "tags", name="later")["id"]
    add(alice, "link_tags", link_id=first, tag_id=tag)
    alice.rest("PATCH", f"links?id=eq.{first}", {"title": "Edited", "list": "archive"})
    later = add(alice, "highlights", link_id=first, quote="later")
    [moved] = alice.rest("GET", f"highlights?link_id=eq.{first}&quote=neq.later").json()
    alice.rest("PATCH", f"highlights?id=eq.{moved['id']}", {"note": "thought again"})
    unmerge(alice, joined["merge"])
    link = alice.link(first)
    assert (link["title"], link["list"]) == ("Edited", "archive")
    assert {row["tag_id"] for row in alice.rest("GET", f"link_tags?link_id=eq.{first}").json()} == {
        joined["tags"][0],
        tag,
    }
    assert [row["id"] for row in alice.rest("GET", f"highlights?link_id=eq.{first}").json()] == [later["id"]]
    assert [row["note"] for row in alice.rest("GET", f"highlights?link_id=eq.{second}").json()] == ["thought again"]
    assert same(hung(alice, second), joined["before"][1], "highlights")


def test_a_note_written_on_stays_and_the_other_returns(alice, joined):
    [note] = alice.rest("GET", f"notes?link_id=eq.{joined['first']}").json()
    alice.rest("PATCH", f"notes?id=eq.{note['id']}", {"body": note["body"] + " and more"})
    unmerge(alice, joined["merge"])
    bodies = [alice.rest("GET", f"notes?link_id=eq.{joined[one]}").json()[0]["body"] for one in ("first", "second")]
    assert bodies == ["noted second and more", "noted second"]


def test_a_tag_assigned_again_belongs_to_the_remaining_link(alice, joined):
    first, tag = joined["first"], joined["tags"][1]
    alice.rest("DELETE", f"link_tags?link_id=eq.{first}&tag_id=eq.{tag}")
    add(alice, "link_tags", link_id=first, tag_id=tag)
    unmerge(alice, joined["merge"])
    for id in (first, joined["second"]):
        assert tag in {row["tag_id"] for row in alice.rest("GET", f"link_tags?link_id=eq.{id}").json()}


def test_unmerging_keeps_note_text_that_begins_like_the_merged_one(alice, joined):
    alice.rest("POST", "notes", {"link_id": joined["first"], "body": "x"})
    [note] = alice.rest("GET", f"notes?link_id=eq.{joined['first']}").json()
    alice.rest("PATCH", f"notes?id=eq.{note['id']}", {"body": "mine\n\nnoted second thoughts\n\nnoted second"})
    unmerge(alice, joined["merge"])
    assert (
        alice.rest("GET", f"notes?link_id=eq.{joined['first']}")
        .json()[0]["body"]
        .startswith("mine\n\nnoted second thoughts")
    )


def test_an_unmerged_link_is_restored_from_the_trash_as_its_own(alice, joined):
    unmerge(alice, joined["merge"])
    second = joined["second"]
    alice.rest("DELETE", f"links?id=eq.{second}")
    assert [row["id"] for row in alice.rest("POST", "rpc/restore_link", {"link_id": second}).json()] == [second]
    assert len(alice.links()) == 2 and same(hung(alice, second), joined["before"][1])


def test_a_restored_link_is_merged_with_another_spelling_saved_in_the_meantime(alice, website, page):
    first = alice.settled(alice.save(page, title="Old", is_starred=True)["id"])["id"]
    article = hung(alice, first)["articles"]
    alice.rest("DELETE", f"links?id=eq.{first}")
    second = alice.settled(alice.save(page + "?utm_source=x", title="New")["id"])["id"]
    assert [row["id"] for row in alice.rest("POST", "rpc/restore_link", {"link_id": first}).json()] == [first]
    [link] = alice.links()
    assert (link["id"], link["is_starred"], link["is_kept_apart"]) == (first, True, False) and link["dedupe_key"]
    assert hung(alice, first)["articles"] == article and alice.link(second)["id"] == first
    both = unmerge(alice, merges(alice)[-1]["id"])
    assert len(both) == 2 and alice.article(second)


def test_trashed(alice, workers, joined):
    first, second = joined["first"], joined["second"]
    assert alice.rest("DELETE", f"links?id=eq.{first}").status == 204
    assert [link["id"] for link in unmerge(alice, joined["merge"])] == [second]
    assert same(hung(alice, second), joined["before"][1])
    assert len(alice.rest("POST", "rpc/restore_link", {"link_id": first}).json()) == 1
    assert same(hung(alice, first), joined["before"][0])
    assert same(hung(alice, second), joined["before"][1])


def test_gone_for_good(alice, joined):
    alice.rest("DELETE", f"links?id=eq.{joined['first']}")
    alice.rest("DELETE", "trash?id=not.is.null")
    assert [link["id"] for link in unmerge(alice, joined["merge"])] == [joined["second"]]
    assert same(hung(alice, joined["second"]), joined["before"][1])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_merges_into_one_link_can_be_undone_in_any_order(alice, website, page, order):
    first = alice.settled(alice.save(page)["id"])["id"]
    alice.rest("PATCH", f"links?id=eq.{first}", {"description": None})
    before = alice.link(first)
    others = []
    for number, body in enumerate(
        [{"list": "archive", "is_starred": True, "description": "one"}, {"is_starred": True, "description": "two"}], 1
    ):
        others.append(alice.save(short(website, page), **body)["id"])
        merged(alice, number)
    ids = {row["merged_id"]: row["id"] for row in merges(alice)}
    unmerge(alice, ids[others[order[0]]])
    link = alice.link(first)
    # The other one still exists.
    assert link["is_starred"] and link["description"] == ["one", "two"][order[1]]
    unmerge(alice, ids[others[order[1]]])
    link = alice.link(first)
    assert {name: link[name] for name in ("list", "is_starred", "description", "updated_at")} == {
        name: before[name] for name in ("list", "is_starred", "description", "updated_at")
    }
    assert [alice.link(id)["description"] for id in others] == ["one", "two"]


def test_a_merged_tag_comes_back_as_the_tag_it_became(alice, joined):
    into = add(alice, "tags", name="into")["id"]
    assert alice.rest("POST", "rpc/merge_tags", {"from_tag": joined["tags"][1], "into_tag": into}).status == 200
    unmerge(alice, joined["merge"])
    assert [row["tag_id"] for row in alice.rest("GET", f"link_tags?link_id=eq.{joined['second']}").json()] == [into]
    assert into not in {row["tag_id"] for row in alice.rest("GET", f"link_tags?link_id=eq.{joined['first']}").json()}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_merged_again(alice, admin, website, joined, order):
    # The remaining link turns out to be an older link's page.
    third = alice.save(f"{website.url}/slow?third", created_at="2020-01-01T00:00:00Z", title="Third")["id"]
    alice.settled(third)
    add(alice, "highlights", link_id=third, quote="third")
    before = hung(alice, third)
    alice.rest("PATCH", f"links?id=eq.{third}", {"raw_url": short(website, joined["page"])})
    assert [link["id"] for link in merged(alice, 2)] == [third]
    both = [joined["merge"], merges(alice)[1]["id"]]
    for place in order:
        unmerge(alice, both[place])
    assert sorted(link["id"] for link in alice.links()) == sorted([third, joined["first"], joined["second"]])
    assert same(hung(alice, third), before)
    assert same(hung(alice, joined["first"]), joined["before"][0])
    assert same(hung(alice, joined["second"]), joined["before"][1])


def test_a_merged_tag_with_the_id_of_its_user_leaves_everything_else_of_a_deleted_link_alone(alice, bob):
    """Users choose the ids of tags. Replacing one must not give the stored rows to the user whose id the other has."""
    for id, name in [(alice.id, "mine"), (bob.id, "not mine")]:
        assert alice.rest("POST", "tags", {"id": id, "name": name}).status == 201
    link = alice.save("no address", title=alice.id)
    assert alice.rest("POST", "link_tags", {"link_id": link["id"], "tag_id": alice.id}).status == 201
    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status == 204
    assert alice.rest("POST", "rpc/merge_tags", {"from_tag": alice.id, "into_tag": bob.id}).status == 200
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).status == 200
    assert alice.links("select=title,user_id,tags(name)") == [
        {"title": alice.id, "user_id": alice.id, "tags": [{"name": "not mine"}]}
    ]
    assert bob.links() == []
