/// What a body is, as far as it matters whether to load it and how to read it.
public enum ContentKind: String, Sendable, CaseIterable {
    case html, text, markdown, pdf, image, audio, video
    /// Any other file.
    case other
    /// The header says too little: the first bytes decide.
    case unclear

    init(header: ContentType?) {
        switch header?.mediaType {
        case "text/html", "application/xhtml+xml": self = .html
        case "text/plain": self = .text
        case "text/markdown", "text/x-markdown": self = .markdown
        case "application/pdf", "application/x-pdf": self = .pdf
        case "application/ogg": self = .audio
        // "Unknown" of the MIME Sniffing standard, and the types servers fall back on; XML may be XHTML.
        case nil, "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream",
            "application/force-download", "application/download", "text/xml", "application/xml":
            self = .unclear
        // Pictures that are documents: drawings run scripts, and Photoshop's are no pictures to browsers.
        case "image/svg+xml", "image/vnd.adobe.photoshop": self = .other
        case let type? where type.hasPrefix("image/"): self = .image
        case let type? where type.hasPrefix("audio/"): self = .audio
        case let type? where type.hasPrefix("video/"): self = .video
        default: self = .other
        }
    }

    /// Bytes that are enough to judge an unclear body (MIME Sniffing standard, section 5).
    static let sniffedBytes = 1_445

    /// What a body that calls itself `declared` is by its first bytes; never `unclear`.
    static func judged(_ start: ArraySlice<UInt8>, declared: ContentKind) -> ContentKind {
        let start = start.prefix(sniffedBytes)
        switch declared {
        // Files may lie about being pages: their first bytes can begin no text.
        case .html, .text, .markdown: return signed(start) ?? (declared != .html && isBinary(start) ? .other : declared)
        case .unclear: return signed(start) ?? (looksLikeHTML(start) ? .html : .other)
        case .pdf: return signed(start) == .pdf ? .pdf : looksLikeHTML(start) ? .html : .other
        case .image, .audio, .video, .other: return declared
        }
    }

    /// What the signature at the beginning says; nil where there is none.
    /// Source: https://mimesniff.spec.whatwg.org, sections 6 and 7.1; PDF readers skip what stands before their mark.
    private static func signed(_ start: ArraySlice<UInt8>) -> ContentKind? {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: signature) }
        if begins(Array("%PDF-".utf8)) { return .pdf }
        let pictures: [[UInt8]] = [Array("GIF8".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF]]
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

    /// Holds a byte that no text has: "binary data bytes" of the MIME Sniffing standard. UTF-16 says so first.
    private static func isBinary(_ start: ArraySlice<UInt8>) -> Bool {
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return false }
        return start.contains { $0 <= 0x08 || $0 == 0x0B || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
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
