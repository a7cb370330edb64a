"""What processes cost: memory, and processor time with that of their children."""

import os
import re
from collections import defaultdict
from pathlib import Path

from programs import in_deploy, run

TICKS = os.sysconf("SC_CLK_TCK")


def of_home(home):
    """The numbers of a home's processes by service: postgres, jobs, fcgi, nginx."""
    found = defaultdict(list)
    for line in run(*in_deploy("home=$1; find_service_user; home_processes", home)).splitlines():
        pid, service = line.split()
        found[service].append(int(pid))
    return found


def pss(pid):
    """Memory of one process in kB; what it shares counts in part."""
    return int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M).group(1))


def highest_rss(pid):
    """The most memory one process ever had at a time, in kB; all that it shares with others included."""
    return int(re.search(r"^VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M).group(1))


def family(roots):
    """The roots that live and all below them."""
    return [pid for pid, _ in _family(roots)]


def cpu_seconds(roots):
    """Processor time of the roots and of all that are or were below them.

    A process that ends hands its time to the one that waited for it, so the sum over the living, with what they
    waited for, only grows; it goes wrong only where a root itself ends or nobody waits.
    """
    # utime, stime, cutime, cstime are fields 14 to 17 of proc(5); `fields` starts with the third.
    return sum(int(field) for _, fields in _family(roots) for field in fields[11:15]) / TICKS


def _family(roots):
    children, fields_of = defaultdict(list), {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # The name in parentheses may hold blanks.
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        fields_of[int(process.name)] = fields
        children[int(fields[1])].append(int(process.name))
    waiting, seen = list(roots), {}
    while waiting:
        pid = waiting.pop()
        if pid in fields_of and pid not in seen:
            seen[pid] = fields_of[pid]
            waiting += children[pid]
    return seen.items()
