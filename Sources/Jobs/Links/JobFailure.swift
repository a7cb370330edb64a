/// The reason a job did not succeed.
public struct JobFailure: Error, Sendable, Equatable {
    /// A stable code, such as `timeout`.
    public var reason: String
    /// A sentence for people.
    public var message: String

    public init(reason: String, message: String) {
        self.reason = reason
        self.message = message
    }
}
