import Testing

@testable import Readability

@Suite("Readability / publication date")
struct PublicationDateTests {
    @Test(
        "editors and modification dates do not hide the publication date",
        arguments: [
            "<p>By Ann Lee. Edited by Bob Ray. 6 May 2024</p>",
            "<p>Edited by Bob Ray | <time datetime=2024-05-06>6 May</time></p>",
            "<p>Published/Updated: 6 May 2024</p>",
            "<p>Published and updated on <time datetime=2024-05-06>6 May</time></p>",
            "<p>Updated 7 May 2024, published 6 May 2024</p>", "<p>Ferries revised weekly, 6 May 2024</p>",
        ])
    func published(line: String) throws {
        #expect(
            try readFacts("<h1>T</h1>\(line)<p>Text.</p>", url: "https://www.tidewater.example/").publishedAt?
                .hasPrefix("2024-05-06") == true)
    }

    @Test(
        "a modification date is not a publication date",
        arguments: [
            "Last updated: ", "Last update: ", "<b>Updated</b> ", "Zuletzt aktualisiert am ", "Mis à jour le ",
            "Обновлено ", "更新日 ",
        ])
    func changed(words: String) throws {
        let page = "<h1>T</h1><p>\(words)<time datetime=2024-05-06>6 May 2024</time></p><p>Text.</p>"
        #expect(try readFacts(page, url: "https://www.tidewater.example/").publishedAt == nil)
        #expect(
            try readFacts(page.replacing(words, with: "Posted "), url: "https://www.tidewater.example/").publishedAt?
                .hasPrefix("2024-05-06") == true)
    }

    @Test(
        "a date in the path is used if the page has none near its headline",
        arguments: [
            ("https://a.example/2024/05/06/x", "2024-05-06T00:00:00Z"),
            ("https://a.example/news/2024/5/6", "2024-05-06T00:00:00Z"),
            ("https://a.example/2024/13/06/x", nil), ("https://a.example/1851/09/18/x", nil),
            ("https://a.example/2024/05", nil),
        ] as [(String, String?)])
    func path(url: String, expected: String?) throws {
        #expect(try readFacts("<p>x", url: url).publishedAt == expected)
    }
}
