import Testing

@testable import Readability

@Suite("Readability / layout tables")
struct LayoutTablesTests {
    @Test("data tables keep their cells and headings")
    func dataTable() throws {
        let table =
            "<table><caption>Cats</caption><thead><tr><th scope=col>Name</th><th colspan=2>Age</th></tr></thead><tbody><tr><td rowspan=2>Tom</td><td>3</td></tr></tbody></table>"
        let content = try RichPage(table).content
        #expect(
            content.contains(#"<th scope="col">Name</th><th colspan="2">Age</th>"#)
                && content.contains(#"<td rowspan="2">Tom</td>"#))
        #expect(content.contains("<caption>Cats</caption>"))
    }

    @Test(
        "layout tables are replaced with their content, in order",
        arguments: [
            "<table role=presentation><tr><td>ONE, \(sentence)</td><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td>ONE, \(sentence)</td></tr><tr><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td><table><tr><td>ONE, \(sentence)</td></tr></table></td><td>TWO, \(sentence)</td></tr></table>",
            "<table><tr><td><p>ONE, \(sentence)</p></td><td><p>TWO, \(sentence)</p></td></tr></table>",
        ])
    func layoutTable(html: String) throws {
        let page = try RichPage(html)
        #expect(!page.content.contains("<table") && !page.content.contains("<td"), Comment(rawValue: page.content))
        let places = [page.text.ranges(of: "ONE").first, page.text.ranges(of: "TWO").first].compactMap {
            $0?.lowerBound
        }
        #expect(places.count == 2 && places == places.sorted())
    }
}
