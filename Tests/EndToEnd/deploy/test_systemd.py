"""The systemd units: what their processes may do, and how secrets reach them."""

import shutil
import subprocess

import pytest

from support.paths import CHECKOUT

UNITS = sorted((CHECKOUT / "deploy/systemd").glob("*.service"))
# What every unit denies.
HARDENING = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectKernelModules": "yes",
    "ProtectControlGroups": "yes",
    "RestrictNamespaces": "yes",
    "SystemCallArchitectures": "native",
    "LimitCORE": "0",
}


def directives(unit):
    """The values of each directive of a unit, in order."""
    found = {}
    for line in unit.read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_every_unit_restricts_what_its_processes_can_do(unit):
    found = directives(unit)
    for name, value in HARDENING.items():
        assert found.get(name) == [value], name
    assert any(value.startswith("@system-service") for value in found["SystemCallFilter"])
    families = set(" ".join(found["RestrictAddressFamilies"]).split())
    assert families <= {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}
    capabilities = set(" ".join(found["CapabilityBoundingSet"]).split())
    assert not capabilities & {"CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SYS_MODULE", "CAP_SYS_RAWIO"}
    assert found.get("User", ["root"]) == ["root"] or capabilities == set()


def test_the_services_are_separate_users_whose_secrets_are_in_no_environment():
    users = set()
    names = ["lectern-fcgi", "lectern-jobs", "lectern-realtime"]
    for name in names:
        found = directives(CHECKOUT / f"deploy/systemd/{name}.service")
        users |= {(user, group) for user, group in zip(found["User"], found["Group"])}
        assert found["LoadCredential"] == [f"secrets:/etc/lectern/{name.removeprefix('lectern-')}.secrets"]
        assert "LECTERN_SECRETS_FILE=%d/secrets" in found["Environment"]
    assert users == {(name, name) for name in names}


def test_the_unit_of_all_services_may_make_folders_that_pass_their_group_on():
    # Without this capability the kernel removes the bit, and nginx reaches neither the sockets nor the pictures.
    found = directives(CHECKOUT / "deploy/systemd/lectern.service")
    assert "CAP_FSETID" in found["CapabilityBoundingSet"][0].split()
    assert found["SuccessExitStatus"] == ["143"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_understands_the_unit_and_rates_its_exposure_as_low(unit):
    # A threshold of 40 is an exposure of 4.0, which systemd calls OK; without restrictions it is 9.6.
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=40", unit]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    assert "Unknown" not in done.stderr and "Failed to parse" not in done.stderr, done.stderr
