"""Homes for the tests of deploy/run and deploy/stop, with no settings but the one that lets tests make users, and those
that a test gives."""

import pytest

from support.service import Service

SETTINGS = {"LECTERN_SIGNUP": "open"}


@pytest.fixture(scope="module")
def running():
    """A running service, for tests that leave it as it was."""
    service = Service(settings=SETTINGS)
    service.run()
    yield service
    service.remove()


@pytest.fixture(scope="module")
def service():
    """A service whose tests may stop it, kill its processes and change its settings.

    The tests of a module share it, so each begins with `service.run()`, which brings it back from whatever the test
    before has done, and none depends on what the home holds besides.
    """
    service = Service(settings=SETTINGS)
    yield service
    service.remove()


@pytest.fixture
def new_home():
    """A service that was never started: its home does not exist yet."""
    service = Service(settings=SETTINGS, first_start=True)
    yield service
    service.remove()
