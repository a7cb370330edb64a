import Testing

@testable import Export

@Suite("Export / Markdown files")
struct MarkdownFileTests {
    @Test("a file has front matter, the article, and the highlights with their notes")
    func file() {
        let link = Links.link(
            #""title": "Tea: \"strong\"", "tags": ["drinks"], "starred": true, "note": "Try it.", "highlights": [{"quote": "One.\nTwo *three*.", "note": "Really?"}, {"quote": "Four."}]"#,
            content: "<h2>Boiling</h2><p>One.</p>")
        #expect(
            MarkdownFile(link: link).text == #"""
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
    func noArticle() {
        #expect(MarkdownFile(link: Links.link()).text.hasSuffix("starred: false\n---\n\n"))
    }

    @Test(
        "the name of a file has the day, words of the title and the start of the id",
        arguments: [
            ("Tea & Cake: a History", "tea-cake-a-history"), ("Über 茶", "über-茶"), ("../..", "untitled"),
            (String(repeating: "茶", count: 100), String(repeating: "茶", count: 26)),
        ])
    func name(title: String, slug: String) {
        #expect(MarkdownFile(link: Links.link("\"title\": \"\(title)\"")).name == "2026-01-02-\(slug)-0b8f3a52.md")
    }
}
