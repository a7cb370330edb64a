internal import CFastCGI
internal import Glibc

/// The supervisor whose pool this one takes over.
struct PreviousSupervisor: ~Copyable {
    let state: HandoverState
    private let connection: Int32

    /// The longest wait for the descriptors, in milliseconds. They take less than one, unless the other supervisor
    /// hangs.
    private static let timeout: Int32 = 5_000

    /// Connects to the supervisor that owns the socket. Returns nil when there is none or it offers no handover.
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
            let descriptor = poll(&watched, 1, Self.timeout) == 1 ? fastcgi_receive_descriptor(connection) : -1
            guard descriptor >= 0 else {
                for descriptor in received + [connection] { close(descriptor) }
                throw .alreadyRunning(socketPath: socketPath, pid: ListeningSocket.owner(of: socketPath))
            }
            received.append(Descriptors.moveAboveWorkerRange(descriptor))
        }
        self.connection = connection
        state = HandoverState(
            listener: received[0], lock: received[1],
            connectionHandover: ConnectionHandover(sending: received[2], receiving: received[3]))
    }

    deinit { close(connection) }

    /// Tells it to stop its workers. If it has died, its workers have ended already.
    func stopWorkers() {
        var word: UInt8 = 1
        send(connection, &word, 1, Int32(MSG_NOSIGNAL))
    }
}
