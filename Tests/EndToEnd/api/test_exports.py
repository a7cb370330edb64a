"""Exports: one file with everything a user has and nothing of others, deleted when it should be."""

import base64
import contextlib
import hashlib
import hmac
import io
import json
import os
import re
import signal
import time
import uuid
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import psycopg
import pytest

from support import service
from support.client import wait_until
from support.database import temporary_user
from support.documents import finished, upload


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5") as instance:
        yield instance


@pytest.fixture
def reader(instance, admin):
    with temporary_user(instance, admin) as reader:
        yield reader


def ask(user, method, path, body=None):
    return user.lectern.auth(method, path, body, Authorization=f"Bearer {user.token}")


def start(user, body=None):
    answer = ask(user, "POST", "exports", body)
    assert answer.status == 202, answer
    return answer.json()["id"]


def ready(user, id, seconds=300):
    return wait_until(
        lambda: (known := ask(user, "GET", f"exports/{id}").json())["state"] in ("ready", "failed") and known, seconds
    )


def archive(user, seconds=300):
    """Downloads the export of a user."""
    known = ready(user, start(user), seconds)
    assert known["state"] == "ready", known
    answer = user.lectern.send("GET", known["url"])
    assert answer.status == 200, answer
    assert len(answer.body) == known["bytes"] and known["rows_done"] == known["rows_total"]
    return zipfile.ZipFile(io.BytesIO(answer.body))


def fill(admin, user):
    """Makes at least one row in every table."""

    def run(statement, *values):
        cursor = admin.execute(statement, values)
        return cursor.fetchone()[0] if cursor.description else None

    link = run(
        "insert into public.links (user_id, raw_url, resolved_url, title, state) "
        "values (%s, 'http://127.0.0.2/a', 'http://127.0.0.2/a', 'Über <Tee> & \"mehr\"', 'ready') returning id",
        user.id,
    )
    run(
        "insert into public.articles (link_id, user_id, url, title, byline, content, text_content, lang, dir, published_at, length, word_count, "
        "extractor_version) values (%s, %s, 'http://127.0.0.2/a?x=1&y=\"2\"', 'Über <Tee>: ../../etc/passwd', 'A. & B.', "
        "'<p>Grün 🍵 &amp; mehr</p>', 'Grün', 'de', 'ltr', "
        "'2026-01-02', 4, 1, 1)",
        link,
        user.id,
    )
    run("insert into public.links (user_id, raw_url) values (%s, 'javascript:alert(1)')", user.id)
    tag = run("insert into public.tags (user_id, name) values (%s, 'Getränke') returning id", user.id)
    run("insert into public.link_tags (link_id, tag_id, user_id) values (%s, %s, %s)", link, tag, user.id)
    run("insert into public.highlights (user_id, link_id, quote) values (%s, %s, E'eine\\nZeile')", user.id, link)
    run(
        "insert into rest.annotation_ranges select id, user_id, '[]' from public.highlights where user_id = %s", user.id
    )
    run("insert into public.bookmarks (user_id, link_id, name, quote) values (%s, %s, 'Stelle', 'Grün')", user.id, link)
    run("insert into public.notes (user_id, link_id, body) values (%s, %s, 'Notiz')", user.id, link)
    folder = run("insert into public.collections (user_id, name) values (%s, 'Küche') returning id", user.id)
    run(
        "insert into public.collection_links (collection_id, link_id, user_id) values (%s, %s, %s)",
        folder,
        link,
        user.id,
    )
    run(
        "insert into auth.pairings (user_id, code_hash, expires_at) values (%s, sha256(%s::text::bytea), now())",
        user.id,
        user.id,
    )
    run("insert into public.reading_progress (user_id, content_hash, link_id) values (%s, 'x', %s)", user.id, link)
    run("insert into public.user_settings (user_id) values (%s)", user.id)
    run("insert into private.collection_trees (collection_id, user_id, tree) values (%s, %s, '{}')", folder, user.id)
    rule = run(
        "insert into public.rules (user_id, name, query, change) values (%s, 'Regel', '', '{}') returning id", user.id
    )
    run(
        "insert into private.rule_trees (rule_id, user_id, tree) values (%s, %s, '{}') on conflict do nothing",
        rule,
        user.id,
    )
    run("insert into private.ruled_links (link_id, user_id) values (%s, %s) on conflict do nothing", link, user.id)
    change = run("insert into private.link_changes (user_id) values (%s) returning id", user.id)
    run(
        "insert into private.link_change_steps (change_id, user_id, table_name, link_id) values (%s, %s, 'links', %s)",
        change,
        user.id,
        link,
    )
    run(
        "insert into public.trash (user_id, link_id, raw_url, link, parts) values (%s, gen_random_uuid(), 'http://127.0.0.2/old', '{}', '{}')",
        user.id,
    )
    run(
        "insert into private.pages (link_id, user_id, url, html) values (%s, %s, 'http://127.0.0.2/a', '<h1>seen</h1>')",
        link,
        user.id,
    )
    run(
        "insert into private.sources (link_id, user_id, kind, asked_url, url, html) "
        "values (%s, %s, 'server', 'http://127.0.0.2/a', 'http://127.0.0.2/a', '<h1>fetched</h1>')",
        link,
        user.id,
    )
    run("insert into private.former_articles (link_id, user_id, article) values (%s, %s, '{}')", link, user.id)
    run("insert into private.page_copies (link_id, user_id, html) values (%s, %s, '<p>Copied')", link, user.id)
    run("insert into private.article_reports (link_id, user_id, url) values (%s, %s, 'http://a.test/')", link, user.id)
    run(
        "insert into private.page_checks (link_id, user_id, asked_url, etag) values (%s, %s, 'http://127.0.0.2/a', 'W/\"1\"')",
        link,
        user.id,
    )
    run(
        "insert into private.resolutions (user_id, url, taken_at, outcome) values (%s, 'http://127.0.0.2/', now(), 'unreachable')",
        user.id,
    )
    run("insert into private.digest_times (user_id, ended_at) values (%s, now())", user.id)
    run(
        "with mail as (insert into private.mails (user_id, kind, recipient, subject, body, state, message, expires_at) "
        "values (%s, 'ereader', '', '', null, 'failed', '', now()) returning id, user_id) "
        "insert into private.ereader_mails (id, user_id, link_id, title, recipient) select id, user_id, %s, '', '' from mail",
        user.id,
        link,
    )
    run(
        # The jobs process deletes the entries of imports that are read.
        "insert into private.imports (id, user_id, name, bytes, state, staged_at, leased_until) "
        "values (gen_random_uuid(), %s, 'f', 1, 'running', now(), now() + interval '1 day')",
        user.id,
    )
    run(
        "insert into private.import_rejects (import_id, user_id, row, reason) select id, user_id, 1, 'No' "
        "from private.imports where user_id = %s",
        user.id,
    )
    run(
        "insert into private.import_entries (import_id, user_id, place, row, url, entry) "
        "select id, user_id, 1, 1, 'http://127.0.0.2/staged', '{}' from private.imports where user_id = %s",
        user.id,
    )
    run(
        "insert into private.documents (user_id, hash, name, type, bytes, address) "
        "values (%s, repeat('ab', 32), 'f.txt', 'text/plain', 1, 'ab/' || gen_random_uuid())",
        user.id,
    )
    run("insert into private.unused_documents (user_id, hash) values (%s, repeat('cd', 32))", user.id)
    run("insert into private.daily_counts (user_id, name, day, n) values (%s, 'books', current_date, 1)", user.id)
    run(
        "insert into private.made_books (user_id, title, query, link_ids, state) values (%s, 'T', '', array[%s]::uuid[], 'failed')",
        user.id,
        link,
    )
    run(
        "insert into auth.identities (user_id, provider, provider_id) values (%s, 'oidc', %s)",
        user.id,
        uuid.uuid4().hex,
    )
    run(
        "insert into auth.mfa_factors (user_id, factor_type, secret) values (%s, 'totp', 'SECRET-OF-A-FACTOR')", user.id
    )
    assert ask(user, "POST", "tokens", {"name": "script", "scope": "read"}).status == 201
    assert user.lectern.auth("POST", "recover", {"email": user.email}).status == 200
    # Another spelling: an alias and a merge.
    assert user.rest("POST", "links", {"raw_url": "http://127.0.0.2/a/"}).status == 200
    # Waits until the server's own work is done.
    wait_until(
        lambda: admin.execute(
            "select count(*) = 0 from private.jobs where user_id = %s and state <> 'buried'", [user.id]
        ).fetchone()[0]
    )
    run(
        "insert into private.jobs (kind, user_id, link_id, run_at) values ('save', %s, %s, now() + interval '1 day')",
        user.id,
        link,
    )
    run("insert into private.shares (link_id, user_id) values (%s, %s)", link, user.id)
    run("insert into private.batches (user_id) values (%s)", user.id)
    run(
        "with hook as (insert into private.webhooks (user_id, url, events) "
        "values (%s, 'http://127.0.0.2/hook', '{saved}') returning id, user_id) "
        "insert into private.webhook_deliveries (user_id, webhook_id, event, state) "
        "select user_id, id, 'saved', 'failed' from hook",
        user.id,
    )
    run(
        "with feed as (insert into private.feeds (user_id, url, is_paused) "
        "values (%s, 'http://127.0.0.2/feed', true) returning id, user_id) "
        "insert into private.feed_entries (feed_id, hash, user_id) select id, gen_random_uuid(), user_id from feed",
        user.id,
    )
    run(
        "insert into private.last_changes select user_id, table_name, key, xid, seq, changed_at "
        "from private.change_log where user_id = %s order by seq limit 1",
        user.id,
    )
    wait_until(
        lambda: admin.execute(
            "select bool_and(message is not null) from private.mails where user_id = %s", [user.id]
        ).fetchone()[0]
    )
    wait_until(
        lambda: (
            not admin.execute(
                """
        select from private.picture_listings where user_id = %(id)s and state <> 'done'
        union all select from private.picture_jobs where user_id = %(id)s
        union all select from private.link_books where user_id = %(id)s and state <> 'done'""",
                {"id": user.id},
            ).rowcount
        )
    )


def tables_of_users(admin):
    """Name, user id column and columns of every table that holds rows of users, from PostgreSQL's catalog alone."""
    return admin.execute("""
        select n.nspname || '.' || c.relname, a.attname, array(
            select s.attname::text from pg_attribute s
            where s.attrelid = c.oid and s.attnum > 0 and not s.attisdropped order by s.attnum)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
        where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
            and a.attname = case when c.oid = 'auth.users'::regclass then 'id' else 'user_id' end
        """).fetchall()


def withheld_columns(admin):
    """The columns that exports leave out, by table."""
    return dict(admin.execute("select name, withheld from private.personal_columns").fetchall())


def rows_of(admin, table, column, withheld, user):
    return [
        row
        for (row,) in admin.execute(
            f"select to_jsonb(t) - %s::text[] from {table} t where {column} = %s", [withheld, user.id]
        )
    ]


def test_every_column_of_every_table_of_users_is_either_exported_or_withheld(admin):
    listed = {
        name: sorted(exported + withheld)
        for name, exported, withheld in admin.execute("select name, exported, withheld from private.personal_columns")
    }
    assert listed == {name: sorted(columns) for name, _, columns in tables_of_users(admin)}


def test_secrets_and_the_true_reasons_of_failures_are_withheld(instance, admin, reader):
    withheld = withheld_columns(admin)
    secret = admin.execute("""
        select n.nspname || '.' || c.relname, s.attname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute s on s.attrelid = c.oid where col_description(c.oid, s.attnum) like 'secret%'""").fetchall()
    assert len(secret) > 4 and all(column in withheld[table] for table, column in secret)
    # A job that was refused an address, and one that a picture waits for.
    link = reader.save("http://127.0.0.9:9/refused")["id"]
    picture = admin.execute(
        "insert into public.link_pictures (link_id, user_id, source) values (%s, %s, 'http://127.0.0.9:9/p') returning id",
        [link, reader.id],
    ).fetchone()[0]
    admin.execute("delete from private.picture_jobs where picture_id = %s", [picture])
    admin.execute(
        "insert into private.picture_jobs (picture_id, user_id, run_at, reason, message) "
        "values (%s, %s, now() + interval '1 day', 'blocked_address', 'true cause: inner.example')",
        [picture, reader.id],
    )
    reader.settled(link)
    admin.execute("delete from private.jobs where user_id = %s", [reader.id])
    admin.execute(
        "insert into private.jobs (kind, user_id, link_id, run_at, reason, message) "
        "values ('save', %s, %s, now() + interval '1 day', 'blocked_address', 'true cause: inner.example')",
        [reader.id, link],
    )
    zip = archive(reader)
    for table in ("private.jobs", "private.picture_jobs"):
        [row] = json.loads(zip.read(f"tables/{table}.json"))
        assert row["user_id"] == reader.id and not {"reason", "message", "leased_by"} & set(row)
    everything = b"".join(zip.read(name) for name in zip.namelist())
    assert b"inner.example" not in everything


def test_an_export_holds_every_row_of_the_user_and_no_other(instance, admin, reader):
    other = instance.sign_up()
    fill(admin, reader)
    fill(admin, other)
    zip = archive(reader)
    assert zip.testzip() is None
    manifest = json.loads(zip.read("manifest.json"))
    assert (manifest["format"], manifest["version"], manifest["user"]) == (
        "lectern-export",
        1,
        {"id": reader.id, "email": reader.email},
    )
    assert (
        abs(time.time() - time.mktime(time.strptime(manifest["exported_at"], "%Y-%m-%dT%H:%M:%SZ")) + time.timezone)
        < 600
    )
    tables = tables_of_users(admin)
    assert len(tables) > 20
    assert {f"tables/{name}.json" for name, *_ in tables} == {
        name for name in zip.namelist() if name.startswith("tables/")
    }
    in_order = lambda rows: sorted(json.dumps(row, sort_keys=True) for row in rows)
    withheld = withheld_columns(admin)
    for name, column, _ in tables:
        if "picture" in name or name in ("private.quota_counts", "private.unused_documents"):
            continue  # The jobs process changes the rows of these tables at any time.
        text = zip.read(f"tables/{name}.json").decode()
        exported = json.loads(text)
        kept = rows_of(admin, name, column, withheld[name], reader)
        assert exported and manifest["tables"][name] == len(exported) == len(text.splitlines()) - 2, name
        if name == "private.exports":
            # The export changes its own row after reading it.
            assert {row["id"] for row in exported} == {row["id"] for row in kept}
            continue
        assert in_order(exported) == in_order(kept), name
    everything = b"".join(zip.read(name) for name in zip.namelist()).decode()
    assert other.id not in everything and other.email not in everything


def keep_picture(instance, admin, user, content):
    """Stores a picture as the jobs process does, and returns its hash and its file."""
    hash = hashlib.sha256(content).hexdigest()
    address = f"{hash[:2]}/{uuid.uuid4().hex}{uuid.uuid4().hex[:8]}.webp"
    file = instance.home / "pictures" / address
    file.parent.mkdir(mode=0o755, exist_ok=True)
    file.parent.chmod(0o755)
    file.write_bytes(content)
    file.chmod(0o644)
    link = user.save(f"http://127.0.0.2/{uuid.uuid4()}")["id"]
    with admin.transaction():
        admin.execute(
            "insert into public.pictures (user_id, hash, address, width, height, bytes) values (%s, %s, %s, 1, 1, %s)",
            [user.id, hash, address, len(content)],
        )
        admin.execute(
            "insert into public.link_pictures (user_id, link_id, source, state, hash) values (%s, %s, %s, 'kept', %s)",
            [user.id, link, f"http://127.0.0.2/{uuid.uuid4()}", hash],
        )
    return hash, file


def test_an_export_holds_the_files_of_pictures_and_documents(instance, admin, reader):
    other = instance.sign_up()
    texts = {user.id: f"A text of {user.email}\n\nwith lines.\n" * 40 for user in [reader, other]}
    for user in [reader, other]:
        finished(user, upload(user, "Über uns.txt", texts[user.id].encode()))
        keep_picture(instance, admin, user, b"webp of " + user.email.encode())
    lost, file = keep_picture(instance, admin, reader, os.urandom(300_000))
    large = os.urandom(1_000_000)
    keep_picture(instance, admin, reader, large)
    file.unlink()
    zip = archive(reader)
    files = json.loads(zip.read("files.json"))
    picture = hashlib.sha256(b"webp of " + reader.email.encode()).hexdigest()
    text = hashlib.sha256(texts[reader.id].encode()).hexdigest()
    assert {file["path"]: (file["bytes"], file["type"], file.get("name"), file.get("missing")) for file in files} == {
        f"documents/{text}.txt": (len(texts[reader.id]), "text/plain", "Über uns.txt", None),
        f"pictures/{picture}.webp": (len(reader.email) + 8, "image/webp", None, None),
        f"pictures/{lost}.webp": (300_000, "image/webp", None, True),
        f"pictures/{hashlib.sha256(large).hexdigest()}.webp": (1_000_000, "image/webp", None, None),
    }
    assert {file["path"] for file in files} == {
        name for name in zip.namelist() if name.startswith(("pictures/", "documents/"))
    }
    assert json.loads(zip.read("manifest.json"))["files"] == len(zip.read("files.json").splitlines()) - 2 == 4
    for file in files:
        content = zip.read(file["path"])
        assert content == b"" if "missing" in file else hashlib.sha256(content).hexdigest() == file["sha256"]


def test_an_export_holds_no_secrets(instance, admin, reader):
    fill(admin, reader)
    zip = archive(reader)
    everything = b"".join(zip.read(name) for name in zip.namelist()).decode()
    assert "argon2" not in everything and "SECRET-OF-A-FACTOR" not in everything and "token_hash" not in everything
    secrets = [
        row
        for (row,) in admin.execute(
            """
        select encrypted_password from auth.users where id = %(id)s
        union all select encode(token_hash, 'hex') from auth.api_tokens where user_id = %(id)s
        union all select encode(token_hash, 'hex') from auth.one_time_tokens where user_id = %(id)s
        union all select encode(code_hash, 'hex') from auth.one_time_tokens where user_id = %(id)s
        union all select encode(code_hash, 'hex') from auth.pairings where user_id = %(id)s
        union all select body from private.mails where user_id = %(id)s""",
            {"id": reader.id},
        )
    ]
    # Not every link comes with a code.
    secrets = [secret for secret in secrets if secret]
    assert len(secrets) >= 4 and not [secret for secret in secrets if secret in everything]
    for name, columns in withheld_columns(admin).items():
        for row in json.loads(zip.read(f"tables/{name}.json")):
            assert not set(columns) & set(row), name


class Parts(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


def test_exported_pages_are_complete_and_linked_from_the_list(instance, admin, reader):
    fill(admin, reader)
    zip = archive(reader)
    [name] = [name for name in zip.namelist() if name.startswith("articles/")]
    assert name == "articles/1 Über Tee .. .. etc passwd.html"
    page = Parts(zip.read(name).decode())
    assert page.tags[0] == ("html", {"lang": "de", "dir": "ltr"}) and ("meta", {"charset": "utf-8"}) in page.tags
    assert (
        "Über <Tee>: ../../etc/passwd" in page.text
        and "A. & B. · 2026-01-02" in page.text
        and "Grün 🍵 & mehr" in page.text
    )
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "iframe", "object"})
    assert [attributes["href"] for tag, attributes in page.tags if tag == "a"] == ['http://127.0.0.2/a?x=1&y="2"']
    index = Parts(zip.read("index.html").decode())
    links = [attributes["href"] for tag, attributes in index.tags if tag == "a"]
    assert [unquote(link) for link in links] == [name, "http://127.0.0.2/a"]
    assert index.text.index("javascript:alert(1)") < index.text.index("Über <Tee>") and "Getränke" in index.text


# The URL


def signature(instance, id, expires):
    key = hmac.digest(instance.secret().encode(), b"export file", hashlib.sha256)
    return base64.urlsafe_b64encode(hmac.digest(key, f"{id} {expires}".encode(), hashlib.sha256)).rstrip(b"=").decode()


def test_the_url_of_a_file_expires_and_cannot_be_forged(instance, admin, reader):
    id = start(reader)
    url = ready(reader, id)["url"]
    path, expires, signed = re.fullmatch(r"(.*)\?expires=(\d+)&signature=([\w-]+)", url).groups()
    assert 500 < int(expires) - time.time() < 610 and signed == signature(instance, id, expires)
    answer = instance.send("GET", url)
    assert answer.status == 200 and answer["content-type"] == "application/zip"
    assert re.fullmatch(r'attachment; filename="lectern-\d{4}-\d\d-\d\d.zip"', answer["content-disposition"])
    assert "content-disposition" in answer.exposed_headers()
    assert (
        answer["cache-control"] == "no-store"
        and answer["x-content-type-options"] == "nosniff"
        and answer["referrer-policy"] == "no-referrer"
    )
    assert (
        answer["access-control-allow-origin"] == "*" and answer["x-request-id"] and answer["x-accel-redirect"] is None
    )
    part = instance.send("GET", url, {"Range": "bytes=2-5"})
    assert (part.status, part.body) == (206, answer.body[2:6])
    assert instance.send("HEAD", url).status == 200
    past = int(time.time()) - 1
    for other in (
        f"{path}?expires={past}&signature={signature(instance, id, past)}",
        f"{path}?expires={int(expires) + 60}&signature={signed}",
        path,
        f"{path}?expires={expires}",
        f"{path}?expires={expires}&signature=",
        url + "x",
        url.replace(id, str(uuid.uuid4())),
        url.replace(id, id.upper()),
        f"/.exports/{id}.zip",
        f"/exports/{id}.zip",
        f"/auth/v1/../../.exports/{id}.zip",
    ):
        answer = instance.send("GET", other)
        assert answer.status == 404 and b"PK" not in answer.body[:4], other
    # Another user gets nothing from it.
    assert ask(instance.sign_up(), "GET", f"exports/{id}").status == 404
    log = (instance.home / "log/access.log").read_text()
    assert path in log and signed not in log and signed not in (instance.home / "log/fcgi.log").read_text()
    admin.execute("update private.exports set expires_at = now() where id = %s", [id])
    assert instance.send("GET", url).status == 404


def test_only_the_services_can_read_exports_in_the_home(instance, reader):
    id = start(reader)
    ready(reader, id)
    folder = instance.home / "exports"
    assert folder.stat().st_mode & 0o777 == (0o750 if os.geteuid() == 0 else 0o700)
    assert (folder / f"{id}.zip").stat().st_mode & 0o777 == 0o640


# The lifetime of the file


def many_articles(admin, user, count, size=4000):
    """Adds links without the search for their pictures, which would take minutes."""
    with admin.transaction():
        admin.execute("set local role lectern_owner")
        admin.execute("alter table public.articles disable trigger list_pictures")
        admin.execute("reset role")
        admin.execute(
            """
            with saved as (
                insert into public.links (user_id, raw_url, title, state, created_at)
                select %s, 'http://127.0.0.2/' || n, 'Article ' || n, 'ready', now() - n * interval '1 minute' from generate_series(1, %s) n
                returning id, user_id, raw_url, title)
            insert into public.articles (link_id, user_id, url, title, content, text_content, length, word_count, extractor_version)
            select id, user_id, raw_url, title, repeat(md5(id::text), %s / 32), '', 0, 0, 1 from saved""",
            [user.id, count, size],
        )
        admin.execute("set local role lectern_owner")
        admin.execute("alter table public.articles enable trigger list_pictures")
        admin.execute("reset role")


def files(instance, id):
    return [name for name in os.listdir(instance.home / "exports") if name.startswith(str(id))]


@contextlib.contextmanager
def unfinished_export(user, id, rows=0):
    """Keeps an export from finishing while the block runs, because its heartbeat waits for the locked row. It has
    written at least `rows` rows."""
    with psycopg.connect(user.lectern.database_url) as held:
        running = "select from private.exports where id = %s and state = 'running' and rows_done >= %s for update"
        wait_until(lambda: held.execute(running, [id, rows]).fetchone() is not None, every=0.01)
        yield ask(user, "GET", f"exports/{id}").json()


def test_an_export_whose_writer_is_killed_is_written_by_the_next_one(instance, admin, reader):
    many_articles(admin, reader, 2_000, size=20_000)
    id = start(reader)
    with unfinished_export(reader, id, rows=1) as done:
        assert done["state"] == "running" and 0 < done["rows_done"] < done["rows_total"] and done["url"] is None
        left = files(instance, id)
        [process] = instance.processes("lectern", "jobs")
        os.kill(process, signal.SIGKILL)
        assert ask(reader, "GET", f"exports/{id}").json()["state"] == "running"
    known = ready(reader, id)
    assert known["state"] == "ready" and left and files(instance, id) == [f"{id}.zip"]
    assert admin.execute("select attempts from private.exports where id = %s", [id]).fetchone() == (2,)
    zip = zipfile.ZipFile(io.BytesIO(instance.send("GET", known["url"]).body))
    assert zip.testzip() is None and len(json.loads(zip.read("tables/public.articles.json"))) == 2_000
    names = [name for name in zip.namelist() if name.startswith("articles/")]
    assert names[0] == "articles/0001 Article 1.html" and names[-1] == "articles/2000 Article 2000.html"
    # Each page has the content that its name says.
    first = json.loads(zip.read("tables/public.articles.json"))[0]
    number = int(first["title"].split()[1])
    assert first["content"] in zip.read(f"articles/{number:04} Article {number}.html").decode()


def test_stopping_the_service_returns_the_export_to_the_queue(instance, admin, reader):
    many_articles(admin, reader, 2_000, size=20_000)
    id = start(reader)
    with unfinished_export(reader, id, rows=1):
        [process] = instance.processes("lectern", "jobs")
        os.kill(process, signal.SIGTERM)
    known = ready(reader, id)
    assert known["state"] == "ready"
    assert admin.execute("select attempts from private.exports where id = %s", [id]).fetchone() == (1,)


def test_an_export_that_cannot_be_written_fails_after_three_attempts(instance, admin, reader):
    folder = instance.home / "exports"
    folder.rename(instance.home / "exports.away")
    try:
        known = ready(reader, start(reader))
    finally:
        (instance.home / "exports.away").rename(folder)
    assert (known["state"], known["message"], known["url"]) == ("failed", "The server could not write the file", None)
    assert ready(reader, start(reader))["state"] == "ready"


def test_deleting_an_account_deletes_its_export_even_while_another_is_written(instance, admin, reader):
    id = start(reader)
    ready(reader, id)
    assert files(instance, id)
    busy = instance.sign_up()
    many_articles(admin, busy, 2_000, size=20_000)
    large = start(busy)
    with unfinished_export(busy, large) as known:
        assert known["state"] == "running"
        assert ask(reader, "DELETE", "user", {"password": reader.password}).status == 204
        wait_until(lambda: not files(instance, id))
        assert ask(busy, "GET", f"exports/{large}").json()["state"] == "running"
    # And its own unfinished file.
    assert ask(busy, "DELETE", "user", {"password": busy.password}).status == 204
    wait_until(lambda: not files(instance, large))
    wait_until(lambda: f'"export":"{large}"' in (instance.home / "log/jobs.log").read_text())
    assert not files(instance, large)


def test_the_memory_of_an_export_does_not_depend_on_the_order_of_long_and_short_rows(instance, admin, reader):
    """Users choose ids, and so the order: many short rows are followed by long ones, which compress well."""
    admin.execute(
        """
        insert into public.trash (id, user_id, link_id, raw_url, link, parts)
        select lpad(n::text, 32, '0')::uuid, %s, gen_random_uuid(), 'x', '{}',
            jsonb_build_object('notes', repeat('x', case when n > 700 then 2000000 else 1 end))
        from generate_series(1, 800) as n""",
        [reader.id],
    )
    [jobs] = instance.processes("lectern", "jobs", "run")
    # The peak counts from now on.
    Path(f"/proc/{jobs}/clear_refs").write_text("5")
    before = memory(jobs, "VmRSS")
    assert len(json.loads(archive(reader).read("tables/public.trash.json"))) == 800
    assert memory(jobs, "VmHWM") - before < 100


def memory(process, line):
    """In megabytes."""
    return int(re.search(rf"{line}:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())[1]) / 1_024


def test_a_new_export_replaces_the_old_one_and_other_files_are_left_alone(instance, admin, reader):
    (instance.home / "exports/readme.txt").write_text("mine")
    stray = uuid.uuid4()
    (instance.home / f"exports/{stray}.zip").write_text("nobody's")
    (instance.home / f"exports/{stray}.zip.part.abc").write_text("nobody's")
    first = start(reader)
    ready(reader, first)
    second = start(reader)
    ready(reader, second)
    wait_until(lambda: not files(instance, first) and not files(instance, stray))
    assert files(instance, second) and (instance.home / "exports/readme.txt").exists()
    assert [known["id"] for known in ask(reader, "GET", "exports").json()] == [second]
    (instance.home / "exports/readme.txt").unlink()
