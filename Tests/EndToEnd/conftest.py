"""What tests of every kind use: the running service, its users, a web site and a browser.

Test modules import from support/ and never from each other.
"""

import os
import uuid
from pathlib import Path

import psycopg
import pytest

from support import chromium as chromium_browser
from support import extension_chromium, service
from support.loopback_site import LoopbackSite
from support.newspaper import Newspaper
from support.paths import PAGES

# Modules that take long. They are started first, so that no test process is left alone with one at the end.
FIRST = [
    "web/test_account_page",
    "api/test_exports",
    "deploy/test_realtime_service",
    "deploy/test_users",
    "deploy/test_changes",
    "deploy/maintenance/test_tasks",
    "api/test_described_requests",
    "web/test_list_tools",
    "deploy/test_stop",
    "web/test_reading_view",
    "jobs/test_epub",
    "web/test_queue_page",
    "web/test_accessibility",
    "api/test_round_trip",
    "web/test_list_page",
    "api/test_imports",
    "web/test_offline_page",
    "web/test_extension",
    "api/test_fuzzed_parsers",
    "web/test_extension_pages",
    "jobs/test_hostile_site",
    "api/test_rest_contract",
    "api/test_first_minutes",
    "api/test_deduplication",
    "jobs/test_pictures",
    "deploy/test_recovery",
    "deploy/test_resilience",
    "web/test_sanitizer",
    "api/test_merges",
    "api/test_supabase_py",
    "jobs/test_captured_pages",
    "api/test_isolation",
    "deploy/test_first_start",
    "jobs/test_killed_jobs",
    "deploy/test_commands",
    "api/test_mail",
]


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        service.begin_run()


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        service.end_run()


def pytest_collection_modifyitems(items):
    folder = Path(__file__).parent
    place = {folder / f"{name}.py": number for number, name in enumerate(FIRST)}
    assert all(path.exists() for path in place), "conftest.FIRST names a module that does not exist"
    items.sort(key=lambda item: place.get(item.path, len(place)))


@pytest.fixture(scope="session")
def lectern():
    """The running service that most tests share."""
    return service.shared()


@pytest.fixture(scope="session")
def instance(lectern):
    """The service of the users and connections below. A module that needs other settings defines its own."""
    return lectern


@pytest.fixture(scope="session")
def website():
    """A web site on loopback, full of real pages. Tests that need it are skipped where the pages are not at hand."""
    if not PAGES.is_dir():
        reason = f"the pages are not there: {PAGES}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with LoopbackSite(PAGES) as site:
        yield site


@pytest.fixture(scope="module")
def newspaper():
    """A web site on loopback, whose pages tests make and change."""
    with Newspaper() as site:
        yield site


@pytest.fixture(scope="session")
def browser_of_this_process():
    driver = extension_chromium.start() if extension_chromium.IS_WANTED else chromium_browser.start()
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def chromium(browser_of_this_process):
    """The browser of this test process, without a trace of the modules before.

    It is cleaned after each module, because a page that is left open goes on polling and drawing.
    """
    yield browser_of_this_process
    chromium_browser.forget(browser_of_this_process)


@pytest.fixture(autouse=True)
def living_browser(request):
    """Starts the browser of this test process again if a page has crashed in an earlier test."""
    if "browser_of_this_process" in request.fixturenames:
        driver = request.getfixturevalue("browser_of_this_process")
        if driver.has_crashed:
            driver.start_again()


@pytest.fixture
def alice(instance):
    return instance.sign_up(f"alice-{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def bob(instance):
    return instance.sign_up(f"bob-{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def admin(instance):
    """A connection to PostgreSQL as the admin."""
    with psycopg.connect(instance.database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def workers(instance):
    """A connection to PostgreSQL as the workers have it, without rights until it takes on a role."""
    with instance.login("authenticator", "authenticator_password") as connection:
        yield connection


@pytest.fixture
def jobs(instance):
    """A connection to PostgreSQL as the jobs have it."""
    with instance.login("lectern_jobs", "jobs_password") as connection:
        yield connection
