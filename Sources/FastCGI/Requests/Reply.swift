internal import Glibc

/// Where the response to a request goes: a connection that belongs to the holder of this value.
struct Reply: Sendable {
    let connection: Int32
    /// The web server's number for the request.
    let requestID: Int32
    /// Whether the connection may stay open: the web server asked for it, and the next request begins where reading
    /// ended.
    let mayKeep: Bool

    /// Writes the response. Returns false when only a part of it was sent: the connection then cannot carry another
    /// one.
    func write(_ text: ResponseText) -> Bool {
        OutputRecords.write(text.head, text.body, requestID: requestID, to: connection)
    }

    /// Returns false when the peer has closed the connection, so that nobody would read the response. A web server
    /// closes it when its client is gone or after its own timeout. A peer that has only finished sending still reads.
    var isAwaited: Bool {
        // No events are requested: POLLHUP is always reported, and for a unix socket only once both directions are
        // shut.
        var watched = pollfd(fd: connection, events: 0, revents: 0)
        return poll(&watched, 1, 0) == 0 || Int32(watched.revents) & Int32(POLLHUP) == 0
    }
}
