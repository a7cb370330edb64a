"""Time and memory of a command from start to end."""

import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from programs import fail

SECONDS_TO_WAIT = 60
MB = 1e6


class Measured:
    """Processor seconds, elapsed seconds, peak megabytes and output of a command."""

    def __init__(self, seconds, clock, megabytes, output, errors, status):
        self.seconds, self.clock, self.megabytes = seconds, clock, megabytes
        self.output, self.errors, self.status = output, errors, status


class MemoryWatch(threading.Thread):
    """Samples the peak memory of a process, because the kernel's final figure includes the process that forked it."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.status, self.megabytes, self.is_over = Path(f"/proc/{pid}/status"), 0, threading.Event()
        self.start()

    def run(self):
        while not self.is_over.wait(0.004):
            try:
                peak = next((line for line in self.status.read_text().splitlines() if line.startswith("VmHWM:")), None)
            except OSError:
                return
            if peak:
                self.megabytes = int(peak.split()[1]) * 1024 / MB

    def stop(self):
        self.is_over.set()
        self.join()


def measured(command, said, wanted_lines=None):
    with tempfile.TemporaryFile() as pages, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pages.write(said)
        pages.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdin=pages, stdout=output, stderr=errors)
        killer = threading.Timer(SECONDS_TO_WAIT, process.kill)
        killer.start()
        memory = MemoryWatch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - start
        killer.cancel()
        memory.stop()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        done = Measured(usage.ru_utime + usage.ru_stime, clock, memory.megabytes, output.read(), errors.read(),
                        process.returncode)
    if wanted_lines is not None and (done.status or done.output.count(b"\n") != wanted_lines):
        lines = done.output.count(10)
        fail(f"{command[0]} ended with status {done.status} and {lines} lines of output: {done.errors[-500:].decode()}")
    return done
