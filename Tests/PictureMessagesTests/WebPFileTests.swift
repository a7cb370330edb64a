import Testing

@testable import PictureMessages

@Suite("PictureMessages / WebP files")
struct WebPFileTests {
    private static func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var body = Array("WEBP".utf8)
        for (name, bytes) in chunks {
            body +=
                Array(name.utf8) + [UInt8(bytes.count), 0, 0, 0] + bytes + [UInt8](repeating: 0, count: bytes.count % 2)
        }
        return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    }

    @Test("metadata is removed, and so are its flags")
    func stripped() throws {
        let whole = Self.file([
            ("VP8X", [0x3C] + [UInt8](repeating: 0, count: 9)), ("ICCP", [1]), ("VP8 ", [1, 2, 3]), ("EXIF", [9]),
        ])
        #expect(!WebPFile.isPure(whole))
        let pure = try #require(WebPFile.pure(whole))
        #expect(pure == Self.file([("VP8X", [0x10] + [UInt8](repeating: 0, count: 9)), ("VP8 ", [1, 2, 3])]))
        #expect(WebPFile.isPure(pure))
    }

    @Test("a file says whether its pixels are stored without loss")
    func lossless() {
        let header = ("VP8X", [UInt8](repeating: 0, count: 10))
        #expect(WebPFile.isLossless(Self.file([header, ("VP8L", [1])])))
        #expect(!WebPFile.isLossless(Self.file([header, ("ALPH", [1]), ("VP8 ", [1])])))
        #expect(!WebPFile.isLossless(Array("VP8L".utf8)))
    }

    @Test("truncated, extended and empty files are rejected")
    func broken() {
        let whole = Self.file([("VP8 ", [1, 2, 3, 4])])
        for count in 0..<whole.count { #expect(WebPFile.pure(Array(whole.prefix(count))) == nil) }
        #expect(!WebPFile.isPure(whole + Array("<script>".utf8)))
        #expect(!WebPFile.isPure(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8)))
    }
}
