"""Helpers of the tests of `lectern maintain` and of the queries in sql/maintenance."""

import contextlib

from support.database import retried
from support.paths import CHECKOUT

# The jobs refuse this URL at once, without sending anything.
NOWHERE = "no address, and nothing to fetch"
QUERIES = CHECKOUT / "sql/maintenance"


def environment(instance):
    """The variables that an admin's shell has from lectern.env."""
    return {"PATH": "/usr/bin:/bin"} | instance.env()


@contextlib.contextmanager
def slow_batches(admin):
    """Makes every batch of links take 20 ms longer, so that a run cannot end before a test ends it."""

    def run(*statements):
        with admin.transaction():
            admin.execute("set local role lectern_owner")
            for statement in statements:
                admin.execute(statement)

    retried(
        lambda: run(
            "create function private.pause_batch() returns trigger language plpgsql "
            "as 'begin perform pg_sleep(0.02); return null; end'",
            "create trigger pause_batch after update on public.links for each statement execute function private.pause_batch()",
        )
    )
    try:
        yield
    finally:
        retried(lambda: run("drop function private.pause_batch cascade"))


def snapshot(admin, *tables):
    """All rows of these tables, by table."""
    return {table: admin.execute(f"select to_jsonb(t) from {table} t order by 1").fetchall() for table in tables}
