"""Undoing the deletion of many links: they come back with everything that was attached to them."""

import random
import uuid

import pytest

from support.client import acting
from support.searching import add_collection

SITE = "http://127.0.0.2"
TAGS = ["alpha", "beta", "gamma"]

# What a user has of each kind of row that may be attached to a link: the link's address, and the rest of the row.
# Pictures are left out: the jobs list those of an article again.
KINDS = {
    "article": "select l.raw_url, a.text_content, a.extracted_at from public.articles a",
    "page": "select l.raw_url, a.html, a.saved_at from private.pages a",
    "copy": "select l.raw_url, a.html, a.taken_at from private.page_copies a",
    "ruled": "select l.raw_url from private.ruled_links a",
    "tag": "select l.raw_url, t.name, a.created_at from public.link_tags a join public.tags t on t.id = a.tag_id",
    "collection": "select l.raw_url, a.position, a.created_at from public.collection_links a",
    "highlight": "select l.raw_url, a.quote, a.note, a.color, a.created_at, a.updated_at from public.highlights a",
    "bookmark": "select l.raw_url, a.name, a.created_at from public.bookmarks a",
    "note": "select l.raw_url, a.body, a.is_favorite from public.notes a",
    "progress": "select l.raw_url, a.content_hash, a.percentage_complete from public.reading_progress a",
    "alias": "select l.raw_url, a.kind, a.value from public.link_aliases a",
    "part": "select l.raw_url, a.part from private.search_parts a",
}
# Columns of links that the jobs set.
FOUND_OUT = "'{id,user_id,state,reason,reason_message}'::text[]"


def possessions(admin, user):
    """Everything that a user has, without ids."""
    rows = {
        name: sorted(
            map(
                repr, admin.execute(f"{select} join public.links l on l.id = a.link_id where l.user_id = %s", [user.id])
            )
        )
        for name, select in KINDS.items()
    }
    links = admin.execute(f"select to_jsonb(l) - {FOUND_OUT} from public.links l where user_id = %s", [user.id])
    return rows | {"link": sorted(map(repr, links))}


def fill(admin, user, count, seed):
    """Adds links that have rows of some kinds, and returns their ids."""
    chance = random.Random(seed)
    folder = add_collection(user, "folder")
    ids = []
    with admin.transaction():
        tags = [
            admin.execute(
                "insert into public.tags (user_id, name) values (%s, %s) returning id", [user.id, n]
            ).fetchone()
            for n in TAGS
        ]
        for number in range(count):
            url, id = f"{SITE}/{number}", str(uuid.uuid4())
            resolved = chance.choice([url, f"{SITE}/page/{number}"])
            ids.append(id)
            admin.execute(
                """insert into public.links (id, user_id, raw_url, resolved_url, title, list, is_starred, state, created_at)
                values (%s, %s, %s, %s, %s, %s, %s, 'ready', '2020-01-01')""",
                [
                    id,
                    user.id,
                    url,
                    resolved,
                    chance.choice([None, f"title {number}"]),
                    chance.choice(["read", "archive"]),
                ]
                + [chance.random() < 0.3],
            )

            def add(table, probability=0.4, id=id, **columns):
                if chance.random() < probability:
                    columns |= {"link_id": id, "user_id": user.id}
                    holes = ", ".join(["%s"] * len(columns))
                    admin.execute(f"insert into {table} ({', '.join(columns)}) values ({holes})", [*columns.values()])

            then = f"2021-01-01 00:00:{number % 60:02}+00"
            words = {"content": f"<p>words {number}", "text_content": f"words {number}", "extracted_at": then}
            add("public.articles", 0.7, url=url, length=1, word_count=1, extractor_version=1, **words)
            add("private.pages", url=url, html=f"<p>sent {number}", saved_at=then)
            add("private.page_copies", html=f"<p>copied {number}", taken_at=then)
            add("private.ruled_links")
            for (tag,) in tags:
                add("public.link_tags", tag_id=tag, created_at=then)
            add("public.collection_links", collection_id=folder, position=number, created_at=then)
            for quote in ["one", "two"]:
                colour = chance.choice(["yellow", "blue"])
                add("public.highlights", quote=f"{quote} {number}", color=colour, created_at=then, updated_at=then)
            add("public.bookmarks", name=f"place {number}", quote="passage", created_at=then)
            add("public.notes", body=f"note {number}", is_favorite=chance.random() < 0.5)
            add("public.reading_progress", content_hash=f"hash {number}", percentage_complete=0.5)
            add("public.link_aliases", kind="spelling", value=f"{url}?utm_source={number}")
        admin.execute("delete from private.jobs where user_id = %s", [user.id])
    return ids


def in_any_order(trashed):
    """The rows of the trash, with the rows of each part sorted, and without what is found out again: the places of
    highlights, and keys that lead to a link."""
    for row in trashed.values():
        for highlight in row["parts"]["highlights"]:
            del highlight["start_offset"], highlight["end_offset"], highlight["orphaned_at"]
        for alias in row["parts"]["link_aliases"]:
            del alias["id"], alias["created_at"]
    return {
        id: row | {"parts": {name: sorted(map(repr, rows)) for name, rows in row["parts"].items()}}
        for id, row in trashed.items()
    }


@pytest.fixture
def take(admin):
    """Sets how many links the trash takes or gives back in one statement."""
    define = """
        set role lectern_owner;
        create or replace function rest.trashed_at_once() returns integer language sql immutable as 'select {}';
        reset role"""
    usual = admin.execute("select rest.trashed_at_once()").fetchone()[0]
    yield lambda size: admin.execute(define.format(size))
    admin.execute(define.format(usual))


def delete_all(user):
    answer = user.rest("POST", "rpc/change_links", {"query": "", "change": {"delete": True}})
    assert answer.status == 200, answer
    return answer.json()


def undo(user, made):
    answer = user.rest("POST", "rpc/undo_change", {"undo": made["undo"]})
    assert answer.status == 200, answer
    return answer.json()["count"]


def test_everything_comes_back_and_other_users_are_left_alone(admin, alice, bob):
    ids = fill(admin, alice, 60, 1)
    fill(admin, bob, 10, 2)
    before, his = possessions(admin, alice), possessions(admin, bob)
    numbers = "select row_id, number from rest.integer_ids where user_id = %s order by 1"
    numbered = admin.execute(numbers, [alice.id]).fetchall()
    made = delete_all(alice)
    assert made["count"] == 60
    assert not any(possessions(admin, alice).values())
    assert undo(alice, made) == 60
    assert possessions(admin, alice) == before
    assert possessions(admin, bob) == his
    assert {link["id"] for link in alice.links()} == set(ids)
    assert alice.rest("GET", "trash").json() == []
    assert admin.execute(numbers, [alice.id]).fetchall() == numbered


def test_many_links_are_deleted_and_restored_some_at_a_time(admin, alice, take):
    take(7)
    fill(admin, alice, 40, 6)
    before = possessions(admin, alice)
    made = delete_all(alice)
    assert made["count"] == 40
    assert not any(possessions(admin, alice).values())
    assert len(alice.rest("GET", "trash").json()) == 40
    assert undo(alice, made) == 40
    assert possessions(admin, alice) == before


def test_restoring_many_links_does_not_read_all_links_for_each(admin, alice, take):
    """Although the planner believes that the user has none, which makes an index on the user as good as a unique one."""
    count = 2000
    take(100)
    rows_read = "select idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.links'::regclass"
    with admin.transaction():
        admin.execute(
            """with made as (
                insert into public.links (user_id, raw_url, state)
                select %s, %s || n, 'ready' from generate_series(1, %s) n
                returning id, user_id
            )
            insert into public.notes (link_id, user_id, body) select id, user_id, 'a note' from made""",
            [alice.id, f"{SITE}/", count],
        )
    made = delete_all(alice)
    admin.execute("vacuum (analyze) public.links")
    with admin.transaction():
        acting(admin, "authenticated", alice)
        assert admin.execute("select public.undo_change(%s) -> 'count'", [made["undo"]]).fetchone()[0] == count
        read = admin.execute(rows_read).fetchone()[0]
    assert read < 50 * count
    assert len(alice.links("select=id,notes!inner(body)&limit=10&raw_url=like.*99")) == 10


def test_a_link_keeps_its_pictures_when_many_are_deleted_and_restored(admin, alice):
    fill(admin, alice, 10, 8)
    shown = "select link_id, source, hash from public.link_pictures where user_id = %s and hash is not null order by 1"
    kept = "select link_id, source, hash from private.kept_pictures where user_id = %s order by 1"
    # In one transaction, so that no job lists the pictures again.
    with admin.transaction(force_rollback=True):
        admin.execute(
            """insert into public.pictures (user_id, hash, address, width, height, bytes)
            select %s, hash, hash, 1, 1, 1 from rpad('a', 64, '0') as hash""",
            [alice.id],
        )
        admin.execute(
            """insert into public.link_pictures (link_id, user_id, kind, source, state, hash)
            select id, user_id, 'preview', raw_url || '/picture', 'kept', rpad('a', 64, '0') from public.links
            where user_id = %s""",
            [alice.id],
        )
        before = admin.execute(shown, [alice.id]).fetchall()
        assert len(before) == 10
        acting(admin, "authenticated", alice)
        made = admin.execute("""select public.change_links('', '{"delete": true}')""").fetchone()[0]
        admin.execute("reset role")
        assert admin.execute(kept, [alice.id]).fetchall() == before
        assert admin.execute(shown, [alice.id]).fetchall() == []
        acting(admin, "authenticated", alice)
        admin.execute("select public.undo_change(%s)", [made["undo"]])
        admin.execute("reset role")
        assert admin.execute(kept, [alice.id]).fetchall() == []
        assert admin.execute(shown, [alice.id]).fetchall() == before


def test_a_restored_link_is_found_by_the_page_that_it_leads_to(admin, alice):
    """Also if the trash does not know that, as of a link that was deleted by an older version."""
    ids = [alice.save(f"{SITE}/{name}")["id"] for name in ["one", "two"]]
    for id, page in zip(ids, ["page", "other"], strict=True):
        admin.execute("update public.links set resolved_url = %s where id = %s", [f"{SITE}/{page}", id])
    keys = "select link_id::text, value from public.link_aliases where user_id = %s and kind = 'key' order by 2"
    before = admin.execute(keys, [alice.id]).fetchall()
    assert len(before) == 2
    made = delete_all(alice)
    admin.execute("update public.trash set parts = parts || '{\"link_aliases\": []}' where link_id = %s", [ids[0]])
    undo(alice, made)
    assert admin.execute(keys, [alice.id]).fetchall() == before


def test_links_deleted_together_are_in_the_trash_as_if_deleted_alone(admin, alice):
    ids = fill(admin, alice, 20, 1)

    def trashed():
        rows = alice.rest("GET", "trash").json()
        # The times of deletion differ.
        return {row["link_id"]: {name: row[name] for name in ["raw_url", "title", "link", "parts"]} for row in rows}

    for id in ids:
        assert alice.rest("DELETE", f"links?id=eq.{id}").status == 204
    alone = trashed()
    for id in ids:
        assert alice.rest("POST", "rpc/restore_link", {"link_id": id}).status == 200
    assert delete_all(alice)["count"] == 20
    assert in_any_order(trashed()) == in_any_order(alone)


@pytest.mark.parametrize("seed, size", [(0, 1000), (1, 1000), (2, 1000), (3, 7), (4, 1)])
def test_undoing_a_deletion_is_the_same_as_restoring_each_link(admin, alice, bob, take, seed, size):
    """Both users have the same links and do the same after the deletion."""
    take(size)
    chance = random.Random(seed)
    events = [
        (number, chance.choice(["saved again", "saved again with a note", "other spelling", "restored", "purged"]))
        for number in chance.sample(range(40), 20)
    ]
    made, saved_again = {}, []
    for user in [alice, bob]:
        ids = fill(admin, user, 40, seed)
        made[user] = delete_all(user)
        for number, event in events:
            url = f"{SITE}/{number}"
            if event == "restored":
                assert user.rest("POST", "rpc/restore_link", {"link_id": ids[number]}).status == 200
            elif event == "purged":
                assert user.rest("DELETE", f"trash?link_id=eq.{ids[number]}").status == 204
            else:
                saved = user.save(url + "?utm_medium=x" if event == "other spelling" else url, title="again")
                saved_again.append((user, saved["id"]))
                if event.endswith("note"):
                    note = {"link_id": saved["id"], "body": "again"}
                    assert user.rest("POST", "notes", note).status == 201
        assert user.rest("DELETE", f"tags?name=eq.{TAGS[0]}").status == 204
    for user, id in saved_again:
        user.settled(id)
    undo(alice, made[alice])
    for row in bob.rest("GET", "trash?order=id").json():
        assert bob.rest("POST", "rpc/restore_link", {"link_id": row["link_id"]}).status == 200
    hers, his = possessions(admin, alice), possessions(admin, bob)
    # The times of saves, and the ids that are aliases, are each user's own.
    for mine in [hers, his]:
        mine["alias"] = sum("'id'" not in row for row in mine["alias"]), sum("'id'" in row for row in mine["alias"])
        del mine["link"]
    assert hers == his
    columns = "raw_url, title, list, is_starred, dedupe_key, is_kept_apart, resolved_url"
    links = f"select {columns} from public.links where user_id = %s order by raw_url"
    assert admin.execute(links, [alice.id]).fetchall() == admin.execute(links, [bob.id]).fetchall()
    assert alice.rest("GET", "trash").json() == bob.rest("GET", "trash").json() == []


@pytest.mark.parametrize("size", [1000, 1])
def test_links_that_are_kept_apart_stay_apart(admin, alice, take, size):
    """The link that has the key of the page comes back before the one that is kept apart from it, whatever their ids."""
    take(size)
    names = [(f"{SITE}/a", False), (f"{SITE}/a?utm_source=b", True)]
    for number, order in enumerate([names, names[::-1]]):
        ids = sorted(str(uuid.uuid4()) for _ in names)
        rows = [(id, url.replace("/a", f"/{number}"), apart) for id, (url, apart) in zip(ids, order, strict=True)]
        for row in sorted(rows, key=lambda row: row[2]):
            admin.execute(
                """insert into public.links (user_id, state, id, raw_url, is_kept_apart)
                values (%s, 'ready', %s, %s, %s)""",
                [alice.id, *row],
            )
    keys = "select id, raw_url, dedupe_key, is_kept_apart from public.links where user_id = %s order by id"
    before = admin.execute(keys, [alice.id]).fetchall()
    assert [key is None for _, _, key, _ in before] == [apart for _, _, _, apart in before]
    undo(alice, delete_all(alice))
    assert admin.execute(keys, [alice.id]).fetchall() == before


def test_a_link_whose_id_another_user_has_taken_stays_in_the_trash(admin, alice, bob):
    taken, other = alice.save(f"{SITE}/taken"), alice.save(f"{SITE}/other")
    assert alice.rest("POST", "notes", {"link_id": taken["id"], "body": "hers"}).status == 201
    made = delete_all(alice)
    his = bob.save(f"{SITE}/his", id=taken["id"])
    undo(alice, made)
    assert [link["id"] for link in alice.links()] == [other["id"]]
    assert [row["link_id"] for row in alice.rest("GET", "trash").json()] == [taken["id"]]
    assert bob.rest("GET", "notes").json() == [] and bob.link(his["id"])["raw_url"] == f"{SITE}/his"


def test_a_deletion_of_many_links_keeps_the_same_rows_as_that_of_each(admin, alice):
    """The tables are listed once for each way of deleting."""

    def kept():
        rows = admin.execute("select link_id::text, parts from public.trash where user_id = %s", [alice.id])
        # The key of a page and the places of highlights are found again when their link is restored.
        places = {"start_offset", "end_offset", "orphaned_at"}
        return {
            link: {
                name: sorted(
                    repr({column: row[column] for column in row if column not in places})
                    for row in part
                    if row.get("kind") != "key"
                )
                for name, part in parts.items()
            }
            for link, parts in rows.fetchall()
        }

    ids = fill(admin, alice, 20, 7)
    for id in ids:
        assert alice.rest("DELETE", f"links?id=eq.{id}").status == 204
    one_by_one = kept()
    assert len({name for parts in one_by_one.values() for name, rows in parts.items() if rows}) == 11
    for id in ids:
        assert alice.rest("POST", "rpc/restore_link", {"link_id": id}).status == 200
    delete_all(alice)
    assert kept() == one_by_one


def test_a_deletion_and_its_undo_queue_the_jobs_of_every_article(admin, alice):
    """The triggers run once for all articles of a statement, and do the same for each as for an article alone."""
    fill(admin, alice, 60, 3)
    queued = """
        select l.raw_url, p.part, p.is_long, b.link_id is not null, f.link_id is not null, n.name, c.link_id is not null
        from public.articles a join public.links l on l.id = a.link_id
            left join private.search_parts p on p.link_id = l.id
            left join private.link_books b on b.link_id = l.id
            left join private.markdown_files f on f.link_id = l.id
            left join private.file_names n on n.link_id = l.id
            left join private.picture_listings c on c.link_id = l.id
        where l.user_id = %s order by 1, 2"""
    admin.execute(
        "update public.articles set text_content = repeat('word ', 12000) where link_id = any(array("
        "select link_id from public.articles where user_id = %s order by link_id limit 5))",
        [alice.id],
    )
    before = admin.execute(queued, [alice.id]).fetchall()
    assert (
        len(before)
        == 10 + admin.execute("select count(*) from public.articles where user_id = %s", [alice.id]).fetchone()[0]
    )
    assert all(None not in row and row[3] and row[4] and row[6] for row in before)
    undo(alice, delete_all(alice))
    assert admin.execute(queued, [alice.id]).fetchall() == before


def test_texts_of_several_links_have_indexed_parts_indexed_again(admin, alice):
    """Also in the transaction that has inserted the parts, and when an article has become a long one."""
    parts = """
        select l.title, p.part, p.is_indexed, p.is_long from private.search_parts p join public.links l on l.id = p.link_id
        where l.user_id = %s order by 1, 2"""
    with admin.transaction(force_rollback=True):
        admin.execute(
            "insert into public.links (user_id, raw_url, title) select %s, %s || n, n from generate_series(1, 3) n",
            [alice.id, f"{SITE}/"],
        )
        admin.execute(
            "update private.search_parts set is_indexed = true from public.links l where l.id = link_id and title < '3'"
        )
        add = "insert into public.{} select {} from public.links where user_id = %s"
        notes = add.format("notes (user_id, link_id, body)", "user_id, id, 'words'")
        admin.execute(notes, [alice.id])
        assert admin.execute(parts, [alice.id]).fetchall() == [(n, 0, False, False) for n in "123"]
        articles = add.format(
            "articles (user_id, link_id, url, content, text_content, length, word_count, extractor_version)",
            "user_id, id, raw_url, '<p>', case title when '2' then repeat('word ', 12000) else 'word' end, 1, 1, 1",
        )
        admin.execute(articles, [alice.id])
        long = [("2", part, False, True) for part in range(3)]
        assert admin.execute(parts, [alice.id]).fetchall() == [("1", 0, False, False), *long, ("3", 0, False, False)]


def test_the_log_has_every_row_of_a_deletion_and_of_its_undo_once(admin, alice, bob):
    logged = """
        select table_name, op, key, record ->> 'id' from private.change_log
        where user_id = %s and table_name in ('links', 'link_tags', 'articles', 'highlights', 'notes') and seq > %s"""
    last = "select coalesce(max(seq), 0) from private.change_log"
    fill(admin, bob, 5, 5)
    fill(admin, alice, 40, 4)
    keys = """
        select 'links', jsonb_build_object('id', id) from public.links where user_id = %(user)s
        union all select 'articles', jsonb_build_object('link_id', link_id) from public.articles where user_id = %(user)s
        union all select 'highlights', jsonb_build_object('id', id) from public.highlights where user_id = %(user)s
        union all select 'notes', jsonb_build_object('id', id) from public.notes where user_id = %(user)s
        union all select 'link_tags', jsonb_build_object('link_id', link_id, 'tag_id', tag_id)
            from public.link_tags where user_id = %(user)s"""
    rows = sorted(map(repr, admin.execute(keys, {"user": alice.id}).fetchall()))
    first = admin.execute(last).fetchone()[0]
    made = delete_all(alice)
    deleted = admin.execute(logged, [alice.id, first]).fetchall()
    assert {op for _, op, _, _ in deleted} == {"D"}
    assert sorted(repr((table, key)) for table, _, key, _ in deleted) == rows
    first = admin.execute(last).fetchone()[0]
    undo(alice, made)
    inserted = [row for row in admin.execute(logged, [alice.id, first]).fetchall() if row[1] == "I"]
    assert sorted(repr((table, key)) for table, _, key, _ in inserted) == rows
    assert admin.execute(logged + " and op = 'D'", [bob.id, 0]).fetchall() == []
    withheld = "select from private.change_log where table_name = 'articles' and record ?| '{content,text_content}'"
    assert admin.execute(withheld).fetchall() == []
