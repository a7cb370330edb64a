import Testing

@testable import Charsets

@Suite("Charsets / decoding")
struct CharsetsTests {
    @Test("the header's label is used")
    func header() {
        let decoded = Charsets.decode([0x63, 0x61, 0x66, 0xE9], headerLabel: "ISO-8859-1")
        #expect(decoded == Charsets.Decoded(text: "café", charset: "windows-1252"))
    }
}
