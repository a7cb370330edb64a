internal import CFastCGI
internal import Glibc

// How another supervisor takes over a pool without losing a connection. Beside its listening socket a supervisor has a
// handover socket. The next supervisor connects to it and receives the descriptors of the pool: the listening socket
// with the connections that wait on it, its lock, and the socket pair for connections. From then on both supervisors
// have workers on the same sockets. Once all its workers are ready, the next supervisor says so. The old workers are
// then told to stop, as in a reload: they finish their requests and hand their connections to the new workers. If the
// next supervisor disappears before that, nothing has changed.

/// Where a supervisor is asked for its pool.
struct HandoverSocket: ~Copyable {
    private let path: String
    private let listener: Int32
    /// The connection of the supervisor that is taking over.
    private var next: Int32?

    enum Event { case none, nextIsReady }

    /// Only the holder of the listening socket's lock may open it, because it replaces an existing handover socket.
    init(of socketPath: String) throws(SupervisorFailure) {
        let path = Self.path(of: socketPath)
        listener = try Self.open(at: path)
        self.path = path
    }

    private static func open(at path: String) throws(SupervisorFailure) -> Int32 {
        unlink(path)
        let plain = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        guard plain >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        let listener = Descriptors.moveAboveWorkerRange(plain)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        // Whoever connects receives the pool, so only the same user may.
        let before = umask(0o177)
        let bound = fastcgi_bind(listener, path) == 0 && listen(listener, 1) == 0
        let reason = errno
        umask(before)
        guard bound else {
            close(listener)
            throw .system(call: "bind", path: path, errno: reason)
        }
        return listener
    }

    deinit {
        close(listener)
        if let next { close(next) }
    }

    /// Becomes readable when `handleEvent` has something to do.
    var descriptor: Int32 { next ?? listener }

    /// Removes the socket's file, because the pool ends. A supervisor that took over has its own handover socket.
    func withdraw() { unlink(path) }

    /// Sends the descriptors to a supervisor that asks for them, one supervisor at a time. Reports when it is ready.
    mutating func handleEvent(sending state: HandoverState) -> Event {
        if let waiting = next {
            var word: UInt8 = 0
            let count = recv(waiting, &word, 1, Int32(MSG_DONTWAIT))
            if count == 1 { return .nextIsReady }
            if count == 0 || errno != EAGAIN {
                close(waiting)
                next = nil
            }
            return .none
        }
        let asking = fastcgi_accept(listener)
        guard asking >= 0 else { return .none }
        for descriptor in state.descriptors where fastcgi_send_descriptor(asking, descriptor) != 0 {
            close(asking)
            return .none
        }
        next = asking
        return .none
    }

    static func path(of socketPath: String) -> String { socketPath + ".next" }
}
