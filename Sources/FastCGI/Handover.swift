internal import CFastCGI
internal import Glibc

// How a pool passes to another supervisor without losing a connection. Beside its listening socket a supervisor has a
// door. A successor connects there and is given what makes the pool: the listening socket with what waits at it, its lock,
// and the adoption pair. From then on both have workers at the same sockets. Once all of its own are ready the successor
// says so, and the old workers are told to go, as at a reload: they finish what they have and give their connections to the
// new ones. A successor that goes away before that has cost nothing.

/// Where a supervisor is asked for its pool, and who asks.
struct HandoverSocket: ~Copyable {
    private let path: String
    private let door: Int32
    private var successor: Int32?

    enum Look { case nothing, successorIsReady }

    /// To be opened only by who holds the socket's lock, since it replaces a door that is there.
    init(of socketPath: String) throws(SupervisorFailure) {
        let path = Self.path(of: socketPath)
        door = try Self.open(at: path)
        self.path = path
    }

    private static func open(at path: String) throws(SupervisorFailure) -> Int32 {
        unlink(path)
        let plain = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        guard plain >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        let door = Descriptors.outOfTheWay(plain)
        _ = fcntl(door, F_SETFL, O_NONBLOCK)
        // Who comes through it gets the pool: nobody but ourselves.
        let before = umask(0o177)
        let bound = fastcgi_bind(door, path) == 0 && listen(door, 1) == 0
        let reason = errno
        umask(before)
        guard bound else {
            close(door)
            throw .system(call: "bind", path: path, errno: reason)
        }
        return door
    }

    deinit {
        close(door)
        if let successor { close(successor) }
    }

    /// Becomes readable when there is something for `look`.
    var descriptor: Int32 { successor ?? door }

    /// Takes the name away: the pool ends, and its successor has a door of its own.
    func withdraw() { unlink(path) }

    /// Gives the pool to a successor that asks for it, one at a time, and tells when it is ready.
    mutating func look(giving estate: HandoverState) -> Look {
        if let waiting = successor {
            var word: UInt8 = 0
            let count = recv(waiting, &word, 1, Int32(MSG_DONTWAIT))
            if count == 1 { return .successorIsReady }
            if count == 0 || errno != EAGAIN {
                close(waiting)
                successor = nil
            }
            return .nothing
        }
        let asking = fastcgi_accept(door)
        guard asking >= 0 else { return .nothing }
        for descriptor in estate.descriptors where fastcgi_send_descriptor(asking, descriptor) != 0 {
            close(asking)
            return .nothing
        }
        successor = asking
        return .nothing
    }

    static func path(of socketPath: String) -> String { socketPath + ".heir" }
}

/// What makes a pool and can change hands.
struct HandoverState {
    var listener: Int32
    var lock: Int32
    var adoption: ConnectionHandover

    var descriptors: [Int32] { [listener, lock, adoption.giving, adoption.taking] }
}

/// The supervisor whose pool is being taken over.
struct PreviousSupervisor: ~Copyable {
    let estate: HandoverState
    private let connection: Int32

    /// Longest time the descriptors may take to come, in milliseconds: it needs less than one, unless it hangs.
    private static let patience: Int32 = 5_000

    /// The supervisor that has a socket; nil when there is none, or none that gives its pool away.
    init?(on socketPath: String) throws(SupervisorFailure) {
        let connection = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { throw .system(call: "socket", path: socketPath, errno: errno) }
        guard fastcgi_connect(connection, HandoverSocket.path(of: socketPath)) == 0 else {
            close(connection)
            return nil
        }
        var received: [Int32] = []
        while received.count < 4 {
            var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            let came = poll(&watched, 1, Self.patience) == 1 ? fastcgi_receive_descriptor(connection) : -1
            guard came >= 0 else {
                for descriptor in received + [connection] { close(descriptor) }
                throw .alreadyRunning(socketPath: socketPath, pid: ListeningSocket.owner(of: socketPath))
            }
            received.append(Descriptors.outOfTheWay(came))
        }
        self.connection = connection
        estate = HandoverState(
            listener: received[0], lock: received[1], adoption: ConnectionHandover(giving: received[2], taking: received[3]))
    }

    deinit { close(connection) }

    /// Tells it that its workers can go. That it has died meanwhile is no matter: then they have gone already.
    func letGo() {
        var word: UInt8 = 1
        send(connection, &word, 1, Int32(MSG_NOSIGNAL))
    }
}
