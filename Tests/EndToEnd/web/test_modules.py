"""The modules of the web app that need no browser are tested in Node, by the files of Tests/Web."""

import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2] / "Web"


@pytest.mark.parametrize("file", sorted(TESTS.rglob("*.test.js")), ids=lambda file: str(file.relative_to(TESTS)))
def test_a_module_does_what_its_tests_say(file):
    # Modules are not marked as such by a package file, which the pages do not need.
    run = subprocess.run(
        ["node", "--experimental-default-type=module", "--test", file], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stdout + run.stderr
