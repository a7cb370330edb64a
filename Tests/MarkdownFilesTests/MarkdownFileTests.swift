import Testing

@testable import MarkdownFiles

@Suite("Markdown files")
struct MarkdownFileTests {
    private func link(_ members: String = "") throws -> ExportedLink {
        let json = """
            {"id": "0b8f3a52-6f0d-4d6e-9a3c-5d2f1b7e8c90", "url": "https://a.test/?a=1&b=2",
            "created_at": "2026-01-02T03:04:05.678Z", "status": "unread", "list": "read", "starred": false,
            "tags": [], "collections": [], "highlights": []\(members.isEmpty ? "" : ", " + members)}
            """
        return try #require(ExportedLink(json: Array(json.utf8)))
    }

    @Test("a file has front matter, the article, and the highlights with their notes")
    func file() throws {
        let link = try link(
            #""title": "Tea: \"strong\"", "tags": ["drinks"], "starred": true, "note": "Try it.", "#
                + #""highlights": [{"quote": "One.\nTwo *three*.", "note": "Really?"}, {"quote": "Four."}]"#)
        #expect(
            MarkdownFile(link, article: "## Boiling\n\nOne.\n").text == #"""
                ---
                title: "Tea: \"strong\""
                url: "https://a.test/?a=1&b=2"
                bookmarked: "2026-01-02T03:04:05.678Z"
                categories: ["drinks"]
                tags: ["drinks"]
                list: "read"
                status: "unread"
                starred: true
                note: "Try it."
                highlights: 2
                ---

                ## Boiling

                One.

                ## Highlights

                > One.
                >
                > Two \*three\*.

                Really?

                > Four.

                """#)
    }

    @Test("a link without an article is its front matter")
    func noArticle() throws {
        #expect(try MarkdownFile(link()).text.hasSuffix("starred: false\n---\n\n"))
    }

    @Test(
        "the name of a file has the day, words of the title and the start of the id",
        arguments: [
            ("Tea & Cake: a History", "tea-cake-a-history"), ("Über 茶", "über-茶"), ("../..", "untitled"),
            (String(repeating: "茶", count: 100), String(repeating: "茶", count: 26)),
        ])
    func name(title: String, slug: String) throws {
        #expect(try MarkdownFile(link("\"title\": \"\(title)\"")).name == "2026-01-02-\(slug)-0b8f3a52.md")
    }

    @Test(
        "plain text is read as the same text",
        arguments: [
            ("a *b* [c]", #"a \*b\* \[c]"#), ("# one\n- two\n\n3. three", "\\# one\n\n\\- two\n\n3\\. three"), ("", ""),
        ])
    func plain(text: String, markdown: String) {
        #expect(PlainMarkdown.text(text) == (markdown.isEmpty ? "" : markdown + "\n"))
    }
}
