"""Debian's Chromium with the extension of the checkout, driven over the pipe of its debugging protocol.

The headless shell has no extensions, and WebDriver cannot press the button of one; a browser that is started with the
pipe can.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from support.chromium import ARGUMENTS
from support.paths import CHECKOUT
from support.waiting import wait_until

EXTENSION = CHECKOUT / "extension"

# File descriptors on which Chromium reads and writes messages, each followed by a null byte.
READ, WRITE = 3, 4

# Seconds without any message after which a command is given up: a page that is replaced may never answer.
PATIENCE = 40
# The same for the first command.
STARTING = 150


# Sends a message to the service worker, as the pages of the extension do.
ASK = """const answer = await chrome.runtime.sendMessage(arguments[0]);
    if (answer.error) throw Error(answer.error.message);
    return answer.value;"""


class Failed(Exception):
    """The browser has refused a command, or a script has thrown."""


class Target:
    """A page, a popup or a service worker."""

    def __init__(self, browser, target):
        self.browser, self.target = browser, target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def script(self, code, *arguments, gesture=False, patience=PATIENCE):
        """Calls an asynchronous function with this body and returns its result."""
        call = f"(async (...arguments) => {{ {code} }})(...{json.dumps(arguments)})"
        options = {"awaitPromise": True, "returnByValue": True, "userGesture": gesture}
        done = self.browser.call("Runtime.evaluate", self.session, patience, expression=call, **options)
        if "exceptionDetails" in done:
            raise Failed(done["exceptionDetails"]["exception"].get("description"))
        return done["result"].get("value")

    def is_loaded(self):
        script = "return location.href !== 'about:blank' && !window.isLeft && document.readyState === 'complete'"
        try:
            return self.script(script)
        except Failed:
            return False  # Between two documents there is nothing that could run a script.

    def see(self, selector, text="", seconds=100):
        """Waits for a visible element of this kind that holds this text, and returns its text."""

        def probe():
            try:
                return self.script(
                    """const [selector, text] = arguments;
                    const found = [...document.querySelectorAll(selector)]
                        .find((one) => one.checkVisibility() && one.innerText.includes(text));
                    return found ? [found.innerText] : null;""",
                    selector,
                    text,
                )
            except Failed:
                return None  # The page was left while the script ran.

        try:
            return wait_until(probe, seconds, 0.03)[0]
        except AssertionError:
            raise AssertionError(f"no {selector} with {text!r} in: {self.text()}") from None

    def text(self):
        return self.script("return document.body.innerText")

    def go(self, url):
        """Leaves the page for another one, and waits until that is loaded."""
        self.script("window.isLeft = true")
        self.call("Page.navigate", url=url)
        wait_until(self.is_loaded, every=0.02)

    def click(self, selector):
        """Clicks the first visible element of this kind once it is there. In one script call, because the page may
        replace it between two."""
        click = """const found = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility());
            found?.click();
            return Boolean(found);"""
        wait_until(lambda: self.script(click, selector, gesture=True), every=0.03)

    def fill(self, selector, text):
        """Types a text into a field, in place of the old one, as keys do it."""
        self.see(selector)
        self.script("const [field] = document.querySelectorAll(arguments[0]); field.focus(); field.select()", selector)
        self.call("Input.insertText", text=text)

    def press(self, key, code):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class ExtensionBrowser:
    """One browser with a profile of its own. It can be stopped and started again with the same profile."""

    def __init__(self, extension=EXTENSION, languages="en-US"):
        self.extension, self.languages = extension, languages
        self.profile = Path(tempfile.mkdtemp(prefix="lectern-profile-"))
        self.start()
        # The options open when the extension is installed, and would later be in front of what a test opens.
        wait_until(lambda: any(page["url"].startswith(f"{self.home}options/") for page in self.targets("page")))

    def start(self):
        ours_to_read, theirs_to_write = os.pipe()
        theirs_to_read, self.to_browser = os.pipe()
        # The program itself: /usr/bin has a script that starts it as a child, which would live on.
        command = [
            "/usr/lib/chromium/chromium",
            *ARGUMENTS,
            f"--accept-lang={self.languages}",
            "--headless=new",
            "--remote-debugging-pipe",
            "--enable-unsafe-extension-debugging",
            f"--user-data-dir={self.profile}",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
        ]
        # The shell puts the pipes on the descriptors that Chromium expects, which may be taken here.
        script = f'exec "$@" {READ}<&{theirs_to_read} {WRITE}>&{theirs_to_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *command],
            pass_fds=(theirs_to_read, theirs_to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_to_read)
        os.close(theirs_to_write)
        self.from_browser = os.fdopen(ours_to_read, "rb", buffering=0)
        self.number, self.received, self.traced = 0, b"", []
        # The first answer of a browser that is still starting.
        self.id = self.call("Extensions.loadUnpacked", None, STARTING, path=str(self.extension))["id"]
        self.home = f"chrome-extension://{self.id}/"

    def call(self, method, session=None, patience=PATIENCE, /, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters} | (
            {"sessionId": session} if session else {}
        )
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.received:
                if not select.select([self.from_browser], [], [], patience)[0]:
                    raise Failed(f"{method} was not answered within {patience} s")
                part = self.from_browser.read(1 << 20)
                assert part, "the browser has ended"
                self.received += part
            line, self.received = self.received.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("method", "").startswith("Tracing."):
                self.traced.append(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(answer["error"]["message"])
                return answer["result"]

    def stop(self):
        # It may end before it has answered.
        with contextlib.suppress(AssertionError):
            self.call("Browser.close")
        self.process.wait(timeout=120)
        os.close(self.to_browser)
        self.from_browser.close()

    def quit(self):
        self.stop()
        shutil.rmtree(self.profile, ignore_errors=True)

    def targets(self, kind):
        return self.call("Target.getTargets", filter=[{"type": kind}])["targetInfos"]

    def open(self, url):
        """Opens a tab and waits until its page is loaded."""
        tab = Target(self, self.call("Target.createTarget", url=url)["targetId"])
        wait_until(lambda: tab.is_loaded())
        return tab

    def options(self):
        return self.open(f"{self.home}options/index.html")

    def worker(self):
        """The service worker, which is started by opening a page of the extension if it does not run."""
        find = lambda: [one for one in self.targets("service_worker") if one["url"].startswith(self.home)]
        if not find():
            self.options().close()
        return Target(self, wait_until(find)[0]["targetId"])

    def popup(self):
        """Presses the button of the extension on the tab in front, and returns the popup."""
        before = {one["targetId"] for one in self.targets("page")}
        [tab] = [one["targetId"] for one in self.targets("tab") if one["embedderData"]["tabActive"]]
        self.call("Extensions.triggerAction", id=self.id, targetId=tab)
        find = lambda: [
            one["targetId"]
            for one in self.targets("page")
            if one["targetId"] not in before and one["url"].startswith(f"{self.home}popup/")
        ]
        return Target(self, wait_until(find, every=0.01)[0])

    @contextlib.contextmanager
    def tasks(self):
        """Yields a list that has the processor time of each task of the browser's processes in the end, in
        milliseconds. It does not grow with what else the machine does."""
        found, self.traced = [], []
        category = "disabled-by-default-devtools.timeline"
        self.call("Tracing.start", traceConfig={"includedCategories": [category], "excludedCategories": ["*"]})
        yield found
        self.call("Tracing.end")
        while not any(event["method"] == "Tracing.tracingComplete" for event in self.traced):
            self.call("Browser.getVersion")
        for event in self.traced:
            for one in event["params"].get("value", []):
                if isinstance(one, dict) and one.get("name") == "RunTask":
                    found.append(one.get("tdur", 0) / 1000)

    def close_tabs(self):
        """Closes all pages but an empty one."""
        self.call("Target.createTarget", url="about:blank")
        newest = {one["targetId"] for one in self.targets("page") if one["url"] == "about:blank"}
        for page in self.targets("page"):
            if page["targetId"] not in newest:
                # A popup may have closed by itself.
                with contextlib.suppress(Failed):
                    self.call("Target.closeTarget", targetId=page["targetId"])


def ask(target, name, /, **values):
    """Sends a message from a page of the extension to its service worker, and returns the answer."""
    return target.script(ASK, {"name": name, **values})


def packed_copy(folder):
    """Makes the ZIP for stores, unpacks it and returns its folder. The ZIP has the colours of code, too."""
    subprocess.run([EXTENSION / "pack", "--out", folder], check=True, capture_output=True)
    [packed] = folder.glob("lectern-extension-*.zip")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def granted_copy(folder):
    """Makes a copy of the extension that has every permission it may ask for, and returns its folder. No program can
    answer the browser's question."""
    copy = folder / "extension"
    shutil.copytree(EXTENSION, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["permissions"] += manifest.pop("optional_permissions")
    manifest["host_permissions"] = manifest.pop("optional_host_permissions")
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy
