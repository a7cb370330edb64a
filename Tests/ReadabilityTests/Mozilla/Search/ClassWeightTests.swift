import HTML
import Testing

@testable import Readability

@Suite("Readability / class weight")
struct ClassWeightTests {
    @Test(
        "a class is weighed by its words",
        arguments: [
            ("article", 25), ("sidebar", -25), ("hid", -25), ("x hid y", -25), ("hide", 0), ("article sidebar", 0),
            ("", 0),
        ])
    func weight(name: String, expected: Int) throws {
        var document = Document()
        let node = document.makeElement(.div)
        document.set(node, .class, to: name)
        #expect(ClassWeight.of(node, in: document) == expected)
    }
}
