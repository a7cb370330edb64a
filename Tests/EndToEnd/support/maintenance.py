"""Helpers of the tests of `lectern maintain` and of the queries in sql/maintenance."""

from support.paths import CHECKOUT

# The jobs refuse this URL at once, without sending anything.
NOWHERE = "no address, and nothing to fetch"
QUERIES = CHECKOUT / "sql/maintenance"


def environment(instance):
    """The variables that an admin's shell has from lectern.env."""
    return {"PATH": "/usr/bin:/bin"} | instance.env()


def snapshot(admin, *tables):
    """All rows of these tables, by table."""
    return {table: admin.execute(f"select to_jsonb(t) from {table} t order by 1").fetchall() for table in tables}
