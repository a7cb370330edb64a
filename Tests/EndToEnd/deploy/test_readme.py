"""The examples of the README work: they are run as they are written there."""

import os
import re
import subprocess
import sys
import uuid
import zipfile

import pytest

from support.client import wait_until
from support.paths import CHECKOUT

README = (CHECKOUT / "README.md").read_text()


def examples(language, section="Use it with Supabase clients"):
    """The code blocks of a section."""
    section = re.search(rf"^## {section}\n(.*?)^## ", README, re.M | re.S).group(1)
    return re.findall(rf"```{language}\n(.*?)```", section, re.S)


@pytest.fixture
def environment(lectern):
    return os.environ | {"LECTERN_URL": lectern.url, "LECTERN_ANON_KEY": lectern.anon_key}


def test_the_python_example_runs(environment, tmp_path):
    [example] = examples("python")
    example = example.replace("reader@example.org", f"{uuid.uuid4().hex}@example.org").replace(
        "https://example.org/", "http://127.0.0.2/"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", example],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_the_curl_examples_run(alice, environment, website, admin, tmp_path):
    [example] = examples("sh")
    example = example.replace("https://example.org/behind-a-login", f"{website.url}/article")
    example = example.replace("https://www.debian.org/intro/about", f"{website.url}/article")
    definition, *steps = example.split("\n# ")

    def run(steps):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", definition + "".join(f"\n# {step}" for step in steps)],
            env=environment | {"TOKEN": alice.token},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    said = run(steps[:2])
    assert '"title":"Mine","tags":[{"name":"later"}]' in said
    assert '"swagger":"2.0"' in (tmp_path / "openapi.json").read_text()
    # The server's own work on the link and its pictures is a change as well.
    link = alice.settled(alice.links("select=id")[0]["id"])["id"]
    wait_until(
        lambda: (
            admin.execute(
                """
        select from private.picture_surveys where link_id = %s and state = 'done'
            and not exists (select from private.picture_jobs where user_id = %s)""",
                (link, alice.id),
            ).rowcount
        )
    )
    said = run(steps[2:])
    assert "304\n" in said
    assert "x-lectern-superseded: 0" in said.lower()
    assert f'"resolved_url":"{website.url}/article"' in said
    assert alice.links("select=title,status") == [{"title": "Mine", "status": "read"}]


def test_the_admins_examples_run(lectern, tmp_path):
    [example] = examples("sh", "Accounts")
    (tmp_path / "var").symlink_to(lectern.home)
    name = uuid.uuid4().hex
    example = (
        example.replace("reader@", f"reader-{name}@")
        .replace("guest@", f"guest-{name}@")
        .replace("https://example.org/", "http://127.0.0.2/")
    )
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example],
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert f"reader-{name}@example.org has an account now" in done.stdout
    assert re.search(rf"^{lectern.url}/account/#token_hash=[\w-]+&type=invite$", done.stdout, re.M)
    assert '"action":"user_created","actor":"database login lectern_admin"' in done.stdout
    with zipfile.ZipFile(tmp_path / "reader.zip") as zip:
        assert b"http://127.0.0.2/from-a-script" in zip.read("tables/public.links.json")
    assert f"reader-{name}@example.org and all that was saved is gone" in done.stdout


def test_the_maintenance_examples_run(lectern, tmp_path):
    [example] = examples("sh", "Maintenance")
    (tmp_path / "var").symlink_to(lectern.home)
    (tmp_path / "sql").symlink_to(CHECKOUT / "sql")
    reader = lectern.sign_up()
    # Other tests run at the same time, and their rows must not be touched.
    example = (
        example.replace("reader@example.org", reader.email)
        .replace("maintain orphans\n", "maintain orphans --dry-run\n")
        .replace("apply=1", "apply=0")
    )
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example],
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert reader.email in done.stdout and "public.links" in done.stdout and "count_before" in done.stdout
