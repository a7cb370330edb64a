import Testing

@testable import FastCGI

@Suite("FastCGI / name-value validator")
struct NameValueValidatorTests {
    private let pairs =
        Records.pair("NAME", "value") + Records.pair("EMPTY", "")
        + Records.pair("LONG", [UInt8](repeating: 0x61, count: 200))

    @Test("pairs may be split between any two bytes", arguments: [1, 2, 3, 7, 1_000])
    func split(length: Int) {
        var validator = NameValueValidator()
        for start in stride(from: 0, to: pairs.count, by: length) {
            let piece = Array(pairs[start..<min(start + length, pairs.count)])
            #expect(piece.withUnsafeBytes { validator.feed($0) } == nil)
        }
        #expect(validator.isBetweenPairs)
    }

    @Test("an unfinished pair is noticed")
    func unfinished() {
        var validator = NameValueValidator()
        #expect(pairs.dropLast().withUnsafeBytes { validator.feed($0) } == nil)
        #expect(!validator.isBetweenPairs)
    }

    @Test("a NUL and a length beyond the limit are flaws")
    func flaws() {
        var validator = NameValueValidator()
        #expect(([3, 0, 0x61, 0, 0x62] as [UInt8]).withUnsafeBytes { validator.feed($0) } == .nul)
        validator = NameValueValidator()
        #expect(([0xff, 0xff, 0xff, 0xff] as [UInt8]).withUnsafeBytes { validator.feed($0) } == .parameterLength)
    }
}
