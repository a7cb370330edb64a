import Testing

@testable import Readability

@Suite("Readability / footnotes")
struct FootnotesTests {
    @Test("footnotes and their links stay, also outside the text")
    func notes() throws {
        let page = try RichPage(
            "<p id=r1>\(sentence)<sup><a href=#n1>1</a></sup></p><aside class=footnotes><ol><li id=n1>\(sentence)NOTE <a href=#r1>↩</a></li></ol></aside>"
        )
        #expect(page.text.contains("NOTE"))
        #expect(
            page.content.contains(##"href="#lct-n1""##) && page.content.contains(##"<li id="lct-n1">"##)
                && page.content.contains(##"href="#lct-r1""##))
    }
}
