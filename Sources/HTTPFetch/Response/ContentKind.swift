/// The kind of a body, which decides whether it is loaded and how it is read.
public enum ContentKind: String, Sendable, CaseIterable {
    case html, text, markdown, pdf, image, audio, video
    /// Any other file.
    case other
    /// The header does not say enough. The first bytes decide.
    case unclear

    init(header: ContentType?) {
        switch header?.mediaType {
        case "text/html", "application/xhtml+xml": self = .html
        case "text/plain": self = .text
        case "text/markdown", "text/x-markdown": self = .markdown
        case "application/pdf", "application/x-pdf": self = .pdf
        case "application/ogg": self = .audio
        // The "unknown" types of the MIME Sniffing standard and the default types of servers. XML may be XHTML.
        case nil, "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream",
            "application/force-download", "application/download", "text/xml", "application/xml":
            self = .unclear
        // Not pictures: SVG drawings can run scripts, and browsers cannot show Photoshop files.
        case "image/svg+xml", "image/vnd.adobe.photoshop": self = .other
        case let type? where type.hasPrefix("image/"): self = .image
        case let type? where type.hasPrefix("audio/"): self = .audio
        case let type? where type.hasPrefix("video/"): self = .video
        default: self = .other
        }
    }

    /// The number of bytes that suffice to determine an unclear body's kind (MIME Sniffing standard, section 5).
    static let sniffedBytes = 1_445

    /// Determines the kind of a body declared as `declared` from its first bytes. Never returns `unclear`.
    static func sniffed(_ start: ArraySlice<UInt8>, declared: ContentKind) -> ContentKind {
        let start = start.prefix(sniffedBytes)
        switch declared {
        // Files may be declared as pages. Their first bytes cannot begin a text.
        case .html, .text, .markdown:
            return kindBySignature(start) ?? (declared != .html && isBinary(start) ? .other : declared)
        case .unclear: return kindBySignature(start) ?? (looksLikeHTML(start) ? .html : .other)
        case .pdf: return kindBySignature(start) == .pdf ? .pdf : looksLikeHTML(start) ? .html : .other
        case .image, .audio, .video, .other: return declared
        }
    }

    /// Returns the kind of the signature at the beginning, or nil without a known signature.
    /// Source: https://mimesniff.spec.whatwg.org, sections 6 and 7.1. PDF readers skip bytes before the signature.
    private static func kindBySignature(_ start: ArraySlice<UInt8>) -> ContentKind? {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: signature)
        }
        if begins(Array("%PDF-".utf8)) { return .pdf }
        let pictures: [[UInt8]] = [
            Array("GIF8".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF],
        ]
        if pictures.contains(where: { begins($0) }) { return .image }
        if begins(Array("RIFF".utf8)) {
            if begins(Array("WEBP".utf8), at: 8) { return .image }
            if begins(Array("WAVE".utf8), at: 8) { return .audio }
            if begins(Array("AVI ".utf8), at: 8) { return .video }
        }
        if begins(Array("ftyp".utf8), at: 4) {
            let brand = start.dropFirst(8).prefix(3)
            return brand.elementsEqual("avi".utf8) ? .image : brand.elementsEqual("M4A".utf8) ? .audio : .video
        }
        if begins([0x1A, 0x45, 0xDF, 0xA3]) { return .video }
        let sounds: [[UInt8]] = [Array("ID3".utf8), Array("OggS".utf8), Array("fLaC".utf8)]
        if sounds.contains(where: { begins($0) }) { return .audio }
        // Archives and compressed files.
        let others: [[UInt8]] = [Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B, 0x08]]
        return others.contains { begins($0) } ? .other : nil
    }

    /// Whether the bytes contain a "binary data byte" of the MIME Sniffing standard. UTF-16 is recognised by its byte
    /// order mark first.
    private static func isBinary(_ start: ArraySlice<UInt8>) -> Bool {
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return false }
        return start.contains { $0 <= 0x08 || $0 == 0x0B || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
    }

    private static func looksLikeHTML(_ start: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: start.filter { $0 != 0 }, as: UTF8.self).lowercased()
        let visible = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let openings = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script"]
        if openings.contains(where: visible.hasPrefix) { return true }
        // After an XML declaration or a comment the root element decides.
        return (visible.hasPrefix("<?xml") || visible.hasPrefix("<!--")) && visible.contains("<html")
    }
}
