"""Helpers for tests that talk to PostgreSQL directly."""

import contextlib

import psycopg


def retried(transaction):
    """Calls a function that is one transaction, and returns its result.

    A job may be working on the same rows, so PostgreSQL may end either transaction as a deadlock. The service retries in
    that case, and so does this.
    """
    while True:
        try:
            return transaction()
        except psycopg.errors.DeadlockDetected:
            pass


def delete_user(connection, id):
    """Deletes an account and everything it owns."""
    return retried(lambda: connection.execute("delete from auth.users where id = %s", (id,)))


@contextlib.contextmanager
def temporary_user(service, connection):
    """A new user, whose account is deleted at the end."""
    user = service.sign_up()
    yield user
    delete_user(connection, user.id)
