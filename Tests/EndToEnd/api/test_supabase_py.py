"""The Python client of Supabase, used with Lectern by changing only the URL and the key."""

import asyncio
import itertools
import uuid

import pytest
from postgrest.exceptions import APIError
from postgrest.types import CountMethod
from supabase import create_client
from supabase_auth.errors import AuthApiError

PASSWORD = "correct horse"


@pytest.fixture
def email():
    return f"{uuid.uuid4().hex[:12]}@example.org"


@pytest.fixture
def client(lectern, email):
    client = create_client(lectern.url, lectern.anon_key)
    client.auth.sign_up({"email": email, "password": PASSWORD})
    return client


def page(number):
    return f"http://127.0.0.2/{number}"


@pytest.fixture
def saved(client):
    """Ten links, the first saved first."""
    rows = [
        {
            "raw_url": page(number),
            "title": f"Page {number}",
            "list": "archive" if number % 2 else "read",
            "is_starred": number % 5 == 0,
            "created_at": f"2026-01-01T00:00:{number:02}+00:00",
        }
        for number in range(10)
    ]
    return client.table("links").insert(rows).execute().data


class TestAccounts:
    def test_a_user_signs_up_out_and_in_again(self, lectern, email):
        client = create_client(lectern.url, lectern.anon_key)
        session = client.auth.sign_up({"email": email, "password": PASSWORD}).session
        assert session.user.email == email
        client.auth.sign_out()
        session = client.auth.sign_in_with_password({"email": email, "password": PASSWORD}).session
        assert client.auth.get_user(session.access_token).user.id == session.user.id

    def test_a_session_is_refreshed(self, client):
        before = client.auth.get_session()
        after = client.auth.refresh_session().session
        assert after.refresh_token != before.refresh_token
        assert client.table("links").select("*").execute().data == []

    def test_a_wrong_password_is_an_error_with_its_code(self, lectern, client, email):
        with pytest.raises(AuthApiError) as caught:
            create_client(lectern.url, lectern.anon_key).auth.sign_in_with_password(
                {"email": email, "password": "wrong"}
            )
        assert (caught.value.code, caught.value.status) == ("invalid_credentials", 400)

    def test_a_user_changes_their_own_account(self, lectern, client, email):
        user = client.auth.update_user({"password": "another horse", "data": {"name": "Ann"}}).user
        assert user.user_metadata == {"name": "Ann"}
        create_client(lectern.url, lectern.anon_key).auth.sign_in_with_password(
            {"email": email, "password": "another horse"}
        )

    def test_signing_out_elsewhere_does_not_affect_this_device(self, lectern, client, email):
        other = create_client(lectern.url, lectern.anon_key)
        other.auth.sign_in_with_password({"email": email, "password": PASSWORD})
        client.auth.sign_out({"scope": "others"})
        with pytest.raises(AuthApiError):
            other.auth.refresh_session()

    def test_a_forgotten_password_is_answered_for_any_address(self, client, email):
        for address in (email, "nobody@example.org"):
            client.auth.reset_password_for_email(address)

    def test_a_link_made_by_the_admin_signs_in(self, lectern, email, client):
        admin = create_client(lectern.url, lectern.service_key).auth.admin
        link = admin.generate_link({"type": "magiclink", "email": email})
        session = (
            create_client(lectern.url, lectern.anon_key)
            .auth.verify_otp({"type": "magiclink", "token_hash": link.properties.hashed_token})
            .session
        )
        assert session.user.email == email
        link = admin.generate_link({"type": "recovery", "email": email})
        session = (
            create_client(lectern.url, lectern.anon_key)
            .auth.verify_otp({"type": "recovery", "email": email, "token": link.properties.email_otp})
            .session
        )
        assert session.user.email == email

    def test_the_admin_manages_accounts(self, lectern, email):
        admin = create_client(lectern.url, lectern.service_key).auth.admin
        user = admin.create_user(
            {"email": email, "password": PASSWORD, "email_confirm": True, "app_metadata": {"team": 7}}
        ).user
        assert admin.get_user_by_id(user.id).user.app_metadata["team"] == 7
        # Oldest first; other tests create accounts too.
        pages = itertools.takewhile(bool, (admin.list_users(page=page, per_page=1000) for page in itertools.count(1)))
        assert any(user.id == one.id for page in pages for one in page)
        assert admin.update_user_by_id(
            user.id, {"user_metadata": {"name": "M"}, "ban_duration": "1h"}
        ).user.user_metadata == {"name": "M"}
        with pytest.raises(AuthApiError) as caught:
            create_client(lectern.url, lectern.anon_key).auth.sign_in_with_password(
                {"email": email, "password": PASSWORD}
            )
        assert caught.value.code == "user_banned"
        admin.delete_user(user.id)
        with pytest.raises(AuthApiError) as caught:
            admin.get_user_by_id(user.id)
        assert caught.value.code == "user_not_found"
        assert admin.invite_user_by_email(f"invited-{email}").user.invited_at is not None

    def test_a_user_is_no_admin(self, lectern, client):
        with pytest.raises(AuthApiError) as caught:
            create_client(lectern.url, lectern.anon_key).auth.admin.list_users()
        assert caught.value.status in (401, 403)

    def test_nobody_signed_in_sees_nothing(self, lectern, saved):
        assert create_client(lectern.url, lectern.anon_key).table("links").select("*").execute().data == []


class TestReading:
    def test_rows_are_filtered_ordered_and_paged(self, client, saved):
        query = client.table("links").select("title").eq("list", "read").order("updated_at", desc=True)
        assert [row["title"] for row in query.limit(2).execute().data] == ["Page 8", "Page 6"]
        query = client.table("links").select("title").order("created_at").range(3, 5)
        assert [row["title"] for row in query.execute().data] == ["Page 3", "Page 4", "Page 5"]

    @pytest.mark.parametrize(
        "words, expected",
        [
            (lambda query: query.neq("list", "read"), {1, 3, 5, 7, 9}),
            (lambda query: query.is_("is_starred", True), {0, 5}),
            (lambda query: query.is_("description", None), set(range(10))),
            (lambda query: query.in_("raw_url", [page(1), page(2), 'a,b(c)"d"']), {1, 2}),
            (lambda query: query.like("title", "Page _").gt("created_at", "2026-01-01T00:00:07+00:00"), {8, 9}),
            (lambda query: query.ilike("title", "pAGE 4"), {4}),
            (lambda query: query.or_("title.eq.Page 1,and(title.eq.Page 2,list.eq.read)"), {1, 2}),
            (lambda query: query.not_.eq("list", "archive").lt("created_at", "2026-01-01T00:00:03+00:00"), {0, 2}),
            (lambda query: query.match({"title": "Page 3", "list": "archive"}), {3}),
            (lambda query: query.text_search("title", "page & 7"), {7}),
            (lambda query: query.like_any_of("title", "*1,*2"), {1, 2}),
            (lambda query: query.like_all_of("title", "Page*,*2"), {2}),
        ],
    )
    def test_filters_mean_what_they_say(self, client, saved, words, expected):
        rows = words(client.table("links").select("title")).execute().data
        assert {int(row["title"].split()[1]) for row in rows} == expected

    def test_rows_are_counted_with_and_without_being_sent(self, client, saved):
        answer = client.table("links").select("*", count=CountMethod.exact).limit(3).execute()
        assert (len(answer.data), answer.count) == (3, 10)
        answer = client.table("links").select("*", count=CountMethod.exact, head=True).execute()
        assert answer.count == 10 and not answer.data

    def test_one_row_is_an_object_and_none_an_error_or_nothing(self, client, saved):
        query = client.table("links").select("title")
        assert query.eq("raw_url", page(1)).single().execute().data == {"title": "Page 1"}
        with pytest.raises(APIError) as caught:
            client.table("links").select("title").eq("raw_url", "none").single().execute()
        assert caught.value.code == "PGRST116"
        assert client.table("links").select("title").eq("raw_url", "none").maybe_single().execute() is None

    def test_csv_has_a_header_and_rows(self, client, saved):
        csv = client.table("links").select("title,description").order("created_at").limit(2).csv().execute().data
        assert csv == "title,description\nPage 0,\nPage 1,\n"

    def test_an_error_of_the_query_is_an_error_of_the_client(self, client):
        with pytest.raises(APIError) as caught:
            client.table("links").select("nope").execute()
        assert caught.value.code == "42703"


class TestWriting:
    def test_an_insert_returns_its_rows_in_order(self, saved):
        assert [row["title"] for row in saved] == [f"Page {number}" for number in range(10)]

    def test_a_duplicate_link_is_an_error(self, client, saved):
        with pytest.raises(APIError) as caught:
            client.table("links").insert({"raw_url": page(1)}).execute()
        assert caught.value.code == "23505"

    def test_an_upsert_merges(self, client, saved):
        rows = [{"raw_url": page(1), "title": "New"}, {"raw_url": page(99), "title": "More"}]
        # The owner defaults to the caller, but is named here because it is part of the key.
        owner = client.auth.get_session().user.id
        rows = (
            client.table("links")
            .upsert([row | {"user_id": owner} for row in rows], on_conflict="user_id,raw_url")
            .execute()
            .data
        )
        assert [row["title"] for row in rows] == ["New", "More"]
        assert rows[0]["id"] == saved[1]["id"]

    def test_an_upsert_can_ignore_existing_rows(self, client, saved):
        rows = (
            client.table("links")
            .upsert({"raw_url": page(1), "title": "New"}, on_conflict="user_id,raw_url", ignore_duplicates=True)
            .execute()
            .data
        )
        assert rows == []

    def test_rows_are_updated_and_deleted(self, client, saved):
        rows = client.table("links").update({"status": "read"}).eq("id", saved[0]["id"]).execute().data
        assert [row["status"] for row in rows] == ["read"]
        assert len(client.table("links").delete().eq("list", "archive").execute().data) == 5
        assert len(client.table("links").select("id").execute().data) == 5

    def test_columns_left_out_of_a_batch_take_their_defaults(self, client):
        rows = (
            client.table("links")
            .insert([{"raw_url": page(1), "list": "archive"}, {"raw_url": page(2)}], default_to_null=False)
            .execute()
            .data
        )
        assert [row["list"] for row in rows] == ["archive", "read"]

    def test_a_link_of_somebody_else_cannot_be_written(self, client):
        with pytest.raises(APIError) as caught:
            client.table("links").insert({"raw_url": page(1), "user_id": str(uuid.uuid4())}).execute()
        assert caught.value.code == "42501"


class TestRelations:
    def test_a_link_embeds_its_tags(self, client, saved):
        tags = client.table("tags").insert([{"name": "swift"}, {"name": "linux"}]).execute().data
        client.table("link_tags").insert([{"link_id": saved[0]["id"], "tag_id": tag["id"]} for tag in tags]).execute()
        query = client.table("links").select("title,tags(name)").order("name", foreign_table="tags")
        assert query.eq("id", saved[0]["id"]).single().execute().data == {
            "title": "Page 0",
            "tags": [{"name": "linux"}, {"name": "swift"}],
        }
        tagged = client.table("links").select("title,tags!inner(name)").eq("tags.name", "swift").execute().data
        assert [row["title"] for row in tagged] == ["Page 0"]
        counted = client.table("tags").select("name,link_tags(count)").order("name").execute().data
        assert counted[0] == {"name": "linux", "link_tags": [{"count": 1}]}

    def test_a_highlight_embeds_its_link_and_a_link_its_note(self, client, saved):
        link = saved[3]["id"]
        client.table("highlights").insert({"link_id": link, "quote": "so it goes", "color": "green"}).execute()
        client.table("notes").insert({"link_id": link, "body": "again"}).execute()
        highlight = client.table("highlights").select("quote,links(title)").single().execute().data
        assert highlight == {"quote": "so it goes", "links": {"title": "Page 3"}}
        row = client.table("links").select("notes(body),articles(title)").eq("id", link).single().execute().data
        assert row == {"notes": {"body": "again"}, "articles": None}

    def test_a_function_is_called(self, client):
        rows = (
            client.rpc("save_page", {"url": page("saved"), "html": "<p>Here", "title": "Here", "tags": ["b", "a"]})
            .execute()
            .data
        )
        assert rows[0]["raw_url"] == page("saved")
        row = client.table("links").select("title,tags(name)").eq("id", rows[0]["id"]).single().execute().data
        assert row["title"] == "Here" and {tag["name"] for tag in row["tags"]} == {"a", "b"}
        with pytest.raises(APIError) as caught:
            client.rpc("nope", {}).execute()
        assert caught.value.code == "PGRST202"


def test_the_asynchronous_client_works_as_well(lectern, email):
    from supabase import acreate_client

    async def use():
        client = await acreate_client(lectern.url, lectern.anon_key)
        await client.auth.sign_up({"email": email, "password": PASSWORD})
        await client.table("links").insert({"raw_url": page(1)}).execute()
        return (await client.table("links").select("raw_url").execute()).data

    assert asyncio.run(use()) == [{"raw_url": page(1)}]
