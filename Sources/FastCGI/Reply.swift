internal import Glibc

/// Where the answer to a request goes: a connection that belongs to whoever has this.
struct Reply: Sendable {
    let connection: Int32
    /// The web server's number of the request.
    let requestID: Int32
    /// Whether the web server asked for it and what was read ended where the next request begins.
    let mayKeep: Bool

    /// Writes the answer. False when only a part of it went out, behind which there can be no other.
    func write(_ text: ResponseText) -> Bool {
        OutputRecords.write(text.head, text.body, requestID: requestID, to: connection)
    }

    /// False when the peer has closed the connection: nobody would read the answer. A web server closes it when its
    /// client has gone or it has waited long enough; one that only sends no more still reads.
    var isAwaited: Bool {
        // No events are asked for: POLLHUP comes unasked, and for a unix socket only once both ways are shut.
        var watched = pollfd(fd: connection, events: 0, revents: 0)
        return poll(&watched, 1, 0) == 0 || Int32(watched.revents) & Int32(POLLHUP) == 0
    }
}
