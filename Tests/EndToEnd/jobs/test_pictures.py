"""Pictures: fetched, re-encoded, stored once, served to their user only, and deleted with the last article that shows
them."""

import os
import shutil
import signal
import threading
import uuid

import psycopg
import pytest

from support import service
from support.client import acting, wait_until
from support.database import delete_user
from support.picture_site import PictureSite

QUOTA = 200_000


@pytest.fixture(scope="module")
def instance():
    with service.own(LECTERN_JOBS_LEASE="5", LECTERN_PICTURE_QUOTA=str(QUOTA)) as instance:
        yield instance


@pytest.fixture(scope="module")
def site():
    with PictureSite() as site:
        yield site


def shown(user, link, kind="article"):
    answer = user.rest("GET", f"link_pictures?link_id=eq.{link}&kind=eq.{kind}&order=position&select=*,pictures(*)")
    assert answer.status == 200, answer
    return answer.json()


def settled(user, link, count, kind="article", seconds=150):
    """The link's pictures, once there are that many and none is waiting."""

    def probe():
        rows = shown(user, link, kind)
        return len(rows) == count and all(row["state"] != "waiting" for row in rows) and (rows or [True])

    rows = wait_until(probe, seconds)
    return rows if count else []


def saved(user, page, count):
    link = user.settled(user.save(page)["id"])
    assert link["state"] == "ready", link
    return link["id"], settled(user, link["id"], count)


def all_fetched(instance, user):
    """Waits for the pictures that are not in the article, too."""
    wait_until(
        lambda: (
            instance.sql(
                f"select from private.picture_jobs where user_id = '{user.id}' union all "
                f"select from private.picture_listings where user_id = '{user.id}' and state <> 'done'"
            )
            == []
        )
    )


def files(instance):
    return {
        str(path.relative_to(instance.home / "pictures"))
        for path in (instance.home / "pictures").rglob("*")
        if path.is_file()
    }


def get(instance, row):
    return instance.send("GET", "/pictures/" + row["pictures"]["address"])


def test_the_pictures_of_an_article_come_from_the_server(instance, site, alice):
    link, rows = saved(alice, site.page("/png/one?width=2000&height=50", "/svg", preview=site.url + "/png/preview"), 2)
    assert [row["state"] for row in rows] == ["kept", "kept"], rows
    for row, (width, height) in zip(rows, [(1600, 40), (60, 40)]):
        assert (row["pictures"]["width"], row["pictures"]["height"]) == (width, height)
        answer = get(instance, row)
        assert answer.status == 200 and answer["content-type"] == "image/webp"
        assert answer.body[:4] == b"RIFF" and answer.body[8:12] == b"WEBP" and b"script" not in answer.body
        assert answer["x-content-type-options"] == "nosniff" and "sandbox" in answer["content-security-policy"]
        assert "immutable" in answer["cache-control"] and "private" in answer["cache-control"]
    [preview] = settled(alice, link, 1, "preview")
    [icon] = settled(alice, link, 1, "icon")
    assert preview["state"] == icon["state"] == "kept" and icon["pictures"]["width"] == 16
    assert alice.article(link)["content"].count(site.url) >= 2, "the article keeps the pictures' own addresses"


@pytest.mark.parametrize(
    "path, reason",
    [
        ("/flood", "too_many_pixels"),
        ("/html", "not_a_picture"),
        ("/lie", "not_a_picture"),
        ("/large", "too_large"),
        ("/endless", "too_large"),
        ("/missing", "http_error"),
        ("/inward", "connection_failed"),
    ],
)
def test_a_response_that_is_not_an_acceptable_picture_is_refused_with_a_reason(instance, site, alice, path, reason):
    before = files(instance)
    _, [row] = saved(alice, site.page(f"{path}/{uuid.uuid4().hex}"), 1)
    assert (row["state"], row["reason"]) == ("failed", reason) and row["message"].endswith("."), row
    assert row["pictures"] is None
    [icon] = settled(alice, row["link_id"], 1, "icon")
    assert files(instance) - before <= {icon["pictures"]["address"]}


def test_a_picture_has_one_file_and_a_different_url_for_each_user(instance, site, alice, bob):
    name = uuid.uuid4().hex
    (_, [hers]), (_, [his]) = saved(alice, site.page(f"/png/{name}"), 1), saved(bob, site.page(f"/png/{name}"), 1)
    assert hers["hash"] == his["hash"] and hers["pictures"]["address"] != his["pictures"]["address"]
    paths = [instance.home / "pictures" / row["pictures"]["address"] for row in (hers, his)]
    assert paths[0].stat().st_ino == paths[1].stat().st_ino
    assert bob.rest("GET", f"pictures?hash=eq.{hers['hash']}&user_id=eq.{alice.id}").json() == []
    assert alice.rest("DELETE", f"links?id=eq.{hers['link_id']}").status in (200, 204)
    alice.rest("DELETE", f"trash?link_id=eq.{hers['link_id']}")
    wait_until(lambda: not paths[0].exists())
    assert get(instance, his).status == 200 and get(instance, hers).status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/pictures/",
        "/pictures/00/",
        "/pictures/00",
        "/pictures/../secrets/jwt_secret",
        "/pictures/..%2fsecrets%2fjwt_secret",
        "/pictures/00/" + "0" * 40 + ".webp",
        "/pictures/00/" + "0" * 40 + ".webp.part",
        "/pictures/%30%30/" + "0" * 40 + ".webp",
    ],
)
def test_only_pictures_are_served_below_pictures(instance, path):
    assert instance.send("GET", path).status in (400, 404)


def test_users_cannot_write_picture_rows(instance, site, alice):
    link, [row] = saved(alice, site.page("/png/mine"), 1)
    for method, target, body in [
        ("PATCH", f"link_pictures?id=eq.{row['id']}", {"source": "http://127.0.0.1/x"}),
        ("DELETE", f"pictures?hash=eq.{row['hash']}", None),
        ("POST", "link_pictures", {"link_id": link, "user_id": alice.id, "source": "http://127.0.0.1/x"}),
        (
            "POST",
            "pictures",
            {"user_id": alice.id, "hash": "0" * 64, "address": "x", "width": 1, "height": 1, "bytes": 1},
        ),
    ]:
        assert alice.rest(method, target, body).status == 403


def test_a_deleted_link_leaves_its_pictures_in_the_trash_and_comes_back_with_them(instance, site, alice):
    name = uuid.uuid4().hex
    link, [row] = saved(alice, site.page(f"/png/{name}"), 1)
    path = instance.home / "pictures" / row["pictures"]["address"]
    site.gone.add(f"/png/{name}")
    alice.rest("DELETE", f"links?id=eq.{link}")
    # Another picture is deleted because its link is purged from the trash; this one would be gone by then, too.
    other, [its] = saved(alice, site.page(f"/png/{uuid.uuid4().hex}", name=uuid.uuid4().hex), 1)
    alice.rest("DELETE", f"links?id=eq.{other}")
    alice.rest("DELETE", f"trash?link_id=eq.{other}")
    wait_until(lambda: not (instance.home / "pictures" / its["pictures"]["address"]).exists())
    assert path.exists()
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link}).status == 200
    [again] = settled(alice, link, 1)
    assert (
        again["state"] == "kept"
        and again["pictures"]["address"] == row["pictures"]["address"]
        and get(instance, again).status == 200
    )
    alice.rest("DELETE", f"links?id=eq.{link}")
    alice.rest("DELETE", f"trash?link_id=eq.{link}")
    wait_until(lambda: not path.exists() and alice.rest("GET", "pictures?select=hash").json() == [])


def test_two_merged_links_keep_their_pictures_when_they_are_unmerged(instance, site, alice):
    names = [uuid.uuid4().hex for _ in range(2)]
    (first, [hers]), (second, [his]) = [saved(alice, site.page(f"/png/{name}", name=name), 1) for name in names]
    files = [instance.home / "pictures" / row["pictures"]["address"] for row in (hers, his)]
    sources = instance.sql(f"select link_id::text from private.sources where user_id = '{alice.id}'")
    assert {id for (id,) in sources} == {first, second}
    site.gone.update(f"/png/{name}" for name in names)
    with instance.login("lectern_jobs", "jobs_password") as connection, connection.transaction():
        acting(connection, "job_worker", alice)
        connection.execute("select rest.merge_resolved_link(%s, %s, null)", (second, alice.link(first)["resolved_url"]))
    [merge] = alice.rest("GET", "link_merges").json()
    assert (merge["survivor_id"], merge["merged_id"]) == (first, second)
    [row] = settled(alice, first, 1)
    assert row["pictures"]["address"] == hers["pictures"]["address"] and all(file.exists() for file in files)
    assert instance.sql(f"select link_id::text from private.sources where user_id = '{alice.id}'") == [(first,)]
    assert alice.rest("POST", "rpc/unmerge", {"merge_id": merge["id"]}).status == 200
    for link, before in ((first, hers), (second, his)):
        [row] = settled(alice, link, 1)
        assert (row["state"], row["pictures"]) == ("kept", before["pictures"]) and get(instance, row).status == 200


def test_deleting_a_link_waits_until_its_pictures_are_listed(instance, site, alice):
    link = alice.settled(alice.save(site.page(f"/png/{uuid.uuid4().hex}"))["id"])["id"]
    settled(alice, link, 1)
    deleted = []
    with psycopg.connect(instance.database_url) as lister:
        lister.execute(
            "update private.picture_listings set state = 'running', lease = 9, leased_until = 'infinity' where link_id = %s",
            (link,),
        )
        lister.commit()
        assert lister.execute("select private.holds_listing(%s, 9)", (link,)).fetchone() == (True,)
        deletion = threading.Thread(target=lambda: deleted.append(alice.rest("DELETE", f"links?id=eq.{link}")))
        deletion.start()
        wait_until(
            lambda: instance.sql(
                "select pid from pg_stat_activity where usename = 'authenticator' and wait_event_type = 'Lock'"
            )
        )
        # A deadlock would end too, a second later, and one transaction would be repeated.
        lister.execute("set local lock_timeout = '900ms'")
        lister.execute("select rest.list_pictures(%s, '{article}', '{http://127.0.0.2/other.png}', 100)", (link,))
    deletion.join()
    assert deleted[0].status == 204
    assert alice.rest("GET", f"link_pictures?link_id=eq.{link}").json() == []


def test_a_picture_is_deleted_when_no_article_shows_it_any_more(instance, site, alice):
    link, [row] = saved(alice, site.page(f"/png/{uuid.uuid4().hex}"), 1)
    path = instance.home / "pictures" / row["pictures"]["address"]
    # The list shows the picture too.
    instance.sql(f"update public.links set image = null where id = '{link}'")
    instance.sql(f"update public.articles set content = '<p>none' where link_id = '{link}'")
    settled(alice, link, 0)
    wait_until(lambda: not path.exists())


def test_a_deleted_account_leaves_no_file(instance, site, alice):
    _, [row] = saved(alice, site.page(f"/png/{uuid.uuid4().hex}"), 1)
    path = instance.home / "pictures" / row["pictures"]["address"]
    with psycopg.connect(instance.database_url, autocommit=True) as connection:
        delete_user(connection, alice.id)
    wait_until(lambda: not path.exists())
    assert instance.sql(f"select count(*) from private.unused_pictures where user_id = '{alice.id}'") == [(0,)]


def test_a_picture_beyond_the_quota_is_refused_with_a_message(instance, site, bob):
    instance.sql(f"""insert into public.pictures (user_id, hash, address, width, height, bytes)
        values ('{bob.id}', repeat('a', 64), '{uuid.uuid4().hex}', 1, 1, {QUOTA})""")
    _, [row] = saved(bob, site.page(f"/png/{uuid.uuid4().hex}"), 1)
    assert (row["state"], row["reason"]) == ("failed", "quota") and "kB" in row["message"]
    all_fetched(instance, bob)
    assert not [path for path in files(instance) if path.endswith(".part")]


@pytest.mark.timeout(900)
def test_a_picture_beyond_the_limit_per_link_is_reported_at_once(instance, site, alice):
    paths = [f"/png/{n}?width=9&height={9 + n % 3}" for n in range(203)]
    link = alice.settled(alice.save(f"{site.url}/page/many?pictures=")["id"])["id"]
    content = "".join(f'<img src="{site.url}{path}">' for path in paths)
    instance.sql(f"update public.articles set content = '{content}' where link_id = '{link}'")
    rows = settled(alice, link, 203, seconds=800)
    assert [row["state"] for row in rows] == ["kept"] * 200 + ["skipped"] * 3
    assert rows[-1]["reason"] == "too_many" and "200" in rows[-1]["message"]
    # A shorter article stays within the limit.
    content = "".join(f'<img src="{site.url}{path}">' for path in paths[-2:])
    instance.sql(f"update public.articles set content = '{content}' where link_id = '{link}'")
    assert [row["state"] for row in settled(alice, link, 2)] == ["kept"] * 2


def test_a_failed_picture_is_fetched_when_its_user_asks(instance, site, alice, bob):
    name = uuid.uuid4().hex
    site.gone.add(f"/png/{name}")
    link, [row] = saved(alice, site.page(f"/png/{name}"), 1)
    assert row["state"] == "failed" and row["reason"] == "http_error"
    site.gone.discard(f"/png/{name}")
    assert bob.rest("POST", "rpc/fetch_pictures", {"link_id": link}).json() is False
    listed = alice.rest("GET", f"link_pictures?link_id=eq.{link}&kind=eq.article")
    assert listed.json()[0]["state"] == "failed"
    assert alice.rest("POST", "rpc/fetch_pictures", {"link_id": link}).json() is True
    # A conditional request sees the change.
    assert (
        alice.rest(
            "GET", f"link_pictures?link_id=eq.{link}&kind=eq.article", **{"If-None-Match": listed["etag"]}
        ).status
        == 200
    )
    assert settled(alice, link, 1)[0]["state"] == "kept"


def test_pictures_missing_when_a_link_was_deleted_are_fetched_when_it_is_restored(instance, site, alice):
    name = uuid.uuid4().hex
    site.gone.add(f"/png/{name}")
    link, _ = saved(alice, site.page(f"/png/{name}"), 1)
    alice.rest("DELETE", f"links?id=eq.{link}")
    site.gone.discard(f"/png/{name}")
    assert alice.rest("POST", "rpc/restore_link", {"link_id": link}).status == 200
    assert settled(alice, link, 1)[0]["state"] == "kept"
    [icon] = settled(alice, link, 1, "icon")
    assert icon["state"] == "kept"


def test_a_killed_jobs_process_leaves_nothing_half_done_and_is_started_again(instance, site, alice):
    names = [uuid.uuid4().hex for _ in range(6)]
    link = alice.settled(alice.save(site.page(*[f"/slow/{name}" for name in names]))["id"])["id"]
    wait_until(lambda: any(f"/slow/{name}" in site.visits for name in names))
    for process in instance.processes("lectern", "jobs", "run"):
        os.kill(process, signal.SIGKILL)
    rows = settled(alice, link, 6)
    assert [row["state"] for row in rows] == ["kept"] * 6
    all_fetched(instance, alice)
    # A sweep removes what the killed process had begun to write.
    assert not [path for path in files(instance) if not path.endswith((".webp", ".webp.part"))]
    assert all(get(instance, row).status == 200 for row in rows)


def test_a_sweep_removes_differences_between_rows_and_files(instance, site, alice):
    _, rows = saved(alice, site.page(*[f"/png/{uuid.uuid4().hex}" for _ in range(3)]), 3)
    path = instance.home / "pictures" / rows[0]["pictures"]["address"]
    path.unlink()
    said = sweep(instance)
    assert said.returncode == 0 and "pictures without a file: 1" in said.stdout, said
    again = wait_until(lambda: (row := shown(alice, rows[0]["link_id"])[0])["state"] == "kept" and row)
    assert get(instance, again).status == 200
    assert "pictures without a file: 0" in sweep(instance).stdout


def test_a_missing_picture_folder_deletes_no_rows(instance, site, alice):
    saved(alice, site.page(*[f"/png/{uuid.uuid4().hex}" for _ in range(12)]), 12)
    all_fetched(instance, alice)
    folder, aside = instance.home / "pictures", instance.home / "pictures-aside"
    before = instance.sql("select count(*) from public.pictures")
    folder.rename(aside)
    try:
        for _ in range(2):
            said = sweep(instance)
            assert said.returncode == 1 and "are missing" in said.stderr
            folder.mkdir(exist_ok=True)
        # Pictures that could not be stored are not requested either.
        folder.rmdir()
        late = uuid.uuid4().hex
        link = alice.settled(alice.save(site.page(f"/png/{late}"))["id"])["id"]
        wait_until(
            lambda: instance.sql(
                f"select count(*) from private.picture_jobs where user_id = '{alice.id}' and reason = 'storage'"
            )[0][0]
        )
        assert f"/png/{late}" not in site.visits
        assert instance.sql("select count(*) from public.pictures")[0][0] >= before[0][0]
        folder.mkdir()
    finally:
        shutil.rmtree(folder)
        aside.rename(folder)
    assert sweep(instance).returncode == 0
    assert settled(alice, link, 1)[0]["state"] == "kept"


def sweep(instance, *options):
    return instance.lectern(
        "maintain",
        "sweep-pictures",
        *options,
        LECTERN_DATABASE_URL=instance.database_url,
        LECTERN_HOME=str(instance.home),
    )


def test_the_admin_can_list_waiting_and_stored_pictures(instance, site, alice):
    saved(alice, site.page("/png/looked-at"), 1)
    said = instance.lectern("maintain", "storage", "--json", LECTERN_DATABASE_URL=instance.database_url)
    assert said.returncode == 0 and '"picture_bytes"' in said.stdout, said
    assert instance.lectern("maintain", "queue", LECTERN_DATABASE_URL=instance.database_url).returncode == 0


def test_an_admin_can_have_lost_picture_files_fetched_again(instance, site, alice):
    link, rows = saved(alice, site.page(*[f"/png/{uuid.uuid4().hex}" for _ in range(12)]), 12)
    all_fetched(instance, alice)
    for path in files(instance):
        (instance.home / "pictures" / path).unlink()
    said = sweep(instance)
    assert (
        said.returncode == 1
        and "--even-most" in said.stderr
        and all(row["state"] == "kept" for row in shown(alice, link))
    )
    assert sweep(instance, "--even-most", "--dry-run").returncode == 0
    assert sweep(instance, "--even-most").returncode == 0
    again = wait_until(
        lambda: len(rows := settled(alice, link, 12)) == 12 and all(row["pictures"] for row in rows) and rows
    )
    assert all(get(instance, row).status == 200 for row in again)
