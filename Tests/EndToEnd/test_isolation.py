"""A user's rows are the user's: over REST, over every role of PostgreSQL, and for every table there is."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

# Every table of schema public, with what a row needs besides its owner and its link. A new table has to be added here,
# and with that gets all the tests below.
TABLES = {
    "links": {"raw_url": "no address, and isolated"},
    "articles": {"url": "no address, and isolated", "content": "<p>secret", "text_content": "secret", "length": 6,
                 "word_count": 1, "extractor_version": 1},
}
# Tables whose rows hang on a link.
OF_A_LINK = ["articles"]
# Columns that say which row it is.
KEY = {"links": "id", "articles": "link_id"}

# Functions that run with the rights of their owner. Each is a hole in the wall unless it is careful; see sql/.
SECURITY_DEFINER = {"private.enqueue_saved_links()", "private.enqueue_changed_link()"}


@pytest.fixture
def admin(lectern):
    with psycopg.connect(lectern.database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def workers(lectern):
    """A connection as the workers have it: no rights until a role is taken on."""
    with lectern.login("authenticator", "authenticator_password") as connection:
        yield connection


@pytest.fixture
def jobs(lectern):
    with lectern.login("lectern_jobs", "jobs_password") as connection:
        yield connection


@pytest.fixture
def rows(alice, admin):
    """A row of Alice's in every table: name → value of its key."""
    # The jobs give this one up at once; when they have, nothing about the row changes by itself.
    id = alice.settled(alice.save(TABLES["links"]["raw_url"])["id"])["id"]
    for table in OF_A_LINK:
        values = TABLES[table] | {"link_id": id, "user_id": alice.id}
        admin.execute(insert(table, values), list(values.values()))
    return {table: id for table in TABLES}


def insert(table, values):
    return f"insert into public.{table} ({', '.join(values)}) values ({', '.join(['%s'] * len(values))})"


def acting(connection, role, user=None):
    """Takes on a role until the transaction ends, as every request does."""
    claims = json.dumps({"sub": user.id, "role": "authenticated"} if user else {"role": "anon"})
    connection.execute("select set_config('role', %s, true), set_config('request.jwt.claims', %s, true)", (role, claims))


def refused_or(connection, statement, values=()):
    """Rows that a statement touched or returned; 'refused' when the role may not do it at all."""
    try:
        with connection.transaction():
            cursor = connection.execute(statement, values)
            return cursor.rowcount
    except psycopg.errors.InsufficientPrivilege:
        return "refused"


def all_of(admin, table, key):
    return admin.execute(f"select to_jsonb(t) from public.{table} t where {KEY[table]} = %s", (key,)).fetchone()


# Over REST


@pytest.mark.parametrize("table", TABLES)
def test_another_user_reads_nothing(bob, rows, table):
    key = KEY[table]
    for query in ["", f"?{key}=eq.{rows[table]}", f"?{key}=in.({rows[table]})", f"?or=({key}.eq.{rows[table]},user_id.not.is.null)",
                  "?user_id=neq." + bob.id, "?select=count"]:
        answer = bob.rest("GET", table + query)
        assert answer.status == 200 and answer.json() in ([], [{"count": 0}])
    counted = bob.rest("GET", table, Prefer="count=exact")
    assert counted["content-range"] == "*/0"


@pytest.mark.parametrize("table", TABLES)
def test_another_user_changes_nothing(bob, rows, admin, table):
    before, key = all_of(admin, table, rows[table]), KEY[table]
    for target in [f"{table}?{key}=eq.{rows[table]}", f"{table}?user_id=neq.{bob.id}"]:
        for method, body in [("PATCH", {"title": "mine"}), ("PATCH", {"user_id": bob.id}), ("DELETE", None)]:
            answer = bob.rest(method, target, body, Prefer="return=representation")
            assert answer.status == 403 or answer.json() == []
    assert all_of(admin, table, rows[table]) == before


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("prefer", ["", "resolution=merge-duplicates", "resolution=ignore-duplicates"])
def test_another_user_writes_no_row_in_alices_name_nor_over_hers(alice, bob, rows, admin, table, prefer):
    before = all_of(admin, table, rows[table])
    new, own = str(uuid.uuid4()), {"user_id": alice.id, "title": "planted"}
    for body in [{KEY[table]: new} | own, {KEY[table]: rows[table]} | own, {KEY[table]: rows[table], "title": "planted"}]:
        answer = bob.rest("POST", table, TABLES[table] | body, Prefer=f"return=representation,{prefer}")
        assert answer.status in (401, 403, 409) or answer.json() == [], answer
        assert alice.id not in answer.body.decode()
    assert all_of(admin, table, rows[table]) == before
    assert admin.execute(f"select count(*) from public.{table} where title = 'planted'").fetchone() == (0,)


def test_nobody_hands_a_row_to_somebody_else(alice, bob):
    id = bob.save("http://127.0.0.2/gift")["id"]
    answer = bob.rest("PATCH", f"links?id=eq.{id}", {"user_id": alice.id})
    assert answer.status == 403 and alice.links() == []


def test_the_same_address_tells_nothing_of_others(alice, bob, rows):
    """Neither as an error nor as a hint: it is simply saved."""
    answer = bob.rest("POST", "links", TABLES["links"], Prefer="return=representation")
    assert answer.status == 201 and answer.json()[0]["user_id"] == bob.id
    assert answer.json()[0]["id"] != rows["links"]


def test_a_taken_id_is_refused_without_a_word_about_its_owner(alice, bob, rows):
    answer = bob.rest("POST", "links", {"id": rows["links"], "raw_url": "http://127.0.0.2/other"})
    assert answer.status == 409 and alice.id not in answer.body.decode() and answer.json()["details"] is None


def test_requests_of_many_users_never_mix(alice, bob):
    """Errors and refusals stand between them, so that connections change hands in every state."""
    mine = {user.id: user.save(f"http://127.0.0.2/{user.id}")["id"] for user in (alice, bob)}
    other = {alice.id: bob.id, bob.id: alice.id}

    def one(n):
        user = (alice, bob)[n % 2]
        match n % 5:
            case 0:
                assert user.rest("GET", "links?id=eq.zzz").status == 400
            case 1:
                assert user.rest("POST", "links", {"raw_url": "x", "user_id": other[user.id]}).status == 403
            case 2:
                answer = user.lectern.send("GET", "/rest/v1/links", {"apikey": user.lectern.anon_key})
                assert answer.json() == []
            case _:
                assert [row["id"] for row in user.links()] == [mine[user.id]]

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(one, range(600)))


# Over SQL, as each role


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", ["authenticated", "anon", "job_worker"])
def test_no_role_reaches_rows_of_another_user(workers, jobs, bob, rows, admin, alice, role, table):
    connection = jobs if role == "job_worker" else workers
    before, key = all_of(admin, table, rows[table]), KEY[table]
    own = TABLES[table] | {key: str(uuid.uuid4()), "user_id": alice.id}
    with connection.transaction(force_rollback=True):
        acting(connection, role, None if role == "anon" else bob)
        assert refused_or(connection, f"select * from public.{table} where {key} = %s", (rows[table],)) in (0, "refused")
        assert refused_or(connection, f"update public.{table} set title = 'x' where {key} = %s", (rows[table],)) in (0, "refused")
        assert refused_or(connection, f"delete from public.{table} where {key} = %s", (rows[table],)) in (0, "refused")
        assert refused_or(connection, insert(table, own), list(own.values())) == "refused"
    assert all_of(admin, table, rows[table]) == before


@pytest.mark.parametrize("table", TABLES)
def test_every_role_sees_what_it_should(workers, jobs, alice, rows, table):
    """So that the test above refuses for the reason it names."""
    for connection, role in [(workers, "authenticated"), (jobs, "job_worker")]:
        with connection.transaction(force_rollback=True):
            acting(connection, role, alice)
            assert connection.execute(f"select count(*) from public.{table}").fetchone() == (1,)


def test_without_claims_a_role_sees_nothing(workers, jobs, rows):
    for connection, role in [(workers, "authenticated"), (workers, "anon"), (jobs, "job_worker")]:
        for table in TABLES:
            with connection.transaction(force_rollback=True):
                connection.execute("select set_config('role', %s, true)", (role,))
                assert refused_or(connection, f"select * from public.{table}") == 0


@pytest.mark.parametrize("schema_table", [f"public.{table}" for table in TABLES] + [
    "auth.users", "auth.sessions", "auth.refresh_tokens", "private.jobs"])
def test_a_login_without_a_role_may_nothing(workers, schema_table):
    assert refused_or(workers, f"select * from {schema_table}") == "refused"


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
@pytest.mark.parametrize("table", ["auth.users", "auth.sessions", "auth.refresh_tokens", "private.jobs"])
def test_no_client_role_reaches_accounts_or_the_queue(workers, role, table):
    with workers.transaction(force_rollback=True):
        acting(workers, role)
        assert refused_or(workers, f"select * from {table}") == "refused"


@pytest.mark.parametrize("role", ["auth_service", "lectern_metrics"])
@pytest.mark.parametrize("table", TABLES)
def test_roles_with_another_duty_see_no_links(workers, role, table):
    with workers.transaction(force_rollback=True):
        acting(workers, role)
        assert refused_or(workers, f"select * from public.{table}") == "refused"


@pytest.mark.parametrize("role", ["lectern_owner", "lectern_admin", "lectern_jobs", "job_worker", "lectern_bootstrap", "postgres"])
def test_the_workers_cannot_become_more(workers, role):
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)):
        workers.execute(f"set role {role}")


@pytest.mark.parametrize("role", ["lectern_owner", "lectern_admin", "authenticated", "service_role", "auth_service"])
def test_the_jobs_cannot_become_more(jobs, role):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        jobs.execute(f"set role {role}")


def test_even_the_owner_of_the_tables_is_bound(admin, rows):
    with admin.transaction(force_rollback=True):
        admin.execute("set local role lectern_owner")
        for table in TABLES:
            assert admin.execute(f"select count(*) from public.{table}").fetchone() == (0,)


def test_an_article_cannot_hang_on_another_users_link(admin, bob, rows):
    values = TABLES["articles"] | {"link_id": rows["links"], "user_id": bob.id}
    admin.execute("delete from public.articles where link_id = %s", (rows["links"],))
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.execute(insert("articles", values), list(values.values()))


def test_what_a_deleted_account_leaves_is_nothing(admin, alice, bob, rows):
    bob.save("http://127.0.0.2/stays")
    admin.execute("delete from auth.users where id = %s", (alice.id,))
    for table in list(TABLES) + ["jobs"]:
        schema = "private" if table == "jobs" else "public"
        assert admin.execute(f"select count(*) from {schema}.{table} where user_id = %s", (alice.id,)).fetchone() == (0,)
    assert len(bob.links()) == 1


# What the catalog says


def test_every_table_is_walled_in_and_tested_here(admin):
    found = admin.execute("""
        select c.relname, c.relrowsecurity, c.relforcerowsecurity,
            exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and a.attnotnull),
            exists (select from pg_policy p where p.polrelid = c.oid),
            not exists (
                select from pg_policy p
                where p.polrelid = c.oid and (
                    p.polroles = '{0}' or pg_get_expr(p.polqual, p.polrelid) !~ 'SELECT auth.uid\\(\\)'
                    or p.polcmd <> 'r' and pg_get_expr(coalesce(p.polwithcheck, p.polqual), p.polrelid) !~ 'SELECT auth.uid\\(\\)'))
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'm')""").fetchall()
    assert {row[0] for row in found} == set(TABLES)
    for name, enabled, forced, has_owner, has_policy, asks_who in found:
        assert enabled and forced and has_owner and has_policy and asks_who, name


def test_every_view_looks_with_the_eyes_of_its_reader(admin):
    views = admin.execute("""select relname, reloptions from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'v'""").fetchall()
    assert all("security_invoker=true" in (options or []) for _, options in views)


def test_functions_with_the_rights_of_their_owner_are_these_and_look_nowhere_else(admin):
    found = admin.execute("""
        select p.oid::regprocedure::text, p.proconfig, r.rolsuper
        from pg_proc p join pg_roles r on r.oid = p.proowner
        where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')""").fetchall()
    assert {row[0] for row in found} == SECURITY_DEFINER
    for name, config, is_super in found:
        assert config == ["search_path=pg_catalog, pg_temp"] and not is_super, name


def test_no_function_is_everybodys(admin):
    found = admin.execute("""
        select p.oid::regprocedure::text from pg_proc p
        where p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
            and (p.proacl is null or exists (select from aclexplode(p.proacl) a where a.grantee = 0))""").fetchall()
    assert found == []


def test_no_table_and_no_schema_is_everybodys(admin):
    for catalog, acl, schema in [("pg_class", "relacl", "relnamespace::regnamespace::text"), ("pg_namespace", "nspacl", "nspname")]:
        found = admin.execute(f"""select {schema} from {catalog} where {schema} in ('public', 'auth', 'private', 'rest')
            and exists (select from aclexplode({acl}) a where a.grantee = 0)""").fetchall()
        assert found == []


def test_who_may_log_in_and_who_sees_past_the_wall(admin):
    roles = admin.execute("""select rolname, rolcanlogin, rolsuper, rolbypassrls, rolinherit, rolcreaterole or rolcreatedb or rolreplication
        from pg_roles where rolname !~ '^pg_'""").fetchall()
    assert {row[0] for row in roles if row[1]} == {"lectern_admin", "authenticator", "lectern_jobs"}
    assert not [row[0] for row in roles if row[1] and (row[2] or row[5])]
    assert {row[0] for row in roles if row[3] and not row[2]} == {"lectern_admin", "service_role"}
    assert not [row[0] for row in roles if row[0] in ("authenticator", "lectern_jobs") and row[4]]
