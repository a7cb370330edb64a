/// A request to a `Fetcher`.
public struct FetchRequest: Sendable, Equatable {
    public var url: String
    /// The validators of an existing copy. When the chain reaches its URL, the request is conditional and the site may
    /// answer with 304 (see `FetchedPage.isNotModified`).
    public var copy: Validators?
    /// If false, the fetch only checks that the page exists. No body is loaded, and no refresh in a body is followed.
    public var wantsBody: Bool
    /// What is sent with POST; nil for a GET request. No redirect of it is followed, and every status is a success.
    public var post: Post?

    /// The body of a POST request, and the lines of its header beside the usual ones.
    public struct Post: Sendable, Equatable {
        public var body: String
        public var fields: [String]

        public init(body: String, fields: [String]) { (self.body, self.fields) = (body, fields) }
    }

    public init(_ url: String, copy: Validators? = nil, wantsBody: Bool = true) {
        (self.url, self.copy, self.wantsBody) = (url, copy, wantsBody)
    }
}
