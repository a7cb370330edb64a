import Testing

@testable import HTML

@Suite("HTML / source text")
struct SourceTextTests {
    @Test(
        "line ends become line feeds, and a byte order mark is removed",
        arguments: [
            ("a\r\nb\rc\n\r", "a\nb\nc\n\n"), ("\u{FEFF}a\u{FEFF}", "a\u{FEFF}"), ("", ""), ("\r", "\n"),
            ("\r\r\n", "\n\n"),
        ])
    func prepared(source: String, expected: String) {
        #expect(SourceText.prepared(Array(source.utf8)) == Array(expected.utf8))
    }

    @Test("invalid bytes become U+FFFD")
    func invalid() { #expect(SourceText.prepared([0x61, 0xFF, 0x62]) == Array("a\u{FFFD}b".utf8)) }
}
