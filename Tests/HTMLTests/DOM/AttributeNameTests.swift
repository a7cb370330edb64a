import HTML
import Testing

@Suite("HTML / attribute names")
struct AttributeNameTests {
    @Test(
        "a capital letter within a case stands for a dash",
        arguments: [
            (AttributeName.dataSrc, "data-src"), (.httpEquiv, "http-equiv"), (.class, "class"),
            (.dataLecternRich, "data-lectern-rich"),
        ])
    func spelling(name: AttributeName, expected: String) { #expect(name.spelling == expected) }
}
