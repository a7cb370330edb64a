"""The real thing, once a test run: PostgreSQL, workers, jobs and nginx, as deploy/run starts them.

Parallel test processes share one home; whoever needs it first starts it, and the process that started pytest stops it.
The web site that links lead to (loopback_site.py) lives in each test process.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

import psycopg
import pytest
from selenium import webdriver

from lectern_client import Lectern, free_port
from loopback_site import LoopbackSite

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = CHECKOUT.parent / "shared/readability-pages"

SETTINGS = {
    # Pages come from loopback and from nowhere else.
    "LECTERN_FETCH_ALLOW": "127.0.0.1",
    "LECTERN_RATE_LIMITS": "off",
    "LECTERN_JOBS_RETRY_BASE": "1",
    # A busy machine's: no test is about the speed of a statement.
    "LECTERN_STATEMENT_TIMEOUT": "30000",
}


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        os.environ["LECTERN_TEST_STACK"] = tempfile.mkdtemp(prefix="lectern-stack-", dir="/tmp")
        os.chmod(os.environ["LECTERN_TEST_STACK"], 0o755)


def pytest_unconfigure(config):
    if hasattr(config, "workerinput"):
        return
    folder = Path(os.environ.pop("LECTERN_TEST_STACK"))
    if (folder / "home").exists():
        subprocess.run([CHECKOUT / "deploy/stop", "--home", folder / "home"], timeout=300)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def lectern():
    """The running service."""
    folder = Path(os.environ["LECTERN_TEST_STACK"])
    home = folder / "home"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "started").exists():
            # Without LECTERN_BUILD_DIR this builds first.
            run = [CHECKOUT / "deploy/run", "--detach", "--home", home, "--port", str(free_port())]
            done = subprocess.run(run, env=os.environ | SETTINGS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=1800)
            assert done.returncode == 0, done.stdout
            (folder / "started").touch()
    lines = (home / "lectern.env").read_text().splitlines()
    env = dict(re.fullmatch("([A-Z_]+)='([^']*)'", line).groups() for line in lines)
    return Lectern(env["LECTERN_URL"], env["LECTERN_ANON_KEY"], env["LECTERN_SERVICE_KEY"],
                   env["LECTERN_DATABASE_URL"], home)


@pytest.fixture(scope="session")
def website():
    """A web site on loopback, full of real pages; tests that need it are skipped where the pages are not at hand."""
    if not PAGES.is_dir():
        reason = f"the pages are not there: {PAGES}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with LoopbackSite(PAGES) as site:
        yield site


@pytest.fixture(scope="module")
def chromium():
    """A browser that is shown no site, for what it makes of texts and bytes."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--host-resolver-rules=MAP * ~NOTFOUND", *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.fixture
def alice(lectern):
    return lectern.sign_up(f"alice-{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def bob(lectern):
    return lectern.sign_up(f"bob-{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def admin(lectern):
    with psycopg.connect(lectern.database_url, autocommit=True) as connection:
        yield connection


def delete_user(connection, id):
    """An account and all that is its own. A job may be at work on one of its links, and one of the two then gives way: as in
    the service, it is done again."""
    while True:
        try:
            return connection.execute("delete from auth.users where id = %s", (id,))
        except psycopg.errors.DeadlockDetected:
            pass


@pytest.fixture
def workers(lectern):
    """A connection as the workers have it: no rights until a role is taken on."""
    with lectern.login("authenticator", "authenticator_password") as connection:
        yield connection


@pytest.fixture
def jobs(lectern):
    with lectern.login("lectern_jobs", "jobs_password") as connection:
        yield connection
