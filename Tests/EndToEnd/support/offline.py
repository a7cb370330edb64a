"""The service worker of the web app, and a page without a network."""

from support.client import wait_until


def is_ready(page):
    """Waits until the service worker answers the page's requests."""
    wait_until(lambda: page.script("return navigator.serviceWorker.controller?.state === 'activated'"), every=0.05)


def go_offline(page, is_offline=True):
    page.driver.execute_cdp_cmd("Network.enable", {})
    speed = 0 if is_offline else -1
    page.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": is_offline, "latency": 0, "downloadThroughput": speed, "uploadThroughput": speed},
    )
