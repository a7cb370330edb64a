"""Links without dedupe keys, or with keys made by older rules: what `lectern maintain` does with them, and how it is
undone."""

import subprocess

import pytest

from support.client import wait_until
from support.maintenance import environment, slow_batches, snapshot

SITE = "http://127.0.0.2"
TABLES = ["public.links", "public.link_tags", "public.highlights", "public.link_aliases", "public.link_merges"]


def old(admin, user, *urls, resolved=None, key=None):
    """Adds links as an older version left them, oldest first, without dedupe keys unless one is given."""
    ids = []
    with admin.transaction():
        admin.execute("alter table public.links disable trigger key_link")
        for day, url in enumerate(urls, 1):
            ids += admin.execute(
                """
                insert into public.links (user_id, raw_url, resolved_url, dedupe_key, title, state, created_at, updated_at)
                values (%s, %s, %s, %s, %s, 'ready', %s, %s) returning id::text""",
                (user.id, url, resolved, key, f"Title {day}", f"2025-01-0{day}", f"2025-02-0{day}"),
            ).fetchone()
        admin.execute("alter table public.links enable trigger key_link")
    return ids


@pytest.fixture
def spellings(admin, reader, other):
    """For each of two users, three spellings of one page and another page, two of them with a tag or a highlight."""
    ids = {}
    for user in (reader, other):
        ids[user] = old(admin, user, f"{SITE}/a", f"{SITE}/a/?utm_source=x", "https://127.0.0.2/a#b", f"{SITE}/other")
        tag = user.rest("POST", "tags", {"name": "t"}, Prefer="return=representation").json()[0]["id"]
        user.rest("POST", "link_tags", {"link_id": ids[user][1], "tag_id": tag})
        user.rest("POST", "highlights", {"link_id": ids[user][2], "quote": "q"})
    return ids


def test_spellings_of_one_page_are_merged_into_the_oldest(admin, maintain, reader, other, spellings):
    before = snapshot(admin, *TABLES)
    assert maintain("duplicates", "--dry-run") == {"links": (8, 0, 8)} and snapshot(admin, *TABLES) == before
    assert maintain("duplicates") == {"links": (8, 8, 0)}
    for user in (reader, other):
        first, second, third, last = spellings[user]
        links = {link["id"]: link for link in user.links()}
        assert set(links) == {first, last}
        assert (
            links[first]["dedupe_key"] == "https://127.0.0.2/a"
            and links[last]["dedupe_key"] == "https://127.0.0.2/other"
        )
        assert links[first]["title"] == "Title 1" and links[first]["updated_at"].startswith("2025-02-03")
        assert (
            len(user.rest("GET", f"link_tags?link_id=eq.{first}").json())
            == len(user.rest("GET", f"highlights?link_id=eq.{first}").json())
            == 1
        )
        assert {row["value"] for row in user.rest("GET", "link_aliases?kind=eq.id").json()} == {second, third}
        assert {row["reason"] for row in user.rest("GET", "link_merges").json()} == {"clean-up"}
    after = snapshot(admin, *TABLES)
    assert maintain("duplicates") == {} and snapshot(admin, *TABLES) == after


def test_links_of_one_account_are_merged_alone(admin, maintain, reader, other, spellings):
    assert maintain("duplicates", "--user", reader.email) == {"links": (4, 4, 0)}
    assert (len(reader.links()), len(other.links())) == (2, 4)


def test_duplicates_are_merged_from_psql(maintain, psql, reader, spellings):
    assert psql("duplicates") == [("links", "8", "0", "8")] and len(reader.links()) == 4
    assert psql("duplicates", apply=1) == [("links", "8", "8", "0")] and len(reader.links()) == 2


def test_a_link_that_resolves_to_another_is_merged_with_it(admin, maintain, reader):
    page = reader.save(f"{SITE}/page")["id"]
    [short] = old(admin, reader, f"{SITE}/s1", resolved=f"{SITE}/page")
    for front in ("", "/login"):
        old(admin, reader, f"{SITE}/s2{front}", resolved=f"{SITE}/login" if front else f"{SITE}/")
    reader.save(f"{SITE}/")
    maintain("duplicates")
    assert {link["id"] for link in reader.links()} >= {short} and page not in {link["id"] for link in reader.links()}
    assert len(reader.links()) == 4
    assert maintain("duplicates") == {}


def test_links_that_a_user_keeps_apart_stay_apart(admin, maintain, reader, spellings):
    maintain("duplicates", "--user", reader.email)
    merge = reader.rest("GET", f"link_merges?merged_id=eq.{spellings[reader][1]}").json()[0]["id"]
    assert len(reader.rest("POST", "rpc/unmerge", {"merge_id": merge}).json()) == 2
    assert maintain("duplicates", "--user", reader.email) == maintain("rekey", "--user", reader.email) == {}
    assert len(reader.links()) == 3


def test_keys_made_by_an_older_list_of_trackers_are_updated(admin, maintain, psql, reader, other):
    stale = []
    for user in (reader, other):
        [new] = old(admin, user, f"{SITE}/a", key="https://127.0.0.2/a")
        stale += old(admin, user, f"{SITE}/a?fbclid=1", key="https://127.0.0.2/a?fbclid=1")
        stale += old(admin, user, f"{SITE}/b?fbclid=1", key="https://127.0.0.2/b?fbclid=1")
        admin.execute(
            "insert into link_aliases (user_id, link_id, kind, value) values (%s, %s, 'key', 'https://127.0.0.2/s?fbclid=2')",
            (user.id, new),
        )
    before = snapshot(admin, *TABLES)
    assert maintain("rekey", "--dry-run") == {"keys": (6, 0, 6)} and snapshot(admin, *TABLES) == before
    assert psql("rekey") == [("keys", "6", "0", "6")]
    # A link that a merge has already handled needs nothing more.
    for arguments in (["--user", reader.email], []):
        before, changed, after = maintain("rekey", *arguments)["keys"]
        assert (before, after) == (3, 0) and 2 <= changed <= 3
    for user in (reader, other):
        assert {link["dedupe_key"] for link in user.links()} == {"https://127.0.0.2/a", "https://127.0.0.2/b"}
        assert "https://127.0.0.2/s" in {row["value"] for row in user.rest("GET", "link_aliases?kind=eq.key").json()}
    after = snapshot(admin, *TABLES)
    assert maintain("rekey") == {} and snapshot(admin, *TABLES) == after


def run(instance, *words):
    return subprocess.run(
        [instance.home / "bin/lectern", "maintain", *words],
        env=environment(instance),
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_an_admin_undoes_a_merge(instance, admin, maintain, psql, reader, other, spellings):
    maintain("duplicates")
    listed = maintain("unmerge", "--user", reader.email)
    assert {row["merged_id"] for row in listed} == set(spellings[reader][1:3]) and len(maintain("unmerge")) == 4
    merge = next(row["id"] for row in listed if row["merged_id"] == spellings[reader][1])
    before = snapshot(admin, *TABLES)
    assert [row["id"] for row in maintain("unmerge", merge, "--dry-run")] == [merge]
    assert any(merge in row for row in psql("unmerge", merge=merge)) and snapshot(admin, *TABLES) == before
    assert [row["id"] for row in maintain("unmerge", merge)] == spellings[reader][:2]
    again = run(instance, "unmerge", merge)
    assert (again.returncode, again.stdout) == (1, "") and "no merge" in again.stderr
    assert run(instance, "unmerge", "nonsense").returncode == 1
    merge = next(row["id"] for row in maintain("unmerge", "--user", other.email))
    assert any(spellings[other][0] in row for row in psql("unmerge", merge=merge, apply=1))
    assert len(reader.links()) == len(other.links()) == 3


def test_old_merges_are_deleted(admin, maintain, psql, reader, other, spellings):
    maintain("duplicates")
    admin.execute("update link_merges set merged_at = now() - interval '91 days' where user_id = %s", (reader.id,))
    assert maintain("purge-merges", "--days", "92") == {}
    assert psql("purge_merges") == [("merges", "2", "0", "2")]
    assert maintain("purge-merges") == {"merges": (2, 2, 0)}
    assert reader.rest("GET", "link_merges").json() == [] and len(other.rest("GET", "link_merges").json()) == 2


def test_entities_of_old_rows_are_decoded(admin, maintain, reader, other):
    for user in (reader, other):
        user.settled(user.save("no address", title="Q&amp;A &#039;x&#039;", description="plain")["id"])
    assert maintain("decode-entities", "--dry-run") == {"links": (2, 0, 2)}
    assert maintain("decode-entities", "--user", reader.email) == {"links": (1, 1, 0)}
    assert [link["title"] for link in reader.links()] == ["Q&A 'x'"] and other.links()[0]["title"].startswith("Q&amp;")
    assert maintain("decode-entities") == {"links": (1, 1, 0)} and maintain("decode-entities") == {}


def test_a_killed_run_continues(instance, admin, maintain, reader):
    old(admin, reader, *[f"{SITE}/k{n}" for n in range(1, 10)])
    admin.execute("""alter table public.links disable trigger key_link""")
    admin.execute(
        """insert into public.links (user_id, raw_url, state) select %s, 'http://127.0.0.2/many/' || n / 2 || repeat('/', n %% 2), 'ready'
        from generate_series(1, 1200) n""",
        (reader.id,),
    )
    admin.execute("""alter table public.links enable trigger key_link""")
    with slow_batches(admin):
        process = subprocess.Popen(
            [instance.home / "bin/lectern", "maintain", "duplicates"],
            env=environment(instance),
            stdout=subprocess.DEVNULL,
        )
        wait_until(lambda: admin.execute("select count(*) from link_merges").fetchone()[0] > 50, every=0.01)
        process.kill()
        process.wait()
    assert admin.execute("select count(*) from links where dedupe_key is null").fetchone()[0] > 0
    maintain("duplicates")
    assert admin.execute("select count(*), count(dedupe_key), count(distinct dedupe_key) from links").fetchone() == (
        610,
        610,
        610,
    )
    assert maintain("duplicates") == {}


def test_a_key_that_another_has_by_older_rules_is_no_reason_to_merge(admin, maintain, reader):
    # By the old rules the second link has the key that the first has now; and two links have each other's key.
    ids = old(admin, reader, f"{SITE}/watch?utm_x=1", key="https://127.0.0.2/watch?utm_x=1") + old(
        admin, reader, f"{SITE}/watch?part=1", key="https://127.0.0.2/watch"
    )
    ids += old(admin, reader, f"{SITE}/x?a=1", key="https://127.0.0.2/x?a=2") + old(
        admin, reader, f"{SITE}/x?a=2", key="https://127.0.0.2/x?a=1"
    )
    assert maintain("rekey")["keys"][::2] == (4, 0)
    assert {link["id"]: link["dedupe_key"] for link in reader.links()} == dict(
        zip(
            ids,
            [
                "https://127.0.0.2/watch",
                "https://127.0.0.2/watch?part=1",
                "https://127.0.0.2/x?a=1",
                "https://127.0.0.2/x?a=2",
            ],
        )
    )
    assert reader.rest("GET", "link_merges").json() == []
