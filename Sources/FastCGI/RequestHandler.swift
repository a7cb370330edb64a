public import HTTP

/// What answers requests. Each worker thread makes its own, so it may hold what must not be shared,
/// such as a database connection; it is never called by two threads.
public protocol RequestHandler: AnyObject {
    /// Where a request that arrived whole waits for its answer. Asked of another handler than will answer a slow one;
    /// must not block.
    func lane(of request: Request) -> Lane

    /// Answers a request that arrived whole. May block; must return.
    func respond(to request: Request) -> Response

    /// Answers a request that is not let in; its body is empty.
    func refuse(_ refusal: RequestRejection, _ request: Request) -> Response
}

extension RequestHandler {
    public func lane(of request: Request) -> Lane { .ordinary }
}

/// Which threads answer a request.
public enum Lane: Sendable {
    /// Any that is free.
    case ordinary
    /// The one of each worker that answers slow requests one after the other and stands back behind the others, so that
    /// however many there are, ordinary requests find threads, memory and processors.
    case slow
}

/// Why a request is answered without being let in.
public enum RequestRejection: Sendable, Equatable {
    /// The body is longer than the limit of the worker, in bytes: 413.
    case bodyTooLarge(limit: Int)
    /// The body ended before, or went on after, the length that was announced: 400.
    case bodyIncomplete
    /// More header fields than the worker takes: 431.
    case tooManyFields(limit: Int)
    /// No method, no path, or a length that is no number: 400.
    case malformed
    /// More slow requests wait than the worker lets wait: 503.
    case tooManyWaiting

    /// The HTTP status this refusal stands for.
    public var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .bodyIncomplete, .malformed: 400
        case .tooManyFields: 431
        case .tooManyWaiting: 503
        }
    }
}
