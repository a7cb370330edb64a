"""A headless Chromium that reaches 127.0.0.1 and nothing else.

It is the headless shell of Chromium: the same engine without the browser around it, which costs a third less processor
time.
"""

import contextlib
import os

from selenium import webdriver

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


def start():
    options = webdriver.ChromeOptions()
    # The program itself: /usr/bin has a script that starts it as a child, which would live on after `quit`.
    options.binary_location = "/usr/lib/chromium/chromium-headless-shell"
    for argument in [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(SCRIPT_TIMEOUT)
    return driver


def speak(driver, languages):
    """Has the browser prefer these languages, such as "de-AT,de"; the empty text stands for its own."""
    agent = driver.execute_script("return navigator.userAgent") if languages else ""
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": languages})


def forget(driver):
    """Leaves no trace of what the browser was used for before: tabs, storage, permissions, emulation, console."""
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
