/// What waits to be sent to all sockets.
final class Outbox {
    /// Bytes in the queues of all sockets.
    var bytes = 0
    /// The sockets with messages that were not given to the kernel yet.
    private var unflushed: [SocketHandler] = []

    func add(_ handler: SocketHandler) { unflushed.append(handler) }

    /// Gives the messages to the kernel, those of one socket in one call.
    func flush() {
        let handlers = unflushed
        unflushed.removeAll(keepingCapacity: true)
        for handler in handlers { handler.flush() }
    }
}
