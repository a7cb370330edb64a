"""Requests of the tests of deduplication, and the records of merges."""

ROWS = "return=representation"
MERGE, IGNORE = "resolution=merge-duplicates", "resolution=ignore-duplicates"
BY_URL = "links?on_conflict=user_id,raw_url"


def post(user, body, *prefer, target="links", **headers):
    return user.rest("POST", target, body, Prefer=",".join((ROWS, *prefer)), **headers)


def said(link):
    """The link without the columns that the jobs change at the same time."""
    return {name: value for name, value in link.items() if name not in ("state", "reason", "reason_message")}


def urls(user):
    return sorted(link["raw_url"] for link in user.links())


def merges(user):
    return user.rest("GET", "link_merges?order=merged_at").json()


def unmerge(user, id):
    answer = user.rest("POST", "rpc/unmerge", {"merge_id": id})
    assert answer.status == 200, answer
    return answer.json()


def aliases(user, kind):
    return sorted(row["value"] for row in user.rest("GET", f"link_aliases?kind=eq.{kind}").json())
