/// The result of a fetch.
public struct FetchedPage: Sendable, Equatable {
    /// The requested URL as given.
    public var requestedURL: String
    /// The last URL of the chain. Without a redirect it is the requested URL without surrounding white space.
    public var finalURL: String
    /// 200...299, or 304 if the page is unchanged since the request's copy.
    public var status: Int
    /// The media type in lower case without parameters, such as `text/html`, or nil if the site sent none.
    public var contentType: String?
    /// The `charset` parameter of the Content-Type header as written.
    public var charsetLabel: String?
    /// The kind of the response by its media type or, if the type is missing or wrong, by its first bytes.
    public var kind: ContentKind
    /// The decoded body. Empty if its kind is not wanted.
    public var body: [UInt8]
    /// The number of hops from URL to URL.
    public var hops: Int
    /// The time from the start of the first hop to the last byte.
    public var seconds: Double
    /// The validators for a later conditional request, or nil if the site sent none.
    public var validators: Validators?
    /// Where the permanent redirects at the beginning of the chain led, or nil if it began with no such redirect.
    public var permanentURL: String?

    /// Whether the page is unchanged since the request's copy. There is then no body.
    public var isNotModified: Bool { status == 304 }

    public var isHTML: Bool { kind == .html }

    /// Returns the bytes of an HTML page.
    /// - Throws: `not_html`.
    public func html() throws(FetchError) -> [UInt8] {
        guard isHTML else {
            throw FetchError(
                .notHTML, "The address leads to a file (\(contentType ?? "of unknown type")), not to a web page.",
                url: finalURL, status: status, hops: hops, seconds: seconds)
        }
        return body
    }
}
