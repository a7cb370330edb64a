"""A web site whose articles only members can read, who sign in by a cookie."""

from support.loopback_site import LoopbackSite, article

WALL = """<!doctype html><html lang="en"><title>For members</title><body><h1>For members</h1>
<p>Sign in to read this article.</p><form action="/sign-in"><input name="user"><input name="password" type="password">
<button>Sign in</button></form></body></html>"""


# One empty page.
PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj trailer<</Root 1 0 R>>"""


class MembersSite(LoopbackSite):
    def __init__(self):
        # The bodies of pages that are given only to members, by name.
        self.private = {}
        # Pages that anybody gets, by name: the body and headers.
        self.public = {}
        super().__init__(None)

    def _handler(self):
        site = self

        class Handler(super()._handler()):
            def get_sign_in(self, *_):
                self.answer("<title>Welcome</title>", Set_Cookie="member=yes; Path=/")

            def get_members(self, name, *_):
                is_member = "member=yes" in self.headers.get("Cookie", "")
                self.answer(site.private[name] if is_member else WALL)

            def get_file_pdf(self):
                self.answer(PDF, "application/pdf")

            def get_public(self, name, *_):
                body, headers = site.public[name]
                self.answer(body, **headers)

        return Handler

    def add_private(self, name, marker, signs_out):
        """Adds an article for members, with or without a button to sign out, and returns its address."""
        page = article("A private report", marker=marker, paragraphs=9)
        if signs_out:
            page = page.replace("<body>", '<body><a href="/account/logout">Leave</a>')
        self.private[name] = page
        return f"{self.url}/members/{name}"

    def add_public(self, name, body, **headers):
        self.public[name] = (body, headers)
        return f"{self.url}/public/{name}"
