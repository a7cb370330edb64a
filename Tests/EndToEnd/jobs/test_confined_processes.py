"""Pages are read in confined processes; if one dies, one page loses one attempt."""

import json
import os
import re
import signal
import time
import uuid
from pathlib import Path

import pytest

from support import service
from support.client import wait_until


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5", LECTERN_READ_PROCESSES="1", LECTERN_READ_NODES="20000") as instance:
        yield instance


def status_of(process):
    try:
        return dict(line.split(":\t", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    except OSError:
        return {}


def reading_processes(instance):
    """The processes that read pages for the jobs, without zombies and without the processes that read pictures."""
    (jobs,) = wait_until(lambda: instance.processes("lectern", "jobs", "run"))
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        status = status_of(folder.name)
        if (
            status.get("PPid") == str(jobs)
            and status["Name"] == "lectern-reader"
            and not status["State"].startswith("Z")
        ):
            found.append(int(folder.name))
    return found


def idle_process(instance, alice, website):
    """A process that has read a page and waits for the next."""
    link = alice.settled(alice.save(f"{website.url}/article?{uuid.uuid4().hex}")["id"])
    assert link["state"] == "ready", link
    (process,) = reading_processes(instance)
    return process


def test_a_confined_process_has_no_environment_no_descriptors_and_no_way_to_get_any(instance, alice, website):
    process = idle_process(instance, alice, website)
    folder = Path(f"/proc/{process}")
    assert (folder / "environ").read_bytes() == b""
    assert b"password" not in (folder / "cmdline").read_bytes()
    descriptors = {entry.name: os.readlink(entry) for entry in (folder / "fd").iterdir()}
    assert descriptors.keys() == {"0", "1", "2"} and descriptors["2"] == "/dev/null"
    assert descriptors["0"] == descriptors["1"] and descriptors["0"].startswith("socket:")
    assert os.readlink(folder / "cwd") == "/"
    status = status_of(process)
    assert status["NoNewPrivs"] == "1" and status["Threads"] == "1"
    # Mode 2 is a filter. It refuses sockets, files and processes, and the limits leave no descriptor for any.
    assert status["Seccomp"] == "2"
    limits = dict(re.findall(r"^(Max .*?)  +(\S+)", (folder / "limits").read_text(), re.M))
    assert [limits[f"Max {what}"] for what in ("open files", "processes", "core file size", "file size")] == ["0"] * 4
    assert all(int(limits[f"Max {what}"]) < 2 << 30 for what in ("address space", "data size"))


def failures_of(instance, link):
    """The failed attempts at a link, from the log: number of the attempt, reason and sentence."""
    lines = map(json.loads, (instance.home / "log/jobs.log").read_text().splitlines())
    found = [line for line in lines if line["message"] == "job failed" and line["link"] == link["id"]]
    return [(int(line["attempt"]), line["reason"], line["sentence"]) for line in found]


def test_killing_a_confined_process_in_the_middle_of_a_page_costs_one_attempt(instance, alice, website):
    (jobs,) = instance.processes("lectern", "jobs", "run")
    # Nothing shows from outside that the stopped process has been sent the page. If the machine was too busy for that,
    # the process was still idle when it was killed, which costs no attempt; the test is then repeated with more time.
    for seconds in (1, 3, 9, 27):
        process = idle_process(instance, alice, website)
        os.kill(process, signal.SIGSTOP)
        path = f"/article/{uuid.uuid4().hex}"
        saved = alice.save(website.url + path)
        wait_until(lambda: website.visits.get(path))
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        link = alice.settled(saved["id"])
        assert (link["state"], link["reason"]) == ("ready", None)
        if failures := failures_of(instance, link):
            break
        assert website.visits[path] == 1
    ((attempt, reason, sentence),) = failures
    assert (attempt, reason) == (1, "reader_crashed") and "was killed by signal 9" in sentence
    assert instance.sql(f"select attempts from private.done_jobs where link_id = '{link['id']}'") == [(2,)]
    assert website.visits[path] == 2
    assert instance.processes("lectern", "jobs", "run") == [jobs]


def test_a_page_beyond_a_limit_keeps_its_plain_text(instance, alice, website):
    link = alice.settled(alice.save(f"{website.url}/heavy/usual?{uuid.uuid4().hex}")["id"])
    assert (link["state"], link["reason"], link["title"]) == ("ready", "over_budget", "A heavy page")
    assert "Only its plain text was stored" in link["reason_message"]
    (article,) = alice.rest("GET", f"articles?link_id=eq.{link['id']}&select=content,text_content,word_count").json()
    assert "A page is kept so that it can be read later" in article["text_content"]
    assert article["content"].startswith("<p>A heavy page</p>\n<p>") and article["word_count"] > 10_000
    assert len(article["text_content"]) < 2_001_000


def test_confined_processes_end_with_the_jobs_process_even_when_that_is_killed(instance, alice, website):
    process = idle_process(instance, alice, website)
    os.kill(process, signal.SIGSTOP)
    (jobs,) = instance.processes("lectern", "jobs", "run")
    os.kill(jobs, signal.SIGKILL)
    wait_until(lambda: not Path(f"/proc/{process}").exists())
    process = wait_until(lambda: instance.processes("lectern", "jobs", "run")) and idle_process(
        instance, alice, website
    )
    (jobs,) = instance.processes("lectern", "jobs", "run")
    os.kill(jobs, signal.SIGTERM)
    wait_until(lambda: not Path(f"/proc/{process}").exists())
