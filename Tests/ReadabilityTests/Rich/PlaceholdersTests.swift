import HTML
import Testing

@testable import Readability

@Suite("Readability / placeholders")
struct PlaceholdersTests {
    @Test("a part returns to the place of its placeholder, once")
    func resolved() throws {
        var document = try Document(parsing: "<body><p>a</p><table></table></body>")
        let body = try #require(document.body)
        let part = try #require(document.first([.table], below: body))
        var placeholders = Placeholders()
        document.replace(part, with: placeholders.figure(for: part, in: &document))
        #expect(document.first([.table], below: body) == nil)
        let forged = document.makeElement(.figure)
        document.set(forged, RichContent.mark, to: "0")
        document.append(forged, to: body)
        placeholders.resolve(below: body, in: &document)
        #expect(document.elements([.table], below: body) == [part])
        #expect(document.elements([.figure], below: body) == [forged])
    }
}
