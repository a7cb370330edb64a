import HTML
import Testing

@testable import Readability

@Suite("Readability / rich content")
struct RichContentTests {
    @Test("collapsed details are opened")
    func details() throws {
        #expect(
            try RichPage("<details><summary>More</summary><p>\(sentence)</p></details>").content.contains(
                "<details open=\"\">"))
    }

    @Test("a page's own use of the mark attribute has no effect")
    func forged() throws {
        let page = try RichPage(
            "<figure data-lectern-rich=0></figure><figure data-lectern-rich=99999999999999999999></figure><p data-lectern-rich=x>\(sentence)</p>"
        )
        #expect(!page.content.contains("lectern"))
    }
}
