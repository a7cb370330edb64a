import Testing

@testable import Export

@Suite("Export / highlights as Markdown")
struct HighlightsTextTests {
    @Test("highlights stand below the titles of their articles")
    func text() {
        let link = Links.link(
            #""title": "Tea [1]", "author": "A. Writer", "published": "2026-01-02T00:00:00.000Z", "highlights": [{"quote": "Boil it.", "note": "Why?"}]"#
        )
        #expect(
            Links.text(HighlightsMarkdownFormat(), [link]) == #"""
                # Highlights

                ## [Tea \[1\]](https://a.test/?a=1&b=2)

                A. Writer · 2026-01-02

                > Boil it.

                Why?

                """#)
    }
}
