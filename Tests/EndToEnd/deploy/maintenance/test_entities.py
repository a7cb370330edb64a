"""The clean-up of texts with HTML entities that old versions and imports left. It goes over all rows of a service, so it
has one of its own."""

import subprocess
import uuid

import pytest

from support.database import delete_user
from support.paths import CHECKOUT


@pytest.fixture
def old_rows(admin, instance):
    """The ids of links that need the clean-up, and of some that do not."""
    user = instance.sign_up().id

    def add(title, description=None, is_text=False, **article):
        (id,) = admin.execute(
            "insert into public.links (user_id, raw_url, title, title_is_text, description, updated_at) "
            "values (%s, %s, %s, %s, %s, '2020-01-02') returning id",
            (user, f"http://127.0.0.2/{uuid.uuid4()}", title, is_text, description),
        ).fetchone()
        if article:
            row = article | {
                "link_id": id,
                "user_id": user,
                "url": "x",
                "content": "&amp;amp;",
                "text_content": "&amp;",
                "length": 5,
                "word_count": 1,
                "extractor_version": 1,
            }
            admin.execute(
                f"insert into public.articles ({', '.join(row)}) values ({', '.join(['%s'] * len(row))})",
                list(row.values()),
            )
        return id

    yield [
        add("It&#039;s &amp;amp; that", "caf&eacute;"),
        add("R&D, plain"),
        add(None, "a &lt; b"),
        add("Text: &amp;", is_text=True),
        add("Nothing to do"),
        add("Of an article", byline="A &amp; B", excerpt="&quot;x&quot;", site_name="S&amp;S"),
    ]
    delete_user(admin, user)


NEEDED = 3


def rows(admin, ids):
    return admin.execute(
        "select l.title, l.title_is_text, l.description, l.description_is_text, a.title, a.byline, a.excerpt, a.site_name, a.content, a.metadata_is_text, "
        "l.updated_at::date::text from public.links l left join public.articles a on a.link_id = l.id "
        "where id = any(%s) order by array_position(%s::uuid[], id)",
        (ids, ids),
    ).fetchall()


def clean(admin, is_dry_run, most):
    """Runs the clean-up in batches and returns how many links were seen and how many changed."""
    after, seen, changed = None, 0, 0
    while True:
        after, here, touched = admin.execute(
            "select * from private.decode_entities_batch(%s, %s, %s)", (after, most, is_dry_run)
        ).fetchone()
        seen, changed = seen + here, changed + touched
        if after is None:
            return seen, changed


@pytest.mark.parametrize("most", [1, 2, 6, 1_000])
def test_old_rows_are_decoded_once_and_a_second_run_changes_nothing(admin, old_rows, most):
    before = rows(admin, old_rows)
    assert clean(admin, True, most) == (len(old_rows), NEEDED) and rows(admin, old_rows) == before
    assert clean(admin, False, most) == (len(old_rows), NEEDED)
    after = rows(admin, old_rows)
    assert [row[:4] for row in after] == [
        ("It's &amp; that", True, "café", True),
        ("R&D, plain", False, None, False),
        (None, False, "a < b", True),
        ("Text: &amp;", True, None, False),
        ("Nothing to do", False, None, False),
        ("Of an article", False, None, False),
    ]
    assert after[-1][4:10] == (None, "A & B", '"x"', "S&S", "&amp;amp;", True)
    assert {row[-1] for row in after} == {"2020-01-02"}
    assert clean(admin, False, most) == (len(old_rows), 0) and rows(admin, old_rows) == after


def test_a_stopped_run_continues_where_it_was(admin, old_rows):
    place, _, first = admin.execute("select * from private.decode_entities_batch(null, 3, false)").fetchone()
    assert place == sorted(old_rows)[2]
    _, seen, second = admin.execute("select * from private.decode_entities_batch(%s, 10, false)", (place,)).fetchone()
    assert (seen, first + second) == (3, NEEDED)
    assert admin.execute(
        "select * from private.decode_entities_batch(%s, 10, false)", (sorted(old_rows)[-1],)
    ).fetchone() == (None, 0, 0)


def test_the_sql_file_is_a_dry_run_unless_apply_is_set(admin, instance, old_rows):
    def run(*more):
        done = subprocess.run(
            [
                "psql",
                instance.database_url,
                "-XqAt",
                "-v",
                "ON_ERROR_STOP=1",
                *more,
                "-f",
                CHECKOUT / "sql/maintenance/decode_entities.sql",
            ],
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run() == f"links|{NEEDED}|0|{NEEDED}" == run()
    assert run("-v", "apply=1") == f"links|{NEEDED}|{NEEDED}|0"
    assert run() == "links|0|0|0"
