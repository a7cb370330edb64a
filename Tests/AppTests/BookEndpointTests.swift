import Testing

@testable import App

@Suite("App / books")
struct BookEndpointTests {
    @Test(
        "the file name of a book is its title, in ASCII and in UTF-8",
        arguments: [
            ("Plain title", "filename=\"Plain title.epub\"; filename*=UTF-8''Plain%20title.epub"),
            ("a/b\\c\"d\r\n..", "filename=\"a b c d.epub\"; filename*=UTF-8''a%20b%20c%20d.epub"),
            ("Größe", "filename=\"Gre.epub\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.epub"),
            ("日本", "filename=\"article.epub\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.epub"),
            ("…", "filename=\"article.epub\"; filename*=UTF-8''article.epub"),
        ])
    func names(title: String, expected: String) {
        #expect(BookEndpoint.disposition(title: title) == "attachment; " + expected)
    }

    @Test("a long title is cut")
    func long() {
        #expect(BookEndpoint.disposition(title: String(repeating: "ü", count: 100_000)).utf8.count < 500)
    }

    @Test("an entity tag is recognised in a list, weak or strong")
    func tags() {
        for list in ["\"h\"", "\"a\", W/\"h\"", "*", "W/\"h\""] { #expect(BookEndpoint.matches(list, "h")) }
        for list in ["", "h", "\"hh\"", "\"a\", \"b\""] { #expect(!BookEndpoint.matches(list, "h")) }
    }
}
