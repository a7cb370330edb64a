import Testing

@testable import Readability

@Suite("Readability / soft hyphens")
struct SoftHyphensTests {
    @Test("a stored article has no soft hyphens, and keeps every other character")
    func removed() throws {
        let body = "<p>Was\u{AD}ser\u{AD}uhr Â\u{AD}\u{A0}é <b>Turm\u{AD}</b>uhr. \(sentence)</p>\(paragraph)"
        let found = try #require(try PageReader().read("<body>\(body)", url: "https://example.org/").article)
        #expect(found.textContent.contains("Wasseruhr Â\u{A0}é Turmuhr."))
        #expect(!found.content.contains("\u{AD}"))
        #expect(found.length == found.textContent.utf16.count)
    }
}
