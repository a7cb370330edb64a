"""Helpers for tests that talk to PostgreSQL directly."""

import contextlib

import psycopg


def delete_user(connection, id):
    """Deletes an account and everything it owns.

    A job may be working on one of its links, so PostgreSQL may end either transaction as a deadlock. The service
    retries in that case, and so does this.
    """
    while True:
        try:
            return connection.execute("delete from auth.users where id = %s", (id,))
        except psycopg.errors.DeadlockDetected:
            pass


@contextlib.contextmanager
def temporary_user(service, connection):
    """A new user, whose account is deleted at the end."""
    user = service.sign_up()
    yield user
    delete_user(connection, user.id)
