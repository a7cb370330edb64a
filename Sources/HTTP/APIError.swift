/// An error that knows its answer. Each room has its own; one function turns any of them into a response.
public protocol APIError: Error {
    /// 400 to 599.
    var status: Int { get }
    /// Stable and greppable, such as `PGRST100`.
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
    /// The one error shape of `/rest/v1/`: always four keys, strings or null.
    public init(error: some APIError) {
        self.init(
            status: error.status,
            json: JSONText.object([
                ("code", JSONText.string(error.code)), ("message", JSONText.string(error.message)),
                ("details", JSONText.string(error.details)), ("hint", JSONText.string(error.hint)),
            ]))
    }
}
