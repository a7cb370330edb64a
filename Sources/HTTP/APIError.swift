import JSON

/// An error with a response. Each module has its own error types; one function turns all of them into responses.
public protocol APIError: Error {
    /// 400 to 599.
    var status: Int { get }
    /// A stable code such as `PGRST100`.
    var code: String { get }
    var message: String { get }
    var details: String? { get }
    var hint: String? { get }
}

extension APIError {
    public var details: String? { nil }
    public var hint: String? { nil }
}

extension Response {
    /// The shape of errors of `/rest/v1/`: four members, each a string or null.
    public init(error: some APIError) {
        self.init(
            status: error.status,
            json: JSONText.object([
                ("code", JSONText.string(error.code)), ("message", JSONText.string(error.message)),
                ("details", JSONText.string(error.details)), ("hint", JSONText.string(error.hint)),
            ]))
    }
}
