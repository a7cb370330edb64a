"""Memory and processor time of processes and their children."""

import os
import re
from collections import defaultdict
from pathlib import Path

from programs import in_deploy, run

TICKS = os.sysconf("SC_CLK_TCK")


def of_home(home):
    """The pids of a home by service: postgres, jobs, fcgi, realtime, nginx."""
    found = defaultdict(list)
    for line in run(*in_deploy("home=$1; find_service_users; home_processes", home)).splitlines():
        pid, service = line.split()
        found[service].append(int(pid))
    return found


def pss(pid):
    """Proportional set size of a process in kB: each shared page is divided among the processes that map it."""
    return int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M).group(1))


def highest_rss(pid):
    """Peak resident memory of a process in kB, including all shared pages."""
    return int(re.search(r"^VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M).group(1))


def family(roots):
    """The pids of the living roots and all their descendants."""
    return [pid for pid, _ in _family(roots)]


def cpu_seconds(roots):
    """Processor seconds of the roots and all their descendants, including those that have exited.

    When a process exits, its time is added to the parent that waits for it, so the sum never shrinks. It is wrong only
    if a root itself exits or nobody waits for a child.
    """
    # utime, stime, cutime, cstime are fields 14 to 17 of proc(5); `fields` starts with the third.
    return sum(int(field) for _, fields in _family(roots) for field in fields[11:15]) / TICKS


def _family(roots):
    children, fields_of = defaultdict(list), {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # The name in parentheses may contain spaces.
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
