import HTML
import Testing

@testable import Readability

@Suite("Readability / data tables")
struct DataTablesTests {
    @Test(
        "large and negative rowspans are counted",
        arguments: [
            ("3", true), ("2", false), ("-2", false), ("+9px", true), ("x", false), ("999999999999999999999", true),
        ])
    func spans(rowspan: String, isData: Bool) throws {
        let row = "<tr><td>a</td><td>b</td></tr>"
        let page = try Document(
            parsing: "<table>\(row)\(row)<tr rowspan='\(rowspan)'><td>a</td><td>b</td></tr>\(row)</table>")
        #expect(!DataTables.find(below: page.root, in: page).isEmpty == isData)
    }
}
