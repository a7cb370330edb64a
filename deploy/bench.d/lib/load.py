"""The load generators. Each returns requests per second and latencies in milliseconds."""

import json
import os
import re
from pathlib import Path

from programs import fail, run
from instance import LIST, UPSERT
from statements import IDENTITY_SQL, LIST_SQL, UPSERT_SQL


def wrk(instance, what, clients, seconds, url=None):
    """Sends one kind of request repeatedly, to Lectern or to an equivalent service at another URL."""
    script = instance.folder / f"{what}.lua"
    script.write_text(lua(instance, what))
    target = (url or instance.url) + {"static": "/", "list": LIST, "upsert": UPSERT}[what]
    return measured(script, target, clients, seconds, takes_any_status=what == "static")


def measured(script, target, clients, seconds, takes_any_status=False):
    out = run("wrk", "--threads", "1", "--connections", str(clients), "--duration", str(seconds),
              "--latency", "--script", script, target)
    if re.search(r"Non-2xx|Socket errors", out) and not takes_any_status:
        fail(f"{script.stem} failed:\n{out}")
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
            "count": int(re.search(r"(\d+) requests in", out).group(1)),
            "p50": milliseconds(re.search(r"^\s+50%\s+(\S+)", out, re.M).group(1)),
            "p99": milliseconds(re.search(r"^\s+99%\s+(\S+)", out, re.M).group(1))}


def lua(instance, what):
    """Each request is from a random user; an upsert saves a new URL."""
    headers = ",\n".join("{" + ",".join(
        f"[{json.dumps(name)}]={json.dumps(value)}" for name, value in instance.header_fields(user).items()) + "}"
        for user in range(1, instance.users + 1))
    if what == "static":
        return ""
    if what == "list":
        return f"""local headers = {{{headers}}}
            math.randomseed(os.time())
            request = function() return wrk.format("GET", nil, headers[math.random(#headers)]) end"""
    return f"""local headers = {{{headers}}}
        local seed = os.time() * 1000 + math.random(1000)
        local count = 0
        math.randomseed(seed)
        request = function()
            count = count + 1
            local url = 'https://bench.test/new/' .. seed .. '-' .. count
            local body = '{{"raw_url":"' .. url .. '","list":"read","status":"unread"}}'
            local h = headers[math.random(#headers)]
            h["Content-Type"] = "application/json"
            h["Prefer"] = "return=minimal, resolution=merge-duplicates"
            return wrk.format("POST", nil, h, body)
        end"""


def refresh(instance, tokens, clients, seconds):
    """Refreshes every session in turn, each time with the token from its previous response."""
    script = instance.folder / "refresh.lua"
    headers = {"apikey": instance.admin["LECTERN_ANON_KEY"], "Content-Type": "application/json"}
    # A free connection takes the token that has waited longest, so there must be more tokens than clients.
    script.write_text(f"""local waiting = {{{",".join(json.dumps(token) for token in tokens)}}}
        local headers = {{{",".join(f"[{json.dumps(name)}]={json.dumps(value)}" for name, value in headers.items())}}}
        local first, last = 1, #waiting
        request = function()
            local token = waiting[first]
            waiting[first] = nil
            first = first + 1
            return wrk.format("POST", nil, headers, '{{"refresh_token":"' .. (token or "none") .. '"}}')
        end
        response = function(status, headers, body)
            last = last + 1
            waiting[last] = string.match(body, '"refresh_token":"([^"]+)"')
        end""")
    return measured(script, f"{instance.url}/auth/v1/token?grant_type=refresh_token", clients, seconds)


def pgbench(instance, what, clients, seconds):
    """Runs the statements of a list or an upsert with pgbench, in one pipeline, without a service."""
    identity = filled(
        IDENTITY_SQL, "'authenticated'",
        """'{"sub":"00000000-0000-4000-8000-' || lpad((:user)::text, 12, '0') || '","role":"authenticated"}'""",
        "'4500'", "'lectern bench'", "'on'" if what == "list" else "'off'")
    statement = LIST_SQL if what == "list" else filled(
        UPSERT_SQL,
        """('{"raw_url":"https://bench.test/new/' || (:link)::text || '","list":"read","status":"unread"}')""")
    script = instance.folder / "pgbench.sql"
    # pgbench prepares the statements of a pipeline when it starts, so the role must be set before: the workers' login
    # role has no privileges of its own.
    script.write_text(f"""\\if :prepared = 0
set role authenticated;
\\set prepared 1
\\endif
\\set user random(1, {instance.users})
\\set link random(1, 1000000000000)
\\startpipeline
{one_line(identity)};
{one_line(statement)};
\\endpipeline
""")
    log = instance.folder / "pgbench_log"
    for old in instance.folder.glob("pgbench_log.*"):
        old.unlink()
    program = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))[-1]
    out = run(program, "--no-vacuum", "--protocol", "prepared", "--client", str(clients), "--jobs", "2",
              "--time", str(seconds), "--define", "prepared=0", "--file", script, "--log",
              "--log-prefix", log, "--host", instance.socket, "--username", "authenticator", "lectern",
              env=dict(os.environ, PGPASSWORD=instance.workers_password))
    times = sorted(int(line.split()[2]) / 1000 for file in instance.folder.glob("pgbench_log.*")
                   for line in file.read_text().splitlines())
    return {"rate": float(re.search(r"tps = ([\d.]+)", out).group(1)),
            "p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100]}


def filled(sql, *values):
    """The statement with its binds replaced by SQL expressions."""
    return re.sub(r"\$(\d)", lambda bind: values[int(bind[1]) - 1], sql)


def one_line(sql):
    return " ".join(sql.split())


def milliseconds(text):
    number, unit = re.match(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1_000, "m": 60_000}[unit]
