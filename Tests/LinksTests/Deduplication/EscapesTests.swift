import Testing

@testable import Links

@Suite("Links / canonical escapes")
struct EscapesTests {
    private func canonical(_ text: String, in place: Escapes.Place) -> String {
        var result: [UInt8] = []
        Escapes.appendCanonical(Array(text.utf8)[...], in: place, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    @Test(
        "unnecessary escapes are decoded, and necessary ones are in upper case",
        arguments: [
            ("%7e%41%2d", "~A-"), ("%2f%3F", "%2F%3F"), ("é |", "%C3%A9%20%7C"), ("%", "%25"), ("%4", "%254"),
            ("%zz", "%25zz"),
        ])
    func escapes(text: String, expected: String) {
        #expect(canonical(text, in: .elsewhere) == expected)
        #expect(canonical(expected, in: .elsewhere) == expected)
    }

    @Test("a plus means a blank in a query only")
    func plus() {
        #expect(canonical("a+b", in: .query) == "a%20b")
        #expect(canonical("a+b", in: .elsewhere) == "a+b")
    }
}
