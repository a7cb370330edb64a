"""Requests that schemathesis makes from the served description of the API get no server error, whoever sends them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import CHECKOUT

LONG = bool(os.environ.get("LECTERN_TEST_LONG"))
# The scopes of API tokens, as the server declares them.
SCOPES = re.findall(
    r"^        case (\w+)$", (CHECKOUT / "Sources/Auth/Tokens/PersonalToken.swift").read_text(), re.MULTILINE
)


def callers(user):
    """The headers of a stranger, a user, and a token of each scope."""
    key = {"apikey": user.lectern.anon_key}
    known = {"stranger": key, "user": key | {"Authorization": f"Bearer {user.token}"}}
    for scope in SCOPES:
        form = {"name": scope, "scope": scope, "password": user.password}
        answer = user.lectern.send("POST", "/auth/v1/tokens", user.headers, json.dumps(form))
        assert answer.status == 201, answer
        known[scope] = {"Authorization": f"Bearer {answer.json()['token']}"}
    return known


@pytest.mark.timeout(7_200 if LONG else 3_600)
def test_no_described_request_gets_a_server_error(lectern, alice, tmp_path):
    assert {"read", "save", "full"} <= set(SCOPES)
    workers = set(lectern.workers())
    description = lectern.send("GET", "/rest/v1/", alice.headers)
    assert description.status == 200, description
    (tmp_path / "openapi.json").write_bytes(description.body)
    report = tmp_path / "report.json"
    done = subprocess.run(
        [
            Path(sys.executable).parent / "schemathesis",
            "run",
            tmp_path / "openapi.json",
            f"--url={lectern.url}/rest/v1/",
            f"--header=apikey: {lectern.anon_key}",
            "--checks=not_a_server_error,no_caller_gets_a_server_error",
            # The phase `coverage` makes hundreds of requests for each operation.
            f"--phases={'coverage,fuzzing' if LONG else 'fuzzing'}",
            f"--max-examples={200 if LONG else 6}",
            "--generation-deterministic",
            "--generation-with-security-parameters=false",
            "--suppress-health-check=all",
            "--continue-on-failure",
            "--no-color",
            "--warnings=off",
            f"--report-json-path={report}",
        ],
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": str(CHECKOUT / "Tests/EndToEnd"),
            "SCHEMATHESIS_HOOKS": "support.every_caller",
            "LECTERN_TEST_CALLERS": json.dumps(callers(alice)),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout[-6_000:]}\n{done.stderr[-2_000:]}"
    # The run was no empty one.
    counts = json.loads(report.read_text())
    assert counts["operations"]["tested"] == counts["operations"]["total"] > 20, counts
    assert counts["test_cases"]["generated"] > 4 * counts["operations"]["total"], counts
    assert set(lectern.workers()) == workers
