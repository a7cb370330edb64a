"""Search: what queries find, in which order, with which snippets, and for whom."""

import json
import random
import re
import uuid

import psycopg
import pytest

from support.client import acting, encoded
from support.search_corpus import DOCUMENTS, FOUND
from support.searching import add_link, found, index_texts, search, titles
from support.waiting import wait_until

READING = ["search_links", "count_links", "domains", "suggest"]


@pytest.fixture(scope="module")
def corpus(instance):
    user = instance.sign_up()
    with psycopg.connect(instance.database_url, autocommit=True) as admin:
        names = {
            add_link(admin, user, title=title, text=text, lang=lang): name
            for name, (lang, title, text) in DOCUMENTS.items()
        }
        index_texts(admin, user)
    return user, names


# What is found


@pytest.mark.parametrize("query, expected", FOUND)
def test_queries_find_exactly_these_documents(corpus, query, expected):
    user, names = corpus
    assert sorted(names[id] for id in found(user, query)) == sorted(expected.split())
    count = user.rest("POST", "rpc/count_links", {"query": query})
    assert count.json() == {"count": len(expected.split())}


def test_any_part_of_a_stored_text_is_found(corpus):
    user, names = corpus
    random.seed(21)
    for id, name in random.choices(list(names.items()), k=60):
        text = DOCUMENTS[name][2]
        words = text.split()
        start = random.randrange(len(words))
        part = " ".join(words[start : start + random.randint(1, 4)]).replace('"', "")
        assert id in found(user, f'"{part}"'), (name, part)
        if DOCUMENTS[name][0] in ("zh", "ja", "ko", "th", "lo", "km", "my") and name != "mixed":
            run = re.search(r"\w{2,}", part)[0]
            assert id in found(user, run), (name, run)


def test_a_phrase_is_found_where_the_folded_text_holds_it(admin):
    random.seed(47)
    letters = [*"aaeeoossttxAEOSß", *"éÈœŒæÆøłıİſﬁ²ªµйЙёиᎠ漢ǽŉĳŀ", "e\u0301", "и\u0306", "s\u00ads", "x\u200dx"]
    signs = [
        " ",
        " ",
        " ",
        ", ",
        ". ",
        "-",
        "—",
        "’",
        "…",
        "\u00a0",
        "\u00ad",
        "\u1680",
        "\u0301",
        "\x1f",
        "\n",
        "´",
        "·",
        "_",
    ]
    words = ["a", "ae", "oe", "ss", "sso", "as", "es", "t", "ex", "ии", "xaes", "漢"]

    def text():
        plain = random.random() < 0.5
        parts = [
            random.choice(letters[: 16 if plain else None]) if random.random() < 0.7 else random.choice(signs)
            for _ in range(random.randint(1, 14))
        ]
        return "".join(parts)

    def phrase():
        chosen = " ".join(random.choices(words, k=random.choice([1, 2, 2, 3])))
        return " " + chosen + random.choice([" ", " ", ""])

    texts, phrases = [text() for _ in range(20_000)], [phrase() for _ in range(20_000)]
    with admin.transaction():
        admin.execute("set local role lectern_search")
        rows = admin.execute(
            """
            select value, words, holds from (
                select value, words, strpos(private.folded_text(value), words) > 0 as holds,
                    private.holds_words(value, words, private.phrase_pattern(words)) as found
                from unnest(%s::text[], %s::text[]) as pairs (value, words)
            ) as checked
            where holds is distinct from found""",
            [texts, phrases],
        ).fetchall()
    assert rows == []


def test_every_part_of_a_link_is_searched_and_changes_are_seen_at_once(admin, alice):
    id = alice.save("http://127.0.0.2/saved-address", title="A &eacute;clair", description="described thing")["id"]
    other = add_link(admin, alice, "http://127.0.0.2/other")
    for query in ["eclair", "title:éclair", "described", "saved address", "127.0.0.2/saved-address"]:
        assert found(alice, query) == [id], query
    alice.rest("POST", "notes", {"link_id": id, "body": "noted words"})
    alice.rest("POST", "highlights", {"link_id": id, "quote": "marked passage", "note": "why marked"})
    alice.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": "Garden Plants"})
    alice.rest("POST", "link_tags", {"link_id": other, "tag_id": tag})
    assert found(alice, "noted") == found(alice, "note:words") == found(alice, "passage") == [id]
    assert found(alice, "note:why") == [id] and found(alice, "note:passage") == []
    assert found(alice, "plants") == found(alice, '"garden plants"') == found(alice, "tag:'") + [other]
    assert found(alice, 'tag:"garden plants"') == found(alice, '#"GARDEN PLANTS"') == [other]
    # Words may stand in different parts.
    assert found(alice, "eclair noted passage described") == [id]
    alice.rest("PATCH", f"links?id=eq.{id}", {"title": "renamed"})
    alice.rest("PATCH", f"notes?link_id=eq.{id}", {"body": "rewritten"})
    alice.rest("PATCH", f"tags?id=eq.{tag}", {"name": "Trees"})
    alice.rest("DELETE", f"highlights?link_id=eq.{id}")
    assert found(alice, "eclair") == found(alice, "noted") == found(alice, "passage") == found(alice, "plants") == []
    assert found(alice, "renamed") == found(alice, "rewritten") == [id] and found(alice, "trees") == [other]
    alice.rest("DELETE", f"links?id=eq.{id}")
    assert found(alice, "renamed") == []
    alice.rest("POST", "rpc/restore_link", {"link_id": id})
    assert found(alice, "renamed rewritten") == [id]


def test_other_forms_of_a_word_are_found_whatever_was_saved_before(alice):
    # A link has no language until its page was read.
    text = "<p>" + "The foxes of the city were running beside the river at night. " * 10
    page = {"url": "http://127.0.0.2/foxes", "html": f"<html lang=en><title>Night</title>{text}"}
    id = alice.rest("POST", "rpc/save_page", page).json()[0]["id"]
    wait_until(lambda: found(alice, "river") == [id])
    for query in ["fox", "foxes", "run", "runs"]:
        assert found(alice, query) == [id], query


def test_the_last_word_of_a_long_article_is_found(admin, alice):
    text = " ".join(f"word{number}" for number in range(500_000)) + " 漢字検索 thelastword"
    assert len(text) > 5_000_000
    id = add_link(admin, alice, text=text, title="long")
    index_texts(admin, alice)
    for query in ["thelastword", "word499999", "word7777 thelastword", '"word249999 word250000"', "字検", "word49999*"]:
        assert found(alice, query) == [id], query
    assert found(alice, '"word250000 word249999"') == []
    assert "<mark>thelastword</mark>" in search(alice, "thelastword")["links"][0]["snippet"]


def test_texts_that_wait_for_the_index_are_found_and_are_indexed_once_they_are_there(admin, alice):
    id = add_link(admin, alice, title="waiting", text="fresh words")
    assert found(alice, "waiting fresh") == [id] and found(alice, "-fresh") == []
    index_texts(admin, alice)
    assert found(alice, "waiting fresh") == [id]
    alice.rest("PATCH", f"links?id=eq.{id}", {"title": "changed"})
    assert found(alice, "changed fresh") == [id] and found(alice, "waiting") == []
    index_texts(admin, alice)
    assert found(alice, "changed fresh") == [id] and found(alice, "waiting") == []


def test_a_text_that_changes_while_it_is_indexed_is_indexed_again(instance, admin, alice):
    def is_indexed(id):
        return admin.execute("select is_indexed from private.search_parts where link_id = %s", [id]).fetchone()[0]

    with psycopg.connect(instance.database_url) as writer, psycopg.connect(instance.database_url) as other:
        # The jobs process may index a link before the writer changes it. Then the writer begins with another one.
        while True:
            id = add_link(admin, alice, title="before")
            writer.execute("update public.links set title = 'after' where id = %s", [id])
            if not is_indexed(id):
                break
            writer.rollback()
            admin.execute("delete from public.links where id = %s", [id])
        # The writer holds the part, so it is left alone.
        number = "(select number from private.search_owners where user_id = %s)"
        other.execute(f"select private.index_waiting_parts({number} - 1, 1000)", [alice.id])
        other.commit()
        assert not is_indexed(id)
    index_texts(admin, alice)
    assert found(alice, "after") == [id] and found(alice, "before") == []


def test_a_link_with_more_words_than_fit_into_its_keys_is_still_found_by_its_title_and_article(admin, alice):
    id = add_link(admin, alice, title="many quotes", text="a zebra")
    for start in range(0, 120_000, 1_000):
        quote = " ".join(f"quoted{number:06}" for number in range(start, start + 1_000))
        admin.execute(
            "insert into public.highlights (link_id, user_id, quote) values (%s, %s, %s)", [id, alice.id, quote]
        )
    index_texts(admin, alice)
    for query in ("quotes", "title:quotes", "zebra", "quoted000007"):
        assert found(alice, query) == [id], query
    # Of the quotes, a million characters are indexed.
    assert found(alice, "quoted119999") == []


def test_a_text_that_cannot_be_indexed_keeps_the_reason_and_no_other_waits_for_it(instance, admin, alice):
    with psycopg.connect(instance.database_url) as transaction:
        transaction.execute("set local role lectern_search")
        # A fault of the function, for this transaction only.
        transaction.execute("""
            create or replace function private.short_texts(
                link uuid, out title text, out description text, out notes text, out quotes text
            ) language plpgsql stable as $$
            begin
                title := (select l.title from public.links l where id = link);
                if title = 'damaged' then raise exception 'a fault'; end if;
            end
            $$""")
        transaction.execute("set local role lectern_admin")
        damaged = add_link(transaction, alice, title="damaged")
        sound = add_link(transaction, alice, title="sound")
        parts = "select link_id::text, is_indexed, index_error from private.search_parts where user_id = %s"
        waiting = f"select from ({parts}) as part where not is_indexed and index_error is null"

        def index():
            while transaction.execute(waiting, [alice.id]).rowcount:
                number = "(select number from private.search_owners where user_id = %s)"
                transaction.execute(f"select private.index_waiting_parts({number} - 1, 1000)", [alice.id])

        index()
        assert {row[0]: row[1:] for row in transaction.execute(parts, [alice.id])} == {
            damaged: (False, "a fault"),
            sound: (True, None),
        }
        # A change of the text is a new attempt.
        transaction.execute("update public.links set title = 'mended' where id = %s", [damaged])
        index()
        assert [row[1:] for row in transaction.execute(parts, [alice.id])] == [(True, None)] * 2
        transaction.rollback()


def test_keys_select_links(admin, alice):
    def link(title, **columns):
        return add_link(admin, alice, title=title, **columns)

    link("a", url="https://www.example.org/x", created_at="2026-01-31T23:59:59Z", reading_time=4, kind="video")
    link("b", url="https://sub.example.org/", created_at="2026-02-01T00:00:00Z", reading_time=30, lang="de-AT")
    link("c", url="https://notexample.org/", created_at="2020-05-05", list="archive", status="read", is_starred=True)
    link("d", url="https://other.net/A?q=1", state="failed", reason="no_article")
    parent, child = str(uuid.uuid4()), str(uuid.uuid4())
    alice.rest("POST", "collections", {"id": parent, "name": "Later"})
    alice.rest("POST", "collections", {"id": child, "name": "Sooner", "parent_id": parent})
    [b] = [row["id"] for row in alice.links("select=id&title=eq.b")]
    alice.rest("POST", "collection_links", {"collection_id": child, "link_id": b})
    for query, expected in {
        "": "abcd",
        "site:example.org": "ab",
        "site:www.example.org": "ab",
        "-site:example.org": "cd",
        "before:2026-02-01": "ac",
        "after:2026-02": "bd",
        "after:2026-01-31": "abd",
        "before:2026-01": "c",
        "age:<7d": "d",
        "age:>1y": "c",
        "is:archived": "c",
        "is:read": "c",
        "is:unread": "abd",
        "is:starred": "c",
        "is:failed": "d",
        "-is:failed is:unread": "ab",
        "is:untagged": "abcd",
        "is:highlighted or is:noted or is:pending or is:broken": "",
        "in:later": "b",
        f"in:{parent}": "b",
        "in:nowhere": "",
        "kind:video": "a",
        "lang:de": "b",
        "minutes:<5": "a",
        "minutes:>20": "b",
        "-minutes:<5": "bcd",
        "url:A?q=": "d",
        "url:example": "abc",
        "!!!": "",
        "- sub": "b",
    }.items():
        assert sorted(titles(alice, query)) == list(expected), query
    counted = alice.rest("POST", "rpc/domains", {"query": "is:unread"}).json()
    assert {entry["domain"]: entry["count"] for entry in counted} == {
        "example.org": 1,
        "sub.example.org": 1,
        "other.net": 1,
    }
    assert alice.links("select=domain&title=eq.a") == [{"domain": "example.org"}]


def test_sites_decide_the_kind_of_pages_that_could_not_be_read(admin, alice):
    for title, url, kind in [
        ("watch", "https://www.youtube.com/watch?v=x", None),
        ("about", "https://www.youtube.com/about/", None),
        ("short", "https://youtu.be/x", "other"),
        ("essay", "https://vimeo.com/blog/essay", "article"),
        ("song", "https://artist.bandcamp.com/track/x", None),
        ("fake", "https://notbandcamp.com/track/x", None),
        ("film", "https://example.org/film", "video"),
    ]:
        add_link(admin, alice, url, title=title, kind=kind)
    assert sorted(titles(alice, "kind:video")) == ["film", "short", "watch"]
    assert titles(alice, "kind:audio") == ["song"]
    assert titles(alice, "kind:article") == ["essay"]
    assert sorted(titles(alice, "-kind:video -kind:audio")) == ["about", "essay", "fake"]


def test_suggestions_begin_with_the_prefix(admin, alice):
    add_link(admin, alice, "https://www.garden.example/")
    for name in ["Garten", "gärtner", "Haus"]:
        alice.rest("POST", "tags", {"name": name})
    alice.rest("POST", "collections", {"name": "Gartenbau"})
    answer = alice.rest("POST", "rpc/suggest", {"prefix": "GAR"})
    assert answer.json() == {"tags": ["Garten", "gärtner"], "collections": ["Gartenbau"], "domains": ["garden.example"]}
    assert alice.rest("GET", "rpc/suggest?prefix=gart&limit=1").json()["tags"] == ["Garten"]
    assert alice.rest("POST", "rpc/suggest", {"prefix": "x", "limit": 0}).status == 400


# Order, pages and snippets


def test_orders(admin, alice):
    for title, words, day in [("Banana", 30, 3), ("apple", 10, 1), ("Éclair", None, 2)]:
        add_link(admin, alice, title=title, word_count=words, created_at=f"2026-01-0{day}")
    assert titles(alice, "") == titles(alice, "sort:newest") == ["Banana", "Éclair", "apple"]
    assert titles(alice, "sort:oldest") == ["apple", "Éclair", "Banana"]
    assert titles(alice, "sort:title") == ["apple", "Banana", "Éclair"]
    assert titles(alice, "sort:longest") == ["Banana", "apple", "Éclair"]
    assert titles(alice, "sort:shortest") == ["apple", "Banana", "Éclair"]
    assert sorted(titles(alice, "sort:random")) == ["Banana", "apple", "Éclair"]


def test_relevance_prefers_titles_then_close_words_then_newer_links(admin, alice):
    def link(title, text, day):
        add_link(admin, alice, title=title, text=text, created_at=f"2026-01-{day:02}")

    link("far", "solar " + "and some other word " * 20 + " energy", 20)
    link("close", "solar energy", 10)
    link("old", "solar and energy", 9)
    link("new", "solar and energy", 11)
    link("solar energy", "nothing", 1)
    assert titles(alice, "solar energy") == ["solar energy", "close", "new", "old", "far"]
    ranks = [link["rank"] for link in search(alice, "solar energy")["links"]]
    assert ranks == sorted(ranks, reverse=True)


def test_a_phrase_is_found_in_every_text_and_weighs_by_where_it_stands(admin, alice):
    def link(title, **columns):
        return add_link(admin, alice, title=title, **columns)

    # The newest ones have it in the least important place.
    expected = [link("the &eacute;t&eacute; indien")]
    expected.append(link("tagged"))
    alice.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": "Été indien"})
    alice.rest("POST", "link_tags", {"link_id": expected[1], "tag_id": tag})
    noted, quoted, remarked = (link(title) for title in ["noted", "quoted", "remarked"])
    alice.rest("POST", "notes", {"link_id": noted, "body": "un ÉTÉ, indien"})
    alice.rest("POST", "highlights", {"link_id": quoted, "quote": "l'été indien"})
    alice.rest("POST", "highlights", {"link_id": remarked, "quote": "other", "note": "Ete-indien"})
    expected += [remarked, quoted, noted]
    described, told = link("described", description="été indien"), link("told", text="Un été… indien, enfin.")
    expected += [told, described]
    alice.rest("POST", "highlights", {"link_id": link("apart"), "quote": "été", "note": "indien"})
    link("near", text="été des indiens")
    assert found(alice, '"ete indien"') == expected
    assert found(alice, 'title:"ete indien"') == expected[:1]
    assert found(alice, 'note:"ete indien"') == [remarked, noted]
    assert alice.rest("POST", "rpc/count_links", {"query": '"ete indien"'}).json() == {"count": 7}


@pytest.mark.parametrize("query", ["", "word", "word sort:title", "word other", "sort:random", "word or sort:longest"])
def test_pages_show_every_link_once_while_links_change(admin, alice, query):
    ids = {
        add_link(admin, alice, title=f"word {number % 7}", text="other word " * (number % 5), word_count=number % 9)
        for number in range(130)
    }
    index_texts(admin, alice)
    for limit in [100, 37]:
        seen, cursor = [], None
        while True:
            page = search(alice, query, limit=limit, cursor=cursor)
            seen += [link["id"] for link in page["links"]]
            cursor = page["next"]
            if cursor is None:
                break
            add_link(admin, alice, title="word 3", text="unseen", word_count=3)
            alice.rest("PATCH", f"links?id=eq.{seen[-1]}", {"is_starred": True})
        assert len(seen) == len(set(seen))
        assert ids <= set(seen) or "other" in query
        admin.execute("delete from public.links where user_id = %s and id <> all (%s::uuid[])", [alice.id, list(ids)])
        admin.execute("delete from public.trash where user_id = %s", [alice.id])


@pytest.fixture(scope="module")
def library(instance):
    """A user with 1,500 links, saved one every hour, most of which have the words `common` and `usual`."""
    user = instance.sign_up()
    with psycopg.connect(instance.database_url, autocommit=True) as admin, admin.transaction():
        admin.execute(
            """
            insert into public.links (user_id, raw_url, title, description, state, created_at)
            select %s, 'http://127.0.0.2/library/' || n,
                case when n %% 100 = 0 then 'Common usual title ' else 'Title ' end || n,
                case when n %% 3 < 2 then 'a common and usual thing' else 'other' end, 'ready',
                '2025-01-01'::timestamptz + n * interval '1 hour'
            from generate_series(1, 1500) as n""",
            [user.id],
        )
        admin.execute("delete from private.jobs where user_id = %s", [user.id])
        index_texts(admin, user)
    return user


def pages(user, query, limit):
    links, cursor = [], None
    while True:
        page = search(user, query, limit=limit, cursor=cursor)
        links += page["links"]
        cursor = page["next"]
        if cursor is None:
            return links


@pytest.mark.parametrize("query, count", [("common", 1_005), ("usual common", 1_005), ('"common and usual"', 1_000)])
def test_frequent_words_find_every_link_with_those_in_the_title_first(library, query, count):
    links = pages(library, query, 100)
    assert len({link["id"] for link in links}) == len(links) == count
    assert library.rest("POST", "rpc/count_links", {"query": query}).json() == {"count": count}
    if '"' not in query:
        # 500 and 1400 also have the words in the description.
        assert [int(link["title"].split()[-1]) for link in links[:15]] == list(range(1_500, 0, -100))
        links = links[15:]
    times = [link["created_at"] for link in links]
    assert times == sorted(times, reverse=True)
    ids = [link["id"] for link in pages(library, query, 100)]
    assert [link["id"] for link in pages(library, query, 37)] == ids


def test_frequent_words_are_restricted_by_other_conditions(library):
    assert len(pages(library, "common site:127.0.0.2 before:2025-01-03", 100)) == 31
    assert pages(library, "common -usual", 100) == []
    newest = pages(library, "common sort:newest", 100)
    assert len(newest) == 1_005
    assert [link["created_at"] for link in newest] == sorted((link["created_at"] for link in newest), reverse=True)


def test_links_of_any_date_are_found_in_order(admin, alice):
    dates = ["infinity", "294276-01-01", "2026-01-01", "0044-03-15 BC", "-infinity"]
    ids = [add_link(admin, alice, title="word", created_at=date) for date in dates]
    for query in ["word", "word sort:newest", "sort:newest", "word other or word"]:
        assert [link["id"] for link in pages(alice, query, 2)] == ids, query


def test_words_may_stand_in_tags_and_texts(admin, alice):
    both, one = (add_link(admin, alice, title=title) for title in ["green tea", "tea"])
    alice.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": "Green plants"})
    alice.rest("POST", "link_tags", {"link_id": one, "tag_id": tag})
    assert found(alice, "green tea") == [both, one] and found(alice, '"green plants" tea') == [one]
    assert found(alice, "green -plants") == [both]
    assert found(alice, "title:green") == [both]


def test_words_may_stand_in_the_title_and_in_any_piece_of_a_long_article(admin, alice):
    text = "beginning " + "filler words " * 8_000 + " ending"
    id = add_link(admin, alice, title="headline", text=text)
    index_texts(admin, alice)
    for query in ["headline beginning ending", "headline ending", "beginning ending", "title:headline ending"]:
        assert found(alice, query) == [id], query
    assert alice.rest("POST", "rpc/count_links", {"query": "beginning ending"}).json() == {"count": 1}
    assert found(alice, "beginning absent") == found(alice, "ending -headline") == []


def test_snippets_are_short_safe_html_with_marked_matches(admin, alice):
    text = "<script>alert(1)</script> " * 30 + "the “Élégant” & 'quoted' words run on " + "<b>bold</b> & more " * 40
    add_link(admin, alice, text=text, lang="en")
    for query, mark in [("elegant", "Élégant"), ("running", "run"), ("quot*", "quoted"), ("quoted words", "words")]:
        snippet = search(alice, query)["links"][0]["snippet"]
        assert f"<mark>{mark}</mark>" in snippet, query
        bare = re.sub("</?mark>", "", snippet)
        assert not re.search("[<>\"']", bare)
        shown = bare.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&amp;", "&")
        assert len(shown) <= 240
    assert search(alice, "is:unread")["links"][0]["snippet"] is None


def test_snippets_show_the_best_match_wherever_it_stands(admin, alice):
    filler = "and some other words " * 60
    texts = {
        # Two words that stand close to each other rather than the first of them.
        "solar energy": f"Solar power, {filler[:900]} the <mark>solar</mark> and wind <mark>energy</mark> of tomorrow",
        "tidal energy": filler * 4 + "Of <mark>tidal</mark> and other <mark>energy</mark> " + filler,
        # The first word that begins like the stem has another one.
        "run": f"A runic stone {filler * 3} was <mark>running</mark> to the river",
        "naivete": filler * 3 + "that <mark>Naïveté</mark>, a <mark>naiv\u0065\u0301te\u0301</mark> " + filler,
        "grossstadte": filler + "die <mark>Großstädte</mark> der Küste",
        "cœur": filler + "au <mark>coeur</mark>, le <mark>cœur</mark> ",
    }
    for query, text in texts.items():
        add_link(admin, alice, title=query[::-1], text=re.sub("</?mark>", "", text), lang="en")
    for query, text in texts.items():
        snippet = search(alice, query)["links"][0]["snippet"]
        marked = re.findall("<mark>.*?</mark>", text)
        assert re.findall("<mark>.*?</mark>", snippet) == marked, (query, snippet)


def test_results_have_every_column_of_links_and_the_names_of_tags(admin, alice):
    id = add_link(admin, alice, title="tagged")
    for name in ["b", "A"]:
        alice.rest("POST", "tags", {"id": (tag := str(uuid.uuid4())), "name": name})
        alice.rest("POST", "link_tags", {"link_id": id, "tag_id": tag})
    [result] = search(alice, "tagged")["links"]
    assert (result["tags"], result["snippet"]) == (["A", "b"], None)
    assert {name: value for name, value in result.items() if name not in ("tags", "snippet", "rank")} == alice.link(id)


# Bad input


@pytest.mark.parametrize(
    "query, place", [("is:nothing", 1), ("a  sort:size", 4), ("x" * 1_001, 1_001), ("a " * 61, 121), ("(lang:x)", 2)]
)
def test_a_query_that_is_wrong_is_refused_with_the_place(alice, query, place):
    for function in ["search_links", "count_links", "domains"]:
        answer = alice.rest("POST", f"rpc/{function}", {"query": query})
        assert answer.status == 400 and answer.json()["code"] == "LT400", answer
        assert f"character {place} " in answer.json()["details"]
        assert alice.rest("GET", f"rpc/{function}?query={encoded(query)}").status == 400


HOSTILE = [
    "'; drop table links; --",
    "a & !b | (c <-> d):*",
    "\\",
    "%%% ___ $1 $$ %L %s",
    "(" * 999,
    "-" * 999,
    '"' * 999,
    "*" * 999,
    "\u0301\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\x1f\x02\x03",
    "(?:a+)+$ [[:alpha:]]{99} \\1",
    "a:b:c:*",
    "x" * 1_000,
    "漢" * 1_000,
    "é" * 1_000,
    " ".join(["a*"] * 60),
    "or " * 20,
    "\ufffe\uffff",
    "title:\\ note:' url:% tag:\" in:'\"",
    "-(a or -(b or -(c or -(d or -e))))",
]


@pytest.mark.parametrize("query", HOSTILE)
def test_hostile_queries_are_words(corpus, query):
    user, names = corpus
    for order in ["", " sort:title"]:
        if len(query + order) <= 1_000:
            assert len(search(user, query + order)["links"]) <= len(names)
    assert user.rest("POST", "rpc/count_links", {"query": query}).status == 200
    assert user.rest("POST", "rpc/suggest", {"prefix": query}).status == 200


def test_arguments_out_of_range_are_refused(alice):
    for body in [
        {"query": "a", "limit": 0},
        {"query": "a", "limit": 101},
        {"query": "a", "cursor": "rubbish"},
        {"query": "a", "cursor": ""},
        {"query": "a", "cursor": "eyJxIjogIngifQ"},
        '{"query": "\\u0000"}',
        '{"query": "\\ud800"}',
        {},
    ]:
        assert alice.rest("POST", "rpc/search_links", body).status in (400, 404), body


def test_a_cursor_continues_its_own_query_only(admin, alice):
    for _ in range(2):
        add_link(admin, alice, title="word")
    cursor = search(alice, "word", limit=1)["next"]
    assert len(search(alice, "word", limit=1, cursor=cursor)["links"]) == 1
    answer = alice.rest("POST", "rpc/search_links", {"query": "words", "cursor": cursor})
    assert (answer.status, answer.json()["code"]) == (400, "LT400")


def test_reindexing_adds_what_the_index_lacks(admin, alice):
    id = add_link(admin, alice, title="forgotten", text="body")
    alice.rest("POST", "tags", {"name": "forgotten tag"})
    with admin.transaction():
        admin.execute("set local role lectern_search")
        admin.execute("delete from private.search_parts where link_id = %s", (id,))
        admin.execute("update private.search_tags set rules = 0 where user_id = %s", (alice.id,))
    assert found(alice, "forgotten") == []

    def reindex(table, is_dry_run):
        place, changed = None, 0
        while True:
            place, count = admin.execute(
                "select last_id, changed from private.reindex_batch(%s, 100, %s, %s, %s)",
                (place, is_dry_run, table, alice.id),
            ).fetchone()
            changed += count
            if place is None:
                return changed

    for table in ["public.links", "public.tags"]:
        assert [reindex(table, True), reindex(table, False), reindex(table, True)] == [1, 1, 0], table
    assert found(alice, "forgotten") == found(alice, "body") == [id]


# For whom


def test_searches_show_only_the_rows_of_their_user(admin, alice, bob):
    add_link(admin, alice, "https://secret.example/", title="alices secret", text="shared words")
    add_link(admin, bob, "https://bob.example/", title="bobs", text="shared words")
    alice.rest("POST", "tags", {"name": "secret tag"})
    alice.rest("POST", "collections", {"name": "secret collection"})
    for query in ["secret", "site:secret.example", "in:secret", "url:secret", "is:unread", "shared", "", "-bobs"]:
        assert "alices secret" not in titles(bob, query), query
    assert titles(bob, "shared") == titles(bob, "") == ["bobs"]
    assert bob.rest("POST", "rpc/count_links", {"query": ""}).json() == {"count": 1}
    assert [entry["domain"] for entry in bob.rest("POST", "rpc/domains", {}).json()] == ["bob.example"]
    assert bob.rest("POST", "rpc/suggest", {"prefix": "secret"}).json() == {
        "tags": [],
        "collections": [],
        "domains": [],
    }
    cursor = search(alice, "", limit=1)["next"] or search(alice, "shared", limit=1)["next"]
    assert cursor is None


@pytest.mark.parametrize("function", READING)
def test_a_token_that_reads_may_search_and_nobody_without_a_user_may(instance, alice, function):
    argument = "prefix" if function == "suggest" else "query"
    token = instance.auth(
        "POST",
        "tokens",
        {"name": "reader", "scope": "read", "password": alice.password},
        Authorization=f"Bearer {alice.token}",
    ).json()["token"]
    headers = {"apikey": instance.anon_key, "Content-Type": "application/json"}
    body = json.dumps({argument: "a"})
    path = f"/rest/v1/rpc/{function}"
    assert instance.send("POST", path, headers | {"Authorization": f"Bearer {token}"}, body).status == 200
    assert instance.send("POST", path, headers, body).status == 401


def test_no_role_of_a_client_calls_the_functions_of_the_index(workers, alice):
    for role in ["anon", "authenticated", "service_role"]:
        for call in [
            "private.short_texts(gen_random_uuid())",
            "private.renew_parts(gen_random_uuid(), true)",
            "private.search_condition('{}', gen_random_uuid(), 1)",
        ]:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), workers.transaction():
                acting(workers, role, alice if role == "authenticated" else None)
                workers.execute(f"select {call}")


def test_a_search_uses_the_index_of_words(admin, corpus):
    user, _ = corpus
    plan = "\n".join(
        line
        for (line,) in admin.execute(
            """
            explain select link_id from private.search_parts
            where user_id = %s and is_indexed
                and private.part_keys(link_id, part, owner, lang, saved_at, is_long)
                    @@ '''1:word'''::tsquery""",
            [user.id],
        )
    )
    assert "search_parts_keys" in plan
