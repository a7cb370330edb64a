public import HTTP

/// Answers requests. Each worker thread makes its own handler and alone calls it, so a handler may hold what threads
/// must not share, such as a database connection.
public protocol RequestHandler: AnyObject {
    /// Returns the lane of a complete request. Must not block. A slow request is later answered by another handler.
    func lane(of request: Request) -> Lane

    /// Returns the source whose limit a complete request counts towards; nil for a request that no limit applies to.
    /// Must not block.
    func source(of request: Request) -> RequestSource?

    /// Answers a complete request. May block, and must return.
    func respond(to request: Request) -> Response

    /// Answers a rejected request, whose body is empty.
    func refuse(_ rejection: RequestRejection, _ request: Request) -> Response
}

extension RequestHandler {
    public func lane(of request: Request) -> Lane { .ordinary }
    public func source(of request: Request) -> RequestSource? { nil }
}
