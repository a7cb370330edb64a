"""Fixtures of tests that damage a database and have it repaired. Each module has a service of its own, since the tasks go
over the rows of all users."""

import json
import subprocess

import psycopg
import pytest

from support import service
from support.database import delete_user
from support.maintenance import QUERIES, environment


@pytest.fixture(scope="module")
def instance():
    with service.own() as instance:
        yield instance


@pytest.fixture
def admin(instance):
    with psycopg.connect(instance.database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def reader(instance, admin):
    reader = instance.sign_up()
    yield reader
    delete_user(admin, reader.id)


@pytest.fixture
def other(instance, admin):
    other = instance.sign_up()
    yield other
    delete_user(admin, other.id)


@pytest.fixture
def maintain(instance):
    """Runs `lectern maintain` and returns its JSON as name → (before, changed, after), without the names that counted
    nothing."""

    def call(*arguments):
        done = subprocess.run(
            [instance.home / "bin/lectern", "maintain", *arguments, "--json"],
            env=environment(instance),
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done
        rows = json.loads(done.stdout)
        if rows and "before" not in rows[0]:
            return rows
        return {row["what"]: (row["before"], row["changed"], row["after"]) for row in rows if row["before"]}

    return call


@pytest.fixture
def psql(instance):
    """Runs a file of sql/maintenance and returns the rows it prints."""

    def call(name, **variables):
        settings = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        done = subprocess.run(
            ["psql", instance.database_url, "-XAt", "-v", "ON_ERROR_STOP=1", *settings, "-f", QUERIES / f"{name}.sql"],
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done
        return [tuple(line.split("|")) for line in done.stdout.splitlines()]

    return call
