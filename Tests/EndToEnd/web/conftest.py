"""Fixtures of the tests of the extension."""

import pytest

from support.extension_browser import ExtensionBrowser, granted_copy
from support.relay import Relay


@pytest.fixture(scope="module")
def relay(lectern):
    """The way to the server, which tests can close and change."""
    relay = Relay(lectern.port)
    yield relay
    relay.close()


@pytest.fixture(scope="module")
def the_browser():
    """Chromium with the extension, for all tests of a module."""
    browser = ExtensionBrowser()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def the_granted_browser(tmp_path_factory):
    """A browser whose user has answered every question of the extension with yes."""
    browser = ExtensionBrowser(granted_copy(tmp_path_factory.mktemp("granted")))
    yield browser
    browser.quit()
