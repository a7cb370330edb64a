/// A request as the application sees it, independent of the protocol that carried it.
public struct Request: Sendable {
    /// The method in upper case.
    public var method: String
    /// The percent-encoded path as sent, without the query.
    public var path: String
    /// The percent-encoded query as sent, without the `?`; empty if there is none.
    public var query: String
    public var headers: Headers
    public var body: [UInt8]
    /// The body of a request whose body is written to a file; `body` is then empty.
    public var bodyFile: BodyFile?
    /// The request's id in nginx, the worker, SQL and all logs: 1 to 64 letters, digits, `-` and `_`.
    public var id: String
    /// The client's address as the web server reports it; nil if the request came over the worker's own socket.
    public var remoteAddress: String?

    public init(
        method: String, path: String, query: String = "", headers: Headers = [:], body: [UInt8] = [],
        id: String = "-", remoteAddress: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.id = id
        self.remoteAddress = remoteAddress
    }
}
