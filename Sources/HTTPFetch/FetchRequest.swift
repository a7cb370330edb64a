/// What is asked of a `Fetcher`.
public struct FetchRequest: Sendable, Equatable {
    public var url: String
    /// What is known of a copy that we have. Where the chain comes to its URL the site is asked whether that has changed, and
    /// may answer with 304 (see `FetchedPage.isNotModified`).
    public var copy: Validators?
    /// False: only whether the page is there. No body is loaded, so that no refresh in one is followed either.
    public var wantsBody: Bool

    public init(_ url: String, copy: Validators? = nil, wantsBody: Bool = true) {
        (self.url, self.copy, self.wantsBody) = (url, copy, wantsBody)
    }
}

/// What a site says of a page so that it can be asked later whether the page has changed. Source: RFC 9110, 8.8.
public struct Validators: Sendable, Equatable {
    /// Of the answer itself: the end of its chain.
    public var url: String
    /// As sent.
    public var etag: String?
    /// As sent.
    public var lastModified: String?

    /// A date has 29 characters; some write it longer.
    private static let longestDate = 64
    private static let longestTag = 256

    /// Nil where nothing is left: what is sent back to the site is printable and short, whatever it said.
    public init?(url: String, etag: String?, lastModified: String?) {
        self.url = url
        self.etag = etag.flatMap { Self.isTag($0) ? $0 : nil }
        self.lastModified = lastModified.flatMap { Self.isPrintable($0, from: 0x20) && $0.utf8.count <= Self.longestDate ? $0 : nil }
        if self.etag == nil, self.lastModified == nil { return nil }
    }

    /// An entity tag (RFC 9110, 8.8.3). Sent back, `*` would mean any page at all.
    private static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"") && text.utf8.count <= longestTag
            && isPrintable(text, from: 0x21)
    }

    private static func isPrintable(_ text: String, from first: UInt8) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (first...0x7E).contains($0) }
    }

    /// Header lines that ask whether the page has changed. Who knows entity tags leaves the date alone (RFC 9110, 13.1.3).
    var conditions: [String] {
        [etag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }].compactMap(\.self)
    }
}
