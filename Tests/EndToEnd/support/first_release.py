"""A database as release 0.9.0 left it: the tables of the baseline, with a few rows in those that users fill."""

import base64
import hashlib
import json
import re

import psycopg

from support.paths import CHECKOUT

# One pixel, in WebP.
PICTURE = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")

BASELINE = CHECKOUT / "sql/migrations/0001_baseline.sql"

READY, PLAIN, FAILED = (f"00000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))

ROWS = f"""
insert into public.links (id, user_id, raw_url, resolved_url, title, list, is_starred, state, word_count, kind, lang,
    reading_time, dedupe_key, title_is_text, created_at, updated_at)
select id::uuid, %(user)s, 'http://10.0.0.1/' || name || '?utm_source=x', 'http://10.0.0.1/' || name, title, list,
    list = 'read', state, 7, 'article', 'en', 1, 'https://10.0.0.1/' || name, true, created_at, created_at
from (values ('{READY}', 'tea', 'All about tea', 'read', 'ready', timestamptz '2024-05-01 10:00+00'),
    ('{PLAIN}', 'cups', 'Cups & saucers', 'archive', 'ready', '2024-05-02 10:00+00'),
    ('{FAILED}', 'gone', null, 'read', 'failed', '2024-05-03 10:00+00'))
    as given (id, name, title, list, state, created_at);
update public.links set reason = 'not_found', reason_message = 'The site has no such page (404).' where id = '{FAILED}';
insert into public.articles (link_id, user_id, url, title, content, text_content, length, word_count, extractor_version)
select id, user_id, resolved_url, title, '<p>Tea is a drink that people like.</p>', 'Tea is a drink that people like.',
    32, 7, 1 from public.links where state = 'ready';
insert into private.sources (link_id, user_id, kind, asked_url, url, html)
select id, user_id, 'server', raw_url, resolved_url, '<p>Tea is a drink that people like.</p>' from public.links
where id = '{READY}';
insert into public.tags (user_id, name) values (%(user)s, 'drinks');
insert into public.link_tags (link_id, tag_id, user_id) select '{READY}', id, user_id from public.tags;
insert into public.notes (user_id, link_id, body) values (%(user)s, '{READY}', 'To be read *soon*.');
insert into public.highlights (user_id, link_id, quote, start_offset, end_offset, note)
values (%(user)s, '{READY}', 'a drink', 7, 14, 'Which one?');
insert into public.collections (user_id, name) values (%(user)s, 'Kitchen');
insert into public.collection_links (collection_id, link_id, user_id) select id, '{PLAIN}', user_id from public.collections;
insert into public.reading_progress (user_id, content_hash, link_id, last_read_character_index, percentage_complete)
values (%(user)s, 'abc', '{READY}', 12, 0.4);
insert into public.user_settings (user_id, font_size, theme) values (%(user)s, 20, 'sepia');
insert into public.link_aliases (user_id, link_id, kind, value)
values (%(user)s, '{READY}', 'spelling', 'http://10.0.0.1/tea#top');
insert into public.trash (user_id, link_id, raw_url, title, link, parts)
select user_id, gen_random_uuid(), 'http://10.0.0.1/thrown', 'Thrown away',
    to_jsonb(links) || jsonb_build_object('id', gen_random_uuid(), 'raw_url', 'http://10.0.0.1/thrown',
        'dedupe_key', 'https://10.0.0.1/thrown'), '{{}}'
from public.links where id = '{PLAIN}';
update public.trash set link = link || jsonb_build_object('id', link_id);
insert into public.pictures (user_id, hash, address, width, height, bytes)
values (%(user)s, %(hash)s, %(address)s, 1, 1, 34);
insert into public.link_pictures (link_id, user_id, kind, source, state, hash)
values ('{READY}', %(user)s, 'preview', 'http://10.0.0.1/tea.png', 'kept', %(hash)s);
insert into private.jobs (kind, user_id, link_id, state, reason, message)
values ('save', %(user)s, '{FAILED}', 'buried', 'not_found', 'The site has no such page (404).');
"""


def make(service, folder):
    """Gives a running service a database of 0.9.0 with one account, its API token and its rows, and stops it. The folder
    is for files.

    Returns the user, the token and the rows of the tables that users fill."""
    user = service.sign_up()
    form = {"name": "e-reader", "scope": "full", "password": user.password}
    token = service.send("POST", "/auth/v1/tokens", user.headers, json.dumps(form)).json()["token"]
    # An account is stored now as it was then.
    accounts = {
        name: service.sql(f"select to_jsonb(t) from {name} t")[0][0] for name in ["auth.users", "auth.api_tokens"]
    }

    for file, text in [("migrations/0001_baseline.sql", BASELINE.read_text()), ("schema/nothing.sql", "select 1;\n")]:
        (folder / file).parent.mkdir(parents=True)
        (folder / file).write_text(text)
    service.sql("""
        drop owned by lectern_owner cascade; set role lectern_owner; drop schema public cascade;
        create schema public authorization pg_database_owner""")
    done = service.lectern("migrate", service="migrate", LECTERN_SQL_DIR=str(folder))
    assert done.returncode == 0 and "0001_baseline" in done.stdout, done

    address = "cd/" + "cd" * 20 + ".webp"
    values = {"user": user.id, "hash": hashlib.sha256(PICTURE).hexdigest(), "address": address}
    with psycopg.connect(service.database_url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        for name, row in accounts.items():
            columns = [column for (column,) in connection.execute(
                "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and attgenerated = ''",
                [name])]  # fmt: skip
            listed = ", ".join(columns)
            connection.execute(
                f"insert into {name} ({listed}) select {listed} from jsonb_populate_record(null::{name}, %s)",
                [psycopg.types.json.Jsonb(row)],
            )
        connection.execute(ROWS, values)
    rows = rows_of_users(service)
    service.stop()
    # Not before: the running jobs delete files that no row names.
    file = service.home / "pictures" / address
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(PICTURE)
    return user, token, rows


def rows_of_users(service):
    """The rows of the tables of 0.9.0 that users fill, as they were then: table → the rows without newer columns."""
    with psycopg.connect(service.database_url) as connection:
        tables = {
            f"{schema}.{name}": re.findall(r"^    ([a-z_]+) ", columns, re.MULTILINE)
            for schema, name, columns in re.findall(
                r"^create table (public|auth)\.(\w+) \((.*?)^\);", BASELINE.read_text(), re.MULTILINE | re.DOTALL
            )
        }
        # Words that begin the lines of constraints.
        skip = {"constraint", "foreign", "unique", "primary", "check", "or"}
        return {
            name: sorted(
                json.dumps(row, sort_keys=True, default=str)
                for (row,) in connection.execute(
                    "select jsonb_build_object("
                    + ", ".join(f"'{column}', {column}" for column in columns if column not in skip)
                    + f") from {name}"
                )
            )
            for name, columns in tables.items()
        }
