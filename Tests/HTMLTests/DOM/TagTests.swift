import HTML
import Testing

@Suite("HTML / tags")
struct TagTests {
    @Test("a tag's spelling is its element's name")
    func spelling() {
        #expect(
            HTML.Tag.annotationXML.spelling == "annotation-xml" && HTML.Tag.foreignObject.spelling == "foreignObject")
        #expect(HTML.Tag.var.spelling == "var" && HTML.Tag.h1.spelling == "h1")
        #expect(Set(HTML.Tag.allCases.map(\.spelling)).count == HTML.Tag.allCases.count)
    }
}
