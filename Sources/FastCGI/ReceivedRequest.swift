internal import HTTP

/// A request that was read to its end and waits to be answered, by whichever thread.
struct ReceivedRequest: Sendable {
    var request: Request
    /// Why it is not let in; its body is empty then.
    var refusal: RequestRejection?
    let reply: Reply

    /// Roughly the bytes it takes while it waits.
    var size: Int {
        request.headers.fields.reduce(request.path.utf8.count + request.query.utf8.count + request.body.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}
