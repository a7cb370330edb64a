/// What a body is, as far as it matters whether to load it.
enum ContentKind: Equatable {
    case html
    case other
    /// The header says too little: the first bytes decide.
    case unclear

    init(header: ContentType?) {
        switch header?.mediaType {
        case "text/html", "application/xhtml+xml": self = .html
        // "Unknown" of the MIME Sniffing standard, and the types servers fall back on; XML may be XHTML.
        case nil, "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream",
            "text/xml", "application/xml":
            self = .unclear
        default: self = .other
        }
    }

    /// Bytes that are enough to judge an unclear body (MIME Sniffing standard, section 5).
    static let sniffedBytes = 1_445

    /// What a body that calls itself `declared` is by its first bytes; never `unclear`.
    static func judged(_ start: ArraySlice<UInt8>, declared: ContentKind) -> ContentKind {
        let start = start.prefix(sniffedBytes)
        switch declared {
        case .other: return .other
        case .html: return isBinary(start) ? .other : .html
        case .unclear: return looksLikeHTML(start) ? .html : .other
        }
    }

    /// Files that lie about being pages: their first bytes can begin no HTML text.
    private static func isBinary(_ start: ArraySlice<UInt8>) -> Bool {
        let signatures: [[UInt8]] = [
            Array("%PDF-".utf8), Array("GIF8".utf8), Array("PK\u{3}\u{4}".utf8), [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF],
            [0x1F, 0x8B, 0x08],
        ]
        return signatures.contains { start.starts(with: $0) }
    }

    private static func looksLikeHTML(_ start: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: start.filter { $0 != 0 }, as: UTF8.self).lowercased()
        let visible = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let openings = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script"]
        if openings.contains(where: visible.hasPrefix) { return true }
        // After an XML declaration or a comment the root element tells.
        return (visible.hasPrefix("<?xml") || visible.hasPrefix("<!--")) && visible.contains("<html")
    }
}
