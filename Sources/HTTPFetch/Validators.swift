/// The validators of a page, with which a later request asks whether the page has changed. Source: RFC 9110, 8.8.
public struct Validators: Sendable, Equatable {
    /// The URL of the response, at the end of the chain.
    public var url: String
    /// As sent.
    public var etag: String?
    /// As sent.
    public var lastModified: String?

    /// A date has 29 characters. Some sites write longer ones.
    private static let maxDateBytes = 64
    private static let maxTagBytes = 256

    /// Keeps only printable, short values, because they are sent back to the site. Returns nil if none remains.
    public init?(url: String, etag: String?, lastModified: String?) {
        self.url = url
        self.etag = etag.flatMap { Self.isTag($0) ? $0 : nil }
        self.lastModified = lastModified.flatMap {
            Self.isPrintable($0, from: 0x20) && $0.utf8.count <= Self.maxDateBytes ? $0 : nil
        }
        if self.etag == nil, self.lastModified == nil { return nil }
    }

    /// Whether the text is an entity tag (RFC 9110, 8.8.3). `*` is not, because it would match any page.
    private static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && text.utf8.count <= maxTagBytes && isPrintable(text, from: 0x21)
    }

    private static func isPrintable(_ text: String, from first: UInt8) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (first...0x7E).contains($0) }
    }

    /// The header lines of a conditional request. A server that supports entity tags ignores the date (RFC 9110,
    /// 13.1.3).
    var conditions: [String] {
        [etag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }].compactMap(\.self)
    }
}
