/// A response: status, header fields and the whole body.
public struct Response: Sendable, Equatable {
    public var status: Int
    public var headers: Headers
    public var body: [UInt8]

    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a JSON body.
    public init(status: Int, json: String, headers: Headers = [:]) {
        self.init(status: status, headers: headers, body: Array(json.utf8))
        self.headers.set("content-type", "application/json; charset=utf-8")
    }
}
