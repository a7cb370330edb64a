import Testing

@testable import Charsets

@Suite("Charsets / detection")
struct EncodingDetectionTests {
    @Test("UTF-16 is recognised by its first tag")
    func utf16() {
        #expect(EncodingDetection.guess([0x3C, 0, 0x70, 0]) == .utf16LE)
        #expect(EncodingDetection.guess([0, 0x3C, 0, 0x70]) == .utf16BE)
    }

    @Test("an East Asian text is recognised", arguments: EastAsianSamples.all.keys.sorted())
    func eastAsian(name: String) throws {
        let hex = try #require(EastAsianSamples.all[name]).hex
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
        #expect(EncodingDetection.guess(bytes[...])?.name == name)
    }

    @Test("empty input has no guess")
    func empty() { #expect(EncodingDetection.guess([]) == nil) }
}
