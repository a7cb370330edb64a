"""A client that keeps a copy of its user's rows by rpc/changes."""

import json

from support.waiting import wait_until

# The tables of rpc/changes with the columns of their primary keys.
KEYS = {
    "links": ["id"],
    "tags": ["id"],
    "link_tags": ["link_id", "tag_id"],
    "highlights": ["id"],
    "bookmarks": ["id"],
    "notes": ["id"],
    "collections": ["id"],
    "collection_links": ["collection_id", "link_id"],
    "reading_progress": ["user_id", "content_hash"],
    "user_settings": ["user_id"],
    "rules": ["id"],
    "articles": ["link_id"],
}
WITHHELD = {"content", "text_content"}


def ask(user, **arguments):
    return user.rest("POST", "rpc/changes", arguments)


def page_of(user, **arguments):
    answer = ask(user, **arguments)
    assert answer.status == 200, answer
    page = answer.json()
    assert set(page) == {"changes", "cursor", "more"}
    keys = [key_of(change) for change in page["changes"]]
    assert len(keys) == len(set(keys)) <= arguments.get("limit", 500)
    return page


def key_of(change):
    return change["table"], json.dumps(change["key"], sort_keys=True)


class Copy:
    """The rows of a user as its client knows them: (table, key) → row."""

    def __init__(self, user, **arguments):
        self.user, self.arguments = user, arguments
        self.rows, self.cursor = {}, None

    def poll(self):
        """Applies all pages and returns their changes."""
        seen, more = [], True
        while more:
            page = page_of(self.user, since=self.cursor, **self.arguments)
            self.cursor, more = page["cursor"], page["more"]
            seen += page["changes"]
            for change in page["changes"]:
                assert list(change) == ["table", "op", "key", "row"]
                if change["op"] == "upsert":
                    assert set(change["key"]) == set(KEYS[change["table"]])
                    assert change["key"].items() <= change["row"].items()
                    self.rows[key_of(change)] = change["row"]
                else:
                    assert change["op"] == "delete" and change["row"] is None
                    self.rows.pop(key_of(change), None)
        return seen

    def wait_for_rows(self):
        """Polls until the copy has the rows that the tables show: jobs may change rows between the two."""

        def is_current():
            self.poll()
            return self.rows == rows_of(self.user)

        wait_until(is_current)

    def news(self):
        """The table and the operation of each change, in alphabetical order."""
        return sorted((change["table"], change["op"]) for change in self.poll())


def rows_of(user):
    """The rows of a user as the tables show them."""
    found = {}
    for table, key in KEYS.items():
        answer = user.rest("GET", table)
        assert answer.status == 200, answer
        for row in answer.json():
            shown = {name: value for name, value in row.items() if table != "articles" or name not in WITHHELD}
            found[key_of({"table": table, "key": {name: row[name] for name in key}})] = shown
    return found
