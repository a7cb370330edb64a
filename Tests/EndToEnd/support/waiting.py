"""Waiting for what another process does."""

import time

from selenium.common.exceptions import JavascriptException, StaleElementReferenceException

# What a probe meets while the page is left, or replaces what the probe reads.
CHANGING = (StaleElementReferenceException, JavascriptException)


def wait_until(probe, seconds=150, every=0.1, explain=None):
    """Returns the first true value of `probe`; fails after `seconds`, with what `explain` returns. The default suits a
    machine that is busy with other tests. A page that changes while the probe reads it is looked at again."""
    deadline = time.monotonic() + seconds
    while True:
        trouble = None
        try:
            if value := probe():
                return value
        except CHANGING as error:
            trouble = error
        if time.monotonic() >= deadline:
            raise AssertionError(f"not within {seconds} s" + (f": {explain()}" if explain else "")) from trouble
        time.sleep(every)
