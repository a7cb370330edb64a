/// One request as the application sees it: plain values, whatever carried it here.
public struct Request: Sendable {
    /// Upper-case method name, as sent.
    public var method: String
    /// Path as sent, percent-encoding kept, without the query.
    public var path: String
    /// Query as sent, percent-encoding kept, without the `?`; empty when absent.
    public var query: String
    public var headers: Headers
    public var body: [UInt8]
    /// The request's id through nginx, worker, SQL and logs: 1 to 64 letters, digits, `-`, `_`.
    public var id: String
    /// The client's address as the web server vouches for it; nil when the request came over the worker's own socket.
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
