import HTML

extension PageReader {
    /// Bytes of text that are kept of a page that is too much to be read: some hundred thousand words.
    private static let plainTextBytes = 2_000_000

    /// The page without its mark-up: its title, and its text as the article; a paragraph a line, safe to show.
    ///
    /// For pages beyond ``budget``, so it takes no account of it: its time is in proportion to the page.
    public func readText(_ page: [UInt8]) -> PageReading {
        let plain = PlainText.of(page, limit: Self.plainTextBytes)
        var metadata = PageMetadata()
        metadata.title = OneLine.of(plain.title)
        let text = plain.lines.joined(separator: "\n")
        // Only text and paragraphs, of a size that is no trouble to any parser.
        let content = try? Sanitizer().sanitize(plain.lines.map { "<p>\(Self.escaped($0))</p>" }.joined(separator: "\n"))
        guard let content, !text.isEmpty else { return PageReading(metadata: metadata, article: nil) }
        return PageReading(
            metadata: metadata,
            article: StoredArticle(
                title: metadata.title ?? "", content: content, textContent: text, length: text.utf16.count, wordCount: WordCount.of(text)))
    }

    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += Array("&amp;".utf8)
            case UInt8(ascii: "<"): escaped += Array("&lt;".utf8)
            case UInt8(ascii: ">"): escaped += Array("&gt;".utf8)
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
