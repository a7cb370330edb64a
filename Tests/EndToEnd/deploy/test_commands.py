"""The admin's commands: accounts, tokens, mails, exports, keys."""

import json
import os
import pty
import re
import subprocess
import threading
import time
import uuid
import zipfile

import psycopg
import pytest

from support import service
from support.client import User, wait_until
from support.documents import finished, upload
from support.paths import CHECKOUT
from support.service import SETTINGS


@pytest.fixture(scope="module")
def instance():
    with service.own() as instance:
        yield instance


@pytest.fixture
def shell(instance, tmp_path):
    """The environment of an admin who has read lectern.env."""
    env = dict(re.findall(r"^(\w+)='(.*)'$", (instance.home / "lectern.env").read_text(), re.M))

    def lectern(*arguments, said="", status=0, **more):
        done = subprocess.run(
            [instance.home / "bin/lectern", *arguments],
            env={"PATH": "/usr/bin:/bin"} | env | more,
            cwd=tmp_path,
            input=said,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == status, (arguments, done)
        if status:
            assert len(done.stderr.splitlines()) == 1 and not done.stdout, done
        return done.stderr if status else done.stdout

    lectern.env = env
    return lectern


def new_email(name="new"):
    return f"{name}-{uuid.uuid4().hex[:12]}@example.org"


def sign_in(instance, email, password):
    return instance.auth("POST", "token?grant_type=password", {"email": email, "password": password})


def typed(instance, shell, arguments, answers):
    """Runs the command at a terminal with typed input; returns what it shows and its status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(instance.home / "bin/lectern", ["lectern", *arguments], {"PATH": "/usr/bin:/bin"} | shell.env)
    shown = b""
    try:
        for question, answer in answers:
            while question not in shown.split(b"\n")[-1]:
                shown += os.read(terminal, 1024)
            os.write(terminal, answer)
        while piece := os.read(terminal, 1024):
            shown += piece
    except OSError:
        pass  # The other end is closed.
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return shown.decode(), os.waitstatus_to_exitcode(status)


# Accounts


def test_an_account_is_created_with_a_password_from_standard_input(instance, shell):
    email = new_email()
    assert shell("user", "add", email, said="a long one\n") == f"created the account {email}\n"
    user = User(instance, sign_in(instance, email, "a long one").json(), "a long one")
    assert user.links() == []
    assert "already been registered" in shell("user", "add", email.upper(), said="a long one\n", status=1)
    assert "at least 6 characters" in shell("user", "add", new_email(), said="short", status=1)
    assert "very common" in shell("user", "add", new_email(), said="password1", status=1)
    assert "email" in shell("user", "add", "no address", said="a long one\n", status=1)
    [row] = [row for row in json.loads(shell("user", "list", "--json")) if row["email"] == email]
    assert (row["state"], row["links"], row["sessions"]) == ("active", 0, 1)
    audit = json.loads(shell("user", "audit", email, "--json"))
    assert {"user_created", "signed_in"} <= {line["action"] for line in audit}
    assert [line["actor"] for line in audit if line["action"] == "user_created"] == ["database login lectern_admin"]


def test_a_password_at_a_terminal_is_asked_twice_and_never_shown(instance, shell):
    email = new_email()
    shown, status = typed(
        instance,
        shell,
        ["user", "add", email],
        [(b"Password: ", b"a secret one\n"), (b"Repeat password: ", b"a secret one\n")],
    )
    assert status == 0 and "a secret one" not in shown and f"created the account {email}" in shown
    assert sign_in(instance, email, "a secret one").status == 200
    shown, status = typed(
        instance,
        shell,
        ["user", "passwd", email],
        [(b"Password: ", b"a secret one\n"), (b"Repeat password: ", b"another\n")],
    )
    assert status == 1 and "do not match" in shown
    shown, status = typed(instance, shell, ["user", "passwd", email], [(b"Password: ", b"\x03")])
    assert status != 0 and sign_in(instance, email, "a secret one").status == 200


def test_a_password_cannot_be_an_argument(instance, shell):
    email = new_email()
    shell_status = subprocess.run(
        [instance.home / "bin/lectern", "user", "add", email, "a long one"], capture_output=True, text=True
    )
    assert shell_status.returncode == 2
    assert "--password" not in shell("user", "add", "--help")


def test_an_invitation_is_a_link_that_opens_the_account_once(instance, shell):
    email = new_email("guest")
    link = shell("user", "add", email, "--invite").strip()
    token, kind = re.fullmatch(re.escape(instance.url) + r"/account/#token_hash=([\w-]+)&type=(\w+)", link).groups()
    [row] = [row for row in json.loads(shell("user", "list", "--json")) if row["email"] == email]
    assert row["state"] == "invited" and kind == "invite"
    answer = instance.auth("POST", "verify", {"type": kind, "token_hash": token})
    assert answer.status == 200 and answer.json()["user"]["email"] == email
    assert instance.auth("POST", "verify", {"type": kind, "token_hash": token}).status == 403


def test_without_a_mail_server_the_admin_sees_the_link_of_an_invitation(instance, shell):
    email = new_email("guest")
    assert "is queued" in shell("user", "add", email, "--invite", "--mail")
    listed = lambda: [row for row in json.loads(shell("mail", "--json")) if row["recipient"] == email]
    [row] = wait_until(lambda: (rows := listed()) and rows[0]["reason"] and rows)
    assert (row["state"], row["kind"], row["attempts"], row["reason"]) == ("waiting", "invite", 0, "no SMTP_URL is set")
    assert row["link"] in shell("mail", "list")
    token, kind = re.search(r"#token_hash=([\w-]+)&type=(\w+)$", row["link"]).groups()
    assert (
        shell("mail", "retry", row["id"]) == "queued 1 for sending\n"
        and shell("mail", "retry", str(uuid.uuid4())) == "queued 0 for sending\n"
    )
    assert instance.auth("POST", "verify", {"type": kind, "token_hash": token}).status == 200
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        admin.execute("update private.mails set expires_at = now() where recipient = %s", [email])
    assert listed()[0]["link"] is None and shell("mail", "retry", row["id"]) == "queued 0 for sending\n"


def test_a_new_password_ends_all_sessions(instance, shell, alice):
    shell("token", "add", "--user", alice.email, "--name", "x", "--scope", "feed")
    assert "ended all sessions" in shell("user", "passwd", alice.email, said="quite different")
    assert "feed" in shell("token", "list", "--user", alice.email)
    said = shell("user", "passwd", alice.email, "--revoke-tokens", said="quite another")
    assert "ended all sessions" in said and "revoked all API tokens" in said
    assert json.loads(shell("token", "list", "--user", alice.email, "--json")) == []
    assert instance.auth("GET", "user", Authorization=f"Bearer {alice.token}").status == 403
    assert sign_in(instance, alice.email, alice.password).status == 400
    assert sign_in(instance, alice.email, "quite another").status == 200


def test_a_disabled_user_cannot_sign_in_until_enabled(instance, shell, alice):
    shell("user", "disable", alice.email)
    answer = sign_in(instance, alice.email, alice.password)
    assert answer.status == 400 and answer.json()["error_code"] == "user_banned"
    assert instance.auth("POST", "token?grant_type=refresh_token", {"refresh_token": alice.refresh_token}).status == 400
    assert [row["state"] for row in json.loads(shell("user", "list", "--json")) if row["email"] == alice.email] == [
        "disabled"
    ]
    shell("user", "enable", alice.email)
    assert sign_in(instance, alice.email, alice.password).status == 200


def test_admin_rights_can_be_given_and_taken_away(instance, shell, alice):
    ask = lambda: instance.auth("GET", "admin/users", Authorization=f"Bearer {alice.token}").status
    assert ask() == 403
    shell("user", "admin", alice.email)
    assert ask() == 200
    shell("user", "admin", alice.email, "--remove")
    assert ask() == 403


def test_sessions_are_listed_and_ended(instance, shell, alice):
    instance.auth(
        "POST",
        "token?grant_type=password",
        {"email": alice.email, "password": alice.password},
        **{"User-Agent": "evil\x1b[2J"},
    )
    rows = json.loads(shell("user", "sessions", alice.email, "--json"))
    assert len(rows) == 2 and {"id", "created_at", "last_seen_at", "address", "user_agent", "aal", "amr"} == set(
        rows[0]
    )
    assert "\x1b" not in shell("user", "sessions", alice.email)
    assert shell("user", "sign-out", alice.email) == f"ended 2 sessions of {alice.email}\n"
    assert shell("user", "sessions", alice.email) == f"{alice.email} has no sessions.\n"


def test_deleting_an_account_asks_for_confirmation(instance, shell, alice):
    assert "--yes" in shell("user", "delete", alice.email, status=1)
    shown, status = typed(instance, shell, ["user", "delete", alice.email], [(b"to confirm: ", b"yes\n")])
    assert status == 1 and "nothing was deleted" in shown
    shown, status = typed(
        instance, shell, ["user", "delete", alice.email], [(b"to confirm: ", alice.email.encode() + b"\n")]
    )
    assert status == 0 and sign_in(instance, alice.email, alice.password).status == 400
    assert "no account" in shell("user", "delete", alice.email, "--yes", status=1)
    other = instance.sign_up()
    shell("user", "delete", other.id, "--yes")
    assert sign_in(instance, other.email, other.password).status == 400


# Tokens


def test_a_token_is_created_used_and_revoked(instance, shell, alice):
    token = shell("token", "add", "--user", alice.email, "--name", "e-reader", "--scope", "read", "--expires", "30")
    assert re.fullmatch(r"lct_[\w-]{43}\n", token)
    ask = lambda: instance.send("GET", "/rest/v1/links", {"Authorization": f"Bearer {token.strip()}"}).status
    assert ask() == 200
    [row] = json.loads(shell("token", "list", "--user", alice.email, "--json"))
    assert (row["user"], row["name"], row["scope"], row["prefix"]) == (alice.email, "e-reader", "read", token[:12])
    assert row["expires_at"] and token.strip() not in shell("token", "list") and token[:12] in shell("token", "list")
    assert shell("token", "revoke", row["prefix"]) == "revoked\n"
    assert ask() == 401
    assert "no token" in shell("token", "revoke", row["id"], status=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--name", "x", "--scope", "all"],
        ["--name", "", "--scope", "read"],
        ["--scope", "read"],
        ["--name", "x", "--scope", "read", "--expires", "0"],
    ],
)
def test_wrong_arguments_exit_with_status_2(instance, shell, alice, arguments):
    done = subprocess.run(
        [instance.home / "bin/lectern", "token", "add", "--user", alice.email, *arguments],
        env=shell.env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr.startswith("lectern: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        "user",
        "user add",
        "user list",
        "user passwd",
        "user disable",
        "user enable",
        "user admin",
        "user sessions",
        "user sign-out",
        "user delete",
        "user audit",
        "token",
        "token add",
        "token list",
        "token revoke",
        "mail",
        "mail list",
        "mail retry",
        "save",
        "export",
        "keys",
        "keys show",
        "keys rotate",
    ],
)
def test_every_command_has_help(shell, command):
    assert "USAGE: lectern " in shell(*command.split(), "--help")


def test_without_a_database_the_error_is_one_line(shell):
    del shell.env["LECTERN_DATABASE_URL"]
    assert "LECTERN_DATABASE_URL is not set" in shell("user", "list", status=1)
    assert "cannot connect to the database" in shell("user", "list", status=1, LECTERN_DATABASE_URL="host=/nonexistent")


# Saving links


def test_links_are_saved_as_the_api_saves_them(shell, alice, bob):
    bob.save("http://127.0.0.2/one", title="Another user's")
    said = shell("save", "http://127.0.0.2/one", "http://127.0.0.2/two?utm_source=x", "--user", alice.email.upper())
    assert said == "saved http://127.0.0.2/one\nsaved http://127.0.0.2/two?utm_source=x\n"
    before = alice.links("raw_url=like.*one")[0]
    arguments = [
        "http://127.0.0.2/one/?utm_medium=mail",
        "--user",
        alice.id,
        "--archive",
        "--tag",
        "later",
        "--tag",
        "Ünï",
    ]
    assert shell("save", *arguments) == "already saved http://127.0.0.2/one/?utm_medium=mail\n"
    [link, two] = alice.links("order=raw_url&select=*,tags(name)")
    assert (link["id"], link["list"], two["list"]) == (before["id"], "archive", "read")
    assert link["updated_at"] > before["updated_at"], "it moved to the top of the list"
    assert sorted(tag["name"] for tag in link["tags"]) == ["later", "Ünï"] and two["tags"] == []
    # The exact address again; without --archive it stays where it is.
    [row] = json.loads(shell("save", "http://127.0.0.2/one", "--user", alice.email, "--tag", "LATER", "--json"))
    assert set(row) == {"url", "id", "is_new", "list", "state"}
    assert (row["url"], row["id"], row["is_new"], row["list"]) == ("http://127.0.0.2/one", link["id"], False, "archive")
    assert sorted(tag["name"] for tag in alice.links("raw_url=like.*one&select=tags(name)")[0]["tags"]) == [
        "later",
        "Ünï",
    ]
    assert [link["title"] for link in bob.links()] == ["Another user's"]


def test_a_saved_page_may_come_from_a_file_or_standard_input(shell, alice, tmp_path):
    text = "Only whoever is signed in can read this sentence. " * 20
    page = f"<title>Private é</title><article><h1>Private é</h1><p>{text}</article>"
    (tmp_path / "page.html").write_bytes(page.encode("latin-1").replace(b"<title>", b"<meta charset=latin1><title>"))
    url = "http://127.0.0.2/private"
    assert shell("save", url, "--user", alice.email, "--html", "page.html", "--tag", "x") == f"saved {url}\n"
    articles = lambda: alice.rest("GET", "articles?select=source,title,text_content").json()
    [article] = wait_until(articles)
    assert (article["source"], article["title"]) == ("client", "Private é") and "signed in" in article["text_content"]
    assert alice.links("select=tags(name)") == [{"tags": [{"name": "x"}]}]
    said = shell("save", url, "--user", alice.email, "--html", "-", "--json", said=page)
    assert [row["is_new"] for row in json.loads(said)] == [False]


def test_what_cannot_be_saved_is_one_line_and_its_status(shell, alice, tmp_path):
    (tmp_path / "large.html").write_bytes(b"x" * 10_485_761)
    (tmp_path / "empty.html").write_text(" \n")
    url = "http://127.0.0.2/x"
    for arguments, status, words in [
        ([], 2, "Missing expected argument"),
        ([url], 2, "--user"),
        (["ftp://127.0.0.2/", "--user", alice.email], 2, "is not an http or https address"),
        (["example.org", "--user", alice.email], 2, "is not an http or https address"),
        ([url, "--user", alice.email, "--tag", ""], 2, "--tag takes"),
        ([url, "--user", alice.email, "--tag", "x" * 101], 2, "--tag takes"),
        ([url, url, "--user", alice.email, "--html", "-"], 2, "the page of one address"),
        ([url, "--user", "nobody@example.org"], 1, "no account has the address"),
        ([url, "--user", alice.email, "--html", "none.html"], 1, "cannot read none.html"),
        ([url, "--user", alice.email, "--html", "large.html"], 1, "larger than 10 MB"),
        ([url, "--user", alice.email, "--html", "empty.html"], 1, "the page is empty"),
        ([url, "--user", alice.email, "--html", "-"], 1, "the page is empty"),
    ]:
        assert words in shell("save", *arguments, status=status), arguments
    assert alice.links() == []


# Exports


def test_an_export_by_command_is_the_file_the_user_would_get(instance, shell, alice, tmp_path):
    alice.save("http://127.0.0.2/mine")
    finished(alice, upload(alice, "letter.txt", b"A letter\n\nto nobody.\n"))
    said = shell("export", "--user", alice.email, "--format", "zip", "--out", "mine.zip")
    assert said.startswith("mine.zip: ") and (tmp_path / "mine.zip").stat().st_mode & 0o777 == 0o600
    zip = zipfile.ZipFile(tmp_path / "mine.zip")
    assert "http://127.0.0.2/mine" in [row["raw_url"] for row in json.loads(zip.read("tables/public.links.json"))]
    [file] = json.loads(zip.read("files.json"))
    assert file["name"] == "letter.txt" and zip.read(file["path"]) == b"A letter\n\nto nobody.\n"
    unknown = shell("export", "--user", alice.email, "--format", "zip", status=1, LECTERN_HOME="")
    assert "folder of pictures is unknown" in unknown
    shell("export", "--user", alice.email, "--format", "zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"lectern-{alice.email}.zip", "mine.zip"]
    assert "no account" in shell("export", "--user", "nobody@example.org", "--format", "zip", status=1)
    assert " 2 links" in shell("export", "--user", alice.email, "--format", "csv", "--query", "is:unread")
    assert (tmp_path / f"lectern-{alice.email}-csv.csv").read_text().startswith("url,title,tags")
    shell("export", "--user", alice.email, "--format", "zip", "--query", "letter", "--out", "found.zip")
    zip = zipfile.ZipFile(tmp_path / "found.zip")
    [link] = json.loads(zip.read("tables/public.links.json"))
    assert link["raw_url"].startswith("urn:") and "tables/auth.users.json" not in zip.namelist()
    assert "cannot have the value" in shell(
        "export", "--user", alice.email, "--format", "zip", "--query", "is:x", status=2
    )
    shell("export", "--user", alice.email, "--format", "zip", "--out", "/nonexistent/x.zip", status=1)
    said = shell("export", "--user", alice.email, "--format", "bogus", status=2)
    assert "one of the following: zip, markdown, netscape" in said


# Keys


def run_again(instance):
    done = subprocess.run(
        [CHECKOUT / "deploy/run", "--detach", "--home", instance.home],
        env=os.environ | SETTINGS,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done
    env = dict(re.findall(r"^(\w+)='(.*)'$", (instance.home / "lectern.env").read_text(), re.M))
    instance.anon_key, instance.service_key = env["LECTERN_ANON_KEY"], env["LECTERN_SERVICE_KEY"]
    return done.stderr


def statuses_with_old_credentials(instance, user, anon_key):
    """The statuses of requests with an old access token, refresh token and anon key."""
    headers = {"apikey": anon_key, "Authorization": f"Bearer {user.token}", "Content-Type": "application/json"}
    read = instance.send("GET", "/rest/v1/links", headers).status
    refreshed = instance.send(
        "POST",
        "/auth/v1/token?grant_type=refresh_token",
        {"apikey": instance.anon_key, "Content-Type": "application/json"},
        json.dumps({"refresh_token": user.refresh_token}),
    ).status
    signed_up = instance.send(
        "POST",
        "/auth/v1/signup",
        {"apikey": anon_key, "Content-Type": "application/json"},
        json.dumps({"email": new_email(), "password": "correct horse"}),
    ).status
    return read, refreshed, signed_up


def test_keys_are_rotated_without_losing_a_request_and_the_old_ones_end_with_the_grace(instance, shell, alice):
    old_key, old_secret = instance.anon_key, instance.secret()
    owner = (instance.home / "secrets/jwt_secret").stat().st_uid
    said = shell("keys", "rotate")
    new_key = re.search(r"new anon key: (\S+)", said)[1]
    assert f"deploy/run --home {instance.home}" in said and "until 20" in said
    secret = instance.home / "secrets/jwt_secret"
    assert secret.stat().st_mode & 0o777 == 0o600 and secret.stat().st_uid == owner and instance.secret() != old_secret
    previous = (instance.home / "secrets/jwt_previous").read_text()
    assert (
        re.fullmatch(re.escape(old_secret) + r"@(\d+)\n", previous)
        and (instance.home / "secrets/jwt_previous").stat().st_mode & 0o777 == 0o600
    )
    assert abs(int(previous.strip().split("@")[1]) - time.time() - 7 * 86400) < 600

    over, statuses = threading.Event(), []

    def keep_asking():
        while not over.is_set():
            statuses.append(instance.send("GET", "/rest/v1/links", alice.headers).status)

    asking = threading.Thread(target=keep_asking)
    asking.start()
    try:
        assert "fcgi" in run_again(instance)
        wait_until(lambda: len(statuses) > 20)
    finally:
        over.set()
        asking.join()
    assert set(statuses) == {200}
    assert instance.anon_key == new_key != old_key
    assert statuses_with_old_credentials(instance, alice, old_key) == (200, 200, 200)
    # New tokens are signed with the new secret.
    fresh = instance.sign_up()
    assert "nothing has changed" in run_again(instance)

    middle = instance.secret()
    shell("keys", "rotate", "--grace", "1", "--home", str(instance.home))
    assert [line.split("@")[0] for line in (instance.home / "secrets/jwt_previous").read_text().splitlines()] == [
        old_secret,
        middle,
    ]
    (instance.home / "secrets/jwt_previous").write_text(
        f"{'0' * 64}@1\n" + (instance.home / "secrets/jwt_previous").read_text()
    )
    assert (
        "sign in again" in shell("keys", "rotate", "--grace", "0")
        and (instance.home / "secrets/jwt_previous").read_text() == ""
    )
    run_again(instance)
    assert statuses_with_old_credentials(instance, alice, old_key) == (401, 400, 401)
    assert statuses_with_old_credentials(instance, fresh, new_key) == (401, 400, 401)
    assert instance.sign_up().links() == []


def test_an_expired_secret_is_refused_without_a_restart_and_removed_at_the_next_rotation(instance, shell):
    user, old_key, old_secret = instance.sign_up(), instance.anon_key, instance.secret()
    shell("keys", "rotate", "--grace", "1")
    headers = {"apikey": old_key, "Authorization": f"Bearer {user.token}"}
    # On a busy machine the restart may take longer than the secret has left; it is then repeated with more time.
    for seconds in (4, 12, 36, 108):
        end = int(time.time()) + seconds
        (instance.home / "secrets/jwt_previous").write_text(f"{old_secret}@{end}\n")
        run_again(instance)
        status = instance.send("GET", "/rest/v1/links", headers).status
        if time.time() < end:
            break
    assert status == 200, "within the grace"
    time.sleep(max(0, end + 0.5 - time.time()))
    assert statuses_with_old_credentials(instance, user, old_key) == (401, 400, 401)
    shell("keys", "rotate", "--grace", "1")
    assert old_secret not in (instance.home / "secrets/jwt_previous").read_text()
    run_again(instance)


def test_a_folder_that_is_not_a_home_is_an_error(shell):
    assert "--home" in shell("keys", "rotate", "--home", "/nonexistent", status=1)


# Imports


def test_a_file_is_imported_from_the_shell_with_counts_and_reasons(instance, shell, tmp_path):
    reader = instance.sign_up(new_email("reader"))
    (tmp_path / "notes.md").write_text("# Notes of the day\n\nTea at five.\n")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    done = json.loads(shell("import", "--user", reader.email, "--json", "notes.md"))
    id = done.pop("id")
    counts = {"format": "document", "rows": 1, "imported": 1, "duplicate": 0, "rejected": 0, "rejects": []}
    assert done == counts and reader.rest("GET", "imports").json()[0]["id"] == id
    [link] = wait_until(lambda: (links := reader.links("select=title&state=eq.ready")) and links)
    assert link["title"] == "Notes of the day"
    assert shell("import", "--user", reader.id, "--format", "document", "notes.md").splitlines() == [
        "1 row: 0 imported, 1 duplicate, 0 rejected"
    ]
    rejected = json.loads(shell("import", "--user", reader.email, "--json", "photo.png"))
    [reject] = rejected["rejects"]
    assert (rejected["rejected"], reject["row"], reject["url"]) == (1, 1, None) and "not a PDF" in reject["reason"]
    assert "cannot read" in shell("import", "--user", reader.email, "missing.md", status=1)
    (tmp_path / "empty.md").write_text("")
    assert "empty" in shell("import", "--user", reader.email, "empty.md", status=1)
    assert "--format" in shell("import", "--user", reader.email, "--format", "csv", "notes.md", status=2)
    # What was not recorded leaves no file.
    wait_until(lambda: list((instance.home / "imports").iterdir()) == [])


def test_an_export_is_imported_from_the_shell(instance, shell, tmp_path):
    reader = instance.sign_up(new_email("reader"))
    (tmp_path / "list.csv").write_text("url,title\nhttp://127.0.0.9:9/1,One\njavascript:alert(1),Two\n")
    done = json.loads(shell("import", "--user", reader.email, "--json", "list.csv"))
    [reject] = done.pop("rejects")
    assert (reject["row"], reject["url"]) == (2, "javascript:alert(1)") and "javascript" in reject["reason"]
    counts = {"format": "lectern", "rows": 2, "imported": 1, "duplicate": 0, "rejected": 1}
    assert {name: done[name] for name in counts} == counts
    said = shell("import", "--user", reader.email, "--format", "lectern", "list.csv").splitlines()
    assert said[0] == "2 rows: 0 imported, 1 duplicate, 1 rejected" and "row 2 (javascript:alert(1))" in said[1]
    assert "wallabag" in shell("import", "--user", reader.email, "--format", "wallabag", "list.csv", status=1)
    assert "--watch" in shell("import", "--user", reader.email, status=2)


def test_files_of_a_watched_folder_are_imported_when_they_come_and_when_they_change(instance, shell, tmp_path):
    reader = instance.sign_up(new_email("reader"))
    notes = tmp_path / "notes"
    (notes / "inner").mkdir(parents=True)

    def write(name, path):
        (notes / name).write_text(f"---\nurl: http://127.0.0.9:9/{path}\n---\nWords of {path}.\n")

    def saved():
        return {link["raw_url"].rsplit("/", 1)[1] for link in reader.links()}

    write("inner/a.md", "a")
    write(".hidden.md", "hidden")
    (notes / "empty.md").write_text("")
    (notes / "bad.json").write_text("{}")
    watching = subprocess.Popen(
        [instance.home / "bin/lectern", "import", "--user", reader.email, "--watch", "notes"],
        env={"PATH": "/usr/bin:/bin"} | shell.env,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: saved() == {"a"})
        write("b.md", "b")
        wait_until(lambda: saved() == {"a", "b"})
        write("b.md", "c-changed")
        wait_until(lambda: saved() == {"a", "b", "c-changed"})
    finally:
        watching.terminate()
    said, errors = watching.communicate(timeout=300)
    # The last file is saved before it is said.
    files = ["notes/inner/a.md", "notes/b.md", "notes/b.md"]
    assert [line.split(": ")[0] for line in said.splitlines()] in (files, files[:2])
    assert errors.count("\n") == 1 and "notes/bad.json" in errors
