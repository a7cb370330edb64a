import Testing

@testable import HTML

@Suite("HTML / foreign names")
struct ForeignNamesTests {
    @Test("SVG and MathML names get their capitals back")
    func names() {
        #expect(ForeignNames.elements["foreignobject"] == "foreignObject" && ForeignNames.elements["a"] == nil)
        #expect(ForeignNames.attributes["viewbox"] == "viewBox")
        #expect(ForeignNames.mathAttributes["definitionurl"] == "definitionURL")
    }
}
