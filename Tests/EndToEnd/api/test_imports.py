"""Exports of other services as links: what comes along, what is counted, and what is refused."""

import io
import json
import struct
import zipfile

import pytest

from support.client import wait_until
from support.documents import imported, upload
from support.exports_of_services import EPOCH, FILES, MARKED, POCKET, SAVED, SITE, zipped
from support.feeds import make_token

COUNTS = ("rows", "imported", "duplicate", "rejected")


def counts(row):
    assert row["state"] in ("waiting", "done") and row["reason"] is None, row
    return tuple(row[name] for name in COUNTS)


def finished(user, answer):
    """Waits until a file is read, but not for the pages of its links."""
    assert answer.status == 202, answer
    return wait_until(lambda: (row := imported(user, answer.json()["id"]))["state"] != "reading" and row)


def rejects(user, row):
    return user.rest("GET", f"import_rejects?import_id=eq.{row['id']}&order=row").json()


def link_of(user, path):
    [link] = [link for link in user.links() if link["raw_url"].split("?")[0] == SITE + path]
    return link


def tags_of(user, link):
    rows = user.rest("GET", f"link_tags?link_id=eq.{link['id']}&select=tags(name)").json()
    return {row["tags"]["name"] for row in rows}


def collections_of(user, link):
    rows = user.rest("GET", f"collection_links?link_id=eq.{link['id']}&select=collections(name,parent_id)").json()
    return [row["collections"] for row in rows]


@pytest.mark.parametrize("format", FILES)
def test_a_file_of_every_format_is_imported_with_what_it_holds(alice, format):
    name, content, parts = FILES[format]
    row = finished(alice, upload(alice, name, content))
    assert row["format"] == format
    if format == "urls":
        assert counts(row) == (3, 2, 1, 0)
    else:
        assert counts(row) == (3, 2, 0, 1)
        [reject] = rejects(alice, row)
        assert reject["reason"] and reject["row"] == (2 if format == "pocket-html" else 3)
    one, two = link_of(alice, "/one"), link_of(alice, "/two")
    assert one["list"] == two["list"] == "read" and two["status"] == "unread"
    assert one["status"] == ("unread" if "unread" in parts else "read")
    assert one["title"] == (None if "untitled" in parts else "One, & only" if format == "pocket-csv" else "One & only")
    assert one["is_starred"] == ("starred" in parts)
    if "undated" not in parts:
        assert one["created_at"].startswith(SAVED[:19]) and one["updated_at"] == one["created_at"]
    assert two["created_at"] > "2026"
    if "tags" in parts:
        assert tags_of(alice, one) == {"caf\u00e9", "two words"} and tags_of(alice, two) == set()
    if "collection" in parts:
        assert [found["name"] for found in collections_of(alice, one)] == ["Outer"]
    if "nested" in parts:
        [inner] = collections_of(alice, one)
        [outer] = alice.rest("GET", f"collections?id=eq.{inner['parent_id']}").json()
        assert (inner["name"], outer["name"], outer["parent_id"]) == ("Inner", "Outer", None)
    if "note" in parts:
        assert [note["body"] for note in alice.rest("GET", f"notes?link_id=eq.{one['id']}").json()] == ["Mine"]
    if "highlights" in parts:
        [mark] = alice.rest("GET", f"highlights?link_id=eq.{one['id']}").json()
        assert (mark["quote"], mark["note"]) == ("porcelain kettle", "Mine")
    if "content" in parts:
        settled = alice.settled(one["id"])
        assert (settled["state"], settled["reason"]) == ("ready", None)
        article = alice.article(one["id"])
        assert "porcelain kettle" in article["text_content"] and article["source"] == "client"


def test_an_article_of_another_service_has_the_language_and_the_direction_of_its_text(alice):
    arabic = "<p>قرر سكان الجزيرة يوم الاثنين عدم هدم المنارة القديمة بل الحفاظ عليها معا في السنوات القادمة.</p>" * 5
    entry = {"is_archived": 0, "is_starred": 0, "title": "T", "url": f"{SITE}/one", "content": arabic, "tags": []}
    finished(alice, upload(alice, "All articles.json", json.dumps([entry]).encode()))
    link = alice.settled(link_of(alice, "/one")["id"])
    article = alice.article(link["id"])
    assert (link["lang"], article["lang"], article["dir"]) == ("ar", "ar", "rtl")


def test_a_second_import_imports_nothing_and_changes_nothing(alice):
    for format in ("wallabag", "karakeep", "netscape"):
        name, content, _ = FILES[format]
        finished(alice, upload(alice, name, content))
    tables = ("links", "tags", "link_tags", "collections", "collection_links", "notes", "highlights")
    for link in alice.links():
        alice.settled(link["id"])

    def rows():
        return {table: sorted(map(str, alice.rest("GET", table).json())) for table in tables}

    # The server looks for the highlights in the articles.
    wait_until(lambda: not alice.rest("GET", "jobs?state=in.(pending,running)").json())
    before = rows()
    for format in ("wallabag", "karakeep", "netscape"):
        name, content, _ = FILES[format]
        assert counts(finished(alice, upload(alice, name, content))) == (3, 0, 2, 1)
    assert rows() == before


def test_an_import_adds_to_a_link_that_is_there_and_overwrites_nothing(alice):
    saved = alice.save(f"{SITE}/one?utm_source=x", title="Mine", list="archive")
    untitled = alice.save(f"{SITE}/two")
    before = alice.settled(saved["id"])
    alice.settled(untitled["id"])
    row = finished(alice, upload(alice, "bookmarks.html", FILES["netscape"][1].replace(b"/one?a=1&amp;b=2", b"/one")))
    assert counts(row) == (3, 0, 2, 1)
    after = alice.link(saved["id"])
    assert {key for key in before if before[key] != after[key]} <= {"state"}
    assert tags_of(alice, after) == {"caf\u00e9", "two words"} and len(alice.links()) == 2
    assert alice.link(untitled["id"])["title"] == "Two"


def test_entries_for_one_page_are_one_link_with_all_tags_and_folders(alice):
    text = (
        f"url,title,tags,created_at,list,status,starred,note,collections\n{SITE}/a,First,x,2024-01-01,archive,read,true,,A/B\n"
        f'{SITE}/a?utm_source=y,Second,"y,X",2023-01-01,read,unread,false,Noted,C\n'
    )
    row = finished(alice, upload(alice, "own.csv", text.encode()))
    assert (row["format"], *counts(row)) == ("lectern", 2, 1, 1, 0)
    [link] = alice.links()
    assert (link["title"], link["list"], link["status"], link["is_starred"]) == ("First", "archive", "read", True)
    assert link["created_at"].startswith("2024-01-01")
    assert tags_of(alice, link) == {"x", "y"} and {c["name"] for c in collections_of(alice, link)} == {"B", "C"}
    assert alice.rest("GET", f"notes?link_id=eq.{link['id']}").json()[0]["body"] == "Noted"


def test_the_parts_of_a_pocket_archive_are_one_import_with_their_annotations(alice):
    parts = {f"pocket/part_{n:06}.csv": POCKET.replace("/two", f"/{n}") for n in range(3)}
    content = zipped(parts | {"pocket/annotations/part_000000.json": json.dumps(MARKED), "pocket/readme.txt": "Hello"})
    row = finished(alice, upload(alice, "pocket.zip", content))
    assert (row["format"], *counts(row)) == ("pocket-csv", 9, 4, 2, 3)
    assert [reject["row"] for reject in rejects(alice, row)] == [3, 6, 9]
    [mark] = alice.rest("GET", "highlights").json()
    assert mark["quote"] == "Marked words" and mark["link_id"] == link_of(alice, "/one")["id"]


def test_all_parts_of_an_archive_are_read_however_many_and_beside_however_many_articles(alice):
    parts = {f"part_{n:06}.csv": f"title,url,time_added\nA,{SITE}/{n},{EPOCH}\n" for n in range(70)}
    row = finished(alice, upload(alice, "pocket.zip", zipped(parts)))
    assert (row["format"], *counts(row)) == ("pocket-csv", 70, 70, 0, 0)
    articles = {f"Articles/{n}.html": "<p>Words of an article.</p>" for n in range(70)}
    name, content, _ = FILES["matter"]
    row = finished(alice, upload(alice, "matter.zip", zipped(articles | {f"_{name}": content})))
    assert (row["format"], row["rows"]) == ("matter", 3)
    name, content, _ = FILES["netscape"]
    row = finished(alice, upload(alice, "bookmarks.zip", zipped(articles | {"bookmarks.html": content})))
    assert row["format"] == "netscape" and row["rows"] > 0


def test_files_of_different_formats_in_one_archive_are_all_read_and_settings_are_not(alice):
    files = {
        "a.csv": f"title,url,time_added\nA,{SITE}/a,{EPOCH}\n",
        "b.html": FILES["netscape"][1],
        "settings.json": json.dumps([{"url": f"{SITE}/settings", "name": "Start page"}]),
    }
    row = finished(alice, upload(alice, "all.zip", zipped(files)))
    saved = {link["raw_url"] for link in alice.links()}
    assert row["format"] == "pocket-csv" and {f"{SITE}/a", f"{SITE}/two"} < saved and f"{SITE}/settings" not in saved


def test_notes_with_a_byte_order_mark_are_read_from_an_archive(alice):
    notes = {"a.md": f"\ufeff---\nurl: {SITE}/one\ntitle: One\n---\nWords.\n"}
    row = finished(alice, upload(alice, "notes.zip", zipped(notes)))
    assert (row["format"], *counts(row)) == ("markdown", 1, 1, 0, 0)


def test_nothing_is_fetched_for_content_that_comes_with_a_file(alice, admin):
    row = finished(alice, upload(alice, *FILES["wallabag"][:2]))
    one = alice.settled(link_of(alice, "/one")["id"])
    steps = admin.execute("select steps from private.done_jobs where link_id = %s", [one["id"]]).fetchall()
    assert steps and all("fetch" not in step for (step,) in steps)
    assert admin.execute(
        "select count(*) from private.import_entries where import_id = %s", [row["id"]]
    ).fetchone() == (0,)


def test_two_users_import_the_same_file_apart(alice, bob):
    for user in (alice, bob):
        assert counts(finished(user, upload(user, *FILES["karakeep"][:2]))) == (3, 2, 0, 1)
    for user in (alice, bob):
        assert len(user.links()) == 2 and len(user.rest("GET", "imports").json()) == 1
        assert len(user.rest("GET", "import_rejects").json()) == 1
        assert {
            row["user_id"]
            for table in ("links", "tags", "collections", "notes")
            for row in user.rest("GET", table).json()
        } == {user.id}


def test_imported_links_wait_behind_links_that_are_saved_by_hand(alice, admin):
    finished(alice, upload(alice, "list.txt", "".join(f"{SITE}/{n}\n" for n in range(30)).encode()))
    [batch] = alice.rest("GET", "batches").json()
    assert batch["jobs"] == 30
    rows = admin.execute("select in_bulk from private.jobs where user_id = %s", [alice.id]).fetchall()
    assert all(in_bulk for (in_bulk,) in rows)


def test_imported_links_are_not_fetched_before_all_rows_are_saved(alice, bob, admin):
    """The state of an import that is being saved."""
    admin.execute(
        "insert into private.imports (id, user_id, name, bytes, state, staged_at, leased_until) "
        "values (gen_random_uuid(), %s, 'f', 1, 'running', now(), now() + interval '1 hour')",
        [alice.id],
    )
    state = lambda user, link: user.link(link["id"])["state"]
    of_alice, of_bob = (
        user.rest(
            "POST",
            "links",
            [{"raw_url": f"{SITE}/imported"}],
            X_Lectern_Intent="import",
            Prefer="return=representation",
        ).json()[0]
        for user in (alice, bob)
    )
    by_hand = alice.save(f"{SITE}/by-hand")
    wait_until(lambda: state(alice, by_hand) == state(bob, of_bob) == "failed")
    assert state(alice, of_alice) == "pending"
    admin.execute("update private.imports set state = 'read', leased_until = null where user_id = %s", [alice.id])
    wait_until(lambda: state(alice, of_alice) == "failed")


def test_rejects_are_also_a_table_in_csv(alice):
    row = finished(alice, upload(alice, "list.txt", f"{SITE}/1\n{SITE}/2\njavascript:alert(1)\n".encode()))
    answer = alice.rest("GET", f"import_rejects?import_id=eq.{row['id']}&select=row,url,reason", Accept="text/csv")
    head, line = answer.body.decode().strip().splitlines()
    assert head == "row,url,reason" and line.startswith("3,javascript:alert(1),")


def test_entries_without_a_date_keep_their_order(alice):
    finished(alice, upload(alice, "list.txt", "".join(f"{SITE}/{n}\n" for n in range(5)).encode()))
    listed = alice.rest("GET", "links?order=updated_at.desc,id.desc").json()
    assert [link["raw_url"] for link in listed] == [f"{SITE}/{n}" for n in range(5)]


@pytest.mark.parametrize("scope", ["save", "full"])
def test_a_token_that_may_save_imports(alice, scope):
    headers = {"Authorization": f"Bearer {make_token(alice, scope)}"}
    assert finished(alice, upload(alice, *FILES["pinboard"][:2], headers=headers))["imported"] == 2


def test_the_format_may_be_named(alice):
    row = finished(alice, upload(alice, "words.txt", f"{SITE}/one\nno address\n".encode(), format="urls"))
    assert (row["format"], *counts(row)) == ("urls", 2, 1, 0, 1)
    row = finished(alice, upload(alice, "words.txt", b"Words.", format="document"))
    assert (row["format"], row["imported"]) == ("document", 1)


def nested():
    return zipped({"inner.zip": zipped({"a.csv": POCKET})})


def bomb():
    # Entries of 1 GiB each, which the archive declares.
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zip:
        for n in range(4):
            zip.writestr(f"part_{n}.csv", POCKET)
    content = file.getvalue()
    size = struct.pack("<I", len(POCKET.encode()))
    return content.replace(size, struct.pack("<I", 2**30))


@pytest.mark.parametrize(
    ("name", "content", "format", "reason"),
    [
        ("cut.json", lambda: FILES["wallabag"][1][:-5], None, "incomplete"),
        ("cut.csv", lambda: POCKET.encode() + b'"not closed', None, "incomplete"),
        ("cut.zip", lambda: FILES["omnivore"][1][:-40], None, "damaged"),
        ("bomb.zip", bomb, None, "3 GiB"),
        ("slip.zip", lambda: zipped({"../part.csv": POCKET}), None, "lead out"),
        ("nested.zip", nested, None, "another ZIP"),
        ("wrong.json", lambda: POCKET.encode(), "wallabag", "not a file of the format"),
        ("words.csv", lambda: b"name,phone\nAda,1\n", None, "format"),
        ("words.csv", lambda: b"name,phone\nAda,1\n", "instapaper", "column of addresses"),
        ("binary.csv", lambda: bytes(range(256)) * 9, "pocket-csv", "not a file of the format"),
        ("other.json", lambda: b'{"some": "thing"}', None, "format"),
        ("deep.json", lambda: b'[{"url":' + b"[" * 100_000, None, "incomplete"),
    ],
)
def test_a_file_that_cannot_be_read_fails_with_a_reason_and_imports_nothing(
    alice, admin, name, content, format, reason
):
    parameters = {"format": format} if format else {}
    row = finished(alice, upload(alice, name, content(), **parameters))
    assert row["state"] == "failed" and reason in row["reason"], row
    assert row["rows"] == 0 and alice.links() == [] and rejects(alice, row) == []
    wait_until(
        lambda: admin.execute("select from private.import_entries where import_id = %s", [row["id"]]).fetchall() == []
    )


def test_entries_with_bad_values_are_cut_or_refused(alice):
    lines = [
        "title,url,time_added,tags,status",
        f"{'t' * (1 << 20)},{SITE}/long,99999999999,{'x' * 5_000}|y,unread",
        f"Year 99999,{SITE}/year,99999-01-01T00:00:00Z,,unread",
        f"Long,{SITE}/{'p' * 9_000},1,,unread",
        f"NUL \\u0000 and \ufffe,{SITE}/nul,-1,,odd",
    ]
    row = finished(alice, upload(alice, "bad.csv", "\n".join(lines).encode()))
    assert counts(row) == (4, 3, 0, 1) and "8,192" in rejects(alice, row)[0]["reason"]
    assert len(link_of(alice, "/long")["title"]) == 10_000 and link_of(alice, "/year")["created_at"] > "2026"


def test_an_import_without_entries_is_done(alice):
    row = finished(alice, upload(alice, "empty.csv", b"title,url,time_added,tags,status\n"))
    assert (row["format"], *counts(row)) == ("pocket-csv", 0, 0, 0, 0)


def stage(admin, user, id, urls, columns):
    """Adds entries to an import of five that was read, as if it were being saved. In one transaction, because the jobs
    clear the entries of imports that are read."""
    with admin.transaction():
        admin.execute(
            "insert into private.import_entries (import_id, user_id, place, row, url, entry) "
            "select %s, %s, 5 + n, 5 + n, url, '{}' from unnest(%s::text[]) with ordinality as given (url, n)",
            [id, user.id, urls],
        )
        admin.execute(
            f"update private.imports set state = 'running', staged_at = now(), attempts = 1, {columns} where id = %s",
            [id],
        )


def test_a_cancelled_import_fetches_nothing_more_and_keeps_its_links(alice, admin):
    """The state of an import that is being saved: entries are staged, and its process has died."""
    alice.save("http://127.0.0.9:9/by-hand")
    row = finished(alice, upload(alice, "list.txt", "".join(f"{SITE}/{n}\n" for n in range(5)).encode()))
    more = [f"http://127.0.0.9:9/more-{n}" for n in range(2000)]
    stage(admin, alice, row["id"], more, "staged_rows = 2005, leased_until = now() + interval '1 hour'")
    assert imported(alice, row["id"])["state"] == "reading" and imported(alice, row["id"])["entries"] == 2005
    [cancelled] = alice.rest("POST", "rpc/cancel_import", {"import": row["id"]}).json()
    assert cancelled["state"] == "cancelled" and cancelled["rows"] == 5
    wait_until(
        lambda: admin.execute("select from private.import_entries where import_id = %s", [row["id"]]).fetchall() == []
    )
    assert len(alice.links()) == 6


def test_an_interrupted_import_goes_on_where_it_was(alice, admin):
    """What a killed process leaves: staged entries, some of them saved, and a lease that has run out."""
    row = finished(alice, upload(alice, "list.txt", "".join(f"{SITE}/{n}\n" for n in range(5)).encode()))
    more = [f"http://127.0.0.9:9/{n}" for n in range(4, 704)]
    stage(admin, alice, row["id"], more, "leased_until = now() - interval '1 second'")
    admin.execute("notify lectern_imports")
    id = row["id"]
    row = wait_until(lambda: (row := imported(alice, id))["state"] != "reading" and row)
    assert counts(row) == (705, 704, 1, 0) and len(alice.links("select=id&limit=1000")) == 704


def test_the_links_of_a_user_without_statistics_are_found_by_their_addresses(alice, bob, admin):
    """PostgreSQL takes a user who is new since it analyzed the table for one with hardly any links."""
    rows, at_once = 1_500, 500
    with admin.transaction(force_rollback=True):
        admin.execute(
            "insert into public.links (user_id, raw_url, state) "
            "select %s, 'http://127.0.0.9:9/of-bob/' || n, 'ready' from generate_series(1, 3000) as n",
            [bob.id],
        )
        admin.execute("analyze public.links")
        [(id,)] = admin.execute(
            "insert into private.imports (id, user_id, name, bytes, state, staged_at, leased_until) "
            "values (gen_random_uuid(), %s, 'list.txt', 1, 'running', now(), now() + interval '1 hour') returning id",
            [alice.id],
        ).fetchall()
        admin.execute(
            "insert into private.import_entries (import_id, user_id, place, row, url, entry) "
            "select %s, %s, n, n, 'http://127.0.0.9:9/of-alice/' || n, '{}' from generate_series(1, %s) as n",
            [id, alice.id, rows],
        )
        read = (
            "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.links'::regclass"
        )
        [(before,)] = admin.execute(read).fetchall()
        save = "select private.save_import_entries(%s, 0, 0, 0, %s)"
        while admin.execute(save, [id, at_once]).fetchall() != [(0,)]:
            pass
        [(after,)] = admin.execute(read).fetchall()
        [(links,)] = admin.execute("select count(*) from public.links where user_id = %s", [alice.id]).fetchall()
    assert links == rows
    assert after - before < 20 * rows


def held(user, *file):
    answer = upload(user, *file, hold="true")
    assert answer.status == 202, answer
    return wait_until(lambda: (row := imported(user, answer.json()["id"]))["state"] == "held" and row)


def test_a_held_import_says_what_its_file_holds_and_begins_when_its_user_says_so(alice, bob):
    row = held(alice, *FILES["karakeep"][:2])
    assert (row["format"], row["entries"], row["rows"]) == ("karakeep", 3, 0) and alice.links() == []
    epoch = row["summary"].pop("oldest")
    assert row["summary"] == {"newest": epoch, "tags": 2, "collections": 1, "refused": 1, "articles": 0}
    assert bob.rest("POST", "rpc/start_import", {"import": row["id"]}).json() == []
    for token, status in [(make_token(alice, "read"), 403), (make_token(alice, "full"), 200)]:
        answer = alice.lectern.send(
            "POST",
            "/rest/v1/rpc/start_import",
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            json.dumps({"import": row["id"]}).encode(),
        )
        assert answer.status == status, answer
    id = row["id"]
    row = wait_until(lambda: (row := imported(alice, id))["state"] != "held" and row["state"] != "reading" and row)
    assert counts(row) == (3, 2, 0, 1) and len(alice.links()) == 2
    # It has begun, and does not begin again.
    [again] = alice.rest("POST", "rpc/start_import", {"import": row["id"]}).json()
    assert counts(again) == (3, 2, 0, 1)


def test_a_held_import_that_is_cancelled_or_forgotten_leaves_nothing(alice, admin):
    rows = [held(alice, *FILES["urls"][:2]), held(alice, "a.txt", b"Words of a document.")]
    assert [row["format"] for row in rows] == ["urls", "document"]
    [cancelled] = alice.rest("POST", "rpc/cancel_import", {"import": rows[0]["id"]}).json()
    assert cancelled["state"] == "cancelled"
    admin.execute("update private.imports set run_at = now() where id = %s", [rows[1]["id"]])
    admin.execute("notify lectern_imports")
    wait_until(lambda: imported(alice, rows[1]["id"])["state"] == "cancelled")
    left = "select from private.import_entries where import_id = any(%s)"
    wait_until(lambda: admin.execute(left, [[row["id"] for row in rows]]).fetchall() == [])
    wait_until(lambda: not any((alice.lectern.home / "imports" / row["id"]).exists() for row in rows))
    assert alice.links() == []


def test_a_held_document_is_read_when_it_is_begun(alice):
    row = held(alice, "a.txt", b"Words of a document.")
    alice.rest("POST", "rpc/start_import", {"import": row["id"]})
    wait_until(lambda: imported(alice, row["id"])["imported"] == 1)
    assert len(alice.links()) == 1
