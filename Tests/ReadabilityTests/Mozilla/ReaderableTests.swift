import HTML
import Testing

@testable import Readability

@Suite("Readability / readerable")
struct ReaderableTests {
    private let text = String(repeating: paragraph, count: 4)

    @Test("a page with paragraphs of some length outside lists is probably readable")
    func readerable() throws {
        #expect(Readerable.isProbably(try Document(parsing: text)))
        #expect(!Readerable.isProbably(try Document(parsing: "<p>short</p>")))
        #expect(!Readerable.isProbably(try Document(parsing: "<ul><li>\(text)</ul>")))
        #expect(
            Readerable.isProbably(try Document(parsing: "<div>\(String(repeating: sentence + "<br>", count: 8))</div>"))
        )
        #expect(!Readerable.isProbably(try Document(parsing: text.replacing("<p>", with: "<p hidden>"))))
        let invisible = text.replacing("<p>", with: "<p style='visibility:hidden'>")
        #expect(Readerable.isProbably(try Document(parsing: invisible)))
    }
}
