"""Chromium with the extension, driven by WebDriver: the tests of the list run on the reading list of the extension.

With LECTERN_TEST_READING_LIST=extension, the browser of a test process is this one, and the pages of the list are those
of the extension.
"""

import json
import os
import tempfile
from pathlib import Path

from selenium import webdriver
from websockets.sync.client import connect

from support.chromium import ARGUMENTS, Chromium
from support.extension_browser import packed_copy

IS_WANTED = os.environ.get("LECTERN_TEST_READING_LIST") == "extension"

# Signs the extension in. The options have tests of their own.
SIGN_IN = """
    const [address, email, password, done] = arguments;
    (async () => {
        await chrome.storage.local.clear();
        localStorage.clear();
        sessionStorage.clear();
        const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name !== 'queue');
        for (const name of names) indexedDB.deleteDatabase(name);
        return (await chrome.runtime.sendMessage({ name: 'sign-in', address, email, password })).error?.message ?? null;
    })().then(done, (error) => done(String(error)));
"""


class ChromiumWithExtension(Chromium):
    """Has the address of the pages of the extension in `extension`."""

    def __init__(self, options):
        # Chromium reads the files of the folder as long as it runs.
        self.extension_folder = tempfile.TemporaryDirectory(prefix="lectern-extension-")
        self.unpacked = packed_copy(Path(self.extension_folder.name))
        super().__init__(options)

    def start_session(self, capabilities):
        super().start_session(capabilities)
        self.extension = f"chrome-extension://{install(self, self.unpacked)}"


def start():
    options = webdriver.ChromeOptions()
    # The headless shell has no extensions.
    options.binary_location = "/usr/lib/chromium/chromium"
    own = ["--headless=new", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging"]
    for argument in [*ARGUMENTS, *own, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.set_capability("webSocketUrl", True)
    return ChromiumWithExtension(options)


def install(driver, folder):
    """Installs the extension in this folder and returns its id."""
    data = {"type": "path", "path": str(folder)}
    command = {"id": 1, "method": "webExtension.install", "params": {"extensionData": data}}
    with connect(driver.capabilities["webSocketUrl"]) as socket:
        socket.send(json.dumps(command))
        while (answer := json.loads(socket.recv(60))).get("id") != 1:
            pass
    return answer["result"]["extension"]


def place_of(driver, place):
    """The address of a page of the list in the extension; None if it is another page."""
    if place and not place.startswith("#"):
        return None
    return f"{driver.extension}/reading-list/index.html{place}"
