"""Fixtures of the tests of the extension."""

import pytest

from support.extension_browser import ExtensionBrowser
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
