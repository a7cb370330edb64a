"""Upgrades: a backup before, the rows counted, a mismatch refused, and the way back."""

import os
import shutil
import subprocess

import pytest

from support.paths import CHECKOUT
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
        assert "public.links has 0 rows instead of 1" in said and "former version" in said
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
