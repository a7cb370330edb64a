import Testing

@testable import Readability

@Suite("Readability / text for browsers without scripts")
struct NoscriptTextTests {
    @Test("an article in a noscript element is found")
    func article() throws {
        let text = String(repeating: paragraph, count: 3)
        let found = try ReadabilityTests.article(
            "<div id=app></div><noscript><div>\(text)</div></noscript>", mode: .best)
        #expect(try #require(found).textContent.contains("Cats"))
    }

    @Test("a message that asks for scripts does not become part of the article")
    func message() throws {
        let text = String(repeating: paragraph, count: 4)
        let body = "<div>\(text)<noscript><p>Please enable JavaScript. This page needs it.</p></noscript></div>"
        #expect(try !#require(try ReadabilityTests.article(body, mode: .best)).textContent.contains("JavaScript"))
    }
}
