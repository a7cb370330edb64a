import Testing

@testable import Charsets

@Suite("Charsets / guess")
struct EncodingGuessTests {
    @Test("UTF-16 is recognised by its first tag")
    func utf16() {
        #expect(EncodingGuess.encoding(of: [0x3C, 0, 0x70, 0]) == .utf16LE)
        #expect(EncodingGuess.encoding(of: [0, 0x3C, 0, 0x70]) == .utf16BE)
    }

    @Test("an East Asian text is recognised", arguments: EastAsianSamples.all.keys.sorted())
    func eastAsian(name: String) throws {
        let hex = try #require(EastAsianSamples.all[name]).hex
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
        #expect(EncodingGuess.encoding(of: bytes[...])?.name == name)
    }

    @Test("empty input has no guess")
    func empty() { #expect(EncodingGuess.encoding(of: []) == nil) }
}
