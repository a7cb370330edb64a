"""The page at /queue/ in a real browser: running, waiting and failed jobs, their reasons, and the actions on them."""

import os
import uuid

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support import service
from support.browser import CONTRAST, DESK, LOW, PHONE, AccountPage, watched
from support.client import wait_until
from support.feed_site import FeedSite, item, rss
from support.loopback_site import LoopbackSite

# The number of imported pages of one user that are fetched at once: half of all worker slots.
AT_ONCE = 4


class QueuePage(AccountPage):
    """The queue page in a browser."""

    def to_queue(self, user):
        self.sign_in(user, "queue/")
        self.settled()

    def again(self):
        """Reloads the page instead of waiting for its next poll."""
        self.driver.refresh()
        self.settled()

    def waits(self, section, text):
        """Waits until the section shows this text."""
        return wait_until(lambda: text in self.text(section) and self.text(section))

    def text(self, section):
        return self.script("return document.getElementById(arguments[0]).innerText", section)

    def button(self, section, text):
        return self.see(f"#{section} button", text)

    def save_screenshot(self, name):
        """Saves a screenshot in the folder LECTERN_TEST_SCREENSHOTS, if that is set."""
        if folder := os.environ.get("LECTERN_TEST_SCREENSHOTS"):
            self.driver.save_screenshot(f"{folder}/queue-{name}.png")


@pytest.fixture(scope="module")
def instance():
    """Failed jobs are not retried automatically, and fetches have long timeouts."""
    return service.shared(
        LECTERN_JOBS_RETRY_BASE="3600",
        LECTERN_JOBS_PARALLEL=str(2 * AT_ONCE),
        LECTERN_FETCH_TIMEOUT="600",
        LECTERN_FETCH_STALL_TIMEOUT="600",
    )


@pytest.fixture(scope="module")
def site():
    with LoopbackSite(None) as site:
        yield site


@pytest.fixture(scope="module")
def browser(instance, chromium):
    browser = QueuePage(instance.url, chromium)
    return browser


@pytest.fixture
def page(browser):
    yield from watched(browser, lambda: None)


@pytest.fixture
def held(site):
    """Pages that are sent when the test allows it, and at its end."""
    name = uuid.uuid4().hex[:8]
    yield Held(site, name)
    site.gates[name].release(1000)


class Held:
    def __init__(self, site, name):
        self.url, self.gate = f"{site.url}/held/{name}", site.gates[name]

    def urls(self, count):
        return [f"{self.url}/{n}" for n in range(count)]

    def let(self, count):
        self.gate.release(count)


def import_links(user, urls, **fields):
    answer = user.rest(
        "POST", "links", [{"raw_url": url} | fields for url in urls], X_Lectern_Intent="import", Prefer="return=minimal"
    )
    assert answer.status == 201, answer


def jobs(user, query=""):
    return user.rest("GET", f"jobs?order=id&{query}").json()


def begun(user, held, count):
    """An import of this many pages, once as many as a site allows are being fetched."""
    import_links(user, held.urls(count))
    wait_until(lambda: len(jobs(user, "state=eq.running")) == min(count, AT_ONCE))


def links_given_up(user, *urls):
    """Links whose jobs are buried."""
    ids = [user.save(url)["id"] for url in urls]
    wait_until(lambda: len(jobs(user, f"state=eq.buried&link_id=in.({','.join(ids)})")) == len(urls))
    return ids


# Running and waiting jobs


def test_an_empty_queue_is_shown_as_empty(page, alice):
    page.to_queue(alice)
    assert page.script("return document.title") == "Queue – Lectern"
    assert "Nothing is waiting." in page.text("work")
    assert "No imports." in page.text("imports")
    assert "Nothing has failed." in page.text("failures")
    assert "Nothing finished" in page.text("recent")
    assert "No page is known to be gone." in page.text("broken")
    assert not page.all("#all-users")[0].is_displayed()
    assert [button for button in page.all(".sections button") if button.is_displayed()] == []


def test_signing_in_returns_to_the_page_that_asked_for_it(page, alice):
    page.start()
    page.open("queue/")
    page.enter(alice.email, alice.password)
    page.see("#work .list-status", "Nothing is waiting")
    page.see("#bar a", "Account").click()
    page.see("#email", alice.email)
    page.see("#bar a", "Queue").click()
    page.see("#work")
    page.see("#logout").click()
    page.see("#login")


def test_an_import_shows_its_progress_without_a_reload(page, alice, held):
    begun(alice, held, 6)
    page.to_queue(alice)
    bar = lambda: page.script(
        "const bar = document.querySelector('#imports progress'); return [bar.value, bar.max, bar.ariaLabel]"
    )
    assert bar() == [0, 6, "Progress of the import of 6 links: 0 of 6"]
    assert "0 done · 4 under way · 2 waiting" in page.text("imports")
    held.let(2)
    page.waits("imports", "2 done · 4 under way")
    assert bar() == [2, 6, "Progress of the import of 6 links: 2 of 6"]
    held.let(4)
    page.waits("imports", "6 done")
    page.waits("imports", "Finished")
    assert not page.all("#imports progress")[0].is_displayed()
    assert "failed" not in page.text("imports") and "Cancel the rest" not in page.text("imports")
    page.waits("work", "Nothing is waiting.")
    wait_until(lambda: len(page.rows("recent")) == 6)
    assert all("Held and let go" in row and "fetched" in row and "took" in row for row in page.rows("recent"))


def test_the_list_keeps_scroll_position_and_focus_while_it_changes(page, alice, held):
    begun(alice, held, 7)
    page.to_queue(alice)
    waiting = wait_until(lambda: [one for one in page.all("#work li button") if one.is_displayed()][-1:])[0]
    page.script("arguments[0].focus(); arguments[0].closest('li').isMine = true; scrollTo(0, 120)", waiting)
    name = waiting.get_attribute("aria-label")
    held.let(2)
    page.waits("imports", "2 done")
    wait_until(lambda: len(page.rows("work")) == 5)
    assert page.focused() == waiting and waiting.get_attribute("aria-label") == name
    assert page.script("return document.activeElement.closest('li').isMine")
    assert page.script("return scrollY") == 120


@pytest.fixture
def fast_clock(browser):
    """Makes the timers of pages opened from now on run twenty times as fast."""
    script = (
        "const timeout = window.setTimeout; window.setTimeout = (work, ms, ...more) => timeout(work, ms / 20, ...more)"
    )
    added = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    yield
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_a_page_in_the_background_sends_no_requests(page, alice, held, fast_clock):
    begun(alice, held, 2)
    page.to_queue(alice)
    turn = (
        "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    asked = lambda: page.script(
        "return performance.getEntriesByType('resource').filter((one) => one.name.includes('/rest/')).length"
    )
    page.script(turn, True)
    before = asked()
    # As long as three polling intervals by the page's own clock, which runs faster; one poll may be under way.
    page.script("window.isLate = false; setTimeout(() => window.isLate = true, 10_000)")
    wait_until(lambda: page.script("return window.isLate"))
    assert asked() - before < 12
    held.let(2)
    wait_until(lambda: len(jobs(alice, "state=eq.done")) == 2)
    page.script(turn, False)
    page.waits("imports", "2 done")


def test_a_long_list_is_shown_page_by_page(page, alice, held):
    begun(alice, held, 25)
    page.to_queue(alice)
    assert len(page.rows("work")) == 20 and page.see("#work .badge").text == "25"
    page.click(page.see("#work .more"))
    wait_until(lambda: len(page.rows("work")) == 25)
    page.gone("#work .more")
    assert page.script("return document.activeElement !== document.body")


def test_a_failed_job_shows_its_reason_and_when_it_is_retried(page, alice):
    link = alice.save("http://127.0.0.9:9/nobody", title="Nobody is there")
    wait_until(lambda: jobs(alice, "state=eq.failed"))
    page.to_list(alice)
    page.see("#links .to-queue").click()
    row = page.row("work", "Nobody is there").text
    assert (
        "Fetch the page" in row and "failed once, next attempt in " in row and "The site could not be reached." in row
    )
    moment = page.see("#work time")
    assert moment.get_attribute("datetime").startswith("20") and moment.get_attribute("title")
    page.see("#work .head a").click()
    page.see("#reader h1", "Nobody is there")
    assert link["id"] in page.driver.current_url


# Cancelling


def test_a_waiting_job_can_be_cancelled_by_keyboard_and_put_back(page, alice, held):
    begun(alice, held, 5)
    page.to_queue(alice)
    (waiting,) = jobs(alice, "state=eq.pending")
    row = page.row("work", waiting["raw_url"].removeprefix("http://"))
    assert "waiting" in row.text
    row.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    page.see("#toast", "Removed from the queue: " + waiting["raw_url"].removeprefix("http://"))
    page.waits("failures", "It was removed from the queue before it was fetched.")
    wait_until(lambda: len(page.rows("work")) == 4)
    assert page.focused().get_attribute("id") == "work-name"
    # The toast may be about to go.
    page.script("document.querySelector('#toast button').click()")
    wait_until(lambda: len(page.rows("work")) == 5)
    page.waits("failures", "Nothing has failed.")
    held.let(5)
    assert alice.settled(waiting["link_id"])["state"] == "ready"


def test_a_running_job_cannot_be_cancelled(page, alice, held):
    begun(alice, held, 1)
    page.to_queue(alice)
    assert "under way" in page.rows("work")[0]
    assert [one for one in page.all("#work li button") if one.is_displayed()] == []


def test_the_rest_of_an_import_is_cancelled_after_confirmation(page, alice, held):
    begun(alice, held, 7)
    page.to_queue(alice)
    page.click(page.button("imports", "Cancel the rest"))
    page.answer_question("Remove 3 links from the queue?", "Go back")
    assert len(jobs(alice, "state=eq.pending")) == 3
    page.click(page.button("imports", "Cancel the rest"))
    page.answer_question("The links stay in your lists", "Cancel the rest")
    page.see("#toast", "3 links removed from the queue.")
    page.waits("imports", "0 done · 4 under way · 3 failed or removed")
    page.gone("#imports button", "Cancel the rest")
    wait_until(lambda: len(page.rows("failures")) == 3)
    held.let(4)
    page.waits("imports", "4 done · 3 failed or removed")
    page.waits("imports", "Finished")
    assert len(alice.links()) == 7


# Buried jobs


def test_a_buried_job_shows_its_reason_in_words_and_can_be_retried(page, alice, site):
    path = f"/maybe/{uuid.uuid4().hex}"
    site.missing.add(path)
    (id,) = links_given_up(alice, site.url + path)
    page.to_queue(alice)
    row = page.row("failures", path)
    assert "The site has no such page (status 404)." in row.text
    assert row.find_element(By.LINK_TEXT, "Open the original").get_attribute("href") == site.url + path
    assert page.see("#failures .badge").text == "1"
    page.save_screenshot("failure")
    site.missing.discard(path)
    page.press_in_row("failures", path, "Try again")
    page.see("#toast", "Trying again")
    page.gone("#failures li")
    page.waits("recent", "Here after all")
    assert alice.settled(id)["state"] == "ready"


def test_any_number_of_failures_can_be_retried_at_once(page, alice):
    """More than one request holds; each fails again at once, and none is tried twice."""
    import_links(alice, [f"ftp://127.0.0.1/{n}" for n in range(230)])
    buried = lambda: jobs(alice, "state=eq.buried&select=id")
    wait_until(lambda: len(buried()) == 230)
    newest = buried()[-1]["id"]
    page.to_queue(alice)
    assert len(page.rows("failures")) == 50
    page.click(page.button("failures", "Try all 230 again"))
    page.answer_question("Try 230 links again?", "Try all again")
    page.see("#toast", "Trying 230 links again.")
    wait_until(lambda: len(buried()) == 230 and buried()[0]["id"] > newest)
    # Retried in bulk, they come after links saved by hand.
    assert len(jobs(alice, f"id=gt.{newest}")) == 230


def test_failures_can_be_filtered_by_reason_with_the_count_of_each(page, alice, site):
    links_given_up(alice, f"{site.url}/gone/1", f"{site.url}/gone/2", "ftp://127.0.0.1/3")
    page.to_queue(alice)
    choice = page.see("#reason")
    options = [option.text for option in choice.find_elements(By.TAG_NAME, "option")]
    assert options == ["All (3)", "Not a web address (1)", "The site answered with an error (2)"]
    # One key, because the browser forgets the first one when the second one is late.
    choice.send_keys("T")
    wait_until(lambda: len(page.rows("failures")) == 2)
    before = jobs(alice, "state=eq.buried&reason=eq.blocked_scheme")
    page.click(page.button("failures", "Try all 2 again"))
    page.see("#toast", "Trying 2 links again.")
    wait_until(lambda: site.visits["/gone/1"] == site.visits["/gone/2"] == 2)
    assert jobs(alice, "state=eq.buried&reason=eq.blocked_scheme") == before


def test_a_page_without_an_article_is_done_and_shows_the_reason(page, alice, site):
    link = alice.settled(alice.save(f"{site.url}/empty")["id"])
    page.to_queue(alice)
    page.waits("recent", link["reason_message"])


# Feeds


def test_a_feed_is_added_paused_and_left_and_comes_and_goes_as_opml(page, alice, bob, tmp_path):
    for user, collection in (
        (alice, {"name": "Tea room"}),
        (alice, {"name": "Long", "query": "coffee"}),
        (bob, {"name": "Bob's"}),
    ):
        user.rest("POST", "collections", collection)
    page.to_queue(alice)
    assert "No feeds." in page.text("feeds")
    with FeedSite() as feeds:
        url = feeds.tell(rss(item(feeds.article(), "One"), title="Tea <b>& cake"))
        page.unfold("add-feed")
        page.fill("add-feed", url="ftp://x", tags="tea, feed")
        page.send("add-feed")
        page.field_error("add-feed", "url", "This is not a web address.")
        page.fill("add-feed", url=url)
        lists, collections = (Select(page.see(f"#add-feed [name={name}]")) for name in ("list", "collection_id"))
        lists.select_by_visible_text("Archive")
        # Only what links are put into by hand.
        wait_until(lambda: [option.text for option in collections.options] == ["None", "Tea room"])
        collections.select_by_visible_text("Tea room")
        page.send("add-feed")
        row = page.waits("feeds", "1 link saved")
        assert "Tea <b>& cake".replace("<b>", "") in row and "last read" in row and "next fetch" in row
        gone = feeds.tell("", status=410)
        alice.rest("POST", "feeds", {"url": gone, "title": "Gone"})
        page.again()
        assert "status 410" in page.waits("feeds", "paused")
        page.press_in_row("feeds", "Gone", "Unsubscribe")
        page.answer_question("Unsubscribe from “Gone”?", "Unsubscribe")
        page.see("#toast", "Unsubscribed: Gone")
        page.gone("#feeds li", "Gone")
    page.press_in_row("feeds", "Tea", "Pause")
    assert "Resume" in page.waits("feeds", "paused") and "Fetch now" not in page.text("feeds")
    page.press_in_row("feeds", "Tea", "Resume")
    page.waits("feeds", "Fetch now")
    page.press_in_row("feeds", "Tea", "Pause")
    page.waits("feeds", "paused")
    assert [row["tags"] for row in alice.rest("GET", "feeds").json()] == [["tea", "feed"]]
    [link] = alice.rest("GET", "links?select=list,collections(name)").json()
    assert link == {"list": "archive", "collections": [{"name": "Tea room"}]}
    exported = alice.rest("GET", "rpc/export_feeds").json()
    assert url in exported and 'category="tea,feed"' in exported
    file = tmp_path / "feeds.opml"
    file.write_text(exported.replace(url, "http://10.0.0.1/other"))
    page.unfold("add-feed")
    page.all("#opml")[0].send_keys(str(file))
    page.waits("feeds", "1 feed added.")
    assert len(alice.rest("GET", "feeds").json()) == 2 and bob.rest("GET", "feeds").json() == []


# Privacy and markup


def test_users_do_not_see_the_jobs_of_others(page, alice, bob, held, site):
    begun(bob, held, 5)
    links_given_up(bob, f"{site.url}/gone/bobs")
    page.to_queue(alice)
    for section in ["imports", "work", "failures", "recent"]:
        assert page.rows(section) == []
    assert "Nothing is waiting." in page.text("work")


# Rechecks


def pages_now_gone(instance, user, site, *names):
    """Pages that were read and do not exist any more."""
    paths = [f"/maybe/{uuid.uuid4().hex[:8]}/{name}" for name in names]
    for path in paths:
        assert user.settled(user.save(site.url + path)["id"])["state"] == "ready"
    site.missing.update(paths)
    run_page_checks(instance, user)
    return paths


def run_page_checks(instance, user, task="check-links", *options):
    done = instance.lectern("maintain", task, "--user", user.email, "--rate", "60000", *options, service="migrate")
    assert done.returncode == 0, done
    if not options:
        wait_until(lambda: not jobs(user, "state=in.(pending,running)"))


def test_a_page_that_is_gone_is_listed_with_what_is_stored_and_can_be_checked_again(page, instance, alice, bob, site):
    [path] = pages_now_gone(instance, alice, site, "a")
    page.to_queue(bob)
    assert "No page is known to be gone." in page.text("broken")
    page.open("account/")
    page.see("#logout").click()
    page.see("#login")
    page.to_queue(alice)
    [row] = page.rows("broken")
    assert (
        "Here after all" in row
        and "The site has no such page (status 404)." in row
        and "first missing" in row
        and "the saved article is kept" in row
    )
    assert page.rows("failures") == [] and page.text("broken").startswith("Gone from the web 1")
    site.missing.discard(path)
    page.click(page.button("broken", "Try again"))
    page.see("#toast", "Trying again: Here after all")
    page.waits("broken", "No page is known to be gone.")
    # A page check is not listed among the finished jobs.
    assert all("fetched" in row for row in page.rows("recent"))


def test_pages_to_be_rechecked_are_shown_as_a_number_without_a_list(page, instance, alice, site):
    for _ in range(2):
        assert alice.settled(alice.save(f"{site.url}/maybe/{uuid.uuid4().hex}")["id"])["state"] == "ready"
    run_page_checks(instance, alice, "refresh", "--rate", "1")
    # The first one is due in a minute.
    instance.sql(f"update private.jobs set run_at = run_at + interval '1 hour' where user_id = '{alice.id}'")
    page.to_queue(alice)
    page.see("#rechecks", "2 more pages are scheduled to be checked")
    assert page.rows("work") == []
    assert (
        instance.lectern("jobs", "cancel", "--kind", "refresh", "--user", alice.email, service="migrate").stdout
        == "2 removed from the queue\n"
    )
    page.again()
    page.gone("#rechecks")


def test_admins_see_how_many_jobs_of_all_users_wait_but_no_urls(page, instance, alice, bob, held, site):
    begun(bob, held, 6)
    links_given_up(bob, f"{site.url}/gone/secret")
    instance.sql(f"update auth.users set app_metadata = app_metadata || '{{\"admin\": true}}' where id = '{alice.id}'")
    page.to_queue(alice)
    page.see("#all-users h2")
    [row] = [row for row in page.rows("all-users") if bob.email in row]
    assert "4 under way · 2 waiting · 1 failed or removed" in row and "The site answered with an error 1" in row
    assert "secret" not in page.text("all-users") and "held" not in page.text("all-users")
    held.let(6)
    page.waits("all-users", "1 failed or removed")
    wait_until(lambda: "under way" not in page.text("all-users"))


def test_hostile_titles_and_urls_are_shown_as_text(page, alice, held, site):
    bite = '<img src=x onerror="window.bitten=1"><script>window.bitten=1</script>&lt;b&gt;'
    import_links(alice, held.urls(5), title=bite)
    links_given_up(
        alice,
        "javascript:window.bitten=1//<img src=x onerror=window.bitten=1>",
        f"{site.url}/gone/%22%3E<svg onload=window.bitten=1>",
    )
    # The last one keeps its button while the others are fetched.
    wait_until(lambda: len(jobs(alice, "state=eq.running")) == AT_ONCE)
    page.to_queue(alice)
    assert '<img src=x onerror="window.bitten=1"><script>window.bitten=1</script><b>' in page.rows("work")[0]
    assert any("javascript:window.bitten=1//<img" in row for row in page.rows("failures"))
    assert (
        page.script("return [...document.querySelectorAll('.rows :is(img, script, svg, b:not(#work b))')].length") == 0
    )
    hrefs = page.script("return [...document.querySelectorAll('.rows a[href]')].map((one) => one.href).filter(Boolean)")
    assert all(href.startswith((page.url, site.url)) for href in hrefs)
    page.click(page.button("work", "Cancel"))
    page.see("#toast", "Removed from the queue: <img")
    assert page.script("return window.bitten") is None


def test_a_section_that_fails_to_load_shows_an_error_and_can_be_retried(page, alice):
    page.to_queue(alice)
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/rest/v1/batches*"]})
    page.again()
    page.see("#imports .list-status", "The server is not responding")
    assert "Nothing is waiting." in page.text("work")
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    page.see("#imports .retry").click()
    page.see("#imports .list-status", "No imports.")
    page.gone("#imports .retry")
    assert all("ERR_BLOCKED_BY_CLIENT" in trouble for trouble in page.console_errors())


def test_a_session_ended_elsewhere_leads_to_the_sign_in_page(page, alice, instance):
    page.to_queue(alice)
    # The open page would notice it with its next poll.
    page.leave()
    assert instance.auth("POST", "logout?scope=global", Authorization=f"Bearer {alice.token}").status == 204
    page.script("localStorage.session = JSON.stringify({ ...JSON.parse(localStorage.session), until: 0 })")
    page.open("queue/")
    page.see("#login [role=alert]", "Your session has ended")
    assert all("status of 40" in trouble for trouble in page.console_errors())


def test_the_page_is_held_to_the_rules_of_the_others(instance):
    rules = [
        "content-security-policy",
        "referrer-policy",
        "x-content-type-options",
        "cross-origin-opener-policy",
        "permissions-policy",
        "cache-control",
    ]
    account, queue = (instance.send("GET", f"/{name}/") for name in ("account", "queue"))
    assert account.status == queue.status == 200 and queue["content-security-policy"]
    assert [queue[name] for name in rules] == [account[name] for name in rules]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen_and_has_enough_contrast_in_both_colour_schemes(
    page, instance, alice, held, site, scheme
):
    page.colours(scheme)
    page.to_queue(alice)

    def fits(name):
        for size in [PHONE, DESK]:
            page.size(*size)
            page.save_screenshot(f"{name}-{size[0]}-{scheme}")
            assert page.script("return document.documentElement.scrollWidth") <= size[0]
            assert page.script(CONTRAST) == []
            # Every control is large enough for a thumb and has a name.
            if size == PHONE:
                assert page.script(LOW) == []
        nameless = (
            "return [...document.querySelectorAll('button, a, select, progress')].filter((one) => one.checkVisibility()"
            "&& !(one.ariaLabel || one.innerText.trim() || one.labels?.length)).map((one) => one.outerHTML)"
        )
        assert page.script(nameless) == []

    fits("empty")
    pages_now_gone(instance, alice, site, "v" * 300)
    import_links(alice, held.urls(5), title="W" * 300)
    links_given_up(alice, f"{site.url}/gone/{'x' * 600}", "javascript:" + "y" * 300)
    instance.sql(f"update auth.users set app_metadata = app_metadata || '{{\"admin\": true}}' where id = '{alice.id}'")
    alice.save("http://127.0.0.9:9/" + "z" * 300)
    wait_until(lambda: len(jobs(alice, "state=eq.running")) == AT_ONCE and jobs(alice, "state=eq.failed"))
    held.let(1)
    wait_until(lambda: jobs(alice, "state=eq.done"))
    page.again()
    page.see("#imports progress")
    fits("busy")
    page.click(page.button("failures", "Try all 2 again"))
    page.see("#toast", "Trying 2 links again.")
    fits("told")
