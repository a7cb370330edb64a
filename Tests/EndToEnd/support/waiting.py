"""Waiting for what another process does."""

import time


def wait_until(probe, seconds=150, every=0.1):
    """Returns the first true value of `probe`; fails after `seconds`. The default suits a machine that is busy with other
    tests."""
    deadline = time.monotonic() + seconds
    while not (value := probe()):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(every)
    return value
