"""Pages captured in a user's browser, stored pages, and highlights that follow their passages."""

import os
import signal
import uuid

import pytest

from support import service
from support.client import wait_until
from support.loopback_site import SENTENCES, article

STUB = article("A report", "What it is about.", paragraphs=1).replace(
    "</article>", "<p>Subscribe to continue reading. Already a subscriber? Log in.</p></article>"
)
FULL = article("A report", "What it is about.", marker="All of it.", paragraphs=9)
CONSENT = """<!doctype html><title>Before you go on</title><div role="dialog"><h2>We value your privacy</h2>
<p>We and our 845 partners store cookies on your device.</p><button>Accept all</button><button>Reject</button></div>"""
NOTHING = "<!doctype html><title>A report</title>"


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5", LECTERN_KEEP_SOURCE_LIMIT="1000000") as instance:
        yield instance


def send(user, url, html, **more):
    answer = user.rest("POST", "rpc/save_page", {"url": url, "html": html} | more)
    assert answer.status == 200, answer
    return user.settled(answer.json()[0]["id"])


def again(user, link):
    """Retries a link and waits for the result."""
    user.rest("PATCH", f"links?id=eq.{link['id']}", {"state": "pending"})
    return user.settled(link["id"])


def idle(admin, link):
    wait_until(
        lambda: not admin.execute("select 1 from private.jobs where link_id = %s", (link["id"],)).fetchone(),
        seconds=120,
    )


def view(user, link):
    found = user.article(link["id"])
    return found and (found["source"], found["source_reason"], "All of it." in found["text_content"])


def kept(admin, link):
    return dict(admin.execute("select kind, html from private.sources where link_id = %s", (link["id"],)).fetchall())


def mark_as_outdated(admin, *links):
    """As if an older extractor had made these articles."""
    for link in links:
        admin.execute("update public.articles set extractor_version = 0 where link_id = %s", (link["id"],))
        admin.execute("update private.sources set read_by = 0 where link_id = %s", (link["id"],))
        admin.execute("update private.pages set read_by = 0 where link_id = %s", (link["id"],))


def re_extract(instance, admin, user, *links, options=()):
    done = instance.lectern(
        "maintain",
        "re-extract",
        "--user",
        user.email,
        "--rate",
        "60000",
        "--json",
        *options,
        LECTERN_DATABASE_URL=instance.database_url,
    )
    assert done.returncode == 0, done
    for link in links:
        idle(admin, link)
    return done.stdout


# Captured or fetched


@pytest.mark.parametrize(
    "html, expected, reason",
    [
        (FULL, "client", {"whole", "longer"}),
        (CONSENT, "server", {"only", "longer"}),
        ("", "server", {"only"}),
        ("Nothing at all <", "server", {"only", "longer"}),
        ("%PDF-1.7\n1 0 obj", "server", {"only", "longer"}),
        ("\ufffd\u0001" * 2000, "server", {"only", "longer"}),
    ],
    ids=["full", "consent", "empty", "text", "pdf", "binary"],
)
def test_the_better_of_the_sent_and_the_fetched_page_becomes_the_article_with_a_reason(
    alice, newspaper, html, expected, reason
):
    link = send(alice, newspaper.page(STUB if expected == "client" else FULL), html)
    assert (link["state"], link["reason"], link["title"]) == ("ready", None, "A report")
    source, why, is_full = view(alice, link)
    assert (source, is_full) == (expected, True) and why in reason


@pytest.mark.parametrize("status", [404, 500, 403])
def test_a_page_the_server_cannot_fetch_is_read_as_it_was_sent(alice, newspaper, status):
    url = newspaper.page("<title>Sorry</title>", status)
    link = send(alice, url, FULL)
    assert (link["state"], link["reason"], link["title"], link["resolved_url"]) == ("ready", None, "A report", url)
    assert view(alice, link) == ("client", None, True)


def test_without_an_article_in_either_page_the_reason_is_that_of_the_fetch(alice, newspaper):
    link = send(alice, newspaper.page("<title>Sorry</title>", 404), NOTHING)
    assert (link["state"], link["reason"]) == ("failed", "http_error") and view(alice, link) is None


def test_a_sent_page_is_sanitized_like_any_page(alice, newspaper):
    bite = FULL.replace(
        "</p>", '<img src=x onerror="bite()"><script>bite()</script><a href="javascript:bite()">x</a></p>', 1
    )
    link = send(alice, newspaper.page(STUB), bite)
    assert view(alice, link)[0] == "client" and "bite" not in alice.article(link["id"])["content"]


def test_a_sent_page_is_visible_to_its_sender_only(alice, bob, newspaper):
    url = newspaper.page(STUB)
    mine, theirs = send(alice, url, FULL), bob.settled(bob.save(url)["id"])
    assert view(alice, mine)[0] == "client" and view(bob, theirs) == ("server", None, False)


@pytest.mark.parametrize(
    "html, status", [(None, 400), ("a\0b", 400), ("x" * 10_485_761, 413)], ids=["null", "nul", "large"]
)
def test_a_page_that_cannot_be_stored_is_refused_and_nothing_is_saved(alice, newspaper, html, status):
    answer = alice.rest("POST", "rpc/save_page", {"url": newspaper.page(FULL), "html": html})
    assert answer.status == status and set(answer.json()) >= {"code", "message"}
    assert alice.links() == []


# Later versions


@pytest.mark.parametrize(
    "later, reason",
    [((STUB, 200), "login_wall"), ((CONSENT, 200), "no_article"), (("", 200), "no_article")],
    ids=["stub", "consent", "empty"],
)
@pytest.mark.parametrize("first", ["server", "client"])
def test_a_worse_fetch_does_not_replace_a_good_article(alice, admin, newspaper, first, later, reason):
    url = newspaper.page(FULL if first == "server" else STUB)
    link = send(alice, url, CONSENT if first == "server" else FULL)
    before = alice.article(link["id"])
    assert before["source"] == first
    newspaper.change(url, *later)
    told = again(alice, link)
    assert alice.article(link["id"]) == before and told["word_count"] == link["word_count"]
    assert (
        told["state"] == "ready" and told["reason"] in (reason, "worse_page") and "was kept" in told["reason_message"]
    )
    if first == "server":
        assert kept(admin, link)["server"] == FULL
    newspaper.change(url, FULL.replace("All of it.", "All of it. And news."))
    assert again(alice, link)["reason"] is None
    assert "And news." in alice.article(link["id"])["text_content"]


def test_a_worse_page_sent_later_does_not_replace_the_better_one_which_stays_stored(instance, alice, admin, newspaper):
    link = send(alice, newspaper.page(STUB), FULL)
    told = send(alice, link["raw_url"], STUB)
    assert view(alice, told)[::2] == ("client", True)
    assert kept(admin, link)["client"] == FULL
    mark_as_outdated(admin, link)
    re_extract(instance, admin, alice, link)
    assert view(alice, link)[::2] == ("client", True) and alice.article(link["id"])["extractor_version"] > 0
    better = FULL.replace("All of it.", "All of it. More.")
    assert view(alice, send(alice, link["raw_url"], better))[0] == "client"
    assert "More." in alice.article(link["id"])["text_content"] and "client" not in kept(admin, link)


def test_a_page_sent_while_its_link_is_being_processed_is_read_too(alice, newspaper):
    url = f"{newspaper.url}/slow/{uuid.uuid4().hex}"
    send_now = lambda html: alice.rest("POST", "rpc/save_page", {"url": url, "html": html}).json()[0]
    link = send_now(CONSENT)
    wait_until(lambda: newspaper.visits.get(url.removeprefix(newspaper.url)), every=0.01)
    send_now(article("A report", marker="All of it.", paragraphs=20))
    wait_until(lambda: alice.article(link["id"]) and view(alice, link) == ("client", "longer", True))


# Stored pages


def test_an_article_is_extracted_again_from_the_stored_page_without_a_fetch(instance, alice, bob, admin, newspaper):
    fetched, sent = alice.settled(alice.save(newspaper.page(FULL))["id"]), send(alice, newspaper.page(STUB), FULL)
    theirs = bob.settled(bob.save(newspaper.page(FULL))["id"])
    before = [alice.article(link["id"]) for link in (fetched, sent)]
    visits = [newspaper.visits_of(link["raw_url"]) for link in (fetched, sent)]
    admin.execute(
        "update public.articles set text_content = 'of old', content = 'of old' where user_id in (%s, %s)",
        (alice.id, bob.id),
    )
    mark_as_outdated(admin, fetched, sent, theirs)
    for link in (fetched, sent):
        newspaper.change(link["raw_url"], "gone", 503)
    assert '"before":2' in re_extract(instance, admin, alice, options=["--dry-run"])
    assert '"changed":2' in re_extract(instance, admin, alice, fetched, sent)
    changing = ("extracted_at", "source_reason")
    after = [alice.article(link["id"]) for link in (fetched, sent)]
    assert [{k: v for k, v in row.items() if k not in changing} for row in after] == [
        {k: v for k, v in row.items() if k not in changing} for row in before
    ]
    assert [newspaper.visits_of(link["raw_url"]) for link in (fetched, sent)] == visits
    assert [alice.link(link["id"]) for link in (fetched, sent)] == [fetched, sent]
    assert bob.article(theirs["id"])["text_content"] == "of old"
    assert re_extract(instance, admin, alice) == '[{"what":"articles","before":0,"changed":0,"after":0}]\n'


def test_re_extraction_fetches_a_page_that_is_not_stored(instance, alice, admin, newspaper):
    link = alice.settled(alice.save(newspaper.page(FULL))["id"])
    admin.execute("delete from private.sources where link_id = %s", (link["id"],))
    mark_as_outdated(admin, link)
    re_extract(instance, admin, alice, link)
    assert newspaper.visits_of(link["raw_url"]) == 2 and alice.article(link["id"])["extractor_version"] > 0
    assert kept(admin, link) == {"server": FULL}


def test_an_extractor_reads_a_stored_page_only_once(instance, alice, admin, newspaper):
    link = alice.settled(alice.save(newspaper.page(FULL))["id"])
    admin.execute("update private.sources set html = %s where link_id = %s", (NOTHING, link["id"]))
    mark_as_outdated(admin, link)
    re_extract(instance, admin, alice, link)
    assert (
        "All of it." in alice.article(link["id"])["text_content"]
        and alice.article(link["id"])["extractor_version"] == 0
    )
    assert '"before":0' in re_extract(instance, admin, alice, options=["--dry-run"])


def test_re_extraction_delays_no_save_and_a_retry_by_the_user_fetches_at_once(instance, alice, admin, newspaper):
    link = alice.settled(alice.save(newspaper.page(FULL))["id"])
    admin.execute(
        "insert into private.jobs (kind, user_id, link_id, run_at) values ('extract', %s, %s, now() + interval '1 hour')",
        (alice.id, link["id"]),
    )
    newspaper.change(link["raw_url"], FULL.replace("All of it.", "All of it. News."))
    again(alice, link)
    assert "News." in alice.article(link["id"])["text_content"]
    admin.execute("delete from private.jobs where link_id = %s", (link["id"],))


def test_a_large_page_is_read_and_not_kept(alice, admin, newspaper):
    url = newspaper.page(FULL)
    link = alice.settled(alice.save(url)["id"])
    assert kept(admin, link)
    newspaper.change(url, FULL.replace("</body>", f"<!-- {'x' * 1_000_000} --></body>"))
    again(alice, link)
    assert kept(admin, link) == {}


def test_a_stored_page_is_used_only_for_the_url_it_was_fetched_from(alice, admin, newspaper):
    url = newspaper.page(STUB)
    link = send(alice, url, FULL)
    other = newspaper.page(article("Another", marker="Another.", paragraphs=4))
    assert alice.rest("PATCH", f"links?id=eq.{link['id']}", {"raw_url": other}).status == 204
    alice.settled(link["id"])
    assert view(alice, link) == ("server", None, False) and "Another." in alice.article(link["id"])["text_content"]
    alice.rest("PATCH", f"links?id=eq.{link['id']}", {"raw_url": url})
    alice.settled(link["id"])
    assert view(alice, link)[::2] == ("client", True)


def test_a_stored_page_is_counted_exported_and_deleted_with_its_link(instance, alice, admin, newspaper):
    link = alice.settled(alice.save(newspaper.page(FULL))["id"])
    counted = lambda: admin.execute(
        "select pages, page_bytes from private.storage where id = %s", (alice.id,)
    ).fetchone()
    assert counted() == (1, len(FULL.encode()))
    assert ("private.sources",) in admin.execute("select name from private.personal_tables").fetchall()
    alice.rest("DELETE", f"links?id=eq.{link['id']}")
    assert counted() == (0, 0)


# Highlights


def mark(user, link, quote, text=None, **more):
    text = text or user.article(link["id"])["text_content"]
    start = len(text[: text.index(quote)].encode("utf-16-le")) // 2
    row = {
        "link_id": link["id"],
        "quote": quote,
        "prefix": text[: text.index(quote)][-32:],
        "suffix": text[text.index(quote) + len(quote) :][:32],
        "start_offset": start,
        "end_offset": start + len(quote.encode("utf-16-le")) // 2,
    } | more
    answer = user.rest("POST", "highlights", row, Prefer="return=representation")
    assert answer.status == 201, answer
    return answer.json()[0]


def marked(user, highlight):
    return user.rest("GET", f"highlights?id=eq.{highlight['id']}").json()[0]


def passage(user, link, highlight):
    """The text at the position of the highlight."""
    row = marked(user, highlight)
    text = user.article(link["id"])["text_content"].encode("utf-16-le")
    return text[2 * row["start_offset"] : 2 * row["end_offset"]].decode("utf-16-le")


def test_highlights_follow_their_passages_get_lost_and_are_found_without_counting_as_a_users_action(
    alice, admin, newspaper
):
    passages = ["The first 🙂 claim of it.", "A second claim, and a long one.", "What will be gone by then."]
    page = lambda *texts: article("A report", paragraphs=4).replace(
        "</article>", "".join(f"<p>{t} {SENTENCES}</p>" for t in texts) + "</article>"
    )
    url = newspaper.page(page(*passages))
    link = alice.settled(alice.save(url)["id"])
    one, two, gone = [mark(alice, link, quote) for quote in passages]
    idle(admin, link)
    assert [marked(alice, h) for h in (one, two, gone)] == [one, two, gone]
    newspaper.change(url, page("Put in front.", passages[1].replace(" ", "\n", 1), passages[0]))
    again(alice, link)
    assert passage(alice, link, one) == passages[0]
    assert passage(alice, link, two).split() == passages[1].split()
    assert marked(alice, one)["start_offset"] > one["start_offset"] and not marked(alice, one)["orphaned_at"]
    lost = marked(alice, gone)
    assert lost["orphaned_at"] and lost | {"orphaned_at": None} == gone
    for before in (one, two, gone):
        after = marked(alice, before)
        assert [after[n] for n in ("updated_at", "acted_at", "quote", "note")] == [
            before[n] for n in ("updated_at", "acted_at", "quote", "note")
        ]
    newspaper.change(url, page(*passages[::-1]))
    again(alice, link)
    assert not marked(alice, gone)["orphaned_at"] and passage(alice, link, gone) == passages[2]


def test_an_offline_edit_wins_over_a_later_move_by_the_server(alice, admin, newspaper):
    url = newspaper.page(FULL)
    link = alice.settled(alice.save(url)["id"])
    highlight = mark(alice, link, "What matters is")
    acted = admin.execute("select to_char(now() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')").fetchone()[0]
    newspaper.change(url, FULL.replace("<p>", "<p>Put in front, for a change. </p><p>", 1))
    again(alice, link)
    answer = alice.rest(
        "PATCH", f"highlights?id=eq.{highlight['id']}", {"note": "Written offline"}, X_Lectern_Acted_At=acted
    )
    assert answer.status < 300 and marked(alice, highlight)["note"] == "Written offline"
    assert passage(alice, link, highlight) == "What matters is"


def test_a_highlight_made_in_an_older_text_finds_its_place_in_the_new_one(alice, admin, newspaper):
    url = newspaper.page(FULL)
    link = alice.settled(alice.save(url)["id"])
    text = alice.article(link["id"])["text_content"]
    newspaper.change(url, FULL.replace("<p>", "<p>Put in front, for a change. </p><p>", 1))
    again(alice, link)
    highlight = mark(alice, link, "What matters is", text)
    idle(admin, link)
    assert passage(alice, link, highlight) == "What matters is"
    # Clients cannot set whether the article contains the passage.
    stray = mark(
        alice, link, "What nobody wrote there, ever.", "What nobody wrote there, ever.", orphaned_at="2001-01-01"
    )
    assert stray["orphaned_at"] is None
    wait_until(lambda: marked(alice, stray)["orphaned_at"])
    alice.rest("PATCH", f"highlights?id=eq.{stray['id']}", {"orphaned_at": None, "color": "blue"})
    assert marked(alice, stray)["orphaned_at"]


def test_an_article_extracted_again_from_its_stored_page_keeps_its_highlights(instance, alice, bob, admin, newspaper):
    link = alice.settled(alice.save(newspaper.page(FULL))["id"])
    theirs = bob.settled(bob.save(link["raw_url"])["id"])
    highlights = [
        mark(alice, link, "What matters is"),
        mark(alice, link, "perhaps twice"),
        mark(bob, theirs, "in peace"),
    ]
    idle(admin, link)
    # At once, as the jobs process looks for the highlights in an article that has changed.
    with admin.transaction():
        admin.execute(
            "update public.articles set text_content = 'Of an older extractor. ' || text_content where link_id = %s",
            (link["id"],),
        )
        admin.execute(
            "update public.highlights set start_offset = start_offset + 23, end_offset = end_offset + 23"
            " where link_id = %s",
            (link["id"],),
        )
    idle(admin, link)
    mark_as_outdated(admin, link)
    re_extract(instance, admin, alice, link)
    assert [marked(user, h) for user, h in zip((alice, alice, bob), highlights)] == highlights


def test_the_number_of_highlights_is_limited_but_a_restored_or_merged_link_keeps_all_it_has(alice, admin, newspaper):
    url = newspaper.page(FULL)
    link = alice.settled(alice.save(url)["id"])
    other = alice.settled(alice.save(newspaper.page(NOTHING))["id"])
    fill = lambda link, count: admin.execute(
        "insert into public.highlights (user_id, link_id, quote) select %s, %s, 'What matters is' from generate_series(1, %s)",
        (alice.id, link["id"], count),
    )
    count = lambda link: admin.execute(
        "select count(*) from public.highlights where link_id = %s", (link["id"],)
    ).fetchone()[0]
    post = lambda rows: alice.rest("POST", "highlights", rows, Prefer="return=representation")
    row = {"link_id": link["id"], "quote": "in peace"}
    fill(link, 4998)
    assert post([row, row, row]).json()["message"] == "a link can have at most 5000 highlights" and count(link) == 4998
    assert post([row, row]).status == 201
    answer = post(row)
    assert answer.status == 400 and answer.json()["message"] == "a link can have at most 5000 highlights"
    [stray] = post(row | {"link_id": other["id"]}).json()
    assert alice.rest("PATCH", f"highlights?id=eq.{stray['id']}", {"link_id": link["id"]}).status == 400
    fill(link, 1000)
    # The job that positions highlights locks all of them, for longer than a request may take.
    idle(admin, link)
    assert alice.rest("PATCH", f"highlights?link_id=eq.{link['id']}", {"color": "blue"}).status < 300
    idle(admin, link)
    assert alice.rest("DELETE", f"links?id=eq.{link['id']}").status < 300
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]}).status == 200 and count(link) == 6000
    fill(other, 4999)
    idle(admin, link)
    idle(admin, other)
    with admin.transaction():
        admin.execute("select rest.merge_links(%s, %s, 'clean-up')", (link["id"], other["id"]))
    assert count(link) == 11000


# Killed processes


def test_a_job_killed_in_the_middle_is_retried_and_loses_nothing(instance, alice, admin, newspaper):
    links = [send(alice, newspaper.page(STUB), FULL) for _ in range(6)]
    highlights = [mark(alice, link, "What matters is") for link in links]
    for link in links:
        idle(admin, link)
    admin.execute("update public.articles set text_content = 'of old' where user_id = %s", (alice.id,))
    mark_as_outdated(admin, *links)
    (jobs,) = instance.processes("lectern", "jobs", "run")
    os.kill(jobs, signal.SIGSTOP)
    re_extract(instance, admin, alice)
    os.kill(jobs, signal.SIGCONT)
    for victim in (instance.processes("lectern", "jobs", "run") * 2)[:2]:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for link in links:
        wait_until(
            lambda: not admin.execute("select 1 from private.jobs where link_id = %s", (link["id"],)).fetchone(),
            seconds=120,
        )
        assert view(alice, link)[::2] == ("client", True) and alice.link(link["id"])["state"] == "ready"
    assert [marked(alice, h) for h in highlights] == highlights
