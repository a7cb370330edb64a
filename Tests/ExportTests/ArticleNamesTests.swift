import Testing

@testable import Export

@Suite("Export / names of pages")
struct ArticleNamesTests {
    @Test(
        "a title becomes a name that every file system takes",
        arguments: [
            ("Tea & cake", "Tea & cake"), ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j"),
            ("../../etc/passwd", ".. .. etc passwd"),
            ("  two\n\tlines  ", "two lines"), ("Ends with dots...", "Ends with dots"), (nil, "untitled"),
            ("", "untitled"), ("...", "untitled"),
            ("\u{202E}gnp.exe", "gnp.exe"), ("100% #1", "100 1"), ("nul\u{0}byte", "nul byte"), ("Grüße 🍵", "Grüße 🍵"),
        ] as [(String?, String)])
    func safe(title: String?, name: String) {
        #expect(ArticleNames.safe(title) == name)
    }

    @Test("a long title ends with a whole word, a long word with a whole character")
    func long() {
        #expect(
            ArticleNames.safe(String(repeating: "word ", count: 100))
                == String(repeating: "word ", count: 24).dropLast())
        let letters = ArticleNames.safe(String(repeating: "👩‍👩‍👧", count: 100))
        #expect(letters.utf8.count <= 120 && !letters.isEmpty)
        #expect(ArticleNames.safe(String(repeating: "é", count: 200)) == String(repeating: "é", count: 60))
    }

    @Test("positions sort as text")
    func digits() {
        var names = ArticleNames(count: 120)
        for _ in 0..<3 { names.add(title: "a") }
        #expect(names.all == ["001 a.html", "002 a.html", "003 a.html"])
    }
}
