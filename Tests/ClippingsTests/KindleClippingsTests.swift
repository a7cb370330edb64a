import Testing

@testable import Clippings

@Suite("Clippings / My Clippings.txt")
struct KindleClippingsTests {
    private func books(_ entries: [(title: String, kind: String, text: String)]) throws -> [ClippedBook] {
        let file = entries.map { "\($0.title)\r\n\($0.kind)\r\n\r\n\($0.text)\r\n==========\r\n" }.joined()
        return try ClippingsFile.books(in: Array(("\u{FEFF}" + file).utf8))
    }

    @Test("entries are grouped by title, and notes belong to the highlight at their place")
    func grouping() throws {
        let rivers = "Rivers (of Europe) (Ann Author)"
        let added = "Added on Monday, 1 January 2024 10:00:00"
        let books = try books([
            (rivers, "- Your Highlight on page 5 | Location 100-102 | \(added)", "The river"),
            (rivers, "- Your Note on page 5 | Location 102 | \(added)", "Mine"),
            (rivers, "- Your Highlight on page 5 | Location 100-104 | \(added)", "The river begins"),
            (rivers, "- Your Highlight on page 5 | Location 100-104 | \(added)", "Another"),
            (rivers, "- Your Bookmark on page 9 | Location 200 | \(added)", ""),
            ("Über alles", "- Ihre Markierung bei Position 7-8 | Hinzugefügt am Montag, 1. Januar 2024", "Anfang"),
            ("Über alles", "- Ihre Notiz bei Position 8 | Hinzugefügt am Montag, 1. Januar 2024", "Meine"),
            ("川", "- 位置No. 7-8のハイライト |作成日: 2024年1月1日", "始まり"), ("川", "- 位置No. 8のメモ |作成日: 2024年1月1日", "私の"),
        ])
        #expect(
            books == [
                ClippedBook(
                    title: "Rivers (of Europe)",
                    clippings: [Clipping(quote: "The river begins", note: "Mine"), Clipping(quote: "Another")]),
                ClippedBook(title: "Über alles", clippings: [Clipping(quote: "Anfang", note: "Meine")]),
                ClippedBook(title: "川", clippings: [Clipping(quote: "始まり", note: "私の")]),
            ])
    }

    @Test("a note without a highlight and an entry without a text are left out")
    func incomplete() throws {
        #expect(try books([("A", "- Your Note on page 5 | Location 102 | Added", "Mine")]) == [])
        let entries = [("A", "no dash", "x"), ("", "", ""), ("B", "- Your Highlight", "kept")]
        #expect(try books(entries).map(\.title) == ["B"])
    }
}
