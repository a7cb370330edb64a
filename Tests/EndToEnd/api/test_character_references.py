"""Character references in texts: texts of a page are stored decoded, texts of a client as sent, and both are shown
correctly."""

import base64
import json
import os
import random
import subprocess
import uuid
from html.entities import html5

import psycopg
import pytest

COUNT = 30_000


@pytest.fixture(scope="session")
def decode(lectern):
    def run(text, status=0):
        done = subprocess.run(
            [lectern.home / "bin/lectern", "text", "decode-entities"],
            input=text.encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=240,
        )
        assert done.returncode == status, done.stderr
        return done

    return run


def texts(count, seed):
    """Texts full of character references, incomplete ones and lookalikes."""
    chance = random.Random(seed)
    names = sorted(html5)
    pieces = [
        lambda: "&" + chance.choice(names),
        lambda: "&" + chance.choice(names).rstrip(";"),
        lambda: "&" + chance.choice(names)[: chance.randrange(1, 8)],
        lambda: "&" + chance.choice(names) + chance.choice("aZ9;=&#"),
        lambda: (
            f"&#{chance.choice([0, 38, 128, 159, 55296, 65533, 65534, 1114111, 1114112, chance.randrange(10 ** chance.randrange(1, 25))])}"
        ),
        lambda: (
            f"&#{chance.choice('xX')}{chance.randrange(16 ** chance.randrange(1, 12)):{chance.choice(['x', 'X', '08x'])}}"
        ),
        lambda: chance.choice(
            [
                "&",
                "&#",
                "&#x",
                ";",
                "&;",
                " ",
                "\n",
                "a",
                "Ü",
                "🍵",
                "<b>",
                "'",
                "\\",
                "amp;",
                "#38;",
                "&" + "a" * 40 + ";",
            ]
        ),
    ]
    # PostgreSQL has no U+0000.
    return [
        "".join(chance.choice(pieces)() + chance.choice(["", "", ";", " "]) for _ in range(chance.randrange(1, 9)))
        for _ in range(count)
    ]


def test_the_database_and_the_command_agree_on_thirty_thousand_texts(admin, decode):
    given = (
        texts(COUNT, os.environ.get("LECTERN_TEST_SEED", "1"))
        + [f"&#{number};" for number in range(400)]
        + [f"&{name}" for name in html5]
    )
    found = [
        json.loads(line) for line in decode("".join(json.dumps(text) + "\n" for text in given)).stdout.splitlines()
    ]
    rows = admin.execute(
        "select rest.decode_entities(text) from unnest(%s::text[]) with ordinality as given (text, n) order by n",
        (given,),
    )
    decided = [text for (text,) in rows]
    assert len(found) == len(decided) == len(given)
    assert [case for case in zip(given, decided, found) if case[1] != case[2]][:5] == []
    assert found[-len(html5) :] == list(html5.values())


def test_the_database_knows_every_character_reference_of_the_standard(admin):
    assert dict(admin.execute("select name, characters from rest.character_references").fetchall()) == html5


@pytest.mark.parametrize(
    "text",
    [
        "&" * 50_000,
        "&a" * 25_000,
        "&#" * 25_000,
        "&#1" * 17_000,
        "&" + "a" * 50_000,
        "&#" + "9" * 50_000,
        "&amp;" * 10_000,
        "&#x" + "0" * 50_000,
    ],
)
def test_a_long_text_made_to_be_slow_is_decoded_quickly(admin, decode, text):
    with admin.transaction():
        admin.execute("set local statement_timeout = '30s'")
        (decided,) = admin.execute("select rest.decode_entities(%s)", (text,)).fetchone()
    assert decided == json.loads(decode(json.dumps(text)).stdout)


def test_the_command_reads_and_writes_one_json_string_a_line(decode):
    given = ["A &amp;amp; B", 'caf&eacute; "5 &gt; 4"', "a\nb &#0; &#13;", "", "\ud800 &amp;", "\0 &lt;"]
    lines = decode("\n".join(json.dumps(text) for text in given)).stdout.decode().split("\n")
    assert lines.pop() == "" and [json.loads(line) for line in lines] == [
        "A &amp; B",
        'café "5 > 4"',
        "a\nb \ufffd \r",
        "",
        "\ufffd &",
        "\0 <",
    ]
    assert decode('"&eacute;"\r\n').stdout == '"é"\n'.encode()
    assert decode("").stdout == b""


@pytest.mark.parametrize("line", ["", "&amp;", "1", "null", '["a"]', '"a', '"a" "b"', '"\\x"'])
def test_a_line_that_is_no_json_string_is_named_and_ends_the_work(decode, line):
    done = decode(f'"&lt;"\n{line}\n"&gt;"\n', status=1)
    assert done.stderr == b"lectern: line 2 is not a JSON string\n" and done.stdout == b'"<"\n'


# Texts of pages


def saved(user, website, head):
    """The link of an article with this head, once the server has read it."""
    place = base64.urlsafe_b64encode(head.encode()).decode()
    return user.settled(user.save(f"{website.url}/head/{place}?{uuid.uuid4()}")["id"])


HEAD = "<title>A title of the page &amp;lt; its own</title><meta name=description content='What it is about.'>"


@pytest.mark.parametrize(
    "head, title, description",
    [
        ("<title>A &amp;amp; B, and a few words more</title>", "A &amp; B, and a few words more", None),
        (
            "<title>A &amp; B, and a few words more</title><meta name=description content='5 &amp;gt; 4 &amp;#38; so'>",
            "A & B, and a few words more",
            "5 &gt; 4 &#38; so",
        ),
        (
            "<title>x</title><meta property='og:title' content='Q&amp;amp;A'><meta property='og:description' content='&notit; &copy=1'>",
            "Q&amp;A",
            "&notit; &copy=1",
        ),
        ("<title>Fish &ampChips &#150; caf&eacute</title>", "Fish &Chips – café", None),
        (
            """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "L&#8217;&eacute;t&eacute; &amp;amp; B",
     "description": "5 &gt; 4"}</script>""",
            "L’été &amp; B",
            "5 > 4",
        ),
    ],
)
def test_texts_of_a_page_are_stored_as_a_browser_shows_them(admin, alice, website, head, title, description):
    link = saved(alice, website, head)
    assert (link["title"], link["title_is_text"]) == (title, True)
    if description:
        assert (link["description"], link["description_is_text"]) == (description, True)
    stored = admin.execute(
        "select title, metadata_is_text from public.articles where link_id = %s", (link["id"],)
    ).fetchone()
    assert stored == (title, True)


# Which texts count as decoded


def words(admin, id):
    """The link's title and description, each with whether it counts as decoded."""
    return admin.execute(
        "select title, title_is_text, description, description_is_text from public.links where id = %s", (id,)
    ).fetchone()


def test_texts_from_clients_are_stored_as_sent_and_not_marked_as_decoded(admin, alice):
    id = alice.save(
        f"http://127.0.0.2/{uuid.uuid4()}",
        title="Q&amp;A &#039;",
        description="&lt;b&gt;",
        title_is_text=True,
        description_is_text=True,
    )["id"]
    assert words(admin, id) == ("Q&amp;A &#039;", False, "&lt;b&gt;", False)


def test_only_a_value_changed_by_a_client_stops_being_text(admin, alice, website):
    link = saved(alice, website, HEAD)
    assert words(admin, link["id"]) == ("A title of the page &lt; its own", True, "What it is about.", True)

    def change(**fields):
        assert alice.rest("PATCH", f"links?id=eq.{link['id']}", fields).status == 204

    change(title=link["title"], is_starred=True)
    assert words(admin, link["id"])[1::2] == (True, True)
    change(title_is_text=False, description_is_text=None)
    assert words(admin, link["id"])[1::2] == (True, True)
    change(title="My &amp; title", title_is_text=True)
    assert words(admin, link["id"]) == ("My &amp; title", False, "What it is about.", True)
    change(title=None, description=None, state="pending")
    alice.settled(link["id"])
    assert words(admin, link["id"]) == ("A title of the page &lt; its own", True, "What it is about.", True)


def test_the_admin_can_mark_texts_as_decoded_and_other_writes_by_the_admin_are_not(admin, alice):
    id = alice.save(f"http://127.0.0.2/{uuid.uuid4()}", title="a")["id"]
    admin.execute("update public.links set title = 'b', title_is_text = true where id = %s", (id,))
    assert words(admin, id)[:2] == ("b", True)
    admin.execute("update public.links set title = 'c' where id = %s", (id,))
    assert words(admin, id)[:2] == ("c", False)


def test_a_restored_link_has_all_its_columns_again(admin, alice, website):
    id = saved(alice, website, HEAD)["id"]
    before = words(admin, id)
    assert alice.rest("DELETE", f"links?id=eq.{id}").status == 204
    assert alice.rest("POST", "rpc/restore_link", {"link_id": id}).status == 200
    assert words(admin, id) == before and before[1]
    assert alice.article(id)["metadata_is_text"] is True


def test_an_export_decodes_a_clients_title_and_keeps_a_pages_title(admin, alice, lectern):
    for title, is_text in [("Q&amp;amp;A", False), ("Q&amp;amp;B", True)]:
        admin.execute(
            "insert into public.links (user_id, raw_url, title, title_is_text) values (%s, %s, %s, %s)",
            (alice.id, f"http://127.0.0.2/{uuid.uuid4()}", title, is_text),
        )
    # The jobs write texts this way.
    with lectern.login("lectern_jobs", "jobs_password") as jobs, jobs.transaction():
        (cursor,) = jobs.execute("select private.personal_reading(%s, null, false)", (alice.id,)).fetchone()
        assert {row[0] for row in jobs.execute(f'fetch all from "{cursor}"')} == {"Q&amp;A", "Q&amp;amp;B"}


@pytest.mark.parametrize("role", ["authenticated", "service_role", "job_worker", "anon"])
def test_only_the_admin_can_run_the_clean_up(workers, jobs, role):
    connection = jobs if role == "job_worker" else workers
    with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
        connection.execute(f"set local role {role}")
        connection.execute("select private.decode_entities_batch(null, 10, true)")
