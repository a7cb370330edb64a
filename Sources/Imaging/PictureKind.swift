/// The kind of a file by its first bytes. Its name and media type are not trusted.
enum PictureKind: Equatable {
    case jpeg, png, gif, webp, avif, svg, icon

    init?(_ bytes: [UInt8]) {
        func has(_ signature: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: signature) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
            self = .gif
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if has(Array("ftypavif".utf8), at: 4) || has(Array("ftypavis".utf8), at: 4) {
            self = .avif
        } else if has([0, 0, 1, 0]) {
            self = .icon
        } else if Self.looksLikeSVG(bytes) {
            self = .svg
        } else {
            return nil
        }
    }

    /// Whether files of this kind are usually drawings and not photographs.
    var isDrawn: Bool { self == .png || self == .gif || self == .svg || self == .icon }

    /// Whether an `svg` element begins within the first 1,000 bytes, after a byte order mark, an XML declaration or
    /// comments.
    private static func looksLikeSVG(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(1_000), as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
        return start.first == "<" && start.contains("<svg")
    }
}
