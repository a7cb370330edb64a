"""The parsers of bytes from outside, with inputs that libFuzzer makes (Tests/Fuzzing)."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.fuzz_seeds import SEEDS, write_seeds
from support.paths import CHECKOUT

SECONDS = 600 if os.environ.get("LECTERN_TEST_LONG") else 10
# Other tests run beside, and some depend on time. The lowest priority would be next to nothing on a busy machine.
NICE = ["nice", "-n", "5"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The finished run of each parser. Two run at a time."""
    folder = tmp_path_factory.mktemp("fuzzing")
    # deploy/test has built it already; then this takes a moment.
    built = subprocess.run([*NICE, CHECKOUT / "Tests/Fuzzing/build"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-4_000:]
    program = built.stdout.strip()
    with ThreadPoolExecutor(2) as pool:
        finished = pool.map(lambda target: run(program, target, folder), SEEDS)
        return dict(zip(SEEDS, finished))


def run(program, target, folder):
    corpus, dictionary, longest = write_seeds(target, folder)
    return subprocess.run(
        [
            *NICE,
            program,
            target,
            f"-max_total_time={SECONDS}",
            # An input that takes so many seconds hangs.
            "-timeout=100",
            "-rss_limit_mb=2048",
            "-seed=20261123",
            f"-max_len={longest}",
            f"-dict={dictionary}",
            f"-artifact_prefix={folder}/{target}-",
            "-print_final_stats=1",
            corpus,
        ],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS + 1_800,
    )


@pytest.mark.parametrize("target", SEEDS)
def test_no_input_crashes_a_parser_or_makes_it_break_a_promise(runs, target):
    done = runs[target]
    assert done.returncode == 0, done.stderr[-6_000:]
    # The run tried more than the seeds, and saw which code they reach. How many depends on the machine.
    [tried] = re.findall(r"number_of_executed_units: *(\d+)", done.stderr)
    reached = [int(count) for count in re.findall(r" cov: (\d+)", done.stderr)]
    assert int(tried) > len(SEEDS[target][0]) and reached[-1] > reached[0] > 100, done.stderr[-2_000:]
