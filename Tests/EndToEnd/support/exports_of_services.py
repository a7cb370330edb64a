"""Files as other services export them, each with three pages, of which the third has an address that is refused."""

import io
import json
import zipfile

SITE = "http://127.0.0.9:9"
SAVED = "2024-05-06T07:08:09+00:00"
EPOCH = 1714979289


def zipped(files):
    """A ZIP of files by their names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zip:
        for name, content in files.items():
            zip.writestr(name, content)
    return file.getvalue()


def bookmarks(folder=""):
    return f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE>
<DL><p>{f"<DT><H3>{folder}</H3><DL><p>" if folder else ""}
<DT><A HREF="{SITE}/one?a=1&amp;b=2" ADD_DATE="{EPOCH}" TAGS="caf\u00e9,two words" TOREAD="0">One &amp; only</A><DD>Said of it
<DT><A HREF="{SITE}/two" ADD_DATE="0">Two</A>
<DT><A HREF="javascript:alert(1)" ADD_DATE="{EPOCH}">Three</A>
{"</DL><p>" if folder else ""}</DL><p>
"""


POCKET = (
    f'title,url,time_added,tags,status\r\n"One, &amp; only",{SITE}/one,{EPOCH},caf\u00e9|two words,archive\r\n'
    f"{SITE}/two,{SITE}/two,0,,unread\r\n"
    "Three,javascript:alert(1),1714979289,,unread\r\n"
)
MARKED = [{"url": f"{SITE}/one", "title": "One", "highlights": [{"quote": "Marked words", "created_at": EPOCH}]}]
WALLABAG = [
    {
        "id": 1, "title": "One & only", "url": f"{SITE}/one", "is_archived": 1, "is_starred": 1, "tags": ["caf\u00e9", "two words"],
        "content": "<p>Words that came with the file, a porcelain kettle among them.</p>" * 3, "created_at": "2024-05-06T09:08:09+0200",
        "annotations": [{"text": "Mine", "quote": "porcelain kettle", "created_at": "2024-05-06T09:08:09+0200"}],
    },
    {"id": 2, "title": "Two", "url": f"{SITE}/two", "is_archived": 0, "is_starred": 0, "tags": [], "created_at": "0000"},
    {"id": 3, "title": "Three", "url": "ftp://127.0.0.9/three", "is_archived": 0, "is_starred": 0, "tags": []},
]  # fmt: skip
OMNIVORE = [
    {
        "id": "1", "slug": "one", "title": "One & only", "url": f"{SITE}/one", "state": "Archived", "savedAt": SAVED,
        "labels": ["caf\u00e9", "two words"],
    },
    {"id": "2", "slug": "two", "title": "Two", "url": f"{SITE}/two", "state": "Active", "labels": []},
    {"id": "3", "slug": "three", "title": "Three", "url": "", "state": "Active", "labels": []},
]  # fmt: skip
PINBOARD = [
    {"href": f"{SITE}/one", "description": "One & only", "extended": "Said of it", "time": "2024-05-06T07:08:09Z",
     "toread": "no", "tags": "caf\u00e9 two_words"},
    {"href": f"{SITE}/two", "description": "Two", "extended": "", "time": "", "toread": "yes", "tags": ""},
    {"href": "mailto:a@example.org", "description": "Three", "extended": "", "time": "", "toread": "no", "tags": ""},
]  # fmt: skip
KARAKEEP = {
    "bookmarks": [
        {"createdAt": EPOCH, "title": "One & only", "tags": ["caf\u00e9", "two words"], "archived": True, "note": "Mine",
         "content": {"type": "link", "url": f"{SITE}/one"}, "lists": ["b"]},
        {"createdAt": 0, "title": None, "tags": [], "content": {"type": "link", "url": f"{SITE}/two"}},
        {"createdAt": EPOCH, "title": "Three", "tags": [], "content": {"type": "text", "text": "Words"}},
    ],
    "lists": [{"id": "b", "name": "Inner", "parentId": "a"}, {"id": "a", "name": "Outer", "parentId": None}],
}  # fmt: skip
LINKDING = {
    "count": 3,
    "next": None,
    "previous": None,
    "results": [
        {"url": f"{SITE}/one", "title": "One & only", "notes": "Mine", "tag_names": ["caf\u00e9", "two words"], "is_archived": True,
         "unread": True, "date_added": SAVED},
        {"url": f"{SITE}/two", "title": "Two", "tag_names": [], "is_archived": False, "unread": True, "date_added": "never"},
        {"url": "about:blank", "title": "Three", "tag_names": [], "is_archived": False, "unread": True},
    ],
}  # fmt: skip
LINKWARDEN = {
    "id": 1,
    "username": "ada",
    "collections": [
        {"id": 1, "name": "Outer", "links": [
            {"name": "One & only", "url": f"{SITE}/one", "tags": [{"name": "caf\u00e9"}, {"name": "two words"}], "importDate": SAVED},
            {"name": "Two", "url": f"{SITE}/two", "tags": []}, {"name": "Three", "url": None, "type": "pdf", "tags": []},
        ]}
    ],
}  # fmt: skip
CHROME = {
    "checksum": "0",
    "roots": {
        "bookmark_bar": {"name": "Bar", "type": "folder", "children": [
            {"name": "Outer", "type": "folder", "children": [
                {"name": "One & only", "type": "url", "url": f"{SITE}/one", "date_added": str((EPOCH + 11644473600) * 10**6)}
            ]},
            {"name": "Two", "type": "url", "url": f"{SITE}/two", "date_added": "0"},
            {"name": "Three", "type": "url", "url": "chrome://settings", "date_added": "0"},
        ]}
    },
    "version": 1,
}  # fmt: skip
FIREFOX = {
    "guid": "root________", "title": "", "typeCode": 2, "children": [
        {"guid": "menu________", "title": "menu", "typeCode": 2, "children": [
            {"title": "Outer", "typeCode": 2, "children": [
                {"title": "One & only", "typeCode": 1, "uri": f"{SITE}/one", "dateAdded": EPOCH * 10**6, "tags": "caf\u00e9,two words"},
                {"title": "Recent", "typeCode": 1, "uri": "place:sort=8"},
            ]},
            {"title": "Two", "typeCode": 1, "uri": f"{SITE}/two", "dateAdded": 0},
            {"title": "Three", "typeCode": 1, "uri": "about:config", "dateAdded": 0},
        ]}
    ],
}  # fmt: skip
MARKDOWN = f"""---
title: "One & only"
url: {SITE}/one
bookmarked: {SAVED}
tags: [caf\u00e9, two words]
status: read
starred: true
---

# One & only

Words of the *file*, a porcelain kettle among them.
"""

# By format: the file's name, its content, and what comes along with the first page beside date and status.
FILES = {
    "pocket-csv": ("part_000000.csv", POCKET.encode(), {"tags"}),
    "pocket-html": ("ril_export.html", (
        "<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>"
        f'<li><a href="{SITE}/two" time_added="0" tags="">Two</a></li><li><a href="data:,x" time_added="1">Three</a></li></ul>'
        f'<h1>Read Archive</h1><ul><li><a href="{SITE}/one" time_added="{EPOCH}" tags="caf\u00e9,two words">One &amp; only</a></li></ul>'
    ).encode(), {"tags"}),
    "instapaper": ("instapaper-export.csv", (
        f'URL,Title,Selection,Folder,Timestamp,Tags\n{SITE}/one,One & only,,Archive,{EPOCH},"[""caf\u00e9"", ""two words""]"\n'
        f"{SITE}/two,Two,,Outer,,\nno address,Three,,Unread,{EPOCH},\n"
    ).encode(), {"tags"}),
    "omnivore": ("omnivore.zip", zipped({
        "metadata_0_to_20.json": json.dumps(OMNIVORE),
        "content/one.html": "<p>Words that came with the file, a porcelain kettle among them.</p>" * 3,
        "highlights/one.md": "> porcelain kettle [\u2934\ufe0f](https://omnivore.app/x)  #label\n\nMine\n",
    }), {"tags", "highlights", "content"}),
    "wallabag": ("All articles.json", json.dumps(WALLABAG).encode(), {"tags", "starred", "highlights", "content"}),
    "netscape": ("bookmarks.html", bookmarks("Outer").encode(), {"tags", "collection"}),
    "readwise": ("reader.csv", (
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\n"
        f"One & only,{SITE}/one,1,\"['caf\u00e9', 'two words']\",2024-05-06 07:08:09+00:00,1,archive,True\n"
        f"Two,{SITE}/two,2,,,0,new,False\nThree,mailto:reader@example.org,3,,,0,new,False\n"
    ).encode(), {"tags"}),
    "pinboard": ("pinboard.json", json.dumps(PINBOARD).encode(), set()),
    "raindrop": ("raindrop.csv", (
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n"
        f'1,One & only,Mine,,{SITE}/one,Outer,"caf\u00e9, two words",2024-05-06T07:08:09.000Z,,,true\n'
        f"2,Two,,,{SITE}/two,Unsorted,,,,,false\n3,Three,,,,Unsorted,,,,,false\n"
    ).encode(), {"tags", "starred", "collection", "note", "unread"}),
    "shaarli": ("shaarli.html", bookmarks().replace("<TITLE>", "<!-- Shaarli all bookmarks export --><TITLE>").encode(), {"tags"}),
    "matter": ("matter.csv", (
        "Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last_Interaction_Date\n"
        f'One & only,Ada,Press,{SITE}/one,"caf\u00e9,two words",9,False,True,True,0,2024-05-06T07:08:09Z\n'
        f"Two,,,{SITE}/two,,9,True,False,False,0,\nThree,,,,,9,True,False,False,0,\n"
    ).encode(), {"tags", "starred"}),
    "linkwarden": ("backup.json", json.dumps(LINKWARDEN).encode(), {"tags", "collection", "unread"}),
    "karakeep": ("karakeep.json", json.dumps(KARAKEEP).encode(), {"tags", "nested", "note"}),
    "linkding": ("linkding.json", json.dumps(LINKDING).encode(), {"tags", "note"}),
    "chrome": ("Bookmarks", json.dumps(CHROME).encode(), {"collection", "unread"}),
    "firefox": ("bookmarks.json", json.dumps(FIREFOX).encode(), {"tags", "collection", "unread"}),
    "opml": ("feeds.opml", (
        '<?xml version="1.0"?><opml version="2.0"><body><outline text="Outer"><outline text="One &amp; only" '
        f'htmlUrl="{SITE}/one" created="Mon, 06 May 2024 07:08:09 GMT"/></outline><outline text="Two" url="{SITE}/two"/>'
        '<outline text="Three" url="gopher://127.0.0.9/"/></body></opml>'
    ).encode(), {"collection", "unread"}),
    "urls": ("list.txt", f"{SITE}/one\n\n{SITE}/two\r\n{SITE}/two\n".encode(), {"unread", "undated", "untitled"}),
    "markdown": ("notes.zip", zipped({
        "notes/a.md": MARKDOWN, "notes/b.md": f"---\nurl: {SITE}/two\n---\n", "notes/c.md": "# Without an address\n",
        "__MACOSX/notes/._a.md": "x",
    }), {"tags", "starred", "content"}),
}  # fmt: skip
