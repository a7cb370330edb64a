"""A headless Chromium that reaches 127.0.0.1 and nothing else.

It is the headless shell of Chromium: the same engine without the browser around it, which costs a third less processor
time.
"""

import contextlib
import os

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.command import Command

ARGUMENTS = [
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--mute-audio",
    # The pages follow the languages of the browser.
    "--lang=en-US",
    "--accept-lang=en-US",
    "--disable-background-networking",
    "--disable-component-update",
    # Names are never looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

# Seconds that a script may take on a machine that is busy with other tests.
SCRIPT_TIMEOUT = 300


class Chromium(webdriver.Chrome):
    """A Chromium that can be started again after one of its pages has crashed, which ends every later command."""

    def __init__(self, options):
        self.options = options
        super().__init__(options, webdriver.ChromeService("/usr/bin/chromedriver"))

    def start_session(self, capabilities):
        self.has_crashed = False
        super().start_session(capabilities)
        self.set_script_timeout(SCRIPT_TIMEOUT)

    def execute(self, driver_command, params=None):
        try:
            return super().execute(driver_command, params)
        except WebDriverException as error:
            # The words of chromedriver, which pytest.ini has too.
            self.has_crashed |= "tab crashed" in (error.msg or "")
            raise

    def start_again(self):
        with contextlib.suppress(WebDriverException):
            self.execute(Command.QUIT)
        self.start_session(self.options.to_capabilities())


def start():
    options = webdriver.ChromeOptions()
    # The program itself: /usr/bin has a script that starts it as a child, which would live on after `quit`.
    options.binary_location = "/usr/lib/chromium/chromium-headless-shell"
    for argument in [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chromium(options)


def speak(driver, languages):
    """Has the browser prefer these languages, such as "de-AT,de"; the empty text stands for its own."""
    agent = driver.execute_script("return navigator.userAgent") if languages else ""
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": languages})


def forget(driver):
    """Leaves no trace of what the browser was used for before: tabs, storage, permissions, emulation, console."""
    if driver.has_crashed:
        driver.start_again()
    first, *others = driver.window_handles
    for handle in others:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(first)
    with contextlib.suppress(Exception):
        driver.switch_to.alert.dismiss()
    if driver.current_url.startswith("http"):
        driver.execute_script("try { localStorage.clear(); sessionStorage.clear() } catch {}")
    driver.get("about:blank")
    speak(driver, "")
    for command, parameters in [
        ("Network.clearBrowserCookies", {}),
        ("Network.clearBrowserCache", {}),
        ("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"}),
        ("Network.setBlockedURLs", {"urls": []}),
        (
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        ),
        ("Network.disable", {}),
        ("Emulation.clearDeviceMetricsOverride", {}),
        ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
        ("Browser.resetPermissions", {}),
        ("Browser.setDownloadBehavior", {"behavior": "default"}),
    ]:
        driver.execute_cdp_cmd(command, parameters)
    driver.get_log("browser")
