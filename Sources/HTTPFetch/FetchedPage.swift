/// What a URL led to.
public struct FetchedPage: Sendable, Equatable {
    /// The URL that was asked for, as given.
    public var requestedURL: String
    /// Where the chain ended. Without a redirect it is the requested URL, spelled as given (white space around it off).
    public var finalURL: String
    /// 200...299; 304 where the page is the copy that was named.
    public var status: Int
    /// Media type in lower case without parameters, such as `text/html`; nil where the site named none.
    public var contentType: String?
    /// The `charset` parameter of the Content-Type header, as written.
    public var charsetLabel: String?
    /// What the answer is, by its type or, where the type says nothing or lies, by its first bytes.
    public var kind: ContentKind
    /// The body, unpacked; empty where it is of no kind that is wanted.
    public var body: [UInt8]
    /// Steps from URL to URL that were taken.
    public var hops: Int
    /// From the start of the first hop to the last byte.
    public var seconds: Double
    /// With which to ask for it again; nil where the site gives none.
    public var validators: Validators?

    /// The copy that was named in the request is the page still. There is no body.
    public var isNotModified: Bool { status == 304 }

    public var isHTML: Bool { kind == .html }

    /// The bytes of an HTML page.
    /// - Throws: `not_html`.
    public func html() throws(FetchError) -> [UInt8] {
        guard isHTML else {
            throw FetchError(
                .notHTML, "The address leads to a file (\(contentType ?? "of unknown type")), not to a page.",
                url: finalURL, status: status, hops: hops, seconds: seconds)
        }
        return body
    }
}
