"""Disks that are full in the middle of an upload, an import, an export or a book: the user gets the reason, and nothing
is half done or lost."""

import os
import subprocess
from pathlib import Path

import psycopg
import pytest

from support import service
from support.books import book as made_book
from support.books import write_article
from support.client import wait_until
from support.documents import document, epub, finished, imported, upload

# Runs a command with small disks in a home, which no other process sees. One of them holds the staged entries of imports.
WITH_SMALL_DISKS = """
home=$1; shift
disk() { mount -t tmpfs -o "size=$2,$(stat -c 'mode=%a,uid=%u,gid=%g' "$home/$1")" none "$home/$1"; }
mkdir -m 700 "$home/entries"
chown --reference="$home/postgres" "$home/entries"
disk nginx/temp 8m
disk imports 6m
disk documents 6m
disk exports 1m
disk books 1m
disk entries 1m
printf '%s\\n' "create tablespace entries location '$home/entries'" \
    "alter table private.import_entries set tablespace entries" |
    setpriv --reuid="$(stat -c %u "$home/postgres")" --regid="$(stat -c %g "$home/postgres")" --clear-groups \
        /usr/lib/postgresql/*/bin/postgres --single -D "$home/postgres" -c exit_on_error=true lectern >/dev/null
exec "$@"
"""


class SmallDisks(service.Service):
    def command(self, *arguments, port=None):
        mounted = ["unshare", "--mount", "bash", "-euc", WITH_SMALL_DISKS, "mounted", self.home]
        return [*mounted, *super().command(*arguments, port=port)]

    def files(self, folder):
        """The files on a disk."""
        inside = Path(f"/proc/{self.supervisor()}/root{self.home}/{folder}")
        return [path for path in inside.rglob("*") if path.is_file()]

    def enlarge(self, folder):
        """Makes room on a disk."""
        within = ["nsenter", "--target", str(self.supervisor()), "--mount"]
        subprocess.run([*within, "mount", "-o", "remount,size=64m", self.home / folder], check=True)


@pytest.fixture(scope="module")
def instance():
    instance = SmallDisks(service.SETTINGS)
    try:
        instance.run()
        yield instance
    finally:
        instance.remove()


def book(size):
    """A book with a picture of this many bytes, which cannot be compressed."""
    return epub(["<p>A book with a picture.</p>"], more=[("OEBPS/picture.jpg", os.urandom(size))])


def ask(user, method, path, body=None):
    return user.lectern.auth(method, path, body, Authorization=f"Bearer {user.token}")


def export(user, id):
    return ask(user, "GET", f"exports/{id}").json()


@pytest.fixture(scope="module")
def reader(instance):
    """A user whose disks are full: of a second document, of the entries of a table, and of an export. Each has failed."""
    reader = instance.sign_up()
    document(reader, "first.epub", book(4 << 20))
    table = "title,url,time_added\n" + "".join(
        f"{os.urandom(250).hex()},http://127.0.0.9:9/{n},{1_700_000_000 + n}\n" for n in range(3_000)
    )
    reader.failed = {
        name: upload(reader, name, content).json()["id"]
        for name, content in [("second.epub", book(4 << 20)), ("part_000000.csv", table.encode())]
    }
    reader.export = ask(reader, "POST", "exports", {"format": "zip"}).json()["id"]
    for id in reader.failed.values():
        wait_until(lambda id=id: imported(reader, id)["state"] not in ("reading", "waiting"))
    wait_until(lambda: export(reader, reader.export)["state"] not in ("waiting", "running"))
    return reader


def used(instance, user):
    """The bytes that count for the quota of a user."""
    instance.sql("delete from private.quota_counts")
    return instance.sql(f"select private.used_of_quota('{user.id}', 'bytes', 1000000000, 0)")


@pytest.mark.parametrize("size", [7 << 20, 9 << 20], ids=["of the uploads", "of nginx"])
def test_an_upload_that_fills_the_disk_is_refused_and_leaves_nothing(instance, alice, size):
    before = used(instance, alice)
    answer = upload(alice, "large.epub", os.urandom(size))
    assert answer.status == 507 and answer.json()["message"] == "The disk of the server is full", answer
    assert alice.rest("GET", "imports").json() == [] and used(instance, alice) == before
    wait_until(lambda: not instance.files("imports") and not instance.files("nginx/temp/body"))
    assert finished(alice, upload(alice, "small.txt", b"A letter.\n\nIt is short.\n"))["imported"] == 1


def failure(user, name):
    row = imported(user, user.failed[name])
    assert row["state"] == "failed", row
    assert row["reason"] == "The server could not read or store the file. Try again later."
    assert (row["rows"], row["imported"], row["duplicate"], row["rejected"]) == (0, 0, 0, 0)
    return row


def again(user, name):
    """Reads the file of a failed import again."""
    assert user.rest("POST", "rpc/retry_import", {"import": user.failed[name]}).status == 200
    return wait_until(lambda: (row := imported(user, user.failed[name]))["state"] in ("waiting", "done") and row)


def test_a_document_that_fills_the_disk_is_stored_once_there_is_room(instance, reader):
    failure(reader, "second.epub")
    # Other tests store letters there.
    large = lambda: [file for file in instance.files("documents") if file.stat().st_size > 1_000]
    assert len(large()) == 1
    assert len(reader.rest("GET", "links?raw_url=like.urn*").json()) == 1
    instance.enlarge("documents")
    assert again(reader, "second.epub")["imported"] == 1
    assert len(large()) == 2


def test_entries_that_fill_the_disk_of_the_database_are_all_imported_once_there_is_room(instance, reader):
    row = failure(reader, "part_000000.csv")
    assert 0 < row["entries"] < 3_000
    assert reader.rest("GET", "links?raw_url=like.http*&limit=1").json() == []
    instance.enlarge("entries")
    row = again(reader, "part_000000.csv")
    assert (row["rows"], row["imported"], row["duplicate"], row["rejected"]) == (3_000, 3_000, 0, 0)


def test_an_export_that_fills_the_disk_fails_with_a_reason_and_leaves_nothing(instance, reader):
    known = export(reader, reader.export)
    assert (known["state"], known["message"], known["url"]) == ("failed", "The server could not write the file", None)
    assert instance.files("exports") == []
    instance.enlarge("exports")
    id = ask(reader, "POST", "exports", {"format": "zip"}).json()["id"]
    known = wait_until(lambda: (row := export(reader, id))["state"] in ("ready", "failed") and row)
    assert known["state"] == "ready" and known["bytes"] > 4 << 20
    assert [file.stat().st_size for file in instance.files("exports")] == [known["bytes"]]


def test_books_that_fill_the_disk_are_made_once_there_is_room(instance, alice):
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        link = write_article(admin, alice, f"<p>{os.urandom(1 << 20).hex()}</p>")
    waiting = f"select message, attempts from private.link_books where link_id = '{link}' and state = 'pending'"
    wait_until(lambda: [("write: No space left on device", 0)] == instance.sql(waiting))
    several = alice.rest("POST", "rpc/make_book", {"query": "-is:archived"}).json()["id"]
    tried = f"select true from private.made_books where id = '{several}' and state = 'pending' and attempts = 0 and lease > 1"
    wait_until(lambda: instance.sql(tried))
    large = lambda: [file for file in instance.files("books") if file.stat().st_size > 1 << 19]
    wait_until(lambda: not large())
    instance.enlarge("books")
    for id in (link, several):
        assert len(made_book(alice, id).body) > 1 << 20
    assert len(large()) == 2
