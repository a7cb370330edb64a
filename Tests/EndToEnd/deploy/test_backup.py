"""A backup of a running instance, and what becomes of it: restored, checked, damaged, interrupted."""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import threading

import psycopg
import pytest

from support import service
from support.client import User, wait_until
from support.documents import finished, upload
from support.paths import CHECKOUT
from support.picture_site import PictureSite
from support.service import Service

# What a start writes: a new log of changes, because the log names the cluster, and books are made again.
CHANGED_BY_A_START = {"private.change_log", "private.change_marks", "private.link_books"}


@pytest.fixture(scope="module")
def instance():
    with service.own() as instance:
        yield instance


@pytest.fixture(scope="module")
def lectern(instance):
    """Runs a command as the admin of the instance."""

    def run(*words, status=0, env=None, **more):
        done = subprocess.run(
            [instance.home / "bin/lectern", *map(str, words)],
            env={"PATH": "/usr/bin:/bin"} | (instance.env() if env is None else env),
            capture_output=True,
            text=True,
            timeout=300,
            **more,
        )
        assert done.returncode == status, (words, done)
        if status:
            assert len(done.stderr.splitlines()) == 1 and not done.stdout, done
        return done.stderr if status else done.stdout

    return run


@pytest.fixture(scope="module")
def readers(instance):
    """Two users with the same article and its picture, exports and a document."""
    readers = [instance.sign_up(), instance.sign_up()]
    with PictureSite() as site:
        for reader in readers:
            link = reader.settled(reader.save(site.page("/png/one"), is_starred=True)["id"])
            assert link["state"] == "ready", link
            wait_until(lambda: kept_pictures(reader, link["id"]))
        finished(readers[0], upload(readers[0], "notes.txt", b"A document of one line.\n"))
        for reader, format in zip(readers, ["zip", "csv"]):
            made = instance.send("POST", "/auth/v1/exports", reader.headers, json.dumps({"format": format})).json()
            wait_until(lambda: (instance.home / f"exports/{made['id']}.{format}").exists())
        wait_until(lambda: not instance.sql("select 1 from private.jobs where state in ('pending', 'running')"))
    return readers


def kept_pictures(reader, link):
    rows = reader.rest("GET", f"link_pictures?link_id=eq.{link}&kind=eq.article&select=state").json()
    return rows and all(row["state"] == "kept" for row in rows)


@contextlib.contextmanager
def writing(instance):
    """Users who save and delete links all the time."""
    stop, counts = threading.Event(), []

    def write(user):
        saved = 0
        while not stop.is_set():
            link = user.save(f"http://10.0.0.1/{user.id}/{saved}")
            if saved % 3 == 0:
                user.rest("DELETE", f"links?id=eq.{link['id']}")
            saved += 1
        counts.append(saved)

    threads = [threading.Thread(target=write, args=[instance.sign_up()]) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert len(counts) == 3 and min(counts) > 0


@pytest.fixture(scope="module")
def backup(instance, lectern, readers, tmp_path_factory):
    """A backup that was written while users were writing."""
    path = tmp_path_factory.mktemp("backups") / "lectern.tar"
    with writing(instance):
        said = lectern("backup", path)
    assert "contains all secrets" in said and "missing" not in said, said
    return path


def table_contents(database_url):
    """A hash of the rows of each table."""
    with psycopg.connect(database_url) as connection:
        tables = connection.execute(
            "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname !~ '^pg_' "
            "and schemaname <> 'information_schema'"
        ).fetchall()
        return {
            table: connection.execute(
                f"select count(*), md5(string_agg(t::text, E'\\n' order by t::text)) from {table} t"
            ).fetchone()
            for (table,) in tables
        }


def file_contents(home):
    """The files that a backup holds, by path."""
    names = ["settings.env", "secrets", "pictures", "documents", "exports", "imports"]
    found = {}
    for name in names:
        for path in [home / name, *(home / name).rglob("*")]:
            if path.is_file() and path.name != "roles.applied":
                found[str(path.relative_to(home))] = path.read_bytes()
    return found


def test_a_restored_instance_has_the_same_rows_files_and_accounts(instance, lectern, readers, tmp_path_factory):
    path = tmp_path_factory.mktemp("quiet") / "quiet.tar"
    # The links of the writers fail, and the jobs are done with them.
    wait_until(lambda: not instance.sql("select 1 from private.jobs where state in ('pending', 'running')"))
    lectern("backup", path)
    tables, files = table_contents(instance.database_url), file_contents(instance.home)
    assert {name.split("/")[0] for name in files} == {"settings.env", "secrets", "pictures", "documents", "exports"}
    restored = Service(instance.settings, first_start=True)
    try:
        # Without the environment of the first instance, which names its home.
        said = lectern("restore", path, "--home", restored.home, env={})
        assert f"deploy/run --home {restored.home}" in said
        assert file_contents(restored.home) == files
        # The two users share the bytes of their picture.
        inodes = [file.stat().st_ino for file in (restored.home / "pictures").rglob("*.webp")]
        assert 0 < len(set(inodes)) < len(inodes)
        restored.run()
        found = table_contents(restored.database_url)
        assert {name for name in tables if tables[name] != found.get(name)} <= CHANGED_BY_A_START
        assert restored.anon_key == instance.anon_key
        session = restored.auth(
            "POST", "token?grant_type=password", {"email": readers[0].email, "password": "correct horse"}
        )
        again = User(restored, session.json(), "correct horse")
        assert again.links("order=id") == readers[0].links("order=id")
        [picture, *_] = restored.sql(f"select address from public.pictures where user_id = '{again.id}'")
        assert restored.send("GET", "/pictures/" + picture[0]).status == 200
        assert restored.psql("select rolname from pg_roles where rolsuper and rolcanlogin").stdout == ""
        # Tokens of the first instance are tokens of this one.
        assert len(restored.send("GET", "/rest/v1/links", readers[1].headers).json()) == 1
    finally:
        restored.remove()


def test_a_backup_while_users_write_is_of_one_moment(backup, lectern, tmp_path):
    """A restore compares the rows of every table with those that were counted."""
    assert (backup.stat().st_mode & 0o777) == 0o600 and [backup] == list(backup.parent.iterdir())
    assert "the backup is intact" in lectern("restore", "--verify", backup)
    (tmp_path / "home").mkdir()
    assert "restored" in lectern("restore", backup, "--home", tmp_path / "home")
    assert (tmp_path / "home/postgres").is_dir() and (tmp_path / "home/secrets/jwt_secret").exists()
    assert (tmp_path / "home/secrets").stat().st_mode & 0o777 == 0o700


def test_a_backup_to_standard_output_is_the_same_archive(instance, lectern, readers, tmp_path):
    with open(tmp_path / "piped.tar", "wb") as file:
        done = subprocess.run(
            [instance.home / "bin/lectern", "backup", "-"],
            env=instance.env(),
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 0 and "contains all secrets" in done.stderr
    assert "is intact" in lectern("restore", "--verify", tmp_path / "piped.tar")
    # Any tar reads it.
    listed = subprocess.run(["tar", "-tf", tmp_path / "piped.tar"], capture_output=True, text=True, check=True).stdout
    assert {"lectern-backup.json", "roles.sql", "database/000001", "home/settings.env", "manifest/000001"} <= set(
        listed.splitlines()
    )


def test_a_flipped_byte_is_found_wherever_it_is(backup, lectern, tmp_path):
    copy = tmp_path / "copy.tar"
    shutil.copy(backup, copy)
    size, chance = backup.stat().st_size, random.Random(25)
    with open(copy, "r+b") as file:
        for place in [0, size - 1, *(chance.randrange(size) for _ in range(10))]:
            file.seek(place)
            byte = file.read(1)
            file.seek(place)
            file.write(bytes([byte[0] ^ chance.randrange(1, 256)]))
            file.flush()
            lectern("restore", "--verify", copy, status=1)
            file.seek(place)
            file.write(byte)
    assert copy.read_bytes() == backup.read_bytes()


def test_what_is_not_a_whole_backup_is_refused_and_the_folder_stays_empty(backup, lectern, tmp_path):
    content = backup.read_bytes()
    (tmp_path / "home").mkdir()
    for name, bytes_of_it in {"half": content[: len(content) // 2], "empty": b"", "text": b"a text\n" * 999}.items():
        (tmp_path / name).write_bytes(bytes_of_it)
        said = lectern("restore", tmp_path / name, "--home", tmp_path / "home", status=1)
        assert "damaged or not a complete backup" in said
    assert "No such file" in lectern("restore", tmp_path / "none", "--home", tmp_path / "home", status=1)
    assert list((tmp_path / "home").iterdir()) == []


def test_only_an_empty_folder_is_restored_into(instance, backup, lectern, tmp_path):
    (tmp_path / "file").write_text("mine")
    before = (instance.home / "secrets/jwt_secret").read_text()
    for home in [tmp_path, instance.home, tmp_path / "file"]:
        assert "not empty" in lectern("restore", backup, "--home", home, status=1)
    # lectern.env names the running instance.
    assert "not empty" in lectern("restore", backup, status=1)
    assert (tmp_path / "file").read_text() == "mine" and instance.health() == 200
    assert (instance.home / "secrets/jwt_secret").read_text() == before


def test_a_backup_of_a_newer_version_is_refused(backup, lectern, tmp_path):
    shutil.copytree(CHECKOUT / "sql", tmp_path / "sql")
    sorted((tmp_path / "sql/migrations").iterdir())[-1].unlink()
    env = {"LECTERN_SQL_DIR": str(tmp_path / "sql")}
    assert "newer version" in lectern("restore", backup, "--home", tmp_path / "home", env=env, status=1)
    assert not (tmp_path / "home").exists()


def test_a_restore_that_fails_or_is_interrupted_leaves_nothing(instance, backup, lectern, tmp_path):
    command = [instance.home / "bin/lectern", "restore", backup, "--home", tmp_path / "home"]
    process = subprocess.Popen(command, env={}, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (tmp_path / "home/postgres/base").exists(), every=0.01)
    process.send_signal(signal.SIGTERM)
    assert "interrupted" in process.communicate(timeout=300)[1] and process.returncode == 1
    # The disk is full after 3 MB of one file.
    said = lectern("restore", backup, "--home", tmp_path / "home", status=1, preexec_fn=small_files(3_000_000))
    assert "failed" in said or "too large" in said
    assert list(tmp_path.iterdir()) == []


def small_files(size):
    """Lets a process write no file beyond this size, as on a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_backup_that_meets_a_full_disk_says_so_and_leaves_the_one_before(instance, backup, lectern, tmp_path):
    former = tmp_path / "lectern.tar"
    former.write_text("the one before")
    said = lectern("backup", former, status=1, preexec_fn=small_files(100_000))
    assert f"{former}: write: File too large; no backup was written" in said
    assert former.read_text() == "the one before" and list(tmp_path.iterdir()) == [former]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [instance.home / "bin/lectern", "backup", "-"],
            env=instance.env(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1 and "No space left on device" in done.stderr
    assert "not a regular file" in lectern("backup", "/dev/full", status=1)
    assert "No such file" in lectern("backup", tmp_path / "none/lectern.tar", status=1)


def test_a_killed_backup_leaves_nothing_and_a_second_one_waits_its_turn(instance, lectern, readers, tmp_path):
    with psycopg.connect(instance.database_url) as held:
        # The backup waits for this lock when it counts the rows.
        held.execute("lock table public.tags in access exclusive mode")
        command = [instance.home / "bin/lectern", "backup", tmp_path / "lectern.tar"]
        process = subprocess.Popen(command, env=instance.env())
        wait_until(lambda: instance.sql("select 1 from pg_locks where locktype = 'advisory' and objid = 1818583906"))
        assert "another backup" in lectern("backup", tmp_path / "second.tar", status=1)
        process.kill()
        process.wait()
    assert list(tmp_path.iterdir()) == []
    wait_until(lambda: not instance.sql("select 1 from pg_locks where locktype = 'advisory' and objid = 1818583906"))
    lectern("backup", tmp_path / "lectern.tar")
    assert [path.name for path in tmp_path.iterdir()] == ["lectern.tar"]


def test_files_of_deleted_documents_stay_until_a_backup_has_ended(instance, readers):
    reader = readers[1]
    imported = finished(reader, upload(reader, "short.txt", b"To be deleted soon.\n"))
    address = instance.sql(f"select address from private.documents where user_id = '{reader.id}'")[0][0]
    with psycopg.connect(instance.database_url) as connection:
        connection.execute("select pg_advisory_lock(1818583906)")
        instance.sql(f"delete from private.documents where address = '{address}'")
        # The same thread reads uploads and removes files.
        finished(reader, upload(reader, "another.txt", b"Another one.\n"))
        assert (instance.home / "documents" / address).exists() and imported
    instance.sql("select pg_notify('lectern_imports', '')")
    wait_until(lambda: not (instance.home / "documents" / address).exists())


def test_old_backups_are_deleted_and_only_the_owner_can_make_one(instance, lectern, readers, tmp_path):
    for name in ["lectern-20260101T000000Z.tar", "lectern-20260102T000000Z.tar", "other.tar"]:
        (tmp_path / name).touch()
    lectern("backup", tmp_path, "--keep", 2)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == "lectern-20260102T000000Z.tar" and names[2:] == ["other.tar"]
    assert "--keep" in lectern("backup", "-", "--keep", 2, status=2)
    if os.geteuid() == 0:
        env = instance.env() | {"LECTERN_HOME": str(instance.home)}
        said = lectern("backup", "/tmp/lectern-nobody.tar", status=1, env=env, user=65534, group=65534, extra_groups=[])
        assert "Permission denied" in said and not os.path.exists("/tmp/lectern-nobody.tar")


@pytest.fixture
def age_key(tmp_path):
    """The path of a private key, and the public key."""
    path = tmp_path / "key.txt"
    done = subprocess.run(["age-keygen", "-o", path], check=True, capture_output=True, text=True)
    return path, done.stderr.split()[-1]


def test_a_backup_encrypted_with_age_is_restored_with_the_private_key_alone(
    instance, lectern, readers, age_key, tmp_path
):
    private, public = age_key
    folder = tmp_path / "backups"
    folder.mkdir()
    assert "It is encrypted" in lectern("backup", folder, "--keep", 1, "--encrypt-to", public)
    [path] = folder.iterdir()
    assert path.name.endswith(".tar.age") and path.stat().st_mode & 0o777 == 0o600
    text = path.read_bytes()
    assert text.startswith(b"age-encryption.org/v1") and b"lectern-backup.json" not in text
    assert "--identity" in lectern("restore", "--verify", path, status=1)
    assert "the backup is intact" in lectern("restore", "--verify", path, "--identity", private)
    files = file_contents(instance.home)
    lectern("restore", path, "--identity", private, "--home", tmp_path / "home")
    assert file_contents(tmp_path / "home") == files
    # Nothing that was decrypted stays, and the next backup takes the place of this one.
    assert [path] == list(folder.iterdir())
    lectern("backup", folder, "--keep", 1, "--encrypt-to", public, "--encrypt-to", public)
    assert len(list(folder.iterdir())) == 1
    # A change of any byte is found.
    text = bytearray(next(folder.iterdir()).read_bytes())
    text[len(text) // 2] ^= 1
    (tmp_path / "flipped").write_bytes(text)
    assert "age failed" in lectern("restore", "--verify", tmp_path / "flipped", "--identity", private, status=1)


def test_a_backup_encrypted_with_gnupg_is_read_with_the_keys_of_the_user(instance, lectern, readers, tmp_path):
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    env = instance.env() | {"GNUPGHOME": str(keys)}
    run = {"env": env | {"PATH": "/usr/bin:/bin"}, "check": True, "capture_output": True}
    made = ["--batch", "--passphrase", "", "--quick-generate-key", "admin@example.org", "rsa2048", "encr"]
    subprocess.run(["gpg", *made], **run)
    try:
        path = tmp_path / "lectern.tar.gpg"
        lectern("backup", path, "--encrypt-to", "admin@example.org", env=env)
        assert b"lectern-backup.json" not in path.read_bytes()
        assert "the backup is intact" in lectern("restore", "--verify", path, env=env)
        assert "gpg failed" in lectern("restore", "--verify", path, status=1)
        said = lectern("backup", tmp_path / "other", "--encrypt-to", "nobody@example.org", status=1, env=env)
        assert "gpg failed" in said and "no backup was written" in said and not (tmp_path / "other").exists()
    finally:
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], **run)


def test_incremental_backups_copy_each_file_once_and_restore_alone(instance, lectern, readers, tmp_path):
    folder, home = tmp_path / "backups", instance.home
    size = lambda: sum(path.stat().st_size for path in (folder / "files").rglob("*") if path.is_file())
    first = json.loads(lectern("backup", "--incremental", folder, "--json"))
    kept = [*(home / "pictures").rglob("*.webp"), *(home / "documents").rglob("*")]
    kept = {path.stat().st_ino: path for path in kept if path.is_file()}
    assert first["copied"] == len(kept) > 1 and size() == sum(path.stat().st_size for path in kept.values())
    assert folder.stat().st_mode & 0o77 == 0

    finished(readers[1], upload(readers[1], "new.txt", b"A document that is new.\n"))
    wait_until(lambda: not instance.sql("select 1 from private.jobs where state in ('pending', 'running')"))
    before = size()
    # Names have seconds.
    os.rename(first["file"], folder / "lectern-20260101T000000Z.tar")
    second = json.loads(lectern("backup", "--incremental", folder, "--json"))
    assert second["copied"] == 1 and size() == before + len(b"A document that is new.\n")
    listed = subprocess.run(["tar", "-tf", second["file"]], capture_output=True, text=True, check=True).stdout
    assert "stored/000001" in listed and "home/pictures" not in listed and "home/settings.env" in listed

    files = file_contents(home)
    assert "the backup is intact" in lectern("restore", "--verify", second["file"])
    lectern("restore", second["file"], "--home", tmp_path / "home")
    assert file_contents(tmp_path / "home") == files
    inodes = [file.stat().st_ino for file in (tmp_path / "home/pictures").rglob("*.webp")]
    assert len(set(inodes)) < len(inodes)

    # What only deleted backups used is deleted with them.
    stale = next((folder / "files/pictures").rglob("*.webp.*"))
    unused = stale.with_name("0" * 40 + ".webp." + "0" * 64)
    unused.write_bytes(b"of a deleted link")
    os.utime(unused, (1_000_000_000, 1_000_000_000))
    lectern("backup", "--incremental", folder)
    assert unused.exists()
    lectern("backup", "--incremental", folder, "--keep", 1)
    assert not unused.exists() and size() == before + len(b"A document that is new.\n")
    [last] = folder.glob("*.tar")
    assert "is intact" in lectern("restore", "--verify", last)

    # A shared file that has changed or is gone is found.
    content = stale.read_bytes()
    stale.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    said = lectern("restore", last, "--home", tmp_path / "other", status=1)
    assert f"{stale} has changed" in said and not (tmp_path / "other").exists()
    stale.unlink()
    assert f"{stale} is missing" in lectern("restore", "--verify", last, status=1)
    # The next backup has it again.
    lectern("backup", "--incremental", folder, "--keep", 1)
    assert stale.read_bytes() == content


def test_what_does_not_go_together_is_refused(lectern, tmp_path):
    for words in [[], [tmp_path / "a", "--incremental", tmp_path], ["--incremental", tmp_path, "--encrypt-to", "age1"]]:
        assert lectern("backup", *words, status=2)
    assert lectern("backup", "--incremental", tmp_path / "no/such", status=1)
