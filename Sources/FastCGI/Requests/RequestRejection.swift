/// The reason a request is rejected before its handler sees it.
public enum RequestRejection: Sendable, Equatable {
    /// The body is longer than the worker's limit, in bytes: 413.
    case bodyTooLarge(limit: Int)
    /// The body is shorter or longer than the announced length: 400.
    case bodyIncomplete
    /// The disk has no room for the body: 507.
    case diskFull
    /// The body could not be written to a file: 500.
    case bodyNotStored(reason: String)
    /// The request has more header fields than the worker's limit: 431.
    case tooManyFields(limit: Int)
    /// The method or the path is missing, or the length is not a number: 400.
    case malformed
    /// The worker's queue of slow requests is full: 503.
    case tooManyWaiting
    /// The source of the request has as many running and waiting requests as it may, or has had for too long: 429.
    case tooManyOfSource

    /// The HTTP status of the response.
    public var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .diskFull: 507
        case .bodyNotStored: 500
        case .bodyIncomplete, .malformed: 400
        case .tooManyFields: 431
        case .tooManyWaiting: 503
        case .tooManyOfSource: 429
        }
    }
}
