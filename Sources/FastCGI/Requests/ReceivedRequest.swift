internal import HTTP

/// A request that was read to its end. Any thread may answer it.
struct ReceivedRequest: Sendable {
    var request: Request
    /// The reason to reject it. Its body is then empty.
    var rejection: RequestRejection?
    let reply: Reply

    /// The approximate memory it takes while it waits, in bytes.
    var size: Int {
        request.headers.fields.reduce(request.path.utf8.count + request.query.utf8.count + request.body.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}
