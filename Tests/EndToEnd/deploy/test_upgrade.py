"""Upgrades: a backup before, the rows counted, a mismatch refused, and the way back."""

import os
import shutil
import subprocess

import pytest

from support import first_release
from support.client import User, wait_until
from support.paths import CHECKOUT
from support.searching import found
from support.service import Service


@pytest.fixture
def newer(tmp_path):
    """Makes a checkout with one more migration."""

    def make(name, text):
        checkout = tmp_path / name
        for folder in ["deploy", "nginx", "sql", "web"]:
            shutil.copytree(CHECKOUT / folder, checkout / folder)
        number = len(list((CHECKOUT / "sql/migrations").iterdir())) + 1
        (checkout / f"sql/migrations/{number:04}_{name}.sql").write_text(text)
        return checkout, f"before-{number:04}.tar"

    return make


def test_an_upgrade_saves_the_database_refuses_to_lose_rows_and_can_be_taken_back(newer):
    service = Service()
    try:
        service.run()
        assert list((service.home / "upgrade").iterdir()) == []
        user = service.sign_up()
        link = user.save("http://10.0.0.1/kept")["id"]

        # The running service stays as it is.
        service.checkout, _ = newer("loss", "set local role none; delete from public.links;")
        said = service.run(status=1)
        assert "public.links has 0 rows instead of 1" in said and "previous version" in said
        assert service.health() == 200 and [row["id"] for row in user.links()] == [link]

        service.checkout, name = newer("column", "alter table public.links add column probe text;")
        said = service.run()
        saved = service.home / "upgrade" / name
        assert str(saved) in said and list((service.home / "upgrade").iterdir()) == [saved]
        assert saved.stat().st_mode & 0o777 == 0o600
        assert user.links("select=probe") == [{"probe": None}]
        lost = user.save("http://10.0.0.1/later")["id"]

        back = [service.home / "bin/lectern", "restore", "--database", saved, "--home", service.home]
        environment = {"LECTERN_SQL_DIR": str(CHECKOUT / "sql")}
        running = subprocess.run(back, env=environment, capture_output=True, text=True)
        assert running.returncode == 1 and "deploy/stop" in running.stderr
        service.stop()
        done = subprocess.run(back, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done
        service.checkout = CHECKOUT
        service.run()
        rows = user.links()
        assert [row["id"] for row in rows] == [link] and "probe" not in rows[0] and lost != link
        assert (service.home / "postgres.before-restore").exists()
        # It is no backup of a whole home.
        whole = subprocess.run(
            [*back[:2], saved, "--home", service.folder / "other"], env=environment, capture_output=True
        )
        assert whole.returncode == 1 and b"--database" in whole.stderr and not os.path.exists(service.folder / "other")
    finally:
        service.remove()


def test_a_home_of_the_first_release_is_upgraded_also_when_its_database_was_restored(tmp_path):
    service = Service()
    try:
        service.run()
        user, token, rows = first_release.make(service, tmp_path / "sql")
        filled = {name for name in rows if rows[name]}
        assert {"auth.users", "auth.api_tokens", "public.links", "public.articles", "public.trash"} < filled

        saved = service.home / "upgrade/before-0002.tar"
        for again in [False, True]:
            if again:
                service.stop()
                done = service.lectern("restore", "--database", saved, "--home", service.home, service="migrate")
                assert done.returncode == 0, done
            assert f"{saved} is a backup" in service.run()
            now = first_release.rows_of_users(service)
            assert {name: now[name] for name in filled} == {name: rows[name] for name in filled}
            works_as_before(service, user, token)
    finally:
        service.remove()


def works_as_before(service, user, token):
    """The account, its links and all that was done with them are there, and what came later knows them."""
    session = service.auth("POST", "token?grant_type=password", {"email": user.email, "password": user.password}).json()
    again = User(service, session, user.password)
    listed = service.send("GET", "/rest/v1/links", {"Authorization": f"Bearer {token}"})
    assert len(again.links()) == len(listed.json()) == 3
    [link] = again.links(
        f"id=eq.{first_release.READY}"
        "&select=title,articles(text_content),tags(name),notes(body),highlights(quote,note),reading_progress(*)"
    )
    assert (link["title"], link["tags"]) == ("All about tea", [{"name": "drinks"}])
    assert link["articles"]["text_content"] == "Tea is a drink that people like."
    assert link["highlights"] == [{"quote": "a drink", "note": "Which one?"}]
    assert link["notes"]["body"] == "To be read *soon*." and link["reading_progress"][0]["percentage_complete"] == 0.4
    # Search and books came after 0.9.0.
    wait_until(lambda: set(found(again, "people")) == {first_release.READY, first_release.PLAIN})
    book = f"/books/{first_release.READY}.epub"
    wait_until(lambda: service.send("GET", book, again.headers).status == 200)
    # A save of another spelling finds the old link, and the link in the trash can be restored.
    again.rest("POST", "links", {"raw_url": "http://10.0.0.1/tea?utm_campaign=y"})
    assert len(again.links()) == 3
    [thrown] = again.rest("GET", "trash?select=link_id").json()
    assert again.rest("POST", "rpc/restore_link", {"link_id": thrown["link_id"]}).status == 200
