"""Runs a command and tells its peak of memory.

The kernel counts for a new process what the process had in memory that forked it. The tests' own process has hundreds
of MB, so a small one starts the command: this file.
"""

import resource
import subprocess
import sys


def command(arguments, peak):
    """The command that runs `arguments` and writes the peak, in KB, to the file `peak`. It has the status of theirs."""
    return [sys.executable, "-I", __file__, str(peak), *map(str, arguments)]


def megabytes(peak):
    return int(peak.read_text()) / 1024


if __name__ == "__main__":
    status = subprocess.run(sys.argv[2:]).returncode
    with open(sys.argv[1], "w") as peak:
        peak.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(status if status >= 0 else 128 - status)
