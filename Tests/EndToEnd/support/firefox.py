"""A headless Firefox that reaches 127.0.0.1 and nothing else, driven by WebDriver BiDi (https://w3.org/TR/webdriver-bidi),
which Debian's Firefox speaks without another program."""

import json
import os
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from websockets.exceptions import InvalidHandshake
from websockets.sync.client import connect

from support.client import free_port, wait_until

# Names are never looked up, and nothing but 127.0.0.1 is reached: all else goes to a proxy that is not there.
PREFERENCES = {
    "network.dns.disabled": True,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "network.proxy.allow_hijacking_localhost": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.trr.mode": 5,
    "app.normandy.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "intl.accept_languages": "en-US",
    # An extension gets the permissions that it asks for after a click.
    "extensions.webextOptionalPermissionPrompts": False,
}

VISIBLE = """(selector, text) => {
    const found = [...document.querySelectorAll(selector)].find((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
            && (text === null || element.innerText.includes(text) || element.value?.includes(text)));
    return found ? found.innerText : null;
}"""


class Firefox:
    """A browser with one tab. `with` ends it."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        lines = [f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items()]
        Path(self.folder.name, "user.js").write_text("".join(lines))
        port = free_port()
        self.process = subprocess.Popen(
            [
                "firefox-esr",
                "--headless",
                "--no-remote",
                "--profile",
                self.folder.name,
                f"--remote-debugging-port={port}",
            ],
            env=os.environ | {"HOME": self.folder.name, "MOZ_DISABLE_AUTO_SAFE_MODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.numbers, self.errors = count(1), []
        self.was_offline = False
        self.socket = wait_until(lambda: self._connection(port))
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.tab = self._tabs()[0]["context"]
        return self

    def __exit__(self, *_):
        self.socket.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()

    def _connection(self, port):
        assert self.process.poll() is None, "Firefox has ended"
        try:
            return connect(f"ws://127.0.0.1:{port}/session", max_size=None, ping_interval=None)
        except (OSError, EOFError, InvalidHandshake):
            return None  # It does not answer yet, or not yet at this path.

    def ask(self, method, **parameters):
        """Sends a command and returns its result. Errors of the console that arrive before the result are kept."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=120))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                text = message["params"]["text"]
                if not (self.was_offline and "establish a connection to the server at ws" in text):
                    self.errors.append(text)

    def install(self, archive):
        """Installs the ZIP of an extension and turns to the tab that it opens."""
        self.ask("webExtension.install", extensionData={"type": "archivePath", "path": str(archive)})
        self.tab = wait_until(
            lambda: next((tab["context"] for tab in self._tabs() if tab["url"].startswith("moz-extension://")), None)
        )

    def open_beside(self, url):
        """Opens a page in another tab and stays in this one."""
        tab = self.ask("browsingContext.create", type="tab")["context"]
        self.ask("browsingContext.navigate", context=tab, url=url, wait="complete")

    @contextmanager
    def offline(self):
        """Takes the network from the tab for a while. Firefox says so of sockets that the page opens then, also later."""
        self.was_offline = True
        self.ask("emulation.setNetworkConditions", networkConditions={"type": "offline"}, contexts=[self.tab])
        try:
            yield
        finally:
            self.ask("emulation.setNetworkConditions", networkConditions=None, contexts=[self.tab])

    def _tabs(self):
        return self.ask("browsingContext.getTree")["contexts"]

    def open(self, url):
        self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def script(self, function, *arguments):
        """Calls a JavaScript function with values of JSON and returns its result, which may be a promise."""
        code = f"async (text) => JSON.stringify(await ({function})(...JSON.parse(text)) ?? null)"
        result = self.ask(
            "script.callFunction",
            functionDeclaration=code,
            target={"context": self.tab},
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def see(self, selector, text=None):
        """Waits for a visible element of this kind that holds this text, and returns its text."""
        return wait_until(lambda: self._seen(selector, text), every=0.05)[0]

    def _seen(self, selector, text):
        try:
            found = self.script(VISIBLE, selector, text)
        except AssertionError:
            return None  # The page was left while the script ran.
        return None if found is None else (found,)

    def gone(self, selector, text=None):
        def probe():
            try:
                return self.script(VISIBLE, selector, text) is None
            except AssertionError:
                return False  # The page was left while the script ran.

        wait_until(probe, every=0.05)

    def click(self, selector, text=""):
        """Clicks the first visible element of this kind that holds this text, once it is there."""
        # In one call, because the page may replace the element between two.
        click = """(selector, text) => {
            const found = [...document.querySelectorAll(selector)].find((element) =>
                element.checkVisibility({ visibilityProperty: true }) && element.innerText.includes(text));
            found?.click();
            return Boolean(found);
        }"""
        wait_until(lambda: self.script(click, selector, text), every=0.05)

    def press(self, selector):
        """Presses the mouse on the first element of this kind, as a user does; some pages ask for that."""
        self.see(selector)
        element = self.ask("browsingContext.locateNodes", context=self.tab, locator={"type": "css", "value": selector})
        origin = {"type": "element", "element": {"sharedId": element["nodes"][0]["sharedId"]}}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.ask(
            "input.performActions", context=self.tab, actions=[{"type": "pointer", "id": "mouse", "actions": actions}]
        )

    def type(self, selector, text):
        """Types into a field, key by key."""
        self.see(selector)
        self.script("(selector) => document.querySelector(selector).focus()", selector)
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keyboard", "actions": keys}])
