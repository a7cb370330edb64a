import HTML
import Testing

@testable import Readability

@Suite("Readability / values of meta elements")
struct MetaValuesTests {
    @Test("of equal names the last value counts, and the first name with a value is used")
    func values() throws {
        let page = "<meta name=author content=A><meta name=author content=' B '><meta name=title content=''>"
        let values = MetaValues(try Document(parsing: page))
        #expect(values.first("title", "author") == "B")
        #expect(values.first("title", "description") == nil)
    }
}
