"""Fixtures of tests that damage a database and have it repaired. Each module has a service of its own, since the tasks go
over the rows of all users."""

import json
import subprocess

import pytest

from support import service
from support.database import temporary_user
from support.maintenance import QUERIES, environment


@pytest.fixture(scope="module")
def instance():
    with service.own() as instance:
        yield instance


@pytest.fixture
def reader(instance, admin):
    with temporary_user(instance, admin) as reader:
        yield reader


@pytest.fixture
def other(instance, admin):
    with temporary_user(instance, admin) as other:
        yield other


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
