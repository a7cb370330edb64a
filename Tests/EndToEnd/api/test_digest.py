"""The digest of what was archived in a time: what it lists, in which formats, and for whom."""

import re
import uuid
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from support import service
from support.searching import add_link

FORMATS = ["html", "markdown", "text"]
HOSTILE = "<script>alert(1)</script> \"'&amp; [a](http://x) *b* `c` ![d](e) \x01\u2028 # e"


@pytest.fixture(scope="module")
def instance():
    return service.shared()


def add(admin, user, title, archived_at="2026-01-15", **columns):
    columns = {"title": title, "list": "archive", "is_starred": True, "archived_at": archived_at} | columns
    return add_link(admin, user, **columns)


def tag(user, name, *links):
    id = str(uuid.uuid4())
    assert user.rest("POST", "tags", {"id": id, "name": name}).status == 201
    for link in links:
        assert user.rest("POST", "link_tags", {"link_id": link, "tag_id": id}).status == 201


def digest(user, format="text", since="2026-01-01", before="2026-02-01", **more):
    answer = user.rest("POST", "rpc/digest", {"from": since, "to": before, "format": format} | more)
    assert answer.status == 200, answer
    text = answer.json()
    assert isinstance(text, str)
    return text


class Page(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses, self.texts, self.styles = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name == "href"]
        self.styles += [value for name, value in attributes if name == "style"]

    def handle_data(self, data):
        self.texts.append(data)


# What a digest lists


def test_a_digest_lists_what_was_archived_in_the_time_from_inclusive_to_exclusive(admin, alice):
    add(admin, alice, "at the start", "2026-01-01T00:00:00Z")
    add(admin, alice, "before the end", "2026-01-31T23:59:59.999999Z")
    add(admin, alice, "too early", "2025-12-31T23:59:59.999999Z")
    add(admin, alice, "too late", "2026-02-01T00:00:00Z")
    add(admin, alice, "no star", is_starred=False)
    add_link(admin, alice, title="not archived", is_starred=True)
    text = digest(alice)
    assert text.startswith("1 January 2026 – 31 January 2026\n====")
    assert re.findall(r"^(?:at|before|too|no)\b.*", text, re.M) == ["before the end", "at the start"]
    assert "at the start" in digest(alice, before="2026-01-01T00:00:00.000001Z")
    assert "too late" in digest(alice, since="2026-02-01", before="2026-02-02")
    assert "no star" in digest(alice, query="-is:starred")
    assert "Nothing was archived" in digest(alice, since="2026-01-01", before="2026-01-01")


def test_entries_are_grouped_by_tag_and_stand_once(admin, alice):
    tea, cake, both, none = (add(admin, alice, title) for title in ["Oolong", "Torte", "Scones", "Alone"])
    tag(alice, "tea", tea, both)
    tag(alice, "Cake", cake)
    tag(alice, "afternoon", both)
    expected = ["Cake", "Torte", "tea", "Other", "Alone"]
    for format, pattern in {
        "html": r">([\w ]+)</(?:h2|a|h3)>",
        "markdown": r"^###? \[?([\w ]+)",
        "text": r"^(\w+)$",
    }.items():
        found = re.findall(pattern, digest(alice, format), re.M)
        assert [name for name in found if name in expected] == expected, format
        assert sorted(found[found.index("tea") + 1 : found.index("Other")]) == ["Oolong", "Scones"]


def test_a_digest_without_tags_has_no_headings_of_groups(admin, alice):
    add(admin, alice, "Alone")
    for format in FORMATS:
        text = digest(alice, format)
        assert "Alone" in text and "Other" not in text and "<h3" not in text and "### " not in text


def test_an_entry_has_site_time_description_and_note(admin, alice):
    link = add(
        admin, alice, "⭐ Caf&eacute;", raw_url="http://127.0.0.2/a?b=1&c=(2)", site_name="A site", reading_time=7,
        description="About  it",
    )  # fmt: skip
    assert alice.rest("POST", "notes", {"link_id": link, "body": "My *own*\nwords"}).status == 201
    html = Page(digest(alice, "html"))
    assert {"Café", "A site · 7 min", "About it", "My *own*", "words"} <= set(html.texts)
    assert html.addresses == ["http://127.0.0.2/a?b=1&c=(2)"]
    assert digest(alice, "markdown").endswith(
        "\n## [Café](http://127.0.0.2/a?b=1&c=%282%29)\n\n*A site · 7 min*\n\nAbout it\n\n> My *own*\n> words\n"
    )
    assert digest(alice, "text").endswith(
        "\nCafé\nA site · 7 min\nhttp://127.0.0.2/a?b=1&c=(2)\nAbout it\n> My *own*\n> words\n"
    )


def test_the_html_is_one_column_with_inline_styles_and_loads_nothing(admin, alice):
    tag(alice, "tea", add(admin, alice, "Oolong"))
    html = Page(digest(alice, "html"))
    assert set(html.tags) <= set("html head meta title body table tr td h1 h2 h3 p a blockquote br".split())
    assert html.tags.count("td") == 1 and len(html.styles) > 5


def test_each_text_of_the_html_has_the_direction_of_its_words(admin, alice):
    link = add(admin, alice, "كتب", description="عن الكتب", site_name="موقع", reading_time=3)
    tag(alice, "قراءة", link)
    assert alice.rest("POST", "notes", {"link_id": link, "body": "ملاحظة"}).status == 201
    html = digest(alice, "html")
    for text in ["قراءة", "كتب", "عن الكتب", "موقع · 3 min", "ملاحظة"]:
        assert re.search(rf'<(?:h2|h3|p|blockquote) dir="auto"[^>]*>(?:<a [^>]*>)?{text}<', html), text


# Hostile texts and requests


def test_no_text_of_a_page_becomes_markup(admin, alice):
    columns = {"title": HOSTILE, "description": HOSTILE, "site_name": HOSTILE, "title_is_text": True}
    link = add(admin, alice, raw_url='http://127.0.0.2/"><script>x</script> (a)[b]\n\\', **columns)
    add(admin, alice, raw_url="javascript:alert(1)", **columns)
    alice.rest("POST", "notes", {"link_id": link, "body": "<script>alert(1)</script>\r\n\x01<b>"})
    tag(alice, HOSTILE.replace("\x01", "")[:100].strip(), link)
    html = Page(digest(alice, "html"))
    assert "script" not in html.tags and "img" not in html.tags
    assert [address[:16] for address in html.addresses] == ["http://127.0.0.2"]
    rendered = Page(MarkdownIt().render(digest(alice, "markdown")))
    assert {"script", "img", "code", "b"}.isdisjoint(rendered.tags)
    assert [address[:16] for address in rendered.addresses if address != "http://x"] == ["http://127.0.0.2"]
    assert rendered.tags.count("h2") == 2 and rendered.tags.count("h3") == 2
    for format in FORMATS:
        assert "\x01" not in digest(alice, format).split("> ")[0]


def test_a_request_that_makes_no_sense_is_400(alice):
    for body in [
        {"from": "2026-02-01", "to": "2026-01-01"},
        {"from": "2026-01-01", "to": None},
        {"from": "-infinity", "to": "2026-01-01"},
        {"from": "yesterday evening", "to": "2026-01-01"},
        {"from": "2026-01-01", "to": "2026-02-01", "format": "pdf"},
        {"from": "2026-01-01", "to": "2026-02-01", "format": None},
        {"from": "2026-01-01", "to": "2026-02-01", "query": "kind:nothing"},
    ]:
        answer = alice.rest("POST", "rpc/digest", body)
        assert answer.status == 400, (body, answer)


def test_a_digest_has_at_most_five_hundred_links(admin, alice):
    with admin.transaction():
        for number in range(501):
            add(admin, alice, f"n{number}", "2026-01-15")
    answer = alice.rest("POST", "rpc/digest", {"from": "2026-01-01", "to": "2026-02-01"})
    assert (answer.status, answer.json()["code"]) == (400, "LT400") and "500" in answer.json()["message"]
    admin.execute("update public.links set is_starred = false where user_id = %s and title = 'n7'", [alice.id])
    assert len(re.findall(r"^n\d+$", digest(alice), re.M)) == 500


# The date of archiving


def test_archiving_has_a_date_that_clients_do_not_write(alice):
    now = datetime.now(UTC)
    link = alice.save("http://127.0.0.2/a")
    assert link["archived_at"] is None
    url = f"links?id=eq.{link['id']}"
    at = lambda: alice.link(link["id"])["archived_at"]
    alice.rest("PATCH", url, {"archived_at": "2001-01-01", "title": "a"})
    assert at() is None
    alice.rest("PATCH", url, {"list": "archive", "archived_at": "2001-01-01"})
    archived = at()
    assert abs(datetime.fromisoformat(archived) - now) < timedelta(minutes=1)
    alice.rest("PATCH", url, {"title": "b", "archived_at": "2001-01-01", "list": "archive"})
    assert at() == archived
    alice.rest("DELETE", url)
    alice.rest("POST", "rpc/restore_link", {"link_id": link["id"]})
    assert at() == archived
    alice.rest("PATCH", url, {"list": "read"})
    assert at() is None
    saved = alice.save("http://127.0.0.2/b", list="archive", created_at="2020-01-01T00:00:00Z")
    assert saved["archived_at"].startswith("2020-01-01")


def test_archiving_without_a_network_counts_from_the_time_of_the_action(alice):
    id = alice.save("http://127.0.0.2/a", created_at="2020-01-01T00:00:00Z")["id"]
    hour = datetime.now(UTC) - timedelta(hours=1)
    alice.rest(
        "PATCH", f"links?id=eq.{id}", {"list": "archive"}, X_Lectern_Acted_At=hour.isoformat().replace("+00:00", "Z")
    )
    assert abs(datetime.fromisoformat(alice.link(id)["archived_at"]) - hour) < timedelta(minutes=1)


# For whom


def test_a_digest_shows_its_caller_only_own_links_tags_and_notes(admin, alice, bob):
    for user in [alice, bob]:
        link = add(admin, user, f"of {user.email}")
        tag(user, f"tag {user.email}"[:100], link)
        user.rest("POST", "notes", {"link_id": link, "body": f"note {user.email}"})
    for format in FORMATS:
        text = digest(alice, format, query="")
        plain = text.replace("\\", "")
        assert plain.count(alice.email) == 3 and bob.email not in plain
    key = {"apikey": alice.lectern.anon_key, "Content-Type": "application/json"}
    answer = alice.lectern.send("POST", "/rest/v1/rpc/digest", key, '{"from": "2026-01-01", "to": "2026-02-01"}')
    assert answer.status == 401, answer
