import Testing

@testable import Charsets

@Suite("Charsets / encoding to text")
struct EncodingTextTests {
    private func text(_ label: String, _ bytes: [UInt8]) throws -> String {
        try #require(Encoding(label: label)).text(of: bytes[...])
    }

    @Test(
        "bytes are decoded by their encoding",
        arguments: [
            ("windows-1252", [0x80, 0x41], "€A"), ("iso-8859-16", [0xA4], "€"), ("windows-1253", [0xAA], "\u{FFFD}"),
            ("utf-16le", [0x41, 0, 0x3D, 0xD8, 0, 0xDE], "A😀"), ("x-user-defined", [0xFF], "\u{F7FF}"),
            ("utf-8", [0xFF], "\u{FFFD}"),
        ] as [(String, [UInt8], String)])
    func decoded(label: String, bytes: [UInt8], expected: String) throws { #expect(try text(label, bytes) == expected) }

    @Test("the replacement encoding decodes everything to one character")
    func replacement() throws {
        #expect(Encoding.replacement.text(of: [1, 2, 3]) == "\u{FFFD}" && Encoding.replacement.text(of: []).isEmpty)
    }

    @Test("text longer than the conversion buffers is complete")
    func long() throws {
        let bytes = [UInt8](repeating: 0xE9, count: 300_000)
        #expect(try text("koi8-r", bytes).unicodeScalars.count == 300_000)
    }
}
