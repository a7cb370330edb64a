"""`lectern doctor`: a healthy instance, and what it says about each thing that is wrong."""

import contextlib
import json
import os
import subprocess
import time

import pytest


@pytest.fixture(scope="module")
def doctor(running):
    """Runs the command and returns its findings by topic. Those of another state than ok have advice."""

    def run(status=0):
        done = subprocess.run(
            [running.home / "bin/lectern", "doctor", "--json", "--home", running.home],
            env={"PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == status, done
        findings = {finding["topic"]: finding for finding in json.loads(done.stdout)}
        assert all(finding["advice"] for finding in findings.values() if finding["state"] != "ok"), findings
        return findings

    return run


@contextlib.contextmanager
def moved(path):
    """A file that is not there for a while."""
    path.rename(path.with_name("moved"))
    yield
    path.with_name("moved").rename(path)


def test_a_healthy_instance_has_nothing_wrong(doctor, running):
    findings = doctor()
    topics = {
        "permissions",
        "supervisor",
        "settings",
        "mail",
        "disk",
        "clock",
        "names",
        "versions",
        "services",
        "backup",
    }
    assert topics | {"indexes", "pictures", "documents", "health", "maintenance"} <= set(findings)
    # The machine of the tests may be short of space, without name servers, and without a backup.
    unsure = {"disk", "names", "backup"}
    assert {name for name in findings if findings[name]["state"] != "ok"} <= unsure, findings
    done = subprocess.run([running.home / "bin/lectern", "doctor"], env=running.env(), capture_output=True, text=True)
    assert done.returncode == 0 and "ok      services" in done.stdout and "→ run lectern backup" in done.stdout


def test_what_is_wrong_is_said_with_what_to_do(doctor, running):
    os.chmod(running.home / "secrets/jwt_secret", 0o644)
    running.sql(
        "insert into private.documents (user_id, hash, name, type, bytes, address) select id, repeat('a', 64), "
        f"'lost.txt', 'text/plain', 1, 'aa/lost' from auth.users where id = '{running.sign_up().id}'"
    )
    record = running.home / "run/last-backup"
    record.write_text(json.dumps({"at": int(time.time()) - 20 * 86_400, "file": "/srv/b.tar", "bytes": 1}))
    try:
        with moved(running.home / "services/jobs.env"):
            findings = doctor(status=1)
        wrong = {name for name in findings if findings[name]["state"] == "wrong"}
        assert wrong == {"permissions", "documents", "backup", "settings"}, findings
        assert "others may read secrets/jwt_secret" in findings["permissions"]["text"]
        assert "aa/lost" in findings["documents"]["text"] and "20 days ago" in findings["backup"]["text"]
    finally:
        os.chmod(running.home / "secrets/jwt_secret", 0o600)
        running.sql("delete from private.documents where address = 'aa/lost'")
        record.unlink()
    assert doctor()["permissions"]["state"] == "ok"
