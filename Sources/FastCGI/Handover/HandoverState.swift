/// The descriptors that one supervisor hands over to the next: the listening socket, its lock and the socket pair for
/// connections.
struct HandoverState {
    var listener: Int32
    var lock: Int32
    var connectionHandover: ConnectionHandover

    var descriptors: [Int32] { [listener, lock, connectionHandover.sending, connectionHandover.receiving] }
}
