/// The kind of a document, by its first bytes and its name.
public enum DocumentKind: String, Sendable, Equatable, CaseIterable {
    case pdf = "application/pdf"
    case epub = "application/epub+zip"
    case html = "text/html"
    case markdown = "text/markdown"
    case text = "text/plain"

    /// Bytes of the beginning that decide.
    public static let headLength = 4_096

    /// Recognises a document by its content, then by its name; nil for a file of another kind.
    ///
    /// - Parameter head: the first ``headLength`` bytes, or all of them.
    public init?(head: [UInt8], name: String) {
        let ending = name.split(separator: ".").count > 1 ? name.split(separator: ".").last?.lowercased() ?? "" : ""
        // Readers of PDF files accept bytes before the header (ISO 32000-1, note 13 of annex H).
        if Self.find("%PDF-", in: head.prefix(1_024)) {
            self = .pdf
        } else if head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            // The first entry of an EPUB is its media type, without compression (OCF 3.3, 4.2.2); not all programs
            // keep to that.
            guard ending == "epub" || Self.find("mimetypeapplication/epub+zip", in: head.prefix(200)) else {
                return nil
            }
            self = .epub
        } else if Self.isBinary(head) {
            return nil
        } else if ["md", "markdown", "mdown", "mkd"].contains(ending) {
            self = .markdown
        } else if Self.beginsHTML(head) || ["html", "htm", "xhtml", "xht"].contains(ending) {
            self = .html
        } else {
            self = .text
        }
    }

    private static func find(_ word: String, in bytes: ArraySlice<UInt8>) -> Bool {
        let word = Array(word.utf8)
        guard bytes.count >= word.count else { return false }
        return (bytes.startIndex...bytes.endIndex - word.count).contains {
            bytes[$0..<$0 + word.count].elementsEqual(word)
        }
    }

    /// Whether bytes are not text in any charset: NUL outside of UTF-16, or many other control characters.
    private static func isBinary(_ head: [UInt8]) -> Bool {
        if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return false }
        // NUL never occurs in text, except in UTF-16 and UTF-32, where text without a byte order mark is rare.
        if head.contains(0) { return true }
        let controls = head.count { $0 < 0x20 && ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B, 0x1A].contains($0) }
        return controls * 50 > head.count
    }

    /// Whether text begins like an HTML page (MIME Sniffing, 7.1): with a doctype, a comment or one of these tags.
    private static func beginsHTML(_ head: [UInt8]) -> Bool {
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        // UTF-16: the letters, whatever their order of bytes.
        if rest.starts(with: [0xFE, 0xFF]) || rest.starts(with: [0xFF, 0xFE]) {
            rest = rest.dropFirst(2).filter { $0 != 0 }[...]
        }
        let text = String(decoding: rest.drop { $0 <= 0x20 }.prefix(64), as: UTF8.self).lowercased()
        let tags = ["!doctype html", "html", "head", "body", "title", "meta", "script", "style", "article", "!--"]
        if text.hasPrefix("<?xml") { return Self.find("<html", in: head[...]) }
        return tags.contains { tag in
            guard text.hasPrefix("<" + tag) else { return false }
            let next = text.dropFirst(tag.count + 1).first
            return tag == "!--" || next == nil || next == ">" || next?.isWhitespace == true
        }
    }
}
