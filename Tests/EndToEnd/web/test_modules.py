"""The modules of the web app that need no browser are tested in Node, by the files of Tests/Web. All have bounds."""

import gzip
import re
import subprocess
from pathlib import Path

import pytest

from support.paths import CHECKOUT

TESTS = Path(__file__).parents[2] / "Web"
WEB = CHECKOUT / "web"
# The scripts of the page of the list, which loads main.js when the first cards are there.
SCRIPT = re.compile(r'<script [^>]*src="/([^"]+)"')
IMPORTED = re.compile(r"^(?:import|export)\b[^;]*?'(\.[^']+)';", re.MULTILINE)


@pytest.mark.parametrize("file", sorted(TESTS.rglob("*.test.js")), ids=lambda file: str(file.relative_to(TESTS)))
def test_a_module_does_what_its_tests_say(file):
    # Modules are not marked as such by a package file, which the pages do not need.
    run = subprocess.run(
        ["node", "--experimental-default-type=module", "--test", file], capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_scripts_of_the_list_and_what_they_import_at_once_have_at_most_60_kb():
    scripts = SCRIPT.findall((WEB / "index.html").read_text())
    loaded, waiting = set(), [WEB / path for path in [*scripts, "list/main.js"]]
    while waiting:
        module = waiting.pop().resolve()
        if module not in loaded:
            loaded.add(module)
            waiting += [module.parent / path for path in IMPORTED.findall(module.read_text())]
    # As nginx compresses them.
    sizes = {module: len(gzip.compress(module.read_bytes(), 4)) for module in loaded}
    assert sum(sizes.values()) <= 60_000, sorted((size, module.name) for module, size in sizes.items())


def test_no_module_has_200_lines():
    assert [str(module) for module in WEB.rglob("*.js") if len(module.read_text().splitlines()) >= 200] == []
