import JSON
import Testing

@testable import Export

@Suite("Export / JSON")
struct JSONFormatTests {
    @Test("the links are an array, one on each line, with their articles")
    func array() throws {
        let links = [Links.link(content: "<p>\"a\"</p>"), Links.link()]
        let text = Links.text(JSONFormat(), links)
        #expect(text.split(separator: "\n").count == 4)
        let array = try #require(JSON(parsing: text.utf8)?.array)
        #expect(array.map { $0["content"] } == [.string("<p>\"a\"</p>"), .null])
        #expect(array[0]["url"]?.string == "https://a.test/?a=1&b=2")
    }

    @Test("without links it is an empty array")
    func empty() {
        #expect(Links.text(JSONFormat(), []) == "[]\n")
    }
}
