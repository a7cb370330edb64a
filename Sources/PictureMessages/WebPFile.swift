/// Reads the structure of a WebP file (RFC 9649): a header of twelve bytes, then chunks of a name, a length and that
/// many bytes.
public enum WebPFile {
    /// Chunks that contain pixels. Colours without a profile are sRGB.
    private static let ofPixels: Set<[UInt8]> = Set(
        ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"].map { Array($0.utf8) })

    /// Flags of VP8X that announce a colour profile, Exif and XMP.
    private static let announced: UInt8 = 0x20 | 0x08 | 0x04

    /// Whether the bytes are a complete WebP file that contains nothing but pixels.
    static func isPure(_ bytes: [UInt8]) -> Bool {
        guard let chunks = chunks(of: bytes), !chunks.isEmpty else { return false }
        return chunks.allSatisfy { ofPixels.contains(Array(bytes[$0.prefix(4)])) }
    }

    /// Whether the pixels of a still picture are stored without loss.
    public static func isLossless(_ bytes: [UInt8]) -> Bool {
        (chunks(of: bytes) ?? []).contains { bytes[$0].starts(with: Array("VP8L".utf8)) }
    }

    /// The file without chunks that contain no pixels; nil where the file is incomplete.
    static func pure(_ bytes: [UInt8]) -> [UInt8]? {
        guard let chunks = chunks(of: bytes) else { return nil }
        var body = Array("WEBP".utf8)
        for chunk in chunks where ofPixels.contains(Array(bytes[chunk.prefix(4)])) {
            let start = body.count
            body += bytes[chunk]
            // The flags follow name and length.
            if bytes[chunk].starts(with: Array("VP8X".utf8)), chunk.count > 8 { body[start + 8] &= ~announced }
        }
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) } + body
    }

    /// The range of each chunk, with its header and its padding to an even length.
    private static func chunks(of bytes: [UInt8]) -> [Range<Int>]? {
        guard bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8),
            number(bytes, 4) == bytes.count - 8
        else { return nil }
        var chunks: [Range<Int>] = []
        var place = 12
        while place < bytes.count {
            guard place + 8 <= bytes.count else { return nil }
            let length = number(bytes, place + 4)
            let end = place + 8 + length + length % 2
            guard end <= bytes.count else { return nil }
            chunks.append(place..<end)
            place = end
        }
        return chunks
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
    }
}
