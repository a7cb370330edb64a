"""Waiting for what another process does."""

import time

from selenium.common.exceptions import StaleElementReferenceException


def wait_until(probe, seconds=150, every=0.1):
    """Returns the first true value of `probe`; fails after `seconds`. The default suits a machine that is busy with other
    tests. A page that replaces an element while the probe reads it is looked at again."""
    deadline = time.monotonic() + seconds
    while not (value := value_of(probe)):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(every)
    return value


def value_of(probe):
    try:
        return probe()
    except StaleElementReferenceException:
        return None
